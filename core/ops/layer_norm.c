/* layer_norm: y = h w + b with h = (x - mean) / std, std = sqrt(var + eps), mean and (biased) var over a row: the last
 * dim or, for layer_norm_over, several (Ba, Kiros, Hinton 2016).
 * dw = sum over rows of dy h    db = sum over rows of dy
 * dx = (g - mean(g) - h mean(g h)) / std with g = dy w
 *
 * saved: per row mean and 1 / std. */
#include "core/kernels/layer_norm.h"

static void grad(const tg_node *y, tg_tensor dy, tg_tensor *dx) {
    double eps = ((const tg_layer_norm_attr *)y->attr)->eps;
    tg_tensor centered = tg_sub(tg_in(y, 0), tg_norm_mean(y, tg_in(y, 0)));
    tg_tensor one_over_std = tg_pow(tg_add_scalar(tg_norm_mean(y, tg_square(centered)), eps), -0.5);
    tg_tensor h = tg_mul(centered, one_over_std), g = y->in[1] ? tg_mul(dy, tg_in(y, 1)) : dy;
    if (tg_wants(y, 0))
        dx[0] = tg_mul(tg_sub(tg_sub(g, tg_norm_mean(y, g)), tg_mul(h, tg_norm_mean(y, tg_mul(g, h)))), one_over_std);
    if (y->in[1] && tg_wants(y, 1))
        dx[1] = tg_mul(dy, h);
    dx[2] = dy;
}

static tg_tensor probe(tg_tape *t, int variant) {
    tg_tensor w = tg_probe_leaf(t, TG_SHAPE(4)), b = tg_probe_leaf(t, TG_SHAPE(4));
    switch (variant) {
    case 0: return tg_layer_norm(tg_probe_leaf(t, TG_SHAPE(3, 4)), w, b, 1e-5);
    case 1: return tg_layer_norm(tg_probe_leaf(t, TG_SHAPE(2, 3, 5)), TG_NULL, TG_NULL, 1e-5);
    case 2: return tg_layer_norm(tg_transpose(tg_probe_leaf(t, TG_SHAPE(4, 3)), 0, 1), w, TG_NULL, 1e-5);
    case 3: return tg_layer_norm(tg_probe_leaf(t, TG_SHAPE(4)), TG_NULL, b, 0.1);
    case 4: return tg_layer_norm(tg_probe_leaf(t, TG_SHAPE(0, 4)), w, b, 1e-5);
    case 5: return tg_layer_norm(tg_probe_leaf(t, TG_SHAPE(3, 1)), TG_NULL, TG_NULL, 1e-5);
    case 6:
        w = tg_slice(tg_probe_leaf(t, TG_SHAPE(8)), 0, 0, 8, 2);
        return tg_layer_norm(tg_expand(tg_probe_leaf(t, TG_SHAPE(4)), TG_SHAPE(2, 4)), w, w, 1e-5);
    case 7:
        w = tg_probe_leaf(t, TG_SHAPE(2, 3));
        return tg_layer_norm_over(tg_probe_leaf(t, TG_SHAPE(2, 2, 3)), TG_SHAPE(2, 3), w,
                                  tg_probe_leaf(t, TG_SHAPE(2, 3)), 1e-5);
    case 8:
        w = tg_transpose(tg_probe_leaf(t, TG_SHAPE(3, 2)), 0, 1);
        return tg_layer_norm_over(tg_transpose(tg_probe_leaf(t, TG_SHAPE(3, 2)), 0, 1), TG_SHAPE(2, 3), w, TG_NULL,
                                  0.1);
    case 9: return tg_layer_norm_over(tg_probe_leaf(t, TG_SHAPE(2, 1, 1)), TG_SHAPE(1, 1), TG_NULL, TG_NULL, 1e-5);
    default: return TG_NULL;
    }
}

/* An element costs 1 for the mean, 3 for var, 1 for h, 1 for each of w and b; backward 1 for g, 3 for its means, 4 for
 * dx, 2 for dw and 1 for db. */
static double flops(const tg_node *y, int i) {
    double affine = (y->in[1] != NULL) + (y->in[2] != NULL);
    return (double)y->numel * (i < 0 ? 5 + affine : i == 0 ? 8 : i == 1 ? 2 : 1);
}

const tg_op tg_op_layer_norm = {.name = "layer_norm",
                                .forward = TG_BOTH(tg_layer_norm_forward),
                                .vjp = TG_BOTH(tg_layer_norm_vjp),
                                .needs = {TG_IN(0) | TG_IN(1), TG_IN(0)},
                                .flops = flops,
                                .grad = grad,
                                .probe = probe};

/* PyTorch: F.layer_norm(x, normalized_shape, weight, bias, eps) */
tg_tensor tg_layer_norm_over(tg_tensor x, tg_shape normalized_shape, tg_tensor weight, tg_tensor bias, double eps) {
    return tg_row_norm(&tg_op_layer_norm, x, &normalized_shape, weight, bias, eps, true);
}

/* PyTorch: F.layer_norm(x, weight.shape, weight, bias, eps) */
tg_tensor tg_layer_norm(tg_tensor x, tg_tensor weight, tg_tensor bias, double eps) {
    return tg_row_norm(&tg_op_layer_norm, x, NULL, weight, bias, eps, true);
}
