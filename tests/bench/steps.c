/* Training steps that elementwise operations and moves carry: torch_steps.py's mlp, conv and encoder; and what an
 * optimizer does alone, its optim. */
#include "tests/bench/bench.h"

#include "nn/nn.h"
#include "optim/optim.h"

/* ---- a step: forward, backward, Adam ---- */

typedef struct network {
    tg_tape *t;
    tg_tensor x, targets;
    tg_nn_linear layer[3];
    tg_optim *adam;
    tg_mark mark;
} network;

static network new_network(int64_t batch, tg_shape x) {
    network m = {.t = tg_tape_new(TG_F32)};
    tg_manual_seed(m.t, 1);
    m.x = tg_randn(m.t, x);
    m.targets = tg_randint(m.t, 0, 10, TG_SHAPE(batch));
    return m;
}

static void train(const options *o, const char *name, network *m, step_fn *step) {
    m->adam = tg_adam_new(m->t, tg_parameters(m->t), TG_ADAM_DEFAULTS);
    m->mark = tg_tape_mark(m->t);
    measure(o, name, m->t, step, m, 20, 10, 0);
    tg_tape_free(m->t);
}

static bool finish(network *m, tg_tensor logits) {
    tg_optim_zero_grad(m->adam);
    bool ok = tg_backward(tg_cross_entropy(logits, m->targets, TG_IGNORE_INDEX, TG_MEAN)) == TG_OK;
    ok = ok && tg_optim_step(m->adam) == TG_OK;
    return tg_tape_rewind(m->t, m->mark) == TG_OK && ok;
}

/* ---- mlp: 784-512-512-10, relu and dropout, 128 images ---- */

static bool mlp_step(void *model) {
    network *m = model;
    tg_tensor x = m->x;
    for (int i = 0; i < 2; i++)
        x = tg_dropout(tg_relu(tg_nn_linear_forward(&m->layer[i], x)), 0.2);
    return finish(m, tg_nn_linear_forward(&m->layer[2], x));
}

void mlp_train(const options *o) {
    network m = new_network(128, TG_SHAPE(128, 784));
    m.layer[0] = tg_nn_linear_new(m.t, "1", 784, 512, true);
    m.layer[1] = tg_nn_linear_new(m.t, "2", 512, 512, true);
    m.layer[2] = tg_nn_linear_new(m.t, "3", 512, 10, true);
    train(o, "mlp train", &m, mlp_step);
}

/* ---- conv: 3 x 3 to 16 channels, 3 x 3 by steps of 2 to 32, the mean over the image, 64 images of 28 x 28 ---- */

/* Every 3 x 3 patch of x (B, H, W, C), `step` apart, as a row: nine views of x side by side. */
static tg_tensor patches(tg_tensor x, int64_t step) {
    tg_tensor part[9];
    tg_shape s = tg_shape_of(x);
    for (int i = 0; i < 9; i++) {
        int64_t row = i / 3, column = i % 3;
        tg_tensor rows = tg_slice(x, 1, row, s.size[1] - 2 + row, step);
        part[i] = tg_slice(rows, 2, column, s.size[2] - 2 + column, step);
    }
    return tg_cat(part, 9, 3);
}

static bool conv_step(void *model) {
    network *m = model;
    tg_tensor h = tg_relu(tg_nn_linear_forward(&m->layer[0], patches(m->x, 1)));
    h = tg_relu(tg_nn_linear_forward(&m->layer[1], patches(h, 2)));
    return finish(m, tg_nn_linear_forward(&m->layer[2], tg_mean(h, TG_DIMS(1, 2), false)));
}

void conv_train(const options *o) {
    network m = new_network(64, TG_SHAPE(64, 28, 28, 1));
    m.layer[0] = tg_nn_linear_new(m.t, "1", 9, 16, true);
    m.layer[1] = tg_nn_linear_new(m.t, "2", 9 * 16, 32, true);
    m.layer[2] = tg_nn_linear_new(m.t, "3", 32, 10, true);
    train(o, "conv train", &m, conv_step);
}

/* ---- encoder: torch.nn.TransformerEncoderLayer, forward and backward, with relu and with gelu ---- */

typedef struct encoder {
    tg_tape *t;
    tg_tensor x;
    tg_nn_encoder_layer layer;
    tg_mark mark;
} encoder;

static bool encoder_step(void *model) {
    encoder *m = model;
    tg_zero_grads(m->t);
    tg_tensor y = tg_nn_encoder_layer_forward(&m->layer, m->x, TG_NN_NO_MASKS);
    bool ok = tg_backward(tg_mean(tg_square(y), TG_ALL_DIMS, false)) == TG_OK;
    return tg_tape_rewind(m->t, m->mark) == TG_OK && ok;
}

static void encoder_layer(const options *o, const char *name, tg_nn_activation activation) {
    encoder m = {.t = tg_tape_new(TG_F32)};
    tg_nn_encoder_layer_config config = TG_NN_ENCODER_LAYER_DEFAULTS;
    tg_manual_seed(m.t, 1);
    m.x = tg_randn(m.t, TG_SHAPE(8, 128, 256));
    config.dim_feedforward = 1024;
    config.activation = activation;
    m.layer = tg_nn_encoder_layer_new(m.t, "layer", 256, 4, config);
    m.mark = tg_tape_mark(m.t);
    measure(o, name, m.t, encoder_step, &m, 5, 3, 0);
    tg_tape_free(m.t);
}

void encoder_layers(const options *o) {
    encoder_layer(o, "encoder layer, relu", TG_NN_RELU);
    encoder_layer(o, "encoder layer, gelu", TG_NN_GELU);
}

/* ---- optim: a step over a million weights whose gradients stand still ---- */

typedef struct weights {
    tg_optim *optim;
    tg_list all;
} weights;

static bool optim_step(void *model) { return tg_optim_step(((weights *)model)->optim) == TG_OK; }
static bool clip_step(void *model) { return tg_clip_grad_norm(((weights *)model)->all, 1, 2, NULL) == TG_OK; }

void optim_steps(const options *o) {
    tg_tape *t = tg_tape_new(TG_F32);
    tg_manual_seed(t, 1);
    tg_tensor w = tg_parameter(t, "w", tg_randn(t, TG_SHAPE(1024, 1024)));
    if (tg_backward_with(w, tg_randn(t, TG_SHAPE(1024, 1024))))
        fail(t);
    tg_sgd_config sgd = {.lr = 1e-3, .momentum = 0.9};
    weights adamw = {tg_adamw_new(t, tg_parameters(t), TG_ADAMW_DEFAULTS), tg_parameters(t)};
    weights momentum = {tg_sgd_new(t, tg_parameters(t), sgd), tg_parameters(t)};
    measure(o, "adamw step", t, optim_step, &adamw, 20, 5, 0);
    measure(o, "sgd step", t, optim_step, &momentum, 20, 5, 0);
    measure(o, "clip", t, clip_step, &adamw, 20, 5, 0);
    tg_tape_free(t);
}
