/* rms_norm: y = x r w with r = 1 / sqrt(mean of x^2 + eps), the mean over the last dim (Zhang, Sennrich 2019).
 * dx = r (g - h mean(g h)) with g = dy w and h = x r    dw = sum over rows of dy h
 *
 * saved: r of each row. */
#include "core/kernels/rows.h"

#ifndef real
enum { LANES = 8, COLUMNS = 64, ROWS = 64 }; /* dw: columns that a thread takes, rows that are summed by themselves */

typedef struct rms_norm_attr {
    double eps;
} rms_norm_attr;
#endif

#ifdef real

static void FN(forward_rows)(void *context, int64_t begin, int64_t end) {
    const tg_node *y = ((const tg_rows *)context)->y;
    int64_t n = tg_row_length(y);
    const real *w = y->in[1] ? y->in[1]->data : NULL;
    real *saved = y->saved, eps = (real)((const rms_norm_attr *)y->attr)->eps;
    for (int64_t i = begin; i < end; i++) {
        const real *x = (const real *)y->in[0]->data + i * n;
        real *out = (real *)y->data + i * n, r = 1 / M(sqrt)(FN(tg_row_squares)(n, x, 0) / (real)n + eps);
        saved[i] = r;
        for (int64_t j = 0; j < n; j++)
            out[j] = x[j] * r * (w ? w[j] : 1);
    }
}

/* sum of dy[j] w[j] x[j] */
static real FN(dot)(int64_t n, const real *dy, const real *w, const real *x) {
    real s[LANES] = {0}, sum = 0;
    int64_t j = 0;
    for (; j + LANES <= n; j += LANES)
        for (int k = 0; k < LANES; k++)
            s[k] += dy[j + k] * (w ? w[j + k] : 1) * x[j + k];
    for (; j < n; j++)
        s[0] += dy[j] * (w ? w[j] : 1) * x[j];
    for (int k = 0; k < LANES; k++)
        sum += s[k];
    return sum;
}

static void FN(vjp_rows)(void *context, int64_t begin, int64_t end) {
    const tg_node *y = ((const tg_rows *)context)->y;
    int64_t n = tg_row_length(y);
    const real *w = y->in[1] ? y->in[1]->data : NULL, *saved = y->saved;
    for (int64_t i = begin; i < end; i++) {
        const real *x = (const real *)y->in[0]->data + i * n, *dy = (const real *)y->grad + i * n;
        real *dx = (real *)((const tg_rows *)context)->dx + i * n, r = saved[i];
        real mean = FN(dot)(n, dy, w, x) * r * r / (real)n;
        for (int64_t j = 0; j < n; j++)
            dx[j] += r * (dy[j] * (w ? w[j] : 1) - x[j] * mean);
    }
}

/* dw for some columns: sums over ROWS rows at a time, whatever the number of threads. */
static void FN(vjp_columns)(void *context, int64_t begin, int64_t end) {
    const tg_node *y = ((const tg_rows *)context)->y;
    int64_t n = tg_row_length(y), rows = y->numel / n;
    const real *x = y->in[0]->data, *dy = y->grad, *saved = y->saved;
    real *dw = ((const tg_rows *)context)->dx;
    for (int64_t first = 0; first < rows; first += ROWS) {
        real sum[COLUMNS] = {0};
        for (int64_t i = first; i < rows && i < first + ROWS; i++)
            for (int64_t j = begin; j < end; j++)
                sum[j - begin] += dy[i * n + j] * x[i * n + j] * saved[i];
        for (int64_t j = begin; j < end; j++)
            dw[j] += sum[j - begin];
    }
}

static tg_status FN(forward)(tg_node *y) { return tg_share_rows(y, FN(forward_rows)); }

static tg_status FN(vjp)(tg_node *y) {
    if (tg_wants(y, 0) && tg_share_rows_vjp(y, FN(vjp_rows)))
        return tg_tape_status(y->tape);
    if (!tg_wants(y, 1))
        return TG_OK;
    tg_slot slot = tg_grad_dense(y, 1);
    if (!slot.data)
        return tg_tape_status(y->tape);
    tg_grad_clear(&slot);
    if (y->numel)
        tg_parallel_range(tg_row_length(y), COLUMNS, FN(vjp_columns), &(tg_rows){y, slot.data});
    tg_grad_close(&slot);
    return TG_OK;
}

#else
#define TG_SELF "ops/rms_norm.c"
#include "core/twice.h"

static tg_tensor row_mean(tg_tensor x) { return tg_mean(x, TG_DIMS(-1), true); }

static void grad(const tg_node *y, tg_tensor dy, tg_tensor *dx) {
    double eps = ((const rms_norm_attr *)y->attr)->eps;
    tg_tensor r = tg_pow(tg_add_scalar(row_mean(tg_square(tg_in(y, 0))), eps), -0.5);
    tg_tensor h = tg_mul(tg_in(y, 0), r), g = y->in[1] ? tg_mul(dy, tg_in(y, 1)) : dy;
    if (tg_wants(y, 0))
        dx[0] = tg_mul(tg_sub(g, tg_mul(h, row_mean(tg_mul(g, h)))), r);
    if (y->in[1] && tg_wants(y, 1))
        dx[1] = tg_mul(dy, h);
}

static tg_tensor probe(tg_tape *t, int variant) {
    tg_tensor w = tg_probe_leaf(t, TG_SHAPE(4));
    switch (variant) {
    case 0: return tg_rms_norm(tg_probe_leaf(t, TG_SHAPE(3, 4)), w, 1e-5);
    case 1: return tg_rms_norm(tg_probe_leaf(t, TG_SHAPE(2, 3, 5)), TG_NULL, 1e-5);
    case 2: return tg_rms_norm(tg_transpose(tg_probe_leaf(t, TG_SHAPE(4, 3)), 0, 1), w, 0.1);
    case 3: return tg_rms_norm(tg_probe_leaf(t, TG_SHAPE(4)), w, 1e-5);
    case 4: return tg_rms_norm(tg_probe_leaf(t, TG_SHAPE(0, 4)), w, 1e-5);
    case 5: return tg_rms_norm(tg_probe_leaf(t, TG_SHAPE(3, 70)), tg_probe_leaf(t, TG_SHAPE(70)), 1e-5);
    case 6:
        w = tg_slice(tg_probe_leaf(t, TG_SHAPE(8)), 0, 0, 8, 2);
        return tg_rms_norm(tg_expand(w, TG_SHAPE(2, 4)), w, 1e-5);
    default: return TG_NULL;
    }
}

/* An element costs 2 for the mean, 1 for each product; backward 1 for g, 2 for its mean, 3 for dx, 3 for dw. */
static double flops(const tg_node *y, int i) { return (double)y->numel * (i < 0 ? 4 : i == 0 ? 6 : 3); }

const tg_op tg_op_rms_norm = {.name = "rms_norm",
                              .forward = TG_BOTH(forward),
                              .vjp = TG_BOTH(vjp),
                              .needs = {TG_IN(0) | TG_IN(1), TG_IN(0)},
                              .flops = flops,
                              .grad = grad,
                              .probe = probe};

tg_tensor tg_rms_norm(tg_tensor x, tg_tensor weight, double eps) {
    tg_node *in[2];
    tg_tape *t = tg_open_contiguous("rms_norm", "fF", 2, (tg_tensor[]){x, weight}, in);
    if (!t)
        return TG_NULL;
    int64_t n = in[0]->ndim ? in[0]->size[in[0]->ndim - 1] : 0;
    if (!in[0]->ndim || (in[1] && (in[1]->ndim != 1 || in[1]->size[0] != n)))
        return tg_fail_null(t, TG_ERR_SHAPE, "rms_norm: x %s must be (..., C) and weight %s (C)", tg_describe(x).s,
                            tg_describe(weight).s);
    tg_node *y = tg_node_like(t, &tg_op_rms_norm, 2, in, in[0], tg_tape_dtype(t), sizeof(rms_norm_attr));
    if (!y || !tg_node_save(y, n ? y->numel / n : 0))
        return TG_NULL;
    *(rms_norm_attr *)y->attr = (rms_norm_attr){eps};
    return tg_record(y);
}

#endif
