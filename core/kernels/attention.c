/* Attention without a (T, S) matrix. For each query q
 *   s_j = scale q . k_j + mask_j    P_j = e^s_j / sum e^s    y = sum_j P_j D_j v_j
 *   dP_j = dy . v_j D_j             dS_j = P_j (dP_j - dy . y)
 *   dv_j += P_j D_j dy    dq += scale dS_j k_j    dk_j += scale dS_j q    dmask_j += dS_j
 * D is the dropout's mask: 0 with probability p, else 1 / (1 - p).
 *
 * Extensions (tg_attention_config):
 *   softcap    s_j = c tanh(scale q . k_j / c) + mask_j, and dS_j (1 - tanh^2) goes on to q and k
 *   alibi      mask_j - slope |i - j|
 *   sinks      sum e^s + e^sink: one more key, with value 0; dsink -= e^sink / sum (dy . y)
 *   causal, window, documents: a query sees a span of the keys, nearly the same as its neighbours'
 *   grouped queries: several heads of q share one of k and v, and add to its gradients
 *
 * saved: max s and 1 / sum e^(s - max s) for each query, from which the VJP recomputes P; and P itself where it is no
 * larger than q and y together (wide heads), since recomputing it would be a good part of the work. Dropout draws a
 * number for every weight in order, as dropout of the whole matrix would; the VJP draws the same ones from the
 * generator's earlier state.
 *
 * This file prepares operands and gradients, and chooses one of three forms for them:
 *
 *   form   when (of the conditions, the first that holds)           why
 *   rows   the instruction set has no kernels; weights are          the plain form: matrix products of a few queries
 *          dropped or kept; d or dv is 0                            with all their keys; draws in the rows' order
 *   few    S (d + dv) (T + a vector's lanes) <= TG_FEW, without    everything on the stack, without products
 *          softcap, alibi, sinks and documents
 *   rows   S (d + dv) T <= SMALL                                    too little work to lay operands out for tiles
 *   rows   d + dv >= TG_ATTENTION_WIDE                              whole rows of scores pay where softmax is a small
 *                                                                   share of the work
 *   tiles  all others                                               scores stay in the caches (FlashAttention) */
#include "core/kernels/attention.h"
#include "core/kernels/isa.h"
#include "core/kernels/rows.h"

#ifndef real
enum { SMALL = 4096, DRAWN = 256 /* numbers at a time */ };
typedef enum form { ROWS, FEW, TILES } form;

/* The strides of the mask, or of its gradient, broadcast to the scores. */
static void mask_strides(const tg_attention_job *job, const int64_t *stride, int64_t *out) {
    tg_shape scores = tg_shape_from(job->y);
    scores.size[scores.ndim - 1] = job->a->S;
    tg_broadcast_strides(job->y->in[3], stride, scores.ndim, scores.size, out);
}

static void draw_row(const tg_attention *a, tg_rng_state *rng, int64_t from, int64_t keys, bool *kept) {
    double u[DRAWN];
    for (int64_t at = 0; at < a->S; at += DRAWN) {
        int64_t n = tg_min(DRAWN, a->S - at), j = from > at ? from - at : 0, end = tg_min(n, from + keys - at);
        tg_rng_fill_f64(rng, n, u);
        for (; j < end; j++)
            kept[at + j - from] = u[j] < 1 - a->p;
    }
}

/* With p = 1 no random numbers are drawn. */
void tg_attention_draw(const tg_attention *a, tg_rng_state *rng, int64_t rows, int64_t from, int64_t keys, bool *kept) {
    if (a->p == 1)
        memset(kept, 0, (size_t)(rows * keys) * sizeof *kept);
    else
        for (int64_t i = 0; i < rows; i++)
            draw_row(a, rng, from, keys, kept + i * keys);
}

static tg_heads heads_of(const tg_node *x, int64_t group) { return (tg_heads){x->data, x->stride, group}; }

static size_t documents_size(const tg_attention_job *job) {
    return (size_t)(tg_attention_input(job->y, TG_DOCUMENTS)->numel) * sizeof(tg_keys);
}

/* Where the document of each token begins and ends: a run of equal numbers. */
static bool find_documents(tg_attention_job *job) {
    const tg_node *x = job->y->in[TG_DOCUMENTS];
    if (!x || !x->numel)
        return true;
    int64_t S = job->a->S, rows = x->ndim > 1 ? x->size[0] : 1;
    const int64_t *number = x->data, step = x->stride[x->ndim - 1];
    job->documents = tg_pool_get(job->y->tape, documents_size(job));
    job->per_row = job->a->batches / rows;
    for (int64_t row = 0; job->documents && row < rows; row++) {
        tg_keys *at = job->documents + row * S;
        const int64_t *of = number + (x->ndim > 1 ? row * x->stride[0] : 0);
        for (int64_t j = 0; j < S; j++)
            at[j].from = j && of[j * step] == of[(j - 1) * step] ? at[j - 1].from : j;
        for (int64_t j = S; j-- > 0;)
            at[j].end = j + 1 < S && at[j + 1].from == at[j].from ? at[j + 1].end : j + 1;
    }
    return job->documents;
}

static inline bool open_job(tg_attention_job *job, const tg_node *y) {
    const tg_attention *a = y->attr;
    job->y = y;
    job->a = a;
    job->q = heads_of(y->in[0], 1);
    job->k = heads_of(y->in[1], a->group);
    job->v = heads_of(y->in[2], a->group);
    job->mask.data = job->dq.data = job->dk.data = job->dv.data = job->dmask.data = NULL;
    job->documents = NULL;
    if (y->in[3]) {
        mask_strides(job, y->in[3]->stride, job->mask_stride);
        job->mask = (tg_heads){y->in[3]->data, job->mask_stride, 1};
    }
    return y->n_in == TG_ALIBI || find_documents(job);
}

bool tg_attention_open(tg_attention_job *job, const tg_node *y) { return open_job(job, y); }

void tg_attention_forget_documents(tg_attention_job *job) {
    tg_pool_put(job->y->tape, job->documents, documents_size(job));
}

/* ---- gradients ---- */

/* The dims of x's gradient with more than one element, by descending stride. */
static tg_walk by_stride(const tg_node *x) {
    tg_walk w = {.ndim = 0};
    for (int i = 0; i < x->ndim; i++) {
        if (x->size[i] == 1)
            continue;
        int at = w.ndim++;
        for (; at && w.stride[at - 1] < x->window.stride[i]; at--) {
            w.stride[at] = w.stride[at - 1];
            w.size[at] = w.size[at - 1];
        }
        w.stride[at] = x->window.stride[i];
        w.size[at] = x->size[i];
    }
    return w;
}

/* False only if no two elements of x are `offset` apart along the dims from i on. */
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

/* True when the gradients of two inputs may have an element in common. */
static bool gradients_meet(const tg_node *a, const tg_node *b) {
    if (!tg_share_grad(a, b))
        return false;
    if (a->ndim != b->ndim || memcmp(a->size, b->size, sizeof a->size[0] * a->ndim) != 0 ||
        memcmp(a->window.stride, b->window.stride, sizeof a->window.stride[0] * a->ndim) != 0)
        return true;
    tg_walk w = by_stride(a);
    return steps_to(&w, 0, b->window.offset - a->window.offset);
}
#endif

#ifdef real

/* ---- which form ---- */

static form FN(choose)(const tg_attention_job *job) {
    const tg_attention *a = job->a;
    const tg_kernels *kernels = &tg_isa_now()->FN(kernels);
    if (!kernels->tile || a->drops || a->keeps || !a->d || !a->dv)
        return ROWS;
    double products = (double)a->S * (double)(a->d + a->dv); /* of a query */
    if (products * (double)(a->T + kernels->lanes - 1) <= TG_FEW && a->softcap == 0 && job->y->n_in == TG_ALIBI)
        return FEW;
    return products * (double)a->T <= SMALL || a->d + a->dv >= TG_ATTENTION_WIDE ? ROWS : TILES;
}

/* rng: dropout's generator, NULL without dropout. */
static tg_status FN(run)(const tg_attention_job *job, tg_rng_state *rng, bool backward) {
    if (!job->a->batches) /* T may be any number then */
        return TG_OK;
    switch (FN(choose)(job)) {
    case FEW: FN(tg_attention_few)(job, backward); return TG_OK;
    case TILES: return backward ? FN(tg_attention_tiles_vjp)(job) : FN(tg_attention_tiles_forward)(job);
    default: return FN(tg_attention_rows)(job, rng, backward);
    }
}

tg_status FN(tg_attention_forward)(tg_node *y) {
    tg_attention *a = y->attr;
    tg_tape *t = y->tape;
    if (!t->modes.keep_random) {
        a->drops = a->p > 0 && t->modes.training;
        if (a->drops)
            *tg_attention_generator(y) = t->rng;
    }
    tg_attention_job job;
    if (!open_job(&job, y))
        return tg_tape_status(t);
    tg_rng_state rng;
    if (a->drops)
        rng = *tg_attention_generator(y);
    tg_status bad = FN(run)(&job, a->drops ? &rng : NULL, false);
    if (a->drops && !bad && !t->modes.keep_random)
        t->rng = rng;
    tg_attention_close(&job);
    return bad;
}

/* Where the gradient of input i is added: in place, or in a buffer when it may share elements with that of an earlier
 * input, so that two threads never add to the same element. */
static bool FN(open_gradient)(tg_attention_job *job, tg_node *y, int i, tg_heads *d, tg_slot *slot) {
    tg_node *x = y->in[i];
    bool meets = false;
    for (int j = 0; j < i; j++)
        meets |= y->in[j] && tg_wants(y, j) && gradients_meet(y->in[j], x);
    *slot = meets ? tg_grad_buffered(y, i) : tg_grad_open(y, i);
    if (!slot->data)
        return false;
    tg_grad_clear(slot);
    const int64_t *stride = slot->stride;
    if (meets) {
        tg_dense_strides(x->ndim, x->size, job->own_stride[i]);
        stride = job->own_stride[i];
    }
    if (i == 3) {
        mask_strides(job, stride, job->dmask_stride);
        stride = job->dmask_stride;
    }
    *d = (tg_heads){slot->data, stride, i == 1 || i == 2 ? job->a->group : 1};
    return true;
}

/* dsink -= e^sink / sum e^s (dy . y) of all queries of its head */
static tg_status FN(sinks_vjp)(tg_node *y) {
    const tg_attention *a = y->attr;
    const real *shift = FN(tg_attention_shift)(y), *factor = FN(tg_attention_factor)(y);
    tg_slot slot = tg_grad_dense(y, TG_SINKS);
    if (!slot.data)
        return tg_tape_status(y->tape);
    tg_grad_clear(&slot);
    for (int64_t batch = 0; batch < a->batches; batch++) {
        real sink = FN(tg_attention_number)(y, TG_SINKS, batch), sum = 0;
        for (int64_t row = batch * a->T; row < (batch + 1) * a->T && sink != -INFINITY; row++)
            sum += M(exp)(sink - shift[row]) * factor[row] *
                   FN(tg_row_dot)(a->dv, (const real *)y->grad + row * a->dv, (const real *)y->data + row * a->dv);
        ((real *)slot.data)[tg_attention_head(y, batch)] -= sum;
    }
    tg_grad_close(&slot);
    return TG_OK;
}

tg_status FN(tg_attention_vjp)(tg_node *y) {
    tg_attention_job job;
    if (!open_job(&job, y))
        return tg_tape_status(y->tape);
    tg_heads *d[4] = {&job.dq, &job.dk, &job.dv, &job.dmask};
    tg_slot slot[4] = {{0}};
    bool bad = false;
    for (int i = 0; i < 4 && !bad; i++)
        bad = y->in[i] && tg_wants(y, i) && !FN(open_gradient)(&job, y, i, d[i], &slot[i]);
    tg_rng_state rng;
    if (job.a->drops)
        rng = *tg_attention_generator(y);
    if (!bad)
        bad = FN(run)(&job, job.a->drops ? &rng : NULL, true) != TG_OK;
    for (int i = 0; i < 4; i++)
        tg_grad_close(&slot[i]);
    tg_attention_close(&job);
    if (!bad && tg_attention_input(y, TG_SINKS) && tg_wants(y, TG_SINKS))
        bad = FN(sinks_vjp)(y) != TG_OK;
    return bad ? tg_tape_status(y->tape) : TG_OK;
}

#else
#define TG_SELF "kernels/attention.c"
#include "core/twice.h"
#endif
