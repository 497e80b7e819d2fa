/* gelu_slope: y = gelu'(x) = Phi(x) + x phi(x), elementwise, for gradients of gelu and bias_gelu that are
 * differentiated again. core/ops/gelu.c has Phi and phi. dx = dy phi(x) (2 - x^2) */
#include "core/kernels/vmath.h"

#ifndef real
#define ONE_OVER_ROOT_2_PI 0.39894228040143267794
#endif

#ifdef real

static void FN(forward)(ptrdiff_t n, real *y, const real *const *x, const void *attr) {
    (void)attr;
    for (ptrdiff_t j = 0; j < n; j++)
        y[j] = 1;
    FN(tg_vgelu_vjp)(n, y, y, x[0]);
}

static void FN(vjp)(ptrdiff_t n, int i, real *dx, const real *dy, const real *y, const real *const *x,
                    const void *attr) {
    (void)i, (void)y, (void)attr;
    for (ptrdiff_t j = 0; j < n; j++)
        dx[j] = -x[0][j] * x[0][j] / 2;
    FN(tg_vexp)(n, dx, dx, 0);
    for (ptrdiff_t j = 0; j < n; j++)
        dx[j] *= dy[j] * (real)ONE_OVER_ROOT_2_PI * (2 - x[0][j] * x[0][j]);
}

#else
#define TG_SELF "ops/internal/gelu_slope.c"
#include "core/twice.h"
TG_WIDE_ROWS(forward, vjp);

static void grad(const tg_node *y, tg_tensor dy, tg_tensor *dx) {
    tg_tensor square = tg_square(tg_in(y, 0));
    tg_tensor phi = tg_mul_scalar(tg_exp(tg_mul_scalar(square, -0.5)), ONE_OVER_ROOT_2_PI);
    dx[0] = tg_mul(dy, tg_mul(phi, tg_rsub_scalar(2, square)));
}

static const tg_op slope_op = {.name = "gelu_slope",
                               .cancels = true,
                               TG_ELEMENTWISE,
                               .row = TG_ROWS(forward),
                               .row_vjp = TG_ROWS(vjp),
                               .wide = TG_WIDE(forward, vjp),
                               .needs = {TG_IN(0)},
                               .grad = grad};

tg_tensor tg_gelu_slope(tg_tensor x) { return tg_elementwise(&slope_op, "f", 1, &x, NULL, 0); }

#endif
