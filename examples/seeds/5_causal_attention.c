/* Causal attention both ways, dropout, a batch of two, and the wrapper that stacks heads. Document 002 [132-142].
 * It prints through a library that its export lost, so nothing here has a printed result to match; the two ways
 * must agree, and do. */
#include "examples/common/notebook.h"
#include "nn/nn.h"

#include <math.h>

/* [132]: zero the weights above the diagonal, then divide each row by its sum. */
static tg_tensor mask_then_renormalise(tg_tensor weights) {
    tg_tensor ones = tg_ones(weights.tape, TG_SHAPE(6, 6));
    tg_tensor mask_simple = tg_tril(ones, 0);
    show("002 [132] mask_simple", mask_simple);
    tg_tensor masked_simple = tg_mul(weights, mask_simple);
    show("002 [132] masked_simple", masked_simple);
    return tg_div(masked_simple, tg_sum(masked_simple, TG_DIMS(-1), true));
}

/* The scores above the diagonal become minus infinity before the softmax: one step less, the same weights. */
static tg_tensor infinity_before_softmax(tg_tensor scores, double d_k) {
    tg_tensor mask = tg_to_bool(tg_triu(tg_ones(scores.tape, TG_SHAPE(6, 6)), 1));
    tg_tensor masked = tg_masked_fill(scores, mask, -INFINITY);
    show("002 masked scores", masked);
    return tg_softmax(tg_div_scalar(masked, sqrt(d_k)), -1);
}

static void both_ways(tg_tape *t, tg_tensor inputs) {
    title("causal attention weights, two ways (seed 789)");
    tg_manual_seed(t, 789);
    tg_nn_self_attention_v2 sa_v2 = tg_nn_self_attention_v2_new(t, "sa_v2", 3, 2, false);
    tg_tensor queries = tg_nn_linear_forward(&sa_v2.W_query, inputs);
    tg_tensor keys = tg_nn_linear_forward(&sa_v2.W_key, inputs);
    tg_tensor attn_scores = tg_matmul(queries, tg_transpose(keys, 0, 1));
    tg_tensor attn_weights = tg_softmax(tg_div_scalar(attn_scores, sqrt(2)), -1);
    show("002 [132] attn_weights", attn_weights);
    show("002 [132] masked_simple_norm", mask_then_renormalise(attn_weights));
    tg_tensor weights = infinity_before_softmax(attn_scores, 2);
    show("002 weights from minus infinity", weights);
    show("002 context vectors", tg_matmul(weights, tg_nn_linear_forward(&sa_v2.W_value, inputs)));
}

static void dropout(tg_tape *t) {
    title("dropout with p = 0.5: about half become 0, the others double (seed 123)");
    tg_manual_seed(t, 123);
    show("002 dropout(torch.ones(6, 6))", tg_dropout(tg_ones(t, TG_SHAPE(6, 6)), 0.5));
    tg_eval(t);
    show("002 in eval mode", tg_dropout(tg_ones(t, TG_SHAPE(2, 6)), 0.5));
    tg_train(t);
}

static void batch_of_two(tg_tape *t, tg_tensor inputs) {
    title("CausalAttention on a batch of two (seed 123)");
    tg_tensor batch = tg_stack((tg_tensor[]){inputs, inputs}, 2, 0);
    show_shape("002 batch.shape", batch);
    tg_manual_seed(t, 123);
    tg_nn_causal_attention ca = tg_nn_causal_attention_new(t, "ca", 3, 2, 6, 0.0, false);
    tg_tensor context_vecs = tg_nn_causal_attention_forward(&ca, batch, NULL);
    show("002 context_vecs", context_vecs);
    show_shape("002 context_vecs.shape", context_vecs);
}

static void wrapper(tg_tape *t, tg_tensor inputs) {
    title("MultiHeadAttentionWrapper: two causal heads, concatenated (002 [142], seed 123)");
    tg_tensor batch = tg_stack((tg_tensor[]){inputs, inputs}, 2, 0);
    tg_manual_seed(t, 123);
    tg_nn_multi_head_wrapper mha = tg_nn_multi_head_wrapper_new(t, "mha", 3, 2, 6, 0.0, 2, false);
    tg_tensor context_vecs = tg_nn_multi_head_wrapper_forward(&mha, batch, NULL);
    show("002 [142] context_vecs", context_vecs);
    show_shape("002 [142] context_vecs.shape", context_vecs);
}

int main(int argc, char **argv) {
    no_arguments(argc, argv, "Causal attention both ways, dropout, a batch of two, stacked heads (document 002).");
    tg_tape *t = tg_tape_new(TG_F32);
    tg_tensor inputs = sentence(t);
    both_ways(t, inputs);
    dropout(t);
    batch_of_two(t, inputs);
    wrapper(t, inputs);
    return finish(t);
}
