/* Layer normalisation: what core/ops/layer_norm.c records, and the kernels that run it. */
#ifndef TAPEGRAD_LAYER_NORM_H
#define TAPEGRAD_LAYER_NORM_H

#include "core/op.h"

/* The node's attributes. Its inputs are x, contiguous, and weight and bias, contiguous, or NULL. y->saved has mean and
 * 1 / std for each row. */
typedef struct tg_layer_norm_attr {
    double eps;
} tg_layer_norm_attr;

tg_kernel tg_layer_norm_forward_f32, tg_layer_norm_forward_f64, tg_layer_norm_forward_ld, tg_layer_norm_vjp_f32,
    tg_layer_norm_vjp_f64, tg_layer_norm_vjp_ld;

#endif
