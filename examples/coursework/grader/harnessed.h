/* Checks of whole functions of the student's, called by what is in harness/: what they have in common. */
#ifndef TAPEGRAD_COURSEWORK_HARNESSED_H
#define TAPEGRAD_COURSEWORK_HARNESSED_H

#include "check.h"
#include "harness/harness.h"

/* An array that the harness gets. */
typedef struct sent {
    double *x;
    int64_t n;
    bool comes_back;
} sent;

/* One call of the harness; true when it returned 0. */
bool ask(session *s, const double *number, int n_numbers, const sent *a, int n);

/* A tape for random numbers, the same ones for the same seed and draw; may be NULL. */
tg_tape *random_tape(const session *s, uint64_t draw);
/* One of 0 .. n - 1. */
int below(tg_tape *t, int n);
bool normals(tg_tape *t, double *x, int64_t n);

/* The verdict, after a line of the long report. */
verdict says(session *s, const char *what, verdict v);
extern const verdict fine;

#endif
