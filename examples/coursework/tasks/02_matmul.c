/* 02 The matrix product: Y = A B, with A (n, k), B (k, m), Y (n, m), all row-major: A[i][l] is A[i * k + l].
 *
 *   Y[i][j] = sum_l A[i][l] B[l][j]
 */
#include "coursework.h"

static int matmul_forward(const tg_call *c) {
    int64_t n = c->input_shape[0].size[0], k = c->input_shape[0].size[1], m = c->input_shape[1].size[1];
    const double *A = c->input[0], *B = c->input[1];
    double *Y = c->output;
    /* --- solution */
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < m; j++) {
            double sum = 0;
            for (int64_t l = 0; l < k; l++)
                sum += A[i * k + l] * B[l * m + j];
            Y[i * m + j] = sum;
        }
    /* --- student
    (void)n, (void)k, (void)m, (void)A, (void)B, (void)Y; // delete this line; fill Y
    --- */
    return 0;
}

static int matmul_vjp(const tg_call *c) {
    int64_t n = c->input_shape[0].size[0], k = c->input_shape[0].size[1], m = c->input_shape[1].size[1];
    const double *A = c->input[0], *B = c->input[1], *dY = c->output_grad;
    double *dA = c->input_grad[0], *dB = c->input_grad[1];
    /* --- solution */
    for (int64_t i = 0; i < n; i++)
        for (int64_t l = 0; l < k; l++)
            for (int64_t j = 0; j < m; j++) {
                dA[i * k + l] += dY[i * m + j] * B[l * m + j];
                dB[l * m + j] += A[i * k + l] * dY[i * m + j];
            }
    /* --- student
    (void)n, (void)k, (void)m, (void)A, (void)B, (void)dY; // delete this line;
    (void)dA, (void)dB;                                    // and this one; add to dA (n, k) and to dB (k, m)
    --- */
    return 0;
}

const tg_custom_op matmul_op = {"matmul", NULL, NULL, matmul_forward, matmul_vjp};
