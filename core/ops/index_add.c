/* index_add: y = x with y[.., index[i], ..] += source[.., i, ..] along a dim.
 * dx = dy    dsource[.., i, ..] = dy[.., index[i], ..]
 * scatter_add: the same with an index for each element: y[i][index[i][j]] += source[i][j] (dim 1).
 * dsource[i][j] = dy[i][index[i][j]] */
#include "core/engine.h"
#include "core/kernels/indexed.h"
#include "core/kernels/moves.h"

typedef struct add_attr {
    int dim;
} add_attr;

/* Maps elements of source to elements of y. index_add has one index per position along dim. A scalar counts as one
 * dim. */
static tg_indexed plan(const tg_node *y) {
    const tg_node *index = y->in[1], *source = y->in[2];
    tg_indexed d = {.ndim = 1, .size = {1}, .dim = ((const add_attr *)y->attr)->dim, .index = index->data};
    if (y->ndim)
        d.ndim = y->ndim;
    for (int i = 0; i < y->ndim; i++) {
        d.size[i] = source->size[i];
        d.x[i] = y->stride[i];
        d.y[i] = source->stride[i];
        d.id[i] = index->ndim == source->ndim ? index->stride[i] : i == d.dim;
    }
    return d;
}

/* All indices are checked before anything is written. */
static tg_status check_range(const tg_node *y) {
    const tg_node *index = y->in[1];
    const int64_t *id = index->data, size = y->ndim ? y->size[((const add_attr *)y->attr)->dim] : 1;
    int64_t i = tg_index_outside(index->numel, id, size);
    if (i == index->numel)
        return TG_OK;
    return tg_fail(y->tape, TG_ERR_INDEX, "%s: index %lld at position %lld of %s is not in 0 .. %lld", y->op->name,
                   (long long)id[i], (long long)i, tg_node_text(index).s, (long long)size - 1);
}

static tg_status forward(tg_node *y) {
    tg_indexed d = plan(y);
    if (check_range(y))
        return tg_tape_status(y->tape);
    tg_move_copy(tg_dtype_size((tg_dtype)y->dtype), y->ndim, y->size, y->data, y->stride, y->in[0]->data, y->stride);
    tg_add_picked((tg_dtype)y->dtype, &d, y->data, y->in[2]->data);
    return TG_OK;
}

static tg_status vjp_of_x(tg_node *y) {
    if (tg_grad_hand_over(y, 0))
        return TG_OK;
    tg_slot slot = tg_grad_open(y, 0);
    if (slot.data && slot.fresh)
        tg_move_copy(tg_dtype_size((tg_dtype)y->dtype), y->ndim, y->size, slot.data, slot.stride, y->grad,
                     y->window.stride);
    else if (slot.data)
        tg_move_add((tg_dtype)y->dtype, y->ndim, y->size, slot.data, slot.stride, y->grad, y->window.stride);
    return slot.data ? TG_OK : tg_tape_status(y->tape);
}

static tg_status vjp_of_source(tg_node *y) {
    tg_indexed d = plan(y);
    tg_slot slot = tg_grad_dense(y, 2);
    if (!slot.data)
        return tg_tape_status(y->tape);
    if (slot.fresh)
        tg_pick(tg_dtype_size((tg_dtype)y->dtype), &d, slot.data, y->grad);
    else
        tg_pick_add((tg_dtype)y->dtype, &d, slot.data, y->grad);
    tg_grad_close(&slot);
    return TG_OK;
}

/* dsource reads dy first: x's gradient may take over its buffer. */
static tg_status vjp(tg_node *y) {
    if (tg_wants(y, 2) && vjp_of_source(y))
        return tg_tape_status(y->tape);
    return tg_wants(y, 0) ? vjp_of_x(y) : TG_OK;
}

static void scatter_add_grad(const tg_node *y, tg_tensor dy, tg_tensor *dx) {
    dx[0] = dy;
    if (tg_wants(y, 2))
        dx[2] = tg_gather(dy, ((const add_attr *)y->attr)->dim, tg_in(y, 1));
}

static void index_add_grad(const tg_node *y, tg_tensor dy, tg_tensor *dx) {
    dx[0] = dy;
    if (tg_wants(y, 2))
        dx[2] = tg_index_select(dy, ((const add_attr *)y->attr)->dim, tg_in(y, 1));
}

static const int64_t probe_ids[] = {2, 0, 2, 1, 1, 0};

static tg_tensor index_add_probe(tg_tape *t, int variant) {
    tg_tensor i = tg_from_ints(t, TG_SHAPE(4), probe_ids), x = tg_probe_leaf(t, TG_SHAPE(3, 2));
    switch (variant) {
    case 0: return tg_index_add(x, 0, i, tg_probe_leaf(t, TG_SHAPE(4, 2)));
    case 1: return tg_index_add(tg_transpose(x, 0, 1), -1, i, tg_transpose(tg_probe_leaf(t, TG_SHAPE(4, 2)), 0, 1));
    case 2: return tg_index_add(tg_probe_leaf(t, TG_SHAPE(2, 3, 2)), 1, i, tg_probe_leaf(t, TG_SHAPE(2, 4, 2)));
    case 3:
        return tg_index_add(x, 0, tg_slice(i, 0, 0, 2, 1), tg_expand(tg_probe_leaf(t, TG_SHAPE(2, 1)), TG_SHAPE(2, 2)));
    case 4: return tg_index_add(x, 0, tg_slice(i, 0, 0, 0, 1), tg_probe_leaf(t, TG_SHAPE(0, 2)));
    default: return TG_NULL;
    }
}

static tg_tensor scatter_add_probe(tg_tape *t, int variant) {
    tg_tensor i = tg_from_ints(t, TG_SHAPE(2, 3), probe_ids);
    switch (variant) {
    case 0: return tg_scatter_add(tg_probe_leaf(t, TG_SHAPE(2, 4)), 1, i, tg_probe_leaf(t, TG_SHAPE(2, 3)));
    case 1: return tg_scatter_add(tg_probe_leaf(t, TG_SHAPE(3, 3)), 0, i, tg_probe_leaf(t, TG_SHAPE(2, 3)));
    case 2:
        i = tg_transpose(i, 0, 1);
        return tg_scatter_add(tg_transpose(tg_probe_leaf(t, TG_SHAPE(3, 3)), 0, 1), -1, i,
                              tg_transpose(tg_probe_leaf(t, TG_SHAPE(2, 3)), 0, 1));
    case 3: return tg_scatter_add(tg_probe_leaf(t, TG_SHAPE(3)), 0, tg_select(i, 0, 0), tg_probe_leaf(t, TG_SHAPE(3)));
    case 4:
        i = tg_slice(i, 0, 0, 0, 1);
        return tg_scatter_add(tg_probe_leaf(t, TG_SHAPE(2, 3)), 1, i, tg_probe_leaf(t, TG_SHAPE(0, 3)));
    default: return TG_NULL;
    }
}

#define TG_INDEXED_ADD .forward = TG_ANY(forward), .vjp = TG_ANY(vjp), .needs = {0, 0, TG_IN(1)}
const tg_op tg_op_index_add = {.name = "index_add", TG_INDEXED_ADD, .grad = index_add_grad, .probe = index_add_probe};
const tg_op tg_op_scatter_add = {
    .name = "scatter_add", TG_INDEXED_ADD, .grad = scatter_add_grad, .probe = scatter_add_probe};

/* The source's sizes are x's, but along dim the index's; scatter's may be smaller. each: scatter. */
static bool source_fits(bool each, tg_node *const *in, int d) {
    const tg_node *x = in[0], *index = in[1], *source = in[2];
    bool fits = (each || x->ndim) && source->ndim == x->ndim && index->ndim == (each ? x->ndim : 1);
    for (int i = 0; i < x->ndim && fits; i++) {
        int64_t size = each ? index->size[i] : i == d ? index->size[0] : x->size[i];
        fits = source->size[i] == size && (i == d || size <= x->size[i]);
    }
    return fits;
}

static tg_tensor record(const tg_op *op, bool each, tg_tensor x, int dim, tg_tensor index, tg_tensor source) {
    tg_node *in[3];
    tg_tape *t = tg_open_contiguous(op->name, "fif", 3, (tg_tensor[]){x, index, source}, in);
    int d = t ? tg_dim(t, op->name, dim, in[0]) : -1;
    if (d < 0)
        return TG_NULL;
    if (!source_fits(each, in, d))
        return tg_fail_null(t, TG_ERR_SHAPE, "%s: source %s and index %s do not fit x %s along dim %d", op->name,
                            tg_node_text(in[2]).s, tg_node_text(in[1]).s, tg_node_text(in[0]).s, d);
    tg_shape shape = tg_shape_from(in[0]);
    tg_node *y = tg_node_new(t, op, 3, in, &shape, tg_tape_dtype(t), sizeof(add_attr));
    if (!y)
        return TG_NULL;
    *(add_attr *)y->attr = (add_attr){d};
    return tg_record(y);
}

/* PyTorch: x.index_add(dim, index, source) */
tg_tensor tg_index_add(tg_tensor x, int dim, tg_tensor index, tg_tensor source) {
    return record(&tg_op_index_add, false, x, dim, index, source);
}
/* PyTorch: x.scatter_add(dim, index, source) */
tg_tensor tg_scatter_add(tg_tensor x, int dim, tg_tensor index, tg_tensor source) {
    return record(&tg_op_scatter_add, true, x, dim, index, source);
}
