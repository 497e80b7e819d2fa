/* sgd: p -= lr * buf, with buf the gradient or a running sum of gradients. array[0] is momentum_buffer, with
 * momentum. */
#include "optim/group.h"

#ifdef real

/* g = +-dp + weight_decay p;  p -= lr g */
static void FN(plain)(int64_t n, real *p, const real *dp, real sign, real decay, real lr) {
    for (int64_t j = 0; j < n; j++) {
        real g = sign * dp[j];
        if (decay != 0)
            g += decay * p[j];
        p[j] -= lr * g;
    }
}

/* g as above;  buf = momentum buf + keep g;  p -= lr (nesterov ? g + momentum buf : buf) */
static void FN(momentum)(int64_t n, real *p, const real *dp, real *buf, real sign, real decay, real lr, real momentum,
                         real keep, bool nesterov) {
    for (int64_t j = 0; j < n; j++) {
        real g = sign * dp[j];
        if (decay != 0)
            g += decay * p[j];
        buf[j] = momentum * buf[j] + keep * g;
        p[j] -= lr * (nesterov ? g + momentum * buf[j] : buf[j]);
    }
}

static void FN(move)(const tg_optim_numbers *numbers, int64_t begin, int64_t end, void *p, const void *dp,
                     void *const *array) {
    const struct tg_sgd_numbers *a = &numbers->sgd;
    real sign = (real)a->sign, decay = (real)a->decay, lr = (real)a->lr, momentum = (real)a->momentum;
    real *buf = array[0];
    if (buf)
        FN(momentum)
    (end - begin, (real *)p + begin, (const real *)dp + begin, buf + begin, sign, decay, lr, momentum, (real)a->keep,
     a->nesterov);
    else FN(plain)(end - begin, (real *)p + begin, (const real *)dp + begin, sign, decay, lr);
}

#else
#define TG_SELF "optim/sgd.c"
#include "core/twice.h"
TG_WIDE_MOVES(move);

/* The first step adds the whole gradient to the zeroed buffer: dampening starts with the second step. */
static tg_optim_numbers numbers(const tg_optim_kind *kind, const tg_group *g, int64_t steps) {
    const tg_sgd_config *c = &g->config.sgd;
    struct tg_sgd_numbers a = {.sign = c->maximize ? -1 : 1,
                               .decay = c->weight_decay,
                               .lr = g->lr,
                               .momentum = c->momentum,
                               .keep = steps == 1 ? 1 : 1 - c->dampening,
                               .nesterov = c->nesterov};
    (void)kind;
    return (tg_optim_numbers){.sgd = a};
}

static bool config_is_valid(tg_tape *t, const tg_sgd_config *c) {
    if (!tg_optim_at_least_0(t, "sgd", "lr", c->lr) || !tg_optim_at_least_0(t, "sgd", "momentum", c->momentum) ||
        !tg_optim_at_least_0(t, "sgd", "weight_decay", c->weight_decay))
        return false;
    if (!isfinite(c->dampening)) {
        tg_fail(t, TG_ERR_ARGUMENT, "sgd: dampening is %g, but must be finite", c->dampening);
        return false;
    }
    if (c->nesterov && (c->momentum == 0 || c->dampening != 0)) {
        tg_fail(t, TG_ERR_ARGUMENT, "sgd: nesterov needs momentum > 0 and dampening 0, not %g and %g", c->momentum,
                c->dampening);
        return false;
    }
    return true;
}

static int arrays_for(const tg_sgd_config *c) { return c->momentum != 0; }

static void store(const tg_optim_config *config, double *out) {
    const tg_sgd_config *c = &config->sgd;
    const double numbers[] = {c->lr, c->momentum, c->dampening, c->weight_decay, c->nesterov, c->maximize};
    memcpy(out, numbers, sizeof numbers);
}

static bool restore(const double *in, int n_arrays, tg_optim_config *config) {
    tg_sgd_config c = {.lr = in[0],
                       .momentum = in[1],
                       .dampening = in[2],
                       .weight_decay = in[3],
                       .nesterov = in[4] != 0,
                       .maximize = in[5] != 0};
    config->sgd = c;
    return config_is_valid(NULL, &c) && arrays_for(&c) == n_arrays;
}

static const tg_optim_kind sgd = {.name = "sgd",
                                  .n_numbers = 2 + 7,
                                  .numbers = numbers,
                                  .store = store,
                                  .restore = restore,
                                  TG_MOVES(move),
                                  .moments = {"momentum_buffer"}};

tg_status tg_sgd_add_group(tg_optim *o, tg_list parameters, tg_sgd_config config) {
    if (!o)
        return tg_fail(parameters.tape, TG_ERR_ARGUMENT, "sgd: the optimizer is NULL");
    if (o->tape->status)
        return o->tape->status;
    if (o->kind != &sgd)
        return tg_fail(o->tape, TG_ERR_ARGUMENT, "sgd: a group for sgd cannot be added to %s", o->kind->name);
    if (!config_is_valid(o->tape, &config))
        return o->tape->status;
    return tg_optim_add(o, parameters, config.lr, (tg_optim_config){.sgd = config}, arrays_for(&config));
}

tg_optim *tg_sgd_new(tg_tape *t, tg_list parameters, tg_sgd_config config) {
    tg_optim *o = tg_optim_new(t, &sgd, parameters);
    return o ? tg_optim_finish(o, tg_sgd_add_group(o, parameters, config)) : NULL;
}

#endif
