/* A program of the examples, run as a person runs it, in a folder of its own. It lies beside the suite that runs it. */
#ifndef TAPEGRAD_TEST_PROGRAM_H
#define TAPEGRAD_TEST_PROGRAM_H

#include "tests/support.h"

#include <sys/types.h>

enum { MOST = 1 << 20 };

typedef struct run {
    int status; /* the exit status; -1 when a signal ended it */
    char out[MOST], err[4096];
} run;

/* Output and errors through files, so that neither can fill up; the input is the folder's file "stdin", when there is
 * one. */
const run *run_program(const char *const *arguments);
#define RUN(...) run_program((const char *const[]){__VA_ARGS__, NULL})

/* From now on it is this one, which lies there as well. */
void use_program(const char *name);
/* From now on no file that it writes may have more bytes; 0: any number. */
void limit_files(size_t bytes);

/* Starts the program in the folder, with these files as its output and error channel. */
pid_t start(const char *const *arguments, int out, int err);
int status_of(pid_t child); /* when it has ended, as in run */
/* All that is left to read, as text; closes the file. */
void read_all(int fd, char *text, size_t size);

const char *in_folder(const char *name);
void write_file(const char *name, const void *bytes, size_t n);
/* The bytes of a file, which has to be there, at most MOST; n: how many. They stay until two more files are read. */
const char *file_bytes(const char *name, size_t *n);
bool same_file(const char *a, const char *b);

/* What a suite's main does; self: argv[0], of: the program. */
int run_program_tests(const char *self, const char *of, const char *name, const TTest *const *tests, int n);

#endif
