/* Every operation's gradient, on its own probes, against central differences in float64. */
#include "tests/support.h"

static const tg_op *const ops[] = {
#define X(name) &name,
#include "ops_list.h"
#undef X
};

enum { N_OPS = sizeof ops / sizeof *ops };

static tg_tape *new_probe_tape(int variant, uint64_t seed) {
    tg_tape *t = tg_tape_new(TG_F64);
    ck_assert_ptr_nonnull(t);
    tg_manual_seed(t, seed + (uint64_t)variant);
    return t;
}

static bool check_variant(const tg_op *op, int variant, int frozen) {
    tg_tape *t = new_probe_tape(variant, 1);
    tg_mark start = tg_tape_mark(t);
    tg_tensor y = op->probe(t, variant);
    if (tg_is_null(y)) {
        ck_assert_msg(tg_tape_status(t) == TG_OK, "%s probe %d: %s", op->name, variant, tg_error(t));
        tg_tape_free(t);
        return false;
    }
    if (op->no_gradient) {
        ck_assert_msg(!tg_requires_grad(y), "%s probe %d: the result requires a gradient", op->name, variant);
    } else {
        numeric_check c = check_gradient(t, start, y);
        ck_assert_msg(c.worst <= 1e-7, "%s probe %d: %s", op->name, variant, c.where);
    }
    (void)frozen;
    tg_tape_free(t);
    return true;
}

START_TEST(vjp_agrees_with_differences)
{
    const tg_op *op = ops[_i];
    ck_assert_msg(op->probe != NULL, "%s has no probe", op->name);
    int variant = 0;
    while (check_variant(op, variant, -1))
        variant++;
    ck_assert_int_gt(variant, 0);
}
END_TEST

int main(void) {
    Suite *s = suite_create("ops");
    TCase *c = tcase_create("gradients");
    tcase_set_timeout(c, 120);
    tcase_add_loop_test(c, vjp_agrees_with_differences, 0, N_OPS);
    suite_add_tcase(s, c);
    SRunner *r = srunner_create(s);
    srunner_run_all(r, CK_ENV);
    int failed = srunner_ntests_failed(r);
    srunner_free(r);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
