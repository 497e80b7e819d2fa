/* What the suites use of POSIX and Windows has in other words. */
#ifndef TAPEGRAD_TEST_MINGW_H
#define TAPEGRAD_TEST_MINGW_H

#include <direct.h>
#include <io.h>
#include <process.h>
#include <stdio.h>
#include <stdlib.h>

#define mkdir(path, mode) _mkdir(path)

static inline char *mkdtemp(char *name) { return _mktemp(name) && _mkdir(name) == 0 ? name : NULL; }

static inline int setenv(const char *name, const char *value, int replace) {
    return replace || !getenv(name) ? _putenv_s(name, value) : 0;
}
static inline int unsetenv(const char *name) { return _putenv_s(name, ""); }

/* In place of a fork: the program again, told which test it is for. In that, no other is run. */
static inline pid_t fork_for_test(int n) {
    const char *number = getenv("TEST_NUMBER");
    return number && atoi(number) == n ? 0 : n + 1;
}
static inline pid_t waitpid(pid_t child, int *status, int flags) {
    char number[16];
    *status = flags;
    if (getenv("TEST_NUMBER"))
        return child;
    snprintf(number, sizeof number, "%d", (int)child - 1);
    setenv("TEST_NUMBER", number, 1);
    *status = (int)_spawnl(_P_WAIT, _pgmptr, _pgmptr, NULL);
    unsetenv("TEST_NUMBER");
    if (*status == EXIT_FAILURE)
        *status = EXIT_FAILURE << 8;
    return child;
}
static inline unsigned alarm(unsigned seconds) { return seconds; } /* who starts the suite limits its time */

#endif
