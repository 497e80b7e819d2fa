/* Walks a strided tensor in row-major order, a run along its last dim at a time, after merging contiguous dims. */
#ifndef TAPEGRAD_WALK_H
#define TAPEGRAD_WALK_H

#include "core/tapegrad.h"

typedef struct tg_walk {
    int ndim;
    int64_t size[TG_MAX_DIMS], stride[TG_MAX_DIMS], at[TG_MAX_DIMS];
    ptrdiff_t offset;
} tg_walk;
void tg_walk_begin(tg_walk *w, int ndim, const int64_t *size, const int64_t *stride);
/* Move to element n, from 0. */
void tg_walk_seek(tg_walk *w, int64_t n);
/* The elements left in the current run; advance by n of them, at most these. */
int64_t tg_walk_run(const tg_walk *w);
void tg_walk_next(tg_walk *w, int64_t n);

#endif
