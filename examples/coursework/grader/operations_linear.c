/* Tasks 02, 03, A3, 08 and 17, and the linear layer of 13. Variants are described on the task's page. */
#include "operations.h"

/* ---- 02: A B, A B^T, A^T B, each operand as it is stored ---- */

static const op_case matmul_cases[] = {{{SHAPE(3, 5), SHAPE(5, 7)}, {0}, 0},
                                       {{SHAPE(3, 3), SHAPE(3, 3)}, {0}, 0},
                                       {{SHAPE(1, 4), SHAPE(4, 1)}, {0}, 0},
                                       {{SHAPE(5, 1), SHAPE(1, 2)}, {0}, 0}};
static const op_case matmul_large = {{SHAPE(40, 40), SHAPE(40, 40)}, {0}, 0};

static void turn(tg_shape *shape) { *shape = TG_SHAPE(shape->size[1], shape->size[0]); }
static void arrange_matmul(tg_shape *input, int variant) {
    if (variant == 1)
        turn(&input[1]);
    if (variant == 2)
        turn(&input[0]);
}

/* Read by the indices of its transpose, as it lies in memory. */
static tg_tensor misread(tg_tensor a) {
    return tg_transpose(tg_reshape(a, TG_SHAPE(tg_size(a, 1), tg_size(a, 0))), 0, 1);
}

static tg_tensor matmul(const tg_tensor *x, const how *h) {
    tg_tensor a = h->variant == 2 ? tg_transpose(x[0], 0, 1) : x[0],
              b = h->variant == 1 ? tg_transpose(x[1], 0, 1) : x[1];
    tg_tensor y = tg_matmul(a, b);
    if (h->fault == 1)
        return with_gradient_of(y, tg_matmul(a, misread(tg_contiguous(b))));
    if (h->fault == 2)
        return with_gradient_of(y, tg_matmul(misread(tg_contiguous(a)), b));
    return y;
}

const op_spec matmul_spec = {.symbol = "matmul_op",
                             .result = "Y",
                             .operand = {"A", "B"},
                             .kind = "ff",
                             CASES(matmul_cases),
                             .arrange = arrange_matmul,
                             .reference = matmul,
                             .hard = matmul_cases,
                             .large = &matmul_large,
                             .harden = hide_operand,
                             FAULTS("transposed: in dA a transpose is missing or too many",
                                    "transposed: in dB a transpose is missing or too many")};

/* ---- 03: X + b, X - b, X + 2 b; X s, X s / 2, 3 X s ---- */

static const op_case row_cases[] = {
    {{SHAPE(3, 5), SHAPE(5)}, {0}, 0}, {{SHAPE(4, 1), SHAPE(1)}, {0}, 0}, {{SHAPE(1, 3), SHAPE(3)}, {0}, 0}};
static const op_case column_cases[] = {
    {{SHAPE(3, 5), SHAPE(3, 1)}, {0}, 0}, {{SHAPE(4, 1), SHAPE(4, 1)}, {0}, 0}, {{SHAPE(1, 3), SHAPE(1, 1)}, {0}, 0}};
static const op_case row_large = {{SHAPE(64, 80), SHAPE(80)}, {0}, 0};
static const op_case column_large = {{SHAPE(64, 80), SHAPE(64, 1)}, {0}, 0};

/* The row b where x has its first row, or its last, and 0 elsewhere. */
static tg_tensor in_one_row(tg_tensor x, tg_tensor b, bool first) {
    double flag[128] = {0};
    int64_t n = tg_size(x, 0) < 128 ? tg_size(x, 0) : 128;
    flag[first ? 0 : n - 1] = 1;
    return tg_mul(tg_from_doubles(x.tape, TG_SHAPE(n, 1), flag), b);
}

#define ROW_FAULTS                                                                                                    \
    "not summed over the broadcast dim: b is used in every row, here the gradient of the first row alone comes back", \
        "not summed over the broadcast dim: b is used in every row, here the gradient of the last row alone is left"

static tg_tensor add_row(const tg_tensor *x, const how *h) {
    static const double factor[] = {1, -1, 2};
    tg_tensor y = tg_add(x[0], tg_mul_scalar(x[1], factor[h->variant]));
    return h->fault ? with_gradient_of(y, tg_mul_scalar(in_one_row(x[0], x[1], h->fault == 1), factor[h->variant])) : y;
}

static tg_tensor scale_rows(const tg_tensor *x, const how *h) {
    static const double factor[] = {1, 0.5, 3};
    tg_tensor y = tg_mul_scalar(tg_mul(x[0], x[1]), factor[h->variant]);
    if (h->fault == 1)
        return with_gradient_of(y, tg_add(tg_mul(x[0], tg_detach(x[1])), x[1]));
    return y;
}

const op_spec add_row_spec = {.symbol = "add_row_op",
                              .result = "Y",
                              .operand = {"X", "b"},
                              .kind = "ff",
                              CASES(row_cases),
                              .reference = add_row,
                              .hard = row_cases,
                              .large = &row_large,
                              .harden = hide_all,
                              FAULTS(ROW_FAULTS)};
const op_spec scale_rows_spec = {.symbol = "scale_rows_op",
                                 .result = "Y",
                                 .operand = {"X", "s"},
                                 .kind = "ff",
                                 CASES(column_cases),
                                 .reference = scale_rows,
                                 .hard = column_cases,
                                 .large = &column_large,
                                 .harden = hide_operand,
                                 FAULTS("other operand forgotten: ds sums dY X over the row, not dY alone")};

/* ---- A3: A + B, A - B; A B, 2 A B ---- */

static const op_case broadcast_cases[] = {
    {{SHAPE(3, 4), SHAPE(4)}, {0}, 0},          {{SHAPE(3, 1), SHAPE(1, 4)}, {0}, 0},
    {{SHAPE(2, 3, 4), SHAPE(3, 1)}, {0}, 0},    {{SHAPE(5), SHAPE(2, 3, 1)}, {0}, 0},
    {{SHAPE(1), SHAPE(3, 2)}, {0}, 0},          {{SHAPE(2, 1, 3), SHAPE(4, 1)}, {0}, 0},
    {{SHAPE(2, 3, 4), SHAPE(2, 3, 4)}, {0}, 0},
};
static const op_case broadcast_large = {{SHAPE(40, 50), SHAPE(50)}, {0}, 0};

/* y with the gradient that comes when the sum over the dims that an operand was stretched along is left out: only the
 * first of them counts. */
static tg_tensor first_only(tg_tensor y, int64_t n) {
    static double flag[8192];
    int64_t all = tg_numel(y);
    for (int64_t i = 0; i < all && i < 8192; i++)
        flag[i] = i < n;
    return all > 8192 ? y : with_gradient_of(y, tg_mul(y, tg_from_doubles(y.tape, tg_shape_of(y), flag)));
}

static tg_tensor broadcast_add(const tg_tensor *x, const how *h) {
    tg_tensor y = h->variant == 1 ? tg_sub(x[0], x[1]) : tg_add(x[0], x[1]);
    return h->fault ? first_only(y, tg_numel(x[h->fault - 1])) : y;
}

static tg_tensor broadcast_mul(const tg_tensor *x, const how *h) {
    tg_tensor y = tg_mul_scalar(tg_mul(x[0], x[1]), 1 + h->variant);
    return h->fault ? first_only(y, tg_numel(x[h->fault - 1])) : y;
}

#define NOT_SUMMED \
    "not summed over the broadcast dim: an element that was used many times gets the sum of what comes back"
const op_spec broadcast_add_spec = {.symbol = "broadcast_add_op",
                                    .result = "Y",
                                    .operand = {"A", "B"},
                                    .kind = "ff",
                                    CASES(broadcast_cases),
                                    .reference = broadcast_add,
                                    .hard = broadcast_cases,
                                    .large = &broadcast_large,
                                    .harden = hide_all,
                                    FAULTS(NOT_SUMMED, NOT_SUMMED)};
const op_spec broadcast_mul_spec = {.symbol = "broadcast_mul_op",
                                    .result = "Y",
                                    .operand = {"A", "B"},
                                    .kind = "ff",
                                    CASES(broadcast_cases),
                                    .reference = broadcast_mul,
                                    .hard = broadcast_cases,
                                    .large = &broadcast_large,
                                    .harden = hide_operand,
                                    FAULTS(NOT_SUMMED, NOT_SUMMED)};

/* ---- 08: W (out, in), or (in, out) ---- */

static const op_case linear_cases[] = {{{SHAPE(3, 5), SHAPE(7, 5), SHAPE(7)}, {0}, 0},
                                       {{SHAPE(4, 4), SHAPE(4, 4), SHAPE(4)}, {0}, 0},
                                       {{SHAPE(1, 3), SHAPE(2, 3), SHAPE(2)}, {0}, 0},
                                       {{SHAPE(5, 1), SHAPE(1, 1), SHAPE(1)}, {0}, 0}};
static const op_case linear_large = {{SHAPE(40, 40), SHAPE(40, 40), SHAPE(40)}, {0}, 0};

static void arrange_linear(tg_shape *input, int variant) {
    if (variant == 1)
        turn(&input[1]);
}

tg_tensor linear_of(const tg_tensor *x, int variant) {
    return tg_linear(x[0], variant == 1 ? tg_transpose(x[1], 0, 1) : x[1], x[2]);
}

static tg_tensor linear(const tg_tensor *x, const how *h) {
    tg_tensor y = linear_of(x, h->variant);
    if (h->fault > 1)
        return with_gradient_of(y, in_one_row(x[0], x[2], h->fault == 2));
    if (h->fault == 0)
        return y;
    tg_tensor W = h->variant == 1 ? x[1] : tg_transpose(x[1], 0, 1); /* (in, out) */
    return with_gradient_of(y, tg_matmul(x[0], misread(tg_contiguous(W))));
}

const op_spec linear_spec = {
    .symbol = "linear_op",
    .result = "Y",
    .operand = {"X", "W", "b"},
    .kind = "fff",
    CASES(linear_cases),
    .arrange = arrange_linear,
    .reference = linear,
    .hard = linear_cases,
    .large = &linear_large,
    .harden = hide_operand_and_bias,
    FAULTS("transposed: W and dW are stored the one way, here one is used as if it were stored the other way",
           ROW_FAULTS)};

/* ---- 13: as 08; its variant has nothing else here ---- */

static tg_tensor bug_linear(const tg_tensor *x, const how *h) {
    how plain = *h;
    plain.variant = 0;
    return linear(x, &plain);
}

const op_spec bug_linear_spec = {
    .symbol = "bug_linear_op",
    .result = "Y",
    .operand = {"X", "W", "b"},
    .kind = "fff",
    CASES(linear_cases),
    .reference = bug_linear,
    .hard = linear_cases,
    .large = &linear_large,
    .harden = hide_operand_and_bias,
    FAULTS("transposed: W and dW are (out, in), here one is used as if it were (in, out)", ROW_FAULTS)};

/* ---- 17: X[t + k], or X[t + K - 1 - k], the kernel turned round ---- */

static const op_case conv_cases[] = {{{SHAPE(7, 2), SHAPE(3, 2, 3), SHAPE(3)}, {0}, 0},
                                     {{SHAPE(5, 3), SHAPE(3, 3, 3), SHAPE(3)}, {0}, 0},
                                     {{SHAPE(4, 1), SHAPE(2, 1, 4), SHAPE(2)}, {0}, 0},
                                     {{SHAPE(3, 2), SHAPE(1, 2, 1), SHAPE(1)}, {0}, 0}};
static const op_case conv_large = {{SHAPE(48, 12), SHAPE(12, 12, 7), SHAPE(12)}, {0}, 0};

static tg_tensor conv1d(const tg_tensor *x, const how *h) {
    int64_t K = tg_size(x[1], 2), T = tg_size(x[0], 0) - K + 1;
    tg_tensor y = tg_expand(x[2], TG_SHAPE(T, tg_size(x[1], 0))), other = y;
    for (int64_t k = 0; k < K; k++) {
        int64_t from = h->variant == 1 ? K - 1 - k : k;
        tg_tensor W = tg_transpose(tg_squeeze(tg_slice(x[1], 2, k, k + 1, 1), 2), 0, 1);
        y = tg_add(y, tg_matmul(tg_slice(x[0], 0, from, from + T, 1), W));
        other = tg_add(other, tg_matmul(tg_slice(x[0], 0, K - 1 - from, K - 1 - from + T, 1), W));
    }
    return h->fault == 1 ? with_gradient_of(y, other) : y;
}

const op_spec conv1d_spec = {
    .symbol = "conv1d_op",
    .result = "Y",
    .operand = {"X", "W", "b"},
    .kind = "fff",
    CASES(conv_cases),
    .reference = conv1d,
    .hard = conv_cases,
    .large = &conv_large,
    .harden = hide_operand_and_bias,
    FAULTS("kernel turned round: the backward takes the window's elements in the other direction than forward")};
