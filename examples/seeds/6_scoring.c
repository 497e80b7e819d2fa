/* Document 004's formulas: two ways to score (dot product; additive, Bahdanau), and
 * MultiHead(Q, K, V) = Concat(head_1, ..., head_h) W_O. The document prints nothing here; the layer and the formula
 * written out must agree. */
#include "examples/common/notebook.h"
#include "nn/nn.h"

/* score(h_i, s) = h_i^T s, softmax over i, c = sum_i alpha_i h_i */
static void dot_product_scoring(tg_tensor states, tg_tensor s) {
    title("dot-product scoring");
    tg_tensor alpha = tg_softmax(tg_matmul(states, s), 0);
    show("004 alpha", alpha);
    show("004 c", tg_matmul(alpha, states));
}

/* score(h_i, s) = v^T tanh(W_1 h_i + W_2 s) */
static void additive_scoring(tg_tape *t, tg_tensor states, tg_tensor s) {
    title("additive scoring (seed 123)");
    tg_manual_seed(t, 123);
    tg_nn_additive_attention a = tg_nn_additive_attention_new(t, "additive", 3, 3, 4);
    tg_tensor hidden = tg_tanh(tg_add(tg_nn_linear_forward(&a.W_1, states), tg_nn_linear_forward(&a.W_2, s)));
    tg_tensor e = tg_squeeze(tg_nn_linear_forward(&a.v, hidden), -1);
    tg_tensor alpha = tg_softmax(e, 0);
    show("004 e", e);
    show("004 alpha, additive", alpha);
    show("004 c, by the formula", tg_matmul(alpha, states));
    tg_tensor query = tg_unsqueeze(s, 0);
    show("004 c, by the layer", tg_nn_additive_attention_forward(&a, query, states, TG_NN_NO_MASKS, NULL));
}

/* Columns [i * size, (i + 1) * size): what head i sees. */
static tg_tensor part(tg_tensor x, int i, int64_t size) { return tg_slice(x, 1, i * size, (i + 1) * size, 1); }

static void multi_head(tg_tape *t, tg_tensor x) {
    title("MultiHead(Q, K, V) = Concat(head_1, head_2) W_O (seed 123)");
    tg_manual_seed(t, 123);
    tg_nn_multi_head_attention mha = tg_nn_multi_head_attention_new(t, "mha", 3, 4, 0, 0.0, 2, false);
    tg_tensor Q = tg_nn_linear_forward(&mha.W_query, x), K = tg_nn_linear_forward(&mha.W_key, x);
    tg_tensor V = tg_nn_linear_forward(&mha.W_value, x), head[2];
    for (int i = 0; i < 2; i++)
        head[i] = tg_nn_attention(part(Q, i, 2), part(K, i, 2), part(V, i, 2), TG_NN_NO_MASKS, 0, NULL);
    tg_tensor formula = tg_nn_linear_forward(&mha.out_proj, tg_cat(head, 2, 1));
    tg_tensor weights, layer = tg_nn_multi_head_attention_forward(&mha, x, &weights);
    show("004 MultiHead, by the formula", formula);
    show("004 MultiHead, by the layer", layer);
    show("004 attention weights of the two heads", weights);
}

int main(int argc, char **argv) {
    no_arguments(argc, argv, "Dot-product and additive scoring, and multi-head attention from its formula (004).");
    tg_tape *t = tg_tape_new(TG_F32);
    tg_tensor inputs = sentence(t);
    tg_tensor s = tg_select(inputs, 0, 1);
    dot_product_scoring(inputs, s);
    additive_scoring(t, inputs, s);
    multi_head(t, inputs);
    return finish(t);
}
