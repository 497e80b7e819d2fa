#include "nn/nn.h"
#include "optim/optim.h"

static const char help[] = "tutorial x.npy y.npy learns y from x; tutorial new.npy answers for new rows of x";

typedef struct model {
    tg_nn_linear embed, head;
    tg_nn_self_attention_v2 attention;
} model;

/* (rows, steps, columns) -> (rows): the steps of a row attend to one another; the answer comes from their mean. */
static tg_tensor answer(const model *m, tg_tensor x, tg_tensor *weights) {
    tg_tensor h = tg_nn_self_attention_v2_forward(&m->attention, tg_nn_linear_forward(&m->embed, x), weights);
    return tg_select(tg_nn_linear_forward(&m->head, tg_mean(h, TG_DIMS(1), false)), 1, 0);
}

static tg_status check(const model *m, tg_tensor x, tg_tensor y) {
    tg_gradcheck_result result = {0};
    tg_status status = tg_gradcheck(tg_mse_loss(answer(m, x, NULL), y, TG_MEAN), TG_GRADCHECK_DEFAULTS, &result);
    return status ? status : puts(result.summary) < 0;
}

static tg_status train(tg_tape *t, const model *m, tg_tensor x, tg_tensor y) {
    tg_optim *adam = tg_adam_new(t, tg_parameters(t), TG_ADAM_DEFAULTS);
    tg_optim_set_lr(adam, 0.01);
    tg_mark start = tg_tape_mark(t);
    for (int step = 1; step <= 100 && !tg_tape_status(t); step++) {
        tg_tensor loss = tg_mse_loss(answer(m, x, NULL), y, TG_MEAN);
        tg_optim_zero_grad(adam);
        if (!tg_backward(loss) && !tg_optim_step(adam) && step % 25 == 0)
            printf("step %3d  loss %.4f\n", step, tg_item(loss));
        tg_tape_rewind(t, start);
    }
    return tg_tape_status(t);
}

static tg_status look(const model *m, tg_tensor x, tg_tensor y) {
    tg_tensor weights, loss = tg_mse_loss(answer(m, x, &weights), y, TG_MEAN);
    printf("held out  loss %.4f, of the mean %.4f\n", tg_item(loss), tg_item(tg_var(y, TG_ALL_DIMS, 0, false)));
    FILE *file = fopen("attention.svg", "w");
    tg_status status = tg_heatmap_svg(file, tg_select(weights, 0, 0), "attention in a held-out row", NULL, NULL);
    return file && fclose(file) ? tg_reject(tg_tape_of(x), TG_ERR_IO, "attention.svg: cannot be written") : status;
}

static tg_tensor rows(tg_tensor x, int64_t begin, int64_t end) { return tg_slice(x, 0, begin, end, 1); }

static int fit(tg_tape *t, const model *m, tg_tensor x, tg_tensor y) {
    int64_t n = tg_size(x, 0), kept = n * 3 / 4; /* the last quarter is held out */
    if (n < 8 || tg_size(y, 0) != n)
        return tg_reject(t, TG_ERR_SHAPE, "x and y want the same number of rows, eight or more");
    return check(m, rows(x, 0, 4), rows(y, 0, 4)) || train(t, m, rows(x, 0, kept), rows(y, 0, kept)) ||
           look(m, rows(x, kept, n), rows(y, kept, n)) || tg_save(t, "model.safetensors");
}

static tg_tensor load(tg_tape *t, const char *path, int ndim) {
    tg_tensor x = tg_load_npy(t, path);
    if (!tg_is_null(x) && tg_ndim(x) != ndim)
        tg_reject(t, TG_ERR_SHAPE, "%s: %s, but %d dims wanted", path, tg_describe(x).s, ndim);
    return x;
}

int main(int argc, char **argv) {
    if (argc < 2 || argv[1][0] == '-')
        return puts(help) < 0;
    tg_tape *t = tg_tape_new(TG_F32);
    tg_tensor x = load(t, argv[1], 3);
    model m = {.embed = tg_nn_linear_new(t, "embed", tg_size(x, 2), 16, true),
               .head = tg_nn_linear_new(t, "head", 16, 1, true),
               .attention = tg_nn_self_attention_v2_new(t, "attention", 16, 16, false)};
    int failed = argc > 2 ? fit(t, &m, x, load(t, argv[2], 1))
                          : tg_load(t, "model.safetensors") || tg_print(stdout, answer(&m, x, NULL));
    if (failed || fflush(stdout))
        return fprintf(stderr, "%s\n", failed ? tg_error(t) : "the output cannot be written"), 1;
    tg_tape_free(t);
}
