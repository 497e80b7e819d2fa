/* e^x, for core/kernels/simd.h, in both types. Coefficients: tests/golden/math_coefficients.py. */

/* a where the mask is all ones, b where it is zero */
ALWAYS_INLINE vec FN(choose)(bits mask, vec a, vec b) { return (vec)((mask & (bits)a) | (~mask & (bits)b)); }

/* a < b ? a : b, and a > b ? a : b: b where either is a NaN */
ALWAYS_INLINE vec FN(least)(vec a, vec b) { return FN(LEAST)(a, b); }
ALWAYS_INLINE vec FN(greatest)(vec a, vec b) { return FN(GREATEST)(a, b); }

ALWAYS_INLINE vec FN(polynomial)(int terms, const real *c, vec x) {
    vec p = (vec){0} + c[terms - 1];
    UNROLL
    for (int i = terms - 2; i >= 0; i--)
        p = p * x + c[i];
    return p;
}

/* 2^n for n from EXPONENT_LOW up to and including the one that gives infinity */
ALWAYS_INLINE vec FN(power_of_2)(words n) { return (vec)((n + FN(BIAS)) << FN(MANTISSA)); }

/* p 2^n, shifted = n + ROUND: 2^n in two halves, so that subnormal and infinite results are right */
ALWAYS_INLINE vec FN(scaled_in_halves)(vec p, vec shifted) {
    words whole = (words)shifted - (words)((vec){0} + FN(ROUND)), half = (words)((bits)whole >> 1);
    return p * FN(power_of_2)(half) * FN(power_of_2)(whole - half);
}

/* x = n ln 2 + r, |r| <= ln 2 / 2; e^x = 2^n (1 + r + r^2 p(r)); NaNs propagate. */
ALWAYS_INLINE vec FN(exp_of)(vec x) {
    const real round = FN(ROUND); /* adding it leaves the nearest integer in the lowest bits */
    x = FN(greatest)((vec){0} + FN(EXP_LOW), FN(least)((vec){0} + FN(EXP_HIGH), x));
    vec shifted = x * (real)1.4426950408889634 + round, n = shifted - round;
    vec r = x - n * FN(LN2_HIGH) - n * FN(LN2_LOW);
    vec p = FN(polynomial)(FN(EXP_TERMS), FN(exp_coefficients), r);
    return FN(SCALED)(1 + (r + r * r * p), n, shifted);
}

/* The last n < LANES elements, the other lanes zero; and back. */
ALWAYS_INLINE vec FN(load_some)(int64_t n, const real *x) {
    real buffer[LANES] = {0};
    for (int64_t j = 0; j < n; j++)
        buffer[j] = x[j];
    return *(const vec *)buffer;
}
ALWAYS_INLINE void FN(store_some)(int64_t n, real *y, vec v) {
    real buffer[LANES];
    *(vec *)buffer = v;
    for (int64_t j = 0; j < n; j++)
        y[j] = buffer[j];
}

static void FN(exp_row)(int64_t n, real *y, const real *x, real shift) {
    int64_t j = 0;
    for (; j + LANES <= n; j += LANES)
        *(vec *)(y + j) = FN(exp_of)(*(const vec *)(x + j) - shift);
    if (j < n)
        FN(store_some)(n - j, y + j, FN(exp_of)(FN(load_some)(n - j, x + j) - shift));
}

/* 1 / (1 + e^-x). The rounding error of the sum, rest, is compensated: 1 / (sum + rest) = y - rest y^2. Far below 0,
 * e^-x is infinite and the result 0. */
ALWAYS_INLINE vec FN(sigmoid_of)(vec x) {
    vec e = FN(exp_of)(-x), sum = 1 + e, rest = 1 - (sum - e), y = 1 / sum;
    return y - (vec)((bits)rest & (sum < (real)INFINITY)) * (y * y);
}

static void FN(sigmoid_row)(int64_t n, real *y, const real *x) {
    int64_t j = 0;
    for (; j + LANES <= n; j += LANES)
        *(vec *)(y + j) = FN(sigmoid_of)(*(const vec *)(x + j));
    if (j < n)
        FN(store_some)(n - j, y + j, FN(sigmoid_of)(FN(load_some)(n - j, x + j)));
}
