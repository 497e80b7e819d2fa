/* A gradient that is NaN or Inf is a mistake, unless no finite one would be right. Then the check refuses, and says
 * why: a value on the way is not finite, an operation has an infinite slope there, or backward's numbers overflow. */
#include "core/gradcheck/check.h"

/* tg_fail where a value on the tape is not finite, and is not meant to be: 0 log 0, tanh(exp(1000)). */
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
                tg_number((tg_dtype)n->dtype, n->data, at));
    }
    return TG_OK;
}

/* True when (f(h) - f(0)) / h goes on changing to a side, as that of a root does, or of x log x, each time that h is
 * 256 times narrower (float32: 8), or when there is none. */
static bool is_slope_infinite(tg_checker *c, int64_t element) {
    double most = c->t->dtype == TG_F32 ? FLT_MAX / 1024 : DBL_MAX / 1024, size = tg_size_of(c, element);
    double shorter = c->t->dtype == TG_F32 ? 8 : 256, rounding = 4 * c->unit * shorter * shorter * shorter;
    for (int side = -1; side <= 1; side += 2) {
        double slope[3], h = side / shorter;
        bool known = true;
        tg_clear_path(c);
        c->n_moving = 1;
        c->moving[0] = element;
        c->direction[0] = size;
        for (int i = 0; i < 3; i++, h /= shorter) {
            tg_point p = tg_evaluate(c, h);
            slope[i] = p.f / h;
            known &= p.finite && fabs(slope[i]) / size <= most;
        }
        double first = fabs(slope[1] - slope[0]), second = fabs(slope[2] - slope[1]);
        if (!known || (second > first / 4 && second > rounding * fabs(slope[2])))
            return true;
    }
    return false;
}

/* True when the square of the largest leaf would overflow. */
static bool may_overflow(const tg_checker *c) {
    double most = 0, limit = c->t->dtype == TG_F32 ? FLT_MAX : DBL_MAX;
    for (uint32_t i = 0; i <= c->y->index; i++)
        most = fmax(most, c->t->nodes[i]->op ? 0 : tg_largest(c->t->nodes[i]));
    return most > sqrt(limit);
}

/* True when f has an infinite slope (or else a finite one) by an element whose gradient is not finite. */
static bool has_slope(tg_checker *c, bool infinite) {
    for (int k = 0; k < c->n_leaves; k++) {
        int64_t at = tg_infinite_gradient(&c->leaf[k]);
        if (at >= 0 && is_slope_infinite(c, c->leaf[k].first + at) == infinite)
            return true;
    }
    return false;
}

/* Not where y is infinite: it gets a dy of 0 there, and 0 / 0 is no mistake. */
bool tg_is_infinite_by_mistake(tg_checker *c) { return !c->infinite && !may_overflow(c) && has_slope(c, false); }

/* True when an operation, alone, has a finite slope and a gradient that is not; tg_fail at an infinite slope before. */
static bool find_mistake(tg_checker *c, const tg_node *leaf) {
    bool found = false;
    for (uint32_t i = 0; i <= c->y->index && !found && !c->t->status; i++) {
        const tg_node *n = c->t->nodes[i];
        tg_suspect s;
        if (!c->needed[i] || !tg_has_vjp(n))
            continue;
        bool opened = tg_suspect_open(&s, n, c), infinite = opened && has_slope(&s.c, true);
        found = opened && !infinite && tg_is_infinite_by_mistake(&s.c);
        if (infinite)
            tg_fail(c->t, TG_ERR_NUMERIC,
                    "the gradient of tensor %u %s is not finite: %s (tensor %u %s) has an infinite slope there",
                    leaf->index, tg_node_text(leaf).s, n->op->name, n->index, tg_node_text(n).s);
        tg_suspect_close(&s, c->t);
    }
    return found;
}

tg_status tg_refuse_infinite(tg_checker *c) {
    const tg_node *x = NULL;
    for (int i = 0; i < c->n_leaves && !x; i++)
        x = tg_infinite_gradient(&c->leaf[i]) >= 0 ? c->leaf[i].x : NULL;
    if (!x || find_value(c, x) || find_mistake(c, x) || c->t->status)
        return c->t->status;
    return tg_fail(c->t, TG_ERR_NUMERIC, "the gradient of tensor %u %s is not finite: it overflows on its way",
                   x->index, tg_node_text(x).s);
}
