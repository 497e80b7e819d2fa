/* Self-attention: without parameters, with plain ones (v1), with Linear layers (v2). */
#include "nn/layer.h"

tg_tensor tg_nn_simple_attention(tg_tensor x, tg_tensor *weights) {
    tg_nn_attention_spec a = {.layer = tg_nn_named_layer("simple_attention", NULL), .divisor = 1};
    tg_tape *t = tg_operands(a.layer.s, "f", 1, &x);
    if (t && tg_ndim(x) != 2 && tg_ndim(x) != 3)
        tg_reject(t, TG_ERR_SHAPE, "%s: x is %s, but must be (T, C) or (B, T, C)", a.layer.s, tg_describe(x).s);
    if (!t || tg_tape_status(t))
        return tg_nn_refuse(weights);
    return tg_nn_attend(&a, x, x, x, weights);
}

/* ---- v1 ---- */

static tg_tensor drawn(tg_tape *t, const tg_nn_text *layer, const char *name, int64_t d_in, int64_t d_out) {
    return tg_uniform_(tg_nn_parameter(t, layer, name, TG_SHAPE(d_in, d_out)), 0, 1);
}

tg_nn_self_attention_v1 tg_nn_self_attention_v1_new(tg_tape *t, const char *name, int64_t d_in, int64_t d_out) {
    tg_nn_self_attention_v1 a = {TG_NULL, TG_NULL, TG_NULL}, none = a;
    tg_nn_making m = tg_nn_begin(t, "self_attention_v1", name);
    if (tg_nn_size_is_valid(t, &m.layer, "d_in", d_in) && tg_nn_size_is_valid(t, &m.layer, "d_out", d_out)) {
        a.W_query = drawn(t, &m.layer, "W_query", d_in, d_out);
        a.W_key = drawn(t, &m.layer, "W_key", d_in, d_out);
        a.W_value = drawn(t, &m.layer, "W_value", d_in, d_out);
    }
    return tg_nn_end(t, &m) ? a : none;
}

/* True when every part has the shape that tg_nn_self_attention_v1_new gives it. */
static bool v1_fits(const tg_nn_self_attention_v1 *a, const tg_nn_text *layer, tg_tensor x) {
    int64_t d_in = tg_size(x, -1);
    return tg_nn_part_fits(layer, "W_query", x, a->W_query, TG_SHAPE(d_in, -1)) &&
           tg_nn_part_fits(layer, "W_key", x, a->W_key, TG_SHAPE(d_in, tg_size(a->W_query, 1))) &&
           tg_nn_part_fits(layer, "W_value", x, a->W_value, TG_SHAPE(d_in, -1));
}

tg_tensor tg_nn_self_attention_v1_forward(const tg_nn_self_attention_v1 *a, tg_tensor x, tg_tensor *weights) {
    if (!tg_nn_not_null(a, "self_attention_v1", x))
        return tg_nn_refuse(weights);
    tg_nn_attention_spec scope = {.layer = tg_nn_layer("self_attention_v1", a->W_query, "W_query")};
    if (!tg_nn_input_is_valid(&scope.layer, "x", x, a->W_query, 0) || !v1_fits(a, &scope.layer, x))
        return tg_nn_refuse(weights);
    scope.divisor = sqrt((double)tg_size(a->W_key, 1));
    return tg_nn_attend(&scope, tg_matmul(x, a->W_query), tg_matmul(x, a->W_key), tg_matmul(x, a->W_value), weights);
}

/* ---- v2 ---- */

tg_nn_self_attention_v2 tg_nn_self_attention_v2_new(tg_tape *t, const char *name, int64_t d_in, int64_t d_out,
                                                    bool qkv_bias) {
    tg_nn_self_attention_v2 a = {{TG_NULL, TG_NULL}, {TG_NULL, TG_NULL}, {TG_NULL, TG_NULL}}, none = a;
    tg_nn_making m = tg_nn_begin(t, "self_attention_v2", name);
    if (tg_nn_size_is_valid(t, &m.layer, "d_in", d_in) && tg_nn_size_is_valid(t, &m.layer, "d_out", d_out)) {
        tg_nn_qkv w = tg_nn_qkv_new(t, d_in, d_in, d_out, qkv_bias);
        a = (tg_nn_self_attention_v2){w.query, w.key, w.value};
    }
    return tg_nn_end(t, &m) ? a : none;
}

tg_tensor tg_nn_self_attention_v2_forward(const tg_nn_self_attention_v2 *a, tg_tensor x, tg_tensor *weights) {
    if (!tg_nn_not_null(a, "self_attention_v2", x))
        return tg_nn_refuse(weights);
    tg_nn_attention_spec scope = {.layer = tg_nn_layer("self_attention_v2", a->W_query.weight, "W_query.weight")};
    const tg_nn_qkv w = {a->W_query, a->W_key, a->W_value};
    if (!tg_nn_input_is_valid(&scope.layer, "x", x, a->W_query.weight, 1) || !tg_nn_qkv_fits(&scope.layer, &w, x, x))
        return tg_nn_refuse(weights);
    scope.divisor = sqrt((double)tg_size(a->W_key.weight, 0));
    return tg_nn_attend(&scope, tg_nn_linear_forward(&a->W_query, x), tg_nn_linear_forward(&a->W_key, x),
                        tg_nn_linear_forward(&a->W_value, x), weights);
}
