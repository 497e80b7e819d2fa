/* No argument crashes nn or optim: every public function is called with NULL, zeroed structs, tensors that are null,
 * stale, of another tape, dtype or shape, wild sizes, NaN and infinities. A null result leaves an error on the tape
 * that an operand names, and the tape works again once that is cleared. Run under sanitizers this is where it counts.
 */
#include "nn/nn.h"
#include "optim/optim.h"
#include "tests/support.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

/* A small machine: what asks for more than 64 MiB at once is refused. */
static void *alloc_little(void *context, size_t size) {
    (void)context;
    return size < (size_t)64 << 20 ? malloc(size) : NULL;
}
static void free_little(void *context, void *block, size_t size) {
    (void)context, (void)size;
    free(block);
}

static tg_tape *t, *other;

enum { N_TENSORS = 16 };
static tg_tensor tensors[N_TENSORS];

static void start(void) {
    const tg_allocator little = {alloc_little, free_little, NULL};
    t = tg_tape_new_with(TG_F32, &little);
    other = tg_tape_new_with(TG_F64, &little);
    tg_mark mark = tg_tape_mark(t);
    tg_tensor stale = tg_ones(t, TG_SHAPE(4, 3));
    ck_assert_int_eq(tg_tape_rewind(t, mark), TG_OK);
    const tg_tensor all[N_TENSORS] = {TG_NULL,
                                      stale,
                                      tg_ones(other, TG_SHAPE(3, 3)),
                                      tg_ones(t, TG_SHAPE(3, 3)),
                                      tg_ones(t, TG_SHAPE(2, 3, 3)),
                                      tg_ones(t, TG_SHAPE(2, 2, 4, 3)),
                                      tg_ones(t, TG_SHAPE(3)),
                                      tg_ones(t, TG_SHAPE(4, 3)),
                                      tg_scalar(t, NAN),
                                      tg_ones(t, TG_SHAPE(0, 3)),
                                      tg_ones(t, TG_SHAPE(3, 0)),
                                      tg_from_ints(t, TG_SHAPE(2), (int64_t[]){-1, INT64_MAX}),
                                      tg_from_bools(t, TG_SHAPE(3, 3), (bool[9]){true}),
                                      tg_full(t, TG_SHAPE(3, 3), -INFINITY),
                                      tg_exp(tg_full(t, TG_SHAPE(3, 3), NAN)),
                                      tg_ones(t, TG_SHAPE(1, 1, 1, 1, 1, 1, 3, 3))};
    memcpy(tensors, all, sizeof tensors);
    WANT_OK(t);
}

static void stop(void) {
    tg_tape_free(t);
    tg_tape_free(other);
}

/* After a call: a null result left an error where an operand named a tape; a result left none; the tape works. */
static void look(const char *call, bool refused, bool names_a_tape) {
    bool noted = tg_tape_status(t) || tg_tape_status(other);
    ck_assert_msg(!refused || noted || !names_a_tape, "%s: a null result without an error", call);
    ck_assert_msg(refused || !noted, "%s: a result beside the error '%s%s'", call, tg_error(t), tg_error(other));
    ck_assert_msg(!noted || *tg_error(t) || *tg_error(other), "%s: an error without text", call);
    tg_clear_error(t);
    tg_clear_error(other);
}

/* ---- making layers ---- */

static const int64_t sizes[] = {INT64_MIN, -1, 0, 1, 3, INT64_MAX / 3, INT64_MAX};
static const double numbers[] = {NAN, -INFINITY, -1, 0, 0.5, 1, 1e300, INFINITY};
enum { N_SIZES = sizeof sizes / sizeof *sizes, N_NUMBERS = sizeof numbers / sizeof *numbers };

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

START_TEST(layers_of_any_size_and_name)
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

static uint64_t random_state;
static int below(int n) {
    random_state = random_state * UINT64_C(6364136223846793005) + 1442695040888963407;
    return (int)(random_state >> 33) % n;
}

/* A tensor to misuse; does any that was drawn since `names_a_tape` was last false name a tape? Two in three are
 * weights and inputs that fit, so that what lies behind the first check is reached. */
static bool names_a_tape;
static tg_tensor any(void) {
    tg_tensor x = tensors[below(3) ? 3 + below(2) : below(N_TENSORS)];
    names_a_tape |= x.tape != NULL;
    return x;
}
static tg_nn_linear any_linear(void) { return (tg_nn_linear){any(), below(4) ? TG_NULL : any()}; }
static tg_nn_masks any_masks(void) {
    tg_nn_masks m = {below(3) ? TG_NULL : any(), below(3) ? TG_NULL : any(), below(2)};
    return m;
}
static int any_count(void) { return below(3) ? 3 : (int[]){INT_MIN, -1, 0, 1, 2, INT_MAX}[below(6)]; }
static double any_number(void) { return below(2) ? 0 : numbers[below(N_NUMBERS)]; }

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

START_TEST(forwards_of_anything)
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

START_TEST(a_layer_that_is_not_there_says_so)
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
START_TEST(a_mask_of_a_failed_tape_is_no_missing_mask)
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

/* Is the result there, or an error that begins with the layer, or with the encoder layer's part? */
static bool is_refused(int layer, tg_tensor x) {
    tg_tensor weights, y = forward(layer, x, below(2) ? &weights : NULL);
    const char *error = tg_error(t), *kind = layer_kind[layer];
    bool own = strncmp(error, kind, strlen(kind)) == 0, by_part = layer == 7 && strncmp(error, "multihead", 9) == 0;
    ck_assert_msg(*error ? tg_is_null(y) && (own || by_part) : !tg_is_null(y), "%s says '%s'", kind, error);
    tg_clear_error(t);
    return tg_is_null(y);
}

START_TEST(a_layer_says_itself_what_is_wrong_with_it)
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

/* ---- optimizers ---- */

static tg_list any_list(tg_tensor *room, int n) {
    for (int i = 0; i < n; i++)
        room[i] = any();
    tg_tape *const tapes[] = {t, t, other, NULL};
    tg_list list = {tapes[below(4)], n, room};
    if (!below(4))
        list.n = sizes[below(3)];
    if (!below(4))
        list.tensor = NULL;
    names_a_tape |= list.tape != NULL;
    return list;
}

static tg_tape *any_tape(void) {
    tg_tape *tape = below(4) ? t : NULL;
    names_a_tape |= tape != NULL;
    return tape;
}

static int any_update(const tg_update *u) {
    for (int64_t j = 0; j < u->n; j++)
        ((double *)u->p)[j] -= u->lr * ((const double *)u->dp)[j];
    if (!below(4))
        tg_zero_grads(t);
    return !below(4);
}

static const tg_custom_optim *any_kind(void) {
    static const tg_custom_optim kinds[] = {{"own", {"m", "v"}, 2, any_update, any_update},
                                            {"own", {NULL}, 10, NULL, any_update},
                                            {"own", {"m", "step"}, 2, any_update, any_update},
                                            {NULL, {NULL}, -1, NULL, NULL},
                                            {"f32", {NULL}, 1, any_update, NULL}};
    return below(6) ? &kinds[below(8) ? below(2) : below(5)] : NULL;
}

static tg_optim *any_optim(tg_list list) {
    const double own[TG_OPTIM_NUMBERS] = {any_number(), any_number()};
    tg_sgd_config sgd = {any_number(), any_number(), any_number(), any_number(), below(2), below(2)};
    tg_adam_config adam = {any_number(), any_number(), any_number(), any_number(), any_number(), below(2), below(2)};
    tg_muon_config muon = {any_number(), any_number(), any_number(), below(2),          any_number(),
                           any_number(), any_number(), any_number(), (int)below(9) - 1, (tg_muon_adjust)below(4)};
    switch (below(8)) {
    case 0: return tg_sgd_new(any_tape(), list, sgd);
    case 1: return tg_adam_new(any_tape(), list, adam);
    case 2: return tg_adamw_new(any_tape(), list, adam);
    case 3: return tg_muon_new(any_tape(), list, muon);
    case 4: return tg_muon_new(any_tape(), list, TG_MUON_DEFAULTS);
    case 5: return tg_custom_optim_new(any_tape(), any_kind(), list, below(8) ? own : NULL);
    case 6: return tg_custom_optim_new(t, any_kind(), list, (const double[TG_OPTIM_NUMBERS]){0.5});
    default: return tg_adam_new(any_tape(), list, TG_ADAM_DEFAULTS);
    }
}

#define STATUS(call)                                \
    do {                                            \
        tg_status status = call;                    \
        look(#call, status != TG_OK, names_a_tape); \
    } while (0)

static void use(tg_optim *o) {
    tg_tensor room[3];
    tg_sgd_config sgd = {any_number(), any_number(), any_number(), any_number(), below(2), below(2)};
    tg_adam_config adam = {any_number(), any_number(), any_number(), any_number(), any_number(), below(2), below(2)};
    names_a_tape = o != NULL;
    STATUS(tg_optim_step(o));
    tg_optim_set_lr(o, any_number());
    tg_clear_error(t);
    ck_assert(!(tg_optim_lr(o) < 0));
    tg_optim_scale_lr(o, any_number());
    tg_clear_error(t);
    ck_assert(!(tg_optim_group_lr(o, any_count()) < 0));
    names_a_tape = true;
    STATUS(tg_save_run(t, (const char *[]){NULL, "", "/", "%n/%n"}[below(4)], (tg_run){.optim = {o}}));
    STATUS(tg_load_run(t, (const char *[]){NULL, "", "/", "%n/%n"}[below(4)], (tg_run){.optim = {o}}));
    tg_optim_zero_grad(o);
    tg_clear_error(t);
    tg_list list = any_list(room, 3);
    names_a_tape = o || list.tape;
    STATUS(tg_sgd_add_group(o, list, sgd));
    STATUS(tg_adam_add_group(o, list, adam));
    STATUS(tg_muon_add_group(o, list, TG_MUON_DEFAULTS));
    STATUS(tg_custom_optim_add_group(o, list, (const double[TG_OPTIM_NUMBERS]){any_number()}));
    names_a_tape = o != NULL;
    STATUS(tg_optim_step(o));
}

START_TEST(optimizers_of_anything)
{
    tg_mark mark = tg_tape_mark(t);
    random_state = (uint64_t)_i + 1;
    for (int i = 0; i < 2000; i++) {
        tg_tensor room[2];
        tg_list list = any_list(room, 2);
        names_a_tape = list.tape;
        tg_optim *o = any_optim(list);
        look("making an optimizer", !o, names_a_tape);
        use(o);
        ck_assert_int_eq(tg_tape_rewind(t, mark), TG_OK);
        tg_optim_zero_grad(o);
        tg_clear_error(t);
    }
}
END_TEST

START_TEST(averages_of_anything)
{
    tg_mark marks[2] = {tg_tape_mark(t), tg_tape_mark(other)};
    random_state = (uint64_t)_i + 1;
    for (int i = 0; i < 2000; i++) {
        tg_tensor room[2];
        tg_list list = any_list(room, 2);
        tg_ema e = tg_ema_new(any_tape(), (const char *[]){NULL, "", "%n", "ema"}[below(4)], list, any_number());
        tg_clear_error(t);
        tg_clear_error(other);
        (void)!tg_ema_update(below(8) ? &e : NULL);
        (void)!tg_ema_swap(below(8) ? &e : NULL);
        tg_clear_error(t);
        tg_clear_error(other);
        ck_assert_int_eq(tg_tape_rewind(t, marks[0]), TG_OK);
        ck_assert_int_eq(tg_tape_rewind(other, marks[1]), TG_OK);
    }
    ck_assert_double_eq(tg_item(tg_scalar(t, 7)), 7);
}
END_TEST

START_TEST(clipping_anything)
{
    random_state = (uint64_t)_i + 1;
    ck_assert_int_eq(tg_write_grad(tg_set_requires_grad(tensors[3], true), (double[9]){NAN, 1}, 9), TG_OK);
    for (int i = 0; i < 4000; i++) {
        tg_tensor room[3];
        double total, *to = below(2) ? &total : NULL;
        tg_list list = any_list(room, 3);
        names_a_tape = list.tape;
        STATUS(tg_clip_grad_norm(list, any_number(), below(2) ? 2 : any_number(), to));
        STATUS(tg_clip_grad_value(list, any_number()));
    }
}
END_TEST

START_TEST(a_list_without_tensors_is_an_error)
{
    const tg_list bad[] = {{t, 3, NULL}, {t, -5, tensors}, {t, INT64_MIN, NULL}};
    for (int i = 0; i < 3; i++) {
        ck_assert_int_eq(tg_clip_grad_norm(bad[i], 1, 2, NULL), TG_ERR_ARGUMENT);
        WANT_ERROR(t, TG_ERR_ARGUMENT, "clip_grad_norm", "parameters");
        ck_assert_int_eq(tg_clip_grad_value(bad[i], 1), TG_ERR_ARGUMENT);
        WANT_ERROR(t, TG_ERR_ARGUMENT, "clip_grad_value", "parameters");
        ck_assert_ptr_null(tg_adam_new(t, bad[i], TG_ADAM_DEFAULTS));
        WANT_ERROR(t, TG_ERR_ARGUMENT, "adam", "parameters");
    }
    ck_assert_int_eq(tg_clip_grad_norm((tg_list){t, 0, NULL}, 1, 2, NULL), TG_OK);
    ck_assert_ptr_null(tg_adam_new(NULL, (tg_list){t, 1, &tensors[3]}, TG_ADAM_DEFAULTS));
    WANT_ERROR(t, TG_ERR_ARGUMENT, "adam", "tape is NULL");
    ck_assert_int_eq(tg_sgd_add_group(NULL, (tg_list){t, 1, &tensors[3]}, TG_SGD_DEFAULTS), TG_ERR_ARGUMENT);
    WANT_ERROR(t, TG_ERR_ARGUMENT, "sgd", "optimizer is NULL");
}
END_TEST

static tg_optim *hooked;
static int clear_in_hook(void *grad, int64_t n, tg_tensor x, void *context) {
    (void)grad, (void)n, (void)x, (void)context;
    tg_optim_zero_grad(hooked);
    return 0;
}

START_TEST(an_optimizer_in_a_hook_is_an_error)
{
    tg_tensor w = tg_parameter(t, "w", tg_ones(t, TG_SHAPE(2)));
    tg_tensor y = tg_square(w);
    hooked = tg_sgd_new(t, tg_parameters(t), TG_SGD_DEFAULTS);
    ck_assert_int_eq(tg_register_hook(y, clear_in_hook, NULL), TG_OK);
    ck_assert_int_eq(tg_backward(tg_sum(y, TG_ALL_DIMS, false)), TG_ERR_STATE);
    WANT_ERROR(t, TG_ERR_STATE, "optim_zero_grad", "hook");
}
END_TEST

/* ---- schedules ---- */

START_TEST(schedules_of_anything)
{
    const int64_t falling[] = {5, 3};
    for (int i = 0; i < N_SIZES * N_SIZES * N_SIZES; i++) {
        int64_t at = sizes[i % N_SIZES], a = sizes[i / N_SIZES % N_SIZES], b = sizes[i / N_SIZES / N_SIZES];
        for (int k = 0; k < N_NUMBERS; k++) {
            double p = numbers[k];
            const double lr[] = {tg_lr_step(p, at, a, p),
                                 tg_lr_multistep(p, at, sizes, N_SIZES, p),
                                 tg_lr_multistep(p, at, NULL, (int)(a % 9), p),
                                 tg_lr_exponential(p, at, p),
                                 tg_lr_linear(p, at, p, p, a),
                                 tg_lr_polynomial(p, at, a, p),
                                 tg_lr_cosine(p, at, a, p),
                                 tg_lr_warm_restarts(p, at, a, b, p),
                                 tg_lr_warmup_cosine(p, at, a, b),
                                 tg_lr_warmup_floor(p, at, a, b, p)};
            for (size_t j = 0; j < sizeof lr / sizeof *lr; j++)
                ck_assert_msg(at >= 0 || isnan(lr[j]), "schedule %zu at %lld is %g", j, (long long)at, lr[j]);
        }
    }
    ck_assert(isnan(tg_lr_multistep(1, 4, falling, 2, 0.5)));
}
END_TEST

/* ---- nothing is left out ---- */

static char *text_of(const char *path) {
    FILE *f = fopen(path, "r");
    ck_assert_msg(f != NULL, "%s: run the tests in the tree's root", path);
    char *text = calloc(1, 1 << 20);
    ck_assert(text && fread(text, 1, (1 << 20) - 1, f) > 0);
    fclose(f);
    return text;
}

START_TEST(every_public_function_is_here)
{
    char *own = text_of(__FILE__);
    const char *const headers[] = {"nn/nn.h", "optim/optim.h"};
    int found = 0;
    for (int i = 0; i < 2; i++) {
        char *text = text_of(headers[i]);
        for (char *at = text; (at = strstr(at, "\nTG_API ")) != NULL;) {
            at = strchr(at, '(');
            *at = '\0';
            char *name = at;
            while (name[-1] != ' ' && name[-1] != '*')
                name--;
            ck_assert_msg(strstr(own, name) != NULL, "%s is not called", name);
            *at++ = ' ';
            found++;
        }
        free(text);
    }
    ck_assert_int_ge(found, 40);
    free(own);
}
END_TEST

int main(void) {
    TCase *c = tcase_create("hostile");
    tcase_add_checked_fixture(c, start, stop);
    tcase_add_test(c, layers_of_any_size_and_name);
    tcase_add_test(c, a_layer_without_memory_names_itself);
    tcase_add_loop_test(c, forwards_of_anything, 0, 4);
    tcase_add_test(c, a_layer_that_is_not_there_says_so);
    tcase_add_loop_test(c, a_layer_says_itself_what_is_wrong_with_it, 0, N_LAYERS);
    tcase_add_test(c, the_part_that_does_not_fit_is_named);
    tcase_add_test(c, a_mask_of_a_failed_tape_is_no_missing_mask);
    tcase_add_loop_test(c, optimizers_of_anything, 0, 2);
    tcase_add_loop_test(c, averages_of_anything, 0, 2);
    tcase_add_loop_test(c, clipping_anything, 0, 2);
    tcase_add_test(c, a_list_without_tensors_is_an_error);
    tcase_add_test(c, an_optimizer_in_a_hook_is_an_error);
    tcase_add_test(c, schedules_of_anything);
    tcase_add_test(c, every_public_function_is_here);
    return run_suite("hostile", c);
}
