/* Results in float32: those of float64, as far as the operands, rounded to float, determine them. */
#include "core/gradcheck/check.h"

enum { SHAKES = 16 };

/* Writes how far each element of y moves as the operands move by a few units of float. */
static bool note_shifts(tg_checker *c, double *shift) {
    for (int i = 0; i < SHAKES; i++) {
        if (!tg_evaluate_shaken(c, 4 * FLT_EPSILON).finite)
            return false;
        for (int64_t j = 0; j < c->y->numel; j++)
            shift[j] = fmax(shift[j], fabs(c->low[j] - c->at_base[j]));
    }
    return true;
}

/* The first element that is off by a 512th of its size and of what is usual, and by more than rounding explains: of the
 * operands, 8 times, and of sums with them or 1, as in 1 + erf x; -1: none. c: the same in float64, of equal numbers.
 */
static int64_t find_differing(const tg_checker *c32, tg_checker *c) {
    double *shift = tg_checker_memory(c, (size_t)c->y->numel, sizeof *shift), usual = 0, largest = 1;
    if (!shift || !note_shifts(c, shift))
        return -1;
    for (int64_t k = 0; k < c->total; k++)
        largest = isfinite(c->start[k]) ? fmax(largest, fabs(c->start[k])) : largest;
    for (int64_t j = 0; j < c->y->numel; j++)
        usual += c->cotangent[j] != 0 ? fabs(c->at_base[j]) / (double)c->y->numel : 0;
    for (int64_t j = 0; j < c->y->numel; j++) {
        double off = fabs(c32->at_base[j] - c->at_base[j]);
        if (c->cotangent[j] != 0 && isfinite(off) && off > (fabs(c->at_base[j]) + usual) / 512 &&
            off > 8 * (shift[j] + FLT_EPSILON * largest))
            return j;
    }
    return -1;
}

static bool differs_from_float64(const tg_node *n, tg_checker *own, const tg_checker *like, tg_gradcheck_result *r) {
    tg_suspect s32, s64;
    bool opened = tg_suspect_open(&s32, n, own);
    opened = tg_suspect_open(&s64, n, like) && opened;
    int64_t at = opened && tg_has_ordinary_numbers(&s32.c) ? find_differing(&s32.c, &s64.c) : -1;
    if (at >= 0) {
        r->verdict = TG_GRAD_WRONG;
        r->wrong_ops = 1;
        tg_gradcheck_say_where(n, -1, r);
        tg_say(r, TG_MISTAKE_FLOAT32, "float32 only: element %lld of the result is %s, in float64 %s", (long long)at,
               tg_number_text(s32.c.at_base[at], 7).s, tg_number_text(s64.c.at_base[at], 7).s);
    }
    tg_suspect_close(&s32, own->t);
    tg_suspect_close(&s64, own->t);
    return at >= 0;
}

bool tg_find_other_result(tg_checker *own, const tg_checker *like, tg_gradcheck_result *r) {
    for (uint32_t i = 0; i <= own->y->index && !own->t->status; i++)
        if (own->needed[i] && tg_has_vjp(own->t->nodes[i]) && differs_from_float64(own->t->nodes[i], own, like, r))
            return true;
    return false;
}
