#include "examples/common/output.h"

#include <errno.h>
#include <signal.h>
#include <stdarg.h>
#include <string.h>

void output_begin(void) {
#ifdef SIGXFSZ
    signal(SIGXFSZ, SIG_IGN);
#endif
}

void say(FILE *out, const char *format, ...) {
    char line[16384]; /* three paths */
    va_list args;
    va_start(args, format);
    vsnprintf(line, sizeof line, format, args);
    va_end(args);
    tg_make_printable(line);
    fprintf(out, "%s\n", line);
}

const char *output_problem(void) {
    errno = 0;
    if (!fflush(stdout) && !ferror(stdout))
        return NULL;
    return errno ? strerror(errno) : "it failed before";
}

int output_end(const char *program, int status) {
    const char *why = output_problem();
    if (why)
        fprintf(stderr, "%s: could not write the output: %s\n", program, why);
    return why && !status ? 1 : status;
}
