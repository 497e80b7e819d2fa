/* What loading leaves in memory: resident bytes of this process before and after 100 files that lie, and one load of
 * 200 MB. Linux only (/proc/self/statm). */
#define _DEFAULT_SOURCE
#include "core/tapegrad.h"
#include "examples/common/output.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { NUMBERS = 50000000 };
static const double MEGABYTE = 1 << 20;

static void must(bool holds, const char *what) {
    if (holds)
        return;
    fprintf(stderr, "load_memory: %s\n", what);
    exit(1);
}

static double resident(void) {
    long pages[2] = {0};
    FILE *f = fopen("/proc/self/statm", "r");
    must(f && fscanf(f, "%ld %ld", &pages[0], &pages[1]) == 2, "no /proc/self/statm");
    fclose(f);
    return (double)pages[1] * (double)sysconf(_SC_PAGESIZE) / MEGABYTE;
}

/* The length of a header, this text, and zeros up to size. */
static void write_file(const char *path, uint64_t length, const char *header, off_t size) {
    FILE *f = fopen(path, "wb");
    must(f && fwrite(&length, 8, 1, f) == 1 && fputs(header, f) >= 0 && fclose(f) == 0 && truncate(path, size) == 0,
         "the file cannot be written");
}

int main(void) {
    char path[300], header[120];
    const char *temporary = getenv("TMPDIR");
    snprintf(path, sizeof path, "%s/load_memory-XXXXXX", temporary && *temporary ? temporary : "/tmp");
    int fd = mkstemp(path);
    must(fd >= 0 && close(fd) == 0, "no file for it");
    tg_tape *t = tg_tape_new(TG_F32);
    tg_tensor w = tg_parameter(t, "w", tg_full(t, TG_SHAPE(NUMBERS), 1));
    must(!tg_is_null(w), tg_error(t));
    double start = resident();
    for (int i = 0; i < 100; i++) {
        uint64_t length = 1000000 + (uint64_t)i * 500000;
        write_file(path, length, "{\"w\":", (off_t)length + 8);
        must(tg_load(t, path) == TG_ERR_FORMAT, "a file that lies was loaded");
        tg_clear_error(t);
    }
    double failed = resident();
    int n = snprintf(header, sizeof header, "{\"w\":{\"dtype\":\"F32\",\"shape\":[%d],\"data_offsets\":[0,%d]}}",
                     NUMBERS, 4 * NUMBERS);
    write_file(path, (uint64_t)n, header, 8 + n + 4 * (off_t)NUMBERS);
    must(tg_load(t, path) == TG_OK, tg_error(t));
    double loaded = resident();
    unlink(path);
    printf("resident memory: %+.2f MB after 100 failed loads, %+.2f MB after a load of 200 MB\n", failed - start,
           loaded - failed);
    tg_tape_free(t);
    return output_end("load_memory", failed - start < 1 && loaded - failed < 1 ? 0 : 1);
}
