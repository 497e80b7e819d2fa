/* A right gradient is never WRONG: poles, high frequencies, cancellation, mixed scales, kinks, ties, tables, stairs,
 * few bits, long loops, huge and tiny results, in full and in fast mode, whatever the seed. But for the limits that
 * coarse_rounding_is_a_known_limit lists. */
#include "custom_ops.h"
#include "tests/verdict.h"

enum { SEEDS = 3, ANY = R | W | C };

/* ---- data ---- */

/* N: normal; P: positive; U: in (-1, 1); S: 1e-8 to 1e8, both signs; L: the same, positive; I: integers from -3 to 3;
 * Z: zeros among them; 0: zeros; B: about 1e8; T, M: about 1e-8, 1e-6; F: where a sine is flat, or near 0.02 pi; Y:
 * nearly flat; 2 and 3: stairs' 10^2 and 10^3. */
static double draw(tg_rng_state *g, char domain, int64_t i) {
    double x = normal_number(g), wide = pow(10, 16 * tg_rng_double(g) - 8), flat = 1.5707963267948966;
    switch (domain) {
    case 'P': return 0.05 + fabs(x);
    case 'U': return 2 * tg_rng_double(g) - 1;
    case 'S': return x < 0 ? -wide : wide;
    case 'L': return wide;
    case 'I': return (double)(tg_rng_random(g) % 7) - 3;
    case 'Z': return tg_rng_random(g) % 3 ? x : 0;
    case '0': return 0;
    case 'B': return 1e8 * (1 + 0.1 * x);
    case 'T': return 1e-8 * x;
    case 'M': return 1e-6 * x;
    case 'F': return i % 2 ? flat : 0.03141592653589793 * (double)(1 + i % 6);
    case 'Y': return flat + 1e-4 * x;
    case '1':
    case '2':
    case '3': return pow(10, domain - '0') * x;
    default: return x;
    }
}

static tg_tensor random_leaf(tg_tape *t, tg_shape shape, uint64_t seed, char domain) {
    double values[512];
    tg_rng_state g;
    tg_rng_seed(&g, seed);
    int64_t n = tg_shape_numel(&shape);
    for (int64_t i = 0; i < n; i++)
        values[i] = draw(&g, domain, i);
    return wanting(tg_from_doubles(t, shape, values));
}

static void want_right(tg_tensor y, uint64_t seed, const char *row) { want_both(y, seed, RC, RC, row); }

/* ---- functions of one number, each with its derivative ---- */

/* To a multiple of 2^-bits. */
static double on_grid(double x, int bits) { return ldexp(rint(ldexp(x, bits)), -bits); }
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
static double digamma(double x) { /* Stirling's series, from x + 12 on */
    double sum = 0;
    for (int i = 0; i < 12; i++)
        sum -= 1 / x++;
    double z = 1 / (x * x);
    return sum + log(x) - 0.5 / x - z * (1.0 / 12 - z * (1.0 / 120 - z * (1.0 / 252 - z * (1.0 / 240 - z / 132))));
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
    M(one_minus_cosine, N, 1 - cos(x), sin(x))                                                              \
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
    M(gamma_log, P, lgamma(x + 1), digamma(x + 1))                                                          \
    M(minimum_of_three, N, fmin(fmin(x, x *x), 1 - x), y == x ? 1 : y == x * x ? 2 * x : -1)                \
    M(deep_composition, N, sin(exp(sin(exp(sin(x))))),                                                      \
      cos(exp(sin(exp(sin(x))))) * exp(sin(exp(sin(x)))) * cos(exp(sin(x))) * exp(sin(x)) * cos(x))         \
    M(waves_into_zero, S, x *x *sin(1 / x), 2 * x * sin(1 / x) - cos(1 / x))                                \
    M(squares_from_a_table, S, floor(x) * floor(x) + (x - floor(x)) * (2 * floor(x) + 1), 2 * floor(x) + 1) \
    M(tiny_differences, T, x + 1, 1)                                                                        \
    M(linear_of_any_size, S, 3 * x, 3)                                                                      \
    M(square_of_any_size, S, x *x, 2 * x)                                                                   \
    /* wholly or in part in few bits, or on a grid */                                                       \
    M(wave_in_float, NFY0Z, exp(-x *x / 100) * in_float(cos(100 * x)),                                      \
      exp(-x * x / 100) * (-x / 50 * cos(100 * x) - 100 * sin(100 * x)))                                    \
    M(small_wave_in_float, NFY0Z, x + 1e-4 * in_float(cos(in_float(100 * x))), 1 - 1e-2 * sin(100 * x))     \
    M(square_in_float, NFY0ZM, in_float(x *x) + sin(x), 2 * x + cos(x))                                     \
    M(sine_of_12_bits, NFY0ZM, round_to(sin(x), 12), cos(x))                                                \
    M(sine_table, NFY0Z, on_grid(sin(x), 12), cos(x))                                                       \
    M(coarse_table, FY0, on_grid(sin(x), 8), cos(x))                                                        \
    M(sine_of_a_table, NFY0Z, sin(on_grid(x, 16)), cos(x))                                                  \
    M(tanh_of_8_bits, FY0ZM, round_to(tanh(x), 8), 1 - tanh(x) * tanh(x))                                   \
    M(half_in_a_product, N0ZM, exp(-x *x / 10) * round_to(sin(5 * x), 11),                                  \
      exp(-x * x / 10) * (5 * cos(5 * x) - x / 5 * sin(5 * x)))                                             \
    M(quantised_factor, , on_grid(x, 8) * x, 2 * x)                                                         \
    M(quantised_part, Y, 2 * x + on_grid(x * x, 10), 2 + 2 * x)                                             \
    M(one_jump, NFY0ZM, x > 0.5 ? x * x + 1 : x * x, 2 * x)                                                 \
    /* stairs: between two jumps they have the slope 0, or that of what is added */                         \
    M(quarters, N1, 0.25 * rint(x / 0.25), 0)                                                               \
    M(hundredths, , 0.01 * floor(x / 0.01), 0)                                                              \
    M(thousandths, , 0.001 * rint(x / 0.001), 0)                                                            \
    M(sine_of_steps, N1, 100 * sin(0.25 * rint(x / 0.25) / 100), 0)                                         \
    M(tilted, , 0.001 * rint(x / 0.001) + x / 2, 0.5)

#define DEFINE(name, domains, f, df) EACH(name, f, dy *(df))
MAPS(DEFINE)

#define ENTRY(name, domains, f, df) {#domains, &name},
static const struct {
    const char *domains;
    const tg_custom_op *op;
} maps[] = {MAPS(ENTRY)};
enum { N_MAPS = sizeof maps / sizeof *maps };

static int map_of(const char *name) {
    for (int i = 0; i < N_MAPS; i++)
        if (!strcmp(maps[i].op->name, name))
            return i;
    ck_abort_msg("no %s", name);
}

static tg_tensor apply_map(tg_tensor x, int which) { return apply_to(maps[which].op, 0, 0, x); }
static tg_tensor apply_named(tg_tensor x, const char *name) { return apply_map(x, map_of(name)); }

/* Alone, before a product, between operations, and with half of its slope. */
static tg_tensor use_map(tg_tensor x, int which, int use, uint64_t seed) {
    tg_tensor y = apply_map(use == 2 ? tg_mul_scalar(x, 1.25) : x, which);
    switch (use) {
    case 0: return y;
    case 1: return tg_mul(tg_tanh(y), tg_add_scalar(x, 2));
    case 2: return total(tg_tanh(tg_matmul(y, random_leaf(x.tape, TG_SHAPE(4, 2), seed + 900, 'N'))));
    default: return tg_add(y, tg_mul_scalar(x, 0.5));
    }
}

static void want_map(int i, const char *domains, int full, int fast) {
    for (const char *domain = domains; *domain; domain++)
        for (uint64_t seed = 0; seed < 6; seed++) {
            tg_tape *t = tg_tape_new(TG_F64);
            char row[64];
            int use = (int)(seed % 2 ? (seed + 1) / 2 : 0);
            snprintf(row, sizeof row, "%s on %c, use %d", maps[i].op->name, *domain, use);
            tg_tensor x = random_leaf(t, TG_SHAPE(seed % 2 ? 3 : 4, 4), seed * 37 + (uint64_t)i, *domain);
            want_both(use_map(x, i, use, seed), seed, full, fast, row);
            tg_tape_free(t);
        }
}

START_TEST(functions_of_one_number_are_right)
{
    for (int i = 0; i < N_MAPS; i++)
        want_map(i, maps[i].domains, RC, RC);
    end_rows();
}
END_TEST

/* Known limits: right gradients that may be called wrong. */
START_TEST(coarse_rounding_is_a_known_limit)
{
    static const struct {
        const char *name, *domains;
        int full, fast;
    } limits[] = {
        /* f that is rounded to a grid or a table coarser than a path does not move there: called wrong */
        {"sine_table", "M", ANY, ANY},
        {"coarse_table", "M", ANY, ANY},
        {"sine_of_a_table", "M", ANY, ANY},
        {"small_wave_in_float", "M", ANY, ANY},
        {"wave_in_float", "M", ANY, ANY}, /* a factor of doubles hides that the other is of floats */
        {"quantised_factor", "0M", ANY, ANY},
        {"quantised_part", "0M", ANY, ANY},
        {"one_minus_cosine", "T", ANY, ANY}, /* cos x is a multiple of 2^-53 */
        /* f that is rounded in part, or to 8 to 11 bits: some elements lie where a path meets too few jumps */
        {"coarse_table", "NZ", ANY, RC},
        {"tanh_of_8_bits", "N", ANY, RC},
        {"half_in_a_product", "FY", ANY, RC},
        {"quantised_factor", "N", ANY, ANY},
        {"quantised_factor", "FYZ", ANY, RC},
        {"quantised_part", "NFZ", ANY, RC},
        /* stairs whose steps are small beside x: their slope from afar is not the one between two jumps */
        {"quarters", "23", ANY, ANY},
        {"hundredths", "N123", ANY, ANY},
        {"thousandths", "N123", ANY, ANY},
        {"sine_of_steps", "23", ANY, ANY},
        {"tilted", "N123", ANY, ANY},
    };
    for (size_t k = 0; k < sizeof limits / sizeof *limits; k++)
        want_map(map_of(limits[k].name), limits[k].domains, limits[k].full, limits[k].fast);
    end_rows();
}
END_TEST

/* (1 - cos x) / x^2, of which float64 makes c / x^2 between two values of 1 - cos x: the slope of that is no evidence.
 */
EACH(versine, (1 - cos(x)) / (x * x), -dy *x / 12) /* of small x: 1/2 - x^2/24 + ... */

/* From 4e-4 on; about 1e-6, where 1 - cos x has 10 to 15 bits, it may be called wrong. */
START_TEST(a_slope_between_two_jumps_of_rounding_is_no_evidence)
{
    for (uint64_t seed = 1; seed <= 160; seed++) {
        tg_tape *t = tg_tape_new(TG_F64);
        tg_rng_state g;
        double x[24];
        int n = seed % 2 ? 3 : 24, said = seed <= 80 ? RC : ANY;
        tg_rng_seed(&g, seed);
        for (int i = 0; i < n; i++)
            x[i] = pow(10, (seed <= 80 ? -3.4 : -6.4) + 0.8 * tg_rng_double(&g));
        tg_tensor leaf = wanting(tg_from_doubles(t, TG_SHAPE(n), x));
        want_both(apply_to(&versine, 0, 0, leaf), seed, said, said, "versine");
        tg_tape_free(t);
    }
    end_rows();
}
END_TEST

/* Numbers that one element, or a few, meet: 1e-30 is a number of float; what is below float's normal numbers is 0 to
 * it, whose slope may be called wrong (it is not from 1e-165 on, where nothing can be seen); -1 / x^2 overflows a
 * little before half of it does, where backward says -inf of -9e307; x^2 sin(1/x) at -1e-6 beside 1150. */
START_TEST(numbers_at_the_ends_of_the_range_are_right)
{
    static const char *const in_floats[] = {"float_tanh", "float_sine", "rounded_to_float"};
    for (int k = 0; k < 3; k++)
        for (double x = 1e-30; x > 1e-290; x *= 1e-9) {
            tg_tape *t = tg_tape_new(TG_F64);
            tg_tensor leaf = wanting(VECTOR(t, x)), y = apply_named(tg_mul_scalar(leaf, 0.7), in_floats[k]);
            bool denormal = x < 1e-37 && x > 1e-160;
            for (uint64_t seed = 1; seed <= 4; seed++) {
                if (x < 1e-160) /* above, the half that tg_detach stops is seen to be missing */
                    want_right(tg_sub(y, tg_mul_scalar(tg_detach(y), 0.5)), seed, in_floats[k]);
                want_both(tg_mul(y, leaf), seed, denormal ? ANY : RC, RC, in_floats[k]);
            }
            tg_tape_free(t);
        }
    for (uint64_t seed = 1; seed <= 20; seed++) {
        tg_tape *t = tg_tape_new(TG_F64);
        tg_tensor x = wanting(VECTOR(t, 7.4e-155, 1, -7.4e-155, 6e-155));
        want_right(apply_named(x, "reciprocal"), seed, "reciprocal");
        want_right(tg_mul_scalar(apply_named(tg_neg(x), "reciprocal"), 1e-3), seed, "reciprocal, scaled");
        tg_tensor tiny = wanting(VECTOR(t, 1.5e-32, 2)); /* 3e286, whose slope is beyond the end */
        want_right(tg_mul_scalar(tg_pow_tensor(tiny, VECTOR(t, -9, 3)), 1e-30), seed, "power");
        tg_tensor w = wanting(VECTOR(t, 1150.4367241103298, -1.062896332272952e-06, 0.64414133849916311,
                                     -0.004266931973381626, -0.016271657683203791, -0.12170272556303441));
        want_right(apply_named(w, "waves_into_zero"), seed, "waves beside 1150");
        tg_tensor flat = wanting(MATRIX(t, 2, 1, 0, -3)); /* where most differences of a function in float are 0 */
        want_right(total(apply_named(flat, "float_tanh")), seed, "flat in float");
        tg_tape_free(t);
    }
    end_rows();
}
END_TEST

/* ---- families of custom operations, on every kind of data ---- */

static void want_family(const family *f, char domain, uint64_t seed) {
    tg_tape *t = tg_tape_new(TG_F64);
    tg_tensor x = random_leaf(t, operand_of(f), seed, domain);
    tg_tensor w = f->w_columns ? random_leaf(t, weight_of(f), seed + 50, domain) : TG_NULL;
    tg_tensor y = apply_family(f, 0, x, w);
    char row[64];
    snprintf(row, sizeof row, "%s on %c", f->op->name, domain);
    double values[64];
    bool finite = tg_read_doubles(y, values, tg_numel(y)) == TG_OK;
    for (int64_t k = 0; k < tg_numel(y); k++)
        finite &= isfinite(values[k]) != 0;
    if (finite) /* x / |x| of zeros is not */
        want_right(y, seed, row);
    tg_tape_free(t);
}

START_TEST(custom_operations_are_right_on_every_kind_of_data)
{
    for (int i = 0; i < N_FAMILIES; i++)
        for (const char *domain = "NPUSIZBT"; *domain; domain++)
            for (uint64_t seed = 1; seed <= SEEDS; seed++)
                want_family(&families[i], *domain, seed);
    end_rows();
}
END_TEST

/* ---- functions made of the library's operations ---- */

/* Zeros whose neighbours are huge: the steps that can be seen lie beyond both bounds. */
static tg_tensor bounds_below_every_step(tg_tape *t) {
    tg_tensor x = wanting(VECTOR(t, 0, 0, -1.3e25, 2.4e25)), low = wanting(VECTOR(t, -2e-13, -4e-28, -1e32, -3e20));
    return tg_clamp_tensor(x, low, VECTOR(t, 1, 1, 1, 1));
}

/* Their difference decides: most steps of their own size saturate the softmax. */
static tg_tensor almost_equal_keys(tg_tape *t) {
    static const double keys[] = {17.4, 1702844796093.2881, 71124293.50982, 16.8, 1702844796094.4495, 71124293.50977};
    tg_tensor q = MATRIX(t, 2, 3, 1, -70.72, 0.311, 0.307, 1, -1.7741825);
    tg_tensor k = wanting(tg_from_doubles(t, TG_SHAPE(2, 3), keys)),
              v = wanting(tg_from_doubles(t, TG_SHAPE(2, 3), keys));
    return tg_scaled_dot_product_attention(q, k, v, TG_NULL, true, 0, 0);
}

/* Every step but those of 1e-48 saturates the softmax. */
static tg_tensor queries_of_zero(tg_tape *t) {
    tg_tensor q = wanting(tg_zeros(t, TG_SHAPE(4, 3)));
    tg_tensor x = MATRIX(t, 4, 3, 0.0079, 0.003, 7.4e44, 8.9e47, 1.007, 5414.15, 494292.8, 287752.5, 287752.5, 5.4e52,
                         1.7e10, 3.6e12);
    return tg_scaled_dot_product_attention(q, x, x, TG_NULL, true, 0, 0);
}

/* A row of x between x and itself: all rows' corners lie in that one's elements. */
static tg_tensor row_between(tg_tensor x) {
    tg_tensor row = tg_select(x, 0, 1);
    return tg_minimum(tg_clamp_tensor(row, x, row), x);
}

/* (x + far) - far: what of x is below far's rounding is lost. */
static tg_tensor drown(tg_tensor x, double far) { return tg_add_scalar(tg_add_scalar(x, far), -far); }
/* 0^0, beside which it is infinitely steep, of a product of zeros, whose sign is the same to both sides. */
static tg_tensor powers_of_zero(tg_tape *t) {
    tg_tensor u = wanting(MATRIX(t, 2, 3, 0, 2, -3, -4, 3, 1)), v = wanting(MATRIX(t, 2, 3, 0, 3, -1, -1, -4, 4));
    tg_tensor p = tg_pow_tensor(tg_abs(tg_mul(u, v)), u);
    return tg_mul(u, tg_div(p, tg_add_scalar(tg_norm(p, 2, TG_DIMS(1), true), 0.1)));
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
    case 37: return tg_relu(tg_mul(wanting(VECTOR(t, 0)), VECTOR(t, 1, -2, 3, -4))); /* many kinks at once */
    case 38: return tg_sub(tg_mul_scalar(x, 1e60), tg_mul_scalar(x, 1e60));
    case 39: return drown(x, 1e19);
    case 40: tg_checkpoint_begin(t); return tg_checkpoint_end(t, drown(x, 1e19));
    case 41: return beside_nothing(x, drown(tg_add(x, tg_pow(x, 4)), 0x1p54)); /* its curve, to both sides */
    case 42: return beside_nothing(x, drown(tg_mul_scalar(x, 1e200), 0x1p54 * 1e200));
    case 43: return beside_nothing(x, tg_add(drown(x, 0x1p54), tg_mul_scalar(tg_relu(tg_sub_scalar(x, 0.01)), 0)));
    case 44: return beside_nothing(x, tg_add(drown(x, 0x1p43), tg_mul_scalar(tg_relu(tg_sub_scalar(x, 0.01)), 5)));
    case 45: return powers_of_zero(t);
    default: return TG_NULL;
    }
}

START_TEST(functions_of_operations_are_right)
{
    for (int which = 0; which <= 45; which++)
        for (uint64_t seed = 1; seed <= SEEDS; seed++) {
            tg_tape *t = tg_tape_new(TG_F64);
            char row[32];
            snprintf(row, sizeof row, "function %d", which);
            tg_tensor y = function(t, which, seed);
            ck_assert_msg(!tg_is_null(y), "%s: %s", row, tg_error(t));
            want_right(y, seed, row);
            tg_tape_free(t);
        }
    end_rows();
}
END_TEST

/* A query that is 0 beside a key of 8e20 whose probability is dropped: the softmax saturates within 1e-21, and what it
 * changes there is nothing beside the other rows. And sin at 2^780, where float64 has one number in 2^728: all steps of
 * a power of two are nearly multiples of the period, and say that it is flat. */
START_TEST(saturation_or_a_period_within_rounding_is_right)
{
    static const double qs[] = {2e-8, -0.0039, -4e-7, 0}, ks[] = {1.4e-8, -0.0026, -2.9e-7, -7.9e20};
    for (uint64_t seed = 1; seed <= 40; seed++) {
        tg_tape *t = seeded_tape(TG_F64, seed);
        tg_tensor q = wanting(tg_from_doubles(t, TG_SHAPE(4, 1), qs)),
                  k = wanting(tg_from_doubles(t, TG_SHAPE(4, 1), ks));
        want_right(tg_scaled_dot_product_attention(q, k, k, TG_NULL, false, 0.3, 0), seed, "dropped keys");
        tg_tape_free(t);
    }
    for (int k = 60; k < 1020; k += k < 760 || k > 800 ? 20 : 1)
        for (int r = 0; r < 3; r++) {
            tg_tape *t = tg_tape_new(TG_F64);
            want_right(tg_sin(wanting(VECTOR(t, ldexp(1.37 + 0.21 * r, k)))), (uint64_t)k, "sin of 2^seed");
            tg_tape_free(t);
        }
    end_rows();
}
END_TEST

/* What bends within a 1e-5th of the numbers, of which half moves: it is neither a kink nor wrong at the point. */
START_TEST(a_bend_beside_large_numbers_is_right)
{
    for (uint64_t seed = 1; seed <= 50; seed++)
        for (int which = 0; which < 3; which++) {
            tg_tape *t = seeded_tape(TG_F64, seed);
            tg_tensor small = tg_mul_scalar(tg_randn(t, TG_SHAPE(3, 4)), which == 1 ? 0.01 : 0.001);
            tg_tensor u = tg_add_scalar(small, which == 1 ? 1e4 : 100);
            tg_tensor x = wanting(tg_from_doubles(t, TG_SHAPE(3, 4), tg_const_data(u)));
            tg_tensor apart = tg_sub(x, tg_add_scalar(tg_mul_scalar(tg_randn(t, TG_SHAPE(3, 4)), 0.001), 100));
            tg_tensor y =
                which < 2 ? tg_std(x, TG_DIMS(1), true, false) : tg_sqrt(tg_add_scalar(tg_square(apart), 1e-10));
            want_both(y, seed, R, R, which < 2 ? "std" : "distance");
            tg_tape_free(t);
        }
    end_rows();
}
END_TEST

SUITE("gradcheck_right", functions_of_one_number_are_right, coarse_rounding_is_a_known_limit,
      a_slope_between_two_jumps_of_rounding_is_no_evidence, numbers_at_the_ends_of_the_range_are_right,
      custom_operations_are_right_on_every_kind_of_data, functions_of_operations_are_right,
      saturation_or_a_period_within_rounding_is_right, a_bend_beside_large_numbers_is_right)
