/* Reading a safetensors header: JSON that names tensors and says where in the data they lie.
 *
 *     {"__metadata__":{"format":"pt"},"weight":{"dtype":"F32","shape":[2,3],"data_offsets":[0,24]}}
 *
 * Nothing is believed. The header must be UTF-8 and JSON of exactly this form (unknown keys of a tensor are passed
 * over, to a bounded depth); names occur once; shapes and dtypes give the number of bytes that the offsets say,
 * without overflow; and the tensors fill the data from its first byte to its last without hole or overlap.
 * Format: github.com/huggingface/safetensors. Strings are unescaped where they lie; nothing is allocated.
 */
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

/* The length of the UTF-8 sequence at s, shortest form and no surrogates; 0 when it is none. */
static size_t utf8_length(const unsigned char *s, size_t n) {
    if (s[0] < 0x80)
        return 1;
    size_t length = s[0] >= 0xc2 && s[0] < 0xe0 ? 2 : (s[0] & 0xf0) == 0xe0 ? 3 : s[0] >= 0xf0 && s[0] < 0xf5 ? 4 : 0;
    if (!length || length > n)
        return 0;
    for (size_t i = 1; i < length; i++)
        if ((s[i] & 0xc0) != 0x80)
            return 0;
    bool overlong = (s[0] == 0xe0 && s[1] < 0xa0) || (s[0] == 0xf0 && s[1] < 0x90);
    bool surrogate = s[0] == 0xed && s[1] >= 0xa0, too_large = s[0] == 0xf4 && s[1] >= 0x90;
    return overlong || surrogate || too_large ? 0 : length;
}

bool tg_st_is_utf8(const char *s, size_t n) {
    for (size_t i = 0, length; i < n; i += length) {
        length = utf8_length((const unsigned char *)s + i, n - i);
        if (!length)
            return false;
    }
    return true;
}

tg_text tg_st_text(const char *name, size_t length) {
    tg_text text = {{0}};
    size_t room = sizeof text.s - 4, n = length < room ? length : room;
    for (size_t i = 0; i < n; i++)
        text.s[i] = (unsigned char)name[i] < 0x20 || name[i] == 0x7f ? '?' : name[i];
    if (n < length)
        memcpy(text.s + n, "...", 3);
    return text;
}

int tg_st_compare(const char *a, size_t a_length, const char *b, size_t b_length) {
    int order = memcmp(a, b, a_length < b_length ? a_length : b_length);
    return order ? order : (a_length > b_length) - (a_length < b_length);
}

/* ---- JSON ---- */

typedef struct parser {
    char *start, *at, *end;
    tg_st_problem *problem;
} parser;

static bool fail(parser *p, const char *what) {
    snprintf(p->problem->text, sizeof p->problem->text, "byte %lld of the header: %s", (long long)(p->at - p->start),
             what);
    return false;
}

static void skip_space(parser *p) {
    while (p->at < p->end && (*p->at == ' ' || *p->at == '\t' || *p->at == '\n' || *p->at == '\r'))
        p->at++;
}

/* Is c next, after white space? Then pass over it. */
static bool accept(parser *p, char c) {
    skip_space(p);
    if (p->at == p->end || *p->at != c)
        return false;
    p->at++;
    return true;
}

static bool expect(parser *p, char c) {
    char what[] = "' ' expected";
    what[1] = c;
    return accept(p, c) || fail(p, what);
}

static int hex_digit(char c) {
    return c >= '0' && c <= '9'   ? c - '0'
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                  : -1;
}

/* Four hex digits; -1 when they are not there. */
static int32_t parse_hex(parser *p) {
    int32_t value = 0;
    for (int i = 0; i < 4; i++) {
        int digit = p->at < p->end ? hex_digit(*p->at) : -1;
        if (digit < 0)
            return -1;
        value = value * 16 + digit;
        p->at++;
    }
    return value;
}

/* What follows \u: one code unit, or the two of a surrogate pair. -1 for anything else. */
static int32_t parse_code_point(parser *p) {
    int32_t high = parse_hex(p);
    if (high < 0xd800 || high > 0xdfff)
        return high;
    if (high > 0xdbff || p->end - p->at < 2 || p->at[0] != '\\' || p->at[1] != 'u')
        return -1;
    p->at += 2;
    int32_t low = parse_hex(p);
    return low < 0xdc00 || low > 0xdfff ? -1 : 0x10000 + (high - 0xd800) * 0x400 + (low - 0xdc00);
}

static char *put_utf8(char *out, int32_t c) {
    if (c < 0x80) {
        *out++ = (char)c;
        return out;
    }
    if (c < 0x800) {
        *out++ = (char)(0xc0 | c >> 6);
    } else {
        if (c < 0x10000) {
            *out++ = (char)(0xe0 | c >> 12);
        } else {
            *out++ = (char)(0xf0 | c >> 18);
            *out++ = (char)(0x80 | (c >> 12 & 0x3f));
        }
        *out++ = (char)(0x80 | (c >> 6 & 0x3f));
    }
    *out++ = (char)(0x80 | (c & 0x3f));
    return out;
}

/* What follows a backslash, written at out: it is never longer than its escape. */
static char *parse_escape(parser *p, char *out) {
    static const char from[] = "\"\\/bfnrt", to[] = "\"\\/\b\f\n\r\t";
    if (p->at == p->end)
        return NULL;
    char c = *p->at++;
    if (c == 'u') {
        int32_t point = parse_code_point(p);
        return point < 0 ? NULL : put_utf8(out, point);
    }
    const char *found = c ? strchr(from, c) : NULL;
    if (!found)
        return NULL;
    *out = to[found - from];
    return out + 1;
}

typedef struct text {
    const char *s;
    size_t length;
} text;

static bool parse_string(parser *p, text *string) {
    if (!expect(p, '"'))
        return false;
    char *out = p->at;
    string->s = out;
    while (p->at < p->end && *p->at != '"') {
        if ((unsigned char)*p->at < 0x20)
            return fail(p, "a control character in a string");
        if (*p->at != '\\') {
            *out++ = *p->at++;
            continue;
        }
        p->at++;
        out = parse_escape(p, out);
        if (!out)
            return fail(p, "a bad escape in a string");
    }
    string->length = (size_t)(out - string->s);
    return expect(p, '"');
}

static bool is_text(const text *a, const char *b) { return a->length == strlen(b) && memcmp(a->s, b, a->length) == 0; }

static bool is_digit(const parser *p) { return p->at < p->end && *p->at >= '0' && *p->at <= '9'; }

/* A whole number: no sign, fraction, exponent or leading zero, and below 2^64. */
static bool parse_size(parser *p, uint64_t *value) {
    skip_space(p);
    const char *first = p->at;
    *value = 0;
    for (; is_digit(p); p->at++) {
        uint64_t digit = (uint64_t)(*p->at - '0');
        if (*value > (UINT64_MAX - digit) / 10)
            return fail(p, "a number above 2^64 - 1");
        *value = *value * 10 + digit;
    }
    if (p->at == first || (*first == '0' && p->at - first > 1) ||
        (p->at < p->end && (*p->at == '.' || *p->at == 'e' || *p->at == 'E')))
        return fail(p, "a whole number expected");
    return true;
}

static bool skip_digits(parser *p) {
    if (!is_digit(p))
        return fail(p, "a digit expected");
    while (is_digit(p))
        p->at++;
    return true;
}

static bool skip_number(parser *p) {
    if (*p->at == '-')
        p->at++;
    if (p->at < p->end && *p->at == '0')
        p->at++;
    else if (!skip_digits(p))
        return false;
    if (p->at < p->end && *p->at == '.') {
        p->at++;
        if (!skip_digits(p))
            return false;
    }
    if (p->at < p->end && (*p->at == 'e' || *p->at == 'E')) {
        p->at++;
        if (p->at < p->end && (*p->at == '+' || *p->at == '-'))
            p->at++;
        return skip_digits(p);
    }
    return true;
}

static bool skip_word(parser *p, const char *word) {
    size_t n = strlen(word);
    if ((size_t)(p->end - p->at) < n || memcmp(p->at, word, n) != 0)
        return fail(p, "a value expected");
    p->at += n;
    return true;
}

/* What precedes it, spaces too, accept() has looked at. */
static bool skip_scalar(parser *p) {
    text ignored;
    switch (p->at < p->end ? *p->at : '\0') {
    case '"': return parse_string(p, &ignored);
    case 't': return skip_word(p, "true");
    case 'f': return skip_word(p, "false");
    case 'n': return skip_word(p, "null");
    default: return p->at == p->end ? fail(p, "a value expected") : skip_number(p);
    }
}

static bool skip_key(parser *p) {
    text ignored;
    return parse_string(p, &ignored) && expect(p, ':');
}

/* Any value, in a loop: the open brackets are kept on a small stack of their own. */
static bool skip_value(parser *p) {
    char closing[TG_ST_MAX_DEPTH];
    int depth = 0;
    for (;;) {
        bool is_object = accept(p, '{');
        if (is_object || accept(p, '[')) {
            if (depth == TG_ST_MAX_DEPTH)
                return fail(p, "brackets nested too deeply");
            closing[depth++] = is_object ? '}' : ']';
            if (!accept(p, closing[depth - 1])) {
                if (is_object && !skip_key(p))
                    return false;
                continue;
            }
            depth--;
        } else if (!skip_scalar(p)) {
            return false;
        }
        while (depth && accept(p, closing[depth - 1]))
            depth--;
        if (!depth)
            return true;
        if (!expect(p, ',') || (closing[depth - 1] == '}' && !skip_key(p)))
            return false;
    }
}

/* ---- the header ---- */

/* [2,3]; the product goes to *elements. */
static bool parse_shape(parser *p, uint64_t *elements) {
    *elements = 1;
    if (!expect(p, '['))
        return false;
    if (accept(p, ']'))
        return true;
    do {
        uint64_t size;
        if (!parse_size(p, &size))
            return false;
        if (size && *elements > UINT64_MAX / size)
            return fail(p, "the number of elements overflows");
        *elements *= size;
    } while (accept(p, ','));
    return expect(p, ']');
}

static bool parse_offsets(parser *p, tg_st_entry *e) {
    return expect(p, '[') && parse_size(p, &e->begin) && expect(p, ',') && parse_size(p, &e->end) && expect(p, ']');
}

static bool parse_dtype(parser *p, tg_st_entry *e) {
    text name;
    if (!parse_string(p, &name))
        return false;
    for (e->dtype = 0; e->dtype < TG_ST_DTYPES; e->dtype++)
        if (is_text(&name, dtypes[e->dtype].name))
            return true;
    return fail(p, "an unknown dtype");
}

static bool check_size(parser *p, const tg_st_entry *e, uint64_t elements) {
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

static int field_of(const text *key) {
    return is_text(key, "dtype") ? DTYPE : is_text(key, "shape") ? SHAPE : is_text(key, "data_offsets") ? OFFSETS : 0;
}

static bool parse_field(parser *p, tg_st_entry *e, int field, uint64_t *elements) {
    switch (field) {
    case DTYPE: return parse_dtype(p, e);
    case SHAPE:
        skip_space(p);
        e->shape_at = (uint32_t)(p->at - p->start);
        return parse_shape(p, elements);
    case OFFSETS: return parse_offsets(p, e);
    default: return skip_value(p);
    }
}

static bool parse_entry(parser *p, tg_st_entry *e) {
    int seen = 0;
    uint64_t elements = 0;
    if (!expect(p, '{'))
        return false;
    do {
        text key;
        if (!parse_string(p, &key) || !expect(p, ':'))
            return false;
        int field = field_of(&key);
        if (seen & field)
            return fail(p, "a key occurs twice in a tensor's entry");
        seen |= field;
        if (!parse_field(p, e, field, &elements))
            return false;
    } while (accept(p, ','));
    if (!expect(p, '}'))
        return false;
    if (seen != (DTYPE | SHAPE | OFFSETS))
        return fail(p, "a tensor's entry lacks dtype, shape or data_offsets");
    return check_size(p, e, elements);
}

/* {"key":"value", ...}: strings only, and of no use here. */
static bool parse_metadata(parser *p) {
    if (!expect(p, '{'))
        return false;
    if (accept(p, '}'))
        return true;
    do {
        text value;
        if (!skip_key(p) || !parse_string(p, &value))
            return false;
    } while (accept(p, ','));
    return expect(p, '}');
}

static bool parse_members(parser *p, tg_st_entry *entries, size_t *count) {
    bool has_metadata = false;
    if (accept(p, '}'))
        return true;
    do {
        text name;
        if (!parse_string(p, &name) || !expect(p, ':'))
            return false;
        if (is_text(&name, "__metadata__")) {
            if (has_metadata)
                return fail(p, "__metadata__ occurs twice");
            has_metadata = true;
            if (!parse_metadata(p))
                return false;
            continue;
        }
        tg_st_entry *e = &entries[(*count)++];
        *e = (tg_st_entry){.name = name.s, .name_length = (uint32_t)name.length};
        if (!parse_entry(p, e))
            return false;
    } while (accept(p, ','));
    return expect(p, '}');
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

static bool wrong_entry(const tg_st_entry *e, tg_st_problem *problem, const char *what) {
    snprintf(problem->text, sizeof problem->text, "tensor '%s' %s", tg_st_text(e->name, e->name_length).s, what);
    return false;
}

static bool check_names(const tg_st_entry *entries, size_t count, tg_st_problem *problem) {
    for (size_t i = 1; i < count; i++)
        if (by_name(&entries[i - 1], &entries[i]) == 0)
            return wrong_entry(&entries[i], problem, "occurs twice: a duplicate name");
    return true;
}

static bool check_layout(const tg_st_entry *entries, size_t count, uint64_t data_size, tg_st_problem *problem) {
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

static bool check_entries(tg_st_entry *entries, size_t count, uint64_t data_size, tg_st_problem *problem) {
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
                 tg_st_problem *problem) {
    parser p = {header, header, header + n, problem};
    *count = 0;
    problem->text[0] = '\0';
    if (!tg_st_is_utf8(header, n)) {
        snprintf(problem->text, sizeof problem->text, "the header is not UTF-8 text");
        return false;
    }
    if (!expect(&p, '{') || !parse_members(&p, entries, count))
        return false;
    skip_space(&p);
    if (p.at != p.end)
        return fail(&p, "something follows the closing '}'");
    return check_entries(entries, *count, data_size, problem);
}

bool tg_st_shape(const char *header, const tg_st_entry *e, tg_shape *shape) {
    const char *s = header + e->shape_at + 1;
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
