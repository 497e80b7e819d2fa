/* Of mistakes that the check missed (faults.c): could they have been seen? The leaves' gradients with and without the
 * mistake, in the program and in the operation alone, against what tapegrad.h takes for rounding, and against what
 * steps of long double show (plateau.h). */
#include "core/gradcheck/check.h"
#include "fault_kinds.h"
#include "plateau.h"

#include <stdlib.h>

static double *zeros(int64_t n) {
    double *p = calloc((size_t)n + 1, sizeof *p);
    if (!p)
        exit(EXIT_FAILURE);
    return p;
}

/* The cotangent as tg_gradcheck draws it: 1 for a scalar. */
static double *draw_cotangent(const tg_node *y, uint64_t seed) {
    double *v = zeros(y->numel);
    tg_rng_state g;
    tg_rng_seed(&g, seed);
    for (int64_t j = 0; j < y->numel; j++) {
        double sign = tg_rng_random(&g) & 1 ? 1 : -1;
        v[j] = sign * (0.5 + tg_rng_double(&g));
        v[j] = y->numel == 1 ? 1 : v[j];
    }
    return v;
}

/* 2^-46 sum |v| max(|y|, 1) */
static double stated_rounding(const tg_node *y, const double *v) {
    double sum = 0, *values = zeros(y->numel);
    tg_copy_out(y, y->data, y->stride, values);
    for (int64_t j = 0; j < y->numel; j++)
        sum += isfinite(values[j]) ? fabs(v[j]) * fmax(fabs(values[j]), 1) : 0;
    free(values);
    return ldexp(sum, -46);
}

/* Of the leaves up to y, one behind the other. Some mistakes need a second run. */
static double *gradients(const tg_node *y, const double *v) {
    tg_tape *t = y->tape;
    int64_t n = 0;
    for (uint32_t i = 0; i < y->index; i++)
        n += t->nodes[i]->numel;
    double *all = zeros(n), *to = all;
    tg_tensor dy = tg_from_doubles(t, tg_shape_from(y), v);
    for (int run = 0; run < 2 && !tg_is_null(dy); run++) {
        tg_zero_grads(t);
        if (tg_backward_with(tg_handle((tg_node *)y), dy))
            exit(EXIT_FAILURE);
    }
    for (uint32_t i = 0; i < y->index; to += t->nodes[i++]->numel)
        for (int64_t j = 0; j < t->nodes[i]->numel && !t->nodes[i]->op && t->nodes[i]->has_grad; j++)
            to[j] = tg_grad_element(t->nodes[i], j);
    tg_zero_grads(t);
    return all;
}

static fault_sight compare(tg_node *y, const double *right, const double *wrong, double rounding, uint64_t seed) {
    tg_tape *fine = tg_tape_cast(y->tape, TG_LD), *finest = tg_tape_cast(y->tape, (tg_dtype)PLATEAU_FINEST);
    fault_sight sight = FAULT_BELOW_STATED;
    if (!fine || !finest)
        exit(EXIT_FAILURE);
    fine->keep_random = finest->keep_random = true;
    for (uint32_t i = 0; i < y->index; i++)
        for (int64_t j = 0; j < y->tape->nodes[i]->numel; j++, right++, wrong++) {
            double apart = fabs(*wrong - *right);
            if (!(apart > rounding) || sight == FAULT_SHOWN)
                continue;
            bool shown = has_plateau(fine, finest, y->index, i, j, seed, *right, apart / 4);
            sight = shown ? FAULT_SHOWN : FAULT_NOT_SHOWN;
        }
    tg_tape_free(fine);
    tg_tape_free(finest);
    return sight;
}

static fault_sight look(tg_node *y, tg_node *n, uint64_t seed) {
    const tg_op *planted = n->op;
    double *v = draw_cotangent(y, seed), *wrong = gradients(y, v);
    n->op = fault.right;
    double *right = gradients(y, v);
    fault_sight sight = compare(y, right, wrong, stated_rounding(y, v), seed);
    n->op = planted;
    free(v);
    free(wrong);
    free(right);
    return sight;
}

fault_sight sight_of_fault(tg_node *y, tg_node *n, uint64_t seed) {
    tg_node *x[UINT8_MAX];
    tg_tape *aside = tg_tape_for(y->tape, TG_F64);
    tg_node *alone = tg_copy_alone(aside, n, false, x);
    if (!alone)
        exit(EXIT_FAILURE);
    fault_sight whole = look(y, n, seed), by_itself = look(alone, alone, seed);
    tg_tape_free(aside);
    return whole > by_itself ? whole : by_itself;
}
