/* expand: sizes of 1 are repeated, and dims added in front, without a copy (stride 0).
 *
 * The data is a view. The gradient is not, since each repetition has its own: the result owns a dense gradient, which
 * the VJP sums over the expanded dims (tg_view_vjp, along strides of 0). */
#include "core/op.h"

static tg_tensor probe(tg_tape *t, int variant) {
    switch (variant) {
    case 0: return tg_expand(tg_probe_leaf(t, TG_SHAPE(3, 1)), TG_SHAPE(2, 3, 4));
    case 1: return tg_expand(tg_probe_leaf(t, TG_SCALAR), TG_SHAPE(2, 2));
    case 2: return tg_expand(tg_transpose(tg_probe_leaf(t, TG_SHAPE(3, 2)), 0, 1), TG_SHAPE(2, -1, 3));
    case 3: return tg_expand(tg_probe_leaf(t, TG_SHAPE(1, 3)), TG_SHAPE(0, 3));
    default: return TG_NULL;
    }
}

const tg_op tg_op_expand = {.name = "expand", .is_view = true, .owns_grad = true, .probe = probe};

/* -1 keeps a size; false when x does not fit. */
static bool fill_in(const tg_node *x, tg_shape *shape) {
    int shift = shape->ndim - x->ndim;
    for (int i = 0; i < shape->ndim; i++) {
        int64_t have = i < shift ? 1 : x->size[i - shift];
        if (shape->size[i] == -1 && i >= shift)
            shape->size[i] = have;
        if (shape->size[i] < 0 || (have != 1 && have != shape->size[i]))
            return false;
    }
    return shift >= 0;
}

/* PyTorch: x.expand(shape) */
tg_tensor tg_expand(tg_tensor x, tg_shape shape) {
    tg_node *in;
    tg_tape *t = tg_open("expand", "*", 1, &x, &in);
    if (!t)
        return TG_NULL;
    tg_shape wanted = shape;
    if (shape.ndim < in->ndim || shape.ndim > TG_MAX_DIMS || !fill_in(in, &shape))
        return tg_fail_null(t, TG_ERR_SHAPE, "expand: %s cannot become %s: only sizes of 1 can be repeated",
                            tg_node_text(in).s, tg_shape_text(&wanted).s);
    tg_node *y = tg_view_new(&tg_op_expand, in, sizeof(tg_window));
    if (!y)
        return TG_NULL;
    y->ndim = (uint8_t)shape.ndim;
    memcpy(y->size, shape.size, sizeof y->size);
    tg_broadcast_strides(in, in->stride, shape.ndim, shape.size, y->stride);
    tg_broadcast_strides(in, in->window.stride, shape.ndim, shape.size, y->window.stride);
    tg_own_grad(y, y->attr);
    return tg_record_view(y);
}
