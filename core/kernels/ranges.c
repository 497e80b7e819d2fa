/* Work on ranges (core/kernels/threads.h), on top of tg_parallel. */
#include "core/kernels/threads.h"
#include "core/tapegrad.h"

typedef struct range {
    int64_t n, block;
    tg_range_task *task;
    void *context;
} range;

static void run_range(void *context, int64_t i, int worker) {
    const range *r = context;
    int64_t begin = i * r->block;
    r->task(r->context, begin, r->n - begin > r->block ? begin + r->block : r->n);
    (void)worker;
}

void tg_parallel_range(int64_t n, int64_t block, tg_range_task *task, void *context) {
    range r = {n, block < 1 ? 1 : block, task, context};
    if (n > r.block)
        tg_parallel(tg_workers(), (n - 1) / r.block + 1, run_range, &r);
    else if (n > 0)
        task(context, 0, n);
}

void tg_parallel_for(int64_t n, int64_t grain, tg_parallel_body body, void *context) {
    if (body)
        tg_parallel_range(n, grain, body, context);
}
