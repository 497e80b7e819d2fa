/* argsort: the indices that sort x along a dim, stable; a NaN counts as larger than any number. No gradient.
 * sort, topk: the elements at those indices; max_dim, min_dim: at those of argmax, argmin. All by tg_gather, and so are
 * their gradients.
 *
 * A number's bits, all inverted when it is negative, else with the sign bit set, are an unsigned integer in the same
 * order. Long rows of these are sorted byte by byte from the lowest (LSD radix sort), others by merging; the first few
 * of many are found in one pass. */
#include "core/kernels/threads.h"
#include "core/op.h"

#ifndef real
typedef struct sort_attr {
    int dim;
    bool descending;
    int64_t k; /* results, from the first */
} sort_attr;

typedef uint32_t key_f32;
typedef uint64_t key_f64;

/* FEW: at most this many are selected in one pass. RUN: elements sorted by insertion. MERGED: at most this many by
 * merging. SHARE: elements that one thread takes at a time. */
enum { FEW = 48, RUN = 8, MERGED = 512, BYTE = 256, SHARE = 4 << 10 };

/* Rows of x along the dim, and of results; scratch of `each` bytes per worker. */
typedef struct job {
    const tg_node *y;
    int64_t n, rows, together; /* together: rows of a task */
    int64_t size[TG_MAX_DIMS];
    char *scratch;
    size_t each;
} job;
#endif

#ifdef real
#define key FN(key)
#define item FN(item)

typedef struct item {
    key key;
    int64_t index;
} item;

/* -0 equals 0, and all NaNs are equal. */
static key FN(key_of)(real x, bool descending) {
    key bits, sign = (key)1 << (8 * sizeof(key) - 1);
    x += 0;
    memcpy(&bits, &x, sizeof bits);
    bits = isnan(x) ? (key)-1 : bits & sign ? ~bits : bits | sign;
    return descending ? ~bits : bits;
}

/* Insert a after those of the n items that precede or equal it. */
static void FN(insert)(int64_t n, item *items, item a) {
    for (; n && a.key < items[n - 1].key; n--)
        items[n] = items[n - 1];
    items[n] = a;
}

/* Sorts by the byte at `shift`, into `to`; false when all have the same byte. */
static bool FN(sort_by_byte)(int64_t n, const item *items, item *to, unsigned shift) {
    int64_t start[BYTE] = {0}, sum = 0;
    for (int64_t j = 0; j < n; j++)
        start[items[j].key >> shift & (BYTE - 1)]++;
    if (start[items[0].key >> shift & (BYTE - 1)] == n)
        return false;
    for (int b = 0; b < BYTE; b++) {
        int64_t count = start[b];
        start[b] = sum;
        sum += count;
    }
    for (int64_t j = 0; j < n; j++)
        to[start[items[j].key >> shift & (BYTE - 1)]++] = items[j];
    return true;
}

/* Merges two sorted rows; among equal items those of a come first. */
static void FN(merge)(int64_t n_a, const item *a, int64_t n_b, const item *b, item *to) {
    const item *end_a = a + n_a, *end_b = b + n_b;
    while (a < end_a && b < end_b)
        *to++ = b->key < a->key ? *b++ : *a++;
    memcpy(to, a, (size_t)(end_a - a) * sizeof *a);
    memcpy(to + (end_a - a), b, (size_t)(end_b - b) * sizeof *b);
}

/* Sorts the items into `items` or `spare`, and returns that array. */
static item *FN(sort_by_merging)(int64_t n, item *items, item *spare) {
    for (int64_t at = 0; at < n; at += RUN)
        for (int64_t j = at + 1; j < n && j < at + RUN; j++)
            FN(insert)(j - at, items + at, items[j]);
    for (int64_t width = RUN; width < n; width *= 2) {
        for (int64_t at = 0; at < n; at += 2 * width) {
            int64_t left = n - at < width ? n - at : width, right = n - at - left < width ? n - at - left : width;
            FN(merge)(left, items + at, right, items + at + left, spare + at);
        }
        item *swap = items;
        items = spare;
        spare = swap;
    }
    return items;
}

static item *FN(sort_items)(int64_t n, item *items, item *spare) {
    if (n <= MERGED)
        return FN(sort_by_merging)(n, items, spare);
    for (unsigned shift = 0; shift < 8 * sizeof(key); shift += 8)
        if (FN(sort_by_byte)(n, items, spare, shift)) {
            item *swap = items;
            items = spare;
            spare = swap;
        }
    return items;
}

static item FN(item_at)(const real *x, int64_t step, int64_t j, bool descending) {
    return (item){FN(key_of)(x[j * step], descending), j};
}

/* The first k of n in sorted order, into items. */
static void FN(pick_first)(int64_t n, int64_t k, item *items, const real *x, int64_t step, bool descending) {
    for (int64_t j = 0; j < n; j++) {
        item a = FN(item_at)(x, step, j, descending);
        if (j < k)
            FN(insert)(j, items, a);
        else if (a.key < items[k - 1].key)
            FN(insert)(k - 1, items, a);
    }
}

static void FN(sort_row)(const job *r, item *items, const real *x, int64_t step, int64_t *out, int64_t out_step) {
    const sort_attr *a = r->y->attr;
    if (a->k <= FEW && a->k <= r->n / 8) {
        FN(pick_first)(r->n, a->k, items, x, step, a->descending);
    } else {
        for (int64_t j = 0; j < r->n; j++)
            items[j] = FN(item_at)(x, step, j, a->descending);
        items = FN(sort_items)(r->n, items, items + r->n);
    }
    for (int64_t j = 0; j < a->k; j++)
        out[j * out_step] = items[j].index;
}

static void FN(sort_rows)(void *context, int64_t task, int worker) {
    const job *r = context;
    const tg_node *y = r->y, *x = y->in[0];
    int dim = ((const sort_attr *)y->attr)->dim;
    int64_t from_step = x->ndim ? x->stride[dim] : 1, to_step = x->ndim ? y->stride[dim] : 1;
    tg_walk from, to;
    tg_walk_begin(&from, x->ndim, r->size, x->stride);
    tg_walk_begin(&to, x->ndim, r->size, y->stride);
    tg_walk_seek(&from, task * r->together);
    tg_walk_seek(&to, task * r->together);
    for (int64_t i = task * r->together; i < r->rows && i < (task + 1) * r->together; i++) {
        FN(sort_row)
        (r, (item *)(void *)(r->scratch + (size_t)worker * r->each), (const real *)x->data + from.offset, from_step,
         (int64_t *)y->data + to.offset, to_step);
        tg_walk_next(&from, 1);
        tg_walk_next(&to, 1);
    }
}

static tg_status FN(forward)(tg_node *y) {
    const tg_node *x = y->in[0];
    const sort_attr *a = y->attr;
    if (!y->numel)
        return TG_OK;
    job r = {.y = y, .n = x->ndim ? x->size[a->dim] : 1};
    int workers = x->numel < 2 * SHARE ? 1 : tg_workers();
    r.rows = x->numel / r.n;
    r.together = SHARE / r.n + 1;
    r.each = 2 * (size_t)r.n * sizeof(item);
    r.scratch = tg_pool_get(y->tape, r.each * (size_t)workers);
    if (!r.scratch)
        return tg_tape_status(y->tape);
    for (int i = 0; i < x->ndim; i++)
        r.size[i] = i == a->dim ? 1 : x->size[i];
    tg_parallel(workers, (r.rows - 1) / r.together + 1, FN(sort_rows), &r);
    tg_pool_put(y->tape, r.scratch, r.each * (size_t)workers);
    return TG_OK;
}
#undef key
#undef item

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

/* name: the public function, for errors. k: the number of results; NULL: all. */
static tg_tensor argsort(const char *name, tg_tensor x, int dim, bool descending, const int64_t *k) {
    tg_node *in;
    tg_tape *t = tg_open(name, "f", 1, &x, &in);
    int d = t ? tg_dim(t, name, dim, in) : -1;
    if (d < 0)
        return TG_NULL;
    tg_shape shape = tg_shape_from(in);
    int64_t n = in->ndim ? in->size[d] : 1;
    if (k && (*k < 0 || *k > n))
        return tg_fail_null(t, TG_ERR_ARGUMENT, "%s: k = %lld is not in 0 .. the size of dim %d of %s", name,
                            (long long)*k, dim, tg_node_text(in).s);
    if (k && in->ndim)
        n = shape.size[d] = *k;
    tg_node *y = tg_node_new(t, &tg_op_argsort, 1, &in, &shape, TG_I64, sizeof(sort_attr));
    if (!y)
        return TG_NULL;
    *(sort_attr *)y->attr = (sort_attr){d, descending, n};
    return tg_record(y);
}

/* PyTorch: x.argsort(dim=dim, descending=descending, stable=True) */
tg_tensor tg_argsort(tg_tensor x, int dim, bool descending) { return argsort("argsort", x, dim, descending, NULL); }

/* The elements of x at these indices, which are returned too. */
static tg_tensor pick(tg_tensor x, int dim, tg_tensor i, tg_tensor *index) {
    if (index)
        *index = i;
    return tg_gather(x, dim, i);
}

/* PyTorch: x.sort(dim, descending).values */
tg_tensor tg_sort(tg_tensor x, int dim, bool descending, tg_tensor *index) {
    return pick(x, dim, argsort("sort", x, dim, descending, NULL), index);
}

/* PyTorch: x.topk(k, dim, largest).values */
tg_tensor tg_topk(tg_tensor x, int64_t k, int dim, bool largest, tg_tensor *index) {
    return pick(x, dim, argsort("topk", x, dim, largest, &k), index);
}

static tg_tensor extreme(const char *name, tg_tensor x, int dim, bool keepdim, bool largest, tg_tensor *index) {
    tg_node *in;
    tg_tape *t = tg_open(name, "f", 1, &x, &in);
    int d = t ? tg_dim(t, name, dim, in) : -1;
    if (d >= 0 && in->ndim && in->size[d] == 0)
        tg_fail(t, TG_ERR_SHAPE, "%s: %s has no elements along dim %d", name, tg_node_text(in).s, d);
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
