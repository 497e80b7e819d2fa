/* Is this the derivative of f along the line? See evaluate.c for f.
 *
 * A sample is a difference of seven points, h apart, with an error bar: what the formula of lower order says
 * otherwise, and the noise of f, which its fifth differences show whatever its cause. Steps are taken from the size
 * of what moves: beyond that lie other things (the pole of 1/x). One sample with a small bar that agrees is enough
 * for RIGHT. WRONG needs the three narrowest samples that can tell the gradient from their own value, in long
 * double, to agree with each other and not with the gradient, and no other sample that sides with it; or, of one
 * operation alone, six on a straight line. What that leaves open is looked at in quad (core/quad.h) in the same way. */
#include "core/gradcheck/sample.h"

#include <float.h>

/* ---- what agrees ---- */

/* A sample good enough to say that the gradient is right. */
static bool confirms(const tg_checker *c, const tg_line *line, const tg_sample *m, double analytic) {
    double most = tg_limit(c, line, analytic, m->value), b = tg_bar(m, 0);
    return isfinite(analytic) && m->clean && b <= 0.3 * most && fabs(m->value - analytic) <= most + b;
}

/* Has y, which is the same at all seven points, come round to where it was, as what is periodic does? */
static bool comes_round(tg_checker *c, tg_side *side, const tg_line *line, const tg_sample *m) {
    return c->has_custom && m->same && !tg_evaluate(c, side, line, 0.37 * m->h).same;
}

static tg_outcome outcome(tg_grad_verdict verdict, const tg_sample *m, const char *reason) {
    return (tg_outcome){.verdict = verdict, .numeric = m->value, .error = tg_bar(m, 0), .reason = reason};
}

/* ---- the verdict ---- */

static const char too_wide[] = "steps that can be seen are too wide";
static const char coarse_custom[] = "a custom operation computes in less than float64, or cancels as badly inside";

/* An element that is 0 has no size that says how narrow steps have to be: q of a softmax of q k saturates within 1/k.
 * Is a step far below the others on the gradient's side, as sharp as its own points make it? One that moves nothing is
 * on no side. */
static bool is_right_nearer(tg_checker *c, const tg_line *line, double analytic, double other) {
    for (int halvings = 63; halvings <= 216 && line->size == 0; halvings += 9) {
        tg_sample m = tg_central(c, &c->fine, line, tg_step(line, halvings));
        double b = tg_bar(&m, 0);
        if (m.clean && !m.same && fabs(m.value - analytic) <= tg_limit(c, line, analytic, m.value) + 10 * b &&
            20 * b <= fabs(other - analytic))
            return true;
    }
    return false;
}

/* How far the element that goes furthest goes in a step of 1. */
static double extent(const tg_line *line) {
    double most = 0;
    for (int i = 0; i < line->n; i++)
        for (int64_t j = 0; j < line->moved[i].x->numel; j++)
            most = fmax(most, fabs(line->moved[i].direction[j]));
    return line->x ? 1 : most;
}

/* Why a gradient that differs from this sample may be right for all that; NULL: nothing excuses it. */
static const char *excuse(tg_checker *c, const tg_line *line, double analytic, const tg_sample *m) {
    double noise = isfinite(analytic) ? tg_checker_noise_about(c, line, m->value) : 0, d = fabs(analytic - m->value);
    /* if it is right y waves within the narrowest step that there is, and where that is a period there are steps of
     * many periods that look smooth (sin x at 2^780); and so where y is all noise there (sin of 3e18 with a small dy)
     */
    double narrowest = line->x ? line->size * c->fine.unit : 0;
    bool waves = fabs(analytic) * narrowest > c->size || c->coarse > 0x1p-5;
    if (narrowest > 1 && waves && !m->same)
        return too_wide;
    if (isfinite(analytic) && tg_checker_apart(c, line) > 1e-6)
        return "float64 and long double compute different values";
    bool unseen =
        c->has_custom && m->value == 0 && m->h * extent(line) < FLT_MIN; /* what computes in float does not move */
    bool close = d <= c->config->rtol * fabs(m->value); /* wide steps pass over a part that is small and varies fast */
    if (unseen || (c->coarse > TG_COARSE && (close || !c->alone)))
        return coarse_custom;
    double size = c->size * fmin(1, c->largest); /* c->size takes 1 for what is less */
    double lost = c->coarse > TG_COARSE ? c->coarse * size : 0;
    if (d * m->h <= 4 * lost) /* between two jumps of the noise it may be smooth: (1 - cos x) / x^2 */
        return coarse_custom;
    noise += lost / (line->size > 0 ? line->size : line->widest);
    if (!(d > tg_limit(c, line, analytic, m->value) + 50 * noise))
        return "rounding in float64 makes the gradient itself uncertain";
    return is_right_nearer(c, line, analytic, m->value) ? "steps of different widths disagree" : NULL;
}

/* Between two steps of a stair there is a gradient, and it is 0: that wide steps have another is no mistake. Whether it
 * is meant as a stair, or computes in so few bits what has a slope, nobody can tell. */
static bool lies_between_steps(tg_checker *c, const tg_samples *l, double analytic) {
    int still = 0;
    for (int i = l->n; i-- > 0 && still < 3;)
        if (l->m[i].clean && !l->m[i].same)
            return false;
        else
            still += l->m[i].clean;
    return still == 3 && analytic == 0 && c->alone && c->stairs;
}

/* What is excused is right when it agrees to rtol, or cannot be told: the strict rule is not for what rounding made. Of
 * what computes in float a sample may show the doubles alone. */
static tg_outcome accuse(tg_checker *c, const tg_line *line, const tg_samples *l, double analytic, const tg_sample *m) {
    const char *reason = excuse(c, line, analytic, m);
    if (!reason && lies_between_steps(c, l, analytic)) {
        c->between_steps = true;
        reason = coarse_custom;
    }
    double most = c->coarse <= TG_COARSE ? c->config->rtol * fabs(m->value) : 0;
    bool right = reason && fabs(analytic - m->value) <= most;
    c->floored |= right;
    return outcome(right ? TG_GRAD_RIGHT : reason ? TG_GRAD_CANNOT_TELL : TG_GRAD_WRONG, m, reason);
}

/* Does the sample say what backward says, to rtol? A small derivative that is wrong is wrong. */
static bool sides(const tg_checker *c, const tg_samples *l, const tg_sample *m, double analytic) {
    double most = c->config->rtol * fabs(m->value);
    return tg_sees(l, m) && !m->same && tg_own_bar(m) <= most && fabs(m->value - analytic) <= most;
}

/* Around the sharpest sample that sides with the gradient: more of them. */
static void look_closer(tg_checker *c, tg_side *side, const tg_line *line, tg_samples *l, double analytic) {
    double least = INFINITY, at = 0;
    for (int i = 0; i < l->n; i++)
        if (sides(c, l, &l->m[i], analytic) && tg_own_bar(&l->m[i]) < least) {
            least = tg_own_bar(&l->m[i]);
            at = l->m[i].h;
        }
    for (int k = -2; k <= 2 && at > 0; k++) {
        double h = ldexp(at, k);
        if (tg_has_step(l, h))
            continue;
        tg_sample m = tg_central(c, side, line, h);
        tg_take_sample(l, &m);
    }
}

/* Between rounding in narrow steps and curvature in wide ones there may be no room for three steps that are far apart.
 * Around the one that contradicts the gradient most, of those that are no wider than this: more of them, of widths that
 * share no points. */
static const tg_sample *look_again(tg_checker *c, tg_side *side, const tg_line *line, tg_samples *l, double analytic,
                                   double widest) {
    static const double eighths[] = {13, 9, 15, 11, 9, 13, 11, 15};
    double most = 0, at = 0;
    for (int i = 0; i < l->n; i++) {
        double times = fabs(l->m[i].value - analytic) / tg_careful_bar(c, l, i);
        bool counts = line->size > 0 && l->m[i].h <= widest && tg_is_resolved(c, &l->m[i]);
        if (counts && tg_contradicts(c, line, l, i, analytic) && times > most) {
            most = times;
            at = l->m[i].h;
        }
    }
    for (int k = 0; k < 8 && at > 0 && l->n < TG_MOST_SAMPLES; k++) {
        tg_sample m = tg_central(c, side, line, ldexp(at * eighths[k] / 8, k - 4));
        tg_take_sample(l, &m);
    }
    return at > 0 ? tg_refuted(c, line, l, analytic) : NULL;
}

/* Do two samples that are far sharper than what they differ from the gradient by agree with each other? */
static bool is_denied(const tg_checker *c, const tg_line *line, const tg_samples *l, double analytic) {
    const tg_sample *first = NULL;
    for (int i = l->n; i-- > 0;) {
        const tg_sample *m = &l->m[i];
        double apart = fabs(m->value - analytic);
        if (!tg_sees(l, m) || m->same || m->flat || apart <= tg_limit(c, line, analytic, m->value) + 20 * tg_own_bar(m))
            continue;
        if (first && fabs(m->value - first->value) <= 0.05 * apart)
            return true;
        first = m;
    }
    return false;
}

/* Do three neighbouring steps side with the gradient, and does none below them say otherwise? Of what computes in float
 * and in double they may show the doubles alone. */
static const tg_sample *plateau(const tg_checker *c, const tg_samples *l, double analytic) {
    int in_a_row = 0;
    for (int i = l->n; i-- > 0 && !l->coarse;) {
        const tg_sample *m = &l->m[i];
        double most = c->config->rtol * fabs(m->value);
        if (!tg_sees(l, m) || m->same || tg_own_bar(m) > most)
            continue;
        in_a_row = sides(c, l, m, analytic) ? in_a_row + 1 : 0;
        if (in_a_row == 3)
            return &l->m[i + 1];
        if (fabs(m->value - analytic) > most + 10 * tg_careful_bar(c, l, i))
            return NULL;
    }
    return NULL;
}

/* Nothing is certain: what does the best sample say? */
static tg_outcome give_up(tg_checker *c, tg_side *side, const tg_line *line, tg_samples *l, double analytic) {
    look_closer(c, side, line, l, analytic);
    bool denied = isfinite(analytic) && c->has_custom && is_denied(c, line, l, analytic);
    const tg_sample *best = denied ? NULL : plateau(c, l, analytic);
    double least = INFINITY;
    bool clean = false;
    if (best)
        return outcome(TG_GRAD_RIGHT, best, NULL);
    if (denied && c->only_custom && (best = look_again(c, side, line, l, analytic, tg_widest_sharp(line))))
        return accuse(c, line, l, analytic, best);
    for (int i = 0; i < l->n; i++) {
        double b = tg_bar(&l->m[i], tg_noise_from(l, i));
        clean |= l->m[i].clean;
        if (!tg_sees(l, &l->m[i]) || b >= least)
            continue;
        least = b;
        best = &l->m[i];
    }
    tg_sample none = {.value = NAN, .error = INFINITY, .h = 1};
    if (!best)
        return outcome(TG_GRAD_CANNOT_TELL, &none, clean ? too_wide : "not finite, or a kink, within every step");
    double d = fabs(best->value - analytic), most = tg_limit(c, line, analytic, best->value) + 10 * least;
    bool sharp = isfinite(analytic) && least <= tg_allowed(c, best->value) + line->unseen;
    if (sharp && d > most && d <= line->unseen) /* float64's own rounding may be all of it */
        most += 50 * tg_checker_gradient_noise(c, line);
    if (sharp && d <= most)
        return outcome(TG_GRAD_RIGHT, best, NULL);
    if (!isfinite(analytic))
        return outcome(TG_GRAD_CANNOT_TELL, best, "the gradient is not finite");
    return outcome(TG_GRAD_CANNOT_TELL, best,
                   d > 10 * least ? "steps of different widths disagree" : "rounding hides the difference");
}

/* Of what is made of floats and doubles a narrow step moves the doubles alone, and nothing shows it. */
static bool is_blind(tg_checker *c, const tg_line *line, const tg_sample *m, double analytic) {
    return m->h < tg_step(line, 9) && tg_is_coarse(c, line) &&
           c->coarse * c->size / m->h > tg_limit(c, line, analytic, m->value);
}

/* Does noise hide everything at this narrow step, as at a wider and at a narrower one? */
static bool is_swamped(const tg_checker *c, const tg_line *line, const tg_samples *l, double h, double analytic) {
    bool wider = false, narrower = false;
    for (int i = 0; i < l->n; i++) {
        const tg_sample *m = &l->m[i];
        double apart = fmax(fabs(m->value - analytic), tg_limit(c, line, analytic, m->value));
        if (!m->clean || !(m->noise / m->h > apart))
            continue;
        wider |= m->h > h;
        narrower |= m->h < h;
    }
    return wider && narrower && h < tg_step(line, 27);
}

/* Does rounding of that many numbers hide at this step what a wider one says? */
static bool is_hidden(const tg_line *line, const tg_samples *l, double h, double analytic) {
    for (int i = 0; i < l->n && line->huge; i++)
        if (l->m[i].clean && l->m[i].h > h && 50 * l->m[i].rounding / h > fabs(l->m[i].value - analytic))
            return true;
    return false;
}

/* Add samples at these steps; true when one confirms the gradient. */
static bool climb(tg_checker *c, tg_side *side, const tg_line *line, tg_samples *l, int from, int to, int by,
                  double analytic, tg_outcome *o) {
    for (int halvings = from; by > 0 ? halvings <= to : halvings >= to; halvings += by) {
        double h = tg_step(line, halvings);
        if (tg_has_step(l, h) || h < 1e-300 || is_swamped(c, line, l, h, analytic) || is_hidden(line, l, h, analytic))
            continue;
        tg_sample m = tg_central(c, side, line, h);
        tg_take_sample(l, &m);
        if (!confirms(c, line, &m, analytic) || is_blind(c, line, &m, analytic) || comes_round(c, side, line, &m))
            continue;
        *o = outcome(TG_GRAD_RIGHT, &m, NULL);
        return true;
    }
    return false;
}

/* How many doublings lead from the size of what moves to the widest sensible step: for one operation alone, which
 * hides nothing between, that is the size of anything. */
static int doublings(const tg_checker *c, const tg_side *side, const tg_line *line) {
    double widest = tg_is_plain(c) ? fmax(line->widest, 256 * fmax(1, side->largest)) : line->widest;
    double ratio = line->size > 0 ? widest / line->size : 1;
    return ratio > 1 ? (int)fmin(log2(ratio), 80) : 0;
}

/* One built-in operation, alone, of numbers whose squares and products are far from float64's limits. */
static bool is_ordinary(const tg_checker *c) {
    bool good = tg_is_plain(c) && !c->infinite;
    for (int i = 0; i < c->n_leaves; i++)
        for (int64_t j = 0; j < c->leaf[i].x->numel && good; j++) {
            double x = fabs(((const double *)c->leaf[i].x->data)[j]);
            good = x > 1e-60 && x < 1e60;
        }
    for (int64_t j = 0; j < c->y->numel && good; j++)
        good = !(fabs(c->at_base[j]) > 1e60); /* x^-9 of 1e-32 is a number, its slope is not */
    return good;
}

/* The third of the narrowest steps without a kink or what is not finite: there is a derivative then, seen or not. */
static const tg_sample *smooth(const tg_samples *l) {
    int n = 0;
    for (int i = l->n; i-- > 0;)
        if (l->m[i].clean && ++n == 3)
            return &l->m[i];
    return NULL;
}

/* Squares and products of these may leave float64's range. */
static bool is_huge(const tg_checker *c) {
    bool any = false;
    for (int i = 0; i < c->n_leaves; i++)
        for (int64_t j = 0; j < c->leaf[i].x->numel && !any; j++)
            any = fabs(((const double *)c->leaf[i].x->data)[j]) > 1e60;
    return any && !c->has_custom;
}

/* Only an operation alone is to blame: another may have met an infinite slope, which is no mistake. */
static tg_outcome judge_infinite(tg_checker *c, tg_side *side, const tg_line *line, tg_samples *l, double analytic) {
    tg_outcome o;
    const tg_sample *m = tg_find_slope(c, line, l);
    if (!m && !climb(c, side, line, l, 3, 9 - doublings(c, side, line), -3, analytic, &o))
        m = tg_find_slope(c, line, l);
    if (m) /* -1 / x^2 may overflow where the derivative itself, dy times that, does not */
        return outcome(c->alone && !c->infinite && fabs(m->value) < 1e290 && !is_huge(c) ? TG_GRAD_WRONG
                                                                                         : TG_GRAD_CANNOT_TELL,
                       m, "the gradient is not finite");
    if (line->x && c->alone && !c->infinite && tg_has_slope(c, side, line, &o))
        return o;
    bool infinite = tg_has_infinite_slope(c, side, line);
    if (!infinite && is_ordinary(c) && (m = smooth(l)))
        return outcome(TG_GRAD_WRONG, m, "the gradient is not finite");
    o = give_up(c, side, line, l, analytic);
    if (infinite)
        o.reason = tg_infinite_slope;
    return o;
}

/* Do the narrow steps move nothing, and does f lie still as far as they go? */
static bool is_flat(tg_checker *c, tg_side *side, const tg_line *line, const tg_samples *l) {
    const tg_sample *still = NULL, *moves = NULL;
    for (int i = l->n; i-- > 0 && !moves && c->has_custom;)
        if (l->m[i].clean)
            *(l->m[i].same ? &still : &moves) = &l->m[i];
    return still && moves && tg_moves_without_a_jump(c, side, line, 3 * still->h, 3 * moves->h);
}

/* Is the narrowest step too wide still: with a kink or what is not finite within all of them, or because f bends, and
 * not because it rounds? */
static bool is_too_wide(const tg_checker *c, const tg_line *line, const tg_samples *l, double analytic) {
    const tg_sample *m = NULL;
    for (int i = 0; i < l->n; i++)
        m = l->m[i].clean ? &l->m[i] : m;
    return !m || (m == &l->m[l->n - 1] && m->error > 0.3 * tg_limit(c, line, analytic, m->value) &&
                  m->error > 100 * m->rounding / m->h);
}

/* Then narrower ones, as long as x + h is exact (what moves by 1 where x moves by 1e-8 comes to a kink soon). */
static bool climb_down(tg_checker *c, tg_side *side, const tg_line *line, tg_samples *l, double analytic,
                       tg_outcome *o) {
    return is_too_wide(c, line, l, analytic) && climb(c, side, line, l, 57, 1 - ilogb(side->unit), 3, analytic, o);
}

static tg_outcome examine(tg_checker *c, tg_side *side, const tg_line *line, double analytic) {
    tg_samples l = {.widest = tg_step(line, 9)};
    tg_outcome o;
    const tg_sample *against;
    if (climb(c, side, line, &l, 9, 54, 9, analytic, &o))
        return o;
    if (!isfinite(analytic))
        return judge_infinite(c, side, line, &l, analytic);
    l.coarse = tg_is_coarse(c, line);
    if ((against = tg_refuted(c, line, &l, analytic)))
        return accuse(c, line, &l, analytic, against);
    for (int halvings = 54; line->huge && halvings > 9; halvings -= 3) /* three that can tell are enough */
        if (climb(c, side, line, &l, halvings, halvings, 3, analytic, &o))
            return o;
        else if ((against = tg_refuted(c, line, &l, analytic)))
            return accuse(c, line, &l, analytic, against);
    if (climb(c, side, line, &l, 3, 54, 3, analytic, &o) || climb_down(c, side, line, &l, analytic, &o))
        return o;
    l.flat = is_flat(c, side, line, &l);
    if ((against = tg_refuted(c, line, &l, analytic)))
        return accuse(c, line, &l, analytic, against);
    /* between noise in narrow steps and curvature in wide ones little room is left */
    if (l.coarse && climb(c, side, line, &l, 4, 10, 1, analytic, &o))
        return o;
    if (tg_judge_kink(c, side, line, analytic, &o))
        return o.verdict == TG_GRAD_CANNOT_TELL && o.reason != tg_unknown_kink ? give_up(c, side, line, &l, analytic)
                                                                               : o;
    if (climb(c, side, line, &l, 3, 9 - doublings(c, side, line), -3, analytic, &o))
        return o;
    l.flat = is_flat(c, side, line, &l);
    if ((against = tg_refuted(c, line, &l, analytic)) ||
        (against = look_again(c, side, line, &l, analytic, tg_widest_evidence(c, line))))
        return accuse(c, line, &l, analytic, against);
    return give_up(c, side, line, &l, analytic);
}

/* What differences of the whole could not tell may be right by the chain rule, or lie at a kink on the way. And what
 * they call wrong cannot be when the chain rule sides with it. */
static tg_outcome ask_chain(tg_checker *c, const tg_line *line, double analytic, tg_outcome o) {
    tg_chained_slope s = tg_chain_along(c, line);
    double apart = fabs(s.value - analytic), most = tg_limit(c, line, analytic, s.value) + s.bar;
    if (!s.known || !(s.bar <= tg_allowed(c, s.value)))
        return o;
    bool at_kink = s.kink > s.bar + line->floor;
    bool chance = o.verdict != TG_GRAD_WRONG || !c->aside; /* aside only what is tied always is tied */
    if (at_kink && !chance) /* the value is the middle of what kinks leave open, no better than the rest */
        return o;
    if (apart <= most + (chance ? s.kink : 0)) {
        c->undecided += apart > most || o.verdict == TG_GRAD_WRONG;
        return (tg_outcome){
            .verdict = at_kink ? TG_GRAD_KINK : TG_GRAD_RIGHT, .numeric = s.value, .error = s.bar, .at_kink = at_kink};
    }
    if (o.verdict != TG_GRAD_CANNOT_TELL)
        return o;
    bool rounding = apart <= most + 50 * tg_checker_gradient_noise(c, line);
    if (o.reason != tg_unknown_kink)
        o.reason = rounding ? "the gradient is not what the chain rule gives; rounding in float64 may be why"
                            : "the gradient is not what the chain rule gives";
    if (apart > c->config->rtol * fabs(s.value) || !rounding)
        return o;
    return (tg_outcome){.verdict = TG_GRAD_RIGHT, .numeric = s.value, .error = s.bar};
}

/* Not confirmed as well as the rule wants it: an accusation, too, may rest on the tread of a stair that long double
 * makes. */
static bool is_open(const tg_checker *c, const tg_line *line, double analytic, const tg_outcome *o) {
    double most = tg_limit(c, line, analytic, o->numeric);
    bool certain = o->error <= most && fabs(o->numeric - analytic) <= most;
    return o->verdict != TG_GRAD_KINK && !(o->verdict == TG_GRAD_RIGHT && certain);
}

static void swap_sides(tg_checker *c) {
    tg_side fine = c->fine;
    c->fine = c->finest;
    c->finest = fine;
}

/* What long double leaves open, in quad. That is slow: as long as it is not too much. Quad sees the 1 - p of a softmax
 * that float64 has as 0: what is less than four units of rounding of y, or of 1, is no mistake. */
static tg_outcome look_finer(tg_checker *c, const tg_line *line, double analytic, tg_outcome o) {
    static const double most_work = 4e7;
    if (!isfinite(analytic) || !is_open(c, line, analytic, &o) || c->work > most_work || !tg_checker_finest(c))
        return o;
    (void)tg_checker_gradient_noise(c, line); /* which compares with long double */
    int64_t evaluations = c->evaluations;
    bool accused = o.verdict == TG_GRAD_WRONG;
    tg_line rounded = *line;
    rounded.floor = accused ? line->floor : fmax(line->floor, line->own / 16);
    swap_sides(c);
    tg_find_reach(c, &c->fine, &rounded);
    tg_outcome finer = examine(c, &c->fine, &rounded, analytic);
    c->work += (double)(c->evaluations - evaluations) * tg_work_of(&c->fine);
    swap_sides(c);
    return finer.verdict == TG_GRAD_CANNOT_TELL && !accused ? o : finer;
}

static tg_outcome examine_finely(tg_checker *c, const tg_line *line, double analytic) {
    tg_sample none = {.value = NAN, .error = INFINITY, .h = 1};
    tg_side *side = tg_checker_fine(c);
    if (!side)
        return outcome(TG_GRAD_CANNOT_TELL, &none, "no memory");
    tg_find_reach(c, side, line);
    tg_outcome o = look_finer(c, line, analytic, examine(c, side, line, analytic));
    if (o.verdict == TG_GRAD_WRONG && side->branches != c->plain.branches) {
        o.verdict = TG_GRAD_CANNOT_TELL; /* so near a kink that rounding decides */
        o.reason = "float64 and long double take different branches";
    }
    bool wrong = o.verdict == TG_GRAD_WRONG;
    bool asks = c->alone ? wrong && c->has_custom : tg_is_bad(o.verdict) && !(wrong && c->alone_first);
    tg_outcome chained = asks && isfinite(analytic) ? ask_chain(c, line, analytic, o) : o;
    o = !c->alone || chained.verdict == TG_GRAD_RIGHT ? chained : o;
    if (o.verdict == TG_GRAD_CANNOT_TELL && isfinite(analytic) && !c->alone && !c->has_custom)
        c->swept |= tg_sweep_line(c, side, line, analytic, &o);
    if (o.verdict == TG_GRAD_CANNOT_TELL && c->forward_differs)
        o.reason = "the forward gives another result for the same numbers";
    else if (o.verdict == TG_GRAD_CANNOT_TELL && isfinite(analytic) && tg_is_coarse(c, line))
        o.reason = coarse_custom;
    return o;
}

/* The first difference, as PyTorch takes it. *unmoved: what moves unseen may make of it. */
static bool is_right_at_once(tg_checker *c, const tg_line *line, double analytic, tg_outcome *o, double *unmoved) {
    double h = c->config->eps;
    if (!line->x || (line->size > 0 && h > line->size / 8))
        return false;
    tg_point low = tg_evaluate(c, &c->plain, line, -h), high = tg_evaluate(c, &c->plain, line, h);
    double value = (double)((high.f - low.f) / (high.s - low.s));
    double rounding = 4 * fmax(low.rounding, high.rounding) / h, d = fabs(value - analytic);
    bool clean = low.branches == c->plain.branches && high.branches == c->plain.branches && isfinite(value);
    *o = (tg_outcome){.verdict = TG_GRAD_RIGHT, .numeric = value, .error = rounding};
    *unmoved = fmax(low.unmoved, high.unmoved) / h;
    if (clean && d <= tg_limit(c, line, analytic, value))
        return true;
    o->verdict = TG_GRAD_WRONG;
    *unmoved = 0;
    return clean && line->quickly && d > tg_allowed(c, value) + 1e3 * rounding;
}

/* Where float64 is too coarse to show that an element of y moves, an operation that forgets it looks right. Long double
 * may show it; what it does not show either stays right. */
static tg_outcome doubt(tg_checker *c, const tg_line *line, double analytic, tg_outcome right, double unmoved) {
    if (!c->alone || unmoved <= tg_limit(c, line, analytic, right.numeric))
        return right;
    tg_outcome o = examine_finely(c, line, analytic);
    bool shown = o.verdict != TG_GRAD_CANNOT_TELL || fabs(o.numeric - analytic) > 10 * o.error;
    return shown ? o : right;
}

static tg_outcome check_line(tg_checker *c, const tg_line *line, double analytic) {
    tg_outcome o;
    double unmoved;
    bool denied = false;
    if (isfinite(analytic)) {
        if (is_right_at_once(c, line, analytic, &o, &unmoved))
            return doubt(c, line, analytic, o, unmoved);
        tg_sample m = tg_central(c, &c->plain, line, tg_step(line, 9));
        double b = tg_bar(&m, 0), most = tg_limit(c, line, analytic, m.value);
        bool sharp = m.clean && b <= fmax(0.3 * most, 1e4 * line->floor);
        if (sharp && fabs(m.value - analytic) <= most + b && !comes_round(c, &c->plain, line, &m))
            return doubt(c, line, analytic, outcome(TG_GRAD_RIGHT, &m, NULL), m.unmoved / m.h);
        if (line->quickly && m.clean && fabs(m.value - analytic) > most + 1e3 * b)
            return outcome(TG_GRAD_WRONG, &m, NULL);
        denied = m.clean && fabs(m.value - analytic) > most + 1e3 * b;
    }
    o = examine_finely(c, line, analytic);
    c->contradicted |= denied && o.verdict == TG_GRAD_RIGHT;
    return o;
}

/* Does it agree for the sake of this floor alone? */
static bool needs_floor(const tg_checker *c, const tg_line *line, double floor, const tg_outcome *o, double analytic) {
    tg_line bare = *line;
    bare.floor = floor;
    return o->verdict == TG_GRAD_RIGHT && fabs(o->numeric - analytic) > tg_limit(c, &bare, analytic, o->numeric);
}

/* An infinite element (of a mask) does not move, and where y is finite for all that its derivative is 0. */
static bool is_right_at_infinity(const tg_line *line, double analytic) {
    return line->x && isinf(line->start) && analytic == 0;
}

/* Where y or x is tiny the floor is no measure: what agrees for its sake alone is wrong when differences deny it. */
tg_outcome tg_check_line(tg_checker *c, const tg_line *line, double analytic) {
    if (is_right_at_infinity(line, analytic))
        return (tg_outcome){.verdict = TG_GRAD_RIGHT};
    tg_outcome o = check_line(c, line, analytic);
    tg_line sharp = *line;
    sharp.floor = fmin(line->floor, line->own);
    c->floored |= needs_floor(c, line, 0, &o, analytic);
    if (!needs_floor(c, line, sharp.floor, &o, analytic))
        return o;
    tg_outcome denied = examine_finely(c, &sharp, analytic);
    return denied.verdict == TG_GRAD_WRONG ? denied : o;
}

tg_outcome tg_measure_line(tg_checker *c, const tg_line *line, double analytic) {
    bool swept = c->swept;
    tg_outcome o = examine_finely(c, line, analytic);
    c->swept = swept; /* no verdict rests on it */
    return o;
}
