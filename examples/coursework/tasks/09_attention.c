/* 09 Scaled dot-product attention: queries Q (T, d), keys K (S, d), values V (S, e), result Y (T, e).
 *
 *   scores[i][j]  = Q[i] . K[j] / sqrt(d)        -infinity where j > i, when causal
 *   weights[i]    = softmax(scores[i])
 *   Y[i]          = sum_j weights[i][j] V[j]
 */
/* --- variant 0 */
/* --- variant 1
// Your variant: the scores are divided by d, not by sqrt(d).
--- end */
#include "coursework.h"

/* weights (T, S) */
static void attend(const tg_call *c, double *weights) {
    int64_t T = c->input_shape[0].size[0], S = c->input_shape[1].size[0], d = c->input_shape[0].size[1];
    const double *Q = c->input[0], *K = c->input[1];
    bool causal = *(const double *)c->context != 0;
    for (int64_t i = 0; i < T; i++) {
        double *w = weights + i * S, max = -INFINITY, sum = 0;
        for (int64_t j = 0; j < S; j++) {
            double dot = 0;
            for (int64_t l = 0; l < d; l++)
                dot += Q[i * d + l] * K[j * d + l];
            /* --- variant 0 */
            w[j] = causal && j > i ? -INFINITY : dot / sqrt((double)d);
            /* --- variant 1
            w[j] = causal && j > i ? -INFINITY : dot / (double)d;
            --- end */
            max = fmax(max, w[j]);
        }
        for (int64_t j = 0; j < S; j++)
            sum += w[j] = exp(w[j] - max);
        for (int64_t j = 0; j < S; j++)
            w[j] /= sum;
    }
}

static int attention_forward(const tg_call *c) {
    int64_t T = c->input_shape[0].size[0], S = c->input_shape[1].size[0], e = c->input_shape[2].size[1];
    const double *V = c->input[2];
    double *Y = c->output, *weights = course_keep("weights", T, S);
    attend(c, weights);
    for (int64_t i = 0; i < T; i++)
        for (int64_t k = 0; k < e; k++) {
            double sum = 0;
            for (int64_t j = 0; j < S; j++)
                sum += weights[i * S + j] * V[j * e + k];
            Y[i * e + k] = sum;
        }
    return 0;
}

static int attention_vjp(const tg_call *c) {
    int64_t T = c->input_shape[0].size[0], S = c->input_shape[1].size[0];
    int64_t d = c->input_shape[0].size[1], e = c->input_shape[2].size[1];
    const double *Q = c->input[0], *K = c->input[1], *V = c->input[2], *dY = c->output_grad;
    double *dQ = c->input_grad[0], *dK = c->input_grad[1], *dV = c->input_grad[2];
    double *weights = course_keep("weights", T, S);
    double *dweights = course_keep("dweights", T, S), *dscores = course_keep("dscores", T, S);
    attend(c, weights);
    /* --- solution */
    for (int64_t i = 0; i < T; i++) {
        double dot = 0;
        for (int64_t j = 0; j < S; j++) {
            for (int64_t k = 0; k < e; k++) {
                dV[j * e + k] += weights[i * S + j] * dY[i * e + k];
                dweights[i * S + j] += dY[i * e + k] * V[j * e + k];
            }
            dot += dweights[i * S + j] * weights[i * S + j];
        }
        for (int64_t j = 0; j < S; j++)
            dscores[i * S + j] = weights[i * S + j] * (dweights[i * S + j] - dot);
    }
    /* --- variant 0 */
    double scale = 1 / sqrt((double)d);
    /* --- variant 1
    double scale = 1 / (double)d;
    --- end */
    for (int64_t i = 0; i < T; i++)
        for (int64_t j = 0; j < S; j++)
            for (int64_t l = 0; l < d; l++) {
                dQ[i * d + l] += dscores[i * S + j] * K[j * d + l] * scale;
                dK[j * d + l] += dscores[i * S + j] * Q[i * d + l] * scale;
            }
    /* --- student
    (void)e, (void)d, (void)Q, (void)K, (void)V, (void)dY; // delete these lines; from the end to the start:
    (void)dV, (void)dweights;                              // add to dV, fill dweights (T, S),
    (void)dscores;                                         // fill dscores (T, S) by the VJP of softmax,
    (void)dQ, (void)dK;                                    // add to dQ and dK
    --- */
    return 0;
}

const tg_custom_op attention_op = {"attention", NULL, NULL, attention_forward, attention_vjp};
