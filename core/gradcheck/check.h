/* Private to the gradient check.
 *
 * Each file calls only those below it:
 *   gradcheck.c     the check as a whole
 *   second.c        second derivatives: the same judge on <u, gradient>
 *   report.c        the result as text and JSON
 *   connectivity.c  leaves without a gradient
 *   scopes.c        checkpoint scopes that compute something else in backward
 *   infinite.c      a gradient that is NaN or Inf
 *   locate.c        which operation is wrong on its own
 *   diagnose.c      what its wrong gradient looks like: names, each proved, defined in
 *   name_factor.c, name_part.c, name_place.c, name_rows.c, name_mask.c, name_runs.c; describe.c where none is
 *   evidence.c      numbers to compare a wrong gradient with
 *   alone.c         one operation on a tape of its own
 *   table.c         analytic beside central differences, for a reader
 *   cover.c         the paths that see every element, or a few that see all at once
 *   protocol.c      what a VJP has to do whatever its formula is
 *   judge.c         is this the gradient? One page
 *   field.c         f = sum v y and its gradient where leaves have moved
 */
#ifndef TAPEGRAD_GRADCHECK_H
#define TAPEGRAD_GRADCHECK_H

#include "core/engine.h"

#include <float.h>

/* ---- field.c ---- */

typedef struct tg_check_leaf {
    tg_node *x;
    int64_t first;    /* its elements are first, first + 1, ... of all leaves' */
    double *start;    /* its elements where the check is made */
    double *analytic; /* backward's gradient there */
    double largest;   /* of |analytic| */
    double size;      /* the root mean square of start; 1 where all are 0 */
    /* what protocol.c found */
    bool differs;     /* two equal backwards differ */
    bool nonlinear;   /* not linear in the cotangent */
    bool coarse;      /* float32: no element has more than 16 significant bits, of 24 that dy has */
    bool spoilt;      /* backward does not add to what the gradient held before: element `at` held this, holds that */
    double kept;      /* what it held times so much is left; NAN: no one number says it */
    int64_t at;
    double held, now;
} tg_check_leaf;

/* A tape of the check's own with a result y, f = sum v y of it, and what backward says of f. */
typedef struct tg_checker {
    tg_tape *t;
    tg_node *y;
    const tg_gradcheck_config *config;
    tg_rng_state rng;
    double unit; /* half the distance from 1 to the next number of t's dtype */
    tg_tensor v;
    double *cotangent;     /* its elements */
    const double *own_dy;  /* what they are to be; NULL: random */
    double *at_base, *low; /* y's elements where the check is made; where it is now */
    double *wide;          /* room for as many: see tg_column */
    double size;           /* sum |v y| there */
    bool *needed;          /* by tensor: y depends on it */
    bool has_custom, alone;
    int n_leaves;
    tg_check_leaf *leaf;
    int64_t total; /* elements of all leaves */
    /* The path: elements moving[0..n_moving-1], ascending, each by its direction for s = 1. */
    double rounding; /* u sqrt(sum (adjoint value)^2), over all numbers that operations made */
    int64_t n_moving, *moving;
    double *direction;
    int n_found; /* elements that are wrong, as far as cover.c looked for them one by one */
    int64_t found[TG_GRADCHECK_ROWS];
    int64_t evaluations, infinite; /* infinite: elements of y that are, on purpose, and have no cotangent */
    bool forward_differs;
} tg_checker;

extern const tg_op tg_op_custom;
static inline bool tg_is_custom(const tg_node *n) {
    return n->op && n->op->forward[TG_F64] == tg_op_custom.forward[TG_F64];
}
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

/* Zeroed, on c's tape; NULL after tg_fail. */
void *tg_checker_memory(tg_checker *c, size_t n, size_t size);
/* Forward, backward, and all fields; TG_OK or tg_fail on t. */
tg_status tg_checker_open(tg_checker *c, tg_tape *t, tg_node *y, const tg_gradcheck_config *config);
/* The same where the leaves are now. */
tg_status tg_checker_run(tg_checker *c);
double tg_checker_random(tg_checker *c); /* in +-[0.5, 1.5] */
void tg_find_needed(const tg_node *y, bool *needed);
tg_status tg_checker_forward(tg_checker *c);
tg_status tg_checker_backward(tg_checker *c, double scale); /* with v times scale, onto no gradient */
/* Hash of the branches that all operations took in the last forward. */
uint64_t tg_checker_branches(const tg_checker *c);
int64_t tg_first_infinite(const tg_node *x); /* of what a view looks at; -1: none */
bool tg_infinite_on_purpose(tg_checker *c, const tg_node *y);
tg_status tg_refuse_infinite_result(const tg_node *y, const bool *needed, int64_t at, double value);

/* Moving along a path. A value that a callback refuses counts as not finite. */
const tg_check_leaf *tg_leaf_at(const tg_checker *c, int64_t element);
double tg_size_of(const tg_checker *c, int64_t element); /* |x|, or its leaf's size where that is 0 */
void tg_move(tg_checker *c, double s);
void tg_clear_path(tg_checker *c); /* what moved goes back; nothing moves */
/* f(s) - f(0), y's elements subtracted before they are summed; *moved: sum |v (y(s) - y(0))|. */
typedef struct tg_point {
    double f, moved;
    bool finite;
} tg_point;
tg_point tg_evaluate(tg_checker *c, double s);
/* The same with backward: leaves' gradients are those at s. */
tg_point tg_evaluate_with_gradient(tg_checker *c, double s);
/* Rounding within the tape, to first order (Christianson 1992): c->rounding; of it what concerns the path. */
tg_status tg_measure_rounding(tg_checker *c);
double tg_rounding_along(const tg_checker *c);
/* Where the leaves are, with every operand and v a random part of `by` larger or smaller. */
tg_point tg_evaluate_shaken(tg_checker *c, double by);
void tg_return(tg_checker *c); /* the leaves, and all results, where the check is made */

/* ---- judge.c ---- */

typedef struct tg_judged {
    tg_grad_verdict verdict;
    const char *reason; /* CANNOT_TELL: why */
    bool kink;          /* the point itself lies on one */
    bool noisy;         /* CANNOT_TELL, since rounding hides it; */
    bool jumps;         /* wrong over the length, right nearby */
    bool doubtful;      /* though a longer path had a residual beyond it */
    bool sharp;         /* an error of a 64th of what moves would have shown */
    double noise_f, noise_q;
    tg_gradcheck_line line;
} tg_judged;
tg_judged tg_judge(tg_checker *c);
/* The deviation of f by rounding where all that moves now does. */
double tg_deviation(tg_checker *c);
/* Quicker, for a search where a path was WRONG: is the residual of this one, of that length, beyond that noise? */
bool tg_is_off(tg_checker *c, const tg_judged *like, double *residual);

/* ---- protocol.c ---- */

tg_status tg_check_protocol(tg_checker *c);
bool tg_breaks_protocol(const tg_checker *c);

/* ---- cover.c ---- */

/* Paths over all elements, into r: verdict, counts, lines; c->found. FULL: by classes. */
tg_status tg_cover(tg_checker *c, bool full, tg_gradcheck_result *r);
/* Element at of all leaves' moves, and no other. */
void tg_move_one(tg_checker *c, int64_t at);

/* ---- table.c ---- */

void tg_gradcheck_name_leaf(const tg_node *x, char *out, size_t size);
/* Rows for a reader; analytic: whose backward is checked, c or its float32 twin. */
tg_status tg_make_table(tg_checker *c, const tg_checker *analytic, tg_gradcheck_result *r);
/* Central differences of y by each element of leaf x. */
tg_status tg_numeric_gradient_on(tg_tape *t, tg_node *y, tg_node *x, const tg_gradcheck_config *config, double eps,
                                 double *out);
/* dy/dx of element `at` of all leaves' by differences, for every element of y; false at a kink. */
bool tg_column(tg_checker *c, int64_t at, double *column);

/* ---- alone.c ---- */

/* One operation alone: y = op(x[0], x[1], ...). */
typedef struct tg_suspect {
    tg_checker c;
    const tg_node *original;
    tg_node *x[UINT8_MAX]; /* the operands on c.t; NULL where one is missing */
} tg_suspect;
typedef struct tg_alone_config {
    tg_dtype dtype;
    bool share;       /* operands that share their elements stay one */
    const double *dy; /* NULL: random */
} tg_alone_config;
/* Has the node a VJP that can be looked at alone? */
bool tg_has_vjp(const tg_node *n);
/* False when out of memory, or after tg_fail on s->c.t. */
bool tg_suspect_open(tg_suspect *s, const tg_node *n, const tg_gradcheck_config *config, tg_alone_config how);
/* A view alone, read by neg. */
bool tg_suspect_open_view(tg_suspect *s, const tg_node *view, const tg_gradcheck_config *config);
/* Where it ran out of memory t fails as well: nothing is known then. */
void tg_suspect_close(tg_suspect *s, tg_tape *t);
tg_check_leaf *tg_suspect_leaf(tg_suspect *s, const tg_node *x);

/* ---- evidence.c ---- */

enum { TG_MOST_SLICES = 2 * TG_MAX_DIMS };
/* Numbers for each sampled element of the operand. */
typedef struct tg_evidence {
    tg_suspect *s;
    const tg_node *x;
    int operand;
    int64_t n;                     /* how many */
    int64_t *at;                   /* which elements, row-major */
    const double *whole;           /* the wrong gradient, all of it, row-major */
    double *wrong;                 /* the wrong gradient at the sampled elements */
    double *right;                 /* sum_j J[j][k] dy[j] */
    double *size, largest;         /* sum_j |J[j][k] dy[j]|; the largest of them */
    double *diagonal;              /* J[k][k] dy[k] */
    double *local;                 /* J[k][k] */
    double *dy;                    /* dy[k] */
    double *times_y;               /* y[k] dy[k] */
    double *without_dy;            /* sum_j J[j][k] */
    double *first, *last;          /* J[j][k] dy[j] for the first and last j that is not 0 */
    double *other;                 /* for another candidate */
    double *slice[TG_MOST_SLICES]; /* sums over one slice of y; slice[2 d], [2 d + 1]: first and last along dim d */
    int outputs;                   /* of a custom operation, that y holds one behind the other; else 1 */
    double *share;                 /* [i outputs + k]: sum over output k of J dy */
    bool *dead;                    /* y does not depend on it */
    bool at_kinks;                 /* some elements have no column: they lie at a kink */
    bool same_size;                /* y has as many elements: the diagonal means something */
    bool is_diagonal;              /* no y[j] depends on another x[k] */
    uint32_t mixes;                /* a bit for each dim along which y[j] depends on another x[k] */
    uint32_t everywhere;           /* for each dim of y: every live x[k] reaches every slice along it */
} tg_evidence;

/* x, operand, s and whole are given; false when out of memory, or near a kink everywhere. */
bool tg_collect_evidence(tg_evidence *e);
/* e->other becomes the right gradient of operand k; false when that has another size. */
bool tg_use_other(tg_evidence *e, int k);
double *tg_evidence_numbers(tg_suspect *s, int64_t n);

/* ---- what a name needs ---- */

/* Write the diagnosis. Returns true. */
bool tg_say(tg_gradcheck_result *r, tg_mistake mistake, const char *format, ...) TG_PRINTF(3, 4);
/* The size of an element's gradient, for differences to be compared with. */
double tg_unit_at(const tg_evidence *e, int64_t i);
/* Is the wrong gradient this one? To 1e-5 at every element, and what it leaves is nothing beside what is wrong. */
bool tg_explains(const tg_evidence *e, const double *candidate);
static inline bool tg_near(double a, double b) { return fabs(a - b) <= 1e-5 * fabs(b); }
/* Is the wrong gradient right at sampled element i? */
bool tg_is_right_at(const tg_evidence *e, int64_t i);
/* The first integer operand, NULL when there is none. */
const tg_node *tg_index_operand(const tg_evidence *e);

/* Each is the definition of a name: true after tg_say. */
typedef bool tg_naming(tg_evidence *e, tg_gradcheck_result *r);
tg_naming tg_name_zero, tg_name_factor, tg_name_any_factor;                                  /* name_factor.c */
tg_naming tg_name_elementwise, tg_name_off_diagonal, tg_name_row_sum;                        /* name_rows.c */
tg_naming tg_name_statistics, tg_name_eps, tg_name_smoothing, tg_name_target;                /* name_rows.c */
tg_naming tg_name_swapped, tg_name_no_dy, tg_name_passed_on, tg_name_parts, tg_name_product; /* name_part.c */
tg_naming tg_name_transposed, tg_name_permuted, tg_name_tail;                                /* name_place.c */
tg_naming tg_name_mask, tg_name_other_mask, tg_name_ignored_mask;                            /* name_mask.c */
/* Which element of the gradient g is not finite? False when all are. */
bool tg_name_infinite(const double *g, int64_t n, tg_gradcheck_result *r);
/* What the wrong gradient g and equal runs say without numbers to compare with: name_runs.c. */
bool tg_name_runs(tg_suspect *s, int operand, const double *g, tg_gradcheck_result *r);
/* Does the operation draw random numbers? */
bool tg_draws(const tg_suspect *s);

/* None of the names: what is known nevertheless. */
void tg_describe_unknown(const tg_evidence *e, tg_gradcheck_result *r);
bool tg_is_any_wrong(const tg_evidence *e);

/* ---- diagnose.c ---- */

/* What mistake gives operand i its wrong gradient? */
void tg_diagnose(tg_suspect *s, int operand, tg_gradcheck_result *result);
/* An operation alone, its operands in another order and a quarter of their size away. */
tg_status tg_move_elsewhere(tg_checker *c);

/* ---- locate.c ---- */

/* Each operation alone, in this dtype; the first that is wrong is named. n: of c's tape. */
tg_status tg_locate(tg_checker *c, tg_gradcheck_result *result);
/* The operation and the operand (counted from 0; -1: its forward) that are wrong. */
void tg_gradcheck_say_where(const tg_node *n, int operand, tg_gradcheck_result *r);

/* ---- infinite.c ---- */

/* tg_fail when a leaf's gradient is not finite for a reason that is no mistake. */
tg_status tg_refuse_infinite(tg_checker *c);
/* Of an operation alone: has it a finite slope where its gradient is not finite? */
bool tg_is_infinite_by_mistake(tg_checker *c);

/* ---- scopes.c ---- */

/* Where a checkpoint scope of the tape that is checked, on which y of c is a copy, gives another result when it is
 * computed again: WRONG. */
tg_status tg_check_scopes(tg_checker *c, tg_tape *checked, tg_gradcheck_result *r);

/* ---- connectivity.c ---- */

/* List the leaves that get no gradient. */
tg_status tg_find_lost(tg_checker *c, tg_gradcheck_result *r);
/* The first operation that the leaf's path leads into, but a gradient not out of; NULL: there is none, or no memory. */
const tg_node *tg_find_cut(tg_checker *c, const tg_node *leaf, const char **reason);

/* ---- report.c ---- */

void tg_gradcheck_summarise(tg_gradcheck_result *r);

#endif
