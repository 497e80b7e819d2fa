/* Token ids for training: in memory, or in files larger than memory. */
#ifndef EXAMPLES_GPT_TOKENS_H
#define EXAMPLES_GPT_TOKENS_H

#include "examples/gpt/model.h"

/* One file of ids, little-endian, in one of these formats:
 *   nanoGPT's train.bin   ids alone; their width is the caller's to know
 *   llm.c's shards        256 int32: 20240520, 1, how many ids; then uint16. Or 20240801, 7 and uint32
 *   NumPy's .npy          1, 2, 4 or 8 bytes each */
typedef struct shard {
    char *path;
    int fd, width; /* bytes of an id */
    int64_t data_at, n;
} shard;

typedef struct tokens {
    int64_t first, n; /* this range of all ids */
    int32_t *id;      /* in memory, or */
    shard *shard;     /* in these, concatenated */
    int n_shards;
    bool shared;        /* id and shard belong to other tokens */
    int64_t vocabulary; /* of shards: ids are below it */
} tokens;

/* Opens a file, or all files of a folder in the order of their names; width: bytes of an id in files that do not say.
 * The files stay open. Ends the program on failure. */
tokens tokens_open(const char *path, int width, int64_t vocabulary);
/* The part of d from position `at` on; it shares d's memory and files. */
tokens tokens_from(const tokens *d, int64_t at);
void tokens_free(tokens *d);

/* Reads n ids from position `at` on. */
void tokens_read(const tokens *d, int64_t at, int64_t n, int64_t *out);

/* A hash: of all tokens of a text; for files, which may be larger than memory, of their number, the first and the last
 * tokens. */
int64_t tokens_digest(const tokens *d);

/* The start of window number i, with the windows in a random order that the seed determines, a new one for each epoch.
 * There are (n - 1) / T windows, without overlap. */
int64_t tokens_shuffled(const tokens *d, int64_t T, uint64_t seed, int64_t i);
/* A bijective mix of the bits of x. */
uint64_t tokens_mix(uint64_t x);

/* Writes a file: .npy if its name ends so, else with or without llm.c's header. ids are below the vocabulary, whose
 * size determines their width: 2 or 4 bytes. */
void tokens_write(const char *path, const int32_t *ids, int64_t n, int64_t vocabulary, bool header);

/* Mean loss in nats of the first `windows` consecutive windows of T tokens, each token predicted from those before it
 * in its window; windows < 0: all. *count (may be NULL): the number of predicted tokens. */
double tokens_loss(const gpt *g, const tokens *d, int64_t T, int64_t windows, int64_t *count);

#endif
