/* layer_norm: y = h w + b with h = (x - mean) / std, std = sqrt(var + eps), mean and (biased) var over the last dim
 * (Ba, Kiros, Hinton 2016).
 * dw = sum over rows of dy h    db = sum over rows of dy
 * dx = (g - mean(g) - h mean(g h)) / std with g = dy w
 *
 * saved: per row mean and 1 / std. */
#include "core/kernels/rows.h"

#ifndef real
typedef struct layer_norm_attr {
    double eps;
} layer_norm_attr;
#endif

#ifdef real

static tg_status FN(forward)(tg_node *y) {
    int64_t n = y->size[y->ndim - 1];
    const real *x = y->in[0]->data, *w = y->in[1] ? y->in[1]->data : NULL, *b = y->in[2] ? y->in[2]->data : NULL;
    real *out = y->data, *saved = y->saved, eps = (real)((const layer_norm_attr *)y->attr)->eps;
    for (int64_t at = 0; at < y->numel; at += n, saved += 2) {
        real mean = FN(tg_row_sum)(n, x + at) / (real)n;
        real var = FN(tg_row_squares)(n, x + at, mean) / (real)n, scale = 1 / M(sqrt)(var + eps);
        for (int64_t j = 0; j < n; j++)
            out[at + j] = (x[at + j] - mean) * scale * (w ? w[j] : 1) + (b ? b[j] : 0);
        saved[0] = mean;
        saved[1] = scale;
    }
    return TG_OK;
}

/* h = (x - mean) / std and g = dy w of one row */
static void FN(row_parts)(const tg_node *y, int64_t row, int64_t n, real *h, real *g) {
    const real *x = (const real *)y->in[0]->data + row * n, *dy = (const real *)y->grad + row * n;
    const real *w = y->in[1] ? y->in[1]->data : NULL, *saved = (const real *)y->saved + 2 * row;
    for (int64_t j = 0; j < n; j++) {
        h[j] = (x[j] - saved[0]) * saved[1];
        g[j] = w ? dy[j] * w[j] : dy[j];
    }
}

static void FN(vjp_row)(const tg_node *y, int64_t row, int64_t n, real *dx, real *dw, real *db, real *h, real *g) {
    const real *dy = (const real *)y->grad + row * n;
    real scale = ((const real *)y->saved)[2 * row + 1];
    FN(row_parts)(y, row, n, h, g);
    real mean_g = FN(tg_row_sum)(n, g) / (real)n, mean_gh = FN(tg_row_dot)(n, g, h) / (real)n;
    for (int64_t j = 0; j < n && dx; j++)
        dx[row * n + j] += (g[j] - mean_g - h[j] * mean_gh) * scale;
    for (int64_t j = 0; j < n && dw; j++)
        dw[j] += dy[j] * h[j];
    for (int64_t j = 0; j < n && db; j++)
        db[j] += dy[j];
}

static tg_status FN(vjp)(tg_node *y) {
    int64_t n = y->size[y->ndim - 1];
    size_t bytes = 2 * (size_t)n * sizeof(real);
    real *d[3] = {0}, *scratch = tg_pool_get(y->tape, bytes);
    bool bad = !scratch;
    for (int i = 0; i < 3; i++)
        if (!bad && tg_wants(y, i))
            bad = !(d[i] = tg_grad_add(y, i));
    for (int64_t row = 0; !bad && row * n < y->numel; row++)
        FN(vjp_row)(y, row, n, d[0], d[1], d[2], scratch, scratch + n);
    for (int i = 0; i < 3; i++)
        tg_grad_close(y, i, d[i]);
    tg_pool_put(y->tape, scratch, bytes);
    return bad ? y->tape->status : TG_OK;
}

#else
#define TG_SELF "ops/layer_norm.c"
#include "core/twice.h"

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
    default: return TG_NULL;
    }
}

const tg_op tg_op_layer_norm = {.name = "layer_norm",
                                .forward = TG_BOTH(forward),
                                .vjp = TG_BOTH(vjp),
                                .needs = {TG_IN(0) | TG_IN(1), TG_IN(0)},
                                .probe = probe};

static bool is_row(const tg_node *w, int64_t n) { return !w || (w->ndim == 1 && w->size[0] == n); }

tg_tensor tg_layer_norm(tg_tensor x, tg_tensor weight, tg_tensor bias, double eps) {
    tg_node *in[3];
    tg_tensor operand[3] = {tg_contiguous(x), tg_contiguous(weight), tg_contiguous(bias)};
    tg_tape *t = tg_open("layer_norm", "fFF", 3, operand, in);
    if (!t)
        return TG_NULL;
    if (!in[0]->ndim)
        return tg_fail_null(t, TG_ERR_SHAPE, "layer_norm: x must have at least one dim");
    int64_t n = in[0]->size[in[0]->ndim - 1];
    for (int i = 1; i < 3; i++)
        if (!is_row(in[i], n))
            return tg_fail_null(t, TG_ERR_SHAPE, "layer_norm: %s %s does not fit x %s: it must be (%lld,)",
                                i == 1 ? "weight" : "bias", tg_node_text(in[i]).s, tg_node_text(in[0]).s, (long long)n);
    tg_shape shape = tg_shape_from(in[0]);
    tg_node *y = tg_node_new(t, &tg_op_layer_norm, 3, in, &shape, t->dtype, sizeof(layer_norm_attr));
    if (!y || !tg_node_save(y, n ? 2 * (y->numel / n) : 0))
        return TG_NULL;
    *(layer_norm_attr *)y->attr = (layer_norm_attr){eps};
    return tg_record(y);
}

#endif
