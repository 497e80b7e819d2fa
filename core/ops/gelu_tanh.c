/* gelu_tanh: y = x (1 + tanh u) / 2 with u = sqrt(2 / pi) (x + 0.044715 x^3), elementwise (Hendrycks and Gimpel 2016).
 * dx = dy (1 + tanh u + x (1 - tanh^2 u) u') / 2,    u' = sqrt(2 / pi) (1 + 3 * 0.044715 x^2) */
#include "core/kernels/vmath.h"

#ifndef real
#define ROOT_2_OVER_PI 0.79788456080286535588
#define CUBIC 0.044715
#define SATURATED 32 /* beyond this |x|, tanh u is 1 and x^2 may overflow */
#endif

#ifdef real

/* y = tanh u */
static void FN(tanh_of)(ptrdiff_t n, real *y, const real *x) {
    for (ptrdiff_t j = 0; j < n; j++)
        y[j] = (real)ROOT_2_OVER_PI * (x[j] + (real)CUBIC * x[j] * x[j] * x[j]);
    FN(tg_vtanh)(n, y, y);
}

static void FN(forward)(ptrdiff_t n, real *y, const real *const *x, const void *attr) {
    (void)attr;
    FN(tanh_of)(n, y, x[0]);
    for (ptrdiff_t j = 0; j < n; j++)
        y[j] = x[0][j] / 2 * (1 + y[j]);
}

static void FN(vjp)(ptrdiff_t n, int i, real *dx, const real *dy, const real *y, const real *const *x,
                    const void *attr) {
    (void)i, (void)y, (void)attr;
    FN(tanh_of)(n, dx, x[0]);
    for (ptrdiff_t j = 0; j < n; j++) {
        real x0 = x[0][j], v = x0 > SATURATED ? SATURATED : x0 < -SATURATED ? -SATURATED : x0;
        real t = dx[j], slope = (real)ROOT_2_OVER_PI * (1 + 3 * (real)CUBIC * v * v);
        dx[j] = dy[j] * (1 + t + v * (1 - t * t) * slope) / 2;
    }
}

#else
#define TG_SELF "ops/gelu_tanh.c"
#include "core/twice.h"
TG_WIDE_ROWS(forward, vjp);

static void grad(const tg_node *y, tg_tensor dy, tg_tensor *dx) {
    tg_tensor x = tg_clamp(tg_in(y, 0), -SATURATED, SATURATED), square = tg_square(x);
    tg_tensor u = tg_mul_scalar(tg_mul(x, tg_add_scalar(tg_mul_scalar(square, CUBIC), 1)), ROOT_2_OVER_PI);
    tg_tensor slope = tg_mul_scalar(tg_add_scalar(tg_mul_scalar(square, 3 * CUBIC), 1), ROOT_2_OVER_PI);
    tg_tensor t = tg_tanh(u), dt = tg_mul(tg_rsub_scalar(1, tg_square(t)), slope);
    dx[0] = tg_mul_scalar(tg_mul(dy, tg_add(tg_add_scalar(t, 1), tg_mul(x, dt))), 0.5);
}

static tg_tensor probe(tg_tape *t, int variant) { return tg_probe_unary(t, variant, tg_probe_leaf, tg_gelu_tanh); }

const tg_op tg_op_gelu_tanh = {.name = "gelu_tanh",
                               .cancels = true,
                               TG_ELEMENTWISE,
                               .row = TG_ROWS(forward),
                               .row_vjp = TG_ROWS(vjp),
                               .wide = TG_WIDE(forward, vjp),
                               .needs = {TG_IN(0)},
                               .grad = grad,
                               .probe = probe};

/* PyTorch: F.gelu(x, approximate="tanh") */
tg_tensor tg_gelu_tanh(tg_tensor x) { return tg_elementwise(&tg_op_gelu_tanh, "f", 1, &x, NULL, 0); }

#endif
