/* Gradient checkpointing: results are not kept but recomputed in backward (Chen, Xu, Zhang, Guestrin 2016).
 *
 * A scope is the nodes from a marker, recorded by tg_checkpoint_begin, to the node that tg_checkpoint_end records: a
 * copy of the scope's result's elements, outside of it. Results in between are in a separate arena, which one scope has
 * at a time: the one being recorded, or the one that a backward or a replay is in. All other scopes are parked: their
 * nodes are on the tape but have no elements, and their handles are stale. Leaves made in a scope are kept; of a scope
 * that ends with an error only these are.
 *
 * A scope is recomputed when a replay runs the marker, and then its nodes; and when backward reaches the copy, at once
 * and with the same random masks. A node's handles are valid again as soon as it is computed, so callbacks and hooks
 * may use it; results they make from it are given up when the scope is left, like a scope that ends with an error: no
 * node on the tape has an operand without elements. */
#include "core/engine.h"

/* In the marker: the index of the copy, 0 while the scope is being recorded. In the copy: the index of the marker. */
typedef struct checkpoint_attr {
    uint32_t other;
} checkpoint_attr;

static uint32_t other_end(const tg_node *n) { return ((const checkpoint_attr *)n->attr)->other; }

static tg_status compute_nothing(tg_node *y) { return y->tape->status; }
#define COMPUTES_NOTHING .forward = TG_ANY(compute_nothing), .no_gradient = true
static const tg_op marker_op = {.name = "checkpoint_begin", .kind = TG_OP_SCOPE_BEGIN, COMPUTES_NOTHING};
static const tg_op given_up_op = {.name = "given_up", .kind = TG_OP_GIVEN_UP, COMPUTES_NOTHING};

/* ---- parking ---- */

/* A parked node has the complement of its epoch, so its handles are stale. */
static void park(tg_node *x) {
    x->data = x->saved = NULL;
    x->epoch = ~x->epoch;
    x->parked = true;
}

/* Memory for the results of x's kernel; false after tg_fail. */
static bool get_room(tg_node *x) {
    tg_tape *t = x->tape;
    void *data = tg_arena_get(t, &t->arena.scope, (size_t)x->numel * tg_dtype_size((tg_dtype)x->dtype)), *saved = NULL;
    if (x->n_saved)
        saved = tg_arena_get(t, &t->arena.scope, (size_t)x->n_saved * tg_dtype_size(t->dtype));
    if (!data || (x->n_saved && !saved))
        return false;
    x->data = data;
    x->saved = saved;
    return true;
}

/* Call once x is computed, or its kernel has failed; until then its handles are stale. */
static void unpark(tg_node *x) {
    if (x->base != x)
        x->data = tg_view_data(x->base, x->offset);
    x->epoch = ~x->epoch;
    x->parked = false;
}

/* Leaves only x's position on the tape: it is parked for good, without elements, constants and inputs. */
static void give_up(tg_node *x) {
    x->op = &given_up_op;
    x->n_in = 0;
    x->attr = x->data = x->saved = NULL;
    x->attr_size = 0;
    x->n_saved = x->numel = 0;
    x->link = NULL;
    x->base = x->window.owner = x;
    x->window.offset = 0;
    x->ndim = 1;
    x->size[0] = 0;
    x->stride[0] = x->window.stride[0] = 1;
    x->contiguous = true;
    x->requires_grad = x->live = x->retain = x->hollow = false;
    if (!x->parked)
        x->epoch = ~x->epoch;
    x->parked = true;
}

/* Gives up the results that callbacks and hooks computed meanwhile from tensors of the scope, directly or not. */
static void give_up_made_of(tg_tape *t) {
    for (uint32_t i = t->checkpoint.from; i < t->count; i++)
        for (int k = 0; k < t->nodes[i]->n_in; k++)
            if (t->nodes[i]->in[k] && t->nodes[i]->in[k]->parked)
                give_up(t->nodes[i]);
}

void tg_checkpoint_forget(tg_tape *t) {
    tg_arena_rewind(t, &t->arena.scope, NULL, 0, 0);
    t->checkpoint.marker = NULL;
    t->checkpoint.depth = 0;
    t->arena.results = &t->arena.data;
}

void tg_checkpoint_leave(tg_tape *t) {
    const tg_node *marker = t->checkpoint.marker;
    if (!marker || t->checkpoint.depth)
        return;
    for (uint32_t i = marker->index; i < other_end(marker); i++)
        if (t->nodes[i]->op && !t->nodes[i]->parked)
            park(t->nodes[i]);
    give_up_made_of(t);
    tg_checkpoint_forget(t);
}

/* ---- recomputing ---- */

tg_status tg_checkpoint_reach(tg_node *x) {
    tg_tape *t = x->tape;
    if (x->op->kind == TG_OP_SCOPE_BEGIN) {
        tg_checkpoint_leave(t);
        t->checkpoint.marker = x;
        t->checkpoint.from = t->count;
    }
    return x->op->kind == TG_OP_GIVEN_UP || x->base != x || get_room(x) ? TG_OK : t->status;
}

void tg_checkpoint_pass(tg_node *x) {
    if (x->op->kind == TG_OP_SCOPE_END)
        tg_checkpoint_leave(x->tape);
    else if (x->op->kind != TG_OP_GIVEN_UP)
        unpark(x);
}

static tg_status compute_one(tg_node *x) {
    if (tg_checkpoint_reach(x))
        return x->tape->status;
    tg_status bad = x->op->is_view ? TG_OK : x->op->forward[x->tape->dtype](x);
    tg_checkpoint_pass(x);
    return bad ? tg_say_where(x, x->op->name) : TG_OK;
}

static tg_status compute_again(tg_tape *t, uint32_t marker, uint32_t copy) {
    bool keep = t->modes.keep_random;
    tg_status bad = TG_OK;
    t->modes.keep_random = true;
    for (uint32_t i = marker; i < copy && !bad; i++)
        if (t->nodes[i]->op)
            bad = compute_one(t->nodes[i]);
    t->modes.keep_random = keep;
    return bad;
}

tg_status tg_checkpoint_compute(const tg_node *copy) {
    tg_tape *t = copy->tape;
    if (!copy->in[0]->parked)
        return TG_OK;
    int64_t start = tg_profile_start(t);
    tg_status bad = compute_again(t, other_end(copy), copy->index);
    tg_profile_stop(t, copy->op->name, start, 0);
    return bad;
}

static bool was_modified(const tg_node *x, const tg_node *since) { return x->base->modified_at > since->run_at; }

/* The first operation before `end` whose result or input, *modified, was modified after it ran; or NULL. */
static const tg_node *find_stale(const tg_node *marker, uint32_t end, const tg_node **modified) {
    for (uint32_t i = marker->index + 1; i < end; i++) {
        const tg_node *x = marker->tape->nodes[i];
        if (!x->op || x->op->is_view)
            continue;
        *modified = was_modified(x, x) ? x : NULL;
        for (int k = 0; k < x->n_in && !*modified; k++)
            if (x->in[k] && was_modified(x->in[k], x))
                *modified = x->in[k];
        if (*modified)
            return x;
    }
    return NULL;
}

static tg_status check(const tg_node *marker, uint32_t end) {
    const tg_node *modified, *x = find_stale(marker, end, &modified);
    return !x ? TG_OK
              : tg_fail(marker->tape, TG_ERR_STATE,
                        "checkpoint: %s (tensor %u) has to be computed again in backward, but tensor %u %s was "
                        "modified after it ran",
                        x->op->name, x->index, modified->index, tg_node_text(modified).s);
}

tg_status tg_checkpoint_check(const tg_node *copy) {
    return copy->in[0]->parked ? check(copy->tape->nodes[other_end(copy)], copy->index) : TG_OK;
}

uint32_t tg_checkpoint_marker(const tg_node *copy) { return other_end(copy); }

tg_status tg_checkpoint_repeat(const tg_node *copy, void *again, bool *repeated) {
    const tg_node *x = copy->in[0], *modified;
    *repeated = x->parked && !copy->tape->checkpoint.marker &&
                !find_stale(copy->tape->nodes[other_end(copy)], copy->index, &modified);
    if (!*repeated)
        return TG_OK;
    tg_status bad = compute_again(copy->tape, other_end(copy), copy->index);
    /* upward, to core/backward, which has the copy from strided to dense */
    if (!bad)
        tg_copy_out(x, x->data, x->stride, again);
    tg_checkpoint_leave(copy->tape);
    return bad;
}

/* ---- recording ---- */

/* Copies the elements with their strides and gaps, so that later operations do the same arithmetic as without a
 * scope. */
static tg_status copy_elements(tg_node *y) {
    memcpy(y->data, y->in[0]->data, (size_t)tg_span(y) * tg_dtype_size((tg_dtype)y->dtype));
    return TG_OK;
}

/* The VJP is upward, in core/backward: every operation has one, also one that the engine records. */
static const tg_op copy_op = {.name = "checkpoint",
                              .kind = TG_OP_SCOPE_END,
                              .forward = TG_ANY(copy_elements),
                              .vjp = TG_ANY(tg_view_vjp)}; /* of a copy that retains its gradient */

/* Its gradient is a window into x's, as for a view; its elements are its own. */
static tg_tensor record_copy(tg_node *x, const tg_node *marker) {
    tg_tape *t = x->tape;
    tg_node *copy = tg_view_new(&copy_op, x, sizeof(checkpoint_attr));
    if (!copy)
        return TG_NULL;
    *(checkpoint_attr *)copy->attr = (checkpoint_attr){marker->index};
    copy->base = copy;
    copy->data = tg_arena_get(t, &t->arena.data, (size_t)tg_span(x) * tg_dtype_size((tg_dtype)x->dtype));
    if (copy->data)
        return tg_record(copy);
    tg_say_where(copy, "checkpoint_end");
    return TG_NULL;
}

void tg_checkpoint_begin(tg_tape *t) {
    if (!t)
        return;
    if (t->callback.from) {
        t->callback.scopes++;
        return;
    }
    if (t->checkpoint.depth) {
        t->checkpoint.depth++;
        return;
    }
    if (t->status || !tg_outside_backward(t, "checkpoint_begin"))
        return;
    tg_node *marker = tg_node_new(t, &marker_op, 0, NULL, &TG_SHAPE(0), t->dtype, sizeof(checkpoint_attr));
    if (!marker || tg_is_null(tg_record(marker)))
        return;
    t->checkpoint.marker = marker;
    t->checkpoint.from = UINT32_MAX;
    t->checkpoint.depth = 1;
    t->arena.results = &t->arena.scope;
}

static tg_tensor end_scope(tg_tape *t, tg_tensor y) {
    tg_node *marker = t->checkpoint.marker, *x;
    if (!tg_open("checkpoint_end", "f", 1, &y, &x) || (t->touched_at > marker->run_at && check(marker, t->count)))
        return TG_NULL;
    y = record_copy(x, marker);
    if (tg_is_null(y))
        return TG_NULL;
    t->checkpoint.depth = 0;
    ((checkpoint_attr *)marker->attr)->other = y.index;
    tg_checkpoint_leave(t);
    return y;
}

static void give_up_scope(tg_tape *t) {
    for (uint32_t i = t->checkpoint.marker->index; i < t->count; i++)
        if (t->nodes[i]->op)
            give_up(t->nodes[i]);
    tg_checkpoint_forget(t);
}

tg_tensor tg_checkpoint_end(tg_tape *t, tg_tensor y) {
    if (!t)
        return tg_fail_null(y.tape, TG_ERR_ARGUMENT, "checkpoint_end: the tape is NULL");
    int *depth = t->callback.from ? &t->callback.scopes : &t->checkpoint.depth;
    if (*depth == 0)
        return tg_fail_null(t, TG_ERR_STATE, "checkpoint_end: no scope is open: call tg_checkpoint_begin first");
    if (y.tape != t)
        tg_fail(t, TG_ERR_ARGUMENT, "checkpoint_end: the scope's result is %s",
                y.tape ? "on another tape" : "the null tensor");
    if (t->callback.from || *depth > 1) { /* it is part of the enclosing scope or callback */
        --*depth;
        return t->status ? TG_NULL : y;
    }
    y = t->status ? TG_NULL : end_scope(t, y);
    if (tg_is_null(y))
        give_up_scope(t);
    return y;
}
