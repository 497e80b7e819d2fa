#include "examples/common/job.h"
#include "examples/common/output.h"
#include "examples/common/recall.h"
#include "examples/common/saved.h"

#include <stdlib.h>
#include <string.h>

void job_seed(const job *j, purpose why) { tg_manual_seed(j->t, (uint64_t)j->o->seed + 1000003 * (uint64_t)why); }

job *job_new(train_options *o, const corpus *text, mixing how) {
    job *j = must_allocate(1, sizeof *j);
    *j = (job){.o = o, .text = text, .t = tg_tape_new(TG_F32)};
    j->V = text ? text->vocabulary : RECALL_WORDS;
    j->T = text ? o->context : RECALL_LENGTH - 1;
    tg_manual_seed(j->t, (uint64_t)o->seed);
    j->m = language_model_new(j->t, j->V, j->T, o->channels, !text, how);
    j->digest = text ? corpus_digest(text) : 0;
    if (text)
        j->vocabulary = tg_buffer(j->t, "vocabulary", tg_from_ints(j->t, TG_SHAPE(j->V), text->code));
    j->adamw = tg_adamw_new(j->t, tg_parameters(j->t), TG_ADAMW_DEFAULTS);
    must(j->t, TG_OK);
    job_seed(j, TO_TRAIN);
    j->to_train = tg_get_rng_state(j->t);
    const tg_run_number number[N_NUMBERS] = {{"step", &j->step, NULL},   {"schedule", &o->schedule, NULL},
                                             {"batch", &o->batch, NULL}, {"seed", &o->seed, NULL},
                                             {"lr", NULL, &o->lr},       {"digest", &j->digest, NULL}};
    memcpy(j->number, number, sizeof number);
    return j;
}

void job_make_room(job *j) {
    size_t n = (size_t)j->o->batch * (size_t)j->T;
    j->ids = must_allocate(n, sizeof *j->ids);
    j->next = must_allocate(n, sizeof *j->next);
    j->start = must_allocate((size_t)j->o->batch, sizeof *j->start);
}

void job_free(job *j) {
    tg_tape_free(j->t);
    free(j->ids);
    free(j->next);
    free(j->start);
    free(j->seen);
    free(j->seen_first);
    free(j->reported);
    report_free(j->report);
    free(j);
}

static tg_run run_of(const job *j) {
    return (tg_run){.optim = {j->adamw}, .number = j->number, .n_numbers = N_NUMBERS};
}

static void check_numbers(const train_options *o) {
    if (o->schedule < 1 || o->batch < 1 || o->batch > 4096 || o->seed < 0 || !(o->lr > 0 && o->lr <= 10))
        die("the file to resume from has a schedule, batch, seed or rate that is out of range");
}

/* digest: of the given text; j->digest is the run's. */
static void check_text(const job *j, const char *path, int64_t digest) {
    int64_t *code = must_allocate((size_t)j->V, sizeof *code);
    if (j->text) {
        must(j->t, tg_read_ints(j->vocabulary, code, j->V));
        if (memcmp(code, j->text->code, (size_t)j->V * sizeof *code))
            die("the weights to resume from were trained on other characters than this text's");
    }
    free(code);
    if (j->digest != digest)
        die("%s is a run on another text than %s", path, j->text ? j->o->text : "the built-in task");
}

/* Files of version 0.1.0 lack the digest, the last number. */
void job_load(job *j, const char *path) {
    int64_t digest = j->digest;
    tg_run run = run_of(j);
    run.n_numbers -= !saved_has(path, "tapegrad.number.digest");
    must(j->t, tg_load_run(j->t, path, run));
    check_text(j, path, digest);
    check_numbers(j->o);
    train_options_override(j->o);
    j->to_train = tg_get_rng_state(j->t);
    say(stdout, "going on from %s, after %lld steps", path, (long long)j->step);
}

void job_save(job *j) {
    must(j->t, tg_save_run(j->t, j->o->save, run_of(j)));
    snprintf(j->saved, sizeof j->saved, "saved %.200s after %lld steps; go on from it with --resume", j->o->save,
             (long long)j->step);
    tg_make_printable(j->saved);
    if (!j->board)
        puts(j->saved);
}

void job_save_on_the_way(job *j) {
    if (tg_save_run(j->t, j->o->save, run_of(j)))
        say(stderr, "train: %s", tg_error(j->t));
    if (tg_tape_status(j->t) && j->board)
        j->board->picture.lines = 0; /* keep that line */
    tg_clear_error(j->t);
}

batch job_batch_of(const job *j, int64_t B) {
    return (batch){tg_from_ints(j->t, TG_SHAPE(B, j->T), j->ids), tg_from_ints(j->t, TG_SHAPE(B, j->T), j->next)};
}

batch job_random_batch(const job *j, int64_t B) {
    if (j->text) {
        tg_tensor start = tg_randint(j->t, 0, j->text->n_train - j->T, TG_SHAPE(B));
        must(j->t, tg_read_ints(start, j->start, B));
        corpus_pieces(j->text, B, j->start, j->T, j->ids, j->next);
    } else {
        must(j->t, recall_sentences(j->t, B, j->ids, j->next));
    }
    return job_batch_of(j, B);
}

tg_tensor job_loss(const job *j, batch b) {
    return tg_cross_entropy(language_model_forward(&j->m, b.ids, NULL), b.next, TG_IGNORE_INDEX, TG_MEAN);
}
