/* gather: y[i][j] = x[i][index[i][j]] (dim 1), x[index[i][j]][j] (dim 0), and so on; any dtype.
 * dx[i][index[i][j]] += dy[i][j] */
#include "core/kernels/indexed.h"

typedef struct gather_attr {
    int dim;
} gather_attr;

/* A scalar counts as one dim. */
static tg_indexed plan(const tg_node *y, const int64_t *x_stride) {
    const tg_node *index = y->in[1];
    tg_indexed d = {.ndim = 1, .size = {1}, .dim = ((const gather_attr *)y->attr)->dim, .index = index->data};
    if (y->ndim)
        d.ndim = y->ndim;
    for (int i = 0; i < y->ndim; i++) {
        d.size[i] = y->size[i];
        d.x[i] = x_stride[i];
        d.y[i] = y->stride[i];
        d.id[i] = index->stride[i];
    }
    return d;
}

/* All indices are checked before anything is written. */
static tg_status check_range(const tg_node *y) {
    const int64_t *id = y->in[1]->data, size = y->ndim ? y->in[0]->size[((const gather_attr *)y->attr)->dim] : 1;
    int64_t i = tg_index_outside(y->numel, id, size);
    if (i == y->numel)
        return TG_OK;
    return tg_fail(y->tape, TG_ERR_INDEX, "gather: index %lld at position %lld of %s is not in 0 .. %lld",
                   (long long)id[i], (long long)i, tg_node_text(y).s, (long long)size - 1);
}

static tg_status forward(tg_node *y) {
    tg_indexed d = plan(y, y->in[0]->stride);
    if (check_range(y))
        return tg_tape_status(y->tape);
    tg_pick(tg_dtype_size((tg_dtype)y->dtype), &d, y->data, y->in[0]->data);
    return TG_OK;
}

/* Into dense rows even where x is transposed: a row spans few cache lines, a column one per element. */
static tg_status vjp(tg_node *y) {
    tg_slot slot = tg_grad_dense(y, 0);
    if (!slot.data)
        return tg_tape_status(y->tape);
    tg_grad_clear(&slot);
    int64_t dense[TG_MAX_DIMS];
    tg_dense_strides(slot.x->ndim, slot.x->size, dense);
    tg_indexed d = plan(y, dense);
    tg_add_picked((tg_dtype)y->dtype, &d, slot.data, y->grad);
    tg_grad_close(&slot);
    return TG_OK;
}

static void grad(const tg_node *y, tg_tensor dy, tg_tensor *dx) { dx[0] = tg_adjoint(y, dy); }

static tg_tensor probe(tg_tape *t, int variant) {
    static const int64_t indices[] = {2, 0, 2, 1, 1, 0, 0, 2};
    tg_tensor i = tg_from_ints(t, TG_SHAPE(2, 4), indices);
    switch (variant) {
    case 0: return tg_gather(tg_probe_leaf(t, TG_SHAPE(2, 3)), 1, i);
    case 1: return tg_gather(tg_transpose(tg_probe_leaf(t, TG_SHAPE(5, 3)), 0, 1), 0, i);
    case 2: return tg_gather(tg_probe_leaf(t, TG_SHAPE(3, 3, 2)), -2, tg_reshape(i, TG_SHAPE(2, 2, 2)));
    case 3: return tg_gather(tg_probe_leaf(t, TG_SHAPE(3)), 0, tg_select(tg_transpose(i, 0, 1), 1, 0));
    case 4: return tg_gather(tg_probe_leaf(t, TG_SHAPE(2, 3)), 1, tg_slice(i, 1, 0, 0, 1));
    case 5: return tg_gather(tg_probe_leaf(t, TG_SCALAR), 0, tg_select(tg_select(i, 0, 0), 0, 1));
    case 6: return tg_gather(tg_expand(tg_probe_leaf(t, TG_SHAPE(1, 3)), TG_SHAPE(2, 3)), 1, i);
    default: return TG_NULL;
    }
}

const tg_op tg_op_gather = {.name = "gather",
                            .forward = TG_ANY(forward),
                            .vjp = TG_ANY(vjp),
                            .needs = {TG_IN(1)},
                            .picks = true,
                            .grad = grad,
                            .probe = probe};

static bool fits(const tg_node *x, const tg_node *index, int dim) {
    for (int i = 0; i < index->ndim && index->ndim == x->ndim; i++)
        if (i != dim && index->size[i] > x->size[i])
            return false;
    return index->ndim == x->ndim;
}

/* PyTorch: x.gather(dim, index) */
tg_tensor tg_gather(tg_tensor x, int dim, tg_tensor index) {
    tg_node *in[2];
    tg_tape *t = tg_open("gather", "*i", 2, (tg_tensor[]){x, index}, in);
    int d = t ? tg_dim(t, "gather", dim, in[0]) : -1;
    if (d < 0 || !tg_open_contiguous("gather", "i", 1, &index, &in[1]))
        return TG_NULL;
    if (!fits(in[0], in[1], d))
        return tg_fail_null(t, TG_ERR_SHAPE,
                            "gather: index %s does not fit x %s: it must have its rank and, except along dim %d, be "
                            "no larger",
                            tg_node_text(in[1]).s, tg_node_text(in[0]).s, d);
    tg_shape shape = tg_shape_from(in[1]);
    tg_node *y = tg_node_new(t, &tg_op_gather, 2, in, &shape, (tg_dtype)in[0]->dtype, sizeof(gather_attr));
    if (!y)
        return TG_NULL;
    *(gather_attr *)y->attr = (gather_attr){d};
    return tg_record(y);
}
