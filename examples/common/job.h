/* A job of `train`: a model, its training data and its state. Errors end the program with one line on stderr and status
 * 1. */
#ifndef EXAMPLES_JOB_H
#define EXAMPLES_JOB_H

#include "examples/common/board.h"
#include "examples/common/corpus.h"
#include "examples/common/language_model.h"
#include "examples/common/must.h"
#include "examples/common/report.h"
#include "examples/common/train_options.h"
#include "examples/common/view.h"
#include "optim/optim.h"

enum { N_NUMBERS = 6 };

typedef struct job {
    train_options *o;
    const corpus *text; /* NULL: the built-in task */
    tg_tape *t;
    language_model m;
    tg_optim *adamw;
    tg_tensor vocabulary; /* saved with the weights: the characters; TG_NULL for the built-in task */
    int64_t digest;       /* of the text; 0 for the built-in task */
    int64_t step;         /* training steps made */
    tg_run_number number[N_NUMBERS];
    tg_rng_state to_train; /* the generator's state for the training data, while others use the generator */
    int64_t V, T;
    int64_t *ids, *next, *start; /* buffers for a batch */
    view *seen, *seen_first;     /* attention weights, now and before training */
    board *board;                /* its live view; or NULL */
    char saved[300];             /* the message about the file */
    report *report;              /* NULL: not requested */
    view *reported;              /* the attention weights in it */
    double gradient;             /* the norm of all gradients in the last step */
    char scores[512];            /* as printed */
} job;

/* Separate random numbers for each purpose, so that all models see the same data. */
typedef enum { TO_LOOK = 1, TO_TEST, TO_SAMPLE, TO_TRAIN } purpose;
void job_seed(const job *j, purpose why);

job *job_new(train_options *o, const corpus *text, mixing how);
/* Call once the batch size is known. */
void job_make_room(job *j);
void job_free(job *j);

void job_load(job *j, const char *path);
void job_save(job *j);
/* Failure does not stop training: a disk that is full now may not be at the end. */
void job_save_on_the_way(job *j);

typedef struct batch {
    tg_tensor ids, next; /* (B, T): tokens, and the token after each (TG_IGNORE_INDEX: no target) */
} batch;

batch job_batch_of(const job *j, int64_t B);
batch job_random_batch(const job *j, int64_t B);
tg_tensor job_loss(const job *j, batch b);

#endif
