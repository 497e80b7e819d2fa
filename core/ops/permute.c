/* permute: dim i of the result is dim dims[i] of x. A view. */
#include "core/op.h"

static tg_tensor probe(tg_tape *t, int variant) {
    switch (variant) {
    case 0: return tg_permute(tg_probe_leaf(t, TG_SHAPE(2, 3, 4)), TG_DIMS(2, 0, 1));
    case 1: return tg_permute(tg_probe_leaf(t, TG_SHAPE(2, 1, 3, 2)), TG_DIMS(-1, 0, 2, 1));
    case 2: return tg_permute(tg_slice(tg_probe_leaf(t, TG_SHAPE(4, 3)), 0, 1, 4, 2), TG_DIMS(1, 0));
    case 3: return tg_permute(tg_probe_leaf(t, TG_SHAPE(2, 0)), TG_DIMS(1, 0));
    default: return TG_NULL;
    }
}

const tg_op tg_op_permute = {.name = "permute", .is_view = true, .probe = probe};

/* PyTorch: x.permute(dims) */
tg_tensor tg_permute(tg_tensor x, tg_dims dims) {
    tg_node *in;
    uint32_t mask;
    tg_tape *t = tg_open("permute", "*", 1, &x, &in);
    if (!t)
        return TG_NULL;
    if (dims.ndim != in->ndim)
        return tg_fail_null(t, TG_ERR_SHAPE, "permute: %d dims for %s: each of its %d dims must be named once",
                            dims.ndim, tg_node_text(in).s, in->ndim);
    tg_node *y = tg_dim_mask(t, "permute", dims, in, &mask) ? tg_view_new(&tg_op_permute, in, 0) : NULL;
    if (!y)
        return TG_NULL;
    for (int i = 0; i < in->ndim; i++) {
        int d = tg_dim(t, "permute", dims.dim[i], in);
        y->size[i] = in->size[d];
        y->stride[i] = in->stride[d];
        y->window.stride[i] = in->window.stride[d];
    }
    return tg_record_view(y);
}
