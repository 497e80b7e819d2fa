/* Which token comes next. */
#ifndef EXAMPLES_GPT_SAMPLER_H
#define EXAMPLES_GPT_SAMPLER_H

#include "core/tapegrad.h"

typedef struct sampler {
    double temperature; /* 0: always the likeliest */
    int64_t top_k;      /* only the k likeliest, at least 1; those as likely as the last of them too, as in nanoGPT */
    double top_p;       /* of those the fewest whose probabilities add up to this (Holtzman et al. 2020); 1: all */
} sampler;

/* Draws from softmax(logits / temperature), with a number of the tape's generator. Ends the program unless the logits
 * are finite. */
int64_t sampler_draw(const sampler *s, tg_tensor logits);

#endif
