/* A training as gpt train has it, in parts, for a program that takes its steps in another way. */
#ifndef EXAMPLES_GPT_TRAINING_H
#define EXAMPLES_GPT_TRAINING_H

#include "examples/gpt/checkpoint.h"
#include "examples/gpt/gpt.h"
#include "examples/gpt/tokens.h"
#include "optim/optim.h"

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

/* A command line; `more` options are taken beside gpt train's own, and a number kept with the run in its file. */
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
/* The command line into s, where it says something; all: room for its options, of which gpt train's are counted. */
int settings_read(const command *line, settings *s, option *all);

/* ---- a training ---- */

enum { TRAINING_NUMBERS = 9, TRAINING_MOST_NUMBERS = TRAINING_NUMBERS + 2 };

typedef struct training {
    settings s;
    checkpoint c;
    tokens train, held_out;
    double bytes_per_token; /* of the held-out text */
    int64_t digest;         /* of what is learnt, and of a text's held-out part */
    tg_optim *adamw;
    int64_t step, position; /* position: windows of --tokens that were learnt */
    int64_t *window;        /* room for a batch */
    tg_run_number number[TRAINING_MOST_NUMBERS];
    int n_numbers;
    /* Makes a step, which it counts, and sets stopped when it is to be the last one. Returns the loss before it. */
    double (*make_step)(struct training *r);
    void *context; /* make_step's */
    bool stopped;
    struct page *page; /* NULL without --report */
    double gradient;   /* the norm of the last step's */
    bool follows;      /* another process measures and saves */
} training;

training *training_new(const command *line);
void training_free(training *r);
/* All of it, which is told on stdout; returns the exit status. */
int training_run(training *r);

/* The parts of a step: the mean loss of B windows, chosen by the tape's generator; and when gradients are there, they
 * are clipped, the weights moved, the step counted. Ends the program unless the loss is finite. */
tg_tensor training_loss(training *r, int64_t B);
void training_update(training *r, double loss);

#endif
