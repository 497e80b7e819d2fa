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
    tg_copy_out(e->x, leaf->analytic + e->x->goffset, e->x->gstride, whole);
    return true;
}

/* Another dy. */
static tg_status draw_cotangent(tg_checker *c) {
    for (int64_t j = 0; j < c->y->numel; j++)
        c->cotangent[j] = tg_checker_random(c);
    return tg_write_doubles(c->v, c->cotangent, c->y->numel);
}

/* ---- is there never a gradient from some element on? ---- */

/* A leaf's numbers in another order, and each moved by its own size. */
static void shuffle(tg_checker *c, const tg_check_leaf *leaf, bool move) {
    double *x = leaf->x->data;
    for (int64_t i = leaf->x->numel - 1; i > 0; i--) {
        int64_t k = (int64_t)(tg_rng_double(&c->rng) * (double)(i + 1));
        double first = x[i];
        x[i] = x[k];
        x[k] = first;
    }
    for (int64_t i = 0; i < leaf->x->numel && move; i++)
        x[i] += fmax(fabs(x[i]), leaf->scale) * tg_checker_random(c);
}

/* The gradient there; false where the operation refuses it. */
static bool run_shuffled(tg_suspect *s, const tg_node *x, bool move, double *g) {
    tg_checker *c = &s->c;
    for (int i = 0; i < c->n_leaves; i++)
        shuffle(c, &c->leaf[i], move);
    tg_zero_grads(c->t);
    if (tg_checker_run_forward(c) || tg_backward_with(tg_handle(c->y), c->v))
        return false;
    memset(g, 0, (size_t)x->numel * sizeof *g);
    if (x->gowner->has_grad)
        tg_copy_out(x, tg_grad_elements(x), x->gstride, g);
    return true;
}

/* What is 0 here may be so for these numbers alone: x < -1, a margin that is not there. In another order, or moved,
 * they show it. */
static bool is_ever_there(tg_suspect *s, const tg_node *x, int64_t begin, double *g) {
    enum { ORDERS = 16 };
    bool there = false;
    for (int i = 0; i < ORDERS && !there && !s->c.t->status; i++) {
        if (run_shuffled(s, x, i % 4 == 3, g))
            for (int64_t j = begin; j < x->numel; j++)
                there |= isfinite(g[j]) && g[j] != 0;
        else if (s->c.t->status != TG_ERR_MEMORY)
            tg_clear_error(s->c.t);
    }
    return there;
}

bool tg_is_never_there(tg_suspect *s, const tg_node *x, int64_t begin) {
    tg_checker *c = &s->c;
    double **own = tg_checker_memory(c, (size_t)c->n_leaves, sizeof *own), *g = tg_evidence_numbers(s, x->numel);
    for (int i = 0; i < c->n_leaves && own; i++) {
        const tg_node *leaf = c->leaf[i].x;
        own[i] = tg_evidence_numbers(s, leaf->numel);
        if (own[i])
            memcpy(own[i], leaf->data, (size_t)leaf->numel * sizeof(double));
    }
    bool never = !c->t->status && !is_ever_there(s, x, begin, g);
    for (int i = 0; i < c->n_leaves && own && own[i]; i++)
        memcpy(c->leaf[i].x->data, own[i], (size_t)c->leaf[i].x->numel * sizeof(double));
    return !c->t->status && tg_checker_run_forward(c) == TG_OK && never;
}

/* What is not computed at all, or not from the first wrong element on, is not whatever the operands. */
static bool is_lost_always(const tg_evidence *e, bool tail) {
    int64_t first = 0, begin = e->x->numel;
    while (first < e->n - 1 && tg_is_right_at(e, first))
        first++;
    while (begin && e->whole[begin - 1] == 0)
        begin--;
    return (!tail && begin) || tg_is_never_there(e->s, e->x, tail ? e->at[first] : 0);
}

/* Are all numbers of an operand the same? */
static bool is_any_level(const tg_checker *c) {
    bool any = false;
    for (int i = 0; i < c->n_leaves; i++) {
        const double *x = c->leaf[i].x->data;
        int64_t j = 1;
        while (j < c->leaf[i].x->numel && x[j] == x[0])
            j++;
        any |= j >= c->leaf[i].x->numel;
    }
    return any;
}

/* Slopes of equal numbers are equal, as those of a scale are, and at 0 may hardly change: a factor has to hold far from
 * there. */
static tg_status step_from_here(tg_checker *c, bool factor) {
    return factor && is_any_level(c) ? tg_checker_step_far(c) : tg_checker_step_aside(c);
}

/* Does it explain the numbers as well for another dy, where the operands have moved a little? Where that cannot be
 * seen: yes. */
static bool holds_aside(tg_suspect *s, const tg_evidence *here, int name, const tg_gradcheck_result *r) {
    tg_evidence e;
    int operand = here->operand;
    tg_gradcheck_result aside = {.factor = r->factor};
    bool tail = names[name] == tg_name_tail;
    if ((tail || names[name] == tg_name_zero) && !is_lost_always(here, tail))
        return false;
    if (draw_cotangent(&s->c) || step_from_here(&s->c, r->factor != 0) || !collect(&e, s, operand) ||
        !tg_collect_evidence(&e)) {
        tg_clear_error(s->c.t);
        return true;
    }
    return names[name](&e, &aside) && aside.mistake == r->mistake &&
           (r->factor == 0 || fabs(aside.factor - r->factor) <= 1e-6 * fabs(r->factor));
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

static void say_tied(const tg_checker *c, tg_gradcheck_result *r) {
    const tg_tied *t = &c->tied;
    tg_say(
        r, TG_MISTAKE_UNKNOWN,
        "elements %s (%lld of them, %s = %.6g): moved together%s they change %s by %.6g, their gradients add up to %.6g",
        t->equal ? "that are equal" : "of equal size", (long long)t->n, t->equal ? "x" : "|x|",
        t->equal ? t->x : fabs(t->x), t->equal ? "" : ", away from 0,", c->y->numel == 1 ? "y" : "sum(v y)", t->numeric,
        t->analytic);
}

static void diagnose(tg_suspect *s, int operand, tg_gradcheck_result *r) {
    tg_evidence e;
    tg_gradcheck_result unnamed = *r, unknown = *r;
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
    if (e.at_kinks && !tg_checker_step_aside(&s->c)) { /* ties break; what is right there is described as it is here */
        found = collect(&e, s, operand) && tg_collect_evidence(&e);
        if (found && (!shown || tg_is_any_wrong(&e)))
            tg_describe_unknown(&e, &unknown);
    }
    tg_clear_error(s->c.t);
    if (!found) {
        *r = unknown;
        return;
    }
    int name = find_name(&e, 0, r);
    while (name >= 0 && !holds_aside(s, &e, name, r)) { /* dy where 3 dy belongs is a third of it, here */
        *r = unnamed;
        name = collect(&e, s, operand) && tg_collect_evidence(&e) ? find_name(&e, name + 1, r) : -1;
        tg_clear_error(s->c.t);
    }
    if (name < 0)
        *r = unknown;
}

/* Where elements tie the numbers around may be right. */
void tg_diagnose(tg_suspect *s, int operand, tg_gradcheck_result *r) {
    diagnose(s, operand, r);
    if (s->c.tied.n && (r->mistake == TG_MISTAKE_UNKNOWN || r->mistake == TG_MISTAKE_NONE))
        say_tied(&s->c, r);
}

/* ---- from the rows of the whole check alone ---- */

/* Is an element that is not 0 right beside a wrong one, or at a kink? */
static bool is_leaf_half_right(const tg_gradcheck_result *r) {
    bool half = false;
    for (int i = 0; i < r->n_rows; i++)
        for (int k = 0; k < r->n_rows; k++)
            half |= r->row[i].verdict == TG_GRAD_WRONG && r->row[k].verdict != TG_GRAD_WRONG &&
                    r->row[k].analytic != 0 && !strcmp(r->row[i].leaf, r->row[k].leaf);
    return half;
}

void tg_diagnose_rows(tg_gradcheck_result *r) {
    double factor = 0;
    int wrong = 0;
    for (int i = 0; i < r->n_rows; i++) {
        const tg_gradcheck_row *row = &r->row[i];
        if (row->verdict != TG_GRAD_WRONG)
            continue;
        double ratio = row->analytic / row->numeric;
        if (!isfinite(ratio) || (wrong++ && !(fabs(ratio - factor) <= 1e-5 * fmax(fabs(factor), 1))))
            return;
        factor = ratio;
    }
    if (wrong < 2 || is_leaf_half_right(r))
        return;
    if (fabs(factor) < 1e-9)
        tg_say(r, TG_MISTAKE_ZERO, "constant zero, at a kink of %s", r->op);
    else if (tg_near(factor, -1))
        tg_say(r, TG_MISTAKE_SIGN, "the sign is flipped, at a kink of %s", r->op);
    else
        tg_say(r, TG_MISTAKE_UNKNOWN, "%g times the right gradient, at a kink of %s", factor, r->op);
    r->factor = r->mistake == TG_MISTAKE_UNKNOWN ? 0 : factor;
}
