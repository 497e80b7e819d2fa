/* 20 Hessian-vector products: gradients of gradients. 20_hessian_vector.md explains.
 *
 * Here the forwards compute gradients: what the VJPs of an elementwise function and of softmax give is Y now. Their own
 * VJPs are second derivatives.
 */
#include "coursework.h"

/* --- variant 0 */
/* dx = dy (1 - t^2) with t = tanh(x): what the VJP of tanh gives, as a function of x and dy. */
/* --- variant 1
// Your variant: dx = dy cos(x), what the VJP of sin gives, as a function of x and dy.
--- end */
static int curve_grad_forward(const tg_call *c) {
    const double *x = c->input[0], *dy = c->input[1];
    double *dx = c->output;
    for (int64_t j = 0; j < c->input_shape[0].size[0]; j++)
        /* --- variant 0 */
        dx[j] = dy[j] * (1 - tanh(x[j]) * tanh(x[j]));
    /* --- variant 1
    dx[j] = dy[j] * cos(x[j]);
    --- end */
    return 0;
}

/* v = c->output_grad has the shape of dx. Hv, the gradient of <v, dx> with respect to x, is the Hessian of <dy, y>
 * times v; Jv, that with respect to dy, is the Jacobian times v. */
static int curve_grad_vjp(const tg_call *c) {
    const double *x = c->input[0], *dy = c->input[1], *v = c->output_grad;
    double *Hv = c->input_grad[0], *Jv = c->input_grad[1];
    for (int64_t j = 0; j < c->input_shape[0].size[0]; j++) {
        /* --- solution */
        /* --- variant 0 */
        double t = tanh(x[j]), slope = 1 - t * t;
        Jv[j] += v[j] * slope;
        Hv[j] += v[j] * dy[j] * -2 * t * slope;
        /* --- variant 1
        double slope = cos(x[j]);
        Jv[j] += v[j] * slope;
        Hv[j] -= v[j] * dy[j] * sin(x[j]);
        --- end */
        /* --- student
        (void)x, (void)dy, (void)v, (void)Hv, (void)Jv; // delete this line; add to Hv[j] and to Jv[j]
        --- */
    }
    return 0;
}

/* y = the softmax of a row of X. */
static void softmax_row(const double *x, int64_t m, double *y) {
    double max = x[0], sum = 0;
    for (int64_t j = 1; j < m; j++)
        max = fmax(max, x[j]);
    for (int64_t j = 0; j < m; j++)
        /* --- variant 0 */
        sum += y[j] = exp(x[j] - max);
    /* --- variant 1
    sum += y[j] = exp(2 * (x[j] - max));
    --- end */
    for (int64_t j = 0; j < m; j++)
        y[j] /= sum;
}

/* --- variant 0 */
/* dX = Y (dY - sum Y dY), row by row, with Y = softmax(X): what task 04 computes, as a function of X and dY. A row has
 * at most MOST elements. */
/* --- variant 1
// Your variant: Y = softmax(2 X), so dX = 2 Y (dY - sum Y dY), row by row, as a function of X and dY. A row has at most
// MOST elements.
--- end */
enum { MOST = 64 };
static int softmax_grad_forward(const tg_call *c) {
    int64_t n = c->input_shape[0].size[0], m = c->input_shape[0].size[1];
    for (int64_t i = 0; i < n; i++) {
        const double *x = (const double *)c->input[0] + i * m, *dy = (const double *)c->input[1] + i * m;
        double *dx = (double *)c->output + i * m, y[MOST], dot = 0;
        softmax_row(x, m, y);
        for (int64_t j = 0; j < m; j++)
            dot += y[j] * dy[j];
        for (int64_t j = 0; j < m; j++)
            /* --- variant 0 */
            dx[j] = y[j] * (dy[j] - dot);
        /* --- variant 1
        dx[j] = 2 * y[j] * (dy[j] - dot);
        --- end */
    }
    return 0;
}

static int softmax_grad_vjp(const tg_call *c) {
    int64_t n = c->input_shape[0].size[0], m = c->input_shape[0].size[1];
    for (int64_t i = 0; i < n; i++) {
        const double *x = (const double *)c->input[0] + i * m, *dy = (const double *)c->input[1] + i * m;
        const double *v = (const double *)c->output_grad + i * m;
        double *Hv = (double *)c->input_grad[0] + i * m, *Jv = (double *)c->input_grad[1] + i * m, y[MOST];
        softmax_row(x, m, y);
        /* --- solution */
        double y_dy = 0, y_v = 0, e[MOST], y_e = 0;
        /* --- variant 0 */
        double factor = 1;
        /* --- variant 1
        double factor = 2;
        --- end */
        for (int64_t j = 0; j < m; j++) {
            y_dy += y[j] * dy[j];
            y_v += y[j] * v[j];
        }
        for (int64_t j = 0; j < m; j++) {
            Jv[j] += factor * y[j] * (v[j] - y_v);
            e[j] = v[j] * (dy[j] - y_dy) - y_v * dy[j]; /* the derivative by y[j] */
            y_e += y[j] * e[j];
        }
        for (int64_t j = 0; j < m; j++)
            Hv[j] += factor * factor * y[j] * (e[j] - y_e);
        /* --- student
        (void)dy, (void)v, (void)Hv, (void)Jv; // delete this line; add to Hv[0] ... Hv[m - 1] and to Jv
        --- */
    }
    return 0;
}

const tg_custom_op curve_grad_op = {"curve_grad", NULL, NULL, curve_grad_forward, curve_grad_vjp};
const tg_custom_op softmax_grad_op = {"softmax_grad", NULL, NULL, softmax_grad_forward, softmax_grad_vjp};
