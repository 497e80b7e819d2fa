/* Words of bytes, numbered from 0 on, and found again by their bytes. */
#ifndef EXAMPLES_GPT_WORDS_H
#define EXAMPLES_GPT_WORDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct words {
    unsigned char *bytes; /* of all words, one behind another */
    size_t *begin;        /* (n + 1) where each begins */
    int32_t *slot;        /* a word's number + 1, by hash of its bytes; 0: none */
    size_t n, n_found, slots, room, bytes_room;
} words;

/* The next word. Of equal ones the first is found, of those that are to be found. */
void words_add(words *w, const unsigned char *s, size_t n, bool is_found);
/* A word's number; -1: there is none. */
int64_t words_find(const words *w, const unsigned char *s, size_t n);
const unsigned char *words_at(const words *w, int64_t i, size_t *n);
void words_free(words *w);

#endif
