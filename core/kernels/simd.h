/* The vector kernels, in GCC's and clang's vector types. simd_NAME.c includes this once for each instruction set,
 * after it has told the compiler the target and defined
 *   VECTOR_BYTES  the size of a vector register
 *   TILE_ROWS     the rows of a matrix product's tile: with two vectors each they fill the registers
 * and puts TG_SIMD_KERNELS into the set's table. */
#ifndef real
#include "core/kernels/isa.h"

#define ALWAYS_INLINE static inline __attribute__((always_inline))
#ifdef __clang__
#define UNROLL _Pragma("clang loop unroll(full)")
#else
#define UNROLL _Pragma("GCC unroll 32")
#endif

/* Lanes of two vectors taken in turn, from their lower and from their upper halves. */
#if VECTOR_BYTES == 16
#define LOW_f32 0, 4, 1, 5
#define HIGH_f32 2, 6, 3, 7
#define LOW_f64 0, 2
#define HIGH_f64 1, 3
#elif VECTOR_BYTES == 32
#define LOW_f32 0, 8, 1, 9, 2, 10, 3, 11
#define HIGH_f32 4, 12, 5, 13, 6, 14, 7, 15
#define LOW_f64 0, 4, 1, 5
#define HIGH_f64 2, 6, 3, 7
#else
#define LOW_f32 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23
#define HIGH_f32 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31
#define LOW_f64 0, 8, 1, 9, 2, 10, 3, 11
#define HIGH_f64 4, 12, 5, 13, 6, 14, 7, 15
#endif

#define TG_SELF "kernels/simd.h"
#include "core/twice.h"

#define TG_SIMD_KERNELS .kernels_f32 = KERNELS_f32, .kernels_f64 = KERNELS_f64
#define KERNELS_f32 \
    { TILE_ROWS, LANES_f32, tile_f32, pack_f32 }
#define KERNELS_f64 \
    { TILE_ROWS, LANES_f64, tile_f64, pack_f64 }

#else
enum { FN(LANES) = VECTOR_BYTES / sizeof(real) };
typedef real FN(vec) __attribute__((vector_size(VECTOR_BYTES), aligned(sizeof(real)), may_alias));
#define LANES FN(LANES)
#define vec FN(vec)
#include "core/kernels/simd_matrix.h"
#undef LANES
#undef vec
#endif
