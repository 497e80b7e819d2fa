/* Walks arrays of one shape, each under strides of its own, in tiles of two dims. Dims that lie behind one another in
 * all of them are one. A tile's columns follow the first array's last dim. Its rows follow the dim along which another
 * array is dense, if that is not the last, so that each cache line of both is met once; else the dim before the last.
 */
#ifndef TAPEGRAD_TILES_H
#define TAPEGRAD_TILES_H

#include "core/types.h"

enum { TG_TILED = 7 }; /* arrays, at most */

typedef struct tg_tiles {
    int arrays, ndim; /* dims: at least two, of which the last two are a tile's */
    int64_t size[TG_MAX_DIMS + 1], stride[TG_TILED][TG_MAX_DIMS + 1];
    int64_t rows, columns; /* of a tile, at most */
    int64_t row_steps, column_steps, count;
    bool joined; /* the rows of a tile follow one another in the first array */
} tg_tiles;

/* In this order: begin, add for each array, first the one whose runs are made; plan, with the elements of a tile and
 * the length of a run (all columns of joined rows, or those of one), at most. line: where arrays that lie along the
 * rows are written only, how many elements a cache line of theirs has, as many rows does a tile have then; else 0. */
void tg_tiles_begin(tg_tiles *t, int ndim, const int64_t *size);
int tg_tiles_add(tg_tiles *t, const int64_t *stride); /* the array's number */
void tg_tiles_plan(tg_tiles *t, int64_t elements, int64_t run, int64_t line);

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

/* out, `rows` rows of `columns` reals, = x's elements from the at-th on, of any dtype; stride: x's along rows and
 * columns. */
void tg_tile_gather_f32(const tg_node *x, ptrdiff_t at, const int64_t *stride, int64_t rows, int64_t columns,
                        float *out);
void tg_tile_gather_f64(const tg_node *x, ptrdiff_t at, const int64_t *stride, int64_t rows, int64_t columns,
                        double *out);
/* out[j] = is values[j] other than 0 */
void tg_store_bools_f32(int64_t n, uint8_t *out, const float *values);
void tg_store_bools_f64(int64_t n, uint8_t *out, const double *values);
/* dx, of these strides along rows and columns, += a tile whose rows are `step` apart. Strides of 0 sum. */
void tg_tile_add_f32(int64_t rows, int64_t columns, float *dx, const int64_t *stride, const float *values,
                     int64_t step);
void tg_tile_add_f64(int64_t rows, int64_t columns, double *dx, const int64_t *stride, const double *values,
                     int64_t step);

#endif
