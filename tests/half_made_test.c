/* What is not made in the end, an optimizer, a group, a layer, an average, gives back what it took, leaves no tensor
 * and no name, at whichever allocation memory ran out. */
#include "nn/nn.h"
#include "optim/optim.h"
#include "tests/support.h"

/* ---- optimizers ---- */

/* A second optimizer, or a second group of the first, with the n-th allocation refused; false when it needs fewer. */
static bool refuse_optimizer(bool group, int64_t n) {
    memory m = {.refuse = -1};
    tg_tape *t = memory_tape(&m, TG_F64);
    tg_parameter(t, "a.x", tg_randn(t, TG_SHAPE(1000)));
    tg_parameter(t, "b.x", tg_randn(t, TG_SHAPE(3)));
    tg_optim *adam = tg_adam_new(t, tg_parameters_under(t, "a"), TG_ADAM_DEFAULTS);
    tg_list all = tg_parameters(t), rest = tg_parameters_under(t, "b");
    ck_assert_msg(adam != NULL, "%s", tg_error(t));
    size_t used = tg_tape_memory(t).used;
    m.refuse = m.calls + n;
    bool made = group ? tg_adam_add_group(adam, rest, TG_ADAM_DEFAULTS) == TG_OK
                      : tg_adam_new(t, all, TG_ADAM_DEFAULTS) != NULL;
    if (!made) {
        want_out_of_memory(&m, "an optimizer");
        ck_assert_msg(tg_tape_memory(t).used == used, "call %lld refused: %zu bytes in use, not %zu", (long long)n,
                      tg_tape_memory(t).used, used);
    }
    memory_free(&m);
    return !made;
}

START_TEST(a_refused_optimizer_gives_back_what_it_took)
{
    for (int group = 0; group < 2; group++) {
        int64_t n = 0;
        while (refuse_optimizer(group, n))
            n++;
        ck_assert_msg(n > 2, "only %lld allocations", (long long)n);
    }
}
END_TEST

/* ---- layers ---- */

enum { WIDE = 120, HANDLES = 16 }; /* so that each matrix is an allocation */

typedef tg_tensor handles[HANDLES];

static void linear_handles(tg_nn_linear l, tg_tensor *h) {
    h[0] = l.weight;
    h[1] = l.bias;
}
static void a_linear(tg_tape *t, tg_tensor *h) { linear_handles(tg_nn_linear_new(t, "new", WIDE, WIDE, true), h); }
static void a_norm(tg_tape *t, tg_tensor *h) {
    tg_nn_layer_norm l = tg_nn_layer_norm_new(t, "new", WIDE * WIDE, true);
    h[0] = l.weight;
    h[1] = l.bias;
}
static void v1(tg_tape *t, tg_tensor *h) {
    tg_nn_self_attention_v1 a = tg_nn_self_attention_v1_new(t, "new", WIDE, WIDE);
    h[0] = a.W_query;
    h[1] = a.W_key;
    h[2] = a.W_value;
}
static void causal(tg_tape *t, tg_tensor *h) {
    tg_nn_causal_attention a = tg_nn_causal_attention_new(t, "new", WIDE, WIDE, WIDE, 0, true);
    linear_handles(a.W_query, h);
    linear_handles(a.W_key, h + 2);
    linear_handles(a.W_value, h + 4);
    h[6] = a.mask;
}
static void wrapper(tg_tape *t, tg_tensor *h) {
    tg_nn_multi_head_wrapper a = tg_nn_multi_head_wrapper_new(t, "new", WIDE, WIDE, WIDE, 0, 2, true);
    h[0] = a.last;
    h[1] = a.n_heads ? a.heads[0].mask : TG_NULL;
}
static void multi_head(tg_tape *t, tg_tensor *h) {
    tg_nn_multi_head_attention a = tg_nn_multi_head_attention_new(t, "new", WIDE, WIDE, WIDE, 0, 2, true);
    linear_handles(a.W_query, h);
    linear_handles(a.W_value, h + 2);
    linear_handles(a.out_proj, h + 4);
    h[6] = a.mask;
}
static void multihead(tg_tape *t, tg_tensor *h) {
    tg_nn_multihead_config c = {.kdim = WIDE + 1, .in_proj_bias = true, .add_bias_kv = true, .out_proj_bias = true};
    tg_nn_multihead a = tg_nn_multihead_new(t, "new", WIDE, 2, c);
    const tg_tensor part[] = {a.q_proj_weight, a.k_proj_weight, a.v_proj_weight, a.in_proj_bias, a.bias_k, a.bias_v};
    memcpy(h, part, sizeof part);
    linear_handles(a.out_proj, h + 6);
}
static void additive(tg_tape *t, tg_tensor *h) {
    tg_nn_additive_attention a = tg_nn_additive_attention_new(t, "new", WIDE, WIDE, WIDE);
    linear_handles(a.W_1, h);
    linear_handles(a.W_2, h + 2);
    linear_handles(a.v, h + 4);
}
static void encoder(tg_tape *t, tg_tensor *h) {
    tg_nn_encoder_layer_config c = {.dim_feedforward = WIDE, .layer_norm_eps = 1e-5, .bias = true};
    tg_nn_encoder_layer l = tg_nn_encoder_layer_new(t, "new", WIDE, 2, c);
    h[0] = l.self_attn.in_proj_weight;
    linear_handles(l.self_attn.out_proj, h + 1);
    linear_handles(l.linear1, h + 3);
    linear_handles(l.linear2, h + 5);
    h[7] = l.norm1.weight;
    h[8] = l.norm2.bias;
}
static void lora(tg_tape *t, tg_tensor *h) {
    tg_nn_linear base = {tg_named(t, "old.weight"), tg_named(t, "old.bias")};
    tg_nn_lora l = tg_nn_lora_new(base, (tg_nn_lora_config){.rank = WIDE, .alpha = 1});
    h[0] = l.lora_A;
    h[1] = l.lora_B;
}
static void an_average(tg_tape *t, tg_tensor *h) {
    tg_ema e = tg_ema_new(t, "new", tg_parameters(t), 0.5);
    h[0] = e.n_averaged;
    h[1] = e.averages.n ? e.averages.tensor[0] : TG_NULL;
}

/* With the n-th allocation refused; false when it needs fewer. */
static bool refuse_layer(void (*make)(tg_tape *t, tg_tensor *h), int64_t n) {
    memory m = {.refuse = -1};
    handles h = {{0}};
    tg_tape *t = memory_tape(&m, TG_F64);
    tg_nn_linear old = tg_nn_linear_new(t, "old", WIDE, WIDE, true);
    uint32_t count = t->count;
    m.refuse = m.calls + n;
    make(t, h);
    bool refused = m.refused;
    if (refused) {
        want_out_of_memory(&m, "a layer");
        ck_assert_msg(t->count == count, "call %lld refused: %u nodes, not %u", (long long)n, t->count, count);
        for (int i = 0; i < HANDLES; i++)
            ck_assert_msg(tg_is_null(h[i]), "call %lld refused: handle %d", (long long)n, i);
        ck_assert(tg_requires_grad(old.weight) && tg_requires_grad(old.bias));
        make(t, h); /* its names are free */
    }
    ck_assert_msg(tg_tape_status(t) == TG_OK && !tg_is_null(h[0]), "%s", tg_error(t));
    memory_free(&m);
    return refused;
}

START_TEST(a_refused_layer_leaves_nothing)
{
    static void (*const make[])(tg_tape * t, tg_tensor * h) = {
        a_linear, a_norm, v1, causal, wrapper, multi_head, multihead, additive, encoder, lora, an_average};
    for (size_t k = 0; k < sizeof make / sizeof *make; k++) {
        int64_t n = 0;
        while (refuse_layer(make[k], n))
            n++;
        ck_assert_msg(n > 1, "layer %zu: only %lld allocations", k, (long long)n);
    }
}
END_TEST

SUITE("half_made", a_refused_optimizer_gives_back_what_it_took, a_refused_layer_leaves_nothing)
