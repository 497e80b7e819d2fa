/* What is checked: tasks, their parts, and what a check found. */
#ifndef TAPEGRAD_COURSEWORK_CHECK_H
#define TAPEGRAD_COURSEWORK_CHECK_H

#include "run.h"

#include <stdio.h>

enum { MAX_INPUTS = 3, MAX_PARTS = 6, MAX_TASKS = 20 };

/* ---- operations ---- */

/* Intermediates of a reference, by name, for comparison with what a student keeps under that name (or, with a d in
 * front, its gradient). One name may stand for several tensors: any of them is right. */
typedef struct note_list {
    int n;
    const char *name[8];
    tg_tensor x[8];
} note_list;
void take_note(note_list *notes, const char *name, tg_tensor x);

typedef struct op_case {
    tg_shape input[MAX_INPUTS];
    double number; /* what the operation's context holds */
} op_case;

/* What is known of an operation without its formula: its value, by operations of the library. */
typedef struct op_spec {
    const char *symbol;              /* of the student's tg_custom_op */
    const char *result;              /* "Y" */
    const char *operand[MAX_INPUTS]; /* "X", ... */
    const char *kind;     /* of each operand: f a number, i a class below the first operand's last size, b a mask */
    const op_case *cases; /* the first one is the one that a mistake is told apart on */
    int n_cases;
    /* fault 0: the operation. fault k: the same value, but the gradient that the k-th common mistake gives */
    tg_tensor (*reference)(const tg_tensor *x, double number, int fault, note_list *notes);
    const char *const *fault; /* "name: in words", ending with NULL; may be NULL */
} op_spec;

/* ---- parts of tasks ---- */

typedef enum { VALUE, GRADIENT, FROZEN, SGD, ADAM, TRAIN_VALUE, TRAIN_STEP, TRAIN_ALL } part_kind;

typedef struct part {
    part_kind kind;
    int points;
    const op_spec *op;
    int operand; /* GRADIENT: which, or -1 for all together */
} part;

typedef struct task_spec {
    const char *number, *file, *title; /* "04", "04_softmax", "Softmax" */
    part part[MAX_PARTS];              /* up to the first without points */
} task_spec;
extern const task_spec tasks[];
extern const int n_tasks;

typedef struct verdict {
    bool right;
    bool untouched;   /* the student's stub, as far as can be seen */
    char where[160];  /* "gradient of A", "value" */
    char mistake[64]; /* a short name */
    char why[480];
} verdict;

/* What a check needs. */
typedef struct session {
    student *student;
    uint64_t seed;
    FILE *detail; /* for the long report */
    char title[64];
} session;

verdict check_part(session *s, const part *p);

/* ---- the kinds of checks ---- */

verdict check_value(session *s, const op_spec *op);
verdict check_gradient(session *s, const op_spec *op, int operand, bool frozen);
verdict check_sgd(session *s);
verdict check_adam(session *s);
verdict check_training(session *s, part_kind kind);

/* Fill in a verdict that is not right. */
verdict wrong(const char *where, const char *mistake, const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 3, 4)))
#endif
    ;
/* The student's code failed to run. */
verdict failed(const session *s, const char *where);

/* Are a and b the same but for rounding? */
bool same_numbers(const double *a, const double *b, int64_t n);
/* "[1, 2]" for element k of that shape. */
const char *place_text(tg_shape shape, int64_t k, char *out, size_t size);
int64_t numel_of(tg_shape shape);
/* The one constant c with a = c b, or NaN. */
double ratio_of(const double *a, const double *b, int64_t n);

#endif
