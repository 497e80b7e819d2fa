/* Differences at narrower and narrower steps (ladder.h). */
#include "core/gradcheck/ladder.h"

#include "core/gradcheck/check.h"

double tg_largest(int64_t n, const long double *a) {
    double most = 0;
    for (int64_t i = 0; i < n; i++)
        most = fmax(most, (double)fabsl(a[i]));
    return most;
}

double tg_distance(int64_t n, const long double *a, const long double *b) {
    double most = 0;
    for (int64_t i = 0; i < n; i++)
        most = fmax(most, (double)fabsl(a[i] - b[i]));
    return most;
}

/* The newest row, extrapolated with those before (Ridders): row m of the table becomes the estimate from rows m and
 * m + 1. The one that changed least is kept in now; returns its bar. */
static double extrapolate(tg_ladder *l, double rounding) {
    double factor = 1, least = INFINITY;
    memcpy(l->now, l->row[l->rows - 1], (size_t)l->n * sizeof *l->now);
    for (int m = l->rows - 2; m >= 0; m--) {
        long double change = 0;
        factor *= 16; /* steps of a quarter, errors of even order */
        for (int64_t i = 0; i < l->n; i++) {
            long double coarse = l->row[m][i], fine = l->row[m + 1][i], finer = fine + (fine - coarse) / (factor - 1);
            long double moved = fmaxl(fabsl(finer - fine), fabsl(finer - coarse));
            change = moved > change ? moved : change;
            l->row[m][i] = finer;
        }
        if (!((double)change < least))
            continue;
        least = (double)change;
        memcpy(l->now, l->row[m], (size_t)l->n * sizeof *l->now);
    }
    return least + 2 * rounding;
}

long double *tg_ladder_row(tg_ladder *l) {
    if (l->rows == TG_LADDER_ROWS) {
        long double *first = l->row[0];
        memmove(l->row, l->row + 1, sizeof first * (TG_LADDER_ROWS - 1));
        l->row[TG_LADDER_ROWS - 1] = first;
        l->rows--;
    }
    return l->row[l->rows];
}

void tg_ladder_add(tg_ladder *l, double rounding, double kink, double hidden) {
    l->rows++;
    double bar = extrapolate(l, rounding);
    l->bar[l->steps] = bar;
    l->kink[l->steps] = kink;
    l->hidden[l->steps] = hidden;
    l->apart[l->steps] = tg_distance(l->n, l->now, l->claim);
    l->jump[l->steps] = l->steps ? tg_distance(l->n, l->now, l->last) : INFINITY;
    if (bar < l->best_bar || tg_distance(l->n, l->now, l->best) > 10 * (bar + l->best_bar)) {
        l->best_bar = bar;
        memcpy(l->best, l->now, (size_t)l->n * sizeof *l->best);
    }
    long double *now = l->now;
    l->now = l->last;
    l->last = now;
    l->steps++;
}

void tg_ladder_forget(tg_ladder *l) {
    l->rows = l->steps = 0;
    l->best_bar = INFINITY;
}

double tg_ladder_scale(const tg_ladder *l) {
    double scale = fmax(tg_largest(l->n, l->claim), isfinite(l->best_bar) ? tg_largest(l->n, l->best) : 0);
    return scale > 0 ? scale : 1;
}

/* Do narrower steps show something else than this one? */
static bool is_denied(const tg_ladder *l, int step) {
    double apart = isfinite(l->best_bar) ? tg_distance(l->n, l->best, l->claim) : INFINITY;
    return fabs(l->apart[step] - apart) > 10 * (l->bar[step] + l->best_bar);
}

/* Is there a step, not too wide, that shows what the best estimate does, and at which f itself would move by it? What
 * an operation loses within itself, as Phi(x) where 1 + erf is 0, is missing from its gradient smoothly at all steps,
 * and at narrow ones a gradient may lie still between two of its last bits. */
static bool is_seen(const tg_ladder *l, double scale) {
    for (int i = 1; i < l->steps; i++)
        for (int64_t j = 0; j < l->n && l->bar[i] <= 1e-3 * scale && !is_denied(l, i); j++)
            if ((double)fabsl(l->best[j] - l->claim[j]) * fabs(l->along[j]) > l->hidden[i])
                return true;
    return false;
}

bool tg_ladder_refutes(const tg_ladder *l, const tg_ladder *beside, double scale, double rounding) {
    int in_a_row = 0;
    double apart = isfinite(l->best_bar) ? tg_distance(l->n, l->best, l->claim) : 0;
    for (int i = l->steps; i-- > 1 && in_a_row < 3 && apart > 1e-6 * scale;) {
        double unclear = 10 * l->bar[i] + 100 * rounding + l->kink[i];
        if (!(unclear < 0.5 * apart) || (beside && is_denied(beside, i)))
            continue;
        if (l->apart[i] <= unclear)
            return false;
        if (l->bar[i] > 1e-3 * scale)
            continue;
        if (!(l->jump[i] <= 10 * (l->bar[i] + l->bar[i - 1])))
            return false;
        in_a_row++;
    }
    return in_a_row == 3 && (!l->along || is_seen(l, scale));
}
