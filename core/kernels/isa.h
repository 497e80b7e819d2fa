/* Kernels for one instruction set, and which set this machine runs.
 *
 * core/kernels/simd.h is compiled once per set (simd_*.c) and fills a tg_isa; the set is chosen once, at the first use
 * of a kernel. The environment variable TG_ISA overrides the choice (see tg_warning). */
#ifndef TAPEGRAD_ISA_H
#define TAPEGRAD_ISA_H

#include "core/engine.h"
#include "core/kernels/matrix.h"

#include <stdatomic.h>

/* Over all sets: the elements of the largest tile, and of its panel of B plus one vector. */
enum { TG_TILE_MAX = 8 * 48, TG_PANEL_MAX_f32 = 512 * 16 + 16, TG_PANEL_MAX_f64 = 512 * 8 + 8 };
/* The kernels for attention of a few keys: their limit on the products S (d + dv) over all lanes, and the largest
 * number of lanes. */
enum { TG_FEW = 2048, TG_LANES_MAX = 16 };
/* The largest m n k of a product that is not worth a tile. */
enum { TG_TINY_PRODUCTS = 96 };
#define tg_few FN(tg_few)
#define tg_kernels FN(tg_kernels)
#define TG_SELF "kernels/isa_kernels.h"
#include "core/twice.h"

typedef struct tg_isa {
    const char *name;
    int wide; /* tg_op.wide[wide - 1] has its row kernels; 0: the plain ones are used */
    tg_kernels_f32 kernels_f32;
    tg_kernels_f64 kernels_f64;
} tg_isa;

/* The set in use. The plain C loops ("reference") have no table entries. */
extern _Atomic(const tg_isa *) tg_isa_in_use; /* NULL: not chosen yet */
const tg_isa *tg_isa_choose(void);
static inline const tg_isa *tg_isa_now(void) {
    const tg_isa *isa = atomic_load_explicit(&tg_isa_in_use, memory_order_acquire);
    return isa ? isa : tg_isa_choose();
}
/* The sets that this machine can run, reference first; NULL after the last. */
const tg_isa *tg_isa_at(int i);
/* Change the set (for tests); not while another thread computes. */
void tg_isa_use(const tg_isa *isa);

#endif
