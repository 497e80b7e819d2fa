#!/usr/bin/env python3
"""Plants one small mistake at a time in core, nn and optim and runs the suites that execute its line.

    make mutants [MUTANTS=520] [SEED=1]
    mutants.py MUTANTS SEED LOG             those that survived, as an earlier run has printed them

A mutant is killed when it makes a suite fail, crash, take five times the processor's time that it should, or stand
still. Suites go by what kills most per second; a mutant survives when SECONDS of them (of the processor's time, without
it) have passed, and as many again under AddressSanitizer and UndefinedBehaviorSanitizer. equivalent.txt lists those that no test can kill, each with its proof. Which suite runs which line is
asked of gcov once, and kept in build/mutants.
"""
import hashlib, json, multiprocessing, os, re, resource, shutil, subprocess, sys
from pathlib import Path

HERE = Path("build/mutants")
SECONDS = 15
JOBS = len(os.sched_getaffinity(0))
# What is not compiled here, or makes up examples for the tests; the public headers.
NOT_MUTATED = ("windows_files.c", "windows_threads.c", "probe.c", "probe_families.c", "tapegrad.h", "nn/nn.h", "optim.h")
# These want the built programs, or measure what a mutant cannot change.
LEFT_OUT = {"train_program_test", "train_terminal_test", "gpt_program_test", "report_test", "fault_test"}
# These need a process for each test.
FORKING = {"io_fault_test", "threads_test", "crash_test"}


# ---- the mistakes ----

SWAPS = [("==", "!="), ("!=", "=="), ("<=", "<"), (">=", ">"), ("<", "<="), (">", ">="), ("&&", "||"), ("||", "&&"),
         ("+", "-"), ("-", "+"), ("*", "/"), ("/", "*"), ("%", "*"), ("+=", "-="), ("-=", "+="), ("*=", "/="),
         ("|=", "&="), ("&", "|"), ("|", "&"), ("<<", ">>"), (">>", "<<")]


def code_only(text):
    """The text with comments, strings and preprocessor lines blanked, of the same length."""
    def blank(m):
        return re.sub(r"[^\n]", " ", m.group())
    text = re.sub(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'', blank, text, flags=re.S)
    return re.sub(r"^[ \t]*#(?:[^\n]*\\\n)*[^\n]*", blank, text, flags=re.M)


def blank_functions(code, names):
    """Without the examples that operations are tested with: they are tests themselves."""
    for m in re.finditer(r"^[^\n;=]*\b(?:%s)\([^;{]*\) \{\n.*?^\}" % names, code, flags=re.S | re.M):
        code = code[:m.start()] + re.sub(r"[^\n]", " ", m.group()) + code[m.end():]
    return code


def mutations(text):
    """All (position, length, replacement) in a file."""
    code = re.sub(r"TG_PRINTF\([^)]*\)", lambda m: " " * len(m.group()), code_only(text))
    code = blank_functions(code, r"\w*probe\w*")
    found = []
    for old, new in SWAPS:
        for m in re.finditer(r"(?<= )" + re.escape(old) + r"(?= )", code):
            found.append((m.start(), len(old), new))
    for m in re.finditer(r"(?<![\w.])(\d+)(?![\w.])", code):
        # not the size of an array: one more than is used is no mistake
        if re.search(r"^\s+(?!return)[\w ]+ \*{0,2}\w+\[[\w +*]*$|\(\*\w+\[$", code[code.rfind("\n", 0, m.start()) + 1:m.start()]):
            continue
        if not re.search(r"\benum\b[^\n]*$", code[:m.start()][-200:].split("\n")[-1] if m.start() else ""):
            found.append((m.start(), len(m.group()), str(int(m.group()) + 1)))
    for m in re.finditer(r"\b(?:if|while) \(", code):
        end = closing(code, m.end() - 1)
        if end and "\n" not in code[m.end():end]:
            found.append((m.end(), end - m.end(), "!(" + text[m.end():end] + ")"))
    for m in re.finditer(r"^[ \t]+((?:[\w*>.\[\]()-]+ [-+*/|&]?= |\w+\()[^\n=]*;)$", code, flags=re.M):
        if not m.group(1).startswith("va_end"):
            found.append((m.start(1), len(m.group(1)), ";"))
    for m in re.finditer(r"\b(true|false)\b", code):
        found.append((m.start(), len(m.group()), "false" if m.group() == "true" else "true"))
    for m in re.finditer(r"\b(continue|break);", code):
        found.append((m.start(), len(m.group()), ";"))
    return sorted(set(found))


def closing(code, at):
    depth = 0
    for i in range(at, min(len(code), at + 400)):
        depth += (code[i] == "(") - (code[i] == ")")
        if depth == 0:
            return i
    return None


class Mutant:
    def __init__(self, path, text, at, length, new):
        self.path, self.text = path, text[:at] + new + text[at + length:]
        self.line = text.count("\n", 0, at) + 1
        start, end = text.rfind("\n", 0, at) + 1, text.find("\n", at + length)
        self.old = " ".join(text[start:end].split())
        self.new = " ".join((text[start:at] + new + text[at + length:end]).split())

    def key(self):
        return self.path, self.old, self.new


def sample(files, count, seed):
    """Two from every file, the others by how many a file has; by their hashes, so that a line keeps its own when others change."""
    def place(m):
        return hashlib.sha256(repr((seed, m.key())).encode()).digest()
    pools = [sorted((Mutant(path, Path(path).read_text(), *m) for m in mutations(Path(path).read_text())), key=place)
             for path in files]
    chosen = [m for pool in pools for m in pool[:2]]
    rest = sorted((m for pool in pools for m in pool[2:]), key=place)
    return sorted(chosen + rest[:max(0, count - len(chosen))], key=place)


# ---- building and running ----

def sh(command, **options):
    return subprocess.run(command, shell=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, **options)


def make(folder, *goals, **variables):
    settings = " ".join(f"{k}='{v}'" for k, v in variables.items())
    if sh(f"make -s -j{JOBS} B={folder} {settings} {' '.join(goals)}").returncode:
        sys.exit(f"mutants: {folder} does not build")


def suites():
    return sorted(p.stem for p in Path("tests").glob("*_test.c") if p.stem not in LEFT_OUT)


def run_suite(program, cpu, **extra):
    """True when it passes within so many seconds of the processor."""
    name = os.path.basename(program)
    env = dict(os.environ, CK_TIMEOUT_MULTIPLIER="100", CK_FORK="yes" if name in FORKING else "no", **extra)
    limit = lambda: resource.setrlimit(resource.RLIMIT_CPU, (cpu, cpu + 1))
    child = subprocess.Popen([program], env=env, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                             stderr=subprocess.DEVNULL, start_new_session=True, preexec_fn=limit)
    try:
        return child.wait(timeout=60 + 20 * cpu) == 0
    except subprocess.TimeoutExpired:
        os.killpg(child.pid, 9)
        child.wait()
        return False


def processor_time():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def lines_run(names):
    """{file: {line: [suites]}}, from gcov."""
    kept = HERE / "lines.json"
    if kept.exists():
        return json.loads(kept.read_text())
    folder = HERE / "coverage"
    make(folder, f"{folder}/libtapegrad.a", OPT="-O1", EXTRA="--coverage")
    make(folder, *[f"{folder}/{n}" for n in names], OPT="-O1", LDFLAGS="--coverage")
    lines = {}
    with multiprocessing.Pool(JOBS) as pool:
        for n, found in zip(names, pool.imap(lines_of, names, chunksize=1)):
            for path, line in found:
                lines.setdefault(path, {}).setdefault(str(line), []).append(n)
    kept.write_text(json.dumps(lines))
    return lines


def lines_of(suite):
    """[(file, line)] that a suite runs."""
    print(f"which lines {suite} runs", flush=True)
    objects, data = HERE / "coverage", (HERE / "gcda" / suite).absolute()
    strip = len(Path.cwd().parts) - 1
    if not run_suite(f"{objects}/{suite}", 600, GCOV_PREFIX=str(data), GCOV_PREFIX_STRIP=str(strip)):
        print(f"{suite} fails with gcov's counters: its lines are not known", flush=True)
    counts = sorted(data.rglob("*.gcda"))
    for c in counts:
        inside = str(c).split(str(objects) + "/", 1)[1]
        c.with_suffix(".gcno").symlink_to((objects / inside).with_suffix(".gcno").absolute())
    out = subprocess.run(["gcov", "-j", "-t", *counts], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout
    return sorted({(f["file"], line["line_number"]) for part in out.splitlines() for f in json.loads(part)["files"]
                   if f["file"].split("/")[0] in ("core", "nn", "optim") for line in f["lines"] if line["count"]})


def objects_of(path, plain):
    """The library's objects that are made from a source or header."""
    found = []
    for d in plain.rglob("*.d"):
        inside = d.relative_to(plain)
        if inside.parts[0] in ("core", "nn", "optim") and re.search(r"[ ]%s\b" % re.escape(path), d.read_text()):
            found.append(str(inside.with_suffix("")))
    return sorted(found)


def workbench():
    """This process's folder, with the sources in it."""
    folder = HERE / f"bench{os.getpid()}"
    if not folder.exists():
        for top in ("core", "nn", "optim"):
            shutil.copytree(top, folder / top)
    return folder


class Build:
    """The library and the suites in a folder of their own, built in one way."""

    def __init__(self, folder, names, flags):
        self.folder, self.flags = folder, flags
        make(folder, *[f"{folder}/{n}" for n in names], OPT="-O1", EXTRA=flags)
        self.links = self.link_commands(names)
        self.seconds = self.seconds_of(names)

    def link_commands(self, names):
        """As make would link them, with the mutant's objects before the library."""
        for n in names:
            (self.folder / n).rename(self.folder / (n + ".kept"))
        goals = " ".join(f"{self.folder}/{n}" for n in names)
        out = subprocess.run(f"make -n B={self.folder} OPT=-O1 EXTRA='{self.flags}' V=1 {goals}", shell=True,
                             stdout=subprocess.PIPE, text=True).stdout
        for n in names:
            (self.folder / (n + ".kept")).rename(self.folder / n)
        return {n: [l for l in out.splitlines() if f"-o {self.folder}/{n} " in l][-1] for n in names}

    def compile(self, mutant):
        """The objects, or None."""
        objects, bench = [], workbench()
        (bench / mutant.path).write_text(mutant.text)
        for o in objects_of(mutant.path, self.folder):
            to = bench / ("mutant_" + o.replace("/", "_") + ".o")
            flags = f"-std=c11 -O1 -w -ffp-contract=fast -fno-math-errno -fvisibility=hidden -pthread {self.flags}"
            done = sh(f"gcc {flags} -D_POSIX_C_SOURCE=200809L -I{bench} -c {bench / o}.c -o {to}")
            if done.returncode:
                objects = None
                break
            objects.append(str(to))
        shutil.copy(mutant.path, bench / mutant.path)
        return objects

    def link(self, n, objects, program):
        library = f"{self.folder}/libtapegrad.a"
        link = self.links[n].replace(library, " ".join(objects) + " " + library)
        return sh(link.replace(f"-o {self.folder}/{n}", f"-o {program}")).returncode == 0

    def seconds_of(self, names):
        """What each suite takes without a mutant; those that fail are left out."""
        kept = self.folder / "seconds.json"
        if not kept.exists():
            with multiprocessing.Pool(JOBS) as pool:
                kept.write_text(json.dumps(dict(zip(names, pool.map(seconds_to_pass, [str(self.folder / n) for n in names], 1)))))
        found = json.loads(kept.read_text())
        for n in (n for n in names if found[n] is None):
            print(f"{self.folder}/{n} fails without a mutant, and is left out", flush=True)
        return {n: t for n, t in found.items() if t is not None}


def seconds_to_pass(program):
    """The processor's, or None."""
    begin = processor_time()
    good = run_suite(program, 300)
    return processor_time() - begin if good else None


class Bench:
    """Where mutants are compiled and run."""

    def __init__(self):
        names = suites()
        self.plain = Build(HERE / "plain", names, "-g0")
        self.sanitized = Build(HERE / "sanitized", names, "-g0 -fsanitize=address,undefined -fno-sanitize-recover=all")
        self.lines = lines_run(names)
        self.proofs = blocks("tests/mutants/equivalent.txt")
        self.kills = {}
        for old in HERE.glob("bench*"):
            shutil.rmtree(old)

    def suites_for(self, mutant, build):
        """Those that run its line and fit into SECONDS, what kills most per second first."""
        places = (mutant.path, mutant.path.rsplit("/", 1)[0])
        lines = self.lines.get(mutant.path, {})
        names = lines.get(str(mutant.line), [])
        if not names: # a constant, or a later line of a statement: whoever runs anything of the file
            names = sorted({n for by in lines.values() for n in by})
        def cost(n):
            return (build.seconds[n] + 0.2) / (1 + sum(self.kills.get((p, n), 0) for p in places))
        spent = 0
        for n in sorted((n for n in names if n in build.seconds), key=cost):
            if not spent or spent + build.seconds[n] <= SECONDS:
                spent += build.seconds[n]
                yield n

    def killed_by(self, mutant, build):
        """The suite that fails, or None; False when the compiler does."""
        objects = build.compile(mutant)
        if objects is None:
            return False
        for n in self.suites_for(mutant, build):
            program = workbench() / n
            if not build.link(n, objects, program):
                return "the linker"
            if not run_suite(str(program), int(5 * build.seconds[n]) + 4):
                for p in (mutant.path, mutant.path.rsplit("/", 1)[0]):
                    self.kills[p, n] = self.kills.get((p, n), 0) + 1
                return n
        return None

    def verdict(self, mutant):
        if mutant.key() in self.proofs:
            return "equivalent"
        by = self.killed_by(mutant, self.plain)
        if by is None:
            by = self.killed_by(mutant, self.sanitized)
        return "not compiled" if by is False else "killed" if by else "survived"


# ---- the list ----

def blocks(path):
    """{(file, line, changed line): proof} of a file of survivors; in a run's log there is no proof."""
    found, block = {}, {}
    for line in Path(path).read_text().splitlines() + [""]:
        if line[:2] in ("- ", "+ ", "= "):
            block[line[0]] = block.get(line[0], "") + line[2:]
        elif line and line[0] not in "# ":
            block["file"] = line.split(":")[0]
        elif not line:
            if {"file", "-", "+"} <= block.keys():
                found[block["file"], block["-"], block["+"]] = block.get("=", "")
            block = {}
    return found


def main():
    count, seed = int(sys.argv[1]), int(sys.argv[2])
    if count < 1:
        sys.exit(f"mutants: {count} mutants are none to look at")
    files = sorted(str(p) for top in ("core", "nn", "optim") for kind in ("*.c", "*.h") for p in Path(top).rglob(kind))
    files = [f for f in files if mutations(Path(f).read_text()) and not f.endswith(NOT_MUTATED)
             and not f.startswith("core/tapegrad/")]
    bench = Bench()
    counts = {"killed": 0, "survived": 0, "equivalent": 0, "not compiled": 0}
    chosen = sample(files, count, seed)
    if len(sys.argv) > 3:
        again = blocks(sys.argv[3])
        texts = {path: Path(path).read_text() for path in sorted({key[0] for key in again})}
        every = {m.key(): m for path, text in texts.items() for m in (Mutant(path, text, *x) for x in mutations(text))}
        chosen = [every[key] for key in again if key in every]
    with multiprocessing.Pool(JOBS, set_bench, [bench]) as pool:
        for i, (mutant, verdict) in enumerate(zip(chosen, pool.imap(verdict_of, chosen))):
            counts[verdict] += 1
            if verdict == "survived":
                print(f"{mutant.path}:{mutant.line}\n- {mutant.old}\n+ {mutant.new}\n", flush=True)
            if i % 20 == 19:
                print(f"# {i + 1} of {len(chosen)}: {counts}", flush=True)
    tried = counts["killed"] + counts["survived"]
    print(f"{sum(counts.values())} mutants in {len(files)} files: {counts['killed']} killed, {counts['survived']} survived, "
          f"{counts['equivalent']} equivalent, {counts['not compiled']} not compiled; "
          f"{100 * counts['killed'] / max(tried, 1):.1f} % killed of those not proven equivalent")


def set_bench(bench):
    global shared
    shared = bench


def verdict_of(mutant):
    return shared.verdict(mutant)


main()
