/* Making random programs. Every step is tried on a float64 tape first: its shape decides what can follow, and a step
 * whose values would be large, NaN or Inf is dropped again. */
#include "tests/fuzz/program_make.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

double *store_get(store *s, int64_t n) {
    double *block = malloc((size_t)(n ? n : 1) * sizeof *block);
    if (!block || s->n == (int)(sizeof s->block / sizeof *s->block))
        abort();
    return s->block[s->n++] = block;
}

void store_clear(store *s) {
    while (s->n)
        free(s->block[--s->n]);
}

/* ---- the program so far ---- */

tg_shape shape_of(const maker *m, int i) { return tg_shape_of(m->x[i]); }
static int any_dim(const maker *m, int ndim) { return (int)choose(m->c, 2 * (ndim ? ndim : 1)) - (ndim ? ndim : 1); }

int64_t any_size(const maker *m) {
    static const int64_t small[] = {2, 3, 1, 4, 5, 2, 3, 1, 7, 0}, large[] = {64, 96, 33, 130, 17, 1, 2, 200};
    if (m->p->large)
        return large[choose(m->c, 8)];
    return small[choose(m->c, chance(m->c, 15) ? 10 : 9)];
}

static tg_shape any_shape(const maker *m) {
    static const int ndims[] = {2, 1, 3, 2, 3, 0, 4, 2, 5};
    tg_shape s = {.ndim = m->p->large ? 1 + (int)choose(m->c, 3) : ndims[choose(m->c, 9)]};
    int64_t n = 1;
    for (int i = s.ndim - 1; i >= 0; i--) {
        s.size[i] = any_size(m);
        if (n * s.size[i] > (m->p->large ? 40000 : 300))
            s.size[i] = 1;
        n *= s.size[i] ? s.size[i] : 1;
    }
    return s;
}

tg_shape fitting_shape(const maker *m, tg_shape s, bool to) {
    tg_shape r = {.ndim = chance(m->c, 60) ? s.ndim : (int)choose(m->c, s.ndim + 1)};
    for (int i = 0; i < r.ndim; i++)
        r.size[i] = chance(m->c, 25) ? 1 : s.size[i + s.ndim - r.ndim];
    for (int i = 0; i < r.ndim && !to && !m->p->large; i++)
        if (s.size[i + s.ndim - r.ndim] == 1 && chance(m->c, 40))
            r.size[i] = any_size(m);
    return r;
}

/* ---- leaves ---- */

static double any_value(uint64_t *random, int style) {
    double u = (double)(mix(random) >> 11) * 0x1p-53, v = (double)(mix(random) >> 11) * 0x1p-53;
    switch (style) {
    case 0: return (float)(sqrt(-2 * log(u + 1e-9)) * cos(6.283185307 * v)); /* normal */
    case 1: return (float)(0.5 + u);
    case 2: return (double)((int)(u * 9) - 4) / 4; /* many ties and zeros */
    default: return (float)((u + 0.2) * (v < 0.5 ? -1 : 1));
    }
}

int add_leaf(maker *m, special kind, tg_shape shape, int64_t high) {
    program *p = m->p;
    if (p->n == MAX_STEPS)
        return -1;
    step s = {.kind = kind_of(kind), .shape = shape, .n = 1};
    for (int i = 0; i < shape.ndim; i++)
        s.n *= shape.size[i];
    if (s.n > MAX_LEAF)
        return -1;
    double *values = store_get(m->numbers, s.n);
    uint64_t random = (uint64_t)choose(m->c, 1 << 16);
    int style = (int)choose(m->c, 5);
    for (int64_t i = 0; i < s.n; i++)
        values[i] = kind == LEAF_FLOAT ? any_value(&random, style)
                    : high > 0         ? (double)(mix(&random) % (uint64_t)high)
                                       : 0;
    s.values = values;
    s.requires_grad = kind == LEAF_FLOAT && chance(m->c, 75);
    s.freeze_late = s.requires_grad && chance(m->c, 5);
    p->step[p->n] = s;
    m->x[p->n] = run_step(m->t, &s, m->x);
    return p->n++;
}

int float_leaf(maker *m, tg_shape shape) { return add_leaf(m, LEAF_FLOAT, shape, 0); }

/* ---- operands ---- */

static bool is_float(const maker *m, int i) { return tg_dtype_of(m->x[i]) == TG_F64; }
static double extreme(const maker *m, int i, bool smallest) {
    static double v[1 << 20];
    int64_t n = tg_numel(m->x[i]);
    double best = smallest ? (double)INFINITY : 0;
    if (n > 1 << 20 || tg_read_doubles(m->x[i], v, n))
        return NAN;
    for (int64_t j = 0; j < n; j++)
        best = smallest ? fmin(best, v[j]) : fmax(best, isfinite(v[j]) ? fabs(v[j]) : (double)INFINITY);
    return best;
}
static bool away_from_zero(const maker *m, int i) {
    static double v[1 << 20];
    int64_t n = tg_numel(m->x[i]);
    bool away = n <= 1 << 20 && !tg_read_doubles(m->x[i], v, n);
    for (int64_t j = 0; j < n && away; j++)
        away = fabs(v[j]) > 0.15;
    return away;
}

/* A step that a call may use; recent ones are likelier. */
static int operand(maker *m, int traits) {
    for (int tries = 0; tries < 12; tries++) {
        int64_t back = choose(m->c, m->p->n), again = choose(m->c, m->p->n);
        int i = m->p->n - 1 - (int)(back < again ? back : again);
        bool fits = traits & BOOL_ONLY ? tg_dtype_of(m->x[i]) == TG_BOOL : traits & ANY_DTYPE || is_float(m, i);
        if (fits && (traits & NOT_EMPTY) && tg_numel(m->x[i]) == 0)
            fits = false;
        if (fits && (traits & POSITIVE))
            fits = extreme(m, i, true) > 0.1;
        if (fits && (traits & NOT_ZERO))
            fits = away_from_zero(m, i);
        if (fits)
            return i;
    }
    return -1;
}

static tg_shape broadcast(tg_shape a, tg_shape b) {
    tg_shape wide = a.ndim > b.ndim ? a : b, other = a.ndim > b.ndim ? b : a;
    for (int i = 1; i <= other.ndim; i++)
        if (wide.size[wide.ndim - i] == 1)
            wide.size[wide.ndim - i] = other.size[other.ndim - i];
    return wide;
}

/* Not to more elements than a test has time and memory for. */
static bool broadcast_with(tg_shape a, tg_shape b) {
    for (int i = 1; i <= a.ndim && i <= b.ndim; i++)
        if (a.size[a.ndim - i] != b.size[b.ndim - i] && a.size[a.ndim - i] != 1 && b.size[b.ndim - i] != 1)
            return false;
    tg_shape both = broadcast(a, b);
    double elements = 1;
    for (int i = 0; i < both.ndim; i++)
        elements *= (double)both.size[i];
    return elements <= 1 << 20;
}

static bool same(tg_shape a, tg_shape b) {
    bool equal = a.ndim == b.ndim;
    for (int i = 0; i < a.ndim && equal; i++)
        equal = a.size[i] == b.size[i];
    return equal;
}

int exactly(maker *m, tg_shape shape) {
    for (int tries = 0; tries < 6; tries++) {
        int i = operand(m, 0);
        if (i >= 0 && same(shape_of(m, i), shape))
            return i;
    }
    return float_leaf(m, shape);
}

static int second_operand(maker *m, tg_shape first) {
    for (int tries = 0; tries < 4; tries++) {
        int i = operand(m, 0);
        if (i >= 0 && broadcast_with(first, shape_of(m, i)))
            return i;
    }
    return float_leaf(m, fitting_shape(m, first, false));
}

int mask_for(maker *m, tg_shape shape) { return add_leaf(m, LEAF_BOOL, fitting_shape(m, shape, true), 2); }

static int matrix_for(maker *m, tg_shape a) {
    if (!a.ndim)
        return -1;
    int64_t k = a.size[a.ndim - 1], n = any_size(m);
    tg_shape b = {.ndim = 2, .size = {k, n}};
    if (chance(m->c, 15))
        b = (tg_shape){.ndim = 1, .size = {k}};
    else if (a.ndim > 2 && chance(m->c, 60)) {
        b = a;
        b.size[b.ndim - 2] = k;
        b.size[b.ndim - 1] = n;
        for (int i = 0; i < b.ndim - 2; i++)
            if (chance(m->c, 30))
                b.size[i] = 1;
    }
    return exactly(m, b);
}

/* ---- arguments of the special calls; false when x does not suit ---- */

static bool make_reduction(maker *m, step *s, int ndim) {
    s->flag = chance(m->c, 40);
    s->dims = (tg_dims){.ndim = -1};
    if (!ndim || chance(m->c, 30))
        return true;
    s->dims.ndim = 0;
    for (int d = 0; d < ndim; d++)
        if (chance(m->c, 50))
            s->dims.dim[s->dims.ndim++] = chance(m->c, 50) ? d : d - ndim;
    return true;
}

static tg_shape other_shape(maker *m, tg_shape x, int64_t n) {
    tg_shape r = {.ndim = 0};
    if (n == 0)
        return x;
    for (int64_t left = n; left > 1 && r.ndim < 5;) {
        int64_t part = 1 + choose(m->c, left);
        while (left % part)
            part--;
        r.size[r.ndim++] = part;
        left /= part;
        if (r.ndim == 5)
            r.size[4] *= left;
    }
    if (r.ndim < 6 && chance(m->c, 20))
        r.size[r.ndim++] = 1;
    if (r.ndim && chance(m->c, 20))
        r.size[choose(m->c, r.ndim)] = -1;
    return r;
}

static bool make_view(maker *m, step *s, special kind) {
    tg_shape x = shape_of(m, s->in[0]);
    int dim = any_dim(m, x.ndim), d = dim < 0 ? dim + x.ndim : dim;
    if (kind == RESHAPE) {
        s->shape = other_shape(m, x, tg_numel(m->x[s->in[0]]));
        return true;
    }
    if (kind == EXPAND) {
        int extra = x.ndim < 5 ? (int)choose(m->c, 2) : 0;
        s->shape.ndim = x.ndim + extra;
        for (int i = 0; i < s->shape.ndim; i++) {
            int64_t have = i < extra ? 1 : x.size[i - extra];
            s->shape.size[i] = have == 1 ? any_size(m) : chance(m->c, 20) ? -1 : have;
        }
        return true;
    }
    if (!x.ndim)
        return false;
    s->k[0] = dim;
    s->k[1] = any_dim(m, x.ndim);
    s->dims.dim[0] = dim;
    if (kind == PERMUTE) {
        s->dims.ndim = x.ndim;
        for (int i = 0; i < x.ndim; i++) {
            int j = (int)choose(m->c, i + 1);
            s->dims.dim[i] = s->dims.dim[j];
            s->dims.dim[j] = chance(m->c, 50) ? i : i - x.ndim;
        }
    }
    if (kind == SLICE) {
        s->k[0] = choose(m->c, 2 * x.size[d] + 2) - x.size[d];
        s->k[1] = chance(m->c, 50) ? x.size[d] : choose(m->c, 2 * x.size[d] + 3) - x.size[d];
        s->k[2] = 1 + choose(m->c, 3);
    }
    if (kind == SELECT)
        s->k[1] = choose(m->c, 2 * x.size[d]) - x.size[d];
    if (kind == SPLIT) {
        s->k[0] = 1 + choose(m->c, x.size[d] + 1);
        s->k[1] = dim;
        s->k[2] = x.size[d] ? (x.size[d] - 1) / s->k[0] + 1 : 1;
        return s->k[2] <= 16;
    }
    return kind != SELECT || x.size[d] > 0;
}

static bool make_parts(maker *m, step *s, special kind) {
    tg_shape x = shape_of(m, s->in[0]);
    if (!is_float(m, s->in[0]) || (kind == CAT && !x.ndim) || x.ndim > 5)
        return false;
    s->k[0] = kind == STACK ? choose(m->c, 2 * x.ndim + 2) - x.ndim - 1 : any_dim(m, x.ndim);
    s->n_in = 1 + (int)choose(m->c, 3);
    for (int i = 1; i < s->n_in; i++) {
        if (kind == CAT && chance(m->c, 50) && !m->p->large)
            x.size[s->k[0] < 0 ? s->k[0] + x.ndim : s->k[0]] = any_size(m);
        s->in[i] = chance(m->c, 20) ? s->in[0] : exactly(m, x);
    }
    return true;
}

static bool make_rows(maker *m, step *s, special kind) {
    tg_shape x = shape_of(m, s->in[0]);
    if (!x.ndim)
        return false;
    int64_t n = x.size[x.ndim - 1], out = any_size(m);
    s->n_in = 3;
    s->in[1] = kind == LINEAR ? exactly(m, TG_SHAPE(out, n)) : chance(m->c, 70) ? exactly(m, TG_SHAPE(n)) : -1;
    s->in[2] = chance(m->c, 70) ? exactly(m, TG_SHAPE(kind == LINEAR ? out : n)) : -1;
    s->c[0] = chance(m->c, 50) ? 1e-3 : 0.1; /* 1 / sqrt(eps) multiplies rounding in a row of equal numbers */
    return true;
}

static bool make_lookup(maker *m, step *s, special kind) {
    tg_shape x = shape_of(m, s->in[0]), ids = any_shape(m);
    s->n_in = 2;
    s->k[0] = any_dim(m, x.ndim);
    int d = (int)s->k[0] < 0 ? (int)s->k[0] + x.ndim : (int)s->k[0];
    int64_t high = x.ndim ? x.size[d] : 1;
    if (kind == EMBEDDING && (x.ndim != 2 || ids.ndim > 3))
        return false;
    if (kind == EMBEDDING)
        high = x.size[0];
    if (kind == INDEX_SELECT || kind == INDEX_ADD)
        ids = TG_SHAPE(any_size(m));
    if (kind == GATHER || kind == SCATTER_ADD) {
        ids = x;
        for (int i = 0; i < x.ndim; i++)
            ids.size[i] = i == d ? any_size(m) : x.size[i] ? x.size[i] - choose(m->c, 2) * choose(m->c, x.size[i]) : 0;
    }
    for (int i = 0; i < ids.ndim && !high; i++)
        ids.size[i] = 0;
    if (!high && !ids.ndim)
        return false;
    s->in[1] = add_leaf(m, LEAF_INT, ids, high);
    if (s->in[1] < 0 || (!x.ndim && (kind == INDEX_SELECT || kind == INDEX_ADD)))
        return false;
    if (kind != INDEX_ADD && kind != SCATTER_ADD)
        return true;
    s->n_in = 3;
    if (kind == INDEX_ADD)
        x.size[d] = ids.size[0];
    s->in[2] = exactly(m, kind == INDEX_ADD ? x : ids);
    return s->in[2] >= 0;
}

static bool make_loss(maker *m, step *s, special kind) {
    tg_shape x = shape_of(m, s->in[0]);
    s->n_in = 2;
    bool classes_too = kind == CROSS_ENTROPY || kind == CROSS_ENTROPY_WITH;
    s->k[classes_too] = choose(m->c, 3);
    s->c[0] = (double)(1 + choose(m->c, 4)) / 2; /* huber's delta */
    if (!classes_too) {
        s->in[1] = s->in[0];
        s->in[kind != KL_DIV] = exactly(m, x); /* kl_div's second is positive */
        return s->in[0] >= 0 && s->in[1] >= 0;
    }
    if (!x.ndim)
        return false;
    int64_t classes = x.size[x.ndim - 1];
    s->k[0] = chance(m->c, 50) ? TG_IGNORE_INDEX : choose(m->c, classes);
    x.ndim--;
    s->in[1] = add_leaf(m, LEAF_INT, x, classes);
    if (kind == CROSS_ENTROPY_WITH) {
        s->n_in = 3;
        s->in[2] = chance(m->c, 60) ? add_leaf(m, LEAF_BOOL, TG_SHAPE(classes), 2) : -1;
        s->c[0] = (double)choose(m->c, 5) / 4;
    }
    return s->in[1] >= 0;
}

static bool make_rope(maker *m, step *s, tg_shape x) {
    if (x.ndim < 2 || x.size[x.ndim - 1] < 2)
        return false;
    s->k[0] = 2 * (1 + choose(m->c, x.size[x.ndim - 1] / 2));
    if (s->k[0] == x.size[x.ndim - 1] && chance(m->c, 50))
        s->k[0] = 0;
    s->k[1] = choose(m->c, 4);
    s->flag = chance(m->c, 50);
    s->c[0] = chance(m->c, 50) ? 10000 : 10;
    return true;
}

static bool make_repeat(maker *m, step *s, tg_shape x) {
    s->shape.ndim = x.ndim + (x.ndim < 5 ? (int)choose(m->c, 2) : 0);
    for (int i = 0; i < s->shape.ndim; i++)
        s->shape.size[i] = chance(m->c, 50) ? 1 : choose(m->c, 4);
    return true;
}

static bool make_bounds(maker *m, step *s, tg_shape x) {
    s->n_in = 3;
    s->in[1] = second_operand(m, x);
    s->in[2] = s->in[1] < 0 ? -1 : second_operand(m, broadcast(x, shape_of(m, s->in[1])));
    return s->in[2] >= 0;
}

static bool make_special(maker *m, step *s, special kind) {
    static const double norms[] = {2, 1, 3, (double)INFINITY, 1.5, 0.5};
    tg_shape x = shape_of(m, s->in[0]);
    switch (kind) {
    case VAR: s->c[0] = (double)choose(m->c, 2); return make_reduction(m, s, x.ndim);
    case STD: s->c[0] = (double)choose(m->c, 2); return make_reduction(m, s, x.ndim);
    case NORM: s->c[0] = norms[choose(m->c, 6)]; return make_reduction(m, s, x.ndim);
    case FLIP: return make_reduction(m, s, x.ndim);
    case REPEAT: return make_repeat(m, s, x);
    case ROPE: return make_rope(m, s, x);
    case CLAMP_TENSOR: return make_bounds(m, s, x);
    case ROLL:
        s->k[0] = any_dim(m, x.ndim);
        s->k[1] = choose(m->c, 11) - 5;
        return true;
    case RMS_NORM:
    case BIAS_GELU:
        if (!x.ndim)
            return false;
        s->n_in = 2;
        s->in[1] = kind == RMS_NORM && chance(m->c, 30) ? -1 : exactly(m, TG_SHAPE(x.size[x.ndim - 1]));
        s->c[0] = chance(m->c, 50) ? 1e-3 : 0.1; /* 1 / sqrt(eps) multiplies rounding in a row of equal numbers */
        return kind == RMS_NORM || s->in[1] >= 0;
    case TOPK:
    case ARGMAX:
    case ARGMIN:
    case ARGSORT:
    case MAX_DIM:
    case MIN_DIM:
    case SORT:
        s->k[0] = any_dim(m, x.ndim);
        s->k[2] = choose(m->c, 2);
        if (kind == TOPK)
            s->k[1] = choose(m->c, 1 + (x.ndim ? x.size[s->k[0] < 0 ? s->k[0] + x.ndim : s->k[0]] : 1));
        s->flag = chance(m->c, 50);
        return true;
    case CAT:
    case STACK: return make_parts(m, s, kind);
    case LINEAR:
    case LAYER_NORM: return make_rows(m, s, kind);
    case EMBEDDING:
    case INDEX_SELECT:
    case INDEX_ADD:
    case SCATTER_ADD:
    case GATHER: return make_lookup(m, s, kind);
    case DROPOUT: s->c[0] = (double)choose(m->c, 4) / 4; return true;
    case CROSS_ENTROPY:
    case CROSS_ENTROPY_WITH:
    case L1_LOSS:
    case HUBER_LOSS:
    case BCE_WITH_LOGITS:
    case KL_DIV:
    case MSE_LOSS: return make_loss(m, s, kind);
    case ATTENTION: return !is_too_long(m, s) && make_attention(m, s);
    case ATTENTION_WITH: return !is_too_long(m, s) && make_attention_with(m, s);
    case MULTIHEAD: return !is_too_long(m, s) && make_multihead(m, s);
    case NN_ATTENTION: return !is_too_long(m, s) && make_plain_attention(m, s);
    case ADDITIVE: return !is_too_long(m, s) && make_additive(m, s);
    case LORA: return make_lora(m, s);
    case ENCODER_LAYER: return !is_too_long(m, s) && make_encoder_layer(m, s);
    case WHERE:
        s->n_in = 3;
        s->in[1] = s->in[0];
        s->in[2] = second_operand(m, x);
        if (s->in[2] < 0)
            return false;
        s->in[0] = mask_for(m, chance(m->c, 50) ? x : shape_of(m, s->in[2]));
        return true;
    case MASKED_FILL:
    case MASKED_SOFTMAX:
        s->n_in = 2;
        s->in[1] = mask_for(m, x);
        s->c[0] = (double)choose(m->c, 5) - 2;
        s->k[0] = any_dim(m, x.ndim);
        return true;
    case CLAMP:
        s->c[0] = -1.3 + (double)choose(m->c, 4) / 3;
        s->c[1] = s->c[0] + (double)choose(m->c, 4) / 2;
        return true;
    case CUSTOM:
        s->n_in = 2;
        s->in[1] = exactly(m, x);
        s->shape = x;
        return true;
    default: return make_view(m, s, kind);
    }
}

static bool make_arguments(maker *m, step *s) {
    static const double exponents[] = {2, 3, -1, 0.5, 2.5, 1, 0, -2};
    const op_kind *k = &kinds[s->kind];
    s->n_in = 1;
    s->in[0] = operand(m, k->traits);
    if (s->in[0] < 0)
        return false;
    tg_shape x = shape_of(m, s->in[0]);
    switch (k->form) {
    case UNARY: return true;
    case BINARY:
        s->n_in = 2;
        s->in[1] = k->traits & BOOL_ONLY            ? mask_for(m, x)
                   : strcmp(k->name, "matmul") == 0 ? matrix_for(m, x)
                                                    : second_operand(m, x);
        if (strcmp(k->name, "matmul") == 0 && s->in[1] < 0)
            return false;
        if (k->traits & SECOND_NOT_ZERO && s->in[1] >= 0 && !away_from_zero(m, s->in[1]))
            return false;
        if (chance(m->c, 40) && strcmp(k->name, "matmul") != 0 && !(k->traits & (SECOND_NOT_ZERO | POSITIVE))) {
            int swap = s->in[0];
            s->in[0] = s->in[1];
            s->in[1] = swap;
        }
        return s->in[0] >= 0 && s->in[1] >= 0;
    case SCALAR: s->c[0] = exponents[choose(m->c, strcmp(k->name, "div_scalar") == 0 ? 6 : 8)]; return true;
    case SCALAR_FIRST: s->c[0] = exponents[choose(m->c, 8)]; return true;
    case REDUCE: return make_reduction(m, s, x.ndim);
    case DIM:
        s->k[0] = any_dim(m, x.ndim);
        if (strcmp(k->name, "unsqueeze") == 0)
            s->k[0] = choose(m->c, 2 * x.ndim + 2) - x.ndim - 1;
        return strcmp(k->name, "unsqueeze") != 0 || x.ndim < 6;
    case DIAGONAL: s->k[0] = choose(m->c, 7) - 3; return x.ndim >= 2;
    default: return make_special(m, s, k->special);
    }
}

/* ---- programs ---- */

/* Numbers that are 0 in float32, and may be on the other side of a corner there. */
static bool underflows(const maker *m, int i) {
    static double v[1 << 20];
    int64_t n = tg_numel(m->x[i]);
    bool any = n > 1 << 20 || tg_read_doubles(m->x[i], v, n);
    for (int64_t j = 0; j < n && !any; j++)
        any = v[j] != 0 && fabs(v[j]) < 1e-30;
    return any;
}

/* Whether the result x is fit to go on with. -inf and NaN come from steps that are dropped, and rounding would choose
 * the slope of a standard deviation that is nearly 0. */
static bool moderate(const maker *m, tg_tensor x, int traits) {
    int64_t n = tg_numel(x);
    if (n > (m->p->large ? 1 << 17 : 3000) || tg_ndim(x) > 6)
        return false;
    maker one = *m;
    one.x[0] = x;
    if (traits & CORNER_AT_ZERO && extreme(&one, 0, true) < 1e-2)
        return false;
    return tg_dtype_of(x) != TG_F64 || (extreme(&one, 0, false) <= 30 && !underflows(&one, 0));
}

/* False when a call that should be right failed. */
static bool add_step(maker *m) {
    program *p = m->p;
    step s = {.kind = 3 + (int)choose(m->c, n_kinds - 3)};
    if (!make_arguments(m, &s) || p->n == MAX_STEPS)
        return true;
    s.no_grad = chance(m->c, 3);
    s.retain = chance(m->c, 10);
    s.hook = !s.retain && chance(m->c, 6);
    tg_rng_state rng = tg_get_rng_state(m->t); /* a step that is dropped draws nothing */
    tg_tensor y = run_step(m->t, &s, m->x);
    if (tg_tape_status(m->t)) {
        p->step[p->n++] = s;
        return false;
    }
    if (tg_is_null(y) || !moderate(m, y, kinds[s.kind].traits))
        return tg_set_rng_state(m->t, &rng) == TG_OK;
    bool is_operand = strcmp(kinds[s.kind].name, "contiguous") == 0; /* it may be */
    for (int i = 0; i < s.n_in; i++)
        is_operand |= s.in[i] >= 0 && m->x[s.in[i]].index == y.index;
    s.retain &= !is_operand;
    s.hook &= !is_operand;
    s.no_grad &= !is_operand;
    p->step[p->n] = s;
    m->x[p->n++] = y;
    return true;
}

static void choose_outputs(maker *m) {
    bool any = false;
    for (int i = m->p->n - 1; i >= 0; i--)
        if (is_float(m, i) && (!any || chance(m->c, 10)))
            any = m->p->step[i].output = true;
}

bool make_program(choices *c, store *numbers, program *p, char *error, size_t error_size) {
    maker m = {.c = c, .numbers = numbers, .p = p, .t = tg_tape_new(TG_F64)};
    tg_manual_seed(m.t, p->seed);
    p->n = 0;
    p->large = chance(c, 6);
    p->eval = chance(c, 8);
    if (p->eval)
        tg_eval(m.t);
    for (int i = (int)choose(c, 3); i >= 0; i--)
        float_leaf(&m, any_shape(&m));
    bool good = true;
    for (int left = 2 + (int)choose(c, p->large ? 8 : 28); left > 0 && p->n < MAX_STEPS - 5 && good; left--)
        good = add_step(&m);
    if (!good)
        snprintf(error, error_size, "%s", tg_error(m.t));
    else
        choose_outputs(&m);
    tg_tape_free(m.t);
    return good;
}
