/* tg_parallel_for runs each piece once, with the same bits for any number of threads, from callbacks, several threads
 * and forks. */
#include "optim/optim.h"
#include "tests/support.h"

#include <pthread.h>
#include <unistd.h>
#ifndef _WIN32
#include <sys/wait.h>
#endif

/* ---- pieces ---- */

enum { MOST = 1 << 12 };

typedef struct cover {
    int64_t n, grain;
    _Atomic int64_t pieces, wrong;
    _Atomic unsigned char seen[MOST];
} cover;

static void note_piece(void *context, int64_t begin, int64_t end) {
    cover *c = context;
    c->pieces++;
    c->wrong += begin % c->grain != 0 || begin < 0 || end <= begin || end > c->n;
    c->wrong += end - begin > c->grain || (end != c->n && end - begin != c->grain);
    for (int64_t i = begin; c->n <= MOST && i < end; i++)
        c->seen[i]++;
}

/* Every piece once, cut at multiples of the grain. */
static void want_cover(cover *c, int64_t n, int64_t grain) {
    memset(c, 0, sizeof *c);
    c->n = n;
    c->grain = grain < 1 ? 1 : grain;
    tg_parallel_for(n, grain, note_piece, c);
    ck_assert_int_eq(c->pieces, n <= 0 ? 0 : (n - 1) / c->grain + 1);
    ck_assert_int_eq(c->wrong, 0);
    for (int64_t i = 0; n <= MOST && i < n; i++)
        ck_assert_int_eq(c->seen[i], 1);
}

START_TEST(every_index_is_in_one_piece)
{
    const int64_t n[] = {INT64_MIN, -1, 0, 1, 2, 63, 64, 65, 4095, 4096},
                  grain[] = {INT64_MIN, -1, 0, 1, 2, 64, 4096, INT64_MAX};
    static cover c;
    for (int threads = 1; threads <= 4; threads += 3) {
        tg_set_threads(threads);
        for (size_t i = 0; i < sizeof n / sizeof *n; i++)
            for (size_t k = 0; k < sizeof grain / sizeof *grain; k++)
                want_cover(&c, n[i], grain[k]);
        for (int64_t parts = 1; parts < 5; parts++)
            for (int64_t less = 0; less < 3; less++)
                want_cover(&c, INT64_MAX - less, INT64_MAX / parts); /* ends beyond what an int64_t holds */
        want_cover(&c, INT64_MAX, (int64_t)1 << 62);
    }
    tg_parallel_for(10, 1, NULL, NULL);
}
END_TEST

/* ---- bits ---- */

enum { N = 100000, GRAIN = 700, PIECES = (N + GRAIN - 1) / GRAIN };

typedef struct sums {
    const float *x;
    float of_piece[PIECES];
} sums;

static void sum_piece(void *context, int64_t begin, int64_t end) {
    sums *s = context;
    float sum = 0;
    for (int64_t i = begin; i < end; i++)
        sum += s->x[i];
    s->of_piece[begin / GRAIN] = sum;
}

START_TEST(threads_change_no_bit)
{
    static float x[N];
    static sums one, many;
    for (int i = 0; i < N; i++)
        x[i] = sinf((float)i) / (1 + (float)(i % 97));
    one.x = many.x = x;
    tg_set_threads(1);
    tg_parallel_for(N, GRAIN, sum_piece, &one);
    for (int threads = 2; threads <= 9; threads++) {
        tg_set_threads(threads);
        memset(many.of_piece, 0, sizeof many.of_piece);
        tg_parallel_for(N, GRAIN, sum_piece, &many);
        ck_assert_mem_eq(one.of_piece, many.of_piece, sizeof one.of_piece);
    }
}
END_TEST

/* ---- from anywhere ---- */

static void count(void *context, int64_t begin, int64_t end) { *(_Atomic int64_t *)context += end - begin; }

static int64_t counted(int64_t n, int64_t grain) {
    _Atomic int64_t c = 0;
    tg_parallel_for(n, grain, count, &c);
    return c;
}

static void count_nested(void *context, int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; i++)
        *(_Atomic int64_t *)context += counted(counted(100, 7), 3);
}

START_TEST(nested_loops_run_every_piece)
{
    for (int threads = 1; threads <= 4; threads++) {
        _Atomic int64_t c = 0;
        tg_set_threads(threads);
        tg_parallel_for(50, 1, count_nested, &c);
        tg_parallel_for(50, 50, count_nested, &c); /* one piece */
        ck_assert_int_eq(c, 2 * 50 * 100);
    }
}
END_TEST

/* A tape for each piece, whose products are large enough for threads of their own. */
static void train_piece(void *context, int64_t begin, int64_t end) {
    double *loss = context;
    for (int64_t i = begin; i < end; i++) {
        tg_tape *t = seeded_tape(TG_F32, (uint64_t)i);
        tg_tensor w = tg_parameter(t, "w", tg_randn(t, TG_SHAPE(96, 96))), x = tg_randn(t, TG_SHAPE(200, 96));
        tg_optim *o = tg_adam_new(t, tg_parameters(t), TG_ADAM_DEFAULTS);
        for (int step = 0; step < 3; step++) {
            tg_tensor y = tg_mean(tg_square(tg_matmul(x, w)), TG_ALL_DIMS, false);
            loss[i] = tg_item(y);
            tg_zero_grads(t);
            if (tg_backward(y) || tg_optim_step(o))
                loss[i] = NAN;
        }
        tg_tape_free(t);
    }
}

START_TEST(tapes_in_pieces_compute_the_same_bits)
{
    double alone[12], together[12];
    tg_set_threads(1);
    tg_parallel_for(12, 1, train_piece, alone);
    tg_set_threads(4);
    tg_parallel_for(12, 1, train_piece, together);
    ck_assert(isfinite(alone[11]));
    ck_assert_mem_eq(alone, together, sizeof alone);
}
END_TEST

typedef struct product {
    const double *x;
    double *y;
} product;

static void square_piece(void *context, int64_t begin, int64_t end) {
    const product *p = context;
    for (int64_t i = begin; i < end; i++)
        p->y[i] += p->x[i] * p->x[i];
}

/* y = x^2 and dx = 2 x dy, both in pieces */
static int square_forward(const tg_call *c) {
    product p = {c->input[0], c->output};
    int64_t n = c->output_shape->size[0];
    memset(c->output, 0, (size_t)n * sizeof(double));
    tg_parallel_for(n, 64, square_piece, &p);
    return 0;
}

typedef struct slope {
    const double *x, *dy;
    double *dx;
} slope;

static void slope_piece(void *context, int64_t begin, int64_t end) {
    const slope *s = context;
    for (int64_t i = begin; i < end; i++)
        s->dx[i] += 2 * s->x[i] * s->dy[i];
}

static int square_vjp(const tg_call *c) {
    slope s = {c->input[0], c->output_grad, c->input_grad[0]};
    tg_parallel_for(c->output_shape->size[0], 64, slope_piece, &s);
    return 0;
}

static int hook(void *grad, int64_t n, tg_tensor x, void *context) {
    (void)grad, (void)x;
    *(int64_t *)context += counted(n, 10);
    return 0;
}

static void progress(int64_t done, int64_t all, void *context) {
    (void)done, (void)all;
    *(int64_t *)context += counted(20, 2);
}

START_TEST(callbacks_may_run_loops)
{
    static const tg_custom_op op = {.name = "squares", .forward_f64 = square_forward, .vjp_f64 = square_vjp};
    for (int threads = 1; threads <= 3; threads++) {
        int64_t hooked = 0, told = 0;
        tg_set_threads(threads);
        tg_tape *t = tg_tape_new(TG_F64);
        tg_tensor x = tg_parameter(t, "x", tg_randn(t, TG_SHAPE(300)));
        ck_assert_int_eq(tg_register_hook(x, hook, &hooked), TG_OK);
        tg_tensor y = tg_custom(&op, &x, 1, TG_SHAPE(300), NULL, 0);
        run_backward(total(y));
        ck_assert_int_eq(hooked, 300);
        double want[300];
        ck_assert_int_eq(tg_read_doubles(tg_mul_scalar(x, 2), want, 300), TG_OK);
        want_grad(x, 300, want);
        tg_gradcheck_config config = TG_GRADCHECK_DEFAULTS;
        config.progress = progress;
        config.context = &told;
        ck_assert_msg(tg_gradcheck(total(y), config, NULL) == TG_OK, "%s", tg_error(t));
        ck_assert(told > 0 && told % 20 == 0);
        tg_tape_free(t);
    }
}
END_TEST

/* ---- several threads, and the number changes all the time ---- */

static _Atomic bool stop;

static void *toggle(void *unused) {
    for (int n = 1; !stop; n = n % 6 + 1)
        tg_set_threads(n);
    return unused;
}

static void toggling_piece(void *context, int64_t begin, int64_t end) {
    tg_set_threads((int)(begin % 5) + 1);
    count(context, begin, end);
}

static void *use(void *unused) {
    static _Atomic int64_t wrong;
    for (int i = 0; i < 200; i++) {
        _Atomic int64_t c = 0;
        wrong += counted(1000, 1 + i % 50) != 1000;
        tg_parallel_for(30, 1, toggling_piece, &c);
        wrong += c != 30;
    }
    ck_assert_int_eq(wrong, 0);
    return unused;
}

START_TEST(threads_may_run_loops_while_the_number_changes)
{
    pthread_t thread[5];
    stop = false;
    for (int i = 0; i < 5; i++)
        ck_assert_int_eq(pthread_create(&thread[i], NULL, i ? use : toggle, NULL), 0);
    for (int i = 4; i >= 0; i--) {
        stop = i == 0;
        ck_assert_int_eq(pthread_join(thread[i], NULL), 0);
    }
}
END_TEST

/* With the thread sanitizer there are no threads after a fork, on Windows no forks. */
#if !defined(__SANITIZE_THREAD__) && !defined(_WIN32)
#define FORKS
static void fork_piece(void *context, int64_t begin, int64_t end) {
    int status = 0;
    pid_t child = fork();
    if (child == 0)
        _exit(counted(100, 3) == 100 ? 7 : 1);
    waitpid(child, &status, 0);
    if (WIFEXITED(status) && WEXITSTATUS(status) == 7)
        count(context, begin, end);
}

/* A fork in a piece does not wait for the job that the piece is part of. */
START_TEST(a_fork_in_a_piece_does_not_wait)
{
    for (int threads = 1; threads <= 4; threads++) {
        _Atomic int64_t c = 0;
        tg_set_threads(threads);
        tg_parallel_for(16, 1, fork_piece, &c);
        ck_assert_int_eq(c, 16);
        ck_assert_int_eq(counted(1000, 1), 1000);
    }
}
END_TEST
#endif

int main(void) {
    TCase *c = tcase_create("parallel");
    tcase_add_test(c, every_index_is_in_one_piece);
    tcase_add_test(c, threads_change_no_bit);
    tcase_add_test(c, nested_loops_run_every_piece);
    tcase_add_test(c, tapes_in_pieces_compute_the_same_bits);
    tcase_add_test(c, callbacks_may_run_loops);
    tcase_add_test(c, threads_may_run_loops_while_the_number_changes);
#ifdef FORKS
    tcase_add_test(c, a_fork_in_a_piece_does_not_wait);
#endif
    return run_suite("parallel", c);
}
