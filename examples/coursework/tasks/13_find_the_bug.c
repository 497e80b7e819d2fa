/* 13 Find the bug. This is the backward of a layer of attention, from the loss back to the first linear layer. It was
 * written in a hurry: every one of the five vjp functions has one mistake. All the forward functions are right.
 *
 * (The layer: Y = X W^T + b gives queries, keys and values; scores = Q K^T / sqrt(d); the future is hidden; softmax;
 * and after the product with V, which is right and not shown, the mean squared error.)
 */
/* --- variant 0 */
/* --- variant 1
// Your variant: the scores are divided by d, not by sqrt(d), and the loss is the sum of the squares, not their
// mean.
--- end */
#include "coursework.h"

/* Y = X W^T + b      X (n, in), W (out, in), b (out) */
static int linear_forward(const tg_call *c) {
    int64_t n = c->input_shape[0].size[0], in = c->input_shape[0].size[1], out = c->input_shape[1].size[0];
    const double *X = c->input[0], *W = c->input[1], *b = c->input[2];
    double *Y = c->output;
    for (int64_t i = 0; i < n; i++)
        for (int64_t o = 0; o < out; o++) {
            Y[i * out + o] = b[o];
            for (int64_t l = 0; l < in; l++)
                Y[i * out + o] += X[i * in + l] * W[o * in + l];
        }
    return 0;
}

static int linear_vjp(const tg_call *c) {
    int64_t n = c->input_shape[0].size[0], in = c->input_shape[0].size[1], out = c->input_shape[1].size[0];
    const double *X = c->input[0], *W = c->input[1], *dY = c->output_grad;
    double *dX = c->input_grad[0], *dW = c->input_grad[1], *db = c->input_grad[2];
    for (int64_t i = 0; i < n; i++)
        for (int64_t o = 0; o < out; o++) {
            for (int64_t l = 0; l < in; l++) {
                dX[i * in + l] += dY[i * out + o] * W[o * in + l];
                dW[o * in + l] += dY[i * out + o] * X[i * in + l];
            }
            /* --- solution */
            db[o] += dY[i * out + o];
            /* --- student
            db[o] = dY[i * out + o];
            --- */
        }
    return 0;
}

/* scores = Q K^T / sqrt(d)      Q (T, d), K (S, d), scores (T, S) */
static int scores_forward(const tg_call *c) {
    int64_t T = c->input_shape[0].size[0], S = c->input_shape[1].size[0], d = c->input_shape[0].size[1];
    const double *Q = c->input[0], *K = c->input[1];
    /* --- variant 0 */
    double *Y = c->output, scale = 1 / sqrt((double)d);
    /* --- variant 1
    double *Y = c->output, scale = 1 / (double)d;
    --- end */
    for (int64_t i = 0; i < T; i++)
        for (int64_t j = 0; j < S; j++) {
            Y[i * S + j] = 0;
            for (int64_t l = 0; l < d; l++)
                Y[i * S + j] += Q[i * d + l] * K[j * d + l] * scale;
        }
    return 0;
}

static int scores_vjp(const tg_call *c) {
    int64_t T = c->input_shape[0].size[0], S = c->input_shape[1].size[0], d = c->input_shape[0].size[1];
    const double *Q = c->input[0], *K = c->input[1], *dY = c->output_grad;
    double *dQ = c->input_grad[0], *dK = c->input_grad[1];
    /* --- variant 0 */
    double scale = 1 / sqrt((double)d);
    /* --- variant 1
    double scale = 1 / (double)d;
    --- end */
    for (int64_t i = 0; i < T; i++)
        for (int64_t j = 0; j < S; j++)
            for (int64_t l = 0; l < d; l++) {
                dQ[i * d + l] += dY[i * S + j] * K[j * d + l] * scale;
                /* --- solution */
                dK[j * d + l] += dY[i * S + j] * Q[i * d + l] * scale;
                /* --- student
                dK[j * d + l] += dY[i * S + j] * Q[i * d + l];
                --- */
            }
    return 0;
}

/* Y = X, but -1e9 where j > i      X, Y (T, S) */
static int mask_forward(const tg_call *c) {
    int64_t T = c->input_shape[0].size[0], S = c->input_shape[0].size[1];
    const double *X = c->input[0];
    double *Y = c->output;
    for (int64_t i = 0; i < T; i++)
        for (int64_t j = 0; j < S; j++)
            Y[i * S + j] = j > i ? -1e9 : X[i * S + j];
    return 0;
}

static int mask_vjp(const tg_call *c) {
    int64_t T = c->input_shape[0].size[0], S = c->input_shape[0].size[1];
    const double *dY = c->output_grad;
    double *dX = c->input_grad[0];
    for (int64_t i = 0; i < T; i++)
        for (int64_t j = 0; j < S; j++) {
            /* --- solution */
            dX[i * S + j] += j > i ? 0 : dY[i * S + j];
            /* --- student
            dX[i * S + j] += dY[i * S + j];
            --- */
        }
    return 0;
}

/* Y[i][j] = e^X[i][j] / sum_k e^X[i][k]      X, Y (T, S) */
static int softmax_forward(const tg_call *c) {
    int64_t T = c->input_shape[0].size[0], S = c->input_shape[0].size[1];
    for (int64_t i = 0; i < T; i++) {
        const double *x = (const double *)c->input[0] + i * S;
        double *y = (double *)c->output + i * S, max = x[0], sum = 0;
        for (int64_t j = 1; j < S; j++)
            max = fmax(max, x[j]);
        for (int64_t j = 0; j < S; j++)
            sum += y[j] = exp(x[j] - max);
        for (int64_t j = 0; j < S; j++)
            y[j] /= sum;
    }
    return 0;
}

static int softmax_vjp(const tg_call *c) {
    int64_t T = c->input_shape[0].size[0], S = c->input_shape[0].size[1];
    for (int64_t i = 0; i < T; i++) {
        const double *y = (const double *)c->output + i * S, *dy = (const double *)c->output_grad + i * S;
        double *dx = (double *)c->input_grad[0] + i * S, dot = 0;
        for (int64_t j = 0; j < S; j++)
            dot += dy[j] * y[j];
        for (int64_t j = 0; j < S; j++) {
            /* --- solution */
            dx[j] += y[j] * (dy[j] - dot);
            /* --- student
            dx[j] += y[j] * (dy[j] + dot);
            --- */
        }
    }
    return 0;
}

/* loss = mean over all elements of (Y - target)^2      Y, target (T, e) */
static int loss_forward(const tg_call *c) {
    int64_t n = c->input_shape[0].size[0] * c->input_shape[0].size[1];
    const double *Y = c->input[0], *target = c->input[1];
    double *loss = c->output;
    loss[0] = 0;
    for (int64_t i = 0; i < n; i++)
        /* --- variant 0 */
        loss[0] += (Y[i] - target[i]) * (Y[i] - target[i]) / (double)n;
    /* --- variant 1
    loss[0] += (Y[i] - target[i]) * (Y[i] - target[i]);
    --- end */
    return 0;
}

static int loss_vjp(const tg_call *c) {
    int64_t n = c->input_shape[0].size[0] * c->input_shape[0].size[1];
    const double *Y = c->input[0], *target = c->input[1], *dloss = c->output_grad;
    double *dY = c->input_grad[0], *dtarget = c->input_grad[1];
    for (int64_t i = 0; i < n; i++) {
        /* --- solution */
        /* --- variant 0 */
        double d = dloss[0] * 2 * (Y[i] - target[i]) / (double)n;
        /* --- variant 1
        double d = dloss[0] * 2 * (Y[i] - target[i]);
        --- end */
        /* --- student
        --- variant 0
        double d = dloss[0] * 2 * (Y[i] - target[i]);
        --- variant 1
        double d = dloss[0] * (Y[i] - target[i]);
        --- end
        --- */
        dY[i] += d;
        dtarget[i] -= d;
    }
    return 0;
}

const tg_custom_op bug_linear_op = {"linear", NULL, NULL, linear_forward, linear_vjp};
const tg_custom_op bug_scores_op = {"scores", NULL, NULL, scores_forward, scores_vjp};
const tg_custom_op bug_mask_op = {"mask", NULL, NULL, mask_forward, mask_vjp};
const tg_custom_op bug_softmax_op = {"softmax", NULL, NULL, softmax_forward, softmax_vjp};
const tg_custom_op bug_loss_op = {"loss", NULL, NULL, loss_forward, loss_vjp};
