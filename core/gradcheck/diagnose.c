/* What mistake gives this wrong gradient? A name is given only when it explains the numbers, here and for another dy
 * with the operands moved a little, and no simpler name does; else it is said what is known. What needs no numbers to
 * compare with (NaN, zero, overwritten, equal runs that differ) is looked at first. */
#include "core/gradcheck/check.h"

#include <stdarg.h>

bool tg_say(tg_gradcheck_result *r, tg_mistake mistake, const char *format, ...) {
    va_list args;
    va_start(args, format);
    vsnprintf(r->diagnosis, sizeof r->diagnosis, format, args);
    va_end(args);
    r->mistake = mistake;
    return true;
}

/* ---- comparing ---- */

/* What an element's gradient is made of: sums that cancel may be off by a part of their terms, and where elements mix
 * what is nothing beside the largest is rounding. */
double tg_unit_at(const tg_evidence *e, int64_t i) {
    return fmax(fmax(e->size[i], e->is_diagonal ? 0 : 1e-8 * e->largest), fmax(fabs(e->wrong[i]), fabs(e->right[i])));
}

bool tg_explains(const tg_evidence *e, const double *candidate) {
    double left = 0, damage = 0;
    for (int64_t i = 0; i < e->n; i++) {
        double unit = fmax(tg_unit_at(e, i), fabs(candidate[i])), d = fabs(e->wrong[i] - candidate[i]);
        if (unit == 0)
            continue;
        if (!(d <= 1e-5 * unit))
            return false;
        left += d / unit * (d / unit);
        damage += (e->wrong[i] - e->right[i]) / unit * ((e->wrong[i] - e->right[i]) / unit);
    }
    return damage > 0 && left <= 1e-4 * damage;
}

bool tg_is_right_at(const tg_evidence *e, int64_t i) {
    return fabs(e->wrong[i] - e->right[i]) <= 1e-7 * tg_unit_at(e, i);
}

const tg_node *tg_index_operand(const tg_evidence *e) {
    for (int k = 0; k < e->s->original->n_in; k++)
        if (e->s->x[k] && e->s->x[k]->dtype == TG_I64)
            return e->s->x[k];
    return NULL;
}

/* ---- naming ---- */

/* The simplest first. Each is defined where check.h says. */
static tg_naming *const names[] = {
    tg_name_zero,         /* 0, but for rounding */
    tg_name_factor,       /* right times -1, 2, 1/2, n, 1/n, the forward's scale */
    tg_name_no_dy,        /* sum_j J[j][k] */
    tg_name_mask,         /* dy[k] also where y does not depend on x[k] */
    tg_name_passed_on,    /* elementwise: dy[k] */
    tg_name_swapped,      /* another operand's */
    tg_name_other_mask,   /* dy[k] where another mask says so */
    tg_name_tail,         /* right up to some k, then 0 */
    tg_name_transposed,   /* right[k], its last two dims exchanged */
    tg_name_permuted,     /* right[k], dims in another order */
    tg_name_parts,        /* J[j][k] dy[j] for one slice of y, or the last j */
    tg_name_elementwise,  /* J[k][k] dy[k] */
    tg_name_off_diagonal, /* right[k] - J[k][k] dy[k] */
    tg_name_row_sum,      /* y (dy - sum dy) */
    tg_name_statistics,   /* a normalisation without the gradients of mean, variance, or both */
    tg_name_eps,          /* a normalisation with another root */
    tg_name_target,       /* p without - onehot */
    tg_name_smoothing,    /* p - onehot without smoothing */
    tg_name_product,      /* dy times an operand that is not transposed */
    tg_name_ignored_mask, /* right without the mask */
    tg_name_any_factor,   /* right times any other constant */
};
enum { N_NAMES = sizeof names / sizeof *names };

/* From this one on. What is not linear in dy is none of those that are. */
static int find_name(tg_evidence *e, int from, tg_gradcheck_result *r) {
    bool nonlinear = tg_suspect_leaf(e->s, e->x)->nonlinear;
    for (int i = from; i < N_NAMES; i++)
        if ((!nonlinear || names[i] == tg_name_no_dy) && names[i](e, r))
            return i;
    return -1;
}

static bool collect(tg_evidence *e, tg_suspect *s, int operand) {
    const tg_check_leaf *leaf = tg_suspect_leaf(s, s->x[operand]);
    double *whole = tg_evidence_numbers(s, s->x[operand]->numel);
    *e = (tg_evidence){.s = s, .x = s->x[operand], .operand = operand, .whole = whole};
    if (!leaf || !whole)
        return false;
    tg_walk w;
    tg_walk_begin(&w, e->x->ndim, e->x->size, e->x->gstride);
    for (int64_t k = 0; k < e->x->numel; k++, tg_walk_next(&w, 1))
        whole[k] = leaf->analytic[e->x->goffset + w.offset];
    return true;
}

/* Another dy. */
static tg_status draw_cotangent(tg_checker *c) {
    for (int64_t j = 0; j < c->y->numel; j++)
        c->cotangent[j] = tg_checker_random(c);
    return tg_write_doubles(c->v, c->cotangent, c->y->numel);
}

/* ---- proved a second time: another dy, the operands in another order and a quarter of their size away ---- */

static void shuffle(tg_checker *c, const tg_check_leaf *leaf) {
    double *x = leaf->x->data;
    for (int64_t i = leaf->x->numel - 1; i > 0; i--) {
        int64_t k = (int64_t)(tg_rng_double(&c->rng) * (double)(i + 1));
        double first = x[i];
        x[i] = x[k];
        x[k] = first;
    }
    for (int64_t i = 0; i < leaf->x->numel; i++)
        x[i] += (x[i] != 0 ? fabs(x[i]) : leaf->size) * tg_checker_random(c) / 4;
}

tg_status tg_move_elsewhere(tg_checker *c) {
    for (int i = 0; i < c->n_leaves; i++)
        shuffle(c, &c->leaf[i]);
    return tg_checker_run(c);
}

/* Where it cannot be seen: yes. */
static bool holds_elsewhere(tg_suspect *s, const tg_evidence *here, int name, const tg_gradcheck_result *r) {
    tg_evidence e;
    int operand = here->operand;
    tg_gradcheck_result again = {.factor = r->factor};
    if (draw_cotangent(&s->c) || tg_move_elsewhere(&s->c) || !collect(&e, s, operand) || !tg_collect_evidence(&e) ||
        !tg_is_any_wrong(&e)) {
        tg_clear_error(s->c.t);
        return true;
    }
    return names[name](&e, &again) && again.mistake == r->mistake &&
           (r->factor == 0 || fabs(again.factor - r->factor) <= 1e-6 * fabs(r->factor));
}

/* Onto no gradient it is right. */
static void say_spoilt(const tg_check_leaf *leaf, tg_gradcheck_result *r) {
    char how[64] = "changed";
    if (tg_near(leaf->kept, 2))
        snprintf(how, sizeof how, "added twice");
    else if (isfinite(leaf->kept))
        snprintf(how, sizeof how, "multiplied by %.6g", leaf->kept);
    tg_say(r, TG_MISTAKE_ACCUMULATION,
           "what the gradient held before is %s; a vjp only adds to it: element %lld held %.6g, gets "
           "%.6g and becomes %.6g, not %.6g",
           how, (long long)leaf->at, leaf->held, leaf->analytic[leaf->at], leaf->now,
           leaf->held + leaf->analytic[leaf->at]);
}

void tg_diagnose(tg_suspect *s, int operand, tg_gradcheck_result *r) {
    tg_evidence e;
    tg_gradcheck_result unnamed = *r, unknown = *r;
    tg_return(&s->c);
    if (!collect(&e, s, operand) || tg_name_runs(s, operand, e.whole, r))
        return;
    bool found = tg_collect_evidence(&e), shown = found && tg_is_any_wrong(&e);
    const tg_check_leaf *leaf = tg_suspect_leaf(s, e.x);
    if (leaf->spoilt && !shown) {
        say_spoilt(leaf, r);
        return;
    }
    tg_say(&unknown, TG_MISTAKE_UNKNOWN, "too near a kink to be compared with common mistakes");
    if (found)
        tg_describe_unknown(&e, &unknown);
    int name = found && shown ? find_name(&e, 0, r) : -1;
    while (name >= 0 && !holds_elsewhere(s, &e, name, r)) { /* dy where 3 dy belongs is a third of it, here */
        *r = unnamed;
        name = collect(&e, s, operand) && tg_collect_evidence(&e) ? find_name(&e, name + 1, r) : -1;
        tg_clear_error(s->c.t);
    }
    if (name < 0)
        *r = unknown;
}
