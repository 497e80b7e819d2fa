/* The number of threads must not show: the same training run, bit for bit, at 1, 2, 3 and 8; and the
 * pool lives with forks, signals, an exit from a task, and a system that has no threads to give. */
#include "core/kernels/threads.h"
#include "core/tapegrad.h"
#include "optim/optim.h"
#include "tests/support.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* Two sequences of T tokens, C channels, in two heads: large enough that every kernel that shares its work does. */
enum { STEPS = 3, B = 2, T = 128, C = 192, HEADS = 2, V = 61, N_WEIGHTS = 9 };

typedef struct model {
    tg_tape *t;
    tg_tensor token, norm, norm_bias, qkv, out, up, up_bias, down, last, ids, targets;
    tg_optim *adam;
} model;

static tg_tensor weight(tg_tape *t, const char *name, int64_t rows, int64_t cols) {
    return tg_parameter(t, name, tg_normal_(tg_zeros(t, cols ? TG_SHAPE(rows, cols) : TG_SHAPE(rows)), 0, 0.1));
}

static model new_model(void) {
    model m = {.t = tg_tape_new(TG_F32)};
    tg_manual_seed(m.t, 5);
    m.token = weight(m.t, "token", V, C);
    m.norm = weight(m.t, "norm", C, 0);
    m.norm_bias = weight(m.t, "norm_bias", C, 0);
    m.qkv = weight(m.t, "qkv", 3 * C, C);
    m.out = weight(m.t, "out", C, C);
    m.up = weight(m.t, "up", 4 * C, C);
    m.up_bias = weight(m.t, "up_bias", 4 * C, 0);
    m.down = weight(m.t, "down", C, 4 * C);
    m.last = weight(m.t, "last", C, 0);
    m.ids = tg_randint(m.t, 0, V, TG_SHAPE(B, T));
    m.targets = tg_randint(m.t, 0, V, TG_SHAPE(B, T));
    m.adam = tg_adamw_new(m.t, tg_parameters(m.t), TG_ADAMW_DEFAULTS);
    return m;
}

static tg_tensor heads(tg_tensor x) { return tg_transpose(tg_reshape(x, TG_SHAPE(B, T, HEADS, C / HEADS)), 1, 2); }

static tg_tensor loss_of(const model *m) {
    tg_tensor x = tg_embedding(m->token, m->ids), part[3];
    tg_tensor h = tg_linear(tg_layer_norm(x, m->norm, m->norm_bias, 1e-5), m->qkv, TG_NULL);
    ck_assert_int_eq(tg_split(h, C, 2, part, 3), TG_OK);
    tg_tensor y =
        tg_scaled_dot_product_attention(heads(part[0]), heads(part[1]), heads(part[2]), TG_NULL, true, 0.1, 0);
    x = tg_add(x, tg_linear(tg_reshape(tg_transpose(y, 1, 2), TG_SHAPE(B, T, C)), m->out, TG_NULL));
    x = tg_add(x, tg_linear(tg_dropout(tg_gelu(tg_linear(x, m->up, m->up_bias)), 0.1), m->down, TG_NULL));
    tg_tensor logits = tg_matmul(tg_layer_norm(x, m->last, TG_NULL, 1e-5), tg_transpose(m->token, 0, 1));
    tg_tensor penalty = tg_mul_scalar(tg_mean(tg_square(tg_softmax(logits, -1)), TG_ALL_DIMS, false), 0.1);
    return tg_add(tg_cross_entropy(logits, m->targets, TG_IGNORE_INDEX, TG_MEAN), penalty);
}

/* Everything that a run leaves behind: losses, norms, and the parameters at the end. */
typedef struct trace {
    double loss[STEPS], norm[STEPS];
    float *parameter[N_WEIGHTS];
    int64_t numel[N_WEIGHTS];
} trace;

static trace run(int threads) {
    trace r;
    tg_set_threads(threads);
    model m = new_model();
    tg_mark mark = tg_tape_mark(m.t);
    for (int i = 0; i < STEPS; i++) {
        tg_optim_zero_grad(m.adam);
        tg_tensor loss = loss_of(&m);
        ck_assert_msg(tg_backward(loss) == TG_OK, "%s", tg_error(m.t));
        r.loss[i] = tg_item(loss);
        ck_assert_int_eq(tg_clip_grad_norm(tg_parameters(m.t), 1, 2, &r.norm[i]), TG_OK);
        ck_assert_int_eq(tg_optim_step(m.adam), TG_OK);
        tg_tape_rewind(m.t, mark);
    }
    tg_list all = tg_parameters(m.t);
    ck_assert_int_eq((int)all.n, N_WEIGHTS);
    for (int i = 0; i < N_WEIGHTS; i++) {
        r.numel[i] = tg_numel(all.tensor[i]);
        r.parameter[i] = malloc((size_t)r.numel[i] * sizeof(float));
        ck_assert_ptr_nonnull(r.parameter[i]);
        memcpy(r.parameter[i], tg_const_data(all.tensor[i]), (size_t)r.numel[i] * sizeof(float));
    }
    tg_tape_free(m.t);
    return r;
}

static void free_trace(trace *r) {
    for (int i = 0; i < N_WEIGHTS; i++)
        free(r->parameter[i]);
}

START_TEST(a_training_run_has_the_same_bits_at_any_number_of_threads)
{
    static const int threads[] = {2, 3, 8};
    trace one = run(1);
    ck_assert_double_gt(one.loss[0], one.loss[STEPS - 1]);
    for (size_t i = 0; i < sizeof threads / sizeof *threads; i++) {
        trace many = run(threads[i]);
        ck_assert_mem_eq(one.loss, many.loss, sizeof one.loss);
        ck_assert_mem_eq(one.norm, many.norm, sizeof one.norm);
        for (int k = 0; k < N_WEIGHTS; k++)
            ck_assert_msg(!memcmp(one.parameter[k], many.parameter[k], (size_t)one.numel[k] * sizeof(float)),
                          "%d threads: parameter %d differs", threads[i], k);
        free_trace(&many);
    }
    free_trace(&one);
    tg_set_threads(0);
}
END_TEST

/* A Hessian-vector product of attention: plain; heads that share their keys in a window; with a mask that learns; with
 * dropout. T is no multiple of a block's rows. */
enum { LONG = 200, WIDE = 40, QUERIES = 6, FORMS = 4 };

static void second_of_attention(int form, int threads, float *out) {
    tg_set_threads(threads);
    tg_tape *t = seeded_tape(TG_F32, 11);
    int n = form == 2 ? 4 : 3;
    int64_t keys = form == 1 ? QUERIES / 2 : QUERIES;
    tg_tensor x[4], v[4], hv[4];
    for (int i = 0; i < n; i++) {
        tg_shape shape = i == 3 ? TG_SHAPE(LONG, LONG) : TG_SHAPE(i ? keys : QUERIES, LONG, WIDE);
        x[i] = tg_set_requires_grad(tg_randn(t, shape), true);
        v[i] = tg_randn(t, shape);
    }
    tg_attention_config c = TG_ATTENTION_DEFAULTS;
    c.causal = true;
    c.enable_gqa = form == 1;
    c.window = form == 1 ? 70 : 0;
    c.mask = form == 2 ? x[3] : TG_NULL;
    c.dropout_p = form == 3 ? 0.2 : 0;
    tg_tensor y = tg_scaled_dot_product_attention_with(x[0], x[1], x[2], c);
    ck_assert_msg(tg_hvp(tg_sum(tg_square(y), TG_ALL_DIMS, false), x, v, n, hv) == TG_OK, "%s", tg_error(t));
    for (int i = 0; i < n; i++) {
        memcpy(out, tg_const_data(hv[i]), (size_t)tg_numel(hv[i]) * sizeof *out);
        out += tg_numel(hv[i]);
    }
    tg_tape_free(t);
}

START_TEST(second_derivatives_have_the_same_bits_at_any_number_of_threads)
{
    static float one[3 * QUERIES * LONG * WIDE + LONG * LONG], many[3 * QUERIES * LONG * WIDE + LONG * LONG];
    static const int threads[] = {2, 3, 8};
    for (int form = 0; form < FORMS; form++) {
        second_of_attention(form, 1, one);
        for (size_t i = 0; i < sizeof threads / sizeof *threads; i++) {
            second_of_attention(form, threads[i], many);
            ck_assert_msg(!memcmp(one, many, sizeof one), "form %d, %d threads", form, threads[i]);
        }
    }
    tg_set_threads(0);
}
END_TEST

/* ---- the pool and the system ---- */

/* The linker sends the library's calls here: see suites.mk. */
int __real_pthread_create(pthread_t *thread, const pthread_attr_t *attr, void *(*start)(void *), void *argument);
int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attr, void *(*start)(void *), void *argument);
static _Atomic int attempts, grants = 1 << 30;
int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attr, void *(*start)(void *), void *argument) {
    atomic_fetch_add(&attempts, 1);
    return atomic_fetch_sub(&grants, 1) > 0 ? __real_pthread_create(thread, attr, start, argument) : EAGAIN;
}

/* As many tasks as workers, each of which waits for all others: so each has a worker of its own, or one gives up. */
typedef struct meeting {
    _Atomic int here;
    _Atomic bool gave_up;
    int wanted;
    void (*then)(int worker); /* NULL: nothing */
} meeting;

static void meet_task(void *context, int64_t i, int worker) {
    meeting *m = context;
    atomic_fetch_add(&m->here, 1);
    for (time_t end = time(NULL) + 10; atomic_load(&m->here) < m->wanted && !atomic_load(&m->gave_up);) {
        sched_yield();
        if (time(NULL) > end)
            atomic_store(&m->gave_up, true);
    }
    if (m->then && !atomic_load(&m->gave_up))
        m->then(worker);
    (void)i;
}

static bool all_meet(int workers, void (*then)(int worker)) {
    meeting m = {0, false, workers, then};
    tg_parallel(workers, workers, meet_task, &m);
    return !atomic_load(&m.gave_up);
}

static void count_task(void *context, int64_t i, int worker) {
    atomic_fetch_add((_Atomic int *)context, 1);
    (void)i;
    (void)worker;
}

static int tasks_run(int workers, int n) {
    _Atomic int count = 0;
    tg_parallel(workers, n, count_task, &count);
    return atomic_load(&count);
}

START_TEST(a_system_without_threads_is_asked_once)
{
    tg_set_threads(8);
    atomic_store(&attempts, 0);
    atomic_store(&grants, 2);
    for (int i = 0; i < 20; i++)
        ck_assert_int_eq(tasks_run(8, 100), 100);
    ck_assert_int_eq(atomic_load(&attempts), 3);
    ck_assert(all_meet(3, NULL)); /* the caller and the two */
    atomic_store(&grants, 1 << 30);
    ck_assert_int_eq(tasks_run(8, 100), 100);
    ck_assert_int_eq(atomic_load(&attempts), 3);
    tg_set_threads(8);
    ck_assert(all_meet(8, NULL));
}
END_TEST

static void note_signal(int number) { (void)number; }

START_TEST(the_pool_takes_no_signals)
{
    struct sigaction action = {.sa_handler = note_signal};
    sigset_t usr1, pending;
    sigemptyset(&usr1);
    sigaddset(&usr1, SIGUSR1);
    ck_assert_int_eq(sigaction(SIGUSR1, &action, NULL), 0);
    ck_assert(all_meet(4, NULL));
    ck_assert_int_eq(pthread_sigmask(SIG_BLOCK, &usr1, NULL), 0);
    ck_assert_int_eq(kill(getpid(), SIGUSR1), 0); /* goes to any thread that does not block it */
    for (int i = 0; i < 50; i++)
        ck_assert(all_meet(4, NULL));
    ck_assert_int_eq(sigpending(&pending), 0);
    ck_assert_int_eq(sigismember(&pending, SIGUSR1), 1);
    ck_assert_int_eq(pthread_sigmask(SIG_UNBLOCK, &usr1, NULL), 0);
}
END_TEST

START_TEST(a_job_has_the_workers_it_asked_for)
{
    for (int i = 0; i < 40; i++)
        ck_assert(all_meet(1 + i * 5 % 8, NULL));
}
END_TEST

#ifndef __SANITIZE_THREAD__ /* which does not support threads after a fork */

/* The exit status of a child that runs `body`; a signal's number + 1000. */
static int child_status(int (*body)(void)) {
    pid_t child = fork();
    ck_assert_int_ge(child, 0);
    if (child == 0) {
        alarm(30);
        _exit(body());
    }
    int status = 0;
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status);
}

/* AddressSanitizer keeps a lock while a thread begins, and a child that is made meanwhile finds it held for ever: the
 * threads that it makes never begin. Without the sanitizer all forks are tried. */
#ifndef __SANITIZE_ADDRESS__
static int meet_in_child(void) { return all_meet(3, NULL) ? 7 : 1; }

static void *change_workers(void *forever) {
    for (int i = 0; atomic_load((_Atomic bool *)forever); i++)
        tasks_run(2 + i % 2, 20); /* one job ends workers, the next begins them */
    return NULL;
}

/* The child must not find a job, or the end of a worker, half done; both sides must have their workers after it. */
START_TEST(forks_while_jobs_run)
{
    pthread_t thread;
    _Atomic bool forever = true;
    ck_assert(all_meet(3, NULL));
    ck_assert_int_eq(pthread_create(&thread, NULL, change_workers, &forever), 0);
    for (int i = 0; i < 100; i++)
        ck_assert_int_eq(child_status(meet_in_child), 7);
    atomic_store(&forever, false);
    ck_assert_int_eq(pthread_join(thread, NULL), 0);
    ck_assert(all_meet(3, NULL));
}
END_TEST
#endif

static void exit_from_caller(int worker) {
    if (worker == 0)
        exit(7);
    for (;;)
        pause();
}

static void exit_from_worker(int worker) {
    if (worker == 1)
        exit(7);
    for (;;)
        pause();
}

static int exit_in_callers_task(void) { return all_meet(3, exit_from_caller); }
static int exit_in_workers_task(void) { return all_meet(3, exit_from_worker); }

/* The pool cannot end its threads then, and must not wait for them. */
START_TEST(a_task_may_exit)
{
    ck_assert_int_eq(child_status(exit_in_callers_task), 7);
    ck_assert_int_eq(child_status(exit_in_workers_task), 7);
}
END_TEST
#endif

enum { MANY_ROWS = 67, MANY_COLUMNS = 1001, MANY = MANY_ROWS * MANY_COLUMNS };

/* An operand that MANY_ROWS x MANY_COLUMNS repeats: a row, a column, a number, every second element of a row. */
static tg_tensor repeated(tg_tensor w, int kind) {
    tg_tensor row = tg_slice(w, 0, 0, MANY_COLUMNS, 1), column = tg_slice(w, 0, 0, MANY_ROWS, 1);
    switch (kind) {
    case 0: return row;
    case 1: return tg_reshape(column, TG_SHAPE(MANY_ROWS, 1));
    case 2: return tg_select(w, 0, 0);
    default: return tg_slice(w, 0, 0, 2 * MANY_COLUMNS, 2);
    }
}

/* dw for y = x w, x being 0 to 12 less 6, or random; threads as many. */
static void repeated_grad(int kind, bool whole, int threads, float *dw) {
    tg_tape *t = tg_tape_new(TG_F32);
    tg_tensor x = tg_randn(t, TG_SHAPE(MANY_ROWS, MANY_COLUMNS));
    for (int i = 0; whole && i < MANY; i++)
        ((float *)tg_data(x))[i] = (float)(i % 13 - 6);
    tg_tensor w = wanting(tg_ones(t, TG_SHAPE(2 * MANY_COLUMNS)));
    tg_set_threads(threads);
    run_backward(total(tg_mul(x, repeated(w, kind))));
    tg_set_threads(0);
    ck_assert_int_eq(tg_read_floats(tg_grad(w), dw, 2 * MANY_COLUMNS), TG_OK);
    tg_tape_free(t);
}

START_TEST(a_gradient_summed_in_blocks_is_the_loops)
{
    float dw[2 * MANY_COLUMNS], other[2 * MANY_COLUMNS];
    double sum[2 * MANY_COLUMNS] = {0};
    for (int i = 0; i < MANY; i++) {
        int row = i / MANY_COLUMNS, column = i % MANY_COLUMNS;
        sum[_i == 0 ? column : _i == 1 ? row : _i == 2 ? 0 : 2 * column] += i % 13 - 6;
    }
    repeated_grad(_i, true, 2, dw);
    for (int j = 0; j < 2 * MANY_COLUMNS; j++)
        ck_assert_double_eq((double)dw[j], sum[j]);
    repeated_grad(_i, false, 1, dw);
    for (int threads = 2; threads <= 5; threads++) {
        repeated_grad(_i, false, threads, other);
        ck_assert_mem_eq(dw, other, sizeof dw);
    }
}
END_TEST

/* A chain of operations that are shared among threads, large enough to be. */
static void chain_bits(int threads, float *y, float *dx, int64_t n) {
    tg_set_threads(threads);
    tg_tape *t = tg_tape_new(TG_F32);
    tg_tensor x = tg_set_requires_grad(tg_randn(t, TG_SHAPE(n / 300, 300)), true);
    tg_tensor z = tg_log_softmax(tg_tanh(tg_mul(tg_bias_gelu(x, tg_select(x, 0, 7)), tg_softmax(x, -1))), -1);
    ck_assert_int_eq(tg_read_floats(z, y, n), TG_OK);
    ck_assert_int_eq(tg_backward(tg_mean(tg_square(z), TG_ALL_DIMS, false)), TG_OK);
    ck_assert_int_eq(tg_read_floats(tg_grad(x), dx, n), TG_OK);
    tg_tape_free(t);
}

START_TEST(threads_do_not_change_operations)
{
    enum { N = 300 * 301 };
    static float y[N], dx[N], y1[N], dx1[N];
    chain_bits(1, y1, dx1, N);
    const int threads[] = {2, 3, 8};
    for (size_t i = 0; i < 4 * sizeof threads / sizeof *threads;
         i++) { /* a busy machine may let one thread do it all */
        chain_bits(threads[i % 3], y, dx, N);
        ck_assert_int_eq(memcmp(y, y1, sizeof y), 0);
        ck_assert_int_eq(memcmp(dx, dx1, sizeof dx), 0);
    }
}
END_TEST

int main(void) {
    TCase *c = tcase_create("threads");
    tcase_add_test(c, a_training_run_has_the_same_bits_at_any_number_of_threads);
    tcase_add_test(c, second_derivatives_have_the_same_bits_at_any_number_of_threads);
    tcase_add_loop_test(c, a_gradient_summed_in_blocks_is_the_loops, 0, 4);
    tcase_add_test(c, threads_do_not_change_operations);
    tcase_add_test(c, a_system_without_threads_is_asked_once);
    tcase_add_test(c, the_pool_takes_no_signals);
    tcase_add_test(c, a_job_has_the_workers_it_asked_for);
#ifndef __SANITIZE_THREAD__
#ifndef __SANITIZE_ADDRESS__
    tcase_add_test(c, forks_while_jobs_run);
#endif
    tcase_add_test(c, a_task_may_exit);
#endif
    return run_suite("threads", c);
}
