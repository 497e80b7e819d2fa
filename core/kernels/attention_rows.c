/* Attention by rows: the formulas of core/kernels/attention.c as matrix products for a few queries with all of their
 * keys.
 *   S = Q K^T      P = softmax(scale S + mask)      Y = (P D) V
 *   dP = dY V^T    dS = scale P (D dP - delta)      dQ += dS K      dK += dS^T Q      dV += (P D)^T dY
 * The plain form; the faster one for heads so wide that softmax is a small share of the work; and dropout's, whose
 * numbers come in the order of the rows. */
#include "core/kernels/attention.h"
#include "core/kernels/gemm.h"
#include "core/kernels/rows.h"
#include "core/kernels/threads.h"
#include "core/kernels/vmath.h"

#ifndef real
/* Queries at a time: few under the causal mask, as all of them look at the keys of the last. */
enum { ROWS = 512, CAUSAL_ROWS = 128, TASK_ELEMENTS = 16 << 10, STACK = 1024 };

static int64_t least(int64_t a, int64_t b) { return a < b ? a : b; }

static int64_t rows_of(const tg_attention *a) { return least(a->T, a->causal ? CAUSAL_ROWS : ROWS); }
#endif

#ifdef real

/* The queries from first on, and the first `keys` keys. kept: what dropout keeps, when it drops. */
typedef struct FN(stripe) {
    const tg_attention_job *job;
    int64_t batch, first, rows, keys;
    FN(tg_matrix) q, k, v, dq, dk, dv;
    real *s, *dp, *y; /* y: of these queries, and its gradient */
    const real *dy;
    real *lse;
    bool *kept;
} FN(stripe);

static void FN(open_stripe)(FN(stripe) * b, int64_t batch, int64_t first) {
    const tg_attention_job *job = b->job;
    const tg_attention *a = &job->a;
    int64_t row = batch * a->T + first;
    b->batch = batch;
    b->first = first;
    b->rows = least(rows_of(a), a->T - first);
    b->keys = a->causal ? least(a->S, first + b->rows) : a->S;
    b->q = FN(tg_attention_matrix)(job, &job->q, batch);
    b->k = FN(tg_attention_matrix)(job, &job->k, batch);
    b->v = FN(tg_attention_matrix)(job, &job->v, batch);
    b->dq = FN(tg_attention_matrix)(job, &job->dq, batch);
    b->dk = FN(tg_attention_matrix)(job, &job->dk, batch);
    b->dv = FN(tg_attention_matrix)(job, &job->dv, batch);
    b->q.data += first * b->q.row;
    b->dq.data = b->dq.data ? b->dq.data + first * b->dq.row : NULL;
    b->y = (real *)job->y->data + row * a->dv;
    b->dy = job->y->grad ? (const real *)job->y->grad + row * a->dv : NULL;
    b->lse = (real *)job->y->saved + row;
}

/* C = or += A B with C m x n */
static tg_status FN(product)(const FN(stripe) * b, int64_t m, int64_t n, int64_t k, FN(tg_matrix) x, FN(tg_matrix) y,
                             bool add, FN(tg_matrix) out) {
    return FN(tg_gemm)(b->job->y->tape, m, n, k, x.data, x.row, x.col, y.data, y.row, y.col, add, out.data, out.row,
                       out.col);
}

static FN(tg_matrix) FN(transposed)(FN(tg_matrix) x) { return (FN(tg_matrix)){x.data, x.col, x.row}; }

/* Numbers are drawn for hidden keys too. */
static void FN(draw)(const FN(stripe) * b, tg_rng_state *rng) {
    const tg_attention *a = &b->job->a;
    for (int64_t i = 0; i < b->rows; i++)
        for (int64_t j = 0; j < a->S; j++) {
            bool keep = a->p < 1 && tg_rng_double(rng) < 1 - a->p;
            if (j < b->keys)
                b->kept[i * b->keys + j] = keep;
        }
}

/* x *= D */
static void FN(drop)(const FN(stripe) * b, int64_t i, real *x) {
    real factor = 1 / (real)(1 - b->job->a.p);
    for (int64_t j = 0; b->kept && j < b->keys; j++)
        x[j] = b->kept[i * b->keys + j] ? x[j] * factor : 0;
}

/* The row's scores: scaled, with the mask, -inf where the query may not look. */
static void FN(mask_row)(const FN(stripe) * b, int64_t i, real *s) {
    const tg_attention_job *job = b->job;
    int64_t n = b->keys;
    for (int64_t j = 0; j < n; j++)
        s[j] *= (real)job->a.scale;
    if (job->mask.data) {
        const int64_t *step = job->mask.stride + job->y->ndim - 2;
        ptrdiff_t at = tg_attention_offset(job, &job->mask, b->batch) + (b->first + i) * step[0];
        bool is_bool = job->y->in[3]->dtype == TG_BOOL;
        for (int64_t j = 0; j < n; j++)
            if (!is_bool)
                s[j] += ((const real *)job->mask.data)[at + j * step[1]];
            else if (!((const bool *)job->mask.data)[at + j * step[1]])
                s[j] = -INFINITY;
    }
    for (int64_t j = b->first + i + 1; job->a.causal && j < n; j++)
        s[j] = -INFINITY;
}

/* s = P D */
static void FN(softmax_task)(void *context, int64_t begin, int64_t end, int worker) {
    const FN(stripe) *b = context;
    int64_t n = b->keys;
    for (int64_t i = begin; i < end; i++) {
        real *s = b->s + i * n;
        FN(mask_row)(b, i, s);
        real most = FN(tg_row_max)(n, s);
        b->lse[i] = most == -INFINITY ? 0 : most;
        for (int64_t j = 0; j < n; j++)
            s[j] -= b->lse[i];
    }
    FN(tg_vexp)((end - begin) * n, b->s + begin * n, b->s + begin * n, 0);
    for (int64_t i = begin; i < end; i++) {
        real *s = b->s + i * n, sum = FN(tg_row_sum)(n, s), factor = sum == 0 ? 0 : 1 / sum;
        b->lse[i] += M(log)(sum); /* -inf: nothing to see */
        for (int64_t j = 0; j < n; j++)
            s[j] *= factor;
        FN(drop)(b, i, s);
    }
    (void)worker;
}

/* s = P D, dp = P (D dp - delta) */
static void FN(softmax_vjp_task)(void *context, int64_t begin, int64_t end, int worker) {
    const FN(stripe) *b = context;
    int64_t n = b->keys, dv = b->job->a.dv;
    for (int64_t i = begin; i < end; i++) {
        real *s = b->s + i * n, shift = b->lse[i] == -INFINITY ? 0 : b->lse[i];
        FN(mask_row)(b, i, s);
        for (int64_t j = 0; j < n; j++)
            s[j] -= shift;
    }
    FN(tg_vexp)((end - begin) * n, b->s + begin * n, b->s + begin * n, 0);
    for (int64_t i = begin; i < end; i++) {
        real *s = b->s + i * n, *dp = b->dp + i * n, delta = FN(tg_row_dot)(dv, b->dy + i * dv, b->y + i * dv);
        FN(drop)(b, i, dp);
        for (int64_t j = 0; j < n; j++)
            dp[j] = s[j] * (dp[j] - delta);
        FN(drop)(b, i, s);
    }
    (void)worker;
}

/* dmask += dS, before dS is scaled */
static void FN(add_mask_gradient)(const FN(stripe) * b) {
    const tg_attention_job *job = b->job;
    FN(tg_matrix) d = FN(tg_attention_matrix)(job, &job->dmask, b->batch);
    for (int64_t i = 0; d.data && i < b->rows; i++)
        for (int64_t j = 0; j < b->keys; j++)
            d.data[(b->first + i) * d.row + j * d.col] += b->dp[i * b->keys + j];
}

static tg_status FN(forward_stripe)(FN(stripe) * b) {
    const tg_attention *a = &b->job->a;
    FN(tg_matrix) s = {b->s, b->keys, 1}, y = {b->y, a->dv, 1};
    if (FN(product)(b, b->rows, b->keys, a->d, b->q, FN(transposed)(b->k), false, s))
        return b->job->y->tape->status;
    tg_parallel_range(b->rows, TASK_ELEMENTS / (b->keys + 1), FN(softmax_task), b);
    return FN(product)(b, b->rows, a->dv, b->keys, s, b->v, false, y);
}

static tg_status FN(backward_stripe)(FN(stripe) * b) {
    const tg_attention *a = &b->job->a;
    FN(tg_matrix) s = {b->s, b->keys, 1}, dp = {b->dp, b->keys, 1}, dy = {(real *)b->job->y->grad, a->dv, 1};
    dy.data += (b->batch * a->T + b->first) * a->dv;
    bool bad = FN(product)(b, b->rows, b->keys, a->d, b->q, FN(transposed)(b->k), false, s) ||
               FN(product)(b, b->rows, b->keys, a->dv, dy, FN(transposed)(b->v), false, dp);
    if (bad)
        return b->job->y->tape->status;
    tg_parallel_range(b->rows, TASK_ELEMENTS / (b->keys + 1), FN(softmax_vjp_task), b);
    FN(add_mask_gradient)(b);
    for (int64_t e = 0; e < b->rows * b->keys; e++)
        b->dp[e] *= (real)a->scale;
    bad = (b->dq.data && FN(product)(b, b->rows, a->d, b->keys, dp, b->k, true, b->dq)) ||
          (b->dk.data && FN(product)(b, b->keys, a->d, b->rows, FN(transposed)(dp), b->q, true, b->dk)) ||
          (b->dv.data && FN(product)(b, b->keys, a->dv, b->rows, FN(transposed)(s), dy, true, b->dv));
    return bad ? b->job->y->tape->status : TG_OK;
}

tg_status FN(tg_attention_rows)(const tg_attention_job *job, tg_rng_state *rng, bool backward) {
    const tg_attention *a = &job->a;
    FN(stripe) b = {.job = job};
    size_t elements = (size_t)rows_of(a) * (size_t)a->S, matrices = backward ? 2 : 1;
    size_t bytes = elements * (matrices * sizeof(real) + sizeof(bool) * a->drops);
    real few[STACK];
    b.s = bytes <= sizeof few ? few : tg_pool_get(job->y->tape, bytes);
    if (!b.s)
        return job->y->tape->status;
    b.dp = b.s + elements;
    b.kept = a->drops ? (bool *)(b.s + matrices * elements) : NULL;
    tg_status bad = TG_OK;
    for (int64_t batch = 0; batch < a->batches && !bad; batch++)
        for (int64_t first = 0; first < a->T && !bad; first += rows_of(a)) {
            FN(open_stripe)(&b, batch, first);
            if (a->drops)
                FN(draw)(&b, rng);
            bad = backward ? FN(backward_stripe)(&b) : FN(forward_stripe)(&b);
        }
    if (b.s != few)
        tg_pool_put(job->y->tape, b.s, bytes);
    return bad;
}

#else
#define TG_SELF "kernels/attention_rows.c"
#include "core/twice.h"
#endif
