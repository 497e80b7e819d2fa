/* Byte-pair encoding (Sennrich et al. 2016; Radford et al. 2019): a text is cut into pieces (examples/gpt/split.h); in
 * each, neighbouring tokens are joined, the pair that comes first in a list of merges first. Tokens are GPT-2's: 0 ..
 * 255 is a byte, in GPT-2's order of bytes; 256 + i is what merge i makes; the last is <|endoftext|>, which no text
 * becomes. Or they are those of a vocabulary, of which some are special: they are found in a text as they are written.
 */
#ifndef EXAMPLES_GPT_BPE_H
#define EXAMPLES_GPT_BPE_H

#include "examples/gpt/split.h"
#include "examples/gpt/words.h"

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
void bpe_write(const bpe *b, FILE *file);
/* n pairs of tokens, each of tokens that come before what it makes; they are copied. NULL when one is not. */
bpe *bpe_new(const int64_t *pairs, int64_t n);
/* Of a vocabulary, which it takes over: a word is a token, and each byte is one; n merges of three tokens, left, right
 * and what they make. Of equal pairs the last counts. */
typedef struct bpe_rules {
    split_rule split;
    bool nfc;         /* a text is brought into form C (examples/gpt/nfc.h) */
    bool whole_first; /* a piece that is a token is this one, whatever merges make of it */
} bpe_rules;
bpe *bpe_of_words(words *tokens, const int64_t *triples, int64_t n, bpe_rules rules);
/* The token is special; after_nfc: it is looked for when the text, and it, are in form C. */
void bpe_add_special(bpe *b, int64_t id, bool after_nfc);
void bpe_free(bpe *b);

int64_t bpe_vocabulary(const bpe *b);
const int64_t *bpe_merges(const bpe *b, int64_t *n);

/* <|endoftext|>; -1: there is none. */
int64_t bpe_end(const bpe *b);
int32_t bpe_line_end(const bpe *b);
/* True when a file of merges says all of it, but special tokens. */
bool bpe_is_of_merges(const bpe *b);

/* The ids of n bytes, at most bpe_most_ids(n) of them, to ids; their number. */
int64_t bpe_encode(const bpe *b, const unsigned char *text, size_t n, int32_t *ids);
size_t bpe_most_ids(const bpe *b, size_t n);
/* A token's bytes. */
const unsigned char *bpe_decode(const bpe *b, int64_t id, size_t *n);

/* ---- bytes: GPT-2's tokens 0 .. 255, and the characters as which they are written ---- */

int32_t bpe_of_byte(unsigned char byte);
const unsigned char *bpe_byte(int token);
int32_t bpe_character(unsigned char byte);
int bpe_byte_of_character(int32_t code); /* -1: it stands for none */
/* The bytes of a token that is written as these characters; false when one stands for none. */
bool bpe_spell(const unsigned char *s, size_t size, unsigned char *bytes, size_t *n);

#endif
