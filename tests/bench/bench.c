/* The benchmark's driver: every workload in a process of its own, so that its memory is its own, at each number of
 * threads; with a peer, in turn with it (A B A B), and the ratios. Before each turn the clock has become steady, and
 * one thread always runs on the same core. */
#ifdef __linux__
#define _GNU_SOURCE /* sched_setaffinity */
#include <sched.h>
#endif

#include "examples/common/must.h"
#include "examples/common/options.h"
#include "examples/common/output.h"
#include "tests/bench/bench.h"

#include "core/tapegrad.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const char program_name[] = "bench";
static const char everything[] = "add,tiny,medium,seed,gpt,llama,long,gemm";
static const char help[] =
    "usage: bench [--work tiny,gpt] [--threads 1,2] [--reps N] [--max-t T] [--peer SCRIPT] [--python PYTHON]\n"
    "             [--rounds N] [--json FILE] [--run NAME] [--mkl LIBRARY]\n"
    "       bench --work ops [--only relu,add] [--sizes 12,18,22] [--threads 1,2] [--python PYTHON] [--rounds N]\n"
    "             [--clock cpu]\n"
    "\n"
    "  --work     workloads, or all: add tiny medium seed gpt llama gpt2 long gemm  (all but gpt2); and those of\n"
    "             tests/peers/torch_steps.py: mlp relu conv encoder\n"
    "             ops: every operation, in turn with PyTorch's where the Python has it, of 2^12, 2^18, 2^22 elements\n"
    "  --threads  numbers of threads                                       (default 1,2)\n"
    "  --reps     measurements each, the best and the median are printed   (default 7)\n"
    "  --max-t    longest T of 'long'                                      (default 4096)\n"
    "  --peer     a Python script with torch_bench.py's arguments and output, run in turn\n"
    "  --python   the Python that has torch                                (default python3)\n"
    "  --rounds   how often both take their turn                           (default 2 with a peer, else 1)\n"
    "  --clock    cpu: of ops, processor time, for 1 thread on a busy machine\n"
    "  --run NAME one workload in this process, as JSON lines; 'scaling' plots attention's time and memory;\n"
    "             'second' has a table of what second derivatives cost, 'products' of matrix products\n"
    "  --mkl      libmkl_rt.so, or libopenblas.so: 'products' in turn with its\n"
    "  --json     also write every measurement there, one JSON object a line\n";

enum { MAX_ROWS = 200, MAX_NAME = 80, MAX_ROUNDS = 50 };

/* One workload's measurement over all rounds: ours and the peer's. */
typedef struct row {
    char name[MAX_NAME];
    int threads;
    double ms[2], median[2], rss[2], gflops;
    double of_round[2][MAX_ROUNDS]; /* the best of each */
} row;

static row rows[MAX_ROWS];
static int n_rows;

static row *row_of(const char *name, int threads) {
    for (int i = 0; i < n_rows; i++)
        if (rows[i].threads == threads && strcmp(rows[i].name, name) == 0)
            return &rows[i];
    if (n_rows == MAX_ROWS)
        return NULL;
    row *r = &rows[n_rows++];
    snprintf(r->name, sizeof r->name, "%s", name);
    r->threads = threads;
    return r;
}

static double number_after(const char *line, const char *key) {
    const char *at = strstr(line, key);
    return at ? strtod(at + strlen(key), NULL) : 0;
}

/* Keep the best of the rounds, and of each. */
static void take_line(const char *line, int threads, int side, int round) {
    const char *at = strstr(line, "\"workload\": \"");
    char name[MAX_NAME];
    if (!at || sscanf(at + 13, "%79[^\"]", name) != 1)
        return;
    row *r = row_of(name, threads);
    double ms = number_after(line, "\"ms_min\": ");
    if (!r || ms <= 0)
        return;
    r->of_round[side][round] = ms;
    if (r->ms[side] > 0 && r->ms[side] <= ms)
        return;
    r->ms[side] = ms;
    r->median[side] = number_after(line, "\"ms_median\": ");
    r->rss[side] = number_after(line, "\"rss_mib\": ");
    if (side == 0)
        r->gflops = number_after(line, "\"gflops_best\": ");
}

static bool run_command(const char *command, int threads, int side, int round, FILE *json) {
    char line[1000];
    FILE *out = popen(command, "r");
    if (!out)
        return false;
    while (fgets(line, sizeof line, out)) {
        take_line(line, threads, side, round);
        if (json)
            fputs(line, json);
    }
    return pclose(out) == 0;
}

static void progress(const char *side, const char *work, int threads, int round) {
    if (isatty(STDERR_FILENO))
        fprintf(stderr, "\r\033[K%s: %s, %d thread%s, round %d ...", side, work, threads, threads > 1 ? "s" : "",
                round);
}

typedef struct settings {
    const char *work, *threads, *peer, *python, *json, *run, *mkl, *only, *sizes, *clock;
    options o;
    int rounds;
} settings;

/* Where what this process starts may run: one thread on the last of our cores, several on all. */
static void choose_cores(int threads) {
#ifdef __linux__
    static cpu_set_t all;
    cpu_set_t last;
    if (CPU_COUNT(&all) == 0 && sched_getaffinity(0, sizeof all, &all))
        return;
    CPU_ZERO(&last);
    for (size_t i = CPU_SETSIZE; threads == 1 && CPU_COUNT(&last) == 0 && i > 0; i--)
        if (CPU_ISSET(i - 1, &all))
            CPU_SET(i - 1, &last);
    sched_setaffinity(0, sizeof all, threads == 1 ? &last : &all);
#else
    (void)threads;
#endif
}

static bool run_turns(const settings *s, const char *self, const char *work, int threads, FILE *json) {
    char command[2000];
    choose_cores(threads);
    for (int round = 0; round < s->rounds; round++) {
        progress("tapegrad", work, threads, round + 1);
        wait_for_clock();
        snprintf(command, sizeof command, "TG_THREADS=%d '%s' --run %s --threads %d --reps %d --max-t %d", threads,
                 self, work, threads, s->o.reps, s->o.max_t);
        if (!run_command(command, threads, 0, round, json))
            return false;
        if (!s->peer || strcmp(work, "add") == 0)
            continue;
        progress("peer", work, threads, round + 1);
        wait_for_clock();
        snprintf(command, sizeof command, "'%s' '%s' %s --threads %d --reps %d --max-t %d", s->python, s->peer, work,
                 threads, s->o.reps, s->o.max_t);
        if (!run_command(command, threads, 1, round, json))
            return false;
    }
    return true;
}

void print_machine(void) {
    char line[300];
    FILE *f = fopen("/proc/cpuinfo", "r");
    bool found = false;
    while (f && !found && fgets(line, sizeof line, f))
        found = strncmp(line, "model name", 10) == 0;
    if (f)
        fclose(f);
    const char *name = found ? strchr(line, ':') : NULL;
    printf("machine: %.*s, %ld processors, kernels for %s", name ? (int)strcspn(name + 2, "\n") : 7,
           name ? name + 2 : "unknown", sysconf(_SC_NPROCESSORS_ONLN), tg_instruction_set());
#ifdef _SC_LEVEL1_DCACHE_SIZE
    printf("; caches %ld, %ld, %ld KiB", sysconf(_SC_LEVEL1_DCACHE_SIZE) >> 10, sysconf(_SC_LEVEL2_CACHE_SIZE) >> 10,
           sysconf(_SC_LEVEL3_CACHE_SIZE) >> 10);
#endif
    printf("\n");
}

/* The ratio of the best ones, and how far those of the single rounds lie apart. */
static void print_ratio(const row *r, int rounds) {
    double least = 0, most = 0;
    for (int i = 0; i < rounds; i++) {
        double ratio = r->of_round[0][i] > 0 ? r->of_round[1][i] / r->of_round[0][i] : 0;
        least = i == 0 || ratio < least ? ratio : least;
        most = ratio > most ? ratio : most;
    }
    printf(" %12.6g %8.0f %6.2fx  %.2f to %.2f", r->ms[1], r->rss[1], r->ms[1] / r->ms[0], least, most);
}

static void print_table(bool peer, double peak, int rounds) {
    if (isatty(STDERR_FILENO))
        fprintf(stderr, "\r\033[K");
    print_machine();
    printf("FMA peak of one core: %.1f GFLOP/s\n\n", peak);
    printf("%-28s thr %11s %11s %8s %9s %6s", "workload", "best ms", "median ms", "MiB", "GFLOP/s", "peak");
    printf(peer ? " %12s %8s %7s  %s\n" : "\n", "peer ms", "MiB", "ratio", "of the rounds");
    for (int i = 0; i < n_rows; i++) {
        const row *r = &rows[i];
        printf("%-28s %3d %11.6g %11.6g %8.0f", r->name, r->threads, r->ms[0], r->median[0], r->rss[0]);
        if (r->gflops > 0)
            printf(" %9.1f %5.1f%%", r->gflops, 100 * r->gflops / (peak * r->threads));
        else
            printf(" %9s %6s", "", "");
        if (peer && r->ms[1] > 0 && r->ms[0] > 0)
            print_ratio(r, rounds);
        printf("\n");
    }
}

/* The command line into s. */
static void parse(int argc, char **argv, settings *s) {
    int64_t reps = 7, max_t = 4096, rounds = 0;
    option all[] = {{"--work", WORD, &s->work, 0, 0, false},
                    {"--threads", WORD, &s->threads, 0, 0, false},
                    {"--reps", INTEGER, &reps, 1, 1e6, false},
                    {"--max-t", INTEGER, &max_t, 1, 1e6, false},
                    {"--rounds", INTEGER, &rounds, 1, MAX_ROUNDS, false},
                    {"--peer", FILE_NAME, &s->peer, 0, 0, false},
                    {"--python", FILE_NAME, &s->python, 0, 0, false},
                    {"--json", FILE_NAME, &s->json, 0, 0, false},
                    {"--mkl", WORD, &s->mkl, 0, 0, false},
                    {"--run", WORD, &s->run, 0, 0, false},
                    {"--only", WORD, &s->only, 0, 0, false},
                    {"--sizes", WORD, &s->sizes, 0, 0, false},
                    {"--clock", WORD, &s->clock, 0, 0, false}};
    options_read(argc, argv, help, all, (int)(sizeof all / sizeof *all));
    s->o = (options){.reps = (int)reps, .max_t = (int)max_t};
    s->rounds = (int)rounds;
}

static bool is_workload(const char *name) {
    for (int i = 0; workload_names[i]; i++)
        if (strcmp(name, workload_names[i]) == 0)
            return true;
    return false;
}

/* --run: one workload, in this process. */
static bool run_here(settings *s) {
    s->o.threads = atoi(s->threads);
    if (!getenv("TG_THREADS"))
        tg_set_threads(s->o.threads);
    if (strcmp(s->run, "products") == 0)
        return run_products(&s->o, s->mkl);
    if (strcmp(s->run, "scaling") == 0)
        return run_scaling(s->o.reps);
    if (strcmp(s->run, "second") == 0)
        return run_second(s->o.reps);
    if (!run_workload(s->run, &s->o))
        usage(s->run, "is no workload");
    return true;
}

/* One workload at each number of threads. */
static void run_at_each(const settings *s, const char *self, const char *work, FILE *json) {
    char counts[100];
    snprintf(counts, sizeof counts, "%s", s->threads);
    for (char *rest = counts; *rest;) {
        int threads = (int)strtol(rest, &rest, 10);
        if (threads < 1 || (*rest && *rest != ','))
            usage("--threads", "wants numbers with commas between them");
        rest += *rest == ',';
        if (!run_turns(s, self, work, threads, json))
            fprintf(stderr, "\nbench: %s at %d threads failed\n", work, threads);
    }
}

static void run_list(const settings *s, const char *self) {
    FILE *json = s->json ? fopen(s->json, "w") : NULL;
    char list[200];
    if (s->json && !json)
        die("cannot write %s", s->json);
    snprintf(list, sizeof list, "%s", strcmp(s->work, "all") == 0 ? everything : s->work);
    double peak = measure_fma_peak();
    for (char *work = strtok(list, ","); work; work = strtok(NULL, ",")) {
        if (!is_workload(work))
            usage(work, "is no workload");
        run_at_each(s, self, work, json);
    }
    print_table(s->peer != NULL, peak, s->rounds);
    if (json)
        fclose(json);
}

int main(int argc, char **argv) {
    settings s = {.work = everything, .threads = "1,2", .python = "python3"};
    parse(argc, argv, &s);
    if (s.run)
        return output_end("bench", run_here(&s) ? 0 : 1);
    if (strcmp(s.work, "ops") == 0) {
        ops_options o = {s.only, s.sizes, s.threads, s.python, s.clock, s.rounds ? s.rounds : 2};
        return output_end("bench", run_ops(&o) ? 0 : 1);
    }
    if (!s.rounds)
        s.rounds = s.peer ? 2 : 1;
    run_list(&s, argv[0]);
    return output_end("bench", 0);
}
