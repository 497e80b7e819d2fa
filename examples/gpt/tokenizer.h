/* Text as token ids and back: by characters, or by byte pairs. */
#ifndef EXAMPLES_GPT_TOKENIZER_H
#define EXAMPLES_GPT_TOKENIZER_H

#include "core/tapegrad.h"
#include "examples/gpt/bpe.h"
#include "examples/gpt/json.h"

typedef struct tokenizer {
    int64_t vocabulary;
    int64_t *code; /* (vocabulary) code points, ascending; NULL: byte pairs */
    bpe *bpe;
    unsigned char *json; /* (json_size) the tokenizer.json of the byte pairs, or NULL */
    size_t json_size;
} tokenizer;

/* A text in memory: the bytes of a file. */
typedef struct text {
    const char *name; /* for messages */
    unsigned char *bytes;
    size_t n;
} text;
/* Ends the program when the file cannot be read, is empty or binary. */
text text_read(const char *path);
void text_free(text *x);
/* The offset in bytes of the last tenth of its characters. */
size_t text_last_tenth(const text *x);

/* Every character of a text, ordered by code point. */
tokenizer tokenizer_of_characters(const text *x);
/* Byte pairs: from a file of merges; learned from the first n bytes of a text, for a vocabulary of this size. */
enum { SMALLEST_BPE = BPE_BYTES + 1 };
tokenizer tokenizer_of_bpe(bpe *b);
tokenizer tokenizer_of_merges(const char *path);
tokenizer tokenizer_of_pairs(const text *x, size_t n, int64_t vocabulary);
/* From a tokenizer.json whose object is `top`; no vocabulary, and why, when its kind is not supported. Ends the program
 * when its merges are invalid; path: the file, for messages. */
typedef struct json_reason {
    char text[400];
} json_reason;
tokenizer tokenizer_of_json(const char *path, json top, json_reason *why);
void tokenizer_free(tokenizer *k);

/* The ids of n bytes, to be freed. Ends the program when the tokenizer does not know a character; name: the source of
 * the bytes, for messages. */
int32_t *tokenizer_encode(const tokenizer *k, const char *name, const unsigned char *bytes, size_t n, int64_t *n_ids);
/* The token that starts a text without a prompt: a line end, or token 0 if there is none. */
int64_t tokenizer_start(const tokenizer *k);
/* The bytes of a token, until the next call. */
const unsigned char *tokenizer_decode(const tokenizer *k, int64_t id, size_t *n);

/* In a checkpoint: as a named buffer of the tape, for saving; from a file, with its size, -1: absent. */
void tokenizer_store(const tokenizer *k, tg_tape *t);
typedef struct tokenizer_sizes {
    int64_t characters, merges, json;
} tokenizer_sizes;
void tokenizer_find(const tg_file_tensor *x, tokenizer_sizes *sizes);
tokenizer tokenizer_load(const char *path, tokenizer_sizes sizes);

#endif
