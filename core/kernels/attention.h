/* Scaled dot-product attention: what core/ops/attention.c records, and the kernels that run it.
 *
 * core/kernels/attention.c has the formulas and chooses the form: attention_rows.c, attention_few.c or
 * attention_tiles.c. */
#ifndef TAPEGRAD_ATTENTION_H
#define TAPEGRAD_ATTENTION_H

#include "core/kernels/isa.h"

/* The node's attributes. Its inputs are q (..., T, d), k (..., S, d), v (..., S, dv), any strides, in `batches`
 * each, and a mask or NULL that broadcasts to (..., T, S): TG_BOOL or floating. y->saved has a number for each
 * query. */
typedef struct tg_attention {
    int64_t batches, T, S, d, dv;
    double scale, p;    /* p: dropout's */
    bool causal, drops; /* drops: whether the last forward dropped weights */
    bool keeps;         /* P for the VJP, in y->saved behind the number of each query, in the order of the row form */
} tg_attention;

/* d + dv from which on whole rows of scores pay. */
enum { TG_ATTENTION_WIDE = 768 };

/* Behind the attributes when p > 0: the generator as it was before the last forward. */
static inline tg_rng_state *tg_attention_generator(const tg_node *y) {
    return (tg_rng_state *)(void *)((tg_attention *)y->attr + 1);
}

tg_kernel tg_attention_forward_f32, tg_attention_forward_f64, tg_attention_forward_ld, tg_attention_vjp_f32,
    tg_attention_vjp_f64, tg_attention_vjp_ld;

/* ---- between the kernels' files ---- */

/* A tensor's or a gradient's elements with the strides that lead from batch to batch, row to row, column to column;
 * the mask's are 0 where it broadcasts. data: NULL when it is not there, or not wanted. */
typedef struct tg_heads {
    void *data;
    const int64_t *stride;
} tg_heads;

typedef struct tg_attention_job {
    tg_node *y;
    const tg_attention *a;
    tg_heads q, k, v, mask, dq, dk, dv, dmask;
    int64_t mask_stride[TG_MAX_DIMS], dmask_stride[TG_MAX_DIMS], own_stride[4][TG_MAX_DIMS]; /* where needed */
} tg_attention_job;

/* Where a batch begins, in elements. */
static inline ptrdiff_t tg_attention_offset(const tg_attention_job *job, const tg_heads *x, int64_t batch) {
    const tg_node *y = job->y;
    ptrdiff_t offset = 0;
    for (int i = y->ndim - 3; i >= 0; i--) {
        offset += batch % y->size[i] * x->stride[i];
        batch /= y->size[i];
    }
    return offset;
}

#define TG_SELF "kernels/attention_matrix.h"
#include "core/twice.h"

#endif
