/* How noisy is the result of a custom operation, which may compute in float or on a grid? Differences along its inputs,
 * at steps from 2^-12 of them down to 2^-44, show what is no curve; jumps.c what jumps. */
#include "core/gradcheck/noise.h"

#include <float.h>

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
static bool is_of_doubles(double steady, const double *noise, const int64_t *seen) {
    enum { WIDE = 4, NARROW = 9, NARROWER = 11, FEW = 8 };
    static const int narrow[] = {NARROW, NARROWER};
    bool good = seen[WIDE] >= FEW;
    for (int i = 0; i < 2; i++)
        good &= noise[narrow[i]] >= steady / 16 && 4 * seen[narrow[i]] >= seen[WIDE];
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

tg_custom_noise tg_noise_of_custom(tg_checker *c, tg_node *y) {
    enum { NARROW = 6, OF_HUGE = 9 };
    bool huge = y->numel > TG_HUGE; /* narrow steps show noise in some of many elements */
    int first = huge ? NARROW : 0, end = huge ? OF_HUGE : NOISE_STEPS;
    double noise[NOISE_STEPS] = {0}, response[NOISE_STEPS] = {0};
    int64_t seen[NOISE_STEPS] = {0};
    tg_custom_noise out = {.relative = DBL_EPSILON};
    stepping s;
    if (!open_stepping(c, &s, y))
        return out;
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
    out.relative = fmax(steady, DBL_EPSILON);
    out.coarse = steady > TG_COARSE && !is_conditioned(steady, response + first, end - first) &&
                 !is_of_doubles(steady, noise, seen);
    out.stairs = out.coarse && !y->tape->status && !tg_jumps_as_floats(y, s.start, s.own, steady, &jump);
    close_stepping(&s);
    c->jump = fmax(c->jump, out.coarse ? jump.least : 0);
    return out;
}
