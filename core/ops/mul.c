/* mul: y = a b, elementwise with broadcasting.    da = dy b    db = dy a */
#include "core/op.h"

#ifdef real

static void FN(forward)(ptrdiff_t n, real *y, const real *const *x, const void *attr) {
    (void)attr;
    for (ptrdiff_t j = 0; j < n; j++)
        y[j] = x[0][j] * x[1][j];
}

static void FN(vjp)(ptrdiff_t n, int i, real *dx, const real *dy, const real *y, const real *const *x,
                    const void *attr) {
    (void)y, (void)attr;
    const real *other = x[1 - i];
    for (ptrdiff_t j = 0; j < n; j++)
        dx[j] = dy[j] * other[j];
}

#else
#define TG_SELF "ops/mul.c"
#include "core/twice.h"
TG_WIDE_ROWS(forward, vjp);

static void forward_i64(ptrdiff_t n, uint64_t *y, const uint64_t *const *x, const void *attr) {
    (void)attr;
    for (ptrdiff_t j = 0; j < n; j++)
        y[j] = x[0][j] * x[1][j];
}

static void grad(const tg_node *y, tg_tensor dy, tg_tensor *dx) {
    for (int i = 0; i < 2; i++)
        if (tg_wants(y, i))
            dx[i] = tg_mul(dy, tg_in(y, 1 - i));
}

static tg_tensor probe(tg_tape *t, int variant) {
    switch (variant) {
    case 0: return tg_mul(tg_probe_leaf(t, TG_SHAPE(2, 3)), tg_probe_leaf(t, TG_SHAPE(2, 3)));
    case 1: return tg_mul(tg_probe_leaf(t, TG_SHAPE(4, 1, 3)), tg_probe_leaf(t, TG_SHAPE(2, 1)));
    case 2: return tg_mul(tg_transpose(tg_probe_leaf(t, TG_SHAPE(3, 2)), 0, 1), tg_probe_leaf(t, TG_SCALAR));
    case 3: return tg_mul(tg_probe_leaf(t, TG_SHAPE(0, 3)), tg_probe_leaf(t, TG_SHAPE(1, 3)));
    case 4:
        return tg_embedding(tg_probe_leaf(t, TG_SHAPE(5, 2)),
                            tg_mul(tg_unsqueeze(tg_arange(t, 2), 1), tg_arange(t, 5)));
    default: return TG_NULL;
    }
}

const tg_op tg_op_mul = {.name = "mul",
                         TG_ELEMENTWISE,
                         .row = TG_ROWS_AND_I64(forward),
                         .row_vjp = TG_ROWS(vjp),
                         .wide = TG_WIDE(forward, vjp),
                         .needs = {TG_IN(1), TG_IN(0)},
                         .grad = grad,
                         .probe = probe};

/* PyTorch: a * b */
tg_tensor tg_mul(tg_tensor a, tg_tensor b) { return tg_elementwise(&tg_op_mul, "nn", 2, (tg_tensor[]){a, b}, NULL, 0); }

#endif
