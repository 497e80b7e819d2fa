/* Second derivatives of layers are PyTorch's double backward's; tg_gradcheck_second accepts those of operations, layers
 * and a transformer, and finds wrong ones. */
#include "custom_ops.h"
#include "nn/nn.h"
#include "tests/ops.h"
#include "tests/support.h"

#include "tests/golden/second.h"

enum { MOST = 20, N_GOLDENS = sizeof second_goldens / sizeof *second_goldens };

/* ---- layers ---- */

/* The script's numbers. */
static tg_tensor numbers(tg_tape *t, tg_shape shape, int a, int b, int c, double d) {
    double values[256];
    int64_t n = tg_shape_numel(&shape);
    for (int64_t i = 0; i < n; i++)
        values[i] = (double)((i * a + b) % c) / d - 1;
    return tg_from_doubles(t, shape, values);
}

/* The leaves: a case's inputs, then its parameters. */
typedef struct leaves {
    tg_tape *t;
    tg_tensor x[MOST];
    int n;
    tg_tensor *weights; /* for the layer to fill, or NULL: then the fused operation runs */
} leaves;

static void set_input(leaves *l, tg_shape shape) {
    l->x[l->n] = wanting(numbers(l->t, shape, 37, 11 + 17 * l->n, 101, 50));
    l->n++;
}

/* After the layer was made. */
static void set_parameters(leaves *l) {
    tg_list p = tg_parameters(l->t);
    for (int64_t i = 0; i < p.n; i++, l->n++) {
        l->x[l->n] = p.tensor[i];
        tg_tensor values = numbers(l->t, tg_shape_of(p.tensor[i]), 37, 11 + 17 * l->n, 101, 50);
        ck_assert_msg(tg_copy_(p.tensor[i], values) == TG_OK, "%s", tg_error(l->t));
    }
    tg_manual_seed(l->t, 11);
}

static const tg_shape tokens = {3, {2, 3, 4}}, others = {3, {2, 3, 3}};

static tg_tensor padding(tg_tape *t) { return tg_from_bools(t, TG_SHAPE(2, 3), (bool[]){0, 0, 1, 0, 1, 0}); }
static tg_nn_masks padded(tg_tape *t) { return (tg_nn_masks){padding(t), TG_NULL, false}; }
static tg_nn_masks hiding(tg_tape *t) {
    static const bool hidden[] = {0, 1, 0, 0, 0, 1, 1, 0, 0};
    return (tg_nn_masks){padding(t), tg_from_bools(t, TG_SHAPE(3, 3), hidden), false};
}

/* A layer of nn, what it is made with, its inputs and its forward, of the layer m and the leaves l. */
#define LAYER(name, type, arguments, inputs, forward)                        \
    static tg_tensor name(leaves *l) {                                       \
        inputs;                                                              \
        tg_nn_##type m = tg_nn_##type##_new(l->t, "m", ARGUMENTS arguments); \
        set_parameters(l);                                                   \
        return tg_nn_##forward;                                              \
    }
#define ARGUMENTS(...) __VA_ARGS__
#define TOKENS set_input(l, tokens)
#define TOKENS_AND_OTHERS (set_input(l, tokens), set_input(l, others))

LAYER(linear, linear, (4, 5, true), TOKENS, linear_forward(&m, l->x[0]))
LAYER(embedding, embedding, (6, 3), (void)0,
      embedding_forward(&m, tg_from_ints(l->t, TG_SHAPE(5), (int64_t[]){2, 0, 5, 2, 3})))
LAYER(layer_norm, layer_norm, (4, true), TOKENS, layer_norm_forward(&m, l->x[0]))
LAYER(rms_norm, rms_norm, (4, 1e-6), TOKENS, rms_norm_forward(&m, l->x[0]))
LAYER(self_attention_v1, self_attention_v1, (4, 3), TOKENS, self_attention_v1_forward(&m, l->x[0], l->weights))
LAYER(self_attention_v2, self_attention_v2, (4, 3, true), TOKENS, self_attention_v2_forward(&m, l->x[0], l->weights))
LAYER(causal_attention, causal_attention, (4, 3, 5, 0.25, false), TOKENS,
      causal_attention_forward(&m, l->x[0], l->weights))
LAYER(multi_head_wrapper, multi_head_wrapper, (4, 2, 5, 0.25, 2, true), TOKENS,
      multi_head_wrapper_forward(&m, l->x[0], l->weights))
LAYER(multi_head_attention, multi_head_attention, (4, 4, 5, 0.25, 2, false), TOKENS,
      multi_head_attention_forward(&m, l->x[0], l->weights))
LAYER(masked_multi_head_attention, multi_head_attention, (4, 4, 0, 0.25, 2, true), TOKENS,
      multi_head_attention_forward_masked(&m, l->x[0], hiding(l->t), l->weights))
LAYER(cross_attention, cross_attention, (4, 3, 2, 0, true), (TOKENS, set_input(l, TG_SHAPE(2, 5, 3))),
      cross_attention_forward(&m, l->x[0], l->x[1], TG_NN_NO_MASKS, l->weights))
LAYER(masked_cross_attention, cross_attention, (4, 3, 2, 0.25, false), TOKENS_AND_OTHERS,
      cross_attention_forward(&m, l->x[0], l->x[1], padded(l->t), l->weights))
LAYER(additive_attention, additive_attention, (4, 3, 5), TOKENS_AND_OTHERS,
      additive_attention_forward(&m, l->x[0], l->x[1], padded(l->t), l->weights))

static tg_tensor simple_attention(leaves *l) {
    set_input(l, tokens);
    return tg_nn_simple_attention(l->x[0], l->weights);
}
static tg_tensor attention(leaves *l) {
    set_input(l, tokens);
    set_input(l, tokens);
    set_input(l, TG_SHAPE(2, 3, 2));
    set_input(l, TG_SHAPE(3, 3));
    set_parameters(l);
    return tg_nn_attention(l->x[0], l->x[1], l->x[2], (tg_nn_masks){padding(l->t), l->x[3], true}, 0.25, l->weights);
}
static tg_tensor multihead(leaves *l) {
    tg_nn_multihead_config config = TG_NN_MULTIHEAD_DEFAULTS;
    config.kdim = 3;
    config.vdim = 5;
    set_input(l, tokens);
    set_input(l, others);
    set_input(l, TG_SHAPE(2, 3, 5));
    tg_nn_multihead m = tg_nn_multihead_new(l->t, "m", 4, 2, config);
    set_parameters(l);
    return tg_nn_multihead_forward(&m, l->x[0], l->x[1], l->x[2], hiding(l->t), l->weights);
}
static tg_tensor encoder(leaves *l, tg_nn_activation activation, bool norm_first) {
    tg_nn_encoder_layer_config config = {6, 0, 1e-5, activation, norm_first, true};
    set_input(l, tokens);
    tg_nn_encoder_layer m = tg_nn_encoder_layer_new(l->t, "m", 4, 2, config);
    set_parameters(l);
    return tg_nn_encoder_layer_forward(&m, l->x[0], TG_NN_NO_MASKS);
}
static tg_tensor encoder_layer(leaves *l) { return encoder(l, TG_NN_RELU, false); }
static tg_tensor encoder_layer_norm_first(leaves *l) { return encoder(l, TG_NN_GELU, true); }

/* A transformer's block. */
typedef struct block {
    tg_nn_layer_norm norm1, norm2;
    tg_nn_multi_head_attention attention;
    tg_nn_linear up, down;
} block;

static block block_new(tg_tape *t, const char *name) {
    block b;
    char part[40];
#define PART(text) (snprintf(part, sizeof part, "%s." text, name), part)
    b.norm1 = tg_nn_layer_norm_new(t, PART("norm1"), 4, true);
    b.attention = tg_nn_multi_head_attention_new(t, PART("attention"), 4, 4, 3, 0, 2, false);
    b.norm2 = tg_nn_layer_norm_new(t, PART("norm2"), 4, true);
    b.up = tg_nn_linear_new(t, PART("up"), 4, 6, true);
    b.down = tg_nn_linear_new(t, PART("down"), 6, 4, true);
#undef PART
    return b;
}

static tg_tensor block_forward(const block *b, tg_tensor x, tg_tensor *weights) {
    tg_tensor n = tg_nn_layer_norm_forward(&b->norm1, x);
    x = tg_add(x, tg_nn_multi_head_attention_forward(&b->attention, n, weights));
    tg_tensor h = tg_gelu(tg_nn_linear_forward(&b->up, tg_nn_layer_norm_forward(&b->norm2, x)));
    return tg_add(x, tg_nn_linear_forward(&b->down, h));
}

static tg_tensor one_block(leaves *l) {
    set_input(l, tokens);
    block b = block_new(l->t, "m");
    set_parameters(l);
    return block_forward(&b, l->x[0], l->weights);
}

static const struct {
    const char *name;
    tg_tensor (*record)(leaves *l);
} layers[N_GOLDENS] = {{"linear", linear},
                       {"embedding", embedding},
                       {"layer_norm", layer_norm},
                       {"rms_norm", rms_norm},
                       {"simple_attention", simple_attention},
                       {"attention", attention},
                       {"self_attention_v1", self_attention_v1},
                       {"self_attention_v2", self_attention_v2},
                       {"causal_attention", causal_attention},
                       {"multi_head_wrapper", multi_head_wrapper},
                       {"multi_head_attention", multi_head_attention},
                       {"multi_head_attention masked", masked_multi_head_attention},
                       {"cross_attention", cross_attention},
                       {"cross_attention masked", masked_cross_attention},
                       {"additive_attention", additive_attention},
                       {"multihead", multihead},
                       {"encoder_layer", encoder_layer},
                       {"encoder_layer norm first", encoder_layer_norm_first},
                       {"block", one_block}};

static void want_products(const second_golden *g, leaves *l, tg_tensor y) {
    tg_tensor v[MOST], hv[MOST], f = total(tg_mul(tg_square(y), numbers(l->t, tg_shape_of(y), 53, 7, 97, 48)));
    for (int k = 0; k < l->n; k++)
        v[k] = numbers(l->t, tg_shape_of(l->x[k]), 29, 5 + 13 * k, 89, 44);
    ck_assert_msg(tg_hvp(f, l->x, v, l->n, hv) == TG_OK, "%s: %s", g->name, tg_error(l->t));
    int64_t at = 0;
    for (int k = 0; k < l->n; k++) {
        double values[256];
        ck_assert_int_eq(tg_read_doubles(hv[k], values, tg_numel(hv[k])), TG_OK);
        for (int64_t i = 0; i < tg_numel(hv[k]); i++, at++)
            ck_assert_msg(fabs(values[i] - g->hv[at]) <= 1e-10 * fmax(1, fabs(g->hv[at])),
                          "%s, leaf %d, element %lld: %.17g, PyTorch has %.17g", g->name, k, (long long)i, values[i],
                          g->hv[at]);
    }
    ck_assert_int_eq(at, g->n);
}

/* With the fused operation, and with the composition that gives the weights. */
START_TEST(hessian_vector_products_equal_pytorchs)
{
    ck_assert_str_eq(second_goldens[_i].name, layers[_i].name);
    for (int with = 0; with < 2; with++) {
        tg_tensor weights;
        leaves l = {.t = tg_tape_new(TG_F64), .weights = with ? &weights : NULL};
        tg_tensor y = layers[_i].record(&l);
        WANT_OK(l.t);
        want_products(&second_goldens[_i], &l, y);
        tg_tape_free(l.t);
    }
}
END_TEST

/* ---- the check says right of what is right ---- */

static double worst_adjoint, worst_symmetry;

static void want_right(tg_tensor y, const char *what) {
    tg_second_result r;
    tg_status status = tg_gradcheck_second(y, 7, &r);
    if (status && (strstr(tg_error(y.tape), "requires no gradient") || strstr(tg_error(y.tape), "has no elements"))) {
        tg_clear_error(y.tape);
        return;
    }
    ck_assert_msg(status == TG_OK && r.verdict <= TG_GRAD_KINK, "%s: %s", what, r.summary);
    ck_assert_msg(r.adjoint <= 1e-13, "%s: %s", what, r.summary);
    worst_adjoint = fmax(worst_adjoint, r.adjoint);
    worst_symmetry = fmax(worst_symmetry, r.symmetry);
}

START_TEST(second_derivatives_of_operations_are_right)
{
    for (int i = 0; i < N_OPS; i++)
        for (int variant = 0;; variant++) {
            tg_tape *t = seeded_tape(TG_F64, 40 + (uint64_t)variant);
            char what[100];
            snprintf(what, sizeof what, "%s probe %d", ops[i]->name, variant);
            tg_tensor y = ops[i]->probe(t, variant);
            bool more = !tg_is_null(y);
            if (more && tg_requires_grad(y) && tg_numel(y))
                want_right(y, what);
            tg_tape_free(t);
            if (!more)
                break;
        }
    printf("operations: adjoint %.2g, symmetry %.2g at worst\n", worst_adjoint, worst_symmetry);
}
END_TEST

START_TEST(second_derivatives_of_layers_are_right)
{
    for (int i = 0; i < N_GOLDENS; i++)
        for (int with = 0; with < 2; with++) {
            tg_tensor weights;
            leaves l = {.t = tg_tape_new(TG_F64), .weights = with ? &weights : NULL};
            want_right(layers[i].record(&l), layers[i].name);
            tg_tape_free(l.t);
        }
    printf("layers: adjoint %.2g, symmetry %.2g at worst\n", worst_adjoint, worst_symmetry);
}
END_TEST

/* Two blocks; and in float32, whose float64 copy is checked. */
START_TEST(second_derivatives_of_a_transformer_are_right)
{
    for (int dtype = TG_F32; dtype <= TG_F64; dtype++) {
        tg_tape *t = tg_tape_new((tg_dtype)dtype);
        tg_tensor ids = tg_from_ints(t, TG_SHAPE(2, 3), (int64_t[]){1, 4, 2, 0, 4, 3});
        tg_tensor next = tg_from_ints(t, TG_SHAPE(2, 3), (int64_t[]){0, 3, 1, 2, 2, 0});
        tg_nn_embedding words = tg_nn_embedding_new(t, "words", 5, 4);
        block first = block_new(t, "first"), second = block_new(t, "second");
        tg_tensor x = block_forward(&second, block_forward(&first, tg_nn_embedding_forward(&words, ids), NULL), NULL);
        want_right(tg_cross_entropy(x, next, TG_IGNORE_INDEX, TG_MEAN), "transformer");
        tg_tape_free(t);
    }
    printf("transformer: adjoint %.2g, symmetry %.2g at worst\n", worst_adjoint, worst_symmetry);
}
END_TEST

/* With one key y is v, whatever q and k are: f = T v^2, df/dv = 2 T v, and the sum of its squares has 8 T^2 v. */
START_TEST(attention_to_one_key_has_the_derivatives_of_v)
{
    enum { T = 5 };
    tg_tape *t = tg_tape_new(TG_F64);
    tg_tensor x[3] = {wanting(tg_randn(t, TG_SHAPE(T, 2))), wanting(tg_randn(t, TG_SHAPE(1, 2))),
                      wanting(VECTOR(t, 3, -2))};
    x[2] = tg_reshape(x[2], TG_SHAPE(1, 2));
    tg_tensor dx[3], ddx[3], slope, y = tg_scaled_dot_product_attention(x[0], x[1], x[2], TG_NULL, false, 0, 0);
    ck_assert_int_eq(tg_gradients(tg_sum(tg_square(y), TG_ALL_DIMS, false), TG_NULL, x, 3, dx), TG_OK);
    WANT_VALUES(dx[2], 2 * T * 3, 2 * T * -2);
    slope = tg_add(tg_sum(tg_square(dx[2]), TG_ALL_DIMS, false), tg_sum(dx[0], TG_ALL_DIMS, false));
    ck_assert_msg(tg_gradients(slope, TG_NULL, x, 3, ddx) == TG_OK, "%s", tg_error(t));
    WANT_VALUES(ddx[2], 8 * T * T * 3, 8 * T * T * -2);
    ck_assert_double_eq_tol(tg_item(tg_amax(tg_abs(ddx[0]), TG_ALL_DIMS, false)), 0, 1e-12);
    ck_assert_double_eq_tol(tg_item(tg_amax(tg_abs(ddx[1]), TG_ALL_DIMS, false)), 0, 1e-12);
    tg_tape_free(t);
}
END_TEST

/* The derivatives of attention's second derivatives, which are made of operations: against differences, with every
 * mask, with dropout, and recorded where no gradient is wanted. */
static void check_third(tg_tape *t, int mask_kind, bool causal, double dropout) {
    static const bool shown[] = {true, true, false, true, true, true, false, true, true, true, true, true};
    tg_tensor mask = mask_kind == 0   ? TG_NULL
                     : mask_kind == 1 ? tg_from_bools(t, TG_SHAPE(4, 3), shown)
                                      : wanting(tg_randn(t, TG_SHAPE(4, 3)));
    tg_tensor x[4] = {wanting(tg_randn(t, TG_SHAPE(4, 2))), wanting(tg_randn(t, TG_SHAPE(3, 2))),
                      wanting(tg_randn(t, TG_SHAPE(3, 2))), mask};
    tg_tensor dx[4], ddx[4], again[4];
    int n = mask_kind == 2 ? 4 : 3;
    tg_tensor y = tg_scaled_dot_product_attention(x[0], x[1], x[2], mask, causal, dropout, 0), slope = tg_scalar(t, 0);
    ck_assert_int_eq(tg_gradients(tg_sum(tg_exp(y), TG_ALL_DIMS, false), TG_NULL, x, n, dx), TG_OK);
    for (int i = 0; i < n; i++)
        slope = tg_add(slope, tg_sum(tg_mul(dx[i], tg_randn(t, tg_shape_of(dx[i]))), TG_ALL_DIMS, false));
    tg_no_grad_begin(t);
    ck_assert_int_eq(tg_gradients(slope, TG_NULL, x, n, again), TG_OK);
    tg_no_grad_end(t);
    ck_assert_int_eq(tg_gradients(slope, TG_NULL, x, n, ddx), TG_OK);
    for (int i = 0; i < n; i++) {
        tg_tensor apart = tg_amax(tg_abs(tg_sub(ddx[i], again[i])), TG_ALL_DIMS, false);
        ck_assert(!tg_requires_grad(again[i]) && tg_item(apart) == 0);
        tg_tensor weighted = tg_mul(ddx[i], tg_randn(t, tg_shape_of(ddx[i])));
        ck_assert_msg(tg_gradcheck(weighted, TG_GRADCHECK_DEFAULTS, NULL) == TG_OK, "mask %d dropout %g, %d: %s",
                      mask_kind, dropout, i, tg_error(t));
    }
}

START_TEST(third_derivatives_of_attention_are_right)
{
    for (int i = 0; i < 12; i++) {
        tg_tape *t = seeded_tape(TG_F64, (uint64_t)i);
        check_third(t, i % 3, i / 3 % 2, i < 6 ? 0 : 0.3);
        tg_tape_free(t);
    }
}
END_TEST

START_TEST(the_line_is_printed)
{
    tg_tape *t = tg_tape_new(TG_F64);
    tg_second_result r;
    tg_tensor q = wanting(tg_randn(t, TG_SHAPE(5, 3)));
    tg_tensor y = tg_scaled_dot_product_attention(q, q, q, TG_NULL, true, 0, 0);
    ck_assert_int_eq(tg_gradcheck_second(tg_sum(tg_exp(y), TG_ALL_DIMS, false), 1, &r), TG_OK);
    for (int i = 0; i < 2; i++) {
        const tg_gradcheck_piece *p = &r.line.piece[i];
        ck_assert(fabs(p->f_b - p->f_a - p->integral - p->residual) <= 1e-12 && fabs(p->residual) <= p->noise);
    }
    FILE *file = tmpfile();
    ck_assert_int_eq(tg_gradcheck_second_print(file, &r), TG_OK);
    const char *text = read_back(file);
    ck_assert_msg(strstr(text, "residual") && strstr(text, "integral") && strstr(text, "consistent and right"), "%s",
                  text);
    tg_tape_free(t);
}
END_TEST

/* (x + 1024) - 1024 rounds to multiples of 2^-42, and has no second derivative. */
START_TEST(rounding_is_no_second_derivative)
{
    tg_tape *t = tg_tape_new(TG_F64);
    want_right(tg_add_scalar(tg_add_scalar(wanting(VECTOR(t, 1.1)), 1024), -1024), "x + 1024 - 1024");
    tg_tape_free(t);
}
END_TEST

/* ---- mistakes are found: y = x^3 with a mistake in the kernel, in grad, in both ---- */

static double kernel_factor, grad_factor;

EACH(cubed, x *x *x, kernel_factor * 3 * x * x * dy)

/* What a grad may stop: its numbers are right, their derivatives are not. */
typedef enum { NOTHING, HALF, ALL } stops;
static stops stopped;

static void cube_grad(const tg_tensor *x, int n, tg_tensor y, tg_tensor dy, tg_tensor *dx, const void *context) {
    (void)n, (void)y, (void)context;
    tg_tensor a = stopped == ALL ? tg_detach(x[0]) : x[0], b = stopped == NOTHING ? x[0] : tg_detach(x[0]);
    dx[0] = tg_mul(dy, tg_mul_scalar(tg_mul(a, b), 3 * grad_factor));
}

static tg_tensor cube(tg_tape *t, double kernel, double grad, stops stop, double size) {
    kernel_factor = kernel;
    grad_factor = grad;
    stopped = stop;
    tg_tensor x = wanting(VECTOR(t, 1.5 * size, -0.5 * size, 0.7 * size, -2 * size)), y = apply_to(&cubed, 0, 0, x);
    ck_assert_int_eq(tg_custom_set_grad(y, cube_grad), TG_OK);
    return y;
}

/* In both alike they are consistent, the second derivatives of another function: f shows it. */
START_TEST(mistakes_in_kernel_or_grad_are_found)
{
    static const struct {
        double kernel, grad;
        stops stop;
        double size;
        tg_grad_verdict verdict;
    } rows[] = {{1, 1, NOTHING, 1, TG_GRAD_RIGHT},       {1.001, 1, NOTHING, 1, TG_GRAD_WRONG},
                {1, 0.5, NOTHING, 1, TG_GRAD_WRONG},     {2, 2, NOTHING, 1, TG_GRAD_WRONG},
                {1, 1, HALF, 1, TG_GRAD_WRONG},          {1, 1, ALL, 1, TG_GRAD_WRONG},
                {1, 1, NOTHING, 1e4, TG_GRAD_RIGHT},     {2, 2, NOTHING, 1e4, TG_GRAD_WRONG}, /* numbers are relative */
                {1, 1.001, NOTHING, 1e-4, TG_GRAD_WRONG}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        tg_tape *t = tg_tape_new(TG_F64);
        tg_second_result r;
        tg_status status =
            tg_gradcheck_second(cube(t, rows[i].kernel, rows[i].grad, rows[i].stop, rows[i].size), 3, &r);
        ck_assert_msg(r.verdict == rows[i].verdict, "row %zu: %s", i, r.summary);
        ck_assert_int_eq(status == TG_OK, r.verdict == TG_GRAD_RIGHT);
        ck_assert(status != TG_OK || r.adjoint <= 1e-13);
        ck_assert(rows[i].stop == NOTHING || r.adjoint <= 1e-13); /* the numbers are right */
        tg_tape_free(t);
    }
}
END_TEST

/* ---- the same in every operation: its VJP kernel, its grad or both give a gradient times a factor ---- */

static const tg_op *right_op;

/* The operation may keep dy's buffer as the gradient of its input, so dy stays scaled: nobody reads it after this. */
static tg_status wrong_vjp(tg_node *y) {
    for (int64_t i = 0; i < y->numel; i++)
        ((double *)y->grad)[i] *= kernel_factor;
    return right_op->vjp[y->tape->dtype](y);
}
static void wrong_grad(const tg_node *y, tg_tensor dy, tg_tensor *dx) {
    right_op->grad(y, tg_mul_scalar(dy, grad_factor), dx);
}

/* Every node of op that has a gradient, as an int64 has none, gets the wrong one's descriptor; how many there are. A
 * custom operation has a descriptor of its own: 0, but see above. */
static int plant(tg_tape *t, const tg_op *op, const tg_op *wrong) {
    int n = 0;
    for (uint32_t i = 0; i < t->count; i++)
        if (t->nodes[i]->op == op && t->nodes[i]->requires_grad) {
            t->nodes[i]->op = wrong;
            n++;
        }
    return n;
}

/* Whether a leaf of y gets a gradient other than zeros and the rounding of one. */
static bool has_gradient(tg_tape *t, tg_tensor y) {
    tg_tensor cotangent = tg_randn(t, tg_shape_of(y));
    bool found = tg_backward_with(y, cotangent) != TG_OK;
    for (uint32_t i = 0; i < t->count && !found; i++) {
        const tg_node *x = t->nodes[i];
        for (int64_t j = 0; j < x->numel && !x->op && x->has_grad; j++)
            found |= fabs(((const double *)x->grad)[j]) > 1e-14;
    }
    return found;
}

/* Whether the mistake in this example of op is found; true also where it makes no difference. */
static bool is_found(const tg_op *op, int variant, double kernel, double grad, int *tried, bool *there) {
    tg_tape *t = seeded_tape(TG_F64, (uint64_t)variant + 1);
    tg_op wrong = *op;
    wrong.vjp[TG_F64] = wrong_vjp;
    wrong.grad = wrong_grad;
    right_op = op;
    kernel_factor = kernel;
    grad_factor = grad;
    tg_tensor y = op->probe(t, variant);
    bool found = true;
    *there = !tg_is_null(y);
    if (*there && tg_requires_grad(y) && has_gradient(t, y) && plant(t, op, &wrong)) {
        tg_second_result r;
        found = tg_gradcheck_second(y, 5, &r) == TG_ERR_NUMERIC && r.verdict == TG_GRAD_WRONG;
        ++*tried;
    }
    tg_tape_free(t);
    return found;
}

START_TEST(mistakes_in_every_operation_are_found)
{
    static const double factors[][2] = {{-1, 1}, {1.001, 1}, {1, -1}, {1, 1.001}, {-1, -1}, {1.01, 1.01}};
    int tried = 0, caught = 0;
    for (int i = 0; i < N_OPS; i++) {
        bool there = ops[i]->grad && ops[i]->vjp[TG_F64] && !ops[i]->is_view;
        for (int variant = 0; variant < MOST && there; variant++)
            for (int k = 0; k < (int)(sizeof factors / sizeof *factors) && there; k++) {
                int before = tried;
                bool found = is_found(ops[i], variant, factors[k][0], factors[k][1], &tried, &there);
                caught += found && tried > before;
                if (!found)
                    fprintf(stderr, "MISSED %s, example %d: times %g in the kernel, %g in grad\n", ops[i]->name,
                            variant, factors[k][0], factors[k][1]);
            }
    }
    printf("in kernels, grads and both: planted %d, caught %d\n", tried, caught);
    ck_assert_int_eq(caught, tried);
    ck_assert_int_gt(tried, 1000);
}
END_TEST

/* ---- what is not finite ---- */

static void want_refused(tg_tensor y, const char *text) {
    tg_second_result r;
    ck_assert_int_eq(tg_gradcheck_second(y, 1, &r), TG_ERR_NUMERIC);
    ck_assert_msg(r.verdict == TG_GRAD_CANNOT_TELL && strstr(r.summary, text), "%s", r.summary);
    ck_assert_msg(strstr(r.summary, "gradcheck_second") == r.summary, "%s", r.summary);
    ck_assert_str_eq(r.summary, tg_error(y.tape));
    tg_clear_error(y.tape);
}

START_TEST(what_is_not_finite_is_refused)
{
    tg_tape *t = tg_tape_new(TG_F64);
    tg_tensor x = wanting(VECTOR(t, 2, -1)), zero = tg_sub(x, x), both = wanting(VECTOR(t, 1, NAN)),
              mask = tg_from_bools(t, TG_SHAPE(2), (bool[]){1, 0});
    want_refused(tg_exp(tg_log(x)), "(2,) is not finite: element 1 is");
    want_refused(tg_exp(tg_log(x)), "(2,), made by log: check");
    want_refused(tg_div(x, zero), "made by div: check");
    want_refused(tg_sum(both, TG_ALL_DIMS, false), "a leaf: check");
    want_refused(tg_sqrt(zero), "the gradient of tensor 0 (2,) is not finite");
    want_refused(tg_pow(tg_sub(x, tg_detach(x)), 1.5), "the Hessian times a direction is not finite");
    /* infinite on purpose, and an infinite slope that relu's mask ends */
    want_right(tg_masked_fill(x, mask, INFINITY), "masked_fill");
    want_right(tg_sqrt(tg_relu(x)), "sqrt of relu");
    tg_tape_free(t);
}
END_TEST

/* x = 1 moves by up to three quarters: the first paths leave the domain of the root, shorter ones do not; beside 1e-8
 * the shortest of all do. */
START_TEST(paths_that_leave_the_domain_say_nothing)
{
    static const struct {
        double beyond;
        bool right;
    } rows[] = {{0.01, true}, {1e-6, true}, {1e-8, false}, {0x1p-52, false}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        tg_tape *t = tg_tape_new(TG_F64);
        tg_second_result r;
        (void)!tg_gradcheck_second(tg_sqrt(tg_add_scalar(wanting(VECTOR(t, 1, 1)), -1 + rows[i].beyond)), 1, &r);
        ck_assert_msg(r.verdict == (rows[i].right ? TG_GRAD_RIGHT : TG_GRAD_CANNOT_TELL), "%g: %s", rows[i].beyond,
                      r.summary);
        tg_tape_free(t);
    }
}
END_TEST

START_TEST(bad_input_is_refused)
{
    tg_tape *t = tg_tape_new(TG_F64);
    tg_tensor x = tg_ones(t, TG_SHAPE(2));
    ck_assert_int_ne(tg_gradcheck_second(tg_square(x), 1, NULL), TG_OK);
    WANT_ERROR(t, TG_ERR_STATE, "gradcheck_second", "requires no gradient");
    tg_tensor empty = wanting(tg_zeros(t, TG_SHAPE(0)));
    ck_assert_int_ne(tg_gradcheck_second(total(empty), 1, NULL), TG_OK);
    WANT_ERROR(t, TG_ERR_STATE, "gradcheck_second", "leaves have no elements");
    ck_assert_int_ne(tg_gradcheck_second(tg_arange(t, 2), 1, NULL), TG_OK);
    WANT_ERROR(t, TG_ERR_ARGUMENT, "int64");
    ck_assert_int_ne(tg_gradcheck_second(TG_NULL, 1, NULL), TG_OK);
    ck_assert_int_ne(tg_gradcheck_second_print(NULL, NULL), TG_OK);
    tg_tape_free(t);
}
END_TEST

int main(void) {
    TCase *c = tcase_create("second");
    tcase_add_loop_test(c, hessian_vector_products_equal_pytorchs, 0, N_GOLDENS);
    tcase_add_test(c, second_derivatives_of_operations_are_right);
    tcase_add_test(c, second_derivatives_of_layers_are_right);
    tcase_add_test(c, second_derivatives_of_a_transformer_are_right);
    tcase_add_test(c, attention_to_one_key_has_the_derivatives_of_v);
    tcase_add_test(c, third_derivatives_of_attention_are_right);
    tcase_add_test(c, the_line_is_printed);
    tcase_add_test(c, rounding_is_no_second_derivative);
    tcase_add_test(c, mistakes_in_kernel_or_grad_are_found);
    tcase_add_test(c, mistakes_in_every_operation_are_found);
    tcase_add_test(c, what_is_not_finite_is_refused);
    tcase_add_test(c, paths_that_leave_the_domain_say_nothing);
    tcase_add_test(c, bad_input_is_refused);
    return run_suite("second", c);
}
