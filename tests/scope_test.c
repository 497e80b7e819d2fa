/* Checkpoint scopes: tensors and marks are usable exactly when the header says, hooks work inside, modified data is an
 * error. */
#include "tests/support.h"

static tg_tape *t;
static void start(void) {
    t = tg_tape_new(TG_F64);
    tg_manual_seed(t, 11);
}
static void stop(void) {
    WANT_OK(t);
    tg_tape_free(t);
}

static void must(tg_status status) { ck_assert_msg(status == TG_OK, "%s", tg_error(t)); }

static tg_tensor parameter(tg_shape shape) { return tg_set_requires_grad(tg_randn(t, shape), true); }

static tg_tensor mean_square(tg_tensor y) { return tg_mean(tg_square(y), TG_ALL_DIMS, false); }

/* ---- what is left of a scope ---- */

START_TEST(tensors_of_an_ended_scope_are_stale)
{
    tg_tensor x = parameter(TG_SHAPE(2, 3));
    tg_checkpoint_begin(t);
    tg_tensor leaf = tg_ones(t, TG_SHAPE(2, 3)), inner = tg_exp(tg_mul(x, leaf)), view = tg_transpose(inner, 0, 1);
    tg_tensor of_leaf = tg_transpose(leaf, 0, 1);
    tg_tensor y = tg_checkpoint_end(t, tg_log(inner));
    double out[6];
    want_values(leaf, 6, (double[]){1, 1, 1, 1, 1, 1});
    ck_assert_int_eq(tg_read_doubles(y, out, 6), TG_OK);
    ck_assert_int_eq(tg_read_doubles(inner, out, 6), TG_ERR_STALE);
    WANT_ERROR(t, TG_ERR_STALE, "read", "(2, 3)", "inside a checkpoint scope", "tg_checkpoint_end");
    ck_assert(tg_is_null(tg_add(y, inner)));
    WANT_ERROR(t, TG_ERR_STALE, "add", "inside a checkpoint scope");
    ck_assert(tg_is_null(tg_exp(view)));
    WANT_ERROR(t, TG_ERR_STALE, "exp", "inside a checkpoint scope");
    ck_assert(tg_is_null(tg_exp(of_leaf)));
    WANT_ERROR(t, TG_ERR_STALE, "exp", "inside a checkpoint scope");
    ck_assert_ptr_null(tg_const_data(inner));
    WANT_ERROR(t, TG_ERR_STALE, "inside a checkpoint scope");
    ck_assert_int_eq(tg_backward_with(inner, inner), TG_ERR_STALE);
    WANT_ERROR(t, TG_ERR_STALE, "backward", "inside a checkpoint scope");
    must(tg_backward(mean_square(y)));
    ck_assert_int_eq(tg_read_doubles(inner, out, 6), TG_ERR_STALE);
    WANT_ERROR(t, TG_ERR_STALE, "read", "inside a checkpoint scope");
}
END_TEST

START_TEST(marks_in_an_ended_scope_are_stale)
{
    tg_tensor x = parameter(TG_SHAPE(2, 3));
    tg_mark before = tg_tape_mark(t);
    tg_checkpoint_begin(t);
    tg_mark first = tg_tape_mark(t);
    tg_tensor y = tg_exp(x);
    tg_mark inside = tg_tape_mark(t);
    tg_exp(y);
    must(tg_tape_rewind(t, inside)); /* while the scope is open it is a mark as any other */
    y = tg_checkpoint_end(t, tg_square(y));
    tg_mark after = tg_tape_mark(t);
    tg_mark of_scope[] = {first, inside};
    for (int i = 0; i < 2; i++) {
        ck_assert_int_eq(tg_tape_rewind(t, of_scope[i]), TG_ERR_STALE);
        WANT_ERROR(t, TG_ERR_STALE, "rewind", "inside a checkpoint scope");
        ck_assert_int_eq(tg_replay(t, of_scope[i]), TG_ERR_STALE);
        WANT_ERROR(t, TG_ERR_STALE, "replay", "inside a checkpoint scope");
    }
    tg_exp(y);
    must(tg_tape_rewind(t, after));
    must(tg_backward(mean_square(y)));
    must(tg_tape_rewind(t, before));
    must(tg_backward(mean_square(tg_exp(x))));
}
END_TEST

START_TEST(rewinding_past_an_open_scope_closes_it)
{
    tg_tensor x = parameter(TG_SHAPE(2, 3));
    tg_mark before = tg_tape_mark(t);
    size_t used = tg_tape_memory(t).used;
    for (int i = 0; i < 3; i++) {
        tg_checkpoint_begin(t);
        tg_checkpoint_begin(t);
        tg_exp(x);
        must(tg_tape_rewind(t, before));
        ck_assert(tg_tape_memory(t).used == used);
    }
    must(tg_backward(mean_square(tg_exp(x)))); /* not inside a scope */
    ck_assert(tg_is_null(tg_checkpoint_end(t, x)));
    WANT_ERROR(t, TG_ERR_STATE, "checkpoint_end", "no scope is open");
}
END_TEST

/* ---- hooks, retained gradients, anomaly mode ---- */

static tg_tensor hooked;
static double seen[2];
static int look(void *grad, int64_t n, tg_tensor x, void *context) {
    (void)n, (void)context;
    seen[0] = *(double *)grad;
    ck_assert_int_eq(tg_read_doubles(x, &seen[1], 1), TG_OK);
    ck_assert(hooked.index == x.index && hooked.epoch == x.epoch);
    *(double *)grad *= 2;
    return 0;
}

START_TEST(hooks_and_retained_gradients_work_inside)
{
    tg_tensor x = wanting(VECTOR(t, 3));
    tg_checkpoint_begin(t);
    tg_tensor h = hooked = tg_square(x), k = tg_reshape(tg_mul_scalar(h, 5), TG_SHAPE(1, 1));
    must(tg_register_hook(h, look, NULL));
    must(tg_retain_grad(k));
    tg_tensor y = tg_checkpoint_end(t, tg_square(k));
    for (int i = 1; i <= 2; i++) {
        must(tg_backward(y)); /* y = (5 x^2)^2; dy/dk = 2 k = 90, dy/dh = 450, doubled; dh/dx = 6 */
        ck_assert(seen[0] == 450 && seen[1] == 9);
        ck_assert(tg_has_grad(k));
        WANT_GRAD(k, 90);
        WANT_GRAD(x, 5400.0 * i);
    }
    tg_grad(h);
    WANT_ERROR(t, TG_ERR_STATE, "grad", "tg_retain_grad");
}
END_TEST

START_TEST(hooks_and_retained_gradients_work_on_the_result)
{
    tg_tensor x = wanting(VECTOR(t, 3));
    tg_checkpoint_begin(t);
    tg_tensor y = hooked = tg_checkpoint_end(t, tg_reshape(tg_square(x), TG_SHAPE(1, 1)));
    must(tg_register_hook(y, look, NULL));
    must(tg_retain_grad(y));
    for (int i = 1; i <= 2; i++) {
        must(tg_backward(tg_mul_scalar(y, 5)));
        ck_assert(seen[0] == 5 && seen[1] == 9);
        WANT_GRAD(y, 10);
        WANT_GRAD(x, 60.0 * i);
    }
}
END_TEST

static int meddle(void *grad, int64_t n, tg_tensor x, void *context) {
    (void)grad, (void)n, (void)context;
    tg_checkpoint_begin(x.tape);
    return 0;
}

START_TEST(scopes_cannot_begin_in_a_hook)
{
    tg_tensor x = wanting(VECTOR(t, 3)), h = tg_square(x);
    must(tg_register_hook(h, meddle, NULL));
    ck_assert_int_eq(tg_backward(tg_square(h)), TG_ERR_STATE);
    WANT_ERROR(t, TG_ERR_STATE, "checkpoint_begin", "hook");
}
END_TEST

START_TEST(anomaly_mode_names_the_operation_inside)
{
    tg_tensor x = wanting(VECTOR(t, 4, 1));
    tg_mark mark = tg_tape_mark(t);
    tg_set_anomaly_mode(t, true);
    tg_checkpoint_begin(t);
    tg_tensor y = tg_checkpoint_end(t, tg_square(tg_sqrt(x)));
    tg_tensor loss = tg_sum(y, TG_ALL_DIMS, false);
    must(tg_backward(loss));
    must(tg_write_doubles(x, (double[]){4, 0}, 2));
    must(tg_replay(t, mark));
    ck_assert_int_eq(tg_backward(loss), TG_ERR_NUMERIC); /* 2 y / (2 y) at 0 */
    WANT_ERROR(t, TG_ERR_NUMERIC, "sqrt", "backward");
    WANT_GRAD(x, 1, 1);
    must(tg_write_doubles(x, (double[]){4, -1}, 2));
    ck_assert_int_eq(tg_replay(t, mark), TG_ERR_NUMERIC);
    WANT_ERROR(t, TG_ERR_NUMERIC, "sqrt", "NaN");
    tg_set_anomaly_mode(t, false);
    must(tg_replay(t, mark)); /* the NaN is the scope's result now */
    tg_set_anomaly_mode(t, true);
    ck_assert_int_eq(tg_replay(t, mark), TG_ERR_NUMERIC);
    WANT_ERROR(t, TG_ERR_NUMERIC, "sqrt", "NaN");
}
END_TEST

/* ---- data that was modified ---- */

START_TEST(modified_data_of_a_scope_is_an_error)
{
    tg_tensor x = wanting(VECTOR(t, 1, 2)), w = tg_buffer(t, "w", VECTOR(t, 3, 4));
    tg_checkpoint_begin(t);
    tg_tensor y = tg_checkpoint_end(t, tg_exp(tg_add(x, w))); /* add's gradient does not need w, computing it does */
    tg_tensor loss = tg_sum(y, TG_ALL_DIMS, false);
    must(tg_backward(loss));
    must(tg_write_doubles(w, (double[]){3, 4}, 2));
    for (int i = 0; i < 2; i++) {
        ck_assert_int_eq(tg_backward(loss), TG_ERR_STATE);
        WANT_ERROR(t, TG_ERR_STATE, "checkpoint", "add", "w (2,)", "modified");
    }
    WANT_GRAD(x, exp(4), exp(6));
}
END_TEST

START_TEST(data_may_be_modified_before_its_use)
{
    tg_tensor x = wanting(VECTOR(t, 1, 2)), w = VECTOR(t, 3, 4), v = tg_reshape(w, TG_SHAPE(2));
    tg_checkpoint_begin(t);
    tg_tensor inside = tg_zeros(t, TG_SHAPE(2)), view = tg_reshape(w, TG_SHAPE(2));
    must(tg_write_doubles(v, (double[]){5, 6}, 2));
    must(tg_copy_(inside, v));
    tg_tensor y = tg_checkpoint_end(t, tg_mul(tg_mul(x, view), inside));
    must(tg_backward(tg_sum(y, TG_ALL_DIMS, false)));
    WANT_GRAD(x, 25, 36);
}
END_TEST

START_TEST(a_result_inside_must_not_be_modified)
{
    tg_tensor x = wanting(VECTOR(t, 1, 2)), h;
    tg_mark mark = tg_tape_mark(t);
    tg_checkpoint_begin(t);
    h = tg_exp(x);
    ((double *)tg_data(h))[0] = 7;
    ck_assert(tg_is_null(tg_checkpoint_end(t, tg_square(h))));
    WANT_ERROR(t, TG_ERR_STATE, "checkpoint", "exp", "modified");
    must(tg_tape_rewind(t, mark));
    must(tg_backward(tg_sum(tg_exp(x), TG_ALL_DIMS, false)));
}
END_TEST

/* ---- errors ---- */

START_TEST(calls_at_the_wrong_time_are_errors)
{
    tg_tensor x = wanting(VECTOR(t, 1, 2));
    tg_mark mark = tg_tape_mark(t);
    tg_tensor loss = tg_sum(tg_exp(x), TG_ALL_DIMS, false);
    tg_checkpoint_begin(NULL);
    ck_assert(tg_is_null(tg_checkpoint_end(NULL, x)));
    WANT_ERROR(t, TG_ERR_ARGUMENT, "checkpoint_end", "NULL");
    ck_assert(tg_is_null(tg_checkpoint_end(t, x)));
    WANT_ERROR(t, TG_ERR_STATE, "checkpoint_end", "tg_checkpoint_begin");
    tg_checkpoint_begin(t);
    ck_assert_int_eq(tg_backward(loss), TG_ERR_STATE);
    WANT_ERROR(t, TG_ERR_STATE, "backward", "inside a checkpoint scope", "tg_checkpoint_end");
    ck_assert_int_eq(tg_replay(t, mark), TG_ERR_STATE);
    WANT_ERROR(t, TG_ERR_STATE, "replay", "inside a checkpoint scope");
    tg_tensor y = tg_checkpoint_end(t, tg_square(x)); /* the scope is still open, and can be ended */
    must(tg_backward(tg_sum(y, TG_ALL_DIMS, false)));
    WANT_GRAD(x, 2, 4);
}
END_TEST

START_TEST(an_error_inside_leaves_scopes_balanced)
{
    tg_tensor x = wanting(VECTOR(t, 1, 2));
    tg_mark mark = tg_tape_mark(t);
    tg_checkpoint_begin(t);
    tg_checkpoint_begin(t);
    tg_matmul(x, tg_ones(t, TG_SHAPE(5)));
    tg_checkpoint_begin(t);
    ck_assert(tg_is_null(tg_checkpoint_end(t, TG_NULL)));
    tg_checkpoint_end(t, TG_NULL);
    ck_assert(tg_is_null(tg_checkpoint_end(t, TG_NULL)));
    WANT_ERROR(t, TG_ERR_SHAPE, "matmul");
    must(tg_tape_rewind(t, mark));
    tg_checkpoint_begin(t);
    tg_tensor y = tg_checkpoint_end(t, tg_square(tg_exp(x)));
    must(tg_backward(tg_sum(y, TG_ALL_DIMS, false)));
}
END_TEST

/* How a scope goes wrong, and what is said. */
enum { FAILS, NOTHING, ANOTHER_TAPES, INTEGERS, STALE, MODIFIED, BAD_ENDS };
static tg_tensor end_badly(int how, tg_tensor x, tg_tape *other) {
    tg_tensor h = tg_exp(x);
    switch (how) {
    case FAILS: return tg_checkpoint_end(t, tg_matmul(tg_reshape(h, TG_SHAPE(1, 2)), tg_ones(t, TG_SHAPE(3, 1))));
    case NOTHING: return tg_checkpoint_end(t, TG_NULL);
    case ANOTHER_TAPES: return tg_checkpoint_end(t, tg_ones(other, TG_SHAPE(2)));
    case INTEGERS: return tg_checkpoint_end(t, tg_argmax(h, 0, false));
    case STALE: h.epoch += 100; return tg_checkpoint_end(t, h);
    default: must(tg_register_hook(tg_reshape(h, TG_SHAPE(1, 2)), look, NULL));
    }
    ((double *)tg_data(h))[0] = 7;
    return tg_checkpoint_end(t, tg_square(h));
}

START_TEST(a_scope_that_ends_with_an_error_has_ended)
{
    static const struct {
        tg_status status;
        const char *text;
    } wants[BAD_ENDS] = {
        {TG_ERR_SHAPE, "matmul"},          {TG_ERR_ARGUMENT, "checkpoint_end: the scope's result is the null"},
        {TG_ERR_ARGUMENT, "another tape"}, {TG_ERR_ARGUMENT, "checkpoint_end: operand 1 () is int64"},
        {TG_ERR_STALE, "checkpoint_end"},  {TG_ERR_STATE, "modified"}};
    tg_tape *other = tg_tape_new(TG_F64);
    for (int how = 0; how < BAD_ENDS; how++) {
        tg_tensor x = wanting(VECTOR(t, 1, 2));
        tg_mark mark = tg_tape_mark(t);
        tg_checkpoint_begin(t);
        tg_checkpoint_begin(t);
        tg_tensor leaf = wanting(VECTOR(t, 3, 4)), inside = tg_mul(x, leaf), view = tg_reshape(leaf, TG_SHAPE(1, 2));
        tg_mark within = tg_tape_mark(t);
        must(tg_retain_grad(inside));
        ck_assert(!tg_is_null(tg_checkpoint_end(t, inside)));
        ck_assert(tg_is_null(end_badly(how, x, other)));
        WANT_ERROR(t, wants[how].status, wants[how].text);
        tg_numel(inside);
        WANT_ERROR(t, TG_ERR_STALE, "inside a checkpoint scope that has ended with an error");
        tg_exp(view);
        WANT_ERROR(t, TG_ERR_STALE, "exp", "inside a checkpoint scope");
        ck_assert_int_eq(tg_tape_rewind(t, within), TG_ERR_STALE);
        WANT_ERROR(t, TG_ERR_STALE, "rewind", "inside a checkpoint scope");
        tg_checkpoint_end(t, x);
        WANT_ERROR(t, TG_ERR_STATE, "no scope is open");
        WANT_VALUES(leaf, 3, 4);
        /* everything goes on: a scope, backward, a gradient check, replays, also of what has failed, rewinding */
        tg_mark after = tg_tape_mark(t);
        tg_checkpoint_begin(t);
        tg_tensor y = total(tg_checkpoint_end(t, tg_square(tg_mul(x, leaf))));
        must(tg_backward(y));
        WANT_GRAD(x, 2 * 9, 4 * 16);
        WANT_GRAD(leaf, 2 * 3, 8 * 4);
        must(tg_gradcheck(y, TG_GRADCHECK_DEFAULTS, NULL));
        must(tg_write_doubles(x, (double[]){2, 1}, 2));
        tg_set_anomaly_mode(t, true);
        must(tg_replay(t, mark));
        tg_set_anomaly_mode(t, false);
        ck_assert_double_eq(tg_item(y), 36 + 16);
        must(tg_tape_rewind(t, after));
        must(tg_backward(total(tg_mul(x, leaf))));
        WANT_GRAD(x, 2 * 9 + 3, 4 * 16 + 4);
        must(tg_tape_rewind(t, mark));
    }
    tg_tape_free(other);
}
END_TEST

/* A mark is inside when what lies right before it is a leaf, too. */
START_TEST(marks_behind_leaves_of_an_ended_scope_are_stale)
{
    tg_tensor x = wanting(VECTOR(t, 1, 2));
    tg_checkpoint_begin(t);
    tg_tensor h = tg_exp(x);
    tg_ones(t, TG_SHAPE(1));
    tg_mark inside = tg_tape_mark(t);
    tg_tensor y = tg_checkpoint_end(t, tg_square(h));
    tg_ones(t, TG_SHAPE(1));
    tg_mark after = tg_tape_mark(t);
    ck_assert_int_eq(tg_replay(t, inside), TG_ERR_STALE);
    WANT_ERROR(t, TG_ERR_STALE, "replay", "inside a checkpoint scope");
    ck_assert_int_eq(tg_tape_rewind(t, inside), TG_ERR_STALE);
    WANT_ERROR(t, TG_ERR_STALE, "rewind", "inside a checkpoint scope");
    must(tg_tape_rewind(t, after));
    must(tg_backward(total(y)));
}
END_TEST

/* y = x^2, computed on the tape, with a scope around it, rewound; meddles when it is told to. */
enum { SQUARES, GOES_BACK, REPLAYS, ENDS_ANOTHERS, LEAVES_OPEN, MEDDLINGS };
static int meddling;
static int square_on_tape(const tg_call *c) {
    tg_mark mark = tg_tape_mark(t);
    if (meddling == ENDS_ANOTHERS)
        tg_checkpoint_end(t, tg_ones(t, TG_SHAPE(1)));
    tg_checkpoint_begin(t);
    tg_tensor x = wanting(tg_from_doubles(t, TG_SHAPE(2), c->input[0])), y = tg_square(x);
    if (meddling != LEAVES_OPEN)
        y = tg_checkpoint_end(t, y);
    if (meddling == GOES_BACK && tg_backward(total(y)))
        return 1;
    if (meddling == REPLAYS && tg_replay(t, mark))
        return 1;
    return tg_read_doubles(y, c->output, 2) || tg_tape_rewind(t, mark);
}
static int square_vjp(const tg_call *c) {
    for (int j = 0; j < 2; j++)
        ((double *)c->input_grad[0])[j] += 2 * ((const double *)c->input[0])[j] * ((const double *)c->output_grad)[j];
    return 0;
}

START_TEST(a_forward_inside_may_compute_on_the_tape)
{
    static const tg_custom_op op = {.name = "on_tape", .forward_f64 = square_on_tape, .vjp_f64 = square_vjp};
    tg_tensor x = wanting(VECTOR(t, 1, 2));
    tg_mark mark = tg_tape_mark(t);
    tg_checkpoint_begin(t);
    tg_tensor h = tg_mul_scalar(x, 3), y = tg_exp(tg_mul_scalar(tg_custom(&op, &h, 1, TG_SHAPE(2), NULL, 0), 0.25));
    tg_tensor loss = total(tg_checkpoint_end(t, y)); /* e^(9 x^2 / 4) */
    const double slope[] = {4.5 * exp(2.25), 9 * exp(9)};
    for (int i = 0; i < 2; i++) {
        tg_zero_grads(t);
        must(tg_backward(loss));
        want_grad(x, 2, slope);
        must(tg_replay(t, mark));
    }
    /* as in recording, it has no business with the scope that it is part of, and a failure is one */
    const char *const said[] = {"", "backward: called", "replay: called", "no scope is open", ""};
    for (meddling = GOES_BACK; meddling < LEAVES_OPEN; meddling++) {
        ck_assert_int_eq(tg_backward(loss), TG_ERR_STATE);
        WANT_ERROR(t, TG_ERR_STATE, said[meddling]);
        want_grad(x, 2, slope);
        ck_assert_int_eq(tg_replay(t, mark), TG_ERR_STATE);
        WANT_ERROR(t, TG_ERR_STATE, said[meddling]);
        tg_checkpoint_begin(t);
        ck_assert(tg_is_null(tg_checkpoint_end(t, tg_custom(&op, &x, 1, TG_SHAPE(2), NULL, 0))));
        WANT_ERROR(t, TG_ERR_STATE, said[meddling]);
        int as = meddling;
        meddling = SQUARES;
        must(tg_replay(t, mark));
        meddling = as;
    }
    must(tg_replay(t, mark)); /* a scope that it leaves open is none */
    tg_zero_grads(t);
    must(tg_backward(loss));
    want_grad(x, 2, slope);
    meddling = SQUARES;
}
END_TEST

static int refuse_calls; /* from this call on */
static int copy_forward(const tg_call *c) {
    if (refuse_calls-- <= 0)
        return 1;
    memcpy(c->output, c->input[0], (size_t)c->output_shape->size[0] * sizeof(double));
    return 0;
}
static int copy_vjp(const tg_call *c) {
    for (int64_t j = 0; j < c->output_shape->size[0]; j++)
        ((double *)c->input_grad[0])[j] += ((const double *)c->output_grad)[j];
    return 0;
}

START_TEST(a_failing_recomputation_is_an_error)
{
    static const tg_custom_op op = {.name = "fickle", .forward_f64 = copy_forward, .vjp_f64 = copy_vjp};
    tg_tensor x = wanting(VECTOR(t, 1, 2)), w = wanting(VECTOR(t, 3, 4));
    must(tg_backward(tg_sum(tg_mul(x, w), TG_ALL_DIMS, false)));
    refuse_calls = 1;
    tg_checkpoint_begin(t);
    tg_tensor h = tg_exp(x), y = tg_checkpoint_end(t, tg_square(tg_custom(&op, &h, 1, TG_SHAPE(2), NULL, 0)));
    tg_tensor loss = tg_sum(tg_mul(y, w), TG_ALL_DIMS, false);
    size_t used = tg_tape_memory(t).used;
    ck_assert_int_eq(tg_backward(loss), TG_ERR_STATE);
    WANT_ERROR(t, TG_ERR_STATE, "fickle", "forward");
    ck_assert(tg_tape_memory(t).used == used);
    WANT_GRAD(x, 3, 4);
    WANT_GRAD(w, 1, 2);
    refuse_calls = 1;
    must(tg_backward(loss));
    WANT_GRAD(x, 3 + 3 * 2 * exp(2), 4 + 4 * 2 * exp(4));
}
END_TEST

int main(void) {
    const TTest *const all[] = {
        tensors_of_an_ended_scope_are_stale,
        marks_in_an_ended_scope_are_stale,
        rewinding_past_an_open_scope_closes_it,
        hooks_and_retained_gradients_work_inside,
        hooks_and_retained_gradients_work_on_the_result,
        scopes_cannot_begin_in_a_hook,
        anomaly_mode_names_the_operation_inside,
        modified_data_of_a_scope_is_an_error,
        data_may_be_modified_before_its_use,
        a_result_inside_must_not_be_modified,
        calls_at_the_wrong_time_are_errors,
        an_error_inside_leaves_scopes_balanced,
        a_scope_that_ends_with_an_error_has_ended,
        marks_behind_leaves_of_an_ended_scope_are_stale,
        a_forward_inside_may_compute_on_the_tape,
        a_failing_recomputation_is_an_error,
    };
    return run_tests("scope", all, sizeof all / sizeof *all, start, stop);
}
