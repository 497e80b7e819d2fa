/* Mistakes to plant in the gradient of one operand of an operation: those that the gradient check has a name for, and
 * others. See faults.c. */
#ifndef TAPEGRAD_TEST_FAULT_KINDS_H
#define TAPEGRAD_TEST_FAULT_KINDS_H

#include "core/engine.h"

typedef struct fault_kind {
    const char *name;
    tg_mistake expected; /* TG_MISTAKE_UNKNOWN: the check has no name for it */
    /* Change g, the right gradient of operand k. What cannot be done here leaves it as it is. */
    void (*corrupt)(tg_node *y, int k, double *g);
} fault_kind;

extern const fault_kind fault_kinds[], float32_kinds[];
extern const int n_fault_kinds, n_float32_kinds;

/* What is planted at present. */
typedef struct planted_fault {
    const tg_op *right;
    const fault_kind *kind;
    int operand;
    uint64_t draws; /* of a mask drawn anew */
    double *kept;   /* of a buffer that is never cleared */
    double damage;  /* |wrong - right| / |right|, at most; of float32 in times of the bound that the check states */
    double visible; /* |wrong - right| against what a move of x by its own size changes in sum dy y */
    bool called;
    bool lone; /* at most one element of the right gradient is not 0 */
    /* Are the numbers those of another kind, or of a factor, in every call? */
    const fault_kind *rival;
    double rival_factor;
    bool rival_differs;
} planted_fault;
extern planted_fault fault;

/* A copy of the node's descriptor with the wrong VJP, put in its place. */
void plant_fault(tg_node *n, tg_op *copy, const fault_kind *kind, int operand);
void forget_fault(void);

/* ---- fault_sight.c ---- */

/* Of a mistake that was missed: at no element is the gradient off by more than what tapegrad.h takes for rounding;
 * where it is, no steps of long double show the right one; or they do. */
typedef enum { FAULT_BELOW_STATED, FAULT_NOT_SHOWN, FAULT_SHOWN, N_FAULT_SIGHTS } fault_sight;
/* Of the one that is planted in n, on y's tape. */
fault_sight sight_of_fault(tg_node *y, tg_node *n, uint64_t seed);

/* ---- fault_float32.c ---- */

/* The largest |wrong - right| of operand k's gradient, in times of what float32 may be off by: see tg_gradcheck. */
double times_float32_bound(const tg_node *y, int k, const double *right, const double *wrong);
/* Operations with operands of random sizes, up to several tiles of their kernels; null where there is none. */
tg_tensor sized_program(tg_tape *t, int number, tg_rng_state *g);

#endif
