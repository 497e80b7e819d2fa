/* reshape: the same elements in the same order with another shape. A view where strides can express it, of both the
 * data and the gradient; otherwise a view of a copy. */
#include "core/op.h"

static tg_tensor probe(tg_tape *t, int variant) {
    switch (variant) {
    case 0: return tg_reshape(tg_probe_leaf(t, TG_SHAPE(2, 6)), TG_SHAPE(3, -1));
    case 1: return tg_reshape(tg_transpose(tg_probe_leaf(t, TG_SHAPE(2, 3)), 0, 1), TG_SHAPE(6));
    case 2: return tg_reshape(tg_slice(tg_probe_leaf(t, TG_SHAPE(4, 6)), 1, 0, 6, 2), TG_SHAPE(2, 2, 1, 3));
    case 3: return tg_reshape(tg_probe_leaf(t, TG_SHAPE(1, 1)), TG_SCALAR);
    case 4: return tg_reshape(tg_probe_leaf(t, TG_SHAPE(2, 0)), TG_SHAPE(0, 5));
    case 5: return tg_reshape(tg_expand(tg_probe_leaf(t, TG_SHAPE(3, 1)), TG_SHAPE(2, 3, 4)), TG_SHAPE(6, 2, 2));
    case 6: return tg_reshape(tg_transpose(tg_probe_leaf(t, TG_SHAPE(4, 3)), 0, 1), TG_SHAPE(3, 2, 2));
    default: return TG_NULL;
    }
}

const tg_op tg_op_reshape = {.name = "reshape", .is_view = true, .probe = probe};

/* The strides of shape over x's elements, which have the given strides. Each block of contiguous dims is divided
 * separately; false when a new dim would straddle two blocks. */
static bool divide_anew(const tg_node *x, const int64_t *stride, const tg_shape *shape, int64_t *out) {
    tg_dense_strides(shape->ndim, shape->size, out);
    if (x->numel == 0)
        return true;
    tg_walk blocks;
    tg_walk_begin(&blocks, x->ndim, x->size, stride);
    int d = shape->ndim - 1;
    for (int b = blocks.ndim - 1; b >= 0; b--) {
        int64_t left = blocks.size[b], step = blocks.stride[b];
        for (; d >= 0 && left % shape->size[d] == 0 && (left > 1 || shape->size[d] == 1); d--) {
            out[d] = step;
            step *= shape->size[d];
            left /= shape->size[d];
        }
        if (left > 1)
            return false;
    }
    return true;
}

/* Fill in the size given as -1; false when the shape does not have x's number of elements. */
static bool fill_in(const tg_node *x, tg_shape *shape) {
    int missing = -1;
    for (int i = 0; i < shape->ndim; i++)
        if (shape->size[i] == -1 && missing < 0) {
            missing = i;
            shape->size[i] = 1;
        }
    int64_t known = tg_shape_numel(shape);
    if (missing < 0 || known <= 0)
        return missing < 0 && known == x->numel;
    shape->size[missing] = x->numel / known;
    return x->numel % known == 0;
}

/* PyTorch: x.reshape(shape) */
tg_tensor tg_reshape(tg_tensor x, tg_shape shape) {
    tg_node *in;
    tg_tape *t = tg_open("reshape", "*", 1, &x, &in);
    if (!t)
        return TG_NULL;
    if (shape.ndim < 0 || shape.ndim > TG_MAX_DIMS)
        return tg_fail_null(t, TG_ERR_SHAPE, "reshape: a tensor has 0 to %d dims, not %d", TG_MAX_DIMS, shape.ndim);
    tg_shape wanted = shape;
    if (!fill_in(in, &shape))
        return tg_fail_null(t, TG_ERR_SHAPE, "reshape: %s cannot become %s: the number of elements must be %lld",
                            tg_node_text(in).s, tg_shape_text(&wanted).s, (long long)in->numel);
    int64_t stride[TG_MAX_DIMS], gstride[TG_MAX_DIMS];
    if (!divide_anew(in, in->stride, &shape, stride) || !divide_anew(in, in->window.stride, &shape, gstride))
        return tg_reshape(tg_clone(x), shape);
    tg_node *y = tg_view_new(&tg_op_reshape, in, 0);
    if (!y)
        return TG_NULL;
    y->ndim = (uint8_t)shape.ndim;
    memcpy(y->size, shape.size, sizeof y->size);
    memcpy(y->stride, stride, sizeof y->stride);
    memcpy(y->window.stride, gstride, sizeof y->window.stride);
    return tg_record_view(y);
}
