/* Choices for random programs. */
#include "tests/fuzz/program.h"

uint64_t mix(uint64_t *state) { /* splitmix64 (Steele, Lea, Flood 2014) */
    uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

int64_t choose(choices *c, int64_t n) {
    uint64_t r = 0;
    if (!c->bytes)
        r = mix(&c->random) >> 11;
    for (int64_t left = c->bytes ? n - 1 : 0; left > 0; left >>= 8)
        r = r << 8 | (c->bytes < c->end ? *c->bytes++ : 0);
    return n > 0 ? (int64_t)(r % (uint64_t)n) : 0;
}

bool chance(choices *c, int percent) { return choose(c, 100) < percent; }

double uniform(uint64_t *random) { return (double)(mix(random) >> 11) * 0x1p-53; }
