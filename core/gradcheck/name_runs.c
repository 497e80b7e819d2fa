/* What equal runs of an operation say of it: nothing that is random may differ between them, and nothing may be kept
 * from one to the next. */
#include "core/gradcheck/check.h"

bool tg_draws(const tg_suspect *s) {
    tg_suspect again;
    bool draws = false;
    if (tg_suspect_open(&again, s->original, s->c.config, (tg_alone_config){.dtype = TG_F64})) {
        tg_rng_state before = again.c.t->rng;
        again.c.t->keep_random = false;
        draws = tg_run_forward(again.c.y) == TG_OK && memcmp(&before, &again.c.t->rng, sizeof before) != 0;
    }
    tg_tape_free(again.c.t);
    return draws;
}

enum { RUNS = 6 };

/* The gradient of x in equal runs of backward with dy times scale, one behind the other; NULL when that fails. */
static double *repeat(tg_suspect *s, const tg_node *x, double scale) {
    tg_checker *c = &s->c;
    double *g = tg_evidence_numbers(s, RUNS * x->numel);
    for (int64_t j = 0; j < c->y->numel; j++)
        c->low[j] = scale * c->cotangent[j];
    if (tg_write_doubles(c->v, c->low, c->y->numel))
        return NULL;
    for (int run = 0; run < RUNS && g; run++) {
        tg_zero_grads(c->t);
        if (tg_backward_with(tg_handle(c->y), c->v))
            return NULL;
        if (x->gowner->has_grad)
            tg_copy_out(x, tg_grad_elements(x), x->gstride, g + run * x->numel);
    }
    return tg_write_doubles(c->v, c->cotangent, c->y->numel) ? NULL : g;
}

/* Does each run add the same to what the last one gave? */
static bool grows(const double *g, int64_t n) {
    bool moves = false;
    for (int64_t j = 0; j < n; j++) {
        double step = g[n + j] - g[j];
        for (int run = 1; run < RUNS; run++)
            if (!(fabs(g[run * n + j] - g[(run - 1) * n + j] - step) <= 1e-9 * fabs(g[run * n + j])))
                return false;
        if (step != 0 && fabs(step) < 1e-8 * fabs(g[j])) /* what was kept may be large by now */
            return false;
        moves |= step != 0;
    }
    return moves;
}

/* Is each element 0 or its one value, and some of them now this, now that? */
static bool is_masked_anew(const double *g, int64_t n) {
    bool changes = false;
    for (int64_t j = 0; j < n; j++) {
        double value = 0;
        int zeros = 0;
        for (int run = 0; run < RUNS; run++) {
            double now = g[run * n + j];
            if (now != 0 && value != 0 && !tg_near(now, value))
                return false;
            value = now != 0 ? now : value;
            zeros += now == 0;
        }
        changes |= zeros && value != 0;
    }
    return changes;
}

/* What earlier calls left comes out of a dy of 0 too; of a factor that changes from call to call nothing does. */
static bool keeps(tg_suspect *s, const tg_node *x) {
    const double *g = repeat(s, x, 0);
    for (int64_t j = 0; g && j < x->numel; j++)
        if (g[j] != 0)
            return true;
    return false;
}

/* Does a dy of 0 give another gradient after larger ones than before? What a buffer holds may be so large by now that
 * equal runs do not show what they add. */
static bool remembers(tg_suspect *s, const tg_node *x) {
    size_t n = (size_t)x->numel, last = (RUNS - 1) * n;
    const double *before = repeat(s, x, 0), *after = before;
    bool steady = before && !memcmp(before, before + last, n * sizeof *before);
    for (int k = 0; k <= 120 && steady && after && !memcmp(before, after, n * sizeof *before); k += 40)
        after = repeat(s, x, ldexp(1, k)) ? repeat(s, x, 0) : NULL;
    return steady && after && memcmp(before, after, n * sizeof *before) != 0;
}

static bool say_stale(tg_gradcheck_result *r) {
    return tg_say(r, TG_MISTAKE_STALE,
                  "each call adds to what the last one left: a buffer of the backward keeps its content");
}

static bool name_difference(tg_suspect *s, const tg_node *x, tg_gradcheck_result *r) {
    const double *g = repeat(s, x, 1);
    if (g && grows(g, x->numel) && keeps(s, x))
        return say_stale(r);
    if (g && (is_masked_anew(g, x->numel) || tg_draws(s)))
        return tg_say(r, TG_MISTAKE_REDRAWN,
                      "two equal runs of the backward differ: it draws its random mask anew; keep forward's mask");
    /* larger than what earlier calls left */
    if ((g = repeat(s, x, 0x1p80)) && grows(g, x->numel) && keeps(s, x))
        return say_stale(r);
    return tg_say(r, TG_MISTAKE_NONDETERMINISTIC, "two equal runs of the backward differ");
}

bool tg_name_infinite(const double *g, int64_t n, tg_gradcheck_result *r) {
    for (int64_t j = 0; j < n; j++)
        if (!isfinite(g[j]))
            return tg_say(r, TG_MISTAKE_NOT_FINITE, "not finite: element %lld of the gradient is %g", (long long)j,
                          g[j]);
    return false;
}

static int operand_of(const tg_suspect *s, const tg_node *x) {
    int k = 0;
    while (s->x[k] != x)
        k++;
    return k;
}

/* Is the gradient 0 where the operands are in another order? What is 0 here may be so for these numbers alone. */
static bool is_zero_elsewhere(const tg_suspect *s, const tg_node *x) {
    tg_suspect other;
    bool zero = false;
    if (tg_suspect_open(&other, s->original, s->c.config, (tg_alone_config){.dtype = TG_F64})) {
        zero = !tg_move_elsewhere(&other.c);
        const tg_check_leaf *leaf = tg_suspect_leaf(&other, other.x[operand_of(s, x)]);
        zero &= leaf->largest == 0;
    }
    tg_tape_free(other.c.t);
    return zero;
}

bool tg_name_runs(tg_suspect *s, int operand, const double *g, tg_gradcheck_result *r) {
    const tg_node *x = s->x[operand];
    const tg_check_leaf *leaf = tg_suspect_leaf(s, x);
    bool zero = true;
    if (tg_name_infinite(g, x->numel, r))
        return true;
    for (int64_t j = 0; j < x->numel; j++)
        zero &= g[j] == 0;
    if (s->c.forward_differs)
        return tg_say(r, TG_MISTAKE_NONDETERMINISTIC,
                      "the forward gives another result for the same numbers: it draws random numbers of its own, or "
                      "keeps something from call to call");
    if (leaf->differs)
        return name_difference(s, x, r);
    if (leaf->nonlinear && remembers(s, x))
        return tg_say(r, TG_MISTAKE_STALE,
                      "a dy of 0 gives another gradient after larger ones than before: a buffer of the backward keeps "
                      "its content");
    if (leaf->spoilt && fabs(leaf->kept) <= 1e-6)
        return tg_say(r, TG_MISTAKE_OVERWRITE, "= instead of +=: what the gradient held before is lost");
    return zero && !leaf->nonlinear && !leaf->spoilt && is_zero_elsewhere(s, x) &&
           tg_say(r, TG_MISTAKE_ZERO, "constant zero: no gradient comes back (detached, or never added)");
}
