#include "core/walk.h"

void tg_walk_begin(tg_walk *w, int ndim, const int64_t *size, const int64_t *stride) {
    w->ndim = 0;
    w->offset = 0;
    for (int i = 0; i < ndim; i++) {
        if (size[i] == 1)
            continue;
        int last = w->ndim - 1;
        if (w->ndim && w->stride[last] == stride[i] * size[i]) {
            w->size[last] *= size[i];
            w->stride[last] = stride[i];
            continue;
        }
        w->size[w->ndim] = size[i];
        w->stride[w->ndim] = stride[i];
        w->at[w->ndim++] = 0;
    }
    if (!w->ndim) {
        w->ndim = 1;
        w->size[0] = 1;
        w->stride[0] = 1;
        w->at[0] = 0;
    }
}

void tg_walk_seek(tg_walk *w, int64_t n) {
    for (int d = w->ndim - 1; d >= 0 && n; d--) {
        w->at[d] = d ? n % w->size[d] : n;
        w->offset += w->at[d] * w->stride[d];
        n /= w->size[d];
    }
}

int64_t tg_walk_run(const tg_walk *w) { return w->size[w->ndim - 1] - w->at[w->ndim - 1]; }

void tg_walk_next(tg_walk *w, int64_t n) {
    int d = w->ndim - 1;
    w->at[d] += n;
    w->offset += n * w->stride[d];
    while (d > 0 && w->at[d] == w->size[d]) {
        w->offset -= w->size[d] * w->stride[d];
        w->at[d--] = 0;
        w->at[d]++;
        w->offset += w->stride[d];
    }
}
