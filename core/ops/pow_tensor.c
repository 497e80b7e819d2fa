/* pow_tensor: y = a^b, elementwise with broadcasting; NaN for a negative a unless b is whole.
 * da = dy b a^(b-1), 0 where b = 0    db = dy y ln a, 0 where a = 0 and b >= 0 */
#include "core/kernels/vmath.h"

#ifdef real

static void FN(forward)(ptrdiff_t n, real *y, const real *const *x, const void *attr) {
    (void)attr;
    FN(tg_vpow)(n, y, x[0], x[1], 1);
}

static void FN(vjp)(ptrdiff_t n, int i, real *dx, const real *dy, const real *y, const real *const *x,
                    const void *attr) {
    (void)attr;
    const real *a = x[0], *b = x[1];
    if (i == 0) {
        for (ptrdiff_t j = 0; j < n; j++)
            dx[j] = b[j] - 1;
        FN(tg_vpow)(n, dx, a, dx, 1);
        for (ptrdiff_t j = 0; j < n; j++) {
            real d = dy[j] * (b[j] * dx[j]);
            dx[j] = b[j] == 0 ? 0 : d;
        }
    } else {
        FN(tg_vlog)(n, dx, a);
        for (ptrdiff_t j = 0; j < n; j++) {
            real d = dy[j] * (y[j] * dx[j]);
            bool flat = (a[j] == 0) & (b[j] >= 0);
            dx[j] = flat ? 0 : d;
        }
    }
}

/* which elements of a are 0 */
static void FN(branch)(const tg_node *y, tg_branches *b) {
    const real *a = y->in[0]->data;
    tg_walk w;
    tg_walk_input(&w, y, 0);
    for (int64_t j = 0; j < y->numel; j++, tg_walk_next(&w, 1))
        tg_branch(b, a[w.offset] == 0);
}

#else
#define TG_SELF "ops/pow_tensor.c"
#include "core/twice.h"
TG_WIDE_ROWS(forward, vjp);

/* Where a is 0, and the formula infinite but the gradient 0, a is replaced by 1: an infinity would give NaN when this
 * is differentiated. */
static void grad(const tg_node *y, tg_tensor dy, tg_tensor *dx) {
    tg_tensor a = tg_in(y, 0), b = tg_in(y, 1), zero = tg_scalar(y->tape, 0), at_0 = tg_eq(a, zero);
    tg_tensor base = tg_masked_fill(tg_expand(a, tg_shape_from(y)), tg_logical_and(at_0, tg_eq(b, zero)), 1);
    dx[0] = tg_mul(dy, tg_mul(b, tg_pow_tensor(base, tg_sub_scalar(b, 1))));
    base = tg_masked_fill(tg_expand(a, tg_shape_from(y)), tg_logical_and(at_0, tg_ge(b, zero)), 1);
    if (tg_wants(y, 1))
        dx[1] = tg_mul(dy, tg_mul(tg_handle(y), tg_log(base)));
}

static tg_tensor probe(tg_tape *t, int variant) {
    tg_tensor b = tg_probe_leaf(t, TG_SHAPE(2, 1));
    switch (variant) {
    case 0: return tg_pow_tensor(tg_probe_positive(t, TG_SHAPE(2, 3)), tg_probe_leaf(t, TG_SHAPE(2, 3)));
    case 1: return tg_pow_tensor(tg_probe_positive(t, TG_SHAPE(3)), b);
    case 2:
        return tg_pow_tensor(tg_transpose(tg_probe_positive(t, TG_SHAPE(3, 2)), 0, 1), tg_expand(b, TG_SHAPE(2, 3)));
    case 3: return tg_pow_tensor(tg_slice(tg_probe_positive(t, TG_SHAPE(2, 5)), 1, 1, 5, 2), b);
    case 4: return tg_pow_tensor(tg_probe_positive(t, TG_SCALAR), tg_probe_leaf(t, TG_SHAPE(0, 2)));
    default: return TG_NULL;
    }
}

const tg_op tg_op_pow_tensor = {.name = "pow_tensor",
                                TG_ELEMENTWISE,
                                .row = TG_ROWS(forward),
                                .row_vjp = TG_ROWS(vjp),
                                .wide = TG_WIDE(forward, vjp),
                                .needs = {TG_IN(0) | TG_IN(1), TG_IN(0) | TG_IN(1) | TG_OUT},
                                .branches = TG_BOTH(branch),
                                .grad = grad,
                                .probe = probe};

/* PyTorch: a ** b */
tg_tensor tg_pow_tensor(tg_tensor a, tg_tensor b) {
    return tg_elementwise(&tg_op_pow_tensor, "ff", 2, (tg_tensor[]){a, b}, NULL, 0);
}

#endif
