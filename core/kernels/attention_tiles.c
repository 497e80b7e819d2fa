/* Attention in tiles. The formulas are in core/kernels/attention.c; the order of the work is that of Dao et al.
 * (FlashAttention, 2022): the scores of a few queries and keys at a time, with the online softmax of Milakov and
 * Gimelshein (2018), recomputed for the gradients.
 *
 * All matrices over keys and queries are stored transposed: a row for each key, a column for each query. The queries
 * then fill the vectors of the tile kernel, k and v are read in place an element at a time, whatever their strides, and
 * maxima and sums run down columns:
 *   S^T = K Q^T      O^T += V^T P^T      dP^T = V dO^T      dQ^T = K^T dS^T      dV += P^T dO      dK += dS^T Q
 * A panel is as many queries as a tile has columns. Keys that no query of a panel sees, because of the causal mask, the
 * window or the documents, are skipped.
 *
 * Every block of dq, dk and dv is summed in one order, whatever the number of threads. */
#include "core/kernels/attention.h"
#include "core/kernels/isa.h"
#include "core/kernels/rows.h"
#include "core/kernels/threads.h"
#include "core/kernels/vmath.h"

#ifndef real
enum {
    PANEL_BYTES = 16 << 10, /* of scores, for the first-level cache: sets the keys per step */
    FORWARD_QUERIES = 128,
    QUERIES = 256,            /* of a block in the backward pass */
    SUB_QUERIES = 128,        /* of these, loaded at a time */
    KEYS = 512,               /* of a block in the backward pass: queries are loaded once for all of them */
    MANY_HEADS = 8,           /* that give enough tasks; with fewer, blocks are smaller */
    SLICE = 256,              /* of d */
    MAX_PANELS = 32,          /* of SUB_QUERIES: a panel has at least 4 queries */
    DELTA_ROWS = 1024,        /* of a task */
    WORTH_SHARING = 256 << 10 /* products from which several threads pay */
};

#define tiles FN(tiles)
#define block FN(block)
#define forward_scratch FN(forward_scratch)
#define backward_scratch FN(backward_scratch)
#endif

#ifdef real

typedef struct tiles {
    const tg_attention_job *job;
    const tg_kernels *kernels;
    int width;                               /* of a panel */
    int64_t keys, task_keys;                 /* per step; per task of the backward pass */
    int64_t query_blocks, key_blocks, stage; /* query_blocks: of a head */
    size_t scratch_size;                     /* elements, per worker */
    real *scratch, *delta;                   /* delta: dy . y for each query */
} tiles;

/* A block at work: its batch's matrices. */
typedef struct block {
    const tiles *c;
    int64_t batch;
    tg_matrix q, k, v, dq, dk, dv, dmask;
} block;

static block FN(block_of)(const tiles *c, int64_t batch) {
    const tg_attention_job *job = c->job;
    return (block){.c = c,
                   .batch = batch,
                   .q = FN(tg_attention_matrix)(job, &job->q, batch),
                   .k = FN(tg_attention_matrix)(job, &job->k, batch),
                   .v = FN(tg_attention_matrix)(job, &job->v, batch),
                   .dq = FN(tg_attention_matrix)(job, &job->dq, batch),
                   .dk = FN(tg_attention_matrix)(job, &job->dk, batch),
                   .dv = FN(tg_attention_matrix)(job, &job->dv, batch),
                   .dmask = FN(tg_attention_matrix)(job, &job->dmask, batch)};
}

/* ---- products ---- */

/* C = or += A B: B and C have contiguous columns, at most a panel of them, A any strides. k is partitioned so that B
 * stays in the first-level cache. */
static void FN(multiply)(const tiles *c, int64_t m, int vectors, int64_t k, tg_matrix a, tg_matrix b, bool add,
                         tg_matrix out) {
    for (int64_t p = 0; p < k; p += SLICE) {
        int64_t slice = tg_min(SLICE, k - p);
        int rows;
        for (int64_t r = 0; r < m; r += rows) {
            rows = tg_tile_rows(m - r, c->kernels->tall);
            c->kernels->tile(rows, vectors, slice, a.data + r * a.row + p * a.col, a.row, a.col, b.data + p * b.row,
                             b.row, add || p, out.data + r * out.row, out.row);
        }
    }
}

static int FN(vectors)(const tiles *c, int64_t columns) { return columns > c->kernels->lanes ? 2 : 1; }

/* n rows of x, transposed, in panels one behind the other; columns without a row are 0 */
static void FN(to_panels)(const tiles *c, int64_t n, int64_t cols, tg_matrix x, real factor, real *out) {
    for (int64_t i = 0; i < n; i += c->width) {
        c->kernels->pack(c->width, tg_min(c->width, n - i), cols, x.data + i * x.row, x.row, x.col, out);
        for (int64_t e = 0; e < cols * c->width && factor != 1; e++)
            out[e] *= factor;
        out += cols * c->width;
    }
}

/* out = or += x^T, x a panel of n columns; buffer: width + 1 rows of width */
static void FN(from_panel)(const tiles *c, int64_t n, int64_t rows, const real *x, bool add, tg_matrix out,
                           real *buffer) {
    for (int64_t r = 0; r < rows; r += c->width) {
        int64_t some = tg_min(c->width, rows - r);
        c->kernels->pack(c->width, some, n, x + r * c->width, c->width, 1, buffer);
        for (int64_t i = 0; i < n; i++) {
            const real *from = buffer + i * c->width;
            real *to = out.data + i * out.row + r * out.col;
            if (out.col == 1 && add)
                for (int64_t j = 0; j < some; j++)
                    to[j] += from[j];
            else
                for (int64_t j = 0; j < some; j++)
                    to[j * out.col] = add ? to[j * out.col] + from[j] : from[j];
        }
    }
}

/* ---- masks ---- */

/* The keys that at least one of n queries from q0 on sees. */
static tg_keys FN(seen_by)(const block *b, int64_t q0, int64_t n) {
    const tg_attention_job *job = b->c->job;
    if (!job->a->limited)
        return (tg_keys){0, job->a->S};
    return (tg_keys){tg_attention_keys(job, b->batch, q0).from, tg_attention_keys(job, b->batch, q0 + n - 1).end};
}

/* Those among the `keys` keys from k0 on, counted from k0. */
static tg_keys FN(seen_among)(const block *b, int64_t q0, int64_t n, int64_t k0, int64_t keys) {
    tg_keys s = FN(seen_by)(b, q0, n);
    s.from = s.from < k0 ? 0 : tg_min(s.from - k0, keys);
    s.end = s.end < k0 + s.from ? s.from : tg_min(s.end - k0, keys);
    return s;
}

/* -inf for keys that some queries of the panel see and others do not */
static void FN(apply_spans)(const block *b, int64_t q0, int64_t n, int64_t k0, int64_t keys, real *s, ptrdiff_t row) {
    const tg_attention_job *job = b->c->job;
    if (tg_attention_keys(job, b->batch, q0).end >= k0 + keys &&
        tg_attention_keys(job, b->batch, q0 + n - 1).from <= k0)
        return;
    for (int64_t i = 0; i < n; i++) {
        tg_keys seen = tg_attention_keys(job, b->batch, q0 + i);
        for (int64_t r = 0; r < tg_min(keys, seen.from - k0); r++)
            s[r * row + i] = -INFINITY;
        for (int64_t r = seen.end < k0 ? 0 : seen.end - k0; r < keys; r++)
            s[r * row + i] = -INFINITY;
    }
}

/* s = c tanh(s / c); slope, unless NULL: the derivative of tanh */
static void FN(cap)(const tiles *c, int vectors, int64_t keys, real *s, ptrdiff_t row, real *slope) {
    real cap = (real)c->job->a->softcap;
    int n = vectors * c->kernels->lanes;
    for (int64_t r = 0; r < keys * row; r += row) {
        for (int i = 0; i < n; i++)
            s[r + i] /= cap;
        if (slope)
            FN(tg_vtanh_slope)(n, slope + r, s + r);
        FN(tg_vtanh)(n, s + r, s + r);
        for (int i = 0; i < n; i++)
            s[r + i] *= cap;
    }
}

static void FN(apply_alibi)(const block *b, int64_t q0, int64_t n, int64_t k0, int64_t keys, real *s, ptrdiff_t row) {
    const tg_node *y = b->c->job->y;
    real slope = FN(tg_attention_number)(y, TG_ALIBI, b->batch);
    for (int64_t r = 0; r < keys; r++)
        FN(tg_add_alibi)(n, s + r * row, 1, slope, k0 + r, q0 + b->c->job->a->offset);
}

static void FN(apply_mask)(const block *b, int64_t q0, int64_t n, int64_t k0, int64_t keys, real *s, ptrdiff_t row) {
    const tg_attention_job *job = b->c->job;
    const int64_t *step = job->mask.stride + job->y->ndim - 2;
    ptrdiff_t at = tg_attention_offset(job, &job->mask, b->batch) + q0 * step[0] + k0 * step[1];
    bool is_bool = job->y->in[3]->dtype == TG_BOOL;
    for (int64_t r = 0; r < keys; r++)
        for (int64_t i = 0; i < n; i++) {
            ptrdiff_t m = at + i * step[0] + r * step[1];
            if (!is_bool)
                s[r * row + i] += ((const real *)job->mask.data)[m];
            else if (!((const bool *)job->mask.data)[m])
                s[r * row + i] = -INFINITY;
        }
}

/* s = the scores of n queries from q0 on (qt: their panel) and the keys from k0 on; slope: softcap's, or NULL */
static void FN(scores)(const block *b, int64_t q0, int64_t n, real *qt, int64_t k0, int64_t keys, real *s,
                       ptrdiff_t row, real *slope) {
    const tiles *c = b->c;
    tg_matrix k = FN(tg_rows_from)(b->k, k0), panel = {qt, c->width, 1};
    FN(multiply)(c, keys, FN(vectors)(c, n), c->job->a->d, k, panel, false, (tg_matrix){s, row, 1});
    if (c->job->a->softcap > 0)
        FN(cap)(c, FN(vectors)(c, n), keys, s, row, slope);
    if (tg_attention_input(c->job->y, TG_ALIBI))
        FN(apply_alibi)(b, q0, n, k0, keys, s, row);
    if (c->job->mask.data)
        FN(apply_mask)(b, q0, n, k0, keys, s, row);
    if (c->job->a->limited)
        FN(apply_spans)(b, q0, n, k0, keys, s, row);
}

/* ---- forward ---- */

/* A worker's scratch: panels of q and of y, the softmax's state for each query, a panel of scores, a buffer. */
typedef struct forward_scratch {
    real *qt, *yt, *max, *sum, *factor, *s, *buffer;
} forward_scratch;

static size_t FN(lay_forward)(const tiles *c, real *at, forward_scratch *r) {
    const tg_attention *a = c->job->a;
    int64_t queries = tg_round_up(tg_min(FORWARD_QUERIES, a->T), c->width),
            keys = tg_round_up(tg_min(c->keys, a->S), 16);
    const int64_t sizes[] = {queries * a->d,  queries * a->dv,          queries, queries, queries,
                             keys * c->width, (c->width + 1) * c->width};
    real **parts[] = {&r->qt, &r->yt, &r->max, &r->sum, &r->factor, &r->s, &r->buffer};
    size_t used = 0;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        *parts[i] = at + used;
        used += (size_t)tg_round_up(sizes[i], 16);
    }
    return used;
}

/* One step of the panel of queries at q0: the keys of the block at k0. */
static void FN(forward_step)(const block *b, const forward_scratch *r, int64_t q0, int64_t first, int64_t n,
                             int64_t k0) {
    const tiles *c = b->c;
    const tg_attention *a = c->job->a;
    tg_keys seen = FN(seen_among)(b, q0, n, k0, tg_min(c->keys, a->S - k0));
    int64_t at = q0 - first, keys = seen.end - seen.from, from = k0 + seen.from;
    int vectors = FN(vectors)(c, n);
    real *yt = r->yt + at * a->dv;
    if (!keys)
        return;
    FN(scores)(b, q0, n, r->qt + at * a->d, from, keys, r->s, c->width, NULL);
    c->kernels->softmax_columns(keys, vectors, r->s, c->width, r->max + at, r->sum + at, r->factor);
    bool add = from > FN(seen_by)(b, q0, n).from;
    if (add)
        c->kernels->scale_columns(a->dv, vectors, yt, c->width, r->factor);
    tg_matrix v = FN(tg_rows_from)(b->v, from), weights = {r->s, c->width, 1}, sums = {yt, c->width, 1};
    FN(multiply)(c, a->dv, vectors, keys, FN(tg_transposed)(v), weights, add, sums);
}

static void FN(forward_finish)(const block *b, const forward_scratch *r, int64_t q0, int64_t first, int64_t n) {
    const tiles *c = b->c;
    const tg_attention *a = c->job->a;
    int64_t at = q0 - first, row = b->batch * a->T + q0;
    real *yt = r->yt + at * a->dv, *shift = FN(tg_attention_shift)(c->job->y) + row;
    real *factor = FN(tg_attention_factor)(c->job->y) + row;
    tg_keys seen = FN(seen_by)(b, q0, n);
    if (seen.from == seen.end)
        memset(yt, 0, (size_t)(a->dv * c->width) * sizeof *yt);
    for (int64_t i = 0; i < n; i++) {
        real max = r->max[at + i], sum = r->sum[at + i];
        shift[i] = max == -INFINITY ? 0 : max;
        factor[i] = r->factor[i] = sum == 0 ? 0 : 1 / sum;
    }
    c->kernels->scale_columns(a->dv, FN(vectors)(c, n), yt, c->width, r->factor);
    tg_matrix y = {(real *)c->job->y->data + row * a->dv, a->dv, 1};
    FN(from_panel)(c, n, a->dv, yt, false, y, r->buffer);
}

static void FN(forward_task)(void *context, int64_t index, int worker) {
    const tiles *c = context;
    const tg_attention *a = c->job->a;
    block b = FN(block_of)(c, index / c->query_blocks);
    int64_t first = (c->query_blocks - 1 - index % c->query_blocks) * FORWARD_QUERIES; /* the longest first */
    int64_t end = tg_min(a->T, first + FORWARD_QUERIES);
    tg_keys seen = FN(seen_by)(&b, first, end - first);
    bool sinks = tg_attention_input(c->job->y, TG_SINKS);
    real sink = sinks ? FN(tg_attention_number)(c->job->y, TG_SINKS, b.batch) : -INFINITY;
    forward_scratch r;
    FN(lay_forward)(c, c->scratch + (size_t)worker * c->scratch_size, &r);
    FN(to_panels)(c, end - first, a->d, FN(tg_rows_from)(b.q, first), (real)a->scale, r.qt);
    for (int64_t i = 0; i < tg_round_up(end - first, c->width); i++) {
        r.max[i] = sink;
        r.sum[i] = sink == -INFINITY ? 0 : 1;
    }
    for (int64_t k0 = seen.from / c->keys * c->keys; k0 < seen.end; k0 += c->keys)
        for (int64_t q0 = first; q0 < end; q0 += c->width)
            FN(forward_step)(&b, &r, q0, first, tg_min(c->width, end - q0), k0);
    for (int64_t q0 = first; q0 < end; q0 += c->width)
        FN(forward_finish)(&b, &r, q0, first, tg_min(c->width, end - q0));
}

/* ---- backward ---- */

/* A worker's scratch: of a few queries the panels of q and dy, the softmax's constants, P and dS; panels of dq, a
 * buffer; and copies of q, dy, dk and dv, padded to whole vectors, where they cannot be used in place. */
typedef struct backward_scratch {
    real *qt, *dyt, *shift, *factor, *delta, *p, *ds, *slope, *dqt, *buffer, *q, *dy, *dk, *dv; /* slope: softcap's */
} backward_scratch;

static int64_t FN(padded)(const tiles *c, int64_t cols) { return tg_round_up(cols, c->kernels->lanes); }

static size_t FN(lay_backward)(const tiles *c, real *at, backward_scratch *r) {
    const tg_attention *a = c->job->a;
    int64_t n = SUB_QUERIES, keys = tg_min(c->keys, a->S), most = tg_min(c->task_keys, a->S);
    int64_t d = FN(padded)(c, a->d), dv = FN(padded)(c, a->dv);
    int64_t slopes = a->softcap > 0 ? keys * n : 0;
    const int64_t sizes[] = {n * a->d, n * a->dv, n,        n,        n,
                             keys * n, keys * n,  slopes,   n * a->d, (c->width + 1) * c->width,
                             n * d,    n * dv,    most * d, most * dv};
    real **parts[] = {&r->qt,    &r->dyt, &r->shift,  &r->factor, &r->delta, &r->p,  &r->ds,
                      &r->slope, &r->dqt, &r->buffer, &r->q,      &r->dy,    &r->dk, &r->dv};
    size_t used = 0;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        *parts[i] = at + used;
        used += (size_t)tg_round_up(sizes[i], 16);
    }
    return used;
}

/* True when tiles can read and write whole vectors of x's rows. */
static bool FN(has_vectors)(const tiles *c, int64_t cols, tg_matrix x) {
    return x.col == 1 && cols % c->kernels->lanes == 0;
}

/* x's n rows, padded with zeros to whole vectors: in place if possible, else in `scratch` */
static tg_matrix FN(as_rows)(const tiles *c, int64_t n, int64_t cols, tg_matrix x, real *scratch) {
    int64_t width = FN(padded)(c, cols), rows = FN(padded)(c, n);
    if (FN(has_vectors)(c, cols, x) && rows == n)
        return x;
    memset(scratch, 0, (size_t)(rows * width) * sizeof *scratch);
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < cols; j++)
            scratch[i * width + j] = x.data[i * x.row + j * x.col];
    return (tg_matrix){scratch, width, 1};
}

/* Loads the n queries from q0 on: fills r, and returns q and dy as rows. */
static void FN(load_queries)(const block *b, const backward_scratch *r, int64_t q0, int64_t n, tg_matrix *q,
                             tg_matrix *dy) {
    const tiles *c = b->c;
    const tg_attention *a = c->job->a;
    int64_t row = b->batch * a->T + q0;
    const real *shift = FN(tg_attention_shift)(c->job->y) + row;
    const real *factor = FN(tg_attention_factor)(c->job->y) + row;
    *q = FN(tg_rows_from)(b->q, q0);
    *dy = (tg_matrix){(real *)c->job->y->grad + row * a->dv, a->dv, 1};
    FN(to_panels)(c, n, a->d, *q, (real)a->scale, r->qt);
    FN(to_panels)(c, n, a->dv, *dy, 1, r->dyt);
    *q = FN(as_rows)(c, n, a->d, *q, r->q);
    *dy = FN(as_rows)(c, n, a->dv, *dy, r->dy);
    for (int64_t i = 0; i < SUB_QUERIES; i++) {
        r->shift[i] = i >= n ? 0 : shift[i];
        r->factor[i] = i >= n ? 0 : factor[i];
        r->delta[i] = i >= n ? 0 : c->delta[row + i];
    }
}

/* dmask += dS; then dS *= scale */
static void FN(add_mask_gradient)(const block *b, int64_t q0, int64_t n, int64_t k0, int64_t keys, real *ds) {
    tg_matrix d = b->dmask;
    for (int64_t r = 0; r < keys; r++)
        for (int64_t i = 0; i < n; i++) {
            real *at = ds + r * SUB_QUERIES + i;
            d.data[(q0 + i) * d.row + (k0 + r) * d.col] += *at;
            *at *= (real)b->c->job->a->scale;
        }
}

/* Clears P and dS of a panel for the keys `from` .. `end` - 1. */
static void FN(clear_keys)(const tiles *c, const backward_scratch *r, int64_t at, int64_t from, int64_t end) {
    for (int64_t i = from; i < end; i++) {
        memset(r->p + i * SUB_QUERIES + at, 0, (size_t)c->width * sizeof *r->p);
        memset(r->ds + i * SUB_QUERIES + at, 0, (size_t)c->width * sizeof *r->ds);
    }
}

/* dS *= slope */
static void FN(apply_slope)(int64_t keys, int n, real *ds, const real *slope) {
    for (int64_t r = 0; r < keys * SUB_QUERIES; r += SUB_QUERIES)
        for (int i = 0; i < n; i++)
            ds[r + i] *= slope[r + i];
}

/* P and scale dS of the panel of n queries at q0, the at-th loaded, for the keys of the block at k0 that it sees. */
static void FN(backward_panel)(const block *b, const backward_scratch *r, int64_t q0, int64_t at, int64_t n, int64_t k0,
                               tg_keys seen) {
    const tiles *c = b->c;
    const tg_attention *a = c->job->a;
    int64_t keys = seen.end - seen.from, from = k0 + seen.from, reach = c->kernels->tall;
    int vectors = FN(vectors)(c, n);
    real *p = r->p + seen.from * SUB_QUERIES + at, *ds = r->ds + seen.from * SUB_QUERIES + at;
    real *slope = a->softcap > 0 ? r->slope + seen.from * SUB_QUERIES + at : NULL;
    FN(scores)(b, q0, n, r->qt + at * a->d, from, keys, p, SUB_QUERIES, slope);
    tg_matrix dyt = {r->dyt + at * a->dv, c->width, 1}, dp = {ds, SUB_QUERIES, 1};
    FN(multiply)(c, keys, vectors, a->dv, FN(tg_rows_from)(b->v, from), dyt, false, dp);
    c->kernels->softmax_columns_vjp(keys, vectors, p, ds, SUB_QUERIES, r->shift + at, r->factor + at, r->delta + at,
                                    b->dmask.data ? 1 : (real)a->scale);
    if (b->dmask.data)
        FN(add_mask_gradient)(b, q0, n, from, keys, ds);
    if (slope)
        FN(apply_slope)(keys, vectors * c->kernels->lanes, ds, slope);
    /* tiles may read beyond the keys that this panel sees */
    FN(clear_keys)(c, r, at, seen.from < reach ? 0 : seen.from - reach, seen.from);
    FN(clear_keys)(c, r, at, seen.end, tg_min(seen.end + reach, tg_min(c->keys, a->S - k0)));
}

/* dq += dS k, for the panel that begins at the at-th loaded query. */
static void FN(add_query_gradient)(const block *b, const backward_scratch *r, int64_t at, real *ds, int64_t n,
                                   int64_t k0, int64_t keys) {
    const tiles *c = b->c;
    int64_t d = c->job->a->d;
    tg_matrix k = FN(tg_rows_from)(b->k, k0), dqt = {r->dqt + at * d, c->width, 1};
    FN(multiply)(c, d, FN(vectors)(c, n), keys, FN(tg_transposed)(k), (tg_matrix){ds, SUB_QUERIES, 1}, true, dqt);
}

/* out (keys x cols) += weights^T x over n queries: weights has a row of SUB_QUERIES for each key. seen: the keys that
 * each panel of queries sees; panels that see none of a tile's keys are skipped. */
static void FN(add_key_gradient)(const tiles *c, const tg_keys *seen, int64_t n, real *weights, tg_matrix x,
                                 int64_t cols, tg_matrix out) {
    int64_t panels = tg_blocks(n, c->width), keys = seen[panels - 1].end;
    int rows;
    for (int64_t j = 0; j < cols; j += c->width) {
        int vectors = FN(vectors)(c, cols - j);
        int64_t first = 0, last = 0; /* the panels that see the tile's keys: first .. last - 1 */
        for (int64_t r = seen[0].from; r < keys; r += rows) {
            rows = tg_tile_rows(keys - r, c->kernels->tall);
            while (seen[first].end <= r)
                first++;
            while (last < panels && seen[last].from < r + rows)
                last++;
            int64_t from = first * c->width, end = tg_min(n, last * c->width);
            c->kernels->tile(rows, vectors, end - from, weights + r * SUB_QUERIES + from, SUB_QUERIES, 1,
                             x.data + from * x.row + j, x.row, true, out.data + r * out.row + j, out.row);
        }
    }
}

/* Rows that tiles can add to: d's in place if possible, else zeros in `scratch`. */
static tg_matrix FN(open_rows)(const tiles *c, int64_t n, int64_t cols, tg_matrix d, real *scratch) {
    int64_t width = FN(padded)(c, cols);
    if (!d.data || FN(has_vectors)(c, cols, d))
        return d;
    memset(scratch, 0, (size_t)(n * width) * sizeof *scratch);
    return (tg_matrix){scratch, width, 1};
}

static void FN(close_rows)(int64_t n, int64_t cols, tg_matrix rows, tg_matrix d) {
    for (int64_t i = 0; i < n && rows.data != d.data; i++)
        for (int64_t j = 0; j < cols; j++)
            d.data[i * d.row + j * d.col] += rows.data[i * rows.row + j];
}

/* Adds to dq, dk and dv the terms of n queries (at most SUB_QUERIES; their rows are q and dy) and the keys from k0 to
 * end - 1. */
static void FN(backward_step)(const block *b, const backward_scratch *r, int64_t q0, int64_t n, int64_t k0, int64_t end,
                              tg_matrix q, tg_matrix dy, tg_matrix dk, tg_matrix dv) {
    const tiles *c = b->c;
    const tg_attention *a = c->job->a;
    tg_keys all = FN(seen_among)(b, q0, n, k0, end - k0), seen[MAX_PANELS];
    if (all.from == all.end)
        return;
    for (int64_t at = 0; at < n; at += c->width) {
        int64_t some = tg_min(c->width, n - at);
        tg_keys *keys = &seen[at / c->width];
        *keys = FN(seen_among)(b, q0 + at, some, k0, end - k0);
        FN(backward_panel)(b, r, q0 + at, at, some, k0, *keys);
        if (b->dq.data && keys->from < keys->end)
            FN(add_query_gradient)
        (b, r, at, r->ds + keys->from * SUB_QUERIES + at, some, k0 + keys->from, keys->end - keys->from);
    }
    if (dv.data)
        FN(add_key_gradient)(c, seen, FN(padded)(c, n), r->p, dy, FN(padded)(c, a->dv), dv);
    if (dk.data)
        FN(add_key_gradient)(c, seen, FN(padded)(c, n), r->ds, q, FN(padded)(c, a->d), dk);
}

/* The same for all keys of a block. */
static void FN(backward_queries)(const block *b, const backward_scratch *r, int64_t q0, int64_t n, int64_t k0,
                                 int64_t end, tg_matrix dk, tg_matrix dv) {
    const tiles *c = b->c;
    const tg_attention *a = c->job->a;
    tg_matrix q, dy;
    tg_keys seen = FN(seen_among)(b, q0, n, k0, end - k0);
    if (seen.from == seen.end)
        return;
    FN(load_queries)(b, r, q0, n, &q, &dy);
    memset(r->dqt, 0, (size_t)(tg_round_up(n, c->width) * a->d) * sizeof *r->dqt);
    for (int64_t k = k0; k < end; k += c->keys)
        FN(backward_step)
    (b, r, q0, n, k, tg_min(end, k + c->keys), q, dy, dk.data ? FN(tg_rows_from)(dk, k - k0) : dk,
     dv.data ? FN(tg_rows_from)(dv, k - k0) : dv);
    for (int64_t at = 0; b->dq.data && at < n; at += c->width)
        FN(from_panel)
    (c, tg_min(c->width, n - at), a->d, r->dqt + at * a->d, true, FN(tg_rows_from)(b->dq, q0 + at), r->buffer);
}

/* The same for QUERIES queries from first on. */
static void FN(backward_block)(const block *b, int64_t first, int64_t k0, int worker) {
    const tiles *c = b->c;
    const tg_attention *a = c->job->a;
    int64_t end = tg_min(a->T, first + QUERIES), n = tg_min(c->task_keys, a->S - k0);
    backward_scratch r;
    FN(lay_backward)(c, c->scratch + (size_t)worker * c->scratch_size, &r);
    tg_matrix dk = FN(tg_rows_from)(b->dk, k0), dv = FN(tg_rows_from)(b->dv, k0);
    tg_matrix dk_rows = FN(open_rows)(c, n, a->d, dk, r.dk), dv_rows = FN(open_rows)(c, n, a->dv, dv, r.dv);
    for (int64_t q0 = first; q0 < end; q0 += SUB_QUERIES)
        FN(backward_queries)(b, &r, q0, tg_min(SUB_QUERIES, end - q0), k0, k0 + n, dk_rows, dv_rows);
    FN(close_rows)(n, a->d, dk_rows, dk);
    FN(close_rows)(n, a->dv, dv_rows, dv);
}

/* The blocks of queries or of keys of a head of k and v, whichever are more. */
static int64_t FN(stages)(const tiles *c) {
    int64_t query_blocks = c->query_blocks * c->job->a->group;
    return query_blocks > c->key_blocks ? query_blocks : c->key_blocks;
}

/* No two tasks of a stage have queries or keys in common: query block i, over all heads that share the keys, takes key
 * block i - stage. */
static void FN(backward_task)(void *context, int64_t index, int worker) {
    const tiles *c = context;
    const tg_attention *a = c->job->a;
    int64_t n = FN(stages)(c), i = index % n, j = (i - c->stage + n) % n;
    if (i >= c->query_blocks * a->group || j >= c->key_blocks)
        return;
    block b = FN(block_of)(c, index / n * a->group + i / c->query_blocks);
    int64_t first = i % c->query_blocks * QUERIES, k0 = j * c->task_keys;
    tg_keys seen = FN(seen_among)(&b, first, tg_min(QUERIES, a->T - first), k0, tg_min(c->task_keys, a->S - k0));
    if (seen.from < seen.end)
        FN(backward_block)(&b, first, k0, worker);
}

/* ---- all blocks ---- */

static tiles FN(plan)(const tg_attention_job *job) {
    const tg_kernels *kernels = &tg_isa_now()->FN(kernels);
    tiles c = {.job = job, .kernels = kernels, .width = 2 * kernels->lanes};
    c.keys = PANEL_BYTES / (c.width * (int64_t)sizeof(real));
    c.task_keys = job->a->batches < MANY_HEADS ? c.keys : tg_round_up(KEYS, c.keys);
    c.key_blocks = tg_blocks(job->a->S, c.task_keys);
    return c;
}

static int FN(workers)(const tiles *c) {
    const tg_attention *a = c->job->a;
    double work = (double)a->batches * (double)a->T * (double)a->S * (double)(a->d + a->dv);
    return work < WORTH_SHARING || c->job->dmask.data ? 1 : tg_workers(); /* a mask's elements may be in every block */
}

/* delta of the queries from begin on */
static void FN(delta_task)(void *context, int64_t begin, int64_t end) {
    const tiles *c = context;
    const tg_node *y = c->job->y;
    int64_t dv = c->job->a->dv;
    for (int64_t row = begin; row < end; row++)
        c->delta[row] = FN(tg_row_dot)(dv, (const real *)y->grad + row * dv, (const real *)y->data + row * dv);
}

tg_status FN(tg_attention_tiles_forward)(const tg_attention_job *job) {
    tiles c = FN(plan)(job);
    forward_scratch r;
    int workers = FN(workers)(&c);
    c.query_blocks = tg_blocks(job->a->T, FORWARD_QUERIES);
    c.scratch_size = FN(lay_forward)(&c, NULL, &r);
    size_t bytes = c.scratch_size * sizeof(real) * (size_t)workers;
    c.scratch = tg_pool_get(job->y->tape, bytes);
    if (!c.scratch)
        return tg_tape_status(job->y->tape);
    tg_parallel(workers, job->a->batches * c.query_blocks, FN(forward_task), &c);
    tg_pool_put(job->y->tape, c.scratch, bytes);
    return TG_OK;
}

tg_status FN(tg_attention_tiles_vjp)(const tg_attention_job *job) {
    tiles c = FN(plan)(job);
    backward_scratch r;
    int workers = FN(workers)(&c);
    int64_t rows = job->a->batches * job->a->T;
    c.query_blocks = tg_blocks(job->a->T, QUERIES);
    c.scratch_size = FN(lay_backward)(&c, NULL, &r);
    size_t bytes = (c.scratch_size * (size_t)workers + (size_t)rows) * sizeof(real);
    c.scratch = tg_pool_get(job->y->tape, bytes);
    if (!c.scratch)
        return tg_tape_status(job->y->tape);
    c.delta = c.scratch + c.scratch_size * (size_t)workers;
    if (workers > 1)
        tg_parallel_range(rows, DELTA_ROWS, FN(delta_task), &c);
    else
        FN(delta_task)(&c, 0, rows);
    int64_t n = FN(stages)(&c);
    for (c.stage = 0; c.stage < n; c.stage++)
        tg_parallel(workers, job->a->batches / job->a->group * n, FN(backward_task), &c);
    tg_pool_put(job->y->tape, c.scratch, bytes);
    return TG_OK;
}

#else
#define TG_SELF "kernels/attention_tiles.c"
#include "core/twice.h"
#endif
