/* Private: everything but the arithmetic of elementwise operations, shared by forward and VJP.
 *
 * The output is contiguous; it is produced in tiles (core/frameworks/tiles.h), row by row. An input that is contiguous
 * along a row is read in place; any other (broadcast, transposed, bool) is first gathered into a tile on the stack, so
 * row kernels see only contiguous reals. Threads share large results. */
#ifndef TAPEGRAD_ELEMENTWISE_H
#define TAPEGRAD_ELEMENTWISE_H

#include "core/frameworks/row_kernels.h"
#include "core/frameworks/tiles.h"
#include "core/kernels/threads.h"

enum { TG_ROW_INPUTS = 3, TG_ROW_TILE_BYTES = 16 << 10, TG_ROW_SHARE = 16 << 10, TG_CACHE_LINE = 64 };

/* Runs task over n pieces covering y; a thread takes pieces of about TG_ROW_SHARE elements in total. */
void tg_share_elements(const tg_node *y, int64_t n, tg_range_task *task, void *context);

/* The arrays that are walked in tiles: y and the inputs that are read, each with its index among the tiles' arrays (-1:
 * not read); in the VJP also the gradients. */
typedef struct tg_walked {
    const tg_node *y;
    tg_tiles tiles;
    int result, array[TG_ROW_INPUTS];
} tg_walked;

void tg_walked_begin(tg_walked *w, const tg_node *y, uint8_t reads);
/* False unless y has a single, transposed input. Else the walk follows the input's order, in which dim
 * tg_crossing_dim(x) is the last, so that the strided side is y. */
bool tg_walk_as_input(tg_walked *w, const tg_node *y);
void tg_put_last(int ndim, int dim, const int64_t *from, int64_t *to); /* a list of sizes, strides in such an order */

/* The dim along which x is dense, if it is not the last one and both are long enough; else -1. */
int tg_crossing_dim(const tg_node *x);

/* True when the array is contiguous in each run of a tile. */
static inline bool tg_lies_in_runs(const tg_tiles *t, int array) {
    return tg_column_stride(t, array) == 1 && (!t->joined || tg_row_stride(t, array) == t->columns);
}

/* True when y is small and the inputs that are read have its strides, so that no walk is needed. */
static inline bool tg_is_one_run(const tg_node *y, uint8_t reads) {
    uint8_t inputs = (uint8_t)((1u << y->n_in) - 1) & reads;
    return y->numel <= TG_ROW_MAX && (y->linear & inputs) == inputs && y->dtype != TG_BOOL;
}

/* A tile's runs, each for one call of a row kernel. */
static inline int64_t tg_runs_of(const tg_tile *t) { return t->tiles->joined ? 1 : t->rows; }
static inline int64_t tg_run_length(const tg_tile *t) { return t->tiles->joined ? t->rows * t->columns : t->columns; }

#define tg_reader FN(tg_reader)
#define TG_SELF "frameworks/elementwise_twice.h"
#include "core/twice.h"

#endif
