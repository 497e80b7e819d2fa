"""Writes tests/golden/gpt.h: logits, loss and gradients of the two models of examples/gpt, by PyTorch in float64.

usage: python3 tests/golden/make_gpt.py > tests/golden/gpt.h

Weight number i of the parameter with the name s is 0.3 sin(i + the sum of s's bytes), norms' have 1 added.
"""
import math
import torch
import torch.nn.functional as F

V, T, L, H, C, EPS = 11, 6, 2, 2, 8, 1e-5
torch.set_default_dtype(torch.float64)
ids = torch.tensor([[3, 1, 4, 1, 5, 9], [2, 6, 5, 3, 5, 10]])
targets = torch.tensor([[1, 4, 1, 5, 9, 0], [6, 5, 3, 5, 10, 7]])
parameters = {}


def weight(name, *shape):
    n = math.prod(shape)
    w = 0.3 * torch.sin(torch.arange(n, dtype=torch.float64) + sum(name.encode()))
    w = (w + 1 if "ln_" in name or "norm" in name else w).reshape(shape).requires_grad_()
    parameters[name] = w
    return w


def split(x):
    return x.view(2, T, -1, C // H).transpose(1, 2)


def attention(q, k, v):
    return F.scaled_dot_product_attention(q, k, v, is_causal=True, enable_gqa=True).transpose(1, 2).reshape(2, T, C)


def rope(x):
    d = C // H
    angle = torch.outer(torch.arange(T, dtype=torch.float64), 10000 ** (-torch.arange(0, d, 2) / d))
    a, b = x[..., : d // 2], x[..., d // 2 :]
    return torch.cat([a * angle.cos() - b * angle.sin(), b * angle.cos() + a * angle.sin()], -1)


def gpt_2():
    w = weight("transformer.wte.weight", V, C)
    x = F.embedding(ids, w) + weight("transformer.wpe.weight", T, C)
    for i in range(L):
        p = f"transformer.h.{i}."
        n = F.layer_norm(x, (C,), weight(p + "ln_1.weight", C), None, EPS)
        q, k, v = (n @ weight(p + "attn.c_attn.weight", 3 * C, C).T).split(C, 2)
        x = x + attention(split(q), split(k), split(v)) @ weight(p + "attn.c_proj.weight", C, C).T
        n = F.layer_norm(x, (C,), weight(p + "ln_2.weight", C), None, EPS)
        x = x + F.gelu(n @ weight(p + "mlp.c_fc.weight", 4 * C, C).T) @ weight(p + "mlp.c_proj.weight", C, 4 * C).T
    return F.layer_norm(x, (C,), weight("transformer.ln_f.weight", C), None, EPS) @ w.T


def published():
    """GPT-2 with the names and layouts of Hugging Face's: matrices are (in, out)."""

    def norm(x, name):
        return F.layer_norm(x, (C,), weight(name + ".weight", C), weight(name + ".bias", C), EPS)

    def conv1d(x, name, n_in, n_out):
        return x @ weight(name + ".weight", n_in, n_out) + weight(name + ".bias", n_out)

    w = weight("wte.weight", V, C)
    x = F.embedding(ids, w) + weight("wpe.weight", T, C)
    for i in range(L):
        p = f"h.{i}."
        q, k, v = conv1d(norm(x, p + "ln_1"), p + "attn.c_attn", C, 3 * C).split(C, 2)
        x = x + conv1d(attention(split(q), split(k), split(v)), p + "attn.c_proj", C, C)
        h = F.gelu(conv1d(norm(x, p + "ln_2"), p + "mlp.c_fc", C, 4 * C), approximate="tanh")
        x = x + conv1d(h, p + "mlp.c_proj", 4 * C, C)
    return norm(x, "ln_f") @ w.T


def llama(kv_heads=H, hidden=16):
    def norm(x, name):
        return F.rms_norm(x, (C,), weight(name, C), EPS)

    w = weight("model.embed_tokens.weight", V, C)
    x = F.embedding(ids, w)
    for i in range(L):
        p = f"model.layers.{i}."
        n = norm(x, p + "input_layernorm.weight")
        heads = zip("qkv", (H, kv_heads, kv_heads))
        q, k, v = (split(n @ weight(p + f"self_attn.{s}_proj.weight", m * C // H, C).T) for s, m in heads)
        x = x + attention(rope(q), rope(k), v) @ weight(p + "self_attn.o_proj.weight", C, C).T
        n = norm(x, p + "post_attention_layernorm.weight")
        gate, up = (n @ weight(p + f"mlp.{s}_proj.weight", hidden, C).T for s in ("gate", "up"))
        x = x + (F.silu(gate) * up) @ weight(p + "mlp.down_proj.weight", C, hidden).T
    return norm(x, "model.norm.weight") @ w.T


def numbers(values):
    return "{" + ", ".join("%.12g" % v for v in values) + "}"


print("/* Made by tests/golden/make_gpt.py with PyTorch %s. */" % torch.__version__)
print("typedef struct gradient {\n    const char *name;\n    double sum, weighted; /* by cos i */\n} gradient;")
for name, model in (("gpt_2", gpt_2), ("llama", llama), ("grouped", lambda: llama(1)),
                    ("published", published)):
    parameters.clear()
    logits = model()
    loss = F.cross_entropy(logits.view(-1, V), targets.view(-1))
    loss.backward()
    print("static const double %s_logits[] = %s;" % (name, numbers(logits.detach().flatten().tolist())))
    print("static const double %s_loss = %.15g;" % (name, loss.item()))
    print("static const gradient %s_gradients[] = {" % name)
    for p, w in parameters.items():
        g = w.grad.flatten()
        weighted = (g * torch.cos(torch.arange(len(g), dtype=torch.float64))).sum()
        print('    {"%s", %.12g, %.12g},' % (p, g.sum(), weighted))
    print("};")
