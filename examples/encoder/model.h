/* BERT (Devlin et al. 2019) as sentence-transformers use it: embeddings of words, positions and segments, post-norm
 * layers of attention and feed-forward, the mean over a sentence's tokens, normalised to length 1. Parameters have
 * Hugging Face's names: encoder.layer.0.attention.self.query.weight (C, C). B is batch, T tokens, C width. */
#ifndef EXAMPLES_ENCODER_MODEL_H
#define EXAMPLES_ENCODER_MODEL_H

#include "nn/nn.h"

enum { BERT_MAX_LAYERS = 48 };

typedef struct bert_config {
    int64_t vocabulary, context, segments, width, hidden, layers, heads;
    double norm_eps;
} bert_config;

typedef struct bert_layer {
    tg_nn_linear query, key, value, attention_out, up, down;
    tg_nn_layer_norm attention_norm, output_norm;
} bert_layer;

typedef struct bert {
    bert_config config;
    tg_nn_embedding word, position, segment;
    tg_nn_layer_norm norm;
    bert_layer layer[BERT_MAX_LAYERS];
} bert;

bert bert_new(tg_tape *t, bert_config config);
/* Freezes everything but attention's weights and biases. With lora these are frozen too, and only adapters of query and
 * value are trained. */
void bert_train_attention(bert *m, const tg_nn_lora_config *lora);

/* Sentences as rows of ids (B, T), padded after `length` tokens each -> (B, C), of length 1. */
tg_tensor bert_embed(const bert *m, const int64_t *ids, const int64_t *length, int64_t B, int64_t T);

#endif
