/* Training from PyTorch's initial weights follows PyTorch's losses, in float64 (tests/golden/make_train.py). */
#include "optim/optim.h"
#include "tests/golden/train.h"
#include "tests/nn_cases.h"

static void close_to(const char *name, const char *what, int64_t i, double got, double expected, double tolerance) {
    ck_assert_msg(fabs(got - expected) <= tolerance, "%s: %s %lld is %.17g, not %.17g", name, what, (long long)i, got,
                  expected);
}

/* sin 0, sin 1, ... in y's shape */
static tg_tensor target(tg_tape *t, tg_tensor y) {
    double values[64];
    for (int64_t j = 0; j < tg_numel(y); j++)
        values[j] = sin((double)j);
    return tg_from_doubles(t, tg_shape_of(y), values);
}

/* One forward, and a step when there is an optimizer. */
static double train_step(tg_tape *t, const nn_case *c, tg_mark model, tg_optim *o) {
    tg_tensor y = case_forward(c, NULL), loss = tg_mse_loss(y, target(t, y), TG_MEAN);
    double value = tg_item(loss);
    if (o) {
        tg_optim_zero_grad(o);
        ck_assert_msg(tg_backward(loss) == TG_OK && tg_optim_step(o) == TG_OK, "%s", tg_error(t));
    }
    ck_assert_int_eq(tg_tape_rewind(t, model), TG_OK);
    return value;
}

static void compare_weights(tg_tape *t, const char *name, const double *final, double tolerance) {
    tg_list all = tg_parameters(t);
    for (int64_t k = 0; k < all.n; k++) {
        double got[64];
        int64_t n = tg_numel(all.tensor[k]);
        ck_assert_int_eq(tg_read_doubles(all.tensor[k], got, n), TG_OK);
        for (int64_t j = 0; j < n; j++)
            close_to(name, tg_name(all.tensor[k]), j, got[j], *final++, tolerance);
    }
}

static tg_optim *new_optimizer(tg_tape *t, int i) {
    tg_list all = tg_parameters(t);
    tg_sgd_config sgd = TG_SGD_DEFAULTS;
    tg_adam_config adam = TG_ADAM_DEFAULTS, adamw = TG_ADAMW_DEFAULTS;
    sgd.lr = 0.05;
    adam.lr = adamw.lr = 0.01;
    switch (i) {
    case 0: return tg_sgd_new(t, all, sgd);
    case 1:
        sgd.momentum = 0.9;
        sgd.nesterov = true;
        sgd.weight_decay = 0.01;
        return tg_sgd_new(t, all, sgd);
    case 2: return tg_adam_new(t, all, adam);
    case 3: return tg_adamw_new(t, all, adamw);
    default:
        adamw.weight_decay = 0.1;
        adamw.amsgrad = true;
        return tg_adamw_new(t, all, adamw);
    }
}

START_TEST(optimizers_follow_pytorch_for_200_steps)
{
    tg_tape *t = tg_tape_new(TG_F64);
    nn_case c = case_in_double(t, 2);
    tg_optim *o = new_optimizer(t, _i);
    tg_mark model = tg_tape_mark(t);
    for (int step = 0; step <= 200; step++)
        close_to(optimizer_golden[_i].name, "loss", step, train_step(t, &c, model, step < 200 ? o : NULL),
                 optimizer_golden[_i].loss[step], 1e-10);
    compare_weights(t, optimizer_golden[_i].name, optimizer_golden[_i].final, 1e-10);
    tg_tape_free(t);
}
END_TEST

START_TEST(layers_follow_pytorch_for_1000_adam_steps)
{
    tg_tape *t = tg_tape_new(TG_F64);
    nn_case c = case_in_double(t, _i);
    tg_optim *o = tg_adam_new(t, tg_parameters(t), TG_ADAM_DEFAULTS);
    tg_mark model = tg_tape_mark(t);
    size_t reserved = 0;
    for (int step = 0; step <= 1000; step++) {
        double loss = train_step(t, &c, model, step < 1000 ? o : NULL), expected = layer_golden[_i].loss[step / 10];
        if (step % 10 == 0)
            close_to(layer_golden[_i].name, "loss", step, loss, expected, 1e-9 * expected);
        if (step == 0)
            reserved = tg_tape_memory(t).reserved;
    }
    ck_assert_uint_eq(reserved, tg_tape_memory(t).reserved);
    compare_weights(t, layer_golden[_i].name, layer_golden[_i].final, 1e-10);
    tg_tape_free(t);
}
END_TEST

int main(void) {
    TCase *c = tcase_create("train");
    tcase_add_loop_test(c, optimizers_follow_pytorch_for_200_steps, 0,
                        sizeof optimizer_golden / sizeof *optimizer_golden);
    tcase_add_loop_test(c, layers_follow_pytorch_for_1000_adam_steps, 0, N_CASES);
    return run_suite("train", c);
}
