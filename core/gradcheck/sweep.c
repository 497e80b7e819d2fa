/* A last look at what is about to be given up: slopes at every width, from where nothing is seen to 2^30 times what
 * moves, to both sides at once and to each alone.
 *
 * One difference of numbers that cancel is coarse; many widths within an octave round each in its own way, and their
 * mean is sharper. Steps may be wide as long as they stay on the branches of the middle: an element of 1e-6 beside
 * numbers of 1e9, where steps of its own size drown, often moves freely to one side. Or it crosses branches that are
 * nothing to y's slope: then both sides have to say the same, each alone. This is never a reason to call a gradient
 * wrong: between wide steps may lie what rounding hides. */
#include "core/gradcheck/check.h"

enum { OWN = 30, OCTAVES = 250, WIDTHS = 32, IN_A_ROW = 3, REACH = 3 };
typedef enum { LEFT, RIGHT, BOTH, WAYS } way;

/* Slopes by octave, from wide to narrow; OWN: a step of the line's own size. */
typedef struct sweep {
    tg_checker *c;
    tg_side *side;
    const tg_line *line;
    double analytic;
    bool across;     /* whatever the branches */
    int first, last; /* octaves that were looked at: first .. last - 1 */
    double slope[WAYS][OCTAVES];
    bool clean[WAYS][OCTAVES]; /* every point is finite and on the branches of the middle, and those of narrower ones */
    bool visible[OCTAVES];     /* rounding would let the gradient be seen */
} sweep;

/* ---- every octave, once ---- */

/* Points from -3 h to 3 h. */
static void evaluate(sweep *s, double h, int from, int to, tg_point *p) {
    for (int k = from; k <= to; k++)
        p[k + REACH] = k ? tg_evaluate(s->c, s->side, s->line, k * h) : (tg_point){.branches = s->side->branches};
}

/* Of these points of them; *clean: all can be used. */
static double slope_of(const sweep *s, way w, double h, const tg_point *p, bool *clean) {
    static const int from[] = {-3, 1, -2}, to[] = {-1, 3, 2};
    const tg_point *f = p + REACH;
    *clean = true;
    for (int k = from[w]; k <= to[w]; k++)
        *clean &= k == 0 || (f[k].finite && (s->across || f[k].branches == s->side->branches));
    if (w == BOTH)
        return (double)((8 * (f[1].f - f[-1].f) - (f[2].f - f[-2].f)) / (12 * (long double)h));
    int sign = w == LEFT ? -1 : 1;
    return (double)((18 * f[sign].f - 9 * f[2 * sign].f + 2 * f[3 * sign].f) / (6 * sign * (long double)h));
}

static double step(const sweep *s, int i, double eighths) { return tg_step(s->line, i - OWN) * (1 + eighths / 8); }

/* At a width that is no power of two: what is rounded would give the same slope at h and 2 h. False when nothing is
 * seen any more. */
static bool look_at(sweep *s, int i) {
    tg_point p[2 * REACH + 1];
    double h = step(s, i, 5 * i % 8), rounding = s->side->largest * s->side->unit;
    bool same = true;
    if (!(h > 1e-300))
        return false;
    evaluate(s, h, -REACH, REACH, p);
    for (int k = 0; k <= 2 * REACH; k++) {
        same &= k == REACH || p[k].same;
        rounding = fmax(rounding, p[k].rounding);
    }
    for (way w = LEFT; w < WAYS; w++)
        s->slope[w][i] = slope_of(s, w, h, p, &s->clean[w][i]);
    s->visible[i] = rounding / h < 0.1 * fabs(s->analytic);
    return !same;
}

/* Where an octave is not clean, wider ones are not. Is any side? */
static bool stays_clean(sweep *s, int i, int narrower) {
    bool any = false;
    for (way w = LEFT; w < WAYS; w++) {
        s->clean[w][i] &= s->clean[w][narrower];
        any |= s->clean[w][i];
    }
    return any;
}

/* From the line's own size to narrower steps while something moves, then to wider ones while a side is clean. */
static void look_everywhere(sweep *s) {
    s->first = s->last = OWN;
    while (s->last < OCTAVES && look_at(s, s->last))
        s->last++;
    for (int i = s->last - 1; i-- > OWN;)
        (void)stays_clean(s, i, i + 1);
    for (bool any = true; any && s->first > 0;) {
        bool seen = look_at(s, --s->first);
        any = stays_clean(s, s->first, s->first + 1);
        if (!seen && s->last == s->first + 1)
            s->last = s->first;
    }
}

/* ---- hints ---- */

static bool is_near(double a, double b, double by) { return fabs(a - b) <= by * fabs(b); }

/* Do three neighbouring steps agree with each other? */
static bool agree(const double *slope) {
    return is_near(slope[0], slope[1], 0.01) && is_near(slope[2], slope[1], 0.01);
}

/* The narrowest of three octaves that are not far from the gradient; -1: none, or narrower ones that rounding lets see
 * agree on something else. */
static int first_hint(const sweep *s, way w) {
    int in_a_row = 0;
    for (int i = s->last; i-- > s->first && s->clean[w][i];) {
        const double *slope = &s->slope[w][i];
        in_a_row = is_near(*slope, s->analytic, 0.1) ? in_a_row + 1 : 0;
        if (in_a_row == IN_A_ROW)
            return i + IN_A_ROW - 1;
        if (!in_a_row && i + 2 < s->last && agree(slope) && s->visible[i + 2])
            return -1;
    }
    return -1;
}

/* ---- one octave with care ---- */

typedef struct octave {
    bool clean;
    double mean, error; /* twice the standard error of the mean */
} octave;

static octave measure(sweep *s, way w, int i) {
    static const int from[] = {-3, 1, -2}, to[] = {-1, 3, 2};
    octave o = {.clean = true};
    double slope[WIDTHS];
    long double squares = 0; /* slopes may be 1e200 */
    for (int k = 0; k < WIDTHS && o.clean; k++) {
        tg_point p[2 * REACH + 1];
        double h = step(s, i, 8.0 * k / WIDTHS);
        evaluate(s, h, from[w], to[w], p);
        slope[k] = slope_of(s, w, h, p, &o.clean);
        o.mean += slope[k] / WIDTHS;
    }
    for (int k = 0; k < WIDTHS && o.clean; k++)
        squares += (long double)(slope[k] - o.mean) * (slope[k] - o.mean);
    o.error = 2 * (double)sqrtl(squares) / WIDTHS;
    return o;
}

/* From narrow to wide, the first three octaves in a row that are sharp and agree with the gradient; none before them
 * may differ from it by more than ten times its error. */
static bool confirm(sweep *s, way w, tg_outcome *out) {
    int in_a_row = 0;
    for (int i = first_hint(s, w); i >= s->first && s->clean[w][i]; i--) {
        octave o = measure(s, w, i);
        double rule = s->c->config->rtol * fabs(o.mean), apart = fabs(o.mean - s->analytic);
        if (!o.clean || !(apart <= 1e-6 * fabs(o.mean) + 10 * o.error))
            return false;
        in_a_row = o.error <= rule && apart <= rule ? in_a_row + 1 : 0;
        if (in_a_row < IN_A_ROW)
            continue;
        *out = (tg_outcome){.verdict = TG_GRAD_RIGHT, .numeric = o.mean, .error = o.error};
        return true;
    }
    return false;
}

bool tg_sweep_line(tg_checker *c, tg_side *side, const tg_line *line, double analytic, tg_outcome *out) {
    sweep s = {.c = c, .side = side, .line = line, .analytic = analytic};
    tg_outcome other;
    look_everywhere(&s);
    if (confirm(&s, BOTH, out) || confirm(&s, LEFT, out) || confirm(&s, RIGHT, out))
        return true;
    s.across = true;
    look_everywhere(&s);
    return confirm(&s, LEFT, &other) && confirm(&s, RIGHT, out);
}
