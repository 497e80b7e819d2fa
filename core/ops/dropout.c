/* dropout: y = x mask; mask is 0 with probability p, else 1 / (1 - p).    dx = dy mask
 * (Srivastava, Hinton, Krizhevsky, Sutskever, Salakhutdinov 2014)
 *
 * saved: the mask. Numbers are drawn as PyTorch draws them: a double for each element in order, kept when below
 * 1 - p, none when p is 1. A replay draws a new mask, except in the gradient check (modes.keep_random). In a checkpoint
 * scope, where the mask is not kept, it is redrawn from the generator's earlier state. */
#include "core/engine.h"

#ifndef real
enum { PIECE = 256 }; /* numbers drawn at a time */

typedef struct dropout_attr {
    double p;
    bool training; /* when the mask was drawn */
} dropout_attr;

/* After the attributes of a node in a checkpoint scope: the generator's state before the mask was drawn. */
static tg_rng_state *generator(const tg_node *y) {
    return y->attr_size > sizeof(dropout_attr) ? (tg_rng_state *)(void *)((dropout_attr *)y->attr + 1) : NULL;
}
#endif

#ifdef real

static void FN(fill)(int64_t n, real *mask, real value) {
    for (int64_t j = 0; j < n; j++)
        mask[j] = value;
}

/* Draws nothing when all elements are kept, or none. */
static void FN(draw)(const dropout_attr *a, tg_rng_state *rng, int64_t n, real *mask) {
    if (!a->training || a->p == 1) {
        FN(fill)(n, mask, a->training ? 0 : 1);
        return;
    }
    double keep = 1 - a->p, u[PIECE];
    real scale = 1 / (real)keep;
    for (int64_t at = 0, some; at < n; at += some) {
        some = n - at < PIECE ? n - at : PIECE;
        tg_rng_fill_f64(rng, some, u);
        for (int64_t j = 0; j < some; j++)
            mask[at + j] = u[j] < keep ? scale : 0;
    }
}

/* A new mask, or in a recomputation the same one. */
static void FN(make_mask)(tg_node *y) {
    tg_tape *t = y->tape;
    dropout_attr *a = y->attr;
    tg_rng_state *before = generator(y);
    if (!t->modes.keep_random) {
        a->training = t->modes.training;
        if (before)
            *before = t->rng;
        FN(draw)(a, &t->rng, y->numel, y->saved);
    } else if (before) {
        tg_rng_state rng = *before;
        FN(draw)(a, &rng, y->numel, y->saved);
    }
}

static void FN(scale)(int64_t n, real *out, const real *x, const real *mask) {
    for (int64_t j = 0; j < n; j++)
        out[j] = x[j] * mask[j];
}

static void FN(add_scaled)(int64_t n, real *out, const real *x, const real *mask) {
    for (int64_t j = 0; j < n; j++)
        out[j] += x[j] * mask[j];
}

static tg_status FN(forward)(tg_node *y) {
    FN(make_mask)(y);
    FN(scale)(y->numel, y->data, y->in[0]->data, y->saved);
    return TG_OK;
}

static tg_status FN(vjp)(tg_node *y) {
    tg_slot slot = tg_grad_dense(y, 0);
    if (!slot.data)
        return tg_tape_status(y->tape);
    (slot.fresh ? FN(scale) : FN(add_scaled))(y->numel, slot.data, y->grad, y->saved);
    tg_grad_close(&slot);
    return TG_OK;
}

#else
#define TG_SELF "ops/dropout.c"
#include "core/twice.h"

static void grad(const tg_node *y, tg_tensor dy, tg_tensor *dx) { dx[0] = tg_adjoint(y, dy); }

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

/* one product per element, forward and backward */
static double flops(const tg_node *y, int i) {
    (void)i;
    return (double)y->numel;
}

const tg_op tg_op_dropout = {
    .name = "dropout", .forward = TG_BOTH(forward), .vjp = TG_BOTH(vjp), .flops = flops, .grad = grad, .probe = probe};

/* PyTorch: F.dropout(x, p) */
tg_tensor tg_dropout(tg_tensor x, double p) {
    tg_node *in;
    tg_tape *t = tg_open("dropout", "f", 1, &x, &in);
    if (!t)
        return TG_NULL;
    if (!(p >= 0 && p <= 1))
        return tg_fail_null(t, TG_ERR_ARGUMENT, "dropout: p = %g for %s: a probability is from 0 to 1", p,
                            tg_node_text(in).s);
    if (p == 0 || !t->modes.training)
        return x;
    if (!tg_open_contiguous("dropout", "f", 1, &x, &in))
        return TG_NULL;
    tg_shape shape = tg_shape_from(in);
    size_t attr_size = sizeof(dropout_attr) + (t->checkpoint.depth ? sizeof(tg_rng_state) : 0);
    tg_node *y = tg_node_new(t, &tg_op_dropout, 1, &in, &shape, tg_tape_dtype(t), attr_size);
    if (!y || !tg_node_save(y, y->numel))
        return TG_NULL;
    *(dropout_attr *)y->attr = (dropout_attr){.p = p};
    return tg_record(y);
}

#endif
