/* Private: named tensors as safetensors files. safetensors.c reads and checks a header that is in memory, save.c and
 * load.c have the public functions, convert.c turns a file's numbers into a tape's, file.c is the system. */
#ifndef TAPEGRAD_SERIALIZE_H
#define TAPEGRAD_SERIALIZE_H

#include "core/engine.h"
#include "core/io/file.h"

/* ---- the format: core/io/safetensors.c ---- */

/* A header's own size limit, as in the reference implementation. */
enum { TG_ST_MAX_HEADER = 100000000, TG_ST_MAX_DEPTH = 128 };

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
    const char *name;
    uint64_t begin, end; /* bytes of the data that follows the header */
    uint32_t name_length;
    uint32_t shape_at; /* of '[' in the header */
    uint8_t dtype;     /* a tg_st_dtype */
} tg_st_entry;

typedef struct tg_st_problem {
    char text[240];
} tg_st_problem;

/* An upper bound of the entries in a header of n bytes: the shortest entry takes 49. */
static inline size_t tg_st_capacity(size_t n) { return n / 49 + 1; }

/* Parse and check a header of n bytes that is followed by data_size bytes of data. The header is changed (names).
 * Entries come sorted by name. */
bool tg_st_parse(char *header, size_t n, uint64_t data_size, tg_st_entry *entries, size_t *count,
                 tg_st_problem *problem);

const char *tg_st_dtype_name(unsigned dtype);
unsigned tg_st_dtype_bits(unsigned dtype);
tg_st_dtype tg_st_dtype_of(tg_dtype dtype); /* without conversion */
/* false when it has more than TG_MAX_DIMS dims or a size above INT64_MAX */
bool tg_st_shape(const char *header, const tg_st_entry *e, tg_shape *shape);
/* A name for a message: control bytes as '?', cut when long. */
tg_text tg_st_text(const char *name, size_t length);
int tg_st_compare(const char *a, size_t a_length, const char *b, size_t b_length);
bool tg_st_is_utf8(const char *s, size_t n);

/* ---- numbers: core/io/convert.c ---- */

/* Can such numbers of a file become a tensor's? */
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
    int ndim;
    tg_dtype dtype;
    tg_st_dtype file_dtype;   /* when saving */
    bool is_word;             /* a run's, see optim/run.c */
    const char *file_name;    /* when loading: its name there, NULL: its own; */
    const tg_load_rule *rule; /* how it lies there, NULL: as here; */
    const tg_st_entry *entry; /* what the file has for it, NULL: nothing */
    char *loaded;             /* the file's bytes */
} tg_stored;

typedef struct tg_items {
    tg_stored *item; /* from tg_block_get */
    size_t n, room;
} tg_items;

/* The tape's named tensors, and room for more; those of a list (n = 0: all), which `what` was asked to use. */
tg_status tg_items_all(tg_tape *t, size_t more, tg_items *list);
tg_status tg_items_begin(tg_tape *t, tg_list only, const char *what, tg_items *list);
void tg_items_end(tg_tape *t, tg_items *list);

tg_status tg_save_items(tg_tape *t, const char *path, tg_items *list, const tg_save_config *config);

typedef struct tg_loading {
    tg_tape *t;
    const char *path;
    const tg_load_config *config; /* NULL: all, by their own names */
    tg_open_file file;
    uint64_t data_at; /* the file's data begins at this byte */
    size_t header_size, n_entries;
    tg_st_entry *entries; /* one block, with the header behind them */
    char *header;
    char *data;  /* what was read */
    char *names; /* in the file, of tensors that have others there */
    size_t data_size, names_size;
} tg_loading;

/* In this order, tg_load_end in any case: read and check the header; find an entry for each item (which sorts them);
 * read their bytes; and, when nothing can fail any more, put them into memory. */
bool tg_load_has(const tg_loading *l, const char *name);
tg_status tg_load_begin(tg_loading *l, tg_tape *t, const char *path);
tg_status tg_load_match(tg_loading *l, tg_items *list, bool reserved_too);
tg_status tg_load_read(tg_loading *l, tg_items *list);
void tg_load_item(const tg_stored *x);
void tg_load_end(tg_loading *l);
/* core/io/rename.c: the items' names in the file by the config's rules; the shape that x has there, false: there can be
 * none; its numbers from there. */
tg_status tg_load_rename(tg_loading *l, tg_items *list);
bool tg_rule_shape(const tg_stored *x, tg_shape *shape);
void tg_rule_convert(const tg_stored *x);
/* "load: PATH: what; nothing was changed" */
tg_status tg_load_failed(const tg_loading *l, tg_status status, const char *format, ...) TG_PRINTF(3, 4);

#endif
