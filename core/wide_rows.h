/* Row kernels of elementwise operations and of reductions for x86's wider vectors. A kernel is written once, in plain C
 * without branches on data, so that the compiler vectorises its loop; TG_WIDE_ROWS(forward, vjp), after core/twice.h,
 * compiles both again, in float and in double, for the sets of core/kernels/isa.h that have wider vectors than the
 * compiler's target. The descriptor has them as .wide = TG_WIDE(forward, vjp); those without a gradient have
 * TG_WIDE_FORWARD_ROWS(forward) and TG_WIDE_FORWARD(forward), and those that know bools alone
 * TG_WIDE_BOOL_ROWS(forward), TG_WIDE_BOOL(forward); reductions (core/frameworks/reduce.h) have
 * TG_WIDE_REDUCED_ROWS(forward, vjp), TG_WIDE_REDUCED(forward, vjp). Products are not fused with sums
 * (-ffp-contract=off): a plain loop computes the same bits on every set. */
#ifndef TAPEGRAD_WIDE_ROWS_H
#define TAPEGRAD_WIDE_ROWS_H

#include <stddef.h>

/* On Windows gcc aligns vectors on the stack to only 16 bytes, but uses aligned moves for them (gcc bug 54412); the
 * Makefile makes the assembler emit unaligned moves instead. */
#if defined(__x86_64__) && (!defined(_WIN32) || defined(__clang__) || defined(TG_UNALIGNED_MOVES)) && \
    !defined(TG_NO_VECTORS) && !defined(TG_NO_WIDE_VECTORS)
#define TG_WIDE_VECTORS
#endif

typedef void tg_fn(void);

/* The kernels that a set adds, indexed by tg_dtype: for float and double, and forward for bools. tg_op has them for
 * each set. */
enum { TG_WIDE_AVX2, TG_WIDE_AVX512, TG_N_WIDE };
typedef struct tg_wide_rows {
    tg_fn *row[4], *row_vjp[2];
} tg_wide_rows;

/* A declaration that takes the semicolon after TG_WIDE_ROWS. */
#define TG_WIDE_ROWS_END _Static_assert(TG_N_WIDE == 2, "a kernel for each set")

#ifdef TG_WIDE_VECTORS
#define TG_TARGET_AVX2 "avx2"
#ifdef TG_AVX512_AS_AVX2
#define TG_TARGET_AVX512 TG_TARGET_AVX2
#else
#define TG_TARGET_AVX512 "avx512f,avx512bw,avx512dq,avx512vl,avx2"
#endif

/* flatten: inlines the kernel into the function that is compiled for the set */
#define TG_WIDE_FUNCTION(set) static __attribute__((flatten, target(TG_TARGET_##set))) void
#define TG_WIDE_ROW(kernel, real, set) \
    TG_WIDE_FUNCTION(set)              \
    kernel##_##set(ptrdiff_t n, real *y, const real *const *x, const void *attr) { kernel(n, y, x, attr); }
#define TG_WIDE_VJP(kernel, real, set)                                                                \
    TG_WIDE_FUNCTION(set)                                                                             \
    kernel##_##set(ptrdiff_t n, int i, real *dx, const real *dy, const real *y, const real *const *x, \
                   const void *attr) {                                                                \
        kernel(n, i, dx, dy, y, x, attr);                                                             \
    }
#define TG_WIDE_ROWS(forward, vjp)            \
    TG_WIDE_ROW(forward##_f32, float, AVX2)   \
    TG_WIDE_ROW(forward##_f64, double, AVX2)  \
    TG_WIDE_ROW(forward##_f32, float, AVX512) \
    TG_WIDE_VJP(vjp##_f32, float, AVX2)       \
    TG_WIDE_VJP(vjp##_f64, double, AVX2)      \
    TG_WIDE_VJP(vjp##_f32, float, AVX512)     \
    TG_WIDE_ROWS_END

#define TG_WIDE_FORWARD_ROWS(forward)         \
    TG_WIDE_ROW(forward##_f32, float, AVX2)   \
    TG_WIDE_ROW(forward##_f64, double, AVX2)  \
    TG_WIDE_ROW(forward##_f32, float, AVX512) \
    TG_WIDE_ROWS_END

#define TG_WIDE_BOOL_ROWS(forward)             \
    TG_WIDE_ROW(forward##_bool, uint8_t, AVX2) \
    TG_WIDE_ROWS_END

/* Reductions have AVX2's kernels alone, for AVX-512 too. */
#define TG_WIDE_REDUCED_ROW(forward, vjp, real)                                                                   \
    TG_WIDE_FUNCTION(AVX2) forward##_AVX2(int64_t n, real *y, const real *x, const tg_node *node) {               \
        forward(n, y, x, node);                                                                                   \
    }                                                                                                             \
    TG_WIDE_FUNCTION(AVX2) vjp##_AVX2(int64_t n, real *dx, real dy, real y, const real *x, const tg_node *node) { \
        vjp(n, dx, dy, y, x, node);                                                                               \
    }
#define TG_WIDE_REDUCED_ROWS(forward, vjp)                \
    TG_WIDE_REDUCED_ROW(forward##_f32, vjp##_f32, float)  \
    TG_WIDE_REDUCED_ROW(forward##_f64, vjp##_f64, double) \
    TG_WIDE_ROWS_END
#define TG_WIDE_REDUCED(forward, vjp)                                        \
    {                                                                        \
        [TG_WIDE_AVX2] = {TG_OF_SET(forward, AVX2), TG_OF_SET(vjp, AVX2)},   \
        [TG_WIDE_AVX512] = {TG_OF_SET(forward, AVX2), TG_OF_SET(vjp, AVX2)}, \
    }

/* In double AVX2's kernels are used for AVX-512 too: they compute the same bits and are memory-bound. */
#define TG_OF_SET(kernel, set) \
    { (tg_fn *)kernel##_f32_##set, (tg_fn *)kernel##_f64_AVX2 }
#define TG_WIDE(forward, vjp)                                                    \
    {                                                                            \
        [TG_WIDE_AVX2] = {TG_OF_SET(forward, AVX2), TG_OF_SET(vjp, AVX2)},       \
        [TG_WIDE_AVX512] = {TG_OF_SET(forward, AVX512), TG_OF_SET(vjp, AVX512)}, \
    }
#define TG_WIDE_FORWARD(forward) \
    { [TG_WIDE_AVX2] = {.row = TG_OF_SET(forward, AVX2)}, [TG_WIDE_AVX512] = {.row = TG_OF_SET(forward, AVX512)}, }
#define TG_WIDE_BOOL(forward)                                         \
    {                                                                 \
        [TG_WIDE_AVX2].row[TG_BOOL] = (tg_fn *)forward##_bool_AVX2,   \
        [TG_WIDE_AVX512].row[TG_BOOL] = (tg_fn *)forward##_bool_AVX2, \
    }
#else
#define TG_WIDE_BOOL_ROWS(forward) TG_WIDE_ROWS_END
#define TG_WIDE_BOOL(forward) TG_WIDE(forward, forward)
#define TG_WIDE_ROWS(forward, vjp) TG_WIDE_ROWS_END
#define TG_WIDE_REDUCED_ROWS(forward, vjp) TG_WIDE_ROWS_END
#define TG_WIDE_REDUCED(forward, vjp) TG_WIDE(forward, vjp)
#define TG_WIDE_FORWARD_ROWS(forward) TG_WIDE_ROWS_END
#define TG_WIDE_FORWARD(forward) TG_WIDE(forward, forward)
#define TG_WIDE(forward, vjp) \
    {                         \
        {                     \
            {NULL}, { NULL }  \
        }                     \
    }
#endif

#endif
