/* Private to the gradient check.
 *
 * Each file calls only those below it:
 *   gradcheck.c  the check as a whole
 *   report.c     the result as text and JSON
 *   locate.c     which operation is wrong on its own
 *   diagnose.c   what its wrong gradient looks like
 *   evidence.c   numbers to compare its gradient with
 *   alone.c      an operation alone on a tape
 *   compare.c    analytic against numeric: every element, or a few directions
 *   numeric.c    derivatives along a line by differences, with error bars and kinks
 *   checker.c    what backward says at the leaves' own values
 */
#ifndef TAPEGRAD_GRADCHECK_H
#define TAPEGRAD_GRADCHECK_H

#include "core/engine.h"

typedef struct tg_check_leaf {
    tg_node *x;
    double *analytic; /* d sum(v y) / dx by backward */
    double *before;   /* what its gradient held before the last backward */
    double largest;   /* of |analytic| */
    double scale;     /* a typical |x|, 1 when x is all zeros */
    bool overwritten; /* backward lost what the gradient held before */
    bool backward_differs;
} tg_check_leaf;

/* A float64 tape (a copy of the user's, or one operation alone) with a result y to differentiate. Everything lives
 * on that tape. */
typedef struct tg_checker {
    tg_tape *t;
    tg_node *y;
    const tg_gradcheck_config *config;
    tg_rng_state rng;
    tg_tensor v;                  /* the cotangent */
    double *cotangent;            /* its elements */
    double *at_base, *low, *high; /* y's elements, where the leaves have their own values and at two others */
    bool *needed, *moves;         /* by tensor: y depends on it; it depends on what is being moved */
    tg_node **cone;               /* what has to run again when that moves */
    uint32_t n_cone;
    uint64_t branches; /* taken by the cone with the leaves' own values */
    int64_t evaluations;
    int n_leaves;
    tg_check_leaf *leaf;
    double size;                            /* sum |v| max(|y|, 1) */
    double noise;                           /* rounding in the gradients of leaves that get next to none */
    bool alone;                             /* one operation on its own leaves */
    int64_t undecided;                      /* elements or directions at a kink that say nothing */
    bool forward_differs, backward_differs; /* two equal runs gave two results */
} tg_checker;

/* ---- checker.c ---- */

/* Replay, run backward three times and fill in everything; TG_OK or tg_fail on t. */
tg_status tg_checker_open(tg_checker *c, tg_tape *t, tg_node *y, const tg_gradcheck_config *config);
/* A number in +-[0.5, 1.5]. */
double tg_checker_random(tg_checker *c);
void *tg_checker_memory(tg_checker *c, size_t n, size_t size);

/* A derivative is rounding when it is nothing beside the leaf's others, or when a move by the leaf's own size would
 * not show in y. */
double tg_checker_floor(const tg_checker *c, double largest, double scale);
/* Does the step of the first difference suit the leaves' values? Else tg_fail. */
tg_status tg_checker_check_eps(const tg_checker *c);
/* Where kinks leave questions open: everything again with the leaves moved a little. */
tg_status tg_checker_step_aside(tg_checker *c);

typedef struct tg_outcome {
    tg_grad_verdict verdict;
    double numeric, error; /* numeric's error bar */
    bool at_kink;          /* branches meet here: a gradient outside the two sides may still be right, if several do */
} tg_outcome;

/* ---- numeric.c ---- */

/* A leaf that moves along a direction. */
typedef struct tg_moved {
    tg_node *x;
    double *start, *direction;
} tg_moved;

/* One element, or whole leaves. */
typedef struct tg_line {
    double *x, start;
    int n;
    const tg_moved *moved;
    double scale; /* steps of this size change the function noticeably */
    double floor; /* derivatives smaller than this are rounding */
    bool quickly; /* by the first difference alone, when that is clear */
} tg_line;

/* What has to run again when the marked (c->moves) leaves move. */
void tg_checker_cone(tg_checker *c);
/* Is this the derivative of sum(v y) along the line? Leaves are put back, results are not. */
tg_outcome tg_check_line(tg_checker *c, const tg_line *line, double analytic);
/* The same by extrapolation at once; of an element as exactly as can be had. */
tg_outcome tg_measure_line(tg_checker *c, const tg_line *line, double analytic);
/* dy[j]/dx for every j at once, into column; false near a kink or where y is not finite. */
bool tg_jacobian_column(tg_checker *c, const tg_line *line, double *column);
/* The results that depend on what moved, for the leaves' own values again. */
void tg_checker_restore(tg_checker *c);

/* ---- compare.c ---- */

static inline bool tg_is_bad(tg_grad_verdict v) { return v == TG_GRAD_WRONG || v == TG_GRAD_CANNOT_TELL; }

/* Compare every element; all leaves along a few random directions; each leaf along one of its own. */
tg_status tg_check_every_element(tg_checker *c, tg_gradcheck_result *r);
tg_status tg_check_directions(tg_checker *c, tg_gradcheck_result *r);
tg_status tg_check_leaf_directions(tg_checker *c, tg_gradcheck_result *r);

/* ---- alone.c ---- */

/* One operation alone: y = op(x[0], x[1], ...). */
typedef struct tg_suspect {
    tg_checker c;
    const tg_node *original;
    tg_node *x[UINT8_MAX]; /* the operands on c.t; NULL where one is missing */
} tg_suspect;

/* Has the node a VJP that can be looked at alone? */
bool tg_has_vjp(const tg_node *n);
/* False when out of memory, or after tg_fail on s->c.t. */
bool tg_suspect_open(tg_suspect *s, const tg_node *n, const tg_gradcheck_config *config);
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
    double *transposed;            /* and where a transposed matrix has them */
    double *right;                 /* sum_j J[j][k] dy[j] */
    double *diagonal;              /* J[k][k] dy[k] */
    double *local;                 /* J[k][k] */
    double *dy;                    /* dy[k] */
    double *times_y;               /* y[k] dy[k] */
    double *without_dy;            /* sum_j J[j][k] */
    double *first, *last;          /* J[j][k] dy[j] for the first and last j that is not 0 */
    double *other;                 /* the right gradient of another operand of as many elements */
    double *slice[TG_MOST_SLICES]; /* sums over one slice of y; slice[2 d], [2 d + 1]: first and last along dim d */
    bool *dead;                    /* y does not depend on it */
    bool same_size;                /* y has as many elements: the diagonal means something */
    bool is_diagonal;              /* no y[j] depends on another x[k] */
} tg_evidence;

/* x, operand, s and whole are given; false when out of memory, or near a kink everywhere. */
bool tg_collect_evidence(tg_evidence *e);
double *tg_evidence_numbers(tg_suspect *s, int64_t n);

/* ---- diagnose.c ---- */

/* What mistake gives operand i its wrong gradient? */
void tg_diagnose(tg_suspect *s, int operand, tg_gradcheck_result *result);
/* The same from the rows of the whole check alone, where an operation is at a kink. */
void tg_diagnose_rows(tg_gradcheck_result *result);

/* ---- locate.c ---- */

/* Find the first operation whose VJP is wrong on its own recorded inputs, and say so in the result. */
tg_status tg_locate(tg_checker *c, tg_gradcheck_result *result);

/* ---- report.c ---- */

void tg_gradcheck_summarise(tg_gradcheck_result *r);

#endif
