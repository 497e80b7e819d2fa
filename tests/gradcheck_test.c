/* The gradient check itself: what is right passes, what is wrong does not, and the tape stays as it was. What it says
 * of every mistake in every operation is tests/faults.c. */
#include "nn/nn.h"
#include "tests/support.h"

static tg_gradcheck_result check_in(tg_tensor y, tg_gradcheck_mode mode, tg_status expected) {
    tg_gradcheck_config config = TG_GRADCHECK_DEFAULTS;
    tg_gradcheck_result r;
    config.mode = mode;
    tg_status status = tg_gradcheck(y, config, &r);
    ck_assert_msg(status == expected, "status %d, not %d: %s", status, expected, r.summary);
    return r;
}

static tg_gradcheck_result check(tg_tensor y, tg_status expected) { return check_in(y, TG_GRADCHECK_FULL, expected); }

static tg_tensor row_leaf(tg_tape *t, int64_t n, const double *values) {
    return tg_set_requires_grad(tg_from_doubles(t, TG_SHAPE(n), values), true);
}

/* ---- a right gradient ---- */

static tg_tensor attention(tg_tape *t) {
    tg_tensor x = tg_probe_leaf(t, TG_SHAPE(6, 3));
    tg_tensor W_query = tg_parameter(t, "W_query", tg_probe_leaf(t, TG_SHAPE(3, 2)));
    tg_tensor W_key = tg_parameter(t, "W_key", tg_probe_leaf(t, TG_SHAPE(3, 2)));
    tg_tensor W_value = tg_parameter(t, "W_value", tg_probe_leaf(t, TG_SHAPE(3, 2)));
    tg_tensor q = tg_matmul(x, W_query), k = tg_matmul(x, W_key), v = tg_matmul(x, W_value);
    tg_tensor scores = tg_mul_scalar(tg_matmul(q, tg_transpose(k, 0, 1)), 0.7071067811865476);
    return tg_matmul(tg_softmax(scores, -1), v);
}

static void right_in(tg_dtype dtype, tg_gradcheck_mode mode) {
    tg_tape *t = tg_tape_new(dtype);
    tg_gradcheck_result r = check_in(attention(t), mode, TG_OK);
    ck_assert_int_eq(r.verdict, TG_GRAD_RIGHT);
    ck_assert_int_eq(r.leaves, 4);
    ck_assert_int_eq(r.compared, mode == TG_GRADCHECK_FULL ? 36 : 3);
    ck_assert_double_lt(r.worst, 1e-8);
    ck_assert(r.op[0] == '\0' && r.mistake == TG_MISTAKE_NONE);
    tg_tape_free(t);
}

START_TEST(attention_is_right)
{
    right_in(TG_F64, TG_GRADCHECK_FULL);
    right_in(TG_F64, TG_GRADCHECK_FAST);
}
END_TEST

START_TEST(float32_is_checked_in_float64)
{
    right_in(TG_F32, TG_GRADCHECK_FULL);
    right_in(TG_F32, TG_GRADCHECK_FAST);
}
END_TEST

/* y = 992 whatever x is; in float32 that and 2^-11 times what is off, which is another within reach of `special`. The
 * bound A(1) (D + u 992) + 8 u S is 2^-11: A(1) = 8 + 1/4, D = 0, S = 1, u = 2^-24. */
typedef struct nearly {
    float special, off_there, off_elsewhere, reach;
} nearly;

static int nearly_f32(const tg_call *c) {
    const nearly *a = c->context;
    for (int64_t i = 0; i < c->output_shape->size[0]; i++) {
        float away = fabsf(((const float *)c->input[0])[i] - a->special);
        float off = away <= a->reach ? a->off_there : a->off_elsewhere;
        ((float *)c->output)[i] = 992 + off * 0x1p-11f;
    }
    return 0;
}
static int nearly_f64(const tg_call *c) {
    for (int64_t i = 0; i < c->output_shape->size[0]; i++)
        ((double *)c->output)[i] = 992;
    return 0;
}
static int no_slope(const tg_call *c) {
    (void)c;
    return 0;
}

static void want_of_nearly_to(float reach, double x, float off_there, float off_elsewhere, tg_grad_verdict verdict) {
    static const tg_custom_op op = {"nearly", nearly_f32, no_slope, nearly_f64, no_slope};
    tg_tape *t = tg_tape_new(TG_F32);
    tg_tensor leaf = row_leaf(t, 1, &x);
    nearly how = {(float)x, off_there, off_elsewhere, reach};
    tg_gradcheck_result r = check(tg_custom(&op, &leaf, 1, TG_SHAPE(1), &how, sizeof how),
                                  verdict >= TG_GRAD_CANNOT_TELL ? TG_ERR_NUMERIC : TG_OK);
    ck_assert_msg(r.verdict == verdict && (r.mistake == TG_MISTAKE_FLOAT32) == (verdict >= TG_GRAD_CANNOT_TELL),
                  "%g, %g: %s", (double)off_there, (double)off_elsewhere, r.summary);
    tg_tape_free(t);
}

static void want_of_nearly(double x, float off_there, float off_elsewhere, tg_grad_verdict verdict) {
    want_of_nearly_to(0, x, off_there, off_elsewhere, verdict);
}

/* Rounding inside a custom operation may make 16 times the bound. */
START_TEST(float32_may_be_off_by_its_bound)
{
    for (float sign = -1; sign <= 1; sign += 2) {
        want_of_nearly(0.5, sign, sign, TG_GRAD_RIGHT);
        want_of_nearly(0.5, 1.5f * sign, 1.5f * sign, TG_GRAD_CANNOT_TELL);
        want_of_nearly(0.5, 15 * sign, 15 * sign, TG_GRAD_CANNOT_TELL);
        want_of_nearly(0.5, 24 * sign, 24 * sign, TG_GRAD_WRONG);
        want_of_nearly(0.5, 1.5f * sign, sign, TG_GRAD_RIGHT);        /* not of its neighbours */
        want_of_nearly(0.5, 24 * sign, -24 * sign, TG_GRAD_WRONG);    /* those have it to the other side */
        want_of_nearly(0, 24 * sign, 0, TG_GRAD_WRONG);               /* 0 has none */
        want_of_nearly_to(1e-5f, 0.5, 9 * sign, sign, TG_GRAD_RIGHT); /* not of far ones, as what rounding does is */
        want_of_nearly_to(1e-5f, 0.5, 24 * sign, sign, TG_GRAD_CANNOT_TELL);
        want_of_nearly_to(1e-5f, 0.5, 176 * sign, sign, TG_GRAD_WRONG);
    }
}
END_TEST

/* y = 0, whose gradients are 0; in float32 that of the first operand is off by the context's number. Their bound is 8 u
 * 64 32 max(|dy|, 1) where the others are 64 and 32, and |dy| is 0.5 to 1.5. */
static int zero_f32(const tg_call *c) {
    *(float *)c->output = 0;
    return 0;
}
static int zero_f64(const tg_call *c) {
    *(double *)c->output = 0;
    return 0;
}
static int off_slope(const tg_call *c) {
    ((float *)c->input_grad[0])[0] += *(const float *)c->context;
    return 0;
}

START_TEST(float32_loses_what_a_custom_operation_may_multiply)
{
    static const tg_custom_op op = {"off", zero_f32, off_slope, zero_f64, no_slope};
    for (int wrong = 0; wrong < 2; wrong++) {
        tg_tape *t = tg_tape_new(TG_F32);
        float off = (wrong ? 1.6f : 0.9f) * 0x1p-10f;
        tg_tensor x[] = {row_leaf(t, 1, (double[]){2}), row_leaf(t, 1, (double[]){64}), row_leaf(t, 1, (double[]){32})};
        tg_gradcheck_result r =
            check(tg_custom(&op, x, 3, TG_SHAPE(1), &off, sizeof off), wrong ? TG_ERR_NUMERIC : TG_OK);
        ck_assert_msg(r.verdict == (wrong ? TG_GRAD_WRONG : TG_GRAD_RIGHT), "%s: %s", r.summary, r.diagnosis);
        tg_tape_free(t);
    }
}
END_TEST

/* d(x0 x1 + x0^2) = (x1 + 2 x0, x0) */
START_TEST(derivatives_of_a_scalar_are_its_own)
{
    tg_tape *t = tg_tape_new(TG_F64);
    tg_tensor x = row_leaf(t, 2, (double[]){3, 5}), x0 = tg_select(x, 0, 0), x1 = tg_select(x, 0, 1);
    tg_gradcheck_result r = check(tg_add(tg_mul(x0, x1), tg_square(x0)), TG_OK);
    ck_assert(r.scalar);
    ck_assert_int_eq(r.n_rows, 1);
    double expected = r.row[0].element == 0 ? 11 : 3;
    ck_assert_double_eq_tol(r.row[0].analytic, expected, 1e-12);
    ck_assert_double_eq_tol(r.row[0].numeric, expected, 1e-8);
    ck_assert_double_le(fabs(r.row[0].numeric - expected), r.row[0].error + 1e-12);
    tg_tape_free(t);
}
END_TEST

/* A gradient of 3e-8: PyTorch's tolerances would let anything pass. */
START_TEST(small_gradients_are_checked)
{
    tg_tape *t = tg_tape_new(TG_F64);
    tg_tensor x = row_leaf(t, 3, (double[]){1, -2, 3});
    tg_gradcheck_result r = check(tg_mul_scalar(tg_tanh(x), 3e-8), TG_OK);
    ck_assert_double_lt(r.worst, 1e-6);
    tg_tape_free(t);
}
END_TEST

/* ---- hard data ---- */

/* Next to a pole, and of sizes that no step suits at once. */
START_TEST(each_element_has_its_own_size)
{
    for (int mode = 0; mode < 2; mode++) {
        tg_tape *t = tg_tape_new(TG_F64);
        tg_tensor x = row_leaf(t, 6, (double[]){1.2, -0.7, 0.0004, 3e-7, -1e-8, 1e8});
        tg_gradcheck_result r = check_in(tg_rdiv_scalar(1, x), (tg_gradcheck_mode)mode, TG_OK);
        ck_assert_int_eq(r.verdict, TG_GRAD_RIGHT);
        check_in(tg_pow(tg_abs(x), -1.5), (tg_gradcheck_mode)mode, TG_OK);
        check_in(tg_log(tg_abs(x)), (tg_gradcheck_mode)mode, TG_OK);
        check_in(tg_div(row_leaf(t, 6, (double[]){1, 2, 3, 4, 5, 6}), x), (tg_gradcheck_mode)mode, TG_OK);
        tg_tape_free(t);
    }
}
END_TEST

static int bent_forward(const tg_call *c) {
    const double *x = c->input[0];
    for (int64_t i = 0; i < c->output_shape->size[0]; i++)
        ((double *)c->output)[i] = x[i] > 0 ? x[i] : 0;
    return 0;
}

static int bent_vjp(const tg_call *c) {
    const double *x = c->input[0], *dy = c->output_grad;
    for (int64_t i = 0; i < c->output_shape->size[0]; i++)
        ((double *)c->input_grad[0])[i] += x[i] > 0 ? dy[i] : 0;
    return 0;
}

/* In float, and its gradient times `factor`: the noise of the forward may hide nothing coarse and must invent nothing.
 */
static double coarse_factor;
static int coarse_forward(const tg_call *c) {
    const double *x = c->input[0];
    for (int64_t i = 0; i < c->output_shape->size[0]; i++)
        ((double *)c->output)[i] = (double)sinf((float)x[i]);
    return 0;
}

static int coarse_vjp(const tg_call *c) {
    const double *x = c->input[0], *dy = c->output_grad;
    for (int64_t i = 0; i < c->output_shape->size[0]; i++)
        ((double *)c->input_grad[0])[i] += coarse_factor * dy[i] * cos(x[i]);
    return 0;
}

static const tg_custom_op bent = {"bent", NULL, NULL, bent_forward, bent_vjp};
static const tg_custom_op coarse = {"coarse", NULL, NULL, coarse_forward, coarse_vjp};

START_TEST(custom_kinks_are_not_called_wrong)
{
    tg_tape *t = tg_tape_new(TG_F64);
    tg_tensor x = row_leaf(t, 5, (double[]){0, 1e-9, -1e-7, 0.3, -2});
    tg_gradcheck_result r;
    tg_status status = tg_gradcheck(tg_custom(&bent, &x, 1, TG_SHAPE(5), NULL, 0), TG_GRADCHECK_DEFAULTS, &r);
    ck_assert_msg(r.verdict != TG_GRAD_WRONG && r.wrong == 0, "%s", r.summary);
    ck_assert(status == TG_OK || status == TG_ERR_NUMERIC);
    ck_assert_int_le(r.kinks + r.cannot_tell, 1);
    tg_tape_free(t);
}
END_TEST

START_TEST(a_forward_in_float_has_its_own_noise)
{
    static const double factors[] = {1, 1.5, -1};
    for (int i = 0; i < 3; i++) {
        tg_tape *t = tg_tape_new(TG_F64);
        tg_tensor x = row_leaf(t, 4, (double[]){0.4, -1.1, 2.2, 0.7});
        coarse_factor = factors[i];
        check(tg_custom(&coarse, &x, 1, TG_SHAPE(4), NULL, 0), i == 0 ? TG_OK : TG_ERR_NUMERIC);
        tg_tape_free(t);
    }
}
END_TEST

/* ---- infinities made on purpose ---- */

static tg_tensor above_diagonal(tg_tape *t, int64_t n) { return tg_to_bool(tg_triu(tg_ones(t, TG_SHAPE(n, n)), 1)); }

static void want_right(tg_tensor y, int64_t compared) {
    for (int mode = 0; mode < 2; mode++) {
        tg_gradcheck_result r = check_in(y, (tg_gradcheck_mode)mode, TG_OK);
        ck_assert_msg(r.verdict == TG_GRAD_RIGHT, "%s", r.summary);
        if (mode == TG_GRADCHECK_FULL)
            ck_assert_int_eq(r.compared, compared);
    }
}

/* The notebooks' masks, in both dtypes. */
static void check_masked(tg_dtype dtype) {
    tg_tape *t = tg_tape_new(dtype);
    tg_tensor s = tg_probe_leaf(t, TG_SHAPE(4, 4)), mask = above_diagonal(t, 4);
    tg_tensor added = tg_masked_fill(tg_zeros(t, TG_SHAPE(4, 4)), mask, -INFINITY);
    want_right(tg_softmax(tg_masked_fill(s, mask, -INFINITY), -1), 16);
    want_right(tg_softmax(tg_add(s, added), -1), 16);
    want_right(tg_masked_fill(s, mask, -INFINITY), 16);
    want_right(tg_add(s, added), 16);
    tg_nn_causal_attention a = tg_nn_causal_attention_new(t, "a", 3, 2, 6, 0, false);
    tg_tensor x = tg_probe_leaf(t, TG_SHAPE(1, 4, 3)), weights;
    want_right(tg_nn_causal_attention_forward(&a, x, &weights), 12 + 18);
    want_right(weights, 12 + 12);
    tg_tape_free(t);
}

START_TEST(infinities_made_on_purpose_are_no_error)
{
    check_masked(TG_F64);
    check_masked(TG_F32);
}
END_TEST

/* ---- wrong ones ---- */

static const tg_op *right_op;
static double factor, change;

/* The VJP is linear in dy, so this is `factor` times the right one. */
static tg_status scaled_vjp(tg_node *y) {
    for (int64_t i = 0; i < y->numel; i++)
        ((double *)y->grad)[i] *= factor;
    factor += change;
    return right_op->vjp[TG_F64](y);
}

static tg_status overwriting_vjp(tg_node *y) {
    y->in[0]->gowner->has_grad = false;
    return right_op->vjp[TG_F64](y);
}

static tg_gradcheck_result with_vjp(tg_kernel *vjp, double by, double change_by, tg_gradcheck_mode mode) {
    tg_tape *t = tg_tape_new(TG_F32);
    tg_tensor y = attention(t);
    tg_op wrong = tg_op_softmax;
    wrong.vjp[TG_F64] = vjp;
    right_op = &tg_op_softmax;
    factor = by;
    change = change_by;
    for (uint32_t i = 0; i < t->count; i++)
        if (t->nodes[i]->op == &tg_op_softmax)
            t->nodes[i]->op = &wrong;
    tg_gradcheck_result r = check_in(y, mode, TG_ERR_NUMERIC);
    ck_assert_int_eq(r.verdict, TG_GRAD_WRONG);
    ck_assert_str_eq(r.op, "softmax");
    ck_assert_str_eq(r.shapes, "(6, 6) -> (6, 6)");
    ck_assert_str_eq(tg_error(t), r.summary);
    tg_tape_free(t);
    return r;
}

START_TEST(softmax_with_its_vjp_zero_flipped_and_slightly_wrong)
{
    for (int mode = 0; mode < 2; mode++) {
        ck_assert_int_eq(with_vjp(scaled_vjp, 0, 0, (tg_gradcheck_mode)mode).mistake, TG_MISTAKE_ZERO);
        ck_assert_int_eq(with_vjp(scaled_vjp, -1, 0, (tg_gradcheck_mode)mode).mistake, TG_MISTAKE_SIGN);
        tg_gradcheck_result r = with_vjp(scaled_vjp, 1.001, 0, (tg_gradcheck_mode)mode);
        ck_assert_int_eq(r.mistake, TG_MISTAKE_FACTOR);
        ck_assert_double_eq_tol(r.factor, 1.001, 1e-7);
    }
}
END_TEST

/* Both have a gradient of their own, added where their operand's lies; neither can be put on a tape alone. */
START_TEST(a_mistake_behind_retained_views_and_scopes_is_found)
{
    for (int which = 0; which < 2; which++) {
        tg_tape *t = tg_tape_new(TG_F64);
        tg_tensor x = tg_parameter(t, "W", tg_probe_leaf(t, TG_SHAPE(2, 3)));
        tg_checkpoint_begin(t);
        tg_tensor y = tg_checkpoint_end(t, tg_sin(tg_transpose(x, 0, 1)));
        y = which ? tg_transpose(y, 0, 1) : y;
        ck_assert_int_eq(tg_retain_grad(y), TG_OK);
        y = tg_exp(y);
        tg_op wrong = tg_op_exp;
        wrong.vjp[TG_F64] = scaled_vjp;
        right_op = &tg_op_exp;
        factor = 1.5;
        change = 0;
        t->nodes[y.index]->op = &wrong;
        tg_gradcheck_result r = check(y, TG_ERR_NUMERIC);
        ck_assert_str_eq(r.op, "exp");
        ck_assert_int_eq(r.mistake, TG_MISTAKE_FACTOR);
        tg_tape_free(t);
    }
}
END_TEST

/* Harmless here, where the scores are used once; not where they are used twice. */
/* y_i = x_i detach(x_i), half of whose gradients do not arrive. */
static int64_t evaluations_of_wrong(int leaves) {
    tg_tape *t = tg_tape_new(TG_F64);
    tg_tensor y[20];
    for (int i = 0; i < leaves; i++) {
        y[i] = row_leaf(t, 2, (double[]){1 + i, 1.5});
        y[i] = tg_mul(y[i], tg_detach(y[i]));
    }
    tg_gradcheck_result r = check_in(tg_cat(y, leaves, 0), TG_GRADCHECK_FAST, TG_ERR_NUMERIC);
    ck_assert(r.wrong == r.compared && r.leaves == leaves);
    tg_tape_free(t);
    return r.evaluations;
}

/* What has been called wrong with care needs no more of it: a difference of seven points. */
START_TEST(another_wrong_leaf_costs_one_difference)
{ ck_assert_int_le(evaluations_of_wrong(20) - evaluations_of_wrong(10), 10 * 7); }
END_TEST

START_TEST(overwriting_is_found_in_the_middle_of_a_graph)
{
    for (int mode = 0; mode < 2; mode++)
        ck_assert_int_eq(with_vjp(overwriting_vjp, 0, 0, (tg_gradcheck_mode)mode).mistake, TG_MISTAKE_OVERWRITE);
}
END_TEST

START_TEST(a_backward_that_differs_each_time)
{ ck_assert_int_eq(with_vjp(scaled_vjp, 1, 1e-9, TG_GRADCHECK_FULL).mistake, TG_MISTAKE_NONDETERMINISTIC); }
END_TEST

/* With PyTorch's rule alone a factor of 1.001 passes. */
START_TEST(without_strict_pytorchs_rule_decides)
{
    tg_tape *t = tg_tape_new(TG_F64);
    tg_tensor y = tg_exp(row_leaf(t, 2, (double[]){0.5, -0.5}));
    tg_node *n = t->nodes[t->count - 1];
    tg_op wrong = *n->op;
    tg_gradcheck_config config = TG_GRADCHECK_DEFAULTS;
    right_op = n->op;
    factor = 1.0009;
    change = 0;
    wrong.vjp[TG_F64] = scaled_vjp;
    n->op = &wrong;
    ck_assert_int_eq(tg_gradcheck(y, config, NULL), TG_OK);
    config.rtol = 1e-4;
    ck_assert_int_eq(tg_gradcheck(y, config, NULL), TG_ERR_NUMERIC);
    tg_tape_free(t);
}
END_TEST

START_TEST(a_detached_path_is_named)
{
    tg_tape *t = tg_tape_new(TG_F64);
    tg_tensor x = tg_parameter(t, "W", tg_probe_leaf(t, TG_SHAPE(3)));
    tg_gradcheck_result r = check(tg_mul(x, tg_detach(tg_exp(x))), TG_ERR_NUMERIC);
    ck_assert_str_eq(r.op, "detach");
    ck_assert_int_eq(r.mistake, TG_MISTAKE_ZERO);
    ck_assert_ptr_nonnull(strstr(r.diagnosis, "W stops here"));
    tg_tape_free(t);
}
END_TEST

/* ---- kinks ---- */

START_TEST(at_a_kink_a_gradient_between_the_sides_is_right)
{
    tg_tape *t = tg_tape_new(TG_F64);
    tg_gradcheck_result r = check(tg_relu(row_leaf(t, 3, (double[]){-1, 0, 2})), TG_OK);
    ck_assert_int_eq(r.compared, 3);
    r = check(tg_abs(row_leaf(t, 2, (double[]){0, 2})), TG_OK);
    ck_assert_int_eq(r.kinks, 1);
    r = check(tg_maximum(row_leaf(t, 2, (double[]){1, 2}), row_leaf(t, 2, (double[]){1, 0})), TG_OK);
    ck_assert_int_eq(r.kinks, 2);
    r = check(tg_amax(row_leaf(t, 4, (double[]){5, 1, 5, 5}), TG_ALL_DIMS, false), TG_OK);
    ck_assert_int_eq(r.kinks, 3);
    tg_tape_free(t);
}
END_TEST

START_TEST(near_a_kink_the_derivative_is_of_the_own_side)
{
    tg_tape *t = tg_tape_new(TG_F64);
    tg_tensor x = row_leaf(t, 6, (double[]){1e-7, -1e-7, 1e-9, -1e-9, 1e-5, -1e-4});
    check(tg_relu(x), TG_OK);
    check(tg_abs(x), TG_OK);
    check(tg_clamp(tg_add_scalar(x, 1), -1, 1), TG_OK);
    tg_tape_free(t);
}
END_TEST

/* Where several kinks meet, neither side bounds what is right. */
START_TEST(many_kinks_at_once)
{
    tg_tape *t = tg_tape_new(TG_F64);
    tg_tensor x = row_leaf(t, 1, (double[]){0}), w = tg_from_doubles(t, TG_SHAPE(4), (double[]){1, -2, 3, -4});
    tg_tensor y = tg_relu(tg_mul(x, w));
    tg_gradcheck_config config = TG_GRADCHECK_DEFAULTS;
    for (config.seed = 1; config.seed < 20; config.seed++)
        for (int mode = 0; mode < 2; mode++) {
            config.mode = (tg_gradcheck_mode)mode;
            ck_assert_msg(tg_gradcheck(y, config, NULL) == TG_OK, "%s", tg_error(t));
        }
    tg_tape_free(t);
}
END_TEST

/* maximum(x, amin(x)) is x itself, and smooth. At a tie of all n elements each operation shares what arrives in equal
 * parts: v[j] / 2 directly and (sum v / 2) / n through amin, which is no derivative of any side. */
START_TEST(nested_ties)
{
    tg_tape *t = tg_tape_new(TG_F64);
    tg_tensor x = row_leaf(t, 3, (double[]){2, 2, 2}), y = tg_maximum(x, tg_amin(x, TG_ALL_DIMS, true));
    ck_assert_int_eq(tg_backward_with(y, tg_from_doubles(t, TG_SHAPE(3), (double[]){12, 0, 0})), TG_OK);
    WANT_GRAD(x, 6 + 2, 2, 2);
    tg_tensor part = tg_maximum(x, tg_mul_scalar(tg_amin(x, TG_ALL_DIMS, true), 0.5));
    tg_tensor low = tg_minimum(x, tg_amax(x, TG_ALL_DIMS, true)), untied = row_leaf(t, 3, (double[]){2, 3, 2.5});
    tg_gradcheck_config config = TG_GRADCHECK_DEFAULTS;
    for (int mode = 0; mode < 2; mode++) {
        config.mode = (tg_gradcheck_mode)mode;
        tg_gradcheck_result r;
        ck_assert_msg(tg_gradcheck(y, config, &r) == TG_OK, "%s", tg_error(t));
        ck_assert_int_gt(r.kinks, 0);
        ck_assert_msg(tg_gradcheck(low, config, NULL) == TG_OK, "%s", tg_error(t));
        ck_assert_msg(tg_gradcheck(part, config, &r) == TG_OK, "%s", tg_error(t));
        ck_assert_msg(tg_gradcheck(tg_maximum(untied, tg_amin(untied, TG_ALL_DIMS, true)), config, NULL) == TG_OK, "%s",
                      tg_error(t));
    }
    tg_tape_free(t);
}
END_TEST

/* What a tie leaves open is asked again beside it, so that a mistake there still shows: here the gradient stops. */
START_TEST(a_mistake_at_nested_ties_is_found)
{
    tg_tape *t = tg_tape_new(TG_F64);
    tg_tensor x = row_leaf(t, 3, (double[]){2, 2, 2}), least = tg_amin(x, TG_ALL_DIMS, true);
    tg_tensor y = tg_maximum(tg_mul_scalar(x, 3), tg_mul_scalar(tg_detach(least), 3));
    for (int mode = 0; mode < 2; mode++) {
        tg_gradcheck_config config = TG_GRADCHECK_DEFAULTS;
        config.mode = (tg_gradcheck_mode)mode;
        ck_assert_int_eq(tg_gradcheck(y, config, NULL), TG_ERR_NUMERIC);
        tg_clear_error(t);
    }
    tg_tape_free(t);
}
END_TEST

/* The mask of a comparison is a branch as well. */
START_TEST(comparisons_are_branches)
{
    tg_tape *t = tg_tape_new(TG_F64);
    tg_tensor x = row_leaf(t, 4, (double[]){1e-8, 3, -1e-8, -2});
    tg_tensor zero = tg_zeros(t, TG_SHAPE(4));
    check(tg_where(tg_gt(x, zero), tg_mul_scalar(x, 5), tg_square(x)), TG_OK);
    tg_tape_free(t);
}
END_TEST

/* ---- the tape stays as it was ---- */

START_TEST(nothing_of_the_tape_changes)
{
    tg_tape *t = tg_tape_new(TG_F32);
    tg_tensor y = tg_dropout(attention(t), 0.4), W = tg_named(t, "W_key");
    double grad[6] = {1, 2, 3, 4, 5, 6}, data[6], after[6], out[12], out_after[12];
    ck_assert_int_eq(tg_write_grad(W, grad, 6), TG_OK);
    ck_assert_int_eq(tg_read_doubles(W, data, 6), TG_OK);
    ck_assert_int_eq(tg_read_doubles(y, out, 12), TG_OK);
    tg_rng_state rng = tg_get_rng_state(t);
    uint32_t count = t->count;
    size_t used = tg_tape_memory(t).used;
    check(y, TG_OK);
    check_in(y, TG_GRADCHECK_FAST, TG_OK);
    tg_rng_state rng_after = tg_get_rng_state(t);
    ck_assert_mem_eq(&rng, &rng_after, sizeof rng);
    ck_assert_uint_eq(t->count, count);
    ck_assert_uint_eq(tg_tape_memory(t).used, used);
    ck_assert_int_eq(tg_read_doubles(W, after, 6), TG_OK);
    ck_assert_mem_eq(data, after, sizeof data);
    ck_assert_int_eq(tg_read_doubles(y, out_after, 12), TG_OK);
    ck_assert_mem_eq(out, out_after, sizeof out);
    ck_assert_int_eq(tg_read_doubles(tg_grad(W), after, 6), TG_OK);
    ck_assert_mem_eq(grad, after, sizeof grad);
    tg_tape_free(t);
}
END_TEST

/* ---- progress and reports ---- */

static int64_t calls, last_done, last_total;
static void note_progress(int64_t done, int64_t total, void *context) {
    ck_assert_ptr_eq(context, &calls);
    ck_assert_int_eq(done, last_done + 1);
    calls++;
    last_done = done;
    last_total = total;
}

START_TEST(progress_counts_to_the_total)
{
    tg_tape *t = tg_tape_new(TG_F64);
    tg_gradcheck_config config = TG_GRADCHECK_DEFAULTS;
    config.progress = note_progress;
    config.context = &calls;
    ck_assert_int_eq(tg_gradcheck(attention(t), config, NULL), TG_OK);
    ck_assert_int_eq(calls, 36);
    ck_assert_int_eq(last_total, 36);
    tg_tape_free(t);
}
END_TEST

static void leave_an_error(int64_t done, int64_t total, void *context) {
    (void)!tg_reject(context, TG_ERR_STATE, "enough after %lld of %lld", (long long)done, (long long)total);
}

START_TEST(progress_may_leave_an_error)
{
    for (int mode = 0; mode < 2; mode++) {
        tg_tape *t = tg_tape_new(TG_F64);
        tg_gradcheck_config config = TG_GRADCHECK_DEFAULTS;
        tg_gradcheck_result r;
        config.mode = (tg_gradcheck_mode)mode;
        config.progress = leave_an_error;
        config.context = t;
        ck_assert_int_eq(tg_gradcheck(attention(t), config, &r), TG_ERR_STATE);
        ck_assert_int_eq(r.verdict, TG_GRAD_CANNOT_TELL);
        ck_assert_str_eq(r.summary, mode ? "enough after 1 of 3" : "enough after 1 of 36");
        ck_assert_str_eq(tg_error(t), r.summary);
        tg_tape_free(t);
    }
}
END_TEST

static void read_back(FILE *file, char *out, size_t size) {
    rewind(file);
    out[fread(out, 1, size - 1, file)] = '\0';
    fclose(file);
}

START_TEST(reports_say_where_and_what)
{
    static char text[1 << 16];
    tg_gradcheck_result r = with_vjp(scaled_vjp, -1, 0, TG_GRADCHECK_FULL);
    FILE *file = tmpfile();
    ck_assert_int_eq(tg_gradcheck_print(file, &r), TG_OK);
    read_back(file, text, sizeof text);
    ck_assert_ptr_nonnull(strstr(text, "gradient check: wrong"));
    ck_assert_ptr_nonnull(strstr(text, "W_query"));
    ck_assert_ptr_nonnull(strstr(text, "where: softmax, tensor"));
    ck_assert_ptr_nonnull(strstr(text, "the sign is flipped"));
    ck_assert_ptr_nonnull(strstr(text, "  wrong (6 of 6)")); /* W_query is 3 by 2 */
    file = tmpfile();
    ck_assert_int_eq(tg_gradcheck_print_json(file, &r), TG_OK);
    read_back(file, text, sizeof text);
    ck_assert_ptr_nonnull(strstr(text, "\"verdict\": \"wrong\""));
    ck_assert_ptr_nonnull(strstr(text, "\"op\": \"softmax\""));
    ck_assert_ptr_nonnull(strstr(text, "\"mistake\": \"sign flipped\""));
    ck_assert_int_eq(tg_gradcheck_print(NULL, &r), TG_ERR_ARGUMENT);
}
END_TEST

/* What a result may hold, whether a check makes it or not. */
START_TEST(a_report_says_all_that_a_result_holds)
{
    static char text[1 << 16];
    tg_gradcheck_result r = {.verdict = TG_GRAD_WRONG,
                             .op = "square",
                             .shapes = "(2,) -> (2,)",
                             .tensor = 3,
                             .wrong_ops = 2,
                             .worst = NAN,
                             .diagnosis = "a \"quote\", a \\ and a\ttab",
                             .n_lost = TG_GRADCHECK_LOST + 2};
    for (int i = 0; i < TG_GRADCHECK_LOST; i++)
        r.lost[i] = (tg_gradcheck_lost){.leaf = "w", .reason = "it was detached"};
    FILE *file = tmpfile();
    ck_assert_int_eq(tg_gradcheck_print(file, &r), TG_OK);
    read_back(file, text, sizeof text);
    ck_assert_ptr_nonnull(
        strstr(text, "where: square, tensor 3, (2,) -> (2,); its result; other operations are wrong"));
    ck_assert_ptr_nonnull(strstr(text, "no gradient for w: it was detached\nno gradient for 2 more\n"));
    r.n_lost = TG_GRADCHECK_LOST;
    file = tmpfile();
    ck_assert_int_eq(tg_gradcheck_print(file, &r), TG_OK);
    read_back(file, text, sizeof text);
    ck_assert(strstr(text, "no gradient for w: it was detached\n") && !strstr(text, "more"));
    file = tmpfile();
    ck_assert_int_eq(tg_gradcheck_print_json(file, &r), TG_OK);
    read_back(file, text, sizeof text);
    ck_assert_ptr_nonnull(strstr(text, "\"diagnosis\": \"a \\\"quote\\\", a \\\\ and a\\u0009tab\""));
    ck_assert_ptr_nonnull(strstr(text, "\"worst\": null"));
    ck_assert_int_eq(tg_gradcheck_print_json(NULL, &r), TG_ERR_ARGUMENT);
    ck_assert_int_eq(tg_gradcheck_print_json(stdout, NULL), TG_ERR_ARGUMENT);
    ck_assert_int_eq(tg_gradcheck_print(stdout, NULL), TG_ERR_ARGUMENT);
    if (!(file = fopen("/dev/full", "w")))
        return;
    ck_assert_int_eq(tg_gradcheck_print(file, &r), TG_ERR_IO);
    ck_assert_int_eq(tg_gradcheck_print_json(file, &r), TG_ERR_IO);
    fclose(file);
}
END_TEST

/* A line feed, an escape sequence and a mark that turns the text around are ?, as in errors. */
START_TEST(names_do_not_break_the_table)
{
    static char text[1 << 16];
    tg_tape *t = tg_tape_new(TG_F64);
    tg_gradcheck_result r;
    tg_tensor x = tg_parameter(t, "a\nb\x1b[31mc\xe2\x80\xae", wanting(VECTOR(t, 1, 2, 3)));
    ck_assert_int_eq(tg_gradcheck(tg_square(x), TG_GRADCHECK_DEFAULTS, &r), TG_OK);
    FILE *file = tmpfile();
    ck_assert_int_eq(tg_gradcheck_print(file, &r), TG_OK);
    read_back(file, text, sizeof text);
    ck_assert_ptr_nonnull(strstr(text, "\n  a?b?[31mc? "));
    ck_assert_str_eq(r.row[0].leaf, "a\nb\x1b[31mc\xe2\x80\xae");
    tg_tape_free(t);
}
END_TEST

/* Every row's verdict begins below the heading's, however long a name is. */
START_TEST(the_table_is_aligned)
{
    static char text[1 << 16];
    tg_tape *t = tg_tape_new(TG_F64);
    tg_gradcheck_result r;
    tg_tensor w = tg_parameter(t, "blocks.11.attention.W_query.weight", wanting(VECTOR(t, 1, 2, 3)));
    tg_tensor b = tg_parameter(t, "b", wanting(VECTOR(t, 4)));
    ck_assert_int_eq(tg_gradcheck(tg_mul(tg_square(w), b), TG_GRADCHECK_DEFAULTS, &r), TG_OK);
    FILE *file = tmpfile();
    ck_assert_int_eq(tg_gradcheck_print(file, &r), TG_OK);
    read_back(file, text, sizeof text);
    ck_assert_ptr_null(strstr(text, "digits ("));
    char *head = strstr(text, "  leaf"), *end;
    ck_assert_ptr_nonnull(head);
    ck_assert_int_eq(r.n_rows, 2);
    ptrdiff_t column = strstr(head, "verdict") - head;
    for (char *line = strchr(head, '\n') + 1; (end = strchr(line, '\n')) && line[2] != 'a'; line = end + 1)
        ck_assert_msg(strstr(line, "right") - line == column, "%.*s", (int)(end - line), line);
    tg_tape_free(t);
}
END_TEST

/* ---- bad input ---- */

static void refused(tg_tensor y, tg_gradcheck_config config, tg_status expected, const char *says) {
    tg_gradcheck_result r;
    ck_assert_int_eq(tg_gradcheck(y, config, &r), expected);
    ck_assert_msg(strstr(tg_error(y.tape), says) != NULL, "'%s' does not say '%s'", tg_error(y.tape), says);
    ck_assert_ptr_null(strchr(tg_error(y.tape), '\n'));
    ck_assert_msg(strstr(r.summary, says) != NULL, "'%s'", r.summary);
    tg_clear_error(y.tape);
}

static int identity_forward(const tg_call *c) {
    memcpy(c->output, c->input[0], sizeof(float));
    return 0;
}
static int identity_vjp(const tg_call *c) {
    *(float *)c->input_grad[0] += *(const float *)c->output_grad;
    return 0;
}

START_TEST(bad_input_gives_one_clear_line)
{
    static const tg_custom_op only_f32 = {"halfmade", identity_forward, identity_vjp, NULL, NULL};
    tg_tape *t = tg_tape_new(TG_F32);
    tg_gradcheck_config usual = TG_GRADCHECK_DEFAULTS, c = usual;
    tg_tensor x = row_leaf(t, 1, (double[]){2}), data = tg_from_doubles(t, TG_SHAPE(1), (double[]){0});
    ck_assert_int_eq(tg_gradcheck(TG_NULL, usual, NULL), TG_ERR_ARGUMENT);
    refused(tg_custom(&only_f32, &x, 1, TG_SHAPE(1), NULL, 0), usual, TG_ERR_ARGUMENT,
            "halfmade: this custom op has no forward callback for float64");
    refused(tg_exp(data), usual, TG_ERR_STATE, "requires no gradient");
    tg_tensor empty = tg_set_requires_grad(tg_zeros(t, TG_SHAPE(0, 4)), true);
    refused(tg_exp(empty), usual, TG_ERR_STATE, "(0, 4) has no elements");
    tg_tensor both = tg_cat((tg_tensor[]){tg_reshape(empty, TG_SHAPE(0)), x}, 2, 0);
    ck_assert_int_eq(tg_gradcheck(tg_exp(both), usual, NULL), TG_OK);
    refused(tg_div(x, data), usual, TG_ERR_NUMERIC, "is not finite");
    refused(tg_arange(t, 3), usual, TG_ERR_ARGUMENT, "must be floating");
    c.eps = 1e-20;
    refused(tg_exp(x), c, TG_ERR_ARGUMENT, "too small");
    c.eps = 10;
    refused(tg_exp(x), c, TG_ERR_ARGUMENT, "too large");
    c.eps = 0;
    refused(tg_exp(x), c, TG_ERR_ARGUMENT, "positive");
    c = usual;
    c.mode = TG_GRADCHECK_FAST;
    c.directions = 0;
    refused(tg_exp(x), c, TG_ERR_ARGUMENT, "directions");
    tg_mark mark = tg_tape_mark(t);
    tg_tensor gone = tg_exp(x);
    ck_assert_int_eq(tg_tape_rewind(t, mark), TG_OK);
    refused(gone, usual, TG_ERR_STALE, "stale");
    refused(tg_exp(tg_set_requires_grad(x, false)), usual, TG_ERR_STATE, "requires no gradient");
    tg_tape_free(t);
}
END_TEST

int main(void) {
    const TTest *const tests[] = {attention_is_right,
                                  float32_is_checked_in_float64,
                                  float32_may_be_off_by_its_bound,
                                  float32_loses_what_a_custom_operation_may_multiply,
                                  derivatives_of_a_scalar_are_its_own,
                                  small_gradients_are_checked,
                                  each_element_has_its_own_size,
                                  custom_kinks_are_not_called_wrong,
                                  a_forward_in_float_has_its_own_noise,
                                  infinities_made_on_purpose_are_no_error,
                                  softmax_with_its_vjp_zero_flipped_and_slightly_wrong,
                                  a_mistake_behind_retained_views_and_scopes_is_found,
                                  another_wrong_leaf_costs_one_difference,
                                  overwriting_is_found_in_the_middle_of_a_graph,
                                  a_backward_that_differs_each_time,
                                  without_strict_pytorchs_rule_decides,
                                  a_detached_path_is_named,
                                  at_a_kink_a_gradient_between_the_sides_is_right,
                                  near_a_kink_the_derivative_is_of_the_own_side,
                                  many_kinks_at_once,
                                  nested_ties,
                                  a_mistake_at_nested_ties_is_found,
                                  comparisons_are_branches,
                                  nothing_of_the_tape_changes,
                                  progress_counts_to_the_total,
                                  progress_may_leave_an_error,
                                  reports_say_where_and_what,
                                  a_report_says_all_that_a_result_holds,
                                  names_do_not_break_the_table,
                                  the_table_is_aligned,
                                  bad_input_gives_one_clear_line};
    return run_tests("gradcheck", tests, sizeof tests / sizeof *tests, NULL, NULL);
}
