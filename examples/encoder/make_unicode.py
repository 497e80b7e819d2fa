"""Writes examples/encoder/unicode.h: what BERT's normaliser makes of every character, and which are punctuation, as the
tokenizers package has it.

usage: python3 examples/encoder/make_unicode.py > examples/encoder/unicode.h    (needs tokenizers)
"""
import tokenizers
from tokenizers.normalizers import BertNormalizer
from tokenizers.pre_tokenizers import BertPreTokenizer

normalizer, splitter = BertNormalizer(lowercase=True), BertPreTokenizer()
dropped, spaces, ideographs, punctuation, folded, longer = [], [], [], [], [], []


def add(ranges, c):
    if ranges and ranges[-1][1] == c - 1:
        ranges[-1][1] = c
    else:
        ranges.append([c, c])


def hangul(c):
    s = c - 0xAC00
    return "".join(chr(x) for x in (0x1100 + s // 588, 0x1161 + s % 588 // 28, 0x11A7 + s % 28) if x != 0x11A7)


for c in range(0x110000):
    if 0xD800 <= c <= 0xDFFF:
        continue
    s = normalizer.normalize_str("a" + chr(c) + "a")[1:-1]
    if s == "":
        add(dropped, c)
    elif s == " ":
        add(spaces, c)
    elif s[0] == " ":
        assert s[2] == " " and len(s) == 3
        add(ideographs, c)
        s = s[1]
    if 0xAC00 <= c <= 0xD7A3:
        assert s == hangul(c)
    elif s.strip() and s != chr(c):
        if len(s) == 1:
            folded.append((c, ord(s)))
        else:
            assert len(s) <= 3
            longer.append((c, *[ord(x) for x in s], *[0] * (3 - len(s))))
    if s.strip() and len(splitter.pre_tokenize_str("a" + s[0] + "a")) == 3:
        add(punctuation, c) if s == chr(c) else None

runs = []  # first, last, step, and what is added
for c, to in folded:
    if runs and runs[-1][3] == to - c:
        r = runs[-1]
        step = c - r[1]
        if (r[0] == r[1] and step <= 2) or step == r[2]:
            r[1], r[2] = c, step
            continue
    runs.append([c, c, 1, to - c])


def table(name, width, rows):
    print("static const int32_t %s[][%d] = {%s};" % (name, width, ", ".join("{%s}" % ", ".join(map(str, r)) for r in rows)))


print("/* Made by examples/encoder/make_unicode.py with tokenizers %s. Ranges of code points, both ends included. */" % tokenizers.__version__)
for name in ("dropped", "spaces", "ideographs", "punctuation"):
    table(name, 2, globals()[name])
print("/* From the first to the last in steps: what is added to lower-case, and to leave accents away. */")
table("folded", 4, runs)
print("/* A character and the two or three that take its place. */")
table("longer", 4, longer)
