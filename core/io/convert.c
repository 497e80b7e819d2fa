/* Conversion between a file's types and a tape's. F16 is IEEE 754's binary16, BF16 the upper half of a float.
 * Conversion to them rounds to nearest, ties to even; from them it is exact. */
#include "core/io/serialize.h"

void tg_swap_bytes(void *numbers, size_t bytes, int64_t n) {
    for (char *x = numbers; TG_ST_SWAPS && n > 0; n--, x += bytes)
        for (size_t i = 0; i < bytes / 2; i++) {
            char first = x[i];
            x[i] = x[bytes - 1 - i];
            x[bytes - 1 - i] = first;
        }
}

static float from_bits(uint32_t bits) {
    float x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

static uint32_t bits_of(float x) {
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

/* x rounded to odd: truncated to a float, with the last bit set when inexact. Rounding that to fewer bits gives the
 * same as rounding x. */
static float to_odd(double x) {
    float f = (float)x;
    if (!isfinite(f) || (double)f == x)
        return f;
    return from_bits((bits_of(f) - (fabs((double)f) > fabs(x))) | 1);
}

static float from_bf16(uint16_t h) { return from_bits((uint32_t)h << 16); }

static uint16_t to_bf16(float x) {
    uint32_t bits = bits_of(x);
    if (isnan(x))
        return (uint16_t)(bits >> 16 | 0x40); /* quiet, so that it stays a NaN without its lower half */
    return (uint16_t)((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}

/* 1 bit sign, 5 bits exponent with bias 15, 10 bits fraction */
static float from_f16(uint16_t h) {
    uint32_t sign = (uint32_t)(h & 0x8000) << 16, rest = h & 0x7fff;
    if (rest >= 0x7c00) /* Inf and NaN */
        return from_bits(sign | 0x7f800000 | (rest & 0x3ff) << 13);
    if (rest < 0x400) /* subnormal: rest times 2^-24 */
        return sign ? -(float)rest * 0x1p-24f : (float)rest * 0x1p-24f;
    return from_bits(sign | ((rest << 13) + ((127 - 15) << 23)));
}

static uint16_t to_f16(float x) {
    uint32_t sign = bits_of(x) >> 16 & 0x8000;
    float size = fabsf(x);
    int exponent;
    if (isnan(x))
        return (uint16_t)(sign | 0x7e00);
    if (size >= 65520) /* halfway between the largest finite number and 2^16 */
        return (uint16_t)(sign | 0x7c00);
    if (size < 0x1p-14f)
        return (uint16_t)(sign | (uint32_t)rintf(size * 0x1p24f));
    float fraction = frexpf(size, &exponent); /* size = fraction 2^exponent, fraction in [1/2, 1) */
    /* addition, not or: a fraction that rounds up to a power of two carries into the exponent */
    return (uint16_t)(sign | (((uint32_t)(exponent + 13) << 10) + (uint32_t)rintf(fraction * 0x1p11f)));
}

bool tg_convert_fits(tg_dtype dtype, tg_st_dtype file) {
    switch (dtype) {
    case TG_I64: return file == TG_ST_I64;
    case TG_BOOL: return file == TG_ST_BOOL;
    default: return file == TG_ST_F32 || file == TG_ST_F64 || file == TG_ST_F16 || file == TG_ST_BF16;
    }
}

static double read_one(const char *from, tg_st_dtype file, int64_t i) {
    uint16_t h;
    float f;
    double d;
    switch (file) {
    case TG_ST_F64:
        memcpy(&d, from + i * 8, sizeof d);
        tg_swap_bytes(&d, sizeof d, 1);
        return d;
    case TG_ST_F32:
        memcpy(&f, from + i * 4, sizeof f);
        tg_swap_bytes(&f, sizeof f, 1);
        return (double)f;
    default:
        memcpy(&h, from + i * 2, sizeof h);
        tg_swap_bytes(&h, sizeof h, 1);
        return (double)(file == TG_ST_F16 ? from_f16(h) : from_bf16(h));
    }
}

void tg_convert_in(void *to, tg_dtype dtype, const char *from, tg_st_dtype file, int64_t n) {
    if (file == tg_st_dtype_of(dtype) && dtype != TG_BOOL) {
        if (n)
            memcpy(to, from, (size_t)n * tg_dtype_size(dtype));
        tg_swap_bytes(to, tg_dtype_size(dtype), n);
        return;
    }
    for (int64_t i = 0; i < n; i++)
        switch (dtype) {
        case TG_F32: ((float *)to)[i] = (float)read_one(from, file, i); break;
        case TG_F64: ((double *)to)[i] = read_one(from, file, i); break;
        default: ((bool *)to)[i] = from[i] != 0; break;
        }
}

static double number_at(const void *from, tg_dtype dtype, int64_t i) {
    return dtype == TG_F32 ? (double)((const float *)from)[i] : ((const double *)from)[i];
}

void tg_convert_out(char *to, tg_st_dtype file, const void *from, tg_dtype dtype, int64_t n) {
    if (file == tg_st_dtype_of(dtype)) {
        memcpy(to, from, (size_t)n * tg_dtype_size(dtype));
        tg_swap_bytes(to, tg_dtype_size(dtype), n);
        return;
    }
    for (int64_t i = 0; i < n; i++) {
        double d = number_at(from, dtype, i);
        float f = (float)d, odd = to_odd(d);
        uint16_t h = file == TG_ST_F16 ? to_f16(odd) : to_bf16(odd);
        switch (file) {
        case TG_ST_F64: memcpy(to + i * 8, &d, sizeof d); break;
        case TG_ST_F32: memcpy(to + i * 4, &f, sizeof f); break;
        default: memcpy(to + i * 2, &h, sizeof h); break;
        }
    }
    tg_swap_bytes(to, tg_st_dtype_bits(file) / 8, n);
}

/* True when x is finite but infinite in this type. */
static bool is_lost(double x, tg_st_dtype file) {
    double least = file == TG_ST_F16    ? 65520
                   : file == TG_ST_BF16 ? 0x1.ffp127
                                        : 0x1.ffffffp127; /* the least that rounds to Inf */
    return file != TG_ST_F64 && isfinite(x) && fabs(x) >= least;
}

int64_t tg_find_unrepresentable_in(tg_dtype dtype, const char *from, tg_st_dtype file, int64_t n, double *value) {
    int64_t i = 0;
    if (dtype != TG_F32 || file != TG_ST_F64)
        return n;
    while (i < n && !is_lost(*value = read_one(from, file, i), TG_ST_F32))
        i++;
    return i;
}

int64_t tg_find_unrepresentable_out(tg_st_dtype file, const void *from, tg_dtype dtype, int64_t n, double *value) {
    int64_t i = 0;
    if (file == tg_st_dtype_of(dtype))
        return n;
    while (i < n && !is_lost(*value = number_at(from, dtype, i), file))
        i++;
    return i;
}
