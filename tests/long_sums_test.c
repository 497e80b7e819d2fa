/* Sums of hundreds of thousands of float32 numbers, forward and backward, are those of long double up to a few
 * roundings. The other tests' sums are so short that a double which became a float shows in none of them. */
#include "optim/optim.h"
#include "tests/support.h"

enum { N = 300007 }; /* no whole number of any kernel's blocks */

/* Units of 2^-24 of the exact number that a result may be off by. Rounded once, from a double, it is off by one at
 * most; two roundings more are those of the terms, where they are all alike, or of a logarithm. A sum in pairs has some
 * thirty roundings, which half cancel. One after another in float32 it is off by the square root of its terms or so:
 * the gradients of what every row shares, and products without vectors. */
#define ONCE 1.001
#define FEW 3
#define IN_PAIRS 6
#define ONE_AFTER_ANOTHER 300

static float data[N], weight[N], got[N];
static const int64_t zeros[N];
static tg_tape *t;

/* Uniform in [0.5, 1.5): of one sign, so that nothing cancels. */
static void start(void) {
    uint64_t state = 1;
    for (int i = 0; i < 2 * N; i++) {
        state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        (i < N ? data : weight)[i % N] = 0.5F + (float)(state >> 40) * 0x1p-24F;
    }
    t = tg_tape_new(TG_F32);
}

static void stop(void) { tg_tape_free(t); }

static tg_tensor x_of(tg_shape shape) { return wanting(tg_from_floats(t, shape, data)); }
static tg_tensor w_of(tg_shape shape) { return wanting(tg_from_floats(t, shape, weight)); }
static tg_tensor ones(tg_shape shape) { return wanting(tg_ones(t, shape)); }

static const float *read(tg_tensor x) {
    ck_assert_msg(tg_read_floats(x, got, tg_numel(x)) == TG_OK, "%s", tg_error(t));
    return got;
}

static void want(const char *what, float value, long double exact, double units) {
    double apart = (double)(fabsl((long double)value - exact) / fabsl(exact)) * 0x1p24;
    ck_assert_msg(apart <= units, "%s is %.9g, expected %.9g: %.3g units of 2^-24, allowed are %g", what, (double)value,
                  (double)exact, apart, units);
}

static void want_one(const char *what, tg_tensor y, long double exact, double units) {
    want(what, read(y)[0], exact, units);
}

START_TEST(running_sums_are_those_of_long_double)
{
    long double sum = 0;
    tg_tensor x = x_of(TG_SHAPE(N)), y = tg_cumsum(x, 0);
    ck_assert_int_eq(tg_backward_with(y, w_of(TG_SHAPE(N))), TG_OK);
    read(y);
    for (int i = 0; i < N; i++) {
        sum += (long double)data[i];
        if (i % 1000 == 7)
            want("cumsum", got[i], sum, ONCE);
    }
    read(tg_grad(x));
    sum = 0;
    for (int i = N; i-- > 0;) {
        sum += (long double)weight[i];
        if (i % 1000 == 7)
            want("cumsum's gradient", got[i], sum, ONCE);
    }
}
END_TEST

static long double sum_of(const float *x, int n) {
    long double sum = 0;
    for (int i = 0; i < n; i++)
        sum += (long double)x[i];
    return sum;
}

/* sum of |x - shift|^p */
static long double powers(long double p, long double shift) {
    long double sum = 0;
    for (int i = 0; i < N; i++)
        sum += powl(fabsl((long double)data[i] - shift), p);
    return sum;
}

START_TEST(reductions_are_those_of_long_double)
{
    tg_tensor x = x_of(TG_SHAPE(N));
    long double sum = sum_of(data, N), mean = sum / N, var = powers(2, mean) / (N - 1);
    want_one("sum", tg_sum(x, TG_ALL_DIMS, false), sum, IN_PAIRS);
    want_one("mean", tg_mean(x, TG_ALL_DIMS, false), mean, IN_PAIRS);
    want_one("var", tg_var(x, TG_ALL_DIMS, 1, false), var, IN_PAIRS);
    want_one("std", tg_std(x, TG_ALL_DIMS, 1, false), sqrtl(var), IN_PAIRS);
    want_one("norm 1", tg_norm(x, 1, TG_ALL_DIMS, false), sum, ONCE);
    want_one("norm 2", tg_norm(x, 2, TG_ALL_DIMS, false), sqrtl(powers(2, 0)), ONCE);
    want_one("norm 3", tg_norm(x, 3, TG_ALL_DIMS, false), cbrtl(powers(3, 0)), ONCE);
}
END_TEST

/* Equal numbers: what is lost in a sum is lost in the same direction each time. */
START_TEST(mean_squares_are_those_of_long_double)
{
    tg_tensor x = tg_full(t, TG_SHAPE(N), 0.1), z = tg_zeros(t, TG_SHAPE(N));
    long double square = (long double)0.1F * (long double)0.1F;
    want_one("mse_loss", tg_mse_loss(x, z, TG_MEAN), square, FEW);
    want_one("mse_loss, sum", tg_mse_loss(x, z, TG_SUM), N * square, FEW);
}
END_TEST

START_TEST(rows_of_weights_are_summed_as_in_long_double)
{
    tg_tensor x = x_of(TG_SHAPE(N)), y = tg_softmax(x, 0), z = tg_log_softmax(x, 0);
    long double sum = 0, dot = 0, dy = 0;
    weight[0] = 0;
    for (int i = 0; i < N; i++) {
        sum += expl((long double)data[i]);
        dot += expl((long double)data[i]) * (long double)weight[i];
        dy += (long double)weight[i];
    }
    long double p = expl((long double)data[0]) / sum;
    want_one("softmax", y, p, IN_PAIRS);
    want_one("log_softmax", z, (long double)data[0] - logl(sum), FEW);
    want_one("logsumexp", tg_logsumexp(x, TG_ALL_DIMS, false), logl(sum), FEW);
    tg_tensor w = w_of(TG_SHAPE(N));
    ck_assert_int_eq(tg_backward_with(y, w), TG_OK);
    want_one("softmax's gradient", tg_grad(x), -p * dot / sum, IN_PAIRS);
    tg_zero_grads(t);
    ck_assert_int_eq(tg_backward_with(z, w), TG_OK);
    want_one("log_softmax's gradient", tg_grad(x), -p * dy, IN_PAIRS);
}
END_TEST

/* What many rows share gets the sum of their gradients. */
START_TEST(operands_shared_by_rows_are_summed_as_in_long_double)
{
    long double dot = 0, sum = sum_of(weight, N);
    for (int i = 0; i < N; i++)
        dot += (long double)data[i] * (long double)weight[i];
    want_one("matmul", tg_matmul(x_of(TG_SHAPE(1, N)), w_of(TG_SHAPE(N, 1))), dot, ONE_AFTER_ANOTHER);
    tg_tensor w = ones(TG_SHAPE(1, 1)), b = ones(TG_SHAPE(1)), dy = w_of(TG_SHAPE(N, 1));
    ck_assert_int_eq(tg_backward_with(tg_linear(x_of(TG_SHAPE(N, 1)), w, b), dy), TG_OK);
    want_one("linear's weight", tg_grad(w), dot, ONE_AFTER_ANOTHER);
    want_one("linear's bias", tg_grad(b), sum, FEW);
    w = ones(TG_SHAPE(2, 1));
    ck_assert_int_eq(tg_backward_with(tg_embedding(w, tg_from_ints(t, TG_SHAPE(N), zeros)), dy), TG_OK);
    want_one("embedding's weight", tg_grad(w), sum, ONE_AFTER_ANOTHER);
    w = ones(TG_SHAPE(1, 1));
    ck_assert_int_eq(tg_backward_with(tg_expand(w, TG_SHAPE(N, 1)), dy), TG_OK);
    want_one("what was expanded", tg_grad(w), sum, FEW);
    w = ones(TG_SHAPE(1, 4));
    ck_assert_int_eq(tg_backward_with(tg_expand(w, TG_SHAPE(N, 4)), tg_expand(dy, TG_SHAPE(N, 4))), TG_OK);
    want_one("what was expanded to rows", tg_grad(w), sum, FEW);
}
END_TEST

/* In blocks of rows, each one row after another. */
START_TEST(layer_norms_weights_are_summed_as_in_long_double)
{
    enum { ROWS = N / 4 };
    tg_tensor w = ones(TG_SHAPE(4)), b = ones(TG_SHAPE(4)), y = tg_layer_norm(x_of(TG_SHAPE(ROWS, 4)), w, b, 0);
    tg_tensor dy = tg_expand(tg_from_floats(t, TG_SHAPE(ROWS, 1), weight), TG_SHAPE(ROWS, 4));
    ck_assert_int_eq(tg_backward_with(y, dy), TG_OK);
    want_one("layer_norm's bias", tg_grad(b), sum_of(weight, ROWS), FEW);
}
END_TEST

START_TEST(cross_entropy_of_many_rows_is_that_of_long_double)
{
    enum { ROWS = N / 2 };
    const double share = 0.1;
    const float of_class[] = {0.3F, 0.7F};
    long double sum = 0, smooth = 0, each[2];
    for (int i = 0; i < ROWS; i++) {
        const float *x = data + 2 * i;
        long double log_sum = logl(expl((long double)x[0]) + expl((long double)x[1]));
        for (int k = 0; k < 2; k++)
            each[k] = (long double)of_class[k] * (log_sum - (long double)x[k]);
        sum += log_sum - (long double)x[0];
        smooth += (1 - (long double)share) * each[0] + (long double)share / 2 * (each[0] + each[1]);
    }
    tg_tensor x = x_of(TG_SHAPE(ROWS, 2)), target = tg_from_ints(t, TG_SHAPE(ROWS), zeros);
    tg_cross_entropy_config c = TG_CROSS_ENTROPY_DEFAULTS;
    want_one("cross_entropy", tg_cross_entropy(x, target, TG_IGNORE_INDEX, TG_MEAN), sum / ROWS, FEW);
    c.weight = tg_from_floats(t, TG_SHAPE(2), of_class);
    c.label_smoothing = share;
    want_one("with weights", tg_cross_entropy_with(x, target, c), smooth / ROWS / (long double)of_class[0], FEW);
    c.reduction = TG_SUM;
    want_one("their sum", tg_cross_entropy_with(x, target, c), smooth, FEW);
}
END_TEST

/* All of the target is spread over the classes. */
START_TEST(cross_entropy_of_many_classes_is_that_of_long_double)
{
    long double sum = 0;
    for (int i = 0; i < N; i++)
        sum += expl((long double)data[i]);
    tg_cross_entropy_config c = TG_CROSS_ENTROPY_DEFAULTS;
    c.label_smoothing = 1;
    tg_tensor y = tg_cross_entropy_with(x_of(TG_SHAPE(1, N)), tg_from_ints(t, TG_SHAPE(1), zeros), c);
    want_one("cross_entropy_with", y, logl(sum) - sum_of(data, N) / N, FEW);
}
END_TEST

START_TEST(the_norm_of_equal_gradients_is_that_of_long_double)
{
    double norm;
    tg_tensor x = x_of(TG_SHAPE(N));
    tg_list all = {t, 1, &x};
    ck_assert_int_eq(tg_backward_with(tg_add_scalar(x, 1), tg_full(t, TG_SHAPE(N), 0.1)), TG_OK);
    ck_assert_int_eq(tg_clip_grad_norm(all, INFINITY, 2, &norm), TG_OK);
    want("sqrt(sum of g^2)", (float)norm, sqrtl(N) * (long double)0.1F, ONCE);
    ck_assert_int_eq(tg_clip_grad_norm(all, INFINITY, 1, &norm), TG_OK);
    want("sum of |g|", (float)norm, N * (long double)0.1F, ONCE);
}
END_TEST

int main(void) {
    const TTest *const tests[] = {running_sums_are_those_of_long_double,
                                  reductions_are_those_of_long_double,
                                  mean_squares_are_those_of_long_double,
                                  rows_of_weights_are_summed_as_in_long_double,
                                  operands_shared_by_rows_are_summed_as_in_long_double,
                                  layer_norms_weights_are_summed_as_in_long_double,
                                  cross_entropy_of_many_rows_is_that_of_long_double,
                                  cross_entropy_of_many_classes_is_that_of_long_double,
                                  the_norm_of_equal_gradients_is_that_of_long_double};
    return run_tests("long sums", tests, sizeof tests / sizeof *tests, start, stop);
}
