/* gpt train: AdamW with warmup and a cosine, gradients clipped, as nanoGPT trains (Karpathy 2022). */
#include "examples/common/interrupt.h"
#include "examples/common/progress.h"
#include "examples/gpt/checkpoint.h"
#include "examples/gpt/gpt.h"
#include "examples/gpt/page.h"
#include "optim/optim.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const char help[] =
    "usage: gpt train --text FILE [options]\n"
    "\n"
    "Trains a GPT on a text, or on token ids; the last tenth is held out and measured.\n"
    "\n"
    "  --text FILE        what to learn, character by character\n"
    "  --bpe N            as byte pairs instead, learnt from the text, for a vocabulary of N tokens\n"
    "  --merges FILE      as byte pairs from a file like GPT-2's vocab.bpe\n"
    "  --tokens PATH      instead of a text, token ids in a file, or in all files of a folder, that may be larger than\n"
    "                     memory: nanoGPT's train.bin, llm.c's shards, .npy; windows come in a random order, each once\n"
    "  --val PATH         measure these ids, and learn all of the others\n"
    "  --id-bytes N       2 (the default) or 4 in files that do not say\n"
    "  --vocabulary N     with --tokens, unless --merges tells it: ids are below N\n"
    "  --preset NAME      the model and how it is trained:\n"
    "                       cpu     nanoGPT's CPU quick-start: 4 layers, 4 heads, 128 wide, 64 tokens (the default)\n"
    "                       llama   rms_norm, rotary positions, swiglu, at a higher rate\n"
    "                       long    as cpu, but 1024 tokens\n"
    "  --layers N --heads N --width N --context N      sizes other than the preset's\n"
    "  --batch N          windows in a step\n"
    "  --schedule N       steps that the learning rate takes up and down again; then it stays low\n"
    "  --steps N          steps to make now (as many as --schedule still has)\n"
    "  --lr X             the learning rate at its highest; it ends at a tenth of it\n"
    "  --warmup N         steps that it takes up (100)\n"
    "  --dropout X        (0)\n"
    "  --seed N           for the first weights and the order of the data (1337)\n"
    "  --eval-every N     measure the held-out loss after every N steps; in between on its start only (250)\n"
    "  --save FILE        where the run goes, as safetensors (the file given to --resume, else build/gpt.safetensors,\n"
    "                     without build/ when there is none)\n"
    "  --save-every N     save after every N steps, too\n"
    "  --resume FILE      go on with the run in this file, as if it had never stopped; what is not given is taken over\n"
    "  --init FILE        begin with the weights of this file, but as a new run\n"
    "  --profile          after training, show what each operation's time and speed were\n"
    "  --report FILE      write a page to look at: loss, attention of every head, gradients, graph, profile\n"
    "\n"
    "Ctrl-C, SIGTERM and SIGHUP end the training after the present step and save.\n";

/* ---- what is asked for ---- */

typedef struct settings {
    const char *text, *preset, *save, *resume, *init, *merges, *tokens, *val, *report;
    int64_t id_bytes, vocabulary;
    gpt_config model;
    int64_t bpe; /* the size of the vocabulary to learn; 0: characters */
    int64_t batch, schedule, steps, warmup, seed, eval_every, save_every;
    double lr;
    bool profile;
} settings;

typedef struct preset {
    const char *name;
    gpt_config model;
    int64_t batch, schedule, warmup;
    double lr;
} preset;

static const preset presets[] = {
    {"cpu", {.family = GPT_2, .context = 64, .layers = 4, .heads = 4, .width = 128}, 12, 2000, 100, 1e-3},
    {"llama", {.family = LLAMA, .context = 64, .layers = 4, .heads = 4, .width = 128}, 12, 2000, 100, 4e-3},
    {"long", {.family = GPT_2, .context = 1024, .layers = 4, .heads = 4, .width = 128}, 1, 2000, 100, 1e-3},
};

static void use_preset(settings *s, const char *name) {
    for (size_t i = 0; i < sizeof presets / sizeof *presets; i++)
        if (!strcmp(presets[i].name, name)) {
            const preset *p = &presets[i];
            s->model = p->model;
            s->batch = p->batch;
            s->schedule = p->schedule;
            s->warmup = p->warmup;
            s->lr = p->lr;
            return;
        }
    usage("--preset", "wants cpu, llama or long");
}

enum { N_OPTIONS = 32 };

/* The command line into s, where it says something. */
static int read_settings(int argc, char **argv, settings *s, gpt_option *all) {
    const gpt_option table[] = {
        {"--text", WORD, &s->text, 0, 0, false},
        {"--tokens", WORD, &s->tokens, 0, 0, false},
        {"--val", WORD, &s->val, 0, 0, false},
        {"--id-bytes", INTEGER, &s->id_bytes, 2, 4, false},
        {"--vocabulary", INTEGER, &s->vocabulary, 1, 1 << 24, false},
        {"--bpe", INTEGER, &s->bpe, SMALLEST_BPE, SMALLEST_BPE + BPE_MAX_MERGES, false},
        {"--merges", WORD, &s->merges, 0, 0, false},
        {"--preset", WORD, &s->preset, 0, 0, false},
        {"--layers", INTEGER, &s->model.layers, 1, GPT_MAX_LAYERS, false},
        {"--heads", INTEGER, &s->model.heads, 1, 4096, false},
        {"--width", INTEGER, &s->model.width, 1, 65536, false},
        {"--context", INTEGER, &s->model.context, 2, 1 << 20, false},
        {"--dropout", NUMBER, &s->model.dropout, 0, 0.99, false},
        {"--batch", INTEGER, &s->batch, 1, 65536, false},
        {"--schedule", INTEGER, &s->schedule, 1, 1e9, false},
        {"--steps", INTEGER, &s->steps, 0, 1e9, false},
        {"--lr", NUMBER, &s->lr, 1e-8, 10, false},
        {"--warmup", INTEGER, &s->warmup, 0, 1e9, false},
        {"--seed", INTEGER, &s->seed, 0, 9e15, false},
        {"--eval-every", INTEGER, &s->eval_every, 1, 1e9, false},
        {"--save", WORD, &s->save, 0, 0, false},
        {"--save-every", INTEGER, &s->save_every, 1, 1e9, false},
        {"--resume", WORD, &s->resume, 0, 0, false},
        {"--init", WORD, &s->init, 0, 0, false},
        {"--profile", FLAG, &s->profile, 0, 0, false},
        {"--report", WORD, &s->report, 0, 0, false},
    };
    const int n = (int)(sizeof table / sizeof *table);
    memcpy(all, table, sizeof table);
    gpt_options_read(argc, argv, help, all, n);
    return n;
}

/* llama's hidden width has two thirds of what gpt's has, so that three matrices are as large as two. */
static void derive_hidden(gpt_config *m) {
    m->hidden = m->family == LLAMA ? (8 * m->width / 3 + 31) / 32 * 32 : 4 * m->width;
}

/* One source of tokens, and what it needs. */
static void check_sources(const settings *s) {
    if (!s->text == !s->tokens)
        usage("train", "wants one of --text and --tokens");
    if (s->text && (s->val || s->vocabulary))
        usage(s->val ? "--val" : "--vocabulary", "needs --tokens");
    if (s->tokens && s->bpe)
        usage("--bpe", "needs --text");
    if (s->tokens && !s->vocabulary && !s->merges && !s->resume && !s->init)
        usage("--tokens", "needs --vocabulary or --merges");
}

static settings settings_of(int argc, char **argv) {
    settings s = {.preset = "cpu", .steps = -1, .seed = 1337, .eval_every = 250, .id_bytes = 2};
    gpt_option all[N_OPTIONS];
    int n = read_settings(argc, argv, &s, all);
    struct stat build;
    check_sources(&s);
    if (s.resume && (gpt_option_given(all, n, "--preset") || s.init))
        usage("--resume", "takes its model from the file: no --preset, no --init");
    if ((s.resume || s.init) && (s.bpe || s.merges))
        usage(s.bpe ? "--bpe" : "--merges", "is for a new model; the file's has its own tokens");
    if (s.bpe && s.merges)
        usage("--bpe", "and --merges exclude one another");
    if (!s.save)
        s.save = s.resume                                               ? s.resume
                 : stat("build", &build) == 0 && S_ISDIR(build.st_mode) ? "build/gpt.safetensors"
                                                                        : "gpt.safetensors";
    if (s.resume || s.init)
        s.model = checkpoint_config(s.resume ? s.resume : s.init);
    gpt_config of_file = s.model;
    if (!s.resume)
        use_preset(&s, s.preset);
    if (s.init)
        s.model = of_file;
    else if (!s.resume)
        derive_hidden(&s.model);
    int64_t width = s.model.width;
    (void)read_settings(argc, argv, &s, all); /* over the preset's */
    if (s.model.width != width)
        derive_hidden(&s.model);
    return s;
}

/* ---- a run ---- */

enum { RUN_NUMBERS = 9 };

typedef struct job {
    settings s;
    checkpoint c;
    tokens train, held_out;
    double bytes_per_token; /* of the held-out text */
    tg_optim *adamw;
    int64_t step, position; /* position: windows of --tokens that were learnt */
    int64_t *window;        /* room for a batch */
    tg_run_number number[RUN_NUMBERS];
    page *page;      /* NULL without --report */
    double gradient; /* the norm of the last step's */
} job;

static tg_run run_of(const job *j) {
    return (tg_run){.optim = {j->adamw}, .number = j->number, .n_numbers = RUN_NUMBERS};
}

/* Matrices decay, norms do not. */
static tg_optim *optimizer_of(tg_tape *t) {
    tg_list all = tg_parameters(t);
    tg_tensor *of[2] = {must_allocate((size_t)all.n, sizeof **of), must_allocate((size_t)all.n, sizeof **of)};
    int64_t n[2] = {0, 0};
    for (int64_t i = 0; i < all.n; i++) {
        int vector = tg_ndim(all.tensor[i]) < 2;
        of[vector][n[vector]++] = all.tensor[i];
    }
    tg_adam_config config = TG_ADAMW_DEFAULTS;
    config.beta2 = 0.99;
    config.weight_decay = 0.1;
    tg_optim *adamw = tg_adamw_new(t, (tg_list){t, n[0], of[0]}, config);
    config.weight_decay = 0;
    must(t, tg_adam_add_group(adamw, (tg_list){t, n[1], of[1]}, config));
    free(of[0]);
    free(of[1]);
    return adamw;
}

/* Both parts of the text as tokens. */
static void read_text(job *j, const text *x) {
    size_t end = text_last_tenth(x);
    j->train.id = tokenizer_encode(&j->c.tokenizer, x->name, x->bytes, end, &j->train.n);
    j->held_out.id = tokenizer_encode(&j->c.tokenizer, x->name, x->bytes + end, x->n - end, &j->held_out.n);
    j->bytes_per_token = (double)(x->n - end) / (double)j->held_out.n;
}

static void open_tokens(job *j) {
    int width = (int)j->s.id_bytes;
    j->train = tokens_open(j->s.tokens, width, j->s.model.vocabulary);
    if (j->s.val) {
        j->held_out = tokens_open(j->s.val, width, j->s.model.vocabulary);
    } else {
        j->held_out = tokens_from(&j->train, j->train.n - (j->train.n + 9) / 10);
        j->train.n -= j->held_out.n;
    }
}

static void check_lengths(const job *j) {
    int64_t T = j->s.model.context;
    if (j->train.n < T + 1 || j->held_out.n < T + 1)
        die("%s: %lld and %lld held-out tokens are too few for windows of %lld; take more or a smaller --context",
            j->s.text ? j->s.text : j->s.tokens, (long long)j->train.n, (long long)j->held_out.n, (long long)T);
}

static tokenizer tokenizer_for(const settings *s, const text *x) {
    if (s->resume || s->init)
        return checkpoint_tokenizer(s->resume ? s->resume : s->init);
    if (s->merges)
        return tokenizer_of_merges(s->merges);
    if (s->bpe)
        return tokenizer_of_pairs(x, text_last_tenth(x), s->bpe);
    return s->text ? tokenizer_of_characters(x) : (tokenizer){0};
}

static void check_numbers(const job *j) {
    const settings *s = &j->s;
    if (j->step < 0 || j->position < 0 || s->schedule < 1 || s->batch < 1 || s->batch > 65536 || s->warmup < 0 ||
        s->seed < 0 || !(s->lr > 0 && s->lr <= 10) || !(s->model.dropout >= 0 && s->model.dropout < 1))
        die("%s: a schedule, batch, rate or seed that is out of range", s->resume);
}

static void resume(job *j, int argc, char **argv) {
    gpt_option all[N_OPTIONS];
    checkpoint_must_fit(&j->c, j->s.resume);
    must(j->c.t, tg_load_run(j->c.t, j->s.resume, run_of(j)));
    (void)read_settings(argc, argv, &j->s, all);
    check_numbers(j);
    checkpoint_note_config(&j->c);
    printf("going on from %s, after %lld steps\n", j->s.resume, (long long)j->step);
}

static void init_weights(job *j) {
    checkpoint_must_fit(&j->c, j->s.init);
    printf("beginning with the weights of %s\n", j->s.init);
}

static job *job_new(int argc, char **argv) {
    job *j = must_allocate(1, sizeof *j);
    j->s = settings_of(argc, argv);
    if (j->s.report)
        page_check(j->s.report);
    text x = j->s.text ? text_read(j->s.text) : (text){0};
    tokenizer k = tokenizer_for(&j->s, &x);
    if (j->s.text && !k.vocabulary)
        die("the model has learnt ids, and no text: it goes on with --tokens");
    if (k.vocabulary)
        j->s.model.vocabulary = k.vocabulary;
    else if (j->s.vocabulary)
        j->s.model.vocabulary = j->s.vocabulary;
    const char *problem = config_problem(&j->s.model);
    if (problem)
        die("%s", problem);
    j->c = checkpoint_new(j->s.model, k, (uint64_t)j->s.seed);
    if (j->s.text)
        read_text(j, &x);
    else
        open_tokens(j);
    check_lengths(j);
    text_free(&x);
    j->adamw = optimizer_of(j->c.t);
    const tg_run_number number[RUN_NUMBERS] = {{"step", &j->step, NULL},
                                               {"schedule", &j->s.schedule, NULL},
                                               {"batch", &j->s.batch, NULL},
                                               {"warmup", &j->s.warmup, NULL},
                                               {"seed", &j->s.seed, NULL},
                                               {"lr", NULL, &j->s.lr},
                                               {"dropout", NULL, &j->s.model.dropout},
                                               {"eval_every", &j->s.eval_every, NULL},
                                               {"position", &j->position, NULL}};
    memcpy(j->number, number, sizeof number);
    if (j->s.resume)
        resume(j, argc, argv);
    if (j->s.init)
        init_weights(j);
    j->c.g.config.dropout = j->s.model.dropout;
    j->window = must_allocate((size_t)(j->s.batch * 2 * j->s.model.context), sizeof *j->window);
    if (j->s.steps < 0)
        j->s.steps = j->s.schedule > j->step ? j->s.schedule - j->step : 0;
    return j;
}

static void job_free(job *j) {
    page_free(j->page);
    checkpoint_free(&j->c);
    tokens_free(&j->train);
    tokens_free(&j->held_out);
    free(j->window);
    free(j);
}

/* ---- a step ---- */

/* Where B windows begin: anywhere in a text, as in nanoGPT; of shards each once, in random order. */
static void choose_windows(job *j, int64_t *start) {
    int64_t B = j->s.batch, T = j->s.model.context;
    tg_tape *t = j->c.t;
    if (j->s.text)
        must(t, tg_read_ints(tg_randint(t, 0, j->train.n - T, TG_SHAPE(B)), start, B));
    for (int64_t i = 0; i < B && j->s.tokens; i++)
        start[i] = tokens_shuffled(&j->train, T, (uint64_t)j->s.seed, j->position++);
}

/* B windows, and the token after each token. */
static tg_tensor batch_loss(job *j) {
    tg_tape *t = j->c.t;
    int64_t B = j->s.batch, T = j->s.model.context, *ids = j->window, *next = ids + B * T;
    int64_t *start = must_allocate((size_t)B, sizeof *start), *window = must_allocate((size_t)T + 1, sizeof *window);
    choose_windows(j, start);
    for (int64_t i = 0; i < B; i++) {
        tokens_read(&j->train, start[i], T + 1, window);
        memcpy(ids + i * T, window, (size_t)T * sizeof *ids);
        memcpy(next + i * T, window + 1, (size_t)T * sizeof *ids);
    }
    free(start);
    free(window);
    tg_tensor logits = gpt_forward(&j->c.g, tg_from_ints(t, TG_SHAPE(B, T), ids));
    return tg_cross_entropy(logits, tg_from_ints(t, TG_SHAPE(B, T), next), TG_IGNORE_INDEX, TG_MEAN);
}

/* Up in the warmup, then down along a cosine to a tenth. */
static double learning_rate(const settings *s, int64_t step) {
    if (step < s->warmup)
        return s->lr * (double)(step + 1) / (double)(s->warmup + 1);
    if (step >= s->schedule)
        return s->lr / 10;
    double done = (double)(step - s->warmup) / (double)(s->schedule - s->warmup);
    return s->lr * (0.1 + 0.9 * (1 + cos(acos(-1) * done)) / 2);
}

static int64_t weights_of(const job *j) {
    int64_t n = 0;
    tg_list all = tg_parameters(j->c.t);
    for (int64_t i = 0; i < all.n; i++)
        n += tg_numel(all.tensor[i]);
    return n;
}

static void write_page(const job *j) {
    const gpt_config *m = &j->s.model;
    char summary[300];
    snprintf(
        summary, sizeof summary,
        "%s: %lld layers, %lld heads, %lld wide, context %lld; %lld weights; windows in a step: %lld, steps: %lld, seed: %lld.",
        m->family == LLAMA ? "llama" : "gpt-2", (long long)m->layers, (long long)m->heads, (long long)m->width,
        (long long)m->context, (long long)weights_of(j), (long long)j->step, (long long)j->s.batch,
        (long long)j->s.seed);
    page_write(j->page, summary);
}

static _Noreturn void diverged(const job *j) {
    write_page(j);
    die("the loss is no longer a finite number; a smaller --lr may help; it was not saved like this");
}

/* The loss before the step. */
static double train_step(job *j) {
    tg_tape *t = j->c.t;
    tg_tensor loss = batch_loss(j);
    tg_optim_set_lr(j->adamw, learning_rate(&j->s, j->step));
    tg_optim_zero_grad(j->adamw);
    must(t, tg_backward(loss));
    if (!isfinite(tg_item(loss)))
        diverged(j);
    page_before_update(j->page, j->step + 1, loss);
    must(t, tg_clip_grad_norm(tg_parameters(t), 1, 2, &j->gradient));
    must(t, tg_optim_step(j->adamw));
    j->step++;
    return tg_item(loss);
}

/* ---- the training ---- */

static void measure(const job *j, int64_t windows, const char *what) {
    double loss = tokens_loss(&j->c.g, &j->held_out, j->s.model.context, windows, NULL);
    must(j->c.t, TG_OK);
    printf("%s: held-out loss %.4f nats a token", what, loss);
    if (j->s.text)
        printf(", %.3f bits a byte", loss / log(2) / j->bytes_per_token);
    putchar('\n');
    fflush(stdout);
}

/* A text is measured whole; of shards there may be more than anybody waits for. */
static void measure_at_the_end(const job *j) {
    const int64_t most = 4096, T = j->s.model.context, all = (j->held_out.n - 1) / T;
    char what[64];
    if (j->s.text)
        snprintf(what, sizeof what, "the whole last tenth");
    else
        snprintf(what, sizeof what, "%lld held-out tokens", (long long)((all < most ? all : most) * T));
    measure(j, j->s.text ? -1 : most, what);
}

static void save(job *j) {
    must(j->c.t, tg_save_run(j->c.t, j->s.save, run_of(j)));
    printf("saved %s after %lld steps\n", j->s.save, (long long)j->step);
}

/* On the way. A disk that is full now may not be at the end, so a failure is no reason to stop. */
static void save_on_the_way(job *j) {
    if (tg_save_run(j->c.t, j->s.save, run_of(j)))
        fprintf(stderr, "gpt: %s\n", tg_error(j->c.t));
    tg_clear_error(j->c.t);
}

static void train(job *j) {
    enum { QUICK = 64 }; /* windows, on the way */
    const settings *s = &j->s;
    int64_t until = j->step + s->steps;
    tg_mark built = tg_tape_mark(j->c.t);
    progress p = progress_begin(stdout, "train", s->steps);
    while (j->step < until && !interrupted) {
        double loss = train_step(j);
        must(j->c.t, tg_tape_rewind(j->c.t, built));
        page_after_update(j->page, j->step, loss, tg_optim_lr(j->adamw), j->gradient);
        (void)progress_step(&p, loss, s->batch * s->model.context);
        bool more = j->step < until;
        if (more && j->step % s->eval_every == 0) {
            char what[64];
            snprintf(what, sizeof what, "after %lld steps, %d windows", (long long)j->step, QUICK);
            progress_break(&p);
            measure(j, QUICK, what);
        }
        if (more && s->save_every && j->step % s->save_every == 0)
            save_on_the_way(j);
    }
    progress_end(&p);
}

/* Found out before an hour of training, not after it. An empty file is nobody's. */
static void check_can_save(const char *path) {
    struct stat s;
    tg_tape *t = tg_tape_new(TG_F32);
    must(t, tg_check_save(t, path));
    tg_tape_free(t);
    if (stat(path, &s) == 0 && s.st_size > 0 && !checkpoint_is_ours(path))
        die("cannot save to %s: it holds something that this program did not save; remove it, or choose another name",
            path);
}

static void say_what(const job *j) {
    const gpt_config *m = &j->s.model;
    printf("%s: %lld tokens to learn, %lld held out, of a vocabulary of %lld\n", j->s.text ? j->s.text : j->s.tokens,
           (long long)j->train.n, (long long)j->held_out.n, (long long)m->vocabulary);
    printf("%s: %lld layers, %lld heads, %lld wide, context %lld; %lld weights\n",
           m->family == LLAMA ? "llama" : "gpt-2", (long long)m->layers, (long long)m->heads, (long long)m->width,
           (long long)m->context, (long long)weights_of(j));
    fflush(stdout);
}

int gpt_train(int argc, char **argv) {
    job *j = job_new(argc, argv);
    if (j->s.steps > 0)
        check_can_save(j->s.save);
    say_what(j);
    if (j->s.report)
        j->page = page_new(j->s.report, &j->c, &j->held_out, j->step, j->step + j->s.steps);
    watch_for_interrupts(true);
    tg_set_profile(j->c.t, j->s.profile || j->page);
    if (j->s.steps > 0) {
        train(j);
        if (interrupted)
            printf("interrupted after step %lld\n", (long long)j->step);
        save(j);
    }
    tg_set_profile(j->c.t, false);
    watch_for_interrupts(false);
    write_page(j);
    if (!interrupted)
        measure_at_the_end(j);
    if (j->s.profile)
        must(j->c.t, tg_profile_print(stdout, j->c.t));
    job_free(j);
    return interrupted ? 128 + interrupted : DONE;
}
