/* repeat: x repeated times[i] times along dim i; times may have extra dims in front. Composed of expand and reshape, so
 * dx is the sum over the repetitions. */
#include "core/op.h"

/* (.., n, ..) -> (.., k n, ..) along dim d */
static tg_tensor repeat_dim(tg_tensor x, int d, int64_t k) {
    tg_shape wide = tg_shape_of(x), whole = wide;
    for (int i = wide.ndim++; i > d; i--)
        wide.size[i] = wide.size[i - 1];
    wide.size[d] = k;
    whole.size[d] *= k;
    return tg_reshape(tg_expand(tg_unsqueeze(x, d), wide), whole);
}

/* PyTorch: x.repeat(times) */
tg_tensor tg_repeat(tg_tensor x, tg_shape times) {
    tg_node *in;
    tg_tape *t = tg_open("repeat", "*", 1, &x, &in);
    if (!t)
        return TG_NULL;
    bool fits = times.ndim >= in->ndim && times.ndim < TG_MAX_DIMS;
    for (int i = 0; i < times.ndim && fits; i++)
        fits = times.size[i] >= 0;
    if (!fits)
        return tg_fail_null(
            t, TG_ERR_SHAPE,
            "repeat: %s for x %s: it must have a number of at least 0 for each dim, and at most %d dims",
            tg_shape_text(&times).s, tg_node_text(in).s, TG_MAX_DIMS - 1);
    tg_shape shape = {.ndim = times.ndim}, whole = shape;
    for (int i = 0; i < times.ndim; i++) {
        shape.size[i] = i < times.ndim - in->ndim ? 1 : in->size[i - times.ndim + in->ndim];
        if (__builtin_mul_overflow(shape.size[i], times.size[i], &whole.size[i]))
            whole.size[i] = -1; /* invalid in a shape */
    }
    if (tg_shape_numel(&whole) < 0)
        return tg_fail_null(t, TG_ERR_MEMORY, "repeat: %s times %s has too many elements", tg_shape_text(&times).s,
                            tg_node_text(in).s);
    tg_tensor y = tg_contiguous(tg_reshape(x, shape));
    bool repeats = false;
    for (int empty = 1; empty >= 0; empty--) /* 0 first: the other repetitions may be too large for memory */
        for (int i = 0; i < times.ndim; i++)
            if (times.size[i] != 1 && (times.size[i] == 0) == empty) {
                y = repeat_dim(y, i, times.size[i]);
                repeats = true;
            }
    return repeats ? tg_contiguous(y) : tg_clone(y);
}
