/* The vector kernels for any processor: the compiler's default target (SSE2, NEON). */
#include "core/kernels/isa.h"

#define VECTOR_BYTES 16
#define TILE_ROWS 6
#define TILE_TALL 6
#define TILE_VECTORS 2
#define TILE_DEPTH 384
#define TILE_BLOCK 144
#include "core/kernels/simd.h"

extern const tg_isa tg_isa_baseline;
const tg_isa tg_isa_baseline = {.name = "baseline", TG_SIMD_KERNELS};
