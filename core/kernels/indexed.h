/* Elements of x selected by an index: for gather, index_select, embedding, their gradients, scatter_add and index_add.
 * Element (i, j, k) of y corresponds to element (i, index[i, j, k], k) of x when dim is 1, and so on. */
#ifndef TAPEGRAD_INDEXED_H
#define TAPEGRAD_INDEXED_H

#include "core/op.h"

typedef struct tg_indexed {
    int ndim, dim;                                           /* at least one dim */
    int64_t size[TG_MAX_DIMS];                               /* y's */
    int64_t x[TG_MAX_DIMS], y[TG_MAX_DIMS], id[TG_MAX_DIMS]; /* strides; x[dim]: per unit of the index */
    const int64_t *index;
} tg_indexed;

/* The first of n indices that is not in 0 .. size - 1; n when there is none. */
int64_t tg_index_outside(int64_t n, const int64_t *index, int64_t size);

/* y = x[index], in elements of this many bytes; y += x[index]; x[index] += y, in y's order along dim. */
void tg_pick(size_t bytes, const tg_indexed *d, void *y, const void *x);
void tg_pick_add(tg_dtype dtype, const tg_indexed *d, void *y, const void *x);
void tg_add_picked(tg_dtype dtype, const tg_indexed *d, void *x, const void *y);

#endif
