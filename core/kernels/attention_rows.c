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
/* ROWS: queries at a time. */
enum { ROWS = 512, TASK_ELEMENTS = 16 << 10, STACK = 1024 };

#define stripe FN(stripe)
#endif

#ifdef real

/* The queries from first on, and the first `keys` keys. kept: what dropout keeps, when it drops. */
typedef struct stripe {
    const tg_attention_job *job;
    int64_t batch, first, rows, keys;
    tg_matrix q, k, v, dq, dk, dv;
    real *s, *scratch, *dp, *y; /* scratch: for s where P is not kept; y: of these queries, and its gradient */
    const real *dy;
    real *lse;
    bool *kept;
} stripe;

static void FN(open_stripe)(stripe *b, int64_t batch, int64_t first) {
    const tg_attention_job *job = b->job;
    const tg_attention *a = job->a;
    int64_t row = batch * a->T + first;
    b->batch = batch;
    b->first = first;
    b->rows = tg_min(tg_min(ROWS, a->T), a->T - first);
    b->keys = a->causal ? tg_min(a->S, first + b->rows) : a->S;
    b->q = FN(tg_rows_from)(FN(tg_attention_matrix)(job, &job->q, batch), first);
    b->k = FN(tg_attention_matrix)(job, &job->k, batch);
    b->v = FN(tg_attention_matrix)(job, &job->v, batch);
    b->dq = FN(tg_rows_from)(FN(tg_attention_matrix)(job, &job->dq, batch), first);
    b->dk = FN(tg_attention_matrix)(job, &job->dk, batch);
    b->dv = FN(tg_attention_matrix)(job, &job->dv, batch);
    b->y = (real *)job->y->data + row * a->dv;
    b->dy = job->y->grad ? (const real *)job->y->grad + row * a->dv : NULL;
    b->lse = (real *)job->y->saved + row;
    b->s = a->keeps ? (real *)job->y->saved + a->batches * a->T + row * a->S : b->scratch;
}

/* C = or += A B with C m x n. Under the causal mask half of the work is left out, as `part` says. */
static tg_status FN(product)(const stripe *b, tg_part part, int64_t m, int64_t n, int64_t k, tg_matrix x, tg_matrix y,
                             bool add, tg_matrix out) {
    tg_triangle triangle = {b->job->a->causal ? part : TG_WHOLE, b->first};
    return FN(tg_gemm_triangle)(b->job->y->tape, triangle, m, n, k, x, y, add, out);
}

/* Numbers are drawn for hidden keys too. */
static void FN(draw)(const stripe *b, tg_rng_state *rng) {
    const tg_attention *a = b->job->a;
    for (int64_t i = 0; i < b->rows; i++)
        for (int64_t j = 0; j < a->S; j++) {
            bool keep = a->p < 1 && tg_rng_double(rng) < 1 - a->p;
            if (j < b->keys)
                b->kept[i * b->keys + j] = keep;
        }
}

/* How many of the stripe's keys its query i sees. */
static int64_t FN(seen)(const stripe *b, int64_t i) {
    return b->job->a->causal ? tg_min(b->keys, b->first + i + 1) : b->keys;
}

/* x *= D */
static void FN(drop)(const stripe *b, int64_t i, int64_t n, real *x) {
    real factor = 1 / (real)(1 - b->job->a->p);
    for (int64_t j = 0; b->kept && j < n; j++)
        x[j] = b->kept[i * b->keys + j] ? x[j] * factor : 0;
}

/* The row's first n scores: scaled, with the mask. */
static void FN(mask_row)(const stripe *b, int64_t i, int64_t n, real *s) {
    const tg_attention_job *job = b->job;
    for (int64_t j = 0; j < n; j++)
        s[j] *= (real)job->a->scale;
    if (!job->mask.data)
        return;
    const int64_t *step = job->mask.stride + job->y->ndim - 2;
    ptrdiff_t at = tg_attention_offset(job, &job->mask, b->batch) + (b->first + i) * step[0];
    bool is_bool = job->y->in[3]->dtype == TG_BOOL;
    for (int64_t j = 0; j < n; j++)
        if (!is_bool)
            s[j] += ((const real *)job->mask.data)[at + j * step[1]];
        else if (!((const bool *)job->mask.data)[at + j * step[1]])
            s[j] = -INFINITY;
}

/* s = P D, 0 for keys that the query does not see */
static void FN(softmax_task)(void *context, int64_t begin, int64_t end) {
    const stripe *b = context;
    for (int64_t i = begin; i < end; i++) {
        int64_t n = FN(seen)(b, i);
        real *s = b->s + i * b->keys;
        FN(mask_row)(b, i, n, s);
        real max = FN(tg_row_max)(n, s), shift = max == -INFINITY ? 0 : max;
        FN(tg_vexp)(n, s, s, shift);
        real sum = FN(tg_row_sum)(n, s), factor = sum == 0 ? 0 : 1 / sum;
        b->lse[i] = shift + M(log)(sum); /* -inf: nothing to see */
        for (int64_t j = 0; j < n; j++)
            s[j] *= factor;
        FN(drop)(b, i, n, s);
        memset(s + n, 0, (size_t)(b->keys - n) * sizeof *s);
    }
}

/* s = P, from the scores of the first n keys */
static void FN(weights_again)(const stripe *b, int64_t i, int64_t n, real *s) {
    FN(mask_row)(b, i, n, s);
    FN(tg_vexp)(n, s, s, b->lse[i] == -INFINITY ? 0 : b->lse[i]);
    memset(s + n, 0, (size_t)(b->keys - n) * sizeof *s);
}

/* s = P D, dp = P (D dp - delta), scaled unless the mask wants it as it is */
static void FN(softmax_vjp_task)(void *context, int64_t begin, int64_t end) {
    const stripe *b = context;
    int64_t dv = b->job->a->dv;
    real scale = b->job->dmask.data ? 1 : (real)b->job->a->scale;
    for (int64_t i = begin; i < end; i++) {
        int64_t n = FN(seen)(b, i), hidden = b->keys - n;
        real *s = b->s + i * b->keys, *dp = b->dp + i * b->keys;
        real delta = FN(tg_row_dot)(dv, b->dy + i * dv, b->y + i * dv);
        if (!b->job->a->keeps)
            FN(weights_again)(b, i, n, s);
        FN(drop)(b, i, n, dp);
        for (int64_t j = 0; j < n; j++)
            dp[j] = s[j] * (dp[j] - delta) * scale;
        FN(drop)(b, i, n, s);
        memset(dp + n, 0, (size_t)hidden * sizeof *dp);
    }
}

/* dmask += dS, then dS *= scale */
static void FN(add_mask_gradient)(const stripe *b) {
    const tg_attention_job *job = b->job;
    tg_matrix d = FN(tg_attention_matrix)(job, &job->dmask, b->batch);
    for (int64_t i = 0; d.data && i < b->rows; i++)
        for (int64_t j = 0; j < b->keys; j++) {
            real *at = b->dp + i * b->keys + j;
            d.data[(b->first + i) * d.row + j * d.col] += *at;
            *at *= (real)job->a->scale;
        }
}

static tg_status FN(forward_stripe)(stripe *b) {
    const tg_attention *a = b->job->a;
    tg_matrix s = {b->s, b->keys, 1}, y = {b->y, a->dv, 1};
    if (FN(product)(b, TG_LOWER_C, b->rows, b->keys, a->d, b->q, FN(tg_transposed)(b->k), false, s))
        return tg_tape_status(b->job->y->tape);
    tg_parallel_range(b->rows, TASK_ELEMENTS / (b->keys + 1), FN(softmax_task), b);
    return FN(product)(b, TG_LOWER_A, b->rows, a->dv, b->keys, s, b->v, false, y);
}

static tg_status FN(backward_stripe)(stripe *b) {
    const tg_attention *a = b->job->a;
    tg_matrix s = {b->s, b->keys, 1}, dp = {b->dp, b->keys, 1}, dy = {(real *)b->job->y->grad, a->dv, 1};
    dy.data += (b->batch * a->T + b->first) * a->dv;
    bool bad =
        (!a->keeps && FN(product)(b, TG_LOWER_C, b->rows, b->keys, a->d, b->q, FN(tg_transposed)(b->k), false, s)) ||
        FN(product)(b, TG_LOWER_C, b->rows, b->keys, a->dv, dy, FN(tg_transposed)(b->v), false, dp);
    if (bad)
        return tg_tape_status(b->job->y->tape);
    tg_parallel_range(b->rows, TASK_ELEMENTS / (b->keys + 1), FN(softmax_vjp_task), b);
    FN(add_mask_gradient)(b);
    bad =
        (b->dq.data && FN(product)(b, TG_LOWER_A, b->rows, a->d, b->keys, dp, b->k, true, b->dq)) ||
        (b->dk.data && FN(product)(b, TG_UPPER_A, b->keys, a->d, b->rows, FN(tg_transposed)(dp), b->q, true, b->dk)) ||
        (b->dv.data && FN(product)(b, TG_UPPER_A, b->keys, a->dv, b->rows, FN(tg_transposed)(s), dy, true, b->dv));
    return bad ? tg_tape_status(b->job->y->tape) : TG_OK;
}

tg_status FN(tg_attention_rows)(const tg_attention_job *job, tg_rng_state *rng, bool backward) {
    const tg_attention *a = job->a;
    stripe b = {.job = job};
    size_t elements = (size_t)tg_min(ROWS, a->T) * (size_t)a->S, matrices = (size_t)!a->keeps + backward;
    size_t bytes = elements * (matrices * sizeof(real) + sizeof(bool) * a->drops);
    real small[STACK];
    b.scratch = bytes <= sizeof small ? small : tg_pool_get(job->y->tape, bytes);
    if (!b.scratch)
        return tg_tape_status(job->y->tape);
    b.dp = a->keeps ? b.scratch : b.scratch + elements;
    b.kept = a->drops ? (bool *)(b.scratch + matrices * elements) : NULL;
    tg_status bad = TG_OK;
    for (int64_t batch = 0; batch < a->batches && !bad; batch++)
        for (int64_t first = 0; first < a->T && !bad; first += tg_min(ROWS, a->T)) {
            FN(open_stripe)(&b, batch, first);
            if (a->drops)
                FN(draw)(&b, rng);
            bad = backward ? FN(backward_stripe)(&b) : FN(forward_stripe)(&b);
        }
    if (b.scratch != small)
        tg_pool_put(job->y->tape, b.scratch, bytes);
    return bad;
}

#else
#define TG_SELF "kernels/attention_rows.c"
#include "core/twice.h"
#endif
