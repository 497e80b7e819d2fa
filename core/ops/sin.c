/* sin and cos, elementwise.    sin: dx = dy cos x    cos: dx = -dy sin x */
#include "core/kernels/vmath.h"

#ifdef real

static void FN(sin_forward)(ptrdiff_t n, real *y, const real *const *x, const void *attr) {
    (void)attr;
    FN(tg_vsin)(n, y, x[0]);
}

static void FN(sin_vjp)(ptrdiff_t n, int i, real *dx, const real *dy, const real *y, const real *const *x,
                        const void *attr) {
    (void)i, (void)y, (void)attr;
    FN(tg_vcos)(n, dx, x[0]);
    for (ptrdiff_t j = 0; j < n; j++)
        dx[j] *= dy[j];
}

static void FN(cos_forward)(ptrdiff_t n, real *y, const real *const *x, const void *attr) {
    (void)attr;
    FN(tg_vcos)(n, y, x[0]);
}

static void FN(cos_vjp)(ptrdiff_t n, int i, real *dx, const real *dy, const real *y, const real *const *x,
                        const void *attr) {
    (void)i, (void)y, (void)attr;
    FN(tg_vsin)(n, dx, x[0]);
    for (ptrdiff_t j = 0; j < n; j++)
        dx[j] *= -dy[j];
}

#else
#define TG_SELF "ops/sin.c"
#include "core/twice.h"
TG_WIDE_ROWS(sin_forward, sin_vjp);
TG_WIDE_ROWS(cos_forward, cos_vjp);

static void sin_grad(const tg_node *y, tg_tensor dy, tg_tensor *dx) { dx[0] = tg_mul(dy, tg_cos(tg_in(y, 0))); }

static void cos_grad(const tg_node *y, tg_tensor dy, tg_tensor *dx) { dx[0] = tg_neg(tg_mul(dy, tg_sin(tg_in(y, 0)))); }

static tg_tensor sin_probe(tg_tape *t, int variant) { return tg_probe_unary(t, variant, tg_probe_leaf, tg_sin); }
static tg_tensor cos_probe(tg_tape *t, int variant) { return tg_probe_unary(t, variant, tg_probe_leaf, tg_cos); }

const tg_op tg_op_sin = {.name = "sin",
                         TG_ELEMENTWISE,
                         .row = TG_ROWS(sin_forward),
                         .row_vjp = TG_ROWS(sin_vjp),
                         .wide = TG_WIDE(sin_forward, sin_vjp),
                         .needs = {TG_IN(0)},
                         .grad = sin_grad,
                         .probe = sin_probe};
const tg_op tg_op_cos = {.name = "cos",
                         TG_ELEMENTWISE,
                         .row = TG_ROWS(cos_forward),
                         .row_vjp = TG_ROWS(cos_vjp),
                         .wide = TG_WIDE(cos_forward, cos_vjp),
                         .needs = {TG_IN(0)},
                         .grad = cos_grad,
                         .probe = cos_probe};

/* PyTorch: x.sin() */
tg_tensor tg_sin(tg_tensor x) { return tg_elementwise(&tg_op_sin, "f", 1, &x, NULL, 0); }
/* PyTorch: x.cos() */
tg_tensor tg_cos(tg_tensor x) { return tg_elementwise(&tg_op_cos, "f", 1, &x, NULL, 0); }

#endif
