/* gelu: y = x Phi(x), elementwise, with the normal distribution function Phi(x) = (1 + erf(x / sqrt 2)) / 2
 * (Hendrycks and Gimpel 2016).    dx = dy (Phi(x) + x phi(x)),    phi(x) = e^(-x^2 / 2) / sqrt(2 pi) */
#include "core/kernels/vmath.h"

#ifdef real

static void FN(forward)(ptrdiff_t n, real *y, const real *const *x, const void *attr) {
    (void)attr;
    FN(tg_vgelu)(n, y, x[0]);
}

static void FN(vjp)(ptrdiff_t n, int i, real *dx, const real *dy, const real *y, const real *const *x,
                    const void *attr) {
    (void)i, (void)y, (void)attr;
    FN(tg_vgelu_vjp)(n, dx, dy, x[0]);
}

#else
#define TG_SELF "ops/gelu.c"
#include "core/twice.h"
TG_WIDE_ROWS(forward, vjp);

static void grad(const tg_node *y, tg_tensor dy, tg_tensor *dx) { dx[0] = tg_mul(dy, tg_gelu_slope(tg_in(y, 0))); }

static tg_tensor probe(tg_tape *t, int variant) { return tg_probe_unary(t, variant, tg_probe_leaf, tg_gelu); }

const tg_op tg_op_gelu = {.name = "gelu",
                          .cancels = true,
                          TG_ELEMENTWISE,
                          .row = TG_ROWS(forward),
                          .row_vjp = TG_ROWS(vjp),
                          .wide = TG_WIDE(forward, vjp),
                          .needs = {TG_IN(0)},
                          .grad = grad,
                          .probe = probe};

/* PyTorch: F.gelu(x) */
tg_tensor tg_gelu(tg_tensor x) { return tg_elementwise(&tg_op_gelu, "f", 1, &x, NULL, 0); }

#endif
