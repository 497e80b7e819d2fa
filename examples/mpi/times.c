#include "examples/mpi/times.h"
#include "examples/gpt/gpt.h"
#include "examples/mpi/ranks.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { SKIPPED = 2 };
typedef enum { STEP, BEFORE, BACKWARD, WAIT, AFTER, HIDDEN, N_PARTS } part;
static const char *const part_names[N_PARTS] = {"step", "before", "backward", "wait", "after", "hidden"};

struct times {
    const char *path;
    double alpha, beta, began;
    int n_blocks, width; /* numbers of a step */
    int64_t steps;
    int64_t *block;
    double *number; /* (steps, width) */
};

times *times_new(const char *path, exchange *x) {
    double alpha, beta;
    if (!path)
        return NULL;
    ranks_agree();
    exchange_measure(x, &alpha, &beta); /* by all */
    if (all_ranks.rank > 0)
        return NULL;
    times *s = must_allocate(1, sizeof *s);
    *s = (times){.path = path, .alpha = alpha, .beta = beta};
    return s;
}

void times_begin(times *s) {
    if (s)
        s->began = exchange_now();
}

void times_end(times *s, const exchange *x) {
    if (!s)
        return;
    s->n_blocks = exchange_blocks(x);
    s->width = N_PARTS + 3 * s->n_blocks;
    if (!s->block)
        s->block = must_allocate((size_t)s->n_blocks, sizeof *s->block);
    s->number = realloc(s->number, (size_t)(s->steps + 1) * (size_t)s->width * sizeof *s->number);
    if (!s->number)
        die("out of memory");
    double *row = s->number + s->steps++ * s->width, sent = 0, backward, waited;
    for (int i = 0; i < s->n_blocks; i++) {
        exchange_times b = exchange_block_times(x, i);
        double *to = row + N_PARTS + 3 * i;
        s->block[i] = b.n;
        to[0] = b.ready, to[1] = b.begin, to[2] = b.end;
        sent += b.end - b.begin;
    }
    exchange_wait_times(x, &backward, &waited);
    row[STEP] = exchange_now() - s->began;
    row[BEFORE] = exchange_start(x) - s->began;
    row[BACKWARD] = backward;
    row[WAIT] = waited - backward;
    row[AFTER] = row[STEP] - row[BEFORE] - waited;
    row[HIDDEN] = sent > 0 ? 1 - row[WAIT] / sent : 1;
}

static double median(const times *s, int column) {
    int64_t n = s->steps - SKIPPED;
    double *sorted = must_allocate((size_t)n, sizeof *sorted);
    for (int64_t i = 0; i < n; i++)
        sorted[i] = s->number[(SKIPPED + i) * s->width + column];
    double middle = exchange_median(sorted, n);
    free(sorted);
    return middle;
}

void times_write(times *s) {
    if (!s)
        return;
    if (s->steps <= SKIPPED)
        die("--times wants more than %d steps", SKIPPED);
    FILE *file = fopen(s->path, "w");
    if (!file)
        die("%s: %s", s->path, strerror(errno));
    fprintf(file, "alpha %.9g\nbeta %.9g\n", s->alpha, s->beta);
    for (int i = 0; i < N_PARTS; i++)
        fprintf(file, "%s %.6f\n", part_names[i], median(s, i));
    for (int i = 0; i < s->n_blocks; i++)
        fprintf(file, "block %lld %.6f %.6f %.6f\n", (long long)s->block[i], median(s, N_PARTS + 3 * i),
                median(s, N_PARTS + 3 * i + 1), median(s, N_PARTS + 3 * i + 2));
    if (fclose(file))
        die("%s: %s", s->path, strerror(errno));
    free(s->block);
    free(s->number);
    free(s);
}
