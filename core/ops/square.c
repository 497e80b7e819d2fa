/* square: y = x^2, elementwise.    dx = 2 x dy */
#include "core/op.h"

#ifdef real

static void FN(forward)(ptrdiff_t n, real *y, const real *const *x, const void *attr) {
    (void)attr;
    for (ptrdiff_t j = 0; j < n; j++)
        y[j] = x[0][j] * x[0][j];
}

static void FN(vjp)(ptrdiff_t n, int i, real *dx, const real *dy, const real *y, const real *const *x,
                    const void *attr) {
    (void)i, (void)y, (void)attr;
    for (ptrdiff_t j = 0; j < n; j++)
        dx[j] = 2 * x[0][j] * dy[j];
}

#else
#define TG_SELF "ops/square.c"
#include "core/twice.h"
TG_WIDE_ROWS(forward, vjp);

static void grad(const tg_node *y, tg_tensor dy, tg_tensor *dx) { dx[0] = tg_mul(tg_mul_scalar(tg_in(y, 0), 2), dy); }

static tg_tensor probe(tg_tape *t, int variant) { return tg_probe_unary(t, variant, tg_probe_leaf, tg_square); }

const tg_op tg_op_square = {.name = "square",
                            TG_ELEMENTWISE,
                            .row = TG_ROWS(forward),
                            .row_vjp = TG_ROWS(vjp),
                            .wide = TG_WIDE(forward, vjp),
                            .needs = {TG_IN(0)},
                            .grad = grad,
                            .probe = probe};

/* PyTorch: x.square() */
tg_tensor tg_square(tg_tensor x) { return tg_elementwise(&tg_op_square, "f", 1, &x, NULL, 0); }

#endif
