/* Causal attention, and several such heads side by side. */
#include "nn/layer.h"

/* ---- one head ---- */

tg_nn_causal_attention tg_nn_causal_attention_new(tg_tape *t, const char *name, int64_t d_in, int64_t d_out,
                                                  int64_t context, double dropout, bool qkv_bias) {
    tg_nn_causal_attention a = {.dropout = dropout}, none = a;
    tg_nn_making m = tg_nn_begin(t, "causal_attention", name);
    if (tg_nn_size_is_valid(t, &m.layer, "d_in", d_in) && tg_nn_size_is_valid(t, &m.layer, "d_out", d_out) &&
        tg_nn_size_is_valid(t, &m.layer, "context", context) && tg_nn_dropout_is_valid(t, &m.layer, dropout)) {
        tg_nn_qkv w = tg_nn_qkv_new(t, d_in, d_in, d_out, qkv_bias);
        tg_tensor mask = tg_nn_causal_buffer(t, &m.layer, context);
        a = (tg_nn_causal_attention){w.query, w.key, w.value, mask, dropout};
    }
    return tg_nn_end(t, &m) ? a : none;
}

tg_tensor tg_nn_causal_attention_forward(const tg_nn_causal_attention *a, tg_tensor x, tg_tensor *weights) {
    if (!tg_nn_is_there(a, "causal_attention", x))
        return tg_nn_refuse(weights);
    tg_nn_scope scope = {.layer = tg_nn_layer("causal_attention", a->W_query.weight, "W_query.weight"),
                         .dropout = a->dropout,
                         .masks = {.causal = true}};
    const tg_nn_qkv w = {a->W_query, a->W_key, a->W_value};
    if (!tg_nn_input_is_valid(&scope.layer, "x", x, a->W_query.weight, 1) || !tg_nn_qkv_fits(&scope.layer, &w, x, x) ||
        !tg_nn_fits_context(&scope.layer, x, a->mask))
        return tg_nn_refuse(weights);
    scope.divisor = sqrt((double)tg_size(a->W_key.weight, 0));
    return tg_nn_attend(&scope, tg_nn_linear_forward(&a->W_query, x), tg_nn_linear_forward(&a->W_key, x),
                        tg_nn_linear_forward(&a->W_value, x), weights);
}

/* ---- several heads ---- */

tg_nn_multi_head_wrapper tg_nn_multi_head_wrapper_new(tg_tape *t, const char *name, int64_t d_in, int64_t d_out,
                                                      int64_t context, double dropout, int n_heads, bool qkv_bias) {
    tg_nn_multi_head_wrapper a = {NULL, 0, TG_NULL}, none = a;
    tg_nn_making m = tg_nn_begin(t, "multi_head_wrapper", name);
    bool good = tg_nn_size_is_valid(t, &m.layer, "n_heads", n_heads);
    tg_nn_causal_attention *heads = good ? tg_tape_alloc(t, (size_t)n_heads, sizeof *heads) : NULL;
    for (int i = 0; !tg_tape_status(t) && heads && i < n_heads; i++) {
        tg_name_push(t, "heads.%d", i);
        heads[i] = tg_nn_causal_attention_new(t, "", d_in, d_out, context, dropout, qkv_bias);
        tg_name_pop(t);
        a = (tg_nn_multi_head_wrapper){heads, n_heads, heads[i].mask};
    }
    return tg_nn_end(t, &m) ? a : none;
}

tg_tensor tg_nn_multi_head_wrapper_forward(const tg_nn_multi_head_wrapper *a, tg_tensor x, tg_tensor *weights) {
    if (!tg_nn_is_there(a, "multi_head_wrapper", x))
        return tg_nn_refuse(weights);
    tg_nn_text layer = tg_nn_named_layer("multi_head_wrapper", NULL);
    tg_tape *t = tg_operands(layer.s, "**", 2, (tg_tensor[]){a->last, x});
    bool has_heads = t && a->heads && tg_nn_size_is_valid(t, &layer, "n_heads", a->n_heads);
    tg_tensor *y = has_heads ? tg_tape_alloc(t, 2 * (size_t)a->n_heads, sizeof *y) : NULL;
    if (!y) {
        tg_reject(t, TG_ERR_ARGUMENT, "%s: the layer has no heads", layer.s);
        return tg_nn_refuse(weights);
    }
    tg_tensor *w = y + a->n_heads;
    for (int i = 0; i < a->n_heads; i++)
        y[i] = tg_nn_causal_attention_forward(&a->heads[i], x, weights ? &w[i] : NULL);
    if (weights)
        *weights = tg_stack(w, a->n_heads, -3);
    return tg_cat(y, a->n_heads, -1);
}
