"""Holds examples/encoder against PyTorch: tokens and vectors of 20 sentences, the losses of fine-tuning attention and of
low-rank adapters, which PEFT opens. Needs torch, transformers and peft; MODEL is all-MiniLM-L6-v2's folder.

usage: python3 tests/golden/exchange_encoder.py build/encoder MODEL
"""
import subprocess
import sys
import tempfile

import numpy as np
import torch
import torch.nn.functional as F
from peft import LoraConfig, PeftModel, get_peft_model
from transformers import BertModel, BertTokenizerFast

program, folder = sys.argv[1:3]
torch.set_num_threads(2)
SENTENCES = """The cat sits on the mat.
A cat is sitting on a rug.
Stocks fell sharply on Monday after the report.
How do I reset my password?
I forgot my login credentials!!!
Café déjà vu: naïve façade
Ångström, Übermut und Straße
ТЕКСТ на русском языке
Ελληνικά και Σίσυφος
我爱北京天安门 and tea
日本語のテキスト
한국어 문장입니다
emoji 😀 and symbols ©®™ … “quoted” ‘text’ — dash
don't can't won't it's O'Neill's
e-mail: someone@example.com, http://example.com/a?b=c&d=1
1,234.56 + 7% = $3^2 {x} [y] <z> ~tilde~ `code`
tabs\tand\u00a0odd\u3000spaces\u200bhidden
İstanbul ǅ ﬁne Åland ½ ² ① Ⅷ
supercalifragilisticexpialidocious antidisestablishmentarianism
""".split("\n")[:-1] + ["word " * 400]
tokenizer = BertTokenizerFast(folder + "/vocab.txt")


def embed(model, sentences):
    x = tokenizer(sentences, padding=True, truncation=True, max_length=256, return_tensors="pt")
    y, mask = model(**x).last_hidden_state, x["attention_mask"].unsqueeze(-1)
    return F.normalize((y * mask).sum(1) / mask.sum(1), dim=1)


def run(*arguments, **more):
    return subprocess.run([program, *arguments], check=True, text=True, capture_output=True, **more).stdout


def vectors(*arguments):
    out = run("embed", folder, *arguments, input="\n".join(SENTENCES) + "\n")
    return np.array([line.split() for line in out.splitlines()], dtype=np.float64)


def reference(model):
    with torch.no_grad():  # a sentence at a time, as the program
        return torch.cat([embed(model, [s]) for s in SENTENCES]).double().numpy()


WORDS = "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen".split()


def batch(size):
    pairs = []
    for n in torch.randperm(17).tolist():
        if n == 0 or len(pairs) == size:
            continue
        a = 0
        while True:
            a = torch.randint(0, n + 1, (1,)).item()
            if (7 * n + 3 * a) % 5:
                break
        pairs.append((f"{WORDS[a]} plus {WORDS[n - a]}", f"the number {WORDS[n]}"))
    return pairs


def losses(model, lr):
    trained = [p for p in model.parameters() if p.requires_grad]
    optimizer = torch.optim.AdamW(trained, lr=lr)
    out = []
    for _ in range(20):
        a, b = zip(*batch(8))
        loss = F.cross_entropy(embed(model, list(a)) @ embed(model, list(b)).T * 20, torch.arange(8))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        out.append(loss.item())
    return np.array(out)


def printed(out):
    print(*[line for line in out.splitlines() if "step" not in line], sep="\n")
    return np.array([float(line.split()[-1]) for line in out.splitlines() if line.startswith("step")])


def new_model():
    return BertModel.from_pretrained(folder, add_pooling_layer=False, attn_implementation="eager").eval()


def check(what, value, most):
    print(f"{what}: {value:.3g} (at most {most:g})", flush=True)
    assert value <= most, what


model = new_model()
check("vectors of 20 sentences, largest difference", abs(vectors() - reference(model)).max(), 1e-6)

torch.manual_seed(1)
for name, p in model.named_parameters():
    p.requires_grad_(".attention." in name and "LayerNorm" not in name)
ours, theirs = printed(run("finetune", folder, "--seed", "1")), losses(model, 1e-4)
print("attention:", ours[0], "->", ours[-1])
check("losses of 20 steps, largest difference", abs(ours - theirs).max(), 1e-4)

with tempfile.TemporaryDirectory() as out:
    ours = printed(run("finetune", folder, "--seed", "1", "--lora", "4", "--save", out))
    model = get_peft_model(new_model(), LoraConfig(r=4, lora_alpha=8, target_modules=["query", "value"]))
    torch.manual_seed(1)
    for layer in model.base_model.model.encoder.layer:  # drawn in the program's order
        for part in (layer.attention.self.query, layer.attention.self.value):
            torch.nn.init.kaiming_uniform_(part.lora_A.default.weight, a=5**0.5)
    theirs = losses(model.eval(), 1e-3)
    print("adapters:", ours[0], "->", ours[-1])
    check("losses of 20 steps with adapters, largest difference", abs(ours - theirs).max(), 1e-4)
    opened = PeftModel.from_pretrained(new_model(), out).eval()
    n = sum(p.numel() for k, p in opened.named_parameters() if "lora_" in k)
    check(f"vectors with the {n} adapter weights, opened by PEFT", abs(vectors("--adapter", out) - reference(opened)).max(), 1e-6)
