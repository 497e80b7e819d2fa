/* What is checked: tasks, their parts, and what a check found. */
#ifndef TAPEGRAD_COURSEWORK_CHECK_H
#define TAPEGRAD_COURSEWORK_CHECK_H

#include "run.h"

#include <stdio.h>

enum { MAX_INPUTS = 3, MAX_PARTS = 6, MAX_TASKS = 32, MAX_NUMBERS = 6 };

/* ---- operations ---- */

/* Intermediates of a reference, by name, for comparison with what a student keeps under that name (or, with a d in
 * front, its gradient). One name may stand for several tensors: any of them is right. */
typedef struct note_list {
    int n;
    const char *name[8];
    tg_tensor x[8];
} note_list;

/* How a reference is to compute. */
typedef struct how {
    double number[MAX_NUMBERS]; /* what the operation's context holds */
    int variant;                /* of the exercise: see variants.c */
    int fault;                  /* 0: right. k: the same value with the gradient that the k-th common mistake gives */
    int slip;                   /* 0: right. k: the value that the k-th common mistake of forward gives */
    int way;                    /* for op_spec.other_way */
    note_list *notes;           /* may be NULL */
} how;
void take_note(const how *h, const char *name, tg_tensor x);

typedef struct op_case {
    tg_shape input[MAX_INPUTS];
    double number[MAX_NUMBERS];
    double spread; /* of the floating inputs; 0 stands for 1; below 0: they are all below it */
} op_case;

/* What is known of an operation without its formula: its value, by operations of the library. */
typedef struct op_spec {
    const char *symbol;              /* of the student's tg_custom_op */
    const char *result;              /* "Y" */
    const char *arrives;             /* what its vjp is given, where that is not called dy */
    const char *operand[MAX_INPUTS]; /* "X", ... */
    const char *kind;     /* of each operand: f a number, i a class below the first operand's last size, r one of its
                             rows, b a mask */
    const op_case *cases; /* the first one is the one that a mistake is told apart on */
    int n_cases;
    /* The shapes of the operands in the student's variant, where that changes them; may be NULL. */
    void (*arrange)(tg_shape *input, int variant);
    tg_tensor (*reference)(const tg_tensor *x, const how *h);
    const char *const *fault;     /* of the gradient: "name: in words", ending with NULL; may be NULL */
    const char *const *slip;      /* of the value */
    const char *uses[MAX_INPUTS]; /* the kept arrays that the gradient of each operand needs: "u du" */
    const op_case *hard;          /* for the two checks of how a gradient was computed */
    const op_case *large;         /* NULL where hard is enough: where forward is not linear */
    /* The inputs of hard: see check_gradient.c. */
    void (*harden)(double *const *x, const tg_shape *shape, int operand, int variant);
    double hard_tolerance; /* 0 stands for 1e-3 */
    /* The same function with a gradient by another formula, h->way of n_ways, where rounding makes them differ by as
     * much as that for the inputs of hard: a gradient may be any of them. */
    tg_tensor (*other_way)(const tg_tensor *x, const how *h);
    int n_ways;
} op_spec;

/* ---- parts of tasks ---- */

typedef enum { VALUE, GRADIENT, FROZEN, SGD, ADAM, TRAIN_VALUE, TRAIN_STEP, TRAIN_ALL, HARNESS } part_kind;

struct session;
struct verdict;
typedef struct part {
    part_kind kind;
    int points;
    const op_spec *op;
    int operand;      /* GRADIENT: which, or -1 for all together */
    const char *name; /* HARNESS */
    struct verdict (*check)(struct session *s);
} part;

typedef struct task_spec {
    const char *number, *file, *title; /* "04", "04_softmax", "Softmax" */
    const char *harness;               /* what is linked to the student's code, with the library; NULL: nothing */
    const char *own[3]; /* the numbers of the tasks whose code it runs with, where they have full marks */
    bool uses_library;  /* it may call the library */
    int n_variants;
    part part[MAX_PARTS]; /* up to the first without points */
} task_spec;
extern const task_spec tasks[];
extern const int n_tasks;
const task_spec *task_numbered(const char *number);

typedef struct verdict {
    bool right;
    bool untouched;    /* the student's stub, as far as can be seen */
    char where[160];   /* "gradient of A", "value" */
    char mistake[64];  /* a short name */
    char element[400]; /* the first that is wrong: "dX[0, 1] is 0.5; it should be 0.25", and its arithmetic; or "" */
    char why[480];
} verdict;

/* What a check needs. */
typedef struct session {
    student *student;
    uint64_t seed;
    const int *variant; /* of every task */
    int task;
    FILE *detail; /* for the long report */
} session;

verdict check_part(session *s, const part *p);
/* What a gradient costs, for a part whose operation has a large case: in a new process, where nothing can be printed.
 * too_slow is its mistake then. */
extern const char too_slow[];
verdict check_cost(session *s, const part *p);

/* ---- the kinds of checks ---- */

verdict check_value(session *s, const op_spec *op);
verdict check_gradient(session *s, const op_spec *op, int operand);
/* Only some of the inputs want a gradient. */
verdict check_frozen(session *s, const op_spec *op);
verdict check_sgd(session *s);
verdict check_adam(session *s);
/* The right Adam step of at most 7 elements, with beta1 0.9, beta2 0.999, eps 1e-8. */
void course_adam(int variant, double *p, const double *g, double *m, double *v, int64_t n, int step, double lr);
verdict check_training(session *s, part_kind kind);

/* A1 */
verdict check_scalar_order(session *s);
verdict check_scalar_values(session *s);
verdict check_scalar_grads(session *s);
/* A2 */
verdict check_engine_values(session *s);
verdict check_engine_copies(session *s);
verdict check_engine_products(session *s);
verdict check_engine_curves(session *s);
/* 15 */
verdict check_init(session *s);
verdict check_variances(session *s);
verdict check_depth(session *s);
/* 18 */
verdict check_plain_checker(session *s);
verdict check_fine_checker(session *s);
/* 19 */
verdict check_recall_loss(session *s);
verdict check_recall_train(session *s);

/* Fill in a verdict that is not right. */
verdict wrong(const char *where, const char *mistake, const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 3, 4)))
#endif
    ;
/* Which element it is that came as this number and should be that. */
void at_element(verdict *v, double came, double wanted, const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 4, 5)))
#endif
    ;
/* A mistake as the lists have it, "name: in words". */
void name_mistake(verdict *v, const char *mistake);
/* The student's code failed to run. */
verdict failed(const session *s, const char *where);

/* How far a result may be off, relative to the largest one. */
extern const double tolerance;
/* True when a and b are the same up to rounding, sums in float included. */
bool same_numbers(const double *a, const double *b, int64_t n);
/* The first element by which they are not, or -1. */
int64_t first_difference(const double *a, const double *b, int64_t n);
bool all_zero(const double *x, int64_t n);
/* "[1, 2]" for element k of that shape. */
const char *place_text(tg_shape shape, int64_t k, char *out, size_t size);
int64_t numel_of(tg_shape shape);
/* The one constant c with a = c b, or NaN. */
double ratio_of(const double *a, const double *b, int64_t n);

#endif
