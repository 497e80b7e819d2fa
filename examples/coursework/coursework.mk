# Coursework: how the lecturer's side is built. The targets are called from the top Makefile.

CW = examples/coursework
CWB = $B/coursework
CW_GRADE_OBJ = $(patsubst %,$(CWB)/%.o,$(notdir $(basename $(filter-out %/runner.c,$(wildcard $(CW)/grader/*.c)))))
CW_HARNESS = $(patsubst $(CW)/%.c,$(CWB)/%.o,$(wildcard $(CW)/harness/*.c))
CW_INCLUDE = $(patsubst %,$(CWB)/include/%,coursework.h core/tapegrad.h optim/optim.h)
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
