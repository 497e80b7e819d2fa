/* How a program ends when it fails: one line on stderr, and the status. */
#ifndef EXAMPLES_MUST_H
#define EXAMPLES_MUST_H

#include "core/tapegrad.h"

/* Exit statuses; after a signal 128 and its number. */
enum { DONE, FAILED, USAGE };

extern const char program_name[]; /* in front of every message; each main.c has its own */

_Noreturn void die(const char *format, ...) TG_PRINTF(1, 2);
/* A wrong command line: "PROGRAM: WHAT WHY; --help tells more". */
_Noreturn void usage(const char *what, const char *why);

/* Calls that end the program when they fail. must: on a tape, which knows what went wrong. */
void must(tg_tape *t, tg_status status);
void *must_allocate(size_t n, size_t size); /* zeroed */
/* Closes a new file; one that is not whole is removed. */
void must_close(FILE *file, const char *path);
/* The output is whole: for who is about to return. */
void must_flush(void);

#endif
