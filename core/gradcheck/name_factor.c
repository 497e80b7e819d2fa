/* A gradient that is the right one times a constant: which constants have a name. One element alone has a factor
 * always, so that a factor without a meaning needs two. */
#include "core/gradcheck/check.h"
#include "core/kernels/attention.h"

extern const tg_op tg_op_attention;

/* Nothing is left of the terms that the right gradient is made of. */
bool tg_name_zero(tg_evidence *e, tg_gradcheck_result *r) {
    double most = 0;
    for (int64_t i = 0; i < e->n; i++)
        most = fmax(most, fabs(e->wrong[i]));
    return most <= 1e-13 * e->largest &&
           tg_say(r, TG_MISTAKE_ZERO, "zero but for rounding: %g at most, where terms of %g meet", most, e->largest);
}

/* The constant that the wrong gradient is of the right one, or 1. live: of how many elements. */
static double constant_factor(tg_evidence *e, int64_t *live) {
    double products = 0, squares = 0;
    *live = 0;
    for (int64_t i = 0; i < e->n; i++) {
        double unit = tg_unit_at(e, i);
        if (unit == 0)
            continue;
        products += e->wrong[i] / unit * (e->right[i] / unit);
        squares += e->right[i] / unit * (e->right[i] / unit);
        *live += fabs(e->right[i]) > 1e-6 * e->size[i];
    }
    double factor = squares > 0 ? products / squares : 1;
    for (int64_t i = 0; i < e->n; i++)
        e->other[i] = factor * e->right[i];
    return *live && tg_explains(e, e->other) ? factor : 1;
}

/* ---- which factors mean something ---- */

/* Rows of x, along its last dim, that y depends on: those that are ignored do not count in a mean. */
static int64_t live_rows(const tg_evidence *e) {
    int64_t columns = e->x->ndim ? e->x->size[e->x->ndim - 1] : 1, rows = 0, last = -1;
    for (int64_t i = 0; i < e->n; i++) {
        if (e->dead[i] || e->at[i] / columns == last)
            continue;
        last = e->at[i] / columns;
        rows++;
    }
    return rows;
}

/* Is it a number of elements that a mean might be over? Elementwise operations have none. */
static int64_t count_near(const tg_evidence *e, double factor) {
    const tg_node *x = e->x, *y = e->s->c.y;
    int64_t candidate[3 * TG_MAX_DIMS + 8], n = 0;
    if (e->is_diagonal)
        return 0;
    candidate[n++] = y->numel ? x->numel / y->numel : 0;
    candidate[n++] = x->numel ? y->numel / x->numel : 0;
    candidate[n++] = x->numel;
    candidate[n++] = y->numel;
    candidate[n++] = live_rows(e);
    for (int i = 0; i < x->ndim; i++) {
        candidate[n++] = x->size[i];
        candidate[n++] = x->size[i] ? x->numel / x->size[i] : 0;
    }
    for (int i = 0; i < y->ndim; i++)
        candidate[n++] = y->size[i];
    candidate[n++] = candidate[0] - 1; /* of an unbiased variance */
    for (int i = 0; i < n; i++)
        if (candidate[i] > 1 && tg_near(factor, (double)candidate[i]))
            return candidate[i];
    return 0;
}

/* d when the factor is sqrt(d) for a dim of size d of a product's operand. */
static int64_t root_near(const tg_evidence *e, double factor) {
    for (int k = 0; k < e->s->original->n_in && !e->is_diagonal; k++) {
        const tg_node *x = e->s->x[k];
        for (int i = x && x->ndim > 1 ? x->ndim - 1 : -1; i >= 0; i--)
            if (x->size[i] > 1 && tg_near(factor, sqrt((double)x->size[i])))
                return x->size[i];
    }
    return 0;
}

/* What scales attention's scores, else 1. */
static double score_scale(const tg_evidence *e) {
    const tg_node *n = e->s->original;
    return n->op->probe == tg_op_attention.probe && e->operand < 2 ? ((const tg_attention *)n->attr)->scale : 1;
}

/* The constant c when y = c x elementwise, else 1. */
static double forward_scale(const tg_evidence *e) {
    int64_t live = 0;
    double c = 1;
    for (int64_t i = 0; i < e->n; i++) {
        if (!e->is_diagonal || e->dead[i] || (live && !tg_near(e->local[i], c)))
            return 1;
        c = e->local[i];
        live++;
    }
    return live > 1 ? c : 1;
}

static bool say_scale(double scale, double size, const char *sign, tg_gradcheck_result *r) {
    if (!tg_near(scale, 1) && tg_near(size, 1 / scale))
        return tg_say(r, TG_MISTAKE_SCALE, "%sthe forward's scale (or temperature) %g is forgotten in the backward",
                      sign, scale);
    if (!tg_near(scale, 1) && tg_near(size, scale))
        return tg_say(r, TG_MISTAKE_SCALE, "%sthe forward's scale (or temperature) %g is applied twice", sign, scale);
    return false;
}

static bool say_root(const tg_evidence *e, double size, const char *sign, tg_gradcheck_result *r) {
    int64_t n;
    if ((n = root_near(e, size)))
        return tg_say(r, TG_MISTAKE_SCALE, "%sthe scale 1/sqrt(d_k) is forgotten in the backward (d_k = %lld)", sign,
                      (long long)n);
    if ((n = root_near(e, 1 / size)))
        return tg_say(r, TG_MISTAKE_SCALE, "%sthe scale 1/sqrt(d_k) is applied twice in the backward (d_k = %lld)",
                      sign, (long long)n);
    return false;
}

static bool say_factor(const tg_evidence *e, double factor, tg_gradcheck_result *r) {
    double size = fabs(factor), scale = fabs(forward_scale(e));
    const char *sign = factor < 0 ? "the sign is flipped, and " : "";
    int64_t n;
    if (tg_near(factor, -1))
        return tg_say(r, TG_MISTAKE_SIGN, "the sign is flipped: -1 times the right gradient");
    if (say_scale(scale, size, sign, r))
        return true;
    if (tg_near(size, 2))
        return tg_say(r, TG_MISTAKE_TWICE,
                      "%s2 times the right gradient: accumulated twice, or a factor 1/2 forgotten%s", sign,
                      count_near(e, 2) ? ", or 1/n forgotten (n = 2)" : "");
    if (tg_near(size, 0.5))
        return tg_say(r, TG_MISTAKE_HALF, "%shalf the right gradient: a factor 2 forgotten%s", sign,
                      count_near(e, 2) ? ", or divided by n = 2 once too often" : "");
    if ((n = count_near(e, size)))
        return tg_say(r, TG_MISTAKE_MISSING_MEAN, "%s%lld times the right gradient: 1/n is missing (n = %lld)", sign,
                      (long long)n, (long long)n);
    if ((n = count_near(e, 1 / size)))
        return tg_say(r, TG_MISTAKE_EXTRA_MEAN, "%s1/%lld of the right gradient: divided by n = %lld once too often",
                      sign, (long long)n, (long long)n);
    return say_scale(score_scale(e), size, sign, r) || say_root(e, size, sign, r);
}

bool tg_name_factor(tg_evidence *e, tg_gradcheck_result *r) {
    int64_t live;
    double factor = constant_factor(e, &live);
    if (!say_factor(e, factor, r))
        return false;
    r->factor = factor;
    return true;
}

bool tg_name_any_factor(tg_evidence *e, tg_gradcheck_result *r) {
    int64_t live;
    double factor = constant_factor(e, &live);
    if (factor == 1 || factor == 0 || live < 2)
        return false;
    r->factor = factor;
    return tg_say(r, TG_MISTAKE_FACTOR, "%.9g times the right gradient", factor);
}
