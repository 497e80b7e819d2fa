/* abs: y = |x|, elementwise.    dx = dy sign(x), with sign(0) = 0 */
#include "core/op.h"

#ifdef real

static void FN(forward)(ptrdiff_t n, real *y, const real *const *x, const void *attr) {
    (void)attr;
    for (ptrdiff_t j = 0; j < n; j++)
        y[j] = M(fabs)(x[0][j]);
}

static void FN(vjp)(ptrdiff_t n, int i, real *dx, const real *dy, const real *y, const real *const *x,
                    const void *attr) {
    (void)i, (void)y, (void)attr;
    for (ptrdiff_t j = 0; j < n; j++)
        dx[j] = dy[j] * (real)((x[0][j] > 0) - (x[0][j] < 0));
}

/* the sign of each element */
static void FN(branch)(const tg_node *y, tg_branches *b) {
    const real *v = y->in[0]->data;
    tg_walk w;
    tg_walk_input(&w, y, 0);
    for (int64_t j = 0; j < y->numel; j++, tg_walk_next(&w, 1))
        tg_branch(b, (v[w.offset] > 0) - (v[w.offset] < 0));
}

#else
#define TG_SELF "ops/abs.c"
#include "core/twice.h"
TG_WIDE_ROWS(forward, vjp);

static void grad(const tg_node *y, tg_tensor dy, tg_tensor *dx) {
    tg_tensor x = tg_in(y, 0), zero = tg_scalar(y->tape, 0);
    dx[0] = tg_mul(dy, tg_sub(tg_to_float(tg_gt(x, zero)), tg_to_float(tg_lt(x, zero))));
}

static tg_tensor probe(tg_tape *t, int variant) { return tg_probe_unary(t, variant, tg_probe_away, tg_abs); }

const tg_op tg_op_abs = {.name = "abs",
                         TG_ELEMENTWISE,
                         .row = TG_ROWS(forward),
                         .row_vjp = TG_ROWS(vjp),
                         .wide = TG_WIDE(forward, vjp),
                         .needs = {TG_IN(0)},
                         .branches = TG_BOTH(branch),
                         .grad = grad,
                         .probe = probe};

/* PyTorch: x.abs() */
tg_tensor tg_abs(tg_tensor x) { return tg_elementwise(&tg_op_abs, "f", 1, &x, NULL, 0); }

#endif
