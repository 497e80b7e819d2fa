/* No argument crashes optim: every public function is called with NULL, lists of any length and anything else
 * (hostile.h). Run under sanitizers this is where it counts. */
#include "optim/optim.h"
#include "tests/hostile.h"

/* ---- optimizers ---- */

static tg_list any_list(tg_tensor *room, int n) {
    for (int i = 0; i < n; i++)
        room[i] = any();
    tg_tape *const tapes[] = {t, t, other, NULL};
    tg_list list = {tapes[below(4)], n, room};
    if (!below(4))
        list.n = sizes[below(3)];
    if (!below(4))
        list.tensor = NULL;
    names_a_tape |= list.tape != NULL;
    return list;
}

static tg_tape *any_tape(void) {
    tg_tape *tape = below(4) ? t : NULL;
    names_a_tape |= tape != NULL;
    return tape;
}

static int any_update(const tg_update *u) {
    for (int64_t j = 0; j < u->n; j++)
        ((double *)u->p)[j] -= u->lr * ((const double *)u->dp)[j];
    if (!below(4))
        tg_zero_grads(t);
    return !below(4);
}

static const tg_custom_optim *any_kind(void) {
    static const tg_custom_optim kinds[] = {{"own", {"m", "v"}, 2, any_update, any_update},
                                            {"own", {NULL}, 10, NULL, any_update},
                                            {"own", {"m", "step"}, 2, any_update, any_update},
                                            {NULL, {NULL}, -1, NULL, NULL},
                                            {"f32", {NULL}, 1, any_update, NULL}};
    return below(6) ? &kinds[below(8) ? below(2) : below(5)] : NULL;
}

static tg_optim *any_optim(tg_list list) {
    const double own[TG_OPTIM_NUMBERS] = {any_number(), any_number()};
    tg_sgd_config sgd = {any_number(), any_number(), any_number(), any_number(), below(2), below(2)};
    tg_adam_config adam = {any_number(), any_number(), any_number(), any_number(), any_number(), below(2), below(2)};
    tg_muon_config muon = {any_number(), any_number(), any_number(), below(2),          any_number(),
                           any_number(), any_number(), any_number(), (int)below(9) - 1, (tg_muon_adjust)below(4)};
    switch (below(8)) {
    case 0: return tg_sgd_new(any_tape(), list, sgd);
    case 1: return tg_adam_new(any_tape(), list, adam);
    case 2: return tg_adamw_new(any_tape(), list, adam);
    case 3: return tg_muon_new(any_tape(), list, muon);
    case 4: return tg_muon_new(any_tape(), list, TG_MUON_DEFAULTS);
    case 5: return tg_custom_optim_new(any_tape(), any_kind(), list, below(8) ? own : NULL);
    case 6: return tg_custom_optim_new(t, any_kind(), list, (const double[TG_OPTIM_NUMBERS]){0.5});
    default: return tg_adam_new(any_tape(), list, TG_ADAM_DEFAULTS);
    }
}

#define STATUS(call)                                \
    do {                                            \
        tg_status status = call;                    \
        look(#call, status != TG_OK, names_a_tape); \
    } while (0)

static void use(tg_optim *o) {
    tg_tensor room[3];
    tg_sgd_config sgd = {any_number(), any_number(), any_number(), any_number(), below(2), below(2)};
    tg_adam_config adam = {any_number(), any_number(), any_number(), any_number(), any_number(), below(2), below(2)};
    names_a_tape = o != NULL;
    STATUS(tg_optim_step(o));
    tg_optim_set_lr(o, any_number());
    tg_clear_error(t);
    ck_assert(!(tg_optim_lr(o) < 0));
    tg_optim_scale_lr(o, any_number());
    tg_clear_error(t);
    ck_assert(!(tg_optim_group_lr(o, any_count()) < 0));
    names_a_tape = true;
    STATUS(tg_save_run(t, (const char *[]){NULL, "", "/", "%n/%n"}[below(4)], (tg_run){.optim = {o}}));
    STATUS(tg_load_run(t, (const char *[]){NULL, "", "/", "%n/%n"}[below(4)], (tg_run){.optim = {o}}));
    tg_optim_zero_grad(o);
    tg_clear_error(t);
    tg_list list = any_list(room, 3);
    names_a_tape = o || list.tape;
    STATUS(tg_sgd_add_group(o, list, sgd));
    STATUS(tg_adam_add_group(o, list, adam));
    STATUS(tg_muon_add_group(o, list, TG_MUON_DEFAULTS));
    STATUS(tg_custom_optim_add_group(o, list, (const double[TG_OPTIM_NUMBERS]){any_number()}));
    names_a_tape = o != NULL;
    STATUS(tg_optim_step(o));
}

START_TEST(optimizers_of_anything_do_not_crash)
{
    tg_mark mark = tg_tape_mark(t);
    random_state = (uint64_t)_i + 1;
    for (int i = 0; i < 2000; i++) {
        tg_tensor room[2];
        tg_list list = any_list(room, 2);
        names_a_tape = list.tape;
        tg_optim *o = any_optim(list);
        look("making an optimizer", !o, names_a_tape);
        use(o);
        ck_assert_int_eq(tg_tape_rewind(t, mark), TG_OK);
        tg_optim_zero_grad(o);
        tg_clear_error(t);
    }
}
END_TEST

START_TEST(averages_of_anything_do_not_crash)
{
    tg_mark marks[2] = {tg_tape_mark(t), tg_tape_mark(other)};
    random_state = (uint64_t)_i + 1;
    for (int i = 0; i < 2000; i++) {
        tg_tensor room[2];
        tg_list list = any_list(room, 2);
        tg_ema e = tg_ema_new(any_tape(), (const char *[]){NULL, "", "%n", "ema"}[below(4)], list, any_number());
        tg_clear_error(t);
        tg_clear_error(other);
        (void)!tg_ema_update(below(8) ? &e : NULL);
        (void)!tg_ema_swap(below(8) ? &e : NULL);
        tg_clear_error(t);
        tg_clear_error(other);
        ck_assert_int_eq(tg_tape_rewind(t, marks[0]), TG_OK);
        ck_assert_int_eq(tg_tape_rewind(other, marks[1]), TG_OK);
    }
    ck_assert_double_eq(tg_item(tg_scalar(t, 7)), 7);
}
END_TEST

START_TEST(clipping_anything_does_not_crash)
{
    random_state = (uint64_t)_i + 1;
    ck_assert_int_eq(tg_write_grad(tg_set_requires_grad(tensors[3], true), (double[9]){NAN, 1}, 9), TG_OK);
    for (int i = 0; i < 4000; i++) {
        tg_tensor room[3];
        double total, *to = below(2) ? &total : NULL;
        tg_list list = any_list(room, 3);
        names_a_tape = list.tape;
        STATUS(tg_clip_grad_norm(list, any_number(), below(2) ? 2 : any_number(), to));
        STATUS(tg_clip_grad_value(list, any_number()));
    }
}
END_TEST

START_TEST(a_list_without_tensors_is_an_error)
{
    const tg_list bad[] = {{t, 3, NULL}, {t, -5, tensors}, {t, INT64_MIN, NULL}};
    for (int i = 0; i < 3; i++) {
        ck_assert_int_eq(tg_clip_grad_norm(bad[i], 1, 2, NULL), TG_ERR_ARGUMENT);
        WANT_ERROR(t, TG_ERR_ARGUMENT, "clip_grad_norm", "parameters");
        ck_assert_int_eq(tg_clip_grad_value(bad[i], 1), TG_ERR_ARGUMENT);
        WANT_ERROR(t, TG_ERR_ARGUMENT, "clip_grad_value", "parameters");
        ck_assert_ptr_null(tg_adam_new(t, bad[i], TG_ADAM_DEFAULTS));
        WANT_ERROR(t, TG_ERR_ARGUMENT, "adam", "parameters");
    }
    ck_assert_int_eq(tg_clip_grad_norm((tg_list){t, 0, NULL}, 1, 2, NULL), TG_OK);
    ck_assert_ptr_null(tg_adam_new(NULL, (tg_list){t, 1, &tensors[3]}, TG_ADAM_DEFAULTS));
    WANT_ERROR(t, TG_ERR_ARGUMENT, "adam", "tape is NULL");
    ck_assert_int_eq(tg_sgd_add_group(NULL, (tg_list){t, 1, &tensors[3]}, TG_SGD_DEFAULTS), TG_ERR_ARGUMENT);
    WANT_ERROR(t, TG_ERR_ARGUMENT, "sgd", "optimizer is NULL");
}
END_TEST

static tg_optim *hooked;
static int clear_in_hook(void *grad, int64_t n, tg_tensor x, void *context) {
    (void)grad, (void)n, (void)x, (void)context;
    tg_optim_zero_grad(hooked);
    return 0;
}

START_TEST(an_optimizer_in_a_hook_is_an_error)
{
    tg_tensor w = tg_parameter(t, "w", tg_ones(t, TG_SHAPE(2)));
    tg_tensor y = tg_square(w);
    hooked = tg_sgd_new(t, tg_parameters(t), TG_SGD_DEFAULTS);
    ck_assert_int_eq(tg_register_hook(y, clear_in_hook, NULL), TG_OK);
    ck_assert_int_eq(tg_backward(tg_sum(y, TG_ALL_DIMS, false)), TG_ERR_STATE);
    WANT_ERROR(t, TG_ERR_STATE, "optim_zero_grad", "hook");
}
END_TEST

/* ---- schedules ---- */

START_TEST(schedules_of_anything_do_not_crash)
{
    const int64_t falling[] = {5, 3};
    for (int i = 0; i < N_SIZES * N_SIZES * N_SIZES; i++) {
        int64_t at = sizes[i % N_SIZES], a = sizes[i / N_SIZES % N_SIZES], b = sizes[i / N_SIZES / N_SIZES];
        for (int k = 0; k < N_NUMBERS; k++) {
            double p = numbers[k];
            const double lr[] = {tg_lr_step(p, at, a, p),
                                 tg_lr_multistep(p, at, sizes, N_SIZES, p),
                                 tg_lr_multistep(p, at, NULL, (int)(a % 9), p),
                                 tg_lr_exponential(p, at, p),
                                 tg_lr_linear(p, at, p, p, a),
                                 tg_lr_polynomial(p, at, a, p),
                                 tg_lr_cosine(p, at, a, p),
                                 tg_lr_warm_restarts(p, at, a, b, p),
                                 tg_lr_warmup_cosine(p, at, a, b),
                                 tg_lr_warmup_floor(p, at, a, b, p)};
            for (size_t j = 0; j < sizeof lr / sizeof *lr; j++)
                ck_assert_msg(at >= 0 || isnan(lr[j]), "schedule %zu at %lld is %g", j, (long long)at, lr[j]);
        }
    }
    ck_assert(isnan(tg_lr_multistep(1, 4, falling, 2, 0.5)));
}
END_TEST

/* ---- nothing is left out ---- */

START_TEST(no_public_function_is_left_out)
{ want_all_called(__FILE__, "optim/optim.h", 28); }
END_TEST

int main(void) {
    TCase *c = tcase_create("hostile_optim");
    tcase_add_checked_fixture(c, start, stop);
    tcase_add_loop_test(c, optimizers_of_anything_do_not_crash, 0, 2);
    tcase_add_loop_test(c, averages_of_anything_do_not_crash, 0, 2);
    tcase_add_loop_test(c, clipping_anything_does_not_crash, 0, 2);
    tcase_add_test(c, a_list_without_tensors_is_an_error);
    tcase_add_test(c, an_optimizer_in_a_hook_is_an_error);
    tcase_add_test(c, schedules_of_anything_do_not_crash);
    tcase_add_test(c, no_public_function_is_left_out);
    return run_suite("hostile_optim", c);
}
