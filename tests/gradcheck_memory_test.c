/* The gradient check out of memory: each of its allocations refused in turn, whatever it is looking into at the time.
 * It says so, calls nothing right for it, nothing right wrong, and gives everything back. */
#include "custom_ops.h"
#include "tests/custom_maps.h"
#include "tests/verdict.h"

/* ---- programs ---- */

/* Are all dims 8, so that arrays of doubles end where their pieces of memory do? */
static bool wide;

static tg_shape shape_of(tg_shape shape) {
    for (int i = 0; i < shape.ndim && wide; i++)
        shape.size[i] = 8;
    return shape;
}

static tg_tensor leaf(tg_tape *t, const char *name, tg_shape shape) {
    return tg_parameter(t, name, tg_probe_leaf(t, shape_of(shape)));
}

static tg_tensor attend(tg_tape *t) {
    tg_tensor x = leaf(t, "x", TG_SHAPE(3, 2)), w = leaf(t, "w", TG_SHAPE(2));
    tg_tensor y = tg_scaled_dot_product_attention(x, x, tg_expand(w, shape_of(TG_SHAPE(3, 2))), TG_NULL, true, 0, 0);
    return tg_bias_gelu(tg_relu(y), w);
}

/* x and w of that family, with that mistake. */
static tg_tensor of_two(const tg_custom_op *op, int mistake, tg_tensor x, tg_tensor w) {
    return apply(op, mistake, 0, (tg_tensor[]){x, w}, 2, tg_shape_of(x));
}

static tg_tensor wrong_softmax(tg_tape *t) { return apply_to(&my_softmax, 2, 0, leaf(t, "x", TG_SHAPE(3, 4))); }
static tg_tensor wrong_loop(tg_tape *t) { return apply_to(&my_loop, 3, 0, leaf(t, "x", TG_SHAPE(6))); }

static tg_tensor wrong_norm(tg_tape *t) {
    return of_two(&my_norm, 3, leaf(t, "x", TG_SHAPE(3, 4)), leaf(t, "w", TG_SHAPE(4)));
}

/* Its operands are a transposed leaf and one without a gradient of its own size. */
static tg_tensor wrong_matmul(tg_tape *t) {
    tg_tensor x = tg_transpose(leaf(t, "x", TG_SHAPE(2, 3)), 0, 1);
    tg_tensor w = tg_expand(tg_exp(leaf(t, "w", TG_SHAPE(2))), shape_of(TG_SHAPE(2, 2)));
    return tg_sum(tg_square(of_two(&my_matmul, 2, x, w)), TG_ALL_DIMS, false);
}

/* Right for operands that are two tensors. */
static tg_tensor shared(tg_tape *t) {
    tg_tensor b = tg_exp(leaf(t, "x", TG_SHAPE(4)));
    return of_two(&forgetful, 0, b, b);
}

static tg_tensor detached(tg_tape *t) {
    tg_tensor x = leaf(t, "x", TG_SHAPE(3)), w = leaf(t, "w", TG_SHAPE(3));
    return tg_mul(tg_add(x, tg_mul_scalar(w, 0)), tg_detach(tg_exp(x)));
}

/* A step of x is lost in the sum: each operation alone can tell. */
static tg_tensor drowned(tg_tape *t) {
    tg_tensor far = tg_full(t, TG_SHAPE(1), 1e19);
    return tg_sub(tg_add(tg_square(tg_probe_leaf(t, shape_of(TG_SHAPE(3)))), far), far);
}

/* Ties: see kinks_are_not_wrong in gradcheck_test.c. */
static tg_tensor tied(tg_tape *t) {
    tg_tensor x = tg_parameter(t, "x", tg_full(t, shape_of(TG_SHAPE(3)), 2));
    return tg_maximum(x, tg_amin(x, TG_ALL_DIMS, true));
}

static tg_tensor wrong_at_ties(tg_tape *t) {
    tg_tensor x = tg_parameter(t, "x", tg_full(t, shape_of(TG_SHAPE(3)), 2));
    return tg_maximum(tg_mul_scalar(x, 3), tg_mul_scalar(tg_detach(tg_amin(x, TG_ALL_DIMS, true)), 3));
}

/* Programs that the check refuses. */
static tg_tensor steep(tg_tape *t) { return tg_sqrt(tg_parameter(t, "x", VECTOR(t, 4, 0, 9))); }

static tg_tensor overflowing(tg_tape *t) { return tg_tanh(tg_exp(tg_parameter(t, "x", VECTOR(t, 1, 1000)))); }

/* So many elements that they move together, and a wrong one is searched for. */
EACH(wave, sin(x), dy *cos(x) * (i == 777 ? 1.5 : 1))
static tg_tensor many(tg_tape *t) {
    tg_tensor x = tg_parameter(t, "x", tg_randn(t, TG_SHAPE(46, 46)));
    return apply_to(&wave, 0, 0, tg_transpose(x, 0, 1));
}

/* y[i] = x[i]^2; in float the last element of the gradient has another sign when the context says so. */
CUSTOM_MAP(float, square_f32, square_vjp_f32, x *x, (i == n - 1 && *(const bool *)c->context ? -2 : 2) * x * dy)
CUSTOM_MAP(double, square_f64, square_vjp_f64, x *x, 2 * x * dy)

/* Which call of these callbacks fails; -1: none. */
static int64_t calls, failing = -1;
#define FAILING(run) \
    static int failing_##run(const tg_call *c) { return run(c) || calls++ == failing; }
FAILING(square_f32)
FAILING(square_vjp_f32)
FAILING(square_f64)
FAILING(square_vjp_f64)

static tg_tensor square_of(tg_tensor x, bool wrong) {
    static const tg_custom_op square = {"square", failing_square_f32, failing_square_vjp_f32, failing_square_f64,
                                        failing_square_vjp_f64};
    return tg_custom(&square, &x, 1, tg_shape_of(x), &wrong, sizeof wrong);
}

static tg_tensor wrong_in_float(tg_tape *t) { return square_of(tg_tanh(leaf(t, "x", TG_SHAPE(2, 3))), true); }
static tg_tensor right_in_float(tg_tape *t) { return square_of(tg_tanh(leaf(t, "x", TG_SHAPE(2, 3))), false); }

static tg_tensor drowned_square(tg_tape *t) {
    tg_tensor far = tg_full(t, TG_SHAPE(1), 1e19);
    return tg_sub(tg_add(square_of(tg_probe_leaf(t, shape_of(TG_SHAPE(3))), false), far), far);
}

static tg_tensor overflows_in_float(tg_tape *t) {
    tg_tensor x = tg_exp(tg_parameter(t, "x", tg_full(t, shape_of(TG_SHAPE(2)), 50)));
    return tg_log(tg_mul(x, x));
}

typedef struct program {
    const char *name;
    tg_tensor (*make)(tg_tape *t);
    tg_dtype dtype;
    int said; /* what may be said where nothing is refused */
} program;

static const program programs[] = {{"attention", attend, TG_F64, R},
                                   {"attention in float", attend, TG_F32, R},
                                   {"softmax", wrong_softmax, TG_F64, W},
                                   {"norm", wrong_norm, TG_F64, W},
                                   {"matmul", wrong_matmul, TG_F64, W},
                                   {"loop", wrong_loop, TG_F64, W},
                                   {"shared", shared, TG_F64, W},
                                   {"detached", detached, TG_F64, W},
                                   {"drowned", drowned, TG_F64, R},
                                   {"tied", tied, TG_F64, R},
                                   {"wrong at ties", wrong_at_ties, TG_F64, WC},
                                   {"steep", steep, TG_F64, C},
                                   {"overflowing", overflowing, TG_F64, C},
                                   {"many", many, TG_F64, W},
                                   {"wrong in float", wrong_in_float, TG_F32, W},
                                   {"overflows in float", overflows_in_float, TG_F32, C}};

/* ---- the test ---- */

/* What is wrong may be called so, when memory is refused while its name is looked for. */
static void want_no_lie(memory *m, const program *p, tg_status status, const tg_gradcheck_result *r) {
    const char *error = tg_error(m->tape);
    bool said = status == TG_ERR_MEMORY && r->verdict == TG_GRAD_CANNOT_TELL && strstr(error, "out of memory");
    bool wrong = status == TG_ERR_NUMERIC && r->verdict == TG_GRAD_WRONG && (p->said & W);
    ck_assert_msg(said || wrong, "%s: call %lld refused: %s", p->name, (long long)m->refuse, r->summary);
    tg_clear_error(m->tape);
}

/* Check with one allocation refused, or all from it on; false when there is no such allocation. */
static bool survives(const program *p, tg_gradcheck_mode mode, int64_t refuse, bool for_good) {
    memory m = {.refuse = -1, .for_good = for_good};
    tg_gradcheck_result r;
    tg_tensor y = p->make(memory_tape(&m, p->dtype));
    WANT_OK(m.tape);
    m.refuse = m.calls + refuse;
    tg_status status = tg_gradcheck(y, config_in(mode), &r);
    bool refused = m.refused;
    if (refused)
        want_no_lie(&m, p, status, &r);
    else
        ck_assert_msg(is_said(&r, p->said), "%s: %s", p->name, r.summary);
    ck_assert_ptr_null(m.tape->nodes[0]->grad);
    memory_free(&m);
    return refused;
}

START_TEST(every_allocation_of_a_check_may_be_refused)
{
    const program *p = &programs[_i / 2];
    tg_gradcheck_mode mode = _i % 2 ? TG_GRADCHECK_FAST : TG_GRADCHECK_FULL;
    int64_t n = 0, step = p->make == many ? 7 : 1;
    if (p->make == many && mode == TG_GRADCHECK_FULL) /* takes long, and looks into nothing else */
        return;
    while (survives(p, mode, n, false))
        n += step;
    ck_assert_int_gt(n, 10);
    for (int64_t first = 0; first < n; first += 10 * step)
        (void)survives(p, mode, first, true);
}
END_TEST

/* Each piece of memory is a block of its own, and AddressSanitizer sees what reaches beyond its end. */
START_TEST(nothing_reaches_beyond_its_memory)
{
    for (size_t i = 0; i < sizeof programs / sizeof *programs; i++)
        for (int mode = 0; mode < 2 && programs[i].make != many; mode++) {
            memory m = {.refuse = -1};
            tg_gradcheck_result r;
            wide = true;
            tg_tensor y = programs[i].make(memory_tape(&m, programs[i].dtype));
            (void)!tg_gradcheck(y, config_in((tg_gradcheck_mode)mode), &r);
            wide = false;
            ck_assert_msg(is_said(&r, programs[i].said | C), "%s: %s", programs[i].name, r.summary);
            memory_free(&m);
        }
}
END_TEST

/* Whatever fails, right is not called wrong, and wrong not right. */
static bool survives_call(const program *p, tg_gradcheck_mode mode, int64_t fail) {
    tg_tape *t = tg_tape_new(p->dtype);
    tg_gradcheck_result r;
    failing = -1;
    tg_tensor y = p->make(t);
    calls = 0;
    failing = fail;
    tg_status status = tg_gradcheck(y, config_in(mode), &r);
    bool failed = calls > fail, said = status == TG_ERR_STATE && strstr(tg_error(t), "callback returned an error");
    failing = -1;
    if (said)
        ck_assert_int_eq(r.verdict, TG_GRAD_CANNOT_TELL);
    else
        ck_assert_msg(is_said(&r, p->said | (failed ? C : 0)), "%s: call %lld: %s", p->name, (long long)fail,
                      r.summary);
    ck_assert_msg(said || !failed || fail > 1, "%s: call %lld: %s", p->name, (long long)fail, r.summary);
    tg_tape_free(t);
    return failed;
}

START_TEST(every_call_of_a_callback_may_fail)
{
    static const program fragile[] = {{"wrong in float", wrong_in_float, TG_F32, W},
                                      {"right in float", right_in_float, TG_F32, R},
                                      {"drowned", drowned_square, TG_F64, R}};
    const program *p = &fragile[_i / 2];
    int64_t n = 0;
    while (survives_call(p, _i % 2 ? TG_GRADCHECK_FAST : TG_GRADCHECK_FULL, n))
        n += 1 + n / 50;
    ck_assert_int_gt(n, 10);
}
END_TEST

int main(void) {
    TCase *c = tcase_create("gradcheck_memory");
    tcase_add_loop_test(c, every_allocation_of_a_check_may_be_refused, 0, 2 * sizeof programs / sizeof *programs);
    tcase_add_test(c, nothing_reaches_beyond_its_memory);
    tcase_add_loop_test(c, every_call_of_a_callback_may_fail, 0, 6);
    return run_suite("gradcheck_memory", c);
}
