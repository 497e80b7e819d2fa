/* Linked into a program: FAULT="N ERROR" makes its system call N fail. At its end it writes how many it has made to the
 * file FAULT_CALLS. */
#include "tests/io/system.h"

#include <stdio.h>
#include <stdlib.h>

static void write_count(void) {
    const char *path = getenv("FAULT_CALLS");
    FILE *f = path ? fopen(path, "w") : NULL;
    int n = system_end();
    if (!f)
        return;
    fprintf(f, "%d\n", n);
    fclose(f);
}

__attribute__((constructor)) static void begin(void) {
    fault f = {.how = DOES_NOTHING};
    const char *text = getenv("FAULT");
    if (text && sscanf(text, "%d %d", &f.at, &f.error) == 2)
        f.how = FAILS;
    system_begin(f);
    atexit(write_count);
}
