/* What rounding in float64 does to the gradient that backward computes: forward and backward run again with every
 * number moved by its error, a unit of float64 or what long double shows, and the gradients' spread is taken. */
#include "core/gradcheck/check.h"

#include <float.h>

/* Of a node's numbers; NULL where they are not known. */
typedef struct errors_of_node {
    double *data, *saved;
} errors_of_node;

/* Below this float64 loses digits, and then the number; that it does is no difference. */
#define UNDERFLOW (1e10 * DBL_MIN)

/* Over many elements the worst of a few runs is that of many. */
enum { NOISE_RUNS = 16, NOISE_RUNS_OF_HUGE = 4, RUNS_TO_DENY = 12 };

/* The size of every number a little up or down, by its error if that is known and larger: by a hash of itself, so that
 * equal ones and those of equal size stay so; or apart, by a hash of its place too, and some by half of that. */
static void jitter(int64_t n, double *x, double by, const double *error, int run, bool apart) {
    for (int64_t j = 0; j < n; j++) {
        uint64_t bits;
        if (!isfinite(x[j]))
            continue;
        double size = fabs(x[j]);
        memcpy(&bits, &size, sizeof bits);
        bits = (bits + (uint64_t)run + (apart ? (uint64_t)j << 32 : 0)) * UINT64_C(0x9e3779b97f4a7c15);
        bits = (bits ^ bits >> 29) * UINT64_C(0xbf58476d1ce4e5b9);
        double part = apart && bits >> 62 & 1 ? 0.5 : 1; /* of two even moves sums round as they did */
        double d = part * copysign(fmax(by * size, error ? error[j] : 0), x[j]);
        x[j] += bits >> 63 ? d : -d;
    }
}

static bool owns_numbers(const tg_checker *c, const tg_node *x) {
    return c->needed[x->index] && x->base == x && tg_is_floating(x);
}

/* May a VJP compare the node's result, or what is saved beside it? A custom one may ask where x == y: what their
 * rounding does to its gradient, alone, differences of y show as well, which a unit of y hides from steps that are no
 * wider. */
static bool is_compared(const tg_checker *c, const tg_node *n) {
    return n->op && (n->op->branches[TG_F64] || (c->alone && n == c->y && tg_is_custom(n)));
}

static uint64_t all_branches(const tg_checker *c) {
    tg_branches b = {0};
    for (uint32_t i = 0; i <= c->y->index; i++) {
        const tg_node *n = c->t->nodes[i];
        if (c->needed[i] && n->op && n->op->branches[TG_F64])
            n->op->branches[TG_F64](n, &b);
    }
    return b.hash;
}

/* Of the backward that was run last, with so many times dy. */
static void note_gradients(tg_checker *c, double by) {
    for (int i = 0; i < c->n_leaves; i++) {
        tg_check_leaf *leaf = &c->leaf[i];
        for (int64_t j = 0; j < leaf->x->numel; j++) {
            double g = tg_grad_element(leaf->x, j) / by, d = fabs(g - leaf->analytic[j]);
            leaf->least[j] = fmin(leaf->least[j], isfinite(d) ? g : -INFINITY);
            leaf->most[j] = fmax(leaf->most[j], isfinite(d) ? g : INFINITY);
            if (by == 1)
                leaf->units[j] = fmax(leaf->units[j], isfinite(d) ? d : INFINITY);
        }
    }
}

/* Forward with leaves and results jittered, backward with so many times the cotangent, jittered: how far do gradients
 * move? */
static tg_status run_jittered(tg_checker *c, int run, double by_cotangent, const double *by,
                              const errors_of_node *errors, uint64_t branches) {
    bool apart = run > NOISE_RUNS / 2 && !c->has_custom;
    for (uint32_t i = 0; i <= c->y->index; i++) {
        tg_node *n = c->t->nodes[i];
        if (c->needed[i] && n->op && tg_run_forward(n))
            return c->t->status;
        if (n->saved && !is_compared(c, n))
            jitter(n->n_saved, n->saved, by[i], errors[i].saved, run, apart);
        if (owns_numbers(c, n) && !is_compared(c, n))
            jitter(n->numel, n->data, by[i], errors[i].data, run, apart);
    }
    for (int64_t j = 0; j < c->y->numel; j++)
        c->low[j] = by_cotangent * c->cotangent[j];
    jitter(c->y->numel, c->low, DBL_EPSILON, NULL, run, apart);
    tg_zero_grads(c->t);
    if (all_branches(c) != branches)
        return TG_OK;
    c->jittered++;
    if (tg_write_doubles(c->v, c->low, c->y->numel) || tg_backward_with(tg_handle(c->y), c->v))
        return c->t->status;
    note_gradients(c, by_cotangent);
    return TG_OK;
}

/* Backward with random signs for dy's elements: what of a gradient is a sum that cancels does not cancel then. */
static tg_status run_signed(tg_checker *c, int run) {
    tg_rng_state signs;
    tg_rng_seed(&signs, (uint64_t)run);
    for (int64_t j = 0; j < c->y->numel; j++)
        c->low[j] = tg_rng_random(&signs) & 1 ? c->cotangent[j] : -c->cotangent[j];
    tg_zero_grads(c->t);
    if (tg_write_doubles(c->v, c->low, c->y->numel) || tg_backward_with(tg_handle(c->y), c->v))
        return c->t->status;
    for (int i = 0; i < c->n_leaves; i++)
        for (int64_t j = 0; j < c->leaf[i].x->numel; j++)
            c->leaf[i].terms[j] = fmax(c->leaf[i].terms[j], fabs(tg_grad_element(c->leaf[i].x, j)));
    return TG_OK;
}

/* The leaves' own values, kept one behind the other while they are jittered. */
static void keep_leaves(const tg_checker *c, double *kept, bool back) {
    for (uint32_t i = 0; i <= c->y->index; i++) {
        tg_node *x = c->t->nodes[i];
        if (x->op || !owns_numbers(c, x))
            continue;
        size_t bytes = (size_t)x->numel * sizeof *kept;
        memcpy(back ? x->data : kept, back ? kept : x->data, bytes);
        kept += x->numel;
    }
}

/* The power of two below a number, so that steps are exact; 0 does not move. */
static double unit_below(double x) {
    int exponent;
    frexp(x, &exponent);
    return x != 0 ? ldexp(1, exponent - 1) : 0;
}

/* A custom operation's inputs where they are, and three times as many numbers as it has results. */
typedef struct stepping {
    tg_node *y;
    double *start[UINT8_MAX], *by[UINT8_MAX]; /* NULL: does not move */
    double *own, *wider; /* y's elements at start, and one step further at the step before, if any */
    double *sums;
    bool any;
} stepping;

/* y's elements where the inputs are p steps from start. Steps become narrower by 4: the fourth of one is the first of
 * the step before. */
static const double *elements_at(stepping *s, int p, double step) {
    const tg_node *y = s->y;
    if (p == 0 || (p == 4 && s->any))
        return p ? s->wider : s->own;
    for (int k = 0; k < y->n_in; k++)
        for (int64_t j = 0; s->start[k] && j < y->in[k]->numel; j++)
            ((double *)y->in[k]->data)[j] = s->start[k][j] + p * step * s->by[k][j];
    if (tg_run_forward(s->y))
        return NULL;
    if (p == 1)
        memcpy(s->wider, y->data, (size_t)y->numel * sizeof *s->wider);
    return y->data;
}

/* What one step shows, relative to y. */
typedef struct step_noise {
    double noise;    /* the largest of fifth differences along the inputs */
    double response; /* what a move of the inputs by a unit of float64 makes of y, as the five steps together show it */
    int64_t seen;    /* in how many elements there is a sixteenth of that noise */
} step_noise;

static step_noise noise_of_step(stepping *s, double step, double *largest) {
    static const double weight[] = {-1, 5, -10, 10, -5, 1};
    static const int order[] = {0, 4, 1, 2, 3, 5}; /* the fourth before the first takes its place */
    double most = 0, size = 0, moved = 0;
    int64_t n = s->y->numel;
    memset(s->sums, 0, (size_t)n * sizeof *s->sums);
    for (int i = 0; i < 6; i++) {
        const double *value = elements_at(s, order[i], step);
        if (!value)
            return (step_noise){0};
        for (int64_t j = 0; j < n; j++) {
            s->sums[j] += weight[order[i]] * value[j];
            size = fmax(size, fabs(value[j]));
            moved = i == 5 ? fmax(moved, fabs(value[j] - s->own[j])) : 0;
        }
    }
    s->any = true;
    for (int64_t j = 0; j < n; j++)
        most = fmax(most, fabs(s->sums[j]) / 15.9);
    *largest = fmax(*largest, size);
    step_noise out = {.noise = size > 0 && isfinite(most) ? most / size : 0,
                      .response = size > 0 && isfinite(moved) ? moved / size / (5 * step) * DBL_EPSILON : 0};
    for (int64_t j = 0; j < n; j++)
        out.seen += out.noise > 0 && fabs(s->sums[j]) / 15.9 > most / 16;
    return out;
}

/* Noise is as large for one step as for another (a curve falls by 4^5 from one to the next, a kink by 4), but flat
 * results show it only now and then: the largest number that has company, or is alone. The widest step alone may have
 * come to a kink. */
static double steady_noise(const double *noise, int n) {
    double most = 0;
    for (int i = 0; i < n; i++) {
        bool company = false, alone = true;
        for (int k = 0; k < n; k++) {
            company |= k != i && noise[k] <= 3 * noise[i] && noise[i] <= 3 * noise[k];
            alone &= k == i || noise[k] == 0;
        }
        most = company || (alone && i > 0) ? fmax(most, noise[i]) : most;
    }
    return most;
}

static bool falls(const double *noise, double least) {
    double by = noise[0] / noise[1];
    return by > least && by < 1e6;
}

/* Of a function that changes a lot within wide steps, sin(x) at 1e6, these look like noise of its own size. From where
 * it is smooth a curve falls by up to 4^5 from step to step (a kink by 4): the number of steps that say nothing. Where
 * that is small a third has to show it. */
static int wider_than_curve(const double *noise, int n) {
    static const double large = 1e-3;
    int end = 0;
    for (int i = 0; i + 2 < n; i++)
        if (falls(noise + i, 8) && falls(noise + i + 1, 100) &&
            (noise[i] > large || (i + 3 < n && falls(noise + i + 2, 100))))
            end = i + 2;
    return end;
}

/* No format has less than 7 bits: more than that, in steps wider than others that are smooth, is what the function does
 * there (x - floor x). The number of steps that are so wide. */
static int wider_than_noise(const double *noise, int n) {
    int end = 0;
    for (int i = 0; i + 2 < n; i++)
        if (noise[i] > 0x1p-7)
            end = i + 1;
    return end;
}

/* Is it what rounding of the inputs alone would make? Then the operation computes in float64, and cancels (a mean taken
 * off numbers far from 0) or multiplies (sin 1e4 x). What computes in float is hundreds of times as noisy: a step that
 * moves it at all moves it by a unit of float. */
static bool is_conditioned(double noise, const double *response, int n) {
    double most = 0;
    for (int i = 0; i < n; i++)
        most = fmax(most, response[i]);
    return noise <= 32 * most;
}

enum { NOISE_STEPS = 17 };

/* Is it there in steps of 2^-30 and 2^-34 as well, in a quarter of the elements? Between two neighbouring floats there
 * are 2^29 doubles, and nothing jumps: this is float64's own, of what cancels inside (log cosh x of small x). */
static bool is_of_doubles(const double *noise, const int64_t *seen) {
    enum { WIDE = 4, NARROW = 9, NARROWER = 11, FEW = 8 };
    static const int narrow[] = {NARROW, NARROWER};
    bool good = seen[WIDE] >= FEW;
    for (int i = 0; i < 2; i++)
        good &= noise[narrow[i]] >= noise[WIDE] / 4 && 4 * seen[narrow[i]] >= seen[WIDE];
    return good;
}

static bool open_operand(tg_checker *c, stepping *s, int k) {
    const tg_node *x = s->y->in[k];
    double *start = tg_checker_memory(c, (size_t)x->numel, sizeof *start);
    double *by = tg_checker_memory(c, (size_t)x->numel, sizeof *by);
    if (!start || !by)
        return false;
    memcpy(start, x->data, (size_t)x->numel * sizeof *start);
    for (int64_t j = 0; j < x->numel; j++)
        by[j] = unit_below(start[j]) * (double)(8 + j % 7) / 8;
    s->start[k] = start;
    s->by[k] = by;
    return true;
}

static bool open_stepping(tg_checker *c, stepping *s, tg_node *y) {
    size_t n = (size_t)y->numel, size = sizeof(double);
    *s = (stepping){.y = y,
                    .own = tg_checker_memory(c, n, size),
                    .wider = tg_checker_memory(c, n, size),
                    .sums = tg_checker_memory(c, n, size)};
    if (!s->own || !s->wider || !s->sums)
        return false;
    memcpy(s->own, y->data, n * size);
    for (int k = 0; k < y->n_in; k++)
        if (tg_is_floating(y->in[k]) && !open_operand(c, s, k))
            return false;
    return true;
}

static void close_stepping(stepping *s) {
    for (int k = 0; k < s->y->n_in; k++)
        if (s->start[k])
            memcpy(s->y->in[k]->data, s->start[k], (size_t)s->y->in[k]->numel * sizeof *s->start[k]);
    tg_run_forward(s->y);
}

/* *coarse: it computes in less than float64; *stairs: and may do so as a stair does. */
static double noise_of_custom(tg_checker *c, tg_node *y, bool *coarse, bool *stairs) {
    enum { NARROW = 6, OF_HUGE = 9 };
    bool huge = y->numel > TG_HUGE; /* narrow steps show noise in some of many elements */
    int first = huge ? NARROW : 0, end = huge ? OF_HUGE : NOISE_STEPS;
    double noise[NOISE_STEPS] = {0}, response[NOISE_STEPS] = {0};
    int64_t seen[NOISE_STEPS] = {0};
    stepping s;
    *coarse = *stairs = false;
    if (!open_stepping(c, &s, y))
        return DBL_EPSILON;
    for (int i = first; i < end && !y->tape->status; i++) {
        step_noise of = noise_of_step(&s, ldexp(1, -12 - 2 * i), &c->largest);
        noise[i] = of.noise;
        response[i] = of.response;
        seen[i] = of.seen;
    }
    tg_jump jump = !huge && !y->tape->status ? tg_jump_of_custom(y, s.start) : (tg_jump){0};
    first += wider_than_noise(noise + first, end - first);
    first += wider_than_curve(noise + first, end - first);
    double steady = fmax(4 * steady_noise(noise + first, end - first), jump.relative);
    *coarse =
        steady > TG_COARSE && !is_conditioned(steady, response + first, end - first) && !is_of_doubles(noise, seen);
    *stairs = *coarse && !y->tape->status && !tg_jumps_as_floats(y, s.start, s.own, steady, &jump);
    close_stepping(&s);
    c->jump = fmax(c->jump, *coarse ? jump.least : 0);
    return fmax(steady, DBL_EPSILON);
}

double tg_noise_of_custom(tg_checker *c, tg_node *y) {
    bool coarse, stairs;
    return tg_run_forward(y) ? DBL_EPSILON : noise_of_custom(c, y, &coarse, &stairs);
}

/* A little aside it is the same. */
static double *noise_of_nodes(tg_checker *c) {
    if (c->noise_of)
        return c->noise_of;
    double *by = c->noise_of = tg_checker_memory(c, (size_t)c->y->index + 1, sizeof *by);
    for (uint32_t i = 0; i <= c->y->index && by; i++) {
        tg_node *n = c->t->nodes[i];
        bool coarse = false, stairs = false;
        by[i] = c->needed[i] && tg_is_custom(n) ? noise_of_custom(c, n, &coarse, &stairs) : DBL_EPSILON;
        c->stairs |= stairs;
        c->noisy = fmax(c->noisy, by[i]);
        c->coarse = fmax(c->coarse, coarse ? by[i] : DBL_EPSILON);
    }
    return by;
}

/* How far float64 is from long double, twice. *apart becomes the largest relative difference; or, by element, the
 * largest difference itself. */
static double *errors_of(tg_checker *c, int64_t n, const double *x, const long double *fine, double *apart, bool each) {
    double *error = tg_checker_memory(c, (size_t)n, sizeof *error);
    for (int64_t j = 0; j < n && error; j++) {
        double d = fabs((double)(fine[j] - x[j])), size = fmax(fabs(x[j]), fabs((double)fine[j])) + UNDERFLOW;
        error[j] = isfinite(d) ? 2 * d : 0;
        if (d > 0)
            apart[each ? j : 0] = fmax(apart[each ? j : 0], each ? d : d / size);
    }
    return error;
}

/* For every result that owns its numbers, and for what it saved; NULL where that is not known. */
static bool find_errors(tg_checker *c, errors_of_node *errors) {
    if (!c->apart_in_y && !(c->apart_in_y = tg_checker_memory(c, (size_t)c->y->numel, sizeof(double))))
        return false;
    for (uint32_t i = 0; i <= c->y->index && c->fine.t && !c->only_custom; i++) {
        const tg_node *n = c->t->nodes[i], *fine = c->fine.t->nodes[i];
        if (!n->op || !owns_numbers(c, n))
            continue;
        bool is_y = n == c->y;
        errors[i].data = errors_of(c, n->numel, n->data, fine->data, is_y ? c->apart_in_y : &c->apart, is_y);
        errors[i].saved = n->saved ? errors_of(c, n->n_saved, n->saved, fine->saved, &c->apart, false) : NULL;
        if (!errors[i].data)
            return false;
    }
    return true;
}

static void clear_noise(tg_checker *c) {
    for (int i = 0; i < c->n_leaves; i++)
        for (int64_t j = 0; j < c->leaf[i].x->numel; j++)
            c->leaf[i].least[j] = c->leaf[i].most[j] = c->leaf[i].units[j] = c->leaf[i].terms[j] = NAN;
}

tg_status tg_measure_noise(tg_checker *c) {
    int64_t total = 0;
    for (uint32_t i = 0; i <= c->y->index; i++)
        total += c->t->nodes[i]->numel;
    c->measured = true;
    clear_noise(c);
    tg_checker_restore(c);
    if (c->t->status)
        return c->t->status;
    double *kept = tg_checker_memory(c, (size_t)total, sizeof *kept), *by = noise_of_nodes(c);
    errors_of_node *errors = tg_checker_memory(c, (size_t)c->y->index + 1, sizeof *errors);
    if (!kept || !by || !errors || !find_errors(c, errors) || c->forward_differs || c->backward_differs)
        return c->t->status;
    uint64_t branches = all_branches(c);
    keep_leaves(c, kept, false);
    c->jittered = 0;
    int runs = total > TG_HUGE ? NOISE_RUNS_OF_HUGE : NOISE_RUNS;
    for (int run = 1; run <= runs && !c->t->status; run++) {
        int number = run * NOISE_RUNS / runs;
        run_jittered(c, number, 1 + (double)number / (NOISE_RUNS + 1), by, errors, branches);
        keep_leaves(c, kept, true);
    }
    bool own = c->alone && c->has_custom && !c->own_dy && c->coarse <= TG_COARSE; /* a VJP that may round on purpose */
    for (int run = 1; run <= runs / 2 && own && !c->t->status; run++) {
        run_jittered(c, run * NOISE_RUNS / runs, 1, by, errors, branches);
        keep_leaves(c, kept, true);
    }
    for (int i = 0; i < c->n_leaves; i++) /* always other branches: anything may be rounding */
        for (int64_t j = 0; j < c->leaf[i].x->numel && !c->jittered && !c->alone; j++)
            c->leaf[i].most[j] = INFINITY;
    bool bad = c->t->status || tg_checker_run_forward(c);
    for (int run = 1; run <= runs / 2 && own && !bad; run++)
        bad = run_signed(c, run);
    return bad || tg_write_doubles(c->v, c->cotangent, c->y->numel) ? c->t->status : TG_OK;
}

/* How far rounding takes the element. What is more for other multiples of dy than for a unit more or less is rounding
 * of dy on purpose where it is more than a float's, of the terms that add up. */
static double noise_of_element(const tg_check_leaf *leaf, int64_t j) {
    static const double of_terms = 0x1p-26;
    double g = leaf->analytic[j], d = fmax(leaf->most[j] - g, g - leaf->least[j]);
    double noise = isnan(leaf->most[j]) ? 0 : isfinite(d) ? fmax(d, 0) : INFINITY;
    return isnan(leaf->terms[j]) ? noise : fmin(noise, leaf->units[j] + of_terms * leaf->terms[j]);
}

static double noise_along(const tg_check_leaf *leaf, const tg_line *line) {
    double sum = 0;
    if (line->x == leaf->x)
        return noise_of_element(leaf, line->at);
    for (int i = 0; i < line->n; i++)
        for (int64_t j = 0; line->moved[i].x == leaf->x && j < leaf->x->numel; j++)
            if (line->moved[i].direction[j] != 0)
                sum += noise_of_element(leaf, j) * fabs(line->moved[i].direction[j]);
    return sum;
}

/* y's elements each have their own size; within one operation alone that is not elementwise (a norm) what counts is
 * that of the largest that the line reaches. */
double tg_checker_apart(const tg_checker *c, const tg_line *line) {
    const tg_side *side = &c->fine;
    bool elementwise = c->y->op->forward[TG_F64] == tg_elementwise_forward_f64;
    bool alike = line->x && side->n_cone == 1 && side->cone[0] == side->y && side->alike[0]; /* y[at] alone moves */
    bool known = side->reaches && side->reaches == line->x && side->reaches_at == line->at && c->alone;
    double most = c->apart, apart = 0, size = 0;
    for (int64_t j = 0; c->apart_in_y && j < c->y->numel; j++) {
        double d = c->apart_in_y[j], own = fabs(c->at_base[j]) + d + UNDERFLOW;
        if (alike ? j != line->at : known && !side->reached[j])
            continue;
        apart = fmax(apart, d);
        size = fmax(size, own);
        most = known && !elementwise ? most : fmax(most, d / own);
    }
    return known && !elementwise && size > 0 ? fmax(most, apart / size) : most;
}

/* What all of these runs say of the derivative along the line, at least and at most. */
static void range_along(const tg_check_leaf *leaf, const tg_line *line, double *least, double *most) {
    for (int i = 0; i < (line->x ? 1 : line->n); i++)
        for (int64_t j = 0; j < leaf->x->numel; j++) {
            double by = line->x ? j == line->at : line->moved[i].direction[j];
            if ((line->x ? line->x : line->moved[i].x) != leaf->x || by == 0)
                continue;
            *least += by * (by > 0 ? leaf->least[j] : leaf->most[j]);
            *most += by * (by > 0 ? leaf->most[j] : leaf->least[j]);
        }
}

double tg_checker_noise_about(tg_checker *c, const tg_line *line, double slope) {
    double noise = tg_checker_gradient_noise(c, line), least = 0, most = 0;
    for (int i = 0; i < c->n_leaves; i++)
        range_along(&c->leaf[i], line, &least, &most);
    /* what is saved is moved apart from what it is of, and may make nothing of everything: exp(x - max) of 1e36 */
    bool alive = !c->y->saved && least < most;
    bool known = c->alone && !c->has_custom && c->jittered >= RUNS_TO_DENY && alive;
    return known ? fmin(noise, fmax(fabs(least - slope), fabs(most - slope))) : noise;
}

double tg_checker_gradient_noise(tg_checker *c, const tg_line *line) {
    double sum = 0;
    if (!c->measured && tg_measure_noise(c))
        return 0;
    for (int i = 0; i < c->n_leaves; i++)
        sum += noise_along(&c->leaf[i], line);
    return sum;
}
