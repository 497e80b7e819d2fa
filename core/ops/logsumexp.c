/* logsumexp: y = m + ln sum e^(x - m) over dims, m the largest element.    dx = dy e^(x - y) / sum e^(x - y)
 * The sum is 1 up to y's rounding error, which exceeds the logarithm where m is large. Elements of -inf only, or none,
 * give -inf and a zero gradient. */
#include "core/frameworks/reduce.h"
#include "core/kernels/rows.h"
#include "core/kernels/vmath.h"

#ifndef real
enum { PIECE = 256 };
#endif

#ifdef real

static void FN(forward_row)(int64_t n, real *y, const real *x, const tg_node *node) {
    (void)node;
    real m = FN(tg_row_max)(n, x), shift = isinf(m) ? 0 : m, e[PIECE], sum = 0;
    for (int64_t at = 0; at < n; at += PIECE) {
        int64_t piece = n - at < PIECE ? n - at : PIECE;
        FN(tg_vexp)(piece, e, x + at, shift);
        sum += FN(tg_row_sum)(piece, e);
    }
    *y = shift + M(log)(sum);
}

static void FN(vjp_row)(int64_t n, real *dx, real dy, real y, const real *x, const tg_node *node) {
    (void)node;
    if (y != -INFINITY)
        FN(tg_vexp)(n, dx, x, y);
    real factor = isinf(y) ? dy : dy / FN(tg_row_sum)(n, dx);
    for (int64_t j = 0; j < n; j++)
        dx[j] = y == -INFINITY ? 0 : dx[j] * factor;
}

#else
#define TG_SELF "ops/logsumexp.c"
#include "core/twice.h"

/* p = e^(x - y) is also e^(x - c) / sum e^(x - c) for any constant c, so y is treated as a constant. Where p is nearly
 * 1, a gradient through y would cancel and lose the digits of y's gradient. */
static void grad(const tg_node *y, tg_tensor dy, tg_tensor *dx) {
    tg_tensor c = tg_detach(tg_handle(y)), infinite = tg_eq(tg_abs(c), tg_scalar(y->tape, INFINITY));
    tg_tensor shift = tg_reduced_along(y, tg_masked_fill(c, tg_eq(c, tg_scalar(y->tape, -INFINITY)), 0));
    tg_tensor e = tg_exp(tg_sub(tg_in(y, 0), shift)), sum = tg_sum(e, tg_reduced_dims(y), true);
    sum = tg_masked_fill(sum, tg_reshape(infinite, tg_shape_of(sum)), 1);
    dx[0] = tg_mul(tg_reduced_along(y, dy), tg_div(e, sum));
}

static tg_tensor probe(tg_tape *t, int variant) { return tg_probe_reduction(t, variant, tg_logsumexp); }

const tg_op tg_op_logsumexp = {.name = "logsumexp",
                               .cancels = true,
                               TG_REDUCTION,
                               .row = TG_ROWS(forward_row),
                               .row_vjp = TG_ROWS(vjp_row),
                               .needs = {TG_IN(0) | TG_OUT},
                               .infinite_ok = true,
                               .grad = grad,
                               .probe = probe};

/* PyTorch: x.logsumexp(dims, keepdim) */
tg_tensor tg_logsumexp(tg_tensor x, tg_dims dims, bool keepdim) {
    return tg_reduce(&tg_op_logsumexp, x, dims, keepdim, 0);
}

#endif
