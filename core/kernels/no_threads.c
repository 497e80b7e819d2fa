/* Replaces core/kernels/threads.c in builds without threads: everything runs in the calling thread. */
#include "core/kernels/runtime.h"
#include "core/kernels/threads.h"

#ifdef TG_NO_THREADS

int tg_workers(void) { return 1; }

int tg_get_threads(void) {
    const char *text = tg_environment("TG_THREADS");
    if (text && strcmp(text, "1") != 0)
        tg_warn(TG_WARN_THREADS, "TG_THREADS=%.40s, but this build has no threads (TG_NO_THREADS)", text);
    return 1;
}

void tg_set_threads(int n) {
    if (n > 1)
        tg_warn(TG_WARN_THREADS, "set_threads: %d requested, but this build has no threads (TG_NO_THREADS)", n);
}

void tg_parallel(int workers, int64_t n, tg_task *task, void *context) {
    (void)workers;
    for (int64_t i = 0; i < n; i++)
        task(context, i, 0);
}
#endif
