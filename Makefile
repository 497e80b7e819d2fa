# tapegrad. `make help` lists the targets.
CC ?= gcc
AR ?= ar
OPT ?= -O2
B ?= build
WARN = -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wmissing-prototypes -Wvla
CFLAGS = -std=c11 $(OPT) -g $(WARN) -ffp-contract=fast -fno-math-errno -fPIC -fvisibility=hidden -pthread \
         -D_POSIX_C_SOURCE=200809L -I. -I$B $(EXTRA)
SRC = $(wildcard core/*.c core/ops/*.c core/kernels/*.c nn/*.c optim/*.c)
OBJ = $(SRC:%.c=$B/%.o)
LIB = $B/libtapegrad.a
TESTS = $(patsubst tests/%.c,$B/%,$(wildcard tests/*_test.c))

lib: $(LIB)
$(LIB): $(OBJ)
	@rm -f $@
	$(AR) rcs $@ $^
$B/%.o: %.c
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) -MMD -MP -c $< -o $@

# every operation that core/ops defines, for the tests
$B/ops_list.h: $(wildcard core/ops/*.c)
	@mkdir -p $(@D)
	sed -n 's/^const tg_op \(tg_op_[a-z0-9_]*\).*/X(\1)/p' $^ > $@
$(TESTS:$B/%=$B/tests/%.o) $B/tests/support.o: $B/ops_list.h
$B/%_test: $B/tests/%_test.o $B/tests/support.o $(LIB)
	$(CC) $(CFLAGS) $^ -o $@ $$(pkg-config --libs check) -lm

test: $(TESTS)
	@for t in $(TESTS); do ./$$t || exit 1; done

clean:
	rm -rf build
.PHONY: lib test clean
.SECONDARY:
-include $(OBJ:.o=.d) $(wildcard $B/tests/*.d)
