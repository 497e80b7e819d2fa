/* ln, tanh and erf in float, for core/kernels/simd.h. Coefficients: tests/golden/math_coefficients.py; the largest
 * errors: tests/vmath_test.c. */

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
