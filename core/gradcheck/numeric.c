/* Derivatives by differences.
 *
 * f(s) = sum(v y) where leaves have moved by s along a line. Differences are taken of y's elements before they are
 * summed, so that elements that do not move add no rounding. Every estimate has an error bar: what the next order
 * of extrapolation changes, and the rounding of y. An estimate counts only when every evaluation took the branches
 * (sides of relu, winners of max, ...) that the leaves' own values take, since a derivative across a kink is none.
 */
#include "core/gradcheck/check.h"

#include <float.h>

/* ---- evaluating ---- */

void tg_checker_cone(tg_checker *c) {
    c->n_cone = 0;
    for (uint32_t i = 0; i <= c->y->index; i++) {
        tg_node *n = c->t->nodes[i];
        if (!n->op)
            continue;
        c->moves[i] = false;
        for (int k = 0; k < n->n_in && !c->moves[i]; k++)
            c->moves[i] = n->in[k] && c->needed[i] && c->moves[n->in[k]->index];
        if (c->moves[i])
            c->cone[c->n_cone++] = n;
    }
    tg_checker_restore(c);
}

/* The result of a comparison is a branch as well. */
static void note_integers(const tg_node *n, tg_branches *b) {
    size_t bytes = (size_t)n->numel * tg_dtype_size((tg_dtype)n->dtype);
    for (size_t i = 0; i < bytes && n->base == n; i++)
        tg_branch(b, ((const unsigned char *)n->data)[i]);
}

static uint64_t branches_taken(const tg_checker *c) {
    tg_branches b = {UINT64_C(14695981039346656037)};
    for (uint32_t i = 0; i < c->n_cone; i++) {
        const tg_node *n = c->cone[i];
        if (n->op->branches[TG_F64])
            n->op->branches[TG_F64](n, &b);
        else if (!tg_is_floating(n))
            note_integers(n, &b);
    }
    return b.hash;
}

static void run_cone(tg_checker *c) {
    for (uint32_t i = 0; i < c->n_cone; i++)
        if (tg_run_forward(c->cone[i]))
            return;
}

void tg_checker_restore(tg_checker *c) {
    run_cone(c);
    tg_copy_out(c->y, c->y->data, c->y->stride, c->at_base);
    c->branches = branches_taken(c);
}

/* Move to s; returns how far that really is, after rounding. */
static double move(const tg_line *line, double s) {
    if (line->x) {
        volatile double moved = line->start + s;
        *line->x = moved;
        return moved - line->start;
    }
    for (int i = 0; i < line->n; i++) {
        const tg_moved *m = &line->moved[i];
        double *x = m->x->data;
        for (int64_t j = 0; j < m->x->numel; j++)
            x[j] = s == 0 ? m->start[j] : m->start[j] + s * m->direction[j];
    }
    return s;
}

typedef struct point {
    double s;
    uint64_t branches;
    const double *y;
} point;

static point evaluate(tg_checker *c, const tg_line *line, double s, double *y) {
    if (s == 0)
        return (point){0, c->branches, c->at_base};
    point p = {.y = y};
    p.s = move(line, s);
    run_cone(c);
    tg_copy_out(c->y, c->y->data, c->y->stride, y);
    p.branches = branches_taken(c);
    c->evaluations++;
    return p;
}

typedef struct quotient {
    double value, rounding;
    uint64_t low, high; /* branches taken on either side */
    bool finite;
} quotient;

/* (f(to) - f(from)) / (to - from) */
static quotient difference(tg_checker *c, const tg_line *line, double from, double to) {
    point low = evaluate(c, line, from, c->low), high = evaluate(c, line, to, c->high);
    move(line, 0);
    quotient q = {.low = low.branches, .high = high.branches};
    double span = high.s - low.s;
    for (int64_t j = 0; j < c->y->numel; j++) {
        if (high.y[j] == low.y[j] || c->cotangent[j] == 0)
            continue;
        q.value += c->cotangent[j] * (high.y[j] - low.y[j]);
        q.rounding += fabs(c->cotangent[j]) * fmax(fabs(high.y[j]), fabs(low.y[j]));
    }
    q.value /= span;
    q.rounding *= 4 * DBL_EPSILON / span;
    q.finite = span > 0 && isfinite(q.value);
    return q;
}

/* ---- extrapolating ---- */

static double tolerance(const tg_checker *c, double numeric) {
    return c->config->atol + c->config->rtol * fabs(numeric);
}

typedef struct estimate {
    double value, error;
    bool ok, low_clean, high_clean; /* not ok: not finite, or a kink in the way; which side has none */
} estimate;

enum { LEVELS = 7 };

/* From h down by halves. side 0: central differences, whose error is a series in h^2; side +1, -1: to that side
 * only, a series in h, with branches that need not be those of the middle. Ends early when `expected` is met. */
static estimate extrapolate(tg_checker *c, const tg_line *line, double h, int side, double expected, double close) {
    double a[LEVELS][LEVELS], ratio = side ? 2 : 4, least = INFINITY;
    estimate best = {.error = INFINITY};
    uint64_t branches = c->branches;
    for (int r = 0; r < LEVELS; r++, h /= 2) {
        quotient q = difference(c, line, side > 0 ? 0 : -h, side < 0 ? 0 : h);
        if (side && r == 0)
            branches = side > 0 ? q.high : q.low;
        best.low_clean = side > 0 || q.low == branches;
        best.high_clean = side < 0 || q.high == branches;
        best.ok = q.finite && best.low_clean && best.high_clean;
        if (!best.ok)
            return best;
        double factor = 1;
        a[r][0] = q.value;
        for (int k = 1; k <= r; k++) {
            factor *= ratio;
            a[r][k] = a[r][k - 1] + (a[r][k - 1] - a[r - 1][k - 1]) / (factor - 1);
            double error = fmax(fabs(a[r][k] - a[r][k - 1]), fabs(a[r][k] - a[r - 1][k - 1]));
            if (error > least)
                continue;
            least = error;
            best.value = a[r][k];
            best.error = error + q.rounding;
        }
        bool met = fabs(best.value - expected) <= close && best.error <= tolerance(c, expected) && (r > 1 || line->x);
        if (r > 0 && (met || fabs(a[r][r] - a[r - 1][r - 1]) >= 2 * least))
            break;
    }
    return best;
}

/* ---- judging ---- */

/* How far a right gradient may be from a numeric derivative that has no error. */
static double sharp(const tg_line *line, double analytic, double numeric) {
    return 1e-6 * fmax(fabs(analytic), fabs(numeric)) + line->floor;
}

/* When the first estimate may be believed at once. */
static double close_to(const tg_checker *c, const tg_line *line, double analytic) {
    double allowed = tolerance(c, analytic);
    return c->config->strict ? fmin(allowed, sharp(line, analytic, analytic)) : allowed;
}

static tg_grad_verdict judge(const tg_checker *c, const tg_line *line, double analytic, double numeric, double bar) {
    double d = fabs(analytic - numeric), allowed = tolerance(c, numeric);
    if (!isfinite(numeric) || !isfinite(bar))
        return TG_GRAD_CANNOT_TELL;
    if (!isfinite(analytic) || d > allowed + 3 * bar)
        return TG_GRAD_WRONG;
    if (c->config->strict && d > sharp(line, analytic, numeric) + 10 * bar)
        return TG_GRAD_WRONG;
    return d <= allowed && bar <= allowed ? TG_GRAD_RIGHT : TG_GRAD_CANNOT_TELL;
}

/* Do other branches begin closer than any step that could measure a derivative? */
static bool branches_meet(tg_checker *c, const tg_line *line) {
    double h = 1e-9 * line->scale;
    quotient q = difference(c, line, -h, h);
    return q.low != c->branches || q.high != c->branches;
}

/* At a kink any gradient between those of the two sides is right. Where kinks of several operations meet, the gradient
 * is made of what each of them chose and may lie outside: the sides of maximum(x, amin(x)) at a tie even agree. */
static tg_outcome at_kink(tg_checker *c, const tg_line *line, double analytic) {
    tg_outcome o = {.verdict = TG_GRAD_CANNOT_TELL, .numeric = NAN, .error = INFINITY};
    estimate left = {.ok = false}, right = {.ok = false};
    for (double h = 1e-3; h > 1e-8 && !(left.ok && right.ok); h /= 10) {
        if (!left.ok)
            left = extrapolate(c, line, h * line->scale, -1, INFINITY, 0);
        if (!right.ok)
            right = extrapolate(c, line, h * line->scale, 1, INFINITY, 0);
    }
    if (!left.ok || !right.ok)
        return o;
    double nearest = fmin(fmax(analytic, fmin(left.value, right.value)), fmax(left.value, right.value));
    o.numeric = nearest;
    o.error = fmax(left.error, right.error);
    o.at_kink = fabs(left.value - right.value) > 10 * o.error + line->floor || branches_meet(c, line);
    o.verdict = judge(c, line, analytic, nearest, o.error);
    if (o.verdict == TG_GRAD_RIGHT)
        o.verdict = TG_GRAD_KINK;
    return o;
}

/* Steps a tenth apart, until the verdict is clear: for "wrong" two of them have to say so. */
static tg_outcome examine(tg_checker *c, const tg_line *line, double analytic, double close) {
    tg_outcome o = {.verdict = TG_GRAD_CANNOT_TELL, .numeric = NAN, .error = INFINITY};
    bool kink = false;
    int clean = 0;
    double h = 1e-2 * line->scale;
    for (int i = 0; i < 8 && clean < 4; i++, h /= 10) {
        estimate e = extrapolate(c, line, h, 0, analytic, close);
        if (!e.low_clean || !e.high_clean) {
            kink = true;
            if (e.low_clean || e.high_clean)
                e = extrapolate(c, line, h, e.low_clean ? -1 : 1, analytic, close);
        }
        if (!e.ok)
            continue;
        double apart = clean ? fabs(e.value - o.numeric) : 0;
        bool consistent = apart <= 3 * (e.error + o.error);
        if (!clean++ || e.error < o.error)
            o = (tg_outcome){.verdict = o.verdict, .numeric = e.value, .error = e.error};
        if (!consistent)
            o.error = fmax(o.error, apart);
        o.verdict = judge(c, line, analytic, o.numeric, o.error);
        if (o.verdict == TG_GRAD_RIGHT || (o.verdict == TG_GRAD_WRONG && clean > 1))
            break;
    }
    if (kink && o.verdict != TG_GRAD_RIGHT) {
        tg_outcome k = at_kink(c, line, analytic);
        if (k.verdict == TG_GRAD_KINK || k.at_kink || isnan(o.numeric))
            return k;
    }
    return o;
}

tg_outcome tg_check_line(tg_checker *c, const tg_line *line, double analytic) {
    quotient q = difference(c, line, -c->config->eps, c->config->eps);
    bool clean = q.finite && q.low == c->branches && q.high == c->branches;
    if (clean && fabs(analytic - q.value) <= close_to(c, line, analytic))
        return (tg_outcome){.verdict = TG_GRAD_RIGHT, .numeric = q.value, .error = q.rounding};
    if (clean && line->quickly && judge(c, line, analytic, q.value, 10 * q.rounding) == TG_GRAD_WRONG)
        return (tg_outcome){.verdict = TG_GRAD_WRONG, .numeric = q.value, .error = q.rounding};
    return examine(c, line, analytic, close_to(c, line, analytic));
}

tg_outcome tg_measure_line(tg_checker *c, const tg_line *line, double analytic) {
    return examine(c, line, analytic, line->x ? 0 : close_to(c, line, analytic));
}

/* Five points: (f(-2h) - 8 f(-h) + 8 f(h) - f(2h)) / 12h, for each element of y. */
bool tg_jacobian_column(tg_checker *c, const tg_line *line, double *column) {
    static const double weight[] = {1, -8, 8, -1}, place[] = {-2, -1, 1, 2};
    double h = 1e-3 * line->scale;
    bool good = true;
    memset(column, 0, (size_t)c->y->numel * sizeof *column);
    for (int k = 0; k < 4; k++) {
        point p = evaluate(c, line, place[k] * h, c->low);
        good &= p.branches == c->branches;
        for (int64_t j = 0; j < c->y->numel; j++)
            if (isfinite(c->at_base[j]))
                column[j] += weight[k] * (p.y[j] - c->at_base[j]);
    }
    move(line, 0);
    for (int64_t j = 0; j < c->y->numel; j++) {
        column[j] /= 12 * h;
        good &= isfinite(column[j]);
    }
    return good;
}
