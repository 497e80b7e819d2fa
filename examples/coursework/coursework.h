/* What the exercises share. See README.md for how to start.
 *
 * An operation of yours is a pair of functions. forward() fills c->output from c->input; vjp() ADDS to
 * c->input_grad what c->output_grad (dy) contributes. All arrays are row-major doubles unless a task says otherwise;
 * tg_call is described in core/tapegrad.h. Both may be called many times, in any order, on any data: keep nothing in
 * global or static variables. vjp() may read c->output as forward() left it. Return 0.
 */
#ifndef TAPEGRAD_COURSEWORK_H
#define TAPEGRAD_COURSEWORK_H

#include "core/tapegrad.h"
#include <math.h>

/* Scratch memory for an intermediate: rows x columns doubles, all zero, yours until the function returns. The name
 * lets the grader look at it afterwards and say which intermediate is the first that is wrong. */
double *course_keep(const char *name, int64_t rows, int64_t columns);

/* The operations that the tasks define. A task's file holds its own. */
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
