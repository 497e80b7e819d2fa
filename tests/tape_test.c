/* Anomaly mode names the first operation that makes a NaN; a replay equals a new recording; a rewind drops what was
 * made since its mark. Expected values are worked out by hand. */
#include "tests/support.h"

static tg_tape *t;

static void start(void) {
    t = tg_tape_new(TG_F64);
    ck_assert_ptr_nonnull(t);
}
static void stop(void) { tg_tape_free(t); }

/* ---- anomaly mode ---- */

START_TEST(anomaly_mode_names_the_first_forward_op)
{
    tg_tensor x = VECTOR(t, 1, 2, -3), zero = VECTOR(t, 1, 0, 1);
    tg_exp(tg_log(x));
    WANT_OK(t);
    tg_set_anomaly_mode(t, true);
    ck_assert(tg_is_null(tg_exp(tg_log(tg_mul_scalar(x, 2)))));
    WANT_ERROR(t, TG_ERR_NUMERIC, "log", "forward", "NaN", "element 2", "(3,) from (3,)");
    ck_assert(tg_is_null(tg_div(x, zero)));
    WANT_ERROR(t, TG_ERR_NUMERIC, "div", "Inf", "element 1", "(3,) from (3,), (3,)");
    tg_tensor mask = tg_from_bools(t, TG_SHAPE(3), (bool[]){true, false, true});
    WANT_VALUES(tg_softmax(tg_masked_fill(x, mask, -(double)INFINITY), 0), 0, 1, 0);
    tg_tensor bad = VECTOR(t, NAN, 1, 2);
    tg_exp(bad);
    WANT_OK(t);
}
END_TEST

START_TEST(anomaly_mode_names_the_first_backward_op)
{
    tg_tensor x = wanting(MATRIX(t, 2, 2, 1, 4, 0, 9)), y = total(tg_mul_scalar(tg_sqrt(tg_transpose(x, 0, 1)), 2));
    run_backward(y);
    tg_zero_grads(t);
    tg_set_anomaly_mode(t, true);
    ck_assert_int_eq(tg_backward(y), TG_ERR_NUMERIC);
    WANT_ERROR(t, TG_ERR_NUMERIC, "sqrt", "backward", "element 1", "(2, 2)");
    ck_assert(!tg_has_grad(x));
    tg_tensor w = wanting(VECTOR(t, 1, 2));
    ck_assert_int_eq(tg_backward_with(tg_mul_scalar(w, 1), VECTOR(t, 1, NAN)), TG_ERR_NUMERIC);
    WANT_ERROR(t, TG_ERR_NUMERIC, "cotangent", "element 1", "(2,)");
    tg_set_anomaly_mode(t, false);
    ck_assert_int_eq(tg_write_grad(w, (double[]){INFINITY, 0}, 2), TG_OK);
    tg_set_anomaly_mode(t, true);
    ck_assert_int_eq(tg_backward(total(w)), TG_ERR_NUMERIC);
    WANT_ERROR(t, TG_ERR_NUMERIC, "earlier", "element 0", "(2,)");
}
END_TEST

START_TEST(anomaly_mode_watches_replay)
{
    tg_tensor x = VECTOR(t, 1, 2);
    tg_mark mark = tg_tape_mark(t);
    tg_log(x);
    tg_set_anomaly_mode(t, true);
    ck_assert_int_eq(tg_replay(t, mark), TG_OK);
    ck_assert_int_eq(tg_write_doubles(x, (double[]){1, 0}, 2), TG_OK);
    ck_assert_int_eq(tg_replay(t, mark), TG_ERR_NUMERIC);
    WANT_ERROR(t, TG_ERR_NUMERIC, "log", "Inf", "element 1");
}
END_TEST

/* ---- replay ---- */

START_TEST(replay_runs_the_graph_from_new_leaves)
{
    tg_tensor x = wanting(MATRIX(t, 2, 2, 1, 2, 3, 4)), w = wanting(VECTOR(t, 1, 1));
    tg_mark mark = tg_tape_mark(t);
    tg_tensor h = tg_mul(tg_transpose(x, 0, 1), w), y = total(tg_square(h));
    run_backward(y);
    WANT_GRAD(w, 2 * (1 + 4), 2 * (9 + 16));
    tg_zero_grads(t);
    ck_assert_int_eq(tg_write_doubles(x, (double[]){5, 6, 7, 8}, 4), TG_OK);
    ck_assert_int_eq(tg_write_doubles(w, (double[]){2, 3}, 2), TG_OK);
    ck_assert_int_eq(tg_replay(t, mark), TG_OK);
    WANT_VALUES(h, 10, 21, 12, 24);
    ck_assert(tg_item(y) == 100 + 441 + 144 + 576);
    run_backward(y);
    WANT_GRAD(w, 4 * (25 + 36), 6 * (49 + 64));
    WANT_GRAD(x, 8 * 5, 8 * 6, 18 * 7, 18 * 8);
    ck_assert_int_eq(tg_write_doubles(x, (double[]){0, 0, 0, 0}, 4), TG_OK);
    ck_assert_int_eq(tg_backward(y), TG_ERR_STATE);
    WANT_ERROR(t, TG_ERR_STATE, "mul", "modified");
    ck_assert_int_eq(tg_replay(t, mark), TG_OK);
    run_backward(y);
    WANT_GRAD(x, 40, 48, 126, 144);
}
END_TEST

START_TEST(replay_of_a_part_leaves_the_rest_outdated)
{
    tg_tensor x = wanting(VECTOR(t, 1, 2)), h = tg_square(x);
    tg_mark late = tg_tape_mark(t);
    tg_tensor y = total(tg_square(h));
    ck_assert_int_eq(tg_write_doubles(x, (double[]){3, 4}, 2), TG_OK);
    ck_assert_int_eq(tg_replay(t, late), TG_OK);
    ck_assert(tg_item(y) == 17);
    ck_assert_int_eq(tg_backward(y), TG_ERR_STATE);
    WANT_ERROR(t, TG_ERR_STATE, "square", "modified");
}
END_TEST

/* Dropout draws anew, then the logarithm stops the replay: the square behind has not seen the new mask. */
START_TEST(a_replay_that_fails_leaves_the_rest_outdated)
{
    tg_tensor x = wanting(VECTOR(t, 1, 2, 3, 4)), negative = VECTOR(t, -1);
    tg_mark mark = tg_tape_mark(t);
    tg_tensor d = tg_dropout(x, 0.5);
    tg_log(negative);
    tg_tensor y = total(tg_square(d));
    tg_set_anomaly_mode(t, true);
    ck_assert_int_eq(tg_replay(t, mark), TG_ERR_NUMERIC);
    WANT_ERROR(t, TG_ERR_NUMERIC, "log");
    tg_set_anomaly_mode(t, false);
    ck_assert_int_eq(tg_backward(y), TG_ERR_STATE);
    WANT_ERROR(t, TG_ERR_STATE, "backward", "tg_replay failed at log");
    ck_assert(!tg_has_grad(x));
    ck_assert_int_eq(tg_replay(t, mark), TG_OK);
    run_backward(y);
}
END_TEST

/* ---- marks ---- */

START_TEST(rewind_forgets_the_graph_and_keeps_the_parameters)
{
    tg_tensor w = tg_parameter(t, "w", VECTOR(t, 1, 2));
    tg_mark mark = tg_tape_mark(t);
    tg_tensor old = TG_NULL;
    for (int i = 1; i <= 3; i++) {
        tg_tensor extra = tg_parameter(t, "extra", VECTOR(t, 1, 2));
        tg_tensor h = tg_mul(w, extra);
        ck_assert_int_eq(tg_retain_grad(h), TG_OK);
        run_backward(total(h));
        ck_assert_int_eq(tg_tape_rewind(t, mark), TG_OK);
        WANT_GRAD(w, i, 2 * i);
        WANT_VALUES(w, 1, 2);
        ck_assert_int_eq(tg_tape_rewind(t, mark), TG_OK);
        ck_assert(tg_parameters(t).n == 1);
        old = h;
    }
    tg_square(w);
    tg_exp(old);
    WANT_ERROR(t, TG_ERR_STALE, "exp", "stale");
    ck_assert(isnan(tg_item(old)));
    WANT_ERROR(t, TG_ERR_STALE, "item", "stale");
    ck_assert_int_eq(tg_backward(old), TG_ERR_STALE);
    WANT_ERROR(t, TG_ERR_STALE, "backward", "stale");
}
END_TEST

START_TEST(marks_nest_and_a_mark_rewound_away_is_an_error)
{
    VECTOR(t, 1, 2);
    tg_mark outer = tg_tape_mark(t);
    VECTOR(t, 3);
    tg_mark inner = tg_tape_mark(t);
    tg_tensor c = VECTOR(t, 4);
    ck_assert_int_eq(tg_tape_rewind(t, inner), TG_OK);
    tg_square(c);
    WANT_ERROR(t, TG_ERR_STALE, "square", "stale");
    ck_assert_int_eq(tg_tape_rewind(t, outer), TG_OK);
    ck_assert_int_eq(tg_tape_rewind(t, inner), TG_ERR_STALE);
    WANT_ERROR(t, TG_ERR_STALE, "rewind", "mark");
    VECTOR(t, 5);
    VECTOR(t, 6);
    ck_assert_int_eq(tg_tape_rewind(t, inner), TG_ERR_STALE);
    WANT_ERROR(t, TG_ERR_STALE, "rewind", "mark");
    ck_assert_int_eq(tg_replay(t, inner), TG_ERR_STALE);
    WANT_ERROR(t, TG_ERR_STALE, "replay", "mark");
    tg_tape *other = tg_tape_new(TG_F64);
    ck_assert_int_eq(tg_tape_rewind(other, outer), TG_ERR_ARGUMENT);
    WANT_ERROR(other, TG_ERR_ARGUMENT, "rewind", "mark");
    tg_tape_free(other);
    ck_assert_int_eq(tg_tape_rewind(t, outer), TG_OK);
}
END_TEST

int main(void) {
    const TTest *const all[] = {
        anomaly_mode_names_the_first_forward_op,
        anomaly_mode_names_the_first_backward_op,
        anomaly_mode_watches_replay,
        replay_runs_the_graph_from_new_leaves,
        replay_of_a_part_leaves_the_rest_outdated,
        a_replay_that_fails_leaves_the_rest_outdated,
        rewind_forgets_the_graph_and_keeps_the_parameters,
        marks_nest_and_a_mark_rewound_away_is_an_error,
    };
    return run_tests("tape", all, sizeof all / sizeof *all, start, stop);
}
