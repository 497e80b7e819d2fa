"""Makes a Python module of the public headers, for ctypes, without any package.

usage: bindings.py FILE.py LIBRARY      the module; LIBRARY is the shared library that it opens
       bindings.py --check FILE.py      every size, offset and constant against the C compiler's
from the top folder; the compiler is $CC, or cc.
"""
import glob
import importlib.util
import os
import re
import subprocess
import sys
import tempfile

INCLUDES = "".join(f'#include "{h}"\n' for h in ["core/tapegrad.h", "nn/nn.h", "optim/optim.h"])
HEADERS = glob.glob("core/tapegrad/*.h") + ["nn/nn.h", "optim/optim.h"]
NUMBERS = {"int": "c_int", "int64_t": "c_int64", "uint64_t": "c_uint64", "uint32_t": "c_uint32", "uint8_t": "c_uint8",
           "size_t": "c_size_t", "double": "c_double", "float": "c_float", "bool": "c_bool", "_Bool": "c_bool",
           "char": "c_char", "unsigned": "c_uint", "unsigned char": "c_uint8"}
TOKEN = re.compile(r"[A-Za-z_]\w*|\d[\w.]*|\.\.\.|\S")

HEAD = '''"""The C library tapegrad through ctypes. Made from its headers, which say what each function does.

    import tapegrad as tg
    t = tg.tg_tape_new(tg.TG_F32)
    w = tg.tg_parameter(t, b"w", tg.tg_randn(t, tg.shape(3, 2)))
    tg.must(t)                  # an exception with the tape's error, if there is one
    tg.view(w)[:] = 0.5         # a numpy array over the tensor's own memory
"""
from ctypes import *

_library = CDLL(%r)


def shape(*size):
    return tg_shape(len(size), (c_int64 * 8)(*size))


def dims(*dim):
    return tg_dims(len(dim), (c_int * 8)(*dim))


def must(t, status=0):
    """Raises what went wrong on the tape."""
    if status or tg_tape_status(t):
        raise RuntimeError(tg_error(t).decode() or "status %%d" %% status)


def view(x):
    """A contiguous tensor's elements as a numpy array, without a copy. It must not outlive the tensor."""
    import numpy
    if not tg_is_contiguous(x):
        raise ValueError("the elements do not lie in order: take tg_contiguous(x)")
    must(tg_tape_of(x))
    kind = [c_float, c_double, c_int64, c_bool][tg_dtype_of(x)]
    size = [tg_size(x, i) for i in range(tg_ndim(x))]
    return numpy.ctypeslib.as_array(cast(tg_data(x), POINTER(kind)), size or (1,)).reshape(size)


def _literal(kind, values):
    """kind{values...} of C, nested lists for nested braces."""
    x = kind()
    for i, value in enumerate(values):
        if hasattr(kind, "_fields_"):
            name, inner = kind._fields_[i]
            if value:
                setattr(x, name, _literal(inner, value) if isinstance(value, list) else value)
        else:
            x[i] = value
    return x


'''


def compiler(*arguments, text):
    return subprocess.run([*os.environ.get("CC", "cc").split(), "-std=c11", "-I.", *arguments, "-xc", "-"], input=text,
                          capture_output=True, text=True, check=True).stdout


def headers_text():
    """Our own headers' declarations, with macros replaced and comments gone."""
    ours, lines = False, []
    for line in compiler("-E", text=INCLUDES).splitlines():
        marker = re.match(r'# \d+ "(.*?)"', line)
        if marker:
            ours = marker[1].removeprefix("./") in HEADERS
        elif ours:
            lines.append(line)
    return re.sub(r"__attribute__\s*\(\(.*?\)\)\s*(?=[;\w])|__attribute__\s*\(\(\w+\(.*?\)\)\)", " ", "\n".join(lines))


class Parser:
    def __init__(self, text):
        self.token, self.at, self.constants, self.structs, self.out = TOKEN.findall(text), 0, {}, [], []
        self.functions, self.names = [], dict(NUMBERS)

    def peek(self, n=0):
        return self.token[self.at + n] if self.at + n < len(self.token) else None

    def next(self, wanted=None):
        token = self.peek()
        if token is None or (wanted and token != wanted):
            raise SyntaxError(f"{wanted!r} wanted, {token!r} found behind {' '.join(self.token[max(0, self.at - 8):self.at])}")
        self.at += 1
        return token

    def take(self, token):
        self.at += self.peek() == token
        return self.token[self.at - 1] == token

    def number(self, *ends):
        """A constant expression up to one of the ends."""
        words = []
        while self.peek() not in ends:
            words.append(self.next())
        return eval(" ".join(words), {}, dict(self.constants))

    def enum(self):
        self.next("{")
        value = -1
        while self.peek() != "}":
            name = self.next()
            value = self.number(",", "}") if self.peek() == "=" and self.next() else value + 1
            self.constants[name] = value
            self.out.append(f"{name} = {value}")
            if self.peek() == ",":
                self.next()
        self.next("}")

    def base(self):
        """The type before the declarators, as a name of C."""
        while self.peek() in ("const", "struct", "extern"):
            self.next()
        name = self.next()
        if name == "unsigned" and self.peek() == "char":
            name += " " + self.next()
        while self.peek() == "const":
            self.next()
        return name

    def pointed(self, name):
        """`name` with the stars that follow it: the ctypes expression."""
        stars = 0
        while self.peek() in ("*", "const"):
            stars += self.next() == "*"
        if name == "void":
            kind, stars = ("None", 0) if not stars else ("c_void_p", stars - 1)
        elif name == "char" and stars:
            kind, stars = "c_char_p", stars - 1
        elif name == "FILE":
            kind, stars = "c_void_p", stars - 1
        else:
            kind = self.names[name]
        return "POINTER(" * stars + kind + ")" * stars

    def callback(self, result):
        """(*name)(arguments)"""
        self.next("(")
        self.next("*")
        name = self.next()
        self.next(")")
        arguments = self.arguments()
        return name, f"CFUNCTYPE({', '.join([result] + arguments)})"

    def declarator(self, name):
        """One declarator of the base type `name`: its name, or None, and ctypes expression."""
        kind = self.pointed(name)
        if self.peek() == "(" and self.peek(1) == "*":
            return self.callback(kind)
        word = self.next() if re.match(r"[A-Za-z_]", self.peek()) else None
        sizes = []
        while self.peek() == "[":
            self.next()
            sizes.append(self.number("]"))
            self.next("]")
        for size in reversed(sizes):
            kind = f"({kind} * {size})"
        return word, kind

    def arguments(self):
        self.next("(")
        kinds = []
        while self.peek() != ")":
            if self.peek() == "...":
                self.next()
            elif self.peek() == "void" and self.peek(1) == ")":
                self.next()
            else:
                kind = self.declarator(self.base())[1]
                array = re.fullmatch(r"\((.*) \* \d+\)", kind)
                kinds.append(f"POINTER({array[1]})" if array else kind)
            if self.peek() == ",":
                self.next()
        self.next(")")
        return kinds

    def struct(self):
        name = self.next()
        if name not in self.names:
            self.names[name] = name
            self.out.append(f"\n\nclass {name}(Structure):\n    pass\n\n")
        if self.peek() != "{":
            return self.next()
        self.next("{")
        fields = []
        while self.peek() != "}":
            base = self.base()
            while True:
                fields.append(self.declarator(base))
                if self.next() == ";":
                    break
        self.next("}")
        self.structs.append((name, [f for f, _ in fields]))
        self.out.append(f"{name}._fields_ = [" + ",\n    ".join(f'("{f}", {k})' for f, k in fields) + "]")
        return self.next(name)

    def typedef(self):
        if self.take("enum"):
            self.enum()
            name = self.next()
            self.names[name] = "c_int"
            self.out.append(f"{name} = c_int")
        elif self.take("struct"):
            self.struct()
        else:
            name, kind = self.declarator(self.base())
            self.names[name] = name
            self.out.append(f"{name} = {kind}")

    def function(self):
        name, result = self.declarator(self.base())
        arguments = self.arguments()
        self.functions.append(name)
        self.out.append(f"{name} = _library.{name}\n{name}.restype = {result}\n{name}.argtypes = [{', '.join(arguments)}]")

    def parse(self):
        while self.peek():
            if self.take("typedef"):
                self.typedef()
            elif self.take("enum"):
                self.enum()
            else:
                self.function()
            self.next(";")
        return self


def macros(parser):
    """TG_NULL, TG_SCALAR, ..._DEFAULTS, TG_VERSION as Python."""
    defined = compiler("-E", "-dM", text=INCLUDES)
    names = re.findall(r"^#define (TG_\w+) (?:\(TG_LITERAL|\")", defined, re.M)
    asked = compiler("-E", "-P", text=INCLUDES + "".join(f'\n@"{n}" = {n}' for n in names))
    for name, value in re.findall(r'^@ ?"(\w+)" = ?(.*?)(?=^@|\Z)', asked, re.M | re.S):
        literal = re.fullmatch(r"\(\s*\(\s*(\w+)\s*\)\s*(\{.*\})\s*\)", value.strip(), re.S)
        if not literal:
            yield name, value.strip()
            continue
        values = re.sub(r"\(\s*\(\s*tg_tensor\s*\)\s*\{\s*0, 0, 0\s*\}\s*\)", "0", literal[2])
        values = values.replace("{", "[").replace("}", "]")
        words = {"true": "True", "false": "False", "_Bool": "", "NULL": "0", "1": "1"}
        yield name, f"_literal({literal[1]}, {re.sub(r'[a-z]+', lambda m: words.get(m[0], m[0]), values)})"


def write(path, library):
    parser = Parser(headers_text()).parse()
    text = HEAD % os.path.abspath(library) + "\n".join(parser.out) + "\n\n"
    text += "".join(f"{name} = {value}\n" for name, value in sorted(macros(parser)))
    os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
    with open(path, "w") as file:
        file.write(text)


def facts_of_c(parser):
    """The compiler's values: a line for each struct, field and constant."""
    lines = [f'    printf("{s} %zu\\n", sizeof({s}));\n' + "".join(
        f'    printf("{s}.{f} %zu\\n", offsetof({s}, {f}));\n' for f in fields) for s, fields in parser.structs]
    lines += [f'    printf("{c} %d\\n", (int){c});\n' for c in parser.constants]
    program = INCLUDES + "#include <stddef.h>\n#include <stdio.h>\nint main(void) {\n" + "".join(lines) + "}\n"
    with tempfile.TemporaryDirectory() as folder:
        compiler("-o", folder + "/facts", text=program)
        return subprocess.run([folder + "/facts"], capture_output=True, text=True, check=True).stdout.split("\n")[:-1]


def facts_of_python(parser, module):
    for s, fields in parser.structs:
        kind = getattr(module, s)
        yield f"{s} {module.sizeof(kind)}"
        yield from (f"{s}.{f} {getattr(kind, f).offset}" for f in fields)
    yield from (f"{c} {getattr(module, c)}" for c in parser.constants)


def check(path):
    parser = Parser(headers_text()).parse()
    spec = importlib.util.spec_from_file_location("tapegrad", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    wrong = [f"C {c}, Python {p}" for c, p in zip(facts_of_c(parser), facts_of_python(parser, module)) if c != p]
    declared = {name for h in HEADERS for name in
                re.findall(r"^TG_API [^;(]*?\b(tg_\w+)\(", open(h).read(), re.M)}
    wrong += [f"{name} is not bound" for name in sorted(declared - set(parser.functions))]
    print("\n".join(wrong + [f"{len(parser.functions)} functions, {len(parser.structs)} structs, "
                             f"{len(parser.constants)} constants: {len(wrong)} wrong"]))
    return 1 if wrong else 0


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    sys.exit(check(sys.argv[2]) if sys.argv[1] == "--check" else write(*sys.argv[1:]))
