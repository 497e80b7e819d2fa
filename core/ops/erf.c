/* erf: y = 2 / sqrt(pi) times the integral of e^(-s^2) from 0 to x, elementwise.    dx = dy 2 / sqrt(pi) e^(-x^2) */
#include "core/kernels/vmath.h"

#ifdef real

static void FN(forward)(ptrdiff_t n, real *y, const real *const *x, const void *attr) {
    (void)attr;
    FN(tg_verf)(n, y, x[0]);
}

static void FN(vjp)(ptrdiff_t n, int i, real *dx, const real *dy, const real *y, const real *const *x,
                    const void *attr) {
    (void)i, (void)y, (void)attr;
    for (ptrdiff_t j = 0; j < n; j++)
        dx[j] = -x[0][j] * x[0][j];
    FN(tg_vexp)(n, dx, dx, 0);
    for (ptrdiff_t j = 0; j < n; j++)
        dx[j] *= (real)1.12837916709551257390 * dy[j];
}

#else
#define TG_SELF "ops/erf.c"
#include "core/twice.h"
TG_WIDE_ROWS(forward, vjp);

static void grad(const tg_node *y, tg_tensor dy, tg_tensor *dx) {
    tg_tensor slope = tg_mul_scalar(tg_exp(tg_neg(tg_square(tg_in(y, 0)))), 1.12837916709551257390);
    dx[0] = tg_mul(dy, slope);
}

static tg_tensor probe(tg_tape *t, int variant) { return tg_probe_unary(t, variant, tg_probe_leaf, tg_erf); }

const tg_op tg_op_erf = {.name = "erf",
                         TG_ELEMENTWISE,
                         .row = TG_ROWS(forward),
                         .row_vjp = TG_ROWS(vjp),
                         .wide = TG_WIDE(forward, vjp),
                         .needs = {TG_IN(0)},
                         .grad = grad,
                         .probe = probe};

/* PyTorch: x.erf() */
tg_tensor tg_erf(tg_tensor x) { return tg_elementwise(&tg_op_erf, "f", 1, &x, NULL, 0); }

#endif
