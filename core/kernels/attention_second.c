/* The second derivative of attention, by blocks of queries, for core/ops/internal/attention_grad.c. The gradients of
 *   L = sum gq dq + gk dk + gv dv + gmask dmask,    dq, dk, dv, dmask as in core/kernels/attention.c,
 * with respect to q, k, v, mask and dy. With S = Q K^T scale + mask, P = softmax(S), dP = D (dY V^T) and
 *   R = scale (gQ K^T + Q gK^T) + gmask    the change of S along g
 *   W = D (dY gV^T)                        the change of dP along gV
 *   L = sum P ((dP - delta) R + W),    delta = sum P dP,    rho = sum P R    (sums over a row)
 *   E = (dP - delta) R + W - rho dP    dL / dP
 *   ddY += D P (R - rho) V + D P gV           ddV += (D P (R - rho))^T dY
 *   dS = P (dP - delta)                       dS2 = P (E - sum P E)
 *   ddQ += scale (dS gK + dS2 K)              ddK += scale (dS^T gQ + dS2^T Q)      ddmask += dS2
 * Four matrices of a few queries by all their keys exist at a time, so memory is linear in T.
 *
 * The threads share the heads of the keys, each taking its blocks of queries in turn. With one head only, with dropout
 * (numbers in the order of the rows) or with a mask's gradient (sums over heads), they share the products and the rows
 * of each block instead. */
#include "core/kernels/attention_second.h"
#include "core/kernels/gemm.h"
#include "core/kernels/rows.h"
#include "core/kernels/threads.h"
#include "core/kernels/vmath.h"

#ifndef real
enum { ROWS = 32, TASK_ELEMENTS = 16 << 10 };

#define block FN(block)
#define heads FN(heads)
#endif

#ifdef real

/* A block's queries, from first on, the `keys` keys from `from` on that they see, and its part of every operand;
 * outputs are NULL when they are not wanted. */
typedef struct block {
    const tg_attention_second *job;
    const tg_attention *a;
    tg_tape *t;
    int64_t batch, first, rows, from, keys;
    const real *q, *k, *v, *dy, *gq, *gk, *gv;
    real *ddq, *ddk, *ddv, *ddy;
    real *p, *dp, *r, *w; /* rows x keys; first P, dP, R and W, then D P, scale dS, D P (R - rho) and scale dS2 */
    bool *kept;           /* by dropout, or NULL */
    bool second;          /* dS and dS2 are wanted; else dp and w are undefined */
    real *room;           /* scratch for products when the block stays in one thread; NULL: the threads share them */
} block;

static real *FN(from)(const void *data, int64_t rows, int64_t size) {
    return data ? (real *)(uintptr_t)data + rows * size : NULL;
}

static void FN(open_block)(block *b, int64_t batch, int64_t first) {
    const tg_attention_second *j = b->job;
    const tg_attention *a = b->a;
    int64_t row = batch * a->T + first, from = tg_attention_near(a, first).from, key = batch / a->group * a->S + from;
    b->batch = batch;
    b->first = first;
    b->rows = tg_min(ROWS, a->T - first);
    b->from = from;
    b->keys = tg_attention_near(a, first + b->rows - 1).end - from;
    b->q = FN(from)(j->in[0]->data, row, a->d);
    b->k = FN(from)(j->in[1]->data, key, a->d);
    b->v = FN(from)(j->in[2]->data, key, a->dv);
    b->dy = FN(from)(j->dy, row, a->dv);
    b->gq = FN(from)(j->g[0], row, a->d);
    b->gk = FN(from)(j->g[1], key, a->d);
    b->gv = FN(from)(j->g[2], key, a->dv);
    b->ddq = FN(from)(j->out[0], row, a->d);
    b->ddk = FN(from)(j->out[1], key, a->d);
    b->ddv = FN(from)(j->out[2], key, a->dv);
    b->ddy = FN(from)(j->out[4], row, a->dv);
}

/* The offset of row i's first key in the mask (or its gradient), and the step from key to key. */
static ptrdiff_t FN(mask_at)(const block *b, int64_t i, ptrdiff_t *step) {
    const tg_attention_second *j = b->job;
    int last = j->y->ndim - 1;
    ptrdiff_t at = (b->first + i) * j->mask_stride[last - 1] + b->from * j->mask_stride[last];
    int64_t batch = b->batch;
    for (int d = last - 2; d >= 0; d--) {
        at += batch % j->y->size[d] * j->mask_stride[d];
        batch /= j->y->size[d];
    }
    *step = j->mask_stride[last];
    return at;
}

/* s = P from q k^T, and r = R from its product, for the keys skip .. n - 1. P is normalised afresh, not by the
 * forward's saved factors: E - sum P E cancels where P is 1, and scores rounded in another order would give a P that
 * does not sum to 1. */
static void FN(weights)(const block *b, int64_t i, int64_t skip, int64_t n, real *s, real *r) {
    const tg_node *mask = b->job->in[3];
    real scale = (real)b->a->scale;
    ptrdiff_t step = 0, at = mask ? FN(mask_at)(b, i, &step) : 0;
    const real *gmask = b->job->g[3];
    for (int64_t j = skip; j < n; j++) {
        s[j] *= scale;
        r[j] *= scale;
    }
    for (int64_t j = skip; mask && j < n; j++)
        if (mask->dtype != TG_BOOL)
            s[j] += ((const real *)mask->data)[at + j * step];
        else if (!((const bool *)mask->data)[at + j * step])
            s[j] = -INFINITY;
    for (int64_t j = skip; gmask && j < n; j++)
        r[j] += gmask[at + j * step];
    real max = FN(tg_row_max)(n - skip, s + skip);
    FN(tg_vexp)(n - skip, s + skip, s + skip, max == -INFINITY ? 0 : max);
    real sum = FN(tg_row_sum)(n - skip, s + skip), factor = sum == 0 ? 0 : 1 / sum;
    for (int64_t j = skip; j < n; j++)
        s[j] *= factor;
}

static void FN(drop)(const block *b, int64_t i, int64_t n, real *x) {
    real factor = 1 / (real)(1 - b->a->p);
    for (int64_t j = 0; b->kept && j < n; j++)
        x[j] = b->kept[i * b->keys + j] ? x[j] * factor : 0;
}

/* Row i of p, dp, r and w: from P, dP, R, W to their second contents; w keeps dS2 unscaled for the mask's gradient. */
static void FN(row)(const block *b, int64_t i) {
    tg_keys seen = tg_attention_near(b->a, b->first + i);
    int64_t n = seen.end - b->from, skip = seen.from - b->from, at = i * b->keys;
    real *p = b->p + at, *dp = b->dp + at, *r = b->r + at, *w = b->w + at;
    real scale = (real)b->a->scale, scale2 = b->job->out[3] ? 1 : scale;
    real *rows[] = {p, dp, r, w};
    for (int k = 0; k < 4; k++) {
        memset(rows[k], 0, (size_t)skip * sizeof(real));
        memset(rows[k] + n, 0, (size_t)(b->keys - n) * sizeof(real));
    }
    FN(weights)(b, i, skip, n, p, r);
    if (b->second) {
        FN(drop)(b, i, n, dp);
        FN(drop)(b, i, n, w);
    }
    real delta = b->second ? FN(tg_row_dot)(n, p, dp) : 0, rho = FN(tg_row_dot)(n, p, r);
    for (int64_t j = 0; j < n && b->second; j++) {
        real d = dp[j] - delta;
        w[j] += d * r[j] - rho * dp[j];
        dp[j] = p[j] * d * scale;
    }
    real mean = b->second ? FN(tg_row_dot)(n, p, w) : 0;
    for (int64_t j = 0; j < n && b->second; j++)
        w[j] = p[j] * (w[j] - mean) * scale2;
    for (int64_t j = 0; j < n; j++)
        r[j] = p[j] * (r[j] - rho);
    FN(drop)(b, i, n, p);
    FN(drop)(b, i, n, r);
}

static void FN(row_task)(void *context, int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; i++)
        FN(row)(context, i);
}

static void FN(add_to_mask)(const block *b) {
    real *dmask = b->job->out[3];
    for (int64_t i = 0; dmask && i < b->rows; i++) {
        ptrdiff_t step, at = FN(mask_at)(b, i, &step);
        for (int64_t j = 0; j < b->keys; j++) {
            dmask[at + j * step] += b->w[i * b->keys + j];
            b->w[i * b->keys + j] *= (real)b->a->scale;
        }
    }
}

/* n columns to a row */
static tg_matrix FN(dense)(const real *x, int64_t n) { return (tg_matrix){(real *)(uintptr_t)x, n, 1}; }

static bool FN(product_fails)(const block *b, tg_part part, int64_t m, int64_t n, int64_t k, tg_matrix x, tg_matrix y,
                              bool add, tg_matrix out) {
    tg_triangle triangle = {b->a->causal ? part : TG_WHOLE, b->first + b->a->offset - b->from};
    if (!b->room)
        return FN(tg_gemm_triangle)(b->t, triangle, m, n, k, x, y, add, out) != TG_OK;
    FN(tg_gemm_in)(b->room, triangle, m, n, k, x, y, add, out);
    return false;
}

/* scores (rows x keys) = or += x y^T, x of the block's queries, y of its keys, n columns each; 0 if either is NULL */
static bool FN(scores)(const block *b, real *s, bool add, const real *x, const real *y, int64_t n) {
    if (x && y)
        return FN(product_fails)(b, TG_LOWER_C, b->rows, b->keys, n, FN(dense)(x, n),
                                 FN(tg_transposed)(FN(dense)(y, n)), add, FN(dense)(s, b->keys));
    if (!add)
        memset(s, 0, (size_t)(b->rows * b->keys) * sizeof *s);
    return false;
}

/* out (queries) += s y, y n columns of the keys */
static bool FN(to_queries)(const block *b, real *out, const real *s, const real *y, int64_t n) {
    return out && y &&
           FN(product_fails)(b, TG_LOWER_A, b->rows, n, b->keys, FN(dense)(s, b->keys), FN(dense)(y, n), true,
                             FN(dense)(out, n));
}

/* out (keys) += s^T x, x n columns of the queries */
static bool FN(to_keys)(const block *b, real *out, const real *s, const real *x, int64_t n) {
    return out && x &&
           FN(product_fails)(b, TG_UPPER_A, b->keys, n, b->rows, FN(tg_transposed)(FN(dense)(s, b->keys)),
                             FN(dense)(x, n), true, FN(dense)(out, n));
}

static bool FN(block_fails)(block *b) {
    int64_t d = b->a->d, dv = b->a->dv;
    bool bad = FN(scores)(b, b->p, false, b->q, b->k, d) || FN(scores)(b, b->r, false, b->gq, b->k, d) ||
               FN(scores)(b, b->r, true, b->q, b->gk, d);
    if (b->second)
        bad = bad || FN(scores)(b, b->dp, false, b->dy, b->v, dv) || FN(scores)(b, b->w, false, b->dy, b->gv, dv);
    if (bad)
        return true;
    tg_parallel_range(b->rows, TASK_ELEMENTS / (b->keys + 1) + 1, FN(row_task), b);
    FN(add_to_mask)(b);
    return FN(to_queries)(b, b->ddy, b->r, b->v, dv) || FN(to_queries)(b, b->ddy, b->p, b->gv, dv) ||
           FN(to_keys)(b, b->ddv, b->r, b->dy, dv) || FN(to_queries)(b, b->ddq, b->dp, b->gk, d) ||
           FN(to_queries)(b, b->ddq, b->w, b->k, d) || FN(to_keys)(b, b->ddk, b->dp, b->gq, d) ||
           FN(to_keys)(b, b->ddk, b->w, b->q, d);
}

/* The heads of the keys, taken one after another or shared by the threads. */
typedef struct heads {
    const tg_attention_second *job;
    const tg_attention *a;
    real *scratch; /* per worker: the four matrices, then dropout's choices or scratch for products */
    size_t matrix, size;
    bool shared, failed;
    tg_rng_state rng;
} heads;

static size_t FN(products_room)(const tg_attention *a) {
    int64_t d = tg_max(a->d, a->dv);
    size_t scores = FN(tg_gemm_room)(ROWS, a->S, d), queries = FN(tg_gemm_room)(ROWS, d, a->S);
    size_t keys = FN(tg_gemm_room)(a->S, d, ROWS), most = scores > queries ? scores : queries;
    return most > keys ? most : keys;
}

/* All queries of one head of the keys. */
static void FN(head_task)(void *context, int64_t head, int worker) {
    heads *h = context;
    const tg_attention *a = h->a;
    real *scratch = h->scratch + (size_t)worker * h->size, *rest = scratch + 4 * h->matrix;
    block b = {.job = h->job, .a = a, .t = h->job->y->tape, .p = scratch, .dp = scratch + h->matrix};
    b.r = b.dp + h->matrix;
    b.w = b.r + h->matrix;
    b.second = h->job->out[0] || h->job->out[1] || h->job->out[3];
    b.kept = a->drops ? (bool *)rest : NULL;
    b.room = h->shared ? rest : NULL;
    for (int64_t batch = head * a->group; batch < (head + 1) * a->group; batch++)
        for (int64_t first = 0; first < a->T; first += ROWS) {
            FN(open_block)(&b, batch, first);
            if (a->drops)
                tg_attention_draw(a, &h->rng, b.rows, b.from, b.keys, b.kept);
            if (FN(block_fails)(&b)) {
                h->failed = true;
                return;
            }
        }
}

tg_status FN(tg_attention_second)(const tg_attention_second *job) {
    const tg_attention *a = job->y->attr;
    tg_tape *t = job->y->tape;
    int64_t n = a->batches / a->group;
    int workers = (int)tg_min(tg_workers(), n);
    heads h = {.job = job, .a = a, .matrix = (size_t)tg_min(ROWS, a->T) * (size_t)a->S};
    h.shared = workers > 1 && !a->drops && !job->out[3];
    h.size = 4 * h.matrix + (h.shared ? FN(products_room)(a) : a->drops ? h.matrix / sizeof(real) + 1 : 0);
    size_t bytes = h.size * sizeof(real) * (size_t)(h.shared ? workers : 1);
    h.scratch = tg_pool_get(t, bytes);
    if (!h.scratch)
        return tg_tape_status(t);
    if (a->drops)
        h.rng = *tg_attention_generator(job->y);
    if (h.shared)
        tg_parallel(workers, n, FN(head_task), &h);
    for (int64_t i = 0; i < n && !h.shared && !h.failed; i++)
        FN(head_task)(&h, i, 0);
    tg_pool_put(t, h.scratch, bytes);
    return h.failed ? tg_tape_status(t) : TG_OK;
}

#else
#define TG_SELF "kernels/attention_second.c"
#include "core/twice.h"
#endif
