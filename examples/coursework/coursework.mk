# Coursework: how the lecturer's side is built. The targets are called from the top Makefile.

CW = examples/coursework
CWB = $B/coursework
CW_GRADE_OBJ = $(patsubst %,$(CWB)/%.o,grade mark report check check_optimizers check_training tasks run)
CW_FLAGS = -I$(CW) -fvisibility=default

$(CWB)/%.o: $(CW)/grader/%.c
	@mkdir -p $(@D)
	$(call say,CC,$@)$(COMPILE) $(CW_FLAGS) -MMD -MP -c $< -o $@
$(CWB)/grade: $(CW_GRADE_OBJ) $(LIB)
	$(call say,LD,$@)$(LINK) $^ -o $@ $(LDLIBS)
$(CWB)/runner: $(CWB)/runner.o
	$(call say,LD,$@)$(LINK) -rdynamic $^ -o $@ -ldl -lm
$(CWB)/libtapegrad.a: $(LIB)
	@cp $(LIB) $@

CW_TOOLS = $(CWB)/grade $(CWB)/runner $(CWB)/training.o $(CWB)/libtapegrad.a
CW_GRADE = $(CWB)/grade --tools $(CWB) --compiler "$(CC) -I. -I$(CW)"
