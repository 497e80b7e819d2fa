#include "examples/common/must.h"
#include "examples/common/output.h"

#include <stdlib.h>
#include <unistd.h>

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

void must_close(FILE *file, const char *path) {
    if (!(ferror(file) | fclose(file)))
        return;
    (void)unlink(path);
    die("%s: could not be written", path);
}

void must_flush(void) {
    const char *why = output_problem();
    if (why)
        die("could not write the output: %s", why);
}
