/* Attention from q, k and v on: scores, masks, softmax, dropout, and the weighted mean of v. */
#include "nn/layer.h"

/* ---- masks ---- */

/* The masks, checked, in shapes that broadcast to the weights'. */
typedef struct masks {
    tg_tensor padding, attn;
} masks;

static tg_node *open_mask(const tg_nn_scope *a, tg_tensor mask) {
    tg_node *node = NULL;
    return tg_is_null(mask) || !tg_open(a->layer.s, "*", 1, &mask, &node) ? NULL : node;
}

static void wrong_mask(const tg_nn_scope *a, const char *what, const tg_node *mask, const char *dtypes,
                       const tg_shape *expected) {
    tg_fail(mask->tape, TG_ERR_SHAPE, "%s: %s %s is %s, but must be %s of shape %s", a->layer.s, what,
            tg_node_text(mask).s, tg_dtype_name((tg_dtype)mask->dtype), dtypes, tg_shape_text(expected).s);
}

static bool has_shape(const tg_node *x, const tg_shape *shape) {
    tg_shape own = tg_shape_from(x);
    return own.ndim == shape->ndim && memcmp(own.size, shape->size, sizeof own.size[0] * x->ndim) == 0;
}

/* (S) as it is; (B, S) beside heads and queries: (B, 1, 1, S). */
static tg_tensor padding_mask(const tg_nn_scope *a, const tg_shape *weights) {
    tg_tensor mask = a->masks.key_padding_mask;
    const tg_node *node = open_mask(a, mask);
    if (!node)
        return TG_NULL;
    bool has_batch = weights->ndim == (a->has_heads ? 4 : 3);
    int64_t tokens = weights->size[weights->ndim - 1];
    tg_shape expected = has_batch ? TG_SHAPE(weights->size[0], tokens) : TG_SHAPE(tokens);
    if (node->dtype != TG_BOOL || !has_shape(node, &expected)) {
        wrong_mask(a, "key_padding_mask", node, "bool", &expected);
        return TG_NULL;
    }
    for (int i = 2; has_batch && i < weights->ndim; i++)
        mask = tg_unsqueeze(mask, 1);
    return mask;
}

static bool fits(const tg_node *mask, const tg_shape *weights) {
    for (int i = 1; i <= mask->ndim; i++)
        if (mask->size[mask->ndim - i] != 1 && mask->size[mask->ndim - i] != weights->size[weights->ndim - i])
            return false;
    return true;
}

/* (T, S) and a mask with all dims of the weights as they are; (B, T, S) beside the heads: (B, 1, T, S). */
static tg_tensor attn_mask(const tg_nn_scope *a, const tg_shape *weights) {
    tg_tensor mask = a->masks.attn_mask;
    const tg_node *node = open_mask(a, mask);
    if (!node)
        return TG_NULL;
    bool per_batch = node->ndim == 3 && weights->ndim == 4;
    tg_shape expected = *weights;
    if (per_batch)
        expected = TG_SHAPE(weights->size[0], weights->size[2], weights->size[3]);
    else if (node->ndim <= 2)
        expected = TG_SHAPE(weights->size[weights->ndim - 2], weights->size[weights->ndim - 1]);
    if (node->dtype == TG_I64 || node->ndim != expected.ndim || !fits(node, &expected)) {
        wrong_mask(a, "attn_mask", node, "bool or floating", &expected);
        return TG_NULL;
    }
    return per_batch ? tg_unsqueeze(mask, 1) : mask;
}

static masks open_masks(const tg_nn_scope *a, const tg_shape *weights) {
    return (masks){padding_mask(a, weights), attn_mask(a, weights)};
}

/* True above the diagonal, (T, S). */
static tg_tensor causal_mask(const tg_nn_scope *a, const tg_shape *weights, tg_tape *t) {
    int64_t rows = weights->size[weights->ndim - 2], cols = weights->size[weights->ndim - 1];
    tg_tensor later = a->causal_buffer;
    if (tg_is_null(later))
        later = tg_triu(tg_ones(t, TG_SHAPE(rows, cols)), 1);
    return tg_to_bool(tg_slice(tg_slice(later, 0, 0, rows, 1), 1, 0, cols, 1));
}

/* ---- attention ---- */

static tg_tensor from_scores(const tg_nn_scope *a, const masks *m, tg_tensor scores, tg_tensor v, tg_tensor *weights) {
    tg_shape shape = tg_shape_of(scores);
    if (a->masks.causal && shape.ndim)
        scores = tg_masked_fill(scores, causal_mask(a, &shape, scores.tape), -INFINITY);
    if (!tg_is_null(m->padding))
        scores = tg_masked_fill(scores, m->padding, -INFINITY);
    if (!tg_is_null(m->attn))
        scores = tg_dtype_of(m->attn) == TG_BOOL ? tg_masked_fill(scores, m->attn, -INFINITY) : tg_add(scores, m->attn);
    tg_tensor w = tg_dropout(tg_softmax(scores, -1), a->dropout);
    if (weights)
        *weights = w;
    return tg_matmul(w, v);
}

tg_tensor tg_nn_attend_scores(const tg_nn_scope *a, tg_tensor scores, tg_tensor v, tg_tensor *weights) {
    tg_shape shape = tg_shape_of(scores);
    masks m = open_masks(a, &shape);
    return from_scores(a, &m, scores, v, weights);
}

/* The fused operation takes one mask, in which true shows. */
static tg_tensor fused(const tg_nn_scope *a, const masks *m, tg_tensor q, tg_tensor k, tg_tensor v) {
    tg_tensor mask = tg_is_null(m->attn) ? m->padding : m->attn;
    if (!tg_is_null(mask) && tg_dtype_of(mask) == TG_BOOL)
        mask = tg_logical_not(mask);
    return tg_scaled_dot_product_attention(q, k, v, mask, a->masks.causal, a->dropout, 1 / a->divisor);
}

tg_tensor tg_nn_attend(const tg_nn_scope *a, tg_tensor q, tg_tensor k, tg_tensor v, tg_tensor *weights) {
    tg_shape shape = tg_shape_of(q);
    if (!shape.ndim)
        return tg_nn_reject(weights);
    shape.size[shape.ndim - 1] = tg_size(k, -2);
    masks m = open_masks(a, &shape);
    if (!weights && (tg_is_null(m.padding) || tg_is_null(m.attn)))
        return fused(a, &m, q, k, v);
    tg_tensor scores = tg_matmul(q, tg_transpose(k, -2, -1));
    if (a->divisor != 1)
        scores = tg_div_scalar(scores, a->divisor);
    return from_scores(a, &m, scores, v, weights);
}

static bool operands_fit(const tg_node *q, const tg_node *k, const tg_node *v) {
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
    tg_node *in[3];
    tg_nn_scope a = {.layer = tg_nn_new_layer("attention", NULL), .dropout = dropout, .masks = extra};
    tg_tape *t = tg_open(a.layer.s, "fff", 3, (tg_tensor[]){q, k, v}, in);
    if (!t || !tg_nn_dropout_is_valid(t, &a.layer, dropout))
        return tg_nn_reject(weights);
    if (!operands_fit(in[0], in[1], in[2])) {
        tg_fail(t, TG_ERR_SHAPE,
                "%s: q %s, k %s and v %s must be (..., T, d), (..., S, d) and (..., S, dv) with the same 0 to 2 "
                "leading dims",
                a.layer.s, tg_node_text(in[0]).s, tg_node_text(in[1]).s, tg_node_text(in[2]).s);
        return tg_nn_reject(weights);
    }
    a.has_heads = in[0]->ndim == 4;
    a.divisor = sqrt((double)in[0]->size[in[0]->ndim - 1]);
    return tg_nn_attend(&a, q, k, v, weights);
}

/* ---- the causal buffer ---- */

tg_tensor tg_nn_causal_buffer(tg_tape *t, const char *name, int64_t context) {
    tg_nn_text path = tg_nn_join(t, name, "mask");
    tg_tensor mask = tg_buffer(t, path.s, tg_zeros(t, TG_SHAPE(context, context)));
    tg_node *node = tg_resolve("mask", mask);
    for (int64_t i = 0; node && i < context; i++)
        for (int64_t j = i + 1; j < context; j++)
            if (node->dtype == TG_F32)
                ((float *)node->data)[i * context + j] = 1;
            else
                ((double *)node->data)[i * context + j] = 1;
    return mask;
}
