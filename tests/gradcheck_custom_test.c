/* Mistakes in custom operations, which have double only, where numbers are hard to see: far from 0, at 0, tiny, beside
 * others that are large; and what a callback keeps from call to call. Right gradients in the same places are not
 * accused. */
#include "tests/support.h"

#include <math.h>

enum { SEEDS = 10, N = 6 };

static double normal(tg_rng_state *g) {
    return sqrt(-2 * log(1 - tg_rng_double(g))) * cos(6.283185307179586 * tg_rng_double(g));
}

/* size normal + offset */
static tg_tensor random_leaf(tg_tape *t, int64_t n, uint64_t seed, double size, double offset) {
    double values[64];
    tg_rng_state g;
    tg_rng_seed(&g, seed);
    for (int64_t i = 0; i < n; i++)
        values[i] = size * normal(&g) + offset;
    return wanting(tg_from_doubles(t, TG_SHAPE(n), values));
}

static tg_gradcheck_result check(tg_tensor y, tg_gradcheck_mode mode) {
    tg_gradcheck_config config = TG_GRADCHECK_DEFAULTS;
    tg_gradcheck_result r;
    config.mode = mode;
    tg_status status = tg_gradcheck(y, config, &r);
    ck_assert_msg((status == TG_OK) == (r.verdict == TG_GRAD_RIGHT || r.verdict == TG_GRAD_KINK), "%s", r.summary);
    return r;
}

#define OPERATION(op) static const tg_custom_op op = {.name = #op, .forward_f64 = op##_forward, .vjp_f64 = op##_vjp}

/* ---- far from 0 ---- */

/* The context of these: by what the right gradient is multiplied. */
static int sine_forward(const tg_call *c) {
    for (int i = 0; i < N; i++)
        ((double *)c->output)[i] = sin(((const double *)c->input[0])[i]);
    return 0;
}

static int sine_vjp(const tg_call *c) {
    const double *x = c->input[0], *dy = c->output_grad;
    for (int i = 0; i < N; i++)
        ((double *)c->input_grad[0])[i] += *(const double *)c->context * dy[i] * cos(x[i]);
    return 0;
}

OPERATION(sine);

static int fast_sine_forward(const tg_call *c) {
    for (int i = 0; i < N; i++)
        ((double *)c->output)[i] = sin(1e4 * ((const double *)c->input[0])[i]);
    return 0;
}

static int fast_sine_vjp(const tg_call *c) {
    const double *x = c->input[0], *dy = c->output_grad;
    for (int i = 0; i < N; i++)
        ((double *)c->input_grad[0])[i] += *(const double *)c->context * dy[i] * 1e4 * cos(1e4 * x[i]);
    return 0;
}

OPERATION(fast_sine);

static double mean_and_deviation(const double *x, double *deviation) {
    double mean = 0, squares = 0;
    for (int i = 0; i < N; i++)
        mean += x[i] / N;
    for (int i = 0; i < N; i++)
        squares += (x[i] - mean) * (x[i] - mean) / N;
    *deviation = sqrt(squares + 1e-5);
    return mean;
}

static int norm_forward(const tg_call *c) {
    const double *x = c->input[0];
    double deviation, mean = mean_and_deviation(x, &deviation);
    for (int i = 0; i < N; i++)
        ((double *)c->output)[i] = (x[i] - mean) / deviation;
    return 0;
}

static int norm_vjp(const tg_call *c) {
    const double *x = c->input[0], *dy = c->output_grad;
    double deviation, mean = mean_and_deviation(x, &deviation), sum = 0, weighted = 0;
    for (int i = 0; i < N; i++) {
        sum += dy[i] / N;
        weighted += dy[i] * (x[i] - mean) / deviation / N;
    }
    for (int i = 0; i < N; i++) {
        double dx = (dy[i] - sum - (x[i] - mean) / deviation * weighted) / deviation;
        ((double *)c->input_grad[0])[i] += *(const double *)c->context * dx;
    }
    return 0;
}

OPERATION(norm);

/* Its deviation taken for a constant. */
static int frozen_vjp(const tg_call *c) {
    const double *x = c->input[0], *dy = c->output_grad;
    double deviation, sum = 0;
    (void)mean_and_deviation(x, &deviation);
    for (int i = 0; i < N; i++)
        sum += dy[i] / N;
    for (int i = 0; i < N; i++)
        ((double *)c->input_grad[0])[i] += (dy[i] - sum) / deviation;
    return 0;
}

static const tg_custom_op frozen = {.name = "frozen", .forward_f64 = norm_forward, .vjp_f64 = frozen_vjp};

/* tanh(x[i] - x[i + 1]) */
static int difference_forward(const tg_call *c) {
    const double *x = c->input[0];
    for (int i = 0; i < N; i++)
        ((double *)c->output)[i] = tanh(x[i] - x[(i + 1) % N]);
    return 0;
}

static int difference_vjp(const tg_call *c) {
    const double *y = c->output, *dy = c->output_grad;
    for (int i = 0; i < N; i++) {
        double part = *(const double *)c->context * dy[i] * (1 - y[i] * y[i]);
        ((double *)c->input_grad[0])[i] += part;
        ((double *)c->input_grad[0])[(i + 1) % N] -= part;
    }
    return 0;
}

OPERATION(difference);

static tg_gradcheck_result check_at(const tg_custom_op *op, double offset, double factor, uint64_t seed,
                                    tg_gradcheck_mode mode) {
    tg_tape *t = tg_tape_new(TG_F64);
    tg_tensor x = random_leaf(t, N, seed, 1, offset);
    tg_gradcheck_result r = check(tg_custom(op, &x, 1, TG_SHAPE(N), &factor, sizeof factor), mode);
    tg_tape_free(t);
    return r;
}

/* Where steps relative to x are wider than what the operation varies by, or rounding of x moves y by 1e-10. */
START_TEST(a_multiple_far_from_0_is_not_right)
{
    static const struct {
        const tg_custom_op *op;
        double offset;
    } at[] = {{&sine, 3e4},       {&sine, 1e6},    {&norm, 1e3},       {&norm, 1e4},
              {&norm, 1e5},       {&norm, 1e6},    {&difference, 1e3}, {&difference, 1e5},
              {&difference, 1e6}, {&fast_sine, 0}, {&fast_sine, 100}};
    static const double factor[] = {1, 2, -1, 1.01, 1.001};
    for (size_t i = 0; i < sizeof at / sizeof *at; i++)
        for (int seed = 1; seed <= SEEDS; seed++)
            for (int k = 0; k < 10; k++) {
                tg_gradcheck_result r =
                    check_at(at[i].op, at[i].offset, factor[k / 2], (uint64_t)seed, (tg_gradcheck_mode)(k % 2));
                ck_assert_msg(r.verdict == (k < 2 ? TG_GRAD_RIGHT : TG_GRAD_WRONG), "%s at %g, times %g, seed %d: %s",
                              at[i].op->name, at[i].offset, factor[k / 2], seed, r.summary);
            }
}
END_TEST

START_TEST(a_norm_without_a_term_far_from_0_is_wrong)
{
    for (double offset = 1e3; offset < 1e7; offset *= 10)
        for (int k = 0; k < 2 * SEEDS; k++) {
            tg_gradcheck_result r = check_at(&frozen, offset, 1, (uint64_t)k / 2 + 1, (tg_gradcheck_mode)(k % 2));
            ck_assert_msg(r.verdict == TG_GRAD_WRONG, "at %g, %d: %s", offset, k, r.summary);
        }
}
END_TEST

/* x^2 in float, 1e6 and more, and sin x: where steps are wide enough for the one they pass over the other. */
static int mixed_forward(const tg_call *c) {
    const double *x = c->input[0];
    for (int i = 0; i < N; i++)
        ((double *)c->output)[i] = (double)(float)(x[i] * x[i]) + sin(x[i]);
    return 0;
}

static int mixed_vjp(const tg_call *c) {
    const double *x = c->input[0], *dy = c->output_grad;
    for (int i = 0; i < N; i++)
        ((double *)c->input_grad[0])[i] += *(const double *)c->context * dy[i] * (2 * x[i] + cos(x[i]));
    return 0;
}

OPERATION(mixed);

START_TEST(a_small_part_beside_float_is_not_wrong)
{
    for (double offset = 1e3; offset < 1e5; offset *= 10)
        for (int k = 0; k < 4 * SEEDS; k++) {
            double factor = k / 2 % 2 ? 2 : 1;
            tg_gradcheck_result r = check_at(&mixed, offset, factor, (uint64_t)k / 4 + 1, (tg_gradcheck_mode)(k % 2));
            ck_assert_msg((r.verdict == TG_GRAD_WRONG) == (factor > 1), "at %g, times %g: %s", offset, factor,
                          r.summary);
        }
}
END_TEST

/* ---- tiny, and beside large numbers ---- */

/* log cosh(a b), which cancels log 2. */
static int log_cosh_forward(const tg_call *c) {
    const double *a = c->input[0], *b = c->input[1];
    for (int i = 0; i < N; i++) {
        double z = fabs(a[i] * b[i]);
        ((double *)c->output)[i] = z + log1p(exp(-2 * z)) - log(2);
    }
    return 0;
}

static int log_cosh_vjp(const tg_call *c) {
    const double *a = c->input[0], *b = c->input[1], *dy = c->output_grad;
    for (int i = 0; i < N; i++) {
        double dz = dy[i] * tanh(a[i] * b[i]);
        ((double *)c->input_grad[0])[i] += dz * b[i];
        ((double *)c->input_grad[1])[i] += *(const double *)c->context * dz * a[i];
    }
    return 0;
}

OPERATION(log_cosh);

START_TEST(a_tiny_gradient_of_the_wrong_sign_is_wrong)
{
    for (int seed = 1; seed <= SEEDS; seed++)
        for (int k = 0; k < 8; k++) {
            tg_tape *t = tg_tape_new(TG_F64);
            double size = k / 4 ? 1e-3 : 1e-2, factor = k / 2 % 2 ? -1 : 1;
            tg_tensor x[] = {random_leaf(t, N, (uint64_t)seed, size, size),
                             random_leaf(t, N, (uint64_t)seed + 50, size, size)};
            tg_gradcheck_result r =
                check(tg_custom(&log_cosh, x, 2, TG_SHAPE(N), &factor, sizeof factor), (tg_gradcheck_mode)(k % 2));
            ck_assert_msg(r.verdict == (factor < 0 ? TG_GRAD_WRONG : TG_GRAD_RIGHT), "size %g, times %g, seed %d: %s",
                          size, factor, seed, r.summary);
            tg_tape_free(t);
        }
}
END_TEST

static int square_forward(const tg_call *c) {
    for (int i = 0; i < N; i++)
        ((double *)c->output)[i] = ((const double *)c->input[0])[i] * ((const double *)c->input[0])[i];
    return 0;
}

static int square_vjp(const tg_call *c) {
    for (int i = 0; i < N; i++)
        ((double *)c->input_grad[0])[i] +=
            *(const double *)c->context * 2 * ((const double *)c->input[0])[i] * ((const double *)c->output_grad)[i];
    return 0;
}

OPERATION(square);

static tg_tensor mean_square(tg_tensor x) { return tg_mean(tg_mul(x, x), TG_ALL_DIMS, false); }

/* y is 1e-12 to 1e-32 */
START_TEST(numbers_that_are_tiny_hide_no_factor)
{
    static const double factors[] = {1, 2, -1, 1.001, 0}, sizes[] = {1e-6, 1e-8};
    for (int seed = 1; seed <= SEEDS; seed++)
        for (int k = 0; k < 40; k++) {
            tg_tape *t = tg_tape_new(TG_F64);
            double factor = factors[k / 8], size = sizes[k / 4 % 2];
            tg_tensor x = random_leaf(t, N, (uint64_t)seed, size, size);
            tg_tensor y = tg_custom(&square, &x, 1, TG_SHAPE(N), &factor, sizeof factor);
            tg_gradcheck_result r = check(k / 2 % 2 ? mean_square(y) : y, (tg_gradcheck_mode)(k % 2));
            ck_assert_msg(r.verdict == (factor == 1 ? TG_GRAD_RIGHT : TG_GRAD_WRONG),
                          "size %g, times %g, mode %d, seed %d: %s", size, factor, k % 2, seed, r.summary);
            tg_tape_free(t);
        }
}
END_TEST

/* log cosh(x + b), rows of 1; the context: how many rows the gradient of b sums over. */
static int bent_forward(const tg_call *c) {
    for (int i = 0; i < 2; i++)
        ((double *)c->output)[i] = log(cosh(((const double *)c->input[0])[i] + *(const double *)c->input[1]));
    return 0;
}

static int bent_vjp(const tg_call *c) {
    for (int i = 0; i < 2; i++) {
        double dz =
            ((const double *)c->output_grad)[i] * tanh(((const double *)c->input[0])[i] + *(const double *)c->input[1]);
        ((double *)c->input_grad[0])[i] += dz;
        *(double *)c->input_grad[1] += i < *(const double *)c->context ? dz : 0;
    }
    return 0;
}

OPERATION(bent);

START_TEST(a_bias_not_summed_is_wrong_where_the_loss_is_tiny)
{
    for (int seed = 1; seed <= 2 * SEEDS; seed++)
        for (int k = 0; k < 4; k++) {
            tg_tape *t = tg_tape_new(TG_F64);
            double rows = k / 2 ? 1 : 2;
            tg_tensor x[] = {random_leaf(t, 2, (uint64_t)seed, 1e-3, 0),
                             random_leaf(t, 1, (uint64_t)seed + 50, 1e-6, 0)};
            tg_gradcheck_result r =
                check(mean_square(tg_custom(&bent, x, 2, TG_SHAPE(2), &rows, sizeof rows)), (tg_gradcheck_mode)(k % 2));
            ck_assert_msg(r.verdict == (rows < 2 ? TG_GRAD_WRONG : TG_GRAD_RIGHT), "%g rows, mode %d, seed %d: %s",
                          rows, k % 2, seed, r.summary);
            tg_tape_free(t);
        }
}
END_TEST

static int cell_of(double x) { return x < 0 ? 0 : x >= 5 ? 4 : (int)x; }

/* y = grid between the two elements that lie about x, or outside of them on the line of the last two */
static int lerp_forward(const tg_call *c) {
    const double *grid = c->input[0], *x = c->input[1];
    for (int i = 0; i < 5; i++) {
        int k = cell_of(x[i]);
        ((double *)c->output)[i] = grid[k] * (1 - (x[i] - k)) + grid[k + 1] * (x[i] - k);
    }
    return 0;
}

static int lerp_vjp(const tg_call *c) {
    const double *grid = c->input[0], *x = c->input[1], *dy = c->output_grad;
    for (int i = 0; i < 5; i++) {
        int k = cell_of(x[i]);
        ((double *)c->input_grad[0])[k] += dy[i] * (1 - (x[i] - k));
        ((double *)c->input_grad[0])[k + 1] += dy[i] * (x[i] - k);
        ((double *)c->input_grad[1])[i] += dy[i] * (grid[k + 1] - grid[k]) * (i ? 1 : *(const double *)c->context);
    }
    return 0;
}

OPERATION(lerp);

START_TEST(a_large_number_elsewhere_hides_nothing)
{
    for (int k = 0; k < 4; k++) {
        tg_tape *t = tg_tape_new(TG_F64);
        double factor = k / 2 ? 1.001 : 1;
        tg_tensor x[] = {wanting(VECTOR(t, -0.000938, -0.000418, -0.000111, -0.00138, -0.191, 4005)),
                         wanting(VECTOR(t, 2.046, 2.5, 0.18, 2.7, 0.985))};
        tg_gradcheck_result r =
            check(tg_custom(&lerp, x, 2, TG_SHAPE(5), &factor, sizeof factor), (tg_gradcheck_mode)(k % 2));
        ck_assert_msg(r.verdict == (factor == 1 ? TG_GRAD_RIGHT : TG_GRAD_WRONG), "times %g: %s", factor, r.summary);
        tg_tape_free(t);
    }
}
END_TEST

/* y = a b + tanh a; the third gradient times so much; and of larger numbers: + (a + b[3]) - b[3], whose slope is 1, but
 * not in double. */
typedef struct beside_what {
    double factor;
    bool swallowed;
} beside_what;

static int beside_forward(const tg_call *c) {
    const double *a = c->input[0], *b = c->input[1];
    bool swallowed = ((const beside_what *)c->context)->swallowed;
    for (int i = 0; i < 4; i++) {
        volatile double sum = a[i] + b[3];
        ((double *)c->output)[i] = a[i] * b[i] + tanh(a[i]) + (swallowed ? sum - b[3] : 0);
    }
    return 0;
}

static int beside_vjp(const tg_call *c) {
    const double *a = c->input[0], *b = c->input[1], *dy = c->output_grad;
    const beside_what *what = c->context;
    for (int i = 0; i < 4; i++) {
        double slope = b[i] + 1 - tanh(a[i]) * tanh(a[i]) + what->swallowed;
        ((double *)c->input_grad[0])[i] += dy[i] * slope * (i == 2 ? what->factor : 1);
        ((double *)c->input_grad[1])[i] += dy[i] * a[i];
    }
    return 0;
}

OPERATION(beside);

/* What is 7e-5 is seen beside 1e15, in which it has no part; but what such numbers swallow is no evidence. */
START_TEST(what_has_nothing_of_larger_numbers_is_seen_beside_them)
{
    static const beside_what all[] = {{1, false}, {-1, false}, {1.001, false}, {1, true}};
    for (int k = 0; k < 4; k++) {
        tg_tape *t = tg_tape_new(TG_F64);
        tg_tensor x[] = {wanting(VECTOR(t, -0.076, -2.4e6, 7.1e-5, 1.07e8)),
                         wanting(VECTOR(t, 2.9e4, 422, 8.7e-5, all[k].swallowed ? -3e15 : -2.7e7))};
        tg_tensor y = tg_custom(&beside, x, 2, TG_SHAPE(4), &all[k], sizeof all[k]);
        tg_gradcheck_result r = check(y, TG_GRADCHECK_FULL);
        if (all[k].swallowed)
            ck_assert_msg(r.verdict != TG_GRAD_WRONG, "%s", r.summary);
        else
            ck_assert_msg(r.verdict == (k ? TG_GRAD_WRONG : TG_GRAD_RIGHT), "%d: %s", k, r.summary);
        tg_tape_free(t);
    }
}
END_TEST

/* ---- at 0 ---- */

/* y = x + b, rows of 3; the context: by what the gradients of b[0] and of the others are multiplied. */
static int shift_forward(const tg_call *c) {
    for (int i = 0; i < N; i++)
        ((double *)c->output)[i] = ((const double *)c->input[0])[i] + ((const double *)c->input[1])[i % 3];
    return 0;
}

static int shift_vjp(const tg_call *c) {
    const double *dy = c->output_grad;
    for (int i = 0; i < N; i++) {
        ((double *)c->input_grad[0])[i] += dy[i];
        ((double *)c->input_grad[1])[i % 3] += dy[i] * ((const double *)c->context)[i % 3 > 0];
    }
    return 0;
}

OPERATION(shift);

START_TEST(the_gradient_of_a_zero_bias_is_wrong_when_it_is)
{
    static const double factor[][2] = {{1, 1}, {0, 1}, {0, 0}, {-1, 1}, {0.5, 1}, {-1, -1}};
    for (int k = 0; k < 24; k++) {
        tg_tape *t = tg_tape_new(TG_F64);
        tg_tensor b = k / 12 ? VECTOR(t, 0, 0.5, -0.3) : tg_zeros(t, TG_SHAPE(3));
        tg_tensor x[] = {random_leaf(t, N, (uint64_t)k, 1, 0), wanting(b)};
        tg_tensor y = tg_custom(&shift, x, 2, TG_SHAPE(N), factor[k / 2 % 6], sizeof factor[0]);
        tg_gradcheck_result r = check(total(tg_square(y)), (tg_gradcheck_mode)(k % 2));
        bool right = k / 2 % 6 == 0;
        ck_assert_msg(r.verdict == (right ? TG_GRAD_RIGHT : TG_GRAD_WRONG), "%d: %s", k, r.summary);
        tg_tape_free(t);
    }
}
END_TEST

START_TEST(a_zero_bias_that_is_cut_off_is_wrong)
{
    for (int k = 0; k < 4; k++) {
        tg_tape *t = tg_tape_new(TG_F64);
        tg_tensor x = random_leaf(t, 3, 1, 1, 0), b = wanting(tg_zeros(t, TG_SHAPE(3)));
        tg_tensor part[] = {tg_detach(tg_slice(b, 0, 0, 1, 1)), tg_slice(b, 0, 1, 3, 1)};
        tg_tensor y = tg_add(x, k / 2 ? tg_cat(part, 2, 0) : tg_detach(b));
        tg_gradcheck_result r = check(total(tg_square(y)), (tg_gradcheck_mode)(k % 2));
        ck_assert_msg(r.verdict == TG_GRAD_WRONG, "%s", r.summary);
        ck_assert_str_eq(r.op, "detach");
        tg_tape_free(t);
    }
}
END_TEST

/* y = x W, (2, 3) by (3, 2); where x is 0 the gradient of x is multiplied by the context's number. */
static int sparse_forward(const tg_call *c) {
    const double *x = c->input[0], *w = c->input[1];
    for (int i = 0; i < 4; i++)
        for (int k = 0; k < 3; k++)
            ((double *)c->output)[i] = (k ? ((double *)c->output)[i] : 0) + x[i / 2 * 3 + k] * w[k * 2 + i % 2];
    return 0;
}

static int sparse_vjp(const tg_call *c) {
    const double *x = c->input[0], *w = c->input[1], *dy = c->output_grad;
    for (int i = 0; i < 4; i++)
        for (int k = 0; k < 3; k++) {
            double own = x[i / 2 * 3 + k];
            ((double *)c->input_grad[0])[i / 2 * 3 + k] +=
                dy[i] * w[k * 2 + i % 2] * (own == 0 ? *(const double *)c->context : 1);
            ((double *)c->input_grad[1])[k * 2 + i % 2] += dy[i] * own;
        }
    return 0;
}

OPERATION(sparse);

START_TEST(what_is_skipped_at_0_is_wrong)
{
    static const double factor[] = {1, 0, 0.5, -1};
    for (int seed = 1; seed <= SEEDS; seed++)
        for (int k = 0; k < 8; k++) {
            tg_tape *t = tg_tape_new(TG_F64);
            tg_tensor x[] = {wanting(VECTOR(t, 0, 1.5, 0, -0.5, 0, 1)), random_leaf(t, 6, (uint64_t)seed, 1, 0)};
            tg_tensor y = tg_custom(&sparse, x, 2, TG_SHAPE(4), &factor[k / 2], sizeof *factor);
            tg_gradcheck_result r = check(total(tg_square(y)), (tg_gradcheck_mode)(k % 2));
            ck_assert_msg(r.verdict == (k < 2 ? TG_GRAD_RIGHT : TG_GRAD_WRONG), "times %g, seed %d: %s", factor[k / 2],
                          seed, r.summary);
            tg_tape_free(t);
        }
}
END_TEST

/* ---- a forward that counts its calls ---- */

static int counting_forward(const tg_call *c) {
    static int calls;
    calls++;
    for (int i = 0; i < N; i++)
        ((double *)c->output)[i] = ((const double *)c->input[0])[i] * (1 + 1e-3 * calls);
    return 0;
}

static int counting_vjp(const tg_call *c) {
    for (int i = 0; i < N; i++)
        ((double *)c->input_grad[0])[i] += ((const double *)c->output_grad)[i];
    return 0;
}

OPERATION(counting);

START_TEST(what_a_forward_keeps_is_not_taken_for_rounding)
{
    tg_tape *t = tg_tape_new(TG_F64);
    tg_tensor x = random_leaf(t, N, 1, 1, 0);
    tg_gradcheck_result r = check(tg_custom(&counting, &x, 1, TG_SHAPE(N), NULL, 0), TG_GRADCHECK_FULL);
    ck_assert_int_eq(r.verdict, TG_GRAD_WRONG);
    ck_assert_int_eq(r.mistake, TG_MISTAKE_NONDETERMINISTIC);
    ck_assert_str_eq(r.diagnosis, "the forward gives another result for the same numbers: it draws random numbers of "
                                  "its own, or keeps something from call to call");
    ck_assert_str_eq(r.row[0].reason, "the forward gives another result for the same numbers");
    tg_tape_free(t);
}
END_TEST

/* ---- kinks at 0 and at ties that custom operations do not declare ---- */

/* The context: an index into what follows, and the slope that the VJP takes at the kink. */
typedef struct kink {
    int kind;
    double slope;
} kink;
enum { RELU, ABSOLUTE, LEAKY, LARGEST, MEDIAN, KINDS };

static double at_kink(int kind, double x) {
    return kind == RELU ? fmax(x, 0) : kind == ABSOLUTE ? fabs(x) : x > 0 ? x : 0.1 * x;
}

/* The place of the largest of three, or of the one between, the first of those that tie. */
static int chosen(int kind, const double *x) {
    for (int i = 0; i < 3; i++) {
        int below = 0, above = 0;
        for (int k = 0; k < 3; k++) {
            below += x[k] < x[i];
            above += x[k] > x[i];
        }
        if (kind == LARGEST ? above == 0 : below <= 1 && above <= 1)
            return i;
    }
    return 0;
}

static int kinked_forward(const tg_call *c) {
    const double *x = c->input[0];
    const kink *k = c->context;
    for (int i = 0; i < N; i++)
        ((double *)c->output)[i] =
            k->kind < LARGEST ? at_kink(k->kind, x[i]) : x[i / 3 * 3 + chosen(k->kind, x + i / 3 * 3)];
    return 0;
}

static int kinked_vjp(const tg_call *c) {
    const double *x = c->input[0], *dy = c->output_grad;
    const kink *k = c->context;
    for (int i = 0; i < N; i++) {
        double below = k->kind == RELU ? 0 : k->kind == ABSOLUTE ? -1 : 0.1;
        if (k->kind < LARGEST)
            ((double *)c->input_grad[0])[i] += dy[i] * (x[i] > 0 ? 1 : x[i] < 0 ? below : k->slope);
        else
            ((double *)c->input_grad[0])[i / 3 * 3 + chosen(k->kind, x + i / 3 * 3)] += dy[i];
    }
    return 0;
}

OPERATION(kinked);

START_TEST(kinks_that_are_not_declared_are_no_mistakes)
{
    static const double values[][N] = {
        {0, 0, 0, 0, 0, 0}, {0, 1, 2, 0, -1, 0.5}, {1, 1, 1, 2, 2, 2}, {0, 0, 1, 3, 2, 2}};
    static const double slope[] = {0, 0.5, 1};
    for (int kind = 0; kind < KINDS; kind++)
        for (int k = 0; k < 24; k++) {
            tg_tape *t = tg_tape_new(TG_F64);
            tg_tensor x = wanting(tg_from_doubles(t, TG_SHAPE(N), values[k / 6]));
            kink context = {kind, slope[k / 2 % 3]};
            tg_tensor y = tg_custom(&kinked, &x, 1, TG_SHAPE(N), &context, sizeof context);
            tg_gradcheck_result r = check(kind % 2 ? total(tg_square(y)) : y, (tg_gradcheck_mode)(k % 2));
            ck_assert_msg(r.verdict != TG_GRAD_WRONG, "kind %d, values %d: %s", kind, k / 6, r.summary);
            tg_tape_free(t);
        }
}
END_TEST

static int kinked_branches(const tg_call *c, int64_t *branch) {
    const double *x = c->input[0];
    const kink *k = c->context;
    for (int i = 0; i < N; i++)
        branch[i] = k->kind < LARGEST ? x[i] > 0 : chosen(k->kind, x + i / 3 * 3);
    return 0;
}

START_TEST(what_is_outside_both_sides_of_a_declared_kink_is_wrong)
{
    static const double values[] = {1, 0, -2, 3, 0, -1}, slope[] = {0, 0.5, 1, 5, -3, 100};
    for (int k = 0; k < 6 * 2 * 2 * SEEDS; k++) {
        tg_tape *t = tg_tape_new(TG_F64);
        tg_tensor x = wanting(tg_from_doubles(t, TG_SHAPE(N), values));
        kink context = {RELU, slope[k % 6]};
        tg_tensor y = tg_custom(&kinked, &x, 1, TG_SHAPE(N), &context, sizeof context);
        bool declared = k / 6 % 2;
        ck_assert(!declared || tg_custom_set_branches(y, kinked_branches) == TG_OK);
        tg_gradcheck_result r = check(total(tg_mul_scalar(y, k / 24 + 1)), (tg_gradcheck_mode)(k / 12 % 2));
        if (k % 6 < 3)
            ck_assert_msg(r.verdict <= TG_GRAD_KINK, "slope %g: %s", context.slope, r.summary);
        else
            ck_assert_msg(r.verdict == (declared ? TG_GRAD_WRONG : TG_GRAD_CANNOT_TELL), "slope %g: %s", context.slope,
                          r.summary);
        ck_assert_msg(!strstr(r.summary, "rounding"), "%s", r.summary);
        tg_tape_free(t);
    }
}
END_TEST

/* The largest of each row of three; the context: where some tie, by what each of them multiplies dy. */
static int ties_forward(const tg_call *c) {
    const double *x = c->input[0];
    for (int i = 0; i < N / 3; i++)
        ((double *)c->output)[i] = fmax(fmax(x[3 * i], x[3 * i + 1]), x[3 * i + 2]);
    return 0;
}

static int ties_vjp(const tg_call *c) {
    const double *x = c->input[0], *y = c->output, *dy = c->output_grad;
    for (int i = 0; i < N; i++) {
        const double *row = x + i / 3 * 3;
        bool tied = (row[0] == y[i / 3]) + (row[1] == y[i / 3]) + (row[2] == y[i / 3]) > 1;
        ((double *)c->input_grad[0])[i] += x[i] == y[i / 3] ? (tied ? *(const double *)c->context : 1) * dy[i / 3] : 0;
    }
    return 0;
}

static int ties_branches(const tg_call *c, int64_t *branch) {
    for (int i = 0; i < N / 3; i++)
        branch[i] = chosen(LARGEST, (const double *)c->input[0] + 3 * i);
    return 0;
}

OPERATION(ties);

START_TEST(what_is_wrong_at_ties_is_not_right)
{
    static const double values[][N] = {{2, 2, 0, 1, 0, 2}, {1, 1, 1, 0, 2, 2}, {0, 1, 1, 2, 2, 1}};
    static const double times[] = {0, 1, 3, -1};
    for (int k = 0; k < 3 * 4 * 2 * 2; k++) {
        tg_tape *t = tg_tape_new(TG_F64);
        tg_tensor x = wanting(tg_from_doubles(t, TG_SHAPE(N / 3, 3), values[k % 3]));
        double given = times[k / 3 % 4];
        tg_tensor y = tg_custom(&ties, &x, 1, TG_SHAPE(N / 3), &given, sizeof given);
        bool declared = k / 12 % 2;
        ck_assert(!declared || tg_custom_set_branches(y, ties_branches) == TG_OK);
        tg_gradcheck_result r = check(total(y), (tg_gradcheck_mode)(k / 24));
        ck_assert_msg(r.verdict != TG_GRAD_RIGHT, "%d, times %g: %s", k, given, r.summary);
        bool possible = !declared && (given == 0 || given == 1); /* moved together they keep their branches */
        ck_assert_msg(!possible || r.verdict == TG_GRAD_KINK, "%d, times %g: %s", k, given, r.summary);
        ck_assert_msg(!declared || r.verdict == TG_GRAD_WRONG, "%d, times %g: %s", k, given, r.summary);
        tg_tape_free(t);
    }
}
END_TEST

/* Of relu(x) - relu(-x) = x each operation is at a kink, though the whole has a derivative. */
START_TEST(kinks_that_cancel_are_no_mistakes)
{
    for (int k = 0; k < 6; k++) {
        tg_tape *t = tg_tape_new(TG_F64);
        kink context = {RELU, (double)(k / 2) / 2};
        tg_tensor x = wanting(tg_zeros(t, TG_SHAPE(N))), minus = tg_neg(x);
        tg_tensor y = tg_sub(tg_custom(&kinked, &x, 1, TG_SHAPE(N), &context, sizeof context),
                             tg_custom(&kinked, &minus, 1, TG_SHAPE(N), &context, sizeof context));
        tg_gradcheck_result r = check(y, (tg_gradcheck_mode)(k % 2));
        ck_assert_msg(r.verdict != TG_GRAD_WRONG, "%s", r.summary);
        tg_tape_free(t);
    }
}
END_TEST

/* Rows of 3 over their length, or over 1e-12 where that is less: at 0 the slope is 1e12, within a step of 1e-12. */
static double length_of(const double *x) { return fmax(sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]), 1e-12); }

static int unit_forward(const tg_call *c) {
    const double *x = c->input[0];
    for (int i = 0; i < N; i++)
        ((double *)c->output)[i] = x[i] / length_of(x + i / 3 * 3);
    return 0;
}

static int unit_vjp(const tg_call *c) {
    const double *x = c->input[0], *y = c->output, *dy = c->output_grad;
    for (int i = 0; i < N; i++) {
        const double *row = y + i / 3 * 3, *by = dy + i / 3 * 3;
        double length = length_of(x + i / 3 * 3), along = row[0] * by[0] + row[1] * by[1] + row[2] * by[2];
        ((double *)c->input_grad[0])[i] += (dy[i] - (length > 1e-12 ? y[i] * along : 0)) / length;
    }
    return 0;
}

OPERATION(unit);

START_TEST(a_row_of_zeros_over_its_length_is_right)
{
    for (int k = 0; k < 4; k++) {
        tg_tape *t = tg_tape_new(TG_F64);
        tg_tensor x = wanting(VECTOR(t, k / 2, 0, k / 2, 0, 0, 0));
        tg_gradcheck_result r = check(tg_custom(&unit, &x, 1, TG_SHAPE(N), NULL, 0), (tg_gradcheck_mode)(k % 2));
        ck_assert_msg(r.verdict == TG_GRAD_RIGHT, "%s", r.summary);
        tg_tape_free(t);
    }
}
END_TEST

/* ---- not finite ---- */

/* The context of these: what stands in the gradient of element 1, where x is 0 or anywhere. */
typedef struct fault {
    double value;
    bool at_0;
} fault;

/* f(x), and f'(x) dy but for the fault. */
#define WITH_FAULT(name, f, slope)                                                                 \
    static int name##_forward(const tg_call *c) {                                                  \
        for (int i = 0; i < N; i++) {                                                              \
            double x = ((const double *)c->input[0])[i];                                           \
            ((double *)c->output)[i] = f;                                                          \
        }                                                                                          \
        return 0;                                                                                  \
    }                                                                                              \
    static int name##_vjp(const tg_call *c) {                                                      \
        const fault *wrong = c->context;                                                           \
        for (int i = 0; i < N; i++) {                                                              \
            double x = ((const double *)c->input[0])[i], by = ((const double *)c->output_grad)[i]; \
            bool here = wrong->at_0 ? x == 0 : i == 1;                                             \
            ((double *)c->input_grad[0])[i] += here ? wrong->value : by * (slope);                 \
        }                                                                                          \
        return 0;                                                                                  \
    }                                                                                              \
    OPERATION(name)

WITH_FAULT(sinus, sin(x), cos(x));
WITH_FAULT(cosinus, cos(x), -sin(x));
WITH_FAULT(cube, x *x *x, 3 * x * x);
WITH_FAULT(root_of_cube, pow(fabs(x), 1.5), 1.5 * sqrt(fabs(x)) * (x > 0 ? 1 : -1));
WITH_FAULT(entropy, x > 0 ? x * log(x) : 0, log(x) + 1);
WITH_FAULT(steep_entropy, x > 0 ? x * (log(x) + 10) : 0, log(x) + 11);
WITH_FAULT(distance, fabs(x), x > 0 ? 1 : -1);

WITH_FAULT(line_and_entropy, x == 0 ? 0 : 5 * x + 1e-4 * x * log(fabs(x)), 5 + 1e-4 * (log(fabs(x)) + 1));
WITH_FAULT(square_and_entropy, x == 0 ? 0 : 1e3 * x * x + 1e-3 * x * log(fabs(x)), 2e3 * x + 1e-3 * (log(fabs(x)) + 1));
WITH_FAULT(one_and_root, 1 + 1e-3 * sqrt(fabs(x)), 5e-4 / sqrt(fabs(x)) * (x > 0 ? 1 : -1));

static tg_tensor with_fault(const tg_custom_op *op, tg_tensor x, double value, bool at_0) {
    fault f = {value, at_0};
    return tg_custom(op, &x, 1, TG_SHAPE(N), &f, sizeof f);
}

static void want_infinite(const tg_gradcheck_result *r, tg_grad_verdict verdict, const char *op) {
    ck_assert_msg(r->verdict == verdict, "%s: %s", op, r->summary);
    ck_assert_msg(!strcmp(r->op, op) && r->operand == 1 && r->mistake == TG_MISTAKE_NOT_FINITE, "%s: %s", op,
                  r->summary);
    ck_assert_msg(strstr(r->diagnosis, "element 1 of the gradient is ") != NULL, "%s", r->diagnosis);
    ck_assert_msg(strstr(r->summary, "not finite") != NULL, "%s", r->summary);
}

/* Beside an infinite sum every difference looks small. */
START_TEST(a_single_infinity_is_wrong_in_both_modes)
{
    const double values[] = {INFINITY, -INFINITY, NAN};
    for (int k = 0; k < 12 * SEEDS; k++) {
        tg_tape *t = tg_tape_new(TG_F64);
        tg_tensor x = random_leaf(t, N, (uint64_t)k + 1, 1, 0), y = with_fault(&sinus, x, values[k % 3], false);
        tg_gradcheck_result r = check(k / 6 % 2 ? mean_square(y) : y, (tg_gradcheck_mode)(k / 3 % 2));
        want_infinite(&r, TG_GRAD_WRONG, "sinus");
        ck_assert_msg(!strstr(r.summary, "agree"), "%s", r.summary);
        tg_tape_free(t);
    }
}
END_TEST

/* No leaf sees it. */
START_TEST(an_infinity_behind_a_mask_is_wrong_in_both_modes)
{
    for (int k = 0; k < 2 * SEEDS; k++) {
        tg_tape *t = tg_tape_new(TG_F64);
        tg_tensor x = random_leaf(t, N, (uint64_t)k + 1, 1, 0);
        tg_tensor masked = tg_masked_fill(x, tg_from_bools(t, TG_SHAPE(N), (bool[]){0, 1, 0, 0, 0, 0}), 0.5);
        tg_gradcheck_result r = check(with_fault(&sinus, masked, INFINITY, false), (tg_gradcheck_mode)(k % 2));
        want_infinite(&r, TG_GRAD_WRONG, "sinus");
        tg_tape_free(t);
    }
}
END_TEST

/* cos(x) x / x, 3 y / x, ... at 0, where the derivative is 1, 0, 0, 0. */
START_TEST(what_is_not_finite_at_0_is_wrong_where_a_derivative_exists)
{
    const tg_custom_op *ops[] = {&sinus, &cosinus, &cube, &root_of_cube};
    for (int k = 0; k < 16 * SEEDS; k++) {
        const tg_custom_op *op = ops[k / 4 % 4];
        tg_tape *t = tg_tape_new(TG_F64);
        double size = pow(10, k / 16 % 3 - 1);
        tg_tensor x = wanting(VECTOR(t, size, 0, -0.5 * size, 0, 2 * size, 0.3 * size));
        tg_gradcheck_result r = check(with_fault(op, x, k / 2 % 2 ? NAN : INFINITY, true), (tg_gradcheck_mode)(k % 2));
        want_infinite(&r, TG_GRAD_WRONG, op->name);
        tg_tape_free(t);
    }
}
END_TEST

/* No derivative: nothing says that NaN is wrong, but it is said where it comes from. */
START_TEST(what_is_not_finite_at_a_kink_is_named)
{
    for (int k = 0; k < 4; k++) {
        tg_tape *t = tg_tape_new(TG_F64);
        tg_tensor y = with_fault(&distance, wanting(VECTOR(t, 1, 0, -2, 3, 0.5, 4)), k / 2 ? NAN : INFINITY, true);
        tg_gradcheck_result r = check(y, (tg_gradcheck_mode)(k % 2));
        want_infinite(&r, TG_GRAD_CANNOT_TELL, "distance");
        tg_tape_free(t);
    }
}
END_TEST

/* x log x at 0: log h, of steps h. */
START_TEST(a_slope_that_is_infinite_as_log_x_is_refused)
{
    for (int k = 0; k < 4 * SEEDS; k++) {
        tg_tape *t = tg_tape_new(TG_F64);
        tg_gradcheck_config config = TG_GRADCHECK_DEFAULTS;
        tg_gradcheck_result r;
        double size = pow(10, k / 4 % 5 - 3);
        config.mode = (tg_gradcheck_mode)(k % 2);
        config.seed = (uint64_t)k;
        tg_tensor x = wanting(VECTOR(t, size, 0, 3 * size, 0.1 * size, size, 0.7 * size));
        const tg_custom_op *op = k / 2 % 2 ? &entropy : &steep_entropy;
        ck_assert_int_eq(tg_gradcheck(with_fault(op, x, -INFINITY, true), config, &r), TG_ERR_NUMERIC);
        ck_assert_msg(r.verdict == TG_GRAD_CANNOT_TELL && strstr(tg_error(t), "has an infinite slope there"), "%g: %s",
                      size, tg_error(t));
        tg_tape_free(t);
    }
}
END_TEST

/* What makes the slope infinite is small beside the rest. */
START_TEST(an_infinite_slope_that_is_hard_to_see_is_not_wrong)
{
    const tg_custom_op *ops[] = {&line_and_entropy, &square_and_entropy, &one_and_root};
    for (int k = 0; k < 60; k++) {
        tg_tape *t = tg_tape_new(TG_F64);
        double size = pow(10, k / 6 % 5 - 2);
        tg_tensor x = wanting(VECTOR(t, size, 0, -3 * size, 0.1 * size, -size, 0.7 * size));
        double value = k < 30 ? INFINITY : NAN;
        tg_gradcheck_result r = check(with_fault(ops[k % 3], x, value, true), (tg_gradcheck_mode)(k / 3 % 2));
        ck_assert_msg(r.verdict == TG_GRAD_CANNOT_TELL, "%s, %g: %s", ops[k % 3]->name, size, r.summary);
        tg_tape_free(t);
    }
}
END_TEST

/* ---- kept from call to call ---- */

/* The VJP uses the operand of the last forward that was given another one's memory. */
static const void *key;
static double kept[N];

static int caching_forward(const tg_call *c) {
    if (key != c->input[0])
        memcpy(kept, key = c->input[0], sizeof kept);
    return sine_forward(c);
}

static int caching_vjp(const tg_call *c) {
    for (int i = 0; i < N; i++)
        ((double *)c->input_grad[0])[i] += ((const double *)c->output_grad)[i] * cos(kept[i]);
    return 0;
}

OPERATION(caching);

START_TEST(an_operand_kept_by_its_address_is_wrong)
{
    for (int k = 0; k < 2 * SEEDS; k++) {
        tg_tape *t = tg_tape_new(TG_F64);
        key = NULL;
        tg_tensor x = random_leaf(t, N, (uint64_t)k / 2 + 1, 1, 0);
        tg_tensor once = tg_custom(&caching, &x, 1, TG_SHAPE(N), NULL, 0);
        tg_gradcheck_result r =
            check(total(tg_custom(&caching, &once, 1, TG_SHAPE(N), NULL, 0)), (tg_gradcheck_mode)(k % 2));
        ck_assert_msg(r.verdict == TG_GRAD_WRONG, "%d: %s", k, r.summary);
        tg_tape_free(t);
    }
}
END_TEST

/* ---- what a gradient held before ---- */

/* The context: which of these is done to g, the gradient so far, and v, the new one. Onto 0 each is right. */
enum { ADDS, ADDS_IN_PARTS, ADDS_LARGE_PARTS, HALVES, ADDS_TWICE, DECAYS, SETS, HALVES_ONE, N_WAYS };

static double accumulated(int way, double g, double v, int at) {
    switch (way) {
    case ADDS_IN_PARTS: return 0.25 * v + g + 0.5 * v + 0.25 * v;
    case ADDS_LARGE_PARTS: return g + 0x1p60 * v - 0x1p60 * v + v;
    case HALVES: return (g + 2 * v) * 0.5;
    case ADDS_TWICE: return g + g + v;
    case DECAYS: return 0.999 * g + v;
    case SETS: return v;
    case HALVES_ONE: return at == 2 ? g / 2 + v : g + v;
    default: return g + v;
    }
}

static int piling_vjp(const tg_call *c) {
    const double *x = c->input[0], *dy = c->output_grad;
    double *g = c->input_grad[0];
    for (int i = 0; i < N; i++)
        g[i] = accumulated(*(const int *)c->context, g[i], dy[i] * cos(x[i]), i);
    return 0;
}

static int piling_float(const tg_call *c) {
    for (int i = 0; i < N; i++)
        ((float *)c->output)[i] = sinf(((const float *)c->input[0])[i]);
    return 0;
}

static int piling_vjp_float(const tg_call *c) {
    const float *x = c->input[0], *dy = c->output_grad;
    float *g = c->input_grad[0];
    for (int i = 0; i < N; i++)
        g[i] = (float)accumulated(*(const int *)c->context, (double)g[i], (double)(dy[i] * cosf(x[i])), i);
    return 0;
}

/* In double alone, and in both. */
static const tg_custom_op piling[2] = {
    {.name = "piling", .forward_f64 = sine_forward, .vjp_f64 = piling_vjp},
    {"piling", piling_float, piling_vjp_float, .forward_f64 = sine_forward, .vjp_f64 = piling_vjp}};

/* of: bit 0 mode, bit 1 x is used twice, bit 2 in both, on a float32 tape bit 3. */
static tg_gradcheck_result check_piling(int way, int of, uint64_t seed) {
    double values[N];
    tg_rng_state g;
    tg_rng_seed(&g, seed);
    for (int i = 0; i < N; i++)
        values[i] = normal(&g);
    tg_tape *t = tg_tape_new(of & 8 ? TG_F32 : TG_F64);
    tg_tensor x = wanting(tg_from_doubles(t, TG_SHAPE(N), values));
    tg_tensor y = tg_custom(&piling[of >> 2 & 1], &x, 1, TG_SHAPE(N), &way, sizeof way);
    tg_gradcheck_result r = check(of & 2 ? tg_add(y, tg_square(x)) : y, (tg_gradcheck_mode)(of & 1));
    tg_tape_free(t);
    return r;
}

/* A name says the numbers: whatever was there is multiplied. */
static const struct {
    tg_mistake mistake;
    const char *says;
} ways[N_WAYS] = {[HALVES] = {TG_MISTAKE_ACCUMULATION, "multiplied by 0.5"},
                  [ADDS_TWICE] = {TG_MISTAKE_ACCUMULATION, "added twice"},
                  [DECAYS] = {TG_MISTAKE_ACCUMULATION, "multiplied by 0.999"},
                  [SETS] = {TG_MISTAKE_OVERWRITE, "= instead of +="},
                  [HALVES_ONE] = {TG_MISTAKE_ACCUMULATION, "multiplied by 0.5; a vjp only adds to it: element 2 held"}};

START_TEST(what_a_gradient_held_before_stays)
{
    for (int i = 0; i < 16 * N_WAYS * SEEDS; i++) {
        int of = i % 16, way = i / 16 % N_WAYS;
        if ((of & 12) == 8 || (way == ADDS_LARGE_PARTS && of & 14)) /* float32 alone; parts that swallow what x had */
            continue;
        tg_gradcheck_result r = check_piling(way, of, (uint64_t)i);
        bool right = !ways[way].says;
        ck_assert_msg(right ? r.verdict == TG_GRAD_RIGHT : r.verdict == TG_GRAD_WRONG, "%d: %s", i, r.summary);
        ck_assert_msg(right || (r.mistake == ways[way].mistake && !strcmp(r.op, "piling") && r.operand == 1 &&
                                strstr(r.diagnosis, ways[way].says) && !strstr(r.diagnosis, "float32")),
                      "%d: %s: %s", i, r.summary, r.diagnosis);
    }
}
END_TEST

int main(void) {
    const TTest *const all[] = {what_a_forward_keeps_is_not_taken_for_rounding,
                                a_multiple_far_from_0_is_not_right,
                                a_norm_without_a_term_far_from_0_is_wrong,
                                a_small_part_beside_float_is_not_wrong,
                                a_tiny_gradient_of_the_wrong_sign_is_wrong,
                                numbers_that_are_tiny_hide_no_factor,
                                a_bias_not_summed_is_wrong_where_the_loss_is_tiny,
                                a_large_number_elsewhere_hides_nothing,
                                what_has_nothing_of_larger_numbers_is_seen_beside_them,
                                the_gradient_of_a_zero_bias_is_wrong_when_it_is,
                                a_zero_bias_that_is_cut_off_is_wrong,
                                what_is_skipped_at_0_is_wrong,
                                kinks_that_are_not_declared_are_no_mistakes,
                                what_is_outside_both_sides_of_a_declared_kink_is_wrong,
                                what_is_wrong_at_ties_is_not_right,
                                kinks_that_cancel_are_no_mistakes,
                                a_row_of_zeros_over_its_length_is_right,
                                an_operand_kept_by_its_address_is_wrong,
                                what_a_gradient_held_before_stays,
                                a_single_infinity_is_wrong_in_both_modes,
                                an_infinity_behind_a_mask_is_wrong_in_both_modes,
                                what_is_not_finite_at_0_is_wrong_where_a_derivative_exists,
                                what_is_not_finite_at_a_kink_is_named,
                                an_infinite_slope_that_is_hard_to_see_is_not_wrong,
                                a_slope_that_is_infinite_as_log_x_is_refused};
    return run_tests("gradcheck_custom", all, sizeof all / sizeof *all, NULL, NULL);
}
