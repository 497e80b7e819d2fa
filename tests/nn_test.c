/* Layers: initial weights, names, outputs and masks are PyTorch's (tests/golden/make_nn.py), and what they refuse they
 * say why. */
#include "nn/nn.h"
#include "tests/golden/nn.h"
#include "tests/nn_cases.h"

static void compare(const char *what, tg_tensor x, const double *expected, int64_t n, double tolerance) {
    double got[256];
    ck_assert_msg(tg_numel(x) == n, "%s has %lld elements, not %lld; %s", what, (long long)tg_numel(x), (long long)n,
                  x.tape ? tg_error(x.tape) : "null");
    ck_assert_int_eq(tg_read_doubles(x, got, n), TG_OK);
    for (int64_t j = 0; j < n; j++)
        ck_assert_msg(fabs(got[j] - expected[j]) <= tolerance, "%s, element %lld: %.17g, not %.17g", what, (long long)j,
                      got[j], expected[j]);
}

static void expect_error(tg_tape *t, tg_status status, const char *words) {
    ck_assert_msg(tg_tape_status(t) == status && strstr(tg_error(t), words), "status %d: %s", (int)tg_tape_status(t),
                  tg_error(t));
    ck_assert_ptr_null(strchr(tg_error(t), '\n'));
    tg_clear_error(t);
}

/* ---- against PyTorch ---- */

START_TEST(initial_weights_are_pytorchs)
{
    tg_tape *t = tg_tape_new(TG_F32);
    case_new(t, _i);
    tg_list all = tg_parameters(t);
    int64_t at = 0;
    for (int64_t k = 0; k < all.n; k++) {
        int64_t n = tg_numel(all.tensor[k]);
        ck_assert_int_le(at + n, nn_golden[_i].n_initial);
        compare(nn_golden[_i].name, all.tensor[k], nn_golden[_i].initial + at, n, 0);
        at += n;
    }
    ck_assert_int_eq(at, nn_golden[_i].n_initial);
    tg_tape_free(t);
}
END_TEST

START_TEST(an_embedding_is_standard_normal_at_first)
{
    tg_tape *t = seeded_tape(TG_F32, 123);
    compare("embedding", tg_nn_embedding_new(t, "e", 5, 4).weight, embedding_golden, 20, 1e-6);
    tg_tape_free(t);
}
END_TEST

START_TEST(outputs_and_weights_are_pytorchs)
{
    tg_tape *t = tg_tape_new(TG_F64);
    nn_case c = case_in_double(t, _i);
    tg_tensor weights;
    compare("output", case_forward(&c, NULL), nn_golden[_i].y, nn_golden[_i].n_y, 1e-13);
    compare("output with weights", case_forward(&c, &weights), nn_golden[_i].y, nn_golden[_i].n_y, 1e-13);
    compare("weights", weights, nn_golden[_i].weights, nn_golden[_i].n_weights, 1e-13);
    tg_tape_free(t);
}
END_TEST

START_TEST(gradients_with_and_without_weights_agree)
{
    tg_tape *t = tg_tape_new(TG_F64);
    nn_case c = case_in_double(t, _i);
    tg_list all = tg_parameters(t);
    double with[2][72];
    for (int asked = 0; asked < 2; asked++) {
        tg_tensor weights, y = case_forward(&c, asked ? &weights : NULL);
        tg_zero_grads(t);
        ck_assert_int_eq(tg_backward(tg_sum(tg_square(y), TG_ALL_DIMS, false)), TG_OK);
        double *to = with[asked];
        for (int64_t k = 0; k < all.n; k++) {
            int64_t n = tg_numel(all.tensor[k]);
            ck_assert_int_eq(tg_read_doubles(tg_grad(all.tensor[k]), to, n), TG_OK);
            to += n;
        }
    }
    for (int j = 0; j < nn_golden[_i].n_initial; j++)
        ck_assert_double_eq_tol(with[0][j], with[1][j], 1e-13);
    tg_tape_free(t);
}
END_TEST

/* As the notebooks print them, to 4 decimals. */
START_TEST(simple_attention_is_the_notebooks)
{
    const double expected_y[18] = {0.4421, 0.5931, 0.5790, 0.4419, 0.6515, 0.5683, 0.4431, 0.6496, 0.5671,
                                   0.4304, 0.6298, 0.5510, 0.4671, 0.5910, 0.5266, 0.4177, 0.6503, 0.5645};
    const double expected_weights[36] = {0.2098, 0.2006, 0.1981, 0.1242, 0.1220, 0.1452, 0.1385, 0.2379, 0.2333,
                                         0.1240, 0.1082, 0.1581, 0.1390, 0.2369, 0.2326, 0.1242, 0.1108, 0.1565,
                                         0.1435, 0.2074, 0.2046, 0.1462, 0.1263, 0.1720, 0.1526, 0.1958, 0.1975,
                                         0.1367, 0.1879, 0.1295, 0.1385, 0.2184, 0.2128, 0.1420, 0.0988, 0.1896};
    tg_tape *t = tg_tape_new(TG_F32);
    tg_tensor weights;
    compare("y", tg_nn_simple_attention(journey(t), NULL), expected_y, 18, 0.51e-4);
    compare("y", tg_nn_simple_attention(journey(t), &weights), expected_y, 18, 0.51e-4);
    compare("weights", weights, expected_weights, 36, 0.51e-4);
    tg_tape_free(t);
}
END_TEST

START_TEST(dropout_is_pytorchs)
{
    tg_tape *t = tg_tape_new(TG_F64);
    nn_case c = case_in_double(t, 4);
    tg_tensor weights;
    c.causal.dropout = 0.5;
    tg_manual_seed(t, 7);
    compare("output", case_forward(&c, &weights), dropout_y, 24, 1e-13);
    compare("weights", weights, dropout_weights, 72, 1e-13);
    tg_manual_seed(t, 7);
    compare("output without weights", case_forward(&c, NULL), dropout_y, 24, 1e-13);
    tg_eval(t);
    ck_assert(!tg_is_training(t));
    compare("output in eval mode", case_forward(&c, NULL), nn_golden[4].y, 24, 1e-13);
    tg_train(t);
    tg_manual_seed(t, 7);
    ck_assert(tg_is_training(t));
    compare("output in train mode again", case_forward(&c, NULL), dropout_y, 24, 1e-13);
    tg_tape_free(t);
}
END_TEST

/* nn.MultiheadAttention(4, 2) as make_nn.py fills it: each parameter is sin(3 j), in_proj is q, k and v stacked. */
static tg_nn_multi_head_attention known_multi_head(tg_tape *t) {
    tg_nn_multi_head_attention a = tg_nn_multi_head_attention_new(t, "mha", 4, 4, 0, 0, 2, true);
    const tg_nn_linear *in[3] = {&a.W_query, &a.W_key, &a.W_value};
    double w[16], b[4];
    for (int i = 0; i < 4; i++) {
        const tg_nn_linear *l = i < 3 ? in[i] : &a.out_proj;
        for (int j = 0; j < 16; j++)
            w[j] = sin(3.0 * (i % 3 * 16 + j));
        for (int j = 0; j < 4; j++)
            b[j] = sin(3.0 * (i % 3 * 4 + j));
        ck_assert_int_eq(tg_write_doubles(l->weight, w, 16), TG_OK);
        ck_assert_int_eq(tg_write_doubles(l->bias, b, 4), TG_OK);
    }
    return a;
}

static const bool padding[2][3] = {{false, false, true}, {false, true, false}};
static const bool hidden[3][3] = {{false, true, false}, {false, false, true}, {true, false, false}};

static tg_nn_masks masks_of(tg_tape *t, int i) {
    tg_nn_masks m = TG_NN_NO_MASKS;
    double added[9];
    for (int j = 0; j < 9; j++)
        added[j] = j == 3 ? -INFINITY : cos(j);
    if (i == 1 || i == 5)
        m.key_padding_mask = tg_from_bools(t, TG_SHAPE(2, 3), padding[0]);
    if (i == 2 || i == 5)
        m.attn_mask = tg_from_bools(t, TG_SHAPE(3, 3), hidden[0]);
    if (i == 3)
        m.attn_mask = tg_from_doubles(t, TG_SHAPE(3, 3), added);
    m.causal = i == 4;
    return m;
}

START_TEST(masks_are_pytorchs)
{
    tg_tape *t = tg_tape_new(TG_F64);
    tg_nn_multi_head_attention a = known_multi_head(t);
    double x[24];
    for (int j = 0; j < 24; j++)
        x[j] = cos(j * 0.7);
    tg_tensor in = tg_from_doubles(t, TG_SHAPE(2, 3, 4), x), weights;
    tg_nn_masks m = masks_of(t, _i);
    compare("output", tg_nn_multi_head_attention_forward_masked(&a, in, m, NULL), mask_golden[_i].y, 24, 1e-12);
    tg_nn_multi_head_attention_forward_masked(&a, in, m, &weights);
    compare("weights", weights, mask_golden[_i].weights, 36, 1e-12);
    tg_tape_free(t);
}
END_TEST

/* ---- shapes, names, masks that hide everything ---- */

START_TEST(masks_come_in_every_shape_of_the_weights)
{
    tg_tape *t = tg_tape_new(TG_F64);
    tg_nn_multi_head_attention a = known_multi_head(t);
    tg_tensor x = tg_rand(t, TG_SHAPE(2, 3, 4));
    tg_tensor m = tg_from_bools(t, TG_SHAPE(3, 3), hidden[0]);
    double expected[24];
    tg_nn_masks masks = {.attn_mask = m};
    tg_tensor y = tg_nn_multi_head_attention_forward_masked(&a, x, masks, NULL);
    ck_assert_int_eq(tg_read_doubles(y, expected, 24), TG_OK);
    const tg_shape shapes[] = {TG_SHAPE(1, 3, 3), TG_SHAPE(2, 3, 3), TG_SHAPE(1, 1, 3, 3), TG_SHAPE(2, 2, 3, 3)};
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        masks.attn_mask = tg_expand(m, shapes[i]);
        compare("expanded mask", tg_nn_multi_head_attention_forward_masked(&a, x, masks, NULL), expected, 24, 1e-14);
    }
    masks.attn_mask = tg_masked_fill(tg_zeros(t, TG_SHAPE(3, 3)), m, -INFINITY);
    compare("additive mask", tg_nn_multi_head_attention_forward_masked(&a, x, masks, NULL), expected, 24, 1e-14);
    tg_tensor none = tg_from_bools(t, TG_SHAPE(3, 3), (bool[9]){false});
    masks.attn_mask = tg_to_bool(tg_stack((tg_tensor[]){tg_to_float(none), tg_to_float(m)}, 2, 0));
    y = tg_select(tg_nn_multi_head_attention_forward_masked(&a, x, masks, NULL), 0, 1);
    compare("a mask for each of the batch", y, expected + 12, 12, 1e-14);
    masks.attn_mask = m;
    y = tg_nn_multi_head_attention_forward_masked(&a, tg_select(x, 0, 1), masks, NULL);
    compare("without a batch", y, expected + 12, 12, 1e-14);
    tg_tape_free(t);
}
END_TEST

static void all_zero(tg_tensor x) {
    double got[64];
    int64_t n = tg_numel(x);
    ck_assert_int_eq(tg_read_doubles(x, got, n), TG_OK);
    for (int64_t j = 0; j < n; j++)
        ck_assert_double_eq(got[j], 0);
}

START_TEST(a_mask_that_hides_everything_gives_zeros)
{
    tg_tape *t = tg_tape_new(TG_F64);
    tg_tensor q = tg_set_requires_grad(tg_rand(t, TG_SHAPE(2, 3, 4)), true), weights;
    const bool nothing[2][3] = {{true, true, true}, {true, true, true}};
    tg_nn_masks m = {.key_padding_mask = tg_from_bools(t, TG_SHAPE(2, 3), nothing[0])};
    for (int asked = 0; asked < 2; asked++) {
        tg_tensor y = tg_nn_attention(q, q, q, m, 0, asked ? &weights : NULL);
        all_zero(y);
        ck_assert_int_eq(tg_backward(tg_sum(y, TG_ALL_DIMS, false)), TG_OK);
        all_zero(tg_grad(q));
    }
    all_zero(weights);
    m = (tg_nn_masks){.attn_mask = tg_full(t, TG_SHAPE(3, 3), -INFINITY)};
    all_zero(tg_nn_attention(q, q, q, m, 0, NULL));
    all_zero(tg_nn_attention(q, q, q, m, 0, &weights));
    ck_assert_msg(tg_tape_status(t) == TG_OK, "%s", tg_error(t));
    tg_tape_free(t);
}
END_TEST

/* torch.nn.functional.scaled_dot_product_attention of queries and keys (2, 0) and values [[1], [3]]: the mean, 2 */
START_TEST(attention_without_channels_is_the_mean)
{
    tg_tape *t = tg_tape_new(TG_F64);
    tg_tensor q = tg_zeros(t, TG_SHAPE(2, 0)), v = MATRIX(t, 2, 1, 1, 3), weights;
    WANT_VALUES(tg_nn_attention(q, q, v, TG_NN_NO_MASKS, 0, NULL), 2, 2);
    WANT_VALUES(tg_nn_attention(q, q, v, TG_NN_NO_MASKS, 0, &weights), 2, 2);
    WANT_VALUES(weights, 0.5, 0.5, 0.5, 0.5);
    tg_tape_free(t);
}
END_TEST

/* PyTorch's of (2, 0, 3, 4) is as empty; its torch.nn.MultiheadAttention has a head at least. */
START_TEST(attention_without_heads_is_empty)
{
    tg_tape *t = tg_tape_new(TG_F64);
    tg_tensor q = tg_zeros(t, TG_SHAPE(2, 0, 3, 4)), weights;
    ck_assert_int_eq(tg_size(tg_nn_attention(q, q, q, TG_NN_NO_MASKS, 0, NULL), 1), 0);
    ck_assert_int_eq(tg_size(tg_nn_attention(q, q, q, TG_NN_NO_MASKS, 0, &weights), 2), 3);
    ck_assert_int_eq(tg_numel(weights), 0);
    WANT_OK(t);
    tg_nn_attention(q, tg_zeros(t, TG_SHAPE(2, 1, 3, 4)), q, TG_NN_NO_MASKS, 0, NULL);
    WANT_ERROR(t, TG_ERR_SHAPE, "attention: ", "(2, 1, 3, 4)");
    tg_tape_free(t);
}
END_TEST

START_TEST(parameters_have_pytorchs_names)
{
    tg_tape *t = tg_tape_new(TG_F32);
    tg_nn_multi_head_wrapper_new(t, "mha", 3, 2, 6, 0, 2, true);
    tg_nn_multi_head_attention_new(t, "", 3, 4, 6, 0, 2, false);
    tg_nn_self_attention_v1_new(t, "v1", 3, 2);
    tg_nn_additive_attention_new(t, "add", 3, 4, 5);
    tg_nn_embedding_new(t, "emb", 5, 4);
    tg_nn_layer_norm_new(t, "ln", 4, true);
    static const char *const names[] = {"mha.heads.0.W_query.weight",
                                        "mha.heads.0.W_query.bias",
                                        "mha.heads.0.W_key.weight",
                                        "mha.heads.0.W_key.bias",
                                        "mha.heads.0.W_value.weight",
                                        "mha.heads.0.W_value.bias",
                                        "mha.heads.0.mask",
                                        "mha.heads.1.W_query.weight",
                                        "mha.heads.1.W_query.bias",
                                        "mha.heads.1.W_key.weight",
                                        "mha.heads.1.W_key.bias",
                                        "mha.heads.1.W_value.weight",
                                        "mha.heads.1.W_value.bias",
                                        "mha.heads.1.mask",
                                        "W_query.weight",
                                        "W_key.weight",
                                        "W_value.weight",
                                        "out_proj.weight",
                                        "out_proj.bias",
                                        "mask",
                                        "v1.W_query",
                                        "v1.W_key",
                                        "v1.W_value",
                                        "add.W_1.weight",
                                        "add.W_2.weight",
                                        "add.v.weight",
                                        "emb.weight",
                                        "ln.weight",
                                        "ln.bias"};
    tg_list state = tg_state(t);
    ck_assert_int_eq(state.n, sizeof names / sizeof *names);
    for (int64_t i = 0; i < state.n; i++)
        ck_assert_str_eq(tg_name(state.tensor[i]), names[i]);
    tg_tape_free(t);
}
END_TEST

START_TEST(the_causal_buffer_is_ones_above_the_diagonal)
{
    const double expected[9] = {0, 1, 1, 0, 0, 1, 0, 0, 0};
    for (int dtype = TG_F32; dtype <= TG_F64; dtype++) {
        tg_tape *t = tg_tape_new((tg_dtype)dtype);
        tg_nn_causal_attention a = tg_nn_causal_attention_new(t, "a", 2, 2, 3, 0, false);
        compare("mask", a.mask, expected, 9, 0);
        ck_assert(!tg_requires_grad(a.mask));
        tg_tape_free(t);
    }
}
END_TEST

/* The buffer is for files: what position i sees is 0..i, whatever the buffer holds, and whether weights are wanted. */
START_TEST(causal_attention_is_causal_whatever_its_buffer_holds)
{
    for (int several = 0; several < 2; several++) {
        tg_tape *t = tg_tape_new(TG_F64);
        tg_tensor x = tg_randn(t, TG_SHAPE(3, 4)), weights, y[2];
        tg_nn_causal_attention a = tg_nn_causal_attention_new(t, "a", 4, 6, 5, 0, true);
        tg_nn_multi_head_attention m = tg_nn_multi_head_attention_new(t, "m", 4, 6, 5, 0, 2, true);
        tg_fill_(a.mask, 0);
        tg_fill_(m.mask, 0);
        for (int asks = 0; asks < 2; asks++)
            y[asks] = several ? tg_nn_multi_head_attention_forward(&m, x, asks ? &weights : NULL)
                              : tg_nn_causal_attention_forward(&a, x, asks ? &weights : NULL);
        WANT_OK(t);
        ck_assert_double_eq(tg_item(total(tg_triu(weights, 1))), 0);
        ck_assert_double_eq_tol(tg_item(total(weights)), several ? 2 * 3 : 3, 1e-12);
        ck_assert_double_le(tg_item(tg_amax(tg_abs(tg_sub(y[0], y[1])), TG_ALL_DIMS, false)), 1e-14);
        tg_tape_free(t);
    }
}
END_TEST

START_TEST(layers_normalise_and_look_up)
{
    tg_tape *t = tg_tape_new(TG_F64);
    tg_nn_layer_norm ln = tg_nn_layer_norm_new(t, "ln", 2, true);
    const double x[4] = {1, 3, -2, 2}, y[4] = {-1, 1, -1, 1};
    compare("layer_norm", tg_nn_layer_norm_forward(&ln, tg_from_doubles(t, TG_SHAPE(2, 2), x)), y, 4, 1e-5);
    tg_nn_rms_norm rms = tg_nn_rms_norm_new(t, "rms", 2, 0);
    const double sides[4] = {3, 4, -6, 8},
                 unit[4] = {0.6, 0.8, -0.6, 0.8}; /* root mean square: 5 / sqrt 2, 10 / sqrt 2 */
    tg_tensor over = tg_div_scalar(tg_nn_rms_norm_forward(&rms, tg_from_doubles(t, TG_SHAPE(2, 2), sides)), sqrt(2));
    compare("rms_norm", over, unit, 4, 1e-15);
    ck_assert_str_eq(tg_name(rms.weight), "rms.weight");
    tg_nn_embedding e = tg_nn_embedding_new(t, "e", 3, 2);
    const double rows[6] = {0, 1, 10, 11, 20, 21}, picked[4] = {20, 21, 0, 1};
    ck_assert_int_eq(tg_write_doubles(e.weight, rows, 6), TG_OK);
    compare("embedding", tg_nn_embedding_forward(&e, tg_from_ints(t, TG_SHAPE(2), (int64_t[]){2, 0})), picked, 4, 0);
    const double outer[6] = {3, -1, 3, 1, 13, 0}, bias[3] = {1, 2, 3}, got[3] = {1 + 3 - 3, 2 + 3 + 3, 3 + 13};
    tg_nn_linear l = tg_nn_linear_new(t, "l", 2, 3, true);
    ck_assert_int_eq(tg_write_doubles(l.weight, outer, 6), TG_OK);
    ck_assert_int_eq(tg_write_doubles(l.bias, bias, 3), TG_OK);
    compare("linear", tg_nn_linear_forward(&l, tg_from_doubles(t, TG_SHAPE(2), (double[]){1, 3})), got, 3, 0);
    tg_tape_free(t);
}
END_TEST

/* Of 0 .. 5 the mean is 5 / 2 and the variance 35 / 12; of 3, 4, 0, 0 the root mean square is 5 / 2. */
START_TEST(layers_normalise_over_several_dims)
{
    tg_tape *t = tg_tape_new(TG_F64);
    tg_nn_layer_norm ln = tg_nn_layer_norm_new_over(t, "ln", TG_SHAPE(2, 3), true);
    ln.eps = 0;
    double x[6] = {0, 1, 2, 3, 4, 5}, y[6];
    for (int j = 0; j < 6; j++)
        y[j] = (x[j] - 2.5) / sqrt(35.0 / 12);
    compare("layer_norm", tg_nn_layer_norm_forward(&ln, tg_from_doubles(t, TG_SHAPE(1, 2, 3), x)), y, 6, 1e-15);
    tg_nn_rms_norm rms = tg_nn_rms_norm_new_over(t, "rms", TG_SHAPE(2, 2), 0);
    const double sides[8] = {3, 4, 0, 0, 0, 6, 0, -8}, unit[8] = {1.2, 1.6, 0, 0, 0, 1.2, 0, -1.6};
    compare("rms_norm", tg_nn_rms_norm_forward(&rms, tg_from_doubles(t, TG_SHAPE(2, 2, 2), sides)), unit, 8, 1e-15);
    const tg_tensor parts[] = {ln.weight, ln.bias, rms.weight};
    const char *names[] = {"ln.weight", "ln.bias", "rms.weight"};
    for (int i = 0; i < 3; i++) {
        ck_assert_str_eq(tg_name(parts[i]), names[i]);
        ck_assert(tg_ndim(parts[i]) == 2 && tg_size(parts[i], 0) == 2 && tg_size(parts[i], 1) == (i < 2 ? 3 : 2));
    }
    ck_assert(tg_is_null(tg_nn_layer_norm_new_over(t, "plain", TG_SHAPE(2, 3), false).bias));
    tg_nn_layer_norm_forward(&ln, tg_from_doubles(t, TG_SHAPE(3, 2), x));
    expect_error(t, TG_ERR_SHAPE, "layer_norm: weight ln.weight (2, 3) does not fit x (3, 2)");
    tg_nn_layer_norm_new_over(t, "none", TG_SCALAR, true);
    expect_error(t, TG_ERR_ARGUMENT, "layer_norm 'none': normalized_shape has 0 dims");
    tg_nn_rms_norm_new_over(t, "none", TG_SHAPE(2, -3), 0);
    expect_error(t, TG_ERR_ARGUMENT, "rms_norm 'none': normalized_shape is -3, but must be at least 1");
    tg_tape_free(t);
}
END_TEST

/* ---- errors ---- */

START_TEST(a_layer_that_cannot_be_made_says_why)
{
    tg_tape *t = tg_tape_new(TG_F32);
    tg_nn_multi_head_attention_new(t, "mha", 3, 5, 6, 0, 2, false);
    expect_error(t, TG_ERR_SHAPE, "multi_head_attention 'mha': d_out = 5 is not divisible by 2 heads");
    tg_nn_causal_attention_new(t, "ca", 3, 2, 6, 1.5, false);
    expect_error(t, TG_ERR_ARGUMENT, "causal_attention 'ca': dropout is 1.5");
    tg_nn_causal_attention_new(t, "ca", 3, 2, 6, NAN, false);
    expect_error(t, TG_ERR_ARGUMENT, "causal_attention 'ca': dropout is nan");
    tg_nn_causal_attention_new(t, "ca", 3, 2, 0, 0, false);
    expect_error(t, TG_ERR_ARGUMENT, "causal_attention 'ca': context is 0");
    tg_nn_multi_head_wrapper_new(t, "w", 3, 2, 6, 0, 0, false);
    expect_error(t, TG_ERR_ARGUMENT, "multi_head_wrapper 'w': n_heads is 0");
    tg_nn_multi_head_attention_new(t, "mha", 3, 4, 6, 0, -2, false);
    expect_error(t, TG_ERR_ARGUMENT, "multi_head_attention 'mha': n_heads is -2");
    tg_nn_self_attention_v1_new(t, "", 3, -2);
    expect_error(t, TG_ERR_ARGUMENT, "self_attention_v1: d_out is -2");
    tg_nn_self_attention_v2_new(t, "v2", 0, 2, false);
    expect_error(t, TG_ERR_ARGUMENT, "self_attention_v2 'v2': d_in is 0");
    tg_nn_linear_new(t, "l", 3, 0, false);
    expect_error(t, TG_ERR_ARGUMENT, "linear 'l': out is 0");
    tg_nn_cross_attention_new(t, "x", 3, 3, 2, -0.1, false);
    expect_error(t, TG_ERR_ARGUMENT, "cross_attention 'x': dropout is -0.1");
    tg_nn_additive_attention_new(t, "add", 3, 3, 0);
    expect_error(t, TG_ERR_ARGUMENT, "additive_attention 'add': hidden is 0");
    tg_nn_embedding_new(t, "e", -1, 4);
    expect_error(t, TG_ERR_ARGUMENT, "embedding 'e': n is -1");
    ck_assert_int_eq(tg_state(t).n, 0);

    char name[400];
    memset(name, 'n', sizeof name - 1);
    name[sizeof name - 1] = '\0';
    tg_nn_linear_new(t, name, 2, 2, false);
    expect_error(t, TG_ERR_ARGUMENT, "399 bytes are too many; 255 fit");
    tg_nn_linear_new(t, "l", 3, 2, false);
    tg_nn_linear_new(t, "l", 3, 2, false);
    expect_error(t, TG_ERR_ARGUMENT, "'l.weight' is taken");
    ck_assert(tg_is_null(tg_nn_linear_new(NULL, "l", 3, 2, true).weight));
    tg_tape_free(t);
}
END_TEST

START_TEST(a_forward_that_cannot_be_says_why)
{
    tg_tape *t = tg_tape_new(TG_F32);
    tg_nn_causal_attention ca = tg_nn_causal_attention_new(t, "ca", 3, 2, 6, 0, false);
    tg_nn_self_attention_v1 v1 = tg_nn_self_attention_v1_new(t, "v1", 3, 2);
    tg_nn_cross_attention cross = tg_nn_cross_attention_new(t, "x", 3, 4, 2, 0, false);
    tg_nn_multi_head_wrapper wrapper = tg_nn_multi_head_wrapper_new(t, "w", 3, 2, 6, 0, 2, false);
    tg_tensor weights = ca.mask;
    ck_assert(tg_is_null(tg_nn_causal_attention_forward(&ca, tg_ones(t, TG_SHAPE(2, 7, 3)), &weights)));
    ck_assert(tg_is_null(weights));
    expect_error(t, TG_ERR_SHAPE, "causal_attention 'ca': x (2, 7, 3) has T = 7 tokens, beyond the context of 6");
    tg_nn_multi_head_wrapper_forward(&wrapper, tg_ones(t, TG_SHAPE(7, 3)), &weights);
    expect_error(t, TG_ERR_SHAPE, "causal_attention 'w.heads.0': x (7, 3) has T = 7");
    tg_nn_self_attention_v1_forward(&v1, tg_ones(t, TG_SHAPE(6, 4)), NULL);
    expect_error(t, TG_ERR_SHAPE, "self_attention_v1 'v1': x is (6, 4), but must be (T, 3) or (B, T, 3)");
    tg_nn_self_attention_v1_forward(&v1, tg_ones(t, TG_SHAPE(3)), NULL);
    expect_error(t, TG_ERR_SHAPE, "self_attention_v1 'v1': x is (3,)");
    tg_nn_self_attention_v1_forward(&v1, tg_arange(t, 3), NULL);
    expect_error(t, TG_ERR_ARGUMENT, "self_attention_v1 'v1'");
    tg_nn_self_attention_v1_forward(&v1, TG_NULL, NULL);
    expect_error(t, TG_ERR_ARGUMENT, "self_attention_v1 'v1': operand 1 is the null tensor");
    tg_nn_simple_attention(tg_ones(t, TG_SHAPE(3)), NULL);
    expect_error(t, TG_ERR_SHAPE, "simple_attention: x is (3,)");
    tg_nn_cross_attention_forward(&cross, tg_ones(t, TG_SHAPE(2, 3, 3)), tg_ones(t, TG_SHAPE(3, 4)), TG_NN_NO_MASKS,
                                  NULL);
    expect_error(t, TG_ERR_SHAPE, "cross_attention 'x': (2, 3, 3) and (3, 4) must have the same batch size");
    tg_nn_cross_attention_forward(&cross, tg_ones(t, TG_SHAPE(3, 3)), tg_ones(t, TG_SHAPE(3, 3)), TG_NN_NO_MASKS, NULL);
    expect_error(t, TG_ERR_SHAPE, "cross_attention 'x': y is (3, 3), but must be (T, 4)");
    tg_tape_free(t);
}
END_TEST

START_TEST(a_wrong_mask_says_why)
{
    tg_tape *t = tg_tape_new(TG_F64);
    tg_nn_multi_head_attention a = known_multi_head(t);
    tg_tensor x = tg_rand(t, TG_SHAPE(2, 3, 4)), weights;
    const bool wrong[16] = {false};
    tg_nn_masks m = {.key_padding_mask = tg_from_bools(t, TG_SHAPE(2, 4), wrong)};
    tg_nn_multi_head_attention_forward_masked(&a, x, m, NULL);
    expect_error(t, TG_ERR_SHAPE,
                 "multi_head_attention 'mha': key_padding_mask (2, 4) is bool, but must be bool of shape (2, 3)");
    m.key_padding_mask = tg_zeros(t, TG_SHAPE(2, 3));
    tg_nn_multi_head_attention_forward_masked(&a, x, m, &weights);
    expect_error(t, TG_ERR_SHAPE, "key_padding_mask (2, 3) is float64, but must be bool of shape (2, 3)");
    ck_assert(tg_is_null(weights));
    m = (tg_nn_masks){.attn_mask = tg_from_bools(t, TG_SHAPE(4, 4), wrong)};
    tg_nn_multi_head_attention_forward_masked(&a, x, m, NULL);
    expect_error(t, TG_ERR_SHAPE, "attn_mask (4, 4) is bool, but must be bool or floating of shape (3, 3)");
    m.attn_mask = tg_from_ints(t, TG_SHAPE(3, 3), (int64_t[9]){0});
    tg_nn_multi_head_attention_forward_masked(&a, x, m, NULL);
    expect_error(t, TG_ERR_SHAPE, "attn_mask (3, 3) is int64, but must be bool or floating of shape (3, 3)");
    m.attn_mask = tg_zeros(t, TG_SHAPE(3, 3, 3));
    tg_nn_multi_head_attention_forward_masked(&a, x, m, NULL);
    expect_error(t, TG_ERR_SHAPE, "attn_mask (3, 3, 3) is float64, but must be bool or floating of shape (2, 3, 3)");
    m.attn_mask = tg_zeros(t, TG_SHAPE(3));
    tg_nn_multi_head_attention_forward_masked(&a, x, m, NULL);
    expect_error(t, TG_ERR_SHAPE, "attn_mask (3,) is float64");
    tg_nn_attention(x, tg_zeros(t, TG_SHAPE(2, 3, 5)), x, TG_NN_NO_MASKS, 0, NULL);
    expect_error(t, TG_ERR_SHAPE, "attention: q (2, 3, 4), k (2, 3, 5) and v (2, 3, 4) must be");
    tg_nn_attention(x, tg_zeros(t, TG_SHAPE(5, 3, 4)), tg_zeros(t, TG_SHAPE(5, 3, 4)), TG_NN_NO_MASKS, 0, NULL);
    expect_error(t, TG_ERR_SHAPE, "attention: q (2, 3, 4), k (5, 3, 4) and v (5, 3, 4) must be");
    tg_nn_attention(x, x, tg_zeros(t, TG_SHAPE(1, 3, 4)), TG_NN_NO_MASKS, 0, NULL);
    expect_error(t, TG_ERR_SHAPE, "attention: q (2, 3, 4), k (2, 3, 4) and v (1, 3, 4) must be");
    tg_nn_attention(x, x, x, TG_NN_NO_MASKS, 2, NULL);
    expect_error(t, TG_ERR_ARGUMENT, "attention: dropout is 2");
    tg_tape_free(t);
}
END_TEST

START_TEST(a_wrapper_that_was_rewound_away_is_an_error)
{
    tg_tape *t = tg_tape_new(TG_F32);
    tg_mark empty = tg_tape_mark(t);
    tg_nn_multi_head_wrapper w = tg_nn_multi_head_wrapper_new(t, "w", 3, 2, 6, 0, 3, false);
    ck_assert_int_eq(tg_tape_rewind(t, empty), TG_OK);
    tg_tensor x = tg_ones(t, TG_SHAPE(6, 3));
    for (int i = 0; i < 20; i++)
        x = tg_exp(x);
    ck_assert(tg_is_null(tg_nn_multi_head_wrapper_forward(&w, x, NULL)));
    expect_error(t, TG_ERR_STALE, "multi_head_wrapper");
    tg_tape_free(t);
}
END_TEST

/* A struct whose tensors are gone, or have too few dims, is refused in the layer's name. */
START_TEST(a_struct_that_holds_anything_is_refused_by_the_layer)
{
    tg_tape *t = tg_tape_new(TG_F32);
    tg_tensor x = tg_ones(t, TG_SHAPE(6, 4)), row = tg_ones(t, TG_SHAPE(4));
    tg_mark mark = tg_tape_mark(t);
    tg_tensor gone = tg_ones(t, TG_SHAPE(12, 4));
    ck_assert_int_eq(tg_tape_rewind(t, mark), TG_OK);
    tg_nn_multihead a = {.in_proj_weight = gone, .out_proj = {x, TG_NULL}, .n_heads = 2, .n_kv_heads = 2};
    ck_assert(tg_is_null(tg_nn_multihead_forward(&a, x, x, x, TG_NN_NO_MASKS, NULL)));
    expect_error(t, TG_ERR_STALE, "multihead: operand 1");
    a.in_proj_weight = tg_ones(t, TG_SHAPE(12, 4));
    a.out_proj.weight = row;
    tg_nn_multihead_forward(&a, x, x, x, TG_NN_NO_MASKS, NULL);
    expect_error(t, TG_ERR_SHAPE, "multihead: the weight is (4,), without a dim 1");
    tg_nn_multi_head_attention b = {
        .W_query = {x, TG_NULL}, .W_key = {tg_scalar(t, 1), TG_NULL}, .W_value = {x, TG_NULL}, .n_heads = 2};
    tg_nn_multi_head_attention_forward(&b, x, NULL);
    expect_error(t, TG_ERR_SHAPE, "multi_head_attention: ");
    b.W_query.weight = row;
    tg_nn_multi_head_attention_forward(&b, x, NULL);
    expect_error(t, TG_ERR_SHAPE, "multi_head_attention: the weight is (4,), without a dim 1");
    tg_tape_free(t);
}
END_TEST

int main(void) {
    TCase *c = tcase_create("nn");
    tcase_add_loop_test(c, initial_weights_are_pytorchs, 0, N_CASES);
    tcase_add_test(c, an_embedding_is_standard_normal_at_first);
    tcase_add_loop_test(c, outputs_and_weights_are_pytorchs, 0, N_CASES);
    tcase_add_loop_test(c, gradients_with_and_without_weights_agree, 0, N_CASES);
    tcase_add_test(c, simple_attention_is_the_notebooks);
    tcase_add_test(c, dropout_is_pytorchs);
    tcase_add_loop_test(c, masks_are_pytorchs, 0, sizeof mask_golden / sizeof *mask_golden);
    tcase_add_test(c, masks_come_in_every_shape_of_the_weights);
    tcase_add_test(c, a_mask_that_hides_everything_gives_zeros);
    tcase_add_test(c, attention_without_channels_is_the_mean);
    tcase_add_test(c, attention_without_heads_is_empty);
    tcase_add_test(c, parameters_have_pytorchs_names);
    tcase_add_test(c, the_causal_buffer_is_ones_above_the_diagonal);
    tcase_add_test(c, causal_attention_is_causal_whatever_its_buffer_holds);
    tcase_add_test(c, layers_normalise_and_look_up);
    tcase_add_test(c, layers_normalise_over_several_dims);
    tcase_add_test(c, a_layer_that_cannot_be_made_says_why);
    tcase_add_test(c, a_forward_that_cannot_be_says_why);
    tcase_add_test(c, a_wrong_mask_says_why);
    tcase_add_test(c, a_wrapper_that_was_rewound_away_is_an_error);
    tcase_add_test(c, a_struct_that_holds_anything_is_refused_by_the_layer);
    return run_suite("nn", c);
}
