/* slice: start, start + step, ... below stop along a dim. A view. split: consecutive slices of one size. */
#include "core/op.h"

static tg_tensor probe(tg_tape *t, int variant) {
    switch (variant) {
    case 0: return tg_slice(tg_probe_leaf(t, TG_SHAPE(5, 3)), 0, 1, 4, 1);
    case 1: return tg_slice(tg_probe_leaf(t, TG_SHAPE(2, 7)), -1, -6, 99, 2);
    case 2: return tg_slice(tg_transpose(tg_probe_leaf(t, TG_SHAPE(2, 5)), 0, 1), 0, 0, 5, 3);
    case 3: return tg_slice(tg_probe_leaf(t, TG_SHAPE(4)), 0, 3, 1, 1);
    default: return TG_NULL;
    }
}

const tg_op tg_op_slice = {.name = "slice", .is_view = true, .probe = probe};

/* Python's rule: negative counts from the end, then clamped to the dim. */
static int64_t bound(int64_t i, int64_t size) {
    if (i < 0)
        i += size;
    return i < 0 ? 0 : i > size ? size : i;
}

/* PyTorch: x[(slice(None),) * dim + (slice(start, stop, step),)] */
tg_tensor tg_slice(tg_tensor x, int dim, int64_t start, int64_t stop, int64_t step) {
    tg_node *in;
    tg_tape *t = tg_open("slice", "*", 1, &x, &in);
    int d = t ? tg_dim(t, "slice", dim, in) : -1;
    if (d < 0)
        return TG_NULL;
    if (!in->ndim || step < 1)
        return tg_fail_null(t, TG_ERR_ARGUMENT, "slice: step %lld of %s: the step must be at least 1 and the rank too",
                            (long long)step, tg_node_text(in).s);
    int64_t size = in->size[d];
    start = bound(start, size);
    stop = bound(stop, size);
    tg_node *y = tg_view_new(&tg_op_slice, in, 0);
    if (!y)
        return TG_NULL;
    y->size[d] = stop > start ? (stop - start - 1) / step + 1 : 0;
    if (y->size[d]) {
        y->data = (char *)in->data + start * in->stride[d] * (ptrdiff_t)tg_dtype_size((tg_dtype)in->dtype);
        y->window.offset += start * in->window.stride[d];
    }
    y->stride[d] = in->stride[d] * (y->size[d] > 1 ? step : 1);
    y->window.stride[d] = in->window.stride[d] * (y->size[d] > 1 ? step : 1);
    return tg_record_view(y);
}

/* split: a slice for each piece. */
static tg_status split(tg_node *x, int64_t size, int d, tg_tensor *parts, int n) {
    tg_tape *t = x->tape;
    int64_t length = x->ndim ? x->size[d] : 0;
    if (!x->ndim || size < 1)
        return tg_fail(t, TG_ERR_ARGUMENT, "split: pieces of %lld of %s: the size must be at least 1 and the rank too",
                       (long long)size, tg_node_text(x).s);
    int64_t number = length ? (length - 1) / size + 1 : 1;
    if (n != number || !parts)
        return tg_fail(t, TG_ERR_ARGUMENT, "split: dim %d of %s in pieces of %lld makes %lld parts, not %d", d,
                       tg_node_text(x).s, (long long)size, (long long)number, parts ? n : 0);
    for (int i = 0; i < n; i++)
        parts[i] = tg_slice(tg_handle(x), d, i * size, i + 1 < n ? (i + 1) * size : length, 1);
    return tg_tape_status(t);
}

tg_status tg_split(tg_tensor x, int64_t size, int dim, tg_tensor *parts, int n) {
    tg_node *in;
    for (int i = 0; parts && i < n; i++)
        parts[i] = TG_NULL;
    tg_tape *t = tg_open("split", "*", 1, &x, &in);
    int d = t ? tg_dim(t, "split", dim, in) : -1;
    if (d < 0)
        return tg_tape_status(x.tape);
    return split(in, size, d, parts, n);
}
