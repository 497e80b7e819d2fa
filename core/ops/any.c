/* any: is an element over dims other than 0?    all: are all? Over nothing: any is false, all is true. */
#include "core/op.h"

/* A sum of zeros and ones is 0 only when all of them are, rounded or not. */
tg_tensor tg_any(tg_tensor x, tg_dims dims, bool keepdim) {
    return tg_to_bool(tg_sum(tg_to_float(tg_to_bool(x)), dims, keepdim));
}

tg_tensor tg_all(tg_tensor x, tg_dims dims, bool keepdim) {
    return tg_logical_not(tg_any(tg_logical_not(tg_to_bool(x)), dims, keepdim));
}
