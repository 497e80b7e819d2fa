/* squeeze drops a dim of size 1, unsqueeze inserts one. Views. */
#include "core/op.h"

static tg_tensor squeeze_probe(tg_tape *t, int variant) {
    switch (variant) {
    case 0: return tg_squeeze(tg_probe_leaf(t, TG_SHAPE(2, 1, 3)), 1);
    case 1: return tg_squeeze(tg_slice(tg_probe_leaf(t, TG_SHAPE(2, 3)), 1, 1, 2, 1), -1);
    case 2: return tg_squeeze(tg_probe_leaf(t, TG_SHAPE(1)), 0);
    case 3: return tg_squeeze(tg_probe_leaf(t, TG_SHAPE(1, 0)), 0);
    default: return TG_NULL;
    }
}

static tg_tensor unsqueeze_probe(tg_tape *t, int variant) {
    switch (variant) {
    case 0: return tg_unsqueeze(tg_probe_leaf(t, TG_SHAPE(2, 3)), 1);
    case 1: return tg_unsqueeze(tg_transpose(tg_probe_leaf(t, TG_SHAPE(2, 3)), 0, 1), -1);
    case 2: return tg_unsqueeze(tg_probe_leaf(t, TG_SCALAR), 0);
    case 3: return tg_unsqueeze(tg_probe_leaf(t, TG_SHAPE(0, 2)), -3);
    default: return TG_NULL;
    }
}

const tg_op tg_op_squeeze = {.name = "squeeze", .is_view = true, .probe = squeeze_probe};
const tg_op tg_op_unsqueeze = {.name = "unsqueeze", .is_view = true, .probe = unsqueeze_probe};

/* y's dim `to` = x's dim `from`. */
static void take_dim(tg_node *y, int to, const tg_node *x, int from) {
    y->size[to] = x->size[from];
    y->stride[to] = x->stride[from];
    y->window.stride[to] = x->window.stride[from];
}

/* PyTorch: x.squeeze(dim) */
tg_tensor tg_squeeze(tg_tensor x, int dim) {
    tg_node *in;
    tg_tape *t = tg_open("squeeze", "*", 1, &x, &in);
    int d = t ? tg_dim(t, "squeeze", dim, in) : -1;
    if (d < 0)
        return TG_NULL;
    if (!in->ndim || in->size[d] != 1)
        return x;
    tg_node *y = tg_view_new(&tg_op_squeeze, in, 0);
    if (!y)
        return TG_NULL;
    y->ndim--;
    for (int i = d; i < y->ndim; i++)
        take_dim(y, i, in, i + 1);
    return tg_record_view(y);
}

/* PyTorch: x.unsqueeze(dim) */
tg_tensor tg_unsqueeze(tg_tensor x, int dim) {
    tg_node *in;
    tg_tape *t = tg_open("unsqueeze", "*", 1, &x, &in);
    if (!t)
        return TG_NULL;
    int d = dim < 0 ? dim + in->ndim + 1 : dim;
    if (d < 0 || d > in->ndim || in->ndim == TG_MAX_DIMS)
        return tg_fail_null(t, TG_ERR_SHAPE,
                            "unsqueeze: dim %d for %s: it must be from %d to %d, and the rank below %d", dim,
                            tg_node_text(in).s, -in->ndim - 1, in->ndim, TG_MAX_DIMS);
    tg_node *y = tg_view_new(&tg_op_unsqueeze, in, 0);
    if (!y)
        return TG_NULL;
    y->ndim++;
    for (int i = d; i < in->ndim; i++)
        take_dim(y, i + 1, in, i);
    y->size[d] = y->stride[d] = y->window.stride[d] = 1;
    return tg_record_view(y);
}
