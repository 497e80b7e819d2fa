#include "core/kernels/runtime.h"
void tg_parallel(int64_t n, tg_task *task, void *context) {
    for (int64_t i = 0; i < n; i++)
        task(context, i, 0);
}
int tg_workers(void) { return 1; }
