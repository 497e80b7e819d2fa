#define _XOPEN_SOURCE 700 /* nftw */
#include "tests/io/program.h"

#include <fcntl.h>
#include <ftw.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MAX_ARGUMENTS = 32 };
static char program[4096], beside[4096], folder[4096];
static size_t most; /* bytes in a file; 0: any number */

void read_all(int fd, char *text, size_t size) {
    size_t n = 0;
    ssize_t got;
    while (n < size - 1 && (got = read(fd, text + n, size - 1 - n)) > 0)
        n += (size_t)got;
    text[n] = '\0';
    close(fd);
}

pid_t start(const char *const *arguments, int out, int err) {
    char *argv[MAX_ARGUMENTS + 2] = {program};
    for (int i = 0; arguments[i]; i++) {
        ck_assert_int_lt(i, MAX_ARGUMENTS);
        argv[i + 1] = (char *)(size_t)arguments[i];
    }
    fflush(NULL);
    pid_t child = fork();
    if (child)
        return child;
    /* the tests may run under nohup, or in the background */
    static const int signals[] = {SIGINT, SIGTERM, SIGHUP, SIGPIPE, SIGXFSZ};
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
        signal(signals[i], SIG_DFL);
    const struct rlimit limit = {most, most};
    if (most && setrlimit(RLIMIT_FSIZE, &limit))
        _exit(99);
    int in = open(in_folder("stdin"), O_RDONLY);
    if (in >= 0)
        dup2(in, 0);
    if (chdir(folder) == 0 && dup2(out, 1) == 1 && dup2(err, 2) == 2)
        execv(program, argv);
    _exit(99);
}

int status_of(pid_t child) {
    int status;
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

const run *run_program(const char *const *arguments) {
    static run r;
    char out[4200], err[4200];
    snprintf(out, sizeof out, "%s/out", folder);
    snprintf(err, sizeof err, "%s/err", folder);
    int o = open(out, O_RDWR | O_CREAT | O_TRUNC, 0600), e = open(err, O_RDWR | O_CREAT | O_TRUNC, 0600);
    r.status = status_of(start(arguments, o, e));
    lseek(o, 0, SEEK_SET);
    lseek(e, 0, SEEK_SET);
    read_all(o, r.out, sizeof r.out);
    read_all(e, r.err, sizeof r.err);
    return &r;
}

const char *in_folder(const char *name) {
    static char path[4][4200];
    static int next;
    next = (next + 1) % 4;
    snprintf(path[next], sizeof path[next], "%s/%s", folder, name);
    return path[next];
}

void write_file(const char *name, const void *bytes, size_t n) {
    FILE *f = fopen(in_folder(name), "wb");
    ck_assert_ptr_nonnull(f);
    ck_assert_uint_eq(fwrite(bytes, 1, n, f), n);
    fclose(f);
}

const char *file_bytes(const char *name, size_t *n) {
    static char bytes[2][MOST];
    static int next;
    next = !next;
    FILE *f = fopen(in_folder(name), "rb");
    ck_assert_msg(f != NULL, "%s is missing", name);
    *n = fread(bytes[next], 1, MOST, f);
    fclose(f);
    return bytes[next];
}

bool same_file(const char *a, const char *b) {
    size_t n, m;
    const char *x = file_bytes(a, &n), *y = file_bytes(b, &m);
    return n == m && memcmp(x, y, n) == 0;
}

static int remove_one(const char *path, const struct stat *about, int type, struct FTW *place) {
    (void)about, (void)type, (void)place;
    return remove(path);
}

void limit_files(size_t bytes) { most = bytes; }

void use_program(const char *name) { snprintf(program, sizeof program, "%.3000s%.1000s", beside, name); }

int run_program_tests(const char *self, const char *of, const char *name, const TTest *const *tests, int n) {
    char here[2048] = "";
    const char *slash = strrchr(self, '/');
    if (self[0] != '/' && !getcwd(here, sizeof here))
        return 1;
    snprintf(beside, sizeof beside, "%s%s%.*s", here, *here ? "/" : "", slash ? (int)(slash - self) + 1 : 0, self);
    use_program(of);
    if (!make_folder(name, folder, sizeof folder)) {
        fprintf(stderr, "no folder for files: %s\n", folder);
        return 1;
    }
    int status = run_tests(name, tests, n, NULL, NULL);
    return nftw(folder, remove_one, 8, FTW_DEPTH | FTW_PHYS) || status;
}
