/* Sums of an array over some of its dims: the gradients of broadcast operands. */
#ifndef TAPEGRAD_SUMS_H
#define TAPEGRAD_SUMS_H

#include "core/op.h"

/* dst (strides dstride) += src (contiguous, of shape size): strides of 0 in dst sum. More than a few elements are
 * summed pairwise in parts, and the parts in double, rounded once. The bits do not depend on the number of threads. */
void tg_sum_into(tg_dtype dtype, int ndim, const int64_t *size, void *dst, const int64_t *dstride, const void *src);

#endif
