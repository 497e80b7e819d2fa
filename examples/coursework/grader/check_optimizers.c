/* Checks of task 11: five steps of the student's against the formula, and against what common mistakes give. */
#include "check.h"

#include <string.h>

enum { N = 7, STEPS = 5 };

typedef struct optimizer_case {
    int64_t n;
    double lr, decay;         /* of the first step, and its factor from each to the next */
    double momentum;          /* SGD */
    double beta1, beta2, eps; /* Adam */
    const char *words;
} optimizer_case;

static const optimizer_case sgd_cases[] = {{N, 0.1, 1, 0, 0, 0, 0, "without momentum"},
                                           {N, 0.05, 1, 0.9, 0, 0, 0, "momentum 0.9"},
                                           {N, 0.05, 0.5, 0.9, 0, 0, 0, "momentum 0.9, lr halved from step to step"},
                                           {1, 0.5, 1, 0.5, 0, 0, 0, "one parameter, momentum 0.5"}};
static const optimizer_case adam_cases[] = {
    {N, 0.01, 1, 0, 0.9, 0.999, 1e-8, "the usual numbers"},
    {N, 0.1, 1, 0, 0.5, 0.9, 1e-8, "beta1 0.5, beta2 0.9"},
    {N, 0.1, 0.5, 0, 0.9, 0.99, 0.25, "a large eps, lr halved from step to step"},
    {1, 0.01, 1, 0, 0.9, 0.999, 1e-8, "one parameter"}};

static double rate(const optimizer_case *c, int step) { return c->lr * pow(c->decay, step - 1); }

/* Steps that are wrong in a known way; the right one is the first. */
typedef enum {
    RIGHT,
    NESTEROV,
    DAMPED,
    MOMENTUM_OF_ALL,
    NO_MOMENTUM,
    NO_LR,
    SIGN,
    LR_INSIDE,
    NESTEROV_LR_INSIDE,
    VELOCITY_NOT_KEPT,
    VELOCITY_SIGN,
    VELOCITY_AFTER,
    ONE_STEP_OF_G,
    SGD_VARIANTS
} sgd_variant;
typedef enum {
    ADAM_RIGHT,
    EPS_IN_ROOT,
    NO_CORRECTION,
    NO_CORRECTION_M,
    NO_CORRECTION_V,
    EPS_BEFORE_CORRECTION,
    G_FOR_SQUARE,
    NO_ROOT,
    NOT_NORMALISED,
    ADAM_NO_LR,
    ADAM_SIGN,
    BETAS_SWAPPED,
    M_NOT_KEPT,
    V_NOT_KEPT,
    STEP_TOO_LARGE,
    STEP_NOT_USED,
    M_TAKES_G,
    V_TAKES_G2,
    MOMENTS_NOT_KEPT,
    G_FOR_M,
    LR_IN_M,
    EPS_LEFT_OUT,
    CORRECTION_TIMES,
    ROOT_OF_CORRECTED_M,
    ADAM_VARIANTS
} adam_variant;

#define LR_INSIDE_WORDS                                                                                                 \
    "lr inside the velocity: the velocity sums gradients, and lr comes with the step: a rate that changes is then one " \
    "for all of it"
static const char *const sgd_words[SGD_VARIANTS] = {
    [RIGHT] = "plain momentum: what is asked for looks ahead, g + momentum velocity",
    [NESTEROV] = "Nesterov's momentum: what is asked for subtracts lr velocity",
    [DAMPED] = "gradient damped: velocity = momentum velocity + g: g comes in whole, not times 1 - momentum",
    [MOMENTUM_OF_ALL] = "momentum of the gradient: velocity = momentum velocity + g: momentum is no factor of g",
    [NO_MOMENTUM] = "momentum forgotten: every step is -lr g, whatever the velocity was",
    [NO_LR] = "lr forgotten: the step is not multiplied by lr",
    [SIGN] = "sign flipped: it climbs: the step goes along the gradient, not against it",
    [LR_INSIDE] = LR_INSIDE_WORDS,
    [NESTEROV_LR_INSIDE] = LR_INSIDE_WORDS,
    [VELOCITY_NOT_KEPT] =
        "velocity not kept: it is the same array in every step; momentum velocity + g has to be stored in it",
    [VELOCITY_SIGN] = "sign flipped: velocity = momentum velocity + g, not minus g",
    [VELOCITY_AFTER] = "velocity of before: the step is taken with the velocity before g was added to it",
    [ONE_STEP_OF_G] = "g added once more: the step is lr (velocity + g), and velocity has g already"};
static const char *const adam_words[ADAM_VARIANTS] = {
    [ADAM_RIGHT] = "eps outside the root: what is asked for is sqrt(v^ + eps)",
    [EPS_IN_ROOT] = "eps inside the root: it is sqrt(v^) + eps, not sqrt(v^ + eps)",
    [NO_CORRECTION] = "bias correction missing: m and v start at 0: divide them by 1 - beta^step",
    [NO_CORRECTION_M] = "bias correction missing: m is not divided by 1 - beta1^step",
    [NO_CORRECTION_V] = "bias correction missing: v is not divided by 1 - beta2^step",
    [EPS_BEFORE_CORRECTION] = "eps before the correction: it is added to sqrt(v^), not to sqrt(v)",
    [G_FOR_SQUARE] = "g in place of g^2: v is the mean of the squares, (1 - beta2) g^2",
    [NO_ROOT] = "square root forgotten: the step is divided by v^, not by its square root",
    [NOT_NORMALISED] = "not normalised: the step is proportional to m^: it is not divided by sqrt(v^)",
    [ADAM_NO_LR] = "lr forgotten: the step is not multiplied by lr",
    [ADAM_SIGN] = "sign flipped: it climbs: the step goes along the gradient, not against it",
    [BETAS_SWAPPED] = "betas exchanged: beta1 belongs to m, beta2 to v",
    [M_NOT_KEPT] = "m not kept: it is the gradient of this step alone, and nothing of the steps before",
    [V_NOT_KEPT] = "v not kept: it is the square of this step's gradient alone, and nothing of the steps before",
    [STEP_NOT_USED] = "bias correction of step 1: the correction is 1 - beta^step, not 1 - beta",
    [M_TAKES_G] = "1 - beta1 forgotten: m = beta1 m + (1 - beta1) g",
    [V_TAKES_G2] = "1 - beta2 forgotten: v = beta2 v + (1 - beta2) g^2",
    [MOMENTS_NOT_KEPT] =
        "moments not kept: m and v are the same arrays in every step; what is computed has to be stored in them",
    [G_FOR_M] = "g in place of m: the step goes along this step's gradient alone, not along m^",
    [LR_IN_M] = "lr inside m: m is the mean of the gradients alone; lr comes with the step, and may change",
    [EPS_LEFT_OUT] = "eps left out: it stands beside the root",
    [CORRECTION_TIMES] = "correction the wrong way: m and v are divided by 1 - beta^step, not multiplied by it",
    [ROOT_OF_CORRECTED_M] = "corrections exchanged: m is divided by 1 - beta1^step, v by 1 - beta2^step",
    [STEP_TOO_LARGE] = "step counted twice: step is the number of this step already, 1 for the first"};

typedef struct state {
    double p[N], first[N], second[N];
} state;

static void sgd_by(sgd_variant kind, const optimizer_case *c, state *s, const double *g, int step) {
    bool inside = kind == LR_INSIDE || kind == NESTEROV_LR_INSIDE,
         ahead = kind == NESTEROV || kind == NESTEROV_LR_INSIDE;
    double now = rate(c, step), lr = inside || kind == NO_LR ? 1 : kind == SIGN ? -now : now;
    double take = kind == DAMPED ? 1 - c->momentum : kind == MOMENTUM_OF_ALL ? c->momentum : inside ? now : 1;
    for (int64_t i = 0; i < c->n; i++) {
        double before = kind == VELOCITY_NOT_KEPT ? 0 : s->first[i];
        take = kind == VELOCITY_SIGN ? -1 : take;
        s->first[i] = (kind == NO_MOMENTUM ? 0 : c->momentum) * before + take * g[i];
        s->p[i] -= lr * (ahead                    ? take * g[i] + c->momentum * s->first[i]
                         : kind == VELOCITY_AFTER ? before
                         : kind == ONE_STEP_OF_G  ? s->first[i] + g[i]
                                                  : s->first[i]);
    }
}

static void adam_by(adam_variant kind, const optimizer_case *c, state *s, const double *g, int step) {
    double b1 = kind == BETAS_SWAPPED ? c->beta2 : c->beta1, b2 = kind == BETAS_SWAPPED ? c->beta1 : c->beta2;
    double steps = kind == STEP_TOO_LARGE ? step + 1 : step, share1 = 1 - pow(b1, steps), share2 = 1 - pow(b2, steps);
    double lr = kind == ADAM_NO_LR ? 1 : kind == ADAM_SIGN ? -rate(c, step) : rate(c, step);
    double in_m = kind == M_TAKES_G ? 1
                  : kind == LR_IN_M ? (1 - b1) * lr
                                    : 1 - b1,
           in_v = kind == V_TAKES_G2 ? 1 : 1 - b2;
    bool forgets_m = kind == M_NOT_KEPT || kind == MOMENTS_NOT_KEPT,
         forgets_v = kind == V_NOT_KEPT || kind == MOMENTS_NOT_KEPT;
    if (kind == STEP_NOT_USED)
        share1 = 1 - b1, share2 = 1 - b2;
    if (kind == CORRECTION_TIMES)
        share1 = 1 / share1, share2 = 1 / share2;
    if (kind == ROOT_OF_CORRECTED_M)
        share1 = 1 - pow(b2, steps), share2 = 1 - pow(b1, steps);
    lr = kind == LR_IN_M ? 1 : lr;
    for (int64_t i = 0; i < c->n; i++) {
        s->first[i] = b1 * (forgets_m ? 0 : s->first[i]) + in_m * g[i];
        s->second[i] = b2 * (forgets_v ? 0 : s->second[i]) + in_v * (kind == G_FOR_SQUARE ? g[i] : g[i] * g[i]);
        double m = kind == G_FOR_M                                    ? g[i]
                   : kind == NO_CORRECTION || kind == NO_CORRECTION_M ? s->first[i]
                                                                      : s->first[i] / share1;
        double v = kind == NO_CORRECTION || kind == NO_CORRECTION_V ? s->second[i] : s->second[i] / share2;
        double under = kind == EPS_IN_ROOT             ? sqrt(v + c->eps)
                       : kind == EPS_BEFORE_CORRECTION ? (sqrt(s->second[i]) + c->eps) / sqrt(share2)
                       : kind == NO_ROOT               ? v + c->eps
                       : kind == NOT_NORMALISED        ? 1
                       : kind == EPS_LEFT_OUT          ? sqrt(v)
                                                       : sqrt(v) + c->eps;
        s->p[i] -= lr * m / under;
    }
}

/* The exercise's variant 1 asks for Nesterov's momentum, and for eps inside the root. */
static int asked(bool adam, int variant) {
    return adam ? (variant ? EPS_IN_ROOT : ADAM_RIGHT) : variant ? NESTEROV : RIGHT;
}

typedef struct run {
    bool adam;
    const optimizer_case *one;
    double g[STEPS][N], start[N];
    double mine[STEPS][N]; /* the student's parameters after each step */
    double p[N], first[N], second[N];
} run;

static bool open_run(run *r, const session *s, const optimizer_case *one, bool adam) {
    memset(r, 0, sizeof *r);
    r->adam = adam;
    r->one = one;
    tg_tape *t = tg_tape_new(TG_F64);
    if (!t)
        return false;
    tg_manual_seed(t, s->seed);
    bool good = tg_read_doubles(tg_randn(t, TG_SHAPE(one->n)), r->start, one->n) == TG_OK;
    for (int k = 0; k < STEPS && good; k++)
        good = tg_read_doubles(tg_randn(t, TG_SHAPE(one->n)), r->g[k], one->n) == TG_OK;
    memcpy(r->p, r->start, sizeof r->p);
    tg_tape_free(t);
    return good;
}

/* True when the student's first steps are those of this variant: to five digits of a step and, where parameters are
 * rounded to float, 2^-24 of them for each. */
static bool went_like(const run *r, int kind, int steps) {
    state s = {.p = {0}};
    memcpy(s.p, r->start, sizeof s.p);
    for (int k = 0; k < steps; k++) {
        if (r->adam)
            adam_by((adam_variant)kind, r->one, &s, r->g[k], k + 1);
        else
            sgd_by((sgd_variant)kind, r->one, &s, r->g[k], k + 1);
        for (int64_t i = 0; i < r->one->n; i++) {
            double moved = fabs(s.p[i] - (k ? r->mine[k - 1][i] : r->start[i]));
            if (!(fabs(s.p[i] - r->mine[k][i]) <= 1e-5 * (moved + 1e-9) + (k + 1) * ldexp(fabs(s.p[i]), -24)) &&
                !(isnan(s.p[i]) && isnan(r->mine[k][i])))
                return false;
        }
    }
    return true;
}

static bool student_step(session *s, run *r, int step) {
    const optimizer_case *one = r->one;
    int value;
    request q = {.kind = r->adam ? CALL_ADAM : CALL_SGD, .n_arrays = r->adam ? 4 : 3};
    void *data[] = {r->p, r->g[step - 1], r->first, r->second};
    snprintf(q.symbol, sizeof q.symbol, "%s", r->adam ? "adam_step" : "sgd_step");
    for (int i = 0; i < q.n_arrays; i++)
        q.array[i] = (array){TG_SHAPE(one->n), TG_F64, 0, i != 1};
    if (r->adam)
        memcpy(q.number, (double[]){rate(one, step), one->beta1, one->beta2, one->eps, step}, 5 * sizeof(double));
    else
        memcpy(q.number, (double[]){rate(one, step), one->momentum}, 2 * sizeof(double));
    if (!student_call(s->student, &q, data, &value, NULL, NULL))
        return false;
    memcpy(r->mine[step - 1], r->p, sizeof r->p);
    return true;
}

/* ---- what a wrong step looks like ---- */

static bool has_moved(const run *r, int step) {
    const double *before = step > 1 ? r->mine[step - 2] : r->start;
    for (int64_t i = 0; i < r->one->n; i++)
        if (r->mine[step - 1][i] != before[i])
            return true;
    return false;
}

static bool is_finite(const run *r, int step) {
    for (int64_t i = 0; i < r->one->n; i++)
        if (!isfinite(r->mine[step - 1][i]))
            return false;
    return true;
}

/* The first parameter that is not where it should be, after the first step after which one is not. */
static void tell_step(const run *r, int right, verdict *v) {
    state s = {.p = {0}};
    memcpy(s.p, r->start, sizeof s.p);
    for (int k = 0; k < STEPS; k++) {
        if (r->adam)
            adam_by((adam_variant)right, r->one, &s, r->g[k], k + 1);
        else
            sgd_by((sgd_variant)right, r->one, &s, r->g[k], k + 1);
        for (int64_t i = 0; i < r->one->n; i++)
            if (!(fabs(s.p[i] - r->mine[k][i]) <=
                  1e-5 * (fabs(s.p[i] - r->start[i]) + 1e-9) + ldexp(fabs(s.p[i]), -22))) {
                at_element(v, r->mine[k][i], s.p[i], "after step %d p[%lld], which was %.4g at first and has g %.4g,",
                           k + 1, (long long)i, r->start[i], r->g[k][i]);
                return;
            }
    }
    at_element(v, r->mine[0][0], s.p[0], "p[0]");
}

/* All five steps of the case are there: of the known mistakes the one that explains every step. */
static verdict name_step(const run *r, int right, int step) {
    const char *where = r->adam ? "adam_step" : "sgd_step";
    const char *const *words = r->adam ? adam_words : sgd_words;
    for (int kind = 0; kind < (r->adam ? (int)ADAM_VARIANTS : (int)SGD_VARIANTS); kind++)
        if (kind != right && went_like(r, kind, STEPS)) {
            size_t length = strcspn(words[kind], ":");
            verdict v = wrong(where, "", "%s", words[kind] + length + 2);
            snprintf(v.mistake, sizeof v.mistake, "%.*s", (int)length, words[kind]);
            return v;
        }
    if (!is_finite(r, step))
        return wrong(where, "not finite",
                     "step %d gives numbers that are not finite: 1 - beta^step is 0 if steps are counted from 0", step);
    if (step > 1)
        return wrong(
            where, "wrong from step 2 on",
            "step 1 is right, step %d is not: is what is to be kept kept, without lr, and step counted as it comes?",
            step);
    return wrong(where, "wrong step", "step 1 moves p[0] by %g: write the formula out for one element",
                 r->mine[0][0] - r->start[0]);
}

static verdict describe(const run *r, int right, int step) {
    verdict v = name_step(r, right, step);
    tell_step(r, right, &v);
    return v;
}

static verdict judge(session *s, run *r) {
    const char *where = r->adam ? "adam_step" : "sgd_step";
    int right = asked(r->adam, s->variant[s->task]);
    for (int step = 1; step <= STEPS; step++)
        if (!student_step(s, r, step))
            return failed(s, where);
    if (!has_moved(r, 1)) {
        verdict v = wrong(where, "zero", "p does not move");
        tell_step(r, right, &v);
        v.untouched = true;
        return v;
    }
    for (int step = 1; step <= STEPS; step++)
        if (!went_like(r, right, step))
            return describe(r, right, step);
    return (verdict){.right = true};
}

static verdict run_case(session *s, const optimizer_case *one, bool adam) {
    static run r;
    verdict v = open_run(&r, s, one, adam) ? judge(s, &r) : wrong("grader", "grader", "out of memory");
    fprintf(s->detail, "    %s: %s: %s\n", adam ? "adam_step" : "sgd_step", one->words, v.right ? "right" : v.why);
    return v;
}

void course_adam(int variant, double *p, const double *g, double *m, double *v, int64_t n, int step, double lr) {
    const optimizer_case one = {n, lr, 1, 0, 0.9, 0.999, 1e-8, ""};
    state s = {.p = {0}};
    size_t bytes = (size_t)n * sizeof(double);
    memcpy(s.p, p, bytes);
    memcpy(s.first, m, bytes);
    memcpy(s.second, v, bytes);
    adam_by((adam_variant)asked(true, variant), &one, &s, g, step);
    memcpy(p, s.p, bytes);
    memcpy(m, s.first, bytes);
    memcpy(v, s.second, bytes);
}

verdict check_sgd(session *s) {
    verdict v = {.right = true};
    for (size_t k = 0; k < sizeof sgd_cases / sizeof *sgd_cases && v.right; k++)
        v = run_case(s, &sgd_cases[k], false);
    if (!v.untouched)
        return v;
    verdict with = run_case(s, &sgd_cases[1], false); /* not written, or only wrong without momentum? */
    if (with.right)
        name_mistake(&v, "zero without momentum: with momentum 0 p does not move: it does by -lr g");
    return with.right || with.untouched ? v : with;
}

verdict check_adam(session *s) {
    verdict v = {.right = true};
    for (size_t k = 0; k < sizeof adam_cases / sizeof *adam_cases && v.right; k++)
        v = run_case(s, &adam_cases[k], true);
    return v;
}
