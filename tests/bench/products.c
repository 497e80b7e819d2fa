/* Matrix products against MKL's or OpenBLAS's, in one process and in turn: ours, theirs, ours, theirs. */
#include "tests/bench/bench.h"

#include "core/kernels/gemm.h"
#include "core/tapegrad.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static const double WARM_UP = 0.02; /* seconds */

enum { ROUNDS_MAX = 200, ROW_MAJOR = 101, AS_IT_IS = 111, TRANSPOSED = 112 };

/* C (m, n) = A B, where n: as it lies, t: its transpose lies in memory; A's letter first */
typedef struct shape {
    int m, n, k;
    const char *layout;
} shape;

static const shape shapes[] = {
    {64, 64, 64, "nn"},       {128, 128, 128, "nn"},    {256, 256, 256, "nn"},    {512, 512, 512, "nn"},
    {1024, 1024, 1024, "nn"}, {2048, 2048, 2048, "nn"}, {1024, 64, 1024, "nn"},   {1024, 1024, 64, "nn"},
    {768, 128, 512, "nn"},    {128, 512, 768, "nn"},    {1024, 768, 768, "nt"},   {1024, 768, 768, "nn"},
    {768, 768, 1024, "tn"},   {768, 128, 384, "nn"},    {768, 384, 128, "nt"},    {384, 128, 768, "tn"},
    {768, 128, 512, "nt"},    {768, 512, 128, "nn"},    {512, 128, 768, "tn"},    {768, 128, 128, "nt"},
    {128, 128, 768, "tn"},    {1024, 1024, 1024, "nt"}, {1024, 1024, 1024, "tn"},
};

typedef void sgemm_fn(int order, int ta, int tb, int m, int n, int k, float alpha, const float *a, int lda,
                      const float *b, int ldb, float beta, float *c, int ldc);

static sgemm_fn *load_mkl(const char *path, int threads) {
    setenv("MKL_THREADING_LAYER", threads > 1 ? "GNU" : "SEQUENTIAL", 1);
    void *mkl = dlopen(path, RTLD_NOW | RTLD_GLOBAL);
    void (*set_threads)(int) = NULL;
    sgemm_fn *sgemm = NULL;
    if (mkl) {
        *(void **)&set_threads = dlsym(mkl, "MKL_Set_Num_Threads");
        if (!set_threads)
            *(void **)&set_threads = dlsym(mkl, "openblas_set_num_threads");
        *(void **)&sgemm = dlsym(mkl, "cblas_sgemm");
    }
    if (!set_threads || !sgemm) {
        fprintf(stderr, "bench: no MKL or OpenBLAS in '%s': %s\n", path,
                mkl ? "cblas_sgemm, or what sets its threads, is missing" : dlerror());
        exit(1);
    }
    set_threads(threads);
    return sgemm;
}

static float *some_numbers(tg_tape *t, int64_t rows, int64_t columns) {
    float *x = tg_data(tg_rand(t, TG_SHAPE(rows, columns)));
    if (!x) {
        fprintf(stderr, "bench: %s\n", tg_error(t));
        exit(1);
    }
    return x;
}

static int by_size(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The other side's threads go on looking for work for a while after their last product: OpenBLAS's for 26 ms. */
static void let_threads_sleep(void) { nanosleep(&(struct timespec){.tv_nsec = 100 * 1000 * 1000}, NULL); }

/* The seconds of `times` products: ours, or MKL's. */
static double seconds(tg_tape *t, sgemm_fn *mkl, const shape *s, int times, float *a, float *b, float *c) {
    bool ta = s->layout[0] == 't', tb = s->layout[1] == 't';
    tg_matrix_f32 x = ta ? (tg_matrix_f32){a, 1, s->m} : (tg_matrix_f32){a, s->k, 1};
    tg_matrix_f32 y = tb ? (tg_matrix_f32){b, 1, s->k} : (tg_matrix_f32){b, s->n, 1};
    double start = now_seconds();
    for (int i = 0; i < times; i++)
        if (mkl)
            mkl(ROW_MAJOR, ta ? TRANSPOSED : AS_IT_IS, tb ? TRANSPOSED : AS_IT_IS, s->m, s->n, s->k, 1, a,
                ta ? s->m : s->k, b, tb ? s->k : s->n, 0, c, s->n);
        else
            tg_gemm_f32(t, s->m, s->n, s->k, x, y, false, (tg_matrix_f32){c, s->n, 1});
    return now_seconds() - start;
}

/* In training products follow one another. A thread that has slept may wake on the core of the one that wakes it, and
 * takes the system some milliseconds to move. */
static void wake_threads(tg_tape *t, sgemm_fn *mkl, const shape *s, float *a, float *b, float *c) {
    for (double start = now_seconds(); now_seconds() - start < WARM_UP;)
        seconds(t, mkl, s, 1, a, b, c);
}

bool run_products(const options *o, const char *path) {
    sgemm_fn *mkl = path ? load_mkl(path, o->threads) : NULL;
    int rounds = o->reps < ROUNDS_MAX ? o->reps : ROUNDS_MAX;
    double peak = measure_fma_peak() * o->threads, time[2][ROUNDS_MAX], ratio[ROUNDS_MAX];
    printf("%d thread%s, FMA peak %.1f GFLOP/s\n\n%-16s %-6s %9s %6s", o->threads, o->threads > 1 ? "s" : "", peak,
           "m x n x k", "layout", "GFLOP/s", "peak");
    printf(mkl ? " %9s %6s   ratio: best, median (quartiles)\n" : "\n", "MKL", "peak");
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        const shape *s = &shapes[i];
        double flop = 2.0 * s->m * s->n * s->k;
        int times = (int)(4e8 / flop) + 1;
        tg_tape *t = tg_tape_new(TG_F32);
        float *a = some_numbers(t, s->m, s->k), *b = some_numbers(t, s->k, s->n), *c = some_numbers(t, s->m, s->n);
        for (int side = 0; side < (mkl ? 2 : 1); side++)
            seconds(t, side ? mkl : NULL, s, times, a, b, c);
        for (int r = 0; r < rounds; r++) {
            for (int side = 0; side < (mkl ? 2 : 1); side++) {
                if (mkl && o->threads > 1) {
                    let_threads_sleep();
                    wake_threads(t, side ? mkl : NULL, s, a, b, c);
                }
                time[side][r] = seconds(t, side ? mkl : NULL, s, times, a, b, c) / times;
            }
            ratio[r] = mkl ? time[1][r] / time[0][r] : 0;
        }
        for (int side = 0; side < 2; side++)
            qsort(time[side], (size_t)rounds, sizeof **time, by_size);
        qsort(ratio, (size_t)rounds, sizeof *ratio, by_size);
        char name[40];
        snprintf(name, sizeof name, "%dx%dx%d", s->m, s->n, s->k);
        printf("%-16s %-6s %9.1f %5.1f%%", name, s->layout, flop / time[0][0] / 1e9,
               100 * flop / time[0][0] / 1e9 / peak);
        if (mkl)
            printf(" %9.1f %5.1f%%   %.3f, %.3f (%.3f to %.3f)", flop / time[1][0] / 1e9,
                   100 * flop / time[1][0] / 1e9 / peak, time[1][0] / time[0][0], ratio[rounds / 2], ratio[rounds / 4],
                   ratio[3 * rounds / 4]);
        printf("\n");
        fflush(stdout);
        tg_tape_free(t);
    }
    return true;
}
