/* Choices for programs, and calls that are made of nothing else. */
#include "tests/fuzz/program.h"

#include <math.h>

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

/* ---- calls that are mostly wrong ---- */

static int64_t wild_number(choices *c) {
    static const int64_t numbers[] = {
        0, 1, -1, 2, 3, -2, 7, -9, 100, INT64_MAX, INT64_MIN, INT32_MAX, INT32_MIN, 1LL << 40, -(1LL << 62), 1 << 20};
    return numbers[choose(c, 16)];
}

static double wild_double(choices *c) {
    static const double numbers[] = {
        0, 1, -1, 0.5, 2, -0.0, 1e308, -1e308, 1e-320, NAN, (double)INFINITY, -(double)INFINITY};
    return numbers[choose(c, 12)];
}

step wild_step(choices *c, int n) {
    step s = {.kind = 3 + (int)choose(c, n_kinds - 3), .n_in = MAX_OPERANDS, .flag = chance(c, 50)};
    if (kinds[s.kind].special == CAT || kinds[s.kind].special == STACK)
        s.n_in = 1 + (int)choose(c, MAX_OPERANDS);
    for (int i = 0; i < s.n_in; i++)
        s.in[i] = (int)choose(c, n + 1) - 1;
    for (int i = 0; i < 3; i++)
        s.k[i] = chance(c, 60) ? choose(c, 5) - 2 : wild_number(c);
    for (int i = 0; i < 2; i++)
        s.c[i] = wild_double(c);
    s.dims.ndim = (int)choose(c, 12) - 2;
    for (int i = 0; i < TG_MAX_DIMS; i++)
        s.dims.dim[i] = (int)choose(c, 9) - 4;
    s.shape.ndim = (int)choose(c, 12) - 2;
    for (int i = 0; i < TG_MAX_DIMS; i++)
        s.shape.size[i] = chance(c, 80) ? choose(c, 4) : wild_number(c);
    if (kinds[s.kind].special == SPLIT)
        s.k[2] = 1 + choose(c, 16);
    return s;
}
