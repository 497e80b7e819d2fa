/* Attention and its layers from elementary operations; TG_NULL when there is no other way. */
#include "tests/fuzz/program_compose.h"

#include <math.h>

/* softmax where a row may have nothing to see: the weights are multiplied by 0 and 1, not filled with -inf. The largest
 * is that of what is seen; what is not may be far above it. Noise on x, the scores of an attention: what rounding takes
 * from one of 40 is much for its weight. And on the parts' gradients: where one weight is 1 they cancel, and what
 * rounding leaves is not small beside that. */
tg_tensor masked_softmax_by_hand(tg_tensor from, tg_tensor visible, int dim, grain *g) {
    tg_tensor x = with_noise(from, g);
    tg_dims d = tg_ndim(x) ? TG_DIMS(dim) : TG_ALL_DIMS;
    tg_tensor seen = tg_mul(tg_detach(x), visible), hidden = tg_sub(visible, tg_ones(x.tape, tg_shape_of(visible)));
    tg_tensor most = tg_amax(tg_add(seen, tg_mul_scalar(hidden, 1e30)), d, true);
    tg_tensor e = with_noisy_gradient(tg_mul(tg_exp(tg_clamp(tg_sub(x, most), -1e30, 0)), visible), g);
    tg_tensor sum = with_noisy_gradient(tg_sum(e, d, true), g);
    return with_noise(tg_div(e, tg_add(sum, tg_to_float(tg_eq(sum, tg_mul_scalar(sum, 0))))), g);
}

static bool drops(const tg_tape *t, const step *s, const grain *g) {
    return s->c[0] != 0 && tg_is_training(t) && !g->undropped;
}

tg_tensor attention_by_hand(tg_tape *t, const step *s, const tg_tensor *in, grain *g) {
    tg_tensor q = in[0], k = in[1], v = in[2], mask = in[3];
    int64_t d = tg_size(q, -1), T = tg_size(q, -2), S = tg_size(k, -2);
    if (drops(t, s, g) || T == 0 || S == 0)
        return TG_NULL;
    double scale = s->c[1] != 0 ? s->c[1] : d ? 1 / sqrt((double)d) : 1;
    tg_tensor score = tg_mul_scalar(tg_matmul(q, tg_transpose(k, -2, -1)), scale);
    tg_tensor visible = tg_ones(t, TG_SHAPE(T, S));
    if (!tg_is_null(mask) && tg_dtype_of(mask) == TG_BOOL)
        visible = tg_mul(visible, tg_to_float(mask));
    else if (!tg_is_null(mask))
        score = tg_add(score, mask);
    if (s->flag)
        visible = tg_tril(tg_contiguous(visible), 0);
    return tg_matmul(masked_softmax_by_hand(score, visible, -1, g), v);
}

/* k or v with each head as often as queries share it */
static tg_tensor shared_heads(tg_tensor x, int64_t heads) {
    tg_shape shape = tg_shape_of(x), wide, all = shape;
    int at = shape.ndim - 3;
    int64_t have = shape.size[at];
    wide = shape;
    for (int i = wide.ndim++; i > at + 1; i--)
        wide.size[i] = wide.size[i - 1];
    wide.size[at + 1] = 1;
    tg_tensor one = tg_reshape(x, wide);
    wide.size[at + 1] = heads / have;
    all.size[at] = heads;
    return tg_reshape(tg_contiguous(tg_expand(one, wide)), all);
}

/* Two keys are of one document when all from one to the other have the same number. */
static bool one_document(const int64_t *number, int64_t a, int64_t b) {
    bool same = true;
    for (int64_t j = a < b ? a : b; j < (a < b ? b : a); j++)
        same &= number[j] == number[j + 1];
    return same;
}

/* (N or 1, ones, T, S): 1 where causal, window and documents leave a key to a query; far: (T, S), |i - j|. */
static tg_tensor places_seen(tg_tape *t, const step *s, tg_tensor q, int64_t S, tg_tensor documents, double *far) {
    static int64_t number[MAX_LEAF];
    tg_shape shape = tg_shape_of(q);
    int64_t T = shape.size[shape.ndim - 2], N = tg_is_null(documents) || tg_ndim(documents) == 1 ? 1 : shape.size[0];
    for (int i = 0; i < shape.ndim - 2; i++)
        shape.size[i] = i ? 1 : N;
    shape.size[shape.ndim - 1] = S;
    tg_tensor seen = tg_zeros(t, shape);
    double *to = tg_data(seen);
    if (!tg_is_null(documents) && tg_read_ints(documents, number, tg_numel(documents)))
        return TG_NULL;
    for (int64_t at = 0; to && at < N * T * S; at++) {
        int64_t n = at / (T * S), i = at / S % T + s->k[0], j = at % S, distance = i < j ? j - i : i - j;
        far[at % (T * S)] = (double)distance;
        to[at] = (!s->flag || j <= i) && (!s->k[1] || distance < s->k[1]) &&
                 (tg_is_null(documents) || one_document(number + n * S, i, j));
    }
    return seen;
}

tg_tensor attention_with_by_hand(tg_tape *t, const step *s, const tg_tensor *in, grain *g) {
    static double far[MAX_LEAF];
    int64_t d = tg_size(in[0], -1), T = tg_size(in[0], -2), S = tg_size(in[1], -2), heads = tg_size(in[0], -3);
    if (T * S == 0 || T * S > MAX_LEAF || heads == 0 || tg_numel(in[0]) + tg_numel(in[2]) == 0)
        return TG_NULL;
    tg_tensor q = in[0], k = shared_heads(in[1], heads), v = shared_heads(in[2], heads);
    double scale = s->c[1] != 0 ? s->c[1] : d ? 1 / sqrt((double)d) : 1;
    tg_tensor score = tg_mul_scalar(tg_matmul(q, tg_transpose(k, -2, -1)), scale);
    tg_tensor seen = places_seen(t, s, q, S, in[6], far);
    if (s->c[0] != 0)
        score = tg_mul_scalar(tg_tanh(tg_div_scalar(score, s->c[0])), s->c[0]);
    if (!tg_is_null(in[4]))
        score =
            tg_sub(score, tg_mul(tg_reshape(in[4], TG_SHAPE(heads, 1, 1)), tg_from_doubles(t, TG_SHAPE(T, S), far)));
    if (!tg_is_null(in[3]) && tg_dtype_of(in[3]) == TG_BOOL)
        seen = tg_mul(seen, tg_to_float(in[3]));
    else if (!tg_is_null(in[3]))
        score = tg_add(score, in[3]);
    if (tg_is_null(in[5]))
        return tg_matmul(masked_softmax_by_hand(score, seen, -1, g), v);
    /* a sink is a key that all see and that has no value */
    tg_shape column = tg_shape_of(score);
    column.size[column.ndim - 1] = 1;
    tg_tensor sink = tg_expand(tg_reshape(in[5], TG_SHAPE(heads, 1, 1)), column);
    tg_tensor sees = tg_cat((tg_tensor[]){tg_expand(seen, tg_shape_of(score)), tg_ones(t, column)}, 2, -1);
    tg_tensor weights = masked_softmax_by_hand(tg_cat((tg_tensor[]){score, sink}, 2, -1), sees, -1, g);
    return tg_matmul(tg_slice(weights, -1, 0, S, 1), v);
}

/* x times some rows of w, with those of a bias that begin behind from */
static tg_tensor projected(tg_tensor x, tg_tensor w, int64_t row, tg_tensor bias, int64_t from, int64_t n) {
    tg_tensor y = tg_matmul(x, tg_transpose(tg_slice(w, 0, row, row + n, 1), 0, 1));
    return tg_is_null(bias) ? y : tg_add(y, tg_slice(bias, 0, from + row, from + row + n, 1));
}

/* A mask as one head has it. */
static tg_tensor of_head(tg_tensor mask, tg_tensor q, int64_t head) {
    if (tg_is_null(mask) || tg_ndim(mask) != tg_ndim(q) + 1)
        return mask;
    return tg_select(mask, -3, tg_size(mask, -3) == 1 ? 0 : head);
}

/* The weights (..., T, S) of these scores with masks that hide, as nn has them; padding broadcasts already. */
static tg_tensor weights_of(tg_tape *t, tg_tensor score, tg_tensor padding, tg_tensor mask, bool causal, grain *g) {
    tg_tensor visible = tg_ones(t, tg_shape_of(score));
    if (!tg_is_null(padding))
        visible = tg_mul(visible, not_masked(padding));
    if (!tg_is_null(mask) && tg_dtype_of(mask) == TG_BOOL)
        visible = tg_mul(visible, not_masked(mask));
    else if (!tg_is_null(mask))
        score = tg_add(score, mask);
    return masked_softmax_by_hand(score, causal ? tg_tril(visible, 0) : visible, -1, g);
}

static tg_tensor scores_of(tg_tensor q, tg_tensor k) {
    return tg_div_scalar(tg_matmul(q, tg_transpose(k, -2, -1)), sqrt((double)tg_size(q, -1)));
}

/* (S), or (B, S) for weights of this many dims */
static tg_tensor padding_for(tg_tensor padding, int ndim) {
    for (int i = 2; i < ndim && !tg_is_null(padding) && tg_ndim(padding) > 1 && tg_ndim(padding) < ndim; i++)
        padding = tg_unsqueeze(padding, 1);
    return padding;
}

/* Head by head. */
tg_tensor multihead_by_hand(tg_tape *t, const step *s, const tg_tensor *in, grain *g) {
    tg_tensor part[8], weights[8];
    int64_t E = tg_size(in[0], -1), d = E / s->k[0], kv = d * s->k[1];
    bool one = tg_is_null(in[4]);
    if (drops(t, s, g) || tg_numel(in[0]) == 0 || tg_numel(in[1]) == 0)
        return TG_NULL;
    for (int64_t h = 0; h < s->k[0]; h++) {
        int64_t shared = h / (s->k[0] / s->k[1]) * d;
        tg_tensor q = projected(in[0], in[3], h * d, in[6], 0, d);
        tg_tensor k =
            one ? projected(in[1], in[3], E + shared, in[6], 0, d) : projected(in[1], in[4], shared, in[6], E, d);
        tg_tensor v = one ? projected(in[2], in[3], E + kv + shared, in[6], 0, d)
                          : projected(in[2], in[5], shared, in[6], E + kv, d);
        weights[h] =
            weights_of(t, scores_of(q, k), padding_for(in[9], tg_ndim(q)), of_head(in[10], in[0], h), s->flag, g);
        part[h] = tg_matmul(weights[h], v);
    }
    if (s->k[2] == 2)
        return tg_stack(weights, (int)s->k[0], -3);
    tg_tensor y = tg_matmul(tg_cat(part, (int)s->k[0], -1), tg_transpose(in[7], 0, 1));
    return tg_is_null(in[8]) ? y : tg_add(y, in[8]);
}

tg_tensor plain_attention_by_hand(tg_tape *t, const step *s, const tg_tensor *in, grain *g) {
    if (tg_numel(in[0]) == 0 || tg_numel(in[1]) == 0)
        return TG_NULL;
    tg_tensor w = weights_of(t, scores_of(in[0], in[1]), padding_for(in[3], tg_ndim(in[0])), in[4], s->flag, g);
    return s->k[2] == 2 ? w : tg_matmul(w, in[2]);
}

/* tanh x = 2 sigmoid 2x - 1 */
tg_tensor additive_by_hand(tg_tape *t, const step *s, const tg_tensor *in, grain *g) {
    if (tg_numel(in[0]) == 0 || tg_numel(in[1]) == 0)
        return TG_NULL;
    tg_tensor of_h = tg_unsqueeze(linear_by_hand(in[1], in[2], in[3]), -3);
    tg_tensor sum = tg_add(of_h, tg_unsqueeze(linear_by_hand(in[0], in[4], in[5]), -2));
    tg_tensor z = tg_sub_scalar(tg_mul_scalar(tg_sigmoid(tg_mul_scalar(sum, 2)), 2), 1);
    tg_tensor score = tg_sum(tg_mul(z, tg_select(in[6], 0, 0)), TG_DIMS(-1), false);
    if (!tg_is_null(in[7]))
        score = tg_add(score, in[7]);
    tg_tensor w = weights_of(t, score, padding_for(in[8], tg_ndim(score)), in[9], s->flag, g);
    return s->k[2] == 2 ? w : tg_matmul(w, in[1]);
}

/* x (W + scaling B A)^T */
tg_tensor lora_by_hand(const step *s, const tg_tensor *in) {
    if (s->c[1] != 0)
        return TG_NULL;
    return linear_by_hand(in[0], tg_add(in[1], tg_mul_scalar(tg_matmul(in[4], in[3]), s->c[0])), in[2]);
}

static tg_tensor norm_of(tg_tensor x, const step *s, const tg_tensor *weight, grain *g) {
    const step norm = {.c = {s->c[1]}};
    return with_noise(layer_norm_by_hand(&norm, (tg_tensor[]){x, weight[0], weight[1]}), g);
}

static tg_tensor attended(tg_tape *t, const step *s, tg_tensor x, const tg_tensor *in, grain *g) {
    const step m = {.k = {s->k[0], s->k[0]}, .flag = s->flag};
    const tg_tensor all[MAX_OPERANDS] = {x, x, x, in[1], TG_NULL, TG_NULL, in[2], in[3], in[4], in[13], in[14]};
    return with_noise(multihead_by_hand(t, &m, all, g), g);
}

static tg_tensor fed_forward(const step *s, tg_tensor x, const tg_tensor *in, grain *g) {
    tg_tensor h = linear_by_hand(x, in[5], in[6]);
    return with_noise(linear_by_hand(s->k[1] & 2 ? gelu_by_hand(h, g) : tg_relu(h), in[7], in[8]), g);
}

tg_tensor encoder_layer_by_hand(tg_tape *t, const step *s, const tg_tensor *in, grain *g) {
    tg_tensor x = in[0];
    if (drops(t, s, g) || tg_numel(x) == 0)
        return TG_NULL;
    if (s->k[1] & 1) {
        x = tg_add(x, attended(t, s, norm_of(x, s, in + 9, g), in, g));
        return tg_add(x, fed_forward(s, norm_of(x, s, in + 11, g), in, g));
    }
    x = norm_of(tg_add(x, attended(t, s, x, in, g)), s, in + 9, g);
    return norm_of(tg_add(x, fed_forward(s, x, in, g)), s, in + 11, g);
}
