/* Moves: see core/kernels/moves.h.
 *
 * Dims are sorted by their stride in `to`, and those that are contiguous on both sides are merged. If `from` is dense
 * along a dim other than the last, these two dims are walked in blocks: SWEEP elements from each of as many lines of
 * `from` as a cache line of `to` has elements, so that reads are sequential and cache lines are written whole; or the
 * other way round (tg_transpose_by_rows), so that writes are sequential and cache lines are read whole.
 * Additions, and blocks that are not dense in `to`, go through a buffer of SIDE x SIDE. Otherwise elements are moved
 * line by line. */
#include "core/kernels/moves.h"
#include "core/kernels/isa.h"
#include "core/kernels/threads.h"
#include "core/walk.h"

#include <stdlib.h>
#include <string.h>

#ifndef real
/* LINE: elements of a line moved at once, a thread's share */
enum { CACHE_LINE = 64, SIDE = 64, SWEEP = 512, LINE = 16 << 10, FEW = 1 << 10 };
enum { MAX_DIMS = TG_MAX_DIMS + 1 }; /* one more for the steps along a line or along the blocks */

/* n elements, with a step on either side */
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
    /* in_blocks: `from` is dense along the last dim, `to` usually along the one before; straight: without a buffer */
    bool adds, in_blocks, straight;
    /* the last dim is walked in `steps` steps of `step` elements; with blocks, the one before in `sides` of `side` */
    int64_t step, steps, side, sides;
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

/* In pieces, as libc moves longer blocks by an instruction (rep movsb), or by a loop, that is slow when the two sides
 * are not aligned alike: in the loop a load may wait for a store that is a multiple of a page away. */
static void move_contiguous(ptrdiff_t bytes, char *restrict to, const char *restrict from) {
    enum { PIECE = 256, ALIGNED = 63 };
    bool alike = (((uintptr_t)to ^ (uintptr_t)from) & ALIGNED) == 0;
    for (; !alike && bytes > PIECE; bytes -= PIECE, to += PIECE, from += PIECE)
        memcpy(to, from, PIECE);
    memcpy(to, from, (size_t)bytes);
}

/* Specialised for the usual steps. */
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

/* Walk dim d from its other end. */
static void turn_dim(plan *p, int d) {
    ptrdiff_t bytes = (ptrdiff_t)p->bytes;
    p->to += (p->size[d] - 1) * p->to_stride[d] * bytes;
    p->from += (p->size[d] - 1) * p->from_stride[d] * bytes;
    p->to_stride[d] = -p->to_stride[d];
    p->from_stride[d] = -p->from_stride[d];
}

/* Move the dim along which `from` is dense to the end, unless it is there already or either dim is too small for
 * blocks. */
static bool find_blocks(plan *p) {
    int last = p->ndim - 1;
    if (llabs(p->from_stride[last]) <= 1 || p->size[last] < 4)
        return false;
    for (int d = 0; d < last; d++)
        if (llabs(p->from_stride[d]) == 1 && p->size[d] >= 4) {
            if (p->from_stride[d] < 0)
                turn_dim(p, d);
            for (; d < last; d++)
                swap_dims(p, d, d + 1);
            return true;
        }
    return false;
}

/* Set the dims, without those of size 1; false when there is nothing to move. */
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

/* A block of n elements along the last dim, m along the one before. */
static void move_block(const plan *p, int64_t n, int64_t m, char *to, const char *from) {
    int last = p->ndim - 1;
    int64_t along = p->to_stride[last], across = p->to_stride[last - 1], step = p->from_stride[last - 1];
    ptrdiff_t bytes = (ptrdiff_t)p->bytes;
    _Alignas(16) char buffer[SIDE * SIDE * 8];
    if (p->straight) {
        p->block(n, m, to, along, from, step);
        return;
    }
    for (int64_t some; n > 0; n -= some, from += some * bytes) {
        some = n < SIDE ? n : SIDE;
        p->block(some, m, buffer, SIDE, from, step);
        for (int64_t i = 0; i < some; i++, to += along * bytes)
            p->line(m, to, across, buffer + i * SIDE * bytes, 1);
    }
}

static int64_t part(int64_t whole, int64_t at, int64_t most) { return whole - at < most ? whole - at : most; }

/* Steps begin .. end - 1. */
static void run(void *context, int64_t begin, int64_t end) {
    const plan *p = context;
    int last = p->ndim - 1;
    ptrdiff_t bytes = (ptrdiff_t)p->bytes;
    plan steps = *p;
    steps.size[last] = p->steps;
    steps.to_stride[last] *= p->step;
    steps.from_stride[last] *= p->step;
    if (p->in_blocks) {
        steps.size[last - 1] = p->sides;
        steps.to_stride[last - 1] *= p->side;
        steps.from_stride[last - 1] *= p->side;
    }
    tg_walk to, from;
    tg_walk_begin(&to, p->ndim, steps.size, steps.to_stride);
    tg_walk_begin(&from, p->ndim, steps.size, steps.from_stride);
    tg_walk_seek(&to, begin);
    tg_walk_seek(&from, begin);
    for (int64_t i = begin; i < end; i++, tg_walk_next(&to, 1), tg_walk_next(&from, 1)) {
        int64_t n = part(p->size[last], i % p->steps * p->step, p->step);
        char *out = p->to + to.offset * bytes;
        if (p->in_blocks)
            move_block(p, n, part(p->size[last - 1], i / p->steps % p->sides * p->side, p->side), out,
                       p->from + from.offset * bytes);
        else
            p->line(n, out, p->to_stride[last], p->from + from.offset * bytes, p->from_stride[last]);
    }
}

static bool is_few(const plan *p) {
    int64_t n = 1;
    for (int i = 0; i < p->ndim && n <= FEW; i++)
        n *= p->size[i];
    return n <= FEW;
}

/* All dims from d on, recursively: for few elements a walk would cost more than the move. */
static void move_few(const plan *p, int d, char *to, const char *from) {
    ptrdiff_t bytes = (ptrdiff_t)p->bytes;
    if (d == p->ndim - 1)
        p->line(p->size[d], to, p->to_stride[d], from, p->from_stride[d]);
    else
        for (int64_t i = 0; i < p->size[d]; i++)
            move_few(p, d + 1, to + i * p->to_stride[d] * bytes, from + i * p->from_stride[d] * bytes);
}

static void set_steps(plan *p) {
    int last = p->ndim - 1;
    p->straight = p->in_blocks && !p->adds && p->to_stride[last - 1] == 1;
    int64_t line = CACHE_LINE / (int64_t)p->bytes;
    bool by_rows = p->straight && tg_transpose_by_rows(p->bytes, p->to_stride[last], p->from_stride[last - 1]);
    p->step = by_rows ? line : p->in_blocks ? SWEEP : LINE;
    p->steps = (p->size[last] - 1) / p->step + 1;
    p->side = by_rows ? SWEEP : p->straight ? line : SIDE;
    p->sides = p->in_blocks ? (p->size[last - 1] - 1) / p->side + 1 : 1;
}

static void run_plan(plan *p) {
    sort_dims(p);
    merge_dims(p);
    if (is_few(p)) {
        move_few(p, 0, p->to, p->from);
        return;
    }
    p->in_blocks = find_blocks(p);
    set_steps(p);
    int64_t items = p->steps * p->sides, numel = 1;
    for (int i = 0; i < p->ndim; i++)
        numel *= p->size[i];
    for (int i = 0; i < p->ndim - 1 - p->in_blocks; i++)
        items *= p->size[i];
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
    plan p = {.to = to, .from = from, .bytes = tg_dtype_size(dtype), .line = add[dtype], .adds = true};
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
