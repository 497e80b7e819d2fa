/* Second derivatives by the same judge, on a float64 copy of the tape: f = sum w y, g its gradient as tg_gradients
 * records it, u random. H u, backward's gradient of <u, g>, has to satisfy <u, g>(b) - <u, g>(a) = integral of
 * <H u, dx>. g itself has to be the gradient that the VJP kernels compute. */
#include "core/gradcheck/check.h"

typedef struct second {
    tg_checker c; /* of y */
    tg_tape *t;
    tg_tensor y, *x, *g; /* x: the n leaves */
    int n;
    tg_gradcheck_config config;
    tg_second_result *r;
} second;

static tg_status open_y(second *s, tg_node *y) {
    if (y->requires_grad && tg_checker_open(&s->c, s->t, y, &s->config))
        return s->t->status;
    if (!s->c.total)
        return tg_fail(s->t, TG_ERR_STATE, "tensor %u %s requires no gradient, or its leaves have no elements",
                       y->index, tg_node_text(y).s);
    s->y = tg_handle(y);
    s->n = s->c.n_leaves;
    s->x = tg_checker_memory(&s->c, (size_t)s->n, sizeof *s->x);
    s->g = tg_checker_memory(&s->c, (size_t)s->n, sizeof *s->g);
    for (int i = 0; i < s->n && s->x; i++)
        s->x[i] = tg_handle(s->c.leaf[i].x);
    return s->t->status;
}

static tg_tensor random_like(second *s, tg_tensor x) {
    tg_tensor u = tg_zeros(s->t, tg_shape_of(x));
    double *p = tg_data(u);
    for (int64_t j = 0; p && j < tg_numel(u); j++)
        p[j] = tg_checker_random(&s->c);
    return u;
}

/* <u, g>, recorded. */
static tg_tensor along(second *s) {
    tg_tensor sum = TG_NULL;
    for (int i = 0; i < s->n; i++) {
        tg_tensor part = tg_sum(tg_mul(s->g[i], random_like(s, s->x[i])), TG_ALL_DIMS, false);
        sum = i ? tg_add(sum, part) : part;
    }
    return sum;
}

/* What is recorded, against what the VJP kernels make of the same cotangent. *adjoint: the largest difference, of the
 * largest gradient; *beyond: it is more than rounding of y makes of a gradient. */
static tg_status compare_gradients(second *s, tg_tensor w, double *adjoint, bool *beyond) {
    double apart = 0, size = 0, moved = 0;
    tg_zero_grads(s->t);
    if (tg_backward_with(s->y, w))
        return s->t->status;
    for (int i = 0; i < s->n; i++) {
        const tg_node *x = s->t->nodes[s->x[i].index], *g = s->t->nodes[s->g[i].index];
        tg_walk walk;
        tg_walk_begin(&walk, g->ndim, g->size, g->stride);
        for (int64_t j = 0; j < x->numel; j++, tg_walk_next(&walk, 1)) {
            double kernel = tg_grad_element(x, j), recorded = tg_number(TG_F64, g->data, walk.offset);
            if (!isfinite(kernel) || !isfinite(recorded))
                return tg_fail(s->t, TG_ERR_NUMERIC, "the gradient of tensor %u %s is not finite", x->index,
                               tg_node_text(x).s);
            apart = fmax(apart, fabs(kernel - recorded));
            moved = fmax(moved, fabs((kernel - recorded) * tg_number(TG_F64, x->data, j)));
            size = fmax(size, fabs(kernel));
        }
    }
    *adjoint = size > 0 ? apart / size : apart;
    *beyond = *adjoint > 1e-6 && moved > 512 * s->c.rounding;
    return TG_OK;
}

/* u^T H v against v^T H u, with the H u that is recorded. */
static tg_status compare_symmetry(second *s, tg_tensor w) {
    tg_tensor *u = tg_pool_get(s->t, (size_t)(3 * s->n) * sizeof *u), *hu = u + s->n, *v = u + 2 * s->n;
    double uhv = 0, vhu = 0, size = 0;
    if (!u)
        return s->t->status;
    for (int i = 0; i < s->n; i++) {
        u[i] = random_like(s, s->x[i]);
        v[i] = random_like(s, s->x[i]);
    }
    tg_tensor f = tg_sum(tg_mul(s->y, w), TG_ALL_DIMS, false);
    for (int way = 0; way < 2; way++) {
        const tg_tensor *a = way ? u : v, *b = way ? v : u;
        if (tg_hvp(f, s->x, a, s->n, hu))
            return s->t->status;
        for (int i = 0; i < s->n; i++) {
            tg_tensor h = tg_contiguous(hu[i]);
            const double *p = tg_const_data(h), *q = tg_const_data(b[i]);
            for (int64_t j = 0; p && q && j < tg_numel(h); j++) {
                *(way ? &vhu : &uhv) += p[j] * q[j];
                size += fabs(p[j] * q[j]) / 2;
            }
        }
    }
    s->r->symmetry = size > 0 ? fabs(uhv - vhu) / size : 0;
    if (!isfinite(s->r->symmetry))
        return tg_fail(s->t, TG_ERR_NUMERIC, "the Hessian times a direction is not finite");
    return s->t->status;
}

/* The judge along paths over all leaves: of y, then of <u, g>. */
static tg_status judge(second *s, tg_checker *c) {
    tg_gradcheck_result found = {.verdict = TG_GRAD_RIGHT};
    if (tg_cover(c, false, &found))
        return s->t->status;
    s->r->verdict = found.verdict > s->r->verdict ? found.verdict : s->r->verdict;
    s->r->line = found.line[0];
    s->r->difference = found.line[0].ratio;
    return TG_OK;
}

/* g is recorded as constant, H = 0: where all leaves move, and no operation takes another branch, the kernels'
 * gradient has to stay the same. */
static tg_status compare_constant(second *s, tg_tensor w) {
    tg_checker *c = &s->c;
    bool beyond;
    tg_move_all(c, 0.5, false);
    tg_evaluate(c, 0);
    uint64_t branches = tg_checker_branches(c);
    double apart[2];
    for (int i = 0; i < 2; i++) { /* what a kink makes differ does not shrink with the step */
        if (!tg_evaluate(c, i ? 0x1p-16 : 0x1p-12).finite || tg_checker_branches(c) != branches ||
            compare_gradients(s, w, &apart[i], &beyond))
            return s->t->status;
        if (!beyond)
            return TG_OK;
    }
    s->r->verdict = apart[1] < apart[0] / 4 ? TG_GRAD_WRONG : TG_GRAD_CANNOT_TELL;
    return TG_OK;
}

static tg_status run(second *s, tg_node *y) {
    tg_checker of_gradient = {.alone = false};
    bool beyond = false;
    if (open_y(s, y) || judge(s, &s->c) || s->r->verdict == TG_GRAD_WRONG)
        return s->t->status;
    tg_tensor w = random_like(s, s->y);
    if (tg_gradients(s->y, w, s->x, s->n, s->g) || compare_gradients(s, w, &s->r->adjoint, &beyond) ||
        compare_symmetry(s, w))
        return s->t->status;
    if (beyond) {
        s->r->verdict = TG_GRAD_WRONG;
        return TG_OK;
    }
    tg_tensor ug = along(s);
    if (s->t->status)
        return s->t->status;
    if (!tg_requires_grad(ug))
        return compare_constant(s, w);
    bool bad = tg_checker_open(&of_gradient, s->t, s->t->nodes[ug.index], &s->config);
    return bad ? s->t->status : judge(s, &of_gradient);
}

static const char *const words[] = {"consistent and right", "at a kink", "cannot tell", "WRONG"};

tg_status tg_gradcheck_second(tg_tensor y, uint64_t seed, tg_second_result *result) {
    tg_second_result room, *r = result ? result : &room;
    *r = (tg_second_result){.verdict = TG_GRAD_RIGHT};
    tg_node *n;
    tg_tape *t = y.tape;
    bool bad = !tg_open("gradcheck_second", "f", 1, &y, &n) || !tg_outside_backward(t, "gradcheck_second") ||
               !tg_outside_scope(t, "gradcheck_second");
    second s = {.config = TG_GRADCHECK_DEFAULTS, .r = r};
    s.config.seed = seed;
    s.config.mode = TG_GRADCHECK_FAST;
    if (!bad) {
        tg_outside before = tg_enter_callback(t); /* no callback of the check rewinds what is checked */
        bad = !(s.t = tg_tape_cast(t, TG_F64)) || run(&s, s.t->nodes[n->index]) || t->status;
        tg_leave_callback(t, before);
    }
    if (bad && s.t)
        tg_fail(t, s.t->status, "gradcheck_second (in float64): %.440s", s.t->failure.text);
    tg_tape_free(s.t);
    if (bad) {
        *r = (tg_second_result){.verdict = TG_GRAD_CANNOT_TELL};
        snprintf(r->summary, sizeof r->summary, "%.300s", t ? t->failure.text : "gradcheck_second: the null tensor");
        return t ? t->status : TG_ERR_ARGUMENT;
    }
    snprintf(r->summary, sizeof r->summary,
             "second derivatives: %s%s%s (residual %.16s; recorded gradient against kernels %.16s, symmetry %.16s)",
             words[r->verdict], r->line.reason ? ": " : "", r->line.reason ? r->line.reason : "",
             tg_number_text(r->difference, 2).s, tg_number_text(r->adjoint, 2).s, tg_number_text(r->symmetry, 2).s);
    return tg_is_bad(r->verdict) ? tg_fail(t, TG_ERR_NUMERIC, "gradcheck_second: %s", r->summary) : TG_OK;
}
