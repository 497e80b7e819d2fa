/* Checks of task 11: the student's steps against the library's, from the same parameters, gradients and state. */
#include "check.h"
#include "optim/optim.h"

#include <string.h>

enum { N = 7, STEPS = 5 };

typedef struct optimizer_case {
    int64_t n;
    double lr, momentum;      /* SGD */
    double beta1, beta2, eps; /* Adam */
    const char *words;
} optimizer_case;

static const optimizer_case sgd_cases[] = {{N, 0.1, 0, 0, 0, 0, "without momentum"},
                                           {N, 0.05, 0.9, 0, 0, 0, "momentum 0.9"},
                                           {1, 0.5, 0.5, 0, 0, 0, "one parameter, momentum 0.5"}};
static const optimizer_case adam_cases[] = {{N, 0.01, 0, 0.9, 0.999, 1e-8, "the usual numbers"},
                                            {N, 0.1, 0, 0.5, 0.9, 1e-8, "beta1 0.5, beta2 0.9"},
                                            {N, 0.1, 0, 0.9, 0.99, 0.25, "a large eps"},
                                            {1, 0.01, 0, 0.9, 0.999, 1e-8, "one parameter"}};

/* One step as it was and as it should have been. */
typedef struct one_step {
    int number;
    int64_t n;
    double g[N], moved[N], right[N];
} one_step;

typedef struct run {
    tg_tape *t;
    tg_tensor p;
    tg_optim *library;
    double mine[N], first[N], second[N]; /* the student's parameters and moments */
} run;

static bool open_run(run *r, const session *s, const optimizer_case *one, bool adam) {
    memset(r, 0, sizeof *r);
    r->t = tg_tape_new(TG_F64);
    if (!r->t)
        return false;
    tg_manual_seed(r->t, s->seed);
    r->p = tg_parameter(r->t, "p", tg_randn(r->t, TG_SHAPE(one->n)));
    tg_sgd_config sgd = {.lr = one->lr, .momentum = one->momentum};
    tg_adam_config a = {.lr = one->lr, .beta1 = one->beta1, .beta2 = one->beta2, .eps = one->eps};
    r->library = adam ? tg_adam_new(r->t, tg_parameters(r->t), a) : tg_sgd_new(r->t, tg_parameters(r->t), sgd);
    return r->library && tg_read_doubles(r->p, r->mine, one->n) == TG_OK;
}

static bool library_step(run *r, one_step *now) {
    double before[N];
    if (tg_read_doubles(r->p, before, now->n) || tg_read_doubles(tg_randn(r->t, TG_SHAPE(now->n)), now->g, now->n) ||
        tg_write_grad(r->p, now->g, now->n) || tg_optim_step(r->library) || tg_read_doubles(r->p, now->right, now->n))
        return false;
    for (int64_t i = 0; i < now->n; i++)
        now->right[i] -= before[i];
    return true;
}

static bool student_step(session *s, run *r, const optimizer_case *one, bool adam, one_step *now) {
    double before[N];
    int value;
    request q = {.kind = adam ? CALL_ADAM : CALL_SGD, .n_arrays = adam ? 4 : 3};
    void *data[] = {r->mine, now->g, r->first, r->second};
    snprintf(q.symbol, sizeof q.symbol, "%s", adam ? "adam_step" : "sgd_step");
    for (int i = 0; i < q.n_arrays; i++)
        q.array[i] = (array){TG_SHAPE(one->n), TG_F64, 0, i != 1};
    if (adam)
        memcpy(q.number, (double[]){one->lr, one->beta1, one->beta2, one->eps, now->number}, 5 * sizeof(double));
    else
        memcpy(q.number, (double[]){one->lr, one->momentum}, 2 * sizeof(double));
    memcpy(before, r->mine, sizeof before);
    if (!student_call(s->student, &q, data, &value, NULL, NULL))
        return false;
    for (int64_t i = 0; i < one->n; i++)
        now->moved[i] = r->mine[i] - before[i];
    return true;
}

/* ---- what a wrong step looks like ---- */

static bool near(double a, double b) { return fabs(a - b) <= 1e-5 * fabs(b); }

static bool all_zero(const one_step *now) {
    for (int64_t i = 0; i < now->n; i++)
        if (now->moved[i] != 0)
            return false;
    return true;
}

static bool all_finite(const one_step *now) {
    for (int64_t i = 0; i < now->n; i++)
        if (!isfinite(now->moved[i]))
            return false;
    return true;
}

static verdict describe_sgd(const optimizer_case *one, const one_step *now) {
    double factor = ratio_of(now->moved, now->right, now->n), along = ratio_of(now->moved, now->g, now->n);
    const char *where = "sgd_step";
    if (near(factor, -1))
        return wrong(where, "sign flipped", "it climbs: the step goes along the gradient, not against it");
    if (near(factor, 1 / one->lr))
        return wrong(where, "lr forgotten", "the step is not multiplied by lr");
    if (near(factor, 1 - one->momentum))
        return wrong(where, "gradient damped",
                     "velocity = momentum velocity + g: g comes in whole, not times 1 - momentum");
    if (now->number > 1 && near(along, -one->lr))
        return wrong(where, "momentum forgotten", "every step is -lr g, whatever the velocity was");
    if (isfinite(factor) && now->n > 1)
        return wrong(where, "constant factor", "%g times the right step", factor);
    return wrong(where, now->number > 1 ? "wrong from step 2 on" : "wrong step",
                 "step %d moves p[0] by %g, it should be %g%s", now->number, now->moved[0], now->right[0],
                 now->number > 1 ? "; is velocity kept?" : "");
}

/* Step 1 is -lr sign(g) but for eps: each mistake has its own factor. */
static verdict describe_adam(const optimizer_case *one, const one_step *now) {
    double factor = ratio_of(now->moved, now->right, now->n), b1 = 1 - one->beta1, b2 = 1 - one->beta2;
    double inverse[N], along = ratio_of(now->moved, now->g, now->n);
    const char *where = "adam_step";
    for (int64_t i = 0; i < now->n; i++)
        inverse[i] = 1 / now->g[i];
    if (!all_finite(now))
        return wrong(where, "not finite",
                     "step %d gives numbers that are not finite: 1 - beta^step is 0 if steps are counted from 0",
                     now->number);
    if (now->number == 1 && near(factor, -1))
        return wrong(where, "sign flipped", "it climbs: the step goes along the gradient, not against it");
    if (now->number == 1 && near(factor, b1 / sqrt(b2)))
        return wrong(where, "bias correction missing", "m and v start at 0: divide them by 1 - beta^step");
    if (now->number == 1 && near(factor, b1))
        return wrong(where, "bias correction missing", "m is not divided by 1 - beta1^step");
    if (now->number == 1 && near(factor, 1 / sqrt(b2)))
        return wrong(where, "bias correction missing", "v is not divided by 1 - beta2^step");
    if (now->number == 1 && near(factor, 1 / one->lr))
        return wrong(where, "lr forgotten", "the step is not multiplied by lr");
    if (now->number == 1 && now->n > 1 && isfinite(along))
        return wrong(where, "not normalised", "the step is proportional to g: it is not divided by sqrt(v^)");
    if (now->number == 1 && isfinite(ratio_of(now->moved, inverse, now->n)) && now->n > 1)
        return wrong(where, "square root forgotten", "the step is divided by v^, not by its square root");
    if (one->eps > 0.1)
        return wrong(where, "eps at the wrong place", "right with a small eps, wrong with a large one: sqrt(v^) + eps");
    if (now->number > 1)
        return wrong(
            where, "wrong from step 2 on",
            "step 1 is right, step %d is not: are m and v kept, each with its own beta, and the powers those of step?",
            now->number);
    return wrong(where, "wrong step", "step %d moves p[0] by %g, it should be %g", now->number, now->moved[0],
                 now->right[0]);
}

static verdict run_case(session *s, const optimizer_case *one, bool adam) {
    run r;
    const char *where = adam ? "adam_step" : "sgd_step";
    verdict v = {.right = true};
    if (!open_run(&r, s, one, adam))
        v = wrong("grader", "grader", "%s", r.t ? tg_error(r.t) : "out of memory");
    for (one_step now = {.number = 1, .n = one->n}; v.right && now.number <= STEPS; now.number++) {
        if (!library_step(&r, &now))
            v = wrong("grader", "grader", "%s", tg_error(r.t));
        else if (!student_step(s, &r, one, adam, &now))
            v = failed(s, where);
        else if (all_zero(&now)) {
            v = wrong(where, "zero", "p does not move");
            v.untouched = true;
        } else if (!same_numbers(now.moved, now.right, now.n))
            v = adam ? describe_adam(one, &now) : describe_sgd(one, &now);
    }
    tg_tape_free(r.t);
    fprintf(s->detail, "    %s: %s: %s\n", where, one->words, v.right ? "right" : v.why);
    return v;
}

verdict check_sgd(session *s) {
    verdict v = {.right = true};
    for (size_t k = 0; k < sizeof sgd_cases / sizeof *sgd_cases && v.right; k++)
        v = run_case(s, &sgd_cases[k], false);
    return v;
}

verdict check_adam(session *s) {
    verdict v = {.right = true};
    for (size_t k = 0; k < sizeof adam_cases / sizeof *adam_cases && v.right; k++)
        v = run_case(s, &adam_cases[k], true);
    return v;
}
