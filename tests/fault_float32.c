/* Of mistakes in float32 kernels alone (faults.c): programs whose operands have the sizes at which they go wrong. */
#include "fault_kinds.h"

/* One that ends in the middle of a vector, at the end of a tile, one element behind it. */
static int64_t draw_size(tg_rng_state *g) {
    static const int64_t sizes[] = {1, 3, 7, 8, 9, 15, 16, 17, 31, 33, 47, 63, 64, 65, 96, 127, 129};
    return sizes[tg_rng_random(g) % (sizeof sizes / sizeof *sizes)];
}

static tg_tensor ids(tg_tape *t, int64_t n, int64_t below, tg_rng_state *g) {
    int64_t id[160];
    for (int64_t i = 0; i < n; i++)
        id[i] = (int64_t)(tg_rng_random(g) % (uint64_t)below);
    return tg_from_ints(t, TG_SHAPE(n), id);
}

static tg_tensor attention(tg_tape *t, int64_t rows, int64_t columns, int form) {
    tg_tensor x[3];
    for (int i = 0; i < 3; i++)
        x[i] = tg_probe_leaf(t, TG_SHAPE(2, rows, columns < 32 ? columns : columns / 4));
    return tg_scaled_dot_product_attention(x[0], x[1], x[2], TG_NULL, form == 1, form == 2 ? 0.3 : 0, 0);
}

tg_tensor sized_program(tg_tape *t, int number, tg_rng_state *g) {
    int64_t r = draw_size(g), c = draw_size(g), n = draw_size(g);
    r = r > 33 && c > 33 ? r / 4 : r;
    tg_tensor x = tg_probe_leaf(t, TG_SHAPE(r, c));
    switch (number) {
    case 0: return tg_exp(x);
    case 1: return tg_gelu(x);
    case 2: return tg_gelu_tanh(x);
    case 3: return tg_silu(x);
    case 4: return tg_tanh(x);
    case 5: return tg_matmul(x, tg_probe_leaf(t, TG_SHAPE(c, n)));
    case 6: return tg_matmul(tg_unsqueeze(x, 0), tg_probe_leaf(t, TG_SHAPE(3, c, 5)));
    case 7: return tg_linear(x, tg_probe_leaf(t, TG_SHAPE(n, c)), tg_probe_leaf(t, TG_SHAPE(n)));
    case 8: return tg_layer_norm(x, tg_probe_leaf(t, TG_SHAPE(c)), tg_probe_leaf(t, TG_SHAPE(c)), 1e-5);
    case 9: return tg_rms_norm(x, tg_probe_leaf(t, TG_SHAPE(c)), 1e-5);
    case 10: return tg_softmax(x, -1);
    case 11: return tg_softmax(x, 0);
    case 12: return tg_log_softmax(x, -1);
    case 13: return attention(t, r, c, 0);
    case 14: return attention(t, r, c, 1);
    case 15: return attention(t, r, c, 2);
    case 16: return tg_cross_entropy(x, ids(t, r, c, g), -100, TG_MEAN);
    case 17: return tg_mul(x, tg_probe_leaf(t, TG_SHAPE(c)));
    case 18: return tg_div(x, tg_probe_leaf(t, TG_SHAPE(r, 1)));
    case 19: return tg_mean(x, TG_DIMS(1), false);
    case 20: return tg_sum(x, TG_DIMS(0), false);
    case 21: return tg_embedding(x, ids(t, n, r, g));
    case 22: return tg_cumsum(x, 1);
    case 23: return tg_swiglu(x, tg_probe_leaf(t, TG_SHAPE(r, c)));
    case 24: return tg_bias_gelu(x, tg_probe_leaf(t, TG_SHAPE(c)));
    case 25: return tg_logsumexp(x, TG_DIMS(1), false);
    case 26: return tg_var(x, TG_DIMS(1), 0, false);
    case 27: return tg_mse_loss(x, tg_probe_leaf(t, TG_SHAPE(r, c)), TG_MEAN);
    case 28: return tg_add(tg_transpose(x, 0, 1), tg_probe_leaf(t, TG_SHAPE(r)));
    default: return TG_NULL;
    }
}
