/* leaky_relu: y = x where x > 0, else slope x    elu: y = x where x > 0, else alpha (e^x - 1), elementwise
 * (Maas, Hannun, Ng 2013; Clevert, Unterthiner, Hochreiter 2016).
 * leaky_relu: dx = dy where x > 0, else slope dy    elu: dx = dy alpha e^x where x <= 0, else dy */
#include "core/kernels/vmath.h"

#ifdef real

static void FN(leaky_relu)(ptrdiff_t n, real *y, const real *const *x, const void *attr) {
    real slope = (real) * (const double *)attr;
    for (ptrdiff_t j = 0; j < n; j++) {
        real v = x[0][j];
        y[j] = v > 0 ? v : slope * v;
    }
}

static void FN(leaky_relu_vjp)(ptrdiff_t n, int i, real *dx, const real *dy, const real *y, const real *const *x,
                               const void *attr) {
    (void)i, (void)y;
    real slope = (real) * (const double *)attr;
    for (ptrdiff_t j = 0; j < n; j++) {
        real d = dy[j];
        dx[j] = x[0][j] > 0 ? d : slope * d;
    }
}

static void FN(elu)(ptrdiff_t n, real *y, const real *const *x, const void *attr) {
    real alpha = (real) * (const double *)attr;
    FN(tg_vexpm1)(n, y, x[0]);
    for (ptrdiff_t j = 0; j < n; j++) {
        real v = x[0][j], below = alpha * y[j];
        y[j] = v > 0 ? v : below;
    }
}

static void FN(elu_vjp)(ptrdiff_t n, int i, real *dx, const real *dy, const real *y, const real *const *x,
                        const void *attr) {
    (void)i, (void)y;
    real alpha = (real) * (const double *)attr;
    FN(tg_vexp)(n, dx, x[0], 0);
    for (ptrdiff_t j = 0; j < n; j++) {
        real d = dy[j], below = d * (alpha * dx[j]);
        dx[j] = x[0][j] <= 0 ? below : d;
    }
}

/* the side of 0 of each element */
static void FN(branch)(const tg_node *y, tg_branches *b) {
    const real *x = y->in[0]->data;
    tg_walk w;
    tg_walk_input(&w, y, 0);
    for (int64_t j = 0; j < y->numel; j++, tg_walk_next(&w, 1))
        tg_branch(b, x[w.offset] > 0);
}

#else
#define TG_SELF "ops/leaky_relu.c"
#include "core/twice.h"
TG_WIDE_ROWS(leaky_relu, leaky_relu_vjp);
TG_WIDE_ROWS(elu, elu_vjp);

static void leaky_relu_grad(const tg_node *y, tg_tensor dy, tg_tensor *dx) {
    tg_tensor scaled = tg_mul_scalar(dy, *(const double *)y->attr);
    dx[0] = tg_where(tg_gt(tg_in(y, 0), tg_scalar(y->tape, 0)), dy, scaled);
}

/* e^x only where it is the slope: an infinity elsewhere would give NaN when this is differentiated. */
static void elu_grad(const tg_node *y, tg_tensor dy, tg_tensor *dx) {
    tg_tensor x = tg_in(y, 0), below = tg_le(x, tg_scalar(y->tape, 0));
    tg_tensor slope = tg_mul_scalar(tg_exp(tg_masked_fill(x, tg_logical_not(below), 0)), *(const double *)y->attr);
    dx[0] = tg_where(below, tg_mul(dy, slope), dy);
}

static tg_tensor leaky(tg_tensor x) { return tg_leaky_relu(x, 0.2); }
static tg_tensor elu(tg_tensor x) { return tg_elu(x, 1.5); }
static tg_tensor leaky_probe(tg_tape *t, int variant) { return tg_probe_unary(t, variant, tg_probe_away, leaky); }
static tg_tensor elu_probe(tg_tape *t, int variant) { return tg_probe_unary(t, variant, tg_probe_away, elu); }

const tg_op tg_op_leaky_relu = {.name = "leaky_relu",
                                TG_ELEMENTWISE,
                                .row = TG_ROWS(leaky_relu),
                                .row_vjp = TG_ROWS(leaky_relu_vjp),
                                .wide = TG_WIDE(leaky_relu, leaky_relu_vjp),
                                .needs = {TG_IN(0)},
                                .branches = TG_BOTH(branch),
                                .grad = leaky_relu_grad,
                                .probe = leaky_probe};
const tg_op tg_op_elu = {.name = "elu",
                         TG_ELEMENTWISE,
                         .row = TG_ROWS(elu),
                         .row_vjp = TG_ROWS(elu_vjp),
                         .wide = TG_WIDE(elu, elu_vjp),
                         .needs = {TG_IN(0)},
                         .branches = TG_BOTH(branch),
                         .grad = elu_grad,
                         .probe = elu_probe};

/* PyTorch: F.leaky_relu(x, slope) */
tg_tensor tg_leaky_relu(tg_tensor x, double slope) {
    return tg_elementwise(&tg_op_leaky_relu, "f", 1, &x, &slope, sizeof slope);
}
/* PyTorch: F.elu(x, alpha) */
tg_tensor tg_elu(tg_tensor x, double alpha) { return tg_elementwise(&tg_op_elu, "f", 1, &x, &alpha, sizeof alpha); }

#endif
