/* Program termination on failure: one line on stderr, and the status. */
#ifndef EXAMPLES_MUST_H
#define EXAMPLES_MUST_H

#include "core/tapegrad.h"

/* Exit statuses; after a signal 128 and its number. */
enum { DONE, FAILED, USAGE };

extern const char program_name[]; /* prefix of every message; defined in each main.c */

_Noreturn void die(const char *format, ...) TG_PRINTF(1, 2);
/* Called by die before it ends the program; or NULL. */
extern void (*before_dying)(void);
/* A wrong command line: "PROGRAM: WHAT WHY; --help tells more". */
_Noreturn void usage(const char *what, const char *why);

/* Calls that end the program when they fail. must: with the tape's error. */
void must(tg_tape *t, tg_status status);
void *must_allocate(size_t n, size_t size); /* zeroed */
/* Closes a new file; an incomplete one is removed. */
void must_close(FILE *file, const char *path);
/* Flushes the output; call it before returning from main. */
void must_flush(void);

#endif
