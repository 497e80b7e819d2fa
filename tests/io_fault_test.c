/* Every system call of saving and loading fails in turn, with every error, once and from then on, or is short, or
 * interrupted: nothing crashes, nothing is kept, and the file and the weights are the old ones or the new ones. */
#include "optim/optim.h"
#include "tests/io/system.h"
#include "tests/support.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

enum { OLD = 3, NEW = 4, N = 6 };
static const int errors[] = {EPERM, ENOENT, EIO, EACCES, EBUSY, ENOSPC, EROFS, EMFILE, ENOMEM, EDQUOT, EINVAL, ENOLCK};
enum { N_ERRORS = sizeof errors / sizeof *errors };

static char folder[300], path[400];
static tg_tape *t;
static tg_optim *o;
static int64_t step;
static tg_run_number number = {"step", &step, NULL};

static tg_run run_of(void) { return (tg_run){.optim = {o}, .number = &number, .n_numbers = 1}; }

static void set_version(int version) {
    double v[N];
    for (int i = 0; i < N; i++)
        v[i] = version;
    ck_assert_int_eq(tg_write_doubles(tg_named(t, "w"), v, N), TG_OK);
    step = version;
}

/* The version in memory; -1 when it is mixed. */
static int version_now(bool is_run) {
    double v[N];
    ck_assert_int_eq(tg_read_doubles(tg_named(t, "w"), v, N), TG_OK);
    for (int i = 1; i < N; i++)
        if (v[i] != v[0])
            return -1;
    return is_run && step != (int64_t)v[0] ? -1 : (int)v[0];
}

static tg_status save_model(void) { return tg_save(t, path); }
static tg_status save_run(void) { return tg_save_run(t, path, run_of()); }
static tg_status load_model(void) { return tg_load(t, path); }
static tg_status load_run(void) { return tg_load_run(t, path, run_of()); }
static tg_status save_npy(void) { return tg_save_npy(tg_named(t, "w"), path); }
static tg_status load_npy(void) {
    tg_mark mark = tg_tape_mark(t);
    tg_tensor x = tg_load_npy(t, path);
    tg_status status = tg_is_null(x) ? tg_tape_status(t) : tg_copy_(tg_named(t, "w"), x);
    ck_assert_int_eq(tg_tape_rewind(t, mark), TG_OK);
    return status;
}
static tg_status try_path(void) { return tg_check_save(t, path); }
static void see(const tg_file_tensor *x, void *context) {
    (void)x;
    (void)context;
}
static tg_status list(void) { return tg_list_file(t, path, see, NULL); }

/* What is in the file: how it comes there, and from there. */
typedef struct format {
    tg_status (*save)(void), (*load)(void);
} format;
static const format model = {save_model, load_model}, run = {save_run, load_run}, npy = {save_npy, load_npy};

static const struct {
    const char *name;
    tg_status (*call)(void);
    const format *of;
    bool is_save, is_load, first; /* first: there is no file yet */
} actions[] = {
    {"tg_save, new", save_model, &model, true, false, true}, {"tg_save", save_model, &model, true, false, false},
    {"tg_save_run", save_run, &run, true, false, false},     {"tg_load", load_model, &model, false, true, false},
    {"tg_load_run", load_run, &run, false, true, false},     {"tg_check_save", try_path, &run, false, false, false},
    {"tg_list_file", list, &run, false, false, false},       {"tg_save_npy, new", save_npy, &npy, true, false, true},
    {"tg_save_npy", save_npy, &npy, true, false, false},     {"tg_load_npy", load_npy, &npy, false, true, false}};
enum { N_ACTIONS = sizeof actions / sizeof *actions };

static int open_files(void) {
    int n = 0;
    for (int fd = 0; fd < 256; fd++)
        n += fcntl(fd, F_GETFD) != -1;
    return n;
}

static int count_files(bool remove_all) {
    DIR *d = opendir(folder);
    int n = 0;
    for (struct dirent *e; (e = readdir(d));)
        if (strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0) {
            n++;
            if (remove_all)
                unlinkat(dirfd(d), e->d_name, 0);
        }
    closedir(d);
    return n;
}

static int64_t faults, refused;

/* In a folder with the old file (or none), and the new version in memory; for loads the other way round. */
static int act(int a, fault f) {
    const format *of = actions[a].of;
    bool is_run = of == &run, first = actions[a].first;
    count_files(true);
    set_version(OLD);
    if (!first)
        ck_assert_int_eq(of->save(), TG_OK);
    set_version(NEW);
    int open_before = open_files();
    size_t reserved = tg_tape_memory(t).reserved;
    system_begin(f);
    tg_status status = actions[a].call();
    int n = system_end();
    ck_assert_msg(status == tg_tape_status(t), "%s: %s", actions[a].name, tg_error(t));
    ck_assert((status == TG_OK) == (tg_error(t)[0] == '\0'));
    bool in_place = strstr(tg_error(t), "written, but") != NULL;
    tg_clear_error(t);
    ck_assert_msg(open_files() == open_before, "%s: a file stays open", actions[a].name);
    ck_assert_uint_eq(tg_tape_memory(t).reserved, reserved);
    if (f.how != DOES_NOTHING) {
        faults++;
        refused += status != TG_OK;
        bool may_stay = strcmp(f.only ? f.only : system_hit(), "unlinkat") == 0 || f.from_then_on;
        ck_assert_msg(may_stay || count_files(false) <= 1, "%s: %s leaves a file", actions[a].name, system_hit());
    }
    if (actions[a].is_load) {
        ck_assert_int_eq(version_now(is_run), status ? NEW : OLD);
        return n;
    }
    ck_assert_int_eq(version_now(is_run), NEW);
    bool is_new = actions[a].is_save && (status == TG_OK || in_place);
    if (first && !is_new) {
        ck_assert_int_ne(access(path, F_OK), 0);
        return n;
    }
    ck_assert_int_eq(of->load(), TG_OK);
    ck_assert_int_eq(version_now(is_run), is_new ? NEW : OLD);
    return n;
}

static void begin(void) {
    if (access("/dev/shm", W_OK) == 0) /* memory: thousands of files are made and removed */
        (void)setenv("TMPDIR", "/dev/shm", 0);
    ck_assert(make_folder("io_fault_test", folder, sizeof folder));
    snprintf(path, sizeof path, "%s/model.safetensors", folder);
    t = tg_tape_new(TG_F32);
    tg_parameter(t, "w", tg_zeros(t, TG_SHAPE(N)));
    o = tg_adam_new(t, tg_parameters(t), TG_ADAM_DEFAULTS);
    set_version(1);
    ck_assert_int_eq(save_run(), TG_OK); /* what the pool needs once it has now */
}

static void end(void) {
    printf("%lld faults, %lld of them refused: nothing crashed, leaked or half changed\n", (long long)faults,
           (long long)refused);
    fflush(stdout);
    tg_tape_free(t);
    count_files(true);
    rmdir(folder);
}

START_TEST(every_call_fails_in_turn)
{
    int calls = act(_i, (fault){.how = DOES_NOTHING});
    ck_assert_int_gt(calls, 3);
    for (int at = 1; at <= calls; at++)
        for (int e = 0; e < N_ERRORS; e++)
            for (int on = 0; on < 2; on++)
                act(_i, (fault){FAILS, at, errors[e], on, NULL});
    ck_assert_int_gt(refused, 0);
}
END_TEST

/* These are no failures: the call is made again, or goes on. */
START_TEST(every_call_is_short_or_interrupted_in_turn)
{
    int calls = act(_i, (fault){.how = DOES_NOTHING});
    for (int at = 1; at <= calls; at++)
        act(_i, (fault){IS_SHORT, at, 0, false, NULL});
    ck_assert_int_eq(refused, 0);
    act(_i, (fault){IS_SHORT, 1, 0, true, NULL});
    static const char *const can[] = {"openat", "flock", "write", "pread", "fchmod", "fsync", "renameat"};
    for (size_t i = 0; i < sizeof can / sizeof *can; i++)
        for (int at = 1; at <= calls; at++)
            act(_i, (fault){IS_INTERRUPTED, at, 0, false, can[i]});
    ck_assert_int_eq(refused, 0);
}
END_TEST

int main(void) {
    TCase *c = tcase_create("io_fault");
    tcase_add_checked_fixture(c, begin, end);
    tcase_add_loop_test(c, every_call_fails_in_turn, 0, N_ACTIONS);
    tcase_add_loop_test(c, every_call_is_short_or_interrupted_in_turn, 0, N_ACTIONS);
    return run_suite("io_fault", c);
}
