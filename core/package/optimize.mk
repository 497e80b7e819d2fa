# How far the library's files are optimized: those not listed with OPT, which is -O2 with vectors.
# The rest of -O3 costs a third of the compiler's time and of the code, and pays here alone.
O3 = core/kernels/simd_% \
    $(patsubst %,core/kernels/%.o,attention_few attention_tiles indexed rng rows sums) \
    $(patsubst %,core/ops/%.o,losses prod bias_gelu pow internal/gelu_slope) \
    $(patsubst %,optim/%.o,adam clip ema muon sgd)
# What runs once, or waits for a file or a person, is small instead.
SMALL = $(foreach d,derivatives gradcheck io platform random tensor,core/$d/%) core/ops/internal/% \
    $(patsubst %,core/tape/%.o,adapter anomaly checkpoint copy error profile) \
    core/backward/flat.o core/ops/custom.o nn/% $(patsubst %,optim/%.o,custom optim run schedule)
$(O3:%=$B/%): OPT = -O3
$(SMALL:%=$B/%): OPT = -Os
