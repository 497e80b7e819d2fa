#include "examples/gpt/heap.h"
#include "examples/gpt/gpt.h"

#include <stdlib.h>

static void grow(heap *h) {
    size_t room = h->room ? 2 * h->room : 64;
    uint64_t *larger = realloc(h->key, room * sizeof *larger);
    if (!larger)
        die("out of memory");
    h->key = larger;
    h->room = room;
}

static void swap(uint64_t *a, uint64_t *b) {
    uint64_t c = *a;
    *a = *b;
    *b = c;
}

void heap_push(heap *h, uint64_t key) {
    if (h->n == h->room)
        grow(h);
    size_t i = h->n++;
    h->key[i] = key;
    for (; i > 0 && h->key[(i - 1) / 2] > h->key[i]; i = (i - 1) / 2)
        swap(&h->key[(i - 1) / 2], &h->key[i]);
}

uint64_t heap_pop(heap *h) {
    uint64_t least = h->key[0];
    h->key[0] = h->key[--h->n];
    for (size_t i = 0, child; (child = 2 * i + 1) < h->n; i = child) {
        child += child + 1 < h->n && h->key[child + 1] < h->key[child];
        if (h->key[i] <= h->key[child])
            break;
        swap(&h->key[i], &h->key[child]);
    }
    return least;
}

void heap_free(heap *h) {
    free(h->key);
    *h = (heap){0};
}
