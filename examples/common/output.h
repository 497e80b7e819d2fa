/* What a program prints: lines that hold names from outside, and whether all of it arrived. */
#ifndef EXAMPLES_OUTPUT_H
#define EXAMPLES_OUTPUT_H

#include "core/tapegrad.h"

/* A file or output that may not grow (ulimit -f) is an error to be told, as a full disk is, and no signal that ends the
 * program. For programs that write files; what they start inherits it. */
void output_begin(void);

/* Prints one line, its end included, of which no name or path can make two, or command a terminal. */
void say(FILE *out, const char *format, ...) TG_PRINTF(2, 3);

/* What the program is for is a file: it goes on when nobody reads its output any more, and is not ended by a signal. */
void output_may_end(void);
/* This file or folder is complete, whatever becomes of the output, whose problem tells it. */
void output_after(const char *path);
/* NULL when all that the program printed so far could be written; else why not. */
const char *output_problem(void);

/* A program's last words: its exit status, which is 1 instead of 0, after a line on stderr, when not all that it
 * printed could be written. */
int output_end(const char *program, int status);

#endif
