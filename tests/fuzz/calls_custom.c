/* Custom operations whose callbacks make calls: y = 2 x, elementwise. */
#include "tests/fuzz/calls.h"

static int64_t numel_of(const tg_shape *s) {
    int64_t n = 1;
    for (int i = 0; i < s->ndim; i++)
        n *= s->size[i];
    return n;
}

static int after_calls(void) {
    make_calls_inside();
    return chance(&w.dice, 2);
}

/* For both types: y = 2 x, of several outputs each; saved: x. */
#define CALLBACKS(real, name)                                                               \
    static int name##_forward(const tg_call *c) {                                           \
        const real *x = c->input[0];                                                        \
        int64_t n = numel_of(c->input_shape);                                               \
        for (int64_t j = 0; j < n; j++) {                                                   \
            for (int k = 0; k < c->n_outputs; k++)                                          \
                ((real *)c->outputs[k])[j] = 2 * x[j];                                      \
            if (c->saved)                                                                   \
                ((real *)c->saved)[j] = x[j];                                               \
        }                                                                                   \
        return after_calls();                                                               \
    }                                                                                       \
    static int name##_vjp(const tg_call *c) {                                               \
        int64_t n = numel_of(c->input_shape);                                               \
        for (int64_t j = 0; j < n && c->input_grad[0]; j++)                                 \
            for (int k = 0; k < c->n_outputs; k++)                                          \
                ((real *)c->input_grad[0])[j] += 2 * ((const real *)c->output_grads[k])[j]; \
        return after_calls();                                                               \
    }
CALLBACKS(float, f32)
CALLBACKS(double, f64)

static const tg_custom_op twice = {"twice", f32_forward, f32_vjp, f64_forward, f64_vjp};

static void grad(const tg_tensor *x, int n, tg_tensor y, tg_tensor dy, tg_tensor *dx, const void *context) {
    (void)n, (void)context;
    keep(chance(&w.dice, 50) ? dy : chance(&w.dice, 50) ? x[0] : y);
    make_calls_inside();
    dx[0] = tg_mul_scalar(chance(&w.dice, 20) ? tg_dropout(dy, 0.5) : dy, 2);
    if (chance(&w.dice, 20))
        dx[0] = tg_mul(dx[0], tg_to_float(tg_ge(tg_detach(dy), tg_sub(y, y))));
    if (chance(&w.dice, 5))
        dx[0] = any();
}

static void grads(const tg_tensor *x, int n, const tg_tensor *y, const tg_tensor *dy, int n_outputs, tg_tensor *dx,
                  const void *context) {
    grad(x, n, y[0], tg_add(dy[0], dy[n_outputs - 1]), dx, context);
}

static tg_tensor with_outputs(tg_tensor x) {
    tg_tensor outputs[2];
    tg_shape shape = tg_shape_of(x), shapes[] = {shape, shape};
    tg_custom_config config = {
        .n_outputs = 1 + (int)choose(&w.dice, 2), .shape = shapes, .saved = numel_of(&shape), .grad = grads};
    if (tg_custom_with(&twice, &x, 1, config, outputs))
        return TG_NULL;
    keep(outputs[0]);
    return outputs[config.n_outputs - 1];
}

static tg_tensor with_one(tg_tensor x) {
    tg_tensor y = tg_custom(&twice, &x, 1, tg_shape_of(x), NULL, 0);
    return !tg_is_null(y) && chance(&w.dice, 70) && tg_custom_set_grad(y, grad) ? TG_NULL : y;
}

tg_tensor custom_of(tg_tensor x) {
    if (tg_is_null(x) || tg_dtype_of(x) != tg_tape_dtype(w.t))
        return TG_NULL;
    tg_tensor y = chance(&w.dice, 40) ? with_outputs(x) : with_one(x);
    keep(y);
    return y;
}
