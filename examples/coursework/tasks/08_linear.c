/* 08 A linear layer, as PyTorch stores it: Y = X W^T + b with X (n, in), W (out, in), b (out), Y (n, out).
 *
 *   Y[i][o] = b[o] + sum_l X[i][l] W[o][l]
 *
 * In a network the first X is data and wants no gradient: then c->input_grad[0] is NULL, and so for W and b when they
 * are frozen.
 */
/* --- variant 0 */
/* --- variant 1
// Your variant: W is stored (in, out), Y = X W + b: Y[i][o] = b[o] + sum_l X[i][l] W[l][o]. dW is stored as W is.
--- end */
#include "coursework.h"

static int linear_forward(const tg_call *c) {
    /* --- variant 0 */
    int64_t n = c->input_shape[0].size[0], in = c->input_shape[0].size[1], out = c->input_shape[1].size[0];
    /* --- variant 1
    int64_t n = c->input_shape[0].size[0], in = c->input_shape[0].size[1], out = c->input_shape[1].size[1];
    --- end */
    const double *X = c->input[0], *W = c->input[1], *b = c->input[2];
    double *Y = c->output;
    /* --- solution */
    for (int64_t i = 0; i < n; i++)
        for (int64_t o = 0; o < out; o++) {
            double sum = b[o];
            for (int64_t l = 0; l < in; l++)
                /* --- variant 0 */
                sum += X[i * in + l] * W[o * in + l];
            /* --- variant 1
            sum += X[i * in + l] * W[l * out + o];
            --- end */
            Y[i * out + o] = sum;
        }
    /* --- student
    (void)n, (void)in, (void)out, (void)X, (void)W, (void)b, (void)Y; // delete this line; fill Y
    --- */
    return 0;
}

static int linear_vjp(const tg_call *c) {
    /* --- variant 0 */
    int64_t n = c->input_shape[0].size[0], in = c->input_shape[0].size[1], out = c->input_shape[1].size[0];
    /* --- variant 1
    int64_t n = c->input_shape[0].size[0], in = c->input_shape[0].size[1], out = c->input_shape[1].size[1];
    --- end */
    const double *X = c->input[0], *W = c->input[1], *dY = c->output_grad;
    double *dX = c->input_grad[0], *dW = c->input_grad[1], *db = c->input_grad[2];
    /* --- solution */
    for (int64_t i = 0; i < n; i++)
        for (int64_t o = 0; o < out; o++) {
            double dy = dY[i * out + o];
            if (db)
                db[o] += dy;
            for (int64_t l = 0; l < in; l++) {
                if (dX)
                    /* --- variant 0 */
                    dX[i * in + l] += dy * W[o * in + l];
                /* --- variant 1
                dX[i * in + l] += dy * W[l * out + o];
                --- end */
                if (dW)
                    /* --- variant 0 */
                    dW[o * in + l] += dy * X[i * in + l];
                /* --- variant 1
                dW[l * out + o] += dy * X[i * in + l];
                --- end */
            }
        }
    /* --- student
    (void)n, (void)in, (void)out, (void)X, (void)W, (void)dY; // delete this line;
    (void)dX, (void)dW, (void)db;                             // and this one; add to dX, dW, db unless they are NULL
    --- */
    return 0;
}

const tg_custom_op linear_op = {"linear", NULL, NULL, linear_forward, linear_vjp};
