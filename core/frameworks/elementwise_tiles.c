/* Reading operands tile by tile: see core/frameworks/elementwise.h. */
#include "core/frameworks/elementwise.h"

#include <stdlib.h>

#ifdef real

void FN(tg_reader_begin)(tg_reader *r, const tg_walked *w) {
    r->w = w;
    for (int i = 0; i < TG_ROW_INPUTS; i++) {
        r->x[i] = NULL;
        r->has[i].at = r->has[i].rows = r->has[i].columns = 0;
    }
}

/* Operands broadcast along the rows are gathered once, and no operand is gathered twice for a tile. */
static void FN(gather_input)(tg_reader *r, int i, const tg_tile *t) {
    int array = r->w->array[i];
    int64_t stride[] = {tg_row_stride(t->tiles, array), tg_column_stride(t->tiles, array)};
    int64_t rows = stride[0] || t->tiles->joined ? t->rows : 1;
    r->x[i] = r->chunk[i];
    r->step[i] = rows > 1 ? t->columns : 0;
    if (r->has[i].at == t->at[array] && r->has[i].rows == rows && r->has[i].columns == t->columns)
        return;
    r->has[i].at = t->at[array];
    r->has[i].rows = rows;
    r->has[i].columns = t->columns;
    FN(tg_tile_gather)(r->w->y->in[i], t->at[array], stride, rows, t->columns, r->chunk[i]);
}

void FN(tg_read_tile)(tg_reader *r, const tg_tile *t) {
    const tg_walked *w = r->w;
    for (int i = 0; i < w->y->n_in; i++) {
        const tg_node *x = w->y->in[i];
        if (w->array[i] < 0)
            continue;
        if (x->dtype != REAL_DTYPE || !tg_lies_in_runs(&w->tiles, w->array[i])) {
            FN(gather_input)(r, i, t);
            continue;
        }
        r->x[i] = (const real *)x->data + t->at[w->array[i]];
        r->step[i] = tg_row_stride(&w->tiles, w->array[i]);
    }
}

#else
#define TG_SELF "frameworks/elementwise_tiles.c"
#include "core/twice.h"

enum { FEWEST = 4 }; /* the shortest dim that is worth a tile */

void tg_share_elements(const tg_node *y, int64_t n, tg_range_task *task, void *context) {
    if (y->numel >= 2 * TG_ROW_SHARE)
        tg_parallel_range(n, TG_ROW_SHARE / (y->numel / n), task, context);
    else
        task(context, 0, n);
}

void tg_walked_begin(tg_walked *w, const tg_node *y, uint8_t reads) {
    int64_t stride[TG_MAX_DIMS];
    w->y = y;
    tg_tiles_begin(&w->tiles, y->ndim, y->size);
    w->result = tg_tiles_add(&w->tiles, y->stride);
    for (int i = 0; i < y->n_in; i++) {
        w->array[i] = -1;
        if (!(reads & TG_IN(i)))
            continue;
        tg_broadcast_strides(y->in[i], y->in[i]->stride, y->ndim, y->size, stride);
        w->array[i] = tg_tiles_add(&w->tiles, stride);
    }
}

int tg_crossing_dim(const tg_node *x) {
    int last = x->ndim - 1;
    for (int i = 0; i < last && llabs(x->stride[last]) > 1 && x->size[last] >= FEWEST; i++)
        if (x->stride[i] == 1 && x->size[i] >= FEWEST)
            return i;
    return -1;
}

void tg_put_last(int ndim, int dim, const int64_t *from, int64_t *to) {
    for (int i = 0, n = 0; i < ndim; i++)
        to[i == dim ? ndim - 1 : n++] = from[i];
}

bool tg_walk_as_input(tg_walked *w, const tg_node *y) {
    const tg_node *x = y->in[0];
    int64_t dims[TG_MAX_DIMS];
    int dim = y->n_in == 1 && x->dtype == y->dtype && y->dtype != TG_BOOL ? tg_crossing_dim(x) : -1;
    if (dim < 0)
        return false;
    w->y = y;
    tg_put_last(y->ndim, dim, y->size, dims);
    tg_tiles_begin(&w->tiles, y->ndim, dims);
    tg_put_last(y->ndim, dim, x->stride, dims);
    w->array[0] = tg_tiles_add(&w->tiles, dims);
    tg_put_last(y->ndim, dim, y->stride, dims);
    w->result = tg_tiles_add(&w->tiles, dims);
    return true;
}

#endif
