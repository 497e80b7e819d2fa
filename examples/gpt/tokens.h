/* Token ids to learn from. */
#ifndef EXAMPLES_GPT_TOKENS_H
#define EXAMPLES_GPT_TOKENS_H

#include "examples/gpt/model.h"

typedef struct tokens {
    int64_t n;
    int32_t *id;
} tokens;

void tokens_free(tokens *d);
/* n of them from position `at` on. */
void tokens_read(const tokens *d, int64_t at, int64_t n, int64_t *out);

/* Mean loss in nats of the first `windows` windows of T tokens, one behind another, each token predicted from those
 * before it in its window; windows < 0: all there are. *count (may be NULL): how many tokens were predicted. */
double tokens_loss(const gpt *g, const tokens *d, int64_t T, int64_t windows, int64_t *count);

#endif
