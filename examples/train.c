/* The main job: train one layer of single-head causal attention, end to end.
 *
 *   1. check the gradient of the very layer that is about to be trained, against differences of the loss
 *   2. show what it looks at while it trains: in a terminal as it changes, elsewhere before and after
 *   3. save the run, as safetensors: weights, AdamW's memory, the generator. --resume goes on as if it had not stopped
 *   4. compare with what does without attention
 *   5. with --report, put all of it on a page to look at
 *
 * Built in is a task that only attention can solve (examples/common/recall.h); --text trains on a text.
 */
#include "examples/common/interrupt.h"
#include "examples/common/job.h"
#include "examples/common/output.h"
#include "examples/common/progress.h"
#include "examples/common/recall.h"
#include "examples/common/saved.h"
#include "examples/common/text_file.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const char program_name[] = "train";

/* ---- what the layer looks at ---- */

static view *new_view(job *j, const terminal *screen) {
    view *v = must_allocate(1, sizeof *v);
    job_seed(j, TO_LOOK);
    must(j->t, view_choose(v, j->t, j->text, j->T, screen));
    return v;
}

static view *view_for_terminal(job *j) {
    terminal screen = terminal_of(stdout);
    return new_view(j, &screen);
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
    j->seen_first = view_for_terminal(j);
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
    job_seed(j, TO_TEST);
    while (s.n < 1024) {
        add_score(j, job_random_batch(j, j->o->batch), &s);
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
        add_score(j, job_batch_of(j, n), &s);
        must(j->t, tg_tape_rewind(j->t, built));
    }
    return mean_of(s);
}

/* ---- the report ---- */

/* A few of the sentences or characters that are held out; the training data go on as if nothing had been drawn. */
static double held_out_loss(job *j) {
    tg_rng_state training = tg_get_rng_state(j->t);
    double loss = j->text ? test_text(j, 8000).loss : test_recall(j).loss;
    must(j->t, tg_set_rng_state(j->t, &training));
    return loss;
}

static void take_down_maps(job *j) {
    must(j->t, view_update(j->reported, &j->m));
    report_maps(j->report, j->step, 0, 1, j->reported->weights);
    report_held_out(j->report, j->step, held_out_loss(j));
}

static void begin_report(job *j) {
    static const char *const name[] = {"attention"};
    j->reported = new_view(j, NULL);
    report_plan plan = {.path = j->o->report,
                        .title = j->text ? "Attention learns a text" : "Who eats what? Attention learns to look it up",
                        .first = j->step,
                        .last = j->step + j->o->steps,
                        .T = j->reported->T,
                        .token = j->reported->label,
                        .n_maps = 1,
                        .map = name,
                        .parameters = tg_parameters(j->t)};
    j->report = report_new(&plan);
    if (!j->report)
        die("out of memory");
    take_down_maps(j);
}

/* Between backward and the optimizer's step. */
static void before_update(job *j, tg_tensor loss) {
    if (!j->report)
        return;
    must(j->t, tg_clip_grad_norm(tg_parameters(j->t), INFINITY, 2, &j->gradient));
    if (report_is_due(j->report, j->step + 1)) {
        must(j->t, report_before_update(j->report));
        must(j->t, report_graph(j->report, loss));
    }
}

/* When the step is counted. */
static void after_update(job *j, double loss) {
    if (!j->report)
        return;
    report_step(j->report, j->step, loss, tg_optim_lr(j->adamw), j->gradient);
    if (report_is_due(j->report, j->step)) {
        must(j->t, report_after_update(j->report, j->step));
        take_down_maps(j);
    }
}

static void add_profile(job *j) {
    text_file profile;
    if (!text_file_begin(&profile))
        die("out of memory");
    must(j->t, tg_profile_print(profile.file, j->t));
    char *text = text_file_end(&profile);
    if (text)
        report_text(j->report, "Where the time went", text);
    free(text);
}

/* What was trained is kept when this fails; the exit status tells. */
static bool write_report(job *j) {
    char summary[300], why[600];
    int64_t weights = 0;
    if (!j->report)
        return true;
    tg_list all = tg_parameters(j->t);
    for (int64_t i = 0; i < all.n; i++)
        weights += tg_numel(all.tensor[i]);
    snprintf(summary, sizeof summary,
             "One layer of causal attention, %lld weights in %lld parameters, %lld steps of %lld x %lld tokens, seed "
             "%lld.",
             (long long)weights, (long long)all.n, (long long)j->step, (long long)j->o->batch, (long long)j->T,
             (long long)j->o->seed);
    if (*j->scores)
        report_text(j->report, j->text ? "Loss in nats" : "Loss in nats, and answers that are right", j->scores);
    add_profile(j);
    bool written = report_write(j->report, summary, why, sizeof why);
    if (written)
        say(stdout, "report: %s", j->o->report);
    else
        say(stderr, "train: %s", why);
    return written;
}

/* ---- training ---- */

/* Up in the first twentieth of the schedule, then down along a cosine to a twentieth, where it stays. */
static double learning_rate(const train_options *o, int64_t step) {
    double done = fmin(1, (double)(step + 1) / (double)o->schedule);
    if (done < 0.05)
        return o->lr * done / 0.05;
    return o->lr * (0.05 + 0.95 * (1 + cos(acos(-1) * (done - 0.05) / 0.95)) / 2);
}

static _Noreturn void diverged(job *j, progress *p) {
    progress_end(p);
    (void)write_report(j);
    die("the loss is no longer a finite number; a smaller --lr may help; it was not saved like this");
}

/* Trains until so many steps are made in all, or until interrupted. save_every: 0, or how often to save. */
static void train(job *j, const char *what, int64_t until, int64_t save_every) {
    const train_options *o = j->o;
    tg_tape *t = j->t;
    tg_optim *adamw = j->adamw;
    tg_mark built = tg_tape_mark(t);
    progress p = progress_begin(j->board ? NULL : stdout, what, until - j->step);
    must(t, tg_set_rng_state(t, &j->to_train));
    while (j->step < until && !interrupted) {
        tg_tensor loss = job_loss(j, job_random_batch(j, o->batch));
        tg_optim_set_lr(adamw, learning_rate(o, j->step));
        tg_optim_zero_grad(adamw);
        must(t, tg_backward(loss));
        before_update(j, loss);
        must(t, tg_optim_step(adamw));
        double nats = tg_item(loss);
        bool due = progress_step(&p, nats, o->batch * j->T);
        if (!isfinite(nats))
            diverged(j, &p);
        must(t, tg_tape_rewind(t, built));
        j->step++;
        after_update(j, nats);
        if (due && j->board)
            draw_board(j, &p);
        if (save_every && j->step % save_every == 0 && j->step < until)
            job_save_on_the_way(j);
    }
    progress_end(&p);
}

/* ---- the gradient check ---- */

/* Of the attention layer alone, as it is now, on the start of a sentence, against differences in double. Every
 * weight is tried where they are few, a few random directions in all of them where they are many. */
static void check_gradient(const job *j) {
    enum { FEW = 20000, TOKENS = 16 };
    tg_tape *t = j->t;
    tg_mark built = tg_tape_mark(t);
    tg_gradcheck_config config = TG_GRADCHECK_DEFAULTS;
    tg_gradcheck_result result;
    job_seed(j, TO_LOOK);
    tg_tensor ids = tg_slice(job_random_batch(j, 1).ids, 1, 0, TOKENS, 1);
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
    job_seed(j, TO_SAMPLE);
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

/* The model must have the sizes of the one in the file, unless the command line says otherwise. */
static void take_sizes(train_options *o) {
    tg_tape *t = tg_tape_new(TG_F32);
    must(t, saved_sizes(t, o->resume, &o->channels, &o->context));
    tg_tape_free(t);
    train_options_override(o);
}

/* Found out before an hour of training, not after it. */
static void check_can_write(const train_options *o) {
    char why[600];
    tg_tape *t = tg_tape_new(TG_F32);
    must(t, tg_check_save(t, o->save));
    if (!saved_is_ours(t, o->save, why, sizeof why) || (o->report && !report_check(o->report, why, sizeof why)))
        die("%s", why);
    tg_tape_free(t);
}

/* Train and save; false after an interrupt. */
static bool train_and_save(job *j) {
    watch_for_interrupts(true);
    tg_set_profile(j->t, j->o->profile || j->report);
    int64_t until = j->step + j->o->steps;
    train(j, "attention", until, j->o->save_every);
    if (interrupted)
        j->board = NULL; /* as it stands */
    if (interrupted)
        printf("interrupted after step %lld of %lld\n", (long long)j->step, (long long)until);
    job_save(j);
    watch_for_interrupts(false);
    tg_set_profile(j->t, false);
    if (j->o->profile) {
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
    job_make_room(j);
    check_gradient(j);
    j->seen = view_for_terminal(j);
    begin_board(j);
    if (!j->board)
        look(j, j->o->resume ? "what attention looks at now:" : "what attention looks at before training:");
    if (j->o->steps == 0)
        return true;
    if (j->o->report)
        begin_report(j);
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
    size_t n = strlen(j->scores);
    snprintf(j->scores + n, sizeof j->scores - n, "%-42s %s\n", what, numbers);
}

/* The same model without attention, trained on the same sentences as long. */
static score baseline(const job *with, mixing how, const char *what) {
    job *j = job_new(with->o, NULL, how);
    job_make_room(j);
    j->board = with->board;
    train(j, what, with->step, 0);
    score s = test_recall(j);
    job_free(j);
    return s;
}

static int recall(train_options *o) {
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
    bool written = write_report(j);
    job_free(j);
    return finished ? !written : 128 + interrupted;
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

static int text(train_options *o) {
    corpus c;
    char error[4400];
    if (!corpus_read(&c, o->text, error, sizeof error))
        die("%s", error);
    if (c.n_train < o->context + 1 || c.n - c.n_train < o->context + 1)
        die("%.4000s: %lld characters are too few; --context %lld needs at least %lld", o->text, (long long)c.n,
            (long long)o->context, (long long)(10 * o->context + 1));
    say(stdout, "%s: %lld characters, %lld different ones, the last %lld held out", o->text, (long long)c.n,
        (long long)c.vocabulary, (long long)(c.n - c.n_train));
    putchar('\n');
    job *j = job_new(o, &c, ATTENTION);
    bool finished = learn(j);
    if (finished) {
        compare_with_baselines(j);
        write_sample(j);
    }
    bool written = write_report(j);
    job_free(j);
    corpus_free(&c);
    return finished ? !written : 128 + interrupted;
}

int main(int argc, char **argv) {
    output_begin();
    train_options o = train_options_read(argc, argv);
    if (*tg_warning())
        fprintf(stderr, "train: %s\n", tg_warning());
    if (o.resume)
        take_sizes(&o);
    if (o.steps != 0)
        check_can_write(&o);
    int status = o.text ? text(&o) : recall(&o);
    return output_end("train", status);
}
