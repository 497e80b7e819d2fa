/* amax, amin: the largest, the smallest element over dims; NaN when there is one.
 * dx = dy / (how many attain it) where x attains it, 0 elsewhere */
#include "core/frameworks/reduce.h"

#ifndef real
enum { LANES = 16 };
#endif

#ifdef real

/* The larger of two, or NaN: m is kept only if it is larger, equal or NaN. */
static real FN(larger)(real x, real m) { return ((m >= x) | (m != m)) ? m : x; }
static real FN(smaller)(real x, real m) { return ((m <= x) | (m != m)) ? m : x; }

static void FN(max_row)(int64_t n, real *y, const real *x, const tg_node *node) {
    (void)node;
    real m[LANES];
    int64_t j = 0;
    for (int k = 0; k < LANES; k++)
        m[k] = x[0];
    for (; j + LANES <= n; j += LANES)
        for (int k = 0; k < LANES; k++)
            m[k] = FN(larger)(x[j + k], m[k]);
    for (; j < n; j++)
        m[0] = FN(larger)(x[j], m[0]);
    for (int k = 1; k < LANES; k++)
        m[0] = FN(larger)(m[k], m[0]);
    *y = m[0];
}

static void FN(min_row)(int64_t n, real *y, const real *x, const tg_node *node) {
    (void)node;
    real m[LANES];
    int64_t j = 0;
    for (int k = 0; k < LANES; k++)
        m[k] = x[0];
    for (; j + LANES <= n; j += LANES)
        for (int k = 0; k < LANES; k++)
            m[k] = FN(smaller)(x[j + k], m[k]);
    for (; j < n; j++)
        m[0] = FN(smaller)(x[j], m[0]);
    for (int k = 1; k < LANES; k++)
        m[0] = FN(smaller)(m[k], m[0]);
    *y = m[0];
}

static void FN(vjp_row)(int64_t n, real *dx, real dy, real y, const real *x, const tg_node *node) {
    (void)node;
    int64_t ties = 0;
    for (int64_t j = 0; j < n; j++)
        ties += x[j] == y;
    for (int64_t j = 0; j < n; j++)
        dx[j] = (x[j] == y ? dy : 0) / (real)ties;
}

/* which elements attain their result */
static void FN(branch)(const tg_node *y, tg_branches *b) {
    const tg_node *x = y->in[0];
    int64_t stride[TG_MAX_DIMS];
    tg_walk in, out;
    tg_reduce_strides(y, stride);
    tg_walk_begin(&in, x->ndim, x->size, x->stride);
    tg_walk_begin(&out, x->ndim, x->size, stride);
    for (int64_t i = 0; i < x->numel; i++, tg_walk_next(&in, 1), tg_walk_next(&out, 1))
        tg_branch(b, ((const real *)x->data)[in.offset] == ((const real *)y->data)[out.offset]);
}

#else
#define TG_SELF "ops/amax.c"
#include "core/twice.h"

static void grad(const tg_node *y, tg_tensor dy, tg_tensor *dx) {
    tg_tensor attains = tg_to_float(tg_eq(tg_in(y, 0), tg_reduced_along(y, tg_handle(y))));
    tg_tensor share = tg_div(tg_reduced_along(y, dy), tg_sum(attains, tg_reduced_dims(y), true));
    dx[0] = tg_mul(attains, share);
}

static tg_tensor amax_probe(tg_tape *t, int variant) { return tg_probe_reduction(t, variant, tg_amax); }
static tg_tensor amin_probe(tg_tape *t, int variant) { return tg_probe_reduction(t, variant, tg_amin); }

const tg_op tg_op_amax = {.name = "amax",
                          TG_REDUCTION,
                          .row = TG_ROWS(max_row),
                          .by_pieces = true,
                          .row_vjp = TG_ROWS(vjp_row),
                          .needs = {TG_IN(0) | TG_OUT},
                          .branches = TG_BOTH(branch),
                          .grad = grad,
                          .probe = amax_probe};

const tg_op tg_op_amin = {.name = "amin",
                          TG_REDUCTION,
                          .row = TG_ROWS(min_row),
                          .by_pieces = true,
                          .row_vjp = TG_ROWS(vjp_row),
                          .needs = {TG_IN(0) | TG_OUT},
                          .branches = TG_BOTH(branch),
                          .grad = grad,
                          .probe = amin_probe};

static tg_tensor reduce(const tg_op *op, tg_tensor x, tg_dims dims, bool keepdim) {
    tg_node *in;
    uint32_t mask;
    tg_tape *t = tg_open(op->name, "f", 1, &x, &in);
    if (!t || !tg_dim_mask(t, op->name, dims, in, &mask))
        return TG_NULL;
    for (int i = 0; i < in->ndim; i++)
        if (mask >> i & 1 && in->size[i] == 0)
            return tg_fail_null(t, TG_ERR_SHAPE, "%s: %s has no elements along dim %d", op->name, tg_node_text(in).s,
                                i);
    return tg_reduce(op, x, dims, keepdim, 0);
}

/* PyTorch: x.amax(dims, keepdim) */
tg_tensor tg_amax(tg_tensor x, tg_dims dims, bool keepdim) { return reduce(&tg_op_amax, x, dims, keepdim); }
/* PyTorch: x.amin(dims, keepdim) */
tg_tensor tg_amin(tg_tensor x, tg_dims dims, bool keepdim) { return reduce(&tg_op_amin, x, dims, keepdim); }

#endif
