/* The gradient check: see tg_gradcheck in tapegrad.h and the files listed in check.h. */
#include "core/gradcheck/check.h"

/* ---- the whole check ---- */

static bool is_otherwise_wrong(const tg_checker *c) {
    bool wrong = c->forward_differs || c->backward_differs;
    for (int i = 0; i < c->n_leaves; i++)
        wrong |= c->leaf[i].spoilt || c->leaf[i].nonlinear;
    return wrong;
}

/* *by_rows: numbers differ. */
static tg_status compare_once(tg_checker *c, tg_comparison *compare, tg_gradcheck_result *r, bool *by_rows) {
    *r = (tg_gradcheck_result){.mode = c->config->mode, .scalar = c->y->numel == 1, .leaves = c->n_leaves};
    c->undecided = 0;
    if (compare(c, r))
        return c->t->status;
    *by_rows = r->verdict == TG_GRAD_WRONG;
    if (is_otherwise_wrong(c))
        r->verdict = TG_GRAD_WRONG;
    for (int i = 0; i < r->n_rows; i++)
        r->worst = fmax(r->worst, r->row[i].verdict == TG_GRAD_KINK ? 0 : r->row[i].relative);
    return tg_find_lost(c, r) ? c->t->status : tg_locate(c, r);
}

/* What numbers of the whole alone call wrong needs the chain rule's opinion: where an operation is wrong alone, that of
 * every other element would take longer than all else. A row at a kink is one, here and aside. */
static tg_status compare_all(tg_checker *c, tg_gradcheck_result *r) {
    int64_t evaluations = r->evaluations, kinks = c->undecided ? r->kinks : 0;
    tg_rng_state random = c->rng;
    bool by_rows = false;
    tg_comparison *compare = c->config->mode == TG_GRADCHECK_FAST ? tg_check_directions : tg_check_every_element;
    c->alone_first = tg_chain_is_possible(c);
    tg_status bad = compare_once(c, compare, r, &by_rows);
    bool again = !bad && c->alone_first && by_rows && !r->wrong_ops && !is_otherwise_wrong(c);
    c->alone_first = false;
    if (again) {
        c->rng = random;
        bad = compare_once(c, compare, r, &by_rows);
    }
    if (bad)
        return bad;
    r->evaluations = evaluations + c->evaluations;
    r->kinks = r->kinks > kinks ? r->kinks : kinks; /* aside there may be none */
    return by_rows && !r->wrong_ops && !is_otherwise_wrong(c) ? tg_confirm_aside(c, compare, r) : TG_OK;
}

/* All tied elements moved at once have a derivative that none of them alone shows, and a custom operation may keep
 * operands of its first call: what is right has to be right a little aside as well. */
static tg_status look_aside(tg_checker *c, tg_gradcheck_result *r) {
    tg_gradcheck_result here = *r, aside = {.verdict = TG_GRAD_RIGHT};
    if (tg_checker_step_aside(c) == TG_ERR_NUMERIC) { /* it leaves its domain */
        tg_clear_error(c->t);
        return TG_OK;
    }
    if (c->t->status || tg_check_directions(c, &aside) || aside.verdict != TG_GRAD_WRONG || compare_all(c, r))
        return c->t->status;
    if (r->verdict != TG_GRAD_WRONG)
        *r = here;
    return TG_OK;
}

/* Where kinks meet a gradient was let pass: what is right beside them is no more than KINK. */
static tg_status look_beside_kinks(tg_checker *c, tg_gradcheck_result *r) {
    if (tg_checker_step_aside(c) || compare_all(c, r))
        return c->t->status;
    if (r->verdict == TG_GRAD_RIGHT)
        r->verdict = TG_GRAD_KINK;
    return TG_OK;
}

static tg_status refuse_without_elements(const tg_checker *c) {
    const tg_node *x = c->n_leaves ? c->leaf[0].x : NULL;
    if (!x)
        return tg_fail(c->t, TG_ERR_STATE, "no leaf that tensor %u %s depends on requires a gradient", c->y->index,
                       tg_node_text(c->y).s);
    for (int i = 0; i < c->n_leaves; i++)
        if (c->leaf[i].x->numel)
            return TG_OK;
    return tg_fail(c->t, TG_ERR_STATE,
                   "leaf %u %s has no elements, and tensor %u depends on no other: there is nothing to compare",
                   x->index, tg_node_text(x).s, c->y->index);
}

static tg_status check(tg_checker *c, tg_gradcheck_result *r) {
    if (refuse_without_elements(c) || tg_checker_check_eps(c) || tg_refuse_infinite(c) || compare_all(c, r))
        return c->t->status;
    if (tg_is_bad(r->verdict) || tg_find_kept(c, r) || r->verdict == TG_GRAD_WRONG)
        return c->t->status;
    if (c->undecided)
        return look_beside_kinks(c, r);
    return r->kinks || c->has_custom ? look_aside(c, r) : TG_OK;
}

/* What is right in float64, as far as that was looked at. Where float32 and float64 differ in FAST mode, float64 may be
 * the one that is wrong. */
static tg_status check_float32(tg_checker *c, tg_tape *t, tg_gradcheck_result *r) {
    if (r->verdict == TG_GRAD_WRONG || tg_check_float32(c, t, r))
        return c->t->status;
    tg_gradcheck_result other = *r;
    other.mistake = TG_MISTAKE_NONE;
    other.wrong_ops = 0;
    bool differs = r->verdict == TG_GRAD_WRONG && r->op[0] && c->config->mode == TG_GRADCHECK_FAST;
    if (differs && tg_is_wrong_alone(c, c->t->nodes[r->tensor], &other))
        *r = other;
    return c->t->status;
}

static tg_node *open_checked(tg_tensor y, const tg_gradcheck_config *config) {
    tg_node *n;
    if (!tg_open("gradcheck", "f", 1, &y, &n) || !tg_outside_backward(y.tape, "gradcheck"))
        return NULL;
    if (config->mode == TG_GRADCHECK_FAST && config->directions < 1) {
        tg_fail(y.tape, TG_ERR_ARGUMENT, "gradcheck: %d directions; at least one is needed", config->directions);
        return NULL;
    }
    bool known = config->mode == TG_GRADCHECK_FAST || config->mode == TG_GRADCHECK_FULL;
    if (!known || !(config->atol >= 0) || !(config->rtol >= 0)) {
        tg_fail(y.tape, TG_ERR_ARGUMENT,
                "gradcheck: mode %d, atol %g, rtol %g: the mode is TG_GRADCHECK_FULL or _FAST, tolerances are 0 or "
                "more; begin with TG_GRADCHECK_DEFAULTS",
                (int)config->mode, config->atol, config->rtol);
        return NULL;
    }
    if (n->requires_grad)
        return n;
    tg_fail(y.tape, TG_ERR_STATE,
            "gradcheck: tensor %u %s requires no gradient: no leaf that it was made from does (tg_parameter, "
            "tg_set_requires_grad), or it was made under no_grad or from tg_detach",
            n->index, tg_node_text(n).s);
    return NULL;
}

tg_status tg_gradcheck(tg_tensor y, tg_gradcheck_config config, tg_gradcheck_result *result) {
    tg_gradcheck_result own;
    tg_gradcheck_result *r = result ? result : &own;
    memset(r, 0, sizeof *r);
    r->verdict = TG_GRAD_CANNOT_TELL;
    const tg_node *n = open_checked(y, &config);
    tg_tape *t = y.tape, *copy = n ? tg_tape_cast(t, TG_F64) : NULL;
    if (!copy) {
        snprintf(r->summary, sizeof r->summary, "%.300s", t ? t->error : "gradcheck: the null tensor");
        return t ? t->status : TG_ERR_ARGUMENT;
    }
    tg_checker c = {.alone = false};
    r->verdict = TG_GRAD_RIGHT;
    if (tg_checker_open(&c, copy, copy->nodes[n->index], &config) || check(&c, r) || check_float32(&c, t, r) ||
        tg_check_scopes(&c, t, r) || t->status) { /* config.progress left an error */
        r->verdict = TG_GRAD_CANNOT_TELL;
        tg_fail(t, copy->status, "gradcheck (in float64): %.440s", copy->error);
        snprintf(r->summary, sizeof r->summary, "%.300s", t->error);
    } else {
        tg_gradcheck_summarise(r);
        if (tg_is_bad(r->verdict))
            tg_fail(t, TG_ERR_NUMERIC, "%s", r->summary);
    }
    tg_checker_close(&c);
    tg_tape_free(copy);
    return t->status;
}
