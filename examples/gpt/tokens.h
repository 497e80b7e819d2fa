/* Token ids to learn from: in memory, or in files larger than it. */
#ifndef EXAMPLES_GPT_TOKENS_H
#define EXAMPLES_GPT_TOKENS_H

#include "examples/gpt/model.h"

/* One file of ids, little-endian, whatever stands before them:
 *   nanoGPT's train.bin   ids alone; their width is the caller's to know
 *   llm.c's shards        256 int32: 20240520, 1, how many ids; then uint16. Or 20240801, 7 and uint32
 *   NumPy's .npy          1, 2, 4 or 8 bytes each */
typedef struct shard {
    char *path;
    int fd, width; /* bytes of an id */
    int64_t data_at, n;
} shard;

typedef struct tokens {
    int64_t first, n; /* these of all there are */
    int32_t *id;      /* in memory, or else */
    shard *shard;     /* in these, one after another */
    int n_shards;
    bool shared;        /* id and shard are another's */
    int64_t vocabulary; /* of shards: ids are below */
} tokens;

/* A file, or all files of a folder in the order of their names; width: of ids that nothing tells the width of. The
 * files stay open. One that cannot be read ends the program. */
tokens tokens_open(const char *path, int width, int64_t vocabulary);
/* The part of d from position `at` on; it shares d's memory and files. */
tokens tokens_from(const tokens *d, int64_t at);
void tokens_free(tokens *d);

/* n of them from position `at` on. */
void tokens_read(const tokens *d, int64_t at, int64_t n, int64_t *out);

/* Other tokens, another number: of a text all count; of files, which may be larger than memory, how many there are, the
 * first and the last of them. */
int64_t tokens_digest(const tokens *d);

/* Window number i of those that a seed puts into random order, each once, before it puts them all into another order:
 * where it begins. There are (n - 1) / T of them, without overlap. */
int64_t tokens_shuffled(const tokens *d, int64_t T, uint64_t seed, int64_t i);
/* A number as little like x as a random one, and another for each x. */
uint64_t tokens_mix(uint64_t x);

/* To a file: as .npy when its name ends so, else with llm.c's header or without one. ids are below the vocabulary,
 * whose size decides how many bytes each takes: 2 or 4. */
void tokens_write(const char *path, const int32_t *ids, int64_t n, int64_t vocabulary, bool header);

/* Mean loss in nats of the first `windows` windows of T tokens, one after another, each token predicted from those
 * before it in its window; windows < 0: all there are. *count (may be NULL): how many tokens were predicted. */
double tokens_loss(const gpt *g, const tokens *d, int64_t T, int64_t windows, int64_t *count);

#endif
