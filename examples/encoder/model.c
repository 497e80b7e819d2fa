#include "examples/encoder/model.h"

#include <stdio.h>

/* FORMAT with the layer's number, as a name */
typedef struct layer_name {
    char s[96];
} layer_name;

static layer_name name_of(int layer, const char *part) {
    layer_name name;
    snprintf(name.s, sizeof name.s, "encoder.layer.%d.%s", layer, part);
    return name;
}

static tg_nn_layer_norm norm(tg_tape *t, const bert_config *c, const char *name) {
    tg_nn_layer_norm n = tg_nn_layer_norm_new(t, name, c->width, true);
    n.eps = c->norm_eps;
    return n;
}

static tg_nn_lora plain(tg_tape *t, const char *name, int64_t width) {
    return (tg_nn_lora){.base = tg_nn_linear_new(t, name, width, width, true)};
}

static bert_layer new_layer(tg_tape *t, const bert_config *c, int i) {
    return (bert_layer){.query = plain(t, name_of(i, "attention.self.query").s, c->width),
                        .key = plain(t, name_of(i, "attention.self.key").s, c->width),
                        .value = plain(t, name_of(i, "attention.self.value").s, c->width),
                        .attention_out = plain(t, name_of(i, "attention.output.dense").s, c->width),
                        .attention_norm = norm(t, c, name_of(i, "attention.output.LayerNorm").s),
                        .up = tg_nn_linear_new(t, name_of(i, "intermediate.dense").s, c->width, c->hidden, true),
                        .down = tg_nn_linear_new(t, name_of(i, "output.dense").s, c->hidden, c->width, true),
                        .output_norm = norm(t, c, name_of(i, "output.LayerNorm").s)};
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
    tg_list all = tg_parameters(tg_tape_of(m->word.weight));
    for (int64_t i = 0; i < all.n; i++)
        tg_set_requires_grad(all.tensor[i], false);
    for (int i = 0; i < m->config.layers; i++) {
        bert_layer *l = &m->layer[i];
        tg_nn_lora *part[] = {&l->query, &l->key, &l->value, &l->attention_out};
        for (int k = 0; k < 4 && !lora; k++) {
            tg_set_requires_grad(part[k]->base.weight, true);
            tg_set_requires_grad(part[k]->base.bias, true);
        }
        if (lora) {
            l->query = tg_nn_lora_new(l->query.base, *lora);
            l->value = tg_nn_lora_new(l->value.base, *lora);
        }
    }
}

/* ---- forward ---- */

static tg_tensor project(const tg_nn_lora *l, tg_tensor x) {
    return tg_is_null(l->lora_A) ? tg_nn_linear_forward(&l->base, x) : tg_nn_lora_forward(l, x);
}

/* (B, T, C) -> (B, H, T, C / H), and back */
static tg_tensor to_heads(const bert *m, tg_tensor x) {
    int64_t H = m->config.heads, C = m->config.width;
    return tg_transpose(tg_reshape(x, TG_SHAPE(tg_size(x, 0), tg_size(x, 1), H, C / H)), 1, 2);
}

static tg_tensor from_heads(const bert *m, tg_tensor x) {
    return tg_reshape(tg_transpose(x, 1, 2), TG_SHAPE(tg_size(x, 0), tg_size(x, 2), m->config.width));
}

static tg_tensor layer_forward(const bert *m, const bert_layer *l, tg_tensor x, tg_tensor is_there) {
    tg_tensor q = to_heads(m, project(&l->query, x)), k = to_heads(m, project(&l->key, x));
    tg_tensor y = tg_scaled_dot_product_attention(q, k, to_heads(m, project(&l->value, x)), is_there, false, 0, 0);
    x = tg_nn_layer_norm_forward(&l->attention_norm, tg_add(x, project(&l->attention_out, from_heads(m, y))));
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
    tg_tensor mean = tg_div(tg_to_float(is_there), tg_to_float(n)); /* (B, T): 1 / n where a token is */
    x = tg_reshape(tg_matmul(tg_reshape(mean, TG_SHAPE(B, 1, T)), x), TG_SHAPE(B, m->config.width));
    return tg_div(x, tg_norm(x, 2, TG_DIMS(1), true));
}
