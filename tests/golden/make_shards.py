"""Writes shards.h: a model in two files with their index, and one file in GPT-2's layout (matrices transposed, query, key
and value in one), all as the safetensors package writes them. Run: python3 make_shards.py > shards.h

Number i of a tensor is i - 100 times the number of the tensor, counted from 1 in the order below.
"""
import json

import torch
from safetensors.torch import save


def numbers(k, *shape, dtype=torch.float32):
    return (torch.arange(torch.Size(shape).numel()) - 100 * k).to(dtype).view(shape)


def listing(name, data):
    lines = [",".join(str(b) for b in data[i:i + 30]) for i in range(0, len(data), 30)]
    return f"static const unsigned char {name}[] = {{\n    " + ",\n    ".join(lines) + "};"


first = {"embed.weight": numbers(1, 5, 3), "norm.weight": numbers(2, 3, dtype=torch.bfloat16)}
second = {"head.weight": numbers(3, 5, 3, dtype=torch.float16), "ids": numbers(4, 2, dtype=torch.int64)}
where = {**{n: "model-00001-of-00002.safetensors" for n in first}, **{n: "model-00002-of-00002.safetensors" for n in second}}
size = sum(x.numel() * x.element_size() for x in [*first.values(), *second.values()])
# as transformers writes it
index = json.dumps({"metadata": {"total_size": size}, "weight_map": where}, indent=2, sort_keys=True) + "\n"

# Linear layers q, k, v (4, 4) with biases, o (4, 4) and an embedding (5, 4): what the tape has
q, k, v, o = (numbers(i + 1, 4, 4) for i in range(4))
biases = [numbers(i + 5, 4) for i in range(3)]
layout = {
    "h.0.attn.c_attn.weight": torch.cat([q, k, v]).T.contiguous(),
    "h.0.attn.c_attn.bias": torch.cat(biases),
    "h.0.attn.c_proj.weight": o.T.contiguous(),
    "wte.weight": numbers(8, 5, 4),
}

print("/* Made by tests/golden/make_shards.py with PyTorch %s. */" % torch.__version__.split("+")[0])
print("/* clang-format off */")
print(listing("shard_1", save(first, metadata={"format": "pt"})))
print(listing("shard_2", save(second, metadata={"format": "pt"})))
print("static const char shard_index[] = %s;" % json.dumps(index))
for dtype, name in ((torch.float32, "layout_f32"), (torch.bfloat16, "layout_bf16")):
    print(listing(name, save({n: x.to(dtype) for n, x in layout.items()}, metadata={"format": "pt"})))
