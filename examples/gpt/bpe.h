/* Byte-pair encoding as GPT-2 has it (Sennrich et al. 2016; Radford et al. 2019): a text is cut into pieces
 * (examples/gpt/split.h); in each, neighbouring tokens are joined, the pair that comes first in a list of merges first.
 * Token 0 .. 255 is a byte, in GPT-2's order of bytes; 256 + i is what merge i makes; the last is <|endoftext|>, which
 * no text becomes. */
#ifndef EXAMPLES_GPT_BPE_H
#define EXAMPLES_GPT_BPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum { BPE_BYTES = 256, BPE_MAX_MERGES = 1 << 20 };
typedef struct bpe bpe;

/* The merges that join the most frequent pair of the text, then the most frequent one of what is left, ...: so many, or
 * fewer when no pair comes twice any more. Of equally frequent pairs the one that came up first. */
bpe *bpe_train(const unsigned char *text, size_t n, int64_t merges);
/* From a file as GPT-2's vocab.bpe or Hugging Face's merges.txt, and to one. */
bpe *bpe_read(const char *path);
/* NULL when a line is no merge of two tokens that came before it, whose number goes to *wrong; 0: there are too many.
 */
bpe *bpe_of_text(const unsigned char *text, size_t size, size_t *wrong);
void bpe_write(const bpe *b, FILE *file);
/* n pairs of tokens, each of tokens that come before what it makes; they are copied. NULL when one is not. */
bpe *bpe_new(const int64_t *pairs, int64_t n);
void bpe_free(bpe *b);

int64_t bpe_vocabulary(const bpe *b);
const int64_t *bpe_merges(const bpe *b, int64_t *n);

/* The ids of n bytes, at most n of them, to ids; their number. */
int64_t bpe_encode(const bpe *b, const unsigned char *text, size_t n, int32_t *ids);
/* True when a token's bytes, by themselves, become that token, for every token. */
bool bpe_reaches_all(const bpe *b);
/* A token's bytes. */
const unsigned char *bpe_decode(const bpe *b, int64_t id, size_t *n);

/* True when the token is written as these n bytes of UTF-8, in which characters stand for bytes. */
bool bpe_is_written(const bpe *b, int64_t id, const unsigned char *s, size_t n);

/* The token of a byte. */
int32_t bpe_of_byte(unsigned char byte);

#endif
