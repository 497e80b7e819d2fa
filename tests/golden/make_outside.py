"""Writes outside.h: what PyTorch computes of tests/outside, the Lion optimizer (Chen et al. 2023, as written in the
paper's algorithm 2) and causal linear attention (Katharopoulos et al. 2020). Run: python3 make_outside.py > outside.h"""

import math

import torch

B, T, D, DV = 2, 5, 3, 4
SIZES = [5, 3]
STEPS = 12
OPTIONS = [dict(lr=0.05, beta1=0.9, beta2=0.99, weight_decay=0.1), dict(lr=0.02, beta1=0.7, beta2=0.8, weight_decay=0.0)]


def numbers(values):
    return "{" + ", ".join(repr(float(v)) for v in values.flatten().tolist()) + "}"


def gradient(step, p, n):
    return [math.sin(1.7 * step + 0.9 * j + 2.1 * p) * (1 + j) for j in range(n)]


def lion(dtype):
    """Two parameters, a group each; the second has no gradient in every third step; rates are halved after 6 steps."""
    params = [torch.tensor([math.cos(j + p) for j in range(n)], dtype=dtype) for p, n in enumerate(SIZES)]
    average = [torch.zeros_like(x) for x in params]
    for step in range(STEPS):
        for p, (x, m, o) in enumerate(zip(params, average, OPTIONS)):
            if p == 1 and step % 3 == 0:
                continue
            lr = o["lr"] * (0.5 if step >= 6 else 1)
            g = torch.tensor(gradient(step, p, len(x)), dtype=dtype)
            x.mul_(1 - lr * o["weight_decay"])
            x.add_(torch.sign(m * o["beta1"] + g * (1 - o["beta1"])), alpha=-lr)
            m.mul_(o["beta2"]).add_(g, alpha=1 - o["beta2"])
    return torch.cat(params)


def feature(x):
    return torch.nn.functional.elu(x) + 1


def linear_attention(q, k, v, state):
    """With all T states at once, by a cumulative sum."""
    with_one = torch.cat([v, torch.ones_like(v[..., :1])], -1)
    states = state[:, None] + torch.cumsum(feature(k)[..., None] * with_one[..., None, :], 1)
    n = torch.einsum("btd,btdv->btv", feature(q), states)
    return n[..., :-1] / n[..., -1:], states[:, -1]


def inputs(dtype):
    torch.manual_seed(5)
    shapes = [(B, T, D), (B, T, D), (B, T, DV), (B, D, DV + 1)]
    x = [torch.randn(s, dtype=torch.float64) for s in shapes]
    x[3] = x[3].abs()
    return [a.to(dtype).requires_grad_() for a in x]


print(f"/* Written by make_outside.py with PyTorch {torch.__version__.split('+')[0]}. */")
print(f"enum {{ LION_STEPS = {STEPS}, LA_B = {B}, LA_T = {T}, LA_D = {D}, LA_DV = {DV} }};")
print(f"static const double lion_f64[] = {numbers(lion(torch.float64))};")
print(f"static const double lion_f32[] = {numbers(lion(torch.float32))};")
x = inputs(torch.float64)
y, end = linear_attention(*x)
torch.manual_seed(6)
dy, dend = torch.randn_like(y), torch.randn_like(end)
grads = {"both": (dy, dend), "y": (dy, 0 * dend), "end": (0 * dy, dend)}
for name, a in zip(["q", "k", "v", "state", "y", "end", "dy", "dend"], x + [y, end, dy, dend]):
    print(f"static const double la_{name}[] = {numbers(a)};")
print("/* The gradients of q, k, v and state, one behind another: from both outputs, and from one of them. */")
for name, cotangent in grads.items():
    g = torch.autograd.grad((y, end), x, cotangent, retain_graph=True, allow_unused=True)
    print(f"static const double la_grad_{name}[] = {numbers(torch.cat([a.flatten() for a in g]))};")
