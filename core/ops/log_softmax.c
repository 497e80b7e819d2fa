/* log_softmax along a dim: y[j] = x[j] - m - ln sum_k e^(x[k] - m), m the row's maximum.
 * dx[j] = dy[j] - e^y[j] sum_k dy[k]
 *
 * A row of -inf only gives -inf and a zero gradient. */
#include "core/kernels/rows.h"
#include "core/kernels/vmath.h"
#include "core/ops/internal/along_dim.h"

#ifndef real
enum { PIECE = 256 };
#endif

#ifdef real

static void FN(forward_rows)(void *context, int64_t begin, int64_t end) {
    const tg_node *y = ((const tg_rows *)context)->y;
    int64_t n = tg_row_length(y);
    const real *x = y->in[0]->data;
    real *out = y->data;
    for (int64_t at = begin * n; at < end * n; at += n) {
        real m = FN(tg_row_max)(n, x + at);
        FN(tg_vexp)(n, out + at, x + at, m == -INFINITY ? 0 : m);
        real sum = FN(tg_row_sum)(n, out + at), log_sum = M(log)(sum);
        if (sum != 0)
            for (int64_t j = at; j < at + n; j++)
                out[j] = x[j] - m - log_sum;
        else
            for (int64_t j = at; j < at + n; j++)
                out[j] = -INFINITY;
    }
}

/* dx = or += dy - e^y sum */
static void FN(add_log_row)(int64_t n, real *dx, bool fresh, const real *dy, const real *y, real sum) {
    real e[PIECE];
    for (int64_t at = 0; at < n; at += PIECE) {
        int64_t piece = n - at < PIECE ? n - at : PIECE;
        FN(tg_vexp)(piece, e, y + at, 0);
        if (fresh)
            for (int64_t j = 0; j < piece; j++)
                dx[at + j] = dy[at + j] - e[j] * sum;
        else
            for (int64_t j = 0; j < piece; j++)
                dx[at + j] += dy[at + j] - e[j] * sum;
    }
}

static void FN(vjp_rows)(void *context, int64_t begin, int64_t end) {
    const tg_node *y = ((const tg_rows *)context)->y;
    int64_t n = tg_row_length(y);
    const real *out = y->data, *dy = y->grad;
    real *dx = ((const tg_rows *)context)->dx;
    bool fresh = ((const tg_rows *)context)->fresh;
    for (int64_t at = begin * n; at < end * n; at += n) {
        bool masked = true;
        for (int64_t j = at; j < at + n && masked; j++)
            masked = out[j] == -INFINITY;
        if (masked && fresh)
            memset(dx + at, 0, (size_t)n * sizeof(real));
        if (!masked)
            FN(add_log_row)(n, dx + at, fresh, dy + at, out + at, FN(tg_row_sum)(n, dy + at));
    }
}

static tg_status FN(forward)(tg_node *y) { return tg_share_rows(y, FN(forward_rows)); }
static tg_status FN(vjp)(tg_node *y) { return tg_share_rows_vjp(y, FN(vjp_rows)); }

#else
#define TG_SELF "ops/log_softmax.c"
#include "core/twice.h"

/* p = e^y is computed as softmax(y), whose Jacobian has rows that sum to 0. Those of e^y do not: where p is nearly 1,
 * its part of the gradient would cancel against sum dy and lose the digits of y's gradient. */
static void grad(const tg_node *y, tg_tensor dy, tg_tensor *dx) {
    tg_tensor p = tg_softmax(tg_handle(y), -1), masked = tg_eq(tg_sum_last(p), tg_scalar(y->tape, 0));
    dx[0] = tg_sub(tg_masked_fill(dy, masked, 0), tg_mul(p, tg_sum_last(dy)));
}

static tg_tensor probe(tg_tape *t, int variant) { return tg_along_dim_probe(t, variant, tg_log_softmax); }

/* An element costs 1 each for the difference from the maximum, e^, the sum and the last difference; backward 1 each for
 * the sum, e^, the product and the difference. */
static double flops(const tg_node *y, int i) {
    (void)i;
    return 4 * (double)y->numel;
}

const tg_op tg_op_log_softmax = {.name = "log_softmax",
                                 .cancels = true,
                                 .forward = TG_BOTH(forward),
                                 .vjp = TG_BOTH(vjp),
                                 .needs = {TG_OUT},
                                 .flops = flops,
                                 .grad = grad,
                                 .probe = probe};

/* PyTorch: x.log_softmax(dim) */
tg_tensor tg_log_softmax(tg_tensor x, int dim) { return tg_along_dim(&tg_op_log_softmax, x, dim); }

#endif
