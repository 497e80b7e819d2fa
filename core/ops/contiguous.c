/* contiguous, clone: y = x, in row-major order.    dx = dy */
#include "core/engine.h"
#include "core/kernels/moves.h"

static tg_status forward(tg_node *y) {
    const tg_node *x = y->in[0];
    tg_move_copy(tg_dtype_size((tg_dtype)x->dtype), x->ndim, x->size, y->data, y->stride, x->data, x->stride);
    return TG_OK;
}

static tg_status vjp(tg_node *y) {
    if (tg_grad_hand_over(y, 0))
        return TG_OK;
    tg_slot slot = tg_grad_open(y, 0);
    if (slot.data && slot.fresh)
        tg_move_copy(tg_dtype_size((tg_dtype)y->dtype), y->ndim, y->size, slot.data, slot.stride, y->grad,
                     y->window.stride);
    else if (slot.data)
        tg_move_add((tg_dtype)y->dtype, y->ndim, y->size, slot.data, slot.stride, y->grad, y->window.stride);
    return slot.data ? TG_OK : tg_tape_status(y->tape);
}

static void grad(const tg_node *y, tg_tensor dy, tg_tensor *dx) {
    (void)y;
    dx[0] = dy;
}

static tg_tensor contiguous_probe(tg_tape *t, int variant) {
    switch (variant) {
    case 0: return tg_contiguous(tg_transpose(tg_probe_leaf(t, TG_SHAPE(3, 4)), 0, 1));
    case 1: return tg_contiguous(tg_expand(tg_probe_leaf(t, TG_SHAPE(3, 1)), TG_SHAPE(2, 3, 2)));
    default: return TG_NULL;
    }
}

static tg_tensor clone_probe(tg_tape *t, int variant) { return tg_probe_unary(t, variant, tg_probe_leaf, tg_clone); }

const tg_op tg_op_contiguous = {
    .name = "contiguous", .forward = TG_ANY(forward), .vjp = TG_ANY(vjp), .grad = grad, .probe = contiguous_probe};
const tg_op tg_op_clone = {
    .name = "clone", .forward = TG_ANY(forward), .vjp = TG_ANY(vjp), .grad = grad, .probe = clone_probe};

static tg_tensor copy(const tg_op *op, tg_node *x) {
    tg_node *y = tg_node_like(x->tape, op, 1, &x, x, (tg_dtype)x->dtype, 0);
    return y ? tg_record(y) : TG_NULL;
}

/* PyTorch: x.clone() */
tg_tensor tg_clone(tg_tensor x) {
    tg_node *in;
    return tg_open("clone", "*", 1, &x, &in) ? copy(&tg_op_clone, in) : TG_NULL;
}

/* PyTorch: x.contiguous() */
tg_tensor tg_contiguous(tg_tensor x) {
    tg_node *in;
    if (!tg_open("contiguous", "*", 1, &x, &in))
        return TG_NULL;
    return in->contiguous ? x : copy(&tg_op_contiguous, in);
}

tg_tape *tg_open_contiguous(const char *name, const char *kinds, int n, const tg_tensor *x, tg_node **in) {
    tg_tape *t = tg_open(name, kinds, n, x, in);
    for (int i = 0; i < n && t; i++) {
        if (!in[i] || in[i]->contiguous)
            continue;
        tg_tensor dense = tg_contiguous(x[i]);
        if (!tg_open(name, "*", 1, &dense, &in[i]))
            return NULL;
    }
    return t;
}
