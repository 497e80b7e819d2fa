/* The layers that the goldens of tests/golden/seed_classes.py were made with, in its order. */
#ifndef TAPEGRAD_TEST_NN_CASES_H
#define TAPEGRAD_TEST_NN_CASES_H

#include "nn/nn.h"
#include "tests/support.h"

static const double sentences[2][6][3] = {{{0.43, 0.15, 0.89},
                                           {0.55, 0.87, 0.66},
                                           {0.57, 0.85, 0.64},
                                           {0.22, 0.58, 0.33},
                                           {0.77, 0.25, 0.10},
                                           {0.05, 0.80, 0.55}},
                                          {{0.8938, 0.9003, 0.8978},
                                           {0.7165, 0.3428, 0.2553},
                                           {0.1042, 0.5163, 0.3753},
                                           {0.0445, 0.3091, 0.9763},
                                           {0.1554, 0.1614, 0.2700},
                                           {0.8089, 0.9435, 0.5480}}};

enum { N_CASES = 11 };

typedef struct nn_case {
    int i;
    tg_tensor x, y;
    tg_nn_self_attention_v1 v1;
    tg_nn_self_attention_v2 v2;
    tg_nn_causal_attention causal;
    tg_nn_multi_head_wrapper wrapper;
    tg_nn_multi_head_attention multi;
    tg_nn_cross_attention cross;
    tg_nn_additive_attention additive;
} nn_case;

static inline tg_tensor journey(tg_tape *t) { return tg_from_doubles(t, TG_SHAPE(6, 3), &sentences[0][0][0]); }
static inline tg_tensor batch(tg_tape *t) { return tg_from_doubles(t, TG_SHAPE(2, 6, 3), &sentences[0][0][0]); }
static inline tg_tensor flipped_batch(tg_tape *t) {
    tg_tensor x = batch(t);
    return tg_stack((tg_tensor[]){tg_select(x, 0, 1), tg_select(x, 0, 0)}, 2, 0);
}

/* Case i's layer, drawn from the seed of the goldens. */
static inline nn_case case_new(tg_tape *t, int i) {
    nn_case c = {.i = i};
    static const uint64_t seed[N_CASES] = {123, 100, 789, 789, 123, 123, 123, 123, 123, 123, 123};
    tg_manual_seed(t, seed[i]);
    switch (i) {
    case 0: c.v1 = tg_nn_self_attention_v1_new(t, "m", 3, 2); break;
    case 1: c.v1 = tg_nn_self_attention_v1_new(t, "m", 3, 2); break;
    case 2: c.v2 = tg_nn_self_attention_v2_new(t, "m", 3, 2, false); break;
    case 3: c.v2 = tg_nn_self_attention_v2_new(t, "m", 3, 2, true); break;
    case 4: c.causal = tg_nn_causal_attention_new(t, "m", 3, 2, 6, 0, false); break;
    case 5: c.causal = tg_nn_causal_attention_new(t, "m", 3, 2, 6, 0, true); break;
    case 6: c.wrapper = tg_nn_multi_head_wrapper_new(t, "m", 3, 2, 6, 0, 2, false); break;
    case 7: c.multi = tg_nn_multi_head_attention_new(t, "m", 3, 2, 6, 0, 2, false); break;
    case 8: c.multi = tg_nn_multi_head_attention_new(t, "m", 3, 4, 0, 0, 2, true); break;
    case 9: c.cross = tg_nn_cross_attention_new(t, "m", 3, 3, 2, 0, true); break;
    default: c.additive = tg_nn_additive_attention_new(t, "m", 3, 3, 5); break;
    }
    ck_assert_msg(tg_tape_status(t) == TG_OK, "%s", tg_error(t));
    return c;
}

/* Case i's inputs. */
static inline void case_inputs(nn_case *c, tg_tape *t) {
    switch (c->i) {
    case 1: c->x = tg_select(batch(t), 0, 1); break;
    case 0:
    case 2:
    case 8: c->x = journey(t); break;
    case 5: c->x = tg_slice(journey(t), 0, 0, 4, 1); break;
    case 10: c->x = tg_slice(batch(t), 1, 0, 2, 1); break;
    default: c->x = batch(t); break;
    }
    if (c->i == 9)
        c->y = tg_slice(flipped_batch(t), 1, 0, 4, 1);
    if (c->i == 10)
        c->y = flipped_batch(t);
}

static inline tg_tensor case_forward(const nn_case *c, tg_tensor *weights) {
    switch (c->i) {
    case 0:
    case 1: return tg_nn_self_attention_v1_forward(&c->v1, c->x, weights);
    case 2:
    case 3: return tg_nn_self_attention_v2_forward(&c->v2, c->x, weights);
    case 4:
    case 5: return tg_nn_causal_attention_forward(&c->causal, c->x, weights);
    case 6: return tg_nn_multi_head_wrapper_forward(&c->wrapper, c->x, weights);
    case 7:
    case 8: return tg_nn_multi_head_attention_forward(&c->multi, c->x, weights);
    case 9: return tg_nn_cross_attention_forward(&c->cross, c->x, c->y, TG_NN_NO_MASKS, weights);
    default: return tg_nn_additive_attention_forward(&c->additive, c->x, c->y, TG_NN_NO_MASKS, weights);
    }
}

/* Case i on a float64 tape with the weights that float32 draws, as the goldens have them. */
static inline nn_case case_in_double(tg_tape *t, int i) {
    tg_tape *f32 = tg_tape_new(TG_F32);
    case_new(f32, i);
    nn_case c = case_new(t, i);
    tg_list to = tg_parameters(t), from = tg_parameters(f32);
    ck_assert_int_eq(to.n, from.n);
    for (int64_t k = 0; k < to.n; k++)
        ck_assert_int_eq(tg_copy_(to.tensor[k], from.tensor[k]), TG_OK);
    tg_tape_free(f32);
    case_inputs(&c, t);
    return c;
}

#endif
