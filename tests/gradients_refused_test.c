/* Gradients that cannot be had, for bad input, a scope, a hook, modified data or want of memory, are an error in one
 * line and change nothing. */
#include "tests/support.h"

static tg_tape *tape;
static void start(void) { tape = tg_tape_new(TG_F64); }
static void stop(void) { tg_tape_free(tape); }

/* ---- bad input ---- */

static int square_forward(const tg_call *c) {
    const double *x = c->input[0];
    for (int64_t j = 0; j < c->output_shape->size[0]; j++)
        ((double *)c->output)[j] = x[j] * x[j];
    return 0;
}
static int square_vjp(const tg_call *c) {
    const double *x = c->input[0], *dy = c->output_grad;
    for (int64_t j = 0; j < c->output_shape->size[0]; j++)
        ((double *)c->input_grad[0])[j] += 2 * x[j] * dy[j];
    return 0;
}
static void wrong_shape(const tg_tensor *x, int n, tg_tensor y, tg_tensor dy, tg_tensor *dx, const void *context) {
    (void)x, (void)n, (void)y, (void)context;
    dx[0] = tg_slice(dy, 0, 0, 1, 1);
}
static void nothing(const tg_tensor *x, int n, tg_tensor y, tg_tensor dy, tg_tensor *dx, const void *context) {
    (void)x, (void)n, (void)y, (void)context, (void)dy, (void)dx;
}
static int ask_inside(void *grad, int64_t n, tg_tensor x, void *context) {
    tg_tensor dx;
    (void)grad, (void)n;
    return tg_gradients(*(tg_tensor *)context, TG_NULL, &x, 1, &dx) != TG_OK;
}

#define WANT_REFUSED(call, status, ...)         \
    do {                                        \
        uint32_t count_ = tape->count;          \
        ck_assert_int_eq(call, status);         \
        WANT_ERROR(tape, status, __VA_ARGS__);  \
        ck_assert_uint_eq(tape->count, count_); \
    } while (0)

START_TEST(bad_input_is_refused)
{
    const tg_custom_op op = {.name = "my_square", .forward_f64 = square_forward, .vjp_f64 = square_vjp};
    tg_tensor x = wanting(VECTOR(tape, 3)), ints = tg_arange(tape, 1), dx = x, null = TG_NULL;
    tg_tensor vector = wanting(VECTOR(tape, 1, 2)), y = tg_square(x), long_y = tg_square(vector);
    tg_tensor own = tg_custom(&op, &vector, 1, TG_SHAPE(2), NULL, 0), twice = tg_mean(own, TG_ALL_DIMS, false);
    WANT_REFUSED(tg_gradients(twice, null, &vector, 1, &dx), TG_ERR_STATE, "my_square", "no grad",
                 "tg_custom_set_grad");
    ck_assert(tg_is_null(dx));
    ck_assert_int_eq(tg_custom_set_grad(own, wrong_shape), TG_OK);
    WANT_REFUSED(tg_gradients(twice, null, &vector, 1, &dx), TG_ERR_SHAPE, "my_square", "another shape");
    ck_assert_int_eq(tg_custom_set_grad(own, nothing), TG_OK);
    WANT_REFUSED(tg_gradients(twice, null, &vector, 1, &dx), TG_ERR_SHAPE, "my_square", "gave nothing");
    WANT_REFUSED(tg_custom_set_grad(y, nothing), TG_ERR_ARGUMENT, "not made by tg_custom");
    WANT_REFUSED(tg_custom_set_grad(own, NULL), TG_ERR_ARGUMENT, "NULL");
    WANT_REFUSED(tg_gradients(y, null, &ints, 1, &dx), TG_ERR_ARGUMENT, "x 1", "int64");
    WANT_REFUSED(tg_gradients(ints, null, &x, 1, &dx), TG_ERR_ARGUMENT, "y 1", "int64");
    WANT_REFUSED(tg_gradients(y, null, &null, 1, &dx), TG_ERR_ARGUMENT, "x 1", "null tensor");
    WANT_REFUSED(tg_gradients(y, null, NULL, 1, &dx), TG_ERR_ARGUMENT, "no x");
    WANT_REFUSED(tg_gradients(y, null, &x, 0, &dx), TG_ERR_ARGUMENT, "no x");
    WANT_REFUSED(tg_gradients(y, null, &x, 1, NULL), TG_ERR_ARGUMENT, "the array for the gradients is NULL");
    WANT_REFUSED(tg_gradients(long_y, null, &vector, 1, &dx), TG_ERR_STATE, "not a scalar");
    WANT_REFUSED(tg_gradients(y, vector, &x, 1, &dx), TG_ERR_SHAPE, "cotangent (2,)", "(1,)");
    WANT_REFUSED(tg_gradients(y, ints, &x, 1, &dx), TG_ERR_ARGUMENT, "cotangent 1", "int64");
    WANT_REFUSED(tg_jvp(y, &x, &vector, 1, &dx), TG_ERR_SHAPE, "direction 1 (2,)", "(1,)");
    WANT_REFUSED(tg_jvp(y, &x, &null, 1, &dx), TG_ERR_ARGUMENT, "direction 1", "null tensor");
    WANT_REFUSED(tg_jvp(y, NULL, &x, 1, &dx), TG_ERR_ARGUMENT,
                 "an x, a direction or the array for the result is missing");
    /* they take no cotangent, and do not advise one */
    ck_assert_int_eq(tg_hvp(long_y, &vector, &vector, 1, &dx), TG_ERR_STATE);
    ck_assert_ptr_null(strstr(tg_error(tape), "cotangent"));
    WANT_REFUSED(tg_tape_status(tape), TG_ERR_STATE, "hvp: ", "not a scalar");
    ck_assert(tg_is_null(tg_hessian(long_y, vector)));
    ck_assert_ptr_null(strstr(tg_error(tape), "cotangent"));
    WANT_REFUSED(tg_tape_status(tape), TG_ERR_STATE, "hessian: ", "not a scalar");
    WANT_REFUSED(tg_tape_status((tg_jacobian(ints, vector), tape)), TG_ERR_ARGUMENT, "jacobian", "int64");
    tg_tensor deep = wanting(tg_ones(tape, TG_SHAPE(1, 1, 1, 1, 1)));
    WANT_REFUSED(tg_tape_status((tg_jacobian(deep, deep), tape)), TG_ERR_SHAPE, "more than 8");
    tg_tape *other = tg_tape_new(TG_F64);
    tg_tensor stranger = tg_set_requires_grad(tg_scalar(other, 1), true);
    WANT_REFUSED(tg_gradients(y, null, &stranger, 1, &dx), TG_ERR_ARGUMENT, "another tape");
    tg_tape_free(other);
    WANT_REFUSED(tg_gradients(null, null, &x, 1, &dx), TG_ERR_ARGUMENT, "gradients, y 1", "null tensor");
    WANT_REFUSED(tg_jvp(null, &x, &x, 1, &dx), TG_ERR_ARGUMENT, "jvp, y 1", "null tensor");
    WANT_REFUSED(tg_hvp(null, &x, &x, 1, &dx), TG_ERR_ARGUMENT, "hvp, y 1", "null tensor");
}
END_TEST

START_TEST(scopes_hooks_and_modified_data_are_refused)
{
    tg_tensor x = wanting(VECTOR(tape, 3)), dx, null = TG_NULL;
    tg_checkpoint_begin(tape);
    tg_tensor inside = tg_square(x);
    WANT_REFUSED(tg_gradients(inside, null, &x, 1, &dx), TG_ERR_STATE, "inside a checkpoint scope");
    tg_tensor y = tg_square(tg_checkpoint_end(tape, inside));
    WANT_REFUSED(tg_gradients(y, null, &x, 1, &dx), TG_ERR_STATE, "checkpoint scope", "without the scope");
    ck_assert_int_eq(tg_backward(y), TG_OK); /* works as before */
    WANT_GRAD(x, 108);
    tg_tensor h = tg_square(x), z = tg_square(h);
    ck_assert_int_eq(tg_register_hook(h, ask_inside, &z), TG_OK);
    ck_assert_int_ne(tg_backward(z), TG_OK);
    WANT_ERROR(tape, TG_ERR_STATE, "hook");
    ck_assert_int_eq(tg_write_doubles(x, (double[]){4}, 1), TG_OK);
    WANT_REFUSED(tg_gradients(h, null, &x, 1, &dx), TG_ERR_STATE, "square", "modified afterwards");
}
END_TEST

/* ---- memory ---- */

/* An allocator that says no after so many times, and sees what was written behind its blocks. */
enum { FENCE = 1 << 17, FENCE_BYTE = 0x5a };
static int allowed;
static void *some(void *context, size_t size) {
    (void)context;
    char *block = allowed-- > 0 ? malloc(size + FENCE) : NULL;
    if (block)
        memset(block + size, FENCE_BYTE, FENCE);
    return block;
}
static void give(void *context, void *block, size_t size) {
    (void)context;
    const char *fence = (const char *)block + size;
    ck_assert_int_eq(fence[0], FENCE_BYTE);
    ck_assert_mem_eq(fence, fence + 1, FENCE - 1);
    free(block);
}

START_TEST(without_memory_nothing_changes)
{
    const tg_allocator allocator = {some, give, NULL};
    bool done = false;
    for (int extra = 0; !done; extra++) {
        allowed = 1000;
        tg_tape *t = tg_tape_new_with(TG_F64, &allocator);
        tg_tensor q = tg_set_requires_grad(tg_randn(t, TG_SHAPE(2, 40, 30)), true), v = tg_ones(t, TG_SHAPE(2, 40, 30));
        tg_tensor y = tg_scaled_dot_product_attention(q, q, q, TG_NULL, true, 0, 0), hv;
        y = tg_sum(tg_square(tg_layer_norm(y, TG_NULL, TG_NULL, 1e-5)), TG_ALL_DIMS, false);
        uint32_t count = t->count;
        WANT_OK(t);
        allowed = extra;
        done = tg_hvp(y, &q, &v, 1, &hv) == TG_OK;
        if (!done) {
            ck_assert_int_eq(tg_tape_status(t), TG_ERR_MEMORY);
            ck_assert_uint_eq(t->count, count);
            tg_clear_error(t);
            allowed = 1000;
            ck_assert_int_eq(tg_backward(y), TG_OK);
        }
        ck_assert_int_eq(t->hollow.keep || t->modes.no_grad || t->watch.any, 0);
        tg_tape_free(t);
    }
}
END_TEST

/* Third derivatives are made of operations on (T, S) scores, any of which may find no memory. */
START_TEST(attention_without_memory_changes_nothing)
{
    const tg_allocator allocator = {some, give, NULL};
    const tg_shape shape = TG_SHAPE(2, 128, 2);
    bool done = false;
    for (int extra = 0; !done; extra++) {
        allowed = 1000;
        tg_tape *t = tg_tape_new_with(TG_F64, &allocator);
        tg_tensor q = tg_set_requires_grad(tg_randn(t, shape), true), x = q;
        tg_attention_config config = TG_ATTENTION_DEFAULTS;
        config.causal = _i == 0, config.dropout_p = _i == 1 ? 0.5 : 0, config.softcap = _i == 2 ? 3 : 0;
        config.sinks = _i == 3 ? tg_randn(t, TG_SHAPE(2)) : TG_NULL;
        tg_tensor y = tg_scaled_dot_product_attention_with(q, q, q, config);
        WANT_OK(t);
        allowed = extra;
        tg_status bad = TG_OK;
        for (int order = 1; order <= 3 && !bad; order++) {
            y = tg_sum(tg_square(y), TG_ALL_DIMS, false);
            bad = tg_gradients(y, TG_NULL, &q, 1, &x) ? tg_tape_status(t) : TG_OK;
            y = x;
        }
        done = !bad;
        ck_assert_int_eq(bad, done ? TG_OK : TG_ERR_MEMORY);
        ck_assert_int_eq(tg_is_null(x), !done);
        tg_tape_free(t);
    }
}
END_TEST

int main(void) {
    TCase *c = tcase_create("gradients_refused");
    tcase_add_checked_fixture(c, start, stop);
    tcase_add_test(c, bad_input_is_refused);
    tcase_add_test(c, scopes_hooks_and_modified_data_are_refused);
    tcase_add_test(c, without_memory_nothing_changes);
    tcase_add_loop_test(c, attention_without_memory_changes_nothing, 0, 4);
    return run_suite("gradients_refused", c);
}
