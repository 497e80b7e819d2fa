/* How gpt and encoder end when they fail. Tests and examples/mpi have their own. */
#include "examples/common/output.h"
#include "examples/gpt/gpt.h"

#include <stdarg.h>
#include <unistd.h>

/* _exit: nobody gives back, one by one, what a command holds wherever it fails; the system takes it all. */
_Noreturn void die(const char *format, ...) {
    char why[8192];
    va_list args;
    va_start(args, format);
    vsnprintf(why, sizeof why, format, args);
    va_end(args);
    fflush(stdout);
    say(stderr, "%s: %s", program_name, why);
    _exit(FAILED);
}

_Noreturn void usage(const char *what, const char *why) {
    fflush(stdout);
    say(stderr, "%s: %s %s; --help tells more", program_name, what, why);
    _exit(USAGE);
}
