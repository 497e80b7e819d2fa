/* The processes of a run: beginning together, failing together, noticing that one has died. */
#ifndef EXAMPLES_MPI_RANKS_H
#define EXAMPLES_MPI_RANKS_H

#include <mpi.h>
#include <stdint.h>

/* This process, and how many there are. */
typedef struct ranks {
    int rank, n;
} ranks;
extern ranks all_ranks;

/* Before anything else. Forks a process that watches this one: when this one is killed, it prints a line that names the
 * rank and ends as well, so that mpirun ends the others. When the watching process is killed, this one does the same.
 * Output of ranks other than 0 to stdout is dropped. */
void ranks_begin(int *argc, char ***argv);

/* Until ranks_part, all ranks do the same and meet at ranks_agree: there the program ends if one of them failed (die,
 * usage), and the lowest that did says why. Afterwards each goes its own way: who fails says so and ends, and the
 * others with it. */
void ranks_agree(void);
void ranks_part(void);
/* They end unless x is what rank 0 has; what: the name of it. Like all below but ranks_wait, it begins with agreeing.
 */
void ranks_compare(const char *what, uint64_t x);

/* Wait, without taking the processor from who computes. */
void ranks_wait(MPI_Request *request);
/* From rank 0 to all. */
void ranks_broadcast(void *data, int n, MPI_Datatype type);
/* A file that rank 0 alone can read: the others get a copy, whose name takes the place of *path. Two at most. */
void ranks_share_file(char **path);
void ranks_remove_copies(void);

#endif
