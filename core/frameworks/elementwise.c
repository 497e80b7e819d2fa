/* Elementwise operations: broadcasting of operands, and the result's node. Computation: elementwise_forward.c,
 * elementwise_vjp.c. */
#include "core/frameworks/elementwise.h"

/* one per element, forward and for each gradient */
double tg_elementwise_flops(const tg_node *y, int i) {
    (void)i;
    return (double)y->numel;
}

static tg_node *broadcast_node(tg_tape *t, const tg_op *op, int n, tg_node *const *in, tg_dtype dtype,
                               size_t attr_size) {
    tg_shape shape = tg_shape_from(in[0]);
    for (int i = 1; i < n; i++) {
        tg_shape left = shape, right = tg_shape_from(in[i]);
        if (tg_broadcast(&left, &right, &shape))
            continue;
        tg_fail(t, TG_ERR_SHAPE, "%s: shapes %s and %s do not broadcast", op->name, tg_shape_text(&left).s,
                tg_node_text(in[i]).s);
        return NULL;
    }
    return tg_node_new(t, op, n, in, &shape, dtype, attr_size);
}

bool tg_scalar_fits(const char *name, tg_tensor x, double c) {
    tg_node *in;
    tg_tape *t = tg_open(name, "n", 1, &x, &in);
    bool fits = t && (in->dtype != TG_I64 || (c >= -0x1p63 && c < 0x1p63 && c == floor(c)));
    if (t && !fits)
        tg_fail(t, TG_ERR_ARGUMENT, "%s: x %s is int64, but %g is not; see tg_to_float", name, tg_node_text(in).s, c);
    return fits;
}

/* The common dtype of the operands of kind n; -1 after tg_fail. */
static int dtype_of_numbers(tg_tape *t, const tg_op *op, const char *kinds, int n, tg_node *const *in) {
    int first = 0;
    while (first < n && kinds[first] != 'n')
        first++;
    for (int i = first + 1; i < n; i++) {
        if (kinds[i] != 'n' || in[i]->dtype == in[first]->dtype)
            continue;
        tg_fail(t, TG_ERR_ARGUMENT, "%s: operand %d %s is %s, but must be %s, as operand %d is", op->name, i + 1,
                tg_node_text(in[i]).s, tg_dtype_name((tg_dtype)in[i]->dtype),
                in[first]->dtype == TG_I64 ? "int64" : "floating", first + 1);
        return -1;
    }
    return first < n ? in[first]->dtype : (int)tg_tape_dtype(t);
}

tg_tensor tg_elementwise(const tg_op *op, const char *kinds, int n, const tg_tensor *x, const void *attr,
                         size_t attr_size) {
    tg_node *in[TG_ROW_INPUTS];
    tg_tape *t = tg_open(op->name, kinds, n, x, in);
    if (!t)
        return TG_NULL;
    int numbers = dtype_of_numbers(t, op, kinds, n, in);
    if (numbers < 0)
        return TG_NULL;
    bool same = true;
    for (int i = 1; i < n; i++)
        same &= tg_same_shape(in[0], in[i]);
    tg_dtype dtype = op->makes_bool ? TG_BOOL : (tg_dtype)numbers;
    tg_node *y =
        same ? tg_node_like(t, op, n, in, in[0], dtype, attr_size) : broadcast_node(t, op, n, in, dtype, attr_size);
    if (!y)
        return TG_NULL;
    if (attr_size)
        memcpy(y->attr, attr, attr_size);
    for (int i = 0; i < n; i++)
        if (in[i]->contiguous && in[i]->dtype == tg_tape_dtype(t) && (same || tg_same_shape(in[i], y)))
            y->linear |= (uint8_t)(1u << i);
    return tg_record(y);
}
