/* Losses of two tensors of one shape, elementwise, then averaged, summed or unreduced:
 *
 * bce_with_logits: |x| (1 - z or, where x <= 0, z) + ln(1 + e^-|x|), the cross entropy of sigmoid(x) and z, without
 *     Inf - Inf.    dx = dy (sigmoid(x) - z)    dz = -dy x
 * huber_loss: e^2 / 2 where |e| <= delta, else delta (|e| - delta / 2), with e = x - z (Huber 1964).
 *     dx = dy e cut off at -delta and delta    dz = -dx
 * kl_div: z (ln z - x), 0 where z = 0, for log-probabilities x.
 *     dx = -dy z    dz = dy (ln z + 1 - x), which is -Inf dy where z = 0
 * l1_loss: |x - z| */
#include "core/kernels/vmath.h"

#ifdef real

static void FN(bce)(ptrdiff_t n, real *y, const real *const *x, const void *attr) {
    (void)attr;
    for (ptrdiff_t j = 0; j < n; j++)
        y[j] = -M(fabs)(x[0][j]);
    FN(tg_vexp)(n, y, y, 0);
    FN(tg_vlog1p)(n, y, y);
    for (ptrdiff_t j = 0; j < n; j++)
        y[j] += M(fabs)(x[0][j]) * (x[0][j] > 0 ? 1 - x[1][j] : x[1][j]);
}

static void FN(bce_vjp)(ptrdiff_t n, int i, real *dx, const real *dy, const real *y, const real *const *x,
                        const void *attr) {
    (void)y, (void)attr;
    if (i == 0)
        FN(tg_vsigmoid)(n, dx, x[0]);
    for (ptrdiff_t j = 0; j < n; j++)
        dx[j] = i == 0 ? dy[j] * (dx[j] - x[1][j]) : -dy[j] * x[0][j];
}

static void FN(huber)(ptrdiff_t n, real *y, const real *const *x, const void *attr) {
    real delta = (real) * (const double *)attr;
    for (ptrdiff_t j = 0; j < n; j++) {
        real e = M(fabs)(x[0][j] - x[1][j]);
        real square = e * e / 2, line = delta * (e - delta / 2);
        y[j] = e <= delta ? square : line;
    }
}

static void FN(huber_vjp)(ptrdiff_t n, int i, real *dx, const real *dy, const real *y, const real *const *x,
                          const void *attr) {
    (void)y;
    real delta = (real) * (const double *)attr;
    for (ptrdiff_t j = 0; j < n; j++) {
        real e = x[i][j] - x[1 - i][j];
        dx[j] = dy[j] * (e > delta ? delta : e < -delta ? -delta : e);
    }
}

/* the side of the kinks of each difference */
static void FN(huber_branch)(const tg_node *y, tg_branches *b) {
    const real *p = y->in[0]->data, *q = y->in[1]->data;
    real delta = (real) * (const double *)y->attr;
    tg_walk l, r;
    tg_walk_input(&l, y, 0);
    tg_walk_input(&r, y, 1);
    for (int64_t j = 0; j < y->numel; j++, tg_walk_next(&l, 1), tg_walk_next(&r, 1)) {
        real e = p[l.offset] - q[r.offset];
        tg_branch(b, (e > delta) + 2 * (e < -delta));
    }
}

static void FN(kl)(ptrdiff_t n, real *y, const real *const *x, const void *attr) {
    (void)attr;
    FN(tg_vlog)(n, y, x[1]);
    for (ptrdiff_t j = 0; j < n; j++) {
        real z = x[1][j], part = z * (y[j] - x[0][j]);
        y[j] = z == 0 ? 0 : part;
    }
}

static void FN(kl_vjp)(ptrdiff_t n, int i, real *dx, const real *dy, const real *y, const real *const *x,
                       const void *attr) {
    (void)y, (void)attr;
    if (i == 1)
        FN(tg_vlog)(n, dx, x[1]);
    for (ptrdiff_t j = 0; j < n; j++)
        dx[j] = i == 0 ? -dy[j] * x[1][j] : dy[j] * (dx[j] + 1 - x[0][j]);
}

#else
#define TG_SELF "ops/losses.c"
#include "core/twice.h"
TG_WIDE_ROWS(bce, bce_vjp);
TG_WIDE_ROWS(huber, huber_vjp);
TG_WIDE_ROWS(kl, kl_vjp);

static void bce_grad(const tg_node *y, tg_tensor dy, tg_tensor *dx) {
    tg_tensor x = tg_in(y, 0);
    dx[0] = tg_mul(dy, tg_sub(tg_sigmoid(x), tg_in(y, 1)));
    if (tg_wants(y, 1))
        dx[1] = tg_neg(tg_mul(dy, x));
}

static void huber_grad(const tg_node *y, tg_tensor dy, tg_tensor *dx) {
    double delta = *(const double *)y->attr;
    dx[0] = tg_mul(dy, tg_clamp(tg_sub(tg_in(y, 0), tg_in(y, 1)), -delta, delta));
    if (tg_wants(y, 1))
        dx[1] = tg_neg(dx[0]);
}

static void kl_grad(const tg_node *y, tg_tensor dy, tg_tensor *dx) {
    dx[0] = tg_neg(tg_mul(dy, tg_in(y, 1)));
    if (tg_wants(y, 1))
        dx[1] = tg_mul(dy, tg_sub(tg_add_scalar(tg_log(tg_in(y, 1)), 1), tg_in(y, 0)));
}

typedef tg_tensor loss(tg_tensor x, tg_tensor z, tg_reduction reduction);

/* z is positive, like a probability. */
static tg_tensor probe(tg_tape *t, int variant, loss *f) {
    tg_tensor x = tg_probe_leaf(t, TG_SHAPE(2, 3)), z = tg_probe_positive(t, TG_SHAPE(3, 2));
    switch (variant) {
    case 0: return f(x, tg_probe_positive(t, TG_SHAPE(2, 3)), TG_NONE);
    case 1: return f(x, tg_transpose(z, 0, 1), TG_MEAN);
    case 2: return f(tg_expand(tg_probe_leaf(t, TG_SHAPE(3, 1)), TG_SHAPE(3, 2)), z, TG_SUM);
    case 3: return f(tg_probe_leaf(t, TG_SHAPE(0, 3)), tg_probe_positive(t, TG_SHAPE(0, 3)), TG_SUM);
    default: return TG_NULL;
    }
}

static tg_tensor huber_1(tg_tensor x, tg_tensor z, tg_reduction reduction) { return tg_huber_loss(x, z, 1, reduction); }
static tg_tensor bce_probe(tg_tape *t, int variant) { return probe(t, variant, tg_bce_with_logits); }
static tg_tensor huber_probe(tg_tape *t, int variant) { return probe(t, variant, huber_1); }
static tg_tensor kl_probe(tg_tape *t, int variant) { return probe(t, variant, tg_kl_div); }

const tg_op tg_op_bce_with_logits = {.name = "bce_with_logits",
                                     TG_ELEMENTWISE,
                                     .row = TG_ROWS(bce),
                                     .row_vjp = TG_ROWS(bce_vjp),
                                     .wide = TG_WIDE(bce, bce_vjp),
                                     .needs = {TG_IN(0) | TG_IN(1), TG_IN(0)},
                                     .grad = bce_grad,
                                     .probe = bce_probe};
const tg_op tg_op_huber_loss = {.name = "huber_loss",
                                TG_ELEMENTWISE,
                                .row = TG_ROWS(huber),
                                .row_vjp = TG_ROWS(huber_vjp),
                                .wide = TG_WIDE(huber, huber_vjp),
                                .needs = {TG_IN(0) | TG_IN(1), TG_IN(0) | TG_IN(1)},
                                .grad = huber_grad,
                                .branches = TG_BOTH(huber_branch),
                                .probe = huber_probe};
const tg_op tg_op_kl_div = {.name = "kl_div",
                            TG_ELEMENTWISE,
                            .row = TG_ROWS(kl),
                            .row_vjp = TG_ROWS(kl_vjp),
                            .wide = TG_WIDE(kl, kl_vjp),
                            .needs = {TG_IN(1), TG_IN(0) | TG_IN(1)},
                            .grad = kl_grad,
                            .probe = kl_probe};

/* True when x and z have the same shape and the reduction is valid. */
static bool fits(const char *name, tg_tensor x, tg_tensor z, tg_reduction reduction) {
    tg_node *in[2];
    tg_tape *t = tg_open(name, "ff", 2, (tg_tensor[]){x, z}, in);
    if (t && !tg_same_shape(in[0], in[1]))
        tg_fail(t, TG_ERR_SHAPE, "%s: shapes %s and %s differ", name, tg_node_text(in[0]).s, tg_node_text(in[1]).s);
    return t && !tg_tape_status(t) && tg_check_reduction(t, name, reduction, in[0]);
}

static tg_tensor reduced(tg_tensor y, tg_reduction reduction) {
    if (reduction == TG_NONE)
        return y;
    return reduction == TG_SUM ? tg_sum(y, TG_ALL_DIMS, false) : tg_mean(y, TG_ALL_DIMS, false);
}

static tg_tensor record(const tg_op *op, tg_tensor x, tg_tensor z, double delta, tg_reduction reduction) {
    if (!fits(op->name, x, z, reduction))
        return TG_NULL;
    return reduced(tg_elementwise(op, "ff", 2, (tg_tensor[]){x, z}, &delta, sizeof delta), reduction);
}

/* PyTorch: F.binary_cross_entropy_with_logits(x, z, reduction=reduction) */
tg_tensor tg_bce_with_logits(tg_tensor x, tg_tensor z, tg_reduction reduction) {
    return record(&tg_op_bce_with_logits, x, z, 0, reduction);
}

/* PyTorch: F.kl_div(x, z, reduction=reduction) */
tg_tensor tg_kl_div(tg_tensor x, tg_tensor z, tg_reduction reduction) {
    return record(&tg_op_kl_div, x, z, 0, reduction);
}

/* PyTorch: F.huber_loss(x, z, reduction, delta) */
tg_tensor tg_huber_loss(tg_tensor x, tg_tensor z, double delta, tg_reduction reduction) {
    if (!(delta > 0))
        return tg_fail_null(tg_is_null(x) ? z.tape : x.tape, TG_ERR_ARGUMENT,
                            "huber_loss: delta is %g, but must be above 0", delta);
    return record(&tg_op_huber_loss, x, z, delta, reduction);
}

/* PyTorch: F.l1_loss(x, z, reduction=reduction) */
tg_tensor tg_l1_loss(tg_tensor x, tg_tensor z, tg_reduction reduction) {
    return fits("l1_loss", x, z, reduction) ? reduced(tg_abs(tg_sub(x, z)), reduction) : TG_NULL;
}

#endif
