# What each suite is linked with beside check, support.o and the library; lists that suites read.

CHECK_LIBS = -pthread \
    $(shell pkg-config --libs check 2>/dev/null || echo -lcheck -lsubunit -lrt -lm)

# every operation that core/ops defines, for the tests
$B/ops_list.h: $(wildcard core/ops/*.c)
	@mkdir -p $(@D)
	@sed -n 's/^const tg_op \(tg_op_[a-z0-9_]*\).*/X(\1)/p' $^ > $@
# and the calls that core/tapegrad/operations.h declares, with PyTorch's (tests/operations.h)
$B/operations_list.h: tests/operations.awk core/tapegrad/operations.h $(wildcard core/ops/*.c)
	@mkdir -p $(@D)
	@awk -f tests/operations.awk $(filter %.c,$^) core/tapegrad/operations.h > $@
OPERATIONS = $B/tests/operations.o
$(OPERATIONS): $B/ops_list.h $B/operations_list.h
$(TESTS:$B/%=$B/tests/%.o) $B/tests/support.o: $B/ops_list.h
$(TESTS): $B/%: $B/tests/%.o $B/tests/support.o $(OPERATIONS) $(LIB)
	$(call link,$(CHECK_LIBS))

# these plant mistakes
$B/diagnosis_test $B/fault_test: $B/tests/fault_kinds.o $B/tests/fault_planting.o

# this suite says how many threads the system grants
$B/threads_test: LDLIBS += -Wl,--wrap=pthread_create
# and in this one every call fails that makes threads, locks and handlers
THREAD_CALLS = create atfork mutex_init cond_init sigmask
$B/thread_fault_test: LDLIBS += $(THREAD_CALLS:%=-Wl,--wrap=pthread_%)

# these suites run a program
RUN_TRAIN = $B/train_program_test $B/train_terminal_test $B/report_test
$(RUN_TRAIN): $B/tests/io/program.o | $B/train
$B/gpt_program_test $B/gpt_finetune_test $B/gpt_import_test: $B/tests/io/program.o | $B/gpt
$B/gallery_test: $B/tests/io/program.o | $(GALLERY)
# and these its parts
NOT_GPT_TEST = main train training settings page sample evaluate encode info finetune \
    logits
WITH_GPT = $B/gpt_test $B/llama_folder_test
$(WITH_GPT): $(filter-out $(NOT_GPT_TEST:%=$B/examples/gpt/%.o),$(GPT_OBJ))
$B/tokens_test: $(addprefix $B/examples/gpt/,shards.o tokens.o model.o)
$B/bpe_test: $(addprefix $B/examples/gpt/,bpe.o bpe_train.o split.o heap.o)
$(WITH_GPT) $(addprefix $B/,bpe_test report_test tokens_test wordpiece_test): $(COMMON)
$B/encoder_program_test: $B/tests/io/program.o | $B/encoder
$B/every_program_test: $B/tests/io/program.o | $(EXAMPLES) $(SEEDS)
$B/tests/every_program_test.o: $B/programs_list.h
$B/programs_list.h: $(wildcard examples/*.c examples/seeds/*.c)
	@mkdir -p $(@D)
	@printf 'X("%s")\n' $(patsubst $B/%,%,$(EXAMPLES) $(SEEDS)) > $@
$B/wordpiece_test: $(addprefix $B/examples/encoder/,open.o model.o wordpiece.o)
$B/serialize_test $B/malformed_test $B/layout_test $B/packed_test: $B/tests/io/model_file.o

# what another project would write sees the headers as they are installed, and nothing else
OUTSIDE = $(patsubst %.c,$B/%.o,$(wildcard tests/outside/*.c))
$(OUTSIDE): $B/%.o: %.c $(HEADERS)
	@mkdir -p $(@D)
	$(call say,CC,$@)$(subst -I. ,,$(COMPILE)) -MMD -MP -c $< -o $@
$B/tests/outside_test.o: $(HEADERS)
$B/outside_test: $(OUTSIDE)

# these have a stand-in for the system
SYSTEM_CALLS = openat fstat fstatat faccessat getentropy flock write pread fsync fchmod renameat \
    unlinkat close fdopendir readdir
WITH_SYSTEM = $B/serialize_test $B/save_test $B/crash_test $B/io_fault_test $B/train_faulted
$(WITH_SYSTEM): $B/tests/io/system.o
$(WITH_SYSTEM): LDLIBS += $(SYSTEM_CALLS:%=-Wl,--wrap=%)
