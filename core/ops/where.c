/* where: y = a where condition holds, b elsewhere; the three broadcast.
 * da = dy where condition holds, else 0    db = 0 where it holds, else dy */
#include "core/op.h"

#ifdef real

static void FN(forward)(ptrdiff_t n, real *y, const real *const *x, const void *attr) {
    (void)attr;
    const real *condition = x[0];
    for (ptrdiff_t j = 0; j < n; j++) {
        real a = x[1][j], b = x[2][j];
        y[j] = condition[j] != 0 ? a : b;
    }
}

static void FN(vjp)(ptrdiff_t n, int i, real *dx, const real *dy, const real *y, const real *const *x,
                    const void *attr) {
    (void)y, (void)attr;
    const real *condition = x[0];
    for (ptrdiff_t j = 0; j < n; j++) {
        real d = dy[j], held = condition[j] != 0 ? d : 0, failed = condition[j] != 0 ? 0 : d;
        dx[j] = i == 1 ? held : failed;
    }
}

#else
#define TG_SELF "ops/where.c"
#include "core/twice.h"
TG_WIDE_ROWS(forward, vjp);

static void forward_i64(ptrdiff_t n, uint64_t *y, const uint64_t *const *x, const void *attr) {
    (void)attr;
    for (ptrdiff_t j = 0; j < n; j++)
        y[j] = x[0][j] ? x[1][j] : x[2][j];
}

static void grad(const tg_node *y, tg_tensor dy, tg_tensor *dx) {
    tg_tensor condition = tg_in(y, 0);
    if (tg_wants(y, 1))
        dx[1] = tg_masked_fill(dy, tg_logical_not(condition), 0);
    if (tg_wants(y, 2))
        dx[2] = tg_masked_fill(dy, condition, 0);
}

static tg_tensor probe(tg_tape *t, int variant) {
    tg_tensor c = tg_from_bools(t, TG_SHAPE(2, 3), (bool[]){true, false, false, false, true, true});
    tg_tensor a = tg_probe_leaf(t, TG_SHAPE(2, 3)), b = tg_probe_leaf(t, TG_SHAPE(2, 1));
    switch (variant) {
    case 0: return tg_where(c, a, tg_probe_leaf(t, TG_SHAPE(2, 3)));
    case 1: return tg_where(c, b, a);
    case 2: return tg_where(tg_transpose(c, 0, 1), tg_transpose(a, 0, 1), tg_probe_leaf(t, TG_SCALAR));
    case 3: return tg_where(tg_slice(c, 0, 0, 1, 1), tg_expand(b, TG_SHAPE(2, 3)), tg_probe_leaf(t, TG_SHAPE(4, 1, 3)));
    case 4: return tg_where(c, tg_probe_leaf(t, TG_SHAPE(0, 2, 3)), b);
    case 5:
        return tg_embedding(tg_probe_leaf(t, TG_SHAPE(5, 2)),
                            tg_where(c, tg_arange(t, 3), tg_randint(t, 0, 5, TG_SHAPE(2, 1))));
    default: return TG_NULL;
    }
}

const tg_op tg_op_where = {.name = "where",
                           TG_ELEMENTWISE_MOVE,
                           .row = TG_ROWS_AND_I64(forward),
                           .row_vjp = TG_ROWS(vjp),
                           .wide = TG_WIDE(forward, vjp),
                           .needs = {0, TG_IN(0), TG_IN(0)},
                           .grad = grad,
                           .probe = probe};

/* PyTorch: torch.where(condition, a, b) */
tg_tensor tg_where(tg_tensor condition, tg_tensor a, tg_tensor b) {
    return tg_elementwise(&tg_op_where, "bnn", 3, (tg_tensor[]){condition, a, b}, NULL, 0);
}

#endif
