/* How causal attention's time and memory, forward and backward, grow with the length T, the width d and the batch B.
 * Each doubling prints the exponent since the last: 1 is linear, 2 quadratic. */
#include "tests/bench/bench.h"

#include "core/tapegrad.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

typedef struct point {
    int64_t B, T, d;
    double ms, mib;
} point;

enum { HEADS = 4 };

static bool step(tg_tape *t, const tg_tensor *x, tg_tensor cotangent, tg_mark mark) {
    tg_zero_grads(t);
    tg_tensor y = tg_scaled_dot_product_attention(x[0], x[1], x[2], TG_NULL, true, 0, 0);
    bool ok = tg_backward_with(y, cotangent) == TG_OK;
    return tg_tape_rewind(t, mark) == TG_OK && ok;
}

static bool measure_point(point *p, int reps) {
    tg_tape *t = tg_tape_new(TG_F32);
    tg_shape shape = TG_SHAPE(p->B, HEADS, p->T, p->d);
    tg_tensor x[3], cotangent;
    tg_manual_seed(t, 1);
    for (int i = 0; i < 3; i++)
        x[i] = tg_set_requires_grad(tg_randn(t, shape), true);
    cotangent = tg_randn(t, shape);
    tg_mark mark = tg_tape_mark(t);
    bool ok = step(t, x, cotangent, mark);
    p->ms = INFINITY;
    for (int r = 0; r < reps && ok; r++) {
        double start = now_seconds();
        ok = step(t, x, cotangent, mark);
        double ms = (now_seconds() - start) * 1e3;
        p->ms = ms < p->ms ? ms : p->ms;
    }
    p->mib = (double)tg_tape_memory(t).used_peak / (1 << 20);
    if (!ok)
        fprintf(stderr, "bench: %s\n", tg_error(t));
    tg_tape_free(t);
    return ok;
}

static void bar(double value, double smallest, double largest) {
    double share = largest > smallest ? log(value / smallest) / log(largest / smallest) : 1;
    int n = 1 + (int)(29 * share + 0.5);
    for (int i = 0; i < 30; i++)
        putchar(i < n ? '#' : ' ');
}

static void print_row(const point *p, const point *last, double smallest, double largest) {
    printf("%4lld %6lld %6lld %10.3f ms ", (long long)p->B, (long long)p->T, (long long)p->d, p->ms);
    if (last)
        printf("^%4.2f  ", log2(p->ms / last->ms));
    else
        printf("%7s", "");
    printf("%9.2f MiB ", p->mib);
    if (last)
        printf("^%4.2f  ", log2(p->mib / last->mib));
    else
        printf("%7s", "");
    bar(p->ms, smallest, largest);
    printf("\n");
}

static bool sweep(const char *what, point *p, int n, int reps) {
    printf("\ncausal attention, %d heads, forward and backward, as %s doubles\n\n", HEADS, what);
    printf("   B      T      d          time                memory               time, logarithmic\n");
    for (int i = 0; i < n; i++) {
        if (isatty(STDERR_FILENO))
            fprintf(stderr, "\r\033[KB %lld T %lld d %lld ...", (long long)p[i].B, (long long)p[i].T,
                    (long long)p[i].d);
        if (!measure_point(&p[i], reps))
            return false;
    }
    if (isatty(STDERR_FILENO))
        fprintf(stderr, "\r\033[K");
    for (int i = 0; i < n; i++)
        print_row(&p[i], i ? &p[i - 1] : NULL, p[0].ms, p[n - 1].ms);
    return true;
}

bool run_scaling(int reps) {
    point T[6], d[5], B[6];
    for (int i = 0; i < 6; i++)
        T[i] = (point){.B = 1, .T = INT64_C(256) << i, .d = 64};
    for (int i = 0; i < 5; i++)
        d[i] = (point){.B = 1, .T = 1024, .d = INT64_C(32) << i};
    for (int i = 0; i < 6; i++)
        B[i] = (point){.B = INT64_C(1) << i, .T = 256, .d = 64};
    return sweep("T", T, 6, reps) && sweep("d", d, 5, reps) && sweep("B", B, 6, reps);
}
