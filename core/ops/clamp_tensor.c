/* clamp_tensor: y = min(max(x, low), high), elementwise with broadcasting; a NaN anywhere gives NaN. The gradient goes
 * to the selected operand; where x equals one of two different bounds, each gets dy / 2, as in PyTorch. Where all three
 * are equal high gets dy: changing x or low alone does not change y there. PyTorch gives dy to x, which differences do
 * not confirm. */
#include "core/op.h"

#ifndef real
/* The operand that the result is taken from; low > high gives high, whatever x is. */
enum { FROM_X, FROM_LOW, FROM_HIGH };
#endif

#ifdef real

static inline int FN(taken)(real x, real low, real high) {
    bool all_equal = (x == low) & (low == high), above = (x > high) | (low > high) | all_equal;
    return above ? FROM_HIGH : x < low ? FROM_LOW : FROM_X;
}

/* operand i's share of dy */
static inline real FN(share)(int i, real x, real low, real high) {
    int from = FN(taken)(x, low, high), bound = x == low ? FROM_LOW : FROM_HIGH;
    bool tie = low < high && (x == low || x == high);
    if (tie)
        return i == FROM_X || i == bound ? (real)0.5 : 0;
    return from == i;
}

static void FN(forward)(ptrdiff_t n, real *y, const real *const *x, const void *attr) {
    (void)attr;
    for (ptrdiff_t j = 0; j < n; j++) {
        real v = x[0][j], low = x[1][j], high = x[2][j];
        int from = FN(taken)(v, low, high);
        bool any_nan = (isnan(v) != 0) | (isnan(low) != 0) | (isnan(high) != 0);
        real y0 = from == FROM_HIGH ? high : from == FROM_LOW ? low : v;
        y[j] = any_nan ? (real)NAN : y0;
    }
}

static void FN(vjp)(ptrdiff_t n, int i, real *dx, const real *dy, const real *y, const real *const *x,
                    const void *attr) {
    (void)y, (void)attr;
    for (ptrdiff_t j = 0; j < n; j++) {
        real share = FN(share)(i, x[0][j], x[1][j], x[2][j]);
        dx[j] = share == 0 ? 0 : share * dy[j];
    }
}

/* which operand each element is taken from */
static void FN(branch)(const tg_node *y, tg_branches *b) {
    const real *x = y->in[0]->data, *low = y->in[1]->data, *high = y->in[2]->data;
    tg_walk w[3];
    for (int i = 0; i < 3; i++)
        tg_walk_input(&w[i], y, i);
    for (int64_t j = 0; j < y->numel; j++) {
        tg_branch(b, FN(taken)(x[w[0].offset], low[w[1].offset], high[w[2].offset]));
        for (int i = 0; i < 3; i++)
            tg_walk_next(&w[i], 1);
    }
}

#else
#define TG_SELF "ops/clamp_tensor.c"
#include "core/twice.h"
TG_WIDE_ROWS(forward, vjp);

static void grad(const tg_node *y, tg_tensor dy, tg_tensor *dx) {
    tg_tensor x = tg_in(y, 0), low = tg_in(y, 1), high = tg_in(y, 2);
    tg_tensor all_equal = tg_logical_and(tg_eq(x, low), tg_eq(low, high));
    tg_tensor above = tg_logical_or(tg_gt(x, high), tg_logical_or(tg_gt(low, high), all_equal)), below = tg_lt(x, low);
    tg_tensor differ = tg_lt(low, high), half = tg_mul_scalar(dy, 0.5);
    tg_tensor at_low = tg_logical_and(differ, tg_eq(x, low)), at_high = tg_logical_and(differ, tg_eq(x, high));
    dx[0] = tg_masked_fill(dy, tg_logical_or(below, above), 0);
    dx[0] = tg_where(tg_logical_or(at_low, at_high), half, dx[0]);
    dx[1] = tg_where(at_low, half, tg_masked_fill(dy, tg_logical_or(tg_logical_not(below), above), 0));
    dx[2] = tg_where(at_high, half, tg_masked_fill(dy, tg_logical_not(above), 0));
}

/* probe_away gives 0.5 to 1.5 on either side: bounds of -0.4 to 0.4, or beyond 1.6, keep off the kinks. */
static tg_tensor bound(tg_tape *t, double from, double to) {
    tg_tensor b = tg_from_doubles(t, TG_SHAPE(2, 1), (double[]){from, to});
    return tg_set_requires_grad(b, true);
}

static tg_tensor probe(tg_tape *t, int variant) {
    tg_tensor low = bound(t, -0.4, -1.7), high = bound(t, 1.6, 0.3);
    switch (variant) {
    case 0: return tg_clamp_tensor(tg_probe_away(t, TG_SHAPE(2, 5)), low, high);
    case 1: return tg_clamp_tensor(tg_transpose(tg_probe_away(t, TG_SHAPE(4, 2)), 0, 1), low, tg_select(high, 0, 1));
    case 2: return tg_clamp_tensor(tg_slice(tg_probe_away(t, TG_SHAPE(2, 6)), 1, 0, 6, 2), high, low);
    case 3: return tg_clamp_tensor(tg_probe_away(t, TG_SCALAR), low, tg_expand(high, TG_SHAPE(3, 2, 2)));
    case 4: return tg_clamp_tensor(tg_probe_away(t, TG_SHAPE(2, 0)), low, high);
    default: return TG_NULL;
    }
}

const tg_op tg_op_clamp_tensor = {
    .name = "clamp_tensor",
    TG_ELEMENTWISE,
    .row = TG_ROWS(forward),
    .row_vjp = TG_ROWS(vjp),
    .wide = TG_WIDE(forward, vjp),
    .needs = {TG_IN(0) | TG_IN(1) | TG_IN(2), TG_IN(0) | TG_IN(1) | TG_IN(2), TG_IN(0) | TG_IN(1) | TG_IN(2)},
    .branches = TG_BOTH(branch),
    .grad = grad,
    .probe = probe};

/* PyTorch: x.clamp(low, high) */
tg_tensor tg_clamp_tensor(tg_tensor x, tg_tensor low, tg_tensor high) {
    return tg_elementwise(&tg_op_clamp_tensor, "fff", 3, (tg_tensor[]){x, low, high}, NULL, 0);
}

#endif
