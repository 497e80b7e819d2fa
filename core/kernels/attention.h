/* Scaled dot-product attention: attributes and kernels of core/ops/attention.c.
 *
 * core/kernels/attention.c has the formulas and chooses the form: attention_rows.c, attention_few.c or
 * attention_tiles.c. */
#ifndef TAPEGRAD_ATTENTION_H
#define TAPEGRAD_ATTENTION_H

#include "core/kernels/isa.h"

/* The node's inputs: q (..., T, d), k (..., S, d), v (..., S, dv), any strides; NULL or a mask that broadcasts to (...,
 * T, S), TG_BOOL or floating; and, if any of them is given, TG_ALIBI (heads), TG_SINKS (heads) and TG_DOCUMENTS, (S) or
 * (q's first size, S). */
enum { TG_ALIBI = 4, TG_SINKS, TG_DOCUMENTS, TG_ATTENTION_INPUTS };

typedef struct tg_attention {
    int64_t batches, T, S, d, dv; /* batches: of q; k and v have batches / group */
    int64_t group;                /* heads of q for each of k and v */
    int64_t offset, window;       /* of the first query among the keys; window 0: none */
    double scale, softcap, p;     /* softcap 0: none; p: dropout's */
    bool causal, limited;         /* limited: causal, window or documents hide keys */
    bool drops;                   /* whether the last forward dropped weights */
    bool keeps; /* P is saved for the VJP, in y->saved after the two numbers per query, in the order of the row form */
} tg_attention;

static inline const tg_node *tg_attention_input(const tg_node *y, int i) { return i < y->n_in ? y->in[i] : NULL; }

/* d + dv from which whole rows of scores are faster than tiles. */
enum { TG_ATTENTION_WIDE = 768 };

/* Stored after the attributes when p > 0: the generator as it was before the last forward. */
static inline tg_rng_state *tg_attention_generator(const tg_node *y) {
    return (tg_rng_state *)(void *)((tg_attention *)y->attr + 1);
}

tg_kernel tg_attention_forward_f32, tg_attention_forward_f64, tg_attention_vjp_f32, tg_attention_vjp_f64;

/* ---- between the kernels' files ---- */

/* A tensor's or a gradient's elements and the strides of batches, rows and columns, 0 where the mask broadcasts. data:
 * NULL when it is absent or not wanted. */
typedef struct tg_heads {
    void *data;
    const int64_t *stride;
    int64_t group; /* how many heads of q share one */
} tg_heads;

/* Keys `from` .. `end` - 1. */
typedef struct tg_keys {
    int64_t from, end;
} tg_keys;

typedef struct tg_attention_job {
    const tg_node *y;
    const tg_attention *a;
    tg_heads q, k, v, mask, dq, dk, dv, dmask;
    tg_keys *documents; /* of each token, row by row of TG_DOCUMENTS; or NULL */
    int64_t per_row;    /* batches for each of these rows */
    int64_t mask_stride[TG_MAX_DIMS], dmask_stride[TG_MAX_DIMS], own_stride[4][TG_MAX_DIMS]; /* where needed */
} tg_attention_job;

/* The keys that query i sees under causal and window. Both ends rise with i. */
static inline tg_keys tg_attention_near(const tg_attention *a, int64_t i) {
    int64_t at = i + a->offset;
    tg_keys s = {0, a->S};
    if (a->causal)
        s.end = tg_min(at + 1, a->S);
    if (a->window) {
        s.end = tg_min(at + a->window, s.end);
        s.from = at < a->window ? 0 : tg_min(at - a->window + 1, a->S);
    }
    return s;
}

/* The same within the query's document. */
static inline tg_keys tg_attention_keys(const tg_attention_job *job, int64_t batch, int64_t i) {
    tg_keys s = tg_attention_near(job->a, i);
    if (job->documents) {
        tg_keys document = job->documents[batch / job->per_row * job->a->S + i + job->a->offset];
        s.from = s.from > document.from ? s.from : document.from;
        s.end = s.end < document.end ? s.end : document.end;
    }
    return s;
}

/* Opens the operands; gradients stay NULL. False after tg_fail. */
bool tg_attention_open(tg_attention_job *job, const tg_node *y);
void tg_attention_forget_documents(tg_attention_job *job);
static inline void tg_attention_close(tg_attention_job *job) {
    if (job->documents)
        tg_attention_forget_documents(job);
}

static inline int64_t tg_attention_head(const tg_node *y, int64_t batch) {
    return y->ndim > 2 ? batch % y->size[y->ndim - 3] : 0;
}

/* Dropout's choices for the next `rows` queries, `keys` each: whether the weight of key from + j is kept. Numbers are
 * drawn for all keys, hidden ones too. */
void tg_attention_draw(const tg_attention *a, tg_rng_state *rng, int64_t rows, int64_t from, int64_t keys, bool *kept);

/* The offset of a batch, in elements. */
static inline ptrdiff_t tg_attention_offset(const tg_attention_job *job, const tg_heads *x, int64_t batch) {
    const tg_node *y = job->y;
    ptrdiff_t offset = 0;
    int64_t group = x->group;
    for (int i = y->ndim - 3; i >= 0; i--) {
        offset += batch % y->size[i] / group * x->stride[i];
        batch /= y->size[i];
        group = 1;
    }
    return offset;
}

#define TG_SELF "kernels/attention_matrix.h"
#include "core/twice.h"

#endif
