/* What the gradient check asks beyond differences of the whole: the chain rule over differences of each operation,
 * the VJPs one by one, and why a gradient is not finite. And that its experiments know every operation. */
#include "tests/programs.h"
#include "tests/support.h"

#define X(name) extern const tg_op name;
#include "ops_list.h"
#undef X
static const tg_op *const ops[] = {
#define X(name) &name,
#include "ops_list.h"
#undef X
};
enum { N_OPS = sizeof ops / sizeof *ops };

static tg_gradcheck_result check_in(tg_tensor y, int mode) {
    tg_gradcheck_config config = TG_GRADCHECK_DEFAULTS;
    tg_gradcheck_result r;
    config.mode = (tg_gradcheck_mode)mode;
    (void)!tg_gradcheck(y, config, &r);
    return r;
}

static tg_tensor row_leaf(tg_tape *t, int64_t n, const double *values) {
    return tg_set_requires_grad(tg_from_doubles(t, TG_SHAPE(n), values), true);
}

/* (x + 10^19) - 10^19: a step of x is lost in the sum, also in long double. */
static tg_tensor drowned(tg_tape *t, tg_tensor x) {
    tg_tensor far = tg_full(t, TG_SHAPE(1), 1e19);
    return tg_sub(tg_add(x, far), far);
}

START_TEST(what_drowns_in_the_whole_is_seen_in_its_operations)
{
    for (int mode = 0; mode < 2; mode++) {
        tg_tape *t = tg_tape_new(TG_F64);
        tg_tensor x = row_leaf(t, 3, (double[]){0.5, -2, 3});
        tg_gradcheck_result r = check_in(drowned(t, x), mode);
        ck_assert_msg(r.verdict == TG_GRAD_RIGHT, "%s", r.summary);
        tg_tape_free(t);
    }
}
END_TEST

/* A scope's result is a copy: what is asked of each operation goes through it. */
START_TEST(scopes_are_looked_through)
{
    for (int mode = 0; mode < 2; mode++) {
        tg_tape *t = tg_tape_new(TG_F64);
        tg_tensor x = row_leaf(t, 3, (double[]){0.5, -2, 3}), small = row_leaf(t, 2, (double[]){1e-200, 2e-200});
        tg_checkpoint_begin(t);
        tg_gradcheck_result r = check_in(tg_checkpoint_end(t, drowned(t, x)), mode);
        ck_assert_msg(r.verdict == TG_GRAD_RIGHT, "%s", r.summary);
        tg_checkpoint_begin(t);
        tg_tensor y = tg_checkpoint_end(t, tg_mul_scalar(tg_mul_scalar(small, 1e200), 1e200));
        ck_assert_int_eq(tg_gradcheck(y, TG_GRADCHECK_DEFAULTS, NULL), TG_ERR_NUMERIC);
        WANT_ERROR(t, TG_ERR_NUMERIC, "is not finite: it overflows in that of mul_scalar");
        tg_tape_free(t);
    }
}
END_TEST

/* Also in custom operations, which have no long double: a right one, and one that is wrong by a thousandth. */
CUSTOM(wrong_cube, x *x *x, 3.003 * x * x)

START_TEST(what_drowns_behind_a_custom_operation_is_seen)
{
    for (int mode = 0; mode < 2; mode++)
        for (int wrong = 0; wrong < 2; wrong++) {
            tg_tape *t = tg_tape_new(TG_F64);
            tg_tensor x = row_leaf(t, 3, (double[]){0.5, -2, 3});
            tg_tensor y = tg_custom(wrong ? &wrong_cube : &my_cube, &x, 1, TG_SHAPE(3), NULL, 0);
            tg_gradcheck_result r = check_in(drowned(t, y), mode);
            ck_assert_msg((r.verdict == TG_GRAD_RIGHT) == !wrong, "%s", r.summary);
            tg_tape_free(t);
        }
}
END_TEST

/* There too a gradient that stops, or is wrong by a thousandth, is not right. */
static const tg_op *right_op;
static double wrong_factor = 1.001;
static tg_status slightly_wrong(tg_node *y) {
    double *dy = y->grad;
    for (int64_t i = 0; i < y->numel; i++)
        dy[i] *= wrong_factor;
    tg_status status = right_op->vjp[TG_F64](y);
    for (int64_t i = 0; i < y->numel; i++)
        dy[i] /= wrong_factor;
    return status;
}

START_TEST(what_is_wrong_there_is_not_called_right)
{
    for (int mode = 0; mode < 2; mode++) {
        tg_tape *t = tg_tape_new(TG_F64);
        tg_tensor x = row_leaf(t, 3, (double[]){0.5, -2, 3});
        tg_tensor y = drowned(t, tg_add(tg_mul_scalar(x, 2), tg_detach(x)));
        tg_gradcheck_result r = check_in(y, mode);
        ck_assert_msg(tg_gradcheck(y, TG_GRADCHECK_DEFAULTS, NULL) == TG_ERR_NUMERIC, "%s", r.summary);
        tg_clear_error(t);
        tg_tensor z = tg_square(x);
        tg_node *node = t->nodes[z.index];
        tg_op wrong = *node->op;
        wrong.vjp[TG_F64] = slightly_wrong;
        right_op = node->op;
        node->op = &wrong;
        r = check_in(drowned(t, z), mode);
        ck_assert_msg(r.verdict == TG_GRAD_WRONG || r.verdict == TG_GRAD_CANNOT_TELL, "%s", r.summary);
        tg_tape_free(t);
    }
}
END_TEST

/* 1e60 x - 1e60 x: what a leaf held before drowns in both, and is not overwritten for that. */
START_TEST(large_contributions_that_cancel_overwrite_nothing)
{
    tg_tape *t = tg_tape_new(TG_F64);
    tg_tensor x = row_leaf(t, 2, (double[]){1.5, -0.7});
    tg_tensor y = tg_sub(tg_mul_scalar(x, 1e60), tg_mul_scalar(x, 1e60));
    for (int mode = 0; mode < 2; mode++) {
        tg_gradcheck_result r = check_in(tg_add(y, tg_full(t, TG_SHAPE(1), 2)), mode);
        ck_assert_msg(r.verdict == TG_GRAD_RIGHT, "%s", r.summary);
    }
    tg_tape_free(t);
}
END_TEST

/* ---- a gradient that is not finite ---- */

static void refused(tg_tensor y, const char *says) {
    for (int mode = 0; mode < 2; mode++) {
        tg_gradcheck_config config = TG_GRADCHECK_DEFAULTS;
        config.mode = (tg_gradcheck_mode)mode;
        ck_assert_int_eq(tg_gradcheck(y, config, NULL), TG_ERR_NUMERIC);
        ck_assert_msg(strstr(tg_error(y.tape), says) != NULL, "'%s' does not say '%s'", tg_error(y.tape), says);
        tg_clear_error(y.tape);
    }
}

START_TEST(an_infinite_value_on_the_way_is_named)
{
    tg_tape *t = tg_tape_new(TG_F64);
    tg_tensor x = row_leaf(t, 2, (double[]){1, 1000});
    refused(tg_tanh(tg_exp(x)), "made by exp, is not: element 1 is inf");
    refused(tg_rdiv_scalar(1, tg_exp(x)), "made by exp");
    tg_tape_free(t);
}
END_TEST

START_TEST(an_infinite_slope_is_named)
{
    tg_tape *t = tg_tape_new(TG_F64);
    tg_tensor x = row_leaf(t, 3, (double[]){4, 0, 9});
    refused(tg_sqrt(x), "sqrt (tensor 1 (3,)) has an infinite slope there");
    refused(tg_mul_scalar(tg_sqrt(tg_abs(x)), 0), "has an infinite slope there");
    tg_tape_free(t);
}
END_TEST

/* Scores with a mask in them, all of them a leaf. */
START_TEST(an_infinite_element_of_a_leaf_does_not_move)
{
    tg_tape *t = tg_tape_new(TG_F64);
    tg_gradcheck_result r;
    tg_tensor x = row_leaf(t, 4, (double[]){1, -INFINITY, 0.5, -INFINITY});
    tg_tensor y = tg_softmax(x, 0);
    for (int mode = 0; mode < 2; mode++) {
        tg_gradcheck_config config = TG_GRADCHECK_DEFAULTS;
        config.mode = (tg_gradcheck_mode)mode;
        ck_assert_msg(tg_gradcheck(y, config, &r) == TG_OK, "%s", r.summary);
        ck_assert_int_eq(r.cannot_tell + r.kinks, 0);
    }
    tg_tape_free(t);
}
END_TEST

/* The gradient of 10^200 (10^200 x) is 10^400. Of 8 elements: an array of doubles ends where its memory does. */
START_TEST(an_overflow_on_the_way_is_named)
{
    memory m = {.refuse = -1};
    tg_tape *t = memory_tape(&m, TG_F64);
    tg_tensor x = wanting(tg_full(t, TG_SHAPE(8), 1e-300));
    refused(tg_mul_scalar(tg_mul_scalar(x, 1e200), 1e200), "it overflows in that of mul_scalar (tensor 1 (8,))");
    memory_free(&m);
}
END_TEST

static int times_forward(const tg_call *c) {
    for (int64_t i = 0; i < tg_shape_numel(c->output_shape); i++)
        ((double *)c->output)[i] = *(const double *)c->context * ((const double *)c->input[0])[i];
    return 0;
}
static int nan_vjp(const tg_call *c) {
    ((double *)c->input_grad[0])[1] += (double)NAN;
    return 0;
}

/* Where there is a derivative, a NaN is wrong. */
START_TEST(a_nan_in_a_vjp_is_wrong)
{
    static const tg_custom_op faulty = {"faulty", NULL, NULL, times_forward, nan_vjp};
    for (double slope = -3; slope <= 3; slope += 6) {
        tg_tape *t = tg_tape_new(TG_F64);
        tg_tensor x = row_leaf(t, 3, (double[]){4, 1, 9});
        tg_gradcheck_result r =
            check_in(tg_custom(&faulty, &x, 1, TG_SHAPE(3), &slope, sizeof slope), TG_GRADCHECK_FULL);
        ck_assert_msg(r.verdict == TG_GRAD_WRONG, "%s", r.summary);
        ck_assert_str_eq(r.op, "faulty");
        tg_tape_free(t);
    }
}
END_TEST

/* y = c x (1 - 10^-6 log |x|), whose slope at 0 grows without end, though slowly: there is no derivative, and none that
 * an infinite gradient would be wrong of. */
static int slow_forward(const tg_call *c) {
    double by = *(const double *)c->context, x = *(const double *)c->input[0];
    *(double *)c->output = x == 0 ? 0 : by * x * (1 - 1e-6 * log(fabs(x)));
    return 0;
}
static int slow_vjp(const tg_call *c) {
    double by = *(const double *)c->context, x = *(const double *)c->input[0];
    *(double *)c->input_grad[0] += *(const double *)c->output_grad * by * (1 - 1e-6 * (log(fabs(x)) + 1));
    return 0;
}

static int slow_branches(const tg_call *c, int64_t *branch) {
    (void)c;
    *branch = 0; /* no kink */
    return 0;
}

START_TEST(a_slope_that_grows_slowly_is_no_derivative)
{
    static const tg_custom_op slow = {"slow", NULL, NULL, slow_forward, slow_vjp};
    tg_gradcheck_config config = TG_GRADCHECK_DEFAULTS;
    tg_gradcheck_result r;
    config.rtol = config.atol = 1e-6;
    for (double by = -1; by <= 1; by += 2) {
        tg_tape *t = tg_tape_new(TG_F64);
        tg_tensor x = row_leaf(t, 1, (double[]){0});
        tg_tensor y = tg_custom(&slow, &x, 1, TG_SHAPE(1), &by, sizeof by);
        ck_assert_int_eq(tg_custom_set_branches(y, slow_branches), TG_OK);
        (void)!tg_gradcheck(y, config, &r);
        ck_assert_msg(r.verdict == TG_GRAD_CANNOT_TELL, "%s", r.summary);
        tg_tape_free(t);
    }
}
END_TEST

/* Far out the tanh in gelu_tanh is 1, or -1, and x^3 overflows. */
START_TEST(gelu_tanh_far_out_has_the_slope_of_relu)
{
    for (int dtype = TG_F32; dtype <= TG_F64; dtype++) {
        double far = dtype == TG_F32 ? 1e30 : 1e200, dx[2];
        tg_tape *t = tg_tape_new((tg_dtype)dtype);
        tg_tensor x = row_leaf(t, 2, (double[]){far, -far});
        ck_assert_int_eq(tg_backward(tg_sum(tg_gelu_tanh(x), TG_ALL_DIMS, false)), TG_OK);
        ck_assert_int_eq(tg_read_doubles(tg_grad(x), dx, 2), TG_OK);
        ck_assert(dx[0] == 1 && dx[1] == 0);
        tg_tape_free(t);
    }
}
END_TEST

/* ---- the experiments ---- */

/* Some step of the random programs has each operation. */
START_TEST(random_programs_have_every_operation)
{
    bool used[N_OPS] = {false};
    tg_rng_state g;
    tg_rng_seed(&g, 1);
    tg_tape *t = tg_tape_new(TG_F64);
    source s = {t, &g, RANDN, 3, 4};
    tg_tensor x = leaf_like(&s), b = leaf_like(&s);
    for (int i = 0; i < N_STEPS; i++)
        for (int again = 0; again < 4; again++)
            ck_assert_msg(tg_numel(apply_step(&s, i, x, b)) == 12, "step %d: %s", i, tg_error(t));
    for (uint32_t i = 0; i < t->count; i++)
        for (int k = 0; k < N_OPS; k++)
            used[k] |= t->nodes[i]->op == ops[k];
    for (int k = 0; k < N_OPS; k++)
        ck_assert_msg(used[k] || ops[k] == &tg_op_custom, "no step has %s", ops[k]->name);
    tg_tape_free(t);
}
END_TEST

/* What little a factor adds to a row of probabilities is no label smoothing. */
START_TEST(a_small_factor_is_not_label_smoothing)
{
    tg_tape *t = tg_tape_new(TG_F64);
    tg_tensor x = row_leaf(t, 4, (double[]){0.5, 0.6, 0.55, 0.65});
    tg_tensor y = tg_cross_entropy(x, tg_from_ints(t, TG_SCALAR, (int64_t[]){2}), TG_IGNORE_INDEX, TG_MEAN);
    tg_node *node = t->nodes[y.index];
    tg_op wrong = *node->op;
    wrong.vjp[TG_F64] = slightly_wrong;
    wrong_factor = 1.000005;
    right_op = node->op;
    node->op = &wrong;
    tg_gradcheck_result r = check_in(y, TG_GRADCHECK_FULL);
    ck_assert_msg(r.verdict == TG_GRAD_WRONG && r.mistake == TG_MISTAKE_FACTOR, "%s: %s", r.summary, r.diagnosis);
    wrong_factor = 1.001;
    tg_tape_free(t);
}
END_TEST

/* The smallest of three numbers, four copies of each: those that tie share dy. What a wrong VJP makes of that may lie
 * between the two sides of the ties, or show in one of the four alone. */
enum { TWICE, ONE_TWICE, ONE_LOST, ONE_NAN, N_TIED };
static int tied_mistake;

static tg_status tied_vjp(tg_node *y) {
    const double *dy = y->grad, *smallest = y->data;
    tg_node *x = y->in[0];
    double values[12], dx[12], ties = 0;
    tg_copy_out(x, x->data, x->stride, values);
    for (int i = 0; i < 12; i++)
        ties += values[i] == *smallest;
    for (int i = 0; i < 12; i++)
        dx[i] = values[i] == *smallest ? (tied_mistake == TWICE ? 2 : 1) * *dy / ties : 0;
    dx[6] *= tied_mistake == ONE_TWICE ? 2 : tied_mistake == ONE_LOST ? 0 : 1;
    dx[6] = tied_mistake == ONE_NAN ? NAN : dx[6];
    return tg_grad_add_values(x, dx);
}

START_TEST(a_mistake_where_elements_tie_is_wrong)
{
    for (tied_mistake = 0; tied_mistake <= N_TIED; tied_mistake++)
        for (uint64_t seed = 1; seed <= 8; seed++) {
            tg_tape *t = tg_tape_new(TG_F64);
            tg_gradcheck_config config = TG_GRADCHECK_DEFAULTS;
            tg_gradcheck_result r;
            config.seed = seed;
            tg_tensor x = row_leaf(t, 3, (double[]){0.5, -2, 3});
            x = tg_expand(tg_reshape(tg_square(tg_sub_scalar(x, -1.7)), TG_SHAPE(3, 1)), TG_SHAPE(3, 4));
            tg_tensor y = tg_square(tg_amin(x, TG_ALL_DIMS, false));
            tg_node *node = t->nodes[y.index]->in[0];
            tg_op wrong = *node->op;
            wrong.vjp[TG_F64] = tied_vjp;
            node->op = &wrong;
            (void)!tg_gradcheck(y, config, &r);
            bool right = tied_mistake == N_TIED;
            ck_assert_msg((r.verdict == TG_GRAD_WRONG) == !right && (r.verdict <= TG_GRAD_KINK) == right,
                          "%d, seed %d: %s", tied_mistake, (int)seed, r.summary);
            tg_tape_free(t);
        }
}
END_TEST

/* ---- what it costs ---- */

static int forwards; /* how many there were */

/* y_j = x_j^2 + x_j / (1 + sum x^2 / n), whose gradient is half as much again at one element */
static double sum_of_squares(const double *x, int64_t n) {
    double sum = 0;
    for (int64_t j = 0; j < n; j++)
        sum += x[j] * x[j];
    return 1 + sum / (double)n;
}

static int mixed_forward(const tg_call *c) {
    const double *x = c->input[0];
    int64_t n = tg_shape_numel(c->output_shape);
    double s = sum_of_squares(x, n);
    forwards++;
    for (int64_t j = 0; j < n; j++)
        ((double *)c->output)[j] = x[j] * x[j] + x[j] / s;
    return 0;
}

static int mixed_vjp(const tg_call *c) {
    const double *x = c->input[0], *dy = c->output_grad;
    int64_t n = tg_shape_numel(c->output_shape);
    double s = sum_of_squares(x, n), dot = 0;
    for (int64_t j = 0; j < n; j++)
        dot += dy[j] * x[j];
    for (int64_t j = 0; j < n; j++)
        ((double *)c->input_grad[0])[j] +=
            (j == n * 5 / 7 ? 1.5 : 1) * (2 * x[j] * dy[j] + dy[j] / s - 2 * x[j] * dot / (s * s * (double)n));
    return 0;
}

/* y = sum x^3, in which one gradient is doubled */
static int cubes_forward(const tg_call *c) {
    const double *x = c->input[0];
    double sum = 0;
    forwards++;
    for (int64_t j = 0; j < tg_shape_numel(c->input_shape); j++)
        sum += x[j] * x[j] * x[j];
    *(double *)c->output = sum;
    return 0;
}

static int cubes_vjp(const tg_call *c) {
    const double *x = c->input[0], *dy = c->output_grad;
    int64_t n = tg_shape_numel(c->input_shape);
    for (int64_t j = 0; j < n; j++)
        ((double *)c->input_grad[0])[j] += (j == n * 5 / 7 ? 2 : 1) * 3 * x[j] * x[j] * *dy;
    return 0;
}

/* An operation that is wrong alone needs no opinion on the whole, and one of its elements no other's column: what is
 * run for it is a few columns, and those that its name is sought with. */
START_TEST(a_wrong_operation_is_found_in_few_runs)
{
    static const tg_custom_op mixed = {"mixed", NULL, NULL, mixed_forward, mixed_vjp};
    static const tg_custom_op cubes = {"cubes", NULL, NULL, cubes_forward, cubes_vjp};
    for (int k = 0; k < 4; k++) {
        bool reduces = k / 2;
        int64_t n = reduces ? 6000 : 1500;
        tg_tape *t = tg_tape_new(TG_F64);
        tg_manual_seed(t, 5);
        tg_tensor x = tg_set_requires_grad(tg_randn(t, TG_SHAPE(n)), true);
        tg_tensor y = tg_custom(reduces ? &cubes : &mixed, &x, 1, TG_SHAPE(reduces ? 1 : n), NULL, 0);
        forwards = 0;
        tg_gradcheck_result r = check_in(total(y), k % 2);
        ck_assert_msg(r.verdict == TG_GRAD_WRONG, "%s", r.summary);
        ck_assert_str_eq(r.op, reduces ? "cubes" : "mixed");
        ck_assert_msg(forwards < (reduces ? 40000 : 25000), "%d runs", forwards);
        tg_tape_free(t);
    }
}
END_TEST

int main(void) {
    const TTest *const tests[] = {what_drowns_in_the_whole_is_seen_in_its_operations,
                                  what_drowns_behind_a_custom_operation_is_seen,
                                  scopes_are_looked_through,

                                  what_is_wrong_there_is_not_called_right,
                                  large_contributions_that_cancel_overwrite_nothing,
                                  an_infinite_value_on_the_way_is_named,
                                  an_infinite_slope_is_named,
                                  an_infinite_element_of_a_leaf_does_not_move,
                                  an_overflow_on_the_way_is_named,
                                  a_nan_in_a_vjp_is_wrong,
                                  a_slope_that_grows_slowly_is_no_derivative,
                                  gelu_tanh_far_out_has_the_slope_of_relu,
                                  a_mistake_where_elements_tie_is_wrong,
                                  a_small_factor_is_not_label_smoothing,
                                  a_wrong_operation_is_found_in_few_runs,
                                  random_programs_have_every_operation};
    return run_tests("gradcheck_chain", tests, sizeof tests / sizeof *tests, NULL, NULL);
}
