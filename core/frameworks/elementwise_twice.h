/* A reader of tiles for one type: part of core/frameworks/elementwise.h.
 *
 * The inputs' elements of a tile: the first one, and the distance of runs. `has`: the tile gathered last. */
typedef struct tg_reader {
    const tg_walked *w;
    const real *x[TG_ROW_INPUTS];
    int64_t step[TG_ROW_INPUTS];
    struct {
        ptrdiff_t at;
        int64_t rows, columns;
    } has[TG_ROW_INPUTS];
    _Alignas(TG_CACHE_LINE) real chunk[TG_ROW_INPUTS][TG_ROW_TILE_BYTES / sizeof(real)];
} tg_reader;

void FN(tg_reader_begin)(tg_reader *r, const tg_walked *w);
void FN(tg_read_tile)(tg_reader *r, const tg_tile *t);

/* The inputs' elements of run k; NULL for those that are not read. */
static inline void FN(tg_read_run)(const tg_reader *r, int64_t k, const real **x) {
    for (int i = 0; i < r->w->y->n_in; i++)
        x[i] = r->x[i] ? r->x[i] + k * r->step[i] : NULL;
}
