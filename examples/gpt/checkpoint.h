/* A model and its tokenizer in a file, beside the weights: as safetensors, readable elsewhere too. */
#ifndef EXAMPLES_GPT_CHECKPOINT_H
#define EXAMPLES_GPT_CHECKPOINT_H

#include "examples/gpt/model.h"
#include "examples/gpt/tokenizer.h"

typedef struct checkpoint {
    tg_tape *t;
    gpt g;
    tokenizer tokenizer;
} checkpoint;

/* A new model with random weights, and its tokenizer. */
checkpoint checkpoint_new(gpt_config config, tokenizer k, uint64_t seed);
/* The model in a file, for inference, without an optimizer. Ends the program when the file is not a checkpoint. */
checkpoint checkpoint_load(const char *path);
void checkpoint_free(checkpoint *c);
/* Stores the model's current sizes for saving, after a file's were loaded over them. */
void checkpoint_note_config(checkpoint *c);

/* A file's description of its model, without its weights. */
gpt_config checkpoint_config(const char *path);
tokenizer checkpoint_tokenizer(const char *path);
/* True when this program saved the file; false also for anything else. */
bool checkpoint_is_ours(const char *path);

/* The error of a model of these sizes, valid until the next call; NULL: none. Sizes are named like the options or, with
 * names, like a file's fields. */
typedef struct size_names {
    const char *width, *heads, *kv_heads, *head_width;
} size_names;
const char *config_problem(const gpt_config *config);
const char *config_problem_in(const gpt_config *config, const size_names *names);

/* GPT-2's weights in Hugging Face's files, whose matrices are (in, out), ours (out, in). Returns the number of rules.
 */
typedef struct published_layout {
    char ours[4][64], theirs[5][64];
    tg_file_rule rule[5];
} published_layout;
int published_rules(const char *prefix, published_layout *l);

/* The name of the first parameter with a NaN or Inf, or NULL. */
const char *name_not_finite(const checkpoint *c);
/* Other weights, another number. */
int64_t checkpoint_digest(const checkpoint *c);
/* The default end of a text, plus 1: <|endoftext|> of byte pairs, or of GPT-2's ids without them; 0: none. */
int64_t usual_end(const tokenizer *k, int64_t vocabulary);
/* The token that a text begins with. */
int64_t checkpoint_start(const checkpoint *c);

#endif
