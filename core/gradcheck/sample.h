/* Private to numeric.c, kinks.c and sample.c: the derivative along a line as one step shows it. */
#ifndef TAPEGRAD_SAMPLE_H
#define TAPEGRAD_SAMPLE_H

#include "core/gradcheck/check.h"

typedef struct tg_sample {
    double h, value, error, noise, rounding, unmoved;
    bool clean, same; /* clean: every evaluation is finite and took the branches of the middle; same: y did not move */
    bool flat;        /* y moves, but by as much for one step as for three: it jumps, and has no slope there */
} tg_sample;

/* ---- sample.c ---- */

tg_sample tg_central(tg_checker *c, tg_side *side, const tg_line *line, double h);
/* To one side only, and with the branches of that side; *crossed becomes true where those are others. */
tg_sample tg_one_sided(tg_checker *c, tg_side *side, const tg_line *line, double h, bool *crossed);

/* The error bar, when f's noise is that of the noisiest of these. */
static inline double tg_bar(const tg_sample *m, double noise) {
    return m->error + (4 * fmax(m->noise, noise) + m->rounding) / m->h;
}

static inline double tg_allowed(const tg_checker *c, double numeric) {
    return c->config->atol + c->config->rtol * fabs(numeric);
}

/* How far a right gradient may be from a numeric derivative that has no error. */
double tg_limit(const tg_checker *c, const tg_line *line, double analytic, double numeric);

/* ---- kinks.c ---- */

/* Is there a kink, or may there be? Then *o is the verdict. */
bool tg_judge_kink(tg_checker *c, tg_side *side, const tg_line *line, double analytic, tg_outcome *o);

#endif
