/* Private: named tensors as safetensors files. safetensors.c reads and checks a header that is in memory, save.c and
 * load.c have the public functions, shards.c opens what is loaded, convert.c turns a file's numbers into a tape's,
 * file.c is the system. */
#ifndef TAPEGRAD_SERIALIZE_H
#define TAPEGRAD_SERIALIZE_H

#include "core/engine.h"
#include "core/io/json.h"
#include "core/platform/platform.h"

/* ---- the format: core/io/safetensors.c ---- */

/* A header's own size limit, as in the reference implementation. */
enum { TG_ST_MAX_HEADER = 100000000 };

/* The format's types in its order: those with larger elements come last, and first in a file. */
typedef enum {
    TG_ST_BOOL,
    TG_ST_F4,
    TG_ST_F6_E2M3,
    TG_ST_F6_E3M2,
    TG_ST_U8,
    TG_ST_I8,
    TG_ST_F8_E5M2,
    TG_ST_F8_E4M3,
    TG_ST_F8_E8M0,
    TG_ST_F8_E4M3FNUZ,
    TG_ST_F8_E5M2FNUZ,
    TG_ST_I16,
    TG_ST_U16,
    TG_ST_F16,
    TG_ST_BF16,
    TG_ST_I32,
    TG_ST_U32,
    TG_ST_F32,
    TG_ST_C64,
    TG_ST_F64,
    TG_ST_I64,
    TG_ST_U64,
    TG_ST_DTYPES
} tg_st_dtype;

/* One tensor of a file. name points into the header, where its escapes have been resolved; it is not terminated. */
typedef struct tg_st_entry {
    char *name;
    const char *shape;   /* its '[' in the header */
    uint64_t begin, end; /* bytes of the data that follows the header */
    uint32_t name_length;
    uint16_t shard; /* of a model in several files */
    uint8_t dtype;  /* a tg_st_dtype */
} tg_st_entry;

/* An upper bound of the entries in a header of n bytes: the shortest entry takes 49. */
static inline size_t tg_st_capacity(size_t n) { return n / 49 + 1; }

/* Parse and check a header of n bytes that is followed by data_size bytes of data. The header is changed (names).
 * Entries come sorted by name. */
bool tg_st_parse(char *header, size_t n, uint64_t data_size, tg_st_entry *entries, size_t *count,
                 tg_json_problem *problem);

const char *tg_st_dtype_name(unsigned dtype);
unsigned tg_st_dtype_bits(unsigned dtype);
tg_st_dtype tg_st_dtype_of(tg_dtype dtype); /* without conversion */
/* false when it has more than TG_MAX_DIMS dims or a size above INT64_MAX */
bool tg_st_shape(const tg_st_entry *e, tg_shape *shape);
/* A name for a message: control bytes as '?', cut when long. */
tg_text tg_st_text(const char *name, size_t length);
int tg_st_compare(const char *a, size_t a_length, const char *b, size_t b_length);

/* ---- numbers: core/io/convert.c ---- */

/* True when such numbers of a file can become a tensor's. */
bool tg_convert_fits(tg_dtype dtype, tg_st_dtype file);
/* n numbers, each of so many bytes, from the machine's byte order to the file's, which is little-endian, or back. */
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
enum { TG_ST_SWAPS = 1 };
#else
enum { TG_ST_SWAPS = 0 };
#endif
void tg_swap_bytes(void *numbers, size_t bytes, int64_t n); /* when TG_ST_SWAPS */
/* n numbers from a file's bytes, and to a file's bytes. */
void tg_convert_in(void *to, tg_dtype dtype, const char *from, tg_st_dtype file, int64_t n);
void tg_convert_out(char *to, tg_st_dtype file, const void *from, tg_dtype dtype, int64_t n);
/* Where the first finite number is that either would make infinite; n: nowhere. value gets it. */
int64_t tg_find_unrepresentable_in(tg_dtype dtype, const char *from, tg_st_dtype file, int64_t n, double *value);
int64_t tg_find_unrepresentable_out(tg_st_dtype file, const void *from, tg_dtype dtype, int64_t n, double *value);

/* ---- what is saved and loaded: core/io/save.c, core/io/load.c ---- */

/* Names that begin so are not of a tape: what else a run is made of, see optim/run.c. */
#define TG_RESERVED_NAME "tapegrad."
#define TG_RUN_MARK TG_RESERVED_NAME "run" /* a file that has it holds a run */

/* Numbers in memory under a name: a named tensor of the tape, or others beside. */
typedef struct tg_stored {
    const char *name;
    void *data;    /* row-major */
    tg_node *node; /* NULL: no tensor of the tape */
    int64_t numel;
    const int64_t *size;
    int64_t rows; /* of a piece of the tape's tensor: the first size; 0: all of it */
    int ndim;
    tg_dtype dtype;
    tg_st_dtype file_dtype;   /* when saving */
    bool is_word;             /* a run's, see optim/run.c */
    const char *file_name;    /* its name there, NULL: its own */
    const tg_file_rule *rule; /* how it lies there, NULL: as here */
    const tg_st_entry *entry; /* when loading: what the file has for it, NULL: nothing; */
    char *loaded;             /* the file's bytes */
} tg_stored;

typedef struct tg_items {
    tg_stored *item; /* from tg_block_get */
    char *names;     /* in the file, of items that have others there */
    size_t n, room, names_size;
} tg_items;

static inline tg_shape tg_stored_shape(const tg_stored *x) {
    tg_shape shape = {.ndim = x->ndim};
    for (int i = 0; i < x->ndim; i++)
        shape.size[i] = i == 0 && x->rows ? x->rows : x->size[i];
    return shape;
}

static inline const char *tg_item_name(const tg_stored *x) { return x->file_name ? x->file_name : x->name; }

/* The tape's named tensors, and room for more; those of a list (n = 0: all), which `what` was asked to use. */
tg_status tg_items_all(tg_tape *t, size_t more, tg_items *list);
tg_status tg_items_begin(tg_tape *t, tg_list only, const char *what, tg_items *list);
void tg_items_end(tg_tape *t, tg_items *list);
/* A weight that has its adapter merged and is in the list with the adapter; any: of which either is. NULL: none. */
const tg_node *tg_items_merged(const tg_tape *t, const tg_items *list, bool any);

tg_status tg_save_items(tg_tape *t, const char *name, const char *path, tg_items *list, const tg_save_config *config);

/* A file with tensors. */
typedef struct tg_shard {
    const char *path;
    tg_open_file file;
    uint64_t data_at; /* the data begins at this byte */
    size_t header_size, n_entries;
    tg_st_entry *entries; /* one block, with the header behind them */
    char *header;
} tg_shard;

typedef struct tg_loading {
    tg_tape *t;
    const char *name, *path;      /* name: whose errors they are, "load" */
    const tg_load_config *config; /* NULL: all, by their own names */
    tg_shard one, *shard;         /* the file; itself, or those that it names, with their paths behind them */
    tg_st_entry *entries;         /* the file's, or those of the index; sorted by name */
    char *data;                   /* what was read */
    size_t n_shards, n_entries, shards_size, entries_size, data_size; /* sizes: of blocks */
} tg_loading;

/* In this order, tg_load_end in any case: read and check the header; find an entry for each item (which sorts them);
 * read their bytes; and, when nothing can fail any more, put them into memory. */
bool tg_load_has(const tg_loading *l, const char *name);
tg_status tg_load_begin(tg_loading *l, tg_tape *t, const char *name, const char *path);
tg_status tg_load_match(tg_loading *l, tg_items *list, bool reserved_too);
tg_status tg_load_read(tg_loading *l, tg_items *list);
void tg_load_item(const tg_stored *x);
void tg_load_end(tg_loading *l);
/* core/io/rename.c: the items' names in the file by these rules; the shape that x has there, with all its parts, false:
 * there can be none; its numbers from there; the n numbers from number `from` on of the transposed matrix there, of x
 * and its other parts behind it. */
tg_status tg_items_rename(tg_tape *t, const char *what, const char *path, const tg_file_rule *rule, int n,
                          tg_items *list);
bool tg_rule_shape(const tg_stored *x, tg_shape *shape);
void tg_rule_convert(const tg_stored *x);
void tg_rule_gather(const tg_stored *x, int64_t from, int64_t n, void *to);
/* Of how many such tensors the file's consists, and the number of this one. */
static inline int tg_rule_parts(const tg_stored *x) { return x->rule && x->rule->parts > 0 ? x->rule->parts : 1; }
static inline int tg_rule_part(const tg_stored *x) { return x->rule && x->rule->parts > 0 ? x->rule->part : 0; }
/* core/io/shards.c, with tg_load_begin and tg_load_end: n bytes of a file; "NAME: PATH: what; nothing was changed" */
tg_status tg_load_bytes(tg_loading *l, tg_shard *s, void *to, size_t n, uint64_t at);
tg_status tg_load_failed(const tg_loading *l, tg_status status, const char *format, ...) TG_PRINTF(3, 4);

#endif
