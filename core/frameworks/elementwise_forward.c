/* Elementwise operations, forward.
 *
 * With a single, transposed input the walk usually follows the input's order and transposes the tile of results
 * instead. Integers, and bools with equal strides, have row kernels of their own. */
#include "core/frameworks/elementwise.h"
#include "core/kernels/moves.h"

#ifndef real
enum { ALL_INPUTS = TG_IN(0) | TG_IN(1) | TG_IN(2) };

/* int64: without gradients. */

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
    tg_walk walk[TG_ROW_INPUTS];
    uint64_t chunk[TG_ROW_INPUTS][TG_ROW_MAX];
    const uint64_t *x[TG_ROW_INPUTS] = {chunk[0], chunk[1], chunk[2]};
    for (int i = 0; i < y->n_in; i++) {
        tg_walk_input(&walk[i], y, i);
        tg_walk_seek(&walk[i], begin);
    }
    for (int64_t at = begin; at < end; at += TG_ROW_MAX) {
        int64_t n = end - at < TG_ROW_MAX ? end - at : TG_ROW_MAX;
        for (int i = 0; i < y->n_in; i++)
            gather_i64(y->in[i], &walk[i], n, chunk[i]);
        ((row_kernel_i64 *)y->op->row[TG_I64])(n, (uint64_t *)y->data + at, x, y->attr);
    }
}

/* Bools with equal strides, as bytes. */

typedef void row_kernel_bool(ptrdiff_t n, uint8_t *y, const uint8_t *const *x, const void *attr);

static bool are_bools_alike(const tg_node *y) {
    bool alike = y->op->row[TG_BOOL] != NULL;
    for (int i = 0; i < y->n_in && alike; i++)
        alike = y->in[i]->dtype == TG_BOOL && y->in[i]->contiguous && tg_same_shape(y->in[i], y);
    return alike;
}

static void range_bool(void *node, int64_t begin, int64_t end) {
    const tg_node *y = node;
    const uint8_t *x[TG_ROW_INPUTS];
    for (int i = 0; i < y->n_in; i++)
        x[i] = (const uint8_t *)y->in[i]->data + begin;
    ((row_kernel_bool *)tg_row_of(y->op, TG_BOOL))(end - begin, (uint8_t *)y->data + begin, x, y->attr);
}

/* True when the walk that follows the input's order should follow the result's instead, and gather the input. */
static bool is_better_gathered(const tg_walked *w, size_t bytes) {
    return tg_transpose_by_rows(bytes, tg_column_stride(&w->tiles, w->result), tg_row_stride(&w->tiles, w->array[0]));
}

#define row_kernel FN(row_kernel)
#endif

#ifdef real

typedef void row_kernel(ptrdiff_t n, real *y, const real *const *x, const void *attr);

/* Rows of results, `step` apart. */
static void FN(compute_rows)(const tg_reader *r, const tg_tile *t, real *out, int64_t step) {
    const tg_node *y = r->w->y;
    row_kernel *row = (row_kernel *)tg_row_of(y->op, REAL_DTYPE);
    const real *x[TG_ROW_INPUTS];
    for (int64_t k = 0; k < tg_runs_of(t); k++, out += step) {
        FN(tg_read_run)(r, k, x);
        row(tg_run_length(t), out, x, y->attr);
    }
}

static void FN(store_rows)(const tg_walked *w, const tg_tile *t, const real *values, uint8_t *out) {
    for (int64_t k = 0; k < tg_runs_of(t); k++)
        FN(tg_store_bools)
    (tg_run_length(t), out + k * tg_row_stride(t->tiles, w->result), values + k * t->columns);
}

/* The result's elements are reals, or bools for comparisons. */
static void FN(forward_tile)(const tg_reader *r, const tg_tile *t) {
    const tg_walked *w = r->w;
    const tg_node *y = w->y;
    ptrdiff_t at = t->at[w->result];
    int64_t stride[] = {tg_row_stride(t->tiles, w->result), tg_column_stride(t->tiles, w->result)};
    _Alignas(TG_CACHE_LINE) real values[TG_ROW_TILE_BYTES / sizeof(real)];
    if (y->dtype != TG_BOOL && tg_lies_in_runs(t->tiles, w->result)) {
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
    const tg_walked *w = context;
    tg_reader r;
    tg_tile t;
    FN(tg_reader_begin)(&r, w);
    for (tg_tile_seek(&t, &w->tiles, begin); t.number < end; tg_tile_next(&t)) {
        FN(tg_read_tile)(&r, &t);
        FN(forward_tile)(&r, &t);
    }
}

tg_status FN(tg_elementwise_forward)(tg_node *y) {
    if (y->dtype == TG_I64) {
        tg_share_elements(y, y->numel, range_i64, y);
    } else if (are_bools_alike(y)) {
        tg_share_elements(y, y->numel, range_bool, y);
    } else if (tg_is_one_run(y, ALL_INPUTS)) {
        const real *x[TG_ROW_INPUTS];
        for (int i = 0; i < y->n_in; i++)
            x[i] = y->in[i]->data;
        ((row_kernel *)tg_row_of(y->op, REAL_DTYPE))(y->numel, y->data, x, y->attr);
    } else if (y->numel) {
        tg_walked w;
        bool as_input = tg_walk_as_input(&w, y) && !is_better_gathered(&w, sizeof(real));
        if (!as_input)
            tg_walked_begin(&w, y, ALL_INPUTS);
        tg_tiles_plan(&w.tiles, TG_ROW_TILE_BYTES / sizeof(real), TG_ROW_MAX,
                      as_input ? TG_CACHE_LINE / (int)sizeof(real) : 0, true);
        tg_share_elements(y, w.tiles.count, FN(forward_tiles), &w);
    }
    return TG_OK;
}

#else
#define TG_SELF "frameworks/elementwise_forward.c"
#include "core/twice.h"
#endif
