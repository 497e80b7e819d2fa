/* Private: operations along a dim (softmax, log_softmax) whose kernels know rows of the last dim only. */
#ifndef TAPEGRAD_ALONG_DIM_H
#define TAPEGRAD_ALONG_DIM_H

#include "core/op.h"

/* op along any dim, which is swapped with the last one first, and back afterwards. */
tg_tensor tg_along_dim(const tg_op *op, tg_tensor x, int dim);
/* sum over the last dim, kept as size 1 */
tg_tensor tg_sum_last(tg_tensor x);
tg_tensor tg_along_dim_probe(tg_tape *t, int variant, tg_tensor (*op)(tg_tensor x, int dim));

#endif
