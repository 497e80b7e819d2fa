/* Attention one query at a time, without a (T, S) matrix: the plain form, and which form runs. For the query q of
 * each row
 *   s_j = scale q . k_j + mask_j    P_j = e^s_j / sum e^s    y = sum_j P_j D_j v_j
 *   dP_j = dy . v_j D_j             dS_j = P_j (dP_j - dy . y)
 *   dv_j += P_j D_j dy    dq += scale dS_j k_j    dk_j += scale dS_j q    dmask_j += dS_j
 * D is the dropout's mask: 0 with probability p, else 1 / (1 - p).
 *
 * saved: ln sum e^s for each query, from which the VJP makes P again. Dropout draws a number for every weight in
 * order, as dropout of the whole matrix would; the VJP draws the same ones from the generator's earlier state. */
#include "core/kernels/attention.h"
#include "core/kernels/isa.h"
#include "core/kernels/rows.h"
#include "core/kernels/vmath.h"

#ifndef real
/* SMALL: products (T S (d + dv)) up to which tiles do not repay their preparation. WIDE: d + dv from which on whole
 * rows of scores pay. */
enum { SMALL = 4096, WIDE = 2048 };

static tg_heads heads_of(const tg_node *x) {
    tg_heads h = {.data = x->data};
    memcpy(h.stride, x->stride, sizeof x->stride[0] * x->ndim);
    return h;
}

/* The mask, or its gradient, as the scores lie. */
static tg_heads mask_heads(const tg_attention_job *job, void *data, const int64_t *stride) {
    tg_heads h = {.data = data};
    tg_shape scores = tg_shape_from(job->y);
    scores.size[scores.ndim - 1] = job->a.S;
    tg_broadcast_strides(job->y->in[3], stride, scores.ndim, scores.size, h.stride);
    return h;
}

static tg_attention_job job_of(tg_node *y) {
    tg_attention_job job = {.y = y, .a = *(const tg_attention *)y->attr};
    job.q = heads_of(y->in[0]);
    job.k = heads_of(y->in[1]);
    job.v = heads_of(y->in[2]);
    if (y->in[3])
        job.mask = mask_heads(&job, y->in[3]->data, y->in[3]->stride);
    return job;
}

/* ---- gradients ---- */

/* x's gradient's dims of more than one element, by falling strides. */
static tg_walk by_stride(const tg_node *x) {
    tg_walk w = {.ndim = 0};
    for (int i = 0; i < x->ndim; i++) {
        if (x->size[i] == 1)
            continue;
        int at = w.ndim++;
        for (; at && w.stride[at - 1] < x->gstride[i]; at--) {
            w.stride[at] = w.stride[at - 1];
            w.size[at] = w.size[at - 1];
        }
        w.stride[at] = x->gstride[i];
        w.size[at] = x->size[i];
    }
    return w;
}

/* Can the step between two elements of x be `offset`, from dim i on? When in doubt, yes. */
static bool steps_to(const tg_walk *x, int i, int64_t offset) {
    if (i == x->ndim)
        return offset == 0;
    int64_t reach = 0, stride = x->stride[i];
    for (int j = i + 1; j < x->ndim; j++)
        reach += (x->size[j] - 1) * x->stride[j];
    if (stride <= reach)
        return true;
    int64_t n = offset / stride - (offset % stride < 0); /* rounded down */
    bool found = false;
    for (int64_t e = n; e <= n + 1; e++)
        found |= e > -x->size[i] && e < x->size[i] && steps_to(x, i + 1, offset - e * stride);
    return found;
}

/* May the gradients of two inputs have an element in common? */
static bool gradients_meet(const tg_node *a, const tg_node *b) {
    if (a->gowner != b->gowner)
        return false;
    if (a->ndim != b->ndim || memcmp(a->size, b->size, sizeof a->size[0] * a->ndim) != 0 ||
        memcmp(a->gstride, b->gstride, sizeof a->gstride[0] * a->ndim) != 0)
        return true;
    tg_walk w = by_stride(a);
    return steps_to(&w, 0, b->goffset - a->goffset);
}
#endif

#ifdef real

/* ---- the plain form ---- */

/* A query, what it looks at, and a row over the keys for each of P, D and dS. */
typedef struct FN(query) {
    int64_t i; /* its number among T */
    const real *q;
    FN(tg_matrix) Q, K, V, dQ, dK, dV, dM;
    const void *mask;
    real *weight, *kept, *dscore;
    tg_rng_state *rng;
} FN(query);

/* The dot product of rows of n elements that lie x_col and y_col apart. */
static real FN(dot)(int64_t n, const real *x, ptrdiff_t x_col, const real *y, ptrdiff_t y_col) {
    if (x_col == 1 && y_col == 1)
        return FN(tg_row_dot)(n, x, y);
    real sum = 0;
    for (int64_t c = 0; c < n; c++)
        sum += x[c * x_col] * y[c * y_col];
    return sum;
}

/* to += factor x; to may be NULL */
static void FN(add_scaled)(int64_t n, real *to, ptrdiff_t to_col, real factor, const real *x, ptrdiff_t x_col) {
    for (int64_t c = 0; c < n && to; c++)
        to[c * to_col] += factor * x[c * x_col];
}

static void FN(open_batch)(const tg_attention_job *job, int64_t batch, FN(query) * r) {
    r->Q = FN(tg_attention_matrix)(job, &job->q, batch);
    r->K = FN(tg_attention_matrix)(job, &job->k, batch);
    r->V = FN(tg_attention_matrix)(job, &job->v, batch);
    r->dQ = FN(tg_attention_matrix)(job, &job->dq, batch);
    r->dK = FN(tg_attention_matrix)(job, &job->dk, batch);
    r->dV = FN(tg_attention_matrix)(job, &job->dv, batch);
    r->dM = FN(tg_attention_matrix)(job, &job->dmask, batch);
}

/* weight = the scores, -inf where the query may not look; kept = D. */
static void FN(visit)(const tg_attention_job *job, int64_t batch, int64_t i, FN(query) * r) {
    const tg_attention *a = &job->a;
    const tg_node *mask = job->y->in[3];
    const int64_t *step = job->mask.stride + job->y->ndim - 2;
    ptrdiff_t at = mask ? tg_attention_offset(job, &job->mask, batch) + i * step[0] : 0;
    if (i == 0)
        FN(open_batch)(job, batch, r);
    r->i = i;
    r->q = r->Q.data + i * r->Q.row;
    for (int64_t j = 0; j < a->S; j++) {
        bool hidden = a->causal && j > i;
        real bias = 0;
        if (mask && mask->dtype == TG_BOOL)
            hidden |= !((const bool *)mask->data)[at + j * step[1]];
        else if (mask)
            bias = ((const real *)mask->data)[at + j * step[1]];
        real product = FN(dot)(a->d, r->q, r->Q.col, r->K.data + j * r->K.row, r->K.col);
        r->weight[j] = hidden ? -INFINITY : product * (real)a->scale + bias;
        bool dropped = a->drops && (a->p == 1 || tg_rng_double(r->rng) >= 1 - a->p);
        r->kept[j] = dropped ? 0 : a->drops ? 1 / (real)(1 - a->p) : 1;
    }
}

static void FN(attend)(const tg_attention *a, FN(query) * r, real *y, real *lse) {
    real m = FN(tg_row_max)(a->S, r->weight), shift = m == -INFINITY ? 0 : m;
    FN(tg_vexp)(a->S, r->weight, r->weight, shift);
    real sum = FN(tg_row_sum)(a->S, r->weight);
    *lse = shift + M(log)(sum); /* -inf: nothing to see */
    memset(y, 0, (size_t)a->dv * sizeof *y);
    for (int64_t j = 0; j < a->S && sum != 0; j++)
        FN(add_scaled)(a->dv, y, 1, r->weight[j] / sum * r->kept[j], r->V.data + j * r->V.row, r->V.col);
}

/* Gradients that are not wanted are NULL. */
static void FN(attend_vjp)(const tg_attention_job *job, int64_t row, FN(query) * r) {
    const tg_attention *a = &job->a;
    const tg_node *y = job->y;
    const real *dy = (const real *)y->grad + row * a->dv, *out = (const real *)y->data + row * a->dv;
    real lse = ((const real *)y->saved)[row], dot = FN(dot)(a->dv, dy, 1, out, 1), scale = (real)a->scale;
    real *dq = r->dQ.data ? r->dQ.data + r->i * r->dQ.row : NULL;
    FN(tg_vexp)(a->S, r->weight, r->weight, lse == -INFINITY ? 0 : lse);
    for (int64_t j = 0; j < a->S; j++) {
        real dweight = FN(dot)(a->dv, dy, 1, r->V.data + j * r->V.row, r->V.col) * r->kept[j];
        real dscore = r->weight[j] * (dweight - dot);
        FN(add_scaled)(a->d, dq, r->dQ.col, scale * dscore, r->K.data + j * r->K.row, r->K.col);
        if (r->dK.data)
            FN(add_scaled)(a->d, r->dK.data + j * r->dK.row, r->dK.col, scale * dscore, r->q, r->Q.col);
        if (r->dV.data)
            FN(add_scaled)(a->dv, r->dV.data + j * r->dV.row, r->dV.col, r->weight[j] * r->kept[j], dy, 1);
        if (r->dM.data)
            r->dM.data[r->i * r->dM.row + j * r->dM.col] += dscore;
    }
}

/* Every query in order: forward, or its VJP. */
static tg_status FN(plain)(const tg_attention_job *job, tg_rng_state *rng, bool backward) {
    const tg_attention *a = &job->a;
    tg_node *y = job->y;
    FN(query) r = {.rng = rng};
    real few[3 * 64];
    size_t bytes = 3 * (size_t)a->S * sizeof(real);
    r.weight = bytes <= sizeof few ? few : tg_pool_get(y->tape, bytes);
    if (!r.weight)
        return y->tape->status;
    r.kept = r.weight + a->S;
    for (int64_t row = 0; row < a->batches * a->T; row++) {
        FN(visit)(job, row / a->T, row % a->T, &r);
        if (backward)
            FN(attend_vjp)(job, row, &r);
        else
            FN(attend)(a, &r, (real *)y->data + row * a->dv, (real *)y->saved + row);
    }
    if (r.weight != few)
        tg_pool_put(y->tape, r.weight, bytes);
    return TG_OK;
}

/* ---- which form ---- */

/* rng: what dropout draws from, when it drops. */
static tg_status FN(run)(const tg_attention_job *job, tg_rng_state *rng, bool backward) {
    const tg_attention *a = &job->a;
    bool small = (double)a->T * (double)a->S * (double)(a->d + a->dv) <= SMALL || !a->d || !a->dv;
    if (!tg_isa_now()->FN(kernels).tile || small)
        return FN(plain)(job, rng, backward);
    if (a->drops || a->d + a->dv >= WIDE)
        return FN(tg_attention_rows)(job, rng, backward);
    return backward ? FN(tg_attention_tiles_vjp)(job) : FN(tg_attention_tiles_forward)(job);
}

tg_status FN(tg_attention_forward)(tg_node *y) {
    tg_attention *a = y->attr;
    tg_tape *t = y->tape;
    if (!t->keep_random) {
        a->drops = a->p > 0 && t->training;
        if (a->drops)
            *tg_attention_generator(y) = t->rng;
    }
    tg_attention_job job = job_of(y);
    if (!a->drops)
        return FN(run)(&job, NULL, false);
    tg_rng_state rng = *tg_attention_generator(y);
    tg_status bad = FN(run)(&job, &rng, false);
    if (!bad && !t->keep_random)
        t->rng = rng;
    return bad;
}

/* Where the gradient of input i is to be added: as it lies, or dense in *own when it may share elements with that of
 * an earlier input, so that tasks on two threads never meet. */
static bool FN(open_gradient)(tg_attention_job *job, int i, tg_heads *d, void **own) {
    tg_node *y = job->y, *x = y->in[i];
    bool meets = false;
    for (int j = 0; j < i; j++)
        meets |= y->in[j] && tg_wants(y, j) && gradients_meet(y->in[j], x);
    tg_slot slot = tg_grad_open(y, i);
    if (!slot.data)
        return false;
    if (slot.fresh)
        memset(x->gowner->grad, 0, tg_grad_bytes(x->gowner));
    int64_t dense[TG_MAX_DIMS];
    if (meets) {
        slot.data = *own = tg_pool_get(y->tape, tg_grad_bytes(x));
        if (!slot.data)
            return false;
        memset(slot.data, 0, tg_grad_bytes(x));
        tg_dense_strides(x->ndim, x->size, dense);
        slot.stride = dense;
    }
    if (i == 3) {
        *d = mask_heads(job, slot.data, slot.stride);
        return true;
    }
    d->data = slot.data;
    memcpy(d->stride, slot.stride, sizeof d->stride[0] * x->ndim);
    return true;
}

static void FN(close_gradient)(const tg_attention_job *job, int i, void *own) {
    const tg_node *x = job->y->in[i];
    if (!own)
        return;
    tg_accumulate(REAL_DTYPE, x->ndim, x->size, tg_grad_data(x), x->gstride, own);
    tg_pool_put(job->y->tape, own, tg_grad_bytes(x));
}

tg_status FN(tg_attention_vjp)(tg_node *y) {
    tg_attention_job job = job_of(y);
    tg_heads *d[4] = {&job.dq, &job.dk, &job.dv, &job.dmask};
    void *own[4] = {0};
    bool bad = false;
    for (int i = 0; i < 4 && !bad; i++)
        bad = y->in[i] && tg_wants(y, i) && !FN(open_gradient)(&job, i, d[i], &own[i]);
    tg_rng_state rng = {.left = 1};
    if (job.a.drops)
        rng = *tg_attention_generator(y);
    if (!bad)
        bad = FN(run)(&job, &rng, true) != TG_OK;
    for (int i = 0; i < 4; i++)
        FN(close_gradient)(&job, i, own[i]);
    return bad ? y->tape->status : TG_OK;
}

#else
#define TG_SELF "kernels/attention.c"
#include "core/twice.h"
#endif
