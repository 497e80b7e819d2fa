/* Probes that are alike for all operations of a family. */
#include "core/ops/internal/along_dim.h"

tg_tensor tg_probe_unary(tg_tape *t, int variant, tg_tensor (*draw)(tg_tape *t, tg_shape shape),
                         tg_tensor (*f)(tg_tensor x)) {
    switch (variant) {
    case 0: return f(draw(t, TG_SHAPE(2, 3)));
    case 1: return f(tg_transpose(draw(t, TG_SHAPE(3, 4)), 0, 1));
    case 2: return f(tg_slice(draw(t, TG_SHAPE(2, 5)), 1, 1, 5, 2));
    case 3: return f(tg_expand(draw(t, TG_SHAPE(3, 1)), TG_SHAPE(2, 3, 2)));
    case 4: return f(draw(t, TG_SCALAR));
    case 5: return f(draw(t, TG_SHAPE(0, 3)));
    default: return TG_NULL;
    }
}

tg_tensor tg_probe_reduction(tg_tape *t, int variant, tg_tensor (*f)(tg_tensor x, tg_dims dims, bool keepdim)) {
    switch (variant) {
    case 0: return f(tg_probe_leaf(t, TG_SHAPE(2, 3)), TG_ALL_DIMS, false);
    case 1: return f(tg_probe_leaf(t, TG_SHAPE(2, 3, 4)), TG_DIMS(1), true);
    case 2: return f(tg_transpose(tg_probe_leaf(t, TG_SHAPE(2, 3, 4)), 0, 1), TG_DIMS(0, -1), false);
    case 3: return f(tg_probe_leaf(t, TG_SHAPE(3, 0)), TG_DIMS(0), false);
    case 4: return f(tg_expand(tg_probe_leaf(t, TG_SHAPE(3, 1)), TG_SHAPE(3, 4)), TG_DIMS(0), false);
    case 5: return f(tg_expand(tg_probe_leaf(t, TG_SHAPE(3, 1)), TG_SHAPE(3, 4)), TG_DIMS(0, 1), false);
    case 6: return f(tg_probe_leaf(t, TG_SCALAR), TG_ALL_DIMS, false);
    case 7: return f(tg_probe_leaf(t, TG_SHAPE(300)), TG_DIMS(0), false);
    default: return TG_NULL;
    }
}

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
