/* 21 RMS normalisation of each row x of X (n, m), with weight w (m).
 *
 *   r = 1 / sqrt(1/m sum_j x[j]^2 + eps)      u[j] = x[j] r      y[j] = u[j] w[j]
 */
#include "coursework.h"

/* u and r of one row. */
static double normalise(const double *x, int64_t m, double eps, double *u) {
    double square = 0;
    for (int64_t j = 0; j < m; j++)
        square += x[j] * x[j] / (double)m;
    double r = 1 / sqrt(square + eps);
    for (int64_t j = 0; j < m; j++)
        u[j] = x[j] * r;
    return r;
}

static int rms_norm_forward(const tg_call *c) {
    int64_t n = c->input_shape[0].size[0], m = c->input_shape[0].size[1];
    const double *X = c->input[0], *w = c->input[1], *eps = c->context;
    double *Y = c->output;
    /* --- solution */
    for (int64_t i = 0; i < n; i++) {
        normalise(X + i * m, m, eps[0], Y + i * m);
        for (int64_t j = 0; j < m; j++)
            Y[i * m + j] *= w[j];
    }
    /* --- student
    (void)n, (void)m, (void)X, (void)w, (void)eps, (void)Y, (void)normalise; // delete this line; fill Y
    --- */
    return 0;
}

static int rms_norm_vjp(const tg_call *c) {
    int64_t n = c->input_shape[0].size[0], m = c->input_shape[0].size[1];
    const double *X = c->input[0], *w = c->input[1], *eps = c->context, *dY = c->output_grad;
    double *dX = c->input_grad[0], *dw = c->input_grad[1];
    double *U = course_keep("u", n, m), *dU = course_keep("du", n, m);
    for (int64_t i = 0; i < n; i++) {
        const double *dy = dY + i * m;
        double *u = U + i * m, *du = dU + i * m, *dx = dX + i * m, r = normalise(X + i * m, m, eps[0], u);
        /* --- solution */
        double mean_du_u = 0;
        for (int64_t j = 0; j < m; j++) {
            dw[j] += dy[j] * u[j];
            du[j] = dy[j] * w[j];
            mean_du_u += du[j] * u[j] / (double)m;
        }
        for (int64_t j = 0; j < m; j++)
            dx[j] += r * (du[j] - u[j] * mean_du_u);
        /* --- student
        (void)w, (void)dy, (void)dw, (void)u; // delete this line;
        (void)du, (void)dx, (void)r;          // and this one; add to dw, fill du, add to dx
        --- */
    }
    return 0;
}

const tg_custom_op rms_norm_op = {"rms_norm", NULL, NULL, rms_norm_forward, rms_norm_vjp};
