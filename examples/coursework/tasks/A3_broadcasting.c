/* A3 Broadcasting and its undoing, for any shapes: Y = A + B and Y = A B, where A and B are stretched to a common
 * shape.
 *
 * The shapes are aligned at their last dims. A dim of size 1, or one that is not there, is stretched: the same element
 * is read again and again. c->output_shape is the common shape.
 */
#include "coursework.h"
/* --- variant 0 */
/* --- variant 1
// Your variant: Y = A - B and Y = 2 A B.
--- end */

/* Where element k of the result, counted row-major in the shape y, is read from in an operand of the shape x. */
static int64_t source(const tg_shape *y, const tg_shape *x, int64_t k) {
    /* --- solution */
    int64_t at = 0, step = 1;
    for (int i = 1; i <= x->ndim; i++) {
        int64_t size = y->size[y->ndim - i], index = k % size;
        k /= size;
        if (x->size[x->ndim - i] > 1)
            at += index * step;
        step *= x->size[x->ndim - i];
    }
    return at;
    /* --- student
    (void)y, (void)x, (void)k; // delete these lines
    return 0;
    --- */
}

static int64_t numel(const tg_shape *s) {
    int64_t n = 1;
    for (int i = 0; i < s->ndim; i++)
        n *= s->size[i];
    return n;
}

static int add_forward(const tg_call *c) {
    const double *A = c->input[0], *B = c->input[1];
    double *Y = c->output;
    for (int64_t k = 0; k < numel(c->output_shape); k++) {
        double a = A[source(c->output_shape, &c->input_shape[0], k)],
               b = B[source(c->output_shape, &c->input_shape[1], k)];
        /* --- variant 0 */
        Y[k] = a + b;
        /* --- variant 1
        Y[k] = a - b;
        --- end */
    }
    return 0;
}

static int add_vjp(const tg_call *c) {
    const double *dY = c->output_grad;
    double *dA = c->input_grad[0], *dB = c->input_grad[1];
    /* --- solution */
    for (int64_t k = 0; k < numel(c->output_shape); k++) {
        int64_t i = source(c->output_shape, &c->input_shape[0], k), j = source(c->output_shape, &c->input_shape[1], k);
        dA[i] += dY[k];
        /* --- variant 0 */
        dB[j] += dY[k];
        /* --- variant 1
        dB[j] -= dY[k];
        --- end */
    }
    /* --- student
    (void)dY, (void)dA, (void)dB; // delete this line; add to dA and to dB
    --- */
    return 0;
}

static int mul_forward(const tg_call *c) {
    const double *A = c->input[0], *B = c->input[1];
    double *Y = c->output;
    for (int64_t k = 0; k < numel(c->output_shape); k++) {
        double a = A[source(c->output_shape, &c->input_shape[0], k)],
               b = B[source(c->output_shape, &c->input_shape[1], k)];
        /* --- variant 0 */
        Y[k] = a * b;
        /* --- variant 1
        Y[k] = 2 * a * b;
        --- end */
    }
    return 0;
}

static int mul_vjp(const tg_call *c) {
    const double *A = c->input[0], *B = c->input[1], *dY = c->output_grad;
    double *dA = c->input_grad[0], *dB = c->input_grad[1];
    /* --- solution */
    for (int64_t k = 0; k < numel(c->output_shape); k++) {
        int64_t i = source(c->output_shape, &c->input_shape[0], k), j = source(c->output_shape, &c->input_shape[1], k);
        /* --- variant 0 */
        double dy = dY[k];
        /* --- variant 1
        double dy = 2 * dY[k];
        --- end */
        dA[i] += dy * B[j];
        dB[j] += dy * A[i];
    }
    /* --- student
    (void)A, (void)B, (void)dY, (void)dA, (void)dB; // delete this line; add to dA and to dB
    --- */
    return 0;
}

const tg_custom_op broadcast_add_op = {"broadcast_add", NULL, NULL, add_forward, add_vjp};
const tg_custom_op broadcast_mul_op = {"broadcast_mul", NULL, NULL, mul_forward, mul_vjp};
