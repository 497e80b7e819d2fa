/* Backward, step by step: one word looks back at two others, and the loss's gradient goes the same way back. Each line
 * is an operation that the loop in core/backward/backward.c passes, from the last one on the tape to the first: the
 * gradient that has arrived, then those that its VJP makes of it.
 *
 *     build/backward              the lines
 *     build/backward graph.svg    and the tape as a picture, with the norms of the gradients */
#include "examples/common/output.h"
#include "nn/nn.h"

#include <errno.h>
#include <math.h>
#include <string.h>

static const float words[] = {1, 0, 0, 1, 1, 1}; /* three words of two numbers */

/* False, with a message, when it cannot be written. */
static bool draw(const char *path, tg_tensor loss) {
    FILE *file = fopen(path, "w");
    if (!file)
        return say(stderr, "backward: %s: %s", path, strerror(errno)), false;
    if (tg_graph_svg(file, loss)) {
        say(stderr, "backward: %s: %s", path, tg_error(loss.tape));
        return fclose(file), false;
    }
    if (fclose(file))
        return say(stderr, "backward: %s: %s", path, strerror(errno)), false;
    return true;
}

/* 2, the status of a wrong call, unless it was asked for. */
static int print_usage(bool asked) {
    fprintf(asked ? stdout : stderr,
            "usage: build/backward [graph.svg]   the lines of a backward, and its tape drawn\n");
    return asked ? output_end("backward", 0) : 2;
}

int main(int argc, char **argv) {
    output_begin();
    if (argc > 2 || (argc > 1 && argv[1][0] == '-'))
        return print_usage(argc == 2 && strcmp(argv[1], "--help") == 0);
    tg_tape *t = tg_tape_new(TG_F32);
    tg_tensor x = tg_from_floats(t, TG_SHAPE(3, 2), words);
    tg_tensor W = tg_parameter(t, "W", tg_from_floats(t, TG_SHAPE(2, 2), (const float[]){1, 0.5F, -0.5F, 1}));
    tg_tensor q = tg_matmul(x, W), scores = tg_div_scalar(tg_matmul(q, tg_transpose(x, 0, 1)), sqrt(2));
    tg_tensor weights = tg_softmax(scores, -1), y = tg_matmul(weights, x);
    tg_tensor loss = tg_mse_loss(y, tg_ones(t, TG_SHAPE(3, 2)), TG_MEAN);

    tg_log_backward(t, stdout);
    if (tg_backward(loss))
        return fprintf(stderr, "backward: %s\n", tg_error(t)), 1;
    if (argc > 1 && !draw(argv[1], loss))
        return 1;
    printf("the gradient of W, of this norm, is\n");
    if (tg_print(stdout, tg_grad(W)))
        return fprintf(stderr, "backward: %s\n", tg_error(t)), 1;
    putchar('\n');
    tg_tape_free(t);
    return output_end("backward", 0);
}
