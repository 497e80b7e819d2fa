/* cat: parts one after the other along a dim; stack: along a new one. Any dtype.
 * The gradient of each part is its piece of dy. */
#include "core/kernels/moves.h"

enum { MAX_PARTS = 255 }; /* of one node; more are joined in groups first */

typedef struct cat_attr {
    int dim;
} cat_attr;

/* The bytes of y, or of its gradient, from the beginning of a part to that of the next. */
static ptrdiff_t bytes_of(const tg_node *y, const tg_node *part) {
    int d = ((const cat_attr *)y->attr)->dim;
    if (!y->numel)
        return 0; /* the other dims may have any size */
    return (ptrdiff_t)(part->size[d] * y->stride[d]) * (ptrdiff_t)tg_dtype_size((tg_dtype)y->dtype);
}

static tg_status forward(tg_node *y) {
    char *out = y->data;
    for (int i = 0; i < y->n_in; i++) {
        const tg_node *x = y->in[i];
        tg_move_copy(tg_dtype_size((tg_dtype)y->dtype), x->ndim, x->size, out, y->stride, x->data, x->stride);
        out += bytes_of(y, x);
    }
    return TG_OK;
}

static tg_status vjp_of(tg_node *y, int i, const char *dy) {
    const tg_node *x = y->in[i];
    tg_slot slot = tg_grad_open(y, i);
    if (slot.data && slot.fresh)
        tg_move_copy(tg_dtype_size((tg_dtype)y->dtype), x->ndim, x->size, slot.data, slot.stride, dy, y->stride);
    else if (slot.data)
        tg_move_add((tg_dtype)y->dtype, x->ndim, x->size, slot.data, slot.stride, dy, y->stride);
    return slot.data ? TG_OK : tg_tape_status(y->tape);
}

static tg_status vjp(tg_node *y) {
    const char *dy = y->grad;
    for (int i = 0; i < y->n_in; i++) {
        if (tg_wants(y, i) && vjp_of(y, i, dy))
            return tg_tape_status(y->tape);
        dy += bytes_of(y, y->in[i]);
    }
    return TG_OK;
}

static void grad(const tg_node *y, tg_tensor dy, tg_tensor *dx) {
    int d = ((const cat_attr *)y->attr)->dim;
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

const tg_op tg_op_cat = {.name = "cat", .forward = TG_ANY(forward), .vjp = TG_ANY(vjp), .grad = grad, .probe = probe};

static tg_tape *tape_of(const tg_tensor *parts, int n) {
    tg_tape *t = NULL;
    for (int k = 0; parts && k < n && !t; k++)
        t = parts[k].tape;
    return t && tg_tape_status(t) == TG_OK ? t : NULL;
}

/* True for the same dtype, and the same sizes except along dim d (-1: everywhere). */
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

/* Joins at most MAX_PARTS parts that fit. */
static tg_tensor join(const tg_tensor *parts, int n, int d) {
    tg_node *in[MAX_PARTS];
    char kinds[MAX_PARTS];
    tg_tape *t = tg_open("cat", memset(kinds, '*', sizeof kinds), n, parts, in);
    if (!t)
        return TG_NULL;
    tg_shape shape = tg_shape_from(in[0]);
    for (int k = 1; k < n; k++)
        shape.size[d] = in[k]->size[d] > INT64_MAX - shape.size[d] ? INT64_MAX : shape.size[d] + in[k]->size[d];
    tg_node *y = tg_node_new(t, &tg_op_cat, n, in, &shape, (tg_dtype)in[0]->dtype, sizeof(cat_attr));
    if (!y)
        return TG_NULL;
    *(cat_attr *)y->attr = (cat_attr){d};
    return tg_record(y);
}

/* Joins any number of parts; stack gives each a new dim d first. */
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

/* PyTorch: torch.cat(parts, dim) */
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

/* PyTorch: torch.stack(parts, dim) */
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
