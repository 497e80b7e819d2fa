/* maximum: y = a where a > b, else b    minimum: y = a where a < b, else b, elementwise with broadcasting.
 * The gradient goes to the selected operand; at a tie each gets dy / 2.
 *
 * minimum is maximum with both sides negated in the comparison (s = -1). As in PyTorch, a NaN on either side gives
 * NaN, and its gradient goes to both. */
#include "core/op.h"

#ifdef real

static void FN(forward)(ptrdiff_t n, real *y, const real *const *x, const void *attr) {
    real s = (real) * (const double *)attr;
    const real *a = x[0], *b = x[1];
    for (ptrdiff_t j = 0; j < n; j++) {
        real p = a[j], q = b[j];
        bool first = (s * p > s * q) | (isnan(p) != 0);
        y[j] = first ? p : q;
    }
}

static void FN(vjp)(ptrdiff_t n, int i, real *dx, const real *dy, const real *y, const real *const *x,
                    const void *attr) {
    (void)y;
    real s = (real) * (const double *)attr;
    const real *mine = x[i], *other = x[1 - i];
    for (ptrdiff_t j = 0; j < n; j++) {
        real p = s * mine[j], q = s * other[j], d = dy[j], taken = p == q ? d / 2 : d;
        dx[j] = p < q ? 0 : taken;
    }
}

/* which operand is larger, or neither */
static void FN(branch)(const tg_node *y, tg_branches *b) {
    const real *left = y->in[0]->data, *right = y->in[1]->data;
    tg_walk l, r;
    tg_walk_input(&l, y, 0);
    tg_walk_input(&r, y, 1);
    for (int64_t j = 0; j < y->numel; j++, tg_walk_next(&l, 1), tg_walk_next(&r, 1))
        tg_branch(b, (left[l.offset] > right[r.offset]) - (left[l.offset] < right[r.offset]));
}

#else
#define TG_SELF "ops/maximum.c"
#include "core/twice.h"
TG_WIDE_ROWS(forward, vjp);

/* dx[i] = dy times 1 where operand i was selected, 1/2 at a tie, 0 elsewhere */
static void grad(const tg_node *y, tg_tensor dy, tg_tensor *dx) {
    bool larger = *(const double *)y->attr > 0;
    for (int i = 0; i < 2; i++) {
        if (!tg_wants(y, i))
            continue;
        tg_tensor mine = tg_in(y, i), other = tg_in(y, 1 - i);
        tg_tensor loses = tg_to_float(larger ? tg_lt(mine, other) : tg_gt(mine, other));
        tg_tensor ties = tg_mul_scalar(tg_to_float(tg_eq(mine, other)), 0.5);
        dx[i] = tg_mul(dy, tg_rsub_scalar(1, tg_add(loses, ties)));
    }
}

/* Elements are compared with 0 and at least 0.5 away from it, so that no difference crosses the kink. */
static tg_tensor probe(tg_tape *t, int variant, tg_tensor (*op)(tg_tensor a, tg_tensor b)) {
    tg_tensor zeros = tg_set_requires_grad(tg_zeros(t, TG_SHAPE(2, 1)), true);
    switch (variant) {
    case 0: return op(tg_probe_away(t, TG_SHAPE(2, 3)), zeros);
    case 1: return op(zeros, tg_probe_away(t, TG_SHAPE(4, 1, 3)));
    case 2: return op(tg_transpose(tg_probe_away(t, TG_SHAPE(3, 2)), 0, 1), tg_expand(zeros, TG_SHAPE(2, 3)));
    case 3: return op(tg_slice(tg_probe_away(t, TG_SHAPE(2, 5)), 1, 0, 5, 2), tg_slice(zeros, 0, 0, 1, 1));
    case 4: return op(tg_probe_away(t, TG_SHAPE(2, 0)), zeros);
    default: return TG_NULL;
    }
}

static tg_tensor probe_maximum(tg_tape *t, int variant) { return probe(t, variant, tg_maximum); }
static tg_tensor probe_minimum(tg_tape *t, int variant) { return probe(t, variant, tg_minimum); }

const tg_op tg_op_maximum = {.name = "maximum",
                             TG_ELEMENTWISE,
                             .row = TG_ROWS(forward),
                             .row_vjp = TG_ROWS(vjp),
                             .wide = TG_WIDE(forward, vjp),
                             .needs = {TG_IN(0) | TG_IN(1), TG_IN(0) | TG_IN(1)},
                             .branches = TG_BOTH(branch),
                             .grad = grad,
                             .probe = probe_maximum};
const tg_op tg_op_minimum = {.name = "minimum",
                             TG_ELEMENTWISE,
                             .row = TG_ROWS(forward),
                             .row_vjp = TG_ROWS(vjp),
                             .wide = TG_WIDE(forward, vjp),
                             .needs = {TG_IN(0) | TG_IN(1), TG_IN(0) | TG_IN(1)},
                             .branches = TG_BOTH(branch),
                             .grad = grad,
                             .probe = probe_minimum};

static tg_tensor record(const tg_op *op, tg_tensor a, tg_tensor b, double s) {
    return tg_elementwise(op, "ff", 2, (tg_tensor[]){a, b}, &s, sizeof s);
}

/* PyTorch: torch.maximum(a, b) */
tg_tensor tg_maximum(tg_tensor a, tg_tensor b) { return record(&tg_op_maximum, a, b, 1); }
/* PyTorch: torch.minimum(a, b) */
tg_tensor tg_minimum(tg_tensor a, tg_tensor b) { return record(&tg_op_minimum, a, b, -1); }

#endif
