/* Rows of a table: a function in float32, and what the gradient check may say of it. For float32_*test.c. */
#ifndef TAPEGRAD_TEST_FLOAT32_ROWS_H
#define TAPEGRAD_TEST_FLOAT32_ROWS_H

#include "tests/verdict.h"

#include <tgmath.h>

/* R: right, kinks included; C: cannot tell; W: wrong. */
static inline char letter(const tg_gradcheck_result *r) {
    return r->verdict == TG_GRAD_WRONG ? 'W' : r->verdict == TG_GRAD_CANNOT_TELL ? 'C' : 'R';
}

static inline tg_gradcheck_result check(tg_tensor y, tg_gradcheck_mode mode, uint64_t seed) {
    tg_gradcheck_config config = config_in(mode);
    config.directions = 1;
    config.seed += seed;
    return checked_with(y, config);
}

/* ---- data ---- */

static tg_rng_state rng;

static inline double uniform(void) { return tg_rng_double(&rng); }
static inline double normal(void) { return normal_number(&rng); }
static inline double ordinary(void) { return copysign(0.5 + uniform(), normal()); }

/* a + b randn */
static inline tg_tensor spread(tg_tape *t, tg_shape shape, double a, double b) {
    tg_tensor x = wanting(tg_zeros(t, shape));
    tg_node *n = t->nodes[x.index];
    for (int64_t i = 0; i < n->numel; i++) {
        double value = a + b * normal();
        if (n->dtype == TG_F32)
            ((float *)n->data)[i] = (float)value;
        else
            ((double *)n->data)[i] = value;
    }
    return x;
}

static inline tg_tensor leaf(tg_tape *t, tg_shape shape) { return spread(t, shape, 0, 1); }

#define MODEL(name, expression) \
    static tg_tensor name(tg_tape *t) { return expression; }

/* ---- rows: a function, and what may be said of it ---- */

/* Custom operations: of the float32 callbacks' gradient so many times the right one, or what `way` says. */
static float spoilt;
static int way;
#define IS_F32 (sizeof(real) == 4)
#define BY (IS_F32 ? (real)spoilt : 1)

typedef struct row {
    const char *name;
    tg_tensor (*record)(tg_tape *t); /* y, or op's operand */
    const tg_custom_op *op;          /* NULL: record makes all of it */
    float spoilt;
    int way, seeds;
    const char *full, *fast; /* which letters; NULL: not looked at */
    tg_mistake mistake;      /* NONE: any */
} row;

static inline tg_tensor record_row(const row *w, tg_tape *t, int seed) {
    tg_manual_seed(t, (uint64_t)seed);
    tg_rng_seed(&rng, (uint64_t)seed + 1);
    spoilt = w->spoilt;
    way = w->way;
    tg_tensor x = w->record(t), y = w->op ? tg_custom(w->op, &x, 1, tg_shape_of(x), NULL, 0) : x;
    WANT_OK(t);
    return y;
}

static inline void want_row(const row *w, tg_dtype dtype, int mode, int seed) {
    const char *allowed = dtype == TG_F64 ? "RC" : mode == TG_GRADCHECK_FULL ? w->full : w->fast;
    if (!allowed)
        return;
    tg_tape *t = tg_tape_new(dtype);
    tg_tensor y = record_row(w, t, seed);
    tg_gradcheck_result r = check(y, (tg_gradcheck_mode)mode, (uint64_t)seed);
    ck_assert_msg(strchr(allowed, letter(&r)), "%s, %s, seed %d, float%d: allowed %s: %s", w->name,
                  mode ? "fast" : "full", seed, dtype == TG_F64 ? 64 : 32, allowed, r.summary);
    bool named = letter(&r) != 'W' || w->mistake == TG_MISTAKE_NONE || r.mistake == w->mistake;
    ck_assert_msg(named, "%s, %s, seed %d: %s", w->name, mode ? "fast" : "full", seed, r.summary);
    tg_tape_free(t);
}

/* A float64 tape does not ask float32 callbacks. */
static inline void want_rows(const row *w) {
    for (int seed = 0; seed < w->seeds; seed++)
        for (int mode = 0; mode < 2; mode++)
            want_row(w, TG_F32, mode, seed);
    want_row(w, TG_F64, TG_GRADCHECK_FAST, 0);
}

#endif
