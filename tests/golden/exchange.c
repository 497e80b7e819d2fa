/* Half of a check that weights travel between this library and PyTorch (the other half is exchange.py):
 *   exchange write FILE    a causal multi-head attention from seed 123: save its weights, print its output
 *   exchange read FILE     the same layer with the weights of FILE: print its output */
#include "examples/common/output.h"
#include "nn/nn.h"

#include <string.h>

static const float sentence[] = {0.43f, 0.15f, 0.89f, 0.55f, 0.87f, 0.66f, 0.57f, 0.85f, 0.64f,
                                 0.22f, 0.58f, 0.33f, 0.77f, 0.25f, 0.10f, 0.05f, 0.80f, 0.55f};

int main(int argc, char **argv) {
    bool write = argc == 3 && strcmp(argv[1], "write") == 0;
    if (!write && (argc != 3 || strcmp(argv[1], "read") != 0)) {
        fprintf(stderr, "usage: %s write|read FILE\n", argv[0]);
        return 2;
    }
    tg_tape *t = tg_tape_new(TG_F32);
    tg_manual_seed(t, write ? 123 : 7);
    tg_nn_multi_head_attention mha = tg_nn_multi_head_attention_new(t, "", 3, 4, 6, 0.0, 2, true);
    float out[24];
    tg_status bad = write ? tg_save(t, argv[2]) : tg_load(t, argv[2]);
    tg_tensor y = tg_nn_multi_head_attention_forward(&mha, tg_from_floats(t, TG_SHAPE(6, 3), sentence), NULL);
    if (bad || tg_read_floats(y, out, 24)) {
        fprintf(stderr, "exchange: %s\n", tg_error(t));
        return 1;
    }
    for (int i = 0; i < 24; i++)
        printf("%.9g\n", (double)out[i]);
    tg_tape_free(t);
    return output_end("exchange", 0);
}
