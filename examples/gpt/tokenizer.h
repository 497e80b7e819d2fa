/* Text as token ids and back: by characters, or by byte pairs. */
#ifndef EXAMPLES_GPT_TOKENIZER_H
#define EXAMPLES_GPT_TOKENIZER_H

#include "core/tapegrad.h"
#include "examples/gpt/bpe.h"
#include "examples/gpt/json.h"

typedef struct tokenizer {
    int64_t vocabulary;
    int64_t *code; /* (vocabulary) Unicode numbers, ascending; NULL: byte pairs */
    bpe *bpe;
    unsigned char *json; /* (json_size) the tokenizer.json that the byte pairs are from; NULL: from none */
    size_t json_size;
} tokenizer;

/* A text in memory: its bytes, as a file has them. */
typedef struct text {
    const char *name; /* for messages */
    unsigned char *bytes;
    size_t n;
} text;
/* Ends the program when the file cannot be read, is empty or binary. */
text text_read(const char *path);
void text_free(text *x);
/* Where the last tenth of its characters begins: a byte. */
size_t text_last_tenth(const text *x);

/* Every character of a text, ordered by number. */
tokenizer tokenizer_of_characters(const text *x);
/* Byte pairs: of a file of merges; learnt from the first n bytes of a text, for a vocabulary of this size. */
enum { SMALLEST_BPE = BPE_BYTES + 1 };
tokenizer tokenizer_of_bpe(bpe *b);
tokenizer tokenizer_of_merges(const char *path);
tokenizer tokenizer_of_pairs(const text *x, size_t n, int64_t vocabulary);
/* Of a tokenizer.json whose object is `top`; no vocabulary, and why, when it is of a kind that is not known here. Ends
 * the program when its merges are none; path: whose they are. */
typedef struct json_reason {
    char text[400];
} json_reason;
tokenizer tokenizer_of_json(const char *path, json top, json_reason *why);
void tokenizer_free(tokenizer *k);

/* The ids of n bytes, in a block that the caller frees. Ends the program when the tokenizer does not know a character;
 * name: what to call the bytes then. */
int32_t *tokenizer_encode(const tokenizer *k, const char *name, const unsigned char *bytes, size_t n, int64_t *n_ids);
/* The token to start a text with when there is no prompt: a line's end, or token 0 where there is none. */
int64_t tokenizer_start(const tokenizer *k);
/* The bytes of a token, until the next call. */
const unsigned char *tokenizer_decode(const tokenizer *k, int64_t id, size_t *n);

/* In a checkpoint: as a named buffer of the tape, for saving; from a file, where it is of this size, -1: there is none.
 */
void tokenizer_store(const tokenizer *k, tg_tape *t);
typedef struct tokenizer_sizes {
    int64_t characters, merges, json;
} tokenizer_sizes;
void tokenizer_find(const tg_file_tensor *x, tokenizer_sizes *sizes);
tokenizer tokenizer_load(const char *path, tokenizer_sizes sizes);

#endif
