/* Helpers for reductions' gradients in operations. */
#include "core/frameworks/reduce.h"

tg_tensor tg_reduced_along(const tg_node *y, tg_tensor v) {
    tg_shape shape = tg_shape_from(y->in[0]), kept = shape;
    tg_dims dims = tg_reduced_dims(y);
    for (int i = 0; i < dims.ndim; i++)
        kept.size[dims.dim[i]] = 1;
    return tg_expand(tg_reshape(v, kept), shape);
}
