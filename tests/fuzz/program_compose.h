/* For composing calls by hand: what several of them are made of. g: the noise of results and gradients. */
#ifndef TAPEGRAD_FUZZ_PROGRAM_COMPOSE_H
#define TAPEGRAD_FUZZ_PROGRAM_COMPOSE_H

#include "tests/fuzz/program.h"

/* ---- program_compose.c ---- */

tg_tensor not_masked(tg_tensor mask);
tg_tensor with_noisy_gradient(tg_tensor x, grain *g);
tg_tensor layer_norm_by_hand(const step *s, const tg_tensor *in);
tg_tensor gelu_by_hand(tg_tensor x, grain *g);
tg_tensor linear_by_hand(tg_tensor x, tg_tensor w, tg_tensor b);

/* ---- attention and its layers; TG_NULL when there is no other way: program_compose_attention.c ---- */

tg_tensor masked_softmax_by_hand(tg_tensor from, tg_tensor visible, int dim, grain *g);
tg_tensor attention_by_hand(tg_tape *t, const step *s, const tg_tensor *in, grain *g);
tg_tensor attention_with_by_hand(tg_tape *t, const step *s, const tg_tensor *in, grain *g);
tg_tensor multihead_by_hand(tg_tape *t, const step *s, const tg_tensor *in, grain *g);
tg_tensor plain_attention_by_hand(tg_tape *t, const step *s, const tg_tensor *in, grain *g);
tg_tensor additive_by_hand(tg_tape *t, const step *s, const tg_tensor *in, grain *g);
tg_tensor lora_by_hand(const step *s, const tg_tensor *in);
tg_tensor encoder_layer_by_hand(tg_tape *t, const step *s, const tg_tensor *in, grain *g);

#endif
