/* masked_fill: y = value where mask holds, x elsewhere; mask broadcasts to x.    dx = 0 where mask holds, else dy */
#include "core/op.h"

#ifdef real

static void FN(forward)(ptrdiff_t n, real *y, const real *const *x, const void *attr) {
    real value = (real) * (const double *)attr;
    const real *mask = x[1];
    for (ptrdiff_t j = 0; j < n; j++) {
        real v = x[0][j];
        y[j] = mask[j] != 0 ? value : v;
    }
}

static void FN(vjp)(ptrdiff_t n, int i, real *dx, const real *dy, const real *y, const real *const *x,
                    const void *attr) {
    (void)i, (void)y, (void)attr;
    const real *mask = x[1];
    for (ptrdiff_t j = 0; j < n; j++) {
        real d = dy[j];
        dx[j] = mask[j] != 0 ? 0 : d;
    }
}

#else
#define TG_SELF "ops/masked_fill.c"
#include "core/twice.h"
TG_WIDE_ROWS(forward, vjp);

static void grad(const tg_node *y, tg_tensor dy, tg_tensor *dx) { dx[0] = tg_masked_fill(dy, tg_in(y, 1), 0); }

static tg_tensor probe(tg_tape *t, int variant) {
    tg_tensor mask = tg_from_bools(t, TG_SHAPE(2, 3), (bool[]){true, false, false, false, true, true});
    switch (variant) {
    case 0: return tg_masked_fill(tg_probe_leaf(t, TG_SHAPE(2, 3)), mask, -7);
    case 1: return tg_masked_fill(tg_transpose(tg_probe_leaf(t, TG_SHAPE(3, 2)), 0, 1), mask, 1.5);
    case 2: return tg_masked_fill(tg_probe_leaf(t, TG_SHAPE(2, 2, 3)), tg_slice(mask, 0, 1, 2, 1), 0);
    case 3:
        return tg_masked_fill(tg_expand(tg_probe_leaf(t, TG_SHAPE(3, 1)), TG_SHAPE(3, 2)), tg_transpose(mask, 0, 1), 2);
    case 4: return tg_masked_fill(tg_probe_leaf(t, TG_SHAPE(0, 2, 3)), mask, 2);
    default: return TG_NULL;
    }
}

const tg_op tg_op_masked_fill = {.name = "masked_fill",
                                 TG_ELEMENTWISE_MOVE,
                                 .row = TG_ROWS(forward),
                                 .row_vjp = TG_ROWS(vjp),
                                 .wide = TG_WIDE(forward, vjp),
                                 .needs = {TG_IN(1)},
                                 .grad = grad,
                                 .probe = probe,
                                 .infinite_ok = true};

static bool broadcasts_to(const tg_node *mask, const tg_node *x) {
    int shift = x->ndim - mask->ndim;
    bool fits = shift >= 0;
    for (int i = 0; i < mask->ndim && fits; i++)
        fits = mask->size[i] == 1 || mask->size[i] == x->size[i + shift];
    return fits;
}

/* PyTorch: x.masked_fill(mask, value) */
tg_tensor tg_masked_fill(tg_tensor x, tg_tensor mask, double value) {
    tg_tensor operands[] = {x, mask};
    tg_node *in[2];
    tg_tape *t = tg_open("masked_fill", "fb", 2, operands, in);
    if (!t)
        return TG_NULL;
    if (!broadcasts_to(in[1], in[0]))
        return tg_fail_null(t, TG_ERR_SHAPE, "masked_fill: a mask of shape %s does not broadcast to %s",
                            tg_node_text(in[1]).s, tg_node_text(in[0]).s);
    return tg_elementwise(&tg_op_masked_fill, "fb", 2, operands, &value, sizeof value);
}

#endif
