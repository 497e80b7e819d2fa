/* Saving named tensors as a safetensors file; core/platform/posix_files.c replaces an old file. */
#include "core/io/serialize.h"

#include <stdlib.h>

/* ---- items ---- */

static bool has_name(const tg_node *x) { return x->extra && x->extra->name; }

static tg_stored item_of(tg_node *x) {
    return (tg_stored){.name = x->extra->name,
                       .data = x->data,
                       .node = x,
                       .numel = x->numel,
                       .size = x->size,
                       .ndim = x->ndim,
                       .dtype = (tg_dtype)x->dtype,
                       .file_dtype = tg_st_dtype_of((tg_dtype)x->dtype)};
}

tg_status tg_items_all(tg_tape *t, size_t more, tg_items *list) {
    *list = (tg_items){.room = more};
    for (uint32_t i = 0; i < t->count; i++)
        list->room += has_name(t->nodes[i]);
    list->item = tg_block_get(t, list->room * sizeof *list->item);
    for (uint32_t i = 0; list->item && i < t->count; i++)
        if (has_name(t->nodes[i]))
            list->item[list->n++] = item_of(t->nodes[i]);
    return t->status;
}

tg_status tg_items_begin(tg_tape *t, tg_list only, const char *what, tg_items *list) {
    if (only.n < 0)
        return tg_fail(t, TG_ERR_ARGUMENT, "%s: a list of %lld tensors", what, (long long)only.n);
    if (tg_items_all(t, (size_t)only.n, list) || !only.n)
        return t->status;
    if (!only.tensor)
        return tg_fail(t, TG_ERR_ARGUMENT, "%s: the list of %lld tensors is NULL", what, (long long)only.n);
    list->n = 0;
    for (int64_t i = 0; i < only.n; i++) {
        const tg_tensor x = only.tensor[i];
        tg_node *node = x.tape == t ? tg_resolve(what, x) : NULL;
        if (!node || !has_name(node))
            return tg_fail(t, TG_ERR_ARGUMENT, "%s: element %lld of the list is no named tensor of this tape", what,
                           (long long)i);
        for (size_t k = 0; k < list->n; k++)
            if (list->item[k].node == node)
                return tg_fail(t, TG_ERR_ARGUMENT, "%s: %s is given twice", what, tg_node_text(node).s);
        list->item[list->n++] = item_of(node);
    }
    return TG_OK;
}

void tg_items_end(tg_tape *t, tg_items *list) {
    tg_block_put(t, list->names, list->names_size);
    tg_block_put(t, list->item, list->room * sizeof *list->item);
}

static bool has_node(const tg_items *list, const tg_node *x) {
    for (size_t i = 0; i < list->n; i++)
        if (list->item[i].node == x)
            return true;
    return false;
}

const tg_node *tg_items_merged(const tg_tape *t, const tg_items *list, bool any) {
    for (const tg_extra *e = t->extras; e; e = e->next) {
        if (!e->adapter || !e->adapter->is.merged)
            continue;
        const tg_adapter *a = &e->adapter->is;
        bool weight = has_node(list, e->node),
             adapter = has_node(list, t->nodes[a->a.index]) || has_node(list, t->nodes[a->b.index]);
        if (any ? weight || adapter : weight && adapter)
            return e->node;
    }
    return NULL;
}

/* A merged weight saved together with its adapter would apply the adapter twice when loaded. */
static tg_status check_merged(tg_tape *t, const char *where, const tg_items *list) {
    const tg_node *x = tg_items_merged(t, list, false);
    return x ? tg_fail(t, TG_ERR_STATE, "%s: %s has its adapter merged: unmerge it, or save the one or the other",
                       where, tg_node_text(x).s)
             : TG_OK;
}

/* Bytes of the file's tensor whose first part is x. */
static size_t file_bytes(const tg_stored *x) {
    return (size_t)x->numel * (size_t)tg_rule_parts(x) * (tg_st_dtype_bits(x->file_dtype) / 8);
}

/* ---- the header ---- */

/* By name in the file, the parts of one tensor in order; larger elements first, so that all are aligned. */
static int by_name(const void *a, const void *b) {
    const tg_stored *x = a, *y = b;
    int order = strcmp(tg_item_name(x), tg_item_name(y));
    return order ? order : tg_rule_part(x) - tg_rule_part(y);
}

static int by_alignment(const void *a, const void *b) {
    int order = (int)((const tg_stored *)b)->file_dtype - (int)((const tg_stored *)a)->file_dtype;
    return order ? order : by_name(a, b);
}

/* A growing text; with out = NULL only its length is counted. */
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

static void put_entry(sink *s, const tg_stored *x, uint64_t begin) {
    tg_shape shape;
    (void)tg_rule_shape(x, &shape);
    put(s, ",");
    put_string(s, tg_item_name(x));
    put(s, ":{\"dtype\":\"");
    put(s, tg_st_dtype_name(x->file_dtype));
    put(s, "\",\"shape\":[");
    for (int i = 0; i < shape.ndim; i++) {
        put(s, i ? "," : "");
        put_number(s, (uint64_t)shape.size[i]);
    }
    put(s, "],\"data_offsets\":[");
    put_number(s, begin);
    put(s, ",");
    put_number(s, begin + file_bytes(x));
    put(s, "]}");
}

/* Other readers of safetensors expect {"format":"pt"}. */
static void put_metadata(sink *s, const char *const *pairs) {
    put(s, "{\"__metadata__\":{\"format\":\"pt\"");
    for (; pairs && pairs[0]; pairs += 2) {
        put(s, ",");
        put_string(s, pairs[0]);
        put(s, ":");
        put_string(s, pairs[1]);
    }
    put(s, "}");
}

/* The header, padded with spaces to a multiple of 8 bytes, so that the data is aligned. */
static void put_header(sink *s, const tg_items *list, const tg_save_config *config) {
    uint64_t at = 0;
    s->length = 0;
    put_metadata(s, config->metadata);
    for (size_t i = 0; i < list->n; i += (size_t)tg_rule_parts(&list->item[i])) {
        put_entry(s, &list->item[i], at);
        at += file_bytes(&list->item[i]);
    }
    put(s, "}");
    while (s->length % 8)
        put(s, " ");
}

/* ---- checks ---- */

/* where: the prefix of errors, "save: PATH" */

static tg_status refused(tg_tape *t, const char *where, const char *what, const char *text, const char *why) {
    return tg_fail(t, TG_ERR_ARGUMENT, "%s: the %s '%s' cannot be in a file: it is %s", where, what,
                   tg_st_text(text, strlen(text)).s, why);
}

static tg_status check_names(tg_tape *t, const char *where, const tg_items *list) {
    for (size_t i = 0; i < list->n; i++) {
        const char *name = tg_item_name(&list->item[i]);
        bool reserved = list->item[i].node && strncmp(name, TG_RESERVED_NAME, sizeof TG_RESERVED_NAME - 1) == 0;
        if (reserved || strcmp(name, "__metadata__") == 0)
            return refused(t, where, "name", name, "reserved");
        if (!tg_json_is_utf8(name, strlen(name)))
            return refused(t, where, "name", name, "not UTF-8 text");
    }
    return TG_OK;
}

static tg_status check_metadata(tg_tape *t, const char *where, const char *const *pairs) {
    for (const char *const *p = pairs; p && *p; p += 2) {
        if (!p[1])
            return refused(t, where, "metadata", p[0], "a key without a value");
        if (!tg_json_is_utf8(p[0], strlen(p[0])) || !tg_json_is_utf8(p[1], strlen(p[1])))
            return refused(t, where, "metadata", p[0], "not UTF-8 text");
        if (strcmp(p[0], "format") == 0)
            return refused(t, where, "metadata", p[0], "always there");
        for (const char *const *q = pairs; q < p; q += 2)
            if (strcmp(*p, *q) == 0)
                return refused(t, where, "metadata", p[0], "given twice");
    }
    return TG_OK;
}

static bool is_transposed(const tg_stored *x) { return x->rule && x->rule->transpose; }

static bool same_layout(const tg_stored *x, const tg_stored *y) {
    tg_shape a = tg_stored_shape(x), b = tg_stored_shape(y);
    bool same = x->dtype == y->dtype && a.ndim == b.ndim && tg_rule_parts(x) == tg_rule_parts(y) &&
                is_transposed(x) == is_transposed(y);
    for (int i = 0; i < a.ndim && same; i++)
        same = a.size[i] == b.size[i];
    return same;
}

/* The offset in elements of x, which may be a piece, in the tape's tensor. */
static int64_t first_element(const tg_stored *x) {
    return x->rows ? ((char *)x->data - (char *)x->node->data) / (ptrdiff_t)tg_dtype_size(x->dtype) : 0;
}

/* Fails if a finite number would become infinite in the file. */
static tg_status check_numbers(tg_tape *t, const char *where, const tg_items *list) {
    for (size_t i = 0; i < list->n; i++) {
        const tg_stored *x = &list->item[i];
        double value;
        int64_t at = tg_find_unrepresentable_out(x->file_dtype, x->data, x->dtype, x->numel, &value);
        if (at < x->numel)
            return tg_fail(t, TG_ERR_NUMERIC,
                           "%s: element %lld of '%s' is %g, which %s cannot represent; the file is unchanged", where,
                           (long long)(first_element(x) + at), tg_st_text(x->name, strlen(x->name)).s, value,
                           tg_st_dtype_name(x->file_dtype));
    }
    return TG_OK;
}

/* The error that the file's tensor cannot be formed from x and y; x == y: from x alone. */
static tg_status cannot_make(tg_tape *t, const char *where, const tg_stored *x, const tg_stored *y, const char *why) {
    const char *name = tg_item_name(x);
    tg_text in_file = tg_st_text(name, strlen(name)), first = tg_st_text(x->name, strlen(x->name));
    tg_text second = tg_st_text(y->name, strlen(y->name));
    return tg_fail(t, TG_ERR_ARGUMENT, "%s: '%s' of the file cannot be made of '%s'%s%s%s: %s", where, in_file.s,
                   first.s, x == y ? "" : " and '", x == y ? "" : second.s, x == y ? "" : "'", why);
}

/* Fails unless item i of the sorted list is followed by exactly the other parts of its tensor in the file. */
static tg_status check_parts(tg_tape *t, const char *where, const tg_items *list, size_t i) {
    const tg_stored *x = &list->item[i];
    tg_shape shape;
    size_t n = 1, parts = (size_t)tg_rule_parts(x);
    while (i + n < list->n && strcmp(tg_item_name(x), tg_item_name(&x[n])) == 0)
        n++;
    if (!tg_rule_shape(x, &shape))
        return cannot_make(t, where, x, x, "it has fewer than two dims to transpose, or none to join");
    for (size_t k = 1; k < n; k++)
        if (!same_layout(x, &x[k]))
            return cannot_make(t, where, x, &x[k], "parts of one tensor have one shape, dtype and layout");
    for (size_t k = 1; k < n; k++)
        if (tg_rule_part(&x[k]) == tg_rule_part(&x[k - 1]))
            return cannot_make(t, where, &x[k - 1], &x[k], "both are the same part; save one of them");
    return n == parts ? TG_OK : cannot_make(t, where, x, x, "other parts of it are not saved");
}

static tg_status check_rules(tg_tape *t, const char *where, tg_items *list) {
    qsort(list->item, list->n, sizeof *list->item, by_name);
    for (size_t i = 0; i < list->n && !t->status; i += (size_t)tg_rule_parts(&list->item[i]))
        (void)check_parts(t, where, list, i);
    return t->status;
}

/* ---- the file ---- */

/* Numbers of another type or byte order go through a buffer of PIECE numbers. */
enum { PIECE = 4096 };

static bool write_numbers(tg_new_file *f, const tg_stored *x, const char *from, int64_t count) {
    char piece[PIECE * sizeof(double)];
    size_t size = tg_dtype_size(x->dtype), file_size = tg_st_dtype_bits(x->file_dtype) / 8;
    if (x->file_dtype == tg_st_dtype_of(x->dtype) && !TG_ST_SWAPS)
        return tg_new_file_write(f, from, (size_t)count * size);
    for (int64_t n; count > 0; count -= n, from += (size_t)n * size) {
        n = count < PIECE ? count : PIECE;
        tg_convert_out(piece, x->file_dtype, from, x->dtype, n);
        if (!tg_new_file_write(f, piece, (size_t)n * file_size))
            return false;
    }
    return true;
}

static bool write_transposed(tg_new_file *f, const tg_stored *x) {
    double piece[PIECE];
    int64_t count = x->numel * tg_rule_parts(x);
    bool good = true;
    for (int64_t i = 0, n; i < count && good; i += n) {
        n = count - i < PIECE ? count - i : PIECE;
        tg_rule_gather(x, i, n, piece);
        good = write_numbers(f, x, (const char *)piece, n);
    }
    return good;
}

/* x and its other parts, which follow it. */
static bool write_tensor(tg_new_file *f, const tg_stored *x) {
    bool good = true;
    if (is_transposed(x))
        return write_transposed(f, x);
    for (int k = 0; k < tg_rule_parts(x) && good; k++)
        good = write_numbers(f, x, x[k].data, x->numel);
    return good;
}

static bool write_content(tg_new_file *f, const tg_items *list, const sink *header) {
    uint64_t n = header->length;
    tg_swap_bytes(&n, sizeof n, 1);
    bool good = tg_new_file_write(f, &n, sizeof n) && tg_new_file_write(f, header->out, header->length);
    for (size_t i = 0; i < list->n && good; i += (size_t)tg_rule_parts(&list->item[i]))
        good = write_tensor(f, &list->item[i]);
    return good;
}

static tg_status save_file(tg_tape *t, const char *where, const char *path, const tg_items *list, const sink *header,
                           bool read_only_too) {
    tg_new_file f;
    bool good = tg_new_file_begin(&f, path, read_only_too) && write_content(&f, list, header) && tg_new_file_finish(&f);
    tg_new_file_end(&f);
    if (good)
        return TG_OK;
    if (f.is_in_place)
        return tg_fail(t, TG_ERR_IO, "%s: written, but it may not survive a power cut: %s", where, f.problem.text);
    return tg_fail(t, TG_ERR_IO, "%s: %s; the file is unchanged", where, f.problem.text);
}

tg_status tg_save_items(tg_tape *t, const char *name, const char *path, tg_items *list, const tg_save_config *config) {
    char where[256];
    snprintf(where, sizeof where, "%s: %.200s", name, path);
    if (check_merged(t, where, list) || check_names(t, where, list) || check_metadata(t, where, config->metadata) ||
        check_rules(t, where, list) || check_numbers(t, where, list))
        return t->status;
    qsort(list->item, list->n, sizeof *list->item, by_alignment);
    sink header = {NULL, 0};
    put_header(&header, list, config);
    if (header.length > TG_ST_MAX_HEADER)
        return tg_fail(t, TG_ERR_ARGUMENT, "%s: the names take %zu bytes; the format allows %d", where, header.length,
                       TG_ST_MAX_HEADER);
    size_t size = header.length;
    header.out = tg_block_get(t, size);
    if (!header.out)
        return t->status;
    put_header(&header, list, config);
    tg_status status = save_file(t, where, path, list, &header, config->replace_read_only);
    tg_block_put(t, header.out, size);
    return status;
}

/* ---- the public functions ---- */

/* Sets the type of floating tensors in the file. */
static tg_status choose_dtype(tg_tape *t, const char *dtype, tg_items *list) {
    static const tg_st_dtype known[] = {TG_ST_F16, TG_ST_BF16, TG_ST_F32, TG_ST_F64};
    if (!dtype)
        return TG_OK;
    for (size_t k = 0; k < sizeof known / sizeof *known; k++) {
        if (strcmp(dtype, tg_st_dtype_name(known[k])) != 0)
            continue;
        for (size_t i = 0; i < list->n; i++)
            if (tg_convert_fits(list->item[i].dtype, known[k]))
                list->item[i].file_dtype = known[k];
        return TG_OK;
    }
    return tg_fail(t, TG_ERR_ARGUMENT, "save: the dtype is '%.40s', but must be F16, BF16, F32 or F64", dtype);
}

static tg_status check_call(tg_tape *t, const char *name, const char *path) {
    if (!t || t->status)
        return t ? t->status : TG_ERR_ARGUMENT;
    return path && *path ? TG_OK : tg_fail(t, TG_ERR_ARGUMENT, "%s: the path is empty", name);
}

tg_status tg_save_with(tg_tape *t, const char *path, tg_save_config config) {
    tg_items list = {0};
    tg_status bad = check_call(t, "save", path);
    if (bad)
        return bad;
    if (!tg_items_begin(t, config.only, "save", &list) && !choose_dtype(t, config.dtype, &list) &&
        !tg_items_rename(t, "save", path, config.rule, config.n_rules, &list))
        (void)tg_save_items(t, "save", path, &list, &config);
    tg_items_end(t, &list);
    return t->status;
}

tg_status tg_save(tg_tape *t, const char *path) { return tg_save_with(t, path, TG_SAVE_DEFAULTS); }

static tg_status check_all_names(tg_tape *t, const char *path) {
    char where[256];
    tg_items list;
    snprintf(where, sizeof where, "check_save: %.200s", path);
    if (!tg_items_all(t, 0, &list))
        (void)check_names(t, where, &list);
    tg_items_end(t, &list);
    return t->status;
}

tg_status tg_check_save(tg_tape *t, const char *path) {
    tg_new_file f;
    tg_status bad = check_call(t, "check_save", path);
    if (bad || check_all_names(t, path))
        return bad ? bad : t->status;
    if (!tg_new_file_begin(&f, path, false))
        bad = tg_fail(t, TG_ERR_IO, "check_save: %.200s: %s", path, f.problem.text);
    tg_new_file_end(&f);
    return bad;
}
