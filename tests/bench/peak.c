/* What one core can do: fused multiply-adds of floats in registers. */
#include "tests/bench/bench.h"

#include <math.h>
#include <stddef.h>
#include <stdint.h>

#if defined(__x86_64__)
#define PEAK_LANES lanes_avx512
#define PEAK_BYTES 64
#define PEAK_NAME chains_avx512
#define PEAK_TARGET __attribute__((target("avx512f")))
#include "tests/bench/peak.inc"
#define PEAK_LANES lanes_avx2
#define PEAK_BYTES 32
#define PEAK_NAME chains_avx2
#define PEAK_TARGET __attribute__((target("avx2,fma")))
#include "tests/bench/peak.inc"
#endif
#define PEAK_LANES lanes_baseline
#define PEAK_BYTES 16
#define PEAK_NAME chains_baseline
#define PEAK_TARGET
#include "tests/bench/peak.inc"

double measure_fma_peak(void) {
    float (*chains)(int64_t n, float x) = chains_baseline;
    int lanes = 4;
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
        chains = chains_avx2, lanes = 8;
    if (__builtin_cpu_supports("avx512f"))
        chains = chains_avx512, lanes = 16;
#endif
    const int64_t n = 4000000;
    double best = 0;
    volatile float sink = 0;
    for (int r = 0; r < 7; r++) {
        double start = now_seconds();
        sink = chains(n, 0.999f);
        double rate = 2.0 * 10 * lanes * (double)n / (now_seconds() - start) / 1e9;
        best = rate > best ? rate : best;
    }
    (void)sink;
    return best;
}

void wait_for_clock(void) {
    double start = now_seconds(), before, now = measure_fma_peak();
    do {
        before = now;
        now = measure_fma_peak();
    } while (fabs(now - before) > 0.01 * before && now_seconds() - start < 2);
}
