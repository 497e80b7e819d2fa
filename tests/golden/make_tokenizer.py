"""Writes tests/golden/tokenizer.h: tokenizer.json as Hugging Face's tokenizers save it, byte pairs as GPT-2, Llama 3 and
Qwen have them with the ids of a hard text, and three of other kinds.

usage: python3 tests/golden/make_tokenizer.py > tests/golden/tokenizer.h        (needs tokenizers)
"""
import json
import textwrap

import tokenizers
from tokenizers import AddedToken, Regex, Tokenizer, decoders, models, normalizers, pre_tokenizers, processors, trainers

LEARNT = ["the cat sat on the mat, and the rat sat on the cat", "it's 1234 o'clock; they've 99 cats", "na\u00efve caf\u00e9s"] * 4
TEXT = "The cat's mat\u2014caf\u00e9, 1234 rats!\n\n  sat \u732b \U0001f408 they've\t\n"
# contractions, digits, line ends, spaces, scripts; accents that are joined, ordered, apart; special tokens and words
HARD = (
    TEXT
    + "DON'T I'Ll he'D '\u017f 'x it''s\r\n\r\n x  \n\n  y!?\n\n...\r z   12 345678\u0663\u0664\u00bd\u2167 3.14,5 \u00a0a\u3000b\u2028\u0085c"
    + "\u65e5\u672c\u8a9e\u3002 \u0939\u093f\u0928\u094d\u0926\u0940 \u0627\u0644\u0639\u0631\u0628 \U0001f469\u200d\U0001f467 \U0001d400\U0001d7d8"
    + " e\u0301 q\u0307\u0323 s\u0323\u0307 a\u0323\u0316\u0302 \u1e9b\u0323 \u0958 \u2126\u212b \u1100\u1161\u11a8 \uac00\u11a8 \u0344 \ufb1d \U0001d15f \u09c7\u09be <\u0338 e\u030d\u0301 \u01d5\u0323 a(xyz DON'Tx a'\u017fx"
    + "<|begin|>the cat<|end|>.<|endoftext|><|fim|> <|fim_prefix|>e\u0301clair foo bar <|reserved_7|><|reserved_77|> the mat"
)
SPECIAL = ["<|begin|>", "<|end|>", "<|fim", "<|fim_prefix|>"] + ["<|reserved_%d|>" % i for i in (7, 77)]
GPT_2 = pre_tokenizers.ByteLevel(add_prefix_space=False)
LLAMA_3 = r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
QWEN = LLAMA_3.replace("{1,3}", "")


def byte_pairs(before, size=290):
    t = Tokenizer(models.BPE())
    t.pre_tokenizer = before
    t.decoder = decoders.ByteLevel()
    t.post_processor = processors.ByteLevel(trim_offsets=False)
    t.train_from_iterator(LEARNT, trainers.BpeTrainer(vocab_size=size, show_progress=False,
                                                     initial_alphabet=pre_tokenizers.ByteLevel.alphabet()))
    t.add_special_tokens(["<|endoftext|>"])
    return t


def cut_by(pattern):
    split = pre_tokenizers.Split(Regex(pattern), "isolated")
    return pre_tokenizers.Sequence([split, pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)])


# tokens that would be made if a text were cut in another way
ACROSS = ["Tx", "'T", "\u00c5\u00bf", "\u00c5\u00bfx", "'\u00c5\u00bf", "(x", "\u01201", "12", "?\u010a", "\u010a\u0120", "\u0120\u010a"]


def with_tokens(t, tokens):
    """The same with more tokens, of two that are there."""
    t = json.loads(t.to_str())
    v = t["model"]["vocab"]
    t["added_tokens"] = []
    for token in tokens:
        if token not in v:
            t["model"]["merges"].append(next([token[:i], token[i:]] for i in range(1, len(token)) if token[:i] in v and token[i:] in v))
            v[token] = len(v)
    return t


def llama_3():
    """As made from tiktoken's: a token's merges are all its cuts, and there are some that merges do not come to."""
    t = with_tokens(byte_pairs(cut_by(LLAMA_3), 272), ACROSS)
    v = t["model"]["vocab"]
    for token in ("\u0120mat", "rats", "\u0120s"):
        v.setdefault(token, len(v))
    merges = []
    for token in sorted(v, key=v.get):
        cuts = [(token[:i], token[i:]) for i in range(1, len(token)) if token[:i] in v and token[i:] in v]
        merges += sorted(cuts, key=lambda cut: [v[part] for part in cut])
    t["model"].update(merges=merges, ignore_merges=True)
    t = Tokenizer.from_str(json.dumps(t))
    t.add_special_tokens([AddedToken(x, normalized=False) for x in SPECIAL])
    return t


def qwen():
    t = Tokenizer.from_str(json.dumps(with_tokens(byte_pairs(cut_by(QWEN), 272), ACROSS)))
    t.normalizer = normalizers.NFC()
    t.add_special_tokens([AddedToken(x, normalized=False) for x in ["<|endoftext|>"] + SPECIAL[:4]])
    t.add_tokens([AddedToken(x, normalized=True) for x in ("foo bar", "e\u0301clair")])
    return t


def others():
    yield "spaced", byte_pairs(pre_tokenizers.ByteLevel(add_prefix_space=True))
    pieces = Tokenizer(models.BPE(byte_fallback=True, unk_token="<unk>", vocab={"<unk>": 0, "\u2581": 1}, merges=[]))
    pieces.pre_tokenizer = pre_tokenizers.Metaspace()
    yield "pieces", pieces
    yield "words", Tokenizer(models.WordPiece(vocab={"[UNK]": 0, "cat": 1}, unk_token="[UNK]"))


def literal(text):
    data, out, line = text.encode(), [], ""
    for byte in data: # octal, as a digit may follow
        line += chr(byte) if 32 <= byte < 127 and chr(byte) not in "\"\\?" else "\\%03o" % byte
        if len(line) > 110:
            out.append('"%s"' % line)
            line = ""
    return "\n    ".join(out + ['"%s"' % line])


def show(name, t):
    t = json.loads(t.to_str())
    for token in t["added_tokens"][1:]:  # what is not said is false; C has texts of 4095 bytes
        for field in [field for field in token if token[field] is False]:
            del token[field]
    compact = json.dumps(t, ensure_ascii=False, separators=(",", ":"))
    print("static const char tokenizer_%s[] =\n    %s;" % (name, literal(compact)))


print("/* Made by tests/golden/make_tokenizer.py with tokenizers %s. */" % tokenizers.__version__)
print("/* clang-format off */")
print("#include <stdint.h>")
own = byte_pairs(GPT_2)
show("json", own)
show("llama_3", llama_3())
show("qwen", qwen())
for name, t in others():
    show(name, t)
for name, text in (("text", TEXT), ("hard", HARD)):
    print("static const char tokenizer_%s[] =\n    %s;" % (name, literal(text)))
for name, t, text in (("ids", own, TEXT), ("hard_ids", own, HARD), ("llama_3_ids", llama_3(), HARD), ("qwen_ids", qwen(), HARD)):
    print("static const int64_t tokenizer_%s[] = {" % name)
    for line in textwrap.wrap(", ".join(map(str, t.encode(text, add_special_tokens=False).ids)), 116):
        print("    " + line)
    print("};")
print("enum { TOKENIZER_VOCABULARY = %d };" % own.get_vocab_size())
