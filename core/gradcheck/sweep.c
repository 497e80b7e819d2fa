/* A last look at what is about to be given up: slopes at every width, from where nothing is seen to 2^30 times what
 * moves, to both sides at once and to each alone.
 *
 * One difference of numbers that cancel is coarse; a curve through many points within an octave is sharper, since each
 * rounds in its own way. Steps may be wide as long as they stay on the branches of the middle: an element of 1e-6
 * beside numbers of 1e9, where steps of its own size drown, often moves freely to one side. Or it crosses branches that
 * are nothing to y's slope: then both sides have to say the same, each alone. Narrower steps that say otherwise may be
 * on a tread of a stair that rounding makes. This is never a reason to call a gradient wrong: between wide steps may
 * lie what rounding hides. And since what it shows it shows to a few digits, the operations are looked at with the dy
 * that they had (locate.c). */
#include "core/gradcheck/check.h"

enum { OWN = 30, OCTAVES = 250, FEW = 128, MANY = 1024, IN_A_ROW = 3, REACH = 3, NONE = -1 };
typedef enum { LEFT, RIGHT, BOTH, WAYS } way;
static const int reach[] = {3, 3, 2}; /* of the steps */

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

/* Is the gradient far from what this octave and the two that are narrower say, as well as they agree, and would
 * rounding of y let it be seen? */
static bool denies(const sweep *s, way w, int i) {
    const double *slope = &s->slope[w][i];
    double least = 0.1 * fabs(slope[1] - s->analytic);
    return i + 2 < s->last && s->visible[i + 2] && fabs(slope[0] - slope[1]) < least &&
           fabs(slope[2] - slope[1]) < least;
}

static bool is_near(const sweep *s, way w, int i) {
    return fabs(s->slope[w][i] - s->analytic) <= 0.1 * fabs(s->analytic);
}

/* ---- one octave with care ---- */

typedef struct octave {
    bool clean;
    double slope, error; /* twice its standard error */
} octave;

/* One of the polynomials that are orthogonal on the points: there, and at 0. */
typedef struct polynomial {
    long double at[MANY], size, value, rise; /* size: <p, p> */
} polynomial;

/* Points of a curve, and what a fit needs: too much for a stack. */
struct tg_curve {
    int n;
    long double x[MANY], y[MANY];
    polynomial p, last, before;
};

/* p[j + 1](x) = (x - a) p[j](x) - b p[j - 1](x) */
static void step_up(tg_curve *k, long double a, long double b) {
    k->before = k->last;
    k->last = k->p;
    for (int i = 0; i < k->n; i++)
        k->p.at[i] = (k->x[i] - a) * k->last.at[i] - b * k->before.at[i];
    k->p.value = -a * k->last.value - b * k->before.value;
    k->p.rise = k->last.value - a * k->last.rise - b * k->before.rise;
}

/* The slope at 0 of the polynomial that is nearest to the points x, y (Forsythe 1957):
 *     slope = sum_j c[j] p[j]'(0)                           a = <x p[j], p[j]> / <p[j], p[j]>
 *     error^2 = s^2 sum_j p[j]'(0)^2 / <p[j], p[j]>         b = <p[j], p[j]> / <p[j - 1], p[j - 1]>
 * where s^2 is the mean square of what it leaves of y,      c[j] = <y, p[j]> / <p[j], p[j]> */
static octave fit(tg_curve *k, int degree) {
    polynomial *p = &k->p;
    long double slope = 0, gain = 0, rest = 0;
    *p = (polynomial){.value = 1};
    k->last = (polynomial){.size = 1};
    for (int i = 0; i < k->n; i++)
        p->at[i] = 1;
    for (int j = 0; j <= degree; j++) {
        long double a = 0, c = 0;
        p->size = 0;
        for (int i = 0; i < k->n; i++) {
            p->size += p->at[i] * p->at[i];
            a += k->x[i] * p->at[i] * p->at[i];
            c += k->y[i] * p->at[i];
        }
        slope += c / p->size * p->rise;
        gain += p->rise * p->rise / p->size;
        for (int i = 0; i < k->n; i++)
            k->y[i] -= c / p->size * p->at[i];
        step_up(k, a / p->size, p->size / k->last.size);
    }
    for (int i = 0; i < k->n; i++)
        rest += k->y[i] * k->y[i];
    double error = 2 * (double)sqrtl(rest / (k->n - degree - 1) * gain);
    return (octave){.clean = true, .slope = (double)slope, .error = error};
}

/* Points as far as the octave reaches, at odd distances: equal ones may all round alike. The curve need not go through
 * f(0), whose own rounding is in all of them. Where x itself rounds nothing is known. */
static octave measure(const sweep *s, tg_side *side, way w, int i, int n) {
    tg_curve *curve = s->c->curve;
    double width = reach[w] * step(s, i, 8);
    curve->n = n;
    for (int k = 0; k < n; k++) {
        int part = w == BOTH ? 2 * (k / 2 + 1) : k + 1;
        bool left = w == LEFT || (w == BOTH && k % 2);
        double h = width * (8 * part - floor(8 * fmod(0.618 * part, 1))) / (8 * n);
        tg_point p = tg_evaluate(s->c, side, s->line, left ? -h : h);
        if (!p.finite || !(s->across || p.branches == side->branches))
            return (octave){.clean = false};
        if (fabs((double)p.s) < 0.99 * h || fabs((double)p.s) > 1.01 * h)
            return (octave){.clean = true, .error = INFINITY};
        curve->x[k] = p.s / width;
        curve->y[k] = p.f / width;
    }
    return fit(curve, w == BOTH ? 4 : 3);
}

static bool agrees(const sweep *s, const octave *o) {
    return fabs(o->slope - s->analytic) <= 1e-6 * fabs(o->slope) + 10 * o->error;
}

/* Steps may all be on one tread of a stair: a number on the way is rounded to units that they do not reach, and what
 * else moves looks like all. What is rounding moves with the precision: at steps 2^8 times as wide long double is on
 * the way to the gradient, but float64, whose treads are 2^11 times as wide, has not left. */
static bool is_tread(const sweep *s, way w, int i) {
    enum { WIDER = 8 };
    octave narrow = measure(s, s->side, w, i, FEW), wide = measure(s, s->side, w, i - WIDER, FEW);
    octave coarse = measure(s, &s->c->plain, w, i - WIDER, FEW);
    double apart = fabs(narrow.slope - s->analytic);
    return narrow.clean && wide.clean && coarse.clean && fabs(wide.slope - s->analytic) + wide.error <= 0.5 * apart &&
           fabs(coarse.slope - narrow.slope) + coarse.error <= 0.1 * apart;
}

/* Are the octaves that deny it on a tread? One whose few points denied it by chance does not when looked at with care.
 */
static bool is_excused(const sweep *s, way w, int widest, int denied, const bool *seems_denied) {
    for (int i = widest; i < s->last; i++) {
        if (i == denied)
            return is_tread(s, w, i);
        octave o = seems_denied[i] ? measure(s, s->side, w, i, FEW) : (octave){0};
        if (seems_denied[i] && !(o.clean && agrees(s, &o)))
            return is_tread(s, w, i);
    }
    return true;
}

/* From narrow to wide, the first three octaves in a row that are sharp and agree with the gradient. */
static bool confirm(sweep *s, way w, tg_outcome *out) {
    double rtol = s->c->config->rtol;
    bool seems_denied[OCTAVES] = {false};
    int in_a_row = 0, denied = NONE, i = s->last - 1;
    for (; i >= s->first && s->clean[w][i] && in_a_row < IN_A_ROW; i--) {
        seems_denied[i] = denies(s, w, i);
        if (seems_denied[i] || !is_near(s, w, i)) {
            in_a_row = 0;
            continue;
        }
        octave o = measure(s, s->side, w, i, FEW);
        if (o.error > rtol * fabs(o.slope) && o.error < 2.5 * rtol * fabs(o.slope))
            o = measure(s, s->side, w, i, MANY);
        if (!o.clean)
            return false;
        denied = agrees(s, &o) ? denied : i;
        double rule = rtol * fabs(o.slope);
        bool sharp = o.error <= rule && fabs(o.slope - s->analytic) <= rule;
        in_a_row = denied != i && sharp ? in_a_row + 1 : 0;
        *out = (tg_outcome){.verdict = TG_GRAD_RIGHT, .numeric = o.slope, .error = o.error};
    }
    return in_a_row == IN_A_ROW && is_excused(s, w, i + 1, denied, seems_denied);
}

bool tg_sweep_line(tg_checker *c, tg_side *side, const tg_line *line, double analytic, tg_outcome *out) {
    sweep s = {.c = c, .side = side, .line = line, .analytic = analytic};
    tg_outcome left, found;
    if (!c->curve && !(c->curve = tg_checker_memory(c, 1, sizeof *c->curve)))
        return false;
    look_everywhere(&s);
    bool right = confirm(&s, BOTH, &found) || confirm(&s, LEFT, &found) || confirm(&s, RIGHT, &found);
    if (!right) {
        s.across = true;
        look_everywhere(&s);
        right = confirm(&s, LEFT, &left) && confirm(&s, RIGHT, &found);
    }
    if (right)
        *out = found;
    return right;
}
