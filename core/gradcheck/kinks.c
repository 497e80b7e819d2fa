/* Where a line has no derivative: a kink, where each side has its own, or an infinite slope. */
#include "core/gradcheck/sample.h"

/* A side's derivative: two samples that agree. An element that is 0 has no size of its own; where other branches begin
 * is not known then, and the narrowest steps that are seen decide. */
static bool side_of(tg_checker *c, tg_side *side, const tg_line *line, int sign, bool *crossed, tg_sample *out) {
    tg_sample last = {.clean = false};
    bool sized = line->size > 0, found = false;
    for (int halvings = 9; halvings <= (sized ? 54 : 216) && !(found && sized); halvings += 9) {
        tg_sample m = tg_one_sided(c, side, line, sign * tg_step(line, halvings), crossed);
        double apart = fabs(m.value - last.value), b = tg_bar(&m, 0) + tg_bar(&last, 0);
        bool agree = m.clean && last.clean && apart <= 10 * b + line->unseen;
        bool sharp = b <= fmax(1e-3 * fmax(fabs(m.value), fabs(last.value)), line->unseen);
        bool still = m.same && last.same && halvings <= 18; /* nothing moves, by wide steps either */
        if (agree && (sharp || still) && !(found && m.same)) {
            *out = m;
            found = true;
        }
        last = m;
    }
    return found;
}

const char tg_unknown_kink[] = "a kink of an operation that does not say its branches";

/* At a kink any gradient between those of the two sides is right. Where kinks of several operations meet, the gradient
 * is made of what each of them chose and may lie outside: the sides of maximum(x, amin(x)) at a tie even agree. */
bool tg_judge_kink(tg_checker *c, tg_side *side, const tg_line *line, double analytic, tg_outcome *o) {
    tg_sample left, right;
    bool crossed = false;
    if (!side_of(c, side, line, -1, &crossed, &left) || !side_of(c, side, line, 1, &crossed, &right))
        return false;
    double low = fmin(left.value, right.value), high = fmax(left.value, right.value);
    double nearest = fmin(fmax(analytic, low), high), b = fmax(tg_bar(&left, 0), tg_bar(&right, 0));
    double most = tg_limit(c, line, analytic, nearest), least = fmax(1e-3 * fmax(fabs(low), fabs(high)), line->unseen);
    if (b > least && !(fabs(analytic - nearest) <= most)) /* nothing moved, but what would move was not to be seen */
        return false;
    most += 10 * b;
    double widest = fmax(left.same ? 0 : left.h, right.same ? 0 : right.h); /* what lies still does so nearer as well */
    bool bent = high - low > 20 * b + line->unseen, wide = line->size == 0 && widest > c->config->eps;
    if (!bent && !crossed) /* smooth: samples to both sides at once are sharper */
        return false;
    *o = (tg_outcome){.verdict = TG_GRAD_KINK, .numeric = nearest, .error = b, .at_kink = true};
    if (!isfinite(analytic) || fabs(analytic - nearest) > most)
        o->verdict = crossed && !wide ? TG_GRAD_WRONG : TG_GRAD_CANNOT_TELL;
    if (o->verdict == TG_GRAD_CANNOT_TELL)
        o->reason = bent ? tg_unknown_kink : "steps of different widths disagree";
    return true;
}

/* By ever narrower steps the quotients of both sides come nearer to each other, and their mean to where it was, by a
 * third or more each time, as far as rounding shows it. Where the slope is infinite, if only as log x is, they do not.
 */
bool tg_has_slope(tg_checker *c, tg_side *side, const tg_line *line, tg_outcome *o) {
    enum { ENOUGH = 4 };
    static const double nearer_by = 0.63; /* of steps a quarter as wide: what is as h^(1/3) */
    double mean = 0, gap = 0, change = 0, rounding = 0;
    int nearer = 0;
    for (int halvings = 1; halvings <= 54; halvings += 2) {
        double h = tg_step(line, halvings);
        tg_point low = tg_evaluate(c, side, line, -h), high = tg_evaluate(c, side, line, h);
        if (!low.finite || !high.finite || low.s == 0 || high.s == 0)
            return false;
        double left = (double)(low.f / low.s), right = (double)(high.f / high.s), now = (left + right) / 2;
        double least_gap = nearer_by * gap, least_change = nearer_by * change;
        rounding = 8 * (low.rounding + high.rounding) / h;
        gap = fabs(right - left);
        change = fabs(now - mean);
        mean = now;
        if (rounding > fmax(0.1 * fmax(gap, change), 1e-8 * fmax(fabs(left), fabs(right))))
            break;
        bool is_nearer = halvings > 3 && gap <= least_gap + rounding && change <= least_change + rounding;
        nearer = is_nearer ? nearer + 1 : 0;
    }
    *o = (tg_outcome){.verdict = TG_GRAD_WRONG, .numeric = mean, .error = gap + change + rounding};
    return nearer >= ENOUGH;
}

const char tg_infinite_slope[] = "an infinite slope";

/* To one side the slope changes from step to step by as much, as log x does, or by more, and always the same way, as
 * far as rounding shows it. */
static bool is_infinite_slope(tg_checker *c, tg_side *side, const tg_line *line, int sign) {
    enum { FIRST = 9, ENOUGH = 6 };
    double last = 0, last_change = 0;
    bool crossed = false;
    int grown = 0;
    for (int halvings = FIRST; halvings <= 54; halvings += 3) {
        tg_sample m = tg_one_sided(c, side, line, sign * tg_step(line, halvings), &crossed);
        double change = halvings > FIRST ? m.value - last : 0;
        if (!m.clean)
            return false;
        if (halvings > FIRST && fabs(change) <= 10 * m.rounding / m.h)
            break;
        grown = last_change != 0 && change / last_change >= 0.95 ? grown + 1 : 0;
        last = m.value;
        last_change = change;
    }
    return grown >= ENOUGH;
}

bool tg_has_infinite_slope(tg_checker *c, tg_side *side, const tg_line *line) {
    return is_infinite_slope(c, side, line, 1) || is_infinite_slope(c, side, line, -1);
}

/* Where it begins to move to one side: 0 when it does not. *jump: by how much at once, of what it moves by within
 * another 256th of the way. */
static bool find_begin(tg_checker *c, tg_side *side, const tg_line *line, int sign, double from, double to,
                       double *jump) {
    if (tg_evaluate(c, side, line, sign * to).same)
        return false;
    while (to - from > 0x1p-48 * to) {
        double middle = from + (to - from) / 2;
        *(tg_evaluate(c, side, line, sign * middle).same ? &from : &to) = middle;
    }
    double first = fabs((double)tg_evaluate(c, side, line, sign * to).f);
    *jump = first / fabs((double)tg_evaluate(c, side, line, sign * (1 + 1.0 / 256) * to).f);
    return true;
}

bool tg_moves_without_a_jump(tg_checker *c, tg_side *side, const tg_line *line, double from, double to) {
    const double least = 1e-3;
    double left = 0, right = 0;
    bool moves_left = find_begin(c, side, line, -1, from, to, &left);
    bool moves_right = find_begin(c, side, line, 1, from, to, &right);
    return (moves_left || moves_right) && left <= least && right <= least;
}
