/* NumPy's .npy: one array in a file. "\x93NUMPY", a version in two bytes, the header's length in 2 (version 1) or 4
 * bytes, the header, a Python dict: {'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }, and the elements. */
#include "core/io/serialize.h"
#include "core/walk.h"

#include <stdarg.h>
#include <stdlib.h>

enum { PREFIX_BYTES = 12 }; /* with a length of 4 bytes */
static const char magic[] = "\x93NUMPY";

typedef struct array {
    tg_tape *t;
    const char *path;
    tg_open_file file;
    uint64_t data_at;
    char *text, *data; /* blocks: the dict, and the elements in the file's order */
    size_t text_size, data_size;
    char descr[16]; /* "<f4": byte order, kind, bytes of an element */
    size_t width;
    bool fortran_order; /* the first index varies fastest */
    tg_shape shape;
} array;

static tg_status failed(const array *a, const char *format, ...) TG_PRINTF(2, 3);
static tg_status failed(const array *a, const char *format, ...) {
    char what[300];
    va_list args;
    va_start(args, format);
    vsnprintf(what, sizeof what, format, args);
    va_end(args);
    return tg_fail(a->t, TG_ERR_FORMAT, "load_npy: %.200s: %s", a->path, what);
}

/* ---- the dict: each function returns where it stopped reading; NULL: malformed ---- */

static const char *skip(const char *s) { return s + strspn(s, " \n"); }

static const char *parse_descr(array *a, const char *s) {
    size_t n = *s == '\'' || *s == '"' ? strcspn(s + 1, "'\"") : sizeof a->descr;
    if (n >= sizeof a->descr || s[n + 1] != *s)
        return NULL;
    memcpy(a->descr, s + 1, n);
    return s + n + 2;
}

static const char *parse_order(array *a, const char *s) {
    a->fortran_order = strncmp(s, "True", 4) == 0;
    return a->fortran_order ? s + 4 : strncmp(s, "False", 5) == 0 ? s + 5 : NULL;
}

static const char *parse_shape(array *a, const char *s) {
    if (*s++ != '(')
        return NULL;
    for (s = skip(s); *s != ')'; s = skip(s + (*s == ','))) {
        char *end;
        if (*s < '0' || *s > '9' || a->shape.ndim == TG_MAX_DIMS)
            return NULL;
        a->shape.size[a->shape.ndim++] = strtoll(s, &end, 10); /* too large: INT64_MAX, rejected later */
        s = skip(end);
        if (*s != ',' && *s != ')')
            return NULL;
    }
    return s + 1;
}

static bool parse(array *a, const char *s) {
    static const char *const keys[] = {"descr", "fortran_order", "shape"};
    static const char *(*const value[])(array * a, const char *s) = {parse_descr, parse_order, parse_shape};
    bool seen[3] = {false};
    s = skip(s);
    if (*s++ != '{')
        return false;
    while (*(s = skip(s)) != '}') {
        size_t n = *s == '\'' || *s == '"' ? strcspn(s + 1, "'\"") : 0;
        int k = 0;
        while (k < 3 && (strlen(keys[k]) != n || strncmp(s + 1, keys[k], n) != 0))
            k++;
        if (k == 3 || seen[k] || !s[n + 1])
            return false;
        seen[k] = true;
        s = skip(s + n + 2);
        s = *s == ':' ? value[k](a, skip(s + 1)) : NULL;
        if (!s || (*(s = skip(s)) != ',' && *s != '}'))
            return false;
        s += *s == ',';
    }
    return seen[0] && seen[1] && seen[2] && !*skip(s + 1);
}

/* ---- the file ---- */

static tg_status read_bytes(array *a, void *to, size_t n, uint64_t at) {
    return tg_file_read(&a->file, to, n, at)
               ? TG_OK
               : tg_fail(a->t, TG_ERR_IO, "load_npy: %.200s: %s", a->path, a->file.problem.text);
}

static tg_status read_text(array *a) {
    unsigned char start[PREFIX_BYTES];
    if (!tg_file_open(&a->file, a->path))
        return tg_fail(a->t, TG_ERR_IO, "load_npy: %.200s: %s", a->path, a->file.problem.text);
    if (a->file.size < PREFIX_BYTES)
        return failed(a, "%llu bytes are too few for a .npy file", (unsigned long long)a->file.size);
    if (read_bytes(a, start, PREFIX_BYTES, 0))
        return a->t->status;
    if (memcmp(start, magic, 6) != 0)
        return failed(a, "it is no .npy file, which begins with \\x93NUMPY");
    if (start[6] < 1 || start[6] > 3)
        return failed(a, "version %d of the format is unknown", start[6]);
    size_t field = start[6] == 1 ? 2 : 4, n = 0;
    for (size_t i = field; i-- > 0;)
        n = n << 8 | start[8 + i];
    a->data_at = 8 + field + n;
    if (a->data_at > a->file.size)
        return failed(a, "its header of %zu bytes is truncated", n);
    a->text_size = n + 1;
    a->text = tg_block_get(a->t, a->text_size);
    if (!a->text || read_bytes(a, a->text, n, 8 + field))
        return a->t->status;
    a->text[n] = '\0';
    if (strlen(a->text) < n || !parse(a, a->text))
        return failed(a, "its header is not of one array of numbers with at most %d dims: %.100s", TG_MAX_DIMS,
                      tg_st_text(a->text, n).s);
    return TG_OK;
}

/* True when a tensor can hold elements of this type. */
static bool check_type(array *a) {
    static const char *const known[] = {"f2", "f4", "f8", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "b1"};
    bool good = false;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        good = good || strcmp(a->descr + 1, known[i]) == 0;
    a->width = good ? (size_t)(a->descr[2] - '0') : 0;
    return good && strchr(a->width > 1 ? "<>" : "|<>", a->descr[0]);
}

/* The size of the elements in bytes; false when it exceeds any memory. */
static bool count_bytes(const array *a, size_t *bytes) {
    uint64_t n = a->width;
    for (int i = 0; i < a->shape.ndim; i++)
        if (__builtin_mul_overflow(n, (uint64_t)a->shape.size[i], &n) || n > SIZE_MAX)
            return false;
    *bytes = (size_t)n;
    return true;
}

static tg_status read_data(array *a) {
    size_t bytes;
    if (!count_bytes(a, &bytes))
        return failed(a, "its shape %s is too large", tg_shape_text(&a->shape).s);
    if (bytes != a->file.size - a->data_at)
        return failed(a, "%s of %s are %zu bytes, but there are %llu", tg_shape_text(&a->shape).s, a->descr, bytes,
                      (unsigned long long)(a->file.size - a->data_at));
    a->data_size = bytes;
    a->data = tg_block_get(a->t, bytes);
    return a->data ? read_bytes(a, a->data, bytes, a->data_at) : a->t->status;
}

/* ---- elements ---- */

/* An element of the file in little-endian order. */
static void take(const array *a, int64_t i, char out[8]) {
    const char *from = a->data + (size_t)i * a->width;
    for (size_t k = 0; k < a->width; k++)
        out[k] = from[a->descr[0] == '>' ? a->width - 1 - k : k];
}

static int64_t integer_of(const array *a, const char bytes[8]) {
    uint64_t x = 0;
    int64_t value;
    for (size_t k = 8; k-- > 0;) {
        bool minus = a->descr[1] == 'i' && (signed char)bytes[a->width - 1] < 0; /* plain char may be unsigned */
        x = x << 8 | (k < a->width ? (unsigned char)bytes[k] : minus ? 0xff : 0);
    }
    memcpy(&value, &x, sizeof value);
    return value;
}

/* Moves elements from the file's order to the tensor's. */
static void put(const array *a, tg_node *x) {
    tg_dtype dtype = (tg_dtype)x->dtype;
    tg_st_dtype type = dtype == TG_BOOL ? TG_ST_BOOL
                       : a->width == 2  ? TG_ST_F16
                       : a->width == 4  ? TG_ST_F32
                                        : TG_ST_F64;
    int64_t stride[TG_MAX_DIMS], step = 1;
    for (int k = 0; k < x->ndim; k++) {
        int dim = a->fortran_order ? k : x->ndim - 1 - k;
        stride[dim] = step;
        step *= x->size[dim];
    }
    if (dtype != TG_I64 && !a->fortran_order && a->descr[0] != '>') {
        tg_convert_in(x->data, dtype, a->data, type, x->numel);
        return;
    }
    tg_walk w;
    tg_walk_begin(&w, x->ndim, x->size, stride);
    for (int64_t i = 0; i < x->numel; i++, tg_walk_next(&w, 1)) {
        char bytes[8];
        take(a, w.offset, bytes);
        if (dtype == TG_I64)
            ((int64_t *)x->data)[i] = integer_of(a, bytes);
        else
            tg_convert_in((char *)x->data + (size_t)i * tg_dtype_size(dtype), dtype, bytes, type, 1);
    }
}

/* True when a uint64 exceeds INT64_MAX. */
static bool has_too_large(const array *a) {
    bool found = false;
    for (size_t i = 0; strcmp(a->descr + 1, "u8") == 0 && i < a->data_size / 8; i++) {
        char bytes[8];
        take(a, (int64_t)i, bytes);
        found = found || (signed char)bytes[7] < 0;
    }
    return found;
}

/* Finds the first number that would become infinite on the tape. */
static bool find_unrepresentable(const array *a, double *value) {
    for (size_t i = 0; strcmp(a->descr + 1, "f8") == 0 && i < a->data_size / 8; i++) {
        char bytes[8];
        take(a, (int64_t)i, bytes);
        if (tg_find_unrepresentable_in(a->t->dtype, bytes, TG_ST_F64, 1, value) == 0)
            return true;
    }
    return false;
}

static tg_node *load(array *a) {
    double value;
    if (read_text(a))
        return NULL;
    if (!check_type(a)) {
        failed(a, "its elements are '%s'; f2, f4, f8, i1 to i8, u1 to u8 and b1 can be read",
               tg_st_text(a->descr, strlen(a->descr)).s);
        return NULL;
    }
    if (read_data(a))
        return NULL;
    if (has_too_large(a)) {
        failed(a, "it has a number above %lld", (long long)INT64_MAX);
        return NULL;
    }
    if (find_unrepresentable(a, &value)) {
        tg_fail(a->t, TG_ERR_NUMERIC, "load_npy: %.200s: it has %g, which %s cannot represent", a->path, value,
                tg_dtype_name(a->t->dtype));
        return NULL;
    }
    tg_dtype dtype = a->descr[1] == 'f' ? a->t->dtype : a->descr[1] == 'b' ? TG_BOOL : TG_I64;
    tg_node *x = tg_leaf_new(a->t, "load_npy", &a->shape, dtype);
    if (x)
        put(a, x);
    return x;
}

tg_tensor tg_load_npy(tg_tape *t, const char *path) {
    array a = {.t = t, .path = path, .file = {.fd = -1}};
    if (!t || t->status)
        return TG_NULL;
    if (!path || !*path)
        return tg_fail_null(t, TG_ERR_ARGUMENT, "load_npy: the path is empty");
    tg_node *x = load(&a);
    tg_file_close(&a.file);
    tg_block_put(t, a.text, a.text_size);
    tg_block_put(t, a.data, a.data_size);
    return x ? tg_handle(x) : TG_NULL;
}

/* ---- saving ---- */

/* As numpy.save writes it, padded to 128 bytes: eight sizes fit, because the product of those above 0 is an int64. */
enum { HEADER = 128, TEXT_AT = 10 };
static void write_header(const tg_node *x, char out[HEADER]) {
    static const char *const descr[] = {[TG_F32] = "<f4", [TG_F64] = "<f8", [TG_I64] = "<i8", [TG_BOOL] = "|b1"};
    char text[HEADER];
    int n = snprintf(text, sizeof text, "{'descr': '%s', 'fortran_order': False, 'shape': (", descr[x->dtype]);
    for (int i = 0; i < x->ndim; i++)
        n += snprintf(text + n, sizeof text - (size_t)n,
                      x->ndim == 1 ? "%lld,"
                      : i          ? ", %lld"
                                   : "%lld",
                      (long long)x->size[i]);
    n += snprintf(text + n, sizeof text - (size_t)n, "), }");
    memset(out, ' ', HEADER);
    memcpy(out, magic, 6);
    memcpy(out + 6, (char[]){1, 0, HEADER - TEXT_AT, 0}, 4);
    memcpy(out + TEXT_AT, text, (size_t)n);
    out[HEADER - 1] = '\n';
}

static void copy_out(const tg_node *x, char *to) {
    size_t width = tg_dtype_size((tg_dtype)x->dtype);
    tg_walk w;
    tg_walk_begin(&w, x->ndim, x->size, x->stride);
    for (int64_t i = 0; i < x->numel; i++, tg_walk_next(&w, 1))
        memcpy(to + (size_t)i * width, (const char *)x->data + w.offset * (ptrdiff_t)width, width);
    tg_swap_bytes(to, width, x->numel);
}

tg_status tg_save_npy(tg_tensor x, const char *path) {
    tg_node *node;
    tg_tape *t = tg_open("save_npy", "*", 1, &x, &node);
    if (!t || !tg_has_elements(node))
        return tg_tape_status(x.tape);
    if (!path || !*path)
        return tg_fail(t, TG_ERR_ARGUMENT, "save_npy: the path is empty");
    char header[HEADER];
    size_t bytes = (size_t)node->numel * tg_dtype_size((tg_dtype)node->dtype);
    write_header(node, header);
    char *data = tg_block_get(t, bytes);
    if (!data)
        return t->status;
    copy_out(node, data);
    tg_new_file f;
    bool good = tg_new_file_begin(&f, path, false) && tg_new_file_write(&f, header, HEADER) &&
                tg_new_file_write(&f, data, bytes) && tg_new_file_finish(&f);
    tg_new_file_end(&f);
    tg_block_put(t, data, bytes);
    return good ? TG_OK
                : tg_fail(t, TG_ERR_IO, "save_npy: %.200s: %s%s", path, f.problem.text,
                          f.is_in_place ? "; written, but it may not survive a power cut" : "; the file is unchanged");
}
