/* Matrix products: the framework around the tile kernel of core/kernels/simd_matrix.h, and the plain reference.
 *
 * The loops are those of Goto and van de Geijn (2008) as arranged by Van Zee and van de Geijn (BLIS, 2015): k is cut
 * into slices that are added to C one after another; of each slice B is packed into panels as wide as a tile, then
 * every task packs a block of A's rows, small enough for the second-level cache, and runs the tile kernel over its
 * part of C. Packing takes any strides, so a transposed operand costs nothing more. What is too small to repay
 * packing is read where it lies; and a few rows that meet contiguous columns are dot products.
 *
 * An element of C is always the same sum in the same order (within a slice from the first product to the last, then
 * slice after slice), whatever the blocks and the threads.
 */
#include "core/kernels/gemm.h"
#include "core/kernels/isa.h"
#include "core/kernels/threads.h"

#ifndef real
enum {
    BLOCK = 144,         /* rows of A that are packed at once */
    STRIP = 2048,        /* columns of B that are packed at once */
    FEW = 4,             /* rows of A (columns of B) that meet contiguous lines in dot products, */
    LONG = 32,           /* of at least this length for each */
    FEW_COLUMNS = 256,   /* of B: up to these, A's rows are better read where they lie */
    TILES_AT_ONCE = 8,   /* of A's columns: their cache lines, and those they are copied to, stay in the cache */
    PANELS_AT_ONCE = 4,  /* of B's columns */
    IN_PLACE = 16 << 10, /* operands of fewer elements may be read where they lie */
    SHARED = 512 << 10   /* products (m n k) from here on are worth several threads */
};

static int64_t round_up(int64_t n, int64_t step) { return (n + step - 1) / step * step; }

static int64_t least(int64_t a, int64_t b) { return a < b ? a : b; }

/* From begin to before end. */
typedef struct span {
    int64_t begin, end;
} span;

static bool is_tiny(int64_t m, int64_t n, int64_t k) { return (double)m * (double)n * (double)k <= TG_TINY; }

/* How many of the rows that are left make the next tile: the last two tiles share theirs evenly. */
static int tile_rows(int64_t left, int rows) {
    return (int)(left >= 2 * rows || left == rows ? rows : left > rows ? (left + 1) / 2 : left);
}
#endif

#ifdef real

static void FN(reference)(int64_t m, int64_t n, int64_t k, const real *a, ptrdiff_t a_row, ptrdiff_t a_col,
                          const real *b, ptrdiff_t b_row, ptrdiff_t b_col, bool add, real *c, ptrdiff_t c_row,
                          ptrdiff_t c_col) {
    for (int64_t i = 0; i < m; i++)
        for (int64_t j = 0; j < n; j++) {
            const real *row = a + i * a_row, *column = b + j * b_col;
            real sum = 0, *to = c + i * c_row + j * c_col;
            for (int64_t p = 0; p < k; p++)
                sum += row[p * a_col] * column[p * b_row];
            *to = add ? *to + sum : sum;
        }
}

typedef struct FN(product) {
    const FN(tg_kernels) * kernels;
    int64_t m, n, k;
    const real *a, *b;
    real *c;
    ptrdiff_t a_row, a_col, b_row, b_col, c_row, c_col;
    bool add, pack_a, pack_b, shared, dots;
    tg_triangle triangle;
    int64_t diagonal;
    /* the slice and strip at hand, and the tasks that C's rows and columns are cut into */
    int64_t depth, slice_at, slice, strip_at, strip, block, columns, column_tasks;
    real *packed_b, *packed_a; /* packed_a: room for each worker */
    size_t room_a, room_b;
} FN(product);

/* A panel of B for tiles of up to two vectors a row. skip: its first columns that belong to the panel before. */
typedef struct FN(panel) {
    const real *b;
    ptrdiff_t b_row;
    int columns, vectors, skip;
} FN(panel);

/* The panel at column j, read where it lies when its rows are contiguous, else packed into buffer. */
static FN(panel) FN(panel_at)(const FN(product) * q, int64_t j, int64_t end, real *buffer) {
    int lanes = q->kernels->lanes, width = 2 * lanes;
    int64_t left = end - j;
    if (q->pack_b)
        return (FN(panel)){q->packed_b + (j - q->strip_at) * q->slice, width, (int)least(left, width),
                           left > lanes ? 2 : 1, 0};
    const real *b = q->b + q->slice_at * q->b_row + j * q->b_col;
    if (q->b_col == 1 && q->n >= lanes) {
        if (left >= width)
            return (FN(panel)){b, q->b_row, width, 2, 0};
        if (left >= lanes)
            return (FN(panel)){b, q->b_row, lanes, 1, 0};
        if (j + left >= lanes) {
            int skip = lanes - (int)left;
            return (FN(panel)){b - skip, q->b_row, (int)left, 1, skip};
        }
    }
    int columns = (int)least(left, width);
    q->kernels->pack(width, columns, q->slice, b, q->b_col, q->b_row, buffer);
    return (FN(panel)){buffer, width, columns, columns > lanes ? 2 : 1, 0};
}

/* A tile that C has no contiguous vectors for goes through a buffer. */
static void FN(put)(const FN(product) * q, bool add, int rows, int columns, const real *tile, int width, real *c) {
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < columns; j++) {
            real *to = c + i * q->c_row + j * q->c_col;
            *to = add ? *to + tile[i * width + j] : tile[i * width + j];
        }
}

/* Which steps of the slice a tile of these rows, at column j, has to take: the others multiply zeros, or make what
 * nobody wants. */
static span FN(steps_of)(const FN(product) * q, int64_t i, int64_t rows, int64_t j) {
    int64_t first = i - q->diagonal - q->slice_at, behind = i + rows + q->diagonal;
    span whole = {0, q->slice};
    switch (q->triangle) {
    case TG_LOWER_C: return j < behind ? whole : (span){0, 0};
    case TG_LOWER_A: return (span){0, least(q->slice, behind - q->slice_at)};
    case TG_UPPER_A: return (span){first < 0 ? 0 : least(first, q->slice), q->slice};
    default: return whole;
    }
}

/* Nothing to add, and nothing to begin with 0. */
static bool FN(idle)(const FN(product) * q, span steps) {
    return steps.begin >= steps.end && (q->add || q->slice_at || q->triangle == TG_LOWER_C);
}

/* C's rows from i to i_end under one panel. a: those rows of A, packed or as they lie. */
static void FN(run_panel)(const FN(product) * q, const FN(panel) * b, const real *a, int64_t i, int64_t i_end,
                          int64_t j) {
    const FN(tg_kernels) *kernels = q->kernels;
    int width = b->vectors * kernels->lanes, rows;
    bool add = q->add || q->slice_at, direct = q->c_col == 1 && b->columns == width;
    real tile[TG_TILE_MOST];
    for (; i < i_end; i += rows, a += rows * (q->pack_a ? q->slice : q->a_row)) {
        rows = tile_rows(i_end - i, kernels->rows);
        span steps = FN(steps_of)(q, i, rows, j);
        if (FN(idle)(q, steps))
            continue;
        ptrdiff_t a_row = q->pack_a ? 1 : q->a_row, a_col = q->pack_a ? rows : q->a_col;
        const real *a_from = a + steps.begin * a_col, *b_from = b->b + steps.begin * b->b_row;
        int64_t k = steps.end - steps.begin;
        real *c = q->c + i * q->c_row + j * q->c_col;
        if (direct) {
            kernels->tile(rows, b->vectors, k, a_from, a_row, a_col, b_from, b->b_row, add, c, q->c_row);
        } else {
            kernels->tile(rows, b->vectors, k, a_from, a_row, a_col, b_from, b->b_row, false, tile, width);
            FN(put)(q, add, rows, b->columns, tile + b->skip, width, c);
        }
    }
}

/* Rows of A in the order in which run_panel reads them. */
static void FN(pack_rows)(const FN(product) * q, int64_t i, int64_t end, real *out) {
    const FN(tg_kernels) *kernels = q->kernels;
    int64_t rows, tiles;
    if (q->a_row == 1 && q->a_col >= kernels->rows)
        for (; end - i >= 2 * kernels->rows; i += tiles * kernels->rows, out += tiles * kernels->rows * q->slice) {
            tiles = least((end - i) / kernels->rows - 1, TILES_AT_ONCE);
            kernels->pack_tiles(kernels->rows, tiles, q->slice, q->a + i + q->slice_at * q->a_col, q->a_col, out);
        }
    for (; i < end; i += rows) {
        rows = tile_rows(end - i, kernels->rows);
        kernels->pack((int)rows, rows, q->slice, q->a + i * q->a_row + q->slice_at * q->a_col, q->a_row, q->a_col, out);
        out += rows * q->slice;
    }
}

static void FN(multiply_task)(void *context, int64_t index, int worker) {
    const FN(product) *q = context;
    int64_t row = index / q->column_tasks, last = (q->m - 1) / q->block;
    bool growing = q->triangle == TG_LOWER_C || q->triangle == TG_LOWER_A; /* the longest tasks first */
    int64_t i = (growing ? last - row : row) * q->block, i_end = least(i + q->block, q->m);
    int64_t j = q->strip_at + index % q->column_tasks * q->columns;
    int64_t j_end = least(j + q->columns, q->strip_at + q->strip);
    const real *a = q->a + i * q->a_row + q->slice_at * q->a_col;
    real buffer[FN(TG_PANEL_MOST)];
    if (FN(idle)(q, FN(steps_of)(q, i, i_end - i, j)))
        return;
    if (q->pack_a) {
        real *packed = q->packed_a + (size_t)worker * q->room_a;
        FN(pack_rows)(q, i, i_end, packed);
        a = packed;
    }
    while (j < j_end) {
        FN(panel) b = FN(panel_at)(q, j, j_end, buffer);
        FN(run_panel)(q, &b, a, i, i_end, j);
        j += b.columns;
    }
}

/* Several panels of B; rows that are contiguous go to all of them at once. */
static void FN(pack_task)(void *context, int64_t index, int worker) {
    const FN(product) *q = context;
    int width = 2 * q->kernels->lanes;
    int64_t j = index * width * PANELS_AT_ONCE, end = least(q->strip, j + width * PANELS_AT_ONCE);
    const real *b = q->b + q->slice_at * q->b_row + q->strip_at * q->b_col;
    if (q->b_col == 1 && q->b_row >= width && end - j >= width) {
        q->kernels->pack_tiles(width, (end - j) / width, q->slice, b + j, q->b_row, q->packed_b + j * q->slice);
        j += (end - j) / width * width;
    }
    for (; j < end; j += width)
        q->kernels->pack(width, least(end - j, width), q->slice, b + j * q->b_col, q->b_col, q->b_row,
                         q->packed_b + j * q->slice);
    (void)worker;
}

static void FN(run)(FN(product) * q, int64_t n, tg_task *task) {
    if (q->shared)
        tg_parallel(n, task, q);
    else
        for (int64_t i = 0; i < n; i++)
            task(q, i, 0);
}

static void FN(multiply)(FN(product) * q) {
    int width = 2 * q->kernels->lanes;
    for (q->strip_at = 0; q->strip_at < q->n; q->strip_at += STRIP) {
        q->strip = least(q->n - q->strip_at, STRIP);
        q->column_tasks = (q->strip + q->columns - 1) / q->columns;
        for (q->slice_at = 0; q->slice_at < q->k; q->slice_at += q->depth) {
            q->slice = least(q->k - q->slice_at, q->depth);
            if (q->pack_b)
                FN(run)(q, (q->strip - 1) / (width * PANELS_AT_ONCE) + 1, FN(pack_task));
            FN(run)(q, (q->m + q->block - 1) / q->block * q->column_tasks, FN(multiply_task));
        }
    }
}

/* ---- dot products, where packing would cost more than the product: few rows of A, B's columns contiguous ---- */

static void FN(dots_task)(void *context, int64_t begin, int64_t end, int worker) {
    const FN(product) *q = context;
    int step;
    for (int64_t j = begin; j < end; j += step) {
        step = end - j >= 4 ? 4 : 1;
        for (int64_t i = 0; i < q->m; i++) {
            real sums[4], *c = q->c + i * q->c_row + j * q->c_col;
            q->kernels->dots(q->k, q->a + i * q->a_row, q->b + j * q->b_col, step == 4 ? q->b_col : 0, sums);
            for (int s = 0; s < step; s++)
                c[s * q->c_col] = q->add ? c[s * q->c_col] + sums[s] : sums[s];
        }
    }
    (void)worker;
}

static void FN(run_dots)(FN(product) * q) {
    if (q->shared)
        tg_parallel_range(q->n, round_up(q->n / (4 * tg_workers()) + 1, 4), FN(dots_task), q);
    else
        FN(dots_task)(q, 0, q->n, 0);
}

/* Cut C into tasks: blocks of rows, and columns too when there are few rows. */
static void FN(cut)(FN(product) * q) {
    q->block = BLOCK;
    q->columns = STRIP;
    if (!q->shared)
        return;
    int64_t tasks = 4 * tg_workers(), strip = least(q->n, STRIP);
    q->block = least(BLOCK, round_up((q->m + tasks - 1) / tasks, q->kernels->rows));
    int64_t row_tasks = (q->m + q->block - 1) / q->block;
    if (2 * row_tasks < tasks)
        q->columns = round_up(strip * row_tasks / tasks + 1, 2 * q->kernels->lanes);
}

/* C^T = B^T A^T */
static void FN(turn)(FN(product) * q) {
    *q = (FN(product)){.kernels = q->kernels,
                       .m = q->n,
                       .n = q->m,
                       .k = q->k,
                       .add = q->add,
                       .dots = q->dots,
                       .shared = q->shared,
                       .a = q->b,
                       .a_row = q->b_col,
                       .a_col = q->b_row,
                       .b = q->a,
                       .b_row = q->a_col,
                       .b_col = q->a_row,
                       .c = q->c,
                       .c_row = q->c_col,
                       .c_col = q->c_row};
}

/* Decide how the product is computed, and by how many workers together. Returns the elements of room that it needs. */
static size_t FN(plan)(FN(product) * q, int workers) {
    double work = (double)q->m * (double)q->n * (double)q->k;
    q->kernels = is_tiny(q->m, q->n, q->k) ? NULL : &tg_isa_now()->FN(kernels);
    if (!q->kernels || !q->kernels->tile) {
        q->kernels = NULL;
        return 0;
    }
    q->dots = q->triangle == TG_WHOLE && q->a_col == 1 && q->b_row == 1 && least(q->m, q->n) <= FEW &&
              q->k >= LONG * least(q->m, q->n);
    q->shared = work >= SHARED && workers > 1;
    if (q->dots ? q->m > q->n : q->c_col != 1 && q->c_row == 1 && q->triangle == TG_WHOLE)
        FN(turn)(q);
    if (q->dots)
        return 0;
    bool reuses_a = q->n > FEW_COLUMNS || q->a_col != 1;
    q->pack_a = q->m > 2 * q->kernels->rows && q->m * q->k > IN_PLACE && reuses_a;
    q->pack_b = q->m > 4 * q->kernels->rows && q->n * q->k > IN_PLACE;
    FN(cut)(q);
    int64_t slices = (q->k + q->kernels->depth - 1) / q->kernels->depth, width = 2 * q->kernels->lanes;
    q->depth = least(q->kernels->depth, round_up((q->k + slices - 1) / slices, q->kernels->lanes));
    q->room_b = q->pack_b ? (size_t)(round_up(least(q->n, STRIP), width) * q->depth) : 0;
    q->room_a = q->pack_a ? (size_t)round_up(least(q->m, BLOCK) * q->depth + q->kernels->lanes, 16) : 0;
    return q->room_b + q->room_a * (size_t)(q->shared ? workers : 1);
}

static void FN(compute)(FN(product) * q, real *room) {
    q->packed_b = room;
    q->packed_a = q->room_a ? room + q->room_b : NULL;
    if (q->dots)
        FN(run_dots)(q);
    else if (q->kernels)
        FN(multiply)(q);
    else
        FN(reference)
    (q->m, q->n, q->k, q->a, q->a_row, q->a_col, q->b, q->b_row, q->b_col, q->add, q->c, q->c_row, q->c_col);
}

static tg_status FN(compute_on)(tg_tape *t, FN(product) * q) {
    size_t bytes = FN(plan)(q, tg_workers()) * sizeof(real);
    real *room = bytes ? tg_pool_get(t, bytes) : NULL;
    if (bytes && !room)
        return tg_tape_status(t);
    FN(compute)(q, room);
    tg_pool_put(t, room, bytes);
    return TG_OK;
}

tg_status FN(tg_gemm_triangle)(tg_tape *t, tg_triangle triangle, int64_t diagonal, int64_t m, int64_t n, int64_t k,
                               const real *a, ptrdiff_t a_row, ptrdiff_t a_col, const real *b, ptrdiff_t b_row,
                               ptrdiff_t b_col, bool add, real *c, ptrdiff_t c_row, ptrdiff_t c_col) {
    if (is_tiny(m, n, k)) {
        FN(reference)(m, n, k, a, a_row, a_col, b, b_row, b_col, add, c, c_row, c_col);
        return TG_OK;
    }
    FN(product)
    q = {.m = m,
         .n = n,
         .k = k,
         .a = a,
         .b = b,
         .c = c,
         .a_row = a_row,
         .a_col = a_col,
         .b_row = b_row,
         .b_col = b_col,
         .c_row = c_row,
         .c_col = c_col,
         .add = add,
         .triangle = triangle,
         .diagonal = diagonal};
    return FN(compute_on)(t, &q);
}

/* ---- many ---- */

/* The product of batch i: q with its pointers moved on. */
static FN(product) FN(product_at)(const FN(product) * q, const tg_batches *batches, int64_t i) {
    FN(product) p = *q;
    for (int d = batches->ndim - 1; d >= 0; d--) {
        int64_t at = i % batches->size[d];
        i /= batches->size[d];
        p.a += at * batches->a[d];
        p.b += at * batches->b[d];
        p.c += at * batches->c[d];
    }
    return p;
}

typedef struct FN(many) {
    const FN(product) * one;
    const tg_batches *batches;
    real *room; /* for each worker */
    size_t room_size;
} FN(many);

static void FN(batch_task)(void *context, int64_t begin, int64_t end, int worker) {
    const FN(many) *all = context;
    for (int64_t i = begin; i < end; i++) {
        FN(product) q = FN(product_at)(all->one, all->batches, i);
        FN(plan)(&q, 1);
        FN(compute)(&q, all->room ? all->room + (size_t)worker * all->room_size : NULL);
    }
}

/* Each batch on one thread, several batches at once. */
static tg_status FN(share_batches)(tg_tape *t, const FN(product) * q, const tg_batches *batches, int64_t n) {
    FN(product) planned = *q;
    FN(many) all = {q, batches, NULL, FN(plan)(&planned, 1)};
    size_t bytes = all.room_size * sizeof(real) * (size_t)tg_workers();
    if (bytes && !(all.room = tg_pool_get(t, bytes)))
        return tg_tape_status(t);
    double work = (double)q->m * (double)q->n * (double)q->k + 1;
    tg_parallel_range(n, (int64_t)(SHARED / 8 / work) + 1, FN(batch_task), &all);
    tg_pool_put(t, all.room, bytes);
    return TG_OK;
}

tg_status FN(tg_gemm_batches)(tg_tape *t, const tg_batches *batches, int64_t m, int64_t n, int64_t k, const real *a,
                              ptrdiff_t a_row, ptrdiff_t a_col, const real *b, ptrdiff_t b_row, ptrdiff_t b_col,
                              bool add, real *c, ptrdiff_t c_row, ptrdiff_t c_col) {
    FN(product)
    q = {.m = m,
         .n = n,
         .k = k,
         .a = a,
         .b = b,
         .c = c,
         .a_row = a_row,
         .a_col = a_col,
         .b_row = b_row,
         .b_col = b_col,
         .c_row = c_row,
         .c_col = c_col,
         .add = add};
    int64_t count = 1;
    bool separate = true; /* no two results meet */
    for (int d = 0; d < batches->ndim; d++) {
        count *= batches->size[d];
        separate &= batches->c[d] != 0 || batches->size[d] == 1;
    }
    double work = (double)m * (double)n * (double)k * (double)count;
    if (separate && work >= SHARED && count >= 4 * tg_workers() && tg_workers() > 1)
        return FN(share_batches)(t, &q, batches, count);
    for (int64_t i = 0; i < count; i++) {
        FN(product) one = FN(product_at)(&q, batches, i);
        if (FN(compute_on)(t, &one))
            return tg_tape_status(t);
    }
    return TG_OK;
}

#else
#define TG_SELF "kernels/gemm.c"
#include "core/twice.h"
#endif
