/* Six words of three numbers each. Self-attention learns to give every word back its own first two numbers. */
#include "nn/nn.h"
#include "optim/optim.h"

static const float sentence[] = {
    0.43f, 0.15f, 0.89f, 0.55f, 0.87f, 0.66f, 0.57f, 0.85f, 0.64f,  /* Your journey starts */
    0.22f, 0.58f, 0.33f, 0.77f, 0.25f, 0.10f, 0.05f, 0.80f, 0.55f}; /* with one step */

int main(void) {
    tg_tape *t = tg_tape_new(TG_F32);
    tg_manual_seed(t, 123);
    tg_tensor x = tg_from_floats(t, TG_SHAPE(6, 3), sentence), y = tg_slice(x, 1, 0, 2, 1);
    tg_nn_self_attention_v2 attn = tg_nn_self_attention_v2_new(t, "attn", 3, 2, false);
    tg_optim *adam = tg_adam_new(t, tg_parameters(t), TG_ADAM_DEFAULTS);
    tg_optim_set_lr(adam, 0.03);
    tg_mark model = tg_tape_mark(t); /* everything so far stays */
    for (int step = 1; step <= 100; step++) {
        tg_tensor loss = tg_mse_loss(tg_nn_self_attention_v2_forward(&attn, x, NULL), y, TG_MEAN);
        tg_optim_zero_grad(adam);
        if (tg_backward(loss) || tg_optim_step(adam))
            return fprintf(stderr, "%s\n", tg_error(t)), 1;
        if (step % 20 == 0)
            printf("step %3d  loss %.6f\n", step, tg_item(loss));
        tg_tape_rewind(t, model); /* the step's graph and memory are gone at once */
    }
    tg_tape_free(t);
    if (fflush(stdout) || ferror(stdout))
        return fprintf(stderr, "the output could not be written\n"), 1;
    return 0;
}
