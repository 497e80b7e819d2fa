/* Language models in training, all of them examples/gpt's: torch_bench.py's gpt and llama; torch_steps.py's relu, which
 * is gpt with relu for gelu and dropout as nanoGPT places it; and GPT-2 with 124 million weights as llm.c's
 * train_gpt2.c has it. */
#include "examples/gpt/model.h"
#include "optim/optim.h"
#include "tests/bench/bench.h"

#include <stdio.h>

typedef struct workload {
    const char *name;
    gpt_config model;
    tg_tensor (*activation)(tg_tensor x); /* NULL: the family's */
    int64_t batch;
    double decay, clip; /* clip 0: not */
    int inner, warm;    /* as measure() has them */
} workload;

typedef struct language {
    gpt model;
    tg_tensor ids, targets;
    tg_list all;
    tg_optim *adamw;
    double clip;
    tg_mark mark;
} language;

static bool train_step(void *model) {
    language *m = model;
    tg_tensor loss = tg_cross_entropy(gpt_forward(&m->model, m->ids), m->targets, TG_IGNORE_INDEX, TG_MEAN);
    bool ok = tg_backward(loss) == TG_OK;
    ok = ok && (m->clip == 0 || tg_clip_grad_norm(m->all, m->clip, 2, NULL) == TG_OK);
    ok = ok && tg_optim_step(m->adamw) == TG_OK;
    tg_optim_zero_grad(m->adamw);
    return tg_tape_rewind(tg_tape_of(m->ids), m->mark) == TG_OK && ok;
}

/* Forward once, backward twice: the weights of every layer and of the head for each token, and two causal products. */
static double flop_of(const gpt_config *c, int64_t batch) {
    double C = (double)c->width, kv = (double)(gpt_kv_heads(c) * gpt_head_width(c)), hidden = (double)c->hidden;
    double layer = c->family == LLAMA ? (2 * C + 2 * kv + 3 * hidden) * C : (4 * C + 2 * hidden) * C;
    double scores = (double)c->context * C;
    double weights = (double)c->layers * (layer + scores) + (double)c->vocabulary * C;
    return 3 * 2 * (double)(batch * c->context) * weights;
}

/* Matrices decay, norms and biases do not. */
static tg_optim *adamw_of(tg_tape *t, double decay) {
    tg_adam_config config = {1e-3, 0.9, 0.99, 1e-8, decay, false, false};
    tg_selection matrices = TG_SELECT_ALL, vectors = TG_SELECT_ALL;
    matrices.min_ndim = 2;
    vectors.max_ndim = 1;
    tg_optim *adamw = tg_adamw_new(t, tg_parameters_where(t, matrices), config);
    config.weight_decay = 0;
    if (tg_adam_add_group(adamw, tg_parameters_where(t, vectors), config))
        fail(t);
    return adamw;
}

static void train(const options *o, const workload *w) {
    tg_tape *t = tg_tape_new(TG_F32);
    tg_manual_seed(t, 1);
    language m = {.model = gpt_new(t, w->model), .clip = w->clip};
    if (w->activation)
        m.model.activation = w->activation;
    m.ids = tg_randint(t, 0, w->model.vocabulary, TG_SHAPE(w->batch, w->model.context));
    m.targets = tg_randint(t, 0, w->model.vocabulary, TG_SHAPE(w->batch, w->model.context));
    m.adamw = adamw_of(t, w->decay);
    m.all = tg_parameters(t);
    m.mark = tg_tape_mark(t);
    char name[40];
    snprintf(name, sizeof name, "%s train", w->name);
    measure(o, name, t, train_step, &m, w->inner, w->warm, flop_of(&w->model, w->batch));
    tg_tape_free(t);
}

/* ---- by name ---- */

#define SMALL .vocabulary = 65, .context = 64, .layers = 4, .heads = 4, .width = 128
#define SMALL_RUN .batch = 12, .decay = 0.1, .clip = 1, .inner = 20, .warm = 10

void gpt_train(const options *o) { train(o, &(workload){"gpt", {GPT_2, SMALL, .hidden = 512}, SMALL_RUN}); }
void relu_train(const options *o) {
    train(o, &(workload){"relu", {GPT_2, SMALL, .hidden = 512, .dropout = 0.1}, tg_relu, SMALL_RUN});
}
void llama_train(const options *o) {
    train(o, &(workload){"llama", {LLAMA, SMALL, .hidden = 344, .kv_heads = 2}, SMALL_RUN});
}
void gpt2_train(const options *o) {
    static const workload w = {
        "gpt2",
        {GPT_2_PUBLISHED, GPT_2_IDS, .context = 64, .layers = 12, .heads = 12, .width = 768, .hidden = 3072},
        .batch = 4,
        .inner = 1,
        .warm = 2};
    train(o, &w);
}
