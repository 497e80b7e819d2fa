/* Saving and loading a whole tape: the bytes are those of the Python package, numbers convert exactly or to the
 * nearest, and after an error the old file and the tape are as they were. With SAVE_TO in the environment the saved
 * file is kept there, for tests/golden/make_safetensors.py to look at. */
#include "tests/io/model_file.h"
#include "tests/io/system.h"
#include "tests/support.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "golden/safetensors.h"

static void make_directory(void) {
    make_model_directory("serialize_test");
    system_end();
}

static int count_files(void) {
    DIR *d = opendir(directory);
    int n = 0;
    for (struct dirent *e; (e = readdir(d));)
        n += e->d_name[0] != '.' || strlen(e->d_name) > 2;
    closedir(d);
    return n;
}

/* ---- the state of make_safetensors.py ---- */

#define STRANGE_NAME "na\xc3\xafve \"\\\t\x01\xf0\x9f\x98\x80"
static const double weight[6] = {0.5, -1.25, 3e-20, 1.0 / 3, 0, -7}, bias[3] = {1, 2, 3};
static const bool mask[6] = {true, false, true, false, false, true};
static const int64_t ids[3] = {3, -4, 9007199254740993};

static tg_tape *make_state(tg_dtype dtype, bool filled) {
    static const double zeros[6] = {0};
    static const bool no[6] = {false};
    static const int64_t none[3] = {0};
    tg_tape *t = tg_tape_new(dtype);
    tg_buffer(t, "ids", tg_from_ints(t, TG_SHAPE(3), filled ? ids : none));
    tg_parameter(t, "scale", tg_scalar(t, filled ? 0.125 : 0));
    tg_parameter(t, "attn.W_query.weight", tg_from_doubles(t, TG_SHAPE(2, 3), filled ? weight : zeros));
    tg_parameter(t, STRANGE_NAME, tg_full(t, TG_SHAPE(1), filled ? 9 : 0));
    tg_parameter(t, "nothing", tg_zeros(t, TG_SHAPE(0, 4)));
    tg_buffer(t, "mask", tg_from_bools(t, TG_SHAPE(2, 3), filled ? mask : no));
    tg_parameter(t, "attn.W_query.bias", tg_from_doubles(t, TG_SHAPE(3), filled ? bias : zeros));
    tg_rand(t, TG_SHAPE(3));
    ck_assert_msg(tg_tape_status(t) == TG_OK, "%s", tg_error(t));
    return t;
}

static void check_doubles(tg_tape *t, const char *name, const double *want, int64_t n, bool rounded) {
    double got[6];
    ck_assert_int_eq(tg_read_doubles(tg_named(t, name), got, n), TG_OK);
    for (int64_t i = 0; i < n; i++)
        ck_assert_msg(got[i] == (rounded ? (double)(float)want[i] : want[i]), "%s[%lld] = %.17g", name, (long long)i,
                      got[i]);
}

static void check_state(tg_tape *t, bool rounded) {
    static const double scale = 0.125, nine = 9;
    int64_t got_ids[3], got_mask[6];
    check_doubles(t, "attn.W_query.weight", weight, 6, rounded);
    check_doubles(t, "attn.W_query.bias", bias, 3, rounded);
    check_doubles(t, "scale", &scale, 1, rounded);
    check_doubles(t, STRANGE_NAME, &nine, 1, rounded);
    ck_assert_int_eq(tg_read_ints(tg_named(t, "ids"), got_ids, 3), TG_OK);
    ck_assert_int_eq(tg_read_ints(tg_named(t, "mask"), got_mask, 6), TG_OK);
    for (int i = 0; i < 3; i++)
        ck_assert_int_eq(got_ids[i], ids[i]);
    for (int i = 0; i < 6; i++)
        ck_assert_int_eq(got_mask[i], mask[i]);
}

/* ---- good files ---- */

static void save_equals(tg_dtype dtype, const uint8_t *golden, size_t n) {
    uint8_t file[2048];
    tg_tape *t = make_state(dtype, true);
    ck_assert_msg(tg_save(t, path) == TG_OK, "%s", tg_error(t));
    size_t size = read_file(file, sizeof file);
    ck_assert_uint_eq(size, n);
    for (size_t i = 0; i < n; i++)
        ck_assert_msg(file[i] == golden[i], "byte %zu is %u, Python wrote %u", i, file[i], golden[i]);
    ck_assert_int_eq(count_files(), 1);
    tg_tape_free(t);
}

START_TEST(saved_bytes_equal_python)
{
    save_equals(TG_F64, golden_f64, sizeof golden_f64);
    save_equals(TG_F32, golden_f32, sizeof golden_f32);
    const char *keep = getenv("SAVE_TO");
    tg_tape *t = make_state(TG_F32, true);
    if (keep)
        ck_assert_msg(tg_save(t, keep) == TG_OK, "%s", tg_error(t));
    tg_tape_free(t);
}
END_TEST

static void load_golden(tg_dtype dtype, const uint8_t *golden, size_t n, bool rounded) {
    tg_tape *t = make_state(dtype, false);
    write_file(golden, n);
    ck_assert_msg(tg_load(t, path) == TG_OK, "%s", tg_error(t));
    check_state(t, rounded);
    tg_tape_free(t);
}

START_TEST(files_from_python_load_in_both_dtypes)
{
    load_golden(TG_F32, golden_f32, sizeof golden_f32, true);
    load_golden(TG_F32, golden_f64, sizeof golden_f64, true);
    load_golden(TG_F64, golden_f64, sizeof golden_f64, false);
    load_golden(TG_F64, golden_f32, sizeof golden_f32, true);
}
END_TEST

START_TEST(an_empty_tape_makes_a_file_without_tensors)
{
    uint8_t file[64];
    tg_tape *t = tg_tape_new(TG_F32);
    ck_assert_int_eq(tg_save(t, path), TG_OK);
    ck_assert_uint_eq(read_file(file, sizeof file), 40);
    ck_assert(memcmp(file, "\x20\0\0\0\0\0\0\0{\"__metadata__\":{\"format\":\"pt\"}}", 40) == 0);
    ck_assert_int_eq(tg_load(t, path), TG_OK);
    write_header_and("{}      ", 8, NULL, 0);
    ck_assert_int_eq(tg_load(t, path), TG_OK);
    tg_tape_free(t);
}
END_TEST

START_TEST(loading_counts_as_modification)
{
    tg_tape *t = tg_tape_new(TG_F32);
    tg_tensor w = tg_parameter(t, "w", tg_rand(t, TG_SHAPE(3)));
    ck_assert_int_eq(tg_save(t, path), TG_OK);
    tg_tensor y = tg_sum(tg_mul(w, w), TG_ALL_DIMS, false);
    ck_assert_int_eq(tg_load(t, path), TG_OK);
    ck_assert_int_eq(tg_backward(y), TG_ERR_STATE);
    tg_tape_free(t);
}
END_TEST

#define A_AT(begin, end) "\"dtype\":\"F32\",\"shape\":[2,3],\"data_offsets\":[" begin "," end "]"

/* Files that are unusual, but right: they hold "a" (2, 3), float32, 1 to 6. */
static const char *const good_headers[] = {
    "{\"a\":{" A_AT("0", "24") "}}", /* at no multiple of 8 */
    "\t\n{\"a\":{" A_AT("0", "24") "}}\r \t\n",
    " { \"a\" : { \"shape\" : [ 2 , 3 ] , \"data_offsets\":[ 0 , 24 ] , \"dtype\":\"F32\" } } ",
    "{\"\\u0061\":{" A_AT("0", "24") "}}",
    "{\"a\":{\"dtype\":\"\\u00463\\u0032\",\"shape\":[2,3],\"data_offsets\":[0,24]}}",
    "{\"a\":{\"x\":[[],{},{\"y\":[null,true,false,-1.5e+3,0,\"\\ud83d\\ude00\\n\"]}]," A_AT("0", "24") "}}",
    "{\"a\":{" A_AT("0", "24") ",\"\":{\"\":{\"\":[[[1e400]]]}}}}",
    "{\"__metadata__\":{},\"a\":{" A_AT("0", "24") "}}",
    "{\"a\":{" A_AT("0", "24") "},\"__metadata__\":{\"k\":\"v\",\"k\":\"\xc3\xa9\\\"\"}}",
};

START_TEST(unusual_but_right_files_load)
{
    /* 1 to 6 as floats, the least significant byte first */
    static const uint8_t numbers[24] = {0, 0, 0x80, 0x3f, 0, 0, 0,    0x40, 0, 0, 0x40, 0x40,
                                        0, 0, 0x80, 0x40, 0, 0, 0xa0, 0x40, 0, 0, 0xc0, 0x40};
    for (size_t i = 0; i < sizeof good_headers / sizeof *good_headers; i++) {
        tg_tape *t = tg_tape_new(TG_F64);
        double got[6];
        tg_tensor a = tg_parameter(t, "a", tg_zeros(t, TG_SHAPE(2, 3)));
        write_header_and(good_headers[i], strlen(good_headers[i]), numbers, sizeof numbers);
        ck_assert_msg(tg_load(t, path) == TG_OK, "%s: %s", good_headers[i], tg_error(t));
        ck_assert_int_eq(tg_read_doubles(a, got, 6), TG_OK);
        for (int k = 0; k < 6; k++)
            ck_assert_double_eq(got[k], k + 1);
        tg_tape_free(t);
    }
}
END_TEST

/* ---- half floats ---- */

/* Every float16 there is, and bfloat16s; expected from the formats' definition: sign, 2^exponent, 1 + fraction. */
static double half_value(unsigned h, int exponent_bits, int fraction_bits) {
    unsigned fraction = h & ((1u << fraction_bits) - 1), exponent = h >> fraction_bits & ((1u << exponent_bits) - 1);
    int offset = (1 << (exponent_bits - 1)) - 1, largest = (1 << exponent_bits) - 1;
    double sign = h & 0x8000 ? -1 : 1, part = ldexp(fraction, -fraction_bits);
    if ((int)exponent == largest)
        return fraction ? NAN : sign * INFINITY;
    return sign * (exponent ? ldexp(1 + part, (int)exponent - offset) : ldexp(part, 1 - offset));
}

static void load_halves(tg_dtype dtype, const char *name, int exponent_bits, int fraction_bits) {
    enum { N = 1 << 16 };
    static uint16_t file[N + 128];
    static double got[N];
    char header[100];
    tg_tape *t = tg_tape_new(dtype);
    tg_tensor w = tg_parameter(t, "w", tg_zeros(t, TG_SHAPE(N)));
    uint64_t length = (uint64_t)snprintf(
        header, sizeof header, "{\"w\":{\"dtype\":\"%s\",\"shape\":[65536],\"data_offsets\":[0,131072]}}", name);
    while (length % 8)
        header[length++] = ' ';
    memcpy(file, &(uint64_t){in_file(length)}, 8);
    memcpy((char *)file + 8, header, length);
    for (unsigned i = 0; i < N; i++)
        file[4 + length / 2 + i] = in_file_16((uint16_t)i);
    write_file(file, 8 + length + 2 * N);
    ck_assert_msg(tg_load(t, path) == TG_OK, "%s", tg_error(t));
    ck_assert_int_eq(tg_read_doubles(w, got, N), TG_OK);
    for (unsigned i = 0; i < N; i++) {
        double want = half_value(i, exponent_bits, fraction_bits);
        if (!(got[i] == want || (isnan(got[i]) && isnan(want))))
            ck_abort_msg("%s %04x is %g, not %g", name, i, got[i], want);
    }
    /* and back: every one comes out as it went in */
    tg_save_config config = TG_SAVE_DEFAULTS;
    config.dtype = name;
    ck_assert_int_eq(tg_save_with(t, path, config), TG_OK);
    FILE *f = fopen(path, "rb");
    ck_assert(f && fseek(f, -2 * N, SEEK_END) == 0 && fread(file, 2, N, f) == N);
    fclose(f);
    for (unsigned i = 0; i < N; i++)
        if (!isnan(half_value(i, exponent_bits, fraction_bits)) && file[i] != in_file_16((uint16_t)i))
            ck_abort_msg("%s %04x comes back as %04x", name, i, in_file_16(file[i]));
    tg_tape_free(t);
}

START_TEST(half_floats_convert_exactly)
{
    load_halves(TG_F32, "F16", 5, 10);
    load_halves(TG_F64, "F16", 5, 10);
    load_halves(TG_F32, "BF16", 8, 7);
}
END_TEST

/* w, the only tensor of the tape, saved as dtype. */
static void want_halves(tg_tape *t, const char *dtype, const uint16_t *want, size_t n) {
    uint8_t file[400];
    tg_save_config config = TG_SAVE_DEFAULTS;
    config.dtype = dtype;
    ck_assert_msg(tg_save_with(t, path, config) == TG_OK, "%s: %s", dtype, tg_error(t));
    const uint8_t *end = file + read_file(file, sizeof file) - 2 * n;
    for (size_t i = 0; i < n; i++) {
        unsigned got = end[2 * i] | (unsigned)end[2 * i + 1] << 8;
        ck_assert_msg(got == want[i], "%s, element %zu: wanted %04x, found %04x", dtype, i, want[i], got);
    }
}

/* To half floats the nearest is taken, of two that are equally near the even one. */
START_TEST(half_floats_round_to_nearest_even)
{
    static const float x[] = {1 + 0x1p-11f, 1 + 0x3p-11f, 1 + 0x1.2p-11f, 65519.996f,
                              -INFINITY,    0x1p-25f,     0x1.8p-24f,     -0x1.ffep-15f};
    static const uint16_t want[] = {0x3c00, 0x3c02, 0x3c01, 0x7bff, 0xfc00, 0, 2, 0x8400};
    static const float y[] = {1 + 0x1p-8f, 1 + 0x3p-8f, 1 + 0x1.2p-8f, 0x1.fefffep127f, 0x1p-134f, 0x1.8p-133f};
    static const uint16_t want_y[] = {0x3f80, 0x3f82, 0x3f81, 0x7f7f, 0, 2};
    tg_tape *t = tg_tape_new(TG_F32);
    tg_parameter(t, "w", tg_from_floats(t, TG_SHAPE(8), x));
    want_halves(t, "F16", want, 8);
    tg_tape_free(t);
    t = tg_tape_new(TG_F32);
    tg_parameter(t, "w", tg_from_floats(t, TG_SHAPE(6), y));
    want_halves(t, "BF16", want_y, 6);
    tg_tape_free(t);
}
END_TEST

/* From double in one step: just above the middle of two half floats, where float64 to float gives the middle. */
START_TEST(doubles_are_rounded_once)
{
    static const double x[] = {1 + 0x1p-11 + 0x1p-40,
                               -1 - 0x1p-11 - 0x1p-40,
                               1 + 0x3p-11 - 0x1p-40,
                               0x1p-25 + 0x1p-60,
                               65520 - 0x1p-30,
                               1 + 0x1p-8 + 0x1p-40,
                               -1 - 0x1p-8 - 0x1p-40,
                               1 + 0x3p-8 - 0x1p-40,
                               0x1p-134 + 0x1p-170,
                               0x1.fefffffffep127,
                               1e-60};
    static const uint16_t f16[] = {0x3c01, 0xbc01, 0x3c01, 1, 0x7bff}, bf16[] = {0x3f81, 0xbf81, 0x3f81, 1, 0x7f7f, 0};
    tg_tape *t = tg_tape_new(TG_F64);
    tg_parameter(t, "w", tg_from_doubles(t, TG_SHAPE(5), x));
    want_halves(t, "F16", f16, 5);
    tg_tape_free(t);
    t = tg_tape_new(TG_F64);
    tg_parameter(t, "w", tg_from_doubles(t, TG_SHAPE(6), x + 5));
    want_halves(t, "BF16", bf16, 6);
    tg_tape_free(t);
}
END_TEST

/* Finite numbers for which the narrower type has only Inf: nothing is written, nothing read. */
START_TEST(a_number_that_would_be_infinite_is_refused)
{
    static const struct {
        double x;
        const char *dtype;
    } bad[] = {{65520, "F16"}, {-1e6, "F16"},    {0x1.ffp127, "BF16"},
               {1e300, "F16"}, {-1e300, "BF16"}, {0x1.ffffffp127, "F32"}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        tg_tape *t = tg_tape_new(TG_F64);
        tg_tensor w = tg_parameter(t, "w", tg_from_doubles(t, TG_SHAPE(2, 2), (double[]){INFINITY, NAN, 1, bad[i].x}));
        tg_save_config config = TG_SAVE_DEFAULTS;
        config.dtype = bad[i].dtype;
        unlink(path);
        ck_assert_int_eq(tg_save_with(t, path, config), TG_ERR_NUMERIC);
        WANT_ERROR(t, TG_ERR_NUMERIC, "element 3 of 'w'", bad[i].dtype, "the file is unchanged");
        ck_assert(access(path, F_OK) != 0);
        ck_assert_int_eq(tg_save(t, path), TG_OK);
        tg_tape *narrow = tg_tape_new(TG_F32);
        tg_tensor v = tg_parameter(narrow, "w", tg_ones(narrow, TG_SHAPE(2, 2)));
        bool fits = fabs(bad[i].x) < 0x1.ffffffp127;
        ck_assert_int_eq(tg_load(narrow, path), fits ? TG_OK : TG_ERR_NUMERIC);
        if (!fits) {
            WANT_ERROR(narrow, TG_ERR_NUMERIC, "'w'", "float32");
            ck_assert_double_eq(tg_item(tg_sum(v, TG_ALL_DIMS, false)), 4);
        }
        ck_assert_int_eq(tg_load(t, path), TG_OK);
        double got[4];
        ck_assert(tg_read_doubles(w, got, 4) == TG_OK && got[3] == bad[i].x);
        tg_tape_free(narrow);
        tg_tape_free(t);
    }
}
END_TEST

/* ---- files that are not those of the tape ---- */

START_TEST(every_prefix_of_a_file_is_refused)
{
    for (size_t n = 0; n < sizeof golden_f32; n++) {
        tg_tape *t = make_state(TG_F32, false);
        write_file(golden_f32, n);
        expect_load_error(t, TG_ERR_FORMAT, "load");
        tg_tape_free(t);
    }
}
END_TEST

START_TEST(names_are_counted)
{
    tg_tape *t = make_state(TG_F32, true);
    ck_assert_int_eq(tg_save(t, path), TG_OK);
    tg_parameter(t, "x.one", tg_rand(t, TG_SHAPE(1)));
    tg_parameter(t, "x.two", tg_rand(t, TG_SHAPE(1)));
    expect_load_error(t, TG_ERR_FORMAT, "'x.one' is not in the file (2 of 9 names are missing; 0 names");
    tg_tape_free(t);
    t = tg_tape_new(TG_F32);
    expect_load_error(t, TG_ERR_FORMAT, "'attn.W_query.bias' is in the file, but not on the tape (7 such names)");
    tg_tape_free(t);
}
END_TEST

/* ---- failing to save ---- */

static void expect_save_error(tg_tape *t, tg_status status, const char *text, int files) {
    tg_status got = tg_save(t, path);
    ck_assert_msg(got == status && tg_tape_status(t) == status, "status %d: %s", (int)got, tg_error(t));
    ck_assert_msg(strstr(tg_error(t), text) != NULL, "expected '%s' in: %s", text, tg_error(t));
    ck_assert_int_eq(count_files(), files);
    tg_clear_error(t);
}

static void check_old_file(void) {
    uint8_t file[16];
    ck_assert_uint_eq(read_file(file, sizeof file), 3);
    ck_assert(memcmp(file, "old", 3) == 0);
}

START_TEST(the_old_file_survives_every_failure)
{
    tg_tape *t = make_state(TG_F32, true);
    write_file("old", 3);
    system_begin((fault){FAILS, 1, EACCES, false, "renameat"});
    expect_save_error(t, TG_ERR_IO, "cannot rename its temporary file: Permission denied", 1);
    check_old_file();
    system_begin((fault){FAILS, 1, EIO, false, "fsync"});
    expect_save_error(t, TG_ERR_IO, "cannot write", 1);
    system_end();
    check_old_file();
    signal(SIGXFSZ, SIG_IGN);
    struct rlimit old, small = {0};
    ck_assert_int_eq(getrlimit(RLIMIT_FSIZE, &old), 0);
    small.rlim_cur = 512;
    small.rlim_max = old.rlim_max;
    ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &small), 0);
    expect_save_error(t, TG_ERR_IO, "cannot write: File too large", 1);
    ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &old), 0);
    check_old_file();
    ck_assert_int_eq(tg_save(t, path), TG_OK);
    ck_assert_int_eq(count_files(), 1);
    tg_tape_free(t);
}
END_TEST

START_TEST(bad_places_and_names_are_refused)
{
    tg_tape *t = make_state(TG_F32, true);
    char good[sizeof path];
    strcpy(good, path);
    snprintf(path, sizeof path, "%s/none/model", directory);
    expect_save_error(t, TG_ERR_IO, "No such file or directory", 0);
    strcpy(path, directory);
    expect_save_error(t, TG_ERR_IO, "not a regular file", 0);
    strcpy(path, "/dev/null");
    expect_save_error(t, TG_ERR_IO, "not a regular file", 0);
    strcpy(path, "");
    expect_save_error(t, TG_ERR_ARGUMENT, "empty", 0);
    strcpy(path, good);
    tg_parameter(t, "__metadata__", tg_rand(t, TG_SHAPE(1)));
    expect_save_error(t, TG_ERR_ARGUMENT, "'__metadata__' cannot be in a file: it is reserved", 0);
    tg_tape_free(t);
    t = tg_tape_new(TG_F32);
    tg_parameter(t, "w\xff", tg_rand(t, TG_SHAPE(1)));
    expect_save_error(t, TG_ERR_ARGUMENT, "not UTF-8", 0);
    tg_tape_free(t);
}
END_TEST

START_TEST(permissions_follow_umask_or_the_old_file)
{
    struct stat about;
    tg_tape *t = make_state(TG_F32, true);
    mode_t mask_before = umask(027);
    ck_assert_int_eq(tg_save(t, path), TG_OK);
    umask(mask_before);
    ck_assert_int_eq(stat(path, &about), 0);
    ck_assert_uint_eq(about.st_mode & 0777, 0640);
    ck_assert_int_eq(chmod(path, 0604), 0);
    ck_assert_int_eq(tg_save(t, path), TG_OK);
    ck_assert_int_eq(stat(path, &about), 0);
    ck_assert_uint_eq(about.st_mode & 0777, 0604);
    tg_tape_free(t);
}
END_TEST

START_TEST(a_path_without_directory_is_the_current_one)
{
    int here = open(".", O_RDONLY);
    ck_assert_int_eq(chdir(directory), 0);
    tg_tape *t = make_state(TG_F32, true);
    ck_assert_msg(tg_save(t, "model.safetensors") == TG_OK, "%s", tg_error(t));
    ck_assert_int_eq(fchdir(here), 0);
    close(here);
    ck_assert_int_eq(count_files(), 1);
    tg_tape_free(t);
}
END_TEST

/* An allocator that says no after `left` blocks. */
static int left;
static void *scarce_alloc(void *context, size_t size) {
    (void)context;
    return left-- > 0 ? malloc(size) : NULL;
}
static void scarce_free(void *context, void *block, size_t size) {
    (void)context;
    (void)size;
    free(block);
}

START_TEST(out_of_memory_is_an_error_and_changes_nothing)
{
    enum { N = 200000 };
    static const tg_allocator scarce = {scarce_alloc, scarce_free, NULL};
    static const char header[] = "{\"__metadata__\":{\"format\":\"pt\"},\"w\":{\"dtype\":\"F32\",\"shape\":[200000],"
                                 "\"data_offsets\":[0,800000]}}";
    static float zeros[N];
    uint64_t n = sizeof header - 1, first = in_file(n);
    FILE *f = fopen(path, "wb");
    ck_assert_ptr_nonnull(f);
    ck_assert(fwrite(&first, 8, 1, f) == 1 && fwrite(header, n, 1, f) == 1 && fwrite(zeros, sizeof zeros, 1, f) == 1);
    fclose(f);
    int failures = 0;
    for (int blocks = 0;; blocks++) {
        left = 1000;
        tg_tape *t = tg_tape_new_with(TG_F32, &scarce);
        tg_tensor w = tg_parameter(t, "w", tg_ones(t, TG_SHAPE(N)));
        left = blocks;
        tg_status status = tg_load(t, path);
        left = 1000;
        if (status == TG_OK) {
            ck_assert_double_eq(tg_item(tg_slice(w, 0, N - 1, N, 1)), 0);
            tg_tape_free(t);
            break;
        }
        failures++;
        ck_assert_int_eq(status, TG_ERR_MEMORY);
        tg_clear_error(t);
        ck_assert_double_eq(tg_item(tg_slice(w, 0, 0, 1, 1)), 1);
        ck_assert_int_eq(tg_load(t, path), TG_OK);
        tg_tape_free(t);
    }
    ck_assert_int_gt(failures, 0);
}
END_TEST

int main(void) {
    TCase *c = tcase_create("serialize");
    tcase_add_checked_fixture(c, make_directory, remove_directory);
    tcase_add_test(c, saved_bytes_equal_python);
    tcase_add_test(c, files_from_python_load_in_both_dtypes);
    tcase_add_test(c, an_empty_tape_makes_a_file_without_tensors);
    tcase_add_test(c, loading_counts_as_modification);
    tcase_add_test(c, unusual_but_right_files_load);
    tcase_add_test(c, half_floats_convert_exactly);
    tcase_add_test(c, half_floats_round_to_nearest_even);
    tcase_add_test(c, doubles_are_rounded_once);
    tcase_add_test(c, a_number_that_would_be_infinite_is_refused);
    tcase_add_test(c, every_prefix_of_a_file_is_refused);
    tcase_add_test(c, names_are_counted);
    tcase_add_test(c, the_old_file_survives_every_failure);
    tcase_add_test(c, bad_places_and_names_are_refused);
    tcase_add_test(c, permissions_follow_umask_or_the_old_file);
    tcase_add_test(c, a_path_without_directory_is_the_current_one);
    tcase_add_test(c, out_of_memory_is_an_error_and_changes_nothing);
    return run_suite("serialize", c);
}
