/* Small attention: the formulas of core/kernels/attention.c for as many queries at once as a vector has lanes, with all
 * their keys, on the stack. This file prepares the operands of the kernels in simd_attention_few.h. */
#include "core/kernels/attention.h"
#include "core/kernels/isa.h"

#ifndef real
#define scratch FN(scratch)
#endif

#ifdef real

typedef struct scratch {
    real bias[TG_FEW], ds[TG_FEW + 3 * TG_LANES_MAX];
} scratch;

/* The bias of the scores of the queries from first on: the mask, -inf for hidden keys. */
static void FN(set_bias)(const tg_attention_job *job, int64_t batch, int64_t first, int64_t rows, int64_t lanes,
                         real *bias) {
    const tg_attention *a = job->a;
    ptrdiff_t at = 0, row = 0, col = 0;
    const tg_node *mask = job->mask.data ? job->y->in[3] : NULL;
    if (mask) {
        row = job->mask.stride[job->y->ndim - 2];
        col = job->mask.stride[job->y->ndim - 1];
        at = tg_attention_offset(job, &job->mask, batch) + first * row;
    }
    for (int64_t i = 0; i < lanes; i++) {
        tg_keys seen = i < rows ? tg_attention_keys(job, batch, first + i) : (tg_keys){0, 0};
        for (int64_t j = 0; j < a->S; j++) {
            real *b = bias + j * lanes + i;
            bool hidden = j < seen.from || j >= seen.end;
            *b = hidden ? -INFINITY : 0;
            if (!hidden && mask && mask->dtype != TG_BOOL)
                *b = ((const real *)job->mask.data)[at + i * row + j * col];
            else if (!hidden && mask && !((const bool *)job->mask.data)[at + i * row + j * col])
                *b = -INFINITY;
        }
    }
}

/* dmask += dS */
static void FN(add_mask_gradient)(const tg_attention_job *job, int64_t batch, int64_t first, int64_t rows,
                                  int64_t lanes, const real *ds) {
    tg_matrix d = FN(tg_attention_matrix)(job, &job->dmask, batch);
    for (int64_t i = 0; d.data && i < rows; i++)
        for (int64_t j = 0; j < job->a->S; j++)
            d.data[(first + i) * d.row + j * d.col] += ds[j * lanes + i];
}

static void FN(run_queries)(const tg_attention_job *job, tg_few *f, int64_t batch, int64_t first, scratch *memory,
                            bool backward) {
    const tg_attention *a = job->a;
    const tg_kernels *kernels = &tg_isa_now()->FN(kernels);
    int64_t row = batch * a->T + first;
    f->rows = a->T - first < kernels->lanes ? a->T - first : kernels->lanes;
    f->y = (real *)job->y->data + row * a->dv;
    f->shift = FN(tg_attention_shift)(job->y) + row;
    f->factor = FN(tg_attention_factor)(job->y) + row;
    f->dy = backward ? (const real *)job->y->grad + row * a->dv : NULL;
    if (f->bias)
        FN(set_bias)(job, batch, first, f->rows, kernels->lanes, memory->bias);
    if (backward) {
        kernels->attend_few_vjp(f);
        FN(add_mask_gradient)(job, batch, first, f->rows, kernels->lanes, memory->ds);
    } else {
        kernels->attend_few(f);
    }
    f->q = FN(tg_rows_from)(f->q, f->rows);
    f->dq = FN(tg_rows_from)(f->dq, f->rows);
}

void FN(tg_attention_few)(const tg_attention_job *job, bool backward) {
    const tg_attention *a = job->a;
    scratch memory;
    for (int64_t batch = 0; batch < a->batches; batch++) {
        tg_few f;
        f.keys = a->S;
        f.d = a->d;
        f.dv = a->dv;
        f.scale = (real)a->scale;
        f.q = FN(tg_attention_matrix)(job, &job->q, batch);
        f.k = FN(tg_attention_matrix)(job, &job->k, batch);
        f.v = FN(tg_attention_matrix)(job, &job->v, batch);
        f.dq = FN(tg_attention_matrix)(job, &job->dq, batch);
        f.dk = FN(tg_attention_matrix)(job, &job->dk, batch);
        f.dv_grad = FN(tg_attention_matrix)(job, &job->dv, batch);
        f.bias = job->mask.data || a->limited ? memory.bias : NULL;
        f.ds = memory.ds;
        for (int64_t first = 0; first < a->T; first += f.rows)
            FN(run_queries)(job, &f, batch, first, &memory, backward);
    }
}

#else
#define TG_SELF "kernels/attention_few.c"
#include "core/twice.h"
#endif
