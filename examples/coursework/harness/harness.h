/* The data that the runner hands to the code linked to a student's, in tasks that are not single operations: arrays of
 * doubles, which it reads and fills, and numbers; number[0] says what is asked for. */
#ifndef TAPEGRAD_COURSEWORK_HARNESS_H
#define TAPEGRAD_COURSEWORK_HARNESS_H

#include "coursework.h"

enum { HARNESS_ARRAYS = 8 };

typedef struct harness_call {
    int what;
    const double *number;
    double *array[HARNESS_ARRAYS];
    int64_t size[HARNESS_ARRAYS];
    const course_engine *engine; /* 19: the student's of A2, or the library's */
} harness_call;

typedef int course_harnessed(const harness_call *h);
course_harnessed course_harness;

/* A1 */
enum { ASK_ORDER, ASK_FORWARD, ASK_BACKWARD };
/* A2: a program, of INSTRUCTION doubles for each node: kind, a, b, number; for a leaf rows, columns, where its values
 * are */
enum { DO_LEAF, DO_SCALE, DO_ADD, DO_MUL, DO_SUM, DO_MATMUL, DO_TRANSPOSE, DO_CURVE, DO_SOFTMAX, INSTRUCTION = 4 };
/* 15 */
enum { ASK_INIT, ASK_VARIANCE };
/* 18: the functions, and how many numbers each has as context */
enum { F_SQUARES, F_LOGSUMEXP, F_WAVES, F_INVERSE, N_FUNCTIONS };

#endif
