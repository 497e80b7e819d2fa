/* linear: y = x W^T + b, x (..., in), W (out, in), b (out).
 * dx = dy W    dW = dy^T x    db = dy summed over all rows
 *
 * The leading dims of x are merged into one dim of rows; where strides cannot express that, x is copied first. An
 * adapter of W (core/tape/adapter.c) adds to y. */
#include "core/engine.h"
#include "core/kernels/gemm.h"

#ifndef real
/* An operand as a matrix: rows of cols elements. */
typedef struct linear_layout {
    int64_t rows, cols;
    ptrdiff_t row, col; /* strides */
} linear_layout;

/* False when the leading dims cannot be merged; without elements they always can. */
static bool fold_rows(const tg_node *x, const int64_t *stride, linear_layout *m) {
    int last = x->ndim - 1;
    m->rows = 1;
    m->cols = x->size[last];
    m->row = last ? stride[last - 1] : 0;
    m->col = stride[last];
    for (int i = 0; i < last; i++)
        m->rows *= x->size[i];
    if (last < 2 || !x->numel)
        return true;
    tg_walk w;
    tg_walk_begin(&w, last, x->size, stride);
    m->row = w.stride[0];
    return w.ndim == 1;
}

static inline bool as_matrix(const tg_node *x, const int64_t *stride, linear_layout *m) {
    if (x->ndim != 2)
        return fold_rows(x, stride, m);
    *m = (linear_layout){x->size[0], x->size[1], stride[0], stride[1]};
    return true;
}
#endif

#ifdef real

static tg_status FN(forward)(tg_node *y) {
    const tg_node *x = y->in[0], *w = y->in[1], *bias = y->n_in > 2 ? y->in[2] : NULL;
    linear_layout m;
    as_matrix(x, x->stride, &m);
    int64_t n = w->size[0];
    real *out = y->data;
    const real *b = bias ? bias->data : NULL;
    for (int64_t i = 0; b && i < m.rows; i++)
        for (int64_t j = 0; j < n; j++)
            out[i * n + j] = b[j * bias->stride[0]];
    return FN(tg_gemm)(y->tape, m.rows, n, m.cols, (tg_matrix){x->data, m.row, m.col},
                       (tg_matrix){w->data, w->stride[1], w->stride[0]}, bias != NULL, (tg_matrix){out, n, 1});
}

static tg_status FN(vjp_x)(tg_node *y) {
    const tg_node *x = y->in[0], *w = y->in[1];
    int64_t n = w->size[0];
    linear_layout m;
    bool direct = as_matrix(x, x->window.stride, &m);
    tg_slot slot = direct ? tg_grad_open(y, 0) : tg_grad_dense(y, 0);
    if (!slot.data)
        return tg_tape_status(y->tape);
    tg_matrix dx = {slot.data, direct ? m.row : m.cols, direct ? m.col : 1};
    tg_status bad = FN(tg_gemm)(y->tape, m.rows, m.cols, n, (tg_matrix){y->grad, n, 1},
                                (tg_matrix){w->data, w->stride[0], w->stride[1]}, !slot.fresh, dx);
    tg_grad_close(&slot);
    return bad;
}

static tg_status FN(vjp_weight)(tg_node *y) {
    const tg_node *x = y->in[0];
    linear_layout m;
    as_matrix(x, x->stride, &m);
    int64_t n = y->in[1]->size[0];
    tg_slot slot = tg_grad_open(y, 1);
    if (!slot.data)
        return tg_tape_status(y->tape);
    return FN(tg_gemm)(y->tape, n, m.cols, m.rows, (tg_matrix){y->grad, 1, n}, (tg_matrix){x->data, m.row, m.col},
                       !slot.fresh, (tg_matrix){slot.data, slot.stride[0], slot.stride[1]});
}

static tg_status FN(vjp_bias)(tg_node *y) {
    int64_t n = y->in[2]->size[0];
    tg_slot slot = tg_grad_dense(y, 2);
    real *db = slot.data;
    if (!db)
        return tg_tape_status(y->tape);
    tg_grad_clear(&slot);
    tg_accumulate(REAL_DTYPE, 2, (int64_t[]){n ? y->numel / n : 0, n}, db, (int64_t[]){0, 1}, y->grad);
    tg_grad_close(&slot);
    return TG_OK;
}

static tg_status FN(vjp)(tg_node *y) {
    bool bad = (tg_wants(y, 0) && FN(vjp_x)(y)) || (tg_wants(y, 1) && FN(vjp_weight)(y)) ||
               (y->n_in > 2 && tg_wants(y, 2) && FN(vjp_bias)(y));
    return bad ? tg_tape_status(y->tape) : TG_OK;
}

#else
#define TG_SELF "ops/linear.c"
#include "core/twice.h"

/* x as a matrix of rows. */
static tg_tensor rows_of(const tg_node *x, tg_tensor values, int64_t columns) {
    int64_t rows = 1;
    for (int i = 0; i + 1 < x->ndim; i++)
        rows *= x->size[i];
    return tg_reshape(values, TG_SHAPE(rows, columns));
}

static void grad(const tg_node *y, tg_tensor dy, tg_tensor *dx) {
    const tg_node *x = y->in[0], *w = y->in[1];
    tg_tensor d = rows_of(x, dy, w->size[0]);
    if (tg_wants(y, 0))
        dx[0] = tg_reshape(tg_matmul(d, tg_in(y, 1)), tg_shape_from(x));
    if (tg_wants(y, 1))
        dx[1] = tg_matmul(tg_transpose(d, 0, 1), rows_of(x, tg_in(y, 0), w->size[1]));
    if (y->n_in > 2)
        dx[2] = dy;
}

static tg_tensor probe(tg_tape *t, int variant) {
    tg_tensor w = tg_probe_leaf(t, TG_SHAPE(2, 3)), b = tg_probe_leaf(t, TG_SHAPE(2));
    switch (variant) {
    case 0: return tg_linear(tg_probe_leaf(t, TG_SHAPE(4, 3)), w, b);
    case 1: return tg_linear(tg_probe_leaf(t, TG_SHAPE(2, 2, 3)), w, TG_NULL);
    case 2: return tg_linear(tg_probe_leaf(t, TG_SHAPE(3)), w, b);
    case 3: return tg_linear(tg_transpose(tg_probe_leaf(t, TG_SHAPE(2, 4, 3)), 0, 1), w, b);
    case 4: return tg_linear(tg_transpose(tg_probe_leaf(t, TG_SHAPE(3, 4)), 0, 1), w, b);
    case 5: return tg_linear(tg_probe_leaf(t, TG_SHAPE(0, 3)), w, b);
    case 6:
        w = tg_transpose(tg_probe_leaf(t, TG_SHAPE(3, 4)), 0, 1);
        b = tg_probe_leaf(t, TG_SHAPE(8));
        return tg_linear(tg_probe_leaf(t, TG_SHAPE(2, 3)), w, tg_slice(b, 0, 0, 8, 2));
    case 7: return tg_linear(w, w, TG_NULL);
    case 8: return tg_linear(tg_probe_leaf(t, TG_SHAPE(2, 0)), tg_probe_leaf(t, TG_SHAPE(3, 0)), TG_NULL);
    case 9: return tg_linear(tg_slice(tg_probe_leaf(t, TG_SHAPE(4, 5)), 1, 1, 4, 1), w, b);
    case 10: return tg_linear(tg_expand(tg_probe_leaf(t, TG_SHAPE(1, 3)), TG_SHAPE(4, 3)), w, b);
    case 11:
        return tg_linear(tg_transpose(tg_probe_leaf(t, TG_SHAPE(2, 4, 0)), 0, 1), tg_probe_leaf(t, TG_SHAPE(2, 0)), b);
    default: return TG_NULL;
    }
}

/* 2 rows out in for the product, forward, dx and dW; rows out for adding the bias and for db */
static double flops(const tg_node *y, int i) {
    double product = 2 * (double)y->numel * (double)y->in[1]->size[1], bias = y->n_in > 2 ? (double)y->numel : 0;
    return i < 0 ? product + bias : i < 2 ? product : bias;
}

const tg_op tg_op_linear = {.name = "linear",
                            .forward = TG_BOTH(forward),
                            .vjp = TG_BOTH(vjp),
                            .needs = {TG_IN(1), TG_IN(0)},
                            .flops = flops,
                            .grad = grad,
                            .probe = probe};

static tg_tape *open_linear(const tg_tensor *x, tg_node **in) {
    tg_tape *t = tg_open("linear", "ffF", 3, x, in);
    if (!t)
        return NULL;
    const tg_node *w = in[1], *b = in[2];
    if (!in[0]->ndim || w->ndim != 2 || in[0]->size[in[0]->ndim - 1] != w->size[1]) {
        tg_fail(t, TG_ERR_SHAPE, "linear: x %s and weight %s: they must be (..., in) and (out, in)",
                tg_node_text(in[0]).s, tg_node_text(w).s);
        return NULL;
    }
    if (b && (b->ndim != 1 || b->size[0] != w->size[0])) {
        tg_fail(t, TG_ERR_SHAPE, "linear: bias %s does not fit weight %s: it must be (%lld,)", tg_node_text(b).s,
                tg_node_text(w).s, (long long)w->size[0]);
        return NULL;
    }
    return t;
}

/* The row of leaf W at which w begins, when w is a slice of W's rows; else -1. */
static int64_t first_row(const tg_node *w) {
    const tg_node *base = w->base;
    if (w->ndim != 2 || base->ndim != 2 || w->size[1] != base->size[1] || w->stride[0] != base->size[1] ||
        w->stride[1] != 1 || !base->size[1])
        return -1;
    return w->offset / base->size[1];
}

/* A view of W through tg_detach: no gradients flow to W, nor to its adapter. */
static bool is_detached(const tg_node *w) {
    for (; w != w->base; w = w->in[0])
        if (w->op->is_view && w->op->no_gradient)
            return true;
    return false;
}

/* y, the product of x and w, plus the adapter of w's leaf, if it has one. */
static tg_tensor adapted(tg_tensor y, tg_tensor x, const tg_node *w) {
    const tg_adapter *a = tg_adapter_on(w);
    if (!a || tg_is_null(y))
        return y;
    int64_t row = w == w->base ? 0 : first_row(w);
    if (row < 0)
        return tg_fail_null(w->tape, TG_ERR_STATE,
                            "linear: %s has an adapter; of its views only slices of rows can be used",
                            tg_node_text(w->base).s);
    bool detached = is_detached(w);
    tg_tensor A = detached ? tg_detach(a->a) : a->a, b = detached ? tg_detach(a->b) : a->b;
    b = w == w->base ? b : tg_slice(b, 0, row, row + w->size[0], 1);
    tg_tensor low = tg_linear(tg_dropout(x, a->dropout_p), A, TG_NULL);
    return tg_add(y, tg_mul_scalar(tg_linear(low, b, TG_NULL), a->scaling));
}

/* PyTorch: F.linear(x, weight, bias) */
tg_tensor tg_linear(tg_tensor x, tg_tensor weight, tg_tensor bias) {
    tg_node *in[3];
    tg_tape *t = open_linear((tg_tensor[]){x, weight, bias}, in);
    linear_layout m;
    if (!t)
        return TG_NULL;
    if (!as_matrix(in[0], in[0]->stride, &m))
        return tg_linear(tg_contiguous(x), weight, bias);
    tg_shape shape = tg_shape_from(in[0]);
    shape.size[shape.ndim - 1] = in[1]->size[0];
    tg_node *y = tg_node_new(t, &tg_op_linear, in[2] ? 3 : 2, in, &shape, tg_tape_dtype(t), 0);
    return y ? adapted(tg_record(y), x, in[1]) : TG_NULL;
}

#endif
