/* Byte-pair encoding (Sennrich et al. 2016; Radford et al. 2019): a text is split into pieces (examples/gpt/split.h);
 * in each, neighbouring tokens are joined in the order of a list of merges. Tokens are GPT-2's: 0 .. 255 are bytes, in
 * GPT-2's order; 256 + i is the result of merge i; the last is <|endoftext|>, which no text encodes to. Or they are
 * those of a vocabulary, some of them special: these are found in a text as they are written. */
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

/* Learns merges: each joins the most frequent pair of the text after the previous ones; fewer than `merges` when no
 * pair occurs twice any more. Of equally frequent pairs the one seen first. */
bpe *bpe_train(const unsigned char *text, size_t n, int64_t merges);
/* Reads and writes files like GPT-2's vocab.bpe or Hugging Face's merges.txt. */
bpe *bpe_read(const char *path);
void bpe_write(const bpe *b, FILE *file);
/* From n pairs of tokens, copied. NULL unless each pair's tokens precede its result. */
bpe *bpe_new(const int64_t *pairs, int64_t n);
/* From a vocabulary, which it takes over: words are tokens, and every byte is one; n merges of three tokens, left,
 * right and result. Of equal pairs the last is used. */
typedef struct bpe_rules {
    split_rule split;
    bool nfc;         /* texts are normalised to form C (examples/gpt/nfc.h) */
    bool whole_first; /* a piece that is a token becomes that token, without merges */
} bpe_rules;
bpe *bpe_of_words(words *tokens, const int64_t *triples, int64_t n, bpe_rules rules);
/* Makes a token special; after_nfc: it is searched for after normalising the text and the token to form C. */
void bpe_add_special(bpe *b, int64_t id, bool after_nfc);
void bpe_free(bpe *b);

int64_t bpe_vocabulary(const bpe *b);
const int64_t *bpe_merges(const bpe *b, int64_t *n);

/* The id of <|endoftext|>; or -1. */
int64_t bpe_end(const bpe *b);
int32_t bpe_line_end(const bpe *b);
/* True when a file of merges describes it completely, except special tokens. */
bool bpe_is_of_merges(const bpe *b);

/* Encodes n bytes to ids, at most bpe_most_ids(n) of them; returns their number. */
int64_t bpe_encode(const bpe *b, const unsigned char *text, size_t n, int32_t *ids);
size_t bpe_most_ids(const bpe *b, size_t n);
/* A token's bytes. */
const unsigned char *bpe_decode(const bpe *b, int64_t id, size_t *n);

/* ---- bytes: GPT-2's tokens 0 .. 255, and the characters that represent them ---- */

int32_t bpe_of_byte(unsigned char byte);
const unsigned char *bpe_byte(int token);
int32_t bpe_character(unsigned char byte);
int bpe_byte_of_character(int32_t code); /* -1: it represents none */
/* The bytes of a token written as these characters; false when one represents no byte. */
bool bpe_spell(const unsigned char *s, size_t size, unsigned char *bytes, size_t *n);

#endif
