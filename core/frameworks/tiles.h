/* Walks arrays of one shape, each with its own strides, in tiles of two dims. Dims that are contiguous in all arrays
 * are merged. A tile's columns are along the last dim. Its rows are along the dim in which another array is dense, if
 * that is not the last, so that each cache line of both is visited once; else along the dim before the last. */
#ifndef TAPEGRAD_TILES_H
#define TAPEGRAD_TILES_H

#include "core/types.h"

enum { TG_TILED = 7 }; /* arrays, at most */

typedef struct tg_tiles {
    int arrays, ndim; /* dims: at least two; the last two are a tile's */
    int64_t size[TG_MAX_DIMS + 1], stride[TG_TILED][TG_MAX_DIMS + 1];
    int64_t rows, columns; /* of a tile, at most */
    int64_t row_steps, column_steps, count;
    bool joined; /* a tile's rows are contiguous in the first array */
} tg_tiles;

/* Called in this order. begin: the arrays' shape. add: an array's strides, first those of the array that is processed
 * in runs. plan: a tile has at most `elements` elements, a run (the columns of one row, or of joined rows) at most
 * `run`. line: elements of a cache line, a tile's rows when the arrays that are dense along the rows are only written;
 * else 0. in_order: rows longer than a run are walked one by one, as memory is faster in its order; else together, so
 * that what sums over rows adds several at once. */
void tg_tiles_begin(tg_tiles *t, int ndim, const int64_t *size);
int tg_tiles_add(tg_tiles *t, const int64_t *stride); /* the array's number */
void tg_tiles_plan(tg_tiles *t, int64_t elements, int64_t run, int64_t line, bool in_order);

typedef struct tg_tile {
    const tg_tiles *tiles;
    int64_t number, rows, columns, column; /* column: the first */
    ptrdiff_t at[TG_TILED];                /* where it begins in each array */
} tg_tile;
void tg_tile_seek(tg_tile *w, const tg_tiles *t, int64_t number);
void tg_tile_next(tg_tile *w);

/* The strides of an array along a tile's rows and columns. */
static inline int64_t tg_row_stride(const tg_tiles *t, int array) { return t->stride[array][t->ndim - 2]; }
static inline int64_t tg_column_stride(const tg_tiles *t, int array) { return t->stride[array][t->ndim - 1]; }

/* out (`rows` rows of `columns` reals) = x's elements from offset `at` on, of any dtype; stride: x's along rows and
 * columns. */
void tg_tile_gather_f32(const tg_node *x, ptrdiff_t at, const int64_t *stride, int64_t rows, int64_t columns,
                        float *out);
void tg_tile_gather_f64(const tg_node *x, ptrdiff_t at, const int64_t *stride, int64_t rows, int64_t columns,
                        double *out);
/* out[j] = values[j] != 0 */
void tg_store_bools_f32(int64_t n, uint8_t *out, const float *values);
void tg_store_bools_f64(int64_t n, uint8_t *out, const double *values);
/* dx, with these strides along rows and columns, += a tile whose rows are `step` apart. Strides of 0 sum. */
void tg_tile_add_f32(int64_t rows, int64_t columns, float *dx, const int64_t *stride, const float *values,
                     int64_t step);
void tg_tile_add_f64(int64_t rows, int64_t columns, double *dx, const int64_t *stride, const double *values,
                     int64_t step);

#endif
