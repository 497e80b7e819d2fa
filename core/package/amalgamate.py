"""Makes one tapegrad.c and one tapegrad.h of the whole library.    usage: amalgamate.py FOLDER, from the top folder

The files are concatenated. Names private to a file must not clash: they are prefixed with the file's name, and a
file's macros are undefined at its end. Code that core/twice.h compiles for several types is repeated for each.
Instruction sets get their own pragmas. Files that a switch of core/package/without.mk leaves out are between #if and
#endif.
"""
import glob
import os
import re
import sys

COMMAND = "cc -std=c11 -O3 -ffp-contract=fast -fno-tree-vectorize -pthread program.c tapegrad.c -lm"
TOKEN = re.compile(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'|\.?\d[\w.]*'
                   r'|(?:\.|->)\s*(?:FN\(\w+\)|[A-Za-z_]\w*)|[A-Za-z_]\w*|.', re.S)
FEATURE = re.compile(r'#\s*define _(?:GNU|DEFAULT|XOPEN|POSIX_C)_SOURCE')
TYPES = {"float": ("TG_F32", "f32", "name##f"), "double": ("TG_F64", "f64", "name")}


def inlined(path, seen, real=False, own=None):
    """The lines of a file with those that it includes; `#ifdef real` is decided here, `own` is TG_SELF."""
    out, conditions, itself = [], [], own  # conditions: None: kept in the output, else whether its branch is taken
    for line in open(path).read().replace("\\\n", "\x00").split("\n"):
        directive = re.match(r"#\s*(\w+)\s*(.*)", line)
        word, rest = directive.groups() if directive else ("", "")
        taken = all(c is not False for c in conditions)
        if word in ("if", "ifdef", "ifndef"):
            decided = rest.split()[0] == "real" if word != "if" else False
            conditions.append((word == "ifdef") == real if decided else None)
            if decided:
                continue
        elif word in ("else", "endif"):
            last = conditions[-1]
            if word == "else" and last is not None:
                conditions[-1] = not last
            if word == "endif":
                conditions.pop()
            if last is not None:
                continue
        if not taken or FEATURE.match(line):
            continue
        if word == "define" and rest.startswith("TG_SELF"):
            itself = rest.split('"')[1]
            itself = itself if os.path.exists(itself) else "core/" + itself
        elif word == "include" and rest == '"core/twice.h"':
            for name, (dtype, suffix, maths) in TYPES.items():
                macros = {"real": name, "wide": "double", "REAL_DTYPE": dtype, "FN(name)": "name##_" + suffix,
                          "M(name)": maths}
                out += [f"#define {m} {value}" for m, value in macros.items()]
                out += inlined(itself, seen, real=True)
                out += [f"#undef {m.split('(')[0]}" for m in macros]
        elif word == "include" and rest.startswith('"'):
            header = rest.split('"')[1]
            if "#ifndef TAPEGRAD_" not in open(header).read():
                out += inlined(header, seen)
            elif header not in seen:
                seen.add(header)
                out += inlined(header, seen)
        else:
            out.append(line.replace("\x00", "\\\n"))
    return out


def without_comments(text):
    return re.sub(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"', " ", text, flags=re.S)


def without_suffix(name):
    return re.sub(r"_(?:f32|f64|ld|qd)$", "", name)


def private_names(text):
    """Names that a file declares for itself: static functions and data, types, enumeration constants."""
    text = re.sub(r"^\s*#(?:\\\n|[^\n])*", "", without_comments(text), flags=re.M)
    text = re.sub(r"\bFN\((\w+)\)", r"\1", text)
    names = set()
    for body in re.findall(r"\benum\s*\w*\s*\{([^}]*)\}", text):
        names.update(re.findall(r"(?:^|,)\s*(\w+)", body))
    names.update(re.findall(r"\b(?:struct|enum|union)\s+(\w+)\s*\{", text))
    while re.search(r"\{[^{}]*\}", text):  # remove all bodies, of functions and of types
        text = re.sub(r"(\)\s*)?\{[^{}]*\}", lambda m: ");" if m.group(1) else "@", text)
    for declaration in text.split(";"):
        words = declaration.replace("@", " ")
        if re.match(r"\s*typedef\b", words):
            names.update(re.findall(r"(\w+)\s*(?:__attribute__.*)?$", words.strip(), flags=re.S))
            names.update(re.findall(r"^\s*typedef[^(]*?\b(\w+)\s*(?:__attribute__|\()", words))
        elif re.match(r"\s*(?:static|ALWAYS_INLINE|__attribute__\(\(destructor\)\) static)\b", words):
            head = re.sub(r"__attribute__\s*\(\(.*?\)\)", " ", words.split("=")[0])
            names.update(re.findall(r"\b(\w+)\s*(?:\(|\[|$)", head.strip())[:1])
    return {without_suffix(n) for n in names if not n.lower().startswith("tg_")}


def members(text):
    """Where in the text structs declare members."""
    text = re.sub(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"', lambda m: " " * len(m.group(0)), text, flags=re.S)
    return {body.start(1) + name.start(1) for body in re.finditer(r"\b(?:struct|union)\s*\w*\s*\{([^{}]*)\}", text)
            for name in re.finditer(r"(\w+)\s*(?:\[[^\]]*\]|\)\([^;]*)?\s*[,;]", body.group(1))}


def renamed(text, names, prefix):
    """The text with a prefix before these names; members keep theirs, unless they are macros like `#define x FN(x)`."""
    macro = {n for n in names if re.search(r"#\s*define " + n + r" FN", text)}
    at_member = members(text)

    def one(match):
        token = match.group(0)
        member = re.match(r"(?:\.|->)\s*", token)
        if member and token[member.end():] in macro:
            return member.group(0) + prefix + token[member.end():]
        if match.start() in at_member and token not in macro:
            return token
        if without_suffix(token) in names:
            return prefix + token
        if token.endswith("_") and token[:-1] in names and text[match.end():match.end() + 2] == "##":
            return prefix + token
        return token

    return TOKEN.sub(one, text)


def macros(text):
    return sorted(set(re.findall(r"^\s*#\s*define\s+(\w+)", text, flags=re.M)) - {"real", "wide", "REAL_DTYPE", "FN", "M"})


def switches(text):
    """For each file, the switches that leave it out."""
    of = {}
    for line in text.replace("\\\n", " ").split("\n"):
        name, _, files = line.partition(" = ")
        for f in sorted({f for pattern in files.split() for f in glob.glob(pattern)}):
            of.setdefault(f, []).append(name)
    return of


def main(folder):
    os.makedirs(folder, exist_ok=True)
    public = ["core/tapegrad.h", "nn/nn.h", "optim/optim.h"]
    sources = sorted(f for top in ("core", "nn", "optim") for f in glob.glob(top + "/**/*.c", recursive=True))
    headers = sorted(f for top in ("core", "nn", "optim") for f in glob.glob(top + "/**/*.h", recursive=True)
                     if "#ifndef TAPEGRAD_" in open(f).read() and f not in public)
    with open(folder + "/tapegrad.h", "w") as out:
        seen = set(public[:1])
        out.write("\n".join(line for h in public for line in inlined(h, seen)) + "\n")

    seen.update(public)
    text = "\n".join(line for h in headers if not (h in seen or seen.add(h)) for line in inlined(h, seen))
    units = {f: "\n".join(inlined(f, seen)) for f in sources}
    with open(folder + "/tapegrad.c", "w") as out:
        out.write("/* The whole of tapegrad, made by `make amalgamation`; its header is tapegrad.h. To compile both:\n"
                  f" *\n *     {COMMAND}\n *\n"
                  " * -fno-tree-vectorize: the kernels' loops are vectors already; of others the compiler would make two versions,\n"
                  " * one for arrays that lie too near to one another, which fuses other products: bits would depend on addresses. */\n"
                  "#ifdef __clang__ /* what only files use that a switch leaves out */\n"
                  "#pragma clang diagnostic ignored \"-Wunused-function\"\n#endif\n"
                  "#ifndef _GNU_SOURCE\n#define _GNU_SOURCE\n#endif\n#include \"tapegrad.h\"\n" + text)
        without = switches(open("core/package/without.mk").read())
        for f, unit in units.items():
            unit = renamed(unit, private_names(unit), f[:-2].replace("/", "_") + "_")
            own_target = "#pragma GCC target" in unit
            out.write(f"\n/* ---- {f} ---- */\n")
            if f in without:
                out.write("#if " + " && ".join(f"!defined({s})" for s in without[f]) + "\n")
            if own_target:
                out.write("#ifndef __clang__\n#pragma GCC push_options\n#endif\n")
            out.write(unit + "\n" + "".join(f"#undef {m}\n" for m in macros(unit)))
            if own_target:
                out.write("#ifndef __clang__\n#pragma GCC pop_options\n#endif\n")
            if f in without:
                out.write("#endif\n")
    print(f"{folder}/tapegrad.c and tapegrad.h: {COMMAND}")


main(sys.argv[1])
