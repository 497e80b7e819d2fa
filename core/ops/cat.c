/* cat: parts one behind the other along a dim; stack: along a new one. Any dtype.
 * The gradient of each part is its piece of dy. */
#include "core/op.h"

#ifndef real
enum { MAX_PARTS = 255 }; /* of one node; more are joined in groups */

/* y seen as `outer` blocks of `block` elements; a part gives each block a piece of it. */
typedef struct cat_plan {
    int64_t outer, block;
    int dim;
} cat_plan;

static int64_t piece_of(const cat_plan *p, const tg_node *part) { return p->outer ? part->numel / p->outer : 0; }

static tg_status forward(tg_node *y) {
    const cat_plan *p = y->attr;
    size_t size = tg_dtype_size((tg_dtype)y->dtype), block = (size_t)p->block * size;
    char *out = y->data;
    for (int i = 0; i < y->n_in; i++) {
        size_t piece = (size_t)piece_of(p, y->in[i]) * size;
        const char *x = y->in[i]->data;
        for (size_t o = 0; o < (size_t)p->outer; o++)
            memcpy(out + o * block, x + o * piece, piece);
        out += piece;
    }
    return TG_OK;
}
#endif

#ifdef real

static tg_status FN(vjp_of)(tg_node *y, int i, const real *dy) {
    const cat_plan *p = y->attr;
    int64_t piece = piece_of(p, y->in[i]);
    tg_slot slot = tg_grad_dense(y, i);
    real *dx = slot.data;
    if (!dx)
        return tg_tape_status(y->tape);
    tg_grad_clear(&slot);
    for (int64_t o = 0; o < p->outer; o++)
        for (int64_t j = 0; j < piece; j++)
            dx[o * piece + j] += dy[o * p->block + j];
    tg_grad_close(&slot);
    return TG_OK;
}

static tg_status FN(vjp)(tg_node *y) {
    const real *dy = y->grad;
    for (int i = 0; i < y->n_in; i++) {
        if (tg_wants(y, i) && FN(vjp_of)(y, i, dy))
            return tg_tape_status(y->tape);
        dy += piece_of(y->attr, y->in[i]);
    }
    return TG_OK;
}

#else
#define TG_SELF "ops/cat.c"
#include "core/twice.h"

static void grad(const tg_node *y, tg_tensor dy, tg_tensor *dx) {
    int d = ((const cat_plan *)y->attr)->dim;
    int64_t at = 0;
    for (int i = 0; i < y->n_in; i++) {
        int64_t end = at + y->in[i]->size[d];
        if (tg_wants(y, i))
            dx[i] = tg_slice(dy, d, at, end, 1);
        at = end;
    }
}

static tg_tensor probe(tg_tape *t, int variant) {
    tg_tensor a = tg_probe_leaf(t, TG_SHAPE(2, 3)), b = tg_probe_leaf(t, TG_SHAPE(2, 3)), c;
    switch (variant) {
    case 0: return tg_cat((tg_tensor[]){a, b}, 2, 0);
    case 1: return tg_cat((tg_tensor[]){a, tg_probe_leaf(t, TG_SHAPE(2, 1)), b}, 3, -1);
    case 2: return tg_cat((tg_tensor[]){a, a, tg_slice(b, 1, 0, 3, 2)}, 3, 1);
    case 3:
        c = tg_transpose(tg_probe_leaf(t, TG_SHAPE(2, 4, 3)), 0, 2);
        return tg_cat((tg_tensor[]){c, tg_probe_leaf(t, TG_SHAPE(3, 0, 2)), c}, 3, 1);
    case 4: return tg_stack((tg_tensor[]){a, b, a}, 3, 1);
    case 5: return tg_stack((tg_tensor[]){tg_select(tg_select(a, 0, 0), 0, 1), tg_probe_leaf(t, TG_SCALAR)}, 2, 0);
    case 6: return tg_cat(&a, 1, 0);
    default: return TG_NULL;
    }
}

const tg_op tg_op_cat = {.name = "cat", .forward = TG_ANY(forward), .vjp = TG_BOTH(vjp), .grad = grad, .probe = probe};

static tg_tape *tape_of(const tg_tensor *parts, int n) {
    tg_tape *t = NULL;
    for (int k = 0; parts && k < n && !t; k++)
        t = parts[k].tape;
    return t && tg_tape_status(t) == TG_OK ? t : NULL;
}

/* Same dtype, and same sizes except along dim d (-1: everywhere)? */
static bool fits(const tg_node *x, const tg_node *first, int d) {
    bool same = x->dtype == first->dtype && x->ndim == first->ndim;
    for (int i = 0; i < first->ndim && same; i++)
        same = i == d || x->size[i] == first->size[i];
    return same;
}

static bool parts_fit(tg_tape *t, const char *name, const tg_tensor *parts, int n, const tg_node *first, int d) {
    for (int k = 1; k < n; k++) {
        const tg_node *x = tg_open_operand(t, name, '*', k, parts[k]);
        if (x && fits(x, first, d))
            continue;
        if (x)
            tg_fail(t, TG_ERR_SHAPE, "%s: part %d %s (%s) does not fit part 1 %s (%s)", name, k + 1, tg_node_text(x).s,
                    tg_dtype_name((tg_dtype)x->dtype), tg_node_text(first).s, tg_dtype_name((tg_dtype)first->dtype));
        return false;
    }
    return true;
}

/* At most MAX_PARTS, which fit. */
static tg_tensor join(const tg_tensor *parts, int n, int d) {
    tg_tensor x[MAX_PARTS];
    tg_node *in[MAX_PARTS];
    char kinds[MAX_PARTS];
    for (int k = 0; k < n; k++)
        x[k] = tg_contiguous(parts[k]);
    tg_tape *t = tg_open("cat", memset(kinds, '*', sizeof kinds), n, x, in);
    if (!t)
        return TG_NULL;
    tg_shape shape = tg_shape_from(in[0]);
    cat_plan p = {.outer = 1, .block = 1, .dim = d};
    for (int k = 1; k < n; k++)
        shape.size[d] = in[k]->size[d] > INT64_MAX - shape.size[d] ? INT64_MAX : shape.size[d] + in[k]->size[d];
    for (int i = 0; i < d; i++)
        p.outer *= shape.size[i];
    tg_node *y = tg_node_new(t, &tg_op_cat, n, in, &shape, (tg_dtype)in[0]->dtype, sizeof p);
    if (!y)
        return TG_NULL;
    p.outer = y->numel ? p.outer : 0; /* without elements the other dims may be any size */
    p.block = p.outer ? y->numel / p.outer : 0;
    *(cat_plan *)y->attr = p;
    return tg_record(y);
}

/* Any number of parts; stack makes a new dim d of each first. */
static tg_tensor join_all(const tg_tensor *parts, int n, int d, bool stack) {
    tg_tensor x[MAX_PARTS];
    int group = (n - 1) / MAX_PARTS + 1, m = 0;
    for (int at = 0; at < n; at += group, m++)
        if (group > 1)
            x[m] = join_all(parts + at, n - at < group ? n - at : group, d, stack);
        else
            x[m] = stack ? tg_unsqueeze(parts[at], d) : parts[at];
    return join(x, m, d);
}

tg_tensor tg_cat(const tg_tensor *parts, int n, int dim) {
    tg_tape *t = tape_of(parts, n);
    const tg_node *first = t ? tg_open_operand(t, "cat", '*', 0, parts[0]) : NULL;
    int d = first ? tg_dim(t, "cat", dim, first) : -1;
    if (d < 0 || !parts_fit(t, "cat", parts, n, first, d))
        return TG_NULL;
    if (!first->ndim)
        return tg_fail_null(t, TG_ERR_SHAPE, "cat: a scalar has no dim to join along; use tg_stack");
    return join_all(parts, n, d, false);
}

tg_tensor tg_stack(const tg_tensor *parts, int n, int dim) {
    tg_tape *t = tape_of(parts, n);
    const tg_node *first = t ? tg_open_operand(t, "stack", '*', 0, parts[0]) : NULL;
    if (!first || !parts_fit(t, "stack", parts, n, first, -1))
        return TG_NULL;
    int ndim = first->ndim;
    if (dim < -ndim - 1 || dim > ndim || ndim == TG_MAX_DIMS)
        return tg_fail_null(t, TG_ERR_SHAPE, "stack: dim %d for %s: it must be from %d to %d, and the rank below %d",
                            dim, tg_node_text(first).s, -ndim - 1, ndim, TG_MAX_DIMS);
    return join_all(parts, n, dim < 0 ? dim + ndim + 1 : dim, true);
}

#endif
