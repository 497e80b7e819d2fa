/* Reading a safetensors header: JSON with the tensors' names and their place in the data.
 *
 *     {"__metadata__":{"format":"pt"},"weight":{"dtype":"F32","shape":[2,3],"data_offsets":[0,24]}}
 *
 * Everything is validated. The header must be UTF-8 and JSON of exactly this form (unknown keys of a tensor are
 * skipped, to a bounded depth); names occur once; shapes and dtypes agree with the offsets, without overflow; and the
 * tensors fill the data from its first byte to its last without hole or overlap. Format:
 * github.com/huggingface/safetensors. Strings are unescaped in place; nothing is allocated. */
#include "core/io/serialize.h"

#include <stdlib.h>

static const struct {
    const char *name;
    unsigned bits;
} dtypes[TG_ST_DTYPES] = {{"BOOL", 8},        {"F4", 4},      {"F6_E2M3", 6}, {"F6_E3M2", 6}, {"U8", 8},
                          {"I8", 8},          {"F8_E5M2", 8}, {"F8_E4M3", 8}, {"F8_E8M0", 8}, {"F8_E4M3FNUZ", 8},
                          {"F8_E5M2FNUZ", 8}, {"I16", 16},    {"U16", 16},    {"F16", 16},    {"BF16", 16},
                          {"I32", 32},        {"U32", 32},    {"F32", 32},    {"C64", 64},    {"F64", 64},
                          {"I64", 64},        {"U64", 64}};

const char *tg_st_dtype_name(unsigned dtype) { return dtypes[dtype].name; }
unsigned tg_st_dtype_bits(unsigned dtype) { return dtypes[dtype].bits; }

tg_st_dtype tg_st_dtype_of(tg_dtype dtype) {
    static const tg_st_dtype same[] = {TG_ST_F32, TG_ST_F64, TG_ST_I64, TG_ST_BOOL};
    return same[dtype];
}

/* ---- text ---- */

tg_text tg_st_text(const char *name, size_t length) {
    tg_text text = {{0}};
    size_t room = sizeof text.s - 4, n = length < room ? length : room;
    for (size_t i = 0; i < n; i++)
        text.s[i] = name[i] ? name[i] : '?';
    if (n < length)
        tg_cut_text(text.s);
    tg_make_printable(text.s);
    if (n < length)
        strcat(text.s, "...");
    return text;
}

int tg_st_compare(const char *a, size_t a_length, const char *b, size_t b_length) {
    int order = memcmp(a, b, a_length < b_length ? a_length : b_length);
    return order ? order : (a_length > b_length) - (a_length < b_length);
}

/* ---- the header ---- */

/* [2,3]; the product goes to *elements. */
static bool parse_shape(tg_json *p, uint64_t *elements) {
    *elements = 1;
    if (!tg_json_expect(p, '['))
        return false;
    if (tg_json_accept(p, ']'))
        return true;
    do {
        uint64_t size;
        if (!tg_json_size(p, &size))
            return false;
        if (size && *elements > UINT64_MAX / size)
            return tg_json_fail(p, "the number of elements overflows");
        *elements *= size;
    } while (tg_json_accept(p, ','));
    return tg_json_expect(p, ']');
}

static bool parse_offsets(tg_json *p, tg_st_entry *e) {
    return tg_json_expect(p, '[') && tg_json_size(p, &e->begin) && tg_json_expect(p, ',') && tg_json_size(p, &e->end) &&
           tg_json_expect(p, ']');
}

static bool parse_dtype(tg_json *p, tg_st_entry *e) {
    tg_json_text name;
    if (!tg_json_string(p, &name))
        return false;
    for (e->dtype = 0; e->dtype < TG_ST_DTYPES; e->dtype++)
        if (tg_json_is(&name, dtypes[e->dtype].name))
            return true;
    return tg_json_fail(p, "an unknown dtype");
}

static bool check_size(tg_json *p, const tg_st_entry *e, uint64_t elements) {
    unsigned bits = dtypes[e->dtype].bits;
    const char *wrong = NULL;
    if (elements > UINT64_MAX / bits)
        wrong = "its number of bytes overflows";
    else if (elements * bits % 8)
        wrong = "it does not end at a whole byte";
    else if (e->end < e->begin)
        wrong = "it ends before it begins";
    else if (e->end - e->begin != elements * bits / 8)
        wrong = "its data_offsets do not fit its shape and dtype";
    if (wrong)
        snprintf(p->problem->text, sizeof p->problem->text, "tensor '%s': %s", tg_st_text(e->name, e->name_length).s,
                 wrong);
    return !wrong;
}

enum { DTYPE = 1, SHAPE = 2, OFFSETS = 4 };

static int field_of(const tg_json_text *key) {
    return tg_json_is(key, "dtype")          ? DTYPE
           : tg_json_is(key, "shape")        ? SHAPE
           : tg_json_is(key, "data_offsets") ? OFFSETS
                                             : 0;
}

static bool parse_field(tg_json *p, tg_st_entry *e, int field, uint64_t *elements) {
    switch (field) {
    case DTYPE: return parse_dtype(p, e);
    case SHAPE:
        tg_json_skip_space(p);
        e->shape = p->at;
        return parse_shape(p, elements);
    case OFFSETS: return parse_offsets(p, e);
    default: return tg_json_skip(p);
    }
}

static bool parse_entry(tg_json *p, tg_st_entry *e) {
    int seen = 0;
    uint64_t elements = 0;
    if (!tg_json_expect(p, '{'))
        return false;
    do {
        tg_json_text key;
        if (!tg_json_key(p, &key))
            return false;
        int field = field_of(&key);
        if (seen & field)
            return tg_json_fail(p, "a key occurs twice in a tensor's entry");
        seen |= field;
        if (!parse_field(p, e, field, &elements))
            return false;
    } while (tg_json_accept(p, ','));
    if (!tg_json_expect(p, '}'))
        return false;
    if (seen != (DTYPE | SHAPE | OFFSETS))
        return tg_json_fail(p, "a tensor's entry lacks dtype, shape or data_offsets");
    return check_size(p, e, elements);
}

/* {"key":"value", ...}: strings only; ignored. */
static bool parse_metadata(tg_json *p) {
    if (!tg_json_expect(p, '{'))
        return false;
    if (tg_json_accept(p, '}'))
        return true;
    do {
        tg_json_text key, value;
        if (!tg_json_key(p, &key) || !tg_json_string(p, &value))
            return false;
    } while (tg_json_accept(p, ','));
    return tg_json_expect(p, '}');
}

static bool parse_members(tg_json *p, tg_st_entry *entries, size_t *count) {
    bool has_metadata = false;
    if (tg_json_accept(p, '}'))
        return true;
    do {
        tg_json_text name;
        if (!tg_json_key(p, &name))
            return false;
        if (tg_json_is(&name, "__metadata__")) {
            if (has_metadata)
                return tg_json_fail(p, "__metadata__ occurs twice");
            has_metadata = true;
            if (!parse_metadata(p))
                return false;
            continue;
        }
        tg_st_entry *e = &entries[(*count)++];
        *e = (tg_st_entry){.name = name.s, .name_length = (uint32_t)name.length};
        if (!parse_entry(p, e))
            return false;
    } while (tg_json_accept(p, ','));
    return tg_json_expect(p, '}');
}

/* ---- the layout ---- */

static int by_place(const void *a, const void *b) {
    const tg_st_entry *x = a, *y = b;
    if (x->begin != y->begin)
        return x->begin < y->begin ? -1 : 1;
    return (x->end > y->end) - (x->end < y->end);
}

static int by_name(const void *a, const void *b) {
    const tg_st_entry *x = a, *y = b;
    return tg_st_compare(x->name, x->name_length, y->name, y->name_length);
}

static bool wrong_entry(const tg_st_entry *e, tg_json_problem *problem, const char *what) {
    snprintf(problem->text, sizeof problem->text, "tensor '%s' %s", tg_st_text(e->name, e->name_length).s, what);
    return false;
}

static bool check_names(const tg_st_entry *entries, size_t count, tg_json_problem *problem) {
    for (size_t i = 1; i < count; i++)
        if (by_name(&entries[i - 1], &entries[i]) == 0)
            return wrong_entry(&entries[i], problem, "occurs twice: a duplicate name");
    return true;
}

static bool check_layout(const tg_st_entry *entries, size_t count, uint64_t data_size, tg_json_problem *problem) {
    uint64_t at = 0;
    for (size_t i = 0; i < count; i++) {
        if (entries[i].begin != at)
            return wrong_entry(&entries[i], problem,
                               entries[i].begin < at ? "overlaps another" : "leaves a hole before it");
        at = entries[i].end;
    }
    if (at == data_size)
        return true;
    snprintf(problem->text, sizeof problem->text,
             "the tensors take %llu bytes of data, but the file has %llu: it is %s", (unsigned long long)at,
             (unsigned long long)data_size, at > data_size ? "cut short" : "followed by something else");
    return false;
}

static bool check_entries(tg_st_entry *entries, size_t count, uint64_t data_size, tg_json_problem *problem) {
    qsort(entries, count, sizeof *entries, by_name);
    if (!check_names(entries, count, problem))
        return false;
    qsort(entries, count, sizeof *entries, by_place);
    if (!check_layout(entries, count, data_size, problem))
        return false;
    qsort(entries, count, sizeof *entries, by_name);
    return true;
}

bool tg_st_parse(char *header, size_t n, uint64_t data_size, tg_st_entry *entries, size_t *count,
                 tg_json_problem *problem) {
    tg_json p = {header, header, header + n, "the header", problem};
    *count = 0;
    problem->text[0] = '\0';
    if (!tg_json_is_utf8(header, n)) {
        snprintf(problem->text, sizeof problem->text, "the header is not UTF-8 text");
        return false;
    }
    if (!tg_json_expect(&p, '{') || !parse_members(&p, entries, count))
        return false;
    if (!tg_json_end(&p))
        return false;
    return check_entries(entries, *count, data_size, problem);
}

bool tg_st_shape(const tg_st_entry *e, tg_shape *shape) {
    const char *s = e->shape + 1;
    *shape = TG_SCALAR;
    while (*s != ']') {
        if (*s < '0' || *s > '9') {
            s++; /* a comma or white space */
            continue;
        }
        if (shape->ndim == TG_MAX_DIMS)
            return false;
        int64_t size = 0;
        for (; *s >= '0' && *s <= '9'; s++) {
            if (size > (INT64_MAX - 9) / 10)
                return false;
            size = size * 10 + (*s - '0');
        }
        shape->size[shape->ndim++] = size;
    }
    return true;
}
