/* The workloads of torch_bench.py, in C: the same shapes, layers, losses and optimizers. */
#include "tests/bench/bench.h"

#include "core/kernels/gemm.h"
#include "core/tapegrad.h"
#include "nn/nn.h"
#include "optim/optim.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

double now_seconds(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* ---- measuring ---- */

static int by_size(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

void fail(tg_tape *t) {
    fprintf(stderr, "bench: %s\n", tg_error(t));
    exit(1);
}

void measure(const options *o, const char *name, tg_tape *t, step_fn *step, void *model, int inner, int warm,
             double flop) {
    double *times = malloc((size_t)o->reps * sizeof *times);
    if (!times)
        exit(1);
    for (int i = 0; i < warm; i++)
        if (!step(model))
            fail(t);
    for (int r = 0; r < o->reps; r++) {
        double start = now_seconds();
        for (int i = 0; i < inner; i++)
            if (!step(model))
                fail(t);
        times[r] = (now_seconds() - start) / inner;
    }
    qsort(times, (size_t)o->reps, sizeof *times, by_size);
    double median = o->reps % 2 ? times[o->reps / 2] : (times[o->reps / 2 - 1] + times[o->reps / 2]) / 2;
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    printf("{\"peer\": \"tapegrad\", \"workload\": \"%s\", \"threads\": %d, \"ms_min\": %.9g, \"ms_median\": %.9g, "
           "\"rss_mib\": %.1f",
           name, o->threads, times[0] * 1e3, median * 1e3, (double)usage.ru_maxrss / 1024);
    if (flop > 0)
        printf(", \"gflops_best\": %.4g", flop / times[0] / 1e9);
    printf("}\n");
    fflush(stdout);
    free(times);
}

/* ---- tiny, medium, seed: single-head self-attention ---- */

typedef struct attention {
    tg_tape *t;
    tg_tensor x, y, weight[3];
    bool causal;
    tg_optim *adam;
    tg_mark mark;
    tg_tensor loss; /* of a recorded step, for replay */
} attention;

static tg_tensor attend(const attention *m) {
    tg_tensor q = tg_linear(m->x, m->weight[0], TG_NULL), k = tg_linear(m->x, m->weight[1], TG_NULL);
    tg_tensor v = tg_linear(m->x, m->weight[2], TG_NULL);
    return tg_scaled_dot_product_attention(q, k, v, TG_NULL, m->causal, 0, 0);
}

static attention new_attention(int64_t d_in, int64_t d_out, bool causal) {
    attention m = {.t = tg_tape_new(TG_F32), .causal = causal};
    static const char *const names[] = {"q", "k", "v"};
    tg_manual_seed(m.t, 1);
    for (int i = 0; i < 3; i++)
        m.weight[i] = tg_nn_linear_new(m.t, names[i], d_in, d_out, false).weight;
    return m;
}

static bool finish_step(attention *m, tg_tensor loss) {
    return tg_backward(loss) == TG_OK && tg_optim_step(m->adam) == TG_OK;
}

static bool tiny_step(void *model) {
    attention *m = model;
    tg_optim_zero_grad(m->adam);
    bool ok = finish_step(m, tg_mse_loss(attend(m), m->y, TG_MEAN));
    return tg_tape_rewind(m->t, m->mark) == TG_OK && ok;
}

static bool tiny_replay(void *model) {
    attention *m = model;
    tg_optim_zero_grad(m->adam);
    return tg_replay(m->t, m->mark) == TG_OK && finish_step(m, m->loss);
}

static void tiny(const options *o) {
    attention m = new_attention(3, 2, false);
    m.x = tg_rand(m.t, TG_SHAPE(6, 3));
    m.y = tg_rand(m.t, TG_SHAPE(6, 2));
    m.adam = tg_adam_new(m.t, tg_parameters(m.t), TG_ADAM_DEFAULTS);
    m.mark = tg_tape_mark(m.t);
    measure(o, "tiny train", m.t, tiny_step, &m, 20000, 2000, 0);
    m.loss = tg_mse_loss(attend(&m), m.y, TG_MEAN);
    measure(o, "tiny train replayed", m.t, tiny_replay, &m, 20000, 2000, 0);
    tg_tape_free(m.t);
}

static bool medium_step(void *model) {
    attention *m = model;
    tg_optim_zero_grad(m->adam);
    bool ok = finish_step(m, tg_mean(tg_square(attend(m)), TG_ALL_DIMS, false));
    return tg_tape_rewind(m->t, m->mark) == TG_OK && ok;
}

static bool forward_only(void *model) {
    attention *m = model;
    tg_no_grad_begin(m->t);
    bool ok = !tg_is_null(attend(m));
    tg_no_grad_end(m->t);
    return tg_tape_rewind(m->t, m->mark) == TG_OK && ok;
}

/* What the mathematics needs, without anything computed twice: three projections; two products of attention forward,
 * four backward; half of them under the causal mask. No gradient of x. */
static double attention_flop(double T, double d, bool causal, bool backward) {
    return (backward ? 2 : 1) * 3 * 2 * T * d * d + (backward ? 6 : 2) * 2 * T * T * d / (causal ? 2 : 1);
}

static void medium(const options *o) {
    attention m = new_attention(768, 768, true);
    m.x = tg_randn(m.t, TG_SHAPE(1024, 768));
    m.adam = tg_adam_new(m.t, tg_parameters(m.t), TG_ADAM_DEFAULTS);
    m.mark = tg_tape_mark(m.t);
    measure(o, "medium train", m.t, medium_step, &m, 5, 3, attention_flop(1024, 768, true, true));
    measure(o, "medium forward", m.t, forward_only, &m, 5, 3, attention_flop(1024, 768, true, false));
    tg_tape_free(m.t);
}

static bool seed_both(void *model) {
    attention *m = model;
    tg_zero_grads(m->t);
    bool ok = tg_backward(tg_sum(attend(m), TG_ALL_DIMS, false)) == TG_OK;
    return tg_tape_rewind(m->t, m->mark) == TG_OK && ok;
}

static void seed(const options *o) {
    attention m = new_attention(4608, 4608, false);
    m.x = tg_rand(m.t, TG_SHAPE(4096, 4608));
    m.mark = tg_tape_mark(m.t);
    measure(o, "seed forward", m.t, forward_only, &m, 1, 1, attention_flop(4096, 4608, false, false));
    measure(o, "seed forward+backward", m.t, seed_both, &m, 1, 1, attention_flop(4096, 4608, false, true));
    tg_tape_free(m.t);
}

/* ---- long ---- */

typedef struct long_attention {
    tg_tape *t;
    tg_tensor q, k, v, cotangent;
    tg_mark mark;
} long_attention;

static bool long_forward(void *model) {
    long_attention *m = model;
    tg_no_grad_begin(m->t);
    bool ok = !tg_is_null(tg_scaled_dot_product_attention(m->q, m->k, m->v, TG_NULL, true, 0, 0));
    tg_no_grad_end(m->t);
    return tg_tape_rewind(m->t, m->mark) == TG_OK && ok;
}

static bool long_both(void *model) {
    long_attention *m = model;
    tg_zero_grads(m->t);
    tg_tensor y = tg_scaled_dot_product_attention(m->q, m->k, m->v, TG_NULL, true, 0, 0);
    bool ok = tg_backward_with(y, m->cotangent) == TG_OK;
    return tg_tape_rewind(m->t, m->mark) == TG_OK && ok;
}

static void long_sequences(const options *o) {
    for (int64_t T = 1024; T <= o->max_t; T *= 2) {
        long_attention m = {.t = tg_tape_new(TG_F32)};
        char name[60];
        tg_manual_seed(m.t, 1);
        m.q = tg_set_requires_grad(tg_randn(m.t, TG_SHAPE(1, 8, T, 64)), true);
        m.k = tg_set_requires_grad(tg_randn(m.t, TG_SHAPE(1, 8, T, 64)), true);
        m.v = tg_set_requires_grad(tg_randn(m.t, TG_SHAPE(1, 8, T, 64)), true);
        m.cotangent = tg_randn(m.t, TG_SHAPE(1, 8, T, 64));
        m.mark = tg_tape_mark(m.t);
        double product = 8 * 2 * (double)T * (double)T * 64 / 2; /* 8 heads, causal */
        snprintf(name, sizeof name, "long forward T=%lld", (long long)T);
        measure(o, name, m.t, long_forward, &m, 1, 1, 2 * product);
        snprintf(name, sizeof name, "long forward+backward T=%lld", (long long)T);
        measure(o, name, m.t, long_both, &m, 1, 1, 6 * product);
        tg_tape_free(m.t);
    }
}

/* ---- gemm ---- */

typedef struct product {
    tg_tape *t;
    int64_t m, n, k;
    float *a, *b, *c;
} product;

static bool multiply(void *model) {
    product *p = model;
    tg_matrix_f32 a = {p->a, p->k, 1}, b = {p->b, p->n, 1}, c = {p->c, p->n, 1};
    return tg_gemm_f32(p->t, p->m, p->n, p->k, a, b, false, c) == TG_OK;
}

static void gemm(const options *o) {
    static const int64_t shapes[][3] = {{16, 16, 16},       {32, 32, 32},     {64, 64, 64},       {128, 128, 128},
                                        {256, 256, 256},    {512, 512, 512},  {1024, 1024, 1024}, {2048, 2048, 2048},
                                        {4096, 4096, 4096}, {1024, 64, 1024}, {1024, 1024, 64},   {768, 128, 512},
                                        {6, 2, 3}};
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        tg_tape *t = tg_tape_new(TG_F32);
        product p = {t, shapes[i][0], shapes[i][1], shapes[i][2], NULL, NULL, NULL};
        p.a = tg_data(tg_rand(t, TG_SHAPE(p.m, p.k)));
        p.b = tg_data(tg_rand(t, TG_SHAPE(p.k, p.n)));
        p.c = tg_data(tg_zeros(t, TG_SHAPE(p.m, p.n)));
        if (!p.a || !p.b || !p.c)
            fail(t);
        double flop = 2.0 * (double)p.m * (double)p.n * (double)p.k, times = 1e9 / flop;
        char name[60];
        snprintf(name, sizeof name, "gemm %lldx%lldx%lld", (long long)p.m, (long long)p.n, (long long)p.k);
        measure(o, name, t, multiply, &p, times < 1 ? 1 : times > 20000 ? 20000 : (int)times, 2, flop);
        tg_tape_free(t);
    }
}

/* ---- add: the cost of recording one operation ---- */

typedef struct addition {
    tg_tape *t;
    tg_tensor a, b;
    tg_mark mark;
} addition;

static bool add_64(void *model) {
    addition *m = model;
    tg_tensor y = TG_NULL;
    for (int i = 0; i < 64; i++)
        y = tg_add(m->a, m->b);
    return tg_tape_rewind(m->t, m->mark) == TG_OK && !tg_is_null(y);
}

static void add(const options *o) {
    addition m = {.t = tg_tape_new(TG_F32)};
    m.a = tg_rand(m.t, TG_SHAPE(2, 2));
    m.b = tg_rand(m.t, TG_SHAPE(2, 2));
    m.mark = tg_tape_mark(m.t);
    measure(o, "64 adds of 2x2, recorded", m.t, add_64, &m, 20000, 1000, 0);
    tg_tape_free(m.t);
}

/* ---- by name ---- */

const char *const workload_names[] = {"add",  "tiny", "medium", "seed", "gpt",     "llama", "gpt2", "long",
                                      "gemm", "mlp",  "relu",   "conv", "encoder", "optim", NULL};

bool run_workload(const char *name, const options *o) {
    static void (*const run[])(const options *o) = {add,         tiny,       medium,         seed,       gpt_train,
                                                    llama_train, gpt2_train, long_sequences, gemm,       mlp_train,
                                                    relu_train,  conv_train, encoder_layers, optim_steps};
    for (int i = 0; workload_names[i]; i++)
        if (strcmp(name, workload_names[i]) == 0) {
            run[i](o);
            return true;
        }
    return false;
}
