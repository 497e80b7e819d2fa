/* A small language model whose core is one head of causal attention: embeddings, attention, a position-wise network,
 * and a head that says which token comes next. Normalised before each part (Xiong et al. 2020). */
#ifndef EXAMPLES_LANGUAGE_MODEL_H
#define EXAMPLES_LANGUAGE_MODEL_H

#include "nn/nn.h"

/* How a position learns about those before it. The last two are the baselines. */
typedef enum { ATTENTION, EQUAL_WEIGHTS, NOTHING } mixing;

typedef struct language_model {
    mixing mixing;
    tg_nn_embedding token, position, previous; /* previous.weight is TG_NULL when it is not used */
    tg_nn_layer_norm norm_attn, norm_mlp, norm_head;
    tg_nn_causal_attention attn;
    tg_nn_linear up, down, head;
} language_model;

/* V different tokens, at most T of them at a time, C channels. Parameters: token.weight, attn.W_query.weight, ... */
language_model language_model_new(tg_tape *t, int64_t V, int64_t T, int64_t C, bool sees_previous, mixing how);

/* The input of attention: for each token its embedding, that of its position and, for the built-in task, that of the
 * token before it. ids (B, T) -> (B, T, C). */
tg_tensor language_model_embed(const language_model *m, tg_tensor ids);

/* ids (B, T) -> logits (B, T, V) for the token that follows each. weights: NULL, or where the attention's (B, T, T)
 * go; with the baselines nothing does. */
tg_tensor language_model_forward(const language_model *m, tg_tensor ids, tg_tensor *weights);

#endif
