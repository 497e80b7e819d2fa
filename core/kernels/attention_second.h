/* The second derivative of attention: the kernel of core/ops/internal/attention_grad.c. */
#ifndef TAPEGRAD_ATTENTION_SECOND_H
#define TAPEGRAD_ATTENTION_SECOND_H

#include "core/kernels/attention.h"

/* y: the attention. in: q, k, v and the mask (or NULL), contiguous, in place of its inputs. g: the cotangents of dq,
 * dk, dv and dmask (NULL: absent). out: the gradients of q, k, v, the mask and dy, ADDED to (NULL: not wanted). */
typedef struct tg_attention_second {
    const tg_node *y;
    tg_node *const *in;
    const void *dy, *g[4];
    void *out[5];
    int64_t mask_stride[TG_MAX_DIMS]; /* the mask's, broadcast to the scores */
} tg_attention_second;

tg_status tg_attention_second_f32(const tg_attention_second *job);
tg_status tg_attention_second_f64(const tg_attention_second *job);

#endif
