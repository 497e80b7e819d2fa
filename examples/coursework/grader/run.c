/* Programs with limits, and a student's code in one of them: see run.h and protocol.h. */
#define _DEFAULT_SOURCE
#include "run.h"
#include "sandbox.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

limits run_limits = {.seconds = 5, .megabytes = 1024, .file_bytes = 1 << 20};
bool run_confines = true;
double run_waited;

static int64_t now_ms(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

/* ---- in the new process ---- */

static void limit(int what, rlim_t soft, rlim_t hard) { setrlimit(what, &(struct rlimit){soft, hard}); }

static void apply_limits(void) {
    rlim_t seconds = (rlim_t)run_limits.seconds, bytes = (rlim_t)run_limits.megabytes << 20;
    limit(RLIMIT_CPU, seconds, seconds + 1);
    limit(RLIMIT_AS, bytes, bytes);
    limit(RLIMIT_FSIZE, run_limits.file_bytes, run_limits.file_bytes);
    limit(RLIMIT_CORE, 0, 0);
}

/* Nothing of the lecturer's environment but where programs are. One thread: the filter lets no other start. */
static void set_environment(const char *folder) {
    const char *search = getenv("PATH");
    static char path[4096], temporary[1100], home[1100];
    static char *clean[] = {path, temporary, home, "LC_ALL=C", "TG_THREADS=1", "CCACHE_DISABLE=1", NULL};
    snprintf(path, sizeof path, "PATH=%s", search ? search : "/usr/local/bin:/usr/bin:/bin");
    snprintf(temporary, sizeof temporary, "TMPDIR=%s", folder);
    snprintf(home, sizeof home, "HOME=%s", folder);
    environ = clean;
}

/* The new program sees no terminal, none of the grader's files, only what `where` shows it, and `request` and `reply`
 * at their numbers. */
static void become(char *const argv[], const char *log, const room *where, int request_end, int reply_end) {
    setsid();
    int nothing = open("/dev/null", O_RDONLY);
    int out = open(log, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_NOFOLLOW, 0666);
    int high_request = request_end < 0 ? -1 : fcntl(request_end, F_DUPFD, 10);
    int high_reply = reply_end < 0 ? -1 : fcntl(reply_end, F_DUPFD, 10);
    dup2(nothing, 0);
    dup2(out, 1);
    dup2(out, 2);
    if (high_request >= 0) {
        dup2(high_request, REQUEST_FD);
        dup2(high_reply, REPLY_FD);
    }
    for (int i = high_request >= 0 ? REPLY_FD + 1 : 3; i < 1024; i++)
        close(i);
    set_environment(where->folder);
    if (chdir(where->folder))
        _exit(127);
    apply_limits();
    sandbox_limit_processes(where->may_fork ? -1 : 1);
    if (run_confines)
        sandbox_confine(where->readable, where->may_write ? where->folder : NULL);
    execvp(argv[0], argv);
    dprintf(2, "cannot run %s: %s\n", argv[0], strerror(errno));
    _exit(127);
}

/* ---- how it ended ---- */

static const char *signal_text(int number) {
    switch (number) {
    case SIGSEGV: return "a read or write outside its memory (segmentation fault)";
    case SIGABRT:
        return "an abort: a failed assert(), a call of abort(), or memory that was freed wrongly or written past its "
               "end; what was printed says which";
    case SIGFPE: return "a division by the integer 0";
    case SIGBUS: return "a bad memory address (bus error)";
    case SIGILL: return "an impossible instruction";
    case SIGXCPU: return "too much time: is there a loop that does not end?";
    case SIGXFSZ: return "a file that is too large";
    case SIGKILL: return "too much time or memory";
    default: return "a signal";
    }
}

/* Wait until `until`; false when it still runs. */
static bool has_ended(pid_t pid, int *status, int64_t until) {
    for (;;) {
        pid_t done = waitpid(pid, status, WNOHANG);
        bool stops = done == pid && WIFSTOPPED(*status); /* one that asked to be traced */
        if ((done == pid && !stops) || (done < 0 && errno != EINTR))
            return true;
        if (now_ms() >= until)
            return false;
        nanosleep(&(struct timespec){0, 2000000}, NULL);
    }
}

/* The process and all that it started. */
static void kill_group(pid_t pid, int *status) {
    kill(-pid, SIGKILL);
    kill(pid, SIGKILL);
    for (pid_t done = 0; done >= 0 || errno == EINTR;) {
        done = waitpid(pid, status, 0);
        if (done == pid && !WIFSTOPPED(*status))
            break;
    }
}

static int end_of_program(char *const argv[], pid_t pid, char *reason, size_t size) {
    int status = 0;
    if (!has_ended(pid, &status, now_ms() + 4000 * (int64_t)run_limits.seconds)) {
        kill_group(pid, &status);
        snprintf(reason, size, "%s did not end", argv[0]);
        return -1;
    }
    kill(-pid, SIGKILL);
    if (WIFEXITED(status))
        return WEXITSTATUS(status);
    snprintf(reason, size, "%s was ended by %s", argv[0], signal_text(WTERMSIG(status)));
    return -1;
}

int run_program(char *const argv[], const char *log, const room *where, char *reason, size_t size) {
    fflush(NULL);
    pid_t pid = fork();
    if (pid == 0)
        become(argv, log, where, -1, -1);
    if (pid < 0) {
        snprintf(reason, size, "cannot start %s: %s", argv[0], strerror(errno));
        return -1;
    }
    int status = end_of_program(argv, pid, reason, size);
    sandbox_reap(NULL, 0);
    return status;
}

/* ---- a student ---- */

static bool fail(student *s, const char *text) {
    snprintf(s->failure, sizeof s->failure, "%s", text);
    return false;
}

/* The other end closed the pipe: notes how the program ended. */
static bool ended(student *s) {
    int status = 0;
    if (!has_ended(s->pid, &status, now_ms() + 1000 * (int64_t)run_limits.seconds + 1500))
        return fail(s, "the code closed the grader's pipe");
    s->pid = -s->pid;
    if (WIFEXITED(status))
        snprintf(s->failure, sizeof s->failure, "the code left with exit(%d); return instead", WEXITSTATUS(status));
    else
        snprintf(s->failure, sizeof s->failure, "the code was stopped by %s", signal_text(WTERMSIG(status)));
    return false;
}

/* True when it has started others, as it can where there is no filter of system calls. Those keep it waiting. */
static bool has_children(const student *s) {
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/task/%d/children", (int)s->pid, (int)s->pid);
    FILE *f = fopen(path, "r");
    bool any = f && fgetc(f) != EOF;
    if (f)
        fclose(f);
    return any;
}

/* True when other programs kept it waiting, so that it has had less processor time than has passed. A process that
 * sleeps is not kept waiting. Linux tells; elsewhere only the time that has passed is known. */
static bool is_starved(const student *s) {
    char path[40], line[400] = "";
    snprintf(path, sizeof path, "/proc/%d/stat", (int)s->pid);
    FILE *f = fopen(path, "r");
    if (!f)
        return false;
    const char *name_end = fgets(line, sizeof line, f) ? strrchr(line, ')') : NULL;
    fclose(f);
    bool runs = name_end && (name_end[2] == 'R' || name_end[2] == 'D');
    return runs && !has_children(s) && student_microseconds(s) < 800000 * (int64_t)run_limits.seconds;
}

static bool wait_for(student *s, int fd, short what, int64_t until) {
    struct pollfd p = {fd, what, 0};
    int64_t last = until + 9000 * (int64_t)run_limits.seconds;
    for (;;) {
        int64_t left = until - now_ms();
        int ready = poll(&p, 1, left > 0 ? (int)left : 0);
        if (ready > 0)
            return true;
        if (ready == 0 && until < last && is_starved(s)) {
            until += 100;
        } else if (ready == 0 || errno != EINTR) {
            snprintf(s->failure, sizeof s->failure, "no answer after %d seconds: is there a loop that does not end?",
                     run_limits.seconds);
            run_waited += fmax(0, run_limits.seconds - 1e-6 * (double)student_microseconds(s));
            return false;
        }
    }
}

static bool receive(student *s, void *to, size_t n, int64_t until) {
    for (char *at = to; n;) {
        if (!wait_for(s, s->from, POLLIN, until))
            return false;
        ssize_t got = read(s->from, at, n);
        if (got < 0 && (errno == EINTR || errno == EAGAIN))
            continue;
        if (got <= 0)
            return ended(s);
        at += got;
        n -= (size_t)got;
    }
    return true;
}

static bool send_bytes(student *s, const void *from, size_t n, int64_t until) {
    for (const char *at = from; n;) {
        ssize_t put = write(s->to, at, n);
        if (put < 0 && errno == EINTR)
            continue;
        if (put < 0 && errno == EAGAIN) {
            if (!wait_for(s, s->to, POLLOUT, until))
                return false;
            continue;
        }
        if (put <= 0)
            return ended(s);
        at += put;
        n -= (size_t)put;
    }
    return true;
}

/* Text from the other side: one line of printable characters. */
static void clean(char *text, size_t size) {
    text[size - 1] = '\0';
    for (char *c = text; *c; c++)
        if (!isprint((unsigned char)*c))
            *c = ' ';
}

static bool cannot_load(student *s, const char *text) {
    const char *symbol = strstr(text, "undefined symbol: ");
    s->is_missing = true;
    if (symbol)
        snprintf(s->failure, sizeof s->failure, "%s is not there: write it yourself, or correct its name",
                 symbol + strlen("undefined symbol: "));
    else
        snprintf(s->failure, sizeof s->failure, "it does not load: %s", text);
    return false;
}

static bool receive_reply(student *s, reply *answer, uint64_t nonce) {
    if (!receive(s, answer, sizeof *answer, now_ms() + 1000 * (int64_t)run_limits.seconds))
        return false;
    if (answer->nonce != nonce || answer->n_kept < 0 || answer->n_kept > MAX_KEPT)
        return fail(s, "the code wrote into the grader's pipe");
    clean(answer->text, sizeof answer->text);
    return answer->kind == REPLY_CANNOT_LOAD ? cannot_load(s, answer->text) : true;
}

/* What array i of a call is called. */
static void array_name(const request *r, const reply *answer, char *out, size_t size) {
    int i = answer->array, n = r->n_inputs;
    static const char *const optimizer[] = {"p", "g", "the first moments", "the second moments"};
    if (i >= MAX_ARRAYS && i - MAX_ARRAYS < MAX_KEPT)
        snprintf(out, size, "course_keep(\"%.23s\")", answer->kept[i - MAX_ARRAYS].name);
    else if (r->kind == CALL_SGD || r->kind == CALL_ADAM)
        snprintf(out, size, "%s", i < 4 ? optimizer[i] : "?");
    else if (r->kind == CALL_TRAIN)
        snprintf(out, size, "%s", i == 8 ? "losses" : "a parameter");
    else if (i < n)
        snprintf(out, size, "input[%d]", i);
    else if (i < n + 2)
        snprintf(out, size, i == n ? "output" : "output_grad");
    else
        snprintf(out, size, "input_grad[%d]", i - n - 2);
}

static bool has_null_gradient(const request *r) {
    bool any = false;
    for (int i = r->n_inputs + 2; i < r->n_arrays && r->kind == CALL_VJP; i++)
        any |= r->array[i].is_null && r->array[i - r->n_inputs - 2].dtype == TG_F64;
    return any;
}

static bool crashed(student *s, const request *r, reply *answer) {
    char name[64];
    for (int i = 0; i < MAX_KEPT; i++)
        clean(answer->kept[i].name, sizeof answer->kept[i].name);
    array_name(r, answer, name, sizeof name);
    if (answer->kind == REPLY_MISSING) {
        s->is_missing = true;
        snprintf(s->failure, sizeof s->failure, "%.200s is not there", answer->text);
    } else if (answer->kind == REPLY_DAMAGE)
        snprintf(s->failure, sizeof s->failure, "the code wrote in front of the first element of %s", name);
    else if (answer->kind == REPLY_CHANGED)
        snprintf(s->failure, sizeof s->failure, "the code wrote to %s, which it may only read", name);
    else if (answer->kind == REPLY_REFUSED)
        snprintf(s->failure, sizeof s->failure, "%s", answer->text);
    else if (answer->array == -3)
        snprintf(s->failure, sizeof s->failure,
                 "the code used a NULL pointer, and all memory (%d MB) is taken: malloc() returned NULL",
                 run_limits.megabytes);
    else if (answer->array == -2)
        snprintf(s->failure, sizeof s->failure, "the code used a NULL pointer: %s",
                 has_null_gradient(r) ? "input_grad[i] is NULL where no gradient is wanted"
                                      : "one that was never set, or malloc()'s where there was not so much memory");
    else if (answer->array >= 0)
        snprintf(s->failure, sizeof s->failure, "the code read or wrote past the end of %s: element %lld", name,
                 (long long)answer->offset);
    else
        snprintf(s->failure, sizeof s->failure, "the code was stopped by %s", signal_text(answer->value));
    return false;
}

/* Milliseconds in which a process has run or waited for a processor; -1 where the system does not tell. */
static int64_t active_ms(pid_t pid) {
    char path[40];
    long long ran, queued;
    snprintf(path, sizeof path, "/proc/%d/schedstat", (int)pid);
    FILE *f = fopen(path, "r");
    bool told = f && fscanf(f, "%lld %lld", &ran, &queued) == 2;
    if (f)
        fclose(f);
    return told ? (int64_t)((ran + queued) / 1000000) : -1;
}

bool student_start(student *s, char *const argv[], const char *log, const room *where) {
    int request_pipe[2], reply_pipe[2];
    *s = (student){.pid = -1,
                   .to = -1,
                   .from = -1,
                   .nonce = (uint64_t)now_ms() * 2654435761u ^ (uint64_t)getpid(),
                   .active_before = active_ms(getpid())};
    if (pipe(request_pipe))
        return fail(s, "no pipe");
    if (pipe(reply_pipe)) {
        close(request_pipe[0]);
        close(request_pipe[1]);
        return fail(s, "no pipe");
    }
    fflush(NULL);
    signal(SIGPIPE, SIG_IGN);
    s->pid = fork();
    if (s->pid == 0)
        become(argv, log, where, request_pipe[0], reply_pipe[1]);
    close(request_pipe[0]);
    close(reply_pipe[1]);
    fcntl(request_pipe[1], F_SETFL, O_NONBLOCK);
    fcntl(reply_pipe[0], F_SETFL, O_NONBLOCK); /* its other end may be with a process that writes a part and stops */
    s->to = request_pipe[1];
    s->from = reply_pipe[0];
    reply hello;
    if (s->pid < 0)
        return fail(s, "cannot start a process");
    return receive_reply(s, &hello, 0);
}

void student_stop(student *s) {
    int status;
    if (s->pid > 0)
        kill_group(s->pid, &status);
    else if (s->pid < -1)
        kill(s->pid, SIGKILL); /* it ended, what it started may not have */
    if (s->to >= 0)
        close(s->to);
    if (s->from >= 0)
        close(s->from);
    s->pid = s->to = s->from = -1;
    sandbox_reap(NULL, 0);
}

#ifdef __APPLE__
/* The system tells no other process's CPU time: costs are not compared. */
int64_t student_microseconds(const student *s) { return (void)s, 0; }
#else
int64_t student_microseconds(const student *s) {
    clockid_t clock;
    struct timespec t;
    if (s->pid <= 0 || clock_getcpuclockid(s->pid, &clock) || clock_gettime(clock, &t))
        return 0;
    return (int64_t)t.tv_sec * 1000000 + t.tv_nsec / 1000;
}
#endif

/* ---- sleeping ---- */

/* Of the time of all calls that in which neither the student's process nor the grader had anything to do. */
static int64_t slept_ms(const student *s) {
    int64_t theirs = active_ms(s->pid), own = active_ms(getpid());
    return theirs < 0 || own < 0 ? s->in_calls / 10 : s->in_calls - theirs - (own - s->active_before);
}

/* A process has as many seconds of sleep, in all its calls, as of CPU time. */
static bool has_slept(student *s, int64_t start) {
    s->in_calls += now_ms() - start;
    if (s->in_calls - s->looked_at < 100)
        return false;
    int64_t slept = slept_ms(s);
    s->looked_at = s->in_calls;
    if (slept > s->slept) {
        run_waited += 1e-3 * (double)(slept - s->slept);
        s->slept = slept;
    }
    if (s->slept <= 1000 * (int64_t)run_limits.seconds)
        return false;
    snprintf(s->failure, sizeof s->failure, "the code has slept for %d seconds: leave the waiting out",
             run_limits.seconds);
    return true;
}

/* ---- a call ---- */

static size_t array_bytes(const array *a) {
    size_t n = a->dtype == TG_BOOL ? sizeof(bool) : 8;
    for (int i = 0; i < a->shape.ndim; i++)
        n *= (size_t)a->shape.size[i];
    return n;
}

static bool receive_kept(student *s, reply *answer, kept_array *kept, int *n_kept, int64_t until) {
    for (int i = 0; i < answer->n_kept; i++) {
        kept_array one = {.n = answer->kept[i].rows * answer->kept[i].columns};
        if (one.n < 1 || one.n > MAX_BYTES / 8)
            return fail(s, "the code wrote into the grader's pipe");
        clean(answer->kept[i].name, sizeof answer->kept[i].name);
        snprintf(one.name, sizeof one.name, "%s", answer->kept[i].name);
        one.value = malloc((size_t)one.n * sizeof(double));
        bool good = one.value && receive(s, one.value, (size_t)one.n * sizeof(double), until);
        if (good && kept)
            kept[(*n_kept)++] = one;
        else
            free(one.value);
        if (!good)
            return false;
    }
    return true;
}

/* A request and its arrays in one piece: each write may wake the other side. */
static bool send_request(student *s, const request *r, void *const *data, int64_t until) {
    static char all[sizeof *r + MAX_ARRAYS * MAX_BYTES];
    size_t n = sizeof *r;
    memcpy(all, r, n);
    for (int i = 0; i < r->n_arrays; i++)
        if (!r->array[i].is_null) {
            memcpy(all + n, data[i], array_bytes(&r->array[i]));
            n += array_bytes(&r->array[i]);
        }
    return send_bytes(s, all, n, until);
}

bool student_call(student *s, request *r, void *const *data, int *value, kept_array *kept, int *n_kept) {
    int64_t start = now_ms(), until = start + 1000 * (int64_t)run_limits.seconds;
    reply answer;
    if (n_kept)
        *n_kept = 0;
    if (s->failure[0] || s->from < 0)
        return false;
    r->nonce = s->nonce += 0x9e3779b97f4a7c15u;
    if (!send_request(s, r, data, until))
        return false;
    if (!receive_reply(s, &answer, r->nonce) || has_slept(s, start))
        return false;
    if (answer.kind != REPLY_DONE)
        return crashed(s, r, &answer);
    for (int i = 0; i < r->n_arrays; i++)
        if (r->array[i].is_result && !r->array[i].is_null && !receive(s, data[i], array_bytes(&r->array[i]), until))
            return false;
    *value = answer.value;
    snprintf(s->text, sizeof s->text, "%s", answer.text);
    return receive_kept(s, &answer, kept, n_kept, until);
}
