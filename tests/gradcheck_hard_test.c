/* Gradients that are right and hard to check: poles, high frequencies, cancellation, mixed scales, kinks, ties, tables,
 * sums in float, long loops, huge and tiny results. None may be called WRONG, in full and in fast mode, whatever the
 * seed. See gradcheck_attack_test.c for wrong ones. */
#include "custom_ops.h"
#include "tests/support.h"

enum { SEEDS = 3 };

/* ---- data ---- */

static double normal(tg_rng_state *g) {
    return sqrt(-2 * log(1 - tg_rng_double(g))) * cos(6.283185307179586 * tg_rng_double(g));
}

/* N: normal; P: positive; U: in (-1, 1); S: 1e-8 to 1e8, both signs; L: the same, positive; I: integers from -3 to 3;
 * Z: zeros among them; B: about 1e8; T: about 1e-8. */
static double draw(tg_rng_state *g, char domain) {
    double x = normal(g), wide = pow(10, 16 * tg_rng_double(g) - 8);
    switch (domain) {
    case 'P': return 0.05 + fabs(x);
    case 'U': return 2 * tg_rng_double(g) - 1;
    case 'S': return x < 0 ? -wide : wide;
    case 'L': return wide;
    case 'I': return (double)(tg_rng_random(g) % 7) - 3;
    case 'Z': return tg_rng_random(g) % 3 ? x : 0;
    case 'B': return 1e8 * (1 + 0.1 * x);
    case 'T': return 1e-8 * x;
    default: return x;
    }
}

static tg_tensor random_leaf(tg_tape *t, tg_shape shape, uint64_t seed, char domain) {
    double values[512];
    tg_rng_state g;
    tg_rng_seed(&g, seed);
    int64_t n = tg_shape_numel(&shape);
    for (int64_t i = 0; i < n; i++)
        values[i] = draw(&g, domain);
    return tg_set_requires_grad(tg_from_doubles(t, shape, values), true);
}

static void want_not_wrong(tg_tensor y, uint64_t seed, const char *name) {
    for (int mode = 0; mode < 2; mode++) {
        tg_gradcheck_config config = TG_GRADCHECK_DEFAULTS;
        tg_gradcheck_result r;
        config.mode = (tg_gradcheck_mode)mode;
        config.seed = seed;
        tg_status status = tg_gradcheck(y, config, &r);
        ck_assert_msg(r.verdict != TG_GRAD_WRONG && r.wrong == 0, "%s, seed %d, %s: %s: %s", name, (int)seed,
                      mode ? "fast" : "full", r.summary, r.diagnosis);
        ck_assert_msg(status == TG_OK || status == TG_ERR_NUMERIC, "%s: %s", name, r.summary);
        tg_clear_error(y.tape);
    }
}

/* ---- functions of one number, each with its derivative ---- */

static double table(double x) { return sin(x) + 0.1 * x * x; }
static double interpolated(double x) {
    double left = floor(4 * x) / 4;
    return table(left) + (x - left) * 4 * (table(left + 0.25) - table(left));
}
static double slope_of_table(double x) {
    double left = floor(4 * x) / 4;
    return 4 * (table(left + 0.25) - table(left));
}
static double newton_root(double x) { /* sqrt(x), by a loop */
    double r = x > 1 ? x : 1;
    for (int i = 0; i < 100; i++)
        r = (r + x / r) / 2;
    return r;
}
static double long_sum(double x) { /* x, by a thousand additions */
    double s = 0;
    for (int i = 0; i < 1000; i++)
        s += x / 1000;
    return s;
}
static double series(double x) { /* exp(x), from its series */
    double s = 1, term = 1;
    for (int i = 1; i < 60; i++)
        s += term *= x / i;
    return s;
}
static double horner(double x) { return ((((x - 5) * x + 10) * x - 10) * x + 5) * x - 1; } /* (x - 1)^5 */
static double logistic_map(double x, double *slope) {
    *slope = 1;
    for (int i = 0; i < 12; i++) {
        *slope *= 3.7 * (1 - 2 * x);
        x = 3.7 * x * (1 - x);
    }
    return x;
}
static double mapped(double x) {
    double slope;
    return logistic_map(x, &slope);
}
static double slope_of_map(double x) {
    double slope;
    logistic_map(x, &slope);
    return slope;
}
static double sign(double x) { return (x > 0) - (x < 0); }

#define MAPS(M)                                                                                             \
    M(reciprocal, N, 1 / x, -1 / (x * x))                                                                   \
    M(reciprocal_of_any_size, S, 1 / x, -1 / (x * x))                                                       \
    M(reciprocal_square, N, 1 / (x * x), -2 / (x * x * x))                                                  \
    M(root_pole, N, pow(fabs(x), -1.5), -1.5 * sign(x) * pow(fabs(x), -2.5))                                \
    M(logarithm_of_any_size, L, log(x), 1 / x)                                                              \
    M(root_of_any_size, L, sqrt(x), 0.5 / y)                                                                \
    M(tangent, N, tan(x), 1 + y * y)                                                                        \
    M(cotangent, N, 1 / tan(x), -(1 + y * y))                                                               \
    M(fast_sine, N, sin(1e4 * x), 1e4 * cos(1e4 * x))                                                       \
    M(faster_sine, N, sin(1e6 * x), 1e6 * cos(1e6 * x))                                                     \
    M(chirp, N, sin(100 * x * x), 200 * x * cos(100 * x * x))                                               \
    M(sine_of_reciprocal, N, sin(1 / x), -cos(1 / x) / (x * x))                                             \
    M(sine_of_large, B, sin(x), cos(x))                                                                     \
    M(one_minus_cosine, T, 1 - cos(x), sin(x))                                                              \
    M(cancelling_root, B, sqrt(x + 1) - sqrt(x), 0.5 / sqrt(x + 1) - 0.5 / sqrt(x))                         \
    M(difference_of_large, N, (x + 1e8) - 1e8, 1)                                                           \
    M(difference_of_larger, N, (x + 1e12) - 1e12, 1)                                                        \
    M(nearly_constant, N, 1 + 1e-12 * x, 1e-12)                                                             \
    M(constant, N, 0 * x + 3, 0)                                                                            \
    M(constant_by_rounding, N, 1e20 + x, 1)                                                                 \
    M(square_at_zero, Z, x *x, 2 * x)                                                                       \
    M(cube_at_zero, Z, x *x *x, 3 * x * x)                                                                  \
    M(power_one_and_a_half, Z, pow(fabs(x), 1.5), 1.5 * sign(x) * sqrt(fabs(x)))                            \
    M(absolute_at_zero, Z, fabs(x), sign(x))                                                                \
    M(absolute_one_side, Z, fabs(x), x < 0 ? -1 : 1)                                                        \
    M(relu, N, x > 0 ? x : 0, x > 0)                                                                        \
    M(relu_at_zero, Z, x > 0 ? x : 0, x > 0)                                                                \
    M(relu_at_zero_other_side, Z, x > 0 ? x : 0, x >= 0)                                                    \
    M(relu_on_integers, I, x > 0 ? x : 0, x > 0)                                                            \
    M(relu_half_at_zero, Z, x > 0 ? x : 0, x > 0 ? 1 : x == 0 ? 0.5 : 0)                                    \
    M(leaky_at_zero, Z, x > 0 ? x : 0.01 * x, x > 0 ? 1 : 0.01)                                             \
    M(clamp_on_integers, I, x<-1 ? -1 : x> 1 ? 1 : x, x<-1 || x> 1 ? 0 : 1)                                 \
    M(clamp_open_on_integers, I, x<-1 ? -1 : x> 1 ? 1 : x, x > -1 && x < 1)                                 \
    M(hard_sigmoid, I, fmin(fmax(x / 6 + 0.5, 0), 1), x > -3 && x < 3 ? 1.0 / 6 : 0)                        \
    M(hard_swish, I, x *fmin(fmax(x + 3, 0), 6) / 6, x <= -3 ? 0 : x >= 3 ? 1 : (2 * x + 3) / 6)            \
    M(shrink, I, fabs(x) > 1 ? x - sign(x) : 0, fabs(x) > 1)                                                \
    M(elu, Z, x > 0 ? x : expm1(x), x > 0 ? 1 : exp(x))                                                     \
    M(huber, I, fabs(x) < 1 ? x * x / 2 : fabs(x) - 0.5, fabs(x) < 1 ? x : sign(x))                         \
    M(softplus_naive, N, log(1 + exp(x)), 1 / (1 + exp(-x)))                                                \
    M(softplus_of_any_size, S, x > 30 ? x : log1p(exp(x)), 1 / (1 + exp(-x)))                               \
    M(log1p_exp, B, x > 30 ? x : log1p(exp(x)), 1)                                                          \
    M(sigmoid_of_any_size, S, 1 / (1 + exp(-x)), y * (1 - y))                                               \
    M(tanh_of_any_size, S, tanh(x), 1 - y * y)                                                              \
    M(gaussian_of_any_size, S, exp(-x *x), -2 * x * y)                                                      \
    M(steep_sigmoid, N, 1 / (1 + exp(-1e3 * x)), 1e3 * y * (1 - y))                                         \
    M(step_almost, N, tanh(1e6 * x), 1e6 * (1 - y * y))                                                     \
    M(huge_results, N, 1e200 * x * x, 2e200 * x)                                                            \
    M(tiny_results, N, 1e-200 * x * x, 2e-200 * x)                                                          \
    M(tinier_results, N, 1e-300 * sin(x), 1e-300 * cos(x))                                                  \
    M(exp_of_large, N, exp(50 * x), 50 * y)                                                                 \
    M(power_of_ten, N, pow(10, 10 * x), 23.025850929940457 * y)                                             \
    M(floor_is_flat, N, floor(x), 0)                                                                        \
    M(rounded, N, floor(10 * x + 0.5) / 10, 0)                                                              \
    M(sawtooth, N, x - floor(x), 1)                                                                         \
    M(triangle, N, fabs(x - 2 * floor(x / 2 + 0.5)), sign(x - 2 * floor(x / 2 + 0.5)))                      \
    M(signs, Z, sign(x), 0)                                                                                 \
    M(table_lookup, N, table(floor(64 * x) / 64), 0)                                                        \
    M(table_interpolated, N, interpolated(x), slope_of_table(x))                                            \
    M(float_sine, N, (double)sinf((float)x), cos(x))                                                        \
    M(float_exp, N, (double)expf((float)x), exp(x))                                                         \
    M(float_square, N, (double)((float)x * (float)x), 2 * x)                                                \
    M(float_tanh_and_slope, N, (double)tanhf((float)x), (double)(1 - tanhf((float)x) * tanhf((float)x)))    \
    M(float_tanh, I, (double)tanhf((float)x), 1 - tanh(x) * tanh(x))                                        \
    M(float_log, P, (double)logf((float)x), 1 / x)                                                          \
    M(rounded_to_float, N, (double)(float)x, 1)                                                             \
    M(root_by_newton, P, newton_root(x), 0.5 / newton_root(x))                                              \
    M(sum_of_a_thousand, N, long_sum(x), 1)                                                                 \
    M(series_of_exp, N, series(x), series(x))                                                               \
    M(fifth_power_by_horner, N, horner(x), 5 * pow(x - 1, 4))                                               \
    M(chaotic_map, U, mapped(0.5 + 0.3 * x), 0.3 * slope_of_map(0.5 + 0.3 * x))                             \
    M(arccosine, U, acos(x), -1 / sqrt(1 - x * x))                                                          \
    M(arctanh, U, atanh(x), 1 / (1 - x * x))                                                                \
    M(x_log_x, L, x *log(x), log(x) + 1)                                                                    \
    M(sinc, N, sin(x) / x, (x * cos(x) - sin(x)) / (x * x))                                                 \
    M(expm1_over_x, T, expm1(x) / x, 0.5 + x / 3)                                                           \
    M(gamma_log, P, lgamma(x + 1), (lgamma(x + 1 + 1e-4) - lgamma(x + 1 - 1e-4)) / 2e-4)                    \
    M(minimum_of_three, N, fmin(fmin(x, x *x), 1 - x), y == x ? 1 : y == x * x ? 2 * x : -1)                \
    M(deep_composition, N, sin(exp(sin(exp(sin(x))))),                                                      \
      cos(exp(sin(exp(sin(x))))) * exp(sin(exp(sin(x)))) * cos(exp(sin(x))) * exp(sin(x)) * cos(x))         \
    M(waves_into_zero, S, x *x *sin(1 / x), 2 * x * sin(1 / x) - cos(1 / x))                                \
    M(squares_from_a_table, S, floor(x) * floor(x) + (x - floor(x)) * (2 * floor(x) + 1), 2 * floor(x) + 1) \
    M(tiny_differences, T, x + 1, 1)                                                                        \
    M(linear_of_any_size, S, 3 * x, 3)                                                                      \
    M(square_of_any_size, S, x *x, 2 * x)

#define DEFINE(name, domain, f, df)                          \
    static double f_##name(double x) { return (double)(f); } \
    static double d_##name(double x, double y) {             \
        (void)x, (void)y;                                    \
        return (double)(df);                                 \
    }
MAPS(DEFINE)

typedef struct map {
    const char *name;
    char domain;
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

static tg_tensor apply_map(tg_tensor x, int which) {
    return tg_custom(&map_op, &x, 1, tg_shape_of(x), &which, sizeof which);
}

START_TEST(functions_of_one_number)
{
    for (int i = 0; i < N_MAPS; i++)
        for (uint64_t seed = 1; seed <= SEEDS; seed++) {
            tg_tape *t = tg_tape_new(TG_F64);
            tg_tensor x = random_leaf(t, TG_SHAPE(4, 4), seed * 37 + (uint64_t)i, maps[i].domain);
            want_not_wrong(apply_map(x, i), seed, maps[i].name);
            tg_tape_free(t);
        }
}
END_TEST

/* (1 - cos x) / x^2, of which float64 makes c / x^2 between two values of 1 - cos x: the slope of that is no evidence.
 */
static double versine(double x) { return (1 - cos(x)) / (x * x); }

static int versine_forward(const tg_call *c) {
    for (int64_t i = 0; i < tg_shape_numel(c->output_shape); i++)
        ((double *)c->output)[i] = versine(((const double *)c->input[0])[i]);
    return 0;
}

static int versine_vjp(const tg_call *c) { /* of small x: 1/2 - x^2/24 + ... */
    for (int64_t i = 0; i < tg_shape_numel(c->output_shape); i++)
        ((double *)c->input_grad[0])[i] -= ((const double *)c->output_grad)[i] * ((const double *)c->input[0])[i] / 12;
    return 0;
}

START_TEST(what_is_smooth_between_two_jumps_of_rounding)
{
    static const tg_custom_op op = {"versine", NULL, NULL, versine_forward, versine_vjp};
    for (uint64_t seed = 1; seed <= 80; seed++) {
        tg_tape *t = tg_tape_new(TG_F64);
        tg_rng_state g;
        double x[24];
        int n = seed % 2 ? 3 : 24;
        tg_rng_seed(&g, seed);
        for (int i = 0; i < n; i++)
            x[i] = pow(10, -6.4 + 0.8 * tg_rng_double(&g));
        tg_tensor leaf = tg_set_requires_grad(tg_from_doubles(t, TG_SHAPE(n), x), true);
        want_not_wrong(tg_custom(&op, &leaf, 1, TG_SHAPE(n), NULL, 0), seed, "versine");
        tg_tape_free(t);
    }
}
END_TEST

/* Where a function in float is flat, most of its differences are 0; some steps see it nevertheless. */
START_TEST(a_flat_function_in_float_is_right)
{
    static const double xs[] = {0, -3};
    for (int i = 0; i < N_MAPS; i++) {
        if (strcmp(maps[i].name, "float_tanh") != 0)
            continue;
        tg_tape *t = tg_tape_new(TG_F64);
        tg_tensor x = tg_set_requires_grad(tg_from_doubles(t, TG_SHAPE(2, 1), xs), true);
        tg_gradcheck_result r;
        tg_status status = tg_gradcheck(tg_sum(apply_map(x, i), TG_ALL_DIMS, false), TG_GRADCHECK_DEFAULTS, &r);
        ck_assert_msg(status == TG_OK && r.verdict == TG_GRAD_RIGHT, "%s", r.summary);
        tg_tape_free(t);
        return;
    }
    ck_abort_msg("no float_tanh");
}
END_TEST

START_TEST(functions_of_one_number_between_operations)
{
    for (int i = 0; i < N_MAPS; i++) {
        tg_tape *t = tg_tape_new(TG_F64);
        tg_tensor x = random_leaf(t, TG_SHAPE(3, 4), (uint64_t)i + 500, maps[i].domain);
        tg_tensor w = random_leaf(t, TG_SHAPE(4, 2), (uint64_t)i + 900, 'N');
        tg_tensor y = tg_matmul(apply_map(tg_mul_scalar(x, 1.25), i), w);
        want_not_wrong(tg_sum(tg_tanh(y), TG_ALL_DIMS, false), 1, maps[i].name);
        tg_tape_free(t);
    }
}
END_TEST

/* ---- families of custom operations, on every kind of data ---- */

START_TEST(operations_on_every_kind_of_data)
{
    for (int i = 0; i < N_FAMILIES; i++)
        for (const char *domain = "NPUSIZBT"; *domain; domain++)
            for (uint64_t seed = 1; seed <= SEEDS; seed++) {
                tg_tape *t = tg_tape_new(TG_F64);
                const family *f = &families[i];
                int right = 0;
                tg_tensor x[2] = {
                    random_leaf(t, f->rows > 1 ? TG_SHAPE(f->rows, f->columns) : TG_SHAPE(f->columns), seed, *domain)};
                tg_shape shape = f->y_rows < 0 ? TG_SCALAR : f->y_rows ? TG_SHAPE(f->y_rows) : tg_shape_of(x[0]);
                if (f->w_columns)
                    x[1] = random_leaf(t, f->w_rows ? TG_SHAPE(f->w_rows, f->w_columns) : TG_SHAPE(f->w_columns),
                                       seed + 50, *domain);
                char name[64];
                snprintf(name, sizeof name, "%s on %c", f->op->name, *domain);
                tg_tensor y = tg_custom(f->op, x, f->w_columns ? 2 : 1, shape, &right, sizeof right);
                double values[64];
                bool finite = tg_read_doubles(y, values, tg_numel(y)) == TG_OK;
                for (int64_t k = 0; k < tg_numel(y); k++)
                    finite &= isfinite(values[k]) != 0;
                if (finite) /* x / |x| of zeros */
                    want_not_wrong(y, seed, name);
                tg_tape_free(t);
            }
}
END_TEST

/* ---- functions made of the library's operations ---- */

/* Zeros whose neighbours are huge: the steps that can be seen lie beyond both bounds. */
static tg_tensor bounds_below_every_step(tg_tape *t) {
    static const double xs[] = {0, 0, -1.3e25, 2.4e25}, low[] = {-2e-13, -4e-28, -1e32, -3e20}, high[] = {1, 1, 1, 1};
    tg_tensor x = tg_set_requires_grad(tg_from_doubles(t, TG_SHAPE(4), xs), true);
    return tg_clamp_tensor(x, tg_set_requires_grad(tg_from_doubles(t, TG_SHAPE(4), low), true),
                           tg_from_doubles(t, TG_SHAPE(4), high));
}

/* Their difference decides: most steps of their own size saturate the softmax. */
static tg_tensor almost_equal_keys(tg_tape *t) {
    static const double q[] = {1, -70.72, 0.311, 0.307, 1, -1.7741825},
                        k[] = {17.4, 1702844796093.2881, 71124293.50982, 16.8, 1702844796094.4495, 71124293.50977};
    tg_tensor x = tg_set_requires_grad(tg_from_doubles(t, TG_SHAPE(2, 3), k), true);
    tg_tensor v = tg_set_requires_grad(tg_from_doubles(t, TG_SHAPE(2, 3), k), true);
    return tg_scaled_dot_product_attention(tg_from_doubles(t, TG_SHAPE(2, 3), q), x, v, TG_NULL, true, 0, 0);
}

/* Every step but those of 1e-48 saturates the softmax. */
static tg_tensor queries_of_zero(tg_tape *t) {
    static const double k[] = {0.0079,   0.003,    7.4e44,   8.9e47, 1.007,  5414.15,
                               494292.8, 287752.5, 287752.5, 5.4e52, 1.7e10, 3.6e12};
    tg_tensor q = tg_set_requires_grad(tg_zeros(t, TG_SHAPE(4, 3)), true), x = tg_from_doubles(t, TG_SHAPE(4, 3), k);
    return tg_scaled_dot_product_attention(q, x, x, TG_NULL, true, 0, 0);
}

/* A row of x between x and itself: all rows' corners lie in that one's elements. */
static tg_tensor row_between(tg_tensor x) {
    tg_tensor row = tg_select(x, 0, 1);
    return tg_minimum(tg_clamp_tensor(row, x, row), x);
}

static tg_tensor function(tg_tape *t, int which, uint64_t seed) {
    tg_tensor x = random_leaf(t, TG_SHAPE(3, 4), seed, 'N'), s = random_leaf(t, TG_SHAPE(3, 4), seed, 'S');
    tg_tensor i = random_leaf(t, TG_SHAPE(3, 4), seed, 'I'), z = random_leaf(t, TG_SHAPE(3, 4), seed, 'Z');
    tg_tensor b = random_leaf(t, TG_SHAPE(3, 4), seed, 'B'), tiny = random_leaf(t, TG_SHAPE(3, 4), seed, 'T');
    tg_tensor p = random_leaf(t, TG_SHAPE(3, 4), seed, 'P');
    switch (which) {
    case 0: return tg_div(x, random_leaf(t, TG_SHAPE(3, 4), seed + 1, 'N'));
    case 1: return tg_sub(tg_add_scalar(x, 1e10), tg_mul_scalar(tg_ones(t, TG_SHAPE(3, 4)), 1e10));
    case 2: return tg_sin(tg_mul_scalar(x, 1e5));
    case 3: return tg_add(b, tiny);
    case 4: return tg_mul(b, tiny);
    case 5: return tg_sum(tg_add(s, x), TG_ALL_DIMS, false);
    case 6: return tg_amax(i, TG_DIMS(1), false);
    case 7: return tg_maximum(i, tg_neg(i));
    case 8: return tg_relu(tg_matmul(i, tg_transpose(i, 0, 1)));
    case 9: return tg_clamp(i, -1, 1);
    case 10: return tg_softmax(tg_mul_scalar(x, 100), 1);
    case 11: return tg_log_softmax(s, 1);
    case 12: return tg_softmax(tg_add_scalar(x, 1e8), 1);
    case 13: return tg_layer_norm(tiny, TG_NULL, TG_NULL, 1e-5);
    case 14: return tg_layer_norm(b, TG_NULL, TG_NULL, 1e-5);
    case 15: return tg_var(tg_add_scalar(x, 1e6), TG_DIMS(1), 1, false);
    case 16: return tg_norm(z, 2, TG_DIMS(1), false);
    case 17: return tg_norm(i, INFINITY, TG_DIMS(1), false);
    case 18: return tg_prod(z, TG_DIMS(1), false);
    case 19: return tg_prod(i, TG_ALL_DIMS, false);
    case 20: return tg_pow(tg_abs(z), 1.5);
    case 21: return tg_pow(p, -7);
    case 22: return tg_logsumexp(tg_mul_scalar(x, 1e4), TG_DIMS(1), false);
    case 23: return tg_log(tg_softmax(tg_mul_scalar(x, 20), 1));
    case 24: return tg_exp(tg_mul_scalar(x, 40));
    case 25: return tg_sqrt(tg_square(z));
    case 26: return tg_sort(i, 1, false, NULL);
    case 27: return tg_huber_loss(i, tg_zeros(t, TG_SHAPE(3, 4)), 1, TG_SUM);
    case 28: return tg_scaled_dot_product_attention(tg_mul_scalar(x, 30), x, x, TG_NULL, true, 0, 0);
    case 29: return tg_matmul(s, tg_transpose(s, 0, 1));
    case 30: return tg_cumsum(s, 1);
    case 31: return bounds_below_every_step(t);
    case 32: return almost_equal_keys(t);
    case 33: return queries_of_zero(t);
    case 34: return row_between(x);
    case 35: return tg_maximum(tg_slice(i, 0, 1, 2, 1), i);
    case 36: return tg_clamp_tensor(x, tg_neg(x), tg_select(x, 0, 0));
    default: return TG_NULL;
    }
}

START_TEST(functions_of_operations)
{
    for (int which = 0; which <= 36; which++)
        for (uint64_t seed = 1; seed <= SEEDS; seed++) {
            tg_tape *t = tg_tape_new(TG_F64);
            char name[32];
            snprintf(name, sizeof name, "function %d", which);
            tg_tensor y = function(t, which, seed);
            ck_assert_msg(!tg_is_null(y), "%s: %s", name, tg_error(t));
            want_not_wrong(y, seed, name);
            tg_tape_free(t);
        }
}
END_TEST

/* A query that is 0 beside a key of 8e20 whose probability is dropped: the softmax saturates within 1e-21, and what it
 * changes there is nothing beside the other rows. */
START_TEST(queries_of_zero_beside_dropped_keys)
{
    static const double qs[] = {2e-8, -0.0039, -4e-7, 0}, ks[] = {1.4e-8, -0.0026, -2.9e-7, -7.9e20};
    for (uint64_t seed = 1; seed <= 40; seed++) {
        tg_tape *t = tg_tape_new(TG_F64);
        tg_manual_seed(t, seed);
        tg_tensor q = tg_set_requires_grad(tg_from_doubles(t, TG_SHAPE(4, 1), qs), true);
        tg_tensor k = tg_set_requires_grad(tg_from_doubles(t, TG_SHAPE(4, 1), ks), true);
        want_not_wrong(tg_scaled_dot_product_attention(q, k, k, TG_NULL, false, 0.3, 0), seed, "dropped keys");
        tg_tape_free(t);
    }
}
END_TEST

/* To float they are 0, wherever they move. */
START_TEST(numbers_below_float)
{
    for (int which = 0; which < (int)(sizeof maps / sizeof *maps); which++) {
        if (strcmp(maps[which].name, "float_tanh") != 0 && strcmp(maps[which].name, "float_sine") != 0 &&
            strcmp(maps[which].name, "rounded_to_float") != 0)
            continue;
        for (uint64_t seed = 1; seed <= 4; seed++)
            for (double x = 1e-30; x > 1e-290; x *= 1e-9) {
                tg_tape *t = tg_tape_new(TG_F64);
                tg_tensor leaf = wanting(VECTOR(t, x)), y = apply_map(tg_mul_scalar(leaf, 0.7), which);
                want_not_wrong(tg_sub(y, tg_mul_scalar(tg_detach(y), 0.5)), seed, maps[which].name);
                want_not_wrong(tg_mul(y, leaf), seed, maps[which].name);
                tg_tape_free(t);
            }
    }
}
END_TEST

/* -1 / x^2 overflows a little before half of it does: backward says -inf where the derivative is -9e307. */
START_TEST(a_slope_at_the_end_of_double)
{
    int which = 0;
    while (strcmp(maps[which].name, "reciprocal") != 0)
        which++;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        tg_tape *t = tg_tape_new(TG_F64);
        tg_tensor x = wanting(VECTOR(t, 7.4e-155, 1, -7.4e-155, 6e-155));
        want_not_wrong(apply_map(x, which), seed, "reciprocal");
        want_not_wrong(tg_mul_scalar(apply_map(tg_neg(x), which), 1e-3), seed, "reciprocal, scaled");
        tg_tensor tiny = wanting(VECTOR(t, 1.5e-32, 2)); /* 3e286, whose slope is beyond the end */
        want_not_wrong(tg_mul_scalar(tg_pow_tensor(tiny, VECTOR(t, -9, 3)), 1e-30), seed, "power");
        tg_tape_free(t);
    }
}
END_TEST

int main(void) {
    const TTest *const all[] = {functions_of_one_number,
                                a_flat_function_in_float_is_right,
                                what_is_smooth_between_two_jumps_of_rounding,
                                functions_of_one_number_between_operations,
                                operations_on_every_kind_of_data,
                                functions_of_operations,
                                queries_of_zero_beside_dropped_keys,
                                a_slope_at_the_end_of_double,
                                numbers_below_float};
    return run_tests("gradcheck_hard", all, sizeof all / sizeof *all, NULL, NULL);
}
