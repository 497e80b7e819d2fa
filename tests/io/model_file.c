#include "tests/io/model_file.h"
#include "tests/support.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

char directory[300], path[400];

void make_model_directory(const char *suite) {
    ck_assert_msg(make_folder(suite, directory, sizeof directory), "no folder for files");
    snprintf(path, sizeof path, "%s/model.safetensors", directory);
}

void remove_directory(void) {
    unlink(path);
    ck_assert_msg(rmdir(directory) == 0, "a file was left behind");
}

void write_file(const void *data, size_t n) {
    FILE *f = fopen(path, "wb");
    ck_assert_ptr_nonnull(f);
    ck_assert_uint_eq(fwrite(data, 1, n, f), n);
    ck_assert_int_eq(fclose(f), 0);
}

size_t read_file(uint8_t *data, size_t size) {
    FILE *f = fopen(path, "rb");
    ck_assert_ptr_nonnull(f);
    size_t n = fread(data, 1, size, f);
    fclose(f);
    return n;
}

uint16_t in_file_16(uint16_t n) {
    uint8_t bytes[2] = {(uint8_t)n, (uint8_t)(n >> 8)};
    memcpy(&n, bytes, sizeof n);
    return n;
}
uint64_t in_file(uint64_t n) {
    uint8_t bytes[8];
    for (int i = 0; i < 8; i++)
        bytes[i] = (uint8_t)(n >> 8 * i);
    memcpy(&n, bytes, sizeof n);
    return n;
}

void write_header_and(const char *header, size_t n, const void *data, size_t data_size) {
    uint8_t file[4096];
    uint64_t length = in_file(n);
    ck_assert_uint_lt(8 + n + data_size, sizeof file);
    memcpy(file, &length, 8);
    memcpy(file + 8, header, n);
    if (data_size)
        memcpy(file + 8 + n, data, data_size);
    write_file(file, 8 + n + data_size);
}

void expect_load_error(tg_tape *t, tg_status status, const char *text) {
    tg_status got = tg_load(t, path);
    ck_assert_msg(got == status && tg_tape_status(t) == status, "status %d, not %d: %s", (int)got, (int)status,
                  tg_error(t));
    ck_assert_msg(strstr(tg_error(t), text) != NULL, "expected '%s' in: %s", text, tg_error(t));
    ck_assert_msg(strstr(tg_error(t), path) != NULL, "%s", tg_error(t));
    ck_assert_ptr_null(strchr(tg_error(t), '\n'));
    tg_clear_error(t);
}
