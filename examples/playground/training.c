/* The task of `make run`, a few steps at a time: between them the page asks the model what it has learnt. */
#include "examples/common/language_model.h"
#include "examples/common/recall.h"
#include "examples/playground/playground.h"
#include "optim/optim.h"

#include <math.h>
#include <string.h>

enum { T = RECALL_LENGTH - 1, BATCH = 32, CHANNELS = 32, SCHEDULE = 400 };

static tg_tape *t;
static language_model model;
static tg_optim *adamw;
static tg_mark built;
static int step, words[T];
static float map[T * T], chances[T * RECALL_WORDS];

int EXPORT(training_begin)(int seed) {
    tg_tape_free(t);
    t = tg_tape_new(TG_F32);
    tg_manual_seed(t, (uint64_t)seed);
    model = language_model_new(t, RECALL_WORDS, T, CHANNELS, true, ATTENTION);
    adamw = tg_adamw_new(t, tg_parameters(t), TG_ADAMW_DEFAULTS);
    built = tg_tape_mark(t);
    step = 0;
    return tg_tape_status(t);
}

/* As in examples/train.c: up in the first twentieth, then down along a cosine to a twentieth, where it stays. */
static double learning_rate(void) {
    double done = fmin(1, (step + 1.0) / SCHEDULE);
    return 0.01 * (done < 0.05 ? done / 0.05 : 0.05 + 0.95 * (1 + cos(acos(-1) * (done - 0.05) / 0.95)) / 2);
}

static double one_step(void) {
    static int64_t word[BATCH * T], next[BATCH * T];
    if (recall_sentences(t, BATCH, word, next))
        return NAN;
    tg_tensor ids = tg_from_ints(t, TG_SHAPE(BATCH, T), word), after = tg_from_ints(t, TG_SHAPE(BATCH, T), next);
    tg_tensor loss = tg_cross_entropy(language_model_forward(&model, ids, NULL), after, TG_IGNORE_INDEX, TG_MEAN);
    tg_optim_set_lr(adamw, learning_rate());
    tg_optim_zero_grad(adamw);
    if (tg_backward(loss) || tg_optim_step(adamw))
        return NAN;
    double nats = tg_item(loss);
    step++;
    return tg_tape_rewind(t, built) ? NAN : nats;
}

double EXPORT(training_steps)(int n) {
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += one_step();
    return sum / n;
}

int EXPORT(training_ask)(int n) {
    int64_t id[T];
    if (n < 1 || n > T)
        return TG_ERR_ARGUMENT;
    for (int i = 0; i < n; i++)
        id[i] = words[i];
    tg_tensor weights = TG_NULL, ids = tg_from_ints(t, TG_SHAPE(1, n), id);
    tg_no_grad_begin(t);
    tg_tensor p = tg_softmax(language_model_forward(&model, ids, &weights), -1);
    tg_no_grad_end(t);
    if (tg_read_floats(weights, map, n * n) || tg_read_floats(p, chances, n * RECALL_WORDS))
        return tg_tape_status(t);
    return tg_tape_rewind(t, built);
}

int *EXPORT(training_words)(void) { return words; }
const float *EXPORT(training_map)(void) { return map; }
const float *EXPORT(training_chances)(void) { return chances; }
const char *EXPORT(training_error)(void) { return tg_error(t); }

const char *EXPORT(training_vocabulary)(void) {
    static char all[RECALL_WORDS * 8];
    *all = '\0';
    for (int i = 0; i < RECALL_WORDS; i++)
        strcat(strcat(all, i ? " " : ""), recall_word[i]);
    return all;
}
