"""Writes tests/golden/rng.h: what PyTorch draws. Run by hand: python3 tests/golden/make_rng.py > tests/golden/rng.h

Every line is one call; the generator goes on from line to line until the next SEED. The bytes of each result are
hashed (FNV-1a, 64 bits); small results are also listed.
"""
import math
import warnings

import torch

warnings.simplefilter('ignore')  # trunc_normal_ far from its mean

F, D = torch.float32, torch.float64
values = []
calls = []


def fnv(tensor):
    h = 14695981039346656037
    for byte in tensor.contiguous().numpy().tobytes():
        h = ((h ^ byte) * 1099511628211) % 2**64
    return h


def note(op, x, dtype, a=0.0, b=0.0, mean=0.0, std=0.0):
    rows, cols = (x.shape if x.dim() == 2 else (x.numel(), 0))
    listed = [float(v).hex() for v in x.flatten().tolist()] if x.numel() <= 40 and x.dtype != torch.int64 else []
    numbers = ", ".join(float(v).hex() if v else "0" for v in (a, b, mean, std))
    calls.append(f"    {{{op}, {'TG_F32' if dtype == F else 'TG_F64'}, {rows}, {cols}, {numbers}, "
                 f"{len(values)}, {len(listed)}, 0x{fnv(x):016x}u}},")
    values.extend(listed)


def seed(s):
    torch.manual_seed(s)
    calls.append(f"    {{SEED, TG_F32, {s - 2**64 if s >= 2**63 else s}, 0, 0, 0, 0, 0, 0, 0, 0}},")


def rand(n, t): note("RAND", torch.rand(n, dtype=t), t)
def randn(n, t): note("RANDN", torch.randn(n, dtype=t), t)
def uniform(n, a, b, t): note("UNIFORM", torch.empty(n, dtype=t).uniform_(a, b), t, a, b)
def normal(n, a, b, t): note("NORMAL", torch.empty(n, dtype=t).normal_(a, b), t, a, b)
def bernoulli(n, p, t): note("BERNOULLI", torch.empty(n, dtype=t).bernoulli_(p), t, p)
def randint(n, low, high): note("RANDINT", torch.randint(low, high, (n,)), F, low, high)
def randperm(n): note("RANDPERM", torch.randperm(n), F)


def init(op, name, rows, cols, t, *args):
    x = torch.empty(rows, cols, dtype=t)
    getattr(torch.nn.init, name)(x, *args)
    note(op, x, t, *args)


def trunc(n, mean, std, low, high, t):
    note("TRUNC", torch.nn.init.trunc_normal_(torch.empty(n, dtype=t), mean, std, low, high), t, low, high, mean, std)


def mixture(t):
    """Calls of all kinds, the odd ones leaving a normal in the cache."""
    u = D if t == F else F
    randn(3, t); randn(2, t); rand(5, t); randn(1, u); randn(15, t); randn(16, t); randn(1, t)
    normal(7, 0.5, 0.02, t); randn(23, t); bernoulli(30, 0.3, t); randn(4, u); uniform(9, -0.1, 0.3, t)
    randint(10, 0, 10); randint(10, -(2**40), 2**40); randint(10, 5, 5 + 2**28 - 1); randint(10, 5, 5 + 2**28)
    randint(10, -(2**62), 2**62)
    randperm(12); randperm(1); randperm(0); randn(2, t); randn(1000, t); rand(1000, t); normal(1007, -3, 7.7, t)
    uniform(1001, -0.57, 0.57, t); uniform(1001, 2.5, 9.1, t); bernoulli(1000, 0.5, t); randperm(1000); randn(1, t)
    init("KAIMING_UNIFORM", "kaiming_uniform_", 5, 7, t, math.sqrt(5))
    init("KAIMING_UNIFORM", "kaiming_uniform_", 64, 3, t, 0)
    init("KAIMING_NORMAL", "kaiming_normal_", 3, 5, t, 0.2)
    init("KAIMING_NORMAL", "kaiming_normal_", 20, 11, t, 0)
    init("XAVIER_UNIFORM", "xavier_uniform_", 4, 3, t, 1)
    init("XAVIER_UNIFORM", "xavier_uniform_", 30, 40, t, 5 / 3)
    init("XAVIER_NORMAL", "xavier_normal_", 5, 2, t, 1)
    init("XAVIER_NORMAL", "xavier_normal_", 30, 40, t, math.sqrt(2))
    trunc(10, 0, 1, -2, 2, t); trunc(500, 0.1, 0.02, 0.09, 0.2, t)
    trunc(20, 0, 1, 2, 2.5, t); trunc(500, 3, 1, -1, 2, t); trunc(40, 0, 5, -0.5, 0.25, t)
    rand(3, t); randn(2, t)


for s in (0, 123, 2**32 + 5, 2**64 - 1):
    for t in (F, D):
        seed(s)
        mixture(t)
seed(5)
rand(4, F)
seed(3)
randn(4608 * 16 + 5, F)
rand(100000, F)

torch.manual_seed(42)
torch.randn(3), torch.rand(700)
state = torch.get_rng_state()
after = torch.cat([torch.randn(2, dtype=D), torch.rand(30, dtype=D)])

print("/* Made by tests/golden/make_rng.py with PyTorch %s. */" % torch.__version__.split("+")[0])
print("/* clang-format off */")
print("static const golden_call golden_calls[] = {\n" + "\n".join(calls) + "\n};")
print("static const double golden_values[] = {")
for i in range(0, len(values), 5):
    print("    " + ", ".join(values[i:i + 5]) + ",")
print("};")
print("/* torch.get_rng_state() after manual_seed(42), randn(3), rand(700); then randn(2) and rand(30) in float64. */")
print("static const uint8_t golden_state[] = {")
state = state.tolist()
for i in range(0, len(state), 30):
    print("    " + ",".join(map(str, state[i:i + 30])) + ",")
print("};")
print("static const double golden_after_state[] = {" + ", ".join(float(v).hex() for v in after) + "};")
