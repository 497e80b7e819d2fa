/* What many samples along a line say: do those that can tell agree with each other, and not with the gradient? */
#include "core/gradcheck/sample.h"

#include <float.h>

/* ---- samples, from wide to narrow ---- */

tg_sample *tg_take_sample(tg_samples *l, const tg_sample *m) {
    int at = l->n;
    while (at > 0 && l->m[at - 1].h < m->h)
        at--;
    memmove(&l->m[at + 1], &l->m[at], sizeof *m * (size_t)(l->n++ - at));
    l->m[at] = *m;
    return &l->m[at];
}

bool tg_has_step(const tg_samples *l, double h) {
    for (int i = 0; i < l->n; i++)
        if (l->m[i].h == h)
            return true;
    return l->n == TG_MOST_SAMPLES;
}

/* Steps below the spacing of what a forward computes in see nothing, unless nothing moves anywhere, or f is flat. */
bool tg_sees(const tg_samples *l, const tg_sample *m) {
    bool none = true;
    for (int i = 0; i < l->n; i++)
        none &= l->m[i].same || !l->m[i].clean;
    return m->clean && (!m->same || none || l->flat);
}

/* The noise at and below this step. */
static double noise_below(const tg_samples *l, int i) {
    double most = 0;
    for (; i < l->n; i++)
        if (tg_sees(l, &l->m[i]))
            most = fmax(most, l->m[i].noise);
    return most;
}

/* And at the next wider one. */
double tg_noise_from(const tg_samples *l, int i) {
    int first = i ? i - 1 : 0;
    while (l->coarse && first > 0 && l->m[first - 1].h <= l->widest)
        first--;
    return noise_below(l, first);
}

/* For an accusation: y may be small where larger numbers cancel, whose rounding swallows what moves them. And what a
 * coarse operation rounds shows in no step that happens to lie between its jumps. */
double tg_careful_bar(const tg_checker *c, const tg_samples *l, int i) {
    double jump = l->coarse ? c->weight * fmax(c->coarse * c->largest, c->jump) / 4 : 0;
    double amplified = l->m[i].same ? c->size : c->weight; /* a softmax of scores, times values */
    return tg_bar(&l->m[i], fmax(tg_noise_from(l, i), jump)) + amplified * c->fine.within * c->fine.unit / l->m[i].h;
}

/* Is the gradient further from the sample than its error can explain? */
bool tg_contradicts(const tg_checker *c, const tg_line *line, const tg_samples *l, int i, double analytic) {
    const tg_sample *m = &l->m[i];
    double d = fabs(m->value - analytic);
    return tg_sees(l, m) && d > tg_limit(c, line, analytic, m->value) + 10 * tg_careful_bar(c, l, i);
}

/* ---- evidence against the gradient ---- */

/* Samples that agree with each other, taken from narrow to wide. */
typedef struct agreement {
    int n;
    const tg_sample *narrowest, *widest, *sharpest;
    double low, high;
} agreement;

static void take(agreement *a, const tg_sample *m) {
    bool first = a->n++ == 0;
    a->narrowest = first ? m : a->narrowest;
    a->widest = m;
    a->sharpest = first || tg_bar(m, 0) < tg_bar(a->sharpest, 0) ? m : a->sharpest;
    a->low = first ? m->value : fmin(a->low, m->value);
    a->high = first ? m->value : fmax(a->high, m->value);
}

/* One built-in operation: long double shows all of it but what larger numbers swallow. */
bool tg_is_plain(const tg_checker *c) { return c->alone && !c->has_custom; }

/* Is what the formulas differ by rounding, or little? Steps that saturate a softmax differ by 8 %, and all say nearly
 * 0. And are the seven points on a curve? What waves many times between them looks flat, as the steps are so wide. */
bool tg_is_resolved(const tg_checker *c, const tg_sample *m) {
    double unit = c->has_custom ? fmax(c->noisy, DBL_EPSILON) : c->fine.unit, slope = fabs(m->value);
    double rounding = m->rounding * fmax(1, unit / c->fine.unit);
    bool curve = m->noise <= 0.05 * slope * m->h || m->noise <= 1e3 * rounding;
    return curve &&
           (m->error <= 0.02 * slope || m->error * m->h <= 1e3 * (m->rounding + c->weight * unit * c->fine.within));
}

/* By its own noise: that of f may be far below the bound of its rounding. */
double tg_own_bar(const tg_sample *m) { return m->error + 4 * m->noise / m->h; }

/* Is it seen otherwise between two of its points? A wave of which a step is nearly so many periods looks smooth, and
 * nearly flat. (To both sides: what is even has no part in the slope.) */
static bool passes_over_waves(tg_checker *c, const tg_line *line, const tg_sample *m) {
    double h = 0.37 * m->h;
    tg_point low = tg_evaluate(c, &c->fine, line, -h), high = tg_evaluate(c, &c->fine, line, h);
    double odd = (double)(high.f - low.f) / 2, straight = m->value * h;
    double bar = 10 * tg_own_bar(m) * m->h + 1e3 * fmax(low.rounding, high.rounding);
    return !(fabs(odd - straight) <= 0.1 * fabs(straight) + bar);
}

/* Do steps that are wider than the evidence count against it? Where a softmax is all one or all the other, everything
 * is nearly 0; and so is what waves, for steps that pass over its waves. */
static bool counts_though_wider(tg_checker *c, const tg_line *line, const tg_samples *l, const tg_sample *m) {
    bool own = c->alone && c->has_custom && !l->coarse;
    return !tg_is_plain(c) && (!own || (tg_is_resolved(c, m) && !passes_over_waves(c, line, m)));
}

/* Does a sample side with the gradient that is sharp enough to tell it from these? A narrower one need only be nearer
 * to the gradient, which rounds as well: these passed over what lies between them (a softmax of scores of 1e11), or are
 * coarse and have no others. */
static bool has_witness(tg_checker *c, const tg_line *line, const tg_samples *l, double analytic,
                        const agreement *against) {
    double other = against->narrowest->value;
    for (int i = 0; i < l->n; i++) {
        const tg_sample *m = &l->m[i];
        double apart = fabs(m->value - other), most = tg_limit(c, line, analytic, m->value);
        double b =
            tg_bar(m, noise_below(l, i)); /* a wider step's may be that of a saturated function, or of a staircase */
        bool sides = !m->flat && fabs(m->value - analytic) <= most + 10 * b && 20 * b <= fabs(other - analytic);
        if (tg_sees(l, m) && sides && (m->h <= against->widest->h || counts_though_wider(c, line, l, m)))
            return true;
        bool nearer = 4 * fabs(m->value - analytic) <= apart && apart >= (l->coarse ? 2 : 20) * b;
        if (tg_sees(l, m) && m->h < against->narrowest->h && nearer && (l->coarse || !(m->same || m->flat)))
            return true;
    }
    return false;
}

/* Do three narrower ones in a row, by their own bars? Large elements of y that stay as they are say nothing of what
 * moves, and wider steps may pass over many waves. */
static bool has_narrow_witnesses(const tg_checker *c, const tg_line *line, const tg_samples *l, double analytic,
                                 const agreement *against) {
    int in_a_row = 0;
    for (int i = l->n; i-- > 0 && l->m[i].h < against->narrowest->h && in_a_row < 3;) {
        const tg_sample *m = &l->m[i];
        double b = tg_own_bar(m), d = fabs(m->value - analytic);
        if (!tg_sees(l, m) || m->same || m->flat || 20 * b > fabs(against->narrowest->value - analytic))
            continue;
        in_a_row = d <= tg_limit(c, line, analytic, m->value) + 10 * b ? in_a_row + 1 : 0;
    }
    return in_a_row == 3 && c->has_custom && !l->coarse;
}

/* The sharpest, when they are on one side of the gradient, so many times closer to each other, and none sides with it.
 */
static const tg_sample *conclude(tg_checker *c, const tg_line *line, const tg_samples *l, double analytic,
                                 const agreement *a, double times) {
    double nearest = fmin(fabs(a->low - analytic), fabs(a->high - analytic));
    bool agree = (a->low > analytic) == (a->high > analytic) && times * (a->high - a->low) <= nearest;
    bool denied = agree && (has_witness(c, line, l, analytic, a) || has_narrow_witnesses(c, line, l, analytic, a));
    return agree && !denied ? a->sharpest : NULL;
}

bool tg_is_coarse(tg_checker *c, const tg_line *line) {
    if (c->has_custom)
        tg_checker_gradient_noise(c, line);
    return c->coarse > TG_COARSE;
}

/* The narrowest three samples that can tell, with bars so many times smaller than the difference: they agree with each
 * other as well as that, and not with the gradient. None is wider than `widest`. */
static const tg_sample *refuted_by(tg_checker *c, const tg_line *line, const tg_samples *l, double analytic, bool wide,
                                   double widest) {
    enum { ENOUGH = 3 };
    agreement a = {0};
    double times = wide ? 200 : 50;
    for (int i = l->n; i-- > 0 && a.n < ENOUGH;) {
        const tg_sample *m = &l->m[i];
        double telling = fmax(fabs(m->value - analytic), tg_limit(c, line, analytic, m->value));
        if (!tg_sees(l, m) || times * tg_careful_bar(c, l, i) > telling)
            continue;
        bool still = wide && m->same && c->has_custom; /* between the steps of what computes in float */
        if (!tg_contradicts(c, line, l, i, analytic) || m->noise > 1e-5 * c->size || !tg_is_resolved(c, m) || still)
            return NULL;
        take(&a, m);
    }
    return a.n == ENOUGH && a.narrowest->h <= widest ? conclude(c, line, l, analytic, &a, times) : NULL;
}

/* Wide steps are no evidence, since between them may lie what noise hides, but for an operation alone, which hides
 * nothing, and for what computes in float, which has no others. */
double tg_widest_evidence(tg_checker *c, const tg_line *line) {
    double narrow = c->config->eps * (line->size > 0 ? line->size : 1);
    return tg_is_coarse(c, line) ? INFINITY : tg_is_plain(c) ? fmax(line->size, narrow) : narrow;
}

/* But where their bars are very small: what noise hides is then hundreds of times narrower than they are. */
double tg_widest_sharp(const tg_line *line) { return fmin(64 * line->size, line->widest / 64); }

const tg_sample *tg_refuted(tg_checker *c, const tg_line *line, const tg_samples *l, double analytic) {
    const tg_sample *m = refuted_by(c, line, l, analytic, false, tg_widest_evidence(c, line));
    return m ? m : refuted_by(c, line, l, analytic, true, tg_widest_sharp(line));
}

/* A gradient that is NaN or Inf: is there a derivative, as the narrowest three that are sharp agree? */
const tg_sample *tg_find_slope(const tg_checker *c, const tg_line *line, const tg_samples *l) {
    const tg_sample *found = NULL;
    int n = 0;
    double low = INFINITY, high = -INFINITY;
    for (int i = l->n; i-- > 0 && n < 3;) {
        const tg_sample *m = &l->m[i];
        bool sharp = m->same || tg_bar(m, tg_noise_from(l, i)) <= fmax(1e-3 * fabs(m->value), line->unseen);
        if (!tg_sees(l, m) || (m->same && c->infinite) ||
            !sharp) /* the same: x may act on what has no cotangent alone */
            continue;
        low = fmin(low, m->value);
        high = fmax(high, m->value);
        found = m;
        n++;
    }
    return n == 3 && high - low <= tg_allowed(c, high) ? found : NULL;
}
