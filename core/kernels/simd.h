/* The vector kernels, in GCC's and clang's vector types. simd_NAME.c includes this once for each instruction set, after
 * setting the compiler's target and defining
 *   VECTOR_BYTES  the size of a vector register
 *   TILE_ROWS     the rows of a matrix product's tile, and
 *   TILE_VECTORS  the vectors of each: together they fill the registers
 *   TILE_TALL     the rows of a tile of one or two vectors
 *   TILE_DEPTH    the k of a tile: two vectors of B for each fill most of the first-level cache
 *   TILE_BLOCK    rows of A, of that length, for the second-level cache: a multiple of TILE_ROWS
 * and puts TG_SIMD_KERNELS into the set's table. */
#ifndef real
#include "core/kernels/isa.h"
/* Plain loops, which the compiler vectorises: every fused product is written as fma(). */
#ifndef __clang__
#pragma GCC push_options
#pragma GCC optimize("tree-vectorize")
#endif
#include "core/kernels/random.h"
#ifndef __clang__
#pragma GCC pop_options
#endif

#include <float.h>
#include <stdlib.h>

#if FLT_EVAL_METHOD != 0
#error "float must be computed in float: on 32-bit x86 -msse2 -mfpmath=sse, on s390x -fexcess-precision=fast"
#endif

#define ALWAYS_INLINE static inline __attribute__((always_inline))
#ifdef __clang__
#define UNROLL _Pragma("clang loop unroll(full)")
#else
#define UNROLL _Pragma("GCC unroll 32")
#endif

/* What the vector types have no operator for: a set that has an instruction for it defines these before. */
#ifndef LEAST_f32
#define LEAST_f32(a, b) choose_f32((a) < (b), a, b)
#define LEAST_f64(a, b) choose_f64((a) < (b), a, b)
#define GREATEST_f32(a, b) choose_f32((a) > (b), a, b)
#define GREATEST_f64(a, b) choose_f64((a) > (b), a, b)
#endif
#ifndef SCALED_f32 /* p 2^n, shifted = n + ROUND */
#define SCALED_f32(p, n, shifted) scaled_in_halves_f32(p, shifted)
#define SCALED_f64(p, n, shifted) scaled_in_halves_f64(p, shifted)
#endif

/* Lanes of two vectors: LOCAL interleaved from the lower and from the upper halves within each 128 bits, as the
 * machine's unpack instructions do, UNIT the even and the odd of those 128 bits. */
#if VECTOR_BYTES == 16
#define LOCAL_LOW_f32 0, 4, 1, 5
#define LOCAL_HIGH_f32 2, 6, 3, 7
#define UNIT_EVEN_f32 LOCAL_LOW_f32 /* a single unit: not used */
#define UNIT_ODD_f32 LOCAL_HIGH_f32
#define LOCAL_LOW_f64 0, 2
#define LOCAL_HIGH_f64 1, 3
#define UNIT_EVEN_f64 LOCAL_LOW_f64
#define UNIT_ODD_f64 LOCAL_HIGH_f64
#elif VECTOR_BYTES == 32
#define LOCAL_LOW_f32 0, 8, 1, 9, 4, 12, 5, 13
#define LOCAL_HIGH_f32 2, 10, 3, 11, 6, 14, 7, 15
#define UNIT_EVEN_f32 0, 1, 2, 3, 8, 9, 10, 11
#define UNIT_ODD_f32 4, 5, 6, 7, 12, 13, 14, 15
#define LOCAL_LOW_f64 0, 4, 2, 6
#define LOCAL_HIGH_f64 1, 5, 3, 7
#define UNIT_EVEN_f64 0, 1, 4, 5
#define UNIT_ODD_f64 2, 3, 6, 7
#else
#define LOCAL_LOW_f32 0, 16, 1, 17, 4, 20, 5, 21, 8, 24, 9, 25, 12, 28, 13, 29
#define LOCAL_HIGH_f32 2, 18, 3, 19, 6, 22, 7, 23, 10, 26, 11, 27, 14, 30, 15, 31
#define UNIT_EVEN_f32 0, 1, 2, 3, 8, 9, 10, 11, 16, 17, 18, 19, 24, 25, 26, 27
#define UNIT_ODD_f32 4, 5, 6, 7, 12, 13, 14, 15, 20, 21, 22, 23, 28, 29, 30, 31
#define LOCAL_LOW_f64 0, 8, 2, 10, 4, 12, 6, 14
#define LOCAL_HIGH_f64 1, 9, 3, 11, 5, 13, 7, 15
#define UNIT_EVEN_f64 0, 1, 4, 5, 8, 9, 12, 13
#define UNIT_ODD_f64 2, 3, 6, 7, 10, 11, 14, 15
#endif

/* The same of 128 bits, whatever the vectors' size. */
typedef float quad_f32 __attribute__((vector_size(16), aligned(4), may_alias));
typedef double quad_f64 __attribute__((vector_size(16), aligned(8), may_alias));
#define QUAD_LOW_f32 0, 4, 1, 5
#define QUAD_HIGH_f32 2, 6, 3, 7
#define QUAD_LOW_f64 0, 2
#define QUAD_HIGH_f64 1, 3
/* (a0 + a2, a1 + a3, b0 + b2, b1 + b3); in double nothing is left to add */
ALWAYS_INLINE void store_quads_f32(quad_f32 a, quad_f32 b, float *to) {
    *(quad_f32 *)to = __builtin_shufflevector(a, b, 0, 1, 4, 5) + __builtin_shufflevector(a, b, 2, 3, 6, 7);
}
ALWAYS_INLINE void store_quads_f64(quad_f64 a, quad_f64 b, double *to) {
    *(quad_f64 *)to = a;
    *(quad_f64 *)(to + 2) = b;
}

/* For e^x: the type's rounding constant (1.5 * 2^mantissa bits), arguments beyond all finite results, ln 2 in two
 * parts, the first with enough zero bits that n times it is exact, and the polynomial. */
enum { BIAS_f32 = 127, MANTISSA_f32 = 23, EXP_TERMS_f32 = 5, BIAS_f64 = 1023, MANTISSA_f64 = 52, EXP_TERMS_f64 = 11 };
typedef int32_t integer_f32;
typedef int64_t integer_f64;
typedef uint32_t unsigned_integer_f32;
typedef uint64_t unsigned_integer_f64;
#define ROUND_f32 12582912.0f
#define EXP_HIGH_f32 89.0f
#define EXP_LOW_f32 -104.0f
#define LN2_HIGH_f32 0.693359375f
#define LN2_LOW_f32 -2.12194440e-4f
#define EXP_NORMAL_f32 -87.3f
#define ROUND_f64 6755399441055744.0
#define EXP_HIGH_f64 710.0
#define EXP_LOW_f64 -746.0
#define EXP_NORMAL_f64 -708.0
#define LN2_HIGH_f64 0.693145751953125
#define LN2_LOW_f64 1.42860682030941723212e-6
static const float exp_coefficients_f32[] = {0.500000009f, 0.166665195f, 0.0416662085f, 0.00836883538f, 0.00139503604f};
/* For e^x - 1, ln x, tanh and Phi: numbers of terms, the x below which e^x - 1 is -1, the smallest normal number, the
 * bits of 1/sqrt 2, the largest x whose e^-x is a normal number. */
enum { EXPM1_TERMS_f32 = 6, EXPM1_TERMS_f64 = 11, TANH_TERMS_f32 = 5, TANH_TERMS_f64 = 12 };
enum { NORMAL_TERMS_f32 = 6, NORMAL_TERMS_f64 = 12 };
#define EXP_BELOW_f32 87.0f
#define EXP_BELOW_f64 708.0
#define EXPM1_LOW_f32 -18.0f
#define EXPM1_LOW_f64 -38.0
#define NORMAL_f32 FLT_MIN
#define NORMAL_f64 DBL_MIN
#define HALF_ROOT_f32 0x3f3504f3u
#define HALF_ROOT_f64 0x3fe6a09e667f3bcdu
static const float expm1_coefficients_f32[] = {0.500000005f,   0.166666668f,   0.0416663551f,
                                               0.00833327307f, 0.00139409892f, 0.000199141673f};
static const double expm1_coefficients_f64[] = {0.5,
                                                0.166666666666666766,
                                                0.0416666666666667013,
                                                0.00833333333332163009,
                                                0.00138888888888668581,
                                                0.000198412698861365645,
                                                0.0000248015873605383273,
                                                2.75572441925926442e-6,
                                                2.7557242762383843e-7,
                                                2.51090445406375263e-8,
                                                2.09244452400837798e-9};
static const float tanh_coefficients_f32[] = {-0.333332851f, 0.133315152f, -0.0537451472f, 0.0206552262f,
                                              -0.00572163792f};
static const double tanh_coefficients_f64[] = {
    -0.333333333333333165,    0.13333333333330199,      -0.0539682539662686075,    0.0218694884736878389,
    -0.0088632343825024938,   0.00359211462656391727,   -0.00145572966223107297,   0.000589466537597147457,
    -0.000237050475650092071, 0.0000916231609484332058, -0.0000302495032544464664, 6.06872226593999788e-6};
static const float normal_coefficients_f32[] = {0.398942265f,    -0.0664900455f,  0.00997168791f,
                                                -0.00118295936f, 0.000110477165f, -6.67802637e-6f};
static const double normal_coefficients_f64[] = {
    0.398942280401432677,    -0.0664903800669053658,   0.00997355701003400874,  -0.00118732821546258105,
    0.000115434687519562543, -9.44465594087620632e-6,  6.65968669792372943e-7,  -4.12256967709227589e-8,
    2.2725812081849718e-9,   -1.12394327876040952e-10, 4.85248753259030262e-12, -1.46865853055485575e-13};
static const double exp_coefficients_f64[] = {0.5,
                                              0.166666666666666833,
                                              0.041666666666666722,
                                              0.00833333333331708035,
                                              0.00138888888888592521,
                                              0.000198412698963671341,
                                              0.000024801587372554267,
                                              2.75572348206300675e-6,
                                              2.75572341682777239e-7,
                                              2.51120639819083434e-8,
                                              2.09267347783921676e-9};

#define TG_SELF "kernels/simd.h"
#include "core/twice.h"

#include "core/kernels/simd_math.h"

#define COMMON_KERNELS(type)                                                                                         \
    .rows = TILE_ROWS, .tall = TILE_TALL, .vectors = TILE_VECTORS, .lanes = LANES_##type, .depth = TILE_DEPTH,       \
    .block = TILE_BLOCK, .tile = tile_##type, .dots = dots_##type, .pack = pack_##type,                              \
    .pack_tiles = pack_tiles_##type, .transpose = transpose_##type, .exp = exp_row_##type, .log = log_row_##type,    \
    .log1p = log1p_row_##type, .expm1 = expm1_row_##type, .tanh = tanh_row_##type, .gelu = gelu_row_##type,          \
    .gelu_vjp = gelu_vjp_row_##type, .sigmoid = sigmoid_row_##type, .softmax_columns = softmax_columns_##type,       \
    .softmax_columns_vjp = softmax_columns_vjp_##type, .scale_columns = scale_columns_##type,                        \
    .multiply_tiny = multiply_tiny_##type, .attend_few = attend_few_##type, .attend_few_vjp = attend_few_vjp_##type, \
    .scale = scale_row_##type, .norm = norm_row_##type, .norm_vjp = norm_vjp_row_##type
#define TG_SIMD_KERNELS                                                         \
    .kernels_f32 = {COMMON_KERNELS(f32), .sin = sin_row, .cos = cos_row,        \
                    .erf = erf_row,      .pow = pow_row, .normal = normal_row}, \
    .kernels_f64 = {COMMON_KERNELS(f64), .sin = sin_row_in_double, .cos = cos_row_in_double, .erf = erf_row_in_double}

#else
#define LANES FN(LANES)
enum { LANES = VECTOR_BYTES / sizeof(real) };
#define vec FN(vec)
#define bits FN(bits)
#define words FN(words)
#define four FN(four)
#define quad FN(quad)
typedef real vec __attribute__((vector_size(VECTOR_BYTES), aligned(sizeof(real)), may_alias));
typedef FN(integer) bits __attribute__((vector_size(VECTOR_BYTES), aligned(sizeof(real)), may_alias));
/* for sums of exponents: unsigned, as the sanitizer would check each lane for signed overflow */
typedef FN(unsigned_integer) words __attribute__((vector_size(VECTOR_BYTES), aligned(sizeof(real)), may_alias));
typedef real four __attribute__((vector_size(4 * sizeof(real)), aligned(sizeof(real)), may_alias));
#include "core/kernels/simd_exp.h"

#include "core/kernels/simd_elementary.h"

#include "core/kernels/simd_attention.h"

#ifndef __clang__ /* no loop versioning for strides of 1: with few elements the check costs more than it saves */
#pragma GCC push_options
#pragma GCC optimize("no-version-loops-for-strides")
#endif
#include "core/kernels/simd_matrix.h"
#include "core/kernels/simd_matrix_tiny.h"

#include "core/kernels/simd_attention_few.h"
#ifndef __clang__
#pragma GCC pop_options
#endif

#include "core/kernels/simd_norm.h"
#undef LANES
#undef vec
#undef bits
#undef words
#undef four
#undef quad
#endif
