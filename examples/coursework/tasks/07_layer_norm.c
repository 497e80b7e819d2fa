/* 07 Layer normalisation of each row x of X (n, m), with weight w (m) and bias b (m).
 *
 *   mean = 1/m sum_j x[j]      var = 1/m sum_j (x[j] - mean)^2      r = 1 / sqrt(var + eps)
 *   u[j] = (x[j] - mean) r     y[j] = u[j] w[j] + b[j]
 */
/* --- variant 0 */
/* --- variant 1
// Your variant: y[j] = u[j] (1 + w[j]) + b[j], so that w = 0 changes nothing.
--- end */
#include "coursework.h"

/* u and r of one row. */
static double normalise(const double *x, int64_t m, double eps, double *u) {
    double mean = 0, var = 0;
    for (int64_t j = 0; j < m; j++)
        mean += x[j] / (double)m;
    for (int64_t j = 0; j < m; j++)
        var += (x[j] - mean) * (x[j] - mean) / (double)m;
    double r = 1 / sqrt(var + eps);
    for (int64_t j = 0; j < m; j++)
        u[j] = (x[j] - mean) * r;
    return r;
}

static int layer_norm_forward(const tg_call *c) {
    int64_t n = c->input_shape[0].size[0], m = c->input_shape[0].size[1];
    const double *X = c->input[0], *w = c->input[1], *b = c->input[2], *eps = c->context;
    double *Y = c->output;
    for (int64_t i = 0; i < n; i++) {
        normalise(X + i * m, m, eps[0], Y + i * m);
        for (int64_t j = 0; j < m; j++)
            /* --- variant 0 */
            Y[i * m + j] = Y[i * m + j] * w[j] + b[j];
        /* --- variant 1
        Y[i * m + j] = Y[i * m + j] * (1 + w[j]) + b[j];
        --- end */
    }
    return 0;
}

static int layer_norm_vjp(const tg_call *c) {
    int64_t n = c->input_shape[0].size[0], m = c->input_shape[0].size[1];
    const double *X = c->input[0], *w = c->input[1], *eps = c->context, *dY = c->output_grad;
    double *dX = c->input_grad[0], *dw = c->input_grad[1], *db = c->input_grad[2];
    double *U = course_keep("u", n, m), *dU = course_keep("du", n, m);
    for (int64_t i = 0; i < n; i++) {
        const double *dy = dY + i * m;
        double *u = U + i * m, *du = dU + i * m, *dx = dX + i * m;
        double r = normalise(X + i * m, m, eps[0], u);
        /* --- solution */
        double mean_du = 0, mean_du_u = 0;
        for (int64_t j = 0; j < m; j++) {
            dw[j] += dy[j] * u[j];
            db[j] += dy[j];
            /* --- variant 0 */
            du[j] = dy[j] * w[j];
            /* --- variant 1
            du[j] = dy[j] * (1 + w[j]);
            --- end */
            mean_du += du[j] / (double)m;
            mean_du_u += du[j] * u[j] / (double)m;
        }
        for (int64_t j = 0; j < m; j++)
            dx[j] += r * (du[j] - mean_du - u[j] * mean_du_u);
        /* --- student
        (void)w, (void)dy, (void)dw, (void)db; // delete this line;
        (void)u, (void)du, (void)dx, (void)r;  // and this one; add to dw and db, fill du, add to dx
        --- */
    }
    return 0;
}

const tg_custom_op layer_norm_op = {"layer_norm", NULL, NULL, layer_norm_forward, layer_norm_vjp};
