/* The data of `make look` for one task, as JSON: a run of the student's code, step by step, beside the library's. */
#ifndef TAPEGRAD_COURSEWORK_LOOK_H
#define TAPEGRAD_COURSEWORK_LOOK_H

#include "grade.h"

enum { MAX_STEPS = 16, MAX_SOURCES = 3 };

/* One array of the run, in the order of forward. */
typedef struct look_step {
    char name[24], made[64];        /* "weights", "softmax(scores)" */
    int from[MAX_SOURCES], n_from;  /* steps that it is computed from */
    tg_tensor right;                /* its gradient is kept where there is one */
    const double *mine, *mine_grad; /* NULL: the student's is not known */
} look_step;

typedef struct look_run {
    int n;
    look_step step[MAX_STEPS];
} look_run;

void look_number(FILE *out, double x);
void look_numbers(FILE *out, const double *x, int64_t n);
void look_text(FILE *out, const char *text);
void look_tape(FILE *out, const look_run *run);

/* A1, A2: the student's own tape. */
bool look_scalars(session *s);
bool look_program(session *s);

/* The whole page's data, or "" with why not: {"number": "04", ...} */
bool look_at(FILE *out, const settings *set, const task_spec *t);

#endif
