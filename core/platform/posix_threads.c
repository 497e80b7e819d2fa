/* Threads under POSIX. */
#if defined(__linux__) && !defined(_GNU_SOURCE)
#define _GNU_SOURCE /* sched_getaffinity */
#endif
#ifdef __APPLE__
#define _DARWIN_C_SOURCE /* _SC_NPROCESSORS_ONLN */
#endif
#include "core/platform/platform.h"

#ifndef _WIN32

#include <sched.h>
#include <signal.h>
#include <unistd.h>

int tg_cores(void) {
#ifdef __linux__
    cpu_set_t set;
    int n = sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 0;
#else
    int n = (int)sysconf(_SC_NPROCESSORS_ONLN);
#endif
    return n < 1 ? 1 : n;
}

bool tg_thread_start(pthread_t *thread, void *(*work)(void *), void *context) {
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    int error = pthread_create(thread, NULL, work, context);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return error == 0;
}

bool tg_at_fork(void (*before)(void), void (*in_parent)(void), void (*in_child)(void)) {
    return pthread_atfork(before, in_parent, in_child) == 0;
}

#endif
