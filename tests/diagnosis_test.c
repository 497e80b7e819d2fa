/* What must always hold: a mistake in the VJP of an operation is WRONG, its operation and operand are found, and the
 * diagnosis says what it is: one is planted for one operand, and the diagnosis holds the row's words. Which mistakes
 * are found at all is fault_test.c and faults.c; results as text and JSON are gradcheck_print_test.c. */
#include "tests/custom_maps.h"
#include "tests/diagnosis_kinds.h"

/* ---- operations ---- */

/* Numbers of many sizes and both signs, others for each leaf. */
static tg_tensor leaf(tg_tape *t, tg_shape shape) {
    double values[MOST];
    for (int64_t i = 0; i < tg_shape_numel(&shape); i++)
        values[i] = (i % 3 == 1 ? -1 : 1) * (0.9 + 0.55 * sin(1.7 * (double)i + 2.3 * (double)t->count));
    return wanting(tg_from_doubles(t, shape, values));
}
#define L(...) leaf(t, TG_SHAPE(__VA_ARGS__))
#define CONSTANT(...) VECTOR(t, __VA_ARGS__)
#define INTS(...) \
    tg_from_ints(t, TG_SHAPE((int64_t)(sizeof((int64_t[]){__VA_ARGS__}) / sizeof(int64_t))), (int64_t[]){__VA_ARGS__})
#define BOOLS(...) tg_to_bool(CONSTANT(__VA_ARGS__))
#define OP(name, ...) \
    static tg_tensor name(tg_tape *t) { return __VA_ARGS__; }

OP(exp_2x3, tg_exp(L(2, 3)))
OP(exp_1, tg_exp(L(1)))
OP(exp_2, tg_exp(L(2)))
OP(exp_3x5, tg_exp(L(3, 5)))
OP(exp_4x4, tg_exp(L(4, 4)))
OP(exp_2x3x5, tg_exp(L(2, 3, 5)))
OP(exp_2x3x4x5, tg_exp(L(2, 3, 4, 5)))
OP(exp_12, tg_exp(L(12)))
OP(thrice, tg_mul_scalar(L(2, 3), 3))
OP(millionth, tg_mul_scalar(L(6), 1e-6))
OP(thrice_of_one, tg_mul_scalar(L(1), 3))
OP(thrice_of_two, tg_mul_scalar(L(2), 3))
OP(minus_thrice, tg_mul_scalar(L(2, 3), -3))
OP(square, tg_square(L(6)))
OP(square_of_whole_numbers, tg_square(wanting(CONSTANT(1, -2, 3, 4))))
OP(masked_6, tg_mul(L(6), CONSTANT(3, 0, 3, 3, 0, 0)))
OP(masked_2, tg_mul(L(2), CONSTANT(3, 0)))
OP(masked_unevenly, tg_mul(L(6), CONSTANT(3, 0, 3, 2, 0, 0)))
OP(sum_of_4d, tg_sum(L(2, 3, 5, 7), TG_DIMS(1, 2), false))
OP(sum_of_squares, tg_norm(L(3, 5), 2, TG_ALL_DIMS, false))
OP(sum_of_all, tg_sum(L(7), TG_ALL_DIMS, false))
OP(mean_of_two, tg_mean(L(5, 2), TG_DIMS(1), false))
OP(variance, tg_var(L(3, 5), TG_DIMS(1), 1, false))
OP(mean_square, tg_mse_loss(L(1), tg_ones(t, TG_SHAPE(1)), TG_MEAN))
OP(expanded, tg_add(L(7), tg_zeros(t, TG_SHAPE(3, 5, 7))))
OP(product_of_three, tg_matmul(L(3, 5), L(5, 4)))
OP(product_of_three_by_nine, tg_matmul(L(3, 9), L(9, 2)))
OP(product_of_vectors, tg_matmul(L(1, 7), L(7)))
OP(product_of_columns, tg_matmul(L(3, 1), L(1, 4)))
OP(product_by_two, tg_matmul(L(3, 2), L(2, 5)))
OP(product_of_squares, tg_matmul(L(4, 4), L(4, 4)))
OP(product_of_batches, tg_matmul(L(2, 3, 3), L(3, 3)))
OP(product_of_more_batches, tg_matmul(L(2, 1, 3, 3), L(5, 3, 3)))
OP(product, tg_mul(L(2, 3), L(2, 3)))
OP(quotient, tg_div(L(2, 3), L(2, 3)))
OP(product_of_sizes, tg_mul(L(2, 3), L(3)))
OP(biased, tg_add(L(3, 5), L(5)))
OP(biased_in_3d, tg_add(L(2, 3, 5), L(5)))
OP(biased_in_the_middle, tg_add(L(2, 3, 5), L(2, 1, 5)))
OP(linear, tg_linear(L(3, 4), L(2, 4), L(2)))
OP(linear_of_squares, tg_linear(L(4, 4), L(4, 4), TG_NULL))
OP(sum_of_planes, tg_sum(L(11, 3, 2), TG_DIMS(0, 1), false))
OP(sum_of_8d, tg_sum(L(2, 1, 1, 3, 1, 1, 1, 2), TG_DIMS(3), true))
OP(picked_one, tg_index_select(L(6), 0, INTS(3)))
OP(rows_of_table, tg_embedding(L(4, 3), INTS(2, 0, 2, 1, 2)))
OP(picked, tg_index_select(L(6), 0, INTS(5, 1, 1, 3, 1)))
OP(softmax, tg_softmax(L(3, 4), -1))
OP(log_softmax, tg_log_softmax(L(3, 4), -1))
OP(running_sum, tg_cumsum(L(7), 0))
OP(layer_norm, tg_layer_norm(L(3, 5), L(5), L(5), 0.05))
OP(layer_norm_alone, tg_layer_norm(L(2, 3, 4), TG_NULL, TG_NULL, 0.05))
OP(layer_norm_of_three, tg_layer_norm(L(4, 3), TG_NULL, TG_NULL, 0.05))
OP(layer_norm_of_every_second, tg_layer_norm(L(3, 5), tg_slice(L(10), 0, 0, 10, 2), TG_NULL, 0.05))
OP(layer_norm_of_small_weights, tg_layer_norm(L(3, 4), wanting(CONSTANT(1e-4, -2e-4, 1.5e-4, 3e-4)), TG_NULL, 0.05))
OP(entropy_of_one_class, tg_cross_entropy(L(8, 1), INTS(0, 0, 0, 0, 0, 0, 0, 0), TG_IGNORE_INDEX, TG_MEAN))
OP(rms_norm, tg_rms_norm(L(3, 5), L(5), 0.05))
OP(rms_norm_of_two, tg_rms_norm(L(4, 2), TG_NULL, 0.05))
OP(attention, tg_scaled_dot_product_attention(L(3, 4), L(5, 4), L(5, 2), TG_NULL, false, 0, 0.3))
OP(attention_of_squares, tg_scaled_dot_product_attention(L(4, 4), L(4, 4), L(4, 4), TG_NULL, false, 0, 0))
OP(attention_by_root, tg_scaled_dot_product_attention(L(3, 6), L(5, 6), L(5, 2), TG_NULL, false, 0, 0))
OP(causal_attention, tg_scaled_dot_product_attention(L(4, 3), L(4, 3), L(4, 2), TG_NULL, true, 0, 0))
OP(attention_with_mask,
   tg_scaled_dot_product_attention(L(2, 3), L(4, 3), L(4, 2), tg_reshape(BOOLS(1, 0, 1, 1, 0, 1, 1, 0), TG_SHAPE(2, 4)),
                                   false, 0, 0))
OP(entropy, tg_cross_entropy(L(5, 4), INTS(2, 0, 3, 1, 3), TG_IGNORE_INDEX, TG_MEAN))
OP(entropy_of_each, tg_cross_entropy(L(5, 4), INTS(2, 0, 3, 1, 3), TG_IGNORE_INDEX, TG_NONE))
OP(entropy_of_three, tg_cross_entropy(L(5, 4), INTS(2, -100, 3, -100, 0), TG_IGNORE_INDEX, TG_MEAN))
OP(entropy_of_one, tg_cross_entropy(L(1, 4), INTS(2), TG_IGNORE_INDEX, TG_MEAN))

static tg_tensor smoothed(tg_tape *t, tg_tensor logits, tg_tensor targets) {
    tg_cross_entropy_config config = TG_CROSS_ENTROPY_DEFAULTS;
    (void)t;
    config.label_smoothing = 0.2;
    return tg_cross_entropy_with(logits, targets, config);
}
OP(smoothed_entropy, smoothed(t, L(4, 3), INTS(0, 2, 1, 0)))
OP(smoothed_entropy_of_two, smoothed(t, L(4, 2), INTS(0, 1, 1, 0)))
OP(dropped, tg_dropout(L(12), 0.5))
OP(masked_fill, tg_masked_fill(L(2, 3), tg_reshape(BOOLS(1, 0, 0, 1, 0, 0), TG_SHAPE(2, 3)), 7))
OP(signs, tg_exp(wanting(MATRIX(t, 3, 3, -2, 0.5, 3, 0.25, -0.5, -3, 2, 0, 1))))
OP(saturated, tg_softmax(wanting(MATRIX(t, 1, 4, 1, 0.5, 0.2, -70)), -1))
OP(rows_of_table_twice, tg_embedding(L(4, 3), tg_reshape(INTS(0, 0, 1, 1, 2, 0, 1, 2, 3, 3), TG_SHAPE(2, 5))))

/* 1, 0, 0, 2, 0, 0, ... */
static tg_tensor sparse(tg_tape *t, tg_shape shape) {
    double values[MOST] = {0};
    for (int64_t i = 0; i < tg_shape_numel(&shape); i += 3)
        values[i] = 1 + (double)i / 3;
    return tg_from_doubles(t, shape, values);
}
OP(weighed_in_the_middle, tg_mul(sparse(t, TG_SHAPE(2, 4, 5)), L(2, 1, 5)))
OP(weighed, tg_mul(sparse(t, TG_SHAPE(2, 4, 5)), L(5)))
OP(square_of_small, tg_square(wanting(VECTOR(t, 1e-3, -2e-3, 1.5e-3, 3e-3))))
OP(sum_of_matrix, tg_sum(L(3, 3), TG_ALL_DIMS, false))
OP(exp_2x2x2, tg_exp(L(2, 2, 2)))
OP(exp_8, tg_exp(L(8)))

/* Softmax over any dim, which is the context, and a normalisation over all dims but the first. */
static double sum_of_row(const tg_call *c, int64_t i) { /* of e^x in the forward, of y dy in the VJP */
    const double *x = c->input[0], *y = c->output, *dy = c->output_grad;
    const tg_shape *s = c->output_shape;
    int dim = *(const int *)c->context;
    int64_t stride = 1, n = s->size[dim];
    double sum = 0;
    for (int d = s->ndim - 1; d > dim; d--)
        stride *= s->size[d];
    for (int64_t k = 0, at = i - i / stride % n * stride; k < n; k++, at += stride)
        sum += dy ? y[at] * dy[at] : exp(x[at]);
    return sum;
}

CUSTOM_MAP(double, softmax_forward, softmax_vjp, exp(x) / sum_of_row(c, i), y *(dy - sum_of_row(c, i)))

static int plane_norm_forward(const tg_call *c) {
    int64_t numel = tg_shape_numel(c->output_shape), n = numel / *(const int *)c->context;
    const double *x = c->input[0];
    for (int64_t row = 0; row < numel; row += n) {
        double mean = 0, var = 0;
        for (int64_t k = row; k < row + n; k++)
            mean += x[k] / (double)n;
        for (int64_t k = row; k < row + n; k++)
            var += (x[k] - mean) * (x[k] - mean) / (double)n;
        for (int64_t k = row; k < row + n; k++)
            ((double *)c->output)[k] = (x[k] - mean) / sqrt(var + 0.05);
    }
    return 0;
}

static int plane_norm_vjp(const tg_call *c) {
    int64_t numel = tg_shape_numel(c->output_shape);
    double x[MOST], dy[MOST], dx[MOST];
    memcpy(x, c->input[0], (size_t)numel * sizeof *x);
    memcpy(dy, c->output_grad, (size_t)numel * sizeof *dy);
    normalise(&(job){.n = numel, .x = x, .dy = dy, .g = dx}, numel / *(const int *)c->context, true, 0.05, NULL, "");
    for (int64_t i = 0; i < numel; i++)
        ((double *)c->input_grad[0])[i] += dx[i];
    return 0;
}
static void of_planes(job *j) { normalise(j, j->n / (int)j->by, true, 0.05, NULL, j->at); }

static tg_tensor any_softmax(tg_tensor x, int dim) {
    static const tg_custom_op op = {"any_softmax", NULL, NULL, softmax_forward, softmax_vjp};
    return tg_custom(&op, &x, 1, tg_shape_of(x), &dim, sizeof dim);
}
OP(softmax_of_dim_0, any_softmax(L(4, 3), 0))
OP(softmax_of_the_middle, any_softmax(L(2, 4, 3), 1))

static tg_tensor normed_planes(tg_tensor x, int batches) {
    static const tg_custom_op op = {"plane_norm", NULL, NULL, plane_norm_forward, plane_norm_vjp};
    return tg_custom(&op, &x, 1, tg_shape_of(x), &batches, sizeof batches);
}
OP(plane_norm, normed_planes(L(2, 2, 3), 2))
OP(whole_norm, normed_planes(L(2, 4), 1))

/* ---- the table ---- */

#define TIMES(make, k, by, name, words) \
    { make, k, times, "", by, TG_MISTAKE_##name, by, 0, words }
#define CHANGED(make, k, change, at, by, name, words) \
    { make, k, change, at, by, TG_MISTAKE_##name, 0, 0, words }
#define PLACES(make, at, ratio, words) \
    { make, 0, at_places, at, 0, TG_MISTAKE_UNKNOWN, 0, ratio, words }
#define WITH(make, k, change, name, words) \
    { make, k, change, "", 0, TG_MISTAKE_##name, 0, 0, words }
#define BOTH(make, change, name, words) \
    {make, 0, change, "", 0, TG_MISTAKE_##name, 0, 0, words}, { make, 1, change, "", 0, TG_MISTAKE_##name, 0, 0, words }
#define ENDS_KEPT(make, k, name, words)                             \
    {make, k, first_kept, "", 0, TG_MISTAKE_##name, 0, 0, words}, { \
        make, k, last_kept, "", 0, TG_MISTAKE_##name, 0, 0, words   \
    }
#define MASKED(make, at, by, name, words) \
    { make, 0, masked, at, by, TG_MISTAKE_##name, 0, 0, words }
#define STORED(make, order, name, words) \
    { make, 0, stored, order, 0, TG_MISTAKE_##name, 0, 0, words }
#define TAIL_LOST(make, at, words) \
    { make, 0, at_places, at, 0, TG_MISTAKE_TAIL, 0, 0, "not computed to the end: " words }

#define UNKNOWN "none of the common mistakes: "
#define ALL_WRONG(n) SOME(n " of " n) IS("0")
#define SOME(n_of) UNKNOWN n_of " elements looked at are wrong"
#define IS(k) "; element " k " is #, not #"
#define RANGE(low, high) "; wrong / right from " low " to " high
#define FROM_ZERO "; wrong / right from 0 to 0"
#define TWICE "2 times the right gradient: accumulated twice, or 1/2 (a mean of 2) forgotten"
#define HALF "half the right gradient: a factor 2 forgotten, or a mean of 2 taken twice"
#define FACTOR_OF "a constant times the right gradient: "
#define FLIPPED "the sign is flipped, and "
#define ROOT "the scale 1/sqrt(d_k) = "
#define SCALE "the forward's scale (or temperature)"
#define PASSED "dy is passed on unchanged: the derivative of the operation is missing"
#define LEAKS "the mask is not applied in the backward: elements that y ignores get a gradient"
#define N_TIMES(n) "n times the right gradient: 1/n is missing (n = " n ")"
#define NTH(n) "1/n of the right gradient: divided by n once too often (n = " n ")"
#define ONE_SLICE(x, d, y)                                                            \
    "not summed over a dim that uses the operand again and again: the gradient of " x \
    " comes from one slice of dim " d " of y " y " alone; sum over that dim"
#define NOT_TIMES_DY "not multiplied by dy, the gradient that arrives"
#define ZERO_ALL "constant zero but for rounding: no gradient comes back (detached, or never added)"
#define DRAWN_ANEW "two equal runs of the backward differ: it draws its random mask anew; keep forward's mask"

static const entry factors[] = {
    TIMES(exp_2x3, 0, -1, SIGN, "the sign is flipped: -1 times the right gradient"),
    {exp_2x3, 0, times, "", 1e-15, TG_MISTAKE_ZERO, 0, 0, ZERO_ALL},
    TIMES(exp_2x3, 0, 1e-12, FACTOR, FACTOR_OF "1e-12"),
    TIMES(exp_2x3, 0, 1.000005, FACTOR, FACTOR_OF "1.000005"),
    TIMES(sum_of_matrix, 0, 1.000005, FACTOR, FACTOR_OF "1.000005"),
    TIMES(exp_2x3, 0, 2.000008, TWICE, TWICE),
    TIMES(exp_2x3, 0, 2.00003, FACTOR, FACTOR_OF "2.00003"),
    TIMES(exp_2x3, 0, 3, FACTOR, FACTOR_OF "3"),
    TIMES(exp_2, 0, 1.5, FACTOR, FACTOR_OF "1.5"),
    {exp_1, 0, times, "", 1.5, TG_MISTAKE_UNKNOWN, 0, 1.5, ALL_WRONG("1")},
    TIMES(exp_2x3, 0, 2, TWICE, TWICE),
    TIMES(exp_2x3, 0, -2, TWICE, FLIPPED TWICE),
    TIMES(exp_2x3, 0, 0.5, HALF, HALF),
    TIMES(exp_2x3, 0, -0.5, HALF, FLIPPED HALF),
    TIMES(mean_of_two, 0, 2, TWICE, TWICE),
    TIMES(mean_of_two, 0, 0.5, HALF, HALF),
    /* numbers of elements: x has 2 x 3 x 5 x 7, y 2 x 7 */
    TIMES(sum_of_4d, 0, 15, MISSING_MEAN, N_TIMES("15")),
    TIMES(sum_of_4d, 0, -15, MISSING_MEAN, FLIPPED N_TIMES("15")),
    TIMES(sum_of_4d, 0, 1 / 15.0, EXTRA_MEAN, NTH("15")),
    TIMES(sum_of_4d, 0, -1 / 15.0, EXTRA_MEAN, FLIPPED NTH("15")),
    TIMES(sum_of_4d, 0, 210, MISSING_MEAN, N_TIMES("210")),
    TIMES(sum_of_4d, 0, 1 / 14.0, EXTRA_MEAN, NTH("14")),
    TIMES(sum_of_4d, 0, 42, FACTOR, FACTOR_OF "42"),
    TIMES(sum_of_4d, 0, 3, MISSING_MEAN, N_TIMES("3")),
    TIMES(sum_of_4d, 0, 11, FACTOR, FACTOR_OF "11"),
    TIMES(expanded, 0, 15, MISSING_MEAN, N_TIMES("15")),
    TIMES(expanded, 0, 3, MISSING_MEAN, N_TIMES("3")),
    TIMES(variance, 0, 4, MISSING_MEAN, N_TIMES("4")),
    TIMES(entropy_of_three, 0, 3, MISSING_MEAN, N_TIMES("3")),
    TIMES(entropy, 0, 3, FACTOR, FACTOR_OF "3"),
    TIMES(entropy, 0, 5, MISSING_MEAN, N_TIMES("5")),
    TIMES(sum_of_planes, 0, 11, MISSING_MEAN, N_TIMES("11")),
    TIMES(sum_of_planes, 0, 6, FACTOR, FACTOR_OF "6"),
    TIMES(sum_of_8d, 0, 3, MISSING_MEAN, N_TIMES("3")),
    {picked_one, 0, times, "", 1.5, TG_MISTAKE_UNKNOWN, 0, 1.5, SOME("1 of 6") ": 3" IS("3")},
    TIMES(product_of_three, 0, 1e-7, FACTOR, FACTOR_OF "1e-07"),
    TIMES(exp_3x5, 0, 15, FACTOR, FACTOR_OF "15"),
    /* roots of sizes */
    TIMES(product_of_three, 0, 2.23606797749979, SCALE,
          ROOT "0.447214 is forgotten in the backward, or its inverse applied twice"),
    TIMES(product_of_three, 1, 1 / 1.7320508075688772, SCALE,
          ROOT "0.57735 is applied twice, or its inverse forgotten"),
    TIMES(product_of_three, 0, -2.23606797749979, SCALE,
          FLIPPED ROOT "0.447214 is forgotten in the backward, or its inverse applied twice"),
    TIMES(product_of_three, 0, -1 / 2.23606797749979, SCALE,
          FLIPPED ROOT "0.447214 is applied twice, or its inverse forgotten"),
    TIMES(product_by_two, 1, 1.4142135623730951, SCALE,
          ROOT "0.707107 is forgotten in the backward, or its inverse applied twice"),
    TIMES(product_of_columns, 0, 1.000005, FACTOR, FACTOR_OF "1.000005"),
    TIMES(sum_of_all, 0, 2.6457513110645907, FACTOR, FACTOR_OF "2.64575131"),
    TIMES(exp_3x5, 0, 2.23606797749979, FACTOR, FACTOR_OF "2.23606798"),
    /* 3 is sqrt(9) and the number of rows */
    TIMES(product_of_three_by_nine, 0, 3, FACTOR, FACTOR_OF "3"),
    TIMES(product_of_vectors, 0, 2.6457513110645907, SCALE,
          ROOT "0.377964 is forgotten in the backward, or its inverse applied twice"),
    /* the forward's scale */
    {thrice, 0, pass_on, "", 0, TG_MISTAKE_SCALE, 1 / 3.0, 0, SCALE " 3 is forgotten in the backward"},
    {thrice_of_two, 0, pass_on, "", 0, TG_MISTAKE_SCALE, 1 / 3.0, 0, SCALE " 3 is forgotten in the backward"},
    WITH(thrice_of_one, 0, pass_on, PASSED_ON, PASSED),
    TIMES(thrice, 0, 3, SCALE, SCALE " 3 is applied twice"),
    TIMES(minus_thrice, 0, -1 / 3.0, SCALE, FLIPPED SCALE " 3 is forgotten in the backward"),
    TIMES(minus_thrice, 0, -3, SCALE, FLIPPED SCALE " 3 is applied twice"),
    TIMES(masked_6, 0, 1 / 3.0, SCALE, SCALE " 3 is forgotten in the backward"),
    TIMES(attention, 0, 1 / 0.3, FACTOR, FACTOR_OF "3.33333333"),
    TIMES(attention, 1, 0.3, FACTOR, FACTOR_OF "0.3"),
    TIMES(attention, 2, 0.3, FACTOR, FACTOR_OF "0.3"),
    TIMES(attention_by_root, 0, 1 / 2.449489742783178, SCALE,
          ROOT "0.408248 is applied twice, or its inverse forgotten"),
    TIMES(square, 0, 1.2, FACTOR, FACTOR_OF "1.2"),
};
static const entry parts[] = {
    WITH(exp_2x3, 0, without_dy, NO_DY, NOT_TIMES_DY),
    WITH(sum_of_squares, 0, without_dy, NO_DY, NOT_TIMES_DY),
    WITH(mean_square, 0, without_dy, NO_DY, NOT_TIMES_DY),
    WITH(softmax, 0, without_dy, ZERO, NULL), /* rounding alone, which is no number that two runs share */
    WITH(exp_2x3, 0, pass_on_twice, UNKNOWN, ALL_WRONG("6") RANGE("#", "#")),
    WITH(exp_2x3, 0, pass_on, PASSED_ON, PASSED),
    WITH(running_sum, 0, pass_on, PASSED_ON, PASSED),
    CHANGED(product, 0, of_another, "", 1, UNKNOWN, UNKNOWN),
    WITH(product, 1, of_another, UNKNOWN, UNKNOWN),
    CHANGED(quotient, 0, of_another, "", 1, UNKNOWN, UNKNOWN),
    CHANGED(layer_norm, 1, of_another, "", 2, UNKNOWN, UNKNOWN),
    PLACES(product_of_sizes, "x.....", 1.5, SOME("1 of 6") ": 0" IS("0")),
    /* a bias */
    WITH(biased, 1, from_first_slice, NOT_SUMMED, ONE_SLICE("(5,)", "0", "(3, 5)")),
    WITH(biased, 1, from_last_slice, NOT_SUMMED, ONE_SLICE("(5,)", "0", "(3, 5)")),
    WITH(biased, 1, from_second_slice, UNKNOWN, ALL_WRONG("5") RANGE("#", "#")),
    WITH(biased_in_3d, 1, from_first_slice, NOT_SUMMED, ONE_SLICE("(5,)", "0", "(2, 3, 5)")),
    CHANGED(biased_in_3d, 1, from_last_slice, "", 1, NOT_SUMMED, ONE_SLICE("(5,)", "1", "(2, 3, 5)")),
    CHANGED(biased_in_the_middle, 1, from_first_slice, "", 1, NOT_SUMMED, ONE_SLICE("(2, 1, 5)", "1", "(2, 3, 5)")),
    ENDS_KEPT(biased_in_3d, 1, UNKNOWN, UNKNOWN),
    WITH(linear, 1, from_first_slice, NOT_SUMMED, ONE_SLICE("(2, 4)", "0", "(3, 2)")),
    CHANGED(linear, 0, from_last_slice, "", 1, UNKNOWN, ALL_WRONG("12") RANGE("#", "#")),
    CHANGED(product_by_two, 0, from_last_slice, "", 1, NOT_SUMMED, ONE_SLICE("(3, 2)", "1", "(3, 5)")),
    CHANGED(weighed_in_the_middle, 1, from_first_slice, "", 1, UNKNOWN, ALL_WRONG("10") RANGE("#", "#")),
    WITH(weighed, 1, from_first_slice, NOT_SUMMED, ONE_SLICE("(5,)", "0", "(2, 4, 5)")),
    WITH(rows_of_table_twice, 0, from_first_slice, UNKNOWN, ALL_WRONG("12") RANGE("#", "#")),
    ENDS_KEPT(rows_of_table, 0, UNKNOWN, UNKNOWN),
    ENDS_KEPT(picked, 0, UNKNOWN, UNKNOWN),
    /* products */
    BOTH(product_of_squares, other_not_turned, UNKNOWN, UNKNOWN),
    BOTH(linear_of_squares, other_not_turned, UNKNOWN, UNKNOWN),
    BOTH(product_of_batches, other_not_turned, UNKNOWN, UNKNOWN),
    BOTH(product_of_more_batches, other_not_turned, UNKNOWN, UNKNOWN),
    WITH(attention_of_squares, 2, dy_turned_times_first_y, UNKNOWN,
         ALL_WRONG("16") RANGE("#", "#")), /* y is no operand */
    /* dims */
    STORED(exp_3x5, "10", TRANSPOSED, "transposed: the right gradient with its last two dims exchanged"),
    STORED(exp_4x4, "10", TRANSPOSED, "transposed: the right gradient with its last two dims exchanged"),
    STORED(exp_2x3x5, "021", TRANSPOSED, "transposed: the right gradient with its last two dims exchanged"),
    STORED(exp_2x3x5, "210", PERMUTED, "dims in another order: the right gradient with: dim 0 exchanged with dim 2"),
    STORED(exp_2x3x5, "102", PERMUTED, "dims in another order: the right gradient with: dim 0 exchanged with dim 1"),
    STORED(exp_2x3x5, "120", PERMUTED, "dims in another order: the right gradient with: dim 0 moved to place 2"),
    STORED(exp_2x3x5, "201", PERMUTED, "dims in another order: the right gradient with: dim 2 moved to place 0"),
    STORED(exp_2x3x4x5, "0213", PERMUTED,
           "dims in another order: the right gradient with: dim 1 exchanged with dim 2 (heads are not moved back?)"),
    STORED(exp_2x3x4x5, "0321", PERMUTED, "dims in another order: the right gradient with: dim 1 exchanged with dim 3"),
    STORED(exp_2x3x4x5, "2103", PERMUTED, "dims in another order: the right gradient with: dim 0 exchanged with dim 2"),
    STORED(exp_2x3x4x5, "0231", PERMUTED, "dims in another order: the right gradient with: dim 1 moved to place 3"),
    STORED(exp_2x3x4x5, "3012", PERMUTED, "dims in another order: the right gradient with: dim 3 moved to place 0"),
    STORED(exp_2x3x4x5, "0132", TRANSPOSED, "transposed: the right gradient with its last two dims exchanged"),
    /* the end */
    TAIL_LOST(exp_12, "..........00", "right up to element 9"),
    TAIL_LOST(exp_12, "...........0", "right up to element 10"),
    TAIL_LOST(exp_12, ".00000000000", "right up to element 0"),
    PLACES(exp_2, ".0", 0, SOME("1 of 2") ": 1" IS("1")),
    TAIL_LOST(exp_3x5, ".....0000000000", "right up to element 4"),
    TAIL_LOST(exp_3x5, "........0000000", "right up to element 7"),
    TAIL_LOST(saturated, ".000", "right up to element 0"),
    PLACES(saturated, "..00", 0, SOME("1 of 4") ": 2; element 2 is 0, not #"),
    PLACES(exp_12, "....x.....00", 2, SOME("3 of 12") ": 4, 10, 11" IS("4") RANGE("0", "2")),
    TAIL_LOST(masked_6, "..0000", "right up to element 0"),
    /* masks */
    WITH(masked_6, 0, pass_on, PASSED_ON, PASSED),
    MASKED(masked_6, "111111", 3, MASK, LEAKS),
    MASKED(masked_2, "11", 3, MASK, LEAKS),
    MASKED(masked_fill, "111111", 1, MASK, LEAKS),
    MASKED(masked_6, "010011", 3, UNKNOWN, UNKNOWN),
    MASKED(masked_2, "01", 3, UNKNOWN, ALL_WRONG("2") FROM_ZERO),
    MASKED(masked_6, "010010", 3, UNKNOWN, SOME("5 of 6") ": 0, 1, 2, 3, 4" IS("0") FROM_ZERO),
    MASKED(masked_unevenly, "010011", 3, UNKNOWN, ALL_WRONG("6") FROM_ZERO),
    MASKED(masked_6, "010011", 2, UNKNOWN, ALL_WRONG("6") FROM_ZERO),
    MASKED(dropped, "101100111000", 2, UNKNOWN, UNKNOWN),
    WITH(causal_attention, 1, forget_mask, UNKNOWN, ALL_WRONG("12") RANGE("#", "#")),
    WITH(causal_attention, 2, forget_mask, UNKNOWN, ALL_WRONG("8") RANGE("#", "#")),
    WITH(attention_with_mask, 0, forget_mask, UNKNOWN, UNKNOWN),
};
static const entry rows[] = {
    WITH(softmax, 0, diagonal, UNKNOWN, UNKNOWN),
    WITH(softmax, 0, y_dy, UNKNOWN, UNKNOWN),
    WITH(log_softmax, 0, diagonal, UNKNOWN, UNKNOWN),
    WITH(softmax, 0, off_diagonal, UNKNOWN, UNKNOWN),
    CHANGED(softmax, 0, sum_along, "", 1, UNKNOWN, UNKNOWN),
    CHANGED(layer_norm, 0, of_rows, "m", 0, UNKNOWN, UNKNOWN),
    CHANGED(layer_norm, 0, of_rows, "v", 0, UNKNOWN, UNKNOWN),
    CHANGED(layer_norm, 0, of_rows, "mv", 0, UNKNOWN, UNKNOWN),
    CHANGED(layer_norm, 0, of_rows, "0", 0, UNKNOWN, UNKNOWN),
    CHANGED(layer_norm, 0, of_rows, "o", 0, UNKNOWN, UNKNOWN),
    CHANGED(layer_norm, 0, of_rows, "0!", 0, UNKNOWN, UNKNOWN),
    CHANGED(layer_norm, 0, of_rows, "o!", 0, UNKNOWN, UNKNOWN),
    CHANGED(layer_norm_alone, 0, of_rows, "m", 0, UNKNOWN, UNKNOWN),
    CHANGED(layer_norm_alone, 0, of_rows, "v", 0, UNKNOWN, UNKNOWN),
    CHANGED(layer_norm_of_three, 0, of_rows, "m", 0, UNKNOWN, UNKNOWN),
    CHANGED(layer_norm_of_three, 0, of_rows, "0", 0, UNKNOWN, UNKNOWN),
    CHANGED(rms_norm, 0, of_rows, "v", 0, UNKNOWN, UNKNOWN),
    CHANGED(rms_norm, 0, of_rows, "0", 0, UNKNOWN, UNKNOWN),
    CHANGED(rms_norm, 0, of_rows, "o!", 0, UNKNOWN, UNKNOWN),
    CHANGED(rms_norm_of_two, 0, of_rows, "o", 0, UNKNOWN, UNKNOWN),
    CHANGED(layer_norm_of_every_second, 0, of_rows, "m", 0, UNKNOWN, UNKNOWN),
    CHANGED(layer_norm_of_small_weights, 0, of_rows, "v", 0, UNKNOWN, UNKNOWN),
    WITH(entropy_of_one_class, 0, plus_dy, UNKNOWN, SOME("8 of 8") "; element 0 is #, not 0"),
    WITH(smoothed_entropy, 0, forget_smoothing, UNKNOWN, UNKNOWN),
    WITH(smoothed_entropy_of_two, 0, forget_smoothing, UNKNOWN, ALL_WRONG("8") "; wrong / right from # to #"),
    WITH(entropy, 0, forget_target, UNKNOWN, UNKNOWN),
    PLACES(entropy, "..x.x......x.x.....x", 1.75, SOME("5 of 20") ": 2, 4, 11, 13, 19" IS("2") RANGE("1.75", "3.875")),
    WITH(entropy_of_each, 0, forget_target, UNKNOWN, UNKNOWN),
    WITH(entropy_of_three, 0, forget_target, UNKNOWN, UNKNOWN),
    WITH(entropy_of_one, 0, forget_target, UNKNOWN, UNKNOWN),
};
/* Custom operations, which have float64 only. */
static const entry custom_rows[] = {
    WITH(softmax_of_dim_0, 0, sum_along, UNKNOWN, UNKNOWN),
    CHANGED(softmax_of_the_middle, 0, sum_along, "", 1, UNKNOWN, UNKNOWN),
    CHANGED(plane_norm, 0, of_planes, "m", 2, UNKNOWN, UNKNOWN),
    CHANGED(plane_norm, 0, of_planes, "v", 2, UNKNOWN, UNKNOWN),
    CHANGED(plane_norm, 0, of_planes, "mv", 2, UNKNOWN, UNKNOWN),
    CHANGED(plane_norm, 0, of_planes, "o", 2, UNKNOWN, UNKNOWN),
    CHANGED(whole_norm, 0, of_planes, "m", 1, UNKNOWN, UNKNOWN),
    CHANGED(whole_norm, 0, of_planes, "0", 1, UNKNOWN, UNKNOWN),
};
static const entry places[] = {
    PLACES(signs, "x........", 1.5, SOME("1 of 9") ": 0" IS("0")),
    PLACES(signs, "........x", 2.5, SOME("1 of 9") ": 8" IS("8")),
    PLACES(signs, ".......x.", 2.375, SOME("1 of 9") ": 7" IS("7")),
    PLACES(signs, "x...xx...", 1.5, SOME("3 of 9") ": 0, 4, 5" IS("0") RANGE("1.5", "2.125")),
    PLACES(signs, "...x..xx.", 1.875, SOME("3 of 9") ": 3, 6, 7" IS("3") RANGE("1.875", "2.375")),
    PLACES(signs, ".....xxxx", 2.125, SOME("4 of 9") ": 5, 6, 7, 8" IS("5") RANGE("2.125", "2.5")),
    PLACES(signs, "xxxxxxxx.", 1.5, SOME("8 of 9") ": 0, 1, 2, 3, 4, 5, 6, 7" IS("0") RANGE("1.5", "2.375")),
    PLACES(signs, "xxxxxxxxx", 1.5, ALL_WRONG("9") RANGE("1.5", "2.5")),
    PLACES(exp_12, ".xxxxxxxxx..", 1.625,
           SOME("9 of 12") ": 1, 2, 3, 4, 5, 6, 7, 8, ..." IS("1") RANGE("1.625", "2.625")),
    PLACES(signs, ".2...2...", 2, SOME("2 of 9") ": 1, 5" IS("1") RANGE("2", "2")),
    PLACES(signs, ".2...-...", 2, SOME("2 of 9") ": 1, 5" IS("1") RANGE("-1", "2")),
    PLACES(exp_2x2x2, "..xx..xx", 1.75, SOME("4 of 8") ": 2, 3, 6, 7" IS("2") RANGE("1.75", "2.375")),
    PLACES(masked_6, ".d..d.", 0, SOME("2 of 6") ": 1, 4; element 1 is #, not 0"),
    PLACES(square_of_small, "xxxx", 1.5, ALL_WRONG("4") RANGE("1.5", "1.875")),
    WITH(exp_2x3, 0, over_x, UNKNOWN, ALL_WRONG("6") RANGE("#", "#")),
    WITH(exp_1, 0, over_x, UNKNOWN, ALL_WRONG("1")),
    WITH(sum_of_squares, 0, over_x, UNKNOWN, ALL_WRONG("15") RANGE("#", "#")),
    WITH(exp_2x3, 0, times_y, UNKNOWN, ALL_WRONG("6") RANGE("#", "#")),
    /* a little aside it is not 0 */
    {square_of_whole_numbers, 0, times_distance_to_whole, "", 0, TG_MISTAKE_UNKNOWN, 0, 1e-16,
     ALL_WRONG("4") RANGE("1e-16", "1e-16")},
    CHANGED(exp_8, 0, times_size_of_dy, "", 0, UNKNOWN,
            UNKNOWN "not linear in dy, as every VJP is; 8 of 8 elements looked at are wrong" IS("0") RANGE("#", "#")),
};
static const entry runs[] = {
    CHANGED(exp_8, 0, at_places, "..~....~", 0, NOT_FINITE, "not finite: element 2 of the gradient is #"),
    CHANGED(exp_8, 0, at_places, ".......~", 0, NOT_FINITE, "not finite: element 7 of the gradient is #"),
    TIMES(exp_8, 0, 0, ZERO, ZERO_ALL),
    WITH(exp_8, 0, overwrite, OVERWRITE, "= instead of +=: what the gradient held before is lost"),
    WITH(product, 1, overwrite, OVERWRITE, "= instead of +=: what the gradient held before is lost"),
    WITH(exp_8, 0, keep_adding, STALE, "a buffer of the backward keeps its content"),
    WITH(masked_6, 0, keep_adding, STALE, "a buffer of the backward keeps its content"),
    CHANGED(thrice, 0, masked_anew, "", 3, NONDETERMINISTIC, "two equal runs of the backward differ"),
    WITH(thrice, 0, first_masked_anew, NONDETERMINISTIC, "two equal runs of the backward differ"),
    WITH(thrice, 0, first_masked_after_adding, NONDETERMINISTIC, NULL), /* alone, opened anew, no call was before it */
    CHANGED(exp_8, 0, counts_calls, "", 1e-3, NONDETERMINISTIC, "two equal runs of the backward differ"),
    CHANGED(millionth, 0, differs, "", 1e-3, NONDETERMINISTIC, "two equal runs of the backward differ"),
    CHANGED(masked_6, 0, differs, "", 1e-7, NONDETERMINISTIC, "two equal runs of the backward differ"),
    CHANGED(exp_8, 0, differs, "", 1e-3, NONDETERMINISTIC, "two equal runs of the backward differ"),
    CHANGED(dropped, 0, differs, "", 1e-3, REDRAWN, DRAWN_ANEW),
};
/* ---- checking ---- */

/* Whether got begins with these words, with a number wherever they have #. The first two go to number. */
static bool begins(const char *got, const char *words, double *number) {
    int n = 0;
    for (; *words; words++) {
        if (*words != '#' && *words != *got++)
            return false;
        if (*words != '#')
            continue;
        char *end;
        double value = strtod(got, &end);
        if (end == got)
            return false;
        if (n < 2)
            number[n++] = value;
        got = end;
    }
    return true;
}

static bool has_words(const char *got, const char *words, double *number) {
    for (; *got; got++)
        if (begins(got, words, number))
            return true;
    return false;
}

static bool is_said(const entry *e, const tg_gradcheck_result *r) {
    double numbers[2] = {0, 1};
    if (!e->words)
        return true;
    return has_words(r->diagnosis, e->words, numbers) &&
           (e->ratio == 0 || fabs(numbers[0] / numbers[1] - e->ratio) <= 1e-4 * e->ratio) && r->mistake == e->mistake &&
           fabs(r->factor - e->factor) <= 1e-6 * fabs(e->factor) && !strcmp(r->op, fault.right->name) &&
           r->operand == e->operand + 1;
}

/* The mistake is in float64's VJP, which both tapes are checked by. */
static int miss(const entry *e, const char *table, size_t number, tg_dtype dtype) {
    memory m = {.refuse = -1};
    tg_tape *t = memory_tape(&m, dtype);
    tg_tensor y = e->make(t);
    WANT_OK(t);
    tg_op wrong;
    tg_gradcheck_result r;
    const fault_kind kind = {"", e->mistake, e->change, e->by, e->at};
    plant_fault(t->nodes[y.index], &wrong, &kind, e->operand, TG_F64);
    tg_status status = tg_gradcheck(y, TG_GRADCHECK_DEFAULTS, &r);
    bool said = status == TG_ERR_NUMERIC && is_said(e, &r);
    if (!said)
        printf("%s %zu (%s), %s: '%s', not '%s': %s\n", table, number, fault.right->name, tg_dtype_name(dtype),
               r.diagnosis, e->words ? e->words : "", r.summary);
    forget_fault();
    memory_free(&m);
    return !said;
}

static void want_diagnoses(const entry *e, const char *table, size_t n, tg_dtype last) {
    int missed = 0;
    for (size_t i = 0; i < n; i++)
        for (int dtype = TG_F64; dtype >= (int)last; dtype--)
            missed += miss(&e[i], table, i, (tg_dtype)dtype);
    fflush(stdout); /* check ends a failed test without it */
    ck_assert_msg(!missed, "%d of %s", missed, table);
}

#define TABLE_TEST(name, table, last)                                         \
    START_TEST(name)                                                          \
    { want_diagnoses(table, #table, sizeof(table) / sizeof *(table), last); } \
    END_TEST
TABLE_TEST(factors_are_named, factors, TG_F32)
TABLE_TEST(parts_are_named, parts, TG_F32)
TABLE_TEST(mistakes_in_rows_are_described, rows, TG_F32)
TABLE_TEST(mistakes_in_rows_of_custom_operations_are_described, custom_rows, TG_F64)
TABLE_TEST(what_has_no_name_is_described, places, TG_F32)
TABLE_TEST(runs_that_differ_are_named, runs, TG_F32)

SUITE("diagnosis", factors_are_named, parts_are_named, mistakes_in_rows_are_described,
      mistakes_in_rows_of_custom_operations_are_described, what_has_no_name_is_described, runs_that_differ_are_named)
