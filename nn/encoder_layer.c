/* A transformer encoder layer, as torch.nn.TransformerEncoderLayer (Vaswani et al. 2017, section 3.1;
 * norm_first: Xiong et al. 2020). */
#include "nn/layer.h"

static const char kind[] = "encoder_layer";

static bool activation_is_valid(tg_tape *t, const tg_nn_text *layer, tg_nn_activation activation) {
    if (activation == TG_NN_RELU || activation == TG_NN_GELU)
        return true;
    tg_reject(t, TG_ERR_ARGUMENT, "%s: activation is %d, but must be TG_NN_RELU or TG_NN_GELU", layer->s,
              (int)activation);
    return false;
}

static tg_nn_layer_norm norm_new(tg_tape *t, const char *name, int64_t channels, const tg_nn_encoder_layer_config *c) {
    tg_nn_layer_norm norm = tg_nn_layer_norm_new(t, name, channels, c->bias);
    norm.eps = c->layer_norm_eps;
    return norm;
}

tg_nn_encoder_layer tg_nn_encoder_layer_new(tg_tape *t, const char *name, int64_t d_model, int n_heads,
                                            tg_nn_encoder_layer_config c) {
    tg_nn_encoder_layer l = {.dropout = c.dropout, .activation = c.activation, .norm_first = c.norm_first}, none = l;
    tg_nn_making m = tg_nn_begin(t, kind, name);
    if (tg_nn_size_is_valid(t, &m.layer, "d_model", d_model) &&
        tg_nn_size_is_valid(t, &m.layer, "dim_feedforward", c.dim_feedforward) &&
        tg_nn_dropout_is_valid(t, &m.layer, c.dropout) &&
        tg_nn_eps_is_valid(t, &m.layer, "layer_norm_eps", c.layer_norm_eps) &&
        activation_is_valid(t, &m.layer, c.activation)) {
        tg_nn_multihead_config attention = {.dropout = c.dropout, .in_proj_bias = c.bias, .out_proj_bias = c.bias};
        l.self_attn = tg_nn_multihead_new(t, "self_attn", d_model, n_heads, attention);
        l.linear1 = tg_nn_linear_new(t, "linear1", d_model, c.dim_feedforward, c.bias);
        l.linear2 = tg_nn_linear_new(t, "linear2", c.dim_feedforward, d_model, c.bias);
        l.norm1 = norm_new(t, "norm1", d_model, &c);
        l.norm2 = norm_new(t, "norm2", d_model, &c);
    }
    return tg_nn_end(t, &m) ? l : none;
}

static tg_tensor attend(const tg_nn_encoder_layer *l, tg_tensor x, tg_nn_masks masks) {
    return tg_dropout(tg_nn_multihead_forward(&l->self_attn, x, x, x, masks, NULL), l->dropout);
}

static tg_tensor feed_forward(const tg_nn_encoder_layer *l, tg_tensor x) {
    tg_tensor h = tg_nn_linear_forward(&l->linear1, x);
    h = l->activation == TG_NN_GELU ? tg_gelu(h) : tg_relu(h);
    return tg_dropout(tg_nn_linear_forward(&l->linear2, tg_dropout(h, l->dropout)), l->dropout);
}

static bool norms_fit(const tg_nn_encoder_layer *l, const tg_nn_text *layer, tg_tensor x) {
    tg_tape *t = tg_tape_of(x);
    const tg_shape row = TG_SHAPE(tg_size(x, -1));
    return tg_nn_part_fits(layer, "norm1.weight", x, l->norm1.weight, row) &&
           tg_nn_option_fits(layer, "norm1.bias", x, l->norm1.bias, row) &&
           tg_nn_eps_is_valid(t, layer, "norm1.eps", l->norm1.eps) &&
           tg_nn_part_fits(layer, "norm2.weight", x, l->norm2.weight, row) &&
           tg_nn_option_fits(layer, "norm2.bias", x, l->norm2.bias, row) &&
           tg_nn_eps_is_valid(t, layer, "norm2.eps", l->norm2.eps);
}

/* True when every part has the shape that tg_nn_encoder_layer_new gives it. self_attn checks its own parts; the width
 * of its output is checked here. */
static bool parts_fit(const tg_nn_encoder_layer *l, const tg_nn_text *layer, tg_tensor x) {
    int64_t d_model = tg_size(x, -1);
    return norms_fit(l, layer, x) &&
           tg_nn_part_fits(layer, "self_attn.out_proj.weight", x, l->self_attn.out_proj.weight,
                           TG_SHAPE(d_model, -1)) &&
           tg_nn_linear_fits(layer, "linear1", x, &l->linear1, d_model, -1) &&
           tg_nn_linear_fits(layer, "linear2", x, &l->linear2, tg_size(l->linear1.weight, 0), d_model) &&
           tg_nn_dropout_is_valid(tg_tape_of(x), layer, l->dropout) &&
           activation_is_valid(tg_tape_of(x), layer, l->activation);
}

/* With a(x) = dropout(self_attn(x)) and f(x) = dropout(linear2(dropout(activation(linear1(x))))),
 * norm first: x' = x + a(norm1(x)),  y = x' + f(norm2(x'))
 * not:        x' = norm1(x + a(x)),  y = norm2(x' + f(x')) */
tg_tensor tg_nn_encoder_layer_forward(const tg_nn_encoder_layer *l, tg_tensor x, tg_nn_masks masks) {
    if (!tg_nn_not_null(l, kind, x))
        return TG_NULL;
    tg_nn_text layer = tg_nn_layer(kind, l->norm1.weight, "norm1.weight");
    if (!tg_nn_input_is_valid(&layer, "x", x, l->norm1.weight, 0) || !parts_fit(l, &layer, x))
        return TG_NULL;
    if (l->norm_first) {
        x = tg_add(x, attend(l, tg_nn_layer_norm_forward(&l->norm1, x), masks));
        return tg_add(x, feed_forward(l, tg_nn_layer_norm_forward(&l->norm2, x)));
    }
    x = tg_nn_layer_norm_forward(&l->norm1, tg_add(x, attend(l, x, masks)));
    return tg_nn_layer_norm_forward(&l->norm2, tg_add(x, feed_forward(l, x)));
}
