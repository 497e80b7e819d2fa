/* sin, cos and erf in float and in double, pow in float, for core/kernels/simd.h.
 * Coefficients: tests/golden/math_coefficients.py; the largest errors: tests/vmath_test.c. */

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

/* sin x, or cos x if turn is 1. |x| = k pi / 2 + r in double, where k times the first part of pi / 2 is exact; then
 * sin r = r + r^3 p(r^2) or cos r = 1 - r^2 / 2 + r^4 q(r^2). */
ALWAYS_INLINE vec_f32 sine_below(vec_f32 x, int turn) {
    static const float p[] = {-0.166666526f, 0.00833203023f, -0.000194971504f},
                       q[] = {0.0416666431f, -0.00138871792f, 2.4416486e-5f};
    vec_f32 a = magnitude_f32(x), shifted = a * 0.636619772f + ROUND_f32, k = shifted - ROUND_f32;
    doubles ks = __builtin_convertvector(k, doubles);
    doubles rest = __builtin_convertvector(a, doubles) - ks * 1.57079631090164184570 - ks * 1.58932547735281966916e-8;
    vec_f32 r = __builtin_convertvector(rest, vec_f32), s = r * r;
    vec_f32 sine = r + r * (s * polynomial_f32(3, p, s)), cosine = 1 - (s * 0.5f - s * s * polynomial_f32(3, q, s));
    words_f32 quarter = (words_f32)shifted + (uint32_t)turn, sign = quarter << 30;
    if (!turn)
        sign ^= (words_f32)x;
    return (vec_f32)((words_f32)choose_f32(-(bits_f32)(quarter & 1), cosine, sine) ^ (sign & 0x80000000u));
}

/* From here on, and for NaN, libm's. */
#define SIN_MAX 262144.0f
static __attribute__((noinline)) void sine_beyond(float *y, const float *x, int turn) {
    for (int k = 0; k < LANES_f32; k++)
        if (!(fabsf(x[k]) < SIN_MAX))
            y[k] = turn ? cosf(x[k]) : sinf(x[k]);
}

ALWAYS_INLINE vec_f32 sine_of(vec_f32 x, int turn) {
    vec_f32 y = sine_below(x, turn);
    if (any(~(magnitude_f32(x) < SIN_MAX))) {
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

/* x^y is libm's where this is false: y is tiny, huge or NaN, or x is NaN. */
ALWAYS_INLINE bits_f32 is_ordinary(vec_f32 x, vec_f32 y) {
    vec_f32 size = magnitude_f32(y);
    return (((size > 1e-30f) & (size < 4194304)) | (y == 0)) & (x == x);
}
static __attribute__((noinline)) void power_by_libm(float *z, const float *x, const float *y, const int32_t *ordinary) {
    for (int k = 0; k < LANES_f32; k++)
        if (!ordinary[k])
            z[k] = powf(x[k], y[k]);
}

ALWAYS_INLINE vec_f32 pow_of(vec_f32 x, vec_f32 y) {
    const vec_f32 zero = {0}, huge = zero + 3e38f;
    vec_f32 a = magnitude_f32(x), shifted = y + ROUND_f32;
    bits_f32 e, ordinary = is_ordinary(x, y), whole = shifted - ROUND_f32 == y,
                odd = (bits_f32)((words_f32)shifted << 31);
    vec_f32 m = mantissa_of_f32(a, &e), exponent = number_of_f32(e);
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

/* near 0: x + x p(x^2); else 1 - e^p(|x|) with x's sign, p = ln erfc, up to where erfc is negligible */
ALWAYS_INLINE vec_f32 erf_of(vec_f32 x) {
    static const float c[] = {0.128379167f,  -0.376126363f,    0.112837364f,  -0.0268617735f,
                              0.0052072193f, -0.000821654744f, 8.69896827e-5f};
    static const float d[] = {7.56283865e-5f,  -1.12891805f,     -0.634914253f,   -0.105928033f,   0.0228983057f,
                              -0.00280336211f, -0.000114297103f, 0.000117150372f, -1.98298301e-5f, 1.23317507e-6f};
    vec_f32 a = magnitude_f32(x), s = x * x;
    vec_f32 bounded = choose_f32(a > 4, (vec_f32){0} + 4, a);
    vec_f32 near = a + a * polynomial_f32(7, c, s), far = 1 - exp_of_f32(polynomial_f32(10, d, bounded));
    return choose_f32(x != x, x, with_sign_f32(choose_f32(a < 0.875f, near, far), x));
}

static void sin_row(int64_t n, float *y, const float *x) { each_f32(n, y, x, sin_of); }
static void cos_row(int64_t n, float *y, const float *x) { each_f32(n, y, x, cos_of); }
static void erf_row(int64_t n, float *y, const float *x) { each_f32(n, y, x, erf_of); }

/* step 0: one exponent for all */
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

/* ---- in double ---- */

/* sin x, or cos x if turn is 1, as in float. pi / 2 has three parts, of which k times the first two is exact; the
 * rounding error of subtracting the second is added back with the third. */
ALWAYS_INLINE vec_f64 sine_below_in_double(vec_f64 x, int turn) {
    static const double p[] = {-0.166666666666666176,  0.00833333333331867031,  -0.000198412698267289491,
                               2.75573126049180653e-6, -2.50505860018131008e-8, 1.5886752300141646e-10},
                        q[] = {0.041666666666666583,    -0.00138888888888706591, 0.0000248015872870552628,
                               -2.75573135960463007e-7, 2.08756148937497261e-9,  -1.1353819009625605e-11};
    vec_f64 a = magnitude_f64(x), shifted = a * 0.636619772367581343 + ROUND_f64, k = shifted - ROUND_f64;
    vec_f64 first = a - k * 1.57079632673412561417, second = k * 6.07710050630396597660e-11, rest = first - second;
    vec_f64 r = rest - (k * 2.02226624879595063154e-21 - ((first - rest) - second)), s = r * r;
    vec_f64 sine = r + r * (s * polynomial_f64(6, p, s)), cosine = 1 - (s * 0.5 - s * s * polynomial_f64(6, q, s));
    words_f64 quarter = (words_f64)shifted + (uint64_t)turn, sign = quarter << 62;
    if (!turn)
        sign ^= (words_f64)x;
    return (vec_f64)((words_f64)choose_f64(-(bits_f64)(quarter & 1), cosine, sine) ^ (sign & 0x8000000000000000u));
}

static __attribute__((noinline)) void sine_beyond_in_double(double *y, const double *x, int turn) {
    for (int k = 0; k < LANES_f64; k++)
        if (!(fabs(x[k]) < (double)SIN_MAX))
            y[k] = turn ? cos(x[k]) : sin(x[k]);
}

ALWAYS_INLINE vec_f64 sine_in_double(vec_f64 x, int turn) {
    vec_f64 y = sine_below_in_double(x, turn);
    if (any((bits_f32) ~(magnitude_f64(x) < (double)SIN_MAX))) {
        vec_f64 in = x, out = y;
        sine_beyond_in_double((double *)&out, (const double *)&in, turn);
        y = out;
    }
    return y;
}
ALWAYS_INLINE vec_f64 sin_in_double(vec_f64 x) { return sine_in_double(x, 0); }
ALWAYS_INLINE vec_f64 cos_in_double(vec_f64 x) { return sine_in_double(x, 1); }

/* near 0: x p(x^2); else 1 - 2 Phi(-|x| sqrt 2) with x's sign */
ALWAYS_INLINE vec_f64 erf_in_double(vec_f64 x) {
    static const double c[] = {1.12837916709551257,     -0.376126389031837482,     0.112837916709548844,
                               -0.0268661706450778694,  0.00522397762482838439,    -0.000854832698142338043,
                               0.000120553311328926934, -0.0000149255957709926597, 1.64610084633530074e-6,
                               -1.63503961126091388e-7, 1.46603282355927852e-8,    -1.13749547221697397e-9,
                               5.96068492573332194e-11};
    vec_f64 a = magnitude_f64(x), s = x * x, t = 1 / (1 + a * 0.707106781186547524);
    vec_f64 near = a * polynomial_f64(13, c, s), far = 1 - 2 * exp_below_0_f64(s) * normal_tail_f64(t);
    return choose_f64(x != x, x, with_sign_f64(choose_f64(a < 1, near, far), x));
}

static void sin_row_in_double(int64_t n, double *y, const double *x) { each_f64(n, y, x, sin_in_double); }
static void cos_row_in_double(int64_t n, double *y, const double *x) { each_f64(n, y, x, cos_in_double); }
static void erf_row_in_double(int64_t n, double *y, const double *x) { each_f64(n, y, x, erf_in_double); }
