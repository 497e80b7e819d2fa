/* Attention between two sequences: scaled dot products of projections, and Bahdanau's additive scores. */
#include "nn/layer.h"

/* ---- cross-attention ---- */

tg_nn_cross_attention tg_nn_cross_attention_new(tg_tape *t, const char *name, int64_t d_x, int64_t d_y, int64_t d_out,
                                                double dropout, bool qkv_bias) {
    tg_nn_cross_attention a = {.dropout = dropout}, none = a;
    tg_nn_making m = tg_nn_begin(t, "cross_attention", name);
    if (tg_nn_size_is_valid(t, &m.layer, "d_x", d_x) && tg_nn_size_is_valid(t, &m.layer, "d_y", d_y) &&
        tg_nn_size_is_valid(t, &m.layer, "d_out", d_out) && tg_nn_dropout_is_valid(t, &m.layer, dropout)) {
        tg_nn_qkv w = tg_nn_qkv_new(t, d_x, d_y, d_out, qkv_bias);
        a = (tg_nn_cross_attention){w.query, w.key, w.value, dropout};
    }
    return tg_nn_end(t, &m) ? a : none;
}

tg_tensor tg_nn_cross_attention_forward(const tg_nn_cross_attention *a, tg_tensor x, tg_tensor y, tg_nn_masks extra,
                                        tg_tensor *weights) {
    if (!tg_nn_not_null(a, "cross_attention", tg_is_null(x) ? y : x))
        return tg_nn_refuse(weights);
    tg_nn_attention_spec scope = {.layer = tg_nn_layer("cross_attention", a->W_query.weight, "W_query.weight"),
                                  .dropout = a->dropout,
                                  .masks = extra};
    const tg_nn_qkv w = {a->W_query, a->W_key, a->W_value};
    if (!tg_operands(scope.layer.s, "ffff", 4, (tg_tensor[]){x, y, a->W_query.weight, a->W_key.weight}) ||
        !tg_nn_input_is_valid(&scope.layer, "x", x, a->W_query.weight, 1) ||
        !tg_nn_input_is_valid(&scope.layer, "y", y, a->W_key.weight, 1) || !tg_nn_batches_agree(&scope.layer, x, y) ||
        !tg_nn_qkv_fits(&scope.layer, &w, x, y))
        return tg_nn_refuse(weights);
    scope.divisor = sqrt((double)tg_size(a->W_key.weight, 0));
    return tg_nn_attend(&scope, tg_nn_linear_forward(&a->W_query, x), tg_nn_linear_forward(&a->W_key, y),
                        tg_nn_linear_forward(&a->W_value, y), weights);
}

/* ---- additive attention ---- */

tg_nn_additive_attention tg_nn_additive_attention_new(tg_tape *t, const char *name, int64_t d_s, int64_t d_h,
                                                      int64_t hidden) {
    tg_nn_additive_attention a = {{TG_NULL, TG_NULL}, {TG_NULL, TG_NULL}, {TG_NULL, TG_NULL}}, none = a;
    tg_nn_making m = tg_nn_begin(t, "additive_attention", name);
    if (tg_nn_size_is_valid(t, &m.layer, "d_s", d_s) && tg_nn_size_is_valid(t, &m.layer, "d_h", d_h) &&
        tg_nn_size_is_valid(t, &m.layer, "hidden", hidden)) {
        a.W_1 = tg_nn_linear_new(t, "W_1", d_h, hidden, false);
        a.W_2 = tg_nn_linear_new(t, "W_2", d_s, hidden, false);
        a.v = tg_nn_linear_new(t, "v", hidden, 1, false);
    }
    return tg_nn_end(t, &m) ? a : none;
}

/* True when every part has the shape that tg_nn_additive_attention_new gives it. */
static bool additive_fits(const tg_nn_additive_attention *a, const tg_nn_text *layer, tg_tensor s, tg_tensor h) {
    return tg_nn_linear_fits(layer, "W_1", h, &a->W_1, tg_size(h, -1), -1) &&
           tg_nn_linear_fits(layer, "W_2", s, &a->W_2, tg_size(s, -1), tg_size(a->W_1.weight, 0)) &&
           tg_nn_linear_fits(layer, "v", s, &a->v, tg_size(a->W_1.weight, 0), 1);
}

/* scores[t][i] = v^T tanh(W_1 h_i + W_2 s_t): (..., 1, S, hidden) + (..., T, 1, hidden) -> (..., T, S) */
tg_tensor tg_nn_additive_attention_forward(const tg_nn_additive_attention *a, tg_tensor s, tg_tensor h,
                                           tg_nn_masks extra, tg_tensor *weights) {
    if (!tg_nn_not_null(a, "additive_attention", tg_is_null(s) ? h : s))
        return tg_nn_refuse(weights);
    tg_nn_attention_spec scope = {.layer = tg_nn_layer("additive_attention", a->W_1.weight, "W_1.weight"),
                                  .masks = extra};
    if (!tg_operands(scope.layer.s, "ffff", 4, (tg_tensor[]){s, h, a->W_2.weight, a->W_1.weight}) ||
        !tg_nn_input_is_valid(&scope.layer, "s", s, a->W_2.weight, 1) ||
        !tg_nn_input_is_valid(&scope.layer, "h", h, a->W_1.weight, 1) || !tg_nn_batches_agree(&scope.layer, s, h) ||
        !additive_fits(a, &scope.layer, s, h))
        return tg_nn_refuse(weights);
    tg_tensor from_h = tg_unsqueeze(tg_nn_linear_forward(&a->W_1, h), -3);
    tg_tensor from_s = tg_unsqueeze(tg_nn_linear_forward(&a->W_2, s), -2);
    tg_tensor scores = tg_squeeze(tg_nn_linear_forward(&a->v, tg_tanh(tg_add(from_h, from_s))), -1);
    return tg_nn_attend_scores(&scope, scores, h, weights);
}
