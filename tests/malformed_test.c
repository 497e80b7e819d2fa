/* A file that cannot be loaded is an error that says why; nothing is changed, and no memory is kept. */
#include "tests/io/model_file.h"
#include "tests/support.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void make_directory(void) { make_model_directory("malformed_test"); }

typedef struct bad_header {
    const char *header;
    size_t data; /* bytes that follow */
    const char *text;
} bad_header;

#define ENTRY(dtype, shape, begin, end) \
    "{\"dtype\":\"" dtype "\",\"shape\":" shape ",\"data_offsets\":[" begin "," end "]}"
#define OPEN20 "[[[[[[[[[[[[[[[[[[[["

static const bad_header bad_headers[] = {
    /* JSON */
    {"", 0, "'{' expected"},
    {"{", 0, "'\"' expected"},
    {"[]", 0, "'{' expected"},
    {"{}x", 0, "something follows"},
    {"{}{}", 0, "something follows"},
    {"{\"a\"}", 0, "':' expected"},
    {"{\"a\":}", 0, "'{' expected"},
    {"{\"a\":null}", 0, "'{' expected"},
    {"{\"a\":{}}", 0, "'\"' expected"},
    {"{\"a", 0, "'\"' expected"},
    {"{\"a\":" ENTRY("F32", "[2,3]", "0", "24") ",}", 24, "'\"' expected"},
    {"{\"a\":" ENTRY("F32", "[2,3]", "0", "24"), 24, "'}' expected"},
    {"{a:1}", 0, "'\"' expected"},
    {"{\"a\xff\":1}", 0, "not UTF-8"},
    {"{\"\xc0\x80\":1}", 0, "not UTF-8"},
    {"{\"\xed\xa0\x80\":1}", 0, "not UTF-8"},
    {"{\"\xf4\x90\x80\x80\":1}", 0, "not UTF-8"},
    {"{\"\xe2\x82\":1}", 0, "not UTF-8"},
    {"{\"\xe0\x9f\xbf\":1}", 0, "not UTF-8"},
    {"{\"\xf0\x8f\xbf\xbf\":1}", 0, "not UTF-8"},
    {"{\"\xe0\xa0\x80\xf0\x90\x80\x80\xed\x9f\xbf\xf4\x8f\xbf\xbf\":1}", 0, "'{' expected"},
    {"{\"a\nb\":1}", 0, "a control character"},
    {"{\"\\x\":1}", 0, "a bad escape"},
    {"{\"\\u12g4\":1}", 0, "a bad escape"},
    {"{\"\\ud800\":1}", 0, "a bad escape"},
    {"{\"\\udc00\":1}", 0, "a bad escape"},
    {"{\"\\ud800\\u0041\":1}", 0, "a bad escape"},
    {"{\"\\ud800\\ue000\":1}", 0, "a bad escape"},
    {"{\"\\ud800\\n0041\":1}", 0, "a bad escape"},
    {"{\"\\ud800xu0041\":1}", 0, "a bad escape"},
    {"{\"\\ud800", 0, "a bad escape"},
    {"{\"\\u00C4\":1}", 0, "'{' expected"},
    {"{\"\\", 0, "a bad escape"},
    {"{\"\\u00", 0, "a bad escape"},
    {"{\"a\":{\"x\":" OPEN20 OPEN20 OPEN20 OPEN20 OPEN20 OPEN20 OPEN20, 0, "nested too deeply"},
    {"{\"a\":{\"x\":[1}}", 0, "',' expected"},
    {"{\"a\":{\"x\":{\"y\":1]}}", 0, "',' expected"},
    {"{\"a\":{\"x\":{\"y\"}}}", 0, "':' expected"},
    {"{\"a\":{\"x\":tru}}", 0, "a value expected"},
    {"{\"a\":{\"x\":01}}", 0, "'}' expected"},
    {"{\"a\":{\"x\":1.}}", 0, "a digit expected"},
    {"{\"a\":{\"x\":1e}}", 0, "a digit expected"},
    {"{\"a\":{\"x\":-}}", 0, "a digit expected"},
    {"{\"a\":{\"x\":-", 0, "a digit expected"},
    {"{\"a\":{\"x\":1e", 0, "a digit expected"},
    {"{\"a\":{\"x\":0", 0, "'}' expected"},
    {"{\"a\":{\"x\":1.5", 0, "'}' expected"},
    {"{\"a\":{\"x\":0,\"y\":1e+5,\"z\":[-2.5E-3,3E2]}}", 0, "lacks dtype"},
    {"{\"a\":{\"x\":{\"y\":1,}}}", 0, "'\"' expected"},
    {"{\"a\":{\"x\":{\"y\":1,\"z\"}}}", 0, "':' expected"},
    {"{\"a\":{\"x\":{\"y\":1,\"z\":2}}}", 0, "lacks dtype"},
    {"{\"a\":{\"x\":", 0, "a value expected"},
    {"{\"a\":{\"x\":nan}}", 0, "a value expected"},
    {"{\"__metadata__\":{\"a\":1}}", 0, "'\"' expected"},
    {"{\"__metadata__\":\"a\"}", 0, "'{' expected"},
    {"{\"__metadata__\":{},\"__metadata__\":{}}", 0, "__metadata__ occurs twice"},
    /* entries */
    {"{\"a\":" ENTRY("F33", "[2,3]", "0", "24") "}", 24, "unknown dtype"},
    {"{\"a\":{\"dtype\":1}}", 0, "'\"' expected"},
    {"{\"a\":{\"dtype\":\"F32\",\"shape\":[2,3]}}", 0, "lacks dtype, shape or data_offsets"},
    {"{\"a\":{\"dtype\":\"F32\",\"data_offsets\":[0,4]}}", 4, "lacks"},
    {"{\"a\":{\"shape\":[2],\"data_offsets\":[0,4]}}", 4, "lacks"},
    {"{\"a\":{\"dtype\":\"F32\",\"dtype\":\"F32\",\"shape\":[2],\"data_offsets\":[0,8]}}", 8, "occurs twice"},
    {"{\"a\":" ENTRY("F32", "[-2,3]", "0", "24") "}", 24, "a whole number expected"},
    {"{\"a\":" ENTRY("F32", "[2.0,3]", "0", "24") "}", 24, "a whole number expected"},
    {"{\"a\":" ENTRY("F32", "[2e0,3]", "0", "24") "}", 24, "a whole number expected"},
    {"{\"a\":" ENTRY("F32", "[2E0,3]", "0", "24") "}", 24, "a whole number expected"},
    {"{\"a\":{\"shape\":[2", 0, "']' expected"},
    {"{\"a\":" ENTRY("F32", "[02,3]", "0", "24") "}", 24, "a whole number expected"},
    {"{\"a\":" ENTRY("F32", "[2,3,]", "0", "24") "}", 24, "a whole number expected"},
    {"{\"a\":" ENTRY("F32", "[2 3]", "0", "24") "}", 24, "']' expected"},
    {"{\"a\":" ENTRY("F32", "\"2,3\"", "0", "24") "}", 24, "'[' expected"},
    {"{\"a\":" ENTRY("F32", "[18446744073709551616]", "0", "24") "}", 24, "above 2^64 - 1"},
    {"{\"a\":" ENTRY("F32", "[2,18446744073709551614]", "0", "24") "}", 24, "elements overflows"},
    {"{\"a\":" ENTRY("F32", "[2,9223372036854775807]", "0", "24") "}", 24, "bytes overflows"},
    {"{\"a\":" ENTRY("F4", "[1,3]", "0", "2") "}", 2, "whole byte"},
    {"{\"a\":" ENTRY("I32", "[2,2]", "0", "4") "}", 4, "do not fit"},
    {"{\"a\":" ENTRY("F32", "[2,3]", "24", "0") "}", 24, "ends before it begins"},
    {"{\"a\":" ENTRY("F32", "[2,3]", "-1", "23") "}", 24, "a whole number expected"},
    {"{\"a\":{\"dtype\":\"F32\",\"shape\":[2,3],\"data_offsets\":[0]}}", 24, "',' expected"},
    {"{\"a\":{\"dtype\":\"F32\",\"shape\":[2,3],\"data_offsets\":[0,24,24]}}", 24, "']' expected"},
    /* layout */
    {"{\"a\":" ENTRY("F32", "[2,3]", "4", "28") "}", 28, "'a' leaves a hole"},
    {"{\"a\":" ENTRY("F32", "[1]", "0", "4") ",\"b\":" ENTRY("F32", "[1]", "8", "12") "}", 12, "'b' leaves a hole"},
    {"{\"a\":" ENTRY("F32", "[2]", "0", "8") ",\"b\":" ENTRY("F32", "[2]", "4", "12") "}", 12, "'b' overlaps"},
    {"{\"a\":" ENTRY("I32", "[2,2]", "0", "16") ",\"b\":" ENTRY("I32", "[2,2]", "0", "16") "}", 16, "'b' overlaps"},
    {"{\"a\":" ENTRY("F32", "[1]", "0", "4") ",\"a\":" ENTRY("F32", "[1]", "0", "4") "}", 4, "duplicate name"},
    {"{\"a\":" ENTRY("F32", "[2,3]", "0", "24") "}", 22, "cut short"},
    {"{\"a\":" ENTRY("F32", "[2,3]", "0", "24") "}", 25, "followed by something else"},
    {"{}", 1, "followed by something else"},
    {"{\"a\":" ENTRY("F32", "[0]", "0", "0") ",\"a\":" ENTRY("F32", "[0]", "0", "0") "}", 0, "'a' occurs twice"},
    {"{\"a\":" ENTRY("F32", "[1]", "0", "4") ",\"\\u0061\":" ENTRY("F32", "[1]", "4", "8") "}", 8, "'a' occurs twice"},
    /* U+0AF9, U+1FBC, U+CEF0, U+10FFFF: every digit that an escape can have */
    {"{\"\xe0\xab\xb9\xe1\xbe\xbc\xec\xbb\xb0\xf4\x8f\xbf\xbf\":" ENTRY(
         "F32", "[1]", "0", "4") ",\"\\u0aF9\\u1fBc\\uCeF0\\uDbFf\\udfff\":" ENTRY("F32", "[1]", "4", "8") "}",
     8, "occurs twice"},
    /* against the tape, which has "a" (2, 3) */
    {"{\"b\":" ENTRY("F32", "[2,3]", "0", "24") "}", 24, "'a' is not in the file"},
    {"{\"a\":" ENTRY("F32", "[2,3]", "0", "24") ",\"b\":" ENTRY("U8", "[1]", "24", "25") "}", 25,
     "'b' is in the file, but not on the tape (1 such names)"},
    {"{\"a\\u0000\":" ENTRY("F32", "[2,3]", "0", "24") "}", 24, "'a' is not in the file"},
    {"{\"a\":" ENTRY("F32", "[3,2]", "0", "24") "}", 24, "a (2, 3) has another shape in the file: (3, 2)"},
    {"{\"a\":" ENTRY("F32", "[6]", "0", "24") "}", 24, "another shape"},
    {"{\"a\":" ENTRY("F32", "[1,1,1,1,1,1,1,2,3]", "0", "24") "}", 24, "over 8 dims"},
    {"{\"a\":" ENTRY("F32", "[0,18446744073709551615]", "0", "0") "}", 0, "another shape"},
    {"{\"a\":" ENTRY("I16", "[2,3]", "0", "12") "}", 12, "is float32, but I16 in the file"},
    {"{\"a\":" ENTRY("I64", "[2,3]", "0", "48") "}", 48, "is float32, but I64 in the file"},
};

START_TEST(malformed_headers_change_nothing)
{
    static const double before[6] = {1, -2, 3, -4, 5, -6};
    static const uint8_t data[64] = {1, 2, 3};
    tg_tape *t = tg_tape_new(TG_F32);
    tg_tensor a = tg_parameter(t, "a", tg_from_doubles(t, TG_SHAPE(2, 3), before));
    double after[6];
    for (size_t i = 0; i < sizeof bad_headers / sizeof *bad_headers; i++) {
        const bad_header *b = &bad_headers[i];
        write_header_and(b->header, strlen(b->header), data, b->data);
        expect_load_error(t, TG_ERR_FORMAT, b->text);
        ck_assert_int_eq(tg_read_doubles(a, after, 6), TG_OK);
        ck_assert(memcmp(before, after, sizeof before) == 0);
    }
    tg_tape_free(t);
}
END_TEST

START_TEST(headers_of_impossible_length_are_refused)
{
    tg_tape *t = tg_tape_new(TG_F32);
    write_file("", 0);
    expect_load_error(t, TG_ERR_FORMAT, "0 bytes are too few");
    write_file("\1\0\0\0\0\0\0", 7);
    expect_load_error(t, TG_ERR_FORMAT, "7 bytes are too few");
    write_file("\x3c\0\0\0\0\0\0\0", 8);
    expect_load_error(t, TG_ERR_FORMAT, "announces a header of 60 bytes, but has only 8");
    write_file("\x3c\0\0\0\0\0\xff\xff{}", 10);
    expect_load_error(t, TG_ERR_FORMAT, "above the limit");
    write_file("\xff\xff\xff\xff\xff\xff\xff\xff{}", 10);
    expect_load_error(t, TG_ERR_FORMAT, "above the limit");
    write_file("\x01\xe1\xf5\x05\0\0\0\0{}", 10); /* 100 000 001 */
    expect_load_error(t, TG_ERR_FORMAT, "above the limit");
    write_file("\0\xe1\xf5\x05\0\0\0\0{}", 10);
    expect_load_error(t, TG_ERR_FORMAT, "has only 10");
    tg_tape_free(t);
}
END_TEST

START_TEST(other_formats_are_recognised)
{
    tg_tape *t = tg_tape_new(TG_F32);
    static const uint8_t zip[] = {'P', 'K', 3, 4, 0, 0, 8, 8, 0, 0, 0, 0},
                         pickle[] = {0x80, 2, 0x8a, 10, 'l', 0xfc, 1, 1};
    write_file(zip, sizeof zip);
    expect_load_error(t, TG_ERR_FORMAT, "PyTorch's .pt and .pth files are; in Python, safetensors.torch.save_file(");
    write_file(pickle, sizeof pickle);
    expect_load_error(t, TG_ERR_FORMAT, "a Python pickle");
    write_file("version https://git-lfs.github.com/spec/v1\n", 43);
    expect_load_error(t, TG_ERR_FORMAT, "git-lfs");
    tg_tape_free(t);
}
END_TEST

START_TEST(what_is_no_file_cannot_be_loaded)
{
    tg_tape *t = tg_tape_new(TG_F32);
#ifdef _WIN32 /* says it in the user's language, and has no pipes among files */
    expect_load_error(t, TG_ERR_IO, "cannot open it");
#else
    expect_load_error(t, TG_ERR_IO, "No such file");
    ck_assert_int_eq(mkfifo(path, 0600), 0);
    expect_load_error(t, TG_ERR_IO, "not a regular file");
    unlink(path);
#endif
    ck_assert_int_eq(mkdir(path, 0700), 0);
    expect_load_error(t, TG_ERR_IO, "not a regular file");
    rmdir(path);
    ck_assert_int_eq(tg_load(t, NULL), TG_ERR_ARGUMENT);
    tg_clear_error(t);
    ck_assert_int_eq(tg_load(t, ""), TG_ERR_ARGUMENT);
    ck_assert_int_eq(tg_load(NULL, path), TG_ERR_ARGUMENT);
    ck_assert_int_eq(tg_save(NULL, path), TG_ERR_ARGUMENT);
    tg_tape_free(t);
}
END_TEST

/* A file that announces a header of 30 MB and has it, of zeros; and one of 30 MB of zeros for w. */
static void write_large(bool lies) {
    enum { MEGABYTES = 30 };
    char header[120];
    uint64_t n = (uint64_t)MEGABYTES << 20, bytes = n;
    int length =
        snprintf(header, sizeof header, "{\"w\":{\"dtype\":\"F32\",\"shape\":[%llu],\"data_offsets\":[0,%llu]}}",
                 (unsigned long long)bytes / 4, (unsigned long long)bytes);
    n = in_file(lies ? n : (uint64_t)length);
    write_file("", 0);
    FILE *f = fopen(path, "r+b");
    ck_assert(f && fwrite(&n, sizeof n, 1, f) == 1 && fwrite(header, (size_t)length, 1, f) == 1);
    fclose(f);
    ck_assert_int_eq(truncate(path, (off_t)(8 + bytes + (lies ? 0 : (uint64_t)length))), 0);
}

/* The tape takes nothing for good: neither for loads that fail nor for one that works. */
START_TEST(loading_gives_its_memory_back)
{
    tg_tape *t = tg_tape_new(TG_F32);
    tg_parameter(t, "w", tg_ones(t, TG_SHAPE(30 << 18)));
    size_t reserved = tg_tape_memory(t).reserved;
    write_large(true);
    for (int i = 0; i < 10; i++) {
        expect_load_error(t, TG_ERR_FORMAT, "something follows");
        ck_assert_uint_eq(tg_tape_memory(t).reserved, reserved);
    }
    write_large(false);
    ck_assert_msg(tg_load(t, path) == TG_OK, "%s", tg_error(t));
    ck_assert_uint_eq(tg_tape_memory(t).reserved, reserved);
    ck_assert_uint_ge(tg_tape_memory(t).reserved_peak, reserved + (30 << 20));
    ck_assert_int_eq(tg_save(t, path), TG_OK);
    ck_assert_uint_eq(tg_tape_memory(t).reserved, reserved);
    tg_tape_free(t);
}
END_TEST

int main(void) {
    const TTest *const tests[] = {malformed_headers_change_nothing, headers_of_impossible_length_are_refused,
                                  other_formats_are_recognised, loading_gives_its_memory_back,
                                  what_is_no_file_cannot_be_loaded};
    return run_tests("malformed", tests, sizeof tests / sizeof *tests, make_directory, remove_directory);
}
