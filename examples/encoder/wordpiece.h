/* Tokens of BERT's uncased models: text is cleaned, lower-cased and stripped of accents, split at spaces, punctuation
 * and ideographs, and each word cut into the longest pieces that the vocabulary has, those inside a word with ## in
 * front (Devlin et al. 2019). [PAD], [UNK], [CLS], [SEP] and [MASK] in a text are the tokens of that name, as in
 * transformers: who takes texts from others and does not want that takes the brackets out. */
#ifndef EXAMPLES_ENCODER_WORDPIECE_H
#define EXAMPLES_ENCODER_WORDPIECE_H

#include <stddef.h>
#include <stdint.h>

typedef struct wordpiece {
    char *text;
    const char **piece; /* in the order of the file, which is that of the ids */
    int64_t *sorted;    /* ids, by piece */
    int64_t n, unknown, cls, sep;
} wordpiece;

/* Of a vocab.txt, a piece a line; ends the program on other files. */
wordpiece wordpiece_read(const char *path);
void wordpiece_free(wordpiece *w);

/* [CLS], the text's tokens, [SEP]: at most `most` ids, which is at least 2, the first ones. Returns how many. */
int64_t wordpiece_encode(const wordpiece *w, const char *text, int64_t *ids, int64_t most);

#endif
