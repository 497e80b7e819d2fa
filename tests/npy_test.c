/* Arrays in NumPy's .npy: what numpy.save wrote is read, and saving writes its bytes (tests/golden/make_arrays.py);
 * anything else is refused and changes nothing. */
#include "tests/golden/arrays.h"
#include "tests/support.h"

#ifdef _WIN32
#include <windows.h>
#else
#include <fcntl.h>
#endif
#include <stdio.h>
#include <unistd.h>

enum { ARRAYS = sizeof arrays / sizeof *arrays, REFUSED = sizeof refused_arrays / sizeof *refused_arrays, MOST = 4096 };

static char folder[4096], path[4200];

static void write_bytes(const void *bytes, size_t n) {
    FILE *f = fopen(path, "wb");
    ck_assert(f && fwrite(bytes, 1, n, f) == n && fclose(f) == 0);
}

static size_t read_bytes(unsigned char *bytes) {
    FILE *f = fopen(path, "rb");
    ck_assert_ptr_nonnull(f);
    size_t n = fread(bytes, 1, MOST, f);
    fclose(f);
    return n;
}

static const saved_array *named(const char *name) {
    for (int i = 0; i < ARRAYS; i++)
        if (!strcmp(arrays[i].name, name))
            return &arrays[i];
    return NULL;
}

static int open_files(void) {
#ifdef _WIN32
    DWORD n = 0;
    ck_assert(GetProcessHandleCount(GetCurrentProcess(), &n));
    return (int)n;
#else
    int n = 0;
    for (int fd = 0; fd < 64; fd++)
        n += fcntl(fd, F_GETFD) != -1;
    return n;
#endif
}

/* ---- reading ---- */

static void want_array(tg_tensor x, const saved_array *a) {
    tg_shape shape = tg_shape_of(x);
    bool is_float = a->kind == 'f';
    tg_dtype dtype = is_float ? tg_tape_dtype(x.tape) : a->kind == 'b' ? TG_BOOL : TG_I64;
    ck_assert_int_eq(tg_dtype_of(x), dtype);
    ck_assert(shape.ndim == a->ndim && !memcmp(shape.size, a->size, (size_t)a->ndim * sizeof *a->size));
    for (int64_t i = 0; i < a->n; i++) {
        double want = dtype == TG_F32 ? (double)(float)a->value[i] : a->value[i];
        double got = dtype == TG_F32   ? (double)((float *)tg_data(x))[i]
                     : dtype == TG_F64 ? ((double *)tg_data(x))[i]
                     : dtype == TG_I64 ? (double)((int64_t *)tg_data(x))[i]
                                       : ((bool *)tg_data(x))[i];
        bool same = isnan(want) ? isnan(got) : got == want && signbit(got) == signbit(want);
        ck_assert_msg(same, "%s, element %lld: %g, not %g", a->name, (long long)i, got, want);
    }
}

START_TEST(arrays_of_numpy_are_read)
{
    const saved_array *a = &arrays[_i];
    for (int k = 0; k < 2; k++) {
        tg_tape *t = tg_tape_new(k ? TG_F64 : TG_F32);
        write_bytes(a->file, a->bytes);
        int open = open_files();
        tg_tensor x = tg_load_npy(t, path);
        ck_assert_msg(!tg_is_null(x), "%s: %s", a->name, tg_error(t));
        want_array(x, a);
        ck_assert_int_eq(open_files(), open);
        tg_tape_free(t);
    }
    remove(path);
}
END_TEST

/* One's own data is trained on, and may be a parameter. */
START_TEST(loading_makes_a_leaf)
{
    tg_tape *t = tg_tape_new(TG_F64);
    write_bytes(named("f8")->file, named("f8")->bytes);
    tg_tensor w = tg_parameter(t, "w", tg_load_npy(t, path));
    run_backward(total(tg_square(w)));
    WANT_GRAD(w, 0, 2 / 7., 4 / 7., 6 / 7., 8 / 7., 10 / 7.);
    tg_tape_free(t);
    remove(path);
}
END_TEST

/* ---- writing ---- */

static void want_bytes(tg_tensor x, const char *name) {
    unsigned char bytes[MOST];
    const saved_array *a = named(name);
    ck_assert_msg(tg_save_npy(x, path) == TG_OK, "%s", tg_error(x.tape));
    ck_assert_msg(read_bytes(bytes) == a->bytes && !memcmp(bytes, a->file, a->bytes), "%s", name);
    remove(path);
}

START_TEST(saving_writes_numpys_bytes)
{
    static const char *const f8[] = {"f8", "scalar", "8 dims", "largest sizes", "f8 special"}, *const i8[] = {
                                                                                                   "i8", "scalar i8"};
    static const bool truth[] = {true, false, true};
    tg_tape *t = tg_tape_new(TG_F64), *single = tg_tape_new(TG_F32);
    for (int i = 0; i < 5; i++) {
        write_bytes(named(f8[i])->file, named(f8[i])->bytes);
        want_bytes(tg_load_npy(t, path), f8[i]);
    }
    for (int i = 0; i < 2; i++) {
        write_bytes(named(i8[i])->file, named(i8[i])->bytes);
        want_bytes(tg_load_npy(t, path), i8[i]);
    }
    want_bytes(tg_from_bools(t, TG_SHAPE(1, 3), truth), "b1");
    want_bytes(tg_zeros(single, TG_SHAPE(0, 3)), "empty");
    want_bytes(tg_from_doubles(single, TG_SHAPE(2, 3), named("f4")->value), "f4");
    /* a view, and the result of an operation */
    want_bytes(tg_transpose(tg_div_scalar(tg_from_doubles(t, TG_SHAPE(3, 2), (double[]){0, 3, 1, 4, 2, 5}), 7), 0, 1),
               "f8");
    WANT_OK(t);
    tg_tape_free(t);
    tg_tape_free(single);
}
END_TEST

START_TEST(a_failed_save_replaces_nothing)
{
    tg_tape *t = tg_tape_new(TG_F32);
    tg_tensor x = tg_ones(t, TG_SHAPE(2));
    ck_assert_int_eq(tg_save_npy(x, folder), TG_ERR_IO);
    WANT_ERROR(t, TG_ERR_IO, "save_npy: ", folder, "the file is unchanged");
    ck_assert_int_eq(tg_save_npy(x, "/nowhere/x.npy"), TG_ERR_IO);
    WANT_ERROR(t, TG_ERR_IO, "save_npy: /nowhere/x.npy: ");
    ck_assert_int_eq(tg_save_npy(x, ""), TG_ERR_ARGUMENT);
    WANT_ERROR(t, TG_ERR_ARGUMENT, "save_npy: the path is empty");
    ck_assert_int_eq(tg_save_npy(TG_NULL, path), TG_ERR_ARGUMENT);
    ck_assert_int_eq(tg_save_npy(x, path), TG_OK);
    ck_assert_int_eq(tg_save_npy(tg_zeros(t, TG_SHAPE(3)), path), TG_OK); /* it takes the other's place */
    ck_assert_int_eq(tg_numel(tg_load_npy(t, path)), 3);
    tg_tape_free(t);
    remove(path);
}
END_TEST

/* ---- what is refused ---- */

static void want_refused(const void *bytes, size_t n, const char *name, const char *why) {
    tg_tape *t = tg_tape_new(TG_F32);
    write_bytes(bytes, n);
    int open = open_files();
    size_t reserved = tg_tape_memory(t).reserved;
    ck_assert_msg(tg_is_null(tg_load_npy(t, path)), "%s", name);
    ck_assert_msg(strstr(tg_error(t), why) != NULL, "%s: '%s' is not in '%s'", name, why, tg_error(t));
    WANT_ERROR(t, TG_ERR_FORMAT, "load_npy: ", path);
    ck_assert_int_eq(open_files(), open);
    ck_assert_uint_eq(tg_tape_memory(t).reserved, reserved);
    tg_tape_free(t);
    remove(path);
}

START_TEST(arrays_that_no_tape_can_have_are_refused)
{
    static const char *const why[REFUSED] = {
        "at most 8 dims", "'<c8'",   "'<U2'", "not of one array of numbers", "above 9223372036854775807",
        "'<f16'",         "'<M8[s]'"};
    for (int i = 0; i < REFUSED; i++)
        want_refused(refused_arrays[i].file, refused_arrays[i].bytes, refused_arrays[i].name, why[i]);
}
END_TEST

/* As by tg_load: no finite number becomes infinite. */
START_TEST(no_finite_number_becomes_infinite)
{
    for (int reversed = 0; reversed < 2; reversed++) {
        tg_tape *wide = tg_tape_new(TG_F64), *t = tg_tape_new(TG_F32);
        unsigned char file[MOST];
        ck_assert_int_eq(tg_save_npy(tg_from_doubles(wide, TG_SHAPE(3), (double[]){INFINITY, 1, -1e300}), path), TG_OK);
        size_t n = read_bytes(file);
        for (size_t i = n - 24; i < n && reversed; i += 8)
            for (size_t k = 0; k < 4; k++) {
                unsigned char byte = file[i + k];
                file[i + k] = file[i + 7 - k];
                file[i + 7 - k] = byte;
            }
        *strchr((char *)file + 10, '<') = reversed ? '>' : '<';
        write_bytes(file, n);
        ck_assert(tg_is_null(tg_load_npy(t, path)));
        WANT_ERROR(t, TG_ERR_NUMERIC, "load_npy: ", path, "-1e+300", "float32");
        ck_assert(!tg_is_null(tg_load_npy(wide, path)));
        tg_tape_free(wide);
        tg_tape_free(t);
        remove(path);
    }
}
END_TEST

/* A header with this dict, and 24 bytes of data. */
static void want_dict(const char *dict, const char *why) {
    char file[400] = "\x93NUMPY\1";
    size_t n = strlen(dict);
    file[8] = (char)n;
    memcpy(file + 10, dict, n);
    want_refused(file, 10 + n + 24, dict, why);
}

START_TEST(malformed_headers_are_refused)
{
#define REST "'fortran_order': False, 'shape': (2, 3)}"
    static const char none[] = "not of one array of numbers";
    static const char *const bad[] = {"",
                                      "{",
                                      "}",
                                      "{}",
                                      "{,}",
                                      "x{'descr': '<f4', " REST,
                                      "{'descr': '<f4', " REST "x",
                                      "{'descr': '<f4' " REST,
                                      "{'descr' '<f4', " REST,
                                      "{descr: '<f4', " REST,
                                      "{'descr': '<f4",
                                      "{'descr': <f4, " REST,
                                      "{'descr': '<f4\", " REST,
                                      "{'descr",
                                      "{'descr'",
                                      "{'shape': (2",
                                      "{'descr': '<f4', 'descry': False}",
                                      "{'descr': '<f4', 'descr': '<f4', " REST,
                                      "{'more': 1, 'descr': '<f4', " REST,
                                      "{'descr': '<f4', 'fortran_order': 0, 'shape': (2, 3)}",
                                      "{'descr': '<f4', 'shape': (2, 3)}",
                                      "{'descr': '<f4', 'fortran_order': False, 'shape': 6}",
                                      "{'descr': '<f4', 'fortran_order': False, 'shape': (2, -3)}",
                                      "{'descr': '<f4', 'fortran_order': False, 'shape': (2 3)}",
                                      "{'descr': '<f4', 'fortran_order': False, 'shape': (2,, 3)}",
                                      "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3}",
                                      "{'descr': '<f4', 'fortran_order': False, 'shape': (1,1,1,1,1,1,1,2,3)}",
                                      "{'descr': '<f4444444444444444444', " REST};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        want_dict(bad[i], none);
    want_dict("{'descr': '=f4', " REST, "its elements are '=f4'");
    want_dict("{'descr': '|f4', " REST, "its elements are '|f4'");
    want_dict("{'descr': '', " REST, "its elements are ''");
    want_dict("{'descr': '<f\n4', " REST, "its elements are '<f?4'");
    want_dict("{\"descr\": \"<f8\", " REST, "(2, 3) of <f8 are 48 bytes, but there are 24");
    want_dict("{'descr': '<f8', " REST, "(2, 3) of <f8 are 48 bytes, but there are 24");
    want_dict("{'descr': '<f2', " REST, "(2, 3) of <f2 are 12 bytes, but there are 24");
    want_dict("{'descr': '<f4', 'fortran_order': False, 'shape': (4294967296, 4294967296)}", "too large");
    want_dict("{'descr': '<f4', 'fortran_order': False, 'shape': (99999999999999999999,)}", "too large");
}
END_TEST

START_TEST(other_files_are_refused)
{
    want_refused("", 0, "empty", "0 bytes are too few for a .npy file");
    want_refused("\x93NUMPY\1\0", 8, "short", "8 bytes are too few");
    want_refused("PK\3\4\24\0\0\0\0\0\0\0\0\0", 14, "npz", "it is no .npy file");
    want_refused("\x93NUMPY\4\0\10\0\0\0{}      ", 20, "version 4", "version 4 of the format is unknown");
    want_refused("\x93NUMPY\0\0\10\0\0\0{}      ", 20, "version 0", "version 0 of the format is unknown");
    want_refused("\x93NUMPY\1\0\20\0\0\0{}      ", 20, "cut short", "its header of 16 bytes is truncated");
    want_refused("\x93NUMPY\2\0\0\0\0\377{}      ", 20, "long", "its header of 4278190080 bytes is truncated");
    char hidden[200] = "\x93NUMPY\1\0x";
    snprintf(hidden + 10, sizeof hidden - 10, "{'descr': '<f4', 'fortran_order': False, 'shape': (1,)}");
    hidden[8 + 2 + 119] = '!'; /* behind a zero byte */
    want_refused(hidden, 10 + 120 + 4, "zeros in the header", "not of one array");
    tg_tape *t = tg_tape_new(TG_F32);
    ck_assert(tg_is_null(tg_load_npy(t, "/nowhere/x.npy")));
    WANT_ERROR(t, TG_ERR_IO, "load_npy: /nowhere/x.npy: cannot open it: No such file");
    ck_assert(tg_is_null(tg_load_npy(t, folder)));
    WANT_ERROR(t, TG_ERR_IO, "load_npy: ", folder);
    ck_assert(tg_is_null(tg_load_npy(t, NULL)));
    WANT_ERROR(t, TG_ERR_ARGUMENT, "load_npy: the path is empty");
    ck_assert(tg_is_null(tg_load_npy(NULL, path)));
    tg_tape_free(t);
}
END_TEST

/* Every byte of a file changed, and every length: an array or one line, never a crash. */
START_TEST(no_changed_byte_crashes)
{
    unsigned char file[MOST];
    const saved_array *a = named("Fortran i4");
    tg_tape *t = tg_tape_new(TG_F32);
    tg_mark start = tg_tape_mark(t);
    for (size_t i = 0; i < a->bytes; i++)
        for (int k = 0; k < 4; k++) {
            static const unsigned char with[] = {0, 0xff, '9', '\''};
            memcpy(file, a->file, a->bytes);
            file[i] = with[k];
            write_bytes(file, k ? a->bytes : i); /* with a byte less each time, too */
            if (tg_is_null(tg_load_npy(t, path)))
                WANT_ERROR(t, TG_ERR_FORMAT, "load_npy: ");
            ck_assert_int_eq(tg_tape_rewind(t, start), TG_OK);
        }
    tg_tape_free(t);
    remove(path);
}
END_TEST

static void begin(void) {
    ck_assert(make_folder("npy", folder, sizeof folder));
    snprintf(path, sizeof path, "%s/x.npy", folder);
}

static void end(void) { ck_assert_int_eq(rmdir(folder), 0); }

int main(void) {
    TCase *c = tcase_create("npy");
    tcase_add_checked_fixture(c, begin, end);
    tcase_add_loop_test(c, arrays_of_numpy_are_read, 0, ARRAYS);
    tcase_add_test(c, loading_makes_a_leaf);
    tcase_add_test(c, saving_writes_numpys_bytes);
    tcase_add_test(c, a_failed_save_replaces_nothing);
    tcase_add_test(c, arrays_that_no_tape_can_have_are_refused);
    tcase_add_test(c, no_finite_number_becomes_infinite);
    tcase_add_test(c, malformed_headers_are_refused);
    tcase_add_test(c, other_files_are_refused);
    tcase_add_test(c, no_changed_byte_crashes);
    return run_suite("npy", c);
}
