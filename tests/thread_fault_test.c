/* Each call that makes threads, locks and fork handlers fails in turn, once and from then on: in a process that
 * multiplies on four threads, forks, and multiplies on both sides. No crash, nobody waits for ever, the same bits. */
#include "core/tapegrad.h"
#include "tests/support.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* ---- the calls: the linker sends the library's here, see suites.mk ---- */

static int calls, fail_at;
static bool from_then_on;

static bool fails(void) {
    calls++;
    return calls == fail_at || (from_then_on && fail_at && calls > fail_at);
}

#define CALL(name, parameters, arguments, error) \
    int __real_##name parameters;                \
    int __wrap_##name parameters;                \
    int __wrap_##name parameters { return fails() ? error : __real_##name arguments; }

CALL(pthread_create, (pthread_t * thread, const pthread_attr_t *attr, void *(*start)(void *), void *argument),
     (thread, attr, start, argument), EAGAIN)
CALL(pthread_atfork, (void (*before)(void), void (*parent)(void), void (*child)(void)), (before, parent, child), ENOMEM)
CALL(pthread_mutex_init, (pthread_mutex_t * mutex, const pthread_mutexattr_t *attr), (mutex, attr), EAGAIN)
CALL(pthread_cond_init, (pthread_cond_t * cond, const pthread_condattr_t *attr), (cond, attr), ENOMEM)
CALL(pthread_sigmask, (int how, const sigset_t *set, sigset_t *old), (how, set, old), EINVAL)

/* ---- the process ---- */

enum { SIZE = 160 };

/* A product and its gradient on so many threads. */
static bool multiply(int threads, float *out) {
    tg_set_threads(threads);
    tg_tape *t = tg_tape_new(TG_F32);
    tg_tensor a = tg_parameter(t, "a", tg_randn(t, TG_SHAPE(SIZE, SIZE)));
    tg_tensor y = tg_matmul(a, tg_randn(t, TG_SHAPE(SIZE, SIZE)));
    bool good = !tg_backward_with(y, y) && !tg_read_floats(tg_grad(a), out, SIZE * SIZE);
    tg_tape_free(t);
    return good;
}

static bool same_bits(const float *expected) {
    static float got[SIZE * SIZE];
    return multiply(4, got) && memcmp(got, expected, sizeof got) == 0;
}

/* The exit status of a child; a signal's number + 100. It ends as programs do: by exit, which ends the workers. */
static int child_status(bool (*body)(const float *), const float *expected) {
    pid_t child = fork();
    ck_assert_int_ge(child, 0);
    if (child == 0) {
        alarm(60);
        exit(body(expected) ? calls < fail_at ? 8 : 7 : 1);
    }
    int status = 0;
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 100 + WTERMSIG(status);
}

static bool fork_and_multiply(const float *expected) {
    bool good = same_bits(expected);
    int inner = child_status(same_bits, expected);
    if (inner == 7) /* the call failed there: the child was counted */
        calls = fail_at;
    return good && (inner == 7 || inner == 8) && same_bits(expected) && same_bits(expected);
}

START_TEST(every_call_of_threads_fails)
{
    static float expected[SIZE * SIZE];
    int tried = 0;
    ck_assert(multiply(1, expected));
    for (int round = 0; round < 2; round++) {
        int status = 7;
        from_then_on = round;
        for (fail_at = 1; status == 7; fail_at++, tried++) {
            calls = 0;
            status = child_status(fork_and_multiply, expected);
            ck_assert_msg(status == 7 || status == 8, "call %d failed: status %d", fail_at, status);
        }
        tried--;
    }
    ck_assert_int_gt(tried, 20);
    printf("%d calls of threads failed, no crash, nothing else computed\n", tried);
}
END_TEST

int main(void) {
#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__) /* whose forks threads_test tells of */
    const TTest *const tests[] = {NULL};
    return run_tests("thread_fault", tests, 0, NULL, NULL);
#else
    const TTest *const tests[] = {every_call_of_threads_fails};
    return run_tests("thread_fault", tests, 1, NULL, NULL);
#endif
}
