#include "core/ops/internal/along_dim.h"

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
