/* Elementwise operations: everything but the arithmetic.
 *
 * The output is contiguous; it is produced in chunks. An input that lies as the output does is read where it is;
 * any other (broadcast, transposed, sliced, bool) is first gathered into a chunk on the stack, so row kernels see
 * contiguous reals only. In the VJP a row kernel computes the contribution to one input's gradient. It is written
 * straight into a gradient that lies as the output and is new; otherwise into a chunk that is then added, along
 * strides of 0 where the input was broadcast. That is the one place where broadcasting is undone. Large results are
 * shared among threads, except where broadcasting is undone: there several elements meet in one.
 */
#include "core/kernels/isa.h"
#include "core/kernels/threads.h"

#ifndef real
enum { CHUNK = TG_ROW_MAX, MAX_INPUTS = 3, SHARE = 16 << 10 }; /* SHARE: elements that one thread takes at a time */
enum { ALL_INPUTS = TG_IN(0) | TG_IN(1) | TG_IN(2), MAX_BLOCKS = 64 };

static void share(const tg_node *y, bool may_share, tg_range_task *task, void *context) {
    if (may_share && y->numel >= 2 * SHARE)
        tg_parallel_range(y->numel, SHARE, task, context);
    else
        task(context, 0, y->numel);
}

/* int64: the same without gradients. */

typedef void row_kernel_i64(ptrdiff_t n, uint64_t *y, const uint64_t *const *x, const void *attr);

static void gather_i64(const tg_node *x, tg_walk *w, int64_t n, uint64_t *out) {
    while (n > 0) {
        int64_t run = tg_walk_run(w) < n ? tg_walk_run(w) : n, stride = w->stride[w->ndim - 1];
        for (int64_t j = 0, at = w->offset; j < run; j++, at += stride)
            out[j] = x->dtype == TG_BOOL ? ((const bool *)x->data)[at] : ((const uint64_t *)x->data)[at];
        tg_walk_next(w, run);
        out += run;
        n -= run;
    }
}

static void range_i64(void *node, int64_t begin, int64_t end) {
    const tg_node *y = node;
    tg_walk walk[MAX_INPUTS];
    uint64_t chunk[MAX_INPUTS][CHUNK];
    const uint64_t *x[MAX_INPUTS] = {chunk[0], chunk[1], chunk[2]};
    for (int i = 0; i < y->n_in; i++) {
        tg_walk_input(&walk[i], y, i);
        tg_walk_seek(&walk[i], begin);
    }
    for (int64_t at = begin; at < end; at += CHUNK) {
        int64_t n = end - at < CHUNK ? end - at : CHUNK;
        for (int i = 0; i < y->n_in; i++)
            gather_i64(y->in[i], &walk[i], n, chunk[i]);
        ((row_kernel_i64 *)y->op->row[TG_I64])(n, (uint64_t *)y->data + at, x, y->attr);
    }
}

/* op's row kernels for the instruction set in use */
static const tg_wide_rows *wide_rows(const tg_op *op, tg_dtype dtype) {
    int wide = tg_isa_now()->wide;
    return wide && op->wide[wide - 1].row[dtype] ? &op->wide[wide - 1] : NULL;
}
static tg_fn *row_of(const tg_op *op, tg_dtype dtype) {
    const tg_wide_rows *wide = wide_rows(op, dtype);
    return wide ? wide->row[dtype] : op->row[dtype];
}
static tg_fn *row_vjp_of(const tg_op *op, tg_dtype dtype) {
    const tg_wide_rows *wide = wide_rows(op, dtype);
    return wide ? wide->row_vjp[dtype] : op->row_vjp[dtype];
}

#define row_kernel FN(row_kernel)
#define row_vjp_kernel FN(row_vjp_kernel)
#define reader FN(reader)
#define input_gradient FN(input_gradient)
#define gradients FN(gradients)
#define sums FN(sums)

/* The gradient of x, that y's shape broadcasts, is summed in so many parts, a block of y each. The number depends on
 * the sizes alone, so that the bits do not depend on the number of threads. */
static int64_t blocks_of(const tg_node *y, const tg_node *x) {
    int64_t n = y->numel / (8 * x->numel > SHARE ? 8 * x->numel : SHARE);
    return n > MAX_BLOCKS ? MAX_BLOCKS : n;
}

/* May the gradients of all inputs be made in one pass, a chunk of each at a time? What is read is then read once. Not
 * where they may have elements in common, or are sums of several of y's. */
static bool in_one_pass(const tg_node *y) {
    for (int i = 0; i < y->n_in; i++) {
        bool may_get_dy = y->op->passes_grad && y->in[i]->op;
        if (tg_wants(y, i) && (may_get_dy || !tg_same_shape(y->in[i], y)))
            return false;
        for (int k = 0; k < i; k++)
            if (tg_wants(y, i) && tg_wants(y, k) && tg_share_grad(y->in[i], y->in[k]))
                return false;
    }
    return true;
}
#endif

#ifdef real

typedef void row_kernel(ptrdiff_t n, real *y, const real *const *x, const void *attr);
typedef void row_vjp_kernel(ptrdiff_t n, int i, real *dx, const real *dy, const real *y, const real *const *x,
                            const void *attr);

/* out[j] = x[j * stride] */
static void FN(read_strided)(int64_t n, real *out, const real *x, int64_t stride) {
    real first = *x;
    if (stride == 0)
        for (int64_t j = 0; j < n; j++)
            out[j] = first;
    else
        for (int64_t j = 0; j < n; j++)
            out[j] = x[j * stride];
}

/* The same; bools as bytes, of which the compiler makes vectors */
static void FN(read_bools)(int64_t n, real *out, const uint8_t *x, int64_t stride) {
    if (stride == 1)
        for (int64_t j = 0; j < n; j++)
            out[j] = x[j];
    else
        for (int64_t j = 0; j < n; j++)
            out[j] = x[j * stride];
}

/* The next n elements of x in the output's order, as reals. */
static void FN(gather)(const tg_node *x, tg_walk *w, int64_t n, real *out) {
    while (n > 0) {
        int64_t run = tg_walk_run(w), stride = w->stride[w->ndim - 1];
        if (run > n)
            run = n;
        if (x->dtype == REAL_DTYPE && stride == 1) {
            memcpy(out, (const real *)x->data + w->offset, (size_t)run * sizeof(real));
        } else if (x->dtype == REAL_DTYPE) {
            FN(read_strided)(run, out, (const real *)x->data + w->offset, stride);
        } else if (x->dtype == TG_BOOL) {
            FN(read_bools)(run, out, (const uint8_t *)x->data + w->offset, stride);
        } else {
            const int64_t *p = (const int64_t *)x->data + w->offset;
            for (int64_t j = 0; j < run; j++)
                out[j] = (real)p[j * stride];
        }
        tg_walk_next(w, run);
        out += run;
        n -= run;
    }
}

/* dst along w = or += src; where a run is summed into one element (a stride of 0) it is never =. */
static void FN(scatter)(tg_walk *w, int64_t n, real *dst, const real *src, bool add) {
    while (n > 0) {
        int64_t run = tg_walk_run(w), stride = w->stride[w->ndim - 1];
        if (run > n)
            run = n;
        real *p = dst + w->offset;
        if (stride == 0) {
            real s[4] = {0, 0, 0, 0};
            int64_t j = 0;
            for (; j + 4 <= run; j += 4)
                for (int k = 0; k < 4; k++)
                    s[k] += src[j + k];
            for (; j < run; j++)
                s[0] += src[j];
            *p += (s[0] + s[1]) + (s[2] + s[3]);
        } else if (stride == 1 && add) {
            for (int64_t j = 0; j < run; j++)
                p[j] += src[j];
        } else if (stride == 1) {
            memcpy(p, src, (size_t)run * sizeof(real));
        } else {
            for (int64_t j = 0; j < run; j++)
                p[j * stride] = src[j] + (add ? p[j * stride] : 0);
        }
        tg_walk_next(w, run);
        src += run;
        n -= run;
    }
}

/* Inputs in chunks: where each stands, and the chunk it is gathered into. wanted: which ones, as in tg_op.needs; the
 * others are NULL. */
typedef struct reader {
    const tg_node *y;
    uint8_t wanted;
    tg_walk walk[MAX_INPUTS];
    const real *x[MAX_INPUTS];
    real chunk[MAX_INPUTS][CHUNK];
} reader;

static void FN(reader_begin)(reader *r, const tg_node *y, uint8_t wanted, int64_t at) {
    r->y = y;
    r->wanted = wanted;
    for (int i = 0; i < y->n_in; i++)
        if (wanted & TG_IN(i) && !(y->linear & 1u << i)) {
            tg_walk_input(&r->walk[i], y, i);
            tg_walk_seek(&r->walk[i], at);
        }
}

static void FN(reader_next)(reader *r, int64_t at, int64_t n) {
    for (int i = 0; i < r->y->n_in; i++) {
        if (!(r->wanted & TG_IN(i))) {
            r->x[i] = NULL;
        } else if (r->y->linear & 1u << i) {
            r->x[i] = (const real *)r->y->in[i]->data + at;
        } else {
            FN(gather)(r->y->in[i], &r->walk[i], n, r->chunk[i]);
            r->x[i] = r->chunk[i];
        }
    }
}

static bool FN(all_linear)(const tg_node *y) { return y->linear == (1u << y->n_in) - 1; }

/* The result's elements are reals, or bools for comparisons. */
static void FN(store)(const tg_node *y, int64_t at, int64_t n, const real *values) {
    uint8_t *out = (uint8_t *)y->data + at;
    for (int64_t j = 0; j < n; j++)
        out[j] = values[j] != 0;
}

static void FN(range)(void *node, int64_t begin, int64_t end) {
    const tg_node *y = node;
    row_kernel *row = (row_kernel *)row_of(y->op, REAL_DTYPE);
    bool to_bool = y->dtype == TG_BOOL;
    reader r;
    real chunk[CHUNK];
    FN(reader_begin)(&r, y, ALL_INPUTS, begin);
    for (int64_t at = begin; at < end; at += CHUNK) {
        int64_t n = end - at < CHUNK ? end - at : CHUNK;
        FN(reader_next)(&r, at, n);
        row(n, to_bool ? chunk : (real *)y->data + at, r.x, y->attr);
        if (to_bool)
            FN(store)(y, at, n, chunk);
    }
}

/* The gradient of input i goes to dx: overwritten where it lies, or put there along these strides, seen from y. */
typedef struct input_gradient {
    int i;
    real *dx;
    bool in_place, add;
    int64_t stride[TG_MAX_DIMS];
} input_gradient;

typedef struct gradients {
    const tg_node *y;
    int n;
    input_gradient of[MAX_INPUTS];
} gradients;

static void FN(vjp_range)(void *context, int64_t begin, int64_t end) {
    const gradients *all = context;
    const tg_node *y = all->y;
    row_vjp_kernel *row_vjp = (row_vjp_kernel *)row_vjp_of(y->op, REAL_DTYPE);
    const real *dy = y->grad, *out = y->data;
    uint8_t reads = 0;
    reader r;
    real chunk[CHUNK];
    tg_walk w[MAX_INPUTS];
    for (int k = 0; k < all->n; k++) {
        const input_gradient *g = &all->of[k];
        reads |= y->op->needs[g->i];
        if (!g->in_place) {
            tg_walk_begin(&w[k], y->ndim, y->size, g->stride);
            tg_walk_seek(&w[k], begin);
        }
    }
    FN(reader_begin)(&r, y, reads, begin);
    for (int64_t at = begin; at < end; at += CHUNK) {
        int64_t n = end - at < CHUNK ? end - at : CHUNK;
        FN(reader_next)(&r, at, n);
        for (int k = 0; k < all->n; k++) {
            const input_gradient *g = &all->of[k];
            real *dx = g->in_place ? g->dx + at : chunk;
            row_vjp(n, g->i, dx, dy + at, out + at, r.x, y->attr);
            if (!g->in_place)
                FN(scatter)(&w[k], n, g->dx, chunk, g->add);
        }
    }
}

tg_status FN(tg_elementwise_forward)(tg_node *y) {
    if (y->dtype == TG_I64) {
        share(y, true, range_i64, y);
        return TG_OK;
    }
    if (y->numel <= CHUNK && FN(all_linear)(y) && y->dtype != TG_BOOL) {
        const real *x[MAX_INPUTS];
        for (int i = 0; i < y->n_in; i++)
            x[i] = y->in[i]->data;
        ((row_kernel *)row_of(y->op, REAL_DTYPE))(y->numel, y->data, x, y->attr);
        return TG_OK;
    }
    share(y, true, FN(range), y);
    return TG_OK;
}

static tg_status FN(open_gradient)(tg_node *y, int i, bool same, input_gradient *g) {
    tg_slot slot = tg_grad_open(y, i);
    if (!slot.data)
        return tg_tape_status(y->tape);
    if (!same)
        tg_grad_clear(&slot);
    *g = (input_gradient){.i = i, .dx = slot.data, .in_place = slot.fresh && slot.contiguous, .add = !slot.fresh};
    if (!g->in_place)
        tg_broadcast_strides(y->in[i], slot.stride, y->ndim, y->size, g->stride);
    return TG_OK;
}

/* The gradient of one input, a sum for each block of y: n reals of `values` a block. */
typedef struct sums {
    gradients all;
    real *values;
    int64_t blocks, n;
} sums;

static void FN(sum_blocks)(void *context, int64_t begin, int64_t end) {
    const sums *s = context;
    int64_t numel = s->all.y->numel;
    for (int64_t b = begin; b < end; b++) {
        gradients one = s->all;
        one.of[0].dx = s->values + b * s->n;
        memset(one.of[0].dx, 0, (size_t)s->n * sizeof(real));
        FN(vjp_range)(&one, numel * b / s->blocks, numel * (b + 1) / s->blocks);
    }
}

/* The gradient of input i, which broadcasts. The blocks' sums are added up block after block, whoever made them. */
static tg_status FN(vjp_by_blocks)(tg_node *y, int i) {
    const tg_node *x = y->in[i];
    int64_t dense[TG_MAX_DIMS], blocks = blocks_of(y, x);
    size_t bytes = (size_t)(blocks * x->numel) * sizeof(real);
    tg_slot slot = tg_grad_dense(y, i);
    real *values = slot.data ? tg_pool_get(y->tape, bytes) : NULL;
    if (values) {
        sums s = {{y, 1, {{.i = i, .add = true}}}, values, blocks, x->numel};
        tg_dense_strides(x->ndim, x->size, dense);
        tg_broadcast_strides(x, dense, y->ndim, y->size, s.all.of[0].stride);
        tg_parallel_range(blocks, 1, FN(sum_blocks), &s);
        tg_grad_clear(&slot);
        tg_accumulate(REAL_DTYPE, 2, (int64_t[]){blocks, x->numel}, slot.data, (int64_t[]){0, 1}, values);
        tg_pool_put(y->tape, values, bytes);
    }
    tg_grad_close(&slot);
    return values ? TG_OK : tg_tape_status(y->tape);
}

tg_status FN(tg_elementwise_vjp)(tg_node *y) {
    gradients all = {.y = y};
    bool one_pass = in_one_pass(y);
    for (int i = 0; i < y->n_in; i++) {
        if (!tg_wants(y, i) || (y->op->passes_grad && tg_grad_hand_over(y, i)))
            continue;
        bool same = tg_same_shape(y->in[i], y);
        if (!same && blocks_of(y, y->in[i]) > 1) {
            if (FN(vjp_by_blocks)(y, i))
                return tg_tape_status(y->tape);
            continue;
        }
        if (FN(open_gradient)(y, i, same, &all.of[all.n++]))
            return tg_tape_status(y->tape);
        if (!one_pass) {
            share(y, same, FN(vjp_range), &all);
            all.n = 0;
        }
    }
    if (all.n)
        share(y, true, FN(vjp_range), &all);
    return TG_OK;
}

#else
#define TG_SELF "elementwise.c"
#include "core/twice.h"

/* one for each element, forward and for each gradient */
double tg_elementwise_flops(const tg_node *y, int i) {
    (void)i;
    return (double)y->numel;
}

static tg_node *broadcast_node(tg_tape *t, const tg_op *op, int n, tg_node *const *in, tg_dtype dtype,
                               size_t attr_size) {
    tg_shape shape = tg_shape_from(in[0]);
    for (int i = 1; i < n; i++) {
        tg_shape left = shape, right = tg_shape_from(in[i]);
        if (tg_broadcast(&left, &right, &shape))
            continue;
        tg_fail(t, TG_ERR_SHAPE, "%s: shapes %s and %s do not broadcast", op->name, tg_shape_text(&left).s,
                tg_node_text(in[i]).s);
        return NULL;
    }
    return tg_node_new(t, op, n, in, &shape, dtype, attr_size);
}

bool tg_scalar_fits(const char *name, tg_tensor x, double c) {
    tg_node *in;
    tg_tape *t = tg_open(name, "n", 1, &x, &in);
    bool fits = t && (in->dtype != TG_I64 || (c >= -0x1p63 && c < 0x1p63 && c == floor(c)));
    if (t && !fits)
        tg_fail(t, TG_ERR_ARGUMENT, "%s: x %s is int64, but %g is none; see tg_to_float", name, tg_node_text(in).s, c);
    return fits;
}

/* The dtype of the operands of kind n, which the others' have to be; -1 after tg_fail. */
static int dtype_of_numbers(tg_tape *t, const tg_op *op, const char *kinds, int n, tg_node *const *in) {
    int first = 0;
    while (first < n && kinds[first] != 'n')
        first++;
    for (int i = first + 1; i < n; i++) {
        if (kinds[i] != 'n' || in[i]->dtype == in[first]->dtype)
            continue;
        tg_fail(t, TG_ERR_ARGUMENT, "%s: operand %d %s is %s, but must be %s, as operand %d is", op->name, i + 1,
                tg_node_text(in[i]).s, tg_dtype_name((tg_dtype)in[i]->dtype),
                in[first]->dtype == TG_I64 ? "int64" : "floating", first + 1);
        return -1;
    }
    return first < n ? in[first]->dtype : (int)tg_tape_dtype(t);
}

tg_tensor tg_elementwise(const tg_op *op, const char *kinds, int n, const tg_tensor *x, const void *attr,
                         size_t attr_size) {
    tg_node *in[MAX_INPUTS];
    tg_tape *t = tg_open(op->name, kinds, n, x, in);
    if (!t)
        return TG_NULL;
    int numbers = dtype_of_numbers(t, op, kinds, n, in);
    if (numbers < 0)
        return TG_NULL;
    bool same = true;
    for (int i = 1; i < n; i++)
        same &= tg_same_shape(in[0], in[i]);
    tg_dtype dtype = op->makes_bool ? TG_BOOL : (tg_dtype)numbers;
    tg_node *y =
        same ? tg_node_like(t, op, n, in, in[0], dtype, attr_size) : broadcast_node(t, op, n, in, dtype, attr_size);
    if (!y)
        return TG_NULL;
    if (attr_size)
        memcpy(y->attr, attr, attr_size);
    for (int i = 0; i < n; i++)
        if (in[i]->contiguous && in[i]->dtype == tg_tape_dtype(t) && (same || tg_same_shape(in[i], y)))
            y->linear |= (uint8_t)(1u << i);
    return tg_record(y);
}

#endif
