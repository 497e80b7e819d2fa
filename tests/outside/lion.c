/* The Lion optimizer, outside of the library. */
#include "outside.h"

enum { LR, BETA1, BETA2, WEIGHT_DECAY, N_NUMBERS, GRAIN = 16 << 10 };

/* Elements of a parameter from begin to before end; for float and for double. */
#define LION(real, piece, step)                                                                               \
    static void piece(void *context, int64_t begin, int64_t end) {                                            \
        const tg_update *u = context;                                                                         \
        real *restrict p = u->p, *restrict m = u->state[0];                                                   \
        const real *restrict g = u->dp;                                                                       \
        const real lr = (real)u->lr, shrink = (real)(1 - u->lr * u->number[WEIGHT_DECAY]);                    \
        const real beta1 = (real)u->number[BETA1], rest1 = (real)(1 - u->number[BETA1]);                      \
        const real beta2 = (real)u->number[BETA2], rest2 = (real)(1 - u->number[BETA2]);                      \
        for (int64_t j = begin; j < end; j++) {                                                               \
            real c = beta1 * m[j] + rest1 * g[j];                                                             \
            p[j] = p[j] * shrink - (c > 0 ? lr : c < 0 ? -lr : c); /* c is 0 here, or a NaN that must show */ \
            m[j] = beta2 * m[j] + rest2 * g[j];                                                               \
        }                                                                                                     \
    }                                                                                                         \
    static int step(const tg_update *u) {                                                                     \
        tg_parallel_for(u->n, GRAIN, piece, (void *)u);                                                       \
        return 0;                                                                                             \
    }
LION(float, piece_f32, step_f32)
LION(double, piece_f64, step_f64)

static const tg_custom_optim lion = {
    .name = "lion", .state = {"exp_avg"}, .n_numbers = N_NUMBERS, .step_f32 = step_f32, .step_f64 = step_f64};

tg_optim *lion_new(tg_tape *t, tg_list parameters, lion_config c) {
    return tg_custom_optim_new(t, &lion, parameters, (const double[]){c.lr, c.beta1, c.beta2, c.weight_decay});
}

tg_status lion_add_group(tg_optim *o, tg_list parameters, lion_config c) {
    return tg_custom_optim_add_group(o, parameters, (const double[]){c.lr, c.beta1, c.beta2, c.weight_decay});
}
