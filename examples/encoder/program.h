/* encoder embed | finetune | info: shared by the commands. */
#ifndef EXAMPLES_ENCODER_PROGRAM_H
#define EXAMPLES_ENCODER_PROGRAM_H

#include "examples/common/must.h"
#include "examples/common/options.h"
#include "examples/encoder/model.h"
#include "examples/encoder/wordpiece.h"

/* A folder with model.safetensors, config.json and vocab.txt. */
typedef struct encoder {
    tg_tape *t;
    bert model;
    wordpiece words;
} encoder;
encoder encoder_open(const char *folder);
void encoder_free(encoder *e);

/* FOLDER/NAME; a file's text, NUL-terminated. Errors end the program. */
typedef struct place {
    char s[4096];
} place;
place in_folder(const char *folder, const char *name);
char *read_text(const char *path);
/* A number of a JSON file by name. must_be: the name's value, if present, must be this. Errors end the program. */
double number_in(const char *path, const char *name, double low, double high);
void must_be(const char *path, const char *name, const char *value);
/* Load, or end the program after a line for each tensor that does not fit. */
void must_load(tg_tape *t, const char *path, tg_load_config config);

enum { MOST_TOKENS = 256 /* as all-MiniLM-L6-v2 was trained */, MOST_RANK = 1024 };
/* Embeddings of n sentences at once, padded to the longest: (n, C). */
tg_tensor encoder_embed(const encoder *e, const char *const *sentence, int n);

int encoder_embed_command(int argc, char **argv);
int encoder_finetune(int argc, char **argv);
int encoder_info(int argc, char **argv);

#endif
