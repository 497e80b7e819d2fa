/* See core/kernels/indexed.h. Positions along the dims other than `dim` share no elements of x or y, so threads share
 * these, and an element of x is added to in y's order whatever their number. Lines run along the last dim. Where that
 * is not `dim`, a thread takes columns: few where each element has its own index, so that the columns of x stay in the
 * cache. */
#include "core/kernels/indexed.h"
#include "core/kernels/threads.h"

#ifndef real
enum { SHARE = 16 << 10 };                    /* elements that one thread takes at a time */
enum { OWN_INDEX = 64, ONE_INDEX = 1 << 10 }; /* columns of a block: with an index each, or one for all */

/* Steps along a line; each: x's step per index. */
typedef struct line {
    int64_t n, y, x, id, each;
} line;
typedef void line_kernel(const line *l, char *y, char *x, const int64_t *id);

typedef struct job {
    const tg_indexed *d;
    char *y, *x;
    ptrdiff_t bytes;
    line_kernel *kernel;
    line l;         /* n: at most */
    int64_t blocks; /* of each line */
} job;

static bool in_rows(const line *l) { return l->id == 0 && l->y == 1 && l->x == 1; }
#endif

#ifdef real

static void FN(pick_add_line)(const line *l, char *to, char *from, const int64_t *id) {
    real *y = (real *)(void *)to;
    const real *x = (const real *)(void *)from;
    if (in_rows(l))
        for (int64_t j = 0; j < l->n; j++)
            y[j] += x[*id * l->each + j];
    else
        for (int64_t j = 0; j < l->n; j++)
            y[j * l->y] += x[j * l->x + id[j * l->id] * l->each];
}

static void FN(add_picked_line)(const line *l, char *from, char *to, const int64_t *id) {
    const real *y = (const real *)(void *)from;
    real *x = (real *)(void *)to;
    if (in_rows(l))
        for (int64_t j = 0; j < l->n; j++)
            x[*id * l->each + j] += y[j];
    else
        for (int64_t j = 0; j < l->n; j++)
            x[j * l->x + id[j * l->id] * l->each] += y[j * l->y];
}

#else
#define TG_SELF "kernels/indexed.c"
#include "core/twice.h"

/* id | (size - 1 - id) is negative exactly when id is outside. */
int64_t tg_index_outside(int64_t n, const int64_t *index, int64_t size) {
    uint64_t signs = 0;
    for (int64_t i = 0; i < n; i++)
        signs |= (uint64_t)index[i] | ((uint64_t)size - 1 - (uint64_t)index[i]);
    int64_t i = signs >> 63 ? 0 : n;
    while (i < n && index[i] >= 0 && index[i] < size)
        i++;
    return i;
}

static inline __attribute__((always_inline)) void pick_line(ptrdiff_t bytes, const line *l, char *restrict y,
                                                            const char *restrict x, const int64_t *restrict id) {
    int64_t n = l->n, y_step = l->y * bytes, x_step = l->x * bytes, id_step = l->id, each = l->each * bytes;
    if (in_rows(l))
        memcpy(y, x + *id * each, (size_t)(n * bytes));
    else if (x_step == 0 && y_step == bytes && each == bytes && id_step == 1)
        for (int64_t j = 0; j < n; j++)
            memcpy(y + j * bytes, x + id[j] * bytes, (size_t)bytes);
    else
        for (int64_t j = 0; j < n; j++)
            memcpy(y + j * y_step, x + j * x_step + id[j * id_step] * each, (size_t)bytes);
}
static void pick_1(const line *l, char *y, char *x, const int64_t *id) { pick_line(1, l, y, x, id); }
static void pick_4(const line *l, char *y, char *x, const int64_t *id) { pick_line(4, l, y, x, id); }
static void pick_8(const line *l, char *y, char *x, const int64_t *id) { pick_line(8, l, y, x, id); }
static void pick_16(const line *l, char *y, char *x, const int64_t *id) { pick_line(16, l, y, x, id); }

/* Where a line begins in y, in x and in the index. */
typedef struct place {
    ptrdiff_t y, x, id;
} place;

static place place_of(const job *j, int64_t block) {
    const tg_indexed *d = j->d;
    int64_t column = block % j->blocks * j->l.n, at = block / j->blocks;
    int last = d->ndim - 1;
    place p = {column * d->y[last], column * j->l.x, column * d->id[last]};
    for (int k = last - 1; k >= 0; k--) {
        if (k == d->dim)
            continue;
        int64_t i = at % d->size[k];
        at /= d->size[k];
        p.y += i * d->y[k];
        p.x += i * d->x[k];
        p.id += i * d->id[k];
    }
    return p;
}

/* Blocks begin .. end - 1, each one line, or one line for each position along dim. */
static void run(void *context, int64_t begin, int64_t end) {
    const job *j = context;
    const tg_indexed *d = j->d;
    int64_t last = d->size[d->ndim - 1], lines = d->dim == d->ndim - 1 ? 1 : d->size[d->dim];
    for (int64_t block = begin; block < end; block++) {
        place p = place_of(j, block);
        line l = j->l;
        int64_t left = last - block % j->blocks * l.n;
        l.n = left < l.n ? left : l.n;
        for (int64_t i = 0; i < lines; i++)
            j->kernel(&l, j->y + (p.y + i * d->y[d->dim]) * j->bytes, j->x + p.x * j->bytes,
                      d->index + p.id + i * d->id[d->dim]);
    }
}

static void start(job *j) {
    const tg_indexed *d = j->d;
    int last = d->ndim - 1;
    int64_t n = d->size[last], most = d->dim == last ? n : d->id[last] ? OWN_INDEX : ONE_INDEX, items = 1, numel = 1;
    for (int i = 0; i < d->ndim; i++) {
        numel *= d->size[i];
        items *= i == d->dim || i == last ? 1 : d->size[i];
    }
    if (!numel)
        return;
    j->l = (line){n < most ? n : most, d->y[last], d->dim == last ? 0 : d->x[last], d->id[last], d->x[d->dim]};
    j->blocks = (n - 1) / j->l.n + 1;
    items *= j->blocks;
    tg_parallel_range(items, SHARE / (numel / items + 1) + 1, run, j);
}

void tg_pick(size_t bytes, const tg_indexed *d, void *y, const void *x) {
    line_kernel *kernel = bytes == 1 ? pick_1 : bytes == 4 ? pick_4 : bytes == 8 ? pick_8 : pick_16;
    job j = {.d = d, .y = y, .x = (char *)x, .bytes = (ptrdiff_t)bytes, .kernel = kernel};
    start(&j);
}

void tg_pick_add(tg_dtype dtype, const tg_indexed *d, void *y, const void *x) {
    static line_kernel *const kernel[TG_N_DTYPES] = TG_BOTH(pick_add_line);
    job j = {.d = d, .y = y, .x = (char *)x, .bytes = (ptrdiff_t)tg_dtype_size(dtype), .kernel = kernel[dtype]};
    start(&j);
}

void tg_add_picked(tg_dtype dtype, const tg_indexed *d, void *x, const void *y) {
    static line_kernel *const kernel[TG_N_DTYPES] = TG_BOTH(add_picked_line);
    job j = {.d = d, .y = (char *)y, .x = x, .bytes = (ptrdiff_t)tg_dtype_size(dtype), .kernel = kernel[dtype]};
    start(&j);
}

#endif
