/* tg_save replaces a file whole or leaves it as it was, and keeps to the rules for leftovers, permissions and links,
 * also when a call fails once. */
#define _DEFAULT_SOURCE /* flock */
#include "tests/io/system.h"
#include "tests/support.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

static char directory[300], path[400];
static tg_tape *t;
static tg_tensor w;

/* A tape with the parameter w = {1, 2}. */
static void begin(void) {
    ck_assert_msg(make_folder("save_test", directory, sizeof directory), "no folder for files");
    snprintf(path, sizeof path, "%s/model.safetensors", directory);
    system_end();
    system_watch = NULL;
    t = tg_tape_new(TG_F32);
    w = tg_parameter(t, "w", tg_from_doubles(t, TG_SHAPE(2), (const double[]){1, 2}));
}

static const char *in_folder(const char *name) {
    static char full[700];
    snprintf(full, sizeof full, "%s/%s", directory, name);
    return full;
}

/* Files whose name begins so. */
static int count_files(const char *start, bool remove_them) {
    DIR *d = opendir(directory);
    int n = 0;
    for (struct dirent *e; (e = readdir(d));) {
        bool found = strcmp(e->d_name, ".") && strcmp(e->d_name, "..") && !strncmp(e->d_name, start, strlen(start));
        n += found;
        if (found && remove_them)
            unlink(in_folder(e->d_name));
    }
    closedir(d);
    return n;
}

static void end(void) {
    tg_tape_free(t);
    count_files("", true);
    rmdir(directory);
}

static void must_save(void) { ck_assert_msg(tg_save(t, path) == TG_OK, "%s", tg_error(t)); }

static void want_refused(const char *text) {
    ck_assert_int_eq(tg_save(t, path), TG_ERR_IO);
    ck_assert_msg(strstr(tg_error(t), text) != NULL, "no '%s' in: %s", text, tg_error(t));
    tg_clear_error(t);
}

static int make_file(const char *name, mode_t mode) {
    int fd = open(in_folder(name), O_RDWR | O_CREAT | O_EXCL, 0600);
    ck_assert_int_ge(fd, 0);
    ck_assert_int_eq(write(fd, "old", 3), 3);
    ck_assert_int_eq(fchmod(fd, mode), 0);
    return fd;
}

static unsigned mode_of(const char *name) {
    struct stat about;
    ck_assert_int_eq(stat(in_folder(name), &about), 0);
    return about.st_mode & 0777;
}

static bool loads(void) {
    tg_tape *other = tg_tape_new(TG_F32);
    tg_tensor x = tg_parameter(other, "w", tg_zeros(other, TG_SHAPE(2)));
    double got[2] = {0};
    bool good = tg_load(other, path) == TG_OK && tg_read_doubles(x, got, 2) == TG_OK && got[0] == 1 && got[1] == 2;
    tg_tape_free(other);
    return good;
}

/* ---- what killed writers left ---- */

START_TEST(leftovers_of_dead_writers_are_removed)
{
    char name[100];
    for (int i = 0; i < 100; i++) {
        snprintf(name, sizeof name, ".tapegrad-%d-%d.tmp", (int)getpid(), i);
        close(make_file(name, 0600));
        snprintf(name, sizeof name, ".tapegrad-%032x.tmp", i);
        close(make_file(name, 0600));
    }
    int live = make_file(".tapegrad-0123456789abcdef0123456789abcdef.tmp", 0600);
    ck_assert_int_eq(flock(live, LOCK_EX), 0);
    close(make_file(".tapegrad-notes.tmp", 0600)); /* another's */
    close(make_file(".tapegrad-0.tmp.c", 0600));
    must_save();
    ck_assert(loads());
    ck_assert_int_eq(count_files("", false), 4);
    ck_assert_int_eq(count_files(".tapegrad-0123", false), 1);
    close(live);
    must_save();
    ck_assert_int_eq(count_files("", false), 3);
}
END_TEST

static int lost;
static void clear_it_away(const disk_call *c) {
    if (c->what != DISK_CREATE || lost >= 3)
        return;
    lost++;
    unlink(in_folder(c->name));
}

START_TEST(a_writer_that_loses_its_file_before_it_is_locked_makes_another)
{
    lost = 0;
    system_watch = clear_it_away;
    must_save();
    ck_assert_int_eq(lost, 3);
    ck_assert(loads());
    ck_assert_int_eq(count_files("", false), 1);
}
END_TEST

static char names[2][100];
static int n_names;
static void note_name(const disk_call *c) {
    if (c->what == DISK_CREATE)
        snprintf(names[n_names++ % 2], sizeof names[0], "%s", c->name);
}

START_TEST(temporary_names_are_long_and_never_the_same)
{
    system_watch = note_name;
    must_save();
    must_save();
    ck_assert_uint_ge(strlen(names[0]), strlen(".tapegrad-.tmp") + 32);
    ck_assert_str_ne(names[0], names[1]);
}
END_TEST

/* ---- permissions, links ---- */

static unsigned while_writing;
static void note_mode(const disk_call *c) {
    struct stat about;
    if (c->what == DISK_WRITE && fstat(c->fd, &about) == 0)
        while_writing |= about.st_mode & 0777;
}

START_TEST(until_it_is_complete_only_its_owner_reads_it)
{
    close(make_file("model.safetensors", 0644));
    while_writing = 0;
    system_watch = note_mode;
    must_save();
    ck_assert_uint_eq(while_writing, 0600);
    ck_assert_uint_eq(mode_of("model.safetensors"), 0644);
}
END_TEST

START_TEST(a_read_only_file_is_replaced_only_when_asked)
{
    close(make_file("model.safetensors", 0444));
    want_refused("read-only");
    ck_assert_int_eq(tg_check_save(t, path), TG_ERR_IO);
    tg_clear_error(t);
    ck_assert_int_eq(count_files("", false), 1);
    tg_save_config config = TG_SAVE_DEFAULTS;
    config.replace_read_only = true;
    ck_assert_msg(tg_save_with(t, path, config) == TG_OK, "%s", tg_error(t));
    ck_assert_uint_eq(mode_of("model.safetensors"), 0444);
    ck_assert(loads());
}
END_TEST

START_TEST(links_are_replaced_not_followed)
{
    char text[4] = "";
    close(make_file("target", 0640));
    ck_assert_int_eq(symlink("target", path), 0);
    must_save();
    struct stat about;
    ck_assert_int_eq(lstat(path, &about), 0);
    ck_assert(S_ISREG(about.st_mode));
    unlink(path);
    char target[700];
    snprintf(target, sizeof target, "%s", in_folder("target"));
    ck_assert_int_eq(link(target, path), 0);
    must_save();
    int fd = open(target, O_RDONLY);
    ck_assert_int_eq(read(fd, text, 3), 3);
    close(fd);
    ck_assert_str_eq(text, "old");
    ck_assert(loads());
}
END_TEST

START_TEST(check_save_finds_a_path_that_save_refuses)
{
    close(make_file("model.safetensors", 0640));
    ck_assert_int_eq(tg_check_save(t, path), TG_OK);
    int fd = open(path, O_RDONLY);
    char text[4] = "";
    ck_assert_int_eq(read(fd, text, 4), 3);
    close(fd);
    ck_assert_str_eq(text, "old");
    ck_assert_int_eq(tg_check_save(t, in_folder("new")), TG_OK);
    ck_assert_int_eq(count_files("", false), 1);
    ck_assert_int_eq(tg_check_save(t, "/dev/null"), TG_ERR_IO);
    WANT_ERROR(t, TG_ERR_IO, "/dev/null", "not a regular file");
    ck_assert_int_eq(tg_check_save(t, directory), TG_ERR_IO);
    WANT_ERROR(t, TG_ERR_IO, "not a regular file");
    ck_assert_int_eq(tg_check_save(t, in_folder("none/model")), TG_ERR_IO);
    WANT_ERROR(t, TG_ERR_IO, "open its folder", "No such file");
    ck_assert_int_eq(tg_check_save(t, ""), TG_ERR_ARGUMENT);
    tg_clear_error(t);
    ck_assert_int_eq(tg_check_save(NULL, path), TG_ERR_ARGUMENT);
}
END_TEST

/* ---- calls that fail once ---- */

START_TEST(a_path_that_cannot_be_examined_is_not_replaced)
{
    close(make_file("model.safetensors", 0600));
    system_begin((fault){FAILS, 1, EIO, false, "fstatat"});
    char why[80]; /* C libraries have their own words for it */
    snprintf(why, sizeof why, "cannot examine the old file: %s", strerror(EIO));
    want_refused(why);
    system_end();
    ck_assert_uint_eq(mode_of("model.safetensors"), 0600);
    ck_assert_int_eq(count_files("", false), 1);
}
END_TEST

START_TEST(interrupted_and_short_calls_go_on)
{
    static const char *const can[] = {"openat", "flock", "write", "fchmod", "fsync", "renameat"};
    close(make_file("model.safetensors", 0600));
    for (size_t i = 0; i < sizeof can / sizeof *can; i++) {
        system_begin((fault){IS_INTERRUPTED, 1, 0, false, can[i]});
        must_save();
        system_end();
        ck_assert_str_eq(system_hit(), can[i]);
        ck_assert(loads());
    }
    for (int n = 1; n <= 3; n++) {
        system_begin((fault){IS_SHORT, n, 0, false, "write"});
        must_save();
        system_end();
        ck_assert(loads());
    }
    system_begin((fault){IS_INTERRUPTED, 1, 0, false, "pread"});
    ck_assert(loads());
    system_begin((fault){IS_SHORT, 2, 0, false, "pread"});
    ck_assert(loads());
    system_end();
    ck_assert_str_eq(system_hit(), "pread");
}
END_TEST

/* A full pipe, a file that another cuts short: 0 is no error, and would be tried for ever. */
START_TEST(calls_that_move_nothing_are_errors)
{
    system_begin((fault){.how = MOVES_NOTHING, .at = 1, .only = "write"});
    want_refused("the system accepted no bytes");
    system_end();
    must_save();
    for (int at = 1; at <= 3; at++) {
        tg_tape *other = tg_tape_new(TG_F32);
        tg_tensor x = tg_parameter(other, "w", tg_zeros(other, TG_SHAPE(2)));
        system_begin((fault){.how = MOVES_NOTHING, .at = at, .only = "pread"});
        tg_status status = tg_load(other, path);
        bool hit = system_hit()[0] != '\0';
        system_end();
        ck_assert_int_eq(status, hit ? TG_ERR_IO : TG_OK);
        if (hit)
            WANT_ERROR(other, TG_ERR_IO, "it was truncated meanwhile");
        ck_assert(hit || at > 2);
        ck_assert_int_eq((int)tg_item(tg_sum(x, TG_ALL_DIMS, false)), hit ? 0 : 3);
        tg_tape_free(other);
    }
}
END_TEST

/* Any signal would end the test: the process takes SIGXFSZ as processes do by default. */
START_TEST(a_file_that_may_not_grow_is_an_error_and_no_signal)
{
    struct rlimit old, low;
    struct sigaction before, after;
    sigset_t pending;
    tg_tensor large = tg_parameter(t, "large", tg_zeros(t, TG_SHAPE(10000)));
    must_save();
    signal(SIGXFSZ, SIG_DFL);
    sigaction(SIGXFSZ, NULL, &before);
    getrlimit(RLIMIT_FSIZE, &old);
    for (int i = 0; i < 4; i++) { /* nothing, a part of the header, a part of the data, all but a byte */
        static const rlim_t most[] = {0, 100, 20000};
        struct stat about;
        ck_assert_int_eq(stat(path, &about), 0);
        low = (struct rlimit){i < 3 ? most[i] : (rlim_t)about.st_size - 1, old.rlim_max};
        setrlimit(RLIMIT_FSIZE, &low); /* until it is the old one again, check cannot note an assertion */
        tg_status status = tg_save(t, path), npy = TG_OK;
        tg_clear_error(t);
        tg_status again = tg_save(t, path);
        char said[300];
        snprintf(said, sizeof said, "%s", tg_error(t));
        tg_clear_error(t);
        npy = tg_save_npy(large, in_folder("large.npy"));
        setrlimit(RLIMIT_FSIZE, &old);
        ck_assert(status == TG_ERR_IO && again == TG_ERR_IO && (npy == TG_ERR_IO || i == 3));
        tg_clear_error(t);
        ck_assert_msg(strstr(said, "cannot write: File too large; the file is unchanged") != NULL, "%s", said);
        ck_assert_int_eq(count_files("", false), i < 3 || npy ? 1 : 2);
        ck_assert_int_eq(count_files("model.safetensors", false), 1);
        struct stat now;
        ck_assert_int_eq(stat(path, &now), 0);
        ck_assert(now.st_size == about.st_size && now.st_ino == about.st_ino);
    }
    sigaction(SIGXFSZ, NULL, &after);
    ck_assert(before.sa_handler == after.sa_handler);
    ck_assert(sigpending(&pending) == 0 && !sigismember(&pending, SIGXFSZ));
    low = (struct rlimit){1000000, old.rlim_max};
    setrlimit(RLIMIT_FSIZE, &low);
    tg_status fits = tg_save(t, path);
    setrlimit(RLIMIT_FSIZE, &old);
    ck_assert_int_eq(fits, TG_OK);
}
END_TEST

START_TEST(a_folder_that_loses_every_file_is_an_error)
{
    system_begin((fault){.how = FAILS, .at = 1, .from_then_on = true, .error = EWOULDBLOCK, .only = "flock"});
    want_refused("each was removed at once");
    system_end();
}
END_TEST

START_TEST(file_and_folder_are_brought_to_the_disk)
{
    system_begin((fault){FAILS, 1, EIO, false, "fsync"});
    want_refused("the file is unchanged");
    system_begin((fault){FAILS, 2, EIO, false, "fsync"});
    want_refused("written, but it may not survive a power cut: cannot sync its folder");
    system_end();
    ck_assert(loads());
}
END_TEST

/* ---- a chosen list, other types, metadata ---- */

static size_t read_all(char *bytes, size_t size) {
    FILE *f = fopen(path, "rb");
    ck_assert_ptr_nonnull(f);
    size_t n = fread(bytes, 1, size, f);
    fclose(f);
    return n;
}

START_TEST(a_list_is_saved_in_another_type_with_metadata)
{
    static const char want[] = "{\"__metadata__\":{\"format\":\"pt\",\"step\":\"7 \\\"x\\\"\",\"by\":\"me\"},"
                               "\"w\":{\"dtype\":\"F16\",\"shape\":[2],\"data_offsets\":[0,4]}}";
    char file[400];
    const char *metadata[] = {"step", "7 \"x\"", "by", "me", NULL};
    tg_parameter(t, "v", tg_ones(t, TG_SHAPE(3)));
    tg_save_config config = TG_SAVE_DEFAULTS;
    config.only = (tg_list){t, 1, &w};
    config.dtype = "F16";
    config.metadata = metadata;
    ck_assert_msg(tg_save_with(t, path, config) == TG_OK, "%s", tg_error(t));
    size_t n = read_all(file, sizeof file);
    ck_assert(n > sizeof want && memcmp(file + 8, want, sizeof want - 1) == 0);
    ck_assert(memcmp(file + n - 4, "\x00\x3c\x00\x40", 4) == 0); /* 1 and 2 in binary16 */
    config.dtype = "BF16";
    ck_assert_msg(tg_save_with(t, path, config) == TG_OK, "%s", tg_error(t));
    n = read_all(file, sizeof file);
    ck_assert(memcmp(file + n - 4, "\x80\x3f\x00\x40", 4) == 0);
    ck_assert(loads());
}
END_TEST

/* Many more elements than are converted at once. */
START_TEST(many_numbers_convert_to_wider_and_narrower_types)
{
    static double value[1300], got[1300];
    static const struct {
        tg_dtype dtype;
        const char *in_file;
    } way[] = {{TG_F32, "F64"}, {TG_F64, "F32"}, {TG_F64, "F64"}, {TG_F32, "F32"}};
    for (int k = 0; k < 4; k++) {
        tg_tape *from = tg_tape_new(way[k].dtype), *to = tg_tape_new(TG_F64);
        tg_save_config config = TG_SAVE_DEFAULTS;
        config.dtype = way[k].in_file;
        for (int i = 0; i < 1300; i++)
            value[i] = 1.0 / (i + 3);
        tg_parameter(from, "x", tg_from_doubles(from, TG_SHAPE(13, 100), value));
        tg_tensor x = tg_parameter(to, "x", tg_zeros(to, TG_SHAPE(13, 100)));
        ck_assert_msg(tg_save_with(from, path, config) == TG_OK, "%s", tg_error(from));
        ck_assert_msg(tg_load(to, path) == TG_OK, "%s", tg_error(to));
        ck_assert_int_eq(tg_read_doubles(x, got, 1300), TG_OK);
        for (int i = 0; i < 1300; i++)
            ck_assert(got[i] == (k == 2 ? value[i] : (double)(float)value[i]));
        tg_tape_free(from);
        tg_tape_free(to);
    }
}
END_TEST

static int listed_ndim;
static void note_ndim(const tg_file_tensor *x, void *context) {
    (void)context;
    listed_ndim = x->shape.ndim;
}

START_TEST(a_list_says_which_tensors_no_tape_can_have)
{
    static const char header[] = "{\"a\":{\"dtype\":\"F32\",\"shape\":[1,1,1,1,1,1,1,1,1],\"data_offsets\":[0,4]}}";
    FILE *f = fopen(path, "wb");
    ck_assert_ptr_nonnull(f);
    fprintf(f, "%c%c%c%c%c%c%c%c%s%c%c%c%c", (int)strlen(header), 0, 0, 0, 0, 0, 0, 0, header, 0, 0, 0, 0);
    ck_assert_int_eq(fclose(f), 0);
    ck_assert_msg(tg_list_file(t, path, note_ndim, NULL) == TG_OK, "%s", tg_error(t));
    ck_assert_int_eq(listed_ndim, -1);
}
END_TEST

START_TEST(wrong_configurations_are_refused)
{
    static const char *const lonely[] = {"key", NULL}, *const taken[] = {"format", "np", NULL},
                             *const twice[] = {"a", "1", "a", "2", NULL}, *const bytes[] = {"a", "\xff", NULL};
    tg_save_config config = TG_SAVE_DEFAULTS;
    config.dtype = "I8";
    ck_assert_int_eq(tg_save_with(t, path, config), TG_ERR_ARGUMENT);
    WANT_ERROR(t, TG_ERR_ARGUMENT, "'I8'", "F16, BF16, F32 or F64");
    const char *const *const bad[] = {lonely, taken, twice, bytes};
    config.dtype = NULL;
    for (int i = 0; i < 4; i++) {
        config.metadata = bad[i];
        ck_assert_int_eq(tg_save_with(t, path, config), TG_ERR_ARGUMENT);
        tg_clear_error(t);
    }
    config.metadata = NULL;
    tg_tensor list[2] = {w, w};
    config.only = (tg_list){t, 2, list};
    ck_assert_int_eq(tg_save_with(t, path, config), TG_ERR_ARGUMENT);
    WANT_ERROR(t, TG_ERR_ARGUMENT, "twice");
    config.only.n = -3;
    ck_assert_int_eq(tg_save_with(t, path, config), TG_ERR_ARGUMENT);
    WANT_ERROR(t, TG_ERR_ARGUMENT, "-3 tensors");
    config.only.n = 2;
    list[1] = tg_ones(t, TG_SHAPE(1));
    ck_assert_int_eq(tg_save_with(t, path, config), TG_ERR_ARGUMENT);
    WANT_ERROR(t, TG_ERR_ARGUMENT, "no named tensor");
    tg_parameter(t, "tapegrad.x", tg_ones(t, TG_SHAPE(1)));
    ck_assert_int_eq(tg_save(t, path), TG_ERR_ARGUMENT);
    WANT_ERROR(t, TG_ERR_ARGUMENT, "'tapegrad.x'", "reserved");
    ck_assert_int_eq(count_files("", false), 0);
}
END_TEST

int main(void) {
    const TTest *const tests[] = {leftovers_of_dead_writers_are_removed,
                                  a_writer_that_loses_its_file_before_it_is_locked_makes_another,
                                  temporary_names_are_long_and_never_the_same,
                                  until_it_is_complete_only_its_owner_reads_it,
                                  a_read_only_file_is_replaced_only_when_asked,
                                  links_are_replaced_not_followed,
                                  check_save_finds_a_path_that_save_refuses,
                                  a_path_that_cannot_be_examined_is_not_replaced,
                                  interrupted_and_short_calls_go_on,
                                  calls_that_move_nothing_are_errors,
                                  a_file_that_may_not_grow_is_an_error_and_no_signal,
                                  a_folder_that_loses_every_file_is_an_error,
                                  many_numbers_convert_to_wider_and_narrower_types,
                                  a_list_says_which_tensors_no_tape_can_have,
                                  file_and_folder_are_brought_to_the_disk,
                                  a_list_is_saved_in_another_type_with_metadata,
                                  wrong_configurations_are_refused};
    return run_tests("save", tests, sizeof tests / sizeof *tests, begin, end);
}
