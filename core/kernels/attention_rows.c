/* Attention by rows: the formulas of core/kernels/attention.c as matrix products for a few queries with all of their
 * keys.
 *   S = Q K^T      P = softmax(scale S + mask)      Y = (P D) V
 *   dP = dY V^T    dS = scale P (D dP - delta)      dQ += dS K      dK += dS^T Q      dV += (P D)^T dY
 * The plain form; used for dropout too, whose numbers come in the order of the rows, and faster than tiles for heads so
 * wide that softmax is a small share of the work. */
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

/* The queries from first on, and the `keys` keys from `from` on that they see. kept: dropout's choices, or NULL. */
typedef struct stripe {
    const tg_attention_job *job;
    int64_t batch, first, rows, from, keys;
    tg_matrix q, k, v, dq, dk, dv;
    real *s, *scratch, *dp, *slope, *y; /* scratch: for s where P is not kept; y: of these queries, and its gradient;
                                           slope: with softcap, that of tanh */
    const real *dy;
    real *shift, *factor; /* y->saved of these queries */
    bool *kept;
} stripe;

static void FN(open_stripe)(stripe *b, int64_t batch, int64_t first) {
    const tg_attention_job *job = b->job;
    const tg_attention *a = job->a;
    int64_t row = batch * a->T + first;
    b->batch = batch;
    b->first = first;
    b->rows = tg_min(tg_min(ROWS, a->T), a->T - first);
    b->from = tg_attention_keys(job, batch, first).from;
    b->keys = tg_attention_keys(job, batch, first + b->rows - 1).end - b->from;
    b->q = FN(tg_rows_from)(FN(tg_attention_matrix)(job, &job->q, batch), first);
    b->k = FN(tg_rows_from)(FN(tg_attention_matrix)(job, &job->k, batch), b->from);
    b->v = FN(tg_rows_from)(FN(tg_attention_matrix)(job, &job->v, batch), b->from);
    b->dq = FN(tg_rows_from)(FN(tg_attention_matrix)(job, &job->dq, batch), first);
    b->dk = FN(tg_rows_from)(FN(tg_attention_matrix)(job, &job->dk, batch), b->from);
    b->dv = FN(tg_rows_from)(FN(tg_attention_matrix)(job, &job->dv, batch), b->from);
    b->y = (real *)job->y->data + row * a->dv;
    b->dy = job->y->grad ? (const real *)job->y->grad + row * a->dv : NULL;
    b->shift = FN(tg_attention_shift)(job->y) + row;
    b->factor = FN(tg_attention_factor)(job->y) + row;
    b->s = a->keeps ? FN(tg_attention_kept)(job->y) + row * a->S : b->scratch;
}

/* C = or += A B with C m x n. Under the causal mask half of the work is left out, as `part` says. */
static tg_status FN(product)(const stripe *b, tg_part part, int64_t m, int64_t n, int64_t k, tg_matrix x, tg_matrix y,
                             bool add, tg_matrix out) {
    tg_triangle triangle = {b->job->a->causal ? part : TG_WHOLE, b->first + b->job->a->offset - b->from};
    return FN(tg_gemm_triangle)(b->job->y->tape, triangle, m, n, k, x, y, add, out);
}

/* Which of the stripe's keys its query i sees. */
static tg_keys FN(seen)(const stripe *b, int64_t i) {
    tg_keys s = tg_attention_keys(b->job, b->batch, b->first + i);
    return (tg_keys){s.from - b->from, s.end - b->from};
}

/* Zeros in row i for the keys that its query does not see. */
static void FN(clear_hidden)(const stripe *b, tg_keys seen, real *row) {
    memset(row, 0, (size_t)seen.from * sizeof *row);
    memset(row + seen.end, 0, (size_t)(b->keys - seen.end) * sizeof *row);
}

/* x *= D */
static void FN(drop)(const stripe *b, int64_t i, tg_keys seen, real *x) {
    real factor = 1 / (real)(1 - b->job->a->p);
    for (int64_t j = seen.from; b->kept && j < seen.end; j++)
        x[j] = b->kept[i * b->keys + j] ? x[j] * factor : 0;
}

/* s = c tanh(s / c) of n elements; slope, unless NULL: the derivative of tanh */
static void FN(cap)(const stripe *b, int64_t n, real *s, real *slope) {
    real cap = (real)b->job->a->softcap;
    for (int64_t j = 0; j < n; j++)
        s[j] /= cap;
    if (slope)
        FN(tg_vtanh_slope)(n, slope, s);
    FN(tg_vtanh)(n, s, s);
    for (int64_t j = 0; j < n; j++)
        s[j] *= cap;
}

/* The scores of the keys that row i's query sees: scaled, capped, with alibi and mask added. */
static void FN(finish_scores)(const stripe *b, int64_t i, tg_keys seen, real *s) {
    const tg_attention_job *job = b->job;
    const tg_attention *a = job->a;
    for (int64_t j = seen.from; j < seen.end; j++)
        s[j] *= (real)a->scale;
    if (a->softcap > 0)
        FN(cap)(b, seen.end - seen.from, s + seen.from, b->slope ? b->slope + i * b->keys + seen.from : NULL);
    if (tg_attention_input(job->y, TG_ALIBI))
        FN(tg_add_alibi)
    (seen.end - seen.from, s + seen.from, 1, FN(tg_attention_number)(job->y, TG_ALIBI, b->batch),
     b->first + i + a->offset, b->from + seen.from);
    if (!job->mask.data)
        return;
    const int64_t *step = job->mask.stride + job->y->ndim - 2;
    ptrdiff_t at = tg_attention_offset(job, &job->mask, b->batch) + (b->first + i) * step[0] + b->from * step[1];
    bool is_bool = job->y->in[3]->dtype == TG_BOOL;
    for (int64_t j = seen.from; j < seen.end; j++)
        if (!is_bool)
            s[j] += ((const real *)job->mask.data)[at + j * step[1]];
        else if (!((const bool *)job->mask.data)[at + j * step[1]])
            s[j] = -INFINITY;
}

/* s = P D, 0 for keys that the query does not see */
static void FN(softmax_task)(void *context, int64_t begin, int64_t end) {
    const stripe *b = context;
    bool sinks = tg_attention_input(b->job->y, TG_SINKS);
    for (int64_t i = begin; i < end; i++) {
        tg_keys seen = FN(seen)(b, i);
        int64_t n = seen.end - seen.from;
        real *row = b->s + i * b->keys, *s = row + seen.from;
        FN(finish_scores)(b, i, seen, row);
        real max = FN(tg_row_max)(n, s), sink = sinks ? FN(tg_attention_number)(b->job->y, TG_SINKS, b->batch) : 0;
        if (sinks && sink > max)
            max = sink;
        real shift = max == -INFINITY ? 0 : max;
        FN(tg_vexp)(n, s, s, shift);
        real sum = FN(tg_row_sum)(n, s);
        if (sinks)
            sum += M(exp)(sink - shift);
        real factor = sum == 0 ? 0 : 1 / sum;
        b->shift[i] = shift;
        b->factor[i] = factor;
        for (int64_t j = 0; j < n; j++)
            s[j] *= factor;
        FN(drop)(b, i, seen, row);
        FN(clear_hidden)(b, seen, row);
    }
}

/* s = e^(s - shift), P without the factor, from the scores of the keys that query i sees */
static void FN(weights_again)(const stripe *b, int64_t i, tg_keys seen, real *row) {
    FN(finish_scores)(b, i, seen, row);
    FN(tg_vexp)(seen.end - seen.from, row + seen.from, row + seen.from, b->shift[i]);
    FN(clear_hidden)(b, seen, row);
}

/* s = P D, dp = P (D dp - delta), times scale unless the mask's gradient needs it unscaled */
static void FN(softmax_vjp_task)(void *context, int64_t begin, int64_t end) {
    const stripe *b = context;
    int64_t dv = b->job->a->dv;
    real scale = b->job->dmask.data ? 1 : (real)b->job->a->scale;
    for (int64_t i = begin; i < end; i++) {
        tg_keys seen = FN(seen)(b, i);
        real *s = b->s + i * b->keys, *dp = b->dp + i * b->keys;
        real delta = FN(tg_row_dot)(dv, b->dy + i * dv, b->y + i * dv), factor = b->job->a->keeps ? 1 : b->factor[i];
        if (!b->job->a->keeps)
            FN(weights_again)(b, i, seen, s);
        FN(drop)(b, i, seen, dp);
        for (int64_t j = seen.from; j < seen.end; j++) {
            s[j] *= factor;
            dp[j] = s[j] * (dp[j] - delta) * scale;
        }
        FN(drop)(b, i, seen, s);
        FN(clear_hidden)(b, seen, dp);
    }
}

/* dmask += dS, then dS *= scale */
static void FN(add_mask_gradient)(const stripe *b) {
    const tg_attention_job *job = b->job;
    tg_matrix d = FN(tg_attention_matrix)(job, &job->dmask, b->batch);
    for (int64_t i = 0; d.data && i < b->rows; i++)
        for (int64_t j = 0; j < b->keys; j++) {
            real *at = b->dp + i * b->keys + j;
            d.data[(b->first + i) * d.row + (b->from + j) * d.col] += *at;
            *at *= (real)job->a->scale;
        }
}

/* dS times the slope of softcap */
static void FN(apply_slope)(const stripe *b) {
    for (int64_t i = 0; b->slope && i < b->rows; i++) {
        tg_keys seen = FN(seen)(b, i);
        for (int64_t j = i * b->keys + seen.from; j < i * b->keys + seen.end; j++)
            b->dp[j] *= b->slope[j];
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
    FN(apply_slope)(b);
    bad =
        (b->dq.data && FN(product)(b, TG_LOWER_A, b->rows, a->d, b->keys, dp, b->k, true, b->dq)) ||
        (b->dk.data && FN(product)(b, TG_UPPER_A, b->keys, a->d, b->rows, FN(tg_transposed)(dp), b->q, true, b->dk)) ||
        (b->dv.data && FN(product)(b, TG_UPPER_A, b->keys, a->dv, b->rows, FN(tg_transposed)(s), dy, true, b->dv));
    return bad ? tg_tape_status(b->job->y->tape) : TG_OK;
}

tg_status FN(tg_attention_rows)(const tg_attention_job *job, tg_rng_state *rng, bool backward) {
    const tg_attention *a = job->a;
    stripe b = {.job = job};
    bool slopes = backward && a->softcap > 0;
    size_t elements = (size_t)tg_min(ROWS, a->T) * (size_t)a->S, matrices = (size_t)!a->keeps + backward + slopes;
    size_t bytes = elements * (matrices * sizeof(real) + sizeof(bool) * a->drops);
    real small[STACK];
    b.scratch = bytes <= sizeof small ? small : tg_pool_get(job->y->tape, bytes);
    if (!b.scratch)
        return tg_tape_status(job->y->tape);
    b.dp = a->keeps ? b.scratch : b.scratch + elements;
    b.slope = slopes ? b.dp + elements : NULL;
    b.kept = a->drops ? (bool *)(b.scratch + matrices * elements) : NULL;
    tg_status bad = TG_OK;
    for (int64_t batch = 0; batch < a->batches && !bad; batch++)
        for (int64_t first = 0; first < a->T && !bad; first += tg_min(ROWS, a->T)) {
            FN(open_stripe)(&b, batch, first);
            if (a->drops)
                tg_attention_draw(a, rng, b.rows, b.from, b.keys, b.kept);
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
