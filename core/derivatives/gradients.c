/* Gradients as recorded tensors, which can be differentiated again.
 *
 * The walk is backward's: from the last node to the first, so that a node's adjoint is complete when the walk reaches
 * it. But each VJP is recorded in operations (tg_op.grad) instead of run by a kernel, and only along the paths from y
 * to one of the xs. Gradients in a shape that an input was broadcast to are summed here, in one place. */
#include "core/engine.h"

/* During a walk, `live` marks the nodes that depend on one of the xs, so that tg_wants() tells an operation's grad
 * which gradients are needed. Walks nest: a formula may start its own. */
typedef struct walk {
    const char *name; /* begins the errors */
    tg_tape *t;
    tg_mark start;
    uint32_t count;     /* nodes up to the last y */
    tg_tensor *adjoint; /* of each, or null */
    bool *saved_live;   /* each node's `live` before the walk */
} walk;

/* ---- arguments ---- */

tg_node *tg_open_one(const char *name, const char *what, int i, tg_tape *t, tg_tensor x) {
    char text[64];
    tg_node *n = NULL;
    snprintf(text, sizeof text, "%s, %s %d", name, what, i + 1);
    if (x.tape && x.tape != t)
        tg_fail(t, TG_ERR_ARGUMENT, "%s: it is on another tape", text);
    else if (!x.tape)
        tg_fail(t, TG_ERR_ARGUMENT, "%s: it is the null tensor", text);
    else
        tg_open(text, "f", 1, &x, &n);
    return n;
}

static bool check_xs(const char *name, tg_tape *t, const tg_tensor *xs, int n) {
    if (n < 1 || !xs)
        tg_fail(t, TG_ERR_ARGUMENT, "%s: no x is given to differentiate with respect to", name);
    for (int i = 0; i < n && !t->status; i++) {
        const tg_node *x = tg_open_one(name, "x", i, t, xs[i]);
        if (x && !x->requires_grad)
            tg_fail(t, TG_ERR_STATE,
                    "%s, x %d: tensor %u %s requires no gradient: switch that on (tg_set_requires_grad) before it is "
                    "used",
                    name, i + 1, x->index, tg_node_text(x).s);
    }
    return !t->status;
}

static bool check_cotangent(const char *name, const tg_node *y, int i, tg_tensor dy) {
    tg_tape *t = y->tape;
    if (tg_is_null(dy) && y->numel != 1)
        tg_fail(t, TG_ERR_STATE,
                "%s: tensor %u %s is not a scalar: reduce it (tg_sum, tg_mean), or give a cotangent of its shape", name,
                y->index, tg_node_text(y).s);
    const tg_node *d = tg_is_null(dy) ? y : tg_open_one(name, "cotangent", i, t, dy);
    if (d && !tg_same_shape(d, y))
        tg_fail(t, TG_ERR_SHAPE, "%s: the cotangent %s must have the shape of tensor %u %s", name, tg_node_text(d).s,
                y->index, tg_node_text(y).s);
    return !t->status;
}

/* ---- the walk ---- */

static bool walk_begin(walk *w, const tg_tensor *ys, int n_y, const tg_tensor *xs, int n) {
    tg_tape *t = w->t;
    for (int i = 0; i < n_y; i++)
        w->count = ys[i].index + 1 > w->count ? ys[i].index + 1 : w->count;
    w->start = tg_tape_mark(t);
    w->adjoint = tg_pool_get(t, w->count * sizeof *w->adjoint);
    w->saved_live = tg_pool_get(t, w->count * sizeof *w->saved_live);
    if (!w->adjoint || !w->saved_live)
        return false;
    memset(w->adjoint, 0, w->count * sizeof *w->adjoint);
    for (uint32_t i = 0; i < w->count; i++) {
        w->saved_live[i] = t->nodes[i]->live;
        t->nodes[i]->live = false;
    }
    for (int i = 0; i < n; i++)
        if (xs[i].index < w->count)
            t->nodes[xs[i].index]->live = true;
    for (uint32_t i = 0; i < w->count; i++)
        for (int k = 0; k < t->nodes[i]->n_in && !t->nodes[i]->live; k++)
            t->nodes[i]->live = tg_wants(t->nodes[i], k);
    return true;
}

/* After an error the tape is rewound to where the walk began. */
static void walk_end(walk *w) {
    tg_tape *t = w->t;
    for (uint32_t i = 0; w->saved_live && w->adjoint && i < w->count; i++)
        t->nodes[i]->live = w->saved_live[i];
    if (w->adjoint)
        tg_pool_put(t, w->adjoint, w->count * sizeof *w->adjoint);
    if (w->saved_live)
        tg_pool_put(t, w->saved_live, w->count * sizeof *w->saved_live);
    if (t->status)
        (void)!tg_tape_rewind(t, w->start);
}

/* d, of x's shape or one that x was broadcast to, summed to x's shape; the null tensor for other shapes. */
static tg_tensor sum_to(tg_tensor d, const tg_node *x) {
    tg_shape from = tg_shape_of(d), to = tg_shape_from(x), both;
    int more = from.ndim - to.ndim;
    tg_dims dims = {0};
    if (more < 0 || !tg_broadcast(&from, &to, &both) ||
        memcmp(both.size, from.size, sizeof from.size[0] * (size_t)from.ndim))
        return TG_NULL;
    for (int i = 0; i < from.ndim; i++)
        if (i < more || from.size[i] != to.size[i - more])
            dims.dim[dims.ndim++] = i;
    return dims.ndim ? tg_reshape(tg_sum(d, dims, false), to) : d;
}

static tg_tensor refuse_share(const char *name, tg_status status, const tg_node *y, int i, const char *what) {
    return tg_fail_null(y->tape, status, "%s: the grad of %s (tensor %u) gave %s for its input %d, %s", name,
                        y->op->name, y->index, what, i + 1, tg_node_text(y->in[i]).s);
}

/* Input i's gradient from y's grad, which may be a user's function, in that input's shape; null after tg_fail. */
static tg_tensor share_of(const char *name, const tg_node *y, int i, tg_tensor d) {
    const tg_tape *t = y->tape;
    if (t->status)
        return TG_NULL;
    if (tg_is_null(d))
        return refuse_share(name, TG_ERR_SHAPE, y, i, "nothing");
    if (d.tape != t)
        return refuse_share(name, TG_ERR_ARGUMENT, y, i, "a tensor of another tape");
    if (d.index >= t->count || t->nodes[d.index]->epoch != d.epoch)
        return refuse_share(name, TG_ERR_STALE, y, i, "a stale tensor");
    if (t->nodes[d.index]->dtype != t->dtype)
        return refuse_share(name, TG_ERR_ARGUMENT, y, i,
                            t->nodes[d.index]->dtype == TG_BOOL ? "a bool tensor" : "an int64 tensor");
    tg_tensor share = sum_to(d, y->in[i]);
    return tg_is_null(share) && !t->status ? refuse_share(name, TG_ERR_SHAPE, y, i, "another shape") : share;
}

static tg_status add_adjoint(walk *w, const tg_node *y, int i, tg_tensor d) {
    tg_tensor *sum = &w->adjoint[y->in[i]->index], share = share_of(w->name, y, i, d);
    if (!w->t->status)
        *sum = tg_is_null(*sum) ? share : tg_add(*sum, share);
    return w->t->status;
}

static tg_status pass_on(walk *w, tg_node *y) {
    tg_tensor dx[UINT8_MAX], dy = w->adjoint[y->index];
    for (int i = 0; i < y->n_in; i++)
        dx[i] = TG_NULL;
    if (y->op->kind == TG_OP_SCOPE_END)
        return tg_fail(w->t, TG_ERR_STATE,
                       "%s: tensor %u %s is the result of a checkpoint scope, whose operations are not "
                       "kept; record them without the scope",
                       w->name, y->index, tg_node_text(y).s);
    if (!y->op->is_view && !y->op->grad)
        return tg_fail(w->t, TG_ERR_STATE,
                       "%s: %s (tensor %u) has no grad, a VJP written in operations: see tg_custom_set_grad, "
                       "tg_custom_config",
                       w->name, y->op->name, y->index);
    if (w->t->touched_at > y->run_at && !y->op->is_view && tg_check_saved(y))
        return w->t->status;
    if (y->op->is_view)
        dx[0] = tg_adjoint(y, dy);
    else
        y->op->grad(y, dy, dx);
    for (int i = 0; i < y->n_in && !w->t->status; i++)
        if (tg_wants(y, i))
            add_adjoint(w, y, i, dx[i]);
    return w->t->status;
}

static tg_status walk_run(walk *w) {
    for (uint32_t i = w->count; i-- > 0 && !w->t->status;) {
        tg_node *y = w->t->nodes[i];
        bool reached = y->op && y->live && !tg_is_null(w->adjoint[i]), further = false;
        for (int k = 0; k < y->n_in && reached; k++)
            further |= tg_wants(y, k);
        if (further)
            pass_on(w, y);
    }
    return w->t->status;
}

/* The gradients of sum <y, dy> over all ys. */
tg_status tg_gradients_of(const char *name, const tg_tensor *ys, const tg_tensor *dys, int n_y, const tg_tensor *xs,
                          int n, tg_tensor *dxs) {
    walk w = {.name = name, .t = ys[0].tape || !xs || n < 1 ? ys[0].tape : xs[0].tape};
    tg_tape *t = w.t;
    for (int i = 0; i < n && dxs; i++)
        dxs[i] = TG_NULL;
    if (!t || t->status)
        return tg_tape_status(t);
    if (!dxs)
        return tg_fail(t, TG_ERR_ARGUMENT, "%s: the array for the gradients is NULL", name);
    if (!tg_outside_backward(t, name) || !tg_outside_scope(t, name) || !check_xs(name, t, xs, n))
        return t->status;
    for (int i = 0; i < n_y; i++) {
        const tg_node *y = tg_open_one(name, "y", i, t, ys[i]);
        if (!y || !tg_is_finished(name, y) || !check_cotangent(name, y, i, dys[i]))
            return t->status;
    }
    bool begun = walk_begin(&w, ys, n_y, xs, n);
    for (int i = 0; begun && i < n_y; i++) {
        tg_tensor *sum = &w.adjoint[ys[i].index], dy = dys[i];
        dy = tg_is_null(dy) ? tg_ones(t, tg_shape_of(ys[i])) : dy;
        *sum = tg_is_null(*sum) ? dy : tg_add(*sum, dy);
    }
    if (begun && !walk_run(&w))
        for (int i = 0; i < n; i++) {
            dxs[i] = xs[i].index < w.count ? w.adjoint[xs[i].index] : TG_NULL;
            dxs[i] = tg_is_null(dxs[i]) ? tg_zeros(t, tg_shape_of(xs[i])) : dxs[i];
        }
    walk_end(&w);
    for (int i = 0; i < n && t->status; i++)
        dxs[i] = TG_NULL;
    return t->status;
}

/* ---- a VJP for operations that have only a grad ---- */

tg_status tg_vjp_by_grad(tg_node *y) {
    tg_tape *t = y->tape;
    tg_mark start = tg_tape_mark(t);
    tg_tensor dx[UINT8_MAX];
    for (int i = 0; i < y->n_in; i++)
        dx[i] = TG_NULL;
    t->backward.running = false; /* so that a grad may ask for gradients itself */
    tg_shape shape = tg_shape_from(y);
    tg_node *dy = tg_leaf_new(t, y->op->name, &shape, t->dtype);
    if (dy) {
        memcpy(dy->data, y->grad, tg_grad_bytes(y));
        y->op->grad(y, tg_handle(dy), dx);
    }
    for (int i = 0; i < y->n_in && !t->status; i++) {
        if (!tg_wants(y, i))
            continue;
        const void *values = tg_const_data(tg_contiguous(share_of("backward", y, i, dx[i])));
        if (values)
            (void)!tg_grad_add_values(y->in[i], values, NULL);
    }
    (void)!tg_tape_rewind(t, start);
    t->backward.running = true;
    return t->status;
}

/* ---- the public functions ---- */

tg_status tg_gradients(tg_tensor y, tg_tensor dy, const tg_tensor *xs, int n, tg_tensor *dxs) {
    return tg_gradients_of("gradients", &y, &dy, 1, xs, n, dxs);
}
