/* The tasks: points, shapes, and each operation's value in terms of the library's operations.
 *
 * A common mistake is written as a value with another gradient: with_gradient_of(y, z) has y's value and z's
 * gradient. */
#include "check.h"

#define CASES(list) .cases = (list), .n_cases = (int)(sizeof(list) / sizeof *(list))
#define SHAPE(...)                             \
    {                                          \
        TG_COUNT(__VA_ARGS__), { __VA_ARGS__ } \
    }
#define FAULTS(...) \
    .fault = (const char *const[]) { __VA_ARGS__, NULL }

static tg_tensor with_gradient_of(tg_tensor y, tg_tensor z) { return tg_add(tg_detach(y), tg_sub(z, tg_detach(z))); }
static tg_tensor scaled_gradient(tg_tensor y, double factor) { return with_gradient_of(y, tg_mul_scalar(y, factor)); }

/* ---- 01 ---- */

static const op_case scalars2[] = {{{SHAPE(1), SHAPE(1)}, 0}, {{SHAPE(1), SHAPE(1)}, 0}, {{SHAPE(1), SHAPE(1)}, 0}};
static const op_case scalars1[] = {{{SHAPE(1)}, 0}, {{SHAPE(1)}, 0}, {{SHAPE(1)}, 0}};

static tg_tensor product(const tg_tensor *x, double number, int fault, note_list *notes) {
    (void)number, (void)fault, (void)notes;
    return tg_mul(x[0], x[1]);
}

static tg_tensor sine(tg_tensor x) { /* by its gradient and value: the library has no sin */
    double value;
    if (tg_read_doubles(x, &value, 1))
        return TG_NULL;
    return tg_add(tg_mul_scalar(tg_sub_scalar(x, value), cos(value)), tg_full(x.tape, tg_shape_of(x), sin(value)));
}

static tg_tensor sin_square(const tg_tensor *x, double number, int fault, note_list *notes) {
    (void)number, (void)notes;
    tg_tensor u = tg_square(x[0]);
    if (fault == 1)
        u = with_gradient_of(u, x[0]);
    tg_tensor y = sine(u);
    return fault == 2 ? with_gradient_of(y, u) : fault == 3 ? with_gradient_of(y, sine(x[0])) : y;
}

static tg_tensor sigmoid(const tg_tensor *x, double number, int fault, note_list *notes) {
    (void)number, (void)notes;
    tg_tensor y = tg_sigmoid(x[0]), u = tg_detach(x[0]);
    return fault == 1   ? with_gradient_of(y, tg_mul(x[0], tg_mul(u, tg_rsub_scalar(1, u))))
           : fault == 2 ? with_gradient_of(y, tg_mul(x[0], tg_detach(y)))
                        : y;
}

static const op_spec product_spec = {
    .symbol = "product_op", .result = "y", .operand = {"a", "b"}, .kind = "ff", CASES(scalars2), .reference = product};
static const op_spec sin_square_spec = {
    .symbol = "sin_square_op",
    .result = "y",
    .operand = {"x"},
    .kind = "f",
    CASES(scalars1),
    .reference = sin_square,
    FAULTS("inner derivative forgotten: the chain rule multiplies by the derivative of x^2 as well",
           "outer derivative forgotten: the chain rule multiplies by the derivative of sin as well",
           "derivative at the wrong place: cos is taken of x, it is to be taken of x^2")};
static const op_spec sigmoid_spec = {.symbol = "sigmoid_op",
                                     .result = "y",
                                     .operand = {"x"},
                                     .kind = "f",
                                     CASES(scalars1),
                                     .reference = sigmoid,
                                     FAULTS("input in place of output: y (1 - y), with y the result and not the input",
                                            "factor forgotten: dy y, without (1 - y)")};

/* ---- 02, 03 ---- */

static const op_case matmul_cases[] = {{{SHAPE(3, 5), SHAPE(5, 7)}, 0},
                                       {{SHAPE(3, 3), SHAPE(3, 3)}, 0},
                                       {{SHAPE(1, 4), SHAPE(4, 1)}, 0},
                                       {{SHAPE(5, 1), SHAPE(1, 2)}, 0}};

/* b or a read by the indices of its transpose, as it lies in memory. */
static tg_tensor matmul(const tg_tensor *x, double number, int fault, note_list *notes) {
    (void)number, (void)notes;
    tg_tensor a = x[0], b = x[1], y = tg_matmul(a, b);
    int64_t n = tg_size(a, 0), k = tg_size(a, 1), m = tg_size(b, 1);
    if (fault == 1)
        return with_gradient_of(y, tg_matmul(a, tg_transpose(tg_reshape(b, TG_SHAPE(m, k)), 0, 1)));
    if (fault == 2)
        return with_gradient_of(y, tg_matmul(tg_transpose(tg_reshape(a, TG_SHAPE(k, n)), 0, 1), b));
    return y;
}

static const op_spec matmul_spec = {
    .symbol = "matmul_op",
    .result = "Y",
    .operand = {"A", "B"},
    .kind = "ff",
    CASES(matmul_cases),
    .reference = matmul,
    FAULTS("transposed: dA = dY B^T, B is used as it lies", "transposed: dB = A^T dY, A is used as it lies")};

static const op_case row_cases[] = {
    {{SHAPE(3, 5), SHAPE(5)}, 0}, {{SHAPE(4, 1), SHAPE(1)}, 0}, {{SHAPE(1, 3), SHAPE(3)}, 0}};
static const op_case column_cases[] = {
    {{SHAPE(3, 5), SHAPE(3, 1)}, 0}, {{SHAPE(4, 1), SHAPE(4, 1)}, 0}, {{SHAPE(1, 3), SHAPE(1, 1)}, 0}};

static tg_tensor add_row(const tg_tensor *x, double number, int fault, note_list *notes) {
    (void)number, (void)notes, (void)fault;
    return tg_add(x[0], x[1]);
}

static tg_tensor scale_rows(const tg_tensor *x, double number, int fault, note_list *notes) {
    (void)number, (void)notes;
    tg_tensor y = tg_mul(x[0], x[1]);
    return fault == 1 ? with_gradient_of(y, tg_add(tg_mul(x[0], tg_detach(x[1])), x[1])) : y;
}

static const op_spec add_row_spec = {
    .symbol = "add_row_op", .result = "Y", .operand = {"X", "b"}, .kind = "ff", CASES(row_cases), .reference = add_row};
static const op_spec scale_rows_spec = {.symbol = "scale_rows_op",
                                        .result = "Y",
                                        .operand = {"X", "s"},
                                        .kind = "ff",
                                        CASES(column_cases),
                                        .reference = scale_rows,
                                        FAULTS("other operand forgotten: ds sums dY X over the row, not dY alone")};

/* ---- 04, 05 ---- */

static const op_case softmax_cases[] = {
    {{SHAPE(3, 5)}, 0}, {{SHAPE(4, 4)}, 0}, {{SHAPE(1, 3)}, 0}, {{SHAPE(5, 2)}, 0}, {{SHAPE(3, 1)}, 0}};

/* The value of softmax over the last dim, with a faulty gradient. */
static tg_tensor faulty_softmax(tg_tensor x, int fault) {
    tg_tensor y = tg_softmax(x, -1), fixed = tg_detach(y);
    switch (fault) {
    case 1: return with_gradient_of(y, tg_mul(x, tg_mul(fixed, tg_rsub_scalar(1, fixed)))); /* y (1 - y) dy */
    case 2: return with_gradient_of(y, tg_mul(x, fixed));                                   /* y dy */
    case 3: return with_gradient_of(y, tg_sub(tg_mul_scalar(tg_mul(x, fixed), 2), y));      /* y (dy + sum dy y) */
    default: return y;
    }
}

#define SOFTMAX_FAULTS                                                                                                  \
    "treated as elementwise: every y depends on every x of its row; y (1 - y) dy is only the diagonal of the Jacobian", \
        "treated as elementwise: the sum over the row is missing, y dy alone is left",                                  \
        "sign in the row: the sum over the row is to be subtracted, not added"

static tg_tensor softmax(const tg_tensor *x, double number, int fault, note_list *notes) {
    (void)number, (void)notes;
    return faulty_softmax(x[0], fault);
}

static const op_spec softmax_spec = {.symbol = "softmax_op",
                                     .result = "Y",
                                     .operand = {"X"},
                                     .kind = "f",
                                     CASES(softmax_cases),
                                     .reference = softmax,
                                     FAULTS(SOFTMAX_FAULTS)};

static const op_case cross_entropy_cases[] = {{{SHAPE(3, 5), SHAPE(3)}, 0},
                                              {{SHAPE(4, 4), SHAPE(4)}, 0},
                                              {{SHAPE(1, 3), SHAPE(1)}, 0},
                                              {{SHAPE(6, 2), SHAPE(6)}, 0},
                                              {{SHAPE(2, 1), SHAPE(2)}, 0}};

static tg_tensor cross_entropy(const tg_tensor *x, double number, int fault, note_list *notes) {
    (void)number;
    double n = (double)tg_size(x[0], 0);
    tg_tensor p = tg_softmax(x[0], -1), y = tg_cross_entropy(x[0], x[1], TG_IGNORE_INDEX, TG_MEAN);
    tg_tensor only_p = tg_div_scalar(tg_sum(tg_mul(x[0], tg_detach(p)), TG_ALL_DIMS, false), n);
    take_note(notes, "p", p);
    y = fault == 1 ? with_gradient_of(y, only_p) : fault == 2 ? with_gradient_of(y, tg_sub(y, only_p)) : y;
    return tg_reshape(y, TG_SHAPE(1));
}

static const op_spec cross_entropy_spec = {
    .symbol = "cross_entropy_op",
    .result = "y",
    .operand = {"X", "t"},
    .kind = "fi",
    CASES(cross_entropy_cases),
    .reference = cross_entropy,
    FAULTS("the right class forgotten: dX is (p - 1)/n at the right class, p/n elsewhere; the -1 is missing",
           "the softmax forgotten: dX is (p - 1)/n at the right class, p/n elsewhere; the p is missing")};

/* ---- 06 ---- */

static const op_case fill_cases[] = {{{SHAPE(3, 5), SHAPE(3, 5)}, -2.5},
                                     {{SHAPE(4, 4), SHAPE(4, 4)}, 0},
                                     {{SHAPE(1, 2), SHAPE(1, 2)}, 9},
                                     {{SHAPE(5, 1), SHAPE(5, 1)}, -1}};
static const op_case mean_cases[] = {{{SHAPE(7, 3), SHAPE(7)}, 0},
                                     {{SHAPE(3, 3), SHAPE(3)}, 0},
                                     {{SHAPE(1, 4), SHAPE(1)}, 0},
                                     {{SHAPE(5, 1), SHAPE(5)}, 0}};

static tg_tensor masked_fill(const tg_tensor *x, double number, int fault, note_list *notes) {
    (void)fault, (void)notes;
    return tg_masked_fill(x[0], x[1], number);
}

static tg_tensor masked_mean(const tg_tensor *x, double number, int fault, note_list *notes) {
    (void)number, (void)notes;
    tg_tensor keep = tg_unsqueeze(tg_to_float(x[1]), 1), count = tg_sum(keep, TG_ALL_DIMS, false);
    tg_tensor sum = tg_sum(tg_mul(x[0], keep), TG_DIMS(0), false), y = tg_div(sum, count);
    tg_tensor all = tg_sum(x[0], TG_DIMS(0), false);
    switch (fault) {
    case 1: return with_gradient_of(y, tg_div_scalar(sum, (double)tg_size(x[0], 0)));
    case 2: return with_gradient_of(y, sum);
    case 3: return with_gradient_of(y, tg_div(all, count));
    case 4: return with_gradient_of(y, tg_div_scalar(all, (double)tg_size(x[0], 0)));
    default: return y;
    }
}

static const op_spec masked_fill_spec = {.symbol = "masked_fill_op",
                                         .result = "Y",
                                         .operand = {"X", "mask"},
                                         .kind = "fb",
                                         CASES(fill_cases),
                                         .reference = masked_fill};
static const op_spec masked_mean_spec = {
    .symbol = "masked_mean_op",
    .result = "y",
    .operand = {"X", "keep"},
    .kind = "fb",
    CASES(mean_cases),
    .reference = masked_mean,
    FAULTS("divided by all rows: the mean is over the rows that are kept, and so is its gradient",
           "1/n missing: divide by the number of rows that are kept",
           "mask not applied: rows that are not kept get no gradient",
           "mask not applied: rows that are not kept get no gradient, and do not count in the mean")};

/* ---- 07, 08 ---- */

static const op_case norm_cases[] = {{{SHAPE(3, 5), SHAPE(5), SHAPE(5)}, 1e-5},
                                     {{SHAPE(4, 4), SHAPE(4), SHAPE(4)}, 1e-3},
                                     {{SHAPE(1, 7), SHAPE(7), SHAPE(7)}, 1e-5},
                                     {{SHAPE(2, 3), SHAPE(3), SHAPE(3)}, 0.5},
                                     {{SHAPE(3, 1), SHAPE(1), SHAPE(1)}, 0.5}};

static tg_tensor layer_norm(const tg_tensor *x, double eps, int fault, note_list *notes) {
    tg_tensor mean = tg_mean(x[0], TG_DIMS(-1), true), var = tg_var(x[0], TG_DIMS(-1), 0, true);
    tg_tensor r = tg_rdiv_scalar(1, tg_sqrt(tg_add_scalar(var, eps)));
    if (fault == 1 || fault == 3)
        mean = tg_detach(mean);
    if (fault == 2 || fault == 3)
        r = tg_detach(r);
    tg_tensor u = tg_mul(tg_sub(x[0], mean), r), weight = x[1];
    if (fault == 4)
        u = with_gradient_of(u, tg_div(u, tg_detach(r)));
    take_note(notes, "u", u);
    if (fault == 5)
        return with_gradient_of(tg_add(tg_mul(u, weight), x[2]), u);
    return tg_add(tg_mul(u, weight), x[2]);
}

static const op_spec layer_norm_spec = {
    .symbol = "layer_norm_op",
    .result = "Y",
    .operand = {"X", "w", "b"},
    .kind = "fff",
    CASES(norm_cases),
    .reference = layer_norm,
    FAULTS("mean treated as constant: every x[j] moves the mean of its row, and through it every y",
           "variance treated as constant: every x[j] moves the variance of its row, and through it every y",
           "mean and variance treated as constants: every x[j] moves both, and through them every y",
           "1/std forgotten: u = (x - mean) r, so dx has the factor r", "weight forgotten: du = dy w, not dy")};

static const op_case linear_cases[] = {{{SHAPE(3, 5), SHAPE(7, 5), SHAPE(7)}, 0},
                                       {{SHAPE(4, 4), SHAPE(4, 4), SHAPE(4)}, 0},
                                       {{SHAPE(1, 3), SHAPE(2, 3), SHAPE(2)}, 0},
                                       {{SHAPE(5, 1), SHAPE(1, 1), SHAPE(1)}, 0}};

static tg_tensor linear(const tg_tensor *x, double number, int fault, note_list *notes) {
    (void)number, (void)notes;
    tg_tensor y = tg_linear(x[0], x[1], x[2]);
    tg_tensor turned = tg_reshape(x[1], TG_SHAPE(tg_size(x[1], 1), tg_size(x[1], 0)));
    return fault == 1 ? with_gradient_of(y, tg_matmul(x[0], turned)) : y;
}

static const op_spec linear_spec = {
    .symbol = "linear_op",
    .result = "Y",
    .operand = {"X", "W", "b"},
    .kind = "fff",
    CASES(linear_cases),
    .reference = linear,
    FAULTS("transposed: W and dW are (out, in), here one is used as if it were (in, out)")};

/* ---- 09 ---- */

static const op_case attention_cases[] = {{{SHAPE(5, 3), SHAPE(7, 3), SHAPE(7, 4)}, 0},
                                          {{SHAPE(5, 3), SHAPE(5, 3), SHAPE(5, 3)}, 1},
                                          {{SHAPE(1, 3), SHAPE(4, 3), SHAPE(4, 2)}, 0},
                                          {{SHAPE(3, 1), SHAPE(3, 1), SHAPE(3, 1)}, 1},
                                          {{SHAPE(2, 5), SHAPE(1, 5), SHAPE(1, 2)}, 0}};

/* true where j > i */
static tg_tensor future(tg_tensor scores) { return tg_to_bool(tg_triu(tg_ones(scores.tape, tg_shape_of(scores)), 1)); }

static tg_tensor attention(const tg_tensor *x, double causal, int fault, note_list *notes) {
    double root = sqrt((double)tg_size(x[0], 1));
    tg_tensor raw = tg_matmul(x[0], tg_transpose(x[1], 0, 1));
    if (fault == 4)
        raw = scaled_gradient(raw, root);
    if (fault == 5)
        raw = scaled_gradient(raw, 1 / root);
    tg_tensor scores = tg_div_scalar(raw, root);
    take_note(notes, "scores", raw);
    take_note(notes, "scores", scores);
    if (causal != 0)
        scores = tg_masked_fill(scores, future(scores), -INFINITY);
    tg_tensor weights = faulty_softmax(scores, fault <= 3 ? fault : 0);
    take_note(notes, "weights", weights);
    if (fault == 6)
        weights = tg_detach(weights);
    return tg_matmul(weights, x[2]);
}

static const op_spec attention_spec = {.symbol = "attention_op",
                                       .result = "Y",
                                       .operand = {"Q", "K", "V"},
                                       .kind = "fff",
                                       CASES(attention_cases),
                                       .reference = attention,
                                       FAULTS(SOFTMAX_FAULTS, "scale forgotten: 1/sqrt(d) is missing in the backward",
                                              "scale applied twice: 1/sqrt(d) is applied twice in the backward",
                                              "softmax detached: no gradient comes through the weights")};

/* ---- 10 ---- */

/* The result's number of heads cannot be seen from the input: it is the case's number. */
static const op_case split_cases[] = {
    {{SHAPE(5, 6)}, 3}, {{SHAPE(3, 9)}, 3}, {{SHAPE(1, 8)}, 2}, {{SHAPE(4, 3)}, 1}, {{SHAPE(2, 4)}, 4}};
static const op_case merge_cases[] = {
    {{SHAPE(3, 5, 2)}, 0}, {{SHAPE(3, 3, 3)}, 0}, {{SHAPE(2, 1, 4)}, 0}, {{SHAPE(1, 4, 3)}, 0}, {{SHAPE(4, 2, 1)}, 0}};

static tg_tensor split_heads(const tg_tensor *x, double heads, int fault, note_list *notes) {
    (void)notes;
    int64_t T = tg_size(x[0], 0), H = (int64_t)heads, D = tg_size(x[0], 1) / H;
    tg_tensor y = tg_transpose(tg_reshape(x[0], TG_SHAPE(T, H, D)), 0, 1);
    return tg_contiguous(fault == 1 ? with_gradient_of(y, tg_reshape(x[0], TG_SHAPE(H, T, D))) : y);
}

static tg_tensor merge_heads(const tg_tensor *x, double number, int fault, note_list *notes) {
    (void)number, (void)notes;
    int64_t H = tg_size(x[0], 0), T = tg_size(x[0], 1), D = tg_size(x[0], 2);
    tg_tensor y = tg_reshape(tg_transpose(x[0], 0, 1), TG_SHAPE(T, H * D));
    return fault == 1 ? with_gradient_of(y, tg_reshape(x[0], TG_SHAPE(T, H * D))) : y;
}

#define HEADS_FAULT "heads not moved: dy is copied as it lies; heads and tokens change places on the way back as well"
static const op_spec split_spec = {.symbol = "split_heads_op",
                                   .result = "Y",
                                   .operand = {"X"},
                                   .kind = "f",
                                   CASES(split_cases),
                                   .reference = split_heads,
                                   FAULTS(HEADS_FAULT)};
static const op_spec merge_spec = {.symbol = "merge_heads_op",
                                   .result = "Y",
                                   .operand = {"X"},
                                   .kind = "f",
                                   CASES(merge_cases),
                                   .reference = merge_heads,
                                   FAULTS(HEADS_FAULT)};

/* ---- 13 ---- */

static const op_case scores_cases[] = {{{SHAPE(5, 3), SHAPE(7, 3)}, 0}, {{SHAPE(4, 5), SHAPE(4, 5)}, 0}};
static const op_case square_cases[] = {{{SHAPE(5, 5)}, 0}, {{SHAPE(3, 3)}, 0}};
static const op_case loss_cases[] = {{{SHAPE(3, 5), SHAPE(3, 5)}, 0}, {{SHAPE(1, 3), SHAPE(1, 3)}, 0}};

static tg_tensor bug_scores(const tg_tensor *x, double number, int fault, note_list *notes) {
    (void)number, (void)fault, (void)notes;
    return tg_div_scalar(tg_matmul(x[0], tg_transpose(x[1], 0, 1)), sqrt((double)tg_size(x[0], 1)));
}

static tg_tensor bug_mask(const tg_tensor *x, double number, int fault, note_list *notes) {
    (void)number, (void)fault, (void)notes;
    return tg_masked_fill(x[0], future(x[0]), -1e9);
}

static tg_tensor bug_loss(const tg_tensor *x, double number, int fault, note_list *notes) {
    (void)number, (void)fault, (void)notes;
    return tg_reshape(tg_mse_loss(x[0], x[1], TG_MEAN), TG_SHAPE(1));
}

static const op_spec bug_linear_spec = {
    .symbol = "bug_linear_op",
    .result = "Y",
    .operand = {"X", "W", "b"},
    .kind = "fff",
    CASES(linear_cases),
    .reference = linear,
    FAULTS("transposed: W and dW are (out, in), here one is used as if it were (in, out)")};
static const op_spec bug_scores_spec = {.symbol = "bug_scores_op",
                                        .result = "scores",
                                        .operand = {"Q", "K"},
                                        .kind = "ff",
                                        CASES(scores_cases),
                                        .reference = bug_scores};
static const op_spec bug_mask_spec = {
    .symbol = "bug_mask_op", .result = "Y", .operand = {"X"}, .kind = "f", CASES(square_cases), .reference = bug_mask};
static const op_spec bug_softmax_spec = {.symbol = "bug_softmax_op",
                                         .result = "Y",
                                         .operand = {"X"},
                                         .kind = "f",
                                         CASES(softmax_cases),
                                         .reference = softmax,
                                         FAULTS(SOFTMAX_FAULTS)};
static const op_spec bug_loss_spec = {.symbol = "bug_loss_op",
                                      .result = "loss",
                                      .operand = {"Y", "target"},
                                      .kind = "ff",
                                      CASES(loss_cases),
                                      .reference = bug_loss};

/* ---- all ---- */

const task_spec tasks[] = {
    {"01",
     "01_chain_rule",
     "The chain rule on scalars",
     {{GRADIENT, 1, &product_spec, 0},
      {GRADIENT, 1, &product_spec, 1},
      {GRADIENT, 4, &sin_square_spec, 0},
      {GRADIENT, 4, &sigmoid_spec, 0}}},
    {"02",
     "02_matmul",
     "The matrix product",
     {{VALUE, 4, &matmul_spec, 0}, {GRADIENT, 3, &matmul_spec, 0}, {GRADIENT, 3, &matmul_spec, 1}}},
    {"03",
     "03_broadcasting",
     "Broadcasting",
     {{GRADIENT, 1, &add_row_spec, 0},
      {GRADIENT, 4, &add_row_spec, 1},
      {GRADIENT, 2, &scale_rows_spec, 0},
      {GRADIENT, 3, &scale_rows_spec, 1}}},
    {"04", "04_softmax", "Softmax", {{GRADIENT, 10, &softmax_spec, 0}}},
    {"05",
     "05_cross_entropy",
     "Cross-entropy",
     {{VALUE, 4, &cross_entropy_spec, 0}, {GRADIENT, 6, &cross_entropy_spec, 0}}},
    {"06",
     "06_masking",
     "Masking",
     {{VALUE, 2, &masked_fill_spec, 0},
      {GRADIENT, 3, &masked_fill_spec, 0},
      {VALUE, 2, &masked_mean_spec, 0},
      {GRADIENT, 3, &masked_mean_spec, 0}}},
    {"07",
     "07_layer_norm",
     "Layer normalisation",
     {{GRADIENT, 6, &layer_norm_spec, 0}, {GRADIENT, 2, &layer_norm_spec, 1}, {GRADIENT, 2, &layer_norm_spec, 2}}},
    {"08",
     "08_linear",
     "The linear layer",
     {{VALUE, 3, &linear_spec, 0},
      {GRADIENT, 2, &linear_spec, 0},
      {GRADIENT, 3, &linear_spec, 1},
      {GRADIENT, 1, &linear_spec, 2},
      {FROZEN, 1, &linear_spec, 1}}},
    {"09",
     "09_attention",
     "Attention",
     {{GRADIENT, 4, &attention_spec, 2}, {GRADIENT, 8, &attention_spec, 0}, {GRADIENT, 8, &attention_spec, 1}}},
    {"10",
     "10_heads",
     "Several heads",
     {{VALUE, 2, &split_spec, 0},
      {GRADIENT, 3, &split_spec, 0},
      {VALUE, 2, &merge_spec, 0},
      {GRADIENT, 3, &merge_spec, 0}}},
    {"11", "11_optimizers", "SGD and Adam", {{SGD, 4, NULL, 0}, {ADAM, 6, NULL, 0}}},
    {"12", "12_train", "Training", {{TRAIN_VALUE, 6, NULL, 0}, {TRAIN_STEP, 7, NULL, 0}, {TRAIN_ALL, 7, NULL, 0}}},
    {"13",
     "13_find_the_bug",
     "Find the bug",
     {{GRADIENT, 2, &bug_loss_spec, -1},
      {GRADIENT, 2, &bug_softmax_spec, -1},
      {GRADIENT, 2, &bug_mask_spec, -1},
      {GRADIENT, 2, &bug_scores_spec, -1},
      {GRADIENT, 2, &bug_linear_spec, -1}}},
};
const int n_tasks = (int)(sizeof tasks / sizeof *tasks);

verdict check_part(session *s, const part *p) {
    switch (p->kind) {
    case VALUE: return check_value(s, p->op);
    case GRADIENT: return check_gradient(s, p->op, p->operand, false);
    case FROZEN: return check_gradient(s, p->op, p->operand, true);
    case SGD: return check_sgd(s);
    case ADAM: return check_adam(s);
    default: return check_training(s, p->kind);
    }
}
