/* A GPT: GPT-2's transformer as nanoGPT has it, or Llama's.
 *
 *   GPT-2 (Radford et al. 2019)   learned positions, layer_norm, gelu, the head tied to the token embedding; parameters
 *                                 bear nanoGPT's names: transformer.h.0.attn.c_attn.weight (3C, C)
 *   GPT-2 as published            the same with biases, and gelu by tanh
 *   Llama (Touvron et al. 2023)   rotary positions, rms_norm, swiglu, tied too; Hugging Face's names:
 *                                 model.layers.0.self_attn.q_proj.weight
 *
 * Both normalise before each part. B is batch, T tokens, C width, H heads, V vocabulary. */
#ifndef EXAMPLES_GPT_MODEL_H
#define EXAMPLES_GPT_MODEL_H

#include "nn/nn.h"

enum { GPT_MAX_LAYERS = 96 };
#define GPT_NORM_EPS 1e-5
typedef enum { GPT_2, LLAMA, GPT_2_PUBLISHED } gpt_family;

typedef struct gpt_config {
    gpt_family family;
    int64_t vocabulary, context, layers, heads, width,
        hidden;       /* heads divides width; hidden: of the feed-forward part */
    int64_t kv_heads; /* Llama's: queries of heads / kv_heads heads share keys and values (0: each has its own) */
    double dropout;
} gpt_config;

static inline int64_t gpt_kv_heads(const gpt_config *c) { return c->kv_heads ? c->kv_heads : c->heads; }

typedef struct gpt_norm {
    tg_tensor weight, bias; /* bias: TG_NULL unless published */
    gpt_family family;
} gpt_norm;

typedef struct gpt_block {
    gpt_norm norm_1, norm_2;
    tg_nn_linear qkv;     /* GPT-2: the three in one */
    tg_nn_linear q, k, v; /* Llama */
    tg_nn_linear attn_out, gate, up, down;
} gpt_block;

typedef struct gpt {
    gpt_config config;
    tg_nn_embedding token, position; /* position: GPT-2's */
    gpt_block block[GPT_MAX_LAYERS];
    gpt_norm norm;
} gpt;

/* Weights are normal with std 0.02, those that end a residual branch 0.02 / sqrt(2 layers). */
gpt gpt_new(tg_tape *t, gpt_config config);

/* ids (B, T), T at most context -> logits (B, T, V) for the token that follows each. The second is for no_grad: its
 * memory does not grow with the number of layers. */
tg_tensor gpt_forward(const gpt *g, tg_tensor ids);
tg_tensor gpt_evaluate(const gpt *g, tg_tensor ids);

/* Under no_grad and in eval mode, of a float32 model: gives each layer's attention weights (H, T, T) for ids (1, T)
 * away, one layer after another. False after an error. */
typedef struct gpt_look {
    void (*take)(void *context, int layer, const float *weights);
    void *context;
} gpt_look;
bool gpt_look_at(const gpt *g, tg_tensor ids, gpt_look look);

/* ---- one token after the other ---- */

/* The keys and values of the tokens so far, (1, kv_heads, context, C / H) for each layer: a new token attends to them
 * without their being computed again. They lie on the tape. */
typedef struct gpt_cache {
    tg_tensor key[GPT_MAX_LAYERS], value[GPT_MAX_LAYERS];
    int64_t length;
} gpt_cache;
gpt_cache gpt_cache_new(const gpt *g);

/* The logits (V) that follow the last of n tokens, under no_grad. With a cache these n come after cache->length others,
 * which is 0 or n is 1, and are added to it; with NULL they are all there is. At most context of them in all. */
tg_tensor gpt_next(const gpt *g, gpt_cache *cache, const int64_t *ids, int64_t n);

#endif
