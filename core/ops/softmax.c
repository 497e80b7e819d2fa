/* softmax along a dim: y[j] = e^(x[j] - m) / sum_k e^(x[k] - m), m the row's maximum.
 * dx[j] = y[j] (dy[j] - sum_k dy[k] y[k])
 *
 * A row of -inf only gives zeros and a zero gradient. */
#include "core/kernels/rows.h"
#include "core/kernels/vmath.h"
#include "core/ops/internal/along_dim.h"

#ifdef real

static void FN(forward_rows)(void *context, int64_t begin, int64_t end) {
    const tg_node *y = ((const tg_rows *)context)->y;
    int64_t n = tg_row_length(y);
    const real *x = y->in[0]->data;
    real *out = y->data;
    for (int64_t at = begin * n; at < end * n; at += n) {
        real m = FN(tg_row_max)(n, x + at);
        FN(tg_vexp)(n, out + at, x + at, m == -INFINITY ? 0 : m);
        real sum = FN(tg_row_sum)(n, out + at);
        for (int64_t j = at; j < at + n && sum != 0; j++)
            out[j] /= sum;
    }
}

static void FN(vjp_rows)(void *context, int64_t begin, int64_t end) {
    const tg_node *y = ((const tg_rows *)context)->y;
    int64_t n = tg_row_length(y);
    const real *out = y->data, *dy = y->grad;
    real *dx = ((const tg_rows *)context)->dx;
    for (int64_t at = begin * n; at < end * n; at += n) {
        real dot = FN(tg_row_dot)(n, dy + at, out + at);
        if (((const tg_rows *)context)->fresh)
            for (int64_t j = at; j < at + n; j++)
                dx[j] = out[j] * (dy[j] - dot);
        else
            for (int64_t j = at; j < at + n; j++)
                dx[j] += out[j] * (dy[j] - dot);
    }
}

static tg_status FN(forward)(tg_node *y) { return tg_share_rows(y, FN(forward_rows)); }
static tg_status FN(vjp)(tg_node *y) { return tg_share_rows_vjp(y, FN(vjp_rows)); }

#else
#define TG_SELF "ops/softmax.c"
#include "core/twice.h"

static void grad(const tg_node *y, tg_tensor dy, tg_tensor *dx) {
    tg_tensor p = tg_handle(y);
    dx[0] = tg_mul(p, tg_sub(dy, tg_sum_last(tg_mul(dy, p))));
}

static tg_tensor probe(tg_tape *t, int variant) { return tg_along_dim_probe(t, variant, tg_softmax); }

/* An element costs 1 each for the difference from the maximum, e^, the sum and the division; backward 2 for the dot
 * product and 2 for dx. */
static double flops(const tg_node *y, int i) {
    (void)i;
    return 4 * (double)y->numel;
}

const tg_op tg_op_softmax = {.name = "softmax",
                             .forward = TG_BOTH(forward),
                             .vjp = TG_BOTH(vjp),
                             .needs = {TG_OUT},
                             .flops = flops,
                             .grad = grad,
                             .probe = probe};

/* PyTorch: x.softmax(dim) */
tg_tensor tg_softmax(tg_tensor x, int dim) { return tg_along_dim(&tg_op_softmax, x, dim); }

#endif
