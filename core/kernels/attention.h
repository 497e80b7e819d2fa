/* Scaled dot-product attention: what core/ops/attention.c records, and the kernels that run it. */
#ifndef TAPEGRAD_ATTENTION_H
#define TAPEGRAD_ATTENTION_H

#include "core/op.h"

/* The node's attributes. Its inputs are q (..., T, d), k (..., S, d), v (..., S, dv), contiguous, in `batches` each,
 * and a mask or NULL that broadcasts to (..., T, S): TG_BOOL or floating, any strides. y->saved has a number for
 * each query. */
typedef struct tg_attention {
    int64_t batches, T, S, d, dv;
    double scale, p;    /* p: dropout's */
    bool causal, drops; /* drops: whether the last forward dropped weights */
} tg_attention;

/* Behind the attributes when p > 0: the generator as it was before the last forward. */
static inline tg_rng_state *tg_attention_generator(const tg_node *y) {
    return (tg_rng_state *)(void *)((tg_attention *)y->attr + 1);
}

tg_kernel tg_attention_forward_f32, tg_attention_forward_f64, tg_attention_vjp_f32, tg_attention_vjp_f64;

#endif
