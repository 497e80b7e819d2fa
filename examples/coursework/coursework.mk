# Coursework: the lecturer's side.

CW = examples/coursework
CWB = $B/coursework
CW_GRADER = $(filter-out $(CW)/grader/runner.c,$(wildcard $(CW)/grader/*.c))
CW_GRADE_OBJ = $(CW_GRADER:$(CW)/grader/%.c=$(CWB)/%.o)
CW_HARNESS = $(patsubst $(CW)/%.c,$(CWB)/%.o,$(wildcard $(CW)/harness/*.c))
CW_PUBLIC = core/tapegrad.h $(wildcard core/tapegrad/*.h) optim/optim.h
CW_INCLUDE = $(patsubst %,$(CWB)/include/%,coursework.h $(CW_PUBLIC))
CW_FLAGS = -I$(CW) -fvisibility=default

$(CWB)/%.o: $(CW)/grader/%.c
	@mkdir -p $(@D)
	$(call say,CC,$@)$(COMPILE) $(CW_FLAGS) -MMD -MP -c $< -o $@
$(CWB)/harness/%.o: $(CW)/harness/%.c
	@mkdir -p $(@D)
	$(call say,CC,$@)$(COMPILE) $(CW_FLAGS) -MMD -MP -c $< -o $@
$(CWB)/grade: $(CW_GRADE_OBJ) $(LIB)
	$(call say,LD,$@)$(LINK) $^ -o $@ $(LDLIBS)
$(CWB)/runner: $(CWB)/runner.o $(CWB)/sandbox.o
	$(call say,LD,$@)$(LINK) -rdynamic $^ -o $@ -ldl -lm
$(CWB)/libtapegrad.a: $(LIB)
	@cp $(LIB) $@
# the headers that a student's code may include, and nothing else
$(CWB)/include/%.h: %.h
	@mkdir -p $(@D)
	@cp $< $@
$(CWB)/include/%.h: $(CW)/%.h
	@mkdir -p $(@D)
	@cp $< $@

CW_TOOLS = $(CWB)/grade $(CWB)/runner $(CWB)/libtapegrad.a $(CW_HARNESS) $(CW_INCLUDE)

coursework-tools: $(CW_TOOLS) ## build what those for coursework call
# names may hold what a shell would read: they come by its variables
coursework: $(CW_TOOLS) ## a student's copy of the exercises (DIR=path STUDENT=name CLASS=text)
	@TOOLS=$(CWB) $(CW)/copy.sh $(CW) "$$DIR" "$$STUDENT" "$$CLASS"
pages: $(CWB)/grade ## the exercises as pages, in build/coursework/pages (STUDENT=name CLASS=text)
	@TOOLS=$(CWB) $(CW)/pages/make.sh $(CW) examples/common/page.css $(CWB)/pages "$$STUDENT" "$$CLASS"
# (also SEED=1 VARIANTS=1 CLASS=text NAMES=file JOBS=2)
grade-all: $(CW_TOOLS) ## grade submissions (SUBMISSIONS=folder CSV=file)
	@$(CW)/grade_all.sh $(CWB) "$(CC)" "$$SUBMISSIONS" "$$CSV"
coursework-counts: $(CW_TOOLS) ## of the wrong answers: how many hear what came, and a true name
	@$(CW)/wrong.sh $(CW) $(CWB) "$(CC)" figures
coursework-sample: $(CW_TOOLS) ## 20 of the grader's messages, without the answers (SEED=7)
	@$(CW)/wrong.sh $(CW) $(CWB) "$(CC)" messages "$${SEED:-7}"
coursework-test: $(CW_TOOLS) ## check the exercises: solutions, stubs, wrong and hostile answers
	@$(CW)/test.sh $(CW) $(CWB) "$(CC)"
