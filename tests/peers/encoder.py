"""The time of all-MiniLM-L6-v2's shape in examples/encoder and in PyTorch (transformers), in turn: forward, and forward and
backward with every weight trainable; 20 sentences of 12 to 32 tokens, padded to 32. Needs torch and transformers.

usage: encoder.py build/encoder_time [ROUNDS]
"""
import os
import statistics
import subprocess
import sys
import time

REPEATS = 10


def worker(threads):
    import torch
    from transformers import BertConfig, BertModel

    torch.set_num_threads(threads)
    model = BertModel(BertConfig(hidden_size=384, intermediate_size=1536, num_hidden_layers=6,
                                 num_attention_heads=12), add_pooling_layer=False).eval()
    length = torch.tensor([32] + [12 + 7 * i % 21 for i in range(1, 20)])
    i, j = torch.arange(20).unsqueeze(1), torch.arange(32)
    mask = (j < length.unsqueeze(1)).long()
    ids = (1000 + (i * 997 + j * 31) % 20000) * mask

    def embed():
        y, m = model(input_ids=ids, attention_mask=mask).last_hidden_state, mask.unsqueeze(-1)
        return torch.nn.functional.normalize((y * m).sum(1) / m.sum(1), dim=1)

    def forward():
        with torch.no_grad():
            embed()

    def forward_and_backward():
        model.zero_grad(set_to_none=True)
        embed()[:, 0].sum().backward()

    for step in forward, forward_and_backward:
        times = []
        for _ in range(REPEATS + 1):
            start = time.perf_counter()
            step()
            times.append(1e3 * (time.perf_counter() - start))
        print(min(times))


def main():
    program = sys.argv[1]
    for threads in 1, 2:
        ratios = [], []
        best = [[1e9, 1e9], [1e9, 1e9]]  # what, whose
        for _ in range(int(sys.argv[2]) if len(sys.argv) > 2 else 5):
            pair = []
            for command in [program, str(REPEATS)], [sys.executable, __file__, "worker", str(threads)]:
                env = dict(os.environ, TG_THREADS=str(threads))
                done = subprocess.run(command, env=env, text=True, check=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
                pair.append([float(x) for x in done.stdout.split()])
            for what in 0, 1:
                ratios[what].append(pair[1][what] / pair[0][what])
                best[what] = [min(a, p[what]) for a, p in zip(best[what], pair)]
        for what, name in enumerate(["forward", "forward and backward"]):
            print(f"{threads} threads, {name}: {best[what][0]:.2f} ms, PyTorch {best[what][1]:.2f} ms: "
                  f"{best[what][1] / best[what][0]:.2f} times as fast "
                  f"(a round {min(ratios[what]):.2f} to {max(ratios[what]):.2f}, median {statistics.median(ratios[what]):.2f})")


if sys.argv[1] == "worker":
    worker(int(sys.argv[2]))
else:
    main()
