/* softmax: y[j] = e^(x[j] - m) / sum_k e^(x[k] - m), m the row's maximum.    dx[j] = y[j] (dy[j] - sum_k dy[k] y[k])
 *
 * A row that is all -inf gives zeros, and so a zero gradient. The kernels work on rows of the last dim; any other
 * dim changes places with the last one first, and back afterwards. */
#include "core/kernels/rows.h"

#ifdef real

static tg_status FN(forward)(tg_node *y) {
    const tg_node *in = y->in[0];
    int64_t n = in->ndim ? in->size[in->ndim - 1] : 1;
    const real *x = in->data;
    real *out = y->data;
    for (int64_t at = 0; at < y->numel; at += n) {
        real m = FN(tg_row_max)(n, x + at);
        FN(tg_row_exp)(n, out + at, x + at, m == -INFINITY ? 0 : m);
        real sum = FN(tg_row_sum)(n, out + at);
        for (int64_t j = 0; j < n && sum != 0; j++)
            out[at + j] /= sum;
    }
    return TG_OK;
}

static tg_status FN(vjp)(tg_node *y) {
    int64_t n = y->ndim ? y->size[y->ndim - 1] : 1;
    const real *out = y->data, *dy = y->grad;
    real *dx = tg_grad_add(y, 0);
    if (!dx)
        return y->tape->status;
    for (int64_t at = 0; at < y->numel; at += n) {
        real dot = FN(tg_row_dot)(n, dy + at, out + at);
        for (int64_t j = at; j < at + n; j++)
            dx[j] += out[j] * (dy[j] - dot);
    }
    tg_grad_close(y, 0, dx);
    return TG_OK;
}

#else
#define TG_SELF "ops/softmax.c"
#include "core/twice.h"

static tg_tensor probe(tg_tape *t, int variant) {
    switch (variant) {
    case 0: return tg_softmax(tg_probe_leaf(t, TG_SHAPE(2, 5)), -1);
    case 1: return tg_softmax(tg_probe_leaf(t, TG_SHAPE(2, 3, 4)), 1);
    case 2: return tg_softmax(tg_transpose(tg_probe_leaf(t, TG_SHAPE(3, 4)), 0, 1), 1);
    case 3: return tg_softmax(tg_probe_leaf(t, TG_SHAPE(3, 0)), 1);
    case 4: return tg_softmax(tg_probe_leaf(t, TG_SHAPE(3, 1)), -1);
    case 5: return tg_softmax(tg_probe_leaf(t, TG_SCALAR), 0);
    case 6: return tg_softmax(tg_expand(tg_probe_leaf(t, TG_SHAPE(3)), TG_SHAPE(2, 3)), 0);
    default: return TG_NULL;
    }
}

const tg_op tg_op_softmax = {
    .name = "softmax", .forward = TG_BOTH(forward), .vjp = TG_BOTH(vjp), .needs = {TG_OUT}, .probe = probe};

static tg_tensor over_last(tg_tensor x) {
    tg_node *in;
    x = tg_contiguous(x);
    tg_tape *t = tg_open("softmax", "f", 1, &x, &in);
    if (!t)
        return TG_NULL;
    tg_shape shape = tg_shape_from(in);
    tg_node *y = tg_node_new(t, &tg_op_softmax, 1, &in, &shape, t->dtype, 0);
    return y ? tg_record(y) : TG_NULL;
}

tg_tensor tg_softmax(tg_tensor x, int dim) {
    tg_node *in;
    tg_tape *t = tg_open("softmax", "f", 1, &x, &in);
    int d = t ? tg_dim(t, "softmax", dim, in) : -1;
    if (d < 0)
        return TG_NULL;
    if (d + 1 >= in->ndim)
        return over_last(x);
    return tg_transpose(over_last(tg_transpose(x, d, -1)), d, -1);
}

#endif
