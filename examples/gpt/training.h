/* gpt train's training in parts, for programs that make the steps differently. */
#ifndef EXAMPLES_GPT_TRAINING_H
#define EXAMPLES_GPT_TRAINING_H

#include "examples/gpt/checkpoint.h"
#include "examples/gpt/gpt.h"
#include "examples/gpt/tokens.h"
#include "optim/optim.h"

/* ---- settings ---- */

typedef struct settings {
    const char *text, *preset, *save, *resume, *init, *merges, *tokens, *val, *report;
    int64_t id_bytes, vocabulary;
    gpt_config model;
    int64_t bpe; /* the size of the vocabulary to learn; 0: characters */
    int64_t batch, schedule, steps, warmup, seed, eval_every, save_every;
    double lr;
    bool profile;
} settings;

/* A command line; `more` options are accepted besides gpt train's own, and a number is kept with the run in its
 * file. */
typedef struct command {
    int argc;
    char **argv;
    const char *help;
    const option *more;
    int n_more;
    const tg_run_number *number; /* NULL: none */
} command;
enum { SETTINGS_MOST = 40 }; /* options in all */

settings settings_of(const command *line);
/* Sets the fields of s given on the command line; all: an array for its options. Returns the number of gpt train's. */
int settings_read(const command *line, settings *s, option *all);

/* ---- a training ---- */

enum { TRAINING_NUMBERS = 9, TRAINING_MOST_NUMBERS = TRAINING_NUMBERS + 2 };

typedef struct training {
    settings s;
    checkpoint c;
    tokens train, held_out;
    double bytes_per_token; /* of the held-out text */
    int64_t digest;         /* of the training data, and of a text's held-out part */
    tg_optim *adamw;
    int64_t step, position; /* position: windows of --tokens used so far */
    int64_t *window;        /* a buffer for a batch */
    tg_run_number number[TRAINING_MOST_NUMBERS];
    int n_numbers;
    /* Makes and counts a step, and sets stopped if it is the last one. Returns the loss before the step. */
    double (*make_step)(struct training *r);
    void *context; /* make_step's */
    bool stopped;
    struct page *page; /* NULL without --report */
    double gradient;   /* the norm of the last step's gradient */
    bool follows;      /* another process measures and saves */
} training;

training *training_new(const command *line);
void training_free(training *r);
/* The whole training, reported on stdout; returns the exit status. */
int training_run(training *r);

/* The parts of a step: the mean loss of B windows, chosen by the tape's generator; and, after backward, clipping, the
 * update of the weights and of the step count. Ends the program unless the loss is finite. */
tg_tensor training_loss(training *r, int64_t B);
void training_update(training *r, double loss);

#endif
