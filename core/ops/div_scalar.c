/* div_scalar: y = x / c, elementwise, c a constant.    dx = dy / c
 *
 * A division, not a product with 1/c, so that it rounds as PyTorch does. */
#include "core/op.h"

#ifdef real

static void FN(forward)(ptrdiff_t n, real *y, const real *const *x, const void *attr) {
    real c = (real) * (const double *)attr;
    for (ptrdiff_t j = 0; j < n; j++)
        y[j] = x[0][j] / c;
}

static void FN(vjp)(ptrdiff_t n, int i, real *dx, const real *dy, const real *y, const real *const *x,
                    const void *attr) {
    (void)i, (void)y, (void)x;
    real c = (real) * (const double *)attr;
    for (ptrdiff_t j = 0; j < n; j++)
        dx[j] = dy[j] / c;
}

#else
#define TG_SELF "ops/div_scalar.c"
#include "core/twice.h"
TG_WIDE_ROWS(forward, vjp);

static void grad(const tg_node *y, tg_tensor dy, tg_tensor *dx) { dx[0] = tg_div_scalar(dy, *(const double *)y->attr); }

static tg_tensor probe(tg_tape *t, int variant) {
    switch (variant) {
    case 0: return tg_div_scalar(tg_probe_leaf(t, TG_SHAPE(2, 3)), -2.5);
    case 1: return tg_div_scalar(tg_transpose(tg_probe_leaf(t, TG_SHAPE(3, 4)), 0, 1), 0.3);
    case 2: return tg_div_scalar(tg_slice(tg_probe_leaf(t, TG_SHAPE(2, 5)), 1, 0, 5, 2), 3);
    case 3: return tg_div_scalar(tg_probe_leaf(t, TG_SCALAR), 7);
    case 4: return tg_div_scalar(tg_probe_leaf(t, TG_SHAPE(2, 0)), 2);
    default: return TG_NULL;
    }
}

const tg_op tg_op_div_scalar = {.name = "div_scalar",
                                TG_ELEMENTWISE,
                                .row = TG_ROWS(forward),
                                .row_vjp = TG_ROWS(vjp),
                                .wide = TG_WIDE(forward, vjp),
                                .grad = grad,
                                .probe = probe};

/* PyTorch: x / c */
tg_tensor tg_div_scalar(tg_tensor x, double c) { return tg_elementwise(&tg_op_div_scalar, "f", 1, &x, &c, sizeof c); }

#endif
