"""Writes tests/golden/bert.h: a BERT of all-MiniLM-L6-v2's shape, but small, in transformers: its tensors' names, a
vocabulary, ids of hard sentences, vectors, and the losses of fine-tuning attention and low-rank adapters, in float64.

usage: python3 tests/golden/make_bert.py > tests/golden/bert.h        (needs torch, transformers, peft)

Weight number i of the parameter with the name s is 0.3 sin(0.37 i^2 + the sum of s's bytes), as float32; those of a
LayerNorm have 1 added.
"""
import tempfile

import peft
import tokenizers
import torch
import torch.nn.functional as F
import transformers
from peft import LoraConfig, get_peft_model
from transformers import BertConfig, BertModel, BertTokenizerFast

WORDS = "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen".split()
PIECES = "[PAD] [unused0] [UNK] [CLS] [SEP] [MASK]".split()
PIECES += list("!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~0123456789abcdefghijklmnopqrstuvwxyz")
PIECES += ["##" + c for c in "0123456789abcdefghijklmnopqrstuvwxyz"]
PIECES += ["##teen", "##ever", "##er", "##e", "eigh", "##t", "plus", "the", "number", "wh", "how", "howev", "##evers"]
PIECES += list("αβγδικοσςυφ我爱北京的日本語テキ文–—“”‘’…©™½①😀ßıﬁøłђте") + ["##" + c for c in "αβικοσςυφキストфиßøł😀ᆨ한ᆫ"]
PIECES += ["한", "구", "가", "cafe", "##lat", "naiv", "strasse", "№", "५", "ɐ", "##ɐ", "कि", "##ि", "क"]
PIECES += ["\u09c7", "##\u09c7", "##\u09be", "\U0001d158", "##\U0001d165", "##\U0001d16e"] + WORDS
PIECES = list(dict.fromkeys(PIECES))
SIZES = dict(vocab_size=len(PIECES), hidden_size=32, num_hidden_layers=2, num_attention_heads=4, intermediate_size=64,
             max_position_embeddings=48)
# the first ones have vectors too
VECTORS = 6
SENTENCES = ["two plus five", "The number seven.", "Café DÉJÀ-vu, naïve façade: 我爱北京 & tea!", "however, whoever", "",
             "one " * 60,
             # accents: composed, combining, several on one letter, of other alphabets, and letters that keep theirs
             "Cafe\u0301latte e\u0301\u0302\u0323 \u0301 a\u0315\u0300\u05ae\u0062", "Ångström ǅ Ǆ ǆ ø Ø Łódź ł Ħ ñ Ñ",
             "İstanbul ISTANBUL ıI", "ΣΊΣΥΦΟΣ Σίσυφος ΐ ΰ ᾳ ΆΒ", "ЙТЕФИЙ Ђ ё", "ﬁ ﬃ ß ẞ STRASSE straße", "क़ कि ڑ שׁ", "\u09cb \U0001d160 \U0001d160\U0001d160",
             # ideographs, kana (which are none), Hangul, compatibility forms, planes beyond the first
             "我爱北京天安门and tea的", "日本語のテキスト ガギグ ｶﾞ", "한국어 문장 각 가 힣 ㄱ", "\uf900\u2f00\u3007\u3005\U00020000\U0002f800x",
             # emoji: alone, glued to a word, with a selector, joined, with a skin's colour; flags
             "😀 a😀b 😀😀 ❤️ 👩‍👩‍👧 👍🏽 🇫🇷", "©™ ½ ² ① Ⅷ № ५ ａｂ！ ɐɐ",
             # what separates, and what is dropped
             "a\u00a0b\u3000c\u2009d\u1680e\u202ff\u2028g\u2029h\u0085i\tj\rk\vl\fm", "a\u200bb\u200dc\u00add\ufeffe\u2060f\u061cg",
             "\x01a\x1fb\x7fc\x80d\x9fe\ufffdf\ue000g\U000e0001h\U000f0000i\u0378j\uffffk", "tab\t\tand  spaces   ",
             # punctuation: ASCII's symbols are, other symbols are not
             "don't $3^2+1=10 ~`|<x>{y}[z]\\ #@%&*_", "“quoted” ‘text’ – — … ¿que? ·a· §b ¡c «d» 、。「e」 ؟f ։ ٪", "-" * 30,
             # special tokens are themselves, as they are written, and end words
             "the [MASK] number[MASK]s [CLS]a[SEP]b [PAD] [UNK]x", "[mask] [ MASK] [[MASK]] [MASK [unused0] [MASK][SEP]]",
             "cafe[MASK]\u0301 e\u0301[SEP]\u0301", "x" * 60 + "[CLS]" + "x" * 60, "[MASK] " * 60,
             # of a hundred characters, and of one more; pieces that are not there
             "x" * 100 + " a", "x" * 101 + " a", "😀" * 26, "q" * 40 + "€ a", "thirteens whoevers zzz4€ [sep]d 1,234.56"]


def weight(name, p):
    i = torch.arange(p.numel(), dtype=torch.float64)
    w = 0.3 * torch.sin(0.37 * i * i + sum(name.encode()))
    return (w + 1 if name.endswith("LayerNorm.weight") else w).float().view_as(p)


def new_model():
    model = BertModel(BertConfig(**SIZES)).eval()
    with torch.no_grad():
        for name, p in model.named_parameters():
            p.copy_(weight(name, p))
    return model.double()


with tempfile.NamedTemporaryFile("w", suffix=".txt") as file:
    file.write("\n".join(PIECES) + "\n")
    file.flush()
    tokenizer = BertTokenizerFast(file.name)
assert len(tokenizer) == len(PIECES)


def embed(model, sentences):
    x = tokenizer(sentences, padding=True, truncation=True, max_length=48, return_tensors="pt")
    y, mask = model(**x).last_hidden_state, x["attention_mask"].unsqueeze(-1)
    return F.normalize((y * mask).sum(1) / mask.sum(1), dim=1)


def is_held_out(n, a):
    return (7 * n + 3 * a) % 5 == 0


def pair(n, a):
    return f"{WORDS[a]} plus {WORDS[n - a]}", f"the number {WORDS[n]}"


def batch(size):
    pairs = []
    for n in torch.randperm(17).tolist():
        if n == 0 or len(pairs) == size:
            continue
        while is_held_out(n, a := torch.randint(0, n + 1, (1,)).item()):
            pass
        pairs.append(pair(n, a))
    return zip(*pairs)


def right(model):
    held_out = [(n, a) for n in range(1, 17) for a in range(n + 1) if is_held_out(n, a)]
    with torch.no_grad():
        cosine = embed(model, [pair(n, a)[0] for n, a in held_out]) @ embed(model, [pair(n, 0)[1] for n in range(17)]).T
    best = cosine.topk(2, 1)
    assert (best.values[:, 0] - best.values[:, 1]).min() > 1e-5
    return (best.indices[:, 0] == torch.tensor([n for n, a in held_out])).sum().item(), len(held_out)


def losses(model, lr, size):
    optimizer = torch.optim.AdamW([p for p in model.parameters() if p.requires_grad], lr=lr)
    for _ in range(20):
        a, b = batch(size)
        loss = F.cross_entropy(embed(model, list(a)) @ embed(model, list(b)).T * 20, torch.arange(size))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        yield loss.item()


def literal(text):
    return '"' + "".join(chr(b) if 32 <= b < 127 and chr(b) not in '"\\?' else "\\%03o" % b for b in text.encode()) + '"'


def numbers(values):
    return "{" + ", ".join("%.9g" % v for v in values) + "}"


def trained(name, model, lr, size):
    before = right(model)
    curve = list(losses(model, lr, size))
    print("static const double %s_losses[20] = %s;" % (name, numbers(curve)))
    print("enum { %s_right_before = %d, %s_right_after = %d, %s_held_out = %d };" % (name, before[0], name, right(model)[0], name, before[1]))
    with torch.no_grad():
        print("static const double %s_vector[32] = %s;" % (name, numbers(embed(model, SENTENCES[:1])[0].tolist())))


print("/* Made by tests/golden/make_bert.py with PyTorch %s, transformers %s, tokenizers %s, peft %s. */" % (
    torch.__version__, transformers.__version__, tokenizers.__version__, peft.__version__))
model = new_model()
print("typedef struct bert_tensor {\n    const char *name;\n    int64_t size[2]; /* 0 behind a vector's */\n} bert_tensor;")
print("static const bert_tensor bert_tensors[] = {%s};" % ", ".join(
    '{"%s", {%s}}' % (name, ", ".join(map(str, (*p.shape, 0)[:2]))) for name, p in model.named_parameters()))
print("static const char bert_vocabulary[] =\n%s;" % "\n".join(literal(p + "\n") for p in PIECES))
print("typedef struct bert_sentence {\n    const char *text;\n    int n;\n    int ids[48];\n} bert_sentence;")
print("static const bert_sentence bert_sentences[] = {")
for s in SENTENCES:
    ids = tokenizer(s, truncation=True, max_length=48)["input_ids"]
    print("    {%s, %d, {%s}}," % (literal(s), len(ids), ", ".join(map(str, ids))))
print("};")
print("static const double bert_vectors[%d][32] = {" % VECTORS)
for s in SENTENCES[:VECTORS]:
    with torch.no_grad():
        print("    %s," % numbers(embed(model, [s])[0].tolist()))
print("};")
for name, p in model.named_parameters():
    p.requires_grad_(".attention." in name and "LayerNorm" not in name)
torch.manual_seed(1)
trained("attention", model, 0.003, 8)
model = get_peft_model(new_model(), LoraConfig(r=4, lora_alpha=8, target_modules=["query", "value"]))
torch.manual_seed(3)
for layer in model.base_model.model.encoder.layer:  # drawn in the program's order, in float32
    for part in (layer.attention.self.query, layer.attention.self.value):
        A = torch.nn.init.kaiming_uniform_(torch.empty(4, 32), a=5**0.5)
        part.lora_A.default.weight = torch.nn.Parameter(A.double())
        part.lora_B.default.weight = torch.nn.Parameter(torch.zeros(32, 4, dtype=torch.float64))
trained("lora", model.eval(), 0.01, 6)
