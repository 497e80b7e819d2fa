/* to_float: y = x as floating numbers    to_bool: y = (x != 0)    logical_not: y = (x = 0), elementwise.
 * No gradient: bools and ints have none, and to_float returns a floating x itself. */
#include "core/op.h"

#ifdef real

static void FN(same)(ptrdiff_t n, real *y, const real *const *x, const void *attr) {
    (void)attr;
    memcpy(y, x[0], (size_t)n * sizeof *y);
}

static void FN(zero)(ptrdiff_t n, real *y, const real *const *x, const void *attr) {
    (void)attr;
    for (ptrdiff_t j = 0; j < n; j++)
        y[j] = x[0][j] == 0;
}

#else
#define TG_SELF "ops/cast.c"
#include "core/twice.h"

/* Bytes may alias anything, even the pointer x[0]: without restrict the loop would not be vectorised. */
static void zero_bool(ptrdiff_t n, uint8_t *restrict y, const uint8_t *const *x, const void *attr) {
    const uint8_t *restrict a = x[0];
    (void)attr;
    for (ptrdiff_t j = 0; j < n; j++)
        y[j] = a[j] ^ 1;
}
TG_WIDE_BOOL_ROWS(zero);

static tg_tensor probe_to_float(tg_tape *t, int variant) {
    switch (variant) {
    case 0: return tg_to_float(tg_arange(t, 5));
    case 1: return tg_to_float(tg_slice(tg_to_bool(tg_probe_leaf(t, TG_SHAPE(2, 4))), 1, 0, 4, 2));
    default: return TG_NULL;
    }
}

static tg_tensor probe_to_bool(tg_tape *t, int variant) {
    switch (variant) {
    case 0: return tg_to_bool(tg_transpose(tg_probe_leaf(t, TG_SHAPE(3, 2)), 0, 1));
    case 1: return tg_to_bool(tg_probe_leaf(t, TG_SHAPE(0, 3)));
    default: return TG_NULL;
    }
}

static tg_tensor probe_logical_not(tg_tape *t, int variant) {
    return variant == 0 ? tg_logical_not(tg_to_bool(tg_probe_leaf(t, TG_SHAPE(2, 3)))) : TG_NULL;
}

#define TG_CAST .forward = TG_BOTH(tg_elementwise_forward), .no_gradient = true
const tg_op tg_op_to_float = {.name = "to_float", TG_CAST, .row = TG_ROWS(same), .probe = probe_to_float};
const tg_op tg_op_to_bool = {
    .name = "to_bool", TG_CAST, .row = TG_ROWS(same), .probe = probe_to_bool, .makes_bool = true};
const tg_op tg_op_logical_not = {.name = "logical_not",
                                 TG_CAST,
                                 .row = TG_ROWS_AND_BOOL(zero),
                                 .wide = TG_WIDE_BOOL(zero),
                                 .probe = probe_logical_not,
                                 .makes_bool = true};

static tg_tensor cast(const tg_op *op, tg_tensor x) {
    tg_node *in;
    tg_tape *t = tg_open(op->name, "*", 1, &x, &in);
    if (!t)
        return TG_NULL;
    bool is_already = op->makes_bool ? in->dtype == TG_BOOL : tg_is_floating(in);
    return is_already ? x : tg_elementwise(op, "*", 1, &x, NULL, 0);
}

/* PyTorch: x.to(torch.get_default_dtype()) */
tg_tensor tg_to_float(tg_tensor x) { return cast(&tg_op_to_float, x); }
/* PyTorch: x != 0 */
tg_tensor tg_to_bool(tg_tensor x) { return cast(&tg_op_to_bool, x); }
/* PyTorch: a.logical_not() */
tg_tensor tg_logical_not(tg_tensor x) { return tg_elementwise(&tg_op_logical_not, "b", 1, &x, NULL, 0); }

#endif
