/* Attention of given q, k and v: scores, masks, softmax, dropout, and the weighted mean of v. */
#include "nn/layer.h"

/* ---- heads ---- */

tg_tensor tg_nn_split_heads(tg_tensor x, int n_heads) {
    tg_shape s = tg_shape_of(x);
    int last = s.ndim - 1;
    if (last < 1)
        return TG_NULL;
    s.size[s.ndim++] = s.size[last] / n_heads;
    s.size[last] = n_heads;
    return tg_transpose(tg_reshape(x, s), -2, -3);
}

tg_tensor tg_nn_join_heads(tg_tensor y) {
    tg_shape s = tg_shape_of(y);
    if (s.ndim < 3)
        return TG_NULL;
    int64_t heads = s.size[s.ndim - 3];
    s.size[s.ndim - 3] = s.size[s.ndim - 2];
    s.size[s.ndim - 2] = heads * s.size[s.ndim - 1];
    s.ndim--;
    return tg_reshape(tg_transpose(y, -2, -3), s);
}

/* Repeats each head n times: (..., heads, S, d) -> (..., heads * n, S, d) */
static tg_tensor repeat_heads(tg_tensor x, int64_t n) {
    tg_shape s = tg_shape_of(x), each = s;
    if (n == 1 || s.ndim < 3)
        return x;
    each.size[s.ndim] = s.size[s.ndim - 1];
    each.size[s.ndim - 1] = s.size[s.ndim - 2];
    each.size[s.ndim - 2] = n;
    each.ndim++;
    s.size[s.ndim - 3] *= n;
    return tg_reshape(tg_expand(tg_unsqueeze(x, -3), each), s);
}

/* ---- masks ---- */

/* The masks, checked and in shapes that broadcast to the weights. */
typedef struct masks {
    tg_tensor padding, attn;
} masks;

static void wrong_mask(const tg_nn_attention_spec *a, const char *what, tg_tensor mask, const char *dtypes,
                       const tg_shape *expected) {
    tg_reject(tg_tape_of(mask), TG_ERR_SHAPE, "%s: %s %s is %s, but must be %s of shape %s", a->layer.s, what,
              tg_describe(mask).s, tg_dtype_name(tg_dtype_of(mask)), dtypes, tg_shape_text(expected).s);
}

static bool same_shape(const tg_shape *a, const tg_shape *b) {
    return a->ndim == b->ndim && memcmp(a->size, b->size, sizeof a->size[0] * (size_t)a->ndim) == 0;
}

/* (S) unchanged; (B, S) with dims of size 1 for heads and queries: (B, 1, 1, S). */
static tg_tensor padding_mask(const tg_nn_attention_spec *a, const tg_shape *weights) {
    tg_tensor mask = a->masks.key_padding_mask;
    tg_shape shape = tg_shape_of(mask);
    if (tg_is_null(mask))
        return TG_NULL;
    bool has_batch = weights->ndim == (a->has_heads ? 4 : 3);
    int64_t tokens = weights->size[weights->ndim - 1];
    tg_shape expected = has_batch ? TG_SHAPE(weights->size[0], tokens) : TG_SHAPE(tokens);
    if (tg_dtype_of(mask) != TG_BOOL || !same_shape(&shape, &expected)) {
        wrong_mask(a, "key_padding_mask", mask, "bool", &expected);
        return TG_NULL;
    }
    for (int i = 2; has_batch && i < weights->ndim; i++)
        mask = tg_unsqueeze(mask, 1);
    return mask;
}

static bool fits(const tg_shape *mask, const tg_shape *weights) {
    for (int i = 1; i <= mask->ndim; i++)
        if (mask->size[mask->ndim - i] != 1 && mask->size[mask->ndim - i] != weights->size[weights->ndim - i])
            return false;
    return true;
}

/* (T, S) and a mask with all dims of the weights unchanged; (B, T, S) with a dim of size 1 for heads: (B, 1, T, S). */
static tg_tensor attn_mask(const tg_nn_attention_spec *a, const tg_shape *weights) {
    tg_tensor mask = a->masks.attn_mask;
    tg_shape shape = tg_shape_of(mask), expected = *weights;
    if (tg_is_null(mask))
        return TG_NULL;
    bool per_batch = shape.ndim == 3 && weights->ndim == 4;
    if (per_batch)
        expected = TG_SHAPE(weights->size[0], weights->size[2], weights->size[3]);
    else if (shape.ndim <= 2)
        expected = TG_SHAPE(weights->size[weights->ndim - 2], weights->size[weights->ndim - 1]);
    if (tg_dtype_of(mask) == TG_I64 || shape.ndim != expected.ndim || !fits(&shape, &expected)) {
        wrong_mask(a, "attn_mask", mask, "bool or floating", &expected);
        return TG_NULL;
    }
    return per_batch ? tg_unsqueeze(mask, 1) : mask;
}

/* Checks that the masks are on x's tape; weights: the shape of the attention weights. */
static masks open_masks(const tg_nn_attention_spec *a, tg_tensor x, const tg_shape *weights) {
    if (tg_is_null(a->masks.key_padding_mask) && tg_is_null(a->masks.attn_mask))
        return (masks){TG_NULL, TG_NULL};
    const tg_tensor operands[] = {x, a->masks.key_padding_mask, a->masks.attn_mask};
    if (!tg_operands(a->layer.s, "*AA", 3, operands))
        return (masks){TG_NULL, TG_NULL};
    return (masks){padding_mask(a, weights), attn_mask(a, weights)};
}

tg_tensor tg_nn_later(tg_tape *t, int64_t queries, int64_t keys) {
    return tg_to_bool(tg_triu(tg_ones(t, TG_SHAPE(queries, keys)), 1));
}

/* ---- attention ---- */

static tg_tensor from_scores(const tg_nn_attention_spec *a, const masks *m, tg_tensor scores, tg_tensor v,
                             tg_tensor *weights) {
    tg_shape shape = tg_shape_of(scores);
    if (a->masks.causal && shape.ndim) {
        int64_t queries = shape.size[shape.ndim - 2], keys = shape.size[shape.ndim - 1];
        scores = tg_masked_fill(scores, tg_nn_later(tg_tape_of(scores), queries, keys), -INFINITY);
    }
    if (!tg_is_null(m->padding))
        scores = tg_masked_fill(scores, m->padding, -INFINITY);
    if (!tg_is_null(m->attn))
        scores = tg_dtype_of(m->attn) == TG_BOOL ? tg_masked_fill(scores, m->attn, -INFINITY) : tg_add(scores, m->attn);
    tg_tensor w = tg_dropout(tg_softmax(scores, -1), a->dropout);
    if (weights)
        *weights = w;
    return tg_matmul(w, v);
}

tg_tensor tg_nn_attend_scores(const tg_nn_attention_spec *a, tg_tensor scores, tg_tensor v, tg_tensor *weights) {
    tg_shape shape = tg_shape_of(scores);
    masks m = open_masks(a, scores, &shape);
    return from_scores(a, &m, scores, v, weights);
}

/* The fused operation takes one mask, in which true allows attention. */
static tg_tensor fused(const tg_nn_attention_spec *a, const masks *m, tg_tensor q, tg_tensor k, tg_tensor v) {
    tg_tensor mask = tg_is_null(m->attn) ? m->padding : m->attn;
    if (!tg_is_null(mask) && tg_dtype_of(mask) == TG_BOOL)
        mask = tg_logical_not(mask);
    tg_attention_config config = {.mask = mask,
                                  .causal = a->masks.causal,
                                  .enable_gqa = a->has_heads,
                                  .dropout_p = a->dropout,
                                  .scale = 1 / a->divisor};
    return tg_scaled_dot_product_attention_with(q, k, v, config);
}

tg_tensor tg_nn_attend(const tg_nn_attention_spec *a, tg_tensor q, tg_tensor k, tg_tensor v, tg_tensor *weights) {
    tg_shape shape = tg_shape_of(q);
    if (shape.ndim < 2 || !tg_nn_dropout_is_valid(tg_tape_of(q), &a->layer, a->dropout)) /* the tape has failed */
        return tg_nn_refuse(weights);
    shape.size[shape.ndim - 1] = tg_size(k, -2);
    masks m = open_masks(a, q, &shape);
    if (!weights && (tg_is_null(m.padding) || tg_is_null(m.attn)))
        return fused(a, &m, q, k, v);
    if (a->has_heads && tg_size(k, -3) > 0) {
        int64_t group = tg_size(q, -3) / tg_size(k, -3);
        k = repeat_heads(k, group);
        v = repeat_heads(v, group);
    }
    tg_tensor scores = tg_matmul(q, tg_transpose(k, -2, -1));
    if (a->divisor != 1)
        scores = tg_div_scalar(scores, a->divisor);
    return from_scores(a, &m, scores, v, weights);
}

static bool operands_fit(const tg_shape *q, const tg_shape *k, const tg_shape *v) {
    int n = q->ndim;
    if (n < 2 || n > 4 || k->ndim != n || v->ndim != n || q->size[n - 1] != k->size[n - 1] ||
        k->size[n - 2] != v->size[n - 2])
        return false;
    for (int i = 0; i < n - 2; i++)
        if (q->size[i] != k->size[i] || q->size[i] != v->size[i])
            return false;
    return true;
}

tg_tensor tg_nn_attention(tg_tensor q, tg_tensor k, tg_tensor v, tg_nn_masks extra, double dropout,
                          tg_tensor *weights) {
    tg_nn_attention_spec a = {.layer = tg_nn_named_layer("attention", NULL), .dropout = dropout, .masks = extra};
    tg_tape *t = tg_operands(a.layer.s, "fff", 3, (tg_tensor[]){q, k, v});
    if (!t)
        return tg_nn_refuse(weights);
    tg_shape qs = tg_shape_of(q), ks = tg_shape_of(k), vs = tg_shape_of(v);
    if (!operands_fit(&qs, &ks, &vs)) {
        tg_reject(t, TG_ERR_SHAPE,
                  "%s: q %s, k %s and v %s must be (..., T, d), (..., S, d) and (..., S, dv) with the same 0 to 2 "
                  "leading dims",
                  a.layer.s, tg_describe(q).s, tg_describe(k).s, tg_describe(v).s);
        return tg_nn_refuse(weights);
    }
    a.has_heads = qs.ndim == 4;
    int64_t d = qs.size[qs.ndim - 1];
    a.divisor = d ? sqrt((double)d) : 1;
    return tg_nn_attend(&a, q, k, v, weights);
}

/* ---- the causal buffer ---- */

tg_tensor tg_nn_causal_buffer(tg_tape *t, const tg_nn_text *layer, int64_t context) {
    tg_tensor mask = tg_nn_buffer(t, layer, "mask", TG_SHAPE(context, context));
    void *data = tg_is_null(mask) ? NULL : tg_data(mask);
    for (int64_t i = 0; data && i < context; i++)
        for (int64_t j = i + 1; j < context; j++)
            if (tg_tape_dtype(t) == TG_F32)
                ((float *)data)[i * context + j] = 1;
            else
                ((double *)data)[i * context + j] = 1;
    return mask;
}
