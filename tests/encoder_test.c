/* Multi-head attention and encoder layers as torch.nn has them: initial weights, names, outputs, gradients, files and
 * masks against PyTorch (tests/golden/make_encoder.py), gradient checks, and what they refuse. */
#include "nn/nn.h"
#include "tests/golden/encoder.h"
#include "tests/support.h"

#include <unistd.h>

enum { N_CASES = sizeof encoder_golden / sizeof *encoder_golden, E = 8, HEADS = 4, FIRST_LAYER = 16, MAX_INPUTS = 3 };

static bool is_case(int i, const char *name) { return strcmp(encoder_golden[i].name, name) == 0; }

static bool says(int i, const char *words) { return strstr(encoder_golden[i].name, words) != NULL; }

/* ---- the cases of the goldens, in their order ---- */

typedef struct made {
    tg_nn_multihead attention;
    tg_nn_encoder_layer layer;
    tg_tensor input[MAX_INPUTS];
    int inputs;
    tg_nn_masks masks;
} made;

static made new_case(tg_tape *t, int i, double dropout) {
    made c = {.masks = TG_NN_NO_MASKS};
    tg_nn_multihead_config m = TG_NN_MULTIHEAD_DEFAULTS;
    tg_nn_encoder_layer_config l = TG_NN_ENCODER_LAYER_DEFAULTS;
    tg_manual_seed(t, 123);
    m.in_proj_bias = m.out_proj_bias = l.bias =
        !says(i, "without biases") && !is_case(i, "self without batch, with both");
    if (says(i, "other sizes")) {
        m.kdim = m.in_proj_bias ? 5 : E;
        m.vdim = m.in_proj_bias ? E : 5;
    }
    m.add_bias_kv = says(i, "bias_k") || says(i, "with both");
    m.add_zero_attn = says(i, "with zeros") || says(i, "with both");
    m.n_kv_heads = is_case(i, "grouped queries") ? 2 : is_case(i, "one head of keys") ? 1 : 0;
    l.dim_feedforward = 12;
    l.dropout = dropout;
    l.norm_first = is_case(i, "encoder layer, gelu, norm first") || is_case(i, "encoder layer, causal");
    l.activation = is_case(i, "encoder layer, gelu, norm first") ? TG_NN_GELU : TG_NN_RELU;
    l.layer_norm_eps = l.bias ? 1e-5 : 1e-3;
    if (i < FIRST_LAYER)
        c.attention = tg_nn_multihead_new(t, "", E, HEADS, m);
    else
        c.layer = tg_nn_encoder_layer_new(t, "", E, HEADS, l);
    WANT_OK(t);
    return c;
}

/* numbers() of make_encoder.py */
static tg_tensor numbers(tg_tape *t, tg_shape shape, double turn, double more) {
    double values[96];
    int64_t n = tg_shape_numel(&shape);
    for (int64_t j = 0; j < n; j++)
        values[j] = sin(turn * (double)j + turn) + more;
    return tg_set_requires_grad(tg_from_doubles(t, shape, values), true);
}

static void make_inputs(tg_tape *t, int i, made *c) {
    static const bool padding[] = {0, 0, 0, 1, 0, 1, 0, 0}, hidden[] = {0, 1, 0, 1, 0, 0, 1, 0, 1, 0, 0, 0};
    static const bool some[] = {0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0};
    static const bool later[] = {0, 1, 1, 1, 0, 0, 1, 1, 0, 0, 0, 1, 0, 0, 0, 0};
    bool has_batch = !says(i, "self without batch") && !is_case(i, "encoder layer without biases");
    tg_tensor x = numbers(t, has_batch ? TG_SHAPE(2, 4, E) : TG_SHAPE(4, E), 0.7, 0);
    c->inputs = 1;
    c->input[0] = c->input[1] = c->input[2] = x;
    if ((says(i, "cross") && !says(i, "later")) || is_case(i, "one head of keys")) {
        c->input[0] = numbers(t, TG_SHAPE(2, 3, E), 1.3, 0);
        c->inputs = 2;
    }
    if (says(i, "cross, hidden") || says(i, "cross, other sizes"))
        c->inputs = 3;
    if (says(i, "cross, hidden")) {
        c->input[2] = numbers(t, TG_SHAPE(2, 4, E), 0.7, 1);
        c->masks.attn_mask = tg_from_bools(t, TG_SHAPE(3, 4), hidden);
    }
    if (is_case(i, "other values") || says(i, "later")) {
        c->inputs = 2;
        c->input[2] = numbers(t, TG_SHAPE(2, 4, E), 0.7, 1);
    }
    if (says(i, "cross, other sizes") && !says(i, "without biases")) {
        c->input[1] = numbers(t, TG_SHAPE(2, 4, 5), 1.9, 0);
        c->masks.attn_mask = tg_set_requires_grad(numbers(t, TG_SHAPE(3, 4), 2.3, 0), false);
    }
    if (is_case(i, "cross, other sizes without biases"))
        c->input[2] = numbers(t, TG_SHAPE(2, 4, 5), 1.9, 0);
    if (is_case(i, "self without biases") || is_case(i, "cross") || is_case(i, "encoder layer, gelu, norm first") ||
        says(i, "bias_k") || says(i, "padded"))
        c->masks.key_padding_mask = tg_from_bools(t, TG_SHAPE(2, 4), padding);
    if (is_case(i, "self without batch"))
        c->masks.attn_mask = tg_from_bools(t, TG_SHAPE(4, 4), later);
    if (is_case(i, "self without batch, with both"))
        c->masks.attn_mask = tg_from_bools(t, TG_SHAPE(4, 4), some);
    if (says(i, "later"))
        c->masks.attn_mask = tg_set_requires_grad(numbers(t, TG_SHAPE(4, 4), 2.3, 0), false);
    c->masks.causal = is_case(i, "encoder layer without biases") || is_case(i, "encoder layer, causal") ||
                      is_case(i, "self without batch, with both") || says(i, "later");
}

static tg_tensor forward(int i, const made *c, tg_tensor *weights) {
    if (i >= FIRST_LAYER)
        return tg_nn_encoder_layer_forward(&c->layer, c->input[0], c->masks);
    return tg_nn_multihead_forward(&c->attention, c->input[0], c->input[1], c->input[2], c->masks, weights);
}

/* moved() of make_encoder.py: float32's initial weights, a little aside. */
static void move_weights(tg_tape *t, int i) {
    tg_list all = tg_parameters(t);
    const double *initial = encoder_golden[i].initial;
    for (int64_t k = 0; k < all.n; k++) {
        double values[256];
        int64_t n = tg_numel(all.tensor[k]);
        for (int64_t j = 0; j < n; j++)
            values[j] = *initial++ + 0.1 * sin(3 * (double)j + 1);
        ck_assert_int_eq(tg_write_doubles(all.tensor[k], values, n), TG_OK);
    }
}

/* ---- against PyTorch ---- */

static void compare(const char *what, tg_tensor x, const double **expected, double tolerance) {
    double got[256];
    int64_t n = tg_numel(x);
    ck_assert_msg(n > 0 && n <= 256, "%s: %s", what, x.tape ? tg_error(x.tape) : "null");
    ck_assert_int_eq(tg_read_doubles(x, got, n), TG_OK);
    for (int64_t j = 0; j < n; j++)
        ck_assert_msg(fabs(got[j] - (*expected)[j]) <= tolerance, "%s, element %lld: %.17g, not %.17g", what,
                      (long long)j, got[j], (*expected)[j]);
    *expected += n;
}

START_TEST(initial_weights_and_names_are_pytorchs)
{
    tg_tape *t = tg_tape_new(TG_F32);
    new_case(t, _i, 0);
    tg_list all = tg_parameters(t);
    const double *initial = encoder_golden[_i].initial;
    char names[512] = "";
    for (int64_t k = 0; k < all.n; k++) {
        compare(tg_name(all.tensor[k]), all.tensor[k], &initial, 0);
        strcat(strcat(names, tg_name(all.tensor[k])), " ");
    }
    ck_assert_str_eq(names, encoder_golden[_i].parameters);
    tg_tape_free(t);
}
END_TEST

/* The output, and gradients within so much of their tensor's largest; with and without attention weights. */
static void agree(int i, tg_dtype dtype, double of_output, double of_gradients, bool asks) {
    tg_tape *t = tg_tape_new(dtype);
    made c = new_case(t, i, 0);
    tg_tensor weights = TG_NULL;
    make_inputs(t, i, &c);
    move_weights(t, i);
    tg_tensor y = forward(i, &c, asks ? &weights : NULL);
    const double *expected = encoder_golden[i].y;
    compare("y", y, &expected, of_output);
    if (asks && encoder_golden[i].weights) {
        expected = encoder_golden[i].weights;
        compare("weights", weights, &expected, of_output);
    }
    double cotangent[96];
    for (int64_t j = 0; j < tg_numel(y); j++)
        cotangent[j] = cos((double)j);
    run_backward(total(tg_mul(y, tg_from_doubles(t, tg_shape_of(y), cotangent))));
    tg_list all = tg_parameters(t);
    for (int part = 0; part < 2; part++) {
        expected = part ? encoder_golden[i].dparameters : encoder_golden[i].dx;
        for (int64_t k = 0; k < (part ? all.n : c.inputs); k++) {
            tg_tensor x = part ? all.tensor[k] : c.input[k && (is_case(i, "other values") || says(i, "later")) ? 2 : k];
            double largest = 0;
            for (int64_t j = 0; j < tg_numel(x); j++)
                largest = fmax(largest, fabs(expected[j]));
            /* A bias of the keys moves all scores of a query alike: its gradient is 0 but for rounding. */
            compare(part ? tg_name(x) : "an input", tg_grad(x), &expected, of_gradients * fmax(largest, 0.1));
        }
    }
    tg_tape_free(t);
}

START_TEST(outputs_and_gradients_are_pytorchs)
{
    for (int asks = 0; asks < 2; asks++) {
        agree(_i, TG_F64, 1e-12, 1e-12, asks);
        agree(_i, TG_F32, 1e-6, 1e-5, asks);
    }
}
END_TEST

START_TEST(dropout_is_pytorchs)
{
    tg_tape *t = tg_tape_new(TG_F64);
    made c = new_case(t, FIRST_LAYER, 0.3);
    make_inputs(t, FIRST_LAYER, &c);
    move_weights(t, FIRST_LAYER);
    c.input[0] = tg_select(c.input[0], 0, 0);
    tg_manual_seed(t, 7);
    const double *expected = encoder_dropout;
    compare("in train mode", forward(FIRST_LAYER, &c, NULL), &expected, 1e-12);
    tg_eval(t);
    expected = encoder_golden[FIRST_LAYER].y;
    compare("in eval mode", forward(FIRST_LAYER, &c, NULL), &expected, 1e-12);
    tg_tape_free(t);
}
END_TEST

START_TEST(a_state_dict_loads_as_it_is)
{
    char folder[200], path[256];
    ck_assert(make_folder("encoder", folder, sizeof folder));
    snprintf(path, sizeof path, "%s/layer.safetensors", folder);
    FILE *f = fopen(path, "wb");
    ck_assert_ptr_nonnull(f);
    ck_assert_uint_eq(fwrite(encoder_file, 1, sizeof encoder_file, f), sizeof encoder_file);
    fclose(f);
    tg_tape *t = tg_tape_new(TG_F64);
    tg_nn_encoder_layer_config config = {12, 0.5, 1e-5, TG_NN_GELU, false, true};
    tg_nn_encoder_layer l = tg_nn_encoder_layer_new(t, "encoder.layers.0", E, HEADS, config);
    ck_assert_msg(tg_load(t, path) == TG_OK, "%s", tg_error(t));
    tg_eval(t);
    const double *expected = encoder_file_y;
    compare("y", tg_nn_encoder_layer_forward(&l, numbers(t, TG_SHAPE(2, 4, E), 0.7, 0), TG_NN_NO_MASKS), &expected,
            1e-12);
    tg_tape_free(t);
    ck_assert_int_eq(unlink(path), 0);
    ck_assert_int_eq(rmdir(folder), 0);
}
END_TEST

/* ---- gradient check ---- */

START_TEST(the_gradient_check_finds_them_right)
{
    for (int dropout = 0; dropout < 2; dropout++) {
        tg_tape *t = tg_tape_new(TG_F64);
        made c = new_case(t, _i, dropout ? 0.4 : 0);
        make_inputs(t, _i, &c);
        move_weights(t, _i);
        tg_gradcheck_result r;
        ck_assert_msg(tg_gradcheck(forward(_i, &c, NULL), TG_GRADCHECK_DEFAULTS, &r) == TG_OK, "%s", r.summary);
        tg_tape_free(t);
    }
}
END_TEST

/* ---- errors ---- */

enum { N_BAD_EPS = 3 };
static const double bad_eps[N_BAD_EPS] = {-1, NAN, INFINITY};

START_TEST(what_cannot_be_made_says_why)
{
    tg_tape *t = tg_tape_new(TG_F32);
    tg_nn_multihead_config m = TG_NN_MULTIHEAD_DEFAULTS;
    tg_nn_multihead_new(t, "a", 8, 3, m);
    WANT_ERROR(t, TG_ERR_SHAPE, "multihead 'a': ", "embed_dim = 8", "n_heads = 3");
    m.n_kv_heads = 3;
    tg_nn_multihead_new(t, "a", 8, 4, m);
    WANT_ERROR(t, TG_ERR_SHAPE, "multihead 'a': ", "n_heads = 4", "n_kv_heads = 3");
    m.n_kv_heads = -1;
    tg_nn_multihead_new(t, "a", 8, 4, m);
    WANT_ERROR(t, TG_ERR_ARGUMENT, "multihead 'a': n_kv_heads is -1");
    tg_nn_multihead_new(t, "a", 0, 4, TG_NN_MULTIHEAD_DEFAULTS);
    WANT_ERROR(t, TG_ERR_ARGUMENT, "multihead 'a': embed_dim is 0");
    m = (tg_nn_multihead_config){.kdim = -3};
    tg_nn_multihead_new(t, "a", 8, 4, m);
    WANT_ERROR(t, TG_ERR_ARGUMENT, "multihead 'a': kdim is -3");
    m = (tg_nn_multihead_config){.dropout = 2};
    tg_nn_multihead_new(t, "a", 8, 4, m);
    WANT_ERROR(t, TG_ERR_ARGUMENT, "multihead 'a': dropout is 2");
    tg_nn_encoder_layer_config l = TG_NN_ENCODER_LAYER_DEFAULTS;
    l.dim_feedforward = 0;
    tg_nn_encoder_layer_new(t, "e", 8, 4, l);
    WANT_ERROR(t, TG_ERR_ARGUMENT, "encoder_layer 'e': dim_feedforward is 0");
    tg_nn_encoder_layer_new(t, "e", 8, 5, TG_NN_ENCODER_LAYER_DEFAULTS);
    WANT_ERROR(t, TG_ERR_SHAPE, "multihead 'e.self_attn': ", "n_heads = 5");
    l = TG_NN_ENCODER_LAYER_DEFAULTS;
    l.activation = (tg_nn_activation)2;
    ck_assert(tg_is_null(tg_nn_encoder_layer_new(t, "e", 8, 4, l).norm1.weight));
    WANT_ERROR(t, TG_ERR_ARGUMENT, "encoder_layer 'e': activation is 2, but must be TG_NN_RELU or TG_NN_GELU");
    for (int i = 0; i < N_BAD_EPS; i++) {
        l = TG_NN_ENCODER_LAYER_DEFAULTS;
        l.layer_norm_eps = bad_eps[i];
        ck_assert(tg_is_null(tg_nn_encoder_layer_new(t, "e", 8, 4, l).norm1.weight));
        WANT_ERROR(t, TG_ERR_ARGUMENT, "encoder_layer 'e': layer_norm_eps is ", "must be finite and at least 0");
        ck_assert(tg_is_null(tg_nn_rms_norm_new(t, "r", 8, bad_eps[i]).weight));
        WANT_ERROR(t, TG_ERR_ARGUMENT, "rms_norm 'r': eps is ", "must be finite and at least 0");
    }
    tg_tape_free(t);
}
END_TEST

START_TEST(what_cannot_be_computed_says_why)
{
    tg_tape *t = tg_tape_new(TG_F32);
    tg_tensor x = tg_ones(t, TG_SHAPE(2, 3, 8)), y = tg_ones(t, TG_SHAPE(2, 4, 8)), narrow = tg_ones(t, TG_SHAPE(3, 7));
    tg_nn_multihead a = tg_nn_multihead_new(t, "a", 8, 4, TG_NN_MULTIHEAD_DEFAULTS);
    tg_tensor weights = x;
    ck_assert(tg_is_null(tg_nn_multihead_forward(&a, x, x, y, TG_NN_NO_MASKS, &weights)) && tg_is_null(weights));
    WANT_ERROR(t, TG_ERR_SHAPE, "multihead 'a': k (2, 3, 8) and v (2, 4, 8)");
    ck_assert(tg_is_null(tg_nn_multihead_forward(&a, narrow, x, x, TG_NN_NO_MASKS, NULL)));
    WANT_ERROR(t, TG_ERR_SHAPE, "multihead 'a': q is (3, 7)", "(T, 8)");
    ck_assert(tg_is_null(tg_nn_multihead_forward(&a, x, tg_select(x, 0, 0), x, TG_NN_NO_MASKS, NULL)));
    WANT_ERROR(t, TG_ERR_SHAPE, "multihead 'a': ", "same batch size");
    a.n_heads = 3;
    ck_assert(tg_is_null(tg_nn_multihead_forward(&a, x, x, x, TG_NN_NO_MASKS, NULL)));
    WANT_ERROR(t, TG_ERR_SHAPE, "multihead 'a': ", "n_heads = 3");
    a.n_heads = 4;
    a.n_kv_heads = 2;
    ck_assert(tg_is_null(tg_nn_multihead_forward(&a, x, x, x, TG_NN_NO_MASKS, NULL)));
    WANT_ERROR(t, TG_ERR_SHAPE, "multihead 'a': a.in_proj_weight (24, 8) does not fit 4 and 2 heads");
    a = (tg_nn_multihead){0};
    ck_assert(tg_is_null(tg_nn_multihead_forward(&a, x, x, x, TG_NN_NO_MASKS, NULL)));
    WANT_ERROR(t, TG_ERR_ARGUMENT, "multihead: ");
    ck_assert(tg_is_null(tg_nn_multihead_forward(NULL, x, x, x, TG_NN_NO_MASKS, NULL)));
    WANT_ERROR(t, TG_ERR_ARGUMENT, "multihead: the layer is NULL");
    tg_nn_encoder_layer l = tg_nn_encoder_layer_new(t, "e", 8, 4, TG_NN_ENCODER_LAYER_DEFAULTS);
    ck_assert(tg_is_null(tg_nn_encoder_layer_forward(&l, narrow, TG_NN_NO_MASKS)));
    WANT_ERROR(t, TG_ERR_SHAPE, "encoder_layer 'e': x is (3, 7)");
    ck_assert(tg_is_null(tg_nn_encoder_layer_forward(NULL, x, TG_NN_NO_MASKS)));
    WANT_ERROR(t, TG_ERR_ARGUMENT, "encoder_layer: the layer is NULL");
    l = (tg_nn_encoder_layer){0};
    ck_assert(tg_is_null(tg_nn_encoder_layer_forward(&l, x, TG_NN_NO_MASKS)));
    WANT_ERROR(t, TG_ERR_ARGUMENT, "encoder_layer: ");
    tg_tape_free(t);
}
END_TEST

static void want_refused(tg_nn_encoder_layer l, tg_tensor x, const char *error) {
    tg_tape *t = tg_tape_of(x);
    ck_assert_msg(tg_is_null(tg_nn_encoder_layer_forward(&l, x, TG_NN_NO_MASKS)), "not refused: %s", error);
    WANT_ERROR(t, TG_ERR_ARGUMENT, error);
}

START_TEST(both_norms_of_an_encoder_layer_are_looked_at)
{
    tg_tape *t = tg_tape_new(TG_F64);
    tg_tensor x = tg_ones(t, TG_SHAPE(3, 8));
    tg_nn_encoder_layer right = tg_nn_encoder_layer_new(t, "e", 8, 4, TG_NN_ENCODER_LAYER_DEFAULTS), l = right;
    l.norm1.weight = TG_NULL;
    want_refused(l, x, "encoder_layer: ");
    l = right;
    l.norm2.weight = TG_NULL;
    want_refused(l, x, "encoder_layer 'e': norm2.weight is the null tensor");
    for (int i = 0; i < N_BAD_EPS; i++) {
        l = right;
        l.norm1.eps = bad_eps[i];
        want_refused(l, x, "encoder_layer 'e': norm1.eps is ");
        l = right;
        l.norm2.eps = bad_eps[i];
        want_refused(l, x, "encoder_layer 'e': norm2.eps is ");
    }
    l = right;
    l.activation = (tg_nn_activation)7;
    want_refused(l, x, "encoder_layer 'e': activation is 7");
    tg_tape_free(t);
}
END_TEST

START_TEST(masks_are_for_the_keys_that_are_given)
{
    tg_tape *t = tg_tape_new(TG_F32);
    tg_nn_multihead_config m = TG_NN_MULTIHEAD_DEFAULTS;
    m.add_bias_kv = m.add_zero_attn = true;
    m.n_kv_heads = 2;
    tg_tensor x = tg_randn(t, TG_SHAPE(2, 3, 8)), y = tg_randn(t, TG_SHAPE(2, 4, 8)), weights;
    tg_nn_multihead a = tg_nn_multihead_new(t, "a", 8, 4, m), other = a;
    tg_nn_masks masks = {.attn_mask = tg_zeros(t, TG_SHAPE(3, 6))};
    ck_assert(tg_is_null(tg_nn_multihead_forward(&a, x, y, y, masks, NULL)));
    WANT_ERROR(t, TG_ERR_SHAPE, "multihead 'a': attn_mask ", "(3, 6)", "for 4 keys");
    masks = (tg_nn_masks){.key_padding_mask = tg_zeros(t, TG_SHAPE(2, 4))};
    ck_assert(tg_is_null(tg_nn_multihead_forward(&a, x, y, y, masks, NULL)));
    WANT_ERROR(t, TG_ERR_SHAPE, "multihead 'a': key_padding_mask ", "must be bool, for 4 keys");
    masks = (tg_nn_masks){.key_padding_mask = tg_to_bool(tg_zeros(t, TG_SHAPE(3, 4)))};
    ck_assert(tg_is_null(tg_nn_multihead_forward(&a, x, y, y, masks, NULL)));
    WANT_ERROR(t, TG_ERR_SHAPE, "multihead 'a': key_padding_mask ", "(2, 6)");
    masks = (tg_nn_masks){.attn_mask = tg_from_ints(t, TG_SHAPE(1, 4), (int64_t[]){0, 1, 0, 0})};
    ck_assert(tg_is_null(tg_nn_multihead_forward(&a, x, y, y, masks, NULL)));
    WANT_ERROR(t, TG_ERR_SHAPE, "multihead 'a': attn_mask ", "int64", "bool or floating");
    other.bias_v = TG_NULL;
    ck_assert(tg_is_null(tg_nn_multihead_forward(&other, x, y, y, TG_NN_NO_MASKS, NULL)));
    WANT_ERROR(t, TG_ERR_ARGUMENT, "multihead 'a': bias_v is the null tensor");
    other.bias_v = x;
    ck_assert(tg_is_null(tg_nn_multihead_forward(&other, x, y, y, TG_NN_NO_MASKS, NULL)));
    WANT_ERROR(t, TG_ERR_SHAPE, "multihead 'a': bias_v is (2, 3, 8), but must be (1, 1, 4)");
    /* all that is given is hidden, by a mask with 1s: what is added is seen */
    masks = (tg_nn_masks){.attn_mask = tg_to_bool(tg_ones(t, TG_SHAPE(1, 1))), .causal = true};
    tg_nn_multihead_forward(&a, x, y, y, masks, &weights);
    WANT_OK(t);
    tg_shape shape = tg_shape_of(weights);
    ck_assert(shape.ndim == 4 && shape.size[1] == 4 && shape.size[2] == 3 && shape.size[3] == 4 + 2);
    ck_assert_double_eq(tg_item(tg_amax(tg_slice(weights, -1, 0, 4, 1), TG_ALL_DIMS, false)), 0);
    ck_assert_double_eq_tol(tg_item(total(weights)), 2 * 4 * 3, 1e-5);
    tg_tape_free(t);
}
END_TEST

int main(void) {
    TCase *c = tcase_create("encoder");
    tcase_add_loop_test(c, initial_weights_and_names_are_pytorchs, 0, N_CASES);
    tcase_add_loop_test(c, outputs_and_gradients_are_pytorchs, 0, N_CASES);
    tcase_add_test(c, dropout_is_pytorchs);
    tcase_add_test(c, a_state_dict_loads_as_it_is);
    tcase_add_loop_test(c, the_gradient_check_finds_them_right, 0, N_CASES);
    tcase_add_test(c, what_cannot_be_made_says_why);
    tcase_add_test(c, what_cannot_be_computed_says_why);
    tcase_add_test(c, both_norms_of_an_encoder_layer_are_looked_at);
    tcase_add_test(c, masks_are_for_the_keys_that_are_given);
    return run_suite("encoder", c);
}
