#include "examples/common/must.h"
#include "examples/common/output.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void (*before_dying)(void);

/* The message of a call on a file, without the call's name: the user knows only the file's. */
static const char *message_of(const tg_tape *t) {
    static const char *const calls[] = {"list_file: ", "check_save: ", "load: ",     "save: ",    "load_run: ",
                                        "save_run: ",  "load_npy: ",   "save_npy: ", "lora_add: "};
    const char *text = tg_error(t);
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++)
        if (!strncmp(text, calls[i], strlen(calls[i])))
            return text + strlen(calls[i]);
    return text;
}

void must(tg_tape *t, tg_status status) {
    if (status || tg_tape_status(t))
        die("%s", t ? message_of(t) : "out of memory");
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
