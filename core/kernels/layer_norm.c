/* The kernels of layer_norm; core/ops/layer_norm.c has the formulas. Rows are shared among threads in blocks that do
 * not depend on their number. */
#include "core/kernels/layer_norm.h"
#include "core/kernels/rows.h"
#include "core/kernels/threads.h"

#ifndef real
/* Rows that one thread takes at a time: some 16 thousand elements, but enough rows that a sum for each block is little.
 */
static int64_t rows_of_block(const tg_node *y) {
    int64_t n = y->size[y->ndim - 1];
    return n < 1024 ? 16384 / n : 16;
}
#endif

#ifdef real

static void FN(forward_rows)(void *node, int64_t begin, int64_t end, int worker) {
    const tg_node *y = node;
    int64_t n = y->size[y->ndim - 1];
    const real *w = y->in[1] ? y->in[1]->data : NULL, *b = y->in[2] ? y->in[2]->data : NULL;
    real eps = (real)((const tg_layer_norm_attr *)y->attr)->eps;
    for (int64_t row = begin; row < end; row++) {
        const real *x = (const real *)y->in[0]->data + row * n;
        real *out = (real *)y->data + row * n, *saved = (real *)y->saved + 2 * row;
        real mean = FN(tg_row_sum)(n, x) / (real)n;
        real var = FN(tg_row_squares)(n, x, mean) / (real)n, scale = 1 / M(sqrt)(var + eps);
        for (int64_t j = 0; j < n; j++)
            out[j] = (x[j] - mean) * scale * (w ? w[j] : 1) + (b ? b[j] : 0);
        saved[0] = mean;
        saved[1] = scale;
    }
    (void)worker;
}

tg_status FN(tg_layer_norm_forward)(tg_node *y) {
    int64_t n = y->size[y->ndim - 1];
    if (y->numel)
        tg_parallel_range(y->numel / n, rows_of_block(y), FN(forward_rows), y);
    return TG_OK;
}

/* The gradients wanted (else NULL). scratch: four arrays with a row for each block: h, g, and its sums for dw, db. */
typedef struct FN(gradient) {
    const tg_node *y;
    real *dx, *dw, *db, *scratch;
    bool fresh; /* dx is */
    int64_t blocks;
} FN(gradient);

static void FN(vjp_row)(const FN(gradient) * d, int64_t row, real *h, real *g, real *dw, real *db) {
    const tg_node *y = d->y;
    int64_t n = y->size[y->ndim - 1];
    const real *x = (const real *)y->in[0]->data + row * n, *dy = (const real *)y->grad + row * n;
    const real *w = y->in[1] ? y->in[1]->data : NULL, *saved = (const real *)y->saved + 2 * row;
    for (int64_t j = 0; j < n; j++) {
        h[j] = (x[j] - saved[0]) * saved[1];
        g[j] = w ? dy[j] * w[j] : dy[j];
    }
    real mean_g = FN(tg_row_sum)(n, g) / (real)n, mean_gh = FN(tg_row_dot)(n, g, h) / (real)n;
    real *dx = d->dx ? d->dx + row * n : NULL;
    for (int64_t j = 0; j < n && dx; j++)
        dx[j] = (g[j] - mean_g - h[j] * mean_gh) * saved[1] + (d->fresh ? 0 : dx[j]);
    for (int64_t j = 0; j < n && d->dw; j++)
        dw[j] += dy[j] * h[j];
    for (int64_t j = 0; j < n && d->db; j++)
        db[j] += dy[j];
}

static void FN(vjp_rows)(void *gradient, int64_t begin, int64_t end, int worker) {
    const FN(gradient) *d = gradient;
    int64_t n = d->y->size[d->y->ndim - 1], array = d->blocks * n;
    real *h = d->scratch + begin / rows_of_block(d->y) * n, *dw = h + 2 * array;
    memset(dw, 0, (size_t)n * sizeof(real));
    memset(dw + array, 0, (size_t)n * sizeof(real));
    for (int64_t row = begin; row < end; row++)
        FN(vjp_row)(d, row, h, h + array, dw, dw + array);
    (void)worker;
}

/* The blocks' sums are added up block after block, whoever made them. */
static tg_status FN(run_vjp)(tg_node *y, FN(gradient) * d) {
    int64_t n = y->size[y->ndim - 1], rows = y->numel / n, block = rows_of_block(y);
    d->blocks = (rows + block - 1) / block;
    int64_t array = d->blocks * n, size[] = {d->blocks, n};
    size_t bytes = 4 * (size_t)array * sizeof(real);
    d->scratch = tg_pool_get(y->tape, bytes);
    if (!d->scratch)
        return y->tape->status;
    tg_parallel_range(rows, block, FN(vjp_rows), d);
    if (d->dw)
        tg_accumulate(REAL_DTYPE, 2, size, d->dw, (int64_t[]){0, 1}, d->scratch + 2 * array);
    if (d->db)
        tg_accumulate(REAL_DTYPE, 2, size, d->db, (int64_t[]){0, 1}, d->scratch + 3 * array);
    tg_pool_put(y->tape, d->scratch, bytes);
    return TG_OK;
}

tg_status FN(tg_layer_norm_vjp)(tg_node *y) {
    FN(gradient) d = {.y = y};
    tg_slot dx = {.data = NULL};
    bool bad = false;
    if (tg_wants(y, 0))
        bad = !(d.dx = (dx = tg_grad_dense(y, 0)).data);
    d.fresh = dx.fresh;
    if (!bad && tg_wants(y, 1))
        bad = !(d.dw = tg_grad_add(y, 1));
    if (!bad && tg_wants(y, 2))
        bad = !(d.db = tg_grad_add(y, 2));
    if (!bad && y->numel)
        bad = FN(run_vjp)(y, &d) != TG_OK;
    tg_grad_close(y, 0, d.dx);
    tg_grad_close(y, 1, d.dw);
    tg_grad_close(y, 2, d.db);
    return bad ? y->tape->status : TG_OK;
}

#else
#define TG_SELF "kernels/layer_norm.c"
#include "core/twice.h"
#endif
