/* The calls that programs are made of. */
#include "nn/nn.h"
#include "tests/fuzz/program.h"
#include "tests/operations.h"

#include <math.h>

/* Calls whose operands and arguments have to suit one another, each made in its own way (program_make.c), and calls of
 * nn. */
static const struct {
    special special;
    const char *name;
    int traits;
    const char *error_names;
} specials[] = {
    {VAR, "var", NOT_EMPTY, NULL},
    {ARGMAX, "argmax", NOT_EMPTY | CONSTANT, NULL},
    {RESHAPE, "reshape", ANY_DTYPE, NULL},
    {TRANSPOSE, "transpose", ANY_DTYPE, NULL},
    {PERMUTE, "permute", ANY_DTYPE, NULL},
    {SLICE, "slice", ANY_DTYPE, NULL},
    {SELECT, "select", ANY_DTYPE | NOT_EMPTY, NULL},
    {EXPAND, "expand", ANY_DTYPE, NULL},
    {SPLIT, "split", ANY_DTYPE, NULL},
    {CAT, "cat", ANY_DTYPE, NULL},
    {STACK, "stack", ANY_DTYPE, NULL},
    {LINEAR, "linear", 0, NULL},
    {LAYER_NORM, "layer_norm", 0, NULL},
    {EMBEDDING, "embedding", 0, NULL},
    {INDEX_SELECT, "index_select", 0, NULL},
    {GATHER, "gather", 0, NULL},
    {DROPOUT, "dropout", 0, NULL},
    {CROSS_ENTROPY, "cross_entropy", NOT_EMPTY, NULL},
    {MSE_LOSS, "mse_loss", NOT_EMPTY, NULL},
    {ATTENTION, "scaled_dot_product_attention", 0, NULL},
    {WHERE, "where", 0, NULL},
    {MASKED_FILL, "masked_fill", 0, NULL},
    {MASKED_SOFTMAX, "masked_softmax", 0, "masked_fill, softmax"},
    {CLAMP, "clamp", 0, NULL},
    {CUSTOM, "custom", 0, "gaussian, to_float"},
    {STD, "std", NOT_EMPTY | CORNER_AT_ZERO, NULL},
    {NORM, "norm", CORNER_AT_ZERO | CORNERS, NULL},
    {ARGMIN, "argmin", NOT_EMPTY | CONSTANT, NULL},
    {ARGSORT, "argsort", CONSTANT, NULL},
    {MAX_DIM, "max_dim", NOT_EMPTY | CORNERS, NULL},
    {MIN_DIM, "min_dim", NOT_EMPTY | CORNERS, NULL},
    {SORT, "sort", CORNERS, NULL},
    {TOPK, "topk", CORNERS, NULL},
    {FLIP, "flip", ANY_DTYPE, NULL},
    {ROLL, "roll", ANY_DTYPE, NULL},
    {REPEAT, "repeat", ANY_DTYPE, NULL},
    {RMS_NORM, "rms_norm", 0, NULL},
    {ROPE, "rope", 0, NULL},
    {INDEX_ADD, "index_add", 0, NULL},
    {SCATTER_ADD, "scatter_add", 0, NULL},
    {CROSS_ENTROPY_WITH, "cross_entropy_with", NOT_EMPTY, "to_float"},
    {L1_LOSS, "l1_loss", NOT_EMPTY | CORNERS, NULL},
    {HUBER_LOSS, "huber_loss", NOT_EMPTY | CORNERS, NULL},
    {BCE_WITH_LOGITS, "bce_with_logits", NOT_EMPTY, NULL},
    {KL_DIV, "kl_div", NOT_EMPTY | POSITIVE, NULL},
    {CLAMP_TENSOR, "clamp_tensor", CORNERS, NULL},
    {BIAS_GELU, "bias_gelu", 0, NULL},
    {ATTENTION_WITH, "scaled_dot_product_attention_with", 0, "scaled_dot_product_attention"},
    {MULTIHEAD, "nn_multihead_forward", 0, "multihead"},
    {NN_ATTENTION, "nn_attention", 0, "attention"},
    {ADDITIVE, "nn_additive_attention_forward", 0, "additive_attention"},
    {LORA, "nn_lora_forward", 0, "lora"},
    {ENCODER_LAYER, "nn_encoder_layer_forward", 0, "encoder_layer, multihead"},
};

/* All other operations of the table are called by their parameters' types. */
static const struct {
    const char *types;
    form form;
} forms[] = {{"x", UNARY}, {"xx", BINARY}, {"xd", SCALAR}, {"dx", SCALAR_FIRST}, {"xDb", REDUCE}, {"xi", DIM}};

/* What their descriptors do not tell: where they have values, what else they take. */
static const struct {
    const char *name;
    int traits;
} traits[] = {{"log", POSITIVE},
              {"sqrt", POSITIVE},
              {"log1p", POSITIVE},
              {"rsqrt", POSITIVE},
              {"pow", POSITIVE},
              {"pow_tensor", POSITIVE},
              {"div", SECOND_NOT_ZERO},
              {"rdiv_scalar", NOT_ZERO},
              {"mean", NOT_EMPTY},
              {"amax", NOT_EMPTY},
              {"amin", NOT_EMPTY},
              {"logsumexp", NOT_EMPTY},
              {"contiguous", ANY_DTYPE},
              {"clone", ANY_DTYPE},
              {"detach", ANY_DTYPE},
              {"to_bool", ANY_DTYPE},
              {"to_float", ANY_DTYPE},
              {"any", ANY_DTYPE | CONSTANT},
              {"all", ANY_DTYPE | CONSTANT},
              {"squeeze", ANY_DTYPE},
              {"unsqueeze", ANY_DTYPE},
              {"tril", ANY_DTYPE},
              {"triu", ANY_DTYPE},
              {"logical_not", BOOL_ONLY},
              {"logical_and", BOOL_ONLY},
              {"logical_or", BOOL_ONLY}};

op_kind kinds[MAX_KINDS] = {{.name = "from_doubles", .form = LEAF, .special = LEAF_FLOAT},
                            {.name = "from_ints", .form = LEAF, .special = LEAF_INT},
                            {.name = "from_bools", .form = LEAF, .special = LEAF_BOOL}};
int n_kinds = 3;

/* The same operations as others with more or fewer arguments. */
static bool is_left_out(const char *name) {
    return strcmp(name, "layer_norm_over") == 0 || strcmp(name, "rms_norm_over") == 0 ||
           strcmp(name, "rope_scaled") == 0;
}

static bool is_special(const char *name) {
    for (size_t i = 0; i < sizeof specials / sizeof *specials; i++)
        if (strcmp(specials[i].name, name) == 0)
            return true;
    return false;
}

/* Whether it never has a gradient. tg_to_float of floating numbers is these numbers. */
static bool is_constant(const tg_op *op) { return op && op->no_gradient && strcmp(op->name, "to_float") != 0; }

static int traits_of(const operation *o) {
    const tg_op *op = operation_descriptor(o);
    int found = is_constant(op) ? CONSTANT : 0;
    if (op && op->branches[TG_F64])
        found |= CORNERS;
    for (size_t i = 0; i < sizeof traits / sizeof *traits; i++)
        if (strcmp(traits[i].name, o->name) == 0)
            found |= traits[i].traits;
    return found;
}

static form form_of(const operation *o) {
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++)
        if (strcmp(forms[i].types, o->types) == 0)
            return forms[i].form == DIM && strcmp(o->names, "x k") == 0 ? DIAGONAL : forms[i].form;
    return SPECIAL;
}

bool make_kinds(void) {
    for (int i = 0; i < n_operations; i++) {
        const operation *o = &operations[i];
        if (is_special(o->name) || is_left_out(o->name))
            continue;
        kinds[n_kinds++] = (op_kind){
            .name = o->name, .form = form_of(o), .operation = o, .special = NOT_SPECIAL, .traits = traits_of(o)};
        if (kinds[n_kinds - 1].form == SPECIAL)
            return fprintf(stderr, "fuzz_programs: tg_%s needs operands of its own: program_make.c\n", o->name), false;
    }
    for (size_t i = 0; i < sizeof specials / sizeof *specials; i++)
        kinds[n_kinds++] = (op_kind){.name = specials[i].name,
                                     .form = SPECIAL,
                                     .special = specials[i].special,
                                     .traits = specials[i].traits,
                                     .error_names = specials[i].error_names};
    return true;
}

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

static void gaussian_grad(const tg_tensor *x, int n, tg_tensor y, tg_tensor dy, tg_tensor *dx, const void *context) {
    (void)n, (void)context;
    dx[0] = tg_mul(dy, tg_exp(tg_neg(tg_square(x[1]))));
    dx[1] = tg_mul(tg_mul(dy, y), tg_mul_scalar(x[1], -2));
}
static tg_tensor gaussian_of(tg_tensor a, tg_tensor b, tg_shape shape) {
    tg_tensor y = tg_custom(&gaussian, (tg_tensor[]){a, b}, 2, shape, NULL, 0);
    return tg_custom_set_grad(y, gaussian_grad) ? TG_NULL : y;
}

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

/* The weights are numbers that no gradient flows to, whatever is given. */
static tg_tensor weighted_cross_entropy(const step *s, const tg_tensor *in) {
    tg_cross_entropy_config c = {
        .label_smoothing = s->c[0], .ignore_index = s->k[0], .reduction = (tg_reduction)s->k[1]};
    c.weight = tg_is_null(in[2]) ? TG_NULL : tg_to_float(in[2]);
    return tg_cross_entropy_with(in[0], in[1], c);
}

/* Operands: q, k, v, mask, alibi, sinks, documents; k: offset, window, enable_gqa; c: softcap, scale. */
static tg_tensor attention_with(const step *s, const tg_tensor *in) {
    tg_attention_config c = {.mask = in[3],
                             .alibi = in[4],
                             .sinks = in[5],
                             .documents = in[6],
                             .causal = s->flag,
                             .enable_gqa = s->k[2] == 1,
                             .offset = s->k[0],
                             .window = s->k[1],
                             .softcap = s->c[0],
                             .scale = s->c[1]};
    return tg_scaled_dot_product_attention_with(in[0], in[1], in[2], c);
}

/* Operands: q, k, v; in_proj, or three projections; in_proj_bias; out_proj, its bias; padding, attn_mask.
 * k: n_heads, n_kv_heads, 0 for the result without weights, 1 with them, 2 for the weights; c: dropout. */
static tg_tensor multihead(const step *s, const tg_tensor *in) {
    bool three = !tg_is_null(in[4]) || !tg_is_null(in[5]);
    tg_nn_multihead a = {.in_proj_weight = three ? TG_NULL : in[3],
                         .q_proj_weight = three ? in[3] : TG_NULL,
                         .k_proj_weight = in[4],
                         .v_proj_weight = in[5],
                         .in_proj_bias = in[6],
                         .out_proj = {.weight = in[7], .bias = in[8]},
                         .n_heads = (int)s->k[0],
                         .n_kv_heads = (int)s->k[1],
                         .dropout = s->c[0]};
    tg_tensor weights;
    tg_nn_masks masks = {.key_padding_mask = in[9], .attn_mask = in[10], .causal = s->flag};
    tg_tensor y = tg_nn_multihead_forward(&a, in[0], in[1], in[2], masks, s->k[2] ? &weights : NULL);
    return s->k[2] == 2 ? weights : y;
}

/* Operands: q, k, v; padding, attn_mask. k[2] as above. */
static tg_tensor plain_attention(const step *s, const tg_tensor *in) {
    tg_tensor weights;
    tg_nn_masks masks = {.key_padding_mask = in[3], .attn_mask = in[4], .causal = s->flag};
    tg_tensor y = tg_nn_attention(in[0], in[1], in[2], masks, s->c[0], s->k[2] ? &weights : NULL);
    return s->k[2] == 2 ? weights : y;
}

/* Operands: s, h; W_1, W_2 and v, each with its bias; padding, attn_mask. k[2] as above. */
static tg_tensor additive(const step *s, const tg_tensor *in) {
    tg_tensor weights;
    tg_nn_additive_attention a = {{in[2], in[3]}, {in[4], in[5]}, {in[6], in[7]}};
    tg_nn_masks masks = {.key_padding_mask = in[8], .attn_mask = in[9], .causal = s->flag};
    tg_tensor y = tg_nn_additive_attention_forward(&a, in[0], in[1], masks, s->k[2] ? &weights : NULL);
    return s->k[2] == 2 ? weights : y;
}

/* Operands: x; the base's weight and bias; A, B. c: scaling, dropout. */
static tg_tensor lora(const step *s, const tg_tensor *in) {
    tg_nn_lora l = {.base = {in[1], in[2]}, .lora_A = in[3], .lora_B = in[4], .scaling = s->c[0], .dropout = s->c[1]};
    return tg_nn_lora_forward(&l, in[0]);
}

/* Operands: x; in_proj, out_proj, linear1, linear2, norm1 and norm2, each with its bias; padding, attn_mask.
 * k: n_heads, 1 for norm_first and 2 for gelu; c: dropout, eps. */
static tg_tensor encoder_layer(const step *s, const tg_tensor *in) {
    int n_heads = (int)s->k[0];
    tg_nn_encoder_layer l = {.self_attn = {.in_proj_weight = in[1],
                                           .in_proj_bias = in[2],
                                           .out_proj = {in[3], in[4]},
                                           .n_heads = n_heads,
                                           .n_kv_heads = n_heads,
                                           .dropout = s->c[0]},
                             .linear1 = {in[5], in[6]},
                             .linear2 = {in[7], in[8]},
                             .norm1 = {in[9], in[10], s->c[1]},
                             .norm2 = {in[11], in[12], s->c[1]},
                             .dropout = s->c[0],
                             .activation = s->k[1] & 2 ? TG_NN_GELU : TG_NN_RELU,
                             .norm_first = s->k[1] & 1};
    tg_nn_masks masks = {.key_padding_mask = in[13], .attn_mask = in[14], .causal = s->flag};
    return tg_nn_encoder_layer_forward(&l, in[0], masks);
}

static tg_tensor special_step(const step *s, const tg_tensor *in) {
    int dim = (int)s->k[0];
    tg_tensor index, *wanted = s->k[2] % 2 ? &index : NULL;
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
    case CUSTOM: return gaussian_of(tg_to_float(in[0]), tg_to_float(in[1]), s->shape);
    case STD: return tg_std(in[0], s->dims, s->c[0], s->flag);
    case NORM: return tg_norm(in[0], s->c[0], s->dims, s->flag);
    case ARGMIN: return tg_argmin(in[0], dim, s->flag);
    case ARGSORT: return tg_argsort(in[0], dim, s->flag);
    case MAX_DIM: return tg_max_dim(in[0], dim, s->flag, wanted);
    case MIN_DIM: return tg_min_dim(in[0], dim, s->flag, wanted);
    case SORT: return tg_sort(in[0], dim, s->flag, wanted);
    case TOPK: return tg_topk(in[0], s->k[1], dim, s->flag, wanted);
    case FLIP: return tg_flip(in[0], s->dims);
    case ROLL: return tg_roll(in[0], s->k[1], dim);
    case REPEAT: return tg_repeat(in[0], s->shape);
    case RMS_NORM: return tg_rms_norm(in[0], in[1], s->c[0]);
    case ROPE: return tg_rope(in[0], (tg_rope_config){s->c[0], s->k[1], s->k[0], s->flag});
    case INDEX_ADD: return tg_index_add(in[0], dim, in[1], in[2]);
    case SCATTER_ADD: return tg_scatter_add(in[0], dim, in[1], in[2]);
    case CROSS_ENTROPY_WITH: return weighted_cross_entropy(s, in);
    case L1_LOSS: return tg_l1_loss(in[0], in[1], (tg_reduction)s->k[0]);
    case HUBER_LOSS: return tg_huber_loss(in[0], in[1], s->c[0], (tg_reduction)s->k[0]);
    case BCE_WITH_LOGITS: return tg_bce_with_logits(in[0], in[1], (tg_reduction)s->k[0]);
    case KL_DIV: return tg_kl_div(in[0], in[1], (tg_reduction)s->k[0]);
    case CLAMP_TENSOR: return tg_clamp_tensor(in[0], in[1], in[2]);
    case BIAS_GELU: return tg_bias_gelu(in[0], in[1]);
    case ATTENTION_WITH: return attention_with(s, in);
    case MULTIHEAD: return multihead(s, in);
    case NN_ATTENTION: return plain_attention(s, in);
    case ADDITIVE: return additive(s, in);
    case LORA: return lora(s, in);
    case ENCODER_LAYER: return encoder_layer(s, in);
    default: return TG_NULL;
    }
}

void operands(const step *s, const tg_tensor *x, tg_tensor in[MAX_OPERANDS]) {
    for (int i = 0; i < MAX_OPERANDS; i++)
        in[i] = i < s->n_in && s->in[i] >= 0 ? x[s->in[i]] : TG_NULL;
}

tg_tensor run_step(tg_tape *t, const step *s, const tg_tensor *x) {
    const op_kind *k = &kinds[s->kind];
    tg_tensor in[MAX_OPERANDS];
    operands(s, x, in);
    if (k->form == LEAF)
        return leaf(t, s);
    if (k->form == SPECIAL)
        return special_step(s, in);
    arguments a = {.x = {in[0], in[1]}, .d = {s->c[0]}, .i = {s->k[0]}, .dims = s->dims, .flag = s->flag};
    return k->operation->call(&a);
}
