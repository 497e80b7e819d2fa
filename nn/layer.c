/* Shared by the layers: names, parameters, checks whose messages name the layer. */
#include "nn/layer.h"

/* ---- names ---- */

static tg_nn_text layer_text(const char *kind, const char *name, size_t length) {
    tg_nn_text text;
    if (length)
        snprintf(text.s, sizeof text.s, "%s '%.*s'", kind, length > 100 ? 100 : (int)length, name);
    else
        snprintf(text.s, sizeof text.s, "%s", kind);
    return text;
}

tg_nn_text tg_nn_named_layer(const char *kind, const char *name) {
    return layer_text(kind, name, name ? strlen(name) : 0);
}

tg_nn_text tg_nn_layer(const char *kind, tg_tensor parameter, const char *part) {
    bool is_gone = !tg_is_null(parameter) && !tg_operands(kind, "*", 1, &parameter);
    const char *name = is_gone ? "" : tg_name(parameter);
    size_t length = strlen(name), tail = strlen(part) + 1;
    return layer_text(kind, name, length > tail ? length - tail : 0);
}

/* ---- parameters ---- */

/* tg_zeros, with the user's layer named in the error. */
static tg_tensor zeros(tg_tape *t, const tg_nn_text *layer, const char *part, tg_shape shape) {
    if (tg_tape_status(t))
        return TG_NULL;
    tg_tensor x = tg_zeros(t, shape);
    if (tg_is_null(x)) {
        tg_clear_error(t);
        tg_reject(t, TG_ERR_MEMORY, "%s: out of memory for %s of shape %s", layer->s, part, tg_shape_text(&shape).s);
    }
    return x;
}

tg_tensor tg_nn_parameter(tg_tape *t, const tg_nn_text *layer, const char *name, tg_shape shape) {
    return tg_parameter(t, name, zeros(t, layer, name, shape));
}

tg_tensor tg_nn_buffer(tg_tape *t, const tg_nn_text *layer, const char *name, tg_shape shape) {
    return tg_buffer(t, name, zeros(t, layer, name, shape));
}

tg_nn_making tg_nn_begin(tg_tape *t, const char *kind, const char *name) {
    tg_name_push(t, "%s", name ? name : "");
    return (tg_nn_making){tg_nn_named_layer(kind, tg_name_path(t)), tg_tape_mark(t)};
}

bool tg_nn_end(tg_tape *t, const tg_nn_making *m) {
    tg_name_pop(t);
    if (t && !tg_tape_status(t))
        return true;
    (void)!tg_tape_rewind(t, m->start); /* the tape has its error already */
    return false;
}

/* ---- checks ---- */

bool tg_nn_not_null(const void *layer, const char *kind, tg_tensor x) {
    if (layer)
        return true;
    tg_reject(tg_tape_of(x), TG_ERR_ARGUMENT, "%s: the layer is NULL", kind);
    return false;
}

bool tg_nn_size_is_valid(tg_tape *t, const tg_nn_text *layer, const char *what, int64_t size) {
    if (size >= 1)
        return true;
    tg_reject(t, TG_ERR_ARGUMENT, "%s: %s is %lld, but must be at least 1", layer->s, what, (long long)size);
    return false;
}

bool tg_nn_dropout_is_valid(tg_tape *t, const tg_nn_text *layer, double p) {
    if (p >= 0 && p <= 1)
        return true;
    tg_reject(t, TG_ERR_ARGUMENT, "%s: dropout is %g, but must be within [0, 1]", layer->s, p);
    return false;
}

bool tg_nn_eps_is_valid(tg_tape *t, const tg_nn_text *layer, const char *what, double eps) {
    if (eps >= 0 && isfinite(eps))
        return true;
    tg_reject(t, TG_ERR_ARGUMENT, "%s: %s is %g, but must be finite and at least 0", layer->s, what, eps);
    return false;
}

bool tg_nn_weight_has_dim(const tg_nn_text *layer, tg_tensor weight, int dim) {
    if (tg_ndim(weight) > dim)
        return true;
    tg_reject(tg_tape_of(weight), TG_ERR_SHAPE, "%s: the weight is %s, without a dim %d", layer->s,
              tg_describe(weight).s, dim);
    return false;
}

bool tg_nn_input_is_valid(const tg_nn_text *layer, const char *what, tg_tensor x, tg_tensor weight, int dim) {
    tg_tape *t = tg_operands(layer->s, "ff", 2, (tg_tensor[]){x, weight});
    if (!t || !tg_nn_weight_has_dim(layer, weight, dim))
        return false;
    int64_t channels = tg_size(weight, dim);
    int ndim = tg_ndim(x);
    if ((ndim == 2 || ndim == 3) && tg_size(x, -1) == channels)
        return true;
    tg_reject(t, TG_ERR_SHAPE, "%s: %s is %s, but must be (T, %lld) or (B, T, %lld)", layer->s, what, tg_describe(x).s,
              (long long)channels, (long long)channels);
    return false;
}

bool tg_nn_batches_agree(const tg_nn_text *layer, tg_tensor x, tg_tensor y) {
    tg_tape *t = tg_operands(layer->s, "ff", 2, (tg_tensor[]){x, y});
    if (!t)
        return false;
    if (tg_ndim(x) == tg_ndim(y) && (tg_ndim(x) == 2 || tg_size(x, 0) == tg_size(y, 0)))
        return true;
    tg_reject(t, TG_ERR_SHAPE, "%s: %s and %s must have the same batch size, or none", layer->s, tg_describe(x).s,
              tg_describe(y).s);
    return false;
}

/* True when w is live, floating and on t. The part's name is composed only for an error. */
static bool part_is_usable(const tg_nn_text *layer, const char *part, const char *field, tg_tape *t, tg_tensor w) {
    char name[2 * TG_NN_MAX_NAME];
    if (!t || tg_tape_status(t))
        return false;
    if (tg_tape_of(w) != t) {
        tg_reject(t, TG_ERR_ARGUMENT, "%s: %s%s is %s", layer->s, part, field,
                  tg_is_null(w) ? "the null tensor" : "on another tape");
        return false;
    }
    if (tg_operands(layer->s, "f", 1, &w))
        return true;
    tg_clear_error(t);
    snprintf(name, sizeof name, "%s: %s%s", layer->s, part, field);
    return tg_operands(name, "f", 1, &w);
}

static bool fits(const tg_nn_text *layer, const char *part, const char *field, tg_tensor x, tg_tensor w,
                 tg_shape shape) {
    if (!part_is_usable(layer, part, field, tg_tape_of(x), w))
        return false;
    tg_shape own = tg_shape_of(w);
    bool same = own.ndim == shape.ndim;
    for (int i = 0; i < shape.ndim && own.ndim == shape.ndim; i++) {
        shape.size[i] = shape.size[i] < 0 ? own.size[i] : shape.size[i];
        same &= shape.size[i] == own.size[i];
    }
    if (!same)
        tg_reject(tg_tape_of(x), TG_ERR_SHAPE, "%s: %s%s is %s, but must be %s", layer->s, part, field,
                  tg_shape_text(&own).s, tg_shape_text(&shape).s);
    return same;
}

bool tg_nn_part_fits(const tg_nn_text *layer, const char *part, tg_tensor x, tg_tensor w, tg_shape shape) {
    return fits(layer, part, "", x, w, shape);
}

bool tg_nn_option_fits(const tg_nn_text *layer, const char *part, tg_tensor x, tg_tensor w, tg_shape shape) {
    return tg_is_null(w) || fits(layer, part, "", x, w, shape);
}

bool tg_nn_linear_fits(const tg_nn_text *layer, const char *part, tg_tensor x, const tg_nn_linear *l, int64_t in,
                       int64_t out) {
    return fits(layer, part, ".weight", x, l->weight, TG_SHAPE(out, in)) &&
           (tg_is_null(l->bias) || fits(layer, part, ".bias", x, l->bias, TG_SHAPE(tg_size(l->weight, 0))));
}

bool tg_nn_qkv_fits(const tg_nn_text *layer, const tg_nn_qkv *w, tg_tensor x, tg_tensor y) {
    return tg_nn_linear_fits(layer, "W_query", x, &w->query, tg_size(x, -1), -1) &&
           tg_nn_linear_fits(layer, "W_key", y, &w->key, tg_size(y, -1), tg_size(w->query.weight, 0)) &&
           tg_nn_linear_fits(layer, "W_value", y, &w->value, tg_size(y, -1), -1);
}

bool tg_nn_fits_context(const tg_nn_text *layer, tg_tensor x, tg_tensor buffer) {
    tg_tape *t = tg_operands(layer->s, "**", 2, (tg_tensor[]){x, buffer});
    if (!t)
        return false;
    if (tg_ndim(buffer) != 2 || tg_size(buffer, 0) != tg_size(buffer, 1)) {
        tg_reject(t, TG_ERR_SHAPE, "%s: mask is %s, but must be (context, context)", layer->s, tg_describe(buffer).s);
        return false;
    }
    int64_t tokens = tg_size(x, -2), context = tg_size(buffer, 0);
    if (tokens <= context)
        return true;
    tg_reject(t, TG_ERR_SHAPE, "%s: x %s has T = %lld tokens, beyond the context of %lld", layer->s, tg_describe(x).s,
              (long long)tokens, (long long)context);
    return false;
}

tg_tensor tg_nn_refuse(tg_tensor *weights) {
    if (weights)
        *weights = TG_NULL;
    return TG_NULL;
}
