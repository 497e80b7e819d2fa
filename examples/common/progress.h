/* A progress line: overwritten in a terminal, plain lines now and then elsewhere. And the loss curve as a line of
 * text. */
#ifndef EXAMPLES_PROGRESS_H
#define EXAMPLES_PROGRESS_H

#include "examples/common/terminal.h"

enum { PROGRESS_CURVE = 50 };

typedef struct progress {
    FILE *out; /* NULL: print nothing, the caller shows the line */
    const char *what;
    int64_t steps, step, tokens;  /* in all; done; seen so far */
    double started, shown;        /* seconds */
    double loss_sum;              /* over the steps since the last line */
    int64_t loss_count, shown_at; /* their number; the step of the last line */
    int drawn;                    /* columns in use on the live line */
    double curve[PROGRESS_CURVE]; /* the mean loss over equal parts of all steps */
    int64_t in_curve[PROGRESS_CURVE];
} progress;

progress progress_begin(FILE *out, const char *what, int64_t steps);
/* One more step is done. The line shows the mean loss of the steps since it was last drawn. True when it is time to
 * redraw. */
bool progress_step(progress *p, double loss, int64_t tokens);
/* break: keep the live line, if any, before other output. end: print its last state. */
void progress_break(progress *p);
void progress_end(progress *p);

/* The progress line; the curve between its first and last values. */
void progress_line(const progress *p, char *text, size_t size);
void progress_curve(const progress *p, terminal screen, char *text, size_t size);

#endif
