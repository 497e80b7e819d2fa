/* Private: threads, and what the environment asks for. */
#ifndef TAPEGRAD_RUNTIME_H
#define TAPEGRAD_RUNTIME_H

#include "core/op.h"

/* An environment variable's value; NULL when it is unset or empty. */
const char *tg_environment(const char *name);

typedef enum { TG_WARN_ISA, TG_WARN_THREADS, TG_N_WARNINGS } tg_warning_kind;
/* Note a warning for tg_warning(); the first of each kind stays. */
void tg_warn(tg_warning_kind kind, const char *format, ...) TG_PRINTF(2, 3);

/* Run task(context, i, worker) for every i in 0 .. n - 1, on several threads when there are any to spare; each
 * worker, 0 .. tg_workers() - 1, runs one task at a time. Tasks must not depend on one another, nor their results
 * on which worker runs them. A task's own tg_parallel runs in its thread. */
typedef void tg_task(void *context, int64_t i, int worker);
void tg_parallel(int64_t n, tg_task *task, void *context);
int tg_workers(void);

#endif
