/* Second and third derivatives of random programs: against differences of the derivative below, replayed and recorded
 * afresh, through checkpoint scopes, with an allocation refused. */
#include "tests/fuzz/program.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { DIRECTIONS = 2 };

/* A program without hooks, which recorded gradients pass by, a little aside from where kinks meet (|x^2| at 0). The
 * leaves' numbers lie one behind the other. */
typedef struct second {
    program p;
    outcome base;
    store numbers;
    int leaf[MAX_STEPS], n;
    int64_t total;
    double *along[DIRECTIONS];
} second;

/* The leaves at x + h d, d a direction. */
static program moved_along(second *s, int d, double h) {
    program q = s->p;
    const double *v = s->along[d];
    for (int k = 0; k < s->n; k++) {
        step *st = &q.step[s->leaf[k]];
        double *values = store_get(&s->numbers, st->n);
        for (int64_t j = 0; j < st->n; j++)
            values[j] = st->values[j] + h * v[j];
        st->values = values;
        v += st->n;
    }
    return q;
}

static bool open_second(second *s, const program *p, char *why) {
    *s = (second){.p = *p};
    uint64_t random = p->seed + 99;
    for (int i = 0; i < p->n; i++) {
        const step *st = &s->p.step[i];
        s->p.step[i].hook = false;
        if (kinds[st->kind].special == LEAF_FLOAT && kinds[st->kind].form == LEAF && st->requires_grad &&
            !st->freeze_late && st->n) {
            s->leaf[s->n++] = i;
            s->total += st->n;
        }
    }
    for (int k = 0; k < DIRECTIONS; k++) {
        s->along[k] = store_get(&s->numbers, s->total);
        for (int64_t j = 0; j < s->total; j++)
            s->along[k][j] = (double)(mix(&random) >> 11) * 0x1p-52 - 1;
    }
    s->p = moved_along(s, 0, 0x1p-8);
    return run(&s->p, &(variant){.name = "a little aside", .dtype = TG_F64}, &s->numbers, &s->base, why, REASON);
}

/* The first derivative by backward; H v for the first direction v; the derivative of <H v, u> for the second, u. */
static bool derive(session *one, const second *s, int order, tg_tensor *dx) {
    tg_tensor x[MAX_STEPS], d[DIRECTIONS][MAX_STEPS], sum = tg_scalar(one->t, 0);
    for (int i = 0, at = 0; i < s->n; at += (int)s->p.step[s->leaf[i++]].n) {
        x[i] = one->x[s->leaf[i]];
        for (int k = 0; k < DIRECTIONS; k++)
            d[k][i] = tg_from_doubles(one->t, tg_shape_of(x[i]), s->along[k] + at);
    }
    if (order == 1) {
        tg_zero_grads(one->t);
        if (!backward(one))
            return false;
        for (int i = 0; i < s->n; i++)
            dx[i] = tg_grad(x[i]);
        return tg_tape_status(one->t) == TG_OK;
    }
    if (tg_hvp(one->loss, x, d[0], s->n, dx) || order == 2)
        return tg_tape_status(one->t) == TG_OK;
    for (int i = 0; i < s->n; i++)
        sum = tg_add(sum, tg_sum(tg_mul(dx[i], d[1][i]), TG_ALL_DIMS, false));
    return tg_gradients(sum, TG_NULL, x, s->n, dx) == TG_OK;
}

static bool read_all(const second *s, const tg_tensor *dx, double *out) {
    bool good = true;
    for (int i = 0; i < s->n && good; i++) {
        good = tg_read_doubles(dx[i], out, tg_numel(dx[i])) == TG_OK;
        out += tg_numel(dx[i]);
    }
    return good;
}

static bool fails(tg_tape *t, const char *name, char *why) {
    snprintf(why, REASON, "%s: %.600s", name, tg_error(t));
    tg_tape_free(t);
    return false;
}

/* The derivative of this order of the program with the leaves of q. What no gradient flows through stays what it is at
 * x, unless the program is x's own. */
static bool derivative_of(second *s, const program *q, int order, double *out, char *why) {
    session one;
    tg_tensor dx[MAX_STEPS];
    variant v = {.name = "second", .dtype = TG_F64, .frozen = q == &s->p ? NULL : &s->base, .leaves = q};
    if (!record(&one, &s->p, &v) || !derive(&one, s, order, dx) || !read_all(s, dx, out))
        return fails(one.t, order == 3 ? "third derivative" : order == 2 ? "second derivative" : "gradient", why);
    tg_tape_free(one.t);
    return true;
}

/* ---- differences ---- */

static double largest(const double *x, int64_t n) {
    double most = 0;
    for (int64_t i = 0; i < n; i++)
        most = isfinite(x[i]) ? fmax(most, fabs(x[i])) : INFINITY;
    return most;
}

static int by_size(const void *a, const void *b) {
    double u = fabs(*(const double *)a), v = fabs(*(const double *)b);
    return (u > v) - (u < v);
}

/* Whether two of the numbers that it compares are equal up to rounding, whatever their signs, or one is 0. */
static bool is_at_corner(const step *st, const outcome *base) {
    int64_t n = 1;
    for (int k = 0; k < st->n_in; k++)
        n += base->n_values[st->in[k]];
    double *all = calloc((size_t)n, sizeof *all), *end = all + 1;
    if (!all)
        abort();
    for (int k = 0; k < st->n_in; end += base->n_values[st->in[k++]])
        memcpy(end, base->value[st->in[k]], (size_t)base->n_values[st->in[k]] * sizeof *all);
    qsort(all, (size_t)n, sizeof *all, by_size);
    bool equal = false;
    for (int64_t i = 1; i < n && !equal; i++)
        equal = fabs(all[i]) - fabs(all[i - 1]) <= 1e-9 * (1 + fabs(all[i]));
    free(all);
    return equal;
}

/* x, a copy that no gradient flows through and one with twice the gradient are equal where x is, and nowhere else.
 * Numbers of leaves that are equal by chance are so no more a little aside. */
static bool copies_tie(const program *p, const outcome *base) {
    bool ties = false, copies = false;
    for (int i = 0; i < p->n; i++)
        copies |= p->step[i].no_grad || p->step[i].hook || strcmp(kinds[p->step[i].kind].name, "detach") == 0;
    for (int i = 0; i < p->n && copies && !ties; i++)
        ties = kinds[p->step[i].kind].traits & CORNERS && is_at_corner(&p->step[i], base);
    return ties;
}

bool ties_stay(const program *p) {
    second s;
    char why[REASON];
    bool ties = open_second(&s, p, why) && copies_tie(p, &s.base);
    store_clear(&s.numbers);
    return ties;
}

/* Where both sides agree, and a step with half of it. */
static bool differences_agree(second *s, int order, char *why) {
    static const double steps[] = {1, -1, 0.5, -0.5};
    double *got = store_get(&s->numbers, s->total), *at = store_get(&s->numbers, s->total), *f[4], h = 1e-4;
    if (!derivative_of(s, &s->p, order, got, why) || !derivative_of(s, &s->p, order - 1, at, why))
        return false;
    for (int i = 0; i < 4; i++) {
        program q = moved_along(s, order - 2, h * steps[i]);
        f[i] = store_get(&s->numbers, s->total);
        if (!derivative_of(s, &q, order - 1, f[i], why))
            return false;
    }
    double most = largest(got, s->total), change = 0, kink = 0;
    for (int64_t j = 0; j < s->total; j++) {
        double wide = (f[0][j] - f[1][j]) / (2 * h), near = (f[2][j] - f[3][j]) / h;
        if (!isfinite(wide) || !isfinite(near))
            return true;
        change = fmax(change, fabs(wide - near));
        kink = fmax(kink, fabs(f[0][j] - 2 * at[j] + f[1][j]) / h);
        most = fmax(most, fabs(near));
    }
    if (!(change <= 1e-3 * (1 + most)) || !(kink <= 0.05 * (1 + most))) /* not smooth, or not seen */
        return true;
    for (int64_t j = 0; j < s->total; j++) { /* a corner of its own, where |x|^3 has its third derivative at 0 */
        double near = (f[2][j] - f[3][j]) / h, corner = fabs(f[0][j] - 2 * at[j] + f[1][j]) / h;
        double bar = 4 * change + corner + 1e-6 * (1 + most);
        if (fabs(got[j] - near) <= bar)
            continue;
        snprintf(why, REASON, "derivative %d: number %lld is %.17g, differences give %.17g within %.2g", order,
                 (long long)j, got[j], near, bar);
        return false;
    }
    return true;
}

/* ---- ways to the same numbers ---- */

static bool same_bits(const char *name, const double *a, const double *b, int64_t n, char *why) {
    for (int64_t j = 0; j < n; j++)
        if (a[j] != b[j] && !(isnan(a[j]) && isnan(b[j]))) {
            snprintf(why, REASON, "%s: number %lld is %.17g, expected %.17g", name, (long long)j, a[j], b[j]);
            return false;
        }
    return true;
}

/* Replayed with other numbers, H v is what a recording of these gives. */
static bool replayed_agree(second *s, const double *hv, char *why) {
    session one;
    tg_tensor dx[MAX_STEPS];
    variant v = {.name = "second, replayed", .dtype = TG_F64};
    program q = moved_along(s, 1, 0x1p-6);
    double *fresh = store_get(&s->numbers, s->total), *again = store_get(&s->numbers, s->total);
    variant other = {.name = "second", .dtype = TG_F64, .leaves = &q};
    bool good = record(&one, &s->p, &other) && derive(&one, s, 2, dx) && read_all(s, dx, fresh);
    if (!good)
        return fails(one.t, v.name, why);
    tg_tape_free(one.t);
    good = record(&one, &s->p, &v) && derive(&one, s, 2, dx);
    for (int turn = 0; turn < 2 && good; turn++) {
        for (int k = 0; k < s->n && good; k++) {
            const step *st = turn ? &s->p.step[s->leaf[k]] : &q.step[s->leaf[k]];
            good = tg_write_doubles(one.x[s->leaf[k]], st->values, st->n) == TG_OK;
        }
        tg_manual_seed(one.t, s->p.seed);
        good = good && tg_replay(one.t, one.from) == TG_OK && read_all(s, dx, again);
        if (good && !same_bits(turn ? "H v, replayed back" : "H v, replayed", again, turn ? hv : fresh, s->total, why))
            return tg_tape_free(one.t), false;
    }
    if (!good)
        return fails(one.t, v.name, why);
    tg_tape_free(one.t);
    return true;
}

/* Refused, and backward works as before; or no scope was in the way. */
static bool scopes_refuse(second *s, const double *gradient, const double *hv, char *why) {
    session one;
    tg_tensor dx[MAX_STEPS];
    double *got = store_get(&s->numbers, s->total);
    variant v = {.name = "second, checkpoints", .dtype = TG_F64, .scopes = true};
    if (!record(&one, &s->p, &v))
        return fails(one.t, v.name, why);
    if (derive(&one, s, 2, dx)) {
        bool same = read_all(s, dx, got) && same_bits(v.name, got, hv, s->total, why);
        tg_tape_free(one.t);
        return same;
    }
    if (tg_tape_status(one.t) != TG_ERR_STATE || !strstr(tg_error(one.t), "checkpoint scope"))
        return fails(one.t, v.name, why);
    tg_clear_error(one.t);
    bool good = derive(&one, s, 1, dx) && read_all(s, dx, got);
    if (!good)
        return fails(one.t, v.name, why);
    tg_tape_free(one.t);
    return same_bits("gradient after a refusal", got, gradient, s->total, why);
}

/* An allocator that refuses one call. */
static void *countdown_alloc(void *context, size_t size) {
    int *left = context;
    return (*left)-- == 0 ? NULL : malloc(size);
}
static void countdown_free(void *context, void *block, size_t size) {
    (void)context, (void)size;
    free(block);
}

static bool refused_well(second *s, const double *hv, char *why) {
    int left = -1;
    uint64_t random = s->p.seed + 5;
    tg_allocator allocator = {countdown_alloc, countdown_free, &left};
    session one;
    tg_tensor dx[MAX_STEPS];
    double *got = store_get(&s->numbers, s->total);
    variant v = {.name = "second, one allocation refused", .dtype = TG_F64, .allocator = &allocator};
    if (!record(&one, &s->p, &v))
        return fails(one.t, v.name, why);
    tg_mark before = tg_tape_mark(one.t);
    left = (int)(mix(&random) % 6);
    bool good = derive(&one, s, 2, dx);
    left = -1;
    if (!good && tg_tape_status(one.t) != TG_ERR_MEMORY)
        return fails(one.t, v.name, why);
    tg_clear_error(one.t);
    good = tg_tape_rewind(one.t, before) == TG_OK && derive(&one, s, 2, dx) && read_all(s, dx, got);
    if (!good)
        return fails(one.t, v.name, why);
    tg_tape_free(one.t);
    return same_bits(v.name, got, hv, s->total, why);
}

/* How far u . H v moves with the leaves' last digits: sqrt(|x| + x) of x < 0 is what rounding leaves of 0. */
static double last_digits_move(second *s, double uhv, char *why) {
    double *hv = store_get(&s->numbers, s->total), most = 0;
    for (int i = 0; i < 16; i++) {
        program q = moved_along(s, i % 2, ((i & 2) - 1) * (1 + i / 4) * 0x1p-50);
        double moved = 0;
        if (!derivative_of(s, &q, 2, hv, why))
            return 0;
        for (int64_t j = 0; j < s->total; j++)
            moved += s->along[1][j] * hv[j];
        most = fmax(most, fabs(moved - uhv));
    }
    return most;
}

/* <g, v> is J v, and u . H v is v . H u. */
static bool products_agree(second *s, const double *gradient, const double *hv, char *why) {
    session one;
    tg_tensor x[MAX_STEPS], u[MAX_STEPS], hu[MAX_STEPS], jv;
    double *other = store_get(&s->numbers, s->total), jv_got = 0, jv_want = 0, uhv = 0, vhu = 0, size = 0, jv_size = 0;
    variant v = {.name = "second, products", .dtype = TG_F64};
    bool good = record(&one, &s->p, &v);
    for (int i = 0, at = 0; i < s->n && good; at += (int)s->p.step[s->leaf[i++]].n) {
        x[i] = one.x[s->leaf[i]];
        u[i] = tg_from_doubles(one.t, tg_shape_of(x[i]), s->along[1] + at);
    }
    good = good && tg_jvp(one.loss, x, u, s->n, &jv) == TG_OK && tg_hvp(one.loss, x, u, s->n, hu) == TG_OK &&
           read_all(s, hu, other);
    if (!good)
        return fails(one.t, v.name, why);
    jv_got = tg_item(jv);
    tg_tape_free(one.t);
    for (int64_t j = 0; j < s->total; j++) {
        jv_want += gradient[j] * s->along[1][j];
        jv_size += fabs(gradient[j] * s->along[1][j]);
        uhv += s->along[1][j] * hv[j];
        vhu += s->along[0][j] * other[j];
        size += fabs(s->along[1][j] * hv[j]) + fabs(s->along[0][j] * other[j]);
    }
    if (isfinite(jv_size) && !(fabs(jv_got - jv_want) <= 1e-8 * (1 + jv_size)))
        snprintf(why, REASON, "J v is %.17g, the gradient times v %.17g", jv_got, jv_want);
    else if (!(fabs(uhv - vhu) <= 1e-8 * (1 + size)) && !(fabs(uhv - vhu) <= 4 * last_digits_move(s, uhv, why)))
        snprintf(why, REASON, "not symmetric: u H v is %.17g, v H u %.17g", uhv, vhu);
    else
        return true;
    return false;
}

bool second_agrees(const program *p, char *why) {
    second s;
    bool good = open_second(&s, p, why);
    double *gradient = store_get(&s.numbers, s.total), *hv = store_get(&s.numbers, s.total);
    bool ties = good && copies_tie(&s.p, &s.base);
    if (good && s.n && s.total < 2000)
        good = derivative_of(&s, &s.p, 1, gradient, why) && derivative_of(&s, &s.p, 2, hv, why) &&
               (!isfinite(largest(hv, s.total)) ||
                (products_agree(&s, gradient, hv, why) && (ties || differences_agree(&s, 2, why)) &&
                 (p->seed % 4 || ties || differences_agree(&s, 3, why)) && replayed_agree(&s, hv, why) &&
                 scopes_refuse(&s, gradient, hv, why) && refused_well(&s, hv, why)));
    store_clear(&s.numbers);
    return good;
}
