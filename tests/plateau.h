/* Is there a derivative that long double can measure? Asked of elements that the gradient check gave up, and of
 * mistakes that it missed, in the simplest way there is and with none of its code: central differences in long double
 * at every step, twice as wide each time. Where three steps in a row say what backward says, but for what is allowed,
 * it can be measured; but not by steps that agree by chance, since a unit in the last place of y makes more than that
 * of them. And not by wide steps across a kink: where three narrower ones, in 128 bits, agree on another slope, that is
 * the derivative. Header-only: false_alarms.c, fault_sight.c. */
#ifndef TAPEGRAD_TEST_PLATEAU_H
#define TAPEGRAD_TEST_PLATEAU_H

#include "core/engine.h"

#ifdef TG_HAS_QUAD
typedef tg_quad plateau_number;
enum { PLATEAU_FINEST = TG_QD };
#else
typedef long double plateau_number;
enum { PLATEAU_FINEST = TG_LD };
#endif

/* A copy of the tape in one precision, and the element that moves. */
typedef struct plateau {
    tg_tape *t;
    uint32_t result, leaf;
    int64_t element;
    uint64_t seed;
    plateau_number start, y0[4096];
} plateau;

typedef struct plateau_slope {
    double value;
    bool seen; /* y moves, and a unit in the last place of each element that does makes no more of it than is allowed */
} plateau_slope;

static inline plateau_number plateau_read(const tg_node *n, ptrdiff_t at) {
#ifdef TG_HAS_QUAD
    if (n->tape->dtype == TG_QD)
        return ((const tg_quad *)n->data)[at];
#endif
    return ((const long double *)n->data)[at];
}

static inline void plateau_move(const plateau *p, plateau_number by) {
    void *x = p->t->nodes[p->leaf]->data;
#ifdef TG_HAS_QUAD
    if (p->t->dtype == TG_QD) {
        ((tg_quad *)x)[p->element] = p->start + by;
        return;
    }
#endif
    ((long double *)x)[p->element] = (long double)(p->start + by);
}

static inline void plateau_run(const plateau *p) {
    for (uint32_t i = 0; i <= p->result; i++)
        if (p->t->nodes[i]->op && tg_run_forward(p->t->nodes[i]))
            return;
}

/* In the last place of a number. */
static inline plateau_number plateau_unit(const plateau *p, plateau_number size) {
    return p->t->dtype == TG_LD ? nextafterl((long double)size, INFINITY) - (long double)size : 0x1p-112 * size;
}

/* sum v y - sum v y0; the cotangent v is drawn as tg_gradcheck draws it. *unit: what units in last places make of it.
 */
static inline plateau_number plateau_weighted(const plateau *p, plateau_number *unit) {
    const tg_node *y = p->t->nodes[p->result];
    plateau_number sum = 0;
    tg_rng_state g;
    tg_walk w;
    *unit = 0;
    tg_rng_seed(&g, p->seed);
    tg_walk_begin(&w, y->ndim, y->size, y->stride);
    for (int64_t j = 0; j < y->numel; j++, tg_walk_next(&w, 1)) {
        double sign = tg_rng_random(&g) & 1 ? 1 : -1, drawn = sign * (0.5 + tg_rng_double(&g));
        double v = y->numel == 1 ? 1 : drawn;
        plateau_number now = plateau_read(y, w.offset), size = now < 0 ? -now : now;
        sum += now == p->y0[j] ? 0 : v * (now - p->y0[j]);
        *unit += now == p->y0[j] ? 0 : fabs(v) * plateau_unit(p, size);
    }
    return sum;
}

static inline plateau_slope plateau_slope_at(const plateau *p, plateau_number h, double allowed) {
    plateau_number f[2], unit[2];
    for (int side = 0; side < 2; side++) {
        plateau_move(p, side ? h : -h);
        plateau_run(p);
        f[side] = plateau_weighted(p, &unit[side]);
    }
    plateau_move(p, 0);
    bool moved = f[0] != 0 || f[1] != 0;
    plateau_number rounding = (unit[0] > unit[1] ? unit[0] : unit[1]) / (2 * h);
    return (plateau_slope){(double)((f[1] - f[0]) / (2 * h)), moved && (double)rounding <= allowed};
}

static inline void plateau_open(plateau *p, tg_tape *t, uint32_t result, uint32_t leaf, int64_t element,
                                uint64_t seed) {
    const tg_node *y = t->nodes[result];
    tg_walk w;
    p->t = t;
    p->result = result;
    p->leaf = leaf;
    p->element = element;
    p->seed = seed;
    p->start = plateau_read(t->nodes[leaf], element);
    plateau_run(p);
    tg_walk_begin(&w, y->ndim, y->size, y->stride);
    for (int64_t j = 0; j < y->numel; j++, tg_walk_next(&w, 1))
        p->y0[j] = plateau_read(y, w.offset);
}

enum { PLATEAU_WIDEST = -30, PLATEAU_STEPS = 3 };

static inline plateau_number plateau_step(const plateau *p, int halvings) {
    int exponent;
    (void)frexp(p->start == 0 ? 1 : (double)p->start, &exponent);
    return ldexp(1, exponent - halvings);
}

/* The narrowest three steps in a row that agree with each other, all narrower than so many halvings: do they show
 * another slope? */
static inline bool plateau_denied(const plateau *p, int halvings, double analytic, double allowed) {
    int narrowest = p->start == 0 ? 300 : 100, agree = 0;
    double last = 0;
    for (int i = narrowest; i > halvings && agree < PLATEAU_STEPS; i--) {
        plateau_slope s = plateau_slope_at(p, plateau_step(p, i), allowed);
        agree = !s.seen ? 0 : agree && fabs(s.value - last) <= allowed / 8 ? agree + 1 : 1;
        last = s.value;
    }
    return agree == PLATEAU_STEPS && fabs(last - analytic) > allowed;
}

/* fine, finest: copies of the tape in long double and in 128 bits (in long double as well where there are none). */
static inline bool has_plateau(tg_tape *fine, tg_tape *finest, uint32_t result, uint32_t leaf, int64_t element,
                               uint64_t seed, double analytic, double allowed) {
    plateau p;
    plateau_open(&p, fine, result, leaf, element, seed);
    int narrowest = p.start == 0 ? 300 : 64, agree = 0, halvings = PLATEAU_WIDEST;
    for (; halvings <= narrowest && agree < PLATEAU_STEPS; halvings++) {
        plateau_slope s = plateau_slope_at(&p, plateau_step(&p, halvings), allowed);
        agree = s.seen && fabs(s.value - analytic) <= allowed ? agree + 1 : 0;
    }
    if (agree < PLATEAU_STEPS)
        return false;
    plateau_open(&p, finest, result, leaf, element, seed);
    return !plateau_denied(&p, halvings, analytic, allowed);
}

#endif
