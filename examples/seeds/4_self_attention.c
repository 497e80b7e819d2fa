/* The compact classes: SelfAttention_v1 (plain parameters) and SelfAttention_v2 (Linear layers) at the documents'
 * seeds, and exercise 3.1: v2's weights moved into v1, transposed, give the same output.
 * Documents 000 [38-44], 001, 002 [124] and 004 [112-128]. */
#include "examples/common/notebook.h"
#include "nn/nn.h"

static void document_000(tg_tape *t) {
    title("SelfAttention_v1, seed 100 (000)");
    tg_manual_seed(t, 100);
    tg_nn_self_attention_v1 sa_v1 = tg_nn_self_attention_v1_new(t, "sa_v1", 3, 2);
    show("000 [44] sa_v1(inputs)", tg_nn_self_attention_v1_forward(&sa_v1, sentence_of_000(t), NULL));
}

static void both_classes(tg_tape *t) {
    title("SelfAttention_v1, seed 123, and v2, seed 789 (001, 002, 004)");
    tg_tensor inputs = sentence(t);
    tg_manual_seed(t, 123);
    tg_nn_self_attention_v1 sfa = tg_nn_self_attention_v1_new(t, "sfa", 3, 2);
    show("004 [114] sfa(inputs)", tg_nn_self_attention_v1_forward(&sfa, inputs, NULL));

    tg_manual_seed(t, 789);
    tg_nn_self_attention_v2 sfa2 = tg_nn_self_attention_v2_new(t, "sfa2", 3, 2, false);
    show("004 [124] sfa2(inputs)", tg_nn_self_attention_v2_forward(&sfa2, inputs, NULL));
}

/* x.data = y.data.T */
static int assign_transposed(tg_tensor x, tg_tensor y) { return tg_copy_(x, tg_transpose(y, 0, 1)) != TG_OK; }

static void exercise_3_1(tg_tape *t) {
    title("exercise 3.1 (004 [128])");
    tg_tensor inputs = sentence(t);
    tg_manual_seed(t, 789);
    tg_nn_self_attention_v1 v1 = tg_nn_self_attention_v1_new(t, "v1", 3, 2);
    tg_nn_self_attention_v2 v2 = tg_nn_self_attention_v2_new(t, "v2", 3, 2, false);
    if (assign_transposed(v1.W_query, v2.W_query.weight) || assign_transposed(v1.W_key, v2.W_key.weight) ||
        assign_transposed(v1.W_value, v2.W_value.weight))
        return; /* the tape has the error; finish() prints it */
    show("004 [128] output_1", tg_nn_self_attention_v1_forward(&v1, inputs, NULL));
    show("004 [128] output_2", tg_nn_self_attention_v2_forward(&v2, inputs, NULL));
}

int main(int argc, char **argv) {
    no_arguments(argc, argv,
                 "SelfAttention_v1 and v2 at seeds 100, 123 and 789, and exercise 3.1 (000, 001, 002, 004).");
    tg_tape *t = tg_tape_new(TG_F32);
    document_000(t);
    both_classes(t);
    exercise_3_1(t);
    return finish(t);
}
