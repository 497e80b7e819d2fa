/* Rotary positions: what core/ops/rope.c records, and the frequencies that its kernels turn by. */
#ifndef TAPEGRAD_ROPE_H
#define TAPEGRAD_ROPE_H

#include "core/op.h"

/* The node's attributes; scaling.attention_factor is the one to use. */
typedef struct tg_rope_attr {
    tg_rope_config config;
    tg_rope_scaling scaling;
    double low, high; /* yarn: below pair `low` frequencies stay, above `high` all are divided by the factor */
} tg_rope_attr;

/* True when x can be turned so; false after tg_fail. */
bool tg_rope_is_valid(tg_tape *t, const tg_node *x, const tg_rope_config *config, const tg_rope_scaling *scaling);
/* Of valid ones, where config.dims is the number of channels to turn. */
tg_rope_attr tg_rope_attr_of(tg_rope_config config, tg_rope_scaling scaling);
/* The angle from one position to the next, of pair i. */
double tg_rope_frequency(const tg_rope_attr *a, int64_t i);

#endif
