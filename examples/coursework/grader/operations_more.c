/* Tasks A3, A4, 14, 16 and 17: see operations.h. */
#include "operations.h"

static void fill(double *x, tg_shape shape, double value) {
    for (int64_t i = 0; i < numel_of(shape); i++)
        x[i] = value;
}

static void hide_operand(double *const *x, const tg_shape *shape, int operand, int variant) {
    (void)variant;
    fill(x[operand], shape[operand], NAN);
}

static void hide_all(double *const *x, const tg_shape *shape, int operand, int variant) {
    (void)operand, (void)variant;
    for (int i = 0; i < MAX_INPUTS && x[i]; i++)
        fill(x[i], shape[i], NAN);
}

/* ---- A3: A + B, A - B; A B, 2 A B ---- */

static const op_case broadcast_cases[] = {
    {{SHAPE(3, 4), SHAPE(4)}, {0}, 0},          {{SHAPE(3, 1), SHAPE(1, 4)}, {0}, 0},
    {{SHAPE(2, 3, 4), SHAPE(3, 1)}, {0}, 0},    {{SHAPE(5), SHAPE(2, 3, 1)}, {0}, 0},
    {{SHAPE(1), SHAPE(3, 2)}, {0}, 0},          {{SHAPE(2, 1, 3), SHAPE(4, 1)}, {0}, 0},
    {{SHAPE(2, 3, 4), SHAPE(2, 3, 4)}, {0}, 0},
};
static const op_case broadcast_large = {{SHAPE(64, 96), SHAPE(96)}, {0}, 0};

/* y with the gradient that comes when the sum over the dims that an operand was stretched along is left out: only the
 * first of them counts. */
static tg_tensor first_only(tg_tensor y, tg_tensor x, int64_t n) {
    static double flag[8192];
    int64_t all = tg_numel(y);
    for (int64_t i = 0; i < all && i < 8192; i++)
        flag[i] = i < n;
    (void)x;
    return all > 8192 ? y : with_gradient_of(y, tg_mul(y, tg_from_doubles(y.tape, tg_shape_of(y), flag)));
}

static tg_tensor broadcast_add(const tg_tensor *x, const how *h) {
    tg_tensor y = h->variant == 1 ? tg_sub(x[0], x[1]) : tg_add(x[0], x[1]);
    return h->fault ? first_only(y, x[h->fault - 1], tg_numel(x[h->fault - 1])) : y;
}

static tg_tensor broadcast_mul(const tg_tensor *x, const how *h) {
    tg_tensor y = tg_mul_scalar(tg_mul(x[0], x[1]), 1 + h->variant);
    return h->fault ? first_only(y, x[h->fault - 1], tg_numel(x[h->fault - 1])) : y;
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

/* ---- A4: Y[i][j] = X[offset + i s0 + j s1]; in the variant s0 belongs to j ---- */

/* offset, s0, s1, rows, columns: a transpose, a row repeated, windows that overlap, backwards, every other one */
static const op_case view_cases[] = {{{SHAPE(12)}, {0, 1, 3, 3, 4}, 0}, {{SHAPE(5)}, {0, 0, 1, 3, 5}, 0},
                                     {{SHAPE(8)}, {0, 1, 1, 6, 3}, 0},  {{SHAPE(9)}, {8, -3, -1, 3, 3}, 0},
                                     {{SHAPE(28)}, {1, 8, 2, 2, 4}, 0}, {{SHAPE(7)}, {2, 0, 0, 2, 2}, 0}};
static const op_case view_square[] = {{{SHAPE(9)}, {0, 1, 3, 3, 3}, 0}};
static const op_case view_large = {{SHAPE(6400)}, {0, 1, 80, 80, 80}, 0};

/* The view, or of the elements that are used several times only the last use. */
static tg_tensor view(const tg_tensor *x, const how *h) {
    static int64_t at[8192];
    static double last[8192];
    int64_t rows = (int64_t)h->number[3], columns = (int64_t)h->number[4], n = rows * columns;
    int64_t s0 = (int64_t)h->number[1], s1 = (int64_t)h->number[2];
    for (int64_t i = 0; i < n && i < 8192; i++) {
        int64_t row = i / columns, column = i % columns;
        at[i] = (int64_t)h->number[0] + (h->variant == 1 ? column * s0 + row * s1 : row * s0 + column * s1);
    }
    for (int64_t i = 0; i < n && n <= 256; i++) {
        last[i] = 1;
        for (int64_t j = i + 1; j < n; j++)
            last[i] = at[j] == at[i] ? 0 : last[i];
    }
    tg_tensor index = tg_from_ints(x[0].tape, TG_SHAPE(n), at);
    tg_tensor y = tg_reshape(tg_index_select(x[0], 0, index), TG_SHAPE(rows, columns));
    if (h->fault == 1 && n <= 256)
        return with_gradient_of(y, tg_mul(y, tg_from_doubles(y.tape, TG_SHAPE(rows, columns), last)));
    return y;
}

/* The strides exchanged are inside the buffer too, for these two variants. */
const op_spec view_spec = {
    .symbol = "view_op",
    .result = "Y",
    .operand = {"X"},
    .kind = "f",
    CASES(view_cases),
    .reference = view,
    .hard = view_square,
    .large = &view_large,
    .harden = hide_all,
    FAULTS("only the last use counts: an element that the view shows several times gets the sum of their gradients")};

/* ---- 14: log of the sum of e^X, or of the mean; cross-entropy of two classes, natural or in bits ---- */

static const op_case logsumexp_cases[] = {
    {{SHAPE(3, 5)}, {0}, 0}, {{SHAPE(4, 4)}, {0}, 0}, {{SHAPE(2, 1)}, {0}, 0}, {{SHAPE(4, 6)}, {0}, 1000}};
static const op_case logsumexp_large = {{SHAPE(64, 64)}, {0}, 0};
static const op_case bce_cases[] = {
    {{SHAPE(6), SHAPE(6)}, {0}, 0}, {{SHAPE(1), SHAPE(1)}, {0}, 0}, {{SHAPE(8), SHAPE(8)}, {0}, 1000}};
static const op_case bce_large = {{SHAPE(4000), SHAPE(4000)}, {0}, 0};

static tg_tensor logsumexp(const tg_tensor *x, const how *h) {
    tg_tensor y = tg_logsumexp(x[0], TG_DIMS(-1), false);
    if (h->fault == 1)
        return with_gradient_of(y, tg_sum(x[0], TG_DIMS(-1), false));
    return h->variant == 1 ? tg_sub_scalar(y, log((double)tg_size(x[0], 1))) : y;
}

/* The mean of log(1 + e^x) - t x: of max(x, 0) + log(1 + e^-|x|) - t x. */
static tg_tensor bce(const tg_tensor *x, const how *h) {
    double unit = h->variant == 1 ? log(2) : 1, n = (double)tg_numel(x[0]);
    tg_tensor t = tg_to_float(x[1]), zero = tg_zeros(x[0].tape, TG_SHAPE(1));
    tg_tensor pair = tg_stack((tg_tensor[]){x[0], tg_expand(zero, tg_shape_of(x[0]))}, 2, 0);
    tg_tensor each = tg_sub(tg_logsumexp(pair, TG_DIMS(0), false), tg_mul(x[0], t));
    tg_tensor y = tg_reshape(tg_div_scalar(tg_sum(each, TG_ALL_DIMS, false), n * unit), TG_SHAPE(1));
    switch (h->fault) {
    case 1: return scaled_gradient(y, n);
    case 2: return with_gradient_of(y, tg_add(y, tg_div_scalar(tg_sum(tg_mul(x[0], t), TG_ALL_DIMS, false), n * unit)));
    default: return y;
    }
}

static void make_last_small(double *const *x, const tg_shape *shape, int operand, int variant) {
    (void)operand, (void)variant;
    int64_t n = shape[0].size[0], m = shape[0].size[1];
    for (int64_t i = 0; i < n; i++)
        x[0][i * m + m - 1] -= 90;
}

static void make_first_large(double *const *x, const tg_shape *shape, int operand, int variant) {
    (void)shape, (void)operand, (void)variant;
    x[0][0] = 1e17;
}

const op_spec logsumexp_spec = {.symbol = "logsumexp_op",
                                .result = "y",
                                .operand = {"X"},
                                .kind = "f",
                                CASES(logsumexp_cases),
                                .reference = logsumexp,
                                .hard = logsumexp_cases,
                                .large = &logsumexp_large,
                                .harden = make_last_small,
                                FAULTS("softmax forgotten: every dx[j] has the factor e^x[j] / sum")};
const op_spec bce_spec = {.symbol = "bce_op",
                          .result = "y",
                          .operand = {"x", "t"},
                          .kind = "fb",
                          CASES(bce_cases),
                          .reference = bce,
                          .hard = bce_cases,
                          .large = &bce_large,
                          .harden = make_first_large,
                          FAULTS("1/n missing: the loss is a mean, and so is its gradient",
                                 "the target forgotten: dx is the sigmoid minus t")};

/* ---- 16: rows of a table; in the variant times the root of their length ---- */

static const op_case embedding_cases[] = {{{SHAPE(4, 3), SHAPE(7)}, {0}, 0},
                                          {{SHAPE(3, 3), SHAPE(3)}, {0}, 0},
                                          {{SHAPE(1, 4), SHAPE(5)}, {0}, 0},
                                          {{SHAPE(6, 1), SHAPE(2)}, {0}, 0}};
static const op_case embedding_large = {{SHAPE(64, 96), SHAPE(64)}, {0}, 0};

static tg_tensor embedding(const tg_tensor *x, const how *h) {
    static double last[256];
    double factor = h->variant == 1 ? sqrt((double)tg_size(x[0], 1)) : 1;
    tg_tensor y = tg_mul_scalar(tg_embedding(x[0], x[1]), factor);
    int64_t n = tg_numel(x[1]);
    const int64_t *id = tg_const_data(x[1]);
    for (int64_t i = 0; i < n && n <= 256; i++) {
        last[i] = 1;
        for (int64_t j = i + 1; j < n; j++)
            last[i] = id[j] == id[i] ? 0 : last[i];
    }
    if (h->fault == 1 && n <= 256)
        return with_gradient_of(y, tg_mul(y, tg_from_doubles(y.tape, TG_SHAPE(n, 1), last)));
    return h->fault == 2 ? scaled_gradient(y, 1 / factor) : y;
}

const op_spec embedding_spec = {
    .symbol = "embedding_op",
    .result = "Y",
    .operand = {"table", "ids"},
    .kind = "fr",
    CASES(embedding_cases),
    .reference = embedding,
    .hard = embedding_cases,
    .large = &embedding_large,
    .harden = hide_all,
    FAULTS("only the last use counts: a word that comes several times gets the sum of what comes back",
           "factor forgotten: what Y is multiplied by is a factor of the gradient as well")};

/* ---- 17: X[t + k], or X[t + K - 1 - k], the kernel turned round ---- */

static const op_case conv_cases[] = {{{SHAPE(7, 2), SHAPE(3, 2, 3), SHAPE(3)}, {0}, 0},
                                     {{SHAPE(5, 3), SHAPE(3, 3, 3), SHAPE(3)}, {0}, 0},
                                     {{SHAPE(4, 1), SHAPE(2, 1, 4), SHAPE(2)}, {0}, 0},
                                     {{SHAPE(3, 2), SHAPE(1, 2, 1), SHAPE(1)}, {0}, 0}};
static const op_case conv_large = {{SHAPE(40, 8), SHAPE(8, 8, 5), SHAPE(8)}, {0}, 0};

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

static void hide_operand_and_bias(double *const *x, const tg_shape *shape, int operand, int variant) {
    hide_operand(x, shape, operand, variant);
    fill(x[2], shape[2], NAN);
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
