/* Linear, Embedding, LayerNorm, RMSNorm. */
#include "nn/layer.h"

/* PyTorch's default: a Kaiming uniform weight with a = sqrt 5, then a bias uniform within 1 / sqrt(fan_in). */
tg_nn_linear tg_nn_linear_new(tg_tape *t, const char *name, int64_t in, int64_t out, bool bias) {
    tg_nn_linear l = {TG_NULL, TG_NULL}, none = l;
    tg_nn_making m = tg_nn_begin(t, "linear", name);
    if (tg_nn_size_is_valid(t, &m.layer, "in", in) && tg_nn_size_is_valid(t, &m.layer, "out", out)) {
        double bound = 1 / sqrt((double)in);
        l.weight = tg_nn_parameter(t, &m.layer, "weight", TG_SHAPE(out, in));
        tg_kaiming_uniform_(l.weight, sqrt(5));
        if (bias)
            l.bias = tg_uniform_(tg_nn_parameter(t, &m.layer, "bias", TG_SHAPE(out)), -bound, bound);
    }
    return tg_nn_end(t, &m) ? l : none;
}

tg_tensor tg_nn_linear_forward(const tg_nn_linear *l, tg_tensor x) {
    return tg_nn_not_null(l, "linear", x) ? tg_linear(x, l->weight, l->bias) : TG_NULL;
}

tg_nn_qkv tg_nn_qkv_new(tg_tape *t, int64_t d_query, int64_t d_key, int64_t d_out, bool bias) {
    tg_nn_qkv a;
    a.query = tg_nn_linear_new(t, "W_query", d_query, d_out, bias);
    a.key = tg_nn_linear_new(t, "W_key", d_key, d_out, bias);
    a.value = tg_nn_linear_new(t, "W_value", d_key, d_out, bias);
    return a;
}

tg_nn_embedding tg_nn_embedding_new(tg_tape *t, const char *name, int64_t n, int64_t channels) {
    tg_nn_embedding e = {TG_NULL}, none = e;
    tg_nn_making m = tg_nn_begin(t, "embedding", name);
    if (tg_nn_size_is_valid(t, &m.layer, "n", n) && tg_nn_size_is_valid(t, &m.layer, "channels", channels))
        e.weight = tg_normal_(tg_nn_parameter(t, &m.layer, "weight", TG_SHAPE(n, channels)), 0, 1);
    return tg_nn_end(t, &m) ? e : none;
}

tg_tensor tg_nn_embedding_forward(const tg_nn_embedding *e, tg_tensor ids) {
    return tg_nn_not_null(e, "embedding", ids) ? tg_embedding(e->weight, ids) : TG_NULL;
}

/* True for a valid shape of a norm: 1 to 8 sizes. what: its name in messages. */
static bool is_row(tg_tape *t, const tg_nn_text *layer, const char *what, tg_shape shape) {
    bool good = shape.ndim >= 1 && shape.ndim <= TG_MAX_DIMS;
    if (!good)
        tg_reject(t, TG_ERR_ARGUMENT, "%s: %s has %d dims, but must have 1 to %d", layer->s, what, shape.ndim,
                  TG_MAX_DIMS);
    for (int i = 0; good && i < shape.ndim; i++)
        good = tg_nn_size_is_valid(t, layer, what, shape.size[i]);
    return good;
}

static tg_nn_layer_norm layer_norm_of(tg_tape *t, const char *name, const char *what, tg_shape shape, bool bias) {
    tg_nn_layer_norm l = {TG_NULL, TG_NULL, 1e-5}, none = l;
    tg_nn_making m = tg_nn_begin(t, "layer_norm", name);
    if (is_row(t, &m.layer, what, shape)) {
        l.weight = tg_fill_(tg_nn_parameter(t, &m.layer, "weight", shape), 1);
        l.bias = bias ? tg_nn_parameter(t, &m.layer, "bias", shape) : TG_NULL;
    }
    return tg_nn_end(t, &m) ? l : none;
}

tg_nn_layer_norm tg_nn_layer_norm_new(tg_tape *t, const char *name, int64_t channels, bool bias) {
    return layer_norm_of(t, name, "channels", TG_SHAPE(channels), bias);
}

tg_nn_layer_norm tg_nn_layer_norm_new_over(tg_tape *t, const char *name, tg_shape normalized_shape, bool bias) {
    return layer_norm_of(t, name, "normalized_shape", normalized_shape, bias);
}

tg_tensor tg_nn_layer_norm_forward(const tg_nn_layer_norm *l, tg_tensor x) {
    return tg_nn_not_null(l, "layer_norm", x) ? tg_layer_norm(x, l->weight, l->bias, l->eps) : TG_NULL;
}

static tg_nn_rms_norm rms_norm_of(tg_tape *t, const char *name, const char *what, tg_shape shape, double eps) {
    tg_nn_rms_norm l = {TG_NULL, eps}, none = l;
    tg_nn_making m = tg_nn_begin(t, "rms_norm", name);
    if (is_row(t, &m.layer, what, shape) && tg_nn_eps_is_valid(t, &m.layer, "eps", eps))
        l.weight = tg_fill_(tg_nn_parameter(t, &m.layer, "weight", shape), 1);
    return tg_nn_end(t, &m) ? l : none;
}

tg_nn_rms_norm tg_nn_rms_norm_new(tg_tape *t, const char *name, int64_t channels, double eps) {
    return rms_norm_of(t, name, "channels", TG_SHAPE(channels), eps);
}

tg_nn_rms_norm tg_nn_rms_norm_new_over(tg_tape *t, const char *name, tg_shape normalized_shape, double eps) {
    return rms_norm_of(t, name, "normalized_shape", normalized_shape, eps);
}

tg_tensor tg_nn_rms_norm_forward(const tg_nn_rms_norm *l, tg_tensor x) {
    return tg_nn_not_null(l, "rms_norm", x) ? tg_rms_norm(x, l->weight, l->eps) : TG_NULL;
}
