/* The tasks: their parts, points and checks. */
#include "operations.h"

#include <string.h>

const task_spec tasks[] = {
    {"01",
     "01_chain_rule",
     "The chain rule on scalars",
     NULL,
     3,
     {{GRADIENT, 1, &product_spec, 0, NULL, NULL},
      {GRADIENT, 1, &product_spec, 1, NULL, NULL},
      {GRADIENT, 4, &curve_spec, 0, NULL, NULL},
      {GRADIENT, 4, &sigmoid_spec, 0, NULL, NULL}}},
    {"02",
     "02_matmul",
     "The matrix product",
     NULL,
     3,
     {{VALUE, 4, &matmul_spec, 0, NULL, NULL},
      {GRADIENT, 3, &matmul_spec, 0, NULL, NULL},
      {GRADIENT, 3, &matmul_spec, 1, NULL, NULL}}},
    {"03",
     "03_broadcasting",
     "Broadcasting",
     NULL,
     3,
     {{GRADIENT, 1, &add_row_spec, 0, NULL, NULL},
      {GRADIENT, 4, &add_row_spec, 1, NULL, NULL},
      {GRADIENT, 2, &scale_rows_spec, 0, NULL, NULL},
      {GRADIENT, 3, &scale_rows_spec, 1, NULL, NULL}}},
    {"04", "04_softmax", "Softmax", NULL, 3, {{GRADIENT, 10, &softmax_spec, 0}}},
    {"05",
     "05_cross_entropy",
     "Cross-entropy",
     NULL,
     3,
     {{VALUE, 4, &cross_entropy_spec, 0, NULL, NULL}, {GRADIENT, 6, &cross_entropy_spec, 0, NULL, NULL}}},
    {"06",
     "06_masking",
     "Masking",
     NULL,
     2,
     {{VALUE, 2, &masked_fill_spec, 0, NULL, NULL},
      {GRADIENT, 3, &masked_fill_spec, 0, NULL, NULL},
      {VALUE, 2, &masked_mean_spec, 0, NULL, NULL},
      {GRADIENT, 3, &masked_mean_spec, 0, NULL, NULL}}},
    {"07",
     "07_layer_norm",
     "Layer normalisation",
     NULL,
     2,
     {{GRADIENT, 6, &layer_norm_spec, 0, NULL, NULL},
      {GRADIENT, 2, &layer_norm_spec, 1, NULL, NULL},
      {GRADIENT, 2, &layer_norm_spec, 2, NULL, NULL}}},
    {"08",
     "08_linear",
     "The linear layer",
     NULL,
     2,
     {{VALUE, 3, &linear_spec, 0, NULL, NULL},
      {GRADIENT, 2, &linear_spec, 0, NULL, NULL},
      {GRADIENT, 3, &linear_spec, 1, NULL, NULL},
      {GRADIENT, 1, &linear_spec, 2, NULL, NULL},
      {FROZEN, 1, &linear_spec, 1, NULL, NULL}}},
    {"09",
     "09_attention",
     "Attention",
     NULL,
     2,
     {{GRADIENT, 4, &attention_spec, 2, NULL, NULL},
      {GRADIENT, 8, &attention_spec, 0, NULL, NULL},
      {GRADIENT, 8, &attention_spec, 1, NULL, NULL}}},
    {"10",
     "10_heads",
     "Several heads",
     NULL,
     2,
     {{VALUE, 2, &split_spec, 0, NULL, NULL},
      {GRADIENT, 3, &split_spec, 0, NULL, NULL},
      {VALUE, 2, &merge_spec, 0, NULL, NULL},
      {GRADIENT, 3, &merge_spec, 0, NULL, NULL}}},
    {"11", "11_optimizers", "SGD and Adam", NULL, 2, {{SGD, 4, NULL, 0, NULL, NULL}, {ADAM, 6, NULL, 0, NULL, NULL}}},
    {"12",
     "12_train",
     "Training",
     "training",
     2,
     {{TRAIN_VALUE, 6, NULL, 0, NULL, NULL},
      {TRAIN_STEP, 7, NULL, 0, NULL, NULL},
      {TRAIN_ALL, 7, NULL, 0, NULL, NULL}}},
    {"13",
     "13_find_the_bug",
     "Find the bug",
     NULL,
     2,
     {{GRADIENT, 2, &bug_loss_spec, -1, NULL, NULL},
      {GRADIENT, 2, &bug_softmax_spec, -1, NULL, NULL},
      {GRADIENT, 2, &bug_mask_spec, -1, NULL, NULL},
      {GRADIENT, 2, &bug_scores_spec, -1, NULL, NULL},
      {GRADIENT, 2, &bug_linear_spec, -1, NULL, NULL}}},
};
const int n_tasks = (int)(sizeof tasks / sizeof *tasks);

const task_spec *task_numbered(const char *number) {
    for (int i = 0; i < n_tasks; i++)
        if (strcmp(tasks[i].number, number) == 0)
            return &tasks[i];
    return NULL;
}

verdict check_part(session *s, const part *p) {
    switch (p->kind) {
    case VALUE: return check_value(s, p->op);
    case GRADIENT: return check_gradient(s, p->op, p->operand, false);
    case FROZEN: return check_gradient(s, p->op, p->operand, true);
    case SGD: return check_sgd(s);
    case ADAM: return check_adam(s);
    case HARNESS: return p->check(s);
    default: return check_training(s, p->kind);
    }
}
