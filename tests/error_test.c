/* Bad input: each kind gives a status and one clear line with the operation and the shapes, changes nothing, and
 * the program goes on. */
#include "tests/support.h"

#include <limits.h>

/* What every bad call is made next to: a parameter with a gradient, and tensors to misuse. */
static tg_tape *t, *other;
static tg_tensor w, x, v, scalar, ids, mask, result, stale, foreign;

static void start(void) {
    t = small_machine(TG_F64);
    other = tg_tape_new(TG_F64);
    w = tg_parameter(t, "w", MATRIX(t, 3, 2, 1, 2, 3, 4, 5, 6));
    x = MATRIX(t, 2, 3, 1, 2, 3, 4, 5, 6);
    v = VECTOR(t, 1, 2, 3, 4);
    scalar = tg_scalar(t, 7);
    ids = tg_from_ints(t, TG_SHAPE(3), (int64_t[]){0, 1, 2});
    mask = tg_from_bools(t, TG_SHAPE(2, 3), (bool[]){true, false, true, false, true, false});
    result = tg_matmul(x, w);
    foreign = VECTOR(other, 1, 2, 3);
    tg_mark mark = tg_tape_mark(t);
    stale = VECTOR(t, 1, 2, 3);
    ck_assert_int_eq(tg_tape_rewind(t, mark), TG_OK);
    ck_assert_int_eq(tg_write_grad(w, (double[]){6, 5, 4, 3, 2, 1}, 6), TG_OK);
}

static void stop(void) {
    tg_tape_free(t);
    tg_tape_free(other);
}

static void all_is_as_before(void) {
    WANT_VALUES(w, 1, 2, 3, 4, 5, 6);
    WANT_GRAD(w, 6, 5, 4, 3, 2, 1);
    WANT_VALUES(x, 1, 2, 3, 4, 5, 6);
    WANT_VALUES(v, 1, 2, 3, 4);
    WANT_VALUES(ids, 0, 1, 2);
    WANT_VALUES(result, 22, 28, 49, 64);
    ck_assert_str_eq(tg_name(w), "w");
    ck_assert(tg_parameters(t).n == 1 && tg_requires_grad(w) && !tg_requires_grad(x));
    WANT_VALUES(tg_sum(tg_mul(w, w), TG_ALL_DIMS, false), 91);
    WANT_OK(t);
}

static void want_bad(bool refused, const char *call, tg_status status, const char *const *texts) {
    ck_assert_msg(refused, "%s was not refused", call);
    ck_assert_msg(tg_tape_status(t) == status, "%s: status %d, expected %d: '%s'", call, (int)tg_tape_status(t),
                  (int)status, tg_error(t));
    tg_tensor inert = tg_exp(x);
    ck_assert_msg(tg_is_null(inert), "after %s the tape must be inert", call);
    want_error(t, status, texts);
    all_is_as_before();
}

/* A call that returns a tensor, and one that returns a status: each must fail so. */
#define BAD(call, status, ...) want_bad(tg_is_null(call), #call, status, (const char *const[]){__VA_ARGS__, NULL})
#define BAD_STATUS(call, status, ...) \
    want_bad((call) == (status), #call, status, (const char *const[]){__VA_ARGS__, NULL})

START_TEST(shapes_that_do_not_fit_are_errors)
{
    BAD(tg_add(x, v), TG_ERR_SHAPE, "add", "(2, 3)", "(4,)");
    BAD(tg_mul(w, x), TG_ERR_SHAPE, "mul", "(3, 2)", "(2, 3)");
    BAD(tg_maximum(x, v), TG_ERR_SHAPE, "maximum", "(2, 3)", "(4,)");
    BAD(tg_eq(x, v), TG_ERR_SHAPE, "eq", "(2, 3)", "(4,)");
    BAD(tg_where(mask, x, v), TG_ERR_SHAPE, "where", "(2, 3)", "(4,)");
    BAD(tg_masked_fill(v, mask, 0), TG_ERR_SHAPE, "masked_fill", "(2, 3)", "(4,)");
    BAD(tg_matmul(x, x), TG_ERR_SHAPE, "matmul", "(2, 3)", "3 and 2");
    BAD(tg_matmul(x, v), TG_ERR_SHAPE, "matmul", "(2, 3)", "(4,)");
    BAD(tg_matmul(tg_zeros(t, TG_SHAPE(2, 2, 3)), tg_zeros(t, TG_SHAPE(3, 3, 2))), TG_ERR_SHAPE, "matmul", "(2, 2, 3)",
        "(3, 3, 2)");
    BAD(tg_linear(x, w, TG_NULL), TG_ERR_SHAPE, "linear", "(2, 3)", "w (3, 2)");
    BAD(tg_linear(x, x, v), TG_ERR_SHAPE, "linear", "bias", "(4,)", "(2, 3)");
    BAD(tg_layer_norm(x, v, TG_NULL, 1e-5), TG_ERR_SHAPE, "layer_norm", "(4,)", "(2, 3)");
    BAD(tg_layer_norm(x, w, TG_NULL, 1e-5), TG_ERR_SHAPE, "layer_norm: weight w (3, 2) does not fit x (2, 3)");
    BAD(tg_layer_norm(x, x, VECTOR(t, 1, 2, 3), 1e-5), TG_ERR_SHAPE, "layer_norm: bias (3,) does not", "be (2, 3)");
    BAD(tg_layer_norm(x, tg_ones(t, TG_SHAPE(1, 2, 3)), TG_NULL, 1e-5), TG_ERR_SHAPE, "weight (1, 2, 3)", "x (2, 3)");
    BAD(tg_layer_norm(x, scalar, TG_NULL, 1e-5), TG_ERR_SHAPE, "layer_norm", "weight ()", "(2, 3)");
    BAD(tg_layer_norm_over(x, TG_SHAPE(3, 2), TG_NULL, TG_NULL, 1e-5), TG_ERR_SHAPE, "layer_norm: x (2, 3)", "(3, 2)");
    BAD(tg_layer_norm_over(x, TG_SCALAR, TG_NULL, TG_NULL, 1e-5), TG_ERR_SHAPE, "layer_norm: x (2, 3)", "()");
    BAD(tg_layer_norm_over(x, TG_SHAPE(3), x, TG_NULL, 1e-5), TG_ERR_SHAPE, "layer_norm: weight (2, 3)", "be (3,)");
    BAD(tg_rms_norm_over(x, TG_SHAPE(1, 2, 3), TG_NULL, 1e-5), TG_ERR_SHAPE, "rms_norm: x (2, 3)", "(1, 2, 3)");
    BAD(tg_rms_norm_over(x, TG_SHAPE(2, 3), v, 1e-5), TG_ERR_SHAPE, "rms_norm: weight (4,)", "be (2, 3)");
    BAD(tg_bias_gelu(x, v), TG_ERR_SHAPE, "bias_gelu", "(4,)", "(2, 3)");
    BAD(tg_mse_loss(x, w, TG_MEAN), TG_ERR_SHAPE, "mse_loss", "(2, 3)", "w (3, 2)");
    BAD(tg_cross_entropy(x, ids, TG_IGNORE_INDEX, TG_MEAN), TG_ERR_SHAPE, "cross_entropy", "(2, 3)", "(3,)");
    BAD(tg_reshape(x, TG_SHAPE(4, 2)), TG_ERR_SHAPE, "reshape", "(2, 3)", "(4, 2)");
    BAD(tg_reshape(x, TG_SHAPE(-1, 4)), TG_ERR_SHAPE, "reshape", "(2, 3)", "(-1, 4)");
    BAD(tg_reshape(x, TG_SHAPE(-1, -1)), TG_ERR_SHAPE, "reshape", "(2, 3)", "(-1, -1)");
    BAD(tg_reshape(x, TG_SHAPE(-2, -3)), TG_ERR_SHAPE, "reshape", "(2, 3)", "(-2, -3)");
    BAD(tg_expand(x, TG_SHAPE(4, 3)), TG_ERR_SHAPE, "expand", "(2, 3)", "(4, 3)");
    BAD(tg_expand(x, TG_SHAPE(3)), TG_ERR_SHAPE, "expand", "(2, 3)", "(3,)");
    BAD(tg_cat((tg_tensor[]){x, w}, 2, 0), TG_ERR_SHAPE, "cat", "(2, 3)", "w (3, 2)");
    BAD(tg_stack((tg_tensor[]){x, w}, 2, 0), TG_ERR_SHAPE, "stack", "(2, 3)", "w (3, 2)");
    BAD(tg_gather(x, 0, ids), TG_ERR_SHAPE, "gather", "(2, 3)", "(3,)");
    BAD(tg_scaled_dot_product_attention(x, w, x, TG_NULL, false, 0, 0), TG_ERR_SHAPE, "attention",
        "q (2, 3), k w (3, 2), v (2, 3)");
    BAD(tg_scaled_dot_product_attention(x, x, v, TG_NULL, false, 0, 0), TG_ERR_SHAPE, "attention", "(2, 3)", "(4,)");
    BAD(tg_scaled_dot_product_attention(x, x, tg_ones(t, TG_SHAPE(2, 3, 2)), TG_NULL, false, 0, 0), TG_ERR_SHAPE,
        "attention", "(2, 3)", "(2, 3, 2)");
    tg_tensor two = tg_ones(t, TG_SHAPE(2, 3, 4)), three = tg_ones(t, TG_SHAPE(3, 3, 4));
    BAD(tg_scaled_dot_product_attention(two, three, two, TG_NULL, false, 0, 0), TG_ERR_SHAPE, "attention", "(3, 3, 4)");
    BAD(tg_scaled_dot_product_attention(two, two, three, TG_NULL, false, 0, 0), TG_ERR_SHAPE, "attention", "(3, 3, 4)");
    BAD(tg_pow_tensor(x, v), TG_ERR_SHAPE, "pow_tensor", "(2, 3)", "(4,)");
    BAD(tg_clamp_tensor(x, scalar, v), TG_ERR_SHAPE, "clamp_tensor", "(2, 3)", "(4,)");
    BAD(tg_swiglu(x, v), TG_ERR_SHAPE, "swiglu", "(2, 3)", "(4,)");
    BAD(tg_rms_norm(x, v, 1e-5), TG_ERR_SHAPE, "rms_norm", "(4,)", "(2, 3)");
    BAD(tg_rope(x, TG_ROPE_DEFAULTS), TG_ERR_SHAPE, "rope", "3 of the channels", "(2, 3)");
    BAD(tg_rope(x, (tg_rope_config){10000, 0, 4, false}), TG_ERR_SHAPE, "rope", "4 of the channels", "(2, 3)");
    BAD(tg_huber_loss(x, w, 1, TG_MEAN), TG_ERR_SHAPE, "huber_loss", "(2, 3)", "w (3, 2)");
    BAD(tg_l1_loss(x, w, TG_MEAN), TG_ERR_SHAPE, "l1_loss", "(2, 3)", "w (3, 2)");
    BAD(tg_cross_entropy_with(x, ids, TG_CROSS_ENTROPY_DEFAULTS), TG_ERR_SHAPE, "cross_entropy_with", "(2, 3)", "(3,)");
    BAD(tg_index_add(x, 0, ids, w), TG_ERR_SHAPE, "index_add", "(2, 3)", "(3,)", "w (3, 2)");
    BAD(tg_index_add(scalar, 0, ids, scalar), TG_ERR_SHAPE, "index_add", "()", "(3,)");
    BAD(tg_scatter_add(x, 1, ids, x), TG_ERR_SHAPE, "scatter_add", "(2, 3)", "(3,)");
    BAD(tg_repeat(x, TG_SHAPE(2)), TG_ERR_SHAPE, "repeat", "(2,)", "(2, 3)");
    BAD(tg_repeat(x, TG_SHAPE(2, -1)), TG_ERR_SHAPE, "repeat", "(2, -1)", "(2, 3)");
    BAD(tg_any(x, TG_DIMS(2), false), TG_ERR_SHAPE, "any: dim 2", "(2, 3)");
    BAD(tg_all(x, TG_DIMS(0, 0), false), TG_ERR_SHAPE, "all: dim 0", "(2, 3)");
    BAD(tg_max_dim(tg_zeros(t, TG_SHAPE(2, 0)), 1, false, NULL), TG_ERR_SHAPE, "max_dim", "(2, 0)", "dim 1");
    BAD(tg_eye(t, -1), TG_ERR_SHAPE, "eye", "-1");
    BAD(tg_linspace(t, 0, 1, -1), TG_ERR_SHAPE, "linspace", "-1");
    BAD_STATUS(tg_copy_(w, x), TG_ERR_SHAPE, "copy_", "w (3, 2)", "(2, 3)");
    tg_tensor parts[2];
    BAD_STATUS(tg_split(v, 1, 0, parts, 2), TG_ERR_ARGUMENT, "split", "(4,)");
    BAD_STATUS(tg_split(v, 0, 0, parts, 2), TG_ERR_ARGUMENT, "split", "(4,)");
}
END_TEST

START_TEST(ranks_that_do_not_fit_are_errors)
{
    BAD(tg_matmul(scalar, x), TG_ERR_SHAPE, "matmul", "()", "(2, 3)");
    BAD(tg_tril(v, 0), TG_ERR_SHAPE, "tril", "(4,)");
    BAD(tg_embedding(v, ids), TG_ERR_SHAPE, "embedding", "(4,)", "(3,)");
    BAD(tg_index_select(x, 0, tg_reshape(ids, TG_SHAPE(1, 3))), TG_ERR_SHAPE, "index_select", "(2, 3)", "(1, 3)");
    BAD(tg_cross_entropy(scalar, ids, TG_IGNORE_INDEX, TG_MEAN), TG_ERR_SHAPE, "cross_entropy", "()", "(3,)");
    BAD(tg_layer_norm(scalar, TG_NULL, TG_NULL, 1e-5), TG_ERR_SHAPE, "layer_norm");
    BAD(tg_bias_gelu(scalar, v), TG_ERR_SHAPE, "bias_gelu", "(4,)", "()");
    BAD(tg_permute(x, TG_DIMS(0)), TG_ERR_SHAPE, "permute", "(2, 3)");
    BAD(tg_select(scalar, 0, 0), TG_ERR_SHAPE, "select");
    BAD(tg_cat((tg_tensor[]){scalar, scalar}, 2, 0), TG_ERR_SHAPE, "cat");
    BAD(tg_zeros(t, (tg_shape){9, {1, 1, 1, 1, 1, 1, 1, 1}}), TG_ERR_SHAPE, "zeros", "9");
    BAD(tg_zeros(t, (tg_shape){-1, {0}}), TG_ERR_SHAPE, "zeros", "-1");
    BAD(tg_reshape(x, (tg_shape){9, {0}}), TG_ERR_SHAPE, "reshape", "9");
    BAD(tg_expand(x, (tg_shape){9, {0}}), TG_ERR_SHAPE, "expand");
    tg_tensor eight = tg_zeros(t, TG_SHAPE(1, 1, 1, 1, 1, 1, 1, 1));
    BAD(tg_unsqueeze(eight, 0), TG_ERR_SHAPE, "unsqueeze", "(1, 1, 1, 1, 1, 1, 1, 1)");
    BAD(tg_stack((tg_tensor[]){eight, eight}, 2, 0), TG_ERR_SHAPE, "stack", "(1, 1, 1, 1, 1, 1, 1, 1)");
    BAD(tg_embedding(w, tg_from_ints(t, TG_SHAPE(1, 1, 1, 1, 1, 1, 1, 1), (int64_t[]){0})), TG_ERR_SHAPE, "embedding",
        "(1, 1, 1, 1, 1, 1, 1, 1)");
}
END_TEST

START_TEST(dims_out_of_range_are_errors)
{
    BAD(tg_sum(x, TG_DIMS(2), false), TG_ERR_SHAPE, "sum", "dim 2", "(2, 3)", "-2 to 1");
    BAD(tg_mean(x, TG_DIMS(-3), false), TG_ERR_SHAPE, "mean", "dim -3", "(2, 3)");
    BAD(tg_var(x, TG_DIMS(0, 5), 1, false), TG_ERR_SHAPE, "var", "dim 5", "(2, 3)");
    BAD(tg_amax(x, TG_DIMS(0, -2), false), TG_ERR_SHAPE, "amax", "dim 0", "twice", "(2, 3)");
    BAD(tg_amin(x, (tg_dims){9, {0}}, false), TG_ERR_ARGUMENT, "amin", "9", "(2, 3)");
    BAD(tg_sum(scalar, (tg_dims){9, {0}}, false), TG_ERR_ARGUMENT, "sum", "9", "()");
    BAD(tg_sum(scalar, TG_DIMS(1), false), TG_ERR_SHAPE, "sum", "dim 1", "()");
    BAD(tg_logsumexp(x, TG_DIMS(2), false), TG_ERR_SHAPE, "logsumexp", "dim 2", "(2, 3)");
    BAD(tg_argmax(x, 2, false), TG_ERR_SHAPE, "argmax", "dim 2", "(2, 3)");
    BAD(tg_sort(x, 2, false, NULL), TG_ERR_SHAPE, "sort", "dim 2", "(2, 3)");
    BAD(tg_min_dim(x, -3, false, NULL), TG_ERR_SHAPE, "min_dim", "dim -3", "(2, 3)");
    BAD(tg_cumsum(x, 2), TG_ERR_SHAPE, "cumsum", "dim 2", "(2, 3)");
    BAD(tg_flip(x, TG_DIMS(2)), TG_ERR_SHAPE, "flip", "dim 2", "(2, 3)");
    BAD(tg_roll(x, 1, 2), TG_ERR_SHAPE, "roll", "dim 2", "(2, 3)");
    BAD(tg_norm(x, 2, TG_DIMS(2), false), TG_ERR_SHAPE, "norm", "dim 2", "(2, 3)");
    BAD(tg_norm(x, 0, TG_ALL_DIMS, false), TG_ERR_ARGUMENT, "norm", "p is 0");
    BAD(tg_norm(x, NAN, TG_ALL_DIMS, false), TG_ERR_ARGUMENT, "norm", "p is nan");
    BAD(tg_topk(x, 4, 1, true, NULL), TG_ERR_ARGUMENT, "topk", "k = 4", "(2, 3)");
    BAD(tg_topk(x, -1, 1, true, NULL), TG_ERR_ARGUMENT, "topk", "k = -1", "(2, 3)");
    BAD(tg_huber_loss(x, x, NAN, TG_MEAN), TG_ERR_ARGUMENT, "huber_loss", "delta is nan");
    BAD(tg_rope(x, (tg_rope_config){-1, 0, 2, false}), TG_ERR_ARGUMENT, "rope", "base is -1");
    BAD(tg_rope(x, (tg_rope_config){10000, INT64_MAX, 2, false}), TG_ERR_ARGUMENT, "rope", "offset is");
    BAD(tg_rope(x, (tg_rope_config){10000, INT64_MIN, 2, false}), TG_ERR_ARGUMENT, "rope", "offset is");
    const tg_rope_config two = {10000, 0, 2, false};
#define BAD_ROPE(words, ...) BAD(tg_rope_scaled(x, two, (tg_rope_scaling){__VA_ARGS__}), TG_ERR_ARGUMENT, "rope", words)
    BAD_ROPE("scaling type 4", (tg_rope_type)4, 1, 1, 1, 4, 32, 1, 0, 0, 0, true);
    BAD_ROPE("scaling type -1", (tg_rope_type)-1, 1, 1, 1, 4, 32, 1, 0, 0, 0, true);
    BAD_ROPE("factor is 0", TG_ROPE_LINEAR, 0, 1, 1, 4, 32, 1, 0, 0, 0, true);
    BAD_ROPE("factor is nan", TG_ROPE_YARN, NAN, 1, 1, 4, 32, 1, 0, 0, 0, true);
    BAD_ROPE("no less than 1e-100", TG_ROPE_LINEAR, 1e-320, 1, 1, 4, 32, 1, 0, 0, 0, true);
    BAD_ROPE("original_max_position_embeddings is inf", TG_ROPE_LLAMA3, 8, INFINITY, 1, 4, 32, 1, 0, 0, 0, true);
    BAD_ROPE("low_freq_factor is 4, but must be below high", TG_ROPE_LLAMA3, 8, 8192, 4, 4, 32, 1, 0, 0, 0, true);
    BAD_ROPE("beta_slow is 2, but must be below beta_fast, 1", TG_ROPE_YARN, 8, 8192, 4, 4, 1, 2, 0, 0, 0, true);
    BAD_ROPE("attention_factor is -1", TG_ROPE_YARN, 8, 8192, 1, 4, 32, 1, -1, 0, 0, true);
    BAD_ROPE("mscale_all_dim is inf", TG_ROPE_YARN, 8, 8192, 1, 4, 32, 1, 0, 1, INFINITY, true);
    BAD(tg_rope_scaled(x, (tg_rope_config){1, 0, 2, false},
                       (tg_rope_scaling){TG_ROPE_YARN, 8, 8192, 1, 4, 32, 1, 0, 0, 0, true}),
        TG_ERR_ARGUMENT, "rope", "base is 1");
    BAD(tg_kl_div(x, x, (tg_reduction)7), TG_ERR_ARGUMENT, "kl_div");
    BAD(tg_index_add(x, 0, ids, x), TG_ERR_SHAPE, "index_add", "(3,)");
    BAD(tg_index_add(x, 1, tg_from_ints(t, TG_SHAPE(3), (int64_t[]){0, 3, 1}), x), TG_ERR_INDEX, "index_add",
        "index 3 at position 1 of (3,)", "0 .. 2");
    BAD(tg_scatter_add(x, 0, tg_from_ints(t, TG_SHAPE(1, 3), (int64_t[]){0, -1, 1}), tg_slice(x, 0, 0, 1, 1)),
        TG_ERR_INDEX, "scatter_add", "index -1", "0 .. 1");
    tg_cross_entropy_config smooth = TG_CROSS_ENTROPY_DEFAULTS;
    smooth.label_smoothing = NAN;
    BAD(tg_cross_entropy_with(tg_transpose(x, 0, 1), ids, smooth), TG_ERR_ARGUMENT, "cross_entropy_with", "nan");
    BAD(tg_cross_entropy_with(tg_transpose(x, 0, 1), ids, TG_CROSS_ENTROPY_DEFAULTS), TG_ERR_INDEX, "target 2",
        "0 .. 1");
    BAD(tg_cross_entropy(tg_transpose(x, 0, 1), ids, TG_IGNORE_INDEX, TG_MEAN), TG_ERR_INDEX, "target 2", "0 .. 1");
    BAD(tg_softmax(x, 2), TG_ERR_SHAPE, "softmax", "dim 2", "(2, 3)");
    BAD(tg_log_softmax(x, -3), TG_ERR_SHAPE, "log_softmax", "dim -3", "(2, 3)");
    BAD(tg_transpose(x, 0, 2), TG_ERR_SHAPE, "transpose", "dim 2", "(2, 3)");
    BAD(tg_permute(x, TG_DIMS(0, 2)), TG_ERR_SHAPE, "permute", "(2, 3)");
    BAD(tg_permute(x, TG_DIMS(1, -1)), TG_ERR_SHAPE, "permute", "(2, 3)");
    BAD(tg_slice(x, 2, 0, 1, 1), TG_ERR_SHAPE, "slice", "dim 2", "(2, 3)");
    BAD(tg_slice(x, 0, 0, 1, 0), TG_ERR_ARGUMENT, "slice", "step 0", "(2, 3)");
    BAD(tg_select(x, 2, 0), TG_ERR_SHAPE, "select", "dim 2", "(2, 3)");
    BAD(tg_squeeze(x, 2), TG_ERR_SHAPE, "squeeze", "dim 2", "(2, 3)");
    BAD(tg_unsqueeze(x, 3), TG_ERR_SHAPE, "unsqueeze", "dim 3", "(2, 3)");
    BAD(tg_cat((tg_tensor[]){x, x}, 2, 2), TG_ERR_SHAPE, "cat", "dim 2", "(2, 3)");
    BAD(tg_stack((tg_tensor[]){x, x}, 2, 3), TG_ERR_SHAPE, "stack", "dim 3", "(2, 3)");
    BAD(tg_stack((tg_tensor[]){x, x}, 2, -4), TG_ERR_SHAPE, "stack", "dim -4", "(2, 3)");
    BAD(tg_index_select(x, 2, ids), TG_ERR_SHAPE, "index_select", "dim 2", "(2, 3)");
    BAD(tg_gather(x, 2, tg_reshape(ids, TG_SHAPE(3, 1))), TG_ERR_SHAPE, "gather", "dim 2", "(2, 3)");
    BAD_STATUS(tg_split(x, 1, 2, &(tg_tensor){0}, 1), TG_ERR_SHAPE, "split", "dim 2", "(2, 3)");
    ck_assert(tg_size(x, 2) == 0);
    BAD_STATUS(tg_tape_status(t), TG_ERR_SHAPE, "size", "dim 2", "(2, 3)");
    ck_assert(tg_stride(x, -3) == 0);
    BAD_STATUS(tg_tape_status(t), TG_ERR_SHAPE, "stride", "dim -3", "(2, 3)");
}
END_TEST

START_TEST(null_tensors_and_arrays_are_errors)
{
    BAD(tg_add(x, TG_NULL), TG_ERR_ARGUMENT, "add", "operand 2", "null");
    BAD(tg_matmul(TG_NULL, x), TG_ERR_ARGUMENT, "matmul", "operand 1", "null");
    BAD(tg_linear(x, TG_NULL, TG_NULL), TG_ERR_ARGUMENT, "linear", "operand 2", "null");
    BAD(tg_logical_and(mask, x), TG_ERR_ARGUMENT, "logical_and", "operand 2", "(2, 3)", "bool");
    BAD(tg_huber_loss(TG_NULL, x, -1, TG_MEAN), TG_ERR_ARGUMENT, "huber_loss");
    BAD(tg_index_add(x, 0, TG_NULL, x), TG_ERR_ARGUMENT, "index_add", "operand 2", "null");
    BAD(tg_where(mask, x, TG_NULL), TG_ERR_ARGUMENT, "where", "operand 3", "null");
    BAD(tg_cat((tg_tensor[]){x, TG_NULL}, 2, 0), TG_ERR_ARGUMENT, "cat", "operand 2", "null");
    BAD(tg_from_doubles(t, TG_SHAPE(2, 3), NULL), TG_ERR_ARGUMENT, "from_doubles", "(2, 3)", "NULL");
    BAD(tg_from_floats(t, TG_SHAPE(2), NULL), TG_ERR_ARGUMENT, "from_floats", "(2,)", "NULL");
    BAD(tg_from_ints(t, TG_SHAPE(2), NULL), TG_ERR_ARGUMENT, "from_ints", "(2,)", "NULL");
    BAD(tg_from_bools(t, TG_SHAPE(2), NULL), TG_ERR_ARGUMENT, "from_bools", "(2,)", "NULL");
    BAD_STATUS(tg_read_doubles(x, NULL, 6), TG_ERR_ARGUMENT, "read", "(2, 3)", "NULL");
    BAD_STATUS(tg_write_doubles(x, NULL, 6), TG_ERR_ARGUMENT, "write", "(2, 3)", "NULL");
    BAD_STATUS(tg_write_floats(x, NULL, 6), TG_ERR_ARGUMENT, "write", "(2, 3)", "NULL");
    BAD_STATUS(tg_write_ints(ids, NULL, 3), TG_ERR_ARGUMENT, "write", "(3,)", "NULL");
    BAD_STATUS(tg_write_grad(w, NULL, 6), TG_ERR_ARGUMENT, "write_grad", "w (3, 2)");
    BAD_STATUS(tg_copy_(x, TG_NULL), TG_ERR_ARGUMENT, "copy_");
    BAD_STATUS(tg_register_hook(w, NULL, NULL), TG_ERR_ARGUMENT, "register_hook", "w (3, 2)", "NULL");
    BAD_STATUS(tg_set_rng_state(t, NULL), TG_ERR_ARGUMENT, "rng");
    BAD_STATUS(tg_print(NULL, x), TG_ERR_ARGUMENT, "print", "NULL");
    BAD(tg_parameter(t, NULL, x), TG_ERR_ARGUMENT, "parameter", "name", "(2, 3)");
    BAD(tg_custom(NULL, &x, 1, TG_SHAPE(2), NULL, 0), TG_ERR_ARGUMENT, "custom", "NULL");
    BAD(tg_from_doubles(t, (tg_shape){9, {1, 1, 1, 1, 1, 1, 1, 1}}, NULL), TG_ERR_SHAPE, "from_doubles", "9");
    BAD(tg_from_ints(t, (tg_shape){INT_MIN, {0}}, NULL), TG_ERR_SHAPE, "from_ints", "-2147483648");
    BAD(tg_parameter(t, "p", TG_NULL), TG_ERR_ARGUMENT, "parameter", "null");
    BAD(tg_buffer(t, "p", (tg_tensor){0}), TG_ERR_ARGUMENT, "buffer", "null");
    BAD(tg_named(t, NULL), TG_ERR_ARGUMENT, "named", "NULL");
    want_bad(tg_parameters_under(t, NULL).n == 0, "tg_parameters_under(t, NULL)", TG_ERR_ARGUMENT,
             (const char *const[]){"parameters_under", "NULL", NULL});
}
END_TEST

/* PyTorch: "Dimension specified as 0 but tensor has no dimensions". */
START_TEST(a_dim_of_a_scalar_is_an_error)
{
    want_bad(tg_size(scalar, 0) == 0, "tg_size(scalar, 0)", TG_ERR_SHAPE, (const char *const[]){"size", "dim 0", NULL});
    want_bad(tg_size(scalar, -1) == 0, "tg_size(scalar, -1)", TG_ERR_SHAPE,
             (const char *const[]){"size", "dim -1", NULL});
    want_bad(tg_stride(scalar, 0) == 0, "tg_stride(scalar, 0)", TG_ERR_SHAPE,
             (const char *const[]){"stride", "dim 0", NULL});
}
END_TEST

/* There is no tape to note the error: the status says it, or the null tensor that comes back. */
START_TEST(null_tapes_are_errors)
{
    ck_assert_int_eq(tg_tape_status(NULL), TG_ERR_ARGUMENT);
    ck_assert(strstr(tg_error(NULL), "NULL") != NULL);
    ck_assert(tg_is_null(tg_zeros(NULL, TG_SHAPE(2))) && tg_is_null(tg_arange(NULL, 3)));
    ck_assert(tg_is_null(tg_from_doubles(NULL, TG_SHAPE(1), (double[]){1})));
    ck_assert(tg_is_null(tg_rand(NULL, TG_SHAPE(2))) && tg_is_null(tg_randint(NULL, 0, 2, TG_SHAPE(2))));
    ck_assert(tg_is_null(tg_parameter(NULL, "p", TG_NULL)) && tg_is_null(tg_named(NULL, "w")));
    BAD(tg_parameter(NULL, "p", x), TG_ERR_ARGUMENT, "parameter", "NULL"); /* the operand's tape can note it */
    BAD(tg_checkpoint_end(NULL, x), TG_ERR_ARGUMENT, "checkpoint_end", "NULL");
    ck_assert(tg_is_null(tg_add(TG_NULL, TG_NULL)) && tg_is_null(tg_sum(TG_NULL, TG_ALL_DIMS, false)));
    ck_assert(tg_is_null(tg_cat(NULL, 2, 0)) && tg_is_null(tg_exp(TG_NULL)) && tg_is_null(tg_grad(TG_NULL)));
    ck_assert(tg_parameters(NULL).n == 0 && tg_state(NULL).n == 0);
    ck_assert(tg_numel(TG_NULL) == 0 && tg_data(TG_NULL) == NULL && isnan(tg_item(TG_NULL)));
    ck_assert_int_eq(tg_backward(TG_NULL), TG_ERR_ARGUMENT);
    ck_assert_int_eq(tg_backward_with(TG_NULL, x), TG_ERR_ARGUMENT);
    ck_assert_int_eq(tg_replay(NULL, (tg_mark){0}), TG_ERR_ARGUMENT);
    ck_assert_int_eq(tg_tape_rewind(NULL, tg_tape_mark(NULL)), TG_ERR_ARGUMENT);
    ck_assert_int_eq(tg_read_doubles(TG_NULL, NULL, 0), TG_ERR_ARGUMENT);
    tg_tape_free(NULL);
    tg_clear_error(NULL);
    tg_zero_grads(NULL);
    tg_no_grad_begin(NULL);
    tg_no_grad_end(NULL);
    tg_manual_seed(NULL, 1);
    tg_set_anomaly_mode(NULL, true);
    ck_assert_ptr_null(tg_tape_new(TG_I64));
    ck_assert_ptr_null(tg_tape_new((tg_dtype)17));
    ck_assert_ptr_null(tg_tape_new_with(TG_F32, &(tg_allocator){0}));
    all_is_as_before();
}
END_TEST

START_TEST(stale_handles_are_errors)
{
    BAD(tg_add(x, stale), TG_ERR_STALE, "add", "operand 2 is stale");
    BAD(tg_where(mask, x, stale), TG_ERR_STALE, "where", "operand 3 is stale");
    BAD(tg_cat((tg_tensor[]){x, x, x, stale}, 4, 0), TG_ERR_STALE, "cat", "operand 4 is stale");
    BAD(tg_exp(stale), TG_ERR_STALE, "exp", "stale");
    BAD(tg_matmul(x, stale), TG_ERR_STALE, "matmul", "stale");
    BAD(tg_transpose(stale, 0, 0), TG_ERR_STALE, "transpose", "stale");
    BAD(tg_cat((tg_tensor[]){v, stale}, 2, 0), TG_ERR_STALE, "cat", "stale");
    BAD(tg_grad(stale), TG_ERR_STALE, "grad", "stale");
    BAD(tg_set_requires_grad(stale, true), TG_ERR_STALE, "requires_grad", "stale");
    BAD(tg_parameter(t, "p", stale), TG_ERR_STALE, "parameter", "stale");
    BAD(tg_fill_(stale, 1), TG_ERR_STALE, "fill_", "stale");
    BAD_STATUS(tg_backward(stale), TG_ERR_STALE, "backward", "stale");
    BAD_STATUS(tg_backward_with(result, stale), TG_ERR_STALE, "backward", "stale");
    BAD_STATUS(tg_retain_grad(stale), TG_ERR_STALE, "retain_grad", "stale");
    BAD_STATUS(tg_read_doubles(stale, (double[3]){0}, 3), TG_ERR_STALE, "read", "stale");
    BAD_STATUS(tg_write_doubles(stale, (double[3]){0}, 3), TG_ERR_STALE, "write", "stale");
    BAD_STATUS(tg_copy_(v, stale), TG_ERR_STALE, "copy_", "stale");
    ck_assert(tg_data(stale) == NULL);
    BAD_STATUS(tg_tape_status(t), TG_ERR_STALE, "data", "stale");
    ck_assert(tg_numel(stale) == 0 && tg_ndim(stale) == 0 && !tg_requires_grad(stale));
    BAD_STATUS(tg_tape_status(t), TG_ERR_STALE, "numel", "stale");
    VECTOR(t, 9, 9, 9);
    BAD(tg_exp(stale), TG_ERR_STALE, "exp", "stale");
}
END_TEST

/* Operations that copy operands which are not contiguous: the error is theirs, not the copy's. */
START_TEST(errors_name_the_operation_not_its_copy)
{
    BAD(tg_softmax(stale, 0), TG_ERR_STALE, "softmax: ");
    BAD(tg_mse_loss(x, stale, TG_MEAN), TG_ERR_STALE, "mse_loss: ");
    BAD(tg_tril(stale, 0), TG_ERR_STALE, "tril: ");
    BAD(tg_any(stale, TG_ALL_DIMS, false), TG_ERR_STALE, "any: ");
    BAD(tg_layer_norm(x, stale, TG_NULL, 1e-5), TG_ERR_STALE, "layer_norm: ");
    BAD(tg_cross_entropy(x, stale, TG_IGNORE_INDEX, TG_MEAN), TG_ERR_STALE, "cross_entropy: ");
    BAD(tg_gather(x, 0, stale), TG_ERR_STALE, "gather: ");
    BAD(tg_index_select(x, 0, stale), TG_ERR_STALE, "index_select: ");
    BAD(tg_embedding(w, stale), TG_ERR_STALE, "embedding: ");
    BAD(tg_scaled_dot_product_attention(x, stale, x, TG_NULL, false, 0, 0), TG_ERR_STALE,
        "scaled_dot_product_attention: ");
    BAD(tg_scaled_dot_product_attention(x, x, x, stale, false, 0, 0), TG_ERR_STALE, "scaled_dot_product_attention: ");
}
END_TEST

START_TEST(tensors_of_two_tapes_are_errors)
{
    BAD(tg_mul(x, foreign), TG_ERR_ARGUMENT, "mul", "operand 2", "another tape");
    BAD(tg_cat((tg_tensor[]){v, foreign}, 2, 0), TG_ERR_ARGUMENT, "cat", "another tape");
    BAD(tg_layer_norm(x, foreign, TG_NULL, 1e-5), TG_ERR_ARGUMENT, "layer_norm", "another tape");
    BAD(tg_parameter(t, "p", foreign), TG_ERR_ARGUMENT, "parameter", "another tape");
    BAD_STATUS(tg_backward_with(result, foreign), TG_ERR_ARGUMENT, "backward", "another tape", "(2, 2)");
    ck_assert_int_eq(tg_tape_status(other), TG_OK);
    tg_exp(tg_exp(foreign));
    ck_assert_int_eq(tg_tape_status(other), TG_OK);
}
END_TEST

START_TEST(wrong_dtypes_are_errors)
{
    BAD(tg_add(v, ids), TG_ERR_ARGUMENT, "add", "operand 2", "(3,)", "int64", "floating");
    BAD(tg_exp(mask), TG_ERR_ARGUMENT, "exp", "(2, 3)", "bool", "floating");
    BAD(tg_matmul(x, mask), TG_ERR_ARGUMENT, "matmul", "(2, 3)", "bool");
    BAD(tg_mul(ids, v), TG_ERR_ARGUMENT, "mul: operand 2", "(4,)", "float64", "must be int64, as operand 1 is");
    BAD(tg_sub(mask, x), TG_ERR_ARGUMENT, "sub: operand 1", "(2, 3)", "bool", "floating or int64");
    BAD(tg_where(mask, ids, x), TG_ERR_ARGUMENT, "where: operand 3", "(2, 3)", "float64", "int64, as operand 2 is");
    BAD(tg_where(ids, ids, ids), TG_ERR_ARGUMENT, "where: operand 1", "(3,)", "int64", "must be bool");
    BAD(tg_div(ids, ids), TG_ERR_ARGUMENT, "div: operand 1", "(3,)", "int64", "floating");
    BAD(tg_add(ids, tg_arange(t, 4)), TG_ERR_SHAPE, "add", "(3,)", "(4,)");
    BAD(tg_add_scalar(ids, 0.5), TG_ERR_ARGUMENT, "add_scalar: x (3,) is int64, but 0.5 is not");
    BAD(tg_sub_scalar(ids, NAN), TG_ERR_ARGUMENT, "sub_scalar: x (3,) is int64, but nan is not");
    BAD(tg_rsub_scalar(0x1p63, ids), TG_ERR_ARGUMENT, "rsub_scalar: x (3,)", "9.22337e+18");
    BAD(tg_mul_scalar(ids, -INFINITY), TG_ERR_ARGUMENT, "mul_scalar: x (3,)", "-inf");
    BAD(tg_sum(ids, TG_ALL_DIMS, false), TG_ERR_ARGUMENT, "sum", "(3,)", "int64");
    BAD(tg_softmax(ids, 0), TG_ERR_ARGUMENT, "softmax", "(3,)", "int64");
    BAD(tg_embedding(w, v), TG_ERR_ARGUMENT, "embedding", "(4,)", "float64", "int64");
    BAD(tg_index_select(x, 0, v), TG_ERR_ARGUMENT, "index_select", "(4,)", "int64");
    BAD(tg_gather(x, 0, x), TG_ERR_ARGUMENT, "gather", "(2, 3)", "int64");
    BAD(tg_cross_entropy(x, v, TG_IGNORE_INDEX, TG_MEAN), TG_ERR_ARGUMENT, "cross_entropy", "(4,)", "int64");
    BAD(tg_masked_fill(x, x, 0), TG_ERR_ARGUMENT, "masked_fill", "(2, 3)", "bool");
    BAD(tg_where(x, x, x), TG_ERR_ARGUMENT, "where", "(2, 3)", "bool");
    BAD(tg_logical_not(x), TG_ERR_ARGUMENT, "logical_not", "(2, 3)", "bool");
    BAD(tg_cat((tg_tensor[]){v, ids}, 2, 0), TG_ERR_SHAPE, "cat", "(4,)", "(3,)", "int64");
    BAD(tg_parameter(t, "p", ids), TG_ERR_ARGUMENT, "parameter", "(3,)", "int64");
    BAD_STATUS(tg_backward(ids), TG_ERR_ARGUMENT, "backward", "(3,)", "int64");
    BAD_STATUS(tg_copy_(tg_slice(v, 0, 0, 3, 1), ids), TG_ERR_ARGUMENT, "copy_", "(3,)", "int64", "float64");
    BAD(tg_scaled_dot_product_attention(x, x, x, ids, false, 0, 0), TG_ERR_ARGUMENT, "attention", "(3,)");
}
END_TEST

START_TEST(indices_out_of_range_are_errors)
{
    tg_tensor low = tg_from_ints(t, TG_SHAPE(2), (int64_t[]){0, -1});
    tg_tensor high = tg_from_ints(t, TG_SHAPE(2), (int64_t[]){3, 0});
    BAD(tg_embedding(w, low), TG_ERR_INDEX, "embedding", "-1", "position 1", "(2,)");
    BAD(tg_embedding(w, high), TG_ERR_INDEX, "embedding", "3", "position 0", "(2,)");
    BAD(tg_index_select(x, 1, high), TG_ERR_INDEX, "index_select", "3", "(2,)");
    BAD(tg_gather(x, 1, tg_reshape(high, TG_SHAPE(2, 1))), TG_ERR_INDEX, "gather", "3", "(2, 1)");
    BAD(tg_cross_entropy(x, high, TG_IGNORE_INDEX, TG_MEAN), TG_ERR_INDEX, "cross_entropy", "3");
    BAD(tg_cross_entropy(x, low, TG_IGNORE_INDEX, TG_NONE), TG_ERR_INDEX, "cross_entropy", "-1");
    BAD(tg_select(x, 1, 3), TG_ERR_INDEX, "select", "3", "(2, 3)");
    BAD(tg_select(x, 1, -4), TG_ERR_INDEX, "select", "-4", "(2, 3)");
    BAD(tg_select(x, 1, INT64_MIN), TG_ERR_INDEX, "select", "(2, 3)");
    BAD(tg_slice(tg_slice(x, 0, INT64_MIN, INT64_MAX, INT64_MAX), 0, 0, 1, 0), TG_ERR_ARGUMENT, "slice", "(1, 3)");
    tg_tensor good = tg_from_ints(t, TG_SHAPE(2), (int64_t[]){0, 1});
    tg_mark mark = tg_tape_mark(t);
    tg_tensor rows = tg_embedding(w, good);
    ck_assert_int_eq(tg_write_ints(good, (int64_t[]){0, 7}, 2), TG_OK);
    BAD_STATUS(tg_replay(t, mark), TG_ERR_INDEX, "embedding", "7", "(2,)");
    ck_assert_int_eq(tg_write_ints(good, (int64_t[]){0, 2}, 2), TG_OK);
    ck_assert_int_eq(tg_replay(t, mark), TG_OK);
    WANT_VALUES(rows, 1, 2, 5, 6);
}
END_TEST

START_TEST(sizes_that_overflow_are_errors)
{
    int64_t huge = INT64_C(1) << 40;
    BAD(tg_zeros(t, TG_SHAPE(huge, huge)), TG_ERR_MEMORY, "zeros", "(1099511627776, 1099511627776)");
    BAD(tg_zeros(t, TG_SHAPE(INT64_MAX)), TG_ERR_MEMORY, "zeros", "(9223372036854775807,)");
    BAD(tg_zeros(t, TG_SHAPE(0, huge, huge)), TG_ERR_MEMORY, "zeros", "(0, 1099511627776, 1099511627776)");
    BAD(tg_zeros(t, TG_SHAPE(2, -3)), TG_ERR_SHAPE, "zeros", "(2, -3)", "negative");
    BAD(tg_zeros(t, TG_SHAPE(INT64_MIN, INT64_MIN)), TG_ERR_SHAPE, "zeros", "negative");
    BAD(tg_arange(t, -1), TG_ERR_SHAPE, "arange", "-1");
    BAD(tg_arange(t, INT64_MAX), TG_ERR_MEMORY, "arange");
    BAD(tg_full(t, TG_SHAPE(huge), 1), TG_ERR_MEMORY, "full", "(1099511627776,)");
    BAD(tg_repeat(scalar, TG_SHAPE(huge, huge)), TG_ERR_MEMORY, "repeat: (1099511627776, 1099511627776) times ()");
    BAD(tg_expand(scalar, TG_SHAPE(huge, huge)), TG_ERR_MEMORY, "expand", "(1099511627776, 1099511627776)");
    BAD(tg_reshape(scalar, TG_SHAPE(huge, INT64_C(1) << 30, INT64_C(1) << 34)), TG_ERR_SHAPE, "reshape");
}
END_TEST

/* Views that a 32-bit machine has not: more elements than it can address. */
START_TEST(views_too_large_to_copy_are_errors)
{
    int64_t huge = INT64_C(1) << 40;
    if (sizeof(size_t) < sizeof huge) {
        BAD(tg_expand(scalar, TG_SHAPE(huge)), TG_ERR_MEMORY, "expand", "(1099511627776,)");
        return;
    }
    BAD(tg_full(t, TG_SHAPE(huge), 1), TG_ERR_MEMORY, "full", "(1099511627776,)", "out of memory");
    tg_tensor long_ = tg_expand(scalar, TG_SHAPE(huge));
    BAD(tg_exp(long_), TG_ERR_MEMORY, "exp", "(1099511627776,)", "out of memory");
    BAD(tg_contiguous(long_), TG_ERR_MEMORY, "contiguous", "(1099511627776,)", "out of memory");
    BAD(tg_clone(long_), TG_ERR_MEMORY, "clone: ", "(1099511627776,)", "out of memory");
    BAD(tg_clone(tg_expand(tg_select(ids, 0, 0), TG_SHAPE(huge))), TG_ERR_MEMORY, "clone: ", "(1099511627776,)");
    BAD(tg_randperm(t, huge), TG_ERR_MEMORY, "randperm: ", "(1099511627776,)", "out of memory");
    BAD(tg_matmul(tg_expand(scalar, TG_SHAPE(huge, 1)), tg_expand(scalar, TG_SHAPE(1, huge))), TG_ERR_MEMORY, "matmul",
        "(1099511627776, 1099511627776)");
    BAD(tg_add(tg_expand(scalar, TG_SHAPE(huge, 1)), tg_expand(scalar, TG_SHAPE(1, huge))), TG_ERR_MEMORY, "add",
        "(1099511627776, 1099511627776)");
    tg_tensor wide = tg_zeros(t, TG_SHAPE(0, INT64_C(1) << 59)), parts[16];
    for (int i = 0; i < 16; i++)
        parts[i] = wide;
    BAD(tg_cat(parts, 16, 1), TG_ERR_MEMORY, "cat", "(0, ");
    BAD(tg_reshape(long_, TG_SHAPE(huge, INT64_C(1) << 30, INT64_C(1) << 34)), TG_ERR_SHAPE, "reshape",
        "(1099511627776,)");
}
END_TEST

START_TEST(an_impossible_backward_is_an_error)
{
    BAD_STATUS(tg_backward(tg_sum(x, TG_ALL_DIMS, false)), TG_ERR_STATE, "backward", "()", "requires no gradient");
    BAD_STATUS(tg_backward(scalar), TG_ERR_STATE, "backward", "()", "requires no gradient");
    BAD_STATUS(tg_backward(result), TG_ERR_STATE, "backward", "(2, 2)", "not a scalar");
    BAD_STATUS(tg_backward_with(result, x), TG_ERR_SHAPE, "backward", "(2, 3)", "(2, 2)");
    BAD_STATUS(tg_backward_with(result, tg_gt(result, scalar)), TG_ERR_ARGUMENT, "backward", "(2, 2)", "bool");
    BAD_STATUS(tg_write_grad(x, (double[6]){0}, 6), TG_ERR_STATE, "write_grad", "(2, 3)");
    BAD_STATUS(tg_write_grad(result, (double[4]){0}, 4), TG_ERR_STATE, "write_grad", "(2, 2)");
    BAD_STATUS(tg_write_grad(w, (double[4]){0}, 4), TG_ERR_ARGUMENT, "write_grad", "w (3, 2)", "6", "4");
    BAD_STATUS(tg_retain_grad(x), TG_ERR_STATE, "retain_grad", "(2, 3)");
    BAD(tg_grad(result), TG_ERR_STATE, "grad", "(2, 2)", "matmul");
    BAD(tg_set_requires_grad(result, false), TG_ERR_STATE, "requires_grad", "(2, 2)", "matmul");
}
END_TEST

START_TEST(writes_that_are_not_allowed_are_errors)
{
    BAD_STATUS(tg_write_doubles(result, (double[4]){0}, 4), TG_ERR_STATE, "write", "(2, 2)", "matmul");
    BAD_STATUS(tg_write_doubles(tg_transpose(result, 0, 1), (double[4]){0}, 4), TG_ERR_STATE, "write", "matmul");
    BAD_STATUS(tg_write_floats(x, (float[4]){0}, 4), TG_ERR_SHAPE, "write", "(2, 3)", "6", "4");
    BAD_STATUS(tg_write_ints(ids, (int64_t[4]){0}, -1), TG_ERR_SHAPE, "write", "(3,)", "3", "-1");
    BAD_STATUS(tg_read_floats(x, (float[7]){0}, 7), TG_ERR_SHAPE, "read", "(2, 3)", "6", "7");
    BAD_STATUS(tg_read_ints(ids, (int64_t[4]){0}, 4), TG_ERR_SHAPE, "read", "(3,)", "3", "4");
    BAD_STATUS(tg_copy_(result, tg_zeros(t, TG_SHAPE(2, 2))), TG_ERR_STATE, "copy_", "(2, 2)", "matmul");
    BAD(tg_fill_(result, 0), TG_ERR_STATE, "fill_", "(2, 2)", "matmul");
    BAD(tg_normal_(result, 0, 1), TG_ERR_STATE, "normal_", "(2, 2)", "matmul");
    tg_tensor wide = tg_expand(scalar, TG_SHAPE(3));
    BAD_STATUS(tg_write_doubles(wide, (double[3]){0}, 3), TG_ERR_STATE, "write", "(3,)", "expanded");
    ck_assert(tg_data(tg_transpose(x, 0, 1)) == NULL);
    BAD_STATUS(tg_tape_status(t), TG_ERR_STATE, "data", "(3, 2)", "contiguous");
    ck_assert(isnan(tg_item(x)));
    BAD_STATUS(tg_tape_status(t), TG_ERR_SHAPE, "item", "(2, 3)", "6");
}
END_TEST

START_TEST(names_and_numbers_that_do_not_fit_are_errors)
{
    BAD(tg_parameter(t, "w", tg_zeros(t, TG_SHAPE(2))), TG_ERR_ARGUMENT, "parameter", "'w'", "taken");
    BAD(tg_buffer(t, "w", tg_zeros(t, TG_SHAPE(2))), TG_ERR_ARGUMENT, "buffer", "'w'", "taken");
    BAD(tg_parameter(t, "", tg_zeros(t, TG_SHAPE(2))), TG_ERR_ARGUMENT, "parameter", "empty", "(2,)");
    BAD(tg_parameter(t, "p", result), TG_ERR_STATE, "parameter", "(2, 2)");
    BAD(tg_parameter(t, "p", tg_transpose(x, 0, 1)), TG_ERR_STATE, "parameter", "(3, 2)");
    BAD(tg_named(t, "nobody"), TG_ERR_ARGUMENT, "named", "'nobody'");
    BAD(tg_dropout(x, 1.5), TG_ERR_ARGUMENT, "dropout", "1.5", "(2, 3)");
    BAD(tg_dropout(x, (double)NAN), TG_ERR_ARGUMENT, "dropout", "(2, 3)");
    BAD(tg_clamp(x, (double)NAN, 1), TG_ERR_ARGUMENT, "clamp");
    BAD(tg_randint(t, 3, 3, TG_SHAPE(2)), TG_ERR_ARGUMENT, "randint", "3");
    BAD(tg_mse_loss(x, x, (tg_reduction)9), TG_ERR_ARGUMENT, "mse_loss", "9");
    BAD(tg_cross_entropy(x, tg_from_ints(t, TG_SHAPE(2), (int64_t[]){0, 1}), TG_IGNORE_INDEX, (tg_reduction)9),
        TG_ERR_ARGUMENT, "cross_entropy", "9");
    BAD(tg_amax(tg_zeros(t, TG_SHAPE(2, 0)), TG_DIMS(1), false), TG_ERR_SHAPE, "amax", "(2, 0)");
    BAD(tg_argmax(tg_zeros(t, TG_SHAPE(2, 0)), 1, false), TG_ERR_SHAPE, "argmax", "(2, 0)");
    BAD(tg_bernoulli_(tg_zeros(t, TG_SHAPE(2)), 2), TG_ERR_ARGUMENT, "bernoulli_", "2");
    BAD(tg_kaiming_uniform_(tg_zeros(t, TG_SHAPE(2)), 1), TG_ERR_SHAPE, "kaiming_uniform_", "(2,)");
    BAD(tg_kaiming_uniform_(tg_zeros(t, TG_SHAPE(2, 2)), (double)NAN), TG_ERR_ARGUMENT, "kaiming_uniform_", "a is nan");
    BAD(tg_xavier_normal_(tg_zeros(t, TG_SHAPE(2, 2)), (double)INFINITY), TG_ERR_ARGUMENT, "xavier_normal_",
        "gain is inf");
}
END_TEST

/* ---- custom operations ---- */

static int succeed(const tg_call *call) {
    memset(call->output, 0, sizeof(double) * (size_t)call->output_shape->size[0]);
    return 0;
}
static int refuse(const tg_call *call) { return call->n_inputs; }

START_TEST(custom_operations_that_fail_are_named)
{
    static const tg_custom_op bad = {"mine", NULL, NULL, refuse, refuse}, half = {"half", succeed, refuse, NULL, NULL},
                              good = {"late", NULL, NULL, succeed, refuse}, nameless = {0},
                              no_vjp = {"no_vjp", NULL, NULL, succeed, NULL};
    BAD(tg_custom(&bad, &x, 1, TG_SHAPE(2), NULL, 0), TG_ERR_STATE, "mine", "forward", "(2,)");
    BAD(tg_custom(&half, &x, 1, TG_SHAPE(2), NULL, 0), TG_ERR_ARGUMENT, "half", "float64");
    BAD(tg_custom(&nameless, &x, 1, TG_SHAPE(2), NULL, 0), TG_ERR_ARGUMENT, "custom");
    BAD(tg_custom(&good, &x, 1, TG_SHAPE(2), NULL, 8), TG_ERR_ARGUMENT, "custom", "context");
    BAD(tg_custom(&good, &x, 99, TG_SHAPE(2), NULL, 0), TG_ERR_ARGUMENT, "custom", "inputs");
    BAD(tg_custom(&good, &x, 1, TG_SHAPE(2, -1), NULL, 0), TG_ERR_SHAPE, "late", "(2, -1)");
    BAD(tg_custom(&good, &x, 1, (tg_shape){9, {0}}, NULL, 0), TG_ERR_ARGUMENT, "custom", "dims");
    BAD(tg_custom(&good, &stale, 1, TG_SHAPE(2), NULL, 0), TG_ERR_STALE, "stale");
    tg_tensor y = tg_custom(&good, &w, 1, TG_SHAPE(1), NULL, 0);
    BAD_STATUS(tg_backward(y), TG_ERR_STATE, "late", "vjp", "(1,)");
    y = tg_custom(&no_vjp, &w, 1, TG_SHAPE(1), NULL, 0);
    BAD_STATUS(tg_backward(y), TG_ERR_ARGUMENT, "no_vjp", "vjp callback for float64");
}
END_TEST

/* ---- the error itself ---- */

START_TEST(the_first_error_stays_and_nested_calls_are_safe)
{
    tg_tensor bad = tg_add(x, v), y = tg_softmax(tg_matmul(bad, tg_transpose(x, 5, 6)), -1);
    ck_assert(tg_is_null(y));
    ck_assert_int_eq(tg_backward(y), TG_ERR_ARGUMENT);
    ck_assert_int_eq(tg_write_doubles(x, (double[6]){0}, 6), TG_ERR_SHAPE);
    ck_assert_int_eq(tg_copy_(v, v), TG_ERR_SHAPE);
    tg_fill_(x, 0);
    ck_assert(tg_is_null(tg_zeros(t, TG_SHAPE(2))) && tg_parameters(t).n == 0);
    WANT_ERROR(t, TG_ERR_SHAPE, "add", "(2, 3)", "(4,)");
    all_is_as_before();
}
END_TEST

int main(void) {
    const TTest *const all[] = {
        shapes_that_do_not_fit_are_errors,
        ranks_that_do_not_fit_are_errors,
        dims_out_of_range_are_errors,
        null_tensors_and_arrays_are_errors,
        null_tapes_are_errors,
        stale_handles_are_errors,
        errors_name_the_operation_not_its_copy,
        tensors_of_two_tapes_are_errors,
        wrong_dtypes_are_errors,
        indices_out_of_range_are_errors,
        sizes_that_overflow_are_errors,
        views_too_large_to_copy_are_errors,
        an_impossible_backward_is_an_error,
        writes_that_are_not_allowed_are_errors,
        names_and_numbers_that_do_not_fit_are_errors,
        custom_operations_that_fail_are_named,
        the_first_error_stays_and_nested_calls_are_safe,
        a_dim_of_a_scalar_is_an_error,
    };
    return run_tests("errors", all, sizeof all / sizeof *all, start, stop);
}
