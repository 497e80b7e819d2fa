/* The check of second derivatives where float64 says little: saturated exponentials, numbers of many sizes, ties,
 * narrow functions far away. What is right is never called WRONG; a grad that is wrong by a thousandth is, on ordinary
 * numbers. */
#include "nn/nn.h"
#include "tests/support.h"

enum { DRAWS = 20 };

/* ---- numbers ---- */

typedef enum { NORMAL, UNIFORM, INTEGERS, LOG_UNIFORM, MIXED, N_KINDS } number_kind;

typedef struct source {
    tg_tape *t;
    tg_rng_state g;
    number_kind kind;
} source;

static double normal(tg_rng_state *g) {
    return sqrt(-2 * log(1 - tg_rng_double(g))) * cos(6.283185307179586 * tg_rng_double(g));
}

static double number(source *s) {
    double u = tg_rng_double(&s->g);
    switch (s->kind) {
    case NORMAL: return normal(&s->g);
    case UNIFORM: return 2 * u - 1;
    case INTEGERS: return floor(11 * u) - 5;
    case LOG_UNIFORM: return (tg_rng_double(&s->g) < 0.5 ? -1 : 1) * pow(10, 6 * u - 3);
    default: return normal(&s->g) * pow(10, floor(9 * u) - 4);
    }
}

static tg_tensor constant(source *s, tg_shape shape) {
    double values[64];
    for (int64_t i = 0, n = tg_shape_numel(&shape); i < n; i++)
        values[i] = number(s);
    return tg_from_doubles(s->t, shape, values);
}

static tg_tensor leaf(source *s, tg_shape shape) { return wanting(constant(s, shape)); }

static tg_tensor mean_square(tg_tensor y) { return tg_mean(tg_square(y), TG_ALL_DIMS, false); }

/* ---- right functions ---- */

static tg_tensor simple_attention(source *s) { return tg_nn_simple_attention(leaf(s, TG_SHAPE(4, 3)), NULL); }

static tg_tensor multi_head(source *s) {
    tg_nn_multi_head_attention m = tg_nn_multi_head_attention_new(s->t, "m", 6, 6, 8, 0.2, 2, true);
    return mean_square(tg_nn_multi_head_attention_forward(&m, leaf(s, TG_SHAPE(2, 4, 6)), NULL));
}

static tg_tensor multi_head_wrapper(source *s) {
    tg_nn_multi_head_wrapper m = tg_nn_multi_head_wrapper_new(s->t, "m", 3, 2, 6, 0.1, 2, false);
    return mean_square(tg_nn_multi_head_wrapper_forward(&m, leaf(s, TG_SHAPE(2, 4, 3)), NULL));
}

static tg_tensor dropout(source *s) {
    tg_tensor x = leaf(s, TG_SHAPE(3, 4));
    return mean_square(tg_dropout(tg_tanh(tg_matmul(x, constant(s, TG_SHAPE(4, 3)))), 0.4));
}

static tg_tensor shared_weights(source *s) {
    tg_tensor w = leaf(s, TG_SHAPE(3, 3)), x = tg_mul_scalar(constant(s, TG_SHAPE(3, 3)), 0.3);
    for (int i = 0; i < 4; i++)
        x = tg_tanh(tg_matmul(x, i % 2 ? w : tg_transpose(w, 0, 1)));
    return mean_square(x);
}

static tg_tensor views(source *s) {
    tg_tensor x = leaf(s, TG_SHAPE(4, 6)), even = tg_slice(x, 1, 0, 6, 2);
    tg_tensor turned = tg_transpose(tg_slice(x, 0, 1, 4, 1), 0, 1);
    tg_tensor row = tg_expand(tg_unsqueeze(tg_select(x, 0, 2), 0), TG_SHAPE(3, 6));
    return tg_add(mean_square(tg_matmul(tg_tanh(row), turned)), total(tg_sin(tg_mul(even, tg_flip(even, TG_DIMS(0))))));
}

static tg_tensor ordered(source *s) {
    tg_tensor x = leaf(s, TG_SHAPE(3, 5)), most = tg_amax(x, TG_DIMS(1), true);
    tg_tensor sorted = tg_mul(tg_sort(x, 1, true, NULL), constant(s, TG_SHAPE(5)));
    tg_tensor y = tg_mul(tg_topk(x, 2, 1, true, NULL), most);
    return tg_add(tg_sum(sorted, TG_DIMS(1), true), tg_add(y, tg_min_dim(x, 1, true, NULL)));
}

static tg_tensor chosen(source *s) {
    tg_tensor x = leaf(s, TG_SHAPE(3, 4)), w = leaf(s, TG_SHAPE(4));
    tg_tensor y = tg_where(tg_gt(x, tg_zeros(s->t, TG_SCALAR)), tg_mul(x, w), tg_sin(x));
    tg_tensor upper = tg_to_bool(tg_triu(tg_ones(s->t, TG_SHAPE(3, 4)), 2));
    return tg_softmax(tg_masked_fill(y, upper, -INFINITY), -1);
}

static tg_tensor gradient(tg_tensor y, tg_tensor x) {
    tg_tensor g = TG_NULL;
    ck_assert_msg(tg_gradients(y, TG_NULL, &x, 1, &g) == TG_OK, "%s", tg_error(x.tape));
    return g;
}

static tg_tensor second_order(source *s) {
    tg_tensor x = leaf(s, TG_SHAPE(4)), w = leaf(s, TG_SHAPE(4));
    return total(tg_square(gradient(total(tg_mul(tg_sin(tg_mul(x, w)), tg_tanh(x))), x)));
}

static tg_tensor third_order(source *s) {
    tg_tensor x = leaf(s, TG_SHAPE(3)), g = gradient(total(tg_sigmoid(tg_mul(x, x))), x);
    return tg_add(gradient(total(tg_square(g)), x), g);
}

static tg_tensor pushed_forward(source *s) {
    tg_tensor x = leaf(s, TG_SHAPE(4)), v = constant(s, TG_SHAPE(4)), jv = TG_NULL;
    ck_assert_int_eq(tg_jvp(tg_softmax(tg_mul(x, tg_tanh(x)), 0), &x, &v, 1, &jv), TG_OK);
    return jv;
}

typedef struct right_function {
    const char *name;
    tg_tensor (*record)(source *s);
    bool kinks; /* ordinary numbers may lie near one, or saturate */
} right_function;

static const right_function functions[] = {{"simple attention", simple_attention, false},
                                           {"multi-head attention", multi_head, false},
                                           {"multi-head wrapper", multi_head_wrapper, false},
                                           {"dropout", dropout, false},
                                           {"shared weights", shared_weights, false},
                                           {"views", views, false},
                                           {"sort, topk, extremes", ordered, false},
                                           {"where", chosen, false},
                                           {"second order", second_order, false},
                                           {"third order", third_order, false},
                                           {"jvp", pushed_forward, false}};
enum { N_FUNCTIONS = sizeof functions / sizeof *functions };

static source open_source(int draw, number_kind kind, tg_dtype dtype) {
    source s = {.t = tg_tape_new(dtype), .kind = kind};
    tg_rng_seed(&s.g, 1000 * (uint64_t)kind + (uint64_t)draw);
    tg_manual_seed(s.t, (uint64_t)draw);
    return s;
}

/* Ordinary numbers leave nothing to rounding. */
START_TEST(right_functions_are_never_wrong)
{
    const right_function *f = &functions[_i];
    int right = 0;
    for (int i = 0; i < 2 * N_KINDS * DRAWS; i++) {
        number_kind kind = (number_kind)(i / DRAWS % N_KINDS);
        source s = open_source(i % DRAWS, kind, i < N_KINDS * DRAWS ? TG_F32 : TG_F64);
        tg_tensor y = f->record(&s);
        tg_second_result r;
        WANT_OK(s.t);
        (void)!tg_gradcheck_second(y, (uint64_t)i, &r);
        ck_assert_msg(r.verdict != TG_GRAD_WRONG && (kind > UNIFORM || r.verdict == TG_GRAD_RIGHT),
                      "%s, draw %d, kind %d: %s", f->name, i % DRAWS, kind, r.summary);
        right += r.verdict == TG_GRAD_RIGHT;
        tg_tape_free(s.t);
    }
    printf("%-22s right: %d of %d\n", f->name, right, 2 * N_KINDS * DRAWS);
}
END_TEST

/* ---- exponentials of which one is nearly all ---- */

enum { LOGSUMEXP, SOFTMAX, CROSS_ENTROPY, N_FORMS };

static tg_tensor saturated(tg_tape *t, int form, double a) {
    tg_tensor x = wanting(VECTOR(t, 0, 1, a));
    switch (form) {
    case LOGSUMEXP: return tg_logsumexp(x, TG_ALL_DIMS, false);
    case SOFTMAX: return total(tg_mul(VECTOR(t, 0.3, -1, 2), tg_softmax(x, 0)));
    default:
        return tg_cross_entropy(tg_reshape(x, TG_SHAPE(1, 3)), tg_from_ints(t, TG_SHAPE(1), (int64_t[]){1}),
                                TG_IGNORE_INDEX, TG_MEAN);
    }
}

/* Up to 18 the Hessian in float64 is right to nine digits; from 40 on the others are lost beside 1. */
START_TEST(saturated_exponentials_are_never_wrong)
{
    static const double a[] = {5, 10, 14, 18, 20, 40, 60, 80, 120};
    for (int form = 0; form < N_FORMS; form++)
        for (size_t k = 0; k < sizeof a / sizeof *a; k++)
            for (int i = 0; i < DRAWS; i++) {
                tg_tape *t = tg_tape_new(TG_F64);
                tg_second_result r;
                (void)!tg_gradcheck_second(saturated(t, form, a[k]), (uint64_t)i, &r);
                bool good = a[k] <= 18 ? r.verdict == TG_GRAD_RIGHT : r.verdict != TG_GRAD_WRONG;
                ck_assert_msg(good, "form %d, {0, 1, %g}, draw %d: %s", form, a[k], i, r.summary);
                tg_tape_free(t);
            }
}
END_TEST

START_TEST(a_confident_classifier_is_never_wrong)
{
    for (int i = 0; i < 4 * DRAWS; i++) {
        tg_tape *t = tg_tape_new(TG_F64);
        tg_second_result r;
        tg_manual_seed(t, (uint64_t)(i % DRAWS));
        tg_nn_linear m = tg_nn_linear_new(t, "m", 4, 3, true);
        double factor = (double)(1 << 2 * (i / DRAWS));
        tg_tensor y = tg_mul_scalar(tg_nn_linear_forward(&m, tg_randn(t, TG_SHAPE(6, 4))), factor);
        y = tg_cross_entropy(y, tg_argmax(y, 1, false), TG_IGNORE_INDEX, TG_MEAN);
        (void)!tg_gradcheck_second(y, (uint64_t)i, &r);
        bool good = factor <= 16 ? r.verdict == TG_GRAD_RIGHT : r.verdict != TG_GRAD_WRONG;
        ck_assert_msg(good, "times %g, draw %d: %s", factor, i, r.summary);
        tg_tape_free(t);
    }
}
END_TEST

/* ---- custom operations, which only float64 computes ---- */

static double offset, grad_factor;

#define MAP(name, f, df)                                                             \
    static int name##_forward(const tg_call *c) {                                    \
        for (int64_t i = 0; i < c->output_shape->size[0]; i++) {                     \
            double x = ((const double *)c->input[0])[i];                             \
            ((double *)c->output)[i] = f;                                            \
        }                                                                            \
        return 0;                                                                    \
    }                                                                                \
    static int name##_vjp(const tg_call *c) {                                        \
        for (int64_t i = 0; i < c->output_shape->size[0]; i++) {                     \
            double x = ((const double *)c->input[0])[i];                             \
            ((double *)c->input_grad[0])[i] += ((double *)c->output_grad)[i] * (df); \
        }                                                                            \
        return 0;                                                                    \
    }
MAP(far, tanh(x - offset), 1 - tanh(x - offset) * tanh(x - offset))
MAP(coarse, (double)tanhf((float)x), (double)(1 - tanhf((float)x) * tanhf((float)x)))
MAP(bend, x > 0 ? x * x : 0, x > 0 ? 2 * x : 0)
MAP(corner, fabs(x), x >= 0 ? 1 : -1)

static void tanh_grad(const tg_tensor *x, int n, tg_tensor y, tg_tensor dy, tg_tensor *dx, const void *context) {
    (void)n, (void)y, (void)context;
    tg_tensor slope = tg_rsub_scalar(1, tg_square(tg_tanh(tg_add_scalar(x[0], -offset))));
    dx[0] = tg_mul(dy, tg_mul_scalar(slope, grad_factor));
}
static void bend_grad(const tg_tensor *x, int n, tg_tensor y, tg_tensor dy, tg_tensor *dx, const void *context) {
    (void)n, (void)y, (void)context;
    dx[0] = tg_mul(dy, tg_mul_scalar(tg_relu(x[0]), 2));
}
static void corner_grad(const tg_tensor *x, int n, tg_tensor y, tg_tensor dy, tg_tensor *dx, const void *context) {
    (void)n, (void)y, (void)context;
    dx[0] = tg_where(tg_ge(x[0], tg_zeros(dy.tape, TG_SCALAR)), dy, tg_neg(dy));
}

static tg_second_result check_custom(const tg_custom_op *op, tg_custom_grad grad, number_kind kind, double scale,
                                     double at, double factor, int draw) {
    source s = open_source(draw, kind, TG_F64);
    tg_second_result r;
    offset = at;
    grad_factor = factor;
    double values[4];
    for (int i = 0; i < 4; i++)
        values[i] = at + scale * number(&s);
    tg_tensor x = wanting(tg_from_doubles(s.t, TG_SHAPE(4), values));
    tg_tensor y = tg_custom(op, &x, 1, TG_SHAPE(4), NULL, 0);
    ck_assert_int_eq(tg_custom_set_grad(y, grad), TG_OK);
    (void)!tg_gradcheck_second(y, (uint64_t)draw, &r);
    tg_tape_free(s.t);
    return r;
}

static const tg_custom_op far_op = {.name = "far", .forward_f64 = far_forward, .vjp_f64 = far_vjp},
                          coarse_op = {.name = "coarse", .forward_f64 = coarse_forward, .vjp_f64 = coarse_vjp},
                          bend_op = {.name = "bend", .forward_f64 = bend_forward, .vjp_f64 = bend_vjp},
                          corner_op = {.name = "corner", .forward_f64 = corner_forward, .vjp_f64 = corner_vjp};

/* Narrow functions far away, float inside, kinks that nobody declares. */
START_TEST(right_custom_operations_are_never_wrong)
{
    for (int i = 0; i < DRAWS; i++) {
        for (double at = 1; at < 1e13; at *= 100) {
            tg_second_result r = check_custom(&far_op, tanh_grad, NORMAL, 1, at, 1, i);
            ck_assert_msg(r.verdict != TG_GRAD_WRONG && (at > 100 || r.verdict == TG_GRAD_RIGHT), "far, %g: %s", at,
                          r.summary);
        }
        for (number_kind kind = 0; kind < N_KINDS; kind++) {
            tg_second_result coarse = check_custom(&coarse_op, tanh_grad, kind, i % 2 ? 1 : 1e-3, 0, 1, i),
                             bend = check_custom(&bend_op, bend_grad, kind, 1, 0, 1, i),
                             corner = check_custom(&corner_op, corner_grad, kind, 1, 0, 1, i);
            ck_assert_msg(coarse.verdict != TG_GRAD_WRONG, "coarse: %s", coarse.summary);
            ck_assert_msg(bend.verdict != TG_GRAD_WRONG, "bend: %s", bend.summary);
            ck_assert_msg(corner.verdict != TG_GRAD_WRONG, "corner: %s", corner.summary);
        }
    }
}
END_TEST

START_TEST(wrong_custom_operations_are_wrong)
{
    for (int i = 0; i < DRAWS; i++)
        for (double at = 0; at < 200; at += 100) {
            tg_second_result r = check_custom(&far_op, tanh_grad, NORMAL, 1, at, 1.001, i);
            ck_assert_msg(r.verdict == TG_GRAD_WRONG, "at %g: %s", at, r.summary);
        }
}
END_TEST

/* |-2 x^2| has the second derivative 4 at 0, where that of |x| is taken for 0. */
START_TEST(a_kink_that_is_not_crossed_is_not_wrong)
{
    tg_tape *t = tg_tape_new(TG_F64);
    tg_tensor x = wanting(VECTOR(t, 2, -3, 0, 1));
    for (int i = 0; i < DRAWS; i++) {
        tg_second_result r;
        (void)!tg_gradcheck_second(tg_abs(tg_mul_scalar(tg_square(x), -2)), (uint64_t)i, &r);
        ck_assert_int_eq(r.verdict, TG_GRAD_CANNOT_TELL);
        tg_clear_error(t);
    }
    tg_tape_free(t);
}
END_TEST

/* cos(-4e7) has no slope at steps that are wider than its waves, on which all of these agree; at narrower ones the
 * cosines near 1, whose differences are divided by, move by less than their last bits. f's own differences see the
 * waves. */
START_TEST(waves_that_only_f_shows_are_not_wrong)
{
    tg_tape *t = tg_tape_new(TG_F64);
    tg_tensor x = wanting(MATRIX(t, 2, 3, -0.00100245, 1.19835e-8, -44690600, -1265.64, 3.15797e-7, -3.80157e-5));
    tg_tensor z = tg_add(tg_cos(x), tg_amax(x, TG_DIMS(1), true)), squares = tg_sort(tg_square(z), 1, true, NULL);
    for (int i = 0; i < 4 * DRAWS; i++) {
        tg_second_result r;
        (void)!tg_gradcheck_second(tg_rdiv_scalar(1, tg_erf(tg_sub(z, squares))), (uint64_t)i, &r);
        ck_assert_msg(r.verdict != TG_GRAD_WRONG, "draw %d: %s", i, r.summary);
        tg_clear_error(t);
    }
    tg_tape_free(t);
}
END_TEST

/* ---- what rounding takes from a gradient smoothly ---- */

enum { GELU, LOG_SOFTMAX, TEXTBOOK_TANH, N_TAILS };

/* log_softmax and 1 - tanh^2 have nothing left where one probability, or tanh^2, is 1 but for its last bits. */
static tg_tensor tail(int form, tg_tensor z) {
    static const tg_custom_op textbook = {.name = "textbook", .forward_f64 = far_forward, .vjp_f64 = far_vjp};
    tg_tensor both[2] = {z, tg_mul_scalar(z, -0.3)}, y = TG_NULL;
    switch (form) {
    case GELU: return tg_gelu(z);
    case LOG_SOFTMAX: return tg_select(tg_log_softmax(tg_stack(both, 2, 1), 1), 1, 1);
    default:
        offset = 0;
        grad_factor = 1;
        y = tg_custom(&textbook, &z, 1, TG_SHAPE(2), NULL, 0);
        ck_assert_int_eq(tg_custom_set_grad(y, tanh_grad), TG_OK);
        return tg_add_scalar(y, 1);
    }
}

/* Beside an element that is clamped: the differences of what is left agree with each other at all steps, and f shows
 * nothing of it. gelu keeps its digits (PyTorch's does not), and is right. */
START_TEST(what_a_gradient_loses_in_a_tail_is_not_wrong)
{
    static const double beside[] = {3, 1e3, 1e5, 1e8}, factor[] = {1, 1e8};
    for (int form = 0; form < N_TAILS; form++)
        for (double z = -7; z > -40; z -= 0.5)
            for (int i = 0; i < 8; i++) {
                tg_tape *t = tg_tape_new(TG_F64);
                tg_second_result r;
                tg_tensor x = wanting(VECTOR(t, -0.38, z)), b = wanting(VECTOR(t, beside[i / 2], 0.001));
                tg_tensor y = tg_mul_scalar(tail(form, tg_add(x, b)), factor[i % 2]);
                (void)!tg_gradcheck_second(total(tg_clamp(y, -1.1, 0.9)), (uint64_t)i, &r);
                bool good = form == GELU && z > -15 ? r.verdict == TG_GRAD_RIGHT : r.verdict != TG_GRAD_WRONG;
                ck_assert_msg(good, "form %d, %g beside %g, times %g: %s", form, z, beside[i / 2], factor[i % 2],
                              r.summary);
                tg_tape_free(t);
            }
}
END_TEST

/* ---- what y does not need ---- */

static int f32_forward(const tg_call *c) {
    ((float *)c->output)[0] = ((const float *)c->input[0])[0];
    return 0;
}
static int f32_vjp(const tg_call *c) {
    ((float *)c->input_grad[0])[0] += ((const float *)c->output_grad)[0];
    return 0;
}

START_TEST(what_y_does_not_need_may_be_anything)
{
    static const tg_custom_op op = {.name = "float32 only", .forward_f32 = f32_forward, .vjp_f32 = f32_vjp};
    tg_tape *t = tg_tape_new(TG_F32);
    tg_tensor x = wanting(VECTOR(t, 0.5, -1)), other = wanting(VECTOR(t, -1));
    ck_assert(!tg_is_null(tg_custom(&op, &other, 1, TG_SHAPE(1), NULL, 0)) && !tg_is_null(tg_log(other)));
    tg_tensor y = total(tg_sin(x));
    ck_assert(!tg_is_null(tg_custom(&op, &other, 1, TG_SHAPE(1), NULL, 0)));
    ck_assert_msg(tg_gradcheck_second(y, 1, NULL) == TG_OK, "%s", tg_error(t));
    tg_tape_free(t);
}
END_TEST

/* Leaves that y does not depend on, before those that it does. */
START_TEST(an_unused_leaf_may_hold_anything)
{
    const double values[] = {NAN, INFINITY, 1e300};
    for (int k = 0; k < 6; k++) {
        tg_tape *t = tg_tape_new(k % 2 ? TG_F64 : TG_F32);
        ck_assert(!tg_is_null(wanting(tg_full(t, TG_SHAPE(3), values[k / 2]))));
        tg_second_result r;
        tg_tensor y = tg_sin(wanting(VECTOR(t, 0.5, -1, 2)));
        ck_assert_msg(tg_gradcheck_second(y, 1, &r) == TG_OK && r.verdict == TG_GRAD_RIGHT, "%d: %s", k, r.summary);
        tg_tape_free(t);
    }
}
END_TEST

/* ---- refused ---- */

static void want_filled(tg_tensor y, tg_status status) {
    tg_second_result r;
    memset(&r, 0x55, sizeof r);
    ck_assert_int_eq(tg_gradcheck_second(y, 1, &r), status);
    ck_assert_int_eq(r.verdict, TG_GRAD_CANNOT_TELL);
    ck_assert_msg(r.summary[0] && (!y.tape || !strcmp(r.summary, tg_error(y.tape))), "%s", r.summary);
    ck_assert(r.difference == 0 && r.slope_first == 0);
}

START_TEST(a_check_that_is_refused_fills_the_result)
{
    tg_tape *t = tg_tape_new(TG_F64);
    tg_tensor x = wanting(VECTOR(t, 1, 2)), y = tg_sin(x), constant = tg_sin(VECTOR(t, 1, 2));
    want_filled(TG_NULL, TG_ERR_ARGUMENT);
    want_filled(constant, TG_ERR_STATE);
    tg_clear_error(t);
    tg_checkpoint_begin(t);
    want_filled(tg_exp(x), TG_ERR_STATE);
    tg_clear_error(t);
    want_filled(tg_square(tg_checkpoint_end(t, tg_exp(x))), TG_ERR_STATE); /* the words of tg_jvp, and whose they are */
    ck_assert_msg(strstr(tg_error(t), "gradcheck_second (in float64): jvp: ") == tg_error(t), "%s", tg_error(t));
    tg_clear_error(t);
    ck_assert(tg_is_null(tg_add(x, tg_ones(t, TG_SHAPE(5)))));
    want_filled(y, TG_ERR_SHAPE);
    tg_tape_free(t);
}
END_TEST

/* ---- a thousandth off ---- */

static const tg_op *right_op;

static void wrong_grad(const tg_node *y, tg_tensor dy, tg_tensor *dx) {
    right_op->grad(y, tg_mul_scalar(dy, 1.001), dx);
}

/* In every place of an operation the grad is wrong. */
START_TEST(a_thousandth_is_wrong)
{
    static const struct {
        tg_tensor (*record)(source *s);
        const tg_op *op;
    } mistakes[] = {{simple_attention, &tg_op_attention},
                    {multi_head, &tg_op_attention},
                    {dropout, &tg_op_tanh},
                    {shared_weights, &tg_op_matmul},
                    {views, &tg_op_sin},
                    {chosen, &tg_op_softmax},
                    {second_order, &tg_op_tanh},
                    {third_order, &tg_op_sigmoid}};
    for (size_t k = 0; k < sizeof mistakes / sizeof *mistakes; k++)
        for (int i = 0; i < 2 * DRAWS; i++) {
            source s = open_source(i % DRAWS, i < DRAWS ? NORMAL : UNIFORM, TG_F64);
            tg_tensor y = mistakes[k].record(&s);
            tg_op wrong = *mistakes[k].op;
            tg_second_result r;
            wrong.grad = wrong_grad;
            right_op = mistakes[k].op;
            int planted = 0;
            for (uint32_t j = 0; j < s.t->count; j++)
                if (s.t->nodes[j]->op == right_op) {
                    s.t->nodes[j]->op = &wrong;
                    planted++;
                }
            ck_assert_int_gt(planted, 0);
            (void)!tg_gradcheck_second(y, (uint64_t)i, &r);
            ck_assert_msg(r.verdict == TG_GRAD_WRONG, "%s in %d, draw %d: %s", right_op->name, (int)k, i, r.summary);
            tg_tape_free(s.t);
        }
}
END_TEST

int main(void) {
    TCase *c = tcase_create("second_wide");
    tcase_add_loop_test(c, right_functions_are_never_wrong, 0, N_FUNCTIONS);
    tcase_add_test(c, saturated_exponentials_are_never_wrong);
    tcase_add_test(c, a_confident_classifier_is_never_wrong);
    tcase_add_test(c, right_custom_operations_are_never_wrong);
    tcase_add_test(c, wrong_custom_operations_are_wrong);
    tcase_add_test(c, a_kink_that_is_not_crossed_is_not_wrong);
    tcase_add_test(c, waves_that_only_f_shows_are_not_wrong);
    tcase_add_test(c, what_a_gradient_loses_in_a_tail_is_not_wrong);
    tcase_add_test(c, what_y_does_not_need_may_be_anything);
    tcase_add_test(c, an_unused_leaf_may_hold_anything);
    tcase_add_test(c, a_check_that_is_refused_fills_the_result);
    tcase_add_test(c, a_thousandth_is_wrong);
    return run_suite("second_wide", c);
}
