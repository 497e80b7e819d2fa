/* Elementwise operations: everything but the arithmetic.
 *
 * The output is contiguous; it is produced in tiles (core/tiles.h), row by row. An input whose elements follow one
 * another along a row is read where it is; any other (broadcast, transposed, bool) is first gathered into a tile on the
 * stack, so row kernels see contiguous reals only. A transposed input that is the only one is read in its own order,
 * and it is the tile of results that is transposed. In the VJP a row kernel computes the contribution to one input's
 * gradient. It is written straight into a gradient that is new and lies so; otherwise into a tile that goes from there
 * to where it belongs, added along strides of 0 where the input was broadcast. That is the one place where broadcasting
 * is undone. Large results are shared among threads; where several elements meet in one, each part of the result has
 * sums of its own, which are added up in the end.
 */
#include "core/kernels/isa.h"
#include "core/kernels/moves.h"
#include "core/kernels/threads.h"
#include "core/tiles.h"

#include <stdlib.h>

#ifndef real
enum { CHUNK = TG_ROW_MAX, MAX_INPUTS = 3, SHARE = 16 << 10 }; /* SHARE: elements that one thread takes at a time */
enum { ALL_INPUTS = TG_IN(0) | TG_IN(1) | TG_IN(2), MAX_PARTS = 64, TILE_BYTES = 16 << 10, CACHE_LINE = 64 };
enum { FEWEST = 4 }; /* elements along a dim that are worth a tile */

/* n things to do, that are all of y's elements */
static void share(const tg_node *y, int64_t n, tg_range_task *task, void *context) {
    if (y->numel >= 2 * SHARE)
        tg_parallel_range(n, SHARE / (y->numel / n), task, context);
    else
        task(context, 0, n);
}

/* int64: the same without gradients. */

typedef void row_kernel_i64(ptrdiff_t n, uint64_t *y, const uint64_t *const *x, const void *attr);

static void gather_i64(const tg_node *x, tg_walk *w, int64_t n, uint64_t *out) {
    while (n > 0) {
        int64_t run = tg_walk_run(w) < n ? tg_walk_run(w) : n, stride = w->stride[w->ndim - 1];
        for (int64_t j = 0, at = w->offset; j < run; j++, at += stride)
            out[j] = x->dtype == TG_BOOL ? ((const bool *)x->data)[at] : ((const uint64_t *)x->data)[at];
        tg_walk_next(w, run);
        out += run;
        n -= run;
    }
}

static void range_i64(void *node, int64_t begin, int64_t end) {
    const tg_node *y = node;
    tg_walk walk[MAX_INPUTS];
    uint64_t chunk[MAX_INPUTS][CHUNK];
    const uint64_t *x[MAX_INPUTS] = {chunk[0], chunk[1], chunk[2]};
    for (int i = 0; i < y->n_in; i++) {
        tg_walk_input(&walk[i], y, i);
        tg_walk_seek(&walk[i], begin);
    }
    for (int64_t at = begin; at < end; at += CHUNK) {
        int64_t n = end - at < CHUNK ? end - at : CHUNK;
        for (int i = 0; i < y->n_in; i++)
            gather_i64(y->in[i], &walk[i], n, chunk[i]);
        ((row_kernel_i64 *)y->op->row[TG_I64])(n, (uint64_t *)y->data + at, x, y->attr);
    }
}

/* Bools that lie alike, as bytes. */

typedef void row_kernel_bool(ptrdiff_t n, uint8_t *y, const uint8_t *const *x, const void *attr);

static bool are_bools_alike(const tg_node *y) {
    bool alike = y->op->row[TG_BOOL] != NULL;
    for (int i = 0; i < y->n_in; i++)
        alike &= y->in[i]->dtype == TG_BOOL && y->in[i]->contiguous && tg_same_shape(y->in[i], y);
    return alike;
}

static void range_bool(void *node, int64_t begin, int64_t end) {
    const tg_node *y = node;
    const uint8_t *x[MAX_INPUTS];
    for (int i = 0; i < y->n_in; i++)
        x[i] = (const uint8_t *)y->in[i]->data + begin;
    ((row_kernel_bool *)y->op->row[TG_BOOL])(end - begin, (uint8_t *)y->data + begin, x, y->attr);
}

/* op's row kernels for the instruction set in use */
static const tg_wide_rows *wide_rows(const tg_op *op, tg_dtype dtype) {
    int wide = tg_isa_now()->wide;
    return wide && op->wide[wide - 1].row[dtype] ? &op->wide[wide - 1] : NULL;
}
static tg_fn *row_of(const tg_op *op, tg_dtype dtype) {
    const tg_wide_rows *wide = wide_rows(op, dtype);
    return wide ? wide->row[dtype] : op->row[dtype];
}
static tg_fn *row_vjp_of(const tg_op *op, tg_dtype dtype) {
    const tg_wide_rows *wide = wide_rows(op, dtype);
    return wide ? wide->row_vjp[dtype] : op->row_vjp[dtype];
}

#define row_kernel FN(row_kernel)
#define row_vjp_kernel FN(row_vjp_kernel)
#define reader FN(reader)
#define input_gradient FN(input_gradient)
#define gradients FN(gradients)

/* What is walked in tiles: y, and the inputs that are read, each with its number among the tiles' arrays (-1: not
 * read); in the VJP the gradients as well. */
typedef struct walked {
    const tg_node *y;
    tg_tiles tiles;
    int result, array[MAX_INPUTS];
} walked;

static void walk_inputs(walked *w, const tg_node *y, uint8_t reads) {
    int64_t stride[TG_MAX_DIMS];
    w->y = y;
    tg_tiles_begin(&w->tiles, y->ndim, y->size);
    w->result = tg_tiles_add(&w->tiles, y->stride);
    for (int i = 0; i < y->n_in; i++) {
        w->array[i] = -1;
        if (!(reads & TG_IN(i)))
            continue;
        tg_broadcast_strides(y->in[i], y->in[i]->stride, y->ndim, y->size, stride);
        w->array[i] = tg_tiles_add(&w->tiles, stride);
    }
}

/* The dim along which x is dense, if that is not the last one and both are worth it; -1: none. */
static int crossing_dim(const tg_node *x) {
    int last = x->ndim - 1;
    for (int i = 0; i < last && llabs(x->stride[last]) > 1 && x->size[last] >= FEWEST; i++)
        if (x->stride[i] == 1 && x->size[i] >= FEWEST)
            return i;
    return -1;
}

static void put_last(int ndim, int dim, const int64_t *from, int64_t *to) {
    for (int i = 0, n = 0; i < ndim; i++)
        to[i == dim ? ndim - 1 : n++] = from[i];
}

/* A transposed input, if it is the only one, in its own order: then it is y that crosses the tiles, which is written
 * only. */
static bool walk_as_input(walked *w, const tg_node *y) {
    const tg_node *x = y->in[0];
    int64_t dims[TG_MAX_DIMS];
    int dim = y->n_in == 1 && x->dtype == y->dtype && y->dtype != TG_BOOL ? crossing_dim(x) : -1;
    if (dim < 0)
        return false;
    w->y = y;
    put_last(y->ndim, dim, y->size, dims);
    tg_tiles_begin(&w->tiles, y->ndim, dims);
    put_last(y->ndim, dim, x->stride, dims);
    w->array[0] = tg_tiles_add(&w->tiles, dims);
    put_last(y->ndim, dim, y->stride, dims);
    w->result = tg_tiles_add(&w->tiles, dims);
    return true;
}

/* True when the array's elements are neighbours in each run of a tile. */
static bool lies_in_runs(const tg_tiles *t, int array) {
    return tg_column_stride(t, array) == 1 && (!t->joined || tg_row_stride(t, array) == t->columns);
}

/* True when the inputs that are read lie as y does, which is small: walks are spared then. */
static bool is_one_run(const tg_node *y, uint8_t reads) {
    uint8_t inputs = (uint8_t)((1u << y->n_in) - 1) & reads;
    return y->numel <= CHUNK && (y->linear & inputs) == inputs && y->dtype != TG_BOOL;
}

/* A tile's runs, each for one call of a row kernel. */
static int64_t runs_of(const tg_tile *t) { return t->tiles->joined ? 1 : t->rows; }
static int64_t run_length(const tg_tile *t) { return t->tiles->joined ? t->rows * t->columns : t->columns; }

/* The gradient of x, that y's shape broadcasts, is summed in so many parts of y; 0: it is no sum. The number depends on
 * the sizes alone, so that the bits do not depend on the number of threads. */
static int64_t parts_of(const tg_node *y, const tg_node *x) {
    int64_t n = y->numel / (8 * x->numel > SHARE ? 8 * x->numel : SHARE);
    return tg_same_shape(x, y) ? 0 : n < 1 ? 1 : n > MAX_PARTS ? MAX_PARTS : n;
}

/* True when input i's gradient is dy itself, laid out otherwise. */
static bool is_moved(const tg_node *y, int i) {
    const tg_node *x = y->in[i];
    return y->op->passes_grad && tg_same_shape(x, y) && !tg_is_dense(x, x->gstride);
}

/* True when one of the inputs that are read is transposed. */
static bool any_turned(const tg_node *y, uint8_t reads) {
    for (int i = 0; i < y->n_in; i++)
        if (reads & TG_IN(i) && crossing_dim(y->in[i]) >= 0)
            return true;
    return false;
}

/* True when the gradients of two inputs may have elements in common: made one after the other then, else in one pass,
 * so that what is read is read once. */
static bool share_gradients(const tg_node *y) {
    for (int i = 1; i < y->n_in; i++)
        for (int k = 0; k < i; k++)
            if (tg_wants(y, i) && tg_wants(y, k) && tg_share_grad(y->in[i], y->in[k]))
                return true;
    return false;
}
#endif

#ifdef real

typedef void row_kernel(ptrdiff_t n, real *y, const real *const *x, const void *attr);
typedef void row_vjp_kernel(ptrdiff_t n, int i, real *dx, const real *dy, const real *y, const real *const *x,
                            const void *attr);

/* The inputs' elements of a tile: the first one's place, and how far apart its runs are. `has`: the tile that was
 * gathered last. */
typedef struct reader {
    const walked *w;
    const real *x[MAX_INPUTS];
    int64_t step[MAX_INPUTS];
    struct {
        ptrdiff_t at;
        int64_t rows, columns;
    } has[MAX_INPUTS];
    real chunk[MAX_INPUTS][TILE_BYTES / sizeof(real)];
} reader;

static void FN(reader_begin)(reader *r, const walked *w) {
    r->w = w;
    for (int i = 0; i < MAX_INPUTS; i++) {
        r->x[i] = NULL;
        r->has[i].at = r->has[i].rows = r->has[i].columns = 0;
    }
}

/* Operands broadcast along the rows are gathered once; those gathered already are not gathered again. */
static void FN(gather_input)(reader *r, int i, const tg_tile *t) {
    int array = r->w->array[i];
    int64_t stride[] = {tg_row_stride(t->tiles, array), tg_column_stride(t->tiles, array)};
    int64_t rows = stride[0] || t->tiles->joined ? t->rows : 1;
    r->x[i] = r->chunk[i];
    r->step[i] = rows > 1 ? t->columns : 0;
    if (r->has[i].at == t->at[array] && r->has[i].rows == rows && r->has[i].columns == t->columns)
        return;
    r->has[i].at = t->at[array];
    r->has[i].rows = rows;
    r->has[i].columns = t->columns;
    FN(tg_tile_gather)(r->w->y->in[i], t->at[array], stride, rows, t->columns, r->chunk[i]);
}

static void FN(read_tile)(reader *r, const tg_tile *t) {
    const walked *w = r->w;
    for (int i = 0; i < w->y->n_in; i++) {
        const tg_node *x = w->y->in[i];
        if (w->array[i] < 0)
            continue;
        if (x->dtype != REAL_DTYPE || !lies_in_runs(&w->tiles, w->array[i])) {
            FN(gather_input)(r, i, t);
            continue;
        }
        r->x[i] = (const real *)x->data + t->at[w->array[i]];
        r->step[i] = tg_row_stride(&w->tiles, w->array[i]);
    }
}

/* The inputs' elements of run k; NULL for those that are not read. */
static void FN(read_run)(const reader *r, int64_t k, const real **x) {
    for (int i = 0; i < r->w->y->n_in; i++)
        x[i] = r->x[i] ? r->x[i] + k * r->step[i] : NULL;
}

/* Rows of results, `step` apart. */
static void FN(compute_rows)(const reader *r, const tg_tile *t, real *out, int64_t step) {
    const tg_node *y = r->w->y;
    row_kernel *row = (row_kernel *)row_of(y->op, REAL_DTYPE);
    const real *x[MAX_INPUTS];
    for (int64_t k = 0; k < runs_of(t); k++, out += step) {
        FN(read_run)(r, k, x);
        row(run_length(t), out, x, y->attr);
    }
}

static void FN(store_rows)(const walked *w, const tg_tile *t, const real *values, uint8_t *out) {
    for (int64_t k = 0; k < runs_of(t); k++)
        FN(tg_store_bools)
    (run_length(t), out + k * tg_row_stride(t->tiles, w->result), values + k * t->columns);
}

/* The result's elements are reals, or bools for comparisons. */
static void FN(forward_tile)(const reader *r, const tg_tile *t) {
    const walked *w = r->w;
    const tg_node *y = w->y;
    ptrdiff_t at = t->at[w->result];
    int64_t stride[] = {tg_row_stride(t->tiles, w->result), tg_column_stride(t->tiles, w->result)};
    real values[TILE_BYTES / sizeof(real)];
    if (y->dtype != TG_BOOL && lies_in_runs(t->tiles, w->result)) {
        FN(compute_rows)(r, t, (real *)y->data + at, stride[0]);
        return;
    }
    FN(compute_rows)(r, t, values, t->columns);
    if (y->dtype == TG_BOOL)
        FN(store_rows)(w, t, values, (uint8_t *)y->data + at);
    else
        tg_move_tile(sizeof(real), t->rows, t->columns, (real *)y->data + at, stride, values,
                     (int64_t[]){t->columns, 1});
}

static void FN(forward_tiles)(void *context, int64_t begin, int64_t end) {
    const walked *w = context;
    reader r;
    tg_tile t;
    FN(reader_begin)(&r, w);
    for (tg_tile_seek(&t, &w->tiles, begin); t.number < end; tg_tile_next(&t)) {
        FN(read_tile)(&r, &t);
        FN(forward_tile)(&r, &t);
    }
}

tg_status FN(tg_elementwise_forward)(tg_node *y) {
    if (y->dtype == TG_I64) {
        share(y, y->numel, range_i64, y);
    } else if (are_bools_alike(y)) {
        share(y, y->numel, range_bool, y);
    } else if (is_one_run(y, ALL_INPUTS)) {
        const real *x[MAX_INPUTS];
        for (int i = 0; i < y->n_in; i++)
            x[i] = y->in[i]->data;
        ((row_kernel *)row_of(y->op, REAL_DTYPE))(y->numel, y->data, x, y->attr);
    } else if (y->numel) {
        walked w;
        bool turned = walk_as_input(&w, y);
        if (!turned)
            walk_inputs(&w, y, ALL_INPUTS);
        tg_tiles_plan(&w.tiles, TILE_BYTES / sizeof(real), CHUNK, turned ? CACHE_LINE / (int)sizeof(real) : 0);
        share(y, w.tiles.count, FN(forward_tiles), &w);
    }
    return TG_OK;
}

/* ---- gradients ---- */

/* Where the gradient of input i goes. sums: of several of y's elements; `values` has a row of them for each part of y,
 * or there is one part and values is NULL. */
typedef struct input_gradient {
    int i, array;
    bool sums;
    tg_slot slot;
    real *values;
} input_gradient;

typedef struct gradients {
    walked w;
    const real *dy;
    int n;
    int64_t parts;
    input_gradient of[MAX_INPUTS];
} gradients;

/* The gradient of one input in a tile: rows, `step` apart. */
static void FN(make_rows)(const gradients *all, int i, const reader *r, const tg_tile *t, real *out, int64_t step) {
    const tg_node *y = all->w.y;
    const real *x[MAX_INPUTS];
    row_vjp_kernel *row_vjp = (row_vjp_kernel *)row_vjp_of(y->op, REAL_DTYPE);
    for (int64_t k = 0; k < runs_of(t); k++, out += step) {
        ptrdiff_t at = t->at[0] + k * tg_row_stride(t->tiles, 0);
        FN(read_run)(r, k, x);
        row_vjp(run_length(t), i, out, all->dy + at, (const real *)y->data + at, x, y->attr);
    }
}

static void FN(vjp_tile)(const gradients *all, int64_t part, const input_gradient *g, const reader *r,
                         const tg_tile *t) {
    int64_t stride[] = {tg_row_stride(t->tiles, g->array), tg_column_stride(t->tiles, g->array)};
    real *dx = g->values ? g->values + part * g->slot.x->numel : g->slot.data, out[TILE_BYTES / sizeof(real)];
    const real *values = out;
    int64_t step = t->columns;
    bool fresh = g->slot.fresh && !g->values;
    dx += t->at[g->array];
    if (fresh && lies_in_runs(t->tiles, g->array)) {
        FN(make_rows)(all, g->i, r, t, dx, stride[0]);
        return;
    }
    if (all->w.y->op->passes_grad) {
        values = all->dy + t->at[0];
        step = tg_row_stride(t->tiles, 0);
    } else {
        FN(make_rows)(all, g->i, r, t, out, step);
    }
    if (fresh)
        tg_move_tile(sizeof(real), t->rows, t->columns, dx, stride, values, (int64_t[]){step, 1});
    else
        FN(tg_tile_add)(t->rows, t->columns, dx, stride, values, step);
}

/* Of one part, tiles begin to end - 1. */
static void FN(vjp_tiles)(const gradients *all, int64_t part, int64_t begin, int64_t end) {
    reader r;
    tg_tile t;
    FN(reader_begin)(&r, &all->w);
    for (tg_tile_seek(&t, &all->w.tiles, begin); t.number < end; tg_tile_next(&t)) {
        FN(read_tile)(&r, &t);
        for (int k = 0; k < all->n; k++)
            FN(vjp_tile)(all, part, &all->of[k], &r, &t);
    }
}

static void FN(vjp_range)(void *context, int64_t begin, int64_t end) { FN(vjp_tiles)(context, 0, begin, end); }

static void FN(vjp_parts)(void *context, int64_t begin, int64_t end) {
    const gradients *all = context;
    int64_t n = all->w.tiles.count;
    for (int64_t part = begin; part < end; part++) {
        for (int k = 0; k < all->n; k++) {
            const input_gradient *g = &all->of[k];
            if (g->values)
                memset(g->values + part * g->slot.x->numel, 0, (size_t)g->slot.x->numel * sizeof(real));
        }
        FN(vjp_tiles)(all, part, n * part / all->parts, n * (part + 1) / all->parts);
    }
}

static size_t FN(bytes_of_sums)(const gradients *all, const input_gradient *g) {
    return (size_t)(all->parts * g->slot.x->numel) * sizeof(real);
}

/* Input i's gradient is wanted; where a sum has one part, it is added to right where it belongs. */
static bool FN(open_gradient)(gradients *all, int i) {
    tg_node *y = (tg_node *)(uintptr_t)all->w.y;
    input_gradient *g = &all->of[all->n++];
    bool sums = !tg_same_shape(y->in[i], y), in_parts = sums && all->parts > 1;
    *g = (input_gradient){.i = i, .slot = in_parts ? tg_grad_dense(y, i) : tg_grad_open(y, i)};
    if (g->slot.data && sums)
        tg_grad_clear(&g->slot);
    if (g->slot.data && in_parts)
        g->values = tg_pool_get(y->tape, FN(bytes_of_sums)(all, g));
    return in_parts ? g->values != NULL : g->slot.data != NULL;
}

/* Sums are added up part after part, whoever made them. */
static void FN(close_gradient)(const gradients *all, input_gradient *g) {
    int64_t n = g->slot.x->numel;
    if (g->values) {
        tg_accumulate(REAL_DTYPE, 2, (int64_t[]){all->parts, n}, g->slot.data, (int64_t[]){0, 1}, g->values);
        tg_pool_put(g->slot.x->tape, g->values, FN(bytes_of_sums)(all, g));
    }
    tg_grad_close(&g->slot);
}

static void FN(walk_gradient)(gradients *all, input_gradient *g) {
    const tg_node *y = all->w.y, *x = g->slot.x;
    int64_t dense[TG_MAX_DIMS], stride[TG_MAX_DIMS];
    tg_dense_strides(x->ndim, x->size, dense);
    tg_broadcast_strides(x, g->values ? dense : g->slot.stride, y->ndim, y->size, stride);
    g->array = tg_tiles_add(&all->w.tiles, stride);
}

static void FN(compute)(gradients *all, uint8_t reads) {
    walk_inputs(&all->w, all->w.y, reads);
    for (int k = 0; k < all->n; k++)
        FN(walk_gradient)(all, &all->of[k]);
    bool turned = any_turned(all->w.y, reads);
    tg_tiles_plan(&all->w.tiles, TILE_BYTES / sizeof(real), CHUNK, turned ? 0 : CACHE_LINE / (int)sizeof(real));
    if (all->parts > 1)
        tg_parallel_range(all->parts, 1, FN(vjp_parts), all);
    else if (all->parts == 1)
        FN(vjp_range)(all, 0, all->w.tiles.count);
    else
        share(all->w.y, all->w.tiles.count, FN(vjp_range), all);
}

/* All that is read and written lies as y does, which is small. */
static bool FN(compute_one_run)(const gradients *all, uint8_t reads) {
    const tg_node *y = all->w.y;
    const real *x[MAX_INPUTS];
    bool simple = is_one_run(y, reads);
    for (int k = 0; k < all->n && simple; k++)
        simple = all->of[k].slot.fresh && all->of[k].slot.contiguous;
    for (int i = 0; i < y->n_in; i++)
        x[i] = y->in[i]->data;
    for (int k = 0; k < all->n && simple; k++)
        ((row_vjp_kernel *)row_vjp_of(y->op, REAL_DTYPE))(y->numel, all->of[k].i, all->of[k].slot.data, all->dy,
                                                          y->data, x, y->attr);
    return simple;
}

/* The gradients of n inputs, in one pass. */
static tg_status FN(vjp_of)(tg_node *y, const real *dy, int n, const int *inputs) {
    gradients all = {.w = {.y = y}, .dy = dy, .parts = 0};
    uint8_t reads = 0;
    for (int k = 0; k < n; k++) {
        int64_t parts = parts_of(y, y->in[inputs[k]]);
        reads |= y->op->needs[inputs[k]];
        all.parts = parts && (!all.parts || parts < all.parts) ? parts : all.parts;
    }
    bool opened = true;
    for (int k = 0; k < n && opened; k++)
        opened = FN(open_gradient)(&all, inputs[k]);
    if (opened && y->numel && !FN(compute_one_run)(&all, reads))
        FN(compute)(&all, reads);
    for (int k = 0; k < all.n; k++)
        FN(close_gradient)(&all, &all.of[k]);
    return opened ? TG_OK : tg_tape_status(y->tape);
}

tg_status FN(tg_elementwise_vjp)(tg_node *y) {
    bool apart = share_gradients(y);
    const real *dy = y->grad; /* also once it is an input's */
    int n = 0, inputs[MAX_INPUTS];
    for (int i = 0; i < y->n_in; i++) {
        if (!tg_wants(y, i) || (y->op->passes_grad && tg_grad_hand_over(y, i)))
            continue;
        if (is_moved(y, i)) {
            if (tg_grad_add_values(y->in[i], dy, NULL))
                return tg_tape_status(y->tape);
            continue;
        }
        inputs[n++] = i;
        if (apart && FN(vjp_of)(y, dy, n, inputs))
            return tg_tape_status(y->tape);
        n = apart ? 0 : n;
    }
    return n ? FN(vjp_of)(y, dy, n, inputs) : TG_OK;
}

#else
#define TG_SELF "elementwise.c"
#include "core/twice.h"

/* one for each element, forward and for each gradient */
double tg_elementwise_flops(const tg_node *y, int i) {
    (void)i;
    return (double)y->numel;
}

static tg_node *broadcast_node(tg_tape *t, const tg_op *op, int n, tg_node *const *in, tg_dtype dtype,
                               size_t attr_size) {
    tg_shape shape = tg_shape_from(in[0]);
    for (int i = 1; i < n; i++) {
        tg_shape left = shape, right = tg_shape_from(in[i]);
        if (tg_broadcast(&left, &right, &shape))
            continue;
        tg_fail(t, TG_ERR_SHAPE, "%s: shapes %s and %s do not broadcast", op->name, tg_shape_text(&left).s,
                tg_node_text(in[i]).s);
        return NULL;
    }
    return tg_node_new(t, op, n, in, &shape, dtype, attr_size);
}

bool tg_scalar_fits(const char *name, tg_tensor x, double c) {
    tg_node *in;
    tg_tape *t = tg_open(name, "n", 1, &x, &in);
    bool fits = t && (in->dtype != TG_I64 || (c >= -0x1p63 && c < 0x1p63 && c == floor(c)));
    if (t && !fits)
        tg_fail(t, TG_ERR_ARGUMENT, "%s: x %s is int64, but %g is none; see tg_to_float", name, tg_node_text(in).s, c);
    return fits;
}

/* The dtype of the operands of kind n, which the others' have to be; -1 after tg_fail. */
static int dtype_of_numbers(tg_tape *t, const tg_op *op, const char *kinds, int n, tg_node *const *in) {
    int first = 0;
    while (first < n && kinds[first] != 'n')
        first++;
    for (int i = first + 1; i < n; i++) {
        if (kinds[i] != 'n' || in[i]->dtype == in[first]->dtype)
            continue;
        tg_fail(t, TG_ERR_ARGUMENT, "%s: operand %d %s is %s, but must be %s, as operand %d is", op->name, i + 1,
                tg_node_text(in[i]).s, tg_dtype_name((tg_dtype)in[i]->dtype),
                in[first]->dtype == TG_I64 ? "int64" : "floating", first + 1);
        return -1;
    }
    return first < n ? in[first]->dtype : (int)tg_tape_dtype(t);
}

tg_tensor tg_elementwise(const tg_op *op, const char *kinds, int n, const tg_tensor *x, const void *attr,
                         size_t attr_size) {
    tg_node *in[MAX_INPUTS];
    tg_tape *t = tg_open(op->name, kinds, n, x, in);
    if (!t)
        return TG_NULL;
    int numbers = dtype_of_numbers(t, op, kinds, n, in);
    if (numbers < 0)
        return TG_NULL;
    bool same = true;
    for (int i = 1; i < n; i++)
        same &= tg_same_shape(in[0], in[i]);
    tg_dtype dtype = op->makes_bool ? TG_BOOL : (tg_dtype)numbers;
    tg_node *y =
        same ? tg_node_like(t, op, n, in, in[0], dtype, attr_size) : broadcast_node(t, op, n, in, dtype, attr_size);
    if (!y)
        return TG_NULL;
    if (attr_size)
        memcpy(y->attr, attr, attr_size);
    for (int i = 0; i < n; i++)
        if (in[i]->contiguous && in[i]->dtype == tg_tape_dtype(t) && (same || tg_same_shape(in[i], y)))
            y->linear |= (uint8_t)(1u << i);
    return tg_record(y);
}

#endif
