#include "examples/common/language_model.h"

language_model language_model_new(tg_tape *t, int64_t V, int64_t T, int64_t C, bool sees_previous, mixing how) {
    language_model m = {.mixing = how};
    m.token = tg_nn_embedding_new(t, "token", V, C);
    m.position = tg_nn_embedding_new(t, "position", T, C);
    if (sees_previous)
        m.previous = tg_nn_embedding_new(t, "previous", V, C);
    m.norm_attn = tg_nn_layer_norm_new(t, "norm_attn", C, true);
    m.attn = tg_nn_causal_attention_new(t, "attn", C, C, T, 0.0, false);
    m.norm_mlp = tg_nn_layer_norm_new(t, "norm_mlp", C, true);
    m.up = tg_nn_linear_new(t, "up", C, 4 * C, true);
    m.down = tg_nn_linear_new(t, "down", 4 * C, C, true);
    m.norm_head = tg_nn_layer_norm_new(t, "norm_head", C, true);
    m.head = tg_nn_linear_new(t, "head", C, V, true);
    return m;
}

tg_tensor language_model_embed(const language_model *m, tg_tensor ids) {
    int64_t B = tg_size(ids, 0), T = tg_size(ids, 1), C = tg_size(m->token.weight, 1);
    tg_tensor x = tg_nn_embedding_forward(&m->token, ids);
    x = tg_add(x, tg_slice(m->position.weight, 0, 0, T, 1));
    if (tg_is_null(m->previous.weight))
        return x;
    tg_tensor before = tg_nn_embedding_forward(&m->previous, tg_slice(ids, 1, 0, T - 1, 1));
    tg_tensor shifted[] = {tg_zeros(ids.tape, TG_SHAPE(B, 1, C)), before};
    return tg_add(x, tg_cat(shifted, 2, 1));
}

/* The mean over each position and all before it: (B, T, C) -> (B, T, C). */
static tg_tensor mean_so_far(tg_tensor x) {
    int64_t T = tg_size(x, 1);
    tg_tensor seen = tg_tril(tg_ones(x.tape, TG_SHAPE(T, T)), 0);
    return tg_matmul(tg_div(seen, tg_sum(seen, TG_DIMS(1), true)), x);
}

static tg_tensor look_back(const language_model *m, tg_tensor x, tg_tensor *weights) {
    if (m->mixing == ATTENTION)
        return tg_nn_causal_attention_forward(&m->attn, x, weights);
    tg_tensor values = tg_nn_linear_forward(&m->attn.W_value, x);
    return m->mixing == EQUAL_WEIGHTS ? mean_so_far(values) : values;
}

tg_tensor language_model_forward(const language_model *m, tg_tensor ids, tg_tensor *weights) {
    tg_tensor x = language_model_embed(m, ids);
    x = tg_add(x, look_back(m, tg_nn_layer_norm_forward(&m->norm_attn, x), weights));
    tg_tensor h = tg_gelu(tg_nn_linear_forward(&m->up, tg_nn_layer_norm_forward(&m->norm_mlp, x)));
    x = tg_add(x, tg_nn_linear_forward(&m->down, h));
    return tg_nn_linear_forward(&m->head, tg_nn_layer_norm_forward(&m->norm_head, x));
}
