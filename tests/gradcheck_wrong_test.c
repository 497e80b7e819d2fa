/* A custom operation with a wrong gradient is never called right, and one on ordinary data is WRONG: beside jumps,
 * where f has few bits, for some shapes, elements or dy only, where it writes or reads what it may not. The same
 * operation without the mistake is right. */
#include "custom_ops.h"
#include "tests/verdict.h"

enum { N = 6, SEEDS = 4, ANY = R | W | C };

static double round_to(double x, int bits) {
    int exponent;
    double mantissa = frexp(x, &exponent);
    return ldexp(rint(ldexp(mantissa, bits)), exponent - bits);
}
static double in_float(double x) { return (double)(float)x; }

/* ---- functions of one number with a wrong slope ---- */

/* Data: N normal, Z with zeros, S a tenth. full and fast: what may be said. */
#define WRONG(M)                                                                         \
    M(one_jump, NZ, x > 0.5 ? x * x + 1 : x * x, 1.01 * 2 * x, W, WC)                    \
    M(saw, NZ, x - floor(x), x < -1e9, W, WC)                                            \
    M(shrink, NZ, fabs(x) > 0.5 ? sin(x) : 0, fabs(x) > 0.5 ? 1.01 * cos(x) : 0, W, WC)  \
    M(tanh_in_float, NZ, (double)tanhf((float)x), 1.01 * (1 - tanh(x) * tanh(x)), W, WC) \
    M(wave_in_float, NZ, exp(-x *x / 100) * in_float(cos(100 * x)),                      \
      1.1 * exp(-x * x / 100) * (-x / 50 * cos(100 * x) - 100 * sin(100 * x)), W, WC)    \
    M(square_in_float, NZ, in_float(x *x) + sin(x), -2 * x - cos(x), W, WC)              \
    M(sine_in_float_by_half, N, (double)sinf((float)x), 1.5 * cos(x), W, W)              \
    M(sine_in_float_turned, N, (double)sinf((float)x), -cos(x), W, W)                    \
    /* what jumps as numbers of a format do has a gradient that is missing */            \
    M(float_without_slope, S, in_float(x), 0, W, WC)                                     \
    M(tanh_without_slope, S, (double)tanhf((float)x), 0, W, WC)                          \
    M(sine_of_float_without_slope, S, sin(in_float(x)), 0, W, WC)                        \
    M(tenth_of_float_without_slope, S, 0.1 * in_float(x), 0, W, WC)                      \
    /* f of 11 bits whose slope is missing may pass where few paths are tried */         \
    M(half_without_slope, S, round_to(x, 11), 0, WC, ANY)

#define DEFINE(name, domains, f, df, full, fast) EACH(name, f, dy *(df))
WRONG(DEFINE)

static double draw(tg_rng_state *g, char domain) {
    double x = sqrt(-2 * log(1 - tg_rng_double(g))) * cos(6.283185307179586 * tg_rng_double(g));
    return domain == 'S' ? 0.1 * x : domain == 'Z' && tg_rng_random(g) % 2 ? 0 : x;
}

static tg_tensor draw_leaf(tg_tape *t, uint64_t seed, char domain) {
    double values[N];
    tg_rng_state g;
    tg_rng_seed(&g, seed);
    for (int64_t i = 0; i < N; i++)
        values[i] = draw(&g, domain);
    return wanting(tg_from_doubles(t, TG_SHAPE(N), values));
}

START_TEST(wrong_slopes_are_found)
{
#define ROW(name, domains, f, df, full, fast) {&name, #domains, full, fast},
    static const struct {
        const tg_custom_op *op;
        const char *domains;
        int full, fast;
    } rows[] = {WRONG(ROW)};
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++)
        for (const char *domain = rows[k].domains; *domain; domain++)
            for (uint64_t seed = 0; seed < 3 * SEEDS; seed++) {
                tg_tape *t = tg_tape_new(TG_F64);
                tg_tensor x = draw_leaf(t, seed, *domain), y = apply_to(rows[k].op, 0, 0, x);
                y = seed % 3 == 0   ? y
                    : seed % 3 == 1 ? tg_add(y, tg_mul_scalar(x, 0.5))
                                    : tg_mul(tg_tanh(y), tg_add_scalar(x, 2));
                want_both(y, seed, rows[k].full, rows[k].fast, rows[k].op->name);
                tg_tape_free(t);
            }
    end_rows();
}
END_TEST

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

static tg_tensor coarse(tg_tape *t, int op, int bits, int use) {
    static const tg_custom_op *const all[] = {&sine, &sine_of_dy, &centred, &scaling};
    tg_tensor x = tg_randn(t, TG_SHAPE(N)), s = wanting(tg_randn(t, use ? TG_SHAPE(1) : TG_SCALAR));
    if (op == 3)
        return apply(all[3], bits, 0, (tg_tensor[]){s, x}, 2, TG_SHAPE(N));
    tg_tensor y = apply_to(all[op], bits, 0, wanting(x));
    return use == 0 ? y : use == 1 ? total(tg_add(y, x)) : tg_logsumexp(tg_mul(y, x), TG_ALL_DIMS, false);
}

/* A gradient rounded to 8 to 24 bits may pass or not (24 bits are 6e-8, which may be seen where all else is exact);
 * where it is one sum, 8 to 11 bits do not pass. Those of float64 are right. */
START_TEST(a_sum_of_few_bits_is_not_right)
{
    static const struct {
        int bits, said, said_of_a_sum;
    } rows[] = {{8, ANY, WC}, {9, ANY, WC}, {-10, ANY, WC}, {11, ANY, WC}, {14, ANY, ANY}, {24, ANY, ANY}, {53, R, R}};
    for (int op = 0; op < 4; op++)
        for (size_t k = 0; k < sizeof rows / sizeof *rows; k++)
            for (uint64_t seed = 0; seed < 3 * SEEDS; seed++) {
                tg_tape *t = tg_tape_new(TG_F64);
                tg_manual_seed(t, seed);
                char row[32];
                int bits = op == 3 ? rows[k].bits : abs(rows[k].bits);
                int said = op == 3 ? rows[k].said_of_a_sum : rows[k].said;
                snprintf(row, sizeof row, "coarse %d, %d bits", op, bits);
                want_both(coarse(t, op, bits, (int)(seed % 3)), seed, said, said, row);
                tg_tape_free(t);
            }
    end_rows();
}
END_TEST

/* ---- outside its domain a callback fails; a NaN; a slope that grows slowly ---- */

EACH(root, (double)sqrtf((float)x), dy *by / y)
static int root_or_none(const tg_call *c) {
    job j = open_job(c);
    for (int64_t i = 0; i < j.numel; i++)
        if (!(j.x[i] >= 0))
            return 1;
    return root_run(c);
}
EACH(faulty, by_of(j) * x, i == 1 ? NAN : 0)
/* At 0 there is no derivative that an infinite gradient would be wrong of. */
EACH(slow, x == 0 ? 0 : by_of(j) * x * (1 - 1e-6 * log(fabs(x))), dy *by *(1 - 1e-6 * (log(fabs(x)) + 1)))
EACH(cube, pow(x, 3), by *pow(x, 2) * dy)
static int no_kink(const tg_call *c, int64_t *branch) {
    (void)c;
    *branch = 0;
    return 0;
}
START_TEST(verdicts_hold_beside_a_domain_a_nan_and_a_steep_slope)
{
    tg_custom_op of_domain = root;
    of_domain.forward_f64 = root_or_none;
    /* far: added and taken away again, so that nothing of y moves: fast mode may say right, full sees the cube alone */
    const struct {
        const tg_custom_op *op;
        double parameter, far;
        int n;
        double x[N];
        int full, fast;
    } rows[] = {{&of_domain, 0.5, 0, 6, {0.4, 0.41, 0.42, 0.43, 0.44, 0.45}, R, R},
                {&of_domain, 0.51, 0, 6, {0.4, 0.41, 0.42, 0.43, 0.44, 0.45}, W, W},
                {&faulty, -3, 0, 3, {4, 1, 9}, W, W},
                {&faulty, 3, 0, 3, {4, 1, 9}, W, W},
                {&slow, -1, 0, 1, {0}, C, C},
                {&slow, 1, 0, 1, {0}, C, C},
                {&cube, 3, 1e19, 3, {0.5, -2, 3}, RC, RC},
                {&cube, 3.003, 1e19, 3, {0.5, -2, 3}, W, ANY}};
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        tg_tape *t = tg_tape_new(TG_F64);
        tg_tensor x = wanting(tg_from_doubles(t, TG_SHAPE(rows[k].n), rows[k].x));
        tg_tensor y = apply_to(rows[k].op, 0, rows[k].parameter, x);
        if (rows[k].op == &slow)
            ck_assert_int_eq(tg_custom_set_branches(y, no_kink), TG_OK);
        if (rows[k].far != 0)
            y = tg_add_scalar(tg_add_scalar(y, rows[k].far), -rows[k].far);
        want_both(y, 1, rows[k].full, rows[k].fast, rows[k].op->name);
        tg_tape_free(t);
    }
    end_rows();
}
END_TEST

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

START_TEST(writing_to_what_is_const_is_wrong)
{
    static const char *const what[] = {"writes to dy,", "writes to operand 2,", "writes to its result,"};
    for (int k = 0; k < 3; k++) {
        tg_tape *t = tg_tape_new(TG_F64);
        tg_tensor x[] = {tg_from_ints(t, TG_SHAPE(3), (int64_t[]){2, -1, 5}), tg_probe_leaf(t, TG_SHAPE(3))};
        tg_gradcheck_result r = checked(apply(&whole, k, 0, x, 2, TG_SHAPE(3)), TG_GRADCHECK_FULL, 1);
        bool told = strstr(r.diagnosis, what[k]) && strstr(r.diagnosis, "element 2") && !strcmp(r.op, "whole");
        note_row(is_said(&r, W) && r.mistake == TG_MISTAKE_WRITES && told && r.operand == 2, &r, "%s", what[k]);
        tg_tape_free(t);
    }
    end_rows();
}
END_TEST

/* Nothing comes back to the last of twelve. Steps that are whole periods do not move it, as a gradient of 0 says. */
EACH(saw_but_the_last, x - floor(x), i < 11 ? dy : 0)

START_TEST(whole_periods_do_not_hide_a_missing_slope)
{
    static const double sizes[] = {30, 300, 4863.9};
    for (int k = 0; k < 3; k++)
        for (uint64_t seed = 1; seed <= 10; seed++) {
            tg_tape *t = tg_tape_new(TG_F64);
            tg_manual_seed(t, seed);
            tg_tensor x = wanting(tg_randn(t, TG_SHAPE(12)));
            for (int i = 0; i < 12; i++)
                ((double *)tg_data(x))[i] *= sizes[k];
            tg_gradcheck_result r = checked(apply_to(&saw_but_the_last, 0, 0, x), TG_GRADCHECK_FULL, seed);
            note_row(is_said(&r, WC), &r, "saw, size %g, seed %d", sizes[k], (int)seed);
            tg_tape_free(t);
        }
    end_rows();
}
END_TEST

/* ---- in one dtype only ---- */

/* y = s x^2 + offset, in float or in double: {scale of the gradient, offset} each. */
typedef struct twin {
    double slope32, offset32, slope64, offset64;
} twin;
#define TWIN(real, suffix)                                                                                   \
    static int twin_##suffix(const tg_call *c) {                                                             \
        const real *x = c->input[0];                                                                         \
        for (int64_t i = 0; i < tg_shape_numel(c->output_shape); i++)                                        \
            ((real *)c->output)[i] = x[i] * x[i] + (real)((const twin *)c->context)->offset##suffix;         \
        return 0;                                                                                            \
    }                                                                                                        \
    static int twin_vjp_##suffix(const tg_call *c) {                                                         \
        const real *x = c->input[0], *dy = c->output_grad;                                                   \
        for (int64_t i = 0; i < tg_shape_numel(c->output_shape); i++)                                        \
            ((real *)c->input_grad[0])[i] += (real)((const twin *)c->context)->slope##suffix * x[i] * dy[i]; \
        return 0;                                                                                            \
    }
TWIN(float, 32)
TWIN(double, 64)

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

static tg_tensor twice_the_largest(tg_tape *t, double by) {
    tg_tensor x = wanting(tg_from_doubles(t, TG_SHAPE(N), (double[]){0.3, 2, -1.1, 2, 0.7, 1.2}));
    return apply(&largest, 0, by, &x, 1, TG_SHAPE(1));
}

START_TEST(mistakes_beside_bounds_constants_and_ties_are_wrong)
{
    static const struct {
        const tg_custom_op *op;
        double by;
        int said;
    } rows[] = {{&clipped, 1.01, W},    {&clipped, 1.0001, W}, {&clipped, 1, R},     {&beside_1e7, 2, W},
                {&beside_1e7, 1.01, W}, {&beside_1e7, 1, R},   {&beside_1e10, 2, W}, {&beside_1e10, 1, R},
                {&largest, 0, W},       {&largest, 1, W},      {&largest, 0.5, R}};
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++)
        for (uint64_t seed = 0; seed < 5 * SEEDS; seed++) {
            tg_tape *t = tg_tape_new(TG_F64);
            char row[32];
            snprintf(row, sizeof row, "%s by %g", rows[k].op->name, rows[k].by);
            tg_tensor y = rows[k].op == &largest ? twice_the_largest(t, rows[k].by)
                                                 : apply_to(rows[k].op, 0, rows[k].by, draw_leaf(t, seed, 'N'));
            want_both(y, seed, rows[k].said, rows[k].said, row);
            tg_tape_free(t);
        }
    end_rows();
}
END_TEST

SUITE("gradcheck_wrong", wrong_slopes_are_found, a_sum_of_few_bits_is_not_right,
      verdicts_hold_beside_a_domain_a_nan_and_a_steep_slope, what_is_right_for_some_shapes_only_is_wrong,
      a_mistake_where_operands_are_one_tensor_is_wrong, writing_to_what_is_const_is_wrong,
      whole_periods_do_not_hide_a_missing_slope, a_mistake_in_one_dtype_is_wrong,
      what_is_wrong_for_some_numbers_is_described, mistakes_beside_bounds_constants_and_ties_are_wrong)
