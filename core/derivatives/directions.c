/* Directional derivatives and whole matrices of them, from recorded gradients: jvp, hvp, Jacobian, Hessian. */
#include "core/engine.h"

/* ---- directional derivatives ---- */

/* The tape's modes before the walks. The walks record gradients even under no_grad, and then detach their results. */
typedef struct modes {
    tg_mark start;
    int no_grad;
    bool keep_hollow;
} modes;

static modes begin_walks(tg_tape *t, bool keep_hollow) {
    modes m = {tg_tape_mark(t), t->modes.no_grad, t->hollow.keep};
    t->modes.no_grad = 0;
    t->hollow.keep = keep_hollow;
    return m;
}

static void restore(tg_tape *t, const modes *m) {
    t->modes.no_grad = m->no_grad;
    t->hollow.keep = m->keep_hollow;
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

/* The tape for errors: y's, or the first x's when y is the null tensor. */
static tg_tape *tape_of(tg_tensor y, const tg_tensor *xs, int n) {
    return y.tape || !xs || n < 1 ? y.tape : xs[0].tape;
}

/* False after tg_fail when an argument is missing. */
static bool check_arguments(const char *name, tg_tape *t, tg_tensor y, const tg_tensor *xs, const tg_tensor *vs, int n,
                            const void *room) {
    if (!t || t->status)
        return false;
    if (!xs || !vs || n < 1 || !room)
        tg_fail(t, TG_ERR_ARGUMENT, "%s: an x, a direction or the array for the result is missing", name);
    else
        (void)tg_open_one(name, "y", 0, t, y);
    for (int i = 0; i < n && !t->status; i++) {
        const tg_node *x = tg_open_one(name, "x", i, t, xs[i]),
                      *v = x ? tg_open_one(name, "direction", i, t, vs[i]) : NULL;
        if (v && !tg_same_shape(x, v))
            tg_fail(t, TG_ERR_SHAPE, "%s: direction %d %s must have the shape of its x %s", name, i + 1,
                    tg_node_text(v).s, tg_node_text(x).s);
    }
    return !t->status;
}

static bool check_scalar(const char *name, const tg_node *y) {
    if (y->numel != 1)
        tg_fail(y->tape, TG_ERR_STATE, "%s: tensor %u %s is not a scalar: reduce it (tg_sum, tg_mean)", name, y->index,
                tg_node_text(y).s);
    return y->numel == 1;
}

/* Record jtu = J^T u for a new leaf u, which is returned. It is linear in u, so J v is the gradient of <jtu, v> with
 * respect to u at any values of u: u is hollow, and its results are recorded but not computed. */
static tg_tensor record_vjp(const char *name, tg_tensor y, const tg_tensor *xs, int n, tg_tensor *jtu) {
    tg_tape *t = y.tape;
    tg_tensor u = tg_set_requires_grad(tg_zeros(t, tg_shape_of(y)), true);
    if (t->status)
        return TG_NULL;
    tg_leave_hollow(t->nodes[u.index]);
    return tg_gradients_of(name, &y, &u, 1, xs, n, jtu) ? TG_NULL : u;
}

/* J v. Deferred values that a formula does read are computed. */
static tg_tensor push_forward(const char *name, tg_tensor u, const tg_tensor *jtu, const tg_tensor *vs, int n) {
    tg_tensor jv;
    tg_tape *t = u.tape;
    if (!t || tg_gradients_of(name, jtu, vs, n, &u, 1, &jv))
        return TG_NULL;
    return t->nodes[jv.index]->hollow && tg_compute_hollow(t) ? TG_NULL : jv;
}

tg_status tg_jvp(tg_tensor y, const tg_tensor *xs, const tg_tensor *vs, int n, tg_tensor *jv) {
    tg_tape *t = tape_of(y, xs, n);
    if (jv)
        *jv = TG_NULL;
    if (!check_arguments("jvp", t, y, xs, vs, n, jv))
        return tg_tape_status(t);
    modes m = begin_walks(t, true);
    tg_tensor *jtu = tg_pool_get(t, (size_t)n * sizeof *jtu);
    if (jtu)
        *jv = push_forward("jvp", record_vjp("jvp", y, xs, n, jtu), jtu, vs, n);
    tg_pool_put(t, jtu, (size_t)n * sizeof *jtu);
    return end_walks(t, &m, 1, jv);
}

tg_status tg_hvp(tg_tensor y, const tg_tensor *xs, const tg_tensor *vs, int n, tg_tensor *hvs) {
    tg_tape *t = tape_of(y, xs, n);
    for (int i = 0; i < n && hvs; i++)
        hvs[i] = TG_NULL;
    if (!check_arguments("hvp", t, y, xs, vs, n, hvs) || !check_scalar("hvp", t->nodes[y.index]))
        return tg_tape_status(t);
    modes m = begin_walks(t, false);
    tg_tensor *dxs = tg_pool_get(t, (size_t)n * sizeof *dxs);
    if (dxs && !tg_gradients_of("hvp", &y, &(tg_tensor){0}, 1, xs, n, dxs))
        (void)!tg_gradients_of("hvp", dxs, vs, n, xs, n, hvs);
    tg_pool_put(t, dxs, (size_t)n * sizeof *dxs);
    return end_walks(t, &m, n, hvs);
}

/* ---- Jacobians and Hessians ---- */

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

/* By rows, each a VJP, or by columns, each a JVP, whichever are fewer. Each rewinds the tape. */
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
    tg_tensor u = record_vjp(name, y, &x, 1, &jtu);
    tg_mark each = tg_tape_mark(t);
    for (int64_t j = 0; j < columns && !t->status; j++, (void)!tg_tape_rewind(t, each)) {
        tg_tensor e = one_at(x, j), column = push_forward(name, u, &jtu, &e, 1);
        if (!t->status)
            spread(column, room, (char *)out->data + (size_t)j * tg_dtype_size(t->dtype), columns);
    }
    return t->status;
}

/* A leaf for the result: the dims of y (Hessian: of x), then those of x. */
static tg_node *open_matrix(const char *name, tg_tensor y, tg_tensor x, bool is_hessian) {
    tg_tape *t = tape_of(y, &x, 1);
    const tg_node *x_node = t && !t->status ? tg_open_one(name, "x", 0, t, x) : NULL;
    const tg_node *y_node = x_node ? tg_open_one(name, "y", 0, t, y) : NULL, *outer = is_hessian ? x_node : y_node;
    if (!y_node || !tg_outside_backward(t, name) || (is_hessian && !check_scalar(name, y_node)))
        return NULL;
    tg_shape shape = tg_shape_from(outer);
    if (shape.ndim + x_node->ndim > TG_MAX_DIMS) {
        tg_fail(t, TG_ERR_SHAPE, "%s: a result with the dims of %s and of %s would have more than %d", name,
                tg_node_text(outer).s, tg_node_text(x_node).s, TG_MAX_DIMS);
        return NULL;
    }
    for (int i = 0; i < x_node->ndim; i++)
        shape.size[shape.ndim++] = x_node->size[i];
    return tg_leaf_new(t, name, &shape, t->dtype);
}

static tg_tensor matrix_of(const char *name, tg_tensor y, tg_tensor x, bool is_hessian) {
    tg_tape *t = y.tape;
    tg_mark before = tg_tape_mark(t);
    tg_node *out = open_matrix(name, y, x, is_hessian);
    if (!out)
        return TG_NULL;
    modes m = begin_walks(t, !is_hessian);
    size_t bytes = (size_t)(tg_numel(x) > tg_numel(y) ? tg_numel(x) : tg_numel(y)) * sizeof(double);
    void *room = tg_pool_get(t, bytes);
    tg_tensor differentiated = y;
    bool failed = !room || (is_hessian && tg_gradients_of(name, &y, &(tg_tensor){0}, 1, &x, 1, &differentiated)) ||
                  fill_jacobian(name, differentiated, x, out, room);
    tg_pool_put(t, room, bytes);
    (void)!tg_tape_rewind(t, failed ? before : m.start);
    restore(t, &m);
    return failed ? TG_NULL : tg_handle(out);
}

tg_tensor tg_jacobian(tg_tensor y, tg_tensor x) { return matrix_of("jacobian", y, x, false); }
tg_tensor tg_hessian(tg_tensor y, tg_tensor x) { return matrix_of("hessian", y, x, true); }
