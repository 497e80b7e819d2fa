/* 06 Masking: some elements do not count.
 *
 *   masked_fill: Y[i][j] = value where mask[i][j] is true, X[i][j] elsewhere       X, mask (n, m)
 *   masked_mean: y[j] = sum_i keep[i] X[i][j] / number of true keep[i]             X (n, m), keep (n), y (m)
 *
 * The first hides the future from attention (value = -infinity before a softmax), the second averages over the tokens
 * of a sentence and leaves out its padding. At least one keep[i] is true. A mask has no gradient.
 */
/* --- variant 0 */
/* --- variant 1
// Your variant: the masks say the opposite. masked_fill: mask is true where X is KEPT, and value stands where it is
// false. masked_mean: keep is true for the rows that are LEFT OUT; at least one is false.
--- end */
#include "coursework.h"

static int masked_fill_forward(const tg_call *c) {
    int64_t n = c->input_shape[0].size[0], m = c->input_shape[0].size[1];
    const double *X = c->input[0], *value = c->context;
    const bool *mask = c->input[1];
    double *Y = c->output;
    /* --- solution */
    for (int64_t i = 0; i < n * m; i++)
        /* --- variant 0 */
        Y[i] = mask[i] ? value[0] : X[i];
    /* --- variant 1
    Y[i] = mask[i] ? X[i] : value[0];
    --- end */
    /* --- student
    (void)n, (void)m, (void)X, (void)value, (void)mask, (void)Y; // delete this line; fill Y
    --- */
    return 0;
}

static int masked_fill_vjp(const tg_call *c) {
    int64_t n = c->input_shape[0].size[0], m = c->input_shape[0].size[1];
    const double *dY = c->output_grad;
    const bool *mask = c->input[1];
    double *dX = c->input_grad[0];
    /* --- solution */
    for (int64_t i = 0; i < n * m; i++)
        /* --- variant 0 */
        dX[i] += mask[i] ? 0 : dY[i];
    /* --- variant 1
    dX[i] += mask[i] ? dY[i] : 0;
    --- end */
    /* --- student
    (void)n, (void)m, (void)dY, (void)mask, (void)dX; // delete this line; add to dX
    --- */
    return 0;
}

static int masked_mean_forward(const tg_call *c) {
    int64_t n = c->input_shape[0].size[0], m = c->input_shape[0].size[1];
    const double *X = c->input[0];
    const bool *keep = c->input[1];
    double *y = c->output;
    /* --- solution */
    double count = 0;
    for (int64_t i = 0; i < n; i++)
        /* --- variant 0 */
        count += keep[i];
    /* --- variant 1
    count += !keep[i];
    --- end */
    for (int64_t j = 0; j < m; j++) {
        y[j] = 0;
        for (int64_t i = 0; i < n; i++)
            /* --- variant 0 */
            y[j] += keep[i] ? X[i * m + j] / count : 0;
        /* --- variant 1
        y[j] += keep[i] ? 0 : X[i * m + j] / count;
        --- end */
    }
    /* --- student
    (void)n, (void)m, (void)X, (void)keep, (void)y; // delete this line; fill y
    --- */
    return 0;
}

static int masked_mean_vjp(const tg_call *c) {
    int64_t n = c->input_shape[0].size[0], m = c->input_shape[0].size[1];
    const double *dy = c->output_grad;
    const bool *keep = c->input[1];
    double *dX = c->input_grad[0];
    /* --- solution */
    double count = 0;
    for (int64_t i = 0; i < n; i++)
        /* --- variant 0 */
        count += keep[i];
    /* --- variant 1
    count += !keep[i];
    --- end */
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < m; j++)
            /* --- variant 0 */
            dX[i * m + j] += keep[i] ? dy[j] / count : 0;
    /* --- variant 1
    dX[i * m + j] += keep[i] ? 0 : dy[j] / count;
    --- end */
    /* --- student
    (void)n, (void)m, (void)dy, (void)keep, (void)dX; // delete this line; add to dX
    --- */
    return 0;
}

const tg_custom_op masked_fill_op = {"masked_fill", NULL, NULL, masked_fill_forward, masked_fill_vjp};
const tg_custom_op masked_mean_op = {"masked_mean", NULL, NULL, masked_mean_forward, masked_mean_vjp};
