/* The calls of programs from elementary operations. */
#include "tests/fuzz/program_compose.h"

#include <math.h>
#include <string.h>

static int64_t elements(const tg_shape *s) {
    int64_t n = 1;
    for (int i = 0; i < s->ndim; i++)
        n *= s->size[i];
    return n;
}

/* erf, libm's */
static int erf_forward(const tg_call *c) {
    const double *x = c->input[0];
    double *y = c->output;
    for (int64_t j = 0, n = elements(c->output_shape); j < n; j++)
        y[j] = erf(x[j]);
    return 0;
}
static int erf_vjp(const tg_call *c) {
    const double *x = c->input[0], *dy = c->output_grad;
    double *dx = c->input_grad[0];
    for (int64_t j = 0, n = elements(c->output_shape); j < n; j++)
        dx[j] += dy[j] * exp(-x[j] * x[j]) * 1.1283791670955125739;
    return 0;
}
static const tg_custom_op slow_erf = {"slow_erf", NULL, NULL, erf_forward, erf_vjp};

static tg_tensor erf_by_hand(tg_tensor x) { return tg_custom(&slow_erf, &x, 1, tg_shape_of(x), NULL, 0); }

static tg_tensor softmax_by_hand(tg_tensor x, int dim) {
    if (tg_ndim(x) == 0)
        return tg_exp(tg_sub(x, x));
    tg_tensor e = tg_exp(tg_sub(x, tg_detach(tg_amax(x, TG_DIMS(dim), true))));
    return tg_div(e, tg_sum(e, TG_DIMS(dim), true));
}

tg_tensor not_masked(tg_tensor mask) { return tg_to_float(tg_logical_not(mask)); }

static double largest_of(const double *v, int64_t n) {
    double largest = 0;
    for (int64_t i = 0; i < n; i++)
        largest = fmax(largest, fabs(v[i]));
    return largest;
}

static double moved_by_noise(double v, double largest, grain *g) {
    return v + g->e * (v * (2 * uniform(&g->random) - 1) + largest * (2 * uniform(&g->random) - 1));
}

static int noise_in_gradient(void *grad, int64_t n, tg_tensor x, void *context) {
    (void)x;
    double *v = grad, largest = largest_of(v, n);
    for (int64_t i = 0; i < n; i++)
        v[i] = moved_by_noise(v[i], largest, context);
    return 0;
}

tg_tensor with_noisy_gradient(tg_tensor x, grain *g) {
    return g->e > 0 && tg_requires_grad(x) && tg_register_hook(x, noise_in_gradient, g) ? TG_NULL : x;
}

tg_tensor with_noise(tg_tensor x, grain *g) {
    if (g->e == 0)
        return x;
    tg_tensor whole = tg_contiguous(x), difference = tg_zeros(x.tape, tg_shape_of(x));
    const double *v = tg_const_data(whole);
    double *d = tg_data(difference), largest = v ? largest_of(v, tg_numel(x)) : 0;
    for (int64_t i = 0, n = tg_numel(x); i < n && v && d; i++)
        d[i] = moved_by_noise(v[i], largest, g) - v[i];
    if (!v || !d)
        return x;
    return with_noisy_gradient(tg_add(x, difference), g);
}

tg_tensor layer_norm_by_hand(const step *s, const tg_tensor *in) {
    tg_tensor x = in[0], centred = tg_sub(x, tg_mean(x, TG_DIMS(-1), true));
    tg_tensor var = tg_mean(tg_mul(centred, centred), TG_DIMS(-1), true);
    tg_tensor y = tg_div(centred, tg_sqrt(tg_add_scalar(var, s->c[0])));
    y = tg_is_null(in[1]) ? y : tg_mul(y, in[1]);
    return tg_is_null(in[2]) ? y : tg_add(y, in[2]);
}

/* Where x is far below 0, 1 + erf is what rounding of erf leaves. */
tg_tensor gelu_by_hand(tg_tensor x, grain *g) {
    tg_tensor twice = tg_add_scalar(with_noise(erf_by_hand(tg_mul_scalar(x, sqrt(0.5))), g), 1);
    return tg_mul_scalar(tg_mul(x, twice), 0.5);
}

tg_tensor linear_by_hand(tg_tensor x, tg_tensor w, tg_tensor b) {
    tg_tensor y = tg_matmul(x, tg_transpose(w, 0, 1));
    return tg_is_null(b) ? y : tg_add(y, b);
}

static tg_tensor reduced(tg_tensor each, int64_t reduction, double n) {
    if (reduction == TG_NONE)
        return each;
    tg_tensor sum = tg_sum(each, TG_ALL_DIMS, false);
    return reduction == TG_MEAN ? tg_div_scalar(sum, n) : sum;
}

/* One-hot rows of targets; those to be ignored are zeros. */
static tg_tensor one_hot(tg_tape *t, tg_tensor ids, int64_t n, int64_t ignore, double *counted) {
    static int64_t id[MAX_LEAF];
    int64_t many = tg_numel(ids);
    tg_shape shape = tg_shape_of(ids);
    shape.size[shape.ndim++] = n;
    tg_tensor hot = tg_zeros(t, shape);
    if (many > MAX_LEAF || shape.ndim > TG_MAX_DIMS || tg_read_ints(ids, id, many))
        return TG_NULL;
    double *h = tg_data(hot);
    *counted = 0;
    for (int64_t i = 0; h && i < many; i++)
        if (id[i] != ignore) {
            h[i * n + id[i]] = 1;
            ++*counted;
        }
    return hot;
}

static tg_tensor cross_entropy_by_hand(tg_tape *t, const step *s, const tg_tensor *in) {
    double counted = 0;
    tg_tensor hot = one_hot(t, in[1], tg_size(in[0], -1), s->k[0], &counted);
    if (tg_is_null(hot))
        return TG_NULL;
    tg_tensor p = softmax_by_hand(in[0], -1); /* p = 0 only where a value is far below the largest */
    tg_tensor each = tg_neg(tg_sum(tg_mul(tg_log(tg_maximum(p, tg_scalar(t, 1e-300))), hot), TG_DIMS(-1), false));
    return reduced(each, s->k[1], counted);
}

static tg_tensor gelu_tanh_by_hand(tg_tensor x, grain *g) {
    tg_tensor cube = tg_mul(x, tg_mul(x, x));
    tg_tensor u = tg_mul_scalar(tg_add(x, tg_mul_scalar(cube, 0.044715)), sqrt(2 / 3.14159265358979323846));
    return tg_mul_scalar(tg_mul(x, tg_add_scalar(with_noise(tg_tanh(u), g), 1)), 0.5);
}

static tg_tensor weighted_cross_entropy_by_hand(tg_tape *t, const step *s, const tg_tensor *in) {
    double counted = 0, C = (double)tg_size(in[0], -1);
    tg_tensor hot = one_hot(t, in[1], tg_size(in[0], -1), s->k[0], &counted);
    if (tg_is_null(hot))
        return TG_NULL;
    tg_tensor w = tg_is_null(in[2]) ? tg_ones(t, TG_SHAPE(tg_size(in[0], -1))) : tg_to_float(in[2]);
    tg_tensor mine = tg_mul(hot, w), counts = tg_sum(hot, TG_DIMS(-1), true);
    tg_tensor share = tg_mul_scalar(mine, 1 - s->c[0]);
    share = tg_add(share, tg_mul(counts, tg_mul_scalar(w, s->c[0] / C)));
    tg_tensor log_p = tg_log(tg_maximum(softmax_by_hand(in[0], -1), tg_scalar(t, 1e-300)));
    tg_tensor each = tg_neg(tg_sum(tg_mul(log_p, share), TG_DIMS(-1), false));
    return reduced(each, s->k[1], tg_item(tg_sum(mine, TG_ALL_DIMS, false)));
}

/* The n x n matrix that turns a row of channels about its pairs: (a, b) becomes (-b, a). */
static tg_tensor quarter_turn(tg_tape *t, int64_t n, int64_t dims, bool interleaved) {
    tg_tensor m = tg_zeros(t, TG_SHAPE(n, n));
    double *v = tg_data(m);
    for (int64_t i = 0; v && i < dims / 2; i++) {
        int64_t a = interleaved ? 2 * i : i, b = interleaved ? 2 * i + 1 : i + dims / 2;
        v[b * n + a] = -1;
        v[a * n + b] = 1;
    }
    return m;
}

/* x cos + (x turned) sin, with an angle for each token and channel; the channels that stay have 0. */
static tg_tensor rope_by_hand(tg_tape *t, const step *s, tg_tensor x) {
    int64_t T = tg_size(x, -2), n = tg_size(x, -1), dims = s->k[0] ? s->k[0] : n;
    tg_tensor cosine = tg_ones(t, TG_SHAPE(T, n)), sine = tg_zeros(t, TG_SHAPE(T, n));
    double *c = tg_data(cosine), *d = tg_data(sine);
    for (int64_t p = 0; c && d && p < T; p++)
        for (int64_t j = 0; j < dims; j++) {
            int64_t pair = s->flag ? j / 2 : j % (dims / 2);
            double angle = (double)(s->k[1] + p) / pow(s->c[0], 2 * (double)pair / (double)dims);
            c[p * n + j] = cos(angle);
            d[p * n + j] = sin(angle);
        }
    return tg_add(tg_mul(x, cosine), tg_mul(tg_matmul(x, quarter_turn(t, n, dims, s->flag)), sine));
}

/* dim and the last one exchanged */
static tg_tensor turned(tg_tensor x, int dim) { return tg_ndim(x) ? tg_transpose(x, dim, -1) : x; }

static tg_tensor cumsum_by_hand(tg_tape *t, tg_tensor x, int dim) {
    if (tg_ndim(x) == 0)
        return tg_clone(x);
    int64_t n = tg_size(x, dim);
    return turned(tg_matmul(turned(x, dim), tg_triu(tg_ones(t, TG_SHAPE(n, n)), 0)), dim);
}

static tg_tensor index_add_by_hand(tg_tape *t, const step *s, const tg_tensor *in) {
    double counted;
    int dim = (int)s->k[0];
    tg_tensor hot = one_hot(t, in[1], tg_size(in[0], dim), INT64_MIN, &counted);
    return tg_is_null(hot) ? TG_NULL : tg_add(in[0], turned(tg_matmul(turned(in[2], dim), hot), dim));
}

/* Where source is as large as x but for dim: each of its elements times a one-hot row, added up. */
static tg_tensor scatter_add_by_hand(tg_tape *t, const step *s, const tg_tensor *in) {
    double counted;
    tg_shape x = tg_shape_of(in[0]), source = tg_shape_of(in[2]);
    int dim = (int)s->k[0] < 0 ? (int)s->k[0] + x.ndim : (int)s->k[0];
    bool fits = x.ndim > 0 && x.ndim < TG_MAX_DIMS;
    for (int i = 0; i < x.ndim && fits; i++)
        fits = i == dim || x.size[i] == source.size[i];
    tg_tensor hot = fits ? one_hot(t, in[1], x.size[dim], INT64_MIN, &counted) : TG_NULL;
    if (tg_is_null(hot))
        return TG_NULL;
    tg_tensor sum = tg_sum(tg_mul(tg_unsqueeze(in[2], -1), hot), TG_DIMS(dim), true);
    return tg_add(in[0], tg_squeeze(tg_transpose(sum, dim, -1), x.ndim));
}

/* x with its elements along dim in this order: from, from + by, ..., around the end */
static tg_tensor reordered(tg_tape *t, tg_tensor x, int dim, int64_t from, int64_t by) {
    static int64_t id[MAX_LEAF];
    int64_t n = tg_size(x, dim);
    for (int64_t i = 0; i < n; i++)
        id[i] = ((from + i * by) % n + n) % n;
    return tg_index_select(x, dim, tg_from_ints(t, TG_SHAPE(n), id));
}

static tg_tensor flip_by_hand(tg_tape *t, const step *s, tg_tensor x) {
    int n = s->dims.ndim < 0 ? tg_ndim(x) : s->dims.ndim;
    x = tg_clone(x);
    for (int i = 0; i < n; i++)
        x = reordered(t, x, s->dims.ndim < 0 ? i : s->dims.dim[i], -1, -1);
    return x;
}

static tg_tensor repeat_by_hand(const step *s, tg_tensor x) {
    tg_tensor parts[4];
    x = tg_clone(x);
    while (tg_ndim(x) < s->shape.ndim)
        x = tg_unsqueeze(x, 0);
    for (int i = 0; i < s->shape.ndim; i++) {
        for (int k = 0; k < 4; k++)
            parts[k] = x;
        x = s->shape.size[i] ? tg_cat(parts, (int)s->shape.size[i], i) : tg_slice(x, i, 0, 0, 1);
    }
    return x;
}

/* Over one dim: its slices multiplied. */
static tg_tensor prod_by_hand(const step *s, tg_tensor x) {
    int64_t n = s->dims.ndim == 1 ? tg_size(x, s->dims.dim[0]) : 0;
    if (n < 1)
        return TG_NULL;
    tg_tensor y = tg_slice(x, s->dims.dim[0], 0, 1, 1);
    for (int64_t i = 1; i < n; i++)
        y = tg_mul(y, tg_slice(x, s->dims.dim[0], i, i + 1, 1));
    return s->flag ? y : tg_squeeze(y, s->dims.dim[0]);
}

static bool all_above(tg_tensor x, double bound) {
    static double v[MAX_LEAF];
    int64_t n = tg_numel(x);
    bool good = n <= MAX_LEAF && !tg_read_doubles(x, v, n);
    for (int64_t i = 0; i < n && good; i++)
        good = v[i] > bound;
    return good;
}

/* Powers, which have no slope at 0. */
static tg_tensor norm_by_hand(const step *s, tg_tensor x) {
    double p = s->c[0];
    tg_tensor a = tg_abs(x);
    if (isinf(p))
        return tg_numel(x) ? tg_amax(a, s->dims, s->flag) : TG_NULL;
    if (p == 1)
        return tg_sum(a, s->dims, s->flag);
    tg_tensor sum = tg_sum(tg_pow(a, p), s->dims, s->flag);
    return all_above(p < 2 ? a : sum, 1e-3) ? tg_pow(sum, 1 / p) : TG_NULL;
}

static tg_tensor std_by_hand(const step *s, tg_tensor x) {
    tg_tensor var = tg_var(x, s->dims, s->c[0], s->flag);
    return all_above(var, 1e-3) ? tg_sqrt(var) : TG_NULL;
}

static tg_tensor huber_by_hand(const step *s, const tg_tensor *in) {
    tg_tensor e = tg_sub(in[0], in[1]), cut = tg_clamp(e, -s->c[0], s->c[0]);
    tg_tensor each = tg_sub(tg_mul(cut, e), tg_mul_scalar(tg_square(cut), 0.5));
    return reduced(each, s->k[0], (double)tg_numel(e));
}

/* Where x is one of two different bounds half of it is taken from each; where all three are equal, high. */
static tg_tensor clamp_tensor_by_hand(const tg_tensor *in) {
    tg_tensor x = in[0], low = in[1], high = in[2];
    tg_tensor ordered = tg_lt(low, high), is_low = tg_eq(x, low), equal = tg_logical_and(is_low, tg_eq(low, high));
    tg_tensor from_high = tg_logical_or(tg_logical_or(tg_gt(x, high), tg_gt(low, high)), equal);
    tg_tensor half_low = tg_mul_scalar(tg_add(x, low), 0.5), half_high = tg_mul_scalar(tg_add(x, high), 0.5);
    tg_tensor inside = tg_where(tg_logical_and(ordered, is_low), half_low,
                                tg_where(tg_logical_and(ordered, tg_eq(x, high)), half_high, x));
    return tg_where(from_high, high, tg_where(tg_lt(x, low), low, inside));
}

static tg_tensor picked(tg_tensor x, const step *s, tg_tensor index) {
    tg_tensor y = tg_gather(x, (int)s->k[0], index);
    return s->flag ? y : tg_squeeze(y, (int)s->k[0]);
}

static tg_tensor compose_special(tg_tape *t, const step *s, const tg_tensor *in, grain *g) {
    switch (kinds[s->kind].special) {
    case VAR: {
        tg_tensor c = tg_sub(in[0], tg_mean(in[0], s->dims, true));
        tg_tensor sum = tg_sum(tg_mul(c, c), s->dims, s->flag);
        double n = (double)tg_numel(in[0]) / (double)tg_numel(sum);
        return tg_div_scalar(sum, n - s->c[0]);
    }
    case LINEAR: return linear_by_hand(in[0], in[1], in[2]);
    case LAYER_NORM: return tg_size(in[0], -1) ? layer_norm_by_hand(s, in) : TG_NULL;
    case CROSS_ENTROPY: return cross_entropy_by_hand(t, s, in);
    case MSE_LOSS: {
        tg_tensor d = tg_sub(in[0], in[1]);
        return reduced(tg_mul(d, d), s->k[0], (double)tg_numel(in[0]));
    }
    case ATTENTION: return attention_by_hand(t, s, in, g);
    case ATTENTION_WITH: return attention_with_by_hand(t, s, in, g);
    case MULTIHEAD: return multihead_by_hand(t, s, in, g);
    case NN_ATTENTION: return plain_attention_by_hand(t, s, in, g);
    case ADDITIVE: return additive_by_hand(t, s, in, g);
    case LORA: return lora_by_hand(s, in);
    case ENCODER_LAYER: return encoder_layer_by_hand(t, s, in, g);
    case WHERE: return tg_add(tg_mul(in[1], tg_to_float(in[0])), tg_mul(in[2], not_masked(in[0])));
    case MASKED_FILL: return tg_add(tg_mul(in[0], not_masked(in[1])), tg_mul_scalar(tg_to_float(in[1]), s->c[0]));
    case MASKED_SOFTMAX: {
        bool empty = tg_numel(in[0]) == 0;
        return empty ? TG_NULL : masked_softmax_by_hand(in[0], not_masked(in[1]), (int)s->k[0], g);
    }
    case EMBEDDING: {
        double counted;
        tg_tensor hot = one_hot(t, in[1], tg_size(in[0], 0), INT64_MIN, &counted);
        return tg_is_null(hot) || tg_ndim(in[1]) == 0 ? TG_NULL : tg_matmul(hot, in[0]);
    }
    case EXPAND: {
        tg_shape shape = s->shape, x = tg_shape_of(in[0]);
        for (int i = 0; i < x.ndim; i++)
            if (shape.size[i + shape.ndim - x.ndim] < 0)
                shape.size[i + shape.ndim - x.ndim] = x.size[i];
        return tg_add(tg_zeros(t, shape), in[0]);
    }
    case STACK: {
        tg_tensor part[MAX_OPERANDS];
        tg_shape shape = tg_shape_of(in[0]);
        int dim = (int)s->k[0] < 0 ? (int)s->k[0] + shape.ndim + 1 : (int)s->k[0];
        for (int i = shape.ndim++; i > dim; i--)
            shape.size[i] = shape.size[i - 1];
        shape.size[dim] = 1;
        for (int i = 0; i < s->n_in; i++)
            part[i] = tg_reshape(in[i], shape);
        return tg_cat(part, s->n_in, dim);
    }
    case STD: return std_by_hand(s, in[0]);
    case NORM: return norm_by_hand(s, in[0]);
    case ARGMIN: return tg_argmax(tg_neg(in[0]), (int)s->k[0], s->flag);
    case MAX_DIM: return tg_ndim(in[0]) ? picked(in[0], s, tg_argmax(in[0], (int)s->k[0], true)) : TG_NULL;
    case MIN_DIM: return tg_ndim(in[0]) ? picked(in[0], s, tg_argmin(in[0], (int)s->k[0], true)) : TG_NULL;
    case SORT: return tg_gather(in[0], (int)s->k[0], tg_argsort(in[0], (int)s->k[0], s->flag));
    case TOPK:
        return tg_ndim(in[0]) ? tg_slice(tg_sort(in[0], (int)s->k[0], s->flag, NULL), (int)s->k[0], 0, s->k[1], 1)
                              : TG_NULL;
    case FLIP: return flip_by_hand(t, s, in[0]);
    case ROLL: return tg_ndim(in[0]) ? reordered(t, in[0], (int)s->k[0], -s->k[1], 1) : TG_NULL;
    case REPEAT: return repeat_by_hand(s, in[0]);
    case RMS_NORM: {
        tg_tensor size = tg_sqrt(tg_add_scalar(tg_mean(tg_square(in[0]), TG_DIMS(-1), true), s->c[0]));
        tg_tensor y = tg_div(in[0], size);
        return tg_is_null(in[1]) ? y : tg_mul(y, in[1]);
    }
    case ROPE: return rope_by_hand(t, s, in[0]);
    case INDEX_ADD: return index_add_by_hand(t, s, in);
    case SCATTER_ADD: return scatter_add_by_hand(t, s, in);
    case CROSS_ENTROPY_WITH: return weighted_cross_entropy_by_hand(t, s, in);
    case L1_LOSS: return reduced(tg_abs(tg_sub(in[0], in[1])), s->k[0], (double)tg_numel(in[0]));
    case HUBER_LOSS: return huber_by_hand(s, in);
    case BCE_WITH_LOGITS: {
        tg_tensor each = tg_sub(tg_log(tg_add_scalar(tg_exp(in[0]), 1)), tg_mul(in[0], in[1]));
        return reduced(each, s->k[0], (double)tg_numel(in[0]));
    }
    case KL_DIV: {
        tg_tensor each = tg_mul(in[1], tg_sub(tg_log(in[1]), in[0]));
        return reduced(each, s->k[0], (double)tg_numel(in[0]));
    }
    case CLAMP_TENSOR: return clamp_tensor_by_hand(in);
    case BIAS_GELU: return gelu_by_hand(tg_add(in[0], in[1]), g);
    case CUSTOM: return tg_mul(in[0], tg_exp(tg_neg(tg_mul(in[1], in[1]))));
    default: return TG_NULL;
    }
}

static bool is(const step *s, const char *name) {
    const char *a = kinds[s->kind].name;
    while (*a && *a == *name)
        a++, name++;
    return *a == *name;
}

tg_tensor compose_step(tg_tape *t, const step *s, const tg_tensor *x, grain *g) {
    tg_tensor in[MAX_OPERANDS];
    operands(s, x, in);
    bool empty = s->n_in && s->in[0] >= 0 && tg_numel(in[0]) == 0;
    if (s->n_in && s->in[0] >= 0 && tg_dtype_of(in[0]) != TG_F64 && kinds[s->kind].special != WHERE)
        return TG_NULL;
    if (is(s, "softmax") && !empty)
        return softmax_by_hand(in[0], (int)s->k[0]);
    if (is(s, "log_softmax") && !empty)
        return tg_log(softmax_by_hand(in[0], (int)s->k[0]));
    if (is(s, "logsumexp") && !empty)
        return tg_log(tg_sum(tg_exp(in[0]), s->dims, s->flag));
    if (is(s, "gelu"))
        return gelu_by_hand(in[0], g);
    if (is(s, "gelu_tanh"))
        return gelu_tanh_by_hand(in[0], g);
    if (is(s, "sigmoid"))
        return tg_rdiv_scalar(1, tg_add_scalar(tg_exp(tg_neg(in[0])), 1));
    if (is(s, "silu"))
        return tg_div(in[0], tg_add_scalar(tg_exp(tg_neg(in[0])), 1));
    if (is(s, "tanh"))
        return tg_sub_scalar(tg_rdiv_scalar(2, tg_add_scalar(tg_exp(tg_mul_scalar(in[0], -2)), 1)), 1);
    if (is(s, "square"))
        return tg_mul(in[0], in[0]);
    if (is(s, "sqrt"))
        return tg_pow(in[0], 0.5);
    if (is(s, "pow"))
        return tg_exp(tg_mul_scalar(tg_log(in[0]), s->c[0]));
    if (is(s, "sub"))
        return tg_add(in[0], tg_neg(in[1]));
    if (is(s, "div"))
        return tg_mul(in[0], with_noise(tg_rdiv_scalar(1, in[1]), g)); /* where both are x its gradients cancel */
    if (is(s, "minimum"))
        return tg_neg(tg_maximum(tg_neg(in[0]), tg_neg(in[1])));
    if (is(s, "amin"))
        return tg_neg(tg_amax(tg_neg(in[0]), s->dims, s->flag));
    if (is(s, "mean") && !empty) {
        tg_tensor sum = tg_sum(in[0], s->dims, s->flag);
        return tg_mul_scalar(sum, (double)tg_numel(sum) / (double)tg_numel(in[0]));
    }
    if (is(s, "log1p"))
        return tg_log(tg_add_scalar(in[0], 1));
    if (is(s, "expm1"))
        return tg_sub_scalar(tg_exp(in[0]), 1);
    if (is(s, "rsqrt"))
        return tg_rdiv_scalar(1, tg_sqrt(in[0]));
    if (is(s, "sin"))
        return tg_mul_scalar(tg_mul(tg_sin(tg_mul_scalar(in[0], 0.5)), tg_cos(tg_mul_scalar(in[0], 0.5))), 2);
    if (is(s, "cos"))
        return tg_rsub_scalar(1, tg_mul_scalar(tg_square(tg_sin(tg_mul_scalar(in[0], 0.5))), 2));
    if (is(s, "erf"))
        return erf_by_hand(in[0]);
    if (is(s, "softplus"))
        return tg_log1p(tg_exp(in[0]));
    if (is(s, "leaky_relu"))
        return tg_where(tg_gt(in[0], tg_scalar(t, 0)), in[0], tg_mul_scalar(in[0], s->c[0]));
    if (is(s, "elu"))
        return tg_where(tg_gt(in[0], tg_scalar(t, 0)), in[0], tg_mul_scalar(tg_sub_scalar(tg_exp(in[0]), 1), s->c[0]));
    if (is(s, "pow_tensor"))
        return tg_exp(tg_mul(in[1], tg_log(in[0])));
    if (is(s, "swiglu"))
        return tg_mul(tg_silu(in[0]), in[1]);
    if (is(s, "cumsum"))
        return cumsum_by_hand(t, in[0], (int)s->k[0]);
    if (is(s, "prod"))
        return prod_by_hand(s, in[0]);
    if (is(s, "any"))
        return tg_to_bool(tg_sum(tg_to_float(tg_to_bool(in[0])), s->dims, s->flag));
    if (is(s, "all"))
        return tg_logical_not(tg_to_bool(tg_sum(not_masked(tg_to_bool(in[0])), s->dims, s->flag)));
    return kinds[s->kind].form == SPECIAL ? compose_special(t, s, in, g) : TG_NULL;
}
