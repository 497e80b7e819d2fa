/* Trainable weights step by step: x_2 @ Wq, keys, values, one score, all scores, scaled softmax, context vector.
 * Documents 000 [3-34], 001, 002 and 004 [61-71] (two output dims), 003 [14-49] (the 3 x 3 variant). */
#include "examples/common/notebook.h"

#include <math.h>

/* nn.Parameter(torch.rand(d_in, d_out), requires_grad=False), three times from one seed */
typedef struct weights {
    tg_tensor query, key, value;
} weights;

static weights three_weights(tg_tape *t, uint64_t seed, int64_t d_in, int64_t d_out) {
    tg_manual_seed(t, seed);
    weights w;
    w.query = tg_rand(t, TG_SHAPE(d_in, d_out));
    w.key = tg_rand(t, TG_SHAPE(d_in, d_out));
    w.value = tg_rand(t, TG_SHAPE(d_in, d_out));
    return w;
}

static void document_000(tg_tape *t) {
    title("document 000, seed 100");
    tg_tensor inputs = sentence_of_000(t), x_2 = tg_select(inputs, 0, 1);
    weights W = three_weights(t, 100, 3, 2);
    show("000 [13] W_query", W.query);
    show("000 [10] W_key", W.key);
    show("000 [11] W_value", W.value);

    tg_tensor query_2 = tg_matmul(x_2, W.query);
    show("000 [17] query_2", query_2);
    tg_tensor keys = tg_matmul(inputs, W.key), values = tg_matmul(inputs, W.value);
    show_shape("000 [20] keys.shape", keys);
    show_shape("000 [20] values.shape", values);
    show_shape("000 [20] queries.shape", tg_matmul(inputs, W.query));

    show("000 [22] attn_score_22", tg_matmul(query_2, tg_select(keys, 0, 1)));
    tg_tensor scores = tg_matmul(query_2, tg_transpose(keys, 0, 1));
    show("000 [23] attn_scores_2", scores);

    int64_t d_k = tg_size(keys, -1);
    tg_tensor attn = tg_softmax(tg_div_scalar(scores, sqrt((double)d_k)), -1);
    show("000 [26] attn_weights_2", attn);
    show_text("000 [26] d_k", "Embedding dimension for the keys: %lld", (long long)d_k);
    show("000 [34] context_vec_2", tg_matmul(attn, values));
}

/* Documents 001 and 002 run the same steps with the same seed, and print nothing. */
static void document_004(tg_tape *t) {
    title("documents 001, 002 and 004, seed 123");
    tg_tensor inputs = sentence(t), x_2 = tg_select(inputs, 0, 1);
    weights W = three_weights(t, 123, 3, 2);

    tg_tensor query_2 = tg_matmul(x_2, W.query);
    show("004 [62] query_2", query_2);
    tg_tensor keys = tg_matmul(inputs, W.key), values = tg_matmul(inputs, W.value);
    show_shape("004 [63] keys.shape", keys);
    show_shape("004 [63] values.shape", values);

    show("004 [64] attn_score_22", tg_matmul(query_2, tg_select(keys, 0, 1)));
    tg_tensor scores = tg_matmul(query_2, tg_transpose(keys, 0, 1));
    show("004 [66] attn_score_2", scores);
    tg_tensor attn = tg_softmax(tg_div_scalar(scores, sqrt((double)tg_size(keys, -1))), -1);
    show("004 [70] attn_weights_2", attn);
    show("004 [71] context_vector", tg_matmul(attn, values));
}

static void document_003(tg_tape *t) {
    title("document 003: three output dims, seed 123");
    tg_tensor inputs = sentence(t), x_2 = tg_select(inputs, 0, 2); /* its x_2 is the third word */
    show_shape("003 [15] x_2.shape", x_2);
    weights W = three_weights(t, 123, 3, 3);
    show_shape("003 [23] x_2.shape", x_2);

    tg_tensor queries = tg_matmul(inputs, W.query), keys = tg_matmul(inputs, W.key);
    tg_tensor values = tg_matmul(inputs, W.value);
    show_text("003 [25] queries.shape, keys.shape, values.shape",
              "(torch.Size([%d, %d]), torch.Size([%d, %d]), torch.Size([%d, %d]))", (int)tg_size(queries, 0),
              (int)tg_size(queries, 1), (int)tg_size(keys, 0), (int)tg_size(keys, 1), (int)tg_size(values, 0),
              (int)tg_size(values, 1));

    tg_tensor scores = tg_matmul(queries, tg_transpose(keys, 0, 1));
    show_shape("003 [26] attention_scores.shape", scores);
    tg_tensor attn = tg_softmax(tg_div_scalar(scores, sqrt(3)), -1);
    show("003 [27] attention_weights", attn);
    show_shape("003 [28] attention_weights.shape", attn);
    show("003 [32] values", values);

    tg_tensor alpha_2 = tg_select(attn, 0, 2), z_2 = tg_zeros(t, TG_SHAPE(3));
    for (int i = 0; i < 6; i++) {
        char cell[] = "003 [48] z_2, step N";
        cell[sizeof cell - 2] = (char)('1' + i);
        z_2 = tg_add(z_2, tg_mul(tg_select(alpha_2, 0, i), tg_select(values, 0, i)));
        show(cell, z_2);
    }
    tg_tensor Z = tg_matmul(attn, values);
    show("003 [33] Z", Z);
    show_shape("003 [49] Z.shape", Z);
}

int main(int argc, char **argv) {
    no_arguments(argc, argv, "Self-attention with trainable weights, one step after another (documents 000 to 004).");
    tg_tape *t = tg_tape_new(TG_F32);
    document_000(t);
    document_004(t);
    document_003(t);
    return finish(t);
}
