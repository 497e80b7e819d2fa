/* How sharp the valley is: while gradient descent trains causal attention, the largest eigenvalue of the loss's Hessian
 * is printed beside the loss, found by power iteration on products H v. Where it comes to 2 / lr, descent no longer
 * falls smoothly (Cohen, Kaur, Li, Kolter, Talwalkar 2021: the edge of stability). */
#include "nn/nn.h"
#include "optim/optim.h"

#include <math.h>

enum { MOST = 16, ITERATIONS = 20, STEPS = 400 };

static const float sentence[] = {
    0.43f, 0.15f, 0.89f, 0.55f, 0.87f, 0.66f, 0.57f, 0.85f, 0.64f,  /* Your journey starts */
    0.22f, 0.58f, 0.33f, 0.77f, 0.25f, 0.10f, 0.05f, 0.80f, 0.55f}; /* with one step */

static double dots(const tg_tensor *a, const tg_tensor *b, int64_t n) {
    double sum = 0;
    for (int64_t i = 0; i < n; i++)
        sum += tg_item(tg_sum(tg_mul(a[i], b[i]), TG_ALL_DIMS, false));
    return sum;
}

/* v becomes H v / |H v| again and again; v^T H v for the |v| = 1 at the end. */
static double sharpness(tg_tensor loss, tg_list p) {
    tg_tensor v[MOST], hv[MOST];
    double eigenvalue = NAN;
    for (int64_t i = 0; i < p.n; i++)
        v[i] = tg_randn(p.tape, tg_shape_of(p.tensor[i]));
    for (int k = 0; k < ITERATIONS; k++) {
        double size = sqrt(dots(v, v, p.n));
        for (int64_t i = 0; i < p.n; i++)
            v[i] = tg_detach(tg_div_scalar(v[i], size));
        if (tg_hvp(loss, p.tensor, v, (int)p.n, hv))
            return NAN;
        eigenvalue = dots(v, hv, p.n);
        for (int64_t i = 0; i < p.n; i++)
            v[i] = hv[i];
    }
    return eigenvalue;
}

int main(void) {
    const double lr = 2;
    tg_tape *t = tg_tape_new(TG_F64);
    tg_manual_seed(t, 123);
    tg_tensor x = tg_from_floats(t, TG_SHAPE(1, 6, 3), sentence), y = tg_slice(x, 2, 0, 2, 1);
    tg_nn_causal_attention attn = tg_nn_causal_attention_new(t, "attn", 3, 2, 6, 0, false);
    tg_list p = tg_parameters(t);
    tg_sgd_config config = TG_SGD_DEFAULTS;
    tg_optim *sgd = tg_sgd_new(t, p, config);
    tg_optim_set_lr(sgd, lr);
    tg_mark model = tg_tape_mark(t);
    printf("2 / lr = %.3f\n", 2 / lr);
    for (int step = 0; step <= STEPS; step++) {
        tg_tensor loss = tg_mse_loss(tg_nn_causal_attention_forward(&attn, x, NULL), y, TG_MEAN);
        tg_optim_zero_grad(sgd);
        if (tg_backward(loss) || tg_optim_step(sgd))
            return fprintf(stderr, "%s\n", tg_error(t)), 1;
        tg_tape_rewind(t, model);
        if (step % 40)
            continue;
        loss = tg_mse_loss(tg_nn_causal_attention_forward(&attn, x, NULL), y, TG_MEAN);
        printf("step %3d  loss %.6f  sharpness %.4f\n", step, tg_item(loss), sharpness(loss, p));
        tg_tape_rewind(t, model);
    }
    bool failed = tg_tape_status(t) != TG_OK;
    if (failed)
        fprintf(stderr, "%s\n", tg_error(t));
    tg_tape_free(t);
    if (fflush(stdout) || ferror(stdout))
        return fprintf(stderr, "the output could not be written\n"), 1;
    return failed;
}
