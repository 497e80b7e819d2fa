/* No argument crashes nn: every public function is called with NULL, zeroed structs and anything else (hostile.h). What
 * is wrong is said by the layer that was called. Run under sanitizers this is where it counts. */
#include "nn/nn.h"
#include "tests/hostile.h"

/* ---- making layers ---- */

/* last is what the constructor makes last: null after any error. */
#define MADE(call, last)                                                              \
    do {                                                                              \
        tg_mark mark = tg_tape_mark(tape);                                            \
        look(#call, tg_is_null((call).last), tape);                                   \
        ck_assert_int_eq(tg_tape_rewind(tape, mark), tape ? TG_OK : TG_ERR_ARGUMENT); \
    } while (0)

static void make_all(tg_tape *tape, const char *name, int64_t a, int64_t b, double p) {
    int heads = b > INT_MAX ? INT_MAX : b < INT_MIN ? INT_MIN : (int)b;
    MADE(tg_nn_linear_new(tape, name, a, b, true), bias);
    MADE(tg_nn_embedding_new(tape, name, a, b), weight);
    MADE(tg_nn_layer_norm_new(tape, name, a, true), bias);
    MADE(tg_nn_rms_norm_new(tape, name, a, p), weight);
    MADE(tg_nn_layer_norm_new_over(tape, name, TG_SHAPE(a, b), true), bias);
    MADE(tg_nn_rms_norm_new_over(tape, name, TG_SHAPE(a, b), p), weight);
    MADE(tg_nn_layer_norm_new_over(tape, name, (TG_LITERAL(tg_shape){heads, {a, b}}), true), bias);
    MADE(tg_nn_self_attention_v1_new(tape, name, a, b), W_value);
    MADE(tg_nn_self_attention_v2_new(tape, name, a, b, true), W_value.bias);
    MADE(tg_nn_causal_attention_new(tape, name, 3, a, b, p, true), mask);
    MADE(tg_nn_multi_head_wrapper_new(tape, name, 3, 2, a, p, heads, true), last);
    MADE(tg_nn_multi_head_attention_new(tape, name, 3, a, 0, p, heads, true), out_proj.bias);
    MADE(tg_nn_multi_head_attention_new(tape, name, a, 3, b ? b : 1, p, 1, true), mask);
    MADE(tg_nn_cross_attention_new(tape, name, a, 3, b, p, true), W_value.bias);
    MADE(tg_nn_additive_attention_new(tape, name, a, 3, b), v.weight);
    MADE(tg_nn_multihead_new(tape, name, a, heads, TG_NN_MULTIHEAD_DEFAULTS), out_proj.bias);
    MADE(tg_nn_multihead_new(tape, name, 4, 2,
                             (TG_LITERAL(tg_nn_multihead_config){a, b, heads, p, true, true, true, true})),
         out_proj.bias);
    MADE(
        tg_nn_encoder_layer_new(tape, name, 4, heads,
                                (TG_LITERAL(tg_nn_encoder_layer_config){a, p, p, (tg_nn_activation)heads, true, true})),
        norm2.bias);
}

START_TEST(layers_of_any_size_and_name_do_not_crash)
{
    char long_name[1000];
    memset(long_name, 'n', sizeof long_name);
    long_name[sizeof long_name - 1] = '\0';
    const char *const names[] = {NULL, "", "%s%n", "a\n\x1b[31m", long_name};
    enum { N = N_SIZES * N_SIZES * N_NUMBERS };
    for (int i = 0; i < N; i++) {
        int64_t a = sizes[i % N_SIZES], b = sizes[i / N_SIZES % N_SIZES];
        double p = numbers[i / (N_SIZES * N_SIZES)];
        make_all(t, names[i % 5], a, b, p);
        make_all(NULL, names[i % 5], a, b, p);
    }
}
END_TEST

START_TEST(a_layer_without_memory_names_itself)
{
    tg_nn_linear_new(t, "l", INT64_MAX, 3, true);
    WANT_ERROR(t, TG_ERR_MEMORY, "linear 'l'", "weight", "(3, 9223372036854775807)");
    tg_nn_causal_attention_new(t, "c", 3, 2, 1 << 20, 0, false);
    WANT_ERROR(t, TG_ERR_MEMORY, "causal_attention 'c'", "mask", "(1048576, 1048576)");
    tg_nn_self_attention_v1_new(t, "s", 1 << 20, 1 << 20);
    WANT_ERROR(t, TG_ERR_MEMORY, "self_attention_v1 's'", "W_query", "(1048576, 1048576)");
    tg_nn_multi_head_wrapper_new(t, "w", 3, 2, 4, 0, INT_MAX, false);
    WANT_ERROR(t, TG_ERR_MEMORY, sizeof(size_t) > 4 ? "memory" : "too many");
}
END_TEST

/* ---- forwards ---- */

static tg_nn_linear any_linear(void) { return (tg_nn_linear){any(), below(4) ? TG_NULL : any()}; }
static tg_nn_masks any_masks(void) {
    tg_nn_masks m = {below(3) ? TG_NULL : any(), below(3) ? TG_NULL : any(), below(2)};
    return m;
}
/* layer is NULL at times. Its tape is that of its first tensor. */
#define FORWARD(function, type, layer, first, ...)                                                                  \
    do {                                                                                                            \
        const type *given = below(8) ? &layer : NULL;                                                               \
        look(#function, tg_is_null(function(given, __VA_ARGS__)), (given && layer.first.tape) || x.tape || y.tape); \
        look(#function " of a zeroed layer", tg_is_null(function(&(type){0}, __VA_ARGS__)), x.tape || y.tape);      \
    } while (0)

/* Adapters of a layer that is there, by any pattern, then what the layer computes. */
static void add_adapters(tg_tensor x) {
    static const char *const patterns[] = {NULL, "", "*", "l", "l.weight,no", ",", "%s%n*", "***l***t,*"};
    tg_nn_linear l = tg_nn_linear_new(t, "l", 3, 3, true);
    tg_nn_lora_config config = {any_count(), any_number(), any_number()};
    tg_tape *tape = below(8) ? t : NULL;
    look("tg_nn_lora_add", tg_nn_lora_add(tape, patterns[below(8)], config) != TG_OK, tape);
    tg_list adapters = tg_nn_lora_parameters(tape);
    ck_assert(adapters.n == 0 || adapters.n == 2);
    look("tg_nn_linear_forward with an adapter", tg_is_null(tg_nn_linear_forward(&l, x)), true);
    for (int i = 0; i < 2; i++)
        look("tg_nn_lora_set_merged", tg_nn_lora_set_merged(tape, below(2)) != TG_OK, tape);
}

static void forward_all(int i) {
    tg_tensor out, x, y, *weights = below(2) ? &out : NULL;
    names_a_tape = false;
    x = any();
    y = i < 9 || (i > 11 && i != 14) ? TG_NULL : any();
    switch (i) {
    case 0: {
        tg_nn_linear l = any_linear();
        FORWARD(tg_nn_linear_forward, tg_nn_linear, l, weight, x);
        break;
    }
    case 1: {
        tg_nn_embedding l = {any()};
        FORWARD(tg_nn_embedding_forward, tg_nn_embedding, l, weight, x);
        break;
    }
    case 2: {
        tg_nn_layer_norm l = {any(), any(), any_number()};
        FORWARD(tg_nn_layer_norm_forward, tg_nn_layer_norm, l, weight, x);
        break;
    }
    case 3: {
        tg_nn_self_attention_v1 l = {any(), any(), any()};
        FORWARD(tg_nn_self_attention_v1_forward, tg_nn_self_attention_v1, l, W_query, x, weights);
        break;
    }
    case 4: {
        tg_nn_self_attention_v2 l = {any_linear(), any_linear(), any_linear()};
        FORWARD(tg_nn_self_attention_v2_forward, tg_nn_self_attention_v2, l, W_query.weight, x, weights);
        break;
    }
    case 5: {
        tg_nn_causal_attention l = {any_linear(), any_linear(), any_linear(), any(), any_number()};
        FORWARD(tg_nn_causal_attention_forward, tg_nn_causal_attention, l, W_query.weight, x, weights);
        break;
    }
    case 6: {
        tg_nn_causal_attention head = {any_linear(), any_linear(), any_linear(), any(), any_number()};
        int n = any_count();
        tg_nn_multi_head_wrapper l = {below(4) ? &head : NULL, n > 1 && n < INT_MAX ? 1 : n, any()};
        if (l.n_heads == INT_MAX) /* the count of heads must be true, or 0 */
            l.n_heads = 0;
        FORWARD(tg_nn_multi_head_wrapper_forward, tg_nn_multi_head_wrapper, l, last, x, weights);
        break;
    }
    case 7: {
        tg_nn_multi_head_attention l = {any_linear(), any_linear(), any_linear(), any_linear(),
                                        any(),        any_number(), any_count()};
        FORWARD(tg_nn_multi_head_attention_forward, tg_nn_multi_head_attention, l, W_query.weight, x, weights);
        break;
    }
    case 8: {
        tg_nn_multi_head_attention l = {any_linear(), any_linear(), any_linear(), any_linear(),
                                        TG_NULL,      any_number(), any_count()};
        tg_nn_masks m = any_masks();
        FORWARD(tg_nn_multi_head_attention_forward_masked, tg_nn_multi_head_attention, l, W_query.weight, x, m,
                weights);
        break;
    }
    case 9: {
        tg_nn_cross_attention l = {any_linear(), any_linear(), any_linear(), any_number()};
        FORWARD(tg_nn_cross_attention_forward, tg_nn_cross_attention, l, W_query.weight, x, y, any_masks(), weights);
        break;
    }
    case 10: {
        tg_nn_additive_attention l = {any_linear(), any_linear(), any_linear()};
        FORWARD(tg_nn_additive_attention_forward, tg_nn_additive_attention, l, W_1.weight, x, y, any_masks(), weights);
        break;
    }
    case 11:
        look("tg_nn_attention", tg_is_null(tg_nn_attention(x, y, any(), any_masks(), any_number(), weights)),
             names_a_tape);
        break;
    case 13: {
        tg_nn_rms_norm l = {any(), any_number()};
        FORWARD(tg_nn_rms_norm_forward, tg_nn_rms_norm, l, weight, x);
        break;
    }
    case 14: {
        tg_nn_multihead l = {below(3) ? any() : TG_NULL,
                             any(),
                             any(),
                             any(),
                             any(),
                             below(3) ? TG_NULL : any(),
                             below(3) ? TG_NULL : any(),
                             any_linear(),
                             any_count(),
                             any_count(),
                             any_number(),
                             below(2)};
        FORWARD(tg_nn_multihead_forward, tg_nn_multihead, l, in_proj_weight, x, y, y, any_masks(), weights);
        break;
    }
    case 15: {
        tg_nn_encoder_layer l = {{below(3) ? any() : TG_NULL, any(), any(), any(), any(), TG_NULL, TG_NULL,
                                  any_linear(), any_count(), any_count(), any_number(), false},
                                 any_linear(),
                                 any_linear(),
                                 {any(), any(), any_number()},
                                 {any(), any(), any_number()},
                                 any_number(),
                                 (tg_nn_activation)any_count(),
                                 below(2)};
        FORWARD(tg_nn_encoder_layer_forward, tg_nn_encoder_layer, l, norm1.weight, x, any_masks());
        break;
    }
    case 16: {
        tg_nn_lora l = {any_linear(), any(), any(), any_number(), any_number()};
        FORWARD(tg_nn_lora_forward, tg_nn_lora, l, base.weight, x);
        (void)tg_nn_lora_weight(below(8) ? &l : NULL);
        (void)!tg_nn_lora_merge(below(8) ? &l : NULL);
        (void)!tg_nn_lora_unmerge(below(8) ? &l : NULL);
        l = tg_nn_lora_new(any_linear(), (tg_nn_lora_config){any_count(), any_number(), any_number()});
        tg_clear_error(t);
        tg_clear_error(other);
        add_adapters(x);
        break;
    }
    default: look("tg_nn_simple_attention", tg_is_null(tg_nn_simple_attention(x, weights)), names_a_tape);
    }
}

START_TEST(forwards_of_anything_do_not_crash)
{
    tg_mark marks[2] = {tg_tape_mark(t), tg_tape_mark(other)};
    random_state = (uint64_t)_i + 1;
    for (int i = 0; i < 17 * 400; i++) {
        forward_all(i % 17);
        ck_assert_int_eq(tg_tape_rewind(t, marks[0]), TG_OK);
        ck_assert_int_eq(tg_tape_rewind(other, marks[1]), TG_OK);
    }
    ck_assert_double_eq(tg_item(tg_scalar(t, 7)), 7);
}
END_TEST

START_TEST(a_null_layer_is_an_error)
{
    tg_tensor x = tensors[3], weights = x;
    tg_nn_linear_forward(NULL, x);
    WANT_ERROR(t, TG_ERR_ARGUMENT, "linear: the layer is NULL");
    tg_nn_causal_attention_forward(NULL, x, &weights);
    WANT_ERROR(t, TG_ERR_ARGUMENT, "causal_attention: the layer is NULL");
    ck_assert(tg_is_null(weights));
    tg_nn_cross_attention_forward(NULL, TG_NULL, x, TG_NN_NO_MASKS, NULL);
    WANT_ERROR(t, TG_ERR_ARGUMENT, "cross_attention: the layer is NULL");
    tg_nn_multi_head_wrapper_forward(&(tg_nn_multi_head_wrapper){0}, x, NULL);
    WANT_ERROR(t, TG_ERR_ARGUMENT, "multi_head_wrapper", "null tensor");
    tg_nn_multi_head_attention a = tg_nn_multi_head_attention_new(t, "a", 3, 4, 0, 0, 2, false);
    a.n_heads = 0;
    tg_nn_multi_head_attention_forward(&a, x, NULL);
    WANT_ERROR(t, TG_ERR_ARGUMENT, "multi_head_attention 'a': n_heads is 0");
    a.n_heads = 3;
    tg_nn_multi_head_attention_forward(&a, x, NULL);
    WANT_ERROR(t, TG_ERR_SHAPE, "multi_head_attention 'a'", "4", "3 heads");
}
END_TEST

/* A mask that cannot be used is an error, never attention without it. */
START_TEST(a_mask_of_a_failed_tape_is_not_left_out)
{
    tg_tensor x = tensors[3];
    tg_nn_masks m = {.attn_mask = tg_ones(other, TG_SHAPE(3, 3))};
    tg_exp(tg_add(m.attn_mask, tg_ones(other, TG_SHAPE(5))));
    ck_assert_int_eq(tg_tape_status(other), TG_ERR_SHAPE);
    ck_assert(tg_is_null(tg_nn_attention(x, x, x, m, 0, NULL)));
    WANT_ERROR(t, TG_ERR_ARGUMENT, "attention", "another tape");
}
END_TEST

/* ---- what is wrong is said by the layer that was called ---- */

static struct {
    tg_nn_self_attention_v1 v1;
    tg_nn_self_attention_v2 v2;
    tg_nn_causal_attention causal;
    tg_nn_multi_head_attention heads;
    tg_nn_cross_attention cross;
    tg_nn_additive_attention additive;
    tg_nn_multihead multihead;
    tg_nn_encoder_layer encoder;
    tg_nn_lora lora;
} l;

enum { N_LAYERS = 9, N_PARTS = 16 };
static const char *const layer_kind[N_LAYERS] = {"self_attention_v1",
                                                 "self_attention_v2",
                                                 "causal_attention",
                                                 "multi_head_attention",
                                                 "cross_attention",
                                                 "additive_attention",
                                                 "multihead",
                                                 "encoder_layer",
                                                 "lora"};

/* For x (2, 3, 4). */
static void make_layers(void) {
    tg_nn_encoder_layer_config config = TG_NN_ENCODER_LAYER_DEFAULTS;
    config.dim_feedforward = 5;
    l.v1 = tg_nn_self_attention_v1_new(t, "v1", 4, 6);
    l.v2 = tg_nn_self_attention_v2_new(t, "v2", 4, 6, true);
    l.causal = tg_nn_causal_attention_new(t, "causal", 4, 6, 5, 0, true);
    l.heads = tg_nn_multi_head_attention_new(t, "heads", 4, 6, 5, 0, 2, true);
    l.cross = tg_nn_cross_attention_new(t, "cross", 4, 4, 6, 0, true);
    l.additive = tg_nn_additive_attention_new(t, "additive", 4, 4, 5);
    l.multihead = tg_nn_multihead_new(t, "multihead", 4, 2, TG_NN_MULTIHEAD_DEFAULTS);
    l.encoder = tg_nn_encoder_layer_new(t, "encoder", 4, 2, config);
    l.lora = tg_nn_lora_new(tg_nn_linear_new(t, "lora", 4, 6, true), TG_NN_LORA_DEFAULTS);
}

#define LINEAR(layer) &(layer).weight, &(layer).bias
static tg_tensor *parts[N_LAYERS][N_PARTS] = {
    {&l.v1.W_query, &l.v1.W_key, &l.v1.W_value},
    {LINEAR(l.v2.W_query), LINEAR(l.v2.W_key), LINEAR(l.v2.W_value)},
    {LINEAR(l.causal.W_query), LINEAR(l.causal.W_key), LINEAR(l.causal.W_value), &l.causal.mask},
    {LINEAR(l.heads.W_query), LINEAR(l.heads.W_key), LINEAR(l.heads.W_value), LINEAR(l.heads.out_proj), &l.heads.mask},
    {LINEAR(l.cross.W_query), LINEAR(l.cross.W_key), LINEAR(l.cross.W_value)},
    {LINEAR(l.additive.W_1), LINEAR(l.additive.W_2), LINEAR(l.additive.v)},
    {&l.multihead.in_proj_weight, &l.multihead.in_proj_bias, LINEAR(l.multihead.out_proj), &l.multihead.bias_k,
     &l.multihead.bias_v},
    {&l.encoder.self_attn.in_proj_weight, &l.encoder.self_attn.in_proj_bias, LINEAR(l.encoder.self_attn.out_proj),
     LINEAR(l.encoder.linear1), LINEAR(l.encoder.linear2), LINEAR(l.encoder.norm1), LINEAR(l.encoder.norm2)},
    {LINEAR(l.lora.base), &l.lora.lora_A, &l.lora.lora_B},
};
static double *const dropouts[N_LAYERS] = {NULL,
                                           NULL,
                                           &l.causal.dropout,
                                           &l.heads.dropout,
                                           &l.cross.dropout,
                                           NULL,
                                           &l.multihead.dropout,
                                           &l.encoder.dropout,
                                           &l.lora.dropout};

static tg_tensor forward(int layer, tg_tensor x, tg_tensor *weights) {
    switch (layer) {
    case 0: return tg_nn_self_attention_v1_forward(&l.v1, x, weights);
    case 1: return tg_nn_self_attention_v2_forward(&l.v2, x, weights);
    case 2: return tg_nn_causal_attention_forward(&l.causal, x, weights);
    case 3: return tg_nn_multi_head_attention_forward(&l.heads, x, weights);
    case 4: return tg_nn_cross_attention_forward(&l.cross, x, x, TG_NN_NO_MASKS, weights);
    case 5: return tg_nn_additive_attention_forward(&l.additive, x, x, TG_NN_NO_MASKS, weights);
    case 6: return tg_nn_multihead_forward(&l.multihead, x, x, x, TG_NN_NO_MASKS, weights);
    case 7: return tg_nn_encoder_layer_forward(&l.encoder, x, TG_NN_NO_MASKS);
    default: return tg_nn_lora_forward(&l.lora, x);
    }
}

/* Whether the call was refused; its error then begins with the layer, or with the encoder layer's part. */
static bool is_refused(int layer, tg_tensor x) {
    tg_tensor weights, y = forward(layer, x, below(2) ? &weights : NULL);
    const char *error = tg_error(t), *kind = layer_kind[layer];
    bool own = strncmp(error, kind, strlen(kind)) == 0, by_part = layer == 7 && strncmp(error, "multihead", 9) == 0;
    ck_assert_msg(*error ? tg_is_null(y) && (own || by_part) : !tg_is_null(y), "%s says '%s'", kind, error);
    tg_clear_error(t);
    return tg_is_null(y);
}

START_TEST(errors_name_the_layer)
{
    make_layers();
    WANT_OK(t);
    tg_tensor x = tg_ones(t, TG_SHAPE(2, 3, 4));
    ck_assert(!is_refused(_i, x));
    for (int i = 0; i < N_TENSORS; i++)
        if (tensors[i].tape == t)
            is_refused(_i, tensors[i]);
    for (int part = 0; part < N_PARTS && parts[_i][part]; part++) {
        tg_tensor right = *parts[_i][part];
        int refused = 0;
        for (int i = 0; i < N_TENSORS; i++) {
            *parts[_i][part] = tensors[i];
            refused += is_refused(_i, x);
        }
        *parts[_i][part] = right;
        ck_assert_msg(refused >= 10, "%s: part %d: %d refused", layer_kind[_i], part, refused);
    }
    for (int i = 0; i < N_NUMBERS && dropouts[_i]; i++) {
        *dropouts[_i] = numbers[i];
        ck_assert_int_eq(is_refused(_i, x), !(numbers[i] >= 0 && numbers[i] <= 1));
    }
}
END_TEST

START_TEST(the_part_that_does_not_fit_is_named)
{
    make_layers();
    tg_tensor x = tg_ones(t, TG_SHAPE(3, 4));
    l.multihead.out_proj.bias = tensors[3];
    forward(6, x, NULL);
    WANT_ERROR(t, TG_ERR_SHAPE, "multihead 'multihead': out_proj.bias is (3, 3), but must be (4,)");
    l.heads.W_value.weight = tensors[3];
    forward(3, x, NULL);
    WANT_ERROR(t, TG_ERR_SHAPE, "multi_head_attention 'heads': W_value.weight is (3, 3), but must be (3, 4)");
    l.cross.W_key.bias = tensors[2];
    forward(4, x, NULL);
    WANT_ERROR(t, TG_ERR_ARGUMENT, "cross_attention 'cross': W_key.bias is on another tape");
    l.encoder.linear2.weight = tensors[1];
    forward(7, x, NULL);
    WANT_ERROR(t, TG_ERR_STALE, "encoder_layer 'encoder': linear2.weight: ", "stale");
    l.lora.lora_B = TG_NULL;
    ck_assert(tg_is_null(tg_nn_lora_weight(&l.lora)));
    WANT_ERROR(t, TG_ERR_ARGUMENT, "lora 'lora.weight': lora_B is the null tensor");
    tg_clear_error(t);
}
END_TEST

/* ---- nothing is left out ---- */

START_TEST(no_public_function_is_left_out)
{ want_all_called(__FILE__, "nn/nn.h", 35); }
END_TEST

int main(void) {
    TCase *c = tcase_create("hostile");
    tcase_add_checked_fixture(c, start, stop);
    tcase_add_test(c, layers_of_any_size_and_name_do_not_crash);
    tcase_add_test(c, a_layer_without_memory_names_itself);
    tcase_add_loop_test(c, forwards_of_anything_do_not_crash, 0, 4);
    tcase_add_test(c, a_null_layer_is_an_error);
    tcase_add_loop_test(c, errors_name_the_layer, 0, N_LAYERS);
    tcase_add_test(c, the_part_that_does_not_fit_is_named);
    tcase_add_test(c, a_mask_of_a_failed_tape_is_not_left_out);
    tcase_add_test(c, no_public_function_is_left_out);
    return run_suite("hostile", c);
}
