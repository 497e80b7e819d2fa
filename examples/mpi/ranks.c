#include "examples/mpi/ranks.h"
#include "examples/common/interrupt.h"
#include "examples/gpt/gpt.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

ranks all_ranks = {0, 1};
static bool begun, parted;

/* One line in one piece, since all ranks share stderr. */
static void say(int rank, const char *text) {
    char line[1200];
    int n = rank < 0 ? snprintf(line, sizeof line, "gpt_mpi: %s\n", text)
                     : snprintf(line, sizeof line, "gpt_mpi: rank %d: %s\n", rank, text);
    if (write(STDERR_FILENO, line, (size_t)n < sizeof line ? (size_t)n : sizeof line - 1) < 0)
        _exit(FAILED);
}

/* ---- who watches ---- */

static int told_number;

/* This rank's number as whoever starts it tells it, Open MPI, PMIx, MPICH and its kin, Slurm: MPI_Init, in which a rank
 * can be killed as well, tells it later. -1: nobody did. */
static int number_from_environment(void) {
    static const char *const names[] = {"OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK", "SLURM_PROCID"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (getenv(names[i]))
            return atoi(getenv(names[i]));
    return -1;
}

static bool asks_to_end(int signal_number) {
    return signal_number == SIGINT || signal_number == SIGTERM || signal_number == SIGHUP;
}

static volatile sig_atomic_t told_to_end;
static void note_end(int signal_number) { told_to_end = signal_number; }

/* A rank that mpirun ends prints nothing: both its processes get the signal. */
static _Noreturn void watch(pid_t child) {
    static const int signals[] = {SIGINT, SIGTERM, SIGHUP};
    struct sigaction action = {.sa_handler = note_end};
    char why[200];
    int status;
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
        sigaction(signals[i], &action, NULL);
    while (waitpid(child, &status, 0) < 0 && errno == EINTR)
        ;
    if (WIFEXITED(status))
        _exit(WEXITSTATUS(status));
    if (!told_to_end || !asks_to_end(WTERMSIG(status))) {
        snprintf(why, sizeof why, "killed by signal %d (%s)%s", WTERMSIG(status), strsignal(WTERMSIG(status)),
                 WTERMSIG(status) == SIGKILL ? ", by somebody or because memory ran out" : "");
        say(told_number, why);
    }
    _exit(128 + WTERMSIG(status));
}

/* The other way round: nothing comes through the pipe until the process that watches is gone. A thread, since MPI_Init
 * and computing leave no time to look. */
static void *await_end(void *pipe_end) {
    char nothing;
    while (read(*(int *)pipe_end, &nothing, 1) < 0 && errno == EINTR)
        ;
    if (!interrupted)
        say(told_number, "the process that watched over it was killed");
    _exit(FAILED);
}

/* Returns in the child. Where the system refuses a pipe, process or thread, nobody watches. */
static void fork_watched(void) {
    static int end[2];
    sigset_t all, before;
    pthread_t thread;
    pid_t child = pipe(end) ? -1 : fork();
    if (child < 0)
        return;
    if (child > 0) {
        close(end[0]);
        watch(child);
    }
    close(end[1]);
    fcntl(end[0], F_SETFD, FD_CLOEXEC);
    sigfillset(&all); /* signals are for the thread that waits for messages */
    pthread_sigmask(SIG_SETMASK, &all, &before);
    if (pthread_create(&thread, NULL, await_end, end) == 0)
        pthread_detach(thread);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}

/* ---- beginning and failing ---- */

static char *copies[2]; /* of rank 0's files */

void ranks_remove_copies(void) {
    for (int i = 0; i < 2 && copies[i]; i++)
        unlink(copies[i]);
}

static void finalize(void) {
    ranks_remove_copies();
    MPI_Finalize();
}

void ranks_begin(int *argc, char ***argv) {
    int level;
    told_number = number_from_environment();
    fork_watched();
    MPI_Init_thread(argc, argv, MPI_THREAD_SERIALIZED, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &all_ranks.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &all_ranks.n);
    begun = true;
    atexit(finalize);
    if (level < MPI_THREAD_SERIALIZED)
        die("this MPI has no threads");
    if (all_ranks.rank > 0 && !freopen("/dev/null", "w", stdout))
        die("/dev/null: %s", strerror(errno));
    ranks_agree();
}

/* why: NULL unless this rank failed. */
static void agree(const char *why, int status) {
    int mine = why ? all_ranks.rank : all_ranks.n, lowest;
    MPI_Request request;
    MPI_Iallreduce(&mine, &lowest, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD, &request);
    ranks_wait(&request);
    if (lowest == all_ranks.n)
        return;
    if (lowest == all_ranks.rank)
        say(lowest, why);
    exit(why ? status : FAILED);
}

void ranks_agree(void) { agree(NULL, DONE); }

void ranks_part(void) {
    ranks_agree();
    parted = true;
}

/* An error that all ranks meet, as they do the same, is reported by rank 0: the others wait, and end when mpirun ends
 * them. */
static _Noreturn void fail(const char *why, int status) {
    fflush(stdout);
    if (begun && !parted)
        agree(why, status);
    if (all_ranks.rank > 0) {
        interrupted = 0;
        sleep(2);
    }
    if (all_ranks.rank == 0 || !interrupted)
        say(all_ranks.rank, why);
    _exit(status);
}

_Noreturn void die(const char *format, ...) {
    char why[1024];
    va_list args;
    va_start(args, format);
    vsnprintf(why, sizeof why, format, args);
    va_end(args);
    tg_make_printable(why);
    fail(why, FAILED);
}

_Noreturn void usage(const char *what, const char *why) {
    char text[1024];
    snprintf(text, sizeof text, "%s %s; --help tells more", what, why);
    tg_make_printable(text);
    fail(text, USAGE);
}

/* ---- messages ---- */

void ranks_wait(MPI_Request *request) {
    const struct timespec nap = {0, 50000};
    int looks = 0, done = 0;
    for (;;) {
        MPI_Test(request, &done, MPI_STATUS_IGNORE);
        if (done)
            return;
        if (++looks > 20)
            nanosleep(&nap, NULL);
    }
}

void ranks_broadcast(void *data, int n, MPI_Datatype type) {
    MPI_Request request;
    ranks_agree(); /* who failed before is not here */
    MPI_Ibcast(data, n, type, 0, MPI_COMM_WORLD, &request);
    ranks_wait(&request);
}

void ranks_compare(const char *what, uint64_t x) {
    uint64_t first = x;
    ranks_broadcast(&first, 1, MPI_UINT64_T);
    if (x != first)
        die("its %s is not the same as that of rank 0", what);
}

/* A new empty file, whose name replaces *path. */
static FILE *temporary(char **path) {
    const char *folder = getenv("TMPDIR");
    size_t size = strlen(folder ? folder : "/tmp") + sizeof "/gpt_mpi-XXXXXX";
    char *name = must_allocate(size, 1);
    snprintf(name, size, "%s/gpt_mpi-XXXXXX", folder ? folder : "/tmp");
    int fd = mkstemp(name);
    *path = name;
    copies[copies[0] != NULL] = name;
    return fd < 0 ? NULL : fdopen(fd, "wb");
}

void ranks_share_file(char **path) {
    enum { PIECE = 1 << 24 };
    bool reads = all_ranks.rank == 0;
    char *piece = must_allocate(PIECE, 1);
    FILE *file = reads ? fopen(*path, "rb") : temporary(path);
    if (!file)
        die("%s: %s", *path, strerror(errno));
    bool ok = true;
    for (int n = 1; n > 0;) {
        n = reads ? (int)fread(piece, 1, PIECE, file) : 0;
        ranks_broadcast(&n, 1, MPI_INT);
        ranks_broadcast(piece, n, MPI_BYTE);
        ok = ok && (reads ? !ferror(file) : fwrite(piece, 1, (size_t)n, file) == (size_t)n);
    }
    free(piece);
    if (fclose(file) || !ok)
        die("%s: could not be %s", *path, reads ? "read" : "written");
}
