/* mse_loss: the mean or the sum of (x - y)^2 over all elements, in one pass; without reduction the composition of sub
 * and square.    dx = 2 (x - y) dloss / n (sum: n = 1)    dy = -dx */
#include "core/kernels/rows.h"

#ifndef real
typedef struct mse_attr {
    double divisor;
} mse_attr;

enum { PIECE = 32 * TG_ROW_MAX }; /* elements that one thread takes at a time */

/* Forward: out = the sums of (a - b)^2 over pieces. Backward: out = factor (a - b). */
typedef struct pieces {
    const void *a, *b;
    void *out;
    const void *factor; /* a real */
    bool fresh;
} pieces;
#endif

#ifdef real

/* Sums of pieces. */
static void FN(sum_pieces)(void *context, int64_t begin, int64_t end) {
    const pieces *p = context;
    const real *a = p->a, *b = p->b;
    wide total = 0;
    real square[TG_ROW_MAX];
    for (int64_t at = begin; at < end; at += TG_ROW_MAX) {
        int64_t run = end - at < TG_ROW_MAX ? end - at : TG_ROW_MAX;
        for (int64_t j = 0; j < run; j++)
            square[j] = (a[at + j] - b[at + j]) * (a[at + j] - b[at + j]);
        total += (wide)FN(tg_row_sum)(run, square);
    }
    ((wide *)p->out)[begin / PIECE] = total;
}

static tg_status FN(forward)(tg_node *y) {
    int64_t n = y->in[0]->numel, count = (n + PIECE - 1) / PIECE;
    size_t bytes = (size_t)count * sizeof(wide);
    wide total = 0, one;
    pieces p = {.a = y->in[0]->data, .b = y->in[1]->data, .out = count > 1 ? tg_pool_get(y->tape, bytes) : &one};
    if (!p.out)
        return tg_tape_status(y->tape);
    tg_parallel_range(n, PIECE, FN(sum_pieces), &p);
    for (int64_t i = 0; i < count; i++)
        total += ((const wide *)p.out)[i];
    if (count > 1)
        tg_pool_put(y->tape, p.out, bytes);
    *(real *)y->data = (real)(total / ((const mse_attr *)y->attr)->divisor);
    return TG_OK;
}

static void FN(vjp_range)(void *context, int64_t begin, int64_t end) {
    const pieces *p = context;
    const real *a = p->a, *b = p->b;
    real *dx = p->out, factor = *(const real *)p->factor;
    if (p->fresh)
        for (int64_t j = begin; j < end; j++)
            dx[j] = factor * (a[j] - b[j]);
    else
        for (int64_t j = begin; j < end; j++)
            dx[j] += factor * (a[j] - b[j]);
}

static tg_status FN(vjp_of)(tg_node *y, int i) {
    real factor = (real)(2 / ((const mse_attr *)y->attr)->divisor) * *(const real *)y->grad;
    tg_slot slot = tg_grad_dense(y, i);
    pieces p = {y->in[i]->data, y->in[1 - i]->data, slot.data, &factor, slot.fresh};
    if (!slot.data)
        return tg_tape_status(y->tape);
    tg_parallel_range(y->in[i]->numel, PIECE, FN(vjp_range), &p);
    tg_grad_close(&slot);
    return TG_OK;
}

static tg_status FN(vjp)(tg_node *y) {
    for (int i = 0; i < 2; i++)
        if (tg_wants(y, i) && FN(vjp_of)(y, i))
            return tg_tape_status(y->tape);
    return TG_OK;
}

#else
#define TG_SELF "ops/mse_loss.c"
#include "core/twice.h"

static void grad(const tg_node *y, tg_tensor dy, tg_tensor *dx) {
    double divisor = ((const mse_attr *)y->attr)->divisor;
    dx[0] = tg_mul(tg_sub(tg_in(y, 0), tg_in(y, 1)), tg_mul_scalar(dy, 2 / divisor));
    if (tg_wants(y, 1))
        dx[1] = tg_neg(dx[0]);
}

static tg_tensor probe(tg_tape *t, int variant) {
    tg_tensor x = tg_probe_leaf(t, TG_SHAPE(2, 3));
    switch (variant) {
    case 0: return tg_mse_loss(x, tg_probe_leaf(t, TG_SHAPE(2, 3)), TG_MEAN);
    case 1: return tg_mse_loss(x, tg_transpose(tg_probe_leaf(t, TG_SHAPE(3, 2)), 0, 1), TG_SUM);
    case 2: return tg_mse_loss(tg_probe_leaf(t, TG_SHAPE(600)), tg_probe_leaf(t, TG_SHAPE(600)), TG_MEAN);
    case 3: return tg_mse_loss(tg_expand(tg_probe_leaf(t, TG_SHAPE(3)), TG_SHAPE(2, 3)), x, TG_MEAN);
    case 4: return tg_mse_loss(tg_probe_leaf(t, TG_SCALAR), tg_probe_leaf(t, TG_SCALAR), TG_SUM);
    case 5: return tg_mse_loss(tg_probe_leaf(t, TG_SHAPE(0, 3)), tg_probe_leaf(t, TG_SHAPE(0, 3)), TG_SUM);
    case 6: return tg_mse_loss(x, x, TG_SUM);
    default: return TG_NULL;
    }
}

/* An element costs 1 each for the difference, the square and the sum; backward 1 each for the difference and the
 * product. */
static double flops(const tg_node *y, int i) { return (i < 0 ? 3 : 2) * (double)y->in[0]->numel; }

const tg_op tg_op_mse_loss = {.name = "mse_loss",
                              .forward = TG_BOTH(forward),
                              .vjp = TG_BOTH(vjp),
                              .needs = {TG_IN(0) | TG_IN(1), TG_IN(0) | TG_IN(1)},
                              .flops = flops,
                              .grad = grad,
                              .probe = probe};

/* PyTorch: F.mse_loss(x, z, reduction=reduction) */
tg_tensor tg_mse_loss(tg_tensor x, tg_tensor y, tg_reduction reduction) {
    tg_node *in[2];
    tg_tape *t = tg_open_contiguous("mse_loss", "ff", 2, (tg_tensor[]){x, y}, in);
    if (!t)
        return TG_NULL;
    if (!tg_same_shape(in[0], in[1]))
        return tg_fail_null(t, TG_ERR_SHAPE, "mse_loss: shapes %s and %s differ", tg_node_text(in[0]).s,
                            tg_node_text(in[1]).s);
    if (!tg_check_reduction(t, "mse_loss", reduction, in[0]))
        return TG_NULL;
    if (reduction == TG_NONE)
        return tg_square(tg_sub(x, y));
    tg_shape scalar = TG_SCALAR;
    tg_node *loss = tg_node_new(t, &tg_op_mse_loss, 2, in, &scalar, tg_tape_dtype(t), sizeof(mse_attr));
    if (!loss)
        return TG_NULL;
    *(mse_attr *)loss->attr = (mse_attr){reduction == TG_MEAN ? (double)in[0]->numel : 1};
    return tg_record(loss);
}

#endif
