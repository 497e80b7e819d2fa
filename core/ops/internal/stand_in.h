/* Private: run an operation's kernel on other data, through a copy of its node and of its inputs' nodes. */
#ifndef TAPEGRAD_STAND_IN_H
#define TAPEGRAD_STAND_IN_H

#include "core/engine.h"

enum { TG_STAND_IN_INPUTS = 4 };

typedef struct tg_stand_in {
    tg_node y, x[TG_STAND_IN_INPUTS];
    tg_node *in[TG_STAND_IN_INPUTS];
    bool recorded[TG_STAND_IN_INPUTS]; /* the inputs whose gradient is wanted */
} tg_stand_in;

/* Copies y, with copies of these inputs in place of its own (at most TG_STAND_IN_INPUTS; some may be NULL), all
 * contiguous and without gradients. The caller sets other data, and a buffer (grad) where a gradient is wanted. */
void tg_stand_in_open(tg_stand_in *s, const tg_node *y, tg_node *const *in);
/* Requests input i's gradient in dx: contiguous, overwritten. */
void tg_stand_in_want(tg_stand_in *s, int i, void *dx);

#endif
