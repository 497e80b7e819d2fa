/* clamp: y = min(max(x, low), high), elementwise.    dx = dy where low <= x <= high, low < high, else 0
 *
 * As in PyTorch, low > high gives high everywhere, and NaN stays NaN with gradient 0. At a bound dx = dy, as in PyTorch
 * before 2.15; 2.15 gives 0. With low = high y is a constant. */
#include "core/op.h"

#ifndef real
typedef struct clamp_attr {
    double low, high;
} clamp_attr;
#endif

#ifdef real

static void FN(forward)(ptrdiff_t n, real *y, const real *const *x, const void *attr) {
    const clamp_attr *a = attr;
    real low = (real)a->low, high = (real)a->high;
    for (ptrdiff_t j = 0; j < n; j++) {
        real v = x[0][j] < low ? low : x[0][j];
        y[j] = v > high ? high : v;
    }
}

static void FN(vjp)(ptrdiff_t n, int i, real *dx, const real *dy, const real *y, const real *const *x,
                    const void *attr) {
    (void)i, (void)y;
    const clamp_attr *a = attr;
    real low = (real)a->low, high = (real)a->high;
    bool moves = low < high;
    for (ptrdiff_t j = 0; j < n; j++) {
        real v = x[0][j], d = dy[j];
        bool inside = moves & (v >= low) & (v <= high);
        dx[j] = inside ? d : 0;
    }
}

/* below, inside or above, read from the output */
static void FN(branch)(const tg_node *y, tg_branches *b) {
    const clamp_attr *a = y->attr;
    real low = (real)a->low, high = (real)a->high;
    const real *v = y->data;
    for (int64_t j = 0; j < y->numel; j++)
        tg_branch(b, (v[j] > low) + (v[j] >= high));
}

#else
#define TG_SELF "ops/clamp.c"
#include "core/twice.h"
TG_WIDE_ROWS(forward, vjp);

static void grad(const tg_node *y, tg_tensor dy, tg_tensor *dx) {
    const clamp_attr *a = y->attr;
    tg_tensor x = tg_in(y, 0), low = tg_scalar(y->tape, a->low);
    tg_tensor below = a->low < a->high ? tg_lt(x, low) : tg_le(x, low), inside = tg_masked_fill(dy, below, 0);
    inside = tg_masked_fill(inside, tg_gt(x, tg_scalar(y->tape, a->high)), 0);
    dx[0] = tg_masked_fill(inside, tg_logical_not(tg_eq(x, x)), 0); /* a NaN */
}

/* probe_away gives 0.5 to 1.5 on either side: bounds between -0.4 and 0.4, or beyond 1.6, keep off the kinks. */
static tg_tensor probe(tg_tape *t, int variant) {
    switch (variant) {
    case 0: return tg_clamp(tg_probe_away(t, TG_SHAPE(2, 5)), -0.4, 1.6);
    case 1: return tg_clamp(tg_transpose(tg_probe_away(t, TG_SHAPE(3, 4)), 0, 1), -1.6, 0.4);
    case 2: return tg_clamp(tg_slice(tg_probe_away(t, TG_SHAPE(2, 5)), 1, 1, 5, 2), -0.2, 0.2);
    case 3: return tg_clamp(tg_expand(tg_probe_away(t, TG_SHAPE(3, 1)), TG_SHAPE(2, 3, 2)), -INFINITY, 0);
    case 4: return tg_clamp(tg_probe_away(t, TG_SCALAR), -2, 2);
    case 5: return tg_clamp(tg_probe_away(t, TG_SHAPE(0, 3)), -1, 1);
    default: return TG_NULL;
    }
}

const tg_op tg_op_clamp = {.name = "clamp",
                           TG_ELEMENTWISE,
                           .row = TG_ROWS(forward),
                           .row_vjp = TG_ROWS(vjp),
                           .wide = TG_WIDE(forward, vjp),
                           .needs = {TG_IN(0)},
                           .branches = TG_BOTH(branch),
                           .grad = grad,
                           .probe = probe};

/* PyTorch: x.clamp(low, high) */
tg_tensor tg_clamp(tg_tensor x, double low, double high) {
    if (isnan(low) || isnan(high))
        return tg_fail_null(x.tape, TG_ERR_ARGUMENT, "clamp: a bound is NaN (-INFINITY and INFINITY for none)");
    return tg_elementwise(&tg_op_clamp, "f", 1, &x, &(clamp_attr){low, high}, sizeof(clamp_attr));
}

#endif
