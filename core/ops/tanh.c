/* tanh: y = (e^x - e^-x) / (e^x + e^-x), elementwise.    dx = dy (1 - y^2) */
#include "core/kernels/vmath.h"

#ifdef real

static void FN(forward)(ptrdiff_t n, real *y, const real *const *x, const void *attr) {
    (void)attr;
    FN(tg_vtanh)(n, y, x[0]);
}

static void FN(vjp)(ptrdiff_t n, int i, real *dx, const real *dy, const real *y, const real *const *x,
                    const void *attr) {
    (void)i, (void)x, (void)attr;
    for (ptrdiff_t j = 0; j < n; j++)
        dx[j] = dy[j] * (1 - y[j] * y[j]);
}

#else
#define TG_SELF "ops/tanh.c"
#include "core/twice.h"
TG_WIDE_ROWS(forward, vjp);

static void grad(const tg_node *y, tg_tensor dy, tg_tensor *dx) {
    dx[0] = tg_mul(dy, tg_rsub_scalar(1, tg_square(tg_handle(y))));
}

static tg_tensor probe(tg_tape *t, int variant) { return tg_probe_unary(t, variant, tg_probe_leaf, tg_tanh); }

const tg_op tg_op_tanh = {.name = "tanh",
                          TG_ELEMENTWISE,
                          .row = TG_ROWS(forward),
                          .row_vjp = TG_ROWS(vjp),
                          .wide = TG_WIDE(forward, vjp),
                          .needs = {TG_OUT},
                          .grad = grad,
                          .probe = probe};

/* PyTorch: x.tanh() */
tg_tensor tg_tanh(tg_tensor x) { return tg_elementwise(&tg_op_tanh, "f", 1, &x, NULL, 0); }

#endif
