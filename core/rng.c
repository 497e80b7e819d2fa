/* PyTorch's random numbers on the CPU, equal bit for bit from the same seed (normals to rounding of the
 * mathematical functions).
 *
 * The generator is MT19937 (Matsumoto, Nishimura 1998) as PyTorch seeds and reads it:
 * aten/src/ATen/core/MT19937RNGEngine.h, DistributionsHelper.h. core/init.c turns its numbers into tensors.
 *
 * A state taken from PyTorch can be put into tg_rng_state: in the 5056 bytes of torch.get_rng_state() lie (little
 * endian) seed at 0 (8 bytes), left at 8 (4), next at 16 (8), the 624 words from 24 on with 8 bytes for each,
 * next_double at 5024, has_next_double at 5040 (4), next_float at 5048, has_next_float at 5052 (1).
 */
#include "core/op.h"

enum { N = 624, SHIFT = 397 };

void tg_rng_seed(tg_rng_state *rng, uint64_t seed) {
    memset(rng, 0, sizeof *rng);
    rng->seed = seed;
    rng->state[0] = (uint32_t)seed;
    for (uint32_t j = 1; j < N; j++)
        rng->state[j] = 1812433253u * (rng->state[j - 1] ^ (rng->state[j - 1] >> 30)) + j;
    rng->left = 1;
}

static uint32_t twist(uint32_t u, uint32_t v) {
    uint32_t mixed = (u & 0x80000000u) | (v & 0x7fffffffu);
    return (mixed >> 1) ^ (v & 1u ? 0x9908b0dfu : 0u);
}

static void next_state(tg_rng_state *rng) {
    uint32_t *s = rng->state;
    int j = 0;
    for (; j < N - SHIFT; j++)
        s[j] = s[j + SHIFT] ^ twist(s[j], s[j + 1]);
    for (; j < N - 1; j++)
        s[j] = s[j + SHIFT - N] ^ twist(s[j], s[j + 1]);
    s[j] = s[j + SHIFT - N] ^ twist(s[j], s[0]);
    rng->left = N;
    rng->next = 0;
}

uint32_t tg_rng_random(tg_rng_state *rng) {
    if (--rng->left == 0)
        next_state(rng);
    uint32_t y = rng->state[rng->next++];
    y ^= y >> 11;
    y ^= (y << 7) & 0x9d2c5680u;
    y ^= (y << 15) & 0xefc60000u;
    return y ^ (y >> 18);
}

uint64_t tg_rng_random64(tg_rng_state *rng) {
    uint64_t high = tg_rng_random(rng);
    return high << 32 | tg_rng_random(rng);
}

float tg_rng_float(tg_rng_state *rng) { return (float)(tg_rng_random(rng) & 0xffffffu) * 0x1p-24f; }

double tg_rng_double(tg_rng_state *rng) { return (double)(tg_rng_random64(rng) & ((UINT64_C(1) << 53) - 1)) * 0x1p-53; }

void tg_manual_seed(tg_tape *t, uint64_t seed) {
    if (t)
        tg_rng_seed(&t->rng, seed);
}

tg_rng_state tg_get_rng_state(const tg_tape *t) { return t ? t->rng : (tg_rng_state){.left = 1}; }

tg_status tg_set_rng_state(tg_tape *t, const tg_rng_state *state) {
    if (!t)
        return TG_ERR_ARGUMENT;
    if (!state || state->left < 1 || (state->left > 1 && state->next + state->left > N + 1))
        return tg_fail(t, TG_ERR_ARGUMENT, "set_rng_state: this is not a generator's state");
    t->rng = *state;
    return TG_OK;
}
