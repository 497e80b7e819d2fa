/* Gradients of many shards, here and in other ranks, added up in one order whatever the number of ranks: along a binary
 * tree over the shards,
 *
 *     (((0 + 1) + (2 + 3)) + ((4 + 5) + (6 + 7)))
 *
 * of which each rank computes a subtree, alone, and then meets the others by recursive doubling: with the neighbour,
 * with who is 2 away, 4 away, ... Both add the same two numbers, so all ranks end with the same bits. A block of
 * gradients is sent by a thread as soon as backward has finished it, while backward goes on. */
#ifndef EXAMPLES_MPI_EXCHANGE_H
#define EXAMPLES_MPI_EXCHANGE_H

#include "core/tapegrad.h"

typedef struct exchange exchange;

/* For float parameters. shards: of this rank, a power of two. bytes: of a block, at most; the first, which can be sent
 * when backward has only begun, at most 1 MiB. fast: one MPI_Iallreduce a block instead, whose order is MPI's. */
exchange *exchange_new(tg_list parameters, int shards, size_t bytes, bool fast);
void exchange_free(exchange *x);

/* The next backward is that of this one of the rank's shards, from 0, each after the other. */
void exchange_shard(exchange *x, int shard);
/* After the last one: gradients are the sums, when this returns. */
void exchange_wait(exchange *x);

/* Seconds, in the step that was last waited for, since exchange_shard of the last shard: when backward had finished a
 * block, when its messages began and ended; when exchange_wait was called, and returned. */
typedef struct exchange_times {
    int64_t n; /* of the block */
    double ready, begin, end;
} exchange_times;
int exchange_blocks(const exchange *x);
exchange_times exchange_block_times(const exchange *x, int block);
void exchange_wait_times(const exchange *x, double *begin, double *end);
/* A message of n numbers and its addition take alpha + beta n seconds. 0 when there is one rank; between two steps. */
void exchange_measure(exchange *x, double *alpha, double *beta);
double exchange_median(double *numbers, int64_t n); /* it sorts them */
double exchange_start(const exchange *x);           /* exchange_shard of the last shard, by exchange_now */
double exchange_now(void);                          /* the clock, in seconds */

#endif
