/* Hooks see complete gradients, may change these and nothing else. One test for each rule, named after it; expected
 * values are worked out by hand. */
#include "optim/optim.h"
#include "tests/support.h"

static tg_tape *t;

static void start(void) {
    t = tg_tape_new(TG_F64);
    ck_assert_ptr_nonnull(t);
}
static void stop(void) { tg_tape_free(t); }

/* sum(a b): da = b, db = a */
static tg_tensor dot(tg_tensor a, tg_tensor b) { return total(tg_mul(a, b)); }

typedef struct seen {
    int calls;
    double grad[4], factor;
    int result;
} seen;

static int look(void *grad, int64_t n, tg_tensor x, void *context) {
    seen *s = context;
    double *g = grad;
    ck_assert_int_eq(tg_numel(x), n);
    for (int64_t i = 0; i < n && i < 4; i++) {
        s->grad[i] = g[i];
        g[i] *= s->factor;
    }
    s->calls++;
    return s->result;
}

START_TEST(a_hook_sees_the_complete_gradient)
{
    seen leaf = {.factor = 1}, middle = {.factor = 1};
    tg_tensor x = wanting(VECTOR(t, 1, 2)), h = tg_square(x), y = tg_add(dot(h, h), total(tg_mul_scalar(x, 3)));
    ck_assert_int_eq(tg_register_hook(x, look, &leaf), TG_OK);
    ck_assert_int_eq(tg_register_hook(h, look, &middle), TG_OK);
    for (int i = 1; i <= 2; i++) {
        run_backward(y);
        ck_assert_int_eq(leaf.calls, i);
        ck_assert_int_eq(middle.calls, i);
        ck_assert(middle.grad[0] == 2 && middle.grad[1] == 8);
        ck_assert_msg(leaf.grad[0] == 7 && leaf.grad[1] == 35, "this backward's gradient alone");
        WANT_GRAD(x, 7 * i, 35 * i);
    }
}
END_TEST

START_TEST(a_frozen_leaf_does_not_stop_what_is_retained_or_hooked)
{
    seen s = {.factor = 1}, alone = {.factor = 1};
    tg_tensor x = wanting(VECTOR(t, 1, 2)), h = tg_square(x), v = tg_slice(x, 0, 0, 1, 1), e, n = tg_neg(x);
    ck_assert_int_eq(tg_register_hook(n, look, &alone), TG_OK);
    ck_assert_int_eq(tg_retain_grad(v), TG_OK);
    e = tg_expand(v, TG_SHAPE(2));
    ck_assert_int_eq(tg_retain_grad(h), TG_OK);
    ck_assert_int_eq(tg_register_hook(e, look, &s), TG_OK);
    tg_tensor first = tg_add(dot(h, VECTOR(t, 1, 2)), dot(e, VECTOR(t, 3, 4)));
    tg_tensor second = tg_add(dot(h, VECTOR(t, 10, 20)), dot(e, VECTOR(t, 30, 40)));
    run_backward(first);
    WANT_GRAD(x, 2 + 7, 8);
    tg_set_requires_grad(x, false);
    run_backward(second);
    WANT_GRAD(h, 10, 20);
    WANT_GRAD(v, 70);
    ck_assert(s.calls == 2 && s.grad[0] == 30 && s.grad[1] == 40);
    ck_assert_int_eq(tg_backward_with(h, VECTOR(t, 5, 6)), TG_OK);
    WANT_GRAD(h, 5, 6);
    WANT_GRAD(x, 2 + 7, 8);
    ck_assert_int_eq(tg_backward(dot(tg_square(x), h)), TG_OK);
    WANT_GRAD(h, 1, 4);
    ck_assert_int_eq(tg_backward(dot(n, VECTOR(t, 7, 8))), TG_OK);
    ck_assert(alone.calls == 1 && alone.grad[0] == 7 && alone.grad[1] == 8);
    WANT_GRAD(x, 2 + 7, 8);
}
END_TEST

static int switches(void *grad, int64_t n, tg_tensor x, void *context) {
    const tg_tensor *leaf = context; /* the first is frozen, the second no more */
    (void)grad, (void)n, (void)x;
    tg_set_requires_grad(leaf[0], false);
    tg_set_requires_grad(leaf[1], true);
    return 0;
}

START_TEST(what_a_hook_switches_counts_from_the_next_backward_on)
{
    tg_tensor x[2] = {wanting(VECTOR(t, 1, 2)), wanting(VECTOR(t, 3, 4))};
    tg_tensor late = dot(x[0], x[1]), h = tg_square(tg_mul(x[0], x[1])), y = tg_add(late, total(h));
    tg_set_requires_grad(x[1], false);
    ck_assert_int_eq(tg_register_hook(h, switches, x), TG_OK);
    run_backward(y); /* x1 + 2 x0 x1^2 */
    WANT_GRAD(x[0], 3 + 18, 4 + 64);
    ck_assert(!tg_has_grad(x[1]) && !tg_requires_grad(x[0]) && tg_requires_grad(x[1]));
    run_backward(y); /* x0 + 2 x1 x0^2 */
    WANT_GRAD(x[0], 3 + 18, 4 + 64);
    WANT_GRAD(x[1], 1 + 6, 2 + 32);
}
END_TEST

START_TEST(a_tensor_has_any_number_of_hooks_called_in_order)
{
    seen s[40];
    tg_tensor x = wanting(VECTOR(t, 1)), h = tg_square(x);
    for (int i = 0; i < 40; i++) {
        s[i] = (seen){.factor = 2};
        ck_assert_int_eq(tg_register_hook(h, look, &s[i]), TG_OK);
    }
    run_backward(total(h));
    for (int i = 0; i < 40; i++)
        ck_assert(s[i].calls == 1 && s[i].grad[0] == ldexp(1, i));
    WANT_GRAD(x, ldexp(2, 40));
    ck_assert_int_eq(tg_register_hook(h, NULL, NULL), TG_ERR_ARGUMENT);
    WANT_ERROR(t, TG_ERR_ARGUMENT, "register_hook", "(1,)", "NULL");
}
END_TEST

START_TEST(a_hook_may_change_the_gradient)
{
    seen leaf = {.factor = 10}, middle = {.factor = -1}, again = {.factor = 1};
    tg_tensor x = wanting(VECTOR(t, 1, 2)), h = tg_square(x), y = total(h);
    ck_assert_int_eq(tg_write_grad(x, (double[]){100, 100}, 2), TG_OK);
    ck_assert_int_eq(tg_register_hook(x, look, &leaf), TG_OK);
    ck_assert_int_eq(tg_register_hook(h, look, &middle), TG_OK);
    ck_assert_int_eq(tg_register_hook(h, look, &again), TG_OK);
    run_backward(y);
    ck_assert(middle.grad[0] == 1 && again.grad[0] == -1);
    WANT_GRAD(x, 80, 60);
}
END_TEST

static void want_ends(tg_tensor x, double first, double last) {
    double g[64];
    ck_assert_int_eq(tg_read_doubles(tg_grad(x), g, 64), TG_OK);
    ck_assert_msg(g[0] == first && g[63] == last, "%g and %g, not %g and %g", g[0], g[63], first, last);
}

/* The operands of an addition have one gradient between them until one is added to (those of a few bytes are copied):
 * with a = x^2 and b = 3a, d(a + b + a b)/da = 1 + b + 3 (1 + a) = 4 + 6a. */
START_TEST(what_operands_of_an_addition_do_to_their_gradients_is_their_own)
{
    seen hook = {.factor = 2};
    tg_tensor x = wanting(tg_full(t, TG_SHAPE(64), 2)), a = tg_square(x), b = tg_mul_scalar(a, 3);
    tg_tensor sum = tg_add(tg_add(a, b), tg_mul(a, b)), twice = tg_add(sum, sum);
    ck_assert_int_eq(tg_retain_grad(a), TG_OK);
    ck_assert_int_eq(tg_retain_grad(b), TG_OK);
    for (int i = 1; i <= 2; i++) {
        tg_zero_grads(t);
        run_backward(total(twice));
        want_ends(a, 2 * 28, 2 * 28);
        want_ends(b, 2 * 5, 2 * 5);
        want_ends(x, 2 * 28 * 4, 2 * 28 * 4);
    }
    tg_tensor c = tg_square(x), d = tg_square(x);
    ck_assert_int_eq(tg_retain_grad(c), TG_OK);
    ck_assert_int_eq(tg_register_hook(d, look, &hook), TG_OK); /* doubles the first elements */
    tg_zero_grads(t);
    run_backward(total(tg_add(c, d)));
    ck_assert(hook.grad[0] == 1);
    want_ends(c, 1, 1);
    want_ends(x, 4 + 8, 4 + 4);
}
END_TEST

START_TEST(a_hook_on_a_view_sees_the_view_s_gradient)
{
    seen s = {.factor = 2};
    tg_tensor x = wanting(MATRIX(t, 2, 2, 1, 2, 3, 4)), v = tg_transpose(x, 0, 1);
    ck_assert_int_eq(tg_register_hook(v, look, &s), TG_OK);
    run_backward(tg_add(dot(v, MATRIX(t, 2, 2, 1, 2, 3, 4)), total(x)));
    ck_assert(s.calls == 1 && s.grad[0] == 1 && s.grad[1] == 2 && s.grad[2] == 3 && s.grad[3] == 4);
    WANT_GRAD(x, 3, 7, 5, 9);
}
END_TEST

START_TEST(a_hook_s_error_stops_backward_and_changes_no_leaf)
{
    seen s = {.factor = 1, .result = 1};
    tg_tensor x = wanting(VECTOR(t, 1, 2)), w = wanting(VECTOR(t, 3, 4)), h = tg_mul(x, x), y = dot(h, w);
    ck_assert_int_eq(tg_write_grad(w, (double[]){5, 6}, 2), TG_OK);
    ck_assert_int_eq(tg_register_hook(h, look, &s), TG_OK);
    ck_assert_int_eq(tg_backward(y), TG_ERR_STATE);
    WANT_ERROR(t, TG_ERR_STATE, "hook", "(2,)");
    ck_assert(!tg_has_grad(x));
    WANT_GRAD(w, 5, 6);
    s.result = 0;
    run_backward(y);
    WANT_GRAD(x, 6, 16);
    WANT_GRAD(w, 6, 10);
    s.result = 1;
    ck_assert_int_eq(tg_register_hook(x, look, &s), TG_OK);
    ck_assert_int_eq(tg_backward(total(tg_square(x))), TG_ERR_STATE);
    WANT_ERROR(t, TG_ERR_STATE, "hook", "(2,)");
    WANT_GRAD(x, 6, 16);
}
END_TEST

static int call_backward(void *grad, int64_t n, tg_tensor x, void *context) {
    (void)grad, (void)n, (void)context;
    return tg_backward(total(x)) != TG_OK;
}
static int call_rewind(void *grad, int64_t n, tg_tensor x, void *context) {
    (void)grad, (void)n, (void)x;
    return tg_tape_rewind(t, *(tg_mark *)context) != TG_OK;
}
static int call_zero_grads(void *grad, int64_t n, tg_tensor x, void *context) {
    (void)grad, (void)n, (void)x, (void)context;
    tg_zero_grads(t);
    return 0;
}

static int call_write_grad(void *grad, int64_t n, tg_tensor x, void *context) {
    (void)grad, (void)n, (void)x, (void)context;
    return tg_write_grad(wanting(tg_zeros(t, TG_SHAPE(1))), (double[]){1}, 1) != TG_OK;
}
static int call_retain_grad(void *grad, int64_t n, tg_tensor x, void *context) {
    (void)grad, (void)n, (void)context;
    return tg_retain_grad(x) != TG_OK;
}
static int call_register_hook(void *grad, int64_t n, tg_tensor x, void *context) {
    (void)grad, (void)n;
    return tg_register_hook(x, call_backward, context) != TG_OK;
}
#ifndef TG_NO_FILES /* where saving is an error of another kind everywhere */
static int call_save_run(void *grad, int64_t n, tg_tensor x, void *context) {
    (void)grad, (void)n, (void)x, (void)context;
    return tg_save_run(t, "build/hook_test", (tg_run){.n_numbers = 0}) != TG_OK;
}
#define SAVE_RUN call_save_run
#else
#define SAVE_RUN NULL
#endif

START_TEST(a_hook_that_would_disturb_backward_is_an_error)
{
    tg_mark mark = tg_tape_mark(t);
    tg_hook hooks[] = {call_backward,    call_rewind,        call_zero_grads, call_write_grad,
                       call_retain_grad, call_register_hook, SAVE_RUN};
    const char *names[] = {"backward",    "rewind",        "zero_grads", "write_grad",
                           "retain_grad", "register_hook", "save_run"};
    for (int i = 0; i < 7 && hooks[i]; i++) {
        tg_tensor x = wanting(VECTOR(t, 1, 2)), h = tg_square(x);
        ck_assert_int_eq(tg_register_hook(h, hooks[i], &mark), TG_OK);
        ck_assert_int_eq(tg_backward(total(h)), TG_ERR_STATE);
        WANT_ERROR(t, TG_ERR_STATE, names[i], "hook");
        ck_assert(!tg_has_grad(x));
    }
}
END_TEST

static int leave_an_error(void *grad, int64_t n, tg_tensor x, void *context) {
    (void)grad, (void)n;
    ++*(int *)context;
    return tg_reject(x.tape, TG_ERR_NUMERIC, "mine: no") == TG_OK;
}

/* Also while anomaly mode looks at what the hook has made, and before the next one is called. */
START_TEST(an_error_that_a_hook_leaves_stops_backward)
{
    for (int anomaly = 0; anomaly < 2; anomaly++) {
        int calls = 0;
        tg_tensor x = wanting(VECTOR(t, 1, 2)), v = wanting(VECTOR(t, 3, 4)), h = tg_mul(x, v);
        run_backward(total(tg_add(x, v)));
        tg_set_anomaly_mode(t, anomaly);
        for (int i = 0; i < 2; i++)
            ck_assert_int_eq(tg_register_hook(anomaly ? h : x, leave_an_error, &calls), TG_OK);
        ck_assert_int_eq(tg_backward(total(h)), TG_ERR_NUMERIC);
        WANT_ERROR(t, TG_ERR_NUMERIC, "mine: no");
        ck_assert_int_eq(calls, 1);
        WANT_GRAD(x, 1, 1);
        WANT_GRAD(v, 1, 1);
        tg_set_anomaly_mode(t, false);
    }
}
END_TEST

static int fill_it(void *grad, int64_t n, tg_tensor x, void *context) {
    (void)grad, (void)n, (void)x;
    return tg_is_null(tg_fill_(*(tg_tensor *)context, 7));
}

/* d v = w x' needs the w of the forward, not what a hook further behind has made of it. */
START_TEST(a_hook_cannot_spoil_what_was_saved)
{
    for (int scope = 0; scope < 2; scope++) {
        tg_tensor w = wanting(VECTOR(t, 2, 2)), v = wanting(VECTOR(t, 3, 3));
        if (scope)
            tg_checkpoint_begin(t);
        tg_tensor x = tg_mul(w, v);
        x = scope ? tg_checkpoint_end(t, x) : x;
        tg_tensor z = tg_square(x);
        ck_assert_int_eq(tg_register_hook(z, fill_it, &w), TG_OK); /* before a scope is computed again, too */
        ck_assert_int_eq(tg_backward(tg_sum(z, TG_ALL_DIMS, false)), TG_ERR_STATE);
        WANT_ERROR(t, TG_ERR_STATE, "modified");
        ck_assert(!tg_has_grad(v));
        tg_tensor y = tg_mul(v, v); /* what it did not save is as good as before */
        ck_assert_int_eq(tg_register_hook(y, fill_it, &w), TG_OK);
        ck_assert_int_eq(tg_backward(tg_sum(y, TG_ALL_DIMS, false)), TG_OK);
        WANT_GRAD(v, 6, 6);
    }
}
END_TEST

/* A large one is shared with what may share it. */
START_TEST(the_cotangent_is_neither_changed_nor_kept)
{
    enum { LARGE = 200 };
    seen s = {.factor = 2};
    tg_tensor x = wanting(tg_full(t, TG_SHAPE(LARGE), 5)), c = tg_full(t, TG_SHAPE(LARGE), 3);
    tg_tensor hooked = tg_neg(x), retained = tg_mul_scalar(x, 10);
    ck_assert_int_eq(tg_register_hook(hooked, look, &s), TG_OK);
    ck_assert_int_eq(tg_retain_grad(retained), TG_OK);
    ck_assert_int_eq(tg_backward_with(tg_add(hooked, retained), c), TG_OK);
    ck_assert(s.grad[0] == 3 && s.grad[3] == 3);
    WANT_VALUES(tg_slice(c, 0, 0, 5, 1), 3, 3, 3, 3, 3);
    WANT_VALUES(tg_slice(tg_grad(x), 0, 0, 5, 1), 24, 24, 24, 24, 27); /* -2 * 3 + 10 * 3; the hook looks at 4 */
    ck_assert_int_eq(tg_copy_(c, tg_zeros(t, TG_SHAPE(LARGE))), TG_OK);
    WANT_VALUES(tg_slice(tg_grad(retained), 0, 0, 5, 1), 3, 3, 3, 3, 3);
}
END_TEST

/* y = 2 x, whose VJP clears what it was given. */
static int twice(const tg_call *c) {
    for (int64_t j = 0; j < c->output_shape->size[0]; j++)
        ((double *)c->output)[j] = 2 * ((const double *)c->input[0])[j];
    return 0;
}

static int twice_vjp(const tg_call *c) {
    double *dy = (void *)(uintptr_t)c->output_grad;
    for (int64_t j = 0; j < c->output_shape->size[0]; j++) {
        ((double *)c->input_grad[0])[j] += 2 * dy[j];
        dy[j] = 0;
    }
    return 0;
}

/* A large gradient is shared, but not with what a user wrote. */
START_TEST(a_custom_vjp_that_writes_to_dy_changes_no_other_gradient)
{
    enum { LARGE = 200 };
    static const tg_custom_op op = {"twice", NULL, NULL, twice, twice_vjp};
    tg_shape shape = TG_SHAPE(LARGE);
    tg_tensor x = wanting(tg_full(t, shape, 5)), c = tg_full(t, shape, 3);
    tg_tensor y = tg_custom(&op, &x, 1, shape, NULL, 0), z = tg_custom(&op, &x, 1, shape, NULL, 0);
    ck_assert_int_eq(tg_backward_with(y, c), TG_OK);
    WANT_VALUES(tg_slice(c, 0, 0, 2, 1), 3, 3);
    WANT_VALUES(tg_slice(tg_grad(x), 0, 0, 2, 1), 6, 6);
    tg_zero_grads(t);
    ck_assert_int_eq(tg_backward_with(tg_add(y, z), c), TG_OK);
    WANT_VALUES(tg_slice(c, 0, 0, 2, 1), 3, 3);
    WANT_VALUES(tg_slice(tg_grad(x), 0, 0, 2, 1), 12, 12);
}
END_TEST

int main(void) {
    const TTest *const all[] = {
        a_custom_vjp_that_writes_to_dy_changes_no_other_gradient,
        the_cotangent_is_neither_changed_nor_kept,
        a_hook_cannot_spoil_what_was_saved,
        a_hook_sees_the_complete_gradient,
        a_frozen_leaf_does_not_stop_what_is_retained_or_hooked,
        what_a_hook_switches_counts_from_the_next_backward_on,
        a_tensor_has_any_number_of_hooks_called_in_order,
        a_hook_may_change_the_gradient,
        what_operands_of_an_addition_do_to_their_gradients_is_their_own,
        a_hook_on_a_view_sees_the_view_s_gradient,
        a_hook_s_error_stops_backward_and_changes_no_leaf,
        a_hook_that_would_disturb_backward_is_an_error,
        an_error_that_a_hook_leaves_stops_backward,
    };
    return run_tests("hook", all, sizeof all / sizeof *all, start, stop);
}
