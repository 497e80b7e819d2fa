/* argsort: the indices that sort x along a dim, stable; a NaN counts as larger than any number. No gradient.
 * sort, topk, max_dim, min_dim: the elements at those indices, by tg_gather: their gradient goes back to where they
 * came from.
 */
#include "core/op.h"

#ifndef real
typedef struct sort_attr {
    int dim;
    bool descending;
} sort_attr;
#endif

#ifdef real

/* Does a come strictly before b? */
static inline bool FN(before)(real a, real b, bool descending) {
    return descending ? a > b || (isnan(a) && !isnan(b)) : a < b || (!isnan(a) && isnan(b));
}

/* Merge the sorted runs [0, middle) and [middle, n) of indices from `in` into `out`. */
static void FN(merge)(int64_t n, int64_t middle, const int64_t *in, int64_t *out, const real *x, bool descending) {
    int64_t a = 0, b = middle;
    for (int64_t j = 0; j < n; j++)
        if (a < middle && (b >= n || !FN(before)(x[in[b]], x[in[a]], descending)))
            out[j] = in[a++];
        else
            out[j] = in[b++];
}

/* The indices that sort the row x, into `to`; spare has room for as many. */
static void FN(sort_row)(int64_t n, int64_t *to, int64_t *spare, const real *x, bool descending) {
    for (int64_t j = 0; j < n; j++)
        to[j] = j;
    int64_t *from = to, *next = spare;
    for (int64_t run = 1; run < n; run *= 2) {
        for (int64_t at = 0; at < n; at += 2 * run) {
            int64_t length = n - at < 2 * run ? n - at : 2 * run;
            FN(merge)(length, run < length ? run : length, from + at, next + at, x, descending);
        }
        int64_t *swap = from;
        from = next;
        next = swap;
    }
    if (from != to)
        memcpy(to, from, (size_t)n * sizeof *to);
}

/* A row is gathered, sorted, and its indices are put along the dim. */
static tg_status FN(forward)(tg_node *y) {
    const tg_node *x = y->in[0];
    const sort_attr *a = y->attr;
    int64_t n = x->ndim ? x->size[a->dim] : 1, size[TG_MAX_DIMS];
    int64_t from_step = x->ndim ? x->stride[a->dim] : 1, to_step = x->ndim ? y->stride[a->dim] : 1;
    size_t bytes = (size_t)n * (2 * sizeof(int64_t) + sizeof(real));
    int64_t *order = tg_pool_get(y->tape, bytes), *spare = order + n;
    if (!order)
        return tg_tape_status(y->tape);
    real *row = (real *)(spare + n);
    for (int i = 0; i < x->ndim; i++)
        size[i] = i == a->dim ? 1 : x->size[i];
    tg_walk from, to;
    tg_walk_begin(&from, x->ndim, size, x->stride);
    tg_walk_begin(&to, x->ndim, size, y->stride);
    for (int64_t r = 0; n && r < y->numel / n; r++, tg_walk_next(&from, 1), tg_walk_next(&to, 1)) {
        for (int64_t j = 0; j < n; j++)
            row[j] = ((const real *)x->data)[from.offset + j * from_step];
        FN(sort_row)(n, order, spare, row, a->descending);
        for (int64_t j = 0; j < n; j++)
            ((int64_t *)y->data)[to.offset + j * to_step] = order[j];
    }
    tg_pool_put(y->tape, order, bytes);
    return TG_OK;
}

#else
#define TG_SELF "ops/sort.c"
#include "core/twice.h"

static tg_tensor probe(tg_tape *t, int variant) {
    switch (variant) {
    case 0: return tg_argsort(tg_probe_leaf(t, TG_SHAPE(2, 5)), -1, false);
    case 1: return tg_argsort(tg_transpose(tg_probe_leaf(t, TG_SHAPE(2, 7, 3)), 0, 2), 1, true);
    case 2: return tg_argsort(tg_probe_leaf(t, TG_SCALAR), 0, false);
    case 3: return tg_argsort(tg_probe_leaf(t, TG_SHAPE(3, 0)), 1, false);
    default: return TG_NULL;
    }
}

const tg_op tg_op_argsort = {.name = "argsort", .forward = TG_BOTH(forward), .no_gradient = true, .probe = probe};

/* name: the function that was called, for errors */
static tg_tensor argsort(const char *name, tg_tensor x, int dim, bool descending) {
    tg_node *in;
    tg_tape *t = tg_open(name, "f", 1, &x, &in);
    int d = t ? tg_dim(t, name, dim, in) : -1;
    if (d < 0)
        return TG_NULL;
    tg_shape shape = tg_shape_from(in);
    tg_node *y = tg_node_new(t, &tg_op_argsort, 1, &in, &shape, TG_I64, sizeof(sort_attr));
    if (!y)
        return TG_NULL;
    *(sort_attr *)y->attr = (sort_attr){d, descending};
    return tg_record(y);
}

/* PyTorch: x.argsort(dim=dim, descending=descending, stable=True) */
tg_tensor tg_argsort(tg_tensor x, int dim, bool descending) { return argsort("argsort", x, dim, descending); }

/* The elements of x at these indices; the indices for the caller too. */
static tg_tensor pick(tg_tensor x, int dim, tg_tensor i, tg_tensor *index) {
    if (index)
        *index = i;
    return tg_gather(x, dim, i);
}

/* PyTorch: x.sort(dim, descending).values */
tg_tensor tg_sort(tg_tensor x, int dim, bool descending, tg_tensor *index) {
    return pick(x, dim, argsort("sort", x, dim, descending), index);
}

/* PyTorch: x.topk(k, dim, largest).values */
tg_tensor tg_topk(tg_tensor x, int64_t k, int dim, bool largest, tg_tensor *index) {
    tg_tensor order = argsort("topk", x, dim, largest);
    if (!tg_is_null(order) && (k < 0 || k > (tg_ndim(x) ? tg_size(x, dim) : 1)))
        tg_fail(x.tape, TG_ERR_ARGUMENT, "topk: k = %lld is not in 0 .. the size of dim %d of %s", (long long)k, dim,
                tg_describe(x).s);
    return pick(x, dim, tg_ndim(x) ? tg_slice(order, dim, 0, k, 1) : order, index);
}

static tg_tensor extreme(const char *name, tg_tensor x, int dim, bool keepdim, bool largest, tg_tensor *index) {
    tg_node *in;
    tg_tape *t = tg_open(name, "f", 1, &x, &in);
    int d = t ? tg_dim(t, name, dim, in) : -1;
    if (d >= 0 && in->ndim && in->size[d] == 0)
        tg_fail(t, TG_ERR_SHAPE, "%s: %s has nothing along dim %d to choose from", name, tg_node_text(in).s, d);
    tg_tensor i = largest ? tg_argmax(x, dim, true) : tg_argmin(x, dim, true), y = tg_gather(x, dim, i);
    if (index)
        *index = keepdim ? i : tg_squeeze(i, dim);
    return keepdim ? y : tg_squeeze(y, dim);
}

/* PyTorch: x.max(dim, keepdim).values */
tg_tensor tg_max_dim(tg_tensor x, int dim, bool keepdim, tg_tensor *index) {
    return extreme("max_dim", x, dim, keepdim, true, index);
}
/* PyTorch: x.min(dim, keepdim).values */
tg_tensor tg_min_dim(tg_tensor x, int dim, bool keepdim, tg_tensor *index) {
    return extreme("min_dim", x, dim, keepdim, false, index);
}

#endif
