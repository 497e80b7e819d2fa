/* neg: y = -x, elementwise.    dx = -dy */
#include "core/op.h"

#ifdef real

static void FN(forward)(ptrdiff_t n, real *y, const real *const *x, const void *attr) {
    (void)attr;
    for (ptrdiff_t j = 0; j < n; j++)
        y[j] = -x[0][j];
}

static void FN(vjp)(ptrdiff_t n, int i, real *dx, const real *dy, const real *y, const real *const *x,
                    const void *attr) {
    (void)i, (void)y, (void)x, (void)attr;
    for (ptrdiff_t j = 0; j < n; j++)
        dx[j] = -dy[j];
}

#else
#define TG_SELF "ops/neg.c"
#include "core/twice.h"
TG_WIDE_ROWS(forward, vjp);

static void grad(const tg_node *y, tg_tensor dy, tg_tensor *dx) {
    (void)y;
    dx[0] = tg_neg(dy);
}

static tg_tensor probe(tg_tape *t, int variant) { return tg_probe_unary(t, variant, tg_probe_leaf, tg_neg); }

const tg_op tg_op_neg = {.name = "neg",
                         TG_ELEMENTWISE,
                         .row = TG_ROWS(forward),
                         .row_vjp = TG_ROWS(vjp),
                         .wide = TG_WIDE(forward, vjp),
                         .grad = grad,
                         .probe = probe};

/* PyTorch: -x */
tg_tensor tg_neg(tg_tensor x) { return tg_elementwise(&tg_op_neg, "f", 1, &x, NULL, 0); }

#endif
