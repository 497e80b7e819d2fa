/* flip: the elements in reverse order along dims    dx = dy flipped again
 * roll: the elements shifted along a dim, those past the end to the front: two pieces    dx = dy shifted back
 * Any dtype. */
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

/* ---- roll ---- */

typedef struct roll_attr {
    int dim;
    int64_t shift; /* from 0 to the dim's size - 1 */
} roll_attr;

/* A piece of n along the dim, of arrays of y's shape: from `begin` on in one, from `at` on in the other. */
static void move_piece(const tg_node *y, bool adds, int64_t n, char *to, const int64_t *to_stride, int64_t at,
                       const char *from, const int64_t *from_stride, int64_t begin) {
    int d = ((const roll_attr *)y->attr)->dim;
    ptrdiff_t bytes = (ptrdiff_t)tg_dtype_size((tg_dtype)y->dtype);
    int64_t size[TG_MAX_DIMS];
    memcpy(size, y->size, sizeof size);
    size[d] = n;
    to += at * to_stride[d] * bytes;
    from += begin * from_stride[d] * bytes;
    if (adds)
        tg_move_add((tg_dtype)y->dtype, y->ndim, size, to, to_stride, from, from_stride);
    else
        tg_move_copy((size_t)bytes, y->ndim, size, to, to_stride, from, from_stride);
}

static tg_status roll_forward(tg_node *y) {
    const roll_attr *roll = y->attr;
    const tg_node *x = y->in[0];
    int64_t rest = y->size[roll->dim] - roll->shift;
    move_piece(y, false, roll->shift, y->data, y->stride, 0, x->data, x->stride, rest);
    move_piece(y, false, rest, y->data, y->stride, roll->shift, x->data, x->stride, 0);
    return TG_OK;
}

static tg_status roll_vjp(tg_node *y) {
    const roll_attr *roll = y->attr;
    int64_t rest = y->size[roll->dim] - roll->shift;
    tg_slot slot = tg_grad_open(y, 0);
    if (!slot.data)
        return tg_tape_status(y->tape);
    move_piece(y, !slot.fresh, rest, slot.data, slot.stride, 0, y->grad, y->stride, roll->shift);
    move_piece(y, !slot.fresh, roll->shift, slot.data, slot.stride, rest, y->grad, y->stride, 0);
    return TG_OK;
}

static tg_tensor roll_probe(tg_tape *t, int variant) {
    switch (variant) {
    case 0: return tg_roll(tg_probe_leaf(t, TG_SHAPE(2, 3)), 1, 1);
    case 1: return tg_roll(tg_transpose(tg_probe_leaf(t, TG_SHAPE(4, 3)), 0, 1), -2, -1);
    case 2: return tg_roll(tg_expand(tg_probe_leaf(t, TG_SHAPE(3)), TG_SHAPE(2, 3)), 4, 0);
    case 3: return tg_roll(tg_slice(tg_probe_leaf(t, TG_SHAPE(2, 5, 2)), 1, 1, 5, 2), 1, 1);
    case 4: return tg_roll(tg_probe_leaf(t, TG_SHAPE(2, 0)), 1, 1);
    default: return TG_NULL;
    }
}

const tg_op tg_op_roll = {
    .name = "roll", .forward = TG_ANY(roll_forward), .vjp = TG_ANY(roll_vjp), .grad = grad, .probe = roll_probe};

/* PyTorch: x.roll(shift, dim) */
tg_tensor tg_roll(tg_tensor x, int64_t shift, int dim) {
    tg_node *in;
    tg_tape *t = tg_open("roll", "*", 1, &x, &in);
    int d = t ? tg_dim(t, "roll", dim, in) : -1;
    if (d < 0)
        return TG_NULL;
    if (!in->ndim)
        return tg_clone(x);
    tg_shape shape = tg_shape_from(in);
    tg_node *y = tg_node_new(t, &tg_op_roll, 1, &in, &shape, (tg_dtype)in->dtype, sizeof(roll_attr));
    if (!y)
        return TG_NULL;
    int64_t n = in->size[d];
    *(roll_attr *)y->attr = (roll_attr){d, n ? (shift % n + n) % n : 0};
    return tg_record(y);
}
