/* gpt train over several processes, by MPI: the same bits for any number of them.
 *
 * A step's batch is cut into S shards. Each shard draws its windows and dropout from a generator of its own, made of
 * seed, step and shard, and its gradient is computed alone; exchange.h says in which order they are added up. So
 * nothing that a step computes depends on which process computes it. */
#include "examples/common/interrupt.h"
#include "examples/common/output.h"
#include "examples/gpt/training.h"
#include "examples/mpi/exchange.h"
#include "examples/mpi/ranks.h"
#include "examples/mpi/times.h"

#include <stdlib.h>
#include <string.h>

static const char help[] =
    "usage: mpirun -np N gpt_mpi --text FILE [options]\n"
    "\n"
    "Trains a GPT as gpt train does, whose options it takes but --report (gpt train --help), in N processes. The result\n"
    "is the same in every bit for any N, and a run goes on with --resume in another number of processes. Each reads\n"
    "text or tokens itself; --resume and --init are read by rank 0 alone, which also prints, measures and saves.\n"
    "\n"
    "  --shards N         parts of a step's batch, a power of two that N divides; it says what is computed (4)\n"
    "  --block MIB        gradients are sent in blocks of at most so many MiB, the first of at most 1 MiB (25)\n"
    "  --fast             each block by one MPI_Iallreduce: less to send from 4 processes on, but the order of its sums\n"
    "                     is MPI's, and the bits of the result depend on N\n"
    "  --freeze PREFIX    weights whose names begin so stay as they are\n"
    "  --times FILE       write what the steps' parts took, for make mpi-scaling\n"
    "\n"
    "Ctrl-C ends the training after the present step, and saves if mpirun leaves it the time. Exit status: 0 done, else\n"
    "not 0.\n";

typedef struct parallel {
    int64_t shards;
    double block;
    bool fast;
    const char *freeze, *times_path;
    exchange *x;
    times *times;
} parallel;

/* ---- a step ---- */

/* The generator of a step's shard; number S: of what comes after the step. */
static uint64_t seed_of(const training *r, int64_t number) {
    return tokens_mix(tokens_mix(tokens_mix((uint64_t)r->s.seed) + (uint64_t)r->step) + (uint64_t)number);
}

/* Its gradient, added up with those before it; returns its part of the mean loss. S is a power of two: the division
 * rounds nothing. */
static double do_shard(training *r, int64_t position, int64_t number, int here) {
    parallel *p = r->context;
    tg_tape *t = r->c.t;
    int64_t B = r->s.batch / p->shards;
    tg_mark before = tg_tape_mark(t);
    tg_manual_seed(t, seed_of(r, number));
    r->position = position + number * B;
    tg_tensor loss = tg_div_scalar(training_loss(r, B), (double)p->shards);
    tg_optim_zero_grad(r->adamw);
    exchange_shard(p->x, here);
    must(t, tg_backward(loss));
    double part = tg_item(loss);
    must(t, tg_tape_rewind(t, before));
    return part;
}

/* The mean loss, its parts added in the order of the shards; and whether any rank caught a signal. */
static double gather_loss(const parallel *p, const double *mine, int n_mine) {
    double *all = must_allocate((size_t)(all_ranks.n * n_mine), sizeof *all), loss = 0, signal_number = 0;
    MPI_Request request;
    MPI_Iallgather(mine, n_mine, MPI_DOUBLE, all, n_mine, MPI_DOUBLE, MPI_COMM_WORLD, &request);
    ranks_wait(&request);
    for (int64_t i = 0; i < p->shards; i++)
        loss += all[i + i / (n_mine - 1)];
    for (int i = 1; i <= all_ranks.n; i++)
        signal_number = all[i * n_mine - 1] > signal_number ? all[i * n_mine - 1] : signal_number;
    interrupted = (int)signal_number;
    free(all);
    return loss;
}

static double make_step(training *r) {
    parallel *p = r->context;
    int64_t position = r->position;
    int here = (int)p->shards / all_ranks.n;
    double *part = must_allocate((size_t)here + 1, sizeof *part);
    times_begin(p->times);
    for (int i = 0; i < here; i++)
        part[i] = do_shard(r, position, (int64_t)all_ranks.rank * here + i, i);
    exchange_wait(p->x);
    part[here] = (double)interrupted;
    double loss = gather_loss(p, part, here + 1);
    free(part);
    r->position = r->s.tokens ? position + r->s.batch : 0;
    training_update(r, loss);
    tg_manual_seed(r->c.t, seed_of(r, p->shards)); /* what is saved does not depend on the rank's last shard */
    times_end(p->times, p->x);
    r->stopped = interrupted;
    return loss;
}

/* ---- beginning ---- */

static void check(const training *r) {
    const parallel *p = r->context;
    char why[100];
    snprintf(why, sizeof why, "%lld: it wants a power of two", (long long)p->shards);
    if (p->shards < 1 || p->shards > 1 << 20 || (p->shards & (p->shards - 1)))
        usage("--shards", why);
    snprintf(why, sizeof why, "%lld cannot be shared by %d processes", (long long)p->shards, all_ranks.n);
    if (p->shards % all_ranks.n)
        usage("--shards", why);
    snprintf(why, sizeof why, "%lld cannot be cut into %lld shards of one size", (long long)r->s.batch,
             (long long)p->shards);
    if (r->s.batch % p->shards)
        usage("--batch", why);
    if (r->s.report)
        usage("--report", "is gpt train's alone");
}

static bool is_trained(tg_tensor x, void *context) {
    (void)context;
    return tg_requires_grad(x);
}

static tg_list trained_parameters(const training *r) {
    const parallel *p = r->context;
    tg_list frozen = p->freeze ? tg_parameters_under(r->c.t, p->freeze) : (tg_list){0};
    for (int64_t i = 0; i < frozen.n; i++)
        tg_set_requires_grad(frozen.tensor[i], false);
    tg_selection which = TG_SELECT_ALL;
    which.accept = is_trained;
    tg_list trained = tg_parameters_where(r->c.t, which);
    must(r->c.t, TG_OK);
    if (trained.n == 0)
        usage("--freeze", "leaves no weight to be trained");
    return trained;
}

/* Rank 0's, as libm may draw others elsewhere, in vectors of at most 2^22 numbers or of one parameter. */
static void broadcast_weights(tg_tape *t) {
    tg_list all = tg_parameters(t);
    for (int64_t i = 0, end; i < all.n; i = end) {
        int64_t n = tg_numel(all.tensor[i]);
        for (end = i + 1; end < all.n && n + tg_numel(all.tensor[end]) <= 1 << 22; end++)
            n += tg_numel(all.tensor[end]);
        tg_list part = {t, end - i, all.tensor + i};
        float *vector = must_allocate((size_t)n, sizeof *vector);
        must(t, tg_parameters_to_vector(part, vector, n));
        ranks_broadcast(vector, (int)n, MPI_FLOAT);
        must(t, tg_vector_to_parameters(vector, n, part));
        free(vector);
    }
}

/* ---- what has to be the same everywhere ---- */

/* FNV-1a; bytes of a file, a text, numbers in memory: ranks are machines of one kind */
static uint64_t hash_of(uint64_t hash, const void *bytes, size_t n) {
    for (size_t i = 0; i < n; i++)
        hash = (hash ^ ((const unsigned char *)bytes)[i]) * 0x100000001b3u;
    return hash;
}
static const uint64_t nothing = 0xcbf29ce484222325u;

static uint64_t hash_of_program(void) {
    uint64_t hash = nothing;
    unsigned char piece[4096];
    FILE *file = fopen("/proc/self/exe", "rb");
    for (size_t n; file && (n = fread(piece, 1, sizeof piece, file)) > 0;)
        hash = hash_of(hash, piece, n);
    if (file)
        fclose(file);
    return hash;
}

static void compare_programs(void) {
    const char *set = tg_instruction_set();
    ranks_compare("program", hash_of_program());
    ranks_compare("instruction set (TG_ISA)", hash_of(nothing, set, strlen(set)));
}

static void compare_runs(const training *r) {
    const parallel *p = r->context;
    uint64_t numbers = hash_of(hash_of(nothing, &p->fast, sizeof p->fast), &p->block, sizeof p->block);
    for (int i = 0; i < r->n_numbers; i++)
        numbers = r->number[i].integer ? hash_of(numbers, r->number[i].integer, sizeof *r->number[i].integer)
                                       : hash_of(numbers, r->number[i].real, sizeof *r->number[i].real);
    numbers = hash_of(numbers, &r->s.steps, sizeof r->s.steps);
    numbers = hash_of(numbers, p->freeze ? p->freeze : "", p->freeze ? strlen(p->freeze) : 0);
    uint64_t data = tokens_mix((uint64_t)tokens_digest(&r->train)) + (uint64_t)tokens_digest(&r->held_out);
    ranks_compare(r->s.text ? "text" : "tokens", data);
    ranks_compare("set of options", numbers);
    ranks_compare("model", tg_fingerprint(tg_state(r->c.t)));
}

/* ---- the program ---- */

/* The files that only rank 0 has: their copies' names take the place of theirs. */
static void share_files(int argc, char **argv) {
    for (int i = 1; i + 1 < argc; i++)
        if (!strcmp(argv[i], "--resume") || !strcmp(argv[i], "--init"))
            ranks_share_file(&argv[++i]);
}

static training *begin(int argc, char **argv, parallel *p) {
    const option more[] = {{"--shards", INTEGER, &p->shards, 1, 1 << 20, false},
                           {"--block", NUMBER, &p->block, 0.001, 4096, false},
                           {"--fast", FLAG, &p->fast, 0, 0, false},
                           {"--freeze", WORD, &p->freeze, 0, 0, false},
                           {"--times", WORD, &p->times_path, 0, 0, false}};
    const tg_run_number number = {"shards", &p->shards, NULL};
    const command line = {argc, argv, help, more, (int)(sizeof more / sizeof *more), &number};
    compare_programs();
    share_files(argc, argv);
    training *r = training_new(&line);
    ranks_remove_copies();
    r->make_step = make_step;
    r->context = p;
    r->follows = all_ranks.rank > 0;
    check(r);
    compare_runs(r);
    tg_list trained = trained_parameters(r);
    broadcast_weights(r->c.t);
    p->x = exchange_new(trained, (int)p->shards / all_ranks.n, (size_t)(p->block * (1 << 20)), p->fast);
    p->times = times_new(p->times_path, p->x);
    return r;
}

int main(int argc, char **argv) {
    parallel p = {.shards = 4, .block = 25};
    output_begin();
    ranks_begin(&argc, &argv);
    if (all_ranks.rank == 0 && *tg_warning())
        fprintf(stderr, "gpt_mpi: %s\n", tg_warning());
    training *r = begin(argc, argv, &p);
    ranks_part();
    int status = training_run(r);
    times_write(p.times);
    must_flush();
    /* the others wait here while rank 0 measures and saves */
    MPI_Request request;
    MPI_Ibarrier(MPI_COMM_WORLD, &request);
    ranks_wait(&request);
    exchange_free(p.x);
    training_free(r);
    return status;
}
