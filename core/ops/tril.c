/* tril, triu: x on and below (tril), on and above (triu) the k-th diagonal of the last two dims, 0 elsewhere; any
 * dtype.    dx = dy there, 0 elsewhere */
#include "core/op.h"

#ifndef real
typedef struct tril_attr {
    int64_t k;
    bool upper;
} tril_attr;

static int64_t clamp(int64_t i, int64_t low, int64_t high) { return i < low ? low : i > high ? high : i; }

/* Row i keeps columns *from .. *to - 1. */
static void kept(const tg_node *y, int64_t i, int64_t *from, int64_t *to) {
    const tril_attr *a = y->attr;
    int64_t n = y->size[y->ndim - 1], rows = y->size[y->ndim - 2];
    int64_t diagonal = i + clamp(a->k, -rows, n);
    *from = a->upper ? clamp(diagonal, 0, n) : 0;
    *to = a->upper ? n : clamp(diagonal + 1, 0, n);
}

static tg_status forward(tg_node *y) {
    int64_t n = y->size[y->ndim - 1], rows = y->size[y->ndim - 2], from, to;
    size_t size = tg_dtype_size((tg_dtype)y->dtype);
    const char *x = y->in[0]->data;
    memset(y->data, 0, (size_t)y->numel * size);
    for (int64_t r = 0; r * n < y->numel; r++) {
        kept(y, r % rows, &from, &to);
        size_t at = (size_t)(r * n + from) * size;
        memcpy((char *)y->data + at, x + at, (size_t)(to - from) * size);
    }
    return TG_OK;
}
#endif

#ifdef real

static tg_status FN(vjp)(tg_node *y) {
    int64_t n = y->size[y->ndim - 1], rows = y->size[y->ndim - 2], from, to;
    const real *dy = y->grad;
    tg_slot slot = tg_grad_dense(y, 0);
    real *dx = slot.data;
    if (!dx)
        return tg_tape_status(y->tape);
    tg_grad_clear(&slot);
    for (int64_t r = 0; r * n < y->numel; r++) {
        kept(y, r % rows, &from, &to);
        for (int64_t j = r * n + from; j < r * n + to; j++)
            dx[j] += dy[j];
    }
    tg_grad_close(&slot);
    return TG_OK;
}

#else
#define TG_SELF "ops/tril.c"
#include "core/twice.h"

static void grad(const tg_node *y, tg_tensor dy, tg_tensor *dx) {
    const tril_attr *a = y->attr;
    dx[0] = a->upper ? tg_triu(dy, a->k) : tg_tril(dy, a->k);
}

static tg_tensor probe_of(tg_tape *t, int variant, tg_tensor (*op)(tg_tensor x, int64_t k)) {
    switch (variant) {
    case 0: return op(tg_probe_leaf(t, TG_SHAPE(3, 3)), 0);
    case 1: return op(tg_probe_leaf(t, TG_SHAPE(2, 3, 4)), 1);
    case 2: return op(tg_transpose(tg_probe_leaf(t, TG_SHAPE(3, 4)), 0, 1), -2);
    case 3: return op(tg_probe_leaf(t, TG_SHAPE(1, 3)), -INT64_MAX);
    case 4: return op(tg_probe_leaf(t, TG_SHAPE(2, 1)), INT64_MAX);
    case 5: return op(tg_probe_leaf(t, TG_SHAPE(2, 0, 3)), 0);
    default: return TG_NULL;
    }
}
static tg_tensor tril_probe(tg_tape *t, int variant) { return probe_of(t, variant, tg_tril); }
static tg_tensor triu_probe(tg_tape *t, int variant) { return probe_of(t, variant, tg_triu); }

const tg_op tg_op_tril = {
    .name = "tril", .forward = TG_ANY(forward), .vjp = TG_BOTH(vjp), .grad = grad, .probe = tril_probe};
const tg_op tg_op_triu = {
    .name = "triu", .forward = TG_ANY(forward), .vjp = TG_BOTH(vjp), .grad = grad, .probe = triu_probe};

static tg_tensor record(const tg_op *op, tg_tensor x, tril_attr attr) {
    tg_node *in;
    tg_tape *t = tg_open_contiguous(op->name, "*", 1, &x, &in);
    if (!t)
        return TG_NULL;
    if (in->ndim < 2)
        return tg_fail_null(t, TG_ERR_SHAPE, "%s: %s must have at least two dims", op->name, tg_node_text(in).s);
    tg_shape shape = tg_shape_from(in);
    tg_node *y = tg_node_new(t, op, 1, &in, &shape, (tg_dtype)in->dtype, sizeof attr);
    if (!y)
        return TG_NULL;
    *(tril_attr *)y->attr = attr;
    return tg_record(y);
}

/* PyTorch: x.tril(k) */
tg_tensor tg_tril(tg_tensor x, int64_t k) { return record(&tg_op_tril, x, (tril_attr){k, false}); }
/* PyTorch: x.triu(k) */
tg_tensor tg_triu(tg_tensor x, int64_t k) { return record(&tg_op_triu, x, (tril_attr){k, true}); }

#endif
