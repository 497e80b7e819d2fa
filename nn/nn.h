/* tapegrad nn: layers, as compositions of core operations over named parameters.
 *
 * A layer is a small struct of tensor handles, copied freely; its parameters live on the tape under PyTorch's
 * state_dict names: tg_nn_linear_new(t, "attn.W_query", 3, 2, false) makes "attn.W_query.weight". Random values
 * are drawn in PyTorch's order, so equal seeds give equal weights. Errors stay with the tape, as in core.
 * In shapes B is batch, T tokens, C channels; leading dims may be absent.
 */
#ifndef TAPEGRAD_NN_H
#define TAPEGRAD_NN_H

#include "core/tapegrad.h"

#ifdef __cplusplus
extern "C" {
#endif

/* y = x W^T + b, (..., in) -> (..., out). weight (out, in): Kaiming uniform with a = sqrt 5; bias (out): uniform
 * within 1/sqrt(in). bias is TG_NULL when there is none. (torch.nn.Linear) */
typedef struct tg_nn_linear {
    tg_tensor weight, bias;
} tg_nn_linear;
TG_API tg_nn_linear tg_nn_linear_new(tg_tape *t, const char *name, int64_t in, int64_t out, bool bias);
TG_API tg_tensor tg_nn_linear_forward(const tg_nn_linear *l, tg_tensor x);

/* Rows of weight (n, C), standard normal at first, picked by ids: (...) -> (..., C). (torch.nn.Embedding) */
typedef struct tg_nn_embedding {
    tg_tensor weight;
} tg_nn_embedding;
TG_API tg_nn_embedding tg_nn_embedding_new(tg_tape *t, const char *name, int64_t n, int64_t channels);
TG_API tg_tensor tg_nn_embedding_forward(const tg_nn_embedding *e, tg_tensor ids);

/* Normalise the last dim; weight ones, bias zeros at first, bias TG_NULL when there is none. (torch.nn.LayerNorm) */
typedef struct tg_nn_layer_norm {
    tg_tensor weight, bias;
    double eps;
} tg_nn_layer_norm;
TG_API tg_nn_layer_norm tg_nn_layer_norm_new(tg_tape *t, const char *name, int64_t channels, bool bias);
TG_API tg_tensor tg_nn_layer_norm_forward(const tg_nn_layer_norm *l, tg_tensor x);

/* ---- attention ----
 * x is (T, d_in) or (B, T, d_in). Where a forward takes `tg_tensor *weights`, NULL means they are not wanted
 * (and lets the fused operation run); else they arrive there, (B, heads, T, T) without the dims that are absent.
 */

/* softmax(x x^T) x: attention without weights. */
TG_API tg_tensor tg_nn_simple_attention(tg_tensor x, tg_tensor *weights);

/* The notebooks' SelfAttention_v1: W_query, W_key, W_value are plain parameters (d_in, d_out) drawn by tg_rand, in
 * this order; y = softmax(q k^T / sqrt d_out) v with q = x W_query, ... */
typedef struct tg_nn_self_attention_v1 {
    tg_tensor W_query, W_key, W_value;
} tg_nn_self_attention_v1;
TG_API tg_nn_self_attention_v1 tg_nn_self_attention_v1_new(tg_tape *t, const char *name, int64_t d_in, int64_t d_out);
TG_API tg_tensor tg_nn_self_attention_v1_forward(const tg_nn_self_attention_v1 *a, tg_tensor x, tg_tensor *weights);

/* SelfAttention_v2: the same with Linear layers. */
typedef struct tg_nn_self_attention_v2 {
    tg_nn_linear W_query, W_key, W_value;
} tg_nn_self_attention_v2;
TG_API tg_nn_self_attention_v2 tg_nn_self_attention_v2_new(tg_tape *t, const char *name, int64_t d_in, int64_t d_out,
                                                           bool qkv_bias);
TG_API tg_tensor tg_nn_self_attention_v2_forward(const tg_nn_self_attention_v2 *a, tg_tensor x, tg_tensor *weights);

/* CausalAttention: position i sees 0..i only; dropout acts on the weights; `mask`, a buffer of ones above the
 * diagonal (context, context), is saved with the model. T is at most context. */
typedef struct tg_nn_causal_attention {
    tg_nn_linear W_query, W_key, W_value;
    tg_tensor mask;
    double dropout;
    int64_t context;
} tg_nn_causal_attention;
TG_API tg_nn_causal_attention tg_nn_causal_attention_new(tg_tape *t, const char *name, int64_t d_in, int64_t d_out,
                                                         int64_t context, double dropout, bool qkv_bias);
TG_API tg_tensor tg_nn_causal_attention_forward(const tg_nn_causal_attention *a, tg_tensor x, tg_tensor *weights);

#ifdef __cplusplus
}
#endif
#endif
