/* A program's output: lines with untrusted names, and checks that all was written. */
#ifndef EXAMPLES_OUTPUT_H
#define EXAMPLES_OUTPUT_H

#include "core/tapegrad.h"

/* Makes a file or output that may not grow (ulimit -f) an error, like a full disk, instead of a signal that kills the
 * program. For programs that write files; child processes inherit it. */
void output_begin(void);

/* Prints one line, with its end; names and paths in it cannot break the line or control the terminal. */
void say(FILE *out, const char *format, ...) TG_PRINTF(2, 3);

/* For a program whose result is a file: it continues when its output is closed, instead of being killed by SIGPIPE. */
void output_may_end(void);
/* Notes that this file or folder is complete, for output_problem to say so. */
void output_after(const char *path);
/* NULL when all output so far was written; else the reason. */
const char *output_problem(void);

/* The program's exit status: 1 instead of 0, after a line on stderr, when not all output could be written. */
int output_end(const char *program, int status);

#endif
