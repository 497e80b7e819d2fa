/* tg_load on any bytes: nothing out of bounds, an error or the whole, and after an error no number was changed.
 * `make fuzz-load` runs it under libFuzzer. */
#define _GNU_SOURCE /* memfd_create */
#include "core/io/serialize.h"

#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const double before[6] = {1, -2, 3, -4, 5, -6};

static void must(bool holds) {
    if (!holds)
        abort();
}

/* The header's entries lie within the data, side by side, and their names within the header. */
static void check_parser(const uint8_t *data, size_t size, uint64_t data_size) {
    char *header = malloc(size + 1);
    tg_st_entry *entries = malloc(tg_st_capacity(size) * sizeof *entries);
    size_t count;
    tg_json_problem problem;
    must(header && entries);
    if (size)
        memcpy(header, data, size);
    if (tg_st_parse(header, size, data_size, entries, &count, &problem)) {
        uint64_t total = 0;
        must(count <= tg_st_capacity(size));
        for (size_t i = 0; i < count; i++) {
            tg_shape shape;
            must(entries[i].begin <= entries[i].end && entries[i].end <= data_size);
            must(entries[i].name >= header && entries[i].name + entries[i].name_length <= header + size);
            must(tg_json_is_utf8(entries[i].name, entries[i].name_length));
            must(tg_st_dtype_name(entries[i].dtype) != NULL);
            (void)tg_st_shape(&entries[i], &shape);
            total += entries[i].end - entries[i].begin;
        }
        must(total == data_size);
    } else {
        must(problem.text[0] != '\0');
    }
    free(entries);
    free(header);
}

/* A file in memory with these bytes, made once. */
static const char *path_of(const uint8_t *data, size_t size) {
    static int fd = -1;
    static char path[40];
    if (fd < 0)
        fd = memfd_create("load_fuzz", 0);
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    must(fd >= 0 && ftruncate(fd, 0) == 0 && pwrite(fd, data, size, 0) == (ssize_t)size);
    return path;
}

static void check_load(const uint8_t *data, size_t size) {
    tg_tape *t = tg_tape_new(TG_F32);
    double after[6];
    must(t != NULL);
    tg_tensor a = tg_parameter(t, "a", tg_from_doubles(t, TG_SHAPE(2, 3), before));
    tg_tensor b = tg_buffer(t, "b", tg_arange(t, 2));
    size_t reserved = tg_tape_memory(t).reserved;
    tg_status status = tg_load(t, path_of(data, size));
    must(status == tg_tape_status(t) && (status == TG_OK || tg_error(t)[0] != '\0'));
    must(tg_tape_memory(t).reserved == reserved);
    if (status)
        tg_clear_error(t);
    must(tg_read_doubles(a, after, 6) == TG_OK);
    must(!status || memcmp(before, after, sizeof before) == 0);
    must(tg_read_doubles(b, after, 2) == TG_OK);
    must(!status || (after[0] == 0 && after[1] == 1));
    tg_tape_free(t);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size == 0)
        return 0;
    check_parser(data, size, 0);
    if (size > 8) {
        uint64_t n;
        memcpy(&n, data, sizeof n);
        if (n <= size - 8)
            check_parser(data + 8, (size_t)n, size - 8 - n);
    }
    check_load(data, size);
    return 0;
}
