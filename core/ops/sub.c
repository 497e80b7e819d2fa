/* sub: y = a - b, elementwise with broadcasting.    da = dy    db = -dy */
#include "core/op.h"

#ifdef real

static void FN(forward)(ptrdiff_t n, real *y, const real *const *x, const void *attr) {
    (void)attr;
    for (ptrdiff_t j = 0; j < n; j++)
        y[j] = x[0][j] - x[1][j];
}

static void FN(vjp)(ptrdiff_t n, int i, real *dx, const real *dy, const real *y, const real *const *x,
                    const void *attr) {
    (void)y, (void)x, (void)attr;
    for (ptrdiff_t j = 0; j < n; j++)
        dx[j] = i == 0 ? dy[j] : -dy[j];
}

#else
#define TG_SELF "ops/sub.c"
#include "core/twice.h"
TG_WIDE_ROWS(forward, vjp);

static void forward_i64(ptrdiff_t n, uint64_t *y, const uint64_t *const *x, const void *attr) {
    (void)attr;
    for (ptrdiff_t j = 0; j < n; j++)
        y[j] = x[0][j] - x[1][j];
}

static void grad(const tg_node *y, tg_tensor dy, tg_tensor *dx) {
    dx[0] = dy;
    if (tg_wants(y, 1))
        dx[1] = tg_neg(dy);
}

static tg_tensor probe(tg_tape *t, int variant) {
    switch (variant) {
    case 0: return tg_sub(tg_probe_leaf(t, TG_SHAPE(2, 3)), tg_probe_leaf(t, TG_SHAPE(2, 3)));
    case 1: return tg_sub(tg_probe_leaf(t, TG_SHAPE(4, 1, 3)), tg_probe_leaf(t, TG_SHAPE(2, 1)));
    case 2: return tg_sub(tg_probe_leaf(t, TG_SCALAR), tg_transpose(tg_probe_leaf(t, TG_SHAPE(3, 2)), 0, 1));
    case 3: return tg_sub(tg_expand(tg_probe_leaf(t, TG_SHAPE(3, 1)), TG_SHAPE(3, 2)), tg_probe_leaf(t, TG_SHAPE(2)));
    case 4: return tg_sub(tg_probe_leaf(t, TG_SHAPE(1, 3)), tg_probe_leaf(t, TG_SHAPE(0, 3)));
    case 5:
        return tg_embedding(tg_probe_leaf(t, TG_SHAPE(5, 2)),
                            tg_sub(tg_randint(t, 2, 5, TG_SHAPE(2, 1)), tg_arange(t, 3)));
    default: return TG_NULL;
    }
}

const tg_op tg_op_sub = {.name = "sub",
                         TG_ELEMENTWISE,
                         .row = TG_ROWS_AND_I64(forward),
                         .row_vjp = TG_ROWS(vjp),
                         .wide = TG_WIDE(forward, vjp),
                         .grad = grad,
                         .probe = probe};

/* PyTorch: a - b */
tg_tensor tg_sub(tg_tensor a, tg_tensor b) { return tg_elementwise(&tg_op_sub, "nn", 2, (tg_tensor[]){a, b}, NULL, 0); }

#endif
