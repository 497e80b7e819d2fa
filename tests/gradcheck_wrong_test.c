/* A custom operation with a wrong gradient is never called right, and one on ordinary data is WRONG: beside jumps,
 * where f has few bits, for some shapes, elements or dy only, where it writes or reads what it may not. The same
 * operation without the mistake is right. */
#include "tests/verdict.h"

#include <float.h>

enum { N = 6, SEEDS = 4, ANY = R | W | C };

static int64_t size(const tg_call *c) { return tg_shape_numel(c->output_shape); }

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

#define DEFINE(name, domains, f, df, full, fast)             \
    static double f_##name(double x) { return (double)(f); } \
    static double d_##name(int64_t i, double x) {            \
        (void)i, (void)x;                                    \
        return (double)(df);                                 \
    }
WRONG(DEFINE)

/* y = f(x), whose gradient the callback says to be dy times the other. */
typedef struct slope {
    double (*f)(double x), (*df)(int64_t i, double x);
} slope;

static int sloping(const tg_call *c) {
    const slope *s = c->context;
    for (int64_t i = 0; i < size(c); i++)
        ((double *)c->output)[i] = s->f(((const double *)c->input[0])[i]);
    return 0;
}

static int sloping_vjp(const tg_call *c) {
    const slope *s = c->context;
    for (int64_t i = 0; i < size(c); i++)
        ((double *)c->input_grad[0])[i] +=
            ((const double *)c->output_grad)[i] * s->df(i, ((const double *)c->input[0])[i]);
    return 0;
}

static const tg_custom_op sloping_op = {"slope", NULL, NULL, sloping, sloping_vjp};
static tg_tensor apply_slope(tg_tensor x, slope s) {
    return tg_custom(&sloping_op, &x, 1, tg_shape_of(x), &s, sizeof s);
}

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

START_TEST(wrong_slopes)
{
#define ROW(name, domains, f, df, full, fast) {#name, #domains, {f_##name, d_##name}, full, fast},
    static const struct {
        const char *name, *domains;
        slope s;
        int full, fast;
    } rows[] = {WRONG(ROW)};
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++)
        for (const char *domain = rows[k].domains; *domain; domain++)
            for (uint64_t seed = 0; seed < 3 * SEEDS; seed++) {
                tg_tape *t = tg_tape_new(TG_F64);
                tg_tensor x = draw_leaf(t, seed, *domain), y = apply_slope(x, rows[k].s);
                y = seed % 3 == 0   ? y
                    : seed % 3 == 1 ? tg_add(y, tg_mul_scalar(x, 0.5))
                                    : tg_mul(tg_tanh(y), tg_add_scalar(x, 2));
                want_both(y, seed, rows[k].full, rows[k].fast, rows[k].name);
                tg_tape_free(t);
            }
    end_rows();
}
END_TEST

/* ---- a gradient of few bits ---- */

/* Where the forward is exact. bits: the context; below 0: after each number of a sum. */
static int bits_of(const tg_call *c) { return *(const int *)c->context; }

static int sine_forward(const tg_call *c) {
    for (int64_t i = 0; i < N; i++)
        ((double *)c->output)[i] = sin(((const double *)c->input[0])[i]);
    return 0;
}
static int sine_vjp(const tg_call *c) {
    const double *x = c->input[0], *dy = c->output_grad;
    for (int64_t i = 0; i < N; i++)
        ((double *)c->input_grad[0])[i] += round_to(dy[i] * cos(x[i]), bits_of(c));
    return 0;
}
static int sine_of_coarse_dy(const tg_call *c) {
    const double *x = c->input[0], *dy = c->output_grad;
    for (int64_t i = 0; i < N; i++)
        ((double *)c->input_grad[0])[i] += round_to(dy[i], bits_of(c)) * cos(x[i]);
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
    double mean = 0;
    for (int64_t i = 0; i < N; i++)
        mean += round_to(dy[i], bits_of(c)) / N;
    for (int64_t i = 0; i < N; i++)
        ((double *)c->input_grad[0])[i] += round_to(dy[i], bits_of(c)) - mean;
    return 0;
}

/* y = x s with one number s, whose gradient is one sum. */
static int scale_forward(const tg_call *c) {
    const double *x = c->input[1], *s = c->input[0];
    for (int64_t i = 0; i < N; i++)
        ((double *)c->output)[i] = s[0] * x[i];
    return 0;
}
static int scale_vjp(const tg_call *c) {
    const double *x = c->input[1], *dy = c->output_grad;
    double sum = 0;
    for (int64_t i = 0; i < N; i++) {
        sum += dy[i] * x[i];
        sum = bits_of(c) < 0 ? round_to(sum, -bits_of(c)) : sum;
    }
    ((double *)c->input_grad[0])[0] += bits_of(c) < 0 ? sum : round_to(sum, bits_of(c));
    return 0;
}

static tg_tensor coarse(tg_tape *t, int op, int bits, int use) {
    static const tg_custom_op ops[] = {{"sine", NULL, NULL, sine_forward, sine_vjp},
                                       {"sine", NULL, NULL, sine_forward, sine_of_coarse_dy},
                                       {"centre", NULL, NULL, centre_forward, centre_of_coarse_dy},
                                       {"scale", NULL, NULL, scale_forward, scale_vjp}};
    tg_tensor x = tg_randn(t, TG_SHAPE(N)), s = wanting(tg_randn(t, use ? TG_SHAPE(1) : TG_SCALAR));
    if (op == 3)
        return tg_custom(&ops[3], (tg_tensor[]){s, x}, 2, TG_SHAPE(N), &bits, sizeof bits);
    tg_tensor y = tg_custom(&ops[op], (tg_tensor[]){wanting(x)}, 1, TG_SHAPE(N), &bits, sizeof bits);
    return use == 0 ? y : use == 1 ? total(tg_add(y, x)) : tg_logsumexp(tg_mul(y, x), TG_ALL_DIMS, false);
}

/* A gradient rounded to 8 to 24 bits may pass or not (24 bits are 6e-8, which may be seen where all else is exact);
 * where it is one sum, 8 to 11 bits do not pass. Those of float64 are right. */
START_TEST(gradients_of_few_bits)
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

static double parameter_of(const tg_call *c) { return *(const double *)c->context; }
static int root_forward(const tg_call *c) {
    const double *x = c->input[0];
    for (int64_t i = 0; i < size(c); i++) {
        if (!(x[i] >= 0))
            return 1;
        ((double *)c->output)[i] = (double)sqrtf((float)x[i]);
    }
    return 0;
}
static int root_vjp(const tg_call *c) {
    const double *y = c->output, *dy = c->output_grad;
    for (int64_t i = 0; i < size(c); i++)
        ((double *)c->input_grad[0])[i] += dy[i] * parameter_of(c) / y[i];
    return 0;
}
static int times_forward(const tg_call *c) {
    for (int64_t i = 0; i < size(c); i++)
        ((double *)c->output)[i] = parameter_of(c) * ((const double *)c->input[0])[i];
    return 0;
}
static int nan_vjp(const tg_call *c) {
    ((double *)c->input_grad[0])[1] += (double)NAN;
    return 0;
}
/* y = c x (1 - 10^-6 log |x|): at 0 there is no derivative that an infinite gradient would be wrong of. */
static int slow_forward(const tg_call *c) {
    double by = parameter_of(c), x = *(const double *)c->input[0];
    *(double *)c->output = x == 0 ? 0 : by * x * (1 - 1e-6 * log(fabs(x)));
    return 0;
}
static int slow_vjp(const tg_call *c) {
    double by = parameter_of(c), x = *(const double *)c->input[0];
    *(double *)c->input_grad[0] += *(const double *)c->output_grad * by * (1 - 1e-6 * (log(fabs(x)) + 1));
    return 0;
}
static int no_kink(const tg_call *c, int64_t *branch) {
    (void)c;
    *branch = 0;
    return 0;
}
static int cube_forward(const tg_call *c) {
    for (int64_t i = 0; i < size(c); i++)
        ((double *)c->output)[i] = pow(((const double *)c->input[0])[i], 3);
    return 0;
}
static int cube_vjp(const tg_call *c) {
    for (int64_t i = 0; i < size(c); i++)
        ((double *)c->input_grad[0])[i] +=
            parameter_of(c) * pow(((const double *)c->input[0])[i], 2) * ((const double *)c->output_grad)[i];
    return 0;
}

START_TEST(what_one_parameter_makes_wrong)
{
    static const tg_custom_op root = {"root", NULL, NULL, root_forward, root_vjp},
                              nans = {"faulty", NULL, NULL, times_forward, nan_vjp},
                              slow = {"slow", NULL, NULL, slow_forward, slow_vjp},
                              cube = {"cube", NULL, NULL, cube_forward, cube_vjp};
    /* far: added and taken away again, so that nothing of y moves: fast mode may say right, full sees the cube alone */
    static const struct {
        const tg_custom_op *op;
        double parameter, far;
        int n;
        double x[N];
        int full, fast;
    } rows[] = {{&root, 0.5, 0, 6, {0.4, 0.41, 0.42, 0.43, 0.44, 0.45}, R, R},
                {&root, 0.51, 0, 6, {0.4, 0.41, 0.42, 0.43, 0.44, 0.45}, W, W},
                {&nans, -3, 0, 3, {4, 1, 9}, W, W},
                {&nans, 3, 0, 3, {4, 1, 9}, W, W},
                {&slow, -1, 0, 1, {0}, C, C},
                {&slow, 1, 0, 1, {0}, C, C},
                {&cube, 3, 1e19, 3, {0.5, -2, 3}, RC, RC},
                {&cube, 3.003, 1e19, 3, {0.5, -2, 3}, W, ANY}};
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        tg_tape *t = tg_tape_new(TG_F64);
        tg_tensor x = wanting(tg_from_doubles(t, TG_SHAPE(rows[k].n), rows[k].x));
        tg_tensor y = tg_custom(rows[k].op, &x, 1, tg_shape_of(x), &rows[k].parameter, sizeof rows[k].parameter);
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

/* y (B, M) = x (B, N) W^T, W (M, N); the VJP is right where M = N, for the first `batches` rows, for the first
 * `elements` of dW. */
typedef struct limits {
    bool square;
    int64_t batches, elements;
} limits;

static int rows_forward(const tg_call *c) {
    const double *x = c->input[0], *W_ = c->input[1];
    int64_t B = c->output_shape->size[0], M = c->output_shape->size[1], K = c->input_shape[0].size[1];
    for (int64_t b = 0; b < B; b++)
        for (int64_t m = 0; m < M; m++) {
            double sum = 0;
            for (int64_t n = 0; n < K; n++)
                sum += x[b * K + n] * W_[m * K + n];
            ((double *)c->output)[b * M + m] = sum;
        }
    return 0;
}

static int rows_vjp(const tg_call *c) {
    const double *x = c->input[0], *W_ = c->input[1], *dy = c->output_grad;
    int64_t B = c->output_shape->size[0], M = c->output_shape->size[1], K = c->input_shape[0].size[1];
    double *dx = c->input_grad[0], *dW = c->input_grad[1];
    const limits *right_for = c->context;
    for (int64_t b = 0; b < B; b++)
        for (int64_t m = 0; m < M; m++)
            for (int64_t n = 0; n < K && b < right_for->batches; n++) {
                int64_t at = m * (right_for->square ? M : K) + n;
                dx[b * K + n] += dy[b * M + m] * W_[m * K + n];
                if (at < M * K && at < right_for->elements)
                    dW[at] += dy[b * M + m] * x[b * K + n];
            }
    return 0;
}

START_TEST(right_for_some_shapes_only)
{
    static const tg_custom_op op = {"rows", NULL, NULL, rows_forward, rows_vjp};
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
        tg_tensor y = tg_custom(&op, x, 2, TG_SHAPE(B, M), &rows[k / 2].l, sizeof(limits));
        tg_gradcheck_result r = checked(tg_tanh(tg_mul_scalar(y, 0.1)), k % 2, 1);
        note_row(is_said(&r, rows[k / 2].said) && (rows[k / 2].said == R || !strcmp(r.op, "rows")), &r, "rows %d", k);
        tg_tape_free(t);
    }
    end_rows();
}
END_TEST

/* y = a b; what b's gradient held is read before a's is written: lost when they are one. */
static int product_forward(const tg_call *c) {
    const double *a = c->input[0], *b = c->input[1];
    for (int64_t i = 0; i < size(c); i++)
        ((double *)c->output)[i] = a[i] * b[i];
    return 0;
}

static int forgetful_vjp(const tg_call *c) {
    const double *a = c->input[0], *b = c->input[1], *dy = c->output_grad;
    double *da = c->input_grad[0], *db = c->input_grad[1];
    for (int64_t i = 0; i < size(c); i++) {
        double held = db ? db[i] : 0;
        if (da)
            da[i] += dy[i] * b[i];
        if (db)
            db[i] = held + dy[i] * a[i];
    }
    return 0;
}

START_TEST(operands_that_are_one_tensor)
{
    static const tg_custom_op product = {"product", NULL, NULL, product_forward, forgetful_vjp};
    tg_tape *t = tg_tape_new(TG_F64);
    tg_tensor a = tg_probe_leaf(t, TG_SHAPE(4)), b = tg_exp(tg_probe_leaf(t, TG_SHAPE(4)));
    want_both(tg_custom(&product, (tg_tensor[]){a, b}, 2, TG_SHAPE(4), NULL, 0), 1, R, R, "product");
    tg_tensor twice = tg_custom(&product, (tg_tensor[]){b, b}, 2, TG_SHAPE(4), NULL, 0);
    want_both(tg_exp(b), 1, R, R, "what needs no product");
    for (int mode = 0; mode < 2; mode++) {
        tg_gradcheck_result r = checked(tg_sin(twice), mode, 1);
        bool named = r.mistake == TG_MISTAKE_SHARED && strstr(r.diagnosis, "operands 1 and 2 share");
        note_row(is_said(&r, W) && named && !strcmp(r.op, "product"), &r, "twice");
    }
    tg_tape_free(t);
    end_rows();
}
END_TEST

/* What the VJP of y = n x, n whole numbers, writes to: dy, its operand x, its result. */
static int whole_forward(const tg_call *c) {
    for (int64_t i = 0; i < size(c); i++)
        ((double *)c->output)[i] = (double)((const int64_t *)c->input[0])[i] * ((const double *)c->input[1])[i];
    return 0;
}

static int writing_vjp(const tg_call *c) {
    int target = *(const int *)c->context;
    const void *const where[] = {c->output_grad, c->input[1], c->output};
    for (int64_t i = 0; i < size(c); i++)
        ((double *)c->input_grad[1])[i] +=
            (double)((const int64_t *)c->input[0])[i] * ((const double *)c->output_grad)[i];
    ((double *)(uintptr_t)where[target])[2] += 0.5;
    return 0;
}

START_TEST(writing_to_what_is_const)
{
    static const tg_custom_op whole = {"times", NULL, NULL, whole_forward, writing_vjp};
    static const char *const what[] = {"writes to dy,", "writes to operand 2,", "writes to its result,"};
    for (int k = 0; k < 3; k++) {
        tg_tape *t = tg_tape_new(TG_F64);
        tg_tensor x[] = {tg_from_ints(t, TG_SHAPE(3), (int64_t[]){2, -1, 5}), tg_probe_leaf(t, TG_SHAPE(3))};
        tg_gradcheck_result r = checked(tg_custom(&whole, x, 2, TG_SHAPE(3), &k, sizeof k), TG_GRADCHECK_FULL, 1);
        bool told = strstr(r.diagnosis, what[k]) && strstr(r.diagnosis, "element 2") && !strcmp(r.op, "times");
        note_row(is_said(&r, W) && r.mistake == TG_MISTAKE_WRITES && told && r.operand == 2, &r, "%s", what[k]);
        tg_tape_free(t);
    }
    end_rows();
}
END_TEST

/* Nothing comes back to the last of twelve. Steps that are whole periods do not move it, as a gradient of 0 says. */
static double but_the_last(int64_t i, double x) { return i < 11 || x != x; }

START_TEST(what_comes_round_has_a_slope)
{
    static const double sizes[] = {30, 300, 4863.9};
    for (int k = 0; k < 3; k++)
        for (uint64_t seed = 1; seed <= 10; seed++) {
            tg_tape *t = tg_tape_new(TG_F64);
            tg_manual_seed(t, seed);
            tg_tensor x = wanting(tg_randn(t, TG_SHAPE(12)));
            for (int i = 0; i < 12; i++)
                ((double *)tg_data(x))[i] *= sizes[k];
            tg_gradcheck_result r = checked(apply_slope(x, (slope){f_saw, but_the_last}), TG_GRADCHECK_FULL, seed);
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
        for (int64_t i = 0; i < size(c); i++)                                                                \
            ((real *)c->output)[i] = x[i] * x[i] + (real)((const twin *)c->context)->offset##suffix;         \
        return 0;                                                                                            \
    }                                                                                                        \
    static int twin_vjp_##suffix(const tg_call *c) {                                                         \
        const real *x = c->input[0], *dy = c->output_grad;                                                   \
        for (int64_t i = 0; i < size(c); i++)                                                                \
            ((real *)c->input_grad[0])[i] += (real)((const twin *)c->context)->slope##suffix * x[i] * dy[i]; \
        return 0;                                                                                            \
    }
TWIN(float, 32)
TWIN(double, 64)

/* large: beside w times so much, which hides it in fast mode. A result that is off by a constant has the same gradient:
 * that is right; no mistake of float64 alone is called one of float32. */
START_TEST(what_is_wrong_in_one_dtype)
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

static double from_0_on(int64_t i, double x) { return i < 0 || x < 0 ? 0 : exp(x); }
static double above_minus_1(int64_t i, double x) { return i < 0 || x < -1 ? 0 : exp(x); }
static double first_six(int64_t i, double x) { return i < 6 ? exp(x) : 0; }

static tg_gradcheck_result check_exp(double (*df)(int64_t i, double x), int64_t n, const double *x) {
    tg_tape *t = tg_tape_new(TG_F64);
    tg_tensor leaf = tg_parameter(t, "x", tg_from_doubles(t, TG_SHAPE(n), x));
    tg_gradcheck_result r = checked(apply_slope(leaf, (slope){exp, df}), TG_GRADCHECK_FULL, 20240607);
    tg_tape_free(t);
    return r;
}

START_TEST(what_is_wrong_for_some_numbers_is_described)
{
    static const double x[] = {0.3, 0.7, 0.2, 1.1, 0.9, 0.4, -0.6, -0.2};
    tg_gradcheck_result r = check_exp(first_six, 8, x);
    note_row(r.mistake == TG_MISTAKE_TAIL, &r, "0 from the sixth on");
    r = check_exp(from_0_on, 8, x);
    note_row(r.mistake == TG_MISTAKE_UNKNOWN && strstr(r.diagnosis, "2 of 8 elements") && strstr(r.diagnosis, "6, 7"),
             &r, "0 where x < 0");
    static const double falling[] = {0.3, 0.7, 0.2, -0.4, -1.2, -1.5, -2};
    for (int n = 2; n < 7; n++)
        for (int first = 0; first + n <= 7; first++) {
            r = check_exp(above_minus_1, n, falling + first);
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

int main(void) {
    const TTest *const all[] = {wrong_slopes,
                                gradients_of_few_bits,
                                what_one_parameter_makes_wrong,
                                right_for_some_shapes_only,
                                operands_that_are_one_tensor,
                                writing_to_what_is_const,
                                what_comes_round_has_a_slope,
                                what_is_wrong_in_one_dtype,
                                what_is_wrong_for_some_numbers_is_described};
    return run_tests("gradcheck_wrong", all, sizeof all / sizeof *all, NULL, NULL);
}
