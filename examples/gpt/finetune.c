/* gpt finetune: trains a model on answers to prompts, all weights or low-rank adapters of some. */
#include "examples/common/interrupt.h"
#include "examples/common/output.h"
#include "examples/common/saved.h"
#include "examples/gpt/examples.h"
#include "examples/gpt/folder.h"
#include "examples/gpt/gpt.h"
#include "optim/optim.h"

#include <fnmatch.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const char help[] =
    "usage: gpt finetune CHECKPOINT --data FILE --save PATH [options]\n"
    "\n"
    "Teaches a model answers: each line of FILE is {\"prompt\": \"...\", \"answer\": \"...\"}, texts or lists of token ids. The\n"
    "loss is the mean over the answers' tokens in a step; prompts count for nothing. AdamW, gradients clipped at norm 1.\n"
    "Behind an answer that is a text the token is learnt that ends a text, where the model has one, of several the first.\n"
    "Special tokens, as <|im_start|>, are found in a text where the model was imported with its tokenizer.json; none are\n"
    "put before it. Else <|endoftext|> in a text is those characters, and no token. Lists of ids are learnt as they are.\n"
    "\n"
    "  --save PATH        a new checkpoint or, of adapters, a folder as PEFT has it; nothing is replaced\n"
    "  --lora RANK        train low-rank adapters alone\n"
    "  --target PATTERNS  of these layers, * stands for any text, commas between several (*.q_proj,*.v_proj; GPT-2:\n"
    "                     *.c_attn)\n"
    "  --alpha X          their scale is alpha / RANK (2 RANK)\n"
    "  --lora-dropout X   before them (0)\n"
    "  --adapter FOLDER   go on with these adapters\n"
    "  --steps N          steps to make, in all (as many as show each line once)\n"
    "  --batch N          lines that are computed together (4)\n"
    "  --accumulate N     such batches in a step; their gradients are added up (1)\n"
    "  --lr X             the learning rate (1e-5, of adapters 2e-4)\n"
    "  --warmup N         in the first N steps it is (step + 1) / (N + 1) of X, with step counted from 0; then X (0)\n"
    "  --weight-decay X   of matrices (0.01)\n"
    "  --seed N           for the order of the lines, new adapters and dropout (1337)\n"
    "  --checkpoint       keep each block's input alone, and compute the rest again: less memory, a third more time\n"
    "  --save-every N     keep the run in PATH.run after every N steps\n"
    "  --resume RUN       go on with the run in this file as if it had never stopped: with the same checkpoint, lines and\n"
    "                     options; --steps may be another\n"
    "\n"
    "Ctrl-C, SIGTERM and SIGHUP end the training after the present step; the run is in PATH.run then, with all weights of\n"
    "the model, and nothing in PATH.\n";

typedef struct settings {
    const char *checkpoint, *data, *save, *target, *adapter, *resume;
    int64_t rank, steps, batch, accumulate, warmup, seed, save_every;
    double alpha, dropout, lr, decay;
    bool recompute, is_lora;
} settings;

static settings settings_of(int argc, char **argv) {
    settings s = {.steps = -1, .batch = 4, .accumulate = 1, .seed = 1337, .decay = 0.01};
    option all[] = {{"", WORD, &s.checkpoint, 0, 0, false},
                    {"--data", WORD, &s.data, 0, 0, false},
                    {"--save", WORD, &s.save, 0, 0, false},
                    {"--lora", INTEGER, &s.rank, 1, 4096, false},
                    {"--target", WORD, &s.target, 0, 0, false},
                    {"--alpha", NUMBER, &s.alpha, 1e-6, 1e6, false},
                    {"--lora-dropout", NUMBER, &s.dropout, 0, 0.99, false},
                    {"--adapter", WORD, &s.adapter, 0, 0, false},
                    {"--steps", INTEGER, &s.steps, 0, 1e9, false},
                    {"--batch", INTEGER, &s.batch, 1, 65536, false},
                    {"--accumulate", INTEGER, &s.accumulate, 1, 65536, false},
                    {"--lr", NUMBER, &s.lr, 1e-9, 10, false},
                    {"--warmup", INTEGER, &s.warmup, 0, 1e9, false},
                    {"--weight-decay", NUMBER, &s.decay, 0, 10, false},
                    {"--seed", INTEGER, &s.seed, 0, 9e15, false},
                    {"--checkpoint", FLAG, &s.recompute, 0, 0, false},
                    {"--save-every", INTEGER, &s.save_every, 1, 1e9, false},
                    {"--resume", WORD, &s.resume, 0, 0, false}};
    options_read(argc, argv, help, all, sizeof all / sizeof *all);
    if (!s.checkpoint || !s.data || !s.save)
        usage("finetune", "wants a checkpoint, --data and --save");
    if (s.adapter && (s.rank || s.target || s.alpha > 0 || s.dropout > 0))
        usage("--adapter", "has its own rank, targets, alpha and dropout");
    if (!s.rank && !s.adapter && (s.target || s.alpha > 0 || s.dropout > 0))
        usage(s.target ? "--target" : s.alpha > 0 ? "--alpha" : "--lora-dropout", "needs --lora");
    s.is_lora = s.rank || s.adapter;
    s.lr = s.lr > 0 ? s.lr : s.is_lora ? 2e-4 : 1e-5;
    s.alpha = s.alpha > 0 ? s.alpha : 2 * (double)s.rank;
    return s;
}

/* ---- adapters ---- */

/* Not an embedding: adapters cannot be applied to lookups. */
static bool is_layer(const checkpoint *c, tg_tensor w) {
    const char *name = tg_name(w);
    bool is_position = !tg_is_null(c->g.position.weight) && !strcmp(name, tg_name(c->g.position.weight));
    return tg_ndim(w) == 2 && !is_position && strcmp(name, tg_name(c->g.token.weight)) != 0;
}

static bool fits_some(const checkpoint *c, const char *pattern) {
    tg_list all = tg_parameters(c->t);
    for (int64_t i = 0; i < all.n; i++) {
        char layer[256];
        const char *name = tg_name(all.tensor[i]);
        snprintf(layer, sizeof layer, "%.*s", (int)(strlen(name) - strlen(".weight")), name);
        if (tg_ndim(all.tensor[i]) == 2 && (!fnmatch(pattern, name, 0) || !fnmatch(pattern, layer, 0)))
            return true;
    }
    return false;
}

/* ", model.layers.*.mlp.up_proj": the first block's layers, and those outside of blocks. */
static void list_layers(const checkpoint *c, char *out, size_t size) {
    tg_list all = tg_parameters(c->t);
    for (int64_t i = 0; i < all.n; i++) {
        const char *name = tg_name(all.tensor[i]), *block = strstr(name, ".0.");
        int before = block ? (int)(block - name) : 0, length = (int)(strlen(name) - strlen(".weight"));
        size_t n = strlen(out);
        if (is_layer(c, all.tensor[i]) && (block || !strpbrk(name, "0123456789")))
            snprintf(out + n, size - n, "%s%.*s%s%.*s", n ? ", " : "", before, name, block ? ".*" : "",
                     length - (block ? before + 2 : 0), name + (block ? before + 2 : 0));
    }
}

static void check_pattern(const checkpoint *c, const char *pattern) {
    char wider[260], layers[1000] = "";
    snprintf(wider, sizeof wider, "*.%.250s", pattern);
    if (fits_some(c, pattern))
        return;
    if (fits_some(c, wider))
        die("--target: '%s' fits no layer, '%s' does", pattern, wider);
    list_layers(c, layers, sizeof layers);
    die("--target: '%.250s' fits no layer; there are: %s", pattern, layers);
}

static void check_patterns(const checkpoint *c, const char *patterns) {
    for (const char *s = patterns; s; s = strchr(s, ',') ? strchr(s, ',') + 1 : NULL) {
        char one[256];
        snprintf(one, sizeof one, "%.*s", (int)strcspn(s, ","), s);
        check_pattern(c, one);
    }
}

static void check_embedding(const char *patterns, tg_tensor weight) {
    if (!tg_is_null(weight) && !tg_is_null(tg_adapter_of(weight).a))
        die("--target: '%s' fits %s too, an embedding, which can have no adapter", patterns, tg_name(weight));
}

static adapters make_adapters(checkpoint *c, const settings *s) {
    if (s->adapter)
        return adapters_load(c, s->adapter);
    const char *usual = c->g.config.family == LLAMA ? "*.q_proj,*.v_proj" : "*.c_attn";
    tg_nn_lora_config config = {s->rank, s->alpha, s->dropout};
    check_patterns(c, s->target ? s->target : usual);
    must(c->t, tg_nn_lora_add(c->t, s->target ? s->target : usual, config));
    check_embedding(s->target, c->g.token.weight);
    check_embedding(s->target, c->g.position.weight);
    return (adapters){s->rank, s->alpha, s->dropout};
}

/* ---- trained parameters ---- */

static bool is_trained(tg_tensor p, void *context) {
    int *vectors = context;
    return tg_requires_grad(p) && (tg_ndim(p) < 2) == *vectors;
}

static tg_list trained(tg_tape *t, int vectors) {
    tg_selection which = TG_SELECT_ALL;
    which.accept = is_trained;
    which.context = &vectors;
    return tg_parameters_where(t, which);
}

/* Weight decay for matrices, not for norms and biases. */
static tg_optim *optimizer_of(tg_tape *t, double decay) {
    tg_adam_config config = TG_ADAMW_DEFAULTS;
    tg_list matrices = trained(t, 0), vectors = trained(t, 1);
    config.weight_decay = decay;
    tg_optim *o = tg_adamw_new(t, matrices, config);
    config.weight_decay = 0;
    if (vectors.n)
        must(t, tg_adam_add_group(o, vectors, config));
    must(t, TG_OK);
    return o;
}

/* ---- a step ---- */

/* A run's position. */
typedef struct position {
    int64_t step, shown; /* steps, and lines, so far */
} position;

typedef struct tuning {
    settings s;
    checkpoint c;
    example_list data;
    tg_optim *adamw;
    int64_t *order; /* of the lines in this epoch */
    position at;
    int64_t base;           /* a digest of the checkpoint's weights */
    place run;              /* the file that it is saved to */
    const char *not_finite; /* weights with NaN or Inf when loaded, or NULL */
} tuning;

/* A new random order of the lines for each epoch. */
static void shuffle(tuning *r) {
    int64_t n = r->data.n;
    tg_rng_state before = tg_get_rng_state(r->c.t);
    tg_manual_seed(r->c.t, (uint64_t)(r->s.seed + r->at.shown / n));
    must(r->c.t, tg_read_ints(tg_randperm(r->c.t, n), r->order, n));
    must(r->c.t, tg_set_rng_state(r->c.t, &before));
}

static const example *next_example(tuning *r) {
    int64_t at = r->at.shown % r->data.n;
    if (at == 0)
        shuffle(r);
    r->at.shown++;
    return &r->data.example[r->order[at]];
}

/* The sum of -ln P over the answers' tokens of n examples. No token attends to the padding after a shorter example. */
static tg_tensor loss_of(const tuning *r, const example *const *e, int64_t n) {
    int64_t T = 0;
    for (int64_t i = 0; i < n; i++)
        T = e[i]->n - 1 > T ? e[i]->n - 1 : T;
    int64_t *ids = must_allocate((size_t)(2 * n * T), sizeof *ids), *next = ids + n * T;
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < T; j++) {
            bool is_answer = j + 1 >= e[i]->prompt && j + 1 < e[i]->n;
            ids[i * T + j] = j + 1 < e[i]->n ? e[i]->id[j] : 0;
            next[i * T + j] = is_answer ? e[i]->id[j + 1] : TG_IGNORE_INDEX;
        }
    tg_tape *t = r->c.t;
    tg_tensor logits = gpt_forward(&r->c.g, tg_from_ints(t, TG_SHAPE(n, T), ids));
    tg_tensor loss = tg_cross_entropy(logits, tg_from_ints(t, TG_SHAPE(n, T), next), TG_IGNORE_INDEX, TG_SUM);
    free(ids);
    return loss;
}

/* Accumulates the gradient of the mean loss over all answers of the step, batch by batch; returns that mean. */
static double accumulate(tuning *r) {
    int64_t B = r->s.batch, n = B * r->s.accumulate, answers = 0;
    const example **e = must_allocate((size_t)n, sizeof *e);
    double sum = 0;
    for (int64_t i = 0; i < n; i++) {
        e[i] = next_example(r);
        answers += e[i]->n - e[i]->prompt;
    }
    tg_mark built = tg_tape_mark(r->c.t);
    for (int64_t i = 0; i < n; i += B) {
        tg_tensor loss = tg_mul_scalar(loss_of(r, e + i, B), 1 / (double)answers);
        must(r->c.t, tg_backward(loss));
        sum += tg_item(loss);
        must(r->c.t, tg_tape_rewind(r->c.t, built));
    }
    free(e);
    return sum;
}

static _Noreturn void diverged(const tuning *r) {
    if (r->not_finite)
        die("the loss is not finite, as %s in %s is not; nothing was saved", r->not_finite, r->s.checkpoint);
    die("the loss is %s; nothing was saved", r->at.step
                                                 ? "no longer a finite number; a smaller --lr may help"
                                                 : "not finite before the first step: the weights are too large");
}

static double make_step(tuning *r) {
    tg_mark built = tg_tape_mark(r->c.t);
    tg_optim_zero_grad(r->adamw);
    double loss = accumulate(r), rate = r->s.lr;
    if (!isfinite(loss))
        diverged(r);
    if (r->at.step < r->s.warmup)
        rate *= (double)(r->at.step + 1) / (double)(r->s.warmup + 1);
    tg_optim_set_lr(r->adamw, rate);
    must(r->c.t, tg_clip_grad_norm(tg_parameters(r->c.t), 1, 2, NULL));
    must(r->c.t, tg_optim_step(r->adamw));
    must(r->c.t, tg_tape_rewind(r->c.t, built));
    r->at.step++;
    return loss;
}

/* ---- a run in a file ---- */

enum { OPTIONS = 9, NUMBERS = OPTIONS + 5 };

/* A run's state besides weights, moments and the generator: first its options, under their names. */
typedef struct numbers {
    settings s;
    position at;
    int64_t data, base; /* digests: of the lines, of the weights that it began with */
    tg_run_number number[NUMBERS];
} numbers;

static void name_numbers(numbers *n) {
    settings *s = &n->s;
    const tg_run_number all[NUMBERS] = {{"lora", &s->rank, NULL},
                                        {"batch", &s->batch, NULL},
                                        {"accumulate", &s->accumulate, NULL},
                                        {"warmup", &s->warmup, NULL},
                                        {"seed", &s->seed, NULL},
                                        {"alpha", NULL, &s->alpha},
                                        {"lora-dropout", NULL, &s->dropout},
                                        {"lr", NULL, &s->lr},
                                        {"weight-decay", NULL, &s->decay},
                                        {"steps", &s->steps, NULL},
                                        {"step", &n->at.step, NULL},
                                        {"lines", &n->at.shown, NULL},
                                        {"lines.digest", &n->data, NULL},
                                        {"base.digest", &n->base, NULL}};
    memcpy(n->number, all, sizeof all);
}

static numbers numbers_of(const tuning *r) {
    return (numbers){.s = r->s, .at = r->at, .data = examples_digest(&r->data), .base = r->base};
}

static tg_run run_of(const tuning *r, numbers *n) {
    name_numbers(n);
    return (tg_run){.optim = {r->adamw}, .number = n->number, .n_numbers = NUMBERS};
}

static tg_status save_run(const tuning *r) {
    numbers n = numbers_of(r);
    return tg_save_run(r->c.t, r->run.s, run_of(r, &n));
}

/* Failure does not stop training: a disk that is full now may not be at the end. */
static void save_on_the_way(const tuning *r) {
    if (save_run(r))
        say(stderr, "gpt: %s", tg_error(r->c.t));
    tg_clear_error(r->c.t);
}

static void want_same_options(const tuning *r, const tg_run_number *own, const tg_run_number *file) {
    for (int i = 0; i < OPTIONS; i++) {
        double x = own[i].integer ? (double)*own[i].integer : *own[i].real;
        double y = own[i].integer ? (double)*file[i].integer : *file[i].real;
        if (x < y || x > y)
            die("--%s %g is not the %g of the run in %s", own[i].name, x, y, r->s.resume);
    }
}

static void want_same_lines(const tuning *r, const numbers *own, const numbers *file) {
    const position *at = &file->at;
    if (own->data != file->data)
        die("%s is a run on other lines than %s", r->s.resume, r->s.data);
    if (at->step < 0 || at->step > 1000000000 || at->shown != at->step * r->s.batch * r->s.accumulate)
        die("%s: its position in the data is invalid", r->s.resume);
}

/* Adapters that were trained on one model are of no use on another. */
static void want_same_weights(const tuning *r, const numbers *file) {
    if (r->base != file->base)
        die("%s is a run on other weights than those of %s", r->s.resume, r->s.checkpoint);
}

/* The number of layers with adapters, and the rank; 0: none. */
typedef struct adapted {
    int64_t layers, rank;
} adapted;

static void see_adapter(const tg_file_tensor *x, void *context) {
    static const char before[] = "base_model.model.", after[] = ".lora_A.weight";
    adapted *a = context;
    size_t n = strlen(x->name), tail = sizeof after - 1;
    if (n > tail && !strncmp(x->name, before, sizeof before - 1) && !strcmp(x->name + n - tail, after))
        *a = (adapted){a->layers + 1, x->shape.size[0]};
}

static adapted adapted_here(tg_tape *t) {
    tg_list all = tg_nn_lora_parameters(t);
    adapted a = {0};
    for (int64_t i = 0; i < all.n; i++)
        see_adapter(&(tg_file_tensor){.name = tg_name(all.tensor[i]), .shape = tg_shape_of(all.tensor[i])}, &a);
    return a;
}

static void want_same_adapters(const tuning *r) {
    adapted here = adapted_here(r->c.t), there = {0};
    must(r->c.t, tg_list_file(r->c.t, r->s.resume, see_adapter, &there));
    if (here.layers != there.layers || here.rank != there.rank)
        die("%s is a run with adapters of rank %lld at %lld layers, not of rank %lld at %lld: --lora, --target and "
            "--adapter have to be its own",
            r->s.resume, (long long)there.rank, (long long)there.layers, (long long)here.rank, (long long)here.layers);
}

static void resume(tuning *r) {
    const char *path = r->s.resume;
    if (saved_has(path, "tapegrad.run") && !saved_has(path, "tapegrad.number.base.digest"))
        die("%s: it is no run of gpt finetune", path);
    want_same_adapters(r);
    numbers own = numbers_of(r), file = own;
    name_numbers(&own);
    must(r->c.t, tg_load_run(r->c.t, path, run_of(r, &file)));
    want_same_options(r, own.number, file.number);
    want_same_lines(r, &own, &file);
    want_same_weights(r, &file);
    r->at = file.at;
    r->s.steps = r->s.steps < 0 ? file.s.steps : r->s.steps;
    if (r->s.steps < r->at.step)
        die("--steps %lld: the run in %s has made %lld", (long long)r->s.steps, path, (long long)r->at.step);
    if (r->at.shown % r->data.n)
        shuffle(r);
    say(stdout, "going on from %s, after %lld steps", path, (long long)r->at.step);
}

/* ---- the training ---- */

static double seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void train(tuning *r) {
    double start = seconds();
    int64_t first = r->at.step;
    watch_for_interrupts(true);
    while (r->at.step < r->s.steps && !interrupted) {
        double loss = make_step(r);
        printf("step %4lld  loss %.6f\n", (long long)r->at.step, loss);
        (void)output_problem(); /* main reports it once the file exists */
        if (r->s.save_every && r->at.step % r->s.save_every == 0)
            save_on_the_way(r);
    }
    watch_for_interrupts(false);
    if (r->at.step > first)
        printf("%lld steps, %.3f s each; tensors and gradients at their peak: %.1f MB\n",
               (long long)(r->at.step - first), (seconds() - start) / (double)(r->at.step - first),
               (double)tg_tape_memory(r->c.t).used_peak / 1e6);
}

/* ---- the command ---- */

/* Called before training, not after it. */
static void check_can_save(const tuning *r) {
    const settings *s = &r->s;
    if (s->is_lora)
        folder_prepare(s->save, adapter_files);
    else
        must_be_new(s->save);
    must(r->c.t, tg_check_save(r->c.t, s->is_lora ? in(s->save, adapter_files[0]).s : s->save));
    if (!s->resume && is_there(r->run.s))
        die("%s: File exists; the run in it goes on with --resume; nothing is replaced", r->run.s);
    must(r->c.t, tg_check_save(r->c.t, r->run.s));
}

/* The file to resume, or PATH.run. */
static place run_path(const settings *s) {
    place p;
    const char *path = s->resume ? s->resume : s->save, *after = s->resume ? "" : ".run";
    size_t n = strlen(path);
    while (n > 1 && path[n - 1] == '/')
        n--;
    if ((size_t)snprintf(p.s, sizeof p.s, "%.*s%s", (int)n, path, after) >= sizeof p.s)
        die("%.60s...: the path is too long", path);
    return p;
}

static void say_what(const tuning *r) {
    int64_t n = 0, all = 0;
    tg_list p = tg_parameters(r->c.t);
    for (int64_t i = 0; i < p.n; i++) {
        all += tg_numel(p.tensor[i]);
        n += tg_requires_grad(p.tensor[i]) ? tg_numel(p.tensor[i]) : 0;
    }
    say(stdout, "%s: %lld lines, %lld tokens of answers; %lld of %lld weights are trained", r->s.data,
        (long long)r->data.n, (long long)r->data.answers, (long long)n, (long long)all);
}

static void save(const tuning *r, adapters own) {
    if (r->s.is_lora)
        adapters_save(&r->c, r->s.save, own);
    else
        must(r->c.t, tg_save(r->c.t, r->s.save));
    output_after(r->s.save);
    say(stdout, "saved %s", r->s.save);
}

static void save_unfinished(const tuning *r) {
    must(r->c.t, save_run(r));
    output_after(r->run.s);
    say(stdout, "stopped after step %lld of %lld; the same command goes on with --resume %s", (long long)r->at.step,
        (long long)r->s.steps, r->run.s);
}

static void begin(tuning *r) {
    int64_t in_step = r->s.batch * r->s.accumulate;
    tg_train(r->c.t);
    r->c.g.checkpoint = r->s.recompute;
    r->adamw = optimizer_of(r->c.t, r->s.decay);
    if (r->s.resume)
        resume(r);
    if (r->s.steps < 0)
        r->s.steps = (r->data.n + in_step - 1) / in_step;
}

int gpt_finetune(int argc, char **argv) {
    tuning r = {.s = settings_of(argc, argv)};
    adapters own = {0};
    output_may_end();
    r.run = run_path(&r.s);
    r.c = checkpoint_load(r.s.checkpoint);
    r.base = checkpoint_digest(&r.c);
    r.data = examples_read(&r.c, r.s.data);
    r.order = must_allocate((size_t)r.data.n, sizeof *r.order);
    tg_manual_seed(r.c.t, (uint64_t)r.s.seed);
    if (r.s.is_lora)
        own = make_adapters(&r.c, &r.s);
    r.not_finite = name_not_finite(&r.c);
    begin(&r);
    check_can_save(&r);
    say_what(&r);
    train(&r);
    if (r.at.step < r.s.steps)
        save_unfinished(&r);
    else
        save(&r, own);
    free(r.order);
    examples_free(&r.data);
    checkpoint_free(&r.c);
    return interrupted ? 128 + interrupted : DONE;
}
