/* argmax, argmin: the index of the first largest, smallest element along a dim; a NaN counts as larger, as smaller
 * than any number. argmin is argmax with both sides negated in the comparison (sign = -1). */
#include "core/op.h"

#ifndef real
typedef struct argmax_attr {
    int dim, sign;
} argmax_attr;
#endif

#ifdef real

static int64_t FN(first_largest)(int64_t n, const real *x, int64_t stride, real sign) {
    int64_t best = 0;
    for (int64_t j = 1; j < n && !isnan(x[best * stride]); j++)
        if (sign * x[j * stride] > sign * x[best * stride] || isnan(x[j * stride]))
            best = j;
    return best;
}

static tg_status FN(forward)(tg_node *y) {
    const tg_node *x = y->in[0];
    const argmax_attr *a = y->attr;
    int d = a->dim;
    int64_t n = x->ndim ? x->size[d] : 1, stride = x->ndim ? x->stride[d] : 1, size[TG_MAX_DIMS];
    tg_walk w;
    for (int i = 0; i < x->ndim; i++)
        size[i] = i == d ? 1 : x->size[i];
    tg_walk_begin(&w, x->ndim, size, x->stride);
    for (int64_t i = 0; i < y->numel; i++, tg_walk_next(&w, 1))
        ((int64_t *)y->data)[i] = FN(first_largest)(n, (const real *)x->data + w.offset, stride, (real)a->sign);
    return TG_OK;
}

#else
#define TG_SELF "ops/argmax.c"
#include "core/twice.h"

static tg_tensor probe(tg_tape *t, int variant, tg_tensor (*op)(tg_tensor x, int dim, bool keepdim)) {
    switch (variant) {
    case 0: return op(tg_probe_leaf(t, TG_SHAPE(2, 5)), -1, false);
    case 1: return op(tg_transpose(tg_probe_leaf(t, TG_SHAPE(2, 3, 4)), 0, 2), 1, true);
    case 2: return op(tg_probe_leaf(t, TG_SCALAR), 0, false);
    case 3: return op(tg_probe_leaf(t, TG_SHAPE(0, 3)), 1, false);
    default: return TG_NULL;
    }
}

static tg_tensor argmax_probe(tg_tape *t, int variant) { return probe(t, variant, tg_argmax); }
static tg_tensor argmin_probe(tg_tape *t, int variant) { return probe(t, variant, tg_argmin); }

const tg_op tg_op_argmax = {.name = "argmax", .forward = TG_BOTH(forward), .no_gradient = true, .probe = argmax_probe};
const tg_op tg_op_argmin = {.name = "argmin", .forward = TG_BOTH(forward), .no_gradient = true, .probe = argmin_probe};

static tg_tensor record(const tg_op *op, tg_tensor x, int dim, bool keepdim, int sign) {
    tg_node *in;
    tg_tape *t = tg_open(op->name, "f", 1, &x, &in);
    int d = t ? tg_dim(t, op->name, dim, in) : -1;
    if (d < 0)
        return TG_NULL;
    if (in->ndim && in->size[d] == 0)
        return tg_fail_null(t, TG_ERR_SHAPE, "%s: %s has nothing along dim %d to choose from", op->name,
                            tg_node_text(in).s, d);
    tg_shape shape = {0};
    for (int i = 0; i < in->ndim; i++)
        if (i != d)
            shape.size[shape.ndim++] = in->size[i];
        else if (keepdim)
            shape.size[shape.ndim++] = 1;
    tg_node *y = tg_node_new(t, op, 1, &in, &shape, TG_I64, sizeof(argmax_attr));
    if (!y)
        return TG_NULL;
    *(argmax_attr *)y->attr = (argmax_attr){d, sign};
    return tg_record(y);
}

/* PyTorch: x.argmax(dim, keepdim) */
tg_tensor tg_argmax(tg_tensor x, int dim, bool keepdim) { return record(&tg_op_argmax, x, dim, keepdim, 1); }
/* PyTorch: x.argmin(dim, keepdim) */
tg_tensor tg_argmin(tg_tensor x, int dim, bool keepdim) { return record(&tg_op_argmin, x, dim, keepdim, -1); }

#endif
