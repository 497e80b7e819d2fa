/* A misused custom operation, and one whose callbacks fail, rewind, differentiate or give what is no gradient, is an
 * error or works, and changes no gradient. */
#include "tests/polar.h"

/* ---- misuse ---- */

static int refuse(const tg_call *c) {
    (void)c;
    return 1;
}

static int no_branches(const tg_call *c, int64_t *branch) {
    branch[0] = 0;
    return c == NULL;
}

static void one_grad(const tg_tensor *x, int n, tg_tensor y, tg_tensor dy, tg_tensor *dx, const void *context) {
    (void)x, (void)n, (void)y, (void)dy, (void)dx, (void)context;
}

START_TEST(bad_arguments_are_refused)
{
    tg_tape *t = tg_tape_new(TG_F64), *other = tg_tape_new(TG_F64);
    tg_tensor x = wanting(MATRIX(t, 1, 2, 3, 4)), out[20];
    mistake right = RIGHT;
    const tg_shape shape[20] = {{2, {1, 2}}, {1, {1}}}, negative[] = {{2, {1, 2}}, {1, {-1}}},
                   many_dims[] = {{2, {1, 2}}, {9, {1}}}, huge[] = {{1, {INT64_MAX / 4}}, {1, {INT64_MAX / 4}}},
                   overflow[] = {{2, {INT64_MAX, INT64_MAX}}, {1, {1}}};
    const tg_custom_config good = {2, shape, 1, &right, sizeof right, NULL};
    static const tg_custom_op refusing = {.name = "refusing", .forward_f64 = refuse, .vjp_f64 = refuse},
                              only_f32 = {.name = "only_f32", .forward_f32 = forward_f32, .vjp_f32 = vjp_f32},
                              nameless = {NULL, forward_f32, vjp_f32, forward_f64, vjp_f64},
                              unnamed = {"", forward_f32, vjp_f32, forward_f64, vjp_f64};
    struct {
        tg_status status;
        const char *text;
        const tg_custom_op *op;
        int n_inputs;
        tg_custom_config config;
    } cases[] = {
        {TG_ERR_ARGUMENT, "op", NULL, 1, good},
        {TG_ERR_ARGUMENT, "op", &nameless, 1, good},
        {TG_ERR_ARGUMENT, "name (\"\" too)", &unnamed, 1, good},
        {TG_ERR_ARGUMENT, "17", &polar_op, 1, {17, shape, 1, &right, sizeof right, NULL}},
        {TG_ERR_ARGUMENT, "0 outputs", &polar_op, 1, {0, shape, 1, &right, sizeof right, NULL}},
        {TG_ERR_ARGUMENT, "-3 outputs", &polar_op, 1, {-3, shape, 1, &right, sizeof right, NULL}},
        {TG_ERR_ARGUMENT, "-1 saved", &polar_op, 1, {2, shape, -1, &right, sizeof right, NULL}},
        {TG_ERR_MEMORY, "polar", &polar_op, 1, {2, shape, INT64_MAX, &right, sizeof right, NULL}},
        {TG_ERR_MEMORY, "polar", &polar_op, 1, {2, shape, INT64_MAX / 16, &right, sizeof right, NULL}},
        {TG_ERR_ARGUMENT, "shape", &polar_op, 1, {2, NULL, 1, &right, sizeof right, NULL}},
        {TG_ERR_SHAPE, "negative", &polar_op, 1, {2, negative, 1, &right, sizeof right, NULL}},
        {TG_ERR_ARGUMENT, "dims", &polar_op, 1, {2, many_dims, 1, &right, sizeof right, NULL}},
        {TG_ERR_MEMORY, "too many elements", &polar_op, 1, {2, huge, 1, &right, sizeof right, NULL}},
        {TG_ERR_MEMORY, "too many elements", &polar_op, 1, {2, overflow, 1, &right, sizeof right, NULL}},
        {TG_ERR_ARGUMENT, "context", &polar_op, 1, {2, shape, 1, NULL, 4, NULL}},
        {TG_ERR_ARGUMENT, "context", &polar_op, 1, {2, shape, 1, &right, SIZE_MAX, NULL}},
        {TG_ERR_ARGUMENT, "inputs", &polar_op, 17, good},
        {TG_ERR_ARGUMENT, "float64", &only_f32, 1, good},
        {TG_ERR_STATE, "refusing", &refusing, 1, good},
    };
    tg_tensor inputs[20];
    for (int i = 0; i < 20; i++)
        inputs[i] = x;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        for (int k = 0; k < 20; k++)
            out[k] = x;
        ck_assert_int_eq(tg_custom_with(cases[i].op, inputs, cases[i].n_inputs, cases[i].config, out), cases[i].status);
        for (int k = 0; k < cases[i].config.n_outputs && k < 16; k++)
            ck_assert(tg_is_null(out[k]));
        WANT_ERROR(t, cases[i].status, cases[i].text);
    }
    tg_shape largest[16]; /* each could be, but all together are 2^64 elements */
    for (int k = 0; k < 16; k++)
        largest[k] = TG_SHAPE((int64_t)1 << 60);
    ck_assert_int_eq(tg_custom_with(&polar_op, inputs, 1, (tg_custom_config){.n_outputs = 16, .shape = largest}, out),
                     TG_ERR_MEMORY);
    WANT_ERROR(t, TG_ERR_MEMORY, "too many elements");
    ck_assert_int_eq(tg_custom_with(&polar_op, inputs, 1, good, NULL), TG_ERR_ARGUMENT);
    WANT_ERROR(t, TG_ERR_ARGUMENT, "NULL");
    ck_assert_int_eq(tg_custom_with(&polar_op, NULL, 1, good, out), TG_ERR_ARGUMENT);
    ck_assert_int_eq(tg_custom_with(&polar_op, inputs, 0, good, out), TG_ERR_ARGUMENT);
    ck_assert(tg_is_null(out[0]));
    inputs[1] = tg_scalar(other, 1);
    ck_assert_int_eq(tg_custom_with(&polar_op, inputs, 2, good, out), TG_ERR_ARGUMENT);
    WANT_ERROR(t, TG_ERR_ARGUMENT, "another tape");
    /* after an error all is inert */
    tg_reject(t, TG_ERR_STATE, "first");
    out[0] = x;
    ck_assert_int_eq(tg_custom_with(&polar_op, &x, 1, good, out), TG_ERR_STATE);
    ck_assert(tg_is_null(out[0]));
    WANT_ERROR(t, TG_ERR_STATE, "first");
    /* a grad for one output does not fit two */
    ck_assert_int_eq(tg_custom_with(&polar_op, &x, 1, good, out), TG_OK);
    ck_assert_int_eq(tg_custom_set_grad(out[0], one_grad), TG_ERR_ARGUMENT);
    WANT_ERROR(t, TG_ERR_ARGUMENT, "2 outputs");
    ck_assert_int_eq(tg_custom_set_branches(out[0], NULL), TG_ERR_ARGUMENT);
    WANT_ERROR(t, TG_ERR_ARGUMENT, "NULL");
    ck_assert_int_eq(tg_custom_set_branches(tg_slice(out[0], 1, 0, 1, 1), no_branches), TG_ERR_ARGUMENT);
    WANT_ERROR(t, TG_ERR_ARGUMENT, "tg_custom");
    tg_tape_free(other);
    tg_tape_free(t);
}
END_TEST

static int twice(const tg_call *c) {
    *(double *)c->output = 2 * *(const double *)c->input[0];
    return 0;
}

static void twice_grads(const tg_tensor *x, int n, const tg_tensor *y, const tg_tensor *dy, int n_outputs,
                        tg_tensor *dx, const void *context) {
    (void)x, (void)n, (void)y, (void)n_outputs, (void)context;
    dx[0] = tg_mul_scalar(dy[0], 2);
}

/* Only a gradient that is needed wants one. */
START_TEST(a_missing_vjp_is_an_error_only_where_needed)
{
    static const tg_custom_op op = {.name = "twice", .forward_f64 = twice};
    tg_tape *t = tg_tape_new(TG_F64);
    tg_tensor x = tg_set_requires_grad(tg_scalar(t, 3), true), fixed = tg_scalar(t, 4), y[1], dx[1];
    tg_no_grad_begin(t);
    ck_assert_double_eq(tg_item(tg_custom(&op, &x, 1, TG_SCALAR, NULL, 0)), 6);
    tg_no_grad_end(t);
    ck_assert_double_eq(tg_item(tg_custom(&op, &fixed, 1, TG_SCALAR, NULL, 0)), 8);
    /* with x alone, which takes no gradient, and in a loss whose gradient does not come by here */
    tg_tensor loss = tg_add(tg_square(x), tg_detach(tg_custom(&op, &x, 1, TG_SCALAR, NULL, 0)));
    ck_assert_int_eq(tg_backward(loss), TG_OK);
    ck_assert_double_eq(tg_item(tg_grad(x)), 6);
    ck_assert_int_eq(tg_backward(tg_custom(&op, &x, 1, TG_SCALAR, NULL, 0)), TG_ERR_ARGUMENT);
    WANT_ERROR(t, TG_ERR_ARGUMENT, "twice: this custom op has no vjp callback for float64");
    ck_assert_double_eq(tg_item(tg_grad(x)), 6);
    /* its VJP in operations is one */
    tg_custom_config config = {.n_outputs = 1, .shape = &TG_SCALAR, .grad = twice_grads};
    ck_assert_int_eq(tg_custom_with(&op, &x, 1, config, y), TG_OK);
    ck_assert_int_eq(tg_gradients(y[0], TG_NULL, &x, 1, dx), TG_OK);
    ck_assert_double_eq(tg_item(dx[0]), 2);
    tg_tape_free(t);
}
END_TEST

START_TEST(a_failing_vjp_changes_no_gradient)
{
    static const tg_custom_op op = {.name = "halfway", .forward_f64 = forward_f64, .vjp_f64 = refuse};
    tg_tape *t = tg_tape_new(TG_F64);
    tg_tensor x = wanting(MATRIX(t, 1, 2, 3, 4)), out[2];
    mistake right = RIGHT;
    const tg_shape shape[] = {{2, {1, 2}}, {1, {1}}};
    ck_assert_int_eq(tg_custom_with(&op, &x, 1, (tg_custom_config){2, shape, 1, &right, sizeof right, NULL}, out),
                     TG_OK);
    run_backward(total(x));
    ck_assert_int_eq(tg_backward(out[1]), TG_ERR_STATE);
    WANT_ERROR(t, TG_ERR_STATE, "halfway", "vjp");
    WANT_GRAD(x, 1, 1); /* as before */
    tg_tape_free(t);
}
END_TEST

/* ---- callbacks that go back ---- */

/* Marks, works and rewinds; to a mark from outside when it is given one. */
typedef struct detour {
    tg_tape *tape;
    tg_mark outside;
    bool far;
    tg_status rewound;
} detour;
static int take_detour(const tg_call *c) {
    detour *d = *(detour *const *)c->context;
    tg_mark mark = tg_tape_mark(d->tape);
    double sum = tg_item(tg_sum(tg_full(d->tape, TG_SHAPE(50), 3), TG_ALL_DIMS, false));
    d->rewound = tg_tape_rewind(d->tape, d->far ? d->outside : mark);
    *(double *)c->output = sum * *(const double *)c->input[0];
    return 0;
}
static int no_vjp(const tg_call *c) { return c == NULL; }

START_TEST(a_forward_rewinds_no_further_than_to_itself)
{
    static const tg_custom_op op = {"detour", NULL, NULL, take_detour, no_vjp};
    for (int far = 0; far < 2; far++) {
        tg_tape *t = tg_tape_new(TG_F64);
        detour d = {t, tg_tape_mark(t), far, TG_OK}, *at = &d;
        tg_tensor x = tg_full(t, TG_SHAPE(1), 2);
        d.outside = far ? tg_tape_mark(t) : d.outside; /* right before it */
        tg_tensor y = tg_custom(&op, &x, 1, TG_SHAPE(1), &at, sizeof at);
        ck_assert_int_eq(d.rewound, far ? TG_ERR_STATE : TG_OK);
        if (far)
            ck_assert_msg(strstr(tg_error(t), "rewind: the mark was made before the custom operation") != NULL, "%s",
                          tg_error(t));
        else
            ck_assert_double_eq(tg_item(y), 300);
        tg_clear_error(t);
        ck_assert_int_eq(tg_tape_rewind(t, d.outside), TG_OK);
        tg_tape_free(t);
    }
}
END_TEST

/* ---- callbacks that fail without saying so ---- */

/* y = x^2 of three elements, whose callbacks leave an error on a tape when they are told to, and return 0. */
typedef enum { WELL, REJECTS, FAILS, ZEROES, GOES_BACK, REWINDS, REPLAYS, WAYS } way;
typedef struct orders {
    tg_tape *tape;
    tg_mark mark;
    way in_forward, in_vjp;
} orders;

static void obey(const orders *o, way w) {
    tg_tape *t = o->tape;
    switch (w) {
    case REJECTS: tg_reject(t, TG_ERR_NUMERIC, "mine: no"); break;
    case FAILS: tg_matmul(tg_ones(t, TG_SHAPE(2, 3)), tg_ones(t, TG_SHAPE(2, 3))); break;
    case ZEROES: tg_zero_grads(t); break;
    case GOES_BACK: (void)!tg_backward(wanting(tg_scalar(t, 1))); break;
    case REWINDS: (void)!tg_tape_rewind(t, o->mark); break;
    case REPLAYS: (void)!tg_replay(t, o->mark); break;
    default: break;
    }
}

static int square_forward(const tg_call *c) {
    const double *x = c->input[0];
    for (int i = 0; i < 3; i++)
        ((double *)c->output)[i] = x[i] * x[i];
    obey(*(orders *const *)c->context, (*(orders *const *)c->context)->in_forward);
    return 0;
}

static int square_vjp(const tg_call *c) {
    const double *x = c->input[0], *dy = c->output_grad;
    for (int i = 0; i < 3; i++)
        ((double *)c->input_grad[0])[i] += 2 * x[i] * dy[i];
    obey(*(orders *const *)c->context, (*(orders *const *)c->context)->in_vjp);
    return 0;
}

static const tg_custom_op square_op = {.name = "mysquare", .forward_f64 = square_forward, .vjp_f64 = square_vjp};

static tg_tensor my_square(tg_tensor x, const orders *o) {
    return tg_custom(&square_op, &x, 1, TG_SHAPE(3), &o, sizeof o);
}

START_TEST(an_error_left_by_a_vjp_changes_no_gradient)
{
    static const struct {
        tg_status status;
        const char *text;
    } wants[WAYS] = {[REJECTS] = {TG_ERR_NUMERIC, "mine: no"}, [FAILS] = {TG_ERR_SHAPE, "matmul"},
                     [ZEROES] = {TG_ERR_STATE, "zero_grads"},  [GOES_BACK] = {TG_ERR_STATE, "backward"},
                     [REWINDS] = {TG_ERR_STATE, "rewind"},     [REPLAYS] = {TG_ERR_STATE, "replay"}};
    for (way w = REJECTS; w < WAYS; w++)
        for (int first = 0; first < 2; first++) { /* the first operation, so that its gradient goes to a leaf, or not */
            tg_tape *t = tg_tape_new(TG_F64);
            orders o = {t, tg_tape_mark(t), WELL, w};
            tg_tensor x = tg_parameter(t, "x", VECTOR(t, 1, 2, 3)), v = tg_parameter(t, "v", VECTOR(t, 4, 5, 6));
            o.mark = tg_tape_mark(t);
            run_backward(total(tg_add(tg_mul_scalar(x, 10), v)));
            tg_tensor y = tg_add(my_square(first ? x : tg_mul_scalar(x, 2), &o), v);
            for (int again = 0; again < 2; again++) {
                ck_assert_int_eq(tg_backward(total(y)), wants[w].status);
                WANT_ERROR(t, wants[w].status, wants[w].text);
                WANT_GRAD(x, 10, 10, 10);
                WANT_GRAD(v, 1, 1, 1);
            }
            o.in_vjp = WELL;
            run_backward(total(y)); /* of x^2, and (2 x)^2 */
            if (first)
                WANT_GRAD(x, 12, 14, 16);
            else
                WANT_GRAD(x, 18, 26, 34);
            WANT_GRAD(v, 2, 2, 2);
            tg_tape_free(t);
        }
}
END_TEST

START_TEST(an_error_left_by_a_forward_ends_a_replay)
{
    tg_tape *t = tg_tape_new(TG_F64);
    orders o = {.tape = t};
    tg_tensor x = wanting(VECTOR(t, 1, 2, 3)), dx;
    tg_mark mark = tg_tape_mark(t);
    tg_tensor before = tg_square(x), y = my_square(before, &o), loss = total(tg_square(tg_mul_scalar(before, 3)));
    o.in_forward = REJECTS;
    ck_assert(tg_is_null(my_square(x, &o)));
    WANT_ERROR(t, TG_ERR_NUMERIC, "mine: no");
    ck_assert_int_eq(tg_write_doubles(x, (double[]){2, 3, 4}, 3), TG_OK);
    ck_assert_int_eq(tg_replay(t, mark), TG_ERR_NUMERIC);
    WANT_ERROR(t, TG_ERR_NUMERIC, "mine: no");
    /* y, what was made after it, though not of it, and what is made now */
    tg_tensor behind[] = {total(y), loss, total(x)};
    for (int i = 0; i < 3; i++) {
        ck_assert_int_eq(tg_backward(behind[i]), TG_ERR_STATE);
        WANT_ERROR(t, TG_ERR_STATE, "backward: tg_replay failed at mysquare", "replay again");
        ck_assert_int_eq(tg_gradients(behind[i], TG_NULL, &x, 1, &dx), TG_ERR_STATE);
        WANT_ERROR(t, TG_ERR_STATE, "gradients: tg_replay failed at mysquare");
        ck_assert(tg_is_null(tg_jacobian(behind[i], x)));
        WANT_ERROR(t, TG_ERR_STATE, "jacobian: tg_replay failed at mysquare");
    }
    ck_assert_int_eq(tg_replay(t, tg_tape_mark(t)), TG_OK); /* of nothing: it mends nothing */
    ck_assert_int_eq(tg_backward(loss), TG_ERR_STATE);
    WANT_ERROR(t, TG_ERR_STATE, "tg_replay failed");
    ck_assert_int_eq(tg_backward_with(before, x), TG_OK); /* what the replay had reached */
    WANT_GRAD(x, 2 * 2 * 2, 2 * 3 * 3, 2 * 4 * 4);
    o.in_forward = WELL;
    ck_assert_int_eq(tg_replay(t, mark), TG_OK);
    tg_zero_grads(t);
    run_backward(loss); /* 9 x^4 */
    WANT_GRAD(x, 36 * 8, 36 * 27, 36 * 64);
    o.in_forward = FAILS;
    ck_assert_int_eq(tg_replay(t, mark), TG_ERR_SHAPE);
    WANT_ERROR(t, TG_ERR_SHAPE, "matmul");
    ck_assert_int_eq(tg_tape_rewind(t, mark), TG_OK);
    run_backward(total(x));
    tg_tape_free(t);
}
END_TEST

/* A forward that half fills its result has spoilt it, whether it says so or not. */
static bool fills_half;
static int half_forward(const tg_call *c) {
    ((double *)c->output)[0] = fills_half ? 1e9 : 1;
    return fills_half;
}

START_TEST(a_result_half_filled_is_not_differentiated)
{
    static const tg_custom_op op = {.name = "half", .forward_f64 = half_forward, .vjp_f64 = no_vjp};
    tg_tape *t = tg_tape_new(TG_F64);
    tg_tensor x = wanting(VECTOR(t, 5));
    tg_mark mark = tg_tape_mark(t);
    tg_tensor y = tg_custom(&op, &x, 1, TG_SHAPE(1), NULL, 0), loss = total(tg_mul(y, x));
    fills_half = true;
    ck_assert_int_eq(tg_replay(t, mark), TG_ERR_STATE);
    WANT_ERROR(t, TG_ERR_STATE, "half", "forward");
    fills_half = false;
    ck_assert_int_eq(tg_backward(loss), TG_ERR_STATE);
    WANT_ERROR(t, TG_ERR_STATE, "tg_replay failed at half");
    tg_tape_free(t);
}
END_TEST

/* A forward that takes gradients itself, of tensors that it makes: the replay that mends a failed one may do so. */
static int inner_forward(const tg_call *c) {
    tg_tape *t = *(tg_tape *const *)c->context;
    tg_mark mark = tg_tape_mark(t);
    tg_tensor x = wanting(tg_from_doubles(t, TG_SHAPE(1), c->input[0]));
    tg_status bad = tg_backward(total(tg_square(x)));
    if (!bad)
        bad = tg_read_doubles(tg_grad(x), c->output, 1);
    return bad || (fills_half && !tg_is_null(tg_neg(x))) || tg_tape_rewind(t, mark);
}

START_TEST(a_forward_may_differentiate_in_a_replay)
{
    static const tg_custom_op op = {.name = "inner", .forward_f64 = inner_forward, .vjp_f64 = no_vjp};
    tg_tape *t = tg_tape_new(TG_F64);
    tg_tensor x = wanting(VECTOR(t, 5));
    tg_mark mark = tg_tape_mark(t);
    tg_tensor y = tg_custom(&op, &x, 1, TG_SHAPE(1), &t, sizeof t);
    fills_half = true;
    ck_assert_int_eq(tg_replay(t, mark), TG_ERR_STATE);
    WANT_ERROR(t, TG_ERR_STATE, "inner", "forward");
    fills_half = false;
    ck_assert_int_eq(tg_write_doubles(x, (double[]){7}, 1), TG_OK);
    ck_assert_msg(tg_replay(t, mark) == TG_OK, "%s", tg_error(t));
    WANT_VALUES(y, 14);
    tg_tape_free(t);
}
END_TEST

START_TEST(an_error_left_by_a_forward_ends_computing_again)
{
    tg_tape *t = tg_tape_new(TG_F64);
    orders o = {.tape = t};
    tg_tensor x = wanting(VECTOR(t, 1, 2, 3)), h = tg_mul_scalar(x, 2);
    tg_checkpoint_begin(t);
    tg_tensor y = tg_checkpoint_end(t, tg_mul_scalar(my_square(h, &o), 2)), loss = total(tg_square(y));
    run_backward(total(x));
    o.in_forward = REJECTS;
    ck_assert_int_eq(tg_backward(loss), TG_ERR_NUMERIC);
    WANT_ERROR(t, TG_ERR_NUMERIC, "mine: no");
    WANT_GRAD(x, 1, 1, 1);
    o.in_forward = WELL;
    run_backward(loss); /* (8 x^2)^2 */
    WANT_GRAD(x, 1 + 256, 1 + 256 * 8, 1 + 256 * 27);
    tg_tape_free(t);
}
END_TEST

/* What a grad gives in place of a gradient. */
typedef enum {
    GIVES_BOOLS,
    GIVES_INTS,
    GIVES_ANOTHER_TAPES,
    GIVES_STALE,
    GIVES_NOTHING,
    GIVES_ANOTHER_SHAPE,
    GIFTS
} gift;
static gift given;
static tg_tape *another;

static void give(const tg_tensor *x, int n, tg_tensor y, tg_tensor dy, tg_tensor *dx, const void *context) {
    (void)n, (void)y, (void)context;
    tg_tape *t = tg_tape_of(x[0]);
    tg_mark mark = tg_tape_mark(t);
    switch (given) {
    case GIVES_BOOLS: dx[0] = tg_gt(x[0], tg_scalar(t, 0)); break;
    case GIVES_INTS: dx[0] = tg_arange(t, 3); break;
    case GIVES_ANOTHER_TAPES: dx[0] = tg_ones(another, TG_SHAPE(3)); break;
    case GIVES_STALE:
        dx[0] = tg_mul(dy, x[0]);
        ck_assert_int_eq(tg_tape_rewind(t, mark), TG_OK);
        break;
    case GIVES_ANOTHER_SHAPE: dx[0] = tg_ones(t, TG_SHAPE(2)); break;
    default: break;
    }
}

static void give_of_all(const tg_tensor *x, int n, const tg_tensor *y, const tg_tensor *dy, int n_outputs,
                        tg_tensor *dx, const void *context) {
    (void)n_outputs;
    give(x, n, y[0], dy[0], dx, context);
}

/* The k-th function, through an operation whose VJP in operations is wrong. */
static const char *const walkers[] = {"gradients", "jvp", "hvp", "jacobian", "jacobian", "hessian"};
static bool gives_a_result(int k, tg_tensor y, tg_tensor x) {
    tg_tensor out = x, v = tg_ones(tg_tape_of(x), TG_SHAPE(3)), loss = total(y);
    switch (k) {
    case 0: ck_assert(tg_gradients(loss, TG_NULL, &x, 1, &out) != TG_OK); break;
    case 1: ck_assert(tg_jvp(y, &x, &v, 1, &out) != TG_OK); break;
    case 2: ck_assert(tg_hvp(loss, &x, &v, 1, &out) != TG_OK); break;
    case 3: out = tg_jacobian(loss, x); break;                              /* by rows */
    case 4: out = tg_jacobian(tg_cat((tg_tensor[]){y, y}, 2, 0), x); break; /* by columns */
    default: out = tg_hessian(loss, x); break;
    }
    return !tg_is_null(out);
}

START_TEST(a_grad_gives_a_gradient_or_an_error)
{
    static const struct {
        tg_status status;
        const char *text;
    } wants[GIFTS] = {[GIVES_BOOLS] = {TG_ERR_ARGUMENT, "a bool tensor"},
                      [GIVES_INTS] = {TG_ERR_ARGUMENT, "an int64 tensor"},
                      [GIVES_ANOTHER_TAPES] = {TG_ERR_ARGUMENT, "a tensor of another tape"},
                      [GIVES_STALE] = {TG_ERR_STALE, "a stale tensor"},
                      [GIVES_NOTHING] = {TG_ERR_SHAPE, "nothing"},
                      [GIVES_ANOTHER_SHAPE] = {TG_ERR_SHAPE, "another shape"}};
    another = tg_tape_new(TG_F64);
    for (int i = 0; i < 1000; i++)
        tg_scalar(another, 0); /* so that an index there is none here */
    for (given = 0; given < GIFTS; given++)
        for (int several = 0; several < 2; several++) {
            tg_tape *t = tg_tape_new(TG_F64);
            orders o = {.tape = t}, *at = &o;
            tg_tensor x = tg_parameter(t, "x", VECTOR(t, 1, 2, 3)), y = my_square(x, &o), out[2];
            const tg_shape shape[] = {{1, {3}}, {1, {0}}};
            ck_assert_int_eq(tg_custom_set_grad(y, give), TG_OK);
            ck_assert_int_eq(
                tg_custom_with(&square_op, &x, 1, (tg_custom_config){2, shape, 0, &at, sizeof at, give_of_all}, out),
                TG_OK);
            run_backward(total(x));
            tg_mark mark = tg_tape_mark(t);
            for (int k = 0; k < 6; k++) {
                ck_assert(!gives_a_result(k, several ? out[0] : y, x));
                WANT_ERROR(t, wants[given].status, walkers[k], "the grad of mysquare", wants[given].text, "input 1",
                           "x (3,)");
                WANT_GRAD(x, 1, 1, 1);
                ck_assert_int_eq(tg_tape_rewind(t, mark), TG_OK);
            }
            tg_zero_grads(t);
            run_backward(total(y)); /* which has no use for the grad */
            WANT_GRAD(x, 2, 4, 6);
            tg_tape_free(t);
        }
    tg_tape_free(another);
}
END_TEST

static tg_mark far_mark;
static void rewind_far(const tg_tensor *x, int n, tg_tensor y, tg_tensor dy, tg_tensor *dx, const void *context) {
    (void)n, (void)y, (void)context;
    (void)!tg_tape_rewind(tg_tape_of(x[0]), far_mark);
    dx[0] = dy;
}

START_TEST(a_grad_rewinds_no_further_than_to_itself)
{
    tg_tape *t = tg_tape_new(TG_F64);
    orders o = {.tape = t};
    tg_tensor x = wanting(VECTOR(t, 1, 2, 3)), dx;
    far_mark = tg_tape_mark(t);
    tg_tensor y = my_square(x, &o), loss = total(y);
    ck_assert_int_eq(tg_custom_set_grad(y, rewind_far), TG_OK);
    ck_assert_int_eq(tg_gradients(loss, TG_NULL, &x, 1, &dx), TG_ERR_STATE);
    WANT_ERROR(t, TG_ERR_STATE, "rewind: the mark was made before the custom operation");
    run_backward(loss);
    WANT_GRAD(x, 2, 4, 6);
    tg_tape_free(t);
}
END_TEST

/* A replay is through with a scope when it has its result: an operation behind may do as when it was recorded. */
START_TEST(a_forward_behind_a_scope_may_differentiate_in_a_replay)
{
    static const tg_custom_op op = {"inner", NULL, NULL, inner_forward, no_vjp};
    tg_tape *t = tg_tape_new(TG_F64);
    tg_tensor x = wanting(VECTOR(t, 5));
    tg_mark mark = tg_tape_mark(t);
    tg_checkpoint_begin(t);
    tg_tensor h = tg_checkpoint_end(t, tg_mul_scalar(tg_exp(tg_log(x)), 2));
    tg_tensor y = tg_custom(&op, &h, 1, TG_SHAPE(1), &t, sizeof t);
    WANT_VALUES(y, 20);
    ck_assert_int_eq(tg_write_doubles(x, (double[]){7}, 1), TG_OK);
    ck_assert_msg(tg_replay(t, mark) == TG_OK, "%s", tg_error(t));
    WANT_VALUES(y, 28);
    tg_tape_free(t);
}
END_TEST

/* The hook of a backward that a forward calls is in a backward as any other. */
static int rewind_it(void *grad, int64_t n, tg_tensor x, void *context) {
    (void)grad, (void)n;
    return tg_tape_rewind(tg_tape_of(x), *(tg_mark *)context) != TG_OK;
}
static int hooked_forward(const tg_call *c) {
    tg_tape *t = *(tg_tape *const *)c->context;
    tg_mark mark = tg_tape_mark(t);
    tg_tensor h = tg_square(wanting(tg_from_doubles(t, TG_SHAPE(1), c->input[0])));
    return tg_register_hook(h, rewind_it, &mark) || tg_backward(h);
}

START_TEST(a_hook_inside_a_forward_does_not_rewind)
{
    static const tg_custom_op op = {"hooked", NULL, NULL, hooked_forward, no_vjp};
    tg_tape *t = tg_tape_new(TG_F64);
    tg_tensor x = wanting(VECTOR(t, 5));
    ck_assert(tg_is_null(tg_custom(&op, &x, 1, TG_SHAPE(1), &t, sizeof t)));
    WANT_ERROR(t, TG_ERR_STATE, "rewind: called from a hook");
    tg_tape_free(t);
}
END_TEST

SUITE("custom_misuse", a_forward_rewinds_no_further_than_to_itself, bad_arguments_are_refused,
      a_missing_vjp_is_an_error_only_where_needed, a_failing_vjp_changes_no_gradient,
      an_error_left_by_a_vjp_changes_no_gradient, an_error_left_by_a_forward_ends_a_replay,
      a_result_half_filled_is_not_differentiated, a_forward_may_differentiate_in_a_replay,
      an_error_left_by_a_forward_ends_computing_again, a_grad_gives_a_gradient_or_an_error,
      a_grad_rewinds_no_further_than_to_itself, a_forward_behind_a_scope_may_differentiate_in_a_replay,
      a_hook_inside_a_forward_does_not_rewind)
