/* relu: y = max(x, 0), elementwise.    dx = 0 where y <= 0 (at x = 0 too, as in PyTorch), else dy */
#include "core/op.h"

#ifdef real

static void FN(forward)(ptrdiff_t n, real *y, const real *const *x, const void *attr) {
    (void)attr;
    for (ptrdiff_t j = 0; j < n; j++)
        y[j] = x[0][j] < 0 ? 0 : x[0][j]; /* in this order a NaN stays NaN */
}

static void FN(vjp)(ptrdiff_t n, int i, real *dx, const real *dy, const real *y, const real *const *x,
                    const void *attr) {
    (void)i, (void)x, (void)attr;
    for (ptrdiff_t j = 0; j < n; j++) {
        real d = dy[j];
        dx[j] = y[j] <= 0 ? 0 : d;
    }
}

/* the side of 0 of each element */
static void FN(branch)(const tg_node *y, tg_branches *b) {
    const real *v = y->data;
    for (int64_t j = 0; j < y->numel; j++)
        tg_branch(b, v[j] > 0);
}

#else
#define TG_SELF "ops/relu.c"
#include "core/twice.h"
TG_WIDE_ROWS(forward, vjp);

static void grad(const tg_node *y, tg_tensor dy, tg_tensor *dx) {
    dx[0] = tg_masked_fill(dy, tg_eq(tg_handle(y), tg_scalar(y->tape, 0)), 0);
}

static tg_tensor probe(tg_tape *t, int variant) { return tg_probe_unary(t, variant, tg_probe_away, tg_relu); }

const tg_op tg_op_relu = {.name = "relu",
                          TG_ELEMENTWISE,
                          .row = TG_ROWS(forward),
                          .row_vjp = TG_ROWS(vjp),
                          .wide = TG_WIDE(forward, vjp),
                          .needs = {TG_OUT},
                          .branches = TG_BOTH(branch),
                          .grad = grad,
                          .probe = probe};

/* PyTorch: F.relu(x) */
tg_tensor tg_relu(tg_tensor x) { return tg_elementwise(&tg_op_relu, "f", 1, &x, NULL, 0); }

#endif
