/* The vector kernels for x86-64 with AVX-512. TG_AVX512_AS_AVX2 compiles each vector as two AVX2 vectors, so that
 * machines without AVX-512 can test these kernels (make wide). */
#include "core/kernels/isa.h"

#ifdef __x86_64__
#include <immintrin.h>

#if defined(__clang__) && defined(TG_AVX512_AS_AVX2)
#pragma clang attribute push(__attribute__((target("avx2,fma"))), apply_to = function)
#elif defined(TG_AVX512_AS_AVX2)
#pragma GCC target("avx2,fma")
#elif defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx512f,avx512bw,avx512dq,avx512vl,avx2,fma"))), \
                             apply_to = function)
#else
#pragma GCC target("avx512f,avx512bw,avx512dq,avx512vl,avx2,fma")
#endif

#ifndef TG_AVX512_AS_AVX2
#define LEAST_f32 _mm512_min_ps
#define LEAST_f64 _mm512_min_pd
#define GREATEST_f32 _mm512_max_ps
#define GREATEST_f64 _mm512_max_pd
#define SCALED_f32(p, n, shifted) _mm512_scalef_ps(p, n)
#define SCALED_f64(p, n, shifted) _mm512_scalef_pd(p, n)
#endif

#define VECTOR_BYTES 64
#define TILE_ROWS 8
#define TILE_TALL 12
#define TILE_VECTORS 3
#define TILE_DEPTH 512
#define TILE_BLOCK 168
#include "core/kernels/simd.h"

#ifdef __clang__
#pragma clang attribute pop
#endif

extern const tg_isa tg_isa_avx512;
const tg_isa tg_isa_avx512 = {.name = "avx512", .wide = 1 + TG_WIDE_AVX512, TG_SIMD_KERNELS};
#endif
