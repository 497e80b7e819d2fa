/* Private: named tensors as safetensors files. safetensors.c parses and checks a header in memory, save.c and load.c
 * have the public functions, shards.c opens the files to load, convert.c converts numbers, rename.c handles names and
 * layouts of other programs; core/platform/ has the system calls. */
#ifndef TAPEGRAD_SERIALIZE_H
#define TAPEGRAD_SERIALIZE_H

#include "core/engine.h"
#include "core/io/json.h"
#include "core/platform/platform.h"

/* ---- the format: core/io/safetensors.c ---- */

/* The size limit of a header, as in the reference implementation. */
enum { TG_ST_MAX_HEADER = 100000000 };

/* The format's types in its order: larger elements come later here, and first in a file. */
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

/* One tensor of a file. name points into the header, unescaped and not terminated. */
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

/* Parse and check a header of n bytes that is followed by data_size bytes of data. Names are unescaped in the header.
 * Entries are sorted by name. */
bool tg_st_parse(char *header, size_t n, uint64_t data_size, tg_st_entry *entries, size_t *count,
                 tg_json_problem *problem);

const char *tg_st_dtype_name(unsigned dtype);
unsigned tg_st_dtype_bits(unsigned dtype);
tg_st_dtype tg_st_dtype_of(tg_dtype dtype); /* without conversion */
/* False for more than TG_MAX_DIMS dims or a size above INT64_MAX. */
bool tg_st_shape(const tg_st_entry *e, tg_shape *shape);
/* A name for a message: control bytes as '?', cut when long. */
tg_text tg_st_text(const char *name, size_t length);
int tg_st_compare(const char *a, size_t a_length, const char *b, size_t b_length);

/* ---- numbers: core/io/convert.c ---- */

/* True when numbers of this type in a file convert to the dtype. */
bool tg_convert_fits(tg_dtype dtype, tg_st_dtype file);
/* n numbers of `bytes` bytes each, from the machine's byte order to the file's little-endian order, or back. */
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
enum { TG_ST_SWAPS = 1 };
#else
enum { TG_ST_SWAPS = 0 };
#endif
void tg_swap_bytes(void *numbers, size_t bytes, int64_t n); /* when TG_ST_SWAPS */
/* n numbers from a file's type, and to it. */
void tg_convert_in(void *to, tg_dtype dtype, const char *from, tg_st_dtype file, int64_t n);
void tg_convert_out(char *to, tg_st_dtype file, const void *from, tg_dtype dtype, int64_t n);
/* The index of the first finite number that would become infinite, and its value; n if there is none. */
int64_t tg_find_unrepresentable_in(tg_dtype dtype, const char *from, tg_st_dtype file, int64_t n, double *value);
int64_t tg_find_unrepresentable_out(tg_st_dtype file, const void *from, tg_dtype dtype, int64_t n, double *value);

/* ---- saving and loading: core/io/save.c, core/io/load.c ---- */

/* Names with this prefix are not the tape's: they hold a run's other state, see optim/run.c. */
#define TG_RESERVED_NAME "tapegrad."
#define TG_RUN_MARK TG_RESERVED_NAME "run" /* a file that has it holds a run */

/* Numbers in memory under a name: a named tensor of the tape, or state of a run. */
typedef struct tg_stored {
    const char *name;
    void *data;    /* row-major */
    tg_node *node; /* NULL: no tensor of the tape */
    int64_t numel;
    const int64_t *size;
    int64_t rows; /* the first size of a piece of the tape's tensor; 0: it is whole */
    int ndim;
    tg_dtype dtype;
    tg_st_dtype file_dtype;   /* when saving */
    bool is_word;             /* of a run's state: see optim/run.c */
    const char *file_name;    /* its name in the file; NULL: the same */
    const tg_file_rule *rule; /* its layout in the file; NULL: the same */
    const tg_st_entry *entry; /* when loading: its entry in the file; NULL: none */
    char *loaded;             /* the file's bytes */
} tg_stored;

typedef struct tg_items {
    tg_stored *item; /* from tg_block_get */
    char *names;     /* the items' names in the file, where they differ */
    size_t n, room, names_size;
} tg_items;

static inline tg_shape tg_stored_shape(const tg_stored *x) {
    tg_shape shape = {.ndim = x->ndim};
    for (int i = 0; i < x->ndim; i++)
        shape.size[i] = i == 0 && x->rows ? x->rows : x->size[i];
    return shape;
}

static inline const char *tg_item_name(const tg_stored *x) { return x->file_name ? x->file_name : x->name; }

/* The tape's named tensors, with space for `more` items; those of a list (n = 0: all), with `what` in errors. */
tg_status tg_items_all(tg_tape *t, size_t more, tg_items *list);
tg_status tg_items_begin(tg_tape *t, tg_list only, const char *what, tg_items *list);
void tg_items_end(tg_tape *t, tg_items *list);
/* The first weight with a merged adapter that is in the list together with its A or B (any: of which one of the three
 * is in the list), or NULL. */
const tg_node *tg_items_merged(const tg_tape *t, const tg_items *list, bool any);

tg_status tg_save_items(tg_tape *t, const char *name, const char *path, tg_items *list, const tg_save_config *config);

/* A file of tensors. */
typedef struct tg_shard {
    const char *path;
    tg_open_file file;
    uint64_t data_at; /* the offset of the data */
    size_t header_size, n_entries;
    tg_st_entry *entries; /* one block, followed by the header */
    char *header;
} tg_shard;

typedef struct tg_loading {
    tg_tape *t;
    const char *name, *path;      /* name: the prefix of errors, "load" */
    const tg_load_config *config; /* NULL: all, by their own names */
    tg_shard one, *shard;         /* one: the file. shard: itself, or the files of the index, followed by their paths */
    tg_st_entry *entries;         /* the file's, or those of the index; sorted by name */
    char *data;                   /* the bytes read */
    size_t n_shards, n_entries, shards_size, entries_size, data_size; /* sizes: of blocks */
} tg_loading;

/* Called in this order, tg_load_end in any case. begin: reads and checks the header. match: finds an entry for each
 * item, and sorts the items. read: reads their bytes. item: writes one to the tape, and cannot fail. */
bool tg_load_has(const tg_loading *l, const char *name);
tg_status tg_load_begin(tg_loading *l, tg_tape *t, const char *name, const char *path);
tg_status tg_load_match(tg_loading *l, tg_items *list, bool reserved_too);
tg_status tg_load_read(tg_loading *l, tg_items *list);
void tg_load_item(const tg_stored *x);
void tg_load_end(tg_loading *l);
/* core/io/rename.c. rename: sets the items' names in the file by these rules. shape: that of the file's tensor, x with
 * its other parts; false when they do not fit. convert: x's numbers from the file's. gather: n numbers of the file's
 * transposed matrix, from number `from` on, from x and the parts that follow it. */
tg_status tg_items_rename(tg_tape *t, const char *what, const char *path, const tg_file_rule *rule, int n,
                          tg_items *list);
bool tg_rule_shape(const tg_stored *x, tg_shape *shape);
void tg_rule_convert(const tg_stored *x);
void tg_rule_gather(const tg_stored *x, int64_t from, int64_t n, void *to);
/* The number of tape tensors in the file's tensor, and x's index among them. */
static inline int tg_rule_parts(const tg_stored *x) { return x->rule && x->rule->parts > 0 ? x->rule->parts : 1; }
static inline int tg_rule_part(const tg_stored *x) { return x->rule && x->rule->parts > 0 ? x->rule->part : 0; }
/* core/io/shards.c, with tg_load_begin and tg_load_end: read n bytes of a file; fail with "NAME: PATH: ...; nothing was
 * changed" */
tg_status tg_load_bytes(tg_loading *l, tg_shard *s, void *to, size_t n, uint64_t at);
tg_status tg_load_failed(const tg_loading *l, tg_status status, const char *format, ...) TG_PRINTF(3, 4);

#endif
