/* A gradient that is NaN or Inf: is there none that could be right? Then the check refuses, and says why: a value on
 * the way is not finite, an operation has an infinite slope there, or backward's numbers are beyond float64. */
#include "core/gradcheck/check.h"

static bool has_infinite_gradient(const tg_check_leaf *leaf, int64_t *at) {
    for (*at = 0; *at < leaf->x->numel; ++*at)
        if (!isfinite(leaf->analytic[*at]))
            return true;
    return false;
}

/* On the whole tape: 0 log 0, tanh(exp(1000)). */
static tg_status find_value(tg_checker *c, const tg_node *leaf) {
    for (uint32_t i = 0; i <= c->y->index; i++) {
        const tg_node *n = c->t->nodes[i];
        int64_t at = tg_first_infinite(n);
        if (c->needed[i] && n->op && n->base == n && at >= 0 && !tg_infinite_on_purpose(c, n))
            return tg_fail(
                c->t, TG_ERR_NUMERIC,
                "the gradient of tensor %u %s is not finite, since tensor %u %s, made by %s, is not: element "
                "%lld is %g",
                leaf->index, tg_node_text(leaf).s, n->index, tg_node_text(n).s, n->op->name, (long long)at,
                ((const double *)n->data)[at]);
    }
    return TG_OK;
}

/* Has the operation, alone, an infinite slope where its gradient is not finite? Where a derivative exists the gradient
 * is wrong, and the check goes on. */
static bool is_infinite_alone(tg_suspect *s, bool *wrong) {
    tg_checker *c = &s->c;
    bool infinite = false;
    for (int i = 0; i < c->n_leaves; i++) {
        const tg_check_leaf *leaf = &c->leaf[i];
        for (int64_t j = 0; j < leaf->x->numel && !*wrong; j++) {
            double x = ((const double *)leaf->x->data)[j];
            if (isfinite(leaf->analytic[j]) || !isfinite(x))
                continue;
            memset(c->moves, 0, (size_t)c->y->index + 1);
            c->moves[leaf->x->index] = true;
            tg_checker_cone(c);
            tg_line line = {.x = leaf->x, .at = j, .start = x, .size = fabs(x), .widest = fmax(fabs(x), leaf->scale)};
            tg_outcome o = tg_check_line(c, &line, leaf->analytic[j]);
            *wrong = o.verdict == TG_GRAD_WRONG;
            infinite |= o.reason == tg_infinite_slope;
        }
    }
    return infinite && !*wrong && !c->t->status;
}

static tg_status find_slope(tg_checker *c, const tg_node *leaf, bool *wrong) {
    for (uint32_t i = 0; i <= c->y->index && !*wrong && !c->t->status; i++) {
        const tg_node *n = c->t->nodes[i];
        tg_suspect s;
        if (!c->needed[i] || !tg_has_vjp(n))
            continue;
        if (tg_suspect_open(&s, n, c->config) && is_infinite_alone(&s, wrong))
            tg_fail(c->t, TG_ERR_NUMERIC,
                    "the gradient of tensor %u %s is not finite: %s (tensor %u %s) has an infinite slope there",
                    leaf->index, tg_node_text(leaf).s, n->op->name, n->index, tg_node_text(n).s);
        tg_suspect_close(&s, c->t);
    }
    return c->t->status;
}

static tg_status find_overflow(tg_checker *c, const tg_node *leaf) {
    const tg_node *n = NULL;
    (void)tg_repeat_vjps(c, &n);
    if (c->t->status || !n)
        return c->t->status;
    return tg_fail(c->t, TG_ERR_NUMERIC,
                   "the gradient of tensor %u %s is not finite: it overflows in that of %s (tensor %u %s)", leaf->index,
                   tg_node_text(leaf).s, n->op->name, n->index, tg_node_text(n).s);
}

static tg_status refuse(tg_checker *c, const tg_node *leaf) {
    bool wrong = false;
    if (find_value(c, leaf) || find_slope(c, leaf, &wrong) || wrong)
        return c->t->status;
    return find_overflow(c, leaf);
}

tg_status tg_refuse_infinite(tg_checker *c) {
    int64_t at;
    for (int i = 0; i < c->n_leaves; i++)
        if (has_infinite_gradient(&c->leaf[i], &at))
            return refuse(c, c->leaf[i].x);
    return TG_OK;
}
