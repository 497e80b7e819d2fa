/* Each group has numbers of its own, an average follows the weights, a step modifies and allocates nothing; what an
 * optimizer or clipping refuses changes nothing. */
#include "tests/optim_steps.h"

/* ---- groups ---- */

static void expect_error(tg_tape *t, tg_status status, const char *words) {
    ck_assert_msg(tg_tape_status(t) == status && strstr(tg_error(t), words), "status %d: %s", (int)tg_tape_status(t),
                  tg_error(t));
    tg_clear_error(t);
}

static tg_list one(tg_tensor *x) { return (tg_list){x->tape, 1, x}; }

START_TEST(groups_have_numbers_of_their_own)
{
    tg_tape *t = tg_tape_new(TG_F64);
    tg_tensor x[2];
    make_parameters(t, x);
    tg_sgd_config c = TG_SGD_DEFAULTS;
    c.lr = 0.5;
    tg_optim *o = tg_sgd_new(t, one(&x[0]), c);
    c.lr = 0.25;
    ck_assert_int_eq(tg_sgd_add_group(o, one(&x[1]), c), TG_OK);
    const double g[N0] = {1, 1, 1, 1, 1};
    ck_assert_int_eq(tg_write_grad(x[0], g, N0), TG_OK);
    ck_assert_int_eq(tg_write_grad(x[1], g, N1), TG_OK);
    ck_assert_int_eq(tg_optim_step(o), TG_OK);
    double a[N0], b[N1];
    ck_assert_int_eq(tg_read_doubles(x[0], a, N0), TG_OK);
    ck_assert_int_eq(tg_read_doubles(x[1], b, N1), TG_OK);
    ck_assert_double_eq(a[0], 1 - 0.5);
    ck_assert_double_eq(b[0], cos(1) - 0.25);
    ck_assert_double_eq(tg_optim_lr(o), 0.5);

    ck_assert_int_eq(tg_sgd_add_group(o, one(&x[1]), c), TG_ERR_ARGUMENT);
    expect_error(t, TG_ERR_ARGUMENT, "b (3,) is given twice");
    ck_assert_int_eq(tg_adam_add_group(o, one(&x[1]), TG_ADAM_DEFAULTS), TG_ERR_ARGUMENT);
    expect_error(t, TG_ERR_ARGUMENT, "cannot be added to sgd");
    tg_tape_free(t);
}
END_TEST

static bool is_first_layer(tg_tensor p, void *context) {
    ++*(int *)context;
    return strncmp(tg_name(p), "h.0.", 4) == 0;
}

static void want_names(tg_list list, const char *names) {
    char got[200] = "";
    for (int64_t i = 0; i < list.n; i++)
        strcat(strcat(got, tg_name(list.tensor[i])), " ");
    ck_assert_str_eq(got, names);
}

START_TEST(parameters_are_selected_by_name_rank_and_function)
{
    static const char *const names[] = {"wte.weight", "h.0.ln.weight", "h.0.ln.bias", "h.0.fc.weight", "h.1.fc.weight"};
    static const int ndim[] = {2, 1, 1, 2, 2};
    tg_tape *t = tg_tape_new(TG_F32);
    int asked = 0;
    for (int i = 0; i < 5; i++)
        tg_parameter(t, names[i], tg_ones(t, ndim[i] == 2 ? TG_SHAPE(2, 2) : TG_SHAPE(2)));
    tg_buffer(t, "h.0.mask", tg_ones(t, TG_SHAPE(2, 2)));
    tg_selection s = TG_SELECT_ALL;
    want_names(tg_parameters_where(t, s), "wte.weight h.0.ln.weight h.0.ln.bias h.0.fc.weight h.1.fc.weight ");
    s.min_ndim = 2;
    want_names(tg_parameters_where(t, s), "wte.weight h.0.fc.weight h.1.fc.weight ");
    s.prefix = "h.";
    want_names(tg_parameters_where(t, s), "h.0.fc.weight h.1.fc.weight ");
    s.accept = is_first_layer;
    s.context = &asked;
    want_names(tg_parameters_where(t, s), "h.0.fc.weight ");
    ck_assert_int_gt(asked, 0);
    s = TG_SELECT_ALL;
    s.max_ndim = 1;
    want_names(tg_parameters_where(t, s), "h.0.ln.weight h.0.ln.bias ");
    s.suffix = ".bias";
    want_names(tg_parameters_where(t, s), "h.0.ln.bias ");
    s.suffix = "a suffix that is longer than any name";
    want_names(tg_parameters_where(t, s), "");
    ck_assert_int_eq(tg_parameters_where(NULL, s).n, 0);
    WANT_OK(t);
    tg_tape_free(t);
}
END_TEST

START_TEST(a_schedule_scales_the_rate_of_each_group)
{
    tg_tape *t = tg_tape_new(TG_F64);
    tg_tensor x[2];
    make_parameters(t, x);
    tg_adam_config c = TG_ADAM_DEFAULTS;
    c.lr = 0.5;
    tg_optim *o = tg_adam_new(t, one(&x[0]), c);
    c.lr = 0.125;
    ck_assert_int_eq(tg_adam_add_group(o, one(&x[1]), c), TG_OK);
    for (int64_t step = 0; step < 3; step++) {
        tg_optim_scale_lr(o, tg_lr_exponential(1, step, 0.5));
        ck_assert_double_eq(tg_optim_group_lr(o, 0), 0.5 * pow(0.5, (double)step));
        ck_assert_double_eq(tg_optim_group_lr(o, 1), 0.125 * pow(0.5, (double)step));
    }
    ck_assert(isnan(tg_optim_group_lr(o, 2)) && isnan(tg_optim_group_lr(o, -1)) && isnan(tg_optim_group_lr(NULL, 0)));
    tg_optim_scale_lr(o, NAN);
    expect_error(t, TG_ERR_ARGUMENT, "the factor of lr is nan");
    ck_assert_double_eq(tg_optim_group_lr(o, 1), 0.125 / 4);
    tg_optim_scale_lr(NULL, 1);
    tg_tape_free(t);
}
END_TEST

/* average = x, then 3/4 average + 1/4 x: 2, 3/4 2 + 1/4 4 = 5/2, 3/4 5/2 + 1/4 (-1) = 13/8. */
static void average_of(tg_dtype dtype) {
    tg_tape *t = tg_tape_new(dtype);
    tg_tensor w = tg_parameter(t, "w", tg_full(t, TG_SHAPE(40000), 1));
    tg_ema e = tg_ema_new(t, "ema", tg_parameters(t), 0.75);
    const double x[] = {2, 4, -1}, expected[] = {2, 2.5, 1.625};
    for (int i = 0; i < 3; i++) {
        tg_fill_(w, x[i]);
        ck_assert_int_eq(tg_ema_update(&e), TG_OK);
        ck_assert_double_eq(tg_item(tg_amin(tg_named(t, "ema.w"), TG_ALL_DIMS, false)), expected[i]);
        ck_assert_double_eq(tg_item(tg_amax(tg_named(t, "ema.w"), TG_ALL_DIMS, false)), expected[i]);
    }
    ck_assert_double_eq(tg_item(tg_to_float(tg_named(t, "ema.n_averaged"))), 3);
    ck_assert_int_eq(tg_ema_swap(&e), TG_OK);
    ck_assert_double_eq(tg_item(tg_select(w, 0, 39999)), 1.625);
    ck_assert_double_eq(tg_item(tg_select(e.averages.tensor[0], 0, 39999)), -1);
    ck_assert_int_eq(tg_ema_swap(&e), TG_OK);
    ck_assert_double_eq(tg_item(tg_select(w, 0, 0)), -1);
    int64_t *n = tg_data(tg_named(t, "ema.n_averaged"));
    *n = INT64_MAX;
    ck_assert_int_eq(tg_ema_update(&e), TG_OK);
    ck_assert(*n == INT64_MAX);
    tg_tape_free(t);
}

START_TEST(an_average_follows_the_weights)
{
    average_of(TG_F64);
    average_of(TG_F32); /* these numbers are exact in both */
}
END_TEST

/* Names of parameters are whole names, and so are those of the averages, whatever path there is. */
START_TEST(an_average_has_no_path_before_its_name)
{
    tg_tape *t = tg_tape_new(TG_F64);
    tg_name_push(t, "net");
    tg_parameter(t, "w", tg_ones(t, TG_SHAPE(3)));
    tg_ema e = tg_ema_new(t, "ema", tg_parameters(t), 0.5);
    ck_assert_str_eq(tg_name(e.averages.tensor[0]), "ema.net.w");
    ck_assert_str_eq(tg_name(e.n_averaged), "ema.n_averaged");
    tg_ema_new(t, "ema", tg_parameters(t), 0.5); /* these names are taken */
    expect_error(t, TG_ERR_ARGUMENT, "ema.net.w");
    ck_assert_str_eq(tg_name_path(t), "net");
    tg_name_pop(t);
    tg_tape_free(t);
}
END_TEST

START_TEST(an_average_that_cannot_be_is_refused)
{
    tg_tape *t = tg_tape_new(TG_F64);
    tg_tensor w = tg_parameter(t, "w", tg_ones(t, TG_SHAPE(3))), nameless = tg_ones(t, TG_SHAPE(3));
    tg_ema e = tg_ema_new(t, "ema", tg_parameters(t), 1.5);
    expect_error(t, TG_ERR_ARGUMENT, "ema: decay is 1.5");
    ck_assert_int_eq(tg_ema_update(&e), TG_ERR_ARGUMENT);
    tg_clear_error(t);
    tg_ema_new(t, "", tg_parameters(t), 0.5);
    expect_error(t, TG_ERR_ARGUMENT, "ema: the prefix is empty");
    tg_ema_new(t, "ema", (tg_list){0}, 0.5);
    expect_error(t, TG_ERR_ARGUMENT, "ema: the list of parameters is empty");
    tg_ema_new(t, "ema", one(&nameless), 0.5);
    expect_error(t, TG_ERR_ARGUMENT, "has no name");
    tg_mark mark = tg_tape_mark(t);
    tg_ema_new(t, "ema", (tg_list){t, 2, (tg_tensor[]){w, w}}, 0.5);
    expect_error(t, TG_ERR_ARGUMENT, "ema: w (3,) is listed twice");
    e = tg_ema_new(t, "ema", one(&w), 0.5);
    ck_assert_int_eq(tg_ema_update(&e), TG_OK);
    const double decays[] = {-0.25, 1.5, NAN, INFINITY};
    for (int i = 0; i < 4; i++) {
        e.decay = decays[i];
        ck_assert_int_eq(tg_ema_update(&e), TG_ERR_ARGUMENT);
        expect_error(t, TG_ERR_ARGUMENT, "ema: decay is ");
        ck_assert_double_eq(tg_item(tg_to_float(e.n_averaged)), 1); /* the first one alone */
    }
    e.decay = 0.5;
    ck_assert_int_eq(tg_tape_rewind(t, mark), TG_OK);
    ck_assert_int_eq(tg_ema_update(&e), TG_ERR_STALE);
    expect_error(t, TG_ERR_STALE, "ema");
    ck_assert_int_eq(tg_ema_swap(NULL), TG_ERR_ARGUMENT);
    ck_assert_int_eq(tg_ema_update(&(tg_ema){0}), TG_ERR_ARGUMENT);
    tg_tape_free(t);
}
END_TEST

START_TEST(a_step_is_a_modification)
{
    tg_tape *t = tg_tape_new(TG_F64);
    tg_tensor x[2];
    make_parameters(t, x);
    tg_optim *o = tg_sgd_new(t, one(&x[0]), TG_SGD_DEFAULTS);
    tg_tensor y = tg_sum(tg_mul(x[0], x[0]), TG_ALL_DIMS, false);
    ck_assert_int_eq(tg_backward(y), TG_OK);
    ck_assert_int_eq(tg_optim_step(o), TG_OK);
    ck_assert_int_eq(tg_backward(y), TG_ERR_STATE);
    expect_error(t, TG_ERR_STATE, "modified");
    tg_tape_free(t);
}
END_TEST

START_TEST(a_step_allocates_nothing)
{
    tg_tape *t = tg_tape_new(TG_F32);
    tg_tensor x[2];
    make_parameters(t, x);
    give_gradient(x[0], 0, 0);
    tg_adam_config c = TG_ADAM_DEFAULTS;
    c.amsgrad = true;
    tg_optim *o = tg_adam_new(t, tg_parameters(t), c);
    tg_memory before = tg_tape_memory(t);
    for (int i = 0; i < 100; i++)
        ck_assert_int_eq(tg_optim_step(o), TG_OK);
    tg_memory after = tg_tape_memory(t);
    ck_assert_uint_eq(before.used, after.used);
    ck_assert_uint_eq(before.reserved, after.reserved);
    tg_tape_free(t);
}
END_TEST

START_TEST(a_parameter_that_was_rewound_away_is_an_error)
{
    tg_tape *t = tg_tape_new(TG_F64);
    tg_mark empty = tg_tape_mark(t);
    tg_tensor x[2];
    make_parameters(t, x);
    tg_optim *o = tg_adam_new(t, tg_parameters(t), TG_ADAM_DEFAULTS);
    ck_assert_int_eq(tg_tape_rewind(t, empty), TG_OK);
    make_parameters(t, x);
    give_gradient(x[0], 0, 0);
    ck_assert_int_eq(tg_optim_step(o), TG_ERR_STALE);
    expect_error(t, TG_ERR_STALE, "adam");
    double a[N0];
    ck_assert_int_eq(tg_read_doubles(x[0], a, N0), TG_OK);
    ck_assert_double_eq(a[0], 1);
    tg_tape_free(t);
}
END_TEST

START_TEST(numbers_out_of_range_are_refused)
{
    tg_tape *t = tg_tape_new(TG_F64);
    tg_tensor x[2];
    make_parameters(t, x);
    tg_list all = tg_parameters(t);
    const struct {
        tg_sgd_config config;
        const char *words;
    } sgd[] = {{{.lr = -1}, "lr is -1"},
               {{.lr = NAN}, "lr is nan"},
               {{.lr = 1, .momentum = -0.5}, "momentum is -0.5"},
               {{.lr = 1, .weight_decay = -2}, "weight_decay is -2"},
               {{.lr = 1, .dampening = INFINITY}, "dampening is inf"},
               {{.lr = 1, .nesterov = true}, "nesterov needs momentum"},
               {{.lr = 1, .momentum = 0.9, .dampening = 0.1, .nesterov = true}, "nesterov needs momentum"}};
    for (size_t i = 0; i < sizeof sgd / sizeof *sgd; i++) {
        ck_assert_ptr_null(tg_sgd_new(t, all, sgd[i].config));
        expect_error(t, TG_ERR_ARGUMENT, sgd[i].words);
    }
    const struct {
        tg_adam_config config;
        const char *words;
    } adam[] = {{{.lr = -1}, "adamw: lr is -1"},
                {{.beta1 = 1}, "beta1 is 1"},
                {{.beta2 = -0.1}, "beta2 is -0.1"},
                {{.eps = -1e-8}, "eps is -1e-08"},
                {{.weight_decay = -1}, "weight_decay is -1"}};
    for (size_t i = 0; i < sizeof adam / sizeof *adam; i++) {
        ck_assert_ptr_null(tg_adamw_new(t, all, adam[i].config));
        expect_error(t, TG_ERR_ARGUMENT, adam[i].words);
    }
    tg_optim *o = tg_adam_new(t, all, TG_ADAM_DEFAULTS);
    tg_optim_set_lr(o, -3);
    expect_error(t, TG_ERR_ARGUMENT, "lr is -3");
    ck_assert_double_eq(tg_optim_lr(o), 1e-3);
    tg_tape_free(t);
}
END_TEST

START_TEST(parameters_must_be_leaves_of_the_tape)
{
    tg_tape *t = tg_tape_new(TG_F64), *other = tg_tape_new(TG_F64);
    tg_tensor x[2];
    make_parameters(t, x);
    tg_tensor y = tg_mul(x[0], x[0]), null = TG_NULL, foreign = tg_ones(other, TG_SHAPE(2)), ints = tg_arange(t, 3);
    ck_assert_ptr_null(tg_adam_new(t, one(&y), TG_ADAM_DEFAULTS));
    expect_error(t, TG_ERR_ARGUMENT, "was made by mul");
    ck_assert_ptr_null(tg_adam_new(t, (tg_list){t, 1, &null}, TG_ADAM_DEFAULTS));
    expect_error(t, TG_ERR_ARGUMENT, "null tensor");
    ck_assert_ptr_null(tg_adam_new(t, one(&foreign), TG_ADAM_DEFAULTS));
    expect_error(t, TG_ERR_ARGUMENT, "another tape");
    ck_assert_ptr_null(tg_adam_new(t, one(&ints), TG_ADAM_DEFAULTS));
    expect_error(t, TG_ERR_ARGUMENT, "must be floating");
    ck_assert_ptr_null(tg_adam_new(t, (tg_list){t, 0, NULL}, TG_ADAM_DEFAULTS));
    expect_error(t, TG_ERR_ARGUMENT, "empty");
    ck_assert_ptr_null(tg_adam_new(t, (tg_list){t, 2, (tg_tensor[]){x[0], x[0]}}, TG_ADAM_DEFAULTS));
    expect_error(t, TG_ERR_ARGUMENT, "a (5,) is given twice");
    ck_assert_ptr_null(tg_adam_new(NULL, tg_parameters(t), TG_ADAM_DEFAULTS));
    ck_assert_int_eq(tg_optim_step(NULL), TG_ERR_ARGUMENT);
    tg_optim_zero_grad(NULL);
    tg_optim_set_lr(NULL, 1);
    ck_assert(isnan(tg_optim_lr(NULL)));
    tg_tape_free(t);
    tg_tape_free(other);
}
END_TEST

START_TEST(clipping_refuses_what_it_cannot_do)
{
    tg_tape *t = tg_tape_new(TG_F32);
    tg_tensor x[2];
    make_parameters(t, x);
    tg_list all = tg_parameters(t);
    double total = -1;
    ck_assert_int_eq(tg_clip_grad_norm(all, 1, 2, &total), TG_OK);
    ck_assert_double_eq(total, 0);
    const double g[N0] = {1, NAN, 3, 4, 5};
    ck_assert_int_eq(tg_write_grad(x[0], g, N0), TG_OK);
    ck_assert_int_eq(tg_clip_grad_norm(all, 1, 2, &total), TG_ERR_NUMERIC);
    expect_error(t, TG_ERR_NUMERIC, "nan");
    ck_assert_int_eq(tg_clip_grad_norm(all, 1, INFINITY, NULL), TG_ERR_NUMERIC);
    expect_error(t, TG_ERR_NUMERIC, "nan");
    double got[N0];
    ck_assert_int_eq(tg_read_doubles(tg_grad(x[0]), got, N0), TG_OK);
    ck_assert_double_eq(got[4], 5);
    ck_assert_int_eq(tg_clip_grad_norm(all, -1, 2, NULL), TG_ERR_ARGUMENT);
    expect_error(t, TG_ERR_ARGUMENT, "max_norm is -1");
    ck_assert_int_eq(tg_clip_grad_norm(all, 1, 0, NULL), TG_ERR_ARGUMENT);
    expect_error(t, TG_ERR_ARGUMENT, "norm_type 0");
    ck_assert_int_eq(tg_clip_grad_value(all, -1), TG_ERR_ARGUMENT);
    expect_error(t, TG_ERR_ARGUMENT, "value is -1");
    ck_assert_int_eq(tg_clip_grad_value((tg_list){0}, 1), TG_ERR_ARGUMENT);
    tg_tape_free(t);
}
END_TEST

START_TEST(nothing_is_done_after_an_error)
{
    tg_tape *t = tg_tape_new(TG_F64);
    tg_tensor x = tg_parameter(t, "x", tg_ones(t, TG_SHAPE(2)));
    tg_optim *sgd = tg_sgd_new(t, tg_parameters(t), TG_SGD_DEFAULTS);
    tg_optim *adam = tg_adam_new(t, tg_parameters(t), TG_ADAM_DEFAULTS);
    tg_list all = tg_parameters(t);
    ck_assert_int_eq(tg_backward(tg_sum(x, TG_ALL_DIMS, false)), TG_OK);
    ck_assert(tg_is_null(tg_reshape(x, TG_SHAPE(3))));
    ck_assert_int_eq(tg_sgd_add_group(sgd, all, TG_SGD_DEFAULTS), TG_ERR_SHAPE);
    ck_assert_int_eq(tg_adam_add_group(adam, all, TG_ADAM_DEFAULTS), TG_ERR_SHAPE);
    ck_assert_int_eq(tg_optim_step(sgd), TG_ERR_SHAPE);
    ck_assert_int_eq(tg_clip_grad_norm(all, 0.1, 2, NULL), TG_ERR_SHAPE);
    tg_clear_error(t);
    ck_assert_double_eq(tg_item(tg_sum(x, TG_ALL_DIMS, false)), 2);
    ck_assert_double_eq(tg_item(tg_sum(tg_grad(x), TG_ALL_DIMS, false)), 2);
    tg_tape_free(t);
}
END_TEST

SUITE("optim_rules", groups_have_numbers_of_their_own, parameters_are_selected_by_name_rank_and_function,
      a_schedule_scales_the_rate_of_each_group, an_average_follows_the_weights, an_average_has_no_path_before_its_name,
      an_average_that_cannot_be_is_refused, a_step_is_a_modification, a_step_allocates_nothing,
      a_parameter_that_was_rewound_away_is_an_error, numbers_out_of_range_are_refused,
      parameters_must_be_leaves_of_the_tape, clipping_refuses_what_it_cannot_do, nothing_is_done_after_an_error)
