/* See core/kernels/sums.h. The dims fall into two groups: kept, and summed over. If the last dim is summed, each
 * element of dst is a sum of runs; else rows along dst's last dim are added to one another. */
#include "core/kernels/sums.h"
#include "core/kernels/rows.h"
#include "core/walk.h"

#ifndef real
enum {
    COLUMNS = 512,
    FEW = 4,
    SHARE = 16 << 10
}; /* FEW: up to this many rows are added one by one; SHARE: elements that one thread takes at a time */

typedef struct dims {
    int n;
    int64_t size[TG_MAX_DIMS], to[TG_MAX_DIMS], from[TG_MAX_DIMS];
} dims;

/* Items are positions along the kept dims: an element of dst, or one of `blocks` blocks of columns of its last dim. */
typedef struct sums {
    dims kept, summed;
    char *dst;
    const char *src;
    int64_t run;              /* elements of a run; 0: sums of rows */
    int64_t columns, to_step; /* of the last dim */
    int64_t blocks, rows;     /* rows: those, or runs, that are added to one another */
} sums;
#endif

#ifdef real

/* dst += the sum of the runs that begin along w */
static void FN(add_runs)(const sums *s, real *dst, const real *src, tg_walk *w) {
    double sum = 0;
    for (int64_t i = 0; i < s->rows; i++, tg_walk_next(w, 1))
        sum += (double)FN(tg_row_sum)(s->run, src + w->offset);
    *dst += (real)sum;
}

/* dst += the rows of n elements that begin along w, if they are few */
static void FN(add_few)(const sums *s, int64_t n, real *dst, const real *src, tg_walk *w) {
    for (int64_t i = 0; i < s->rows; i++, tg_walk_next(w, 1)) {
        const real *row = src + w->offset;
        if (s->to_step == 1)
            for (int64_t j = 0; j < n; j++)
                dst[j] += row[j];
        else
            for (int64_t j = 0; j < n; j++)
                dst[j * s->to_step] += row[j];
    }
}

/* dst += the sum of the rows of n elements that begin along w */
static void FN(add_columns)(const sums *s, int64_t n, real *dst, const real *src, tg_walk *w) {
    double sum[COLUMNS];
    int64_t i = 0;
    for (int64_t j = 0; j < n; j++)
        sum[j] = 0;
    for (; i + 4 <= s->rows; i += 4) {
        const real *row[4];
        for (int k = 0; k < 4; k++, tg_walk_next(w, 1))
            row[k] = src + w->offset;
        for (int64_t j = 0; j < n; j++)
            sum[j] += (double)((row[0][j] + row[1][j]) + (row[2][j] + row[3][j]));
    }
    for (; i < s->rows; i++, tg_walk_next(w, 1))
        for (int64_t j = 0; j < n; j++)
            sum[j] += (double)src[w->offset + j];
    for (int64_t j = 0; j < n; j++)
        dst[j * s->to_step] += (real)sum[j];
}

static void FN(run_sums)(void *context, int64_t begin, int64_t end) {
    const sums *s = context;
    tg_walk to, from, summed;
    tg_walk_begin(&summed, s->summed.n, s->summed.size, s->summed.from);
    tg_walk_begin(&to, s->kept.n, s->kept.size, s->kept.to);
    tg_walk_begin(&from, s->kept.n, s->kept.size, s->kept.from);
    tg_walk_seek(&to, begin / s->blocks);
    tg_walk_seek(&from, begin / s->blocks);
    for (int64_t i = begin; i < end; i++) {
        int64_t at = i % s->blocks * COLUMNS, left = s->columns - at;
        real *dst = (real *)(void *)s->dst + to.offset + at * s->to_step;
        const real *src = (const real *)(const void *)s->src + from.offset + at;
        tg_walk w = summed;
        if (s->run)
            FN(add_runs)(s, dst, src, &w);
        else if (s->rows <= FEW)
            FN(add_few)(s, left < COLUMNS ? left : COLUMNS, dst, src, &w);
        else
            FN(add_columns)(s, left < COLUMNS ? left : COLUMNS, dst, src, &w);
        if ((i + 1) % s->blocks == 0) {
            tg_walk_next(&to, 1);
            tg_walk_next(&from, 1);
        }
    }
}

#else
#define TG_SELF "kernels/sums.c"
#include "core/twice.h"

static void add_dim(dims *d, int64_t size, int64_t to, int64_t from) {
    d->size[d->n] = size;
    d->to[d->n] = to;
    d->from[d->n++] = from;
}

static int64_t product(const dims *d) {
    int64_t n = 1;
    for (int i = 0; i < d->n; i++)
        n *= d->size[i];
    return n;
}

/* Take the last dim out. src is contiguous along it and the summed dims before it, which make one run. */
static void take_last(sums *s, bool summed) {
    dims *d = summed ? &s->summed : &s->kept;
    s->columns = s->to_step = 1;
    s->run = summed;
    if (!summed && d->n) {
        s->columns = d->size[--d->n];
        s->to_step = d->to[d->n];
    }
    while (summed && d->n && d->from[d->n - 1] == s->run)
        s->run *= d->size[--d->n];
    s->rows = product(&s->summed);
    s->blocks = (s->columns - 1) / COLUMNS + 1;
}

void tg_sum_into(tg_dtype dtype, int ndim, const int64_t *size, void *dst, const int64_t *dstride, const void *src) {
    static tg_range_task *const kernel[TG_N_DTYPES] = TG_BOTH(run_sums);
    sums s = {.dst = dst, .src = src};
    int64_t dense[TG_MAX_DIMS], numel = 1;
    bool summed = false;
    tg_dense_strides(ndim, size, dense);
    for (int i = 0; i < ndim; i++) {
        numel *= size[i];
        if (size[i] != 1) {
            summed = dstride[i] == 0;
            add_dim(summed ? &s.summed : &s.kept, size[i], dstride[i], dense[i]);
        }
    }
    if (!numel)
        return;
    take_last(&s, summed);
    int64_t items = product(&s.kept) * s.blocks;
    tg_parallel_range(items, SHARE / (numel / items + 1) + 1, kernel[dtype], &s);
}

#endif
