/* Private to the check of second derivatives: what differences at narrower and narrower steps say. */
#ifndef TAPEGRAD_LADDER_H
#define TAPEGRAD_LADDER_H

#include <stdbool.h>
#include <stdint.h>

enum { TG_LADDER_ROWS = 7, TG_LADDER_STEPS = 30 };

/* What differences at narrower and narrower steps say of n numbers, of which code claims other numbers. */
typedef struct tg_ladder {
    int64_t n;
    long double *row[TG_LADDER_ROWS], *now, *last;
    long double *best; /* the estimate of the smallest bar that no narrower one contradicts */
    const long double *claim;
    const double *along; /* at a step of h, an element's error e changes f by e |along| h^2; NULL: no matter */
    int rows, steps;
    /* apart: from the claim; jump: from the step before; kink: what one between may be; hidden: changes of f, over h^2,
     * that rounding hides */
    double best_bar, bar[TG_LADDER_STEPS], apart[TG_LADDER_STEPS], jump[TG_LADDER_STEPS], kink[TG_LADDER_STEPS],
        hidden[TG_LADDER_STEPS];
} tg_ladder;

/* Of n numbers, or of their differences, the largest. */
double tg_largest(int64_t n, const long double *a);
double tg_distance(int64_t n, const long double *a, const long double *b);

/* Where the differences at the next step go, before tg_ladder_add. */
long double *tg_ladder_row(tg_ladder *l);
/* rounding: what it does to them; kink, hidden: see above. A narrower step that contradicts a wider one is believed. */
void tg_ladder_add(tg_ladder *l, double rounding, double kink, double hidden);
void tg_ladder_forget(tg_ladder *l);
/* The size of what is compared. */
double tg_ladder_scale(const tg_ladder *l);
/* Do the narrowest three steps that can see how far the claim is from the best estimate refute it, and agree with each
 * other? Not those that are too wide for what the same steps say beside it (or NULL). rounding: of the claim. */
bool tg_ladder_refutes(const tg_ladder *l, const tg_ladder *beside, double scale, double rounding);

#endif
