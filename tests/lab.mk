# The laboratory: long checks, timings, comparisons with others. `make lab` lists them.

# ---- the gradient check ----

faults: ## plant mistakes in operations; the check must name both, none falsely (FAULT_SEEDS=10)
	+@$(BUILD) $B/faults
	@FAULT_SEEDS=$(or $(FAULT_SEEDS),10) $B/faults
false-alarms: ## the gradient check on right gradients, all to be passed (CHECKS=100000 SEED=1)
	+@$(BUILD) $B/false_alarms
	@$B/false_alarms $(or $(CHECKS),100000) $(or $(SEED),1)
opinfo: ## the check beside PyTorch's, on PyTorch's functions and inputs (needs a PYTHON with torch)
	+@$(BUILD) $B/opinfo
	$(PYTHON) tests/peers/opinfo.py $B/opinfo

# ---- memory, undefined behaviour, threads, platforms: the suites built or run another way ----

tsan: ## the tests under ThreadSanitizer
	CK_TIMEOUT_MULTIPLIER=20 $(MAKE) B=$B/tsan OPT=-O1 EXTRA="-fsanitize=thread" test
MSAN = -fsanitize=memory -fno-sanitize-recover=all -fno-omit-frame-pointer
MSANITIZED = B=$B/msan CC="$(CLANG)" OPT=-O1 EXTRA="$(MSAN)"
msan: ## the tests under clang's MemorySanitizer: nothing is read that was never written
	CK_TIMEOUT_MULTIPLIER=20 $(MAKE) $(MSANITIZED) test
# The three suites that multiply most take valgrind many minutes; two others want each test in a
# process of its own, which valgrind does not get here. They have the sanitizers instead. Nor those
# that call the gradient check: valgrind computes long double in double. Not "possible" leaks: the
# pool's sleeping threads, which end with the process, count as such.
TOO_LONG = kernels_test attention_test large_scores_test
OWN_PROCESS = io_fault_test threads_test thread_fault_test
LONG_DOUBLE = $(patsubst tests/%.c,%,$(shell grep -l tg_gradcheck tests/*_test.c))
FOR_VALGRIND = $(filter-out $(TOO_LONG) $(OWN_PROCESS) $(LONG_DOUBLE),$(notdir $(TESTS)))
LEAKS = definite,indirect
valgrind: ## the tests under valgrind: no error, no leak
	CK_FORK=no CK_TIMEOUT_MULTIPLIER=50 $(MAKE) ONLY="$(or $(ONLY),$(FOR_VALGRIND))" test \
	    WRAP="valgrind --quiet --leak-check=full --show-leak-kinds=$(LEAKS) \
	    --errors-for-leak-kinds=$(LEAKS) --error-exitcode=9"
TOGGLED = $(or $(TOGGLES),1000)
toggle: ## change the number of threads under computations, in many processes (TOGGLES=1000)
	+@$(BUILD) $B/toggle_test
	@[ "$(TOGGLED)" -gt 0 ] 2>/dev/null || { \
	    echo "toggle: TOGGLES is '$(TOGGLED)', but must be a whole number above 0" >&2; exit 2; }
	@wrong=0; for i in $$(seq $(TOGGLED)); do \
	    CK_FORK=no $B/toggle_test > $B/toggle_test.log 2>&1 || \
	    { wrong=$$((wrong + 1)); tail -n 2 $B/toggle_test.log; }; \
	done; echo "$(TOGGLED) processes, $$wrong wrong or dead"; [ $$wrong = 0 ]
WIDE = -DTG_AVX512_AS_AVX2 -Wno-psabi
wide: ## the tests with AVX-512's kernels made of AVX2 instructions, for machines without AVX-512
	CK_TIMEOUT_MULTIPLIER=5 $(MAKE) B=$B/wide EXTRA="$(WIDE)" test
portability: ## the tests for other platforms, by qemu-user (LIMIT=60 PLATFORMS="armhf" SUITES=)
	@SUITES="$(SUITES)" tests/portability/run.sh $B/portability $(or $(LIMIT),60) $(PLATFORMS)
# On other instruction sets than the machine's own, the suites of kernels.
COVERED = kernels_test attention_test vmath_test rng_test ops_test
COVER = CK_TIMEOUT_MULTIPLIER=20 $(MAKE) OPT=-O0
GCOVR = gcovr -r . --filter core/ --filter nn/ --filter optim/
coverage: ## lines and branches of core, nn and optim that the tests run (needs gcovr; minutes)
	+$(COVER) B=$B/coverage EXTRA=--coverage test
	+for isa in reference baseline avx2; do \
	    TG_ISA=$$isa $(COVER) B=$B/coverage EXTRA=--coverage ONLY="$(COVERED)" test || exit 1; \
	done
	+$(COVER) B=$B/coverage-wide EXTRA="--coverage $(WIDE)" ONLY="$(COVERED)" test
	$(GCOVR) $B/coverage $B/coverage-wide
	$(GCOVR) --branches --print-summary $B/coverage $B/coverage-wide
mutants: ## plant mistakes; the tests must see them (MUTANTS=520 SEED=1; needs gcov; an hour)
	nice -n 19 $(PYTHON) tests/mutants/mutants.py $(or $(MUTANTS),520) $(or $(SEED),1)

# ---- random programs ----

FUZZ = $B/fuzz_programs
OF_FUZZ = --seconds $(or $(SECONDS),60) --seed $(or $(SEED),1)
fuzz: ## random programs in several ways, plain and sanitized (SECONDS=60 SEED=1); fuzz-calls
	+@$(BUILD) $(FUZZ)
	$(FUZZ) $(OF_FUZZ)
	+@$(BUILD) $(SANITIZED) $B/asan/fuzz_programs
	$B/asan/fuzz_programs $(OF_FUZZ)
	+@$(MAKE) --no-print-directory fuzz-calls
fuzz-calls: ## random calls, sanitized (PROGRAMS=2000, MSAN_PROGRAMS=800 or none, SEED=1)
	+@$(BUILD) $(SANITIZED) $B/asan/fuzz_calls
	$B/asan/fuzz_calls --count $(or $(PROGRAMS),2000) --seed $(or $(SEED),1)
ifneq ($(MSAN_PROGRAMS),none)
	+@$(BUILD) $(MSANITIZED) $B/msan/fuzz_calls
	$B/msan/fuzz_calls --count $(or $(MSAN_PROGRAMS),800) --seed $(or $(SEED),1)
endif
FUZZ_LOAD = $B/fuzz-load/load_fuzz
FUZZ_FLAGS = -fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=all
fuzz-load: ## random bytes for the reader of files, by libFuzzer (SECONDS=60; needs clang)
	+@$(BUILD) B=$B/fuzz-load CC="$(CLANG)" OPT=-O1 EXTRA="$(FUZZ_FLAGS)" $(FUZZ_LOAD)
	@mkdir -p $B/fuzz-load/corpus
	$(FUZZ_LOAD) -max_total_time=$(or $(SECONDS),60) -max_len=4096 -dict=tests/fuzz/load.dict \
	    -verbosity=0 -print_final_stats=1 $B/fuzz-load/corpus tests/fuzz/corpus

# ---- power cuts, kills, calls that fail: what files promise ----

crash: ## a power cut after each call of a save, every state that POSIX allows: old or new
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

# ---- speed ----

BENCH = $B/bench
OF_BENCH = $(if $(WORK),--work $(WORK)) $(if $(THREADS),--threads $(THREADS)) \
    $(if $(REPS),--reps $(REPS)) $(if $(MAX_T),--max-t $(MAX_T)) \
    $(if $(PEER),--peer $(PEER)) --python $(PYTHON) $(if $(JSON),--json $(JSON)) \
    $(if $(ONLY),--only $(ONLY)) $(if $(SIZES),--sizes $(SIZES)) \
    $(if $(ROUNDS),--rounds $(ROUNDS)) $(if $(CLOCK),--clock $(CLOCK)) \
    $(if $(DTYPE),--dtype $(DTYPE))
bench: ## time workloads (WORK=tiny THREADS=1,2 REPS=5 PEER=torch_bench.py; WORK=ops ONLY= SIZES=)
	+@$(BUILD) $(BENCH)
	$(BENCH) $(OF_BENCH)
scaling: ## how attention's time and memory grow with length, width and batch
	+@$(BUILD) $(BENCH)
	$(BENCH) --run scaling --reps $(or $(REPS),3)
second: ## what Hessian-vector products of attention cost, and a Jacobian-vector product
	+@$(BUILD) $(BENCH)
	$(BENCH) --run second --reps $(or $(REPS),3)
products: ## matrix products, in turn with MKL's or OpenBLAS's (THREADS=1 MKL=libmkl_rt.so)
	+@$(BUILD) $(BENCH)
	$(BENCH) --run products --threads $(or $(THREADS),1) --reps $(or $(REPS),15) \
	    $(if $(MKL),--mkl $(MKL))
microgpt-by-hand: ## microgpt in turn with the same model in plain loops, its backward by hand
	+@$(BUILD) $B/microgpt_by_hand
	@TG_THREADS=1 $B/microgpt_by_hand
encoder-time: ## examples/encoder in turn with transformers (a PYTHON with torch, transformers)
	+@$(BUILD) $B/encoder_time
	$(PYTHON) tests/peers/encoder.py $B/encoder_time
ulp: ## the vector functions' largest errors, over all floats (many minutes; STEP=64)
	+@$(BUILD) $B/vmath_test
	CK_FORK=no ULP_STEP=$(or $(STEP),1) $B/vmath_test
mpi-scaling: ## a step at 2 to 1,024 ranks, held against slow networks (needs root, ip, tc, mpirun)
	+@$(BUILD) $B/gpt_mpi $B/hold_back.so
	@examples/mpi/scaling.sh $B

# ---- packages, files for others, pages, many machines ----

abi: lib ## do programs compiled against an installed version run (OLD=libtapegrad.so; abidiff)
	@core/package/abi.sh $(or $(OLD),$(libdir)/libtapegrad.so) $(SHARED) $(SOVERSION)
IN_ONE = kernels_test ops_test autograd_test nn_test optim_test optim_rules_test serialize_test print_test \
    rng_test threads_test
amalgamation-test: amalgamation ## compile the one file alone, as it says, and run suites against it
	+@$(BUILD) $B/hello
	tests/amalgamation.sh $(ONE) $B
	$(MAKE) B=$B/one LIB_OBJ=$(ONE)/tapegrad.o OPT=-O1 EXTRA=-w test ONLY="$(or $(ONLY),$(IN_ONE))"
without: amalgamation ## what a build without threads, files, ... saves (core/package/without.mk)
	tests/without.sh $(ONE)
python-test: python ## the Python module's sizes, offsets and constants against the C compiler's
	CC="$(CC)" $(PYTHON) core/package/bindings.py --check $B/python/tapegrad.py
exchange: ## weights to PyTorch and back (needs a PYTHON with torch and safetensors)
	+@$(BUILD) $B/exchange
	$(PYTHON) tests/golden/exchange.py $B/exchange
golden: ## PyTorch's numbers for an example of every operation (needs a PYTHON with torch)
	+@$(BUILD) $B/golden_examples
	$(PYTHON) tests/golden/make_examples.py $B/golden_examples
report-look: examples pages ## reports, exercises in Chromium (a PYTHON with axe-playwright-python)
	$B/train --report $B/report.html --save $B/report.safetensors >/dev/null
	$B/gpt train --text README.md --schedule 20 --report $B/report-gpt.html --save $B/report-gpt.safetensors >/dev/null
	$B/gallery/vit --report $B/report-vit.html
	$(PYTHON) tests/report.py $B/report.html $B/report-gpt.html $B/report-vit.html --exercises $(CWB)/pages \
	    --pictures $B
mpi-test: ## what examples/mpi promises: bits, bad input, ranks that die (KILLS=20; needs mpirun)
	+@$(BUILD) $B/gpt_mpi $B/gpt
	@examples/mpi/test.sh $B $(or $(KILLS),20)

# ---- rules ----

$B/tests/faults.o $B/tests/false_alarms.o: $B/ops_list.h
$B/false_alarms: $B/tests/false_alarms.o
$B/faults: $(patsubst %,$B/tests/%.o,faults fault_kinds fault_planting fault_float32)
$B/exchange: $B/tests/golden/exchange.o
$B/opinfo: $B/tests/peers/opinfo.o
$B/encoder_time: $B/tests/peers/encoder.o $B/examples/encoder/model.o
$B/tests/bench/microgpt.o: MORE = -O3 -march=native -ffast-math
$B/microgpt_by_hand: $B/tests/bench/microgpt.o
$(BENCH): $(patsubst %.c,$B/%.o,$(filter-out %/microgpt.c,$(wildcard tests/bench/*.c))) \
    $B/examples/gpt/model.o
$(FUZZ): $(patsubst %.c,$B/%.o,$(wildcard tests/fuzz/program*.c) tests/fuzz/choices.c)
$B/fuzz_calls: $(patsubst %.c,$B/%.o,$(wildcard tests/fuzz/calls*.c) tests/fuzz/choices.c)
$B/load_fuzz: $B/tests/fuzz/load_fuzz.o
$B/load_fuzz: LDLIBS += -fsanitize=fuzzer
$B/kill $B/load_memory: $B/%: $B/tests/io/%.o
$B/train_faulted: $B/examples/train.o $B/tests/io/program_fault.o
$B/golden_examples: $B/tests/golden/examples.o
OF_OPERATIONS = $(BENCH) $(FUZZ) \
    $(addprefix $B/,false_alarms faults golden_examples opinfo fuzz_calls)
$(OF_OPERATIONS): $(OPERATIONS)
LAB = $(OF_OPERATIONS) $(addprefix $B/,exchange encoder_time microgpt_by_hand load_fuzz kill \
    load_memory train_faulted)
$(LAB): $(COMMON) $(LIB)
	$(link)
