/* Elementwise operations, backward.
 *
 * A row kernel computes the contribution to one input's gradient. It is written in place into a fresh gradient with
 * matching strides; otherwise into a tile, which is then added to the gradient, along strides of 0 where the input was
 * broadcast. This is the only place where broadcasting is undone. Where several elements sum into one, each part of the
 * result has its own sums, which are added up at the end.
 *
 * Where a single, transposed input is read, and its gradient lies as it does, the walk follows the input's order: then
 * dy alone is transposed, instead of the input and its gradient. So it does where neither input nor result is read, if
 * a transpose of dy should write by rows. */
#include "core/frameworks/elementwise.h"
#include "core/kernels/moves.h"

#ifndef real
enum { MAX_PARTS = 64 };

/* The number of parts of y in which the gradient of a broadcast x is summed; 0: x is not broadcast. It depends only on
 * the sizes, so that the bits do not depend on the number of threads. Gradients made in one pass use the smallest
 * number of theirs, so the last bits of a sum may depend on which gradients are wanted. */
static int64_t parts_of(const tg_node *y, const tg_node *x) {
    int64_t n = y->numel / (8 * x->numel > TG_ROW_SHARE ? 8 * x->numel : TG_ROW_SHARE);
    return tg_same_shape(x, y) ? 0 : n < 1 ? 1 : n > MAX_PARTS ? MAX_PARTS : n;
}

/* True when input i's gradient is dy itself with other strides. */
static bool is_moved(const tg_node *y, int i) {
    const tg_node *x = y->in[i];
    return y->op->passes_grad && tg_same_shape(x, y) && !tg_is_dense(x, x->window.stride);
}

/* True when one of the inputs that are read is transposed. */
static bool any_transposed(const tg_node *y, uint8_t reads) {
    for (int i = 0; i < y->n_in; i++)
        if (reads & TG_IN(i) && tg_crossing_dim(y->in[i]) >= 0)
            return true;
    return false;
}

/* True when the walk should follow the order of a single input, whose gradient, with these strides, is dense where it
 * is. */
static bool lies_across(const tg_node *y, uint8_t reads, const int64_t *stride) {
    int dim = y->n_in == 1 ? tg_crossing_dim(y->in[0]) : -1;
    if (dim < 0 || stride[dim] != 1)
        return false;
    return reads == TG_IN(0) ||
           (!reads && tg_transpose_by_rows(tg_dtype_size((tg_dtype)y->dtype), stride[y->ndim - 1], y->stride[dim]));
}

/* True when the gradients of two inputs may have elements in common: these are made one after the other. Otherwise one
 * pass makes both, and operands are read once. */
static bool gradients_overlap(const tg_node *y) {
    for (int i = 1; i < y->n_in; i++)
        for (int k = 0; k < i; k++)
            if (tg_wants(y, i) && tg_wants(y, k) && tg_share_grad(y->in[i], y->in[k]))
                return true;
    return false;
}

#define row_vjp_kernel FN(row_vjp_kernel)
#define input_gradient FN(input_gradient)
#define gradients FN(gradients)
#define tile_operands FN(tile_operands)
#endif

#ifdef real

typedef void row_vjp_kernel(ptrdiff_t n, int i, real *dx, const real *dy, const real *y, const real *const *x,
                            const void *attr);

/* Where the gradient of input i goes. sums: each element sums several of y's; `values` has a row of sums per part of y,
 * or is NULL with a single part. */
typedef struct input_gradient {
    int i, array;
    bool sums;
    tg_slot slot;
    real *values;
} input_gradient;

typedef struct gradients {
    tg_walked w;
    const real *dy;
    int n;
    bool as_input; /* the walk follows the input's order */
    int64_t parts;
    input_gradient of[TG_ROW_INPUTS];
} gradients;

/* What is read for a tile: the inputs, and dy with the distance of its rows. */
typedef struct tile_operands {
    tg_reader r;
    const real *dy;
    int64_t dy_step;
} tile_operands;

static void FN(read_operands)(const gradients *all, const tg_tile *t, tile_operands *of) {
    int result = all->w.result;
    int64_t stride[] = {tg_row_stride(t->tiles, result), tg_column_stride(t->tiles, result)};
    real *gathered = of->r.chunk[1]; /* free: as_input has one input, in chunk[0] */
    FN(tg_read_tile)(&of->r, t);
    of->dy = all->dy + t->at[result];
    of->dy_step = stride[0];
    if (!all->as_input)
        return;
    tg_move_tile(sizeof(real), t->rows, t->columns, gathered, (int64_t[]){t->columns, 1}, of->dy, stride);
    of->dy = gathered;
    of->dy_step = t->columns;
}

/* The gradient of one input in a tile: rows, `step` apart. y is NULL where it is not read. */
static void FN(make_rows)(const gradients *all, int i, const tile_operands *of, const tg_tile *t, real *out,
                          int64_t step) {
    const tg_node *y = all->w.y;
    const real *x[TG_ROW_INPUTS], *results = all->as_input ? NULL : (const real *)y->data + t->at[all->w.result];
    row_vjp_kernel *row_vjp = (row_vjp_kernel *)tg_row_vjp_of(y->op, REAL_DTYPE);
    for (int64_t k = 0; k < tg_runs_of(t); k++) {
        FN(tg_read_run)(&of->r, k, x);
        row_vjp(tg_run_length(t), i, out + k * step, of->dy + k * of->dy_step,
                results ? results + k * of->dy_step : NULL, x, y->attr);
    }
}

static void FN(vjp_tile)(const gradients *all, int64_t part, const input_gradient *g, const tile_operands *of,
                         const tg_tile *t) {
    int64_t stride[] = {tg_row_stride(t->tiles, g->array), tg_column_stride(t->tiles, g->array)};
    _Alignas(TG_CACHE_LINE) real out[TG_ROW_TILE_BYTES / sizeof(real)];
    real *dx = g->values ? g->values + part * g->slot.x->numel : g->slot.data;
    const real *values = out;
    int64_t step = t->columns;
    bool fresh = g->slot.fresh && !g->values;
    dx += t->at[g->array];
    if (fresh && tg_lies_in_runs(t->tiles, g->array)) {
        FN(make_rows)(all, g->i, of, t, dx, stride[0]);
        return;
    }
    if (all->w.y->op->passes_grad) {
        values = of->dy;
        step = of->dy_step;
    } else {
        FN(make_rows)(all, g->i, of, t, out, step);
    }
    if (fresh)
        tg_move_tile(sizeof(real), t->rows, t->columns, dx, stride, values, (int64_t[]){step, 1});
    else
        FN(tg_tile_add)(t->rows, t->columns, dx, stride, values, step);
}

/* Tiles begin .. end - 1 of one part. */
static void FN(vjp_tiles)(const gradients *all, int64_t part, int64_t begin, int64_t end) {
    tile_operands of;
    tg_tile t;
    FN(tg_reader_begin)(&of.r, &all->w);
    for (tg_tile_seek(&t, &all->w.tiles, begin); t.number < end; tg_tile_next(&t)) {
        FN(read_operands)(all, &t, &of);
        for (int k = 0; k < all->n; k++)
            FN(vjp_tile)(all, part, &all->of[k], &of, &t);
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

/* Opens input i's gradient; a sum with a single part is accumulated in place. */
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

/* Sums are added in the order of the parts, for the same bits with any number of threads. */
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
    if (all->as_input)
        tg_put_last(y->ndim, tg_crossing_dim(x), memcpy(dense, stride, sizeof stride), stride);
    g->array = tg_tiles_add(&all->w.tiles, stride);
}

static void FN(compute)(gradients *all, uint8_t reads) {
    all->as_input = lies_across(all->w.y, reads, all->of[0].slot.stride) && tg_walk_as_input(&all->w, all->w.y);
    if (!all->as_input)
        tg_walked_begin(&all->w, all->w.y, reads);
    for (int k = 0; k < all->n; k++)
        FN(walk_gradient)(all, &all->of[k]);
    bool transposed = any_transposed(all->w.y, reads);
    tg_tiles_plan(&all->w.tiles, TG_ROW_TILE_BYTES / sizeof(real), TG_ROW_MAX,
                  transposed ? 0 : TG_CACHE_LINE / (int)sizeof(real), all->parts == 0);
    if (all->parts > 1)
        tg_parallel_range(all->parts, 1, FN(vjp_parts), all);
    else if (all->parts == 1)
        FN(vjp_range)(all, 0, all->w.tiles.count);
    else
        tg_share_elements(all->w.y, all->w.tiles.count, FN(vjp_range), all);
}

/* For a small y when everything read and written has y's strides. */
static bool FN(compute_one_run)(const gradients *all, uint8_t reads) {
    const tg_node *y = all->w.y;
    const real *x[TG_ROW_INPUTS];
    bool simple = tg_is_one_run(y, reads);
    for (int k = 0; k < all->n && simple; k++)
        simple = all->of[k].slot.fresh && all->of[k].slot.contiguous;
    for (int i = 0; i < y->n_in; i++)
        x[i] = y->in[i]->data;
    for (int k = 0; k < all->n && simple; k++)
        ((row_vjp_kernel *)tg_row_vjp_of(y->op, REAL_DTYPE))(y->numel, all->of[k].i, all->of[k].slot.data, all->dy,
                                                             y->data, x, y->attr);
    return simple;
}

/* The gradients of n inputs, in one pass. */
static tg_status FN(vjp_of)(tg_node *y, const real *dy, int n, const int *inputs) {
    gradients all; /* not zeroed whole: for few elements that is a good part of the work */
    uint8_t reads = 0;
    all.w.y = y;
    all.dy = dy;
    all.n = 0;
    all.parts = 0;
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
    bool apart = gradients_overlap(y);
    const real *dy = y->grad; /* still valid after tg_grad_hand_over gave the buffer to an input */
    int n = 0, inputs[TG_ROW_INPUTS];
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
#define TG_SELF "frameworks/elementwise_vjp.c"
#include "core/twice.h"
#endif
