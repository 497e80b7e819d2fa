/* any: true where an element over dims is not 0
 *   all: true where all are not 0
 * Over nothing any is false and all is true. */
#include "core/op.h"

/* A sum of zeros and ones is 0 only when all of them are, rounded or not. */
static tg_tensor some(tg_tensor x, tg_dims dims, bool keepdim) {
    return tg_to_bool(tg_sum(tg_to_float(tg_to_bool(x)), dims, keepdim));
}

static bool fits(const char *name, tg_tensor x, tg_dims dims) {
    tg_node *in;
    uint32_t mask;
    tg_tape *t = tg_open(name, "*", 1, &x, &in);
    return t && tg_dim_mask(t, name, dims, in, &mask);
}

/* PyTorch: x.any(dims, keepdim) */
tg_tensor tg_any(tg_tensor x, tg_dims dims, bool keepdim) {
    return fits("any", x, dims) ? some(x, dims, keepdim) : TG_NULL;
}

/* PyTorch: x.all(dims, keepdim) */
tg_tensor tg_all(tg_tensor x, tg_dims dims, bool keepdim) {
    return fits("all", x, dims) ? tg_logical_not(some(tg_logical_not(tg_to_bool(x)), dims, keepdim)) : TG_NULL;
}
