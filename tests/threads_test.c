/* The number of threads must not show: the same training run, bit for bit, at 1, 2, 3 and 8. */
#include "core/kernels/threads.h"
#include "core/tapegrad.h"
#include "optim/optim.h"
#include "tests/support.h"

#include <string.h>

/* Two sequences of T tokens, C channels, in two heads: large enough that every kernel that shares its work does. */
enum { STEPS = 3, B = 2, T = 128, C = 192, HEADS = 2, V = 61, N_WEIGHTS = 9 };

typedef struct model {
    tg_tape *t;
    tg_tensor token, norm, norm_bias, qkv, out, up, up_bias, down, last, ids, targets;
    tg_optim *adam;
} model;

static tg_tensor weight(tg_tape *t, const char *name, int64_t rows, int64_t cols) {
    return tg_parameter(t, name, tg_normal_(tg_zeros(t, cols ? TG_SHAPE(rows, cols) : TG_SHAPE(rows)), 0, 0.1));
}

static model new_model(void) {
    model m = {.t = tg_tape_new(TG_F32)};
    tg_manual_seed(m.t, 5);
    m.token = weight(m.t, "token", V, C);
    m.norm = weight(m.t, "norm", C, 0);
    m.norm_bias = weight(m.t, "norm_bias", C, 0);
    m.qkv = weight(m.t, "qkv", 3 * C, C);
    m.out = weight(m.t, "out", C, C);
    m.up = weight(m.t, "up", 4 * C, C);
    m.up_bias = weight(m.t, "up_bias", 4 * C, 0);
    m.down = weight(m.t, "down", C, 4 * C);
    m.last = weight(m.t, "last", C, 0);
    m.ids = tg_randint(m.t, 0, V, TG_SHAPE(B, T));
    m.targets = tg_randint(m.t, 0, V, TG_SHAPE(B, T));
    m.adam = tg_adamw_new(m.t, tg_parameters(m.t), TG_ADAMW_DEFAULTS);
    return m;
}

static tg_tensor heads(tg_tensor x) { return tg_transpose(tg_reshape(x, TG_SHAPE(B, T, HEADS, C / HEADS)), 1, 2); }

static tg_tensor loss_of(const model *m) {
    tg_tensor x = tg_embedding(m->token, m->ids), part[3];
    tg_tensor h = tg_linear(tg_layer_norm(x, m->norm, m->norm_bias, 1e-5), m->qkv, TG_NULL);
    ck_assert_int_eq(tg_split(h, C, 2, part, 3), TG_OK);
    tg_tensor y =
        tg_scaled_dot_product_attention(heads(part[0]), heads(part[1]), heads(part[2]), TG_NULL, true, 0.1, 0);
    x = tg_add(x, tg_linear(tg_reshape(tg_transpose(y, 1, 2), TG_SHAPE(B, T, C)), m->out, TG_NULL));
    x = tg_add(x, tg_linear(tg_dropout(tg_gelu(tg_linear(x, m->up, m->up_bias)), 0.1), m->down, TG_NULL));
    tg_tensor logits = tg_matmul(tg_layer_norm(x, m->last, TG_NULL, 1e-5), tg_transpose(m->token, 0, 1));
    tg_tensor penalty = tg_mul_scalar(tg_mean(tg_square(tg_softmax(logits, -1)), TG_ALL_DIMS, false), 0.1);
    return tg_add(tg_cross_entropy(logits, m->targets, TG_IGNORE_INDEX, TG_MEAN), penalty);
}

/* Everything that a run leaves behind: losses, norms, and the parameters at the end. */
typedef struct trace {
    double loss[STEPS], norm[STEPS];
    float *parameter[N_WEIGHTS];
    int64_t numel[N_WEIGHTS];
} trace;

static trace run(int threads) {
    trace r;
    tg_set_threads(threads);
    model m = new_model();
    tg_mark mark = tg_tape_mark(m.t);
    for (int i = 0; i < STEPS; i++) {
        tg_optim_zero_grad(m.adam);
        tg_tensor loss = loss_of(&m);
        ck_assert_msg(tg_backward(loss) == TG_OK, "%s", tg_error(m.t));
        r.loss[i] = tg_item(loss);
        ck_assert_int_eq(tg_clip_grad_norm(tg_parameters(m.t), 1, 2, &r.norm[i]), TG_OK);
        ck_assert_int_eq(tg_optim_step(m.adam), TG_OK);
        tg_tape_rewind(m.t, mark);
    }
    tg_list all = tg_parameters(m.t);
    ck_assert_int_eq((int)all.n, N_WEIGHTS);
    for (int i = 0; i < N_WEIGHTS; i++) {
        r.numel[i] = tg_numel(all.tensor[i]);
        r.parameter[i] = malloc((size_t)r.numel[i] * sizeof(float));
        ck_assert_ptr_nonnull(r.parameter[i]);
        memcpy(r.parameter[i], tg_const_data(all.tensor[i]), (size_t)r.numel[i] * sizeof(float));
    }
    tg_tape_free(m.t);
    return r;
}

static void free_trace(trace *r) {
    for (int i = 0; i < N_WEIGHTS; i++)
        free(r->parameter[i]);
}

START_TEST(a_training_run_has_the_same_bits_at_any_number_of_threads)
{
    static const int threads[] = {2, 3, 8};
    trace one = run(1);
    ck_assert_double_gt(one.loss[0], one.loss[STEPS - 1]);
    for (size_t i = 0; i < sizeof threads / sizeof *threads; i++) {
        trace many = run(threads[i]);
        ck_assert_mem_eq(one.loss, many.loss, sizeof one.loss);
        ck_assert_mem_eq(one.norm, many.norm, sizeof one.norm);
        for (int k = 0; k < N_WEIGHTS; k++)
            ck_assert_msg(!memcmp(one.parameter[k], many.parameter[k], (size_t)one.numel[k] * sizeof(float)),
                          "%d threads: parameter %d differs", threads[i], k);
        free_trace(&many);
    }
    free_trace(&one);
    tg_set_threads(0);
}
END_TEST

int main(void) {
    TCase *c = tcase_create("threads");
    tcase_add_test(c, a_training_run_has_the_same_bits_at_any_number_of_threads);
    return run_suite("threads", c);
}
