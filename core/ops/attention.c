/* scaled_dot_product_attention: y = (P D) v, P = softmax(q k^T scale + mask) for each query (Vaswani et al. 2017,
 * eq. 1), D the dropout's mask. The formulas of the gradients are with the kernels: core/kernels/attention.c. */
#include "core/kernels/attention.h"

static tg_tensor probe(tg_tape *t, int variant) {
    static const bool allowed[] = {1, 0, 1, 0, 0, 0, 1, 1, 0}; /* the second query sees nothing */
    tg_tensor q = tg_probe_leaf(t, TG_SHAPE(2, 3, 4)), k = tg_probe_leaf(t, TG_SHAPE(2, 3, 4)), none = TG_NULL;
    tg_tensor v = tg_probe_leaf(t, TG_SHAPE(2, 3, 2)), square = tg_from_bools(t, TG_SHAPE(3, 3), allowed);
    switch (variant) {
    case 0: return tg_scaled_dot_product_attention(q, k, v, none, false, 0, 0);
    case 1: return tg_scaled_dot_product_attention(q, k, v, none, true, 0, 0.7);
    case 2: return tg_scaled_dot_product_attention(q, k, v, square, false, 0, 0);
    case 3: return tg_scaled_dot_product_attention(q, k, v, tg_probe_leaf(t, TG_SHAPE(3)), true, 0, 0);
    case 4: return tg_scaled_dot_product_attention(q, k, v, tg_probe_leaf(t, TG_SHAPE(2, 3, 1)), false, 0.4, 0);
    case 5: return tg_scaled_dot_product_attention(q, q, q, square, true, 0.5, 0);
    case 6:
        q = tg_transpose(tg_reshape(q, TG_SHAPE(3, 2, 2, 2)), 1, 2);
        k = tg_transpose(tg_reshape(k, TG_SHAPE(3, 4, 2, 1)), 1, 2);
        return tg_scaled_dot_product_attention(q, tg_expand(k, TG_SHAPE(3, 2, 4, 2)),
                                               tg_expand(k, TG_SHAPE(3, 2, 4, 3)),
                                               tg_transpose(tg_probe_leaf(t, TG_SHAPE(4, 2)), 0, 1), false, 0, 0);
    case 7:
        return tg_scaled_dot_product_attention(q, tg_slice(k, 1, 0, 0, 1), tg_slice(v, 1, 0, 0, 1), none, false, 0, 0);
    case 8: return tg_scaled_dot_product_attention(tg_slice(q, 1, 0, 1, 1), k, v, none, false, 1, 0);
    case 9:
        return tg_scaled_dot_product_attention(tg_select(q, 0, 0), tg_select(k, 0, 1), tg_select(v, 0, 1), none, false,
                                               0, 0);
    default: return TG_NULL;
    }
}

enum { EVERYTHING = TG_IN(0) | TG_IN(1) | TG_IN(2) | TG_IN(3) | TG_OUT };

/* A query and a key that it may see (all, or with causal those up to its own place; masks are not looked into) cost
 * 2 d for their score and 2 dv for y; backward 2 dv for dP and 2 d for dq, 2 d for dk, 2 dv for dv, 1 for dmask. */
static double flops(const tg_node *y, int i) {
    const tg_attention *a = y->attr;
    double T = (double)a->T, S = (double)a->S, d = 2 * (double)a->d, dv = 2 * (double)a->dv, pairs = T * S;
    if (a->causal)
        pairs = T <= S ? T * (T + 1) / 2 : S * (S + 1) / 2 + (T - S) * S;
    return (double)a->batches * pairs * (i <= 0 ? d + dv : i == 1 ? d : i == 2 ? dv : 1);
}

const tg_op tg_op_attention = {.name = "scaled_dot_product_attention",
                               .cancels = true,
                               .forward = TG_BOTH(tg_attention_forward),
                               .vjp = TG_BOTH(tg_attention_vjp),
                               .needs = {EVERYTHING, EVERYTHING, TG_IN(0) | TG_IN(1) | TG_IN(3), EVERYTHING},
                               .flops = flops,
                               .grad = tg_attention_grad,
                               .probe = probe};

static bool shapes_fit(const tg_node *q, const tg_node *k, const tg_node *v) {
    int n = q->ndim;
    if (n < 2 || k->ndim != n || v->ndim != n)
        return false;
    for (int i = 0; i < n - 2; i++)
        if (k->size[i] != q->size[i] || v->size[i] != q->size[i])
            return false;
    return k->size[n - 1] == q->size[n - 1] && v->size[n - 2] == k->size[n - 2];
}

static bool mask_fits(const tg_node *mask, const tg_shape *scores) {
    tg_shape m = tg_shape_from(mask), both;
    return m.ndim <= scores->ndim && tg_broadcast(&m, scores, &both) &&
           memcmp(both.size, scores->size, (size_t)both.ndim * sizeof both.size[0]) == 0;
}

static tg_tape *open_attention(const tg_tensor *x, double p, tg_node **in) {
    const tg_node *mask = x[3].tape == x[0].tape ? tg_resolve(tg_op_attention.name, x[3]) : NULL;
    tg_tape *t = tg_open(tg_op_attention.name, mask && mask->dtype == TG_BOOL ? "fffB" : "fffF", 4, x, in);
    if (!t)
        return NULL;
    if (!shapes_fit(in[0], in[1], in[2])) {
        tg_fail(t, TG_ERR_SHAPE, "%s: q %s, k %s, v %s: they must be (..., T, d), (..., S, d) and (..., S, dv)",
                tg_op_attention.name, tg_node_text(in[0]).s, tg_node_text(in[1]).s, tg_node_text(in[2]).s);
        return NULL;
    }
    tg_shape scores = tg_shape_from(in[0]);
    scores.size[scores.ndim - 1] = in[1]->size[scores.ndim - 2];
    if (in[3] && !mask_fits(in[3], &scores)) {
        tg_fail(t, TG_ERR_SHAPE, "%s: mask %s does not broadcast to %s, the shape of q k^T", tg_op_attention.name,
                tg_node_text(in[3]).s, tg_shape_text(&scores).s);
        return NULL;
    }
    if (!(p >= 0 && p <= 1)) {
        tg_fail(t, TG_ERR_ARGUMENT, "%s: dropout_p = %g: a probability is from 0 to 1", tg_op_attention.name, p);
        return NULL;
    }
    return t;
}

static tg_attention attributes(tg_node *const *in, bool causal, double p, double scale) {
    const tg_node *q = in[0], *k = in[1], *v = in[2];
    int n = q->ndim;
    tg_attention a = {.batches = 1,
                      .T = q->size[n - 2],
                      .S = k->size[n - 2],
                      .d = q->size[n - 1],
                      .dv = v->size[n - 1],
                      .scale = scale,
                      .p = p,
                      .causal = causal};
    for (int i = 0; i < n - 2; i++)
        a.batches *= q->size[i];
    if (scale == 0)
        a.scale = a.d ? 1 / sqrt((double)a.d) : 1;
    return a;
}

tg_tensor tg_scaled_dot_product_attention(tg_tensor q, tg_tensor k, tg_tensor v, tg_tensor mask, bool causal,
                                          double dropout_p, double scale) {
    tg_node *in[4];
    tg_tape *t = open_attention((tg_tensor[]){q, k, v, mask}, dropout_p, in);
    if (!t)
        return TG_NULL;
    tg_attention a = attributes(in, causal, t->training ? dropout_p : 0, scale);
    tg_shape shape = tg_shape_from(in[0]);
    shape.size[shape.ndim - 1] = a.dv;
    size_t attr_size = sizeof a + (a.p > 0 ? sizeof(tg_rng_state) : 0);
    tg_node *y = tg_node_new(t, &tg_op_attention, 4, in, &shape, tg_tape_dtype(t), attr_size);
    if (!y)
        return TG_NULL;
    a.keeps = y->requires_grad && a.p == 0 && a.d + a.dv >= TG_ATTENTION_WIDE && a.S <= a.d + a.dv;
    if (!tg_node_save(y, a.batches * a.T * (a.keeps ? 1 + a.S : 1)))
        return TG_NULL;
    *(tg_attention *)y->attr = a;
    return tg_record(y);
}
