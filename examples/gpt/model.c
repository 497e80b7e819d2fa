#include "examples/gpt/model.h"

#include <math.h>

/* ---- construction ---- */

static const double weight_std = 0.02;

static tg_nn_linear linear(tg_tape *t, const char *name, int64_t in, int64_t out, double std, bool bias) {
    tg_nn_linear l = tg_nn_linear_new(t, name, in, out, bias);
    tg_normal_(l.weight, 0, std);
    if (bias)
        tg_fill_(l.bias, 0);
    return l;
}

static gpt_norm norm(tg_tape *t, const gpt_config *c, const char *name, int64_t width) {
    double eps = gpt_norm_eps(c);
    if (c->family == LLAMA)
        return (gpt_norm){tg_nn_rms_norm_new(t, name, width, eps).weight, TG_NULL, LLAMA, eps};
    tg_nn_layer_norm n = tg_nn_layer_norm_new(t, name, width, c->family == GPT_2_PUBLISHED);
    return (gpt_norm){n.weight, n.bias, c->family, eps};
}

static gpt_block gpt_2_block(tg_tape *t, const gpt_config *c, double end) {
    int64_t C = c->width, F = c->hidden;
    bool bias = c->family == GPT_2_PUBLISHED;
    return (gpt_block){.norm_1 = norm(t, c, "ln_1", C),
                       .qkv = linear(t, "attn.c_attn", C, 3 * C, weight_std, bias),
                       .attn_out = linear(t, "attn.c_proj", C, C, end, bias),
                       .norm_2 = norm(t, c, "ln_2", C),
                       .up = linear(t, "mlp.c_fc", C, F, weight_std, bias),
                       .down = linear(t, "mlp.c_proj", F, C, end, bias)};
}

static gpt_block llama_block(tg_tape *t, const gpt_config *c, double end) {
    const gpt_llama *l = &c->llama;
    int64_t C = c->width, F = c->hidden, d = gpt_head_width(c), Q = d * c->heads, K = d * gpt_kv_heads(c);
    gpt_block b = {.norm_1 = norm(t, c, "input_layernorm", C),
                   .q = linear(t, "self_attn.q_proj", C, Q, weight_std, l->qkv_bias),
                   .k = linear(t, "self_attn.k_proj", C, K, weight_std, l->qkv_bias),
                   .v = linear(t, "self_attn.v_proj", C, K, weight_std, l->qkv_bias),
                   .attn_out = linear(t, "self_attn.o_proj", Q, C, end, l->out_bias),
                   .norm_2 = norm(t, c, "post_attention_layernorm", C),
                   .gate = linear(t, "mlp.gate_proj", C, F, weight_std, l->mlp_bias),
                   .up = linear(t, "mlp.up_proj", C, F, weight_std, l->mlp_bias),
                   .down = linear(t, "mlp.down_proj", F, C, end, l->mlp_bias)};
    if (l->head_norm) {
        b.q_norm = norm(t, c, "self_attn.q_norm", d);
        b.k_norm = norm(t, c, "self_attn.k_norm", d);
    }
    return b;
}

gpt gpt_new(tg_tape *t, gpt_config config) {
    bool llama = config.family == LLAMA;
    double end = weight_std / sqrt(2 * (double)config.layers);
    gpt g = {.config = config, .activation = config.family == GPT_2_PUBLISHED ? tg_gelu_tanh : tg_gelu};
    tg_name_push(t, llama ? "model" : "transformer");
    g.token = tg_nn_embedding_new(t, llama ? "embed_tokens" : "wte", config.vocabulary, config.width);
    tg_normal_(g.token.weight, 0, weight_std);
    if (!llama) {
        g.position = tg_nn_embedding_new(t, "wpe", config.context, config.width);
        tg_normal_(g.position.weight, 0, weight_std);
    }
    for (int i = 0; i < config.layers; i++) {
        tg_name_push(t, llama ? "layers.%d" : "h.%d", i);
        g.block[i] = llama ? llama_block(t, &config, end) : gpt_2_block(t, &config, end);
        tg_name_pop(t);
    }
    g.norm = norm(t, &config, llama ? "norm" : "ln_f", config.width);
    tg_name_pop(t);
    g.head = g.token.weight;
    if (config.llama.untied)
        g.head = linear(t, "lm_head", config.width, config.vocabulary, weight_std, false).weight;
    return g;
}

/* ---- the parts of a block ---- */

static tg_tensor normalise(const gpt_norm *n, tg_tensor x) {
    return n->family == LLAMA ? tg_rms_norm(x, n->weight, n->eps) : tg_layer_norm(x, n->weight, n->bias, n->eps);
}

/* (B, T, n d) -> (B, n, T, d), for the n heads of queries, or of keys and values, of d channels */
static tg_tensor to_heads(const gpt *g, tg_tensor x) {
    return tg_transpose(tg_reshape(x, TG_SHAPE(tg_size(x, 0), tg_size(x, 1), -1, gpt_head_width(&g->config))), 1, 2);
}

/* (B, H, T, d) -> (B, T, H d) */
static tg_tensor from_heads(tg_tensor heads) {
    tg_tensor x = tg_transpose(heads, 1, 2);
    return tg_reshape(x, TG_SHAPE(tg_size(x, 0), tg_size(x, 1), -1));
}

/* Queries, keys and values, (B, H or kv_heads, T, d), of tokens from this position on. */
typedef struct attended {
    tg_tensor q, k, v;
} attended;

tg_tensor gpt_turn(const gpt_config *c, tg_tensor heads, int64_t position) {
    tg_rope_config rope = TG_ROPE_DEFAULTS;
    tg_rope_scaling scaling = c->llama.scaling;
    rope.offset = position;
    rope.base = gpt_rope_base(c);
    return tg_rope_scaled(heads, rope, scaling.type == TG_ROPE_UNSCALED ? TG_ROPE_SCALING_DEFAULTS : scaling);
}

/* Heads of queries or keys, rotated by their positions. */
static tg_tensor turned(const gpt *g, const tg_nn_linear *l, const gpt_norm *n, tg_tensor x, int64_t position) {
    tg_tensor heads = to_heads(g, tg_nn_linear_forward(l, x));
    if (g->config.llama.head_norm)
        heads = normalise(n, heads);
    return gpt_turn(&g->config, heads, position);
}

static attended project(const gpt *g, const gpt_block *b, tg_tensor x, int64_t position) {
    int64_t C = g->config.width;
    if (g->config.family == LLAMA)
        return (attended){turned(g, &b->q, &b->q_norm, x, position), turned(g, &b->k, &b->k_norm, x, position),
                          to_heads(g, tg_nn_linear_forward(&b->v, x))};
    tg_tensor qkv = tg_nn_linear_forward(&b->qkv, x);
    return (attended){to_heads(g, tg_slice(qkv, -1, 0, C, 1)), to_heads(g, tg_slice(qkv, -1, C, 2 * C, 1)),
                      to_heads(g, tg_slice(qkv, -1, 2 * C, 3 * C, 1))};
}

/* Writes the new rows after the first `length` of a cache (1, H, context, d); returns all rows, or null after an
 * error. */
static tg_tensor grown(tg_tensor cache, int64_t length, tg_tensor rows) {
    int64_t end = length + tg_size(rows, 2);
    return tg_copy_(tg_slice(cache, 2, length, end, 1), rows) ? TG_NULL : tg_slice(cache, 2, 0, end, 1);
}

/* The number of last tokens that the layer attends to; 0: all. */
static int64_t window_of(const gpt *g, int layer) {
    return layer >= g->config.llama.window_from ? g->config.llama.window : 0;
}

static tg_tensor attend(const gpt *g, const gpt_block *b, gpt_cache *cache, int layer, tg_tensor x) {
    int64_t before = cache ? cache->length : 0;
    attended a = project(g, b, normalise(&b->norm_1, x), before);
    if (cache) {
        a.k = grown(cache->key[layer], before, a.k);
        a.v = grown(cache->value[layer], before, a.v);
    }
    tg_attention_config how = TG_ATTENTION_DEFAULTS;
    how.causal = before == 0;
    how.offset = before;
    how.window = window_of(g, layer);
    how.dropout_p = g->config.dropout;
    how.enable_gqa = true;
    tg_tensor y = tg_scaled_dot_product_attention_with(a.q, a.k, a.v, how);
    return tg_add(x, tg_dropout(tg_nn_linear_forward(&b->attn_out, from_heads(y)), g->config.dropout));
}

static tg_tensor activate(const gpt *g, const gpt_block *b, tg_tensor n) {
    tg_tensor up = tg_nn_linear_forward(&b->up, n);
    if (g->config.family == LLAMA)
        return tg_swiglu(tg_nn_linear_forward(&b->gate, n), up);
    return g->activation(up);
}

static tg_tensor feed_forward(const gpt *g, const gpt_block *b, tg_tensor x) {
    tg_tensor h = activate(g, b, normalise(&b->norm_2, x));
    return tg_add(x, tg_dropout(tg_nn_linear_forward(&b->down, h), g->config.dropout));
}

/* ---- the model ---- */

static tg_tensor embed(const gpt *g, tg_tensor ids, int64_t position) {
    tg_tensor x = tg_nn_embedding_forward(&g->token, ids);
    if (g->config.family != LLAMA)
        x = tg_add(x, tg_slice(g->position.weight, 0, position, position + tg_size(ids, 1), 1));
    return tg_dropout(x, g->config.dropout);
}

static tg_tensor logits_of(const gpt *g, tg_tensor x) { return tg_linear(normalise(&g->norm, x), g->head, TG_NULL); }

/* x = y, then rewinds to the mark, which drops y. False after an error. */
static bool keep(tg_tensor x, tg_tensor y, tg_mark since) {
    return !tg_copy_(x, y) && !tg_tape_rewind(tg_tape_of(x), since);
}

/* softmax(q k^T / sqrt d + masks), which attend() computes without storing it */
static bool show_weights(const gpt *g, int layer, tg_tensor x, const gpt_look *look) {
    const gpt_block *b = &g->block[layer];
    int64_t T = tg_size(x, 1), d = gpt_head_width(&g->config), window = window_of(g, layer);
    attended a = project(g, b, normalise(&b->norm_1, x), 0);
    tg_tensor q = tg_reshape(a.q, TG_SHAPE(gpt_kv_heads(&g->config), -1, T, d));
    tg_tensor k = tg_reshape(a.k, TG_SHAPE(gpt_kv_heads(&g->config), 1, T, d));
    tg_tensor scores = tg_mul_scalar(tg_matmul(q, tg_transpose(k, -2, -1)), 1 / sqrt((double)d));
    tg_tensor ones = tg_ones(tg_tape_of(x), TG_SHAPE(T, T)), hidden = tg_triu(ones, 1);
    if (window)
        hidden = tg_add(hidden, tg_tril(ones, -window));
    tg_tensor weights = tg_contiguous(tg_softmax(tg_masked_fill(scores, tg_to_bool(hidden), -INFINITY), -1));
    const float *data = tg_const_data(weights);
    if (data)
        look->take(look->context, layer, data);
    return data != NULL;
}

/* Without gradients: each block's result replaces the previous one. look may be NULL. Null after an error. */
static tg_tensor run_blocks(const gpt *g, gpt_cache *cache, tg_tensor ids, const gpt_look *look) {
    tg_tensor x = tg_zeros(tg_tape_of(ids), TG_SHAPE(tg_size(ids, 0), tg_size(ids, 1), g->config.width));
    tg_mark mark = tg_tape_mark(tg_tape_of(ids));
    bool ok = keep(x, embed(g, ids, cache ? cache->length : 0), mark);
    for (int i = 0; i < g->config.layers && ok; i++)
        ok = (!look || show_weights(g, i, x, look)) &&
             keep(x, feed_forward(g, &g->block[i], attend(g, &g->block[i], cache, i, x)), mark);
    return ok ? x : TG_NULL;
}

gpt_cache gpt_cache_new(const gpt *g) {
    const gpt_config *c = &g->config;
    tg_shape shape = TG_SHAPE(1, gpt_kv_heads(c), c->context, gpt_head_width(c));
    gpt_cache cache = {.length = 0};
    for (int i = 0; i < g->config.layers; i++) {
        cache.key[i] = tg_zeros(g->token.weight.tape, shape);
        cache.value[i] = tg_zeros(g->token.weight.tape, shape);
    }
    return cache;
}

tg_tensor gpt_forward(const gpt *g, tg_tensor ids) {
    tg_tensor x = embed(g, ids, 0);
    for (int i = 0; i < g->config.layers; i++) {
        if (g->checkpoint)
            tg_checkpoint_begin(tg_tape_of(x));
        x = feed_forward(g, &g->block[i], attend(g, &g->block[i], NULL, i, x));
        if (g->checkpoint)
            x = tg_checkpoint_end(tg_tape_of(ids), x);
    }
    return logits_of(g, x);
}

tg_tensor gpt_evaluate(const gpt *g, tg_tensor ids) { return logits_of(g, run_blocks(g, NULL, ids, NULL)); }

bool gpt_look_at(const gpt *g, tg_tensor ids, gpt_look look) { return !tg_is_null(run_blocks(g, NULL, ids, &look)); }

tg_tensor gpt_next(const gpt *g, gpt_cache *cache, const int64_t *ids, int64_t n) {
    tg_tensor x = run_blocks(g, cache, tg_from_ints(g->token.weight.tape, TG_SHAPE(1, n), ids), NULL);
    if (cache)
        cache->length += n;
    return tg_select(tg_select(logits_of(g, tg_slice(x, 1, n - 1, n, 1)), 0, 0), 0, 0);
}
