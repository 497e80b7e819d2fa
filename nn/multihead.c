/* Multi-head attention as in torch.nn.MultiheadAttention (Vaswani et al. 2017, section 3.2.2), also with grouped
 * queries (Ainslie et al. 2023). */
#include "nn/layer.h"

static const char kind[] = "multihead";

/* ---- construction ---- */

/* Rows of the projections of q, k and v: n_heads, n_kv_heads and n_kv_heads heads. */
typedef struct rows {
    int64_t n[3];
} rows;

static bool heads_are_valid(tg_tape *t, const tg_nn_text *layer, int64_t embed_dim, int n_heads, int n_kv_heads) {
    if (!tg_nn_size_is_valid(t, layer, "embed_dim", embed_dim) || !tg_nn_size_is_valid(t, layer, "n_heads", n_heads) ||
        !tg_nn_size_is_valid(t, layer, "n_kv_heads", n_kv_heads))
        return false;
    if (embed_dim % n_heads == 0 && n_heads % n_kv_heads == 0)
        return true;
    tg_reject(t, TG_ERR_SHAPE,
              "%s: embed_dim = %lld, n_heads = %d, n_kv_heads = %d: each must be divisible by the next", layer->s,
              (long long)embed_dim, n_heads, n_kv_heads);
    return false;
}

static rows rows_of(int64_t embed_dim, int n_heads, int n_kv_heads) {
    int64_t kv = embed_dim / n_heads * n_kv_heads;
    return (rows){{embed_dim, kv, kv}};
}

/* In PyTorch's order: out_proj; the projections, Xavier uniform; bias_k and bias_v, Xavier normal. The other biases are
 * zeros. */
static void draw(tg_nn_multihead *a) {
    tg_tensor w[] = {a->in_proj_weight, a->q_proj_weight, a->k_proj_weight, a->v_proj_weight};
    for (int i = 0; i < 4; i++)
        if (!tg_is_null(w[i]))
            tg_xavier_uniform_(w[i], 1);
    if (!tg_is_null(a->out_proj.bias))
        tg_fill_(a->out_proj.bias, 0);
    if (!tg_is_null(a->bias_k)) {
        double std = sqrt(2 / (2 * (double)tg_numel(a->bias_k)));
        tg_normal_(a->bias_k, 0, std);
        tg_normal_(a->bias_v, 0, std);
    }
}

static void make(tg_tape *t, const tg_nn_text *layer, tg_nn_multihead *a, int64_t embed_dim, int64_t kdim, int64_t vdim,
                 const tg_nn_multihead_config *c) {
    rows r = rows_of(embed_dim, a->n_heads, a->n_kv_heads);
    int64_t all = r.n[0] + r.n[1] + r.n[2];
    if (kdim == embed_dim && vdim == embed_dim) {
        a->in_proj_weight = tg_nn_parameter(t, layer, "in_proj_weight", TG_SHAPE(all, embed_dim));
    } else {
        a->q_proj_weight = tg_nn_parameter(t, layer, "q_proj_weight", TG_SHAPE(r.n[0], embed_dim));
        a->k_proj_weight = tg_nn_parameter(t, layer, "k_proj_weight", TG_SHAPE(r.n[1], kdim));
        a->v_proj_weight = tg_nn_parameter(t, layer, "v_proj_weight", TG_SHAPE(r.n[2], vdim));
    }
    if (c->in_proj_bias)
        a->in_proj_bias = tg_nn_parameter(t, layer, "in_proj_bias", TG_SHAPE(all));
    if (c->add_bias_kv) {
        a->bias_k = tg_nn_parameter(t, layer, "bias_k", TG_SHAPE(1, 1, r.n[1]));
        a->bias_v = tg_nn_parameter(t, layer, "bias_v", TG_SHAPE(1, 1, r.n[2]));
    }
    a->out_proj = tg_nn_linear_new(t, "out_proj", embed_dim, embed_dim, c->out_proj_bias);
    draw(a);
}

tg_nn_multihead tg_nn_multihead_new(tg_tape *t, const char *name, int64_t embed_dim, int n_heads,
                                    tg_nn_multihead_config config) {
    tg_nn_multihead a = {.n_heads = n_heads,
                         .n_kv_heads = config.n_kv_heads ? config.n_kv_heads : n_heads,
                         .dropout = config.dropout,
                         .add_zero_attn = config.add_zero_attn},
                    none = a;
    int64_t kdim = config.kdim ? config.kdim : embed_dim, vdim = config.vdim ? config.vdim : embed_dim;
    tg_nn_making m = tg_nn_begin(t, kind, name);
    bool good = heads_are_valid(t, &m.layer, embed_dim, n_heads, a.n_kv_heads) &&
                tg_nn_size_is_valid(t, &m.layer, "kdim", kdim) && tg_nn_size_is_valid(t, &m.layer, "vdim", vdim) &&
                tg_nn_dropout_is_valid(t, &m.layer, config.dropout);
    if (good && embed_dim > INT64_MAX / 3)
        tg_reject(t, TG_ERR_MEMORY, "%s: embed_dim = %lld is too large", m.layer.s, (long long)embed_dim);
    else if (good)
        make(t, &m.layer, &a, embed_dim, kdim, vdim, &config);
    return tg_nn_end(t, &m) ? a : none;
}

/* ---- forward ---- */

static bool is_packed(const tg_nn_multihead *a) { return !tg_is_null(a->in_proj_weight); }

/* The projection of q (0), k (1) or v (2): the packed weight, or its own. */
static tg_tensor input_weight(const tg_nn_multihead *a, int i) {
    const tg_tensor each[] = {a->q_proj_weight, a->k_proj_weight, a->v_proj_weight};
    return is_packed(a) ? a->in_proj_weight : each[i];
}

static tg_nn_text layer_of(const tg_nn_multihead *a) {
    return tg_nn_layer(kind, input_weight(a, 0), is_packed(a) ? "in_proj_weight" : "q_proj_weight");
}

/* Checks every weight, as the struct may not come from tg_nn_multihead_new. */
static bool weights_are_valid(const tg_nn_multihead *a, const tg_nn_text *layer) {
    const tg_tensor w[] = {input_weight(a, 0), input_weight(a, 1), input_weight(a, 2)};
    tg_tape *t = tg_tape_of(w[0]);
    if (!tg_nn_weight_has_dim(layer, a->out_proj.weight, 1) ||
        !heads_are_valid(t, layer, tg_size(a->out_proj.weight, 1), a->n_heads, a->n_kv_heads))
        return false;
    rows r = rows_of(tg_size(a->out_proj.weight, 1), a->n_heads, a->n_kv_heads);
    for (int i = 0; i < 3; i++)
        if (tg_ndim(w[i]) != 2 || tg_size(w[i], 0) != (is_packed(a) ? r.n[0] + r.n[1] + r.n[2] : r.n[i])) {
            tg_reject(t, TG_ERR_SHAPE, "%s: %s does not fit %d and %d heads of %lld channels together", layer->s,
                      tg_describe(w[i]).s, a->n_heads, a->n_kv_heads, (long long)r.n[0]);
            return false;
        }
    if (!tg_nn_option_fits(layer, "in_proj_bias", w[0], a->in_proj_bias, TG_SHAPE(r.n[0] + r.n[1] + r.n[2])) ||
        !tg_nn_linear_fits(layer, "out_proj", w[0], &a->out_proj, r.n[0], -1))
        return false;
    if (tg_is_null(a->bias_k) && tg_is_null(a->bias_v))
        return true;
    return tg_nn_part_fits(layer, "bias_k", w[0], a->bias_k, TG_SHAPE(1, 1, r.n[1])) &&
           tg_nn_part_fits(layer, "bias_v", w[0], a->bias_v, TG_SHAPE(1, 1, r.n[2]));
}

static bool inputs_are_valid(const tg_nn_multihead *a, const tg_nn_text *layer, const tg_tensor *x) {
    static const char *const names[] = {"q", "k", "v"};
    for (int i = 0; i < 3; i++)
        if (!tg_nn_input_is_valid(layer, names[i], x[i], input_weight(a, i), 1))
            return false;
    if (!tg_nn_batches_agree(layer, x[0], x[1]) || !tg_nn_batches_agree(layer, x[1], x[2]))
        return false;
    if (tg_size(x[1], -2) == tg_size(x[2], -2))
        return true;
    tg_reject(tg_tape_of(x[1]), TG_ERR_SHAPE, "%s: k %s and v %s must have the same number of tokens", layer->s,
              tg_describe(x[1]).s, tg_describe(x[2]).s);
    return false;
}

static bool is_same(tg_tensor a, tg_tensor b) { return a.tape == b.tape && a.index == b.index && a.epoch == b.epoch; }

static tg_tensor part(tg_tensor x, int dim, int64_t from, int64_t n) {
    return tg_is_null(x) ? TG_NULL : tg_slice(x, dim, from, from + n, 1);
}

/* The projections of q, k and v. With a packed in_proj, those of the same tensor are one product: their rows are
 * adjacent. */
static void project(const tg_nn_multihead *a, const tg_tensor *x, tg_tensor *out) {
    rows r = rows_of(tg_size(a->out_proj.weight, 1), a->n_heads, a->n_kv_heads);
    int64_t first = 0; /* row of in_proj_weight */
    for (int i = 0, end; i < 3; i = end) {
        int64_t n = r.n[i], from = 0;
        for (end = i + 1; end < 3 && is_packed(a) && is_same(x[i], x[end]); end++)
            n += r.n[end];
        tg_tensor w = is_packed(a) ? part(a->in_proj_weight, 0, first, n) : input_weight(a, i);
        tg_tensor y = tg_linear(x[i], w, part(a->in_proj_bias, 0, first, n));
        for (int k = i; k < end; from += r.n[k++])
            out[k] = tg_nn_split_heads(part(y, -1, from, r.n[k]), k ? a->n_kv_heads : a->n_heads);
        first += n;
    }
}

/* ---- added keys and values: learned, or zeros ---- */

/* x (..., heads, S, d) with bias (heads * d) after it (TG_NULL: nothing), then zeros. */
static tg_tensor with_more(tg_tensor x, tg_tensor bias, bool zeros) {
    tg_shape one = tg_shape_of(x);
    int n = 1;
    if (one.ndim < 3)
        return TG_NULL;
    one.size[one.ndim - 2] = 1;
    tg_tensor parts[3] = {x};
    if (!tg_is_null(bias))
        parts[n++] = tg_expand(tg_reshape(bias, TG_SHAPE(one.size[one.ndim - 3], 1, one.size[one.ndim - 1])), one);
    if (zeros)
        parts[n++] = tg_zeros(tg_tape_of(x), one);
    return tg_cat(parts, n, -2);
}

/* A mask (..., S) extended by keys that are visible, or have 0 added. */
static tg_tensor show_more(tg_tensor mask, int64_t keys, int64_t more) {
    tg_shape shape = tg_shape_of(mask);
    if (shape.ndim == 0) /* no mask, or the tape has failed */
        return mask;
    shape.size[shape.ndim - 1] = keys; /* it may be 1 */
    tg_tensor parts[2] = {tg_expand(mask, shape)};
    shape.size[shape.ndim - 1] = more;
    parts[1] = tg_zeros(tg_tape_of(mask), shape);
    if (tg_dtype_of(mask) == TG_BOOL)
        parts[1] = tg_to_bool(parts[1]);
    return tg_cat(parts, 2, -1);
}

/* The attn_mask (or none) combined with a causal mask: (T, keys) when there is none. */
static tg_tensor with_causal(tg_tape *t, tg_tensor mask, int64_t T, int64_t keys) {
    tg_tensor later = tg_nn_later(t, T, keys);
    if (tg_is_null(mask))
        return later;
    return tg_dtype_of(mask) == TG_BOOL ? tg_logical_or(mask, later) : tg_masked_fill(mask, later, -INFINITY);
}

static bool mask_fits(const tg_nn_text *layer, const char *what, tg_tensor mask, int min_ndim, int64_t keys) {
    bool may_add = min_ndim == 2;
    if (tg_is_null(mask))
        return true;
    int64_t n = tg_ndim(mask) < min_ndim ? -1 : tg_size(mask, -1);
    if ((n == keys || (n == 1 && may_add)) &&
        (tg_dtype_of(mask) == TG_BOOL || (may_add && tg_dtype_of(mask) != TG_I64)))
        return true;
    tg_reject(tg_tape_of(mask), TG_ERR_SHAPE, "%s: %s %s is %s, but must be %s, for %lld keys", layer->s, what,
              tg_describe(mask).s, tg_dtype_name(tg_dtype_of(mask)), may_add ? "bool or floating" : "bool",
              (long long)keys);
    return false;
}

/* Appends bias_k, bias_v and zeros to the projected keys and values, visible in the masks. */
static bool add_more(const tg_nn_multihead *a, const tg_nn_text *layer, tg_tensor *p, tg_nn_masks *masks) {
    tg_tape *t = tg_tape_of(p[0]);
    int64_t T = tg_size(p[0], -2), keys = tg_size(p[1], -2), more = !tg_is_null(a->bias_k) + a->add_zero_attn;
    const tg_tensor operands[] = {p[0], masks->key_padding_mask, masks->attn_mask};
    if (!more)
        return true;
    if (!tg_operands(layer->s, "*AA", 3, operands) ||
        !mask_fits(layer, "key_padding_mask", masks->key_padding_mask, 1, keys) ||
        !mask_fits(layer, "attn_mask", masks->attn_mask, 2, keys))
        return false;
    if (masks->causal)
        masks->attn_mask = with_causal(t, masks->attn_mask, T, keys);
    masks->causal = false;
    masks->attn_mask = show_more(masks->attn_mask, keys, more);
    masks->key_padding_mask = show_more(masks->key_padding_mask, keys, more);
    p[1] = with_more(p[1], a->bias_k, a->add_zero_attn);
    p[2] = with_more(p[2], a->bias_v, a->add_zero_attn);
    return true;
}

tg_tensor tg_nn_multihead_forward(const tg_nn_multihead *a, tg_tensor q, tg_tensor k, tg_tensor v, tg_nn_masks masks,
                                  tg_tensor *weights) {
    const tg_tensor x[] = {q, k, v};
    if (!tg_nn_not_null(a, kind, tg_is_null(q) ? tg_is_null(k) ? v : k : q))
        return tg_nn_refuse(weights);
    tg_nn_text layer = layer_of(a);
    const tg_tensor operands[] = {
        q, k, v, input_weight(a, 0), input_weight(a, 1), input_weight(a, 2), a->out_proj.weight};
    if (!tg_operands(layer.s, "fffffff", 7, operands) || !weights_are_valid(a, &layer) ||
        !inputs_are_valid(a, &layer, x))
        return tg_nn_refuse(weights);
    double d = (double)(tg_size(a->out_proj.weight, 1) / a->n_heads);
    tg_tensor p[3];
    project(a, x, p);
    if (!add_more(a, &layer, p, &masks))
        return tg_nn_refuse(weights);
    tg_nn_attention_spec scope = {
        .layer = layer, .has_heads = true, .divisor = sqrt(d), .dropout = a->dropout, .masks = masks};
    return tg_nn_linear_forward(&a->out_proj, tg_nn_join_heads(tg_nn_attend(&scope, p[0], p[1], p[2], weights)));
}
