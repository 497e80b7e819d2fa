"""build/gpt with random models of transformers and adapters of PEFT, both ways: logits of folders imported (one file, and
shards), one token after another, of folders exported, of adapters that gpt finetune made. Prints the largest difference
as a part of the largest logit, and fails above 1e-5.

usage: python3 tests/golden/exchange_llama.py build/gpt        (needs torch, transformers, peft)
"""
import json
import pathlib
import subprocess
import sys
import tempfile

import numpy
import peft
import torch
import transformers
from transformers import GPT2Config, LlamaConfig, MistralConfig, Qwen2Config, Qwen3Config

transformers.utils.logging.disable_progress_bar()
transformers.utils.logging.set_verbosity_error()
GPT = str(pathlib.Path(sys.argv[1]).resolve())
V, T = 211, 48
SIZES = dict(vocab_size=V, hidden_size=64, intermediate_size=112, num_hidden_layers=4, num_attention_heads=8,
             num_key_value_heads=2, max_position_embeddings=64)
LLAMA3 = dict(rope_type="llama3", rope_theta=500000.0, factor=8.0, low_freq_factor=1.0, high_freq_factor=4.0,
              original_max_position_embeddings=32)
MODELS = {
    "Llama 2": LlamaConfig(**{**SIZES, "num_key_value_heads": 8}),
    "Llama 3": LlamaConfig(**SIZES, rope_parameters=LLAMA3, tie_word_embeddings=True, eos_token_id=[7, 8]),
    "Qwen2": Qwen2Config(**SIZES, tie_word_embeddings=True),
    "Qwen2, windows": Qwen2Config(**SIZES, use_sliding_window=True, sliding_window=9, max_window_layers=2),
    "Qwen3": Qwen3Config(**SIZES, head_dim=16),
    "Mistral": MistralConfig(**SIZES, sliding_window=12),
    "GPT-2": GPT2Config(vocab_size=V, n_positions=64, n_embd=64, n_layer=3, n_head=4, bos_token_id=1, eos_token_id=[3, 2]),
}
worst = 0.0


def gpt(*arguments):
    r = subprocess.run([GPT, *map(str, arguments)], capture_output=True, text=True)
    assert r.returncode == 0, (arguments, r.stderr)
    return r.stdout


def compare(what, got, want):
    global worst
    apart = float(numpy.abs(got - want).max() / numpy.abs(want).max())
    worst = max(worst, apart)
    print(f"  {what:44s} {apart:.1e}")


def logits_of(model, ids):
    with torch.no_grad():
        return model(ids).logits[0].float().numpy()


def ours(folder, checkpoint, *more):
    out = folder / "y.npy"
    out.unlink(missing_ok=True)
    gpt("logits", checkpoint, "--tokens", folder / "ids.npy", "--out", out, *more)
    return numpy.load(out)


def check(name, config, folder):
    torch.manual_seed(1)
    model = transformers.AutoModelForCausalLM.from_config(config, attn_implementation="eager").eval()
    with torch.no_grad():
        for p in model.parameters():
            p.add_(torch.randn_like(p) * 0.2)
    ids = torch.randint(0, V, (1, T))
    want = logits_of(model, ids)
    numpy.save(folder / "ids.npy", ids[0].numpy().astype("uint16"))
    print(name)
    for shards in (False, True):
        theirs, own = folder / f"theirs{shards}", folder / f"own{shards}"
        model.save_pretrained(theirs, **(dict(max_shard_size="100KB") if shards else {}))
        assert shards == (theirs / "model.safetensors.index.json").exists()
        gpt("import", theirs, "--out", own)
        compare("imported" + (", from shards" if shards else ""), ours(folder, own), want)
    compare("one token after another", ours(folder, own, "--cached"), want)
    gpt("export", own, "--out", folder / "exported")
    back = transformers.AutoModelForCausalLM.from_pretrained(folder / "exported", attn_implementation="eager").eval()
    compare("exported, in transformers", logits_of(back, ids), want)
    assert back.config.eos_token_id == model.config.eos_token_id, back.config.eos_token_id
    targets = "*.c_attn,*.c_fc" if name == "GPT-2" else "*.q_proj,*.v_proj,*.down_proj"
    lines = [dict(prompt=ids[0, i:i + 3].tolist(), answer=ids[0, i + 3:i + 5].tolist()) for i in range(8)]
    (folder / "data").write_text("".join(json.dumps(x) + "\n" for x in lines))
    gpt("finetune", own, "--data", folder / "data", "--lora", 4, "--target", targets, "--lr", 0.02, "--steps", 3,
        "--save", folder / "adapter")
    tuned = ours(folder, own, "--adapter", folder / "adapter")
    assert numpy.abs(tuned - want).max() > 0.01 * numpy.abs(want).max()
    with_peft = peft.PeftModel.from_pretrained(model, folder / "adapter").eval()
    compare("adapters, in PEFT", logits_of(with_peft, ids), tuned)
    gpt("export", own, "--adapter", folder / "adapter", "--out", folder / "merged")
    merged = transformers.AutoModelForCausalLM.from_pretrained(folder / "merged", attn_implementation="eager").eval()
    compare("adapters merged, in transformers", logits_of(merged, ids), tuned)


for name, config in MODELS.items():
    with tempfile.TemporaryDirectory() as folder:
        check(name, config, pathlib.Path(folder))
print(f"largest: {worst:.1e}")
sys.exit(worst > 1e-5)
