/* Sampling of the next token. */
#ifndef EXAMPLES_GPT_SAMPLER_H
#define EXAMPLES_GPT_SAMPLER_H

#include "core/tapegrad.h"

typedef struct sampler {
    double temperature; /* 0: always the most likely */
    int64_t top_k;      /* only the k most likely, at least 1, with ties for the last, as in nanoGPT */
    double top_p;       /* of those the fewest whose probabilities sum to this (Holtzman et al. 2020); 1: all */
} sampler;

/* Draws from softmax(logits / temperature), with one number from the tape's generator. Ends the program unless the
 * logits are finite. */
int64_t sampler_draw(const sampler *s, tg_tensor logits);

#endif
