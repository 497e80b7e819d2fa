/* 17 A convolution in one dimension: windows of K steps of X (T, in), each times the same weights W (out, in, K).
 *
 *   Y[t][o] = b[o] + sum_i sum_k X[t + k][i] W[o][i][k]      Y (T - K + 1, out), b (out)
 */
#include "coursework.h"
/* --- variant 0 */
/* --- variant 1
// Your variant: the kernel is turned round, as in mathematics: Y[t][o] = b[o] + sum_i sum_k X[t + K - 1 -
// k][i] W[o][i][k].
--- end */

static int conv1d_forward(const tg_call *c) {
    int64_t in = c->input_shape[0].size[1], out = c->input_shape[1].size[0], K = c->input_shape[1].size[2];
    int64_t steps = c->output_shape->size[0];
    const double *X = c->input[0], *W = c->input[1], *b = c->input[2];
    double *Y = c->output;
    /* --- solution */
    for (int64_t t = 0; t < steps; t++)
        for (int64_t o = 0; o < out; o++) {
            double sum = b[o];
            for (int64_t i = 0; i < in; i++)
                for (int64_t k = 0; k < K; k++)
                    /* --- variant 0 */
                    sum += X[(t + k) * in + i] * W[(o * in + i) * K + k];
            /* --- variant 1
            sum += X[(t + K - 1 - k) * in + i] * W[(o * in + i) * K + k];
            --- end */
            Y[t * out + o] = sum;
        }
    /* --- student
    (void)in, (void)out, (void)K, (void)steps, (void)X, (void)W, (void)b, (void)Y; // delete this line; fill Y
    --- */
    return 0;
}

static int conv1d_vjp(const tg_call *c) {
    int64_t in = c->input_shape[0].size[1], out = c->input_shape[1].size[0], K = c->input_shape[1].size[2];
    int64_t steps = c->output_shape->size[0];
    const double *X = c->input[0], *W = c->input[1], *dY = c->output_grad;
    double *dX = c->input_grad[0], *dW = c->input_grad[1], *db = c->input_grad[2];
    /* --- solution */
    for (int64_t t = 0; t < steps; t++)
        for (int64_t o = 0; o < out; o++) {
            double dy = dY[t * out + o];
            db[o] += dy;
            for (int64_t i = 0; i < in; i++)
                for (int64_t k = 0; k < K; k++) {
                    /* --- variant 0 */
                    int64_t x = (t + k) * in + i, w = (o * in + i) * K + k;
                    /* --- variant 1
                    int64_t x = (t + K - 1 - k) * in + i, w = (o * in + i) * K + k;
                    --- end */
                    dX[x] += dy * W[w];
                    dW[w] += dy * X[x];
                }
        }
    /* --- student
    (void)in, (void)out, (void)K, (void)steps, (void)X, (void)W, (void)dY; // delete this line;
    (void)dX, (void)dW, (void)db;                                          // and this one; add to dX, dW and db
    --- */
    return 0;
}

const tg_custom_op conv1d_op = {"conv1d", NULL, NULL, conv1d_forward, conv1d_vjp};
