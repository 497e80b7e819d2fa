/* div: y = a / b, elementwise with broadcasting.    da = dy / b    db = -dy y / b */
#include "core/op.h"

#ifdef real

static void FN(forward)(ptrdiff_t n, real *y, const real *const *x, const void *attr) {
    (void)attr;
    for (ptrdiff_t j = 0; j < n; j++)
        y[j] = x[0][j] / x[1][j];
}

static void FN(vjp)(ptrdiff_t n, int i, real *dx, const real *dy, const real *y, const real *const *x,
                    const void *attr) {
    (void)attr;
    const real *b = x[1];
    if (i == 0)
        for (ptrdiff_t j = 0; j < n; j++)
            dx[j] = dy[j] / b[j];
    else
        for (ptrdiff_t j = 0; j < n; j++)
            dx[j] = -dy[j] * (y[j] / b[j]);
}

#else
#define TG_SELF "ops/div.c"
#include "core/twice.h"
TG_WIDE_ROWS(forward, vjp);

static void grad(const tg_node *y, tg_tensor dy, tg_tensor *dx) {
    tg_tensor da = tg_div(dy, tg_in(y, 1));
    dx[0] = da;
    if (tg_wants(y, 1))
        dx[1] = tg_neg(tg_mul(da, tg_handle(y)));
}

static tg_tensor probe(tg_tape *t, int variant) {
    switch (variant) {
    case 0: return tg_div(tg_probe_leaf(t, TG_SHAPE(2, 3)), tg_probe_away(t, TG_SHAPE(2, 3)));
    case 1: return tg_div(tg_probe_leaf(t, TG_SHAPE(4, 1, 3)), tg_probe_away(t, TG_SHAPE(2, 1)));
    case 2: return tg_div(tg_probe_leaf(t, TG_SCALAR), tg_transpose(tg_probe_away(t, TG_SHAPE(3, 2)), 0, 1));
    case 3: return tg_div(tg_slice(tg_probe_leaf(t, TG_SHAPE(6)), 0, 1, 6, 2), tg_probe_away(t, TG_SHAPE(2, 1)));
    case 4: return tg_div(tg_probe_leaf(t, TG_SHAPE(0, 3)), tg_probe_away(t, TG_SHAPE(3)));
    default: return TG_NULL;
    }
}

const tg_op tg_op_div = {.name = "div",
                         TG_ELEMENTWISE,
                         .row = TG_ROWS(forward),
                         .row_vjp = TG_ROWS(vjp),
                         .wide = TG_WIDE(forward, vjp),
                         .needs = {TG_IN(1), TG_IN(1) | TG_OUT},
                         .grad = grad,
                         .probe = probe};

/* PyTorch: a / b */
tg_tensor tg_div(tg_tensor a, tg_tensor b) { return tg_elementwise(&tg_op_div, "ff", 2, (tg_tensor[]){a, b}, NULL, 0); }

#endif
