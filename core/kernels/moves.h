/* Copies and additions between arrays of any strides: for transposes, flips, gathered rows and gradients of views.
 * Where the two sides are contiguous along different dims, blocks are transposed on the way, so that both sides are
 * accessed a cache line at a time. */
#ifndef TAPEGRAD_MOVES_H
#define TAPEGRAD_MOVES_H

#include "core/op.h"

#include <stdlib.h>

/* to = from, elements of this many bytes: 1, 4 or 8; strides in elements, of either sign. from's may be 0; elements of
 * `to` must be distinct and must not overlap `from`. */
void tg_move_copy(size_t bytes, int ndim, const int64_t *size, void *to, const int64_t *to_stride, const void *from,
                  const int64_t *from_stride);
/* to += from */
void tg_move_add(tg_dtype dtype, int ndim, const int64_t *size, void *to, const int64_t *to_stride, const void *from,
                 const int64_t *from_stride);

/* True when a transpose should write its rows, which are `row` elements apart, in order, rather than read its lines,
 * `line` apart, in order. Rows a multiple of 1 KiB apart share a few sets of the first-level cache: stores that go from
 * row to row find no room there until earlier ones are done. But lines read across should share pages. */
static inline bool tg_transpose_by_rows(size_t bytes, int64_t row, int64_t line) {
    enum { FEW_SETS = 1 << 10, PAGE = 4 << 10 };
    int64_t apart = llabs(line) * (int64_t)bytes;
    return llabs(row) >= llabs(line) && row * (int64_t)bytes % FEW_SETS == 0 && apart <= PAGE;
}

/* to = from, two dims and few elements, in the calling thread. */
void tg_move_tile(size_t bytes, int64_t rows, int64_t columns, void *to, const int64_t *to_stride, const void *from,
                  const int64_t *from_stride);

#endif
