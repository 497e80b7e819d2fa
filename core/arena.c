/* Memory: arenas that a rewind empties, and a pool of blocks that outlive it.
 *
 * An arena is a chain of chunks; taking memory moves an offset, rewinding moves it back, and chunks stay in the
 * chain to serve again, so a training loop's steady state never reaches the allocator. The pool keeps returned
 * blocks in a list for each size class; four classes to a power of two waste at most a fifth.
 */
#include "core/op.h"

bool tg_times(size_t a, size_t b, size_t *product) {
    *product = a * b;
    return b == 0 || *product / b == a;
}

static void *from_allocator(tg_tape *t, size_t size) {
    void *block = t->allocator.alloc(t->allocator.context, size);
    if (!block) {
        tg_fail(t, TG_ERR_MEMORY, "out of memory: %zu bytes were refused (%zu in use)", size, t->memory.used);
        return NULL;
    }
    t->memory.reserved += size;
    if (t->memory.reserved > t->memory.reserved_peak)
        t->memory.reserved_peak = t->memory.reserved;
    return block;
}

static void count_use(tg_tape *t, size_t bytes) {
    t->memory.used += bytes;
    if (t->memory.used > t->memory.used_peak)
        t->memory.used_peak = t->memory.used;
}

static size_t chunk_start(const tg_chunk *c) {
    uintptr_t end = (uintptr_t)c + sizeof *c;
    return (size_t)((end + TG_ALIGN - 1) / TG_ALIGN * TG_ALIGN - (uintptr_t)c);
}

enum { CHUNK_FIRST = 64 << 10, CHUNK_LARGEST = 64 << 20 };

/* A chunk with room for bytes after the current one: the next in the chain when it is large enough, else a new
 * one put before it. */
static tg_chunk *next_chunk(tg_tape *t, tg_arena *a, size_t bytes) {
    tg_chunk **link = a->current ? &a->current->next : &a->first;
    if (*link && (*link)->size - chunk_start(*link) >= bytes)
        return *link;
    if (!a->next_size)
        a->next_size = CHUNK_FIRST;
    size_t need = bytes + sizeof(tg_chunk) + TG_ALIGN;
    size_t size = need > a->next_size ? need : a->next_size;
    tg_chunk *c = from_allocator(t, size);
    if (!c)
        return NULL;
    if (a->next_size < CHUNK_LARGEST)
        a->next_size *= 2;
    c->size = size;
    c->next = *link;
    *link = c;
    return c;
}

void *tg_arena_get(tg_tape *t, tg_arena *a, size_t bytes) {
    if (bytes > SIZE_MAX / 2) {
        tg_fail(t, TG_ERR_MEMORY, "out of memory: %zu bytes were asked for", bytes);
        return NULL;
    }
    bytes = (bytes + TG_ALIGN - 1) / TG_ALIGN * TG_ALIGN;
    if (!a->current || a->current->size - a->offset < bytes) {
        tg_chunk *c = next_chunk(t, a, bytes);
        if (!c)
            return NULL;
        a->current = c;
        a->offset = chunk_start(c);
    }
    char *p = (char *)a->current + a->offset;
    a->offset += bytes;
    a->used += bytes;
    count_use(t, bytes);
    return p;
}

void tg_arena_rewind(tg_tape *t, tg_arena *a, void *chunk, size_t offset, size_t used) {
    t->memory.used -= a->used - used;
    a->current = chunk;
    a->offset = offset;
    a->used = used;
}

void tg_arena_free(tg_tape *t, tg_arena *a) {
    for (tg_chunk *c = a->first; c;) {
        tg_chunk *next = c->next;
        t->memory.reserved -= c->size;
        t->allocator.free(t->allocator.context, c, c->size);
        c = next;
    }
    *a = (tg_arena){0};
}

/* The class of a size and the size its blocks have: 64 bytes times 1, 1.25, 1.5, 1.75, 2, 2.5, ... */
static int size_class(size_t bytes, size_t *rounded) {
    int c = 0;
    size_t step = TG_ALIGN;
    while (step * 2 < bytes) {
        step *= 2;
        c += 4;
    }
    size_t quarter = step / 4, size = step;
    while (size < bytes) {
        size += quarter;
        c++;
    }
    *rounded = size;
    return c;
}

void *tg_pool_get(tg_tape *t, size_t bytes) {
    if (bytes > SIZE_MAX / 4) {
        tg_fail(t, TG_ERR_MEMORY, "out of memory: %zu bytes were asked for", bytes);
        return NULL;
    }
    size_t size;
    int c = size_class(bytes, &size);
    void *block = t->pool.free[c];
    if (!block)
        return tg_arena_get(t, &t->pool.arena, size);
    memcpy(&t->pool.free[c], block, sizeof(void *));
    count_use(t, (size + TG_ALIGN - 1) / TG_ALIGN * TG_ALIGN);
    return block;
}

void tg_pool_put(tg_tape *t, void *block, size_t bytes) {
    if (!block)
        return;
    size_t size;
    int c = size_class(bytes, &size);
    memcpy(block, &t->pool.free[c], sizeof(void *));
    t->pool.free[c] = block;
    t->memory.used -= (size + TG_ALIGN - 1) / TG_ALIGN * TG_ALIGN;
}
