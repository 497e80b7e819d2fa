#include "core/kernels/isa.h"
#include "core/kernels/runtime.h"

static const tg_isa tg_isa_reference = {.name = "reference"};
extern const tg_isa tg_isa_baseline, tg_isa_avx2, tg_isa_avx512;

static bool always(void) { return true; }

#ifdef TG_WIDE_VECTORS
static bool has_avx2(void) { return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"); }
static bool has_avx512(void) {
#ifdef TG_AVX512_AS_AVX2
    return has_avx2();
#else
    return has_avx2() && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
           __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
#endif
}
#endif

/* From the plainest to the fastest. */
static const struct {
    const tg_isa *isa;
    bool (*runs_here)(void);
} sets[] = {
    {&tg_isa_reference, always},
#ifndef TG_NO_VECTORS
    {&tg_isa_baseline, always},
#endif
#ifdef TG_WIDE_VECTORS
    {&tg_isa_avx2, has_avx2},
    {&tg_isa_avx512, has_avx512},
#endif
};
enum { N_SETS = sizeof sets / sizeof *sets };

const tg_isa *tg_isa_at(int i) {
    for (int s = 0; s < N_SETS; s++)
        if (sets[s].runs_here() && i-- == 0)
            return sets[s].isa;
    return NULL;
}

static const tg_isa *named(const char *name) {
    for (int s = 0; s < N_SETS; s++)
        if (strcmp(sets[s].isa->name, name) == 0 && sets[s].runs_here())
            return sets[s].isa;
    return NULL;
}

static const tg_isa *fastest(void) {
    const tg_isa *best = NULL;
    for (int s = 0; s < N_SETS; s++)
        if (sets[s].runs_here())
            best = sets[s].isa;
    return best;
}

_Atomic(const tg_isa *) tg_isa_in_use;

const tg_isa *tg_isa_choose(void) {
    const char *name = tg_environment("TG_ISA");
    const tg_isa *isa = name ? named(name) : fastest();
    if (!isa) {
        isa = fastest();
        tg_warn(TG_WARN_ISA, "TG_ISA=%.40s is not an instruction set of this machine; using %s", name, isa->name);
    }
    atomic_store(&tg_isa_in_use, isa);
    return isa;
}

void tg_isa_use(const tg_isa *isa) { atomic_store(&tg_isa_in_use, isa); }
