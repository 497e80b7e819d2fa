/* What the suites use of POSIX and WASI has not. Its programs cannot start others: the one that runs them, wasi.mjs,
 * runs the program again for a test, as a new instance that is told which. */
#ifndef TAPEGRAD_TEST_WASI_H
#define TAPEGRAD_TEST_WASI_H

#include <stdio.h>
#include <stdlib.h>
#include <sys/types.h>

__attribute__((import_module("tests"), import_name("run"))) int run_again(int number);

/* There are no files: a temporary one is in memory, a folder cannot be made. */
#define tmpfile() fmemopen(NULL, 1 << 20, "w+")
static inline char *mkdtemp(char *name) { return (void)name, NULL; }

/* In place of a fork: 0 in the instance that is told this number; n + 1 elsewhere. */
static inline pid_t fork_for_test(int n) {
    const char *number = getenv("TEST_NUMBER");
    return number && atoi(number) == n ? 0 : n + 1;
}
static inline pid_t waitpid(pid_t child, int *status, int flags) {
    *status = flags;
    if (!getenv("TEST_NUMBER"))
        *status = run_again((int)child - 1) << 8;
    return child;
}
static inline unsigned alarm(unsigned seconds) { return seconds; } /* who starts the suite limits its time */

#endif
