/* matmul: y[..., i, j] = sum_p a[..., i, p] b[..., p, j].    dA = dY B^T    dB = A^T dY
 *
 * A 1-D operand is a matrix of one row (left) or one column (right). Batch dims broadcast; their gradients are
 * summed by adding batch after batch into the same matrix. When only the left operand is batched and its rows
 * follow one another, the whole batch is one product. */
#include "core/kernels/gemm.h"

#ifndef real
/* One matrix product for each index of the batch dims. Strides are in elements; 0 where an operand broadcasts. */
typedef struct matmul_plan {
    int64_t m, n, k, batches;
    int batch_ndim;
    int64_t batch_size[TG_MAX_DIMS];
} matmul_plan;

/* How an operand's matrices lie: under its own strides or its gradient's. */
typedef struct matmul_operand {
    int64_t batch_stride[TG_MAX_DIMS];
    ptrdiff_t row, col;
    bool broadcast;
} matmul_operand;

static int batch_dims(const tg_node *x) { return x->ndim > 2 ? x->ndim - 2 : 0; }

static matmul_operand operand(const matmul_plan *p, const tg_node *x, const int64_t *stride, bool is_left) {
    matmul_operand o = {.row = 0, .col = 0};
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

/* Do the left operand's batches continue its rows, and does the right one repeat? Then they are one product. */
static bool one_product(const matmul_plan *p, const matmul_operand *a, const matmul_operand *b) {
    int64_t expected = a->row * p->m;
    for (int i = p->batch_ndim - 1; i >= 0; i--) {
        if (p->batch_size[i] == 1)
            continue;
        if (a->batch_stride[i] != expected || b->batch_stride[i] != 0)
            return false;
        expected *= p->batch_size[i];
    }
    return true;
}

/* y's matrices: contiguous, one behind the other. */
static matmul_operand result(const matmul_plan *p) {
    matmul_operand o = {.row = p->n, .col = 1};
    int64_t step = p->m * p->n;
    for (int i = p->batch_ndim - 1; i >= 0; i--) {
        o.batch_stride[i] = step;
        step *= p->batch_size[i];
    }
    return o;
}
#endif

#ifdef real

typedef struct FN(matrix) {
    real *data;
    const matmul_operand *lies;
    bool transposed;
} FN(matrix);

/* For every batch: c = a b, or c += a b when add. m, n, k are those of this product. */
static tg_status FN(each)(tg_tape *t, const matmul_plan *p, int64_t m, int64_t n, int64_t k, FN(matrix) a, FN(matrix) b,
                          bool add, FN(matrix) c) {
    ptrdiff_t ar = a.transposed ? a.lies->col : a.lies->row, ac = a.transposed ? a.lies->row : a.lies->col;
    ptrdiff_t br = b.transposed ? b.lies->col : b.lies->row, bc = b.transposed ? b.lies->row : b.lies->col;
    if (p->batches == 1)
        return FN(tg_gemm)(t, m, n, k, a.data, ar, ac, b.data, br, bc, add, c.data, c.lies->row, c.lies->col);
    tg_batches batches = {.ndim = p->batch_ndim};
    size_t bytes = sizeof batches.size[0] * (size_t)p->batch_ndim;
    memcpy(batches.size, p->batch_size, bytes);
    memcpy(batches.a, a.lies->batch_stride, bytes);
    memcpy(batches.b, b.lies->batch_stride, bytes);
    memcpy(batches.c, c.lies->batch_stride, bytes);
    return FN(tg_gemm_batches)(t, &batches, m, n, k, a.data, ar, ac, b.data, br, bc, add, c.data, c.lies->row,
                               c.lies->col);
}

static tg_status FN(forward)(tg_node *y) {
    matmul_plan p = *(const matmul_plan *)y->attr;
    tg_node *x = y->in[0], *w = y->in[1];
    matmul_operand a = operand(&p, x, x->stride, true), b = operand(&p, w, w->stride, false), c = result(&p);
    if (one_product(&p, &a, &b)) {
        p.m *= p.batches;
        p.batches = 1;
    }
    return FN(each)(y->tape, &p, p.m, p.n, p.k, (FN(matrix)){x->data, &a, false}, (FN(matrix)){w->data, &b, false},
                    false, (FN(matrix)){y->data, &c, false});
}

/* The gradient of operand i: overwrite it when it is new and no two batches meet in it. */
static tg_status FN(vjp_of)(tg_node *y, int i) {
    matmul_plan p = *(const matmul_plan *)y->attr;
    tg_node *x = y->in[i], *other = y->in[1 - i];
    tg_slot slot = tg_grad_open(y, i);
    if (!slot.data)
        return tg_tape_status(y->tape);
    matmul_operand d = operand(&p, x, slot.stride, i == 0), o = operand(&p, other, other->stride, i == 1);
    matmul_operand c = result(&p);
    const matmul_operand *a = i == 0 ? &d : &o, *b = i == 0 ? &o : &d;
    if (one_product(&p, a, b)) {
        p.m *= p.batches;
        p.batches = 1;
        d.broadcast = false;
    }
    if (d.broadcast || !p.batches)
        tg_grad_clear(&slot);
    FN(matrix) dy = {y->grad, &c, false}, dx = {slot.data, &d, false};
    if (i == 0)
        return FN(each)(y->tape, &p, p.m, p.k, p.n, dy, (FN(matrix)){other->data, &o, true}, !slot.fresh, dx);
    return FN(each)(y->tape, &p, p.k, p.n, p.m, (FN(matrix)){other->data, &o, true}, dy, !slot.fresh, dx);
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
                            .probe = probe};

static tg_shape batch_shape(const tg_node *x) {
    tg_shape s = tg_shape_from(x);
    s.ndim = batch_dims(x);
    return s;
}

tg_tensor tg_matmul(tg_tensor a, tg_tensor b) {
    tg_node *in[2];
    tg_tape *t = tg_open("matmul", "ff", 2, (tg_tensor[]){a, b}, in);
    if (!t)
        return TG_NULL;
    const tg_node *l = in[0], *r = in[1];
    if (!l->ndim || !r->ndim)
        return tg_fail_null(t, TG_ERR_SHAPE, "matmul: %s and %s: a scalar is no matrix; use tg_mul", tg_node_text(l).s,
                            tg_node_text(r).s);
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
