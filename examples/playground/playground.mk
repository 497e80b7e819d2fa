# The library as WebAssembly, and a page that runs it: no part of make, make run or the tests.

FOR_wasm32 = -fno-PIC -Wno-conversion
# The stack of a module does not grow.
AS_WASM = CC="$(CLANG) --target=wasm32-wasi" AR=llvm-ar OPT=-O2 LDLIBS=-lm \
    LDFLAGS="-Wl,-z,stack-size=1048576,-s"
SIMD = $(AS_WASM) B=$B/wasm CPPFLAGS="-DTG_NO_THREADS -DTG_NO_FILES" EXTRA=-msimd128
PLAIN = $(AS_WASM) B=$B/wasm-plain CPPFLAGS="-DTG_NO_THREADS -DTG_NO_FILES -DTG_NO_VECTORS"
define HAS_WASM
printf '#include <math.h>\nint main(void) { return 0; }\n' | $(CLANG) --target=wasm32-wasi -x c - \
    -o $B/wasm/has.wasm 2>/dev/null || { echo "$@ wants clang, lld and a C library:" \
    "apt-get install clang lld llvm wasi-libc libclang-rt-14-dev-wasm32" >&2; exit 2; }
endef

wasm: ## hello, microgpt as WebAssembly, with vectors and plain; suites in node (SUITES="ops_test")
	@mkdir -p $B/wasm && $(HAS_WASM)
	+@$(BUILD) $(SIMD) $B/wasm/hello.wasm $B/wasm/microgpt.wasm
	+@$(BUILD) $(PLAIN) $B/wasm-plain/hello.wasm $B/wasm-plain/microgpt.wasm
	@for f in $B/wasm/hello.wasm $B/wasm-plain/hello.wasm; do \
	    node tests/portability/wasi.mjs $$f > $B/wasm/hello.txt && \
	    sed -n '/^It prints/,/^Copy/s/^    //p' README.md | diff $B/wasm/hello.txt - || exit 1; \
	    echo "$$f: $$(wc -c < $$f) bytes, learns the same"; done
	@SUITES="$(SUITES)" tests/portability/run.sh $B/portability $(or $(LIMIT),60) wasm
playground: ## one page with the library inside: train, break a gradient (build/playground.html)
	@mkdir -p $B/wasm && $(HAS_WASM)
	+@$(BUILD) $(SIMD) $B/wasm/playground.wasm
	+@$(BUILD) $(PLAIN) $B/wasm-plain/playground.wasm
	@gzip -9 -n < $B/wasm/playground.wasm | base64 -w 0 > $B/wasm/simd.base64
	@base64 -w 0 $B/wasm-plain/playground.wasm > $B/wasm/plain.base64
	@sed $(foreach f,$(PAGE_PARTS),-e '\|^/\* $(notdir $f) \*/$$|{r $f' -e 'd;}') \
	    examples/playground/page.html > $B/playground.html
	@echo "$B/playground.html: $$(wc -c < $B/playground.html) bytes"
PAGE_PARTS = examples/common/page.css $(addprefix examples/playground/,playground.css engine.js \
    playground.js) $B/wasm/simd.base64 $B/wasm/plain.base64

# ---- rules ----

$B/%.wasm: $B/examples/%.o $(LIB)
	$(call say,LD,$@)$(LINK) $(filter %.o %.a,$^) -o $@ $(LDLIBS)
PAGE_OBJ = $(patsubst %,$B/examples/%.o,playground/mistakes common/recall common/language_model)
$B/playground.wasm: $B/examples/playground/training.o $(PAGE_OBJ) $(LIB)
	$(call say,LD,$@)$(LINK) -mexec-model=reactor $(filter %.o %.a,$^) -o $@ $(LDLIBS)
