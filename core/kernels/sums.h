/* Sums that many elements of an array go into: gradients of what was broadcast. */
#ifndef TAPEGRAD_SUMS_H
#define TAPEGRAD_SUMS_H

#include "core/op.h"

/* dst (strides dstride) += src (contiguous, of shape size): strides of 0 in dst sum. Of more than a
 * few, parts are summed in pairs and their sums in double, which is rounded once. The bits do not depend on the number
 * of threads. */
void tg_sum_into(tg_dtype dtype, int ndim, const int64_t *size, void *dst, const int64_t *dstride, const void *src);

#endif
