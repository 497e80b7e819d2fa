/* Private to the gradient check.
 *
 * Each file calls only those below it:
 *   gradcheck.c     the check as a whole
 *   second.c        second derivatives: the same judge on <u, gradient>
 *   report.c        the result as text and JSON
 *   scopes.c        checkpoint scopes that compute something else in backward
 *   infinite.c      a gradient that is NaN or Inf
 *   float32.c       an operation whose result in float32 is not float64's
 *   locate.c        which operation is wrong on its own, and where a gradient stops on the way
 *   diagnose.c      what its wrong gradient looks like
 *   names.c         the table of mistakes that have a name, each proved
 *   evidence.c      numbers to compare a wrong gradient with
 *   alone.c         one operation on a tape of its own
 *   table.c         analytic beside central differences, for a reader
 *   cover.c         the paths that see every element, or a few that see all at once
 *   protocol.c      what a VJP has to do whatever its formula is
 *   judge.c         whether this is the gradient, on one page
 *   field.c         f = sum v y and its gradient where leaves have moved
 */
#ifndef TAPEGRAD_GRADCHECK_H
#define TAPEGRAD_GRADCHECK_H

#include "core/engine.h"

#include <float.h>

/* ---- field.c ---- */

typedef struct tg_check_leaf {
    tg_node *x;
    int64_t first;            /* its elements are first, first + 1, ... of all leaves' */
    double *start, *analytic; /* its part of the checker's */
    double largest;           /* of |analytic| */
    double size;              /* the root mean square of start; 1 where all are 0 */
    /* what protocol.c found */
    bool differs;   /* two equal backwards differ */
    bool nonlinear; /* not linear in the cotangent */
    bool coarse;    /* float32: no element has more than 16 significant bits, of 24 that dy has */
    bool spoilt;    /* backward does not add to what the gradient held before: element `at` held this, holds that */
    double kept;    /* what it held times so much is left; NAN: no one number says it */
    int64_t at;
    double held, now;
} tg_check_leaf;

/* A tape of the check's own with a result y, f = sum v y of it (y itself where it has one element and no operation is
 * looked at alone), and what backward says of f. */
typedef struct tg_checker {
    tg_tape *t;
    tg_node *y;
    const tg_gradcheck_config *config;
    tg_rng_state rng;
    double unit; /* half the distance from 1 to the next number of t's dtype */
    tg_tensor v;
    double *cotangent;        /* its elements */
    double *at_base, *low;    /* y's elements where the check is made; where it is now */
    double size;              /* sum |v y| there */
    bool *needed, *in_float;  /* by tensor: y depends on it; a callback makes it of floats */
    void **operand;           /* by tensor: what a floating leaf, or constant, holds where the check is made */
    bool alone, forward_only; /* forward_only: no backward, no gradients */
    int n_leaves;
    tg_check_leaf *leaf;
    int64_t total;            /* elements of all leaves, one leaf's behind the other's: */
    double *start, *analytic; /* where the check is made, and backward's gradient there */
    /* The path: elements moving[0..n_moving-1], ascending, each by its direction for s = 1. */
    double rounding; /* u sqrt(sum (adjoint value)^2), over all numbers that operations made */
    int64_t n_moving, *moving;
    double *direction, *step; /* step: dx of a piece of it */
    bool keeps_ties;          /* equal elements move alike */
    int n_found;              /* elements that are wrong, as far as cover.c looked for them one by one */
    int64_t found[TG_GRADCHECK_ROWS];
    int64_t evaluations, infinite; /* infinite: elements of y that are, on purpose, and have no cotangent */
    bool forward_differs;
} tg_checker;

static inline bool tg_is_custom(const tg_node *n) { return tg_is_of_kind(n, TG_OP_CUSTOM); }
/* Element j of floats or doubles. */
static inline double tg_number(tg_dtype dtype, const void *p, int64_t j) {
    return dtype == TG_F32 ? (double)((const float *)p)[j] : ((const double *)p)[j];
}
static inline void tg_write_number(tg_dtype dtype, void *p, int64_t j, double value) {
    if (dtype == TG_F32)
        ((float *)p)[j] = (float)value;
    else
        ((double *)p)[j] = value;
}
static inline double tg_grad_element(const tg_node *x, int64_t j) {
    return x->has_grad ? tg_number((tg_dtype)x->dtype, x->grad, j) : 0;
}
/* Below it numbers lose digits. */
static inline double tg_least_normal(const tg_checker *c) { return c->t->dtype == TG_F32 ? FLT_MIN : DBL_MIN; }
static inline bool tg_is_bad(tg_grad_verdict v) { return v == TG_GRAD_WRONG || v == TG_GRAD_CANNOT_TELL; }

/* A sum that rounds once (Neumaier 1974). */
typedef struct tg_sum_of {
    double sum, lost;
} tg_sum_of;
static inline void tg_sum_add(tg_sum_of *s, double x) {
    double sum = s->sum + x, part = sum - s->sum;
    s->lost += (s->sum - (sum - part)) + (x - part);
    s->sum = sum;
}
static inline double tg_sum_get(const tg_sum_of *s) { return isfinite(s->sum) ? s->sum + s->lost : s->sum; }

/* Zeroed, on c's tape; NULL after tg_fail. */
void *tg_checker_memory(tg_checker *c, size_t n, size_t size);
/* Forward, backward, and all fields; TG_OK or tg_fail on t. */
tg_status tg_checker_open(tg_checker *c, tg_tape *t, tg_node *y, const tg_gradcheck_config *config);
/* The same where the leaves are now. */
tg_status tg_checker_run(tg_checker *c);
double tg_checker_random(tg_checker *c);      /* in +-[0.5, 1.5] */
double tg_random_of(double x, uint64_t seed); /* the same, of |x| and the seed alone */
tg_status tg_checker_forward(tg_checker *c);
tg_status tg_checker_backward(tg_checker *c, double scale); /* with v times scale, onto no gradient */
/* x's elements, or its gradient's, which lie at data under stride, row-major as doubles. */
void tg_read_numbers(const tg_node *x, const void *data, const int64_t *stride, double *out);
void tg_read_gradient(const tg_node *leaf, double *out);
/* Hash of the branches that all operations took in the last forward. */
uint64_t tg_checker_branches(const tg_checker *c);
int64_t tg_first_infinite(const tg_node *x); /* of what a view looks at; -1: none */
/* The leaf's first element that is finite, and its gradient is not; -1: none. */
int64_t tg_infinite_gradient(const tg_check_leaf *leaf);
double tg_largest(const tg_node *x); /* |element| that is finite, of what a view looks at */
bool tg_infinite_on_purpose(tg_checker *c, const tg_node *y);

/* Moving along a path. A value that a callback refuses counts as not finite. */
const tg_check_leaf *tg_leaf_at(const tg_checker *c, int64_t element);
double tg_size_of(const tg_checker *c, int64_t element); /* |x|, or its leaf's size where that is 0 */
void tg_clear_path(tg_checker *c);                       /* what moved goes back; nothing moves */
/* f(s) - f(0), y's elements subtracted before they are summed; *moved: sum |v (y(s) - y(0))|. */
typedef struct tg_point {
    double f, moved;
    bool finite;
} tg_point;
tg_point tg_evaluate(tg_checker *c, double s);
/* The same with backward: leaves' gradients are those at s. */
tg_point tg_evaluate_with_gradient(tg_checker *c, double s);
/* f less f(0), where element k alone is moved by h; *by: what the move is after rounding. */
double tg_step(tg_checker *c, int64_t k, double h, double *by);
/* Rounding within the tape, to first order (Christianson 1992): c->rounding; of it what concerns the path. */
tg_status tg_measure_rounding(tg_checker *c);
double tg_rounding_along(const tg_checker *c);
double tg_rounding_at(tg_checker *c, double s); /* the same elsewhere on the path, where other adjoints are 0 */
bool tg_has_ordinary_numbers(tg_checker *c);    /* what has a gradient, and gradients, have squares in float */
/* Where the leaves are, with every operand and v a random part of `by` larger or smaller. */
tg_point tg_evaluate_shaken(tg_checker *c, double by);
void tg_return(tg_checker *c); /* the leaves, and all results, where the check is made */

/* ---- judge.c ---- */

typedef struct tg_judged {
    tg_grad_verdict verdict;
    const char *reason; /* CANNOT_TELL: why */
    bool kink;          /* the point itself lies on one */
    bool noisy;         /* CANNOT_TELL, since rounding hides it */
    bool unconfirmed;   /* CANNOT_TELL, being WRONG along this path and no other */
    bool sharp;         /* an error of a 64th of what moves would have shown */
    double noise_f, noise_q;
    tg_gradcheck_line line;
} tg_judged;
tg_judged tg_judge(tg_checker *c);
/* Quicker, for a search where a path was WRONG: the residual of this one, of that length, is beyond that noise;
 * confirm: and is along a shorter path too, unless noise would hide it there. That of a kink seldom is. */
bool tg_is_off(tg_checker *c, const tg_judged *like, bool confirm);

/* ---- protocol.c ---- */

tg_status tg_check_protocol(tg_checker *c);
bool tg_leaf_breaks_protocol(const tg_check_leaf *leaf);
bool tg_breaks_protocol(const tg_checker *c); /* a leaf, or forward */

/* ---- cover.c ---- */

/* Paths over all elements, into r: verdict, counts, lines; c->found. FULL: by classes. */
tg_status tg_cover(tg_checker *c, bool full, tg_gradcheck_result *r);
bool tg_is_found(const tg_checker *c, int64_t element);
void tg_add_line(tg_gradcheck_result *r, int at, const tg_gradcheck_line *line);
/* By up to 1.5 times `reach` of its size; keep_ties: elements that are equal stay equal. */
void tg_move_all(tg_checker *c, double reach, bool keep_ties);

/* ---- table.c ---- */

void tg_gradcheck_name_leaf(const tg_node *x, char *out, size_t size);
/* Rows for a reader; analytic: whose backward is checked, c or its float32 twin. */
tg_status tg_make_table(tg_checker *c, const tg_checker *analytic, tg_gradcheck_result *r);
/* Central differences of y by each element of leaf x. */
tg_status tg_numeric_gradient_on(tg_tape *t, tg_node *y, tg_node *x, double eps, double *out);

/* ---- alone.c ---- */

/* One operation alone: y = op(x[0], x[1], ...). */
typedef struct tg_suspect {
    tg_checker c;
    const tg_node *original;
    tg_node *x[UINT8_MAX]; /* the operands on c.t; NULL where one is missing */
} tg_suspect;
/* True when the node has a VJP that can be looked at alone. */
bool tg_has_vjp(const tg_node *n);
/* In c's dtype, by its config. False when out of memory, or after tg_fail on s->c.t. */
bool tg_suspect_open(tg_suspect *s, const tg_node *n, const tg_checker *c);
/* Where it ran out of memory t fails as well: nothing is known then. */
void tg_suspect_close(tg_suspect *s, tg_tape *t);
tg_check_leaf *tg_suspect_leaf(tg_suspect *s, const tg_node *x);

/* ---- evidence.c ---- */

/* Numbers for each sampled element of an operand: the wrong gradient, and what the Jacobian says. */
typedef struct tg_evidence {
    tg_suspect *s;
    const tg_node *x;
    int64_t n, n_wrong; /* how many; of them wrong */
    int64_t *at;        /* which elements, row-major */
    double *whole;      /* the wrong gradient, all of it, row-major */
    double *jacobian;   /* column i: dy[j]/dx[at[i]] */
    double *wrong;      /* the wrong gradient */
    double *right;      /* sum_j J[j][k] dy[j] */
    double *error;      /* of `right`, at most */
    double *size;       /* sum_j |J[j][k] dy[j]| */
    double largest;     /* of them */
    double factor;      /* wrong = factor right, by least squares */
    double *candidate;  /* what a mistake would give */
    char detail[320];   /* how its sentence ends */
    double scale;       /* it is the right gradient times this; 0: it is not */
    bool *dead;         /* y does not depend on it */
    bool at_kinks;      /* some elements have no column: they lie at a kink */
    bool same_size;     /* y has as many elements */
    bool is_diagonal;   /* no y[j] depends on another x[k] */
    /* while a column is taken */
    uint64_t branches;
    double *wide;
    bool *reached;
} tg_evidence;

/* False when out of memory, or near a kink everywhere. */
bool tg_collect_evidence(tg_evidence *e, tg_suspect *s, int operand);
static inline const double *tg_column(const tg_evidence *e, int64_t i) { return e->jacobian + i * e->s->c.y->numel; }

/* ---- names.c ---- */

/* True after tg_say: a mistake of the table explains both. */
bool tg_name_mistake(tg_evidence *here, tg_evidence *elsewhere, tg_gradcheck_result *r);
double tg_unit_at(const tg_evidence *e, int64_t i);
double tg_apart(const tg_evidence *e, int64_t i, double number);
static inline bool tg_near(double a, double b) { return fabs(a - b) <= 1e-5 * fabs(b); }

/* ---- diagnose.c ---- */

/* Names the mistake that gives operand i its wrong gradient. */
void tg_diagnose(tg_suspect *s, int operand, tg_gradcheck_result *result);
/* Write the diagnosis. Returns true. */
bool tg_say(tg_gradcheck_result *r, tg_mistake mistake, const char *format, ...) TG_PRINTF(3, 4);
/* More of a text, as far as it fits into its array. */
void tg_append_to(char *s, size_t size, const char *format, ...) TG_PRINTF(3, 4);
#define tg_append(text, ...) tg_append_to((text), sizeof(text), __VA_ARGS__)
/* True when the operation draws random numbers. */
bool tg_draws(tg_checker *c, const tg_node *n);

/* ---- locate.c ---- */

/* Each operation alone, in this dtype; the first that is wrong is named. n: of c's tape. */
tg_status tg_locate(tg_checker *c, tg_gradcheck_result *result);
/* The operation and the operand (counted from 0; -1: its forward) that are wrong. */
void tg_gradcheck_say_where(const tg_node *n, int operand, tg_gradcheck_result *r);

/* ---- float32.c ---- */

/* True, and it is in r, when an operation of own's tape has another result than in float64, as `like` is. */
bool tg_find_other_result(tg_checker *own, const tg_checker *like, tg_gradcheck_result *r);

/* ---- infinite.c ---- */

/* tg_fail when a leaf's gradient is not finite for a reason that is no mistake. */
tg_status tg_refuse_infinite(tg_checker *c);
/* Of an operation alone: its slope is finite where its gradient is not. */
bool tg_is_infinite_by_mistake(tg_checker *c);

/* ---- scopes.c ---- */

/* Where a checkpoint scope of the tape that is checked, on which y of c is a copy, gives another result when it is
 * computed again: WRONG. */
tg_status tg_check_scopes(tg_checker *c, tg_tape *checked, tg_gradcheck_result *r);

/* ---- report.c ---- */

void tg_gradcheck_summarise(tg_gradcheck_result *r);

#endif
