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

void output_may_end(void) {
#ifdef SIGPIPE
    signal(SIGPIPE, SIG_IGN);
#endif
}

static char complete[4200]; /* "; PATH is complete", or "" */

void output_after(const char *path) { snprintf(complete, sizeof complete, "; %.4096s is complete", path); }

const char *output_problem(void) {
    static int reason; /* the first reason: later calls fail as a consequence */
    static char text[sizeof complete + 200];
    errno = 0;
    if (!fflush(stdout) && !ferror(stdout))
        return NULL;
    reason = reason ? reason : errno;
    snprintf(text, sizeof text, "%.190s%s", reason ? strerror(reason) : "it failed before", complete);
    return text;
}

int output_end(const char *program, int status) {
    const char *why = output_problem();
    if (why)
        say(stderr, "%s: could not write the output: %s", program, why);
    return why && !status ? 1 : status;
}
