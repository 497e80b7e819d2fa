/* A custom operation with a wrong gradient is never called right, and one on ordinary data is WRONG: beside jumps,
 * where f has few bits, for some shapes, elements or dy only, where it writes or reads what it may not. The same
 * operation without the mistake is right. */
#include "gradcheck_rows.h"
#include "tests/custom_maps.h"
#include "tests/verdict.h"

enum { N = 6, SEEDS = 4, ANY = R | W | C };

/* ---- functions of one number with a wrong slope ---- */

/* Data: "0" normal numbers, "1" every second 0, "2" a tenth. */
#define WRONG(M)                                                                             \
    M(one_jump, "0 1", x > 0.5 ? x * x + 1 : x * x, 1.01 * 2 * x, "W/WC")                    \
    M(saw, "0 1", x - floor(x), x < -1e9, "W/WC")                                            \
    M(shrink, "0 1", fabs(x) > 0.5 ? sin(x) : 0, fabs(x) > 0.5 ? 1.01 * cos(x) : 0, "W/WC")  \
    M(tanh_in_float, "0 1", (double)tanhf((float)x), 1.01 * (1 - tanh(x) * tanh(x)), "W/WC") \
    M(wave_in_float, "0 1", exp(-x *x / 100) * in_float(cos(100 * x)),                       \
      1.1 * exp(-x * x / 100) * (-x / 50 * cos(100 * x) - 100 * sin(100 * x)), "W/WC")       \
    M(square_in_float, "0 1", in_float(x *x) + sin(x), -2 * x - cos(x), "W/WC")              \
    M(sine_in_float_by_half, "0", (double)sinf((float)x), 1.5 * cos(x), "W")                 \
    M(sine_in_float_turned, "0", (double)sinf((float)x), -cos(x), "W")                       \
    /* what jumps as numbers of a format do has a gradient that is missing */                \
    M(float_without_slope, "2", in_float(x), 0, "W/WC")                                      \
    M(tanh_without_slope, "2", (double)tanhf((float)x), 0, "W/WC")                           \
    M(sine_of_float_without_slope, "2", sin(in_float(x)), 0, "W/WC")                         \
    M(tenth_of_float_without_slope, "2", 0.1 * in_float(x), 0, "W/WC")                       \
    /* f of 11 bits whose slope is missing may pass where few paths are tried */             \
    M(half_without_slope, "2", round_to(x, 11), 0, "WC/RKCW")

#define DEFINE(name, data, f, df, may) EACH(name, f, dy *(df))
#define ENTRY(name, data, f, df, may) LINE(in_use, name, "0 1 2", "| 1", "0", data, NULL, may),
WRONG(DEFINE)

/* way: how it is used; offset: data */
static tg_tensor in_use(tg_tape *t, const row *r) {
    tg_tensor x = drawn(t, TG_SHAPE(N), r->offset > 1 ? 0.1 : 1, 0), y;
    for (int i = 0; i < N && r->offset == 1; i += 2)
        ((double *)tg_data(x))[i] = 0;
    y = of_one(r, x);
    return r->way == 0 ? y : r->way == 1 ? tg_add(y, tg_mul_scalar(x, 0.5)) : tg_mul(tg_tanh(y), tg_add_scalar(x, 2));
}
static const line wrong_slopes[] = {WRONG(ENTRY)};

/* ---- a gradient of few bits ---- */

/* Where the forward is exact, to `way` bits; below 0: after each number of a sum. In x - mean x the VJP cancels, and
 * all of dy is in every element; in s x the gradient of the one number s is one sum. */
static double coarse_mean(const job *j) {
    double mean = 0;
    for (int64_t i = 0; i < N; i++)
        mean += round_to(j->dy[i], j->mistake) / N;
    return mean;
}
EACH(sine, sin(x), round_to(dy *cos(x), j->mistake))
EACH(sine_of_dy, sin(x), round_to(dy, j->mistake) * cos(x))
EACH(centred, x - row_sum_of(j->x, N) / N, round_to(dy, j->mistake) - coarse_mean(j))

static void scaling_forward(job *j) {
    for (int64_t i = 0; i < N; i++)
        j->out[i] = j->x[0] * j->w[i];
}
static void scaling_vjp(job *j) {
    double sum = 0;
    for (int64_t i = 0; i < N; i++) {
        sum += j->dy[i] * j->w[i];
        sum = j->mistake < 0 ? round_to(sum, -j->mistake) : sum;
    }
    j->dx[0] += j->mistake < 0 ? sum : round_to(sum, j->mistake);
}
FAMILY(scaling)

/* offset: how it is used */
static tg_tensor coarse(tg_tape *t, const row *r) {
    tg_tensor x = drawn(t, TG_SHAPE(N), 1, 0), y = of_one(r, x);
    return r->offset == 0 ? y : r->offset == 1 ? total(tg_add(y, x)) : tg_logsumexp(tg_mul(y, x), TG_ALL_DIMS, false);
}
static tg_tensor coarse_sum(tg_tape *t, const row *r) {
    tg_tensor x[] = {drawn(t, r->offset > 0 ? TG_SHAPE(1) : TG_SCALAR, 1, 0), tg_randn(t, TG_SHAPE(N))};
    return apply_row(r, x, 2, TG_SHAPE(N));
}

/* A gradient rounded to 8 to 24 bits may pass or not (24 bits are 6e-8, which may be seen where all else is exact);
 * where it is one sum, 8 to 11 bits do not pass. Those of float64 are right. */
#define COARSE "8 9 10 11 14 24"
static const line few_bits[] = {
    LINE(coarse, sine, "53", "1", "0", "0 1 2", "RK", NULL),
    LINE(coarse, sine, COARSE, "| 1", "0", "0 1 2", NULL, "RKCW"),
    LINE(coarse, sine_of_dy, "53", "1", "0", "0 1 2", "RK", NULL),
    LINE(coarse, sine_of_dy, COARSE, "| 1", "0", "0 1 2", NULL, "RKCW"),
    LINE(coarse, centred, "53", "1", "0", "0 1 2", "RK", NULL),
    LINE(coarse, centred, COARSE, "| 1", "0", "0 1 2", NULL, "RKCW"),
    LINE(coarse_sum, scaling, "53", "1", "0", "0 1 2", "RK", NULL),
    LINE(coarse_sum, scaling, "8 9 -10 11", "| 1", "0", "0 1 2", NULL, "WC"),
    LINE(coarse_sum, scaling, "14 24", "| 1", "0", "0 1 2", NULL, "RKCW"),
};

/* ---- outside its domain a callback fails; a NaN; a slope that grows slowly ---- */

CUSTOM_MAP(double, root, root_vjp, (double)sqrtf((float)x), dy *((const planted *)c->context)->by / y)
static int root_or_none(const tg_call *c) {
    job j = open_job(c);
    for (int64_t i = 0; i < j.numel; i++)
        if (!(j.x[i] >= 0))
            return 1;
    return root(c);
}
EACH(faulty, by_of(j) * x, i == 1 ? NAN : 0)
/* At 0 there is no derivative that an infinite gradient would be wrong of. */
EACH(slow, x == 0 ? 0 : by_of(j) * x * (1 - 1e-6 * log(fabs(x))), dy *by *(1 - 1e-6 * (log(fabs(x)) + 1)))
EACH(cube, pow(x, 3), by *pow(x, 2) * dy)
BRANCHES(no_kink, j->numel, 0)
static const tg_custom_op of_domain = {"root", NULL, NULL, root_or_none, root_vjp};

static tg_tensor of_roots(tg_tape *t, const row *r) {
    return of_one(r, wanting(VECTOR(t, 0.4, 0.41, 0.42, 0.43, 0.44, 0.45)));
}
static tg_tensor of_three(tg_tape *t, const row *r) { return of_one(r, wanting(VECTOR(t, 4, 1, 9))); }
static tg_tensor at_zero(tg_tape *t, const row *r) {
    tg_tensor y = of_one(r, wanting(VECTOR(t, 0)));
    ck_assert_int_eq(tg_custom_set_branches(y, no_kink), TG_OK);
    return y;
}
/* 1e19 is added and taken away again, so that nothing of y moves: fast mode may say right, full sees the cube alone. */
static tg_tensor drowned(tg_tape *t, const row *r) {
    return tg_add_scalar(tg_add_scalar(of_one(r, wanting(VECTOR(t, 0.5, -2, 3))), 1e19), -1e19);
}
static const line beside_ends[] = {
    LINE(of_roots, of_domain, "0", "0.5 | 0.51", "0", "0", "RK", "W"),
    LINE(of_three, faulty, "0", "| -3 3", "0", "0", NULL, "W"),
    LINE(at_zero, slow, "0", "-1 1", "0", "0", "C", NULL),
    LINE(drowned, cube, "0", "3 | 3.003", "0", "0", "RKC", "W/RKCW"),
};

/* ---- right for some shapes, operands, elements only ---- */

/* y (m, p) = x (m, n) W^T, W (p, n); the VJP is right where p = n, for the first `rows` rows, for the first `elements`
 * of dW. */
typedef struct limits {
    int square;
    int64_t rows, elements;
} limits;

static void product_forward(job *j) {
    int64_t p = j->n_w / j->n;
    for (int64_t i = 0; i < j->m * p; i++)
        j->out[i] = row_dot(j->x + i / p * j->n, j->w + i % p * j->n, j->n);
}

static void product_vjp(job *j) {
    const limits *right = j->call->context;
    int64_t n = j->n, p = j->n_w / n;
    for (int64_t i = 0; i < j->m * p; i++)
        for (int64_t k = 0; k < n && i / p < right->rows; k++) {
            int64_t at = i % p * (right->square ? p : n) + k;
            j->dx[i / p * n + k] += j->dy[i] * j->w[i % p * n + k];
            if (at < j->n_w && at < right->elements)
                j->dw[at] += j->dy[i] * j->x[i / p * n + k];
        }
}
FAMILY(product)

START_TEST(what_is_right_for_some_shapes_only_is_wrong)
{
    static const struct {
        limits l;
        int64_t B, M, K;
        int said;
    } rows[] = {{{true, INT64_MAX, INT64_MAX}, 2, 5, 5, R}, {{true, INT64_MAX, INT64_MAX}, 2, 5, 4, W},
                {{false, 1, INT64_MAX}, 1, 3, 4, R},        {{false, 1, INT64_MAX}, 3, 3, 4, W},
                {{false, INT64_MAX, 200}, 2, 10, 20, R},    {{false, INT64_MAX, 200}, 2, 11, 20, W}};
    for (int k = 0; k < 12; k++) {
        int64_t B = rows[k / 2].B, M = rows[k / 2].M, K = rows[k / 2].K;
        tg_tape *t = tg_tape_new(TG_F64);
        tg_tensor x[] = {tg_probe_leaf(t, TG_SHAPE(B, K)), tg_probe_leaf(t, TG_SHAPE(M, K))};
        tg_tensor y = tg_custom(&product, x, 2, TG_SHAPE(B, M), &rows[k / 2].l, sizeof(limits));
        tg_gradcheck_result r = checked(tg_tanh(tg_mul_scalar(y, 0.1)), k % 2, 1);
        note_row(is_said(&r, rows[k / 2].said) && (rows[k / 2].said == R || !strcmp(r.op, "product")), &r, "rows %d",
                 k);
        tg_tape_free(t);
    }
    end_rows();
}
END_TEST

START_TEST(a_mistake_where_operands_are_one_tensor_is_wrong)
{
    tg_tape *t = tg_tape_new(TG_F64);
    tg_tensor a = tg_probe_leaf(t, TG_SHAPE(4)), b = tg_exp(tg_probe_leaf(t, TG_SHAPE(4)));
    want_both(apply(&forgetful, 0, 0, (tg_tensor[]){a, b}, 2, TG_SHAPE(4)), 1, R, R, "product");
    tg_tensor twice = apply(&forgetful, 0, 0, (tg_tensor[]){b, b}, 2, TG_SHAPE(4));
    want_both(tg_exp(b), 1, R, R, "what needs no product");
    for (int mode = 0; mode < 2; mode++) {
        tg_gradcheck_result r = checked(tg_sin(twice), mode, 1);
        note_row(is_said(&r, W), &r, "twice");
    }
    tg_tape_free(t);
    end_rows();
}
END_TEST

/* What the VJP of y = n x, n whole numbers, writes to: dy, its operand x, its result. */
static double number_of(const job *j, int64_t i) { return (double)((const int64_t *)j->call->input[0])[i]; }

static void whole_forward(job *j) {
    for (int64_t i = 0; i < j->numel; i++)
        j->out[i] = number_of(j, i) * j->w[i];
}

static void whole_vjp(job *j) {
    const double *const where[] = {j->dy, j->w, j->y};
    for (int64_t i = 0; i < j->numel; i++)
        j->dw[i] += number_of(j, i) * j->dy[i];
    ((double *)(uintptr_t)where[j->mistake])[2] += 0.5;
}
FAMILY(whole)

static tg_tensor whole_numbers(tg_tape *t, const row *r) {
    tg_tensor x[] = {tg_from_ints(t, TG_SHAPE(3), (int64_t[]){2, -1, 5}), drawn(t, TG_SHAPE(3), 1, 0)};
    return apply_row(r, x, 2, TG_SHAPE(3));
}
#define WRITES(way, to)                                                          \
    {                                                                            \
        whole_numbers, &whole, way, "1", "0", "0", NULL, "W", TG_MISTAKE_WRITES, \
            "writes to " to ", which it may only read: element 2 was", 2         \
    }
static const line writing[] = {WRITES("0", "dy"), WRITES("1", "operand 2"), WRITES("2", "its result")};

/* Nothing comes back to the last of twelve. Steps that are whole periods do not move it, as a gradient of 0 says. */
EACH(saw_but_the_last, x - floor(x), i < 11 ? dy : 0)

static tg_tensor of_twelve(tg_tape *t, const row *r) { return of_one(r, drawn(t, TG_SHAPE(12), r->size, 0)); }
static const line whole_periods[] = {
    LINE(of_twelve, saw_but_the_last, "0", "| 1", "30 300 4863.9", "0", NULL, "WC/RKCW"),
};

/* ---- in one dtype only ---- */

/* y = s x^2 + offset, in float or in double: {scale of the gradient, offset} each. */
typedef struct twin {
    double slope32, offset32, slope64, offset64;
} twin;
static const twin *how(const tg_call *c) { return c->context; }
CUSTOM_MAP(float, twin_32, twin_vjp_32, x *x + (float)how(c)->offset32, (float)how(c)->slope32 *x *dy)
CUSTOM_MAP(double, twin_64, twin_vjp_64, x *x + how(c)->offset64, how(c)->slope64 *x *dy)

/* large: beside w times so much, which hides it in fast mode. A result that is off by a constant has the same gradient:
 * that is right; no mistake of float64 alone is called one of float32. */
START_TEST(a_mistake_in_one_dtype_is_wrong)
{
    static const tg_custom_op op = {"twin", twin_32, twin_vjp_32, twin_64, twin_vjp_64};
    static const struct {
        twin how;
        double large;
        int full, fast;
        bool float32;
    } rows[] = {{{2, 0, 2, 0}, 0, R, R, false},   {{2, 0x1p-11, 2, 0}, 0, R, R, false}, {{2.1, 0, 2, 0}, 0, W, W, true},
                {{2, 0, 2.1, 0}, 0, W, W, false}, {{2, 0, -2, 0}, 1e16, W, ANY, false}, {{-2, 0, 2, 0}, 0, W, W, true}};
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++)
        for (int mode = 0; mode < 2; mode++) {
            tg_tape *t = tg_tape_new(TG_F32);
            tg_tensor x = tg_parameter(t, "x", tg_probe_leaf(t, TG_SHAPE(3))), w = wanting(tg_ones(t, TG_SHAPE(3)));
            tg_tensor y = tg_custom(&op, &x, 1, TG_SHAPE(3), &rows[k].how, sizeof(twin));
            tg_gradcheck_result r =
                checked(rows[k].large != 0 ? tg_add(y, tg_mul_scalar(w, rows[k].large)) : y, mode, 1);
            bool named = r.verdict != TG_GRAD_WRONG ||
                         ((r.mistake == TG_MISTAKE_FLOAT32) == rows[k].float32 && !strcmp(r.op, "twin"));
            note_row(is_said(&r, mode ? rows[k].fast : rows[k].full) && named, &r, "twin %d, %d", (int)k, mode);
            tg_tape_free(t);
        }
    end_rows();
}
END_TEST

/* ---- what is wrong for some numbers is described, and not by another name ---- */

EACH(from_0_on, exp(x), x < 0 ? 0 : dy * y)
EACH(above_minus_1, exp(x), x < -1 ? 0 : dy * y)
EACH(first_six, exp(x), i < 6 ? dy * y : 0)

static tg_gradcheck_result check_exp(const tg_custom_op *op, int64_t n, const double *x) {
    tg_tape *t = tg_tape_new(TG_F64);
    tg_tensor leaf = tg_parameter(t, "x", tg_from_doubles(t, TG_SHAPE(n), x));
    tg_gradcheck_result r = checked(apply_to(op, 0, 0, leaf), TG_GRADCHECK_FULL, 20240607);
    tg_tape_free(t);
    return r;
}

START_TEST(what_is_wrong_for_some_numbers_is_described)
{
    static const double x[] = {0.3, 0.7, 0.2, 1.1, 0.9, 0.4, -0.6, -0.2};
    tg_gradcheck_result r = check_exp(&first_six, 8, x);
    note_row(r.mistake == TG_MISTAKE_TAIL, &r, "0 from the sixth on");
    r = check_exp(&from_0_on, 8, x);
    note_row(r.mistake == TG_MISTAKE_UNKNOWN && strstr(r.diagnosis, "2 of 8 elements") && strstr(r.diagnosis, "6, 7"),
             &r, "0 where x < 0");
    static const double falling[] = {0.3, 0.7, 0.2, -0.4, -1.2, -1.5, -2};
    for (int n = 2; n < 7; n++)
        for (int first = 0; first + n <= 7; first++) {
            r = check_exp(&above_minus_1, n, falling + first);
            bool wrong = first + n > 4, all = first >= 4; /* where all are, it is the gradient zero */
            /* of so few falling numbers, those from the first wrong one on may be said to be not computed */
            bool few = n == 4 || (n == 3 && first == 2) || (n == 5 && first == 0);
            note_row((r.verdict == TG_GRAD_WRONG) == wrong && (all || r.mistake == (wrong ? TG_MISTAKE_UNKNOWN : 0) ||
                                                               (few && r.mistake == TG_MISTAKE_TAIL)),
                     &r, "%d from %d", n, first);
        }
    end_rows();
}
END_TEST

/* ---- bounds, constants and ties: what lies still there is no rounding ---- */

EACH(clipped, fmin(fmax(x, -1), 1), fabs(x) > 1 ? 0 : dy * by)
EACH(beside_1e7, x + 1e7, dy *by)
EACH(beside_1e10, x + 1e10, dy *by)

/* Where several numbers are the largest each gets dy times by. */
static void largest_forward(job *j) {
    j->out[0] = j->x[0];
    for (int64_t i = 1; i < N; i++)
        j->out[0] = fmax(j->out[0], j->x[i]);
}
static void largest_vjp(job *j) {
    int ties = 0;
    for (int64_t i = 0; i < N; i++)
        ties += j->x[i] == j->y[0];
    for (int64_t i = 0; i < N; i++)
        j->dx[i] += j->x[i] == j->y[0] ? (ties > 1 ? by_of(j) : 1) * j->dy[0] : 0;
}
FAMILY(largest)

static tg_tensor twice_the_largest(tg_tape *t, const row *r) {
    tg_tensor x = wanting(VECTOR(t, 0.3, 2, -1.1, 2, 0.7, 1.2));
    return apply_row(r, &x, 1, TG_SHAPE(1));
}

static const line beside_bounds[] = {
    LINE(in_use, clipped, "0", "1 | 1.01 1.0001", "0", "0", "RK", "W"),
    LINE(in_use, beside_1e7, "0", "1 | 2 1.01", "0", "0", "RK", "W"),
    LINE(in_use, beside_1e10, "0", "1 | 2", "0", "0", "RK", "W"),
    LINE(twice_the_largest, largest, "0", "0.5 | 0 1", "0", "0", "RK", "W"),
};

LINES_TEST(wrong_slopes_are_found, wrong_slopes, SEEDS)
LINES_TEST(a_sum_of_few_bits_is_not_right, few_bits, SEEDS)
LINES_TEST(verdicts_hold_beside_a_domain_a_nan_and_a_steep_slope, beside_ends, 1)
LINES_TEST(writing_to_what_is_const_is_wrong, writing, 1)
LINES_TEST(whole_periods_do_not_hide_a_missing_slope, whole_periods, 10)
LINES_TEST(mistakes_beside_bounds_constants_and_ties_are_wrong, beside_bounds, 5 * SEEDS)

SUITE("gradcheck_wrong", wrong_slopes_are_found, a_sum_of_few_bits_is_not_right,
      verdicts_hold_beside_a_domain_a_nan_and_a_steep_slope, what_is_right_for_some_shapes_only_is_wrong,
      a_mistake_where_operands_are_one_tensor_is_wrong, writing_to_what_is_const_is_wrong,
      whole_periods_do_not_hide_a_missing_slope, a_mistake_in_one_dtype_is_wrong,
      what_is_wrong_for_some_numbers_is_described, mistakes_beside_bounds_constants_and_ties_are_wrong)
