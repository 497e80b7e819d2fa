/* Normalisation: what core/ops/layer_norm.c and core/ops/rms_norm.c record, and the kernels that run it. */
#ifndef TAPEGRAD_LAYER_NORM_H
#define TAPEGRAD_LAYER_NORM_H

#include "core/op.h"

/* The node's attributes. Its inputs are x, contiguous, and weight and bias, contiguous, or NULL. y->saved has mean and
 * 1 / std for each row; where rows are not centered, as rms_norm's, 0 and 1 / (root of the mean square). */
typedef struct tg_layer_norm_attr {
    double eps;
    bool centered;
} tg_layer_norm_attr;

tg_kernel tg_layer_norm_forward_f32, tg_layer_norm_forward_f64, tg_layer_norm_forward_ld, tg_layer_norm_vjp_f32,
    tg_layer_norm_vjp_f64, tg_layer_norm_vjp_ld, tg_layer_norm_forward_qd, tg_layer_norm_vjp_qd;

#endif
