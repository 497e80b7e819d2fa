/* Work on several threads. */
#ifndef TAPEGRAD_THREADS_H
#define TAPEGRAD_THREADS_H

#include <stdint.h>

/* How many workers a job started here may have. tg_set_threads may change it at any moment: a caller that needs scratch
 * per worker reads it once, and passes the same number to tg_parallel. */
int tg_workers(void);

/* Run task(context, i, worker) for every i in 0 .. n - 1, on several threads when they are free; each worker,
 * 0 .. workers - 1, runs one task at a time. Tasks must not depend on one another, nor their results on which worker
 * runs them. A tg_parallel called from a task (of more than one) runs in that thread. Handing work over costs about a
 * microsecond (more when the workers sleep), so callers run anything shorter than some ten microseconds themselves. */
typedef void tg_task(void *context, int64_t i, int worker);
void tg_parallel(int workers, int64_t n, tg_task *task, void *context);

/* 0 .. n - 1 in blocks of `block`, the last one shorter: task(context, begin, end), on as many threads as there are.
 * Where blocks begin does not depend on their number, so a task may sum over its block. */
typedef void tg_range_task(void *context, int64_t begin, int64_t end);
void tg_parallel_range(int64_t n, int64_t block, tg_range_task *task, void *context);

#endif
