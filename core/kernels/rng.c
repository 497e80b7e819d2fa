/* PyTorch's random numbers on the CPU, equal bit for bit from the same seed.
 *
 * The generator is MT19937 (Matsumoto, Nishimura 1998) as PyTorch seeds and reads it:
 * aten/src/ATen/core/MT19937RNGEngine.h, DistributionsHelper.h. core/random/init.c turns its numbers into tensors.
 *
 * To load a PyTorch state into tg_rng_state: the 5056 bytes of torch.get_rng_state() hold (little endian) seed at 0 (8
 * bytes), left at 8 (4), next at 16 (8), the 624 words from 24 on, 8 bytes each, next_double at 5024, has_next_double
 * at 5040 (4), next_float at 5048, has_next_float at 5052 (1). */
#include "core/engine.h"
#include "core/kernels/isa.h"

enum { N = 624, SHIFT = 397, PIECE = 512 };

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
    return (mixed >> 1) ^ ((0u - (v & 1u)) & 0x9908b0dfu);
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

static inline uint32_t temper(uint32_t y) {
    y ^= y >> 11;
    y ^= (y << 7) & 0x9d2c5680u;
    y ^= (y << 15) & 0xefc60000u;
    return y ^ (y >> 18);
}

uint32_t tg_rng_random(tg_rng_state *rng) {
    if (--rng->left == 0)
        next_state(rng);
    return temper(rng->state[rng->next++]);
}

/* out = the next n numbers of tg_rng_random(). */
static void fill(tg_rng_state *rng, int64_t n, uint32_t *out) {
    while (n > 0) {
        if (rng->left == 1) {
            next_state(rng);
            rng->left = N + 1; /* tg_rng_random() does not count the draw that generates a new state */
        }
        int64_t some = n < rng->left - 1 ? n : rng->left - 1;
        const uint32_t *state = rng->state + rng->next;
        for (int64_t i = 0; i < some; i++)
            out[i] = temper(state[i]);
        rng->next += (uint32_t)some;
        rng->left -= (uint32_t)some;
        out += some;
        n -= some;
    }
}

uint64_t tg_rng_random64(tg_rng_state *rng) {
    uint64_t high = tg_rng_random(rng);
    return high << 32 | tg_rng_random(rng);
}

static inline float uniform_of_bits(uint32_t bits) { return (float)(int32_t)(bits & 0xffffffu) * 0x1p-24f; }
/* From the low 53 bits. AVX2 cannot convert 64-bit integers, so each word is converted by itself; all steps are
 * exact. */
static inline double uniform_of_words(uint32_t high, uint32_t low) {
    double upper = (double)(int32_t)(high & 0x1fffffu), lower = (double)(int32_t)(low ^ 0x80000000u) + 0x1p31;
    return (upper * 0x1p32 + lower) * 0x1p-53;
}

float tg_rng_float(tg_rng_state *rng) { return uniform_of_bits(tg_rng_random(rng)); }

double tg_rng_double(tg_rng_state *rng) {
    uint32_t high = tg_rng_random(rng);
    return uniform_of_words(high, tg_rng_random(rng));
}

static inline void fill_f32(tg_rng_state *rng, int64_t n, float *x) {
    uint32_t bits[PIECE];
    for (int64_t some; n > 0; n -= some, x += some) {
        some = n < PIECE ? n : PIECE;
        fill(rng, some, bits);
        for (int64_t i = 0; i < some; i++)
            x[i] = uniform_of_bits(bits[i]);
    }
}

static inline void fill_f64(tg_rng_state *rng, int64_t n, double *x) {
    uint32_t bits[PIECE];
    for (int64_t some; n > 0; n -= some, x += some) {
        some = n < PIECE / 2 ? n : PIECE / 2;
        fill(rng, 2 * some, bits);
        for (int64_t i = 0; i < some; i++)
            x[i] = uniform_of_words(bits[2 * i], bits[2 * i + 1]);
    }
}

/* Both again for AVX2, where the compiler vectorises the tempering and the conversion. */
#ifdef TG_WIDE_VECTORS
TG_WIDE_FUNCTION(AVX2) fill_f32_avx2(tg_rng_state *rng, int64_t n, float *x) { fill_f32(rng, n, x); }
TG_WIDE_FUNCTION(AVX2) fill_f64_avx2(tg_rng_state *rng, int64_t n, double *x) { fill_f64(rng, n, x); }
static bool is_wide(void) { return tg_isa_now()->wide != 0; }
#else
#define fill_f32_avx2 fill_f32
#define fill_f64_avx2 fill_f64
static bool is_wide(void) { return false; }
#endif
void tg_rng_fill_f32(tg_rng_state *rng, int64_t n, float *x) { (is_wide() ? fill_f32_avx2 : fill_f32)(rng, n, x); }
void tg_rng_fill_f64(tg_rng_state *rng, int64_t n, double *x) { (is_wide() ? fill_f64_avx2 : fill_f64)(rng, n, x); }

void tg_manual_seed(tg_tape *t, uint64_t seed) {
    if (t)
        tg_rng_seed(&t->rng, seed);
}

tg_rng_state tg_get_rng_state(const tg_tape *t) { return t ? t->rng : (tg_rng_state){.left = 1}; }

/* Not all words are 0 (of word 0 only the top bit counts): zeros would generate only zeros. left and next must be a
 * position that next_state() or a seed can leave. */
bool tg_rng_is_valid(const tg_rng_state *rng) {
    uint32_t any = rng->state[0] >> 31;
    for (int i = 1; i < N; i++)
        any |= rng->state[i];
    if (!any)
        return false;
    return rng->left == 1 || (rng->left > 1 && rng->next <= N && rng->left <= N + 1 - rng->next);
}

tg_status tg_set_rng_state(tg_tape *t, const tg_rng_state *state) {
    if (!t)
        return TG_ERR_ARGUMENT;
    if (!state || !tg_rng_is_valid(state))
        return tg_fail(t, TG_ERR_ARGUMENT, "set_rng_state: this is not a generator's state");
    t->rng = *state;
    return TG_OK;
}
