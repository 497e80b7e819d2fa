/* 01 The chain rule on scalars. Fill in the three vjp functions; 01_chain_rule.md explains.
 *
 * Every operation knows one thing: given dy = dloss/dy, what it adds to dx = dloss/dx of each of its inputs.
 */
#include "coursework.h"

/* --- variant 0 */
/* y = a b */
/* --- variant 1
// y = 2 a b
--- variant 2
// y = 3 a b
--- end */
static int product_forward(const tg_call *c) {
    const double *a = c->input[0], *b = c->input[1];
    double *y = c->output;
    /* --- variant 0 */
    y[0] = a[0] * b[0];
    /* --- variant 1
    y[0] = 2 * a[0] * b[0];
    --- variant 2
    y[0] = 3 * a[0] * b[0];
    --- end */
    return 0;
}

static int product_vjp(const tg_call *c) {
    const double *a = c->input[0], *b = c->input[1], *dy = c->output_grad;
    double *da = c->input_grad[0], *db = c->input_grad[1];
    /* --- solution */
    /* --- variant 0 */
    da[0] += dy[0] * b[0];
    db[0] += dy[0] * a[0];
    /* --- variant 1
    da[0] += dy[0] * 2 * b[0];
    db[0] += dy[0] * 2 * a[0];
    --- variant 2
    da[0] += dy[0] * 3 * b[0];
    db[0] += dy[0] * 3 * a[0];
    --- end */
    /* --- student
    (void)a, (void)b, (void)dy, (void)da, (void)db; // delete this line; add to da[0] and to db[0]
    --- */
    return 0;
}

/* --- variant 0 */
/* y = sin(x^2) */
/* --- variant 1
// y = cos(x^2)
--- variant 2
// y = sin(x^3)
--- end */
static int sin_square_forward(const tg_call *c) {
    const double *x = c->input[0];
    double *y = c->output;
    /* --- variant 0 */
    y[0] = sin(x[0] * x[0]);
    /* --- variant 1
    y[0] = cos(x[0] * x[0]);
    --- variant 2
    y[0] = sin(x[0] * x[0] * x[0]);
    --- end */
    return 0;
}

static int sin_square_vjp(const tg_call *c) {
    const double *x = c->input[0], *dy = c->output_grad;
    double *dx = c->input_grad[0];
    /* --- solution */
    /* --- variant 0 */
    dx[0] += dy[0] * cos(x[0] * x[0]) * 2 * x[0];
    /* --- variant 1
    dx[0] -= dy[0] * sin(x[0] * x[0]) * 2 * x[0];
    --- variant 2
    dx[0] += dy[0] * cos(x[0] * x[0] * x[0]) * 3 * x[0] * x[0];
    --- end */
    /* --- student
    (void)x, (void)dy, (void)dx; // delete this line; add to dx[0]
    --- */
    return 0;
}

/* --- variant 0 */
/* y = 1 / (1 + e^-x) */
/* --- variant 1
// y = 1 / (1 + e^(-2x))
--- variant 2
// y = 1 / (1 + e^(-3x))
--- end */
static int sigmoid_forward(const tg_call *c) {
    const double *x = c->input[0];
    double *y = c->output;
    /* --- variant 0 */
    y[0] = 1 / (1 + exp(-x[0]));
    /* --- variant 1
    y[0] = 1 / (1 + exp(-2 * x[0]));
    --- variant 2
    y[0] = 1 / (1 + exp(-3 * x[0]));
    --- end */
    return 0;
}

/* Without another exp(): y, which forward left in c->output, is all it needs. */
static int sigmoid_vjp(const tg_call *c) {
    const double *y = c->output, *dy = c->output_grad;
    double *dx = c->input_grad[0];
    /* --- solution */
    /* --- variant 0 */
    dx[0] += dy[0] * y[0] * (1 - y[0]);
    /* --- variant 1
    dx[0] += dy[0] * 2 * y[0] * (1 - y[0]);
    --- variant 2
    dx[0] += dy[0] * 3 * y[0] * (1 - y[0]);
    --- end */
    /* --- student
    (void)y, (void)dy, (void)dx; // delete this line; add to dx[0]
    --- */
    return 0;
}

const tg_custom_op product_op = {"product", NULL, NULL, product_forward, product_vjp};
const tg_custom_op sin_square_op = {"sin_square", NULL, NULL, sin_square_forward, sin_square_vjp};
const tg_custom_op sigmoid_op = {"sigmoid", NULL, NULL, sigmoid_forward, sigmoid_vjp};
