/* The file reader loads or refuses, and never crashes: every file of the fuzzer's corpus, every prefix of it, and every
 * byte of it changed in three ways (tests/fuzz/load_fuzz.c says what must hold). Run from the top folder. */
#include "tests/fuzz/load_fuzz.c"
#include "tests/support.h"

#include <dirent.h>
#include <stdio.h>

static const char corpus[] = "tests/fuzz/corpus";

static void replay(uint8_t *bytes, size_t n) {
    for (size_t length = 0; length <= n; length++)
        LLVMFuzzerTestOneInput(bytes, length);
    for (size_t i = 0; i < n; i++) {
        const uint8_t kept = bytes[i], changed[] = {(uint8_t)(kept + 1), (uint8_t)(kept ^ 0x80), '"'};
        for (int k = 0; k < 3; k++) {
            bytes[i] = changed[k];
            LLVMFuzzerTestOneInput(bytes, n);
        }
        bytes[i] = kept;
    }
}

START_TEST(no_file_near_the_corpus_crashes)
{
    static uint8_t bytes[4096];
    int files = 0;
    DIR *d = opendir(corpus);
    ck_assert_msg(d != NULL, "%s cannot be opened", corpus);
    for (struct dirent *e; (e = readdir(d));) {
        char path[400];
        if (e->d_name[0] == '.')
            continue;
        snprintf(path, sizeof path, "%s/%s", corpus, e->d_name);
        FILE *f = fopen(path, "rb");
        ck_assert_ptr_nonnull(f);
        size_t n = fread(bytes, 1, sizeof bytes, f);
        fclose(f);
        replay(bytes, n);
        files++;
    }
    closedir(d);
    ck_assert_int_ge(files, 20);
}
END_TEST

int main(void) {
    const TTest *const tests[] = {no_file_near_the_corpus_crashes};
    return run_tests("fuzz_replay", tests, 1, NULL, NULL);
}
