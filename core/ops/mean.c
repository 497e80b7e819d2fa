/* mean: y = sum of the n elements of x over dims, divided by n.    dx = dy / n, repeated along those dims */
#include "core/kernels/rows.h"
#include "core/reduce.h"

#ifdef real

static void FN(forward_row)(int64_t n, real *y, const real *x, const tg_node *node) {
    (void)node;
    *y = FN(tg_row_sum)(n, x) / (real)n; /* 0 / 0: the mean of nothing is NaN */
}

static void FN(vjp_row)(int64_t n, real *dx, real dy, real y, const real *x, const tg_node *node) {
    (void)y, (void)x, (void)node;
    for (int64_t j = 0; j < n; j++)
        dx[j] = dy / (real)n;
}

#else
#define TG_SELF "ops/mean.c"
#include "core/twice.h"

static void grad(const tg_node *y, tg_tensor dy, tg_tensor *dx) {
    dx[0] = tg_reduced_along(y, tg_div_scalar(dy, tg_reduced_count(y)));
}

static tg_tensor probe(tg_tape *t, int variant) { return tg_probe_reduction(t, variant, tg_mean); }

const tg_op tg_op_mean = {.name = "mean",
                          TG_REDUCTION,
                          .row = TG_ROWS(forward_row),
                          .row_vjp = TG_ROWS(vjp_row),
                          .grad = grad,
                          .probe = probe};

tg_tensor tg_mean(tg_tensor x, tg_dims dims, bool keepdim) { return tg_reduce(&tg_op_mean, x, dims, keepdim, 0); }

#endif
