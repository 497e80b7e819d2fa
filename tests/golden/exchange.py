#!/usr/bin/env python3
"""Weights travel both ways: a file of this library in PyTorch's module, and a file of PyTorch in this library's layer.

usage: exchange.py build/exchange      needs torch and safetensors; prints the largest difference of the outputs
"""
import math, subprocess, sys, tempfile, os
import torch
from safetensors.torch import load_file, save_file


class MultiHeadAttention(torch.nn.Module):
    """document 004's formula, with the names of the notebooks' class"""

    def __init__(self):
        super().__init__()
        self.W_query, self.W_key, self.W_value = (torch.nn.Linear(3, 4) for _ in range(3))
        self.out_proj = torch.nn.Linear(4, 4)
        self.register_buffer("mask", torch.triu(torch.ones(6, 6), 1))

    def forward(self, x):
        q, k, v = (w(x).view(6, 2, 2).transpose(0, 1) for w in (self.W_query, self.W_key, self.W_value))
        scores = (q @ k.transpose(1, 2)).masked_fill(self.mask.bool(), -math.inf)
        y = torch.softmax(scores / math.sqrt(2), -1) @ v
        return self.out_proj(y.transpose(0, 1).reshape(6, 4))


x = torch.tensor([[0.43, 0.15, 0.89], [0.55, 0.87, 0.66], [0.57, 0.85, 0.64],
                  [0.22, 0.58, 0.33], [0.77, 0.25, 0.10], [0.05, 0.80, 0.55]])


def ours(what, path):
    out = subprocess.run([sys.argv[1], what, path], check=True, capture_output=True, text=True).stdout
    return torch.tensor([float(v) for v in out.split()]).view(6, 4)


worst = 0
with tempfile.TemporaryDirectory() as folder, torch.no_grad():
    there, back = os.path.join(folder, "there.safetensors"), os.path.join(folder, "back.safetensors")
    y = ours("write", there)
    m = MultiHeadAttention()
    m.load_state_dict(load_file(there))
    worst = max(worst, (m(x) - y).abs().max().item())
    torch.manual_seed(42)
    m = MultiHeadAttention()
    save_file(m.state_dict(), back)
    worst = max(worst, (m(x) - ours("read", back)).abs().max().item())
print("largest difference of the outputs: %.3g" % worst)
sys.exit(worst > 1e-6)
