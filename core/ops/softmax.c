/* softmax, log_softmax along a dim; m is the row's maximum.
 *   softmax      y[j] = e^(x[j] - m) / sum_k e^(x[k] - m)           dx[j] = y[j] (dy[j] - sum_k dy[k] y[k])
 *   log_softmax  y[j] = x[j] - m - ln sum_k e^(x[k] - m)            dx[j] = dy[j] - e^y[j] sum_k dy[k]
 *
 * A row that is all -inf gives zeros (log_softmax: -inf) and a zero gradient. The kernels work on rows of the last dim;
 * any other dim changes places with the last one first, and back afterwards. */
#include "core/kernels/rows.h"
#include "core/kernels/vmath.h"

#ifndef real
enum { PIECE = 256 };

static int64_t row_length(const tg_node *y) { return y->ndim ? y->size[y->ndim - 1] : 1; }
#endif

#ifdef real

static tg_status FN(forward)(tg_node *y) {
    int64_t n = row_length(y);
    const real *x = y->in[0]->data;
    real *out = y->data;
    for (int64_t at = 0; at < y->numel; at += n) {
        real m = FN(tg_row_max)(n, x + at);
        FN(tg_vexp)(n, out + at, x + at, m == -INFINITY ? 0 : m);
        real sum = FN(tg_row_sum)(n, out + at);
        for (int64_t j = at; j < at + n && sum != 0; j++)
            out[j] /= sum;
    }
    return TG_OK;
}

static tg_status FN(vjp)(tg_node *y) {
    int64_t n = row_length(y);
    const real *out = y->data, *dy = y->grad;
    real *dx = tg_grad_add(y, 0);
    if (!dx)
        return y->tape->status;
    for (int64_t at = 0; at < y->numel; at += n) {
        real dot = FN(tg_row_dot)(n, dy + at, out + at);
        for (int64_t j = at; j < at + n; j++)
            dx[j] += out[j] * (dy[j] - dot);
    }
    tg_grad_close(y, 0, dx);
    return TG_OK;
}

static tg_status FN(log_forward)(tg_node *y) {
    int64_t n = row_length(y);
    const real *x = y->in[0]->data;
    real *out = y->data;
    for (int64_t at = 0; at < y->numel; at += n) {
        real m = FN(tg_row_max)(n, x + at);
        FN(tg_vexp)(n, out + at, x + at, m == -INFINITY ? 0 : m);
        real sum = FN(tg_row_sum)(n, out + at), log_sum = M(log)(sum);
        for (int64_t j = at; j < at + n; j++)
            out[j] = sum == 0 ? -INFINITY : x[j] - m - log_sum;
    }
    return TG_OK;
}

/* dx += dy - e^y sum */
static void FN(add_log_row)(int64_t n, real *dx, const real *dy, const real *y, real sum) {
    real e[PIECE];
    for (int64_t at = 0; at < n; at += PIECE) {
        int64_t piece = n - at < PIECE ? n - at : PIECE;
        FN(tg_vexp)(piece, e, y + at, 0);
        for (int64_t j = 0; j < piece; j++)
            dx[at + j] += dy[at + j] - e[j] * sum;
    }
}

static tg_status FN(log_vjp)(tg_node *y) {
    int64_t n = row_length(y);
    const real *out = y->data, *dy = y->grad;
    real *dx = tg_grad_add(y, 0);
    if (!dx)
        return y->tape->status;
    for (int64_t at = 0; at < y->numel; at += n) {
        real sum = FN(tg_row_sum)(n, dy + at);
        bool masked = true;
        for (int64_t j = at; j < at + n && masked; j++)
            masked = out[j] == -INFINITY;
        if (!masked)
            FN(add_log_row)(n, dx + at, dy + at, out + at, sum);
    }
    tg_grad_close(y, 0, dx);
    return TG_OK;
}

#else
#define TG_SELF "ops/softmax.c"
#include "core/twice.h"

static tg_tensor probe_of(tg_tape *t, int variant, tg_tensor (*op)(tg_tensor x, int dim)) {
    switch (variant) {
    case 0: return op(tg_probe_leaf(t, TG_SHAPE(2, 5)), -1);
    case 1: return op(tg_probe_leaf(t, TG_SHAPE(2, 3, 4)), 1);
    case 2: return op(tg_transpose(tg_probe_leaf(t, TG_SHAPE(3, 4)), 0, 1), 1);
    case 3: return op(tg_probe_leaf(t, TG_SHAPE(3, 0)), 1);
    case 4: return op(tg_probe_leaf(t, TG_SHAPE(3, 1)), -1);
    case 5: return op(tg_probe_leaf(t, TG_SCALAR), 0);
    case 6: return op(tg_expand(tg_probe_leaf(t, TG_SHAPE(3)), TG_SHAPE(2, 3)), 0);
    case 7: return op(tg_slice(tg_probe_leaf(t, TG_SHAPE(2, 7)), 1, 1, 7, 2), 1);
    default: return TG_NULL;
    }
}
static tg_tensor probe(tg_tape *t, int variant) { return probe_of(t, variant, tg_softmax); }
static tg_tensor log_probe(tg_tape *t, int variant) { return probe_of(t, variant, tg_log_softmax); }

const tg_op tg_op_softmax = {
    .name = "softmax", .forward = TG_BOTH(forward), .vjp = TG_BOTH(vjp), .needs = {TG_OUT}, .probe = probe};

const tg_op tg_op_log_softmax = {.name = "log_softmax",
                                 .forward = TG_BOTH(log_forward),
                                 .vjp = TG_BOTH(log_vjp),
                                 .needs = {TG_OUT},
                                 .probe = log_probe};

static tg_tensor over_last(const tg_op *op, tg_tensor x) {
    tg_node *in;
    x = tg_contiguous(x);
    tg_tape *t = tg_open(op->name, "f", 1, &x, &in);
    if (!t)
        return TG_NULL;
    tg_shape shape = tg_shape_from(in);
    tg_node *y = tg_node_new(t, op, 1, &in, &shape, t->dtype, 0);
    return y ? tg_record(y) : TG_NULL;
}

static tg_tensor over_dim(const tg_op *op, tg_tensor x, int dim) {
    tg_node *in;
    tg_tape *t = tg_open(op->name, "f", 1, &x, &in);
    int d = t ? tg_dim(t, op->name, dim, in) : -1;
    if (d < 0)
        return TG_NULL;
    if (d + 1 >= in->ndim)
        return over_last(op, x);
    return tg_transpose(over_last(op, tg_transpose(x, d, -1)), d, -1);
}

tg_tensor tg_softmax(tg_tensor x, int dim) { return over_dim(&tg_op_softmax, x, dim); }
tg_tensor tg_log_softmax(tg_tensor x, int dim) { return over_dim(&tg_op_log_softmax, x, dim); }

#endif
