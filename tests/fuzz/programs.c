/* Random programs, each computed in several ways that must agree:
 *   float32 and float64; fused and composed operations; views and copies; a replay and a fresh recording; recorded,
 *   rewound and recorded again; with and without no_grad; in checkpoint scopes; gradients apart and in flat blocks; one
 *   backward and two; one thread and several; each instruction set; backward, second derivatives and differences; with
 * every allocation and with one refused. Wild calls must be refused with the operation's name, and change nothing.
 *
 *     build/fuzz_programs --seed 1 --count 1000        these programs
 *     build/fuzz_programs --seconds 60                 as many as there is time for
 *     build/fuzz_programs --seed 17 --print            what program 17 is
 *
 * A program is known by its seed. One that fails is shrunk and printed. With -DFUZZER and clang's -fsanitize=fuzzer the
 * choices come from libFuzzer's bytes instead.
 */
#define _DEFAULT_SOURCE /* for MAP_ANONYMOUS */
#include "examples/common/must.h"
#include "examples/common/options.h"
#include "examples/common/output.h"
#include "tests/fuzz/program.h"

#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static bool check_and_report(program *p, char *why) {
    if (check_program(p, why))
        return true;
    printf("program %llu: %s\n", (unsigned long long)p->seed, why);
    program whole = *p;
    shrink(p, check_program, why);
    printf("  shrunk: %s\n", why);
    print_program(p);
    if (p->n > 12 || getenv("FUZZ_WHOLE")) {
        printf("  whole:\n");
        print_program(&whole);
    }
    fflush(stdout);
    return false;
}

static bool make_and_check(choices *c, uint64_t seed, bool print_only) {
    char why[REASON] = "";
    store numbers = {.n = 0};
    program p = {.seed = seed};
    bool good = make_program(c, &numbers, &p, why, sizeof why);
    if (!good) {
        printf("program %llu: a call that should be right: %s\n", (unsigned long long)seed, why);
        print_program(&p);
    } else if (print_only) {
        print_program(&p);
    } else {
        good = check_and_report(&p, why);
    }
    store_clear(&numbers);
    return good;
}

#ifdef FUZZER

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    tg_set_threads(1);
    choices c = {.bytes = data, .end = data + size};
    if (!make_and_check(&c, 1, false))
        abort();
    return 0;
}

#else

/* What a child tells its parent, who outlives its crashes. */
typedef struct progress {
    uint64_t seed;
    int64_t done, failed;
} progress;

static bool time_left(double seconds, double start) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return seconds <= 0 || (double)now.tv_sec + 1e-9 * (double)now.tv_nsec - start < seconds;
}

static void check_block(progress *p, uint64_t end, double seconds, double start, bool print_only) {
    tg_set_threads(1);
    for (; p->seed < end && time_left(seconds, start); p->seed++) {
        choices c = {.random = p->seed};
        p->failed += !make_and_check(&c, p->seed, print_only);
        p->done++;
    }
    fflush(stdout);
}

typedef struct options {
    double seconds;
    uint64_t seed, count;
    bool print_only;
} options;

const char program_name[] = "fuzz_programs";
static const char help[] =
    "usage: fuzz_programs [--seed N] [--count N | --seconds N] [--print]\n"
    "Random programs, each computed in several ways that must agree: 1000 of them from --seed on\n"
    "(1), or so many, or for so long. --print shows what a program is, one unless --count says\n"
    "how many, and checks nothing. Those that fail are shrunk and printed.\n";

static options read_line(int argc, char **argv) {
    int64_t seed = 1, count = 0;
    options o = {.seconds = 0};
    option all[] = {{"--seed", INTEGER, &seed, 1, 0x1p53, false},
                    {"--count", INTEGER, &count, 1, 0x1p53, false},
                    {"--seconds", NUMBER, &o.seconds, 1, 0x1p53, false},
                    {"--print", FLAG, &o.print_only, 0, 0, false}};
    options_read(argc, argv, help, all, 4);
    o.seed = (uint64_t)seed;
    o.count = count > 0 ? (uint64_t)count : o.seconds > 0 ? (uint64_t)1 << 53 : o.print_only ? 1 : 1000;
    return o;
}

int main(int argc, char **argv) {
    options o = read_line(argc, argv);
    if (!make_kinds())
        return 2;
    uint64_t end = o.seed + o.count;
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    double start = (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
    progress *p = mmap(NULL, sizeof *p, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (p == MAP_FAILED)
        return 2;
    p->seed = o.seed;
    while (p->seed < end && time_left(o.seconds, start)) {
        fflush(stdout);
        pid_t child = fork();
        int status = 0;
        if (child == 0) {
            check_block(p, end, o.seconds, start, o.print_only);
            exit(0);
        }
        if (child < 0 || waitpid(child, &status, 0) < 0)
            return 2;
        if (status == 0)
            break;
        printf("program %llu: crashed (status %d)\n", (unsigned long long)p->seed, status);
        p->failed++;
        p->done++;
        p->seed++;
    }
    printf("%lld programs, %lld failed\n", (long long)p->done, (long long)p->failed);
    return output_end("fuzz_programs", p->failed != 0);
}

#endif
