/* The vector functions are within a few ulp of libm's in double, and right at special values.
 *
 * Every STEP-th float is tried, 4099 unless the environment's ULP_STEP says otherwise; ULP_STEP=1 (make ulp) tries
 * them all, in many minutes, and prints a table: a line for each function and instruction set. Of powers there are too
 * many: they are drawn. The reference is libm's float version, which may be 3 ulp off.
 */
#include "core/kernels/isa.h"
#include "core/kernels/vmath.h"
#include "tests/support.h"

#include <float.h>

static void exp_row(int64_t n, float *y, const float *x) { tg_vexp_f32(n, y, x, 0); }

static double logistic(double x) { return 1 / (1 + exp(-x)); }
static double exact_softplus(double x) { return x > 0 ? x + log1p(exp(-x)) : log1p(exp(x)); }

/* The operation's kernel for the set in use. */
static void softplus_row(int64_t n, float *y, const float *x) {
    extern const tg_op tg_op_softplus;
    int wide = tg_isa_now()->wide;
    tg_fn *row = wide ? tg_op_softplus.wide[wide - 1].row[TG_F32] : tg_op_softplus.row[TG_F32];
    for (int64_t at = 0; at < n; at += TG_ROW_MAX)
        ((void (*)(ptrdiff_t n, float *y, const float *const *x, const void *attr))row)(
            n - at < TG_ROW_MAX ? n - at : TG_ROW_MAX, y + at, (const float *[]){x + at}, NULL);
}

/* allowed: ulp, of the vectors; where that is below the normal numbers, a result may be any such number */
static const struct {
    const char *name;
    void (*row)(int64_t n, float *y, const float *x);
    double (*exact)(double x);
    double allowed;
    bool flushes;
} functions[] = {{"exp", exp_row, exp, 2, false},
                 {"log", tg_vlog_f32, log, 2, false},
                 {"log1p", tg_vlog1p_f32, log1p, 2, false},
                 {"expm1", tg_vexpm1_f32, expm1, 2, false},
                 {"sin", tg_vsin_f32, sin, 2, false},
                 {"cos", tg_vcos_f32, cos, 2, false},
                 {"tanh", tg_vtanh_f32, tanh, 2, false},
                 {"erf", tg_verf_f32, erf, 2, false},
                 {"sigmoid", tg_vsigmoid_f32, logistic, 2, true},
                 {"softplus", softplus_row, exact_softplus, 3, true}};
enum { N_FUNCTIONS = sizeof functions / sizeof *functions, CHUNK = 1003 };

static float float_of(uint32_t bits) {
    float x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

/* How far y is from the exact value, in units of the last place of a float of that size. */
static double ulps(float y, double exact) {
    if (isnan(exact))
        return isnan(y) ? 0 : INFINITY;
    if (isnan(y))
        return INFINITY;
    if ((double)y == exact || (isinf((float)exact) && isinf(y) && (y > 0) == (exact > 0)))
        return 0;
    int e;
    frexp(exact, &e);
    double unit = ldexp(1, (e < -125 ? -125 : e) - 24);
    return fabs((double)y - exact) / unit;
}

static double worst_of(int f, uint64_t step, float *where) {
    float x[CHUNK], y[CHUNK];
    double worst = 0;
    for (uint64_t at = 0; at <= UINT32_MAX; at += CHUNK * step) {
        int64_t n = 0;
        for (; n < CHUNK && at + (uint64_t)n * step <= UINT32_MAX; n++)
            x[n] = float_of((uint32_t)(at + (uint64_t)n * step));
        functions[f].row(n, y, x);
        for (int64_t j = 0; j < n; j++) {
            double exact = functions[f].exact((double)x[j]);
            bool flushed = functions[f].flushes && fabs(exact) < 0x1p-126 && fabsf(y[j]) < 0x1p-126f;
            double error = y[j] == (float)exact || flushed ? 0 : ulps(y[j], exact); /* the nearest is never the worst */
            if (error > worst) {
                worst = error;
                *where = x[j];
            }
        }
    }
    return worst;
}

/* A line of the table, where one is wanted. */
static void print_line(const char *name, double worst, const char *where) {
    if (getenv("ULP_STEP"))
        printf("%-10s %-8s %.3f ulp at %s\n", tg_isa_now()->name, name, worst, where);
}

START_TEST(errors_are_few_ulp)
{
    const char *text = getenv("ULP_STEP");
    uint64_t step = text ? strtoull(text, NULL, 10) : 4099;
    for (int set = 0; tg_isa_at(set); set++) {
        float where = 0;
        tg_isa_use(tg_isa_at(set));
        double worst = worst_of(_i, step ? step : 4099, &where);
        char at[40];
        snprintf(at, sizeof at, "%.9g", (double)where);
        print_line(functions[_i].name, worst, at);
        ck_assert_msg(worst <= (set ? functions[_i].allowed : 3), "%s %s: %.3f ulp at %.9g", tg_isa_now()->name,
                      functions[_i].name, worst, (double)where);
    }
}
END_TEST

/* Values that no step may miss; the exact result is libm's. */
static const float special[] = {
    0.0f,        -0.0f,        INFINITY,    -INFINITY,    NAN,          1.0f,        -1.0f,
    88.72283f,   88.7229f,     -87.3365f,   -103.972f,    -103.98f,     1e-45f,      1.17549435e-38f,
    3.4e38f,     0.625f,       -0.625f,     0.875f,       -0.875f,      4.0f,        -4.0f,
    0.70710678f, 1.4142135f,   3.1415927f,  -1.5707964f,  262143.98f,   262144.0f,   -1e10f,
    -18.0f,      -16.6393738f, 0.41421357f, -0.29289323f, -0.99999994f, 16777217.0f, 33554432.0f,
    1e-20f};

START_TEST(special_values_are_right_at_every_place)
{
    enum { N = sizeof special / sizeof *special };
    float y[N];
    for (int set = 0; tg_isa_at(set); set++) {
        tg_isa_use(tg_isa_at(set));
        for (int first = 0; first < N; first++) {
            functions[_i].row(N - first, y, special + first);
            for (int j = first; j < N; j++) {
                double exact = functions[_i].exact((double)special[j]);
                ck_assert_msg(ulps(y[j - first], exact) <= 2 &&
                                  (exact != 0 || !signbit(exact) == !signbit(y[j - first])),
                              "%s %s(%.9g) = %.9g", tg_isa_now()->name, functions[_i].name, (double)special[j],
                              (double)y[j - first]);
            }
        }
    }
}
END_TEST

/* x^p: ordinary numbers at random, and every pair of special ones. libm's float version is within 1 ulp. */
START_TEST(power_is_right)
{
    enum { N = 200003 };
    static float x[N], p[N], y[N];
    tg_rng_state rng;
    tg_rng_seed(&rng, 7);
    for (int j = 0; j < N; j++) {
        x[j] = j % 2 ? float_of(tg_rng_random(&rng)) : (float)exp(4 * tg_rng_double(&rng) - 2);
        x[j] = isnan(x[j]) ? NAN : x[j]; /* no signalling one, whose power 0 is NaN */
        p[j] = j % 3 ? (float)(40 * tg_rng_double(&rng) - 20) : (float)(int)(20 * tg_rng_double(&rng) - 10);
    }
    for (int set = 0; tg_isa_at(set); set++) {
        tg_isa_use(tg_isa_at(set));
        tg_vpow_f32(N, y, x, p, 1);
        double worst = 0;
        char at[80] = "";
        for (int j = 0; j < N; j++) {
            double exact = pow((double)x[j], (double)p[j]), e = y[j] == (float)exact ? 0 : ulps(y[j], exact);
            ck_assert_msg(e <= 1, "%s %.9g^%.9g = %.9g is %.2f ulp off", tg_isa_now()->name, (double)x[j], (double)p[j],
                          (double)y[j], e);
            if (e > worst)
                snprintf(at, sizeof at, "%.9g^%.9g", (double)x[j], (double)p[j]);
            worst = fmax(worst, e);
        }
        print_line("pow", worst, at);
    }
}
END_TEST

static const float bases[] = {0.0f,   -0.0f, 1.0f,   -1.0f,    2.0f,      -2.0f, 0.5f,      -0.5f,
                              1e-40f, 3e38f, -3e38f, INFINITY, -INFINITY, NAN,   1.0000001f};
static const float exponents[] = {0.0f,       -0.0f,       1.0f,  -1.0f,    2.0f,      3.0f,   -3.0f,
                                  0.5f,       -0.5f,       2.5f,  1e-40f,   -1e-40f,   1e-30f, 4194303.0f,
                                  4194304.0f, 16777217.0f, 1e30f, INFINITY, -INFINITY, NAN};

START_TEST(special_powers_are_right)
{
    enum { N_BASES = sizeof bases / sizeof *bases, N_EXPONENTS = sizeof exponents / sizeof *exponents };
    float y[N_BASES];
    for (int set = 0; tg_isa_at(set); set++) {
        tg_isa_use(tg_isa_at(set));
        for (int k = 0; k < N_EXPONENTS; k++) {
            tg_vpow_f32(N_BASES, y, bases, exponents + k, 0);
            for (int j = 0; j < N_BASES; j++) {
                double exact = pow((double)bases[j], (double)exponents[k]);
                ck_assert_msg(ulps(y[j], exact) <= 1 && (isnan(exact) || !signbit(exact) == !signbit(y[j])),
                              "%s %.9g^%.9g = %.9g, not %.9g", tg_isa_now()->name, (double)bases[j],
                              (double)exponents[k], (double)y[j], exact);
            }
        }
    }
}
END_TEST

/* In double e^x is ours too. */
START_TEST(double_exp_is_right)
{
    enum { N = 20001 };
    static double x[N], y[N];
    for (int set = 0; tg_isa_at(set); set++) {
        tg_isa_use(tg_isa_at(set));
        for (int j = 0; j < N; j++)
            x[j] = -750 + j * 0.0735;
        tg_vexp_f64(N, y, x, 0);
        for (int j = 0; j < N; j++) {
            double exact = exp(x[j]);
            ck_assert_msg(y[j] == exact || fabs(y[j] - exact) <= 2 * (nextafter(exact, INFINITY) - exact),
                          "%s exp(%.17g) = %.17g", tg_isa_now()->name, x[j], y[j]);
        }
        const double odd[] = {INFINITY, -INFINITY, NAN, -0.0};
        tg_vexp_f64(4, y, odd, 0);
        ck_assert(isinf(y[0]) && y[1] == 0 && isnan(y[2]) && y[3] == 1);
    }
}
END_TEST

/* Functions in double that are vectors' own, within 2 ulp of long double's: numbers of every exponent, and ordinary
 * ones. */
static const struct {
    const char *name;
    void (*row)(int64_t n, double *y, const double *x);
    long double (*exact)(long double x);
} doubles[] = {{"log", tg_vlog_f64, logl}, {"log1p", tg_vlog1p_f64, log1pl}, {"expm1", tg_vexpm1_f64, expm1l},
               {"sin", tg_vsin_f64, sinl}, {"cos", tg_vcos_f64, cosl},       {"tanh", tg_vtanh_f64, tanhl},
               {"erf", tg_verf_f64, erfl}};
enum { N_DOUBLES = sizeof doubles / sizeof *doubles };

static double double_of(uint64_t bits) {
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

static double ulps_of_double(double y, long double exact) {
    if (isnan(exact) || isnan(y))
        return isnan(exact) && isnan(y) ? 0 : INFINITY;
    if (y == (double)exact)
        return !signbit(y) == !signbit(exact) ? 0 : INFINITY;
    int e;
    frexpl(exact, &e);
    return (double)(fabsl((long double)y - exact) / ldexpl(1, (e < -1021 ? -1021 : e) - 53));
}

/* Numbers of any exponent, ordinary ones, and those around multiples of pi / 2 and around -1. */
static double some_double(tg_rng_state *rng, int j) {
    double u = tg_rng_double(rng);
    switch (j % 6) {
    case 0: return double_of((uint64_t)tg_rng_random(rng) << 32 | tg_rng_random(rng));
    case 1: return 2 * u - 1;
    case 2: return 80 * u - 40;
    case 3: return 2000 * u - 1000;
    case 4: return (double)(int)(3e5 * u) * 1.5707963267948966 * (1 + 1e-15 * (double)(int)(9 * tg_rng_double(rng)));
    default: return -1 + ldexp(u, -(int)(60 * tg_rng_double(rng)));
    }
}

static const double special_doubles[] = {0.0,
                                         -0.0,
                                         INFINITY,
                                         -INFINITY,
                                         NAN,
                                         1.0,
                                         -1.0,
                                         DBL_MIN,
                                         -DBL_MIN,
                                         5e-324,
                                         DBL_MAX,
                                         709.8,
                                         -37.5,
                                         -38.5,
                                         20.0,
                                         19.999999,
                                         -20.000001,
                                         262143.99,
                                         262144,
                                         1e22,
                                         -1e300,
                                         0.5,
                                         -0.5,
                                         1e-9,
                                         -1e-17,
                                         0x1p-53,
                                         0x1p53,
                                         0x1p64,
                                         -0.9999999999999999,
                                         0.7071067811865475,
                                         1.4142135623730951};

START_TEST(functions_of_doubles_are_right)
{
    enum { N = 60007, SPECIAL = sizeof special_doubles / sizeof *special_doubles };
    static double x[N], y[N];
    tg_rng_state rng;
    tg_rng_seed(&rng, 5);
    for (int j = 0; j < N; j++)
        x[j] = j < SPECIAL ? special_doubles[j] : some_double(&rng, j);
    for (int set = 0; tg_isa_at(set); set++) {
        tg_isa_use(tg_isa_at(set));
        doubles[_i].row(N, y, x);
        double worst = 0;
        char at[40] = "";
        for (int j = 0; j < N; j++) {
            double e = ulps_of_double(y[j], doubles[_i].exact((long double)x[j]));
            ck_assert_msg(e <= 2, "%s %s(%.17g) = %.17g is %.2f ulp off", tg_isa_now()->name, doubles[_i].name, x[j],
                          y[j], e);
            if (e > worst)
                snprintf(at, sizeof at, "%.17g", x[j]);
            worst = fmax(worst, e);
        }
        print_line(doubles[_i].name, worst, at);
    }
}
END_TEST

/* gelu within 4 + x^2 ulp (the tail makes that of the rounding of x^2 / 2); its derivative, which goes through 0,
 * within 4 units of 2^-24. Phi comes from erfc, which has no cancellation below 0. */
START_TEST(gelu_is_right)
{
    enum { N = 40003 };
    static float x[N], y[N], one[N], slope[N];
    for (int set = 1; tg_isa_at(set); set++) {
        tg_isa_use(tg_isa_at(set));
        for (int j = 0; j < N; j++) {
            x[j] = -13 + (float)j * 6.5e-4f;
            one[j] = 1;
        }
        tg_vgelu_f32(N, y, x);
        tg_vgelu_vjp_f32(N, slope, one, x);
        for (int j = 0; j < N; j++) {
            double v = (double)x[j], cdf = erfc(-v / sqrt(2)) / 2, density = exp(-v * v / 2) / sqrt(2 * acos(-1));
            double e = ulps(y[j], v * cdf), d = fabs((double)slope[j] - (cdf + v * density));
            ck_assert_msg(e <= 4 + v * v, "%s gelu(%.9g) is %.2f ulp off", tg_isa_now()->name, v, e);
            ck_assert_msg(d <= 4 * 0x1p-24, "%s gelu'(%.9g) is %.3g off", tg_isa_now()->name, v, d);
        }
        const float odd[] = {INFINITY, NAN, -0.0f, 0.0f, -1000.0f, 1e-40f};
        tg_vgelu_f32(6, y, odd);
        ck_assert(isinf(y[0]) && isnan(y[1]) && y[2] == 0 && signbit(y[2]) && y[3] == 0 && y[4] == 0);
        ck_assert(y[5] == odd[5] / 2);
    }
}
END_TEST

/* erfc in long double where the C library's erfcl may be its erfc (musl's is): that of the nearest double, and the rest
 * along the tangent there. */
static long double exact_erfc(long double x) {
    const long double near = (long double)(double)x, slope = -2 / sqrtl(acosl(-1)) * expl(-near * near);
    return erfcl(near) + slope * (x - near);
}

/* The same in double, against long double. The reference rounds x / sqrt 2, which erfc's tail magnifies more. */
START_TEST(gelu_of_doubles_is_right)
{
    enum { N = 60001 };
    static double x[N], y[N], one[N], slope[N];
    const long double root = sqrtl(2), pi = acosl(-1);
    for (int set = 1; tg_isa_at(set); set++) {
        tg_isa_use(tg_isa_at(set));
        for (int j = 0; j < N; j++) {
            x[j] = -36 + j * 0.0012;
            one[j] = 1;
        }
        tg_vgelu_f64(N, y, x);
        tg_vgelu_vjp_f64(N, slope, one, x);
        for (int j = 0; j < N; j++) {
            long double v = (long double)x[j], cdf = exact_erfc(-v / root) / 2,
                        density = expl(-v * v / 2) / sqrtl(2 * pi);
            double e = ulps_of_double(y[j], v * cdf), d = (double)fabsl((long double)slope[j] - (cdf + v * density));
            ck_assert_msg(e <= 4 + x[j] * x[j], "%s gelu(%.17g) is %.2f ulp off", tg_isa_now()->name, x[j], e);
            ck_assert_msg(d <= 4 * 0x1p-53, "%s gelu'(%.17g) is %.3g off", tg_isa_now()->name, x[j], d);
        }
    }
}
END_TEST

/* x Phi(x) and its slope in double, far in the tail where 1 + erf is 0; numbers of mpmath, 40 digits. */
START_TEST(gelu_in_double_keeps_its_tail)
{
    static const double x[] = {-5.5, -9, -10, -20, -37}, one[] = {1, 1, 1, 1, 1},
                        y[] = {-1.0444259356238246e-7, -1.0157295653584566e-18, -7.6198530241605261e-23,
                               -5.5072482372124674e-88, -2.1184613523340934e-298},
                        slope[] = {-5.7334723987399248e-7, -9.1389373739066393e-18, -7.6184000964648141e-22,
                                   -1.1014360483133464e-86, -7.8382986694185162e-297};
    double out[5], dx[5];
    tg_vgelu_f64(5, out, x);
    tg_vgelu_vjp_f64(5, dx, one, x);
    for (int j = 0; j < 5; j++) {
        double allowed = (4 + x[j] * x[j]) * 0x1p-52;
        ck_assert_msg(fabs(out[j] / y[j] - 1) <= allowed, "gelu(%g) is %.17g", x[j], out[j]);
        ck_assert_msg(fabs(dx[j] / slope[j] - 1) <= allowed, "gelu'(%g) is %.17g", x[j], dx[j]);
    }
}
END_TEST

/* Within 3 ulp, or 0 where it is below the normal numbers. */
START_TEST(sigmoid_is_right)
{
    enum { N = 40003 };
    static float x[N], y[N];
    for (int set = 0; tg_isa_at(set); set++) {
        tg_isa_use(tg_isa_at(set));
        for (int j = 0; j < N; j++)
            x[j] = -100 + (float)j * 5e-3f;
        tg_vsigmoid_f32(N, y, x);
        for (int j = 0; j < N; j++) {
            double exact = 1 / (1 + exp(-(double)x[j])), e = ulps(y[j], exact);
            ck_assert_msg(e <= 3 || (exact < 0x1p-126 && y[j] >= 0 && y[j] < 0x1p-126f),
                          "%s sigmoid(%.9g) is %.2f ulp off", tg_isa_now()->name, (double)x[j], e);
        }
        const float odd[] = {INFINITY, -INFINITY, NAN, -0.0f, 1000.0f, -1000.0f};
        tg_vsigmoid_f32(6, y, odd);
        ck_assert(y[0] == 1 && y[1] == 0 && isnan(y[2]) && y[3] == 0.5f && y[4] == 1 && y[5] == 0);
    }
}
END_TEST

/* 1 / cosh^2 */
START_TEST(slope_of_tanh_is_near_where_tanh_is_1)
{
    float x[CHUNK], y[CHUNK];
    for (int set = 0; tg_isa_at(set); set++) {
        tg_isa_use(tg_isa_at(set));
        for (int j = 0; j < CHUNK; j++)
            x[j] = (float)(j - CHUNK / 2) * 0.083f; /* to 41.6 */
        x[0] = INFINITY, x[1] = -INFINITY, x[2] = NAN;
        tg_vtanh_slope_f32(CHUNK, y, x);
        for (int j = 0; j < CHUNK; j++) {
            double c = cosh((double)x[j]);
            ck_assert_msg(ulps(y[j], 1 / (c * c)) <= 5, "%.9g: %.9g, not %.9g", (double)x[j], (double)y[j],
                          1 / (c * c));
        }
    }
}
END_TEST

int main(void) {
    TCase *c = tcase_create("vmath");
    tcase_add_loop_test(c, errors_are_few_ulp, 0, N_FUNCTIONS);
    tcase_add_loop_test(c, special_values_are_right_at_every_place, 0, N_FUNCTIONS);
    tcase_add_test(c, power_is_right);
    tcase_add_test(c, special_powers_are_right);
    tcase_add_test(c, double_exp_is_right);
    tcase_add_loop_test(c, functions_of_doubles_are_right, 0, N_DOUBLES);
    tcase_add_test(c, gelu_is_right);
    tcase_add_test(c, gelu_of_doubles_is_right);
    tcase_add_test(c, gelu_in_double_keeps_its_tail);
    tcase_add_test(c, sigmoid_is_right);
    tcase_add_test(c, slope_of_tanh_is_near_where_tanh_is_1);
    return run_suite("vmath", c);
}
