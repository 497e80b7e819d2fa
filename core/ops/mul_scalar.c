/* mul_scalar: y = c x, elementwise, c a constant.    dx = c dy */
#include "core/op.h"

#ifdef real

static void FN(forward)(ptrdiff_t n, real *y, const real *const *x, const void *attr) {
    real c = (real) * (const double *)attr;
    for (ptrdiff_t j = 0; j < n; j++)
        y[j] = c * x[0][j];
}

static void FN(vjp)(ptrdiff_t n, int i, real *dx, const real *dy, const real *y, const real *const *x,
                    const void *attr) {
    (void)i, (void)y, (void)x;
    real c = (real) * (const double *)attr;
    for (ptrdiff_t j = 0; j < n; j++)
        dx[j] = c * dy[j];
}

#else
#define TG_SELF "ops/mul_scalar.c"
#include "core/twice.h"
TG_WIDE_ROWS(forward, vjp);

static void forward_i64(ptrdiff_t n, uint64_t *y, const uint64_t *const *x, const void *attr) {
    uint64_t c = tg_scalar_bits(*(const double *)attr);
    for (ptrdiff_t j = 0; j < n; j++)
        y[j] = c * x[0][j];
}

static void grad(const tg_node *y, tg_tensor dy, tg_tensor *dx) { dx[0] = tg_mul_scalar(dy, *(const double *)y->attr); }

static tg_tensor probe(tg_tape *t, int variant) {
    switch (variant) {
    case 0: return tg_mul_scalar(tg_probe_leaf(t, TG_SHAPE(2, 3)), -2.5);
    case 1: return tg_mul_scalar(tg_transpose(tg_probe_leaf(t, TG_SHAPE(3, 4)), 0, 1), 0.3);
    case 2: return tg_mul_scalar(tg_expand(tg_probe_leaf(t, TG_SHAPE(3, 1)), TG_SHAPE(2, 3, 2)), 3);
    case 3: return tg_mul_scalar(tg_probe_leaf(t, TG_SCALAR), 0);
    case 4: return tg_mul_scalar(tg_probe_leaf(t, TG_SHAPE(2, 0)), 2);
    case 5: return tg_embedding(tg_probe_leaf(t, TG_SHAPE(5, 2)), tg_mul_scalar(tg_arange(t, 3), 2));
    default: return TG_NULL;
    }
}

const tg_op tg_op_mul_scalar = {.name = "mul_scalar",
                                TG_ELEMENTWISE,
                                .row = TG_ROWS_AND_I64(forward),
                                .row_vjp = TG_ROWS(vjp),
                                .wide = TG_WIDE(forward, vjp),
                                .grad = grad,
                                .probe = probe};

/* PyTorch: x * c */
tg_tensor tg_mul_scalar(tg_tensor x, double c) {
    return tg_scalar_fits("mul_scalar", x, c) ? tg_elementwise(&tg_op_mul_scalar, "n", 1, &x, &c, sizeof c) : TG_NULL;
}

#endif
