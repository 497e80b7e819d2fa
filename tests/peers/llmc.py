#!/usr/bin/env python3
"""llm.c's train_gpt2.c as the benchmark's peer: GPT-2's 124M shape with random weights, 4 windows of 64 tokens.

    LLMC=FOLDER tests/peers/llmc.py gpt2 --threads N --reps N [--max-t N]

FOLDER is a checkout of github.com/karpathy/llm.c. Weights, tokens and the program (its own flags, with OpenMP) are made
there when they are missing; the steps that it prints are timed by itself, and the first two are not counted.
"""
import argparse, array, json, os, random, re, subprocess, sys
from pathlib import Path

LAYERS, HEADS, WIDTH, CONTEXT, TOKENS, PADDED = 12, 12, 768, 1024, 50257, 50304
WARM = 2


def write_weights(path):
    """Header of 256 int32, then every layer's parameters of one kind together, float32."""
    rng = random.Random(1)
    noise = array.array("f", (rng.gauss(0, 0.02) for _ in range(1 << 16))).tobytes()

    def normal(f, n):
        for at in range(0, 4 * n, len(noise)):
            f.write(noise[:min(len(noise), 4 * n - at)])

    def constant(f, value, n):
        array.array("f", [value] * n).tofile(f)

    L, C = LAYERS, WIDTH
    with open(path, "wb") as f:
        array.array("i", ([20240326, 3, CONTEXT, TOKENS, L, HEADS, C, PADDED] + [0] * 256)[:256]).tofile(f)
        normal(f, PADDED * C)
        normal(f, CONTEXT * C)
        for out, into, normed in ((3 * C, C, True), (C, C, False), (4 * C, C, True), (C, 4 * C, False)):
            if normed:
                constant(f, 1, L * C)
                constant(f, 0, L * C)
            normal(f, L * out * into)
            constant(f, 0, L * out)
        constant(f, 1, C)
        constant(f, 0, C)


def write_tokens(path, n):
    rng = random.Random(2)
    path.parent.mkdir(parents=True, exist_ok=True)
    with open(path, "wb") as f:
        array.array("i", ([20240520, 1, n] + [0] * 256)[:256]).tofile(f)
        array.array("H", (rng.randrange(TOKENS) for _ in range(n))).tofile(f)


def prepare(folder):
    if not (folder / "gpt2_124M.bin").exists():
        write_weights(folder / "gpt2_124M.bin")
    for part in ("train", "val"):
        path = folder / f"dev/data/tinyshakespeare/tiny_shakespeare_{part}.bin"
        if not path.exists():
            write_tokens(path, 32768)
    if not (folder / "train_gpt2").exists():
        subprocess.run(["make", "train_gpt2"], cwd=folder, check=True, stdout=subprocess.DEVNULL)


def steps(folder, threads, count):
    """Milliseconds of each step, and the peak of the resident memory in MiB."""
    env = dict(os.environ, OMP_NUM_THREADS=str(threads))
    child = subprocess.Popen(["stdbuf", "-oL", "./train_gpt2"], cwd=folder, env=env, stdout=subprocess.PIPE, text=True)
    times = []
    for line in child.stdout:
        took = re.match(r"step \d+: train loss \S+ \(took ([\d.]+) ms\)", line)
        times += [float(took.group(1))] if took else []
        if len(times) == count:
            break
    memory = re.search(r"VmHWM:\s+(\d+)", Path(f"/proc/{child.pid}/status").read_text())
    child.kill()
    child.wait()
    if len(times) < count:
        sys.exit(f"llmc: train_gpt2 ended after {len(times)} of {count} steps")
    return times, int(memory.group(1)) / 1024


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("workload", choices=["gpt2"])
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--reps", type=int, default=7)
    parser.add_argument("--max-t", type=int, help="taken, as the benchmark gives it; not used")
    o = parser.parse_args()
    if not os.environ.get("LLMC"):
        sys.exit("llmc: say where the checkout is: LLMC=FOLDER")
    folder = Path(os.environ["LLMC"])
    prepare(folder)
    times, memory = steps(folder, o.threads, o.reps + WARM)
    times = sorted(times[WARM:])
    print(json.dumps({"peer": "llm.c", "workload": "gpt2 train", "threads": o.threads, "ms_min": times[0],
                      "ms_median": times[len(times) // 2], "rss_mib": round(memory, 1)}))


if __name__ == "__main__":
    main()
