/* A task that needs attention: recall who eats what.
 *
 * A sentence says what four people eat, then asks about some of them:
 *     Ann tea Bob pie Eva egg Kim jam   Eva egg Ann tea Eva egg Bob pie
 * After a name in the second half, the next word is determined by its first occurrence and by nothing else: names, food
 * and questions are redrawn for every sentence. */
#ifndef EXAMPLES_RECALL_H
#define EXAMPLES_RECALL_H

#include "core/tapegrad.h"

enum {
    RECALL_NAMES = 8,
    RECALL_FOODS = 8,
    RECALL_WORDS = RECALL_NAMES + RECALL_FOODS,
    RECALL_FACTS = 4,                                     /* told in a sentence */
    RECALL_QUESTIONS = 4,                                 /* asked in it */
    RECALL_LENGTH = 2 * (RECALL_FACTS + RECALL_QUESTIONS) /* words in it */
};

extern const char *const recall_word[RECALL_WORDS];

/* n sentences: word (n, RECALL_LENGTH - 1) without each sentence's last, next (the same shape) the word that follows
 * each where it answers a question, TG_IGNORE_INDEX elsewhere. Drawn from the tape's generator. */
tg_status recall_sentences(tg_tape *t, int64_t n, int64_t *word, int64_t *next);

#endif
