/* The vector kernels for x86-64 with AVX2 and FMA. */
#include "core/kernels/isa.h"

#ifdef __x86_64__
#include <immintrin.h>

#ifdef __clang__
#pragma clang attribute push(__attribute__((target("avx2,fma"))), apply_to = function)
#else
#pragma GCC target("avx2,fma")
#endif

#define LEAST_f32 _mm256_min_ps
#define LEAST_f64 _mm256_min_pd
#define GREATEST_f32 _mm256_max_ps
#define GREATEST_f64 _mm256_max_pd

#define VECTOR_BYTES 32
#define TILE_ROWS 6
#define TILE_TALL 6
#define TILE_VECTORS 2
#define TILE_DEPTH 384
#define TILE_BLOCK 144
#include "core/kernels/simd.h"

#ifdef __clang__
#pragma clang attribute pop
#endif

extern const tg_isa tg_isa_avx2;
const tg_isa tg_isa_avx2 = {.name = "avx2", .wide = 1 + TG_WIDE_AVX2, TG_SIMD_KERNELS};
#endif
