/* The float64 kernels that train, against the plain ones in long double.
 *
 * Verdicts rest on differences in long double, whose forwards share no vector kernel with float64's: what these alone
 * have wrong would show nowhere. So each built-in operation's result, and what it keeps for its gradient (a norm's
 * statistics), is compared alone, from equal operands. They may differ by
 *
 *     TIMES A(n) (D + u |value| + 2^-1022 S) + 8 u S,    u = 2^-53
 *
 * where D is how far long double's value moves when every operand does by about u: float32's bound, of float64
 * (float32_bound.c), and by TIMES more, since no mistake of a kernel is so small. */
#include "core/gradcheck/float32.h"

#include <float.h>

enum { RUNS = 6, TIMES = 1 << 10 };
#define UNIT 0x1p-53
#define MOST_WORK 2e8 /* multiplications and so on, which take a second in long double */

/* The same numbers in both. */
typedef struct twins {
    int64_t n;
    const double *own;
    long double *fine;
    double *moved; /* D */
} twins;

/* What is furthest from its twin, in times of what it may be. */
typedef struct furthest {
    double most;
    int64_t at, n;
    double own, fine;
    bool saved;
} furthest;

/* ---- the numbers ---- */

static bool open_twins(tg_checker *c, twins *w, int64_t n, const double *own) {
    *w = (twins){.n = n, .own = own};
    return (w->fine = tg_checker_memory(c, (size_t)n, sizeof *w->fine)) &&
           (w->moved = tg_checker_memory(c, (size_t)n, sizeof *w->moved));
}

/* fine's operands are c's, moved by this run; 0: as they are. */
static tg_status run_fine(const tg_checker *c, const tg_side *fine, int run) {
    for (uint32_t i = 0; i < c->y->index; i++) {
        const tg_node *x = c->t->nodes[i];
        long double *to = fine->t->nodes[i]->data;
        for (int64_t j = 0; !x->op && c->needed[i] && tg_is_floating(x) && j < x->numel; j++) {
            uint64_t bits = tg_f32_bits(run, i + 1, j);
            long double by = UNIT * (0.5L + (long double)(bits >> 12 & 0xffffff) * 0x1p-24L);
            to[j] = ((const double *)x->data)[j];
            if (run && isfinite((double)to[j]))
                to[j] *= 1 + (bits >> 63 ? by : -by);
        }
    }
    return tg_run_forward(fine->y);
}

static uint64_t branches_of(const tg_node *y) {
    tg_branches b = {0};
    tg_note_branches(y, &b);
    return b.hash;
}

static void note_move(twins *w, const long double *now) {
    for (int64_t j = 0; j < w->n; j++) {
        double d = fabs((double)(now[j] - w->fine[j]));
        w->moved[j] = fmax(w->moved[j], isfinite(d) ? d : 0);
    }
}

/* Result and saved numbers, and how far they move; false where that is not known. */
static bool measure(tg_checker *c, const tg_side *fine, twins *result, twins *saved) {
    const tg_node *y = fine->y;
    long double *now = tg_checker_memory(c, (size_t)y->numel, sizeof *now);
    uint64_t branches = branches_of(c->y);
    int measured = 0;
    if (!now || run_fine(c, fine, 0) || branches_of(y) != branches)
        return false;
    tg_copy_out(y, y->data, y->stride, result->fine);
    memcpy(saved->fine, y->saved ? y->saved : now, (size_t)saved->n * sizeof *saved->fine);
    for (int run = 1; run <= RUNS; run++) {
        if (run_fine(c, fine, run))
            return false;
        if (branches_of(y) != branches)
            continue;
        measured++;
        tg_copy_out(y, y->data, y->stride, now);
        note_move(result, now);
        note_move(saved, saved->n ? y->saved : now);
    }
    return !run_fine(c, fine, 0) && measured;
}

/* ---- comparing ---- */

static void compare(const tg_node *y, const twins *w, bool saved, furthest *worst) {
    double n = tg_f32_terms(y, -1), a = TIMES * (8 * sqrt(n) + n), size = tg_f32_size(y, -1);
    double cancelled = saved || tg_f32_cancels(y) ? 8 * UNIT * size : 0;
    for (int64_t j = 0; j < w->n; j++) {
        double fine = (double)w->fine[j], d = fabs((double)(w->own[j] - w->fine[j]));
        double times = d / (a * (w->moved[j] + UNIT * fabs(fine) + DBL_MIN * size + cancelled));
        if (!isfinite(w->own[j]) || !isfinite(fine) || !(times > 1)) /* float64 overflows, or has a mask */
            continue;
        worst->n++;
        if (times <= worst->most)
            continue;
        *worst = (furthest){times, j, worst->n, w->own[j], fine, saved};
    }
}

static bool is_small_enough(const tg_node *y) {
    return (double)y->numel + (y->op->flops ? y->op->flops(y, -1) : 0) <= MOST_WORK;
}

bool tg_float64_differs(tg_suspect *s, tg_gradcheck_result *r) {
    tg_checker *c = &s->c;
    const tg_node *y = c->y;
    twins result, saved;
    furthest worst = {.most = 0};
    if (c->has_custom || c->forward_differs || y->op->is_view || !is_small_enough(y))
        return false;
    const tg_side *fine = tg_checker_fine(c);
    bool keeps = fine && y->saved && fine->y->saved && y->n_saved == fine->y->n_saved && !y->op->branches[TG_F64];
    if (!fine || !open_twins(c, &result, y->numel, c->at_base) ||
        !open_twins(c, &saved, keeps ? y->n_saved : 0, y->saved) || !measure(c, fine, &result, &saved))
        return false;
    compare(y, &result, false, &worst);
    compare(y, &saved, true, &worst);
    if (worst.n && !r->wrong_ops++) {
        tg_gradcheck_say_where(s->original, -1, r);
        tg_say(r, TG_MISTAKE_FLOAT64,
               "float64 only: element %lld of %s is %.10g, not %.10g as long double has it from equal operands; %lld "
               "element%s so",
               (long long)worst.at, worst.saved ? "what forward keeps for the gradient" : "the result", worst.own,
               worst.fine, (long long)worst.n, worst.n == 1 ? " is" : "s are");
    }
    return worst.n > 0;
}
