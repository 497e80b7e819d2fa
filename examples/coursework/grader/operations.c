/* Tasks 01 to 10 and 13: see operations.h. What a variant asks for is told by the task's page. */
#include "operations.h"

tg_tensor with_gradient_of(tg_tensor y, tg_tensor z) { return tg_add(tg_detach(y), tg_sub(z, tg_detach(z))); }
tg_tensor scaled_gradient(tg_tensor y, double factor) { return with_gradient_of(y, tg_mul_scalar(y, factor)); }

tg_tensor elementwise(tg_tensor x, double (*function)(double), double (*derivative)(double)) {
    enum { MOST = 4096 };
    static double at[MOST], value[MOST], slope[MOST];
    int64_t n = tg_numel(x);
    if (n > MOST || tg_read_doubles(x, at, n))
        return TG_NULL;
    for (int64_t i = 0; i < n; i++) {
        value[i] = function(at[i]);
        slope[i] = derivative(at[i]);
    }
    tg_tensor y = tg_from_doubles(x.tape, tg_shape_of(x), value), k = tg_from_doubles(x.tape, tg_shape_of(x), slope);
    return with_gradient_of(y, tg_mul(x, k));
}

static void fill(double *x, tg_shape shape, double value) {
    for (int64_t i = 0; i < numel_of(shape); i++)
        x[i] = value;
}

/* Bilinear: the gradient of an operand does not depend on that operand, so it may be anything. */
static void hide_operand(double *const *x, const tg_shape *shape, int operand, int variant) {
    (void)variant;
    fill(x[operand], shape[operand], NAN);
}

/* Linear: it depends on none. */
static void hide_all(double *const *x, const tg_shape *shape, int operand, int variant) {
    (void)operand, (void)variant;
    for (int i = 0; i < MAX_INPUTS && x[i]; i++)
        fill(x[i], shape[i], NAN);
}

static void hide_operand_and_bias(double *const *x, const tg_shape *shape, int operand, int variant) {
    hide_operand(x, shape, operand, variant);
    fill(x[2], shape[2], NAN);
}

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

static double plus_sin(double x) { return sin(x); }
static double minus_sin(double x) { return -sin(x); }
static double plus_cos(double x) { return cos(x); }

/* sin(x^2), cos(x^2), sin(x^3) */
static tg_tensor curve(const tg_tensor *x, const how *h) {
    int power = h->variant == 2 ? 3 : 2;
    double (*outer)(double) = h->variant == 1 ? plus_cos : plus_sin,
           (*slope)(double) = h->variant == 1 ? minus_sin : plus_cos;
    tg_tensor u = power == 3 ? tg_mul(tg_square(x[0]), x[0]) : tg_square(x[0]);
    tg_tensor y = elementwise(h->fault == 1 ? with_gradient_of(u, x[0]) : u, outer, slope);
    tg_tensor inner = with_gradient_of(u, x[0]); /* du/dx left out */
    switch (h->fault) {
    case 2: return with_gradient_of(y, u);
    case 3: return with_gradient_of(y, elementwise(x[0], outer, slope));
    case 4: return with_gradient_of(y, elementwise(with_gradient_of(tg_mul_scalar(x[0], power), x[0]), outer, slope));
    case 5: return with_gradient_of(y, elementwise(tg_mul_scalar(x[0], power), outer, slope));
    case 6: return with_gradient_of(y, tg_mul(u, tg_detach(y)));
    case 7: return with_gradient_of(y, elementwise(scaled_gradient(inner, power), outer, slope));
    default: return y;
    }
}

/* So far from 0 that between two doubles the angle x^2 turns by more than a hundredth of a circle. */
static void make_steep(double *const *x, const tg_shape *shape, int operand, int variant) {
    (void)shape, (void)operand;
    x[0][0] = (variant == 2 ? 1e5 : 1e7) * (1 + 0.5 * fabs(sin(x[0][0])));
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

/* 1 - y has a few digits left, and differences of y none. */
static void make_flat(double *const *x, const tg_shape *shape, int operand, int variant) {
    (void)shape, (void)operand;
    x[0][0] = (31 + fabs(sin(x[0][0]))) / (1 + variant);
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
    .hard_tolerance = 6e-3,
    FAULTS("input in place of output: y (1 - y), with y the result and not the input",
           "factor forgotten: dy y, without (1 - y)", "factor forgotten: dy (1 - y), without y",
           "inner derivative forgotten: the exponent's factor is one of the gradient as well")};

/* ---- 02: A B, A B^T, A^T B, each operand as it is stored ---- */

static const op_case matmul_cases[] = {{{SHAPE(3, 5), SHAPE(5, 7)}, {0}, 0},
                                       {{SHAPE(3, 3), SHAPE(3, 3)}, {0}, 0},
                                       {{SHAPE(1, 4), SHAPE(4, 1)}, {0}, 0},
                                       {{SHAPE(5, 1), SHAPE(1, 2)}, {0}, 0}};
static const op_case matmul_large = {{SHAPE(24, 24), SHAPE(24, 24)}, {0}, 0};

static void turn(tg_shape *shape) { *shape = TG_SHAPE(shape->size[1], shape->size[0]); }
static void arrange_matmul(tg_shape *input, int variant) {
    if (variant == 1)
        turn(&input[1]);
    if (variant == 2)
        turn(&input[0]);
}

/* Read by the indices of its transpose, as it lies in memory. */
static tg_tensor misread(tg_tensor a) {
    return tg_transpose(tg_reshape(a, TG_SHAPE(tg_size(a, 1), tg_size(a, 0))), 0, 1);
}

static tg_tensor matmul(const tg_tensor *x, const how *h) {
    tg_tensor a = h->variant == 2 ? tg_transpose(x[0], 0, 1) : x[0],
              b = h->variant == 1 ? tg_transpose(x[1], 0, 1) : x[1];
    tg_tensor y = tg_matmul(a, b);
    if (h->fault == 1)
        return with_gradient_of(y, tg_matmul(a, misread(tg_contiguous(b))));
    if (h->fault == 2)
        return with_gradient_of(y, tg_matmul(misread(tg_contiguous(a)), b));
    return y;
}

const op_spec matmul_spec = {.symbol = "matmul_op",
                             .result = "Y",
                             .operand = {"A", "B"},
                             .kind = "ff",
                             CASES(matmul_cases),
                             .arrange = arrange_matmul,
                             .reference = matmul,
                             .hard = matmul_cases,
                             .large = &matmul_large,
                             .harden = hide_operand,
                             FAULTS("transposed: in dA a transpose is missing or too many",
                                    "transposed: in dB a transpose is missing or too many")};

/* ---- 03: X + b, X - b, X + 2 b; X s, X s / 2, 3 X s ---- */

static const op_case row_cases[] = {
    {{SHAPE(3, 5), SHAPE(5)}, {0}, 0}, {{SHAPE(4, 1), SHAPE(1)}, {0}, 0}, {{SHAPE(1, 3), SHAPE(3)}, {0}, 0}};
static const op_case column_cases[] = {
    {{SHAPE(3, 5), SHAPE(3, 1)}, {0}, 0}, {{SHAPE(4, 1), SHAPE(4, 1)}, {0}, 0}, {{SHAPE(1, 3), SHAPE(1, 1)}, {0}, 0}};
static const op_case row_large = {{SHAPE(64, 96), SHAPE(96)}, {0}, 0};
static const op_case column_large = {{SHAPE(96, 64), SHAPE(96, 1)}, {0}, 0};

/* The row b where x has its first row, or its last, and 0 elsewhere. */
static tg_tensor in_one_row(tg_tensor x, tg_tensor b, bool first) {
    double flag[128] = {0};
    int64_t n = tg_size(x, 0) < 128 ? tg_size(x, 0) : 128;
    flag[first ? 0 : n - 1] = 1;
    return tg_mul(tg_from_doubles(x.tape, TG_SHAPE(n, 1), flag), b);
}

#define ROW_FAULTS                                                                                                    \
    "not summed over the broadcast dim: b is used in every row, here the gradient of the first row alone comes back", \
        "not summed over the broadcast dim: b is used in every row, here the gradient of the last row alone is left"

static tg_tensor add_row(const tg_tensor *x, const how *h) {
    static const double factor[] = {1, -1, 2};
    tg_tensor y = tg_add(x[0], tg_mul_scalar(x[1], factor[h->variant]));
    return h->fault ? with_gradient_of(y, tg_mul_scalar(in_one_row(x[0], x[1], h->fault == 1), factor[h->variant])) : y;
}

static tg_tensor scale_rows(const tg_tensor *x, const how *h) {
    static const double factor[] = {1, 0.5, 3};
    tg_tensor y = tg_mul_scalar(tg_mul(x[0], x[1]), factor[h->variant]);
    if (h->fault == 1)
        return with_gradient_of(y, tg_add(tg_mul(x[0], tg_detach(x[1])), x[1]));
    return y;
}

const op_spec add_row_spec = {.symbol = "add_row_op",
                              .result = "Y",
                              .operand = {"X", "b"},
                              .kind = "ff",
                              CASES(row_cases),
                              .reference = add_row,
                              .hard = row_cases,
                              .large = &row_large,
                              .harden = hide_all,
                              FAULTS(ROW_FAULTS)};
const op_spec scale_rows_spec = {.symbol = "scale_rows_op",
                                 .result = "Y",
                                 .operand = {"X", "s"},
                                 .kind = "ff",
                                 CASES(column_cases),
                                 .reference = scale_rows,
                                 .hard = column_cases,
                                 .large = &column_large,
                                 .harden = hide_operand,
                                 FAULTS("other operand forgotten: ds sums dY X over the row, not dY alone")};

/* ---- 04, 05: softmax of X, 2 X, X / 2; cross-entropy as a mean, a sum, a mean in bits ---- */

static const op_case softmax_cases[] = {{{SHAPE(3, 5)}, {0}, 0},
                                        {{SHAPE(4, 4)}, {0}, 0},
                                        {{SHAPE(1, 3)}, {0}, 0},
                                        {{SHAPE(5, 2)}, {0}, 0},
                                        {{SHAPE(3, 1)}, {0}, 0}};
static const op_case softmax_large = {{SHAPE(64, 64)}, {0}, 0};

/* The value of softmax over the last dim, with a faulty gradient. y is fixed in all that follows it. */
tg_tensor faulty_softmax(tg_tensor x, int fault) {
    tg_tensor y = tg_softmax(x, -1), f = tg_detach(y), yx = tg_mul(x, f);
    tg_tensor all_x = tg_sum(x, TG_DIMS(-1), true), all_yx = tg_sum(yx, TG_DIMS(-1), true);
    switch (fault) {
    case 1: return with_gradient_of(y, tg_mul(yx, tg_rsub_scalar(1, f)));         /* y (1 - y) dy */
    case 2: return with_gradient_of(y, yx);                                       /* y dy */
    case 3: return with_gradient_of(y, tg_sub(tg_mul_scalar(yx, 2), y));          /* y (dy + sum y dy) */
    case 4: return with_gradient_of(y, tg_sub(yx, all_yx));                       /* y (dy - sum dy) */
    case 5: return with_gradient_of(y, tg_sub(yx, tg_mul(f, all_x)));             /* y dy - sum y dy */
    case 6: return with_gradient_of(y, tg_sub(tg_mul(yx, f), tg_mul(f, all_yx))); /* -y[j] sum without j of y dy */
    case 7: return with_gradient_of(y, tg_sub(x, tg_mul(f, all_x)));              /* dy - sum y dy */
    case 8: return with_gradient_of(y, tg_sub(yx, tg_mul(f, tg_mean(yx, TG_DIMS(-1), true))));
    default: return y;
    }
}

static tg_tensor softmax(const tg_tensor *x, const how *h) {
    static const double factor[] = {1, 2, 0.5};
    double k = factor[h->variant];
    if (h->fault == N_SOFTMAX_FAULTS + 1)
        return with_gradient_of(tg_softmax(tg_mul_scalar(x[0], k), -1),
                                scaled_gradient(tg_softmax(tg_mul_scalar(x[0], k), -1), 1 / k));
    return faulty_softmax(tg_mul_scalar(x[0], k), h->fault);
}

/* The last of every row so small that its weight is lost in the others' rounding: its gradient is not. */
static void make_uneven(double *const *x, const tg_shape *shape, int operand, int variant) {
    (void)operand, (void)variant;
    int64_t n = shape[0].size[0], m = shape[0].size[1];
    for (int64_t i = 0; i < n; i++)
        x[0][i * m + m - 1] -= 90;
}

const op_spec softmax_spec = {
    .symbol = "softmax_op",
    .result = "Y",
    .operand = {"X"},
    .kind = "f",
    CASES(softmax_cases),
    .reference = softmax,
    .hard = softmax_cases,
    .large = &softmax_large,
    .harden = make_uneven,
    FAULTS(SOFTMAX_FAULTS, "inner derivative forgotten: the factor of x is one of the gradient as well")};

static const op_case cross_entropy_cases[] = {{{SHAPE(3, 5), SHAPE(3)}, {0}, 0}, {{SHAPE(4, 4), SHAPE(4)}, {0}, 0},
                                              {{SHAPE(1, 3), SHAPE(1)}, {0}, 0}, {{SHAPE(6, 2), SHAPE(6)}, {0}, 0},
                                              {{SHAPE(2, 1), SHAPE(2)}, {0}, 0}, {{SHAPE(6, 4), SHAPE(6)}, {0}, 1000}};
static const op_case cross_entropy_large = {{SHAPE(64, 64), SHAPE(64)}, {0}, 0};

static tg_tensor cross_entropy(const tg_tensor *x, const how *h) {
    double n = (double)tg_size(x[0], 0), all = h->variant == 1 ? 1 : h->variant == 2 ? n * log(2) : n;
    tg_tensor p = tg_softmax(x[0], -1);
    tg_tensor y = tg_div_scalar(tg_cross_entropy(x[0], x[1], TG_IGNORE_INDEX, TG_SUM), all);
    tg_tensor only_p = tg_div_scalar(tg_sum(tg_mul(x[0], tg_detach(p)), TG_ALL_DIMS, false), all);
    take_note(h, "p", p);
    switch (h->fault) {
    case 1: y = with_gradient_of(y, only_p); break;
    case 2: y = with_gradient_of(y, tg_sub(y, only_p)); break;
    case 3: y = scaled_gradient(y, all); break;
    case 4: y = h->variant == 2 ? scaled_gradient(y, log(2)) : scaled_gradient(y, 1 / n); break;
    default: break;
    }
    return tg_reshape(y, TG_SHAPE(1));
}

const op_spec cross_entropy_spec = {
    .symbol = "cross_entropy_op",
    .result = "y",
    .operand = {"X", "t"},
    .kind = "fi",
    CASES(cross_entropy_cases),
    .reference = cross_entropy,
    .uses = {"p"},
    .hard = cross_entropy_cases,
    .large = &cross_entropy_large,
    .harden = make_uneven,
    FAULTS(
        "the right class forgotten: dX is p - 1 at the right class, p elsewhere, divided as the loss is; the -1 is missing",
        "the softmax forgotten: dX is p - 1 at the right class, p elsewhere, divided as the loss is; the p is missing",
        "1/n missing: the loss is divided by a number, and so is its gradient",
        "wrong divisor: the gradient is divided by what the loss is divided by")};

/* ---- 06: in the variant the masks say the opposite ---- */

static const op_case fill_cases[] = {{{SHAPE(3, 5), SHAPE(3, 5)}, {-2.5}, 0},
                                     {{SHAPE(4, 4), SHAPE(4, 4)}, {0}, 0},
                                     {{SHAPE(1, 2), SHAPE(1, 2)}, {9}, 0},
                                     {{SHAPE(5, 1), SHAPE(5, 1)}, {-1}, 0}};
static const op_case mean_cases[] = {{{SHAPE(7, 3), SHAPE(7)}, {0}, 0},
                                     {{SHAPE(3, 3), SHAPE(3)}, {0}, 0},
                                     {{SHAPE(2, 4), SHAPE(2)}, {0}, 0},
                                     {{SHAPE(5, 1), SHAPE(5)}, {0}, 0}};
static const op_case fill_large = {{SHAPE(64, 64), SHAPE(64, 64)}, {1}, 0};
static const op_case mean_large = {{SHAPE(64, 96), SHAPE(64)}, {0}, 0};

static tg_tensor masked_fill(const tg_tensor *x, const how *h) {
    tg_tensor other = tg_logical_not(x[1]), hidden = h->variant == 1 ? other : x[1];
    tg_tensor y = tg_masked_fill(x[0], hidden, h->number[0]);
    switch (h->fault) {
    case 1: return with_gradient_of(y, tg_masked_fill(x[0], h->variant == 1 ? x[1] : other, 0));
    case 2: return with_gradient_of(y, x[0]);
    default: return y;
    }
}

static tg_tensor masked_mean(const tg_tensor *x, const how *h) {
    tg_tensor flag = tg_unsqueeze(tg_to_float(x[1]), 1), keep = h->variant == 1 ? tg_rsub_scalar(1, flag) : flag;
    tg_tensor count = tg_sum(keep, TG_ALL_DIMS, false);
    tg_tensor sum = tg_sum(tg_masked_fill(x[0], tg_expand(tg_to_bool(tg_rsub_scalar(1, keep)), tg_shape_of(x[0])), 0),
                           TG_DIMS(0), false);
    tg_tensor y = tg_div(sum, count), all = tg_sum(x[0], TG_DIMS(0), false);
    switch (h->fault) {
    case 1: return with_gradient_of(y, tg_div_scalar(sum, (double)tg_size(x[0], 0)));
    case 2: return with_gradient_of(y, sum);
    case 3: return with_gradient_of(y, tg_div(all, count));
    case 4: return with_gradient_of(y, tg_div_scalar(all, (double)tg_size(x[0], 0)));
    case 5: return with_gradient_of(y, tg_div(tg_sub(all, sum), count));
    default: return y;
    }
}

const op_spec masked_fill_spec = {
    .symbol = "masked_fill_op",
    .result = "Y",
    .operand = {"X", "mask"},
    .kind = "fb",
    CASES(fill_cases),
    .reference = masked_fill,
    .hard = fill_cases,
    .large = &fill_large,
    .harden = hide_all,
    FAULTS("mask inverted: the gradient goes to the elements that were replaced, and not to those that were kept",
           "mask not applied: where Y was replaced, X has no gradient")};
const op_spec masked_mean_spec = {
    .symbol = "masked_mean_op",
    .result = "y",
    .operand = {"X", "keep"},
    .kind = "fb",
    CASES(mean_cases),
    .reference = masked_mean,
    .hard = mean_cases,
    .large = &mean_large,
    .harden = hide_all,
    FAULTS("divided by all rows: the mean is over the rows that are kept, and so is its gradient",
           "1/n missing: divide by the number of rows that are kept",
           "mask not applied: rows that are not kept get no gradient",
           "mask not applied: rows that are not kept get no gradient, and do not count in the mean",
           "mask inverted: the gradient goes to the rows that are left out")};

/* ---- 07: weight w, or 1 + w ---- */

static const op_case norm_cases[] = {{{SHAPE(3, 5), SHAPE(5), SHAPE(5)}, {1e-5}, 0},
                                     {{SHAPE(4, 4), SHAPE(4), SHAPE(4)}, {1e-3}, 0},
                                     {{SHAPE(1, 7), SHAPE(7), SHAPE(7)}, {1e-5}, 0},
                                     {{SHAPE(2, 3), SHAPE(3), SHAPE(3)}, {0.5}, 0},
                                     {{SHAPE(3, 1), SHAPE(1), SHAPE(1)}, {0.5}, 0}};
static const op_case norm_hard = {{SHAPE(3, 5), SHAPE(5), SHAPE(5)}, {1e-24}, 0};
static const op_case norm_large = {{SHAPE(64, 64), SHAPE(64), SHAPE(64)}, {1e-5}, 0};

static tg_tensor layer_norm(const tg_tensor *x, const how *h) {
    tg_tensor mean = tg_mean(x[0], TG_DIMS(-1), true), var = tg_var(x[0], TG_DIMS(-1), 0, true);
    tg_tensor r = tg_rdiv_scalar(1, tg_sqrt(tg_add_scalar(var, h->number[0])));
    tg_tensor weight = h->variant == 1 ? tg_add_scalar(x[1], 1) : x[1];
    if (h->fault == 1 || h->fault == 3)
        mean = tg_detach(mean);
    if (h->fault == 2 || h->fault == 3)
        r = tg_detach(r);
    tg_tensor u = tg_mul(tg_sub(x[0], mean), r);
    if (h->fault == 4)
        u = with_gradient_of(u, tg_div(u, tg_detach(r)));
    take_note(h, "u", u);
    tg_tensor y = tg_add(tg_mul(u, weight), x[2]);
    switch (h->fault) {
    case 5: return with_gradient_of(y, u);
    case 6: return with_gradient_of(y, tg_mul(tg_detach(x[0]), weight));
    case 7: return with_gradient_of(y, tg_mul(tg_detach(tg_sub(x[0], mean)), weight));
    case 8: return with_gradient_of(y, tg_mul(u, x[1]));
    default: return y;
    }
}

/* Rows of very different sizes, and b, on which no gradient depends. */
static void make_steps_unfit(double *const *x, const tg_shape *shape, int operand, int variant) {
    (void)variant;
    int64_t m = shape[0].size[1];
    for (int64_t j = 0; j < m; j++) {
        x[0][j] *= 1e-9;
        x[0][m + j] *= j ? 1e9 : 1e-9;
    }
    fill(x[2], shape[2], NAN);
    if (operand == 2) {
        fill(x[0], shape[0], NAN);
        fill(x[1], shape[1], NAN);
    }
}

const op_spec layer_norm_spec = {
    .symbol = "layer_norm_op",
    .result = "Y",
    .operand = {"X", "w", "b"},
    .kind = "fff",
    CASES(norm_cases),
    .reference = layer_norm,
    .uses = {"u du", "u", ""},
    .hard = &norm_hard,
    .large = &norm_large,
    .harden = make_steps_unfit,
    FAULTS("mean treated as constant: every x[j] moves the mean of its row, and through it every y",
           "variance treated as constant: every x[j] moves the variance of its row, and through it every y",
           "mean and variance treated as constants: every x[j] moves both, and through them every y",
           "1/std forgotten: u = (x - mean) r, so dx has the factor r",
           "weight forgotten: du is dy times the weight, not dy",
           "x in place of u: dw = dy u, with u the normalised row and not x",
           "not normalised: dw = dy u, and u is (x - mean) times r", "weight without its 1: here y is u times 1 + w")};

/* ---- 08: W (out, in), or (in, out) ---- */

static const op_case linear_cases[] = {{{SHAPE(3, 5), SHAPE(7, 5), SHAPE(7)}, {0}, 0},
                                       {{SHAPE(4, 4), SHAPE(4, 4), SHAPE(4)}, {0}, 0},
                                       {{SHAPE(1, 3), SHAPE(2, 3), SHAPE(2)}, {0}, 0},
                                       {{SHAPE(5, 1), SHAPE(1, 1), SHAPE(1)}, {0}, 0}};
static const op_case linear_large = {{SHAPE(24, 24), SHAPE(24, 24), SHAPE(24)}, {0}, 0};

static void arrange_linear(tg_shape *input, int variant) {
    if (variant == 1)
        turn(&input[1]);
}

tg_tensor linear_of(const tg_tensor *x, int variant) {
    return tg_linear(x[0], variant == 1 ? tg_transpose(x[1], 0, 1) : x[1], x[2]);
}

static tg_tensor linear(const tg_tensor *x, const how *h) {
    tg_tensor y = linear_of(x, h->variant);
    if (h->fault > 1)
        return with_gradient_of(y, in_one_row(x[0], x[2], h->fault == 2));
    if (h->fault == 0)
        return y;
    tg_tensor W = h->variant == 1 ? x[1] : tg_transpose(x[1], 0, 1); /* (in, out) */
    return with_gradient_of(y, tg_matmul(x[0], misread(tg_contiguous(W))));
}

const op_spec linear_spec = {
    .symbol = "linear_op",
    .result = "Y",
    .operand = {"X", "W", "b"},
    .kind = "fff",
    CASES(linear_cases),
    .arrange = arrange_linear,
    .reference = linear,
    .hard = linear_cases,
    .large = &linear_large,
    .harden = hide_operand_and_bias,
    FAULTS("transposed: W and dW are stored the one way, here one is used as if it were stored the other way",
           ROW_FAULTS)};

/* ---- 09: scores / sqrt(d), or / d ---- */

static const op_case attention_cases[] = {{{SHAPE(5, 3), SHAPE(7, 3), SHAPE(7, 4)}, {0}, 0},
                                          {{SHAPE(5, 3), SHAPE(5, 3), SHAPE(5, 3)}, {1}, 0},
                                          {{SHAPE(1, 3), SHAPE(4, 3), SHAPE(4, 2)}, {0}, 0},
                                          {{SHAPE(3, 1), SHAPE(3, 1), SHAPE(3, 1)}, {1}, 0},
                                          {{SHAPE(2, 5), SHAPE(1, 5), SHAPE(1, 2)}, {0}, 0}};
static const op_case attention_hard = {{SHAPE(5, 3), SHAPE(6, 3), SHAPE(6, 4)}, {0}, 0};
static const op_case attention_large = {{SHAPE(24, 16), SHAPE(24, 16), SHAPE(24, 16)}, {0}, 0};

/* true where j > i */
static tg_tensor future(tg_tensor scores) { return tg_to_bool(tg_triu(tg_ones(scores.tape, tg_shape_of(scores)), 1)); }

tg_tensor attention_of(const tg_tensor *x, bool causal, int variant, int fault, const how *h) {
    double d = (double)tg_size(x[0], 1), root = variant == 1 ? d : sqrt(d);
    tg_tensor raw = tg_matmul(x[0], tg_transpose(x[1], 0, 1));
    if (fault == N_SOFTMAX_FAULTS + 1)
        raw = scaled_gradient(raw, root);
    if (fault == N_SOFTMAX_FAULTS + 2)
        raw = scaled_gradient(raw, 1 / root);
    tg_tensor scores = tg_div_scalar(raw, root);
    take_note(h, "scores", raw);
    take_note(h, "scores", scores);
    if (causal)
        scores = tg_masked_fill(scores, future(scores), -INFINITY);
    tg_tensor weights = faulty_softmax(scores, fault <= N_SOFTMAX_FAULTS ? fault : 0);
    take_note(h, "weights", weights);
    if (fault == N_SOFTMAX_FAULTS + 3)
        weights = tg_detach(weights);
    return tg_matmul(weights, x[2]);
}

static tg_tensor attention(const tg_tensor *x, const how *h) {
    return attention_of(x, h->number[0] != 0, h->variant, h->fault, h);
}

/* Nothing of dV depends on V. For dQ and dK: a column of the other operand so small that moving this one's column
 * does not move the scores. */
static void make_column_small(double *const *x, const tg_shape *shape, int operand, int variant) {
    (void)variant;
    if (operand == 2) {
        fill(x[2], shape[2], NAN);
        return;
    }
    int other = 1 - operand;
    for (int64_t i = 0; i < shape[other].size[0]; i++)
        x[other][i * shape[other].size[1]] *= 1e-25;
}

const op_spec attention_spec = {.symbol = "attention_op",
                                .result = "Y",
                                .operand = {"Q", "K", "V"},
                                .kind = "fff",
                                CASES(attention_cases),
                                .reference = attention,
                                .uses = {"weights dweights dscores", "weights dweights dscores", "weights"},
                                .hard = &attention_hard,
                                .large = &attention_large,
                                .harden = make_column_small,
                                FAULTS(SOFTMAX_FAULTS,
                                       "scale forgotten: the scale of the scores is missing in the backward",
                                       "scale applied twice: the scale of the scores is applied twice in the backward",
                                       "softmax detached: no gradient comes through the weights")};

/* ---- 10: heads one after another, or interleaved ---- */

/* The result's number of heads cannot be seen from the input: it is the case's number. */
static const op_case split_cases[] = {{{SHAPE(5, 6)}, {3}, 0},
                                      {{SHAPE(3, 9)}, {3}, 0},
                                      {{SHAPE(1, 8)}, {2}, 0},
                                      {{SHAPE(4, 3)}, {1}, 0},
                                      {{SHAPE(2, 4)}, {4}, 0}};
static const op_case merge_cases[] = {{{SHAPE(3, 5, 2)}, {0}, 0},
                                      {{SHAPE(3, 3, 3)}, {0}, 0},
                                      {{SHAPE(2, 1, 4)}, {0}, 0},
                                      {{SHAPE(1, 4, 3)}, {0}, 0},
                                      {{SHAPE(4, 2, 1)}, {0}, 0}};
static const op_case split_large = {{SHAPE(64, 96)}, {4}, 0}, merge_large = {{SHAPE(4, 64, 24)}, {0}, 0};

static tg_tensor split_heads(const tg_tensor *x, const how *h) {
    int64_t T = tg_size(x[0], 0), H = (int64_t)h->number[0], D = tg_size(x[0], 1) / H;
    tg_tensor y = h->variant == 1 ? tg_permute(tg_reshape(x[0], TG_SHAPE(T, D, H)), TG_DIMS(2, 0, 1))
                                  : tg_transpose(tg_reshape(x[0], TG_SHAPE(T, H, D)), 0, 1);
    return tg_contiguous(h->fault == 1 ? with_gradient_of(y, tg_reshape(x[0], TG_SHAPE(H, T, D))) : y);
}

static tg_tensor merge_heads(const tg_tensor *x, const how *h) {
    int64_t H = tg_size(x[0], 0), T = tg_size(x[0], 1), D = tg_size(x[0], 2);
    tg_tensor moved = h->variant == 1 ? tg_permute(x[0], TG_DIMS(1, 2, 0)) : tg_transpose(x[0], 0, 1);
    tg_tensor y = tg_reshape(moved, TG_SHAPE(T, H * D));
    return h->fault == 1 ? with_gradient_of(y, tg_reshape(x[0], TG_SHAPE(T, H * D))) : y;
}

#define HEADS_FAULT "heads not moved: dy is copied as it lies; heads and tokens change places on the way back as well"
const op_spec split_spec = {.symbol = "split_heads_op",
                            .result = "Y",
                            .operand = {"X"},
                            .kind = "f",
                            CASES(split_cases),
                            .reference = split_heads,
                            .hard = split_cases,
                            .large = &split_large,
                            .harden = hide_all,
                            FAULTS(HEADS_FAULT)};
const op_spec merge_spec = {.symbol = "merge_heads_op",
                            .result = "Y",
                            .operand = {"X"},
                            .kind = "f",
                            CASES(merge_cases),
                            .reference = merge_heads,
                            .hard = merge_cases,
                            .large = &merge_large,
                            .harden = hide_all,
                            FAULTS(HEADS_FAULT)};

/* ---- 13: the variant has other forwards, with the scores divided by d and a sum for the loss ---- */

static const op_case scores_cases[] = {{{SHAPE(5, 3), SHAPE(7, 3)}, {0}, 0}, {{SHAPE(4, 5), SHAPE(4, 5)}, {0}, 0}};
static const op_case square_cases[] = {{{SHAPE(5, 5)}, {0}, 0}, {{SHAPE(3, 3)}, {0}, 0}};
static const op_case loss_cases[] = {{{SHAPE(3, 5), SHAPE(3, 5)}, {0}, 0}, {{SHAPE(1, 3), SHAPE(1, 3)}, {0}, 0}};
static const op_case square_large = {{SHAPE(64, 64)}, {0}, 0}, loss_large = {{SHAPE(64, 64), SHAPE(64, 64)}, {0}, 0};

static tg_tensor bug_linear(const tg_tensor *x, const how *h) {
    how plain = *h;
    plain.variant = 0;
    return linear(x, &plain);
}

static tg_tensor bug_scores(const tg_tensor *x, const how *h) {
    double d = (double)tg_size(x[0], 1);
    return tg_div_scalar(tg_matmul(x[0], tg_transpose(x[1], 0, 1)), h->variant == 1 ? d : sqrt(d));
}

static tg_tensor bug_mask(const tg_tensor *x, const how *h) {
    tg_tensor y = tg_masked_fill(x[0], future(x[0]), -1e9);
    return h->fault == 1 ? with_gradient_of(y, x[0]) : y;
}

static tg_tensor bug_softmax(const tg_tensor *x, const how *h) { return faulty_softmax(x[0], h->fault); }

static tg_tensor bug_loss(const tg_tensor *x, const how *h) {
    double n = (double)tg_numel(x[0]);
    tg_tensor y = tg_reshape(tg_mse_loss(x[0], x[1], h->variant == 1 ? TG_SUM : TG_MEAN), TG_SHAPE(1));
    return h->fault == 1   ? scaled_gradient(y, h->variant == 1 ? 1 / n : n)
           : h->fault == 2 ? scaled_gradient(y, 0.5)
                           : y;
}

/* One pair that says nothing of the others: the loss is not a number, their gradients are. */
static void hide_first(double *const *x, const tg_shape *shape, int operand, int variant) {
    (void)shape, (void)operand, (void)variant;
    x[0][0] = NAN;
}

const op_spec bug_linear_spec = {
    .symbol = "bug_linear_op",
    .result = "Y",
    .operand = {"X", "W", "b"},
    .kind = "fff",
    CASES(linear_cases),
    .reference = bug_linear,
    .hard = linear_cases,
    .large = &linear_large,
    .harden = hide_operand_and_bias,
    FAULTS("transposed: W and dW are (out, in), here one is used as if it were (in, out)", ROW_FAULTS)};
const op_spec bug_scores_spec = {.symbol = "bug_scores_op",
                                 .result = "scores",
                                 .operand = {"Q", "K"},
                                 .kind = "ff",
                                 CASES(scores_cases),
                                 .reference = bug_scores,
                                 .hard = scores_cases,
                                 .large = &matmul_large,
                                 .harden = hide_operand};
const op_spec bug_mask_spec = {.symbol = "bug_mask_op",
                               .result = "Y",
                               .operand = {"X"},
                               .kind = "f",
                               CASES(square_cases),
                               .reference = bug_mask,
                               .hard = square_cases,
                               .large = &square_large,
                               .harden = hide_all,
                               FAULTS("mask not applied: where Y was replaced, X has no gradient")};
const op_spec bug_softmax_spec = {.symbol = "bug_softmax_op",
                                  .result = "Y",
                                  .operand = {"X"},
                                  .kind = "f",
                                  CASES(softmax_cases),
                                  .reference = bug_softmax,
                                  .hard = softmax_cases,
                                  .large = &softmax_large,
                                  .harden = make_uneven,
                                  FAULTS(SOFTMAX_FAULTS)};
const op_spec bug_loss_spec = {
    .symbol = "bug_loss_op",
    .result = "loss",
    .operand = {"Y", "target"},
    .kind = "ff",
    CASES(loss_cases),
    .reference = bug_loss,
    .hard = loss_cases,
    .large = &loss_large,
    .harden = hide_first,
    FAULTS("divided wrongly: the loss is divided by the number of elements or it is not, and "
           "so is its gradient",
           "the 2 forgotten: the derivative of a square has a factor 2")};
