/* cat: parts one behind the other along a dim; stack: along a new one. Any dtype.
 * The gradient of each part is its piece of dy. */
#include "core/op.h"

#ifndef real
enum { MAX_PARTS = 255 };

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

const tg_op tg_op_cat = {
    .name = "cat", .forward = {forward, forward}, .vjp = TG_BOTH(vjp), .grad = grad, .probe = probe};

/* Look the parts up, whatever their dtype. */
static tg_tape *open_parts(const char *name, const tg_tensor *parts, int n, tg_node **in) {
    char kinds[MAX_PARTS];
    memset(kinds, '*', sizeof kinds);
    if (parts && n > 0 && n <= MAX_PARTS)
        return tg_open(name, kinds, n, parts, in);
    if (parts && n > 0)
        tg_fail(parts[0].tape, TG_ERR_ARGUMENT, "%s: %d parts are too many: at most %d at a time", name, n, MAX_PARTS);
    return NULL;
}

/* Same dtype, and same sizes except along dim d (-1: everywhere)? */
static bool parts_fit(const char *name, tg_node *const *in, int n, int d) {
    for (int k = 1; k < n; k++) {
        bool same = in[k]->dtype == in[0]->dtype && in[k]->ndim == in[0]->ndim;
        for (int i = 0; i < in[0]->ndim && same; i++)
            same = i == d || in[k]->size[i] == in[0]->size[i];
        if (same)
            continue;
        tg_fail(in[0]->tape, TG_ERR_SHAPE, "%s: part %d %s (%s) does not fit part 1 %s (%s)", name, k + 1,
                tg_node_text(in[k]).s, tg_dtype_name((tg_dtype)in[k]->dtype), tg_node_text(in[0]).s,
                tg_dtype_name((tg_dtype)in[0]->dtype));
        return false;
    }
    return true;
}

tg_tensor tg_cat(const tg_tensor *parts, int n, int dim) {
    tg_node *in[MAX_PARTS];
    tg_tensor x[MAX_PARTS];
    tg_tape *t = open_parts("cat", parts, n, in);
    int d = t ? tg_dim(t, "cat", dim, in[0]) : -1;
    if (d < 0 || !parts_fit("cat", in, n, d))
        return TG_NULL;
    if (!in[0]->ndim)
        return tg_fail_null(t, TG_ERR_SHAPE, "cat: a scalar has no dim to join along; use tg_stack");
    for (int k = 0; k < n; k++)
        x[k] = tg_contiguous(parts[k]);
    if (!open_parts("cat", x, n, in))
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
    p.block = p.outer ? y->numel / p.outer : 0;
    *(cat_plan *)y->attr = p;
    return tg_record(y);
}

tg_tensor tg_stack(const tg_tensor *parts, int n, int dim) {
    tg_node *in[MAX_PARTS];
    tg_tensor x[MAX_PARTS];
    tg_tape *t = open_parts("stack", parts, n, in);
    if (!t || !parts_fit("stack", in, n, -1))
        return TG_NULL;
    int ndim = in[0]->ndim;
    if (dim < -ndim - 1 || dim > ndim || ndim == TG_MAX_DIMS)
        return tg_fail_null(t, TG_ERR_SHAPE, "stack: dim %d for %s: it must be from %d to %d, and the rank below %d",
                            dim, tg_node_text(in[0]).s, -ndim - 1, ndim, TG_MAX_DIMS);
    for (int k = 0; k < n; k++)
        x[k] = tg_unsqueeze(parts[k], dim);
    return tg_cat(x, n, dim);
}

#endif
