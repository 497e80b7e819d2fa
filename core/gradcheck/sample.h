/* Private to numeric.c, samples.c, kinks.c and sample.c: the derivative along a line as one step shows it, and as many
 * do. */
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

/* ---- samples.c ---- */

enum { TG_MOST_SAMPLES = 64 };

/* From wide to narrow. Where a custom operation is coarse, the noise of any step counts for those below it. */
typedef struct tg_samples {
    int n;
    tg_sample m[TG_MOST_SAMPLES];
    bool coarse;
    double widest; /* of the steps whose noise is not the curve */
    bool flat;     /* what moves nothing has a slope of 0 */
} tg_samples;

tg_sample *tg_take_sample(tg_samples *l, const tg_sample *m);
/* Or is there no room for more? */
bool tg_has_step(const tg_samples *l, double h);
/* Does it see anything? */
bool tg_sees(const tg_samples *l, const tg_sample *m);
/* The noise at and below this step and the next wider one. */
double tg_noise_from(const tg_samples *l, int i);
/* The error bar for an accusation; by its own noise alone. */
double tg_careful_bar(const tg_checker *c, const tg_samples *l, int i);
double tg_own_bar(const tg_sample *m);
/* Is the gradient further from the sample than its error can explain? */
bool tg_contradicts(const tg_checker *c, const tg_line *line, const tg_samples *l, int i, double analytic);
/* One built-in operation alone. */
bool tg_is_plain(const tg_checker *c);
bool tg_is_coarse(tg_checker *c, const tg_line *line);
bool tg_is_resolved(const tg_checker *c, const tg_sample *m);
/* How wide evidence may be; where bars are very small. */
double tg_widest_evidence(tg_checker *c, const tg_line *line);
double tg_widest_sharp(const tg_line *line);
/* The sharpest of the samples that refute the gradient; NULL: none do. */
const tg_sample *tg_refuted(tg_checker *c, const tg_line *line, const tg_samples *l, double analytic);
/* A derivative, where the gradient is NaN or Inf; NULL: none is seen. */
const tg_sample *tg_find_slope(const tg_checker *c, const tg_line *line, const tg_samples *l);

/* ---- kinks.c ---- */

/* Is there a kink, or may there be? Then *o is the verdict. */
bool tg_judge_kink(tg_checker *c, tg_side *side, const tg_line *line, double analytic, tg_outcome *o);

#endif
