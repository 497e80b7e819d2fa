/* argmax, argmin: the index of the first largest, smallest element along a dim; a NaN counts as larger, as smaller
 * than any number. argmin is argmax with both sides negated in the comparison (sign = -1). */
#include "core/kernels/isa.h"
#include "core/kernels/threads.h"
#include "core/op.h"

#ifndef real
enum { LANES = 16, SHARE = 16 << 10 }; /* SHARE: elements that one thread takes at a time */

typedef struct argmax_attr {
    int dim, sign;
} argmax_attr;

static int64_t least(int64_t a, int64_t b, int64_t c) {
    int64_t d = a < b ? a : b;
    return d < c ? d : c;
}

static bool has_wide_vectors(void) { return tg_isa_now()->wide != 0; }

/* As wide as the elements, so that both are in vectors of as many lanes; ROWS of a column are counted at a time. */
enum { ROWS = 4096 };
typedef uint32_t count_f32;
typedef uint64_t count_f64;
#endif

#ifdef real

/* The larger of two, or NaN: m is kept only if it is larger, equal or NaN. */
static real FN(larger)(real x, real m) { return ((m >= x) | (m != m)) ? m : x; }

/* The largest of sign * x, in lanes, or a NaN. */
static real FN(largest)(int64_t n, const real *x, real sign) {
    real m[LANES];
    int64_t j = 0;
    for (int k = 0; k < LANES; k++)
        m[k] = sign * x[0];
    for (; j + LANES <= n; j += LANES)
        for (int k = 0; k < LANES; k++)
            m[k] = FN(larger)(sign * x[j + k], m[k]);
    for (; j < n; j++)
        m[0] = FN(larger)(sign * x[j], m[0]);
    for (int k = 1; k < LANES; k++)
        m[0] = FN(larger)(m[k], m[0]);
    return m[0];
}

/* The first index of m, or of a NaN; LANES elements without it are skipped at once. */
static int64_t FN(place_of)(real m, const real *x, int64_t n, real sign) {
    int64_t j = 0;
    for (; j + LANES <= n; j += LANES) {
        int any = 0;
        for (int k = 0; k < LANES; k++)
            any |= (sign * x[j + k] == m) | (x[j + k] != x[j + k]);
        if (any)
            break;
    }
    while (sign * x[j] != m && !isnan(x[j]))
        j++;
    return j;
}

/* In a dense row. */
static void FN(find)(int64_t n, const real *x, real sign, int64_t *place) {
    *place = FN(place_of)(FN(largest)(n, x, sign), x, n, sign);
}

/* The largest of rows 0 .. m - 1 and `most`, for each of n columns; place: of the last row that was larger, from 1. */
static void FN(compare_rows)(int64_t n, int64_t m, const real *x, int64_t stride, real sign, real *most,
                             FN(count) * place) {
    for (int64_t j = 0; j < m; j++)
        for (int64_t k = 0; k < n; k++) {
            real value = sign * x[j * stride + k];
            bool better = !(value <= most[k]) & (most[k] == most[k]);
            most[k] = better ? value : most[k];
            place[k] = better ? (FN(count))(j + 1) : place[k];
        }
}

/* In at most LANES adjacent columns of m elements, `stride` apart. */
static void FN(find_columns)(int64_t n, int64_t m, const real *x, int64_t stride, real sign, int64_t *place) {
    real most[LANES];
    for (int64_t k = 0; k < n; k++) {
        most[k] = sign * x[k];
        place[k] = 0;
    }
    for (int64_t at = 1; at < m; at += ROWS) {
        FN(count) found[LANES] = {0};
        int64_t rows = m - at < ROWS ? m - at : ROWS;
        FN(compare_rows)(n == LANES ? LANES : n, rows, x + at * stride, stride, sign, most, found);
        for (int64_t k = 0; k < n; k++)
            place[k] = found[k] ? at + (int64_t)found[k] - 1 : place[k];
    }
}

#ifdef TG_WIDE_VECTORS
TG_WIDE_FUNCTION(AVX2) FN(find_wide)(int64_t n, const real *x, real sign, int64_t *place) {
    FN(find)(n, x, sign, place);
}
TG_WIDE_FUNCTION(AVX2)
FN(find_columns_wide)(int64_t n, int64_t m, const real *x, int64_t stride, real sign, int64_t *place) {
    FN(find_columns)(n, m, x, stride, sign, place);
}
#else
#define find_wide_f32 find_f32
#define find_wide_f64 find_f64
#define find_columns_wide_f32 find_columns_f32
#define find_columns_wide_f64 find_columns_f64
#endif

static int64_t FN(first_largest)(int64_t n, const real *x, int64_t stride, real sign) {
    int64_t best = 0;
    if (stride == 1)
        (has_wide_vectors() ? FN(find_wide) : FN(find))(n, x, sign, &best);
    else
        FN(find_columns)(1, n, x, stride, sign, &best);
    return best;
}

/* Results begin .. end - 1. */
static void FN(choose)(void *context, int64_t begin, int64_t end) {
    tg_node *y = context;
    const tg_node *x = y->in[0];
    const argmax_attr *a = y->attr;
    int64_t n = x->ndim ? x->size[a->dim] : 1, stride = x->ndim ? x->stride[a->dim] : 1, size[TG_MAX_DIMS], some;
    int64_t *out = y->data;
    tg_walk w;
    for (int i = 0; i < x->ndim; i++)
        size[i] = i == a->dim ? 1 : x->size[i];
    tg_walk_begin(&w, x->ndim, size, x->stride);
    tg_walk_seek(&w, begin);
    for (int64_t i = begin; i < end; i += some, tg_walk_next(&w, some)) {
        const real *first = (const real *)x->data + w.offset;
        some = stride == 1 || w.stride[w.ndim - 1] != 1 ? 1 : least(LANES, tg_walk_run(&w), end - i);
        if (some == 1)
            out[i] = FN(first_largest)(n, first, stride, (real)a->sign);
        else
            (has_wide_vectors() ? FN(find_columns_wide) : FN(find_columns))(some, n, first, stride, (real)a->sign,
                                                                            out + i);
    }
}

static tg_status FN(forward)(tg_node *y) {
    if (y->numel)
        tg_parallel_range(y->numel, SHARE / (y->in[0]->numel / y->numel) + 1, FN(choose), y);
    return TG_OK;
}

#else
#define TG_SELF "ops/argmax.c"
#include "core/twice.h"

static tg_tensor probe(tg_tape *t, int variant, tg_tensor (*op)(tg_tensor x, int dim, bool keepdim)) {
    switch (variant) {
    case 0: return op(tg_probe_leaf(t, TG_SHAPE(2, 5)), -1, false);
    case 1: return op(tg_transpose(tg_probe_leaf(t, TG_SHAPE(2, 3, 4)), 0, 2), 1, true);
    case 2: return op(tg_probe_leaf(t, TG_SCALAR), 0, false);
    case 3: return op(tg_probe_leaf(t, TG_SHAPE(0, 3)), 1, false);
    default: return TG_NULL;
    }
}

static tg_tensor argmax_probe(tg_tape *t, int variant) { return probe(t, variant, tg_argmax); }
static tg_tensor argmin_probe(tg_tape *t, int variant) { return probe(t, variant, tg_argmin); }

const tg_op tg_op_argmax = {.name = "argmax", .forward = TG_BOTH(forward), .no_gradient = true, .probe = argmax_probe};
const tg_op tg_op_argmin = {.name = "argmin", .forward = TG_BOTH(forward), .no_gradient = true, .probe = argmin_probe};

static tg_tensor record(const tg_op *op, tg_tensor x, int dim, bool keepdim, int sign) {
    tg_node *in;
    tg_tape *t = tg_open(op->name, "f", 1, &x, &in);
    int d = t ? tg_dim(t, op->name, dim, in) : -1;
    if (d < 0)
        return TG_NULL;
    if (in->ndim && in->size[d] == 0)
        return tg_fail_null(t, TG_ERR_SHAPE, "%s: %s has no elements along dim %d", op->name, tg_node_text(in).s, d);
    tg_shape shape = {0};
    for (int i = 0; i < in->ndim; i++)
        if (i != d)
            shape.size[shape.ndim++] = in->size[i];
        else if (keepdim)
            shape.size[shape.ndim++] = 1;
    tg_node *y = tg_node_new(t, op, 1, &in, &shape, TG_I64, sizeof(argmax_attr));
    if (!y)
        return TG_NULL;
    *(argmax_attr *)y->attr = (argmax_attr){d, sign};
    return tg_record(y);
}

/* PyTorch: x.argmax(dim, keepdim) */
tg_tensor tg_argmax(tg_tensor x, int dim, bool keepdim) { return record(&tg_op_argmax, x, dim, keepdim, 1); }
/* PyTorch: x.argmin(dim, keepdim) */
tg_tensor tg_argmin(tg_tensor x, int dim, bool keepdim) { return record(&tg_op_argmin, x, dim, keepdim, -1); }

#endif
