/* Low-rank adapters (Hu et al. 2022). */
#include "nn/layer.h"

#include <float.h>

static const char kind[] = "lora";

static const char peft[] = "base_model.model";

/* Between begin_names and end_names, names have PEFT's prefix for the layer of this weight,
 * "base_model.model.LAYER". */
static void begin_names(tg_tape *t, tg_tensor weight) {
    const char *name = tg_name(weight);
    size_t length = strlen(name), tail = strlen(".weight");
    if (length > tail && strcmp(name + length - tail, ".weight") == 0)
        length -= tail;
    if (!length)
        tg_reject(t, TG_ERR_ARGUMENT, "%s: the weight %s has no name; tg_parameter gives one", kind,
                  tg_describe(weight).s);
    tg_name_push(t, NULL);
    tg_name_push(t, "%s.%.*s", peft, (int)length, name);
}

static void end_names(tg_tape *t) {
    tg_name_pop(t);
    tg_name_pop(t);
}

void tg_nn_lora_draw(tg_tensor a) { tg_kaiming_uniform_(a, sqrt(5)); }

/* The layer, named by the base's weight. */
static tg_nn_text layer_of(const tg_nn_lora *l) {
    bool is_there = tg_operands(kind, "f", 1, &l->base.weight);
    return tg_nn_named_layer(kind, is_there ? tg_name(l->base.weight) : "");
}

static bool scaling_is_valid(tg_tensor weight, const tg_nn_text *layer, const tg_nn_lora_config *c) {
    tg_dtype dtype = tg_dtype_of(weight);
    if (fabs(c->alpha / (double)c->rank) <= (dtype == TG_F32 ? FLT_MAX : DBL_MAX))
        return true;
    tg_reject(tg_tape_of(weight), TG_ERR_ARGUMENT, "%s: alpha / rank is %g / %lld, but must be a finite %s", layer->s,
              c->alpha, (long long)c->rank, tg_dtype_name(dtype));
    return false;
}

static bool base_is_valid(tg_nn_linear base, const tg_nn_text *layer, const tg_nn_lora_config *c) {
    tg_tape *t = tg_operands(layer->s, "fF", 2, (tg_tensor[]){base.weight, base.bias});
    if (!t)
        return false;
    if (tg_ndim(base.weight) != 2 || !tg_is_leaf(base.weight)) {
        tg_reject(t, TG_ERR_SHAPE, "%s: the weight %s must be a leaf (out, in)", layer->s, tg_describe(base.weight).s);
        return false;
    }
    if (!tg_is_null(base.bias) && !tg_is_leaf(base.bias)) {
        tg_reject(t, TG_ERR_ARGUMENT, "%s: the bias %s must be a leaf", layer->s, tg_describe(base.bias).s);
        return false;
    }
    return tg_nn_size_is_valid(t, layer, "rank", c->rank) && scaling_is_valid(base.weight, layer, c) &&
           tg_nn_dropout_is_valid(t, layer, c->dropout);
}

tg_nn_lora tg_nn_lora_undrawn(tg_nn_linear base, tg_nn_lora_config config) {
    tg_nn_lora l = {.base = base, .dropout = config.dropout}, none = l;
    tg_tape *t = tg_tape_of(base.weight);
    tg_mark start = tg_tape_mark(t);
    tg_nn_text layer = layer_of(&l);
    if (!base_is_valid(base, &layer, &config))
        return none;
    l.scaling = config.alpha / (double)config.rank;
    begin_names(t, base.weight);
    l.lora_A = tg_nn_parameter(t, &layer, "lora_A.weight", TG_SHAPE(config.rank, tg_size(base.weight, 1)));
    l.lora_B = tg_nn_parameter(t, &layer, "lora_B.weight", TG_SHAPE(tg_size(base.weight, 0), config.rank));
    end_names(t);
    if (tg_tape_status(t)) {
        (void)!tg_tape_rewind(t, start); /* the tape has its error already */
        return none;
    }
    tg_set_requires_grad(base.weight, false);
    if (!tg_is_null(base.bias))
        tg_set_requires_grad(base.bias, false);
    return l;
}

tg_nn_lora tg_nn_lora_new(tg_nn_linear base, tg_nn_lora_config config) {
    tg_nn_lora l = tg_nn_lora_undrawn(base, config);
    if (!tg_is_null(l.lora_A))
        tg_nn_lora_draw(l.lora_A);
    return l;
}

static bool adapter_fits(const tg_nn_text *layer, tg_tensor w, tg_tensor a, tg_tensor b) {
    return tg_nn_part_fits(layer, "base.weight", w, w, TG_SHAPE(-1, -1)) &&
           tg_nn_part_fits(layer, "lora_A", w, a, TG_SHAPE(-1, tg_size(w, 1))) &&
           tg_nn_part_fits(layer, "lora_B", w, b, TG_SHAPE(tg_size(w, 0), tg_size(a, 0)));
}

static bool input_fits(const tg_nn_lora *l, const tg_nn_text *layer, tg_tensor x) {
    tg_tape *t = tg_operands(layer->s, "ff", 2, (tg_tensor[]){x, l->base.weight});
    if (!t || !tg_nn_linear_fits(layer, "base", x, &l->base, -1, -1) || !tg_nn_dropout_is_valid(t, layer, l->dropout))
        return false;
    int64_t in = tg_size(l->base.weight, 1);
    if (tg_ndim(x) > 0 && tg_size(x, -1) == in)
        return adapter_fits(layer, l->base.weight, l->lora_A, l->lora_B);
    tg_reject(t, TG_ERR_SHAPE, "%s: x is %s, but its last dim must be %lld", layer->s, tg_describe(x).s, (long long)in);
    return false;
}

static bool is_same(tg_tensor x, tg_tensor y) { return x.tape == y.tape && x.index == y.index && x.epoch == y.epoch; }

/* The layer's adapter on the tape, with its merged state; a is null when the tape has none, or another one. */
static tg_adapter on_tape(const tg_nn_lora *l) {
    tg_adapter a = tg_adapter_of(l->base.weight), none = {.merged = false};
    return is_same(a.a, l->lora_A) && is_same(a.b, l->lora_B) ? a : none;
}

tg_tensor tg_nn_lora_weight(const tg_nn_lora *l) {
    if (!l)
        return TG_NULL;
    tg_nn_text layer = layer_of(l);
    if (!adapter_fits(&layer, l->base.weight, l->lora_A, l->lora_B))
        return TG_NULL;
    if (on_tape(l).merged)
        return l->base.weight;
    return tg_add(l->base.weight, tg_mul_scalar(tg_matmul(l->lora_B, l->lora_A), l->scaling));
}

tg_tensor tg_nn_lora_forward(const tg_nn_lora *l, tg_tensor x) {
    if (!tg_nn_not_null(l, kind, x))
        return TG_NULL;
    tg_nn_text layer = layer_of(l);
    if (!input_fits(l, &layer, x))
        return TG_NULL;
    tg_tensor y = tg_nn_linear_forward(&l->base, x);
    if (!tg_is_null(on_tape(l).a)) /* tg_linear has added the adapter */
        return y;
    tg_tensor low = tg_linear(tg_dropout(x, l->dropout), l->lora_A, TG_NULL);
    return tg_add(y, tg_mul_scalar(tg_linear(low, l->lora_B, TG_NULL), l->scaling));
}

/* ---- merging ---- */

/* weight + scaling B A, or - to unmerge. */
static tg_tensor with_product(tg_tensor weight, tg_adapter a, bool merged) {
    tg_nn_text layer = layer_of(&(tg_nn_lora){.base.weight = weight});
    if (!adapter_fits(&layer, weight, a.a, a.b))
        return TG_NULL;
    return tg_add(weight, tg_mul_scalar(tg_matmul(a.b, a.a), merged ? a.scaling : -a.scaling));
}

static tg_status replace(tg_tensor weight, tg_tensor sum, tg_adapter a) {
    tg_status bad = tg_set_adapter(weight, a);
    return bad ? bad : tg_copy_(weight, sum);
}

/* only_try: computes the weight, then drops it. */
static tg_status set_merged(tg_tensor weight, tg_adapter a, bool merged, bool only_try) {
    tg_tape *t = tg_tape_of(weight);
    tg_mark mark = tg_tape_mark(t);
    tg_tensor sum = with_product(weight, a, merged);
    a.merged = merged;
    tg_status bad = tg_is_null(sum) || only_try ? tg_tape_status(t) : replace(weight, sum, a);
    tg_status lost = tg_tape_rewind(t, mark);
    return bad ? bad : lost;
}

tg_status tg_nn_try_merged(tg_tensor weight, tg_adapter a, bool merged) { return set_merged(weight, a, merged, true); }
tg_status tg_nn_set_merged(tg_tensor weight, tg_adapter a, bool merged) { return set_merged(weight, a, merged, false); }

tg_status tg_nn_lora_merge(const tg_nn_lora *l) {
    if (!l)
        return TG_ERR_ARGUMENT;
    tg_adapter on = tg_adapter_of(l->base.weight);
    if (on.merged)
        return tg_reject(tg_tape_of(l->base.weight), TG_ERR_STATE, "%s: the adapters are merged already", kind);
    if (!tg_is_null(on.a))
        return tg_reject(tg_tape_of(l->base.weight), TG_ERR_STATE,
                         "%s: the tape has an adapter of %s, which tg_nn_lora_set_merged merges", kind,
                         tg_describe(l->base.weight).s);
    return tg_nn_set_merged(l->base.weight, (tg_adapter){l->lora_A, l->lora_B, l->scaling, l->dropout, false}, true);
}

tg_status tg_nn_lora_unmerge(const tg_nn_lora *l) {
    if (!l)
        return TG_ERR_ARGUMENT;
    tg_adapter on = on_tape(l);
    if (!on.merged)
        return tg_reject(tg_tape_of(l->base.weight), TG_ERR_STATE, "%s: the adapters are not merged", kind);
    tg_status bad = tg_nn_set_merged(l->base.weight, on, false);
    return bad ? bad : tg_set_adapter(l->base.weight, (tg_adapter){.merged = false});
}
