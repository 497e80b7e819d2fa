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
    double damage;  /* |wrong - right| / |right|, at most */
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

/* ---- fault_float32.c ---- */

/* Operations with operands of random sizes, up to several tiles of their kernels; null where there is none. */
tg_tensor sized_program(tg_tape *t, int number, tg_rng_state *g);

#endif
