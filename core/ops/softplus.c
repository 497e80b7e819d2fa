/* softplus: y = ln(1 + e^x) = max(x, 0) + ln(1 + e^-|x|), elementwise.    dx = dy / (1 + e^-x) */
#include "core/kernels/vmath.h"

#ifdef real

static void FN(forward)(ptrdiff_t n, real *y, const real *const *x, const void *attr) {
    (void)attr;
    for (ptrdiff_t j = 0; j < n; j++)
        y[j] = -M(fabs)(x[0][j]);
    FN(tg_vexp)(n, y, y, 0);
    FN(tg_vlog1p)(n, y, y);
    for (ptrdiff_t j = 0; j < n; j++)
        y[j] += x[0][j] > 0 ? x[0][j] : 0;
}

static void FN(vjp)(ptrdiff_t n, int i, real *dx, const real *dy, const real *y, const real *const *x,
                    const void *attr) {
    (void)i, (void)y, (void)attr;
    FN(tg_vsigmoid)(n, dx, x[0]);
    for (ptrdiff_t j = 0; j < n; j++)
        dx[j] *= dy[j];
}

#else
#define TG_SELF "ops/softplus.c"
#include "core/twice.h"
TG_WIDE_ROWS(forward, vjp);

static void grad(const tg_node *y, tg_tensor dy, tg_tensor *dx) { dx[0] = tg_mul(dy, tg_sigmoid(tg_in(y, 0))); }

static tg_tensor probe(tg_tape *t, int variant) { return tg_probe_unary(t, variant, tg_probe_leaf, tg_softplus); }

const tg_op tg_op_softplus = {.name = "softplus",
                              TG_ELEMENTWISE,
                              .row = TG_ROWS(forward),
                              .row_vjp = TG_ROWS(vjp),
                              .wide = TG_WIDE(forward, vjp),
                              .needs = {TG_IN(0)},
                              .grad = grad,
                              .probe = probe};

/* PyTorch: F.softplus(x) */
tg_tensor tg_softplus(tg_tensor x) { return tg_elementwise(&tg_op_softplus, "f", 1, &x, NULL, 0); }

#endif
