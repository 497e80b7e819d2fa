/* Models and adapters in folders, as in transformers and PEFT. On failure each function ends the program with one line:
 * the file, the field and its value, the tensor. */
#ifndef EXAMPLES_GPT_FOLDER_H
#define EXAMPLES_GPT_FOLDER_H

#include "examples/gpt/checkpoint.h"
#include "examples/gpt/json.h"

typedef struct place {
    char s[4096];
} place;
/* FOLDER/NAME */
place in(const char *folder, const char *name);
bool is_there(const char *path);
bool is_folder(const char *path);
/* Creates the folder if missing, and removes it again if the program ends with nothing in it. None of these files
 * (NULL-terminated) may exist in it: nothing is replaced. */
void folder_prepare(const char *folder, const char *const *files);
void must_be_new(const char *path);
/* Files that are of use together only: each is written as its part, FOLDER/FILE.part, where a process that was killed
 * may have left one; finish gives the parts their names when all are whole, in the order of the list. */
place folder_part(const char *folder, const char *file);
void folder_finish(const char *folder, const char *const *files);
FILE *must_create(const char *path);
/* Like must; removes the then useless file before the program ends. */
void must_or_remove(tg_tape *t, tg_status status, const char *path);

/* ---- JSON files ---- */

typedef struct json_file {
    const char *path;
    unsigned char *bytes; /* freed by json_close */
    json value;
} json_file;
json_file json_open(const char *path); /* an object */
void json_close(json_file *f);
/* "it is VALUE; WANTED", about a field of the file. */
_Noreturn void json_refuse(const json_file *f, const char *name, json value, const char *wanted);
/* A field of an object; null counts as absent where may_be_null says so. */
json json_field(json object, const char *name);
/* Readers of fields, one per type; they refuse every other value. An integer, a number, a truth value, from low to
 * high; missing: the result without such a field; NAN or below low: the field is required. */
int64_t json_whole(const json_file *f, json object, const char *name, int64_t low, int64_t high, int64_t missing);
double json_real(const json_file *f, json object, const char *name, double low, double high, double missing);
bool json_true(const json_file *f, json object, const char *name, bool missing);
/* The index of one of n words; a list '[' or an object '{', or nothing. */
int json_word(const json_file *f, json object, const char *name, const char *const *allowed, int n, int missing);
json json_container(const json_file *f, json object, const char *name, char kind);

/* ---- models ---- */

/* The contents of config.json for a model of Llama's family, or GPT-2; context: fewer positions than it has, 0: all. */
gpt_config folder_config(const char *folder, int64_t context);
/* Loads its weights, from one file or the index of several, into a model of its sizes. */
void folder_load(checkpoint *c, const char *folder);
/* Ends the program when a file's head differs from the token embedding to which the model's is tied. */
void check_tied_head(const checkpoint *c, const char *path);
/* Its byte pairs, if tokenizer.json is of a supported kind; else none, and a line that says which kind it is. */
tokenizer folder_tokenizer(const char *folder, const gpt_config *config);
/* Writes config.json for a model that transformers support; only into a new file. */
void folder_write_config(const checkpoint *c, const char *path);

/* ---- adapters ---- */

typedef struct adapters {
    int64_t rank;
    double alpha, dropout;
} adapters;
/* Adapters in PEFT's format; save: those not merged. */
adapters adapters_load(checkpoint *c, const char *folder);
void adapters_save(const checkpoint *c, const char *folder, adapters a);
extern const char *const adapter_files[];

#endif
