/* 02 The matrix product: Y = A B, with A (n, k), B (k, m), Y (n, m), all row-major: A[i][l] is A[i * k + l].
 *
 *   Y[i][j] = sum_l A[i][l] B[l][j]
 */
/* --- variant 0 */
/* --- variant 1
// Your variant: B is stored transposed, B (m, k), so that Y = A B^T: Y[i][j] = sum_l A[i][l] B[j][l]. dB is
// stored as B is.
--- variant 2
// Your variant: A is stored transposed, A (k, n), so that Y = A^T B: Y[i][j] = sum_l A[l][i] B[l][j]. dA is
// stored as A is.
--- end */
#include "coursework.h"

static int matmul_forward(const tg_call *c) {
    /* --- variant 0 */
    int64_t n = c->input_shape[0].size[0], k = c->input_shape[0].size[1], m = c->input_shape[1].size[1];
    /* --- variant 1
    int64_t n = c->input_shape[0].size[0], k = c->input_shape[0].size[1], m = c->input_shape[1].size[0];
    --- variant 2
    int64_t n = c->input_shape[0].size[1], k = c->input_shape[0].size[0], m = c->input_shape[1].size[1];
    --- end */
    const double *A = c->input[0], *B = c->input[1];
    double *Y = c->output;
    /* --- solution */
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < m; j++) {
            double sum = 0;
            for (int64_t l = 0; l < k; l++)
                /* --- variant 0 */
                sum += A[i * k + l] * B[l * m + j];
            /* --- variant 1
            sum += A[i * k + l] * B[j * k + l];
            --- variant 2
            sum += A[l * n + i] * B[l * m + j];
            --- end */
            Y[i * m + j] = sum;
        }
    /* --- student
    (void)n, (void)k, (void)m, (void)A, (void)B, (void)Y; // delete this line; fill Y
    --- */
    return 0;
}

static int matmul_vjp(const tg_call *c) {
    /* --- variant 0 */
    int64_t n = c->input_shape[0].size[0], k = c->input_shape[0].size[1], m = c->input_shape[1].size[1];
    /* --- variant 1
    int64_t n = c->input_shape[0].size[0], k = c->input_shape[0].size[1], m = c->input_shape[1].size[0];
    --- variant 2
    int64_t n = c->input_shape[0].size[1], k = c->input_shape[0].size[0], m = c->input_shape[1].size[1];
    --- end */
    const double *A = c->input[0], *B = c->input[1], *dY = c->output_grad;
    double *dA = c->input_grad[0], *dB = c->input_grad[1];
    /* --- solution */
    for (int64_t i = 0; i < n; i++)
        for (int64_t l = 0; l < k; l++)
            for (int64_t j = 0; j < m; j++) {
                /* --- variant 0 */
                dA[i * k + l] += dY[i * m + j] * B[l * m + j];
                dB[l * m + j] += A[i * k + l] * dY[i * m + j];
                /* --- variant 1
                dA[i * k + l] += dY[i * m + j] * B[j * k + l];
                dB[j * k + l] += A[i * k + l] * dY[i * m + j];
                --- variant 2
                dA[l * n + i] += dY[i * m + j] * B[l * m + j];
                dB[l * m + j] += A[l * n + i] * dY[i * m + j];
                --- end */
            }
    /* --- student
    (void)n, (void)k, (void)m, (void)A, (void)B, (void)dY; // delete this line;
    --- variant 0
    (void)dA, (void)dB;                                    // and this one; add to dA (n, k) and to dB (k, m)
    --- variant 1
    (void)dA, (void)dB;                                    // and this one; add to dA (n, k) and to dB (m, k)
    --- variant 2
    (void)dA, (void)dB;                                    // and this one; add to dA (k, n) and to dB (k, m)
    --- end
    --- */
    return 0;
}

const tg_custom_op matmul_op = {"matmul", NULL, NULL, matmul_forward, matmul_vjp};
