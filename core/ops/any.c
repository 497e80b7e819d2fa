/* any: true where an element over dims is not 0
 *   all: true where all are not 0
 * Over nothing any is false and all is true. */
#include "core/frameworks/reduce.h"
#include "core/walk.h"

/* y |= x along a line, as bytes; y_step is 0 where the line is reduced to one result. */
static void or_line(int64_t n, uint8_t *restrict y, int64_t y_step, const uint8_t *restrict x, int64_t x_step) {
    uint8_t some = 0;
    if (y_step == 1 && x_step == 1)
        for (int64_t j = 0; j < n; j++)
            y[j] |= x[j];
    else if (y_step == 0 && x_step == 1)
        for (int64_t j = 0; j < n; j++)
            some |= x[j];
    else
        for (int64_t j = 0; j < n; j++)
            y[j * y_step] |= x[j * x_step];
    *y |= some;
}

static tg_status forward(tg_node *y) {
    const tg_node *x = y->in[0];
    int64_t stride[TG_MAX_DIMS], n;
    tg_walk from, to;
    memset(y->data, 0, (size_t)y->numel);
    tg_reduce_strides(y, stride);
    tg_walk_begin(&from, x->ndim, x->size, x->stride);
    tg_walk_begin(&to, x->ndim, x->size, stride);
    for (int64_t i = 0; i < x->numel; i += n, tg_walk_next(&from, n), tg_walk_next(&to, n)) {
        n = tg_walk_run(&from) < tg_walk_run(&to) ? tg_walk_run(&from) : tg_walk_run(&to);
        or_line(n, (uint8_t *)y->data + to.offset, to.stride[to.ndim - 1], (const uint8_t *)x->data + from.offset,
                from.stride[from.ndim - 1]);
    }
    return TG_OK;
}

static tg_tensor probe(tg_tape *t, int variant) {
    tg_tensor x = tg_gt(tg_probe_leaf(t, TG_SHAPE(2, 3, 4)), tg_scalar(t, 0.5));
    switch (variant) {
    case 0: return tg_any(x, TG_DIMS(-1), false);
    case 1: return tg_any(tg_transpose(x, 0, 2), TG_DIMS(0, 1), true);
    case 2: return tg_any(tg_slice(x, 1, 0, 0, 1), TG_DIMS(1), false);
    case 3: return tg_all(x, TG_ALL_DIMS, false);
    default: return TG_NULL;
    }
}

const tg_op tg_op_any = {
    .name = "any", .forward = TG_ANY(forward), .no_gradient = true, .makes_bool = true, .probe = probe};

/* PyTorch: x.any(dims, keepdim) */
tg_tensor tg_any(tg_tensor x, tg_dims dims, bool keepdim) {
    tg_node *in;
    tg_tape *t = tg_open("any", "*", 1, &x, &in);
    return t ? tg_reduce(&tg_op_any, tg_to_bool(x), dims, keepdim, 0) : TG_NULL;
}

/* PyTorch: x.all(dims, keepdim) */
tg_tensor tg_all(tg_tensor x, tg_dims dims, bool keepdim) {
    tg_node *in;
    uint32_t mask;
    tg_tape *t = tg_open("all", "*", 1, &x, &in);
    if (!t || !tg_dim_mask(t, "all", dims, in, &mask))
        return TG_NULL;
    return tg_logical_not(tg_any(tg_logical_not(tg_to_bool(x)), dims, keepdim));
}
