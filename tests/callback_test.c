/* A callback or hook that makes calls itself leaves right numbers or an error, where two features meet: a recomputed
 * scope, a replay, anomaly mode, forward mode. `make fuzz` finds such programs (fuzz/calls.c). */
#include "tests/support.h"

static tg_tape *t;
static tg_tensor kept, made;
static int calls, depth;

static void start(void) {
    t = tg_tape_new(TG_F64);
    kept = made = TG_NULL;
    calls = depth = 0;
    tg_mark mark = tg_tape_mark(t);
    tg_full(t, TG_SHAPE(5000), -7); /* memory is not zero by chance */
    ck_assert_int_eq(tg_tape_rewind(t, mark), TG_OK);
}
static void stop(void) {
    WANT_OK(t);
    tg_tape_free(t);
}

static void must(tg_status status) { ck_assert_msg(status == TG_OK, "%s", tg_error(t)); }

/* ---- y = x, of two numbers; what else each does ---- */

static int copy(const tg_call *c) {
    memcpy(c->output, c->input[0], 2 * sizeof(double));
    return 0;
}
static int copy_vjp(const tg_call *c) {
    for (int j = 0; j < 2; j++)
        ((double *)c->input_grad[0])[j] += ((const double *)c->output_grad)[j];
    return 0;
}

static int make_one(const tg_call *c) {
    if (!tg_is_null(kept))
        made = tg_exp(kept);
    return copy(c);
}
static const tg_custom_op maker = {.name = "maker", .forward_f64 = make_one, .vjp_f64 = copy_vjp};
static const tg_custom_op plain = {.name = "plain", .forward_f64 = copy, .vjp_f64 = copy_vjp};

static tg_tensor custom(const tg_custom_op *op, tg_tensor x) { return tg_custom(op, &x, 1, TG_SHAPE(2), NULL, 0); }

/* ---- a scope that is computed again ---- */

START_TEST(what_a_forward_makes_of_a_scopes_tensor_ends_with_the_scope)
{
    tg_tensor x = wanting(VECTOR(t, 1, 2));
    tg_mark mark = tg_tape_mark(t);
    tg_checkpoint_begin(t);
    kept = tg_square(x);
    tg_tensor loss = total(tg_checkpoint_end(t, custom(&maker, kept)));
    for (int i = 0; i < 3; i++) {
        tg_zero_grads(t);
        must(tg_backward(loss));
        WANT_GRAD(x, 2, 4);
        tg_item(made);
        WANT_ERROR(t, TG_ERR_STALE, "inside a checkpoint scope");
        must(tg_replay(t, mark));
        tg_exp(made);
        WANT_ERROR(t, TG_ERR_STALE, "inside a checkpoint scope");
    }
}
END_TEST

static int make_in_hook(void *grad, int64_t n, tg_tensor x, void *context) {
    (void)grad, (void)n, (void)context;
    tg_tensor view = tg_reshape(x, TG_SHAPE(2, 1));
    made = tg_sum(view, TG_ALL_DIMS, false);
    kept = tg_clone(tg_grad(*(tg_tensor *)context)); /* not made of the scope's tensors */
    return 0;
}

START_TEST(what_a_hook_makes_of_a_scopes_tensor_ends_with_the_scope)
{
    tg_tensor x = wanting(VECTOR(t, 1, 2));
    tg_mark mark = tg_tape_mark(t);
    tg_checkpoint_begin(t);
    tg_tensor h = tg_square(x);
    must(tg_register_hook(h, make_in_hook, &x));
    tg_tensor loss = total(tg_checkpoint_end(t, tg_mul_scalar(h, 3)));
    must(tg_backward(loss));
    (void)!tg_backward(made);
    WANT_ERROR(t, TG_ERR_STALE, "backward", "inside a checkpoint scope");
    WANT_VALUES(kept, 0, 0);
    must(tg_replay(t, mark));
    must(tg_backward(loss));
    WANT_GRAD(x, 12, 24);
    WANT_VALUES(kept, 6, 12);
}
END_TEST

START_TEST(what_a_scope_has_not_computed_yet_is_stale)
{
    tg_tensor x = wanting(VECTOR(t, 1, 2));
    tg_mark mark = tg_tape_mark(t);
    tg_checkpoint_begin(t);
    tg_tensor h = custom(&maker, tg_square(x)), later = tg_sin(h);
    tg_tensor loss = total(tg_checkpoint_end(t, later));
    tg_tensor of[] = {later, h};
    for (int i = 0; i < 2; i++) {
        kept = of[i];
        ck_assert_int_eq(tg_backward(loss), TG_ERR_STALE);
        WANT_ERROR(t, TG_ERR_STALE, "exp", "inside a checkpoint scope");
        ck_assert_int_eq(tg_replay(t, mark), TG_ERR_STALE);
        WANT_ERROR(t, TG_ERR_STALE, "exp", "inside a checkpoint scope");
        kept = TG_NULL;
        must(tg_replay(t, mark));
    }
    must(tg_backward(loss));
    WANT_GRAD(x, 2 * cos(1), 4 * cos(4));
}
END_TEST

START_TEST(a_nan_goes_through_a_scope_in_anomaly_mode)
{
    tg_tensor x = wanting(VECTOR(t, NAN, 2));
    tg_mark mark = tg_tape_mark(t);
    tg_set_anomaly_mode(t, true);
    tg_checkpoint_begin(t);
    tg_tensor y = tg_checkpoint_end(t, tg_square(x)); /* which makes none */
    must(tg_replay(t, mark));
    ck_assert(isnan(tg_item(tg_select(y, 0, 0))));
    must(tg_write_doubles(x, (double[]){1, 2}, 2));
    must(tg_replay(t, mark));
    must(tg_backward(total(y)));
    WANT_GRAD(x, 2, 4);
}
END_TEST

static int drop(const tg_call *c) {
    made = tg_dropout(tg_ones(t, TG_SHAPE(100)), 0.5);
    return copy(c);
}
static const tg_custom_op dropper = {.name = "dropper", .forward_f64 = drop, .vjp_f64 = copy_vjp};

/* The scope's own masks are kept. */
START_TEST(a_forward_in_a_scope_draws_masks)
{
    tg_tensor x = wanting(VECTOR(t, 1, 2));
    tg_checkpoint_begin(t);
    tg_tensor loss = total(tg_checkpoint_end(t, tg_square(custom(&dropper, x))));
    must(tg_backward(loss)); /* computes it again */
    const double *mask = tg_const_data(made);
    for (int i = 0; i < 100; i++)
        ck_assert(mask[i] == 0 || mask[i] == 2);
    WANT_GRAD(x, 2, 4);
}
END_TEST

/* ---- a replay ---- */

static int make_itself(const tg_call *c);
static const tg_custom_op itself = {.name = "itself", .forward_f64 = make_itself, .vjp_f64 = copy_vjp};
static int make_itself(const tg_call *c) {
    if (depth < 2) {
        depth++;
        custom(&itself, tg_from_doubles(t, TG_SHAPE(2), c->input[0]));
        depth--;
    }
    return ++calls > 100 || copy(c);
}

START_TEST(a_replay_ends_where_the_tape_ended)
{
    tg_tensor x = wanting(VECTOR(t, 1, 2));
    tg_mark mark = tg_tape_mark(t);
    tg_tensor y = custom(&itself, x);
    ck_assert_int_eq(calls, 3);
    must(tg_replay(t, mark)); /* the three that are there: 3 calls, 2 fewer and 1 for each deeper one, as depth is 0 */
    ck_assert_int_eq(calls, 3 + 3 * 3);
    WANT_VALUES(y, 1, 2);
}
END_TEST

/* ---- forward mode, of which numbers are recorded but not computed ---- */

static void keep_dy(const tg_tensor *x, int n, tg_tensor y, tg_tensor dy, tg_tensor *dx, const void *context) {
    (void)x, (void)n, (void)y, (void)context;
    kept = dy;
    dx[0] = dy;
}
static void ask_dy(const tg_tensor *x, int n, tg_tensor y, tg_tensor dy, tg_tensor *dx, const void *context) {
    (void)x, (void)n, (void)y, (void)context;
    tg_tensor sign = tg_to_float(tg_ge(tg_detach(dy), tg_zeros(t, TG_SHAPE(2)))); /* of 0: 1 */
    dx[0] = tg_mul(dy, sign);
}
static void read_dy(const tg_tensor *x, int n, tg_tensor y, tg_tensor dy, tg_tensor *dx, const void *context) {
    (void)x, (void)n, (void)y, (void)context;
    dx[0] = tg_mul_scalar(dy, tg_item(total(dy)) == 0 ? 1 : 1000);
}

static tg_tensor jvp_of(tg_tensor y, tg_tensor x) {
    tg_tensor v = VECTOR(t, 10, 20), jv;
    must(tg_jvp(y, &x, &v, 1, &jv));
    return jv;
}

/* dy is J^T u of u = 0. */
START_TEST(what_a_jvp_did_not_compute_can_be_read)
{
    tg_tensor x = wanting(VECTOR(t, 1, 2)), y = custom(&plain, x);
    must(tg_custom_set_grad(y, keep_dy));
    WANT_VALUES(jvp_of(tg_mul(y, x), x), 20, 80);
    tg_tensor late = tg_exp(kept);
    WANT_VALUES(late, 1, 1);
    WANT_VALUES(kept, 0, 0);
    must(tg_backward(total(late)));
    WANT_GRAD(x, 0, 0);
}
END_TEST

START_TEST(a_grad_that_looks_at_dy_gets_it)
{
    const tg_custom_grad looks[] = {ask_dy, read_dy};
    for (int i = 0; i < 2; i++) {
        tg_tensor x = wanting(VECTOR(t, 1, 2)), y = custom(&plain, x);
        must(tg_custom_set_grad(y, looks[i]));
        WANT_VALUES(jvp_of(tg_mul_scalar(y, 3), x), 30, 60);
    }
}
END_TEST

START_TEST(what_a_jvp_did_not_compute_is_refused_once_its_operands_changed)
{
    tg_tensor x = wanting(VECTOR(t, 1, 2));
    tg_mark mark = tg_tape_mark(t);
    tg_tensor y = custom(&plain, x);
    must(tg_custom_set_grad(y, keep_dy));
    jvp_of(tg_mul(y, x), x);
    must(tg_write_doubles(x, (double[]){NAN, 5}, 2));
    ck_assert(isnan(tg_item(tg_select(kept, 0, 1))));
    WANT_ERROR(t, TG_ERR_STATE, "mul", "tg_jvp", "modified");
    must(tg_replay(t, mark));
    ck_assert_double_eq(tg_item(tg_select(kept, 0, 1)), 0);
}
END_TEST

/* A forward that reads its own result is asked for it before there is one. */
static int read_itself(const tg_call *c) {
    double values[2];
    return (calls++ && tg_read_doubles(made, values, 2)) || copy(c);
}
static const tg_custom_op reader = {.name = "reader", .forward_f64 = read_itself, .vjp_f64 = copy_vjp};

static void make_reader(const tg_tensor *x, int n, tg_tensor y, tg_tensor dy, tg_tensor *dx, const void *context) {
    (void)x, (void)n, (void)y, (void)context;
    made = custom(&reader, dy);
    calls = 1;
    dx[0] = dy;
}

START_TEST(a_number_that_is_being_computed_cannot_be_read)
{
    tg_tensor x = wanting(VECTOR(t, 1, 2)), y = custom(&plain, x);
    must(tg_custom_set_grad(y, make_reader));
    WANT_VALUES(jvp_of(tg_mul_scalar(y, 3), x), 30, 60);
    tg_exp(made);
    WANT_ERROR(t, TG_ERR_STATE, "tg_jvp", "not there yet");
    calls = 0;
    WANT_VALUES(made, 0, 0);
}
END_TEST

/* ---- the gradient check, whose callbacks are those of copies of the tape ---- */

static tg_mark before_all;
static int calls_left, in_vjp;
static void rewind_all(int vjp) {
    if (vjp == in_vjp && !calls_left--)
        (void)!tg_tape_rewind(t, before_all);
}

#define REWINDING(real)                                                         \
    static int rewinding_##real(const tg_call *c) {                             \
        rewind_all(0);                                                          \
        memcpy(c->output, c->input[0], 2 * sizeof(real));                       \
        return 0;                                                               \
    }                                                                           \
    static int rewinding_vjp_##real(const tg_call *c) {                         \
        rewind_all(1);                                                          \
        for (int j = 0; j < 2; j++)                                             \
            ((real *)c->input_grad[0])[j] += ((const real *)c->output_grad)[j]; \
        return 0;                                                               \
    }
REWINDING(float)
REWINDING(double)
static const tg_custom_op rewinding = {"rewinding", rewinding_float, rewinding_vjp_float, rewinding_double,
                                       rewinding_vjp_double};

/* In this one of the check's calls; false: there are fewer. */
static bool check_while_rewinding(tg_dtype dtype, bool scope, bool second, int call) {
    t = tg_tape_new(dtype);
    calls_left = -1;
    before_all = tg_tape_mark(t);
    tg_tensor x = wanting(VECTOR(t, 1, 2));
    if (scope)
        tg_checkpoint_begin(t);
    tg_tensor y = tg_square(custom(&rewinding, x));
    y = scope ? tg_checkpoint_end(t, y) : y;
    calls_left = call;
    tg_status status = second ? tg_gradcheck_second(y, 1, NULL) : tg_gradcheck(y, TG_GRADCHECK_DEFAULTS, NULL);
    bool called = calls_left < 0;
    ck_assert(called || second ? status != TG_OK : status == TG_OK); /* there is no grad to be differentiated again */
    if (called)
        WANT_ERROR(t, TG_ERR_STATE, "or the gradient check, whose callback is running");
    tg_clear_error(t);
    WANT_VALUES(y, 1, 4);
    calls_left = -1;
    must(tg_tape_rewind(t, before_all));
    tg_tape_free(t);
    return called;
}

START_TEST(no_callback_rewinds_what_is_checked)
{
    tg_tape *whole = t;
    for (int way = 0; way < 16; way++) {
        in_vjp = way & 1;
        int call = 0;
        while (check_while_rewinding(way & 2 ? TG_F32 : TG_F64, way & 4, way & 8, call))
            call += 7;
    }
    t = whole;
}
END_TEST

int main(void) {
    const TTest *const all[] = {
        what_a_forward_makes_of_a_scopes_tensor_ends_with_the_scope,
        what_a_hook_makes_of_a_scopes_tensor_ends_with_the_scope,
        what_a_scope_has_not_computed_yet_is_stale,
        a_nan_goes_through_a_scope_in_anomaly_mode,
        a_forward_in_a_scope_draws_masks,
        a_replay_ends_where_the_tape_ended,
        what_a_jvp_did_not_compute_can_be_read,
        a_grad_that_looks_at_dy_gets_it,
        what_a_jvp_did_not_compute_is_refused_once_its_operands_changed,
        a_number_that_is_being_computed_cannot_be_read,
        no_callback_rewinds_what_is_checked,
    };
    return run_tests("callback", all, sizeof all / sizeof *all, start, stop);
}
