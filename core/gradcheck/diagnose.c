/* The mistake that gives this wrong gradient. First what equal runs say, which needs no numbers to compare with; then
 * the table of names.c; else what is known: which elements are wrong, and by what factor. */
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

/* ---- equal runs ---- */

bool tg_draws(tg_checker *c, const tg_node *n) {
    tg_suspect s;
    bool draws = false;
    if (tg_suspect_open(&s, n, c)) {
        tg_rng_state before = s.c.t->rng;
        s.c.t->modes.keep_random = false;
        draws = tg_run_forward(s.c.y) == TG_OK && memcmp(&before, &s.c.t->rng, sizeof before) != 0;
    }
    tg_suspect_close(&s, c->t);
    return draws;
}

/* The gradient that dy times scale gives; false when it fails. */
static bool run(tg_suspect *s, const tg_node *leaf, double scale, double *g) {
    tg_status bad = tg_checker_backward(&s->c, scale);
    if (!bad)
        tg_read_gradient(leaf, g);
    return !bad;
}

/* True when a dy of 0 gives the same gradient each time, until a larger dy has been there: a buffer keeps something. dy
 * grows up to 2^80, since what the buffer holds may be large by now. */
static bool remembers(tg_suspect *s, const tg_node *leaf) {
    size_t bytes = (size_t)leaf->numel * sizeof(double);
    double *first = tg_checker_memory(&s->c, 2 * (size_t)leaf->numel, sizeof *first),
           *after = first + (first ? leaf->numel : 0);
    bool steady = first && run(s, leaf, 0, after) && run(s, leaf, 0, first) && run(s, leaf, 0, after) &&
                  !memcmp(first, after, bytes);
    for (int k = 0; k <= 80 && steady; k += 40)
        if (!run(s, leaf, ldexp(1, k), after) || !run(s, leaf, 0, after) || memcmp(first, after, bytes))
            return !s->c.t->status;
    return false;
}

static bool name_runs(tg_suspect *s, const tg_check_leaf *leaf, tg_gradcheck_result *r) {
    int64_t at = tg_infinite_gradient(leaf);
    if (at >= 0)
        return tg_say(r, TG_MISTAKE_NOT_FINITE, "not finite: element %lld of the gradient is %g", (long long)at,
                      leaf->analytic[at]);
    if (s->c.forward_differs)
        return tg_say(r, TG_MISTAKE_NONDETERMINISTIC,
                      "the forward gives another result for the same numbers: it draws random numbers of its own, or "
                      "keeps something from call to call");
    if ((leaf->differs || leaf->nonlinear) && remembers(s, leaf->x))
        return tg_say(r, TG_MISTAKE_STALE,
                      "a dy of 0 gives another gradient after larger ones than before: a buffer of the backward keeps "
                      "its content");
    if (leaf->differs && tg_draws(&s->c, s->original))
        return tg_say(r, TG_MISTAKE_REDRAWN,
                      "two equal runs of the backward differ: it draws its random mask anew; keep forward's mask");
    if (leaf->differs)
        return tg_say(r, TG_MISTAKE_NONDETERMINISTIC, "two equal runs of the backward differ");
    return leaf->spoilt && fabs(leaf->kept) <= 1e-6 &&
           tg_say(r, TG_MISTAKE_OVERWRITE, "= instead of +=: what the gradient held before is lost");
}

/* The gradient is right where there was none before, and spoils what was. */
static void say_spoilt(const tg_check_leaf *leaf, tg_gradcheck_result *r) {
    double gets = leaf->analytic[leaf->at];
    tg_say(r, TG_MISTAKE_ACCUMULATION,
           "what the gradient held before is %s; a vjp only adds to it: element %lld held %s, gets %s and becomes "
           "%s, not %s",
           tg_near(leaf->kept, 2) ? "added twice" : "changed", (long long)leaf->at, tg_number_text(leaf->held, 6).s,
           tg_number_text(gets, 6).s, tg_number_text(leaf->now, 6).s, tg_number_text(leaf->held + gets, 6).s);
}

/* ---- no name ---- */

/* Which elements are wrong, and by what factor. */
static void describe(const tg_evidence *e, tg_gradcheck_result *r) {
    enum { LISTED = 8 };
    int64_t first = -1, wrong = 0;
    double low = INFINITY, high = -INFINITY;
    tg_say(r, TG_MISTAKE_UNKNOWN, "none of the common mistakes: %s%lld of %lld elements looked at are wrong",
           tg_suspect_leaf(e->s, e->x)->nonlinear ? "not linear in dy, as every VJP is; " : "", (long long)e->n_wrong,
           (long long)e->n);
    for (int64_t i = 0; i < e->n; i++) {
        double ratio = e->wrong[i] / e->right[i];
        if (!(tg_apart(e, i, e->right[i]) > 1e-7))
            continue;
        first = first < 0 ? i : first;
        low = isfinite(ratio) ? fmin(low, ratio) : low;
        high = isfinite(ratio) ? fmax(high, ratio) : high;
        if (++wrong <= LISTED && e->n_wrong < e->n)
            tg_append(r->diagnosis, "%s%lld", wrong == 1 ? ": " : ", ", (long long)e->at[i]);
    }
    if (wrong > LISTED && wrong < e->n)
        tg_append(r->diagnosis, ", ...");
    if (first >= 0)
        tg_append(r->diagnosis, "; element %lld is %s, not %s", (long long)e->at[first],
                  tg_number_text(e->wrong[first], 6).s, tg_number_text(e->right[first], 6).s);
    if (wrong > 1 && low <= high)
        tg_append(r->diagnosis, "; wrong / right from %s to %s", tg_number_text(low + 0, 6).s,
                  tg_number_text(high + 0, 6).s); /* + 0: no -0 */
    if (e->at_kinks)
        tg_append(r->diagnosis, "; others are too near a kink");
}

/* ---- all of it ---- */

/* Each leaf's elements in another order, and moved by about a quarter of their size. */
static tg_status move_elsewhere(tg_checker *c) {
    for (int l = 0; l < c->n_leaves; l++) {
        const tg_check_leaf *leaf = &c->leaf[l];
        for (int64_t i = leaf->x->numel - 1; i >= 0; i--) {
            int64_t k = (int64_t)(tg_rng_double(&c->rng) * (double)(i + 1));
            double x = tg_number(c->t->dtype, leaf->x->data, k), other = tg_number(c->t->dtype, leaf->x->data, i);
            tg_write_number(c->t->dtype, leaf->x->data, k, other);
            x += (x != 0 ? fabs(x) : leaf->size) * tg_checker_random(c) / 4;
            tg_write_number(c->t->dtype, leaf->x->data, i, x);
        }
    }
    return tg_checker_run(c);
}

/* Evidence of the same operation there, with a smaller dy, so that a dy that is cut or replaced shows. */
static void collect_elsewhere(tg_evidence *e, tg_suspect *there, const tg_suspect *s, int operand) {
    *e = (tg_evidence){.n = 0};
    if (!tg_suspect_open(there, s->original, &s->c))
        return;
    for (int64_t j = 0; j < there->c.y->numel; j++)
        there->c.cotangent[j] = 0.25 * tg_checker_random(&there->c);
    if (move_elsewhere(&there->c) || !tg_collect_evidence(e, there, operand))
        *e = (tg_evidence){.n = 0};
}

void tg_diagnose(tg_suspect *s, int operand, tg_gradcheck_result *r) {
    const tg_check_leaf *leaf = tg_suspect_leaf(s, s->x[operand]);
    tg_evidence here, elsewhere;
    tg_suspect there;
    tg_return(&s->c);
    if (!leaf || name_runs(s, leaf, r))
        return;
    tg_say(r, TG_MISTAKE_UNKNOWN, "%s",
           leaf->nonlinear ? "not linear in dy, as every VJP is"
                           : "too near a kink to be compared with common mistakes");
    bool found = s->c.t->dtype == TG_F64 && tg_collect_evidence(&here, s, operand);
    if (leaf->spoilt && (!found || !here.n_wrong))
        say_spoilt(leaf, r);
    else if (found)
        describe(&here, r);
    if (!found || !here.n_wrong)
        return;
    collect_elsewhere(&elsewhere, &there, s, operand);
    (void)!tg_name_mistake(&here, &elsewhere, r);
    tg_suspect_close(&there, s->c.t);
}
