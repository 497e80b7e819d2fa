/* detach: a view of the same data, without a gradient. */
#include "core/op.h"

static tg_tensor probe(tg_tape *t, int variant) {
    switch (variant) {
    case 0: return tg_detach(tg_probe_leaf(t, TG_SHAPE(2, 3)));
    case 1: return tg_detach(tg_transpose(tg_probe_leaf(t, TG_SHAPE(2, 3)), 0, 1));
    default: return TG_NULL;
    }
}

const tg_op tg_op_detach = {.name = "detach", .is_view = true, .no_gradient = true, .probe = probe};

/* PyTorch: x.detach() */
tg_tensor tg_detach(tg_tensor x) {
    tg_node *in;
    tg_node *y = tg_open("detach", "*", 1, &x, &in) ? tg_view_new(&tg_op_detach, in, 0) : NULL;
    if (!y)
        return TG_NULL;
    tg_own_grad(y, NULL);
    return tg_record_view(y);
}
