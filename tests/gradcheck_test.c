/* The gradient check itself: what is right passes, what is wrong does not. */
#include "tests/support.h"

/* ---- a right gradient ---- */

static tg_tensor attention(tg_tape *t) {
    tg_tensor x = tg_probe_leaf(t, TG_SHAPE(6, 3));
    tg_tensor W_query = tg_parameter(t, "W_query", tg_probe_leaf(t, TG_SHAPE(3, 2)));
    tg_tensor W_key = tg_parameter(t, "W_key", tg_probe_leaf(t, TG_SHAPE(3, 2)));
    tg_tensor W_value = tg_parameter(t, "W_value", tg_probe_leaf(t, TG_SHAPE(3, 2)));
    tg_tensor q = tg_matmul(x, W_query), k = tg_matmul(x, W_key), v = tg_matmul(x, W_value);
    tg_tensor scores = tg_mul_scalar(tg_matmul(q, tg_transpose(k, 0, 1)), 0.7071067811865476);
    return tg_matmul(tg_softmax(scores, -1), v);
}

static void right_in(tg_dtype dtype, tg_gradcheck_mode mode) {
    tg_tape *t = tg_tape_new(dtype);
    tg_gradcheck_config config = TG_GRADCHECK_DEFAULTS;
    tg_gradcheck_result r;
    config.mode = mode;
    tg_status status = tg_gradcheck(attention(t), config, &r);
    ck_assert_msg(status == TG_OK, "%s", tg_error(t));
    ck_assert_int_eq(r.verdict, TG_GRAD_RIGHT);
    ck_assert_int_eq(r.leaves, 4);
    ck_assert_int_eq(r.compared, mode == TG_GRADCHECK_FULL ? 36 : 3);
    ck_assert_double_lt(r.worst, 1e-8);
    ck_assert(r.op[0] == '\0' && r.mistake == TG_MISTAKE_NONE);
    tg_tape_free(t);
}

START_TEST(attention_is_right)
{
    right_in(TG_F64, TG_GRADCHECK_FULL);
    right_in(TG_F64, TG_GRADCHECK_FAST);
}
END_TEST

START_TEST(float32_is_checked_in_float64)
{
    right_in(TG_F32, TG_GRADCHECK_FULL);
    right_in(TG_F32, TG_GRADCHECK_FAST);
}
END_TEST

int main(void) {
    Suite *s = suite_create("gradcheck");
    TCase *c = tcase_create("gradcheck");
    tcase_set_timeout(c, 120);
    tcase_add_test(c, attention_is_right);
    tcase_add_test(c, float32_is_checked_in_float64);
    suite_add_tcase(s, c);
    SRunner *r = srunner_create(s);
    srunner_run_all(r, CK_ENV);
    int failed = srunner_ntests_failed(r);
    srunner_free(r);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
