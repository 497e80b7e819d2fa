/* One thread changes the number of threads, from 1 to 8 in no order, while four others compute on tapes of their own:
 * they must find the bits that one thread finds. `make toggle` runs this in many processes. */
#include "core/tapegrad.h"
#include "tests/support.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

enum { COMPUTERS = 4, ROUNDS = 6, N_RESULTS = 6, MAX_RESULT = 160 * 170 };

/* What one computation gives: a large product and its gradients, attention's, many products at once. */
typedef struct results {
    float values[N_RESULTS][MAX_RESULT];
} results;

static void keep(results *r, int i, tg_tensor x) {
    int64_t n = tg_numel(x);
    bool good = n > 0 && n <= MAX_RESULT && tg_read_floats(x, r->values[i], n) == TG_OK;
    if (!good)
        ck_abort_msg("result %d: %s", i, tg_error(x.tape));
}

static void compute(tg_tape *t, int seed, results *r) {
    tg_mark mark = tg_tape_mark(t);
    tg_manual_seed(t, (uint64_t)seed);
    tg_tensor a = tg_set_requires_grad(tg_randn(t, TG_SHAPE(160, 150)), true), b = tg_randn(t, TG_SHAPE(150, 170));
    tg_tensor q = tg_set_requires_grad(tg_randn(t, TG_SHAPE(2, 300, 40)), true);
    tg_tensor many = tg_randn(t, TG_SHAPE(40, 24, 25));
    tg_tensor y = tg_matmul(a, b), z = tg_scaled_dot_product_attention(q, q, q, TG_NULL, true, 0, 0);
    keep(r, 0, y);
    keep(r, 1, z);
    keep(r, 2, tg_matmul(many, tg_transpose(many, 1, 2)));
    keep(r, 3, tg_layer_norm(tg_matmul(tg_transpose(b, 0, 1), tg_transpose(a, 0, 1)), TG_NULL, TG_NULL, 1e-5));
    tg_tensor loss = tg_add(tg_sum(tg_square(y), TG_ALL_DIMS, false), tg_sum(tg_square(z), TG_ALL_DIMS, false));
    if (tg_backward(loss))
        ck_abort_msg("%s", tg_error(t));
    keep(r, 4, tg_grad(a));
    keep(r, 5, tg_grad(q));
    if (tg_tape_rewind(t, mark))
        ck_abort_msg("%s", tg_error(t));
}

static results right[COMPUTERS], found[COMPUTERS];
static _Atomic int computing;

static void *compute_often(void *number) {
    int i = (int)(intptr_t)number;
    tg_tape *t = tg_tape_new(TG_F32);
    for (int round = 0; round < ROUNDS; round++) {
        memset(&found[i], 0, sizeof found[i]);
        compute(t, i, &found[i]);
        if (memcmp(&found[i], &right[i], sizeof found[i]))
            ck_abort_msg("thread %d, round %d: other bits", i, round);
    }
    tg_tape_free(t);
    atomic_fetch_sub(&computing, 1);
    return NULL;
}

START_TEST(the_number_may_change_while_others_compute)
{
    tg_set_threads(1);
    for (int i = 0; i < COMPUTERS; i++) {
        tg_tape *t = tg_tape_new(TG_F32);
        compute(t, i, &right[i]);
        tg_tape_free(t);
    }
    pthread_t thread[COMPUTERS];
    atomic_store(&computing, COMPUTERS);
    for (int i = 0; i < COMPUTERS; i++)
        ck_assert_int_eq(pthread_create(&thread[i], NULL, compute_often, (void *)(intptr_t)i), 0);
    for (uint32_t random = (uint32_t)getpid(); atomic_load(&computing); random = random * 1664525 + 1013904223) {
        tg_set_threads(1 + (int)(random >> 29));
        for (uint32_t i = 0; i < (random >> 16 & 63); i++)
            sched_yield();
    }
    for (int i = 0; i < COMPUTERS; i++)
        ck_assert_int_eq(pthread_join(thread[i], NULL), 0);
    tg_set_threads(0);
}
END_TEST

int main(void) {
    TCase *c = tcase_create("toggle");
    tcase_add_test(c, the_number_may_change_while_others_compute);
    return run_suite("toggle", c);
}
