/* log1p: y = ln(1 + x)    expm1: y = e^x - 1, elementwise, exact for small x.
 * log1p: dx = dy / (1 + x)    expm1: dx = dy (y + 1) */
#include "core/kernels/vmath.h"

#ifdef real

static void FN(log1p_forward)(ptrdiff_t n, real *y, const real *const *x, const void *attr) {
    (void)attr;
    FN(tg_vlog1p)(n, y, x[0]);
}

static void FN(log1p_vjp)(ptrdiff_t n, int i, real *dx, const real *dy, const real *y, const real *const *x,
                          const void *attr) {
    (void)i, (void)y, (void)attr;
    for (ptrdiff_t j = 0; j < n; j++)
        dx[j] = dy[j] / (1 + x[0][j]);
}

static void FN(expm1_forward)(ptrdiff_t n, real *y, const real *const *x, const void *attr) {
    (void)attr;
    FN(tg_vexpm1)(n, y, x[0]);
}

static void FN(expm1_vjp)(ptrdiff_t n, int i, real *dx, const real *dy, const real *y, const real *const *x,
                          const void *attr) {
    (void)i, (void)x, (void)attr;
    for (ptrdiff_t j = 0; j < n; j++)
        dx[j] = dy[j] * (y[j] + 1);
}

#else
#define TG_SELF "ops/log1p.c"
#include "core/twice.h"
TG_WIDE_ROWS(log1p_forward, log1p_vjp);
TG_WIDE_ROWS(expm1_forward, expm1_vjp);

static void log1p_grad(const tg_node *y, tg_tensor dy, tg_tensor *dx) {
    dx[0] = tg_div(dy, tg_add_scalar(tg_in(y, 0), 1));
}

static void expm1_grad(const tg_node *y, tg_tensor dy, tg_tensor *dx) {
    dx[0] = tg_mul(dy, tg_add_scalar(tg_handle(y), 1));
}

static tg_tensor log1p_probe(tg_tape *t, int variant) {
    return tg_probe_unary(t, variant, tg_probe_positive, tg_log1p);
}
static tg_tensor expm1_probe(tg_tape *t, int variant) { return tg_probe_unary(t, variant, tg_probe_leaf, tg_expm1); }

const tg_op tg_op_log1p = {.name = "log1p",
                           TG_ELEMENTWISE,
                           .row = TG_ROWS(log1p_forward),
                           .row_vjp = TG_ROWS(log1p_vjp),
                           .wide = TG_WIDE(log1p_forward, log1p_vjp),
                           .needs = {TG_IN(0)},
                           .grad = log1p_grad,
                           .probe = log1p_probe};
const tg_op tg_op_expm1 = {.name = "expm1",
                           TG_ELEMENTWISE,
                           .row = TG_ROWS(expm1_forward),
                           .row_vjp = TG_ROWS(expm1_vjp),
                           .wide = TG_WIDE(expm1_forward, expm1_vjp),
                           .needs = {TG_OUT},
                           .grad = expm1_grad,
                           .probe = expm1_probe};

/* PyTorch: x.log1p() */
tg_tensor tg_log1p(tg_tensor x) { return tg_elementwise(&tg_op_log1p, "f", 1, &x, NULL, 0); }
/* PyTorch: x.expm1() */
tg_tensor tg_expm1(tg_tensor x) { return tg_elementwise(&tg_op_expm1, "f", 1, &x, NULL, 0); }

#endif
