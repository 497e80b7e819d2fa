#include "examples/mpi/exchange.h"
#include "examples/gpt/gpt.h"
#include "examples/mpi/ranks.h"

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MOST_LEVELS = 31, PIECE = 1 << 26 }; /* numbers in a message */

typedef struct block {
    float *gradient;
    int64_t n, at; /* in sums */
    exchange_times times;
} block;

struct exchange {
    tg_tape *t;
    block *block;
    int n_blocks, shards, shard;
    bool fast;
    float *sum[MOST_LEVELS]; /* [i]: of the last 2^i shards that wait for as many more */
    float *received;
    double start, wait_begin, wait_end;
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    int given, done; /* blocks in this step, in order */
    bool ending;
};

double exchange_now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double since_start(const exchange *x) { return exchange_now() - x->start; }

static void add(float *to, const float *from, int64_t n) {
    for (int64_t i = 0; i < n; i++)
        to[i] += from[i];
}

/* ---- over the ranks: the thread ---- */

static void meet(exchange *x, float *gradient, int n, int partner) {
    MPI_Request receive, send;
    MPI_Irecv(x->received, n, MPI_FLOAT, partner, 0, MPI_COMM_WORLD, &receive);
    MPI_Isend(gradient, n, MPI_FLOAT, partner, 0, MPI_COMM_WORLD, &send);
    ranks_wait(&receive);
    ranks_wait(&send);
    add(gradient, x->received, n);
}

static void sum_over_ranks(exchange *x, float *gradient, int64_t n) {
    for (int64_t at = 0; at < n; at += PIECE) {
        int part = (int)(n - at < PIECE ? n - at : PIECE);
        if (x->fast) {
            MPI_Request request;
            MPI_Iallreduce(MPI_IN_PLACE, gradient + at, part, MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD, &request);
            ranks_wait(&request);
        }
        for (int away = 1; away < all_ranks.n && !x->fast; away *= 2)
            meet(x, gradient + at, part, all_ranks.rank ^ away);
    }
}

/* The next block to sum, when there is one. NULL: the end. */
static block *next_block(exchange *x) {
    pthread_mutex_lock(&x->lock);
    while (x->done == x->given && !x->ending)
        pthread_cond_wait(&x->changed, &x->lock);
    block *b = x->ending ? NULL : &x->block[x->done];
    pthread_mutex_unlock(&x->lock);
    return b;
}

static void *communicate(void *context) {
    exchange *x = context;
    for (block *b; (b = next_block(x));) {
        b->times.begin = since_start(x);
        sum_over_ranks(x, b->gradient, b->n);
        b->times.end = since_start(x);
        pthread_mutex_lock(&x->lock);
        x->done++;
        pthread_cond_broadcast(&x->changed);
        pthread_mutex_unlock(&x->lock);
    }
    return NULL;
}

/* ---- over the shards of this rank: in backward ---- */

/* As a binary counter carries: the sum of 2^i shards waits for the next 2^i. */
static int on_ready(int i, void *gradient, int64_t n, void *context) {
    exchange *x = context;
    block *b = &x->block[i];
    int level = 0;
    for (; x->shard >> level & 1; level++)
        add(gradient, x->sum[level] + b->at, n);
    if (x->shard + 1 < x->shards) {
        memcpy(x->sum[level] + b->at, gradient, (size_t)n * sizeof(float));
        return 0;
    }
    b->times.ready = since_start(x);
    pthread_mutex_lock(&x->lock);
    x->given++;
    pthread_cond_broadcast(&x->changed);
    pthread_mutex_unlock(&x->lock);
    return 0;
}

void exchange_shard(exchange *x, int shard) {
    x->shard = shard;
    x->start = exchange_now();
    x->given = x->done = 0;
}

void exchange_wait(exchange *x) {
    x->wait_begin = since_start(x);
    pthread_mutex_lock(&x->lock);
    while (x->done < x->n_blocks)
        pthread_cond_wait(&x->changed, &x->lock);
    pthread_mutex_unlock(&x->lock);
    x->wait_end = since_start(x);
}

/* ---- making ---- */

/* Signals are the main thread's. */
static void start_thread(exchange *x) {
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    int failed = pthread_create(&x->thread, NULL, communicate, x);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (failed)
        die("a thread could not be started: %s", strerror(failed));
}

exchange *exchange_new(tg_list parameters, int shards, size_t bytes, bool fast) {
    const size_t first = 1 << 20;
    exchange *x = must_allocate(1, sizeof *x);
    *x = (exchange){.t = parameters.tape, .shards = shards, .fast = fast};
    must(x->t, tg_flatten_gradients(parameters, bytes < first ? bytes : first, bytes, on_ready, x));
    x->n_blocks = tg_gradient_blocks(x->t);
    x->block = must_allocate((size_t)x->n_blocks, sizeof *x->block);
    int64_t all = 0, largest = 0;
    for (int i = 0; i < x->n_blocks; i++) {
        block *b = &x->block[i];
        b->at = all;
        b->gradient = tg_gradient_block(x->t, i, &b->n);
        b->times.n = b->n;
        all += b->n;
        largest = b->n > largest ? b->n : largest;
    }
    for (int level = 0; 1 << level < shards; level++)
        x->sum[level] = must_allocate((size_t)all, sizeof(float));
    x->received = must_allocate((size_t)(largest < PIECE ? largest : PIECE), sizeof(float));
    pthread_mutex_init(&x->lock, NULL);
    pthread_cond_init(&x->changed, NULL);
    start_thread(x);
    return x;
}

void exchange_free(exchange *x) {
    pthread_mutex_lock(&x->lock);
    x->ending = true;
    pthread_cond_broadcast(&x->changed);
    pthread_mutex_unlock(&x->lock);
    pthread_join(x->thread, NULL);
    pthread_mutex_destroy(&x->lock);
    pthread_cond_destroy(&x->changed);
    for (int level = 0; level < MOST_LEVELS; level++)
        free(x->sum[level]);
    free(x->received);
    free(x->block);
    free(x);
}

/* ---- times ---- */

double exchange_start(const exchange *x) { return x->start; }
int exchange_blocks(const exchange *x) { return x->n_blocks; }
exchange_times exchange_block_times(const exchange *x, int i) { return x->block[i].times; }
void exchange_wait_times(const exchange *x, double *begin, double *end) {
    *begin = x->wait_begin;
    *end = x->wait_end;
}

static int ascending(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double exchange_median(double *numbers, int64_t n) {
    qsort(numbers, (size_t)n, sizeof *numbers, ascending);
    return numbers[n / 2];
}

static double time_of(exchange *x, float *numbers, int n) {
    enum { TIMES = 15 };
    double took[TIMES];
    for (int i = 0; i < TIMES; i++) {
        double began = exchange_now();
        meet(x, numbers, n, all_ranks.rank ^ 1);
        took[i] = exchange_now() - began;
    }
    return exchange_median(took, TIMES);
}

void exchange_measure(exchange *x, double *alpha, double *beta) {
    const block *largest = x->block;
    for (int i = 0; i < x->n_blocks; i++)
        largest = x->block[i].n > largest->n ? &x->block[i] : largest;
    int n = (int)(largest->n < PIECE ? largest->n : PIECE);
    *alpha = *beta = 0;
    if (all_ranks.n == 1)
        return;
    *alpha = time_of(x, largest->gradient, 1);
    *beta = (time_of(x, largest->gradient, n) - *alpha) / (double)n;
}
