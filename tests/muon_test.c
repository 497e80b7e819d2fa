/* Muon's updates are torch.optim.Muon's (tests/golden/make_muon.py), with the same bits at any number of threads; what
 * it refuses is an error. */
#include "optim/optim.h"
#include "tests/golden/muon.h"
#include "tests/support.h"

#include <math.h>

enum { STEPS = 24, SHAPES = 5, CASES = sizeof muon_golden / sizeof *muon_golden };
enum { N = sizeof muon_golden[0].f64 / sizeof(double), MOST = 40 };
static const int64_t rows[SHAPES] = {7, 4, 5, 1, 3}, columns[SHAPES] = {4, 9, 5, 6, 1};
static const double rate = 0.02;

/* ---- against PyTorch ---- */

static int64_t value(int step, int p, double *out) {
    int64_t n = rows[p] * columns[p];
    for (int64_t j = 0; j < n; j++)
        out[j] = sin(0.37 * (double)(j * j) + 1.7 * step + 2.1 * p);
    return n;
}

static tg_muon_config config_of(int i) {
    tg_muon_config c = TG_MUON_DEFAULTS;
    c.lr = rate;
    switch (i) {
    case 0: break;
    case 1:
        c.nesterov = false;
        c.momentum = 0.8;
        c.weight_decay = 0;
        break;
    case 2:
        c.adjust_lr_fn = TG_MUON_MATCH_RMS_ADAMW;
        c.weight_decay = 0.3;
        c.momentum = 0.3;
        break;
    case 3:
        c.adjust_lr_fn = TG_MUON_SPECTRAL_UNCLAMPED;
        c.ns_steps = 3;
        break;
    case 4:
        c.a = 1.5;
        c.b = -0.5;
        c.c = 0;
        c.ns_steps = 12;
        c.nesterov = false;
        break;
    default:
        c.ns_steps = 0;
        c.eps = 20;
        c.momentum = 0;
    }
    return c;
}

static void train(tg_dtype dtype, int i, double *out) {
    tg_tape *t = tg_tape_new(dtype);
    tg_tensor x[SHAPES];
    double v[MOST];
    for (int p = 0; p < SHAPES; p++) {
        char name[2] = {(char)('a' + p), 0};
        value(-1, p, v);
        x[p] = tg_parameter(t, name, tg_from_doubles(t, TG_SHAPE(rows[p], columns[p]), v));
    }
    tg_optim *muon = tg_muon_new(t, tg_parameters(t), config_of(i));
    for (int step = 0; step < STEPS; step++) {
        tg_optim_scale_lr(muon, tg_lr_step(1, step, 12, 0.5));
        for (int p = 0; p < SHAPES; p++) {
            int64_t n = value(step, p, v);
            if (p != 1 || step % 3)
                ck_assert_int_eq(tg_write_grad(x[p], v, n), TG_OK);
        }
        ck_assert_msg(tg_optim_step(muon) == TG_OK, "%s", tg_error(t));
        tg_optim_zero_grad(muon);
    }
    for (int p = 0; p < SHAPES; out += rows[p] * columns[p], p++)
        ck_assert_int_eq(tg_read_doubles(x[p], out, rows[p] * columns[p]), TG_OK);
    tg_tape_free(t);
}

static void compare(int i, const double *got, const double *want, double tolerance) {
    for (size_t j = 0; j < N; j++)
        ck_assert_msg(fabs(got[j] - want[j]) <= tolerance, "%s, element %zu: %.17g, not %.17g", muon_golden[i].name, j,
                      got[j], want[j]);
}

START_TEST(updates_are_pytorchs)
{
    double got[N];
    train(TG_F64, _i, got);
    compare(_i, got, muon_golden[_i].f64, 1e-13);
    train(TG_F32, _i, got);
    compare(_i, got, muon_golden[_i].f64, 1e-5);
}
END_TEST

/* bfloat16 has 8 bits: a hundredth of all that a weight may have moved in 24 steps. */
START_TEST(updates_are_near_pytorchs_in_bfloat16)
{
    double got[N], moved = STEPS / 2 * (rate + rate / 2);
    train(TG_F32, _i, got);
    compare(_i, got, muon_golden[_i].bf16, 0.01 * moved);
}
END_TEST

/* ---- by arithmetic ---- */

static double polynomial(const tg_muon_config *c, double s) { return s * (c->a + s * s * (c->b + s * s * c->c)); }

/* Where the gradient is c times a matrix Q with orthonormal columns, X is Q / sqrt 2 at first, and stays a multiple of
 * Q. */
START_TEST(an_orthogonal_gradient_stays_one)
{
    const double Q[6] = {0.6, 0, 0.8, 0, 0, 1}, sizes[] = {1e-30, 3, 1e30};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        tg_tape *t = tg_tape_new(TG_F64);
        tg_tensor x = tg_parameter(t, "x", tg_full(t, TG_SHAPE(3, 2), 1));
        tg_muon_config c = TG_MUON_DEFAULTS;
        c.eps = 1e-40;
        c.lr = 0.25;
        c.weight_decay = 0.5;
        tg_optim *muon = tg_muon_new(t, tg_parameters(t), c);
        double g[6], want[6], s = 1 / sqrt(2);
        for (int k = 0; k < c.ns_steps; k++)
            s = polynomial(&c, s);
        for (int j = 0; j < 6; j++) {
            g[j] = sizes[i] * Q[j];
            want[j] = 1 - 0.25 * 0.5 - 0.25 * sqrt(1.5) * s * Q[j];
        }
        ck_assert_int_eq(tg_write_grad(x, g, 6), TG_OK);
        ck_assert_int_eq(tg_optim_step(muon), TG_OK);
        want_values(x, 6, want);
        tg_tape_free(t);
    }
}
END_TEST

/* A gradient of zeros: the decay alone. A matrix without elements: nothing. */
START_TEST(a_zero_gradient_leaves_the_decay_alone)
{
    tg_tape *t = tg_tape_new(TG_F32);
    tg_tensor x = tg_parameter(t, "x", tg_full(t, TG_SHAPE(2, 3), 4)),
              none = tg_parameter(t, "y", tg_zeros(t, TG_SHAPE(0, 3)));
    tg_muon_config c = TG_MUON_DEFAULTS;
    c.lr = 0.5;
    c.weight_decay = 0.5;
    tg_optim *muon = tg_muon_new(t, tg_parameters(t), c);
    run_backward(tg_add(total(tg_mul_scalar(x, 0)), total(none)));
    ck_assert_msg(tg_optim_step(muon) == TG_OK, "%s", tg_error(t));
    WANT_VALUES(x, 3, 3, 3, 3, 3, 3);
    tg_tape_free(t);
}
END_TEST

/* ---- threads ---- */

enum { TALL = 300, WIDE = 700 };

static void train_large(tg_dtype dtype, int threads, double *out) {
    tg_set_threads(threads);
    tg_tape *t = seeded_tape(dtype, 5);
    tg_tensor a = tg_parameter(t, "a", tg_randn(t, TG_SHAPE(TALL, WIDE))),
              b = tg_parameter(t, "b", tg_randn(t, TG_SHAPE(WIDE, TALL)));
    tg_optim *muon = tg_muon_new(t, tg_parameters(t), TG_MUON_DEFAULTS);
    tg_mark built = tg_tape_mark(t);
    for (int step = 0; step < 2; step++) {
        tg_optim_zero_grad(muon);
        run_backward(tg_sum(tg_square(tg_matmul(a, tg_tanh(tg_mul_scalar(b, 0.01)))), TG_ALL_DIMS, false));
        ck_assert_int_eq(tg_optim_step(muon), TG_OK);
        ck_assert_int_eq(tg_tape_rewind(t, built), TG_OK);
    }
    ck_assert_int_eq(tg_read_doubles(a, out, TALL * WIDE), TG_OK);
    ck_assert_int_eq(tg_read_doubles(b, out + TALL * WIDE, TALL * WIDE), TG_OK);
    tg_tape_free(t);
    tg_set_threads(1);
}

START_TEST(the_number_of_threads_changes_no_bit)
{
    size_t bytes = 2 * TALL * WIDE * sizeof(double);
    double *one = malloc(bytes), *more = malloc(bytes);
    tg_dtype dtype = _i ? TG_F64 : TG_F32;
    train_large(dtype, 1, one);
    for (int threads = 2; threads <= 8; threads += 3) {
        train_large(dtype, threads, more);
        ck_assert_msg(memcmp(one, more, bytes) == 0, "%d threads", threads);
    }
    free(one);
    free(more);
}
END_TEST

/* ---- what is refused ---- */

static void want_refused(tg_tape *t, tg_muon_config c, const char *why) {
    ck_assert_ptr_null(tg_muon_new(t, tg_parameters(t), c));
    WANT_ERROR(t, TG_ERR_ARGUMENT, why);
}

START_TEST(only_matrices_are_accepted)
{
    static const char *const why[] = {"muon: parameter b () does not have 2 dims",
                                      "muon: parameter b (3,) does not have 2 dims",
                                      "muon: parameter b (2, 2, 2) does not have 2 dims; give it to another optimizer"};
    for (int i = 0; i < 3; i++) {
        tg_tape *t = tg_tape_new(TG_F32);
        tg_parameter(t, "a", tg_ones(t, TG_SHAPE(2, 2)));
        tg_parameter(t, "b", tg_ones(t, i == 0 ? TG_SCALAR : i == 1 ? TG_SHAPE(3) : TG_SHAPE(2, 2, 2)));
        want_refused(t, TG_MUON_DEFAULTS, why[i]);
        tg_selection matrices = TG_SELECT_ALL;
        matrices.min_ndim = matrices.max_ndim = 2;
        ck_assert_ptr_nonnull(tg_muon_new(t, tg_parameters_where(t, matrices), TG_MUON_DEFAULTS));
        tg_tape_free(t);
    }
}
END_TEST

START_TEST(numbers_out_of_range_are_refused)
{
#define WITH(field, number, why)             \
    do {                                     \
        tg_muon_config c = TG_MUON_DEFAULTS; \
        c.field = number;                    \
        want_refused(t, c, why);             \
    } while (0)
    tg_tape *t = tg_tape_new(TG_F32);
    tg_tensor x = tg_parameter(t, "a", tg_ones(t, TG_SHAPE(2, 2)));
    WITH(lr, -1, "muon: lr is -1");
    WITH(momentum, NAN, "muon: momentum is nan");
    WITH(weight_decay, INFINITY, "muon: weight_decay is inf");
    WITH(eps, 0, "muon: eps is 0");
    WITH(a, NAN, "a, b, c are nan, -4.775, 2.0315");
    WITH(b, INFINITY, "a, b, c are 3.4445, inf, 2.0315");
    WITH(c, NAN, "a, b, c are 3.4445, -4.775, nan");
    WITH(ns_steps, -1, "muon: ns_steps is -1, but must be 0 to 99");
    WITH(ns_steps, 100, "muon: ns_steps is 100");
    WITH(adjust_lr_fn, (tg_muon_adjust)3, "muon: adjust_lr_fn is 3");
    tg_optim *adam = tg_adam_new(t, tg_parameters(t), TG_ADAM_DEFAULTS),
             *muon = tg_muon_new(t, tg_parameters(t), TG_MUON_DEFAULTS);
    ck_assert_int_eq(tg_muon_add_group(adam, (tg_list){t, 1, &x}, TG_MUON_DEFAULTS), TG_ERR_ARGUMENT);
    WANT_ERROR(t, TG_ERR_ARGUMENT, "muon: a group for muon cannot be added to adam");
    ck_assert_int_eq(tg_adam_add_group(muon, (tg_list){t, 1, &x}, TG_ADAM_DEFAULTS), TG_ERR_ARGUMENT);
    WANT_ERROR(t, TG_ERR_ARGUMENT, "cannot be added to muon");
    ck_assert_int_eq(tg_muon_add_group(NULL, (tg_list){t, 1, &x}, TG_MUON_DEFAULTS), TG_ERR_ARGUMENT);
    WANT_ERROR(t, TG_ERR_ARGUMENT, "muon: the optimizer is NULL");
    ck_assert_int_eq(tg_muon_add_group(muon, (tg_list){t, 1, &x}, TG_MUON_DEFAULTS), TG_ERR_ARGUMENT);
    WANT_ERROR(t, TG_ERR_ARGUMENT, "is given twice");
    tg_tape_free(t);
}
END_TEST

int main(void) {
    TCase *c = tcase_create("muon");
    tcase_add_loop_test(c, updates_are_pytorchs, 0, CASES);
    tcase_add_loop_test(c, updates_are_near_pytorchs_in_bfloat16, 0, CASES);
    tcase_add_test(c, an_orthogonal_gradient_stays_one);
    tcase_add_test(c, a_zero_gradient_leaves_the_decay_alone);
    tcase_add_loop_test(c, the_number_of_threads_changes_no_bit, 0, 2);
    tcase_add_test(c, only_matrices_are_accepted);
    tcase_add_test(c, numbers_out_of_range_are_refused);
    return run_suite("muon", c);
}
