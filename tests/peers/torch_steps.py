#!/usr/bin/env python3
"""PyTorch's time for the training steps that elementwise operations and moves carry, one JSON line each; the benchmark's peer
for them: make bench WORK=mlp,relu,conv,encoder,optim PEER=tests/peers/torch_steps.py PYTHON=...

usage: torch_steps.py WORKLOAD [--threads N] [--reps N]
  mlp      784-512-512-10, relu and dropout 0.2, 128 images, Adam
  relu     the char GPT of gpt (4 layers, 4 heads, width 128, 12 x 64 tokens, vocabulary 65), relu in place of gelu and
           dropout 0.1 where nanoGPT has it, AdamW, gradient norm clipped to 1
  conv     64 images of 28 x 28: 3 x 3 to 16 channels, 3 x 3 by steps of 2 to 32, relu, mean, linear, Adam. By views and a
           product, in the faster of two ways: nine slices side by side, as the benchmark has them, and unfold. On stderr:
           each, and conv2d's time.
  encoder  torch.nn.TransformerEncoderLayer (8 x 128 tokens, width 256, 4 heads, hidden 1024, dropout 0.1), forward and
           backward, with relu and with gelu
  optim    a step of AdamW and of SGD with momentum over 1024 x 1024 weights, in PyTorch's faster of foreach and fused;
           clip_grad_norm_ of them
"""
import argparse
import json
import os
import resource
import statistics
import sys
import time

parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("workload", choices=["mlp", "relu", "conv", "encoder", "optim"])
parser.add_argument("--threads", type=int, default=1)
parser.add_argument("--reps", type=int, default=7)
parser.add_argument("--max-t", type=int, help="taken, as the benchmark gives it; not used")
args = parser.parse_args()
os.environ["OMP_NUM_THREADS"] = os.environ["MKL_NUM_THREADS"] = str(args.threads)
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.set_num_threads(args.threads)
torch.manual_seed(1)


def times_of(step, inner, warm):
    for _ in range(warm):
        step()
    times = []
    for _ in range(args.reps):
        start = time.perf_counter()
        for _ in range(inner):
            step()
        times.append(1e3 * (time.perf_counter() - start) / inner)
    return times


def tell(name, times):
    print(json.dumps({"peer": "torch " + torch.__version__, "workload": name, "threads": args.threads,
                      "ms_min": min(times), "ms_median": statistics.median(times),
                      "rss_mib": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024}), flush=True)


def trainer(model, x, targets):
    adam = torch.optim.Adam(model.parameters())

    def step():
        adam.zero_grad(set_to_none=True)
        F.cross_entropy(model(x), targets).backward()
        adam.step()
    return step


def mlp():
    model = nn.Sequential(nn.Linear(784, 512), nn.ReLU(), nn.Dropout(0.2), nn.Linear(512, 512), nn.ReLU(), nn.Dropout(0.2),
                          nn.Linear(512, 10))
    tell("mlp train", times_of(trainer(model, torch.randn(128, 784), torch.randint(0, 10, (128,))), 20, 10))


# ---- relu ----

LAYERS, HEADS, WIDTH, CONTEXT, BATCH, VOCABULARY, DROPOUT = 4, 4, 128, 64, 12, 65, 0.1


def linear(into, out):
    return nn.Linear(into, out, bias=False)


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.norm1, self.norm2 = nn.LayerNorm(WIDTH, bias=False), nn.LayerNorm(WIDTH, bias=False)
        self.qkv, self.out = linear(WIDTH, 3 * WIDTH), linear(WIDTH, WIDTH)
        self.up, self.down = linear(WIDTH, 4 * WIDTH), linear(4 * WIDTH, WIDTH)
        self.drop = nn.Dropout(DROPOUT)

    def forward(self, x):
        b, t, c = x.shape
        q, k, v = (z.view(b, t, HEADS, c // HEADS).transpose(1, 2) for z in self.qkv(self.norm1(x)).split(c, 2))
        y = F.scaled_dot_product_attention(q, k, v, dropout_p=DROPOUT, is_causal=True)
        x = x + self.drop(self.out(y.transpose(1, 2).reshape(b, t, c)))
        return x + self.drop(self.down(F.relu(self.up(self.norm2(x)))))


class GPT(nn.Module):
    def __init__(self):
        super().__init__()
        self.token, self.position = nn.Embedding(VOCABULARY, WIDTH), nn.Embedding(CONTEXT, WIDTH)
        self.blocks, self.norm = nn.Sequential(*(Block() for _ in range(LAYERS))), nn.LayerNorm(WIDTH, bias=False)
        for p in self.parameters():
            if p.dim() > 1:
                nn.init.normal_(p, 0, 0.02)

    def forward(self, ids, targets):
        x = F.dropout(self.token(ids) + self.position(torch.arange(ids.shape[1])), DROPOUT)
        logits = F.linear(self.norm(self.blocks(x)), self.token.weight)
        return F.cross_entropy(logits.view(-1, VOCABULARY), targets.view(-1))


def relu():
    model = GPT()
    ids, targets = (torch.randint(0, VOCABULARY, (BATCH, CONTEXT)) for _ in range(2))
    weights = list(model.parameters())
    adamw = torch.optim.AdamW([{"params": [p for p in weights if p.dim() > 1], "weight_decay": 0.1},
                               {"params": [p for p in weights if p.dim() < 2], "weight_decay": 0.0}], lr=1e-3, betas=(0.9, 0.99))

    def step():
        model(ids, targets).backward()
        nn.utils.clip_grad_norm_(weights, 1.0)
        adamw.step()
        adamw.zero_grad(set_to_none=True)
    tell("relu train", times_of(step, 20, 10))


# ---- conv ----

def by_slices(x, step):
    height, width = x.shape[1] - 2, x.shape[2] - 2
    return torch.cat([x[:, i:height + i:step, j:width + j:step] for i in range(3) for j in range(3)], 3)


def by_unfold(x, step):
    return x.unfold(1, 3, step).unfold(2, 3, step).flatten(3)


class Views(nn.Module):
    def __init__(self, patches):
        super().__init__()
        self.patches, self.conv1, self.conv2, self.head = patches, nn.Linear(9, 16), nn.Linear(144, 32), nn.Linear(32, 10)

    def forward(self, x):
        h = F.relu(self.conv1(self.patches(x, 1)))
        return self.head(F.relu(self.conv2(self.patches(h, 2))).mean((1, 2)))


class Convolutions(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv1, self.conv2, self.head = nn.Conv2d(1, 16, 3), nn.Conv2d(16, 32, 3, stride=2), nn.Linear(32, 10)

    def forward(self, x):
        return self.head(F.relu(self.conv2(F.relu(self.conv1(x)))).mean((2, 3)))


def conv():
    x, targets = torch.randn(64, 28, 28, 1), torch.randint(0, 10, (64,))
    ways = {"slices": (Views(by_slices), x), "unfold": (Views(by_unfold), x),
            "conv2d": (Convolutions(), x.permute(0, 3, 1, 2).contiguous())}
    times = {name: times_of(trainer(model, input, targets), 20, 10) for name, (model, input) in ways.items()}
    tell("conv train", min(times["slices"], times["unfold"], key=min))
    print(f"{args.threads} threads:", *(f"{name} {min(t):.3f} ms" for name, t in times.items()), file=sys.stderr)


def encoder():
    for name, activation in ("relu", F.relu), ("gelu", F.gelu):
        layer = nn.TransformerEncoderLayer(256, 4, 1024, 0.1, activation, batch_first=True)
        x = torch.randn(8, 128, 256)

        def step():
            layer.zero_grad(set_to_none=True)
            layer(x).pow(2).mean().backward()
        tell("encoder layer, " + name, times_of(step, 5, 3))


# ---- optim ----


def optim():
    w = torch.randn(1024, 1024, requires_grad=True)
    w.grad = torch.randn(1024, 1024)
    makers = {"adamw step": lambda **how: torch.optim.AdamW([w], **how),
              "sgd step": lambda **how: torch.optim.SGD([w], lr=1e-3, momentum=0.9, **how)}
    for name, make in makers.items():
        ways = [times_of(make(**how).step, 20, 5) for how in ({"foreach": True}, {"fused": True})]
        tell(name, min(ways, key=min))
    tell("clip", times_of(lambda: torch.nn.utils.clip_grad_norm_([w], 1), 20, 5))


{"mlp": mlp, "relu": relu, "conv": conv, "encoder": encoder, "optim": optim}[args.workload]()
