/* log: y = ln x, elementwise; NaN below 0, -inf at 0.    dx = dy / x */
#include "core/kernels/vmath.h"

#ifdef real

static void FN(forward)(ptrdiff_t n, real *y, const real *const *x, const void *attr) {
    (void)attr;
    FN(tg_vlog)(n, y, x[0]);
}

static void FN(vjp)(ptrdiff_t n, int i, real *dx, const real *dy, const real *y, const real *const *x,
                    const void *attr) {
    (void)i, (void)y, (void)attr;
    for (ptrdiff_t j = 0; j < n; j++)
        dx[j] = dy[j] / x[0][j];
}

#else
#define TG_SELF "ops/log.c"
#include "core/twice.h"
TG_WIDE_ROWS(forward, vjp);

static void grad(const tg_node *y, tg_tensor dy, tg_tensor *dx) { dx[0] = tg_div(dy, tg_in(y, 0)); }

static tg_tensor probe(tg_tape *t, int variant) { return tg_probe_unary(t, variant, tg_probe_positive, tg_log); }

const tg_op tg_op_log = {.name = "log",
                         TG_ELEMENTWISE,
                         .row = TG_ROWS(forward),
                         .row_vjp = TG_ROWS(vjp),
                         .wide = TG_WIDE(forward, vjp),
                         .needs = {TG_IN(0)},
                         .grad = grad,
                         .probe = probe};

/* PyTorch: x.log() */
tg_tensor tg_log(tg_tensor x) { return tg_elementwise(&tg_op_log, "f", 1, &x, NULL, 0); }

#endif
