/* How gpt and encoder end when they fail. Tests and examples/mpi have their own. */
#include "examples/gpt/gpt.h"

#include <stdarg.h>
#include <stdio.h>
#include <unistd.h>

/* _exit: nobody gives back, one by one, what a command holds wherever it fails; the system takes it all. */
_Noreturn void die(const char *format, ...) {
    va_list args;
    fflush(stdout);
    fprintf(stderr, "%s: ", program_name);
    va_start(args, format);
    vfprintf(stderr, format, args);
    va_end(args);
    fputc('\n', stderr);
    _exit(FAILED);
}

_Noreturn void usage(const char *what, const char *why) {
    fflush(stdout);
    fprintf(stderr, "%s: %s %s; --help tells more\n", program_name, what, why);
    _exit(USAGE);
}
