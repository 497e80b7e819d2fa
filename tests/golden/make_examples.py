#!/usr/bin/env python3
"""Golden values for an example of every operation of the table, from PyTorch in float64: writes examples.h beside this
file.

usage: make_examples.py build/golden_examples      (make golden)

The program prints the operations, with operands and a cotangent w; PyTorch's call is the one that stands above the
function in core/ops. The numbers are the result and the gradient of <w, result> for each operand that requires one.
"""
import os
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "peers"))
import torch
import torch_ops

torch.set_default_dtype(torch.float64)
LAYOUTS = {"plain": "PLAIN", "dim 0": "DIM_0", "both dims": "BOTH_DIMS"}


def numbers_of(call, operands, w):
    y = call()
    numbers = y.detach().double().reshape(-1).tolist()
    wanted = [x for x in operands if x.requires_grad]
    if y.requires_grad:
        for gradient in torch.autograd.grad(y, wanted, w.reshape(y.shape)):
            numbers += gradient.reshape(-1).tolist()
    return numbers


def main():
    lines = subprocess.run([sys.argv[1]], capture_output=True, text=True, check=True).stdout.splitlines()
    rows, numbers = [], []
    for line, w in zip(lines[::2], lines[1::2]):
        name, layout, operands, call = torch_ops.parse(line)
        rows.append('{"%s", %s, %d},' % (name, LAYOUTS[layout], len(numbers)))
        numbers += numbers_of(call, operands, torch.tensor([float(v) for v in w.split()]))
    with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "examples.h"), "w") as file:
        file.write("/* Made by make_examples.py with PyTorch %s. */\n" % torch.__version__.split("+")[0])
        file.write("/* clang-format off */\n")
        file.write("typedef struct golden_example {\n    const char *op;\n    int layout, first;\n} golden_example;\n\n")
        file.write("static const golden_example golden_examples[] = {\n")
        file.writelines("    %s\n" % row for row in rows)
        file.write("};\n\nstatic const double golden_example_numbers[] = {\n")
        for i in range(0, len(numbers), 5):
            file.write("    %s,\n" % ", ".join("%.17g" % v for v in numbers[i : i + 5]))
        file.write("};\n")


if __name__ == "__main__":
    main()
