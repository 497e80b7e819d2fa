/* A gated linear recurrence, h[t] = a[t] h[t-1] + b[t], as a custom operation: its kernels, float32 and float64, are
 * gradient-checked, then a layer of it is trained. It learns to sum the numbers of a sequence from the last mark on, on
 * 32 steps, and does so on 500. (Griffin, Mamba and minGRU are built on this recurrence.) */
#ifdef real /* the kernels; h, a and b are (B, T, C) */

/* h[-1] is 0. */
static int FN(forward)(const tg_call *call) {
    const real *a = call->input[0], *b = call->input[1];
    int64_t T = call->output_shape->size[1], C = call->output_shape->size[2], n = call->output_shape->size[0] * T * C;
    real *h = call->output;
    for (int64_t i = 0; i < n; i++)
        h[i] = b[i] + (i / C % T ? a[i] * h[i - C] : 0);
    return 0;
}

/* With g[t] = dh[t] + a[t+1] g[t+1], the gradient of h[t]:  db[t] = g[t],  da[t] = g[t] h[t-1]. */
static int FN(vjp)(const tg_call *call) {
    const real *a = call->input[0], *h = call->output, *dh = call->output_grad;
    int64_t B = call->output_shape->size[0], T = call->output_shape->size[1], C = call->output_shape->size[2];
    real *da = call->input_grad[0], *db = call->input_grad[1];
    for (int64_t k = 0; k < B * C; k++) { /* a channel of a sequence, from its end */
        real g = 0;
        for (int64_t t = T; t-- > 0;) {
            int64_t i = (k / C * T + t) * C + k % C;
            g = dh[i] + (t < T - 1 ? a[i + C] * g : 0);
            if (db)
                db[i] += g;
            if (da && t)
                da[i] += g * h[i - C];
        }
    }
    return 0;
}

#else

#include <math.h>
#include <string.h>
#include <tapegrad/nn.h>
#include <tapegrad/optim.h>

#define real float
#define FN(name) name##_f32
#include "recurrence.c"
#undef real
#undef FN
#define real double
#define FN(name) name##_f64
#include "recurrence.c"

static const tg_custom_op recurrence = {"recurrence", forward_f32, vjp_f32, forward_f64, vjp_f64};

static tg_tensor recur(tg_tensor a, tg_tensor b) {
    return tg_custom(&recurrence, (tg_tensor[]){a, b}, 2, tg_shape_of(b), NULL, 0);
}

typedef struct layer {
    tg_nn_linear gate, in, out;
} layer;

/* y = out(h), h[t] = sigmoid(gate(x[t])) h[t-1] + in(x[t]) */
static tg_tensor forward(const layer *l, tg_tensor x) {
    return tg_nn_linear_forward(&l->out,
                                recur(tg_sigmoid(tg_nn_linear_forward(&l->gate, x)), tg_nn_linear_forward(&l->in, x)));
}

/* x[t] = (number, mark): 8 sequences; y[t]: the sum of the numbers since the last mark. */
static void make_data(tg_tape *t, int64_t T, tg_tensor *x, tg_tensor *y) {
    float *in = tg_data(*x = tg_zeros(t, TG_SHAPE(8, T, 2))), *sum = tg_data(*y = tg_zeros(t, TG_SHAPE(8, T, 1)));
    const float *random = tg_const_data(tg_rand(t, TG_SHAPE(8, T, 2)));
    for (int64_t i = 0; random && i < 8 * T; i++) {
        in[2 * i] = random[2 * i] - 0.5f;
        in[2 * i + 1] = random[2 * i + 1] < 0.1f;
        sum[i] = in[2 * i] + (i % T && in[2 * i + 1] == 0 ? sum[i - 1] : 0);
    }
}

static int fail(const char *why) { return fprintf(stderr, "recurrence: %s\n", why), 1; }
static int end(int status) { return fflush(stdout) || ferror(stdout) ? fail("could not write the output") : status; }

int main(int argc, char **argv) {
    enum { STEPS = 5000 };
    bool asked = argc == 2 && !strcmp(argv[1], "--help");
    if (argc > 1)
        return fprintf(asked ? stdout : stderr, "usage: recurrence\n"), end(asked ? 0 : 2);
    tg_tape *t = tg_tape_new(TG_F32);
    tg_manual_seed(t, 1);
    tg_tensor x, y;
    layer l = {tg_nn_linear_new(t, "gate", 2, 4, true), tg_nn_linear_new(t, "in", 2, 4, true),
               tg_nn_linear_new(t, "out", 4, 1, true)};
    tg_optim *adam = tg_adam_new(t, tg_parameters(t), TG_ADAM_DEFAULTS);
    tg_mark model = tg_tape_mark(t);

    tg_gradcheck_result check;
    make_data(t, 32, &x, &y);
    if (tg_gradcheck(forward(&l, x), TG_GRADCHECK_DEFAULTS, &check))
        return fail(tg_error(t));
    printf("%s\n", check.summary);
    tg_tape_rewind(t, model);

    for (int step = 1; step <= STEPS; step++) {
        make_data(t, 32, &x, &y);
        tg_tensor loss = tg_mse_loss(forward(&l, x), y, TG_MEAN);
        tg_optim_zero_grad(adam);
        tg_optim_set_lr(adam, tg_lr_warmup_cosine(0.1, step, 10, STEPS + 1));
        if (tg_backward(loss) || tg_optim_step(adam))
            return fail(tg_error(t));
        if (step % 1000 == 0)
            printf("step %4d  mean square error %.7f\n", step, tg_item(loss));
        tg_tape_rewind(t, model);
    }
    make_data(t, 500, &x, &y);
    tg_tensor error = tg_mse_loss(forward(&l, x), y, TG_MEAN), size = tg_mean(tg_square(y), TG_ALL_DIMS, false);
    double off = sqrt(tg_item(error) / tg_item(size));
    printf("on 500 steps it is off by %.1f %% of the sums' size: %s\n", 100 * off,
           off < 0.05 ? "learnt" : "not learnt");
    tg_tape_free(t);
    return end(off < 0.05 ? 0 : 1);
}
#endif
