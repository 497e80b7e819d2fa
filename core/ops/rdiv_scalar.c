/* rdiv_scalar: y = c / x, elementwise, c a constant.    dx = -dy y / x */
#include "core/op.h"

#ifdef real

static void FN(forward)(ptrdiff_t n, real *y, const real *const *x, const void *attr) {
    real c = (real) * (const double *)attr;
    for (ptrdiff_t j = 0; j < n; j++)
        y[j] = c / x[0][j];
}

static void FN(vjp)(ptrdiff_t n, int i, real *dx, const real *dy, const real *y, const real *const *x,
                    const void *attr) {
    (void)i, (void)attr;
    for (ptrdiff_t j = 0; j < n; j++)
        dx[j] = -dy[j] * (y[j] / x[0][j]);
}

#else
#define TG_SELF "ops/rdiv_scalar.c"
#include "core/twice.h"
TG_WIDE_ROWS(forward, vjp);

static void grad(const tg_node *y, tg_tensor dy, tg_tensor *dx) {
    dx[0] = tg_neg(tg_div(tg_mul(dy, tg_handle(y)), tg_in(y, 0)));
}

static tg_tensor probe(tg_tape *t, int variant) {
    switch (variant) {
    case 0: return tg_rdiv_scalar(-2.5, tg_probe_away(t, TG_SHAPE(2, 3)));
    case 1: return tg_rdiv_scalar(0.3, tg_transpose(tg_probe_away(t, TG_SHAPE(3, 4)), 0, 1));
    case 2: return tg_rdiv_scalar(1, tg_slice(tg_probe_away(t, TG_SHAPE(2, 5)), 1, 1, 5, 2));
    case 3: return tg_rdiv_scalar(3, tg_expand(tg_probe_away(t, TG_SHAPE(3, 1)), TG_SHAPE(2, 3, 2)));
    case 4: return tg_rdiv_scalar(7, tg_probe_away(t, TG_SCALAR));
    case 5: return tg_rdiv_scalar(2, tg_probe_away(t, TG_SHAPE(0, 3)));
    default: return TG_NULL;
    }
}

const tg_op tg_op_rdiv_scalar = {.name = "rdiv_scalar",
                                 TG_ELEMENTWISE,
                                 .row = TG_ROWS(forward),
                                 .row_vjp = TG_ROWS(vjp),
                                 .wide = TG_WIDE(forward, vjp),
                                 .needs = {TG_IN(0) | TG_OUT},
                                 .grad = grad,
                                 .probe = probe};

/* PyTorch: c / x */
tg_tensor tg_rdiv_scalar(double c, tg_tensor x) { return tg_elementwise(&tg_op_rdiv_scalar, "f", 1, &x, &c, sizeof c); }

#endif
