/* adam, adamw: p -= step * m / (sqrt(v) / root + eps), with m and v running means of the gradient and its square.
 * array[0] is exp_avg (m), array[1] exp_avg_sq (v), array[2] max_exp_avg_sq (with amsgrad). */
#include "optim/group.h"

#ifdef real

static void FN(step)(const struct tg_adam_numbers *a, int64_t n, real *restrict p, const real *restrict dp,
                     real *restrict m, real *restrict v, real *restrict vmax) {
    real sign = (real)a->sign, shrink = (real)a->shrink, decay = (real)a->decay;
    real w1 = (real)(1 - a->beta1), beta2 = (real)a->beta2, w2 = (real)(1 - a->beta2);
    real step = (real)a->step, root = (real)a->root, eps = (real)a->eps;
    for (int64_t j = 0; j < n; j++) {
        real g = sign * dp[j], x = p[j] * shrink;
        if (decay != 0)
            g += decay * x;
        m[j] = FN(tg_lerp)(m[j], g, w1);
        v[j] = v[j] * beta2 + w2 * g * g;
        real second = v[j];
        if (vmax) {
            vmax[j] = vmax[j] > second ? vmax[j] : second;
            second = vmax[j];
        }
        p[j] = x - step * m[j] / (M(sqrt)(second) / root + eps);
    }
}

static void FN(move)(const tg_optim_numbers *numbers, int64_t begin, int64_t end, void *p, const void *dp,
                     void *const *array) {
    real *m = array[0], *v = array[1], *vmax = array[2];
    FN(step)
    (&numbers->adam, end - begin, (real *)p + begin, (const real *)dp + begin, m + begin, v + begin,
     vmax ? vmax + begin : NULL);
}

#else
#define TG_SELF "optim/adam.c"
#include "core/twice.h"
TG_WIDE_MOVES(move);

/* 1 - beta^t. beta^t <= e^(-t (1 - beta)), which is negligible beside 1 from e^-39 on. */
static double correction(double beta, double t) { return t * (1 - beta) > 39 ? 1 : 1 - pow(beta, t); }

static tg_optim_numbers numbers(const tg_optim_kind *kind, const tg_group *g, int64_t steps) {
    const tg_adam_config *c = &g->config.adam;
    double t = (double)steps;
    struct tg_adam_numbers a = {.sign = c->maximize ? -1 : 1,
                                .shrink = kind->decoupled ? 1 - g->lr * c->weight_decay : 1,
                                .decay = kind->decoupled ? 0 : c->weight_decay,
                                .beta1 = c->beta1,
                                .beta2 = c->beta2,
                                .eps = c->eps,
                                .step = g->lr / correction(c->beta1, t),
                                .root = sqrt(correction(c->beta2, t))};
    return (tg_optim_numbers){.adam = a};
}

static bool beta_is_valid(tg_tape *t, const char *name, const char *what, double beta) {
    if (beta >= 0 && beta < 1)
        return true;
    tg_fail(t, TG_ERR_ARGUMENT, "%s: %s is %g, but must be at least 0 and below 1", name, what, beta);
    return false;
}

static bool config_is_valid(tg_tape *t, const char *name, const tg_adam_config *c) {
    return tg_optim_at_least_0(t, name, "lr", c->lr) && beta_is_valid(t, name, "beta1", c->beta1) &&
           beta_is_valid(t, name, "beta2", c->beta2) && tg_optim_at_least_0(t, name, "eps", c->eps) &&
           tg_optim_at_least_0(t, name, "weight_decay", c->weight_decay);
}

static int arrays_for(const tg_adam_config *c) { return c->amsgrad ? 3 : 2; }

static void store(const tg_optim_config *config, double *out) {
    const tg_adam_config *c = &config->adam;
    const double numbers[] = {c->lr, c->beta1, c->beta2, c->eps, c->weight_decay, c->amsgrad, c->maximize};
    memcpy(out, numbers, sizeof numbers);
}

static bool restore(const double *in, int n_arrays, tg_optim_config *config) {
    tg_adam_config c = {.lr = in[0],
                        .beta1 = in[1],
                        .beta2 = in[2],
                        .eps = in[3],
                        .weight_decay = in[4],
                        .amsgrad = in[5] != 0,
                        .maximize = in[6] != 0};
    config->adam = c;
    return config_is_valid(NULL, "", &c) && arrays_for(&c) == n_arrays;
}

#define ADAM_KIND                                                                               \
    .n_numbers = 2 + 7, .store = store, .restore = restore, .numbers = numbers, TG_MOVES(move), \
    .moments = {"exp_avg", "exp_avg_sq", "max_exp_avg_sq"}
static const tg_optim_kind adam = {.name = "adam", ADAM_KIND};
static const tg_optim_kind adamw = {.name = "adamw", .decoupled = true, ADAM_KIND};

tg_status tg_adam_add_group(tg_optim *o, tg_list parameters, tg_adam_config config) {
    if (!o)
        return tg_fail(parameters.tape, TG_ERR_ARGUMENT, "adam: the optimizer is NULL");
    if (o->tape->status)
        return o->tape->status;
    if (o->kind != &adam && o->kind != &adamw)
        return tg_fail(o->tape, TG_ERR_ARGUMENT, "adam: a group for adam or adamw cannot be added to %s",
                       o->kind->name);
    if (!config_is_valid(o->tape, o->kind->name, &config))
        return o->tape->status;
    return tg_optim_add(o, parameters, config.lr, (tg_optim_config){.adam = config}, arrays_for(&config));
}

static tg_optim *new_adam(tg_tape *t, const tg_optim_kind *kind, tg_list parameters, tg_adam_config config) {
    tg_optim *o = tg_optim_new(t, kind, parameters);
    return o ? tg_optim_finish(o, tg_adam_add_group(o, parameters, config)) : NULL;
}

tg_optim *tg_adam_new(tg_tape *t, tg_list parameters, tg_adam_config config) {
    return new_adam(t, &adam, parameters, config);
}
tg_optim *tg_adamw_new(tg_tape *t, tg_list parameters, tg_adam_config config) {
    return new_adam(t, &adamw, parameters, config);
}

#endif
