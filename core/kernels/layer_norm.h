/* Normalisation: what core/ops/layer_norm.c and core/ops/rms_norm.c record, and the kernels that run it. */
#ifndef TAPEGRAD_LAYER_NORM_H
#define TAPEGRAD_LAYER_NORM_H

#include "core/op.h"

/* The node's attributes. Its inputs are x, contiguous, and weight and bias, contiguous, or NULL. y->saved has mean and
 * 1 / std for each row; where rows are not centered, as rms_norm's, 0 and 1 / (root of the mean square). */
typedef struct tg_layer_norm_attr {
    double eps;
    int64_t n; /* elements of a row: the product of the last `dims` sizes */
    int dims;
    bool centered;
} tg_layer_norm_attr;

/* Records op, one of the two (core/ops/internal/row_norm.c). normalized_shape: what x's shape ends in; NULL: as many
 * dims as weight or bias have, or one. */
tg_tensor tg_row_norm(const tg_op *op, tg_tensor x, const tg_shape *normalized_shape, tg_tensor weight, tg_tensor bias,
                      double eps, bool centered);
/* The mean over each row of y of a tensor of y's shape; the row's dims stay, as sizes of 1. */
tg_tensor tg_norm_mean(const tg_node *y, tg_tensor x);

tg_kernel tg_layer_norm_forward_f32, tg_layer_norm_forward_f64, tg_layer_norm_vjp_f32, tg_layer_norm_vjp_f64;

#endif
