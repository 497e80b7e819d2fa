/* The judge.
 *
 * THEOREM. A field g is a gradient of f (conservative: Bolte and Pauwels 2021) if and only if on every path
 *     f(b) - f(a) = integral of <g, dx> from a to b.
 * Backpropagation yields such a field wherever operations are locally Lipschitz, whatever it chooses at their kinks: so
 * every right gradient satisfies this, kinks included, and a wrong one does not on nearly every path. Nothing is
 * divided by a step: rounding in f stays of the size of f's rounding, while f changes by what an ordinary distance
 * makes of it.
 *
 * THE PATH is x + s d, d random: 1/4 to 3/4 of the size of each element that moves, either sign; s runs from -0.382 L
 * to 0 and from 0 to 0.618 L, L = 1, 1/16, 1/256, ... (unequal: over a path symmetric about 0 a flipped sign passes for
 * even f; no element reaches 0). An error e of one element that moves never shows as less than |e| / 4 of its size; the
 * errors of several, of which e is the largest, hide below h |e| with probability at most 2 h.
 *
 * THE RESIDUAL of a piece is r = f(b) - f(a) - Q, Q by 8 Gauss-Legendre nodes. D = |f(b) - f(a)| + integral of
 * sum |g dx|, added over both pieces; rho = (|r1| + |r2|) / D.
 *
 * NOISE. f and <g, d> at nine points beside x, 2^-14 d apart (where that shows too little to judge by: 2^-20 too, and
 * the smaller counts): their fifth and sixth differences, over sqrt(252) and sqrt(924), are rounding alone (Hamming;
 * More and Wild 2011), whatever makes it: the dtype, cancelling within a fused operation, a callback in float. With
 * these deviations sf and sq, what the tape rounds f by, t = u sqrt(sum (adjoint value)^2) over all its numbers, and u,
 * half the distance from 1 to the next number (in t of a float, where all results of a callback are floats),
 *     N = 16 (sqrt(2) (sf + t) + (b - a) sq) + 8 u (sum |v dy| + integral of sum |g dx|):
 * 16 since seven differences know a deviation to a factor of 2, 8 u for what several sums round the same way. For a
 * path that may be WRONG sf, sq and t are measured at its ends as well: f of 1 rounds by more than f of 0 at x.
 *
 * VERDICT, at L = 1, 1/16, ... until there is one. What r is made of shows in what a shorter path makes of it:
 *     r of a wrong gradient   shrinks with the path:        rho stays
 *     r of rounding           does not:                     rho grows 16 times
 *     r of f that waves, a pole near: quadrature            rho falls to nothing
 *     r of kinks, jumps       is gone once they lie outside rho falls to nothing
 * RIGHT: |r| <= N on both pieces, and N <= D / 64: an error of a 64th of what moves would have shown (or D = 0: nothing
 *   moves). For L = 1 also D below 512 times the rounding on the tape (64 times where |r| > N): what moves is worth
 *   nothing in y's last bits, nor is its gradient.
 * WRONG: |r| > N, and at two lengths in a row rho is the same to a quarter, or falls like L twice in a row (a gradient
 *   that is right at x and does not follow where x moves). Confirmed by 16 equal pieces:
 *     more than half of the length has |r| > N; the sum of r is the two pieces' to a 20th (quadrature has converged);
 *     r goes smoothly: sum (r[i] - r[i+1])^2 < sum r[i]^2 / 2 (rounding: 2 sum r^2, von Neumann 1941);
 *     a few units in the last place of all operands and of v make less of <g, d> at x than r.
 *   In float32, where rounding may hide the pieces of the shorter of the two lengths, those of the longer confirm it as
 *   well, if r of either piece shrinks like the length. A second path over the same elements has to be WRONG too
 *   (cover.c); in float32 an operation alone as well (gradcheck.c).
 * CANNOT_TELL: N > D / 64, or no length gave either.
 * KINK: RIGHT, and at x itself <g, d> jumps: it differs between -2^-14 and 2^-14 by eight times what it changes by from
 *   there to the next points, and by more than noise. Where <g, d> at x is neither what it is before nor behind,
 *   without a kink, and no operation takes another branch, the gradient is WRONG at this point alone; KINK if a slope
 *   that is off by so much would change f, before the next number, by more than |f| and what the path changes.
 * The numbers 16 (L), 64, 512 and a quarter trade sensitivity for certainty; none is fitted to a case. */
#include "core/gradcheck/check.h"

enum { NODES = 8, LENGTHS = 8, SHORT = 9, BEFORE = 2, PIECES = 16 };
static const double node[NODES] = {-0.96028985649753623, -0.79666647741362674, -0.52553240991632899,
                                   -0.18343464249564980, 0.18343464249564980,  0.52553240991632899,
                                   0.79666647741362674,  0.96028985649753623};
static const double weight[NODES] = {0.10122853629037626, 0.22238103445337447, 0.31370664587788729,
                                     0.36268378337836198, 0.36268378337836198, 0.31370664587788729,
                                     0.22238103445337447, 0.10122853629037626};
static const double before = 0.382, behind = 0.618, safety = 16, sharpness = 1.0 / 64;

typedef struct noise {
    double f, q; /* deviations of f, and of <g, d> */
    double tape; /* what numbers on the tape are rounded by */
} noise;

/* ---- the integral ---- */

/* Where rounding takes the element at s. */
static double rounded(const tg_checker *c, double start, double by) {
    double x = start + by;
    return c->t->dtype == TG_F32 ? (float)x : x;
}

/* dx of what moves, from a to b, from the rounded ends. */
static void take_steps(tg_checker *c, double a, double b) {
    for (int64_t i = 0; i < c->n_moving; i++) {
        double x = c->start[c->moving[i]], d = c->direction[i];
        c->step[i] = rounded(c, x, b * d) - rounded(c, x, a * d);
    }
}

/* <g, dx> over these steps with the gradient that the leaves have; *size: sum |g dx|. */
static double along(const tg_checker *c, double *size) {
    tg_sum_of sum = {0, 0};
    *size = 0;
    for (int64_t i = 0; i < c->n_moving;) {
        const tg_check_leaf *leaf = tg_leaf_at(c, c->moving[i]);
        int64_t first = leaf->first, end = first + leaf->x->numel;
        for (; i < c->n_moving && c->moving[i] < end; i++) {
            double term = tg_grad_element(leaf->x, c->moving[i] - first) * c->step[i];
            tg_sum_add(&sum, term);
            *size += fabs(term);
        }
    }
    return tg_sum_get(&sum);
}

static double sum_of_sizes(const tg_checker *c) {
    double sum = 0;
    for (int64_t i = 0; i < c->n_moving; i++)
        sum += fabs(c->direction[i]);
    return sum;
}

/* residual is NAN where f, or its gradient, is not finite. */
static tg_gradcheck_piece integrate(tg_checker *c, double a, double b, tg_point at_a, tg_point at_b, noise n) {
    tg_gradcheck_piece p = {.a = a, .b = b, .f_a = at_a.f, .f_b = at_b.f};
    bool finite = at_a.finite && at_b.finite;
    take_steps(c, a, b);
    for (int i = 0; i < NODES && finite; i++) {
        double size;
        finite = tg_evaluate_with_gradient(c, (a + b) / 2 + (b - a) / 2 * node[i]).finite;
        p.integral += finite ? weight[i] / 2 * along(c, &size) : 0;
        p.terms += finite ? weight[i] / 2 * size : 0;
    }
    p.residual = finite ? p.f_b - p.f_a - p.integral : NAN;
    p.noise = safety * (sqrt(2) * (n.f + n.tape) + (b - a) * n.q) + 8 * c->unit * (at_a.moved + at_b.moved + p.terms);
    p.noise += sum_of_sizes(c) * (b - a) * c->unit * tg_least_normal(c); /* gradients below it; u times it is 0 */
    return p;
}

/* ---- the point itself, and noise ---- */

typedef struct near_point {
    bool finite, kink, wrong;
    noise noise;
    bool moves; /* f, at every step */
    double off; /* how far <g, d> at the point lies outside what it is beside it */
} near_point;

static double deviation(const double *values, int n) {
    double d[BEFORE + 1 + SHORT], squares = 0;
    int count = 2 * n - 11; /* fifth and sixth differences */
    memcpy(d, values, (size_t)n * sizeof *d);
    for (int order = 1; order <= 6; order++) {
        n--;
        for (int i = 0; i < n; i++)
            d[i] = d[i + 1] - d[i];
        for (int i = 0; i < n && order >= 5; i++)
            squares += d[i] * d[i] / (order == 5 ? 252 : 924);
    }
    return sqrt(squares / count);
}

/* q: at -2, -1, 0, 1, 2 steps. */
static void look_at_point(near_point *p, const double *q, bool same_branches) {
    double jump = fabs(q[3] - q[1]), change = fabs(q[4] - q[3]) + fabs(q[1] - q[0]), error = safety * p->noise.q;
    error += 64 * p->noise.tape; /* of the gradient over a distance of 1 */
    double low = fmin(q[1], q[3]) - change - error, high = fmax(q[1], q[3]) + change + error;
    bool jumps = jump > 8 * change + 2 * error, outside = q[2] < low || q[2] > high;
    p->kink = jumps || (outside && !same_branches);
    p->wrong = outside && !p->kink;
    p->off = fmax(low - q[2], q[2] - high);
}

/* At `from`, from where on s goes; the point itself is 0. */
static near_point look_near(tg_checker *c, double from, double step, double tape) {
    double f[BEFORE + 1 + SHORT], q[BEFORE + 1 + SHORT], size;
    near_point p = {.finite = true};
    uint64_t branches[BEFORE + 1 + SHORT];
    take_steps(c, 0, 1);
    for (int i = 0; i < BEFORE + 1 + SHORT && p.finite; i++) {
        double s = from + (i - BEFORE) * step;
        tg_point at = tg_evaluate_with_gradient(c, s);
        branches[i] = tg_checker_branches(c);
        p.finite = at.finite;
        f[i] = at.f;
        q[i] = p.finite ? along(c, &size) : 0;
    }
    if (!p.finite)
        return p;
    p.noise = (noise){deviation(f + BEFORE + 1, SHORT), deviation(q + BEFORE + 1, SHORT), tape};
    p.finite = isfinite(p.noise.q);
    p.moves = true;
    for (int i = BEFORE + 1; i < BEFORE + SHORT; i++)
        p.moves &= f[i] != f[i + 1];
    look_at_point(&p, q, branches[BEFORE - 1] == branches[BEFORE] && branches[BEFORE + 1] == branches[BEFORE]);
    return p;
}

/* ---- verdicts ---- */

typedef struct pair {
    tg_gradcheck_piece of[2];
    double moved, size, ratio; /* sum |v dy|, D and rho */
    bool finite, clean, sharp;
} pair;

static pair measure(tg_checker *c, double length, noise n) {
    double a = -before * length, b = behind * length;
    tg_point at_a = tg_evaluate(c, a), at_b = tg_evaluate(c, b), at_x = {.finite = true};
    pair p = {.finite = at_a.finite && at_b.finite, .moved = at_a.moved + at_b.moved};
    if (!p.finite)
        return p;
    p.of[0] = integrate(c, a, 0, at_a, at_x, n);
    p.of[1] = integrate(c, 0, b, at_x, at_b, n);
    p.finite = isfinite(p.of[0].residual + p.of[1].residual);
    p.clean = true;
    double allowed = 0, residual = 0;
    for (int i = 0; i < 2; i++) {
        p.size += fabs(p.of[i].f_b - p.of[i].f_a) + p.of[i].terms;
        p.clean &= fabs(p.of[i].residual) <= p.of[i].noise;
        allowed += p.of[i].noise;
        residual += fabs(p.of[i].residual);
    }
    p.ratio = p.size > 0 ? residual / p.size : 0;
    p.sharp = allowed <= sharpness * p.size || p.size == 0;
    return p;
}

/* Rounding of <g, d> at the point, where none shows along the path since it is the same everywhere: how far apart a few
 * units in the last place of all operands and of v make it, and what v times another number, of which it is linear,
 * makes of it. from_own: how far from the point's own <g, d>; else from one another, as it may be wrong there alone. */
static double shake(tg_checker *c, bool from_own) {
    enum { TRIES = 16 };
    take_steps(c, 0, 1);
    double size, q = tg_evaluate_with_gradient(c, 0).finite ? along(c, &size) : NAN;
    double low = INFINITY, high = -INFINITY, scaled = 0;
    for (int i = 0; i < TRIES; i++) {
        double by = i % 2 ? fabs(tg_checker_random(c)) : 1, now = NAN;
        tg_return(c);
        if (i % 2 ? !tg_checker_backward(c, by) : tg_evaluate_shaken(c, 8 * c->unit).finite)
            now = along(c, &size) / by;
        if (!isfinite(now) || !isfinite(q))
            return INFINITY;
        if (i % 2) {
            scaled = fmax(scaled, fabs(now - q));
            continue;
        }
        low = fmin(low, now);
        high = fmax(high, now);
    }
    return fmax(scaled, from_own ? fmax(high - q, q - low) : high - low);
}

/* Over narrower and narrower steps: kinks, poles and waves beside the point make no noise there. Not where f, computed
 * in few bits, does not move at every step. */
static near_point look_nearer(tg_checker *c, const near_point *p, double tape) {
    near_point best = *p;
    for (double step = 0x1p-20; step >= 0x1p-26; step /= 64) {
        near_point now = look_near(c, 0, step, tape);
        if (now.finite && now.moves && (!best.finite || now.noise.f < best.noise.f / 2))
            best = now;
    }
    return best;
}

/* Noise where this path is, which may be more than further away: a saturated function is flat there. And at its ends,
 * whose values may round by more than one of 0 at x. */
static noise noise_within(tg_checker *c, double length, noise n) {
    const double at[] = {0, -before * length, behind * length};
    for (int i = 0; i < 3; i++) {
        near_point p = look_near(c, at[i], 0x1p-14 * length, n.tape);
        if (p.finite)
            n = (noise){fmax(n.f, p.noise.f), fmax(n.q, p.noise.q), n.tape};
        n.tape = c->alone ? n.tape : fmax(n.tape, tg_rounding_at(c, at[i]));
    }
    return n;
}

/* 16 equal pieces, or 8 or 4 where rounding would hide the residual of each. */
static int count_pieces(const pair *p, double size) {
    double each = fmax(p->of[0].noise, p->of[1].noise);
    return size > 2 * PIECES * each ? PIECES : size > PIECES * each ? PIECES / 2 : PIECES / 4;
}

/* True when the residual of equal pieces is that of a wrong gradient. *share: of the length, with a residual. */
static bool is_wrong_all_along(tg_checker *c, double length, const pair *p, noise n, double *share, bool *shaken) {
    double sum = 0, squares = 0, changes = 0, last = 0, whole = p->of[0].residual + p->of[1].residual;
    double size = fabs(p->of[0].residual) + fabs(p->of[1].residual);
    int count = count_pieces(p, size);
    n = noise_within(c, length, n);
    tg_point at_a = tg_evaluate(c, -before * length);
    *share = 0;
    for (int i = 0; i < count; i++) {
        double a = (-before + (double)i / count) * length, b = (-before + (double)(i + 1) / count) * length;
        tg_point at_b = tg_evaluate(c, b);
        tg_gradcheck_piece now = integrate(c, a, b, at_a, at_b, n);
        if (isnan(now.residual))
            return false;
        *share += fabs(now.residual) > now.noise ? (b - a) / length : 0;
        sum += now.residual;
        squares += now.residual * now.residual;
        changes += i ? (now.residual - last) * (now.residual - last) : 0;
        last = now.residual;
        at_a = at_b;
    }
    *shaken = safety * length * shake(c, true) >= size;
    return !*shaken && *share > 0.5 && fabs(sum - whole) <= size / 20 && changes < squares / 2;
}

/* rho of the lengths before: the last one, the one before it, and the least, above which rounding alone rises. */
typedef struct history {
    double last, earlier, least, shorter;
    pair longer; /* the last one whole */
} history;

/* True when rho is what it was, or falls like the length, as of a gradient that is right at the point and does not
 * follow where it moves. */
static bool is_steady(const history *h, double rho) {
    double fell = h->last / h->shorter, had_fallen = h->earlier / h->shorter;
    bool same = fabs(rho - h->last) <= rho / 4 && rho <= 4 * h->least;
    return same || (fabs(rho - fell) <= fell / 4 && fabs(h->last - had_fallen) <= had_fallen / 4);
}

static const char leaves_domain[] = "the path leaves the domain of an operation, or overflows",
                  is_shaken[] = "a few units in the last place of the operands make another gradient of it",
                  is_noisy[] = "rounding hides the gradient: f is known to fewer digits than it takes",
                  is_rough[] = "the gradient itself is rounded to so few digits that it may hide a mistake",
                  is_still[] = "in float32 f does not move at all, where its gradient says that it does",
                  is_unresolved[] = "no length of the path resolves f: it jumps, or waves, or has kinks too close";

/* Both residuals are so much smaller than along the longer path as they are shorter. */
static bool shrinks_like(const pair *p, const history *h) {
    bool like = true;
    for (int i = 0; i < 2; i++) {
        double expected = h->longer.of[i].residual / h->shorter;
        like &= fabs(p->of[i].residual - expected) <= fabs(expected) / 4;
    }
    return like;
}

/* The residual is that of a wrong gradient along this path; or, in float32, whose numbers leave few lengths above
 * rounding, along the longer one, of whose pieces rounding hides less. */
static bool is_wrong(tg_checker *c, const pair *p, double length, const history *h, noise n, double *share,
                     bool *shaken) {
    bool wrong = is_wrong_all_along(c, length, p, n, share, shaken);
    if (wrong || *shaken || c->t->dtype == TG_F64 || !shrinks_like(p, h))
        return wrong;
    return is_wrong_all_along(c, length * h->shorter, &h->longer, n, share, shaken);
}

/* The verdict of this length, CANNOT_TELL with no reason where a shorter one may give it. */
static tg_judged decide(tg_checker *c, const pair *p, double length, const history *h, noise n) {
    tg_judged j = {.verdict = TG_GRAD_CANNOT_TELL, .noise_f = n.f + n.tape, .noise_q = n.q, .sharp = p->sharp};
    double rounding = n.tape + n.f;
    bool shaken = false, nothing = p->size <= (p->clean ? 512 : 64) * rounding;
    j.line = (tg_gradcheck_line){.elements = c->n_moving, .length = length, .ratio = p->ratio, .longer = h->last};
    j.line.rounding = rounding;
    memcpy(j.line.piece, p->of, sizeof p->of);
    if ((p->clean && p->sharp) || (length == 1 && nothing))
        j.verdict = TG_GRAD_RIGHT;
    else if (c->t->dtype == TG_F32 && !nothing && p->moved == 0)
        j.reason = is_still;
    else if (p->clean || nothing)
        j.reason = !nothing && safety * length * n.q > p->size * sharpness ? is_rough : is_noisy;
    else if (is_steady(h, p->ratio) && is_wrong(c, p, length, h, n, &j.line.share, &shaken))
        j.verdict = TG_GRAD_WRONG;
    else if (!p->sharp && !isnan(h->last))
        j.reason = is_noisy;
    if (shaken)
        j.reason = is_shaken;
    return j;
}

static tg_judged judge(tg_checker *c, noise n) {
    tg_judged j = {.verdict = TG_GRAD_CANNOT_TELL};
    history h = {.last = NAN, .earlier = NAN, .least = INFINITY, .shorter = c->t->dtype == TG_F32 ? 4 : 16};
    double length = 1;
    for (int k = 0; k < LENGTHS && j.verdict == TG_GRAD_CANNOT_TELL && !j.reason; k++, length /= h.shorter) {
        pair p = measure(c, length, n);
        if (!p.finite)
            continue;
        j = decide(c, &p, length, &h, n);
        h = (history){p.ratio, h.last, fmin(h.least, p.ratio), h.shorter, p};
    }
    if (j.verdict == TG_GRAD_CANNOT_TELL && !j.reason)
        j.reason = isnan(h.last) ? leaves_domain : is_unresolved;
    j.noisy = j.reason == is_noisy || j.reason == is_shaken;
    return j;
}

/* Custom operations need not tell their branches, and where several meet backward may take one of each. In float32
 * what lies between x and the next number is not seen: a narrow wave there is no other than a kink. */
static bool hides_kinks(const tg_checker *c) {
    if (c->t->dtype == TG_F32)
        return true;
    for (uint32_t i = 0; i <= c->y->index; i++)
        if (c->needed[i] && tg_is_custom(c->t->nodes[i]) && !c->t->nodes[i]->op->branches[c->t->dtype])
            return true;
    return false;
}

/* A slope that is off by so much changes f by more than f has, and the path changes, before the next number: f steps
 * between two numbers, as a softmax of scores of 1e20 does, and backward knows the slope of the step. */
static bool is_step(const tg_checker *c, const tg_judged *j, double off) {
    double changes = fabs(j->line.piece[0].f_a) + fabs(j->line.piece[1].f_b);
    return off * 8 * c->unit > c->size + changes;
}

/* A path that is right leaves out the point itself. What is a kink, or wrong, there is so over any distance: over a
 * 2^-14th of the length that was resolved, and over shorter ones, as far as x moves. */
static void judge_point(tg_checker *c, tg_judged *j, double tape) {
    double step = 0x1p-14 * j->line.length, least = c->t->dtype == TG_F32 ? 0x1p-16 : 0x1p-32;
    near_point p = look_near(c, 0, step, tape);
    for (step /= 64; step >= least && p.finite && (p.kink || p.wrong); step /= 64) {
        near_point now = look_near(c, 0, step, tape);
        if (!now.finite)
            break;
        p.wrong &= now.wrong;
        p.kink &= now.kink;
    }
    p.wrong = p.wrong && safety * shake(c, false) < p.off;
    j->kink = p.finite && (p.kink || (p.wrong && (hides_kinks(c) || is_step(c, j, p.off))));
    j->verdict = j->kink ? TG_GRAD_KINK : p.finite && p.wrong ? TG_GRAD_WRONG : TG_GRAD_RIGHT;
}

tg_judged tg_judge(tg_checker *c) {
    tg_judged j = {.verdict = TG_GRAD_CANNOT_TELL, .reason = leaves_domain};
    double tape = tg_rounding_along(c);
    near_point p = look_near(c, 0, 0x1p-14, tape);
    if (p.finite)
        j = judge(c, p.noise);
    if (!p.finite || (!j.sharp && j.verdict != TG_GRAD_WRONG && fmax(p.noise.f, p.noise.q) > tape)) {
        near_point nearer = look_nearer(c, &p, tape);
        if (nearer.finite && (!p.finite || nearer.noise.f < p.noise.f))
            j = judge(c, nearer.noise);
        p = p.finite ? p : nearer;
    }
    if (j.verdict == TG_GRAD_RIGHT && j.sharp && p.finite && (p.kink || p.wrong))
        judge_point(c, &j, tape);
    j.line.verdict = j.verdict;
    j.line.reason = j.reason;
    tg_return(c);
    return j;
}

bool tg_is_off(tg_checker *c, const tg_judged *like, bool confirm) {
    noise n = {like->noise_f, like->noise_q, 0};
    double length = like->line.length > 0 ? like->line.length : 1.0 / 16, shows = INFINITY;
    if (confirm) {
        pair shorter = measure(c, length / (c->t->dtype == TG_F32 ? 4 : 16), n);
        if (shorter.finite && !shorter.clean)
            return true;
        if (shorter.finite && shorter.size > 0) /* the rho from which on noise would not have hidden it there */
            shows = 4 * (shorter.of[0].noise + shorter.of[1].noise) / shorter.size;
    }
    pair p = measure(c, length, n);
    return p.finite && !p.clean && p.ratio <= shows;
}
