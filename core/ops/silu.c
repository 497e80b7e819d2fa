/* silu: y = x s with s = 1 / (1 + e^-x), elementwise.    dx = dy s (1 + x (1 - s)) */
#include "core/kernels/vmath.h"

#ifdef real

static void FN(forward)(ptrdiff_t n, real *y, const real *const *x, const void *attr) {
    (void)attr;
    FN(tg_vsigmoid)(n, y, x[0]);
    for (ptrdiff_t j = 0; j < n; j++)
        y[j] *= x[0][j];
}

static void FN(vjp)(ptrdiff_t n, int i, real *dx, const real *dy, const real *y, const real *const *x,
                    const void *attr) {
    (void)i, (void)y, (void)attr;
    FN(tg_vsigmoid)(n, dx, x[0]);
    for (ptrdiff_t j = 0; j < n; j++)
        dx[j] = dy[j] * dx[j] * (1 + x[0][j] * (1 - dx[j]));
}

#else
#define TG_SELF "ops/silu.c"
#include "core/twice.h"
TG_WIDE_ROWS(forward, vjp);

static void grad(const tg_node *y, tg_tensor dy, tg_tensor *dx) {
    tg_tensor s = tg_sigmoid(tg_in(y, 0));
    dx[0] = tg_mul(dy, tg_mul(s, tg_add_scalar(tg_mul(tg_in(y, 0), tg_rsub_scalar(1, s)), 1)));
}

static tg_tensor probe(tg_tape *t, int variant) { return tg_probe_unary(t, variant, tg_probe_leaf, tg_silu); }

const tg_op tg_op_silu = {.name = "silu",
                          TG_ELEMENTWISE,
                          .row = TG_ROWS(forward),
                          .row_vjp = TG_ROWS(vjp),
                          .wide = TG_WIDE(forward, vjp),
                          .needs = {TG_IN(0)},
                          .grad = grad,
                          .probe = probe};

/* PyTorch: F.silu(x) */
tg_tensor tg_silu(tg_tensor x) { return tg_elementwise(&tg_op_silu, "f", 1, &x, NULL, 0); }

#endif
