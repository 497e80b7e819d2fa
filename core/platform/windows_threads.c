/* Threads under Windows. */
#include "core/platform/platform.h"

#ifdef _WIN32
#define WIN32_LEAN_AND_MEAN
#include <windows.h>

int tg_cores(void) {
    DWORD_PTR ours, all;
    int n = GetProcessAffinityMask(GetCurrentProcess(), &ours, &all) ? __builtin_popcountll(ours) : 0;
    return n < 1 ? 1 : n;
}

/* No signal handlers that run in arbitrary threads, and no fork(). */

bool tg_thread_start(pthread_t *thread, void *(*work)(void *), void *context) {
    return pthread_create(thread, NULL, work, context) == 0;
}

bool tg_at_fork(void (*before)(void), void (*in_parent)(void), void (*in_child)(void)) {
    (void)before, (void)in_parent, (void)in_child;
    return true;
}
#endif
