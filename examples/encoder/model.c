#include "examples/encoder/model.h"

#include <string.h>

static tg_nn_layer_norm norm(tg_tape *t, const bert_config *c, const char *name) {
    tg_nn_layer_norm n = tg_nn_layer_norm_new(t, name, c->width, true);
    n.eps = c->norm_eps;
    return n;
}

static bert_layer new_layer(tg_tape *t, const bert_config *c, int i) {
    int64_t C = c->width, F = c->hidden;
    tg_name_push(t, "encoder.layer.%d", i);
    bert_layer l = {.query = tg_nn_linear_new(t, "attention.self.query", C, C, true),
                    .key = tg_nn_linear_new(t, "attention.self.key", C, C, true),
                    .value = tg_nn_linear_new(t, "attention.self.value", C, C, true),
                    .attention_out = tg_nn_linear_new(t, "attention.output.dense", C, C, true),
                    .attention_norm = norm(t, c, "attention.output.LayerNorm"),
                    .up = tg_nn_linear_new(t, "intermediate.dense", C, F, true),
                    .down = tg_nn_linear_new(t, "output.dense", F, C, true),
                    .output_norm = norm(t, c, "output.LayerNorm")};
    tg_name_pop(t);
    return l;
}

bert bert_new(tg_tape *t, bert_config c) {
    bert m = {.config = c,
              .word = tg_nn_embedding_new(t, "embeddings.word_embeddings", c.vocabulary, c.width),
              .position = tg_nn_embedding_new(t, "embeddings.position_embeddings", c.context, c.width),
              .segment = tg_nn_embedding_new(t, "embeddings.token_type_embeddings", c.segments, c.width),
              .norm = norm(t, &c, "embeddings.LayerNorm")};
    for (int i = 0; i < c.layers; i++)
        m.layer[i] = new_layer(t, &c, i);
    return m;
}

void bert_train_attention(bert *m, const tg_nn_lora_config *lora) {
    tg_tape *t = tg_tape_of(m->word.weight);
    tg_list all = tg_parameters(t);
    if (lora) {
        (void)!tg_nn_lora_add(t, "*.self.query,*.self.value", *lora); /* the error is on the tape */
        return;
    }
    for (int64_t i = 0; i < all.n; i++) {
        const char *name = tg_name(all.tensor[i]);
        bool is_projection = strstr(name, ".attention.") && !strstr(name, "LayerNorm");
        tg_set_requires_grad(all.tensor[i], is_projection);
    }
}

/* ---- forward ---- */

/* (B, T, C) -> (B, H, T, C / H), and back */
static tg_tensor to_heads(const bert *m, tg_tensor x) {
    int64_t H = m->config.heads, C = m->config.width;
    return tg_transpose(tg_reshape(x, TG_SHAPE(tg_size(x, 0), tg_size(x, 1), H, C / H)), 1, 2);
}

static tg_tensor from_heads(const bert *m, tg_tensor x) {
    return tg_reshape(tg_transpose(x, 1, 2), TG_SHAPE(tg_size(x, 0), tg_size(x, 2), m->config.width));
}

static tg_tensor layer_forward(const bert *m, const bert_layer *l, tg_tensor x, tg_tensor is_there) {
    tg_tensor q = to_heads(m, tg_nn_linear_forward(&l->query, x)), k = to_heads(m, tg_nn_linear_forward(&l->key, x));
    tg_tensor y =
        tg_scaled_dot_product_attention(q, k, to_heads(m, tg_nn_linear_forward(&l->value, x)), is_there, false, 0, 0);
    x = tg_nn_layer_norm_forward(&l->attention_norm,
                                 tg_add(x, tg_nn_linear_forward(&l->attention_out, from_heads(m, y))));
    tg_tensor up = tg_gelu(tg_nn_linear_forward(&l->up, x));
    return tg_nn_layer_norm_forward(&l->output_norm, tg_add(x, tg_nn_linear_forward(&l->down, up)));
}

tg_tensor bert_embed(const bert *m, const int64_t *ids, const int64_t *length, int64_t B, int64_t T) {
    tg_tape *t = tg_tape_of(m->word.weight);
    tg_tensor x = tg_nn_embedding_forward(&m->word, tg_from_ints(t, TG_SHAPE(B, T), ids));
    x = tg_add(tg_add(x, tg_slice(m->segment.weight, 0, 0, 1, 1)), tg_slice(m->position.weight, 0, 0, T, 1));
    x = tg_nn_layer_norm_forward(&m->norm, x);
    tg_tensor n = tg_reshape(tg_from_ints(t, TG_SHAPE(B), length), TG_SHAPE(B, 1));
    tg_tensor is_there = tg_lt(tg_arange(t, T), n); /* (B, T) */
    for (int i = 0; i < m->config.layers; i++)
        x = layer_forward(m, &m->layer[i], x, tg_reshape(is_there, TG_SHAPE(B, 1, 1, T)));
    tg_tensor mean = tg_div(tg_to_float(is_there), tg_to_float(n)); /* (B, T): 1 / n at tokens, 0 at padding */
    x = tg_reshape(tg_matmul(tg_reshape(mean, TG_SHAPE(B, 1, T)), x), TG_SHAPE(B, m->config.width));
    return tg_div(x, tg_norm(x, 2, TG_DIMS(1), true));
}
