/* pow: y = x^p, elementwise, p a constant; NaN for a negative x unless p is whole.    dx = dy p x^(p-1)
 *
 * For p = 0 the gradient is 0 everywhere, even at x = 0, where x^(p-1) is infinite. */
#include "core/kernels/vmath.h"

#ifdef real

/* x^p for |p| = 1, 2 and 3 */
static void FN(product)(ptrdiff_t n, real *y, const real *x, real p) {
    real size = M(fabs)(p);
    for (ptrdiff_t j = 0; j < n; j++) {
        real v = p < 0 ? 1 / x[j] : x[j], square = v * v, cube = square * v;
        y[j] = size == 1 ? v : size == 2 ? square : cube;
    }
}

/* x^(1/2), or its inverse; pow(-inf, 1/2) is inf. */
static void FN(root)(ptrdiff_t n, real *y, const real *x, bool inverse) {
    for (ptrdiff_t j = 0; j < n; j++) {
        real v = x[j] + 0, root = M(sqrt)(v); /* -0 becomes 0 */
        y[j] = v == -INFINITY ? (real)INFINITY : root;
    }
    for (ptrdiff_t j = 0; j < n && inverse; j++)
        y[j] = 1 / y[j];
}

/* y = x^p. Common exponents are computed as products and roots, which may be an ulp or two off, as in PyTorch. */
static void FN(power)(ptrdiff_t n, real *y, const real *x, real p) {
    real size = M(fabs)(p);
    if (size == (real)0.5)
        FN(root)(n, y, x, p < 0);
    else if (size != 1 && size != 2 && size != 3)
        FN(tg_vpow)(n, y, x, &p, 0);
    else
        FN(product)(n, y, x, p);
}

static void FN(forward)(ptrdiff_t n, real *y, const real *const *x, const void *attr) {
    FN(power)(n, y, x[0], (real) * (const double *)attr);
}

static void FN(vjp)(ptrdiff_t n, int i, real *dx, const real *dy, const real *y, const real *const *x,
                    const void *attr) {
    (void)i, (void)y;
    double exponent = *(const double *)attr;
    real p = (real)exponent, less = (real)(exponent - 1);
    FN(power)(n, dx, x[0], less);
    for (ptrdiff_t j = 0; j < n; j++)
        dx[j] = dy[j] * (p * dx[j]);
    for (ptrdiff_t j = 0; j < n && p == 0; j++)
        dx[j] = 0;
}

#else
#define TG_SELF "ops/pow.c"
#include "core/twice.h"
TG_WIDE_ROWS(forward, vjp);

static void grad(const tg_node *y, tg_tensor dy, tg_tensor *dx) {
    double p = *(const double *)y->attr;
    dx[0] = tg_mul_scalar(p == 0 ? dy : tg_mul(dy, tg_pow(tg_in(y, 0), p - 1)), p);
}

static tg_tensor probe(tg_tape *t, int variant) {
    switch (variant) {
    case 0: return tg_pow(tg_probe_leaf(t, TG_SHAPE(2, 3)), 3);
    case 1: return tg_pow(tg_transpose(tg_probe_positive(t, TG_SHAPE(3, 4)), 0, 1), 0.7);
    case 2: return tg_pow(tg_slice(tg_probe_away(t, TG_SHAPE(2, 5)), 1, 1, 5, 2), -2);
    case 3: return tg_pow(tg_expand(tg_probe_leaf(t, TG_SHAPE(3, 1)), TG_SHAPE(2, 3, 2)), 1);
    case 4: return tg_pow(tg_set_requires_grad(tg_zeros(t, TG_SHAPE(2)), true), 0);
    case 5: return tg_pow(tg_probe_positive(t, TG_SCALAR), -0.5);
    case 6: return tg_pow(tg_probe_positive(t, TG_SHAPE(0, 3)), 2);
    default: return TG_NULL;
    }
}

const tg_op tg_op_pow = {.name = "pow",
                         TG_ELEMENTWISE,
                         .row = TG_ROWS(forward),
                         .row_vjp = TG_ROWS(vjp),
                         .wide = TG_WIDE(forward, vjp),
                         .needs = {TG_IN(0)},
                         .grad = grad,
                         .probe = probe};

/* PyTorch: x ** exponent */
tg_tensor tg_pow(tg_tensor x, double exponent) {
    return tg_elementwise(&tg_op_pow, "f", 1, &x, &exponent, sizeof exponent);
}

#endif
