/* Names made under a path begin with it, in layers too; pushes and pops must balance. */
#include "nn/nn.h"
#include "tests/support.h"

static tg_tape *t;
static void start(void) { t = tg_tape_new(TG_F32); }
static void stop(void) { tg_tape_free(t); }

static const char *named(const char *name) { return tg_name(tg_parameter(t, name, tg_zeros(t, TG_SHAPE(2)))); }

START_TEST(names_have_the_path_before_them)
{
    ck_assert_str_eq(tg_name_path(t), "");
    ck_assert_str_eq(named("w"), "w");
    tg_name_push(t, "block.%d", 3);
    ck_assert_str_eq(named("w"), "block.3.w");
    tg_name_push(t, "%s", "attn");
    ck_assert_str_eq(tg_name_path(t), "block.3.attn");
    ck_assert_str_eq(tg_name(tg_buffer(t, "mask", tg_zeros(t, TG_SHAPE(2)))), "block.3.attn.mask");
    tg_name_push(t, "%s", "");
    ck_assert_str_eq(named("w"), "block.3.attn.w");
    tg_name_push(t, NULL);
    ck_assert_str_eq(named("alone"), "alone");
    tg_name_push(t, "x");
    ck_assert_str_eq(named("w"), "x.w");
    for (int i = 0; i < 3; i++)
        tg_name_pop(t);
    ck_assert_str_eq(named("v"), "block.3.attn.v");
    tg_name_pop(t);
    ck_assert_str_eq(tg_name_path(t), "block.3");
    ck_assert_str_eq(tg_name(tg_named(t, "block.3.w")), "block.3.w"); /* whole names are asked for */
    tg_name_pop(t);
    ck_assert_str_eq(tg_name_path(t), "");
    WANT_OK(t);
}
END_TEST

START_TEST(layers_are_made_under_it)
{
    tg_nn_encoder_layer_config c = TG_NN_ENCODER_LAYER_DEFAULTS;
    c.dim_feedforward = 4;
    tg_name_push(t, "h.%d", 1);
    tg_nn_encoder_layer l = tg_nn_encoder_layer_new(t, "layer", 4, 2, c);
    tg_nn_multi_head_wrapper w = tg_nn_multi_head_wrapper_new(t, "", 4, 2, 3, 0, 2, false);
    tg_nn_linear bad = tg_nn_linear_new(t, "up", 0, 2, true);
    WANT_ERROR(t, TG_ERR_ARGUMENT, "linear 'h.1.up': in is 0");
    tg_nn_lora a = tg_nn_lora_new(l.linear1, TG_NN_LORA_DEFAULTS);
    tg_name_pop(t);
    WANT_OK(t);
    ck_assert_str_eq(tg_name(l.self_attn.in_proj_weight), "h.1.layer.self_attn.in_proj_weight");
    ck_assert_str_eq(tg_name(l.norm2.bias), "h.1.layer.norm2.bias");
    ck_assert_str_eq(tg_name(w.heads[1].W_key.weight), "h.1.heads.1.W_key.weight");
    ck_assert_str_eq(tg_name(a.lora_B), "base_model.model.h.1.layer.linear1.lora_B.weight");
    ck_assert(tg_is_null(bad.weight));
    ck_assert_str_eq(tg_name_path(t), "");
}
END_TEST

static void want_no_name(void) {
    ck_assert(tg_is_null(tg_parameter(t, "w", tg_zeros(t, TG_SHAPE(2)))));
    WANT_ERROR(t, TG_ERR_STATE,
               "parameter: 'w' would lack the path of the tg_name_push that failed; call its tg_name_pop");
}

/* Until the push that failed has its pop nothing is named; then names are as before. */
START_TEST(impossible_paths_are_errors)
{
    char text[400];
    memset(text, 'n', sizeof text - 1);
    text[sizeof text - 1] = '\0';
    tg_name_push(t, "a");
    tg_name_push(t, "%s", text);
    WANT_ERROR(t, TG_ERR_ARGUMENT, "name_push: after the path 'a' 399 bytes are too many; 253 fit");
    ck_assert_str_eq(tg_name_path(t), "a");
    want_no_name();
    tg_name_push(t, "in it");
    tg_name_push(t, NULL);
    want_no_name();
    ck_assert(tg_is_null(tg_nn_linear_new(t, "l", 2, 2, true).weight));
    WANT_ERROR(t, TG_ERR_STATE, "parameter: 'weight' would lack");
    tg_name_pop(t);
    tg_name_pop(t);
    want_no_name();
    tg_name_pop(t);
    ck_assert_str_eq(named("v"), "a.v");
    text[253] = '\0'; /* "a." and 253 more */
    tg_name_push(t, "%s", text);
    WANT_OK(t);
    ck_assert_uint_eq(strlen(tg_name_path(t)), 255);
    tg_name_push(t, "b");
    WANT_ERROR(t, TG_ERR_ARGUMENT, "1 bytes are too many; 0 fit");
    want_no_name();
    tg_name_pop(t);
    tg_name_pop(t);
    ck_assert_str_eq(named("w"), "a.w");
    tg_name_pop(t);
    for (int i = 0; i < 70; i++)
        tg_name_push(t, "%d", i % 10);
    WANT_ERROR(t, TG_ERR_ARGUMENT, "name_push: 65 nested paths; at most 64 are allowed");
    for (int i = 70; i > 64; i--) {
        want_no_name();
        tg_name_pop(t);
    }
    ck_assert_str_eq(named("w") + 126, "3.w");
    for (int i = 0; i < 64; i++)
        tg_name_pop(t);
    ck_assert_str_eq(tg_name_path(t), "");
    WANT_OK(t);
    tg_name_pop(t);
    WANT_ERROR(t, TG_ERR_STATE, "name_pop: there was no tg_name_push");
    tg_name_push(NULL, "a");
    tg_name_pop(NULL);
    ck_assert_str_eq(tg_name_path(NULL), "");
    named("w");
    tg_name_push(t, "a");
    named("w");
    WANT_ERROR(t, TG_ERR_ARGUMENT, "the name 'a.w' is taken");
}
END_TEST

START_TEST(a_rewind_leaves_the_path_as_it_is)
{
    tg_mark mark = tg_tape_mark(t);
    tg_name_push(t, "a");
    named("w");
    ck_assert_int_eq(tg_tape_rewind(t, mark), TG_OK);
    ck_assert_str_eq(named("w"), "a.w");
}
END_TEST

int main(void) {
    const TTest *const tests[] = {names_have_the_path_before_them, layers_are_made_under_it,
                                  impossible_paths_are_errors, a_rewind_leaves_the_path_as_it_is};
    return run_tests("path", tests, sizeof tests / sizeof *tests, start, stop);
}
