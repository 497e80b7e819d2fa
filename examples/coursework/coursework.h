/* Shared by the exercises. See README.md for how to start.
 *
 * An operation of yours is a pair of functions. forward() fills c->output from c->input; vjp() ADDS to
 * c->input_grad what c->output_grad (dy) contributes. All arrays are row-major doubles unless a task says otherwise;
 * tg_call is described in core/tapegrad.h. Both may be called many times, in any order, on any data: keep nothing in
 * global or static variables. vjp() may read c->output as forward() left it; it writes to c->input_grad alone.
 * Return 0.
 */
#ifndef TAPEGRAD_COURSEWORK_H
#define TAPEGRAD_COURSEWORK_H

#include "core/tapegrad.h"
#include <math.h>

/* Scratch memory for an intermediate: rows x columns doubles, all zero, yours until the function returns. The name
 * lets the grader look at it afterwards and say which intermediate is the first that is wrong. In one call there are at
 * most 8 such arrays, each of 1 to 8184 numbers; declare more yourself. */
double *course_keep(const char *name, int64_t rows, int64_t columns);

/* The operations that the tasks define. A task's file holds its own. */
extern const tg_custom_op broadcast_add_op, broadcast_mul_op;                                     /* A3 */
extern const tg_custom_op view_op;                                                                /* A4 */
extern const tg_custom_op product_op, sin_square_op, sigmoid_op;                                  /* 01 */
extern const tg_custom_op matmul_op;                                                              /* 02 */
extern const tg_custom_op add_row_op, scale_rows_op;                                              /* 03 */
extern const tg_custom_op softmax_op;                                                             /* 04 */
extern const tg_custom_op cross_entropy_op;                                                       /* 05 */
extern const tg_custom_op masked_fill_op, masked_mean_op;                                         /* 06 */
extern const tg_custom_op layer_norm_op;                                                          /* 07 */
extern const tg_custom_op linear_op;                                                              /* 08 */
extern const tg_custom_op attention_op;                                                           /* 09 */
extern const tg_custom_op split_heads_op, merge_heads_op;                                         /* 10 */
extern const tg_custom_op bug_linear_op, bug_scores_op, bug_mask_op, bug_softmax_op, bug_loss_op; /* 13 */
extern const tg_custom_op logsumexp_op, bce_op;                                                   /* 14 */
extern const tg_custom_op embedding_op;                                                           /* 16 */
extern const tg_custom_op conv1d_op;                                                              /* 17 */
extern const tg_custom_op curve_grad_op, softmax_grad_op;                                         /* 20 */

/* A1: scalars. Node i is an input, whose value is given, or computed from the nodes a and b; the numbers of the nodes
 * say nothing about which comes first. What SCALAR_CURVE computes from a says the task. */
typedef enum { SCALAR_LEAF, SCALAR_ADD, SCALAR_MUL, SCALAR_CURVE } scalar_kind;
typedef struct scalar_node {
    scalar_kind kind;
    int a, b;
    double value, grad;
} scalar_node;
int scalar_order(const scalar_node *node, int n, int last, int *order);
void scalar_forward(scalar_node *node, int n, int last);
void scalar_backward(scalar_node *node, int n, int last);

/* A2: an engine for matrices. Every function but the last two records a result and returns its number. 19 trains with
 * it: yours, where your A2 has full marks. */
typedef struct course_engine {
    void (*clear)(void);                                      /* forget everything */
    int (*leaf)(int rows, int columns, const double *values); /* a copy of the values */
    int (*scale)(int a, double factor);
    int (*add)(int a, int b); /* same shape; or b one row, added to every row of a */
    int (*mul)(int a, int b); /* element by element, same shape */
    int (*sum)(int a);        /* of all elements: 1 x 1 */
    int (*matmul)(int a, int b);
    int (*transpose)(int a);
    int (*curve)(int a);   /* element by element: the task says which function */
    int (*softmax)(int a); /* of every row */
    void (*backward)(
        int last); /* 1 x 1: the gradients of all that it was computed from; those of before are forgotten */
    const double *(*value)(int a);
    const double *(*grad)(int a);
} course_engine;
extern const course_engine my_engine;

/* 15 */
void init_weights(double *W, int64_t fan_in, int64_t fan_out, const double *normal);
void variance_through_depth(const double *X, int64_t n, int64_t width, int layers, const double *W, double *variance);

/* 18 */
typedef double course_function(const double *x, int64_t n, const void *context);
int64_t judge_gradient(course_function *f, const void *context, const double *x, const double *gradient, int64_t n);

/* 19: pairs of a key and a value, and questions for the values of keys; each row has a single 1. */
typedef struct course_recall {
    int pairs, keys, classes, questions, width; /* width: of queries and keys after their projection */
    const double *key, *value;                  /* (pairs, keys), (pairs, classes) */
    const double *question, *answer;            /* (questions, keys), (questions, classes) */
} course_recall;
int recall_loss(const course_engine *my, const course_recall *r, int W_query, int W_key);
void recall_train(const course_engine *my, const course_recall *batch, int n_batches, double *W_query, double *W_key,
                  int steps, double lr, double *losses);

/* 11: one update of n parameters p with the gradients g. */
typedef void course_sgd_step(double *p, const double *g, double *velocity, int64_t n, double lr, double momentum);
typedef void course_adam_step(double *p, const double *g, double *m, double *v, int64_t n, int64_t step, double lr,
                              double beta1, double beta2, double eps);
course_sgd_step sgd_step;
course_adam_step adam_step;

/* 12: a layer with one head of causal attention, and the code that it is trained with: yours, where your tasks 08,
 * 09 and 11 have full marks. */
typedef struct course_layer {
    tg_tensor W_query, b_query, W_key, b_key, W_value, b_value; /* (d_out, d_in) and (d_out) */
} course_layer;
typedef struct course_code {
    const tg_custom_op *linear, *attention;
    course_adam_step *adam_step;
} course_code;
tg_tensor layer_forward(const course_code *my, const course_layer *l, tg_tensor x);
int train(const course_code *my, const course_layer *l, tg_tensor x, tg_tensor y, int steps, double lr, double *losses);

#endif
