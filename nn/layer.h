/* Private: shared by the layers: names, checks whose messages name the layer, attention of given q, k and v. */
#ifndef TAPEGRAD_NN_LAYER_H
#define TAPEGRAD_NN_LAYER_H

#include "nn/nn.h"

#include <math.h>
#include <string.h>

enum { TG_NN_MAX_NAME = 256 };

typedef struct tg_nn_text {
    char s[TG_NN_MAX_NAME];
} tg_nn_text;

/* ---- construction ---- */

/* tg_nn_begin and tg_nn_end enclose the construction of a layer's parts, whose names begin with its name (NULL: none).
 * end: true when all were created; after an error it removes the parts created since begin, and their names. */
typedef struct tg_nn_making {
    tg_nn_text layer; /* for messages, with the whole name */
    tg_mark start;
} tg_nn_making;
tg_nn_making tg_nn_begin(tg_tape *t, const char *kind, const char *name);
bool tg_nn_end(tg_tape *t, const tg_nn_making *m);

/* A parameter or buffer of the layer, initially zeros. */
tg_tensor tg_nn_parameter(tg_tape *t, const tg_nn_text *layer, const char *name, tg_shape shape);
tg_tensor tg_nn_buffer(tg_tape *t, const tg_nn_text *layer, const char *name, tg_shape shape);

/* Linear layers "W_query", "W_key" and "W_value", drawn in this order. */
typedef struct tg_nn_qkv {
    tg_nn_linear query, key, value;
} tg_nn_qkv;
tg_nn_qkv tg_nn_qkv_new(tg_tape *t, int64_t d_query, int64_t d_key, int64_t d_out, bool bias);

/* tg_nn_lora_new with A left at zeros; the initialisation of A. */
tg_nn_lora tg_nn_lora_undrawn(tg_nn_linear base, tg_nn_lora_config config);
void tg_nn_lora_draw(tg_tensor a);
/* Adds scaling B A to weight, or subtracts it to unmerge, and records that on the tape; on an error neither. try: the
 * same computation without the change; afterwards set needs no more memory from the allocator. */
tg_status tg_nn_set_merged(tg_tensor weight, tg_adapter a, bool merged);
tg_status tg_nn_try_merged(tg_tensor weight, tg_adapter a, bool merged);

/* A buffer "mask" (context, context) of ones above the diagonal. */
tg_tensor tg_nn_causal_buffer(tg_tape *t, const tg_nn_text *layer, int64_t context);

/* ---- checks: each is true, or has left an error that begins with the layer ---- */

/* A layer for messages, "causal_attention 'attn'": with this name; with a parameter's name without ".part". */
tg_nn_text tg_nn_named_layer(const char *kind, const char *name);
tg_nn_text tg_nn_layer(const char *kind, tg_tensor parameter, const char *part);

/* True when layer is not NULL. x is an input of its forward, whose tape gets the error. */
bool tg_nn_not_null(const void *layer, const char *kind, tg_tensor x);

/* what: the name of the size or tensor in messages. */
bool tg_nn_size_is_valid(tg_tape *t, const tg_nn_text *layer, const char *what, int64_t size);
bool tg_nn_dropout_is_valid(tg_tape *t, const tg_nn_text *layer, double p);
bool tg_nn_eps_is_valid(tg_tape *t, const tg_nn_text *layer, const char *what, double eps);
/* True when weight, a live tensor, has this dim. */
bool tg_nn_weight_has_dim(const tg_nn_text *layer, tg_tensor weight, int dim);
/* True when x is floating, on weight's tape, and (T, C) or (B, T, C) with C the size of weight along dim. */
bool tg_nn_input_is_valid(const tg_nn_text *layer, const char *what, tg_tensor x, tg_tensor weight, int dim);
/* True when x and y have the same batch dim, or neither has one. */
bool tg_nn_batches_agree(const tg_nn_text *layer, tg_tensor x, tg_tensor y);
/* True when a part of the layer is on x's tape and fits. part: a tensor w of this shape, in which -1 is any size.
 * option: the same, or TG_NULL. linear: a Linear layer from `in` channels to `out`. qkv: three that project x to
 * queries and y to keys and values. */
bool tg_nn_part_fits(const tg_nn_text *layer, const char *part, tg_tensor x, tg_tensor w, tg_shape shape);
bool tg_nn_option_fits(const tg_nn_text *layer, const char *part, tg_tensor x, tg_tensor w, tg_shape shape);
bool tg_nn_linear_fits(const tg_nn_text *layer, const char *part, tg_tensor x, const tg_nn_linear *l, int64_t in,
                       int64_t out);
bool tg_nn_qkv_fits(const tg_nn_text *layer, const tg_nn_qkv *w, tg_tensor x, tg_tensor y);
/* True when T is at most the context of this causal buffer. */
bool tg_nn_fits_context(const tg_nn_text *layer, tg_tensor x, tg_tensor buffer);

/* The result of a forward after a failed check: the null tensor, also in *weights, if given. */
tg_tensor tg_nn_refuse(tg_tensor *weights);

/* ---- attention ---- */

/* (..., T, heads * d) -> (..., heads, T, d), and back. */
tg_tensor tg_nn_split_heads(tg_tensor x, int n_heads);
tg_tensor tg_nn_join_heads(tg_tensor y);

/* (T, S), true above the diagonal: for keys later than the query. */
tg_tensor tg_nn_later(tg_tape *t, int64_t queries, int64_t keys);

/* A layer's attention of given q, k and v. */
typedef struct tg_nn_attention_spec {
    tg_nn_text layer;
    bool has_heads; /* q's dim -3 is the heads */
    double divisor; /* of the scores q k^T */
    double dropout;
    tg_nn_masks masks;
} tg_nn_attention_spec;
/* With heads, q may have a multiple of the heads of k and v: grouped queries. */
tg_tensor tg_nn_attend(const tg_nn_attention_spec *a, tg_tensor q, tg_tensor k, tg_tensor v, tg_tensor *weights);
/* The same from given scores (..., T, S), which are not divided. */
tg_tensor tg_nn_attend_scores(const tg_nn_attention_spec *a, tg_tensor scores, tg_tensor v, tg_tensor *weights);

#endif
