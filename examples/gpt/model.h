/* A GPT: GPT-2's transformer as in nanoGPT, or Llama's.
 *
 *   GPT-2 (Radford et al. 2019)   learned positions, layer_norm, gelu, the head tied to the token embedding; parameters
 *                                 bear nanoGPT's names: transformer.h.0.attn.c_attn.weight (3C, C)
 *   GPT-2 as published            the same with biases, and gelu by tanh
 *   Llama (Touvron et al. 2023)   rotary positions, rms_norm, swiglu, tied too; Hugging Face's names:
 *                                 model.layers.0.self_attn.q_proj.weight. The settings of a gpt_llama give others of
 *                                 its family: Llama 2 and 3, Mistral, Qwen2, Qwen3
 *
 * All normalise before each part. B is batch, T tokens, C width, H heads, V vocabulary. */
#ifndef EXAMPLES_GPT_MODEL_H
#define EXAMPLES_GPT_MODEL_H

#include "nn/nn.h"

enum { GPT_MAX_LAYERS = 96, GPT_2_IDS = 50257 /* of GPT-2's vocabulary, the last ends a text */ };
#define GPT_NORM_EPS 1e-5
typedef enum { GPT_2, LLAMA, GPT_2_PUBLISHED } gpt_family;

/* Differences of models of Llama's family from the preset, for which all is 0. */
typedef struct gpt_llama {
    int64_t head_width;                /* channels of a head; 0: width / heads */
    int64_t window, window_from;       /* layers from window_from on attend to the last `window` tokens; 0: to all */
    bool qkv_bias, out_bias, mlp_bias; /* biases of the linear layers */
    bool head_norm;                    /* rms_norm of each query and key (Qwen3) */
    bool untied;                       /* the head has its own weight, lm_head.weight */
    double norm_eps, rope_base;        /* 0: GPT_NORM_EPS, 10000 */
    tg_rope_scaling scaling;           /* type TG_ROPE_UNSCALED: none */
} gpt_llama;

enum { GPT_MOST_ENDS = 4 };
typedef struct gpt_config {
    gpt_family family;
    int64_t vocabulary, context, layers, heads, width,
        hidden; /* heads divides width; hidden: of the feed-forward part */
    int64_t
        kv_heads; /* Llama's: heads / kv_heads heads of queries share one of keys and values (0: each has its own) */
    double dropout;
    int64_t begin, end[GPT_MOST_ENDS]; /* tokens that begin and end a text, plus 1; 0: none */
    gpt_llama llama;
} gpt_config;

static inline int64_t gpt_kv_heads(const gpt_config *c) { return c->kv_heads ? c->kv_heads : c->heads; }
static inline int64_t gpt_head_width(const gpt_config *c) {
    return c->llama.head_width ? c->llama.head_width : c->width / c->heads;
}
static inline double gpt_norm_eps(const gpt_config *c) {
    return c->llama.norm_eps > 0 ? c->llama.norm_eps : GPT_NORM_EPS;
}
static inline double gpt_rope_base(const gpt_config *c) {
    return c->llama.rope_base > 0 ? c->llama.rope_base : TG_ROPE_DEFAULTS.base;
}

typedef struct gpt_norm {
    tg_tensor weight, bias; /* bias: TG_NULL unless published */
    gpt_family family;
    double eps;
} gpt_norm;

typedef struct gpt_block {
    gpt_norm norm_1, norm_2;
    tg_nn_linear qkv;     /* GPT-2: the three in one */
    tg_nn_linear q, k, v; /* Llama */
    gpt_norm q_norm, k_norm;
    tg_nn_linear attn_out, gate, up, down;
} gpt_block;

typedef struct gpt {
    gpt_config config;
    tg_nn_embedding token, position; /* position: GPT-2's */
    gpt_block block[GPT_MAX_LAYERS];
    gpt_norm norm;
    tg_tensor head;                       /* (V, C): token's weight, or its own */
    tg_tensor (*activation)(tg_tensor x); /* GPT-2's, between up and down; set by gpt_new */
    bool checkpoint; /* gpt_forward keeps only each block's input, and backward recomputes the rest */
} gpt;

/* Initial weights are normal with std 0.02; those that end a residual branch, 0.02 / sqrt(2 layers). */
gpt gpt_new(tg_tape *t, gpt_config config);

/* Applies Llama's rotary positions to heads (..., T, d), from `position` on. */
tg_tensor gpt_turn(const gpt_config *c, tg_tensor heads, int64_t position);

/* ids (B, T), T at most context -> logits (B, T, V) for the token that follows each. gpt_evaluate is for no_grad: its
 * memory does not grow with the number of layers. */
tg_tensor gpt_forward(const gpt *g, tg_tensor ids);
tg_tensor gpt_evaluate(const gpt *g, tg_tensor ids);

/* Under no_grad and in eval mode, for a float32 model: passes each layer's attention weights (H, T, T) for ids (1, T)
 * to `take`, layer by layer. False after an error. */
typedef struct gpt_look {
    void (*take)(void *context, int layer, const float *weights);
    void *context;
} gpt_look;
bool gpt_look_at(const gpt *g, tg_tensor ids, gpt_look look);

/* ---- one token after the other ---- */

/* The keys and values of the tokens so far, (1, kv_heads, context, channels of a head) for each layer: a new token
 * attends to them without recomputing them. They are on the tape. */
typedef struct gpt_cache {
    tg_tensor key[GPT_MAX_LAYERS], value[GPT_MAX_LAYERS];
    int64_t length;
} gpt_cache;
gpt_cache gpt_cache_new(const gpt *g);

/* The logits (V) that follow the last of n tokens, under no_grad. With a cache the n tokens follow cache->length others
 * (cache->length == 0 or n == 1) and are added to it; with NULL they are the whole input. At most `context` tokens in
 * all. */
tg_tensor gpt_next(const gpt *g, gpt_cache *cache, const int64_t *ids, int64_t n);

#endif
