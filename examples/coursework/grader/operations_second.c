/* Task 20: the VJPs of tanh (or sin) and of softmax (of X or 2 X), as operations. */
#include "operations.h"

static const op_case curve_cases[] = {
    {{SHAPE(6), SHAPE(6)}, {0}, 0}, {{SHAPE(1), SHAPE(1)}, {0}, 0}, {{SHAPE(5), SHAPE(5)}, {0}, 2}};
static const op_case softmax_cases[] = {{{SHAPE(3, 5), SHAPE(3, 5)}, {0}, 0},
                                        {{SHAPE(4, 4), SHAPE(4, 4)}, {0}, 0},
                                        {{SHAPE(1, 3), SHAPE(1, 3)}, {0}, 0},
                                        {{SHAPE(5, 2), SHAPE(5, 2)}, {0}, 0},
                                        {{SHAPE(3, 1), SHAPE(3, 1)}, {0}, 0}};

/* ---- an elementwise function ---- */

static tg_tensor slope_of(tg_tensor y) { return tg_rsub_scalar(1, tg_square(y)); }

static tg_tensor curve_grad(const tg_tensor *x, const how *h) {
    tg_tensor y = tg_tanh(x[0]), slope = h->variant == 1 ? tg_cos(x[0]) : slope_of(y), dx = tg_mul(x[1], slope);
    switch (h->fault) {
    case 1: return h->variant == 1 ? dx : with_gradient_of(dx, tg_mul(x[1], slope_of(with_gradient_of(y, x[0]))));
    case 2: return with_gradient_of(dx, slope);
    case 3: return with_gradient_of(dx, tg_mul(tg_mul(x[0], x[1]), tg_detach(slope)));
    default: return dx;
    }
}

/* The slope of tanh from x, without y: 4 / (e^x + e^-x)^2. That of sin, cos x, has one formula only. */
static tg_tensor curve_grad_from_x(const tg_tensor *x, const how *h) {
    tg_tensor sum = tg_add(tg_exp(x[0]), tg_exp(tg_neg(x[0])));
    return h->variant == 1 ? curve_grad(x, h) : tg_mul(x[1], tg_rdiv_scalar(4, tg_square(sum)));
}

/* tanh as flat as the sigmoid of task 01, whose slope at 2x it has: there are two right answers; cos between whose
 * neighbours the angle turns; on dy, in which dx is linear, nothing depends. */
static void make_curve_unfit(double *const *x, const tg_shape *shape, int operand, int variant) {
    if (operand == 1)
        hide_operand(x, shape, operand, variant);
    for (int64_t j = 0; j < numel_of(shape[0]) && operand == 0; j++)
        x[0][j] = variant == 1 ? 1e15 * (1 + 0.5 * fabs(sin(x[0][j]))) : (27 + 0.25 * fabs(sin(x[0][j]))) / 2;
}

const op_spec curve_grad_spec = {
    .symbol = "curve_grad_op",
    .result = "dx",
    .arrives = "v",
    .operand = {"x", "dy"},
    .kind = "ff",
    CASES(curve_cases),
    .reference = curve_grad,
    .hard = curve_cases,
    .harden = make_curve_unfit,
    .hard_tolerance = 1e-4,
    .other_way = curve_grad_from_x,
    .n_ways = 1,
    FAULTS("inner derivative forgotten: -2 t is the derivative by t; the chain rule multiplies by 1 - t^2 as well",
           "dy forgotten: dx has the factor dy, and so has its derivative by x",
           "not differentiated again: this is dx with v in the place of dy, and dy beside it")};

/* ---- softmax ---- */

static tg_tensor sum_last(tg_tensor x) { return tg_sum(x, TG_DIMS(-1), true); }

/* k y (dy - sum y dy), with y in front and y and dy in the sum as they are given */
static tg_tensor vjp_of(double k, tg_tensor front, tg_tensor dy, tg_tensor inside, tg_tensor inside_dy) {
    return tg_mul_scalar(tg_mul(front, tg_sub(dy, sum_last(tg_mul(inside, inside_dy)))), k);
}

static tg_tensor softmax_grad(const tg_tensor *x, const how *h) {
    double k = 1 + h->variant;
    tg_tensor y = tg_softmax(tg_mul_scalar(x[0], k), -1), fixed = tg_detach(y), dy = x[1];
    tg_tensor plain = with_gradient_of(y, x[0]), dx = vjp_of(k, y, dy, y, dy);
    switch (h->fault) {
    case 1: return with_gradient_of(dx, vjp_of(k, y, dy, fixed, dy));
    case 2: return with_gradient_of(dx, vjp_of(k, fixed, dy, y, dy));
    case 3: return with_gradient_of(dx, vjp_of(k, plain, dy, plain, dy));
    case 4: return with_gradient_of(dx, vjp_of(k, y, dy, y, tg_detach(dy)));
    case 5: return scaled_gradient(dx, 1 / k);
    default: return dx;
    }
}

/* As in task 04: the last of every row so small that its weight is lost in the others' rounding. */
static void make_softmax_unfit(double *const *x, const tg_shape *shape, int operand, int variant) {
    int64_t n = shape[0].size[0], m = shape[0].size[1];
    if (operand == 1)
        hide_operand(x, shape, operand, variant);
    for (int64_t i = 0; i < n && operand == 0; i++)
        x[0][i * m + m - 1] -= 90.0 / (1 + variant);
}

const op_spec softmax_grad_spec = {
    .symbol = "softmax_grad_op",
    .result = "dX",
    .arrives = "v",
    .operand = {"X", "dY"},
    .kind = "ff",
    CASES(softmax_cases),
    .reference = softmax_grad,
    .hard = softmax_cases,
    .harden = make_softmax_unfit,
    FAULTS("Y in the sum not differentiated: Y stands twice in dX, in front and in the sum",
           "Y in front not differentiated: Y stands twice in dX, in front and in the sum",
           "softmax not differentiated: this is the derivative by Y; from Y to X it goes on as in task 04",
           "sum of dY not differentiated: every dX of a row depends on every dY of it",
           "inner derivative forgotten: the factor of X is one of dX already, and comes again for Hv")};
