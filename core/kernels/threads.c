/* A pool of threads, created on first use and kept.
 *
 * The thread that calls tg_parallel publishes a job, works on it too, closes it when all its tasks are taken, and waits
 * for the workers still in it. A worker joins an open job by incrementing the job's count, in the same atomic word as
 * the open bit; so a worker that wakes up late misses the job instead of delaying it. Between jobs a worker spins for
 * some ten microseconds, then sleeps.
 *
 * Each worker has a contiguous share of the tasks, and steals from the others when its own is done. From job to job a
 * thread thus works on the same part of a tensor, which its caches still hold, and fewer cache lines migrate between
 * cores.
 *
 * There is one job at a time. A second thread that calls tg_parallel meanwhile, or a task that does, runs its tasks
 * itself. Results never depend on which thread ran a task, so this does not change them.
 *
 * A job has the number of workers for which its caller sized the scratch. tg_set_threads may change the number for the
 * next job at any moment, so it is not read again once a job is under way. */
#include "core/kernels/threads.h"
#include "core/kernels/runtime.h"
#include "core/platform/platform.h"
#include "core/tapegrad.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>

enum { MAX_THREADS = 256, SPINS = 2000, CACHE_LINE = 64 };

/* state: the job's number, whether it is open, and how many workers are in it. */
#define JOB_NUMBER(state) ((state) >> 32)
#define JOB_OPEN (UINT64_C(1) << 31)
#define JOB_WORKERS(state) ((state) & (JOB_OPEN - 1))

static struct {
    _Atomic uint64_t state;
    tg_task *task;
    void *context;
    int shares;
} job;

/* The tasks of one worker: from `next`, the first not yet taken, to `end` - 1. */
static struct {
    _Alignas(CACHE_LINE) _Atomic int64_t next;
    int64_t end;
} share[MAX_THREADS];

static struct {
    pthread_mutex_t owner; /* held by the thread whose job runs */
    pthread_mutex_t sleep;
    pthread_cond_t wake;
    _Atomic int sleepers;
    _Atomic bool quit;
    _Atomic int wanted;   /* threads, including the caller; 0: not decided yet */
    _Atomic bool refused; /* the system gave no more threads: not retried until the number is set again */
    int running;          /* workers that exist */
    bool handles_fork;
    pthread_t thread[MAX_THREADS];
} pool = {.owner = PTHREAD_MUTEX_INITIALIZER, .sleep = PTHREAD_MUTEX_INITIALIZER, .wake = PTHREAD_COND_INITIALIZER};

static _Thread_local bool inside; /* this thread is running a task */

static void pause_briefly(void) {
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("yield");
#endif
}

/* ---- how many ---- */

static int allowed_cores(void) {
    int n = tg_cores();
    return n > MAX_THREADS ? MAX_THREADS : n;
}

static int threads_from_environment(void) {
    const char *text = tg_environment("TG_THREADS");
    if (!text)
        return allowed_cores();
    char *end;
    long n = strtol(text, &end, 10);
    if (*end == '\0' && n >= 1 && n <= MAX_THREADS)
        return (int)n;
    tg_warn(TG_WARN_THREADS, "TG_THREADS=%.40s is not a number from 1 to %d; using %d, the cores allowed here", text,
            MAX_THREADS, allowed_cores());
    return allowed_cores();
}

int tg_get_threads(void) {
    int n = atomic_load_explicit(&pool.wanted, memory_order_relaxed);
    if (n)
        return n;
    atomic_compare_exchange_strong(&pool.wanted, &n, threads_from_environment());
    return atomic_load(&pool.wanted);
}

int tg_workers(void) { return inside ? 1 : tg_get_threads(); }

/* ---- workers ---- */

static void run_tasks(int worker) {
    inside = true;
    for (int i = 0; i < job.shares; i++) {
        int whose = (worker + i) % job.shares;
        int64_t task;
        while ((task = atomic_fetch_add_explicit(&share[whose].next, 1, memory_order_relaxed)) < share[whose].end)
            job.task(job.context, task, worker);
    }
    inside = false;
}

/* True when there is a job that this worker has not seen, or the pool quits. */
static bool news(uint64_t seen) {
    uint64_t state = atomic_load(&job.state);
    return ((state & JOB_OPEN) && JOB_NUMBER(state) != seen) || atomic_load(&pool.quit);
}

static void wait_for_news(uint64_t seen) {
    for (int i = 0; i < SPINS; i++) {
        if (news(seen))
            return;
        pause_briefly();
    }
    pthread_mutex_lock(&pool.sleep);
    atomic_fetch_add(&pool.sleepers, 1);
    while (!news(seen))
        pthread_cond_wait(&pool.wake, &pool.sleep);
    atomic_fetch_sub(&pool.sleepers, 1);
    pthread_mutex_unlock(&pool.sleep);
}

static void *work(void *number) {
    uint64_t seen = 0;
    for (;;) {
        wait_for_news(seen);
        if (atomic_load(&pool.quit))
            return NULL;
        uint64_t state = atomic_load(&job.state);
        if (!(state & JOB_OPEN) || JOB_NUMBER(state) == seen)
            continue;
        if (!atomic_compare_exchange_strong(&job.state, &state, state + 1))
            continue;
        seen = JOB_NUMBER(state);
        run_tasks((int)(intptr_t)number);
        atomic_fetch_sub(&job.state, 1);
    }
}

/* The owner's side: the job it publishes must be visible to the workers, and their results to it. */

static void wake_sleepers(void) {
    if (!atomic_load(&pool.sleepers))
        return;
    pthread_mutex_lock(&pool.sleep);
    pthread_cond_broadcast(&pool.wake);
    pthread_mutex_unlock(&pool.sleep);
}

static void stop_workers(void) {
    atomic_store(&pool.quit, true);
    wake_sleepers();
    for (int i = 0; i < pool.running; i++)
        pthread_join(pool.thread[i], NULL);
    pool.running = 0;
    atomic_store(&pool.quit, false);
}

/* A fork copies only the calling thread: no job may be under way, and the child starts without workers. If it cannot
 * create its locks, `owner` stays held and the child runs all tasks itself. A fork inside a task does not wait for the
 * job, which waits for the task. */
static void before_fork(void) {
    if (!inside)
        pthread_mutex_lock(&pool.owner);
}
static void after_fork_in_parent(void) {
    if (!inside)
        pthread_mutex_unlock(&pool.owner);
}
static void after_fork_in_child(void) {
    pool.running = 0;
    atomic_store(&pool.sleepers, 0);
    if (!pthread_mutex_init(&pool.sleep, NULL) && !pthread_cond_init(&pool.wake, NULL))
        pthread_mutex_init(&pool.owner, NULL);
}

static bool start_worker(int number) {
    return tg_thread_start(&pool.thread[number - 1], work, (void *)(intptr_t)number);
}

/* At most `wanted` workers, as the job's scratch is sized for these. None where fork handlers cannot be installed: a
 * child would wait for its parent's workers. */
static void start_workers(int wanted) {
    if (!pool.handles_fork && !tg_at_fork(before_fork, after_fork_in_parent, after_fork_in_child))
        atomic_store(&pool.refused, true);
    else
        pool.handles_fork = true;
    if (pool.running > wanted)
        stop_workers();
    while (pool.running < wanted && !atomic_load(&pool.refused))
        if (start_worker(pool.running + 1))
            pool.running++;
        else
            atomic_store(&pool.refused, true);
}

/* Threads that outlive main() would be reported as leaks. They are left alone when the program exits from within a job,
 * and on Windows, where a library being unloaded must not wait for threads. */
#ifndef _WIN32
__attribute__((destructor)) static void stop_at_exit(void) {
    if (pthread_mutex_trylock(&pool.owner))
        return;
    stop_workers();
    pthread_mutex_unlock(&pool.owner);
}
#endif

/* ---- jobs ---- */

static void share_tasks(int64_t n) {
    job.shares = pool.running + 1;
    int64_t begin = 0;
    for (int i = 0; i < job.shares; i++) {
        atomic_store_explicit(&share[i].next, begin, memory_order_relaxed);
        begin += n / job.shares + (i < n % job.shares);
        share[i].end = begin;
    }
}

static void run_job(int64_t n, tg_task *task, void *context) {
    job.task = task;
    job.context = context;
    share_tasks(n);
    uint64_t number = JOB_NUMBER(atomic_load(&job.state)) + 1;
    atomic_store(&job.state, number << 32 | JOB_OPEN);
    wake_sleepers();
    run_tasks(0);
    atomic_fetch_and(&job.state, ~JOB_OPEN);
    for (int spins = 0; JOB_WORKERS(atomic_load(&job.state)); spins++)
        if (spins < SPINS)
            pause_briefly();
        else
            sched_yield(); /* a worker was descheduled */
}

static void run_alone(int64_t n, tg_task *task, void *context) {
    bool was_inside = inside;
    inside = true;
    for (int64_t i = 0; i < n; i++)
        task(context, i, 0);
    inside = was_inside;
}

void tg_parallel(int workers, int64_t n, tg_task *task, void *context) {
    if (n == 1) {
        task(context, 0, 0);
    } else if (workers > 1 && pthread_mutex_trylock(&pool.owner) == 0) {
        start_workers(workers - 1);
        run_job(n, task, context);
        pthread_mutex_unlock(&pool.owner);
    } else {
        run_alone(n, task, context);
    }
}

void tg_set_threads(int n) {
    atomic_store(&pool.wanted, n < 1 ? allowed_cores() : n > MAX_THREADS ? MAX_THREADS : n);
    atomic_store(&pool.refused, false);
}
