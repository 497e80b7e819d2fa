/* Is there a derivative that long double can measure? Asked of elements that the gradient check gave up, and of
 * mistakes that it missed, in the simplest way there is and with none of its code: central differences in long double
 * at every step, twice as wide each time. Where three steps in a row say what backward says, but for what is allowed,
 * it can be measured; but not by steps that agree by chance, since a unit in the last place of y makes more than that
 * of them. Header-only: false_alarms.c, fault_sight.c. */
#ifndef TAPEGRAD_TEST_PLATEAU_H
#define TAPEGRAD_TEST_PLATEAU_H

#include "core/engine.h"

/* sum v y - sum v y0, of long doubles; the cotangent v is drawn as tg_gradcheck draws it. *unit: what a unit in the
 * last place of each element that moves makes of it. */
static inline long double weighted_move(const tg_node *y, const long double *y0, uint64_t seed, bool scalar,
                                        long double *unit) {
    tg_rng_state g;
    long double sum = 0;
    tg_walk w;
    *unit = 0;
    tg_rng_seed(&g, seed);
    tg_walk_begin(&w, y->ndim, y->size, y->stride);
    for (int64_t j = 0; j < y->numel; j++, tg_walk_next(&w, 1)) {
        double sign = tg_rng_random(&g) & 1 ? 1 : -1, drawn = sign * (0.5 + tg_rng_double(&g)), v = scalar ? 1 : drawn;
        long double now = ((const long double *)y->data)[w.offset], size = fabsl(now);
        sum += now == y0[j] ? 0 : v * (now - y0[j]);
        *unit += now == y0[j] ? 0 : fabs(v) * (nextafterl(size, INFINITY) - size);
    }
    return sum;
}

static inline void run_all(tg_tape *t, uint32_t last) {
    for (uint32_t i = 0; i <= last; i++)
        if (t->nodes[i]->op && tg_run_forward(t->nodes[i]))
            return;
}

static inline void copy_result(const tg_node *y, long double *out) {
    tg_walk w;
    tg_walk_begin(&w, y->ndim, y->size, y->stride);
    for (int64_t j = 0; j < y->numel; j++, tg_walk_next(&w, 1))
        out[j] = ((const long double *)y->data)[w.offset];
}

/* t: a copy of the tape in long double. */
static inline bool has_plateau(tg_tape *t, uint32_t result, uint32_t leaf, int64_t element, uint64_t seed,
                               double analytic, double allowed) {
    long double y0[4096], *x = (long double *)t->nodes[leaf]->data + element, start = *x;
    const tg_node *y = t->nodes[result];
    int exponent, agree = 0;
    (void)frexp(start == 0 ? 1 : (double)start, &exponent);
    run_all(t, result);
    copy_result(y, y0);
    for (int halvings = -30; halvings <= (start == 0 ? 300 : 64) && agree < 3; halvings++) {
        long double h = ldexpl(1, exponent - halvings), f[2], unit[2];
        for (int side = 0; side < 2; side++) {
            *x = side ? start + h : start - h;
            run_all(t, result);
            f[side] = weighted_move(y, y0, seed, y->numel == 1, &unit[side]);
        }
        long double slope = (f[1] - f[0]) / (2 * h);
        bool moved = f[0] != 0 || f[1] != 0, seen = fmaxl(unit[0], unit[1]) / (2 * h) <= allowed;
        agree = moved && seen && fabsl(slope - analytic) <= allowed ? agree + 1 : 0;
    }
    *x = start;
    return agree == 3;
}

#endif
