/* sum: y = sum of x over dims.    dx = dy, repeated along those dims */
#include "core/frameworks/reduce.h"
#include "core/kernels/rows.h"

#ifdef real

static void FN(forward_row)(int64_t n, real *y, const real *x, const tg_node *node) {
    (void)node;
    *y = FN(tg_row_sum)(n, x);
}

static tg_status FN(vjp)(tg_node *y) { return FN(tg_sum_vjp)(y, 1); }

#else
#define TG_SELF "ops/sum.c"
#include "core/twice.h"

static void grad(const tg_node *y, tg_tensor dy, tg_tensor *dx) { dx[0] = tg_reduced_along(y, dy); }

static tg_tensor probe(tg_tape *t, int variant) {
    if (variant == TG_PROBE_REDUCTIONS)
        return tg_sum(tg_probe_leaf(t, TG_SHAPE(3, 0)), TG_DIMS(1), false); /* over no elements */
    return tg_probe_reduction(t, variant, tg_sum);
}

const tg_op tg_op_sum = {.name = "sum",
                         .forward = TG_BOTH(tg_sum_forward),
                         .vjp = TG_BOTH(vjp),
                         .flops = tg_reduce_flops,
                         .row = TG_ROWS(forward_row),
                         .by_pieces = true,
                         .grad = grad,
                         .probe = probe};

/* PyTorch: x.sum(dims, keepdim) */
tg_tensor tg_sum(tg_tensor x, tg_dims dims, bool keepdim) { return tg_reduce(&tg_op_sum, x, dims, keepdim, 0); }

#endif
