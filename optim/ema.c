/* An exponential moving average of weights, as in torch.optim.swa_utils.AveragedModel with get_ema_multi_avg_fn. */
#include "core/kernels/threads.h"
#include "optim/group.h"

#ifdef real

/* average += w (x - average), computed from the nearer end (PyTorch's lerp) */
static void FN(mix)(int64_t n, real *average, const real *x, real w) {
    for (int64_t j = 0; j < n; j++)
        average[j] = w < (real)0.5 ? average[j] + w * (x[j] - average[j]) : x[j] - (x[j] - average[j]) * (1 - w);
}

static void FN(swap)(int64_t n, real *a, real *b) {
    for (int64_t j = 0; j < n; j++) {
        real x = a[j];
        a[j] = b[j];
        b[j] = x;
    }
}

#else
#define TG_SELF "optim/ema.c"
#include "core/twice.h"

static const char kind[] = "ema";

/* ---- construction ---- */

enum { NAME = 512 };

/* A buffer "prefix.name", initially a copy of x. */
static tg_tensor average_of(tg_tape *t, const char *prefix, tg_tensor x) {
    char name[NAME];
    int n = snprintf(name, sizeof name, "%s.%s", prefix, tg_name(x));
    if (!*tg_name(x) || n < 0 || n >= NAME)
        return tg_fail_null(t, TG_ERR_ARGUMENT, "%s: %s has no name, or too long a one", kind, tg_describe(x).s);
    tg_tensor average = tg_buffer(t, name, tg_zeros(t, tg_shape_of(x)));
    return tg_is_null(average) || tg_copy_(average, x) ? TG_NULL : average;
}

static bool decay_is_valid(tg_tape *t, double decay) {
    if (!(decay >= 0 && decay <= 1))
        tg_fail(t, TG_ERR_ARGUMENT, "%s: decay is %g, but must be within [0, 1]", kind, decay);
    return !t->status;
}

static bool arguments_are_valid(tg_tape *t, const char *prefix, tg_list parameters, double decay) {
    if (!prefix || !*prefix)
        tg_fail(t, TG_ERR_ARGUMENT, "%s: the prefix is empty", kind);
    else if (decay_is_valid(t, decay) && (parameters.n <= 0 || !parameters.tensor))
        tg_fail(t, TG_ERR_ARGUMENT, "%s: the list of parameters is empty", kind);
    return !t->status;
}

/* Created last: while it exists, so does everything else. */
static tg_tensor counter(tg_tape *t, const char *prefix) {
    char name[NAME];
    snprintf(name, sizeof name, "%.400s.n_averaged", prefix);
    return tg_buffer(t, name, tg_from_ints(t, TG_SCALAR, (int64_t[]){0}));
}

tg_ema tg_ema_new(tg_tape *t, const char *prefix, tg_list parameters, double decay) {
    tg_ema e = {.decay = decay}, none = {.decay = decay};
    if (!t || t->status || !arguments_are_valid(t, prefix, parameters, decay))
        return none;
    tg_mark start = tg_tape_mark(t);
    tg_name_push(t, NULL); /* these are whole names */
    int64_t n = parameters.n;
    tg_tensor *both = tg_tape_alloc(t, (size_t)n, 2 * sizeof *both);
    for (int64_t i = 0; !t->status && i < n; i++) {
        both[i] = parameters.tensor[i];
        for (int64_t k = 0; k < i; k++)
            if (both[k].tape == both[i].tape && both[k].index == both[i].index)
                tg_fail(t, TG_ERR_ARGUMENT, "%s: %s is listed twice", kind, tg_describe(both[i]).s);
        both[n + i] = tg_optim_parameter(t, kind, both[i]) ? average_of(t, prefix, both[i]) : TG_NULL;
    }
    e.n_averaged = counter(t, prefix);
    tg_name_pop(t);
    if (t->status) {
        (void)!tg_tape_rewind(t, start); /* names too */
        return none;
    }
    e.parameters = (tg_list){t, n, both};
    e.averages = (tg_list){t, n, both + n};
    return e;
}

/* ---- updating ---- */

/* The counter; NULL when something was rewound away or a backward runs. */
static tg_node *open_ema(const tg_ema *e) {
    tg_node *count;
    tg_tape *t = e ? tg_open(kind, "i", 1, &e->n_averaged, &count) : NULL;
    for (int64_t i = 0; t && i < e->parameters.n; i++)
        if (!tg_optim_parameter(t, kind, e->parameters.tensor[i]))
            return NULL;
    return t && tg_outside_backward(t, kind) ? count : NULL;
}

static tg_status refused(const tg_ema *e) {
    tg_tape *t = e ? tg_tape_of(e->n_averaged) : NULL;
    return t && t->status ? t->status : TG_ERR_ARGUMENT;
}

typedef struct pair {
    tg_node *average, *x;
    double w;
} pair;

static void mix_task(void *context, int64_t begin, int64_t end) {
    const pair *p = context;
    if (p->x->dtype == TG_F32)
        mix_f32(end - begin, (float *)p->average->data + begin, (const float *)p->x->data + begin, (float)p->w);
    else
        mix_f64(end - begin, (double *)p->average->data + begin, (const double *)p->x->data + begin, p->w);
}

static void swap_task(void *context, int64_t begin, int64_t end) {
    const pair *p = context;
    if (p->x->dtype == TG_F32)
        swap_f32(end - begin, (float *)p->average->data + begin, (float *)p->x->data + begin);
    else
        swap_f64(end - begin, (double *)p->average->data + begin, (double *)p->x->data + begin);
}

static void for_each_pair(const tg_tape *t, const tg_ema *e, double w, tg_range_task *task) {
    for (int64_t i = 0; i < e->parameters.n; i++) {
        pair p = {t->nodes[e->averages.tensor[i].index], t->nodes[e->parameters.tensor[i].index], w};
        tg_parallel_range(p.x->numel, TG_OPTIM_SHARE, task, &p);
        tg_touch(p.average);
        if (task == swap_task)
            tg_touch(p.x);
    }
}

tg_status tg_ema_update(tg_ema *e) {
    tg_node *count = open_ema(e);
    if (!count || !decay_is_valid(count->tape, e->decay))
        return refused(e);
    int64_t *n = count->data;
    for_each_pair(count->tape, e, *n ? 1 - e->decay : 1, mix_task);
    *n += *n < INT64_MAX;
    tg_touch(count);
    return TG_OK;
}

tg_status tg_ema_swap(tg_ema *e) {
    tg_node *count = open_ema(e);
    if (!count)
        return refused(e);
    for_each_pair(count->tape, e, 0, swap_task);
    return TG_OK;
}

#endif
