/* sigmoid: y = 1 / (1 + e^-x), elementwise.    dx = dy y (1 - y)
 *
 * Far below 0, e^-x is infinite and y is 0, as it should be. */
#include "core/kernels/vmath.h"

#ifdef real

static void FN(forward)(ptrdiff_t n, real *y, const real *const *x, const void *attr) {
    (void)attr;
    for (ptrdiff_t j = 0; j < n; j++)
        y[j] = -x[0][j];
    FN(tg_vexp)(n, y, y, 0);
    for (ptrdiff_t j = 0; j < n; j++)
        y[j] = 1 / (1 + y[j]);
}

static void FN(vjp)(ptrdiff_t n, int i, real *dx, const real *dy, const real *y, const real *const *x,
                    const void *attr) {
    (void)i, (void)x, (void)attr;
    for (ptrdiff_t j = 0; j < n; j++)
        dx[j] = dy[j] * y[j] * (1 - y[j]);
}

#else
#define TG_SELF "ops/sigmoid.c"
#include "core/twice.h"

static tg_tensor probe(tg_tape *t, int variant) {
    switch (variant) {
    case 0: return tg_sigmoid(tg_probe_leaf(t, TG_SHAPE(2, 3)));
    case 1: return tg_sigmoid(tg_transpose(tg_probe_leaf(t, TG_SHAPE(3, 4)), 0, 1));
    case 2: return tg_sigmoid(tg_slice(tg_probe_leaf(t, TG_SHAPE(2, 5)), 1, 1, 5, 2));
    case 3: return tg_sigmoid(tg_expand(tg_probe_leaf(t, TG_SHAPE(3, 1)), TG_SHAPE(2, 3, 2)));
    case 4: return tg_sigmoid(tg_probe_leaf(t, TG_SCALAR));
    case 5: return tg_sigmoid(tg_probe_leaf(t, TG_SHAPE(0, 3)));
    default: return TG_NULL;
    }
}

const tg_op tg_op_sigmoid = {.name = "sigmoid",
                             TG_ELEMENTWISE,
                             .row = TG_ROWS(forward),
                             .row_vjp = TG_ROWS(vjp),
                             .needs = {TG_OUT},
                             .probe = probe};

tg_tensor tg_sigmoid(tg_tensor x) { return tg_elementwise(&tg_op_sigmoid, "f", 1, &x, NULL, 0); }

#endif
