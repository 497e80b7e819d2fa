/* index_select: y[.., i, ..] = x[.., index[i], ..] along a dim; any dtype.    dx[.., index[i], ..] += dy[.., i, ..]
 * embedding: rows of weight (V, C) selected by ids of any shape: the same along dim 0. */
#include "core/engine.h"
#include "core/kernels/indexed.h"

/* x seen as (outer, size, inner), y as (outer, the number of indices, inner). */
typedef struct pick_plan {
    int64_t outer, size, inner;
} pick_plan;

/* With inner = 1 the indices are the last dim. */
static tg_indexed plan(const tg_node *y) {
    const pick_plan *p = y->attr;
    int64_t n = y->in[1]->numel;
    return (tg_indexed){.ndim = p->inner == 1 ? 2 : 3,
                        .dim = 1,
                        .size = {p->outer, n, p->inner},
                        .x = {p->size * p->inner, p->inner, 1},
                        .y = {n * p->inner, p->inner, 1},
                        .id = {0, 1, 0},
                        .index = y->in[1]->data};
}

/* All indices are checked before anything is written. */
static tg_status check_range(const tg_node *y, const tg_node *index, int64_t size) {
    const int64_t *id = index->data, i = tg_index_outside(index->numel, id, size);
    if (i == index->numel)
        return TG_OK;
    return tg_fail(y->tape, TG_ERR_INDEX, "%s: index %lld at position %lld of %s is not in 0 .. %lld", y->op->name,
                   (long long)id[i], (long long)i, tg_node_text(index).s, (long long)size - 1);
}

static tg_status forward(tg_node *y) {
    tg_indexed d = plan(y);
    if (check_range(y, y->in[1], ((const pick_plan *)y->attr)->size))
        return tg_tape_status(y->tape);
    tg_pick(tg_dtype_size((tg_dtype)y->dtype), &d, y->data, y->in[0]->data);
    return TG_OK;
}

static tg_status vjp(tg_node *y) {
    tg_indexed d = plan(y);
    tg_slot slot = tg_grad_dense(y, 0);
    if (!slot.data)
        return tg_tape_status(y->tape);
    tg_grad_clear(&slot);
    tg_add_picked((tg_dtype)y->dtype, &d, slot.data, y->grad);
    tg_grad_close(&slot);
    return TG_OK;
}

static void grad(const tg_node *y, tg_tensor dy, tg_tensor *dx) { dx[0] = tg_adjoint(y, dy); }

static const int64_t probe_ids[] = {2, 0, 2, 1, 2, 0};

static tg_tensor select_probe(tg_tape *t, int variant) {
    tg_tensor ids = tg_from_ints(t, TG_SHAPE(6), probe_ids);
    switch (variant) {
    case 0: return tg_index_select(tg_probe_leaf(t, TG_SHAPE(3, 2)), 0, ids);
    case 1: return tg_index_select(tg_probe_leaf(t, TG_SHAPE(2, 3, 2)), 1, ids);
    case 2: return tg_index_select(tg_transpose(tg_probe_leaf(t, TG_SHAPE(3, 2)), 0, 1), -1, ids);
    case 3: return tg_index_select(tg_probe_leaf(t, TG_SHAPE(3)), 0, tg_slice(ids, 0, 0, 6, 2));
    case 4: return tg_index_select(tg_probe_leaf(t, TG_SHAPE(2, 3)), 0, tg_slice(ids, 0, 0, 0, 1));
    case 5: return tg_index_select(tg_probe_leaf(t, TG_SHAPE(3, 0)), 0, ids);
    default: return TG_NULL;
    }
}

static tg_tensor embedding_probe(tg_tape *t, int variant) {
    tg_tensor ids = tg_from_ints(t, TG_SHAPE(2, 3), probe_ids);
    switch (variant) {
    case 0: return tg_embedding(tg_probe_leaf(t, TG_SHAPE(4, 3)), ids);
    case 1: return tg_embedding(tg_transpose(tg_probe_leaf(t, TG_SHAPE(2, 4)), 0, 1), tg_transpose(ids, 0, 1));
    case 2: return tg_embedding(tg_probe_leaf(t, TG_SHAPE(4, 1)), tg_select(tg_select(ids, 0, 0), 0, 1));
    case 3: return tg_embedding(tg_probe_leaf(t, TG_SHAPE(0, 2)), tg_slice(ids, 0, 0, 0, 1));
    default: return TG_NULL;
    }
}

const tg_op tg_op_index_select = {.name = "index_select",
                                  .forward = TG_ANY(forward),
                                  .vjp = TG_ANY(vjp),
                                  .needs = {TG_IN(1)},
                                  .picks = true,
                                  .grad = grad,
                                  .probe = select_probe};

const tg_op tg_op_embedding = {.name = "embedding",
                               .forward = TG_ANY(forward),
                               .vjp = TG_ANY(vjp),
                               .needs = {TG_IN(1)},
                               .picks = true,
                               .grad = grad,
                               .probe = embedding_probe};

static tg_tensor record(const tg_op *op, tg_tape *t, tg_node *const *in, const tg_shape *shape, pick_plan plan) {
    tg_node *y = tg_node_new(t, op, 2, in, shape, (tg_dtype)in[0]->dtype, sizeof plan);
    if (!y)
        return TG_NULL;
    plan.outer = y->numel ? plan.outer : 0; /* without elements the other dims may have any size */
    *(pick_plan *)y->attr = plan;
    return tg_record(y);
}

/* PyTorch: x.index_select(dim, index) */
tg_tensor tg_index_select(tg_tensor x, int dim, tg_tensor index) {
    tg_node *in[2];
    tg_tape *t = tg_open_contiguous("index_select", "*i", 2, (tg_tensor[]){x, index}, in);
    int d = t ? tg_dim(t, "index_select", dim, in[0]) : -1;
    if (d < 0)
        return TG_NULL;
    if (!in[0]->ndim || in[1]->ndim != 1)
        return tg_fail_null(t, TG_ERR_SHAPE, "index_select: x %s must have a dim and the index %s be 1-D",
                            tg_node_text(in[0]).s, tg_node_text(in[1]).s);
    tg_shape shape = tg_shape_from(in[0]);
    pick_plan p = {.outer = 1, .size = shape.size[d], .inner = 1};
    for (int i = 0; i < shape.ndim; i++)
        *(i < d ? &p.outer : &p.inner) *= i == d ? 1 : shape.size[i];
    shape.size[d] = in[1]->numel;
    return record(&tg_op_index_select, t, in, &shape, p);
}

/* PyTorch: F.embedding(ids, weight) */
tg_tensor tg_embedding(tg_tensor weight, tg_tensor ids) {
    tg_node *in[2];
    tg_tape *t = tg_open_contiguous("embedding", "fi", 2, (tg_tensor[]){weight, ids}, in);
    if (!t)
        return TG_NULL;
    if (!tg_is_unadapted(t, "embedding", in[0]))
        return TG_NULL;
    tg_shape shape = tg_shape_from(in[1]);
    if (in[0]->ndim != 2 || shape.ndim == TG_MAX_DIMS)
        return tg_fail_null(t, TG_ERR_SHAPE, "embedding: weight %s must be (V, C), and ids %s have fewer than %d dims",
                            tg_node_text(in[0]).s, tg_node_text(in[1]).s, TG_MAX_DIMS);
    shape.size[shape.ndim++] = in[0]->size[1];
    return record(&tg_op_embedding, t, in, &shape, (pick_plan){1, in[0]->size[0], in[0]->size[1]});
}
