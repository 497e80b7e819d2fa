/* Gradients in flat blocks have the same bits as without, and each block is announced once, in order, when it is
 * complete. */
#include "nn/nn.h"
#include "optim/optim.h"
#include "tests/support.h"

#include <math.h>

enum { MOST = 64, T = 6, C = 8 };

/* What ready was told. */
typedef struct told {
    int n, block[MOST], fail_at; /* fail_at: the call that returns an error; 0: none */
    double sum[MOST];            /* of each block, as it was then */
    tg_tape *tape;
} told;

static double sum_of(tg_dtype dtype, const void *x, int64_t n) {
    double sum = 0;
    for (int64_t i = 0; i < n; i++)
        sum += (double)(i % 7 + 1) * (dtype == TG_F32 ? (double)((const float *)x)[i] : ((const double *)x)[i]);
    return sum;
}

static int note(int block, void *gradient, int64_t n, void *context) {
    told *s = context;
    ck_assert_int_lt(s->n, MOST);
    s->sum[s->n] = sum_of(TG_F64, gradient, n);
    s->block[s->n++] = block;
    return s->n == s->fail_at;
}

/* Each block once, in order, and nothing was added behind it. */
static void want_all_told(tg_tape *t, told *s) {
    ck_assert_int_eq(s->n, tg_gradient_blocks(t));
    for (int i = 0; i < s->n; i++) {
        int64_t n;
        const void *block = tg_gradient_block(t, i, &n);
        ck_assert_int_eq(s->block[i], i);
        ck_assert_double_eq(s->sum[i], sum_of(TG_F64, block, n));
    }
    s->n = 0;
}

/* ---- the same numbers ---- */

typedef struct model {
    tg_nn_embedding token;
    tg_nn_layer_norm norm[2];
    tg_nn_causal_attention attn[2];
    tg_nn_linear spare;
} model;

static model model_new(tg_tape *t) {
    return (model){tg_nn_embedding_new(t, "token", 11, C),
                   {tg_nn_layer_norm_new(t, "norm.0", C, true), tg_nn_layer_norm_new(t, "norm.1", C, true)},
                   {tg_nn_causal_attention_new(t, "attn.0", C, C, T, 0.25, true),
                    tg_nn_causal_attention_new(t, "attn.1", C, C, T, 0.25, false)},
                   tg_nn_linear_new(t, "spare", 3, 3, true)};
}

/* The token's embedding is used at both ends; the second layer is computed again in backward; spare is not used. */
static tg_tensor loss_of(const model *m, tg_tensor ids) {
    tg_tape *t = ids.tape;
    tg_tensor x = tg_nn_embedding_forward(&m->token, ids);
    x = tg_add(x, tg_nn_causal_attention_forward(&m->attn[0], tg_nn_layer_norm_forward(&m->norm[0], x), NULL));
    tg_checkpoint_begin(t);
    tg_tensor y = tg_nn_causal_attention_forward(&m->attn[1], tg_nn_layer_norm_forward(&m->norm[1], x), NULL);
    x = tg_add(x, tg_checkpoint_end(t, y));
    tg_tensor logits = tg_matmul(x, tg_transpose(m->token.weight, 0, 1));
    return tg_cross_entropy(logits, ids, TG_IGNORE_INDEX, TG_MEAN);
}

static int halve(void *grad, int64_t n, tg_tensor x, void *context) {
    (void)x;
    ++*(int *)context;
    for (int64_t i = 0; i < n; i++)
        ((double *)grad)[i] *= 0.5;
    return 0;
}

/* Two backwards a step, the second a replay; hooks, clipping, a leaf that is frozen on the way. size: a block's; 0: no
 * blocks at all. */
static double *trained(size_t size, int *calls, int64_t *n_out) {
    tg_tape *t = tg_tape_new(TG_F64);
    model m = model_new(t);
    told s = {0};
    tg_optim *adam = tg_adam_new(t, tg_parameters(t), TG_ADAM_DEFAULTS);
    ck_assert_int_eq(tg_register_hook(m.norm[1].weight, halve, calls), TG_OK);
    ck_assert_int_eq(tg_register_hook(m.token.weight, halve, calls), TG_OK);
    if (size)
        ck_assert_int_eq(tg_flatten_gradients(tg_parameters(t), size, size, note, &s), TG_OK);
    tg_mark built = tg_tape_mark(t);
    for (int step = 0; step < 4; step++) {
        tg_tensor loss = loss_of(&m, tg_randint(t, 0, 11, TG_SHAPE(2, T)));
        tg_optim_zero_grad(adam);
        tg_set_ready(t, false);
        ck_assert_int_eq(tg_backward(loss), TG_OK);
        ck_assert_int_eq(s.n, 0);
        ck_assert_int_eq(tg_replay(t, built), TG_OK);
        tg_set_ready(t, true);
        ck_assert_int_eq(tg_backward(loss), TG_OK);
        if (size)
            want_all_told(t, &s);
        ck_assert_int_eq(tg_clip_grad_norm(tg_parameters(t), 0.1, 2, NULL), TG_OK);
        ck_assert_int_eq(tg_optim_step(adam), TG_OK);
        ck_assert_int_eq(tg_tape_rewind(t, built), TG_OK);
        if (step == 1)
            tg_set_requires_grad(m.attn[0].W_key.weight, false);
    }
    tg_list all = tg_parameters(t);
    double *out = malloc(100000 * sizeof *out);
    *n_out = 0;
    for (int64_t i = 0; i < all.n; i++) {
        ck_assert_int_eq(tg_read_doubles(all.tensor[i], out + *n_out, tg_numel(all.tensor[i])), TG_OK);
        *n_out += tg_numel(all.tensor[i]);
    }
    tg_tape_free(t);
    return out;
}

START_TEST(training_has_the_same_bits)
{
    static const size_t sizes[] = {1, 600, 4096, 1 << 20};
    int calls = 0;
    int64_t n, n_flat;
    double *plain = trained(0, &calls, &n);
    ck_assert_int_eq(calls, 16);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        double *flat = trained(sizes[i], &calls, &n_flat);
        ck_assert_int_eq(n, n_flat);
        ck_assert_msg(memcmp(plain, flat, (size_t)n * sizeof *flat) == 0, "blocks of %zu bytes", sizes[i]);
        free(flat);
    }
    ck_assert_int_eq(calls, 5 * 16);
    free(plain);
}
END_TEST

/* ---- when ---- */

typedef struct order {
    int n;
    char event[16];
} order;

static int on_ready(int block, void *gradient, int64_t n, void *context) {
    (void)gradient, (void)n;
    order *o = context;
    o->event[o->n++] = (char)('0' + block);
    return 0;
}

static int on_hook(void *grad, int64_t n, tg_tensor x, void *context) {
    (void)grad, (void)n, (void)x;
    order *o = context;
    o->event[o->n++] = 'h';
    return 0;
}

/* y = sum(c * exp(b * exp(a))): c's block is complete before exp(a)'s gradient flows on, a's when all is done. b, used
 * once more at the beginning, holds its block, and those behind it, back until the end. */
START_TEST(blocks_are_announced_while_backward_goes_on)
{
    for (int again = 0; again < 2; again++) {
        order o = {0};
        tg_tape *t = tg_tape_new(TG_F64);
        tg_tensor a = tg_parameter(t, "a", VECTOR(t, 1, 2)), b = tg_parameter(t, "b", VECTOR(t, 3, 4)),
                  c = tg_parameter(t, "c", VECTOR(t, 5, 6)), unused = tg_parameter(t, "unused", VECTOR(t, 7, 8));
        (void)unused;
        tg_tensor start = again ? tg_mul(a, b) : a, middle = tg_exp(start);
        tg_tensor y = total(tg_mul(c, tg_exp(tg_mul(b, middle))));
        ck_assert_int_eq(tg_register_hook(middle, on_hook, &o), TG_OK);
        ck_assert_int_eq(tg_flatten_gradients(tg_parameters(t), 1, 1, on_ready, &o), TG_OK);
        ck_assert_int_eq(tg_gradient_blocks(t), 4);
        ck_assert_int_eq(tg_backward(y), TG_OK);
        ck_assert_str_eq(o.event, again ? "01h23" : "012h3");
        tg_tape_free(t);
    }
}
END_TEST

/* A leaf's own backward completes its block, and those of the leaves that it does not reach. */
START_TEST(a_leafs_own_backward_announces)
{
    told s = {0};
    tg_tape *t = tg_tape_new(TG_F64);
    tg_tensor a = tg_parameter(t, "a", VECTOR(t, 1));
    (void)tg_parameter(t, "b", VECTOR(t, 3, 4));
    ck_assert_int_eq(tg_flatten_gradients(tg_parameters(t), 1, 1, note, &s), TG_OK);
    for (int again = 1; again <= 2; again++) {
        ck_assert_int_eq(tg_backward(a), TG_OK);
        WANT_GRAD(a, again);
        want_all_told(t, &s);
    }
    tg_tape_free(t);
}
END_TEST

/* ---- where ---- */

/* 1, 8, 9 and 100 doubles: 64, 64, 128 and 832 bytes with what fills up cache lines; the last first. */
START_TEST(blocks_are_filled_from_the_last_parameter)
{
    tg_tape *t = tg_tape_new(TG_F64);
    told s = {0};
    const int64_t size[] = {1, 8, 9, 100};
    tg_tensor w[4];
    for (int i = 0; i < 4; i++)
        w[i] = tg_parameter(t, (const char *[]){"a", "b", "c", "d"}[i], tg_ones(t, TG_SHAPE(size[i])));
    const struct {
        size_t first, rest;
        int n;
        int64_t size[4];
    } cases[] = {{1, 1, 4, {104, 16, 8, 8}},
                 {1, 192, 3, {104, 24, 8, 0}},
                 {1, 256, 2, {104, 32, 0, 0}},
                 {1024, 1, 2, {128, 8, 0, 0}},
                 {1 << 20, 1, 1, {136, 0, 0, 0}}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        tg_tensor twice[] = {w[0], w[1], w[2], w[3], w[1]}; /* a tied parameter counts once */
        ck_assert_int_eq(
            tg_flatten_gradients((tg_list){t, i % 2 ? 5 : 4, twice}, cases[i].first, cases[i].rest, note, &s), TG_OK);
        ck_assert_msg(tg_gradient_blocks(t) == cases[i].n, "case %zu: %d blocks", i, tg_gradient_blocks(t));
        for (int k = 0; k < cases[i].n; k++) {
            int64_t n;
            ck_assert_uint_eq((uintptr_t)tg_gradient_block(t, k, &n) % 64, 0);
            if (i % 2 == 0)
                ck_assert_msg(n == cases[i].size[k], "case %zu, block %d: %lld", i, k, (long long)n);
        }
    }
    tg_tape_free(t);
}
END_TEST

/* A gradient lies in its block at the place that its parameter has, and what is written there is the gradient. */
START_TEST(a_block_is_the_gradients)
{
    tg_tape *t = tg_tape_new(TG_F64);
    told s = {0};
    tg_tensor a = tg_parameter(t, "a", VECTOR(t, 1, 2)), b = tg_parameter(t, "b", VECTOR(t, 3, 4));
    tg_tensor y = total(tg_mul(a, b));
    ck_assert_int_eq(tg_backward(y), TG_OK);
    ck_assert_int_eq(tg_flatten_gradients(tg_parameters(t), 1 << 20, 1, note, &s), TG_OK);
    WANT_GRAD(a, 3, 4); /* from before */
    WANT_GRAD(b, 1, 2);
    tg_zero_grads(t);
    ck_assert_int_eq(tg_backward(y), TG_OK);
    int64_t n;
    double *block = tg_gradient_block(t, 0, &n);
    ck_assert_int_eq(n, 16);
    ck_assert(block[0] == 1 && block[1] == 2 && block[8] == 3 && block[9] == 4 && block[2] == 0 && block[15] == 0);
    block[9] = 40;
    WANT_GRAD(a, 3, 40);
    ck_assert_int_eq(tg_flatten_gradients(tg_parameters(t), 1, 1, note, &s), TG_OK); /* other blocks */
    ck_assert_int_eq(tg_gradient_blocks(t), 2);
    WANT_GRAD(a, 3, 40);
    WANT_GRAD(b, 1, 2);
    tg_zero_grad(b);
    tg_tensor alone = total(tg_square(a));
    s.n = 0;
    ck_assert_int_eq(tg_backward(alone), TG_OK);
    want_all_told(t, &s);
    WANT_GRAD(a, 5, 44);
    ck_assert(!tg_has_grad(b));
    block = tg_gradient_block(t, 0, &n);
    ck_assert(block[0] == 0 && block[1] == 0); /* what is not there counts as 0 */
    tg_tape_free(t);
}
END_TEST

START_TEST(rewinding_past_a_leaf_ends_the_blocks)
{
    tg_tape *t = tg_tape_new(TG_F64);
    told s = {0};
    tg_tensor a = tg_parameter(t, "a", VECTOR(t, 1, 2));
    tg_mark m = tg_tape_mark(t);
    tg_parameter(t, "b", VECTOR(t, 3, 4));
    ck_assert_int_eq(tg_flatten_gradients(tg_parameters(t), 1 << 20, 1, note, &s), TG_OK);
    ck_assert_int_eq(tg_backward(total(tg_square(a))), TG_OK);
    ck_assert_int_eq(s.n, 1);
    ck_assert_int_eq(tg_tape_rewind(t, m), TG_OK);
    ck_assert_int_eq(tg_gradient_blocks(t), 0);
    WANT_GRAD(a, 2, 4);
    ck_assert_int_eq(tg_backward(total(tg_square(a))), TG_OK);
    WANT_GRAD(a, 4, 8);
    ck_assert_int_eq(s.n, 1);
    tg_tape_free(t);
}
END_TEST

START_TEST(a_leaf_that_leaves_the_blocks_keeps_its_gradient)
{
    tg_tape *t = tg_tape_new(TG_F64);
    told s = {0};
    tg_tensor x[4] = {tg_parameter(t, "a", VECTOR(t, 1, 2)), tg_parameter(t, "b", VECTOR(t, 3, 4)),
                      tg_parameter(t, "none", VECTOR(t, 5, 6)), tg_parameter(t, "c", VECTOR(t, 7))};
    tg_list all = {t, 4, x}, some = {t, 1, &x[1]};
    ck_assert_int_eq(tg_flatten_gradients(all, 1 << 20, 1, note, &s), TG_OK);
    ck_assert_int_eq(tg_backward(tg_add(total(tg_square(x[0])), total(tg_mul(x[1], x[3])))), TG_OK);
    ck_assert_int_eq(tg_flatten_gradients(some, 1 << 20, 1, note, &s), TG_OK);
    WANT_GRAD(x[0], 2, 4);
    WANT_GRAD(x[1], 7, 7);
    WANT_GRAD(x[3], 7);
    ck_assert(!tg_has_grad(x[2]));
    ck_assert_int_eq(tg_flatten_gradients(all, 1 << 20, 1, note, &s), TG_OK);
    WANT_GRAD(x[0], 2, 4);
    ck_assert_int_eq(tg_backward(total(tg_square(x[0]))), TG_OK);
    WANT_GRAD(x[0], 4, 8);
    WANT_GRAD(x[3], 7);
    tg_tape_free(t);
}
END_TEST

/* ---- what goes wrong ---- */

static int fails(void *grad, int64_t n, tg_tensor x, void *context) {
    (void)n, (void)x, (void)context;
    *(double *)grad = 77;
    return 1;
}

START_TEST(after_a_failure_gradients_are_as_before_or_gone)
{
    for (int hooked = 0; hooked < 2; hooked++) { /* a hook on b fails: before any block; ready fails: at the second */
        tg_tape *t = tg_tape_new(TG_F64);
        told s = {0};
        tg_tensor a = tg_parameter(t, "a", VECTOR(t, 1, 2)), b = tg_parameter(t, "b", VECTOR(t, 3, 4));
        tg_tensor y = total(tg_mul(tg_exp(a), b));
        ck_assert_int_eq(tg_flatten_gradients(tg_parameters(t), 1, 1, note, &s), TG_OK);
        ck_assert_int_eq(tg_write_grad(a, (double[]){5, 6}, 2), TG_OK);
        ck_assert_int_eq(tg_write_grad(b, (double[]){7, 8}, 2), TG_OK);
        if (hooked)
            ck_assert_int_eq(tg_register_hook(b, fails, NULL), TG_OK);
        else
            s.fail_at = 2;
        ck_assert_int_eq(tg_backward(y), TG_ERR_STATE);
        ck_assert_ptr_nonnull(strstr(tg_error(t), hooked ? "the hook on" : "ready returned an error for block 1 of 2"));
        tg_clear_error(t);
        if (hooked) {
            WANT_GRAD(a, 5, 6);
            WANT_GRAD(b, 7, 8);
        }
        ck_assert_int_eq(s.n, hooked ? 0 : 2);
        ck_assert(tg_has_grad(a) == hooked && tg_has_grad(b) == hooked);
        tg_tape_free(t);
    }
}
END_TEST

static int rejects(int block, void *gradient, int64_t n, void *context) {
    told *s = context;
    (void)block, (void)n;
    s->n++;
    tg_reject(s->tape, TG_ERR_IO, "send: the peer is gone");
    ((double *)gradient)[0] = 1e9;
    return 0;
}

START_TEST(an_error_that_ready_leaves_stops_backward)
{
    tg_tape *t = tg_tape_new(TG_F64);
    told s = {.tape = t};
    tg_tensor a = tg_parameter(t, "a", VECTOR(t, 1, 2)), b = tg_parameter(t, "b", VECTOR(t, 3, 4));
    tg_tensor y = total(tg_mul(a, b));
    ck_assert_int_eq(tg_flatten_gradients(tg_parameters(t), 1, 1, rejects, &s), TG_OK);
    ck_assert_int_eq(tg_write_grad(a, (double[]){5, 6}, 2), TG_OK);
    ck_assert_int_eq(tg_write_grad(b, (double[]){7, 8}, 2), TG_OK);
    ck_assert_int_eq(tg_backward(y), TG_ERR_IO);
    ck_assert_str_eq(tg_error(t), "send: the peer is gone");
    tg_clear_error(t);
    ck_assert_int_eq(s.n, 1); /* of two blocks */
    ck_assert(!tg_has_grad(a) && !tg_has_grad(b));
    tg_set_ready(t, false);
    run_backward(y);
    WANT_GRAD(a, 3, 4);
    WANT_GRAD(b, 1, 2);
    tg_tape_free(t);
}
END_TEST

static void want_refused(tg_list list, tg_ready ready, size_t first, const char *why) {
    tg_status status = tg_flatten_gradients(list, first, 1, ready, NULL);
    ck_assert_int_ne(status, TG_OK);
    if (!list.tape)
        return;
    ck_assert_msg(strstr(tg_error(list.tape), why) != NULL, "%s", tg_error(list.tape));
    tg_clear_error(list.tape);
    ck_assert_int_eq(tg_gradient_blocks(list.tape), 0);
}

static int tries_to_flatten(int block, void *gradient, int64_t n, void *context) {
    (void)block, (void)gradient, (void)n;
    tg_tape *t = context;
    return tg_flatten_gradients(tg_parameters(t), 1, 1, note, NULL) != TG_OK;
}

START_TEST(bad_input_changes_nothing)
{
    tg_tape *t = tg_tape_new(TG_F64), *other = tg_tape_new(TG_F64);
    tg_tensor a = tg_parameter(t, "a", VECTOR(t, 1, 2)), ids = tg_arange(t, 3), y = tg_exp(a);
    tg_tensor far = tg_parameter(other, "far", VECTOR(other, 1));
    want_refused((tg_list){0}, note, 1, "");
    want_refused((tg_list){t, 0, NULL}, note, 1, "the list has no parameter");
    want_refused((tg_list){t, -5, &a}, note, 1, "the list has no parameter");
    want_refused((tg_list){t, 1, NULL}, note, 1, "the list has no parameter");
    want_refused((tg_list){t, 1, &a}, NULL, 1, "ready is NULL");
    want_refused((tg_list){t, 1, &a}, note, SIZE_MAX, "too large");
    want_refused((tg_list){t, 2, (tg_tensor[]){a, y}}, note, 1, "is not a leaf of this tape");
    want_refused((tg_list){t, 2, (tg_tensor[]){a, ids}}, note, 1, "flatten_gradients");
    want_refused((tg_list){t, 2, (tg_tensor[]){a, TG_NULL}}, note, 1, "flatten_gradients");
    ck_assert_int_ne(tg_flatten_gradients((tg_list){t, 2, (tg_tensor[]){a, far}}, 1, 1, note, NULL), TG_OK);
    tg_clear_error(t);
    tg_clear_error(other);
    ck_assert_int_eq(tg_gradient_blocks(t), 0);
    int64_t n = 5;
    ck_assert_ptr_null(tg_gradient_block(t, 0, &n));
    ck_assert_int_eq(n, 0);
    ck_assert_ptr_nonnull(strstr(tg_error(t), "there is no block 0 of 0"));
    tg_clear_error(t);
    ck_assert_ptr_null(tg_gradient_block(NULL, 0, NULL));
    ck_assert_int_eq(tg_gradient_blocks(NULL), 0);
    tg_set_ready(NULL, true);
    tg_set_ready(t, true);
    ck_assert_int_eq(tg_flatten_gradients((tg_list){t, 1, &a}, 1, 1, tries_to_flatten, t), TG_OK);
    ck_assert_int_eq(tg_backward(total(y)), TG_ERR_STATE);
    tg_tape_free(t);
    tg_tape_free(other);
}
END_TEST

/* ---- parameters ---- */

START_TEST(parameters_go_to_a_vector_and_back)
{
    for (int dtype = TG_F32; dtype <= TG_F64; dtype++) {
        tg_tape *t = tg_tape_new((tg_dtype)dtype);
        tg_tensor a = tg_parameter(t, "a", VECTOR(t, 1, 2, 3)), b = tg_parameter(t, "b", tg_scalar(t, 4)),
                  c = tg_parameter(t, "c", tg_reshape(VECTOR(t, 5, 6), TG_SHAPE(2, 1)));
        ck_assert(tg_is_null(c)); /* a view is no parameter */
        tg_clear_error(t);
        c = tg_parameter(t, "c", tg_full(t, TG_SHAPE(2, 1), 5));
        float f[6], f_want[] = {1, 2, 3, 4, 5, 5};
        double d[6], d_want[] = {1, 2, 3, 4, 5, 5};
        void *room = dtype == TG_F32 ? (void *)f : d, *want = dtype == TG_F32 ? (void *)f_want : d_want;
        size_t size = dtype == TG_F32 ? sizeof *f : sizeof *d;
        ck_assert_int_eq(tg_parameters_to_vector(tg_parameters(t), room, 6), TG_OK);
        ck_assert_int_eq(memcmp(room, want, 6 * size), 0);
        tg_tensor squared = tg_mul(b, b), part[] = {b, c};
        ck_assert_int_eq(tg_vector_to_parameters(room, 3, (tg_list){t, 2, part}), TG_OK);
        ck_assert(tg_item(b) == 1 && tg_item(tg_select(tg_select(c, 0, 1), 0, 0)) == 3);
        ck_assert(tg_item(tg_select(a, 0, 2)) == 3);
        ck_assert_int_eq(tg_backward(squared), TG_ERR_STATE); /* b was modified */
        tg_tape_free(t);
    }
}
END_TEST

START_TEST(vectors_that_do_not_fit_change_nothing)
{
    tg_tape *t = tg_tape_new(TG_F64), *other = tg_tape_new(TG_F64);
    tg_tensor a = tg_parameter(t, "a", VECTOR(t, 1, 2)), far = tg_parameter(other, "far", VECTOR(other, 1));
    double room[4] = {7, 7, 7, 7};
    const tg_tensor lists[][2] = {{a, tg_exp(a)}, {a, tg_arange(t, 2)}, {a, TG_NULL}, {a, far}};
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
        ck_assert_int_ne(tg_vector_to_parameters(room, 4, (tg_list){t, 2, lists[i]}), TG_OK);
        ck_assert_ptr_nonnull(strstr(tg_error(t), "vector_to_parameters"));
        tg_clear_error(t);
        ck_assert_int_ne(tg_parameters_to_vector((tg_list){t, 2, lists[i]}, room, 4), TG_OK);
        tg_clear_error(t);
    }
    for (int64_t n = -1; n < 4; n += 2) {
        ck_assert_int_eq(tg_vector_to_parameters(room, n, (tg_list){t, 1, &a}), TG_ERR_SHAPE);
        tg_clear_error(t);
    }
    ck_assert_int_eq(tg_parameters_to_vector((tg_list){t, 1, &a}, NULL, 2), TG_ERR_ARGUMENT);
    tg_clear_error(t);
    ck_assert_int_ne(tg_parameters_to_vector((tg_list){t, 1, NULL}, room, 2), TG_OK);
    tg_clear_error(t);
    ck_assert_int_ne(tg_parameters_to_vector((tg_list){0}, room, 2), TG_OK);
    ck_assert(tg_item(tg_sum(a, TG_ALL_DIMS, false)) == 3 && room[0] == 7 && room[3] == 7);
    tg_tape_free(t);
    tg_tape_free(other);
}
END_TEST

static int64_t allocations_left;
static void *limited_alloc(void *context, size_t size) {
    (void)context;
    return allocations_left-- > 0 ? malloc(size) : NULL;
}
static void limited_free(void *context, void *block, size_t size) {
    (void)context, (void)size;
    free(block);
}

/* Blocks larger than a chunk of the pool, so that each is an allocation. */
START_TEST(every_allocation_may_fail)
{
    static const tg_allocator limited = {limited_alloc, limited_free, NULL};
    tg_status status = TG_ERR_MEMORY;
    for (int64_t allowed = 0; status != TG_OK; allowed++) {
        told s = {0};
        allocations_left = 1000;
        tg_tape *t = tg_tape_new_with(TG_F64, &limited);
        tg_tensor a = tg_parameter(t, "a", tg_ones(t, TG_SHAPE(1000000))),
                  b = tg_parameter(t, "b", tg_ones(t, TG_SHAPE(1000000)));
        ck_assert_int_eq(tg_backward(total(tg_mul(a, b))), TG_OK);
        allocations_left = allowed;
        status = tg_flatten_gradients(tg_parameters(t), 1, 1, note, &s);
        ck_assert_msg(status == TG_OK || status == TG_ERR_MEMORY, "%s", tg_error(t));
        ck_assert_msg(allowed > 0 || status, "nothing was allocated");
        allocations_left = 1000;
        tg_clear_error(t);
        ck_assert(tg_has_grad(a) && tg_item(tg_sum(tg_grad(b), TG_ALL_DIMS, false)) == 1000000);
        tg_tape_free(t);
    }
}
END_TEST

/* What has no memory for the gradients of leaves that leave the blocks changes nothing. */
START_TEST(leaving_the_blocks_may_fail)
{
    static const tg_allocator limited = {limited_alloc, limited_free, NULL};
    for (int rewinds = 0; rewinds < 2; rewinds++) {
        told s = {0};
        allocations_left = 1000;
        tg_tape *t = tg_tape_new_with(TG_F64, &limited);
        tg_tensor a = tg_parameter(t, "a", tg_ones(t, TG_SHAPE(1000000)));
        tg_mark after_a = tg_tape_mark(t);
        tg_tensor b = tg_parameter(t, "b", VECTOR(t, 1, 2)), y = tg_add(total(a), total(b));
        ck_assert_int_eq(tg_flatten_gradients(tg_parameters(t), 1 << 20, 1, note, &s), TG_OK);
        ck_assert_int_eq(tg_backward(y), TG_OK);
        int blocks = tg_gradient_blocks(t);
        while (!tg_is_null(tg_zeros(t, TG_SHAPE(1000000)))) /* no freed block is left */
            allocations_left = 0;
        tg_clear_error(t);
        tg_status status =
            rewinds ? tg_tape_rewind(t, after_a) : tg_flatten_gradients((tg_list){t, 1, &b}, 1 << 20, 1, note, &s);
        ck_assert_int_eq(status, TG_ERR_MEMORY);
        tg_clear_error(t);
        allocations_left = 1000;
        ck_assert_int_eq(tg_gradient_blocks(t), blocks);
        ck_assert(tg_has_grad(a));
        WANT_GRAD(b, 1, 1);
        ck_assert_int_eq(tg_tape_rewind(t, after_a), TG_OK);
        ck_assert(tg_item(tg_sum(tg_grad(a), TG_ALL_DIMS, false)) == 1000000);
        tg_tape_free(t);
    }
}
END_TEST

/* FNV-1a of "0.2.0\0w\0(2, 3)\0float64\0" */
START_TEST(fingerprints_tell_names_shapes_and_dtypes)
{
    tg_tape *t = tg_tape_new(TG_F64), *f = tg_tape_new(TG_F32);
    tg_tensor w = tg_parameter(t, "w", tg_ones(t, TG_SHAPE(2, 3))),
              v = tg_parameter(t, "v", tg_ones(t, TG_SHAPE(2, 3)));
    tg_tensor other[] = {tg_parameter(f, "w", tg_ones(f, TG_SHAPE(2, 3))),
                         tg_parameter(f, "u", tg_ones(f, TG_SHAPE(3, 2)))};
    uint64_t hash = tg_fingerprint((tg_list){t, 1, &w});
    ck_assert_str_eq(tg_version(), "0.2.0");
    const char *set = getenv("TG_ISA");
    ck_assert(set ? !strcmp(tg_instruction_set(), set) : *tg_instruction_set() != 0);
    ck_assert_msg(hash == 0x4aea4c20d793bef6, "%#llx", (unsigned long long)hash);
    ck_assert(hash != tg_fingerprint((tg_list){t, 1, &v}));
    ck_assert(hash != tg_fingerprint((tg_list){f, 1, other}));
    ck_assert(tg_fingerprint((tg_list){f, 1, other}) != tg_fingerprint((tg_list){f, 1, other + 1}));
    ck_assert(tg_fingerprint((tg_list){t, 1, &TG_NULL}) == 0);
    tg_tape_free(t);
    tg_tape_free(f);
}
END_TEST

int main(void) {
    const TTest *const tests[] = {training_has_the_same_bits,
                                  a_leafs_own_backward_announces,
                                  blocks_are_announced_while_backward_goes_on,
                                  blocks_are_filled_from_the_last_parameter,
                                  a_block_is_the_gradients,
                                  rewinding_past_a_leaf_ends_the_blocks,
                                  a_leaf_that_leaves_the_blocks_keeps_its_gradient,
                                  after_a_failure_gradients_are_as_before_or_gone,
                                  an_error_that_ready_leaves_stops_backward,
                                  bad_input_changes_nothing,
                                  parameters_go_to_a_vector_and_back,
                                  vectors_that_do_not_fit_change_nothing,
                                  every_allocation_may_fail,
                                  leaving_the_blocks_may_fail,
                                  fingerprints_tell_names_shapes_and_dtypes};
    return run_tests("flat", tests, sizeof tests / sizeof *tests, NULL, NULL);
}
