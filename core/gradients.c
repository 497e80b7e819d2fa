/* Gradients as recorded tensors, which can be differentiated again.
 *
 * The walk is backward's: from the last node to the first, so that a node's adjoint is complete when the walk reaches
 * it. But each VJP is recorded in operations (tg_op.grad) instead of run by a kernel, and only along the paths that
 * lead from y to one of the xs. What an operation's formula gives in a shape that its input was broadcast to is summed
 * here, in one place. */
#include "core/engine.h"

/* While a walk lasts, `live` says of the nodes before its end that they were made from one of the xs: tg_wants() then
 * tells an operation's grad what is wanted. Walks nest: a formula may need one of its own. */
typedef struct walk {
    const char *name; /* whose errors these are */
    tg_tape *t;
    tg_mark start;
    uint32_t count;     /* nodes up to the last y */
    tg_tensor *adjoint; /* of each, or null */
    bool *live;         /* as they were */
} walk;

/* ---- what is asked for ---- */

/* Handle i of a list, as a node; NULL after tg_fail. */
static tg_node *open_one(const char *name, const char *what, int i, tg_tape *t, tg_tensor x) {
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
        const tg_node *x = open_one(name, "x", i, t, xs[i]);
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
    const tg_node *d = tg_is_null(dy) ? y : open_one(name, "cotangent", i, t, dy);
    if (d && !tg_same_shape(d, y))
        tg_fail(t, TG_ERR_SHAPE, "%s: the cotangent %s must have the shape of tensor %u %s", name, tg_node_text(d).s,
                y->index, tg_node_text(y).s);
    return !t->status;
}

/* ---- the walk ---- */

static bool begin(walk *w, const tg_tensor *ys, int n_y, const tg_tensor *xs, int n) {
    tg_tape *t = w->t;
    for (int i = 0; i < n_y; i++)
        w->count = ys[i].index + 1 > w->count ? ys[i].index + 1 : w->count;
    w->start = tg_tape_mark(t);
    w->adjoint = tg_pool_get(t, w->count * sizeof *w->adjoint);
    w->live = tg_pool_get(t, w->count * sizeof *w->live);
    if (!w->adjoint || !w->live)
        return false;
    memset(w->adjoint, 0, w->count * sizeof *w->adjoint);
    for (uint32_t i = 0; i < w->count; i++) {
        w->live[i] = t->nodes[i]->live;
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

/* After an error nothing stays of what was recorded. */
static void end(walk *w) {
    tg_tape *t = w->t;
    for (uint32_t i = 0; w->live && w->adjoint && i < w->count; i++)
        t->nodes[i]->live = w->live[i];
    if (w->adjoint)
        tg_pool_put(t, w->adjoint, w->count * sizeof *w->adjoint);
    if (w->live)
        tg_pool_put(t, w->live, w->count * sizeof *w->live);
    if (t->status)
        (void)!tg_tape_rewind(t, w->start);
}

/* d, which has x's shape or one that x was broadcast to, summed to x's; the null tensor when it has neither. */
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

/* What y's grad, which may be the user's, gave for input i, in that input's shape; null after tg_fail. */
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

static tg_status add(walk *w, const tg_node *y, int i, tg_tensor d) {
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
                       "%s: tensor %u %s is what a checkpoint scope left; its operations are not kept, so record them "
                       "without the scope",
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
            add(w, y, i, dx[i]);
    return w->t->status;
}

static tg_status run(walk *w) {
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
    walk w = {.name = name, .t = ys[0].tape};
    tg_tape *t = w.t;
    for (int i = 0; i < n && dxs; i++)
        dxs[i] = TG_NULL;
    if (!t || t->status)
        return tg_tape_status(t);
    if (!dxs)
        return tg_fail(t, TG_ERR_ARGUMENT, "%s: there is no room for the gradients (NULL)", name);
    if (!tg_outside_backward(t, name) || !tg_outside_scope(t, name) || !check_xs(name, t, xs, n))
        return t->status;
    for (int i = 0; i < n_y; i++) {
        const tg_node *y = open_one(name, "y", i, t, ys[i]);
        if (!y || !tg_is_finished(name, y) || !check_cotangent(name, y, i, dys[i]))
            return t->status;
    }
    bool begun = begin(&w, ys, n_y, xs, n);
    for (int i = 0; begun && i < n_y; i++) {
        tg_tensor *sum = &w.adjoint[ys[i].index], dy = dys[i];
        dy = tg_is_null(dy) ? tg_ones(t, tg_shape_of(ys[i])) : dy;
        *sum = tg_is_null(*sum) ? dy : tg_add(*sum, dy);
    }
    if (begun && !run(&w))
        for (int i = 0; i < n; i++) {
            dxs[i] = xs[i].index < w.count ? w.adjoint[xs[i].index] : TG_NULL;
            dxs[i] = tg_is_null(dxs[i]) ? tg_zeros(t, tg_shape_of(xs[i])) : dxs[i];
        }
    end(&w);
    for (int i = 0; i < n && t->status; i++)
        dxs[i] = TG_NULL;
    return t->status;
}

/* ---- a kernel for operations that have none ---- */

tg_status tg_vjp_by_grad(tg_node *y) {
    tg_tape *t = y->tape;
    tg_mark start = tg_tape_mark(t);
    tg_tensor dx[UINT8_MAX];
    for (int i = 0; i < y->n_in; i++)
        dx[i] = TG_NULL;
    t->in_backward = false; /* so that a grad may ask for gradients itself */
    tg_shape shape = tg_shape_from(y);
    tg_node *dy = tg_leaf_new(t, y->op->name, &shape, t->dtype);
    if (dy) {
        memcpy(dy->data, y->grad, tg_grad_bytes(y));
        y->op->grad(y, tg_handle(dy), dx);
    }
    for (int i = 0; i < y->n_in && !t->status; i++) {
        if (!tg_wants(y, i) || tg_is_null(dx[i]))
            continue;
        const void *values = tg_const_data(tg_contiguous(share_of("backward", y, i, dx[i])));
        if (values)
            (void)!tg_grad_add_values(y->in[i], values, NULL);
    }
    (void)!tg_tape_rewind(t, start);
    t->in_backward = true;
    return t->status;
}

/* ---- the public functions ---- */

tg_status tg_gradients(tg_tensor y, tg_tensor dy, const tg_tensor *xs, int n, tg_tensor *dxs) {
    return tg_gradients_of("gradients", &y, &dy, 1, xs, n, dxs);
}

/* ---- along directions ---- */

/* The modes that a computation of several walks changes for itself. Under no_grad the gradients in between are needed
 * all the same; the result is then cut off. */
typedef struct modes {
    tg_mark start;
    int no_grad;
    bool keep_hollow;
} modes;

static modes begin_walks(tg_tape *t, bool keep_hollow) {
    modes m = {tg_tape_mark(t), t->no_grad, t->keep_hollow};
    t->no_grad = 0;
    t->keep_hollow = keep_hollow;
    return m;
}

static void restore(tg_tape *t, const modes *m) {
    t->no_grad = m->no_grad;
    t->keep_hollow = m->keep_hollow;
}

static tg_status end_walks(tg_tape *t, const modes *m, int n, tg_tensor *results) {
    restore(t, m);
    for (int i = 0; i < n && !t->status && m->no_grad; i++)
        results[i] = tg_detach(results[i]);
    if (t->status)
        (void)!tg_tape_rewind(t, m->start);
    for (int i = 0; i < n && t->status; i++)
        results[i] = TG_NULL;
    return t->status;
}

/* The first lines of each: an error on the tape, or nothing to work with. */
static bool may_walk(const char *name, tg_tape *t, const tg_tensor *xs, const tg_tensor *vs, int n, const void *room) {
    if (!t || t->status)
        return false;
    if (!xs || !vs || n < 1 || !room)
        tg_fail(t, TG_ERR_ARGUMENT, "%s: no x, no direction or no room for the result is given", name);
    for (int i = 0; i < n && !t->status; i++) {
        const tg_node *x = open_one(name, "x", i, t, xs[i]), *v = x ? open_one(name, "direction", i, t, vs[i]) : NULL;
        if (v && !tg_same_shape(x, v))
            tg_fail(t, TG_ERR_SHAPE, "%s: direction %d %s must have the shape of its x %s", name, i + 1,
                    tg_node_text(v).s, tg_node_text(x).s);
    }
    return !t->status;
}

/* jtu = J^T u for a new leaf u. It is linear in u, so that J v is the gradient of <jtu, v> by u, whatever u's values
 * are: u is hollow, and what is made from it is recorded, but not computed. */
static tg_tensor transpose_of(const char *name, tg_tensor y, const tg_tensor *xs, int n, tg_tensor *jtu) {
    tg_tape *t = y.tape;
    tg_tensor u = tg_set_requires_grad(tg_zeros(t, tg_shape_of(y)), true);
    if (t->status)
        return TG_NULL;
    tg_leave_hollow(t->nodes[u.index]);
    return tg_gradients_of(name, &y, &u, 1, xs, n, jtu) ? TG_NULL : u;
}

/* J v. Should a formula need the values all the same, they are computed. */
static tg_tensor push_forward(const char *name, tg_tensor u, const tg_tensor *jtu, const tg_tensor *vs, int n) {
    tg_tensor jv;
    tg_tape *t = u.tape;
    if (!t || tg_gradients_of(name, jtu, vs, n, &u, 1, &jv))
        return TG_NULL;
    return t->nodes[jv.index]->hollow && tg_compute_hollow(t) ? TG_NULL : jv;
}

tg_status tg_jvp(tg_tensor y, const tg_tensor *xs, const tg_tensor *vs, int n, tg_tensor *jv) {
    tg_tape *t = y.tape;
    tg_node *node;
    if (jv)
        *jv = TG_NULL;
    if (!may_walk("jvp", t, xs, vs, n, jv) || !tg_open("jvp", "f", 1, &y, &node))
        return tg_tape_status(t);
    modes m = begin_walks(t, true);
    tg_tensor *jtu = tg_pool_get(t, (size_t)n * sizeof *jtu);
    if (jtu)
        *jv = push_forward("jvp", transpose_of("jvp", y, xs, n, jtu), jtu, vs, n);
    tg_pool_put(t, jtu, (size_t)n * sizeof *jtu);
    return end_walks(t, &m, 1, jv);
}

tg_status tg_hvp(tg_tensor y, const tg_tensor *xs, const tg_tensor *vs, int n, tg_tensor *hvs) {
    tg_tape *t = y.tape;
    for (int i = 0; i < n && hvs; i++)
        hvs[i] = TG_NULL;
    if (!may_walk("hvp", t, xs, vs, n, hvs))
        return tg_tape_status(t);
    modes m = begin_walks(t, false);
    tg_tensor *dxs = tg_pool_get(t, (size_t)n * sizeof *dxs);
    if (dxs && !tg_gradients_of("hvp", &y, &(tg_tensor){0}, 1, xs, n, dxs))
        (void)!tg_gradients_of("hvp", dxs, vs, n, xs, n, hvs);
    tg_pool_put(t, dxs, (size_t)n * sizeof *dxs);
    return end_walks(t, &m, n, hvs);
}

/* ---- whole matrices, as numbers ---- */

static tg_tensor one_at(tg_tensor like, int64_t i) {
    tg_tensor e = tg_zeros(like.tape, tg_shape_of(like));
    if (like.tape->status)
        return TG_NULL;
    if (like.tape->dtype == TG_F32)
        ((float *)tg_data(e))[i] = 1;
    else
        ((double *)tg_data(e))[i] = 1;
    return e;
}

/* x's elements to out, `step` apart. */
static void spread(tg_tensor x, double *room, void *out, int64_t step) {
    const tg_node *n = x.tape->nodes[x.index];
    size_t size = tg_dtype_size((tg_dtype)n->dtype);
    if (!tg_has_elements(n))
        return;
    tg_copy_out(n, n->data, n->stride, room);
    for (int64_t i = 0; i < n->numel; i++)
        memcpy((char *)out + (size_t)(i * step) * size, (char *)room + (size_t)i * size, size);
}

/* Row after row, or column after column, whichever are fewer. What a walk records is forgotten before the next one. */
static tg_status fill_jacobian(const char *name, tg_tensor y, tg_tensor x, tg_node *out, void *room) {
    tg_tape *t = y.tape;
    int64_t rows = tg_numel(y), columns = tg_numel(x);
    tg_tensor jtu, row;
    if (rows <= columns) {
        tg_mark each = tg_tape_mark(t);
        for (int64_t i = 0; i < rows && !t->status; i++, (void)!tg_tape_rewind(t, each)) {
            tg_tensor e = one_at(y, i);
            if (!tg_gradients_of(name, &y, &e, 1, &x, 1, &row))
                spread(row, room, (char *)out->data + (size_t)(i * columns) * tg_dtype_size(t->dtype), 1);
        }
        return t->status;
    }
    tg_tensor u = transpose_of(name, y, &x, 1, &jtu);
    tg_mark each = tg_tape_mark(t);
    for (int64_t j = 0; j < columns && !t->status; j++, (void)!tg_tape_rewind(t, each)) {
        tg_tensor e = one_at(x, j), column = push_forward(name, u, &jtu, &e, 1);
        if (!t->status)
            spread(column, room, (char *)out->data + (size_t)j * tg_dtype_size(t->dtype), columns);
    }
    return t->status;
}

/* A leaf for the result: the dims of y, or of x once more, and of x. */
static tg_node *open_matrix(const char *name, tg_tensor y, tg_tensor x, bool second) {
    tg_tape *t = y.tape ? y.tape : x.tape;
    const tg_node *in = t && !t->status ? open_one(name, "x", 0, t, x) : NULL;
    const tg_node *of = in ? open_one(name, "y", 0, t, y) : NULL, *outer = second ? in : of;
    if (!of || !tg_outside_backward(t, name))
        return NULL;
    tg_shape shape = tg_shape_from(outer);
    if (shape.ndim + in->ndim > TG_MAX_DIMS) {
        tg_fail(t, TG_ERR_SHAPE, "%s: a result with the dims of %s and of %s would have more than %d", name,
                tg_node_text(outer).s, tg_node_text(in).s, TG_MAX_DIMS);
        return NULL;
    }
    for (int i = 0; i < in->ndim; i++)
        shape.size[shape.ndim++] = in->size[i];
    return tg_leaf_new(t, name, &shape, t->dtype);
}

static tg_tensor matrix_of(const char *name, tg_tensor y, tg_tensor x, bool second) {
    tg_tape *t = y.tape;
    tg_mark before = tg_tape_mark(t);
    tg_node *out = open_matrix(name, y, x, second);
    if (!out)
        return TG_NULL;
    modes m = begin_walks(t, !second);
    size_t bytes = (size_t)(tg_numel(x) > tg_numel(y) ? tg_numel(x) : tg_numel(y)) * sizeof(double);
    void *room = tg_pool_get(t, bytes);
    tg_tensor of = y;
    bool bad = !room || (second && tg_gradients_of(name, &y, &(tg_tensor){0}, 1, &x, 1, &of)) ||
               fill_jacobian(name, of, x, out, room);
    tg_pool_put(t, room, bytes);
    (void)!tg_tape_rewind(t, bad ? before : m.start);
    restore(t, &m);
    return bad ? TG_NULL : tg_handle(out);
}

tg_tensor tg_jacobian(tg_tensor y, tg_tensor x) { return matrix_of("jacobian", y, x, false); }
tg_tensor tg_hessian(tg_tensor y, tg_tensor x) { return matrix_of("hessian", y, x, true); }
