/* What a program adds with the installed headers alone works as the library's own: the optimizer and the operation of
 * tests/outside give PyTorch's numbers, also with everything else that the library does. */
#include "nn/nn.h"
#include "tests/golden/outside.h"
#include "tests/outside/outside.h"
#include "tests/support.h"

#include <stdio.h>
#include <unistd.h>

/* ---- Lion ---- */

enum { FIRST = 5, SECOND = 3 };

/* As in make_outside.py: a group each, the second without a gradient in every third step, rates halved half-way. */
START_TEST(lions_updates_are_pytorchs)
{
    tg_tape *t = tg_tape_new(_i ? TG_F64 : TG_F32);
    const double *want = _i ? lion_f64 : lion_f32;
    double value[FIRST + SECOND], g[FIRST];
    for (int j = 0; j < FIRST + SECOND; j++)
        value[j] = j < FIRST ? cos(j) : cos(j - FIRST + 1);
    tg_tensor p[] = {wanting(leaf_of(t, TG_SHAPE(FIRST), value)), wanting(leaf_of(t, TG_SHAPE(SECOND), value + FIRST))};
    tg_optim *o = lion_new(t, (tg_list){t, 1, &p[0]}, (lion_config){0.05, 0.9, 0.99, 0.1});
    ck_assert_int_eq(lion_add_group(o, (tg_list){t, 1, &p[1]}, (lion_config){0.02, 0.7, 0.8, 0}), TG_OK);
    for (int step = 0; step < LION_STEPS; step++) {
        if (step == LION_STEPS / 2)
            tg_optim_scale_lr(o, 0.5);
        tg_optim_zero_grad(o);
        for (int k = 0; k < 2; k++) {
            int n = k ? SECOND : FIRST;
            for (int j = 0; j < n; j++)
                g[j] = sin(1.7 * step + 0.9 * j + 2.1 * k) * (1 + j);
            if (!k || step % 3)
                ck_assert_int_eq(tg_write_grad(p[k], g, n), TG_OK);
        }
        ck_assert_int_eq(tg_optim_step(o), TG_OK);
    }
    for (int k = 0; k < 2; k++) {
        ck_assert_int_eq(tg_read_doubles(p[k], value, k ? SECOND : FIRST), TG_OK);
        for (int j = 0; j < (k ? SECOND : FIRST); j++)
            ck_assert_msg(fabs(value[j] - want[k * FIRST + j]) < (_i ? 1e-14 : 3e-7), "%d %d: %.17g", k, j, value[j]);
    }
    tg_tape_free(t);
}
END_TEST

/* ---- linear attention ---- */

typedef struct operands {
    tg_tape *t;
    tg_tensor in[4], y, end;
} operands;

static const tg_shape la_shape[] = {
    {3, {LA_B, LA_T, LA_D}}, {3, {LA_B, LA_T, LA_D}}, {3, {LA_B, LA_T, LA_DV}}, {3, {LA_B, LA_D, LA_DV + 1}}};

static operands la_inputs(tg_dtype dtype) {
    const double *const value[] = {la_q, la_k, la_v, la_state};
    operands o = {.t = tg_tape_new(dtype)};
    for (int i = 0; i < 4; i++)
        o.in[i] = wanting(leaf_of(o.t, la_shape[i], value[i]));
    return o;
}

static operands la_open(tg_dtype dtype) {
    operands o = la_inputs(dtype);
    o.y = linear_attention(o.in[0], o.in[1], o.in[2], o.in[3], &o.end);
    WANT_OK(o.t);
    return o;
}

/* within relative `most` of the largest */
static void want_near(tg_tensor x, const double *want, double most) {
    int64_t n = tg_numel(x);
    double *value = malloc((size_t)n * sizeof *value), largest = 0;
    ck_assert_int_eq(tg_read_doubles(x, value, n), TG_OK);
    for (int64_t j = 0; j < n; j++)
        largest = fmax(largest, fabs(want[j]));
    for (int64_t j = 0; j < n; j++)
        ck_assert_msg(fabs(value[j] - want[j]) <= most * largest, "[%d] %.17g, not %.17g", (int)j, value[j], want[j]);
    free(value);
}

START_TEST(attention_is_pytorchs)
{
    double most = _i ? 1e-13 : 1e-6;
    const double *const grads[] = {la_grad_both, la_grad_y, la_grad_end};
    for (int which = 0; which < 3; which++) {
        operands o = la_open(_i ? TG_F64 : TG_F32);
        want_near(o.y, la_y, most);
        want_near(o.end, la_end, most);
        tg_tensor of_y = total(tg_mul(o.y, leaf_of(o.t, tg_shape_of(o.y), la_dy)));
        tg_tensor of_end = total(tg_mul(o.end, leaf_of(o.t, tg_shape_of(o.end), la_dend)));
        run_backward(which == 0 ? tg_add(of_y, of_end) : which == 1 ? of_y : of_end);
        const double *want = grads[which];
        for (int i = 0; i < 4; i++) {
            want_near(tg_grad(o.in[i]), want, which == 2 && i == 0 ? 0 : most); /* the state does not see q */
            want += tg_numel(o.in[i]);
        }
        tg_tape_free(o.t);
    }
}
END_TEST

START_TEST(attention_passes_the_check)
{
    for (int which = 0; which < 3; which++)
        for (int mode = 0; mode < 2; mode++) {
            operands o = la_open(_i ? TG_F64 : TG_F32);
            tg_gradcheck_config config = TG_GRADCHECK_DEFAULTS;
            config.mode = (tg_gradcheck_mode)mode;
            tg_tensor of_y = total(tg_square(o.y)), of_end = total(tg_sin(o.end));
            tg_tensor loss = which == 0 ? tg_add(of_y, of_end) : which == 1 ? of_y : of_end;
            ck_assert_msg(tg_gradcheck(loss, config, NULL) == TG_OK, "%s", tg_error(o.t));
            tg_tape_free(o.t);
        }
}
END_TEST

/* Two halves of the tokens, the state handed on, are the whole: results and gradients. */
START_TEST(attention_in_halves_is_the_whole)
{
    operands whole = la_open(TG_F64), o = la_inputs(TG_F64);
    tg_tensor state = o.in[3], y[2], end;
    for (int half = 0; half < 2; half++, state = end) {
        tg_tensor part[3];
        for (int i = 0; i < 3; i++)
            part[i] = tg_slice(o.in[i], 1, half ? 2 : 0, half ? LA_T : 2, 1); /* not contiguous */
        y[half] = linear_attention(part[0], part[1], part[2], state, &end);
    }
    tg_tensor both = tg_cat(y, 2, 1);
    want_near(both, la_y, 1e-13);
    want_near(end, la_end, 1e-13);
    run_backward(tg_add(total(tg_square(both)), total(tg_square(end))));
    run_backward(tg_add(total(tg_square(whole.y)), total(tg_square(whole.end))));
    for (int i = 0; i < 4; i++) {
        double want[64];
        ck_assert_int_eq(tg_read_doubles(tg_grad(whole.in[i]), want, tg_numel(whole.in[i])), TG_OK);
        want_near(tg_grad(o.in[i]), want, 1e-12);
    }
    tg_tape_free(whole.t);
    tg_tape_free(o.t);
}
END_TEST

START_TEST(attention_refuses_what_does_not_fit)
{
    operands o = la_open(TG_F64);
    tg_tensor end = o.y, dx;
    ck_assert(tg_is_null(linear_attention(o.in[0], o.in[1], o.in[2], o.in[2], &end)) && tg_is_null(end));
    WANT_ERROR(o.t, TG_ERR_SHAPE, "linear_attention: q (2, 5, 3), k (2, 5, 3), v (2, 5, 4), state (2, 5, 4)");
    ck_assert(tg_is_null(linear_attention(TG_NULL, o.in[1], o.in[2], o.in[3], NULL)));
    WANT_ERROR(o.t, TG_ERR_ARGUMENT, "linear_attention");
    ck_assert_int_eq(tg_gradients(total(o.y), TG_NULL, o.in, 1, &dx), TG_ERR_STATE);
    WANT_ERROR(o.t, TG_ERR_STATE, "linear_attention", "no grad");
    tg_tape_free(o.t);
}
END_TEST

/* No tokens, no sequences, no channels. */
START_TEST(attention_of_no_elements_is_no_error)
{
    const int64_t size[][4] = {{2, 0, 3, 4}, {0, 5, 3, 4}, {2, 5, 3, 0}, {0, 0, 0, 0}};
    for (size_t i = 0; i < sizeof size / sizeof *size; i++) {
        tg_tape *t = tg_tape_new(TG_F32);
        int64_t B = size[i][0], T = size[i][1], d = size[i][2], dv = size[i][3];
        tg_tensor q = wanting(tg_randn(t, TG_SHAPE(B, T, d))), v = wanting(tg_randn(t, TG_SHAPE(B, T, dv))), end;
        tg_tensor state = wanting(tg_ones(t, TG_SHAPE(B, d, dv + 1))), y = linear_attention(q, q, v, state, &end);
        run_backward(tg_add(total(y), total(end)));
        WANT_OK(t);
        tg_tape_free(t);
    }
}
END_TEST

/* ---- together: a small model of linear attention that Lion trains ---- */

enum { BATCH = 6, LENGTH = 20, WIDTH = 160, STEPS = 4 };

typedef struct model {
    tg_tape *t;
    tg_nn_linear qkv, out;
    tg_optim *o;
    int64_t step;
    tg_run_number place;
} model;

static void model_new(model *m, uint64_t seed) {
    m->t = tg_tape_new(TG_F32);
    tg_manual_seed(m->t, seed);
    m->qkv = tg_nn_linear_new(m->t, "qkv", WIDTH, 3 * WIDTH, true);
    m->out = tg_nn_linear_new(m->t, "out", WIDTH, WIDTH, true);
    m->o = lion_new(m->t, tg_parameters_under(m->t, "qkv"), (lion_config){1e-3, 0.9, 0.99, 0.1});
    ck_assert_int_eq(lion_add_group(m->o, tg_parameters_under(m->t, "out"), (lion_config){2e-3, 0.8, 0.9, 0}), TG_OK);
    m->step = 0;
    m->place = (tg_run_number){"step", &m->step, NULL};
}

static tg_run run_of(const model *m) { return (tg_run){.optim = {m->o}, .number = &m->place, .n_numbers = 1}; }

static tg_tensor forward(model *m, tg_tensor x, bool scope) {
    tg_tape *t = m->t;
    tg_tensor part[3], end, state = tg_zeros(t, TG_SHAPE(BATCH, WIDTH, WIDTH + 1));
    if (scope)
        tg_checkpoint_begin(t);
    ck_assert_int_eq(tg_split(tg_nn_linear_forward(&m->qkv, x), WIDTH, -1, part, 3), TG_OK);
    tg_tensor y = linear_attention(part[0], part[1], tg_dropout(part[2], 0.2), state, &end);
    y = tg_add(tg_nn_linear_forward(&m->out, y), tg_mean(end, TG_ALL_DIMS, false));
    return scope ? tg_checkpoint_end(t, y) : y;
}

static double model_train(model *m, int n, bool scope) {
    tg_mark mark = tg_tape_mark(m->t);
    double last = 0;
    for (int i = 0; i < n; i++, m->step++) {
        tg_optim_scale_lr(m->o, tg_lr_warmup_cosine(1, m->step + 1, 2, 4 * STEPS));
        tg_tensor x = tg_randn(m->t, TG_SHAPE(BATCH, LENGTH, WIDTH));
        tg_tensor loss = tg_mse_loss(forward(m, x, scope), tg_mul_scalar(tg_cumsum(x, 1), 1. / LENGTH), TG_MEAN);
        last = tg_item(loss);
        tg_optim_zero_grad(m->o);
        run_backward(loss);
        ck_assert_int_eq(tg_clip_grad_norm(tg_parameters(m->t), 1, 2, NULL), TG_OK);
        ck_assert_int_eq(tg_optim_step(m->o), TG_OK);
        ck_assert_int_eq(tg_tape_rewind(m->t, mark), TG_OK);
    }
    return last;
}

static bool same_bits(const model *a, const model *b) {
    tg_list x = tg_parameters(a->t), y = tg_parameters(b->t);
    bool same = x.n == y.n;
    for (int64_t i = 0; i < x.n && same; i++)
        same = memcmp(tg_const_data(x.tensor[i]), tg_const_data(y.tensor[i]),
                      (size_t)tg_numel(x.tensor[i]) * sizeof(float)) == 0;
    return same;
}

/* N steps, a file, N steps in another tape at another number of threads: 2 N steps in every bit. */
START_TEST(a_resumed_run_has_the_same_bits)
{
    char folder[300], path[400];
    ck_assert(make_folder("outside_test", folder, sizeof folder));
    snprintf(path, sizeof path, "%s/run", folder);
    model whole, half, rest;
    tg_set_threads(1);
    model_new(&whole, 1);
    double loss = model_train(&whole, 2 * STEPS, false);
    tg_set_threads(3);
    model_new(&half, 1);
    model_train(&half, STEPS, true);
    ck_assert_msg(tg_save_run(half.t, path, run_of(&half)) == TG_OK, "%s", tg_error(half.t));
    tg_set_threads(2);
    model_new(&rest, 2);
    model_train(&rest, 1, false); /* what it had is gone */
    ck_assert_msg(tg_load_run(rest.t, path, run_of(&rest)) == TG_OK, "%s", tg_error(rest.t));
    ck_assert_int_eq(rest.step, STEPS);
    ck_assert(tg_optim_group_lr(rest.o, 1) == tg_optim_group_lr(half.o, 1));
    ck_assert(model_train(&rest, STEPS, false) == loss);
    ck_assert(same_bits(&whole, &rest) && !same_bits(&whole, &half));
    ck_assert_int_eq(tg_load(half.t, path), TG_OK); /* the tensors alone */
    unlink(path);
    rmdir(folder);
    tg_tape_free(whole.t);
    tg_tape_free(half.t);
    tg_tape_free(rest.t);
}
END_TEST

START_TEST(a_model_of_both_learns)
{
    model m;
    model_new(&m, 3);
    double first = model_train(&m, 1, false), last = model_train(&m, 12, false);
    ck_assert_msg(last < 0.9 * first, "%g to %g", first, last);
    tg_tape_free(m.t);
}
END_TEST

int main(void) {
    TCase *c = tcase_create("outside");
    tcase_add_loop_test(c, lions_updates_are_pytorchs, 0, 2);
    tcase_add_loop_test(c, attention_is_pytorchs, 0, 2);
    tcase_add_loop_test(c, attention_passes_the_check, 0, 2);
    tcase_add_test(c, attention_in_halves_is_the_whole);
    tcase_add_test(c, attention_refuses_what_does_not_fit);
    tcase_add_test(c, attention_of_no_elements_is_no_error);
    tcase_add_test(c, a_resumed_run_has_the_same_bits);
    tcase_add_test(c, a_model_of_both_learns);
    return run_suite("outside", c);
}
