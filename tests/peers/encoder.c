/* The time of examples/encoder's forward pass, and of forward and backward with every weight trainable, in the shape
 * of all-MiniLM-L6-v2.
 * usage: build/encoder_time REPEATS        (TG_THREADS sets the number of threads; see tests/peers/encoder.py) */
#include "examples/common/output.h"
#include "examples/encoder/model.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { SENTENCES = 20, TOKENS = 32 };
static const bert_config shape = {.vocabulary = 30522,
                                  .context = 512,
                                  .segments = 2,
                                  .width = 384,
                                  .hidden = 1536,
                                  .layers = 6,
                                  .heads = 12,
                                  .norm_eps = 1e-12};

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* 12 to 32 tokens a sentence, padded to 32, as encoder.py has them. */
static tg_tensor embed(const bert *m) {
    int64_t ids[SENTENCES * TOKENS], length[SENTENCES];
    for (int i = 0; i < SENTENCES; i++) {
        length[i] = i == 0 ? TOKENS : 12 + 7 * i % 21;
        for (int j = 0; j < TOKENS; j++)
            ids[i * TOKENS + j] = j < length[i] ? 1000 + (i * 997 + j * 31) % 20000 : 0;
    }
    return bert_embed(m, ids, length, SENTENCES, TOKENS);
}

static double milliseconds(tg_tape *t, const bert *m, bool backward) {
    double start = now();
    tg_mark mark = tg_tape_mark(t);
    tg_list all = tg_parameters(t);
    for (int64_t i = 0; i < all.n; i++)
        tg_zero_grad(all.tensor[i]);
    if (!backward)
        tg_no_grad_begin(t);
    tg_tensor first = tg_sum(tg_slice(embed(m), 1, 0, 1, 1), TG_ALL_DIMS, false);
    if (!backward)
        tg_no_grad_end(t);
    if ((backward && tg_backward(first)) || tg_tape_rewind(t, mark)) {
        fprintf(stderr, "encoder_time: %s\n", tg_error(t));
        exit(1);
    }
    return 1e3 * (now() - start);
}

int main(int argc, char **argv) {
    int repeats = argc == 2 ? atoi(argv[1]) : 0;
    if (repeats < 1) {
        fprintf(stderr, "usage: encoder_time REPEATS\n");
        return 2;
    }
    tg_tape *t = tg_tape_new(TG_F32);
    bert m = bert_new(t, shape);
    for (int backward = 0; backward < 2; backward++) {
        double best = milliseconds(t, &m, backward);
        for (int i = 0; i < repeats; i++) {
            double ms = milliseconds(t, &m, backward);
            best = ms < best ? ms : best;
        }
        printf("%.4f\n", best);
    }
    tg_tape_free(t);
    return output_end("encoder_time", 0);
}
