/* Reductions: see core/reduce.h.
 *
 * The input's dims are taken in two groups, kept dims first, then reduced ones; walking that permutation visits
 * the elements of each result one after another. A row that lies contiguous is used in place, any other is
 * gathered first.
 */
#include "core/reduce.h"

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

/* x's dims as kept ones, then reduced ones. */
typedef struct layout {
    int ndim;
    int64_t size[TG_MAX_DIMS], stride[TG_MAX_DIMS], gstride[TG_MAX_DIMS];
    int64_t row;                  /* elements reduced to one */
    bool in_place, grad_in_place; /* rows are contiguous and follow one another */
} layout;

static bool dense(int ndim, const int64_t *size, const int64_t *stride) {
    int64_t step = 1;
    for (int i = ndim - 1; i >= 0; i--) {
        if (size[i] != 1 && stride[i] != step)
            return false;
        step *= size[i];
    }
    return true;
}

static layout layout_of(const tg_node *y) {
    const tg_node *x = y->in[0];
    uint32_t mask = ((const reduce_attr *)y->attr)->mask;
    layout l = {.row = 1};
    for (int group = 0; group < 2; group++)
        for (int i = 0; i < x->ndim; i++) {
            if ((mask >> i & 1) != (unsigned)group)
                continue;
            l.size[l.ndim] = x->size[i];
            l.stride[l.ndim] = x->stride[i];
            l.gstride[l.ndim++] = x->gstride[i];
            if (group)
                l.row *= x->size[i];
        }
    l.in_place = dense(l.ndim, l.size, l.stride);
    l.grad_in_place = dense(l.ndim, l.size, l.gstride);
    return l;
}

#define row_kernel FN(row_kernel)
#define row_vjp_kernel FN(row_vjp_kernel)
#endif

#ifdef real

typedef void row_kernel(int64_t n, real *y, const real *x, const tg_node *node);
typedef void row_vjp_kernel(int64_t n, real *dx, real dy, real y, const real *x, const tg_node *node);

static void FN(gather_row)(const real *x, tg_walk *w, int64_t n, real *out) {
    while (n > 0) {
        int64_t run = tg_walk_run(w), stride = w->stride[w->ndim - 1];
        if (run > n)
            run = n;
        for (int64_t j = 0; j < run; j++)
            out[j] = x[w->offset + j * stride];
        tg_walk_next(w, run);
        out += run;
        n -= run;
    }
}

static void FN(add_row)(real *dx, tg_walk *w, int64_t n, const real *row) {
    while (n > 0) {
        int64_t run = tg_walk_run(w), stride = w->stride[w->ndim - 1];
        if (run > n)
            run = n;
        for (int64_t j = 0; j < run; j++)
            dx[w->offset + j * stride] += row[j];
        tg_walk_next(w, run);
        row += run;
        n -= run;
    }
}

tg_status FN(tg_reduce_forward)(tg_node *y) {
    row_kernel *row = (row_kernel *)y->op->row[REAL_DTYPE];
    layout l = layout_of(y);
    const real *x = y->in[0]->data;
    size_t bytes = (size_t)l.row * sizeof(real);
    real *buffer = l.in_place ? NULL : tg_pool_get(y->tape, bytes);
    if (!l.in_place && !buffer)
        return tg_tape_status(y->tape);
    tg_walk w;
    tg_walk_begin(&w, l.ndim, l.size, l.stride);
    for (int64_t i = 0; i < y->numel; i++) {
        if (!l.in_place)
            FN(gather_row)(x, &w, l.row, buffer);
        row(l.row, (real *)y->data + i, l.in_place ? x + i * l.row : buffer, y);
    }
    tg_pool_put(y->tape, buffer, bytes);
    return TG_OK;
}

tg_status FN(tg_reduce_vjp)(tg_node *y) {
    row_vjp_kernel *row = (row_vjp_kernel *)y->op->row_vjp[REAL_DTYPE];
    layout l = layout_of(y);
    size_t bytes = (size_t)l.row * sizeof(real);
    real *buffer = tg_pool_get(y->tape, 2 * bytes);
    if (!buffer)
        return tg_tape_status(y->tape);
    tg_slot slot = tg_grad_open(y, 0);
    real *dx = slot.data, *xrow = buffer, *dxrow = buffer + l.row;
    const real *x = y->in[0]->data, *dy = y->grad, *out = y->data;
    tg_walk w, g;
    tg_walk_begin(&w, l.ndim, l.size, l.stride);
    tg_walk_begin(&g, l.ndim, l.size, l.gstride);
    bool direct = slot.fresh && l.grad_in_place;
    if (!direct)
        tg_grad_clear(&slot);
    for (int64_t i = 0; dx && i < y->numel; i++) {
        if (!l.in_place)
            FN(gather_row)(x, &w, l.row, xrow);
        row(l.row, direct ? dx + i * l.row : dxrow, dy[i], out[i], l.in_place ? x + i * l.row : xrow, y);
        if (!direct)
            FN(add_row)(dx, &g, l.row, dxrow);
    }
    tg_pool_put(y->tape, buffer, 2 * bytes);
    return dx ? TG_OK : tg_tape_status(y->tape);
}

#else
#define TG_SELF "reduce.c"
#include "core/twice.h"

/* one for each element reduced, forward and backward */
double tg_reduce_flops(const tg_node *y, int i) {
    (void)i;
    return (double)y->in[0]->numel;
}

static bool is_reduced(const tg_node *y, int dim) { return ((const reduce_attr *)y->attr)->mask >> dim & 1; }

tg_tensor tg_reduced_along(const tg_node *y, tg_tensor v) {
    tg_shape shape = tg_shape_from(y->in[0]), kept = shape;
    for (int i = 0; i < kept.ndim; i++)
        kept.size[i] = is_reduced(y, i) ? 1 : kept.size[i];
    return tg_expand(tg_reshape(v, kept), shape);
}

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
    tg_tape *t = tg_open(op->name, "f", 1, &x, &in);
    uint32_t mask;
    if (!t || !tg_dim_mask(t, op->name, dims, in, &mask))
        return TG_NULL;
    tg_shape shape = {0};
    for (int i = 0; i < in->ndim; i++)
        if (!(mask >> i & 1))
            shape.size[shape.ndim++] = in->size[i];
        else if (keepdim)
            shape.size[shape.ndim++] = 1;
    tg_node *y = tg_node_new(t, op, 1, &in, &shape, tg_tape_dtype(t), sizeof(reduce_attr));
    if (!y)
        return TG_NULL;
    *(reduce_attr *)y->attr = (reduce_attr){parameter, mask};
    return tg_record(y);
}

#endif
