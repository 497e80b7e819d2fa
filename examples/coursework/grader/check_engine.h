/* A2: programs, and an engine that runs them with a mistake. */
#ifndef TAPEGRAD_COURSEWORK_CHECK_ENGINE_H
#define TAPEGRAD_COURSEWORK_CHECK_ENGINE_H

#include "harnessed.h"

enum { MOST_CODE = 24, MOST_DATA = 512, MOST_NUMBERS = 4 * MOST_DATA };

typedef struct program {
    const char *words;
    int n;
    double code[MOST_CODE][INSTRUCTION]; /* the last one is 1 x 1 */
    bool hides_leaf;                     /* leaf 0 holds no number, and its gradient does not depend on it */
} program;

/* clang-format off */
typedef enum {
    ENGINE_RIGHT,
    ADD_IGNORES_ROW, MUL_IS_SUM, SUM_IS_LAST, SUM_IS_MEAN, MATMUL_LAST, MATMUL_RUNS_ON, MATMUL_RUNS_IN_ROW,
    MATMUL_B_TURNED, TRANSPOSE_COPIES, CURVE_IS_OTHER, SOFTMAX_OF_ALL, SOFTMAX_RUNS_ON, SOFTMAX_NOT_DIVIDED,
    SET_AT_ADD, SET_AT_MUL, SET_AT_ADD_A, SET_AT_ADD_B, SET_AT_MUL_A, SET_AT_MUL_B, ADD_A_SIGN, SET_AT_SUM, SET_AT_MATMUL_A, SET_AT_MATMUL_B, SET_AT_TRANSPOSE, SET_AT_CURVE, SET_AT_SOFTMAX,
    NONE_AT_ADD, NONE_AT_MUL, NONE_AT_SUM, NONE_AT_MATMUL, NONE_AT_TRANSPOSE, NONE_AT_CURVE, NONE_AT_SOFTMAX,
    ADD_B_NONE, ADD_B_FIRST, ADD_B_LAST, ADD_B_SIGN, MUL_OWN_FACTOR, MUL_NO_FACTOR, MUL_B_NONE, SUM_FIRST_ONLY,
    SUM_DIVIDED, MATMUL_A_MISREAD, MATMUL_B_MISREAD, MATMUL_A_NONE, MATMUL_B_NONE, TRANSPOSE_GRAD_COPIES,
    CURVE_GRAD_OTHER, CURVE_GRAD_PASSED, CURVE_GRAD_VALUE, CURVE_GRAD_INPUT, CURVE_GRAD_LINEAR, SOFTMAX_DIAGONAL,
    SOFTMAX_NO_DOT, SOFTMAX_DOT_KEPT, SOFTMAX_SUM_OF_DP, SOFTMAX_NO_P, SOFTMAX_SIGN,
    NOT_CLEARED_BEFORE, FROM_FIRST_TO_LAST, SEED_MISSING,
    ENGINE_MISTAKES
} engine_mistake;
/* clang-format on */
extern const char *const engine_words[ENGINE_MISTAKES];

/* The values and gradients of all nodes, one after another. */
typedef struct engine_run {
    double value[MOST_NUMBERS], grad[MOST_NUMBERS];
    int at[MOST_CODE], rows[MOST_CODE], columns[MOST_CODE], used;
} engine_run;
void run_engine(const program *p, const double *data, int variant, engine_mistake m, engine_run *r);

#endif
