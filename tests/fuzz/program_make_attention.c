/* Arguments of attention, of its layers and of the low-rank adapter; false when x does not suit. */
#include "tests/fuzz/program_make.h"

bool is_too_long(const maker *m, const step *s) {
    tg_shape q = shape_of(m, s->in[0]);
    int64_t rows = 1;
    for (int i = 0; i < q.ndim - 1; i++)
        rows *= q.size[i];
    return q.ndim > 1 && rows * q.size[q.ndim - 2] > 4 * MAX_LEAF;
}

bool make_attention(maker *m, step *s) {
    tg_shape q = shape_of(m, s->in[0]), k, v, scores;
    if (q.ndim < 2)
        return false;
    k = v = scores = q;
    int64_t S = chance(m->c, 50) ? q.size[q.ndim - 2] : any_size(m);
    k.size[q.ndim - 2] = v.size[q.ndim - 2] = scores.size[q.ndim - 1] = S;
    if (chance(m->c, 30))
        v.size[q.ndim - 1] = any_size(m);
    s->n_in = 4;
    s->in[1] = exactly(m, k);
    s->in[2] = exactly(m, v);
    s->in[3] = -1;
    if (chance(m->c, 30))
        s->in[3] = mask_for(m, scores);
    else if (chance(m->c, 25))
        s->in[3] = float_leaf(m, fitting_shape(m, scores, true));
    s->flag = chance(m->c, 40);
    s->c[0] = chance(m->c, 10) ? 0.3 : 0;
    s->c[1] = chance(m->c, 30) ? 0.7 : 0;
    return s->in[1] >= 0 && s->in[2] >= 0;
}

/* A leaf that requires no gradient: slopes. */
static int constant_leaf(maker *m, tg_shape shape) {
    int i = float_leaf(m, shape);
    if (i >= 0)
        tg_set_requires_grad(m->x[i], m->p->step[i].requires_grad = m->p->step[i].freeze_late = false);
    return i;
}

bool make_attention_with(maker *m, step *s) {
    tg_shape q = shape_of(m, s->in[0]), k, v, scores;
    if (q.ndim < 3 || !q.size[0])
        return false;
    k = scores = q;
    int64_t heads = q.size[q.ndim - 3], T = q.size[q.ndim - 2];
    bool documents = chance(m->c, 30);
    s->k[0] = choose(m->c, 4);
    int64_t S = documents || chance(m->c, 50) ? T + s->k[0] + choose(m->c, 3) : any_size(m);
    s->k[0] = s->k[0] < S ? s->k[0] : S;
    k.size[q.ndim - 2] = scores.size[q.ndim - 1] = S;
    s->k[2] = heads > 0 && chance(m->c, 50);
    if (s->k[2] && heads > 1 && heads % 2 == 0)
        k.size[q.ndim - 3] = chance(m->c, 50) ? heads / 2 : 1;
    v = k;
    if (chance(m->c, 30))
        v.size[q.ndim - 1] = any_size(m);
    s->n_in = 7;
    s->in[1] = exactly(m, k);
    s->in[2] = exactly(m, v);
    s->in[3] = chance(m->c, 25)   ? mask_for(m, scores)
               : chance(m->c, 20) ? float_leaf(m, fitting_shape(m, scores, true))
                                  : -1;
    s->in[4] = chance(m->c, 40) ? constant_leaf(m, TG_SHAPE(heads)) : -1;
    s->in[5] = chance(m->c, 40) ? exactly(m, TG_SHAPE(heads)) : -1;
    s->in[6] = !documents         ? -1
               : chance(m->c, 50) ? add_leaf(m, LEAF_INT, TG_SHAPE(S), 2)
                                  : add_leaf(m, LEAF_INT, TG_SHAPE(q.size[0], S), 2);
    s->k[1] = chance(m->c, 40) ? 1 + choose(m->c, 4) : 0;
    s->c[0] = chance(m->c, 40) ? 2 : 0;
    s->c[1] = chance(m->c, 30) ? 0.7 : 0;
    s->flag = chance(m->c, 40);
    return s->in[1] >= 0 && s->in[2] >= 0 && (!documents || s->in[6] >= 0);
}

/* One of the numbers that divide n, but no more than 8: there are as many heads. */
static int64_t divisor_of(maker *m, int64_t n) {
    int64_t d = 1 + choose(m->c, n < 8 ? n : 8);
    while (n % d)
        d--;
    return d;
}

/* Hidden are keys, (S) or (B, S), and pairs (T, S) or in the shape of the weights. */
static void mask_multihead(maker *m, step *s, tg_shape q, int64_t S) {
    int64_t T = q.size[q.ndim - 2];
    tg_shape weights = {.ndim = q.ndim + 1, .size = {q.size[0], s->k[0], T, S}};
    if (q.ndim == 2)
        weights = TG_SHAPE(s->k[0], T, S);
    for (int i = 0; i < weights.ndim; i++)
        weights.size[i] = chance(m->c, 25) ? 1 : weights.size[i];
    tg_shape padding = q.ndim == 3 ? TG_SHAPE(q.size[0], S) : TG_SHAPE(S);
    tg_shape pairs = chance(m->c, 50) ? TG_SHAPE(T, S) : weights;
    s->in[9] = chance(m->c, 30) ? add_leaf(m, LEAF_BOOL, padding, 2) : -1;
    s->in[10] = chance(m->c, 20) ? add_leaf(m, LEAF_BOOL, pairs, 2) : chance(m->c, 20) ? float_leaf(m, pairs) : -1;
}

bool make_multihead(maker *m, step *s) {
    tg_shape q = shape_of(m, s->in[0]), k = q, v = q;
    int last = q.ndim - 1;
    if (q.ndim < 2 || q.ndim > 3 || !q.size[last])
        return false;
    int64_t E = q.size[last];
    s->k[0] = divisor_of(m, E);
    s->k[1] = chance(m->c, 60) ? s->k[0] : divisor_of(m, s->k[0]);
    s->k[2] = chance(m->c, 60) ? 0 : 1 + choose(m->c, 2);
    int64_t kv = E / s->k[0] * s->k[1];
    bool three = chance(m->c, 40), self = chance(m->c, 40);
    k.size[last - 1] = v.size[last - 1] = self || chance(m->c, 50) ? q.size[last - 1] : any_size(m);
    k.size[last] = three && !self ? 1 + any_size(m) : E;
    v.size[last] = three && !self ? 1 + any_size(m) : E;
    s->n_in = 11;
    s->in[1] = self ? s->in[0] : exactly(m, k);
    s->in[2] = self || (!three && chance(m->c, 50)) ? s->in[1] : exactly(m, v);
    s->in[3] = exactly(m, TG_SHAPE(three ? E : E + 2 * kv, E));
    s->in[4] = three ? exactly(m, TG_SHAPE(kv, k.size[last])) : -1;
    s->in[5] = three ? exactly(m, TG_SHAPE(kv, v.size[last])) : -1;
    s->in[6] = chance(m->c, 60) ? exactly(m, TG_SHAPE(E + 2 * kv)) : -1;
    s->in[7] = exactly(m, TG_SHAPE(E, E));
    s->in[8] = chance(m->c, 60) ? exactly(m, TG_SHAPE(E)) : -1;
    mask_multihead(m, s, q, k.size[last - 1]);
    s->flag = chance(m->c, 40);
    s->c[0] = chance(m->c, 10) ? 0.3 : 0;
    return s->in[1] >= 0 && s->in[2] >= 0 && s->in[3] >= 0 && s->in[7] >= 0 &&
           (!three || (s->in[4] >= 0 && s->in[5] >= 0));
}

/* Keys and pairs to hide, in[at] and in[at + 1], from the weights (..., T, S) of what has a batch or not. */
static void hide_some(maker *m, step *s, int at, tg_shape weights, bool batch) {
    int64_t T = weights.size[weights.ndim - 2], S = weights.size[weights.ndim - 1];
    tg_shape padding = batch ? TG_SHAPE(weights.size[0], S) : TG_SHAPE(S);
    tg_shape pairs = chance(m->c, 50) ? TG_SHAPE(T, S) : weights;
    s->in[at] = chance(m->c, 30) ? add_leaf(m, LEAF_BOOL, padding, 2) : -1;
    s->in[at + 1] = chance(m->c, 20) ? add_leaf(m, LEAF_BOOL, pairs, 2) : chance(m->c, 20) ? float_leaf(m, pairs) : -1;
    s->flag = chance(m->c, 40);
}

static int some_times(maker *m, int percent, tg_shape shape) { return chance(m->c, percent) ? exactly(m, shape) : -1; }

bool make_plain_attention(maker *m, step *s) {
    tg_shape q = shape_of(m, s->in[0]), k = q, v, weights = q;
    if (q.ndim < 2 || q.ndim > 4)
        return false;
    k.size[q.ndim - 2] = weights.size[q.ndim - 1] = chance(m->c, 50) ? q.size[q.ndim - 2] : any_size(m);
    v = k;
    if (chance(m->c, 30))
        v.size[q.ndim - 1] = any_size(m);
    s->n_in = 5;
    s->in[1] = exactly(m, k);
    s->in[2] = exactly(m, v);
    hide_some(m, s, 3, weights, q.ndim > 2);
    s->k[2] = chance(m->c, 60) ? 0 : 1 + choose(m->c, 2);
    return s->in[1] >= 0 && s->in[2] >= 0;
}

bool make_additive(maker *m, step *s) {
    tg_shape q = shape_of(m, s->in[0]), h = q, weights = q;
    if (q.ndim < 2 || q.ndim > 3)
        return false;
    int64_t d_s = q.size[q.ndim - 1], d_h = any_size(m), hidden = 1 + choose(m->c, 5);
    h.size[q.ndim - 2] = weights.size[q.ndim - 1] = m->p->large ? 1 + choose(m->c, 8) : any_size(m);
    h.size[q.ndim - 1] = d_h;
    s->n_in = 10;
    s->in[1] = exactly(m, h);
    s->in[2] = exactly(m, TG_SHAPE(hidden, d_h));
    s->in[3] = some_times(m, 30, TG_SHAPE(hidden));
    s->in[4] = exactly(m, TG_SHAPE(hidden, d_s));
    s->in[5] = some_times(m, 30, TG_SHAPE(hidden));
    s->in[6] = exactly(m, TG_SHAPE(1, hidden));
    s->in[7] = some_times(m, 30, TG_SHAPE(1));
    hide_some(m, s, 8, weights, q.ndim > 2);
    s->k[2] = chance(m->c, 60) ? 0 : 1 + choose(m->c, 2);
    return s->in[1] >= 0 && s->in[2] >= 0 && s->in[4] >= 0 && s->in[6] >= 0;
}

bool make_lora(maker *m, step *s) {
    tg_shape x = shape_of(m, s->in[0]);
    if (!x.ndim)
        return false;
    int64_t in = x.size[x.ndim - 1], out = any_size(m), rank = 1 + choose(m->c, 4);
    s->n_in = 5;
    s->in[1] = exactly(m, TG_SHAPE(out, in));
    s->in[2] = some_times(m, 60, TG_SHAPE(out));
    s->in[3] = exactly(m, TG_SHAPE(rank, in));
    s->in[4] = exactly(m, TG_SHAPE(out, rank));
    s->c[0] = (double)(1 + choose(m->c, 4)) / 2;
    s->c[1] = chance(m->c, 10) ? 0.3 : 0;
    return s->in[1] >= 0 && s->in[3] >= 0 && s->in[4] >= 0;
}

bool make_encoder_layer(maker *m, step *s) {
    tg_shape x = shape_of(m, s->in[0]);
    int last = x.ndim - 1;
    if (x.ndim < 2 || x.ndim > 3 || !x.size[last])
        return false;
    int64_t d = x.size[last], T = x.size[last - 1], wide = 1 + choose(m->c, 6);
    tg_shape pairs[] = {TG_SHAPE(3 * d, d), TG_SHAPE(d, d), TG_SHAPE(wide, d),
                        TG_SHAPE(d, wide),  TG_SHAPE(d),    TG_SHAPE(d)};
    s->n_in = 15;
    for (int i = 0; i < 6; i++) {
        s->in[1 + 2 * i] = exactly(m, pairs[i]);
        s->in[2 + 2 * i] = some_times(m, 60, TG_SHAPE(pairs[i].size[0]));
        if (s->in[1 + 2 * i] < 0)
            return false;
    }
    s->k[0] = divisor_of(m, d);
    s->k[1] = choose(m->c, 4);
    hide_some(m, s, 13, x.ndim == 3 ? TG_SHAPE(x.size[0], s->k[0], T, T) : TG_SHAPE(s->k[0], T, T), x.ndim == 3);
    s->c[0] = chance(m->c, 10) ? 0.3 : 0;
    s->c[1] = 0.1; /* 1 / sqrt(eps) multiplies rounding in a row of equal numbers */
    return true;
}
