/* Files of other programs: a tensor's name and layout in the file. */
#include "core/io/serialize.h"

/* ---- rules ---- */

/* The number of * in a pattern. */
static int stars(const char *pattern) {
    int n = 0;
    for (; *pattern; pattern++)
        n += *pattern == '*';
    return n;
}

static const char *wrong_with(const tg_file_rule *r) {
    if (!r->name || !r->file_name)
        return "has no name";
    if (stars(r->name) > 1 || stars(r->name) != stars(r->file_name))
        return "must have one * in both names, or none";
    int64_t parts = r->parts < 0 ? -(int64_t)r->parts : r->parts;
    if (r->part < 0 || (parts ? r->part >= parts : r->part > 0))
        return "must have a part that is at least 0 and below the number of parts";
    return NULL;
}

/* True when the pattern matches the name; middle and length are then the text that its * matched, if it has one. */
static bool fits(const char *pattern, const char *name, const char **middle, size_t *length) {
    const char *star = strchr(pattern, '*');
    size_t n = strlen(name), before = star ? (size_t)(star - pattern) : n, after = star ? strlen(star + 1) : 0;
    if (!star)
        return strcmp(pattern, name) == 0;
    if (n < before + after)
        return false;
    *middle = name + before;
    *length = n - before - after;
    return memcmp(name, pattern, before) == 0 && memcmp(name + n - after, star + 1, after) == 0;
}

static const tg_file_rule *rule_for(const tg_file_rule *rule, int n, const char *name) {
    const char *middle;
    size_t length;
    for (int i = 0; i < n; i++)
        if (fits(rule[i].name, name, &middle, &length))
            return &rule[i];
    return NULL;
}

/* Write the name in the file, with its NUL, to `to` unless that is NULL; return its bytes. */
static size_t put_name(const tg_file_rule *r, const char *name, char *to) {
    const char *middle = "", *star = strchr(r->file_name, '*');
    size_t length = 0, before = star ? (size_t)(star - r->file_name) : strlen(r->file_name);
    (void)fits(r->name, name, &middle, &length);
    const char *after = star ? star + 1 : "";
    if (to) {
        memcpy(to, r->file_name, before);
        memcpy(to + before, middle, length);
        strcpy(to + before + length, after);
    }
    return before + length + strlen(after) + 1;
}

static tg_status check_rules(tg_tape *t, const char *what, const char *path, const tg_file_rule *rule, int n) {
    if (n > 0 && !rule)
        return tg_fail(t, TG_ERR_ARGUMENT, "%s: %.200s: the list of %d rules is NULL", what, path, n);
    for (int i = 0; i < n; i++)
        if (wrong_with(&rule[i]))
            return tg_fail(t, TG_ERR_ARGUMENT, "%s: %.200s: rule %d %s", what, path, i, wrong_with(&rule[i]));
    return TG_OK;
}

static bool is_whole(const tg_file_rule *r) { return r->parts >= -1 && r->parts <= 1; }

/* A rule for whole tensors may follow rules for parts, as {"*", "*"} does, if its pattern differs. */
static bool disagree(const tg_file_rule *a, const tg_file_rule *b) {
    return a->parts != b->parts && (strcmp(a->name, b->name) == 0 || (!is_whole(a) && !is_whole(b)));
}

/* The first rule that matches a name is used; all others that match it must have the same number of parts. */
static tg_status check_parts_agree(tg_tape *t, const char *what, const char *path, const tg_file_rule *rule, int n,
                                   const char *name) {
    const tg_file_rule *first = rule_for(rule, n, name);
    const char *middle;
    size_t length;
    for (int i = 0; first && i < n; i++)
        if (fits(rule[i].name, name, &middle, &length) && disagree(first, &rule[i]))
            return tg_fail(t, TG_ERR_ARGUMENT,
                           "%s: %.200s: rules %d and %d are both for '%s', but have parts %d and %d", what, path,
                           (int)(first - rule), i, tg_st_text(name, strlen(name)).s, first->parts, rule[i].parts);
    return TG_OK;
}

/* ---- a tape's tensor from several of the file ---- */

/* Of the rules that cut x into as many pieces as `like`, the one with the lowest piece from `part` on; n if none. */
static int next_piece(const tg_file_rule *rule, int n, const tg_stored *x, const tg_file_rule *like, int part) {
    const char *middle;
    size_t length;
    int best = n;
    for (int i = 0; i < n; i++)
        if (rule[i].parts == like->parts && rule[i].part >= part && fits(rule[i].name, x->name, &middle, &length) &&
            (best == n || rule[i].part < rule[best].part))
            best = i;
    return best;
}

/* Return the number of the file's tensors that form x; out, unless NULL, gets an item for each, with its rows of x. */
static size_t cut(const tg_file_rule *rule, int n, const tg_stored *x, const tg_file_rule *like, tg_stored *out) {
    int64_t rows = x->size[0] / -(int64_t)like->parts, row = x->size[0] ? x->numel / x->size[0] : 0;
    size_t pieces = 0;
    for (int i = next_piece(rule, n, x, like, 0), next; i < n; i = next, pieces++) {
        next = next_piece(rule, n, x, like, rule[i].part + 1);
        int64_t end = next < n ? rule[next].part : -(int64_t)like->parts, begin = rule[i].part;
        if (!out)
            continue;
        out[pieces] = *x;
        out[pieces].rule = &rule[i];
        out[pieces].rows = rows * (end - begin);
        out[pieces].numel = rows * (end - begin) * row;
        out[pieces].data = (char *)x->data + (size_t)(begin * rows * row) * tg_dtype_size(x->dtype);
    }
    return pieces;
}

/* An error unless these rules cover x exactly. */
static tg_status check_cut(tg_tape *t, const char *what, const char *path, const tg_file_rule *rule, int n,
                           const tg_stored *x, const tg_file_rule *like) {
    tg_text name = tg_st_text(x->name, strlen(x->name));
    int first = next_piece(rule, n, x, like, 0), twice = 0;
    for (int i = 0; i < n; i++) {
        const char *middle;
        size_t length;
        bool counts = rule[i].parts == like->parts && fits(rule[i].name, x->name, &middle, &length);
        twice += counts && next_piece(rule, n, x, like, rule[i].part) != i;
    }
    if (x->ndim == 0 || x->size[0] % like->parts)
        return tg_fail(t, TG_ERR_SHAPE, "%s: %.200s: '%s' cannot be split into %lld equal pieces along its first dim",
                       what, path, name.s, -(long long)like->parts);
    if (rule[first].part != 0 || twice)
        return tg_fail(t, TG_ERR_ARGUMENT, "%s: %.200s: of the pieces of '%s' %s", what, path, name.s,
                       twice ? "two rules have the same" : "no rule has number 0");
    return TG_OK;
}

/* Replace each tensor formed by several of the file's by items for its pieces. */
static tg_status cut_items(tg_tape *t, const char *what, const char *path, const tg_file_rule *rule, int n,
                           tg_items *list) {
    tg_items cut_list = *list;
    size_t more = 0;
    for (size_t i = 0; i < list->n && !t->status; i++) {
        const tg_file_rule *r = rule_for(rule, n, list->item[i].name);
        if (r && r->parts < 0 && !check_cut(t, what, path, rule, n, &list->item[i], r))
            more += cut(rule, n, &list->item[i], r, NULL) - 1;
    }
    if (!more || t->status)
        return t->status;
    cut_list.room += more;
    cut_list.item = tg_block_get(t, cut_list.room * sizeof *cut_list.item);
    cut_list.n = 0;
    for (size_t i = 0; i < list->n && cut_list.item; i++) {
        tg_stored *to = &cut_list.item[cut_list.n];
        const tg_file_rule *r = rule_for(rule, n, list->item[i].name);
        *to = list->item[i];
        cut_list.n += r && r->parts < 0 ? cut(rule, n, &list->item[i], r, to) : 1;
    }
    if (!cut_list.item)
        return t->status;
    tg_block_put(t, list->item, list->room * sizeof *list->item);
    *list = cut_list;
    return TG_OK;
}

tg_status tg_items_rename(tg_tape *t, const char *what, const char *path, const tg_file_rule *rule, int n,
                          tg_items *list) {
    if (n <= 0 || check_rules(t, what, path, rule, n))
        return t->status;
    for (size_t i = 0; i < list->n; i++)
        if (check_parts_agree(t, what, path, rule, n, list->item[i].name))
            return t->status;
    if (cut_items(t, what, path, rule, n, list))
        return t->status;
    for (size_t i = 0; i < list->n; i++) {
        if (!list->item[i].rule)
            list->item[i].rule = rule_for(rule, n, list->item[i].name);
        if (list->item[i].rule)
            list->names_size += put_name(list->item[i].rule, list->item[i].name, NULL);
    }
    list->names = tg_block_get(t, list->names_size);
    char *to = list->names;
    for (size_t i = 0; i < list->n && to; i++)
        if (list->item[i].rule) {
            list->item[i].file_name = to;
            to += put_name(list->item[i].rule, list->item[i].name, to);
        }
    return t->status;
}

/* ---- layouts ---- */

bool tg_rule_shape(const tg_stored *x, tg_shape *shape) {
    *shape = tg_stored_shape(x);
    if (!x->rule)
        return true;
    int parts = tg_rule_parts(x);
    if (x->ndim == 0 ? parts > 1 : shape->size[0] > INT64_MAX / parts)
        return false;
    if (x->ndim > 0)
        shape->size[0] *= parts;
    if (!x->rule->transpose)
        return true;
    int64_t rows = shape->size[0];
    shape->size[0] = shape->size[1];
    shape->size[1] = rows;
    return x->ndim == 2;
}

/* Convert x's part of the file's numbers. */
void tg_rule_convert(const tg_stored *x) {
    const tg_file_rule *r = x->rule;
    tg_st_dtype dtype = (tg_st_dtype)x->entry->dtype;
    size_t bytes = tg_st_dtype_bits(dtype) / 8, size = tg_dtype_size(x->dtype);
    if (!r->transpose) {
        tg_convert_in(x->data, x->dtype, x->loaded + (size_t)(tg_rule_part(x) * x->numel) * bytes, dtype, x->numel);
        return;
    }
    int64_t rows = tg_stored_shape(x).size[0], columns = x->size[1], pitch = rows * tg_rule_parts(x);
    for (int64_t i = 0; i < rows; i++)
        for (int64_t j = 0; j < columns; j++)
            tg_convert_in((char *)x->data + (size_t)(i * columns + j) * size, x->dtype,
                          x->loaded + (size_t)(j * pitch + tg_rule_part(x) * rows + i) * bytes, dtype, 1);
}

/* Row j of the file's matrix is column j of each part in turn. */
void tg_rule_gather(const tg_stored *x, int64_t from, int64_t n, void *to) {
    int64_t rows = tg_stored_shape(x).size[0], columns = x->size[1], pitch = rows * tg_rule_parts(x);
    size_t size = tg_dtype_size(x->dtype);
    for (int64_t k = 0; k < n; k++) {
        int64_t j = (from + k) / pitch, i = (from + k) % pitch;
        const char *part = x[i / rows].data;
        memcpy((char *)to + (size_t)k * size, part + (size_t)(i % rows * columns + j) * size, size);
    }
}
