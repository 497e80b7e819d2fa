/* Environment variables, and warnings about their values. */
#ifndef TAPEGRAD_RUNTIME_H
#define TAPEGRAD_RUNTIME_H

#include "core/op.h"

/* An environment variable's value; NULL when it is unset or empty. */
const char *tg_environment(const char *name);

typedef enum { TG_WARN_ISA, TG_WARN_THREADS, TG_N_WARNINGS } tg_warning_kind;
/* Note a warning for tg_warning(); only the first of each kind is kept. */
void tg_warn(tg_warning_kind kind, const char *format, ...) TG_PRINTF(2, 3);
/* The warnings noted so far, a line each. */
const char *tg_warnings(void);

#endif
