/* Every operation of the table (tests/operations.h), forward and backward, in turn with PyTorch's: ours, theirs, ours,
 * theirs for each cell, of which the least times count. A cell is an operation, a layout of its operands, a size, a
 * number of threads. PyTorch's half is tests/peers/torch_ops.py, which is told what to time, a line each. */
#define _DEFAULT_SOURCE /* usleep */
#include "core/engine.h"
#include "tests/bench/bench.h"
#include "tests/operations.h"

#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { MOST_REPS = 200, LEAST_REPS = 3, REST = 3000 /* microseconds, in which the other's threads fall asleep */ };
enum { MOST_CELLS = 4000, SIZES = 3, THREADS = 2 };
static const double turn_seconds = 0.02;

typedef struct times {
    double forward, backward; /* in seconds, the least of all turns; 0: not timed, nothing to do */
} times;

typedef struct cell {
    const operation *o;
    layout l;
    int log2, threads;
    times ours, theirs;
    double bytes; /* of operands, result and their gradients, each once */
} cell;

static double least(double a, double b) { return a == 0 || (b > 0 && b < a) ? b : a; }
static void keep_least(times *t, times more) {
    *t = (times){least(t->forward, more.forward), least(t->backward, more.backward)};
}
static double sum(times t) { return t.forward + t.backward; }
static double ratio(const cell *c) { return sum(c->ours) > 0 ? sum(c->theirs) / sum(c->ours) : 0; }

/* ---- ours ---- */

typedef struct subject {
    tg_tape *t;
    const operation *o;
    example e;
    tg_tensor dy; /* null where there is no gradient */
    tg_mark mark;
} subject;

/* Processor time on a busy machine, where the clock's tells of others: --clock cpu. */
static bool by_processor;
static double time_now(void) {
    struct timespec t;
    clock_gettime(by_processor ? CLOCK_PROCESS_CPUTIME_ID : CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* The dims of a tensor in the order in which they lie in memory, and the way back. */
typedef struct lie {
    tg_shape shape;
    tg_dims back;
} lie;

static lie lie_of(tg_tensor y) {
    tg_shape shape = tg_shape_of(y);
    lie l = {.shape = shape, .back = {.ndim = shape.ndim}};
    int order[TG_MAX_DIMS];
    bool repeats = false; /* what is expanded has no order: row-major, as PyTorch's ones_like */
    for (int i = 0; i < shape.ndim; i++)
        repeats |= tg_stride(y, i) == 0 && shape.size[i] > 1;
    for (int i = 0, k; i < shape.ndim; order[k] = i++)
        for (k = i; k > 0 && !repeats && tg_stride(y, order[k - 1]) < tg_stride(y, i); k--)
            order[k] = order[k - 1];
    for (int k = 0; k < shape.ndim; k++) {
        l.shape.size[k] = shape.size[order[k]];
        l.back.dim[order[k]] = k;
    }
    return l;
}

static double bytes_of(tg_tensor x) {
    static const int size[] = {4, 8, 8, 1};
    return tg_is_null(x) ? 0 : (double)tg_numel(x) * size[tg_dtype_of(x)];
}

/* Of operands and result; where there is a gradient, of theirs as well. */
static double bytes_moved(const subject *s, tg_tensor y) {
    double bytes = bytes_of(y) * (tg_is_null(s->dy) ? 1 : 2);
    int n = strchr(s->o->types, 'p') ? s->e.a.n : operation_tensors(s->o);
    for (int i = 0; i < n; i++)
        if (!tg_is_null(s->e.a.x[i]))
            bytes += bytes_of(s->e.a.x[i]) * (tg_requires_grad(s->e.a.x[i]) ? 2 : 1);
    return bytes;
}

/* False where the operation does not take such operands. */
static bool begin_subject(subject *s, cell *c) {
    int64_t rows = (int64_t)1 << c->log2 / 2, columns = ((int64_t)1 << c->log2) / rows;
    *s = (subject){.t = tg_tape_new(TG_F32), .o = c->o};
    tg_manual_seed(s->t, 1);
    bool can = make_example(c->o, s->t, c->l, rows, columns, &s->e);
    tg_mark before = tg_tape_mark(s->t);
    tg_tensor y = can ? c->o->call(&s->e.a) : TG_NULL, dy = TG_NULL;
    bool backward = !tg_is_null(y) && tg_requires_grad(y);
    lie l = tg_is_null(y) ? (lie){.back.ndim = 0} : lie_of(y); /* PyTorch's dy lies as y, too */
    can = !tg_is_null(y) && tg_tape_status(s->t) == TG_OK;
    s->dy = backward ? y : TG_NULL; /* for bytes_moved */
    c->bytes = can ? bytes_moved(s, y) : 0;
    if (!can || tg_tape_rewind(s->t, before)) {
        tg_tape_free(s->t);
        return false;
    }
    if (backward)
        dy = tg_permute(tg_ones(s->t, l.shape), l.back);
    s->dy = dy;
    s->mark = tg_tape_mark(s->t);
    return true;
}

static times run_once(subject *s) {
    tg_zero_grads(s->t);
    double start = time_now();
    tg_tensor y = s->o->call(&s->e.a);
    double middle = time_now();
    if (!tg_is_null(s->dy) && tg_backward_with(y, s->dy))
        fail(s->t);
    double end = time_now();
    if (tg_tape_rewind(s->t, s->mark))
        fail(s->t);
    return (times){middle - start, tg_is_null(s->dy) ? 0 : end - middle};
}

static times turn_of_ours(subject *s, int threads) {
    times best = {0, 0};
    tg_set_threads(threads);
    double start = time_now();
    for (int i = 0; i < MOST_REPS && (i < LEAST_REPS || time_now() - start < turn_seconds); i++)
        keep_least(&best, run_once(s));
    return best;
}

/* ---- PyTorch's ---- */

typedef struct peer {
    FILE *to, *from;
    pid_t process;
} peer;

static void exec_peer(const char *python, const char *script, int threads, int in, int out) {
    char number[12];
    snprintf(number, sizeof number, "%d", threads);
    dup2(in, STDIN_FILENO);
    dup2(out, STDOUT_FILENO);
    execlp(python, python, script, number, by_processor ? "cpu" : "wall", (char *)NULL);
    _exit(127);
}

/* Its first line is "ready" and its version; false when there is no such Python, or it has no torch. */
static bool start_peer(peer *p, const char *python, const char *script, int threads, char *version, int size) {
    int to[2], from[2];
    char line[200] = "";
    fflush(stdout);
    if (pipe(to) || pipe(from))
        exit(EXIT_FAILURE);
    p->process = fork();
    if (p->process == 0) {
        close(to[1]);
        close(from[0]);
        exec_peer(python, script, threads, to[0], from[1]);
    }
    close(to[0]);
    close(from[1]);
    p->to = fdopen(to[1], "w");
    p->from = fdopen(from[0], "r");
    bool ready = p->process > 0 && fgets(line, sizeof line, p->from) && strncmp(line, "ready ", 6) == 0;
    snprintf(version, (size_t)size, "%.*s", ready ? (int)strcspn(line + 6, "\n") : 0, line + 6);
    return ready;
}

static void stop_peer(peer *p) {
    fclose(p->to);
    fclose(p->from);
    if (p->process > 0)
        waitpid(p->process, NULL, 0);
}

/* What it is told once for a cell, and "again" for each further turn. */
static bool turn_of_theirs(peer *p, const subject *s, const cell *c, bool again, times *best) {
    char line[400];
    times t;
    if (again)
        fprintf(p->to, "again\n");
    else
        print_example(p->to, s->o, c->l, &s->e, false);
    fflush(p->to);
    if (!fgets(line, sizeof line, p->from)) /* interrupted as well */
        return false;
    if (sscanf(line, "%lf %lf", &t.forward, &t.backward) != 2) {
        fprintf(stderr, "bench: PyTorch, %s, %s: %s\n", s->o->name, layout_names[c->l], line);
        return false;
    }
    keep_least(best, t);
    return true;
}

/* ---- what the machine moves ---- */

typedef struct copying {
    const float *from;
    float *to;
} copying;

static void copy_piece(void *context, int64_t begin, int64_t end) {
    copying *c = context;
    memcpy(c->to + begin, c->from + begin, (size_t)(end - begin) * sizeof *c->to);
}

/* Bytes a second, read and written, of a copy of 2^log2 floats: the best of many. The two blocks are no multiple of a
 * page apart, which would make a processor wait for stores that it takes for those it reads. */
static double copy_rate(int log2, int threads) {
    int64_t n = (int64_t)1 << log2, gap = 320, many = n < 1 << 16 ? (1 << 16) / n : 1;
    float *block = malloc((size_t)(2 * n + gap) * sizeof *block);
    copying c = {block, block + n + gap};
    double best = 0;
    for (int64_t i = 0; block && i < 2 * n + gap; i++)
        block[i] = 1;
    tg_set_threads(threads);
    double start = now_seconds();
    for (int turn = 0; block && (turn < 10 || now_seconds() - start < 0.1); turn++) {
        double before = now_seconds();
        for (int64_t i = 0; i < many; i++) /* long enough for the clock */
            tg_parallel_for(n, n / threads, copy_piece, &c);
        best = least(best, (now_seconds() - before) / (double)many);
    }
    free(block);
    return 8 * (double)n / best;
}

/* ---- all cells ---- */

static cell cells[MOST_CELLS];
static int n_cells;

static bool is_listed(const char *list, const char *word) {
    size_t n = strlen(word);
    for (const char *at = list; at && *at; at += strcspn(at, ","), at += *at == ',')
        if (strncmp(at, word, n) == 0 && (at[n] == ',' || !at[n]))
            return true;
    return !list;
}

static bool is_number_listed(const char *list, int number) {
    char text[12];
    snprintf(text, sizeof text, "%d", number);
    return is_listed(list, text);
}

static void time_cell(cell *c, peer *p, int rounds) {
    subject s;
    if (!begin_subject(&s, c))
        return;
    bool both = p != NULL;
    for (int round = 0; round < rounds; round++) {
        keep_least(&c->ours, turn_of_ours(&s, c->threads));
        usleep(REST);
        both = both && turn_of_theirs(p, &s, c, round > 0, &c->theirs);
    }
    n_cells += !p || both;
    tg_tape_free(s.t);
}

/* Ctrl-C ends the timing: what there is will be printed. */
static volatile sig_atomic_t stopped;
static void stop(int signal_number) {
    (void)signal_number;
    stopped = 1;
}

static void progress(const cell *c) {
    if (isatty(STDERR_FILENO))
        fprintf(stderr, "\r\033[K%s, %s, 2^%d, threads: %d ", c->o->name, layout_names[c->l], c->log2, c->threads);
}

static void time_all(const ops_options *o, int threads, peer *p) {
    static const int logs[SIZES] = {12, 18, 22};
    for (int size = 0; size < SIZES; size++)
        for (int i = 0; i < n_operations && is_number_listed(o->sizes, logs[size]); i++)
            for (int l = 0; l < N_LAYOUTS && is_listed(o->only, operations[i].name) && n_cells < MOST_CELLS && !stopped;
                 l++) {
                cell *c = &cells[n_cells];
                *c = (cell){.o = &operations[i], .l = (layout)l, .log2 = logs[size], .threads = threads};
                progress(c);
                time_cell(c, p, o->rounds);
            }
}

/* ---- the table ---- */

static double rates[32][THREADS + 1]; /* by log2 of the size and threads */

static int by_ratio(const void *a, const void *b) {
    double x = ratio(a), y = ratio(b);
    if (x == 0 && y == 0)
        x = sum(((const cell *)b)->ours), y = sum(((const cell *)a)->ours);
    return (x > y) - (x < y);
}

static void print_cell(const cell *c, bool with_peer) {
    double rate = c->bytes / sum(c->ours);
    printf("%-26.26s %-10s %2d %d %8.4f %8.4f", c->o->name, layout_names[c->l], c->log2, c->threads,
           1e3 * c->ours.forward, 1e3 * c->ours.backward);
    if (with_peer)
        printf(" %8.4f %8.4f %6.2f", 1e3 * c->theirs.forward, 1e3 * c->theirs.backward, ratio(c));
    printf(" %6.1f %3.0f%%\n", rate / 1e9, 100 * rate / rates[c->log2][c->threads]);
}

static void print_rows(bool with_peer) {
    printf("%-26s %-10s %2s %s %17s", "operation", "operands", "2^", "t", "ours, ms: fwd bwd");
    if (with_peer)
        printf(" %17s %6s", "PyTorch", "ratio");
    printf(" %6s %4s\n", "GB/s", "copy");
    qsort(cells, (size_t)n_cells, sizeof *cells, by_ratio);
    for (int i = 0; i < n_cells; i++)
        print_cell(&cells[i], with_peer);
}

static void print_means(void) {
    printf("\n%4s %7s %6s %15s %11s %10s\n", "size", "threads", "cells", "geometric mean", "below 0.95", "below 0.8");
    for (int log2 = 0; log2 < 32; log2++)
        for (int threads = 1; threads <= THREADS; threads++) {
            int n = 0, slow = 0, slower = 0;
            double logs = 0;
            for (int i = 0; i < n_cells; i++) {
                const cell *c = &cells[i];
                if (c->log2 != log2 || c->threads != threads || ratio(c) <= 0)
                    continue;
                n++, slow += ratio(c) < 0.95, slower += ratio(c) < 0.8, logs += log(ratio(c));
            }
            if (n)
                printf("2^%2d %7d %6d %15.2f %4d %5.1f%% %4d %4.1f%%\n", log2, threads, n, exp(logs / n), slow,
                       100.0 * slow / n, slower, 100.0 * slower / n);
        }
}

static void print_head(const ops_options *o, const char *version) {
    print_machine();
    if (*version)
        printf("PyTorch: %s; ratio: its %stime over ours\n", version, by_processor ? "processor " : "");
    else
        printf("no PyTorch: '%s' has none, so ours alone\n", o->python);
    printf("copy: bytes of operands, result and gradients each once, a second, of what a copy of 2^n floats moves:\n");
    for (int threads = 1; threads <= THREADS; threads++)
        if (is_number_listed(o->threads, threads))
            printf("  %d thread%s: %.1f GB/s at 2^12, %.1f at 2^18, %.1f at 2^22\n", threads, threads > 1 ? "s" : "",
                   rates[12][threads] / 1e9, rates[18][threads] / 1e9, rates[22][threads] / 1e9);
    printf("\n");
}

/* All that is listed, at one number of threads; version: PyTorch's, "" where there is none. */
static void time_threads(const ops_options *o, int threads, char *version, int size) {
    peer p;
    bool with_peer = start_peer(&p, o->python, "tests/peers/torch_ops.py", threads, version, size);
    time_all(o, threads, with_peer ? &p : NULL);
    stop_peer(&p);
    for (int log2 = 12; log2 <= 22; log2++)
        rates[log2][threads] = copy_rate(log2, threads);
}

bool run_ops(const ops_options *o) {
    char version[200] = "";
    by_processor = o->clock && strcmp(o->clock, "cpu") == 0;
    signal(SIGPIPE, SIG_IGN);
    signal(SIGINT, stop);
    for (int threads = 1; threads <= THREADS; threads++)
        if (is_number_listed(o->threads, threads) && !stopped)
            time_threads(o, threads, version, (int)sizeof version);
    if (isatty(STDERR_FILENO))
        fprintf(stderr, "\r\033[K");
    if (n_cells == 0)
        return fprintf(stderr, "bench: no such operation, size or number of threads\n"), false;
    print_head(o, version);
    print_rows(*version != 0);
    if (*version)
        print_means();
    return true;
}
