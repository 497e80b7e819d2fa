/* Normalisation: attributes and kernels of core/ops/layer_norm.c and core/ops/rms_norm.c. */
#ifndef TAPEGRAD_LAYER_NORM_H
#define TAPEGRAD_LAYER_NORM_H

#include "core/op.h"

/* The node's attributes. Its inputs are x, weight and bias, contiguous; the last two may be NULL. y->saved has mean and
 * 1 / std of each row; for rms_norm, which does not center, 0 and 1 / (root of the mean square). */
typedef struct tg_layer_norm_attr {
    double eps;
    int64_t n; /* elements of a row: the product of the last `dims` sizes */
    int dims;
    bool centered;
} tg_layer_norm_attr;

/* Records op, one of the two (core/ops/internal/row_norm.c). normalized_shape: the last sizes of x's shape; NULL: as
 * many dims as weight or bias has, or one. */
tg_tensor tg_row_norm(const tg_op *op, tg_tensor x, const tg_shape *normalized_shape, tg_tensor weight, tg_tensor bias,
                      double eps, bool centered);
/* The mean of x, of y's shape, over each of y's rows; the row's dims are kept with size 1. */
tg_tensor tg_norm_mean(const tg_node *y, tg_tensor x);

tg_kernel tg_layer_norm_forward_f32, tg_layer_norm_forward_f64, tg_layer_norm_vjp_f32, tg_layer_norm_vjp_f64;

#endif
