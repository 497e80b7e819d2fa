/* contiguous, clone: y = x, laid out row-major.    dx = dy */
#include "core/op.h"

#ifdef real

static void FN(forward)(ptrdiff_t n, real *y, const real *const *x, const void *attr) {
    (void)attr;
    memcpy(y, x[0], (size_t)n * sizeof *y);
}

static void FN(vjp)(ptrdiff_t n, int i, real *dx, const real *dy, const real *y, const real *const *x,
                    const void *attr) {
    (void)i, (void)y, (void)x, (void)attr;
    memcpy(dx, dy, (size_t)n * sizeof *dx);
}

#else
#define TG_SELF "ops/contiguous.c"
#include "core/twice.h"

static void grad(const tg_node *y, tg_tensor dy, tg_tensor *dx) {
    (void)y;
    dx[0] = dy;
}

static tg_tensor contiguous_probe(tg_tape *t, int variant) {
    switch (variant) {
    case 0: return tg_contiguous(tg_transpose(tg_probe_leaf(t, TG_SHAPE(3, 4)), 0, 1));
    case 1: return tg_contiguous(tg_expand(tg_probe_leaf(t, TG_SHAPE(3, 1)), TG_SHAPE(2, 3, 2)));
    default: return TG_NULL;
    }
}

static tg_tensor clone_probe(tg_tape *t, int variant) { return tg_probe_unary(t, variant, tg_probe_leaf, tg_clone); }

const tg_op tg_op_contiguous = {.name = "contiguous",
                                TG_ELEMENTWISE_MOVE,
                                .row = TG_ROWS(forward),
                                .row_vjp = TG_ROWS(vjp),
                                .grad = grad,
                                .probe = contiguous_probe};
const tg_op tg_op_clone = {.name = "clone",
                           TG_ELEMENTWISE_MOVE,
                           .row = TG_ROWS(forward),
                           .row_vjp = TG_ROWS(vjp),
                           .grad = grad,
                           .probe = clone_probe};

/* Ints and bools move as they are. */
static tg_status copy_bytes(tg_node *y) {
    const tg_node *x = y->in[0];
    size_t size = tg_dtype_size((tg_dtype)x->dtype);
    tg_walk w;
    tg_walk_begin(&w, x->ndim, x->size, x->stride);
    for (int64_t i = 0; i < x->numel; i++, tg_walk_next(&w, 1))
        memcpy((char *)y->data + (size_t)i * size, (const char *)x->data + w.offset * (ptrdiff_t)size, size);
    return TG_OK;
}

static const tg_op contiguous_bytes = {.name = "contiguous", .forward = TG_ANY(copy_bytes), .no_gradient = true};
static const tg_op clone_bytes = {.name = "clone", .forward = TG_ANY(copy_bytes), .no_gradient = true};

static tg_tensor copy(const tg_op *reals, const tg_op *bytes, tg_node *x) {
    tg_tensor handle = tg_handle(x);
    if (tg_is_floating(x))
        return tg_elementwise(reals, "f", 1, &handle, NULL, 0);
    tg_node *y = tg_node_like(x->tape, bytes, 1, &x, x, (tg_dtype)x->dtype, 0);
    return y ? tg_record(y) : TG_NULL;
}

tg_tensor tg_clone(tg_tensor x) {
    tg_node *in;
    return tg_open("clone", "*", 1, &x, &in) ? copy(&tg_op_clone, &clone_bytes, in) : TG_NULL;
}

tg_tensor tg_contiguous(tg_tensor x) {
    tg_node *in;
    if (!tg_open("contiguous", "*", 1, &x, &in))
        return TG_NULL;
    return in->contiguous ? x : copy(&tg_op_contiguous, &contiguous_bytes, in);
}

tg_tape *tg_open_contiguous(const char *name, const char *kinds, int n, const tg_tensor *x, tg_node **in) {
    tg_tape *t = tg_open(name, kinds, n, x, in);
    for (int i = 0; i < n && t; i++) {
        if (!in[i] || in[i]->contiguous)
            continue;
        tg_tensor dense = tg_contiguous(x[i]);
        if (!tg_open(name, "*", 1, &dense, &in[i]))
            return NULL;
    }
    return t;
}

#endif
