/* 03 Broadcasting: one number used in many places.
 *
 *   add_row:    Y[i][j] = X[i][j] + b[j]      X (n, m), b (m): the row b is added to every row of X
 *   scale_rows: Y[i][j] = X[i][j] s[i]        X (n, m), s (n, 1): row i of X is multiplied by s[i]
 */
/* --- variant 0 */
/* --- variant 1
// Your variant: Y = X - b for every row, and Y = X s / 2.
--- variant 2
// Your variant: Y = X + 2 b for every row, and Y = 3 X s.
--- end */
#include "coursework.h"

static int add_row_forward(const tg_call *c) {
    int64_t n = c->input_shape[0].size[0], m = c->input_shape[0].size[1];
    const double *X = c->input[0], *b = c->input[1];
    double *Y = c->output;
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < m; j++)
            /* --- variant 0 */
            Y[i * m + j] = X[i * m + j] + b[j];
    /* --- variant 1
    Y[i * m + j] = X[i * m + j] - b[j];
    --- variant 2
    Y[i * m + j] = X[i * m + j] + 2 * b[j];
    --- end */
    return 0;
}

static int add_row_vjp(const tg_call *c) {
    int64_t n = c->input_shape[0].size[0], m = c->input_shape[0].size[1];
    const double *dY = c->output_grad;
    double *dX = c->input_grad[0], *db = c->input_grad[1];
    /* --- solution */
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < m; j++) {
            dX[i * m + j] += dY[i * m + j];
            /* --- variant 0 */
            db[j] += dY[i * m + j];
            /* --- variant 1
            db[j] -= dY[i * m + j];
            --- variant 2
            db[j] += 2 * dY[i * m + j];
            --- end */
        }
    /* --- student
    (void)n, (void)m, (void)dY, (void)dX, (void)db; // delete this line; add to dX (n, m) and to db (m)
    --- */
    return 0;
}

static int scale_rows_forward(const tg_call *c) {
    int64_t n = c->input_shape[0].size[0], m = c->input_shape[0].size[1];
    const double *X = c->input[0], *s = c->input[1];
    double *Y = c->output;
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < m; j++)
            /* --- variant 0 */
            Y[i * m + j] = X[i * m + j] * s[i];
    /* --- variant 1
    Y[i * m + j] = X[i * m + j] * s[i] / 2;
    --- variant 2
    Y[i * m + j] = 3 * X[i * m + j] * s[i];
    --- end */
    return 0;
}

static int scale_rows_vjp(const tg_call *c) {
    int64_t n = c->input_shape[0].size[0], m = c->input_shape[0].size[1];
    const double *X = c->input[0], *s = c->input[1], *dY = c->output_grad;
    double *dX = c->input_grad[0], *ds = c->input_grad[1];
    /* --- solution */
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < m; j++) {
            /* --- variant 0 */
            dX[i * m + j] += dY[i * m + j] * s[i];
            ds[i] += dY[i * m + j] * X[i * m + j];
            /* --- variant 1
            dX[i * m + j] += dY[i * m + j] * s[i] / 2;
            ds[i] += dY[i * m + j] * X[i * m + j] / 2;
            --- variant 2
            dX[i * m + j] += 3 * dY[i * m + j] * s[i];
            ds[i] += 3 * dY[i * m + j] * X[i * m + j];
            --- end */
        }
    /* --- student
    (void)n, (void)m, (void)X, (void)s, (void)dY; // delete this line;
    (void)dX, (void)ds;                           // and this one; add to dX (n, m) and to ds (n, 1)
    --- */
    return 0;
}

const tg_custom_op add_row_op = {"add_row", NULL, NULL, add_row_forward, add_row_vjp};
const tg_custom_op scale_rows_op = {"scale_rows", NULL, NULL, scale_rows_forward, scale_rows_vjp};
