/* One operation alone on a tape, with leaves that hold what its operands held and lie as they lay. */
#include "core/gradcheck/check.h"

static tg_node *leaf_like(tg_tape *to, const tg_node *x, bool requires_grad) {
    tg_node *leaf = tg_node_copy(to, x, NULL, NULL, NULL, NULL);
    if (leaf)
        tg_require_grad(leaf, requires_grad && tg_is_floating(leaf));
    return leaf;
}

/* A view keeps its strides: it becomes a view of a leaf with its base's elements. */
static tg_node *view_like(tg_tape *to, const tg_node *x, bool requires_grad) {
    tg_node *leaf = leaf_like(to, x->base, requires_grad);
    tg_node *view = leaf ? tg_node_copy(to, x, x->op, &leaf, leaf, leaf) : NULL;
    if (view) {
        view->link = NULL;
        view->requires_grad = view->live = view->recorded[0] = leaf->requires_grad;
    }
    return view;
}

/* A contiguous copy of one whose gradient does not lie as its elements do (expand, checkpoint). */
static tg_node *dense_like(tg_tape *to, const tg_node *x, bool requires_grad) {
    tg_shape shape = tg_shape_from(x);
    tg_node *leaf = tg_leaf_new(to, "operand", &shape, to->dtype);
    if (!leaf)
        return NULL;
    tg_walk w;
    tg_walk_begin(&w, x->ndim, x->size, x->stride);
    for (int64_t j = 0; j < x->numel; j++, tg_walk_next(&w, 1))
        tg_write_number(to->dtype, leaf->data, j, tg_number((tg_dtype)x->dtype, x->data, w.offset));
    tg_require_grad(leaf, requires_grad);
    return leaf;
}

static tg_node *operand_like(tg_tape *to, const tg_node *x, bool requires_grad) {
    if (tg_is_floating(x) && x->window.owner != x->base)
        return dense_like(to, x, requires_grad);
    return x->base == x ? leaf_like(to, x, requires_grad) : view_like(to, x, requires_grad);
}

static tg_node *copy_alone(tg_tape *to, const tg_node *n, tg_node **x) {
    for (int k = 0; k < n->n_in; k++) {
        x[k] = n->in[k] ? operand_like(to, n->in[k], n->recorded[k]) : NULL;
        if (n->in[k] && !x[k])
            return NULL;
    }
    tg_node *base = n->base == n ? NULL : x[0]->base, *y = tg_node_copy(to, n, n->op, x, base, NULL);
    if (y && y->link)
        y->link->owner = x[0]->window.owner;
    return y;
}

static tg_tape *tape_for(const tg_tape *t, tg_dtype dtype) {
    tg_tape *to = tg_tape_new_with(dtype, &t->allocator);
    if (!to)
        return NULL;
    to->modes.training = t->modes.training;
    to->rng = t->rng;
    to->clock = t->clock;
    to->modes.keep_random = true;
    return to;
}

bool tg_suspect_open(tg_suspect *s, const tg_node *n, const tg_checker *c) {
    tg_tape *to = tape_for(n->tape, c->t->dtype);
    *s = (tg_suspect){.c = {.t = to, .alone = true}, .original = n};
    tg_node *y = to ? copy_alone(to, n, s->x) : NULL;
    return y && tg_checker_open(&s->c, to, y, c->config) == TG_OK;
}

void tg_suspect_close(tg_suspect *s, tg_tape *t) {
    if (!s->c.t || s->c.t->status == TG_ERR_MEMORY)
        tg_fail(t, TG_ERR_MEMORY, "out of memory for looking at %s alone", s->original->op->name);
    tg_tape_free(s->c.t);
}

/* Where a link passes the gradient on, the VJP is the library's sum along strides. Of those only expand's can be looked
 * at alone, where its operand's gradient lies as the operand's elements do. */
bool tg_has_vjp(const tg_node *n) {
    if (!n->op || !n->requires_grad || n->window.owner != n || n->op->no_gradient || n->op->reads_op)
        return false;
    const tg_node *x = n->link ? n->in[0] : NULL;
    return !x || (n->op->owns_grad && (x->base == x || x->window.owner == x->base));
}

tg_check_leaf *tg_suspect_leaf(tg_suspect *s, const tg_node *x) {
    for (int i = 0; i < s->c.n_leaves; i++)
        if (s->c.leaf[i].x == x->base)
            return &s->c.leaf[i];
    return NULL;
}
