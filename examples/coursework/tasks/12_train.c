/* 12 Train a layer of attention with your own code.
 *
 *   q = x W_query^T + b_query, and so k and v      x (T, d_in), q, k, v (T, d_out)
 *   y' = causal attention of q, k, v               (T, d_out)
 *   loss = mean over all elements of (y' - y)^2
 *
 * my->linear, my->attention and my->adam_step are what you wrote in 08, 09 and 11. Here the library's functions are
 * yours to use; core/tapegrad.h is their manual. See 12_train.md for those that you need.
 */
/* --- variant 0 */
/* --- variant 1
// Your variant: the loss is the sum over all elements, TG_SUM, not their mean.
--- end */
#include "coursework.h"

/* x W^T + b by your operation */
static tg_tensor linear(const course_code *my, tg_tensor x, tg_tensor W, tg_tensor b) {
    return tg_custom(my->linear, (tg_tensor[]){x, W, b}, 3, TG_SHAPE(tg_size(x, 0), tg_numel(b)), NULL, 0);
}

tg_tensor layer_forward(const course_code *my, const course_layer *l, tg_tensor x) {
    double causal = 1; /* the context that your attention reads */
    /* --- solution */
    tg_tensor q = linear(my, x, l->W_query, l->b_query);
    tg_tensor k = linear(my, x, l->W_key, l->b_key);
    tg_tensor v = linear(my, x, l->W_value, l->b_value);
    return tg_custom(my->attention, (tg_tensor[]){q, k, v}, 3, tg_shape_of(v), &causal, sizeof causal);
    /* --- student
    (void)linear, (void)my, (void)l, (void)x, (void)causal; // delete this line
    return TG_NULL;                                         // return y'
    --- */
}

/* One Adam step (beta1 0.9, beta2 0.999, eps 1e-8) for one parameter of up to MAX elements; step counts 1, 2, ... */
enum { MAX = 256 };
typedef struct moments {
    double m[MAX], v[MAX];
} moments;

static int update(const course_code *my, tg_tensor parameter, moments *state, int step, double lr) {
    int64_t n = tg_numel(parameter);
    double p[MAX], g[MAX];
    if (n > MAX || tg_read_doubles(parameter, p, n) || tg_read_doubles(tg_grad(parameter), g, n))
        return 1;
    my->adam_step(p, g, state->m, state->v, n, step, lr, 0.9, 0.999, 1e-8);
    return tg_write_doubles(parameter, p, n) != TG_OK;
}

/* losses[s] is the loss before step s + 1. Returns 0, or 1 after an error. */
int train(const course_code *my, const course_layer *l, tg_tensor x, tg_tensor y, int steps, double lr,
          double *losses) {
    tg_tape *t = x.tape;
    tg_tensor parameter[] = {l->W_query, l->b_query, l->W_key, l->b_key, l->W_value, l->b_value};
    moments state[6] = {0};
    /* --- solution */
    tg_mark model = tg_tape_mark(t);
    for (int s = 0; s < steps; s++) {
        /* --- variant 0 */
        tg_tensor loss = tg_mse_loss(layer_forward(my, l, x), y, TG_MEAN);
        /* --- variant 1
        tg_tensor loss = tg_mse_loss(layer_forward(my, l, x), y, TG_SUM);
        --- end */
        losses[s] = tg_item(loss);
        tg_zero_grads(t);
        if (tg_backward(loss))
            return 1;
        for (int i = 0; i < 6; i++)
            if (update(my, parameter[i], &state[i], s + 1, lr))
                return 1;
        if (tg_tape_rewind(t, model))
            return 1;
    }
    return 0;
    /* --- student
    (void)my, (void)l, (void)y, (void)steps, (void)lr, (void)losses; // delete these lines; for every step:
    (void)t, (void)parameter, (void)state, (void)update;             // loss, gradients, updates, a rewind
    return 1;
    --- */
}
