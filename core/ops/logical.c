/* logical_and, logical_or: of two TG_BOOL tensors, with broadcasting    isnan: which elements are NaN. No gradient. */
#include "core/op.h"

#ifdef real

static void FN(both)(ptrdiff_t n, real *y, const real *const *x, const void *attr) {
    (void)attr;
    for (ptrdiff_t j = 0; j < n; j++)
        y[j] = (x[0][j] != 0) & (x[1][j] != 0);
}

static void FN(either)(ptrdiff_t n, real *y, const real *const *x, const void *attr) {
    (void)attr;
    for (ptrdiff_t j = 0; j < n; j++)
        y[j] = (x[0][j] != 0) | (x[1][j] != 0);
}

static void FN(is_nan)(ptrdiff_t n, real *y, const real *const *x, const void *attr) {
    (void)attr;
    for (ptrdiff_t j = 0; j < n; j++)
        y[j] = (real)(isnan(x[0][j]) != 0);
}

#else
#define TG_SELF "ops/logical.c"
#include "core/twice.h"
TG_WIDE_FORWARD_ROWS(is_nan);

/* Bytes may alias anything, even the pointers x[0] and x[1]: without restrict the loop would not be vectorised. */
static void both_bool(ptrdiff_t n, uint8_t *restrict y, const uint8_t *const *x, const void *attr) {
    const uint8_t *restrict a = x[0], *restrict b = x[1];
    (void)attr;
    for (ptrdiff_t j = 0; j < n; j++)
        y[j] = a[j] & b[j];
}

static void either_bool(ptrdiff_t n, uint8_t *restrict y, const uint8_t *const *x, const void *attr) {
    const uint8_t *restrict a = x[0], *restrict b = x[1];
    (void)attr;
    for (ptrdiff_t j = 0; j < n; j++)
        y[j] = a[j] | b[j];
}
TG_WIDE_BOOL_ROWS(both);
TG_WIDE_BOOL_ROWS(either);

static tg_tensor probe(tg_tape *t, int variant, tg_tensor (*op)(tg_tensor a, tg_tensor b)) {
    switch (variant) {
    case 0: return op(tg_to_bool(tg_probe_leaf(t, TG_SHAPE(2, 3))), tg_to_bool(tg_arange(t, 3)));
    case 1: return op(tg_transpose(tg_to_bool(tg_probe_leaf(t, TG_SHAPE(3, 2))), 0, 1), tg_to_bool(tg_scalar(t, 0)));
    default: return TG_NULL;
    }
}

static tg_tensor and_probe(tg_tape *t, int variant) { return probe(t, variant, tg_logical_and); }
static tg_tensor or_probe(tg_tape *t, int variant) { return probe(t, variant, tg_logical_or); }
static tg_tensor isnan_probe(tg_tape *t, int variant) {
    return variant == 0 ? tg_isnan(tg_log(tg_probe_away(t, TG_SHAPE(2, 3)))) : TG_NULL;
}

#define TG_LOGICAL .forward = TG_BOTH(tg_elementwise_forward), .no_gradient = true, .makes_bool = true
const tg_op tg_op_logical_and = {
    .name = "logical_and", TG_LOGICAL, .row = TG_ROWS_AND_BOOL(both), .wide = TG_WIDE_BOOL(both), .probe = and_probe};
const tg_op tg_op_logical_or = {
    .name = "logical_or", TG_LOGICAL, .row = TG_ROWS_AND_BOOL(either), .wide = TG_WIDE_BOOL(either), .probe = or_probe};
const tg_op tg_op_isnan = {
    .name = "isnan", TG_LOGICAL, .row = TG_ROWS(is_nan), .wide = TG_WIDE_FORWARD(is_nan), .probe = isnan_probe};

/* PyTorch: a.logical_and(b) */
tg_tensor tg_logical_and(tg_tensor a, tg_tensor b) {
    return tg_elementwise(&tg_op_logical_and, "bb", 2, (tg_tensor[]){a, b}, NULL, 0);
}
/* PyTorch: a.logical_or(b) */
tg_tensor tg_logical_or(tg_tensor a, tg_tensor b) {
    return tg_elementwise(&tg_op_logical_or, "bb", 2, (tg_tensor[]){a, b}, NULL, 0);
}
/* PyTorch: x.isnan() */
tg_tensor tg_isnan(tg_tensor x) { return tg_elementwise(&tg_op_isnan, "f", 1, &x, NULL, 0); }

#endif
