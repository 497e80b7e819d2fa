/* The pool of threads: every task runs once, whoever asks; and what TG_THREADS and TG_ISA in the environment do. */
#include "core/kernels/isa.h"
#include "core/kernels/threads.h"
#include "tests/support.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <unistd.h>
#ifndef _WIN32
#include <sys/wait.h>
#endif

enum { N_TASKS = 1000 };

typedef struct tally {
    int runs[N_TASKS], nested[N_TASKS];
    bool bad_worker;
} tally;

static void nested_task(void *context, int64_t i, int worker) {
    ((int *)context)[i]++;
    (void)worker;
}

static void count_task(void *context, int64_t i, int worker) {
    tally *c = context;
    c->runs[i]++;
    if (worker < 0 || worker >= 8 || tg_workers() != 1)
        c->bad_worker = true;
    tg_parallel(tg_workers(), 2, nested_task, &c->nested[i - i % 2]);
}

/* Each task once; a task's own jobs run in its thread. (Tasks 2i and 2i+1 count the same two, so they are run as
 * one to keep that free of races.) */
static void count_pair(void *context, int64_t i, int worker) {
    count_task(context, 2 * i, worker);
    count_task(context, 2 * i + 1, worker);
}

static void run_and_check(void) {
    static tally counts[8];
    static _Atomic int free_slot;
    tally *c = &counts[free_slot++ % 8];
    for (int repeat = 0; repeat < 50; repeat++) {
        memset(c, 0, sizeof *c);
        tg_parallel(tg_workers(), N_TASKS / 2, count_pair, c);
        ck_assert(!c->bad_worker);
        int wrong = 0;
        for (int i = 0; i < N_TASKS; i++)
            wrong += c->runs[i] != 1 || c->nested[i] != 2;
        ck_assert_int_eq(wrong, 0);
    }
}

START_TEST(every_task_runs_once)
{
    for (int threads = 1; threads <= 8; threads++) {
        tg_set_threads(threads);
        run_and_check();
    }
}
END_TEST

static void *run_in_thread(void *unused) {
    run_and_check();
    return unused;
}

START_TEST(several_threads_may_share_the_pool)
{
    pthread_t thread[4];
    tg_set_threads(3);
    for (int i = 0; i < 4; i++)
        ck_assert_int_eq(pthread_create(&thread[i], NULL, run_in_thread, NULL), 0);
    for (int i = 0; i < 4; i++)
        ck_assert_int_eq(pthread_join(thread[i], NULL), 0);
}
END_TEST

/* With the thread sanitizer there are no threads after a fork, on Windows no forks. */
#if !defined(__SANITIZE_THREAD__) && !defined(_WIN32)
#define FORKS
enum { FORKING = 3 };

/* No one leaves before all have come. */
static void meet(void *context, int64_t begin, int64_t end) {
    atomic_int *here = context;
    atomic_fetch_add(here, (int)(end - begin));
    while (atomic_load(here) < FORKING)
        sched_yield();
}

/* All workers have begun before: a thread that begins allocates, and a fork meanwhile leaves the child of a program
 * with AddressSanitizer (of gcc 12) its allocator locked. */
START_TEST(a_fork_works_and_so_does_its_parent)
{
    atomic_int here = 0;
    tg_set_threads(FORKING);
    tg_parallel_for(FORKING, 1, meet, &here);
    run_and_check();
    pid_t child = fork();
    ck_assert_int_ge(child, 0);
    if (child == 0) {
        run_and_check();
        _exit(7);
    }
    int status = 0;
    run_and_check();
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert(WIFEXITED(status) && WEXITSTATUS(status) == 7);
}
END_TEST
#endif

/* ---- the environment: each test is a process of its own, in which nothing was decided yet ---- */

static const char *const bad_threads[] = {"0", "-2", "10000", "two", "3x", "99999999999999999999"};
enum { N_BAD_THREADS = sizeof bad_threads / sizeof *bad_threads };

START_TEST(a_bad_number_of_threads_is_one_warning)
{
    ck_assert_int_eq(unsetenv("TG_ISA"), 0);
    ck_assert_int_eq(setenv("TG_THREADS", bad_threads[_i], 1), 0);
    ck_assert_ptr_nonnull(strstr(tg_warning(), bad_threads[_i]));
    ck_assert_ptr_null(strchr(tg_warning(), '\n'));
    ck_assert_int_ge(tg_get_threads(), 1);
    run_and_check();
}
END_TEST

START_TEST(a_good_number_of_threads_is_taken)
{
    ck_assert_int_eq(unsetenv("TG_ISA"), 0);
    ck_assert_int_eq(setenv("TG_THREADS", "5", 1), 0);
    ck_assert_int_eq(tg_get_threads(), 5);
    ck_assert_str_eq(tg_warning(), "");
    tg_set_threads(0);
    ck_assert_int_ge(tg_get_threads(), 1);
}
END_TEST

START_TEST(an_unknown_instruction_set_is_one_warning)
{
    ck_assert_int_eq(setenv("TG_ISA", "avx9000", 1), 0);
    ck_assert_int_eq(unsetenv("TG_THREADS"), 0);
    ck_assert_ptr_nonnull(strstr(tg_warning(), "avx9000"));
    ck_assert_ptr_null(strchr(tg_warning(), '\n'));
    ck_assert_str_ne(tg_isa_now()->name, "reference");
}
END_TEST

START_TEST(an_instruction_set_can_be_chosen)
{
    const tg_isa *isa = tg_isa_at(_i);
    if (!isa)
        return;
    ck_assert_int_eq(setenv("TG_ISA", isa->name, 1), 0);
    ck_assert_int_eq(unsetenv("TG_THREADS"), 0);
    ck_assert_ptr_eq(tg_isa_now(), isa);
    ck_assert_str_eq(tg_warning(), "");
}
END_TEST

/* CK_FORK=no runs all tests in one process. */
static bool tests_have_processes(void) {
    const char *fork_mode = getenv("CK_FORK");
    return !fork_mode || strcmp(fork_mode, "no") != 0;
}

static void add_environment_tests(TCase *c) {
    tcase_add_loop_test(c, a_bad_number_of_threads_is_one_warning, 0, N_BAD_THREADS);
    tcase_add_test(c, a_good_number_of_threads_is_taken);
    tcase_add_test(c, an_unknown_instruction_set_is_one_warning);
    tcase_add_loop_test(c, an_instruction_set_can_be_chosen, 0, 4);
}

int main(void) {
    TCase *c = tcase_create("pool");
    tcase_add_test(c, every_task_runs_once);
    tcase_add_test(c, several_threads_may_share_the_pool);
#ifdef FORKS
    tcase_add_test(c, a_fork_works_and_so_does_its_parent);
#endif
    if (tests_have_processes())
        add_environment_tests(c);
    return run_suite("pool", c);
}
