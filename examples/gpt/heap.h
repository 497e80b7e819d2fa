/* A min-heap of numbers. */
#ifndef EXAMPLES_GPT_HEAP_H
#define EXAMPLES_GPT_HEAP_H

#include <stddef.h>
#include <stdint.h>

typedef struct heap {
    uint64_t *key;
    size_t n, room;
} heap;

void heap_push(heap *h, uint64_t key);
uint64_t heap_pop(heap *h); /* the heap must not be empty */
void heap_free(heap *h);

#endif
