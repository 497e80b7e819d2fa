/* Prompts with answers to learn, from a file of JSON lines: {"prompt": "two plus five", "answer": " seven"}, or with
 * token ids instead of texts: {"prompt": [1, 17], "answer": [4, 2]}. */
#ifndef EXAMPLES_GPT_EXAMPLES_H
#define EXAMPLES_GPT_EXAMPLES_H

#include "examples/gpt/checkpoint.h"

/* The prompt's ids, then the answer's; after a textual answer the end-of-text token, if the model has one. */
typedef struct example {
    int32_t *id;
    int64_t n, prompt; /* ids in all, and of the prompt */
} example;

typedef struct example_list {
    example *example;
    int64_t n, answers; /* answers: ids to learn, in total */
} example_list;

/* Ends the program with the number of the first invalid line. */
example_list examples_read(const checkpoint *c, const char *path);
/* A hash of the lines. */
int64_t examples_digest(const example_list *l);
void examples_free(example_list *l);

#endif
