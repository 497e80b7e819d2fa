/* Private: run an operation's kernel on other numbers than its own: on a copy of its node and of its inputs' nodes. */
#ifndef TAPEGRAD_STAND_IN_H
#define TAPEGRAD_STAND_IN_H

#include "core/engine.h"

enum { TG_STAND_IN_INPUTS = 4 };

typedef struct tg_stand_in {
    tg_node y, x[TG_STAND_IN_INPUTS];
    tg_node *in[TG_STAND_IN_INPUTS];
    bool recorded[TG_STAND_IN_INPUTS]; /* which ones want a gradient */
} tg_stand_in;

/* Copies of y and of these inputs in place of its own (at most TG_STAND_IN_INPUTS; some may be NULL), all contiguous,
 * without gradients, and none wanted. The caller puts in other data, and a buffer (grad) where a gradient is wanted. */
void tg_stand_in_open(tg_stand_in *s, const tg_node *y, tg_node *const *in);
/* Input i's gradient is wanted, and goes to dx: contiguous, overwritten. */
void tg_stand_in_want(tg_stand_in *s, int i, void *dx);

#endif
