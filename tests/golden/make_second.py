"""Hessian-vector products by PyTorch's double backward, with the math backend of attention: tests/golden/second.h.

    python3 tests/golden/make_second.py > tests/golden/second.h

Leaves, cotangents and directions are simple fractions, which tests/second_test.c makes again."""
import torch
import torch.nn.functional as F
from torch.nn.attention import SDPBackend, sdpa_kernel

torch.set_default_dtype(torch.float64)


def numbers(shape, a, b, c, d):
    n = 1
    for s in shape:
        n *= s
    i = torch.arange(n, dtype=torch.int64)
    return (((i * a + b) % c).to(torch.float64) / d - 1).reshape(shape)


def leaf(k, shape):
    return numbers(shape, 37, 11 + 17 * k, 101, 50).requires_grad_(True)


def direction(k, shape):
    return numbers(shape, 29, 5 + 13 * k, 89, 44)


def attention(q, k, v, **more):
    return F.scaled_dot_product_attention(q, k, v, **more)


HIDE = torch.tensor([[1, 0, 1, 1], [0, 0, 0, 0], [1, 1, 0, 1], [0, 1, 1, 1]], dtype=torch.bool)
IDS = torch.tensor([2, 0, 5, 2, 3])
TARGETS = torch.tensor([1, 0, -100, 4])


def block(x, wq, wk, wv, wo, w1, b1, w2, g1, h1, g2, h2):
    """A transformer block, before its norms' sums: 2 heads of 2."""
    def heads(z):
        return z.reshape(2, 3, 2, 2).transpose(1, 2)
    n = F.layer_norm(x, (4,), g1, h1)
    a = attention(heads(F.linear(n, wq)), heads(F.linear(n, wk)), heads(F.linear(n, wv)), is_causal=True)
    x = x + F.linear(a.transpose(1, 2).reshape(2, 3, 4), wo)
    return x + F.linear(F.gelu(F.linear(F.layer_norm(x, (4,), g2, h2), w1, b1)), w2)


QKV = [(2, 4, 3), (2, 4, 3), (2, 4, 3)]
CASES = [
    ("softmax", [(3, 5)], lambda x: F.softmax(x, -1)),
    ("log_softmax", [(3, 5)], lambda x: F.log_softmax(x, 0) ** 2),
    ("layer_norm", [(3, 5), (5,), (5,)], lambda x, w, b: F.layer_norm(x, (5,), w, b) ** 2),
    ("cross_entropy", [(4, 5)], lambda x: F.cross_entropy(x, TARGETS)),
    ("gelu", [(3, 5)], F.gelu),
    ("gelu_tanh", [(3, 5)], lambda x: F.gelu(x, approximate="tanh")),
    ("silu", [(3, 5)], F.silu),
    ("sigmoid", [(3, 5)], torch.sigmoid),
    ("tanh", [(3, 5)], torch.tanh),
    ("logsumexp", [(3, 5)], lambda x: torch.logsumexp(x, 1)),
    ("var", [(3, 5)], lambda x: torch.var(x, 1) ** 2),
    ("linear", [(2, 3, 4), (5, 4), (5,)], lambda x, w, b: torch.tanh(F.linear(x, w, b))),
    ("matmul", [(2, 1, 3, 4), (2, 4, 2)], lambda a, b: torch.exp(a @ b)),
    ("embedding", [(6, 3)], lambda w: F.embedding(IDS, w) ** 3),
    ("gather", [(3, 6)], lambda x: torch.gather(x, 1, IDS.expand(3, 5)) ** 3),
    ("div", [(3, 5), (5,)], lambda a, b: a / (2 + b)),
    ("pow", [(3, 5)], lambda x: torch.exp(x) ** 1.7),
    ("sqrt", [(3, 5)], lambda x: torch.sqrt(2 + x)),
    ("log", [(3, 5)], lambda x: torch.log(2 + x)),
    ("mse_loss", [(3, 5), (3, 5)], lambda a, b: F.mse_loss(torch.tanh(a), b)),
    ("bias_gelu", [(3, 5), (5,)], lambda x, b: F.gelu(x + b)),
    ("amax", [(3, 5)], lambda x: torch.amax(x, 1) ** 3),
    ("tril", [(2, 3, 3)], lambda x: torch.tril(x) ** 3),
    ("attention", QKV, attention),
    ("attention causal", QKV, lambda q, k, v: attention(q, k, v, is_causal=True)),
    ("attention scale", [(2, 4, 3), (2, 2, 3), (2, 2, 5)], lambda q, k, v: attention(q, k, v, scale=0.7)),
    ("attention bool mask", QKV, lambda q, k, v: attention(q, k, v, attn_mask=HIDE)),
    ("attention mask", QKV + [(4, 4)], lambda q, k, v, m: attention(q, k, v, attn_mask=m)),
    ("block", [(2, 3, 4)] + [(4, 4)] * 4 + [(6, 4), (6,), (4, 6), (4,), (4,), (4,), (4,)], block),
]


def main():
    print("/* Made by tests/golden/make_second.py with PyTorch %s. */" % torch.__version__)
    print("/* clang-format off */\n#include <stdint.h>")
    print("typedef struct second_golden {\n    const char *name;\n    int64_t n;\n    const double *hv;\n} second_golden;")
    for i, (name, shapes, f) in enumerate(CASES):
        leaves = [leaf(k, s) for k, s in enumerate(shapes)]
        with sdpa_kernel(SDPBackend.MATH):
            y = f(*leaves)
            w = numbers(tuple(y.shape), 53, 7, 97, 48)
            g = torch.autograd.grad((y * w).sum(), leaves, create_graph=True, allow_unused=True)
            total = sum((d * direction(k, s)).sum() for k, (d, s) in enumerate(zip(g, shapes)))
            h = torch.autograd.grad(total, leaves, allow_unused=True)
        values = torch.cat([torch.zeros(x.numel()) if d is None else torch.nan_to_num(d).reshape(-1) for d, x in zip(h, leaves)])
        if name == "attention bool mask":
            assert not torch.isnan(torch.cat([d.reshape(-1) for d in h])).any()
        text = ", ".join(repr(v) for v in values.tolist())
        print("static const double second_%d[] = {%s};" % (i, text))
    print("static const second_golden second_goldens[] = {")
    for i, (name, _, _) in enumerate(CASES):
        print('    {"%s", sizeof second_%d / sizeof(double), second_%d},' % (name, i, i))
    print("};")


main()
