#include "examples/gpt/training.h"
#include "examples/common/interrupt.h"
#include "examples/common/output.h"
#include "examples/common/progress.h"
#include "examples/common/saved.h"
#include "examples/gpt/page.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* ---- setup ---- */

static tg_run run_of(const training *r) {
    return (tg_run){.optim = {r->adamw}, .number = r->number, .n_numbers = r->n_numbers};
}

/* Weight decay for matrices, not for norms. */
static tg_optim *optimizer_of(tg_tape *t) {
    tg_adam_config config = TG_ADAMW_DEFAULTS;
    tg_selection matrices = TG_SELECT_ALL, vectors = TG_SELECT_ALL;
    matrices.min_ndim = 2;
    vectors.max_ndim = 1;
    config.beta2 = 0.99;
    config.weight_decay = 0.1;
    tg_optim *adamw = tg_adamw_new(t, tg_parameters_where(t, matrices), config);
    config.weight_decay = 0;
    must(t, tg_adam_add_group(adamw, tg_parameters_where(t, vectors), config));
    return adamw;
}

/* Both parts of the text as tokens. */
static void read_text(training *r, const text *x) {
    size_t end = text_last_tenth(x);
    r->train.id = tokenizer_encode(&r->c.tokenizer, x->name, x->bytes, end, &r->train.n);
    r->held_out.id = tokenizer_encode(&r->c.tokenizer, x->name, x->bytes + end, x->n - end, &r->held_out.n);
    r->bytes_per_token = (double)(x->n - end) / (double)r->held_out.n;
}

/* Files of token ids; without --val the last tenth is held out. */
static void open_tokens(training *r) {
    int width = (int)r->s.id_bytes;
    r->train = tokens_open(r->s.tokens, width, r->s.model.vocabulary);
    if (r->s.val) {
        r->held_out = tokens_open(r->s.val, width, r->s.model.vocabulary);
    } else {
        r->held_out = tokens_from(&r->train, r->train.n - (r->train.n + 9) / 10);
        r->train.n -= r->held_out.n;
    }
}

static void check_lengths(const training *r) {
    int64_t T = r->s.model.context;
    if (r->train.n < T + 1 || r->held_out.n < T + 1)
        die("%s: %lld and %lld held-out tokens are too few for windows of %lld; take more or a smaller --context",
            r->s.text ? r->s.text : r->s.tokens, (long long)r->train.n, (long long)r->held_out.n, (long long)T);
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

static void check_numbers(const training *r) {
    const settings *s = &r->s;
    if (r->step < 0 || r->position < 0 || s->schedule < 1 || s->batch < 1 || s->batch > 65536 || s->warmup < 0 ||
        s->seed < 0 || !(s->lr > 0 && s->lr <= 10) || !(s->model.dropout >= 0 && s->model.dropout < 1))
        die("%s: a schedule, batch, rate or seed that is out of range", s->resume);
}

static int64_t digest_of(const training *r) {
    int64_t learnt = tokens_digest(&r->train);
    return r->s.text ? (int64_t)tokens_mix((uint64_t)learnt) ^ tokens_digest(&r->held_out) : learnt;
}

/* Files of version 0.1.0 lack the digest, the last number. */
static void load_run(training *r) {
    const char *path = r->s.resume, *now = r->s.text ? r->s.text : r->s.tokens;
    int64_t digest = r->digest;
    tg_run run = run_of(r);
    run.n_numbers -= !saved_has(path, "tapegrad.number.digest");
    must(r->c.t, tg_load_run(r->c.t, path, run));
    if (r->digest != digest)
        die("%s is a run on other data than %s; --init begins a new one with its weights", path, now);
}

static void resume(training *r, const command *line) {
    option all[SETTINGS_MOST];
    load_run(r);
    (void)settings_read(line, &r->s, all);
    check_numbers(r);
    checkpoint_note_config(&r->c);
    say(stdout, "going on from %s, after %lld steps", r->s.resume, (long long)r->step);
}

static void init_weights(training *r) {
    must(r->c.t, tg_load(r->c.t, r->s.init));
    checkpoint_note_config(&r->c);
    say(stdout, "beginning with the weights of %s", r->s.init);
}

/* The size of the model's vocabulary. */
static void set_vocabulary(settings *s, const tokenizer *k) {
    if (s->text && !k->vocabulary)
        die("the model was trained on ids, not on text: it goes on with --tokens");
    if (k->vocabulary && !s->model.vocabulary)
        s->model.vocabulary = k->vocabulary;
    else if (s->vocabulary)
        s->model.vocabulary = s->vocabulary;
}

/* The model with its initial weights, its tokenizer, and its data. */
static void make_model(training *r) {
    text x = r->s.text ? text_read(r->s.text) : (text){0};
    tokenizer k = tokenizer_for(&r->s, &x);
    set_vocabulary(&r->s, &k);
    const char *problem = config_problem(&r->s.model);
    if (problem)
        die("%s", problem);
    r->c = checkpoint_new(r->s.model, k, (uint64_t)r->s.seed);
    if (r->s.text)
        read_text(r, &x);
    else
        open_tokens(r);
    text_free(&x);
    check_lengths(r);
}

/* The run's state in a file other than weights and moments; more: a number of the caller's, or NULL. The digest is
 * last. */
static void name_numbers(training *r, const tg_run_number *more) {
    const tg_run_number number[TRAINING_NUMBERS] = {{"step", &r->step, NULL},
                                                    {"schedule", &r->s.schedule, NULL},
                                                    {"batch", &r->s.batch, NULL},
                                                    {"warmup", &r->s.warmup, NULL},
                                                    {"seed", &r->s.seed, NULL},
                                                    {"lr", NULL, &r->s.lr},
                                                    {"dropout", NULL, &r->s.model.dropout},
                                                    {"eval_every", &r->s.eval_every, NULL},
                                                    {"position", &r->position, NULL}};
    memcpy(r->number, number, sizeof number);
    r->n_numbers = TRAINING_NUMBERS;
    if (more)
        r->number[r->n_numbers++] = *more;
    r->digest = digest_of(r);
    r->number[r->n_numbers++] = (tg_run_number){"digest", &r->digest, NULL};
}

training *training_new(const command *line) {
    training *r = must_allocate(1, sizeof *r);
    r->s = settings_of(line);
    if (r->s.report)
        page_check(r->s.report);
    make_model(r);
    r->adamw = optimizer_of(r->c.t);
    name_numbers(r, line->number);
    if (r->s.resume)
        resume(r, line);
    if (r->s.init)
        init_weights(r);
    r->c.g.config.dropout = r->s.model.dropout;
    r->window = must_allocate((size_t)(r->s.batch * 2 * r->s.model.context), sizeof *r->window);
    if (r->s.steps < 0)
        r->s.steps = r->s.schedule > r->step ? r->s.schedule - r->step : 0;
    return r;
}

void training_free(training *r) {
    page_free(r->page);
    checkpoint_free(&r->c);
    tokens_free(&r->train);
    tokens_free(&r->held_out);
    free(r->window);
    free(r);
}

/* ---- a step ---- */

/* The starts of B windows: anywhere in a text, as in nanoGPT; in shards each window once, in random order. */
static void choose_windows(training *r, int64_t B, int64_t *start) {
    int64_t T = r->s.model.context;
    tg_tape *t = r->c.t;
    if (r->s.text)
        must(t, tg_read_ints(tg_randint(t, 0, r->train.n - T, TG_SHAPE(B)), start, B));
    for (int64_t i = 0; i < B && r->s.tokens; i++)
        start[i] = tokens_shuffled(&r->train, T, (uint64_t)r->s.seed, r->position++);
}

/* Reads B windows of T tokens into ids, and the token after each into next. */
static void read_windows(training *r, int64_t B, int64_t *ids, int64_t *next) {
    int64_t T = r->s.model.context;
    int64_t *start = must_allocate((size_t)B, sizeof *start), *window = must_allocate((size_t)T + 1, sizeof *window);
    choose_windows(r, B, start);
    for (int64_t i = 0; i < B; i++) {
        tokens_read(&r->train, start[i], T + 1, window);
        memcpy(ids + i * T, window, (size_t)T * sizeof *ids);
        memcpy(next + i * T, window + 1, (size_t)T * sizeof *ids);
    }
    free(start);
    free(window);
}

/* Each token is predicted from those before it. */
tg_tensor training_loss(training *r, int64_t B) {
    tg_tape *t = r->c.t;
    int64_t T = r->s.model.context, *ids = r->window, *next = ids + B * T;
    read_windows(r, B, ids, next);
    tg_tensor logits = gpt_forward(&r->c.g, tg_from_ints(t, TG_SHAPE(B, T), ids));
    return tg_cross_entropy(logits, tg_from_ints(t, TG_SHAPE(B, T), next), TG_IGNORE_INDEX, TG_MEAN);
}

/* Linear warmup, then cosine decay to a tenth. */
static double learning_rate(const settings *s, int64_t step) {
    if (step < s->warmup)
        return s->lr * (double)(step + 1) / (double)(s->warmup + 1);
    if (step >= s->schedule)
        return s->lr / 10;
    double done = (double)(step - s->warmup) / (double)(s->schedule - s->warmup);
    return s->lr * (0.1 + 0.9 * (1 + cos(acos(-1) * done)) / 2);
}

static int64_t weights_of(const training *r) {
    int64_t n = 0;
    tg_list all = tg_parameters(r->c.t);
    for (int64_t i = 0; i < all.n; i++)
        n += tg_numel(all.tensor[i]);
    return n;
}

/* "gpt-2: 4 layers, ...; 804096 weights" */
static void describe(const training *r, char *out, size_t size) {
    const gpt_config *m = &r->s.model;
    snprintf(out, size, "%s: %lld layers, %lld heads, %lld wide, context %lld; %lld weights",
             m->family == LLAMA ? "llama" : "gpt-2", (long long)m->layers, (long long)m->heads, (long long)m->width,
             (long long)m->context, (long long)weights_of(r));
}

static bool write_page(const training *r) {
    char model[200], summary[300];
    describe(r, model, sizeof model);
    snprintf(summary, sizeof summary, "%s; windows in a step: %lld, steps: %lld, seed: %lld.", model,
             (long long)r->s.batch, (long long)r->step, (long long)r->s.seed);
    return page_write(r->page, summary);
}

static _Noreturn void diverged(const training *r) {
    (void)write_page(r);
    if (r->step == 0)
        die("the loss is not finite before the first step: the weights are not, or make numbers too large");
    die("the loss is no longer a finite number; a smaller --lr may help; it was not saved like this");
}

void training_update(training *r, double loss) {
    tg_tape *t = r->c.t;
    if (!isfinite(loss))
        diverged(r);
    tg_optim_set_lr(r->adamw, learning_rate(&r->s, r->step));
    must(t, tg_clip_grad_norm(tg_parameters(t), 1, 2, &r->gradient));
    must(t, tg_optim_step(r->adamw));
    r->step++;
}

/* ---- the training ---- */

static void measure(const training *r, int64_t windows, const char *what) {
    double loss = tokens_loss(&r->c.g, &r->held_out, r->s.model.context, windows, NULL);
    must(r->c.t, TG_OK);
    printf("%s: held-out loss %.4f nats a token", what, loss);
    if (r->s.text)
        printf(", %.3f bits a byte", loss / log(2) / r->bytes_per_token);
    putchar('\n');
    fflush(stdout);
}

/* A text is measured whole; shards may be too large for that. */
static void measure_at_the_end(const training *r) {
    const int64_t most = 4096, T = r->s.model.context, all = (r->held_out.n - 1) / T;
    char what[64];
    if (r->s.text)
        snprintf(what, sizeof what, "the whole last tenth");
    else
        snprintf(what, sizeof what, "%lld held-out tokens", (long long)((all < most ? all : most) * T));
    measure(r, r->s.text ? -1 : most, what);
}

static void save(training *r) {
    must(r->c.t, tg_save_run(r->c.t, r->s.save, run_of(r)));
    output_after(r->s.save);
    say(stdout, "saved %s after %lld steps", r->s.save, (long long)r->step);
}

/* Failure does not stop training: a disk that is full now may not be at the end. */
static void save_on_the_way(training *r) {
    if (tg_save_run(r->c.t, r->s.save, run_of(r)))
        say(stderr, "gpt: %s", tg_error(r->c.t));
    tg_clear_error(r->c.t);
}

/* Between two steps, when due: measures the loss on the start of the held-out data, and saves. */
static void look_on_the_way(training *r, progress *p) {
    enum { QUICK = 64 }; /* windows */
    const settings *s = &r->s;
    if (r->step % s->eval_every == 0) {
        char what[64];
        snprintf(what, sizeof what, "after %lld steps, %d windows", (long long)r->step, QUICK);
        progress_break(p);
        measure(r, QUICK, what);
    }
    if (s->save_every && r->step % s->save_every == 0)
        save_on_the_way(r);
}

static void train(training *r) {
    int64_t until = r->step + r->s.steps;
    tg_mark built = tg_tape_mark(r->c.t);
    progress p = progress_begin(stdout, "train", r->s.steps);
    while (r->step < until && !r->stopped) {
        double loss = r->make_step(r);
        must(r->c.t, tg_tape_rewind(r->c.t, built));
        page_after_update(r->page, r->step, loss, tg_optim_lr(r->adamw), r->gradient);
        (void)progress_step(&p, loss, r->s.batch * r->s.model.context);
        if (r->step < until && !r->follows)
            look_on_the_way(r, &p);
    }
    progress_end(&p);
}

/* Called before an hour of training, not after it. An empty file may be replaced. */
static void check_can_save(const char *path) {
    struct stat s;
    tg_tape *t = tg_tape_new(TG_F32);
    must(t, tg_check_save(t, path));
    tg_tape_free(t);
    if (stat(path, &s) == 0 && s.st_size > 0 && !checkpoint_is_ours(path))
        die("cannot save to %s: it holds something that this program did not save; remove it, or choose another name",
            path);
}

static void say_what(const training *r) {
    char model[200];
    describe(r, model, sizeof model);
    say(stdout, "%s: %lld tokens to learn, %lld held out, of a vocabulary of %lld", r->s.text ? r->s.text : r->s.tokens,
        (long long)r->train.n, (long long)r->held_out.n, (long long)r->s.model.vocabulary);
    puts(model);
    fflush(stdout);
}

static void train_and_save(training *r) {
    watch_for_interrupts(true);
    tg_set_profile(r->c.t, r->s.profile || r->page);
    if (r->s.steps > 0) {
        train(r);
        if (interrupted)
            printf("interrupted after step %lld\n", (long long)r->step);
        if (!r->follows)
            save(r);
    }
    tg_set_profile(r->c.t, false);
    watch_for_interrupts(false);
}

int training_run(training *r) {
    if (r->s.steps > 0 && !r->follows)
        check_can_save(r->s.save);
    say_what(r);
    if (r->s.report)
        r->page = page_new(r->s.report, &r->c, &r->held_out, r->step, r->step + r->s.steps);
    train_and_save(r);
    bool written = write_page(r);
    if (!interrupted && !r->follows)
        measure_at_the_end(r);
    if (r->s.profile)
        must(r->c.t, tg_profile_print(stdout, r->c.t));
    return interrupted ? 128 + interrupted : written ? DONE : FAILED;
}
