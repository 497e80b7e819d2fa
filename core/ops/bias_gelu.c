/* bias_gelu: y = gelu(x + b), b over the last dim, in one pass where tg_gelu(tg_add(x, b)) takes two.
 * dx = dy gelu'(x + b)    db = dx summed over all rows. core/ops/gelu.c has gelu and its derivative. */
#include "core/kernels/threads.h"
#include "core/kernels/vmath.h"

#ifndef real
/* Rows that a thread takes at a time: about 16,000 elements, but enough rows that the per-block sums cost little. */
static int64_t rows_of_block(int64_t n) { return n < 1024 ? 16384 / n : 16; }

#define gradient FN(gradient)
#endif

#ifdef real

static void FN(forward_rows)(void *node, int64_t begin, int64_t end) {
    const tg_node *y = node;
    int64_t n = y->size[y->ndim - 1];
    const real *x = y->in[0]->data, *b = y->in[1]->data;
    for (int64_t row = begin; row < end; row++) {
        real *out = (real *)y->data + row * n;
        for (int64_t j = 0; j < n; j++)
            out[j] = x[row * n + j] + b[j];
        FN(tg_vgelu)(n, out, out);
    }
}

static tg_status FN(forward)(tg_node *y) {
    int64_t n = y->size[y->ndim - 1];
    if (y->numel)
        tg_parallel_range(y->numel / n, rows_of_block(n), FN(forward_rows), y);
    return TG_OK;
}

/* The gradients, NULL where not wanted. sums: a row per block, its part of db. */
typedef struct gradient {
    const tg_node *y;
    real *dx, *sums;
    bool fresh; /* dx is to be overwritten */
} gradient;

static void FN(vjp_piece)(int64_t n, real *dx, bool fresh, real *db, const real *dy, const real *x, const real *b) {
    real sum[TG_ROW_MAX], slope[TG_ROW_MAX];
    int64_t i = 0;
    do /* n > 0, which gcc cannot tell */
        sum[i] = x[i] + b[i];
    while (++i < n);
    FN(tg_vgelu_vjp)(n, slope, dy, sum);
    for (int64_t j = 0; j < n && db; j++)
        db[j] += slope[j];
    for (int64_t j = 0; j < n && dx; j++)
        dx[j] = slope[j] + (fresh ? 0 : dx[j]);
}

static void FN(vjp_rows)(void *context, int64_t begin, int64_t end) {
    const gradient *d = context;
    const tg_node *y = d->y;
    int64_t n = y->size[y->ndim - 1];
    const real *x = y->in[0]->data, *b = y->in[1]->data, *dy = y->grad;
    real *db = d->sums ? d->sums + begin / rows_of_block(n) * n : NULL;
    if (db)
        memset(db, 0, (size_t)n * sizeof(real));
    for (int64_t row = begin; row < end; row++)
        for (int64_t at = 0; at < n; at += TG_ROW_MAX) {
            int64_t piece = n - at < TG_ROW_MAX ? n - at : TG_ROW_MAX, i = row * n + at;
            FN(vjp_piece)(piece, d->dx ? d->dx + i : NULL, d->fresh, db ? db + at : NULL, dy + i, x + i, b + at);
        }
}

/* The blocks' sums are added in the order of the blocks, for the same bits with any number of threads. */
static tg_status FN(run_vjp)(tg_node *y, gradient *d, real *db) {
    int64_t n = y->size[y->ndim - 1], rows = y->numel / n, block = rows_of_block(n);
    int64_t size[] = {(rows + block - 1) / block, n};
    size_t bytes = (size_t)(size[0] * n) * sizeof(real);
    if (db && !(d->sums = tg_pool_get(y->tape, bytes)))
        return tg_tape_status(y->tape);
    tg_parallel_range(rows, block, FN(vjp_rows), d);
    if (db)
        tg_accumulate(REAL_DTYPE, 2, size, db, (int64_t[]){0, 1}, d->sums);
    tg_pool_put(y->tape, d->sums, bytes);
    return TG_OK;
}

static tg_status FN(vjp)(tg_node *y) {
    tg_slot dx = {.data = NULL}, db = {.data = NULL};
    bool bad = false;
    if (tg_wants(y, 0))
        bad = !(dx = tg_grad_dense(y, 0)).data;
    if (!bad && tg_wants(y, 1))
        bad = !(db = tg_grad_dense(y, 1)).data;
    tg_grad_clear(&db);
    gradient d = {.y = y, .dx = dx.data, .fresh = dx.fresh};
    if (!bad && y->numel)
        bad = FN(run_vjp)(y, &d, db.data) != TG_OK;
    tg_grad_close(&dx);
    tg_grad_close(&db);
    return bad ? tg_tape_status(y->tape) : TG_OK;
}

#else
#define TG_SELF "ops/bias_gelu.c"
#include "core/twice.h"

static void grad(const tg_node *y, tg_tensor dy, tg_tensor *dx) {
    dx[0] = dx[1] = tg_mul(dy, tg_gelu_slope(tg_add(tg_in(y, 0), tg_in(y, 1))));
}

static tg_tensor probe(tg_tape *t, int variant) {
    tg_tensor b = tg_probe_leaf(t, TG_SHAPE(4));
    switch (variant) {
    case 0: return tg_bias_gelu(tg_probe_leaf(t, TG_SHAPE(3, 4)), b);
    case 1: return tg_bias_gelu(tg_transpose(tg_probe_leaf(t, TG_SHAPE(2, 4, 3)), 1, 2), b);
    case 2: return tg_bias_gelu(b, b);
    case 3: return tg_bias_gelu(tg_probe_leaf(t, TG_SHAPE(0, 4)), b);
    case 4: return tg_bias_gelu(tg_probe_leaf(t, TG_SHAPE(2, 4)), tg_slice(tg_probe_leaf(t, TG_SHAPE(8)), 0, 0, 8, 2));
    default: return TG_NULL;
    }
}

/* 1 for the sum and 1 for gelu, forward and backward; 1 for db. */
static double flops(const tg_node *y, int i) { return (double)y->numel * (i <= 0 ? 2 : 1); }

const tg_op tg_op_bias_gelu = {.name = "bias_gelu",
                               .cancels = true,
                               .forward = TG_BOTH(forward),
                               .vjp = TG_BOTH(vjp),
                               .needs = {TG_IN(0) | TG_IN(1), TG_IN(0) | TG_IN(1)},
                               .flops = flops,
                               .grad = grad,
                               .probe = probe};

/* PyTorch: F.gelu(x + bias) */
tg_tensor tg_bias_gelu(tg_tensor x, tg_tensor bias) {
    tg_node *in[2];
    tg_tape *t = tg_open_contiguous("bias_gelu", "ff", 2, (tg_tensor[]){x, bias}, in);
    if (!t)
        return TG_NULL;
    if (!in[0]->ndim || in[1]->ndim != 1 || in[1]->size[0] != in[0]->size[in[0]->ndim - 1])
        return tg_fail_null(t, TG_ERR_SHAPE,
                            "bias_gelu: bias %s does not fit x %s: it must have the size of x's last dim",
                            tg_node_text(in[1]).s, tg_node_text(in[0]).s);
    tg_node *y = tg_node_like(t, &tg_op_bias_gelu, 2, in, in[0], tg_tape_dtype(t), 0);
    return y ? tg_record(y) : TG_NULL;
}

#endif
