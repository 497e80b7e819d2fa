/* Rotary positions: attributes of core/ops/rope.c, and the frequencies of its kernels. */
#ifndef TAPEGRAD_ROPE_H
#define TAPEGRAD_ROPE_H

#include "core/op.h"

/* The node's attributes; scaling.attention_factor is resolved. */
typedef struct tg_rope_attr {
    tg_rope_config config;
    tg_rope_scaling scaling;
    double low, high; /* yarn: frequencies below pair `low` stay, those above `high` are divided by the factor */
} tg_rope_attr;

/* True when this rope applies to x; false after tg_fail. */
bool tg_rope_is_valid(tg_tape *t, const tg_node *x, const tg_rope_config *config, const tg_rope_scaling *scaling);
/* From a valid config, with config.dims the number of channels to turn. */
tg_rope_attr tg_rope_attr_of(tg_rope_config config, tg_rope_scaling scaling);
/* The angle from one position to the next, of pair i. */
double tg_rope_frequency(const tg_rope_attr *a, int64_t i);

#endif
