/* The main job: train one layer of single-head causal attention, end to end.
 *
 *   1. check the gradient of the very layer that is about to be trained, against differences of the loss
 *   2. show what it looks at while it trains: in a terminal as it changes, elsewhere before and after
 *   3. save the run, as safetensors: weights, AdamW's memory, the generator. --resume goes on as if it had not stopped
 *   4. compare with what does without attention
 *
 * Built in is a task that only attention can solve (examples/common/recall.h); --text trains on a text.
 */
#include "examples/common/board.h"
#include "examples/common/corpus.h"
#include "examples/common/interrupt.h"
#include "examples/common/language_model.h"
#include "examples/common/options.h"
#include "examples/common/progress.h"
#include "examples/common/recall.h"
#include "examples/common/view.h"
#include "optim/optim.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static _Noreturn void die(const char *why) {
    fflush(stdout);
    fprintf(stderr, "train: %s\n", why);
    exit(1);
}

/* For calls on a tape: the tape knows what went wrong. */
static void must(tg_tape *t, tg_status status) {
    if (status || tg_tape_status(t))
        die(tg_error(t));
}

static void *must_allocate(size_t n, size_t size) {
    void *block = calloc(n ? n : 1, size);
    if (!block)
        die("out of memory");
    return block;
}

/* ---- a job: a model, what it learns from, and what it has learnt so far ---- */

enum { N_NUMBERS = 5 };

typedef struct job {
    options *o;
    const corpus *text; /* NULL: the built-in task */
    tg_tape *t;
    language_model m;
    tg_optim *adamw;
    tg_tensor vocabulary; /* saved with the weights: the characters; TG_NULL for the built-in task */
    int64_t step;         /* training steps made */
    tg_run_number number[N_NUMBERS];
    tg_rng_state to_train; /* where the generator stands in the training data, while others use it */
    int64_t V, T;
    int64_t *ids, *next, *start; /* room for a batch */
    view *seen, *seen_first;     /* what the layer looks at, now and before training */
    board *board;                /* where that is shown while it changes; NULL: nowhere */
    char saved[300];             /* what there is to say of the file */
} job;

/* Random numbers of their own for each purpose, so that all models see the same data. */
typedef enum { TO_LOOK = 1, TO_TEST, TO_SAMPLE, TO_TRAIN } purpose;
static void seed_for(const job *j, purpose why) {
    tg_manual_seed(j->t, (uint64_t)j->o->seed + 1000003 * (uint64_t)why);
}

static job *job_new(options *o, const corpus *text, mixing how) {
    job *j = must_allocate(1, sizeof *j);
    *j = (job){.o = o, .text = text, .t = tg_tape_new(TG_F32)};
    j->V = text ? text->vocabulary : RECALL_WORDS;
    j->T = text ? o->context : RECALL_LENGTH - 1;
    tg_manual_seed(j->t, (uint64_t)o->seed);
    j->m = language_model_new(j->t, j->V, j->T, o->channels, !text, how);
    if (text)
        j->vocabulary = tg_buffer(j->t, "vocabulary", tg_from_ints(j->t, TG_SHAPE(j->V), text->code));
    j->adamw = tg_adamw_new(j->t, tg_parameters(j->t), TG_ADAMW_DEFAULTS);
    must(j->t, TG_OK);
    seed_for(j, TO_TRAIN);
    j->to_train = tg_get_rng_state(j->t);
    const tg_run_number number[N_NUMBERS] = {{"step", &j->step, NULL},
                                             {"schedule", &o->schedule, NULL},
                                             {"batch", &o->batch, NULL},
                                             {"seed", &o->seed, NULL},
                                             {"lr", NULL, &o->lr}};
    memcpy(j->number, number, sizeof number);
    return j;
}

/* Once the size of a batch is known. */
static void make_room(job *j) {
    size_t n = (size_t)j->o->batch * (size_t)j->T;
    j->ids = must_allocate(n, sizeof *j->ids);
    j->next = must_allocate(n, sizeof *j->next);
    j->start = must_allocate((size_t)j->o->batch, sizeof *j->start);
}

static void job_free(job *j) {
    tg_tape_free(j->t);
    free(j->ids);
    free(j->next);
    free(j->start);
    free(j->seen);
    free(j->seen_first);
    free(j);
}

static tg_run run_of(const job *j) {
    return (tg_run){.optim = {j->adamw}, .number = j->number, .n_numbers = N_NUMBERS};
}

static void check_numbers(const options *o) {
    if (o->schedule < 1 || o->batch < 1 || o->batch > 4096 || o->seed < 0 || !(o->lr > 0 && o->lr <= 10))
        die("the file to resume from has a schedule, batch, seed or rate that is out of range");
}

static void job_load(job *j, const char *path) {
    must(j->t, tg_load_run(j->t, path, run_of(j)));
    check_numbers(j->o);
    options_override(j->o);
    j->to_train = tg_get_rng_state(j->t);
    int64_t *code = must_allocate((size_t)j->V, sizeof *code);
    if (j->text) {
        must(j->t, tg_read_ints(j->vocabulary, code, j->V));
        if (memcmp(code, j->text->code, (size_t)j->V * sizeof *code))
            die("the weights to resume from were trained on other characters than this text's");
    }
    free(code);
    printf("going on from %s, after %lld steps\n", path, (long long)j->step);
}

static void job_save(job *j) {
    must(j->t, tg_save_run(j->t, j->o->save, run_of(j)));
    snprintf(j->saved, sizeof j->saved, "saved %.200s after %lld steps; go on from it with --resume", j->o->save,
             (long long)j->step);
    if (!j->board)
        puts(j->saved);
}

/* On the way. A disk that is full now may not be at the end, so this failure is no reason to stop. */
static void save_on_the_way(job *j) {
    if (tg_save_run(j->t, j->o->save, run_of(j)))
        fprintf(stderr, "train: %s\n", tg_error(j->t));
    if (tg_tape_status(j->t) && j->board)
        j->board->picture.lines = 0; /* that line stays */
    tg_clear_error(j->t);
}

/* ---- data ---- */

typedef struct batch {
    tg_tensor ids, next; /* (B, T): tokens, and the token after each (TG_IGNORE_INDEX: not asked for) */
} batch;

static batch to_batch(const job *j, int64_t B) {
    return (batch){tg_from_ints(j->t, TG_SHAPE(B, j->T), j->ids), tg_from_ints(j->t, TG_SHAPE(B, j->T), j->next)};
}

static batch random_batch(const job *j, int64_t B) {
    if (j->text) {
        tg_tensor start = tg_randint(j->t, 0, j->text->n_train - j->T, TG_SHAPE(B));
        must(j->t, tg_read_ints(start, j->start, B));
        corpus_pieces(j->text, B, j->start, j->T, j->ids, j->next);
    } else {
        must(j->t, recall_sentences(j->t, B, j->ids, j->next));
    }
    return to_batch(j, B);
}

static tg_tensor loss_of(const job *j, batch b) {
    return tg_cross_entropy(language_model_forward(&j->m, b.ids, NULL), b.next, TG_IGNORE_INDEX, TG_MEAN);
}

/* ---- what the layer looks at ---- */

static view *new_view(job *j) {
    view *v = must_allocate(1, sizeof *v);
    seed_for(j, TO_LOOK);
    must(j->t, view_choose(v, j->t, j->text, j->T));
    return v;
}

static void look(job *j, const char *title) {
    must(j->t, view_update(j->seen, &j->m));
    view_print(j->seen, title);
}

/* In a terminal with room, unless a profile is to be printed. */
static void begin_board(job *j) {
    static board only;
    const view *v = j->seen;
    if (j->o->steps == 0 || j->o->profile || !board_fits(terminal_of(stdout), v->T, v->map.cell))
        return;
    j->seen_first = new_view(j);
    must(j->t, view_update(j->seen_first, &j->m));
    only = (board){.picture = {.out = stdout}, .before = &j->seen_first->map, .now = &v->map};
    snprintf(only.title_before, sizeof only.title_before, "before training:");
    j->board = &only;
}

/* The baselines have a line of progress only. */
static void draw_board(job *j, const progress *p) {
    board *b = j->board;
    progress_line(p, b->status, sizeof b->status);
    if (j->seen) {
        must(j->t, view_update(j->seen, &j->m));
        progress_curve(p, terminal_of(stdout), b->curve, sizeof b->curve);
        snprintf(b->title, sizeof b->title, "what attention looks at after %lld steps:", (long long)j->step);
    }
    board_draw(b);
}

/* ---- training ---- */

/* Up in the first twentieth of the schedule, then down along a cosine to a twentieth, where it stays. */
static double learning_rate(const options *o, int64_t step) {
    double done = fmin(1, (double)(step + 1) / (double)o->schedule);
    if (done < 0.05)
        return o->lr * done / 0.05;
    return o->lr * (0.05 + 0.95 * (1 + cos(acos(-1) * (done - 0.05) / 0.95)) / 2);
}

static _Noreturn void diverged(progress *p) {
    progress_end(p);
    die("the loss is no longer a finite number; a smaller --lr may help; it was not saved like this");
}

/* Trains until so many steps are made in all, or until interrupted. save_every: 0, or how often to save. */
static void train(job *j, const char *what, int64_t until, int64_t save_every) {
    const options *o = j->o;
    tg_tape *t = j->t;
    tg_optim *adamw = j->adamw;
    tg_mark built = tg_tape_mark(t);
    progress p = progress_begin(j->board ? NULL : stdout, what, until - j->step);
    must(t, tg_set_rng_state(t, &j->to_train));
    while (j->step < until && !interrupted) {
        tg_tensor loss = loss_of(j, random_batch(j, o->batch));
        tg_optim_set_lr(adamw, learning_rate(o, j->step));
        tg_optim_zero_grad(adamw);
        must(t, tg_backward(loss));
        must(t, tg_optim_step(adamw));
        bool due = progress_step(&p, tg_item(loss), o->batch * j->T);
        if (!isfinite(tg_item(loss)))
            diverged(&p);
        must(t, tg_tape_rewind(t, built));
        j->step++;
        if (due && j->board)
            draw_board(j, &p);
        if (save_every && j->step % save_every == 0 && j->step < until)
            save_on_the_way(j);
    }
    progress_end(&p);
}

/* ---- the gradient check ---- */

/* Of the attention layer alone, as it is now, on the start of a sentence: in double, against differences. Every
 * weight is tried where they are few, a few random directions in all of them where they are many. */
static void check_gradient(const job *j) {
    enum { FEW = 20000, TOKENS = 16 };
    tg_tape *t = j->t;
    tg_mark built = tg_tape_mark(t);
    tg_gradcheck_config config = TG_GRADCHECK_DEFAULTS;
    tg_gradcheck_result result;
    seed_for(j, TO_LOOK);
    tg_tensor ids = tg_slice(random_batch(j, 1).ids, 1, 0, TOKENS, 1);
    tg_tensor seen = tg_nn_layer_norm_forward(&j->m.norm_attn, language_model_embed(&j->m, ids));
    tg_tensor x = tg_zeros(t, tg_shape_of(seen)); /* the same numbers, as data */
    must(t, tg_copy_(x, seen));
    tg_tensor y = tg_nn_causal_attention_forward(&j->m.attn, x, NULL);
    if (3 * j->o->channels * j->o->channels > FEW)
        config.mode = TG_GRADCHECK_FAST;
    must(t, tg_gradcheck(y, config, &result));
    printf("gradient check, attention's %lld %s: worst relative error %.1e\n\n", (long long)result.compared,
           config.mode == TG_GRADCHECK_FAST ? "random directions" : "weights", result.worst);
    fflush(stdout);
    must(t, tg_tape_rewind(t, built));
}

/* ---- how good it is ---- */

typedef struct score {
    double loss, right; /* mean, in nats; share of the most probable tokens that were the right ones */
    int64_t n;          /* tokens asked for */
} score;

/* Loss and hits of one batch, added up. */
static void add_score(const job *j, batch b, score *s) {
    tg_tape *t = j->t;
    int64_t n = tg_numel(b.ids), *guess = must_allocate((size_t)n, sizeof *guess);
    tg_no_grad_begin(t);
    tg_tensor logits = language_model_forward(&j->m, b.ids, NULL);
    tg_tensor loss = tg_cross_entropy(logits, b.next, TG_IGNORE_INDEX, TG_SUM);
    must(t, tg_read_ints(tg_argmax(logits, -1, false), guess, n));
    tg_no_grad_end(t);
    s->loss += tg_item(loss);
    for (int64_t i = 0; i < n; i++) {
        s->right += guess[i] == j->next[i];
        s->n += j->next[i] != TG_IGNORE_INDEX;
    }
    free(guess);
}

static score mean_of(score s) { return (score){s.loss / (double)s.n, s.right / (double)s.n, s.n}; }

/* New sentences, the same ones for every model. */
static score test_recall(job *j) {
    score s = {0};
    tg_mark built = tg_tape_mark(j->t);
    seed_for(j, TO_TEST);
    while (s.n < 1024) {
        add_score(j, random_batch(j, j->o->batch), &s);
        must(j->t, tg_tape_rewind(j->t, built));
    }
    return mean_of(s);
}

/* The held-out text in pieces of T characters, the first `most` characters of it. */
static score test_text(job *j, int64_t most) {
    const corpus *c = j->text;
    score s = {0};
    tg_mark built = tg_tape_mark(j->t);
    int64_t pieces = (c->n - c->n_train - 1) / j->T;
    pieces = pieces > most / j->T ? most / j->T : pieces;
    for (int64_t done = 0, n; done < pieces; done += n) {
        n = pieces - done < j->o->batch ? pieces - done : j->o->batch;
        for (int64_t i = 0; i < n; i++)
            j->start[i] = c->n_train + (done + i) * j->T;
        corpus_pieces(c, n, j->start, j->T, j->ids, j->next);
        add_score(j, to_batch(j, n), &s);
        must(j->t, tg_tape_rewind(j->t, built));
    }
    return mean_of(s);
}

/* ---- a sample ---- */

/* Draws a token from softmax(logits / temperature). */
static int64_t draw(tg_tensor logits, double temperature) {
    int64_t V = tg_numel(logits), token = 0;
    tg_tensor u = tg_rand(logits.tape, TG_SCALAR);
    double left = tg_item(u);
    tg_tensor probability = tg_contiguous(tg_softmax(tg_div_scalar(logits, temperature), -1));
    const float *p = tg_const_data(probability);
    must(logits.tape, TG_OK);
    while (token < V - 1 && (left -= (double)p[token]) >= 0)
        token++;
    return token;
}

/* The token after n known ones. */
static int64_t continued(const job *j, const int64_t *ids, int64_t n) {
    tg_tensor logits = language_model_forward(&j->m, tg_from_ints(j->t, TG_SHAPE(1, n), ids), NULL);
    return draw(tg_select(tg_select(logits, 0, 0), 0, n - 1), j->o->temperature);
}

/* Goes on after the first held-out character, T characters in view. */
static void write_sample(job *j) {
    int64_t T = j->T, n = 1, *ids = must_allocate((size_t)T + 1, sizeof *ids);
    tg_mark built = tg_tape_mark(j->t);
    seed_for(j, TO_SAMPLE);
    ids[0] = j->text->id[j->text->n_train];
    puts("a sample:");
    tg_no_grad_begin(j->t);
    for (int64_t i = 0; i < j->o->sample; i++) {
        ids[n] = continued(j, ids, n);
        fputs(character_as_text(j->text->code[ids[n]]).s, stdout);
        fflush(stdout);
        if (n < T)
            n++;
        else
            memmove(ids, ids + 1, (size_t)T * sizeof *ids);
        must(j->t, tg_tape_rewind(j->t, built));
    }
    tg_no_grad_end(j->t);
    putchar('\n');
    free(ids);
}

/* ---- the two jobs ---- */

/* What a file holds that matters here. */
typedef struct found {
    bool is_ours;
    int64_t channels, context;
} found;

static void look_for_shapes(const tg_file_tensor *x, void *context) {
    found *f = context;
    f->is_ours |= !strcmp(x->name, "tapegrad.number.schedule");
    if (!strcmp(x->name, "position.weight") && x->shape.ndim == 2) {
        f->context = x->shape.size[0];
        f->channels = x->shape.size[1];
    }
}

/* The model must have the sizes of the one in the file, unless the command line says otherwise. */
static void take_sizes(options *o) {
    found f = {.channels = o->channels, .context = o->context};
    tg_tape *t = tg_tape_new(TG_F32);
    must(t, tg_list_file(t, o->resume, look_for_shapes, &f));
    tg_tape_free(t);
    if (f.channels >= 1 && f.channels <= 4096 && f.context >= 2 && f.context <= 4096) {
        o->channels = f.channels;
        o->context = f.context;
    }
    options_override(o);
}

static _Noreturn void cannot_save(const char *path) {
    char why[600];
    snprintf(why, sizeof why,
             "cannot save to %.400s: it holds something that this program did not save; remove it, or choose "
             "another name",
             path);
    die(why);
}

/* Found out before an hour of training, not after it. An empty file is nobody's. */
static void check_can_save(const char *path) {
    found f = {0};
    struct stat s;
    tg_tape *t = tg_tape_new(TG_F32);
    must(t, tg_check_save(t, path));
    if (stat(path, &s) == 0 && s.st_size > 0 && (tg_list_file(t, path, look_for_shapes, &f) || !f.is_ours))
        cannot_save(path);
    tg_tape_free(t);
}

/* Train and save; false after an interrupt. */
static bool train_and_save(job *j) {
    watch_for_interrupts(true);
    tg_set_profile(j->t, j->o->profile);
    int64_t until = j->step + j->o->steps;
    train(j, "attention", until, j->o->save_every);
    if (interrupted)
        j->board = NULL; /* as it stands */
    if (interrupted)
        printf("interrupted after step %lld of %lld\n", (long long)j->step, (long long)until);
    job_save(j);
    watch_for_interrupts(false);
    if (j->o->profile) {
        tg_set_profile(j->t, false);
        putchar('\n');
        must(j->t, tg_profile_print(stdout, j->t));
    }
    return !interrupted;
}

/* Check, look, train, save, look again. False after an interrupt. */
static bool learn(job *j) {
    if (j->o->resume)
        job_load(j, j->o->resume);
    if (j->o->steps < 0)
        j->o->steps = j->o->schedule > j->step ? j->o->schedule - j->step : 0;
    make_room(j);
    check_gradient(j);
    j->seen = new_view(j);
    begin_board(j);
    if (!j->board)
        look(j, j->o->resume ? "what attention looks at now:" : "what attention looks at before training:");
    if (j->o->steps == 0)
        return true;
    if (!train_and_save(j))
        return false;
    if (!j->board) {
        putchar('\n');
        look(j, "what attention looks at after training:");
    }
    return true;
}

static void show_score(job *j, int row, const char *what, score s) {
    char numbers[32];
    snprintf(numbers, sizeof numbers, s.n ? "%6.4f  %5.1f%%" : "%6.4f", s.loss, 100 * s.right);
    board_result(j->board, row, what, numbers);
}

/* The same model without attention, trained on the same sentences as long. */
static score baseline(const job *with, mixing how, const char *what) {
    job *j = job_new(with->o, NULL, how);
    make_room(j);
    j->board = with->board;
    train(j, what, with->step, 0);
    score s = test_recall(j);
    job_free(j);
    return s;
}

static int recall(options *o) {
    puts("Who eats what? A sentence tells what four people eat, then asks four times.");
    job *j = job_new(o, NULL, ATTENTION);
    bool finished = learn(j);
    if (finished) {
        score attention = test_recall(j), equal = {0}, nothing = {0};
        if (o->steps > 0) {
            equal = baseline(j, EQUAL_WEIGHTS, "equal weights");
            nothing = baseline(j, NOTHING, "no attention");
        }
        board_result(j->board, 0, "answers in new sentences", "  nats   right");
        show_score(j, 1, "attention", attention);
        if (o->steps > 0) {
            show_score(j, 2, "equal weights over all words so far", equal);
            show_score(j, 3, "no attention: each word on its own", nothing);
        }
        show_score(j, 4, "guessing among the four foods told", (score){log(4), 0.25, 1});
        board_end(j->board, j->saved);
    }
    job_free(j);
    return finished ? 0 : 128 + interrupted;
}

static void compare_with_baselines(job *j) {
    const int64_t most = 200000;
    char heading[64], uniform[64];
    score s = test_text(j, most);
    double bigram = corpus_bigram_loss(j->text, j->text->n_train + 1, s.n);
    snprintf(heading, sizeof heading, "held-out text, %lld characters", (long long)s.n);
    snprintf(uniform, sizeof uniform, "uniform: ln %lld", (long long)j->V);
    board_result(j->board, 0, heading, "  nats");
    show_score(j, 1, "attention", (score){.loss = s.loss});
    show_score(j, 2, "bigram: P(character | the one before)", (score){.loss = bigram});
    show_score(j, 3, uniform, (score){.loss = log((double)j->V)});
    board_end(j->board, j->saved);
    putchar('\n');
}

static int text(options *o) {
    corpus c;
    char error[4400];
    if (!corpus_read(&c, o->text, error, sizeof error))
        die(error);
    if (c.n_train < o->context + 1 || c.n - c.n_train < o->context + 1) {
        snprintf(error, sizeof error, "%.4000s: %lld characters are too few; --context %lld needs at least %lld",
                 o->text, (long long)c.n, (long long)o->context, (long long)(10 * o->context + 1));
        die(error);
    }
    printf("%s: %lld characters, %lld different ones, the last %lld held out\n\n", o->text, (long long)c.n,
           (long long)c.vocabulary, (long long)(c.n - c.n_train));
    job *j = job_new(o, &c, ATTENTION);
    bool finished = learn(j);
    if (finished) {
        compare_with_baselines(j);
        write_sample(j);
    }
    job_free(j);
    corpus_free(&c);
    return finished ? 0 : 128 + interrupted;
}

int main(int argc, char **argv) {
    options o = options_read(argc, argv);
    if (*tg_warning())
        fprintf(stderr, "train: %s\n", tg_warning());
    if (o.resume)
        take_sizes(&o);
    if (o.steps != 0)
        check_can_save(o.save);
    int status = o.text ? text(&o) : recall(&o);
    if ((fflush(stdout) || ferror(stdout)) && status == 0)
        die("could not write the output");
    return status;
}
