/* Copies of recorded nodes, and of a whole tape in another dtype, for the gradient check. */
#include "core/engine.h"

/* n elements from one dtype to another; ints and bools are copied unchanged. */
static void convert(tg_dtype to, void *out, tg_dtype from, const void *x, size_t n) {
    if (to == from) {
        if (n)
            memcpy(out, x, n * tg_dtype_size(to));
        return;
    }
    for (size_t i = 0; i < n; i++)
        if (to == TG_F32)
            ((float *)out)[i] = (float)((const double *)x)[i];
        else
            ((double *)out)[i] = ((const float *)x)[i];
}

static tg_node *copy_block(tg_tape *to, const tg_node *x, const tg_op *op, tg_node *const *in) {
    size_t n_in = op ? x->n_in : 0, attr_size = op ? x->attr_size : 0;
    tg_node *y = tg_arena_get(to, &to->arena.nodes, tg_node_bytes(n_in, attr_size));
    if (!y)
        return NULL;
    *y = *x;
    tg_node_lay_out(y, n_in, attr_size);
    y->tape = to;
    y->op = op;
    for (size_t i = 0; i < n_in; i++) {
        y->in[i] = in[i];
        y->recorded[i] = x->recorded[i];
    }
    if (attr_size)
        memcpy(y->attr, x->attr, attr_size);
    y->grad = y->backward.kept_grad = y->saved = NULL;
    y->grad_twin = NULL;
    y->link = NULL;
    y->extra = NULL;
    y->has_grad = y->retain = false;
    y->live = y->requires_grad;
    y->backward.pass = 0;
    y->parked = false;
    if (x->parked)
        y->epoch = ~x->epoch;
    return y;
}

static bool copy_elements(tg_node *y, const tg_node *x, tg_node *base) {
    tg_tape *to = y->tape;
    y->dtype = tg_is_floating(x) ? (uint8_t)to->dtype : x->dtype;
    size_t size = tg_dtype_size((tg_dtype)y->dtype);
    y->base = base ? base : y;
    if (base) {
        y->data = tg_view_data(base, x->offset);
    } else {
        y->data = tg_arena_get(to, &to->arena.data, (size_t)tg_span(x) * size);
        if (!y->data)
            return false;
        if (!x->parked)
            convert((tg_dtype)y->dtype, y->data, (tg_dtype)x->dtype, x->data, (size_t)tg_span(x));
    }
    if (!y->op || (x->parked ? !x->n_saved : !x->saved))
        return true;
    if (!tg_node_save(y, x->n_saved))
        return false;
    if (!x->parked)
        convert(to->dtype, y->saved, x->tape->dtype, x->saved, (size_t)x->n_saved);
    return true;
}

tg_node *tg_node_copy(tg_tape *to, const tg_node *x, const tg_op *op, tg_node *const *in, tg_node *base,
                      tg_node *gowner) {
    tg_node *y = copy_block(to, x, op, in);
    if (!y || !copy_elements(y, x, base))
        return NULL;
    if (op && (const void *)op == x->attr) /* a custom operation's descriptor, which begins its constants */
        y->op = y->attr;
    if (op && op->owns_grad)
        y->link = y->attr;
    y->window.owner = gowner ? gowner : y;
    return tg_put_on_tape(y) ? y : NULL;
}

/* ---- a whole tape ---- */

static bool copy_name(tg_node *y, const tg_node *x) {
    if (!x->extra || !x->extra->name)
        return true;
    tg_extra *e = tg_extra_of(y);
    size_t size = strlen(x->extra->name) + 1;
    e = e && (e->name = tg_pool_get(y->tape, size)) ? e : NULL;
    if (!e)
        return false;
    memcpy(e->name, x->extra->name, size);
    e->is_parameter = x->extra->is_parameter;
    return true;
}

/* The link of a view with a gradient of its own: in its constants (expand) or in its extra (retained, hooked). */
static bool copy_link(tg_node *y, const tg_node *x) {
    if (!x->link)
        return true;
    if (!y->link) {
        tg_extra *e = tg_extra_of(y);
        if (!e)
            return false;
        e->link = *x->link;
        y->link = &e->link;
    }
    y->link->owner = y->tape->nodes[x->link->owner->index];
    return true;
}

static bool copy_node(tg_tape *to, const tg_node *x) {
    tg_node *in[UINT8_MAX];
    for (int i = 0; i < x->n_in; i++)
        in[i] = x->in[i] ? to->nodes[x->in[i]->index] : NULL;
    tg_node *base = x->base == x ? NULL : to->nodes[x->base->index];
    tg_node *gowner = x->window.owner == x ? NULL : to->nodes[x->window.owner->index];
    tg_node *y = tg_node_copy(to, x, x->op, in, base, gowner);
    return y && copy_name(y, x) && copy_link(y, x);
}

/* Elements that x's tape does not keep (core/tape/checkpoint.c) are recomputed. */
static bool fill_in(tg_node *y, const tg_node *x) {
    tg_tape *to = y->tape;
    bool keep = to->modes.keep_random;
    to->modes.keep_random = true;
    bool done = !x->parked || y->op->is_view || !y->op->forward[to->dtype](y);
    to->modes.keep_random = keep;
    return done;
}

tg_tape *tg_tape_cast(tg_tape *t, tg_dtype dtype) {
    if (!t || t->status || (t->hollow.from < t->count && tg_compute_hollow(t)))
        return NULL;
    tg_tape *to = tg_tape_new_with(dtype, &t->allocator);
    if (!to) {
        tg_fail(t, TG_ERR_MEMORY, "out of memory for a copy of the tape");
        return NULL;
    }
    to->epoch = t->epoch;
    to->clock = t->clock;
    to->touched_at = t->touched_at;
    to->backward.any_frozen = t->backward.any_frozen;
    to->modes.training = t->modes.training;
    to->modes.keep_random = t->modes.keep_random;
    to->rng = t->rng;
    for (uint32_t i = 0; i < t->count; i++)
        if (!copy_node(to, t->nodes[i]) || !fill_in(to->nodes[i], t->nodes[i])) {
            tg_fail(t, to->status, "copy of the tape: %s", to->failure.text);
            tg_tape_free(to);
            return NULL;
        }
    return to;
}
