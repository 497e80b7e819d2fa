/* Tokens of BERT's uncased models: text is cleaned, lower-cased and stripped of accents, split at spaces, punctuation
 * and ideographs, and each word split greedily into the longest pieces of the vocabulary, those inside a word with a
 * prefix ## (Devlin et al. 2019). [PAD], [UNK], [CLS], [SEP] and [MASK] in a text are the tokens of that name, as in
 * transformers: remove the brackets from untrusted text to avoid that. */
#ifndef EXAMPLES_ENCODER_WORDPIECE_H
#define EXAMPLES_ENCODER_WORDPIECE_H

#include <stddef.h>
#include <stdint.h>

typedef struct wordpiece {
    char *text;
    const char **piece; /* in the order of the file, by id */
    int64_t *sorted;    /* ids, by piece */
    int64_t n, unknown, cls, sep;
} wordpiece;

/* From a vocab.txt, one piece per line; ends the program on other files. */
wordpiece wordpiece_read(const char *path);
void wordpiece_free(wordpiece *w);

/* [CLS], the text's first tokens, [SEP]: at most `most` >= 2 ids. Returns their number. */
int64_t wordpiece_encode(const wordpiece *w, const char *text, int64_t *ids, int64_t most);

#endif
