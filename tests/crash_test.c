/* Power cuts, on a model of the disk. Every call by which a save changes the disk is written down; then, for a cut
 * after each of them, every state that POSIX allows is laid out in a folder and loaded:
 *   - what was written and not brought to the disk (fsync) since is there, or missing, or half there, or only its room
 *     is, filled with zeros: each write for itself, whatever the order
 *   - names that were made, changed or removed since the folder was last brought to the disk are, or are not, as they
 *     were before: each for itself. A rename is one step, but the old name may stay beside the new one
 * (Pillai et al. 2014, "All file systems are not created equal", call these states ALICE's.) In each the file must hold
 * what was saved last and completely, or what was being saved; and the next save must work and leave nothing else. */
#include "optim/optim.h"
#include "tests/count.h"
#include "tests/io/system.h"
#include "tests/support.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MOST_CALLS = 64, MOST_FILES = 16, MOST_BYTES = 1 << 16, NAME = 64 };
static const char MODEL[] = "model.safetensors";

static char folder[300], path[400];

/* ---- what was written down ---- */

typedef struct file {
    int fd;
    size_t written; /* so far */
    uint8_t bytes[MOST_BYTES];
} file;

typedef struct call {
    disk_what what;
    int file;     /* create, write, sync, rename: which; -1: the folder */
    size_t at, n; /* of a write */
    char name[NAME], to[NAME];
} call;

static file files[MOST_FILES];
static call calls[MOST_CALLS];
static int n_files, n_calls, done[4], n_done; /* done: the calls after which a save had returned */

/* A descriptor's file: the last that had it. */
static int file_of(int fd) {
    struct stat about;
    if (fstat(fd, &about) == 0 && S_ISDIR(about.st_mode))
        return -1;
    for (int i = n_files - 1; i >= 0; i--)
        if (files[i].fd == fd)
            return i;
    ck_abort_msg("a call on an unknown file");
}

static int file_named(const char *name) {
    for (int i = n_calls - 1; i >= 0; i--)
        if (calls[i].what == DISK_CREATE && strcmp(calls[i].name, name) == 0)
            return calls[i].file;
    return -1;
}

static void write_down(const disk_call *c) {
    ck_assert_int_lt(n_calls, MOST_CALLS);
    call *d = &calls[n_calls];
    *d = (call){.what = c->what, .n = c->n};
    if (c->name)
        snprintf(d->name, NAME, "%s", c->name);
    if (c->to)
        snprintf(d->to, NAME, "%s", c->to);
    if (c->what == DISK_CREATE) {
        ck_assert_int_lt(n_files, MOST_FILES);
        files[n_files].fd = c->fd;
        files[n_files].written = 0;
        d->file = n_files++;
    } else if (c->what == DISK_RENAME || c->what == DISK_UNLINK) {
        d->file = file_named(c->name);
    } else {
        d->file = file_of(c->fd);
    }
    if (c->what == DISK_WRITE) {
        file *f = &files[d->file];
        ck_assert_uint_le(f->written + c->n, MOST_BYTES);
        memcpy(f->bytes + f->written, c->data, c->n);
        d->at = f->written;
        f->written += c->n;
    }
    n_calls++;
}

/* ---- a state of the disk ---- */

typedef enum { THERE, MISSING, ZEROS, HALF } fate_of_write;
enum { BOTH_NAMES = 2 }; /* of a rename, beside THERE and MISSING */

/* Files that were there before, by name. */
typedef struct old_file {
    char name[NAME];
    size_t n;
    uint8_t bytes[MOST_BYTES];
} old_file;
static old_file before[4];
static int n_before;

/* Was call i brought to the disk before the cut? */
static bool is_safe(int i, int cut) {
    bool of_folder = calls[i].what != DISK_WRITE;
    for (int k = i + 1; k < cut; k++)
        if (calls[k].what == DISK_SYNC && calls[k].file == (of_folder ? -1 : calls[i].file))
            return true;
    return false;
}

static void put_file(const char *name, const uint8_t *bytes, size_t n) {
    char full[700];
    snprintf(full, sizeof full, "%s/%s", folder, name);
    int fd = open(full, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    ck_assert(fd >= 0 && write(fd, bytes, n) == (ssize_t)n);
    close(fd);
}

static void put_content(const char *name, int which, int cut, const uint8_t *fate) {
    static uint8_t bytes[MOST_BYTES];
    size_t n = 0;
    memset(bytes, 0, sizeof bytes);
    for (int i = 0; i < cut; i++) {
        const call *c = &calls[i];
        if (c->what != DISK_WRITE || c->file != which || fate[i] == MISSING)
            continue;
        if (fate[i] != ZEROS)
            memcpy(bytes + c->at, files[which].bytes + c->at, fate[i] == HALF ? c->n / 2 : c->n);
        size_t end = c->at + (fate[i] == HALF ? c->n / 2 : c->n);
        n = end > n ? end : n;
    }
    put_file(name, bytes, n);
}

/* name: what it stands for, >= 0 one of files, < 0 the old file -1 - i. */
typedef struct entry {
    char name[NAME];
    int what;
} entry;
static entry entries[MOST_FILES + 8];
static int n_entries;

static int find(const char *name) {
    for (int i = 0; i < n_entries; i++)
        if (strcmp(entries[i].name, name) == 0)
            return i;
    return -1;
}

static void set(const char *name, int what) {
    int i = find(name);
    if (i < 0)
        i = n_entries++;
    snprintf(entries[i].name, NAME, "%.*s", NAME - 1, name);
    entries[i].what = what;
}

static void forget(const char *name) {
    int i = find(name);
    if (i >= 0)
        entries[i] = entries[--n_entries];
}

static void lay_out(int cut, const uint8_t *fate) {
    n_entries = 0;
    for (int i = 0; i < n_before; i++)
        set(before[i].name, -1 - i);
    for (int i = 0; i < cut; i++) {
        const call *c = &calls[i];
        if (fate[i] == MISSING)
            continue;
        if (c->what == DISK_CREATE)
            set(c->name, c->file);
        if (c->what == DISK_RENAME) {
            set(c->to, c->file);
            if (fate[i] != BOTH_NAMES)
                forget(c->name);
        }
        if (c->what == DISK_UNLINK)
            forget(c->name);
    }
    for (int i = 0; i < n_entries; i++)
        if (entries[i].what >= 0)
            put_content(entries[i].name, entries[i].what, cut, fate);
        else
            put_file(entries[i].name, before[-1 - entries[i].what].bytes, before[-1 - entries[i].what].n);
}

static int count_and_remove(void) {
    DIR *d = opendir(folder);
    int n = 0;
    for (struct dirent *e; (e = readdir(d));) {
        char full[700];
        if (strcmp(e->d_name, ".") == 0 || strcmp(e->d_name, "..") == 0)
            continue;
        snprintf(full, sizeof full, "%s/%s", folder, e->d_name);
        unlink(full);
        n++;
    }
    closedir(d);
    return n;
}

/* ---- what is saved: everything is the version ---- */

typedef struct thing {
    tg_tape *t;
    tg_optim *o; /* NULL: a model, else a run */
    int64_t step;
    tg_run_number number;
} thing;

static void make(thing *m, bool is_run) {
    *m = (thing){.t = tg_tape_new(TG_F32)};
    tg_parameter(m->t, "a", tg_zeros(m->t, TG_SHAPE(5)));
    if (!is_run) {
        tg_parameter(m->t, "b", tg_zeros(m->t, TG_SHAPE(3, 2)));
        tg_buffer(m->t, "c", tg_from_ints(m->t, TG_SHAPE(2), (const int64_t[]){0, 0}));
        return;
    }
    m->o = tg_sgd_new(m->t, tg_parameters(m->t), TG_SGD_DEFAULTS);
    m->number = (tg_run_number){"step", &m->step, NULL};
}

static tg_run run_of(thing *m) { return (tg_run){.optim = {m->o}, .number = &m->number, .n_numbers = 1}; }

static void set_version(thing *m, int version) {
    const double v[6] = {version, version, version, version, version, version};
    tg_list all = tg_state(m->t);
    for (int64_t i = 0; i < all.n; i++) {
        int64_t n = tg_numel(all.tensor[i]);
        if (tg_dtype_of(all.tensor[i]) == TG_I64)
            ck_assert_int_eq(tg_write_ints(all.tensor[i], (const int64_t[]){version, version}, n), TG_OK);
        else
            ck_assert_int_eq(tg_write_doubles(all.tensor[i], v, n), TG_OK);
    }
    m->step = version;
    tg_manual_seed(m->t, (uint64_t)version);
}

static tg_status save(thing *m) { return m->o ? tg_save_run(m->t, path, run_of(m)) : tg_save(m->t, path); }

/* The version in the file; 0: there is none, -1: it is neither one nor another. */
static int loaded_version(thing *m) {
    double v[6];
    if (access(path, F_OK))
        return 0;
    tg_status status = m->o ? tg_load_run(m->t, path, run_of(m)) : tg_load(m->t, path);
    tg_clear_error(m->t);
    tg_list all = tg_state(m->t);
    int version = -1;
    for (int64_t i = 0; i < all.n && !status; i++) {
        ck_assert_int_eq(tg_read_doubles(all.tensor[i], v, tg_numel(all.tensor[i])), TG_OK);
        for (int64_t k = 0; k < tg_numel(all.tensor[i]); k++)
            if (i + k > 0 && v[k] != version)
                return -1;
            else
                version = (int)v[k];
    }
    if (m->o && (m->step != version || tg_get_rng_state(m->t).seed != (uint64_t)version))
        return -1;
    return version;
}

/* ---- all states ---- */

static int64_t states;

/* Version `first` was there; the save of version i + 1 + first had returned after done[i] calls. */
static void check_state(thing *m, int first, int cut) {
    int at_least = first, at_most = first;
    for (int i = 0; i < n_done; i++) {
        at_least += cut >= done[i];
        at_most += i == 0 || cut > done[i - 1];
    }
    int version = loaded_version(m);
    ck_assert_msg(version >= at_least && version <= at_most, "cut after call %d: version %d, not %d to %d", cut,
                  version, at_least, at_most);
    set_version(m, 9);
    ck_assert_msg(save(m) == TG_OK, "%s", tg_error(m->t));
    ck_assert_int_eq(loaded_version(m), 9);
    ck_assert_int_eq(count_and_remove(), 1);
    states++;
}

/* What can become of call i when the power goes. */
static uint8_t fates(int i, int cut, int of_a_write) {
    if (calls[i].what == DISK_SYNC || is_safe(i, cut))
        return 1;
    return (uint8_t)(calls[i].what == DISK_WRITE ? of_a_write : calls[i].what == DISK_RENAME ? 3 : 2);
}

static void check_cut(thing *m, int first, int cut, int of_a_write) {
    uint8_t fate[MOST_CALLS] = {0};
    for (bool more = true; more;) {
        lay_out(cut, fate);
        check_state(m, first, cut);
        more = false;
        for (int i = 0; i < cut && !more; i++) {
            fate[i] = (uint8_t)((fate[i] + 1) % fates(i, cut, of_a_write));
            more = fate[i] != 0;
        }
    }
}

static void keep(const char *name, const char *from) {
    char full[700];
    old_file *f = &before[n_before++];
    snprintf(full, sizeof full, "%s/%s", folder, from);
    snprintf(f->name, NAME, "%.*s", NAME - 1, name);
    FILE *in = fopen(full, "rb");
    ck_assert_ptr_nonnull(in);
    f->n = fread(f->bytes, 1, sizeof f->bytes, in);
    fclose(in);
}

/* Saves of versions first + 1, ..., written down. */
static void record(thing *m, int first, int saves) {
    n_files = n_calls = n_done = 0;
    system_watch = write_down;
    for (int i = 0; i < saves; i++) {
        set_version(m, first + 1 + i);
        ck_assert_int_eq(save(m), TG_OK);
        done[n_done++] = n_calls;
    }
    system_watch = NULL;
    count_and_remove();
}

static void check_all(bool is_run, int first, int saves, bool leftover, int of_a_write) {
    thing m;
    make(&m, is_run);
    n_before = 0;
    count_and_remove();
    if (first) {
        set_version(&m, first);
        ck_assert_int_eq(save(&m), TG_OK);
        keep(MODEL, MODEL);
    }
    if (leftover) {
        keep(".tapegrad-0123456789abcdef0123456789abcdef.tmp", MODEL);
        before[n_before - 1].n /= 2;
        put_file(before[n_before - 1].name, before[n_before - 1].bytes, before[n_before - 1].n);
    }
    record(&m, first, saves);
    ck_assert_int_ge(n_calls, 5 * saves); /* create, write, sync, rename, sync */
    for (int cut = 0; cut <= n_calls; cut++)
        check_cut(&m, first, cut, of_a_write);
    tg_tape_free(m.t);
}

static void begin(void) {
    if (access("/dev/shm", W_OK) == 0) /* memory: thousands of files are made and removed */
        (void)setenv("TMPDIR", "/dev/shm", 0);
    ck_assert(make_folder("crash_test", folder, sizeof folder));
    snprintf(path, sizeof path, "%s/%s", folder, MODEL);
    system_end();
}

static void end(void) {
    printf("%lld states of the disk after a power cut: each old or new\n", (long long)states);
    fflush(stdout);
    count_and_remove();
    rmdir(folder);
}

START_TEST(a_first_save_is_absent_or_whole)
{ check_all(false, 0, 1, false, 4); }
END_TEST
START_TEST(a_save_over_a_file_is_old_or_new)
{ check_all(false, 3, 1, false, 4); }
END_TEST
START_TEST(a_save_beside_a_leftover_is_old_or_new)
{ check_all(false, 3, 1, true, 4); }
END_TEST
START_TEST(two_saves_in_a_row_are_old_or_new)
{ check_all(false, 3, 2, false, 4); }
END_TEST
/* More writes, so fewer fates of each; with CRASH_FATES=3 also that only its room is there. */
START_TEST(a_run_over_a_run_is_old_or_new)
{ check_all(true, 3, 1, false, (int)count_of("CRASH_FATES", getenv("CRASH_FATES"), 2)); }
END_TEST

int main(void) {
    const TTest *const tests[] = {a_first_save_is_absent_or_whole, a_save_over_a_file_is_old_or_new,
                                  a_save_beside_a_leftover_is_old_or_new, two_saves_in_a_row_are_old_or_new,
                                  a_run_over_a_run_is_old_or_new};
    return run_tests("crash", tests, sizeof tests / sizeof *tests, begin, end);
}
