/* custom: an optimizer whose update is the user's callback. */
#include "optim/group.h"

/* True for a valid part of a name in a file; dots separate parts. */
static bool is_name(const char *name) {
    size_t n = name ? strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_") : 0;
    return n >= 1 && n <= 40 && !name[n] && !(name[0] >= '0' && name[0] <= '9');
}

static int n_states(const tg_custom_optim *c) {
    int n = 0;
    while (n < TG_OPTIM_STATES && c->state[n])
        n++;
    return n;
}

static tg_status check_kind(tg_tape *t, const tg_custom_optim *c) {
    if (!c || !is_name(c->name))
        return tg_fail(t, TG_ERR_ARGUMENT,
                       "custom_optim: it is NULL, or its name is not one of 1 to 40 letters, digits and _ that begins "
                       "with no digit");
    for (int i = 0; i < n_states(c); i++) {
        bool good = is_name(c->state[i]) && strcmp(c->state[i], "step") != 0;
        for (int k = 0; k < i; k++)
            good = good && strcmp(c->state[i], c->state[k]) != 0;
        if (!good)
            return tg_fail(t, TG_ERR_ARGUMENT,
                           "%s: the name of state %d is given twice, \"step\", or not one of 1 to 40 letters, digits "
                           "and _ that begins with no digit",
                           c->name, i);
    }
    if (c->n_numbers < 1 || c->n_numbers > TG_OPTIM_NUMBERS)
        return tg_fail(t, TG_ERR_ARGUMENT, "%s: %d numbers; there must be 1, the learning rate, to %d", c->name,
                       c->n_numbers, TG_OPTIM_NUMBERS);
    if (!(tg_tape_dtype(t) == TG_F32 ? c->step_f32 : c->step_f64))
        return tg_fail(t, TG_ERR_ARGUMENT, "%s: there is no step callback for %s, the tape's dtype", c->name,
                       tg_dtype_name(tg_tape_dtype(t)));
    return TG_OK;
}

/* ---- in files ---- */

static void store(const tg_optim_config *config, double *out) { memcpy(out, config->number, sizeof config->number); }

static bool restore(const double *in, int n_arrays, tg_optim_config *config) {
    bool good = in[0] >= 0;
    (void)n_arrays;
    for (int i = 0; i < TG_OPTIM_NUMBERS; i++) {
        good = good && isfinite(in[i]);
        config->number[i] = in[i];
    }
    return good;
}

/* ---- stepping ---- */

static tg_status update_one(const tg_optim *o, const tg_group *g, tg_moments *s) {
    const tg_custom_optim *c = o->kind->custom;
    tg_node *p = o->tape->nodes[s->parameter.index];
    tg_shape shape = tg_shape_from(p);
    tg_update u = {.n = p->numel,
                   .step = s->steps + 1,
                   .shape = &shape,
                   .p = p->data,
                   .dp = p->grad,
                   .state = s->array,
                   .lr = g->lr,
                   .number = g->config.number};
    tg_touch(p);
    if ((p->dtype == TG_F32 ? c->step_f32 : c->step_f64)(&u))
        return tg_fail(o->tape, TG_ERR_STATE, "%s: the step callback returned an error for %s", c->name,
                       tg_describe(s->parameter).s);
    s->steps++;
    return o->tape->status;
}

/* Rechecks each parameter: a callback may have rewound the tape past it. */
static tg_status step(tg_optim *o, tg_group *g) {
    tg_tape *t = o->tape;
    if (o->stepping)
        return tg_fail(t, TG_ERR_STATE, "optim_step: called from the step callback of %s, for the same optimizer",
                       o->kind->name);
    o->stepping = true;
    for (int64_t i = 0; i < g->n && !t->status && tg_optim_has(o, &g->moments[i]); i++)
        if (t->nodes[g->moments[i].parameter.index]->has_grad)
            (void)update_one(o, g, &g->moments[i]);
    o->stepping = false;
    return t->status;
}

/* ---- construction ---- */

tg_status tg_custom_optim_add_group(tg_optim *o, tg_list parameters, const double *numbers) {
    if (!o)
        return tg_fail(parameters.tape, TG_ERR_ARGUMENT, "custom_optim: the optimizer is NULL");
    tg_tape *t = o->tape;
    const tg_custom_optim *c = o->kind->custom;
    if (t->status)
        return t->status;
    if (!c || !numbers)
        return tg_fail(t, TG_ERR_ARGUMENT, "%s: %s", o->kind->name,
                       c ? "its numbers are NULL" : "a custom group cannot be added to it");
    tg_optim_config config = {.number = {0}};
    for (int i = 0; i < c->n_numbers; i++) {
        config.number[i] = numbers[i];
        if (!isfinite(numbers[i]))
            return tg_fail(t, TG_ERR_ARGUMENT, "%s: number %d is %g, but must be finite", c->name, i, numbers[i]);
    }
    if (!tg_optim_at_least_0(t, c->name, "lr", numbers[0]))
        return t->status;
    return tg_optim_add(o, parameters, numbers[0], config, n_states(c));
}

tg_optim *tg_custom_optim_new(tg_tape *t, const tg_custom_optim *kind, tg_list parameters, const double *numbers) {
    tg_optim_kind own = {.name = "custom_optim", .custom = kind, .step = step, .store = store, .restore = restore};
    tg_optim *o = tg_optim_new(t, &own, parameters);
    if (!o)
        return NULL;
    if (check_kind(t, kind))
        return tg_optim_finish(o, t->status);
    own.name = kind->name;
    own.n_numbers = 2 + kind->n_numbers;
    for (int i = 0; i < n_states(kind); i++)
        own.moments[i] = kind->state[i];
    o->own = own;
    o->kind = &o->own;
    return tg_optim_finish(o, tg_custom_optim_add_group(o, parameters, numbers));
}
