"""Writes tests/golden/bpe.h: a text with accents, CJK, emoji and odd spaces, byte pairs learnt from it here, as a file like
GPT-2's vocab.bpe, and the text's ids by tiktoken with these.

usage: python3 tests/golden/make_bpe.py > tests/golden/bpe.h    (needs tiktoken)
"""
import collections
import random

import tiktoken

PATTERN = r"""'(?:[sdmt]|ll|ve|re)| ?\p{L}++| ?\p{N}++| ?[^\s\p{L}\p{N}]++|\s++$|\s+(?!\S)|\s"""  # tiktoken's for GPT-2
MERGES = 150
random.seed(7)
pools = [
    "the then there they've isn't I'll we're o'clock DON'T 'tis".split(),
    "naïve café Ångström façade Łódź žluťoučký Ελληνικά текст हिन्दी العربية ไทย".split(),
    ["日本語", "中文字符", "한국어", "。", "「引用」", "１２３", "㈠"],
    ["😀", "👩‍👧", "🇨🇭", "❤️"],
    ["\u00a0", "\u2003", "\u3000", "\t", "\n", "\r\n", "   ", "\n\n\n", "\u200b", "\u2028", "\x85", "\x1c", "\ufeff"],
    ["½", "²", "Ⅷ", "٣٤", "3.14", "--", "...", "'", "''", "'S", "’s", "<|endoftext|>", "a_b", "e\u0301", "\U000e0041"],
]
text = "".join(random.choice(random.choice(pools)) + random.choice(["", " ", " ", "  "]) for _ in range(420)) + "end  \n "




# GPT-2's bytes: those that print come first, and stand for themselves
prints = [b for b in range(256) if 32 < b < 127 or (160 < b and b != 173)]
order = prints + [b for b in range(256) if b not in prints]
character = {b: chr(b) if b in prints else chr(256 + order.index(b) - len(prints)) for b in order}
ranks = {bytes([b]): i for i, b in enumerate(order)}

# pieces for learning: a cut at spaces will do
words = collections.Counter(tuple(bytes([b]) for b in w.encode()) for w in text.replace(" ", " \0").split("\0"))
merges = []
while len(merges) < MERGES:
    pairs = collections.Counter()
    for word, n in words.items():
        for pair in zip(word, word[1:]):
            pairs[pair] += n
    a, b = max(pairs, key=lambda p: (pairs[p], p))
    if a + b in ranks:
        raise SystemExit("two merges make the same token")
    merges.append((a, b))
    ranks[a + b] = len(ranks)
    joined = collections.Counter()
    for word, n in words.items():
        out, i = [], 0
        while i < len(word):
            both = i + 1 < len(word) and word[i] == a and word[i + 1] == b
            out.append(a + b if both else word[i])
            i += 2 if both else 1
        joined[tuple(out)] += n
    words = joined
ids = tiktoken.Encoding("", pat_str=PATTERN, mergeable_ranks=ranks, special_tokens={}).encode_ordinary(text)


def literal(data):
    return "{" + ", ".join(str(b) for b in data) + "}"


written = "#version: 0.2\n" + "".join(
    " ".join("".join(character[x] for x in token) for token in pair) + "\n" for pair in merges
)
print("/* Made by tests/golden/make_bpe.py with tiktoken %s. */" % tiktoken.__version__)
print("static const unsigned char bpe_text[] = %s;" % literal(text.encode()))
print("static const unsigned char bpe_file[] = %s;" % literal(written.encode()))
print("static const int32_t bpe_ids[] = %s;" % literal(ids))
