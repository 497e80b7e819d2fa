/* Multi-head attention with split weights and an output projection (Vaswani et al. 2017, section 3.2.2). */
#include "nn/layer.h"

/* True when d_out is a positive multiple of a positive number of heads. */
static bool split_is_valid(tg_tape *t, const tg_nn_text *layer, int64_t d_out, int n_heads) {
    if (!tg_nn_size_is_valid(t, layer, "d_out", d_out) || !tg_nn_size_is_valid(t, layer, "n_heads", n_heads))
        return false;
    if (d_out % n_heads == 0)
        return true;
    tg_reject(t, TG_ERR_SHAPE, "%s: d_out = %lld is not divisible by %d heads", layer->s, (long long)d_out, n_heads);
    return false;
}

tg_nn_multi_head_attention tg_nn_multi_head_attention_new(tg_tape *t, const char *name, int64_t d_in, int64_t d_out,
                                                          int64_t context, double dropout, int n_heads, bool qkv_bias) {
    tg_nn_multi_head_attention a = {.dropout = dropout, .n_heads = n_heads}, none = a;
    tg_nn_making m = tg_nn_begin(t, "multi_head_attention", name);
    if (tg_nn_size_is_valid(t, &m.layer, "d_in", d_in) && split_is_valid(t, &m.layer, d_out, n_heads) &&
        tg_nn_dropout_is_valid(t, &m.layer, dropout) &&
        (!context || tg_nn_size_is_valid(t, &m.layer, "context", context))) {
        tg_nn_qkv w = tg_nn_qkv_new(t, d_in, d_in, d_out, qkv_bias);
        a.W_query = w.query;
        a.W_key = w.key;
        a.W_value = w.value;
        a.out_proj = tg_nn_linear_new(t, "out_proj", d_out, d_out, true);
        a.mask = context ? tg_nn_causal_buffer(t, &m.layer, context) : TG_NULL;
    }
    return tg_nn_end(t, &m) ? a : none;
}

/* Checks every part, as the struct may not come from tg_nn_multi_head_attention_new. */
static bool parts_fit(const tg_nn_multi_head_attention *a, const tg_nn_text *layer, tg_tensor x) {
    const tg_nn_qkv w = {a->W_query, a->W_key, a->W_value};
    if (!tg_nn_qkv_fits(layer, &w, x, x))
        return false;
    int64_t d_out = tg_size(a->W_query.weight, 0), d_value = tg_size(a->W_value.weight, 0);
    return split_is_valid(tg_tape_of(x), layer, d_out, a->n_heads) &&
           split_is_valid(tg_tape_of(x), layer, d_value, a->n_heads) &&
           tg_nn_linear_fits(layer, "out_proj", x, &a->out_proj, d_value, -1);
}

tg_tensor tg_nn_multi_head_attention_forward_masked(const tg_nn_multi_head_attention *a, tg_tensor x, tg_nn_masks extra,
                                                    tg_tensor *weights) {
    if (!tg_nn_not_null(a, "multi_head_attention", x))
        return tg_nn_refuse(weights);
    int n = a->n_heads;
    tg_nn_attention_spec scope = {.layer = tg_nn_layer("multi_head_attention", a->W_query.weight, "W_query.weight"),
                                  .has_heads = true,
                                  .dropout = a->dropout,
                                  .masks = extra};
    if (!tg_nn_input_is_valid(&scope.layer, "x", x, a->W_query.weight, 1) || !parts_fit(a, &scope.layer, x) ||
        (!tg_is_null(a->mask) && !tg_nn_fits_context(&scope.layer, x, a->mask)))
        return tg_nn_refuse(weights);
    scope.divisor = sqrt((double)(tg_size(a->W_key.weight, 0) / n));
    scope.masks.causal |= !tg_is_null(a->mask);
    tg_tensor q = tg_nn_split_heads(tg_nn_linear_forward(&a->W_query, x), n);
    tg_tensor k = tg_nn_split_heads(tg_nn_linear_forward(&a->W_key, x), n);
    tg_tensor v = tg_nn_split_heads(tg_nn_linear_forward(&a->W_value, x), n);
    return tg_nn_linear_forward(&a->out_proj, tg_nn_join_heads(tg_nn_attend(&scope, q, k, v, weights)));
}

tg_tensor tg_nn_multi_head_attention_forward(const tg_nn_multi_head_attention *a, tg_tensor x, tg_tensor *weights) {
    return tg_nn_multi_head_attention_forward_masked(a, x, TG_NN_NO_MASKS, weights);
}
