/* The times of a step's parts on rank 0: medians over all steps but the first two, as lines of a name and numbers.
 */
#ifndef EXAMPLES_MPI_TIMES_H
#define EXAMPLES_MPI_TIMES_H

#include "examples/mpi/exchange.h"

typedef struct times times;

/* NULL, which the others take, when path is. */
times *times_new(const char *path, exchange *x);
void times_begin(times *s); /* of a step */
void times_end(times *s, const exchange *x);
/* Seconds:
 *   alpha S, beta S   a message of n numbers takes alpha + beta n
 *   step S
 *   before S          forward of the last shard, and the other shards of this rank
 *   backward S        of the last shard
 *   wait S            for messages, behind backward
 *   after S           clipping, optimizer
 *   hidden X          of the time of messages, the share that was not waited for
 *   block N R B E     numbers; since backward began: block ready, its messages begun, ended
 */
void times_write(times *s);

#endif
