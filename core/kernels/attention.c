/* Attention one query at a time, without a (T, S) matrix: the plain reference. For the query q of each row
 *   s_j = scale q . k_j + mask_j    P_j = e^s_j / sum e^s    y = sum_j P_j D_j v_j
 *   dP_j = dy . v_j D_j             dS_j = P_j (dP_j - dy . y)
 *   dv_j += P_j D_j dy    dq += scale dS_j k_j    dk_j += scale dS_j q    dmask_j += dS_j
 * D is the dropout's mask: 0 with probability p, else 1 / (1 - p).
 *
 * saved: ln sum e^s for each query, from which the VJP makes P again. Dropout draws a number for every weight in
 * order, as dropout of the whole matrix would; the VJP draws the same ones from the generator's earlier state. */
#include "core/kernels/attention.h"
#include "core/kernels/rows.h"
#include "core/kernels/vmath.h"

#ifndef real
/* Walks the mask, which lies under the given strides, as the scores lie. */
static tg_walk mask_walk(const tg_node *y, const int64_t *stride) {
    const tg_node *q = y->in[0], *mask = y->in[3];
    tg_walk w = {.ndim = 0};
    if (!mask)
        return w;
    int64_t seen[TG_MAX_DIMS];
    tg_shape scores = tg_shape_from(q);
    scores.size[q->ndim - 1] = ((const tg_attention *)y->attr)->S;
    tg_broadcast_strides(mask, stride, scores.ndim, scores.size, seen);
    tg_walk_begin(&w, scores.ndim, scores.size, seen);
    return w;
}
#endif

#ifdef real

/* A query, what it looks at, and a row over the keys for each of P, D and dS. */
typedef struct FN(query) {
    int64_t i; /* its number among T */
    const real *q, *k, *v;
    real *weight, *kept, *dscore;
    tg_walk mask;
    tg_rng_state rng;
} FN(query);

static tg_status FN(begin)(const tg_node *y, FN(query) * r) {
    const tg_attention *a = y->attr;
    r->weight = tg_pool_get(y->tape, 3 * (size_t)a->S * sizeof(real));
    if (!r->weight)
        return y->tape->status;
    r->kept = r->weight + a->S;
    r->dscore = r->kept + a->S;
    r->mask = mask_walk(y, y->in[3] ? y->in[3]->stride : NULL);
    if (a->drops)
        r->rng = *tg_attention_generator(y);
    return TG_OK;
}

static void FN(end)(const tg_node *y, FN(query) * r) {
    tg_pool_put(y->tape, r->weight, 3 * (size_t)((const tg_attention *)y->attr)->S * sizeof(real));
}

/* Go to the next query, rows being visited in order: weight = its scores, -inf where it may not look; kept = D. */
static void FN(visit)(const tg_node *y, int64_t row, FN(query) * r) {
    const tg_attention *a = y->attr;
    const tg_node *mask = y->in[3];
    int64_t batch = row / a->T;
    r->i = row % a->T;
    r->q = (const real *)y->in[0]->data + row * a->d;
    r->k = (const real *)y->in[1]->data + batch * a->S * a->d;
    r->v = (const real *)y->in[2]->data + batch * a->S * a->dv;
    for (int64_t j = 0; j < a->S; j++) {
        bool hidden = a->causal && j > r->i;
        real bias = 0;
        if (mask && mask->dtype == TG_BOOL)
            hidden |= !((const bool *)mask->data)[r->mask.offset];
        else if (mask)
            bias = ((const real *)mask->data)[r->mask.offset];
        if (mask)
            tg_walk_next(&r->mask, 1);
        r->weight[j] = hidden ? -INFINITY : FN(tg_row_dot)(a->d, r->q, r->k + j * a->d) * (real)a->scale + bias;
        bool dropped = a->drops && (a->p == 1 || tg_rng_double(&r->rng) >= 1 - a->p);
        r->kept[j] = dropped ? 0 : a->drops ? 1 / (real)(1 - a->p) : 1;
    }
}

/* to += factor x; to may be NULL */
static void FN(add_scaled)(int64_t n, real *to, real factor, const real *x) {
    for (int64_t c = 0; c < n && to; c++)
        to[c] += factor * x[c];
}

static void FN(attend)(const tg_attention *a, FN(query) * r, real *y, real *lse) {
    real m = FN(tg_row_max)(a->S, r->weight), shift = m == -INFINITY ? 0 : m;
    FN(tg_vexp)(a->S, r->weight, r->weight, shift);
    real sum = FN(tg_row_sum)(a->S, r->weight);
    *lse = shift + M(log)(sum); /* -inf: nothing to see */
    memset(y, 0, (size_t)a->dv * sizeof *y);
    for (int64_t j = 0; j < a->S && sum != 0; j++)
        FN(add_scaled)(a->dv, y, r->weight[j] / sum * r->kept[j], r->v + j * a->dv);
}

tg_status FN(tg_attention_forward)(tg_node *y) {
    tg_attention *a = y->attr;
    tg_tape *t = y->tape;
    FN(query) r;
    if (!t->keep_random) {
        a->drops = a->p > 0 && t->training;
        if (a->drops)
            *tg_attention_generator(y) = t->rng;
    }
    if (FN(begin)(y, &r))
        return t->status;
    for (int64_t row = 0; row < a->batches * a->T; row++) {
        FN(visit)(y, row, &r);
        FN(attend)(a, &r, (real *)y->data + row * a->dv, (real *)y->saved + row);
    }
    if (a->drops && !t->keep_random)
        t->rng = r.rng;
    FN(end)(y, &r);
    return TG_OK;
}

/* d: the gradients of q, k and v, or NULL; the mask's is left in dscore */
static void FN(attend_vjp)(const tg_node *y, int64_t row, FN(query) * r, real *const *d) {
    const tg_attention *a = y->attr;
    const real *dy = (const real *)y->grad + row * a->dv, *out = (const real *)y->data + row * a->dv;
    real lse = ((const real *)y->saved)[row], dot = FN(tg_row_dot)(a->dv, dy, out), scale = (real)a->scale;
    real *dq = d[0] ? d[0] + row * a->d : NULL;
    FN(tg_vexp)(a->S, r->weight, r->weight, lse == -INFINITY ? 0 : lse);
    for (int64_t j = 0; j < a->S; j++) {
        int64_t key = row / a->T * a->S + j;
        real dweight = FN(tg_row_dot)(a->dv, dy, r->v + j * a->dv) * r->kept[j];
        r->dscore[j] = r->weight[j] * (dweight - dot);
        FN(add_scaled)(a->d, dq, scale * r->dscore[j], r->k + j * a->d);
        FN(add_scaled)(a->d, d[1] ? d[1] + key * a->d : NULL, scale * r->dscore[j], r->q);
        FN(add_scaled)(a->dv, d[2] ? d[2] + key * a->dv : NULL, r->weight[j] * r->kept[j], dy);
    }
}

static void FN(all_vjp)(const tg_node *y, FN(query) * r, real *const *d) {
    const tg_attention *a = y->attr;
    int64_t dense[TG_MAX_DIMS];
    if (y->in[3])
        tg_dense_strides(y->in[3]->ndim, y->in[3]->size, dense);
    tg_walk w = mask_walk(y, dense);
    for (int64_t row = 0; row < a->batches * a->T; row++) {
        FN(visit)(y, row, r);
        FN(attend_vjp)(y, row, r, d);
        for (int64_t j = 0; j < a->S && d[3]; j++, tg_walk_next(&w, 1))
            d[3][w.offset] += r->dscore[j];
    }
}

tg_status FN(tg_attention_vjp)(tg_node *y) {
    FN(query) r;
    real *d[4] = {0};
    if (FN(begin)(y, &r))
        return y->tape->status;
    bool bad = false;
    for (int i = 0; i < 4; i++)
        if (!bad && tg_wants(y, i))
            bad = !(d[i] = tg_grad_add(y, i));
    if (!bad)
        FN(all_vjp)(y, &r, d);
    for (int i = 0; i < 4; i++)
        tg_grad_close(y, i, d[i]);
    FN(end)(y, &r);
    return bad ? y->tape->status : TG_OK;
}

#else
#define TG_SELF "kernels/attention.c"
#include "core/twice.h"
#endif
