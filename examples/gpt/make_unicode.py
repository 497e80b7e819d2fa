"""Writes examples/gpt/unicode.h: which characters are letters, numbers and spaces, as tiktoken's regular expressions see
them.

usage: python3 examples/gpt/make_unicode.py > examples/gpt/unicode.h    (needs tiktoken)
"""
import tiktoken


def ranges(pattern):
    # what does not match is dropped, so that a character has tokens when it is of the class
    found = tiktoken.Encoding("", pat_str=pattern, mergeable_ranks={bytes([i]): i for i in range(256)}, special_tokens={})
    out = []
    for c in range(0x110000):
        if not 0xD800 <= c <= 0xDFFF and found.encode_ordinary(chr(c)):
            if out and out[-1][1] == c - 1:
                out[-1][1] = c
            else:
                out.append([c, c])
    return out


print("/* Made by examples/gpt/make_unicode.py with tiktoken %s. Ranges of code points, both ends included. */" % tiktoken.__version__)
for name, pattern in (("letters", r"\p{L}"), ("numbers", r"\p{N}"), ("spaces", r"\s")):
    print("static const int32_t %s[][2] = {%s};" % (name, ", ".join("{0x%x, 0x%x}" % (a, b) for a, b in ranges(pattern))))
