/* The gradient check on float32 kernels: no false positive on the library's, on any data; a mistake in one of them
 * alone is WRONG. */
#include "nn/nn.h"
#include "tests/float32_rows.h"
#include "tests/ops.h"

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

static tg_tensor fill(tg_tensor of, data kind) {
    tg_node *x = of.tape->nodes[of.index];
    for (int64_t i = 0; i < x->numel; i++)
        ((float *)x->data)[i] = (float)draw(kind, (double)((float *)x->data)[i]);
    return of;
}

/* ---- right kernels ---- */

/* Whether there is such a probe. */
static bool probe_is_not_called_wrong(const tg_op *op, int variant, data kind) {
    tg_tape *t = seeded_tape(TG_F32, (uint64_t)variant + 1);
    tg_tensor y = op->probe ? op->probe(t, variant) : TG_NULL;
    bool there = !tg_is_null(y);
    if (there && tg_requires_grad(y)) {
        for (uint32_t i = 0; i < t->count; i++)
            if (!t->nodes[i]->op && t->nodes[i]->requires_grad)
                fill(tg_handle(t->nodes[i]), kind);
        tg_gradcheck_result r = check(y, TG_GRADCHECK_FAST, 0);
        ck_assert_msg(letter(&r) != 'W', "%s probe %d, data %d: %s", op->name, variant, kind, r.summary);
    }
    tg_tape_free(t);
    return there;
}

START_TEST(no_probe_is_called_wrong)
{
    tg_rng_seed(&rng, 1);
    for (int op = 0; op < N_OPS; op++)
        for (int kind = 0; kind < N_DATA; kind++)
            for (int variant = 0; probe_is_not_called_wrong(ops[op], variant, (data)kind); variant++)
                ;
}
END_TEST
/* ---- hard models: right ---- */

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
    tg_tensor x = wanting(MATRIX(t, 3, 2, -1, -4, -1, 3, -3, 1));
    return tg_layer_norm(x, VECTOR(t, -4, 2), VECTOR(t, 3, 2), 1e-5);
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
    tg_tensor x = wanting(MATRIX(t, 4, 1, -0.347943336, 1.8636713, 0.210183203, 1.23487568));
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
    tg_tensor x = wanting(MATRIX(t, 2, 3, 26.2289047, 26.2070312, 26.2070312, -3062.96973, -3062.92651, -3062.92651));
    return tg_layer_norm(x, VECTOR(t, -0.0681034625, 0.516649663, -0.303364694), TG_NULL, 1e-5);
}

/* The slopes of the std of two numbers are 0.7 and -0.7, which cancel: not in float32. */
static tg_tensor slopes_that_cancel(tg_tape *t) {
    tg_tensor x = tg_cumsum(wanting(MATRIX(t, 1, 2, -89.6207962, -1.92162679e-5)), 1);
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

/* All keys of the first of n queries are hidden. */
static tg_tensor hidden_row(tg_tape *t, int64_t n) {
    tg_tensor x[3];
    double mask[100 * 100];
    for (int64_t j = 0; j < n * n; j++)
        mask[j] = j < n ? -1e9 : 0;
    for (int i = 0; i < 3; i++)
        x[i] = wanting(tg_randn(t, TG_SHAPE(n, 8)));
    return tg_scaled_dot_product_attention(x[0], x[1], x[2], tg_from_doubles(t, TG_SHAPE(n, n), mask), false, 0, 0);
}

MODEL(padded_row, hidden_row(t, 6))
MODEL(padded_row_of_many, hidden_row(t, 100))
static tg_tensor sure_of_the_other(tg_tape *t) { /* a gradient of 5e-42 */
    tg_tensor logits = wanting(tg_from_doubles(t, TG_SHAPE(1, 2), (double[]){0, 97}));
    return tg_square(tg_cross_entropy(logits, tg_from_ints(t, TG_SHAPE(1), (int64_t[]){1}), -100, TG_MEAN));
}
MODEL(subnormal, sure_of_the_other(t))
MODEL(causal_attention, attention(t, 1, true))
MODEL(sharp_attention, attention(t, 4, false))
MODEL(norm_of_shifted_rows, tg_layer_norm(spread(t, TG_SHAPE(3, 5000), 100, 1), leaf(t, TG_SHAPE(5000)), TG_NULL, 1e-5))
MODEL(long_products, tg_matmul(spread(t, TG_SHAPE(4, 20000), 0.1, 0), spread(t, TG_SHAPE(20000, 3), 0.1, 0)))
MODEL(tall_linear, tg_linear(spread(t, TG_SHAPE(2000, 33), 1, 0.01), spread(t, TG_SHAPE(17, 33), 1, 0.01), TG_NULL))
MODEL(long_sum, tg_sum(spread(t, TG_SHAPE(200000), 0.1, 0), TG_ALL_DIMS, false))
MODEL(bias_of_many, shared_by_all(t, 50000))
MODEL(deep_relu, deep(t, 12, 0.3, tg_relu))
MODEL(deep_norm, deep(t, 20, 0.1, tanh_and_norm))
MODEL(wide_log_softmax, tg_log_softmax(spread(t, TG_SHAPE(5, 3000), 0, 10), -1))
MODEL(shifted_var, tg_var(spread(t, TG_SHAPE(4, 3000), 1000, 1), TG_DIMS(1), 1, false))
MODEL(long_gelu, tg_gelu_tanh(spread(t, TG_SHAPE(20003), 0, 5)))
MODEL(long_cumsum, tg_cumsum(leaf(t, TG_SHAPE(5000)), 0))
MODEL(dropped, tg_dropout(tg_softmax(tg_exp(leaf(t, TG_SHAPE(40, 40))), -1), 0.3))

#define RIGHT(record, full, fast) \
    { #record, record, NULL, 1, 0, 1, full, fast, TG_MISTAKE_NONE }
static const row models[] = {
    /* large: full mode takes long */
    RIGHT(causal_attention, NULL, "R"),
    RIGHT(sharp_attention, NULL, "R"),
    RIGHT(norm_of_shifted_rows, NULL, "R"),
    RIGHT(tall_linear, NULL, "R"),
    RIGHT(long_sum, NULL, "R"),
    RIGHT(deep_relu, NULL, "R"),
    RIGHT(wide_log_softmax, NULL, "R"),
    RIGHT(shifted_var, NULL, "R"),
    RIGHT(long_gelu, NULL, "R"),
    RIGHT(long_cumsum, NULL, "R"),
    /* small */
    RIGHT(dropped, "R", "R"),
    RIGHT(subnormal, "RC", "RC"),
    RIGHT(cancelling, "RC", "RC"),
    RIGHT(norm_minus_shift, "R", "R"),
    RIGHT(itself_over_itself, "R", "R"),
    RIGHT(second_order, "R", "R"),
    RIGHT(far_beyond_the_cap, "R", "R"),
    /* beside the rounding of float32 too little is left of the gradient */
    RIGHT(bias_of_many, NULL, "RC"),
    /* 20,000 equal products round alike: a bias, of a size that the order of the sum decides */
    RIGHT(long_products, NULL, "RC"),
    RIGHT(deep_norm, NULL, "RC"),
    RIGHT(itself_less_itself, "RC", "RC"),
    RIGHT(signs, "RC", "RC"),
    RIGHT(nearly_constant_row, "RC", "RC"),
    RIGHT(slopes_that_cancel, "RC", "RC"),
    /* beside the mask nothing is left of a row's scores: neither a right gradient of theirs nor a wrong one is told */
    RIGHT(padded_row, "C", "C"),
    RIGHT(padded_row_of_many, NULL, "C"),
};
enum { N_MODELS = sizeof models / sizeof *models };

START_TEST(no_hard_model_is_called_wrong)
{ want_rows(&models[_i]); }
END_TEST

/* ---- kernels of the library, spoilt ---- */

/* The last element of operand's gradient changes its sign, or loses a part of what was there before (adding); or that
 * of the result (operand -1) is too small. */
static struct {
    const tg_op *right;
    int operand;
    bool adding;
} fault;

static float *last_of(const tg_node *x, void *elements, const int64_t *stride) {
    float *p = elements;
    for (int i = 0; i < x->ndim; i++)
        p += (x->size[i] - 1) * stride[i];
    return p;
}

static tg_status spoilt_vjp(tg_node *y) {
    const tg_node *x = fault.operand < 0 ? y : y->in[fault.operand];
    bool had = x->window.owner->has_grad;
    float before = had && fault.operand >= 0 ? *last_of(x, tg_grad_elements(x), x->window.stride) : 0;
    tg_status bad = fault.right->vjp[TG_F32](y);
    if (!bad && fault.operand >= 0) {
        float *last = last_of(x, tg_grad_elements(x), x->window.stride);
        *last -= fault.adding ? 0.3f * before : 2 * (*last - before);
    }
    return bad;
}

static tg_status spoilt_forward(tg_node *y) {
    tg_status bad = fault.right->forward[TG_F32](y);
    if (!bad && fault.operand < 0)
        *last_of(y, y->data, y->stride) *= 0.7f;
    return bad;
}

/* operand -1: the result is wrong; also exp's, whose backward goes by it, so that the gradient is that of the result.
 */
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
    tg_gradcheck_result r = check(y, TG_GRADCHECK_FULL, 0);
    /* dk's last element moves f by 2.2e-5, together with 167 others of its class; float32's noise N is 4.4e-5 */
    bool little = operand == 1 && !adding && !strcmp(name, "scaled_dot_product_attention");
    const char *allowed = operand < 0 && tg_numel(y) == 1 ? "WC" : little ? "WR" : "W";
    ck_assert_msg(strchr(allowed, letter(&r)), "%s operand %d adding %d: %s", name, operand, adding, r.summary);
    if (letter(&r) == 'W') {
        ck_assert_msg((!strcmp(r.op, name) && r.tensor == n->index) || (operand < 0 && !r.op[0]), "%s: %s", name,
                      r.summary);
        ck_assert_msg(operand < 0 || r.operand == operand + 1, "%s operand %d: %s", name, operand, r.summary);
        ck_assert_msg(r.mistake == TG_MISTAKE_FLOAT32 || (adding && r.mistake == TG_MISTAKE_ACCUMULATION),
                      "%s operand %d adding %d: %s", name, operand, adding, r.summary);
    }
    n->op = fault.right;
}

/* Sizes that end in the middle of a vector, a block, a tile. */
static tg_tensor wide(tg_tape *t) { return leaf(t, TG_SHAPE(7, 131)); }
static tg_tensor of_wide(tg_tape *t) { return leaf(t, TG_SHAPE(131)); }
static tg_tensor targets(tg_tape *t) { return tg_from_ints(t, TG_SHAPE(7), (int64_t[]){3, 1, 4, 1, 5, 9, 2}); }

MODEL(k_exp, tg_exp(leaf(t, TG_SHAPE(1003))))
MODEL(k_gelu, tg_gelu(leaf(t, TG_SHAPE(5, 203))))
MODEL(k_matmul, tg_matmul(leaf(t, TG_SHAPE(35, 131)), leaf(t, TG_SHAPE(131, 19))))
MODEL(k_linear, tg_linear(wide(t), leaf(t, TG_SHAPE(19, 131)), leaf(t, TG_SHAPE(19))))
MODEL(k_layer_norm, tg_layer_norm(wide(t), of_wide(t), of_wide(t), 1e-5))
MODEL(k_rms_norm, tg_rms_norm(wide(t), of_wide(t), 1e-5))
MODEL(k_softmax, tg_softmax(wide(t), -1))
MODEL(k_log_softmax, tg_log_softmax(wide(t), -1))
static tg_tensor short_attention(tg_tape *t, bool causal) {
    tg_tensor q = leaf(t, TG_SHAPE(67, 5)), k = leaf(t, TG_SHAPE(67, 5));
    return tg_scaled_dot_product_attention(q, k, leaf(t, TG_SHAPE(67, 5)), TG_NULL, causal, 0, 0);
}
MODEL(k_attention, short_attention(t, false))
MODEL(k_causal, short_attention(t, true))
/* As models mask: -1e9, or the least float, is added to scores; a constant, and no scale of what the gradient is of. */
static tg_tensor masked_attention(tg_tape *t, double by) {
    tg_tensor x[3], mask = tg_triu(tg_full(t, TG_SHAPE(67, 67), by), 1);
    for (int i = 0; i < 3; i++)
        x[i] = leaf(t, TG_SHAPE(67, 5));
    return tg_scaled_dot_product_attention(x[0], x[1], x[2], mask, false, 0, 0);
}
MODEL(k_masked, masked_attention(t, -1e9))
MODEL(k_least, masked_attention(t, -3.4028234663852886e38))
MODEL(k_one_query, tg_scaled_dot_product_attention(leaf(t, TG_SHAPE(3, 1, 8)), leaf(t, TG_SHAPE(3, 37, 8)),
                                                   leaf(t, TG_SHAPE(3, 37, 5)), TG_NULL, false, 0, 0))
MODEL(k_cross_entropy, tg_cross_entropy(wide(t), targets(t), -100, TG_MEAN))
MODEL(k_mul, tg_mul(wide(t), of_wide(t)))
MODEL(k_mean, tg_mean(wide(t), TG_DIMS(1), false))
MODEL(k_embedding, tg_embedding(leaf(t, TG_SHAPE(10, 33)), targets(t)))
MODEL(k_silu, tg_silu(leaf(t, TG_SHAPE(77))))
MODEL(k_tanh, tg_tanh(leaf(t, TG_SHAPE(77))))
MODEL(k_tiny_matmul, tg_matmul(leaf(t, TG_SHAPE(3, 2)), leaf(t, TG_SHAPE(2, 3))))
MODEL(k_batches, tg_matmul(leaf(t, TG_SHAPE(2, 33, 17)), leaf(t, TG_SHAPE(2, 17, 9))))
MODEL(k_cumsum, tg_cumsum(wide(t), 1))
/* 1e-7 and 0.1 lie between the bounds, 3e6 and -1e7 beyond. */
MODEL(k_clamp, tg_clamp(wanting(VECTOR(t, 3e6, 1e-7, -1e7, 0.1)), -0.2, 0.2))

static tg_tensor (*const kernels[])(tg_tape *t) = {
    k_exp,       k_gelu,   k_matmul, k_linear,      k_layer_norm, k_rms_norm,      k_softmax, k_log_softmax,
    k_attention, k_causal, k_masked, k_least,       k_one_query,  k_cross_entropy, k_mul,     k_mean,
    k_embedding, k_silu,   k_tanh,   k_tiny_matmul, k_batches,    k_cumsum,        k_clamp};
enum { N_KERNELS = sizeof kernels / sizeof *kernels };

START_TEST(a_fault_in_each_kernel_is_found_and_named)
{
    tg_tape *t = tg_tape_new(TG_F32);
    tg_rng_seed(&rng, (uint64_t)_i + 1);
    tg_tensor y = kernels[_i](t);
    WANT_OK(t);
    const tg_node *n = t->nodes[y.index];
    for (int k = -1; k < n->n_in; k++)
        if (k < 0 || (n->in[k] && n->recorded[k])) {
            find_planted(t, y, n->op->name, k, false);
            if (k >= 0)
                find_planted(t, y, n->op->name, k, true);
        }
    ck_assert_int_eq(check(y, TG_GRADCHECK_FULL, 0).verdict, TG_GRAD_RIGHT);
    tg_tape_free(t);
}
END_TEST

START_TEST(a_fault_in_a_model_is_named)
{
    tg_tape *t = tg_tape_new(TG_F32);
    tg_rng_seed(&rng, 6);
    tg_tensor x = leaf(t, TG_SHAPE(4, 9)), w = leaf(t, TG_SHAPE(9, 9));
    tg_tensor h = tg_gelu(tg_matmul(tg_layer_norm(x, TG_NULL, TG_NULL, 1e-5), w));
    tg_tensor y = tg_mean(tg_square(tg_softmax(h, -1)), TG_ALL_DIMS, false);
    find_planted(t, y, "gelu", 0, false);
    find_planted(t, y, "matmul", 1, false);
    find_planted(t, y, "layer_norm", 0, false);
    find_planted(t, y, "softmax", -1, false);
    ck_assert_int_eq(check(y, TG_GRADCHECK_FULL, 0).verdict, TG_GRAD_RIGHT);
    tg_tape_free(t);
}
END_TEST

/* Wrong for a quarter of all dy. */
static tg_status sometimes_wrong_vjp(tg_node *y) {
    float *dy = y->grad;
    dy[0] *= fabsf(dy[0]) > 1.25f ? 1.1f : 1;
    return fault.right->vjp[TG_F32](y);
}

/* Of few numbers each may be right by chance: of a dy and the whole tape's one shows it for 1 - 0.75^2 = 44 % of all
 * seeds. */
START_TEST(few_numbers_are_looked_at_several_times)
{
    int found = 0;
    tg_tape *t = tg_tape_new(TG_F32);
    tg_tensor y = tg_exp(wanting(VECTOR(t, 0.3)));
    tg_node *n = t->nodes[y.index];
    tg_op wrong = *(fault.right = n->op);
    wrong.vjp[TG_F32] = sometimes_wrong_vjp;
    n->op = &wrong;
    for (uint64_t seed = 1; seed <= 100; seed++) {
        tg_gradcheck_result r = check(y, TG_GRADCHECK_FULL, seed);
        found += letter(&r) == 'W';
    }
    ck_assert_int_gt(found, 56);
    tg_tape_free(t);
}
END_TEST

int main(void) {
    TCase *c = tcase_create("float32");
    tcase_add_test(c, no_probe_is_called_wrong);
    tcase_add_loop_test(c, no_hard_model_is_called_wrong, 0, N_MODELS);
    tcase_add_loop_test(c, a_fault_in_each_kernel_is_found_and_named, 0, N_KERNELS);
    tcase_add_test(c, a_fault_in_a_model_is_named);
    tcase_add_test(c, few_numbers_are_looked_at_several_times);
    return run_suite("float32", c);
}
