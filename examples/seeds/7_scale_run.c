/* Document 003 [69-73]: self-attention on X of 4096 x 4608 with d_out 4608, both classes; and backward through it,
 * which the document does not do. */
#include "examples/common/notebook.h"
#include "nn/nn.h"

#include <time.h>
#include <unistd.h>

enum { T = 4096, D = 4608 };

static double seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Progress goes to the terminal only: the results are on standard output. */
static void progress(const char *what) {
    if (isatty(STDERR_FILENO))
        fprintf(stderr, "\r\033[K%s ...", what);
}

static void clear_progress(void) {
    if (isatty(STDERR_FILENO))
        fprintf(stderr, "\r\033[K");
}

/* The document's class of plain parameters makes Wq, Wv, Wk in this order. */
static tg_tensor with_parameters(tg_tape *t, tg_tensor *X) {
    tg_manual_seed(t, 143);
    tg_tensor Wq = tg_parameter(t, "Wq", tg_rand(t, TG_SHAPE(D, D)));
    tg_tensor Wv = tg_parameter(t, "Wv", tg_rand(t, TG_SHAPE(D, D)));
    tg_tensor Wk = tg_parameter(t, "Wk", tg_rand(t, TG_SHAPE(D, D)));
    *X = tg_rand(t, TG_SHAPE(T, D));
    progress("forward, parameters");
    tg_tensor q = tg_matmul(*X, Wq), k = tg_matmul(*X, Wk), v = tg_matmul(*X, Wv);
    return tg_scaled_dot_product_attention(q, k, v, TG_NULL, false, 0, 0);
}

static tg_tensor with_linear(tg_tape *t, tg_tensor *X) {
    tg_manual_seed(t, 143);
    tg_nn_linear Wq = tg_nn_linear_new(t, "Wq", D, D, false);
    tg_nn_linear Wv = tg_nn_linear_new(t, "Wv", D, D, false);
    tg_nn_linear Wk = tg_nn_linear_new(t, "Wk", D, D, false);
    *X = tg_rand(t, TG_SHAPE(T, D));
    progress("forward, Linear");
    tg_tensor q = tg_nn_linear_forward(&Wq, *X), k = tg_nn_linear_forward(&Wk, *X), v = tg_nn_linear_forward(&Wv, *X);
    return tg_scaled_dot_product_attention(q, k, v, TG_NULL, false, 0, 0);
}

static int run(const char *cell, const char *name, tg_tensor (*model)(tg_tape *t, tg_tensor *X)) {
    tg_tape *t = tg_tape_new(TG_F32);
    tg_tensor X;
    double start = seconds();
    tg_tensor Z = model(t, &X);
    double forward = seconds() - start;
    progress("backward of sum(Z)");
    tg_tensor loss = tg_sum(Z, TG_ALL_DIMS, false);
    if (tg_backward(loss) == TG_OK) {
        clear_progress();
        show_shape(cell, Z);
        fprintf(stderr, "%s: forward with drawing the numbers %.1f s, backward %.1f s, %.0f MiB\n", name, forward,
                seconds() - start - forward, (double)tg_tape_memory(t).reserved_peak / (1 << 20));
    }
    return finish(t);
}

int main(int argc, char **argv) {
    no_arguments(argc, argv,
                 "Self-attention at 4096 x 4608, forward and backward, both classes (document 003). Takes 1 GiB.");
    title("the scale run");
    return run("003 [72] Z.shape", "parameters", with_parameters) | run("003 [73] Z.shape", "Linear", with_linear);
}
