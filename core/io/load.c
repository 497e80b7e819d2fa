/* Loading named tensors from safetensors files. Before anything is changed, these are checked:
 *   - the file is a regular one, at least 8 bytes; the header's length is at most 100 MB and within the file
 *   - everything in core/io/safetensors.c about the header, and in core/io/shards.c about several files
 *   - the file's names are those requested, each with the same shape and with a type that converts to the tensor's
 *   - all their bytes can be read, and no finite number becomes infinite on the tape
 * Memory, bounded by the file's size, comes straight from the allocator and is returned to it. The file is read, not
 * mapped: reading a mapped file that another program truncates raises SIGBUS. */
#include "core/io/serialize.h"

#include <stdlib.h>

/* ---- names ---- */

bool tg_load_has(const tg_loading *l, const char *name) {
    for (size_t i = 0; i < l->n_entries; i++)
        if (tg_st_compare(name, strlen(name), l->entries[i].name, l->entries[i].name_length) == 0)
            return true;
    return false;
}

/* Names that one side lacks: their number, and the first. */
typedef struct missing {
    size_t n;
    tg_text first, where; /* where: the side that lacks it */
} missing;

static void report(const tg_loading *l, const char *name, const char *what) {
    char line[400];
    if (!l->config || !l->config->report)
        return;
    snprintf(line, sizeof line, "%s %s", name, what);
    l->config->report(line, l->config->context);
}

static const char *not_wanted(const tg_loading *l) {
    return l->config && l->config->only.n ? "is in the file, but not asked for" : "is in the file, but not on the tape";
}

/* "in the file", with x's name there if it differs. */
static tg_text in_the_file(const tg_stored *x) {
    tg_text text, name = tg_st_text(tg_item_name(x), strlen(tg_item_name(x)));
    bool renamed = strcmp(tg_item_name(x), x->name) != 0;
    snprintf(text.s, sizeof text.s, renamed ? "in the file as '%.80s'" : "in the file", name.s);
    return text;
}

static void note_missing(const tg_loading *l, missing *m, const tg_stored *x) {
    char what[160];
    tg_text name = tg_st_text(x->name, strlen(x->name)), where = in_the_file(x);
    snprintf(what, sizeof what, "is not %s", where.s);
    report(l, name.s, what);
    if (m->n++ == 0)
        m->first = name, m->where = where;
}

static void note_extra(const tg_loading *l, missing *m, const tg_st_entry *e) {
    tg_text name = tg_st_text(e->name, e->name_length);
    report(l, name.s, not_wanted(l));
    if (m->n++ == 0)
        m->first = name;
}

static int by_name(const void *a, const void *b) {
    const tg_stored *x = a, *y = b;
    int order = strcmp(tg_item_name(x), tg_item_name(y));
    return order ? order : strcmp(x->name, y->name);
}

static bool is_reserved(const tg_st_entry *e) {
    size_t n = sizeof TG_RESERVED_NAME - 1;
    return e->name_length >= n && memcmp(e->name, TG_RESERVED_NAME, n) == 0;
}

/* Both sides are sorted by the name in the file; several tensors may share an entry. */
static void pair(tg_loading *l, tg_items *list, bool reserved_too, missing *in_file, missing *on_tape) {
    size_t i = 0, k = 0;
    bool used = false; /* entry k */
    while (i < list->n || k < l->n_entries) {
        tg_stored *x = &list->item[i];
        const tg_st_entry *e = &l->entries[k];
        int order = i == list->n ? 1
                    : k == l->n_entries
                        ? -1
                        : tg_st_compare(tg_item_name(x), strlen(tg_item_name(x)), e->name, e->name_length);
        if (order < 0)
            note_missing(l, in_file, x);
        if (order > 0 && !used && (reserved_too || !is_reserved(e)))
            note_extra(l, on_tape, e);
        if (order == 0)
            x->entry = e;
        used = order == 0 || (order < 0 && used);
        i += order <= 0;
        k += order > 0;
    }
}

static tg_status match_names(tg_loading *l, tg_items *list, bool reserved_too) {
    missing in_file = {0}, on_tape = {0};
    pair(l, list, reserved_too, &in_file, &on_tape);
    if (in_file.n && !(l->config && l->config->allow_missing))
        return tg_load_failed(l, TG_ERR_FORMAT,
                              "'%s' is not %s (%zu of %zu names are missing; %zu names of the file are not %s)",
                              in_file.first.s, in_file.where.s, in_file.n, list->n, on_tape.n,
                              l->config && l->config->only.n ? "asked for" : "on the tape");
    if (on_tape.n && !(l->config && l->config->allow_extra))
        return tg_load_failed(l, TG_ERR_FORMAT, "'%s' %s (%zu such names)", on_tape.first.s, not_wanted(l), on_tape.n);
    return TG_OK;
}

/* Its name and shape on the tape, for a message. */
static tg_text text_of(const tg_stored *x) {
    tg_stored whole = *x;
    whole.rows = 0;
    tg_shape shape = tg_stored_shape(&whole);
    tg_text text = tg_st_text(x->name, strlen(x->name));
    size_t at = strlen(text.s), room = sizeof text.s - at;
    snprintf(text.s + at, room, " %.*s", room > 2 ? (int)room - 2 : 0, tg_shape_text(&shape).s);
    return text;
}

/* How the file's tensor differs from x, for a message; false when it does not. */
static bool differs(const tg_stored *x, char *how, size_t size) {
    tg_shape shape, wanted;
    bool possible = tg_rule_shape(x, &wanted), fits = tg_st_shape(x->entry, &shape);
    bool same = possible && fits && shape.ndim == wanted.ndim;
    for (int i = 0; i < wanted.ndim && same; i++)
        same = shape.size[i] == wanted.size[i];
    if (!possible)
        snprintf(how, size, "has fewer than two dims to transpose, or none to split");
    else if (!same && x->rule)
        snprintf(how, size, "wants %.40s %.100s, but it is %.40s", tg_shape_text(&wanted).s, in_the_file(x).s,
                 fits ? tg_shape_text(&shape).s : "over 8 dims, or a size above INT64_MAX");
    else if (!same)
        snprintf(how, size, "has another shape in the file: %.60s",
                 fits ? tg_shape_text(&shape).s : "over 8 dims, or a size above INT64_MAX");
    else if (!tg_convert_fits(x->dtype, x->entry->dtype))
        snprintf(how, size, "is %s, but %s %.100s", tg_dtype_name(x->dtype), tg_st_dtype_name(x->entry->dtype),
                 in_the_file(x).s);
    else
        return false;
    return true;
}

static tg_status match_tensors(const tg_loading *l, const tg_items *list) {
    char how[200], first[200];
    const tg_stored *wrong = NULL;
    for (size_t i = 0; i < list->n; i++) {
        const tg_stored *x = &list->item[i];
        if (!x->entry || !differs(x, how, sizeof how))
            continue;
        report(l, text_of(x).s, how);
        if (!wrong)
            memcpy(first, how, sizeof first);
        wrong = wrong ? wrong : x;
    }
    return wrong ? tg_load_failed(l, TG_ERR_FORMAT, "%s %s", text_of(wrong).s, first) : TG_OK;
}

/* If one piece of a tensor is missing, none of its pieces is loaded. */
static void drop_incomplete(tg_items *list) {
    for (size_t i = 0; i < list->n; i++)
        for (size_t k = 0; list->item[i].rows && !list->item[i].entry && k < list->n; k++)
            if (list->item[k].name == list->item[i].name)
                list->item[k].entry = NULL;
}

/* Removes the items that the file lacks. */
static void drop_missing(tg_items *list) {
    size_t n = 0;
    for (size_t i = 0; i < list->n; i++)
        if (list->item[i].entry)
            list->item[n++] = list->item[i];
    list->n = n;
}

tg_status tg_load_match(tg_loading *l, tg_items *list, bool reserved_too) {
    const tg_node *merged = tg_items_merged(l->t, list, true);
    if (merged)
        return tg_load_failed(l, TG_ERR_STATE, "%s has its adapter merged: unmerge it first", tg_node_text(merged).s);
    qsort(list->item, list->n, sizeof *list->item, by_name);
    if (match_names(l, list, reserved_too) || match_tensors(l, list))
        return l->t->status;
    drop_incomplete(list);
    drop_missing(list);
    return TG_OK;
}

/* ---- data ---- */

static size_t entry_bytes(const tg_stored *x) { return (size_t)(x->entry->end - x->entry->begin); }

static tg_status check_numbers(tg_loading *l, const tg_stored *x) {
    double value;
    int64_t n = (int64_t)(entry_bytes(x) * 8 / tg_st_dtype_bits(x->entry->dtype));
    if (tg_find_unrepresentable_in(x->dtype, x->loaded, x->entry->dtype, n, &value) == n)
        return TG_OK;
    return tg_load_failed(l, TG_ERR_NUMERIC, "'%s' has %g, which %s cannot represent",
                          tg_st_text(x->name, strlen(x->name)).s, value, tg_dtype_name(x->dtype));
}

/* Items of one entry, parts of a tensor or tied weights, are adjacent: its bytes are read for the first. */
static bool has_entry_of_previous(const tg_items *list, size_t i) {
    return i > 0 && list->item[i].entry == list->item[i - 1].entry;
}

tg_status tg_load_read(tg_loading *l, tg_items *list) {
    for (size_t i = 0; i < list->n; i++)
        l->data_size += has_entry_of_previous(list, i) ? 0 : entry_bytes(&list->item[i]);
    l->data = tg_block_get(l->t, l->data_size);
    char *to = l->data;
    for (size_t i = 0; i < list->n && to; i++) {
        tg_stored *x = &list->item[i];
        tg_shard *s = &l->shard[x->entry->shard];
        if (has_entry_of_previous(list, i)) {
            x->loaded = x[-1].loaded;
            continue;
        }
        if (tg_load_bytes(l, s, to, entry_bytes(x), s->data_at + x->entry->begin))
            return l->t->status;
        x->loaded = to;
        to += entry_bytes(x);
        if (check_numbers(l, x))
            return l->t->status;
    }
    return l->t->status;
}

void tg_load_item(const tg_stored *x) {
    if (x->rule)
        tg_rule_convert(x);
    else
        tg_convert_in(x->data, x->dtype, x->loaded, x->entry->dtype, x->numel);
    if (x->node)
        tg_touch(x->node);
}

/* ---- the public functions ---- */

static tg_status load(tg_loading *l, tg_items *list) {
    const tg_load_config *c = l->config;
    if (tg_items_begin(l->t, c->only, "load", list) ||
        tg_items_rename(l->t, "load", l->path, c->rule, c->n_rules, list))
        return l->t->status;
    if (tg_load_match(l, list, false) || tg_load_read(l, list))
        return l->t->status;
    for (size_t i = 0; i < list->n; i++)
        tg_load_item(&list->item[i]);
    return TG_OK;
}

tg_status tg_load_with(tg_tape *t, const char *path, tg_load_config config) {
    tg_loading l;
    tg_items list = {0};
    tg_status status = tg_load_begin(&l, t, "load", path);
    l.config = &config;
    if (!status)
        status = load(&l, &list);
    tg_items_end(t, &list);
    tg_load_end(&l);
    return status;
}

tg_status tg_load(tg_tape *t, const char *path) { return tg_load_with(t, path, TG_LOAD_DEFAULTS); }

/* The NUL replaces the name's closing quote. */
static tg_file_tensor tensor_of(const tg_st_entry *e) {
    tg_file_tensor x = {.name = e->name, .dtype = tg_st_dtype_name(e->dtype), .bytes = e->end - e->begin};
    if (!tg_st_shape(e, &x.shape))
        x.shape.ndim = -1;
    e->name[e->name_length] = '\0';
    return x;
}

tg_status tg_list_file(tg_tape *t, const char *path, tg_file_visit visit, void *context) {
    tg_loading l;
    tg_status status = tg_load_begin(&l, t, "list_file", path);
    if (!status && !visit)
        status = tg_fail(t, TG_ERR_ARGUMENT, "list_file: the function to call is NULL");
    for (size_t i = 0; i < l.n_entries && !status; i++) {
        tg_file_tensor x = tensor_of(&l.entries[i]);
        visit(&x, context);
    }
    tg_load_end(&l);
    return status;
}
