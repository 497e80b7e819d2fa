"""Writes tests/golden/safetensors.h: files as the Python package writes them. Run by hand:
python3 tests/golden/make_safetensors.py > tests/golden/safetensors.h

With a file as its argument it checks instead that the file, as written by tests/serialize_test (see there), loads
in Python with the same names, shapes, dtypes and numbers:
SAVE_TO=out.safetensors build/serialize_test; python3 tests/golden/make_safetensors.py out.safetensors
"""
import sys

import torch
from safetensors import safe_open
from safetensors.torch import load_file, save


def state(dtype):
    return {
        "attn.W_query.weight": torch.tensor([[0.5, -1.25, 3e-20], [1 / 3, 0.0, -7.0]], dtype=dtype),
        "attn.W_query.bias": torch.tensor([1.0, 2.0, 3.0], dtype=dtype),
        "scale": torch.tensor(0.125, dtype=dtype),
        "nothing": torch.zeros(0, 4, dtype=dtype),
        'na\u00efve "\\\t\x01\U0001F600': torch.tensor([9.0], dtype=dtype),
        "mask": torch.tensor([[True, False, True], [False, False, True]]),
        "ids": torch.tensor([3, -4, 2**53 + 1]),
    }


def check(path):
    with safe_open(path, "pt") as f:
        assert f.metadata() == {"format": "pt"}, f.metadata()
    got, want = load_file(path), state(torch.float32)
    assert got.keys() == want.keys(), got.keys()
    for name, x in want.items():
        assert got[name].dtype == x.dtype and torch.equal(got[name], x), name
    print(f"{path}: {len(want)} tensors as they should be")


def listing(name, dtype):
    data = save(state(dtype), metadata={"format": "pt"})
    lines = [",".join(str(b) for b in data[i:i + 30]) for i in range(0, len(data), 30)]
    return f"static const uint8_t {name}[] = {{\n    " + ",\n    ".join(lines) + "};"


if len(sys.argv) > 1:
    check(sys.argv[1])
else:
    print("/* Made by tests/golden/make_safetensors.py with PyTorch %s. */" % torch.__version__.split("+")[0])
    print("/* clang-format off */")
    print(listing("golden_f32", torch.float32))
    print(listing("golden_f64", torch.float64))
