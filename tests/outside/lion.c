/* The Lion optimizer, outside of the library. */
#include "outside.h"

enum { LR, BETA1, BETA2, WEIGHT_DECAY, N_NUMBERS, GRAIN = 16 << 10 };

/* n elements of a parameter; for float and for double. sign(c) lr is 0 where c is 0, and a NaN where c is one. */
#define LION(real, update, piece, step)                                                                               \
    static void update(int64_t n, real *restrict p, const real *restrict g, real *restrict m, real lr, real shrink,   \
                       real beta1, real rest1, real beta2, real rest2) {                                              \
        for (int64_t j = 0; j < n; j++) {                                                                             \
            real c = beta1 * m[j] + rest1 * g[j];                                                                     \
            p[j] = p[j] * shrink - (c > 0 ? lr : c < 0 ? -lr : c);                                                    \
            m[j] = beta2 * m[j] + rest2 * g[j];                                                                       \
        }                                                                                                             \
    }                                                                                                                 \
    static void piece(void *context, int64_t begin, int64_t end) {                                                    \
        const tg_update *u = context;                                                                                 \
        const double *number = u->number;                                                                             \
        update(end - begin, (real *)u->p + begin, (const real *)u->dp + begin, (real *)u->state[0] + begin,           \
               (real)u->lr, (real)(1 - u->lr * number[WEIGHT_DECAY]), (real)number[BETA1], (real)(1 - number[BETA1]), \
               (real)number[BETA2], (real)(1 - number[BETA2]));                                                       \
    }                                                                                                                 \
    static int step(const tg_update *u) {                                                                             \
        tg_parallel_for(u->n, GRAIN, piece, (void *)u);                                                               \
        return 0;                                                                                                     \
    }
LION(float, update_f32, piece_f32, step_f32)
LION(double, update_f64, piece_f64, step_f64)

static const tg_custom_optim lion = {
    .name = "lion", .state = {"exp_avg"}, .n_numbers = N_NUMBERS, .step_f32 = step_f32, .step_f64 = step_f64};

tg_optim *lion_new(tg_tape *t, tg_list parameters, lion_config c) {
    return tg_custom_optim_new(t, &lion, parameters, (const double[]){c.lr, c.beta1, c.beta2, c.weight_decay});
}

tg_status lion_add_group(tg_optim *o, tg_list parameters, lion_config c) {
    return tg_custom_optim_add_group(o, parameters, (const double[]){c.lr, c.beta1, c.beta2, c.weight_decay});
}
