"""Hessian-vector products of layers and of a transformer block by PyTorch's double backward: tests/golden/second.h.

    python3 tests/golden/make_second.py > tests/golden/second.h

Inputs, weights, cotangents and directions are simple fractions, which tests/second_test.c makes again. The operations'
second derivatives are in ops.h."""
import torch
import torch.nn.functional as F
from torch import nn
from torch.func import functional_call
from torch.nn.attention import SDPBackend, sdpa_kernel

import seed_classes as layers

torch.set_default_dtype(torch.float64)


def numbers(shape, a, b, c, d):
    i = torch.arange(shape.numel(), dtype=torch.int64)
    return (((i * a + b) % c).to(torch.float64) / d - 1).reshape(shape)


class Dropout(nn.Module):
    """PyTorch's without MKL: a double for each element, kept when below 1 - p."""

    def __init__(self, p):
        super().__init__()
        self.p = p

    def forward(self, x):
        return x * ((torch.rand(x.shape) < 1 - self.p) / (1 - self.p))


class Block(nn.Module):
    """Before its norms' sums: 2 heads of 2."""

    def __init__(self):
        super().__init__()
        self.norm1 = nn.LayerNorm(4)
        self.attention = layers.MultiHeadAttention(4, 4, 3, 0.0, 2)
        self.norm2 = nn.LayerNorm(4)
        self.up = nn.Linear(4, 6)
        self.down = nn.Linear(6, 4)

    def forward(self, x):
        x = x + self.attention(self.norm1(x))[0]
        return x + self.down(F.gelu(self.up(self.norm2(x))))


class Attention(nn.Module):
    """tg_nn_attention with a mask of numbers, padding and causal, and dropout."""

    def forward(self, q, k, v, added):
        hidden = torch.ones(3, 3).triu(1).bool() | PADDING.unsqueeze(1)
        return layers.attend(q, k, v, hidden, added, Dropout(0.25))


class Masked(layers.MultiHeadAttention):
    """The encoder with a boolean mask and padding, and dropout."""

    def forward(self, x):
        q, k, v = self.split(self.W_query(x)), self.split(self.W_key(x)), self.split(self.W_value(x))
        y, w = layers.attend(q, k, v, HIDDEN | PADDING[:, None, None, :], None, Dropout(0.25))
        return self.out_proj(y.transpose(-2, -3).flatten(-2)), w


class MaskedCross(layers.CrossAttention):
    def forward(self, x, y):
        return layers.attend(self.W_query(x), self.W_key(y), self.W_value(y), PADDING.unsqueeze(1), None, Dropout(0.25))


class Additive(layers.AdditiveAttention):
    def forward(self, s, h):
        scores = self.v(torch.tanh(self.W_1(h).unsqueeze(-3) + self.W_2(s).unsqueeze(-2))).squeeze(-1)
        return scores.masked_fill(PADDING.unsqueeze(1), -torch.inf).softmax(-1) @ h


class Multihead(nn.Module):
    """Queries of width 4, keys of 3, values of 5; the weights are asked for: only then PyTorch has a double backward."""

    def __init__(self):
        super().__init__()
        self.m = nn.MultiheadAttention(4, 2, kdim=3, vdim=5, batch_first=True)

    def forward(self, q, k, v):
        return self.m(q, k, v, key_padding_mask=PADDING, attn_mask=HIDDEN)


class Simple(nn.Module):
    def forward(self, x):
        return torch.softmax(x @ x.transpose(-2, -1), -1) @ x


def dropping(model, p):
    for m in model.modules():
        if hasattr(m, "dropout"):
            m.dropout = Dropout(p)
    return model


IDS = torch.tensor([2, 0, 5, 2, 3])
PADDING = torch.tensor([[False, False, True], [False, True, False]])
HIDDEN = torch.tensor([[False, True, False], [False, False, True], [True, False, False]])
X = (2, 3, 4)

# name, model, shapes of its inputs: the leaves are these and the model's parameters
CASES = [
    ("linear", nn.Linear(4, 5), [X]),
    ("embedding", nn.Embedding(6, 3), []),
    ("layer_norm", nn.LayerNorm(4), [X]),
    ("rms_norm", nn.RMSNorm(4, eps=1e-6), [X]),
    ("simple_attention", Simple(), [X]),
    ("attention", Attention(), [X, X, (2, 3, 2), (3, 3)]),
    ("self_attention_v1", layers.SelfAttentionV1(4, 3), [X]),
    ("self_attention_v2", layers.SelfAttentionV2(4, 3, True), [X]),
    ("causal_attention", dropping(layers.CausalAttention(4, 3, 5, 0.25), 0.25), [X]),
    ("multi_head_wrapper", dropping(layers.MultiHeadWrapper(4, 2, 5, 0.25, 2, True), 0.25), [X]),
    ("multi_head_attention", dropping(layers.MultiHeadAttention(4, 4, 5, 0.25, 2), 0.25), [X]),
    ("multi_head_attention masked", Masked(4, 4, 0, 0.0, 2, True), [X]),
    ("cross_attention", layers.CrossAttention(4, 3, 2, True), [X, (2, 5, 3)]),
    ("cross_attention masked", MaskedCross(4, 3, 2, False), [X, (2, 3, 3)]),
    ("additive_attention", Additive(4, 3, 5), [X, (2, 3, 3)]),
    ("multihead", Multihead(), [X, (2, 3, 3), (2, 3, 5)]),
    ("encoder_layer", nn.TransformerEncoderLayer(4, 2, 6, 0.0, batch_first=True), [X]),
    ("encoder_layer norm first", nn.TransformerEncoderLayer(4, 2, 6, 0.0, F.gelu, batch_first=True, norm_first=True), [X]),
    ("block", Block(), [X]),
]


def products(model, shapes):
    """H v of the sum of w y^2."""
    names = [n for n, _ in model.named_parameters()]
    shapes = [torch.Size(s) for s in shapes] + [p.shape for p in model.parameters()]
    leaves = [numbers(s, 37, 11 + 17 * k, 101, 50).requires_grad_(True) for k, s in enumerate(shapes)]
    inputs = leaves[:len(leaves) - len(names)] or [IDS]
    torch.manual_seed(11)
    with sdpa_kernel(SDPBackend.MATH):
        y = functional_call(model, dict(zip(names, leaves[len(leaves) - len(names):])), tuple(inputs))
    y = y[0] if isinstance(y, tuple) else y
    w = numbers(y.shape, 53, 7, 97, 48)
    g = torch.autograd.grad((y**2 * w).sum(), leaves, create_graph=True)
    total = sum((d * numbers(s, 29, 5 + 13 * k, 89, 44)).sum() for k, (d, s) in enumerate(zip(g, shapes)))
    return [n for h in torch.autograd.grad(total, leaves, materialize_grads=True) for n in h.flatten().tolist()]


def main():
    print("/* Made by tests/golden/make_second.py with PyTorch %s. */" % torch.__version__)
    print("/* clang-format off */\n#include <stdint.h>")
    for i, (_, model, shapes) in enumerate(CASES):
        print("static const double second_%d[] = {%s};" % (i, ", ".join(map(repr, products(model, shapes)))))
    print("typedef struct second_golden {\n    const char *name;\n    int64_t n;\n    const double *hv;\n} second_golden;")
    print("static const second_golden second_goldens[] = {")
    for i, (name, _, _) in enumerate(CASES):
        print('    {"%s", sizeof second_%d / sizeof(double), second_%d},' % (name, i, i))
    print("};")


main()
