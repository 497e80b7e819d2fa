/* What second derivatives cost: Hessian-vector products of causal attention beside its gradient, with and without
 * dropout and a mask, and the memory that they take as T doubles; a Jacobian-vector product of the medium layer beside
 * its forward. */
#include "tests/bench/bench.h"

#include "core/tapegrad.h"

#include <math.h>
#include <stdio.h>

enum { HEADS = 8, WIDTH = 64, SHORTEST = 1024, LONGEST = 4096, TOKENS = 1024, CHANNELS = 768 };

/* The best times of a step's parts, in ms. */
typedef struct cost {
    double forward, product, gradient, mib;
} cost;

static void keep_best(double *best, double *start) {
    double now = now_seconds();
    *best = fmin(*best, (now - *start) * 1e3);
    *start = now;
}

static bool attention_step(const tg_tensor *x, const tg_tensor *v, tg_tensor mask, double p, cost *c) {
    tg_tensor hv[3];
    double start = now_seconds();
    tg_tensor y = tg_scaled_dot_product_attention(x[0], x[1], x[2], mask, true, p, 0);
    tg_tensor f = tg_sum(tg_square(y), TG_ALL_DIMS, false);
    keep_best(&c->forward, &start);
    bool bad = tg_backward(f) != TG_OK;
    keep_best(&c->gradient, &start);
    bad = bad || tg_hvp(f, x, v, 3, hv) != TG_OK;
    keep_best(&c->product, &start);
    return !bad;
}

static bool run_attention(int64_t T, bool drops, int reps, cost *c) {
    tg_tape *t = tg_tape_new(TG_F32);
    tg_shape shape = TG_SHAPE(HEADS, T, WIDTH);
    tg_tensor x[3], v[3], mask = TG_NULL;
    for (int i = 0; i < 3; i++) {
        x[i] = tg_set_requires_grad(tg_randn(t, shape), true);
        v[i] = tg_randn(t, shape);
    }
    if (drops)
        mask = tg_gt(tg_rand(t, TG_SHAPE(T)), tg_scalar(t, 0.1)); /* a tenth of the keys is hidden */
    tg_mark mark = tg_tape_mark(t);
    bool ok = true;
    *c = (cost){INFINITY, INFINITY, INFINITY, 0};
    for (int r = 0; r <= reps && ok; r++) {
        ok = attention_step(x, v, mask, drops ? 0.1 : 0, c);
        c->mib = (double)tg_tape_memory(t).used_peak / (1 << 20);
        ok = tg_tape_rewind(t, mark) == TG_OK && ok;
        tg_zero_grads(t);
    }
    if (!ok)
        fprintf(stderr, "bench: %s\n", tg_error(t));
    tg_tape_free(t);
    return ok;
}

static bool medium_step(tg_tensor x, const tg_tensor *w, const tg_tensor *v, cost *c) {
    tg_tensor qkv[3], jv;
    double start = now_seconds();
    for (int i = 0; i < 3; i++)
        qkv[i] = tg_linear(x, w[i], TG_NULL);
    tg_tensor y = tg_scaled_dot_product_attention(qkv[0], qkv[1], qkv[2], TG_NULL, true, 0, 0);
    keep_best(&c->forward, &start);
    bool bad = tg_jvp(y, w, v, 3, &jv) != TG_OK;
    keep_best(&c->product, &start);
    return !bad;
}

static bool run_medium(int reps, cost *c) {
    tg_tape *t = tg_tape_new(TG_F32);
    tg_tensor x = tg_randn(t, TG_SHAPE(TOKENS, CHANNELS)), w[3], v[3];
    for (int i = 0; i < 3; i++) {
        w[i] = tg_set_requires_grad(tg_normal_(tg_zeros(t, TG_SHAPE(CHANNELS, CHANNELS)), 0, 0.04), true);
        v[i] = tg_randn(t, TG_SHAPE(CHANNELS, CHANNELS));
    }
    tg_mark mark = tg_tape_mark(t);
    bool ok = true;
    *c = (cost){INFINITY, INFINITY, INFINITY, 0};
    for (int r = 0; r <= reps && ok; r++) {
        ok = medium_step(x, w, v, c);
        ok = tg_tape_rewind(t, mark) == TG_OK && ok;
    }
    if (!ok)
        fprintf(stderr, "bench: %s\n", tg_error(t));
    tg_tape_free(t);
    return ok;
}

bool run_second(int reps) {
    cost c;
    printf("Hessian-vector products of causal attention, %d heads of %d, float32\n\n", HEADS, WIDTH);
    printf("%6s %-18s %10s %10s %10s %10s %10s\n", "T", "", "forward ms", "backward", "H v", "/ backward", "MiB");
    for (int drops = 0; drops < 2; drops++)
        for (int64_t T = SHORTEST; T <= LONGEST; T *= 2) {
            if (!run_attention(T, drops, reps, &c))
                return false;
            printf("%6lld %-18s %10.1f %10.1f %10.1f %10.2f %10.1f\n", (long long)T, drops ? "dropout and a mask" : "",
                   c.forward, c.gradient, c.product, c.product / c.gradient, c.mib);
            fflush(stdout);
        }
    if (!run_medium(reps, &c))
        return false;
    printf("\nJacobian-vector product of (%d, %d) self-attention: %.2f ms, forward %.2f ms, ratio %.2f\n", TOKENS,
           CHANNELS, c.product, c.forward, c.product / c.forward);
    return true;
}
