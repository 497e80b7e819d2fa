/* gpt train | sample | eval | encode | import | export | info: what the commands share. */
#ifndef EXAMPLES_GPT_H
#define EXAMPLES_GPT_H

#include "core/tapegrad.h"

/* Each takes its own arguments, argv[0] being the command, and returns the exit status. */
int gpt_train(int argc, char **argv);
int gpt_sample(int argc, char **argv);
int gpt_eval(int argc, char **argv);
int gpt_encode(int argc, char **argv);
int gpt_import(int argc, char **argv);
int gpt_export(int argc, char **argv);
int gpt_finetune(int argc, char **argv);
int gpt_logits(int argc, char **argv);
int gpt_info(int argc, char **argv);

/* Exit statuses; after a signal 128 and its number. */
enum { DONE, FAILED, USAGE };

extern const char program_name[]; /* in front of every message; each main.c has its own */

/* One line on stderr, and the end. must: for calls on a tape, which knows what went wrong. */
_Noreturn void die(const char *format, ...) TG_PRINTF(1, 2);
void must(tg_tape *t, tg_status status);
void *must_allocate(size_t n, size_t size);
_Noreturn void usage(const char *what, const char *why);
/* Closes a new file; one that is not whole is removed, and the program ends. */
void must_close(FILE *file, const char *path);
/* The output is whole, or the program ends: for who is about to return. */
void must_flush(void);

/* ---- options ---- */

typedef enum { INTEGER, NUMBER, WORD, FLAG } gpt_option_kind;
typedef struct gpt_option {
    const char *name; /* "--steps"; "" for what is no gpt_option */
    gpt_option_kind kind;
    void *value; /* int64_t, double, const char * or bool */
    double low, high;
    bool given;
} gpt_option;

/* Reads a command's arguments; after --help or -h prints help and ends. n options. */
void gpt_options_read(int argc, char **argv, const char *help, gpt_option *all, int n);
bool gpt_option_given(const gpt_option *all, int n, const char *name);

#endif
