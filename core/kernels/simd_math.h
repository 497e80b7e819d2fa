/* ln, expm1, sin, pow, tanh, erf, gelu and their like in float, for core/kernels/simd.h. Coefficients:
 * tests/golden/math_coefficients.py; the largest errors: tests/vmath_test.c. */

ALWAYS_INLINE vec_f32 polynomial(int terms, const float *c, vec_f32 x) {
    vec_f32 p = (vec_f32){0} + c[terms - 1];
    UNROLL
    for (int i = terms - 2; i >= 0; i--)
        p = p * x + c[i];
    return p;
}

ALWAYS_INLINE vec_f32 magnitude(vec_f32 x) { return (vec_f32)((bits_f32)x & 0x7fffffff); }
/* x >= 0 with the sign of s */
ALWAYS_INLINE vec_f32 with_sign(vec_f32 x, vec_f32 s) {
    return (vec_f32)((bits_f32)x | ((bits_f32)s & (int32_t)0x80000000));
}

/* ln(2^e (1 + f)) = e ln 2 + f - f^2 / 2 + f^3 p(f), 1/sqrt 2 <= 1 + f < sqrt 2 */
ALWAYS_INLINE vec_f32 log_sum(vec_f32 e, vec_f32 f) {
    static const float c[] = {0.333333106f, -0.249999866f, 0.200022182f,  -0.166692482f, 0.142188009f,
                              -0.12384459f, 0.118721424f,  -0.117889353f, 0.0691608113f};
    vec_f32 r = f * f * f * polynomial(9, c, f) + e * -2.12194440e-4f;
    return (r - f * f * 0.5f) + f + e * 0.693359375f;
}

/* x >= 0 is 2^e m, 1/sqrt 2 <= m < sqrt 2; m is anything where x is 0, infinite or NaN. Denormals are scaled up. */
ALWAYS_INLINE vec_f32 mantissa_of(vec_f32 x, bits_f32 *e) {
    bits_f32 tiny = x < 1.17549435e-38f;
    vec_f32 scaled = choose_f32(tiny, x * 8388608, x);
    bits_f32 b = (bits_f32)scaled - 0x3f3504f3; /* the bits of 1/sqrt 2: the exponent's change is there */
    *e = (b >> 23) - (tiny & 23);
    return (vec_f32)((b & 0x7fffff) + 0x3f3504f3);
}

ALWAYS_INLINE vec_f32 log_of(vec_f32 x) {
    const vec_f32 zero = {0};
    bits_f32 e;
    vec_f32 m = mantissa_of(magnitude(x), &e), r = log_sum(__builtin_convertvector(e, vec_f32), m - 1);
    r = choose_f32(x == (float)INFINITY, x, r);
    r = choose_f32(x == 0, zero - (float)INFINITY, r);
    return choose_f32((x < 0) | (x != x), zero + (float)NAN, r);
}

/* ln(1 + x): 1 + x = u + lost, u = 2^e m, so that 1 + f = m + lost / 2^e */
ALWAYS_INLINE vec_f32 log1p_of(vec_f32 x) {
    const vec_f32 zero = {0};
    vec_f32 u = 1 + x, back = u - 1, lost = (x - back) + (1 - (u - back));
    bits_f32 e;
    vec_f32 m = mantissa_of(magnitude(u), &e);
    vec_f32 scale = (vec_f32)((bits_f32)power_of_2_f32(-(words_f32)e) & (e < 64)); /* beyond it nothing is lost */
    vec_f32 r = with_sign(magnitude(log_sum(__builtin_convertvector(e, vec_f32), (m - 1) + lost * scale)), x);
    r = choose_f32(x == (float)INFINITY, x, r);
    r = choose_f32(x == -1, zero - (float)INFINITY, r);
    return choose_f32((x < -1) | (x != x), zero + (float)NAN, r);
}

/* x = n ln 2 + r + rest as for e^x; e^x - 1 = 2^n (q + 1 - 2^-n), q = e^r - 1 = r + r^2 p(r) + rest */
ALWAYS_INLINE vec_f32 expm1_of(vec_f32 x) {
    static const float c[] = {0.500000005f,   0.166666668f,   0.0416663551f,
                              0.00833327307f, 0.00139409892f, 0.000199141673f};
    const float round = ROUND_f32;
    vec_f32 v = choose_f32(x > EXP_HIGH_f32, (vec_f32){0} + EXP_HIGH_f32, x);
    v = choose_f32(v < -18, (vec_f32){0} - 18, v);
    vec_f32 shifted = v * 1.4426950408889634f + round, n = shifted - round;
    vec_f32 high = v - n * LN2_HIGH_f32, r = high - n * LN2_LOW_f32, rest = (high - r) - n * LN2_LOW_f32;
    vec_f32 q = r + (r * r * polynomial(6, c, r) + rest);
    words_f32 whole = (words_f32)shifted - (words_f32)((vec_f32){0} + round), half = (words_f32)((bits_f32)whole >> 1);
    vec_f32 one = (vec_f32)((bits_f32)power_of_2_f32(-whole) & (n < 64)); /* 2^-n, or too little to count */
    vec_f32 y = (q + (1 - one)) * power_of_2_f32(half) * power_of_2_f32(whole - half);
    return choose_f32(x != x, x, with_sign(magnitude(y), x));
}

/* Doubles, as many as there are floats in a vector. */
typedef double doubles __attribute__((vector_size(2 * VECTOR_BYTES), aligned(8), may_alias));
typedef uint64_t words_doubles __attribute__((vector_size(2 * VECTOR_BYTES), aligned(8), may_alias));

ALWAYS_INLINE bool any(bits_f32 mask) {
    uint64_t word[VECTOR_BYTES / 8], all = 0;
    memcpy(word, &mask, sizeof word);
    for (size_t k = 0; k < VECTOR_BYTES / 8; k++)
        all |= word[k];
    return all;
}

/* sin x, or with a turn cos x. |x| = k pi / 2 + r in double, where k times the first part of pi / 2 is exact; then
 * sin r = r + r^3 p(r^2) or cos r = 1 - r^2 / 2 + r^4 q(r^2). */
ALWAYS_INLINE vec_f32 sine_below(vec_f32 x, int turn) {
    static const float p[] = {-0.166666526f, 0.00833203023f, -0.000194971504f},
                       q[] = {0.0416666431f, -0.00138871792f, 2.4416486e-5f};
    vec_f32 a = magnitude(x), shifted = a * 0.636619772f + ROUND_f32, k = shifted - ROUND_f32;
    doubles ks = __builtin_convertvector(k, doubles);
    doubles rest = __builtin_convertvector(a, doubles) - ks * 1.57079631090164184570 - ks * 1.58932547735281966916e-8;
    vec_f32 r = __builtin_convertvector(rest, vec_f32), s = r * r;
    vec_f32 sine = r + r * (s * polynomial(3, p, s)), cosine = 1 - (s * 0.5f - s * s * polynomial(3, q, s));
    words_f32 quarter = (words_f32)shifted + (uint32_t)turn, sign = quarter << 30;
    if (!turn)
        sign ^= (words_f32)x;
    return (vec_f32)((words_f32)choose_f32(-(bits_f32)(quarter & 1), cosine, sine) ^ (sign & 0x80000000u));
}

/* From here on, and of a NaN, libm's. */
#define SIN_MAX 262144.0f
static __attribute__((noinline)) void sine_beyond(float *y, const float *x, int turn) {
    for (int k = 0; k < LANES_f32; k++)
        if (!(fabsf(x[k]) < SIN_MAX))
            y[k] = turn ? cosf(x[k]) : sinf(x[k]);
}

ALWAYS_INLINE vec_f32 sine_of(vec_f32 x, int turn) {
    vec_f32 y = sine_below(x, turn);
    if (any(~(magnitude(x) < SIN_MAX))) {
        vec_f32 in = x, out = y;
        sine_beyond((float *)&out, (const float *)&in, turn);
        y = out;
    }
    return y;
}
ALWAYS_INLINE vec_f32 sin_of(vec_f32 x) { return sine_of(x, 0); }
ALWAYS_INLINE vec_f32 cos_of(vec_f32 x) { return sine_of(x, 1); }

/* (2^e m)^y in double, rounded once: 2^(y (e + ln m / ln 2)), ln m = 2 s + s^3 p(s^2), s = (m - 1) / (m + 1) */
ALWAYS_INLINE vec_f32 power(vec_f32 m, vec_f32 e, vec_f32 y) {
    static const double p[] = {0.66666665665081398, 0.400003317539515861, 0.285374902264070905, 0.235791609986116588},
                        q[] = {0.999999999918937596,   0.693147206741057515,   0.24022651506039878,
                               0.0555032714875638329,  0.00961799440497774479, 0.00134004584699264706,
                               0.000154780524750094492};
    doubles n = __builtin_convertvector(m, doubles), s = (n - 1) / (n + 1), t = s * s;
    doubles ln = s + s + s * t * (p[0] + t * (p[1] + t * (p[2] + t * p[3])));
    doubles log2 = __builtin_convertvector(e, doubles) + ln * 1.4426950408889634;
    doubles power = __builtin_convertvector(y, doubles) * log2;
    doubles shifted = power + ROUND_f64, f = power - (shifted - ROUND_f64), r = (doubles){0} + q[6];
    UNROLL
    for (int k = 5; k >= 0; k--)
        r = r * f + q[k];
    words_doubles whole = (words_doubles)shifted - (words_doubles)((doubles){0} + ROUND_f64);
    vec_f32 z = __builtin_convertvector(r * (doubles)((whole + BIAS_f64) << MANTISSA_f64), vec_f32);
    vec_f32 size = __builtin_convertvector(power, vec_f32); /* a float's exponent ends before 200 */
    z = choose_f32(size > 200, (vec_f32){0} + (float)INFINITY, z);
    return (vec_f32)((bits_f32)z & (size > -200));
}

/* Where y is not an ordinary number, or x is a NaN, x^y is libm's. */
ALWAYS_INLINE bits_f32 is_ordinary(vec_f32 x, vec_f32 y) {
    vec_f32 size = magnitude(y);
    return (((size > 1e-30f) & (size < 4194304)) | (y == 0)) & (x == x);
}
static __attribute__((noinline)) void power_by_libm(float *z, const float *x, const float *y, const int32_t *ordinary) {
    for (int k = 0; k < LANES_f32; k++)
        if (!ordinary[k])
            z[k] = powf(x[k], y[k]);
}

ALWAYS_INLINE vec_f32 pow_of(vec_f32 x, vec_f32 y) {
    const vec_f32 zero = {0}, huge = zero + 3e38f;
    vec_f32 a = magnitude(x), shifted = y + ROUND_f32;
    bits_f32 e, ordinary = is_ordinary(x, y), whole = shifted - ROUND_f32 == y,
                odd = (bits_f32)((words_f32)shifted << 31);
    vec_f32 m = mantissa_of(a, &e), exponent = __builtin_convertvector(e, vec_f32);
    exponent = choose_f32(a == 0, -huge, choose_f32(a > FLT_MAX, huge, exponent));
    vec_f32 z = (vec_f32)((bits_f32)power(m, exponent, y) | (odd & whole & (bits_f32)x));
    z = choose_f32((x < 0) & (a <= FLT_MAX) & ~whole, zero + (float)NAN, z);
    if (any(~ordinary)) {
        vec_f32 base = x, to = y, out = z;
        power_by_libm((float *)&out, (const float *)&base, (const float *)&to, (const int32_t *)&ordinary);
        z = out;
    }
    return z;
}

/* near 0: x + x^3 p(x^2); else 1 - 2 / (e^2|x| + 1) with x's sign */
ALWAYS_INLINE vec_f32 tanh_of(vec_f32 x) {
    static const float c[] = {-0.333332851f, 0.133315152f, -0.0537451472f, 0.0206552262f, -0.00572163792f};
    vec_f32 a = magnitude(x), s = x * x;
    vec_f32 near = a + a * s * polynomial(5, c, s), far = 1 - 2 / (exp_of_f32(a + a) + 1);
    return with_sign(choose_f32(a < 0.625f, near, far), x);
}

/* near 0: x + x p(x^2); else 1 - e^p(|x|) with x's sign, p being ln erfc up to where erfc no longer counts */
ALWAYS_INLINE vec_f32 erf_of(vec_f32 x) {
    static const float c[] = {0.128379167f,  -0.376126363f,    0.112837364f,  -0.0268617735f,
                              0.0052072193f, -0.000821654744f, 8.69896827e-5f};
    static const float d[] = {7.56283865e-5f,  -1.12891805f,     -0.634914253f,   -0.105928033f,   0.0228983057f,
                              -0.00280336211f, -0.000114297103f, 0.000117150372f, -1.98298301e-5f, 1.23317507e-6f};
    vec_f32 a = magnitude(x), s = x * x;
    vec_f32 bounded = choose_f32(a > 4, (vec_f32){0} + 4, a);
    vec_f32 near = a + a * polynomial(7, c, s), far = 1 - exp_of_f32(polynomial(10, d, bounded));
    return choose_f32(x != x, x, with_sign(choose_f32(a < 0.875f, near, far), x));
}

/* e^-h for 0 <= h; 0 where that is no longer a normal number */
ALWAYS_INLINE vec_f32 exp_below_0(vec_f32 h) {
    const float round = ROUND_f32;
    vec_f32 shifted = h * -1.4426950408889634f + round, n = shifted - round;
    vec_f32 r = -h - n * LN2_HIGH_f32 - n * LN2_LOW_f32;
    vec_f32 p = 1 + (r + r * r * polynomial(EXP_TERMS_f32, exp_coefficients_f32, r));
    bits_f32 normal = ~(h > 87);
    words_f32 whole = (words_f32)(normal & (bits_f32)shifted) - (words_f32)((vec_f32){0} + round);
    return (vec_f32)(normal & (bits_f32)(p * power_of_2_f32(whole)));
}

/* Phi(x), the normal distribution function, and e^(-x^2 / 2). Near 0: 1/2 + x p(x^2); else from
 * Phi(-a) = e^(-a^2 / 2) t p(t), t = 1 / (1 + a / 2), for a > 0. */
ALWAYS_INLINE vec_f32 normal_of(vec_f32 x, vec_f32 *density) {
    static const float c[] = {0.398942265f,    -0.0664900455f,  0.00997168791f,
                              -0.00118295936f, 0.000110477165f, -6.67802637e-6f};
    static const float d[] = {0.19934155f, 0.202232771f, 0.126181571f, 0.151066833f, -0.292147648f, 0.114447959f};
    vec_f32 a = magnitude(x), s = x * x, t = 1 / (1 + 0.5f * a), e = exp_below_0(0.5f * s);
    vec_f32 near = 0.5f + x * polynomial(6, c, s), tail = e * (t * polynomial(6, d, t));
    *density = e;
    return choose_f32(a < 1.25f, near, choose_f32(x < 0, tail, 1 - tail));
}

ALWAYS_INLINE vec_f32 gelu_of(vec_f32 x) {
    vec_f32 e;
    return x * normal_of(x, &e);
}

/* The derivative, Phi(x) + x e^(-x^2 / 2) / sqrt(2 pi). */
ALWAYS_INLINE vec_f32 gelu_slope_of(vec_f32 x) {
    vec_f32 e, cdf = normal_of(x, &e);
    return cdf + x * (0.39894228f * e);
}

/* y[j] = f(x[j]) */
ALWAYS_INLINE void each(int64_t n, float *y, const float *x, vec_f32 (*f)(vec_f32 x)) {
    int64_t j = 0;
    for (; j + LANES_f32 <= n; j += LANES_f32)
        *(vec_f32 *)(y + j) = f(*(const vec_f32 *)(x + j));
    if (j < n)
        store_some_f32(n - j, y + j, f(load_some_f32(n - j, x + j)));
}

static void log_row(int64_t n, float *y, const float *x) { each(n, y, x, log_of); }
static void log1p_row(int64_t n, float *y, const float *x) { each(n, y, x, log1p_of); }
static void expm1_row(int64_t n, float *y, const float *x) { each(n, y, x, expm1_of); }
static void sin_row(int64_t n, float *y, const float *x) { each(n, y, x, sin_of); }
static void cos_row(int64_t n, float *y, const float *x) { each(n, y, x, cos_of); }
static void tanh_row(int64_t n, float *y, const float *x) { each(n, y, x, tanh_of); }
static void erf_row(int64_t n, float *y, const float *x) { each(n, y, x, erf_of); }
static void gelu_row(int64_t n, float *y, const float *x) { each(n, y, x, gelu_of); }

static void gelu_vjp_row(int64_t n, float *dx, const float *dy, const float *x) {
    int64_t j = 0;
    for (; j + LANES_f32 <= n; j += LANES_f32)
        *(vec_f32 *)(dx + j) = *(const vec_f32 *)(dy + j) * gelu_slope_of(*(const vec_f32 *)(x + j));
    if (j < n)
        store_some_f32(n - j, dx + j, load_some_f32(n - j, dy + j) * gelu_slope_of(load_some_f32(n - j, x + j)));
}

/* one exponent for all where `step` is 0 */
static void pow_row(int64_t n, float *y, const float *x, const float *p, int step) {
    int64_t j = 0;
    vec_f32 exponent = (vec_f32){0} + *p;
    for (; j + LANES_f32 <= n; j += LANES_f32) {
        if (step)
            exponent = *(const vec_f32 *)(p + j);
        *(vec_f32 *)(y + j) = pow_of(*(const vec_f32 *)(x + j), exponent);
    }
    if (j < n && step)
        exponent = load_some_f32(n - j, p + j);
    if (j < n)
        store_some_f32(n - j, y + j, pow_of(load_some_f32(n - j, x + j), exponent));
}
