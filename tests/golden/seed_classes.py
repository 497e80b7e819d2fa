"""The attention classes of nn/nn.h in PyTorch, as the notebooks write them, and the cases the goldens are made of.
Every forward returns the output and the attention weights."""

import torch
from torch import nn

JOURNEY = [[0.43, 0.15, 0.89], [0.55, 0.87, 0.66], [0.57, 0.85, 0.64], [0.22, 0.58, 0.33], [0.77, 0.25, 0.10], [0.05, 0.80, 0.55]]
STEP = [[0.8938, 0.9003, 0.8978], [0.7165, 0.3428, 0.2553], [0.1042, 0.5163, 0.3753], [0.0445, 0.3091, 0.9763], [0.1554, 0.1614, 0.2700], [0.8089, 0.9435, 0.5480]]


def attend(q, k, v, hidden=None, added=None, dropout=None):
    scores = q @ k.transpose(-2, -1) / k.shape[-1] ** 0.5
    if hidden is not None:
        scores = scores.masked_fill(hidden, -torch.inf)
    if added is not None:
        scores = scores + added
    weights = torch.softmax(scores, dim=-1)
    if dropout is not None:
        weights = dropout(weights)
    return weights @ v, weights


class SelfAttentionV1(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.W_query = nn.Parameter(torch.rand(d_in, d_out))
        self.W_key = nn.Parameter(torch.rand(d_in, d_out))
        self.W_value = nn.Parameter(torch.rand(d_in, d_out))

    def forward(self, x):
        return attend(x @ self.W_query, x @ self.W_key, x @ self.W_value)


class QKV(nn.Module):
    def __init__(self, d_x, d_y, d_out, bias):
        super().__init__()
        self.W_query = nn.Linear(d_x, d_out, bias=bias)
        self.W_key = nn.Linear(d_y, d_out, bias=bias)
        self.W_value = nn.Linear(d_y, d_out, bias=bias)


class SelfAttentionV2(QKV):
    def __init__(self, d_in, d_out, qkv_bias=False):
        super().__init__(d_in, d_in, d_out, qkv_bias)

    def forward(self, x):
        return attend(self.W_query(x), self.W_key(x), self.W_value(x))


class CausalAttention(QKV):
    def __init__(self, d_in, d_out, context, dropout=0.0, qkv_bias=False):
        super().__init__(d_in, d_in, d_out, qkv_bias)
        self.dropout = nn.Dropout(dropout)
        self.register_buffer("mask", torch.triu(torch.ones(context, context), diagonal=1))

    def forward(self, x):
        T = x.shape[-2]
        return attend(self.W_query(x), self.W_key(x), self.W_value(x), self.mask.bool()[:T, :T], None, self.dropout)


class MultiHeadWrapper(nn.Module):
    def __init__(self, d_in, d_out, context, dropout, heads, qkv_bias=False):
        super().__init__()
        self.heads = nn.ModuleList([CausalAttention(d_in, d_out, context, dropout, qkv_bias) for _ in range(heads)])

    def forward(self, x):
        y, w = zip(*[head(x) for head in self.heads])
        return torch.cat(y, dim=-1), torch.stack(w, dim=-3)


class MultiHeadAttention(QKV):
    """context 0: not causal."""

    def __init__(self, d_in, d_out, context, dropout, heads, qkv_bias=False):
        super().__init__(d_in, d_in, d_out, qkv_bias)
        self.heads = heads
        self.out_proj = nn.Linear(d_out, d_out)
        self.dropout = nn.Dropout(dropout)
        if context:
            self.register_buffer("mask", torch.triu(torch.ones(context, context), diagonal=1))

    def split(self, x):
        return x.unflatten(-1, (self.heads, -1)).transpose(-2, -3)

    def forward(self, x):
        T = x.shape[-2]
        hidden = self.mask.bool()[:T, :T] if hasattr(self, "mask") else None
        q, k, v = self.split(self.W_query(x)), self.split(self.W_key(x)), self.split(self.W_value(x))
        y, w = attend(q, k, v, hidden, None, self.dropout)
        return self.out_proj(y.transpose(-2, -3).flatten(-2)), w


class CrossAttention(QKV):
    def forward(self, x, y):
        return attend(self.W_query(x), self.W_key(y), self.W_value(y))


class AdditiveAttention(nn.Module):
    def __init__(self, d_s, d_h, hidden):
        super().__init__()
        self.W_1 = nn.Linear(d_h, hidden, bias=False)
        self.W_2 = nn.Linear(d_s, hidden, bias=False)
        self.v = nn.Linear(hidden, 1, bias=False)

    def forward(self, s, h):
        scores = self.v(torch.tanh(self.W_1(h).unsqueeze(-3) + self.W_2(s).unsqueeze(-2))).squeeze(-1)
        weights = torch.softmax(scores, dim=-1)
        return weights @ h, weights


def journey(dtype=torch.float64):
    return torch.tensor(JOURNEY, dtype=dtype)


def batch(dtype=torch.float64):
    return torch.stack([journey(dtype), torch.tensor(STEP, dtype=dtype)])


# name, seed, class, arguments, inputs
CASES = [
    ("self_attention_v1", 123, lambda: SelfAttentionV1(3, 2), lambda: [journey()]),
    ("self_attention_v1_000", 100, lambda: SelfAttentionV1(3, 2), lambda: [batch()[1]]),
    ("self_attention_v2", 789, lambda: SelfAttentionV2(3, 2), lambda: [journey()]),
    ("self_attention_v2_bias", 789, lambda: SelfAttentionV2(3, 2, True), lambda: [batch()]),
    ("causal_attention", 123, lambda: CausalAttention(3, 2, 6), lambda: [batch()]),
    ("causal_attention_short", 123, lambda: CausalAttention(3, 2, 6, 0.0, True), lambda: [journey()[:4]]),
    ("multi_head_wrapper", 123, lambda: MultiHeadWrapper(3, 2, 6, 0.0, 2), lambda: [batch()]),
    ("multi_head_attention", 123, lambda: MultiHeadAttention(3, 2, 6, 0.0, 2), lambda: [batch()]),
    ("multi_head_encoder", 123, lambda: MultiHeadAttention(3, 4, 0, 0.0, 2, True), lambda: [journey()]),
    ("cross_attention", 123, lambda: CrossAttention(3, 3, 2, True), lambda: [batch(), batch().flip(0)[:, :4]]),
    ("additive_attention", 123, lambda: AdditiveAttention(3, 3, 5), lambda: [batch()[:, :2], batch().flip(0)]),
]


def make(case):
    """The model with its float32 initial weights, in float64, and its inputs."""
    _, seed, new, inputs = case
    torch.manual_seed(seed)
    return new().double(), inputs()


def target(y):
    return torch.sin(torch.arange(y.numel(), dtype=torch.float64)).view(y.shape)


def flat(tensors):
    return [v for t in tensors for v in t.detach().flatten().tolist()]


def array(values):
    return "{" + ", ".join(repr(v) for v in values) + "}"
