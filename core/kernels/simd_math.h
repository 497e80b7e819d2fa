/* ln, tanh, erf and gelu in float, for core/kernels/simd.h. Coefficients: tests/golden/math_coefficients.py; the
 * largest errors: tests/vmath_test.c. */

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

/* x = 2^e (1 + f), 1/sqrt 2 <= 1 + f < sqrt 2; ln x = e ln 2 + f - f^2 / 2 + f^3 p(f). Denormals are scaled up. */
ALWAYS_INLINE vec_f32 log_of(vec_f32 x) {
    static const float c[] = {0.333333106f, -0.249999866f, 0.200022182f,  -0.166692482f, 0.142188009f,
                              -0.12384459f, 0.118721424f,  -0.117889353f, 0.0691608113f};
    const vec_f32 zero = {0};
    bits_f32 tiny = x < 1.17549435e-38f;
    vec_f32 scaled = choose_f32(tiny, x * 8388608, x);
    bits_f32 b = (bits_f32)magnitude(scaled) - 0x3f3504f3; /* the bits of 1/sqrt 2: the exponent's change is there */
    bits_f32 exponent = (b >> 23) - (tiny & 23);
    vec_f32 e = __builtin_convertvector(exponent, vec_f32);
    vec_f32 f = (vec_f32)((b & 0x7fffff) + 0x3f3504f3) - 1;
    vec_f32 r = f * f * f * polynomial(9, c, f) + e * -2.12194440e-4f;
    r = (r - f * f * 0.5f) + f + e * 0.693359375f;
    r = choose_f32(x == (float)INFINITY, x, r);
    r = choose_f32(x == 0, zero - (float)INFINITY, r);
    return choose_f32((x < 0) | (x != x), zero + (float)NAN, r);
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

static void log_row(int64_t n, float *y, const float *x) {
    int64_t j = 0;
    for (; j + LANES_f32 <= n; j += LANES_f32)
        *(vec_f32 *)(y + j) = log_of(*(const vec_f32 *)(x + j));
    if (j < n)
        store_some_f32(n - j, y + j, log_of(load_some_f32(n - j, x + j)));
}

static void tanh_row(int64_t n, float *y, const float *x) {
    int64_t j = 0;
    for (; j + LANES_f32 <= n; j += LANES_f32)
        *(vec_f32 *)(y + j) = tanh_of(*(const vec_f32 *)(x + j));
    if (j < n)
        store_some_f32(n - j, y + j, tanh_of(load_some_f32(n - j, x + j)));
}

static void erf_row(int64_t n, float *y, const float *x) {
    int64_t j = 0;
    for (; j + LANES_f32 <= n; j += LANES_f32)
        *(vec_f32 *)(y + j) = erf_of(*(const vec_f32 *)(x + j));
    if (j < n)
        store_some_f32(n - j, y + j, erf_of(load_some_f32(n - j, x + j)));
}

static void gelu_row(int64_t n, float *y, const float *x) {
    int64_t j = 0;
    for (; j + LANES_f32 <= n; j += LANES_f32)
        *(vec_f32 *)(y + j) = gelu_of(*(const vec_f32 *)(x + j));
    if (j < n)
        store_some_f32(n - j, y + j, gelu_of(load_some_f32(n - j, x + j)));
}

static void gelu_vjp_row(int64_t n, float *dx, const float *dy, const float *x) {
    int64_t j = 0;
    for (; j + LANES_f32 <= n; j += LANES_f32)
        *(vec_f32 *)(dx + j) = *(const vec_f32 *)(dy + j) * gelu_slope_of(*(const vec_f32 *)(x + j));
    if (j < n)
        store_some_f32(n - j, dx + j, load_some_f32(n - j, dy + j) * gelu_slope_of(load_some_f32(n - j, x + j)));
}
