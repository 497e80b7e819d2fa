/* The calls that programs are made of: each as itself, as elementary operations, and as text. */
#include "tests/fuzz/program.h"

#include <math.h>

#define U(function, ...) \
    { .name = #function, .form = UNARY, .call.unary = tg_##function, __VA_ARGS__ }
#define B(function, ...) \
    { .name = #function, .form = BINARY, .call.binary = tg_##function, __VA_ARGS__ }
#define S(function, ...) \
    { .name = #function, .form = SCALAR, .call.scalar = tg_##function, __VA_ARGS__ }
#define R(function, ...) \
    { .name = #function, .form = REDUCE, .call.reduce = tg_##function, __VA_ARGS__ }
#define D(function, ...) \
    { .name = #function, .form = DIM, .call.dim = tg_##function, __VA_ARGS__ }
#define X(id, call, ...) \
    { .name = call, .form = SPECIAL, .special = id, __VA_ARGS__ }

const op_kind kinds[] = {
    {.name = "from_doubles", .form = LEAF, .special = LEAF_FLOAT},
    {.name = "from_ints", .form = LEAF, .special = LEAF_INT},
    {.name = "from_bools", .form = LEAF, .special = LEAF_BOOL},
    U(neg, .traits = 0),
    U(exp, .traits = 0),
    U(log, .traits = POSITIVE),
    U(sqrt, .traits = POSITIVE),
    U(square, .traits = 0),
    U(abs, .traits = 0),
    U(tanh, .traits = 0),
    U(sigmoid, .traits = 0),
    U(relu, .traits = 0),
    U(silu, .traits = 0),
    U(gelu, .traits = 0),
    U(gelu_tanh, .traits = 0),
    U(contiguous, .traits = ANY_DTYPE),
    U(clone, .traits = ANY_DTYPE),
    U(detach, .traits = ANY_DTYPE | CONSTANT),
    U(to_bool, .traits = ANY_DTYPE | CONSTANT),
    U(to_float, .traits = ANY_DTYPE),
    U(logical_not, .traits = BOOL_ONLY | CONSTANT),
    B(add, .traits = 0),
    B(sub, .traits = 0),
    B(mul, .traits = 0),
    B(div, .traits = SECOND_NOT_ZERO),
    B(maximum, .traits = 0),
    B(minimum, .traits = 0),
    B(eq, .traits = CONSTANT),
    B(lt, .traits = CONSTANT),
    B(gt, .traits = CONSTANT),
    B(matmul, .traits = 0),
    S(pow, .traits = POSITIVE),
    S(add_scalar, .traits = 0),
    S(sub_scalar, .traits = 0),
    S(mul_scalar, .traits = 0),
    S(div_scalar, .traits = 0),
    {.name = "rsub_scalar", .form = SCALAR_FIRST, .call.scalar_first = tg_rsub_scalar},
    {.name = "rdiv_scalar", .form = SCALAR_FIRST, .call.scalar_first = tg_rdiv_scalar, .traits = NOT_ZERO},
    R(sum, .traits = 0),
    R(mean, .traits = NOT_EMPTY),
    R(amax, .traits = NOT_EMPTY),
    R(amin, .traits = NOT_EMPTY),
    R(logsumexp, .traits = NOT_EMPTY),
    D(softmax, .traits = 0),
    D(log_softmax, .traits = 0),
    D(squeeze, .traits = ANY_DTYPE),
    D(unsqueeze, .traits = ANY_DTYPE),
    {.name = "tril", .form = DIAGONAL, .call.diagonal = tg_tril, .traits = ANY_DTYPE},
    {.name = "triu", .form = DIAGONAL, .call.diagonal = tg_triu, .traits = ANY_DTYPE},
    X(VAR, "var", .traits = NOT_EMPTY),
    X(ARGMAX, "argmax", .traits = NOT_EMPTY | CONSTANT),
    X(RESHAPE, "reshape", .traits = ANY_DTYPE),
    X(TRANSPOSE, "transpose", .traits = ANY_DTYPE),
    X(PERMUTE, "permute", .traits = ANY_DTYPE),
    X(SLICE, "slice", .traits = ANY_DTYPE),
    X(SELECT, "select", .traits = ANY_DTYPE | NOT_EMPTY),
    X(EXPAND, "expand", .traits = ANY_DTYPE),
    X(SPLIT, "split", .traits = ANY_DTYPE),
    X(CAT, "cat", .traits = ANY_DTYPE),
    X(STACK, "stack", .traits = ANY_DTYPE),
    X(LINEAR, "linear", .traits = 0),
    X(LAYER_NORM, "layer_norm", .traits = 0),
    X(EMBEDDING, "embedding", .traits = 0),
    X(INDEX_SELECT, "index_select", .traits = 0),
    X(GATHER, "gather", .traits = 0),
    X(DROPOUT, "dropout", .traits = 0),
    X(CROSS_ENTROPY, "cross_entropy", .traits = NOT_EMPTY),
    X(MSE_LOSS, "mse_loss", .traits = NOT_EMPTY),
    X(ATTENTION, "scaled_dot_product_attention", .traits = 0),
    X(WHERE, "where", .traits = 0),
    X(MASKED_FILL, "masked_fill", .traits = 0),
    X(MASKED_SOFTMAX, "masked_softmax", .traits = 0, .error_names = "masked_fill, softmax"),
    X(CLAMP, "clamp", .traits = 0),
    X(CUSTOM, "custom", .traits = 0, .error_names = "gaussian, to_float"),
};
const int n_kinds = (int)(sizeof kinds / sizeof *kinds);

int kind_of(special s) {
    for (int i = 0; i < n_kinds; i++)
        if ((kinds[i].form == SPECIAL || kinds[i].form == LEAF) && kinds[i].special == s)
            return i;
    return 0;
}

/* ---- an operation of the user's: y = a e^(-b^2), of two inputs of one shape ---- */

#define CUSTOM_KERNELS(real, suffix)                                         \
    static int gaussian_forward_##suffix(const tg_call *c) {                 \
        const real *a = c->input[0], *b = c->input[1];                       \
        real *y = c->output;                                                 \
        int64_t n = elements(c->output_shape);                               \
        if (!suits(c))                                                       \
            return 1;                                                        \
        for (int64_t j = 0; j < n; j++)                                      \
            y[j] = a[j] * (real)exp(-(double)(b[j] * b[j]));                 \
        return 0;                                                            \
    }                                                                        \
    static int gaussian_vjp_##suffix(const tg_call *c) {                     \
        const real *a = c->input[0], *b = c->input[1], *dy = c->output_grad; \
        real *da = c->input_grad[0], *db = c->input_grad[1];                 \
        int64_t n = elements(c->output_shape);                               \
        for (int64_t j = 0; j < n; j++) {                                    \
            real e = (real)exp(-(double)(b[j] * b[j]));                      \
            if (da)                                                          \
                da[j] += dy[j] * e;                                          \
            if (db)                                                          \
                db[j] -= dy[j] * 2 * a[j] * b[j] * e;                        \
        }                                                                    \
        return 0;                                                            \
    }

static int64_t elements(const tg_shape *s) {
    int64_t n = 1;
    for (int i = 0; i < s->ndim; i++)
        n *= s->size[i];
    return n;
}

/* Any call may ask for this op: not every one has two inputs of the output's size, in the tape's dtype. */
static bool suits(const tg_call *c) {
    return c->n_inputs == 2 && elements(&c->input_shape[0]) == elements(c->output_shape) &&
           elements(&c->input_shape[1]) == elements(c->output_shape);
}

CUSTOM_KERNELS(float, f32)
CUSTOM_KERNELS(double, f64)
static const tg_custom_op gaussian = {"gaussian", gaussian_forward_f32, gaussian_vjp_f32, gaussian_forward_f64,
                                      gaussian_vjp_f64};

/* gelu the long way round, through libm's erf */
static int gelu_forward(const tg_call *c) {
    const double *x = c->input[0];
    double *y = c->output;
    for (int64_t j = 0, n = elements(c->output_shape); j < n; j++)
        y[j] = x[j] * 0.5 * (1 + erf(x[j] * 0.70710678118654752440));
    return 0;
}
static int gelu_vjp(const tg_call *c) {
    const double *x = c->input[0], *dy = c->output_grad;
    double *dx = c->input_grad[0];
    for (int64_t j = 0, n = elements(c->output_shape); j < n; j++)
        dx[j] += dy[j] * (0.5 * (1 + erf(x[j] * 0.70710678118654752440)) +
                          x[j] * exp(-0.5 * x[j] * x[j]) * 0.39894228040143267794);
    return 0;
}
static const tg_custom_op slow_gelu = {"slow_gelu", NULL, NULL, gelu_forward, gelu_vjp};

/* ---- as itself ---- */

static tg_tensor leaf(tg_tape *t, const step *s) {
    if (kinds[s->kind].special == LEAF_FLOAT)
        return tg_set_requires_grad(tg_from_doubles(t, s->shape, s->values), s->requires_grad);
    static bool b[MAX_LEAF];
    static int64_t k[MAX_LEAF];
    for (int64_t i = 0; i < s->n; i++) {
        b[i] = s->values[i] != 0;
        k[i] = (int64_t)s->values[i];
    }
    return kinds[s->kind].special == LEAF_BOOL ? tg_from_bools(t, s->shape, b) : tg_from_ints(t, s->shape, k);
}

static tg_tensor part_of_split(const step *s, tg_tensor x) {
    tg_tensor part[16];
    if (tg_split(x, s->k[0], (int)s->k[1], part, (int)s->k[2]))
        return TG_NULL;
    return part[s->k[2] - 1];
}

static tg_tensor special_step(const step *s, const tg_tensor *in) {
    int dim = (int)s->k[0];
    switch (kinds[s->kind].special) {
    case VAR: return tg_var(in[0], s->dims, s->c[0], s->flag);
    case ARGMAX: return tg_argmax(in[0], dim, s->flag);
    case RESHAPE: return tg_reshape(in[0], s->shape);
    case TRANSPOSE: return tg_transpose(in[0], dim, (int)s->k[1]);
    case PERMUTE: return tg_permute(in[0], s->dims);
    case SLICE: return tg_slice(in[0], s->dims.dim[0], s->k[0], s->k[1], s->k[2]);
    case SELECT: return tg_select(in[0], dim, s->k[1]);
    case EXPAND: return tg_expand(in[0], s->shape);
    case SPLIT: return part_of_split(s, in[0]);
    case CAT: return tg_cat(in, s->n_in, dim);
    case STACK: return tg_stack(in, s->n_in, dim);
    case LINEAR: return tg_linear(in[0], in[1], in[2]);
    case LAYER_NORM: return tg_layer_norm(in[0], in[1], in[2], s->c[0]);
    case EMBEDDING: return tg_embedding(in[0], in[1]);
    case INDEX_SELECT: return tg_index_select(in[0], dim, in[1]);
    case GATHER: return tg_gather(in[0], dim, in[1]);
    case DROPOUT: return tg_dropout(in[0], s->c[0]);
    case CROSS_ENTROPY: return tg_cross_entropy(in[0], in[1], s->k[0], (tg_reduction)s->k[1]);
    case MSE_LOSS: return tg_mse_loss(in[0], in[1], (tg_reduction)s->k[0]);
    case ATTENTION: return tg_scaled_dot_product_attention(in[0], in[1], in[2], in[3], s->flag, s->c[0], s->c[1]);
    case WHERE: return tg_where(in[0], in[1], in[2]);
    case MASKED_FILL: return tg_masked_fill(in[0], in[1], s->c[0]);
    case MASKED_SOFTMAX: return tg_softmax(tg_masked_fill(in[0], in[1], (double)-INFINITY), dim);
    case CLAMP: return tg_clamp(in[0], s->c[0], s->c[1]);
    case CUSTOM:
        return tg_custom(&gaussian, (tg_tensor[]){tg_to_float(in[0]), tg_to_float(in[1])}, 2, s->shape, NULL, 0);
    default: return TG_NULL;
    }
}

static void operands(const step *s, const tg_tensor *x, tg_tensor *in) {
    for (int i = 0; i < MAX_OPERANDS; i++)
        in[i] = i < s->n_in && s->in[i] >= 0 ? x[s->in[i]] : TG_NULL;
}

tg_tensor run_step(tg_tape *t, const step *s, const tg_tensor *x) {
    const op_kind *k = &kinds[s->kind];
    tg_tensor in[MAX_OPERANDS];
    operands(s, x, in);
    switch (k->form) {
    case LEAF: return leaf(t, s);
    case UNARY: return k->call.unary(in[0]);
    case BINARY: return k->call.binary(in[0], in[1]);
    case SCALAR: return k->call.scalar(in[0], s->c[0]);
    case SCALAR_FIRST: return k->call.scalar_first(s->c[0], in[0]);
    case REDUCE: return k->call.reduce(in[0], s->dims, s->flag);
    case DIM: return k->call.dim(in[0], (int)s->k[0]);
    case DIAGONAL: return k->call.diagonal(in[0], s->k[0]);
    default: return special_step(s, in);
    }
}

/* ---- from elementary operations ---- */

static tg_tensor softmax_by_hand(tg_tensor x, int dim) {
    if (tg_ndim(x) == 0)
        return tg_exp(tg_sub(x, x));
    tg_tensor e = tg_exp(tg_sub(x, tg_detach(tg_amax(x, TG_DIMS(dim), true))));
    return tg_div(e, tg_sum(e, TG_DIMS(dim), true));
}

static tg_tensor not_masked(tg_tensor mask) { return tg_to_float(tg_logical_not(mask)); }

/* softmax where a row may have nothing to see: the weights are multiplied by 0 and 1, not filled with -inf */
static tg_tensor masked_softmax_by_hand(tg_tensor x, tg_tensor visible, int dim) {
    tg_dims d = tg_ndim(x) ? TG_DIMS(dim) : TG_ALL_DIMS;
    tg_tensor e = tg_mul(tg_exp(tg_sub(x, tg_detach(tg_amax(x, d, true)))), visible);
    tg_tensor sum = tg_sum(e, d, true);
    return tg_div(e, tg_add(sum, tg_to_float(tg_eq(sum, tg_mul_scalar(sum, 0)))));
}

static tg_tensor attention_by_hand(tg_tape *t, const step *s, const tg_tensor *in) {
    tg_tensor q = in[0], k = in[1], v = in[2], mask = in[3];
    int64_t d = tg_size(q, -1), T = tg_size(q, -2), S = tg_size(k, -2);
    if (s->c[0] != 0 || T == 0 || S == 0)
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
    return tg_matmul(masked_softmax_by_hand(score, visible, -1), v);
}

static tg_tensor layer_norm_by_hand(const step *s, const tg_tensor *in) {
    tg_tensor x = in[0], centred = tg_sub(x, tg_mean(x, TG_DIMS(-1), true));
    tg_tensor var = tg_mean(tg_mul(centred, centred), TG_DIMS(-1), true);
    tg_tensor y = tg_div(centred, tg_sqrt(tg_add_scalar(var, s->c[0])));
    y = tg_is_null(in[1]) ? y : tg_mul(y, in[1]);
    return tg_is_null(in[2]) ? y : tg_add(y, in[2]);
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

static tg_tensor gelu_tanh_by_hand(tg_tensor x) {
    tg_tensor cube = tg_mul(x, tg_mul(x, x));
    tg_tensor u = tg_mul_scalar(tg_add(x, tg_mul_scalar(cube, 0.044715)), sqrt(2 / 3.14159265358979323846));
    return tg_mul_scalar(tg_mul(x, tg_add_scalar(tg_tanh(u), 1)), 0.5);
}

static tg_tensor compose_special(tg_tape *t, const step *s, const tg_tensor *in) {
    switch (kinds[s->kind].special) {
    case VAR: {
        tg_tensor c = tg_sub(in[0], tg_mean(in[0], s->dims, true));
        tg_tensor sum = tg_sum(tg_mul(c, c), s->dims, s->flag);
        double n = (double)tg_numel(in[0]) / (double)tg_numel(sum);
        return tg_div_scalar(sum, n - s->c[0]);
    }
    case LINEAR: {
        tg_tensor y = tg_matmul(in[0], tg_transpose(in[1], 0, 1));
        return tg_is_null(in[2]) ? y : tg_add(y, in[2]);
    }
    case LAYER_NORM: return tg_size(in[0], -1) ? layer_norm_by_hand(s, in) : TG_NULL;
    case CROSS_ENTROPY: return cross_entropy_by_hand(t, s, in);
    case MSE_LOSS: {
        tg_tensor d = tg_sub(in[0], in[1]);
        return reduced(tg_mul(d, d), s->k[0], (double)tg_numel(in[0]));
    }
    case ATTENTION: return attention_by_hand(t, s, in);
    case WHERE: return tg_add(tg_mul(in[1], tg_to_float(in[0])), tg_mul(in[2], not_masked(in[0])));
    case MASKED_FILL: return tg_add(tg_mul(in[0], not_masked(in[1])), tg_mul_scalar(tg_to_float(in[1]), s->c[0]));
    case MASKED_SOFTMAX: {
        bool empty = tg_numel(in[0]) == 0;
        return empty ? TG_NULL : masked_softmax_by_hand(in[0], not_masked(in[1]), (int)s->k[0]);
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

tg_tensor compose_step(tg_tape *t, const step *s, const tg_tensor *x) {
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
        return tg_custom(&slow_gelu, in, 1, tg_shape_of(in[0]), NULL, 0);
    if (is(s, "gelu_tanh"))
        return gelu_tanh_by_hand(in[0]);
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
        return tg_mul(in[0], tg_rdiv_scalar(1, in[1]));
    if (is(s, "minimum"))
        return tg_neg(tg_maximum(tg_neg(in[0]), tg_neg(in[1])));
    if (is(s, "amin"))
        return tg_neg(tg_amax(tg_neg(in[0]), s->dims, s->flag));
    if (is(s, "mean") && !empty) {
        tg_tensor sum = tg_sum(in[0], s->dims, s->flag);
        return tg_mul_scalar(sum, (double)tg_numel(sum) / (double)tg_numel(in[0]));
    }
    return kinds[s->kind].form == SPECIAL ? compose_special(t, s, in) : TG_NULL;
}
