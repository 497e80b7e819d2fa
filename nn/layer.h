/* Private: what the layers share: names, checks whose messages name the layer, and attention from q, k, v on. */
#ifndef TAPEGRAD_NN_LAYER_H
#define TAPEGRAD_NN_LAYER_H

#include "nn/nn.h"

#include <math.h>
#include <string.h>

enum { TG_NN_MAX_NAME = 256 };

typedef struct tg_nn_text {
    char s[TG_NN_MAX_NAME];
} tg_nn_text;

/* ---- making a layer ---- */

/* Between the two the parts of a layer are made, under its name (NULL: none). end: true when all was made. After an
 * error what was made since begin, names too, is taken back. */
typedef struct tg_nn_making {
    tg_nn_text layer; /* for messages, with the whole name */
    tg_mark start;
} tg_nn_making;
tg_nn_making tg_nn_begin(tg_tape *t, const char *kind, const char *name);
bool tg_nn_end(tg_tape *t, const tg_nn_making *m);

/* A parameter of the layer, and a buffer; zeros at first. */
tg_tensor tg_nn_parameter(tg_tape *t, const tg_nn_text *layer, const char *name, tg_shape shape);
tg_tensor tg_nn_buffer(tg_tape *t, const tg_nn_text *layer, const char *name, tg_shape shape);

/* Linear layers "W_query", "W_key" and "W_value", drawn in this order. */
typedef struct tg_nn_qkv {
    tg_nn_linear query, key, value;
} tg_nn_qkv;
tg_nn_qkv tg_nn_qkv_new(tg_tape *t, int64_t d_query, int64_t d_key, int64_t d_out, bool bias);

/* tg_nn_lora_new with A left zeros, and what draws it. */
tg_nn_lora tg_nn_lora_undrawn(tg_nn_linear base, tg_nn_lora_config config);
void tg_nn_lora_draw(tg_tensor a);
/* weight + scaling B A, or - to unmerge, and the tape knows of it; on an error neither. */
tg_status tg_nn_set_merged(tg_tensor weight, tg_adapter a, bool merged);

/* A buffer "mask" (context, context) of ones above the diagonal. */
tg_tensor tg_nn_causal_buffer(tg_tape *t, const tg_nn_text *layer, int64_t context);

/* ---- checks: each is true, or has left an error that begins with the layer ---- */

/* A layer in a message, "causal_attention 'attn'"; when its name is that of a parameter without ".part". */
tg_nn_text tg_nn_named_layer(const char *kind, const char *name);
tg_nn_text tg_nn_layer(const char *kind, tg_tensor parameter, const char *part);

/* True when there is a layer at all. x is an input of its forward, whose tape gets the error. */
bool tg_nn_is_there(const void *layer, const char *kind, tg_tensor x);

/* what names the size or tensor. */
bool tg_nn_size_is_valid(tg_tape *t, const tg_nn_text *layer, const char *what, int64_t size);
bool tg_nn_dropout_is_valid(tg_tape *t, const tg_nn_text *layer, double p);
bool tg_nn_eps_is_valid(tg_tape *t, const tg_nn_text *layer, const char *what, double eps);
/* True when weight, a live tensor, has this dim. */
bool tg_nn_weight_has_dim(const tg_nn_text *layer, tg_tensor weight, int dim);
/* True when x is floating, on weight's tape, and (T, C) or (B, T, C) with C the size of weight along dim. */
bool tg_nn_input_is_valid(const tg_nn_text *layer, const char *what, tg_tensor x, tg_tensor weight, int dim);
/* True when x and y have the same batch dim, or neither has one. */
bool tg_nn_batches_agree(const tg_nn_text *layer, tg_tensor x, tg_tensor y);
/* True when parts of the layer, which x's tape must hold, fit: a tensor of this shape, in which -1 is any size; one
 * that may be absent; a Linear layer from `in` channels to `out`; three that make queries of x and keys and values of
 * y. */
bool tg_nn_part_fits(const tg_nn_text *layer, const char *part, tg_tensor x, tg_tensor w, tg_shape shape);
bool tg_nn_option_fits(const tg_nn_text *layer, const char *part, tg_tensor x, tg_tensor w, tg_shape shape);
bool tg_nn_linear_fits(const tg_nn_text *layer, const char *part, tg_tensor x, const tg_nn_linear *l, int64_t in,
                       int64_t out);
bool tg_nn_qkv_fits(const tg_nn_text *layer, const tg_nn_qkv *w, tg_tensor x, tg_tensor y);
/* True when T is at most the context of this causal buffer. */
bool tg_nn_fits_context(const tg_nn_text *layer, tg_tensor x, tg_tensor buffer);

/* What a forward returns after a failed check: the null tensor, for the weights too. */
tg_tensor tg_nn_refuse(tg_tensor *weights);

/* ---- attention ---- */

/* (..., T, heads * d) -> (..., heads, T, d), and back. */
tg_tensor tg_nn_split_heads(tg_tensor x, int n_heads);
tg_tensor tg_nn_join_heads(tg_tensor y);

/* (T, S), true above the diagonal: the keys that come later than each query. */
tg_tensor tg_nn_later(tg_tape *t, int64_t queries, int64_t keys);

/* How a layer attends. */
typedef struct tg_nn_scope {
    tg_nn_text layer;
    bool has_heads; /* dim -3 of q counts heads */
    double divisor; /* of the scores q k^T */
    double dropout;
    tg_nn_masks masks;
} tg_nn_scope;
/* With heads, q may have some times as many as k and v: grouped queries. */
tg_tensor tg_nn_attend(const tg_nn_scope *a, tg_tensor q, tg_tensor k, tg_tensor v, tg_tensor *weights);
/* The same from the scores (..., T, S) on. */
tg_tensor tg_nn_attend_scores(const tg_nn_scope *a, tg_tensor scores, tg_tensor v, tg_tensor *weights);

#endif
