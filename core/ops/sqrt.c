/* sqrt: y = x^(1/2), elementwise; NaN below 0.    dx = dy / (2 y), infinite at 0 */
#include "core/op.h"

#ifdef real

static void FN(forward)(ptrdiff_t n, real *y, const real *const *x, const void *attr) {
    (void)attr;
    for (ptrdiff_t j = 0; j < n; j++)
        y[j] = M(sqrt)(x[0][j]);
}

static void FN(vjp)(ptrdiff_t n, int i, real *dx, const real *dy, const real *y, const real *const *x,
                    const void *attr) {
    (void)i, (void)x, (void)attr;
    for (ptrdiff_t j = 0; j < n; j++)
        dx[j] = dy[j] / (2 * y[j]);
}

#else
#define TG_SELF "ops/sqrt.c"
#include "core/twice.h"
TG_WIDE_ROWS(forward, vjp);

static void grad(const tg_node *y, tg_tensor dy, tg_tensor *dx) {
    dx[0] = tg_div(tg_mul_scalar(dy, 0.5), tg_handle(y));
}

static tg_tensor probe(tg_tape *t, int variant) { return tg_probe_unary(t, variant, tg_probe_positive, tg_sqrt); }

const tg_op tg_op_sqrt = {.name = "sqrt",
                          TG_ELEMENTWISE,
                          .row = TG_ROWS(forward),
                          .row_vjp = TG_ROWS(vjp),
                          .wide = TG_WIDE(forward, vjp),
                          .needs = {TG_OUT},
                          .grad = grad,
                          .probe = probe};

/* PyTorch: x.sqrt() */
tg_tensor tg_sqrt(tg_tensor x) { return tg_elementwise(&tg_op_sqrt, "f", 1, &x, NULL, 0); }

#endif
