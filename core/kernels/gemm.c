/* Matrix products. tg_gemm_choose (core/kernels/gemm_twice.h) chooses one of these forms:
 *
 *   form       when                                                 why
 *   reference  the instruction set has no kernels                   plain loops, which tests hold the others against
 *   tiny       m n k <= TG_TINY_PRODUCTS                            making a plan would take longer than the product
 *   dots       min(m, n) <= 4, k >= 32 min(m, n), the lines along   packing would cost more than the product; each
 *              k contiguous, nothing left out                       element is the dot product of two lines
 *   tiles      all others                                           packed operands are read from the caches
 *
 * The loops around the tile are those of Goto and van de Geijn (2008) as arranged by Van Zee and van de Geijn (BLIS,
 * 2015): k is partitioned into slices that are added to C one after another; of each slice B is packed into panels as
 * wide as a tile, then every task packs a block of A's rows, small enough for the second-level cache, and runs the tile
 * kernel (core/kernels/simd_matrix.h) over its part of C. Packing takes any strides, so a transposed operand costs
 * nothing more. Operands too small to repay packing are read in place. BLIS's names are
 *   MR  kernels->rows                       NR  kernels->vectors * kernels->lanes
 *   MC  kernels->block, of A's rows         NC  the columns of B in a strip         KC  kernels->depth
 *
 * An element of C is always the same sum in the same order (within a slice from the first product to the last, then
 * slice after slice), whatever the blocks and the threads. */
#include "core/kernels/gemm.h"
#include "core/kernels/threads.h"

#ifndef real
enum {
    NC = 2048,
    PAGE = 4096,              /* bytes: addresses this far apart share one set of the first-level cache */
    NARROW = 384,             /* B is read in place up to this many columns, */
    FEW_ROWS = 256,           /* or up to this many rows of A: packing would take longer than it saves */
    TILES_AT_ONCE = 8,        /* of A's columns: source and destination lines stay in the cache */
    PANELS_AT_ONCE = 4,       /* of B's columns */
    FEW_PANELS = 4,           /* A's columns are read in place up to this many panels of B, */
    IN_CACHE = 384 << 10,     /* if A has at most this many elements */
    IN_PLACE = 16 << 10,      /* operands of fewer elements may be read in place */
    WORTH_SHARING = 512 << 10 /* products (m n k) from which several threads pay */
};

/* begin .. end - 1 */
typedef struct span {
    int64_t begin, end;
} span;

#define product FN(product)
#define panel FN(panel)
#define batched FN(batched)
#endif

#ifdef real

typedef struct product {
    const tg_kernels *kernels;
    tg_gemm_form form;
    int64_t m, n, k;
    tg_matrix a, b, c;
    bool add, transposed, pack_a, pack_b; /* transposed: a and b are swapped */
    tg_triangle triangle;
    int workers;
    /* the current slice and strip, and the tasks into which C's rows and columns are partitioned */
    int64_t depth, slice_at, slice, strip_at, strip, block, columns, column_tasks;
    real *packed_b, *packed_a; /* packed_a: per worker */
    size_t size_b, size_a;
} product;

static void FN(reference)(const product *q) {
    for (int64_t i = 0; i < q->m; i++)
        for (int64_t j = 0; j < q->n; j++) {
            const real *row = q->a.data + i * q->a.row, *column = q->b.data + j * q->b.col;
            real sum = 0, *to = q->c.data + i * q->c.row + j * q->c.col;
            for (int64_t p = 0; p < q->k; p++)
                sum += row[p * q->a.col] * column[p * q->b.row];
            *to = q->add ? *to + sum : sum;
        }
}

/* A panel of B for tiles. skip: leading columns that belong to the panel before. */
typedef struct panel {
    const real *b;
    ptrdiff_t b_row;
    int columns, vectors, skip;
} panel;

/* The panel at column j, in place when its rows are contiguous, else packed into buffer. */
static panel FN(panel_at)(const product *q, int64_t j, int64_t end, real *buffer) {
    int lanes = q->kernels->lanes, width = q->kernels->vectors * lanes;
    int columns = (int)tg_min(end - j, width);
    if (q->pack_b)
        return (panel){q->packed_b + (j - q->strip_at) * q->slice, width, columns, (columns + lanes - 1) / lanes, 0};
    const real *b = q->b.data + q->slice_at * q->b.row + j * q->b.col;
    if (q->b.col == 1 && q->n >= lanes) {
        if (columns >= lanes)
            return (panel){b, q->b.row, columns / lanes * lanes, columns / lanes, 0};
        if (j + columns >= lanes)
            return (panel){b - (lanes - columns), q->b.row, columns, 1, lanes - columns};
    }
    columns = (int)tg_min(columns, lanes);
    q->kernels->pack(lanes, columns, q->slice, b, q->b.col, q->b.row, buffer);
    return (panel){buffer, lanes, columns, 1, 0};
}

/* A tile goes through a buffer where C has no contiguous vectors for it. */
static void FN(store)(const product *q, bool add, int rows, int columns, const real *tile, int width, real *c) {
    for (int i = 0; i < rows; i++, tile += width, c += q->c.row)
        if (q->c.col == 1 && add)
            for (int j = 0; j < columns; j++)
                c[j] += tile[j];
        else if (q->c.col == 1)
            for (int j = 0; j < columns; j++)
                c[j] = tile[j];
        else
            for (int j = 0; j < columns; j++)
                c[j * q->c.col] = add ? c[j * q->c.col] + tile[j] : tile[j];
}

/* The steps of the slice that a tile of these rows, at column j, takes: the others multiply zeros or compute elements
 * that are not wanted. */
static span FN(steps_of)(const product *q, int64_t i, int64_t rows, int64_t j) {
    int64_t first = i - q->triangle.diagonal - q->slice_at, behind = i + rows + q->triangle.diagonal;
    span whole = {0, q->slice};
    switch (q->triangle.part) {
    case TG_LOWER_C: return j < behind ? whole : (span){0, 0};
    case TG_LOWER_A: return (span){0, tg_min(q->slice, behind - q->slice_at)};
    case TG_UPPER_A: return (span){first < 0 ? 0 : tg_min(first, q->slice), q->slice};
    default: return whole;
    }
}

/* True when no products are added and C need not be cleared. */
static bool FN(idle)(const product *q, span steps) {
    return steps.begin >= steps.end && (q->add || q->slice_at || q->triangle.part == TG_LOWER_C);
}

/* C's rows i .. i_end - 1 in one panel. a: those rows of A, packed or in place. */
static void FN(run_panel)(const product *q, const panel *b, real *a, int64_t i, int64_t i_end, int64_t j) {
    const tg_kernels *kernels = q->kernels;
    int width = b->vectors * kernels->lanes, rows;
    int most = q->pack_a || b->vectors > 2 ? kernels->rows : kernels->tall;
    bool add = q->add || q->slice_at, direct = q->c.col == 1 && b->columns == width;
    real tile[TG_TILE_MAX];
    for (; i < i_end; i += rows, a += rows * (q->pack_a ? q->slice : q->a.row)) {
        rows = tg_tile_rows(i_end - i, most);
        span steps = FN(steps_of)(q, i, rows, j);
        if (FN(idle)(q, steps))
            continue;
        ptrdiff_t a_row = q->pack_a ? 1 : q->a.row, a_col = q->pack_a ? rows : q->a.col;
        const real *from = a + steps.begin * a_col;
        const real *b_from = b->b + steps.begin * b->b_row;
        int64_t k = steps.end - steps.begin;
        real *c = q->c.data + i * q->c.row + j * q->c.col;
        if (direct) {
            kernels->tile(rows, b->vectors, k, from, a_row, a_col, b_from, b->b_row, add, c, q->c.row);
        } else {
            kernels->tile(rows, b->vectors, k, from, a_row, a_col, b_from, b->b_row, false, tile, width);
            FN(store)(q, add, rows, b->columns, tile + b->skip, width, c);
        }
    }
}

/* Rows of A in the order in which run_panel reads them. */
static void FN(pack_rows)(const product *q, int64_t i, int64_t end, real *out) {
    const tg_kernels *kernels = q->kernels;
    int64_t rows, tiles;
    if (q->a.row == 1 && q->a.col >= kernels->rows)
        for (; end - i >= 2 * kernels->rows; i += tiles * kernels->rows, out += tiles * kernels->rows * q->slice) {
            tiles = tg_min((end - i) / kernels->rows - 1, TILES_AT_ONCE);
            kernels->pack_tiles(kernels->rows, tiles, q->slice, q->a.data + i + q->slice_at * q->a.col, q->a.col, out);
        }
    for (; i < end; i += rows) {
        rows = tg_tile_rows(end - i, kernels->rows);
        kernels->pack((int)rows, rows, q->slice, q->a.data + i * q->a.row + q->slice_at * q->a.col, q->a.row, q->a.col,
                      out);
        out += rows * q->slice;
    }
}

static void FN(multiply_task)(void *context, int64_t index, int worker) {
    const product *q = context;
    int64_t row = index / q->column_tasks, last = (q->m - 1) / q->block;
    bool growing = q->triangle.part == TG_LOWER_C || q->triangle.part == TG_LOWER_A; /* the longest tasks first */
    int64_t i = (growing ? last - row : row) * q->block, i_end = tg_min(i + q->block, q->m);
    int64_t j = q->strip_at + index % q->column_tasks * q->columns;
    int64_t j_end = tg_min(j + q->columns, q->strip_at + q->strip);
    real *a = q->a.data + i * q->a.row + q->slice_at * q->a.col;
    real buffer[FN(TG_PANEL_MAX)];
    if (FN(idle)(q, FN(steps_of)(q, i, i_end - i, j)))
        return;
    if (q->pack_a) {
        real *packed = q->packed_a + (size_t)worker * q->size_a;
        FN(pack_rows)(q, i, i_end, packed);
        a = packed;
    }
    while (j < j_end) {
        panel b = FN(panel_at)(q, j, j_end, buffer);
        FN(run_panel)(q, &b, a, i, i_end, j);
        j += b.columns;
    }
}

/* Several panels of B; rows that are contiguous go to all of them at once. */
static void FN(pack_task)(void *context, int64_t index, int worker) {
    const product *q = context;
    int width = q->kernels->vectors * q->kernels->lanes;
    int64_t j = index * width * PANELS_AT_ONCE, end = tg_min(q->strip, j + width * PANELS_AT_ONCE);
    const real *b = q->b.data + q->slice_at * q->b.row + q->strip_at * q->b.col;
    if (q->b.col == 1 && q->b.row >= width && end - j >= width) {
        q->kernels->pack_tiles(width, (end - j) / width, q->slice, b + j, q->b.row, q->packed_b + j * q->slice);
        j += (end - j) / width * width;
    }
    for (; j < end; j += width)
        q->kernels->pack(width, tg_min(end - j, width), q->slice, b + j * q->b.col, q->b.col, q->b.row,
                         q->packed_b + j * q->slice);
    (void)worker;
}

static void FN(multiply)(product *q) {
    int width = q->kernels->vectors * q->kernels->lanes;
    for (q->strip_at = 0; q->strip_at < q->n; q->strip_at += NC) {
        q->strip = tg_min(q->n - q->strip_at, NC);
        q->column_tasks = tg_blocks(q->strip, q->columns);
        for (q->slice_at = 0; q->slice_at < q->k; q->slice_at += q->depth) {
            q->slice = tg_min(q->k - q->slice_at, q->depth);
            if (q->pack_b)
                tg_parallel(q->workers, tg_blocks(q->strip, width * PANELS_AT_ONCE), FN(pack_task), q);
            tg_parallel(q->workers, tg_blocks(q->m, q->block) * q->column_tasks, FN(multiply_task), q);
        }
    }
}

/* ---- dot products ---- */

static void FN(dots_task)(void *context, int64_t begin, int64_t end) {
    const product *q = context;
    int step;
    for (int64_t j = begin; j < end; j += step) {
        step = end - j >= 4 ? 4 : 1;
        for (int64_t i = 0; i < q->m; i++) {
            real sums[4], *c = q->c.data + i * q->c.row + j * q->c.col;
            q->kernels->dots(q->k, q->a.data + i * q->a.row, q->b.data + j * q->b.col, step == 4 ? q->b.col : 0, sums);
            for (int s = 0; s < step; s++)
                c[s * q->c.col] = q->add ? c[s * q->c.col] + sums[s] : sums[s];
        }
    }
}

static void FN(run_dots)(product *q) {
    if (q->workers > 1)
        tg_parallel_range(q->n, tg_round_up(q->n / (4 * q->workers) + 1, 4), FN(dots_task), q);
    else
        FN(dots_task)(q, 0, q->n);
}

/* ---- all forms ---- */

/* Partition C into tasks: blocks of rows, and columns too when there are few rows. */
static void FN(partition)(product *q) {
    q->block = q->kernels->block;
    q->columns = NC;
    if (q->workers == 1)
        return;
    int64_t tasks = 4 * q->workers;
    q->block = tg_min(q->kernels->block, tg_round_up(tg_blocks(q->m, tasks), q->kernels->rows));
    int64_t row_tasks = tg_blocks(q->m, q->block);
    if (2 * row_tasks < tasks)
        q->columns = tg_round_up(tg_min(q->n, NC) * row_tasks / tasks + 1, q->kernels->vectors * q->kernels->lanes);
}

/* C^T = B^T A^T */
static void FN(transpose)(product *q) {
    tg_matrix a = q->a;
    int64_t m = q->m;
    q->a = FN(tg_transposed)(q->b);
    q->b = FN(tg_transposed)(a);
    q->c = FN(tg_transposed)(q->c);
    q->m = q->n;
    q->n = m;
    q->transposed = true;
}

/* Decide how the product is computed, by at most `workers` workers. Returns the elements of scratch that it needs. */
static size_t FN(plan)(product *q, int workers) {
    q->kernels = &tg_isa_now()->FN(kernels);
    q->form = FN(tg_gemm_choose)(q->kernels, q->triangle, q->m, q->n, q->k, &q->a, &q->b);
    q->workers = (double)q->m * (double)q->n * (double)q->k >= WORTH_SHARING ? workers : 1;
    bool whole = q->triangle.part == TG_WHOLE;
    if (q->form == TG_DOTS ? q->m > q->n : q->form == TG_TILES && whole && q->c.col != 1 && q->c.row == 1)
        FN(transpose)(q);
    if (q->form != TG_TILES)
        return 0;
    bool large_a = q->m > 2 * q->kernels->rows && q->m * q->k > IN_PLACE;
    bool reused = q->m > FEW_ROWS && q->n > NARROW && q->n * q->k > IN_PLACE;
    int64_t apart = q->a.col == 1 ? q->a.row : q->a.col;
    bool one_set = apart * (int64_t)sizeof(real) % PAGE == 0; /* A's lines would evict one another */
    bool few_panels = q->n <= FEW_PANELS * q->kernels->vectors * q->kernels->lanes;
    bool columns = q->a.row == 1 && few_panels && q->m * q->k <= IN_CACHE;
    q->pack_a = large_a && (q->a.col == 1 ? one_set && q->n > NARROW : one_set || !columns);
    q->pack_b = q->b.col == 1 ? reused : q->m > 2 * q->kernels->rows && q->n > q->kernels->lanes;
    FN(partition)(q);
    int64_t slices = tg_blocks(q->k, q->kernels->depth), width = q->kernels->vectors * q->kernels->lanes;
    q->depth = tg_min(q->kernels->depth, tg_round_up(tg_blocks(q->k, slices), q->kernels->lanes));
    q->size_b = q->pack_b ? (size_t)(tg_round_up(tg_min(q->n, NC), width) * q->depth) : 0;
    q->size_a = q->pack_a ? (size_t)tg_round_up(tg_min(q->m, q->kernels->block) * q->depth + q->kernels->lanes, 16) : 0;
    return q->size_b + q->size_a * (size_t)q->workers;
}

static void FN(compute)(product *q, real *scratch) {
    q->packed_b = scratch;
    q->packed_a = q->size_a ? scratch + q->size_b : NULL;
    switch (q->form) {
    case TG_REFERENCE: FN(reference)(q); break;
    case TG_TINY: q->kernels->multiply_tiny(q->m, q->n, q->k, &q->a, &q->b, q->add, &q->c); break;
    case TG_DOTS: FN(run_dots)(q); break;
    case TG_TILES: FN(multiply)(q); break;
    }
}

tg_status FN(tg_gemm_triangle)(tg_tape *t, tg_triangle triangle, int64_t m, int64_t n, int64_t k, tg_matrix a,
                               tg_matrix b, bool add, tg_matrix c) {
    product q = {.m = m, .n = n, .k = k, .a = a, .b = b, .c = c, .add = add, .triangle = triangle};
    size_t bytes = FN(plan)(&q, tg_workers()) * sizeof(real);
    real *scratch = bytes ? tg_pool_get(t, bytes) : NULL;
    if (bytes && !scratch)
        return tg_tape_status(t);
    FN(compute)(&q, scratch);
    tg_pool_put(t, scratch, bytes);
    return TG_OK;
}

/* The most scratch that plan may ask for, whichever of A and B is packed and whether or not they are swapped. */
size_t FN(tg_gemm_room)(int64_t m, int64_t n, int64_t k) {
    const tg_kernels *kernels = &tg_isa_now()->FN(kernels);
    if (!kernels->tile) /* the reference packs nothing, and its sizes are 0 */
        return 0;
    int64_t lines = tg_max(m, n), depth = tg_min(kernels->depth, tg_round_up(k, kernels->lanes));
    int64_t size_b = tg_round_up(tg_min(lines, NC), kernels->vectors * kernels->lanes) * depth;
    int64_t size_a = tg_round_up(tg_min(lines, kernels->block) * depth + kernels->lanes, 16);
    return (size_t)(size_a + size_b);
}

void FN(tg_gemm_in)(real *room, tg_triangle triangle, int64_t m, int64_t n, int64_t k, tg_matrix a, tg_matrix b,
                    bool add, tg_matrix c) {
    product q = {.m = m, .n = n, .k = k, .a = a, .b = b, .c = c, .add = add, .triangle = triangle};
    FN(plan)(&q, 1);
    FN(compute)(&q, room);
}

/* ---- batches ---- */

/* One plan serves all: they differ only in where their matrices begin. */
typedef struct batched {
    const product *plan;
    const tg_batches *batches;
    int64_t count, share; /* share: batches per task */
    real *scratch;        /* per worker */
    size_t size;
} batched;

static void FN(run_batches)(const batched *all, int64_t begin, int64_t end, real *scratch) {
    const tg_batches *batches = all->batches;
    product q = *all->plan;
    int64_t at[TG_MAX_DIMS], rest = begin;
    real *a = q.transposed ? q.b.data : q.a.data, *b = q.transposed ? q.a.data : q.b.data, *c = q.c.data;
    for (int d = batches->ndim - 1; d >= 0; d--) {
        at[d] = rest % batches->size[d];
        rest /= batches->size[d];
        a += at[d] * batches->a[d];
        b += at[d] * batches->b[d];
        c += at[d] * batches->c[d];
    }
    for (int64_t i = begin; i < end; i++) {
        q.a.data = q.transposed ? b : a;
        q.b.data = q.transposed ? a : b;
        q.c.data = c;
        FN(compute)(&q, scratch);
        for (int d = batches->ndim - 1; d >= 0; d--) {
            int64_t steps = ++at[d] < batches->size[d] ? 1 : 1 - batches->size[d];
            a += steps * batches->a[d];
            b += steps * batches->b[d];
            c += steps * batches->c[d];
            if (steps == 1)
                break;
            at[d] = 0;
        }
    }
}

static void FN(batches_task)(void *context, int64_t index, int worker) {
    const batched *all = context;
    int64_t begin = index * all->share;
    real *scratch = all->scratch ? all->scratch + (size_t)worker * all->size : NULL;
    FN(run_batches)(all, begin, tg_min(begin + all->share, all->count), scratch);
}

/* Several batches at once, each on one thread, when there are enough of them and no two results overlap; else one after
 * another. */
tg_status FN(tg_gemm_batched)(tg_tape *t, const tg_batches *batches, int64_t m, int64_t n, int64_t k, tg_matrix a,
                              tg_matrix b, bool add, tg_matrix c) {
    product q = {.m = m, .n = n, .k = k, .a = a, .b = b, .c = c, .add = add};
    batched all = {.plan = &q, .batches = batches, .count = 1};
    bool separate = true;
    for (int d = 0; d < batches->ndim; d++) {
        all.count *= batches->size[d];
        separate &= batches->c[d] != 0 || batches->size[d] == 1;
    }
    if (!all.count)
        return TG_OK;
    int workers = tg_workers();
    double work = (double)m * (double)n * (double)k;
    bool shared = separate && work * (double)all.count >= WORTH_SHARING && all.count >= 4 * workers && workers > 1;
    all.size = FN(plan)(&q, shared ? 1 : workers);
    size_t bytes = all.size * sizeof(real) * (size_t)(shared ? workers : 1);
    if (bytes && !(all.scratch = tg_pool_get(t, bytes)))
        return tg_tape_status(t);
    all.share = shared ? (int64_t)(WORTH_SHARING / 8 / (work + 1)) + 1 : all.count;
    if (shared)
        tg_parallel(workers, tg_blocks(all.count, all.share), FN(batches_task), &all);
    else
        FN(run_batches)(&all, 0, all.count, all.scratch);
    tg_pool_put(t, all.scratch, bytes);
    return TG_OK;
}

#else
#define TG_SELF "kernels/gemm.c"
#include "core/twice.h"
#endif
