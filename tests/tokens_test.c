/* Files of token ids (examples/gpt) that nanoGPT, llm.c and NumPy write are read, others are refused, and windows come
 * once an epoch. */
#define _FILE_OFFSET_BITS 64 /* files above 2 GiB, where addresses have 32 bits */
#include "examples/gpt/gpt.h"
#include "examples/gpt/tokens.h"
#include "tests/support.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "golden/npy.h"

const char program_name[] = "tokens_test";

static char folder[300], path[400];

static void begin(void) {
    ck_assert(make_folder("tokens_test", folder, sizeof folder));
    snprintf(path, sizeof path, "%s/ids", folder);
}

static void end(void) {
    remove(path);
    ck_assert_int_eq(rmdir(folder), 0);
}

static void write_to(const char *name, const void *bytes, size_t n) {
    FILE *f = fopen(name, "wb");
    ck_assert_uint_eq(fwrite(bytes, 1, n, f), n);
    fclose(f);
}

static void want_ids(const char *name, int width, int64_t n, const int64_t *want) {
    int64_t got[16];
    tokens d = tokens_open(name, width, 1 << 20);
    ck_assert_int_eq(d.n, n);
    tokens_read(&d, 0, n, got);
    for (int64_t i = 0; i < n; i++)
        ck_assert_int_eq(got[i], want[i]);
    tokens_free(&d);
}

static void want_end(const char *contains) {
    int status, ends[2];
    char why[500] = "";
    ck_assert_int_eq(pipe(ends), 0);
    pid_t child = fork();
    if (child == 0) {
        static int64_t out[16];
        dup2(ends[1], STDERR_FILENO);
        tokens d = tokens_open(path, 2, 100);
        tokens_read(&d, 0, d.n, out);
        _exit(0);
    }
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    close(ends[1]);
    ck_assert_int_ge(read(ends[0], why, sizeof why - 1), 0);
    close(ends[0]);
    ck_assert_msg(WIFEXITED(status) && WEXITSTATUS(status) == 1, "status %d", status);
    ck_assert_msg(strstr(why, contains) != NULL, "'%s' is not in '%s'", contains, why);
    ck_assert_msg(strstr(why, path) != NULL, "%s", why);
}

START_TEST(files_of_others_are_read)
{
    static const unsigned char raw[] = {1, 0, 2, 1, 255, 255, 3, 0};
    static unsigned char llmc[1024 + 8];
    const int64_t two[] = {1, 0x102, 65535, 3}, npy_2[] = {1, 0, 2, 65535}, npy_8[] = {5, 4, 3, 2, 1, 0}, npy_1[] = {7};
    begin();
    write_to(path, raw, sizeof raw);
    want_ids(path, 2, 4, two);
    static const unsigned char raw_4[] = {1, 0, 2, 0, 255, 255, 3, 0};
    const int64_t ids_4[] = {0x20001, 0x3ffff};
    write_to(path, raw_4, sizeof raw_4);
    want_ids(path, 4, 2, ids_4);
    /* 20240520 = 0x134d888, 20240801 = 0x134d9a1 */
    memcpy(llmc, (const unsigned char[]){0x88, 0xd8, 0x34, 1, 1, 0, 0, 0, 4}, 9);
    memcpy(llmc + 1024, raw, 8);
    write_to(path, llmc, sizeof llmc);
    want_ids(path, 4, 4, two);
    memcpy(llmc, (const unsigned char[]){0xa1, 0xd9, 0x34, 1, 7, 0, 0, 0, 2}, 9);
    memcpy(llmc + 1024, raw_4, 8);
    write_to(path, llmc, sizeof llmc);
    want_ids(path, 2, 2, ids_4);
    write_to(path, npy_uint16, sizeof npy_uint16);
    want_ids(path, 2, 4, npy_2);
    write_to(path, npy_int64, sizeof npy_int64);
    want_ids(path, 2, 6, npy_8);
    write_to(path, npy_uint8, sizeof npy_uint8);
    want_ids(path, 2, 1, npy_1);
    end();
}
END_TEST

START_TEST(what_is_written_is_what_others_write)
{
    static const int32_t ids[] = {1, 0, 2, 65535};
    static unsigned char bytes[2000];
    begin();
    char npy[420];
    snprintf(npy, sizeof npy, "%s.npy", path);
    tokens_write(npy, ids, 4, 65536, false);
    FILE *f = fopen(npy, "rb");
    ck_assert_uint_eq(fread(bytes, 1, sizeof bytes, f), sizeof npy_uint16);
    fclose(f);
    ck_assert(memcmp(bytes, npy_uint16, sizeof npy_uint16) == 0);
    remove(npy);
    const int64_t want[] = {1, 0, 2, 65535};
    tokens_write(path, ids, 4, 65537, true);
    want_ids(path, 2, 4, want);
    remove(path);
    tokens_write(path, ids, 4, 50257, true);
    want_ids(path, 4, 4, want);
    remove(path);
    tokens_write(path, ids, 4, 65537, false);
    want_ids(path, 4, 4, want);
    end();
}
END_TEST

START_TEST(files_that_are_no_ids_are_refused)
{
    static unsigned char llmc[1024 + 6];
    begin();
    write_to(path, "\1\0\2", 3);
    want_end("3 bytes are no whole number of ids of 2 bytes");
    write_to(path, "\1\0\2\0\144\0", 6);
    want_end("id 100 at position 2 is not below the vocabulary of 100");
    memcpy(llmc, (const unsigned char[]){0x88, 0xd8, 0x34, 1, 1, 0, 0, 0, 4}, 9);
    write_to(path, llmc, sizeof llmc);
    want_end("it has been cut short: 4 ids are announced");
    llmc[4] = 2;
    write_to(path, llmc, sizeof llmc);
    want_end("a shard of llm.c of version 2");
    write_to(path, npy_uint16, sizeof npy_uint16 - 1);
    want_end("it has been cut short");
    write_to(path, npy_float32, sizeof npy_float32);
    want_end("little-endian integers are wanted");
    write_to(path, npy_big_endian, sizeof npy_big_endian);
    want_end("little-endian integers are wanted");
    write_to(path, npy_negative, sizeof npy_negative);
    want_end("at position 1 is not below");
    write_to(path, npy_uint16, 60);
    want_end("it was truncated meanwhile");
    remove(path);
    want_end("No such file");
    ck_assert_int_eq(mkdir(path, 0700), 0);
    want_end("the folder is empty");
    rmdir(path);
    ck_assert_int_eq(mkfifo(path, 0600), 0);
    int fd = open(path, O_RDWR);
    want_end("it is no regular file");
    close(fd);
    end();
}
END_TEST

START_TEST(shards_of_a_folder_are_one_text)
{
    int64_t out[5];
    char name[3][420];
    begin();
    ck_assert_int_eq(mkdir(path, 0700), 0);
    for (int i = 0; i < 3; i++)
        snprintf(name[i], sizeof name[i], "%s/%d.bin", path, i);
    write_to(name[2], "\4\0\5\0", 4);
    write_to(name[0], "\0\0\1\0\2\0", 6);
    write_to(name[1], "\3\0", 2);
    tokens d = tokens_open(path, 2, 10);
    ck_assert_int_eq(d.n, 6);
    tokens_read(&d, 1, 5, out);
    for (int i = 0; i < 5; i++)
        ck_assert_int_eq(out[i], i + 1);
    tokens rest = tokens_from(&d, 2);
    tokens_read(&rest, 1, 3, out);
    ck_assert(rest.n == 4 && out[0] == 3 && out[2] == 5);
    tokens_free(&rest);
    tokens_read(&d, 5, 1, out); /* the part was not the owner */
    ck_assert_int_eq(out[0], 5);
    tokens_free(&d);
    for (int i = 0; i < 3; i++)
        remove(name[i]);
    rmdir(path);
    end();
}
END_TEST

/* The most memory that this process has had, in MiB. */
static long most_memory(void) {
    struct rusage used;
    getrusage(RUSAGE_SELF, &used);
    return used.ru_maxrss >> 10;
}

/* A file of 8 GiB, mostly a hole: what is read of it takes as much memory as it has bytes. */
START_TEST(files_may_be_larger_than_memory)
{
    int64_t out[2];
    begin();
    FILE *f = fopen(path, "wb");
    ck_assert_int_eq(fseeko(f, ((off_t)8 << 30) - 2, SEEK_SET), 0);
    ck_assert_uint_eq(fwrite("\7\0", 1, 2, f), 2);
    fclose(f);
    long before = most_memory();
    tokens d = tokens_open(path, 2, 10);
    ck_assert_int_eq(d.n, (int64_t)4 << 30);
    tokens_read(&d, d.n - 2, 2, out);
    ck_assert(out[0] == 0 && out[1] == 7);
    ck_assert_int_lt(tokens_shuffled(&d, 64, 1, 12345), d.n - 64);
    ck_assert_int_lt(most_memory() - before, 64);
    tokens_free(&d);
    end();
}
END_TEST

/* Each window once, then each again in another order. */
START_TEST(each_window_comes_once_an_epoch)
{
    static const int64_t lengths[] = {2, 3, 17, 65, 66, 1000, 4097};
    for (size_t k = 0; k < sizeof lengths / sizeof *lengths; k++) {
        enum { T = 1, MOST = 4096 };
        tokens d = {.n = lengths[k]};
        int64_t n = d.n - 1, same = 0, as_they_lie = 0;
        for (int64_t epoch = 0; epoch < 3; epoch++) {
            bool seen[MOST] = {false};
            for (int64_t i = 0; i < n; i++) {
                int64_t at = tokens_shuffled(&d, T, 42, epoch * n + i);
                ck_assert(at >= 0 && at < n && !seen[at]);
                seen[at] = true;
                same += at == tokens_shuffled(&d, T, 42, (epoch + 1) * n + i) ||
                        at == tokens_shuffled(&d, T, 43, epoch * n + i);
                as_they_lie += at == i;
            }
        }
        if (n >= 64) { /* by chance one window of each order lies where it would */
            ck_assert_int_lt(as_they_lie, 15);
            ck_assert_int_lt(same, 25);
        }
    }
    tokens d = {.n = 1 + 7 * 64};
    for (int64_t i = 0; i < 7; i++)
        ck_assert_int_eq(tokens_shuffled(&d, 64, 1, i) % 64, 0);
}
END_TEST

int main(void) {
    const TTest *const tests[] = {files_of_others_are_read,          what_is_written_is_what_others_write,
                                  files_that_are_no_ids_are_refused, shards_of_a_folder_are_one_text,
                                  files_may_be_larger_than_memory,   each_window_comes_once_an_epoch};
    return run_tests("tokens", tests, sizeof tests / sizeof *tests, NULL, NULL);
}
