#include "examples/gpt/words.h"
#include "examples/gpt/gpt.h"

#include <stdlib.h>
#include <string.h>

static size_t slot_of(const words *w, const unsigned char *s, size_t n) {
    uint64_t hash = 0xcbf29ce484222325u; /* FNV-1a */
    for (size_t i = 0; i < n; i++)
        hash = (hash ^ s[i]) * 0x100000001b3u;
    size_t i = (size_t)(hash ^ hash >> 32) & (w->slots - 1);
    for (; w->slot[i]; i = (i + 1) & (w->slots - 1)) {
        size_t length;
        const unsigned char *other = words_at(w, w->slot[i] - 1, &length);
        if (length == n && memcmp(other, s, n) == 0)
            break;
    }
    return i;
}

/* Keeps at most half of the slots used. */
static void make_slots(words *w) {
    int32_t *old = w->slot;
    size_t n = w->slots;
    if (n > 2 * w->n_found)
        return;
    w->slots = n ? 2 * n : 1024;
    w->slot = must_allocate(w->slots, sizeof *w->slot);
    for (size_t i = 0, length; i < n; i++)
        if (old[i]) {
            const unsigned char *s = words_at(w, old[i] - 1, &length);
            w->slot[slot_of(w, s, length)] = old[i];
        }
    free(old);
}

static void *resized(void *block, size_t n, size_t size) {
    void *larger = realloc(block, n * size);
    if (!larger)
        die("out of memory");
    return larger;
}

static void make_room(words *w, size_t n) {
    if (w->n + 2 > w->room) {
        w->room = w->room ? 2 * w->room : 1024;
        w->begin = resized(w->begin, w->room, sizeof *w->begin);
        w->begin[0] = 0;
    }
    if (w->begin[w->n] + n > w->bytes_room) {
        w->bytes_room = 2 * (w->bytes_room + n);
        w->bytes = resized(w->bytes, w->bytes_room, 1);
    }
}

void words_add(words *w, const unsigned char *s, size_t n, bool is_found) {
    make_room(w, n);
    make_slots(w);
    size_t begin = w->begin[w->n];
    if (n)
        memcpy(w->bytes + begin, s, n);
    w->begin[++w->n] = begin + n;
    size_t slot = slot_of(w, s, n);
    if (is_found && !w->slot[slot]) {
        w->slot[slot] = (int32_t)w->n;
        w->n_found++;
    }
}

int64_t words_find(const words *w, const unsigned char *s, size_t n) {
    return w->slots ? (int64_t)w->slot[slot_of(w, s, n)] - 1 : -1;
}

const unsigned char *words_at(const words *w, int64_t i, size_t *n) {
    *n = w->begin[i + 1] - w->begin[i];
    return w->bytes + w->begin[i];
}

void words_free(words *w) {
    free(w->bytes);
    free(w->begin);
    free(w->slot);
    *w = (words){0};
}
