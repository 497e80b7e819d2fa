/* A progress line: one that is overwritten in a terminal, plain lines now and then elsewhere. */
#ifndef EXAMPLES_PROGRESS_H
#define EXAMPLES_PROGRESS_H

#include <stdint.h>
#include <stdio.h>

typedef struct progress {
    FILE *out;
    const char *what;
    int64_t steps, step, tokens;  /* in all; done; seen so far */
    double started, shown;        /* seconds */
    double loss_sum;              /* over the steps since the last line */
    int64_t loss_count, shown_at; /* how many; the step of the last line */
    int drawn;                    /* columns in use on the live line */
} progress;

progress progress_begin(FILE *out, const char *what, int64_t steps);
/* One more step is done. The line shows the mean loss of the steps since it was last drawn. */
void progress_step(progress *p, double loss, int64_t tokens);
/* Leave the last state of the line standing. */
void progress_end(progress *p);

#endif
