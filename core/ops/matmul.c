/* matmul: y[..., i, j] = sum_p a[..., i, p] b[..., p, j].    dA = dY B^T    dB = A^T dY
 *
 * A 1-D operand is a matrix of one row (left) or one column (right). Batch dims broadcast; gradients are summed by
 * adding batch after batch into the same matrix. When only the left operand is batched, with evenly spaced rows, the
 * whole batch is one product. */
#include "core/kernels/gemm.h"

#ifndef real
/* A matrix product (m, k) (k, n) for each index of the batch dims. */
typedef struct matmul_plan {
    int64_t m, n, k, batches;
    int batch_ndim;
    int64_t batch_size[TG_MAX_DIMS];
} matmul_plan;

/* The strides of an operand's matrices, or of its gradient's, in elements; 0 where it broadcasts. */
typedef struct matmul_layout {
    int64_t batch_stride[TG_MAX_DIMS];
    ptrdiff_t row, col;
    bool broadcast;
} matmul_layout;

static int batch_dims(const tg_node *x) { return x->ndim > 2 ? x->ndim - 2 : 0; }

static matmul_layout layout(const matmul_plan *p, const tg_node *x, const int64_t *stride, bool is_left) {
    matmul_layout o = {.row = 0, .col = 0};
    int nb = batch_dims(x), shift = p->batch_ndim - nb;
    for (int i = 0; i < p->batch_ndim; i++) {
        bool repeats = i < shift || (x->size[i - shift] == 1 && p->batch_size[i] != 1);
        o.batch_stride[i] = repeats ? 0 : stride[i - shift];
        o.broadcast |= repeats && p->batch_size[i] != 1;
    }
    if (x->ndim == 1) {
        o.row = is_left ? 0 : stride[0];
        o.col = is_left ? stride[0] : 0;
    } else {
        o.row = stride[x->ndim - 2];
        o.col = stride[x->ndim - 1];
    }
    return o;
}

/* All batches are one product where the left operand's batches continue its rows and the right operand broadcasts. */
static bool merge_batches(matmul_plan *p, const matmul_layout *a, const matmul_layout *b) {
    int64_t expected = a->row * p->m;
    for (int i = p->batch_ndim - 1; i >= 0; i--) {
        if (p->batch_size[i] == 1)
            continue;
        if (a->batch_stride[i] != expected || b->batch_stride[i] != 0)
            return false;
        expected *= p->batch_size[i];
    }
    p->m *= p->batches;
    p->batches = 1;
    return true;
}

/* y's matrices: contiguous, one after the other. */
static matmul_layout result_layout(const matmul_plan *p) {
    matmul_layout o = {.row = p->n, .col = 1};
    int64_t step = p->m * p->n;
    for (int i = p->batch_ndim - 1; i >= 0; i--) {
        o.batch_stride[i] = step;
        step *= p->batch_size[i];
    }
    return o;
}

#define operand FN(operand)
#endif

#ifdef real

typedef struct operand {
    tg_matrix first; /* of the first batch */
    const int64_t *batch_stride;
} operand;

static operand FN(operand_at)(void *data, const matmul_layout *at) {
    return (operand){{data, at->row, at->col}, at->batch_stride};
}
static operand FN(transpose)(operand x) { return (operand){FN(tg_transposed)(x.first), x.batch_stride}; }

/* For every batch c = a b, or c += a b when add, with this product's m, n and k. */
static tg_status FN(multiply)(tg_tape *t, const matmul_plan *p, int64_t m, int64_t n, int64_t k, operand a, operand b,
                              bool add, operand c) {
    if (p->batches == 1)
        return FN(tg_gemm)(t, m, n, k, a.first, b.first, add, c.first);
    tg_batches batches = {.ndim = p->batch_ndim};
    size_t bytes = sizeof batches.size[0] * (size_t)p->batch_ndim;
    memcpy(batches.size, p->batch_size, bytes);
    memcpy(batches.a, a.batch_stride, bytes);
    memcpy(batches.b, b.batch_stride, bytes);
    memcpy(batches.c, c.batch_stride, bytes);
    return FN(tg_gemm_batched)(t, &batches, m, n, k, a.first, b.first, add, c.first);
}

static tg_status FN(forward)(tg_node *y) {
    matmul_plan p = *(const matmul_plan *)y->attr;
    const tg_node *x = y->in[0], *w = y->in[1];
    matmul_layout a = layout(&p, x, x->stride, true), b = layout(&p, w, w->stride, false), c = result_layout(&p);
    merge_batches(&p, &a, &b);
    return FN(multiply)(y->tape, &p, p.m, p.n, p.k, FN(operand_at)(x->data, &a), FN(operand_at)(w->data, &b), false,
                        FN(operand_at)(y->data, &c));
}

/* The gradient of operand i: overwritten when it is fresh and no two batches add to the same matrix. */
static tg_status FN(vjp_of)(tg_node *y, int i) {
    matmul_plan p = *(const matmul_plan *)y->attr;
    const tg_node *x = y->in[i], *other = y->in[1 - i];
    tg_slot slot = tg_grad_open(y, i);
    if (!slot.data)
        return tg_tape_status(y->tape);
    matmul_layout d = layout(&p, x, slot.stride, i == 0), o = layout(&p, other, other->stride, i == 1);
    matmul_layout c = result_layout(&p);
    bool merged = i == 0 ? merge_batches(&p, &d, &o) : merge_batches(&p, &o, &d);
    if ((d.broadcast && !merged) || !p.batches)
        tg_grad_clear(&slot);
    operand dx = FN(operand_at)(slot.data, &d), dy = FN(operand_at)(y->grad, &c);
    operand rest = FN(transpose)(FN(operand_at)(other->data, &o));
    if (i == 0)
        return FN(multiply)(y->tape, &p, p.m, p.k, p.n, dy, rest, !slot.fresh, dx);
    return FN(multiply)(y->tape, &p, p.k, p.n, p.m, rest, dy, !slot.fresh, dx);
}

static tg_status FN(vjp)(tg_node *y) {
    for (int i = 0; i < 2; i++)
        if (tg_wants(y, i) && FN(vjp_of)(y, i))
            return tg_tape_status(y->tape);
    return TG_OK;
}

#else
#define TG_SELF "ops/matmul.c"
#include "core/twice.h"

static tg_tensor transposed(tg_tensor x) { return tg_transpose(x, -1, -2); }

/* 1-D operands become matrices, so that one rule covers all. */
static void grad(const tg_node *y, tg_tensor dy, tg_tensor *dx) {
    bool row = y->in[0]->ndim == 1, column = y->in[1]->ndim == 1;
    tg_tensor a = row ? tg_unsqueeze(tg_in(y, 0), 0) : tg_in(y, 0);
    tg_tensor b = column ? tg_unsqueeze(tg_in(y, 1), 1) : tg_in(y, 1);
    tg_tensor d = column ? tg_unsqueeze(dy, -1) : dy;
    d = row ? tg_unsqueeze(d, -2) : d;
    if (tg_wants(y, 0))
        dx[0] = tg_matmul(d, transposed(b));
    if (tg_wants(y, 1))
        dx[1] = tg_matmul(transposed(a), d);
    if (row && tg_wants(y, 0))
        dx[0] = tg_squeeze(dx[0], -2);
    if (column && tg_wants(y, 1))
        dx[1] = tg_squeeze(dx[1], -1);
}

static tg_tensor probe(tg_tape *t, int variant) {
    tg_tensor a, b;
    switch (variant) {
    case 0: return tg_matmul(tg_probe_leaf(t, TG_SHAPE(2, 3)), tg_probe_leaf(t, TG_SHAPE(3, 4)));
    case 1: return tg_matmul(tg_probe_leaf(t, TG_SHAPE(3)), tg_probe_leaf(t, TG_SHAPE(3)));
    case 2: return tg_matmul(tg_probe_leaf(t, TG_SHAPE(3)), tg_probe_leaf(t, TG_SHAPE(2, 3, 4)));
    case 3: return tg_matmul(tg_probe_leaf(t, TG_SHAPE(2, 4, 3)), tg_probe_leaf(t, TG_SHAPE(3)));
    case 4: return tg_matmul(tg_probe_leaf(t, TG_SHAPE(2, 4, 3)), tg_probe_leaf(t, TG_SHAPE(3, 2)));
    case 5: return tg_matmul(tg_probe_leaf(t, TG_SHAPE(2, 1, 4, 3)), tg_probe_leaf(t, TG_SHAPE(3, 3, 2)));
    case 6:
        return tg_matmul(tg_transpose(tg_probe_leaf(t, TG_SHAPE(2, 3, 4)), 1, 2),
                         tg_transpose(tg_probe_leaf(t, TG_SHAPE(2, 5, 3)), -1, -2));
    case 7: return tg_matmul(tg_probe_leaf(t, TG_SHAPE(2, 0)), tg_probe_leaf(t, TG_SHAPE(0, 3)));
    case 8: return tg_matmul(tg_probe_leaf(t, TG_SHAPE(0, 2, 3)), tg_probe_leaf(t, TG_SHAPE(3, 3)));
    case 9: a = tg_probe_leaf(t, TG_SHAPE(3, 3)); return tg_matmul(a, a);
    case 10:
        b = tg_expand(tg_probe_leaf(t, TG_SHAPE(1, 3, 1)), TG_SHAPE(2, 3, 4));
        return tg_matmul(tg_probe_leaf(t, TG_SHAPE(2, 2, 3)), b);
    default: return TG_NULL;
    }
}

/* 2 m n k for each of the batches, forward and for each operand */
static double flops(const tg_node *y, int i) {
    const matmul_plan *p = y->attr;
    (void)i;
    return 2 * (double)p->batches * (double)p->m * (double)p->n * (double)p->k;
}

const tg_op tg_op_matmul = {.name = "matmul",
                            .forward = TG_BOTH(forward),
                            .vjp = TG_BOTH(vjp),
                            .needs = {TG_IN(1), TG_IN(0)},
                            .flops = flops,
                            .grad = grad,
                            .probe = probe};

static tg_shape batch_shape(const tg_node *x) {
    tg_shape s = tg_shape_from(x);
    s.ndim = batch_dims(x);
    return s;
}

/* PyTorch: a @ b */
tg_tensor tg_matmul(tg_tensor a, tg_tensor b) {
    tg_node *in[2];
    tg_tape *t = tg_open("matmul", "ff", 2, (tg_tensor[]){a, b}, in);
    if (!t)
        return TG_NULL;
    const tg_node *l = in[0], *r = in[1];
    if (!l->ndim || !r->ndim)
        return tg_fail_null(t, TG_ERR_SHAPE, "matmul: %s and %s: a scalar is not a matrix; use tg_mul",
                            tg_node_text(l).s, tg_node_text(r).s);
    matmul_plan p = {.m = l->ndim > 1 ? l->size[l->ndim - 2] : 1,
                     .k = l->size[l->ndim - 1],
                     .n = r->ndim > 1 ? r->size[r->ndim - 1] : 1};
    int64_t right_rows = r->ndim > 1 ? r->size[r->ndim - 2] : r->size[0];
    if (p.k != right_rows)
        return tg_fail_null(t, TG_ERR_SHAPE, "matmul: shapes %s and %s: the inner sizes %lld and %lld differ",
                            tg_node_text(l).s, tg_node_text(r).s, (long long)p.k, (long long)right_rows);
    tg_shape lb = batch_shape(l), rb = batch_shape(r), shape;
    if (!tg_broadcast(&lb, &rb, &shape))
        return tg_fail_null(t, TG_ERR_SHAPE, "matmul: the batch dims of %s and %s do not broadcast", tg_node_text(l).s,
                            tg_node_text(r).s);
    p.batch_ndim = shape.ndim;
    p.batches = tg_shape_numel(&shape);
    memcpy(p.batch_size, shape.size, sizeof p.batch_size);
    if (l->ndim > 1)
        shape.size[shape.ndim++] = p.m;
    if (r->ndim > 1)
        shape.size[shape.ndim++] = p.n;
    tg_node *y = tg_node_new(t, &tg_op_matmul, 2, in, &shape, tg_tape_dtype(t), sizeof p);
    if (!y)
        return TG_NULL;
    *(matmul_plan *)y->attr = p;
    return tg_record(y);
}

#endif
