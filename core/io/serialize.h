/* Private: the safetensors format. core/io/safetensors.c reads and checks a header that is in memory;
 * core/io/serialize.c has tg_save and tg_load. */
#ifndef TAPEGRAD_SERIALIZE_H
#define TAPEGRAD_SERIALIZE_H

#include "core/engine.h"

/* A header's own size limit, as in the reference implementation. */
enum { TG_ST_MAX_HEADER = 100000000, TG_ST_MAX_DEPTH = 128 };

/* One tensor of a file. name points into the header, where its escapes have been resolved; it is not terminated. */
typedef struct tg_st_entry {
    const char *name;
    uint64_t begin, end; /* bytes of the data that follows the header */
    uint32_t name_length;
    uint32_t shape_at; /* of '[' in the header */
    uint8_t dtype;     /* for tg_st_dtype_name */
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

const char *tg_st_dtype_name(const tg_st_entry *e);
/* false when it has more than TG_MAX_DIMS dims or a size above INT64_MAX */
bool tg_st_shape(const char *header, const tg_st_entry *e, tg_shape *shape);
/* A name for a message: control bytes as '?', cut when long. */
tg_text tg_st_text(const char *name, size_t length);
int tg_st_compare(const char *a, size_t a_length, const char *b, size_t b_length);
bool tg_st_is_utf8(const char *s, size_t n);

/* tg_load from an open file of the given size; path is for messages. */
tg_status tg_load_from(tg_tape *t, FILE *file, uint64_t size, const char *path);

#endif
