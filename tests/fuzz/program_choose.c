/* Calls that are mostly wrong: made of choices, and nothing else. */
#include "tests/fuzz/program.h"

#include <math.h>

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
