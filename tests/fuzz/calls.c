/* Random programs of calls, in any order: operations, views, custom operations whose callbacks make calls themselves,
 * checkpoint scopes, anomaly mode, hooks, replay, rewind, gradients as tensors, no_grad, errors on the way. Each runs
 * in a process of its own, which may not die; most worth under the sanitizers (`make fuzz`). The numbers say nothing
 * here, that is what programs.c is for; the gradient check is left out.
 *
 *     build/fuzz_calls --seed 1 --count 1000        these programs
 *     build/fuzz_calls --seed 17 --calls 200        the first 200 calls of program 17
 */
#define _DEFAULT_SOURCE
#include "tests/fuzz/calls.h"
#include "examples/common/must.h"
#include "examples/common/options.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

world w;

/* ---- what calls are given ---- */

tg_tensor any(void) {
    int64_t at = choose(&w.dice, 40);
    if (at == 0)
        return TG_NULL;
    if (at == 1)
        return (tg_tensor){w.t, (uint32_t)choose(&w.dice, 60), 1 + (uint32_t)choose(&w.dice, 6)};
    return at < 10 ? w.last : w.pool[choose(&w.dice, POOL)];
}

void keep(tg_tensor x) {
    if (!tg_is_null(x))
        w.pool[choose(&w.dice, POOL)] = w.last = x;
}

double number(void) {
    static const double odd[] = {NAN, (double)INFINITY, 0, -1, 1e30};
    return chance(&w.dice, 3) ? odd[choose(&w.dice, 5)] : 2 * uniform(&w.dice.random) - 1;
}

tg_shape small_shape(void) {
    static const tg_shape shapes[] = {{0, {0}},    {1, {3}},       {2, {2, 3}}, {2, {3, 2}},
                                      {2, {3, 3}}, {3, {2, 1, 3}}, {1, {0}}};
    return shapes[choose(&w.dice, chance(&w.dice, 20) ? 7 : 5)]; /* rarely those that fit no others */
}

int dim(void) { return (int)choose(&w.dice, 3) - 1; }

tg_dims some_dims(void) { return chance(&w.dice, 50) ? TG_ALL_DIMS : TG_DIMS(dim()); }

tg_tensor leaf(void) {
    double values[16];
    for (int i = 0; i < 16; i++)
        values[i] = number();
    tg_tensor x = tg_from_doubles(w.t, small_shape(), values);
    return chance(&w.dice, 80) ? tg_set_requires_grad(x, true) : x;
}

/* What y is reduced to, for those that want a scalar. */
tg_tensor scalar_of(tg_tensor y) { return tg_numel(y) == 1 ? y : tg_sum(y, TG_ALL_DIMS, false); }

/* ---- one call after another ---- */

/* Errors are part of a program, but what comes after them should not be inert for long, nor most handles stale. */
static void go_on(void) {
    tg_status bad = tg_tape_status(w.t);
    if (!bad || chance(&w.dice, 20))
        return;
    tg_clear_error(w.t);
    for (int i = 0; i < 6 && bad == TG_ERR_STALE; i++)
        keep(leaf());
}

/* The tape must not grow without end: a replay runs all of it. */
static void make_room(void) {
    if (tg_tape_mark(w.t).nodes < MOST_NODES)
        return;
    tg_clear_error(w.t);
    (void)!tg_tape_rewind(w.t, w.mark[0]);
    tg_clear_error(w.t);
}

void make_calls(int64_t n) {
    for (int64_t i = 0; i < n && w.calls_left > 0; i++) {
        w.calls_left--;
        make_call();
        go_on();
    }
}

void make_calls_inside(void) {
    if (w.depth >= MOST_DEPTH || chance(&w.dice, 50))
        return;
    w.depth++;
    make_calls(1 + choose(&w.dice, 4));
    if (chance(&w.dice, 90))
        tg_clear_error(w.t); /* else the callback fails */
    w.depth--;
}

/* ---- programs ---- */

static void *get(void *context, size_t size) {
    world *of = context;
    return of->refuse > 0 && --of->refuse == 0 ? NULL : malloc(size);
}
static void put(void *context, void *block, size_t size) {
    (void)context, (void)size;
    free(block);
}

static void run_program(uint64_t seed, int64_t calls) {
    w = (world){.dice = {.random = seed}, .calls_left = calls};
    w.sink = fopen("/dev/null", "w");
    w.t = tg_tape_new_with(chance(&w.dice, 50) ? TG_F32 : TG_F64, &(tg_allocator){get, put, &w});
    if (!w.sink || !w.t)
        exit(2);
    tg_manual_seed(w.t, seed);
    for (int i = 0; i < POOL; i++)
        w.pool[i] = leaf();
    for (int i = 0; i < MARKS; i++)
        w.mark[i] = tg_tape_mark(w.t);
    while (w.calls_left > 0) {
        make_calls(1);
        make_room();
    }
    tg_tape_free(w.t);
    fclose(w.sink);
}

enum { SECONDS_MOST = 300 }; /* of a program, which takes parts of one */

/* How it ended: 0, or the status of a process that died or did not end. */
static int run_in_process(uint64_t seed, int64_t calls) {
    fflush(stdout);
    pid_t child = fork();
    int status = 0;
    if (child == 0) {
        alarm(SECONDS_MOST);
        run_program(seed, calls);
        exit(0);
    }
    return child < 0 || waitpid(child, &status, 0) < 0 ? -1 : status;
}

const char program_name[] = "fuzz_calls";
static const char help[] =
    "usage: fuzz_calls [--seed N] [--count N] [--calls N]\n"
    "Random programs of 1500 calls, or so many: 100 of them from --seed on (1), or so many. Each runs in a\n"
    "process of its own. The seeds of those that died are printed.\n";

int main(int argc, char **argv) {
    int64_t seed = 1, count = 100, calls = 1500, died = 0;
    option all[] = {{"--seed", INTEGER, &seed, 1, 0x1p53, false},
                    {"--count", INTEGER, &count, 1, 0x1p53, false},
                    {"--calls", INTEGER, &calls, 1, 0x1p53, false}};
    options_read(argc, argv, help, all, 3);
    for (int64_t i = seed; i < seed + count; i++) {
        int status = run_in_process((uint64_t)i, calls);
        if (!status)
            continue;
        died++;
        printf("program %lld died (status %d): %s --seed %lld --count 1 --calls %lld\n", (long long)i, status, argv[0],
               (long long)i, (long long)calls);
    }
    printf("%lld programs of %lld calls, %lld died\n", (long long)count, (long long)calls, (long long)died);
    return died != 0;
}
