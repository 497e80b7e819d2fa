/* Moves: see core/kernels/moves.h.
 *
 * The dims are put in the order in which they lie in `to`, those that lie behind one another on both sides as one. If
 * elements that are neighbours in `from` lie along another dim than the last, the two dims are walked in blocks of
 * SIDE x SIDE: a block is transposed into a buffer and goes on from there, so that both sides are met whole cache lines
 * at a time. Else lines go from one side to the other. */
#include "core/kernels/moves.h"
#include "core/kernels/isa.h"
#include "core/kernels/threads.h"
#include "core/walk.h"

#include <stdlib.h>
#include <string.h>

#ifndef real
enum {
    SIDE = 64,
    LINE = 16 << 10,
    FEW = 1 << 10
};                                   /* LINE: elements of a line that are moved at once; a thread takes that many */
enum { MAX_DIMS = TG_MAX_DIMS + 1 }; /* one more for the steps along a line, or along the blocks */

/* n elements, so many apart */
typedef void line_kernel(int64_t n, char *to, int64_t to_step, const char *from, int64_t from_step);
/* out[i row + j] = from[i + j step] for i < n, j < m */
typedef void block_kernel(int64_t n, int64_t m, char *out, int64_t row, const char *from, int64_t step);

typedef struct plan {
    int ndim;
    int64_t size[MAX_DIMS], to_stride[MAX_DIMS], from_stride[MAX_DIMS];
    char *to;
    const char *from;
    size_t bytes;
    line_kernel *line;
    block_kernel *block;
    /* what is walked one by one: the dims but the last, or the last two when there are blocks, which `steps` steps
     * follow along the next dim, of `step` elements each */
    bool in_blocks;
    int64_t step, steps;
} plan;
#endif

#ifdef real

static void FN(block)(int64_t n, int64_t m, char *out, int64_t row, const char *from, int64_t step) {
    const tg_kernels *kernels = &tg_isa_now()->FN(kernels);
    real *to = (real *)(void *)out;
    const real *x = (const real *)(const void *)from;
    if (kernels->transpose)
        kernels->transpose(n, m, to, row, x, step);
    else
        for (int64_t j = 0; j < m; j++)
            for (int64_t i = 0; i < n; i++)
                memcpy(to + i * row + j, x + i + j * step, sizeof(real));
}

static void FN(add_line)(int64_t n, char *to, int64_t to_step, const char *from, int64_t from_step) {
    real *a = (real *)(void *)to;
    const real *b = (const real *)(const void *)from;
    if (to_step == 1 && from_step == 1)
        for (int64_t j = 0; j < n; j++)
            a[j] += b[j];
    else
        for (int64_t j = 0; j < n; j++)
            a[j * to_step] += b[j * from_step];
}

#else
#define TG_SELF "kernels/moves.c"
#include "core/twice.h"

#define ALWAYS_INLINE static inline __attribute__((always_inline))

ALWAYS_INLINE void move_steps(ptrdiff_t bytes, int64_t n, char *restrict to, int64_t to_step, const char *restrict from,
                              int64_t from_step) {
    for (int64_t j = 0; j < n; j++)
        memcpy(to + j * to_step * bytes, from + j * from_step * bytes, (size_t)bytes);
}

/* Longer ones the C library moves by an instruction that is slow where the two sides are aligned differently. */
static void move_contiguous(ptrdiff_t bytes, char *restrict to, const char *restrict from) {
    enum { PIECE = 1 << 10, ALIGNED = 63 };
    bool alike = (((uintptr_t)to ^ (uintptr_t)from) & ALIGNED) == 0;
    for (; !alike && bytes > PIECE; bytes -= PIECE, to += PIECE, from += PIECE)
        memcpy(to, from, PIECE);
    memcpy(to, from, (size_t)bytes);
}

/* A loop for each of the usual steps. */
ALWAYS_INLINE void move_line(ptrdiff_t bytes, int64_t n, char *to, int64_t to_step, const char *from,
                             int64_t from_step) {
    if (to_step == 1 && from_step == 1)
        move_contiguous(n * bytes, to, from);
    else if (to_step == 1 && from_step == 0)
        move_steps(bytes, n, to, 1, from, 0);
    else if (to_step == 1 && from_step == -1)
        move_steps(bytes, n, to, 1, from, -1);
    else
        move_steps(bytes, n, to, to_step, from, from_step);
}

static void line_1(int64_t n, char *to, int64_t t, const char *from, int64_t f) { move_line(1, n, to, t, from, f); }
static void line_4(int64_t n, char *to, int64_t t, const char *from, int64_t f) { move_line(4, n, to, t, from, f); }
static void line_8(int64_t n, char *to, int64_t t, const char *from, int64_t f) { move_line(8, n, to, t, from, f); }
static void block_1(int64_t n, int64_t m, char *out, int64_t row, const char *from, int64_t step) {
    for (int64_t j = 0; j < m; j++)
        for (int64_t i = 0; i < n; i++)
            out[i * row + j] = from[i + j * step];
}

/* ---- the order of the dims ---- */

static void swap_dims(plan *p, int a, int b) {
    int64_t *lists[] = {p->size, p->to_stride, p->from_stride};
    for (int k = 0; k < 3; k++) {
        int64_t swap = lists[k][a];
        lists[k][a] = lists[k][b];
        lists[k][b] = swap;
    }
}

static void sort_dims(plan *p) {
    for (int i = 1; i < p->ndim; i++)
        for (int k = i; k > 0 && llabs(p->to_stride[k - 1]) < llabs(p->to_stride[k]); k--)
            swap_dims(p, k - 1, k);
}

static void merge_dims(plan *p) {
    int last = 0;
    for (int i = 1; i < p->ndim; i++) {
        bool behind = p->to_stride[last] == p->to_stride[i] * p->size[i] &&
                      p->from_stride[last] == p->from_stride[i] * p->size[i];
        int64_t size = behind ? p->size[last] * p->size[i] : p->size[i];
        last += !behind;
        swap_dims(p, last, i);
        p->size[last] = size;
    }
    p->ndim = last + 1;
}

/* The dim along which `from` is dense before the last one, if it is another and both are worth blocks. */
static bool find_blocks(plan *p) {
    int last = p->ndim - 1;
    if (llabs(p->from_stride[last]) <= 1 || p->size[last] < 4)
        return false;
    for (int d = 0; d < last; d++)
        if (p->from_stride[d] == 1 && p->size[d] >= 4) {
            for (; d < last - 1; d++)
                swap_dims(p, d, d + 1);
            return true;
        }
    return false;
}

/* Dims of one element left out; false when there is nothing to move. */
static bool set_dims(plan *p, int ndim, const int64_t *size, const int64_t *to_stride, const int64_t *from_stride) {
    for (int i = 0; i < ndim; i++) {
        if (size[i] == 0)
            return false;
        if (size[i] == 1)
            continue;
        p->size[p->ndim] = size[i];
        p->to_stride[p->ndim] = to_stride[i];
        p->from_stride[p->ndim++] = from_stride[i];
    }
    if (!p->ndim)
        p->size[p->ndim++] = 1;
    return true;
}

/* ---- the walk ---- */

/* A block's rows, along the last dim. */
static void move_blocks(const plan *p, int64_t n, char *to, const char *from) {
    int last = p->ndim - 1;
    ptrdiff_t bytes = (ptrdiff_t)p->bytes;
    _Alignas(16) char buffer[SIDE * SIDE * 8];
    for (int64_t at = 0; at < p->size[last]; at += SIDE) {
        int64_t m = p->size[last] - at < SIDE ? p->size[last] - at : SIDE;
        p->block(n, m, buffer, SIDE, from + at * p->from_stride[last] * bytes, p->from_stride[last]);
        for (int64_t i = 0; i < n; i++)
            p->line(m, to + (i * p->to_stride[last - 1] + at * p->to_stride[last]) * bytes, p->to_stride[last],
                    buffer + i * SIDE * bytes, 1);
    }
}

/* Steps begin to end - 1. */
static void run(void *context, int64_t begin, int64_t end) {
    const plan *p = context;
    int last = p->ndim - 1, stepped = p->in_blocks ? last - 1 : last;
    ptrdiff_t bytes = (ptrdiff_t)p->bytes;
    int64_t size[MAX_DIMS], to_stride[MAX_DIMS], from_stride[MAX_DIMS];
    memcpy(size, p->size, sizeof size);
    memcpy(to_stride, p->to_stride, sizeof to_stride);
    memcpy(from_stride, p->from_stride, sizeof from_stride);
    size[stepped] = p->steps;
    to_stride[stepped] *= p->step;
    from_stride[stepped] *= p->step;
    tg_walk to, from;
    tg_walk_begin(&to, stepped + 1, size, to_stride);
    tg_walk_begin(&from, stepped + 1, size, from_stride);
    tg_walk_seek(&to, begin);
    tg_walk_seek(&from, begin);
    for (int64_t i = begin; i < end; i++, tg_walk_next(&to, 1), tg_walk_next(&from, 1)) {
        int64_t left = p->size[stepped] - i % p->steps * p->step, n = left < p->step ? left : p->step;
        if (p->in_blocks)
            move_blocks(p, n, p->to + to.offset * bytes, p->from + from.offset * bytes);
        else
            p->line(n, p->to + to.offset * bytes, p->to_stride[last], p->from + from.offset * bytes,
                    p->from_stride[last]);
    }
}

static bool is_few(const plan *p) {
    int64_t n = 1;
    for (int i = 0; i < p->ndim && n <= FEW; i++)
        n *= p->size[i];
    return n <= FEW;
}

/* All dims from d on, without a walk: what is little is moved before one has begun. */
static void move_few(const plan *p, int d, char *to, const char *from) {
    ptrdiff_t bytes = (ptrdiff_t)p->bytes;
    if (d == p->ndim - 1)
        p->line(p->size[d], to, p->to_stride[d], from, p->from_stride[d]);
    else
        for (int64_t i = 0; i < p->size[d]; i++)
            move_few(p, d + 1, to + i * p->to_stride[d] * bytes, from + i * p->from_stride[d] * bytes);
}

static void run_plan(plan *p) {
    sort_dims(p);
    merge_dims(p);
    if (is_few(p)) {
        move_few(p, 0, p->to, p->from);
        return;
    }
    p->in_blocks = find_blocks(p);
    int64_t whole = p->size[p->ndim - 1 - p->in_blocks], items = 1, numel = 1;
    p->step = p->in_blocks ? SIDE : LINE;
    p->steps = (whole - 1) / p->step + 1;
    for (int i = 0; i < p->ndim; i++)
        numel *= p->size[i];
    for (int i = 0; i < p->ndim - 1 - p->in_blocks; i++)
        items *= p->size[i];
    items *= p->steps;
    tg_parallel_range(items, LINE / (numel / items + 1) + 1, run, p);
}

static block_kernel *block_of(size_t bytes) { return bytes == 1 ? block_1 : bytes == 4 ? block_f32 : block_f64; }
static line_kernel *line_of(size_t bytes) { return bytes == 1 ? line_1 : bytes == 4 ? line_4 : line_8; }

void tg_move_copy(size_t bytes, int ndim, const int64_t *size, void *to, const int64_t *to_stride, const void *from,
                  const int64_t *from_stride) {
    plan p = {.to = to, .from = from, .bytes = bytes, .block = block_of(bytes)};
    p.line = line_of(bytes);
    if (set_dims(&p, ndim, size, to_stride, from_stride))
        run_plan(&p);
}

void tg_move_add(tg_dtype dtype, int ndim, const int64_t *size, void *to, const int64_t *to_stride, const void *from,
                 const int64_t *from_stride) {
    static line_kernel *const add[TG_N_DTYPES] = TG_BOTH(add_line);
    plan p = {.to = to, .from = from, .bytes = tg_dtype_size(dtype), .line = add[dtype]};
    p.block = block_of(p.bytes);
    if (set_dims(&p, ndim, size, to_stride, from_stride))
        run_plan(&p);
}

/* lines along the columns */
static void move_lines(line_kernel *line, ptrdiff_t bytes, int64_t rows, int64_t columns, char *to, const int64_t *t,
                       const char *from, const int64_t *f) {
    for (int64_t i = 0; i < rows; i++)
        line(columns, to + i * t[0] * bytes, t[1], from + i * f[0] * bytes, f[1]);
}

void tg_move_tile(size_t bytes, int64_t rows, int64_t columns, void *to, const int64_t *to_stride, const void *from,
                  const int64_t *from_stride) {
    if (from_stride[0] == 1 && to_stride[1] == 1 && llabs(from_stride[1]) > 1)
        block_of(bytes)(rows, columns, to, to_stride[0], from, from_stride[1]);
    else if (from_stride[1] == 1 && to_stride[0] == 1 && llabs(to_stride[1]) > 1)
        block_of(bytes)(columns, rows, to, to_stride[1], from, from_stride[0]);
    else
        move_lines(line_of(bytes), (ptrdiff_t)bytes, rows, columns, to, to_stride, from, from_stride);
}

#endif
