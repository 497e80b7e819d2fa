/* For making programs: the one so far, and what fits to it. */
#ifndef TAPEGRAD_FUZZ_PROGRAM_MAKE_H
#define TAPEGRAD_FUZZ_PROGRAM_MAKE_H

#include "tests/fuzz/program.h"

typedef struct maker {
    choices *c;
    store *numbers;
    program *p;
    tg_tape *t;
    tg_tensor x[MAX_STEPS];
} maker;

/* ---- what fits: program_make.c ---- */

tg_shape shape_of(const maker *m, int i);
int64_t any_size(const maker *m);
/* One that broadcasts with (or, when it must, to) s. */
tg_shape fitting_shape(const maker *m, tg_shape s, bool to);
/* The index of a new leaf's step, or -1. high: ints are 0 .. high - 1. */
int add_leaf(maker *m, special kind, tg_shape shape, int64_t high);
int float_leaf(maker *m, tg_shape shape);
/* A step of this shape, or a new leaf; a mask that broadcasts to it. */
int exactly(maker *m, tg_shape shape);
int mask_for(maker *m, tg_shape shape);

/* ---- arguments; false when x does not suit: program_make_attention.c ---- */

/* Weights by hand are a matrix, of which a few steps make one larger than memory. */
bool is_too_long(const maker *m, const step *s);
bool make_attention(maker *m, step *s);
bool make_attention_with(maker *m, step *s);
bool make_multihead(maker *m, step *s);
bool make_plain_attention(maker *m, step *s);
bool make_additive(maker *m, step *s);
bool make_lora(maker *m, step *s);
bool make_encoder_layer(maker *m, step *s);

#endif
