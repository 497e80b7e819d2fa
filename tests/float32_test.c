/* The gradient check on float32 kernels: those of the library are never accused, on any data; a mistake in one of them
 * alone is found and named. */
#include "nn/nn.h"
#include "tests/support.h"

#include <fenv.h>

static tg_gradcheck_result check_in(tg_tensor y, tg_gradcheck_mode mode) {
    tg_gradcheck_config config = TG_GRADCHECK_DEFAULTS;
    tg_gradcheck_result r;
    config.mode = mode;
    config.directions = 1;
    tg_status status = tg_gradcheck(y, config, &r);
    ck_assert_msg((status == TG_OK) == (r.verdict <= TG_GRAD_KINK), "status %d: %s", status, r.summary);
    if (status)
        tg_clear_error(y.tape);
    return r;
}

static tg_gradcheck_result check(tg_tensor y) { return check_in(y, TG_GRADCHECK_FAST); }

/* ---- data ---- */

static tg_rng_state rng;

static double uniform(void) { return tg_rng_double(&rng); }
static double normal(void) { return sqrt(-2 * log(1 - uniform())) * cos(6.283185307179586 * uniform()); }

typedef enum { PROBE, RANDN, WIDE, WHOLE, OFFSET, SMALL, N_DATA } data;

static double draw(data kind, double x) {
    double sign = x < 0 ? -1 : 1;
    switch (kind) {
    case RANDN: return normal();
    case WIDE: return sign * exp((uniform() - 0.5) * 36.84); /* 1e-8 to 1e8 */
    case WHOLE: return floor(uniform() * 9) - 4;
    case OFFSET: return sign * (1000 + normal());
    case SMALL: return sign * 1e-3 * fabs(normal());
    default: return x;
    }
}

static tg_tensor fill(tg_tensor leaf, data kind) {
    tg_node *x = leaf.tape->nodes[leaf.index];
    for (int64_t i = 0; i < x->numel; i++)
        ((float *)x->data)[i] = (float)draw(kind, (double)((float *)x->data)[i]);
    return leaf;
}

static tg_tensor leaf(tg_tape *t, tg_shape shape) { return fill(tg_probe_leaf(t, shape), RANDN); }

/* a + b randn */
static tg_tensor spread(tg_tape *t, tg_shape shape, double a, double b) {
    tg_tensor x = tg_probe_leaf(t, shape);
    float *p = t->nodes[x.index]->data;
    for (int64_t i = 0; i < tg_numel(x); i++)
        p[i] = (float)(a + b * normal());
    return x;
}

/* ---- right kernels ---- */

static const tg_op *const ops[] = {
#define X(name) &name,
#include "ops_list.h"
#undef X
};
enum { N_OPS = sizeof ops / sizeof *ops };

/* Whether there is such a probe. */
static bool probe_is_not_accused(const tg_op *op, int variant, data kind) {
    tg_tape *t = tg_tape_new(TG_F32);
    tg_manual_seed(t, (uint64_t)variant + 1);
    tg_tensor y = op->probe ? op->probe(t, variant) : TG_NULL;
    bool there = !tg_is_null(y);
    if (there && tg_requires_grad(y)) {
        for (uint32_t i = 0; i < t->count; i++)
            if (!t->nodes[i]->op && t->nodes[i]->requires_grad)
                fill(tg_handle(t->nodes[i]), kind);
        tg_gradcheck_result r = check(y);
        ck_assert_msg(r.verdict != TG_GRAD_WRONG, "%s probe %d, data %d: %s: %s", op->name, variant, kind, r.summary,
                      r.diagnosis);
        ck_assert_msg(r.mistake != TG_MISTAKE_FLOAT32 || kind == WIDE, "%s probe %d, data %d: %s", op->name, variant,
                      kind, r.diagnosis);
    }
    tg_tape_free(t);
    return there;
}

START_TEST(no_probe_is_accused)
{
    tg_rng_seed(&rng, 1);
    for (int op = 0; op < N_OPS; op++)
        for (int kind = 0; kind < N_DATA; kind++)
            for (int variant = 0; probe_is_not_accused(ops[op], variant, (data)kind); variant++)
                ;
}
END_TEST

static tg_tensor deep(tg_tape *t, int layers, double scale, tg_tensor (*f)(tg_tensor x)) {
    tg_tensor x = leaf(t, TG_SHAPE(10, 50));
    for (int i = 0; i < layers; i++)
        x = f(tg_matmul(x, spread(t, TG_SHAPE(50, 50), 0, scale)));
    return tg_mean(x, TG_ALL_DIMS, false);
}

static tg_tensor tanh_and_norm(tg_tensor x) { return tg_layer_norm(tg_tanh(x), TG_NULL, TG_NULL, 1e-5); }

/* y = 0.1 x + 0.2 x - 0.3 x, whose gradient is rounding alone */
static tg_tensor cancelling(tg_tape *t) {
    tg_tensor x = leaf(t, TG_SHAPE(500));
    return tg_sub(tg_add(tg_mul_scalar(x, 0.1), tg_mul_scalar(x, 0.2)), tg_mul_scalar(x, 0.3));
}

static tg_tensor shared_by_all(tg_tape *t, int64_t n) {
    tg_tensor bias = leaf(t, TG_SHAPE(3));
    return tg_mean(tg_add(spread(t, TG_SHAPE(n, 3), 0.1, 0), bias), TG_ALL_DIMS, false);
}

static tg_tensor attention(tg_tape *t, double size, bool causal) {
    tg_tensor q = spread(t, TG_SHAPE(2, 200, 16), 0, size), k = spread(t, TG_SHAPE(2, 200, 16), 0, size);
    return tg_scaled_dot_product_attention(q, k, leaf(t, TG_SHAPE(2, 200, 16)), TG_NULL, causal, 0, 0);
}

/* w x + b of numbers as large as each other: of all operands only they make it uncertain. */
static tg_tensor norm_minus_shift(tg_tape *t) {
    static const double xs[] = {-1, -4, -1, 3, -3, 1}, ws[] = {-4, 2}, bs[] = {3, 2};
    tg_tensor x = tg_set_requires_grad(tg_from_doubles(t, TG_SHAPE(3, 2), xs), true);
    return tg_layer_norm(x, tg_from_doubles(t, TG_SHAPE(2), ws), tg_from_doubles(t, TG_SHAPE(2), bs), 1e-5);
}

/* x / x, whose gradient is rounding, compared with x */
static tg_tensor itself_over_itself(tg_tape *t) {
    tg_tensor x = tg_tanh(leaf(t, TG_SHAPE(12)));
    return tg_mul(tg_maximum(x, tg_div(x, x)), leaf(t, TG_SHAPE(12)));
}

/* On the way back 1e6 comes to a gradient of 1e-3, and goes again. */
static tg_tensor itself_less_itself(tg_tape *t) {
    tg_tensor x = tg_tanh(leaf(t, TG_SHAPE(7))), nothing = tg_sub(x, x), small = tg_mul_scalar(x, 1e-3);
    return tg_add(small, tg_mul_scalar(nothing, 1e6));
}

/* Rows of one element are 1 or -1 whatever it is; before and after it numbers are compared. */
static tg_tensor signs(tg_tape *t) {
    static const double xs[] = {-0.347943336, 1.8636713, 0.210183203, 1.23487568};
    tg_tensor x = tg_set_requires_grad(tg_from_doubles(t, TG_SHAPE(4, 1), xs), true);
    x = tg_abs(tg_rms_norm(tg_elu(x, 0.7), tg_full(t, TG_SHAPE(1), 1.43832004), 1e-5));
    return tg_mean(tg_square(tg_bias_gelu(x, tg_full(t, TG_SHAPE(1), -1.2018739))), TG_ALL_DIMS, false);
}

/* The slope of gelu where 0 is what is left of larger numbers. */
static tg_tensor second_order(tg_tape *t) {
    tg_tensor x = spread(t, TG_SHAPE(40), -9, 1), dx;
    tg_tensor y = tg_sum(tg_square(tg_gelu(x)), TG_ALL_DIMS, false);
    return tg_gradients(y, TG_NULL, &x, 1, &dx) ? TG_NULL : tg_add(dx, x);
}

/* A row whose other elements are equal: what is normalised is the same whatever they are, but the mean is rounded. */
static tg_tensor nearly_constant_row(tg_tape *t) {
    static const double xs[] = {26.2289047, 26.2070312, 26.2070312, -3062.96973, -3062.92651, -3062.92651};
    static const double ws[] = {-0.0681034625, 0.516649663, -0.303364694};
    tg_tensor x = tg_set_requires_grad(tg_from_doubles(t, TG_SHAPE(2, 3), xs), true);
    return tg_layer_norm(x, tg_from_doubles(t, TG_SHAPE(3), ws), TG_NULL, 1e-5);
}

/* The slopes of the std of two numbers are 0.7 and -0.7, which cancel: not in float32. */
static tg_tensor slopes_that_cancel(tg_tape *t) {
    static const double xs[] = {-89.6207962, -1.92162679e-5};
    tg_tensor x = tg_cumsum(tg_set_requires_grad(tg_from_doubles(t, TG_SHAPE(1, 2), xs), true), 1);
    tg_tensor std = tg_add_scalar(tg_std(x, TG_DIMS(1), 1, true), 1), both[] = {tg_div(x, std), x};
    return tg_mean(tg_stack(both, 2, 1), TG_DIMS(1), false);
}

/* Scores far beyond the cap, where the slope of tanh is what is left of 1. */
static tg_tensor far_beyond_the_cap(tg_tape *t) {
    tg_tensor x[3];
    for (int i = 0; i < 3; i++)
        x[i] = spread(t, TG_SHAPE(30, 5, 4), 0, 6);
    tg_attention_config config = TG_ATTENTION_DEFAULTS;
    config.softcap = 8;
    return tg_scaled_dot_product_attention_with(x[0], x[1], x[2], config);
}

static tg_tensor hard_model(tg_tape *t, int number) {
    switch (number) {
    case 0: return attention(t, 1, true);
    case 1: return attention(t, 4, false);
    case 2: return tg_layer_norm(spread(t, TG_SHAPE(3, 5000), 100, 1), leaf(t, TG_SHAPE(5000)), TG_NULL, 1e-5);
    case 3: return tg_matmul(spread(t, TG_SHAPE(4, 20000), 0.1, 0), spread(t, TG_SHAPE(20000, 3), 0.1, 0));
    case 4: return tg_linear(spread(t, TG_SHAPE(2000, 33), 1, 0.01), spread(t, TG_SHAPE(17, 33), 1, 0.01), TG_NULL);
    case 5: return tg_sum(spread(t, TG_SHAPE(200000), 0.1, 0), TG_ALL_DIMS, false);
    case 6: return shared_by_all(t, 50000);
    case 7: return cancelling(t);
    case 8: return deep(t, 12, 0.3, tg_relu);
    case 9: return deep(t, 20, 0.1, tanh_and_norm);
    case 10: return tg_log_softmax(spread(t, TG_SHAPE(5, 3000), 0, 10), -1);
    case 11: return tg_var(spread(t, TG_SHAPE(4, 3000), 1000, 1), TG_DIMS(1), 1, false);
    case 12: return tg_gelu_tanh(spread(t, TG_SHAPE(20003), 0, 5));
    case 13: return tg_cumsum(leaf(t, TG_SHAPE(5000)), 0);
    case 14: return tg_dropout(tg_softmax(tg_exp(leaf(t, TG_SHAPE(40, 40))), -1), 0.3);
    case 15: return norm_minus_shift(t);
    case 16: return itself_over_itself(t);
    case 17: return signs(t);
    case 18: return second_order(t);
    case 19: return nearly_constant_row(t);
    case 20: return slopes_that_cancel(t);
    case 21: return far_beyond_the_cap(t);
    case 22: return itself_less_itself(t);
    default: return TG_NULL;
    }
}

START_TEST(no_hard_model_is_accused)
{
    for (int number = 0;; number++) {
        tg_tape *t = tg_tape_new(TG_F32);
        tg_rng_seed(&rng, (uint64_t)number + 1);
        tg_tensor y = hard_model(t, number);
        bool there = !tg_is_null(y);
        if (there) {
            tg_gradcheck_result r = check(y);
            ck_assert_msg(r.verdict <= TG_GRAD_KINK, "%d: %s: %s", number, r.summary, r.diagnosis);
            ck_assert(r.float32 > 0 && r.float32 <= 1);
        }
        WANT_OK(t);
        tg_tape_free(t);
        if (!there)
            break;
    }
}
END_TEST

START_TEST(a_float64_tape_has_no_float32_kernels)
{
    tg_tape *t = tg_tape_new(TG_F64);
    ck_assert_double_eq(check(tg_exp(tg_probe_leaf(t, TG_SHAPE(5)))).float32, 0);
    tg_tape_free(t);
}
END_TEST

/* ---- wrong ones ---- */

/* What is spoilt: the last element of operand's gradient, or (-1) of the result. */
static struct {
    const tg_op *right;
    int operand;
    bool adding; /* only where there is a gradient already */
} fault;

static float *last_of(const tg_node *x, void *elements, const int64_t *stride) {
    float *p = elements;
    for (int i = 0; i < x->ndim; i++)
        p += (x->size[i] - 1) * stride[i];
    return p;
}

static tg_status spoilt_vjp(tg_node *y) {
    const tg_node *x = fault.operand < 0 ? y : y->in[fault.operand];
    bool had = x->gowner->has_grad, spoil = fault.operand >= 0 && (had || !fault.adding);
    float before = had && spoil ? *last_of(x, tg_grad_elements(x), x->gstride) : 0;
    tg_status bad = fault.right->vjp[TG_F32](y);
    if (!bad && spoil) {
        float *last = last_of(x, tg_grad_elements(x), x->gstride);
        *last -= 0.3f * (*last - before);
    }
    return bad;
}

static tg_status spoilt_forward(tg_node *y) {
    tg_status bad = fault.right->forward[TG_F32](y);
    if (!bad && fault.operand < 0)
        *last_of(y, y->data, y->stride) *= 0.7f;
    return bad;
}

/* Put before and after the operation, whose gradient then has ordinary sizes. */
static void find_planted(tg_tape *t, tg_tensor y, const char *name, int operand, bool adding) {
    tg_node *n = t->nodes[y.index];
    while (strcmp(n->op->name, name) != 0)
        n = n->in[0];
    tg_op wrong = *n->op;
    fault.right = n->op;
    fault.operand = operand;
    fault.adding = adding;
    wrong.vjp[TG_F32] = spoilt_vjp;
    wrong.forward[TG_F32] = spoilt_forward;
    n->op = &wrong;
    for (int mode = 0; mode < 2; mode++) {
        if (mode == TG_GRADCHECK_FULL && tg_numel(y) > 1)
            continue;
        tg_gradcheck_result r = check_in(y, (tg_gradcheck_mode)mode);
        ck_assert_msg(r.verdict == TG_GRAD_WRONG && r.mistake == TG_MISTAKE_FLOAT32, "%s operand %d: %s", name, operand,
                      r.summary);
        ck_assert_str_eq(r.op, name);
        ck_assert_uint_eq(r.tensor, n->index);
        ck_assert_int_eq(r.operand, operand + 1);
        ck_assert_msg(r.float32 > 1 && strstr(r.diagnosis, "float32 only"), "%s", r.diagnosis);
    }
    n->op = fault.right;
}

/* Sizes that end in the middle of a vector, a block, a tile. */
static tg_tensor family(tg_tape *t, int number, const char **name) {
    tg_tensor none = TG_NULL, wide = leaf(t, TG_SHAPE(7, 131)), w = leaf(t, TG_SHAPE(131));
    static const int64_t ids[] = {3, 1, 4, 1, 5, 9, 2};
    tg_tensor targets = tg_from_ints(t, TG_SHAPE(7), ids);
    switch (number) {
    case 0: *name = "exp"; return tg_exp(leaf(t, TG_SHAPE(1003)));
    case 1: *name = "gelu"; return tg_gelu(leaf(t, TG_SHAPE(5, 203)));
    case 2: *name = "matmul"; return tg_matmul(leaf(t, TG_SHAPE(67, 131)), leaf(t, TG_SHAPE(131, 45)));
    case 3: *name = "linear"; return tg_linear(wide, leaf(t, TG_SHAPE(19, 131)), leaf(t, TG_SHAPE(19)));
    case 4: *name = "layer_norm"; return tg_layer_norm(wide, w, leaf(t, TG_SHAPE(131)), 1e-5);
    case 5: *name = "rms_norm"; return tg_rms_norm(wide, w, 1e-5);
    case 6: *name = "softmax"; return tg_softmax(wide, -1);
    case 7: *name = "log_softmax"; return tg_log_softmax(wide, -1);
    case 8: *name = "scaled_dot_product_attention"; return attention(t, 1, false);
    case 9: *name = "scaled_dot_product_attention"; return attention(t, 1, true);
    case 10:
        *name = "scaled_dot_product_attention";
        return tg_scaled_dot_product_attention(leaf(t, TG_SHAPE(3, 1, 8)), leaf(t, TG_SHAPE(3, 37, 8)),
                                               leaf(t, TG_SHAPE(3, 37, 5)), none, false, 0, 0);
    case 11: *name = "cross_entropy"; return tg_cross_entropy(wide, targets, -100, TG_MEAN);
    case 12: *name = "mul"; return tg_mul(wide, w);
    case 13: *name = "mean"; return tg_mean(wide, TG_DIMS(1), false);
    case 14: *name = "embedding"; return tg_embedding(leaf(t, TG_SHAPE(10, 33)), targets);
    case 15: *name = "silu"; return tg_silu(leaf(t, TG_SHAPE(77)));
    case 16: *name = "tanh"; return tg_tanh(leaf(t, TG_SHAPE(77)));
    case 17: *name = "matmul"; return tg_matmul(leaf(t, TG_SHAPE(3, 2)), leaf(t, TG_SHAPE(2, 3)));
    case 18: *name = "matmul"; return tg_matmul(leaf(t, TG_SHAPE(2, 33, 17)), leaf(t, TG_SHAPE(2, 17, 9)));
    case 19: *name = "cumsum"; return tg_cumsum(wide, 1);
    default: return none;
    }
}

START_TEST(a_fault_in_each_kernel_is_found_and_named)
{
    for (int number = 0, planted = 0;; number++) {
        tg_tape *t = tg_tape_new(TG_F32);
        const char *name = NULL;
        tg_rng_seed(&rng, (uint64_t)number + 1);
        tg_tensor y = family(t, number, &name);
        WANT_OK(t);
        const tg_node *n = tg_is_null(y) ? NULL : t->nodes[y.index];
        for (int k = -1; n && k < n->n_in; k++)
            if (k < 0 || (n->in[k] && tg_recorded(n)[k])) {
                find_planted(t, y, name, k, false);
                planted++;
            }
        for (int k = 0; n && k < n->n_in; k++)
            if (n->in[k] && tg_recorded(n)[k])
                find_planted(t, y, name, k, true);
        if (n)
            ck_assert_int_eq(check(y).verdict, TG_GRAD_RIGHT);
        tg_tape_free(t);
        if (!n) {
            ck_assert_int_gt(planted, 50);
            break;
        }
    }
}
END_TEST

/* In the middle of a model, in both modes. */
START_TEST(a_fault_in_a_model_is_named)
{
    tg_tape *t = tg_tape_new(TG_F32);
    tg_rng_seed(&rng, 5);
    tg_tensor x = leaf(t, TG_SHAPE(4, 9)), W = leaf(t, TG_SHAPE(9, 9));
    tg_tensor h = tg_gelu(tg_matmul(tg_layer_norm(x, TG_NULL, TG_NULL, 1e-5), W));
    tg_tensor y = tg_mean(tg_square(tg_softmax(h, -1)), TG_ALL_DIMS, false);
    find_planted(t, y, "gelu", 0, false);
    find_planted(t, y, "matmul", 1, false);
    find_planted(t, y, "layer_norm", 0, false);
    find_planted(t, y, "softmax", -1, false);
    ck_assert_int_eq(check(y).verdict, TG_GRAD_RIGHT);
    tg_tape_free(t);
}
END_TEST

/* ---- custom operations ---- */

/* y[i] = sum_j x[i][j]^2, added one after another. */
static float factor_f32, shift_f32;

static int squares_f32(const tg_call *c) {
    int64_t n = c->output_shape->size[0], m = c->input_shape[0].size[1];
    const float *x = c->input[0];
    for (int64_t i = 0; i < n; i++) {
        float sum = shift_f32;
        for (int64_t j = 0; j < m; j++)
            sum += x[i * m + j] * x[i * m + j];
        ((float *)c->output)[i] = sum;
    }
    return 0;
}

static int squares_vjp_f32(const tg_call *c) {
    int64_t n = c->output_shape->size[0], m = c->input_shape[0].size[1];
    const float *x = c->input[0], *dy = c->output_grad;
    for (int64_t i = 0; i < n * m; i++)
        ((float *)c->input_grad[0])[i] += (i == n * m - 1 ? factor_f32 : 2) * x[i] * dy[i / m];
    return 0;
}

static int squares_f64(const tg_call *c) {
    int64_t n = c->output_shape->size[0], m = c->input_shape[0].size[1];
    const double *x = c->input[0];
    for (int64_t i = 0; i < n; i++) {
        double sum = 0;
        for (int64_t j = 0; j < m; j++)
            sum += x[i * m + j] * x[i * m + j];
        ((double *)c->output)[i] = sum;
    }
    return 0;
}

static int squares_vjp_f64(const tg_call *c) {
    int64_t n = c->output_shape->size[0], m = c->input_shape[0].size[1];
    const double *x = c->input[0], *dy = c->output_grad;
    for (int64_t i = 0; i < n * m; i++)
        ((double *)c->input_grad[0])[i] += 2 * x[i] * dy[i / m];
    return 0;
}

static const tg_custom_op squares = {"squares", squares_f32, squares_vjp_f32, squares_f64, squares_vjp_f64};

static tg_gradcheck_result check_squares(tg_dtype dtype, int64_t m, double fill) {
    tg_tape *t = tg_tape_new(dtype);
    tg_tensor x = tg_set_requires_grad(tg_full(t, TG_SHAPE(2, m), fill), true);
    tg_gradcheck_result r = check(tg_custom(&squares, &x, 1, TG_SHAPE(2), NULL, 0));
    tg_tape_free(t);
    return r;
}

START_TEST(both_pairs_of_callbacks_are_compared)
{
    for (int dtype = 0; dtype < 2; dtype++) {
        factor_f32 = 2;
        shift_f32 = 0;
        ck_assert_int_eq(check_squares((tg_dtype)dtype, 100000, 0.1).verdict, TG_GRAD_RIGHT);
        ck_assert_int_eq(check_squares((tg_dtype)dtype, 3, 0.1).verdict, TG_GRAD_RIGHT);
        factor_f32 = -2;
        tg_gradcheck_result r = check_squares((tg_dtype)dtype, 30, 0.7);
        ck_assert_msg(r.verdict == TG_GRAD_WRONG && r.mistake == TG_MISTAKE_FLOAT32, "%s", r.summary);
        ck_assert_str_eq(r.op, "squares");
        ck_assert_int_eq(r.operand, 1);
        ck_assert_ptr_nonnull(strstr(r.diagnosis, "element 59 of the gradient of operand 1"));
        factor_f32 = 2;
        shift_f32 = 0.5f;
        r = check_squares((tg_dtype)dtype, 30, 0.7);
        ck_assert_msg(r.verdict == TG_GRAD_WRONG && r.operand == 0, "%s", r.summary);
        ck_assert_ptr_nonnull(strstr(r.summary, "its result"));
    }
}
END_TEST

/* y[i] = x[n[i]]^2, with whole numbers n as the first operand. */
#define PICKED(real, suffix, last)                                                             \
    static int picked_##suffix(const tg_call *c) {                                             \
        const int64_t *n = c->input[0];                                                        \
        const real *x = c->input[1];                                                           \
        for (int64_t i = 0; i < c->output_shape->size[0]; i++)                                 \
            ((real *)c->output)[i] = x[n[i]] * x[n[i]];                                        \
        return 0;                                                                              \
    }                                                                                          \
    static int picked_vjp_##suffix(const tg_call *c) {                                         \
        const int64_t *n = c->input[0], rows = c->output_shape->size[0];                       \
        const real *x = c->input[1], *dy = c->output_grad;                                     \
        for (int64_t i = 0; i < rows; i++)                                                     \
            ((real *)c->input_grad[1])[n[i]] += (i < rows - 1 ? 2 : (last)) * x[n[i]] * dy[i]; \
        return 0;                                                                              \
    }
PICKED(float, f32, factor_f32)
PICKED(double, f64, 2)

START_TEST(callbacks_that_are_given_whole_numbers_are_compared)
{
    static const tg_custom_op picked = {"picked", picked_f32, picked_vjp_f32, picked_f64, picked_vjp_f64};
    for (int wrong = 0; wrong < 2; wrong++) {
        tg_tape *t = tg_tape_new(TG_F32);
        tg_tensor n = tg_from_ints(t, TG_SHAPE(4), (int64_t[]){2, 0, 2, 1});
        tg_tensor x[] = {n, tg_exp(tg_probe_leaf(t, TG_SHAPE(3)))};
        factor_f32 = wrong ? -2 : 2;
        tg_gradcheck_result r = check(tg_custom(&picked, x, 2, TG_SHAPE(4), NULL, 0));
        ck_assert_msg(r.verdict == (wrong ? TG_GRAD_WRONG : TG_GRAD_RIGHT), "%s", r.summary);
        if (wrong)
            ck_assert_msg(!strcmp(r.op, "picked") && r.operand == 2 && r.mistake == TG_MISTAKE_FLOAT32, "%s",
                          r.summary);
        tg_tape_free(t);
    }
}
END_TEST

/* Of a float64 tape its float32 callbacks get floats, whatever its operand is a view of. */
START_TEST(a_custom_operation_on_a_view_is_not_accused)
{
    tg_tape *t = tg_tape_new(TG_F64);
    tg_tensor x = tg_tanh(tg_set_requires_grad(tg_full(t, TG_SHAPE(1, 3), 0.3), true));
    x = tg_slice(tg_expand(x, TG_SHAPE(2, 3)), 0, 0, 1, 1);
    factor_f32 = 2;
    shift_f32 = 0;
    tg_gradcheck_result r = check(tg_custom(&squares, &x, 1, TG_SHAPE(1), NULL, 0));
    ck_assert_msg(r.verdict == TG_GRAD_RIGHT, "%s: %s", r.summary, r.diagnosis);
    tg_tape_free(t);
}
END_TEST

/* What cancels inside: rms_norm of rows of one element, y = w x / sqrt(x^2 + eps), whose gradient in x is eps / (x^2 +
 * eps) of its terms; and softmax(q k^T) v of saturated rows, d = 2. */
#define CANCELLING(real, suffix, root, power)                                                                   \
    static int norm_##suffix(const tg_call *c) {                                                                \
        const real *x = c->input[0], w = *(const real *)c->input[1];                                            \
        for (int64_t i = 0; i < c->output_shape->size[0]; i++)                                                  \
            ((real *)c->output)[i] = x[i] / root(x[i] * x[i] + (real)1e-5) * w;                                 \
        return 0;                                                                                               \
    }                                                                                                           \
    static int norm_vjp_##suffix(const tg_call *c) {                                                            \
        const real *x = c->input[0], w = *(const real *)c->input[1], *dy = c->output_grad;                      \
        real *dx = c->input_grad[0], *dw = c->input_grad[1];                                                    \
        for (int64_t i = 0; i < c->output_shape->size[0]; i++) {                                                \
            real by = 1 / root(x[i] * x[i] + (real)1e-5);                                                       \
            dx[i] += by * (dy[i] * w - x[i] * by * by * (dy[i] * w * x[i]));                                    \
            *dw += dy[i] * x[i] * by;                                                                           \
        }                                                                                                       \
        return 0;                                                                                               \
    }                                                                                                           \
    static void weights_##suffix(const real *q, const real *k, real *p) {                                       \
        real s[ATTENDED], most = -INFINITY, sum = 0;                                                            \
        for (int j = 0; j < ATTENDED; j++) {                                                                    \
            s[j] = q[0] * k[2 * j] + q[1] * k[2 * j + 1];                                                       \
            most = s[j] > most ? s[j] : most;                                                                   \
        }                                                                                                       \
        for (int j = 0; j < ATTENDED; j++)                                                                      \
            sum += p[j] = power(s[j] - most);                                                                   \
        for (int j = 0; j < ATTENDED; j++)                                                                      \
            p[j] /= sum;                                                                                        \
    }                                                                                                           \
    static int attend_##suffix(const tg_call *c) {                                                              \
        const real *q = c->input[0], *k = c->input[1], *v = c->input[2];                                        \
        real p[ATTENDED], *y = c->output;                                                                       \
        for (int64_t i = 0; i < c->output_shape->size[0]; i++) {                                                \
            weights_##suffix(q + 2 * i, k, p);                                                                  \
            y[2 * i] = y[2 * i + 1] = 0;                                                                        \
            for (int j = 0; j < 2 * ATTENDED; j++)                                                              \
                y[2 * i + j % 2] += p[j / 2] * v[j];                                                            \
        }                                                                                                       \
        return 0;                                                                                               \
    }                                                                                                           \
    static int attend_vjp_##suffix(const tg_call *c) {                                                          \
        const real *q = c->input[0], *k = c->input[1], *v = c->input[2], *dy = c->output_grad;                  \
        real p[ATTENDED], dp[ATTENDED], *dq = c->input_grad[0], *dk = c->input_grad[1], *dv = c->input_grad[2]; \
        for (int64_t i = 0; i < c->output_shape->size[0]; i++, q += 2, dq += 2, dy += 2) {                      \
            real mean = 0;                                                                                      \
            weights_##suffix(q, k, p);                                                                          \
            for (int j = 0; j < ATTENDED; j++)                                                                  \
                mean += p[j] * (dp[j] = dy[0] * v[2 * j] + dy[1] * v[2 * j + 1]);                               \
            for (int j = 0; j < 2 * ATTENDED; j++) {                                                            \
                real ds = p[j / 2] * (dp[j / 2] - mean);                                                        \
                dq[j % 2] += ds * k[j];                                                                         \
                dk[j] += ds * q[j % 2];                                                                         \
                dv[j] += p[j / 2] * dy[j % 2];                                                                  \
            }                                                                                                   \
        }                                                                                                       \
        return 0;                                                                                               \
    }
enum { ATTENDED = 4 };
CANCELLING(float, f32, sqrtf, expf)
CANCELLING(double, f64, sqrt, exp)

static tg_tensor cancelling_inside(tg_tape *t, int number) {
    static const tg_custom_op norm = {"norm", norm_f32, norm_vjp_f32, norm_f64, norm_vjp_f64};
    static const tg_custom_op attend = {"attend", attend_f32, attend_vjp_f32, attend_f64, attend_vjp_f64};
    tg_tensor x[3] = {leaf(t, TG_SHAPE(64)), leaf(t, TG_SHAPE(1))};
    if (number % 2 == 0)
        return tg_custom(&norm, x, 2, TG_SHAPE(64), NULL, 0);
    for (int i = 0; i < 3; i++)
        x[i] = spread(t, TG_SHAPE(ATTENDED, 2), 30, 1);
    return tg_custom(&attend, x, 3, TG_SHAPE(ATTENDED, 2), NULL, 0);
}

START_TEST(custom_operations_that_cancel_inside_are_not_accused)
{
    tg_rng_seed(&rng, 1);
    for (int number = 0; number < 120; number++) {
        tg_tape *t = tg_tape_new(TG_F32);
        tg_gradcheck_result r = check(cancelling_inside(t, number));
        ck_assert_msg(r.verdict != TG_GRAD_WRONG, "%d: %s: %s", number, r.summary, r.diagnosis);
        tg_tape_free(t);
    }
}
END_TEST

/* What float loses inside, and the same for all neighbours: the power 100 of a constant; a time that adds up 0.1; terms
 * of a Fourier sum that cancel. spoilt_f32: the gradient is so many times as large. */
enum { N_LOSING = 60 };
static float spoilt_f32;
#define EACH for (int i = 0; i < N_LOSING; i++)
#define LOSING(real, suffix, sin, cos, tanh, pow, by)                                           \
    static int power_##suffix(const tg_call *c) {                                               \
        const real *x = c->input[0];                                                            \
        EACH((real *)c->output)[i] = pow((real)1.01 + (real)0.001 * tanh(x[i]), (real)100);     \
        return 0;                                                                               \
    }                                                                                           \
    static int power_vjp_##suffix(const tg_call *c) {                                           \
        const real *x = c->input[0], *dy = c->output_grad;                                      \
        EACH {                                                                                  \
            real h = tanh(x[i]), p = pow((real)1.01 + (real)0.001 * h, (real)99);               \
            ((real *)c->input_grad[0])[i] += (by)*dy[i] * 100 * p * (real)0.001 * (1 - h * h);  \
        }                                                                                       \
        return 0;                                                                               \
    }                                                                                           \
    static void time_##suffix(const real *x, real *y, real factor) {                            \
        real t = 0;                                                                             \
        EACH {                                                                                  \
            y[i] += factor * x[i] * sin(t);                                                     \
            t += (real)0.1;                                                                     \
        }                                                                                       \
    }                                                                                           \
    static void waves_##suffix(const real *x, real *y, real factor) {                           \
        EACH {                                                                                  \
            real sum = 0;                                                                       \
            for (int j = 0; j < N_LOSING; j++)                                                  \
                sum += x[j] * cos(2 * (real)3.14159265358979323846 * (real)(i * j) / N_LOSING); \
            y[i] += factor * sum;                                                               \
        }                                                                                       \
    }                                                                                           \
    LINEAR(real, suffix, time, by)                                                              \
    LINEAR(real, suffix, waves, by)
/* Their matrices are symmetric. */
#define LINEAR(real, suffix, name, by)                                 \
    static int name##_forward_##suffix(const tg_call *c) {             \
        memset(c->output, 0, N_LOSING * sizeof(real));                 \
        name##_##suffix(c->input[0], c->output, 1);                    \
        return 0;                                                      \
    }                                                                  \
    static int name##_vjp_##suffix(const tg_call *c) {                 \
        name##_##suffix(c->output_grad, c->input_grad[0], (real)(by)); \
        return 0;                                                      \
    }
LOSING(float, f32, sinf, cosf, tanhf, powf, spoilt_f32)
LOSING(double, f64, sin, cos, tanh, pow, 1)

static const tg_custom_op losing[] = {
    {"power", power_f32, power_vjp_f32, power_f64, power_vjp_f64},
    {"time", time_forward_f32, time_vjp_f32, time_forward_f64, time_vjp_f64},
    {"waves", waves_forward_f32, waves_vjp_f32, waves_forward_f64, waves_vjp_f64},
};
enum { N_LOSSES = sizeof losing / sizeof *losing };

static tg_gradcheck_result check_losing(tg_dtype dtype, const tg_custom_op *op, float spoilt) {
    tg_tape *t = tg_tape_new(dtype);
    spoilt_f32 = spoilt;
    tg_tensor x = tg_set_requires_grad(tg_randn(t, TG_SHAPE(N_LOSING)), true);
    tg_gradcheck_result r = check(tg_custom(op, &x, 1, TG_SHAPE(N_LOSING), NULL, 0));
    tg_tape_free(t);
    return r;
}

/* Valgrind always rounds to nearest. */
static bool can_round_up(void) {
    volatile float one = 1, little = 1e-9f;
    int was = fegetround();
    fesetround(FE_UPWARD);
    bool up = one + little > 1;
    fesetround(was);
    return up;
}

START_TEST(custom_operations_that_lose_digits_are_not_accused)
{
    bool all_right = can_round_up();
    for (int i = 0; i < 2 * N_LOSSES; i++) {
        tg_gradcheck_result r = check_losing((tg_dtype)(i % 2), &losing[i / 2], 1);
        ck_assert_msg(r.verdict == TG_GRAD_RIGHT || (!all_right && r.verdict == TG_GRAD_CANNOT_TELL), "%d: %s: %s", i,
                      r.summary, r.diagnosis);
        static const float wrong[] = {-1, 2, 1.01f};
        for (int k = 0; k < 3; k++) {
            r = check_losing((tg_dtype)(i % 2), &losing[i / 2], wrong[k]);
            ck_assert_msg(r.verdict == TG_GRAD_WRONG && r.mistake == TG_MISTAKE_FLOAT32, "%d, %d: %s: %s", i, k,
                          r.summary, r.diagnosis);
        }
        ck_assert_int_gt(check_losing((tg_dtype)(i % 2), &losing[i / 2], 1.001f).verdict, TG_GRAD_KINK);
    }
}
END_TEST

/* The whole in both modes; x: 8 numbers. */
static tg_gradcheck_result check_custom(const tg_custom_op *op, int i, const double *numbers) {
    tg_tape *t = tg_tape_new(i % 2 ? TG_F64 : TG_F32);
    tg_tensor x = tg_set_requires_grad(tg_from_doubles(t, TG_SHAPE(8), numbers), true);
    tg_gradcheck_result r = check_in(tg_custom(op, &x, 1, TG_SHAPE(8), NULL, 0), (tg_gradcheck_mode)(i / 2 % 2));
    tg_tape_free(t);
    return r;
}

/* tanh by a table, linear between its entries. Each is rounded by up to u/2 (below 1), and a slope, the difference of
 * two of them times the number of cells in 1, is away by up to so many times u. */
enum { TABLE_END = 8, TABLE_CELLS = 1024 };
static int table_cells;
#define TABLE(real, suffix, by)                                                                   \
    static real table_##suffix[2 * TABLE_END * TABLE_CELLS + 1];                                  \
    static real cell_##suffix(real x, const real **entry) {                                       \
        real place = (x + TABLE_END) * (real)table_cells;                                         \
        int cell = (int)fmax(0, fmin((double)place, 2 * TABLE_END * table_cells - 1));            \
        *entry = &table_##suffix[cell];                                                           \
        return place - (real)cell;                                                                \
    }                                                                                             \
    static int look_up_##suffix(const tg_call *c) {                                               \
        for (int64_t j = 0; j < 8; j++) {                                                         \
            const real *entry, along = cell_##suffix(((const real *)c->input[0])[j], &entry);     \
            ((real *)c->output)[j] = entry[0] + along * (entry[1] - entry[0]);                    \
        }                                                                                         \
        return 0;                                                                                 \
    }                                                                                             \
    static int look_up_vjp_##suffix(const tg_call *c) {                                           \
        for (int64_t j = 0; j < 8; j++) {                                                         \
            const real *entry, dy = ((const real *)c->output_grad)[j];                            \
            (void)cell_##suffix(((const real *)c->input[0])[j], &entry);                          \
            ((real *)c->input_grad[0])[j] += (by)*dy * (real)table_cells * (entry[1] - entry[0]); \
        }                                                                                         \
        return 0;                                                                                 \
    }
TABLE(float, f32, spoilt_f32)
TABLE(double, f64, 1)

static void fill_table(int cells) {
    table_cells = cells;
    for (int k = 0; k <= 2 * TABLE_END * cells; k++)
        table_f32[k] = (float)(table_f64[k] = tanh((double)k / cells - TABLE_END));
}

START_TEST(tables_are_not_accused)
{
    static const tg_custom_op op = {"table", look_up_f32, look_up_vjp_f32, look_up_f64, look_up_vjp_f64};
    static const float times[] = {1, 1.001f, -1};
    tg_rng_seed(&rng, 1);
    for (int i = 0; i < 4 * 3 * 10; i++) {
        double x[8];
        fill_table(64 << 2 * (i / 4 % 3));
        for (int j = 0; j < 8; j++)
            x[j] = (i & 8 ? 0.01 : 1) * normal();
        for (int k = 0; k < 3; k++) {
            spoilt_f32 = times[k];
            tg_gradcheck_result r = check_custom(&op, i, x);
            ck_assert_msg((r.verdict == TG_GRAD_WRONG) == (k > 0), "%d, %d: %s: %s", i, k, r.summary, r.diagnosis);
        }
    }
}
END_TEST

/* y = x^2 / 2; the float32 gradient has 8 bits. */
#define HALF_SQUARE(real, suffix, kept)                                                                   \
    static int half_square_##suffix(const tg_call *c) {                                                   \
        for (int64_t j = 0; j < 8; j++)                                                                   \
            ((real *)c->output)[j] = ((const real *)c->input[0])[j] * ((const real *)c->input[0])[j] / 2; \
        return 0;                                                                                         \
    }                                                                                                     \
    static int half_square_vjp_##suffix(const tg_call *c) {                                               \
        for (int64_t j = 0; j < 8; j++) {                                                                 \
            real dx = ((const real *)c->output_grad)[j] * ((const real *)c->input[0])[j];                 \
            ((real *)c->input_grad[0])[j] += (real)(kept);                                                \
        }                                                                                                 \
        return 0;                                                                                         \
    }
HALF_SQUARE(float, f32, ldexp(round(ldexp((double)dx, 8 - ilogb((double)dx))), ilogb((double)dx) - 8))
HALF_SQUARE(double, f64, dx)

/* It is to this side and to that, as the entries of a table are, and little beside the largest result. */
START_TEST(what_is_rounded_to_few_bits_is_no_table)
{
    static const tg_custom_op op = {"half_square", half_square_f32, half_square_vjp_f32, half_square_f64,
                                    half_square_vjp_f64};
    tg_rng_seed(&rng, 1);
    for (int i = 0; i < 20; i++) {
        double x[8];
        for (int j = 0; j < 8; j++)
            x[j] = 100 * normal();
        tg_gradcheck_result r = check_custom(&op, i, x);
        ck_assert_msg(r.verdict == TG_GRAD_WRONG && r.mistake == TG_MISTAKE_FLOAT32, "%d: %s: %s", i, r.summary,
                      r.diagnosis);
    }
}
END_TEST

/* Of y = sum x^2, in float32 alone: a sum over all calls, x of the first call, and |dy|. */
enum { ALL_CALLS, FIRST_X, SIZE_OF_DY, N_KEPT };
static struct {
    int kind, calls;
    float sum[3], x[3];
} kept;

static int kept_vjp_f32(const tg_call *c) {
    const float *x = c->input[0], dy = *(const float *)c->output_grad;
    if (!kept.calls++)
        memcpy(kept.x, x, sizeof kept.x);
    for (int j = 0; j < 3; j++) {
        float dx = 2 * (kept.kind == FIRST_X ? kept.x : x)[j] * (kept.kind == SIZE_OF_DY ? fabsf(dy) : dy);
        kept.sum[j] += dx;
        ((float *)c->input_grad[0])[j] += kept.kind == ALL_CALLS ? kept.sum[j] : dx;
    }
    return 0;
}

START_TEST(what_is_kept_from_an_earlier_call_shows)
{
    static const tg_custom_op op = {"kept", squares_f32, kept_vjp_f32, squares_f64, squares_vjp_f64};
    shift_f32 = 0;
    for (int i = 0; i < 2 * 10 * N_KEPT; i++) {
        tg_tape *t = tg_tape_new(i % 2 ? TG_F64 : TG_F32);
        tg_manual_seed(t, (uint64_t)i);
        memset(&kept, 0, sizeof kept);
        kept.kind = i / 2 % N_KEPT;
        tg_tensor x = tg_set_requires_grad(tg_randn(t, TG_SHAPE(1, 3)), true);
        tg_gradcheck_result r = check(tg_custom(&op, &x, 1, TG_SHAPE(1), NULL, 0));
        ck_assert_msg(r.verdict == TG_GRAD_WRONG && r.mistake == TG_MISTAKE_FLOAT32, "%d: %s", i, r.summary);
        tg_tape_free(t);
    }
}
END_TEST

/* y = 0.9 (b - a), or 0.1 (a - b) where a is not below b: the gradient of b is spoilt_f32 times as large on both sides.
 */
#define PINBALL(real, suffix, by)                                            \
    static int pinball_##suffix(const tg_call *c) {                          \
        const real *a = c->input[0], *b = c->input[1];                       \
        for (int64_t j = 0; j < 8; j++) {                                    \
            real d = b[j] - a[j];                                            \
            ((real *)c->output)[j] = (d > 0 ? (real)0.9 : -(real)0.1) * d;   \
        }                                                                    \
        return 0;                                                            \
    }                                                                        \
    static int pinball_vjp_##suffix(const tg_call *c) {                      \
        const real *a = c->input[0], *b = c->input[1], *dy = c->output_grad; \
        for (int64_t j = 0; j < 8; j++) {                                    \
            real slope = (b[j] - a[j] > 0 ? (real)0.9 : -(real)0.1) * dy[j]; \
            if (c->input_grad[0])                                            \
                ((real *)c->input_grad[0])[j] -= slope;                      \
            if (c->input_grad[1])                                            \
                ((real *)c->input_grad[1])[j] += (by)*slope;                 \
        }                                                                    \
        return 0;                                                            \
    }
PINBALL(float, f32, spoilt_f32)
PINBALL(double, f64, 1)

/* a and b are equal: two leaves, or one tensor. Rounding takes each element to the other side, where the slope is 1
 * more, and that hides any mistake. */
START_TEST(a_tie_hides_no_mistake)
{
    static const tg_custom_op op = {"pinball", pinball_f32, pinball_vjp_f32, pinball_f64, pinball_vjp_f64};
    for (int i = 0; i < 8 * 10; i++) {
        tg_tape *t = tg_tape_new(i % 2 ? TG_F64 : TG_F32);
        tg_manual_seed(t, (uint64_t)i);
        spoilt_f32 = i & 4 ? 1.001f : 1;
        tg_tensor numbers = tg_randn(t, TG_SHAPE(8)), x[2];
        x[0] = x[1] = tg_parameter(t, "a", numbers);
        if (i & 2)
            x[1] = tg_parameter(t, "b", numbers);
        tg_gradcheck_result r = check(tg_custom(&op, x, 2, TG_SHAPE(8), NULL, 0));
        ck_assert_msg((r.verdict == TG_GRAD_WRONG) == (spoilt_f32 != 1), "%d: %s: %s", i, r.summary, r.diagnosis);
        ck_assert(r.verdict != TG_GRAD_WRONG || r.mistake == TG_MISTAKE_FLOAT32);
        tg_tape_free(t);
    }
}
END_TEST

/* y = sqrt(1 - x), whose callback refuses the x above 1 that it is looked at with as well. */
#define REFUSING(real, suffix, root)                                                                 \
    static int refusing_##suffix(const tg_call *c) {                                                 \
        real x = *(const real *)c->input[0];                                                         \
        *(real *)c->output = root(1 - x);                                                            \
        return x >= 1;                                                                               \
    }                                                                                                \
    static int refusing_vjp_##suffix(const tg_call *c) {                                             \
        *(real *)c->input_grad[0] -= *(const real *)c->output_grad / (2 * *(const real *)c->output); \
        return 0;                                                                                    \
    }
REFUSING(float, f32, sqrtf)
REFUSING(double, f64, sqrt)

START_TEST(callbacks_may_refuse_other_operands)
{
    static const tg_custom_op op = {"refusing", refusing_f32, refusing_vjp_f32, refusing_f64, refusing_vjp_f64};
    for (int i = 0; i < 20; i++) {
        tg_tape *t = tg_tape_new(TG_F32);
        tg_tensor x = tg_set_requires_grad(tg_full(t, TG_SHAPE(1), 0.99 + 1e-4 * i), true);
        tg_gradcheck_result r = check(tg_custom(&op, &x, 1, TG_SHAPE(1), NULL, 0));
        ck_assert_msg(r.verdict == TG_GRAD_RIGHT, "%s: %s", r.summary, r.diagnosis);
        tg_tape_free(t);
    }
}
END_TEST

/* Formulas that cancel where x is small, and have a case of their own for 0. */
#define GUARDED(real, suffix, name, value, slope)                                                       \
    static int name##_##suffix(const tg_call *c) {                                                      \
        for (int64_t j = 0; j < c->output_shape->size[0]; j++) {                                        \
            real x = ((const real *)c->input[0])[j];                                                    \
            ((real *)c->output)[j] = value;                                                             \
        }                                                                                               \
        return 0;                                                                                       \
    }                                                                                                   \
    static int name##_vjp_##suffix(const tg_call *c) {                                                  \
        for (int64_t j = 0; j < c->output_shape->size[0]; j++) {                                        \
            real x = ((const real *)c->input[0])[j], dy = ((const real *)c->output_grad)[j];            \
            ((real *)c->input_grad[0])[j] += dy * (real)(sizeof(real) == 4 ? spoilt_f32 : 1) * (slope); \
        }                                                                                               \
        return 0;                                                                                       \
    }
#define ALL_GUARDED(real, suffix, sin, cos, tanh, exp)                                                 \
    GUARDED(real, suffix, sinc, x == 0 ? 1 : sin(x) / x, x == 0 ? 0 : (x * cos(x) - sin(x)) / (x * x)) \
    GUARDED(real, suffix, tanhc, x == 0 ? 1 : tanh(x) / x,                                             \
            x == 0 ? 0 : ((1 - tanh(x) * tanh(x)) * x - tanh(x)) / (x * x))                            \
    GUARDED(real, suffix, growth, x == 0 ? 1 : (exp(x) - 1) / x,                                       \
            x == 0 ? (real)0.5 : (x * exp(x) - exp(x) + 1) / (x * x))
ALL_GUARDED(float, f32, sinf, cosf, tanhf, expf)
ALL_GUARDED(double, f64, sin, cos, tanh, exp)

static const tg_custom_op guarded[] = {{"sinc", sinc_f32, sinc_vjp_f32, sinc_f64, sinc_vjp_f64},
                                       {"tanhc", tanhc_f32, tanhc_vjp_f32, tanhc_f64, tanhc_vjp_f64},
                                       {"growth", growth_f32, growth_vjp_f32, growth_f64, growth_vjp_f64}};
enum { N_GUARDED = sizeof guarded / sizeof *guarded };

/* On a float64 tape as on a float32 one it is looked at with the tape's own zeros, not with what is near. */
START_TEST(the_case_for_zero_is_not_left)
{
    tg_rng_seed(&rng, 1);
    spoilt_f32 = 1;
    for (int i = 0; i < 4 * N_GUARDED * 10; i++) {
        double x[8];
        for (int j = 0; j < 8; j++)
            x[j] = j % 2 ? copysign(0.5 + uniform(), normal()) : 0;
        tg_gradcheck_result r = check_custom(&guarded[i / 4 % N_GUARDED], i, x);
        ck_assert_msg(r.verdict == TG_GRAD_RIGHT, "%d: %s: %s", i, r.summary, r.diagnosis);
    }
}
END_TEST

/* Both terms may be rounded alike, or be equal. */
START_TEST(terms_that_cancel_are_not_accused)
{
    tg_rng_seed(&rng, 1);
    for (int i = 0; i < 4 * N_GUARDED * 40; i++) {
        double x[8], ordinary[8];
        for (int j = 0; j < 8; j++) {
            ordinary[j] = copysign(0.5 + uniform(), normal());
            x[j] = ordinary[j] * pow(10, -4 * uniform());
        }
        const tg_custom_op *op = &guarded[i / 4 % N_GUARDED];
        spoilt_f32 = 1;
        tg_gradcheck_result r = check_custom(op, i, x);
        ck_assert_msg(r.verdict != TG_GRAD_WRONG, "%d: %s: %s", i, r.summary, r.diagnosis);
        spoilt_f32 = 1.01f;
        r = check_custom(op, i, ordinary);
        ck_assert_msg(r.verdict == TG_GRAD_WRONG && r.mistake == TG_MISTAKE_FLOAT32, "%d: %s: %s", i, r.summary,
                      r.diagnosis);
    }
}
END_TEST

/* y = x^2, whose callback in float32 does one of these. */
enum { SETS, WRITES_X, WRITES_Y, WRITES_DY, N_SPOILS };
static int spoils;

#define SQUARE(real, suffix, is_spoilt)                                                                \
    static int square_##suffix(const tg_call *c) {                                                     \
        for (int64_t j = 0; j < c->output_shape->size[0]; j++)                                         \
            ((real *)c->output)[j] = ((const real *)c->input[0])[j] * ((const real *)c->input[0])[j];  \
        return 0;                                                                                      \
    }                                                                                                  \
    static int square_vjp_##suffix(const tg_call *c) {                                                 \
        real *written[] = {NULL, (real *)(uintptr_t)c->input[0], (real *)(uintptr_t)c->output,         \
                           (real *)(uintptr_t)c->output_grad};                                         \
        for (int64_t j = 0; j < c->output_shape->size[0]; j++) {                                       \
            real *dx = (real *)c->input_grad[0] + j, dy = ((const real *)c->output_grad)[j];           \
            *dx = ((is_spoilt) && spoils == SETS ? 0 : *dx) + 2 * dy * ((const real *)c->input[0])[j]; \
            if ((is_spoilt) && written[spoils])                                                        \
                written[spoils][j] *= (real)1.0001;                                                    \
        }                                                                                              \
        return 0;                                                                                      \
    }
SQUARE(float, f32, true)
SQUARE(double, f64, false)

START_TEST(float32_that_overwrites_is_named_so)
{
    tg_rng_seed(&rng, 1);
    static const tg_custom_op op = {"square", square_f32, square_vjp_f32, square_f64, square_vjp_f64};
    for (int i = 0; i < 4 * N_SPOILS * 20; i++) {
        double x[8];
        for (int j = 0; j < 8; j++)
            x[j] = normal();
        spoils = i / 4 % N_SPOILS;
        tg_gradcheck_result r = check_custom(&op, i, x);
        ck_assert_msg(r.verdict == TG_GRAD_WRONG &&
                          r.mistake == (spoils == SETS ? TG_MISTAKE_OVERWRITE : TG_MISTAKE_WRITES),
                      "%d: %s: %s", i, r.summary, r.diagnosis);
        ck_assert_msg(strstr(r.diagnosis, "float32 only") && strstr(r.summary, "but the float32 kernel of square"),
                      "%s: %s", r.summary, r.diagnosis);
    }
}
END_TEST

/* y = sin x, whose callback in float32 does one of these to v = cos x dy. */
enum { CLIPS, SKIPS, N_BENDS };
static int bends;

static float bent(float v, float dy) { return bends == CLIPS ? fmaxf(-2, fminf(2, v)) : fabsf(dy) < 0.01f ? 0 : v; }

#define SINE(real, suffix, sin, cos, bent)                                   \
    static int sine_##suffix(const tg_call *c) {                             \
        for (int64_t j = 0; j < 8; j++)                                      \
            ((real *)c->output)[j] = sin(((const real *)c->input[0])[j]);    \
        return 0;                                                            \
    }                                                                        \
    static int sine_vjp_##suffix(const tg_call *c) {                         \
        const real *x = c->input[0], *dy = c->output_grad;                   \
        for (int64_t j = 0; j < 8; j++)                                      \
            ((real *)c->input_grad[0])[j] += bent(cos(x[j]) * dy[j], dy[j]); \
        return 0;                                                            \
    }
#define AS_IT_IS(v, dy) (v)
SINE(float, f32, sinf, cosf, bent)
SINE(double, f64, sin, cos, AS_IT_IS)

START_TEST(float32_that_is_not_linear_in_dy_is_found)
{
    tg_rng_seed(&rng, 1);
    static const tg_custom_op op = {"sine", sine_f32, sine_vjp_f32, sine_f64, sine_vjp_f64};
    for (int i = 0; i < 4 * N_BENDS * 20; i++) {
        double x[8];
        for (int j = 0; j < 8; j++)
            x[j] = normal();
        bends = i / 4 % N_BENDS;
        tg_gradcheck_result r = check_custom(&op, i, x);
        ck_assert_msg(r.verdict == TG_GRAD_WRONG && r.mistake == TG_MISTAKE_FLOAT32, "%d: %s", i, r.summary);
        ck_assert_msg(strstr(r.diagnosis, "float32 only: not linear in dy"), "%d: %s", i, r.diagnosis);
    }
}
END_TEST

/* A softmax without its maximum: e^89 is more than float32 has. */
#define BARE_SOFTMAX(real, suffix, exp)                            \
    static int bare_softmax_##suffix(const tg_call *c) {           \
        real sum = 0, *y = c->output;                              \
        for (int64_t j = 0; j < 8; j++)                            \
            sum += y[j] = exp(((const real *)c->input[0])[j]);     \
        for (int64_t j = 0; j < 8; j++)                            \
            y[j] /= sum;                                           \
        return 0;                                                  \
    }                                                              \
    static int bare_softmax_vjp_##suffix(const tg_call *c) {       \
        const real *y = c->output, *dy = c->output_grad;           \
        real sum = 0;                                              \
        for (int64_t j = 0; j < 8; j++)                            \
            sum += y[j] * dy[j];                                   \
        for (int64_t j = 0; j < 8; j++)                            \
            ((real *)c->input_grad[0])[j] += y[j] * (dy[j] - sum); \
        return 0;                                                  \
    }
BARE_SOFTMAX(float, f32, expf)
BARE_SOFTMAX(double, f64, exp)

/* (dy e^x sum e^x - e^x sum dy e^x) / (sum e^x)^2, its gradient as well, has no room in float32 for large dy. */
#define SHARE(real, suffix, exp)                                                                  \
    static int share_vjp_##suffix(const tg_call *c) {                                             \
        const real *x = c->input[0], *dy = c->output_grad;                                        \
        real sum = 0, met = 0;                                                                    \
        for (int64_t j = 0; j < 8; j++)                                                           \
            sum += exp(x[j]), met += dy[j] * exp(x[j]);                                           \
        for (int64_t j = 0; j < 8; j++)                                                           \
            ((real *)c->input_grad[0])[j] += (dy[j] * exp(x[j]) - exp(x[j]) * (met / sum)) / sum; \
        return 0;                                                                                 \
    }
SHARE(float, f32, expf)
SHARE(double, f64, exp)

START_TEST(a_dy_that_leaves_the_range_inside_accuses_nothing)
{
    tg_rng_seed(&rng, 1);
    static const tg_custom_op op = {"share", bare_softmax_f32, share_vjp_f32, bare_softmax_f64, share_vjp_f64};
    for (int i = 0; i < 4 * 40; i++) {
        double x[8];
        for (int j = 0; j < 8; j++)
            x[j] = (i & 4 ? -84 : 84) + uniform();
        tg_gradcheck_result r = check_custom(&op, i, x);
        ck_assert_msg(r.verdict == TG_GRAD_RIGHT, "%d: %s: %s", i, r.summary, r.diagnosis);
    }
}
END_TEST

/* y = 1e-7 x^2: its gradient is less than 8 u x. */
static float penalty_f32_times;

#define PENALTY(real, suffix, times)                                              \
    static int penalty_##suffix(const tg_call *c) {                               \
        const real *x = c->input[0];                                              \
        for (int64_t j = 0; j < 8; j++)                                           \
            ((real *)c->output)[j] = (real)1e-7 * x[j] * x[j];                    \
        return 0;                                                                 \
    }                                                                             \
    static int penalty_vjp_##suffix(const tg_call *c) {                           \
        const real *x = c->input[0], *dy = c->output_grad;                        \
        for (int64_t j = 0; j < 8; j++)                                           \
            ((real *)c->input_grad[0])[j] += (times) * (real)2e-7 * x[j] * dy[j]; \
        return 0;                                                                 \
    }
PENALTY(float, f32, penalty_f32_times)
PENALTY(double, f64, 1)

/* y = 1 / (1 + e^-x), which is nearly 1, and in float32 perhaps 1. */
#define LOGISTIC(real, suffix, exp)                                                  \
    static int logistic_##suffix(const tg_call *c) {                                 \
        for (int64_t j = 0; j < 8; j++)                                              \
            ((real *)c->output)[j] = 1 / (1 + exp(-((const real *)c->input[0])[j])); \
        return 0;                                                                    \
    }                                                                                \
    static int logistic_vjp_##suffix(const tg_call *c) {                             \
        const real *y = c->output, *dy = c->output_grad;                             \
        for (int64_t j = 0; j < 8; j++)                                              \
            ((real *)c->input_grad[0])[j] += y[j] * (1 - y[j]) * dy[j];              \
        return 0;                                                                    \
    }
LOGISTIC(float, f32, expf)
LOGISTIC(double, f64, exp)

START_TEST(a_gradient_that_rounding_hides_is_not_taken_for_right)
{
    tg_rng_seed(&rng, 1);
    static const tg_custom_op penalty = {"penalty", penalty_f32, penalty_vjp_f32, penalty_f64, penalty_vjp_f64};
    static const tg_custom_op logistic = {"logistic", logistic_f32, logistic_vjp_f32, logistic_f64, logistic_vjp_f64};
    static const float times[] = {1, 0, -1, 0.5f};
    for (int i = 0; i < 16 * 20; i++) {
        double x[8], large[8];
        for (int j = 0; j < 8; j++)
            large[j] = 14 + 6 * fabs(x[j] = normal());
        penalty_f32_times = times[i / 4 % 4];
        tg_gradcheck_result r = check_custom(&penalty, i, x);
        ck_assert_msg(r.verdict == (penalty_f32_times == 1 ? TG_GRAD_RIGHT : TG_GRAD_CANNOT_TELL), "%d: %s: %s", i,
                      r.summary, r.diagnosis);
        ck_assert_msg(r.verdict == TG_GRAD_RIGHT || strstr(r.diagnosis, "float32 is not checked"), "%s", r.diagnosis);
        r = check_custom(&logistic, i, large);
        ck_assert_msg(r.verdict == TG_GRAD_RIGHT, "%d: %s: %s", i, r.summary, r.diagnosis);
    }
}
END_TEST

/* ---- numbers that float32 has no room for ---- */

START_TEST(overflow_inside_is_said)
{
    tg_rng_seed(&rng, 1);
    static const tg_custom_op op = {"bare_softmax", bare_softmax_f32, bare_softmax_vjp_f32, bare_softmax_f64,
                                    bare_softmax_vjp_f64};
    for (int i = 0; i < 4 * 20; i++) {
        double x[8];
        for (int j = 0; j < 8; j++)
            x[j] = 89 + uniform();
        tg_gradcheck_result r = check_custom(&op, i, x);
        ck_assert_msg(r.verdict == TG_GRAD_CANNOT_TELL && strstr(r.diagnosis, "overflows"), "%s: %s", r.summary,
                      r.diagnosis);
    }
}
END_TEST

START_TEST(overflow_is_said)
{
    tg_tape *t = tg_tape_new(TG_F32);
    tg_tensor x = tg_set_requires_grad(tg_full(t, TG_SHAPE(2), 50), true);
    tg_gradcheck_result r = check(tg_log(tg_mul(tg_exp(x), tg_exp(x))));
    ck_assert_msg(r.verdict == TG_GRAD_CANNOT_TELL && strstr(r.diagnosis, "overflows"), "%s: %s", r.summary,
                  r.diagnosis);
    r = check(tg_tanh(tg_pow_tensor(x, tg_full(t, TG_SHAPE(2), 30)))); /* 0 times infinity */
    ck_assert_msg(r.verdict == TG_GRAD_CANNOT_TELL && strstr(r.diagnosis, "may overflow"), "%s: %s", r.summary,
                  r.diagnosis);
    tg_tape_free(t);
}
END_TEST

/* 1e-7 and 0.1 lie between the bounds, 3e6 and -1e7 beyond. What lies between stays there when all are brought to sizes
 * that float32 has room for. */
START_TEST(a_mistake_between_bounds_is_found)
{
    tg_tape *t = tg_tape_new(TG_F32);
    tg_tensor x = tg_set_requires_grad(VECTOR(t, 3e6, 1e-7, -1e7, 0.1), true);
    find_planted(t, tg_clamp(x, -0.2, 0.2), "clamp", 0, false);
    tg_tape_free(t);
}
END_TEST

/* Wrong for a quarter of all dy. */
static tg_status sometimes_wrong_vjp(tg_node *y) {
    float *dy = y->grad;
    dy[0] *= fabsf(dy[0]) > 1.25f ? 1.1f : 1;
    return fault.right->vjp[TG_F32](y);
}

/* Of few numbers each may be right by chance: of three dy and the whole tape's one shows it for 1 - 0.75^4 = 68 % of
 * all seeds, of one and the tape's for 44 %. */
START_TEST(few_numbers_are_looked_at_several_times)
{
    int found = 0;
    tg_tape *t = tg_tape_new(TG_F32);
    tg_tensor y = tg_exp(tg_set_requires_grad(VECTOR(t, 0.3), true));
    tg_node *n = t->nodes[y.index];
    tg_op wrong = *(fault.right = n->op);
    wrong.vjp[TG_F32] = sometimes_wrong_vjp;
    n->op = &wrong;
    for (uint64_t seed = 1; seed <= 100; seed++) {
        tg_gradcheck_config config = TG_GRADCHECK_DEFAULTS;
        tg_gradcheck_result r;
        config.seed = seed;
        found += tg_gradcheck(y, config, &r) == TG_ERR_NUMERIC && r.verdict == TG_GRAD_WRONG;
        tg_clear_error(t);
    }
    ck_assert_int_gt(found, 56);
    tg_tape_free(t);
}
END_TEST

int main(void) {
    const TTest *const tests[] = {no_probe_is_accused,
                                  no_hard_model_is_accused,
                                  a_float64_tape_has_no_float32_kernels,
                                  a_fault_in_each_kernel_is_found_and_named,
                                  a_fault_in_a_model_is_named,
                                  both_pairs_of_callbacks_are_compared,
                                  callbacks_that_are_given_whole_numbers_are_compared,
                                  a_custom_operation_on_a_view_is_not_accused,
                                  custom_operations_that_cancel_inside_are_not_accused,
                                  custom_operations_that_lose_digits_are_not_accused,
                                  tables_are_not_accused,
                                  what_is_rounded_to_few_bits_is_no_table,
                                  what_is_kept_from_an_earlier_call_shows,
                                  a_tie_hides_no_mistake,
                                  callbacks_may_refuse_other_operands,
                                  the_case_for_zero_is_not_left,
                                  terms_that_cancel_are_not_accused,
                                  float32_that_overwrites_is_named_so,
                                  float32_that_is_not_linear_in_dy_is_found,
                                  a_dy_that_leaves_the_range_inside_accuses_nothing,
                                  a_gradient_that_rounding_hides_is_not_taken_for_right,
                                  overflow_inside_is_said,
                                  overflow_is_said,
                                  a_mistake_between_bounds_is_found,
                                  few_numbers_are_looked_at_several_times};
    return run_tests("float32", tests, sizeof tests / sizeof *tests, NULL, NULL);
}
