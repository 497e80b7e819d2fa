/* A small language model whose core is one head of causal attention: embeddings, attention, a position-wise network,
 * and a head that predicts the next token. Pre-norm (Xiong et al. 2020). */
#ifndef EXAMPLES_LANGUAGE_MODEL_H
#define EXAMPLES_LANGUAGE_MODEL_H

#include "nn/nn.h"

/* How positions are mixed. The last two are baselines. */
typedef enum { ATTENTION, EQUAL_WEIGHTS, NOTHING } mixing;

typedef struct language_model {
    mixing mixing;
    tg_nn_embedding token, position, previous; /* previous.weight is TG_NULL when unused */
    tg_nn_layer_norm norm_attn, norm_mlp, norm_head;
    tg_nn_causal_attention attn;
    tg_nn_linear up, down, head;
} language_model;

/* V different tokens, at most T at a time, C channels. Parameters: token.weight, attn.W_query.weight, ... */
language_model language_model_new(tg_tape *t, int64_t V, int64_t T, int64_t C, bool sees_previous, mixing how);

/* The input of attention: for each token its embedding, that of its position and, for the built-in task, that of the
 * token before it. ids (B, T) -> (B, T, C). */
tg_tensor language_model_embed(const language_model *m, tg_tensor ids);

/* ids (B, T) -> logits (B, T, V) for the token that follows each. weights: NULL, or receives the attention weights (B,
 * T, T); not set by the baselines. */
tg_tensor language_model_forward(const language_model *m, tg_tensor ids, tg_tensor *weights);

#endif
