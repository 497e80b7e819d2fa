/* Saving and loading named tensors as safetensors files.
 *
 * Saving writes a temporary file in the same directory, brings it to the disk (fsync) and renames it over path, so
 * that whatever happens, path holds the old content or the new; a symbolic link at path is replaced. Loading checks,
 * before it changes anything:
 *   - the file is a regular one, at least 8 bytes; the header's length is at most 100 MB and within the file
 *   - everything core/io/safetensors.c says of the header
 *   - the file's names are exactly those on the tape, each with the same shape; F32 and F64 go into floating
 *     tensors, I64 into int64, BOOL into bool
 *   - all data could be read
 * No more memory is taken than the file and the tape's own tensors justify. Numbers in the file are little endian and
 * may lie at any byte; this code is for little-endian machines.
 */
#include "core/io/serialize.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "core/io/serialize.c reads and writes the machine's own byte order, and safetensors is little endian"
#endif

enum { MAX_TRIES = 100 };

typedef struct reason {
    char text[96];
} reason;

static reason system_error(void) {
    reason r;
    if (strerror_r(errno, r.text, sizeof r.text))
        snprintf(r.text, sizeof r.text, "error %d", errno);
    return r;
}

/* ---- the tape's named tensors ---- */

static bool has_name(const tg_node *x) { return x->extra && x->extra->name; }

typedef struct named {
    tg_node **node; /* from the pool; NULL when out of memory */
    size_t n;
} named;

static size_t named_bytes(size_t n) { return n * sizeof(tg_node *); }

static named named_nodes(tg_tape *t) {
    named list = {NULL, 0};
    for (uint32_t i = 0; i < t->count; i++)
        list.n += has_name(t->nodes[i]);
    list.node = tg_pool_get(t, named_bytes(list.n));
    size_t k = 0;
    for (uint32_t i = 0; list.node && i < t->count; i++)
        if (has_name(t->nodes[i]))
            list.node[k++] = t->nodes[i];
    return list;
}

static int by_name(const void *a, const void *b) {
    const tg_node *const *x = a, *const *y = b;
    return strcmp((*x)->extra->name, (*y)->extra->name);
}

static size_t data_bytes(const tg_node *x) { return (size_t)x->numel * tg_dtype_size((tg_dtype)x->dtype); }

static const char *file_dtype(const tg_node *x) {
    static const char *const names[] = {"F32", "F64", "I64", "BOOL"};
    return names[x->dtype];
}

/* ---- saving: the header ---- */

/* Larger elements first, so that all lie aligned; int64 before float64 as the format orders its types; by name. */
static int by_alignment(const void *a, const void *b) {
    static const int rank[] = {[TG_I64] = 0, [TG_F64] = 1, [TG_F32] = 2, [TG_BOOL] = 3};
    const tg_node *const *x = a, *const *y = b;
    int order = rank[(*x)->dtype] - rank[(*y)->dtype];
    return order ? order : by_name(a, b);
}

/* Text that grows; with out = NULL only its length is counted. */
typedef struct sink {
    char *out;
    size_t length;
} sink;

static void put(sink *s, const char *text) {
    size_t n = strlen(text);
    if (s->out)
        memcpy(s->out + s->length, text, n);
    s->length += n;
}

static void put_number(sink *s, uint64_t value) {
    char text[24];
    snprintf(text, sizeof text, "%llu", (unsigned long long)value);
    put(s, text);
}

static void put_string(sink *s, const char *string) {
    static const char escaped[] = "\"\\\b\f\n\r\t", letters[] = "\"\\bfnrt";
    put(s, "\"");
    for (; *string; string++) {
        const char *found = strchr(escaped, *string);
        char text[8] = {*string};
        if (found)
            snprintf(text, sizeof text, "\\%c", letters[found - escaped]);
        else if ((unsigned char)*string < 0x20)
            snprintf(text, sizeof text, "\\u%04x", (unsigned)*string);
        put(s, text);
    }
    put(s, "\"");
}

static void put_entry(sink *s, const tg_node *x, uint64_t begin) {
    put(s, ",");
    put_string(s, x->extra->name);
    put(s, ":{\"dtype\":\"");
    put(s, file_dtype(x));
    put(s, "\",\"shape\":[");
    for (int i = 0; i < x->ndim; i++) {
        put(s, i ? "," : "");
        put_number(s, (uint64_t)x->size[i]);
    }
    put(s, "],\"data_offsets\":[");
    put_number(s, begin);
    put(s, ",");
    put_number(s, begin + data_bytes(x));
    put(s, "]}");
}

/* Padded with spaces to a multiple of 8 bytes, so that the data is aligned. */
static void put_header(sink *s, const named *list) {
    uint64_t at = 0;
    put(s, "{\"__metadata__\":{\"format\":\"pt\"}");
    for (size_t i = 0; i < list->n; i++) {
        put_entry(s, list->node[i], at);
        at += data_bytes(list->node[i]);
    }
    put(s, "}");
    while (s->length % 8)
        put(s, " ");
}

static tg_status check_names(tg_tape *t, const char *path, const named *list) {
    for (size_t i = 0; i < list->n; i++) {
        const char *name = list->node[i]->extra->name;
        if (!tg_st_is_utf8(name, strlen(name)) || strcmp(name, "__metadata__") == 0)
            return tg_fail(t, TG_ERR_ARGUMENT, "save: %.200s: the name '%s' cannot be in a file: it is %s", path,
                           tg_st_text(name, strlen(name)).s, name[0] == '_' ? "reserved" : "not UTF-8 text");
    }
    return TG_OK;
}

/* ---- saving: the file ---- */

typedef struct saving {
    tg_tape *t;
    const char *path;
    char *temporary; /* beside path */
    size_t directory_length, temporary_size;
    FILE *file;
    bool exists; /* the temporary file */
} saving;

static tg_status save_failed(const saving *s, const char *what) {
    return tg_fail(s->t, TG_ERR_IO, "save: %.200s: cannot %s: %s; the file is as it was", s->path, what,
                   system_error().text);
}

/* A new file that nobody else has, with the permissions of the file it will replace, if there is one. */
static tg_status open_temporary(saving *s) {
    struct stat old;
    bool replaces = stat(s->path, &old) == 0;
    if (replaces && !S_ISREG(old.st_mode))
        return tg_fail(s->t, TG_ERR_IO, "save: %.200s: this is not a regular file", s->path);
    int fd = -1;
    for (int i = 0; i < MAX_TRIES && fd < 0; i++) {
        snprintf(s->temporary + s->directory_length, s->temporary_size - s->directory_length, ".tapegrad-%ld-%d.tmp",
                 (long)getpid(), i);
        fd = open(s->temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (fd < 0 && errno != EEXIST)
            break;
    }
    if (fd < 0)
        return save_failed(s, "make a temporary file in its directory");
    s->exists = true;
    if (replaces && fchmod(fd, old.st_mode & 0777)) {
        close(fd);
        return save_failed(s, "set its permissions");
    }
    s->file = fdopen(fd, "wb");
    if (s->file)
        return TG_OK;
    close(fd);
    return save_failed(s, "open its temporary file");
}

static bool write_bytes(FILE *file, const void *data, size_t n) { return n == 0 || fwrite(data, 1, n, file) == n; }

static tg_status write_content(saving *s, const named *list, const sink *header) {
    uint64_t n = header->length;
    bool good = write_bytes(s->file, &n, sizeof n) && write_bytes(s->file, header->out, header->length);
    for (size_t i = 0; i < list->n && good; i++)
        good = write_bytes(s->file, list->node[i]->data, data_bytes(list->node[i]));
    good = good && fflush(s->file) == 0 && fsync(fileno(s->file)) == 0;
    tg_status status = good ? TG_OK : save_failed(s, "write");
    if (fclose(s->file) && good)
        status = save_failed(s, "write");
    s->file = NULL;
    return status;
}

/* The rename itself is brought to the disk where the directory can be opened and the file system knows how. */
static tg_status flush_directory(saving *s) {
    s->temporary[s->directory_length] = '\0';
    int fd = open(s->directory_length ? s->temporary : ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0)
        return TG_OK;
    int bad = fsync(fd) && errno != EINVAL;
    reason why = system_error();
    close(fd);
    return bad ? tg_fail(s->t, TG_ERR_IO, "save: %.200s: written, but it may not survive a power cut: %s", s->path,
                         why.text)
               : TG_OK;
}

static tg_status replace(saving *s) {
    if (rename(s->temporary, s->path))
        return save_failed(s, "rename its temporary file");
    s->exists = false;
    return flush_directory(s);
}

static tg_status save_file(tg_tape *t, const char *path, const named *list, const sink *header) {
    const char *slash = strrchr(path, '/');
    saving s = {.t = t, .path = path, .directory_length = slash ? (size_t)(slash - path) + 1 : 0};
    s.temporary_size = s.directory_length + 64;
    s.temporary = tg_pool_get(t, s.temporary_size);
    if (!s.temporary)
        return t->status;
    memcpy(s.temporary, path, s.directory_length);
    bool bad = open_temporary(&s) || write_content(&s, list, header) || replace(&s);
    if (s.exists)
        unlink(s.temporary);
    tg_pool_put(t, s.temporary, s.temporary_size);
    return bad ? t->status : TG_OK;
}

static tg_status save_named(tg_tape *t, const char *path, const named *list) {
    if (check_names(t, path, list))
        return t->status;
    qsort(list->node, list->n, sizeof *list->node, by_alignment);
    sink header = {NULL, 0};
    put_header(&header, list);
    if (header.length > TG_ST_MAX_HEADER)
        return tg_fail(t, TG_ERR_ARGUMENT, "save: %.200s: the names take over %d bytes", path, TG_ST_MAX_HEADER);
    size_t bytes = header.length;
    header = (sink){tg_pool_get(t, bytes), 0};
    if (!header.out)
        return t->status;
    put_header(&header, list);
    tg_status status = save_file(t, path, list, &header);
    tg_pool_put(t, header.out, bytes);
    return status;
}

tg_status tg_save(tg_tape *t, const char *path) {
    if (!t || t->status)
        return t ? t->status : TG_ERR_ARGUMENT;
    if (!path || !*path)
        return tg_fail(t, TG_ERR_ARGUMENT, "save: the path is empty");
    named list = named_nodes(t);
    if (!list.node)
        return t->status;
    tg_status status = save_named(t, path, &list);
    tg_pool_put(t, list.node, named_bytes(list.n));
    return status;
}

/* ---- loading ---- */

typedef struct loading {
    tg_tape *t;
    FILE *file;
    const char *path;
    uint64_t data_size;
    size_t header_size, n_entries;
    char *header;
    tg_st_entry *entries;
    named list;
    char *data;
} loading;

static tg_status load_failed(const loading *l, tg_status status, const char *format, ...) TG_PRINTF(3, 4);
static tg_status load_failed(const loading *l, tg_status status, const char *format, ...) {
    char what[400];
    va_list args;
    va_start(args, format);
    vsnprintf(what, sizeof what, format, args);
    va_end(args);
    return tg_fail(l->t, status, "load: %.200s: %s; nothing was changed", l->path, what);
}

static tg_status read_bytes(loading *l, void *to, uint64_t n) {
    if (n == 0 || fread(to, 1, (size_t)n, l->file) == n)
        return TG_OK;
    return load_failed(l, TG_ERR_IO, "cannot read it: %s", ferror(l->file) ? system_error().text : "it became shorter");
}

static tg_status read_header(loading *l, uint64_t size) {
    uint64_t n;
    if (size < sizeof n)
        return load_failed(l, TG_ERR_FORMAT, "%llu bytes are too few for a safetensors file", (unsigned long long)size);
    if (read_bytes(l, &n, sizeof n))
        return l->t->status;
    if (n > TG_ST_MAX_HEADER)
        return load_failed(l, TG_ERR_FORMAT, "it announces a header of %llu bytes, above the limit of %d",
                           (unsigned long long)n, TG_ST_MAX_HEADER);
    if (n > size - sizeof n)
        return load_failed(l, TG_ERR_FORMAT, "it announces a header of %llu bytes, but has only %llu in all",
                           (unsigned long long)n, (unsigned long long)size);
    l->header_size = (size_t)n;
    l->data_size = size - sizeof n - n;
    l->header = tg_pool_get(l->t, l->header_size);
    l->entries = l->header ? tg_pool_get(l->t, tg_st_capacity(l->header_size) * sizeof *l->entries) : NULL;
    return l->entries ? read_bytes(l, l->header, n) : l->t->status;
}

static tg_status parse_header(loading *l) {
    tg_st_problem problem;
    if (tg_st_parse(l->header, l->header_size, l->data_size, l->entries, &l->n_entries, &problem))
        return TG_OK;
    return load_failed(l, TG_ERR_FORMAT, "%s", problem.text);
}

/* Names that one side lacks: how many, and the first. */
typedef struct missing {
    size_t n;
    tg_text first;
} missing;

static void note_missing(missing *m, const char *name, size_t length) {
    if (m->n++ == 0)
        m->first = tg_st_text(name, length);
}

/* Both sides are sorted by name. */
static tg_status compare_names(loading *l) {
    missing in_file = {0}, on_tape = {0};
    size_t i = 0, k = 0;
    while (i < l->list.n || k < l->n_entries) {
        const char *name = i < l->list.n ? l->list.node[i]->extra->name : "";
        const tg_st_entry *e = &l->entries[k];
        int order = i == l->list.n      ? 1
                    : k == l->n_entries ? -1
                                        : tg_st_compare(name, strlen(name), e->name, e->name_length);
        if (order < 0)
            note_missing(&in_file, name, strlen(name));
        if (order > 0)
            note_missing(&on_tape, e->name, e->name_length);
        i += order <= 0;
        k += order >= 0;
    }
    if (in_file.n)
        return load_failed(
            l, TG_ERR_FORMAT,
            "'%s' is not in the file (%zu of the tape's %zu names are missing; %zu names of the file are "
            "not on the tape)",
            in_file.first.s, in_file.n, l->list.n, on_tape.n);
    if (on_tape.n)
        return load_failed(l, TG_ERR_FORMAT, "'%s' is in the file, but not on the tape (%zu such names)",
                           on_tape.first.s, on_tape.n);
    return TG_OK;
}

static bool dtype_fits(const tg_node *x, const char *dtype) {
    if (tg_is_floating(x))
        return strcmp(dtype, "F32") == 0 || strcmp(dtype, "F64") == 0;
    return strcmp(dtype, file_dtype(x)) == 0;
}

static tg_status compare_tensors(loading *l) {
    for (size_t i = 0; i < l->n_entries; i++) {
        const tg_node *x = l->list.node[i];
        const tg_st_entry *e = &l->entries[i];
        tg_shape shape, wanted = tg_shape_from(x);
        bool fits = tg_st_shape(l->header, e, &shape);
        if (!fits || shape.ndim != wanted.ndim || memcmp(shape.size, wanted.size, sizeof *shape.size * x->ndim) != 0)
            return load_failed(l, TG_ERR_FORMAT, "%s has another shape in the file: %s", tg_node_text(x).s,
                               fits ? tg_shape_text(&shape).s : "over 8 dims");
        if (!dtype_fits(x, tg_st_dtype_name(e)))
            return load_failed(l, TG_ERR_FORMAT, "%s is %s, but %s in the file", tg_node_text(x).s,
                               tg_dtype_name((tg_dtype)x->dtype), tg_st_dtype_name(e));
    }
    return TG_OK;
}

/* x = the file's numbers, which may lie at any byte */
static void copy_data(tg_node *x, const char *dtype, const char *from) {
    if (strcmp(dtype, file_dtype(x)) == 0 && x->dtype != TG_BOOL) {
        if (x->numel)
            memcpy(x->data, from, data_bytes(x));
        return;
    }
    for (int64_t i = 0; i < x->numel; i++) {
        float f;
        double d;
        switch (x->dtype) {
        case TG_F32: memcpy(&d, from + i * 8, sizeof d), ((float *)x->data)[i] = (float)d; break;
        case TG_F64: memcpy(&f, from + i * 4, sizeof f), ((double *)x->data)[i] = (double)f; break;
        default: ((bool *)x->data)[i] = from[i] != 0; break;
        }
    }
}

static tg_status read_data(loading *l) {
    l->data = tg_pool_get(l->t, (size_t)l->data_size);
    if (!l->data || read_bytes(l, l->data, l->data_size))
        return l->t->status;
    for (size_t i = 0; i < l->n_entries; i++) {
        copy_data(l->list.node[i], tg_st_dtype_name(&l->entries[i]), l->data + l->entries[i].begin);
        tg_touch(l->list.node[i]);
    }
    return TG_OK;
}

static tg_status load(loading *l, uint64_t size) {
    if (read_header(l, size) || parse_header(l))
        return l->t->status;
    l->list = named_nodes(l->t);
    if (!l->list.node)
        return l->t->status;
    qsort(l->list.node, l->list.n, sizeof *l->list.node, by_name);
    if (compare_names(l) || compare_tensors(l))
        return l->t->status;
    return read_data(l);
}

tg_status tg_load_from(tg_tape *t, FILE *file, uint64_t size, const char *path) {
    loading l = {.t = t, .file = file, .path = path};
    tg_status status = load(&l, size);
    tg_pool_put(t, l.data, (size_t)l.data_size);
    tg_pool_put(t, l.list.node, named_bytes(l.list.n));
    tg_pool_put(t, l.entries, tg_st_capacity(l.header_size) * sizeof *l.entries);
    tg_pool_put(t, l.header, l.header_size);
    return status;
}

tg_status tg_load(tg_tape *t, const char *path) {
    if (!t || t->status)
        return t ? t->status : TG_ERR_ARGUMENT;
    if (!path || !*path)
        return tg_fail(t, TG_ERR_ARGUMENT, "load: the path is empty");
    struct stat about;
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    FILE *file = fd >= 0 && fstat(fd, &about) == 0 ? fdopen(fd, "rb") : NULL;
    tg_status status;
    if (!file)
        status = tg_fail(t, TG_ERR_IO, "load: %.200s: cannot open it: %s", path, system_error().text);
    else if (!S_ISREG(about.st_mode))
        status = tg_fail(t, TG_ERR_IO, "load: %.200s: this is not a regular file", path);
    else
        status = tg_load_from(t, file, (uint64_t)about.st_size, path);
    if (file)
        fclose(file);
    else if (fd >= 0)
        close(fd);
    return status;
}
