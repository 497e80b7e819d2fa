/* The gradient check of custom operations that compute, wholly or in part, in few bits: in float, in half or 8 bits, on
 * a grid. Narrow steps show what lies between two jumps, the part in double alone, and where the result is flat wide
 * ones hardly meet a jump. A right slope of the function that is rounded is never WRONG; see gradcheck_attack_test.c
 * for wrong ones. */
#include "core/tapegrad.h"
#include "tests/support.h"

#include <math.h>

enum { N = 6, SEEDS = 4 };

/* To so many bits, and to a multiple of 2^-bits. */
static double round_to(double x, int bits) {
    int exponent;
    double mantissa = frexp(x, &exponent);
    return ldexp(rint(ldexp(mantissa, bits)), exponent - bits);
}
static double on_grid(double x, int bits) { return ldexp(rint(ldexp(x, bits)), -bits); }
static double in_float(double x) { return (double)(float)x; }

/* A name, f as it is computed, and the slope of what it is meant to be. */
#define ROUNDED(M)                                                                               \
    M(wave_in_float, exp(-x *x / 100) * in_float(cos(100 * x)),                                  \
      exp(-x * x / 100) * (-x / 50 * cos(100 * x) - 100 * sin(100 * x)))                         \
    M(small_wave_in_float, x + 1e-4 * in_float(cos(in_float(100 * x))), 1 - 1e-2 * sin(100 * x)) \
    M(square_in_float, in_float(x *x) + sin(x), 2 * x + cos(x))                                  \
    M(sine_of_12_bits, round_to(sin(x), 12), cos(x))                                             \
    M(sine_table, on_grid(sin(x), 12), cos(x))                                                   \
    M(coarse_table, on_grid(sin(x), 8), cos(x))                                                  \
    M(sine_of_a_table, sin(on_grid(x, 16)), cos(x))                                              \
    M(tanh_of_8_bits, round_to(tanh(x), 8), 1 - tanh(x) * tanh(x))                               \
    M(half_in_a_product, exp(-x *x / 10) * round_to(sin(5 * x), 11),                             \
      exp(-x * x / 10) * (5 * cos(5 * x) - x / 5 * sin(5 * x)))                                  \
    M(quantised_factor, on_grid(x, 8) * x, 2 * x)                                                \
    M(quantised_part, 2 * x + on_grid(x * x, 10), 2 + 2 * x)
#define FUNCTIONS(name, f, df)                     \
    static double name##_f(double x) { return f; } \
    static double name##_slope(double x) { return df; }
ROUNDED(FUNCTIONS)

/* Functions with jumps or kinks that they have on purpose. */
static double one_jump_f(double x) { return x > 0.5 ? x * x + 1 : x * x; }
static double one_jump_slope(double x) { return 2 * x; }
static double saw_f(double x) { return x - floor(x); }
static double saw_slope(double x) { return x < -1e9; } /* wrong: it is 1 */
static double shrink_f(double x) { return fabs(x) > 0.5 ? sin(x) : 0; }
static double shrink_slope(double x) { return fabs(x) > 0.5 ? cos(x) : 0; }
static double tanh_in_float_f(double x) { return (double)tanhf((float)x); }
static double tanh_in_float_slope(double x) { return 1 - tanh(x) * tanh(x); }

typedef struct function {
    const char *name;
    double (*f)(double), (*slope)(double);
    double times; /* the slope, for a wrong one */
} function;
#define ROW(name, f, df) {#name, name##_f, name##_slope, 1},
static const function rounded[] = {ROUNDED(ROW)};

static int run_forward(const tg_call *c) {
    const function *f = c->context;
    for (int64_t i = 0; i < N; i++)
        ((double *)c->output)[i] = f->f(((const double *)c->input[0])[i]);
    return 0;
}

static int run_vjp(const tg_call *c) {
    const function *f = c->context;
    const double *x = c->input[0], *dy = c->output_grad;
    for (int64_t i = 0; i < N; i++)
        ((double *)c->input_grad[0])[i] += f->times * dy[i] * f->slope(x[i]);
    return 0;
}

static const tg_custom_op operation = {"rounded", NULL, NULL, run_forward, run_vjp};

enum { RANDOM, FLAT, NEARLY_FLAT, ZEROS, SOME_ZEROS, TINY, N_DATA };

static double number(int data, int64_t i, tg_rng_state *g) {
    double normal = sqrt(-2 * log(1 - tg_rng_double(g))) * cos(6.283185307179586 * tg_rng_double(g));
    double flat = 1.5707963267948966; /* of a sine; near 0.02 pi of the wave */
    switch (data) {
    case RANDOM: return normal;
    case FLAT: return i % 2 ? flat : 0.03141592653589793 * (double)(1 + i);
    case NEARLY_FLAT: return flat + 1e-4 * normal;
    case SOME_ZEROS: return i % 2 ? 0 : normal;
    case TINY: return 1e-6 * normal;
    default: return 0;
    }
}

static tg_gradcheck_result check(const function *f, int data, uint64_t seed, bool alone, tg_gradcheck_mode mode) {
    tg_tape *t = tg_tape_new(TG_F64);
    tg_gradcheck_config config = TG_GRADCHECK_DEFAULTS;
    tg_gradcheck_result r;
    tg_rng_state g;
    double values[N];
    tg_rng_seed(&g, seed);
    for (int64_t i = 0; i < N; i++)
        values[i] = number(data, i, &g);
    tg_tensor x = tg_set_requires_grad(tg_from_doubles(t, TG_SHAPE(N), values), true);
    tg_tensor y = tg_custom(&operation, &x, 1, TG_SHAPE(N), f, sizeof *f);
    config.mode = mode;
    config.seed = seed;
    (void)!tg_gradcheck(alone ? y : tg_mul(tg_tanh(y), tg_add_scalar(x, 2)), config, &r);
    tg_tape_free(t);
    return r;
}

START_TEST(what_rounds_is_not_wrong)
{
    for (size_t k = 0; k < sizeof rounded / sizeof *rounded; k++)
        for (int data = 0; data < N_DATA; data++)
            for (uint64_t seed = 0; seed < 4 * SEEDS; seed++) {
                tg_gradcheck_result r = check(&rounded[k], data, seed, seed % 2, (tg_gradcheck_mode)(seed / 2 % 2));
                ck_assert_msg(r.verdict != TG_GRAD_WRONG && r.compared, "%s, data %d, seed %d: %s", rounded[k].name,
                              data, (int)seed, r.summary);
            }
}
END_TEST

/* In float steps remain that are wide enough to see it, and it is no excuse that somewhere there is a jump. */
START_TEST(wrong_slopes_beside_jumps_are_wrong)
{
    static const function wrong[] = {{"one jump", one_jump_f, one_jump_slope, 1.01},
                                     {"saw", saw_f, saw_slope, 1},
                                     {"shrink", shrink_f, shrink_slope, 1.01},
                                     {"tanh in float", tanh_in_float_f, tanh_in_float_slope, 1.01},
                                     {"wave in float", wave_in_float_f, wave_in_float_slope, 1.1},
                                     {"square in float", square_in_float_f, square_in_float_slope, -1}};
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++)
        for (uint64_t seed = 0; seed < 4 * SEEDS; seed++)
            for (int data = RANDOM; data <= SOME_ZEROS; data += SOME_ZEROS - RANDOM) {
                tg_gradcheck_result r = check(&wrong[k], data, seed, seed % 2, TG_GRADCHECK_FULL);
                ck_assert_msg(r.verdict == TG_GRAD_WRONG, "%s, data %d, seed %d: %s", wrong[k].name, data, (int)seed,
                              r.summary);
            }
}
END_TEST

/* ---- stairs ---- */

static double quarters_f(double x) { return 0.25 * rint(x / 0.25); }
static double hundredths_f(double x) { return 0.01 * floor(x / 0.01); }
static double thousandths_f(double x) { return 0.001 * rint(x / 0.001); }
static double sine_of_steps_f(double x) { return 100 * sin(quarters_f(x) / 100); }
static double none(double x) {
    (void)x;
    return 0;
}
static double tilted_f(double x) { return thousandths_f(x) + x / 2; }
static double half(double x) {
    (void)x;
    return 0.5;
}
static double float_f(double x) { return in_float(x); }
static double half_precision_f(double x) { return round_to(x, 11); }
static double sine_of_float_f(double x) { return sin(in_float(x)); }
static double tenth_of_float_f(double x) { return 0.1 * in_float(x); }

static tg_gradcheck_result check_stair(const function *f, double size, uint64_t seed) {
    tg_tape *t = tg_tape_new(TG_F64);
    tg_gradcheck_config config = TG_GRADCHECK_DEFAULTS;
    tg_gradcheck_result r;
    tg_rng_state g;
    double values[N];
    tg_rng_seed(&g, seed);
    for (int64_t i = 0; i < N; i++)
        values[i] = size * number(RANDOM, i, &g);
    tg_tensor x = tg_set_requires_grad(tg_from_doubles(t, TG_SHAPE(N), values), true);
    tg_tensor y = tg_custom(&operation, &x, 1, TG_SHAPE(N), f, sizeof *f);
    config.mode = (tg_gradcheck_mode)(seed % 2);
    tg_status status = tg_gradcheck(seed / 2 % 2 ? y : tg_add(y, tg_mul_scalar(x, 0.5)), config, &r);
    ck_assert_msg((status == TG_OK) == (r.verdict == TG_GRAD_RIGHT || r.verdict == TG_GRAD_KINK), "%s", r.summary);
    tg_tape_free(t);
    return r;
}

/* Between its jumps a stair has the slope 0, or that of what is added to it. */
START_TEST(the_slope_between_the_jumps_of_a_stair_is_not_wrong)
{
    static const function stairs[] = {{"quarters", quarters_f, none, 1},
                                      {"hundredths", hundredths_f, none, 1},
                                      {"thousandths", thousandths_f, none, 1},
                                      {"sine of steps", sine_of_steps_f, none, 1},
                                      {"tilted", tilted_f, half, 1}};
    int unclear = 0;
    for (size_t k = 0; k < sizeof stairs / sizeof *stairs; k++)
        for (double size = 1; size < 2000; size *= 10)
            for (uint64_t seed = 0; seed < 4 * SEEDS; seed++) {
                tg_gradcheck_result r = check_stair(&stairs[k], size, seed);
                ck_assert_msg(r.verdict != TG_GRAD_WRONG, "%s, %g, seed %d: %s", stairs[k].name, size, (int)seed,
                              r.summary);
                unclear += strstr(r.diagnosis, "right of a stair") != NULL;
            }
    ck_assert_int_gt(unclear, 0);
}
END_TEST

/* What jumps as numbers of a format do, whose slope is 1, has a gradient that is missing. */
START_TEST(no_gradient_of_a_format_is_wrong)
{
    static const function formats[] = {{"float", float_f, none, 1},
                                       {"tanh in float", tanh_in_float_f, none, 1},
                                       {"sine of float", sine_of_float_f, none, 1},
                                       {"a tenth of float", tenth_of_float_f, none, 1},
                                       {"half precision", half_precision_f, none, 1}};
    for (size_t k = 0; k < sizeof formats / sizeof *formats; k++)
        for (uint64_t seed = 0; seed < 8 * SEEDS; seed++) {
            tg_gradcheck_result r = check_stair(&formats[k], 0.1, seed);
            ck_assert_msg(r.verdict == TG_GRAD_WRONG, "%s, seed %d: %s", formats[k].name, (int)seed, r.summary);
        }
}
END_TEST

/* ---- a gradient of few bits ---- */

static int sine_forward(const tg_call *c) {
    for (int64_t i = 0; i < N; i++)
        ((double *)c->output)[i] = sin(((const double *)c->input[0])[i]);
    return 0;
}

/* The context: how many. */
static int sine_vjp(const tg_call *c) {
    const double *x = c->input[0], *dy = c->output_grad;
    for (int64_t i = 0; i < N; i++)
        ((double *)c->input_grad[0])[i] += round_to(dy[i] * cos(x[i]), *(const int *)c->context);
    return 0;
}

/* Of half or bfloat16, where the forward is exact: other dy give other digits, which is not what rounding in float64
 * does. */
START_TEST(a_gradient_of_few_bits_is_not_excused_by_rounding)
{
    static const tg_custom_op sine = {"sine", NULL, NULL, sine_forward, sine_vjp};
    static const int bits[] = {8, 11, 24, 53};
    for (int k = 0; k < 4 * 3 * 2 * SEEDS; k++) {
        tg_tape *t = tg_tape_new(TG_F64);
        tg_manual_seed(t, (uint64_t)k);
        tg_tensor x = tg_set_requires_grad(tg_randn(t, TG_SHAPE(N)), true);
        tg_tensor y = tg_custom(&sine, &x, 1, TG_SHAPE(N), &bits[k % 4], sizeof *bits);
        tg_tensor loss[] = {y, total(tg_add(y, x)), tg_logsumexp(y, TG_ALL_DIMS, false)};
        tg_gradcheck_config config = TG_GRADCHECK_DEFAULTS;
        tg_gradcheck_result r;
        config.mode = (tg_gradcheck_mode)(k / 12 % 2);
        tg_status status = tg_gradcheck(loss[k / 4 % 3], config, &r);
        bool wrong = k % 4 < 2;
        ck_assert_msg(r.verdict == (wrong ? TG_GRAD_WRONG : TG_GRAD_RIGHT), "%d bits: %s", bits[k % 4], r.summary);
        ck_assert_msg((status == TG_OK) != wrong && !strstr(r.summary, "rounding"), "%s", r.summary);
        for (int i = 0; i < r.n_rows; i++)
            ck_assert_msg(!r.row[i].reason || !strstr(r.row[i].reason, "rounding"), "%s", r.row[i].reason);
        tg_tape_free(t);
    }
}
END_TEST

static int sine_of_coarse_dy(const tg_call *c) {
    const double *x = c->input[0], *dy = c->output_grad;
    for (int64_t i = 0; i < N; i++)
        ((double *)c->input_grad[0])[i] += round_to(dy[i], *(const int *)c->context) * cos(x[i]);
    return 0;
}

/* y = x - mean(x): its VJP cancels, and all of dy is in every element. */
static int centre_forward(const tg_call *c) {
    const double *x = c->input[0];
    double mean = 0;
    for (int64_t i = 0; i < N; i++)
        mean += x[i] / N;
    for (int64_t i = 0; i < N; i++)
        ((double *)c->output)[i] = x[i] - mean;
    return 0;
}

static int centre_of_coarse_dy(const tg_call *c) {
    const double *dy = c->output_grad;
    int bits = *(const int *)c->context;
    double mean = 0;
    for (int64_t i = 0; i < N; i++)
        mean += round_to(dy[i], bits) / N;
    for (int64_t i = 0; i < N; i++)
        ((double *)c->input_grad[0])[i] += round_to(dy[i], bits) - mean;
    return 0;
}

/* dy rounded before it is multiplied: the products have all their bits. Of a float it is within what is allowed. */
START_TEST(nor_is_what_is_made_of_a_dy_of_few_bits)
{
    static const tg_custom_op ops[] = {{"sine", NULL, NULL, sine_forward, sine_of_coarse_dy},
                                       {"centre", NULL, NULL, centre_forward, centre_of_coarse_dy}};
    static const int bits[] = {8, 9, 11, 14, 16, 24, 53};
    for (int k = 0; k < 7 * 2 * 2 * 2 * SEEDS; k++) {
        tg_tape *t = tg_tape_new(TG_F64);
        tg_manual_seed(t, (uint64_t)k);
        tg_tensor x = wanting(tg_randn(t, TG_SHAPE(N)));
        tg_tensor y = tg_custom(&ops[k / 7 % 2], &x, 1, TG_SHAPE(N), &bits[k % 7], sizeof *bits);
        y = k / 14 % 2 ? tg_logsumexp(tg_mul(y, x), TG_ALL_DIMS, false) : y;
        tg_gradcheck_config config = TG_GRADCHECK_DEFAULTS;
        tg_gradcheck_result r;
        config.mode = (tg_gradcheck_mode)(k / 28 % 2);
        config.seed = (uint64_t)k;
        (void)!tg_gradcheck(y, config, &r);
        ck_assert_msg(r.verdict == (k % 7 < 5 ? TG_GRAD_WRONG : TG_GRAD_RIGHT), "%d, %d bits: %s", k, bits[k % 7],
                      r.summary);
        tg_tape_free(t);
    }
}
END_TEST

static int scale_forward(const tg_call *c) {
    const double *s = c->input[0], *x = c->input[1];
    for (int64_t i = 0; i < N; i++)
        ((double *)c->output)[i] = s[0] * x[i];
    return 0;
}

/* The context: to how many bits the sum is rounded, at its end or (bits < 0) after each number. */
static int scale_vjp(const tg_call *c) {
    const double *x = c->input[1], *dy = c->output_grad;
    int bits = *(const int *)c->context;
    double sum = 0;
    for (int64_t i = 0; i < N; i++) {
        sum += dy[i] * x[i];
        sum = bits < 0 ? round_to(sum, -bits) : sum;
    }
    ((double *)c->input_grad[0])[0] += bits < 0 ? sum : round_to(sum, bits);
    return 0;
}

/* One number has few bits by chance; those of several dy have not. */
START_TEST(nor_is_one_number_of_few_bits)
{
    static const tg_custom_op scale = {"scale", NULL, NULL, scale_forward, scale_vjp};
    static const int bits[] = {8, -10, 11, 12, 24, 53};
    for (int k = 0; k < 6 * 2 * 2 * SEEDS; k++) {
        tg_tape *t = tg_tape_new(TG_F64);
        tg_manual_seed(t, (uint64_t)k);
        tg_tensor in[] = {wanting(tg_randn(t, k / 12 % 2 ? TG_SHAPE(1) : TG_SCALAR)), tg_randn(t, TG_SHAPE(N))};
        tg_tensor y = tg_custom(&scale, in, 2, TG_SHAPE(N), &bits[k % 6], sizeof *bits);
        tg_gradcheck_config config = TG_GRADCHECK_DEFAULTS;
        tg_gradcheck_result r;
        config.mode = (tg_gradcheck_mode)(k / 6 % 2);
        config.seed = (uint64_t)k;
        (void)!tg_gradcheck(y, config, &r);
        ck_assert_msg(r.verdict == (k % 6 < 4 ? TG_GRAD_WRONG : TG_GRAD_RIGHT), "%d, %d bits: %s", k, bits[k % 6],
                      r.summary);
        tg_tape_free(t);
    }
}
END_TEST

/* ---- outside its domain a callback fails ---- */

static int root_forward(const tg_call *c) {
    const double *x = c->input[0];
    for (int64_t i = 0; i < N; i++) {
        if (!(x[i] >= 0))
            return 1;
        ((double *)c->output)[i] = (double)sqrtf((float)x[i]);
    }
    return 0;
}

static int root_vjp(const tg_call *c) {
    const double *y = c->output, *dy = c->output_grad;
    for (int64_t i = 0; i < N; i++)
        ((double *)c->input_grad[0])[i] += dy[i] * *(const double *)c->context / y[i];
    return 0;
}

START_TEST(a_callback_may_refuse_wide_steps)
{
    static const tg_custom_op root = {"root", NULL, NULL, root_forward, root_vjp};
    for (int k = 0; k < 2; k++) {
        tg_tape *t = tg_tape_new(TG_F64);
        tg_gradcheck_result r;
        double half = k ? 0.51 : 0.5;
        tg_tensor x = wanting(VECTOR(t, 0.4, 0.41, 0.42, 0.43, 0.44, 0.45));
        tg_status status =
            tg_gradcheck(tg_custom(&root, &x, 1, TG_SHAPE(N), &half, sizeof half), TG_GRADCHECK_DEFAULTS, &r);
        ck_assert_msg(status == (k ? TG_ERR_NUMERIC : TG_OK), "%s", r.summary);
        ck_assert_msg(r.verdict == (k ? TG_GRAD_WRONG : TG_GRAD_RIGHT), "%s", r.summary);
        tg_tape_free(t);
    }
}
END_TEST

int main(void) {
    const TTest *const all[] = {what_rounds_is_not_wrong,
                                wrong_slopes_beside_jumps_are_wrong,
                                the_slope_between_the_jumps_of_a_stair_is_not_wrong,
                                no_gradient_of_a_format_is_wrong,
                                a_gradient_of_few_bits_is_not_excused_by_rounding,
                                nor_is_one_number_of_few_bits,
                                nor_is_what_is_made_of_a_dy_of_few_bits,
                                a_callback_may_refuse_wide_steps};
    return run_tests("gradcheck_rounded", all, sizeof all / sizeof *all, NULL, NULL);
}
