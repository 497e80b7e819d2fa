/* select: the slice at one index of a dim, which is dropped. A view. */
#include "core/op.h"

static tg_tensor probe(tg_tape *t, int variant) {
    switch (variant) {
    case 0: return tg_select(tg_probe_leaf(t, TG_SHAPE(4, 3)), 0, 2);
    case 1: return tg_select(tg_probe_leaf(t, TG_SHAPE(2, 3, 4)), 1, -1);
    case 2: return tg_select(tg_transpose(tg_probe_leaf(t, TG_SHAPE(2, 5)), 0, 1), -1, 1);
    case 3: return tg_select(tg_probe_leaf(t, TG_SHAPE(3)), 0, 0);
    case 4: return tg_select(tg_probe_leaf(t, TG_SHAPE(3, 0)), 0, 1);
    default: return TG_NULL;
    }
}

const tg_op tg_op_select = {.name = "select", .is_view = true, .probe = probe};

static void drop_dim(tg_node *y, int d) {
    y->ndim--;
    for (int i = d; i < y->ndim; i++) {
        y->size[i] = y->size[i + 1];
        y->stride[i] = y->stride[i + 1];
        y->window.stride[i] = y->window.stride[i + 1];
    }
}

/* PyTorch: x.select(dim, index) */
tg_tensor tg_select(tg_tensor x, int dim, int64_t index) {
    tg_node *in;
    tg_tape *t = tg_open("select", "*", 1, &x, &in);
    int d = t ? tg_dim(t, "select", dim, in) : -1;
    if (d < 0)
        return TG_NULL;
    if (!in->ndim)
        return tg_fail_null(t, TG_ERR_SHAPE, "select: a scalar has no dim to select from");
    int64_t size = in->size[d], at = index < 0 ? index + size : index;
    if (at < 0 || at >= size)
        return tg_fail_null(t, TG_ERR_INDEX, "select: index %lld is out of range for dim %d of %s", (long long)index, d,
                            tg_node_text(in).s);
    tg_node *y = tg_view_new(&tg_op_select, in, 0);
    if (!y)
        return TG_NULL;
    if (in->numel)
        y->data = (char *)in->data + at * in->stride[d] * (ptrdiff_t)tg_dtype_size((tg_dtype)in->dtype);
    y->window.offset += in->numel ? at * in->window.stride[d] : 0;
    drop_dim(y, d);
    return tg_record_view(y);
}
