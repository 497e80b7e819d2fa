/* norm: y = (sum |x|^p)^(1/p) over dims, p > 0; for p = INFINITY the largest |x|.
 * dx = dy sign(x) (|x| / y)^(p - 1), 0 where x or y is    p = INFINITY: dy sign(x) shared by those that attain it */
#include "core/frameworks/reduce.h"

#ifndef real
enum { LEAF = 256, LANES = 8, LEVELS = 56 };
#endif

#ifdef real

static wide FN(largest)(int64_t n, const real *x) {
    wide m = 0;
    for (int64_t j = 0; j < n; j++) {
        wide a = (wide)M(fabs)(x[j]);
        m = a > m || isnan(a) ? a : m;
    }
    return m;
}

static inline wide FN(power)(real x, wide unit, wide p) {
    wide a = (wide)M(fabs)(x) / unit;
    return p == 1 ? a : p == 2 ? a * a : pow(a, p);
}

/* sum (|x| / unit)^p in LANES sums */
static inline wide FN(leaf_of_powers)(int64_t n, const real *x, wide unit, wide p) {
    wide s[LANES] = {0};
    int64_t j = 0;
    for (; j + LANES <= n; j += LANES)
        for (int k = 0; k < LANES; k++)
            s[k] += FN(power)(x[j + k], unit, p);
    for (; j < n; j++)
        s[j % LANES] += FN(power)(x[j], unit, p);
    return ((s[0] + s[1]) + (s[2] + s[3])) + ((s[4] + s[5]) + (s[6] + s[7]));
}

/* The same pairwise over leaves of LEAF: where bit k of their number is set, level[k] is the sum of 2^k of them. A
 * loop, since what calls itself is not compiled again for wider vectors. */
static inline wide FN(sum_of_powers)(int64_t n, const real *x, wide unit, wide p) {
    wide level[LEVELS] = {0}, sum = 0;
    int64_t leaves = 0;
    int k;
    for (int64_t at = 0; at < n; at += LEAF, leaves++) {
        int64_t some = n - at < LEAF ? n - at : LEAF;
        bool plain = unit == 1 && p == 2; /* constants, for a loop without them */
        wide s = plain ? FN(leaf_of_powers)(some, x + at, 1, 2) : FN(leaf_of_powers)(some, x + at, unit, p);
        for (k = 0; leaves >> k & 1; k++)
            s += level[k];
        level[k] = s;
    }
    for (k = 0; leaves >> k; k++)
        sum += leaves >> k & 1 ? level[k] : 0;
    return sum;
}

/* (sum (|x| / unit)^p)^(1/p), and the sum */
static wide FN(root_of_powers)(int64_t n, const real *x, wide unit, wide p, wide *sum) {
    wide s = FN(sum_of_powers)(n, x, unit, p);
    *sum = s;
    return p == 1 ? s : p == 2 ? sqrt(s) : pow(s, 1 / p);
}

/* The norm where the powers would overflow or underflow: |x| is divided by the largest first. Rare, and so compiled
 * once, not for each set. */
static __attribute__((noinline)) wide FN(norm_by_largest)(int64_t n, const real *x, wide largest, wide p) {
    wide s = 0;
    return largest * FN(root_of_powers)(n, x, largest, p, &s);
}

static void FN(forward_row)(int64_t n, real *y, const real *x, const tg_node *node) {
    wide p = (wide)tg_reduce_parameter(node), s = 0, norm = isinf(p) ? 0 : FN(root_of_powers)(n, x, 1, p, &s);
    if (!(s * s > 0 && s * s < INFINITY)) {
        norm = FN(largest)(n, x);
        if (norm > 0 && norm < INFINITY && !isinf(p))
            norm = FN(norm_by_largest)(n, x, norm, p);
    }
    *y = (real)norm;
}

static real FN(sign)(real x) { return (real)((x > 0) - (x < 0)); }

static void FN(share_among_largest)(int64_t n, real *dx, real dy, real y, const real *x) {
    int64_t ties = 0;
    for (int64_t j = 0; j < n; j++)
        ties += M(fabs)(x[j]) == y;
    for (int64_t j = 0; j < n; j++)
        dx[j] = M(fabs)(x[j]) == y ? dy * FN(sign)(x[j]) / (real)ties : 0;
}

static void FN(vjp_row)(int64_t n, real *dx, real dy, real y, const real *x, const tg_node *node) {
    real p = (real)tg_reduce_parameter(node);
    if (isinf(p))
        FN(share_among_largest)(n, dx, dy, y, x);
    else if (y == 0)
        memset(dx, 0, (size_t)n * sizeof *dx);
    else if (p == 2)
        for (int64_t j = 0; j < n; j++)
            dx[j] = dy * (x[j] / y);
    else
        for (int64_t j = 0; j < n; j++)
            dx[j] = x[j] == 0 ? 0 : dy * FN(sign)(x[j]) * M(pow)(M(fabs)(x[j]) / y, p - 1);
}

/* the side of 0 of each element, and for p = INFINITY which attain the largest: sqrt(x^2) need not round to |x| */
static void FN(branch)(const tg_node *y, tg_branches *b) {
    const tg_node *x = y->in[0];
    bool largest = isinf(tg_reduce_parameter(y));
    int64_t stride[TG_MAX_DIMS];
    tg_walk in, out;
    tg_reduce_strides(y, stride);
    tg_walk_begin(&in, x->ndim, x->size, x->stride);
    tg_walk_begin(&out, x->ndim, x->size, stride);
    for (int64_t i = 0; i < x->numel; i++, tg_walk_next(&in, 1), tg_walk_next(&out, 1)) {
        real v = ((const real *)x->data)[in.offset];
        tg_branch(b, (v > 0) - (v < 0) + 2 * (largest && M(fabs)(v) == ((const real *)y->data)[out.offset]));
    }
}

#else
#define TG_SELF "ops/norm.c"
#include "core/twice.h"
TG_WIDE_REDUCED_ROWS(forward_row, vjp_row);

static void grad(const tg_node *y, tg_tensor dy, tg_tensor *dx) {
    tg_tensor x = tg_in(y, 0), zero = tg_scalar(y->tape, 0), size = tg_reduced_along(y, tg_handle(y)), a = tg_abs(x);
    tg_tensor sign = tg_sub(tg_to_float(tg_gt(x, zero)), tg_to_float(tg_lt(x, zero)));
    double p = tg_reduce_parameter(y);
    if (isinf(p)) {
        tg_tensor attains = tg_to_float(tg_eq(a, size));
        dx[0] =
            tg_mul(tg_mul(sign, attains), tg_div(tg_reduced_along(y, dy), tg_sum(attains, tg_reduced_dims(y), true)));
        return;
    }
    tg_tensor divisor = tg_masked_fill(size, tg_eq(size, zero), 1); /* 0 / 0 would be differentiated to NaN */
    tg_tensor share = p == 2 ? tg_div(x, divisor) : tg_mul(sign, tg_pow(tg_div(a, divisor), p - 1));
    dx[0] = tg_masked_fill(tg_mul(tg_reduced_along(y, dy), share), tg_eq(p == 2 ? size : a, zero), 0);
}

static tg_tensor two(tg_tensor x, tg_dims dims, bool keepdim) { return tg_norm(x, 2, dims, keepdim); }

static tg_tensor probe(tg_tape *t, int variant) {
    switch (variant - TG_PROBE_REDUCTIONS) {
    case 0: return tg_norm(tg_probe_away(t, TG_SHAPE(2, 3)), 1, TG_DIMS(1), false);
    case 1: return tg_norm(tg_probe_away(t, TG_SHAPE(2, 3)), 3, TG_DIMS(0), true);
    case 2: return tg_norm(tg_probe_away(t, TG_SHAPE(2, 3)), 0.5, TG_ALL_DIMS, false);
    case 3: return tg_norm(tg_probe_away(t, TG_SHAPE(3, 4)), INFINITY, TG_DIMS(1), false);
    default: return tg_probe_reduction(t, variant, two);
    }
}

const tg_op tg_op_norm = {.name = "norm",
                          TG_REDUCTION,
                          .row = TG_ROWS(forward_row),
                          .row_vjp = TG_ROWS(vjp_row),
                          .wide = TG_WIDE_REDUCED(forward_row, vjp_row),
                          .needs = {TG_IN(0) | TG_OUT},
                          .branches = TG_BOTH(branch),
                          .grad = grad,
                          .probe = probe};

/* PyTorch: torch.linalg.vector_norm(x, p, dims, keepdim) */
tg_tensor tg_norm(tg_tensor x, double p, tg_dims dims, bool keepdim) {
    if (!(p > 0))
        return tg_fail_null(x.tape, TG_ERR_ARGUMENT, "norm: p is %g, but must be above 0 (INFINITY: the largest)", p);
    return tg_reduce(&tg_op_norm, x, dims, keepdim, p);
}

#endif
