#define _DEFAULT_SOURCE
#include "tests/io/system.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

static fault plan;
static int calls;
static bool counting;
static const char *hit = "";
void (*system_watch)(const disk_call *c);

void system_begin(fault f) {
    plan = f;
    calls = 0;
    hit = "";
    counting = true;
}

int system_end(void) {
    counting = false;
    return calls;
}

const char *system_hit(void) { return hit; }

/* Count a call; what happens to it. */
static what_happens next(const char *name) {
    if (!counting || (plan.only && strcmp(plan.only, name) != 0))
        return DOES_NOTHING;
    calls++;
    if (plan.how == DOES_NOTHING || (calls != plan.at && !(plan.from_then_on && calls > plan.at)))
        return DOES_NOTHING;
    hit = name;
    errno = plan.how == IS_INTERRUPTED ? EINTR : plan.error;
    return plan.how;
}

static bool fails(const char *name) {
    what_happens w = next(name);
    return w == FAILS || w == IS_INTERRUPTED;
}

static void watch(disk_call c) {
    if (system_watch)
        system_watch(&c);
}

/* int NAME(parameters), or -1 */
#define CALL(name, parameters, arguments) \
    int __real_##name parameters;         \
    int __wrap_##name parameters;         \
    int __wrap_##name parameters { return fails(#name) ? -1 : __real_##name arguments; }

CALL(fstat, (int fd, struct stat *s), (fd, s))
CALL(fstatat, (int fd, const char *name, struct stat *s, int flags), (fd, name, s, flags))
CALL(faccessat, (int fd, const char *name, int mode, int flags), (fd, name, mode, flags))
CALL(getentropy, (void *out, size_t n), (out, n))
CALL(flock, (int fd, int how), (fd, how))
CALL(fchmod, (int fd, mode_t mode), (fd, mode))

int __real_openat(int folder, const char *name, int flags, ...);
int __wrap_openat(int folder, const char *name, int flags, ...);
int __wrap_openat(int folder, const char *name, int flags, ...) {
    va_list args;
    va_start(args, flags);
    mode_t mode = flags & O_CREAT ? va_arg(args, mode_t) : 0;
    va_end(args);
    if (fails("openat"))
        return -1;
    int fd = __real_openat(folder, name, flags, mode);
    if (fd >= 0 && flags & O_CREAT)
        watch((disk_call){.what = DISK_CREATE, .fd = fd, .name = name});
    return fd;
}

ssize_t __real_write(int fd, const void *data, size_t n);
ssize_t __wrap_write(int fd, const void *data, size_t n);
ssize_t __wrap_write(int fd, const void *data, size_t n) {
    what_happens w = next("write");
    if (w == FAILS || w == IS_INTERRUPTED)
        return -1;
    if (w == MOVES_NOTHING)
        return 0;
    ssize_t wrote = __real_write(fd, data, w == IS_SHORT ? (n + 1) / 2 : n);
    if (wrote > 0)
        watch((disk_call){.what = DISK_WRITE, .fd = fd, .data = data, .n = (size_t)wrote});
    return wrote;
}

ssize_t __real_pread(int fd, void *out, size_t n, off_t at);
ssize_t __wrap_pread(int fd, void *out, size_t n, off_t at);
ssize_t __wrap_pread(int fd, void *out, size_t n, off_t at) {
    what_happens w = next("pread");
    if (w == FAILS || w == IS_INTERRUPTED)
        return -1;
    if (w == MOVES_NOTHING)
        return 0;
    return __real_pread(fd, out, w == IS_SHORT ? (n + 1) / 2 : n, at);
}

int __real_fsync(int fd);
int __wrap_fsync(int fd);
int __wrap_fsync(int fd) {
    if (fails("fsync"))
        return -1;
    watch((disk_call){.what = DISK_SYNC, .fd = fd});
    return 0; /* the tests save thousands of times, and pull no plug */
}

int __real_renameat(int from, const char *name, int into, const char *to);
int __wrap_renameat(int from, const char *name, int into, const char *to);
int __wrap_renameat(int from, const char *name, int into, const char *to) {
    if (fails("renameat"))
        return -1;
    int bad = __real_renameat(from, name, into, to);
    if (!bad)
        watch((disk_call){.what = DISK_RENAME, .fd = into, .name = name, .to = to});
    return bad;
}

int __real_unlinkat(int folder, const char *name, int flags);
int __wrap_unlinkat(int folder, const char *name, int flags);
int __wrap_unlinkat(int folder, const char *name, int flags) {
    if (fails("unlinkat"))
        return -1;
    int bad = __real_unlinkat(folder, name, flags);
    if (!bad)
        watch((disk_call){.what = DISK_UNLINK, .fd = folder, .name = name});
    return bad;
}

/* A descriptor is gone whatever close says. */
int __real_close(int fd);
int __wrap_close(int fd);
int __wrap_close(int fd) {
    bool bad = fails("close");
    int error = errno, status = __real_close(fd);
    if (!bad)
        return status;
    errno = error;
    return -1;
}

DIR *__real_fdopendir(int fd);
DIR *__wrap_fdopendir(int fd);
DIR *__wrap_fdopendir(int fd) { return fails("fdopendir") ? NULL : __real_fdopendir(fd); }

struct dirent *__real_readdir(DIR *d);
struct dirent *__wrap_readdir(DIR *d);
struct dirent *__wrap_readdir(DIR *d) {
    return fails("readdir") ? NULL : __real_readdir(d);
}
