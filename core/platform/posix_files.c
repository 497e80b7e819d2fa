/* Files under POSIX: data is written to a temporary file in the same folder, synced (fsync), and renamed over the old
 * file, which POSIX makes atomic; then the folder is synced. Whatever happens, the name refers to the complete old
 * content or the complete new.
 *
 * A temporary file's writer holds a lock on it, which the system releases however the writer dies. An unlocked
 * temporary file is therefore stale, and every save first removes these. Between creating its file and locking it a
 * writer can lose it to another's removal; it checks for that and starts over. On file systems without locks nothing is
 * removed.
 *
 * A write beyond RLIMIT_FSIZE raises SIGXFSZ, which kills the process and leaves its temporary file. Signal
 * dispositions belong to the program, so a library must not ignore the signal, and blocking it around the writes needs
 * sigtimedwait, which macOS and OpenBSD lack. Instead the limit is read before each write, and nothing is written
 * beyond it: the error is EFBIG, as in a process that ignores the signal. */
#define _DEFAULT_SOURCE /* flock, getentropy */
#ifdef __APPLE__
#define _DARWIN_C_SOURCE /* the same */
#endif
#include "core/platform/platform.h"
#include "core/platform/temporary.h"

#ifndef _WIN32

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sys/file.h>
#ifdef __APPLE__
#include <sys/random.h> /* getentropy */
#endif
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MAX_TRIES = 100, MOST_AT_ONCE = 1 << 30 };

/* result = call, retried while a signal interrupts it */
#define AGAIN(result, call) \
    do                      \
        (result) = (call);  \
    while ((result) < 0 && errno == EINTR)

/* "cannot WHAT: the text of errno" */
static bool fail(tg_file_problem *p, const char *what) {
    char why[96];
    int code = errno;
    snprintf(why, sizeof why, "error %d", code);
    /* POSIX's strerror_r returns a number, GNU's (-D_GNU_SOURCE) the text */
    const char *text = _Generic(strerror_r(code, why, sizeof why), int
                                : ((void)strerror_r(code, why, sizeof why), why), default
                                : strerror_r(code, why, sizeof why));
    snprintf(p->text, sizeof p->text, "cannot %s: %s", what, text);
    return false;
}

static bool refuse(tg_file_problem *p, const char *why) {
    snprintf(p->text, sizeof p->text, "%s", why);
    return false;
}

static int open_in(int folder, const char *name, int flags, mode_t mode) {
    int fd;
    AGAIN(fd, openat(folder, name, flags | O_CLOEXEC, mode));
    return fd;
}

/* ---- stale temporary files ---- */

static void remove_if_dead(int folder, const char *name) {
    struct stat about;
    int fd = open_in(folder, name, O_RDWR | O_NOFOLLOW | O_NONBLOCK, 0);
    if (fd < 0)
        return;
    if (fstat(fd, &about) == 0 && S_ISREG(about.st_mode) && flock(fd, LOCK_EX | LOCK_NB) == 0)
        (void)unlinkat(folder, name, 0);
    (void)close(fd);
}

/* Best effort: a stale file that cannot be removed does not prevent saving. */
static void remove_leftovers(int folder) {
    int fd = open_in(folder, ".", O_RDONLY | O_DIRECTORY, 0);
    DIR *entries = fd < 0 ? NULL : fdopendir(fd);
    if (!entries) {
        if (fd >= 0)
            (void)close(fd);
        return;
    }
    for (struct dirent *e; (e = readdir(entries));)
        if (tg_is_temporary(e->d_name))
            remove_if_dead(folder, e->d_name);
    (void)closedir(entries);
}

/* ---- a new file ---- */

static bool open_folder(tg_new_file *f, const char *path) {
    char folder[PATH_MAX];
    const char *slash = strrchr(path, '/');
    size_t n = slash ? (size_t)(slash - path) + 1 : 0;
    f->name = path + n;
    errno = ENAMETOOLONG;
    if (n < sizeof folder) {
        memcpy(folder, path, n);
        folder[n] = '\0';
        f->folder = open_in(AT_FDCWD, n ? folder : ".", O_RDONLY | O_DIRECTORY, 0);
    }
    return f->folder >= 0 || fail(&f->problem, "open its folder");
}

static bool is_read_only(int folder, const char *name, mode_t mode) {
    return !(mode & 0222) || faccessat(folder, name, W_OK, AT_EACCESS) != 0;
}

/* True when there is no old file, or it may be replaced. */
static bool look_at_old(tg_new_file *f, bool replace_read_only) {
    struct stat old;
    f->replaces = fstatat(f->folder, *f->name ? f->name : ".", &old, 0) == 0;
    if (!f->replaces)
        return errno == ENOENT || fail(&f->problem, "examine the old file");
    if (!S_ISREG(old.st_mode))
        return refuse(&f->problem, "this is not a regular file");
    if (!replace_read_only && is_read_only(f->folder, f->name, old.st_mode))
        return refuse(&f->problem, "this file is read-only (tg_save_with can replace it all the same)");
    f->mode = old.st_mode & 0777;
    return true;
}

static bool choose_name(tg_new_file *f) {
    unsigned char random[TG_RANDOM_BYTES];
    if (getentropy(random, sizeof random))
        return fail(&f->problem, "get random bytes for a temporary name");
    tg_temporary_name(random, f->temporary);
    return true;
}

/* True when the file is this writer's own, locked and still there. */
typedef enum { OWN, LOST, FAILED } ownership;
static ownership lock(tg_new_file *f) {
    struct stat about;
    int bad;
    AGAIN(bad, flock(f->fd, LOCK_EX | LOCK_NB));
    if (bad && errno == EWOULDBLOCK)
        return LOST;
    if (fstat(f->fd, &about)) {
        fail(&f->problem, "examine its temporary file");
        return FAILED;
    }
    return about.st_nlink ? OWN : LOST;
}

/* Until it is complete, only its owner may read a file that replaces another. One that replaces nothing has the
 * permissions of any new file (umask) from the start. */
static bool make_temporary(tg_new_file *f) {
    for (int i = 0; i < MAX_TRIES; i++) {
        if (!choose_name(f))
            return false;
        f->fd = open_in(f->folder, f->temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, f->replaces ? 0600 : 0666);
        if (f->fd < 0) {
            f->temporary[0] = '\0';
            return fail(&f->problem, "make a temporary file in its folder");
        }
        ownership o = lock(f);
        if (o != LOST)
            return o == OWN;
        (void)close(f->fd);
        f->fd = -1;
    }
    f->temporary[0] = '\0';
    return refuse(&f->problem, "cannot keep a temporary file in its folder: each was removed at once");
}

bool tg_new_file_begin(tg_new_file *f, const char *path, bool replace_read_only) {
    *f = (tg_new_file){.folder = -1, .fd = -1};
    if (!open_folder(f, path) || !look_at_old(f, replace_read_only))
        return false;
    remove_leftovers(f->folder);
    return make_temporary(f);
}

/* True when the file may grow by n bytes from the f->size written so far. */
static bool may_grow(const tg_new_file *f, size_t n) {
    struct rlimit limit;
    if (getrlimit(RLIMIT_FSIZE, &limit) || limit.rlim_cur == RLIM_INFINITY)
        return true;
    uint64_t most = (uint64_t)limit.rlim_cur;
    errno = EFBIG;
    return f->size <= most && n <= most - f->size;
}

bool tg_new_file_write(tg_new_file *f, const void *data, size_t n) {
    ssize_t wrote;
    for (const char *from = data; n > 0; from += wrote, n -= (size_t)wrote, f->size += (uint64_t)wrote) {
        if (!may_grow(f, n))
            return fail(&f->problem, "write");
        AGAIN(wrote, write(f->fd, from, n < MOST_AT_ONCE ? n : MOST_AT_ONCE));
        if (wrote < 0)
            return fail(&f->problem, "write");
        if (wrote == 0)
            return refuse(&f->problem, "cannot write: the system accepted no bytes");
    }
    return true;
}

bool tg_new_file_finish(tg_new_file *f) {
    int bad = 0;
    if (f->replaces)
        AGAIN(bad, fchmod(f->fd, (mode_t)f->mode));
    if (bad)
        return fail(&f->problem, "set its permissions");
    AGAIN(bad, fsync(f->fd));
    if (bad)
        return fail(&f->problem, "write");
    AGAIN(bad, renameat(f->folder, f->temporary, f->folder, f->name));
    if (bad)
        return fail(&f->problem, "rename its temporary file");
    f->temporary[0] = '\0';
    f->is_in_place = true;
    AGAIN(bad, fsync(f->folder));
    return !bad || errno == EINVAL || fail(&f->problem, "sync its folder"); /* EINVAL: not supported there */
}

/* The lock is released last: an unlocked file must no longer have a temporary name. */
void tg_new_file_end(tg_new_file *f) {
    if (f->temporary[0])
        (void)unlinkat(f->folder, f->temporary, 0);
    if (f->fd >= 0)
        (void)close(f->fd);
    if (f->folder >= 0)
        (void)close(f->folder);
}

/* ---- a file to read ---- */

/* O_NONBLOCK: a pipe is opened without waiting for its writer, then refused. */
bool tg_file_open(tg_open_file *f, const char *path) {
    struct stat about;
    *f = (tg_open_file){.fd = open_in(AT_FDCWD, path, O_RDONLY | O_NONBLOCK, 0)};
    if (f->fd < 0 || fstat(f->fd, &about))
        return fail(&f->problem, "open it");
    if (!S_ISREG(about.st_mode))
        return refuse(&f->problem, "this is not a regular file");
    f->size = (uint64_t)about.st_size;
    return true;
}

bool tg_file_read(tg_open_file *f, void *to, size_t n, uint64_t at) {
    ssize_t got;
    for (char *out = to; n > 0; out += got, n -= (size_t)got, at += (uint64_t)got) {
        AGAIN(got, pread(f->fd, out, n < MOST_AT_ONCE ? n : MOST_AT_ONCE, (off_t)at));
        if (got < 0)
            return fail(&f->problem, "read it");
        if (got == 0)
            return refuse(&f->problem, "cannot read it: it was truncated meanwhile");
    }
    return true;
}

void tg_file_close(tg_open_file *f) {
    if (f->fd >= 0)
        (void)close(f->fd);
    f->fd = -1;
}

#endif
