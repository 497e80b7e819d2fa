/* Private to the gradient check.
 *
 * Each file calls only those below it:
 *   gradcheck.c  the check as a whole
 *   report.c     the result as text and JSON
 *   second.c, second_noise.c, second_copy.c  the check of second derivatives, which needs ladder.c, checker.c,
 *                noise.c and evaluate.c alone (second.h)
 *   ladder.c     differences at narrower and narrower steps, extrapolated (ladder.h)
 *   sharing.c    VJPs that write where they may not, or expect operands never to be one tensor
 *   kept.c       VJPs that use what an earlier call left, or forget what does no harm here
 *   connectivity.c  leaves without a gradient
 *   scopes.c     checkpoint scopes that compute something else in backward
 *   float32.c    the kernels of float32 against those of float64 (float32.h)
 *   float64.c    the kernels of float64 against the plain ones
 *   infinite.c   why a gradient is NaN or Inf
 *   locate.c     which operation is wrong on its own
 *   diagnose.c   what its wrong gradient looks like: the names, and their definitions in
 *   name_factor.c, name_part.c, name_place.c, name_rows.c, name_mask.c, name_runs.c; describe.c where it has no name
 *   evidence.c   numbers to compare its gradient with
 *   search.c     one wrong element of many
 *   alone.c      an operation alone on a tape
 *   ties.c       elements that are equal, all of them together
 *   compare.c    analytic against numeric: every element, or a few directions
 *   others.c     do other elements have a say at a kink?
 *   smooth.c     has an operation a derivative where it is?
 *   numeric.c    is this the derivative along a line? Differences with error bars
 *   kinks.c      one-sided derivatives, infinite slopes
 *   samples.c    do many differences agree with each other, and not with the gradient?
 *   sample.c     one difference and its error bar (sample.h)
 *   sweep.c      every width, for what is about to be given up
 *   reach.c      what one element may reach
 *   chain.c      the derivative along a line by the chain rule, from differences of each operation
 *   checker.c    what backward says at the leaves' own values
 *   noise.c      what rounding does to that
 *   noise_custom.c  how noisy a custom operation's results are (noise.h)
 *   jumps.c      does a custom operation compute in few bits, and are they those of a floating-point format?
 *   evaluate.c   y where leaves have moved, in float64, in long double and in quad
 */
#ifndef TAPEGRAD_GRADCHECK_H
#define TAPEGRAD_GRADCHECK_H

#include "core/engine.h"

typedef struct tg_chained tg_chained;
typedef struct tg_curve tg_curve;
typedef struct tg_chain_column tg_chain_column;

typedef struct tg_check_leaf {
    tg_node *x;
    double *analytic;     /* d sum(v y) / dx by backward */
    double *before;       /* what its gradient held before the last backward */
    double largest;       /* of |analytic| */
    double scale;         /* a typical |x|, 1 when x is all zeros */
    double *least, *most; /* what rounding in float64 makes of the gradient, where that was measured; NAN: nothing */
    double *units;        /* of a custom operation alone: how far a unit more or less of everything takes it, */
    double terms;         /* and the largest that other signs of dy's elements make of any; NAN: not known */
    bool backward_differs;
    bool nonlinear;   /* the gradient is not linear in the cotangent */
    bool spoilt;      /* backward does not add to what the gradient held before: */
    double kept;      /* that times so much is left of it; NAN: no one number says it */
    int64_t at;       /* an element */
    double held, now; /* what it held, and holds after backward */
} tg_check_leaf;

/* A leaf that moves along a direction. */
typedef struct tg_moved {
    tg_node *x;
    double *start, *direction;
} tg_moved;

enum { TG_NO_ELEMENT = -1, TG_ANY_ELEMENT = -2 };

/* A copy of the tape to evaluate y on: in float64, or in long double or quad for verdicts (float64 again where y needs
 * custom operations only, which have no other). */
typedef struct tg_side {
    tg_tape *t;
    tg_node *y;
    double largest;         /* of the numbers that the cone computes with (for verdicts only) */
    double within;          /* of those that the line reaches: see reach.c */
    const tg_node *reaches; /* whose element that is: NULL where it is not known */
    ptrdiff_t reaches_at;
    bool *reached; /* y's elements */
    void *kept;
    double unit;    /* the distance from 1 to the next number */
    tg_node **cone; /* what has to run again when the marked leaves move */
    bool *alike;    /* by place in the cone: element j of it moves with element j of the leaf, and nothing else does */
    uint32_t n_cone;
    void *base, *now;   /* y's elements, in t's dtype: where the leaves have their own values, and last */
    int64_t begin, end; /* of y's elements, those that the last line may have moved */
    int64_t
        touched; /* which element of those alike is not that of the leaf's own value; TG_NO_ELEMENT, TG_ANY_ELEMENT */
    uint64_t branches;      /* taken by the cone with the leaves' own values */
    bool behind, disturbed; /* the cone is another one by now; results are not those of the leaves' own values */
} tg_side;

/* Elements of one operation that are equal, x, or of one size, n of them: together they change y by numeric, and their
 * gradients add up to analytic. n = 0: none are wrong. */
typedef struct tg_tied {
    int64_t n;
    double x;
    bool equal;
    double analytic, numeric;
} tg_tied;

/* A float64 tape (a copy of the user's, or one operation alone) with a result y to differentiate. Everything lives
 * on that tape. */
typedef struct tg_checker {
    tg_tape *t;
    tg_node *y;
    const tg_gradcheck_config *config;
    tg_rng_state rng;
    tg_tensor v;           /* the cotangent */
    double *cotangent;     /* its elements */
    const double *own_dy;  /* what they are to be; NULL: random */
    double *at_base, *low; /* y's elements where the leaves have their own values; as many others */
    bool *needed, *moves;  /* by tensor: y depends on it; it depends on what is being moved, */
    bool *alike;           /* element by element */
    tg_side plain, fine;   /* t itself; in long double, made when it is wanted; */
    tg_side finest;        /* and in quad, for what that leaves open */
    int64_t evaluations;
    double work; /* in quad, so far: multiplications and so on */
    int n_leaves;
    tg_check_leaf *leaf;
    double size;         /* sum |v| max(|y|, 1) */
    double weight;       /* the largest |v| of its own dy; 1 of a random one */
    bool alone;          /* one operation on its own leaves */
    int64_t infinite;    /* elements of y that are not finite, and get no cotangent */
    bool has_custom;     /* y depends on custom operations */
    bool has_hidden;     /* and some do not say their branches */
    bool only_custom;    /* and on no others but views */
    int64_t undecided;   /* elements or directions at a kink that say nothing */
    double apart;        /* the largest relative difference of float64 and long double, but in y */
    double *apart_in_y;  /* how far y's are, by element; NULL until it is wanted */
    double noisy;        /* the relative noise of the noisiest custom operation, */
    double coarse;       /* of the noisiest that computes in less than float64, */
    double largest;      /* the largest number that any has as a result */
    double jump;         /* and by how much coarse ones jump at least; */
    bool stairs;         /* one may be a stair: it jumps otherwise than a floating-point format */
    int jittered;        /* how many runs told that noise */
    bool measured;       /* leaves' noise is known */
    double *noise_of;    /* relative, by tensor; NULL until it is wanted */
    bool confirming;     /* another verdict of WRONG has been made with care */
    tg_chained *chained; /* by tensor; see chain.c */
    tg_curve *curve;     /* see sweep.c */
    tg_chain_column *column;
    bool chain_asked, chain_known;
    bool alone_first;                       /* what is wrong is so unless every operation is right alone */
    bool contradicted;                      /* float64's own differences deny what long double confirms */
    bool between_steps;                     /* a gradient of 0 was not called wrong, as it may be of a stair */
    bool floored;                           /* something is right because it is taken for rounding */
    bool swept;                             /* something is right by a sweep, to a few digits */
    bool aside;                             /* the leaves were moved a little */
    tg_tied tied;                           /* what is wrong with elements that are equal */
    tg_moved *every;                        /* every leaf, and room for three of y; NULL until it is */
    double *alone_y;                        /* wanted */
    bool forward_differs, backward_differs; /* two equal runs gave two results */
} tg_checker;

extern const tg_op tg_op_custom;
static inline bool tg_is_custom(const tg_node *n) {
    return n->op && n->op->forward[TG_F64] == tg_op_custom.forward[TG_F64];
}

/* ---- checker.c ---- */

/* Replay, run backward three times and fill in everything; TG_OK or tg_fail on t. */
tg_status tg_checker_open(tg_checker *c, tg_tape *t, tg_node *y, const tg_gradcheck_config *config);
/* By tensor, up to y: does y depend on it? */
void tg_find_needed(const tg_node *y, bool *needed);
/* tg_fail on y's tape, since y's element is this, which is not finite: where that comes from. */
tg_status tg_refuse_infinite_result(const tg_node *y, const bool *needed, int64_t at, double value);
/* A number in +-[0.5, 1.5]. */
double tg_checker_random(tg_checker *c);

/* A derivative is rounding when it is nothing beside the leaf's others, or when a move by the leaf's own size would
 * not show in y. */
double tg_checker_floor(const tg_checker *c, double largest, double scale);
/* What rounding of numbers of y's size, or of 1, makes of a gradient on its way, whatever the size of x. */
double tg_checker_own(const tg_checker *c, double largest, double moved);
/* The floor where float64 has to show it. */
double tg_checker_unseen(const tg_checker *c, double scale);
/* The first element that is infinite or NaN, of what a view looks at; -1: none. */
int64_t tg_first_infinite(const tg_node *x);
/* Do Infs come from operations that make them on purpose (masked_fill), or from constants (a mask)? */
bool tg_infinite_on_purpose(tg_checker *c, const tg_node *y);
/* Does the step of the first difference suit the leaves' values? Else tg_fail. */
tg_status tg_checker_check_eps(const tg_checker *c);
/* Where kinks leave questions open: everything again with the leaves moved a little. */
tg_status tg_checker_step_aside(tg_checker *c);
/* By their own size, but by a 16th at least and by 1 at most: signs change, and small numbers become ordinary ones. */
tg_status tg_checker_step_far(tg_checker *c);
/* The same where elements that are chosen, by leaf, have moved by a quarter of their size. */
tg_status tg_checker_step_chosen(tg_checker *c, bool *const *chosen);
/* The leaves so many times by their own size, but by a 16th at least and by 1 at most: signs change, and small numbers
 * become ordinary ones. Then the forward. */
tg_status tg_checker_move_far(tg_checker *c, double by);
/* Everything again where the leaves are no more what they were. */
tg_status tg_checker_run_elsewhere(tg_checker *c);
/* Is a number so far from 1 that it may hide others, or be hidden? The same nearer: what is between 1/16 and 2 stays,
 * and the number of times that it is beyond them becomes its 64th root. So 0, signs and order stay. */
bool tg_is_wide(double x);
double tg_near_one(double x);
/* Is any operand? Everything again with all of them near 1. */
bool tg_checker_is_wide(const tg_checker *c);
tg_status tg_checker_bring_near(tg_checker *c);
/* This leaf moves, and no other; all of them do. */
void tg_move_leaf(tg_checker *c, const tg_check_leaf *leaf);
void tg_move_all_leaves(tg_checker *c);
/* Their values, as they are, and room for a direction. False, NULL: out of memory. */
bool tg_open_moved_leaf(tg_checker *c, const tg_check_leaf *leaf, tg_moved *m);
tg_moved *tg_open_moved(tg_checker *c);

/* ---- lines ---- */

/* Evaluations of more elements take a while. */
enum { TG_HUGE = 100000 };

/* One element, or whole leaves. */
typedef struct tg_line {
    const tg_node *x; /* NULL: leaves */
    ptrdiff_t at;     /* in x's elements */
    double start;
    int n;
    const tg_moved *moved;
    double size;   /* of what moves; 0 when that is 0 */
    double widest; /* steps may be as wide, when narrower ones say nothing */
    double floor;  /* derivatives smaller than this are rounding, */
    double own;    /* but where differences show otherwise only those smaller than this */
    bool huge;     /* so many elements move that no sample is taken for nothing */
    double unseen; /* an error bar as wide is sharp enough for RIGHT where nothing is certain */
    bool quickly; /* by the first difference alone, when that is clear: another verdict of WRONG has been made with care
                   */
} tg_line;

/* ---- scopes.c ---- */

/* Where a checkpoint scope of the tape that is checked, on which y of c is a copy, gives another result when it is
 * computed again: WRONG. */
tg_status tg_check_scopes(tg_checker *c, tg_tape *checked, tg_gradcheck_result *r);

/* ---- noise.c ---- */

/* Custom operations of more noise than this compute in less than float64, unless their inputs' rounding makes it. */
#define TG_COARSE 1e-12

tg_status tg_measure_noise(tg_checker *c);
/* The largest relative difference of float64 and long double, where noise was measured: of an elementwise operation
 * alone that of the element that moves. */
double tg_checker_apart(const tg_checker *c, const tg_line *line);
/* How far rounding in float64 takes the analytic derivative along the line. */
double tg_checker_gradient_noise(tg_checker *c, const tg_line *line);
/* The same where differences give this slope: rounding that takes a built-in operation's gradient to the slope each
 * time, and closely, does not excuse that it is elsewhere without. */
double tg_checker_noise_about(tg_checker *c, const tg_line *line, double slope);

/* ---- evaluate.c ---- */

/* The distance from 1 to the next number, as this machine computes (valgrind's long double is a double). */
double tg_unit_of(tg_dtype dtype);
void *tg_checker_memory(tg_checker *c, size_t n, size_t size);
/* The branches that an operation has taken; the results of comparisons are some as well. */
void tg_note_branches(const tg_node *n, tg_branches *b);
/* All that y needs, in float64. */
tg_status tg_checker_run_forward(tg_checker *c);
static inline double tg_grad_element(const tg_node *x, int64_t j) {
    return x->has_grad ? ((const double *)x->grad)[j] : 0;
}
bool tg_checker_open_side(tg_checker *c, tg_side *side, tg_tape *t);
/* What has to run again when the marked (c->moves) leaves move. */
void tg_checker_cone(tg_checker *c);
/* The results that depend on what moved, for the leaves' own values again. */
void tg_checker_restore(tg_checker *c);
/* The side for verdicts; NULL after tg_fail. */
tg_side *tg_checker_fine(tg_checker *c);
/* What an evaluation on that side takes: multiplications and so on. */
double tg_work_of(const tg_side *side);
/* The one in quad; NULL where there is none, or no memory. */
tg_side *tg_checker_finest(tg_checker *c);
void tg_checker_close(tg_checker *c);

typedef struct tg_point {
    long double s, f; /* how far the leaves moved, after rounding; f(s) - f(0) */
    double rounding;
    double unmoved; /* by how much elements of y that are the same may have moved unseen */
    uint64_t branches;
    bool finite, same; /* same: no element of y moved */
} tg_point;
/* All of the cone, for the leaves' own values again. */
void tg_checker_run_cone(tg_side *side);
/* The leaves are put back, results are not. */
tg_point tg_evaluate(tg_checker *c, tg_side *side, const tg_line *line, double s);
/* The line's size halved so often, as a power of two. */
double tg_step(const tg_line *line, int halvings);
/* dy[j]/dx for every j at once, into column; false near a kink or where y is not finite. */
bool tg_jacobian_column(tg_checker *c, const tg_line *line, double *column);

/* ---- chain.c ---- */

/* A derivative by the chain rule, its error bar, and how far kinks on the way may take a gradient from it. */
typedef struct tg_chained_slope {
    bool known;
    double value, bar, kink;
} tg_chained_slope;
/* Is there little enough to do, for lines of the whole? */
bool tg_chain_is_possible(const tg_checker *c);
tg_chained_slope tg_chain_along(tg_checker *c, const tg_line *line);
/* Are the gradients of several elements clearly others, though there is no kink anywhere? */
bool tg_chain_contradicts(tg_checker *c);
/* Is the gradient what the operations' VJPs, each alone, make of it? *overflow: the operation whose VJP makes
 * infinities of a gradient so large that it may; else NULL. */
bool tg_repeat_vjps(tg_checker *c, const tg_node **overflow);

typedef struct tg_outcome {
    tg_grad_verdict verdict;
    double numeric, error; /* numeric's error bar */
    bool at_kink;          /* branches meet here: a gradient outside the two sides may still be right, if several do */
    const char *reason;    /* why it cannot be told */
} tg_outcome;

/* ---- reach.c ---- */

/* What the line may reach is in side from here on, for a line that is one element. */
void tg_find_reach(tg_checker *c, tg_side *side, const tg_line *line);

/* ---- sweep.c ---- */

/* Do many neighbouring steps say what backward says? Then *out is RIGHT, else as it was. */
bool tg_sweep_line(tg_checker *c, tg_side *side, const tg_line *line, double analytic, tg_outcome *out);

/* ---- kinks.c ---- */

extern const char tg_unknown_kink[], tg_infinite_slope[];
/* Is there a finite slope, of one operation alone? Then *o is the verdict on a gradient that is not finite. */
bool tg_has_slope(tg_checker *c, tg_side *side, const tg_line *line, tg_outcome *o);
/* Does the difference to a side grow without end as steps become narrower? */
bool tg_has_infinite_slope(tg_checker *c, tg_side *side, const tg_line *line);
/* f lies still at steps up to `from`, and not all do up to `to`: does it begin to move as behind a kink, little by
 * little? Between two numbers of what computes in float it lies still as well, but then it jumps. */
bool tg_moves_without_a_jump(tg_checker *c, tg_side *side, const tg_line *line, double from, double to);

/* ---- numeric.c ---- */

/* Is this the derivative of f along the line? */
tg_outcome tg_check_line(tg_checker *c, const tg_line *line, double analytic);
/* The same in long double at once. */
tg_outcome tg_measure_line(tg_checker *c, const tg_line *line, double analytic);

/* ---- smooth.c ---- */

/* Has the operation, alone, a derivative where its leaves are, as far as what the rows of r call wrong tells? */
bool tg_is_smooth(tg_checker *c, const tg_gradcheck_result *r);

/* ---- others.c ---- */

/* Every leaf from where it is now, with no direction yet; NULL after tg_fail. */
const tg_moved *tg_all_leaves(tg_checker *c);
/* Does what the element at this kink makes of y depend on where the others are? Then several kinks may meet there. */
bool tg_others_have_a_say(tg_checker *c, const tg_check_leaf *leaf, const tg_line *line);

/* ---- compare.c ---- */

static inline bool tg_is_bad(tg_grad_verdict v) { return v == TG_GRAD_WRONG || v == TG_GRAD_CANNOT_TELL; }

/* Compare every element; all leaves along a few random directions; each leaf along one of its own. */
tg_status tg_check_every_element(tg_checker *c, tg_gradcheck_result *r);
tg_status tg_check_directions(tg_checker *c, tg_gradcheck_result *r);
tg_status tg_check_leaf_directions(tg_checker *c, tg_gradcheck_result *r);
/* A row for what is wrong of the leaf, from this element on. */
void tg_add_wrong(const tg_checker *c, const tg_check_leaf *leaf, int64_t element, double analytic, const tg_outcome *o,
                  tg_gradcheck_result *r);
/* Its name, or "tensor 3". */
void tg_gradcheck_name_leaf(const tg_node *x, char *out, size_t size);
/* What it calls wrong only cannot be told, for this reason. */
void tg_withdraw(tg_gradcheck_result *r, const char *reason);
/* Kinks of custom operations may not be known, and one where several meet may look smooth along every line: what one of
 * these calls wrong has to be wrong a little aside as well, or is withdrawn; but not of an operation alone that has a
 * derivative. */
typedef tg_status tg_comparison(tg_checker *c, tg_gradcheck_result *r);
tg_status tg_confirm_aside(tg_checker *c, tg_comparison *compare, tg_gradcheck_result *r);

/* ---- ties.c ---- */

/* Do the gradients of elements that are equal, of one operation alone, add up to something else than what they make of
 * y together? Then r says so, and c->tied. */
tg_status tg_check_ties(tg_checker *c, tg_gradcheck_result *r);

/* ---- alone.c ---- */

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

/* Element j on a side, rounded to long double. */
static inline long double tg_side_number(tg_dtype dtype, const void *p, int64_t j) {
#ifdef TG_HAS_QUAD
    if (dtype == TG_QD)
        return (long double)((const tg_quad *)p)[j];
#endif
    return dtype == TG_LD ? ((const long double *)p)[j] : ((const double *)p)[j];
}
/* a[j] - b[j]: 0 where both are the same infinity. */
static inline long double tg_side_difference(tg_dtype dtype, const void *a, const void *b, int64_t j) {
#ifdef TG_HAS_QUAD
    if (dtype == TG_QD) {
        tg_quad p = ((const tg_quad *)a)[j], q = ((const tg_quad *)b)[j];
        return p == q ? 0 : (long double)(p - q);
    }
#endif
    long double p = tg_side_number(dtype, a, j), q = tg_side_number(dtype, b, j);
    return p == q ? 0 : p - q;
}

/* One operation alone: y = op(x[0], x[1], ...). */
typedef struct tg_suspect {
    tg_checker c;
    const tg_node *original;
    tg_node *x[UINT8_MAX]; /* the operands on c.t; NULL where one is missing */
} tg_suspect;

/* A tape to put operations of t on, in the state that t is in; NULL when out of memory. */
tg_tape *tg_tape_for(const tg_tape *t, tg_dtype dtype);
/* The node's operation on that tape, with leaves for its operands, in x: one for each, or (share) one for operands that
 * share their elements. NULL after tg_fail. */
tg_node *tg_copy_alone(tg_tape *to, const tg_node *n, bool share, tg_node **x);
/* Has the node a VJP that can be looked at alone? */
bool tg_has_vjp(const tg_node *n);
/* False when out of memory, or after tg_fail on s->c.t. */
bool tg_suspect_open(tg_suspect *s, const tg_node *n, const tg_gradcheck_config *config);
/* The same with this dy, or a random one (NULL). */
bool tg_suspect_open_with(tg_suspect *s, const tg_node *n, const tg_gradcheck_config *config, const double *dy);
/* The same with operands that share their elements as they do on the tape. */
bool tg_suspect_open_shared(tg_suspect *s, const tg_node *n, const tg_gradcheck_config *config);
/* A view alone, read by neg. */
bool tg_suspect_open_view(tg_suspect *s, const tg_node *view, const tg_gradcheck_config *config);
/* The operands that the original has by now. */
void tg_suspect_take_operands(tg_suspect *s);
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

/* ---- search.c ---- */

/* A wrong element of a leaf, or of an operand, the first where that can be told, as its elements are counted; -1: none
 * was found. What it finds has to be looked at with care. */
int64_t tg_search_leaf(tg_checker *c, const tg_check_leaf *leaf);
int64_t tg_search_wrong(tg_suspect *s, const tg_node *x);

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

/* Is x's gradient 0 from this element on, for its numbers in any order? Leaves the operands as they are. */
bool tg_is_never_there(tg_suspect *s, const tg_node *x, int64_t begin);
/* What mistake gives operand i its wrong gradient? */
void tg_diagnose(tg_suspect *s, int operand, tg_gradcheck_result *result);
/* The same from the rows of the whole check alone, where an operation is at a kink. */
void tg_diagnose_rows(tg_gradcheck_result *result);

/* ---- infinite.c ---- */

/* tg_fail when a leaf's gradient is not finite for a reason that is no mistake. */
tg_status tg_refuse_infinite(tg_checker *c);

/* ---- locate.c ---- */

/* Find the first operation whose VJP is wrong on its own recorded inputs, and say so in the result. */
tg_status tg_locate(tg_checker *c, tg_gradcheck_result *result);

/* Is one operation of c's tape wrong on its own? Then the result says so. In FAST mode the whole may hide it. */
bool tg_is_wrong_alone(tg_checker *c, const tg_node *n, tg_gradcheck_result *r);

tg_status tg_check_suspect(tg_suspect *s, tg_gradcheck_result *r);
/* The operand whose gradient that found wrong, or -1. */
int tg_wrong_operand(const tg_suspect *s, const tg_gradcheck_result *r);
/* The operation and the operand (counted from 0; -1: its forward) that are wrong. */
void tg_gradcheck_say_where(const tg_node *n, int operand, tg_gradcheck_result *r);

/* ---- float32.c ---- */

/* Are the kernels of a float32 tape, of which c->t is the copy, and custom operations' float32 callbacks near their
 * float64 twins? */
tg_status tg_check_float32(tg_checker *c, tg_tape *trained, tg_gradcheck_result *r);

/* ---- float64.c ---- */

/* Are a built-in operation's result, or the numbers that it keeps, others than long double's? Then the result says so.
 */
bool tg_float64_differs(tg_suspect *s, tg_gradcheck_result *r);

/* ---- kept.c ---- */

/* Is a custom operation's gradient the same far from here, where it is wrong? An earlier call may have left it. Then
 * the result says so. */
tg_status tg_find_kept(tg_checker *c, tg_gradcheck_result *r);

/* ---- sharing.c ---- */

/* Does a custom operation's VJP write to dy, to an operand or to its result? Then the result says so. */
bool tg_writes_to_const(tg_suspect *s, tg_gradcheck_result *r);
/* Is there an operation that is wrong only where two of its operands share their elements? Then the result says so. */
bool tg_find_shared(tg_checker *c, tg_gradcheck_result *r);

/* ---- connectivity.c ---- */

/* List the leaves that get no gradient. */
tg_status tg_find_lost(tg_checker *c, tg_gradcheck_result *r);

/* ---- report.c ---- */

void tg_gradcheck_summarise(tg_gradcheck_result *r);

#endif
