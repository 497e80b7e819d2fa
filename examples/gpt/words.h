/* Words of bytes, numbered from 0, with lookup by their bytes. */
#ifndef EXAMPLES_GPT_WORDS_H
#define EXAMPLES_GPT_WORDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct words {
    unsigned char *bytes; /* of all words, concatenated */
    size_t *begin;        /* (n + 1) the start of each */
    int32_t *slot;        /* a word's number + 1, by hash of its bytes; 0: none */
    size_t n, n_found, slots, room, bytes_room;
} words;

/* Appends a word. Lookup finds the first of equal words added with is_found. */
void words_add(words *w, const unsigned char *s, size_t n, bool is_found);
/* A word's number, or -1. */
int64_t words_find(const words *w, const unsigned char *s, size_t n);
const unsigned char *words_at(const words *w, int64_t i, size_t *n);
void words_free(words *w);

#endif
