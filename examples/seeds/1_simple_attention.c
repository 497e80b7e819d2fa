/* Attention without trainable weights: scores, two ways to normalise them, context vectors.
 * Documents 002 [46, 44], 003 [3-13] and 004 [25-51]. */
#include "examples/common/notebook.h"

/* Document 004 [26]: one dot product after another. */
static tg_tensor scores_by_loop(tg_tensor inputs, tg_tensor query) {
    tg_tensor score[6];
    for (int i = 0; i < 6; i++)
        score[i] = tg_matmul(tg_select(inputs, 0, i), query);
    return tg_stack(score, 6, 0);
}

/* Document 004 [29]: softmax as its formula says. */
static tg_tensor softmax_naive(tg_tensor x) {
    tg_tensor e = tg_exp(x);
    return tg_div(e, tg_sum(e, TG_DIMS(-1), true));
}

/* Documents 003 [12] and 004 [38]: z_2 = a_21 x_1 + a_22 x_2 + ... */
static tg_tensor context_by_loop(tg_tensor weights, tg_tensor inputs) {
    tg_tensor z = tg_zeros(inputs.tape, TG_SHAPE(3));
    for (int i = 0; i < 6; i++)
        z = tg_add(z, tg_mul(tg_select(inputs, 0, i), tg_select(weights, 0, i)));
    return z;
}

static void one_query(tg_tensor inputs) {
    title("one query: the second word, 'journey'");
    show_shape("003 [4] inputs.shape", inputs);
    show("004 [25] torch.empty(6)", tg_zeros(inputs.tape, TG_SHAPE(6)));

    tg_tensor query = tg_select(inputs, 0, 1);
    tg_tensor scores = scores_by_loop(inputs, query);
    show("004 [26] attention_score_x2", scores);

    tg_tensor first = tg_select(inputs, 0, 0);
    show("004 [27] res", tg_sum(tg_mul(first, query), TG_ALL_DIMS, false));
    show("004 [27] torch.dot(inputs[0], query)", tg_matmul(first, query));

    tg_tensor normalised = tg_div(scores, tg_sum(scores, TG_ALL_DIMS, false));
    show("004 [28] attention_score_x2_tmp", normalised);
    show("004 [28] attention_score_x2_tmp.sum()", tg_sum(normalised, TG_ALL_DIMS, false));

    tg_tensor naive = softmax_naive(scores);
    show("004 [29] attention_score_x2_softmax", naive);
    show("004 [29] attention_score_x2_softmax.sum()", tg_sum(naive, TG_ALL_DIMS, false));

    tg_tensor weights = tg_softmax(scores, 0);
    show("004 [30] attn_score_softmax", weights);
    show("004 [30] attn_score_softmax.sum()", tg_sum(weights, TG_ALL_DIMS, false));
    show("004 [38] context_vec_2", context_by_loop(weights, inputs));
}

static void all_queries(tg_tensor inputs) {
    title("all queries at once");
    tg_tensor scores = tg_matmul(inputs, tg_transpose(inputs, 0, 1));
    show("003 [5] attention_scores", scores);
    show_shape("003 [6] attention_scores.shape", scores);
    show("004 [40] attn_matrix_2", scores);

    tg_tensor rows[6];
    for (int i = 0; i < 6; i++)
        rows[i] = scores_by_loop(inputs, tg_select(inputs, 0, i));
    show("004 [39] attn_matrix", tg_stack(rows, 6, 0));

    tg_tensor naive = softmax_naive(scores);
    show("003 [7] attention_weights", naive);
    show("003 [8] attention_weights.sum(dim=1)", tg_sum(naive, TG_DIMS(1), false));

    tg_tensor weights = tg_softmax(scores, 1);
    show("003 [9] attention_weights", weights);
    show_shape("003 [10] attention_weights.shape", weights);
    show("003 [11] attention_weights.sum(dim=1)", tg_sum(weights, TG_DIMS(1), false));
    show("004 [44] atten_weights_matrix", weights);
    show("004 [49] atten_weights_matrix.sum(dim=1)", tg_sum(weights, TG_DIMS(1), false));

    show("003 [12] z_2", context_by_loop(tg_select(weights, 0, 1), inputs));
    tg_tensor context = tg_matmul(weights, inputs);
    show("003 [13] Z", context);
    show("004 [51] context_vector_fin", context);
}

int main(int argc, char **argv) {
    no_arguments(argc, argv, "Attention without trainable weights (documents 002, 003, 004).");
    tg_tape *t = tg_tape_new(TG_F32);
    tg_tensor inputs = sentence(t);
    one_query(inputs);
    all_queries(inputs);
    return finish(t);
}
