"""Writes examples/gpt/nfc_table.h: canonical decompositions and classes of Unicode, as the tokenizers package
has them, whose Unicode is older than Python's: marks that it does not know are left out.

usage: python3 examples/gpt/make_nfc.py > examples/gpt/nfc_table.h      (needs tokenizers)
"""
import unicodedata

import tokenizers

nfc = tokenizers.normalizers.NFC().normalize_str
nfd = tokenizers.normalizers.NFD().normalize_str
CODES = [c for c in range(0x110000) if not 0xD800 <= c <= 0xDFFF]


def is_known(c):
    """True when it takes its place among marks of classes 1, 10, 220 and 240."""
    return all(nfd(s) == unicodedata.normalize("NFD", s) for m in "\u0334\u05b0\u0323\u0345" for s in (m + chr(c), chr(c) + m))


decomposed, classes = [], []
for c in CODES:
    own = unicodedata.combining(chr(c))
    if own and is_known(c):
        if classes and classes[-1][1] == c - 1 and classes[-1][2] == own:
            classes[-1][1] = c
        else:
            classes.append([c, c, own])
    parts = unicodedata.decomposition(chr(c)).split()
    if not parts or parts[0].startswith("<") or nfd(chr(c)) == chr(c):
        continue
    parts = [int(p, 16) for p in parts]
    if len(parts) == 2 and nfc("".join(map(chr, parts))) != chr(c):
        parts[1] = -parts[1]
    decomposed.append([c] + (parts + [0])[:2])


def show(comment, name, rows):
    print("/* %s */\nstatic const int32_t %s[][3] = {" % (comment, name))
    line = "   "
    for row in rows:
        one = " {%s}," % ", ".join(("-0x%x" % -x if x < 0 else "0x%x" % x) for x in row)
        if len(line + one) > 118:
            print(line)
            line = "   "
        line += one
    print(line + "\n};")


print("/* Made by examples/gpt/make_nfc.py with tokenizers %s. */" % tokenizers.__version__)
print("/* clang-format off */")
show("A character and what it is made of: one, and 0, or two; below 0: which do not make it.", "decomposed", decomposed)
show("The first and the last of a range, and their class; of others it is 0.", "classes", classes)
