/* var: y = sum of (x - mean)^2 / (n - correction) over dims, in two passes    std: y = sqrt(var)
 * var: dx = 2 (x - mean) dy / (n - correction)    std: dx = (x - mean) dy / y / (n - correction), 0 where y = 0
 * As in PyTorch, a divisor below 0 counts as 0, which gives Inf or NaN. */
#include "core/frameworks/reduce.h"
#include "core/kernels/rows.h"

#ifdef real

static real FN(divisor)(int64_t n, const tg_node *node) {
    double d = (double)n - tg_reduce_parameter(node);
    return n > 0 && d > 0 ? (real)d : 0;
}

static void FN(var_row)(int64_t n, real *y, const real *x, const tg_node *node) {
    real mean = FN(tg_row_sum)(n, x) / (real)n;
    *y = FN(tg_row_squares)(n, x, mean) / FN(divisor)(n, node);
}

static void FN(std_row)(int64_t n, real *y, const real *x, const tg_node *node) {
    FN(var_row)(n, y, x, node);
    *y = M(sqrt)(*y);
}

static void FN(var_vjp_row)(int64_t n, real *dx, real dy, real y, const real *x, const tg_node *node) {
    (void)y;
    real mean = FN(tg_row_sum)(n, x) / (real)n, scale = 2 * dy / FN(divisor)(n, node);
    for (int64_t j = 0; j < n; j++)
        dx[j] = (x[j] - mean) * scale;
}

static void FN(std_vjp_row)(int64_t n, real *dx, real dy, real y, const real *x, const tg_node *node) {
    FN(var_vjp_row)(n, dx, y == 0 ? 0 : dy / (2 * y), y, x, node);
}

#else
#define TG_SELF "ops/var.c"
#include "core/twice.h"

static void grad(const tg_node *y, tg_tensor dy, tg_tensor *dx) {
    double n = tg_reduced_count(y), divisor = n - tg_reduce_parameter(y);
    tg_tensor x = tg_in(y, 0), mean = tg_div_scalar(tg_sum(x, tg_reduced_dims(y), true), n);
    tg_tensor scale = tg_div_scalar(tg_mul_scalar(dy, 2), divisor > 0 ? divisor : 0);
    dx[0] = tg_mul(tg_sub(x, tg_reduced_along(y, mean)), tg_reduced_along(y, scale));
}

static void std_grad(const tg_node *y, tg_tensor dy, tg_tensor *dx) {
    tg_tensor s = tg_handle(y), constant = tg_eq(s, tg_scalar(y->tape, 0)); /* all x are the same: 0, not 0 / 0 */
    tg_tensor half = tg_div(dy, tg_mul_scalar(tg_masked_fill(s, constant, 1), 2));
    grad(y, tg_masked_fill(half, constant, 0), dx);
}

static tg_tensor probe(tg_tape *t, int variant, tg_tensor (*op)(tg_tensor x, tg_dims dims, double c, bool keepdim)) {
    switch (variant) {
    case 0: return op(tg_probe_leaf(t, TG_SHAPE(2, 3)), TG_ALL_DIMS, 1, false);
    case 1: return op(tg_probe_leaf(t, TG_SHAPE(2, 3, 4)), TG_DIMS(1), 0, true);
    case 2: return op(tg_transpose(tg_probe_leaf(t, TG_SHAPE(2, 3, 4)), 0, 1), TG_DIMS(0, -1), 1, false);
    case 3: return op(tg_probe_leaf(t, TG_SHAPE(3, 0)), TG_DIMS(0), 1, false);
    case 4: return op(tg_expand(tg_probe_leaf(t, TG_SHAPE(3, 1)), TG_SHAPE(3, 4)), TG_DIMS(0), 1, false);
    case 5: return op(tg_probe_leaf(t, TG_SHAPE(1)), TG_DIMS(0), 0, false);
    default: return TG_NULL;
    }
}

static tg_tensor var_probe(tg_tape *t, int variant) { return probe(t, variant, tg_var); }
/* without the last, of one element: std is 0 there and has no derivative */
static tg_tensor std_probe(tg_tape *t, int variant) { return variant == 5 ? TG_NULL : probe(t, variant, tg_std); }

const tg_op tg_op_var = {.name = "var",
                         TG_REDUCTION,
                         .row = TG_ROWS(var_row),
                         .row_vjp = TG_ROWS(var_vjp_row),
                         .needs = {TG_IN(0)},
                         .grad = grad,
                         .probe = var_probe};

const tg_op tg_op_std = {.name = "std",
                         TG_REDUCTION,
                         .row = TG_ROWS(std_row),
                         .row_vjp = TG_ROWS(std_vjp_row),
                         .needs = {TG_IN(0) | TG_OUT},
                         .grad = std_grad,
                         .probe = std_probe};

/* PyTorch: x.var(dims, correction=correction, keepdim=keepdim) */
tg_tensor tg_var(tg_tensor x, tg_dims dims, double correction, bool keepdim) {
    return tg_reduce(&tg_op_var, x, dims, keepdim, correction);
}

/* PyTorch: x.std(dims, correction=correction, keepdim=keepdim) */
tg_tensor tg_std(tg_tensor x, tg_dims dims, double correction, bool keepdim) {
    return tg_reduce(&tg_op_std, x, dims, keepdim, correction);
}

#endif
