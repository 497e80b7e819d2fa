/* The gradient check: see tg_gradcheck in tapegrad.h, judge.c, and the files listed in check.h. */
#include "core/gradcheck/check.h"

/* ---- bad input ---- */

static tg_status refuse_without_elements(const tg_checker *c) {
    const tg_node *x = c->n_leaves ? c->leaf[0].x : NULL;
    if (!x)
        return tg_fail(c->t, TG_ERR_STATE, "no leaf that tensor %u %s depends on requires a gradient", c->y->index,
                       tg_node_text(c->y).s);
    if (c->total)
        return TG_OK;
    return tg_fail(c->t, TG_ERR_STATE,
                   "leaf %u %s has no elements, and tensor %u depends on no other: there is nothing to compare",
                   x->index, tg_node_text(x).s, c->y->index);
}

static tg_status check_eps(const tg_checker *c) {
    double eps = c->config->eps;
    if (!(eps > 0) || !isfinite(eps))
        return tg_fail(c->t, TG_ERR_ARGUMENT, "eps = %g: a step is a positive number; 1e-6 is usual", eps);
    for (int i = 0; i < c->n_leaves; i++) {
        const tg_node *x = c->leaf[i].x;
        double largest = tg_largest(x), least = 64 * DBL_EPSILON * fmin(largest, 1), most = 0.1 * fmax(1, largest);
        if (eps >= least && eps <= most)
            continue;
        return tg_fail(c->t, TG_ERR_ARGUMENT,
                       "eps = %g is too %s for leaf %u %s, whose values go up to %g: take one from %.1g to %.1g", eps,
                       eps < least ? "small" : "large", x->index, tg_node_text(x).s, largest, fmax(least, 1e-12), most);
    }
    return TG_OK;
}

static tg_status check_asked(const tg_node *n, const tg_gradcheck_config *config) {
    tg_tape *t = n->tape;
    if (config->mode == TG_GRADCHECK_FAST && config->directions < 1)
        return tg_fail(t, TG_ERR_ARGUMENT, "gradcheck: %d directions; at least one is needed", config->directions);
    bool known = config->mode == TG_GRADCHECK_FAST || config->mode == TG_GRADCHECK_FULL;
    if (!known || !(config->atol >= 0) || !(config->rtol >= 0))
        return tg_fail(
            t, TG_ERR_ARGUMENT,
            "gradcheck: mode %d, atol %g, rtol %g: the mode is TG_GRADCHECK_FULL or _FAST, tolerances are 0 or "
            "more; begin with TG_GRADCHECK_DEFAULTS",
            (int)config->mode, config->atol, config->rtol);
    if (n->requires_grad)
        return TG_OK;
    return tg_fail(t, TG_ERR_STATE,
                   "gradcheck: tensor %u %s requires no gradient: no leaf that it was made from does (tg_parameter, "
                   "tg_set_requires_grad), or it was made under no_grad or from tg_detach",
                   n->index, tg_node_text(n).s);
}

/* NULL after an error. */
static const tg_node *open_checked(tg_tensor y, const tg_gradcheck_config *config) {
    tg_node *n;
    bool usable = tg_open("gradcheck", "f", 1, &y, &n) && tg_outside_backward(y.tape, "gradcheck");
    return usable && !check_asked(n, config) ? n : NULL;
}

/* ---- one dtype ---- */

/* A gradient that is not finite although f has a slope (tg_refuse_infinite has seen to that). */
static void note_infinite(tg_checker *c, tg_gradcheck_result *r) {
    for (int64_t k = 0; k < c->total; k++)
        if (!isfinite(c->analytic[k]) && isfinite(c->start[k])) {
            r->verdict = TG_GRAD_WRONG;
            if (c->n_found < TG_GRADCHECK_ROWS)
                c->found[c->n_found++] = k;
        }
}

static tg_status check_on(tg_checker *c, tg_gradcheck_result *r) {
    if (tg_refuse_infinite(c) || tg_cover(c, c->config->mode == TG_GRADCHECK_FULL, r))
        return c->t->status;
    note_infinite(c, r);
    if (tg_check_protocol(c))
        return c->t->status;
    if (tg_breaks_protocol(c))
        r->verdict = TG_GRAD_WRONG;
    return tg_locate(c, r);
}

/* True when an element of float32's y is not float64's to a 64th of its size and of what is usual: scores beside a mask
 * of -1e9, 1e6 + 1e-3 - 1e6. */
static bool loses_result(const tg_checker *c, const tg_checker *own) {
    bool loses = false;
    for (int64_t j = 0; j < c->y->numel; j++) {
        double v = fabs(own->cotangent[j]), apart = v * fabs(own->at_base[j] - c->at_base[j]);
        loses |= v != 0 && apart > (v * fabs(c->at_base[j]) + c->size / (double)c->y->numel) / 64;
    }
    return loses;
}

/* Checks what float64 found right on the float32 kernels, which train. FULL compares each operation's result with
 * float64's; FAST where the whole's result is not float64's. */
static tg_status check_float32(tg_checker *c, tg_checker *own, tg_gradcheck_result *r) {
    tg_gradcheck_result of32 = {.mode = r->mode, .scalar = r->scalar, .leaves = r->leaves};
    tg_status bad = own->t->status ? own->t->status : check_on(own, &of32);
    bool wrong = of32.verdict == TG_GRAD_WRONG, full = c->config->mode == TG_GRADCHECK_FULL;
    bool loses = !bad && loses_result(c, own), named = wrong && of32.wrong_ops && tg_has_ordinary_numbers(own);
    bool other = !bad && !named && (full || loses) && tg_find_other_result(own, c, r);
    if (own->t->status == TG_ERR_MEMORY)
        return tg_fail(c->t, TG_ERR_MEMORY, "%s", own->t->failure.text);
    if (named)
        *r = of32;
    if (named || other)
        return TG_OK;
    const char *why =
        wrong   ? "the whole is off, and no operation alone on ordinary numbers: rounding may lose the gradient"
        : bad   ? own->t->failure.text
        : loses ? "rounding loses the result itself, which is not float64's"
        : of32.verdict == TG_GRAD_CANNOT_TELL
            ? (of32.n_lines && of32.line[0].reason ? of32.line[0].reason : "not known")
            : NULL;
    if (of32.n_lines)
        tg_add_line(r, r->n_lines && !wrong ? 1 : 0, &of32.line[0]);
    if (!why)
        return TG_OK;
    r->verdict = TG_GRAD_CANNOT_TELL;
    tg_say(r, TG_MISTAKE_NONE, "float32 only: %.300s", why);
    return TG_OK;
}

static tg_status check(tg_checker *c, tg_checker *own, tg_gradcheck_result *r) {
    *r = (tg_gradcheck_result){.mode = c->config->mode, .scalar = c->y->numel == 1, .leaves = c->n_leaves};
    if (refuse_without_elements(c) || check_eps(c) || check_on(c, r))
        return c->t->status;
    if (own->t && r->verdict != TG_GRAD_WRONG && check_float32(c, own, r))
        return c->t->status;
    bool native = own->t && !own->t->status;
    if (native && own->n_found) {
        memcpy(c->found, own->found, sizeof c->found);
        c->n_found = own->n_found;
    }
    return tg_make_table(c, native ? own : c, r) ? c->t->status : TG_OK;
}

/* ---- the whole ---- */

static tg_status finish(tg_tape *t, const tg_checker *c, const tg_checker *own, tg_gradcheck_result *r) {
    r->evaluations = c->evaluations + own->evaluations;
    r->wrong = r->verdict == TG_GRAD_WRONG ? (c->n_found > 1 ? c->n_found : 1) : 0;
    tg_gradcheck_summarise(r);
    return tg_is_bad(r->verdict) ? tg_fail(t, TG_ERR_NUMERIC, "%s", r->summary) : TG_OK;
}

/* own: the checker on a float32 copy of a float32 tape. Where that cannot be computed the copy holds the error. */
static tg_status open_own(tg_checker *own, tg_tape *t, const tg_node *n, const tg_gradcheck_config *config) {
    if (t->dtype != TG_F32)
        return TG_OK;
    tg_tape *copy = tg_tape_cast(t, TG_F32);
    if (!copy)
        return t->status;
    return tg_checker_open(own, copy, copy->nodes[n->index], config) == TG_ERR_MEMORY
               ? tg_fail(t, TG_ERR_MEMORY, "gradcheck: %s", copy->failure.text)
               : TG_OK;
}

tg_status tg_gradcheck(tg_tensor y, tg_gradcheck_config config, tg_gradcheck_result *result) {
    tg_gradcheck_result room, *r = result ? result : &room;
    memset(r, 0, sizeof *r);
    const tg_node *n = open_checked(y, &config);
    tg_tape *t = y.tape, *copy = NULL;
    tg_checker c = {.alone = false}, own = {.alone = false};
    bool bad = !n;
    if (n) {
        tg_outside before = tg_enter_callback(t); /* no callback of the check rewinds what is checked */
        copy = tg_tape_cast(t, TG_F64);
        bad = !copy || tg_checker_open(&c, copy, copy->nodes[n->index], &config) || open_own(&own, t, n, &config) ||
              check(&c, &own, r) || tg_check_scopes(&c, t, r) || t->status; /* a callback left an error */
        tg_leave_callback(t, before);
    }
    if (bad) {
        r->verdict = TG_GRAD_CANNOT_TELL;
        if (copy)
            tg_fail(t, copy->status, "gradcheck (in float64): %.440s", copy->failure.text);
        snprintf(r->summary, sizeof r->summary, "%.300s", t ? t->failure.text : "gradcheck: the null tensor");
    } else {
        (void)!finish(t, &c, &own, r);
    }
    tg_tape_free(own.t);
    tg_tape_free(copy);
    return t ? t->status : TG_ERR_ARGUMENT;
}

tg_tensor tg_numeric_gradient(tg_tensor y, tg_tensor leaf, double eps) {
    tg_tensor both[] = {y, leaf};
    tg_node *node[2];
    tg_tape *t = tg_open("numeric_gradient", "ff", 2, both, node);
    if (!t)
        return TG_NULL;
    const tg_node *n = node[0], *x = node[1];
    if (x->op || n->numel != 1 || !(eps > 0) || !isfinite(eps))
        return tg_fail_null(
            t, n->numel != 1 ? TG_ERR_SHAPE : TG_ERR_ARGUMENT,
            "numeric_gradient: y %s must have one element, leaf %s be a leaf of its tape, eps %g above 0",
            tg_node_text(n).s, tg_node_text(x).s, eps);
    tg_tape *copy = tg_tape_cast(t, TG_F64);
    tg_shape shape = tg_shape_from(x);
    double *values = copy ? tg_pool_get(copy, (size_t)x->numel * sizeof *values + 1) : NULL;
    tg_tensor out = TG_NULL;
    if (values && !tg_numeric_gradient_on(copy, copy->nodes[n->index], copy->nodes[x->index], eps, values))
        out = tg_from_doubles(t, shape, values);
    else if (copy)
        tg_fail(t, copy->status ? copy->status : TG_ERR_MEMORY, "numeric_gradient: %s", copy->failure.text);
    tg_tape_free(copy);
    return out;
}
