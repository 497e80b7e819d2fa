/* dropout: y = x mask; mask is 0 with probability p, else 1 / (1 - p).    dx = dy mask
 * (Srivastava, Hinton, Krizhevsky, Sutskever, Salakhutdinov 2014)
 *
 * saved: the mask. Numbers are drawn as PyTorch draws them: a double for each element in order, kept when below
 * 1 - p, none when p is 1. A replay draws anew, except for the gradient checker (keep_random). */
#include "core/op.h"

#ifndef real
typedef struct dropout_attr {
    double p;
} dropout_attr;
#endif

#ifdef real

static void FN(draw)(tg_tape *t, double p, int64_t n, real *mask) {
    double keep = t->training ? 1 - p : 1;
    bool random = t->training && p < 1;
    for (int64_t j = 0; j < n; j++)
        mask[j] = (random ? tg_rng_double(&t->rng) : 0.5) < keep ? 1 / (real)keep : 0;
}

static tg_status FN(forward)(tg_node *y) {
    const real *x = y->in[0]->data, *mask = y->saved;
    real *out = y->data;
    if (!y->tape->keep_random)
        FN(draw)(y->tape, ((const dropout_attr *)y->attr)->p, y->numel, y->saved);
    for (int64_t j = 0; j < y->numel; j++)
        out[j] = x[j] * mask[j];
    return TG_OK;
}

static tg_status FN(vjp)(tg_node *y) {
    const real *dy = y->grad, *mask = y->saved;
    real *dx = tg_grad_add(y, 0);
    if (!dx)
        return y->tape->status;
    for (int64_t j = 0; j < y->numel; j++)
        dx[j] += dy[j] * mask[j];
    tg_grad_close(y, 0, dx);
    return TG_OK;
}

#else
#define TG_SELF "ops/dropout.c"
#include "core/twice.h"

static tg_tensor probe(tg_tape *t, int variant) {
    switch (variant) {
    case 0: return tg_dropout(tg_probe_leaf(t, TG_SHAPE(4, 5)), 0.5);
    case 1: return tg_dropout(tg_transpose(tg_probe_leaf(t, TG_SHAPE(3, 4)), 0, 1), 0.2);
    case 2: return tg_dropout(tg_probe_leaf(t, TG_SHAPE(3)), 1);
    case 3: return tg_dropout(tg_probe_leaf(t, TG_SHAPE(0, 3)), 0.5);
    case 4: return tg_dropout(tg_expand(tg_probe_leaf(t, TG_SHAPE(3, 1)), TG_SHAPE(3, 4)), 0.3);
    default: return TG_NULL;
    }
}

/* one product for each element, forward and backward */
static double flops(const tg_node *y, int i) {
    (void)i;
    return (double)y->numel;
}

const tg_op tg_op_dropout = {
    .name = "dropout", .forward = TG_BOTH(forward), .vjp = TG_BOTH(vjp), .flops = flops, .probe = probe};

tg_tensor tg_dropout(tg_tensor x, double p) {
    tg_node *in;
    tg_tape *t = tg_open("dropout", "f", 1, &x, &in);
    if (!t)
        return TG_NULL;
    if (!(p >= 0 && p <= 1))
        return tg_fail_null(t, TG_ERR_ARGUMENT, "dropout: p = %g for %s: a probability is from 0 to 1", p,
                            tg_node_text(in).s);
    if (p == 0 || !t->training)
        return x;
    if (!tg_open_contiguous("dropout", "f", 1, &x, &in))
        return TG_NULL;
    tg_shape shape = tg_shape_from(in);
    tg_node *y = tg_node_new(t, &tg_op_dropout, 1, &in, &shape, t->dtype, sizeof(dropout_attr));
    if (!y || !tg_node_save(y, y->numel))
        return TG_NULL;
    *(dropout_attr *)y->attr = (dropout_attr){p};
    return tg_record(y);
}

#endif
