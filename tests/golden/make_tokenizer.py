"""Writes tests/golden/tokenizer.h: tokenizer.json as Hugging Face's tokenizers save it, byte pairs as GPT-2's with the ids
of hard texts, and three of other kinds.

usage: python3 tests/golden/make_tokenizer.py > tests/golden/tokenizer.h        (needs tokenizers)
"""
import json

import tokenizers
from tokenizers import Regex, Tokenizer, decoders, models, pre_tokenizers, processors, trainers

LEARNT = ["the cat sat on the mat, and the rat sat on the cat", "it's 1234 o'clock; they've 99 cats", "na\u00efve caf\u00e9s"] * 4
TEXT = "The cat's mat\u2014caf\u00e9, 1234 rats!\n\n  sat \u732b \U0001f408 they've\t\n"
LLAMA_3 = r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s+(?!\S)|\s+"


def byte_pairs(before):
    t = Tokenizer(models.BPE())
    t.pre_tokenizer = before
    t.decoder = decoders.ByteLevel()
    t.post_processor = processors.ByteLevel(trim_offsets=False)
    t.train_from_iterator(LEARNT, trainers.BpeTrainer(vocab_size=290, show_progress=False,
                                                     initial_alphabet=pre_tokenizers.ByteLevel.alphabet()))
    t.add_special_tokens(["<|endoftext|>"])
    return t


def others():
    split = pre_tokenizers.Split(Regex(LLAMA_3), "isolated")
    yield "split", byte_pairs(pre_tokenizers.Sequence([split, pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)]))
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
    compact = json.dumps(json.loads(t.to_str()), ensure_ascii=False, separators=(",", ":"))
    print("static const char tokenizer_%s[] =\n    %s;" % (name, literal(compact)))


print("/* Made by tests/golden/make_tokenizer.py with tokenizers %s. */" % tokenizers.__version__)
print("/* clang-format off */")
print("#include <stdint.h>")
own = byte_pairs(pre_tokenizers.ByteLevel(add_prefix_space=False))
show("json", own)
for name, t in others():
    show(name, t)
print("static const char tokenizer_text[] =\n    %s;" % literal(TEXT))
print("static const int64_t tokenizer_ids[] = {%s};" % ", ".join(map(str, own.encode(TEXT).ids)))
print("enum { TOKENIZER_VOCABULARY = %d };" % own.get_vocab_size())
