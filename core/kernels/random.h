/* From uniform to float32 normal numbers as PyTorch's AVX2 code makes them (core/random/init.c says which bits agree).
 * One source for core/random/init.c and for every instruction set, where the compiler vectorises the loops and fma is
 * one instruction. */
#ifndef TAPEGRAD_RANDOM_H
#define TAPEGRAD_RANDOM_H

#include <math.h>
#include <stdint.h>
#include <string.h>

enum { NORMAL_BLOCK = 16 }; /* normals are made this many at a time */

/* x[i] = x[i] factor + offset */
static inline void scale_row_f32(int64_t n, float *x, float factor, float offset) {
    for (int64_t i = 0; i < n; i++)
        x[i] = fmaf(x[i], factor, offset);
}
static inline void scale_row_f64(int64_t n, double *x, double factor, double offset) {
    for (int64_t i = 0; i < n; i++)
        x[i] = fma(x[i], factor, offset);
}

static inline int32_t bits_of(float x) {
    int32_t b;
    memcpy(&b, &x, sizeof b);
    return b;
}
static inline float float_from_bits(int32_t b) {
    float x;
    memcpy(&x, &b, sizeof x);
    return x;
}
/* a where the mask is all ones, b where it is zero: bitwise, as branches would prevent vectorisation */
static inline float choose(int32_t mask, float a, float b) {
    return float_from_bits((mask & bits_of(a)) | (~mask & bits_of(b)));
}
static inline float negate_if(int32_t mask, float a) { return float_from_bits(bits_of(a) ^ (mask & INT32_MIN)); }

/* ln x by Moshier's polynomial (Cephes, logf) for normal x > 0: x = 2^e m, m in [sqrt(1/2), sqrt 2), and
 * ln x = e ln 2 + ln m. */
static inline float log_for_normal(float x) {
    int32_t half = (bits_of(x) & 0x7fffff) | 0x3f000000; /* the mantissa, in [1/2, 1) */
    int32_t small = -(half < 0x3f3504f3);                /* below sqrt(1/2) */
    float e = (float)((bits_of(x) >> 23) - 126 + small), m = float_from_bits(half);
    m = (m - 1) + choose(small, m, 0);
    float square = m * m, y = 7.0376836292e-2f;
    y = fmaf(y, m, -1.1514610310e-1f);
    y = fmaf(y, m, 1.1676998740e-1f);
    y = fmaf(y, m, -1.2420140846e-1f);
    y = fmaf(y, m, 1.4249322787e-1f);
    y = fmaf(y, m, -1.6668057665e-1f);
    y = fmaf(y, m, 2.0000714765e-1f);
    y = fmaf(y, m, -2.4999993993e-1f);
    y = fmaf(y, m, 3.3333331174e-1f);
    y = fmaf(y * m, square, e * -2.12194440e-4f);
    y = fmaf(-0.5f, square, y);
    return fmaf(e, 0.693359375f, m + y); /* ln 2 = 0.693359375 - 0.000212194440 */
}

/* sin x and cos x for x >= 0 by Moshier's polynomials (Cephes, sinf) on [-pi/4, pi/4]; pi/4 in three parts. */
static inline void sin_cos_for_normal(float x, float *sin_x, float *cos_x) {
    int32_t octant = ((int32_t)(x * 1.27323954f) + 1) & ~1, quadrant = octant >> 1;
    float y = (float)octant;
    x = fmaf(y, -0.78515625f, x);
    x = fmaf(y, -2.4187564849853515625e-4f, x);
    x = fmaf(y, -3.77489497744594108e-8f, x);
    float square = x * x;
    float c = fmaf(fmaf(2.443315711809948e-5f, square, -1.388731625493765e-3f), square, 4.166664568298827e-2f);
    c = fmaf(c * square, square, -0.5f * square) + 1;
    float s = fmaf(fmaf(-1.9515295891e-4f, square, 8.3321608736e-3f), square, -1.6666654611e-1f);
    s = fmaf(s * square, x, x);
    *sin_x = negate_if(-(quadrant >> 1 & 1), choose(-(quadrant & 1), c, s));
    *cos_x = negate_if(-((quadrant + 1) >> 1 & 1), choose(-(quadrant & 1), s, c));
}

/* Uniforms become normals (Box, Muller 1958), n of them, a multiple of 16: x[j] and x[j + 8] of each 16 make a pair. */
static inline void normal_row(int64_t n, float *x, float mean, float std) {
    enum { PAIRS = NORMAL_BLOCK / 2 };
    for (float *end = x + n; x < end; x += NORMAL_BLOCK)
        for (int j = 0; j < PAIRS; j++) {
            float r = sqrtf(-2 * log_for_normal(1 - x[j])), sin_angle, cos_angle;
            sin_cos_for_normal(6.2831853f * x[j + PAIRS], &sin_angle, &cos_angle);
            x[j] = fmaf(cos_angle * r, std, mean);
            x[j + PAIRS] = fmaf(sin_angle * r, std, mean);
        }
}

#endif
