/* 10 Several heads: cut the channels into H pieces, one for each head, and put them together again.
 *
 *   split_heads: X (T, H D) -> Y (H, T, D)       Y[h][t][j] = X[t][h D + j]
 *   merge_heads: X (H, T, D) -> Y (T, H D)       Y[t][h D + j] = X[h][t][j]
 */
/* --- variant 0 */
/* --- variant 1
// Your variant: the heads lie interleaved: Y[h][t][j] = X[t][j H + h], and back.
--- end */
#include "coursework.h"

static int split_heads_forward(const tg_call *c) {
    int64_t H = c->output_shape->size[0], T = c->output_shape->size[1], D = c->output_shape->size[2];
    const double *X = c->input[0];
    double *Y = c->output;
    /* --- solution */
    for (int64_t h = 0; h < H; h++)
        for (int64_t t = 0; t < T; t++)
            for (int64_t j = 0; j < D; j++)
                /* --- variant 0 */
                Y[(h * T + t) * D + j] = X[t * H * D + h * D + j];
    /* --- variant 1
    Y[(h * T + t) * D + j] = X[t * H * D + j * H + h];
    --- end */
    /* --- student
    (void)H, (void)T, (void)D, (void)X, (void)Y; // delete this line; fill Y
    --- */
    return 0;
}

static int split_heads_vjp(const tg_call *c) {
    int64_t H = c->output_shape->size[0], T = c->output_shape->size[1], D = c->output_shape->size[2];
    const double *dY = c->output_grad;
    double *dX = c->input_grad[0];
    /* --- solution */
    for (int64_t h = 0; h < H; h++)
        for (int64_t t = 0; t < T; t++)
            for (int64_t j = 0; j < D; j++)
                /* --- variant 0 */
                dX[t * H * D + h * D + j] += dY[(h * T + t) * D + j];
    /* --- variant 1
    dX[t * H * D + j * H + h] += dY[(h * T + t) * D + j];
    --- end */
    /* --- student
    (void)H, (void)T, (void)D, (void)dY, (void)dX; // delete this line; add to dX
    --- */
    return 0;
}

static int merge_heads_forward(const tg_call *c) {
    int64_t H = c->input_shape[0].size[0], T = c->input_shape[0].size[1], D = c->input_shape[0].size[2];
    const double *X = c->input[0];
    double *Y = c->output;
    /* --- solution */
    for (int64_t h = 0; h < H; h++)
        for (int64_t t = 0; t < T; t++)
            for (int64_t j = 0; j < D; j++)
                /* --- variant 0 */
                Y[t * H * D + h * D + j] = X[(h * T + t) * D + j];
    /* --- variant 1
    Y[t * H * D + j * H + h] = X[(h * T + t) * D + j];
    --- end */
    /* --- student
    (void)H, (void)T, (void)D, (void)X, (void)Y; // delete this line; fill Y
    --- */
    return 0;
}

static int merge_heads_vjp(const tg_call *c) {
    int64_t H = c->input_shape[0].size[0], T = c->input_shape[0].size[1], D = c->input_shape[0].size[2];
    const double *dY = c->output_grad;
    double *dX = c->input_grad[0];
    /* --- solution */
    for (int64_t h = 0; h < H; h++)
        for (int64_t t = 0; t < T; t++)
            for (int64_t j = 0; j < D; j++)
                /* --- variant 0 */
                dX[(h * T + t) * D + j] += dY[t * H * D + h * D + j];
    /* --- variant 1
    dX[(h * T + t) * D + j] += dY[t * H * D + j * H + h];
    --- end */
    /* --- student
    (void)H, (void)T, (void)D, (void)dY, (void)dX; // delete this line; add to dX
    --- */
    return 0;
}

const tg_custom_op split_heads_op = {"split_heads", NULL, NULL, split_heads_forward, split_heads_vjp};
const tg_custom_op merge_heads_op = {"merge_heads", NULL, NULL, merge_heads_forward, merge_heads_vjp};
