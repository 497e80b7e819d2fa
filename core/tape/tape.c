/* The tape: lifetime, modes, mark and rewind. */
#include "core/engine.h"
#include "core/tape/pages.h"

/* ---- lifetime ---- */

tg_tape *tg_tape_new_with(tg_dtype dtype, const tg_allocator *allocator) {
    if (!allocator)
        allocator = &tg_malloc_allocator;
    if ((dtype != TG_F32 && dtype != TG_F64) || !allocator->alloc || !allocator->free)
        return NULL;
    tg_tape *t = allocator->alloc(allocator->context, sizeof *t);
    if (!t)
        return NULL;
    memset(t, 0, sizeof *t);
    t->allocator = *allocator;
    t->dtype = dtype;
    t->epoch = 1;
    t->unfinished = t->hollow.from = UINT32_MAX;
    t->modes.training = true;
    t->arena.results = &t->arena.data;
    t->memory.reserved = t->memory.reserved_peak = sizeof *t;
    /* upward, to core/kernels: each tape has its own generator, with PyTorch's default seed */
    tg_rng_seed(&t->rng, 5489);
    return t;
}

tg_tape *tg_tape_new(tg_dtype dtype) { return tg_tape_new_with(dtype, NULL); }

void tg_tape_free(tg_tape *t) {
    if (!t)
        return;
    tg_arena_free(t, &t->arena.nodes);
    tg_arena_free(t, &t->arena.data);
    tg_arena_free(t, &t->arena.scope);
    tg_arena_free(t, &t->pool.arena);
    tg_allocator allocator = t->allocator;
    if (t->nodes)
        allocator.free(allocator.context, t->nodes, t->capacity * sizeof *t->nodes);
    allocator.free(allocator.context, t, sizeof *t);
}

void tg_train(tg_tape *t) {
    if (t)
        t->modes.training = true;
}
void tg_eval(tg_tape *t) {
    if (t)
        t->modes.training = false;
}
bool tg_is_training(const tg_tape *t) { return t && t->modes.training; }

void tg_no_grad_begin(tg_tape *t) {
    if (t)
        t->modes.no_grad++;
}
void tg_no_grad_end(tg_tape *t) {
    if (t && t->modes.no_grad > 0)
        t->modes.no_grad--;
}

/* ---- mark and rewind ---- */

tg_mark tg_tape_mark(tg_tape *t) {
    if (!t)
        return (tg_mark){0};
    return (tg_mark){.tape = t,
                     .nodes = t->count,
                     .epoch = t->count ? t->nodes[t->count - 1]->epoch : 0,
                     .node_chunk = t->arena.nodes.current,
                     .data_chunk = t->arena.data.current,
                     .node_offset = t->arena.nodes.offset,
                     .data_offset = t->arena.data.offset,
                     .node_used = t->arena.nodes.used,
                     .data_used = t->arena.data.used};
}

static bool mark_is_valid(const tg_tape *t, const tg_mark *m) {
    return m->nodes <= t->count && (m->nodes == 0 || t->nodes[m->nodes - 1]->epoch == m->epoch);
}

tg_status tg_check_mark(tg_tape *t, const tg_mark *m, const char *name) {
    if (m->tape != t)
        return tg_fail(t, TG_ERR_ARGUMENT, "%s: the mark was not made on this tape", name);
    if ((m->nodes && tg_is_parked(t, m->nodes - 1, m->epoch)) ||
        (mark_is_valid(t, m) && tg_is_in_ended_scope(t, m->nodes)))
        return tg_fail(t, TG_ERR_STALE, "%s: the mark was made inside a checkpoint scope that has ended", name);
    if (m->node_used < t->callback.from)
        return tg_fail(t, TG_ERR_STATE,
                       "%s: the mark was made before the custom operation, or the gradient check, whose callback is "
                       "running",
                       name);
    if (!mark_is_valid(t, m))
        return tg_fail(t, TG_ERR_STALE, "%s: the mark is stale: the tape was rewound to before it", name);
    return TG_OK;
}

void tg_adapter_forget(tg_extra *e, uint32_t nodes) {
    tg_own_adapter *a = e->adapter;
    if (!a || (a->is.a.index < nodes && a->is.b.index < nodes))
        return;
    e->adapter = NULL;
    tg_pool_put(e->node->tape, a, sizeof *a);
}

static void release_extra(tg_tape *t, tg_extra *e) {
    if (e->name)
        tg_pool_put(t, e->name, strlen(e->name) + 1);
    for (tg_hook_entry *h = e->hooks, *next; h; h = next) {
        next = h->next;
        tg_pool_put(t, h, sizeof *h);
    }
    tg_adapter_forget(e, 0);
    tg_pool_put(t, e, sizeof *e);
}

/* Releases what the nodes from this index on hold outside of the arenas: gradients (upward, in core/backward), names,
 * hooks, adapters. */
static void release_from(tg_tape *t, uint32_t nodes) {
    for (uint32_t i = nodes; i < t->count; i++)
        if (t->nodes[i]->grad)
            tg_release_grad(t->nodes[i]);
    for (tg_extra **link = &t->extras; *link;) {
        tg_extra *e = *link;
        if (e->node->index < nodes) {
            tg_adapter_forget(e, nodes);
            link = &e->next;
            continue;
        }
        *link = e->next;
        release_extra(t, e);
    }
}

/* Clears all references to nodes from this index on. */
static void forget_from(tg_tape *t, uint32_t nodes) {
    if (t->checkpoint.marker && t->checkpoint.marker->index >= nodes)
        tg_checkpoint_forget(t);
    if (t->unfinished >= nodes)
        t->unfinished = UINT32_MAX;
    if (t->hollow.from >= nodes)
        t->hollow.from = UINT32_MAX;
    tg_update_watched(t);
}

tg_status tg_tape_rewind(tg_tape *t, tg_mark m) {
    if (!t)
        return TG_ERR_ARGUMENT;
    if (!t->callback.from && !tg_outside_backward(t, "rewind")) /* a forward may run as part of a recomputed scope */
        return t->status;
    tg_status bad = tg_check_mark(t, &m, "rewind");
    /* upward, to core/backward, as in release_from */
    if (!bad)
        bad = tg_flat_rewind(t, m.nodes);
    if (bad)
        return bad;
    release_from(t, m.nodes);
    forget_from(t, m.nodes);
    t->count = m.nodes;
    tg_arena_rewind(t, &t->arena.nodes, m.node_chunk, m.node_offset, m.node_used);
    tg_arena_rewind(t, &t->arena.data, m.data_chunk, m.data_offset, m.data_used);
    t->epoch++;
    return TG_OK;
}
