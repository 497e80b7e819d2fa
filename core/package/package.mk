# The installed layout: the headers in one folder, the report as one source. The gallery is compiled against it, like a
# user's program.

PARTS_OF_HEADER = $(wildcard core/tapegrad/*.h)
HEADERS = $(patsubst %,$B/tapegrad/%.h,tapegrad nn optim report) $(PARTS_OF_HEADER:core/%=$B/%)
INSTALLED = $(HEADERS) $B/tapegrad/report.c

$B/tapegrad/tapegrad.h: core/tapegrad.h
$(PARTS_OF_HEADER:core/%=$B/%): $B/%: core/%
$B/tapegrad/nn.h: nn/nn.h
$B/tapegrad/optim.h: optim/optim.h
$B/tapegrad/report.h: examples/common/report.h
$(HEADERS):
	@mkdir -p $(@D)
	@sed 's|^#include "\([a-z]*/\)*|#include "|' $< > $@
REPORT = $(addprefix examples/common/,text_file.h text_file.c) \
    $B/examples/common/report_page.h examples/common/report.c
$B/tapegrad/report.c: $(REPORT) | $(HEADERS)
	@{ echo '/* The source of report.h, which says what it is for. */'; \
	    grep -h _XOPEN_SOURCE $(REPORT); echo '#include "report.h"'; \
	    cat $(REPORT) | sed '/_XOPEN_SOURCE/d; /^#include "/d'; } > $@
$B/tapegrad/report.o: $B/tapegrad/report.c
	$(call say,CC,$@)$(COMPILE) -MMD -MP -c $< -o $@

$(GALLERY): $B/gallery/%: $B/examples/gallery/%.o $B/tapegrad/report.o $(LIB)
	@mkdir -p $(@D)
	$(link)
$(GALLERY:$B/%=$B/examples/%.o): $(HEADERS)
