/* Tasks A4 and 16: elements and rows that are read by their numbers. */
#include "operations.h"

/* y with the gradient that comes when of several uses of a number only the last one counts. at: the numbers, one for
 * each element of the shape, which is y's but for dims of size 1. */
static tg_tensor last_use_only(tg_tensor y, const int64_t *at, tg_shape shape) {
    static double last[256];
    int64_t n = numel_of(shape);
    if (n > 256)
        return y;
    for (int64_t i = 0; i < n; i++) {
        last[i] = 1;
        for (int64_t j = i + 1; j < n; j++)
            last[i] = at[j] == at[i] ? 0 : last[i];
    }
    return with_gradient_of(y, tg_mul(y, tg_from_doubles(y.tape, shape, last)));
}

/* ---- A4: Y[i][j] = X[offset + i s0 + j s1]; in the variant s0 belongs to j ---- */

/* offset, s0, s1, rows, columns: a transpose, a row repeated, windows that overlap, backwards, every other one */
static const op_case view_cases[] = {{{SHAPE(12)}, {0, 1, 3, 3, 4}, 0}, {{SHAPE(5)}, {0, 0, 1, 3, 5}, 0},
                                     {{SHAPE(8)}, {0, 1, 1, 6, 3}, 0},  {{SHAPE(9)}, {8, -3, -1, 3, 3}, 0},
                                     {{SHAPE(28)}, {1, 8, 2, 2, 4}, 0}, {{SHAPE(7)}, {2, 0, 0, 2, 2}, 0}};
static const op_case view_square[] = {{{SHAPE(9)}, {0, 1, 3, 3, 3}, 0}};
static const op_case view_large = {{SHAPE(4900)}, {0, 1, 70, 70, 70}, 0};

static tg_tensor view(const tg_tensor *x, const how *h) {
    static int64_t at[8192];
    int64_t rows = (int64_t)h->number[3], columns = (int64_t)h->number[4], n = rows * columns;
    int64_t s0 = (int64_t)h->number[1], s1 = (int64_t)h->number[2];
    for (int64_t i = 0; i < n && i < 8192; i++) {
        int64_t row = i / columns, column = i % columns;
        at[i] = (int64_t)h->number[0] + (h->variant == 1 ? column * s0 + row * s1 : row * s0 + column * s1);
    }
    tg_tensor index = tg_from_ints(x[0].tape, TG_SHAPE(n), at);
    tg_tensor y = tg_reshape(tg_index_select(x[0], 0, index), TG_SHAPE(rows, columns));
    return h->fault == 1 ? last_use_only(y, at, TG_SHAPE(rows, columns)) : y;
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

/* ---- 16: rows of a table; in the variant times the root of their length ---- */

static const op_case embedding_cases[] = {{{SHAPE(4, 3), SHAPE(7)}, {0}, 0},
                                          {{SHAPE(3, 3), SHAPE(3)}, {0}, 0},
                                          {{SHAPE(1, 4), SHAPE(5)}, {0}, 0},
                                          {{SHAPE(6, 1), SHAPE(2)}, {0}, 0}};
static const op_case embedding_large = {{SHAPE(64, 80), SHAPE(64)}, {0}, 0};

static tg_tensor embedding(const tg_tensor *x, const how *h) {
    double factor = h->variant == 1 ? sqrt((double)tg_size(x[0], 1)) : 1;
    tg_tensor y = tg_mul_scalar(tg_embedding(x[0], x[1]), factor);
    if (h->fault == 1)
        return last_use_only(y, tg_const_data(x[1]), TG_SHAPE(tg_numel(x[1]), 1));
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
