/* mean: y = sum of the n elements of x over dims, divided by n.    dx = dy / n, repeated along those dims */
#include "core/frameworks/reduce.h"
#include "core/kernels/rows.h"

#ifdef real

static void FN(sum_row)(int64_t n, real *y, const real *x, const tg_node *node) {
    (void)node;
    *y = FN(tg_row_sum)(n, x);
}

static tg_status FN(forward)(tg_node *y) {
    real n = (real)tg_reduced_count(y), *out = y->data;
    if (FN(tg_sum_forward)(y))
        return tg_tape_status(y->tape);
    for (int64_t i = 0; i < y->numel; i++)
        out[i] /= n; /* 0 / 0: the mean of no elements is NaN */
    return TG_OK;
}

static tg_status FN(vjp)(tg_node *y) { return FN(tg_sum_vjp)(y, (real)tg_reduced_count(y)); }

#else
#define TG_SELF "ops/mean.c"
#include "core/twice.h"

static void grad(const tg_node *y, tg_tensor dy, tg_tensor *dx) {
    dx[0] = tg_reduced_along(y, tg_div_scalar(dy, tg_reduced_count(y)));
}

static tg_tensor probe(tg_tape *t, int variant) { return tg_probe_reduction(t, variant, tg_mean); }

const tg_op tg_op_mean = {.name = "mean",
                          .forward = TG_BOTH(forward),
                          .vjp = TG_BOTH(vjp),
                          .flops = tg_reduce_flops,
                          .row = TG_ROWS(sum_row),
                          .by_pieces = true,
                          .grad = grad,
                          .probe = probe};

/* PyTorch: x.mean(dims, keepdim) */
tg_tensor tg_mean(tg_tensor x, tg_dims dims, bool keepdim) { return tg_reduce(&tg_op_mean, x, dims, keepdim, 0); }

#endif
