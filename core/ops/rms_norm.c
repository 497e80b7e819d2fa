/* rms_norm: y = x r w with r = 1 / sqrt(mean of x^2 + eps), the mean over a row: the last dim or, for rms_norm_over,
 * several (Zhang, Sennrich 2019).
 * dx = r (g - h mean(g h)) with g = dy w and h = x r    dw = sum over rows of dy h
 *
 * saved: 0 and r of each row. The kernels are layer_norm's, without the mean. */
#include "core/kernels/layer_norm.h"

static void grad(const tg_node *y, tg_tensor dy, tg_tensor *dx) {
    double eps = ((const tg_layer_norm_attr *)y->attr)->eps;
    tg_tensor r = tg_pow(tg_add_scalar(tg_norm_mean(y, tg_square(tg_in(y, 0))), eps), -0.5);
    tg_tensor h = tg_mul(tg_in(y, 0), r), g = y->in[1] ? tg_mul(dy, tg_in(y, 1)) : dy;
    if (tg_wants(y, 0))
        dx[0] = tg_mul(tg_sub(g, tg_mul(h, tg_norm_mean(y, tg_mul(g, h)))), r);
    if (tg_wants(y, 1))
        dx[1] = tg_mul(dy, h);
}

static tg_tensor probe(tg_tape *t, int variant) {
    tg_tensor w = tg_probe_leaf(t, TG_SHAPE(4));
    switch (variant) {
    case 0: return tg_rms_norm(tg_probe_leaf(t, TG_SHAPE(3, 4)), w, 1e-5);
    case 1: return tg_rms_norm(tg_probe_leaf(t, TG_SHAPE(2, 3, 5)), TG_NULL, 1e-5);
    case 2: return tg_rms_norm(tg_transpose(tg_probe_leaf(t, TG_SHAPE(4, 3)), 0, 1), w, 0.1);
    case 3: return tg_rms_norm(tg_probe_leaf(t, TG_SHAPE(4)), w, 1e-5);
    case 4: return tg_rms_norm(tg_probe_leaf(t, TG_SHAPE(0, 4)), w, 1e-5);
    case 5: return tg_rms_norm(tg_probe_leaf(t, TG_SHAPE(3, 70)), tg_probe_leaf(t, TG_SHAPE(70)), 1e-5);
    case 6:
        w = tg_slice(tg_probe_leaf(t, TG_SHAPE(8)), 0, 0, 8, 2);
        return tg_rms_norm(tg_expand(w, TG_SHAPE(2, 4)), w, 1e-5);
    case 7:
        w = tg_probe_leaf(t, TG_SHAPE(3, 2));
        return tg_rms_norm_over(tg_transpose(tg_probe_leaf(t, TG_SHAPE(2, 2, 3)), 1, 2), TG_SHAPE(3, 2), w, 1e-5);
    case 8: return tg_rms_norm_over(tg_probe_leaf(t, TG_SHAPE(2, 3)), TG_SHAPE(2, 3), TG_NULL, 0.1);
    default: return TG_NULL;
    }
}

/* An element costs 2 for the mean, 1 for each product; backward 1 for g, 2 for its mean, 3 for dx, 3 for dw. */
static double flops(const tg_node *y, int i) { return (double)y->numel * (i < 0 ? 4 : i == 0 ? 6 : 3); }

const tg_op tg_op_rms_norm = {.name = "rms_norm",
                              .forward = TG_BOTH(tg_layer_norm_forward),
                              .vjp = TG_BOTH(tg_layer_norm_vjp),
                              .needs = {TG_IN(0) | TG_IN(1), TG_IN(0)},
                              .flops = flops,
                              .grad = grad,
                              .probe = probe};

/* PyTorch: F.rms_norm(x, normalized_shape, weight, eps) */
tg_tensor tg_rms_norm_over(tg_tensor x, tg_shape normalized_shape, tg_tensor weight, double eps) {
    return tg_row_norm(&tg_op_rms_norm, x, &normalized_shape, weight, TG_NULL, eps, false);
}

/* PyTorch: F.rms_norm(x, weight.shape, weight, eps) */
tg_tensor tg_rms_norm(tg_tensor x, tg_tensor weight, double eps) {
    return tg_row_norm(&tg_op_rms_norm, x, NULL, weight, TG_NULL, eps, false);
}
