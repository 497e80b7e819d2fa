"""Writes train.h: losses and final weights of training the layers with PyTorch in float64.

Run: python3 make_train.py > train.h
"""

import torch

from seed_classes import CASES, array, flat, make, target


def train(case, new_optimizer, steps):
    """Mean squared error against a fixed target: its value before each step and after the last, and the weights."""
    model, inputs = make(case)
    optimizer = new_optimizer(model.parameters())
    losses = []
    for step in range(steps + 1):
        y, _ = model(*inputs)
        loss = torch.nn.functional.mse_loss(y, target(y))
        losses.append(loss.item())
        if step < steps:
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
    return losses, flat(model.parameters())


OPTIMIZERS = [
    ("sgd", lambda p: torch.optim.SGD(p, lr=0.05, foreach=False)),
    ("sgd_nesterov", lambda p: torch.optim.SGD(p, lr=0.05, momentum=0.9, nesterov=True, weight_decay=0.01, foreach=False)),
    ("adam", lambda p: torch.optim.Adam(p, lr=0.01, foreach=False)),
    ("adamw", lambda p: torch.optim.AdamW(p, lr=0.01, foreach=False)),
    ("adamw_amsgrad", lambda p: torch.optim.AdamW(p, lr=0.01, weight_decay=0.1, amsgrad=True, foreach=False)),
]
# PyTorch's default rate: at 0.01 a few losses meet an instability of Adam that blows rounding errors up, in PyTorch too
ADAM = lambda p: torch.optim.Adam(p, foreach=False)
SELF_ATTENTION = next(case for case in CASES if case[0] == "self_attention_v2")

torch.set_num_threads(1)
print("/* Written by make_train.py with PyTorch %s. */" % torch.__version__.split("+")[0])
print("/* 200 steps of each optimizer on self_attention_v2: the loss before each step and after the last */")
print("static const struct { const char *name; double loss[201], final[18]; } optimizer_golden[] = {")
for name, new in OPTIMIZERS:
    losses, final = train(SELF_ATTENTION, new, 200)
    print('{"%s", %s, %s},' % (name, array(losses), array(final)))
print("};\n")

print("/* 1000 steps of Adam, lr 0.001, on each layer: the loss before every 10th step and after the last */")
print("static const struct { const char *name; double loss[101], final[72]; } layer_golden[] = {")
for case in CASES:
    losses, final = train(case, ADAM, 1000)
    print('{"%s", %s, %s},' % (case[0], array(losses[::10]), array(final)))
print("};")
