#!/usr/bin/env python3
"""Golden values for every operation, from PyTorch (and transformers) in float64: writes ops.h beside this file.

A case is the same expression twice, in C and in PyTorch, with inputs drawn as multiples of 1/16 (short to write, the
same in float32). ops.h holds the C expressions in a switch and, in one array of numbers for each case: the inputs,
the cotangent w of the result, the result, the gradient of each input that requires one; then, of PyTorch's double
backward, a direction v for each of these inputs and the gradient of the sum of v times gradient with respect to w,
which is J v, and to each input, H v. Attention is PyTorch's math backend, the one that has a double backward.
"""
import os
from types import SimpleNamespace
from unittest import mock

import torch
import torch.nn.functional as F
from transformers.modeling_rope_utils import ROPE_INIT_FUNCTIONS
from torch.nn.attention import SDPBackend, sdpa_kernel

torch.set_default_dtype(torch.float64)
draw = torch.Generator().manual_seed(20240607)
draw_direction = torch.Generator().manual_seed(20261122)
INF, NAN = float("inf"), float("nan")


class Input:
    """kind: f floating with a gradient, c floating without, i int64, b bool."""

    def __init__(self, kind, value):
        self.kind, self.value = kind, value


def sixteenths(shape, low, high, draw=draw):
    """Multiples of 1/16 in [low, high], never 0."""
    x = torch.randint(int(low * 16), int(high * 16) + 1, shape, generator=draw).double() / 16
    return torch.where(x == 0, torch.full_like(x, 0.0625), x)


def X(*shape):  # both signs
    return Input("f", sixteenths(shape, -2, 2))


def P(*shape):  # positive
    return Input("f", sixteenths(shape, 0.25, 3))


def K(*shape):  # a constant: requires no gradient
    return Input("c", sixteenths(shape, -2, 2))


def V(values):  # these very numbers
    return Input("f", torch.tensor(values))


def I(values):
    return Input("i", torch.tensor(values, dtype=torch.int64))


def B(values):
    return Input("b", torch.tensor(values, dtype=torch.bool))


def never_nan(f, x, dim, fallback):
    """f along dim, but fallback and no gradient in rows that are -inf throughout."""
    dead = (x == -INF).all(dim, keepdim=True)
    y = f(torch.where(dead, torch.zeros_like(x), x))
    return torch.where(dead.expand_as(y) if y.dim() == x.dim() else dead.squeeze(dim), torch.full_like(y, fallback), y)


def dropout(x, p, seed):
    """PyTorch's without MKL: a double for each element, kept when below 1 - p."""
    torch.manual_seed(seed)
    return x * ((torch.rand(x.shape) < 1 - p) / (1 - p))


def attention(q, k, v, allowed=None, bias=None, scale=None, drop=0, seed=11):
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    s = q @ k.transpose(-1, -2) * scale
    if bias is not None:
        s = s + bias
    if allowed is not None:
        s = s.masked_fill(~allowed, -INF)
    p = never_nan(lambda s: s.softmax(-1), s, -1, 0.0)
    return (dropout(p, drop, seed) if drop else p) @ v


def published(q, k, v, mask=None, alibi=None, sinks=None, documents=None, causal=False, offset=0, window=0, softcap=0):
    """Attention with what published models add, with (T, S) masks."""
    if q.dim() > 2 and q.shape[-3] != k.shape[-3]:
        k, v = [x.repeat_interleave(q.shape[-3] // k.shape[-3], -3) for x in (k, v)]
    s = q @ k.mT * q.shape[-1] ** -0.5
    S, i, j = s.shape[-1], offset + torch.arange(s.shape[-2])[:, None], torch.arange(s.shape[-1])
    if softcap:
        s = softcap * torch.tanh(s / softcap)
    if alibi is not None:
        s = s - alibi[:, None, None] * (i - j).abs()
    if mask is not None:
        s = s + mask
    hidden = torch.zeros(S, dtype=torch.bool)
    if causal:
        hidden = hidden | (j > i)
    if window:
        hidden = hidden | ((i - j).abs() >= window)
    if documents is not None:
        if documents.dim() > 1 and q.dim() > 3:
            documents = documents[:, None]
        hidden = hidden | (documents[..., i] != documents[..., None, :])
    s = s.masked_fill(hidden, -INF)
    if sinks is not None:
        s = torch.cat([s, sinks[:, None, None].expand(*s.shape[:-1], 1)], -1)
    return s.softmax(-1)[..., :S] @ v


def lower(T, S):
    return torch.ones(T, S, dtype=torch.bool).tril()


CASES = []


def case(op, c, f, *inputs, note="", twice=True):
    """twice: compare second derivatives; not where there are none (poles, kinks, means of nothing)."""
    CASES.append((op, c, f, inputs, note, twice))


def unary(op, f, *special):
    case(op, f"tg_{op}(x[0])", f, X(2, 3))
    case(op, f"tg_{op}(tg_transpose(x[0], 0, 1))", lambda x: f(x.transpose(0, 1)), X(3, 2), note="a view")
    case(op, f"tg_{op}(x[0])", f, X(), note="a scalar")
    case(op, f"tg_{op}(x[0])", f, X(2, 0), note="empty")
    if special:
        case(op, f"tg_{op}(x[0])", f, V(list(special)), note="special points")


def binary(op, f, draw=X, *special, twice=True):
    c = f"tg_{op}(x[0], x[1])"
    case(op, c, f, draw(2, 3), draw(2, 3))
    case(op, c, f, draw(3, 1, 2), draw(4, 1), note="both broadcast")
    case(op, c, f, draw(2, 3), draw(), note="a scalar broadcasts")
    case(op, c, f, draw(0, 3), draw(1, 3), note="empty")
    case(op, f"tg_{op}(tg_transpose(x[0], 0, 1), tg_slice(x[1], 1, 0, 4, 2))",
         lambda a, b: f(a.transpose(0, 1), b[:, 0:4:2]), draw(2, 3), draw(3, 4), note="views")
    case(op, f"tg_{op}(x[0], x[0])", lambda a: f(a, a), draw(3), note="one operand twice")
    if special:
        case(op, c, f, V(special[0]), V(special[1]), note="special points", twice=twice)


# ---- elementwise ----
binary("add", torch.add)
binary("sub", torch.sub)
binary("mul", torch.mul)
binary("div", torch.div, P, [1.0, -1.0, 0.0, 3.0], [0.0, 0.0, 2.0, -4.0], twice=False)
binary("maximum", torch.maximum, X, [1.0, 2.0, -1.0, 0.0], [1.0, 1.0, 3.0, 0.0])
binary("minimum", torch.minimum, X, [1.0, 2.0, -1.0, 0.0], [1.0, 1.0, 3.0, 0.0])
unary("neg", torch.neg, 0.0, INF)
unary("exp", torch.exp, -INF, 0.0, -800.0)
case("log", "tg_log(x[0])", torch.log, P(2, 3))
case("log", "tg_log(x[0])", torch.log, V([0.0, 1.0, INF]), note="special points")
case("sqrt", "tg_sqrt(x[0])", torch.sqrt, P(2, 3))
case("sqrt", "tg_sqrt(x[0])", torch.sqrt, V([0.0, 1.0, INF]), note="special points")
unary("square", torch.square, 0.0)
unary("abs", torch.abs, 0.0, -1.0)
unary("tanh", torch.tanh, 0.0, 30.0, -30.0)
unary("sigmoid", torch.sigmoid, 0.0, 40.0, -40.0, -800.0)
unary("relu", torch.relu, 0.0, -0.5, 0.5)
unary("silu", F.silu, 0.0, 40.0, -40.0)
unary("gelu", F.gelu, 0.0, 10.0, -10.0)
unary("gelu_tanh", lambda x: F.gelu(x, approximate="tanh"), 0.0, 10.0, -10.0)
for p in (2, 3, 1, 0, -1, -2):
    case("pow", f"tg_pow(x[0], {p})", lambda x, p=p: torch.pow(x, p), X(5), note="both signs")
for p in (0.5, 2.5, -0.5):
    case("pow", f"tg_pow(x[0], {p})", lambda x, p=p: torch.pow(x, p), P(5))
for p in (0, 1, 2, 3):
    case("pow", f"tg_pow(x[0], {p})", lambda x, p=p: torch.pow(x, p), V([0.0, 1.0, -1.0]), note="at 0")
case("clamp", "tg_clamp(x[0], -1, 0.5)", lambda x: x.clamp(-1, 0.5), V([-2.0, -0.9375, 0.0, 0.4375, 1.0]))  # versions differ at a bound
case("clamp", "tg_clamp(x[0], 0.3, (double)INFINITY)", lambda x: x.clamp(min=0.3), X(3, 2), note="one bound")
for op, c, f in (
    ("add_scalar", "tg_add_scalar(x[0], 1.5)", lambda x: x + 1.5),
    ("sub_scalar", "tg_sub_scalar(x[0], 1.5)", lambda x: x - 1.5),
    ("rsub_scalar", "tg_rsub_scalar(1.5, x[0])", lambda x: 1.5 - x),
    ("mul_scalar", "tg_mul_scalar(x[0], -1.5)", lambda x: x * -1.5),
    ("div_scalar", "tg_div_scalar(x[0], 3)", lambda x: x / 3),
    ("rdiv_scalar", "tg_rdiv_scalar(1.5, x[0])", lambda x: 1.5 / x),
):
    case(op, c, f, P(2, 3))
    case(op, c.replace("x[0]", "tg_transpose(x[0], 0, 1)"), lambda x, f=f: f(x.transpose(0, 1)), P(2, 3), note="a view")
for op, f in (("eq", torch.eq), ("lt", torch.lt), ("gt", torch.gt)):
    case(op, f"tg_{op}(x[0], x[1])", f, V([[1.0, 2.0], [3.0, -1.0]]), V([2.0, -1.0]))
case("eq", "tg_eq(x[0], x[1])", torch.eq, I([1, 2, 3]), I([[3], [2]]), note="ints")
case("logical_not", "tg_logical_not(x[0])", torch.logical_not, B([[True, False], [False, False]]))
case("to_bool", "tg_to_bool(x[0])", lambda x: x != 0, V([0.0, -0.0, 0.5, -1.0]))
case("to_bool", "tg_to_bool(x[0])", lambda x: x != 0, I([0, 1, -3]))
case("to_float", "tg_to_float(x[0])", lambda x: x.double(), I([[0, 1], [-3, 7]]))
case("to_float", "tg_to_float(x[0])", lambda x: x.double(), B([True, False]))
case("where", "tg_where(x[0], x[1], x[2])", torch.where, B([[True, False, True], [False, False, True]]), X(2, 3), X(2, 3))
case("where", "tg_where(x[0], x[1], x[2])", torch.where, B([True, False, True]), X(2, 1), X(), note="all broadcast")
case("masked_fill", "tg_masked_fill(x[0], x[1], -2.5)", lambda x, m: x.masked_fill(m, -2.5), X(2, 2, 3),
     B([[True, False, True], [False, False, True]]), note="the mask broadcasts")
case("masked_fill", "tg_masked_fill(tg_transpose(x[0], 0, 1), x[1], -(double)INFINITY)",
     lambda x, m: x.transpose(0, 1).masked_fill(m, -INF), X(3, 2), B([[True, False, True], [True, True, True]]), note="-inf")

# ---- reductions ----
for op, f in (
    ("sum", lambda x, d, k: x.sum(d, keepdim=k)),
    ("mean", lambda x, d, k: x.mean(d, keepdim=k)),
    ("amax", lambda x, d, k: x.amax(d, keepdim=k)),
    ("amin", lambda x, d, k: x.amin(d, keepdim=k)),
    ("logsumexp", lambda x, d, k: x.logsumexp(d, keepdim=k)),
):
    case(op, f"tg_{op}(x[0], TG_ALL_DIMS, false)", lambda x, f=f: f(x, (0, 1), False), X(2, 3))
    case(op, f"tg_{op}(x[0], TG_ALL_DIMS, true)", lambda x, f=f: f(x, (0, 1), True), X(2, 3), note="keepdim")
    case(op, f"tg_{op}(x[0], TG_DIMS(-1), false)", lambda x, f=f: f(x, -1, False), X(2, 3), note="last dim")
    case(op, f"tg_{op}(x[0], TG_DIMS(0, -1), false)", lambda x, f=f: f(x, (0, -1), False), X(2, 3, 2), note="outer dims")
    case(op, f"tg_{op}(x[0], TG_DIMS(-2), true)", lambda x, f=f: f(x, -2, True), X(2, 3, 2), note="middle dim, keepdim")
    case(op, f"tg_{op}(tg_transpose(x[0], 0, 2), TG_DIMS(1, 2), false)",
         lambda x, f=f: f(x.transpose(0, 2), (1, 2), False), X(2, 3, 2), note="a view")
    case(op, f"tg_{op}(tg_expand(x[0], TG_SHAPE(2, 3)), TG_DIMS(1), false)",
         lambda x, f=f: f(x.expand(2, 3), 1, False), X(2, 1), note="expanded")
    case(op, f"tg_{op}(x[0], TG_DIMS(0), false)", lambda x, f=f: f(x, 0, False), X(2, 0), note="empty result")
    case(op, f"tg_{op}(x[0], TG_ALL_DIMS, false)", lambda x: x * 1, X(), note="a scalar")
case("sum", "tg_sum(x[0], TG_DIMS(1), false)", lambda x: x.sum(1), X(2, 0), note="over nothing")
case("mean", "tg_mean(x[0], TG_DIMS(1), false)", lambda x: x.mean(1), X(2, 0), note="over nothing", twice=False)
for op in ("amax", "amin"):
    case(op, f"tg_{op}(x[0], TG_DIMS(1), false)", lambda x, op=op: getattr(x, op)(1),
         V([[1.0, 3.0, 3.0, 1.0], [2.0, 2.0, 2.0, 2.0]]), note="ties")
    case(op, f"tg_{op}(x[0], TG_ALL_DIMS, false)", lambda x, op=op: getattr(x, op)((0, 1)),
         V([[1.0, 3.0], [3.0, 1.0]]), note="ties over all dims")
case("logsumexp", "tg_logsumexp(x[0], TG_DIMS(1), false)", lambda x: never_nan(lambda s: s.logsumexp(1), x, 1, -INF),
     V([[-INF, -INF], [-INF, 1.0], [800.0, 801.0]]), note="-inf and large")
for correction in (0, 1, 1.5):
    case("var", f"tg_var(x[0], TG_DIMS(1), {correction}, false)",
         lambda x, c=correction: ((x - x.mean(1, keepdim=True)) ** 2).sum(1) / (x.shape[1] - c) if c == 1.5
         else x.var(1, correction=c), X(2, 4))
case("var", "tg_var(x[0], TG_DIMS(0, -1), 1, true)", lambda x: x.var((0, -1), correction=1, keepdim=True), X(2, 3, 2),
     note="outer dims, keepdim")
case("var", "tg_var(tg_transpose(x[0], 0, 1), TG_ALL_DIMS, 0, false)", lambda x: x.var(correction=0), X(2, 3), note="a view")
for dim, keep in ((0, False), (-1, True), (1, False)):
    case("argmax", f"tg_argmax(x[0], {dim}, {'true' if keep else 'false'})",
         lambda x, d=dim, k=keep: x.argmax(d, keepdim=k), V([[1.0, 3.0, 3.0], [2.0, 2.0, -1.0]]), note="ties: the first")

# ---- shapes ----
case("reshape", "tg_reshape(x[0], TG_SHAPE(3, -1))", lambda x: x.reshape(3, -1), X(2, 6))
case("reshape", "tg_reshape(tg_transpose(x[0], 0, 1), TG_SHAPE(-1))", lambda x: x.transpose(0, 1).reshape(-1), X(2, 3),
     note="a copy")
case("reshape", "tg_mul(tg_reshape(tg_slice(x[0], 0, 1, 3, 1), TG_SHAPE(4)), x[1])",
     lambda x, w: x[1:3].reshape(4) * w, X(3, 2), X(4), note="of a slice, as a view")
case("transpose", "tg_mul(tg_transpose(x[0], -1, 0), x[1])", lambda x, w: x.transpose(-1, 0) * w, X(2, 3, 2), X(2, 3, 2))
case("permute", "tg_mul(tg_permute(x[0], TG_DIMS(2, 0, -2)), x[1])", lambda x, w: x.permute(2, 0, 1) * w, X(2, 3, 2),
     X(2, 2, 3))
case("slice", "tg_slice(x[0], 1, 1, 6, 2)", lambda x: x[:, 1:6:2], X(2, 7))
case("slice", "tg_slice(x[0], -2, -2, 99, 1)", lambda x: x[-2:99], X(4, 2), note="negative, clamped")
case("slice", "tg_slice(x[0], 0, 3, 1, 1)", lambda x: x[3:1], X(4, 2), note="empty")
case("slice", "tg_mul(tg_slice(x[0], 0, 0, 3, 1), tg_slice(x[0], 0, 1, 4, 1))", lambda x: x[0:3] * x[1:4], X(4),
     note="overlapping")
case("select", "tg_select(x[0], 1, -1)", lambda x: x.select(1, -1), X(2, 3, 2))
case("select", "tg_mul(tg_select(x[0], 0, 1), tg_select(x[0], 0, 0))", lambda x: x[1] * x[0], X(2), note="to scalars")
case("squeeze", "tg_squeeze(x[0], -2)", lambda x: x.squeeze(-2), X(2, 1, 3))
case("squeeze", "tg_mul(tg_squeeze(x[0], 0), x[1])", lambda x, w: x.squeeze(0) * w, X(1, 3), X(3))
case("unsqueeze", "tg_mul(tg_unsqueeze(x[0], -1), x[1])", lambda x, w: x.unsqueeze(-1) * w, X(2, 3), X(4))
case("expand", "tg_mul(tg_expand(x[0], TG_SHAPE(2, -1, 3)), x[1])", lambda x, w: x.expand(2, -1, 3) * w, X(2, 1),
     X(2, 2, 3))
case("expand", "tg_expand(x[0], TG_SHAPE(0, 3))", lambda x: x.expand(0, 3), X(1, 3), note="to nothing")
case("contiguous", "tg_contiguous(tg_transpose(x[0], 0, 1))", lambda x: x.transpose(0, 1).contiguous(), X(2, 3))
case("clone", "tg_mul(tg_clone(x[0]), x[0])", lambda x: x.clone() * x, X(3))
case("detach", "tg_mul(x[0], tg_detach(x[0]))", lambda x: x * x.detach(), X(3))
case("cat", "tg_cat((tg_tensor[]){x[0], x[1], x[2]}, 3, 1)", lambda *x: torch.cat(x, 1), X(2, 1), X(2, 3), X(2, 0))
case("cat", "tg_cat((tg_tensor[]){tg_transpose(x[0], 0, 1), x[1], x[1]}, 3, -2)",
     lambda a, b: torch.cat((a.transpose(0, 1), b, b), -2), X(2, 2), X(1, 2), note="a view, a part twice")
case("stack", "tg_stack((tg_tensor[]){x[0], x[1]}, 2, -1)", lambda *x: torch.stack(x, -1), X(2, 3), X(2, 3))
case("stack", "tg_stack((tg_tensor[]){x[0], x[1]}, 2, 0)", lambda *x: torch.stack(x, 0), X(), X(), note="scalars")
case("split", "tg_mul(part(x[0], 2, 1, 0, 3), part(x[0], 2, 1, 1, 3))",
     lambda x: x.split(2, 1)[0] * x.split(2, 1)[1], X(2, 5))
case("split", "part(x[0], 2, -1, 2, 3)", lambda x: x.split(2, -1)[2], X(2, 5), note="the smaller last one")
for op in ("tril", "triu"):
    for k in (0, 1, -1):
        case(op, f"tg_{op}(x[0], {k})", lambda x, op=op, k=k: getattr(torch, op)(x, k), X(2, 3, 3))
    case(op, f"tg_{op}(tg_transpose(x[0], 0, 1), 0)", lambda x, op=op: getattr(torch, op)(x.transpose(0, 1)), X(4, 2),
         note="a view, not square")

# ---- products ----
for a, b in (((2, 3), (3, 4)), ((3,), (3,)), ((3,), (2, 3, 2)), ((2, 2, 3), (3,)), ((2, 2, 3), (3, 2)),
             ((2, 1, 2, 3), (3, 3, 2)), ((2, 0), (0, 3)), ((0, 2, 3), (3, 2)), ((1, 3), (3, 1))):
    case("matmul", "tg_matmul(x[0], x[1])", torch.matmul, X(*a), X(*b), note=f"{a} {b}")
case("matmul", "tg_matmul(tg_transpose(x[0], 1, 2), tg_transpose(x[1], -1, -2))",
     lambda a, b: a.transpose(1, 2) @ b.transpose(-1, -2), X(2, 3, 2), X(2, 4, 3), note="transposed views")
case("matmul", "tg_matmul(tg_slice(x[0], 1, 0, 4, 2), tg_slice(x[1], 0, 1, 3, 1))",
     lambda a, b: a[:, 0:4:2] @ b[1:3], X(3, 4), X(4, 2), note="sliced views")
case("matmul", "tg_matmul(x[0], tg_transpose(x[0], 0, 1))", lambda a: a @ a.transpose(0, 1), X(2, 3), note="one operand twice")
case("linear", "tg_linear(x[0], x[1], x[2])", F.linear, X(2, 3), X(4, 3), X(4))
case("linear", "tg_linear(x[0], x[1], TG_NULL)", F.linear, X(2, 2, 3), X(4, 3), note="batched, no bias")
case("linear", "tg_linear(x[0], x[1], x[2])", F.linear, X(3), X(2, 3), X(2), note="1-D")
case("linear", "tg_linear(tg_transpose(x[0], 0, 1), tg_transpose(x[1], 0, 1), x[2])",
     lambda x, w, b: F.linear(x.transpose(0, 1), w.transpose(0, 1), b), X(3, 2), X(3, 4), X(4), note="views")
case("linear", "tg_linear(x[0], x[1], x[2])", F.linear, X(0, 3), X(2, 3), X(2), note="empty")

# ---- normalisation, attention ----
for op, f in (("softmax", torch.softmax), ("log_softmax", torch.log_softmax)):
    for shape, dim in (((2, 3), -1), ((2, 3), 0), ((2, 3, 2), 1), ((1,), 0), ((2, 0), 1)):
        case(op, f"tg_{op}(x[0], {dim})", lambda x, f=f, d=dim: f(x, d), X(*shape), note=f"dim {dim}")
    case(op, f"tg_{op}(tg_transpose(x[0], 0, 1), 1)", lambda x, f=f: f(x.transpose(0, 1), 1), X(3, 2), note="a view")
    case(op, f"tg_{op}(x[0], 1)", lambda x, f=f: f(x, 1), V([[800.0, 801.0, -900.0], [0.0, 0.0, 0.0]]), note="large, equal")
case("softmax", "tg_softmax(x[0], 1)", lambda x: never_nan(lambda s: s.softmax(1), x, 1, 0.0),
     V([[-INF, -INF], [-INF, 1.0], [2.0, 3.0]]), note="a row of -inf")
case("log_softmax", "tg_log_softmax(tg_masked_fill(x[0], x[1], -(double)INFINITY), 1)",
     lambda x, m: never_nan(lambda s: s.log_softmax(1), x.masked_fill(m, -INF), 1, -INF), X(2, 2),
     B([[True, True], [False, False]]), note="a row of -inf")
case("layer_norm", "tg_layer_norm(x[0], x[1], x[2], 1e-5)", lambda x, w, b: F.layer_norm(x, (4,), w, b, 1e-5), X(2, 4),
     X(4), X(4))
case("layer_norm", "tg_layer_norm(x[0], TG_NULL, TG_NULL, 0.1)", lambda x: F.layer_norm(x, (3,), eps=0.1), X(2, 2, 3),
     note="no weight")
case("layer_norm", "tg_layer_norm(tg_transpose(x[0], 0, 1), x[1], TG_NULL, 1e-5)",
     lambda x, w: F.layer_norm(x.transpose(0, 1), (4,), w, None, 1e-5), X(4, 2), X(4), note="a view")
case("layer_norm", "tg_layer_norm(x[0], x[1], x[2], 1e-5)", lambda x, w, b: F.layer_norm(x, (3,), w, b, 1e-5),
     V([[1.0, 1.0, 1.0], [1.0, 2.0, 4.0]]), X(3), X(3), note="a constant row")
sdpa = "scaled_dot_product_attention"
call = "tg_scaled_dot_product_attention(x[0], x[1], x[2], {}, {}, 0, {})"
case(sdpa, call.format("TG_NULL", "false", 0), F.scaled_dot_product_attention, X(3, 2), X(4, 2), X(4, 3))
case(sdpa, call.format("TG_NULL", "true", 0), lambda q, k, v: F.scaled_dot_product_attention(q, k, v, is_causal=True),
     X(2, 2, 3, 2), X(2, 2, 3, 2), X(2, 2, 3, 2), note="causal, batched")
case(sdpa, call.format("TG_NULL", "true", 0.25), lambda q, k, v: attention(q, k, v, lower(2, 4), scale=0.25), X(2, 2),
     X(4, 2), X(4, 1), note="causal, more keys, a scale")
case(sdpa, call.format("x[3]", "false", 0), lambda q, k, v, m: F.scaled_dot_product_attention(q, k, v, attn_mask=m),
     X(2, 2, 2), X(2, 3, 2), X(2, 3, 2), B([[True, False, True], [False, True, True]]), note="a bool mask broadcasts")
case(sdpa, call.format("x[3]", "false", 0), lambda q, k, v, m: attention(q, k, v, allowed=m), X(2, 2), X(3, 2), X(3, 2),
     B([[False, False, False], [False, True, True]]), note="a query that sees nothing")
case(sdpa, call.format("x[3]", "false", 0.5), lambda q, k, v, m: F.scaled_dot_product_attention(q, k, v, attn_mask=m, scale=0.5),
     X(2, 2), X(3, 2), X(3, 2), K(2, 3), note="a mask of numbers, a scale")
case(sdpa, "tg_scaled_dot_product_attention(tg_transpose(x[0], 0, 1), tg_transpose(x[1], 0, 1), x[2], TG_NULL, false, 0, 0)",
     lambda q, k, v: attention(q.transpose(0, 1), k.transpose(0, 1), v), X(2, 3), X(2, 3), X(3, 2), note="views")
config = "tg_scaled_dot_product_attention_with(x[0], x[1], x[2], (tg_attention_config){{{}}})"
case(sdpa, config.format(".enable_gqa = true"), lambda q, k, v: F.scaled_dot_product_attention(q, k, v, enable_gqa=True),
     X(4, 2, 2), X(2, 3, 2), X(2, 3, 1), note="grouped queries")
case(sdpa, config.format(".enable_gqa = true, .causal = true, .scale = 0.5"),
     lambda q, k, v: F.scaled_dot_product_attention(q, k, v, is_causal=True, enable_gqa=True, scale=0.5), X(2, 3, 2, 2),
     X(2, 1, 2, 2), X(2, 1, 2, 1), note="grouped queries, causal, one head of keys")
case(sdpa, config.format(".enable_gqa = true"), lambda q, k, v: F.scaled_dot_product_attention(q, k, v, enable_gqa=True),
     X(2, 4, 2, 1), X(1, 2, 3, 1), X(2, 3, 2), note="grouped queries, leading dims broadcast")
case(sdpa, config.format(".causal = false"), F.scaled_dot_product_attention, X(2, 2, 2, 2), X(1, 3, 2), X(2, 1, 3, 2), note="leading dims broadcast")
case(sdpa, config.format(".window = 2, .causal = true"), lambda q, k, v: published(q, k, v, causal=True, window=2), X(2, 4, 2),
     X(2, 4, 2), X(2, 4, 2), note="a causal window")
case(sdpa, config.format(".window = 2"), lambda q, k, v: published(q, k, v, window=2), X(5, 2), X(5, 2), X(5, 1), note="a window")
case(sdpa, config.format(".window = 3, .causal = true, .offset = 2"),
     lambda q, k, v: published(q, k, v, causal=True, window=3, offset=2), X(2, 2, 2), X(2, 4, 2), X(2, 4, 2),
     note="a causal window of the last queries")
case(sdpa, config.format(".softcap = 1.5, .mask = x[3]"), lambda q, k, v, m: published(q, k, v, m, softcap=1.5), X(3, 2), X(4, 2),
     X(4, 2), X(3, 4), note="softcap and a mask")
case(sdpa, config.format(".alibi = x[3], .causal = true, .offset = 1"),
     lambda q, k, v, a: published(q, k, v, alibi=a, causal=True, offset=1), X(2, 2, 2), X(2, 3, 2), X(2, 3, 2), K(2), note="alibi, causal")
case(sdpa, config.format(".alibi = x[3]"), lambda q, k, v, a: published(q, k, v, alibi=a), X(2, 3, 2), X(2, 3, 2), X(2, 3, 1), K(2),
     note="alibi")
case(sdpa, config.format(".sinks = x[3], .causal = true, .enable_gqa = true"),
     lambda q, k, v, s: published(q, k, v, sinks=s, causal=True), X(2, 4, 2, 2), X(2, 2, 2, 2), X(2, 2, 2, 1), X(4), note="sinks")
case(sdpa, config.format(".documents = x[3], .causal = true"), lambda q, k, v, d: published(q, k, v, documents=d, causal=True),
     X(2, 5, 2), X(2, 5, 2), X(2, 5, 1), I([7, 7, 3, 3, 3]), note="documents, causal")
case(sdpa, config.format(".documents = x[3], .offset = 1"), lambda q, k, v, d: published(q, k, v, documents=d, offset=1),
     X(2, 2, 3, 2), X(2, 2, 4, 2), X(2, 2, 4, 1), I([[1, 1, 2, 2], [5, 4, 4, 4]]), note="documents of each row, offset")
case(sdpa, config.format(".mask = x[3], .alibi = x[4], .sinks = x[5], .documents = x[6], .causal = true, .enable_gqa = true, "
                         ".offset = 1, .window = 2, .softcap = 2"),
     lambda q, k, v, m, a, s, d: published(q, k, v, m, a, s, d, True, 1, 2, 2), X(2, 3, 2), X(1, 4, 2), X(1, 4, 2), X(3, 4), K(2), X(2),
     I([1, 1, 1, 2]), note="all of it")

# ---- indexing, losses ----
case("embedding", "tg_embedding(x[0], x[1])", lambda w, i: F.embedding(i, w), X(4, 3), I([[1, 3], [1, 0]]), note="an id twice")
case("embedding", "tg_embedding(x[0], x[1])", lambda w, i: F.embedding(i, w), X(4, 2), I(2), note="one id")
case("embedding", "tg_embedding(tg_transpose(x[0], 0, 1), x[1])", lambda w, i: F.embedding(i, w.transpose(0, 1)), X(2, 4),
     I([3, 0, 3]), note="a view")
for dim in (0, -1):
    case("index_select", f"tg_index_select(x[0], {dim}, x[1])", lambda x, i, d=dim: x.index_select(d, i), X(3, 2, 3),
         I([2, 0, 2, 2]), note="an index repeated")
case("index_select", "tg_index_select(x[0], 1, x[1])", lambda x, i: x.index_select(1, i), X(2, 3), I([]), note="no index")
case("gather", "tg_gather(x[0], 1, x[1])", lambda x, i: x.gather(1, i), X(2, 3), I([[0, 0, 2, 1], [2, 1, 1, 1]]))
case("gather", "tg_gather(x[0], -2, x[1])", lambda x, i: x.gather(-2, i), X(3, 2), I([[2], [0]]), note="a smaller index")
case("gather", "tg_gather(tg_transpose(x[0], 0, 1), 1, x[1])", lambda x, i: x.transpose(0, 1).gather(1, i), X(2, 3),
     I([[1], [0], [1]]), note="a view")
case("dropout", "dropped(x[0], 0.5)", lambda x: dropout(x, 0.5, 11), X(3, 4), note="PyTorch's numbers from a seed")
case("dropout", "dropped(x[0], 0.25)", lambda x: dropout(x, 0.25, 11), X(2, 5), note="PyTorch's numbers from a seed")
case("dropout", "dropped(x[0], 1)", lambda x: F.dropout(x, 1.0), X(2, 3), note="all of them")
reductions = (("mean", "TG_MEAN"), ("sum", "TG_SUM"), ("none", "TG_NONE"))
for how, c in reductions:
    case("cross_entropy", f"tg_cross_entropy(x[0], x[1], TG_IGNORE_INDEX, {c})",
         lambda x, y, how=how: F.cross_entropy(x, y, reduction=how), X(3, 4), I([1, -100, 3]), note=f"{how}, one ignored")
    case("cross_entropy", f"tg_cross_entropy(x[0], x[1], 2, {c})",
         lambda x, y, how=how: F.cross_entropy(x.reshape(-1, 3), y.reshape(-1), ignore_index=2, reduction=how).reshape(
             y.shape if how == "none" else ()), X(2, 2, 3), I([[0, 2], [1, 1]]), note=f"{how}, (..., C), class 2 ignored")
    case("mse_loss", f"tg_mse_loss(x[0], x[1], {c})", lambda x, y, how=how: F.mse_loss(x, y, reduction=how), X(2, 3), X(2, 3))
case("cross_entropy", "tg_cross_entropy(x[0], x[1], TG_IGNORE_INDEX, TG_MEAN)", F.cross_entropy, X(3), I(1), note="one row")
case("cross_entropy", "tg_cross_entropy(x[0], x[1], TG_IGNORE_INDEX, TG_SUM)",
     lambda x, y: F.cross_entropy(x, y, reduction="sum"), X(2, 3), I([-100, -100]), note="all ignored")
case("cross_entropy", "tg_cross_entropy(tg_transpose(x[0], 0, 1), x[1], TG_IGNORE_INDEX, TG_MEAN)",
     lambda x, y: F.cross_entropy(x.transpose(0, 1), y), X(3, 2), I([2, 0]), note="a view")
case("cross_entropy", "tg_cross_entropy(x[0], x[1], TG_IGNORE_INDEX, TG_MEAN)", F.cross_entropy,
     V([[800.0, 0.0, -800.0], [0.0, 0.0, 0.0]]), I([2, 1]), note="large logits")
case("custom", "a_b_plus_sin_a(x[0], x[1])", lambda a, b: a * b + a.sin(), X(4), X(4))
case("custom", "a_b_plus_sin_a(x[0], tg_slice(x[1], 0, 0, 8, 2))", lambda a, b: a * b[0:8:2] + a.sin(), X(4), X(8), note="a view")

bias_gelu = lambda x, b: F.gelu(x + b)
case("bias_gelu", "tg_bias_gelu(x[0], x[1])", bias_gelu, V([[1.0, -0.5, 0.25], [-2.0, 3.0, 0.0]]), V([0.5, -1.0, 0.75]))
case("bias_gelu", "tg_bias_gelu(tg_transpose(x[0], 0, 1), tg_slice(x[1], 0, 0, 4, 2))",
     lambda x, b: F.gelu(x.transpose(0, 1) + b[0:4:2]), V([[1.0, -0.5, 0.25], [-2.0, 3.0, 0.0]]), V([0.5, 9.0, -0.75, 9.0]),
     note="views")
case("bias_gelu", "tg_bias_gelu(x[0], x[0])", lambda x: F.gelu(x + x), V([0.5, -1.25, 2.0]), note="one operand twice")


# ---- more elementwise operations ----
unary("sin", torch.sin, 0.0, 3.25)
unary("cos", torch.cos, 0.0, 3.25)
unary("erf", torch.erf, 0.0, 6.0, -6.0)
unary("expm1", torch.expm1, 0.0, 1e-9, -40.0)
unary("softplus", lambda x: F.softplus(x, threshold=1000), 0.0, 30.0, -30.0)
case("log1p", "tg_log1p(x[0])", torch.log1p, P(2, 3))
case("log1p", "tg_log1p(x[0])", torch.log1p, V([0.0, 1e-9, -0.5]), note="special points")
case("rsqrt", "tg_rsqrt(x[0])", torch.rsqrt, P(2, 3))
case("rsqrt", "tg_rsqrt(x[0])", torch.rsqrt, V([0.25, INF]), note="special points")
case("leaky_relu", "tg_leaky_relu(x[0], 0.125)", lambda x: F.leaky_relu(x, 0.125), X(2, 3))
case("leaky_relu", "tg_leaky_relu(x[0], 0.01)", F.leaky_relu, V([0.0, -0.5, 0.5]), note="special points")
case("elu", "tg_elu(x[0], 1)", F.elu, X(2, 3))
case("elu", "tg_elu(x[0], 1.5)", lambda x: F.elu(x, 1.5), V([0.0, -0.5, 0.5, -40.0]), note="special points", twice=False)
case("pow_tensor", "tg_pow_tensor(x[0], x[1])", torch.pow, P(2, 3), X(2, 3))
case("pow_tensor", "tg_pow_tensor(x[0], x[1])", torch.pow, P(3, 1), X(2), note="both broadcast")
case("pow_tensor", "tg_pow_tensor(x[0], tg_detach(x[1]))", lambda a, b: torch.pow(a, b.detach()),
     V([-2.0, 0.0, 0.0, 3.0]), V([3.0, 0.0, 2.0, 0.0]), note="whole exponents, zeros", twice=False)
case("pow_tensor", "tg_pow_tensor(x[0], x[1])", torch.pow, V([0.0, 0.0, 1.0]), V([0.0, 2.0, 0.5]), note="zeros", twice=False)
case("clamp_tensor", "tg_clamp_tensor(x[0], x[1], x[2])", lambda x, a, b: torch.clamp(x, a, b),
     V([[-2.0, -0.5, 0.25], [1.0, 2.0, -1.0]]), V([[-1.0], [0.5]]), V([0.125, 1.25, 0.75]), note="bounds broadcast")
case("clamp_tensor", "tg_clamp_tensor(x[0], x[1], x[2])", lambda x, a, b: torch.clamp(x, a, b),
     V([-2.0, 0.5, 3.0]), V([1.0, 1.0, 1.0]), V([-1.0, -1.0, -1.0]), note="low > high")
for op in ("eq", "ne", "lt", "le", "gt", "ge"):
    case(op, f"tg_{op}(x[0], x[1])", getattr(torch, op), V([[1.0, 2.0], [3.0, -1.0]]), V([2.0, -1.0]))
    case(op, f"tg_{op}(x[0], x[1])", getattr(torch, op), V([NAN, INF, 1.0]), V([NAN, INF, NAN]), note="NaN and Inf")
case("isnan", "tg_isnan(x[0])", torch.isnan, V([NAN, INF, 0.0]))
for op in ("logical_and", "logical_or"):
    case(op, f"tg_{op}(x[0], x[1])", getattr(torch, op), B([[True], [False]]), B([True, False]))
for op in ("any", "all"):
    for x, note in ((B([[True, False], [False, False], [True, True]]), "bools"), (V([[0.0, 0.0], [NAN, 0.0], [2.0, -1.0]]), "numbers")):
        case(op, f"tg_{op}(x[0], TG_DIMS(1), true)", lambda x, op=op: getattr(x, op)(1, keepdim=True), x, note=note)
    case(op, f"tg_{op}(x[0], TG_ALL_DIMS, false)", lambda x, op=op: getattr(x, op)(), I([0, 0, -1]), note="ints")
    case(op, f"tg_{op}(x[0], TG_DIMS(1), false)", lambda x, op=op: getattr(x, op)(1), X(2, 0), note="over nothing")

# ---- more reductions, sorting ----

def prod(x, dims, keepdim):
    for d in sorted([dims] if isinstance(dims, int) else dims, key=lambda d: d % x.dim(), reverse=True):
        x = x.prod(d, keepdim=keepdim)
    return x


case("prod", "tg_prod(x[0], TG_ALL_DIMS, false)", lambda x: prod(x, (0, 1), False), X(2, 3))
case("prod", "tg_prod(x[0], TG_DIMS(0, -1), true)", lambda x: prod(x, (0, -1), True), X(2, 3, 2), note="outer dims, keepdim")
case("prod", "tg_prod(tg_transpose(x[0], 0, 2), TG_DIMS(1), false)", lambda x: x.transpose(0, 2).prod(1), X(2, 3, 2), note="a view")
case("prod", "tg_prod(x[0], TG_DIMS(1), false)", lambda x: x.prod(1), V([[1.0, 0.0, 3.0], [0.0, 2.0, 0.0]]), note="zeros")
case("prod", "tg_prod(x[0], TG_DIMS(1), false)", lambda x: x.prod(1), X(2, 0), note="over nothing")
for correction in (0, 1):
    case("std", f"tg_std(x[0], TG_DIMS(1), {correction}, false)", lambda x, c=correction: x.std(1, correction=c), X(2, 4))
case("std", "tg_std(x[0], TG_DIMS(0, -1), 1, true)", lambda x: x.std((0, -1), keepdim=True), X(2, 3, 2), note="outer dims, keepdim")
case("std", "tg_std(x[0], TG_DIMS(1), 1, false)", lambda x: x.std(1), V([[2.0, 2.0], [1.0, 2.0]]), note="a constant row", twice=False)
norm = torch.linalg.vector_norm
for p, c in ((2, 2), (1, 1), (3, 3), (0.5, 0.5), (INF, "(double)INFINITY")):
    case("norm", f"tg_norm(x[0], {c}, TG_DIMS(1), false)", lambda x, p=p: norm(x, p, 1), X(2, 3), note=f"p = {p}")
    case("norm", f"tg_norm(tg_transpose(x[0], 0, 1), {c}, TG_ALL_DIMS, true)",
         lambda x, p=p: norm(x.transpose(0, 1), p, (0, 1), keepdim=True), X(2, 3), note=f"p = {p}, a view")
case("norm", "tg_norm(x[0], 2, TG_DIMS(1), false)", lambda x: norm(x, 2, 1), V([[0.0, 0.0], [0.0, 3.0]]), note="zeros", twice=False)
case("norm", "tg_norm(x[0], 1, TG_DIMS(1), false)", lambda x: norm(x, 1, 1), V([[0.0, 0.0], [0.0, 3.0]]), note="zeros")
case("norm", "tg_norm(x[0], (double)INFINITY, TG_DIMS(1), false)", lambda x: norm(x, INF, 1), V([[-2.0, 2.0, 1.0]]), note="a tie")
for dim, shape in ((0, (3, 2)), (-1, (2, 3)), (1, (2, 3, 2))):
    case("cumsum", f"tg_cumsum(x[0], {dim})", lambda x, d=dim: x.cumsum(d), X(*shape), note=f"dim {dim}")
case("cumsum", "tg_cumsum(tg_transpose(x[0], 0, 1), 1)", lambda x: x.transpose(0, 1).cumsum(1), X(3, 2), note="a view")
tied = [[1.0, 3.0, 3.0, 0.5], [2.0, 2.0, -1.0, NAN]]
for descending in (False, True):
    c = "true" if descending else "false"
    case("argsort", f"tg_argsort(x[0], 1, {c})", lambda x, d=descending: x.argsort(dim=1, descending=d, stable=True), V(tied), note="ties, a NaN")
    case("argsort", f"tg_argsort(tg_transpose(x[0], 0, 1), 0, {c})",
         lambda x, d=descending: x.transpose(0, 1).argsort(dim=0, descending=d, stable=True), X(2, 5), note="a view")
    case("sort", f"tg_sort(x[0], 0, {c}, NULL)", lambda x, d=descending: x.sort(stable=True, dim=0, descending=d)[0], X(5, 2))
for largest in (False, True):
    c = "true" if largest else "false"
    case("topk", f"tg_topk(x[0], 2, -1, {c}, NULL)", lambda x, l=largest: x.topk(2, -1, l)[0],
         V([[1.0, 4.0, 2.0, 3.0], [0.5, -1.0, 8.0, -2.0]]))
for op, name in (("max_dim", "max"), ("min_dim", "min")):
    case(op, f"tg_{op}(x[0], 1, false, NULL)", lambda x, n=name: getattr(x, n)(1)[0], X(2, 4))
    case(op, f"tg_{op}(x[0], 0, true, NULL)", lambda x, n=name: getattr(x, n)(0, keepdim=True)[0], X(3, 2))
for dim, keep in ((0, False), (-1, True), (1, False)):
    case("argmin", f"tg_argmin(x[0], {dim}, {'true' if keep else 'false'})",
         lambda x, d=dim, k=keep: x.argmin(d, keepdim=k), V([[1.0, 3.0, 1.0], [2.0, 2.0, -1.0]]), note="ties: the first")

# ---- adding at indices ----
for dim, shape in ((0, (4, 2)), (-1, (3, 4))):
    sizes = (3, 2) if dim == 0 else (3, 3)
    case("index_add", f"tg_index_add(x[0], {dim}, x[1], x[2])", lambda x, i, s, d=dim: x.index_add(d, i, s), X(*sizes),
         I([2, 0, 2, 1]), X(*shape), note="an index repeated")
case("index_add", "tg_index_add(tg_transpose(x[0], 0, 1), 1, x[1], tg_transpose(x[2], 0, 1))",
     lambda x, i, s: x.transpose(0, 1).index_add(1, i, s.transpose(0, 1)), X(3, 2), I([1, 1]), X(2, 2), note="views")
for dim, sizes in ((0, (3, 3)), (1, (2, 3))):
    case("scatter_add", f"tg_scatter_add(x[0], {dim}, x[1], x[2])", lambda x, i, s, d=dim: x.scatter_add(d, i, s), X(*sizes),
         I([[0, 2, 1], [2, 2, 1]]), X(2, 3), note="an index repeated")
case("scatter_add", "tg_scatter_add(x[0], -1, x[1], x[2])", lambda x, i, s: x.scatter_add(-1, i, s), X(3, 2), I([[1, 1, 0]]),
     X(1, 3), note="fewer rows, more columns")

# ---- Llama's ----
def rms_norm(x, w=None, eps=1e-5):
    return F.rms_norm(x, (x.shape[-1],), w, eps)


def scaled(rope_type, base, dims, **parameters):
    """transformers' frequencies and attention factor, its float32 taken for float64."""
    parameters |= {"rope_type": rope_type, "rope_theta": base}
    config = SimpleNamespace(rope_parameters=parameters, head_dim=dims, hidden_size=dims, num_attention_heads=1,
                             standardize_rope_params=lambda: None)
    with mock.patch.object(torch, "float", torch.float64), mock.patch.object(torch, "float32", torch.float64):
        return ROPE_INIT_FUNCTIONS[rope_type](config)


def rope(x, base=10000.0, offset=0, dims=0, interleaved=False, scaling={}):
    """As Hugging Face's Llama (rotate_half) and, interleaved, as Meta's (complex numbers)."""
    dims = dims or x.shape[-1]
    frequency, factor = scaled(base=base, dims=dims, **scaling) if scaling else (base ** (-torch.arange(0, dims, 2) / dims), 1)
    angle = (offset + torch.arange(x.shape[-2])).unsqueeze(1) * frequency
    turned, rest = x[..., :dims], x[..., dims:]
    if interleaved:
        pairs = torch.view_as_complex(turned.reshape(*turned.shape[:-1], dims // 2, 2).contiguous())
        turned = torch.view_as_real(pairs * torch.polar(torch.ones_like(angle), angle)).flatten(-2)
    else:
        half = torch.cat((-turned[..., dims // 2:], turned[..., :dims // 2]), -1)
        turned = turned * torch.cat((angle, angle), -1).cos() + half * torch.cat((angle, angle), -1).sin()
    return torch.cat((turned * factor, rest), -1)


case("rms_norm", "tg_rms_norm(x[0], x[1], 1e-5)", rms_norm, X(2, 4), X(4))
case("rms_norm", "tg_rms_norm(x[0], TG_NULL, 0.1)", lambda x: rms_norm(x, eps=0.1), X(2, 2, 3), note="no weight")
case("rms_norm", "tg_rms_norm(tg_transpose(x[0], 0, 1), x[1], 1e-5)", lambda x, w: rms_norm(x.transpose(0, 1), w), X(4, 2),
     X(4), note="a view")
case("rms_norm", "tg_rms_norm(x[0], x[1], 1e-5)", rms_norm, X(0, 3), X(3), note="empty")
config = "tg_rope(x[0], (tg_rope_config){%s, %d, %d, %s})"
case("rope", "tg_rope(x[0], TG_ROPE_DEFAULTS)", rope, X(2, 3, 4))
case("rope", config % ("10000", 0, 0, "true"), lambda x: rope(x, interleaved=True), X(2, 3, 4), note="interleaved")
case("rope", config % ("500000", 9, 0, "false"), lambda x: rope(x, 5e5, 9), X(3, 6), note="an offset, another base")
case("rope", config % ("100", 3, 4, "true"), lambda x: rope(x, 100, 3, 4, True), X(2, 7), note="partial, interleaved")
case("rope", "tg_rope(tg_transpose(x[0], 0, 1), (tg_rope_config){100, 0, 2, false})",
     lambda x: rope(x.transpose(0, 1), 100, 0, 2), X(5, 3), note="partial, a view")
binary("swiglu", lambda a, b: F.silu(a) * b)
case("swiglu", "tg_swiglu(x[0], x[1])", lambda a, b: F.silu(a) * b, V([-800.0, 40.0, 0.0]), V([1.0, 2.0, 3.0]), note="special points")

# ---- losses ----
losses = (("bce_with_logits", F.binary_cross_entropy_with_logits, X), ("l1_loss", F.l1_loss, X),
          ("kl_div", F.kl_div, P))
for how, c in reductions:
    for op, f, target in losses:
        case(op, f"tg_{op}(x[0], x[1], {c})", lambda x, z, f=f, how=how: f(x, z, reduction=how), X(2, 3), target(2, 3), note=how)
    case("huber_loss", f"tg_huber_loss(x[0], x[1], 1.25, {c})", lambda x, z, how=how: F.huber_loss(x, z, reduction=how, delta=1.25),
         X(2, 4), X(2, 4), note=how)
case("bce_with_logits", "tg_bce_with_logits(x[0], x[1], TG_NONE)", lambda x, z: F.binary_cross_entropy_with_logits(x, z, reduction="none"),
     V([-800.0, 800.0, 0.0]), V([0.0, 1.0, 0.5]), note="special points")
case("kl_div", "tg_kl_div(x[0], tg_detach(x[1]), TG_NONE)", lambda x, z: F.kl_div(x, z.detach(), reduction="none"),
     V([-1.0, -2.0]), V([0.0, 1.0]), note="a probability of 0")
for how, c in reductions:
    for smoothing in (0, 0.25):
        case("cross_entropy_with", "tg_cross_entropy_with(x[0], x[1], (tg_cross_entropy_config){x[2], %s, TG_IGNORE_INDEX, %s})" % (smoothing, c),
             lambda x, y, w, how=how, s=smoothing: F.cross_entropy(x, y, w, reduction=how, label_smoothing=s), X(3, 4), I([1, -100, 3]),
             Input("c", sixteenths((4,), 0.25, 3)), note=f"{how}, smoothing {smoothing}, one ignored")
    case("cross_entropy_with", "tg_cross_entropy_with(x[0], x[1], (tg_cross_entropy_config){TG_NULL, 0.125, 2, %s})" % c,
         lambda x, y, how=how: F.cross_entropy(x.reshape(-1, 3), y.reshape(-1), ignore_index=2, reduction=how, label_smoothing=0.125)
         .reshape(y.shape if how == "none" else ()), X(2, 2, 3), I([[0, 2], [1, 1]]), note=f"{how}, no weights")
case("cross_entropy_with", "tg_cross_entropy_with(x[0], x[1], TG_CROSS_ENTROPY_DEFAULTS)", F.cross_entropy,
     V([[800.0, 0.0, -800.0], [0.0, 0.0, 0.0]]), I([2, 1]), note="large logits")

# ---- copies ----
case("flip", "tg_flip(x[0], TG_DIMS(1))", lambda x: x.flip(1), X(2, 3))
case("flip", "tg_flip(tg_transpose(x[0], 0, 2), TG_DIMS(0, -1))", lambda x: x.transpose(0, 2).flip((0, -1)), X(2, 3, 2), note="a view")
case("flip", "tg_flip(x[0], TG_ALL_DIMS)", lambda x: x.flip((0, 1)), I([[1, 2, 3], [4, 5, 6]]), note="ints")
for shift in (1, -1, 5, 0):
    case("roll", f"tg_roll(x[0], {shift}, 1)", lambda x, s=shift: x.roll(s, 1), X(2, 3), note=f"by {shift}")
case("repeat", "tg_repeat(x[0], TG_SHAPE(2, 3))", lambda x: x.repeat(2, 3), X(2, 2))
case("repeat", "tg_repeat(tg_transpose(x[0], 0, 1), TG_SHAPE(2, 1, 3))", lambda x: x.transpose(0, 1).repeat(2, 1, 3), X(2, 2), note="a dim more, a view")
case("repeat", "tg_repeat(x[0], TG_SHAPE(0, 1))", lambda x: x.repeat(0, 1), X(2, 2), note="to nothing")

# ---- at zeros, as far as PyTorch's double backward is a number there ----
case("pow_tensor", "tg_pow_tensor(x[0], tg_detach(x[1]))", lambda a, b: torch.pow(a, b.detach()), V([-2.0, 0.0, 3.0]),
     V([3.0, 2.0, 0.0]), note="whole exponents")
case("elu", "tg_elu(x[0], 1.5)", lambda x: F.elu(x, 1.5), V([-0.5, 0.5, -40.0, 800.0]), note="far")

# ---- attention with a mask that has a gradient, and with dropout ----
drops = "dropped_attention(x[0], x[1], x[2], {}, {}, {})"
case(sdpa, call.format("x[3]", "false", 0), lambda q, k, v, m: attention(q, k, v, bias=m), X(2, 3, 2), X(2, 3, 2), X(2, 3, 1),
     X(3, 3), note="a mask of numbers with a gradient")
case(sdpa, call.format("x[3]", "true", 0), lambda q, k, v, m: attention(q, k, v, lower(3, 3), m), X(2, 3, 2), X(2, 3, 2),
     X(2, 3, 1), X(2, 1, 3), note="the same, causal")
case(sdpa, call.format("x[3]", "true", 0), lambda q, k, v, m: attention(q, k, v, m & lower(2, 3)), X(2, 2), X(3, 2), X(3, 2),
     B([[True, False, True], [False, True, True]]), note="a bool mask, causal")
case(sdpa, drops.format("TG_NULL", "false", 0.25), lambda q, k, v: attention(q, k, v, drop=0.25), X(2, 3, 2), X(2, 3, 2),
     X(2, 3, 2), note="dropout")
case(sdpa, drops.format("TG_NULL", "true", 0.5), lambda q, k, v: attention(q, k, v, lower(3, 3), drop=0.5), X(2, 3, 2),
     X(2, 3, 2), X(2, 3, 2), note="dropout, causal")
case(sdpa, drops.format("x[3]", "true", 0.25), lambda q, k, v, m: attention(q, k, v, lower(3, 3), m, drop=0.25), X(3, 2),
     X(3, 2), X(3, 1), X(3, 3), note="dropout, causal, a mask of numbers with a gradient")
case(sdpa, drops.format("x[3]", "false", 0.5), lambda q, k, v, m: attention(q, k, v, m, drop=0.5), X(2, 2), X(4, 2), X(4, 2),
     B([[True, True, False, True], [False, True, True, True]]), note="dropout, a bool mask")

# ---- bounds: an element at one of them, or both the same (but not all three, where PyTorch's is no derivative) ----
case("clamp_tensor", "tg_clamp_tensor(x[0], x[1], x[2])", lambda x, a, b: torch.clamp(x, a, b),
     V([-1.0, 0.5, 2.0]), V([[0.0], [1.0]]), V([[0.0], [1.0]]), note="low = high")
case("clamp_tensor", "tg_clamp_tensor(x[0], x[1], x[2])", lambda x, a, b: torch.clamp(x, a, b),
     V([-1.0, 0.0, 0.5, 1.0, 2.0]), V([[0.0], [1.0]]), V([[1.0], [0.0]]), note="at bounds")

# ---- norms over several dims; from here on inputs have a generator of their own, so that the cases above stay ----
draw_later = torch.Generator().manual_seed(20261124)


def Y(*shape):  # both signs
    return Input("f", sixteenths(shape, -2, 2, draw_later))


two = "TG_SHAPE(2, 3)"
case("layer_norm", "tg_layer_norm(x[0], x[1], x[2], 1e-5)", lambda x, w, b: F.layer_norm(x, (2, 3), w, b, 1e-5), Y(2, 2, 3), Y(2, 3),
     Y(2, 3), note="two dims, as the weight has")
case("layer_norm", f"tg_layer_norm_over(x[0], {two}, TG_NULL, TG_NULL, 0.1)", lambda x: F.layer_norm(x, (2, 3), eps=0.1), Y(2, 2, 3),
     note="two dims, no weight")
case("layer_norm", "tg_layer_norm(x[0], TG_NULL, x[1], 0.1)", lambda x, b: F.layer_norm(x, (2, 3), eps=0.1) + b, Y(2, 3), Y(2, 3),
     note="all dims, a bias alone")
case("layer_norm", f"tg_layer_norm_over(tg_transpose(x[0], 0, 2), {two}, tg_transpose(x[1], 0, 1), TG_NULL, 1e-5)",
     lambda x, w: F.layer_norm(x.transpose(0, 2), (2, 3), w.T, None, 1e-5), Y(3, 2, 2), Y(3, 2), note="two dims, views")
case("layer_norm", "tg_layer_norm_over(x[0], TG_SHAPE(2, 1, 3), x[1], x[2], 1e-5)", lambda x, w, b: F.layer_norm(x, (2, 1, 3), w, b, 1e-5),
     Y(0, 2, 1, 3), Y(2, 1, 3), Y(2, 1, 3), note="three dims, empty")
case("rms_norm", "tg_rms_norm(x[0], x[1], 1e-5)", lambda x, w: F.rms_norm(x, (2, 3), w, 1e-5), Y(2, 2, 3), Y(2, 3), note="two dims")
case("rms_norm", f"tg_rms_norm_over(tg_transpose(x[0], 1, 2), {two}, TG_NULL, 0.1)",
     lambda x: F.rms_norm(x.transpose(1, 2), (2, 3), None, 0.1), Y(2, 3, 2), note="two dims, no weight, a view")

# ---- int64 ----
J = lambda *shape: Input("i", torch.randint(-9, 10, shape, generator=draw_later))
for op, f in (("add", torch.add), ("sub", torch.sub), ("mul", torch.mul)):
    case(op, f"tg_{op}(x[0], x[1])", f, J(2, 3), J(2, 3), note="ints")
    case(op, f"tg_{op}(tg_transpose(x[0], 0, 2), x[1])", lambda a, b, f=f: f(a.transpose(0, 2), b), J(3, 1, 2), J(4, 1),
         note="ints, a view, both broadcast")
    case(op, f"tg_{op}(tg_slice(x[0], 0, 1, 6, 2), x[1])", lambda a, b, f=f: f(a[1:6:2], b), J(7), J(), note="ints, a scalar")
    case(op, f"tg_{op}(x[0], x[1])", f, J(0, 3), J(1, 3), note="ints, empty")
for c, f in (("add_scalar({}, 3)", lambda x: x + 3), ("sub_scalar({}, -4)", lambda x: x + 4), ("rsub_scalar(5, {})", lambda x: 5 - x),
             ("mul_scalar({}, -6)", lambda x: -6 * x)):
    case(c.split("(")[0], "tg_" + c.format("tg_transpose(x[0], 0, 1)"), lambda x, f=f: f(x.T), J(2, 3), note="ints, a view")
case("where", "tg_where(x[0], x[1], x[2])", torch.where, B([[True], [False]]), J(2, 3), J(3), note="ints")
case("where", "tg_where(tg_gt(x[0], x[1]), tg_transpose(x[2], 0, 1), tg_mul_scalar(x[0], -1))", lambda a, b, c: torch.where(a > b, c.T, -a),
     J(2, 3), J(2, 1), J(3, 2), note="ints, of a comparison")

# ---- rotary positions, scaled as transformers scale them ----
LLAMA3 = dict(rope_type="llama3", factor=8.0, low_freq_factor=1.0, high_freq_factor=4.0, original_max_position_embeddings=8192)
YARN = dict(rope_type="yarn", factor=4.0, original_max_position_embeddings=4096)
FIELDS = (("factor", 1.0), ("original_max_position_embeddings", 8192), ("low_freq_factor", 1), ("high_freq_factor", 4),
          ("beta_fast", 32), ("beta_slow", 1), ("attention_factor", 0), ("mscale", 0), ("mscale_all_dim", 0), ("truncate", True))


def scaled_case(note, scaling, *shape, base=10000, offset=0, dims=0, interleaved=False):
    fields = ", ".join(str(scaling.get(*field)).lower() for field in FIELDS)
    c = "tg_rope_scaled(x[0], (tg_rope_config){%s, %d, %d, %s}, (tg_rope_scaling){TG_ROPE_%s, %s})"
    case("rope", c % (base, offset, dims, str(interleaved).lower(), scaling["rope_type"].upper(), fields),
         lambda x: rope(x, base, offset, dims, interleaved, scaling), Y(*shape), note=note)


scaled_case("linear", dict(rope_type="linear", factor=2.5), 3, 6, offset=7)
scaled_case("linear, partial, interleaved", dict(rope_type="linear", factor=0.5), 2, 2, 7, dims=4, interleaved=True)
scaled_case("llama3", LLAMA3, 2, 16, base=500000, offset=9000)
scaled_case("llama3, before the first position, interleaved", LLAMA3, 2, 2, 8, base=500000, offset=-1, interleaved=True)
scaled_case("llama3, other factors", LLAMA3 | dict(factor=32.0, low_freq_factor=2.5, high_freq_factor=100.0), 1, 24, base=10000, offset=77)
scaled_case("yarn", YARN, 2, 16, offset=5000)
scaled_case("yarn, not truncated, a given factor", YARN | dict(truncate=False, attention_factor=1.25), 2, 16, offset=-300)
scaled_case("yarn, DeepSeek's mscale", YARN | dict(factor=40.0, mscale=1.0, mscale_all_dim=0.707), 1, 20, offset=100, interleaved=True)
scaled_case("yarn, one mscale, partial", YARN | dict(mscale=0.707, beta_fast=16, beta_slow=2), 2, 18, dims=14, offset=40)
scaled_case("yarn, less than a turn in all", YARN | dict(original_max_position_embeddings=6), 2, 8, offset=10)
scaled_case("yarn, the same, not truncated", YARN | dict(original_max_position_embeddings=6, truncate=False), 2, 8, offset=10)
scaled_case("yarn, a factor below 1", YARN | dict(factor=0.5), 2, 12, base=500000, offset=30)
case("rope", config % ("10000", -3, 0, "false"), lambda x: rope(x, offset=-3), Y(5, 4), note="an offset below 0")


def spec(kind, x):
    return kind + ",".join(str(n) for n in x.shape)


def number(v):
    v = float(v)
    if v != v:
        return "NAN"
    if abs(v) == INF:
        return "INFINITY" if v > 0 else "-INFINITY"
    return str(int(v)) if v == int(v) and abs(v) < 1e15 else repr(v)


def flat(tensors):
    """Added to zeros: some of PyTorch's own have no memory."""
    return [n for x in tensors for n in (torch.zeros(x.shape) + x.detach()).flatten().tolist()]


def gradients(y, xs, cotangent=None):
    """Zeros where there is none."""
    if not y.requires_grad:
        return [torch.zeros_like(x) for x in xs]
    return torch.autograd.grad(y, xs, cotangent, create_graph=True, allow_unused=True, materialize_grads=True)


def backward_twice(y, cotangent, wanted, twice):
    first = gradients(y, wanted, cotangent)
    if not twice:
        return flat(first)
    directions = [sixteenths(tuple(x.shape), -2, 2, draw_direction) for x in wanted]
    second = gradients(sum((d * v).sum() for d, v in zip(first, directions)), [cotangent] + wanted)
    return flat([*first, *directions, *second])


def run(op, f, inputs, note, twice):
    values = [i.value.clone().requires_grad_(i.kind == "f") for i in inputs]
    y = f(*values)
    out = {torch.float64: "f" if y.requires_grad else "c", torch.int64: "i", torch.bool: "b"}[y.dtype]
    numbers = [n for v in values for n in v.detach().flatten().tolist()]
    if out == "f":
        cotangent = sixteenths(tuple(y.shape), -2, 2)
        numbers += cotangent.flatten().tolist()
    numbers += y.detach().flatten().tolist()
    if out == "f":
        wanted = [v for v in values if v.requires_grad]
        numbers += backward_twice(y, cotangent.requires_grad_(), wanted, twice)
    ins = " ".join(spec(i.kind, i.value) for i in inputs)
    return f'{{"{op}", "{note}", "{ins}", "{spec(out, y)}", {str(twice).lower()}, {{first}}}}', numbers


def wrap(items, width=118):
    line = "   "
    for item in items:
        if len(line) + len(item) + 2 > width:
            yield line
            line = "   "
        line += " " + item + ","
    yield line


def main():
    rows, numbers, builds = [], [], []
    for i, (op, c, f, inputs, note, twice) in enumerate(CASES):
        with sdpa_kernel(SDPBackend.MATH):
            row, mine = run(op, f, inputs, note, twice)
        rows.append("    " + row.replace("{first}", str(len(numbers))) + ",")
        builds.append(f"    case {i}: return {c};")
        numbers += mine
    path = os.path.join(os.path.dirname(os.path.abspath(__file__)), "ops.h")
    with open(path, "w") as h:
        h.write("/* Golden values of every operation, made by make_ops.py with PyTorch. Not for editing. */\n")
        h.write("/* clang-format off */\n")
        h.write("static tg_tensor golden_build(int number, const tg_tensor *x) {\n    switch (number) {\n")
        h.write("\n".join(builds) + "\n    default: return TG_NULL;\n    }\n}\n\n")
        h.write("static const golden_case golden_cases[] = {\n" + "\n".join(rows) + "\n};\n\n")
        h.write("static const double golden_numbers[] = {\n" + "\n".join(wrap([number(n) for n in numbers])) + "\n};\n")
    print(len(CASES), "cases,", len(numbers), "numbers")


main()
