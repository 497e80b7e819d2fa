/* Shapes: broadcasting, strides, dims. */
#include "core/engine.h"

int64_t tg_shape_numel(const tg_shape *shape) {
    int64_t n = 1;
    bool empty = false;
    if (shape->ndim < 0 || shape->ndim > TG_MAX_DIMS)
        return -1;
    for (int i = 0; i < shape->ndim; i++) {
        if (shape->size[i] < 0)
            return -1;
        if (shape->size[i] == 0)
            empty = true;
        else if (__builtin_mul_overflow(n, shape->size[i], &n) || n > TG_MAX_ELEMENTS)
            return -1;
    }
    return empty ? 0 : n;
}

bool tg_same_shape(const tg_node *a, const tg_node *b) {
    bool same = a->ndim == b->ndim;
    for (int i = 0; i < a->ndim && same; i++)
        same = a->size[i] == b->size[i];
    return same;
}

/* Unsigned: called before tg_shape_numel refuses sizes whose product overflows. */
void tg_dense_strides(int ndim, const int64_t *size, int64_t *stride) {
    uint64_t step = 1;
    for (int i = ndim - 1; i >= 0; i--) {
        stride[i] = (int64_t)step;
        step *= size[i] ? (uint64_t)size[i] : 1;
    }
}

int64_t tg_span(const tg_node *x) {
    int64_t span = x->numel ? 1 : 0;
    for (int i = 0; i < x->ndim && x->numel; i++)
        span += (x->size[i] - 1) * x->stride[i];
    return span;
}

bool tg_is_dense(const tg_node *x, const int64_t *stride) {
    if (x->numel == 0)
        return true;
    int64_t step = 1;
    for (int i = x->ndim - 1; i >= 0; i--) {
        if (x->size[i] != 1 && stride[i] != step)
            return false;
        step *= x->size[i];
    }
    return true;
}

bool tg_broadcast(const tg_shape *a, const tg_shape *b, tg_shape *out) {
    if (a->ndim < b->ndim) {
        const tg_shape *swap = a;
        a = b;
        b = swap;
    }
    *out = *a;
    int shift = a->ndim - b->ndim;
    for (int i = 0; i < b->ndim; i++) {
        int64_t m = a->size[i + shift], n = b->size[i];
        if (m != n && m != 1 && n != 1)
            return false;
        out->size[i + shift] = m == 1 ? n : m;
    }
    return true;
}

void tg_broadcast_strides(const tg_node *x, const int64_t *stride, int ndim, const int64_t *size, int64_t *out) {
    int shift = ndim - x->ndim;
    for (int i = 0; i < ndim; i++)
        out[i] = i < shift || (x->size[i - shift] == 1 && size[i] != 1) ? 0 : stride[i - shift];
}

int tg_dim(tg_tape *t, const char *name, int dim, const tg_node *x) {
    int ndim = x->ndim ? x->ndim : 1; /* PyTorch accepts dims 0 and -1 of a scalar */
    if (dim >= -ndim && dim < ndim)
        return dim < 0 ? dim + ndim : dim;
    tg_fail(t, TG_ERR_SHAPE, "%s: dim %d is out of range for %s: it must be from %d to %d", name, dim,
            tg_node_text(x).s, -ndim, ndim - 1);
    return -1;
}

bool tg_check_reduction(tg_tape *t, const char *name, tg_reduction reduction, const tg_node *x) {
    if (reduction == TG_MEAN || reduction == TG_SUM || reduction == TG_NONE)
        return true;
    tg_fail(t, TG_ERR_ARGUMENT, "%s: reduction %d of %s: it must be TG_MEAN, TG_SUM or TG_NONE", name, (int)reduction,
            tg_node_text(x).s);
    return false;
}

bool tg_dim_mask(tg_tape *t, const char *name, tg_dims dims, const tg_node *x, uint32_t *mask) {
    *mask = 0;
    if (dims.ndim > TG_MAX_DIMS) {
        tg_fail(t, TG_ERR_ARGUMENT, "%s: %d dims are named for %s", name, dims.ndim, tg_node_text(x).s);
        return false;
    }
    if (dims.ndim < 0 || x->ndim == 0) {
        *mask = (1u << x->ndim) - 1;
        for (int i = 0; i < dims.ndim; i++)
            if (tg_dim(t, name, dims.dim[i], x) < 0)
                return false;
        return true;
    }
    for (int i = 0; i < dims.ndim; i++) {
        int d = tg_dim(t, name, dims.dim[i], x);
        if (d < 0)
            return false;
        if (*mask & 1u << d) {
            tg_fail(t, TG_ERR_SHAPE, "%s: dim %d is given twice for %s", name, d, tg_node_text(x).s);
            return false;
        }
        *mask |= 1u << d;
    }
    return true;
}

void tg_walk_input(tg_walk *w, const tg_node *y, int i) {
    int64_t stride[TG_MAX_DIMS];
    tg_broadcast_strides(y->in[i], y->in[i]->stride, y->ndim, y->size, stride);
    tg_walk_begin(w, y->ndim, y->size, stride);
}
