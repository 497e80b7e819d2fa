/* Random programs on ordinary data for the experiments with the gradient check (false_alarms.c, faults.c): every
 * operation once, compositions of up to twenty, custom operations. Header-only, since each experiment is one file. */
#ifndef TAPEGRAD_TEST_PROGRAMS_H
#define TAPEGRAD_TEST_PROGRAMS_H

#include "core/engine.h"
#include "tests/custom_maps.h"
#include "tests/operations.h"

/* ---- data ---- */

typedef enum { RANDN, UNIFORM, LOG_UNIFORM, INTEGERS, N_DATA } data_kind;
static const char *const data_names[N_DATA] = {"randn", "uniform", "log-uniform", "integers"};

static inline double uniform(tg_rng_state *g) { return tg_rng_double(g); }
static inline int below(tg_rng_state *g, int n) { return (int)(tg_rng_random(g) % (uint32_t)n); }

static inline double draw_number(tg_rng_state *g, data_kind kind) {
    double sign = tg_rng_random(g) & 1 ? 1 : -1;
    switch (kind) {
    case RANDN: return sqrt(-2 * log(1 - uniform(g))) * cos(6.283185307179586 * uniform(g));
    case UNIFORM: return uniform(g);
    case LOG_UNIFORM: return sign * pow(10, 16 * uniform(g) - 8);
    default: return below(g, 9) - 4;
    }
}

typedef struct source {
    tg_tape *t;
    tg_rng_state *g;
    data_kind data;
    int64_t rows, columns;
} source;

static inline tg_tensor leaf_with(const source *s, tg_shape shape) {
    double values[512];
    int64_t n = tg_shape_numel(&shape);
    for (int64_t i = 0; i < n; i++)
        values[i] = draw_number(s->g, s->data);
    return tg_set_requires_grad(tg_from_doubles(s->t, shape, values), true);
}

static inline tg_tensor leaf_like(const source *s) { return leaf_with(s, TG_SHAPE(s->rows, s->columns)); }

static inline tg_tensor ids_for(const source *s, tg_shape shape, int64_t below_this) {
    int64_t ids[64];
    for (int64_t i = 0, n = tg_shape_numel(&shape); i < n; i++)
        ids[i] = below(s->g, (int)below_this);
    return tg_from_ints(s->t, shape, ids);
}

static inline tg_tensor mask_for(const source *s) {
    bool bits[64];
    for (int64_t i = 0; i < s->rows * s->columns; i++)
        bits[i] = i % s->columns && (tg_rng_random(s->g) & 1);
    return tg_from_bools(s->t, TG_SHAPE(s->rows, s->columns), bits);
}

/* ---- custom operations, as users write them ---- */

/* y[i] = f(x[i]), dx[i] += dy[i] f'(x[i]) for both types */
#define CUSTOM(name, f, df)                                                     \
    CUSTOM_MAP(float, name##_forward_f32, name##_vjp_f32, f, dy *(float)(df))   \
    CUSTOM_MAP(double, name##_forward_f64, name##_vjp_f64, f, dy *(double)(df)) \
    static const tg_custom_op name = {#name, name##_forward_f32, name##_vjp_f32, name##_forward_f64, name##_vjp_f64};

CUSTOM(my_relu, x > 0 ? x : 0, x > 0 ? 1 : 0)
CUSTOM(my_leaky, x > 0 ? x : x / 100, x > 0 ? 1 : (double)1 / 100)
CUSTOM(my_reciprocal, 1 / x, -1 / (x * x))
CUSTOM(my_cube, x *x *x, 3 * x * x)
CUSTOM(my_clamp, x<-1 ? -1 : x> 1 ? 1 : x, x<-1 || x> 1 ? 0 : 1)
CUSTOM(my_hardswish, x <= -3 ? 0 : x >= 3 ? x : x * (x + 3) / 6, x <= -3 ? 0 : x >= 3 ? 1 : (2 * x + 3) / 6)
CUSTOM(my_softsign, x / (1 + fabs((double)x)), 1 / ((1 + fabs((double)x)) * (1 + fabs((double)x))))
CUSTOM(my_float_tanh, tanhf((float)x), 1 - tanh((double)x) * tanh((double)x))
CUSTOM(my_sine, sin(3 * (double)x), 3 * cos(3 * (double)x))
CUSTOM(my_softplus, x > 30 ? (double)x : log1p(exp((double)x)), 1 / (1 + exp(-(double)x)))

/* Rows, as one array: the largest of neighbouring pairs; sorted. */
#define CUSTOM_ROWS(type, suffix)                                                            \
    static int pool_forward_##suffix(const tg_call *c) {                                     \
        const type *x = c->input[0];                                                         \
        for (int64_t i = 0, n = tg_shape_numel(c->output_shape); i < n; i++)                 \
            ((type *)c->output)[i] = x[2 * i] >= x[2 * i + 1] ? x[2 * i] : x[2 * i + 1];     \
        return 0;                                                                            \
    }                                                                                        \
    static int pool_vjp_##suffix(const tg_call *c) {                                         \
        const type *x = c->input[0], *dy = c->output_grad;                                   \
        for (int64_t i = 0, n = tg_shape_numel(c->output_shape); i < n; i++)                 \
            ((type *)c->input_grad[0])[2 * i + (x[2 * i] >= x[2 * i + 1] ? 0 : 1)] += dy[i]; \
        return 0;                                                                            \
    }                                                                                        \
    static int64_t rank_##suffix(const type *x, int64_t n, int64_t i) {                      \
        int64_t rank = 0;                                                                    \
        for (int64_t j = 0; j < n; j++)                                                      \
            rank += x[j] < x[i] || (x[j] == x[i] && j < i);                                  \
        return rank;                                                                         \
    }                                                                                        \
    static int sort_forward_##suffix(const tg_call *c) {                                     \
        const type *x = c->input[0];                                                         \
        for (int64_t i = 0, n = tg_shape_numel(c->output_shape); i < n; i++)                 \
            ((type *)c->output)[rank_##suffix(x, n, i)] = x[i];                              \
        return 0;                                                                            \
    }                                                                                        \
    static int sort_vjp_##suffix(const tg_call *c) {                                         \
        const type *x = c->input[0], *dy = c->output_grad;                                   \
        for (int64_t i = 0, n = tg_shape_numel(c->output_shape); i < n; i++)                 \
            ((type *)c->input_grad[0])[i] += dy[rank_##suffix(x, n, i)];                     \
        return 0;                                                                            \
    }
CUSTOM_ROWS(float, f32)
CUSTOM_ROWS(double, f64)
static const tg_custom_op my_pool = {"my_pool", pool_forward_f32, pool_vjp_f32, pool_forward_f64, pool_vjp_f64};
static const tg_custom_op my_sort = {"my_sort", sort_forward_f32, sort_vjp_f32, sort_forward_f64, sort_vjp_f64};

static const tg_custom_op *const custom_maps[] = {&my_relu,  &my_leaky,     &my_reciprocal, &my_cube,
                                                  &my_clamp, &my_hardswish, &my_softsign,   &my_float_tanh,
                                                  &my_sine,  &my_softplus,  &my_sort};
enum { N_CUSTOM = sizeof custom_maps / sizeof *custom_maps + 1 };

static inline tg_tensor apply_custom(const source *s, tg_tensor x, int which) {
    if (which < N_CUSTOM - 1)
        return tg_custom(custom_maps[which], &x, 1, tg_shape_of(x), NULL, 0);
    tg_tensor pair = tg_cat((tg_tensor[]){x, leaf_like(s)}, 2, 1);
    return tg_custom(&my_pool, &pair, 1, tg_shape_of(x), NULL, 0);
}

/* ---- operations: x and b have shape (rows, columns), and so has the result ---- */

enum { N_STEPS = 107 }; /* those written below; n_steps() has the others of the table as well */

static inline tg_tensor attend(const source *s, tg_tensor x, tg_tensor b, int form) {
    tg_tensor q = tg_unsqueeze(x, 0), k = tg_unsqueeze(b, 0), mask = TG_NULL;
    if (form == 1)
        mask = tg_logical_not(tg_to_bool(tg_triu(tg_ones(s->t, TG_SHAPE(s->rows, s->rows)), 1)));
    return tg_squeeze(tg_scaled_dot_product_attention(q, k, k, mask, form == 2, form == 3 ? 0.3 : 0, 0), 0);
}

static inline tg_tensor turn(const source *s, tg_tensor x) {
    tg_rope_config config = TG_ROPE_DEFAULTS;
    config.dims = s->columns / 2 * 2;
    config.interleaved = below(s->g, 2);
    return config.dims ? tg_rope(x, config) : tg_neg(x);
}

static inline tg_tensor smoothed_loss(const source *s, tg_tensor x) {
    tg_cross_entropy_config config = TG_CROSS_ENTROPY_DEFAULTS;
    config.label_smoothing = 0.1;
    return tg_cross_entropy_with(x, ids_for(s, TG_SHAPE(s->rows), s->columns), config);
}

/* Operations that no step below has yet, which are steps as the table calls them. */
typedef struct more {
    const operation *of[128];
    int n;
} more;
static inline const more *more_operations(void);

/* Of the table's operands the first is x; a result of another shape becomes a factor. */
static inline tg_tensor apply_operation(const source *s, const operation *o, tg_tensor x, tg_tensor b) {
    example e;
    if (!make_example(o, s->t, PLAIN, s->rows, s->columns, &e))
        return TG_NULL;
    bool positive = e.of[0].kind == 'p', real = positive || e.of[0].kind == 'f';
    e.a.x[0] = positive ? tg_abs(x) : real ? x : e.a.x[0];
    tg_tensor y = tg_to_float(o->call(&e.a));
    bool same = tg_ndim(y) == 2 && tg_size(y, 0) == s->rows && tg_size(y, 1) == s->columns;
    return same ? y : tg_mul(b, tg_mean(y, TG_ALL_DIMS, false));
}

static inline tg_tensor apply_step(const source *s, int step, tg_tensor x, tg_tensor b) {
    int64_t r = s->rows, c = s->columns;
    tg_tensor parts[2] = {x, b}, all = TG_NULL;
    switch (step) {
    case 0: return tg_add(x, b);
    case 1: return tg_sub(x, b);
    case 2: return tg_mul(x, b);
    case 3: return tg_div(x, b);
    case 4: return tg_maximum(x, b);
    case 5: return tg_minimum(x, b);
    case 6: return tg_neg(x);
    case 7: return tg_exp(x);
    case 8: return tg_log(tg_abs(x));
    case 9: return tg_sqrt(tg_abs(x));
    case 10: return tg_square(x);
    case 11: return tg_abs(x);
    case 12: return tg_tanh(x);
    case 13: return tg_sigmoid(x);
    case 14: return tg_relu(x);
    case 15: return tg_silu(x);
    case 16: return tg_gelu(x);
    case 17: return tg_gelu_tanh(x);
    case 18: return tg_pow(tg_abs(x), -1.5);
    case 19: return tg_pow(x, 3);
    case 20: return tg_clamp(x, -0.5, 1.5);
    case 21: return tg_bias_gelu(x, leaf_with(s, TG_SHAPE(c)));
    case 22: return tg_add_scalar(x, 0.3);
    case 23: return tg_rsub_scalar(1, x);
    case 24: return tg_mul_scalar(x, -1.7);
    case 25: return tg_div_scalar(x, 3);
    case 26: return tg_rdiv_scalar(1, x);
    case 27: return tg_where(tg_gt(x, b), x, tg_square(b));
    case 28: return tg_masked_fill(x, mask_for(s), 0.5);
    case 29: return tg_softmax(tg_masked_fill(x, mask_for(s), -INFINITY), -1);
    case 30: return tg_mul(b, tg_sum(x, TG_DIMS(1), true));
    case 31: return tg_add(b, tg_mean(x, TG_DIMS(0), true));
    case 32: return tg_mul(b, tg_var(x, TG_DIMS(0, 1), 0, true));
    case 33: return tg_add(b, tg_amax(x, TG_DIMS(1), true));
    case 34: return tg_sub(b, tg_amin(x, TG_DIMS(0), true));
    case 35: return tg_sub(x, tg_logsumexp(b, TG_DIMS(1), true));
    case 36: return tg_reshape(tg_reshape(x, TG_SHAPE(c, r)), TG_SHAPE(r, c));
    case 37: return tg_transpose(tg_tanh(tg_transpose(x, 0, 1)), 0, 1);
    case 38: return tg_add(x, tg_slice(b, 0, 0, 1, 1));
    case 39: return tg_mul(x, tg_select(b, 0, r - 1));
    case 40: return tg_add(tg_expand(tg_slice(x, 1, 0, 1, 1), TG_SHAPE(r, c)), b);
    case 41: return tg_contiguous(tg_transpose(tg_clone(tg_transpose(x, 0, 1)), 0, 1));
    case 42: all = tg_cat(parts, 2, 0); return tg_slice(all, 0, 1, r + 1, 1);
    case 43: return tg_mean(tg_stack(parts, 2, 1), TG_DIMS(1), false);
    case 44: return tg_add(b, below(s->g, 2) ? tg_tril(x, 0) : tg_triu(x, 0));
    case 45: return tg_matmul(x, leaf_with(s, TG_SHAPE(c, c)));
    case 46: return tg_matmul(tg_matmul(x, tg_transpose(b, 0, 1)), b);
    case 47: return tg_linear(x, leaf_with(s, TG_SHAPE(c, c)), leaf_with(s, TG_SHAPE(c)));
    case 48: return tg_softmax(x, below(s->g, 2));
    case 49: return tg_log_softmax(x, -1);
    case 50: return tg_layer_norm(x, leaf_with(s, TG_SHAPE(c)), leaf_with(s, TG_SHAPE(c)), 1e-5);
    case 51: return tg_embedding(x, ids_for(s, TG_SHAPE(r), r));
    case 52: return tg_index_select(x, 1, ids_for(s, TG_SHAPE(c), c));
    case 53: return tg_gather(x, 1, ids_for(s, TG_SHAPE(r, c), c));
    case 54: return tg_dropout(x, 0.4);
    case 55: return tg_mul(b, tg_cross_entropy(x, ids_for(s, TG_SHAPE(r), c), TG_IGNORE_INDEX, TG_MEAN));
    case 56: return tg_mul(b, tg_mse_loss(x, b, TG_MEAN));
    case 57: return attend(s, x, b, 0);
    case 58: return attend(s, x, b, 1);
    case 59: return attend(s, x, b, 2);
    case 60: return attend(s, x, b, 3);
    case 61: return tg_mul(x, tg_sigmoid(b));
    case 62: return tg_log1p(tg_abs(x));
    case 63: return tg_expm1(x);
    case 64: return tg_rsqrt(tg_add_scalar(tg_abs(x), 1e-3));
    case 65: return tg_sin(x);
    case 66: return tg_cos(x);
    case 67: return tg_erf(x);
    case 68: return tg_softplus(x);
    case 69: return tg_leaky_relu(x, 0.1);
    case 70: return tg_elu(x, 0.7);
    case 71: return tg_pow_tensor(tg_abs(x), b);
    case 72: return tg_clamp_tensor(x, tg_neg(tg_abs(b)), tg_add_scalar(tg_abs(b), 1));
    case 73: return tg_swiglu(x, b);
    case 74: return tg_sub_scalar(x, 0.7);
    case 75: return tg_where(tg_logical_and(tg_ne(x, b), tg_lt(x, b)), tg_mul(x, b), x);
    case 76: return tg_where(tg_logical_or(tg_eq(x, b), tg_isnan(x)), tg_neg(b), x);
    case 77: return tg_mul(x, tg_to_float(tg_le(x, b)));
    case 78: return tg_add(x, tg_mul(b, tg_to_float(tg_ge(x, b))));
    case 79: return tg_div(x, tg_add_scalar(tg_std(b, TG_DIMS(0, 1), 0, true), 1));
    case 80: return tg_add(b, tg_prod(x, TG_DIMS(1), true));
    case 81: return tg_div(x, tg_add_scalar(tg_norm(x, 2, TG_DIMS(1), true), 0.1));
    case 82: return tg_add(b, tg_norm(x, below(s->g, 2) ? 3 : INFINITY, TG_DIMS(0), true));
    case 83: return tg_mul(x, tg_max_dim(b, 1, true, NULL));
    case 84: return tg_mul(x, tg_min_dim(b, 0, true, NULL));
    case 85: return tg_sub(b, tg_sort(x, below(s->g, 2), below(s->g, 2), NULL));
    case 86: return tg_mul(b, tg_topk(x, 1, 1, below(s->g, 2), NULL));
    case 87: return tg_cumsum(x, below(s->g, 2));
    case 88: return tg_permute(tg_square(tg_permute(x, TG_DIMS(1, 0))), TG_DIMS(1, 0));
    case 89: return tg_add(b, tg_flip(x, TG_DIMS(0, 1)));
    case 90: return tg_mul(b, tg_roll(x, 1, 1));
    case 91: return tg_slice(tg_repeat(tg_mul(x, b), TG_SHAPE(2, 1)), 0, 0, r, 1);
    case 92: return tg_rms_norm(x, leaf_with(s, TG_SHAPE(c)), 1e-5);
    case 93: return turn(s, x);
    case 94: return tg_index_add(b, 0, ids_for(s, TG_SHAPE(r), r), x);
    case 95: return tg_scatter_add(b, 1, ids_for(s, TG_SHAPE(r, c), c), x);
    case 96: return tg_mul(b, smoothed_loss(s, x));
    case 97: return tg_mul(b, tg_l1_loss(x, b, TG_MEAN));
    case 98: return tg_huber_loss(x, b, 0.8, TG_NONE);
    case 99: return tg_bce_with_logits(x, tg_sigmoid(b), TG_NONE);
    case 100: return tg_kl_div(x, tg_softmax(b, -1), TG_NONE);
    case 101: return tg_add(b, tg_gather(x, 1, tg_argsort(b, 1, false)));
    case 102: return tg_mul(b, tg_gather(x, 1, tg_argmax(x, 1, true)));
    case 103: return tg_add(b, tg_gather(x, 0, tg_argmin(x, 0, true)));
    case 104: return tg_where(tg_any(tg_gt(x, b), TG_DIMS(1), true), x, tg_square(b));
    case 105: return tg_add(x, tg_detach(tg_mul_scalar(tg_ones(s->t, TG_SHAPE(r, c)), 0.5)));
    case 106: return tg_mul(x, tg_to_float(tg_logical_not(mask_for(s))));
    default: return apply_operation(s, more_operations()->of[step - N_STEPS], x, b);
    }
}

/* Which operations have a step? Each runs several times, for those that draw which one they take. */
static inline void find_more_operations(more *m) {
    tg_rng_state g;
    tg_rng_seed(&g, 1);
    source s = {tg_tape_new(TG_F64), &g, RANDN, 3, 4};
    tg_tensor x = leaf_like(&s), b = leaf_like(&s);
    for (int i = 0; i < 8 * N_STEPS; i++)
        apply_step(&s, i / 8, x, b);
    for (int k = 0; k < n_operations; k++) {
        const tg_op *op = operation_descriptor(&operations[k]);
        bool used = !op;
        for (uint32_t i = 0; i < s.t->count; i++)
            used |= s.t->nodes[i]->op == op;
        if (!used)
            m->of[m->n++] = &operations[k];
    }
    tg_tape_free(s.t);
}

static inline const more *more_operations(void) {
    static more m;
    static bool found;
    if (!found) {
        found = true;
        find_more_operations(&m);
    }
    return &m;
}

static inline int n_steps(void) { return N_STEPS + more_operations()->n; }

/* ---- programs ---- */

typedef enum { SINGLE, COMPOSED, WITH_CUSTOM, N_FORMS } program_form;
static const char *const form_names[N_FORMS] = {"single", "composed", "custom"};

static inline tg_tensor finish(const source *s, tg_tensor y) {
    switch (below(s->g, 4)) {
    case 0: return tg_sum(y, TG_ALL_DIMS, false);
    case 1: return tg_mean(tg_square(y), TG_ALL_DIMS, false);
    default: return y;
    }
}

/* A program on the tape of the first `kinds` steps, n_steps() or N_STEPS: so that what a seed gives stays as it is when
 * operations come. What it computes need not be finite. */
static inline tg_tensor random_program(source *s, program_form form, int kinds) {
    tg_rng_state *g = s->g;
    s->rows = 1 + below(g, 4);
    s->columns = 1 + below(g, 4);
    tg_tensor pool[32] = {leaf_like(s), leaf_like(s)};
    int n = 2, steps = form == SINGLE ? 1 : 2 + below(g, 19);
    if (form == WITH_CUSTOM && below(g, 2))
        return finish(s, apply_custom(s, pool[0], below(g, N_CUSTOM)));
    for (int i = 0; i < steps; i++) {
        tg_tensor x = pool[below(g, 4) ? n - 1 : below(g, n)], b = pool[below(g, n)];
        bool own = form == WITH_CUSTOM && below(g, 3) == 0;
        pool[n++] = own ? apply_custom(s, x, below(g, N_CUSTOM)) : apply_step(s, below(g, kinds), x, b);
    }
    return form == SINGLE && below(g, 2) ? pool[n - 1] : finish(s, pool[n - 1]);
}

/* The program of this seed, and how it is checked. */
typedef struct drawn_program {
    tg_tape *t;
    tg_tensor y; /* null: there is an error on the tape */
    data_kind data;
    program_form form;
    tg_gradcheck_mode mode;
} drawn_program;

static inline drawn_program draw_program(uint64_t seed, int kinds) {
    drawn_program p = {.data = (data_kind)(seed % N_DATA)};
    tg_rng_state g;
    tg_rng_seed(&g, seed);
    p.form = (program_form)below(&g, N_FORMS);
    p.mode = below(&g, 3) == 0 ? TG_GRADCHECK_FAST : TG_GRADCHECK_FULL;
    p.t = tg_tape_new(tg_rng_random(&g) & 1 ? TG_F32 : TG_F64);
    tg_manual_seed(p.t, seed);
    p.y = random_program(&(source){p.t, &g, p.data, 0, 0}, p.form, kinds);
    return p;
}

#endif
