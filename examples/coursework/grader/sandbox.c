/* Landlock for files, seccomp for system calls, a subreaper and a pids cgroup for processes: all from Linux, none of
 * it needs root except the cgroup. Elsewhere these functions do what POSIX can, which is little. */
#define _GNU_SOURCE
#include "sandbox.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

bool sandbox_filters = true;

#ifdef __linux__

#include <dirent.h>
#include <elf.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

/* ---- processes ---- */

/* Each grader has a cgroup of its own: what one submission starts must not take another grading's processes. */
static const char *const roots[] = {"/sys/fs/cgroup/pids", "/sys/fs/cgroup"};
enum { N_ROOTS = sizeof roots / sizeof *roots };
static const char group[] = "tapegrad-coursework-";
static pid_t grader;

typedef struct place {
    char s[300];
} place;
static place in_group(int root, const char *file) {
    place p;
    snprintf(p.s, sizeof p.s, "%s/%s%d%s", roots[root], group, (int)grader, file);
    return p;
}

/* Those of graders that were killed: what has processes in it stays. */
static void remove_empty_groups(const char *root) {
    DIR *folder = opendir(root);
    for (struct dirent *e; folder && (e = readdir(folder));)
        if (!strncmp(e->d_name, group, sizeof group - 1))
            unlinkat(dirfd(folder), e->d_name, AT_REMOVEDIR);
    if (folder)
        closedir(folder);
}

void sandbox_guard_grader(void) {
    grader = getpid();
    for (int i = 0; i < N_ROOTS; i++)
        remove_empty_groups(roots[i]);
    prctl(PR_SET_DUMPABLE, 0);
    prctl(PR_SET_CHILD_SUBREAPER, 1);
}

static void kill_children(void) {
    char path[64], text[4096];
    snprintf(path, sizeof path, "/proc/self/task/%d/children", (int)getpid());
    FILE *file = fopen(path, "r");
    size_t n = file ? fread(text, 1, sizeof text - 1, file) : 0;
    text[n] = '\0';
    if (file)
        fclose(file);
    for (char *word = strtok(text, " "); word; word = strtok(NULL, " "))
        if (atoi(word) > 1)
            kill(atoi(word), SIGKILL);
}

void sandbox_reap(void) {
    for (int i = 0; i < 5000; i++) {
        kill_children();
        pid_t done;
        while ((done = waitpid(-1, NULL, WNOHANG)) > 0)
            ;
        if (done < 0 && errno == ECHILD)
            break;
        nanosleep(&(struct timespec){0, 1000000}, NULL);
    }
    for (int i = 0; i < N_ROOTS; i++)
        rmdir(in_group(i, "").s);
}

static bool write_number(const char *path, int n) {
    FILE *file = fopen(path, "r+");
    bool good = file && fprintf(file, "%d\n", n) > 0;
    if (file && fclose(file))
        good = false;
    return good;
}

/* RLIMIT_NPROC does not hold for root; a cgroup does, where there is one for pids. Another grader that begins now may
 * take it for a dead one's between the first call and the last, hence three attempts. */
static bool enter_cgroup(int most) {
    for (int i = 0; i < 3 * N_ROOTS; i++) {
        int root = i % N_ROOTS;
        mkdir(in_group(root, "").s, 0755);
        if (write_number(in_group(root, "/pids.max").s, most) &&
            write_number(in_group(root, "/cgroup.procs").s, (int)getpid()))
            return true;
    }
    return false;
}

void sandbox_limit_processes(int most) {
    if (geteuid() == 0)
        enter_cgroup(64);
    if (most >= 0)
        setrlimit(RLIMIT_NPROC, &(struct rlimit){(rlim_t)most, (rlim_t)most});
    prctl(PR_SET_PDEATHSIG, SIGKILL);
}

/* ---- files: Landlock, by its numbers, for its header is younger than many systems ---- */

enum {
    LANDLOCK_CREATE = 444,
    LANDLOCK_ADD = 445,
    LANDLOCK_RESTRICT = 446,
    FS_EXECUTE = 1,
    FS_WRITE = 2,
    FS_READ = 4,
    FS_READ_DIR = 8,
    FS_ALL = 0x1fff, /* version 1 */
    FS_REFER = 0x2000,
    FS_TRUNCATE = 0x4000,
    FS_OF_FILES = FS_EXECUTE | FS_WRITE | FS_READ | FS_TRUNCATE
};
typedef struct path_rule {
    uint64_t allowed;
    int32_t parent;
} __attribute__((packed)) path_rule;

static void allow(int rules, const char *path, uint64_t what) {
    struct stat s;
    path_rule rule = {what, open(path, O_PATH | O_CLOEXEC)};
    if (rule.parent < 0)
        return;
    if (fstat(rule.parent, &s) == 0 && !S_ISDIR(s.st_mode))
        rule.allowed &= FS_OF_FILES;
    syscall(LANDLOCK_ADD, rules, 1, &rule, 0);
    close(rule.parent);
}

bool sandbox_confine(const char *const *readable, const char *writable) {
    long version = syscall(LANDLOCK_CREATE, NULL, 0, 1);
    if (version < 1)
        return false;
    uint64_t handled = FS_ALL;
    if (version >= 2)
        handled |= FS_REFER;
    if (version >= 3)
        handled |= FS_TRUNCATE;
    int rules = (int)syscall(LANDLOCK_CREATE, &handled, sizeof handled, 0);
    if (rules < 0)
        return false;
    for (int i = 0; readable[i]; i++)
        allow(rules, readable[i], FS_EXECUTE | FS_READ | FS_READ_DIR);
    if (writable)
        allow(rules, writable, handled);
    allow(rules, "/dev/null", FS_READ | FS_WRITE);
    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    bool good = syscall(LANDLOCK_RESTRICT, rules, 0) == 0;
    close(rules);
    return good;
}

/* ---- system calls ---- */

#if defined(__x86_64__)
#define ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define ARCHITECTURE AUDIT_ARCH_AARCH64
#endif

#ifdef ARCHITECTURE
static const int allowed_calls[] = {
    SYS_read,   SYS_write,        SYS_writev,         SYS_close,          SYS_lseek,       SYS_fstat,
    SYS_mmap,   SYS_munmap,       SYS_mprotect,       SYS_mremap,         SYS_brk,         SYS_madvise,
    SYS_futex,  SYS_rt_sigaction, SYS_rt_sigprocmask, SYS_rt_sigreturn,   SYS_sigaltstack, SYS_clock_gettime,
    SYS_getpid, SYS_gettid,       SYS_gettimeofday,   SYS_sched_yield,    SYS_nanosleep,   SYS_clock_nanosleep,
    SYS_exit,   SYS_exit_group,   SYS_getrandom,      SYS_restart_syscall};

#define LOAD(field) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, field))
#define EQUAL(value, yes, no) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)(value), yes, no)
#define RETURN(value) BPF_STMT(BPF_RET | BPF_K, value)

/* Everything else fails with EPERM. Signals only to itself: abort() sends one. */
void sandbox_filter_calls(void) {
    enum { N = sizeof allowed_calls / sizeof *allowed_calls };
    struct sock_filter code[2 * N + 16];
    unsigned short n = 0;
    struct sock_filter head[] = {LOAD(arch), EQUAL(ARCHITECTURE, 1, 0), RETURN(SECCOMP_RET_KILL_PROCESS), LOAD(nr)};
    struct sock_filter tail[] = {EQUAL(SYS_tgkill, 0, 3), LOAD(args[0]), EQUAL(getpid(), 0, 1),
                                 RETURN(SECCOMP_RET_ALLOW), RETURN(SECCOMP_RET_ERRNO | EPERM)};
    for (size_t i = 0; i < sizeof head / sizeof *head; i++)
        code[n++] = head[i];
    for (size_t i = 0; i < N; i++) {
        code[n++] = (struct sock_filter)EQUAL(allowed_calls[i], 0, 1);
        code[n++] = (struct sock_filter)RETURN(SECCOMP_RET_ALLOW);
    }
    for (size_t i = 0; i < sizeof tail / sizeof *tail; i++)
        code[n++] = tail[i];
    struct sock_fprog program = {n, code};
    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
}
#else
void sandbox_filter_calls(void) {}
#endif

/* ---- constructors ---- */

/* The dynamic section names functions to run at load; a symbol of type ifunc is a function run by the loader. */
static bool section_runs(const unsigned char *bytes, size_t size, const Elf64_Shdr *s) {
    if (s->sh_type == SHT_NOBITS || s->sh_offset > size || s->sh_size > size - s->sh_offset)
        return false;
    for (size_t at = 0; s->sh_type == SHT_DYNAMIC && at + sizeof(Elf64_Dyn) <= s->sh_size; at += sizeof(Elf64_Dyn)) {
        Elf64_Dyn d;
        memcpy(&d, bytes + s->sh_offset + at, sizeof d);
        if (d.d_tag == DT_INIT || d.d_tag == DT_INIT_ARRAY || d.d_tag == DT_PREINIT_ARRAY)
            return true;
    }
    bool symbols = s->sh_type == SHT_SYMTAB || s->sh_type == SHT_DYNSYM;
    for (size_t at = 0; symbols && at + sizeof(Elf64_Sym) <= s->sh_size; at += sizeof(Elf64_Sym)) {
        Elf64_Sym y;
        memcpy(&y, bytes + s->sh_offset + at, sizeof y);
        if (ELF64_ST_TYPE(y.st_info) == STT_GNU_IFUNC)
            return true;
    }
    return false;
}

static bool bytes_run(const unsigned char *bytes, size_t size) {
    Elf64_Ehdr head;
    if (size < sizeof head)
        return true;
    memcpy(&head, bytes, sizeof head);
    if (memcmp(head.e_ident, ELFMAG, SELFMAG) != 0 || head.e_ident[EI_CLASS] != ELFCLASS64 || head.e_shoff > size ||
        (size - head.e_shoff) / sizeof(Elf64_Shdr) < head.e_shnum)
        return true;
    for (size_t i = 0; i < head.e_shnum; i++) {
        Elf64_Shdr s;
        memcpy(&s, bytes + head.e_shoff + i * sizeof s, sizeof s);
        if (section_runs(bytes, size, &s))
            return true;
    }
    return false;
}

bool sandbox_runs_at_load(const char *library) {
    FILE *file = fopen(library, "rb");
    bool runs = true;
    if (!file)
        return runs;
    fseek(file, 0, SEEK_END);
    long size = ftell(file);
    unsigned char *bytes = size > 0 ? malloc((size_t)size) : NULL;
    rewind(file);
    if (bytes && fread(bytes, 1, (size_t)size, file) == (size_t)size)
        runs = bytes_run(bytes, (size_t)size);
    free(bytes);
    fclose(file);
    return runs;
}

#else

void sandbox_guard_grader(void) {}
void sandbox_reap(void) {
    while (waitpid(-1, NULL, WNOHANG) > 0)
        ;
}
bool sandbox_confine(const char *const *readable, const char *writable) {
    return (void)readable, (void)writable, false;
}
void sandbox_limit_processes(int most) {
    if (most >= 0)
        setrlimit(RLIMIT_NPROC, &(struct rlimit){(rlim_t)most, (rlim_t)most});
}
void sandbox_filter_calls(void) {}
bool sandbox_runs_at_load(const char *library) { return (void)library, false; }

#endif
