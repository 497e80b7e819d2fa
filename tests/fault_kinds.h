/* Mistakes to plant in the gradient of one operand of an operation: those that the gradient check has a name for, and
 * others. For faults.c, fault_test.c, diagnosis_test.c. */
#ifndef TAPEGRAD_TEST_FAULT_KINDS_H
#define TAPEGRAD_TEST_FAULT_KINDS_H

#include "core/engine.h"

/* The gradient g of operand k, to be changed: at first it is the right one. All row-major, as doubles. */
typedef struct job {
    tg_node *node;
    int k;
    int64_t n, n_y; /* elements of the operand and of the result */
    double *g, *right, *x, *y, *dy;
    const char *at;
    double by, most; /* most: the largest |right| */
} job;

/* What cannot be done here leaves g as it is. */
typedef void corruption(job *j);

typedef struct fault_kind {
    const char *name;
    tg_mistake expected; /* TG_MISTAKE_UNKNOWN: the check has no name for it */
    corruption *corrupt;
    double by;      /* the job's, */
    const char *at; /* and this too */
} fault_kind;

extern const fault_kind fault_kinds[], float32_kinds[];
extern const int n_fault_kinds, n_float32_kinds;

corruption times, pass_on, without_dy, diagonal, off_diagonal, of_rows, forget_smoothing, forget_target, forget_mask,
    other_not_turned, keep_adding, overwrite, stop_early;

/* ---- what mistakes are made of ---- */

double *allocate(int64_t n);
bool is_op(const job *j, const char *name);
void scale(double *g, int64_t n, double factor);
/* What the right VJP makes of this dy (of float64; NULL: the one there is), for one operand, onto nothing. */
void pull(tg_node *y, int k, const double *dy, double *out);
void pull_again(job *j); /* into g, for the dy there is */
/* From the part of y that lies at `place` along dim d; -1: the last. */
void from_slice(job *j, int64_t d, int64_t place);
/* Of the gradients that each element of y gives: the first or last that is not 0, or that of the element's own place.
 */
void pick(job *j, bool first, bool own);
/* Softmax's y (dy - sum dy), where rows lie along dim d. */
void sum_of_dy(job *j, int d);
/* Right numbers that lie where they would with the dims in this order. */
void store(job *j, const int *order);
/* dx of a normalisation over each n elements, as flags says: m: without the gradient of the mean, v: without that of
 * the variance; the row's factor is that of eps 0 (0), or with eps outside the root (o); !: within h as well. */
void normalise(job *j, int64_t n, bool centred, double eps, const double *w, const char *flags);

/* Element i of the gradient: of the right one (had), x, y, dy, ... */
#define EACH(name, ...)                                                                  \
    static void name(job *j) {                                                           \
        const double *had = j->right, *x = j->x, *y = j->y, *dy = j->dy, most = j->most; \
        (void)had, (void)x, (void)y, (void)dy, (void)most;                               \
        for (int64_t i = 0, n = j->n; i < n; i++)                                        \
            j->g[i] = (__VA_ARGS__);                                                     \
    }

/* The right VJP of another dy. */
#define OF_DY(name, ...)                            \
    static void name(job *j) {                      \
        const double *dy = j->node->grad;           \
        (void)dy;                                   \
        for (int64_t i = 0, n = j->n_y; i < n; i++) \
            j->dy[i] = (__VA_ARGS__);               \
        pull(j->node, j->k, j->dy, j->g);           \
    }

/* ---- planting ---- */

/* What is planted at present. */
typedef struct planted_fault {
    const tg_op *right;
    const fault_kind *kind;
    int operand;
    uint64_t draws; /* of a mask drawn anew */
    double *kept;   /* of a buffer that is never cleared */
    double damage;  /* |wrong - right| / |right|, at most */
    double visible; /* |wrong - right| against what a move of x by its own size changes in sum dy y */
    int calls;
    bool lone; /* at most one element of the right gradient is not 0 */
    /* Are the numbers those of another kind, or of a factor, in every call? */
    const fault_kind *rival;
    double rival_factor;
    bool rival_differs;
} planted_fault;
extern planted_fault fault;

/* A copy of the node's descriptor with the wrong VJP of this dtype, put in its place. */
void plant_fault(tg_node *n, tg_op *copy, const fault_kind *kind, int operand, tg_dtype dtype);
void forget_fault(void);

/* ---- fault_float32.c ---- */

/* Operations with operands of random sizes, up to several tiles of their kernels; null where there is none. */
tg_tensor sized_program(tg_tape *t, int number, tg_rng_state *g);

#endif
