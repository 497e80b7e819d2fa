/* Optimizers, clipping and schedules give PyTorch's numbers on known gradients (tests/golden/make_optim.py), whatever
 * the size of a parameter and the instruction set, and from a file on as without. */
#include "core/kernels/isa.h"
#include "tests/golden/optim.h"
#include "tests/optim_steps.h"

#include <unistd.h>

enum { STEPS = 30 };

/* ---- against PyTorch ---- */

static tg_optim *new_sgd(tg_tape *t, double momentum, double dampening, double decay, bool nesterov, bool maximize) {
    tg_sgd_config c = {0.05, momentum, dampening, decay, nesterov, maximize};
    return tg_sgd_new(t, tg_parameters(t), c);
}

static tg_adam_config adam_config(double beta1, double beta2, double eps, double decay) {
    tg_adam_config c = TG_ADAM_DEFAULTS;
    c.lr = 0.05;
    c.beta1 = beta1;
    c.beta2 = beta2;
    c.eps = eps;
    c.weight_decay = decay;
    return c;
}

/* The optimizer that optim_golden[i] was made with. */
static tg_optim *new_optimizer(tg_tape *t, int i) {
    tg_list all = tg_parameters(t);
    tg_adam_config c;
    switch (i) {
    case 0: return new_sgd(t, 0, 0, 0, false, false);
    case 1: return new_sgd(t, 0.9, 0, 0, false, false);
    case 2: return new_sgd(t, 0.9, 0.3, 0.1, false, false);
    case 3: return new_sgd(t, 0.9, 0, 0.01, true, false);
    case 4: return new_sgd(t, 0, 0, 0.1, false, true);
    case 5: return tg_adam_new(t, all, adam_config(0.9, 0.999, 1e-8, 0));
    case 6: return tg_adam_new(t, all, adam_config(0.8, 0.95, 1e-3, 0.1));
    case 7:
        c = adam_config(0.9, 0.9, 1e-8, 0);
        c.amsgrad = true;
        return tg_adam_new(t, all, c);
    case 8:
        c = adam_config(0.9, 0.999, 1e-8, 0.1);
        c.maximize = true;
        return tg_adam_new(t, all, c);
    case 9: return tg_adam_new(t, all, adam_config(0.3, 0.999, 1e-8, 0));
    case 10:
        c = TG_ADAMW_DEFAULTS;
        c.lr = 0.05;
        return tg_adamw_new(t, all, c);
    default:
        c = adam_config(0.9, 0.9, 1e-8, 0.3);
        c.amsgrad = c.maximize = true;
        return tg_adamw_new(t, all, c);
    }
}

static void train(tg_tape *t, int i, double out[N]) {
    tg_tensor x[2];
    make_parameters(t, x);
    tg_optim *o = new_optimizer(t, i);
    ck_assert_msg(o != NULL, "%s", tg_error(t));
    tg_mark model = tg_tape_mark(t);
    for (int step = 0; step < STEPS; step++) {
        if (step == 15)
            tg_optim_set_lr(o, 0.5 * tg_optim_lr(o));
        give_gradient(x[0], step, 0);
        give_gradient(x[1], step, 1);
        if (step % 3 == 0)
            tg_zero_grad(x[1]);
        ck_assert_msg(tg_optim_step(o) == TG_OK, "%s", tg_error(t));
        tg_optim_zero_grad(o);
        ck_assert(!tg_has_grad(x[0]));
        tg_zeros(t, TG_SHAPE(1000));
        ck_assert_int_eq(tg_tape_rewind(t, model), TG_OK);
    }
    ck_assert_int_eq(tg_read_doubles(x[0], out, N0), TG_OK);
    ck_assert_int_eq(tg_read_doubles(x[1], out + N0, N1), TG_OK);
}

static void compare(const char *name, const double *got, const double *expected, double tolerance) {
    for (int j = 0; j < N; j++)
        ck_assert_msg(fabs(got[j] - expected[j]) <= tolerance * fmax(1, fabs(expected[j])),
                      "%s, element %d: %.17g, not %.17g", name, j, got[j], expected[j]);
}

START_TEST(updates_are_pytorchs)
{
    double got[N];
    tg_tape *t = tg_tape_new(TG_F64);
    train(t, _i, got);
    compare(optim_golden[_i].name, got, optim_golden[_i].f64, 1e-13);
    tg_tape_free(t);
    t = tg_tape_new(TG_F32);
    train(t, _i, got);
    compare(optim_golden[_i].name, got, optim_golden[_i].f32, 1e-6);
    tg_tape_free(t);
}
END_TEST

/* The values, repeated to n. */
static void repeat(const double *value, int size, double *out, int64_t n) {
    for (int64_t j = 0; j < n; j++)
        out[j] = value[j % size];
}

/* Parameters of many elements, which threads share and whose shares reach from one parameter into the next, move as
 * the small ones do. */
START_TEST(large_parameters_move_as_small_ones)
{
    enum { LARGE = 35003 };
    tg_tape *t = tg_tape_new(TG_F32), *small = tg_tape_new(TG_F32);
    tg_tensor x[2], few[2];
    double value[N0], expected[2][N0], *many = malloc(sizeof *many * LARGE);
    ck_assert(many != NULL);
    make_parameters(small, few);
    for (int p = 0; p < 2; p++) {
        ck_assert_int_eq(tg_read_doubles(few[p], value, sizes[p]), TG_OK);
        repeat(value, sizes[p], many, LARGE);
        x[p] = tg_parameter(t, p ? "b" : "a", tg_from_doubles(t, TG_SHAPE(LARGE), many));
    }
    tg_optim *one = new_optimizer(small, _i), *other = new_optimizer(t, _i);
    for (int step = 0; step < 4; step++) {
        for (int p = 0; p < 2; p++) {
            if (step == 2 && p == 0)
                continue; /* from now on the numbers of steps differ */
            give_gradient(few[p], step, p);
            for (int j = 0; j < sizes[p]; j++)
                value[j] = gradient(step, p, j);
            repeat(value, sizes[p], many, LARGE);
            ck_assert_int_eq(tg_write_grad(x[p], many, LARGE), TG_OK);
        }
        ck_assert(tg_optim_step(one) == TG_OK && tg_optim_step(other) == TG_OK);
        tg_optim_zero_grad(one);
        tg_optim_zero_grad(other);
    }
    for (int p = 0; p < 2; p++) {
        ck_assert_int_eq(tg_read_doubles(few[p], expected[p], sizes[p]), TG_OK);
        ck_assert_int_eq(tg_read_doubles(x[p], many, LARGE), TG_OK);
        int64_t wrong = 0;
        for (int64_t j = 0; j < LARGE; j++)
            wrong += many[j] != expected[p][j % sizes[p]];
        ck_assert_msg(wrong == 0, "%s, parameter %d: %lld elements differ", optim_golden[_i].name, p, (long long)wrong);
    }
    free(many);
    tg_tape_free(t);
    tg_tape_free(small);
}
END_TEST

START_TEST(every_instruction_set_has_the_same_bits)
{
    enum { ODD = 1003 };
    for (int dtype = TG_F32; dtype <= TG_F64; dtype++) {
        double plain[ODD], got[ODD];
        for (int set = 0; tg_isa_at(set); set++) {
            tg_isa_use(tg_isa_at(set));
            tg_tape *t = tg_tape_new((tg_dtype)dtype);
            tg_tensor x = tg_parameter(t, "x", tg_randn(t, TG_SHAPE(ODD)));
            tg_optim *o = new_optimizer(t, _i);
            for (int step = 0; step < 3; step++) {
                ck_assert_int_eq(tg_backward_with(x, tg_randn(t, TG_SHAPE(ODD))), TG_OK);
                ck_assert_int_eq(tg_optim_step(o), TG_OK);
            }
            ck_assert_int_eq(tg_read_doubles(x, set ? got : plain, ODD), TG_OK);
            ck_assert_msg(!set || memcmp(got, plain, sizeof plain) == 0, "%s: %s differs", optim_golden[_i].name,
                          tg_isa_now()->name);
            tg_tape_free(t);
        }
    }
}
END_TEST

/* Under a constant gradient m = (1 - beta1^t) g and v = (1 - beta2^t) g^2, so every step is lr g / (|g| + eps). */
START_TEST(adam_s_steps_under_a_constant_gradient_are_equal)
{
    tg_tape *t = tg_tape_new(TG_F64);
    tg_tensor x = tg_parameter(t, "x", tg_full(t, TG_SHAPE(1), 3));
    tg_adam_config c = TG_ADAM_DEFAULTS;
    c.lr = 0.001;
    c.beta2 = 0.99;
    tg_optim *adam = tg_adam_new(t, tg_parameters(t), c);
    for (int step = 1; step <= 6000; step++) {
        double before, after;
        ck_assert_int_eq(tg_write_grad(x, (double[]){-2}, 1), TG_OK);
        ck_assert_int_eq(tg_read_doubles(x, &before, 1), TG_OK);
        ck_assert_int_eq(tg_optim_step(adam), TG_OK);
        ck_assert_int_eq(tg_read_doubles(x, &after, 1), TG_OK);
        ck_assert_double_eq_tol(after - before, 0.001 * 2 / (2 + c.eps), 1e-14);
    }
    tg_tape_free(t);
}
END_TEST

START_TEST(clip_grad_norm_is_pytorchs)
{
    tg_tape *t = tg_tape_new(TG_F64);
    tg_tensor x[2];
    make_parameters(t, x);
    give_gradient(x[0], 0, 0);
    give_gradient(x[1], 0, 1);
    double total, got[N];
    ck_assert_int_eq(tg_clip_grad_norm(tg_parameters(t), clip_norm_golden[_i].max_norm, clip_norm_golden[_i].p, &total),
                     TG_OK);
    ck_assert_double_eq_tol(total, clip_norm_golden[_i].total, 1e-12);
    ck_assert_int_eq(tg_read_doubles(tg_grad(x[0]), got, N0), TG_OK);
    ck_assert_int_eq(tg_read_doubles(tg_grad(x[1]), got + N0, N1), TG_OK);
    compare("clip_grad_norm", got, clip_norm_golden[_i].grad, 1e-13);
    tg_tape_free(t);
}
END_TEST

START_TEST(clip_grad_value_is_pytorchs)
{
    tg_tape *t = tg_tape_new(TG_F64);
    tg_tensor x[2];
    make_parameters(t, x);
    give_gradient(x[0], 0, 0);
    give_gradient(x[1], 0, 1);
    double got[N];
    ck_assert_int_eq(tg_clip_grad_value(tg_parameters(t), 0.75), TG_OK);
    ck_assert_int_eq(tg_read_doubles(tg_grad(x[0]), got, N0), TG_OK);
    ck_assert_int_eq(tg_read_doubles(tg_grad(x[1]), got + N0, N1), TG_OK);
    compare("clip_grad_value", got, clip_value_golden, 0);
    tg_tape_free(t);
}
END_TEST

/* Large enough that its blocks need more room than the memory that was asked for before. */
START_TEST(a_large_gradient_has_the_norm_of_its_parts)
{
    enum { LARGE = 3000000 };
    tg_tape *t = tg_tape_new(TG_F32);
    tg_tensor x = tg_parameter(t, "x", tg_zeros(t, TG_SHAPE(LARGE)));
    const double p[] = {2, 1, INFINITY}, expected[] = {2 * sqrt(LARGE), 2.0 * LARGE, 2};
    ck_assert_int_eq(tg_backward(tg_sum(tg_mul_scalar(x, 2), TG_ALL_DIMS, false)), TG_OK);
    for (int i = 0; i < 3; i++) {
        double norm;
        ck_assert_int_eq(tg_clip_grad_norm(tg_parameters(t), 1e9, p[i], &norm), TG_OK);
        ck_assert_double_eq_tol(norm, expected[i], 1e-6);
    }
    tg_tape_free(t);
}
END_TEST

/* ---- schedules ---- */

static double rate(int schedule, int64_t t) {
    static const int64_t milestones[] = {2, 9, 9, 20};
    switch (schedule) {
    case 0: return tg_lr_step(0.2, t, 4, 0.5);
    case 1: return tg_lr_multistep(0.2, t, milestones, 4, 0.3);
    case 2: return tg_lr_exponential(0.2, t, 0.9);
    case 3: return tg_lr_linear(0.2, t, 0.25, 0.75, 10);
    case 4: return tg_lr_polynomial(0.2, t, 15, 2.5);
    case 5: return tg_lr_cosine(0.2, t, 10, 0.02);
    case 6: return tg_lr_warm_restarts(0.2, t, 4, 1, 0.02);
    default: return tg_lr_warm_restarts(0.2, t, 3, 2, 0);
    }
}

START_TEST(schedules_are_pytorchs)
{
    for (int t = 0; t < 26; t++)
        ck_assert_msg(fabs(rate(_i, t) - schedule_golden[_i][t]) <= 1e-14, "schedule %d at %d: %.17g, not %.17g", _i, t,
                      rate(_i, t), schedule_golden[_i][t]);
}
END_TEST

/* By arithmetic: linear parts, and a cosine at 0, a third, a half, two thirds and all of its way. */
START_TEST(warmup_schedules_rise_and_fall)
{
    const struct {
        int64_t t;
        double cosine, floor;
    } at[] = {{0, 0, 0.25},   {1, 0.25, 0.5},   {3, 0.75, 1}, {4, 1, 1},   {6, 0.75, 0.775},
              {7, 0.5, 0.55}, {8, 0.25, 0.325}, {10, 0, 0.1}, {99, 0, 0.1}};
    for (size_t i = 0; i < sizeof at / sizeof *at; i++) {
        ck_assert_double_eq_tol(tg_lr_warmup_cosine(2, at[i].t, 4, 10), 2 * at[i].cosine, 1e-15);
        ck_assert_double_eq_tol(tg_lr_warmup_floor(2, at[i].t, 4, 10, 0.1), 2 * at[i].floor, 1e-15);
    }
    ck_assert_double_eq(tg_lr_warmup_cosine(2, 0, 0, 10), 2);
}
END_TEST

START_TEST(a_schedule_of_one_step_has_a_start_and_an_end)
{
    ck_assert(tg_lr_linear(2, 0, 0.25, 0.75, 1) == 0.5 && tg_lr_linear(2, 1, 0.25, 0.75, 1) == 1.5);
    ck_assert(tg_lr_polynomial(2, 0, 1, 3) == 2 && tg_lr_polynomial(2, 1, 1, 3) == 0);
}
END_TEST

START_TEST(a_schedule_out_of_range_is_not_a_number)
{
    ck_assert(isnan(tg_lr_step(1, 3, 0, 0.5)) && isnan(tg_lr_step(1, -1, 2, 0.5)));
    ck_assert_double_eq(tg_lr_multistep(0.2, 3, NULL, 0, 0.5), 0.2);
    ck_assert(isnan(tg_lr_multistep(1, 3, (int64_t[]){5, 4}, 2, 0.5)) && isnan(tg_lr_multistep(1, 3, NULL, 2, 0.5)));
    ck_assert(isnan(tg_lr_exponential(1, -1, 0.5)) && isnan(tg_lr_linear(1, 3, 0, 1, 0)));
    ck_assert(isnan(tg_lr_polynomial(1, 3, 0, 1)) && isnan(tg_lr_cosine(1, 3, 0, 0)));
    ck_assert(isnan(tg_lr_warm_restarts(1, 3, 0, 1, 0)) && isnan(tg_lr_warm_restarts(1, 3, 2, 0, 0)));
    ck_assert(isnan(tg_lr_warmup_cosine(1, 3, 4, 4)) && isnan(tg_lr_warmup_floor(1, 3, -1, 4, 0)));
    ck_assert(isfinite(tg_lr_warm_restarts(1, INT64_MAX, 1, INT64_MAX, 0.5)));
}
END_TEST

/* ---- files ---- */

#ifndef TG_NO_FILES
/* Steps from..to on given gradients; b has none at every third. */
static void take_steps(tg_tape *t, tg_optim *o, int from, int to) {
    for (int step = from; step < to; step++) {
        give_gradient(tg_named(t, "a"), step, 0);
        give_gradient(tg_named(t, "b"), step, 1);
        if (step % 3 == 0)
            tg_zero_grad(tg_named(t, "b"));
        ck_assert_msg(tg_optim_step(o) == TG_OK, "%s", tg_error(t));
    }
}

static void read_both(tg_tape *t, double out[N]) {
    ck_assert_int_eq(tg_read_doubles(tg_named(t, "a"), out, N0), TG_OK);
    ck_assert_int_eq(tg_read_doubles(tg_named(t, "b"), out + N0, N1), TG_OK);
}

/* 2 n steps are n steps, a file, and n steps of another optimizer on another tape, in every bit. */
START_TEST(a_run_goes_on_from_a_file)
{
    char folder[300], path[400];
    ck_assert(make_folder("optim_test", folder, sizeof folder));
    snprintf(path, sizeof path, "%s/state.safetensors", folder);
    for (int dtype = TG_F32; dtype <= TG_F64; dtype++) {
        double whole[N], halves[N];
        tg_tensor x[2];
        tg_tape *t = tg_tape_new((tg_dtype)dtype);
        make_parameters(t, x);
        tg_optim *o = new_optimizer(t, _i);
        take_steps(t, o, 0, 7);
        ck_assert_msg(tg_save_run(t, path, (tg_run){.optim = {o}}) == TG_OK, "%s", tg_error(t));
        take_steps(t, o, 7, 14);
        read_both(t, whole);
        tg_tape_free(t);
        t = tg_tape_new((tg_dtype)dtype);
        make_parameters(t, x);
        o = new_optimizer(t, _i);
        ck_assert_msg(tg_load_run(t, path, (tg_run){.optim = {o}}) == TG_OK, "%s", tg_error(t));
        take_steps(t, o, 7, 14);
        read_both(t, halves);
        ck_assert(memcmp(whole, halves, sizeof whole) == 0);
        tg_tape_free(t);
    }
    ck_assert_int_eq(remove(path), 0);
    ck_assert_int_eq(rmdir(folder), 0);
}
END_TEST
#endif

int main(void) {
    TCase *c = tcase_create("optim");
    tcase_add_loop_test(c, updates_are_pytorchs, 0, sizeof optim_golden / sizeof *optim_golden);
    tcase_add_loop_test(c, large_parameters_move_as_small_ones, 0, sizeof optim_golden / sizeof *optim_golden);
    tcase_add_loop_test(c, every_instruction_set_has_the_same_bits, 0, sizeof optim_golden / sizeof *optim_golden);
    tcase_add_test(c, adam_s_steps_under_a_constant_gradient_are_equal);
    tcase_add_loop_test(c, clip_grad_norm_is_pytorchs, 0, sizeof clip_norm_golden / sizeof *clip_norm_golden);
    tcase_add_test(c, clip_grad_value_is_pytorchs);
    tcase_add_loop_test(c, schedules_are_pytorchs, 0, sizeof schedule_golden / sizeof *schedule_golden);
    tcase_add_test(c, warmup_schedules_rise_and_fall);
    tcase_add_test(c, a_schedule_of_one_step_has_a_start_and_an_end);
    tcase_add_test(c, a_schedule_out_of_range_is_not_a_number);
#ifndef TG_NO_FILES
    tcase_add_loop_test(c, a_run_goes_on_from_a_file, 0, sizeof optim_golden / sizeof *optim_golden);
#endif
    tcase_add_test(c, a_large_gradient_has_the_norm_of_its_parts);
    return run_suite("optim", c);
}
