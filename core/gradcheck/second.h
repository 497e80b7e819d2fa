/* Private to the check of second derivatives:
 *   second.c        differences, and the verdict
 *   second_noise.c  what tg_jvp, tg_hvp and backward say of one another, and what rounding does to it
 *   second_copy.c   f and its gradient on a copy of the tape, where the leaves have moved
 */
#ifndef TAPEGRAD_SECOND_H
#define TAPEGRAD_SECOND_H

#include "core/gradcheck/check.h"
#include "core/gradcheck/ladder.h"

enum { TG_NOISE_RUNS = 8 };

/* What the adjoint test and symmetry compare: the same number by two ways, and its size. */
typedef struct tg_both_ways {
    long double apart, size;
} tg_both_ways;
typedef struct tg_codes {
    tg_both_ways adjoint, symmetry;
    long double gv;
} tg_codes;

/* What rounding does to it. */
typedef struct tg_noise {
    double adjoint, symmetry, gv, curvature, gradient, f;
    double least; /* of f */
    int runs;
} tg_noise;

/* All leaves' elements lie one behind the other in arrays of `total`. f = sum w y. */
typedef struct tg_second {
    tg_tape *t;
    tg_tensor y, cotangent, jv, *x, *u, *v, *hu, *hv;
    int n;
    int64_t total, n_y;
    double *x0, *w, *along, *across; /* v's and u's numbers */
    long double *low, *high, *gradient, *curvature, *now_gradient, *now_curvature, *room;
    long double *raw; /* in the tape's dtype */
    double *gradient_noise;
    tg_ladder of_gradients, of_f;
    bool *needed, careful, aside; /* aside: a little beside the leaves' own values */
    double jitter, unit;          /* numbers are moved by the one, and rounded by the other */
    uint32_t recorded_from;
    uint64_t branches, random;
    tg_codes codes;
    tg_noise noise;
    const char *reason;
    tg_second_result *r;
} tg_second;

/* ---- second_copy.c: after an error of the tape s->t they return false ---- */

/* Finds the leaves, and makes room. */
bool tg_second_open_leaves(tg_second *s);
double tg_second_signed_number(tg_second *s); /* in +-[0.5, 1.5] */
/* sum a b; size: sum |a b| is added to it */
long double tg_second_dot(int64_t n, const double *a, const long double *b, long double *size);
double tg_second_norm(int64_t n, const double *a);
double tg_second_typical_size(const tg_second *s);
void tg_second_read_numbers(tg_second *s, tg_tensor x, long double *out);
/* What belongs to the leaves, as one array. */
void tg_second_gather(tg_second *s, const tg_tensor *x, long double *out);
/* The leaves at x0 + h along. */
void tg_second_move_leaves(tg_second *s, double h);
uint64_t tg_second_branches_of(const tg_second *s);
/* What y needs of these nodes. In run 1, 2, ... every number moves by a unit. */
bool tg_second_run_nodes(tg_second *s, uint32_t from, uint32_t to, int run);
bool tg_second_run_backward(tg_second *s, long double *gradient);
long double tg_second_f(tg_second *s);
/* f at x0 + h along, with its gradient unless that is NULL. */
bool tg_second_at(tg_second *s, double h, int run, long double *gradient, long double *f);
int64_t tg_second_first_not_finite(int64_t n, const long double *a); /* or -1 */
bool tg_second_has_finite_y(tg_second *s);
bool tg_second_has_finite_jv(tg_second *s);
/* Numbers that belong to the leaves' elements: what: "gradient". */
bool tg_second_is_finite(tg_second *s, const long double *values, const char *what);

/* ---- second_noise.c ---- */

/* Records J v, H u and H v, and reads them. */
bool tg_second_compare_codes(tg_second *s);
/* How far custom operations are from exact, at worst. */
double tg_second_noise_of_custom(tg_second *s);
/* The largest number on the way to y. *extreme: what is made of some may have lost digits in float64, or overflowed. */
double tg_second_largest_on_tape(const tg_second *s, bool *extreme);
/* In runs that take the same branches. */
bool tg_second_measure_noise(tg_second *s);
/* What long double makes of everything at x0, which may show more rounding than jitter does: it is out of sight within
 * an operation. */
bool tg_second_compare_with_float64(tg_second *fine, tg_second *plain);

#endif
