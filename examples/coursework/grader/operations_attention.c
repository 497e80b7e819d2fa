/* Tasks 06, 09 and 10, and the scores and the mask of 13. Variants are described on the task's page. */
#include "operations.h"

/* ---- 06: in the variant the masks say the opposite ---- */

static const op_case fill_cases[] = {{{SHAPE(3, 5), SHAPE(3, 5)}, {-2.5}, 0},
                                     {{SHAPE(4, 4), SHAPE(4, 4)}, {0}, 0},
                                     {{SHAPE(1, 2), SHAPE(1, 2)}, {9}, 0},
                                     {{SHAPE(5, 1), SHAPE(5, 1)}, {-1}, 0},
                                     {{SHAPE(2, 3), SHAPE(2, 3)}, {-INFINITY}, 0}};
static const op_case mean_cases[] = {{{SHAPE(7, 3), SHAPE(7)}, {0}, 0}, {{SHAPE(3, 3), SHAPE(3)}, {0}, 0},
                                     {{SHAPE(2, 4), SHAPE(2)}, {0}, 0}, {{SHAPE(5, 1), SHAPE(5)}, {0}, 0},
                                     {{SHAPE(7, 3), SHAPE(7)}, {0}, 0}, {{SHAPE(5, 2), SHAPE(5)}, {0}, 0}};
static const op_case fill_large = {{SHAPE(64, 64), SHAPE(64, 64)}, {1}, 0};
static const op_case mean_large = {{SHAPE(80, 100), SHAPE(80)}, {0}, 0};

/* X (1 - mask) + value mask: with an infinite value, 0 times infinity where it is kept. */
static tg_tensor product_fill(tg_tensor x, tg_tensor mask, double value) {
    tg_tensor m = tg_to_float(mask);
    return tg_add(tg_mul(x, tg_rsub_scalar(1, m)), tg_mul_scalar(m, value));
}

/* The first element of the mask everywhere. */
static tg_tensor first_of_all(tg_tensor mask) {
    tg_tensor first = tg_slice(tg_reshape(tg_to_float(mask), TG_SHAPE(tg_numel(mask))), 0, 0, 1, 1);
    return tg_to_bool(tg_mul(first, tg_ones(mask.tape, tg_shape_of(mask))));
}

static tg_tensor masked_fill(const tg_tensor *x, const how *h) {
    tg_tensor other = tg_logical_not(x[1]), hidden = h->variant == 1 ? other : x[1];
    tg_tensor y = tg_masked_fill(x[0], hidden, h->number[0]);
    switch (h->slip) {
    case 1: return tg_masked_fill(x[0], h->variant == 1 ? x[1] : other, h->number[0]);
    case 2: return tg_masked_fill(x[0], hidden, 0);
    case 3: return x[0];
    case 4: return product_fill(x[0], hidden, h->number[0]);
    case 5: return tg_masked_fill(x[0], first_of_all(hidden), h->number[0]);
    default: break;
    }
    switch (h->fault) {
    case 1: return with_gradient_of(y, tg_masked_fill(x[0], h->variant == 1 ? x[1] : other, 0));
    case 2: return with_gradient_of(y, x[0]);
    default: return y;
    }
}

static tg_tensor masked_mean(const tg_tensor *x, const how *h) {
    tg_tensor flag = tg_unsqueeze(tg_to_float(x[1]), 1), keep = h->variant == 1 ? tg_rsub_scalar(1, flag) : flag;
    tg_tensor count = tg_sum(keep, TG_ALL_DIMS, false);
    tg_tensor sum = tg_sum(tg_masked_fill(x[0], tg_expand(tg_to_bool(tg_rsub_scalar(1, keep)), tg_shape_of(x[0])), 0),
                           TG_DIMS(0), false);
    tg_tensor y = tg_div(sum, count), all = tg_sum(x[0], TG_DIMS(0), false);
    double n = (double)tg_size(x[0], 0);
    switch (h->slip) {
    case 1: return tg_div_scalar(sum, n);
    case 2: return sum;
    case 3: return tg_div(all, count);
    case 4: return tg_div_scalar(all, n);
    case 5: return tg_div(tg_sub(all, sum), count);
    case 6: return tg_div(tg_sub(all, sum), tg_rsub_scalar(n, count));
    default: break;
    }
    switch (h->fault) {
    case 1: return with_gradient_of(y, tg_div_scalar(sum, (double)tg_size(x[0], 0)));
    case 2: return with_gradient_of(y, sum);
    case 3: return with_gradient_of(y, tg_div(all, count));
    case 4: return with_gradient_of(y, tg_div_scalar(all, (double)tg_size(x[0], 0)));
    case 5: return with_gradient_of(y, tg_div(tg_sub(all, sum), count));
    default: return y;
    }
}

const op_spec masked_fill_spec = {
    .symbol = "masked_fill_op",
    .result = "Y",
    .operand = {"X", "mask"},
    .kind = "fb",
    CASES(fill_cases),
    .reference = masked_fill,
    .hard = fill_cases,
    .large = &fill_large,
    .harden = hide_all,
    FAULTS("mask inverted: the gradient goes to the elements that were replaced, and not to those that were kept",
           "mask not applied: where Y was replaced, X has no gradient"),
    SLIPS("mask inverted: the value stands where X is to be kept", "value left out: 0 stands where the value belongs",
          "mask not applied: nothing is replaced",
          "product with the mask: 0 times an infinite value is not a number: choose with ? :",
          "mask[0] for all: the mask's first element is read everywhere")};
const op_spec masked_mean_spec = {
    .symbol = "masked_mean_op",
    .result = "y",
    .operand = {"X", "keep"},
    .kind = "fb",
    CASES(mean_cases),
    .reference = masked_mean,
    .hard = mean_cases,
    .large = &mean_large,
    .harden = hide_all,
    FAULTS("divided by all rows: the mean is over the rows that are kept, and so is its gradient",
           "1/n missing: divide by the number of rows that are kept",
           "mask not applied: rows that are not kept get no gradient",
           "mask not applied: rows that are not kept get no gradient, and do not count in the mean",
           "mask inverted: the gradient goes to the rows that are left out"),
    SLIPS("divided by all rows: the mean is over the rows that are kept",
          "1/n missing: divide by the number of rows that are kept",
          "mask not applied: rows that are not kept are added as well",
          "mask not applied: rows that are not kept are added, and count",
          "mask inverted: the rows that are left out are added",
          "mask inverted: this is the mean of the rows that are left out")};

/* ---- 09: scores / sqrt(d), or / d ---- */

static const op_case attention_cases[] = {{{SHAPE(5, 3), SHAPE(7, 3), SHAPE(7, 4)}, {0}, 0},
                                          {{SHAPE(5, 3), SHAPE(5, 3), SHAPE(5, 3)}, {1}, 0},
                                          {{SHAPE(1, 3), SHAPE(4, 3), SHAPE(4, 2)}, {0}, 0},
                                          {{SHAPE(3, 1), SHAPE(3, 1), SHAPE(3, 1)}, {1}, 0},
                                          {{SHAPE(2, 5), SHAPE(1, 5), SHAPE(1, 2)}, {0}, 0}};
static const op_case attention_hard = {{SHAPE(5, 3), SHAPE(6, 3), SHAPE(6, 4)}, {0}, 0};
/* V, in which it is linear, has far more elements than there are weights. */
static const op_case attention_large = {{SHAPE(2, 2), SHAPE(64, 2), SHAPE(64, 64)}, {0}, 0};

/* true where j > i */
static tg_tensor future(tg_tensor scores) { return tg_to_bool(tg_triu(tg_ones(scores.tape, tg_shape_of(scores)), 1)); }

/* (|Q[i]|^2 + |K[j]|^2) / 2: each by itself, where the scores have one by the other. */
static tg_tensor own_rows(const tg_tensor *x) {
    tg_tensor q = tg_sum(tg_square(x[0]), TG_DIMS(-1), true), k = tg_sum(tg_square(x[1]), TG_DIMS(-1), true);
    return tg_mul_scalar(tg_add(q, tg_transpose(k, 0, 1)), 0.5);
}

tg_tensor attention_of(const tg_tensor *x, bool causal, int variant, int fault, const how *h) {
    double d = (double)tg_size(x[0], 1), root = variant == 1 ? d : sqrt(d);
    tg_tensor raw = tg_matmul(x[0], tg_transpose(x[1], 0, 1));
    if (fault == N_SOFTMAX_FAULTS + 1)
        raw = scaled_gradient(raw, root);
    if (fault == N_SOFTMAX_FAULTS + 2)
        raw = scaled_gradient(raw, 1 / root);
    if (fault == N_SOFTMAX_FAULTS + 3)
        raw = with_gradient_of(raw, own_rows(x));
    tg_tensor scores = tg_div_scalar(raw, root);
    take_note(h, "scores", raw);
    take_note(h, "scores", scores);
    if (causal)
        scores = tg_masked_fill(scores, future(scores), -INFINITY);
    tg_tensor weights = faulty_softmax(scores, fault <= N_SOFTMAX_FAULTS ? fault : 0);
    take_note(h, "weights", weights);
    return tg_matmul(weights, x[2]);
}

static tg_tensor attention(const tg_tensor *x, const how *h) {
    return attention_of(x, h->number[0] != 0, h->variant, h->fault, h);
}

/* Nothing of dV depends on V. For dQ and dK: a column of the other operand so small that moving this one's column
 * does not move the scores. */
static void make_column_small(double *const *x, const tg_shape *shape, int operand, int variant) {
    (void)variant;
    if (operand == 2) {
        fill(x[2], shape[2], NAN);
        return;
    }
    int other = 1 - operand;
    for (int64_t i = 0; i < shape[other].size[0]; i++)
        x[other][i * shape[other].size[1]] *= 1e-25;
}

const op_spec attention_spec = {.symbol = "attention_op",
                                .result = "Y",
                                .operand = {"Q", "K", "V"},
                                .kind = "fff",
                                CASES(attention_cases),
                                .reference = attention,
                                .uses = {"weights dweights dscores", "weights dweights dscores", "weights"},
                                .hard = &attention_hard,
                                .large = &attention_large,
                                .harden = make_column_small,
                                FAULTS(SOFTMAX_FAULTS,
                                       "scale forgotten: the scale of the scores is missing in the backward",
                                       "scale applied twice: the scale of the scores is applied twice in the backward",
                                       "other operand forgotten: dQ sums dscores times the rows of K, dK times those "
                                       "of Q; here each is multiplied by its own")};

/* ---- 10: heads one after another, or interleaved ---- */

/* The result's number of heads cannot be seen from the input: it is the case's number. */
static const op_case split_cases[] = {{{SHAPE(5, 6)}, {3}, 0},
                                      {{SHAPE(3, 9)}, {3}, 0},
                                      {{SHAPE(1, 8)}, {2}, 0},
                                      {{SHAPE(4, 3)}, {1}, 0},
                                      {{SHAPE(2, 4)}, {4}, 0}};
static const op_case merge_cases[] = {{{SHAPE(3, 5, 2)}, {0}, 0},
                                      {{SHAPE(3, 3, 3)}, {0}, 0},
                                      {{SHAPE(2, 1, 4)}, {0}, 0},
                                      {{SHAPE(1, 4, 3)}, {0}, 0},
                                      {{SHAPE(4, 2, 1)}, {0}, 0}};
static const op_case split_large = {{SHAPE(64, 80)}, {4}, 0}, merge_large = {{SHAPE(4, 64, 20)}, {0}, 0};

static tg_tensor split_heads(const tg_tensor *x, const how *h) {
    int64_t T = tg_size(x[0], 0), H = (int64_t)h->number[0], D = tg_size(x[0], 1) / H;
    tg_tensor y = h->variant == 1 ? tg_permute(tg_reshape(x[0], TG_SHAPE(T, D, H)), TG_DIMS(2, 0, 1))
                                  : tg_transpose(tg_reshape(x[0], TG_SHAPE(T, H, D)), 0, 1);
    return tg_contiguous(h->fault == 1 ? with_gradient_of(y, tg_reshape(x[0], TG_SHAPE(H, T, D))) : y);
}

static tg_tensor merge_heads(const tg_tensor *x, const how *h) {
    int64_t H = tg_size(x[0], 0), T = tg_size(x[0], 1), D = tg_size(x[0], 2);
    tg_tensor moved = h->variant == 1 ? tg_permute(x[0], TG_DIMS(1, 2, 0)) : tg_transpose(x[0], 0, 1);
    tg_tensor y = tg_reshape(moved, TG_SHAPE(T, H * D));
    return h->fault == 1 ? with_gradient_of(y, tg_reshape(x[0], TG_SHAPE(T, H * D))) : y;
}

#define HEADS_FAULT "heads not moved: dy is copied as it lies; heads and tokens change places on the way back as well"
const op_spec split_spec = {.symbol = "split_heads_op",
                            .result = "Y",
                            .operand = {"X"},
                            .kind = "f",
                            CASES(split_cases),
                            .reference = split_heads,
                            .hard = split_cases,
                            .large = &split_large,
                            .harden = hide_all,
                            FAULTS(HEADS_FAULT)};
const op_spec merge_spec = {.symbol = "merge_heads_op",
                            .result = "Y",
                            .operand = {"X"},
                            .kind = "f",
                            CASES(merge_cases),
                            .reference = merge_heads,
                            .hard = merge_cases,
                            .large = &merge_large,
                            .harden = hide_all,
                            FAULTS(HEADS_FAULT)};

/* ---- 13: the variant has the scores divided by d ---- */

static const op_case scores_cases[] = {{{SHAPE(5, 3), SHAPE(7, 3)}, {0}, 0}, {{SHAPE(4, 5), SHAPE(4, 5)}, {0}, 0}};
static const op_case square_cases[] = {{{SHAPE(5, 5)}, {0}, 0}, {{SHAPE(3, 3)}, {0}, 0}};
static const op_case scores_large = {{SHAPE(32, 32), SHAPE(32, 32)}, {0}, 0};
static const op_case square_large = {{SHAPE(70, 70)}, {0}, 0};

static tg_tensor bug_scores(const tg_tensor *x, const how *h) {
    double d = (double)tg_size(x[0], 1);
    return tg_div_scalar(tg_matmul(x[0], tg_transpose(x[1], 0, 1)), h->variant == 1 ? d : sqrt(d));
}

static tg_tensor bug_mask(const tg_tensor *x, const how *h) {
    tg_tensor y = tg_masked_fill(x[0], future(x[0]), -1e9);
    tg_tensor seen = tg_to_bool(tg_rsub_scalar(1, tg_to_float(future(x[0]))));
    return h->fault == 1   ? with_gradient_of(y, x[0])
           : h->fault == 2 ? with_gradient_of(y, tg_masked_fill(x[0], seen, 0))
                           : y;
}

const op_spec bug_scores_spec = {.symbol = "bug_scores_op",
                                 .result = "scores",
                                 .operand = {"Q", "K"},
                                 .kind = "ff",
                                 CASES(scores_cases),
                                 .reference = bug_scores,
                                 .hard = scores_cases,
                                 .large = &scores_large,
                                 .harden = hide_operand};
const op_spec bug_mask_spec = {.symbol = "bug_mask_op",
                               .result = "Y",
                               .operand = {"X"},
                               .kind = "f",
                               CASES(square_cases),
                               .reference = bug_mask,
                               .hard = square_cases,
                               .large = &square_large,
                               .harden = hide_all,
                               FAULTS("mask not applied: where Y was replaced, X has no gradient",
                                      "mask inverted: the gradient goes to the elements that were replaced")};
