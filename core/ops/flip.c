/* flip: the elements in reverse order along dims; any dtype.    dx = dy flipped again
 * roll: the elements shifted along a dim, those past the end to the front: two slices joined. */
#include "core/kernels/moves.h"

typedef struct flip_attr {
    uint32_t mask; /* dims that are reversed */
} flip_attr;

/* x's strides, negative along reversed dims; returns where the walk begins. */
static int64_t turn(const tg_node *y, const int64_t *stride, int64_t *turned) {
    uint32_t mask = ((const flip_attr *)y->attr)->mask;
    int64_t first = 0;
    for (int i = 0; i < y->ndim; i++) {
        bool reversed = mask >> i & 1;
        turned[i] = reversed ? -stride[i] : stride[i];
        first += reversed && y->numel ? (y->size[i] - 1) * stride[i] : 0;
    }
    return first;
}

static tg_status forward(tg_node *y) {
    const tg_node *x = y->in[0];
    size_t bytes = tg_dtype_size((tg_dtype)x->dtype);
    int64_t turned[TG_MAX_DIMS], first = turn(y, x->stride, turned);
    tg_move_copy(bytes, y->ndim, y->size, y->data, y->stride, (const char *)x->data + first * (ptrdiff_t)bytes, turned);
    return TG_OK;
}

static tg_status vjp(tg_node *y) {
    tg_slot slot = tg_grad_open(y, 0);
    if (!slot.data)
        return tg_tape_status(y->tape);
    size_t bytes = tg_dtype_size((tg_dtype)y->dtype);
    int64_t turned[TG_MAX_DIMS];
    const char *dy = (const char *)y->grad + turn(y, y->stride, turned) * (ptrdiff_t)bytes;
    if (slot.fresh)
        tg_move_copy(bytes, y->ndim, y->size, slot.data, slot.stride, dy, turned);
    else
        tg_move_add((tg_dtype)y->dtype, y->ndim, y->size, slot.data, slot.stride, dy, turned);
    return TG_OK;
}

static void grad(const tg_node *y, tg_tensor dy, tg_tensor *dx) { dx[0] = tg_adjoint(y, dy); }

static tg_tensor probe(tg_tape *t, int variant) {
    switch (variant) {
    case 0: return tg_flip(tg_probe_leaf(t, TG_SHAPE(2, 3)), TG_DIMS(-1));
    case 1: return tg_flip(tg_probe_leaf(t, TG_SHAPE(2, 3, 4)), TG_DIMS(0, 1));
    case 2: return tg_flip(tg_transpose(tg_probe_leaf(t, TG_SHAPE(2, 3)), 0, 1), TG_ALL_DIMS);
    case 3: return tg_flip(tg_expand(tg_probe_leaf(t, TG_SHAPE(3)), TG_SHAPE(2, 3)), TG_DIMS(1));
    case 4: return tg_flip(tg_probe_leaf(t, TG_SHAPE(0, 3)), TG_ALL_DIMS);
    case 5: return tg_flip(tg_probe_leaf(t, TG_SCALAR), TG_ALL_DIMS);
    default: return TG_NULL;
    }
}

const tg_op tg_op_flip = {.name = "flip", .forward = TG_ANY(forward), .vjp = TG_ANY(vjp), .grad = grad, .probe = probe};

/* PyTorch: x.flip(dims) */
tg_tensor tg_flip(tg_tensor x, tg_dims dims) {
    tg_node *in;
    uint32_t mask;
    tg_tape *t = tg_open("flip", "*", 1, &x, &in);
    if (!t || !tg_dim_mask(t, "flip", dims, in, &mask))
        return TG_NULL;
    tg_shape shape = tg_shape_from(in);
    tg_node *y = tg_node_new(t, &tg_op_flip, 1, &in, &shape, (tg_dtype)in->dtype, sizeof(flip_attr));
    if (!y)
        return TG_NULL;
    *(flip_attr *)y->attr = (flip_attr){mask};
    return tg_record(y);
}

/* PyTorch: x.roll(shift, dim) */
tg_tensor tg_roll(tg_tensor x, int64_t shift, int dim) {
    tg_node *in;
    tg_tape *t = tg_open("roll", "*", 1, &x, &in);
    int d = t ? tg_dim(t, "roll", dim, in) : -1;
    if (d < 0)
        return TG_NULL;
    int64_t n = in->ndim ? in->size[d] : 1, back = n ? (shift % n + n) % n : 0;
    if (!in->ndim)
        return tg_clone(x);
    tg_tensor parts[] = {tg_slice(x, d, n - back, n, 1), tg_slice(x, d, 0, n - back, 1)};
    return tg_cat(parts, 2, d);
}
