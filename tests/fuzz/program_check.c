/* One program computed in several ways, which must agree: programs.c lists them. */
#include "core/kernels/isa.h"
#include "tests/fuzz/program.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define USUAL_NOISE 0x1p-22 /* a few times the rounding of float32 */

/* ---- comparing ---- */

/* How far each number may move for reasons of rounding: what noise does to the program. */
typedef struct bars {
    double value[MAX_STEPS], grad[MAX_STEPS];
} bars;

static double distance(const double *a, const double *b, int64_t n) {
    double most = 0;
    for (int64_t i = 0; i < n && a && b; i++)
        if (!(isnan(a[i]) && isnan(b[i])) && a[i] != b[i])
            most = fmax(most, isfinite(a[i] - b[i]) ? fabs(a[i] - b[i]) : (double)INFINITY);
    return most;
}

static double largest(const double *a, int64_t n) {
    double most = 0;
    for (int64_t i = 0; i < n && a; i++)
        most = fmax(most, fabs(a[i]));
    return most;
}

static bool same_numbers(const char *what, const char *name, int i, const double *a, const double *b, int64_t n,
                         double bar, char *why) {
    for (int64_t j = 0; j < n && (a || b); j++) {
        double u = a ? a[j] : 0, v = b ? b[j] : 0;
        if (u == v || (isnan(u) && isnan(v)) || fabs(u - v) <= bar)
            continue;
        snprintf(why, REASON, "%s: %s of x%d differs at %lld: %.17g, expected %.17g within %.3g", name, what, i,
                 (long long)j, u, v, bar);
        return false;
    }
    return true;
}

/* scale * bars + floor * the largest number; both 0: the same in every bit */
static bool agree(const char *name, const outcome *a, const outcome *b, const bars *bar, double scale, double floor,
                  char *why) {
    for (int i = 0; i < a->n; i++) {
        int64_t n = a->n_values[i];
        if (n != b->n_values[i] || (a->dtype[i] != b->dtype[i] && (a->dtype[i] >= TG_I64 || b->dtype[i] >= TG_I64))) {
            snprintf(why, REASON, "%s: x%d has another shape or dtype", name, i);
            return false;
        }
        bool discrete = b->dtype[i] >= TG_I64;
        if (bar && discrete && !same_numbers("value", name, i, a->value[i], b->value[i], n, 0, why))
            return true; /* a decision that rounding may change: what follows says nothing */
        double most = bar ? scale * bar->value[i] + floor * (1 + largest(b->value[i], n)) : 0;
        if (!same_numbers("value", name, i, a->value[i], b->value[i], n, most, why))
            return false;
    }
    for (int i = a->n - 1; i >= 0; i--) {
        int64_t n = a->n_values[i];
        double most = bar ? scale * bar->grad[i] + floor * (1 + largest(b->grad[i], n)) : 0;
        if (!bar && !a->grad[i] != !b->grad[i]) {
            snprintf(why, REASON, "%s: x%d has %s gradient", name, i, a->grad[i] ? "a" : "no");
            return false;
        }
        if (!same_numbers("gradient", name, i, a->grad[i], b->grad[i], n, most, why))
            return false;
    }
    return true;
}

/* bar: how far noise moves the program, composed or not, from what it is without. */
static bool estimate(const program *p, double noise, bool composed, int draws, bars *bar, char *why) {
    store still = {.n = 0};
    outcome from;
    variant v = {.name = "with noise", .dtype = TG_F64, .composed = composed, .undropped = composed};
    memset(bar, 0, sizeof *bar);
    bool good = run(p, &v, &still, &from, why, REASON);
    v.noise = noise;
    for (int k = 0; k < draws && good; k++) {
        store numbers = {.n = 0};
        outcome o;
        v.random = p->seed * 31 + (uint64_t)k;
        good = run(p, &v, &numbers, &o, why, REASON);
        for (int i = 0; good && i < p->n; i++) {
            bar->value[i] = fmax(bar->value[i], distance(o.value[i], from.value[i], o.n_values[i]));
            bar->grad[i] = fmax(bar->grad[i], distance(o.grad[i], from.grad[i], o.n_values[i]));
        }
        store_clear(&numbers);
    }
    store_clear(&still);
    return good;
}

/* ---- checks: true when all is well ---- */

typedef struct subject {
    const program *p;
    outcome base;
    bars bar;
} subject;

static bool bitwise(const subject *s, variant v, char *why) {
    store numbers = {.n = 0};
    outcome o;
    bool good = run(s->p, &v, &numbers, &o, why, REASON) && agree(v.name, &o, &s->base, NULL, 0, 0, why);
    if (good && o.hook_calls != s->base.hook_calls) {
        snprintf(why, REASON, "%s: %d calls of hooks, expected %d", v.name, o.hook_calls, s->base.hook_calls);
        good = false;
    }
    store_clear(&numbers);
    return good;
}

/* Under no_grad the same values, and no gradient anywhere. */
static bool no_grad_agrees(const subject *s, char *why) {
    store numbers = {.n = 0};
    outcome o;
    variant v = {.name = "no_grad", .dtype = TG_F64, .no_grad = true};
    bool good = run(s->p, &v, &numbers, &o, why, REASON);
    for (int i = 0; good && i < o.n; i++) {
        good = same_numbers("value", v.name, i, o.value[i], s->base.value[i], o.n_values[i], 0, why);
        if (good && o.grad[i]) {
            snprintf(why, REASON, "%s: x%d has a gradient", v.name, i);
            good = false;
        }
    }
    store_clear(&numbers);
    return good;
}

/* A number near a kink may fall on either side: before that counts, noise is given many chances to show it. What
 * cancels within one operation (in attention, gradients of weights of equal values) noise on results does not see: then
 * it is on the weights of the composed one as well. */
static bool close_enough(subject *s, variant v, double noise, double floor, char *why) {
    store numbers = {.n = 0};
    outcome o;
    bars bar;
    bool good = run(s->p, &v, &numbers, &o, why, REASON);
    bool near = good && agree(v.name, &o, &s->base, &s->bar, 40 * noise / USUAL_NOISE, floor, why);
    for (int composed = 0; composed < 2 && good && !near; composed++) {
        good = estimate(s->p, noise, composed, 40, &bar, why);
        near = good && agree(v.name, &o, &s->base, &bar, 40, floor, why);
    }
    store_clear(&numbers);
    return near;
}

static bool instruction_sets_agree(subject *s, char *why) {
    const tg_isa *usual = tg_isa_now();
    bool good = true;
    for (int i = 0; tg_isa_at(i) && good; i++) {
        tg_isa_use(tg_isa_at(i));
        good = close_enough(s, (variant){.name = tg_isa_at(i)->name, .dtype = TG_F32}, USUAL_NOISE, 2e-4, why) &&
               close_enough(s, (variant){.name = tg_isa_at(i)->name, .dtype = TG_F64}, 0x1p-46, 1e-11, why);
    }
    tg_isa_use(usual);
    return good;
}

static bool threads_agree(const subject *s, tg_dtype dtype, char *why) {
    store numbers = {.n = 0};
    outcome one, many;
    bool good = true;
    for (int n = 1; n <= 3 && good; n++) {
        variant v = {.name = n == 2 ? "2 threads" : "3 threads", .dtype = dtype};
        tg_set_threads(n);
        good = run(s->p, &v, &numbers, n == 1 ? &one : &many, why, REASON) &&
               (n == 1 || agree(v.name, &many, &one, NULL, 0, 0, why));
    }
    tg_set_threads(1);
    store_clear(&numbers);
    return good;
}

/* The program with other numbers in its leaves. */
static program moved(const program *p, store *numbers) {
    program q = *p;
    for (int i = 0; i < q.n; i++) {
        step *s = &q.step[i];
        if (kinds[s->kind].form != LEAF || kinds[s->kind].special != LEAF_FLOAT)
            continue;
        double *values = store_get(numbers, s->n);
        for (int64_t j = 0; j < s->n; j++)
            values[j] = s->values[j] * (1 + 0x1p-10);
        s->values = values;
    }
    return q;
}

static bool write_leaves(session *s, const program *q) {
    for (int i = 0; i < q->n; i++)
        if (kinds[q->step[i].kind].form == LEAF && kinds[q->step[i].kind].special == LEAF_FLOAT &&
            tg_write_doubles(s->x[i], q->step[i].values, q->step[i].n))
            return false;
    return true;
}

static bool replay_with(session *s, const program *q) {
    tg_zero_grads(s->t);
    tg_manual_seed(s->t, q->seed);
    s->hook_calls = 0;
    return write_leaves(s, q) && tg_replay(s->t, s->from) == TG_OK && backward(s);
}

static bool replay_agrees(const subject *s, char *why) {
    store numbers = {.n = 0};
    session one;
    outcome fresh, again, back;
    variant v = {.name = "replay", .dtype = TG_F64, .flat = s->p->seed % 2};
    program q = moved(s->p, &numbers);
    variant other = {.name = "fresh recording of other numbers", .dtype = TG_F64, .leaves = &q};
    bool good = record(&one, s->p, &v) && backward(&one) && replay_with(&one, &q) &&
                read_outcome(&one, &numbers, &again) && replay_with(&one, s->p) && read_outcome(&one, &numbers, &back);
    if (!good)
        snprintf(why, REASON, "replay: %s", one.wrong_block ? one.wrong_block : tg_error(one.t));
    tg_tape_free(one.t);
    good = good && run(s->p, &other, &numbers, &fresh, why, REASON) &&
           agree("replay with other numbers", &again, &fresh, NULL, 0, 0, why) &&
           agree("replay with the first numbers again", &back, &s->base, NULL, 0, 0, why);
    store_clear(&numbers);
    return good;
}

static bool twice_is_double(const subject *s, char *why) {
    store numbers = {.n = 0};
    session one;
    outcome o;
    variant v = {.name = "backward twice", .dtype = TG_F64, .flat = s->p->seed % 2};
    bool good = record(&one, s->p, &v) && backward(&one) && backward(&one) && read_outcome(&one, &numbers, &o);
    if (!good)
        snprintf(why, REASON, "backward twice: %s", one.wrong_block ? one.wrong_block : tg_error(one.t));
    tg_tape_free(one.t);
    for (int i = 0; good && i < o.n; i++)
        for (int64_t j = 0; j < o.n_values[i] && o.grad[i]; j++)
            o.grad[i][j] /= kinds[s->p->step[i].kind].form == LEAF ? 2 : 1;
    good = good && agree(v.name, &o, &s->base, &s->bar, 0x1p-20, 1e-11, why);
    store_clear(&numbers);
    return good;
}

/* ---- differences ---- */

static double loss_at(const subject *s, program *q, int leaf, int64_t j, double value, bool *good, char *why) {
    store numbers = {.n = 0};
    outcome o = {.loss = NAN};
    program p = *q;
    double *values = store_get(&numbers, p.step[leaf].n);
    memcpy(values, p.step[leaf].values, (size_t)p.step[leaf].n * sizeof *values);
    values[j] = value;
    p.step[leaf].values = values;
    session one;
    variant v = {.name = "differences", .dtype = TG_F64, .frozen = &s->base, .leaves = &p};
    *good = *good && record(&one, s->p, &v);
    if (*good)
        o.loss = tg_item(one.loss);
    else
        snprintf(why, REASON, "differences: %s", tg_error(one.t));
    tg_tape_free(one.t);
    store_clear(&numbers);
    return o.loss;
}

static bool element_agrees(const subject *s, int leaf, int64_t j, char *why) {
    program q = *s->p;
    bool good = true;
    double x = q.step[leaf].values[j], h = 1e-5, f0 = loss_at(s, &q, leaf, j, x, &good, why);
    double f[4], steps[] = {h, -h, 2 * h, -2 * h};
    for (int i = 0; i < 4; i++)
        f[i] = loss_at(s, &q, leaf, j, x + steps[i], &good, why);
    if (!good)
        return false;
    double near = (f[0] - f[1]) / (2 * h), far = (f[2] - f[3]) / (4 * h), got = s->base.grad[leaf][j];
    double sides = fabs((f[0] - f0) / h - (f0 - f[1]) / h), size = 1 + fabs(near);
    if (sides > 1e-2 * size) /* a kink, or nearly one */
        return true;
    /* in a slight corner the gradient may be that of either side */
    double bar = 1e-5 * size + 10 * fabs(near - far) + 0.51 * sides + 1e-10 * fabs(f0) / h;
    if (fabs(got - near) <= bar)
        return true;
    snprintf(why, REASON, "differences: gradient of x%d at %lld is %.12g, differences give %.12g within %.2g", leaf,
             (long long)j, got, near, bar);
    return false;
}

/* Where two numbers are equal their gradient is shared, and differences cannot see it. */
static bool may_tie(const program *p, double x) {
    static const char *const names[] = {"maximum", "minimum",      "amax", "amin", "max_dim", "min_dim",
                                        "sort",    "clamp_tensor", "topk", "norm", "eq",      "ne",
                                        "lt",      "le",           "gt",   "ge"};
    bool has_one = false;
    for (int i = 0; i < p->n; i++)
        for (size_t k = 0; k < sizeof names / sizeof *names; k++)
            has_one |= strcmp(kinds[p->step[i].kind].name, names[k]) == 0;
    return has_one && x * 4 == floor(x * 4);
}

/* Three values close together pass one another within a step, and both sides of it can agree on another slope. */
static bool sorts(const program *p) {
    bool any = false;
    for (int i = 0; i < p->n; i++)
        any |= kinds[p->step[i].kind].special == SORT || kinds[p->step[i].kind].special == TOPK;
    return any;
}

static bool differences_agree(const subject *s, uint64_t *random, char *why) {
    int left = sorts(s->p) ? 0 : 6;
    for (int i = 0; i < s->p->n && left > 0; i++) {
        if (kinds[s->p->step[i].kind].form != LEAF || !s->base.grad[i] || s->base.n_values[i] == 0)
            continue;
        for (int k = 0; k < 2; k++, left--) {
            int64_t j = (int64_t)(mix(random) % (uint64_t)s->base.n_values[i]);
            if (!may_tie(s->p, s->p->step[i].values[j]) && !element_agrees(s, i, j, why))
                return ties_stay(s->p);
        }
    }
    return true;
}

/* For the gradient checker a detached result is a mistake, and so is a changed gradient. */
static bool is_cut(const program *p) {
    bool cut = false;
    for (int i = 0; i < p->n; i++) {
        const step *s = &p->step[i];
        cut |= s->no_grad || s->hook || s->freeze_late || strcmp(kinds[s->kind].name, "detach") == 0;
    }
    return cut;
}

static bool checker_agrees(const subject *s, char *why) {
    if (is_cut(s->p))
        return true;
    session one;
    variant v = {.name = "gradcheck", .dtype = mix(&(uint64_t){s->p->seed}) % 2 ? TG_F32 : TG_F64};
    static tg_gradcheck_result result;
    bool good = record(&one, s->p, &v);
    if (good && tg_requires_grad(one.loss) && tg_gradcheck(one.loss, TG_GRADCHECK_DEFAULTS, &result) &&
        tg_tape_status(one.t) == TG_ERR_NUMERIC && result.verdict == TG_GRAD_WRONG)
        good = false;
    if (!good)
        snprintf(why, REASON, "gradcheck: %s", tg_error(one.t));
    tg_tape_free(one.t);
    return good;
}

/* ---- errors ---- */

/* An allocator that refuses one call, and anything huge; it counts what is out. */
typedef struct purse {
    int64_t out;
    int left;
} purse;
static void *purse_alloc(void *context, size_t size) {
    purse *p = context;
    if (size > (size_t)1 << 28 || p->left-- == 0)
        return NULL;
    p->out += (int64_t)size;
    return malloc(size);
}
static void purse_free(void *context, void *block, size_t size) {
    ((purse *)context)->out -= (int64_t)size;
    free(block);
}

static bool refused_well(const subject *s, uint64_t *random, char *why) {
    purse money = {.left = (int)(mix(random) % 24)};
    tg_allocator allocator = {purse_alloc, purse_free, &money};
    store numbers = {.n = 0};
    session one;
    outcome o;
    variant v = {.name = "one allocation refused", .dtype = TG_F64, .flat = mix(random) % 2, .allocator = &allocator};
    bool made = record(&one, s->p, &v) && backward(&one), good = true;
    why[0] = '\0';
    if (made)
        good = read_outcome(&one, &numbers, &o) && agree(v.name, &o, &s->base, NULL, 0, 0, why);
    if (!good && one.t && tg_tape_status(one.t) == TG_ERR_MEMORY)
        made = false;
    if (!made && one.t && tg_tape_status(one.t) != TG_ERR_MEMORY)
        snprintf(why, REASON, "%s: status %d: %s", v.name, (int)tg_tape_status(one.t), tg_error(one.t));
    else if (!made)
        why[0] = '\0';
    tg_tape_free(one.t);
    if (money.out)
        snprintf(why, REASON, "%s: %lld bytes not given back", v.name, (long long)money.out);
    store_clear(&numbers);
    return !why[0];
}

/* What has no memory may be a part of the call. */
static bool says_its_name(const step *st, tg_status status, const char *error) {
    const op_kind *k = &kinds[st->kind];
    char first[64];
    snprintf(first, sizeof first, "%.*s", (int)strcspn(error, ":"), error);
    return first[0] && !strchr(error, '\n') &&
           (status == TG_ERR_MEMORY || strcmp(first, k->name) == 0 ||
            (k->error_names && strstr(k->error_names, first)));
}

static bool wild_call(session *s, choices *c, const tg_tensor *x, int n, char *why) {
    step wild = wild_step(c, n);
    tg_mark mark = tg_tape_mark(s->t);
    tg_tensor y = run_step(s->t, &wild, x);
    if (tg_tape_status(s->t) && (!tg_is_null(y) || !says_its_name(&wild, tg_tape_status(s->t), tg_error(s->t)))) {
        snprintf(why, REASON, "wild call: %s says: '%s'", kinds[wild.kind].name, tg_error(s->t));
        return false;
    }
    tg_clear_error(s->t);
    return tg_tape_rewind(s->t, mark) == TG_OK;
}

/* Among the operands are a stale tensor and one of another tape. */
static bool wild_calls_are_refused(const subject *s, uint64_t *random, char *why) {
    purse money = {.left = -1};
    tg_allocator allocator = {purse_alloc, purse_free, &money};
    variant v = {.name = "wild calls", .dtype = mix(random) % 2 ? TG_F64 : TG_F32, .allocator = &allocator};
    store numbers = {.n = 0};
    session one;
    outcome before, after;
    tg_tape *other = tg_tape_new_with(TG_F64, &allocator);
    tg_tensor x[MAX_STEPS + 2];
    bool good = record(&one, s->p, &v) && backward(&one) && read_outcome(&one, &numbers, &before);
    if (!good)
        snprintf(why, REASON, "%s: %s", v.name, tg_error(one.t));
    memcpy(x, one.x, (size_t)s->p->n * sizeof *x);
    tg_mark mark = tg_tape_mark(one.t);
    x[s->p->n] = tg_scalar(one.t, 1);
    x[s->p->n + 1] = tg_scalar(other, 1);
    good = good && tg_tape_rewind(one.t, mark) == TG_OK;
    choices c = {.random = mix(random)};
    for (int k = 0; k < 60 && good; k++)
        good = wild_call(&one, &c, x, s->p->n + 2, why);
    if (good && !read_outcome(&one, &numbers, &after)) {
        snprintf(why, REASON, "after wild calls: %s", tg_error(one.t));
        good = false;
    }
    good = good && agree("after wild calls", &after, &before, NULL, 0, 0, why);
    tg_tape_free(one.t);
    tg_tape_free(other);
    store_clear(&numbers);
    return good;
}

/* ---- a program ---- */

static bool all_agree(subject *s, char *why) {
    uint64_t random = s->p->seed;
    bool often = mix(&random) % 4 == 0, small = !s->p->large;
    return bitwise(s, (variant){.name = "a second run", .dtype = TG_F64}, why) &&
           bitwise(s, (variant){.name = "rewound", .dtype = TG_F64, .rewinds = true, .random = random}, why) &&
           bitwise(s, (variant){.name = "anomaly mode", .dtype = TG_F64, .anomaly = true}, why) &&
           bitwise(s, (variant){.name = "checkpoints", .dtype = TG_F64, .scopes = true}, why) &&
           bitwise(s, (variant){.name = "flat", .dtype = TG_F64, .flat = true, .random = random}, why) &&
           bitwise(s, (variant){.name = "flat, checkpoints", .dtype = TG_F64, .flat = true, .scopes = true}, why) &&
           estimate(s->p, USUAL_NOISE, false, 3, &s->bar, why) && twice_is_double(s, why) &&
           close_enough(s, (variant){.name = "copies", .dtype = TG_F64, .copies = true}, 0x1p-46, 1e-11, why) &&
           close_enough(s, (variant){.name = "composed", .dtype = TG_F64, .composed = true}, 0x1p-46, 1e-11, why) &&
           close_enough(s,
                        (variant){.name = "composed, checkpoints", .dtype = TG_F64, .composed = true, .scopes = true},
                        0x1p-46, 1e-11, why) &&
           close_enough(s, (variant){.name = "float32", .dtype = TG_F32}, USUAL_NOISE, 2e-4, why) &&
           replay_agrees(s, why) && no_grad_agrees(s, why) && (!often || instruction_sets_agree(s, why)) &&
           (small || threads_agree(s, TG_F32, why)) && (!often || threads_agree(s, TG_F64, why)) &&
           (!small || (differences_agree(s, &random, why) && second_agrees(s->p, why))) &&
           (!small || !often || checker_agrees(s, why)) && refused_well(s, &random, why) &&
           wild_calls_are_refused(s, &random, why);
}

bool check_program(const program *p, char *why) {
    static subject s;
    store numbers = {.n = 0};
    variant v = {.name = "the program", .dtype = TG_F64};
    s.p = p;
    bool good = run(p, &v, &numbers, &s.base, why, REASON) && all_agree(&s, why);
    store_clear(&numbers);
    return good;
}
