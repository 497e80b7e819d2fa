/* Task 01. */
#include "operations.h"

/* ---- 01: the variants multiply by 1, 2, 3 ---- */

static const op_case scalars2[] = {
    {{SHAPE(1), SHAPE(1)}, {0}, 0}, {{SHAPE(1), SHAPE(1)}, {0}, 0}, {{SHAPE(1), SHAPE(1)}, {0}, 0}};
static const op_case scalars1[] = {{{SHAPE(1)}, {0}, 0}, {{SHAPE(1)}, {0}, 0}, {{SHAPE(1)}, {0}, 0}};

static tg_tensor product(const tg_tensor *x, const how *h) { return tg_mul_scalar(tg_mul(x[0], x[1]), 1 + h->variant); }

const op_spec product_spec = {.symbol = "product_op",
                              .result = "y",
                              .operand = {"a", "b"},
                              .kind = "ff",
                              CASES(scalars2),
                              .reference = product,
                              .hard = scalars2,
                              .harden = hide_operand};

/* sin(x^2), cos(x^2), sin(x^3) */
static tg_tensor curve(const tg_tensor *x, const how *h) {
    int power = h->variant == 2 ? 3 : 2;
    tg_tensor (*outer)(tg_tensor) = h->variant == 1 ? tg_cos : tg_sin;
    tg_tensor u = power == 3 ? tg_mul(tg_square(x[0]), x[0]) : tg_square(x[0]);
    tg_tensor y = outer(h->fault == 1 ? with_gradient_of(u, x[0]) : u);
    tg_tensor inner = with_gradient_of(u, x[0]); /* du/dx left out */
    switch (h->fault) {
    case 2: return with_gradient_of(y, u);
    case 3: return with_gradient_of(y, outer(x[0]));
    case 4: return with_gradient_of(y, outer(with_gradient_of(tg_mul_scalar(x[0], power), x[0])));
    case 5: return with_gradient_of(y, outer(tg_mul_scalar(x[0], power)));
    case 6: return with_gradient_of(y, tg_mul(u, tg_detach(y)));
    case 7: return with_gradient_of(y, outer(scaled_gradient(inner, power)));
    default: return y;
    }
}

/* The angle x^n as the sum of two doubles, of which the first is the nearest one to it: x^2 = p + e and
 * x^3 = p x + e x = q + f + e x, with the errors e, f of the products by fma. */
static void exact_power(double x, int power, double *angle, double *rest) {
    double p = x * x, e = fma(x, x, -p), q = power == 3 ? p * x : p;
    double all = power == 3 ? fma(p, x, -q) + e * x : e;
    *angle = q + all;
    *rest = (q - *angle) + all;
}

/* The outer derivative taken of the angle as it is, of the nearest double to it, and of the nearest on its other side:
 * pow() and products in another order give one or the other. */
static tg_tensor curve_with_angle(const tg_tensor *x, const how *h) {
    int power = h->variant == 2 ? 3 : 2;
    double at = tg_item(x[0]), angle, rest;
    exact_power(at, power, &angle, &rest);
    if (h->way == 2)
        angle = nextafter(angle, rest > 0 ? INFINITY : -INFINITY);
    if (h->way)
        rest = 0;
    double c = cos(angle) * cos(rest) - sin(angle) * sin(rest), s = sin(angle) * cos(rest) + cos(angle) * sin(rest);
    return tg_mul_scalar(x[0], power * (power == 3 ? at * at : at) * (h->variant == 1 ? -s : c));
}

/* So far from 0 that from a double to the next the angle turns by a hundredth and more, a thousandfold of what is
 * tolerated; and not where sine or cosine is nearly 0, where the rounding of the angle would be all of it. */
static void make_steep(double *const *x, const tg_shape *shape, int operand, int variant) {
    (void)shape, (void)operand;
    double at = (variant == 2 ? 5e4 : 1e7) * (1 + 0.5 * fabs(sin(x[0][0])));
    while (fabs(sin(2 * pow(at, variant == 2 ? 3 : 2))) < 0.8)
        at *= 1.001;
    x[0][0] = at;
}

const op_spec curve_spec = {
    .symbol = "sin_square_op",
    .result = "y",
    .operand = {"x"},
    .kind = "f",
    CASES(scalars1),
    .reference = curve,
    .hard = scalars1,
    .harden = make_steep,
    .other_way = curve_with_angle,
    .n_ways = 3,
    FAULTS("inner derivative forgotten: the chain rule multiplies by the derivative of the power as well",
           "outer derivative forgotten: the chain rule multiplies by the derivative of the outer function as well",
           "derivative at the wrong place: the outer derivative is taken of x, it is to be taken of the power of x",
           "derivative at the wrong place: the outer derivative is taken of the inner derivative, it is to be taken of "
           "the power of x; and the inner derivative is a factor",
           "derivative at the wrong place: the outer derivative is taken of the inner derivative, it is to be taken of "
           "the power of x",
           "outer function not differentiated: it stands there as in forward",
           "inner derivative incomplete: x^n has n x^(n-1), not n")};

/* 1 / (1 + e^-kx), k = 1, 2, 3 */
static tg_tensor sigmoid(const tg_tensor *x, const how *h) {
    double k = 1 + h->variant;
    tg_tensor y = tg_sigmoid(tg_mul_scalar(x[0], k)), u = tg_mul_scalar(tg_detach(x[0]), k), v = tg_detach(y);
    tg_tensor kx = tg_mul_scalar(x[0], k);
    switch (h->fault) {
    case 1: return with_gradient_of(y, tg_mul(kx, tg_mul(tg_detach(x[0]), tg_rsub_scalar(1, tg_detach(x[0])))));
    case 2: return with_gradient_of(y, tg_mul(kx, v));
    case 3: return with_gradient_of(y, tg_mul(kx, tg_rsub_scalar(1, v)));
    case 4: return h->variant ? with_gradient_of(y, tg_mul(x[0], tg_mul(v, tg_rsub_scalar(1, v)))) : tg_mul(y, u);
    default: return y;
    }
}

/* k dy e / (1 + e)^2 with e = e^-kx: the gradient from x, without y. */
static tg_tensor sigmoid_from_x(const tg_tensor *x, const how *h) {
    return tg_rdiv_scalar(1, tg_add_scalar(tg_exp(tg_mul_scalar(x[0], -1.0 - h->variant)), 1));
}

/* e^-kx is 1.5e-12 to 1.9e-12, so a rounding of a number about 1 by one unit in the last place (1.1e-16) moves 1 - y by
 * 6e-5 to 8e-5 of it: y (1 - y) and the gradient from x differ by that, y - y^2 or e / (1 + e) - e^2 / (1 + e)^2 with
 * its four roundings by 3e-4; but differences of y with a small step by more from rounding, and with a large one from
 * curvature. */
static void make_flat(double *const *x, const tg_shape *shape, int operand, int variant) {
    (void)shape, (void)operand;
    x[0][0] = (27 + 0.25 * fabs(sin(x[0][0]))) / (1 + variant);
}

const op_spec sigmoid_spec = {
    .symbol = "sigmoid_op",
    .result = "y",
    .operand = {"x"},
    .kind = "f",
    CASES(scalars1),
    .reference = sigmoid,
    .hard = scalars1,
    .harden = make_flat,
    .hard_tolerance = 4e-4,
    .other_way = sigmoid_from_x,
    .n_ways = 1,
    FAULTS("input in place of output: y (1 - y), with y the result and not the input",
           "factor forgotten: dy y, without (1 - y)", "factor forgotten: dy (1 - y), without y",
           "inner derivative forgotten: the exponent's factor is one of the gradient as well")};
