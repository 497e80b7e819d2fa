/* The grader's references of the operations that students write: values in terms of the library's operations, shapes,
 * and what common mistakes give. */
#ifndef TAPEGRAD_COURSEWORK_OPERATIONS_H
#define TAPEGRAD_COURSEWORK_OPERATIONS_H

#include "check.h"

#define CASES(list) .cases = (list), .n_cases = (int)(sizeof(list) / sizeof *(list))
#define SHAPE(...)                             \
    {                                          \
        TG_COUNT(__VA_ARGS__), { __VA_ARGS__ } \
    }
#define SLIPS(...) \
    .slip = (const char *const[]) { __VA_ARGS__, NULL }
#define FAULTS(...) \
    .fault = (const char *const[]) { __VA_ARGS__, NULL }

/* A common mistake is written as a value with another gradient: y's value, z's gradient. */
tg_tensor with_gradient_of(tg_tensor y, tg_tensor z);
tg_tensor scaled_gradient(tg_tensor y, double factor);

/* For op_spec.harden. Bilinear: the gradient of an operand does not depend on that operand, so it may be anything. */
void hide_operand(double *const *x, const tg_shape *shape, int operand, int variant);
/* Linear: it depends on none. */
void hide_all(double *const *x, const tg_shape *shape, int operand, int variant);
void hide_operand_and_bias(double *const *x, const tg_shape *shape, int operand, int variant);
void fill(double *x, tg_shape shape, double value);

/* softmax of the last dim with the gradient that the k-th of SOFTMAX_FAULTS gives */
tg_tensor faulty_softmax(tg_tensor x, int fault);
tg_tensor linear_of(const tg_tensor *x, int variant);
tg_tensor attention_of(const tg_tensor *x, bool causal, int variant, int fault, const how *h);

#define SOFTMAX_FAULTS                                                                                                  \
    "treated as elementwise: every y depends on every x of its row; y (1 - y) dy is only the diagonal of the Jacobian", \
        "treated as elementwise: the sum over the row is missing, y dy alone is left",                                  \
        "sign in the row: the sum over the row is to be subtracted, not added",                                         \
        "sum of dy: what is subtracted is the sum of y dy over the row, not that of dy",                                \
        "y forgotten in the sum's factor: the sum over the row comes back times y[j]: y[j] (dy[j] - sum)",              \
        "diagonal forgotten: this is only what comes through the other elements of the row; y[j] dy[j] is missing",     \
        "factor y forgotten: dy - sum is to be multiplied by y[j]",                                                     \
        "mean instead of sum: the sum of y dy over the row is not divided by the row's length",                         \
        "sum not set back: the sum of y dy goes on from row to row; begin at 0 for each one"
enum { N_SOFTMAX_FAULTS = 9 };

extern const op_spec product_spec, curve_spec, sigmoid_spec, matmul_spec, add_row_spec, scale_rows_spec, softmax_spec,
    cross_entropy_spec, masked_fill_spec, masked_mean_spec, layer_norm_spec, linear_spec, attention_spec, split_spec,
    merge_spec, bug_linear_spec, bug_scores_spec, bug_mask_spec, bug_softmax_spec, bug_loss_spec;
extern const op_spec broadcast_add_spec, broadcast_mul_spec, view_spec, logsumexp_spec, bce_spec, embedding_spec,
    conv1d_spec, curve_grad_spec, softmax_grad_spec;

#endif
