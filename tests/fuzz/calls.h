/* Random programs of calls: what they have in common. See calls.c. */
#ifndef TAPEGRAD_FUZZ_CALLS_H
#define TAPEGRAD_FUZZ_CALLS_H

#include "tests/fuzz/program.h"

enum { POOL = 48, MARKS = 6, MOST_DEPTH = 3, MOST_NODES = 1200 };

typedef struct world {
    tg_tape *t;
    choices dice;
    tg_tensor pool[POOL], last; /* last: that was put there */
    tg_mark mark[MARKS];
    int64_t calls_left, refuse; /* refuse: the allocation from now on that fails; 0: none */
    int depth;                  /* of callbacks that make calls */
    FILE *sink;
} world;
extern world w;

/* ---- what calls are given: calls.c ---- */

tg_tensor any(void);    /* of the pool; now and then null, or a handle that was guessed */
void keep(tg_tensor x); /* in the pool */
double number(void);    /* within 1; now and then not finite */
tg_shape small_shape(void);
int dim(void);
tg_dims some_dims(void);
tg_tensor leaf(void);
tg_tensor scalar_of(tg_tensor y);

void make_calls(int64_t n);
void make_calls_inside(void); /* what a callback does: some, or none */
void make_call(void);         /* one: calls_make.c */

/* A custom operation of x, which goes to the pool as well; null after an error: calls_custom.c */
tg_tensor custom_of(tg_tensor x);

#endif
