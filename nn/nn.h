/* tapegrad nn: layers, composed of core operations over named parameters.
 *
 * A layer is a small struct of tensor handles; copy it freely. Its parameters live on the tape under PyTorch's
 * state_dict names: tg_nn_linear_new(t, "attn.W_query", 3, 2, false) makes "attn.W_query.weight". Initial weights are
 * drawn in PyTorch's order: the same seed gives the same weights. Errors stay with the tape, as in core; a constructor
 * that fails returns a struct of null handles, and a forward of a NULL or zeroed layer is an error. In any other layer
 * a null handle stands for an absent part, such as a bias. A rewind to a mark from before a layer was created drops its
 * parameters, and its handles are stale. In shapes B is batch, T tokens, C channels; B may be absent. Dropout and
 * activations have no parameters: call the operations (tg_dropout, tg_relu, ...). */
#ifndef TAPEGRAD_NN_H
#define TAPEGRAD_NN_H

#include "core/tapegrad.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Linear layers, embeddings, norms ---- */

/* y = x W^T + b, (..., in) -> (..., out). weight (out, in): Kaiming uniform with a = sqrt 5; bias (out): uniform within
 * 1/sqrt(in). Without a bias it is TG_NULL. (torch.nn.Linear) */
typedef struct tg_nn_linear {
    tg_tensor weight, bias;
} tg_nn_linear;
TG_API tg_nn_linear tg_nn_linear_new(tg_tape *t, const char *name, int64_t in, int64_t out, bool bias);
TG_API tg_tensor tg_nn_linear_forward(const tg_nn_linear *l, tg_tensor x);

/* Rows of weight (n, C), initially standard normal, looked up by ids: (...) -> (..., C). (torch.nn.Embedding) */
typedef struct tg_nn_embedding {
    tg_tensor weight;
} tg_nn_embedding;
TG_API tg_nn_embedding tg_nn_embedding_new(tg_tape *t, const char *name, int64_t n, int64_t channels);
TG_API tg_tensor tg_nn_embedding_forward(const tg_nn_embedding *e, tg_tensor ids);

/* Normalises over the last dim; from _new_over, over the last dims of this shape together. Initially weight is ones and
 * bias zeros; without a bias it is TG_NULL. (torch.nn.LayerNorm) */
typedef struct tg_nn_layer_norm {
    tg_tensor weight, bias;
    double eps;
} tg_nn_layer_norm;
TG_API tg_nn_layer_norm tg_nn_layer_norm_new(tg_tape *t, const char *name, int64_t channels, bool bias);
TG_API tg_nn_layer_norm tg_nn_layer_norm_new_over(tg_tape *t, const char *name, tg_shape normalized_shape, bool bias);
TG_API tg_tensor tg_nn_layer_norm_forward(const tg_nn_layer_norm *l, tg_tensor x);

/* Divides by the root mean square over the last dim, or dims (tg_rms_norm); weight is initially ones.
 * (torch.nn.RMSNorm) */
typedef struct tg_nn_rms_norm {
    tg_tensor weight;
    double eps;
} tg_nn_rms_norm;
TG_API tg_nn_rms_norm tg_nn_rms_norm_new(tg_tape *t, const char *name, int64_t channels, double eps);
TG_API tg_nn_rms_norm tg_nn_rms_norm_new_over(tg_tape *t, const char *name, tg_shape normalized_shape, double eps);
TG_API tg_tensor tg_nn_rms_norm_forward(const tg_nn_rms_norm *l, tg_tensor x);

/* ---- Attention ----
 * x is (T, d_in) or (B, T, d_in). Pass NULL for `weights` unless you need them: the fused operation runs then, unless
 * both masks are given. Otherwise *weights receives the attention weights as applied, after dropout: (B, heads, T, S),
 * without B when x has none and without heads in single-head layers; S is the number of keys, T in self-attention.
 * dropout acts on the weights in train mode. An empty name gives parameters without a prefix ("W_query.weight"). A
 * query whose keys are all masked gives zeros, never NaN. */

/* softmax(x x^T) x: attention without parameters. */
TG_API tg_tensor tg_nn_simple_attention(tg_tensor x, tg_tensor *weights);

/* SelfAttention_v1 of S. Raschka's Build a Large Language Model (From Scratch), whose names the layers down to
 * MultiHeadAttention use: W_query, W_key, W_value are plain parameters (d_in, d_out) drawn by tg_rand, in this order;
 * y = softmax(q k^T / sqrt d_out) v with q = x W_query, ... */
typedef struct tg_nn_self_attention_v1 {
    tg_tensor W_query, W_key, W_value;
} tg_nn_self_attention_v1;
TG_API tg_nn_self_attention_v1 tg_nn_self_attention_v1_new(tg_tape *t, const char *name, int64_t d_in, int64_t d_out);
TG_API tg_tensor tg_nn_self_attention_v1_forward(const tg_nn_self_attention_v1 *a, tg_tensor x, tg_tensor *weights);

/* SelfAttention_v2: the same with Linear layers: W_query.weight (d_out, d_in), W_query.bias, ... */
typedef struct tg_nn_self_attention_v2 {
    tg_nn_linear W_query, W_key, W_value;
} tg_nn_self_attention_v2;
TG_API tg_nn_self_attention_v2 tg_nn_self_attention_v2_new(tg_tape *t, const char *name, int64_t d_in, int64_t d_out,
                                                           bool qkv_bias);
TG_API tg_tensor tg_nn_self_attention_v2_forward(const tg_nn_self_attention_v2 *a, tg_tensor x, tg_tensor *weights);

/* CausalAttention: position i sees 0..i only, and T is at most context. The buffer `mask` (context, context), ones
 * above the diagonal, is saved with the model as in PyTorch; forward reads only its size. */
typedef struct tg_nn_causal_attention {
    tg_nn_linear W_query, W_key, W_value;
    tg_tensor mask;
    double dropout;
} tg_nn_causal_attention;
TG_API tg_nn_causal_attention tg_nn_causal_attention_new(tg_tape *t, const char *name, int64_t d_in, int64_t d_out,
                                                         int64_t context, double dropout, bool qkv_bias);
TG_API tg_tensor tg_nn_causal_attention_forward(const tg_nn_causal_attention *a, tg_tensor x, tg_tensor *weights);

/* MultiHeadAttentionWrapper: independent causal heads ("mha.heads.0.W_query.weight", ...), their outputs concatenated:
 * (B, T, d_in) -> (B, T, heads * d_out). The array of heads is the tape's memory. */
typedef struct tg_nn_multi_head_wrapper {
    const tg_nn_causal_attention *heads;
    int n_heads;
    tg_tensor last; /* the last head's mask: the array is valid as long as this handle is */
} tg_nn_multi_head_wrapper;
TG_API tg_nn_multi_head_wrapper tg_nn_multi_head_wrapper_new(tg_tape *t, const char *name, int64_t d_in, int64_t d_out,
                                                             int64_t context, double dropout, int n_heads,
                                                             bool qkv_bias);
TG_API tg_tensor tg_nn_multi_head_wrapper_forward(const tg_nn_multi_head_wrapper *a, tg_tensor x, tg_tensor *weights);

/* ---- Attention with masks ---- */

/* As in torch.nn.MultiheadAttention true in a TG_BOOL mask HIDES (in tg_scaled_dot_product_attention it allows), and a
 * floating attn_mask is added to the scores. Unlike there a 3-D attn_mask is (B, T, S), for all heads, and a
 * key_padding_mask must be TG_BOOL. TG_NULL: none. */
typedef struct tg_nn_masks {
    tg_tensor key_padding_mask; /* TG_BOOL: (S), or (B, S) when there is a batch; true where a token is padding */
    tg_tensor attn_mask;        /* TG_BOOL or floating: (T, S), (B, T, S), or the shape of the weights (or 1s there) */
    bool causal;                /* position i sees 0..i only */
} tg_nn_masks;
#define TG_NN_NO_MASKS (TG_LITERAL(tg_nn_masks){TG_NULL, TG_NULL, false})

/* y = dropout(softmax(q k^T / sqrt d + masks)) v, as the layers below compute it. q (..., T, d), k (..., S, d) and v
 * (..., S, dv) give (..., T, dv), where ... is nothing, B, or B, heads. */
TG_API tg_tensor tg_nn_attention(tg_tensor q, tg_tensor k, tg_tensor v, tg_nn_masks masks, double dropout,
                                 tg_tensor *weights);

/* MultiHeadAttention: W_query, W_key, W_value (d_out, d_in), split into n_heads heads of d_out / n_heads channels,
 * whose outputs are concatenated and projected by out_proj (d_out, d_out, with bias): (B, T, d_in) -> (B, T, d_out).
 * With a context > 0 it is causal, with a `mask` as above; with context 0 every token attends to all, for any T (an
 * encoder). forward_masked applies further masks. */
typedef struct tg_nn_multi_head_attention {
    tg_nn_linear W_query, W_key, W_value, out_proj;
    tg_tensor mask; /* TG_NULL without a context */
    double dropout;
    int n_heads;
} tg_nn_multi_head_attention;
TG_API tg_nn_multi_head_attention tg_nn_multi_head_attention_new(tg_tape *t, const char *name, int64_t d_in,
                                                                 int64_t d_out, int64_t context, double dropout,
                                                                 int n_heads, bool qkv_bias);
TG_API tg_tensor tg_nn_multi_head_attention_forward(const tg_nn_multi_head_attention *a, tg_tensor x,
                                                    tg_tensor *weights);
TG_API tg_tensor tg_nn_multi_head_attention_forward_masked(const tg_nn_multi_head_attention *a, tg_tensor x,
                                                           tg_nn_masks masks, tg_tensor *weights);

/* Cross-attention: the tokens of x (B, T, d_x) attend to those of y (B, S, d_y): queries come from x, keys and values
 * from y -> (B, T, d_out). Parameters as in SelfAttention_v2. */
typedef struct tg_nn_cross_attention {
    tg_nn_linear W_query, W_key, W_value;
    double dropout;
} tg_nn_cross_attention;
TG_API tg_nn_cross_attention tg_nn_cross_attention_new(tg_tape *t, const char *name, int64_t d_x, int64_t d_y,
                                                       int64_t d_out, double dropout, bool qkv_bias);
TG_API tg_tensor tg_nn_cross_attention_forward(const tg_nn_cross_attention *a, tg_tensor x, tg_tensor y,
                                               tg_nn_masks masks, tg_tensor *weights);

/* Additive attention (Bahdanau, Cho, Bengio 2014): query s scores state h_i as v^T tanh(W_1 h_i + W_2 s), and y is the
 * mean of the states weighted by softmax of the scores. Queries s (B, T, d_s), states h (B, S, d_h) -> (B, T, d_h).
 * Linear layers without bias, drawn in this order: W_1.weight (hidden, d_h), W_2.weight (hidden, d_s), v.weight
 * (1, hidden). */
typedef struct tg_nn_additive_attention {
    tg_nn_linear W_1, W_2, v;
} tg_nn_additive_attention;
TG_API tg_nn_additive_attention tg_nn_additive_attention_new(tg_tape *t, const char *name, int64_t d_s, int64_t d_h,
                                                             int64_t hidden);
TG_API tg_tensor tg_nn_additive_attention_forward(const tg_nn_additive_attention *a, tg_tensor s, tg_tensor h,
                                                  tg_nn_masks masks, tg_tensor *weights);

/* ---- Layers of torch.nn ---- */

/* torch.nn.MultiheadAttention, batch first: queries from q (B, T, embed_dim), keys from k (B, S, kdim), values from v
 * (B, S, vdim) -> (B, T, embed_dim); pass one tensor three times for self-attention. in_proj_weight ((n_heads + 2
 * n_kv_heads) d, embed_dim) holds the projections of q, k and v, one after another, with d = embed_dim / n_heads; when
 * kdim or vdim differ from embed_dim it is TG_NULL, and q_proj_weight, k_proj_weight and v_proj_weight are used
 * instead. in_proj_bias is the bias of all three; out_proj projects the heads' outputs. Grouped queries: n_heads /
 * n_kv_heads heads of queries share a head of keys and values. add_bias_kv: the parameters bias_k and bias_v (1, 1,
 * n_kv_heads d) are one more key and value after the S keys; add_zero_attn: a key and a value of zeros follow. Masks
 * cover the S keys and never hide the added ones; the weights are (B, heads, T, S plus those added). */
typedef struct tg_nn_multihead_config {
    int64_t kdim, vdim; /* 0: embed_dim */
    int n_kv_heads;     /* 0: n_heads */
    double dropout;
    bool in_proj_bias, out_proj_bias, add_bias_kv, add_zero_attn;
} tg_nn_multihead_config;
#define TG_NN_MULTIHEAD_DEFAULTS (TG_LITERAL(tg_nn_multihead_config){0, 0, 0, 0, true, true, false, false})
typedef struct tg_nn_multihead {
    tg_tensor in_proj_weight, q_proj_weight, k_proj_weight, v_proj_weight, in_proj_bias, bias_k, bias_v;
    tg_nn_linear out_proj;
    int n_heads, n_kv_heads;
    double dropout;
    bool add_zero_attn;
} tg_nn_multihead;
TG_API tg_nn_multihead tg_nn_multihead_new(tg_tape *t, const char *name, int64_t embed_dim, int n_heads,
                                           tg_nn_multihead_config config);
TG_API tg_tensor tg_nn_multihead_forward(const tg_nn_multihead *a, tg_tensor q, tg_tensor k, tg_tensor v,
                                         tg_nn_masks masks, tg_tensor *weights);

/* torch.nn.TransformerEncoderLayer, batch first: x (B, T, d_model) -> the same shape, with a = self_attn and f(x) =
 * linear2(activation(linear1(x))); without norm_first and with it:
 *   x = norm1(x + a(x)),  norm2(x + f(x))              norm_first: x = x + a(norm1(x)),  x + f(norm2(x))
 * and dropout on the attention weights, on a, within f after the activation, and on f. gelu is tg_gelu. */
typedef enum { TG_NN_RELU, TG_NN_GELU } tg_nn_activation;
typedef struct tg_nn_encoder_layer_config {
    int64_t dim_feedforward;
    double dropout, layer_norm_eps;
    tg_nn_activation activation;
    bool norm_first, bias;
} tg_nn_encoder_layer_config;
#define TG_NN_ENCODER_LAYER_DEFAULTS (TG_LITERAL(tg_nn_encoder_layer_config){2048, 0.1, 1e-5, TG_NN_RELU, false, true})
typedef struct tg_nn_encoder_layer {
    tg_nn_multihead self_attn;
    tg_nn_linear linear1, linear2;
    tg_nn_layer_norm norm1, norm2;
    double dropout;
    tg_nn_activation activation;
    bool norm_first;
} tg_nn_encoder_layer;
TG_API tg_nn_encoder_layer tg_nn_encoder_layer_new(tg_tape *t, const char *name, int64_t d_model, int n_heads,
                                                   tg_nn_encoder_layer_config config);
TG_API tg_tensor tg_nn_encoder_layer_forward(const tg_nn_encoder_layer *l, tg_tensor x, tg_nn_masks masks);

/* ---- Low-rank adapters ---- */

/* Low-rank adaptation of a linear layer (Hu et al. 2022): y = base(x) + scaling dropout(x) A^T B^T, scaling = alpha /
 * rank, finite in the dtype. The base is frozen; A (rank, in), drawn as a Linear's weight, and B (out, rank), zeros at
 * first, are trained. The base's weight must have a name: for LAYER.weight A and B get PEFT's names,
 * "base_model.model.LAYER.lora_A.weight" and ".lora_B.weight". tg_save_with with only = tg_nn_lora_parameters(t) saves
 * the adapters alone. base may hold any weight (out, in) of a layer, an in_proj_weight too, with TG_NULL as its bias:
 * in a copy of that layer's struct replace the weight by tg_nn_lora_weight, W + scaling B A, which has no dropout.
 * merge adds scaling B A to W and records that on the tape as a merged adapter of W (tg_set_adapter), so that files and
 * replays do not apply it twice; unmerge subtracts it again, up to rounding, and removes the record. The state is the
 * tape's, so copies of the struct agree on it: where W has an adapter with the same A and B on the tape, forward adds
 * nothing itself. Errors, after which nothing has changed (TG_ERR_STATE): merge when W has an adapter on the tape;
 * unmerge when this one is not merged, or when elements of A or B differ from when it was merged. */
typedef struct tg_nn_lora_config {
    int64_t rank;
    double alpha, dropout;
} tg_nn_lora_config;
#define TG_NN_LORA_DEFAULTS (TG_LITERAL(tg_nn_lora_config){8, 8, 0})
typedef struct tg_nn_lora {
    tg_nn_linear base;
    tg_tensor lora_A, lora_B;
    double scaling, dropout;
} tg_nn_lora;
TG_API tg_nn_lora tg_nn_lora_new(tg_nn_linear base, tg_nn_lora_config config);
TG_API tg_tensor tg_nn_lora_forward(const tg_nn_lora *l, tg_tensor x);
TG_API tg_tensor tg_nn_lora_weight(const tg_nn_lora *l);
TG_API TG_MUST_USE tg_status tg_nn_lora_merge(const tg_nn_lora *l);
TG_API TG_MUST_USE tg_status tg_nn_lora_unmerge(const tg_nn_lora *l);

/* The same by name, without changing a layer's forward. tg_nn_lora_add makes adapters for all weights (out, in) on the
 * tape whose names, with or without a final ".weight", match one of the patterns. Patterns are separated by commas,
 * with optional blanks, and a * stands for any text: "*.q_proj, *.v_proj", "h.*.attn.*", "*.in_proj_weight". From then
 * on tg_linear applies the adapters, whichever layer calls it (tg_set_adapter). All parameters but adapters are frozen,
 * as PEFT does; further calls add more. A and B are drawn and named as above, in the order of the weights;
 * tg_nn_lora_parameters lists all parameters with such names. A rewind to a mark from before the call removes the
 * adapters; the weights stay as they are then, merged and frozen if they were. Errors, after which nothing has changed:
 * a pattern that matches no weight (the message lists the weights' names, each number as a star); a weight that has an
 * adapter already (TG_ERR_STATE); a rank, alpha or dropout that tg_nn_lora_new refuses.
 *
 * set_merged(t, true) adds scaling B A to all these weights, which then compute without adapters; false subtracts it
 * again, up to rounding. After an error no weight has changed: TG_ERR_MEMORY; TG_ERR_STATE when there is no adapter to
 * change, or when elements of A or B differ from when their weight was merged. tg_check_adapter finds the weight;
 * restore the old elements, bit for bit. */
TG_API TG_MUST_USE tg_status tg_nn_lora_add(tg_tape *t, const char *patterns, tg_nn_lora_config config);
TG_API TG_MUST_USE tg_status tg_nn_lora_set_merged(tg_tape *t, bool merged);
TG_API tg_list tg_nn_lora_parameters(tg_tape *t);

#ifdef __cplusplus
}
#endif
#endif
