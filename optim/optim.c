/* Shared by all optimizers: groups, the step over all parameters, gradients, the learning rate. */
#include "core/kernels/isa.h"
#include "core/kernels/threads.h"
#include "optim/group.h"

/* ---- checks ---- */

bool tg_optim_at_least_0(tg_tape *t, const char *optimizer, const char *what, double value) {
    if (value >= 0 && isfinite(value))
        return true;
    tg_fail(t, TG_ERR_ARGUMENT, "%s: %s is %g, but must be a finite number of at least 0", optimizer, what, value);
    return false;
}

tg_node *tg_optim_parameter(tg_tape *t, const char *name, tg_tensor parameter) {
    tg_node *p;
    if (parameter.tape && parameter.tape != t) {
        tg_fail(t, TG_ERR_ARGUMENT, "%s: a parameter is on another tape", name);
        return NULL;
    }
    if (!tg_open(name, "f", 1, &parameter, &p)) {
        tg_fail(t, TG_ERR_ARGUMENT, "%s: a parameter is the null tensor", name);
        return NULL;
    }
    if (!p->op)
        return p;
    tg_fail(t, TG_ERR_ARGUMENT, "%s: tensor %u %s was made by %s; only leaves can be parameters", name, p->index,
            tg_node_text(p).s, p->op->name);
    return NULL;
}

static bool is_same(tg_tensor a, tg_tensor b) { return a.index == b.index && a.epoch == b.epoch; }

static bool has_parameter(const tg_optim *o, tg_tensor p) {
    for (const tg_group *g = o->first; g; g = g->next)
        for (int64_t i = 0; i < g->n; i++)
            if (is_same(g->moments[i].parameter, p))
                return true;
    return false;
}

static tg_status check_parameters(const tg_optim *o, tg_list list) {
    tg_tape *t = o->tape;
    const char *name = o->kind->name;
    if (list.n <= 0 || !list.tensor)
        return tg_fail(t, TG_ERR_ARGUMENT, "%s: the list of parameters is empty", name);
    for (int64_t i = 0; i < list.n; i++) {
        const tg_node *p = tg_optim_parameter(t, name, list.tensor[i]);
        if (!p)
            return t->status;
        if (o->kind->ndim && p->ndim != o->kind->ndim)
            return tg_fail(
                t, TG_ERR_ARGUMENT,
                "%s: parameter %s does not have %d dims; give it to another optimizer (tg_parameters_where selects)",
                name, tg_node_text(p).s, o->kind->ndim);
        bool twice = has_parameter(o, list.tensor[i]);
        for (int64_t k = 0; k < i && !twice; k++)
            twice = is_same(list.tensor[k], list.tensor[i]);
        if (twice)
            return tg_fail(t, TG_ERR_ARGUMENT, "%s: parameter %s is given twice; it can be in one group only", name,
                           tg_node_text(p).s);
    }
    return TG_OK;
}

/* ---- construction ---- */

static size_t array_bytes(const tg_node *p) { return (size_t)p->numel * tg_dtype_size((tg_dtype)p->dtype); }

static void free_group(tg_tape *t, tg_group *g) {
    for (int64_t i = 0; i < g->n; i++)
        for (int k = 0; k < g->n_arrays; k++)
            tg_pool_put(t, g->moments[i].array[k], array_bytes(t->nodes[g->moments[i].parameter.index]));
    tg_pool_put(t, g->moments, (size_t)g->n * sizeof *g->moments);
    tg_pool_put(t, g, sizeof *g);
}

static bool fill_group(tg_tape *t, tg_group *g, const tg_tensor *parameter) {
    for (int64_t i = 0; i < g->n; i++) {
        tg_moments *s = &g->moments[i];
        s->parameter = parameter[i];
        size_t bytes = array_bytes(t->nodes[parameter[i].index]);
        for (int k = 0; k < g->n_arrays; k++) {
            s->array[k] = tg_pool_get(t, bytes);
            if (!s->array[k])
                return false;
            memset(s->array[k], 0, bytes);
        }
    }
    return true;
}

static tg_group *new_group(tg_tape *t, tg_list list, int n_arrays) {
    size_t bytes;
    if (!tg_times((size_t)list.n, sizeof(tg_moments), &bytes)) {
        tg_fail(t, TG_ERR_MEMORY, "optimizer: %lld parameters are too many", (long long)list.n);
        return NULL;
    }
    tg_group *g = tg_pool_get(t, sizeof *g);
    if (!g)
        return NULL;
    *g = (tg_group){.n_arrays = n_arrays, .moments = tg_pool_get(t, bytes)};
    if (!g->moments) {
        tg_pool_put(t, g, sizeof *g);
        return NULL;
    }
    memset(g->moments, 0, bytes);
    g->n = list.n;
    if (fill_group(t, g, list.tensor))
        return g;
    free_group(t, g);
    return NULL;
}

tg_status tg_optim_add(tg_optim *o, tg_list list, double lr, tg_optim_config config, int n_arrays) {
    tg_status bad = check_parameters(o, list);
    if (bad)
        return bad;
    tg_group *g = new_group(o->tape, list, n_arrays);
    if (!g)
        return o->tape->status;
    g->lr = lr;
    g->config = config;
    tg_group **end = &o->first;
    while (*end)
        end = &(*end)->next;
    *end = g;
    return TG_OK;
}

tg_optim *tg_optim_new(tg_tape *t, const tg_optim_kind *kind, tg_list parameters) {
    if (!t)
        tg_fail(parameters.tape, TG_ERR_ARGUMENT, "%s: the tape is NULL", kind->name);
    tg_optim *o = t && !t->status ? tg_pool_get(t, sizeof *o) : NULL;
    if (o)
        *o = (tg_optim){.tape = t, .kind = kind};
    return o;
}

tg_optim *tg_optim_finish(tg_optim *o, tg_status added) {
    if (!added)
        return o;
    tg_pool_put(o->tape, o, sizeof *o);
    return NULL;
}

/* ---- stepping ---- */

static tg_status open_optim(const tg_optim *o, const char *what) {
    if (!o)
        return TG_ERR_ARGUMENT;
    if (o->tape->backward.running)
        tg_outside_backward(o->tape, what);
    return o->tape->status;
}

/* Every parameter must still exist before any is changed; the rest was checked when the group was created. */
tg_status tg_optim_check(const tg_optim *o) {
    for (const tg_group *g = o->first; g; g = g->next)
        for (int64_t i = 0; i < g->n; i++)
            if (!tg_optim_has(o, &g->moments[i]))
                return o->tape->status;
    return TG_OK;
}

/* Consecutive parameters of a group that are updated together: they have the same number of steps. */
typedef struct run {
    const tg_optim *o;
    const tg_moments *first;
    int64_t steps, numel;
    tg_optim_numbers numbers;
} run;

static tg_node *parameter_of(const tg_optim *o, const tg_moments *s) { return o->tape->nodes[s->parameter.index]; }

/* Count a step for the parameters from i on that have a gradient, to the end of the run. Returns where the next run
 * begins. */
static int64_t begin_run(run *r, const tg_optim *o, const tg_group *g, int64_t i) {
    r->o = o;
    r->first = NULL;
    r->numel = 0;
    for (; i < g->n; i++) {
        tg_moments *s = &g->moments[i];
        tg_node *p = parameter_of(o, s);
        if (!p->has_grad)
            continue;
        if (!r->first)
            r->first = s;
        else if (s->steps + 1 != r->steps)
            break;
        r->steps = ++s->steps;
        r->numel += p->numel;
        tg_touch(p);
    }
    return i;
}

static tg_optim_move *move_of(const tg_optim_kind *kind, int dtype) {
    return tg_isa_now()->wide && kind->wide[dtype] ? kind->wide[dtype] : kind->move[dtype];
}

/* Updates a share of the run, elements of one or of several parameters. */
static void move(void *context, int64_t begin, int64_t end) {
    const run *r = context;
    for (const tg_moments *s = r->first; end > 0; s++) {
        const tg_node *p = parameter_of(r->o, s);
        int64_t n = p->has_grad ? p->numel : 0;
        if (begin < n)
            move_of(r->o->kind, p->dtype)(&r->numbers, begin, end < n ? end : n, p->data, p->grad, s->array);
        begin = begin > n ? begin - n : 0;
        end -= n;
    }
}

static tg_status update(tg_optim *o, tg_group *g) {
    if (o->kind->step)
        return o->kind->step(o, g);
    for (int64_t i = 0; i < g->n;) {
        run r;
        i = begin_run(&r, o, g, i);
        if (!r.first)
            break;
        r.numbers = o->kind->numbers(o->kind, g, r.steps);
        tg_parallel_range(r.numel, TG_OPTIM_SHARE, move, &r);
    }
    return TG_OK;
}

static tg_status prepare(const tg_optim *o) {
    for (const tg_group *g = o->first; g; g = g->next)
        for (int64_t i = 0; i < g->n; i++)
            if (parameter_of(o, &g->moments[i])->has_grad && o->kind->prepare(o, g, &g->moments[i]))
                return o->tape->status;
    return TG_OK;
}

/* An update reads and writes a parameter and its moments, and reads the gradient. */
static double step_bytes(const tg_optim *o) {
    double bytes = 0;
    for (const tg_group *g = o->first; g; g = g->next)
        for (int64_t i = 0; i < g->n; i++) {
            const tg_node *p = parameter_of(o, &g->moments[i]);
            bytes += p->has_grad ? (3 + 2 * g->n_arrays) * (double)array_bytes(p) : 0;
        }
    return bytes;
}

tg_status tg_optim_step(tg_optim *o) {
    tg_status bad = open_optim(o, "optim_step");
    if (bad || tg_optim_check(o))
        return bad ? bad : o->tape->status;
    int64_t start = tg_profile_start(o->tape);
    if (o->kind->prepare && prepare(o))
        return o->tape->status;
    for (tg_group *g = o->first; g && !bad; g = g->next)
        bad = update(o, g);
    if (start && !bad)
        tg_profile_stop(o->tape, o->kind->name, start, step_bytes(o));
    return bad;
}

void tg_optim_zero_grad(tg_optim *o) {
    if (open_optim(o, "optim_zero_grad") || tg_optim_check(o))
        return;
    for (const tg_group *g = o->first; g; g = g->next)
        for (int64_t i = 0; i < g->n; i++)
            parameter_of(o, &g->moments[i])->has_grad = false;
}

void tg_optim_set_lr(tg_optim *o, double lr) {
    if (open_optim(o, "optim_set_lr") || !tg_optim_at_least_0(o->tape, o->kind->name, "lr", lr))
        return;
    for (tg_group *g = o->first; g; g = g->next)
        g->lr = lr;
}

/* Every config begins with its rate. */
void tg_optim_scale_lr(tg_optim *o, double factor) {
    if (open_optim(o, "optim_scale_lr") || !tg_optim_at_least_0(o->tape, o->kind->name, "the factor of lr", factor))
        return;
    for (tg_group *g = o->first; g; g = g->next)
        g->lr = factor * g->config.sgd.lr;
}

double tg_optim_group_lr(const tg_optim *o, int group) {
    const tg_group *g = o && group >= 0 ? o->first : NULL;
    for (; g && group > 0; group--)
        g = g->next;
    return g ? g->lr : NAN;
}

double tg_optim_lr(const tg_optim *o) { return o ? o->first->lr : NAN; }
