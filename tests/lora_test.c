/* A low-rank adapter adds scaling B A once, merged or not, in files and inside of other layers; misuse is an error.
 * Expected values by arithmetic. */
#include "nn/nn.h"
#include "optim/optim.h"
#include "tests/support.h"

#include <unistd.h>

static tg_tape *t;
static void start(void) { t = tg_tape_new(TG_F64); }
static void stop(void) { tg_tape_free(t); }

/* W = (1 2; 3 4), A = (1 -1), B = (2; 1/2), alpha / rank = 3: W + 3 B A = (7 -4; 4.5 2.5). */
static tg_nn_lora known(bool bias) {
    tg_nn_linear base = tg_nn_linear_new(t, "h.0.proj", 2, 2, bias);
    tg_nn_lora_config c = {1, 3, 0};
    tg_nn_lora l = tg_nn_lora_new(base, c);
    WANT_OK(t);
    ck_assert_int_eq(tg_write_doubles(base.weight, (double[]){1, 2, 3, 4}, 4), TG_OK);
    ck_assert_int_eq(tg_write_doubles(l.lora_A, (double[]){1, -1}, 2), TG_OK);
    ck_assert_int_eq(tg_write_doubles(l.lora_B, (double[]){2, 0.5}, 2), TG_OK);
    if (bias)
        ck_assert_int_eq(tg_write_doubles(base.bias, (double[]){10, 20}, 2), TG_OK);
    return l;
}

START_TEST(adapters_add_to_the_base)
{
    tg_nn_lora l = known(true);
    tg_tensor x = VECTOR(t, 1, 2);
    WANT_VALUES(tg_nn_lora_forward(&l, x), 10 + 7 - 8, 20 + 4.5 + 5);
    WANT_VALUES(tg_nn_lora_weight(&l), 7, -4, 4.5, 2.5);
    ck_assert_int_eq(tg_nn_lora_merge(&l), TG_OK);
    WANT_VALUES(l.base.weight, 7, -4, 4.5, 2.5);
    WANT_VALUES(tg_nn_lora_forward(&l, x), 10 + 7 - 8, 20 + 4.5 + 5);
    WANT_VALUES(tg_nn_lora_weight(&l), 7, -4, 4.5, 2.5);
    ck_assert_int_eq(tg_nn_lora_unmerge(&l), TG_OK);
    WANT_VALUES(l.base.weight, 1, 2, 3, 4);
    WANT_VALUES(tg_nn_lora_forward(&l, x), 10 + 7 - 8, 20 + 4.5 + 5);
}
END_TEST

/* y1 + y2 = (1 1) x W^T ...: by hand with dy = (1, 1), x = (1, 2). A x = -1; B^T dy = 2.5. */
START_TEST(only_the_adapters_get_gradients)
{
    tg_nn_lora l = known(true);
    run_backward(total(tg_nn_lora_forward(&l, VECTOR(t, 1, 2))));
    WANT_GRAD(l.lora_A, 3 * 2.5 * 1, 3 * 2.5 * 2);
    WANT_GRAD(l.lora_B, 3 * -1, 3 * -1);
    ck_assert(!tg_has_grad(l.base.weight) && !tg_has_grad(l.base.bias));
    tg_zero_grads(t);
    tg_nn_linear inside = {tg_nn_lora_weight(&l), l.base.bias};
    run_backward(total(tg_nn_linear_forward(&inside, VECTOR(t, 1, 2))));
    WANT_GRAD(l.lora_A, 3 * 2.5 * 1, 3 * 2.5 * 2);
    WANT_GRAD(l.lora_B, 3 * -1, 3 * -1);
    ck_assert(!tg_has_grad(l.base.weight));
}
END_TEST

/* A struct is copied freely: the tape knows what is merged. */
START_TEST(copies_agree_on_what_is_merged)
{
    tg_nn_lora l = known(true), copy = l;
    tg_tensor x = VECTOR(t, 1, 2);
    ck_assert_int_eq(tg_nn_lora_merge(&l), TG_OK);
    ck_assert_int_eq(tg_nn_lora_merge(&copy), TG_ERR_STATE);
    WANT_ERROR(t, TG_ERR_STATE, "lora: the adapters are merged already");
    WANT_VALUES(tg_nn_lora_forward(&copy, x), 10 + 7 - 8, 20 + 4.5 + 5);
    WANT_VALUES(tg_nn_lora_weight(&copy), 7, -4, 4.5, 2.5);
    ck_assert_int_eq(tg_nn_lora_unmerge(&copy), TG_OK);
    ck_assert_int_eq(tg_nn_lora_unmerge(&l), TG_ERR_STATE);
    WANT_ERROR(t, TG_ERR_STATE, "lora: the adapters are not merged");
    WANT_VALUES(tg_nn_lora_forward(&l, x), 10 + 7 - 8, 20 + 4.5 + 5);
    WANT_VALUES(l.base.weight, 1, 2, 3, 4);
}
END_TEST

/* Where tg_linear adds it already, the layer adds it no second time. */
START_TEST(an_adapter_of_the_tape_counts_once)
{
    tg_nn_lora l = known(true);
    tg_tensor x = VECTOR(t, 1, 2);
    ck_assert_int_eq(tg_nn_lora_merge(&l), TG_OK);
    ck_assert_int_eq(tg_nn_lora_set_merged(t, false), TG_OK);
    WANT_VALUES(l.base.weight, 1, 2, 3, 4);
    WANT_VALUES(tg_nn_linear_forward(&l.base, x), 10 + 7 - 8, 20 + 4.5 + 5);
    WANT_VALUES(tg_nn_lora_forward(&l, x), 10 + 7 - 8, 20 + 4.5 + 5);
    WANT_VALUES(tg_linear(x, tg_nn_lora_weight(&l), l.base.bias), 10 + 7 - 8, 20 + 4.5 + 5);
    ck_assert_int_eq(tg_nn_lora_unmerge(&l), TG_ERR_STATE);
    tg_clear_error(t);
    ck_assert_int_eq(tg_nn_lora_merge(&l), TG_ERR_STATE);
    WANT_ERROR(t, TG_ERR_STATE, "lora: the tape has an adapter of h.0.proj.weight (2, 2), which tg_nn_lora_set_merged");
    tg_adapter other = tg_adapter_of(l.base.weight);
    other.a = tg_ones(t, TG_SHAPE(1, 2));
    ck_assert_int_eq(tg_set_adapter(l.base.weight, other), TG_OK); /* another one adds: 3 B (1 1) */
    WANT_VALUES(tg_nn_lora_forward(&l, x), 10 + 7 - 8 + 18, 20 + 4.5 + 5 + 4.5);
}
END_TEST

START_TEST(a_new_adapter_changes_nothing)
{
    tg_nn_lora l = tg_nn_lora_new(tg_nn_linear_new(t, "l", 3, 4, false), TG_NN_LORA_DEFAULTS);
    tg_tensor x = tg_randn(t, TG_SHAPE(5, 3));
    double with[20], without[20];
    ck_assert_int_eq(tg_read_doubles(tg_nn_lora_forward(&l, x), with, 20), TG_OK);
    ck_assert_int_eq(tg_read_doubles(tg_nn_linear_forward(&l.base, x), without, 20), TG_OK);
    ck_assert_mem_eq(with, without, sizeof with);
    double bound = 1 / sqrt(3), largest = tg_item(tg_amax(tg_abs(l.lora_A), TG_ALL_DIMS, false));
    ck_assert(largest <= bound && largest > bound / 2); /* 24 numbers, uniform */
}
END_TEST

START_TEST(the_gradient_check_finds_it_right)
{
    tg_nn_lora_config c = {2, 3, 0.4};
    tg_nn_lora l = tg_nn_lora_new(tg_nn_linear_new(t, "l", 3, 4, true), c);
    tg_normal_(l.lora_B, 0, 1);
    tg_gradcheck_result r;
    tg_tensor y = tg_nn_lora_forward(&l, tg_set_requires_grad(tg_randn(t, TG_SHAPE(5, 3)), true));
    ck_assert_msg(tg_gradcheck(y, TG_GRADCHECK_DEFAULTS, &r) == TG_OK, "%s", r.summary);
    ck_assert_int_eq(r.leaves, 3);
}
END_TEST

#ifndef TG_NO_FILES
static void note_name(const tg_file_tensor *x, void *context) { strcat(strcat(context, x->name), " "); }

/* A file holds what is merged, or the adapter: made by name (own = false), or a layer's struct. */
static void want_one_of_both(const char *path, bool own) {
    tg_nn_linear l = tg_nn_linear_new(t, "l", 2, 2, false);
    tg_nn_lora a = own ? tg_nn_lora_new(l, (tg_nn_lora_config){1, 3, 0}) : (tg_nn_lora){0};
    ck_assert_int_eq(own ? TG_OK : tg_nn_lora_add(t, "l", (tg_nn_lora_config){1, 3, 0}), TG_OK);
    tg_fill_(l.weight, 5);
    tg_fill_(tg_named(t, "base_model.model.l.lora_B.weight"), 2);
    tg_save_config some = TG_SAVE_DEFAULTS;
    tg_load_config into = TG_LOAD_DEFAULTS;
    ck_assert_msg(tg_save(t, path) == TG_OK, "%s", tg_error(t));
    ck_assert_int_eq(own ? tg_nn_lora_merge(&a) : tg_nn_lora_set_merged(t, true), TG_OK);
    ck_assert_int_eq(tg_save(t, path), TG_ERR_STATE);
    WANT_ERROR(t, TG_ERR_STATE, "l.weight (2, 2) has its adapter merged: unmerge it, or save the one or the other");
    ck_assert_int_eq(tg_save_run(t, path, (tg_run){.n_numbers = 0}), TG_ERR_STATE);
    tg_clear_error(t);
    ck_assert_int_eq(tg_load(t, path), TG_ERR_STATE); /* what was saved before */
    WANT_ERROR(t, TG_ERR_STATE, "l.weight (2, 2) has its adapter merged: unmerge it first; nothing was changed");
    into.allow_extra = true;
    into.only = tg_nn_lora_parameters(t);
    ck_assert_int_eq(tg_load_with(t, path, into), TG_ERR_STATE);
    tg_clear_error(t);
    some.only = tg_parameters_under(t, "l.");
    ck_assert_msg(tg_save_with(t, path, some) == TG_OK, "%s", tg_error(t));
    some.only = tg_nn_lora_parameters(t);
    ck_assert_msg(tg_save_with(t, path, some) == TG_OK, "%s", tg_error(t));
    ck_assert_int_eq(own ? tg_nn_lora_unmerge(&a) : tg_nn_lora_set_merged(t, false), TG_OK);
    ck_assert_msg(tg_load_with(t, path, into) == TG_OK, "%s", tg_error(t));
    ck_assert_int_eq(tg_save(t, path), TG_OK);
    ck_assert_int_eq(unlink(path), 0);
}

START_TEST(adapters_are_saved_alone_under_pefts_names)
{
    char folder[200], path[256], names[400] = "";
    ck_assert(make_folder("lora", folder, sizeof folder));
    snprintf(path, sizeof path, "%s/adapter_model.safetensors", folder);
    tg_nn_lora l = known(false);
    tg_save_config only = TG_SAVE_DEFAULTS;
    only.only = tg_parameters_under(t, "base_model.model.");
    ck_assert_int_eq(tg_save_with(t, path, only), TG_OK);
    ck_assert_int_eq(tg_list_file(t, path, note_name, names), TG_OK);
    ck_assert_str_eq(names, "base_model.model.h.0.proj.lora_A.weight base_model.model.h.0.proj.lora_B.weight ");
    ck_assert(!tg_is_null(l.lora_A));
    for (int own = 0; own < 2; own++) {
        stop();
        start();
        want_one_of_both(path, own);
    }
    ck_assert_int_eq(rmdir(folder), 0);
}
END_TEST
#endif

/* The fused weight of an attention layer learns through its adapter, and merging keeps what it computes. */
START_TEST(an_attention_layer_learns_by_its_adapter)
{
    tg_nn_multihead a = tg_nn_multihead_new(t, "attn", 4, 2, TG_NN_MULTIHEAD_DEFAULTS);
    tg_nn_lora l = tg_nn_lora_new((tg_nn_linear){a.in_proj_weight, TG_NULL}, TG_NN_LORA_DEFAULTS);
    tg_tensor x = tg_randn(t, TG_SHAPE(5, 4)), target = tg_randn(t, TG_SHAPE(5, 4));
    tg_optim *o = tg_adam_new(t, tg_parameters_under(t, "base_model."), TG_ADAM_DEFAULTS);
    tg_optim_set_lr(o, 0.05);
    tg_mark mark = tg_tape_mark(t);
    double first = 0, last = 0;
    ck_assert_str_eq(tg_name(l.lora_A), "base_model.model.attn.in_proj_weight.lora_A.weight");
    for (int step = 0; step < 30; step++) {
        tg_nn_multihead with = a;
        with.in_proj_weight = tg_nn_lora_weight(&l);
        tg_tensor loss = tg_mse_loss(tg_nn_multihead_forward(&with, x, x, x, TG_NN_NO_MASKS, NULL), target, TG_MEAN);
        tg_optim_zero_grad(o);
        ck_assert_int_eq(tg_backward(loss), TG_OK);
        ck_assert_int_eq(tg_optim_step(o), TG_OK);
        last = tg_item(loss);
        first = step ? first : last;
        ck_assert_int_eq(tg_tape_rewind(t, mark), TG_OK);
    }
    ck_assert_msg(last < 0.95 * first, "from %g to %g", first, last);
    tg_nn_multihead with = a;
    with.in_proj_weight = tg_nn_lora_weight(&l);
    double apart = tg_item(total(tg_nn_multihead_forward(&with, x, x, x, TG_NN_NO_MASKS, NULL)));
    ck_assert_int_eq(tg_nn_lora_merge(&l), TG_OK);
    ck_assert_double_eq_tol(tg_item(total(tg_nn_multihead_forward(&a, x, x, x, TG_NN_NO_MASKS, NULL))), apart, 1e-12);
}
END_TEST

START_TEST(what_cannot_be_is_refused)
{
    tg_nn_linear base = tg_nn_linear_new(t, "l", 3, 4, false);
    tg_nn_lora_new(base, (tg_nn_lora_config){0, 1, 0});
    WANT_ERROR(t, TG_ERR_ARGUMENT, "lora 'l.weight': rank is 0");
    for (int i = 0; i < 3; i++) {
        tg_nn_lora_new(base, (tg_nn_lora_config){1, i == 0 ? NAN : i == 1 ? INFINITY : -INFINITY, 0});
        WANT_ERROR(t, TG_ERR_ARGUMENT, "lora", "alpha", "finite");
        ck_assert(tg_requires_grad(base.weight));
    }
    tg_nn_lora_new(base, (tg_nn_lora_config){1, 1, 2});
    WANT_ERROR(t, TG_ERR_ARGUMENT, "lora 'l.weight': dropout is 2");
    tg_nn_lora_new((tg_nn_linear){tg_ones(t, TG_SHAPE(2, 2)), TG_NULL}, TG_NN_LORA_DEFAULTS);
    WANT_ERROR(t, TG_ERR_ARGUMENT, "lora: the weight (2, 2) has no name");
    tg_nn_lora_new((tg_nn_linear){tg_parameter(t, "v", tg_ones(t, TG_SHAPE(2))), TG_NULL}, TG_NN_LORA_DEFAULTS);
    WANT_ERROR(t, TG_ERR_SHAPE, "lora 'v': the weight v (2,) must be a leaf (out, in)");
    ck_assert(tg_requires_grad(base.weight));
    tg_nn_lora l = tg_nn_lora_new(base, TG_NN_LORA_DEFAULTS);
    tg_nn_lora_new(base, TG_NN_LORA_DEFAULTS);
    WANT_ERROR(t, TG_ERR_ARGUMENT, "base_model.model.l.lora_A.weight");
    ck_assert_int_eq(tg_nn_lora_unmerge(&l), TG_ERR_STATE);
    WANT_ERROR(t, TG_ERR_STATE, "lora: the adapters are not merged");
    ck_assert_int_eq(tg_nn_lora_merge(&l), TG_OK);
    ck_assert_int_eq(tg_nn_lora_merge(&l), TG_ERR_STATE);
    WANT_ERROR(t, TG_ERR_STATE, "lora: the adapters are merged already");
    ck_assert_int_eq(tg_nn_lora_merge(NULL), TG_ERR_ARGUMENT);
    ck_assert(tg_is_null(tg_nn_lora_forward(NULL, base.weight)));
    WANT_ERROR(t, TG_ERR_ARGUMENT, "lora: the layer is NULL");
    tg_nn_lora none = {0};
    ck_assert(tg_is_null(tg_nn_lora_forward(&none, base.weight)));
    WANT_ERROR(t, TG_ERR_ARGUMENT, "null tensor");
    ck_assert_int_eq(tg_nn_lora_merge(&none), TG_ERR_ARGUMENT);
    ck_assert(tg_is_null(tg_nn_lora_weight(&none)) && tg_is_null(tg_nn_lora_weight(NULL)));
    ck_assert(tg_is_null(tg_nn_lora_new((tg_nn_linear){0}, TG_NN_LORA_DEFAULTS).lora_A));
}
END_TEST

int main(void) {
    const TTest *const tests[] = {adapters_add_to_the_base,
                                  only_the_adapters_get_gradients,
                                  copies_agree_on_what_is_merged,
                                  an_adapter_of_the_tape_counts_once,
                                  a_new_adapter_changes_nothing,
                                  the_gradient_check_finds_it_right,
#ifndef TG_NO_FILES
                                  adapters_are_saved_alone_under_pefts_names,
#endif
                                  an_attention_layer_learns_by_its_adapter,
                                  what_cannot_be_is_refused};
    return run_tests("lora", tests, sizeof tests / sizeof *tests, start, stop);
}
