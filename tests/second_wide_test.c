/* The check of second derivatives where float64 says little: what is right is never called WRONG, a grad that is wrong
 * by a thousandth is, on ordinary numbers. */
#include "custom_ops.h"
#include "nn/nn.h"
#include "tests/custom_maps.h"
#include "tests/support.h"

enum { DRAWS = 20 };

/* ---- numbers ---- */

typedef enum { NORMAL, UNIFORM, INTEGERS, LOG_UNIFORM, MIXED, N_KINDS } number_kind;

typedef struct source {
    tg_tape *t;
    tg_rng_state g;
    number_kind kind;
} source;

static double number(source *s) {
    double u = tg_rng_double(&s->g);
    switch (s->kind) {
    case NORMAL: return normal_number(&s->g);
    case UNIFORM: return 2 * u - 1;
    case INTEGERS: return floor(11 * u) - 5;
    case LOG_UNIFORM: return (tg_rng_double(&s->g) < 0.5 ? -1 : 1) * pow(10, 6 * u - 3);
    default: return normal_number(&s->g) * pow(10, floor(9 * u) - 4);
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

/* Of the letters R (right, kinks included), C (cannot tell), W (wrong) those that may be said. */
static void want_said(tg_tensor y, int seed, const char *allowed, const char *what, double number) {
    tg_second_result r;
    tg_status status = tg_gradcheck_second(y, (uint64_t)seed, &r);
    char said = "RRCW"[r.verdict];
    ck_assert_msg(strchr(allowed, said), "%s, %g, seed %d: allowed %s: %s", what, number, seed, allowed, r.summary);
    ck_assert_int_eq(status == TG_OK, said == 'R');
    tg_clear_error(y.tape);
}

/* wrong: the operation whose grad, a thousandth off in all its places, is WRONG; NULL: none is tried. */
static const struct {
    const char *name;
    tg_tensor (*record)(source *s);
    const tg_op *wrong;
} functions[] = {{"simple attention", simple_attention, &tg_op_attention},
                 {"multi-head attention", multi_head, &tg_op_attention},
                 {"multi-head wrapper", multi_head_wrapper, NULL},
                 {"dropout", dropout, &tg_op_tanh},
                 {"shared weights", shared_weights, &tg_op_matmul},
                 {"views", views, &tg_op_sin},
                 {"sort, topk, extremes", ordered, NULL},
                 {"where", chosen, &tg_op_softmax},
                 {"second order", second_order, &tg_op_tanh},
                 {"third order", third_order, &tg_op_sigmoid},
                 {"jvp", pushed_forward, NULL}};
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
    for (int i = 0; i < 2 * N_KINDS * DRAWS; i++) {
        number_kind kind = (number_kind)(i / DRAWS % N_KINDS);
        source s = open_source(i % DRAWS, kind, i < N_KINDS * DRAWS ? TG_F32 : TG_F64);
        tg_tensor y = functions[_i].record(&s);
        WANT_OK(s.t);
        want_said(y, i, kind > UNIFORM ? "RC" : "R", functions[_i].name, kind);
        tg_tape_free(s.t);
    }
}
END_TEST

static const tg_op *right_op;

static void wrong_grad(const tg_node *y, tg_tensor dy, tg_tensor *dx) {
    right_op->grad(y, tg_mul_scalar(dy, 1.001), dx);
}

START_TEST(a_grad_off_by_a_thousandth_is_wrong)
{
    for (int i = 0; functions[_i].wrong && i < 2 * DRAWS; i++) {
        source s = open_source(i % DRAWS, i < DRAWS ? NORMAL : UNIFORM, TG_F64);
        tg_tensor y = functions[_i].record(&s);
        tg_op wrong = *(right_op = functions[_i].wrong);
        int tried = 0;
        wrong.grad = wrong_grad;
        for (uint32_t j = 0; j < s.t->count; j++)
            if (s.t->nodes[j]->op == right_op) {
                s.t->nodes[j]->op = &wrong;
                tried++;
            }
        ck_assert_int_gt(tried, 0);
        want_said(y, i, "W", functions[_i].name, i < DRAWS ? NORMAL : UNIFORM);
        tg_tape_free(s.t);
    }
}
END_TEST

/* ---- what rounding leaves of exponentials, and kinks ---- */

/* Beside two others: up to 18 the Hessian in float64 is right to nine digits; from 40 on the others are lost beside 1.
 */
static tg_tensor three(tg_tape *t, double a) { return wanting(VECTOR(t, 0, 1, a)); }
static tg_tensor logsumexp(tg_tape *t, double a) { return tg_logsumexp(three(t, a), TG_ALL_DIMS, false); }
static tg_tensor softmax(tg_tape *t, double a) {
    return total(tg_mul(VECTOR(t, 0.3, -1, 2), tg_softmax(three(t, a), 0)));
}
static tg_tensor cross_entropy(tg_tape *t, double a) {
    tg_tensor one = tg_from_ints(t, TG_SHAPE(1), (int64_t[]){1});
    return tg_cross_entropy(tg_reshape(three(t, a), TG_SHAPE(1, 3)), one, TG_IGNORE_INDEX, TG_MEAN);
}

static tg_tensor confident(tg_tape *t, double factor) {
    tg_nn_linear m = tg_nn_linear_new(t, "m", 4, 3, true);
    tg_tensor y = tg_mul_scalar(tg_nn_linear_forward(&m, tg_randn(t, TG_SHAPE(6, 4))), factor);
    return tg_cross_entropy(y, tg_argmax(y, 1, false), TG_IGNORE_INDEX, TG_MEAN);
}

/* |-2 x^2| has the second derivative 4 at 0, where that of |x| is taken for 0. */
static tg_tensor touching(tg_tape *t, double x) {
    return tg_abs(tg_mul_scalar(tg_square(wanting(VECTOR(t, 2, -3, 0, x))), -2));
}

/* cos(-4e7): its waves are narrower than any path but the shortest, where cosines near 1 move by their last bits. */
static tg_tensor narrow_waves(tg_tape *t, double x) {
    tg_tensor a = wanting(MATRIX(t, 2, 3, -0.00100245, 1.19835e-8, x, -1265.64, 3.15797e-7, -3.80157e-5));
    tg_tensor z = tg_add(tg_cos(a), tg_amax(a, TG_DIMS(1), true)), squares = tg_sort(tg_square(z), 1, true, NULL);
    return tg_rdiv_scalar(1, tg_erf(tg_sub(z, squares)));
}

static const struct {
    const char *name;
    tg_tensor (*record)(tg_tape *t, double a);
    double right[6], hard[6]; /* ends with a 0 */
} numbers[] = {{"logsumexp", logsumexp, {5, 10, 14, 18}, {20, 40, 60, 80, 120}},
               {"softmax", softmax, {5, 10, 14, 18}, {20, 40, 60, 80, 120}},
               {"cross entropy", cross_entropy, {5, 10, 14, 18}, {20, 40, 60, 80, 120}},
               {"confident", confident, {1, 4, 16}, {64}},
               {"touching", touching, {0}, {1}},
               {"waves", narrow_waves, {0}, {-44690600}}};
enum { N_NUMBERS = sizeof numbers / sizeof *numbers };

static void want_number(int row, double a, int draw, const char *allowed) {
    tg_tape *t = seeded_tape(TG_F64, (uint64_t)draw);
    want_said(numbers[row].record(t, a), draw, allowed, numbers[row].name, a);
    tg_tape_free(t);
}

START_TEST(rounding_and_kinks_are_never_wrong)
{
    for (int draw = 0; draw < DRAWS; draw++) {
        for (int k = 0; numbers[_i].right[k] != 0; k++)
            want_number(_i, numbers[_i].right[k], draw, "R");
        for (int k = 0; numbers[_i].hard[k] != 0; k++)
            want_number(_i, numbers[_i].hard[k], draw, "RC");
    }
}
END_TEST

/* ---- custom operations, which only float64 computes ---- */

static double offset, grad_factor;

EACH(far, tanh(x - offset), dy *(1 - tanh(x - offset) * tanh(x - offset)))
EACH(coarse, (double)tanhf((float)x), dy *((double)(1 - tanhf((float)x) * tanhf((float)x))))
EACH(bend, x > 0 ? x * x : 0, dy *(x > 0 ? 2 * x : 0))
EACH(corner, fabs(x), dy *(x >= 0 ? 1 : -1))

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

/* Narrow functions far away, float inside, kinks that nobody declares. x = at + scale number, of each at and of kinds
 * from NORMAL on; grad is so many times the right one. */
static const struct {
    const tg_custom_op *op;
    tg_custom_grad grad;
    int kinds, n_at;
    double at[5], scale, factor;
    const char *allowed;
} customs[] = {
    {&far, tanh_grad, 1, 2, {1, 100}, 1, 1, "R"},      {&far, tanh_grad, 1, 5, {1e4, 1e6, 1e8, 1e10, 1e12}, 1, 1, "RC"},
    {&far, tanh_grad, 1, 1, {0}, 1, 1.001, "W"},       {&far, tanh_grad, 1, 1, {100}, 1, 1.001, "W"},
    {&coarse, tanh_grad, N_KINDS, 1, {0}, 1, 1, "RC"}, {&coarse, tanh_grad, N_KINDS, 1, {0}, 1e-3, 1, "RC"},
    {&bend, bend_grad, N_KINDS, 1, {0}, 1, 1, "RC"},   {&corner, corner_grad, N_KINDS, 1, {0}, 1, 1, "RC"},
};
enum { N_CUSTOMS = sizeof customs / sizeof *customs };

static void want_custom(int row, number_kind kind, double at, int draw) {
    source s = open_source(draw, kind, TG_F64);
    double values[4];
    offset = at;
    grad_factor = customs[row].factor;
    for (int i = 0; i < 4; i++)
        values[i] = at + customs[row].scale * number(&s);
    tg_tensor y = apply_to(customs[row].op, 0, 0, wanting(tg_from_doubles(s.t, TG_SHAPE(4), values)));
    ck_assert_int_eq(tg_custom_set_grad(y, customs[row].grad), TG_OK);
    want_said(y, draw, customs[row].allowed, customs[row].op->name, at);
    tg_tape_free(s.t);
}

START_TEST(verdicts_hold_for_custom_operations)
{
    for (int kind = 0; kind < customs[_i].kinds; kind++)
        for (int k = 0; k < customs[_i].n_at; k++)
            for (int draw = 0; draw < DRAWS; draw++)
                want_custom(_i, (number_kind)kind, customs[_i].at[k], draw);
}
END_TEST

/* ---- what rounding takes from a gradient smoothly ---- */

enum { GELU, LOG_SOFTMAX, TEXTBOOK_TANH, N_TAILS };

/* log_softmax and 1 - tanh^2 have nothing left where one probability, or tanh^2, is 1 but for its last bits. */
static tg_tensor tail(int form, tg_tensor z) {
    tg_tensor both[2] = {z, tg_mul_scalar(z, -0.3)}, y = TG_NULL;
    switch (form) {
    case GELU: return tg_gelu(z);
    case LOG_SOFTMAX: return tg_select(tg_log_softmax(tg_stack(both, 2, 1), 1), 1, 1);
    default:
        offset = 0;
        grad_factor = 1;
        y = apply_to(&far, 0, 0, z);
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
                tg_tensor x = wanting(VECTOR(t, -0.38, z)), b = wanting(VECTOR(t, beside[i / 2], 0.001));
                tg_tensor y = tg_mul_scalar(tail(form, tg_add(x, b)), factor[i % 2]);
                bool right = form == GELU && z > -15 && beside[i / 2] * factor[i % 2] < 1e12;
                want_said(total(tg_clamp(y, -1.1, 0.9)), i, right ? "R" : "RC", "tail", z);
                tg_tape_free(t);
            }
}
END_TEST

/* ---- what y does not need ---- */

CUSTOM_MAP(float, f32_forward, f32_vjp, x, dy)

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
    ck_assert(r.difference == 0 && r.adjoint == 0 && r.symmetry == 0);
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
    want_filled(tg_square(tg_checkpoint_end(t, tg_exp(x))),
                TG_ERR_STATE); /* the words of tg_gradients, and whose they are */
    ck_assert_msg(strstr(tg_error(t), "gradcheck_second (in float64): gradients: ") == tg_error(t), "%s", tg_error(t));
    tg_clear_error(t);
    ck_assert(tg_is_null(tg_add(x, tg_ones(t, TG_SHAPE(5)))));
    want_filled(y, TG_ERR_SHAPE);
    tg_tape_free(t);
}
END_TEST

int main(void) {
    TCase *c = tcase_create("second_wide");
    tcase_add_loop_test(c, right_functions_are_never_wrong, 0, N_FUNCTIONS);
    tcase_add_loop_test(c, a_grad_off_by_a_thousandth_is_wrong, 0, N_FUNCTIONS);
    tcase_add_loop_test(c, rounding_and_kinks_are_never_wrong, 0, N_NUMBERS);
    tcase_add_loop_test(c, verdicts_hold_for_custom_operations, 0, N_CUSTOMS);
    tcase_add_test(c, what_a_gradient_loses_in_a_tail_is_not_wrong);
    tcase_add_test(c, what_y_does_not_need_may_be_anything);
    tcase_add_test(c, an_unused_leaf_may_hold_anything);
    tcase_add_test(c, a_check_that_is_refused_fills_the_result);
    return run_suite("second_wide", c);
}
