/* Language models in training: torch_bench.py's gpt and llama; torch_steps.py's relu, which is gpt with relu for gelu
 * and dropout as nanoGPT places it; and GPT-2 with 124 million weights as llm.c's train_gpt2.c has it. */
#include "tests/bench/bench.h"

#include "nn/nn.h"
#include "optim/optim.h"

#include <stdio.h>

enum { MAX_LAYERS = 12 };

typedef struct sizes {
    const char *name;
    int layers, heads, kv_heads, width, hidden, context, batch, vocabulary;
    bool llama;
    bool bias, relu;
    double dropout, decay, clip; /* clip 0: not */
    int inner, warm;             /* as measure() has them */
} sizes;

typedef struct affine {
    tg_tensor weight, bias;
} affine;

typedef struct language {
    const sizes *s;
    tg_tape *t;
    tg_tensor token, position, ids, targets, where;
    affine norm1[MAX_LAYERS], norm2[MAX_LAYERS], qkv[MAX_LAYERS], out[MAX_LAYERS], up[MAX_LAYERS], down[MAX_LAYERS],
        norm;
    affine q[MAX_LAYERS], k[MAX_LAYERS], v[MAX_LAYERS], gate[MAX_LAYERS]; /* llama's, in place of qkv */
    tg_list all;
    tg_optim *adamw;
    tg_mark mark;
} language;

/* ---- one step ---- */

static tg_tensor linear(tg_tensor x, affine a) { return tg_linear(x, a.weight, a.bias); }

static tg_tensor norm(const language *m, tg_tensor x, affine a) {
    return m->s->llama ? tg_rms_norm(x, a.weight, 1e-5) : tg_layer_norm(x, a.weight, a.bias, 1e-5);
}

static tg_tensor heads(const language *m, tg_tensor x) {
    const sizes *s = m->s;
    return tg_transpose(tg_reshape(x, TG_SHAPE(s->batch, s->context, -1, s->width / s->heads)), 1, 2);
}

static tg_tensor attend(const language *m, int i, tg_tensor h) {
    tg_tensor part[3];
    tg_attention_config config = TG_ATTENTION_DEFAULTS;
    config.causal = true;
    config.dropout_p = m->s->dropout;
    if (!m->s->llama) {
        if (tg_split(linear(h, m->qkv[i]), m->s->width, 2, part, 3))
            return TG_NULL;
        return tg_scaled_dot_product_attention_with(heads(m, part[0]), heads(m, part[1]), heads(m, part[2]), config);
    }
    config.enable_gqa = true;
    tg_tensor q = tg_rope(heads(m, linear(h, m->q[i])), TG_ROPE_DEFAULTS);
    tg_tensor k = tg_rope(heads(m, linear(h, m->k[i])), TG_ROPE_DEFAULTS);
    return tg_scaled_dot_product_attention_with(q, k, heads(m, linear(h, m->v[i])), config);
}

static tg_tensor feed_forward(const language *m, int i, tg_tensor h) {
    tg_tensor up = linear(h, m->up[i]);
    h = m->s->llama ? tg_swiglu(linear(h, m->gate[i]), up) : m->s->relu ? tg_relu(up) : tg_gelu(up);
    return tg_dropout(linear(h, m->down[i]), m->s->dropout);
}

static tg_tensor block(const language *m, int i, tg_tensor x) {
    const sizes *s = m->s;
    tg_tensor y = attend(m, i, norm(m, x, m->norm1[i]));
    y = tg_reshape(tg_transpose(y, 1, 2), TG_SHAPE(s->batch, s->context, s->width));
    x = tg_add(x, tg_dropout(linear(y, m->out[i]), s->dropout));
    return tg_add(x, feed_forward(m, i, norm(m, x, m->norm2[i])));
}

static bool train_step(void *model) {
    language *m = model;
    tg_tensor x = tg_embedding(m->token, m->ids);
    if (!m->s->llama)
        x = tg_add(x, tg_embedding(m->position, m->where));
    x = tg_dropout(x, m->s->dropout);
    for (int i = 0; i < m->s->layers; i++)
        x = block(m, i, x);
    tg_tensor logits = tg_linear(norm(m, x, m->norm), m->token, TG_NULL);
    tg_tensor loss = tg_cross_entropy(logits, m->targets, TG_IGNORE_INDEX, TG_MEAN);
    bool ok = tg_backward(loss) == TG_OK;
    ok = ok && (m->s->clip == 0 || tg_clip_grad_norm(m->all, m->s->clip, 2, NULL) == TG_OK);
    ok = ok && tg_optim_step(m->adamw) == TG_OK;
    tg_optim_zero_grad(m->adamw);
    return tg_tape_rewind(m->t, m->mark) == TG_OK && ok;
}

/* Forward once, backward twice: the weights of every layer and of the head for each token, and two causal products. */
static double flop_of(const sizes *s) {
    double C = s->width, kv = C * s->kv_heads / s->heads;
    double layer = s->llama ? (2 * C + 2 * kv + 3 * s->hidden) * C : (4 * C + 2 * s->hidden) * C;
    double weights = s->layers * layer + s->vocabulary * C, scores = s->layers * s->context * C;
    return 3 * 2 * s->batch * s->context * (weights + scores);
}

/* ---- its weights ---- */

static tg_tensor weight(language *m, const char *group, const char *kind, int layer, tg_shape shape) {
    char name[40];
    snprintf(name, sizeof name, "%s.%s.%d", group, kind, layer);
    tg_tensor w = shape.ndim == 2 ? tg_normal_(tg_zeros(m->t, shape), 0, 0.02) : tg_ones(m->t, shape);
    return tg_parameter(m->t, name, w);
}

static tg_tensor bias(language *m, const char *kind, int layer, int64_t n) {
    char name[40];
    snprintf(name, sizeof name, "plain.%s_bias.%d", kind, layer);
    return m->s->bias ? tg_parameter(m->t, name, tg_zeros(m->t, TG_SHAPE(n))) : TG_NULL;
}

static affine new_linear(language *m, const char *kind, int layer, int64_t out, int64_t in) {
    return (affine){weight(m, "decay", kind, layer, TG_SHAPE(out, in)), bias(m, kind, layer, out)};
}

static affine new_norm(language *m, const char *kind, int layer) {
    return (affine){weight(m, "plain", kind, layer, TG_SHAPE(m->s->width)), bias(m, kind, layer, m->s->width)};
}

static void new_layer(language *m, int i) {
    int64_t C = m->s->width, hidden = m->s->hidden, kv = C * m->s->kv_heads / m->s->heads;
    m->norm1[i] = new_norm(m, "norm1", i);
    m->norm2[i] = new_norm(m, "norm2", i);
    m->out[i] = new_linear(m, "out", i, C, C);
    m->up[i] = new_linear(m, "up", i, hidden, C);
    m->down[i] = new_linear(m, "down", i, C, hidden);
    if (!m->s->llama) {
        m->qkv[i] = new_linear(m, "qkv", i, 3 * C, C);
        return;
    }
    m->q[i] = new_linear(m, "q", i, C, C);
    m->k[i] = new_linear(m, "k", i, kv, C);
    m->v[i] = new_linear(m, "v", i, kv, C);
    m->gate[i] = new_linear(m, "gate", i, hidden, C);
}

static void language_train(const options *o, const sizes *s) {
    language m = {.s = s, .t = tg_tape_new(TG_F32)};
    tg_manual_seed(m.t, 1);
    m.token = weight(&m, "decay", "token", 0, TG_SHAPE(s->vocabulary, s->width));
    if (!s->llama)
        m.position = weight(&m, "decay", "position", 0, TG_SHAPE(s->context, s->width));
    for (int i = 0; i < s->layers; i++)
        new_layer(&m, i);
    m.norm = new_norm(&m, "norm", 0);
    m.ids = tg_randint(m.t, 0, s->vocabulary, TG_SHAPE(s->batch, s->context));
    m.targets = tg_randint(m.t, 0, s->vocabulary, TG_SHAPE(s->batch, s->context));
    m.where = tg_arange(m.t, s->context);
    tg_adam_config config = {1e-3, 0.9, 0.99, 1e-8, s->decay, false, false};
    m.adamw = tg_adamw_new(m.t, tg_parameters_under(m.t, "decay."), config);
    config.weight_decay = 0;
    if (tg_adam_add_group(m.adamw, tg_parameters_under(m.t, "plain."), config))
        fail(m.t);
    m.all = tg_parameters(m.t);
    m.mark = tg_tape_mark(m.t);
    char name[40];
    snprintf(name, sizeof name, "%s train", s->name);
    measure(o, name, m.t, train_step, &m, s->inner, s->warm, flop_of(s));
    tg_tape_free(m.t);
}

/* ---- by name ---- */

void gpt_train(const options *o) {
    sizes s = {"gpt", 4, 4, 4, 128, 512, 64, 12, 65, .decay = 0.1, .clip = 1, .inner = 20, .warm = 10};
    language_train(o, &s);
}

void relu_train(const options *o) {
    sizes s = {"relu",       4,         4,           4,         128, 512, 64, 12, 65, .relu = true, .dropout = 0.1,
               .decay = 0.1, .clip = 1, .inner = 20, .warm = 10};
    language_train(o, &s);
}

void llama_train(const options *o) {
    sizes s = {"llama", 4, 4, 2, 128, 344, 64, 12, 65, .llama = true, .decay = 0.1, .clip = 1, .inner = 20, .warm = 10};
    language_train(o, &s);
}

void gpt2_train(const options *o) {
    sizes s = {"gpt2", 12, 12, 12, 768, 3072, 64, 4, 50257, .bias = true, .inner = 1, .warm = 2};
    language_train(o, &s);
}
