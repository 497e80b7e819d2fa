/* add_scalar: y = x + c    sub_scalar: y = x - c    rsub_scalar: y = c - x, elementwise, c a constant.
 *
 * All are y = s x + c with s = 1 or -1, rounded once. dx = s dy */
#include "core/op.h"

#ifndef real
typedef struct add_scalar_attr {
    double s, c;
} add_scalar_attr;
#endif

#ifdef real

static void FN(forward)(ptrdiff_t n, real *y, const real *const *x, const void *attr) {
    const add_scalar_attr *a = attr;
    real s = (real)a->s, c = (real)a->c;
    for (ptrdiff_t j = 0; j < n; j++)
        y[j] = s * x[0][j] + c;
}

static void FN(vjp)(ptrdiff_t n, int i, real *dx, const real *dy, const real *y, const real *const *x,
                    const void *attr) {
    (void)i, (void)y, (void)x;
    real s = (real)((const add_scalar_attr *)attr)->s;
    for (ptrdiff_t j = 0; j < n; j++)
        dx[j] = s * dy[j];
}

#else
#define TG_SELF "ops/add_scalar.c"
#include "core/twice.h"
TG_WIDE_ROWS(forward, vjp);

static void forward_i64(ptrdiff_t n, uint64_t *y, const uint64_t *const *x, const void *attr) {
    const add_scalar_attr *a = attr;
    uint64_t c = tg_scalar_bits(a->c);
    for (ptrdiff_t j = 0; j < n; j++)
        y[j] = a->s < 0 ? c - x[0][j] : c + x[0][j];
}

static void grad(const tg_node *y, tg_tensor dy, tg_tensor *dx) {
    dx[0] = ((const add_scalar_attr *)y->attr)->s < 0 ? tg_neg(dy) : dy;
}

static tg_tensor probe_add(tg_tape *t, int variant) {
    switch (variant) {
    case 0: return tg_add_scalar(tg_probe_leaf(t, TG_SHAPE(2, 3)), 1.5);
    case 1: return tg_add_scalar(tg_transpose(tg_probe_leaf(t, TG_SHAPE(3, 4)), 0, 1), -2);
    case 2: return tg_add_scalar(tg_expand(tg_probe_leaf(t, TG_SHAPE(3, 1)), TG_SHAPE(2, 3, 2)), 3);
    case 3: return tg_add_scalar(tg_probe_leaf(t, TG_SHAPE(0, 3)), 1);
    case 4: return tg_embedding(tg_probe_leaf(t, TG_SHAPE(5, 2)), tg_add_scalar(tg_arange(t, 3), 1));
    default: return TG_NULL;
    }
}

static tg_tensor probe_sub(tg_tape *t, int variant) {
    switch (variant) {
    case 0: return tg_sub_scalar(tg_probe_leaf(t, TG_SHAPE(2, 3)), 1.5);
    case 1: return tg_sub_scalar(tg_slice(tg_probe_leaf(t, TG_SHAPE(2, 5)), 1, 1, 5, 2), -2);
    case 2: return tg_embedding(tg_probe_leaf(t, TG_SHAPE(5, 2)), tg_sub_scalar(tg_arange(t, 3), -2));
    default: return TG_NULL;
    }
}

static tg_tensor probe_rsub(tg_tape *t, int variant) {
    switch (variant) {
    case 0: return tg_rsub_scalar(1.5, tg_probe_leaf(t, TG_SHAPE(2, 3)));
    case 1: return tg_rsub_scalar(-2, tg_transpose(tg_probe_leaf(t, TG_SHAPE(3, 4)), 0, 1));
    case 2: return tg_rsub_scalar(3, tg_probe_leaf(t, TG_SCALAR));
    case 3: return tg_rsub_scalar(1, tg_probe_leaf(t, TG_SHAPE(0, 3)));
    case 4: return tg_embedding(tg_probe_leaf(t, TG_SHAPE(5, 2)), tg_rsub_scalar(2, tg_arange(t, 3)));
    default: return TG_NULL;
    }
}

const tg_op tg_op_add_scalar = {.name = "add_scalar",
                                TG_ELEMENTWISE,
                                .row = TG_ROWS_AND_I64(forward),
                                .row_vjp = TG_ROWS(vjp),
                                .wide = TG_WIDE(forward, vjp),
                                .grad = grad,
                                .probe = probe_add,
                                .passes_grad = true};
const tg_op tg_op_sub_scalar = {.name = "sub_scalar",
                                TG_ELEMENTWISE,
                                .row = TG_ROWS_AND_I64(forward),
                                .row_vjp = TG_ROWS(vjp),
                                .wide = TG_WIDE(forward, vjp),
                                .grad = grad,
                                .probe = probe_sub,
                                .passes_grad = true};
const tg_op tg_op_rsub_scalar = {.name = "rsub_scalar",
                                 TG_ELEMENTWISE,
                                 .row = TG_ROWS_AND_I64(forward),
                                 .row_vjp = TG_ROWS(vjp),
                                 .wide = TG_WIDE(forward, vjp),
                                 .grad = grad,
                                 .probe = probe_rsub};

/* y = s x + sign c */
static tg_tensor record(const tg_op *op, tg_tensor x, double s, double sign, double c) {
    return tg_scalar_fits(op->name, x, c)
               ? tg_elementwise(op, "n", 1, &x, &(add_scalar_attr){s, sign * c}, sizeof(add_scalar_attr))
               : TG_NULL;
}

/* PyTorch: x + c */
tg_tensor tg_add_scalar(tg_tensor x, double c) { return record(&tg_op_add_scalar, x, 1, 1, c); }
/* PyTorch: x - c */
tg_tensor tg_sub_scalar(tg_tensor x, double c) { return record(&tg_op_sub_scalar, x, 1, -1, c); }
/* PyTorch: c - x */
tg_tensor tg_rsub_scalar(double c, tg_tensor x) { return record(&tg_op_rsub_scalar, x, -1, 1, c); }

#endif
