/* What the gradient check once gave up, though long double shows it in wide steps, to one side, or as the mean of many;
 * what it once accused; and one wrong element of very many. */
#include "core/gradcheck/check.h"
#include "tests/programs.h"
#include "tests/support.h"

#include <float.h>

/* ---- random programs, as false_alarms.c makes them ---- */

typedef struct program {
    tg_tape *t;
    tg_tensor y;
} program;

static program open_program(uint64_t seed, tg_gradcheck_config *config) {
    program p;
    tg_rng_state g;
    tg_rng_seed(&g, seed);
    program_form form = (program_form)below(&g, N_FORMS);
    bool fast = below(&g, 3) == 0;
    p.t = tg_tape_new(tg_rng_random(&g) & 1 ? TG_F32 : TG_F64);
    tg_manual_seed(p.t, seed);
    source s = {p.t, &g, (data_kind)(seed % N_DATA), 0, 0};
    p.y = random_program(&s, form);
    *config = TG_GRADCHECK_DEFAULTS;
    config->seed = seed;
    config->mode = fast ? TG_GRADCHECK_FAST : TG_GRADCHECK_FULL;
    ck_assert(!tg_is_null(p.y));
    return p;
}

/* Of log-uniform data: sums of 1e-6 and 1e9 with kinks at 0, numbers that cancel on the way back, the norm of a single
 * number, branches that y does not hang on (a norm by the largest of two that stay equal), slopes of 1e200, f(0)
 * rounded by more than narrow steps show, treads of stairs, sin of 1e8 with a kink within 1e-16 of it, or that bends as
 * soon, and what float64 loses on the way to rtol. For each plateau.h finds its three steps of long double. */
static const uint64_t wide[] = {5006650,   5012674,   5013842,   5014482,    5017962,    5019426,
                                5021586,   5024882,   5031806,   71001570,   71002906,   71003226,
                                160023322, 190013334, 190098890, 700303534,  700351946,  700535510,
                                700587894, 700833954, 930019134, 1120079790, 1900027682, 1900156306};
enum { N_WIDE = sizeof wide / sizeof *wide };

START_TEST(what_wide_steps_show_is_right)
{
    for (int i = 0; i < N_WIDE; i++) {
        tg_gradcheck_config config;
        tg_gradcheck_result r;
        program p = open_program(wide[i], &config);
        ck_assert_msg(tg_gradcheck(p.y, config, &r) == TG_OK, "%d: %s", (int)wide[i], r.summary);
        tg_tape_free(p.t);
    }
}
END_TEST

/* x + x^4, which is lost in 2^54 (of 64 bits) but for steps of about 1. To one side its curve hides it there, to both
 * at once it does not; and a path without a gradient, of slope 0, leaves the chain rule nothing to say. */
START_TEST(what_steps_to_both_sides_show_is_right)
{
    tg_tape *t = tg_tape_new(TG_F64);
    tg_gradcheck_result r;
    tg_tensor x = wanting(VECTOR(t, 0.004)), far = tg_full(t, TG_SHAPE(1), ldexp(1, LDBL_MANT_DIG - 10));
    tg_tensor y = tg_sub(tg_add(tg_add(x, tg_square(tg_square(x))), far), far);
    y = tg_add(y, tg_mul_scalar(tg_detach(x), 0));
    ck_assert_msg(tg_gradcheck(y, TG_GRADCHECK_DEFAULTS, &r) == TG_OK, "%s", r.summary);
    tg_tape_free(t);
}
END_TEST

/* 1e200 x, lost in 1e200 2^54; then beside a branch that changes within the steps that show it, and adds 0. */
START_TEST(what_steps_across_branches_show_is_right)
{
    for (int k = 0; k < 2; k++) {
        tg_tape *t = tg_tape_new(TG_F64);
        tg_gradcheck_result r;
        double scale = k ? 1 : 1e200;
        tg_tensor x = wanting(VECTOR(t, 0.004));
        tg_tensor far = tg_full(t, TG_SHAPE(1), scale * ldexp(1, LDBL_MANT_DIG - 10));
        tg_tensor y = tg_sub(tg_add(tg_mul_scalar(x, scale), far), far);
        tg_tensor nothing = tg_mul_scalar(k ? tg_relu(tg_sub_scalar(x, 0.01)) : x, 0);
        y = tg_add(y, tg_add(nothing, tg_mul_scalar(tg_detach(x), 0)));
        ck_assert_msg(tg_gradcheck(y, TG_GRADCHECK_DEFAULTS, &r) == TG_OK, "scale %g: %s", scale, r.summary);
        tg_tape_free(t);
    }
}
END_TEST

/* What the chain rule says nothing of: a path without a gradient, of slope 0. */
static tg_tensor without_chain(tg_tensor x, tg_tensor y) { return tg_add(y, tg_mul_scalar(tg_detach(x), 0)); }

/* x + x^4 / 10^6, lost in 2^54 but for steps of about 1, beside another slope to the right. To the left f(0) is rounded
 * by 1/1000, which is in all differences from it: no mean of them makes that less. */
START_TEST(the_middle_may_be_rounded_most)
{
    tg_tape *t = tg_tape_new(TG_F64);
    tg_gradcheck_result r;
    tg_tensor x = wanting(VECTOR(t, 0.0049)), far = tg_full(t, TG_SHAPE(1), ldexp(1, LDBL_MANT_DIG - 10));
    tg_tensor curve = tg_add(x, tg_mul_scalar(tg_square(tg_square(x)), 1e-6));
    tg_tensor y = tg_add(tg_sub(tg_add(curve, far), far), tg_mul_scalar(tg_relu(tg_sub_scalar(x, 0.01)), 5));
    ck_assert_msg(tg_gradcheck(without_chain(x, y), TG_GRADCHECK_DEFAULTS, &r) == TG_OK, "%s", r.summary);
    tg_tape_free(t);
}
END_TEST

static const tg_op *spoilt;

static tg_status vjp_of_more(tg_node *y, double factor) {
    for (int64_t j = 0; j < y->numel; j++)
        ((double *)y->grad)[j] *= factor;
    return spoilt->vjp[TG_F64](y);
}

/* As the right one with 1.01 dy; with 1.000005 dy. */
static tg_status spoilt_vjp(tg_node *y) { return vjp_of_more(y, 1.01); }
static tg_status hardly_spoilt_vjp(tg_node *y) { return vjp_of_more(y, 1.000005); }

/* 4 x as x + 3 x, of which 3 x is lost in 2^54 but for steps of about 1, and was small when it was: narrow ones show x
 * alone, as sharply as could be. A gradient that has 1.01 of the lost part is not right. */
START_TEST(a_tread_of_a_stair_is_no_slope)
{
    tg_tape *t = tg_tape_new(TG_F64);
    tg_gradcheck_result r;
    tg_tensor x = wanting(VECTOR(t, 0.0049)), far = tg_full(t, TG_SHAPE(1), ldexp(1, LDBL_MANT_DIG - 10 - 20));
    tg_tensor lost = tg_mul_scalar(x, ldexp(3, -20)), found = tg_sub(tg_add(lost, far), far);
    tg_tensor y = without_chain(x, tg_add(x, tg_mul_scalar(found, ldexp(1, 20))));
    ck_assert_msg(tg_gradcheck(y, TG_GRADCHECK_DEFAULTS, &r) == TG_OK, "%s", r.summary);
    tg_node *n = t->nodes[lost.index];
    tg_op copy = *(spoilt = n->op);
    copy.vjp[TG_F64] = spoilt_vjp;
    n->op = &copy;
    (void)!tg_gradcheck(y, TG_GRADCHECK_DEFAULTS, &r);
    ck_assert_msg(r.verdict != TG_GRAD_RIGHT, "%s", r.summary);
    tg_tape_free(t);
}
END_TEST

START_TEST(what_is_spoilt_there_is_wrong)
{
    for (int i = 0; i < N_WIDE; i++) {
        tg_gradcheck_config config;
        tg_gradcheck_result r;
        program p = open_program(wide[i], &config);
        tg_node *n = p.t->nodes[p.y.index];
        while (n->op->is_view || n->gowner != n)
            n = n->in[0];
        tg_op copy = *(spoilt = n->op);
        copy.vjp[TG_F64] = spoilt_vjp;
        n->op = &copy;
        ck_assert_int_eq(tg_gradcheck(p.y, config, &r), TG_ERR_NUMERIC);
        ck_assert_msg(r.verdict == TG_GRAD_WRONG, "%d, %s: %s", (int)wide[i], spoilt->name, r.summary);
        ck_assert_str_eq(r.op, spoilt->name);
        tg_tape_free(p.t);
    }
}
END_TEST

static tg_tensor wanting_of(tg_tape *t, tg_shape shape, const double *x) {
    return wanting(tg_from_doubles(t, shape, x));
}

static const double rows[] = {3e7, -2e-3, 5e7, 0.03, -0.002, 0.07};
static tg_tensor norm_of_rows(tg_tape *t) { return tg_rms_norm(wanting_of(t, TG_SHAPE(2, 3), rows), TG_NULL, 1e-5); }
static tg_tensor log_softmax_of_rows(tg_tape *t) {
    return tg_log_softmax(wanting_of(t, TG_SHAPE(2, 3), (double[]){40, -2e-3, 0.5, 0.03, -0.002, 0.07}), 1);
}

static tg_tensor attention_of_rows(tg_tape *t) {
    tg_tensor q = wanting_of(t, TG_SHAPE(2, 2), (double[]){2e-5, -3e3, 0.04, -6e-7});
    tg_tensor k = wanting_of(t, TG_SHAPE(3, 2), (double[]){4e-3, 0.01, -2e6, -0.3, 0.7, 9e-4});
    tg_tensor v = wanting_of(t, TG_SHAPE(3, 1), (double[]){3e5, -0.02, 4e-4});
    return tg_scaled_dot_product_attention(q, k, v, TG_NULL, false, 0, 0);
}

/* Large numbers hide nothing of other rows: of a norm at 1e-2 beside one at 1e7; of a log_softmax whose largest is
 * -4e-18 in one row, 0 in float64. Of two queries' attention quad shows more than long double. */
START_TEST(every_row_is_looked_at)
{
    static const struct {
        tg_tensor (*make)(tg_tape *t);
        int64_t wrong;
    } of[] = {{norm_of_rows, 3}, {log_softmax_of_rows, 0}, {attention_of_rows, 8}};
#ifdef TG_HAS_QUAD
    bool counts = true;
#else
    bool counts = LDBL_MANT_DIG > 64;
#endif
    for (int i = 0; i < 3; i++) {
        tg_tape *t = tg_tape_new(TG_F64);
        tg_gradcheck_result r;
        tg_tensor y = of[i].make(t);
        tg_node *n = t->nodes[y.index];
        ck_assert_msg(tg_gradcheck(y, TG_GRADCHECK_DEFAULTS, &r) == TG_OK, "%s", r.summary);
        tg_op copy = *(spoilt = n->op);
        copy.vjp[TG_F64] = hardly_spoilt_vjp;
        n->op = &copy;
        ck_assert_int_eq(tg_gradcheck(y, TG_GRADCHECK_DEFAULTS, &r), TG_ERR_NUMERIC);
        ck_assert_msg(r.wrong >= of[i].wrong || !counts, "%s", r.summary);
        tg_tape_free(t);
    }
}
END_TEST

/* float32 takes 1 - y^2 of a tanh near -1; amin compares the tanh, and clamp_tensor and norm numbers of equal size. */
START_TEST(what_is_compared_rounds_as_well)
{
    tg_gradcheck_config config;
    tg_gradcheck_result r;
    program p = open_program(9004015, &config);
    ck_assert_msg(tg_gradcheck(p.y, config, &r) == TG_OK, "%s: %s", r.summary, r.diagnosis);
    tg_tape_free(p.t);
}
END_TEST

/* A softmax that jumps within 1e-70, std of two numbers that agree to twelve digits with a dy of 1e25, cos of 1e66,
 * kl_div with a dy of 0 where log has an infinite slope, and sin(3 x) of a custom operation at 2e14 with a dy 1e-6 of
 * the largest, and sin of 3e18 with one of 1e-4: wide steps of all but kl_div show nearly 0. And 1 - p of a softmax, 0
 * in float64, which quad shows; and scores of 1e13, whose treads narrow steps of long double stand on; and of 1e11,
 * between which a query of 2e4 does all within 1e-5, of which the gradient's own rounding is 3e-4; and attention with
 * scores of 1e36, of whose p nothing is left where its statistics move by a unit. */
START_TEST(wide_steps_and_extreme_dy_accuse_nothing)
{
    static const uint64_t seeds[] = {61003706,  61012346,  71015942,  53000690,   53001695,
                                     525011894, 700011018, 700661874, 700775850,  700789854,
                                     240013642, 348690,    410080230, 1500005686, 1750050482};
    for (size_t i = 0; i < sizeof seeds / sizeof *seeds; i++) {
        tg_gradcheck_config config;
        tg_gradcheck_result r;
        program p = open_program(seeds[i], &config);
        (void)!tg_gradcheck(p.y, config, &r);
        ck_assert_msg(r.verdict != TG_GRAD_WRONG, "%d: %s", (int)seeds[i], r.summary);
        tg_tape_free(p.t);
    }
}
END_TEST

/* ---- one wrong element of very many ---- */

enum { MANY = 120000 };

typedef struct curve {
    double (*f)(double), (*slope)(double);
    int wrong; /* this element; -1: none */
    double at; /* is this number, */
    double by; /* and gets so many times its gradient */
} curve;

static int forwards; /* how many there were */

static int curve_forward(const tg_call *c) {
    const double *x = c->input[0];
    const curve *k = c->context;
    forwards++;
    for (int i = 0; i < MANY; i++)
        ((double *)c->output)[i] = k->f(x[i]);
    return 0;
}

static int curve_vjp(const tg_call *c) {
    const double *x = c->input[0], *dy = c->output_grad;
    const curve *k = c->context;
    for (int i = 0; i < MANY; i++)
        ((double *)c->input_grad[0])[i] += k->slope(x[i]) * dy[i] * (i == k->wrong ? k->by : 1);
    return 0;
}

static const tg_custom_op curves = {"curve", NULL, NULL, curve_forward, curve_vjp};

static double cube(double x) { return x * x * x; }
static double cube_slope(double x) { return 3 * x * x; }

static double tanh_slope(double x) { return 1 - tanh(x) * tanh(x); }

/* The rounding of so many is above what half of a small slope does to narrow steps. */
static double high_square(double x) { return 50 + x * x; }
static double square_slope(double x) { return 2 * x; }

static tg_gradcheck_result check_curve(curve k) {
    tg_tape *t = tg_tape_new(TG_F64);
    tg_gradcheck_config config = TG_GRADCHECK_DEFAULTS;
    tg_gradcheck_result r;
    config.mode = TG_GRADCHECK_FAST;
    tg_manual_seed(t, 3);
    tg_tensor x = wanting(tg_randn(t, TG_SHAPE(MANY)));
    if (k.wrong >= 0)
        ((double *)tg_data(x))[k.wrong] = k.at;
    tg_tensor y = tg_custom(&curves, &x, 1, TG_SHAPE(MANY), &k, sizeof k);
    tg_status status = tg_gradcheck(total(y), config, &r);
    ck_assert_int_eq(status, r.verdict == TG_GRAD_RIGHT ? TG_OK : TG_ERR_NUMERIC);
    tg_tape_free(t);
    return r;
}

START_TEST(one_wrong_element_of_many_is_found)
{
    static const curve all[] = {{cube, cube_slope, 0, 0.5, 1.5},
                                {cube, cube_slope, MANY - 1, 1.5, 1.5},
                                {high_square, square_slope, 77777, 0.2, 1.5},
                                {tanh, tanh_slope, 85714, 0.1, 1.5},
                                {exp, exp, 54321, 0.3, 1.01},         /* little more than rounding of the sum shows */
                                {cube, cube_slope, 12345, 0.2, 1.1}}; /* what all of them agree to hides it */
    static const int most[] = {205, 205, 290, 205, 280, 400};         /* runs of so many elements */
    for (int i = 0; i < 6; i++) {
        char where[64];
        forwards = 0;
        tg_gradcheck_result r = check_curve(all[i]);
        snprintf(where, sizeof where, "element %d is", all[i].wrong);
        ck_assert_msg(r.verdict == TG_GRAD_WRONG && strcmp(r.op, "curve") == 0, "%d: %s", i, r.summary);
        ck_assert_msg(strstr(r.diagnosis, where), "%d: %s", i, r.diagnosis);
        ck_assert_msg(forwards <= most[i], "%d: %d runs", i, forwards);
    }
}
END_TEST

START_TEST(very_many_right_elements_are_right)
{
    static const curve all[] = {{cube, cube_slope, -1, 0, 1}, {high_square, square_slope, -1, 0, 1}};
    for (int i = 0; i < 2; i++) {
        tg_gradcheck_result r = check_curve(all[i]);
        ck_assert_msg(r.verdict == TG_GRAD_RIGHT, "%d: %s", i, r.summary);
    }
}
END_TEST

/* ---- what is periodic ---- */

static int saw_forward(const tg_call *c) {
    const double *x = c->input[0];
    for (int i = 0; i < 12; i++)
        ((double *)c->output)[i] = x[i] - floor(x[i]);
    return 0;
}

/* Nothing comes back to the last. */
static int saw_vjp(const tg_call *c) {
    for (int i = 0; i < 11; i++)
        ((double *)c->input_grad[0])[i] += ((const double *)c->output_grad)[i];
    return 0;
}

/* Steps that are whole periods do not move it, which is what a gradient of 0 says. */
START_TEST(what_comes_round_has_a_slope)
{
    static const tg_custom_op op = {"saw", NULL, NULL, saw_forward, saw_vjp};
    static const double size[] = {30, 300, 4863.9};
    for (int k = 0; k < 3; k++)
        for (uint64_t seed = 1; seed <= 10; seed++) {
            tg_tape *t = tg_tape_new(TG_F64);
            tg_gradcheck_result r;
            tg_manual_seed(t, seed);
            tg_tensor x = wanting(tg_randn(t, TG_SHAPE(12)));
            for (int i = 0; i < 12; i++)
                ((double *)tg_data(x))[i] *= size[k];
            (void)!tg_gradcheck(tg_custom(&op, &x, 1, TG_SHAPE(12), NULL, 0), TG_GRADCHECK_DEFAULTS, &r);
            ck_assert_msg(r.verdict == TG_GRAD_WRONG || r.verdict == TG_GRAD_CANNOT_TELL, "%g, seed %d: %s", size[k],
                          (int)seed, r.summary);
            tg_tape_free(t);
        }
}
END_TEST

/* Numbers of another size that an element does not reach: the smallest is spoilt. */
static int spoilt_element;

static tg_status element_vjp(tg_node *y) {
    double *dy = y->grad;
    for (int64_t j = 0; j < y->numel; j++)
        dy[j] *= j == spoilt_element ? 1 + 5e-6 : 1;
    return spoilt->vjp[TG_F64](y);
}

START_TEST(what_lies_beside_large_numbers_is_seen)
{
    tg_tensor (*const f[])(tg_tensor x) = {tg_sin, tg_log1p, tg_tanh};
    static const double values[] = {1e8, 3e5, 2e-8, 40, 7e-3, 1};
    for (int k = 0; k < 3; k++)
        for (int turned = 0; turned < 2; turned++) {
            tg_tape *t = tg_tape_new(TG_F64);
            tg_tensor x = wanting(tg_from_doubles(t, TG_SHAPE(2, 3), values));
            tg_tensor y = f[k](turned ? tg_contiguous(tg_transpose(x, 0, 1)) : x);
            tg_gradcheck_result r;
            ck_assert_msg(tg_gradcheck(y, TG_GRADCHECK_DEFAULTS, &r) == TG_OK, "%d: %s", k, r.summary);
            tg_node *n = t->nodes[y.index];
            tg_op wrong = *(spoilt = n->op);
            spoilt_element = turned ? 4 : 2;
            wrong.vjp[TG_F64] = element_vjp;
            n->op = &wrong;
            (void)!tg_gradcheck(y, TG_GRADCHECK_DEFAULTS, &r);
            ck_assert_msg(r.verdict == TG_GRAD_WRONG && r.wrong == 1, "%d, turned %d: %s", k, turned, r.summary);
            tg_tape_free(t);
        }
}
END_TEST

/* The right one's, but for a NaN. */
static tg_status not_finite_vjp(tg_node *y) {
    tg_status bad = spoilt->vjp[TG_F64](y);
    ((double *)y->in[0]->grad)[4] = NAN;
    return bad;
}

/* Of 11.6 beside 1e7 and 1e8 the norm shows nothing certain. There is a derivative all the same. */
START_TEST(a_nan_where_no_step_shows_anything_is_wrong)
{
    tg_tape *t = tg_tape_new(TG_F64);
    tg_tensor x = wanting(
        VECTOR(t, 9.24, -84.5, -0.0595, 0.00015, 11.6, 4.82, 0.772, -7.64e7, 8.75e3, 2.12e-5, -0.00923, 8.64e6));
    tg_tensor y = tg_norm(x, 2, TG_DIMS(0), false);
    tg_gradcheck_result r;
    ck_assert_msg(tg_gradcheck(y, TG_GRADCHECK_DEFAULTS, &r) == TG_OK, "%s", r.summary);
    tg_node *n = t->nodes[y.index];
    tg_op wrong = *(spoilt = n->op);
    wrong.vjp[TG_F64] = not_finite_vjp;
    n->op = &wrong;
    (void)!tg_gradcheck(y, TG_GRADCHECK_DEFAULTS, &r);
    ck_assert_msg(r.verdict == TG_GRAD_WRONG && r.mistake == TG_MISTAKE_NOT_FINITE, "%s", r.summary);
    tg_tape_free(t);
}
END_TEST

/* ---- mistakes in one operation, beside numbers of other sizes ---- */

/* Of what the right VJP gives this operand, which is a leaf. */
static struct {
    int operand;
    void (*make)(const tg_node *y, double *dx);
} mistake;

static tg_status changed_vjp(tg_node *y) {
    tg_node *x = y->in[mistake.operand];
    double had[8];
    bool any = x->has_grad;
    ck_assert_int_le(x->numel, 8);
    if (any)
        memcpy(had, x->grad, (size_t)x->numel * sizeof *had);
    x->has_grad = false;
    tg_status bad = spoilt->vjp[TG_F64](y);
    mistake.make(y, x->grad);
    for (int64_t j = 0; j < x->numel && any; j++)
        ((double *)x->grad)[j] += had[j];
    return bad;
}

/* Right without the mistake, WRONG with it, at this operation. */
static tg_gradcheck_result want_found(tg_tensor y, uint32_t at, tg_status (*vjp)(tg_node *y)) {
    tg_gradcheck_result r;
    tg_node *n = y.tape->nodes[at];
    tg_op wrong = *(spoilt = n->op);
    ck_assert_msg(tg_gradcheck(y, TG_GRADCHECK_DEFAULTS, &r) == TG_OK, "%s: %s", spoilt->name, r.summary);
    wrong.vjp[TG_F64] = vjp;
    n->op = &wrong;
    (void)!tg_gradcheck(y, TG_GRADCHECK_DEFAULTS, &r);
    tg_clear_error(y.tape);
    ck_assert_msg(r.verdict == TG_GRAD_WRONG, "%s: %s", spoilt->name, r.summary);
    ck_assert_str_eq(r.op, spoilt->name);
    ck_assert_uint_eq(r.tensor, at);
    n->op = spoilt;
    return r;
}

static tg_status half_vjp(tg_node *y) {
    ((double *)y->grad)[1] *= 0.5;
    return spoilt->vjp[TG_F64](y);
}

/* At 2^780 long double has one number in 2^717, and powers of two from there on are nearly multiples of the period: all
 * steps say that sin is nearly flat. The right gradient says that it is not. */
START_TEST(steps_of_whole_periods_accuse_nothing)
{
    for (int k = 60; k < 1020; k += k < 760 || k > 800 ? 20 : 1)
        for (int r = 0; r < 3; r++) {
            tg_tape *t = tg_tape_new(TG_F64);
            tg_gradcheck_result result;
            tg_tensor x = wanting(VECTOR(t, ldexp(1.37 + 0.21 * r, k)));
            (void)!tg_gradcheck(tg_sin(x), TG_GRADCHECK_DEFAULTS, &result);
            ck_assert_msg(result.verdict != TG_GRAD_WRONG, "2^%d: %s", k, result.summary);
            tg_tape_free(t);
        }
}
END_TEST

/* gelu(-8) is -8 (1 - 1 + 6e-16) / 2, of which float64 has one digit. That says nothing of gelu(3). */
START_TEST(another_element_may_be_lost_in_float64)
{
    tg_tape *t = tg_tape_new(TG_F64);
    tg_tensor y = tg_gelu(wanting(VECTOR(t, -8, 3, 2e6)));
    ck_assert_int_eq(want_found(y, y.index, half_vjp).wrong, 1);
    y = tg_gelu(tg_slice(wanting(VECTOR(t, -8, 1, 3, 1, 2e6)), 0, 0, 5, 2)); /* a view of them */
    (void)want_found(y, y.index, half_vjp);
    tg_tape_free(t);
}
END_TEST

static void scale_row(const tg_node *y, double *dx) {
    for (int k = 0; k < 2 && y; k++)
        dx[k] *= 1.0002;
}

static void lose_one(const tg_node *y, double *dx) { dx[0] = y ? 0 : NAN; }

/* cos has no slope for steps of many periods, and none is what this gradient says; narrower steps say otherwise. */
START_TEST(what_waves_is_no_witness_for_zero)
{
    static const double far[] = {128093, 54321, 3e4, 7777, 1e6};
    for (int i = 0; i < 5; i++) {
        tg_tape *t = tg_tape_new(TG_F64);
        tg_tensor y = tg_cos(wanting(VECTOR(t, far[i])));
        mistake.operand = 0;
        mistake.make = lose_one;
        (void)want_found(y, y.index, changed_vjp);
        tg_tape_free(t);
    }
}
END_TEST

/* softmax' slope of 1e-7 at 1e-6, beside -1e8: what that may swallow of narrow steps is 1e-6 in all, but would show in
 * the wider ones, which agree with them. */
START_TEST(what_no_step_shows_swallowed_is_evidence)
{
    tg_tape *t = tg_tape_new(TG_F64);
    tg_tensor y = tg_softmax(wanting(VECTOR(t, 1e-6, -16, -1e8)), 0);
    mistake.operand = 0;
    mistake.make = lose_one;
    (void)want_found(y, y.index, changed_vjp);
    tg_tape_free(t);
}
END_TEST

/* Two rows of a softmax, which know nothing of each other; but the check cannot know that. What rounding of 1e8 could
 * hide and the curve of exp leave little room between them, and far steps, where the row is all one or all the other,
 * show nearly 0. */
START_TEST(there_is_room_between_rounding_and_curvature)
{
    static const double values[][4] = {{-1.6, 1e-6, 1e8, 3}, {-4, 1e-6, 1e8, 3}, {-0.0007, 10, 1.5e8, 3}};
    for (int i = 0; i < 3; i++) {
        tg_tape *t = tg_tape_new(TG_F64);
        tg_tensor y = tg_softmax(wanting(tg_from_doubles(t, TG_SHAPE(2, 2), values[i])), -1);
        mistake.operand = 0;
        mistake.make = i < 2 ? scale_row : lose_one;
        (void)want_found(y, y.index, changed_vjp);
        tg_tape_free(t);
    }
}
END_TEST

/* The second operand's first element gets twice its gradient. */
static void double_one(const tg_node *y, double *dx) { dx[0] += ((const double *)y->grad)[0]; }

/* 1e15 + 1e-3: nothing of what 1e-3 is moved by can be seen until it is moved by a thousand times itself. Then it is a
 * straight line for all steps. */
START_TEST(a_straight_line_far_beyond_the_element_is_evidence)
{
    tg_tape *t = tg_tape_new(TG_F64);
    tg_tensor y = tg_add(wanting(VECTOR(t, 1e15, 1)), wanting(VECTOR(t, 1e-3, 1e9)));
    mistake.operand = 1;
    mistake.make = double_one;
    (void)want_found(y, y.index, changed_vjp);
    tg_tape_free(t);
}
END_TEST

static void first_alone(const tg_node *y, double *dx) { dx[0] = ((const double *)y->grad)[0]; }

/* x + 1, x + 1e13: for float64 the second does not move by steps of an x of 0.5. */
START_TEST(what_float64_cannot_move_is_no_zero)
{
    tg_tape *t = tg_tape_new(TG_F64);
    tg_tensor y = tg_add(wanting(VECTOR(t, 0.5)), VECTOR(t, 1, 1e13));
    mistake.operand = 0;
    mistake.make = first_alone;
    (void)want_found(y, y.index, changed_vjp);
    tg_tape_free(t);
}
END_TEST

/* Nothing from the first 0 of dy on. */
static void stop_at_zero(const tg_node *y, double *dx) {
    bool stopped = false;
    for (int64_t j = 0; j < y->numel; j++) {
        stopped |= ((const double *)y->grad)[j] == 0;
        dx[j] = stopped ? 0 : dx[j];
    }
}

START_TEST(a_mistake_may_need_the_dy_that_it_had)
{
    tg_tape *t = tg_tape_new(TG_F64);
    tg_tensor x = wanting(VECTOR(t, 0.5, 0.7, 0.9)), y = tg_mul_scalar(x, 3);
    mistake.operand = 0;
    mistake.make = stop_at_zero;
    tg_gradcheck_result r = want_found(tg_sum(tg_mul(y, VECTOR(t, 1, 0, 1)), TG_ALL_DIMS, false), y.index, changed_vjp);
    ck_assert_int_eq(r.wrong, 1);
    tg_tape_free(t);
}
END_TEST

static void negate_all(const tg_node *y, double *dx) {
    for (int j = 0; j < 4 && y; j++)
        dx[j] = -dx[j];
}

/* Scores of 1e15 and more make each row of the softmax all one: the gradient of q is 0, with any sign, and no
 * difference says more. That of a softmax beside 1e8 is less than rounding. But for numbers near 1 they are wrong. */
START_TEST(what_wide_numbers_hide_shows_near_one)
{
    static const double large[][4] = {{1e8, 3e7, -2e7, 5e8}, {4e7, -1e8, 2e8, 1e7}, {1, 2, 3, 4}};
    tg_tape *t = tg_tape_new(TG_F64);
    tg_tensor x[3];
    for (int k = 0; k < 3; k++)
        x[k] = wanting(tg_from_doubles(t, TG_SHAPE(2, 2), large[k]));
    mistake.make = negate_all;
    for (mistake.operand = 0; mistake.operand < 2; mistake.operand++) {
        tg_tensor y = tg_scaled_dot_product_attention(x[0], x[1], x[2], TG_NULL, false, 0, 0);
        tg_gradcheck_result r = want_found(y, y.index, changed_vjp);
        ck_assert_int_eq(r.mistake, TG_MISTAKE_SIGN);
        ck_assert_int_eq(r.operand, mistake.operand + 1);
        ck_assert_msg(strstr(r.diagnosis, "nearer to 1"), "%s", r.diagnosis);
    }
    tg_tape_free(t);
}
END_TEST

static void halve_first(const tg_node *y, double *dx) { dx[0] *= y ? 0.5 : NAN; }

/* gelu's slope of 3e-19 at -9.4, beside 1. */
START_TEST(what_is_rounding_here_is_none_near_one)
{
    tg_tape *t = tg_tape_new(TG_F64);
    tg_tensor y = tg_gelu(wanting(VECTOR(t, -9.387)));
    mistake.operand = 0;
    mistake.make = halve_first;
    (void)want_found(y, y.index, changed_vjp);
    tg_tape_free(t);
}
END_TEST

static void pass_where_saturated(const tg_node *y, double *dx) {
    for (int j = 0; j < 4; j++)
        if (fabs(((const double *)y->data)[j]) == 1)
            dx[j] = ((const double *)y->grad)[j];
}

/* dy passed on where tanh is exactly 1 in float64, and 0 as it should be where y is one unit less: rounding changes the
 * gradient from one to the other, but with it backward says what differences say. */
START_TEST(what_rounding_mends_is_no_rounding)
{
    tg_tape *t = tg_tape_new(TG_F64);
    tg_tensor y = tg_tanh(wanting(VECTOR(t, -20, 4e6, 1e-4, 3)));
    mistake.operand = 0;
    mistake.make = pass_where_saturated;
    (void)want_found(y, y.index, changed_vjp);
    tg_tape_free(t);
}
END_TEST

int main(void) {
    const TTest *const tests[] = {what_wide_steps_show_is_right,
                                  what_steps_to_both_sides_show_is_right,
                                  what_steps_across_branches_show_is_right,
                                  the_middle_may_be_rounded_most,
                                  a_tread_of_a_stair_is_no_slope,
                                  what_is_spoilt_there_is_wrong,
                                  every_row_is_looked_at,
                                  what_is_compared_rounds_as_well,
                                  one_wrong_element_of_many_is_found,
                                  very_many_right_elements_are_right,
                                  what_lies_beside_large_numbers_is_seen,
                                  a_nan_where_no_step_shows_anything_is_wrong,
                                  what_comes_round_has_a_slope,
                                  what_waves_is_no_witness_for_zero,
                                  steps_of_whole_periods_accuse_nothing,
                                  what_no_step_shows_swallowed_is_evidence,
                                  another_element_may_be_lost_in_float64,
                                  there_is_room_between_rounding_and_curvature,
                                  a_straight_line_far_beyond_the_element_is_evidence,
                                  what_float64_cannot_move_is_no_zero,
                                  a_mistake_may_need_the_dy_that_it_had,
                                  what_wide_numbers_hide_shows_near_one,
                                  what_is_rounding_here_is_none_near_one,
                                  what_rounding_mends_is_no_rounding,
                                  wide_steps_and_extreme_dy_accuse_nothing};
    return run_tests("gradcheck_wide", tests, sizeof tests / sizeof *tests, NULL, NULL);
}
