/* How far apart two clouds of points are. A critic f that rises by at most 1 per step measures it: the largest
 * mean f(a) - mean f(b) is the earth mover's distance. That f stays so flat is enforced by a penalty on its gradient,
 * (|df/dx| - 1)^2 (Gulrajani, Ahmed, Arjovsky, Dumoulin, Courville 2017), so training differentiates a gradient.
 * Here cloud b is cloud a moved by (3, 4): the distance is 5. */
#include "nn/nn.h"
#include "optim/optim.h"

enum { POINTS = 64, WIDTH = 32, STEPS = 600 };

typedef struct critic {
    tg_nn_linear up, middle, down;
} critic;

static tg_tensor score(const critic *c, tg_tensor x) {
    tg_tensor h = tg_tanh(tg_nn_linear_forward(&c->up, x));
    return tg_nn_linear_forward(&c->down, tg_silu(tg_nn_linear_forward(&c->middle, h)));
}

static tg_tensor mean(tg_tensor x) { return tg_mean(x, TG_ALL_DIMS, false); }

/* The mean of (|df/dx| - 1)^2 at points between the clouds. */
static tg_tensor penalty(const critic *c, tg_tensor a, tg_tensor b) {
    tg_tensor x = tg_set_requires_grad(tg_zeros(a.tape, tg_shape_of(a)), true), slope;
    tg_tensor part = tg_rand(a.tape, TG_SHAPE(POINTS, 1));
    if (tg_copy_(x, tg_add(a, tg_mul(part, tg_sub(b, a)))))
        return TG_NULL;
    if (tg_gradients(tg_sum(score(c, x), TG_ALL_DIMS, false), TG_NULL, &x, 1, &slope))
        return TG_NULL;
    return mean(tg_square(tg_add_scalar(tg_sqrt(tg_sum(tg_square(slope), TG_DIMS(1), false)), -1)));
}

int main(void) {
    tg_tape *t = tg_tape_new(TG_F32);
    tg_manual_seed(t, 1);
    critic c = {.up = tg_nn_linear_new(t, "up", 2, WIDTH, true),
                .middle = tg_nn_linear_new(t, "middle", WIDTH, WIDTH, true),
                .down = tg_nn_linear_new(t, "down", WIDTH, 1, true)};
    tg_tensor a = tg_randn(t, TG_SHAPE(POINTS, 2)), b = tg_add(a, tg_from_floats(t, TG_SHAPE(2), (float[]){3, 4}));
    tg_optim *adam = tg_adam_new(t, tg_parameters(t), TG_ADAM_DEFAULTS);
    tg_optim_set_lr(adam, 3e-3);
    tg_mark model = tg_tape_mark(t);
    for (int step = 1; step <= STEPS; step++) {
        tg_tensor apart = tg_sub(mean(score(&c, b)), mean(score(&c, a))), flat = penalty(&c, a, b);
        tg_optim_zero_grad(adam);
        if (tg_backward(tg_sub(tg_mul_scalar(flat, 100), apart)) || tg_optim_step(adam))
            return fprintf(stderr, "%s\n", tg_error(t)), 1;
        if (step % 100 == 0)
            printf("step %3d  distance %.3f  penalty %.5f\n", step, tg_item(apart), tg_item(flat));
        tg_tape_rewind(t, model);
    }
    tg_tape_free(t);
    if (fflush(stdout) || ferror(stdout))
        return fprintf(stderr, "the output could not be written\n"), 1;
    return 0;
}
