/* The gradient check attacked: gradients that are wrong in the ways people write them, on ordinary random data. Each
 * has to be called WRONG in full mode, whatever the seed. See gradcheck_right_test.c for right ones that are hard. */
#include "custom_ops.h"
#include "tests/support.h"

enum { SEEDS = 3 };

static tg_tensor random_leaf(tg_tape *t, tg_shape shape, uint64_t seed, bool positive) {
    double values[128];
    tg_rng_state g;
    tg_rng_seed(&g, seed);
    int64_t n = tg_shape_numel(&shape);
    for (int64_t i = 0; i < n; i++) {
        double normal = sqrt(-2 * log(1 - tg_rng_double(&g))) * cos(6.283185307179586 * tg_rng_double(&g));
        values[i] = positive ? 0.1 + fabs(normal) : normal;
    }
    return tg_set_requires_grad(tg_from_doubles(t, shape, values), true);
}

static tg_gradcheck_result check(tg_tensor y, uint64_t seed) {
    tg_gradcheck_config config = TG_GRADCHECK_DEFAULTS;
    tg_gradcheck_result r;
    config.seed = seed;
    tg_status status = tg_gradcheck(y, config, &r);
    ck_assert_msg((status == TG_OK) == (r.verdict == TG_GRAD_RIGHT || r.verdict == TG_GRAD_KINK), "%s", r.summary);
    return r;
}

/* ---- made of floats and doubles ---- */

/* y = x^2 + sin(x) / 1000, the sine in float. Steps narrower than floats show the square alone. */
static int mixed_forward(const tg_call *c) {
    const double *x = c->input[0];
    for (int64_t i = 0; i < tg_shape_numel(c->output_shape); i++)
        ((double *)c->output)[i] = x[i] * x[i] + (double)(1e-3f * sinf((float)x[i]));
    return 0;
}

static int mixed_vjp(const tg_call *c) {
    const double *x = c->input[0], *dy = c->output_grad;
    bool forgotten = *(const int *)c->context;
    for (int64_t i = 0; i < tg_shape_numel(c->output_shape); i++)
        ((double *)c->input_grad[0])[i] += dy[i] * (2 * x[i] + (forgotten ? 0 : 1e-3 * cos(x[i])));
    return 0;
}

static const tg_custom_op mixed = {"mixed", NULL, NULL, mixed_forward, mixed_vjp};

START_TEST(a_forgotten_part_in_float_is_not_right)
{
    for (uint64_t seed = 1; seed <= 10 * SEEDS; seed++)
        for (int forgotten = 0; forgotten < 2; forgotten++) {
            tg_tape *t = tg_tape_new(TG_F64);
            tg_tensor x = random_leaf(t, TG_SHAPE(12), seed, false);
            tg_gradcheck_result r = check(tg_custom(&mixed, &x, 1, TG_SHAPE(12), &forgotten, sizeof forgotten), seed);
            ck_assert_msg((r.verdict == TG_GRAD_RIGHT) == !forgotten, "seed %d: %s", (int)seed, r.summary);
            tg_tape_free(t);
        }
}
END_TEST

/* ---- families ---- */

static tg_tensor apply(tg_tape *t, const family *f, int mistake, uint64_t seed) {
    tg_tensor x[2] = {random_leaf(t, f->rows > 1 ? TG_SHAPE(f->rows, f->columns) : TG_SHAPE(f->columns), seed, false)};
    tg_shape shape = f->y_rows < 0 ? TG_SCALAR : f->y_rows ? TG_SHAPE(f->y_rows) : tg_shape_of(x[0]);
    if (f->w_columns)
        x[1] = random_leaf(t, f->w_rows ? TG_SHAPE(f->w_rows, f->w_columns) : TG_SHAPE(f->w_columns), seed + 50, false);
    return tg_custom(f->op, x, f->w_columns ? 2 : 1, shape, &mistake, sizeof mistake);
}

START_TEST(mistakes_in_operations_are_wrong)
{
    for (int i = 0; i < N_FAMILIES; i++)
        for (int mistake = 0; mistake <= families[i].mistakes; mistake++)
            for (uint64_t seed = 1; seed <= SEEDS; seed++) {
                tg_tape *t = tg_tape_new(TG_F64);
                tg_gradcheck_result r = check(apply(t, &families[i], mistake, seed), seed);
                if (mistake)
                    ck_assert_msg(r.verdict == TG_GRAD_WRONG, "%s, mistake %d, seed %d: %s", families[i].op->name,
                                  mistake, (int)seed, r.summary);
                else
                    ck_assert_msg(r.verdict == TG_GRAD_RIGHT || r.verdict == TG_GRAD_KINK, "%s: %s",
                                  families[i].op->name, r.summary);
                tg_tape_free(t);
            }
}
END_TEST

/* In the middle of other operations as well. */
START_TEST(mistakes_between_operations_are_wrong_and_found)
{
    for (int i = 0; i < N_FAMILIES; i++)
        for (int mistake = 1; mistake <= families[i].mistakes; mistake++) {
            tg_tape *t = tg_tape_new(TG_F64);
            const family *f = &families[i];
            tg_tensor x[2] = {
                random_leaf(t, f->rows > 1 ? TG_SHAPE(f->rows, f->columns) : TG_SHAPE(f->columns), 7, false)};
            x[0] = tg_add(tg_tanh(x[0]), tg_mul_scalar(x[0], 0.3));
            tg_shape shape = f->y_rows < 0 ? TG_SCALAR : f->y_rows ? TG_SHAPE(f->y_rows) : tg_shape_of(x[0]);
            if (f->w_columns)
                x[1] = random_leaf(t, f->w_rows ? TG_SHAPE(f->w_rows, f->w_columns) : TG_SHAPE(f->w_columns), 8, false);
            tg_tensor y = tg_custom(f->op, x, f->w_columns ? 2 : 1, shape, &mistake, sizeof mistake);
            tg_gradcheck_result r = check(tg_sum(tg_mul(tg_sigmoid(y), y), TG_ALL_DIMS, false), 3);
            ck_assert_msg(r.verdict == TG_GRAD_WRONG, "%s, mistake %d: %s", f->op->name, mistake, r.summary);
            ck_assert_msg(strcmp(r.op, f->op->name) == 0, "%s, mistake %d: %s", f->op->name, mistake, r.summary);
            tg_tape_free(t);
        }
}
END_TEST

/* ---- functions of one number: y = f(x), and what somebody took for its derivative; P: of positive numbers ---- */

#define MAPS(M)                                                                                       \
    M(sine_of_three_x, N, sin(3 * x), cos(3 * x))                                                     \
    M(tanh_of_output, N, tanh(x), 1 - y)                                                              \
    M(sigmoid_of_input, N, 1 / (1 + exp(-x)), y * (1 - x))                                            \
    M(exp_without_chain, N, exp(2 * x), exp(2 * x))                                                   \
    M(log_of_output, P, log(x), 1 / y)                                                                \
    M(root_times_output, P, sqrt(x), 0.5 * y)                                                         \
    M(cube, N, x *x *x, 3 * x)                                                                        \
    M(square_without_two, N, x *x, x)                                                                 \
    M(reciprocal_first_power, P, 1 / x, -1 / x)                                                       \
    M(reciprocal_sign, P, 1 / x, 1 / (x * x))                                                         \
    M(softplus_tanh, N, log1p(exp(x)), 0.5 * (1 + tanh(x)))                                           \
    M(gelu_without_density, N, 0.5 * x * (1 + erf(x / sqrt(2))), 0.5 * (1 + erf(x / sqrt(2))))        \
    M(silu_without_slope, N, x / (1 + exp(-x)), 1 / (1 + exp(-x)))                                    \
    M(relu_six_without_top, W, fmin(fmax(x, 0), 6), x > 0)                                            \
    M(leaky_wrong_slope, N, x > 0 ? x : 0.01 * x, x > 0 ? 1 : 0.1)                                    \
    M(elu_minus_one, N, x > 0 ? x : exp(x) - 1, x > 0 ? 1 : exp(x) - 1)                               \
    M(absolute_one, N, fabs(x), 1)                                                                    \
    M(cosine_sign, N, cos(x), sin(x))                                                                 \
    M(arctan, N, atan(x), 1 / (1 + fabs(x)))                                                          \
    M(log1p_forgets_one, P, log1p(x), 1 / x)                                                          \
    M(expm1_of_output, N, expm1(x), y)                                                                \
    M(erf_without_constant, N, erf(x), exp(-x *x))                                                    \
    M(rsqrt_of_output, P, 1 / sqrt(x), -0.5 * y)                                                      \
    M(clamp_inverted, N, x<-0.5 ? -0.5 : x> 0.5 ? 0.5 : x, x<-0.5 || x> 0.5)                          \
    M(clamp_leaks, N, x<-0.5 ? -0.5 : x> 0.5 ? 0.5 : x, x<-0.5 || x> 0.5 ? 0.5 : 1)                   \
    M(signed_square, N, x *fabs(x), fabs(x))                                                          \
    M(truncated_to_hundredths, N, 1 / (1 + exp(-x)), (int)(100 * y * (1 - y)) / 100.0)                \
    M(forward_difference, N, sin(x), (sin(x + 1e-4) - sin(x)) / 1e-4)                                 \
    M(float_difference, N, sin(x), (double)((sinf((float)x + 1e-3f) - sinf((float)x)) / 1e-3f))       \
    M(detached_factor, N, x *exp(x), x *exp(x))                                                       \
    M(other_factor_detached, N, x *exp(x), exp(x))                                                    \
    M(integer_half, N, x *x / 2, x * (1 / 2))                                                         \
    M(degrees, N, sin(x), cos(x) * 57.29577951308232)                                                 \
    M(log2_natural, P, log2(x), 1 / x)                                                                \
    M(power_not_lowered, P, pow(x, 2.5), 2.5 * pow(x, 2.5))                                           \
    M(power_without_factor, P, pow(x, 2.5), pow(x, 1.5))                                              \
    M(softsign_first_power, N, x / (1 + fabs(x)), 1 / (1 + fabs(x)))                                  \
    M(gaussian_without_two, N, exp(-x *x), -x *y)                                                     \
    M(quotient_without_square, N, (x + 3) / (x * x + 1), (x * x + 1 - 2 * x * (x + 3)) / (x * x + 1)) \
    M(sinh_cosh_swapped, N, sinh(x), sinh(x))                                                         \
    M(root_of_sum_no_eps, P, sqrt(x + 1e-3), 0.5 / sqrt(x))                                           \
    M(huber_outside, N, fabs(x) < 1 ? x * x / 2 : fabs(x) - 0.5, x)                                   \
    M(gelu_of_the_other, N, 0.5 * x * (1 + tanh(0.7978845608 * (x + 0.044715 * x * x * x))),          \
      0.5 * (1 + erf(x / sqrt(2))) + x * exp(-x * x / 2) / sqrt(6.283185307179586))                   \
    M(float_pi, N, sin(3.14159265358979 * x), 3.1415 * cos(3.14159265358979 * x))                     \
    M(off_by_a_millionth, N, tanh(x), (1 - y * y) * 1.000005)

#define DEFINE(name, domain, f, df)                          \
    static double f_##name(double x) { return (double)(f); } \
    static double d_##name(double x, double y) {             \
        (void)x, (void)y;                                    \
        return (double)(df);                                 \
    }
MAPS(DEFINE)

typedef struct map {
    const char *name;
    char domain; /* N: normal, P: positive, W: wide */
    double (*f)(double x), (*df)(double x, double y);
} map;
#define ENTRY(name, domain, f, df) {#name, (#domain)[0], f_##name, d_##name},
static const map maps[] = {MAPS(ENTRY)};
enum { N_MAPS = sizeof maps / sizeof *maps };

static int map_forward(const tg_call *c) {
    const map *m = &maps[*(const int *)c->context];
    for (int64_t i = 0; i < tg_shape_numel(c->output_shape); i++)
        ((double *)c->output)[i] = m->f(((const double *)c->input[0])[i]);
    return 0;
}

static int map_vjp(const tg_call *c) {
    const map *m = &maps[*(const int *)c->context];
    const double *x = c->input[0], *y = c->output, *dy = c->output_grad;
    for (int64_t i = 0; i < tg_shape_numel(c->output_shape); i++)
        ((double *)c->input_grad[0])[i] += dy[i] * m->df(x[i], y[i]);
    return 0;
}

static const tg_custom_op map_op = {"map", NULL, NULL, map_forward, map_vjp};

START_TEST(derivatives_taken_wrongly_are_wrong)
{
    for (int i = 0; i < N_MAPS; i++)
        for (uint64_t seed = 1; seed <= SEEDS; seed++) {
            tg_tape *t = tg_tape_new(TG_F64);
            tg_tensor x = random_leaf(t, TG_SHAPE(3, 8), seed * 31 + (uint64_t)i, maps[i].domain == 'P');
            if (maps[i].domain == 'W')
                x = tg_mul_scalar(x, 8);
            tg_gradcheck_result r = check(tg_custom(&map_op, &x, 1, TG_SHAPE(3, 8), &i, sizeof i), seed);
            ck_assert_msg(r.verdict == TG_GRAD_WRONG, "%s, seed %d: %s", maps[i].name, (int)seed, r.summary);
            tg_tape_free(t);
        }
}
END_TEST

/* ---- what is said of them ---- */

static tg_gradcheck_result said(const tg_custom_op *op, int mistake) {
    for (int i = 0; i < N_FAMILIES; i++)
        if (families[i].op == op) {
            tg_tape *t = tg_tape_new(TG_F64);
            tg_gradcheck_result r = check(apply(t, &families[i], mistake, 5), 5);
            tg_tape_free(t);
            return r;
        }
    ck_abort();
}

START_TEST(common_mistakes_are_named)
{
    static const struct {
        const tg_custom_op *op;
        int mistake;
        tg_mistake name;
    } cases[] = {
        {&my_softmax, 1, TG_MISTAKE_ELEMENTWISE},
        {&my_softmax, 2, TG_MISTAKE_ELEMENTWISE},
        {&my_softmax, 3, TG_MISTAKE_ROW_SUM},
        {&my_softmax, 6, TG_MISTAKE_TAIL},
        {&my_norm, 1, TG_MISTAKE_MEAN},
        {&my_norm, 2, TG_MISTAKE_VARIANCE},
        {&my_norm, 3, TG_MISTAKE_STATISTICS},
        {&my_norm, 4, TG_MISTAKE_EPS},
        {&my_norm, 5, TG_MISTAKE_EPS},
        {&my_matmul, 1, TG_MISTAKE_TRANSPOSED},
        {&my_matmul, 2, TG_MISTAKE_TRANSPOSED},
        {&my_matmul, 7, TG_MISTAKE_EXTRA_MEAN},
        {&my_bias, 1, TG_MISTAKE_NOT_SUMMED},
        {&my_bias, 2, TG_MISTAKE_EXTRA_MEAN},
        {&my_bias, 4, TG_MISTAKE_ZERO},
        {&my_mse, 1, TG_MISTAKE_HALF},
        {&my_mse, 2, TG_MISTAKE_MISSING_MEAN},
        {&my_mse, 3, TG_MISTAKE_SIGN},
        {&my_mse, 5, TG_MISTAKE_NO_DY},
        {&my_entropy, 2, TG_MISTAKE_MISSING_MEAN},
        {&my_loop, 2, TG_MISTAKE_TAIL},
        {&my_loop, 5, TG_MISTAKE_OVERWRITE},
        {&my_loop, 6, TG_MISTAKE_TWICE},
        {&my_loop, 7, TG_MISTAKE_STALE},
        {&my_loop, 9, TG_MISTAKE_REDRAWN},
        {&my_loop, 11, TG_MISTAKE_NOT_FINITE},
        {&my_loop, 13, TG_MISTAKE_TAIL},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        tg_gradcheck_result r = said(cases[i].op, cases[i].mistake);
        ck_assert_msg(r.mistake == cases[i].name, "%s, mistake %d: %s, not %s: %s", cases[i].op->name, cases[i].mistake,
                      tg_mistake_name(r.mistake), tg_mistake_name(cases[i].name), r.diagnosis);
    }
}
END_TEST

/* A buffer that is never cleared, after calls with much larger dy. */
START_TEST(a_stale_buffer_is_named_whatever_it_holds)
{
    int mistake = 7;
    tg_tape *t = tg_tape_new(TG_F64);
    tg_tensor x = random_leaf(t, TG_SHAPE(10), 3, false);
    tg_gradcheck_result r =
        check(tg_mul_scalar(tg_custom(&my_loop, &x, 1, TG_SHAPE(10), &mistake, sizeof mistake), 2e4), 3);
    ck_assert_msg(r.mistake == TG_MISTAKE_STALE, "%s: %s", r.summary, r.diagnosis);
    tg_tape_free(t);
}
END_TEST

/* y = (x - mean) / std + b over one row: 1 mean constant, 2 variance constant, 3 both. b has the shape of a weight. */
static int shifted_forward(const tg_call *c) {
    const double *x = c->input[0], *b = c->input[1];
    double n = (double)tg_shape_numel(c->output_shape), mean = 0, var = 0;
    for (int i = 0; i < n; i++)
        mean += x[i] / n;
    for (int i = 0; i < n; i++)
        var += (x[i] - mean) * (x[i] - mean) / n;
    for (int i = 0; i < n; i++)
        ((double *)c->output)[i] = (x[i] - mean) / sqrt(var + 1e-5) + b[i];
    return 0;
}

static int shifted_vjp(const tg_call *c) {
    const double *x = c->input[0], *b = c->input[1], *y = c->output, *dy = c->output_grad;
    double n = (double)tg_shape_numel(c->output_shape), mean = 0, mean_h = 0, *dx = c->input_grad[0];
    int mistake = *(const int *)c->context;
    for (int i = 0; i < n; i++) {
        mean += mistake & 1 ? 0 : dy[i] / n;
        mean_h += mistake & 2 ? 0 : dy[i] * (y[i] - b[i]) / n;
        ((double *)c->input_grad[1])[i] += dy[i];
    }
    double inverse_std = (y[1] - b[1] - y[0] + b[0]) / (x[1] - x[0]);
    for (int i = 0; i < n; i++)
        dx[i] += inverse_std * (dy[i] - mean - (y[i] - b[i]) * mean_h);
    return 0;
}

static const tg_custom_op shifted = {"shifted", NULL, NULL, shifted_forward, shifted_vjp};

START_TEST(a_shift_is_not_taken_for_a_weight)
{
    static const tg_mistake names[] = {TG_MISTAKE_NONE, TG_MISTAKE_MEAN, TG_MISTAKE_VARIANCE, TG_MISTAKE_STATISTICS};
    for (int mistake = 0; mistake < 4; mistake++) {
        tg_tape *t = tg_tape_new(TG_F64);
        tg_tensor x[2] = {random_leaf(t, TG_SHAPE(8), 4, false), random_leaf(t, TG_SHAPE(8), 5, false)};
        tg_gradcheck_result r = check(tg_custom(&shifted, x, 2, TG_SHAPE(8), &mistake, sizeof mistake), 6);
        ck_assert_msg(r.mistake == names[mistake], "%d: %s: %s", mistake, r.summary, r.diagnosis);
        tg_tape_free(t);
    }
}
END_TEST

/* y = x^2 at some places, 0 at the others, in backward up to *context alone. */
static const bool kept[] = {true, true, false, true, true, false, false, true, false, false};

static int kept_forward(const tg_call *c) {
    for (int i = 0; i < 10; i++)
        ((double *)c->output)[i] = kept[i] ? ((const double *)c->input[0])[i] * ((const double *)c->input[0])[i] : 0;
    return 0;
}

static int kept_vjp(const tg_call *c) {
    for (int i = 0; i < *(const int *)c->context; i++)
        ((double *)c->input_grad[0])[i] +=
            kept[i] ? 2 * ((const double *)c->input[0])[i] * ((const double *)c->output_grad)[i] : 0;
    return 0;
}

static const tg_custom_op keep = {"keep", NULL, NULL, kept_forward, kept_vjp};

START_TEST(a_tail_is_named_where_its_end_does_not_matter)
{
    for (int end = 1; end <= 10; end++) {
        tg_tape *t = tg_tape_new(TG_F64);
        tg_tensor x = random_leaf(t, TG_SHAPE(10), 8, false);
        tg_gradcheck_result r = check(tg_custom(&keep, &x, 1, TG_SHAPE(10), &end, sizeof end), 9);
        ck_assert_msg(r.mistake == (end < 8 ? TG_MISTAKE_TAIL : TG_MISTAKE_NONE), "%d: %s: %s", end, r.summary,
                      r.diagnosis);
        tg_tape_free(t);
    }
}
END_TEST

/* y[h][i] = x[h] (i + 1): a number for each row broadcasts nowhere, and the second that is lost is not a missing sum.
 */
static int rows_forward(const tg_call *c) {
    for (int i = 0; i < 6; i++)
        ((double *)c->output)[i] = ((const double *)c->input[0])[i / 3] * (i % 3 + 1);
    return 0;
}

static int rows_vjp(const tg_call *c) {
    for (int i = 0; i < 3; i++)
        ((double *)c->input_grad[0])[0] += ((const double *)c->output_grad)[i] * (i + 1);
    return 0;
}

static const tg_custom_op rows = {"rows", NULL, NULL, rows_forward, rows_vjp};

START_TEST(what_does_not_broadcast_is_not_called_unsummed)
{
    tg_tape *t = tg_tape_new(TG_F64);
    tg_tensor x = random_leaf(t, TG_SHAPE(2), 4, false);
    tg_gradcheck_result r = check(tg_custom(&rows, &x, 1, TG_SHAPE(2, 3), NULL, 0), 6);
    ck_assert_msg(r.verdict == TG_GRAD_WRONG && r.mistake == TG_MISTAKE_UNKNOWN, "%s: %s", r.summary, r.diagnosis);
    tg_tape_free(t);
}
END_TEST

/* y = s x: dy where s dy belongs looks like a constant factor until s moves. */
static int product_forward(const tg_call *c) {
    for (int i = 0; i < 6; i++)
        ((double *)c->output)[i] = ((const double *)c->input[0])[i] * ((const double *)c->input[1])[0];
    return 0;
}

static int product_vjp(const tg_call *c) {
    const double *dy = c->output_grad;
    for (int i = 0; i < 6; i++) {
        ((double *)c->input_grad[0])[i] += dy[i];
        ((double *)c->input_grad[1])[0] += dy[i] * ((const double *)c->input[0])[i];
    }
    return 0;
}

static const tg_custom_op product = {"product", NULL, NULL, product_forward, product_vjp};

START_TEST(a_name_that_does_not_hold_makes_room_for_the_next)
{
    tg_tape *t = tg_tape_new(TG_F64);
    tg_tensor x[2] = {random_leaf(t, TG_SHAPE(6), 4, false), random_leaf(t, TG_SHAPE(1), 5, false)};
    tg_gradcheck_result r = check(tg_custom(&product, x, 2, TG_SHAPE(6), NULL, 0), 6);
    ck_assert_msg(r.mistake == TG_MISTAKE_PASSED_ON, "%s: %s", r.summary, r.diagnosis);
    tg_tape_free(t);
}
END_TEST

/* ---- what looks like a mistake that has a name, and is another ---- */

/* Cross entropy with label smoothing s over rows of 3 classes; q: what backward takes for the target's distribution. */
enum { SMOOTHED, FORGOTTEN, SPREAD_OVER_OTHERS, LESS_AT_TARGET, ROWS = 4, CLASSES = 3 };
static const double smoothing = 0.1;

static double row_sum(const double *x) {
    double sum = 0;
    for (int c = 0; c < CLASSES; c++)
        sum += exp(x[c]);
    return sum;
}

static int smoothed_forward(const tg_call *c) {
    double loss = 0;
    for (int row = 0; row < ROWS; row++) {
        const double *x = (const double *)c->input[0] + CLASSES * row;
        for (int k = 0; k < CLASSES; k++) {
            double q = smoothing / CLASSES + (((const int64_t *)c->input[1])[row] == k ? 1 - smoothing : 0);
            loss -= q * (x[k] - log(row_sum(x)));
        }
    }
    *(double *)c->output = loss / ROWS;
    return 0;
}

static int smoothed_vjp(const tg_call *c) {
    int mistake = *(const int *)c->context;
    for (int i = 0; i < ROWS * CLASSES; i++) {
        const double *x = (const double *)c->input[0] + i / CLASSES * CLASSES, s = smoothing;
        bool target = ((const int64_t *)c->input[1])[i / CLASSES] == i % CLASSES;
        double q = s / CLASSES + (target ? 1 - s : 0);
        if (mistake == FORGOTTEN)
            q = target;
        if (mistake == SPREAD_OVER_OTHERS)
            q = target ? 1 - s : s / (CLASSES - 1);
        if (mistake == LESS_AT_TARGET && target)
            q = 1 - s;
        ((double *)c->input_grad[0])[i] +=
            *(const double *)c->output_grad * (exp(x[i % CLASSES]) / row_sum(x) - q) / ROWS;
    }
    return 0;
}

START_TEST(smoothing_is_called_forgotten_and_the_target_missing_only_where_they_are)
{
    static const tg_custom_op op = {"smoothed", NULL, NULL, smoothed_forward, smoothed_vjp};
    for (int mistake = FORGOTTEN; mistake <= LESS_AT_TARGET; mistake++)
        for (uint64_t seed = 1; seed <= 10; seed++) {
            tg_tape *t = tg_tape_new(TG_F64);
            tg_tensor x[] = {random_leaf(t, TG_SHAPE(ROWS, CLASSES), seed, false),
                             tg_from_ints(t, TG_SHAPE(ROWS), (int64_t[]){1, 0, 2, 2})};
            tg_gradcheck_result r = check(tg_custom(&op, x, 2, TG_SCALAR, &mistake, sizeof mistake), seed);
            tg_mistake name = mistake == FORGOTTEN ? TG_MISTAKE_SMOOTHING : TG_MISTAKE_UNKNOWN;
            ck_assert_msg(r.verdict == TG_GRAD_WRONG && r.mistake == name, "mistake %d, seed %d: %s: %s", mistake,
                          (int)seed, r.summary, r.diagnosis);
            tg_tape_free(t);
        }
}
END_TEST

/* Two outputs, the sum of sines and that of squares: what arrives at one of them is ignored. They are no dim of y. */
static int sums_forward(const tg_call *c) {
    double *y = c->outputs[0], *z = c->outputs[1];
    *y = *z = 0;
    for (int64_t i = 0; i < c->input_shape->size[0]; i++) {
        double x = ((const double *)c->input[0])[i];
        *y += sin(x);
        *z += x * x;
    }
    return 0;
}

static int sums_vjp(const tg_call *c) {
    int ignored = *(const int *)c->context;
    for (int64_t i = 0; i < c->input_shape->size[0]; i++) {
        double x = ((const double *)c->input[0])[i];
        ((double *)c->input_grad[0])[i] += (ignored == 0 ? 0 : *(const double *)c->output_grads[0] * cos(x)) +
                                           (ignored == 1 ? 0 : *(const double *)c->output_grads[1] * 2 * x);
    }
    return 0;
}

START_TEST(an_output_that_is_ignored_is_no_missing_sum)
{
    static const tg_custom_op op = {"sums", NULL, NULL, sums_forward, sums_vjp};
    static const char *const text[] = {"arrives at output 1 is ignored", "arrives at output 2 is ignored"};
    for (int ignored = 0; ignored < 2; ignored++)
        for (int64_t n = 1; n <= 4; n += 3)
            for (uint64_t seed = 1; seed <= SEEDS; seed++) {
                tg_tape *t = tg_tape_new(TG_F64);
                tg_tensor x = random_leaf(t, TG_SHAPE(n), seed, false), y[2];
                tg_custom_config config = {2, (tg_shape[]){TG_SCALAR, TG_SCALAR}, 0, &ignored, sizeof ignored, NULL};
                ck_assert_int_eq(tg_custom_with(&op, &x, 1, config, y), TG_OK);
                tg_gradcheck_result r = check(tg_add(tg_square(y[0]), tg_square(y[1])), seed);
                ck_assert_msg(r.mistake == TG_MISTAKE_UNKNOWN && strstr(r.diagnosis, text[ignored]), "%s: %s",
                              r.summary, r.diagnosis);
                tg_tape_free(t);
            }
}
END_TEST

/* A product (n, 3) (3, 3), of whose rows the first ones give the second operand no gradient. */
static int rows_product_forward(const tg_call *c) {
    const double *a = c->input[0], *b = c->input[1];
    for (int64_t i = 0; i < tg_shape_numel(c->output_shape); i++) {
        ((double *)c->output)[i] = 0;
        for (int64_t k = 0; k < 3; k++)
            ((double *)c->output)[i] += a[i / 3 * 3 + k] * b[k * 3 + i % 3];
    }
    return 0;
}

static int rows_product_vjp(const tg_call *c) {
    const double *a = c->input[0], *b = c->input[1], *dy = c->output_grad;
    for (int64_t i = 0; i < tg_shape_numel(c->output_shape); i++)
        for (int64_t k = 0; k < 3; k++) {
            ((double *)c->input_grad[0])[i / 3 * 3 + k] += dy[i] * b[k * 3 + i % 3];
            if (i / 3 >= *(const int *)c->context)
                ((double *)c->input_grad[1])[k * 3 + i % 3] += dy[i] * a[i / 3 * 3 + k];
        }
    return 0;
}

START_TEST(one_row_of_two_that_is_lost_is_no_missing_sum)
{
    static const tg_custom_op op = {"rows_product", NULL, NULL, rows_product_forward, rows_product_vjp};
    static const struct {
        int64_t rows;
        int lost;
        tg_mistake name;
    } cases[] = {{2, 1, TG_MISTAKE_UNKNOWN}, {4, 1, TG_MISTAKE_UNKNOWN}, {4, 3, TG_MISTAKE_NOT_SUMMED}};
    for (int i = 0; i < 3; i++) {
        tg_tape *t = tg_tape_new(TG_F64);
        tg_tensor x[] = {random_leaf(t, TG_SHAPE(cases[i].rows, 3), 1, false),
                         random_leaf(t, TG_SHAPE(3, 3), 2, false)};
        tg_gradcheck_result r =
            check(tg_custom(&op, x, 2, TG_SHAPE(cases[i].rows, 3), &cases[i].lost, sizeof cases[i].lost), 3);
        ck_assert_msg(r.mistake == cases[i].name && !strstr(r.diagnosis, "broadcast dim"), "%d: %s: %s", i, r.summary,
                      r.diagnosis);
        tg_tape_free(t);
    }
}
END_TEST

/* y = (1, sin(x0) exp(x1)): without its last element the gradient is that without a diagonal, without its first one
 * the diagonal alone. */
static int late_forward(const tg_call *c) {
    const double *x = c->input[0];
    ((double *)c->output)[0] = 1;
    ((double *)c->output)[1] = sin(x[0]) * exp(x[1]);
    return 0;
}

static int late_vjp(const tg_call *c) {
    const double *x = c->input[0], dy = ((const double *)c->output_grad)[1];
    int lost = *(const int *)c->context;
    double g[] = {dy * cos(x[0]) * exp(x[1]), dy * sin(x[0]) * exp(x[1])};
    ((double *)c->input_grad[0])[!lost] += g[!lost];
    return 0;
}

START_TEST(one_wrong_element_says_nothing_of_the_jacobian)
{
    static const tg_custom_op op = {"late", NULL, NULL, late_forward, late_vjp};
    for (int lost = 0; lost < 2; lost++) {
        tg_tape *t = tg_tape_new(TG_F64);
        tg_tensor x = random_leaf(t, TG_SHAPE(2, 1), 4, false);
        tg_gradcheck_result r = check(tg_custom(&op, &x, 1, TG_SHAPE(2, 1), &lost, sizeof lost), 3);
        ck_assert_msg(r.verdict == TG_GRAD_WRONG && r.mistake == TG_MISTAKE_UNKNOWN, "%s: %s", r.summary, r.diagnosis);
        ck_assert_msg(strstr(r.diagnosis, lost ? "the last;" : "the first;"), "%s", r.diagnosis);
        tg_tape_free(t);
    }
}
END_TEST

/* y = sin(a) - 0.99 sin(b), da a little too large: nothing beside da, but much of what is left where a is b. */
static int apart_forward(const tg_call *c) {
    const double *a = c->input[0], *b = c->input[1];
    for (int i = 0; i < 6; i++)
        ((double *)c->output)[i] = sin(a[i]) - 0.99 * sin(b[i]);
    return 0;
}

static int apart_vjp(const tg_call *c) {
    const double *a = c->input[0], *b = c->input[1], *dy = c->output_grad;
    for (int i = 0; i < 6; i++) {
        ((double *)c->input_grad[0])[i] += dy[i] * cos(a[i]) * (1 + *(const double *)c->context);
        ((double *)c->input_grad[1])[i] -= dy[i] * cos(b[i]) * 0.99;
    }
    return 0;
}

START_TEST(what_cancels_badly_is_not_called_shared)
{
    static const tg_custom_op op = {"apart", NULL, NULL, apart_forward, apart_vjp};
    const double more = 5e-7;
    tg_tape *t = tg_tape_new(TG_F64);
    tg_tensor x = random_leaf(t, TG_SHAPE(6), 4, false), both[] = {x, x};
    tg_gradcheck_result r = check(tg_custom(&op, both, 2, TG_SHAPE(6), &more, sizeof more), 3);
    ck_assert_msg(r.verdict == TG_GRAD_WRONG && r.mistake == TG_MISTAKE_UNKNOWN, "%s: %s", r.summary, r.diagnosis);
    ck_assert_str_eq(r.op, "apart");
    ck_assert_msg(strstr(r.diagnosis, "operands 1 and 2 are one tensor here"), "%s", r.diagnosis);
    tg_tape_free(t);
}
END_TEST

/* y = x^2; the VJP moves x by very little, so that equal runs differ. */
static int moving_forward(const tg_call *c) {
    const double *x = c->input[0];
    for (int i = 0; i < 6; i++)
        ((double *)c->output)[i] = x[i] * x[i];
    return 0;
}

static int moving_vjp(const tg_call *c) {
    double *x = (double *)(uintptr_t)c->input[0];
    for (int i = 0; i < 6; i++) {
        ((double *)c->input_grad[0])[i] += 2 * x[i] * ((const double *)c->output_grad)[i];
        x[i] += *(const double *)c->context;
    }
    return 0;
}

START_TEST(a_vjp_that_writes_its_operand_is_not_called_random)
{
    static const tg_custom_op op = {"moving", NULL, NULL, moving_forward, moving_vjp};
    for (double by = 1e-9; by < 1; by *= 1e4) {
        tg_tape *t = tg_tape_new(TG_F64);
        tg_tensor x = random_leaf(t, TG_SHAPE(6), 4, false);
        tg_gradcheck_result r = check(tg_custom(&op, &x, 1, TG_SHAPE(6), &by, sizeof by), 3);
        ck_assert_msg(r.mistake == TG_MISTAKE_WRITES && strstr(r.diagnosis, "writes to operand 1,"), "%g: %s: %s", by,
                      r.summary, r.diagnosis);
        tg_tape_free(t);
    }
}
END_TEST

static int count_and_double(void *grad, int64_t n, tg_tensor x, void *calls) {
    for (int64_t i = 0; i < n && tg_dtype_of(x) == TG_F64; i++)
        ((double *)grad)[i] *= 2;
    ++*(int *)calls;
    return 0;
}

START_TEST(hooks_take_no_part)
{
    int calls = 0;
    tg_tape *t = tg_tape_new(TG_F64);
    tg_tensor x = random_leaf(t, TG_SHAPE(3), 4, false), y = tg_exp(x);
    ck_assert_int_eq(tg_register_hook(x, count_and_double, &calls), TG_OK);
    ck_assert_int_eq(tg_register_hook(y, count_and_double, &calls), TG_OK);
    ck_assert_int_eq(check(tg_square(y), 3).verdict, TG_GRAD_RIGHT);
    ck_assert_int_eq(tg_gradcheck_second(tg_square(y), 3, NULL), TG_OK);
    ck_assert_int_eq(calls, 0);
    tg_tape_free(t);
}
END_TEST

/* Of what has no name it is said where it lies. */
START_TEST(what_has_no_name_is_described)
{
    static const struct {
        const tg_custom_op *op;
        int mistake;
        const char *text;
    } cases[] = {{&my_loop, 3, "all from element 1 on"},
                 {&my_loop, 10, "not linear in dy"},
                 {&my_entropy, 5, "none of the common mistakes"},
                 {&my_pool, 1, "none of the common mistakes"},
                 {&my_loop, 12, "none of the common mistakes: all 10 elements looked at are wrong"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        tg_gradcheck_result r = said(cases[i].op, cases[i].mistake);
        ck_assert_msg(r.mistake == TG_MISTAKE_UNKNOWN && strstr(r.diagnosis, cases[i].text), "%s, mistake %d: %s: %s",
                      cases[i].op->name, cases[i].mistake, tg_mistake_name(r.mistake), r.diagnosis);
    }
}
END_TEST

/* ---- where mistakes without a name lie ---- */

enum {
    FIRST,
    LAST,
    NEGATIVE,
    POSITIVE,
    LARGE,
    SMALL,
    ON_DIAGONAL,
    OFF_DIAGONAL,
    ABOVE,
    BELOW,
    FIRST_ROW,
    OTHER_ROWS,
    FIRST_COLUMN,
    LAST_COLUMN,
    OTHER_COLUMNS,
    OTHER_BATCHES,
    EVEN,
    ODD,
    SECOND_HALF,
    PLACES
};

static bool lies_there(int place, int64_t k, int64_t n, const tg_shape *shape, double x) {
    int64_t columns = shape->size[shape->ndim - 1], row = k / columns % shape->size[shape->ndim - 2];
    int64_t column = k % columns;
    switch (place) {
    case FIRST: return k == 0;
    case LAST: return k == n - 1;
    case NEGATIVE: return x < 0;
    case POSITIVE: return x > 0;
    case LARGE: return fabs(x) > 1;
    case SMALL: return fabs(x) < 1;
    case ON_DIAGONAL: return row == column;
    case OFF_DIAGONAL: return row != column;
    case ABOVE: return column > row;
    case BELOW: return column < row;
    case FIRST_ROW: return k < columns;
    case OTHER_ROWS: return k >= columns;
    case FIRST_COLUMN: return column == 0;
    case LAST_COLUMN: return column == columns - 1;
    case OTHER_COLUMNS: return column > 0;
    case OTHER_BATCHES: return k >= n / shape->size[0];
    case EVEN: return k % 2 == 0;
    case ODD: return k % 2 == 1;
    default: return k >= n / 2;
    }
}

/* y = sin x, wrong by another factor at each element of a place */
static int placed_forward(const tg_call *c) {
    for (int64_t k = 0; k < tg_shape_numel(c->output_shape); k++)
        ((double *)c->output)[k] = sin(((const double *)c->input[0])[k]);
    return 0;
}

static int placed_vjp(const tg_call *c) {
    const double *x = c->input[0], *dy = c->output_grad;
    int64_t n = tg_shape_numel(c->output_shape);
    for (int64_t k = 0; k < n; k++) {
        bool wrong = lies_there(*(const int *)c->context, k, n, c->output_shape, x[k]);
        ((double *)c->input_grad[0])[k] += dy[k] * cos(x[k]) * (wrong ? 1.3 + 0.1 * (double)(k * 7 % 5) : 1);
    }
    return 0;
}

static const tg_custom_op placed = {.name = "placed", .forward_f64 = placed_forward, .vjp_f64 = placed_vjp};

START_TEST(where_what_has_no_name_lies)
{
    static const char *const text[PLACES] = {"the first;",
                                             "the last;",
                                             "those with x < 0",
                                             "those with x > 0",
                                             "those with |x| > 1",
                                             "those with |x| < 1",
                                             "those on the diagonal",
                                             "those off the diagonal",
                                             "those above the diagonal",
                                             "those below the diagonal",
                                             "the first row",
                                             "all rows but the first",
                                             "the first column",
                                             "the last column",
                                             "all columns but the first",
                                             "all of dim 0 but the first",
                                             "every second from the first on",
                                             "every second from the second on",
                                             "all from element 10 on"};
    for (int place = 0; place < PLACES; place++) {
        tg_tape *t = tg_tape_new(TG_F64);
        tg_shape shape = place == OTHER_BATCHES          ? TG_SHAPE(3, 2, 3)
                         : place == EVEN || place == ODD ? TG_SHAPE(3, 5)
                                                         : TG_SHAPE(4, 5);
        tg_tensor x = random_leaf(t, shape, 21, false);
        tg_gradcheck_result r = check(tg_custom(&placed, &x, 1, shape, &place, sizeof place), 2);
        ck_assert_msg(r.verdict == TG_GRAD_WRONG && strstr(r.diagnosis, text[place]), "%s: %s", text[place],
                      r.diagnosis);
        tg_tape_free(t);
    }
}
END_TEST

/* ---- small numbers ---- */

/* y = x w, of 4 by 4, and the softmax of x's rows; dx is `factor` times the right one at one element, or at all. */
typedef struct small {
    double factor;
    int64_t at; /* -1: at all */
} small;

static int by_w_forward(const tg_call *c) {
    const double *x = c->input[0], *w = c->input[1];
    double *y = c->output;
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++) {
            y[4 * i + j] = 0;
            for (int k = 0; k < 4; k++)
                y[4 * i + j] += x[4 * i + k] * w[4 * k + j];
        }
    return 0;
}

static void add_spoilt(const tg_call *c, int64_t at, double g) {
    const small *s = c->context;
    ((double *)c->input_grad[0])[at] += g * (s->at < 0 || s->at == at ? s->factor : 1);
}

static int by_w_vjp(const tg_call *c) {
    const double *x = c->input[0], *w = c->input[1], *dy = c->output_grad;
    for (int i = 0; i < 4; i++)
        for (int k = 0; k < 4; k++) {
            double g = 0;
            for (int j = 0; j < 4; j++)
                g += dy[4 * i + j] * w[4 * k + j];
            add_spoilt(c, 4 * i + k, g);
            for (int j = 0; j < 4; j++)
                ((double *)c->input_grad[1])[4 * k + j] += dy[4 * i + j] * x[4 * i + k];
        }
    return 0;
}

static int weights_forward(const tg_call *c) {
    const double *x = c->input[0];
    double *y = c->output;
    for (int i = 0; i < 4; i++) {
        double sum = 0;
        for (int j = 0; j < 4; j++)
            sum += exp(x[4 * i + j]);
        for (int j = 0; j < 4; j++)
            y[4 * i + j] = exp(x[4 * i + j]) / sum;
    }
    return 0;
}

static int weights_vjp(const tg_call *c) {
    const double *y = c->output, *dy = c->output_grad;
    for (int i = 0; i < 16; i++) {
        double sum = 0;
        for (int j = i / 4 * 4; j < i / 4 * 4 + 4; j++)
            sum += y[j] * dy[j];
        add_spoilt(c, i, y[i] * (dy[i] - sum));
    }
    return 0;
}

static const tg_custom_op small_by_w = {.name = "product", .forward_f64 = by_w_forward, .vjp_f64 = by_w_vjp},
                          small_weights = {.name = "rows", .forward_f64 = weights_forward, .vjp_f64 = weights_vjp};

START_TEST(a_small_factor_beside_small_numbers_is_wrong)
{
    static const struct {
        const tg_custom_op *op;
        double scale;
        small s;
    } all[] = {{&small_by_w, 1e-3, {1 + 1e-5, -1}},  {&small_by_w, 1e-5, {1.001, -1}},
               {&small_weights, 1e-3, {1.0001, -1}}, {&small_weights, 1e-3, {1.001, 5}},
               {&small_weights, 1, {1.001, 5}},      {&small_weights, 1, {1 + 4e-6, -1}},
               {&small_weights, 1e-3, {1, -1}},      {&small_by_w, 1e-5, {1, -1}}};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++)
        for (uint64_t seed = 1; seed <= 5 * SEEDS; seed++) {
            tg_tape *t = tg_tape_new(TG_F64);
            tg_tensor x[2];
            for (int i = 0; i < 2; i++) {
                x[i] = random_leaf(t, TG_SHAPE(4, 4), 2 * seed + (uint64_t)i, false);
                for (int j = 0; j < 16; j++)
                    ((double *)tg_data(x[i]))[j] *= all[k].scale;
            }
            int n = all[k].op == &small_by_w ? 2 : 1;
            tg_gradcheck_result r = check(tg_custom(all[k].op, x, n, TG_SHAPE(4, 4), &all[k].s, sizeof(small)), seed);
            ck_assert_msg((r.verdict == TG_GRAD_RIGHT) == (all[k].s.factor == 1) && !r.cannot_tell, "%zu, seed %d: %s",
                          k, (int)seed, r.summary);
            tg_tape_free(t);
        }
}
END_TEST

/* ---- what the first look does not show ---- */

/* y = x^2 with the x of the first backward, and without what arrives where that is small */
static int square_forward(const tg_call *c) {
    const double *x = c->input[0];
    for (int64_t i = 0; i < tg_shape_numel(c->output_shape); i++)
        ((double *)c->output)[i] = x[i] * x[i];
    return 0;
}

static double cached[6];
static bool is_cached;

static int cached_vjp(const tg_call *c) {
    const double *x = c->input[0], *dy = c->output_grad;
    for (int64_t i = 0; i < 6; i++) {
        cached[i] = is_cached ? cached[i] : x[i];
        ((double *)c->input_grad[0])[i] += 2 * cached[i] * dy[i];
    }
    is_cached = true;
    return 0;
}

static int clipped_vjp(const tg_call *c) {
    const double *x = c->input[0], *dy = c->output_grad;
    for (int64_t i = 0; i < 6; i++)
        ((double *)c->input_grad[0])[i] += fabs(dy[i]) < 0.3 ? 0 : 2 * x[i] * dy[i];
    return 0;
}

static const tg_custom_op cached_square = {.name = "cached", .forward_f64 = square_forward, .vjp_f64 = cached_vjp},
                          clipped_square = {.name = "clipped", .forward_f64 = square_forward, .vjp_f64 = clipped_vjp};

START_TEST(what_only_the_first_look_hides_is_wrong)
{
    const tg_custom_op *const all[] = {&cached_square, &clipped_square};
    for (int k = 0; k < 2; k++)
        for (uint64_t seed = 1; seed <= SEEDS; seed++) {
            tg_tape *t = tg_tape_new(TG_F64);
            tg_tensor x = random_leaf(t, TG_SHAPE(6), seed, false);
            is_cached = false;
            tg_gradcheck_result r = check(tg_custom(all[k], &x, 1, TG_SHAPE(6), NULL, 0), seed);
            ck_assert_msg(r.verdict == TG_GRAD_WRONG, "%d, seed %d: %s", k, (int)seed, r.summary);
            tg_tape_free(t);
        }
}
END_TEST

/* The largest of each row; the gradient goes to the first that ties, or nowhere. */
static int largest_forward(const tg_call *c) {
    const double *x = c->input[0];
    for (int i = 0; i < 3; i++)
        ((double *)c->output)[i] = fmax(x[3 * i], fmax(x[3 * i + 1], x[3 * i + 2]));
    return 0;
}

static int largest_vjp(const tg_call *c) {
    const double *x = c->input[0], *y = c->output, *dy = c->output_grad;
    for (int i = 0; i < 3; i++) {
        int j = 0;
        while (x[3 * i + j] != y[i])
            j++;
        ((double *)c->input_grad[0])[3 * i + j] += *(const bool *)c->context ? dy[i] : 0;
    }
    return 0;
}

static const tg_custom_op largest = {.name = "largest", .forward_f64 = largest_forward, .vjp_f64 = largest_vjp};

START_TEST(where_all_are_tied_zero_is_wrong)
{
    for (int right = 0; right < 2; right++) {
        tg_tape *t = tg_tape_new(TG_F64);
        tg_tensor x = wanting(tg_full(t, TG_SHAPE(3, 3), 0.7));
        tg_gradcheck_result r = check(tg_custom(&largest, &x, 1, TG_SHAPE(3), &(bool){right}, sizeof(bool)), 1);
        ck_assert_msg(r.verdict == (right ? TG_GRAD_KINK : TG_GRAD_WRONG), "%s", r.summary);
        tg_tape_free(t);
    }
}
END_TEST

/* ---- VJPs that compare the result ---- */

enum { CLIPPED = 24 };

static int clip_forward(const tg_call *c) {
    const double *x = c->input[0];
    for (int i = 0; i < CLIPPED; i++)
        ((double *)c->output)[i] = fmin(fmax(x[i], -1), 1);
    return 0;
}

/* The context: what is made of dy where y == x; or 0: y is asked whether it lies within the bounds, as it always does.
 */
static int clip_vjp(const tg_call *c) {
    const double *x = c->input[0], *y = c->output, *dy = c->output_grad, by = *(const double *)c->context;
    for (int i = 0; i < CLIPPED; i++)
        if (by != 0 ? y[i] == x[i] : y[i] >= -1 && y[i] <= 1)
            ((double *)c->input_grad[0])[i] += (by != 0 ? by : 1) * dy[i];
    return 0;
}

static const tg_custom_op clip = {.name = "clip", .forward_f64 = clip_forward, .vjp_f64 = clip_vjp};

/* A unit more or less of y takes the gradient from dy to 0, which is no rounding. Alone, and as a small part of what
 * agrees to three digits without it. */
START_TEST(what_a_compared_result_decides_is_no_rounding)
{
    static const double factors[] = {1, -1, 1.01, 0.5, 0};
    for (int k = 0; k < 5 * 2 * 10 * SEEDS; k++) {
        tg_tape *t = tg_tape_new(TG_F64);
        tg_manual_seed(t, (uint64_t)k);
        tg_tensor x = tg_mul_scalar(wanting(tg_randn(t, TG_SHAPE(CLIPPED))), 2);
        tg_tensor y = tg_custom(&clip, &x, 1, TG_SHAPE(CLIPPED), &factors[k % 5], sizeof *factors);
        y = k / 5 % 2 ? total(tg_add(tg_square(x), tg_mul_scalar(y, 1e-4))) : y;
        tg_gradcheck_result r = check(y, (uint64_t)k);
        ck_assert_msg(r.verdict == (k % 5 == 0 ? TG_GRAD_RIGHT : TG_GRAD_WRONG), "%g dy: %s", factors[k % 5],
                      r.summary);
        ck_assert_str_eq(r.op, k % 5 == 0 ? "" : "clip");
        tg_tape_free(t);
    }
}
END_TEST

static int most_forward(const tg_call *c) {
    const double *x = c->input[0];
    double most = x[0];
    for (int i = 1; i < CLIPPED; i++)
        most = fmax(most, x[i]);
    *(double *)c->saved = most;
    *(double *)c->output = sin(most);
    return 0;
}

static int most_vjp(const tg_call *c) {
    const double *x = c->input[0], most = *(const double *)c->saved;
    for (int i = 0; i < CLIPPED; i++)
        if (x[i] == most)
            ((double *)c->input_grad[0])[i] +=
                *(const double *)c->context * cos(most) * *(const double *)c->output_grad;
    return 0;
}

/* The largest is saved, and found again. */
START_TEST(nor_is_what_a_saved_number_decides)
{
    static const tg_custom_op op = {.name = "sine_of_largest", .forward_f64 = most_forward, .vjp_f64 = most_vjp};
    static const double factors[] = {1, -1, 1.01, 0.5};
    for (int k = 0; k < 4 * 10 * SEEDS; k++) {
        tg_tape *t = tg_tape_new(TG_F64);
        tg_manual_seed(t, (uint64_t)k);
        tg_tensor x = wanting(tg_randn(t, TG_SHAPE(CLIPPED))), y;
        tg_custom_config config = {1, &TG_SCALAR, 1, &factors[k % 4], sizeof *factors, NULL};
        ck_assert(!tg_custom_with(&op, &x, 1, config, &y));
        tg_gradcheck_result r = check(tg_square(y), (uint64_t)k);
        ck_assert_msg(r.verdict == (k % 4 ? TG_GRAD_WRONG : TG_GRAD_RIGHT), "%g: %s", factors[k % 4], r.summary);
        tg_tape_free(t);
    }
}
END_TEST

static int clip_forward32(const tg_call *c) {
    const float *x = c->input[0];
    for (int i = 0; i < CLIPPED; i++)
        ((float *)c->output)[i] = fminf(fmaxf(x[i], -1), 1);
    return 0;
}

static int clip_vjp32(const tg_call *c) {
    const float *x = c->input[0], *y = c->output, *dy = c->output_grad;
    for (int i = 0; i < CLIPPED; i++)
        if (y[i] == x[i])
            ((float *)c->input_grad[0])[i] += (float)*(const double *)c->context * dy[i];
    return 0;
}

static int clip_vjp64(const tg_call *c) {
    const double *x = c->input[0], *y = c->output, *dy = c->output_grad;
    for (int i = 0; i < CLIPPED; i++)
        if (y[i] == x[i])
            ((double *)c->input_grad[0])[i] += dy[i];
    return 0;
}

/* The same in float32 alone: what moves of the result there decides is no rounding either. */
START_TEST(nor_is_it_in_float32)
{
    static const tg_custom_op both = {"clip", clip_forward32, clip_vjp32, clip_forward, clip_vjp64};
    static const double factors[] = {1, -1, 1.01, 1.0001};
    for (int k = 0; k < 4 * 10 * SEEDS; k++) {
        tg_tape *t = tg_tape_new(TG_F32);
        tg_manual_seed(t, (uint64_t)k);
        tg_tensor x = tg_mul_scalar(wanting(tg_randn(t, TG_SHAPE(CLIPPED))), 2);
        tg_tensor y = tg_custom(&both, &x, 1, TG_SHAPE(CLIPPED), &factors[k % 4], sizeof *factors);
        tg_gradcheck_result r = check(total(tg_square(y)), (uint64_t)k);
        ck_assert_msg(r.verdict == (k % 4 ? TG_GRAD_WRONG : TG_GRAD_RIGHT), "%g: %s", factors[k % 4], r.summary);
        ck_assert_int_eq(r.mistake, k % 4 ? TG_MISTAKE_FLOAT32 : TG_MISTAKE_NONE);
        tg_tape_free(t);
    }
}
END_TEST

/* 0.9996 lies within the widest step of the bound, and floats, which a step moves without rounding, show no noise. */
START_TEST(a_kink_in_the_widest_step_is_no_noise)
{
    static const float own[CLIPPED] = {-1.22510779f,  -0.132281467f, -1.59979677f,  1.87047708f,  -1.80585945f,
                                       -1.03589451f,  -0.260573655f, 0.581079423f,  -1.14864171f, 0.864172935f,
                                       0.0726324469f, 0.420723081f,  -0.239123121f, -0.6053406f,  -0.306752801f,
                                       -1.37077391f,  -0.443537742f, -1.04824829f,  0.999619842f, 1.0068177f,
                                       0.330871403f,  -1.02753484f,  -0.705329418f, 0.0456814207f};
    double x[CLIPPED];
    for (int i = 0; i < CLIPPED; i++)
        x[i] = (double)own[i];
    for (int wrong = 0; wrong < 2; wrong++) {
        tg_tape *t = tg_tape_new(TG_F64);
        tg_tensor leaf = wanting(tg_from_doubles(t, TG_SHAPE(CLIPPED), x));
        double by = wrong ? 1.0005 : 1;
        tg_gradcheck_result r = check(total(tg_custom(&clip, &leaf, 1, TG_SHAPE(CLIPPED), &by, sizeof by)), 1);
        ck_assert_msg(r.verdict == (wrong ? TG_GRAD_WRONG : TG_GRAD_RIGHT), "%s", r.summary);
        tg_tape_free(t);
    }
}
END_TEST

/* ---- what waves ---- */

enum { SHIFTS = 64 };

static double shift(int i) { return fmod(i * 0.618033988749895, 1) * 7; }

static int waves_forward(const tg_call *c) {
    double x = *(const double *)c->input[0], sum = 0;
    for (int i = 0; i < SHIFTS; i++)
        sum += sin(x + shift(i));
    *(double *)c->output = sum / SHIFTS;
    return 0;
}

static int waves_vjp(const tg_call *c) {
    double x = *(const double *)c->input[0], sum = 0;
    for (int i = 0; i < SHIFTS; i++)
        sum += cos(x + shift(i));
    *(double *)c->input_grad[0] += *(const double *)c->context * sum / SHIFTS * *(const double *)c->output_grad;
    return 0;
}

/* Steps of many waves have no slope, and none is what a gradient of 0 says; 1024 is nearly 163 periods, and looks
 * smooth. */
START_TEST(steps_over_waves_are_no_witness_for_zero)
{
    static const tg_custom_op waves = {.name = "waves", .forward_f64 = waves_forward, .vjp_f64 = waves_vjp};
    static const double far[] = {1234.56789, 12345.6789, 123456.789, 12345678.9, -1735725.6143183228};
    static const double factors[] = {1, 0, 1.01, -1};
    for (int k = 0; k < 5 * 4 * 2; k++) {
        tg_tape *t = tg_tape_new(TG_F64);
        tg_tensor x = wanting(tg_scalar(t, far[k % 5]));
        tg_tensor y = tg_custom(&waves, &x, 1, TG_SCALAR, &factors[k / 5 % 4], sizeof *factors);
        tg_gradcheck_result r = check(k / 20 ? tg_tanh(y) : y, 1);
        ck_assert_msg(r.verdict == (k / 5 % 4 ? TG_GRAD_WRONG : TG_GRAD_RIGHT), "%g at %g: %s", factors[k / 5 % 4],
                      far[k % 5], r.summary);
        tg_tape_free(t);
    }
}
END_TEST

/* ---- what is as noisy as float64 makes it ---- */

static int log_cosh_forward(const tg_call *c) {
    const double *x = c->input[0];
    for (int i = 0; i < CLIPPED; i++)
        ((double *)c->output)[i] = log(cosh(x[i]));
    return 0;
}

static int log_cosh_vjp(const tg_call *c) {
    const double *x = c->input[0], *dy = c->output_grad;
    for (int i = 0; i < CLIPPED; i++)
        ((double *)c->input_grad[0])[i] += *(const double *)c->context * tanh(x[i]) * dy[i];
    return 0;
}

/* log cosh x is x^2 / 2, and rounds as cosh x does, which is 1: to 2e-10 of it at 1e-3, but at every step. */
START_TEST(what_cancels_inside_does_not_compute_in_float)
{
    static const tg_custom_op log_cosh = {.name = "log_cosh", .forward_f64 = log_cosh_forward, .vjp_f64 = log_cosh_vjp};
    static const double factors[] = {1, 1.00001, 1.0001, -1};
    for (int k = 0; k < 4 * 10 * SEEDS; k++) {
        tg_tape *t = tg_tape_new(TG_F64);
        tg_manual_seed(t, (uint64_t)k);
        tg_tensor x = tg_mul_scalar(wanting(tg_randn(t, TG_SHAPE(CLIPPED))), 1e-3);
        tg_tensor y = tg_custom(&log_cosh, &x, 1, TG_SHAPE(CLIPPED), &factors[k % 4], sizeof *factors);
        tg_gradcheck_result r = check(tg_mul_scalar(y, 1e6), (uint64_t)k);
        ck_assert_msg(r.verdict == (k % 4 ? TG_GRAD_WRONG : TG_GRAD_RIGHT), "%g: %s", factors[k % 4], r.summary);
        ck_assert_str_eq(r.op, k % 4 ? "log_cosh" : "");
        tg_tape_free(t);
    }
}
END_TEST

enum { FEW = 4 };

static int biased_forward(const tg_call *c) {
    const double *x = c->input[0], *a = c->input[1], *b = c->input[2];
    for (int i = 0; i < FEW; i++)
        ((double *)c->output)[i] = tanh(x[i] + b[i] * a[i]);
    return 0;
}

static int biased_vjp(const tg_call *c) {
    const double *a = c->input[1], *b = c->input[2], *y = c->output, *dy = c->output_grad;
    double *dx = c->input_grad[0], *da = c->input_grad[1], *db = c->input_grad[2];
    for (int i = 0; i < FEW; i++) {
        double d = dy[i] * (1 - y[i] * y[i]);
        dx[i] += *(const bool *)c->context && i == FEW - 1 ? 0 : d;
        da[i] += d * b[i];
        db[i] += d * a[i];
    }
    return 0;
}

/* x of 1e-5 beside a b of 1: narrow steps move nothing, and 0 there is the gradient of no stair. */
START_TEST(what_is_swallowed_by_double_is_no_stair)
{
    static const tg_custom_op biased = {.name = "biased", .forward_f64 = biased_forward, .vjp_f64 = biased_vjp};
    static const uint64_t seeds[] = {1, 2, 3, 17, 96, 778};
    for (int k = 0; k < 6 * 2; k++) {
        tg_tape *t = tg_tape_new(TG_F64);
        bool loses = k % 2;
        tg_manual_seed(t, seeds[k / 2]);
        double v[FEW];
        tg_tensor x = tg_parameter(t, "x", tg_randn(t, TG_SHAPE(1, FEW)));
        tg_tensor b = tg_parameter(t, "b", tg_randn(t, TG_SHAPE(FEW)));
        tg_tensor a = tg_parameter(t, "a", tg_randn(t, TG_SHAPE(FEW)));
        ck_assert(!tg_read_doubles(x, v, FEW));
        for (int i = 0; i < FEW; i++)
            v[i] *= 1e-3;
        ck_assert(!tg_write_doubles(x, v, FEW));
        tg_tensor in[] = {x, a, b};
        tg_tensor y = tg_custom(&biased, in, 3, TG_SHAPE(1, FEW), &loses, sizeof loses);
        in[0] = tg_mul_scalar(x, 0.6);
        y = total(tg_mul(tg_tanh(y), tg_sin(tg_custom(&biased, in, 3, TG_SHAPE(1, FEW), &loses, sizeof loses))));
        tg_gradcheck_result r = check(y, TG_GRADCHECK_DEFAULTS.seed);
        ck_assert_msg(r.verdict == (loses ? TG_GRAD_WRONG : TG_GRAD_RIGHT), "%d: %s", (int)seeds[k / 2], r.summary);
        ck_assert_str_eq(r.op, loses ? "biased" : "");
        tg_tape_free(t);
    }
}
END_TEST

int main(void) {
    const TTest *const all[] = {mistakes_in_operations_are_wrong,
                                mistakes_between_operations_are_wrong_and_found,
                                derivatives_taken_wrongly_are_wrong,
                                common_mistakes_are_named,
                                what_has_no_name_is_described,
                                where_what_has_no_name_lies,
                                a_forgotten_part_in_float_is_not_right,
                                a_stale_buffer_is_named_whatever_it_holds,
                                a_shift_is_not_taken_for_a_weight,
                                a_tail_is_named_where_its_end_does_not_matter,
                                what_does_not_broadcast_is_not_called_unsummed,
                                a_small_factor_beside_small_numbers_is_wrong,
                                what_only_the_first_look_hides_is_wrong,
                                where_all_are_tied_zero_is_wrong,
                                what_a_compared_result_decides_is_no_rounding,
                                nor_is_what_a_saved_number_decides,
                                steps_over_waves_are_no_witness_for_zero,
                                nor_is_it_in_float32,
                                a_kink_in_the_widest_step_is_no_noise,
                                what_cancels_inside_does_not_compute_in_float,
                                what_is_swallowed_by_double_is_no_stair,
                                a_name_that_does_not_hold_makes_room_for_the_next,
                                smoothing_is_called_forgotten_and_the_target_missing_only_where_they_are,
                                an_output_that_is_ignored_is_no_missing_sum,
                                one_row_of_two_that_is_lost_is_no_missing_sum,
                                one_wrong_element_says_nothing_of_the_jacobian,
                                what_cancels_badly_is_not_called_shared,
                                a_vjp_that_writes_its_operand_is_not_called_random,
                                hooks_take_no_part};
    return run_tests("gradcheck_attack", all, sizeof all / sizeof *all, NULL, NULL);
}
