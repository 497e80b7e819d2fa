/* ln x, ln(1 + x), e^x - 1, tanh x, Phi(x) and gelu, for core/kernels/simd.h, in both types. Coefficients:
 * tests/golden/math_coefficients.py; the largest errors: tests/vmath_test.c. */

#define SIGN FN(SIGN)
static const FN(integer) SIGN = (FN(integer))((FN(unsigned_integer))1 << (8 * sizeof(real) - 1));
ALWAYS_INLINE vec FN(magnitude)(vec x) { return (vec)((bits)x & ~SIGN); }
/* x >= 0 with the sign of s */
ALWAYS_INLINE vec FN(with_sign)(vec x, vec s) { return (vec)((bits)x | ((bits)s & SIGN)); }

/* For integers as small as exponents: AVX2 cannot convert 64-bit integers. */
ALWAYS_INLINE vec FN(number_of)(bits n) {
    const vec round = (vec){0} + FN(ROUND);
    return (vec)((words)n + (words)round) - round;
}

/* ln(2^e (1 + f)), 1/sqrt 2 <= 1 + f < sqrt 2, in float = e ln 2 + f - f^2 / 2 + f^3 p(f); in double
 * = e ln 2 + f - (f^2 / 2 - s (f^2 / 2 + s^2 p(s^2))), s = f / (2 + f) */
ALWAYS_INLINE vec FN(log_sum)(vec e, vec f) {
    static const real c[] = {(real)0.333333106,  (real)-0.249999866, (real)0.200022182,
                             (real)-0.166692482, (real)0.142188009,  (real)-0.12384459,
                             (real)0.118721424,  (real)-0.117889353, (real)0.0691608113};
    static const real d[] = {(real)0.666666666666673023, (real)0.399999999994367827, (real)0.285714287381951918,
                             (real)0.222221989540465944, (real)0.18183546383554261,  (real)0.153144734814676222,
                             (real)0.147920048211023885};
    vec half = f * f * (real)0.5, s = f / (2 + f), z = s * s, r;
    if (sizeof(real) == sizeof(float))
        r = f * f * f * FN(polynomial)(9, c, f) + e * FN(LN2_LOW);
    else
        r = s * (half + z * FN(polynomial)(7, d, z)) + e * FN(LN2_LOW);
    return (r - half) + f + e * FN(LN2_HIGH);
}

/* x >= 0 is 2^e m, 1/sqrt 2 <= m < sqrt 2; m is unspecified where x is 0, infinite or NaN. Subnormals are scaled up. */
ALWAYS_INLINE vec FN(mantissa_of)(vec x, bits *e) {
    const FN(unsigned_integer) fraction = ((FN(unsigned_integer))1 << FN(MANTISSA)) - 1;
    bits tiny = x < FN(NORMAL);
    vec scaled = FN(choose)(tiny, x * (real)(fraction + 1), x);
    /* subtracting the bits of 1/sqrt 2 puts the change of exponent there */
    words b = (words)scaled - FN(HALF_ROOT) + ((FN(unsigned_integer))FN(BIAS) << FN(MANTISSA));
    *e = (bits)(b >> FN(MANTISSA)) - FN(BIAS) - (tiny & FN(MANTISSA));
    return (vec)((b & fraction) + FN(HALF_ROOT));
}

ALWAYS_INLINE vec FN(log_of)(vec x) {
    const vec zero = {0};
    bits e;
    vec m = FN(mantissa_of)(FN(magnitude)(x), &e), r = FN(log_sum)(FN(number_of)(e), m - 1);
    r = FN(choose)(x == (real)INFINITY, x, r);
    r = FN(choose)(x == 0, zero - (real)INFINITY, r);
    return FN(choose)((x < 0) | (x != x), zero + (real)NAN, r);
}

/* ln(1 + x): 1 + x = u + lost, u = 2^e m, so that 1 + f = m + lost / 2^e */
ALWAYS_INLINE vec FN(log1p_of)(vec x) {
    const vec zero = {0};
    vec u = 1 + x, back = u - 1, lost = (x - back) + (1 - (u - back));
    bits e;
    vec m = FN(mantissa_of)(FN(magnitude)(u), &e);
    vec scale = (vec)((bits)FN(power_of_2)(-(words)e) & (e < 64)); /* beyond, lost is 0 */
    vec r = FN(with_sign)(FN(magnitude)(FN(log_sum)(FN(number_of)(e), (m - 1) + lost * scale)), x);
    r = FN(choose)(x == (real)INFINITY, x, r);
    r = FN(choose)(x == -1, zero - (real)INFINITY, r);
    return FN(choose)((x < -1) | (x != x), zero + (real)NAN, r);
}

/* x = n ln 2 + r + rest as for e^x; e^x - 1 = 2^n (q + 1 - 2^-n), q = e^r - 1 = r + r^2 p(r) + rest */
ALWAYS_INLINE vec FN(expm1_of)(vec x) {
    const real round = FN(ROUND), low = FN(EXPM1_LOW); /* below, the result is -1 */
    vec v = FN(greatest)((vec){0} + low, FN(least)((vec){0} + FN(EXP_HIGH), x));
    vec shifted = v * (real)1.4426950408889634 + round, n = shifted - round;
    vec high = v - n * FN(LN2_HIGH), r = high - n * FN(LN2_LOW), rest = (high - r) - n * FN(LN2_LOW);
    vec q = r + (r * r * FN(polynomial)(FN(EXPM1_TERMS), FN(expm1_coefficients), r) + rest);
    words whole = (words)shifted - (words)((vec){0} + round);
    vec one = (vec)((bits)FN(power_of_2)(-whole) & (n < 64)); /* 2^-n, or 0 where it is negligible */
    vec y = FN(SCALED)(q + (1 - one), n, shifted);
    return FN(choose)(x != x, x, FN(with_sign)(FN(magnitude)(y), x));
}

/* near 0: x + x^3 p(x^2); else 1 - 2 / (e^2|x| + 1) with x's sign */
ALWAYS_INLINE vec FN(tanh_of)(vec x) {
    vec a = FN(magnitude)(x), s = x * x;
    vec near = a + a * s * FN(polynomial)(FN(TANH_TERMS), FN(tanh_coefficients), s),
        far = 1 - 2 / (FN(exp_of)(a + a) + 1);
    return FN(with_sign)(FN(choose)(a < (real)0.625, near, far), x);
}

/* e^-h for 0 <= h; 0 where the result would be subnormal */
ALWAYS_INLINE vec FN(exp_below_0)(vec h) {
    const real round = FN(ROUND);
    vec shifted = h * (real)-1.4426950408889634 + round, n = shifted - round;
    vec r = -h - n * FN(LN2_HIGH) - n * FN(LN2_LOW);
    vec p = 1 + (r + r * r * FN(polynomial)(FN(EXP_TERMS), FN(exp_coefficients), r));
    bits normal = ~(h > FN(EXP_BELOW));
    words whole = (words)(normal & (bits)shifted) - (words)((vec){0} + round);
    return (vec)(normal & (bits)(p * FN(power_of_2)(whole)));
}

/* Phi(-a) e^(a^2 / 2), t = 1 / (1 + a / 2): t p(t); in double by even and odd powers of t - 1/3, two independent
 * sums. */
ALWAYS_INLINE vec FN(normal_tail)(vec t) {
    static const real c[] = {(real)0.19934155,  (real)0.202232771,  (real)0.126181571,
                             (real)0.151066833, (real)-0.292147648, (real)0.114447959};
    static const real even[] = {(real)0.283231923905906811,  (real)0.124904928922941305,    (real)-0.105160744858815846,
                                (real)0.0805200576541655295, (real)-0.00280734389294164508, (real)-0.218590961420508456,
                                (real)0.620046415579338176,  (real)-0.772946339325291519,   (real)-0.862765164764783329,
                                (real)5.77922424568536827,   (real)-8.90498276563272639};
    static const real odd[] = {(real)0.300488848734353844,  (real)-0.110874288342980869, (real)0.111534968323086299,
                               (real)-0.17278006961434107,  (real)0.255513250892206947,  (real)-0.213098655379087847,
                               (real)-0.340396610507670952, (real)1.75311522189161849,   (real)-2.68858139292476821,
                               (real)-1.47094274193812151,  (real)9.2206916375067038};
    vec u = t - (real)0.333333333333333333, z = u * u;
    if (sizeof(real) == sizeof(float))
        return t * FN(polynomial)(6, c, t);
    return t * (FN(polynomial)(11, even, z) + u * FN(polynomial)(11, odd, z));
}

/* Phi(x), the normal distribution function, and e^(-x^2 / 2). Near 0: 1/2 + x p(x^2). */
ALWAYS_INLINE vec FN(normal_of)(vec x, vec *density) {
    vec a = FN(magnitude)(x), s = x * x, t = 1 / (1 + (real)0.5 * a), e = FN(exp_below_0)((real)0.5 * s);
    vec near = (real)0.5 + x * FN(polynomial)(FN(NORMAL_TERMS), FN(normal_coefficients), s),
        tail = e * FN(normal_tail)(t);
    *density = e;
    return FN(choose)(a < (real)1.25, near, FN(choose)(x < 0, tail, 1 - tail));
}

ALWAYS_INLINE vec FN(gelu_of)(vec x) {
    vec e;
    return x * FN(normal_of)(x, &e);
}

/* The derivative, Phi(x) + x e^(-x^2 / 2) / sqrt(2 pi). */
ALWAYS_INLINE vec FN(gelu_slope_of)(vec x) {
    vec e, cdf = FN(normal_of)(x, &e);
    return cdf + x * ((real)0.398942280401432678 * e);
}

/* y[j] = f(x[j]) */
ALWAYS_INLINE void FN(each)(int64_t n, real *y, const real *x, vec (*f)(vec x)) {
    int64_t j = 0;
    for (; j + LANES <= n; j += LANES)
        *(vec *)(y + j) = f(*(const vec *)(x + j));
    if (j < n)
        FN(store_some)(n - j, y + j, f(FN(load_some)(n - j, x + j)));
}

static void FN(log_row)(int64_t n, real *y, const real *x) { FN(each)(n, y, x, FN(log_of)); }
static void FN(log1p_row)(int64_t n, real *y, const real *x) { FN(each)(n, y, x, FN(log1p_of)); }
static void FN(expm1_row)(int64_t n, real *y, const real *x) { FN(each)(n, y, x, FN(expm1_of)); }
static void FN(tanh_row)(int64_t n, real *y, const real *x) { FN(each)(n, y, x, FN(tanh_of)); }
static void FN(gelu_row)(int64_t n, real *y, const real *x) { FN(each)(n, y, x, FN(gelu_of)); }

static void FN(gelu_vjp_row)(int64_t n, real *dx, const real *dy, const real *x) {
    int64_t j = 0;
    for (; j + LANES <= n; j += LANES)
        *(vec *)(dx + j) = *(const vec *)(dy + j) * FN(gelu_slope_of)(*(const vec *)(x + j));
    if (j < n)
        FN(store_some)(n - j, dx + j, FN(load_some)(n - j, dy + j) * FN(gelu_slope_of)(FN(load_some)(n - j, x + j)));
}
