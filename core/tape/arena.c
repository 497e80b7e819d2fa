/* Memory: arenas that a rewind empties, and a pool of blocks that outlive it.
 *
 * An arena is a chain of chunks; taking memory moves an offset, rewinding moves it back, and chunks stay in the chain
 * for reuse, so a training loop's steady state never calls the allocator. The pool keeps returned blocks in a free list
 * per size class; four classes per power of two waste at most a fifth. */
#include "core/engine.h"

bool tg_times(size_t a, size_t b, size_t *product) {
    *product = a * b;
    return b == 0 || *product / b == a;
}

static size_t used_now(const tg_tape *t) {
    return t->arena.nodes.used + t->arena.data.used + t->arena.scope.used + t->pool.used;
}

/* Called before memory is returned: use peaks just before. */
static void note_peak(tg_tape *t) {
    size_t used = used_now(t);
    if (used > t->memory.used_peak)
        t->memory.used_peak = used;
}

tg_memory tg_tape_memory(const tg_tape *t) {
    tg_memory m = t ? t->memory : (tg_memory){0};
    m.used = t ? used_now(t) : 0;
    if (m.used > m.used_peak)
        m.used_peak = m.used;
    return m;
}

static void *from_allocator(tg_tape *t, size_t size) {
    void *block = t->allocator.alloc(t->allocator.context, size);
    if (!block)
        return tg_out_of_memory(t, "out of memory: %zu bytes were refused (%zu in use)", size, used_now(t));
    t->memory.reserved += size;
    if (t->memory.reserved > t->memory.reserved_peak)
        t->memory.reserved_peak = t->memory.reserved;
    return block;
}

static void to_allocator(tg_tape *t, void *block, size_t size) {
    t->memory.reserved -= size;
    t->allocator.free(t->allocator.context, block, size);
}

void *tg_block_get(tg_tape *t, size_t bytes) { return from_allocator(t, bytes ? bytes : 1); }

void tg_block_put(tg_tape *t, void *block, size_t bytes) {
    if (block)
        to_allocator(t, block, bytes ? bytes : 1);
}

static size_t chunk_start(const tg_chunk *c) {
    uintptr_t end = (uintptr_t)c + sizeof *c;
    return (size_t)((end + TG_ALIGN - 1) / TG_ALIGN * TG_ALIGN - (uintptr_t)c);
}

enum { CHUNK_FIRST = 64 << 10, CHUNK_LARGEST = 64 << 20 };

static void enter_chunk(tg_arena *a, tg_chunk *c, size_t offset) {
    a->current = c;
    a->offset = offset;
    a->left = c ? (c->size - offset) / TG_ALIGN * TG_ALIGN : 0;
}

/* A chunk that can hold bytes, after the current one: the next in the chain when it is large enough, else a new one,
 * inserted before it. */
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

void *tg_arena_grow(tg_tape *t, tg_arena *a, size_t bytes) {
    if (bytes > SIZE_MAX / 2)
        return tg_out_of_memory(t, "out of memory: %zu bytes were requested", bytes);
    tg_chunk *c = next_chunk(t, a, tg_aligned(bytes));
    if (!c)
        return NULL;
    enter_chunk(a, c, chunk_start(c));
    return tg_arena_get(t, a, bytes);
}

void *tg_tape_alloc(tg_tape *t, size_t n, size_t size) {
    size_t bytes;
    if (!t || t->status)
        return NULL;
    if (!tg_times(n, size, &bytes)) {
        tg_fail(t, TG_ERR_MEMORY, "tape_alloc: %zu elements of %zu bytes are too many", n, size);
        return NULL;
    }
    void *block = tg_arena_get(t, &t->arena.nodes, bytes);
    return block ? memset(block, 0, bytes) : NULL;
}

void tg_arena_rewind(tg_tape *t, tg_arena *a, void *chunk, size_t offset, size_t used) {
    note_peak(t);
    enter_chunk(a, chunk, offset);
    a->used = used;
}

void tg_arena_free(tg_tape *t, tg_arena *a) {
    for (tg_chunk *c = a->first; c;) {
        tg_chunk *next = c->next;
        to_allocator(t, c, c->size);
        c = next;
    }
    *a = (tg_arena){0};
}

/* The class of a size and the size of its blocks: 64 bytes times 1, 1.25, 1.5, 1.75, 2, 2.5, ... */
static int size_class(size_t bytes, size_t *rounded) {
    if (bytes <= TG_ALIGN) {
        *rounded = TG_ALIGN;
        return 0;
    }
    int power = 63 - __builtin_clzll(bytes - 1); /* 2^power < bytes <= 2^(power + 1) */
    size_t step = (size_t)1 << power, quarters = (bytes - 1 - step) / (step / 4) + 1;
    *rounded = tg_aligned(step + quarters * (step / 4));
    return 4 * (power - 6) + (int)quarters;
}

void *tg_pool_get(tg_tape *t, size_t bytes) {
    if (bytes > SIZE_MAX / 4)
        return tg_out_of_memory(t, "out of memory: %zu bytes were requested", bytes);
    size_t size;
    int c = size_class(bytes, &size);
    void *block = t->pool.free[c];
    if (block)
        memcpy(&t->pool.free[c], block, sizeof(void *));
    else
        block = tg_arena_get(t, &t->pool.arena, size);
    if (block)
        t->pool.used += size;
    return block;
}

void tg_pool_put(tg_tape *t, void *block, size_t bytes) {
    if (!block)
        return;
    size_t size;
    int c = size_class(bytes, &size);
    note_peak(t);
    memcpy(block, &t->pool.free[c], sizeof(void *));
    t->pool.free[c] = block;
    t->pool.used -= size;
}

/* ---- the table of nodes ---- */

bool tg_grow_tape(tg_tape *t) {
    if (t->capacity > UINT32_MAX / 2) {
        tg_fail(t, TG_ERR_MEMORY, "the tape is full: %u tensors", t->count);
        return false;
    }
    uint32_t capacity = t->capacity ? t->capacity * 2 : 256;
    tg_node **nodes = t->allocator.alloc(t->allocator.context, capacity * sizeof *nodes);
    if (!nodes) {
        tg_out_of_memory(t, "out of memory for %u tensors", capacity);
        return false;
    }
    if (t->nodes) {
        memcpy(nodes, t->nodes, t->count * sizeof *nodes);
        t->allocator.free(t->allocator.context, t->nodes, t->capacity * sizeof *nodes);
    }
    t->memory.reserved += (capacity - t->capacity) * sizeof *nodes;
    if (t->memory.reserved > t->memory.reserved_peak)
        t->memory.reserved_peak = t->memory.reserved;
    t->nodes = nodes;
    t->capacity = capacity;
    return true;
}
