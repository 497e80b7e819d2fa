/* What the layers share: names, and the checks whose messages name the layer. */
#include "nn/layer.h"

/* ---- names ---- */

tg_nn_text tg_nn_join(tg_tape *t, const char *name, const char *part) {
    tg_nn_text path;
    bool has_name = name && *name;
    int length = snprintf(path.s, sizeof path.s, "%s%s%s", has_name ? name : "", has_name ? "." : "", part);
    if (length >= 0 && (size_t)length < sizeof path.s)
        return path;
    tg_fail(t, TG_ERR_ARGUMENT, "the name '%.40s...' with '%s' after it is longer than %d bytes", name, part,
            TG_NN_MAX_NAME - 1);
    path.s[0] = '\0';
    return path;
}

tg_tensor tg_nn_parameter(tg_tape *t, const char *name, const char *part, tg_shape shape) {
    tg_nn_text path = tg_nn_join(t, name, part);
    return tg_parameter(t, path.s, tg_zeros(t, shape));
}

static tg_nn_text layer_text(const char *kind, const char *name, size_t length) {
    tg_nn_text text;
    if (length)
        snprintf(text.s, sizeof text.s, "%s '%.*s'", kind, length > 100 ? 100 : (int)length, name);
    else
        snprintf(text.s, sizeof text.s, "%s", kind);
    return text;
}

tg_nn_text tg_nn_new_layer(const char *kind, const char *name) {
    return layer_text(kind, name, name ? strlen(name) : 0);
}

tg_nn_text tg_nn_layer(const char *kind, tg_tensor parameter, const char *part) {
    const char *name = tg_name(parameter);
    size_t length = strlen(name), tail = strlen(part) + 1;
    return layer_text(kind, name, length > tail ? length - tail : 0);
}

/* ---- checks ---- */

bool tg_nn_size_is_valid(tg_tape *t, const tg_nn_text *layer, const char *what, int64_t size) {
    if (size >= 1)
        return true;
    tg_fail(t, TG_ERR_ARGUMENT, "%s: %s is %lld, but must be at least 1", layer->s, what, (long long)size);
    return false;
}

bool tg_nn_dropout_is_valid(tg_tape *t, const tg_nn_text *layer, double p) {
    if (p >= 0 && p <= 1)
        return true;
    tg_fail(t, TG_ERR_ARGUMENT, "%s: dropout is %g, but must be within [0, 1]", layer->s, p);
    return false;
}

bool tg_nn_input_is_valid(const tg_nn_text *layer, const char *what, tg_tensor x, tg_tensor weight, int dim) {
    tg_node *in[2];
    tg_tape *t = tg_open(layer->s, "ff", 2, (tg_tensor[]){x, weight}, in);
    if (!t)
        return false;
    int64_t channels = tg_size(weight, dim);
    if ((in[0]->ndim == 2 || in[0]->ndim == 3) && in[0]->size[in[0]->ndim - 1] == channels)
        return true;
    tg_fail(t, TG_ERR_SHAPE, "%s: %s is %s, but must be (T, %lld) or (B, T, %lld)", layer->s, what,
            tg_node_text(in[0]).s, (long long)channels, (long long)channels);
    return false;
}

bool tg_nn_batches_agree(const tg_nn_text *layer, tg_tensor x, tg_tensor y) {
    tg_node *in[2];
    tg_tape *t = tg_open(layer->s, "ff", 2, (tg_tensor[]){x, y}, in);
    if (!t)
        return false;
    if (in[0]->ndim == in[1]->ndim && (in[0]->ndim == 2 || in[0]->size[0] == in[1]->size[0]))
        return true;
    tg_fail(t, TG_ERR_SHAPE, "%s: %s and %s must have the same batch size, or none", layer->s, tg_node_text(in[0]).s,
            tg_node_text(in[1]).s);
    return false;
}

bool tg_nn_fits_context(const tg_nn_text *layer, tg_tensor x, tg_tensor buffer) {
    int64_t tokens = tg_size(x, -2), context = tg_size(buffer, 0);
    if (tokens <= context)
        return true;
    tg_fail(x.tape, TG_ERR_SHAPE, "%s: x %s has T = %lld tokens, beyond the context of %lld", layer->s,
            tg_node_text(x.tape->nodes[x.index]).s, (long long)tokens, (long long)context);
    return false;
}

tg_tensor tg_nn_reject(tg_tensor *weights) {
    if (weights)
        *weights = TG_NULL;
    return TG_NULL;
}
