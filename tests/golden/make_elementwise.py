"""Writes tests/golden/elementwise.h: what PyTorch makes of the values at which elementwise operations are special:
kinks, ties, poles, NaN, infinities, and numbers for which a naive formula overflows. Gradients are for a cotangent
of 2.

    python3 tests/golden/make_elementwise.py | clang-format > tests/golden/elementwise.h
"""
import math

import torch
import torch.nn.functional as F

nan, inf = math.nan, math.inf
N = 6


def numbers(values):
    text = {"nan": "NAN", "inf": "INFINITY", "-inf": "-INFINITY"}
    return "{" + ", ".join(text.get(repr(v), repr(v)) for v in values) + "}"


def evaluate(f, *inputs):
    leaves = [torch.tensor(v, dtype=torch.float64, requires_grad=True) for v in inputs]
    assert all(len(v) == N for v in inputs)
    y = f(*leaves)
    y.backward(torch.full_like(y, 2.0))
    return [numbers(y.tolist())] + [numbers(x.grad.tolist()) for x in leaves]


UNARY = [
    ("tg_relu", torch.relu, [nan, 0.0, -0.0, -3.0, inf, -inf]),
    ("tg_abs", torch.abs, [nan, 0.0, -0.0, -3.0, inf, -inf]),
    ("tg_neg", torch.neg, [nan, 0.0, -0.0, -3.0, inf, -inf]),
    ("tg_square", torch.square, [nan, 0.0, -0.0, -3.0, inf, -inf]),
    ("tg_exp", torch.exp, [nan, 0.0, -1000.0, 1000.0, inf, -inf]),
    ("tg_log", torch.log, [nan, 0.0, -1.0, 1.0, inf, 0.25]),
    ("tg_sqrt", torch.sqrt, [nan, 0.0, -1.0, 4.0, inf, 0.25]),
    ("tg_tanh", torch.tanh, [nan, 0.0, -1000.0, 1000.0, inf, -inf]),
    ("tg_sigmoid", torch.sigmoid, [nan, -1000.0, 1000.0, -40.0, inf, -inf]),
    ("tg_silu", F.silu, [nan, -1000.0, 1000.0, -40.0, 40.0, 0.0]),
    ("tg_gelu", F.gelu, [nan, -1000.0, 1000.0, -6.0, 6.0, 0.0]),
    ("tg_gelu_tanh", lambda x: F.gelu(x, approximate="tanh"), [nan, -1000.0, 1000.0, -6.0, 6.0, 0.0]),
    ("pow_0", lambda x: x**0, [nan, 0.0, -2.0, 4.0, inf, -inf]),
    ("pow_1", lambda x: x**1, [nan, 0.0, -2.0, 4.0, 1e-30, -0.0]),
    ("pow_2", lambda x: x**2, [nan, 0.0, -2.0, 4.0, 1e-30, -0.0]),
    ("pow_half", lambda x: x**0.5, [nan, 0.0, -2.0, 4.0, inf, 0.25]),
    ("pow_minus_1", lambda x: x**-1, [nan, 0.0, -2.0, 4.0, inf, 0.25]),
    # at a bound PyTorch 2.15 gives 0, where versions before passed the gradient as tg_clamp does
    ("clamp", lambda x: torch.clamp(x, -1, 2), [nan, -1.5, 0.5, 2.5, inf, -inf]),
    ("clamp_crossed", lambda x: torch.clamp(x, 2, -1), [nan, -1.5, 0.5, 2.5, inf, -inf]),
    ("tg_sin", torch.sin, [nan, 0.0, -0.0, 3.0, inf, -inf]),
    ("tg_cos", torch.cos, [nan, 0.0, -0.0, 3.0, inf, -inf]),
    ("tg_erf", torch.erf, [nan, 0.0, -0.0, -3.0, inf, -inf]),
    ("tg_log1p", torch.log1p, [nan, 0.0, -1.0, -2.0, inf, 1e-12]),
    ("tg_expm1", torch.expm1, [nan, 0.0, -1000.0, 1000.0, inf, -inf]),
    ("tg_rsqrt", torch.rsqrt, [nan, 0.0, -1.0, 4.0, inf, 0.25]),
    ("tg_softplus", F.softplus, [nan, 0.0, -1000.0, 1000.0, -40.0, 40.0]),
    ("leaky_relu", lambda x: F.leaky_relu(x, 0.25), [nan, 0.0, -0.0, -3.0, inf, -inf]),
    ("elu", lambda x: F.elu(x, 1.5), [nan, 0.0, -0.0, -3.0, inf, -1000.0]),
    ("rdiv", lambda x: 3 / x, [nan, 0.0, -0.0, 4.0, inf, -inf]),
]
BINARY = [
    ("tg_maximum", torch.maximum, [1.0, 1.0, nan, 2.0, inf, 0.0], [1.0, 2.0, 1.0, nan, inf, -0.0]),
    ("tg_minimum", torch.minimum, [1.0, 1.0, nan, 2.0, inf, 0.0], [1.0, 2.0, 1.0, nan, inf, -0.0]),
    ("tg_pow_tensor", torch.pow, [0.0, 0.0, -2.0, 2.0, 1.0, inf], [0.0, 3.0, 2.0, nan, inf, -1.0]),
    ("tg_div", torch.div, [1.0, 0.0, -1.0, nan, inf, 3.0], [0.0, 0.0, 0.0, 2.0, 2.0, inf]),
]

print("/* Made by tests/golden/make_elementwise.py with PyTorch %s. */" % torch.__version__.split("+")[0])
print("enum { N_CORNERS = %d };" % N)
print("static const struct unary_corners {")
print("    const char *name;\n    tg_tensor (*op)(tg_tensor x);\n    double x[N_CORNERS], y[N_CORNERS], dx[N_CORNERS];")
print("} unary_corners[] = {")
for name, f, x in UNARY:
    print('    {"%s", %s, %s,\n     %s,\n     %s},' % (name, name, numbers(x), *evaluate(f, x)))
print("};")
print("static const struct binary_corners {")
print("    const char *name;\n    tg_tensor (*op)(tg_tensor a, tg_tensor b);")
print("    double a[N_CORNERS], b[N_CORNERS], y[N_CORNERS], da[N_CORNERS], db[N_CORNERS];")
print("} binary_corners[] = {")
for name, f, a, b in BINARY:
    print('    {"%s", %s, %s, %s,\n     %s,\n     %s,\n     %s},' % (name, name, numbers(a), numbers(b), *evaluate(f, a, b)))
print("};")
