/* eq: a = b    ne    lt: a < b    le    gt: a > b    ge, elementwise with broadcasting, as TG_BOOL; no gradient.
 *
 * Two operands without fractions (int64, bool) are compared as int64, any others as long doubles. A NaN is neither
 * equal to, less nor greater than anything; it is only ne. */
#include "core/op.h"

#ifndef real
/* The relations of a to b, a bit each; a comparison is a set of them. */
enum { LESS = 1, EQUAL = 2, GREATER = 4, UNORDERED = 8 };

static int64_t integer(const tg_node *x, ptrdiff_t at) {
    return x->dtype == TG_BOOL ? ((const bool *)x->data)[at] : ((const int64_t *)x->data)[at];
}

static long double number(const tg_node *x, ptrdiff_t at) {
    switch (x->dtype) {
    case TG_F32: return ((const float *)x->data)[at];
    case TG_F64: return ((const double *)x->data)[at];
    default: return (long double)integer(x, at);
    }
}

static int order(const tg_node *a, ptrdiff_t i, const tg_node *b, ptrdiff_t j) {
    if (!tg_is_floating(a) && !tg_is_floating(b)) {
        int64_t p = integer(a, i), q = integer(b, j);
        return p < q ? LESS : p > q ? GREATER : EQUAL;
    }
    long double p = number(a, i), q = number(b, j);
    return p < q ? LESS : p > q ? GREATER : p == q ? EQUAL : UNORDERED;
}

static tg_status forward_any(tg_node *y) {
    int wanted = *(const int *)y->attr;
    bool *out = y->data;
    tg_walk a, b;
    tg_walk_input(&a, y, 0);
    tg_walk_input(&b, y, 1);
    for (int64_t i = 0; i < y->numel; i++, tg_walk_next(&a, 1), tg_walk_next(&b, 1))
        out[i] = order(y->in[0], a.offset, y->in[1], b.offset) & wanted;
    return TG_OK;
}
#endif

#ifdef real

/* eq, and ne as its opposite; le and lt; ge and gt are those of b and a. */
static void FN(compare)(ptrdiff_t n, real *y, const real *const *x, const void *attr) {
    int wanted = *(const int *)attr;
    bool unequal = wanted & UNORDERED, turned = !(wanted & LESS);
    real yes = unequal ? 0 : 1, no = 1 - yes;
    const real *a = x[turned], *b = x[!turned];
    if (wanted == EQUAL || unequal)
        for (ptrdiff_t j = 0; j < n; j++)
            y[j] = a[j] == b[j] ? yes : no;
    else if (wanted & EQUAL)
        for (ptrdiff_t j = 0; j < n; j++)
            y[j] = a[j] <= b[j];
    else
        for (ptrdiff_t j = 0; j < n; j++)
            y[j] = a[j] < b[j];
}

/* Operands of the tape's own dtype are compared a row at a time. */
static tg_status FN(forward)(tg_node *y) {
    bool plain = y->in[0]->dtype == REAL_DTYPE && y->in[1]->dtype == REAL_DTYPE;
    return plain ? FN(tg_elementwise_forward)(y) : forward_any(y);
}

#else
#define TG_SELF "ops/compare.c"
#include "core/twice.h"
TG_WIDE_FORWARD_ROWS(compare);

static tg_tensor probe(tg_tape *t, int variant, tg_tensor (*op)(tg_tensor a, tg_tensor b)) {
    switch (variant) {
    case 0: return op(tg_probe_leaf(t, TG_SHAPE(2, 3)), tg_probe_leaf(t, TG_SHAPE(2, 1)));
    case 1: return op(tg_transpose(tg_probe_leaf(t, TG_SHAPE(3, 2)), 0, 1), tg_arange(t, 3));
    case 2: return op(tg_arange(t, 3), tg_probe_leaf(t, TG_SHAPE(0, 3)));
    default: return TG_NULL;
    }
}

static tg_tensor probe_eq(tg_tape *t, int variant) { return probe(t, variant, tg_eq); }
static tg_tensor probe_ne(tg_tape *t, int variant) { return probe(t, variant, tg_ne); }
static tg_tensor probe_lt(tg_tape *t, int variant) { return probe(t, variant, tg_lt); }
static tg_tensor probe_le(tg_tape *t, int variant) { return probe(t, variant, tg_le); }
static tg_tensor probe_gt(tg_tape *t, int variant) { return probe(t, variant, tg_gt); }
static tg_tensor probe_ge(tg_tape *t, int variant) { return probe(t, variant, tg_ge); }

#define TG_COMPARISON                                                                                            \
    .forward = TG_BOTH(forward), .row = TG_ROWS(compare), .wide = TG_WIDE_FORWARD(compare), .no_gradient = true, \
    .makes_bool = true
const tg_op tg_op_eq = {.name = "eq", TG_COMPARISON, .probe = probe_eq};
const tg_op tg_op_ne = {.name = "ne", TG_COMPARISON, .probe = probe_ne};
const tg_op tg_op_lt = {.name = "lt", TG_COMPARISON, .probe = probe_lt};
const tg_op tg_op_le = {.name = "le", TG_COMPARISON, .probe = probe_le};
const tg_op tg_op_gt = {.name = "gt", TG_COMPARISON, .probe = probe_gt};
const tg_op tg_op_ge = {.name = "ge", TG_COMPARISON, .probe = probe_ge};

static tg_tensor record(const tg_op *op, tg_tensor a, tg_tensor b, int wanted) {
    return tg_elementwise(op, "**", 2, (tg_tensor[]){a, b}, &wanted, sizeof wanted);
}

/* PyTorch: a == b */
tg_tensor tg_eq(tg_tensor a, tg_tensor b) { return record(&tg_op_eq, a, b, EQUAL); }
/* PyTorch: a != b */
tg_tensor tg_ne(tg_tensor a, tg_tensor b) { return record(&tg_op_ne, a, b, LESS | GREATER | UNORDERED); }
/* PyTorch: a < b */
tg_tensor tg_lt(tg_tensor a, tg_tensor b) { return record(&tg_op_lt, a, b, LESS); }
/* PyTorch: a <= b */
tg_tensor tg_le(tg_tensor a, tg_tensor b) { return record(&tg_op_le, a, b, LESS | EQUAL); }
/* PyTorch: a > b */
tg_tensor tg_gt(tg_tensor a, tg_tensor b) { return record(&tg_op_gt, a, b, GREATER); }
/* PyTorch: a >= b */
tg_tensor tg_ge(tg_tensor a, tg_tensor b) { return record(&tg_op_ge, a, b, GREATER | EQUAL); }

#endif
