#!/usr/bin/env python3
"""PyTorch's calls for the operations of the table (tests/operations.h), as print_example writes them.

usage: torch_ops.py THREADS [cpu|wall [float64]]
    for tests/bench/ops.c: reads a line for each call to be timed, or "again", and answers with the least time of its
    forward and of its backward in seconds; cpu: processor time; float64: in double
"""
import sys
import time
import warnings

import torch
import torch.nn.functional as F

warnings.simplefilter("ignore")
clock = time.process_time if sys.argv[2:3] == ["cpu"] else time.perf_counter
MOST_REPS, LEAST_REPS, SECONDS = 200, 3, 0.02  # as in tests/bench/ops.c


def tensor(kind, shape, turned, below, values):
    """kind: f any number, p positive, both with a gradient, c without one, i index, b bool; turned: a transpose."""
    size = tuple(reversed(shape)) if turned else shape
    if values is not None:
        x = torch.tensor(values).reshape(shape)
        x = x.t().contiguous() if turned else x
        x = x.to({"i": torch.int64, "b": torch.bool}.get(kind, torch.get_default_dtype()))
    elif kind == "i":
        x = torch.randint(0, below, size)
    elif kind == "b":
        x = torch.rand(size) < 0.5
    else:
        x = torch.rand(size) + 0.5 if kind == "p" else torch.randn(size)
    leaf = x.requires_grad_() if kind in "fp" else x
    leaves.append(leaf)
    return leaf.t() if turned else leaf


def product(x, dims, keepdim):
    """torch.prod takes one dim."""
    for dim in sorted(dims, reverse=True):
        x = x.prod(dim, keepdim)
    return x


def rope(x, base=10000):
    """Hugging Face's rotary embedding: pairs (i, i + half)."""
    half = x.shape[-1] // 2
    angle = torch.arange(x.shape[-2])[:, None] * base ** (-torch.arange(half) / half)
    cos, sin = angle.cos().repeat(1, 2).to(x.dtype), angle.sin().repeat(1, 2).to(x.dtype)
    return x * cos + torch.cat((-x[..., half:], x[..., :half]), -1) * sin


leaves = []


def parse(line):
    """The call's name, its layout, its operands, and a function that makes the call."""
    name, layout, assignments, expression = line.rstrip("\n").split("\t")
    leaves.clear()
    operands = {}
    exec(assignments, globals(), operands)
    scope, code = dict(globals(), **operands), compile(expression, name, "eval")
    return name, layout, list(leaves), lambda: eval(code, scope)


def run_once(operands, call, dy):
    for x in operands:
        x.grad = None
    start = clock()
    y = call()
    middle = clock()
    if dy is not None:
        y.backward(dy)
    return middle - start, clock() - middle if dy is not None else 0


def least_times(operands, call):
    y = call()
    dy = torch.ones_like(y) if y.requires_grad else None  # strides as y's
    del y
    forward = backward = float("inf")
    start = clock()
    for i in range(MOST_REPS):
        if i >= LEAST_REPS and clock() - start >= SECONDS:
            break
        f, b = run_once(operands, call, dy)
        forward, backward = min(forward, f), min(backward, b)
    return forward, backward


def main():
    torch.set_num_threads(int(sys.argv[1]))
    torch.manual_seed(1)
    if sys.argv[3:4] == ["float64"]:
        torch.set_default_dtype(torch.float64)
    print("ready", torch.__version__, flush=True)
    for line in sys.stdin:
        try:
            if line != "again\n":
                _, _, operands, call = parse(line)
            print("%.9f %.9f" % least_times(operands, call), flush=True)
        except Exception as e:
            print(type(e).__name__, str(e).split("\n")[0], flush=True)


if __name__ == "__main__":
    main()
