"""Writes tests/golden/print.h: how PyTorch prints. Run by hand: python3 tests/golden/make_print.py > tests/golden/print.h

A tensor is given by its values, or, when it has many, by the pattern ((7919 i) mod 10007 - 5000) * scale.
"""
import json
import math

import torch

inf, nan = math.inf, math.nan
NAMES = {torch.float32: "TG_F32", torch.float64: "TG_F64", torch.int64: "TG_I64", torch.bool: "TG_BOOL"}
cases = []


def add(shape, values=(), dtype=torch.float32, scale=0.0, grad=False, transpose=False):
    n = math.prod(shape)
    data = list(values) or [((7919 * i) % 10007 - 5000) * scale for i in range(n)]
    if dtype == torch.bool:
        data = [v > 0 for v in data]
    elif dtype == torch.int64:
        data = [int(v) for v in data]
    x = torch.tensor(data, dtype=dtype).reshape(shape)
    if grad:
        x.requires_grad_()
    shown = x.detach().transpose(0, 1) if transpose else x
    listed = ", ".join("INFINITY" if v == inf else "-INFINITY" if v == -inf else "NAN" if v != v
                       else f"{v}.0" if isinstance(v, int) else repr(float(v)) for v in values) or "0"
    sizes = ", ".join(map(str, shape)) or "0"
    text = "\n        ".join(json.dumps(line) for line in str(shown).splitlines(True))
    cases.append(f"    {{{NAMES[dtype]}, {{{len(shape)}, {{{sizes}}}}}, {len(values)}, {{{listed}}}, {scale!r}, "
                 f"{str(grad).lower()}, {str(transpose).lower()},\n        {text}}},")


D, I, B = torch.float64, torch.int64, torch.bool
# scalars
for v in (0, 3, -7, 0.5, 1 / 3, 1e-5, 123456789.0, 1e8, 12345.678, inf, -inf, nan, -0.0):
    add((), [v])
add((), [0.1], D)
add((), [2.5], grad=True)
add((), [-12], I)
add((), [1], B)
# formats
add((3,), [1, 2, 3]); add((3,), [1, -2, 300]); add((3,), [1, 2000, 3]); add((2,), [1, 1000]); add((2,), [1, 1001])
add((3,), [0.5, -0.25, 100.125]); add((3,), [0.5, 1e-3, 0.1]); add((3,), [0.5, 1e-4, 0.01]); add((2,), [1e-4, 1e-3])
add((2,), [1e-4, 1e-3], D); add((2,), [9.999e-5, 1e-3]); add((2,), [1e8, 2e8]); add((2,), [1.5e5, 2e8]); add((2,), [1e30, -1e30])
add((2,), [1e200, -1e-200], D); add((2,), [5e-324, 0], D); add((3,), [1e-30, 0, 0])
add((3,), [0, 0, 0]); add((2,), [-0.0, 0.0]); add((3,), [-0.0, 1, 5]); add((3,), [0.00004, 1, 5]); add((2,), [0.99999, 0.1])
add((4,), [1, inf, -inf, nan]); add((4,), [0.5, inf, -inf, nan]); add((3,), [1e-10, inf, nan]); add((3,), [inf, -inf, nan])
add((2,), [nan, nan]); add((3,), [inf, 100, 0.0]); add((2,), [-inf, 0.5], D); add((3,), [0.25, -inf, 0])
add((3,), [0.1117, 0.8158, 0.2626]); add((6,), [0.9999, 0.99995, 0.999949, 0.00005, 0.5, 2.00005])
# bool and int
add((3,), [1, 0, 1], B); add((2, 2), [0, 0, 0, 0], B); add((5,), [1, -20, 300, 0, 7], I); add((2,), [2**62, -2**61], I)
add((2, 3), [1, 2, 3, 4, 5, 60], I)
# nesting
add((2, 3), [0.1, 0.2, 0.3, -0.4, 0.5, 0.6]); add((3, 2), scale=0.001, transpose=True); add((2, 2, 2), scale=0.01)
add((2, 1, 2, 3), scale=0.01); add((1, 1, 1, 1), [5]); add((2, 2, 1, 1, 2), scale=1.0); add((1, 6, 2), scale=0.01, dtype=D)
add((2, 2, 2, 1, 1, 1, 1, 2), scale=0.5)
# empty
for shape in ((0,), (2, 0), (0, 3, 4)):
    for dtype in (torch.float32, D, I, B):
        add(shape, dtype=dtype)
add((0,), grad=True)
add((1, 0), dtype=D, grad=True)
# wrapping
for n in (7, 8, 9, 10, 17, 40):
    add((n,), scale=0.001)
for n in (8, 9, 20):
    add((n,), scale=0.001, dtype=D); add((n,), scale=0.001, grad=True); add((2, n), scale=0.001, dtype=D, grad=True)
add((50,), scale=1.0, dtype=I); add((40,), scale=1.0, dtype=B); add((3, 25), scale=0.01); add((2, 2, 15), scale=1e-7)
add((30,), scale=1e4); add((12,), scale=1e250, dtype=D)
for dtype in (torch.float32, D):  # suffixes that just fit at the end of the line, and just do not
    for grad in (False, True):
        add((13,), [1] * 13, dtype, grad=grad); add((10,), [10] * 10, dtype, grad=grad)
        add((2, 7), [1000] * 14, dtype, grad=grad); add((12,), [1] * 12, dtype, grad=grad)
for n in (10, 11, 12, 13, 14, 15):
    add((n,), list(range(n)), grad=True); add((n,), list(range(n)), dtype=D); add((n,), list(range(n)), dtype=D, grad=True)
# summaries
add((1001,), scale=0.001); add((1001,), scale=0.001, dtype=D); add((2000,), scale=1.0, dtype=I)
add((2000,), scale=1.0, dtype=B); add((1001,), scale=1e-9); add((40, 40), scale=0.001); add((6, 200), scale=0.001)
add((7, 200), scale=0.001, grad=True); add((200, 6), scale=0.001); add((200, 7), scale=0.001, transpose=True)
add((20, 10, 10), scale=0.001); add((3, 10, 50), scale=0.001, dtype=D); add((10, 4, 30), scale=0.25); add((2, 2, 8, 40), scale=0.001)
add((1, 1, 1200), scale=1e-5); add((2, 7, 2, 40), scale=0.001); add((1, 2, 1, 1000), scale=1.0); add((1500, 1), scale=0.01)

print("/* Made by tests/golden/make_print.py with PyTorch %s. */" % torch.__version__.split("+")[0])
print("/* clang-format off */")
print("static const golden_text golden_texts[] = {\n" + "\n".join(cases) + "\n};")
