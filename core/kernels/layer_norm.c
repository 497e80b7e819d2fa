/* The kernels of layer_norm and rms_norm; their files in core/ops have the formulas. Threads share the rows in blocks
 * that do not depend on the number of threads. */
#include "core/kernels/layer_norm.h"
#include "core/kernels/isa.h"
#include "core/kernels/rows.h"
#include "core/kernels/threads.h"

#ifndef real
static int64_t row_length(const tg_node *y) { return ((const tg_layer_norm_attr *)y->attr)->n; }

/* Rows that a thread takes at a time: some 16 thousand elements, but enough rows that the per-block sums cost
 * little. */
static int64_t rows_of_block(const tg_node *y) {
    int64_t n = row_length(y);
    return n < 1024 ? 16384 / n : 16;
}

#define gradient FN(gradient)
#endif

#ifdef real

/* The plain form of the set's kernels. */
static void FN(row)(int64_t n, real *y, const real *x, const real *w, const real *b, real eps, bool centered,
                    real *saved) {
    real mean = centered ? FN(tg_row_sum)(n, x) / (real)n : 0;
    real var = FN(tg_row_squares)(n, x, mean) / (real)n, scale = 1 / M(sqrt)(var + eps);
    for (int64_t j = 0; j < n; j++)
        y[j] = (x[j] - mean) * scale * (w ? w[j] : 1) + (b ? b[j] : 0);
    saved[0] = mean;
    saved[1] = scale;
}

/* A row whose squares overflow (scale = 0): the same for x / s with eps / s^2, s the largest |x|. */
static void FN(large_row)(int64_t n, real *y, const real *x, const real *w, const real *b, real eps, bool centered,
                          real *saved) {
    real s = 0, sum = 0, squares = 0;
    for (int64_t j = 0; j < n; j++)
        s = M(fmax)(s, M(fabs)(x[j]));
    for (int64_t j = 0; j < n && centered; j++)
        sum += x[j] / s;
    real mean = sum / (real)n;
    for (int64_t j = 0; j < n; j++)
        squares += (x[j] / s - mean) * (x[j] / s - mean);
    real scale = 1 / M(sqrt)(squares / (real)n + eps / s / s);
    for (int64_t j = 0; j < n; j++)
        y[j] = (x[j] / s - mean) * scale * (w ? w[j] : 1) + (b ? b[j] : 0);
    saved[0] = mean * s;
    saved[1] = scale / s;
}

static void FN(row_vjp)(int64_t n, real *dx, bool add, real *dw, real *db, const real *dy, const real *x, const real *w,
                        bool centered, const real *saved) {
    real sum_g = 0, sum_gh = 0;
    for (int64_t j = 0; j < n; j++) {
        real h = (x[j] - saved[0]) * saved[1], g = w ? dy[j] * w[j] : dy[j];
        sum_g += g;
        sum_gh += g * h;
        if (dw)
            dw[j] += dy[j] * h;
        if (db)
            db[j] += dy[j];
    }
    if (!centered)
        sum_g = 0;
    for (int64_t j = 0; j < n && dx; j++) {
        real h = (x[j] - saved[0]) * saved[1], g = w ? dy[j] * w[j] : dy[j];
        dx[j] = (g - sum_g / (real)n - h * (sum_gh / (real)n)) * saved[1] + (add ? dx[j] : 0);
    }
}

static void FN(forward_rows)(void *node, int64_t begin, int64_t end) {
    const tg_node *y = node;
    const tg_kernels *kernels = &tg_isa_now()->FN(kernels);
    int64_t n = row_length(y);
    const real *x = y->in[0]->data, *w = y->in[1] ? y->in[1]->data : NULL, *b = y->in[2] ? y->in[2]->data : NULL;
    const tg_layer_norm_attr *attr = y->attr;
    real *out = y->data, *saved = y->saved, eps = (real)attr->eps;
    for (int64_t row = begin; row < end; row++) {
        (kernels->norm ? kernels->norm : FN(row))(n, out + row * n, x + row * n, w, b, eps, attr->centered,
                                                  saved + 2 * row);
        if (saved[2 * row + 1] == 0)
            FN(large_row)(n, out + row * n, x + row * n, w, b, eps, attr->centered, saved + 2 * row);
    }
}

tg_status FN(tg_layer_norm_forward)(tg_node *y) {
    int64_t n = row_length(y);
    if (y->numel)
        tg_parallel_range(y->numel / n, rows_of_block(y), FN(forward_rows), y);
    return TG_OK;
}

/* The gradients, NULL where not wanted. sums: two arrays, of dw and of db, with a row per block. */
typedef struct gradient {
    const tg_node *y;
    real *dx, *dw, *db, *sums;
    bool fresh; /* dx is to be overwritten */
    int64_t blocks;
} gradient;

static void FN(vjp_rows)(void *context, int64_t begin, int64_t end) {
    const gradient *d = context;
    const tg_node *y = d->y;
    const tg_kernels *kernels = &tg_isa_now()->FN(kernels);
    int64_t n = row_length(y);
    const real *x = y->in[0]->data, *dy = y->grad, *w = y->in[1] ? y->in[1]->data : NULL, *saved = y->saved;
    bool centered = ((const tg_layer_norm_attr *)y->attr)->centered;
    real *dw = d->sums + begin / rows_of_block(y) * n, *db = dw + d->blocks * n;
    memset(dw, 0, (size_t)n * sizeof(real));
    memset(db, 0, (size_t)n * sizeof(real));
    for (int64_t row = begin; row < end; row++)
        (kernels->norm_vjp ? kernels->norm_vjp : FN(row_vjp))(n, d->dx ? d->dx + row * n : NULL, !d->fresh,
                                                              d->dw ? dw : NULL, d->db ? db : NULL, dy + row * n,
                                                              x + row * n, w, centered, saved + 2 * row);
}

/* The blocks' sums are added in the order of the blocks, whichever thread made them. A centered row of one element is
 * its own mean, and y does not depend on it: the formula would give rounding error times 1 / sqrt(eps). */
static tg_status FN(run_vjp)(tg_node *y, gradient *d) {
    int64_t n = row_length(y), rows = y->numel / n, block = rows_of_block(y);
    d->blocks = (rows + block - 1) / block;
    int64_t array = d->blocks * n, size[] = {d->blocks, n};
    size_t bytes = 2 * (size_t)array * sizeof(real);
    d->sums = tg_pool_get(y->tape, bytes);
    if (!d->sums)
        return tg_tape_status(y->tape);
    if (n == 1 && d->dx && ((const tg_layer_norm_attr *)y->attr)->centered) {
        if (d->fresh)
            memset(d->dx, 0, (size_t)rows * sizeof(real));
        d->dx = NULL;
    }
    tg_parallel_range(rows, block, FN(vjp_rows), d);
    if (d->dw)
        tg_accumulate(REAL_DTYPE, 2, size, d->dw, (int64_t[]){0, 1}, d->sums);
    if (d->db)
        tg_accumulate(REAL_DTYPE, 2, size, d->db, (int64_t[]){0, 1}, d->sums + array);
    tg_pool_put(y->tape, d->sums, bytes);
    return TG_OK;
}

tg_status FN(tg_layer_norm_vjp)(tg_node *y) {
    tg_slot dx = {.data = NULL}, dw = {.data = NULL}, db = {.data = NULL};
    bool bad = false;
    if (tg_wants(y, 0))
        bad = !(dx = tg_grad_dense(y, 0)).data;
    if (!bad && tg_wants(y, 1))
        bad = !(dw = tg_grad_dense(y, 1)).data;
    if (!bad && tg_wants(y, 2))
        bad = !(db = tg_grad_dense(y, 2)).data;
    tg_grad_clear(&dw);
    tg_grad_clear(&db);
    gradient d = {.y = y, .dx = dx.data, .dw = dw.data, .db = db.data, .fresh = dx.fresh};
    if (!bad && y->numel)
        bad = FN(run_vjp)(y, &d) != TG_OK;
    tg_grad_close(&dx);
    tg_grad_close(&dw);
    tg_grad_close(&db);
    return bad ? tg_tape_status(y->tape) : TG_OK;
}

#else
#define TG_SELF "kernels/layer_norm.c"
#include "core/twice.h"
#endif
