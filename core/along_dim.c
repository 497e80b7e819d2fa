#include "core/along_dim.h"

static tg_tensor over_last(const tg_op *op, tg_tensor x) {
    tg_node *in;
    tg_tape *t = tg_open_contiguous(op->name, "f", 1, &x, &in);
    if (!t)
        return TG_NULL;
    tg_shape shape = tg_shape_from(in);
    tg_node *y = tg_node_new(t, op, 1, &in, &shape, tg_tape_dtype(t), 0);
    return y ? tg_record(y) : TG_NULL;
}

tg_tensor tg_along_dim(const tg_op *op, tg_tensor x, int dim) {
    tg_node *in;
    tg_tape *t = tg_open(op->name, "f", 1, &x, &in);
    int d = t ? tg_dim(t, op->name, dim, in) : -1;
    if (d < 0)
        return TG_NULL;
    if (d + 1 >= in->ndim)
        return over_last(op, x);
    return tg_transpose(over_last(op, tg_transpose(x, d, -1)), d, -1);
}

tg_tensor tg_sum_last(tg_tensor x) { return tg_sum(x, TG_DIMS(-1), true); }

tg_tensor tg_along_dim_probe(tg_tape *t, int variant, tg_tensor (*op)(tg_tensor x, int dim)) {
    switch (variant) {
    case 0: return op(tg_probe_leaf(t, TG_SHAPE(2, 5)), -1);
    case 1: return op(tg_probe_leaf(t, TG_SHAPE(2, 3, 4)), 1);
    case 2: return op(tg_transpose(tg_probe_leaf(t, TG_SHAPE(3, 4)), 0, 1), 1);
    case 3: return op(tg_probe_leaf(t, TG_SHAPE(3, 0)), 1);
    case 4: return op(tg_probe_leaf(t, TG_SHAPE(3, 1)), -1);
    case 5: return op(tg_probe_leaf(t, TG_SCALAR), 0);
    case 6: return op(tg_expand(tg_probe_leaf(t, TG_SHAPE(3)), TG_SHAPE(2, 3)), 0);
    case 7: return op(tg_slice(tg_probe_leaf(t, TG_SHAPE(2, 7)), 1, 1, 7, 2), 1);
    default: return TG_NULL;
    }
}
