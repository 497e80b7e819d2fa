/* What must always hold: a custom operation whose gradient is wrong as people get it wrong, on ordinary random data, is
 * WRONG and found, and is called by its name, or described; and by no other name. */
#include "gradcheck_rows.h"

enum { SEEDS = 2 };

/* ---- families of operations: custom_ops.h; by is the family's number ---- */

static tg_tensor of_family(tg_tape *t, const row *r, tg_tensor x) {
    const family *f = &families[(int)r->by];
    return apply_family(f, r->way, x, f->w_columns ? drawn(t, weight_of(f), 1, 0) : TG_NULL);
}
static tg_tensor family_operand(tg_tape *t, const row *r) { return drawn(t, operand_of(&families[(int)r->by]), 1, 0); }
static tg_tensor family_alone(tg_tape *t, const row *r) { return of_family(t, r, family_operand(t, r)); }
static tg_tensor family_between(tg_tape *t, const row *r) {
    tg_tensor x = family_operand(t, r);
    tg_tensor y = of_family(t, r, tg_add(tg_tanh(x), tg_mul_scalar(x, 0.3)));
    return tg_sum(tg_mul(tg_sigmoid(y), y), TG_ALL_DIMS, false);
}

/* What mistakes `first` to `last` are called, and are said to be. */
static const struct {
    const tg_custom_op *op;
    int first, last;
    tg_mistake name;
    const char *words;
} said[] = {
    {&my_softmax, 1, 3, TG_MISTAKE_UNKNOWN, NULL},
    {&my_softmax, 6, 6, TG_MISTAKE_TAIL, NULL},
    {&my_norm, 1, 5, TG_MISTAKE_UNKNOWN, NULL},
    {&my_matmul, 1, 1, TG_MISTAKE_UNKNOWN, NULL},
    {&my_matmul, 2, 2, TG_MISTAKE_TRANSPOSED, NULL},
    {&my_matmul, 7, 7, TG_MISTAKE_EXTRA_MEAN, NULL},
    {&my_bias, 1, 1, TG_MISTAKE_NOT_SUMMED, NULL},
    {&my_bias, 2, 2, TG_MISTAKE_EXTRA_MEAN, NULL},
    {&my_bias, 4, 4, TG_MISTAKE_ZERO, NULL},
    {&my_mse, 1, 1, TG_MISTAKE_HALF, NULL},
    {&my_mse, 2, 2, TG_MISTAKE_MISSING_MEAN, NULL},
    {&my_mse, 3, 3, TG_MISTAKE_SIGN, NULL},
    {&my_mse, 5, 5, TG_MISTAKE_NO_DY, NULL},
    {&my_entropy, 2, 2, TG_MISTAKE_MISSING_MEAN, NULL},
    {&my_entropy, 5, 5, TG_MISTAKE_UNKNOWN, "none of the common mistakes"},
    {&my_pool, 1, 1, TG_MISTAKE_UNKNOWN, "none of the common mistakes"},
    {&my_loop, 2, 2, TG_MISTAKE_TAIL, NULL},
    {&my_loop, 3, 3, TG_MISTAKE_UNKNOWN, "9 of 10 elements looked at are wrong: 1, 2, 3, 4, 5, 6, 7, 8, ...;"},
    {&my_loop, 5, 5, TG_MISTAKE_OVERWRITE, NULL},
    {&my_loop, 6, 6, TG_MISTAKE_TWICE, NULL},
    {&my_loop, 7, 7, TG_MISTAKE_STALE, NULL},
    {&my_loop, 9, 9, TG_MISTAKE_NONDETERMINISTIC, NULL},
    {&my_loop, 10, 10, TG_MISTAKE_UNKNOWN, "not linear in dy"},
    {&my_loop, 11, 11, TG_MISTAKE_NOT_FINITE, NULL},
    {&my_loop, 12, 12, TG_MISTAKE_UNKNOWN, "none of the common mistakes: 10 of 10 elements looked at are wrong;"},
    {&my_loop, 13, 13, TG_MISTAKE_TAIL, NULL},
};

static int family_fails(int number, int mistake, tg_gradcheck_mode mode, uint64_t seed) {
    const family *f = &families[number];
    row r = {f->op, mistake, number, 0, 0, mistake ? "W" : "RK"};
    line alone = {.make = family_alone}, between = {.make = family_between};
    for (size_t k = 0; k < sizeof said / sizeof *said; k++)
        if (said[k].op == f->op && said[k].first <= mistake && mistake <= said[k].last) {
            alone.name = said[k].name;
            alone.words = said[k].words;
        }
    return run_row(&alone, &r, "alone", mode, seed, TG_F64) + run_row(&between, &r, "between", mode, seed, TG_F64);
}

START_TEST(mistakes_in_every_family_are_found_and_named)
{
    int failed = 0;
    for (int i = 0; i < N_FAMILIES; i++)
        for (int mistake = 0; mistake <= families[i].mistakes; mistake++)
            for (uint64_t seed = 1; seed <= SEEDS; seed++)
                for (int mode = 0; mode < 2; mode++)
                    failed += family_fails(i, mistake, (tg_gradcheck_mode)mode, seed);
    fflush(stdout);
    ck_assert_int_eq(failed, 0);
}
END_TEST

/* ---- functions of one number: y = f(x), and what somebody took for its derivative; P: of positive numbers, W: wide
 * ---- */

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

#define DEFINE(name, domain, f, df) EACH(name, f, dy *(df))
MAPS(DEFINE)
/* off by less than a hundredth */
EACH(float_difference, sin(x), dy *(double)((sinf((float)x + 1e-3f) - sinf((float)x)) / 1e-3f))

static tg_tensor of_domain(tg_tape *t, const row *r) {
    tg_tensor x = drawn(t, TG_SHAPE(3, 8), r->way == 2 ? 8 : 1, 0);
    double *values = tg_data(x);
    for (int i = 0; i < 24 && r->way == 1; i++)
        values[i] = 0.1 + fabs(values[i]);
    return of_one(r, x);
}
#define ENTRY(name, domain, f, df) LINE(of_domain, name, WAY_##domain, "| 1", "0", "0", NULL, "W"),
#define WAY_N "0"
#define WAY_P "1"
#define WAY_W "2"
static const line maps[] = {MAPS(ENTRY)};

/* ---- what they are called ---- */

/* A buffer that is never cleared, after calls with much larger dy. */
static tg_tensor stale(tg_tape *t, const row *r) { return tg_mul_scalar(of_one(r, drawn(t, TG_SHAPE(10), 1, 0)), 2e4); }

/* y = (x - mean) / std + w over one row: 1 mean constant, 2 variance constant, 3 both. w has the shape of a weight. */
static void shifted_forward(job *j) {
    double h[64], std = sqrt(centre(j->x, h, j->numel) / (double)j->numel + 1e-5);
    for (int64_t i = 0; i < j->numel; i++)
        j->out[i] = h[i] / std + j->w[i];
}

static void shifted_vjp(job *j) {
    double n = (double)j->numel, mean = 0, mean_h = 0;
    for (int64_t i = 0; i < j->numel; i++) {
        mean += j->mistake & 1 ? 0 : j->dy[i] / n;
        mean_h += j->mistake & 2 ? 0 : j->dy[i] * (j->y[i] - j->w[i]) / n;
        j->dw[i] += j->dy[i];
    }
    double inverse_std = (j->y[1] - j->w[1] - j->y[0] + j->w[0]) / (j->x[1] - j->x[0]);
    for (int64_t i = 0; i < j->numel; i++)
        j->dx[i] += inverse_std * (j->dy[i] - mean - (j->y[i] - j->w[i]) * mean_h);
}
FAMILY(shifted)

/* way: elements of x; size: of w */
static tg_tensor of_vectors(tg_tape *t, const row *r) {
    int64_t n = (int64_t)r->offset, m = (int64_t)r->size;
    tg_tensor x[] = {drawn(t, TG_SHAPE(n), 1, 0), drawn(t, TG_SHAPE(m), 1, 0)};
    return apply_row(r, x, 2, TG_SHAPE(n));
}

/* y = x^2 at some places, 0 at the others, in backward up to `way` alone. */
static const bool is_kept[] = {true, true, false, true, true, false, false, true, false, false};
EACH(keep, is_kept[i] ? x *x : 0, is_kept[i] && i < j->mistake ? 2 * x * dy : 0)
static tg_tensor of_ten(tg_tape *t, const row *r) { return of_one(r, drawn(t, TG_SHAPE(10), 1, 0)); }

/* y[h][i] = x[h] (i + 1): a number for each row broadcasts nowhere, and the second that is lost is no missing sum. */
static void rows_of_numbers_forward(job *j) {
    for (int64_t i = 0; i < 6; i++)
        j->out[i] = j->x[i / 3] * (double)(i % 3 + 1);
}
static void rows_of_numbers_vjp(job *j) {
    for (int64_t i = 0; i < 3; i++)
        j->dx[0] += j->dy[i] * (double)(i + 1);
}
FAMILY(rows_of_numbers)
static tg_tensor numbers_of_rows(tg_tape *t, const row *r) {
    tg_tensor x = drawn(t, TG_SHAPE(2), 1, 0);
    return apply_row(r, &x, 1, TG_SHAPE(2, 3));
}

/* y = s x: dy where s dy belongs looks like a constant factor until s moves. */
EACH_TWO(scaled, x *a, dy, dy *x)
/* Cross entropy with label smoothing 0.1 over rows of 3 classes, targets 1, 0, 2, 2; way is what backward takes for
 * their distribution: 1: no smoothing, 2: spread over the others, 3: less at the target. */
enum { ROWS = 4, CLASSES = 3 };
static const int64_t target_of[ROWS] = {1, 0, 2, 2};
static double row_sum(const double *x) { return exp(x[0]) + exp(x[1]) + exp(x[2]); }
static double wanted(int way, int64_t i) {
    bool target = target_of[i / CLASSES] == i % CLASSES;
    double s = 0.1, q = s / CLASSES + (target ? 1 - s : 0);
    return way == 1 ? target : way == 2 ? (target ? 1 - s : s / (CLASSES - 1)) : way == 3 && target ? 1 - s : q;
}

static void smoothed_forward(job *j) {
    *j->out = 0;
    for (int64_t i = 0; i < j->numel; i++)
        *j->out -= wanted(0, i) * (j->x[i] - log(row_sum(j->x + i / CLASSES * CLASSES))) / ROWS;
}
static void smoothed_vjp(job *j) {
    for (int64_t i = 0; i < j->numel; i++)
        j->dx[i] += *j->dy * (exp(j->x[i]) / row_sum(j->x + i / CLASSES * CLASSES) - wanted(j->mistake, i)) / ROWS;
}
FAMILY(smoothed)
static tg_tensor of_classes(tg_tape *t, const row *r) {
    tg_tensor x[] = {drawn(t, TG_SHAPE(ROWS, CLASSES), 1, 0), tg_from_ints(t, TG_SHAPE(ROWS), target_of)};
    return apply_row(r, x, 2, TG_SCALAR);
}

/* Two outputs, the sum of sines and that of squares: what arrives at one of them (way) is ignored. */
static void sums_forward(job *j) {
    double *y = j->call->outputs[0], *z = j->call->outputs[1];
    *y = *z = 0;
    for (int64_t i = 0; i < j->numel; i++) {
        *y += sin(j->x[i]);
        *z += j->x[i] * j->x[i];
    }
}
static void sums_vjp(job *j) {
    double dy = *(const double *)j->call->output_grads[0], dz = *(const double *)j->call->output_grads[1];
    for (int64_t i = 0; i < j->numel; i++)
        j->dx[i] += (j->mistake == 0 ? 0 : dy * cos(j->x[i])) + (j->mistake == 1 ? 0 : dz * 2 * j->x[i]);
}
FAMILY(sums)
static tg_tensor two_outputs(tg_tape *t, const row *r) {
    tg_tensor x = drawn(t, TG_SHAPE((int64_t)r->size), 1, 0), y[2];
    tg_custom_config config = {2, (tg_shape[]){TG_SCALAR, TG_SCALAR}, 0, &r->way, sizeof r->way, NULL};
    ck_assert_int_eq(tg_custom_with(r->op, &x, 1, config, y), TG_OK);
    return tg_add(tg_square(y[0]), tg_square(y[1]));
}

/* A product (n, 3) (3, 3), of whose rows the first `way` give the second operand no gradient. */
static void rows_product_forward(job *j) { my_matmul_forward(j); }
static void rows_product_vjp(job *j) {
    for (int64_t i = 0; i < j->numel; i++)
        for (int64_t k = 0; k < 3; k++) {
            j->dx[i / 3 * 3 + k] += j->dy[i] * j->w[k * 3 + i % 3];
            j->dw[k * 3 + i % 3] += i / 3 < j->mistake ? 0 : j->dy[i] * j->x[i / 3 * 3 + k];
        }
}
FAMILY(rows_product)
static tg_tensor of_rows(tg_tape *t, const row *r) {
    int64_t rows = (int64_t)r->size;
    tg_tensor x[] = {drawn(t, TG_SHAPE(rows, 3), 1, 0), drawn(t, TG_SHAPE(3, 3), 1, 0)};
    return apply_row(r, x, 2, TG_SHAPE(rows, 3));
}

/* y = (1, sin(x0) exp(x1)): without its last element (way 1) the gradient is that without a diagonal, without its first
 * one the diagonal alone. */
static void late_forward(job *j) {
    j->out[0] = 1;
    j->out[1] = sin(j->x[0]) * exp(j->x[1]);
}
static void late_vjp(job *j) {
    double g[] = {cos(j->x[0]) * exp(j->x[1]), sin(j->x[0]) * exp(j->x[1])};
    j->dx[!j->mistake] += j->dy[1] * g[!j->mistake];
}
FAMILY(late)
static tg_tensor of_column(tg_tape *t, const row *r) { return of_one(r, drawn(t, TG_SHAPE(2, 1), 1, 0)); }

/* Operands that are one tensor. sin x - 0.99 sin a, dx a little too large: nothing beside dx, but much of what is left
 * where x is a. The larger, with |dy| for dy; with by of dy where they tie. */
EACH_TWO(apart, sin(x) - 0.99 * sin(a), dy *cos(x) * (1 + by), -0.99 * dy * cos(a))
EACH_TWO(larger, fmax(x, a), (x >= a ? fabs(dy) : 0), (x >= a ? 0 : fabs(dy)))
EACH_TWO(sharing, fmax(x, a), dy *(x == a ? by : x > a), dy *(x == a ? by : a > x))
static tg_tensor one_tensor(tg_tape *t, const row *r) {
    tg_tensor x = drawn(t, TG_SHAPE(6), 1, 0), both[] = {x, x};
    return apply_row(r, both, 2, TG_SHAPE(6));
}
static tg_tensor one_number(tg_tape *t, const row *r) {
    tg_tensor x = wanting(tg_full(t, TG_SHAPE(1), 0.3)), both[] = {x, x};
    return apply_row(r, both, 2, TG_SHAPE(1));
}

/* The VJP moves x, or multiplies dy where it lies. */
static double moved(job *j, int64_t i, double by) {
    double *x = (double *)(uintptr_t)j->x, was = x[i];
    x[i] += by;
    return was;
}
static double written(job *j, int64_t i, double by) { return ((double *)(uintptr_t)j->dy)[i] *= by; }
EACH(moving, x *x, 2 * moved(j, i, by) * dy)
EACH(scaling, tanh(x), written(j, i, by) * (1 - y * y))
static tg_tensor of_six(tg_tape *t, const row *r) { return of_one(r, drawn(t, TG_SHAPE(6), 1, 0)); }
static tg_tensor product_of_six(tg_tape *t, const row *r) {
    tg_tensor x = drawn(t, TG_SHAPE(6), 1, 0);
    return total(tg_mul(of_one(r, x), x));
}

/* sum x^2: of dy by is used at most; 0: 1 instead of it. */
static void clipped_forward(job *j) { *j->out = row_dot(j->x, j->x, j->numel); }
static void clipped_vjp(job *j) {
    double by = by_of(j), used = by > 0 ? fmin(fmax(*j->dy, -by), by) : 1;
    for (int64_t i = 0; i < j->numel; i++)
        j->dx[i] += 2 * j->x[i] * used;
}
FAMILY(clipped)
static tg_tensor of_sum(tg_tape *t, const row *r) {
    tg_tensor x = drawn(t, TG_SHAPE(12), 1, 0);
    return apply_row(r, &x, 1, TG_SCALAR);
}
/* Right for this dy, not for larger ones. */
EACH(short_of, tanh(x), fmax(fmin(dy *(1 - y * y), 1), -1))
static tg_tensor of_twelve(tg_tape *t, const row *r) { return of_one(r, drawn(t, TG_SHAPE(12), 0.1, 1)); }

/* x + by sin x, with dy for a gradient: where all x are alike 4/5 and half the right one. */
EACH(passing, x + by_of(j) * sin(x), dy)
static tg_tensor alike(tg_tape *t, const row *r) { return of_one(r, wanting(tg_full(t, TG_SHAPE(3, 4), r->size))); }

/* prelu: x or a x; of a's gradient the first `way` rows. Of three, of which row `size` adds nothing, one is left alone
 * where the last is forgotten; with these seeds it leaves a column nothing where the signs lie otherwise: no name. */
EACH_TWO(prelu, x > 0 ? x : a * x, x > 0 ? dy : a * dy, x <= 0 && i < 4 * j->mistake ? x * dy : 0)
static tg_tensor of_signs(tg_tape *t, const row *r) {
    tg_tensor x = drawn(t, TG_SHAPE(3, 4), 1, 0), in[] = {x, wanting(VECTOR(t, 0.25, 0.5, 0.125, 0.75))};
    double *values = tg_data(x);
    for (int i = 0; i < 12; i++)
        values[i] = copysign(values[i], i / 4 == (int)r->size ? 1 : -1);
    return apply_row(r, in, 2, TG_SHAPE(3, 4));
}

/* Numbers above the diagonal are masked, and the backward has forgotten it. */
EACH(above_diagonal, i % 4 <= i / 4 ? x * x : 0, 2 * x * dy)

/* y = 2.48 + by sum x of rows of 12: doubles that lie still over a part of a short path are no floats. 1: wrong sign.
 */
static void lifted_forward(job *j) {
    for (int64_t i = 0; i < 5; i++) {
        j->out[i] = 2.48;
        for (int64_t k = 0; k < 12; k++)
            j->out[i] += by_of(j) * j->x[12 * i + k];
    }
}
static void lifted_vjp(job *j) {
    for (int64_t i = 0; i < 60; i++)
        j->dx[i] += (j->mistake ? -1 : 1) * by_of(j) * j->dy[i / 12];
}
FAMILY(lifted)
static tg_tensor lifted_rows(tg_tape *t, const row *r) {
    tg_tensor x = drawn(t, TG_SHAPE(5, 12), 1, 0);
    return apply_row(r, &x, 1, TG_SHAPE(5));
}

/* leaky relu, flat below 0 in backward, of integers: some of them lie at its kink. */
EACH(flat_below, x > 0 ? x : 0.1 * x, x > 0 ? dy : 0)
static tg_tensor of_integers(tg_tape *t, const row *r) {
    return of_one(r, wanting(VECTOR(t, 1, -1, 2, 0, -2, 3, -3, 1, 0, -1, -2, 2)));
}

/* cos x, whose slope at 0 is 0 and not 1; no branches. */
EACH(slope_at_top, cos(x), x == 0 ? dy : -sin(x) * dy)
BRANCHES(one_branch, j->numel, 0)
static tg_tensor at_the_top(tg_tape *t, const row *r) {
    tg_tensor y = of_one(r, wanting(VECTOR(t, 0, 1, 2)));
    ck_assert_int_eq(tg_custom_set_branches(y, one_branch), TG_OK);
    return y;
}

/* Without a name: sin x, wrong by another factor at each element of a place. The diagnosis lists the first eight. */
enum { BATCHES = 15, EVEN, ODD, PLACES = 19, LISTED = 8 };
static bool lies_there(int place, int64_t k, const job *j, double x) {
    int64_t column = k % j->n, height = k / j->n % (place == BATCHES ? 2 : j->m);
    const bool there[PLACES] = {k == 0,
                                k == j->numel - 1,
                                x<0, x> 0,
                                fabs(x) > 1,
                                fabs(x) < 1,
                                height == column,
                                height != column,
                                column > height,
                                column < height,
                                k<j->n, k >= j->n, column == 0, column == j->n - 1, column> 0,
                                k >= j->numel / 3,
                                k % 2 == 0,
                                k % 2 == 1,
                                k >= j->numel / 2};
    return there[place];
}
EACH(placed, sin(x), dy *cos(x) * (lies_there(j->mistake, i, j, x) ? 1.3 + 0.1 * (double)(i * 7 % 5) : 1))

static char listed[192]; /* of the operand that at_place made last */

static tg_tensor at_place(tg_tape *t, const row *r) {
    tg_shape shape = r->way == BATCHES                 ? TG_SHAPE(3, 2, 3)
                     : r->way == EVEN || r->way == ODD ? TG_SHAPE(3, 5)
                                                       : TG_SHAPE(4, 5);
    tg_tensor x = drawn(t, shape, 1, 0);
    const double *values = tg_data(x);
    job j = {.n = shape.size[shape.ndim - 1], .numel = tg_shape_numel(&shape)};
    int wrong = 0, length = 0;
    char numbers[64] = "";
    j.m = j.numel / j.n;
    for (int64_t k = 0; k < j.numel; k++)
        if (lies_there(r->way, k, &j, values[k]) && ++wrong <= LISTED)
            length += sprintf(numbers + length, "%s%d", wrong > 1 ? ", " : "", (int)k);
    snprintf(listed, sizeof listed, "none of the common mistakes: %d of %d elements looked at are wrong: %s%s;", wrong,
             (int)j.numel, numbers, wrong > LISTED ? ", ..." : "");
    return of_one(r, x);
}

static const line called[] = {
    LINE(lifted_rows, lifted, "0", "1 1e-6 1e-7 1e-8 1e-9 1e-10", "0", "0", "RKC", NULL),
    LINE(lifted_rows, lifted, "1", "| 1 1e-6 1e-7 1e-8 1e-9 1e-10", "0", "0", NULL, "W"),
    LINE(of_integers, flat_below, "0", "| 1", "0", "0", NULL, "W"),
    NAMED(at_the_top, slope_at_top, "0", "1", "0", "0", UNKNOWN, NULL),
    NAMED(of_twelve, above_diagonal, "0", "1", "0", "0", MASK, "elements that y ignores"),
    NAMED(stale, my_loop, "7", "1", "0", "0", STALE, NULL),
    LINE(of_ten, float_difference, "0", "| 1", "0", "0", NULL, "W/WCR"),
    LINE(of_vectors, shifted, "0", "1", "8", "8", "RK", NULL),
    NAMED(of_vectors, shifted, "1 2 3", "1", "8", "8", UNKNOWN, NULL), /* a shift is not taken for a weight */
    NAMED(of_ten, keep, "1 2 3 4 5 6 7", "1", "0", "0", TAIL, NULL),   /* where the end does not matter */
    LINE(of_ten, keep, "8 9 10", "1", "0", "0", "RK", NULL),
    NAMED(numbers_of_rows, rows_of_numbers, "0", "1", "0", "0", UNKNOWN, NULL),
    NAMED(of_vectors, scaled, "0", "1", "1", "6", PASSED_ON, NULL),
    NAMED(of_classes, smoothed, "1 2 3", "1", "0", "0", UNKNOWN, NULL),
    NAMED(two_outputs, sums, "0 1", "1", "1 4", "0", UNKNOWN, NULL),
    NAMED(of_rows, rows_product, "1", "1", "2 4", "0", UNKNOWN, "!broadcast dim"), /* one row lost is no missing sum */
    NAMED(of_rows, rows_product, "3", "1", "4", "0", NOT_SUMMED, "!broadcast dim"),
    NAMED(of_column, late, "0", "1", "0", "0", UNKNOWN, "wrong: 0;"), /* one element says nothing of the Jacobian */
    NAMED(of_column, late, "1", "1", "0", "0", UNKNOWN, "wrong: 1;"),
    {one_tensor, &apart, "0", "5e-7", "0", "0", NULL, "WRC", TG_MISTAKE_FACTOR, "the right gradient: 1.0000005",
     0}, /* not for sharing */
    NAMED(one_tensor, apart, "0", "0.01", "0", "0", FACTOR, "the right gradient: 1.01"),
    NAMED(one_tensor, larger, "0", "1", "0", "0", UNKNOWN, "not linear in dy"),
    LINE(one_number, sharing, "0", "0.5 | 1 0 0.3", "0", "0", "RK", "W"),
    NAMED(of_six, moving, "0", "1e-9 1e-5 0.1", "0", "0", WRITES, "writes to operand 1,"),
    NAMED(of_six, scaling, "0", "2 0.5 3 -1 0", "0", "0", WRITES, "writes to dy,"),
    NAMED(product_of_six, scaling, "0", "2 0.5 3 -1 0", "0", "0", WRITES, "writes to dy,"),
    NAMED(of_sum, clipped, "0", "0", "0", "0", NO_DY, NULL),
    {of_sum, &clipped, "0", "1", "0", "0", NULL, "W", TG_MISTAKE_NONE, "!not multiplied by dy", 0},
    NAMED(of_twelve, short_of, "0", "1", "0", "0", UNKNOWN,
          "not linear in dy, as every VJP is; 0 of 12 elements looked at are wrong"),
    NAMED(alike, passing, "0", "0.25 1", "0 0.01 0.1 0.5 1", "0", PASSED_ON, NULL),
    NAMED(of_signs, prelu, "2", "1", "0 1", "0", UNKNOWN, NULL),
    NAMED(of_signs, prelu, "1", "1", "2", "0", UNKNOWN, "none of the common mistakes"),
    NAMED(at_place, placed, "0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18", "1", "0", "0", UNKNOWN, listed),
};

/* ---- operands: y = huber(x - z), the gradient of z without its minus; x's kinks are no mistakes ---- */

EACH_TWO(huber, fabs(x - a) <= 1 ? (x - a) * (x - a) / 2 : fabs(x - a) - 0.5, dy *fmax(-1, fmin(1, x - a)),
         dy *fmax(-1, fmin(1, x - a)))

static tg_tensor of_pair(tg_tape *t, const row *r) {
    tg_shape shape = TG_SHAPE((int64_t)r->size);
    tg_tensor both[] = {drawn(t, shape, 1, 0), drawn(t, shape, 1, 0)};
    return apply_row(r, both, 2, shape);
}
static const line of_pairs[] = {
    {of_pair, &huber, "0", "1", "4 8 16", "0", NULL, "W", TG_MISTAKE_NONE, NULL, 2},
};

/* ---- hooks take no part ---- */

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
    tg_tensor x = drawn(t, TG_SHAPE(3), 1, 0), y = tg_exp(x);
    ck_assert_int_eq(tg_register_hook(x, count_and_double, &calls), TG_OK);
    ck_assert_int_eq(tg_register_hook(y, count_and_double, &calls), TG_OK);
    ck_assert_int_eq(tg_gradcheck(tg_square(y), TG_GRADCHECK_DEFAULTS, NULL), TG_OK);
    ck_assert_int_eq(tg_gradcheck_second(tg_square(y), 3, NULL), TG_OK);
    ck_assert_int_eq(calls, 0);
    tg_tape_free(t);
}
END_TEST

LINES_TEST(wrong_derivatives_of_one_number_are_found, maps, SEEDS)
LINES_TEST(a_right_operand_is_not_named, of_pairs, 40)
LINES_TEST(each_mistake_gets_its_own_name, called, SEEDS)

SUITE("gradcheck_attack", mistakes_in_every_family_are_found_and_named, wrong_derivatives_of_one_number_are_found,
      each_mistake_gets_its_own_name, a_right_operand_is_not_named, hooks_take_no_part)
