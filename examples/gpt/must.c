/* Calls that end the program when they fail. */
#include "examples/gpt/gpt.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

void must(tg_tape *t, tg_status status) {
    if (status || tg_tape_status(t))
        die("%s", t ? tg_error(t) : "out of memory");
}

void *must_allocate(size_t n, size_t size) {
    void *block = calloc(n ? n : 1, size);
    if (!block)
        die("out of memory");
    return block;
}

void must_flush(void) {
    if (fflush(stdout) || ferror(stdout))
        die("could not write the output: %s", strerror(errno));
}
