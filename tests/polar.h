/* An operation that keeps numbers and has two outputs, and the mistakes that its VJP can be told to make. */
#ifndef TAPEGRAD_TEST_POLAR_H
#define TAPEGRAD_TEST_POLAR_H

#include "tests/support.h"

/* ---- polar: rows x (m, n) -> y = x / |x| (m, n) and r = |x| (m); keeps 1 / |x|.
 *      dx = (dy - y (y.dy)) / |x| + dr y ---- */

typedef enum { RIGHT, NO_Y_PART, SIGN_OF_R, R_FORGOTTEN, WRONG_IN_F32 } mistake;

static _Atomic int forwards, vjps, odd_calls; /* odd_calls: what no callback may be given */

#define POLAR(real, sqrt, forward, vjp, is_f32)                                                        \
    static int forward(const tg_call *c) {                                                             \
        const real *x = c->input[0];                                                                   \
        real *y = c->outputs[0], *r = c->outputs[1], *kept = c->saved;                                 \
        int64_t m = c->input_shape[0].size[0], n = c->input_shape[0].size[1];                          \
        forwards++;                                                                                    \
        odd_calls += c->n_outputs != 2 || c->output != c->outputs[0] || c->output_grad;                \
        odd_calls += c->output_shape[0].ndim != 2 || c->output_shape[1].ndim != 1;                     \
        for (int64_t i = 0; i < m; i++) {                                                              \
            real sum = 0;                                                                              \
            for (int64_t j = 0; j < n; j++)                                                            \
                sum += x[i * n + j] * x[i * n + j];                                                    \
            r[i] = sqrt(sum);                                                                          \
            kept[i] = 1 / r[i];                                                                        \
            for (int64_t j = 0; j < n; j++)                                                            \
                y[i * n + j] = x[i * n + j] / r[i];                                                    \
        }                                                                                              \
        return 0;                                                                                      \
    }                                                                                                  \
    static int vjp(const tg_call *c) {                                                                 \
        const real *y = c->outputs[0], *kept = c->saved, *dy = c->output_grads[0];                     \
        const real *dr = c->output_grads[1];                                                           \
        real *dx = c->input_grad[0];                                                                   \
        int64_t m = c->input_shape[0].size[0], n = c->input_shape[0].size[1];                          \
        mistake wrong = *(const mistake *)c->context;                                                  \
        vjps++;                                                                                        \
        odd_calls += c->n_outputs != 2 || !dy || !dr || !dx || c->output_grad != dy;                   \
        for (int64_t i = 0; i < m; i++) {                                                              \
            real dot = 0, of_r = wrong == SIGN_OF_R ? -dr[i] : wrong == R_FORGOTTEN ? 0 : dr[i];       \
            for (int64_t j = 0; j < n; j++)                                                            \
                dot += y[i * n + j] * dy[i * n + j];                                                   \
            if (wrong == NO_Y_PART || (wrong == WRONG_IN_F32 && is_f32))                               \
                dot = 0;                                                                               \
            for (int64_t j = 0; j < n; j++)                                                            \
                dx[i * n + j] += (dy[i * n + j] - y[i * n + j] * dot) * kept[i] + of_r * y[i * n + j]; \
        }                                                                                              \
        return 0;                                                                                      \
    }
POLAR(float, sqrtf, forward_f32, vjp_f32, true)
POLAR(double, sqrt, forward_f64, vjp_f64, false)

static const tg_custom_op polar_op = {"polar", forward_f32, vjp_f32, forward_f64, vjp_f64};

#endif
