/* Program termination on failure. Tests and examples/mpi have their own. */
#include "examples/common/must.h"
#include "examples/common/output.h"

#include <stdarg.h>
#include <unistd.h>

/* _exit: the system releases everything. */
_Noreturn void die(const char *format, ...) {
    char why[8192];
    va_list args;
    va_start(args, format);
    vsnprintf(why, sizeof why, format, args);
    va_end(args);
    fflush(stdout);
    say(stderr, "%s: %s", program_name, why);
    if (before_dying)
        before_dying();
    _exit(FAILED);
}

_Noreturn void usage(const char *what, const char *why) {
    fflush(stdout);
    say(stderr, "%s: %s %s; --help tells more", program_name, what, why);
    _exit(USAGE);
}
