/* rsqrt: y = 1 / sqrt(x), elementwise.    dx = -dy y^3 / 2 */
#include "core/op.h"

#ifdef real

static void FN(forward)(ptrdiff_t n, real *y, const real *const *x, const void *attr) {
    (void)attr;
    for (ptrdiff_t j = 0; j < n; j++)
        y[j] = 1 / M(sqrt)(x[0][j]);
}

static void FN(vjp)(ptrdiff_t n, int i, real *dx, const real *dy, const real *y, const real *const *x,
                    const void *attr) {
    (void)i, (void)x, (void)attr;
    for (ptrdiff_t j = 0; j < n; j++)
        dx[j] = -dy[j] * y[j] * y[j] * y[j] / 2;
}

#else
#define TG_SELF "ops/rsqrt.c"
#include "core/twice.h"
TG_WIDE_ROWS(forward, vjp);

static void grad(const tg_node *y, tg_tensor dy, tg_tensor *dx) {
    dx[0] = tg_mul_scalar(tg_mul(dy, tg_mul(tg_handle(y), tg_square(tg_handle(y)))), -0.5);
}

static tg_tensor probe(tg_tape *t, int variant) { return tg_probe_unary(t, variant, tg_probe_positive, tg_rsqrt); }

const tg_op tg_op_rsqrt = {.name = "rsqrt",
                           TG_ELEMENTWISE,
                           .row = TG_ROWS(forward),
                           .row_vjp = TG_ROWS(vjp),
                           .wide = TG_WIDE(forward, vjp),
                           .needs = {TG_OUT},
                           .grad = grad,
                           .probe = probe};

/* PyTorch: x.rsqrt() */
tg_tensor tg_rsqrt(tg_tensor x) { return tg_elementwise(&tg_op_rsqrt, "f", 1, &x, NULL, 0); }

#endif
