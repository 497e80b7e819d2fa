/* Reductions: see core/frameworks/reduce.h.
 *
 * The input's dims fall into two groups, kept dims first, then reduced ones, so that each result's elements form a row.
 * A contiguous row is used in place. Others are gathered for a block of results at once: where these are neighbours in
 * memory, as in a reduction over the first dim, whole cache lines are moved. Threads share the blocks. Where an
 * operation allows it, a long row is reduced in pieces, and then the pieces' results. */
#include "core/frameworks/reduce.h"
#include "core/frameworks/row_kernels.h"
#include "core/kernels/moves.h"
#include "core/kernels/threads.h"

#ifndef real
typedef struct reduce_attr {
    double parameter;
    uint32_t mask; /* dims reduced over */
} reduce_attr;

double tg_reduce_parameter(const tg_node *y) { return ((const reduce_attr *)y->attr)->parameter; }

void tg_reduce_strides(const tg_node *y, int64_t *stride) {
    uint32_t mask = ((const reduce_attr *)y->attr)->mask;
    int64_t step = 1;
    for (int i = y->in[0]->ndim - 1; i >= 0; i--) {
        bool reduced = mask >> i & 1;
        stride[i] = reduced ? 0 : step;
        step *= reduced ? 1 : y->in[0]->size[i];
    }
}

enum {
    GATHERED = 256 << 10, /* elements of rows gathered at once */
    MANY = 64,            /* rows gathered at once, at most */
    PIECE = 16 << 10,     /* elements of a long row's piece, and about a thread's share */
};
/* Sums over rows, of columns: */
enum {
    FEW = 16,       /* the fewest columns for this */
    COLUMNS = 1024, /* summed at a time */
    LEAF = 16,      /* rows added one by one at a leaf of the pairwise tree */
};

/* A list of x's dims. Neighbours that one stride can walk in both x and its gradient are merged. */
typedef struct group {
    int n;
    int64_t size[TG_MAX_DIMS + 1], stride[TG_MAX_DIMS + 1], gstride[TG_MAX_DIMS + 1];
    bool dense, grad_dense; /* one contiguous row */
} group;

/* The results, kept.size, are taken in blocks of `block` along the last kept dim, `steps` of them. */
typedef struct layout {
    const tg_node *y;
    group kept, reduced;
    int64_t row; /* elements reduced to one */
    int64_t block, steps, items;
} layout;

static void add_dim(group *d, int64_t size, int64_t stride, int64_t gstride) {
    int last = d->n - 1;
    if (size == 1)
        return;
    if (d->n && d->stride[last] == stride * size && d->gstride[last] == gstride * size)
        size *= d->size[last];
    else
        last = d->n++;
    d->size[last] = size;
    d->stride[last] = stride;
    d->gstride[last] = gstride;
}

/* Ensures at least one dim. */
static void end_dims(group *d) {
    if (!d->n)
        d->size[d->n++] = 1;
    d->dense = d->n == 1 && (d->size[0] == 1 || d->stride[0] == 1);
    d->grad_dense = d->n == 1 && (d->size[0] == 1 || d->gstride[0] == 1);
}

static int64_t clamp(int64_t n, int64_t low, int64_t high) { return n < low ? low : n > high ? high : n; }

static void set_blocks(layout *l, int64_t block) {
    int64_t last = l->kept.size[l->kept.n - 1];
    l->block = clamp(block, 1, last ? last : 1);
    l->steps = last ? (last - 1) / l->block + 1 : 0;
    l->items = last ? l->y->numel / last * l->steps : 0;
}

static layout layout_of(const tg_node *y) {
    const tg_node *x = y->in[0];
    uint32_t mask = ((const reduce_attr *)y->attr)->mask;
    layout l = {.y = y, .row = 1};
    for (int i = 0; i < x->ndim; i++) {
        bool reduced = mask >> i & 1;
        add_dim(reduced ? &l.reduced : &l.kept, x->size[i], x->stride[i], x->window.stride[i]);
        l.row *= reduced ? x->size[i] : 1;
    }
    end_dims(&l.kept);
    end_dims(&l.reduced);
    int64_t all = l.row ? l.row : 1;
    set_blocks(&l, l.reduced.dense ? PIECE / all + 1 : clamp(GATHERED / all, 1, MANY));
    return l;
}

/* A block: its first result, the number of results, and the offsets of the first one's row. */
typedef struct block {
    int64_t first, n;
    ptrdiff_t x, dx;
} block;

static ptrdiff_t offset_of(const group *d, const int64_t *stride, int64_t at) {
    ptrdiff_t offset = 0;
    for (int k = d->n - 1; k >= 0; at /= d->size[k--])
        offset += at % d->size[k] * stride[k];
    return offset;
}

static block block_at(const layout *l, int64_t i) {
    int64_t last = l->kept.size[l->kept.n - 1], start = i % l->steps * l->block;
    block b = {.first = i / l->steps * last + start, .n = clamp(last - start, 0, l->block)};
    b.x = offset_of(&l->kept, l->kept.stride, b.first);
    b.dx = offset_of(&l->kept, l->kept.gstride, b.first);
    return b;
}

/* A block's dims and the strides of its rows: packed, and in the tensor. */
static int block_dims(const layout *l, const block *b, bool grad, int64_t *size, int64_t *rows, int64_t *lie) {
    const group *r = &l->reduced;
    int last = l->kept.n - 1;
    size[0] = b->n;
    lie[0] = grad ? l->kept.gstride[last] : l->kept.stride[last];
    memcpy(size + 1, r->size, sizeof r->size[0] * (size_t)r->n);
    memcpy(lie + 1, grad ? r->gstride : r->stride, sizeof r->size[0] * (size_t)r->n);
    tg_dense_strides(r->n + 1, size, rows);
    return r->n + 1;
}

static void gather(const layout *l, const block *b, size_t bytes, void *rows) {
    int64_t size[TG_MAX_DIMS + 1], dense[TG_MAX_DIMS + 1], lie[TG_MAX_DIMS + 1];
    int n = block_dims(l, b, false, size, dense, lie);
    tg_move_copy(bytes, n, size, rows, dense, (const char *)l->y->in[0]->data + b->x * (ptrdiff_t)bytes, lie);
}

static void scatter(const layout *l, const block *b, const tg_slot *slot, const void *rows) {
    int64_t size[TG_MAX_DIMS + 1], dense[TG_MAX_DIMS + 1], lie[TG_MAX_DIMS + 1];
    tg_dtype dtype = (tg_dtype)l->y->dtype;
    int n = block_dims(l, b, true, size, dense, lie);
    void *to = (char *)slot->data + b->dx * (ptrdiff_t)tg_dtype_size(dtype);
    if (slot->fresh)
        tg_move_copy(tg_dtype_size(dtype), n, size, to, lie, rows, dense);
    else
        tg_move_add(dtype, n, size, to, lie, rows, dense);
}

/* One forward or VJP, for all workers; each has `each` bytes of scratch. */
typedef struct job {
    layout l;
    tg_slot slot;
    char *scratch;
    size_t each;
} job;

static tg_status run(job *j, tg_task *task) {
    const layout *l = &j->l;
    bool few = l->items < 2 || l->y->in[0]->numel < 2 * PIECE;
    int workers = few ? 1 : tg_workers();
    size_t bytes = j->each * (size_t)workers;
    j->scratch = bytes ? tg_pool_get(l->y->tape, bytes) : NULL;
    if (bytes && !j->scratch)
        return tg_tape_status(l->y->tape);
    tg_parallel(workers, l->items, task, j);
    if (bytes)
        tg_pool_put(l->y->tape, j->scratch, bytes);
    return TG_OK;
}

/* True for few elements in contiguous rows, which need no layout. */
static bool is_plain(const tg_node *y) {
    const tg_node *x = y->in[0];
    uint32_t mask = ((const reduce_attr *)y->attr)->mask, all = (1u << x->ndim) - 1;
    bool last_ones = ((mask | (mask - 1)) & all) == all; /* mask is a run of trailing dims */
    return x->contiguous && x->numel && x->numel < 2 * PIECE && last_ones;
}

#define row_kernel FN(row_kernel)
#define row_vjp_kernel FN(row_vjp_kernel)
#define pieces FN(pieces)

/* True when rows of kept elements are contiguous, so that they can be added to one another. */
static bool has_columns(const layout *l) {
    int last = l->kept.n - 1;
    return !l->reduced.dense && l->kept.size[last] >= FEW && l->kept.stride[last] == 1;
}

/* Levels of the tree over n rows, and one more. */
static int levels_of(int64_t n) {
    int levels = 1;
    for (int64_t leaves = n / LEAF + 1; leaves; leaves /= 2)
        levels++;
    return levels;
}
#endif

#ifdef real

typedef void row_kernel(int64_t n, real *y, const real *x, const tg_node *node);
typedef void row_vjp_kernel(int64_t n, real *dx, real dy, real y, const real *x, const tg_node *node);

static void FN(forward_block)(void *context, int64_t i, int worker) {
    const job *j = context;
    const layout *l = &j->l;
    const tg_node *y = l->y;
    row_kernel *row = (row_kernel *)tg_row_of(y->op, REAL_DTYPE);
    block b = block_at(l, i);
    const real *x = (const real *)y->in[0]->data + b.x;
    int64_t step = l->kept.stride[l->kept.n - 1];
    if (!l->reduced.dense) {
        void *rows = j->scratch + (size_t)worker * j->each;
        gather(l, &b, sizeof(real), rows);
        x = rows;
        step = l->row;
    }
    for (int64_t k = 0; k < b.n; k++)
        row(l->row, (real *)y->data + b.first + k, x + k * step, y);
}

/* Pieces of the rows, a result's in sequence. */
typedef struct pieces {
    const layout *l;
    int64_t each; /* row */
    real *partial;
} pieces;

static void FN(forward_pieces)(void *context, int64_t begin, int64_t end) {
    const pieces *p = context;
    const tg_node *y = p->l->y;
    row_kernel *row = (row_kernel *)tg_row_of(y->op, REAL_DTYPE);
    for (int64_t i = begin; i < end; i++) {
        int64_t at = i % p->each * PIECE;
        const real *x = (const real *)y->in[0]->data + offset_of(&p->l->kept, p->l->kept.stride, i / p->each) + at;
        row(clamp(p->l->row - at, 0, PIECE), p->partial + i, x, y);
    }
}

static tg_status FN(forward_long)(tg_node *y, const layout *l) {
    row_kernel *row = (row_kernel *)tg_row_of(y->op, REAL_DTYPE);
    pieces p = {.l = l, .each = (l->row - 1) / PIECE + 1};
    size_t bytes = (size_t)(p.each * y->numel) * sizeof(real);
    p.partial = tg_pool_get(y->tape, bytes);
    if (!p.partial)
        return tg_tape_status(y->tape);
    tg_parallel_range(p.each * y->numel, 1, FN(forward_pieces), &p);
    for (int64_t i = 0; i < y->numel; i++)
        row(p.each, (real *)y->data + i, p.partial + i * p.each, y);
    tg_pool_put(y->tape, p.partial, bytes);
    return TG_OK;
}

tg_status FN(tg_reduce_forward)(tg_node *y) {
    if (is_plain(y)) {
        row_kernel *row = (row_kernel *)tg_row_of(y->op, REAL_DTYPE);
        int64_t n = y->in[0]->numel / y->numel;
        for (int64_t i = 0; i < y->numel; i++)
            row(n, (real *)y->data + i, (const real *)y->in[0]->data + i * n, y);
        return TG_OK;
    }
    job j = {.l = layout_of(y)};
    if (y->op->by_pieces && j.l.reduced.dense && j.l.row >= 2 * PIECE)
        return FN(forward_long)(y, &j.l);
    j.each = j.l.reduced.dense ? 0 : (size_t)(j.l.block * j.l.row) * sizeof(real);
    return run(&j, FN(forward_block));
}

static void FN(add_row)(int64_t n, real *restrict dx, const real *restrict row) {
    for (int64_t i = 0; i < n; i++)
        dx[i] += row[i];
}

/* The gradient of a block's rows, written in place if it is fresh and its rows are contiguous; else into scratch, then
 * added or moved. The other half of the scratch is for gathered rows of x. */
static void FN(vjp_block)(void *context, int64_t i, int worker) {
    const job *j = context;
    const layout *l = &j->l;
    const tg_node *y = l->y;
    row_vjp_kernel *row = (row_vjp_kernel *)tg_row_vjp_of(y->op, REAL_DTYPE);
    block b = block_at(l, i);
    int last = l->kept.n - 1;
    real *scratch = (real *)(void *)(j->scratch + (size_t)worker * j->each), *to = (real *)j->slot.data + b.dx;
    const real *x = (const real *)y->in[0]->data + b.x, *dy = (const real *)y->grad + b.first;
    int64_t step = l->kept.stride[last], out_step = l->kept.gstride[last];
    if (!l->reduced.dense) {
        gather(l, &b, sizeof(real), scratch + l->block * l->row);
        x = scratch + l->block * l->row;
        step = l->row;
    }
    for (int64_t k = 0; k < b.n; k++) {
        real *out = l->reduced.grad_dense && j->slot.fresh ? to + k * out_step : scratch + k * l->row;
        row(l->row, out, dy[k], ((const real *)y->data)[b.first + k], x + k * step, y);
        if (l->reduced.grad_dense && !j->slot.fresh)
            FN(add_row)(l->row, to + k * out_step, out);
    }
    if (!l->reduced.grad_dense)
        scatter(l, &b, &j->slot, scratch);
}

static void FN(vjp_plain)(const tg_node *y, real *dx) {
    row_vjp_kernel *row = (row_vjp_kernel *)tg_row_vjp_of(y->op, REAL_DTYPE);
    const real *x = y->in[0]->data, *dy = y->grad, *out = y->data;
    int64_t n = y->in[0]->numel / y->numel;
    for (int64_t i = 0; i < y->numel; i++)
        row(n, dx + i * n, dy[i], out[i], x + i * n, y);
}

tg_status FN(tg_reduce_vjp)(tg_node *y) {
    tg_slot slot = tg_grad_open(y, 0);
    if (!slot.data)
        return tg_tape_status(y->tape);
    if (is_plain(y) && slot.fresh && slot.contiguous) {
        FN(vjp_plain)(y, slot.data);
        return TG_OK;
    }
    job j = {.l = layout_of(y), .slot = slot};
    bool in_place = j.l.reduced.dense && j.l.reduced.grad_dense && j.slot.fresh;
    j.each = in_place ? 0 : 2 * (size_t)(j.l.block * j.l.row) * sizeof(real);
    return run(&j, FN(vjp_block));
}

/* ---- sums ---- */

/* out = the sum of n rows of m elements, in order; n > 0 */
static void FN(add_rows)(int n, int64_t m, real *restrict out, const real *const *row) {
    int i = 1;
    memcpy(out, row[0], (size_t)m * sizeof(real));
    for (; i + 4 <= n; i += 4) {
        const real *a = row[i], *b = row[i + 1], *c = row[i + 2], *d = row[i + 3];
        for (int64_t j = 0; j < m; j++)
            out[j] = out[j] + a[j] + b[j] + c[j] + d[j];
    }
    for (; i < n; i++)
        FN(add_row)(m, out, row[i]);
}

/* out = the sum of the n rows of m elements along w, pairwise over leaves of LEAF rows: where bit k of the number of
 * leaves is set, row k of `levels` is the sum of 2^k of them. */
static void FN(sum_rows)(int64_t n, int64_t m, real *out, const real *x, tg_walk *w, real *levels) {
    int64_t leaves = 0;
    int k;
    for (int64_t at = 0; at < n; at += LEAF, leaves++) {
        const real *row[LEAF];
        int some = n - at < LEAF ? (int)(n - at) : LEAF;
        for (int i = 0; i < some; i++, tg_walk_next(w, 1))
            row[i] = x + w->offset;
        for (k = 0; leaves >> k & 1; k++)
            ;
        FN(add_rows)(some, m, levels + k * m, row);
        for (int low = 0; low < k; low++)
            FN(add_row)(m, levels + k * m, levels + low * m);
    }
    memset(out, 0, (size_t)m * sizeof(real));
    for (k = 0; leaves >> k; k++)
        if (leaves >> k & 1)
            FN(add_row)(m, out, levels + k * m);
}

static void FN(sum_block)(void *context, int64_t i, int worker) {
    const job *j = context;
    const layout *l = &j->l;
    block b = block_at(l, i);
    tg_walk w;
    tg_walk_begin(&w, l->reduced.n, l->reduced.size, l->reduced.stride);
    FN(sum_rows)
    (l->row, b.n, (real *)l->y->data + b.first, (const real *)l->y->in[0]->data + b.x, &w,
     (real *)(void *)(j->scratch + (size_t)worker * j->each));
}

tg_status FN(tg_sum_forward)(tg_node *y) {
    if (is_plain(y))
        return FN(tg_reduce_forward)(y);
    job j = {.l = layout_of(y)};
    if (!has_columns(&j.l))
        return FN(tg_reduce_forward)(y);
    set_blocks(&j.l, COLUMNS);
    j.each = (size_t)(levels_of(j.l.row) * j.l.block) * sizeof(real);
    return run(&j, FN(sum_block));
}

/* dx = or += dy, of y's shape, repeated along the dims reduced over */
static tg_status FN(spread)(tg_node *y, const real *dy) {
    const tg_node *x = y->in[0];
    int64_t stride[TG_MAX_DIMS];
    tg_slot slot = tg_grad_open(y, 0);
    tg_reduce_strides(y, stride);
    if (slot.data && slot.fresh)
        tg_move_copy(sizeof(real), x->ndim, x->size, slot.data, slot.stride, dy, stride);
    else if (slot.data)
        tg_move_add(REAL_DTYPE, x->ndim, x->size, slot.data, slot.stride, dy, stride);
    return slot.data ? TG_OK : tg_tape_status(y->tape);
}

tg_status FN(tg_sum_vjp)(tg_node *y, real divisor) {
    if (divisor == 1)
        return FN(spread)(y, y->grad);
    size_t bytes = (size_t)y->numel * sizeof(real);
    real *share = tg_pool_get(y->tape, bytes);
    if (!share)
        return tg_tape_status(y->tape);
    for (int64_t i = 0; i < y->numel; i++)
        share[i] = ((const real *)y->grad)[i] / divisor;
    tg_status status = FN(spread)(y, share);
    tg_pool_put(y->tape, share, bytes);
    return status;
}

#else
#define TG_SELF "frameworks/reduce.c"
#include "core/twice.h"

/* one per element reduced, forward and backward */
double tg_reduce_flops(const tg_node *y, int i) {
    (void)i;
    return (double)y->in[0]->numel;
}

static bool is_reduced(const tg_node *y, int dim) { return ((const reduce_attr *)y->attr)->mask >> dim & 1; }

tg_dims tg_reduced_dims(const tg_node *y) {
    tg_dims dims = {.ndim = 0};
    for (int i = 0; i < y->in[0]->ndim; i++)
        if (is_reduced(y, i))
            dims.dim[dims.ndim++] = i;
    return dims;
}

double tg_reduced_count(const tg_node *y) {
    double n = 1;
    for (int i = 0; i < y->in[0]->ndim; i++)
        n *= is_reduced(y, i) ? (double)y->in[0]->size[i] : 1;
    return n;
}

tg_tensor tg_reduce(const tg_op *op, tg_tensor x, tg_dims dims, bool keepdim, double parameter) {
    tg_node *in;
    tg_tape *t = tg_open(op->name, op->makes_bool ? "b" : "f", 1, &x, &in);
    uint32_t mask;
    if (!t || !tg_dim_mask(t, op->name, dims, in, &mask))
        return TG_NULL;
    tg_shape shape = {0};
    for (int i = 0; i < in->ndim; i++)
        if (!(mask >> i & 1))
            shape.size[shape.ndim++] = in->size[i];
        else if (keepdim)
            shape.size[shape.ndim++] = 1;
    tg_node *y = tg_node_new(t, op, 1, &in, &shape, (tg_dtype)in->dtype, sizeof(reduce_attr));
    if (!y)
        return TG_NULL;
    *(reduce_attr *)y->attr = (reduce_attr){parameter, mask};
    return tg_record(y);
}

#endif
