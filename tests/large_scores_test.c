/* Attention and logsumexp where scores are large: masks of -1e4 to the smallest float, on all keys of rows. The sum of
 * e^s is nothing beside them, and the weights are 1 / S all the same. Gradients are compared with float64's, and have
 * to be about as near as those of softmax made of operations, in the same type, by the same instruction set. */
#include "core/kernels/isa.h"
#include "nn/nn.h"
#include "tests/support.h"

#include <float.h>

/* ---- operands ---- */

/* A form of the kernels, and sizes that it is chosen for: core/kernels/attention.c. */
typedef struct form {
    const char *name;
    int64_t B, T, S, d, dv;
} form;

static const form forms[] = {
    {"few", 64, 3, 3, 2, 2},
    {"few, one column", 16, 9, 11, 3, 1},
    {"rows, little work", 32, 5, 7, 12, 12},
    {"rows, weights made again", 1, 6, 810, 400, 400},
    {"rows, weights kept", 1, 8, 12, 800, 800},
    {"tiles", 2, 70, 130, 33, 17},
    {"tiles, wide", 1, 50, 24, 380, 380},
};
enum { N_FORMS = sizeof forms / sizeof *forms };

static const double masks[] = {-1e4, -1e6, -1e9, -FLT_MAX, 1e6};
enum { N_MASKS = sizeof masks / sizeof *masks };

/* Which queries the mask is large for, at all keys. */
typedef enum { NO_ROW, ONE_ROW, ALL_ROWS, N_ROWS } rows;

/* FUSED: the operation. LAYER: nn's function, which takes it, or operations where it has to give the weights. */
typedef enum { COMPOSED, FUSED, LAYER, LAYER_WITH_WEIGHTS, N_WAYS } way;

typedef struct attention_case {
    const form *f;
    double large;
    rows rows;
    bool mask_moves; /* is the mask's gradient wanted? */
} attention_case;

static uint64_t random_state;

static double uniform(double low, double high) {
    random_state = random_state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return low + (high - low) * (double)(random_state >> 11) * 0x1p-53;
}

/* Floats, so that both types compute with the same numbers. */
static tg_tensor random_tensor(tg_tape *t, tg_shape shape) {
    int64_t n = tg_shape_numel(&shape);
    float *values = malloc((size_t)n * sizeof *values);
    for (int64_t i = 0; i < n; i++)
        values[i] = (float)uniform(-1.5, 1.5);
    tg_tensor x = tg_from_floats(t, shape, values);
    free(values);
    return x;
}

static tg_tensor random_leaf(tg_tape *t, tg_shape shape) { return tg_set_requires_grad(random_tensor(t, shape), true); }

/* (B, T, S): every key of the rows has `large`, all others have ordinary numbers. */
static tg_tensor make_mask(tg_tape *t, const attention_case *c) {
    int64_t B = c->f->B, T = c->f->T, S = c->f->S;
    float *values = malloc((size_t)(B * T * S) * sizeof *values);
    for (int64_t e = 0; e < B * T * S; e++) {
        bool is_large = c->rows == ALL_ROWS || (c->rows == ONE_ROW && e / S % T == T / 2);
        values[e] = (float)(is_large ? c->large : uniform(-1.5, 1.5));
    }
    tg_tensor mask = tg_set_requires_grad(tg_from_floats(t, TG_SHAPE(B, T, S), values), c->mask_moves);
    free(values);
    return mask;
}

static tg_tensor attend(way w, tg_tensor q, tg_tensor k, tg_tensor v, tg_tensor mask) {
    tg_nn_masks layer = {.attn_mask = mask};
    tg_tensor weights;
    switch (w) {
    case FUSED: return tg_scaled_dot_product_attention(q, k, v, mask, false, 0, 0);
    case LAYER: return tg_nn_attention(q, k, v, layer, 0, NULL);
    case LAYER_WITH_WEIGHTS: return tg_nn_attention(q, k, v, layer, 0, &weights);
    default: break;
    }
    tg_tensor s = tg_mul_scalar(tg_matmul(q, tg_transpose(k, -1, -2)), 1 / sqrt((double)tg_size(q, -1)));
    return tg_matmul(tg_softmax(tg_add(s, mask), -1), v);
}

/* ---- gradients ---- */

enum { LEAVES = 5, FIRST = 4, MOST = FIRST + FIRST + LEAVES };

/* Tensors' elements. */
typedef struct results {
    const char *name[MOST];
    double *values[MOST];
    int64_t n[MOST];
    int count;
} results;

static void append(results *r, const char *name, tg_tensor x) {
    int i = r->count++;
    r->name[i] = name;
    r->n[i] = tg_numel(x);
    r->values[i] = malloc((size_t)r->n[i] * sizeof **r->values);
    ck_assert_int_eq(tg_read_doubles(x, r->values[i], r->n[i]), TG_OK);
}

static void free_results(results *r) {
    for (int i = 0; i < r->count; i++)
        free(r->values[i]);
}

/* The gradients by backward; the same by tg_gradients, and the gradients of these along a random direction. */
static results differentiate(const attention_case *c, tg_dtype dtype, way w) {
    static const char *const backward[] = {"dq", "dk", "dv", "dmask"};
    static const char *const recorded[] = {"recorded dq", "recorded dk", "recorded dv", "recorded dmask"};
    static const char *const second[] = {"second dq", "second dk", "second dv", "second ddy", "second dmask"};
    const form *f = c->f;
    tg_tape *t = tg_tape_new(dtype);
    results r = {.count = 0};
    random_state = 1;
    tg_tensor dy = random_leaf(t, TG_SHAPE(f->B, f->T, f->dv)), first[FIRST], along = TG_NULL;
    tg_tensor x[LEAVES] = {random_leaf(t, TG_SHAPE(f->B, f->T, f->d)), random_leaf(t, TG_SHAPE(f->B, f->S, f->d)),
                           random_leaf(t, TG_SHAPE(f->B, f->S, f->dv)), make_mask(t, c), dy};
    int n = c->mask_moves ? 4 : 3;
    tg_tensor y = attend(w, x[0], x[1], x[2], x[3]);
    ck_assert_msg(tg_backward_with(y, tg_detach(dy)) == TG_OK, "%s", tg_error(t));
    for (int i = 0; i < n; i++)
        append(&r, backward[i], tg_grad(x[i]));
    tg_zero_grads(t);
    ck_assert_msg(tg_gradients(y, dy, x, n, first) == TG_OK, "%s", tg_error(t));
    for (int i = 0; i < n; i++) {
        append(&r, recorded[i], first[i]);
        tg_tensor part = total(tg_mul(first[i], random_tensor(t, tg_shape_of(first[i]))));
        along = i ? tg_add(along, part) : part;
    }
    run_backward(along);
    for (int i = 0; i < n + 1; i++)
        append(&r, second[i < 3 ? i : i == n ? 3 : 4], tg_grad(i < n ? x[i] : dy));
    tg_tape_free(t);
    return r;
}

static double distance(const results *a, const results *b, int i) {
    double sum = 0;
    ck_assert_int_eq(a->n[i], b->n[i]);
    for (int64_t j = 0; j < a->n[i]; j++)
        sum += (a->values[i][j] - b->values[i][j]) * (a->values[i][j] - b->values[i][j]);
    return sqrt(sum);
}

/* How much further from float64's they are than the composition's, at most, and which. */
typedef struct furthest {
    double ratio, is, composed;
    const char *name;
} furthest;

static furthest compare(const results *is, const results *composed, const results *exact) {
    furthest most = {0, 0, 0, ""};
    for (int i = 0; i < exact->count; i++) {
        double a = distance(is, exact, i), b = distance(composed, exact, i), ratio = a == 0 ? 0 : a / b;
        if (!(ratio <= most.ratio))
            most = (furthest){ratio, a, b, exact->name[i]};
    }
    return most;
}

static void want_near(const attention_case *c) {
    results exact = differentiate(c, TG_F64, COMPOSED);
    for (int set = 0; tg_isa_at(set); set++) {
        tg_isa_use(tg_isa_at(set));
        results composed = differentiate(c, TG_F32, COMPOSED);
        for (int w = FUSED; w < (c->mask_moves ? LAYER : N_WAYS); w++) {
            results is = differentiate(c, TG_F32, (way)w);
            furthest most = compare(&is, &composed, &exact);
            if (!(most.ratio <= 2))
                ck_abort_msg(
                    "%s, %s, way %d, mask %g on rows %d, its gradient %d: %s is off by %g, the composition's by "
                    "%g",
                    tg_isa_now()->name, c->f->name, w, c->large, (int)c->rows, c->mask_moves, most.name, most.is,
                    most.composed);
            free_results(&is);
        }
        free_results(&composed);
    }
    free_results(&exact);
}

START_TEST(gradients_are_as_near_float64s_as_the_compositions)
{
    attention_case c = {.f = &forms[_i]};
    for (int m = 0; m < N_MASKS; m++)
        for (c.rows = m ? ONE_ROW : NO_ROW; c.rows < N_ROWS; c.rows++)
            for (int moves = 0; moves < 2; moves++) {
                c.large = masks[m];
                c.mask_moves = moves;
                want_near(&c);
            }
}
END_TEST

/* ---- layers ---- */

/* The gradients of a multi-head layer's parameters and input; the weights are asked for or not. */
static results differentiate_layer(double large, tg_dtype dtype, bool with_weights) {
    const form f = {.B = 2, .T = 9, .S = 9};
    const attention_case c = {.f = &f, .large = large, .rows = ONE_ROW};
    static const char *const names[] = {"in_proj.weight", "in_proj.bias", "out_proj.weight", "x"};
    tg_tape *t = tg_tape_new(dtype);
    results r = {.count = 0};
    random_state = 1;
    tg_nn_multihead layer = tg_nn_multihead_new(t, "layer", 32, 4, TG_NN_MULTIHEAD_DEFAULTS);
    tg_tensor x = random_leaf(t, TG_SHAPE(f.B, f.T, 32)), weights;
    tg_tensor leaves[] = {layer.in_proj_weight, layer.in_proj_bias, layer.out_proj.weight, x};
    for (int i = 0; i < 3; i++)
        ck_assert_int_eq(tg_copy_(leaves[i], random_tensor(t, tg_shape_of(leaves[i]))), TG_OK);
    tg_nn_masks all = {.attn_mask = make_mask(t, &c)};
    tg_tensor y = tg_nn_multihead_forward(&layer, x, x, x, all, with_weights ? &weights : NULL);
    ck_assert_msg(tg_backward_with(y, random_tensor(t, tg_shape_of(y))) == TG_OK, "%s", tg_error(t));
    for (int i = 0; i < 4; i++)
        append(&r, names[i], tg_grad(leaves[i]));
    tg_tape_free(t);
    return r;
}

START_TEST(a_layer_has_one_gradient_with_weights_and_without)
{
    results exact = differentiate_layer(masks[_i], TG_F64, true);
    for (int set = 0; tg_isa_at(set); set++) {
        tg_isa_use(tg_isa_at(set));
        results with = differentiate_layer(masks[_i], TG_F32, true);
        results without = differentiate_layer(masks[_i], TG_F32, false);
        furthest most = compare(&without, &with, &exact);
        ck_assert_msg(most.ratio <= 2, "%s, mask %g: %s is off by %g, with weights by %g", tg_isa_now()->name,
                      masks[_i], most.name, most.is, most.composed);
        free_results(&with);
        free_results(&without);
    }
    free_results(&exact);
}
END_TEST

/* ---- by arithmetic: what is added to a few scores leaves nothing of them ---- */

static const double beyond[2][3] = {{-1e9, 1e9, -FLT_MAX}, {-1e17, 1e17, -DBL_MAX}};

static void want_close(tg_tensor x, int n, const double *want) {
    double is[8], unit = tg_dtype_of(x) == TG_F32 ? 0x1p-24 : 0x1p-53;
    ck_assert_int_eq(tg_read_doubles(x, is, n), TG_OK);
    for (int i = 0; i < n; i++)
        ck_assert_msg(fabs(is[i] - want[i]) <= 8 * unit * fmax(1, fabs(want[i])), "%s: element %d is %.9g, not %.9g",
                      tg_isa_now()->name, i, is[i], want[i]);
}
#define WANT_CLOSE(x, ...) want_close(x, sizeof((double[]){__VA_ARGS__}) / sizeof(double), (double[]){__VA_ARGS__})

/* P = 1/3: y = 3, dS = P (v - y) = -1, 0, 1. With a sink P = 1/4: y = 9/4, dS = -9/16, 3/16, 15/16, and -9/16 of it. */
static void three_keys(tg_dtype dtype, double large, bool sink) {
    tg_tape *t = tg_tape_new(dtype);
    tg_tensor q = wanting(MATRIX(t, 1, 1, 0.5)), k = wanting(MATRIX(t, 3, 1, 1, 2, 4)),
              v = wanting(MATRIX(t, 3, 1, 0, 3, 6)), mask = wanting(tg_full(t, TG_SHAPE(3), large));
    tg_attention_config config = TG_ATTENTION_DEFAULTS;
    config.mask = mask;
    if (sink)
        config.sinks = wanting(tg_full(t, TG_SHAPE(1), large));
    tg_tensor y = tg_scaled_dot_product_attention_with(q, k, v, config);
    run_backward(total(y));
    if (sink) {
        WANT_CLOSE(y, 2.25);
        WANT_CLOSE(tg_grad(v), 0.25, 0.25, 0.25);
        WANT_CLOSE(tg_grad(mask), -9. / 16, 3. / 16, 15. / 16);
        WANT_CLOSE(tg_grad(q), 57. / 16);
        WANT_CLOSE(tg_grad(config.sinks), -9. / 16);
    } else {
        WANT_CLOSE(y, 3);
        WANT_CLOSE(tg_grad(v), 1. / 3, 1. / 3, 1. / 3);
        WANT_CLOSE(tg_grad(mask), -1, 0, 1);
        WANT_CLOSE(tg_grad(q), 3);
        WANT_CLOSE(tg_grad(k), -0.5, 0, 0.5);
    }
    tg_tape_free(t);
}

START_TEST(equal_keys_have_equal_weights)
{
    for (int set = 0; tg_isa_at(set); set++) {
        tg_isa_use(tg_isa_at(set));
        for (int i = 0; i < 12; i++)
            three_keys(i % 2 ? TG_F64 : TG_F32, beyond[i % 2][i / 2 % 3], i >= 6);
    }
}
END_TEST

/* ---- logsumexp ---- */

START_TEST(equal_terms_of_logsumexp_have_equal_gradients)
{
    for (int i = 0; i < 6; i++) {
        tg_tape *t = tg_tape_new(i % 2 ? TG_F64 : TG_F32);
        tg_tensor x = wanting(tg_full(t, TG_SHAPE(3), beyond[i % 2][i / 2])), dx;
        tg_tensor y = tg_logsumexp(x, TG_DIMS(0), false);
        run_backward(y);
        ck_assert_int_eq(tg_gradients(y, TG_NULL, &x, 1, &dx), TG_OK);
        WANT_CLOSE(tg_grad(x), 1. / 3, 1. / 3, 1. / 3);
        WANT_CLOSE(dx, 1. / 3, 1. / 3, 1. / 3);
        tg_tape_free(t);
    }
}
END_TEST

/* dx = dy softmax(x): by backward, by tg_gradients, or as it stands here. */
static results differentiate_logsumexp(double large, tg_dtype dtype, bool composed) {
    tg_tape *t = tg_tape_new(dtype);
    results r = {.count = 0};
    random_state = 1;
    tg_tensor c = tg_full(t, TG_SCALAR, large), x = random_leaf(t, TG_SHAPE(20, 300)), dx;
    tg_tensor dy = random_tensor(t, TG_SHAPE(20, 1)), s = tg_add(x, c), y = tg_logsumexp(s, TG_DIMS(1), true);
    if (composed) {
        dx = tg_mul(dy, tg_softmax(s, 1));
        append(&r, "dx", dx);
    } else {
        ck_assert_int_eq(tg_backward_with(y, dy), TG_OK);
        append(&r, "dx", tg_grad(x));
        ck_assert_int_eq(tg_gradients(y, dy, &x, 1, &dx), TG_OK);
    }
    append(&r, "recorded dx", dx);
    tg_tape_free(t);
    return r;
}

START_TEST(logsumexps_gradient_is_as_near_as_softmax)
{
    results exact = differentiate_logsumexp(masks[_i], TG_F64, true);
    results is = differentiate_logsumexp(masks[_i], TG_F32, false);
    results composed = differentiate_logsumexp(masks[_i], TG_F32, true);
    furthest most = compare(&is, &composed, &exact);
    ck_assert_msg(most.ratio <= 2, "beside %g: %s is off by %g, softmax by %g", masks[_i], most.name, most.is,
                  most.composed);
    free_results(&exact);
    free_results(&is);
    free_results(&composed);
}
END_TEST

int main(void) {
    TCase *c = tcase_create("large_scores");
    tcase_add_loop_test(c, gradients_are_as_near_float64s_as_the_compositions, 0, N_FORMS);
    tcase_add_loop_test(c, a_layer_has_one_gradient_with_weights_and_without, 0, N_MASKS);
    tcase_add_test(c, equal_keys_have_equal_weights);
    tcase_add_test(c, equal_terms_of_logsumexp_have_equal_gradients);
    tcase_add_loop_test(c, logsumexps_gradient_is_as_near_as_softmax, 0, N_MASKS);
    return run_suite("large_scores", c);
}
