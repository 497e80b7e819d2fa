/* Prompts with answers to learn, from a file of JSON lines: {"prompt": "two plus five", "answer": " seven"}, or with
 * token ids in place of texts: {"prompt": [1, 17], "answer": [4, 2]}. */
#ifndef EXAMPLES_GPT_EXAMPLES_H
#define EXAMPLES_GPT_EXAMPLES_H

#include "examples/gpt/checkpoint.h"

/* The prompt's ids, then the answer's; of a text the end of a text follows, where the model has one. */
typedef struct example {
    int32_t *id;
    int64_t n, prompt; /* ids in all, and of the prompt */
} example;

typedef struct example_list {
    example *example;
    int64_t n, answers; /* answers: ids to be learnt, of all together */
} example_list;

/* Ends the program with the number of the first line that is broken. */
example_list examples_read(const checkpoint *c, const char *path);
/* Other lines, another number. */
int64_t examples_digest(const example_list *l);
void examples_free(example_list *l);

#endif
