/* Mistakes to plant in the VJP of an operation, for one operand, beside those of fault_kinds.h: for diagnosis_test.c.
 */
#ifndef TAPEGRAD_TEST_DIAGNOSIS_KINDS_H
#define TAPEGRAD_TEST_DIAGNOSIS_KINDS_H

#include "tests/fault_kinds.h"
#include "tests/support.h"

enum { MOST = 512 };

/* By place: x: times 1.5 and an eighth for each element before; 0: nothing; -: the other sign; 2: twice; ~: NaN; d: dy
 * times 2, 3, ... */
static void at_places(job *j) {
    for (int64_t i = 0; i < j->n && j->at[i]; i++)
        switch (j->at[i]) {
        case 'x': j->g[i] *= 1.5 + (double)i / 8; break;
        case '0': j->g[i] = 0; break;
        case '-': j->g[i] *= -1; break;
        case '2': j->g[i] *= 2; break;
        case '~': j->g[i] = NAN; break;
        case 'd': j->g[i] = (2 + (double)i) * j->dy[i]; break;
        }
}

EACH(pass_on_twice, 2 * dy[i])
EACH(y_dy, y[i] * dy[i])
EACH(plus_dy, had[i] + dy[0])
EACH(masked, j->at[i] == '1' ? j->by * dy[i] : 0)
EACH(times_size_of_dy, had[i] * fabs(dy[i]))
EACH(times_y, had[i] * y[i])
EACH(over_x, had[i] / x[i])
/* Nearly 0 where x is a whole number. */
EACH(times_distance_to_whole, had[i] * (x[i] - round(x[i]) + 1e-16))

static void of_another(job *j) { pull(j->node, (int)j->by, NULL, j->g); }
static void from_first_slice(job *j) { from_slice(j, (int64_t)j->by, 0); }
static void from_second_slice(job *j) { from_slice(j, (int64_t)j->by, 1); }
static void from_last_slice(job *j) { from_slice(j, (int64_t)j->by, -1); }
static void first_kept(job *j) { pick(j, true, false); }
static void last_kept(job *j) { pick(j, false, false); }
static void sum_along(job *j) { sum_of_dy(j, (int)j->by); }

/* Right numbers that lie where they would with dims 0, 1, ... in the order that `at` says. */
static void stored(job *j) {
    int order[TG_MAX_DIMS] = {0};
    for (int d = 0; j->at[d]; d++)
        order[d] = j->at[d] - '0';
    store(j, order);
}

/* dy^T y of squares, with the y of the first call. */
static void dy_turned_times_first_y(job *j) {
    static double first[MOST];
    int64_t n = j->node->size[0];
    if (!fault.calls)
        memcpy(first, j->y, (size_t)j->n_y * sizeof *first);
    for (int64_t row = 0; row < n; row++)
        for (int64_t column = 0; column < n; column++) {
            j->g[row * n + column] = 0;
            for (int64_t k = 0; k < n; k++)
                j->g[row * n + column] += j->dy[k * n + row] * first[k * n + column];
        }
}

/* ---- other numbers in other calls ---- */

/* Bits of a multiplicative hash of the call and the place. */
static bool is_drawn(int64_t i) {
    uint64_t bits = ((uint64_t)fault.calls * 64 + (uint64_t)i + 1) * UINT64_C(0x9e3779b97f4a7c15);
    return (bits ^ bits >> 31) * UINT64_C(0xbf58476d1ce4e5b9) >> 63;
}
EACH(masked_anew, is_drawn(i) ? j->by *dy[i] : 0)
EACH(first_masked_anew, i || fault.calls % 2 ? had[i] : 0)
EACH(differs, had[i] * (1 + j->by * (fault.calls % 3)))
EACH(counts_calls, had[i] * (1 + j->by * fault.calls))
/* In the first call, and in those behind one that added to a gradient. */
static void first_masked_after_adding(job *j) {
    static bool added;
    added |= !fault.calls;
    j->g[0] *= !added;
    added = j->node->in[j->k]->window.owner->has_grad;
}

/* ---- a row ---- */

typedef struct entry {
    tg_tensor (*make)(tg_tape *t);
    int operand; /* from 0 */
    corruption *change;
    const char *at;
    double by;
    tg_mistake mistake;
    double factor;     /* that the result gives */
    double ratio;      /* of the two numbers that # stands for; 0: whatever they are */
    const char *words; /* with a number for each #; NULL: it is WRONG, no more is known */
} entry;

#endif
