/* swiglu: y = silu(a) b with silu(a) = a s, s = 1 / (1 + e^-a), elementwise with broadcasting (Shazeer 2020).
 * da = dy b s (1 + a (1 - s))    db = dy a s */
#include "core/kernels/vmath.h"

#ifdef real

static void FN(forward)(ptrdiff_t n, real *y, const real *const *x, const void *attr) {
    (void)attr;
    FN(tg_vsigmoid)(n, y, x[0]);
    for (ptrdiff_t j = 0; j < n; j++)
        y[j] = x[0][j] * y[j] * x[1][j];
}

static void FN(vjp)(ptrdiff_t n, int i, real *dx, const real *dy, const real *y, const real *const *x,
                    const void *attr) {
    (void)y, (void)attr;
    const real *a = x[0], *b = x[1];
    FN(tg_vsigmoid)(n, dx, a);
    for (ptrdiff_t j = 0; j < n; j++) /* s first: where it is 0 the other product may overflow */
        dx[j] = i == 0 ? dy[j] * b[j] * (dx[j] * (1 + a[j] * (1 - dx[j]))) : dy[j] * (dx[j] * a[j]);
}

#else
#define TG_SELF "ops/swiglu.c"
#include "core/twice.h"
TG_WIDE_ROWS(forward, vjp);

static void grad(const tg_node *y, tg_tensor dy, tg_tensor *dx) {
    tg_tensor a = tg_in(y, 0), s = tg_sigmoid(a);
    if (tg_wants(y, 0))
        dx[0] = tg_mul(tg_mul(dy, tg_in(y, 1)), tg_mul(s, tg_add_scalar(tg_mul(a, tg_rsub_scalar(1, s)), 1)));
    if (tg_wants(y, 1))
        dx[1] = tg_mul(dy, tg_mul(a, s));
}

static tg_tensor probe(tg_tape *t, int variant) {
    tg_tensor b = tg_probe_leaf(t, TG_SHAPE(2, 3));
    switch (variant) {
    case 0: return tg_swiglu(tg_probe_leaf(t, TG_SHAPE(2, 3)), b);
    case 1: return tg_swiglu(tg_transpose(tg_probe_leaf(t, TG_SHAPE(3, 2)), 0, 1), tg_slice(b, 0, 0, 1, 1));
    case 2: return tg_swiglu(tg_probe_leaf(t, TG_SCALAR), tg_expand(b, TG_SHAPE(4, 2, 3)));
    case 3: return tg_swiglu(b, b);
    case 4: return tg_swiglu(tg_probe_leaf(t, TG_SHAPE(2, 0)), tg_slice(b, 1, 0, 1, 1));
    default: return TG_NULL;
    }
}

const tg_op tg_op_swiglu = {.name = "swiglu",
                            TG_ELEMENTWISE,
                            .row = TG_ROWS(forward),
                            .row_vjp = TG_ROWS(vjp),
                            .wide = TG_WIDE(forward, vjp),
                            .needs = {TG_IN(0) | TG_IN(1), TG_IN(0)},
                            .grad = grad,
                            .probe = probe};

/* PyTorch: F.silu(a) * b */
tg_tensor tg_swiglu(tg_tensor a, tg_tensor b) {
    return tg_elementwise(&tg_op_swiglu, "ff", 2, (tg_tensor[]){a, b}, NULL, 0);
}

#endif
