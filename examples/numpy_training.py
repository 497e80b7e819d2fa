#!/usr/bin/env python3
"""Trains attention from numpy, without a copy: make python, then PYTHONPATH=build/python python3 examples/numpy_training.py

What is learnt: the mean of all that came so far. Causal attention can give it exactly, by looking at everything alike.
The step is recorded once. From then on each batch is made by numpy in the tensors' own memory and the tape replayed.
"""
import numpy

import tapegrad as tg

BATCH, LENGTH, WIDTH, STEPS = 16, 12, 8, 300

t = tg.tg_tape_new(tg.TG_F32)
tg.tg_manual_seed(t, 123)
attention = tg.tg_nn_causal_attention_new(t, b"attn", WIDTH, WIDTH, LENGTH, 0.0, False)
adam = tg.tg_adam_new(t, tg.tg_parameters(t), tg.TG_ADAM_DEFAULTS)
tg.tg_optim_set_lr(adam, 0.01)

x = tg.tg_zeros(t, tg.shape(BATCH, LENGTH, WIDTH))
wanted = tg.tg_zeros(t, tg.shape(BATCH, LENGTH, WIDTH))
built = tg.tg_tape_mark(t)
loss = tg.tg_mse_loss(tg.tg_nn_causal_attention_forward(attention, x, None), wanted, tg.TG_MEAN)
tg.must(t)

random = numpy.random.default_rng(123)
for step in range(1, STEPS + 1):
    batch = tg.view(x)
    batch[:] = random.standard_normal(batch.shape)
    numpy.divide(batch.cumsum(axis=1), numpy.arange(1, LENGTH + 1)[:, None], out=tg.view(wanted))
    tg.must(t, tg.tg_replay(t, built))
    tg.tg_optim_zero_grad(adam)
    tg.must(t, tg.tg_backward(loss))
    tg.must(t, tg.tg_optim_step(adam))
    if step == 1 or step % 50 == 0:
        print(f"step {step:3}  loss {tg.tg_item(loss):.6f}")

value = tg.view(tg.tg_named(t, b"attn.W_value.weight"))
print(f"W_value is the identity to {abs(value - numpy.eye(WIDTH)).max():.4f}")
tg.tg_tape_free(t)
