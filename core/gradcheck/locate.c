/* Which operation is wrong on its own: each goes alone through the same check. */
#include "core/gradcheck/check.h"

/* ---- is it wrong? ---- */

enum { ELEMENTS_TO_CHECK = 2048 };

/* When the whole gradient is right, and neither for being taken for rounding nor for kinks that meet, and the check is
 * to be fast, accumulation is looked at alone, and ties where there are kinks: an operation that overwrites does no
 * harm until its operand is used twice. */
static tg_status check_alone(tg_suspect *s, bool quick, bool kinks, tg_gradcheck_result *r) {
    if (!quick)
        return tg_check_suspect(s, r);
    return kinks && s->original->op->branches[TG_F64] ? tg_check_ties(&s->c, r) : TG_OK;
}

/* May what elements that are equal share out be wrong? Where a custom operation's elements cannot be told for other
 * reasons than kinks, all of them together cannot either. */
static bool has_ties(const tg_suspect *s, const tg_gradcheck_result *r) {
    bool open = r->verdict != TG_GRAD_WRONG && (r->kinks || r->cannot_tell);
    return open && s->original->op->branches[TG_F64] && !(r->cannot_tell && s->c.has_custom);
}

tg_status tg_check_suspect(tg_suspect *s, tg_gradcheck_result *r) {
    int64_t elements = 0;
    for (int i = 0; i < s->c.n_leaves; i++)
        elements += s->c.leaf[i].x->numel;
    tg_comparison *compare = elements <= ELEMENTS_TO_CHECK ? tg_check_every_element : tg_check_leaf_directions;
    if (compare(&s->c, r) || tg_confirm_aside(&s->c, compare, r))
        return s->c.t->status;
    return has_ties(s, r) ? tg_check_ties(&s->c, r) : TG_OK;
}

static bool leaf_is_wrong(const tg_suspect *s, const tg_gradcheck_result *r, const tg_node *leaf) {
    for (int i = 0; i < r->n_rows; i++)
        if (r->row[i].tensor == leaf->index && r->row[i].verdict == TG_GRAD_WRONG)
            return true;
    for (int i = 0; i < s->c.n_leaves; i++)
        if (s->c.leaf[i].x == leaf && (s->c.leaf[i].spoilt || s->c.leaf[i].backward_differs || s->c.leaf[i].nonlinear))
            return true;
    return s->c.forward_differs && leaf->requires_grad;
}

int tg_wrong_operand(const tg_suspect *s, const tg_gradcheck_result *r) {
    for (int k = 0; k < s->original->n_in; k++)
        if (s->x[k] && leaf_is_wrong(s, r, s->x[k]->base))
            return k;
    return -1;
}

/* ---- saying where ---- */

static void say_shapes(const tg_node *n, char *out, size_t size) {
    size_t at = 0;
    for (int k = 0; k <= n->n_in && at < size; k++) {
        const tg_node *x = k < n->n_in ? n->in[k] : n;
        const char *before = k == n->n_in ? " -> " : k ? ", " : "";
        int written = snprintf(out + at, size - at, "%s%s", before, x ? tg_node_text(x).s : "none");
        at += written > 0 ? (size_t)written : 0;
    }
}

void tg_gradcheck_say_where(const tg_node *n, int operand, tg_gradcheck_result *r) {
    tg_copy_text(r->op, sizeof r->op, n->op->name);
    r->tensor = n->index;
    r->operand = operand + 1;
    say_shapes(n, r->shapes, sizeof r->shapes);
}

static bool open_again(tg_suspect *s, tg_gradcheck_config *config) {
    const tg_node *n = s->original;
    tg_checker_close(&s->c);
    tg_tape_free(s->c.t);
    config->seed++;
    return tg_suspect_open(s, n, config);
}

/* At a kink nothing can be said; a little aside perhaps. Of elements that tie one wins there, each time another. */
static int wrong_aside(tg_suspect *s, tg_gradcheck_config *config, tg_gradcheck_result *alone) {
    enum { TRIED = 16 };
    int operand = -1;
    for (int i = 0; i < TRIED && operand < 0 && (!i || open_again(s, config)); i++) {
        *alone = (tg_gradcheck_result){.verdict = TG_GRAD_RIGHT};
        if (!tg_checker_step_aside(&s->c) && !tg_check_suspect(s, alone))
            operand = tg_wrong_operand(s, alone);
        tg_clear_error(s->c.t);
    }
    return operand;
}

/* Where large numbers swallow small ones, or saturate what follows, no difference shows a mistake, and a gradient may
 * be rounding alone. The VJP of a built-in operation is right for all operands or wrong: it is looked at near 1 as
 * well. */
static int wrong_near_one(tg_suspect *s, tg_gradcheck_result *r, tg_gradcheck_result *alone) {
    *alone = (tg_gradcheck_result){.verdict = TG_GRAD_RIGHT};
    if (s->c.has_custom || !tg_checker_is_wide(&s->c) || tg_checker_bring_near(&s->c) || tg_float64_differs(s, r) ||
        tg_check_suspect(s, alone))
        return -1;
    return tg_wrong_operand(s, alone);
}

static void add_near_one(tg_gradcheck_result *r) {
    size_t at = strlen(r->diagnosis);
    snprintf(r->diagnosis + at, sizeof r->diagnosis - at,
             "; that is for operands nearer to 1: the sizes of the tape's hide it");
}

static bool has_infinite_gradient(const tg_checker *c) {
    for (int i = 0; i < c->n_leaves; i++)
        for (int64_t j = 0; j < c->leaf[i].x->numel; j++)
            if (!isfinite(c->leaf[i].analytic[j]))
                return true;
    return false;
}

static int first_wanted(const tg_node *n) {
    int k = 0;
    while (k < n->n_in - 1 && !(n->in[k] && tg_recorded(n)[k]))
        k++;
    return k;
}

static void say_as(const tg_node *n, int operand, const tg_gradcheck_result *found, tg_gradcheck_result *r) {
    tg_gradcheck_say_where(n, operand, r);
    r->mistake = found->mistake;
    snprintf(r->diagnosis, sizeof r->diagnosis, "%s", found->diagnosis);
}

/* ---- a view that is wrong itself ---- */

static bool is_wrong_view(tg_checker *c, const tg_node *view) {
    tg_suspect s;
    tg_gradcheck_result alone = {.verdict = TG_GRAD_RIGHT};
    bool wrong =
        tg_suspect_open_view(&s, view, c->config) && !tg_check_suspect(&s, &alone) && tg_wrong_operand(&s, &alone) >= 0;
    tg_suspect_close(&s, c->t);
    return wrong;
}

/* Whatever reads a view whose gradient does not lie as its elements do gets it wrong. The first such view of those that
 * lead to this operand; NULL: none, the operation itself is to blame. */
static const tg_node *find_wrong_view(tg_checker *c, const tg_node *x) {
    const tg_node *found = NULL;
    for (; x && x->base != x && x->gowner == x->base; x = x->in[0])
        found = is_wrong_view(c, x) ? x : found;
    return found;
}

static void say_view(const tg_node *view, const tg_node *reader, tg_gradcheck_result *r) {
    tg_gradcheck_say_where(view, 0, r);
    tg_say(
        r, TG_MISTAKE_UNKNOWN,
        "the gradient of this view does not lie where its elements do (offset, strides): whatever reads it, %s here, "
        "adds to other elements",
        reader->op->name);
}

/* operand: whose gradient is wrong, or -1. What a VJP writes to may make its own gradient another, by a factor say. */
static void say_wrong(tg_suspect *s, int operand, tg_gradcheck_result *r) {
    const tg_node *n = s->original, *view;
    tg_gradcheck_result written;
    bool writes = tg_writes_to_const(s, &written);
    if ((!writes && operand < 0) || r->wrong_ops++)
        return;
    if (writes) {
        say_as(n, operand < 0 ? first_wanted(n) : operand, &written, r);
        return;
    }
    if ((view = find_wrong_view(&s->c, n->in[operand]))) {
        say_view(view, n, r);
        return;
    }
    tg_gradcheck_say_where(n, operand, r);
    tg_diagnose(s, operand, r);
}

/* Of the operations alone. */
typedef struct search {
    const tg_node *at_kink;       /* the first that cannot be judged, because its operands sit on a kink */
    const tg_node *between_steps; /* the first with a gradient of 0 that may be that of a stair, or wrong */
    bool clear;                   /* each was judged, and is right or wrong */
    tg_gradcheck_result infinite; /* where the first is whose VJP makes what is not finite */
} search;

/* Whether that is wrong or not. */
static void note_infinite(tg_suspect *s, tg_gradcheck_result *r) {
    for (int k = 0; k < s->original->n_in && !r->op[0]; k++) {
        const tg_node *x = s->x[k];
        const tg_check_leaf *leaf = x ? tg_suspect_leaf(s, x) : NULL;
        double *g = leaf ? tg_evidence_numbers(s, x->numel) : NULL;
        if (!g)
            continue;
        tg_copy_out(x, leaf->analytic + x->goffset, x->gstride, g);
        if (tg_name_infinite(g, x->numel, r))
            tg_gradcheck_say_where(s->original, k, r);
    }
}

static tg_status look_at(tg_checker *c, const tg_node *n, search *found, tg_gradcheck_result *r) {
    tg_suspect s;
    tg_gradcheck_result alone = {.verdict = TG_GRAD_RIGHT};
    tg_gradcheck_config config = *c->config;
    config.progress = NULL;
    bool pardoned = c->undecided && tg_is_custom(n);
    bool quick =
        !tg_is_bad(r->verdict) && config.mode == TG_GRADCHECK_FAST && !c->floored && !c->contradicted && !pardoned;
    bool ok = tg_suspect_open(&s, n, &config);
    s.c.confirming = r->verdict == TG_GRAD_WRONG;
    bool infinite = ok && has_infinite_gradient(&s.c);
    quick &= !infinite;
    if (infinite)
        note_infinite(&s, &found->infinite);
    bool kernel = ok && !quick && !tg_checker_is_wide(&s.c) && tg_float64_differs(&s, r);
    ok = ok && (kernel || !check_alone(&s, quick, r->kinks > 0, &alone));
    int operand = ok ? tg_wrong_operand(&s, &alone) : -1;
    bool kinks = alone.kinks > 0;
    found->clear &= !kinks && !alone.cannot_tell && !quick;
    if (ok && operand < 0 && (kinks || alone.cannot_tell) &&
        (r->verdict == TG_GRAD_WRONG || (r->verdict == TG_GRAD_CANNOT_TELL && has_infinite_gradient(&s.c))))
        operand = wrong_aside(&s, &config, &alone);
    ok &= s.c.t && !s.c.t->status;
    bool hidden = ok && operand < 0 && !quick && (operand = wrong_near_one(&s, r, &alone)) >= 0;
    ok &= s.c.t && !s.c.t->status;
    if (ok)
        say_wrong(&s, operand, r);
    if (ok && hidden && r->wrong_ops == 1)
        add_near_one(r);
    if (kinks && !found->at_kink)
        found->at_kink = n;
    if (ok && operand < 0 && s.c.between_steps && !found->between_steps)
        found->between_steps = n;
    if (s.c.t && s.c.t->status)
        tg_fail(c->t, s.c.t->status, "%s", s.c.t->error);
    else if (!ok)
        tg_fail(c->t, TG_ERR_MEMORY, "out of memory for looking at %s alone", n->op->name);
    tg_checker_close(&s.c);
    tg_tape_free(s.c.t);
    return c->t->status;
}

bool tg_is_wrong_alone(tg_checker *c, const tg_node *n, tg_gradcheck_result *r) {
    tg_suspect s;
    tg_gradcheck_result alone = {.verdict = TG_GRAD_RIGHT};
    tg_gradcheck_config config = *c->config;
    config.progress = NULL;
    bool opened = tg_suspect_open(&s, n, &config);
    bool kernel = opened && !tg_checker_is_wide(&s.c) && tg_float64_differs(&s, r);
    bool looked = opened && !kernel && !tg_check_suspect(&s, &alone);
    int operand = looked ? tg_wrong_operand(&s, &alone) : -1;
    if (operand >= 0) {
        r->wrong_ops++;
        tg_gradcheck_say_where(n, operand, r);
        tg_diagnose(&s, operand, r);
    }
    if (kernel || operand >= 0)
        r->verdict = TG_GRAD_WRONG;
    tg_suspect_close(&s, c->t);
    return kernel || operand >= 0;
}

/* ---- with the dy that it had ---- */

static void retain_all(tg_checker *c, bool retain) {
    for (uint32_t i = 0; i <= c->y->index; i++)
        if (c->t->nodes[i]->op && c->t->nodes[i]->gowner == c->t->nodes[i] && c->t->nodes[i]->requires_grad)
            c->t->nodes[i]->retain = retain;
}

/* What arrives at the operation in the whole backward; NULL where that is nothing, or beyond what is computed with. */
static const double *own_dy(tg_checker *c, const tg_node *n) {
    double *dy = n->has_grad ? tg_checker_memory(c, (size_t)n->numel, sizeof *dy) : NULL, largest = 0;
    if (dy)
        tg_copy_out(n, n->grad, n->gstride, dy);
    for (int64_t j = 0; dy && j < n->numel; j++)
        largest = fmax(largest, isfinite(dy[j]) ? fabs(dy[j]) : INFINITY);
    return largest > 1e-200 && largest < 1e200 ? dy : NULL;
}

/* What is not finite may be 0 times an infinite slope. */
static tg_status look_with(tg_checker *c, const tg_node *n, const double *dy, tg_gradcheck_result *r) {
    tg_suspect s;
    tg_gradcheck_result alone = {.verdict = TG_GRAD_RIGHT};
    tg_gradcheck_config config = *c->config;
    config.progress = NULL;
    bool ok = tg_suspect_open_with(&s, n, &config, dy) && !tg_check_suspect(&s, &alone);
    int operand = ok && !has_infinite_gradient(&s.c) ? tg_wrong_operand(&s, &alone) : -1;
    if (operand >= 0)
        say_wrong(&s, operand, r);
    tg_suspect_close(&s, c->t);
    return c->t->status;
}

/* A mistake may need dy's zeros (a mask), or numbers as small (a fixed point), and others may hide it with a random
 * one: the largest of y's numbers, which saturate whatever follows. */
static tg_status look_with_own_dy(tg_checker *c, tg_gradcheck_result *r) {
    retain_all(c, true);
    tg_zero_grads(c->t);
    tg_status bad = tg_backward_with(tg_handle(c->y), c->v);
    retain_all(c, false);
    for (uint32_t i = 0; i <= c->y->index && !bad; i++) {
        const tg_node *n = c->t->nodes[i];
        const double *dy = c->needed[i] && n != c->y && tg_has_vjp(n) ? own_dy(c, n) : NULL;
        bad = dy ? look_with(c, n, dy, r) : c->t->status;
    }
    return bad;
}

/* ---- a gradient that stops on the way ---- */

/* Where a leaf's gradient ends: at an operation recorded without it. */
static const tg_node *find_cut(tg_checker *c, const tg_node *leaf) {
    memset(c->moves, 0, (size_t)c->y->index + 1);
    c->moves[leaf->index] = true;
    tg_checker_cone(c);
    for (uint32_t i = 0; i < c->plain.n_cone; i++)
        for (int k = 0; k < c->plain.cone[i]->n_in; k++) {
            const tg_node *n = c->plain.cone[i], *x = n->in[k];
            if (x && c->moves[x->index] && x->requires_grad && !tg_recorded(n)[k] && tg_is_floating(n))
                return n;
        }
    return NULL;
}

static void say_cut(tg_checker *c, const tg_node *n, tg_gradcheck_result *r, const char *leaf) {
    int operand = 0;
    for (int k = n->n_in - 1; k >= 0; k--)
        if (n->in[k] && c->moves[n->in[k]->index])
            operand = k;
    tg_gradcheck_say_where(n, operand, r);
    r->mistake = TG_MISTAKE_ZERO;
    snprintf(
        r->diagnosis, sizeof r->diagnosis,
        "constant zero: the gradient of %s stops here: detached, made under no_grad, or requires_grad was off when "
        "it was used",
        leaf);
}

static void look_for_cut(tg_checker *c, tg_gradcheck_result *r) {
    for (int i = 0; i < r->n_rows && !r->op[0]; i++) {
        const tg_gradcheck_row *row = &r->row[i];
        if (row->verdict != TG_GRAD_WRONG || !row->leaf[0])
            continue;
        const tg_node *n = find_cut(c, c->t->nodes[row->tensor]);
        if (n)
            say_cut(c, n, r, row->leaf);
    }
}

/* Every operation is right alone, and alone they make the same gradient: then what it differs by is rounding, or chosen
 * at kinks; or a callback keeps something from call to call, which the chain rule then contradicts. */
static bool is_explained(tg_checker *c, const tg_gradcheck_result *r) {
    const tg_node *overflow;
    bool steady = !c->forward_differs && !c->backward_differs;
    for (int i = 0; i < c->n_leaves; i++)
        steady &= !c->leaf[i].spoilt;
    return steady && !r->wrong_ops && !r->op[0] && tg_repeat_vjps(c, &overflow);
}

static bool is_linear(const tg_checker *c) {
    for (int i = 0; i < c->n_leaves; i++)
        if (c->leaf[i].nonlinear)
            return false;
    return true;
}

/* Only rows tell what is wrong. */
static void say_rest(tg_checker *c, const tg_node *at_kink, tg_gradcheck_result *r) {
    if (at_kink && !r->op[0])
        tg_gradcheck_say_where(at_kink, 0, r);
    if (at_kink && is_linear(c))
        tg_diagnose_rows(r);
    else if (at_kink)
        tg_say(r, TG_MISTAKE_UNKNOWN,
               "not linear in dy, as every VJP is: -2^20 dy does not give -2^20 times the gradient, at a kink of %s",
               r->op);
    if (r->op[0])
        return;
    bool random = c->forward_differs || c->backward_differs;
    r->mistake = random ? TG_MISTAKE_NONDETERMINISTIC : TG_MISTAKE_UNKNOWN;
    snprintf(r->diagnosis, sizeof r->diagnosis, "every operation is right on its own%s",
             random ? ", but two equal runs differ"
             : c->has_custom
                 ? "; the mistake is in how their gradients meet, or in what a callback keeps from call to call"
                 : "; the mistake is in how their gradients meet");
}

/* What the whole could not tell has no other reason then, but a forward that is not the same twice. */
static void blame_operations(const tg_checker *c, tg_gradcheck_result *r) {
    r->verdict = TG_GRAD_WRONG;
    for (int i = 0; i < r->n_rows; i++)
        if (r->row[i].reason && !c->forward_differs)
            r->row[i].reason = "an operation is wrong on its own";
}

/* What the whole has, the slope between two jumps, is what its gradient has as well, wrong or not. */
static void doubt_stairs(const tg_node *n, tg_gradcheck_result *r) {
    if (!n || r->verdict >= TG_GRAD_CANNOT_TELL)
        return;
    r->verdict = TG_GRAD_CANNOT_TELL;
    tg_gradcheck_say_where(n, first_wanted(n), r);
    tg_say(r, TG_MISTAKE_UNKNOWN,
           "no gradient comes back: right of a stair, whose slope is 0 between its jumps; wrong of what computes in so "
           "few bits (tg_custom_set_branches tells jumps that are meant)");
}

/* What float64 loses on the way, where every operation is right: to rtol it is right all the same, as what noise
 * excuses. Does that make all rows right that were wrong? */
static bool forgive(const tg_checker *c, tg_gradcheck_result *r) {
    int64_t near = 0;
    bool linear = true;
    for (int i = 0; i < c->n_leaves; i++)
        linear &= !c->leaf[i].nonlinear;
    for (int i = 0; i < r->n_rows; i++)
        near += r->row[i].verdict == TG_GRAD_WRONG &&
                fabs(r->row[i].analytic - r->row[i].numeric) <= c->config->rtol * fabs(r->row[i].numeric);
    if (!linear || !r->wrong || near < r->wrong)
        return false;
    for (int i = 0; i < r->n_rows; i++)
        if (r->row[i].verdict == TG_GRAD_WRONG)
            r->row[i].verdict = TG_GRAD_RIGHT;
    r->wrong = 0;
    r->verdict = r->cannot_tell ? TG_GRAD_CANNOT_TELL : r->kinks ? TG_GRAD_KINK : TG_GRAD_RIGHT;
    return true;
}

tg_status tg_locate(tg_checker *c, tg_gradcheck_result *r) {
    search found = {.clear = true};
    for (uint32_t i = 0; i <= c->y->index; i++) {
        const tg_node *n = c->t->nodes[i];
        if (c->needed[i] && tg_has_vjp(n) && look_at(c, n, &found, r))
            return c->t->status;
    }
    if ((tg_is_bad(r->verdict) || c->swept) && !r->wrong_ops && look_with_own_dy(c, r))
        return c->t->status;
    if (r->wrong_ops)
        blame_operations(c, r);
    if (r->verdict == TG_GRAD_CANNOT_TELL && has_infinite_gradient(c) && found.infinite.op[0])
        say_as(c->t->nodes[found.infinite.tensor], found.infinite.operand - 1, &found.infinite, r);
    doubt_stairs(found.between_steps, r);
    if (r->verdict != TG_GRAD_WRONG)
        return TG_OK;
    if (!r->op[0])
        look_for_cut(c, r);
    if (!r->op[0] && tg_find_shared(c, r))
        r->wrong_ops++;
    bool explained = is_explained(c, r) && !(found.clear && c->has_custom && tg_chain_contradicts(c));
    if (explained && !forgive(c, r))
        tg_withdraw(r, "every operation is right alone: rounding in float64, or kinks, may make the difference");
    else if (!explained && (!r->op[0] || r->mistake == TG_MISTAKE_UNKNOWN))
        say_rest(c, found.at_kink, r);
    return TG_OK;
}
