# Optional parts of the library: the files that each switch leaves out. CPPFLAGS=-DTG_NO_FILES leaves
# them out of the library, cc -DTG_NO_FILES ... tapegrad.c out of the amalgamation. They are replaced
# by files no_NAME.c, whose functions are errors that say so. core/package/amalgamate.py reads this
# file as well.
TG_NO_THREADS = core/kernels/threads.c core/platform/*_threads.c
TG_NO_FILES = core/io/convert.c core/io/json.c core/io/load.c core/io/npy.c core/io/rename.c \
    core/io/safetensors.c core/io/save.c core/io/shards.c core/platform/*_files.c optim/run.c
TG_NO_GRADCHECK = core/gradcheck/[!n]*.c core/gradcheck/names*.c
TG_NO_WIDE_VECTORS = core/kernels/simd_avx*.c
TG_NO_VECTORS = core/kernels/simd_*.c

PTHREAD = $(if $(filter -DTG_NO_THREADS,$(ALL_FLAGS)),,-pthread)
SWITCHES = $(patsubst -D%,%,$(filter -DTG_NO_%,$(ALL_FLAGS)))
LEFT_OUT = $(foreach s,$(SWITCHES),$(wildcard $($s)))
LIB_SRC = $(filter-out $(LEFT_OUT),$(foreach d,$(LIB_DIRS),$(wildcard $d/*.c)))
