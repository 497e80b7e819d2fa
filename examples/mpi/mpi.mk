# The GPT example over MPI: how it is built, tested and timed.

MPICC ?= mpicc
MPI_OBJ = $(patsubst %,$B/examples/mpi/%.o,main exchange ranks times)
mpi: ## build the GPT example for many machines, when there is an mpicc (examples/mpi/README.md)
	+@if command -v $(MPICC) >/dev/null; then $(BUILD) $B/gpt_mpi; \
	else echo "mpi: $(MPICC) is not there, so examples/mpi is left out; make deps-mpi installs it"; fi
deps-mpi: ## install Open MPI, when mpicc is missing
	@if command -v $(MPICC) >/dev/null; then echo "deps-mpi: $(MPICC) is there"; \
	elif command -v apt-get >/dev/null; then \
	    echo "deps-mpi: installing openmpi-bin and libopenmpi-dev with apt-get"; \
	    sudo=; [ "$$(id -u)" = 0 ] || sudo=sudo; \
	    $$sudo apt-get update -qq && \
	    $$sudo apt-get install -y -qq openmpi-bin libopenmpi-dev >/dev/null; \
	else echo "deps-mpi: please install an MPI, Open MPI or MPICH" >&2; exit 1; fi

$(MPI_OBJ) $B/gpt_mpi: private override CC := $(MPICC)
$B/hold_back.so: private override CC := $(MPICC)
$B/hold_back.so: examples/mpi/hold_back.c
	$(call say,LD,$@)$(LINK) -shared $^ -o $@
$B/gpt_mpi: $(MPI_OBJ) $(filter-out %/main.o %/train.o,$(GPT_OBJ)) $(COMMON) $(LIB)
	$(link)
