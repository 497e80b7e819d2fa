/* transpose: two dims are swapped. A view. */
#include "core/op.h"

static void swap(int64_t *a, int64_t *b) {
    int64_t old = *a;
    *a = *b;
    *b = old;
}

static tg_tensor probe(tg_tape *t, int variant) {
    switch (variant) {
    case 0: return tg_transpose(tg_probe_leaf(t, TG_SHAPE(2, 3)), 0, 1);
    case 1: return tg_transpose(tg_probe_leaf(t, TG_SHAPE(2, 3, 4)), -1, 0);
    case 2: return tg_transpose(tg_probe_leaf(t, TG_SHAPE(2, 0)), 0, 1);
    default: return TG_NULL;
    }
}

const tg_op tg_op_transpose = {.name = "transpose", .is_view = true, .probe = probe};

/* PyTorch: x.transpose(dim0, dim1) */
tg_tensor tg_transpose(tg_tensor x, int dim0, int dim1) {
    tg_node *in;
    tg_tape *t = tg_open("transpose", "*", 1, &x, &in);
    int a = t ? tg_dim(t, "transpose", dim0, in) : -1;
    int b = t ? tg_dim(t, "transpose", dim1, in) : -1;
    tg_node *y = a < 0 || b < 0 ? NULL : tg_view_new(&tg_op_transpose, in, 0);
    if (!y)
        return TG_NULL;
    swap(&y->size[a], &y->size[b]);
    swap(&y->stride[a], &y->stride[b]);
    swap(&y->window.stride[a], &y->window.stride[b]);
    return tg_record_view(y);
}
