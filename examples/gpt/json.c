#include "examples/gpt/json.h"
#include "examples/common/corpus.h"
#include "examples/gpt/gpt.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_DEPTH = 100 };

/* ---- validation: each skips a value and returns its end; NULL after setting wrong ---- */

typedef struct reader {
    const char *end, *wrong, *what;
    int depth;
} reader;

static const char *value(reader *r, const char *at);

static const char *fail_as(reader *r, const char *what, const char *at) {
    r->wrong = at;
    r->what = what;
    return NULL;
}

static const char *fail(reader *r, const char *at) { return fail_as(r, "no JSON", at); }

static const char *space(const reader *r, const char *at) {
    while (at < r->end && (*at == ' ' || *at == '\t' || *at == '\n' || *at == '\r'))
        at++;
    return at;
}

static bool is_hex(char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); }

static uint32_t hex(const char *s) {
    char text[5] = {s[0], s[1], s[2], s[3], '\0'};
    return (uint32_t)strtoul(text, NULL, 16);
}

/* True at an escape of a code unit: \u and four hexadecimal digits. */
static bool is_unit(const reader *r, const char *at) {
    return r->end - at >= 6 && at[0] == '\\' && at[1] == 'u' && is_hex(at[2]) && is_hex(at[3]) && is_hex(at[4]) &&
           is_hex(at[5]);
}

/* \ud800 to \udbff must precede \udc00 to \udfff, and occur only there. */
static const char *unit(reader *r, const char *at) {
    if (!is_unit(r, at))
        return fail(r, at);
    uint32_t high = hex(at + 2), low = is_unit(r, at + 6) ? hex(at + 8) : 0;
    if (high < 0xd800 || high > 0xdfff)
        return at + 6;
    return high < 0xdc00 && low >= 0xdc00 && low <= 0xdfff ? at + 12 : fail_as(r, "a lone surrogate", at);
}

static const char *escape(reader *r, const char *at) {
    if (r->end - at < 2 || !at[1] || !strchr("\"\\/bfnrtu", at[1]))
        return fail(r, at);
    return at[1] == 'u' ? unit(r, at) : at + 2;
}

static const char *character(reader *r, const char *at) {
    int32_t code;
    int n = corpus_decode((const unsigned char *)at, (size_t)(r->end - at), &code);
    if ((unsigned char)*at < 0x20)
        return fail(r, at);
    return n ? at + n : fail_as(r, "no UTF-8", at);
}

static const char *string(reader *r, const char *at) {
    if (at >= r->end || *at != '"')
        return fail(r, at);
    for (at++; at < r->end && *at != '"';)
        if (!(at = *at == '\\' ? escape(r, at) : character(r, at)))
            return NULL;
    return at < r->end ? at + 1 : fail(r, at);
}

static const char *digits(const reader *r, const char *at) {
    while (at < r->end && *at >= '0' && *at <= '9')
        at++;
    return at;
}

static const char *number(reader *r, const char *at) {
    const char *begin = at += at < r->end && *at == '-';
    at = digits(r, at);
    if (at == begin || (*begin == '0' && at > begin + 1))
        return fail(r, begin);
    if (at < r->end && *at == '.') {
        begin = at + 1;
        if ((at = digits(r, begin)) == begin)
            return fail(r, at);
    }
    if (at < r->end && (*at == 'e' || *at == 'E')) {
        at++;
        begin = at += at < r->end && (*at == '+' || *at == '-');
        if ((at = digits(r, begin)) == begin)
            return fail(r, at);
    }
    return at;
}

static const char *word(reader *r, const char *at, const char *text) {
    size_t n = strlen(text);
    return (size_t)(r->end - at) >= n && !memcmp(at, text, n) ? at + n : fail(r, at);
}

/* The contents of { } or [ ]. */
static const char *inside(reader *r, const char *at, char close) {
    at = space(r, at + 1);
    if (at < r->end && *at == close)
        return at + 1;
    for (;; at++) {
        if (close == '}') {
            if (!(at = string(r, space(r, at))))
                return NULL;
            at = space(r, at);
            if (at >= r->end || *at++ != ':')
                return fail(r, at);
        }
        if (!(at = value(r, space(r, at))))
            return NULL;
        at = space(r, at);
        if (at < r->end && *at == close)
            return at + 1;
        if (at >= r->end || *at != ',')
            return fail(r, at);
    }
}

static const char *value(reader *r, const char *at) {
    if (at >= r->end || r->depth >= MOST_DEPTH)
        return fail(r, at);
    r->depth++;
    const char *end = *at == '{'   ? inside(r, at, '}')
                      : *at == '[' ? inside(r, at, ']')
                      : *at == '"' ? string(r, at)
                      : *at == 't' ? word(r, at, "true")
                      : *at == 'f' ? word(r, at, "false")
                      : *at == 'n' ? word(r, at, "null")
                                   : number(r, at);
    r->depth--;
    return end;
}

/* ---- access to validated text ---- */

char json_kind(json x) {
    if (!x.at)
        return 0;
    return *x.at == '-' || (*x.at >= '0' && *x.at <= '9') ? '0' : *x.at;
}

json json_next(json container, json after, json *key) {
    reader r = {.end = container.end};
    char kind = json_kind(container);
    if (kind != '{' && kind != '[')
        return (json){NULL, NULL};
    const char *at = space(&r, after.at ? after.end : container.at + 1);
    at = space(&r, at + (*at == ','));
    if (*at == '}' || *at == ']')
        return (json){NULL, NULL};
    if (kind == '{') {
        const char *end = string(&r, at);
        if (key)
            *key = (json){at, end};
        at = space(&r, space(&r, end) + 1); /* after the colon */
    }
    return (json){at, value(&r, at)};
}

json json_member(json object, const char *name) {
    json key, x = {NULL, NULL};
    if (json_kind(object) != '{')
        return x;
    while ((x = json_next(object, x, &key)).at && !json_is(key, name))
        ;
    return x;
}

int64_t json_count(json container) {
    int64_t n = 0;
    for (json x = {NULL, NULL}; (x = json_next(container, x, NULL)).at;)
        n++;
    return n;
}

bool json_number(json x, double *value) {
    if (json_kind(x) != '0')
        return false;
    *value = strtod(x.at, NULL); /* strtod stops after the number */
    return true;
}

bool json_integer(json x, int64_t *value) {
    double number;
    if (!json_number(x, &number) || !(number >= -9007199254740992.0 && number <= 9007199254740992.0))
        return false;
    *value = (int64_t)number;
    return (double)*value == number;
}

/* The character after \u, and the length of its escape. */
static uint32_t escaped(const char *s, size_t *step) {
    uint32_t high = hex(s);
    bool is_pair = high >= 0xd800 && high < 0xdc00;
    *step = is_pair ? 10 : 4;
    return is_pair ? 0x10000 + ((high - 0xd800) << 10) + (hex(s + 6) - 0xdc00) : high;
}

static size_t put(uint32_t code, unsigned char *out) {
    unsigned char s[4];
    size_t n = code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    static const unsigned char first[] = {0, 0, 0xc0, 0xe0, 0xf0};
    for (size_t i = n; i-- > 1; code >>= 6)
        s[i] = (unsigned char)(0x80 | (code & 0x3f));
    s[0] = (unsigned char)(first[n] | code);
    if (out)
        memcpy(out, s, n);
    return n;
}

size_t json_text(json x, unsigned char *out) {
    static const char from[] = "\"\\/bfnrt", to[] = "\"\\/\b\f\n\r\t";
    size_t n = 0, step;
    if (json_kind(x) != '"')
        return 0;
    for (const char *s = x.at + 1; s < x.end - 1; s++) {
        if (*s != '\\') {
            if (out)
                out[n] = (unsigned char)*s;
            n++;
        } else if (*++s == 'u') {
            n += put(escaped(s + 1, &step), out ? out + n : NULL);
            s += step;
        } else {
            if (out)
                out[n] = (unsigned char)to[strchr(from, *s) - from];
            n++;
        }
    }
    return n;
}

bool json_is(json x, const char *text) {
    unsigned char own[256];
    size_t n = strlen(text);
    return json_kind(x) == '"' && n <= sizeof own && x.end - x.at <= (ptrdiff_t)sizeof own && json_text(x, own) == n &&
           !memcmp(own, text, n);
}

/* ---- names ---- */

typedef struct name {
    const unsigned char *s;
    size_t n;
    json key;
} name;

static int by_bytes(const void *a, const void *b) {
    const name *x = a, *y = b;
    int order = memcmp(x->s, y->s, x->n < y->n ? x->n : y->n);
    return order ? order : (x->n > y->n) - (x->n < y->n);
}

/* The names of an object, sorted; *text: a buffer of their bytes. */
static name *names_of(json object, int64_t n, unsigned char **text) {
    name *all = must_allocate((size_t)n, sizeof *all);
    unsigned char *to = *text = must_allocate((size_t)(object.end - object.at), 1);
    json key, x = {NULL, NULL};
    for (name *one = all; (x = json_next(object, x, &key)).at; one++) {
        *one = (name){to, json_text(key, to), key};
        to += one->n;
    }
    qsort(all, (size_t)n, sizeof *all, by_bytes);
    return all;
}

/* A duplicate name of an object; at NULL: none. */
static json twice(json object) {
    int64_t n = json_kind(object) == '{' ? json_count(object) : 0;
    json found = {NULL, NULL};
    unsigned char *text;
    if (n < 2)
        return found;
    name *all = names_of(object, n, &text);
    for (int64_t i = 1; i < n && !found.at; i++)
        if (!by_bytes(&all[i - 1], &all[i]))
            found = all[i].key;
    free(all);
    free(text);
    return found;
}

static json twice_inside(json x) {
    json found = twice(x), one = {NULL, NULL};
    while (!found.at && (one = json_next(x, one, NULL)).at)
        found = twice_inside(one);
    return found;
}

/* ---- all of it ---- */

static json said(json_problem *wrong, const char *what, ptrdiff_t at) {
    snprintf(wrong->text, sizeof wrong->text, "%s from byte %td on", what, at);
    return (json){NULL, NULL};
}

json json_parse(const char *text, size_t n, json_problem *wrong) {
    reader r = {.end = text + n};
    bool marked = n >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0; /* a byte-order mark */
    const char *at = space(&r, text + (marked ? 3 : 0)), *end = value(&r, at);
    if (end && space(&r, end) != r.end)
        end = fail(&r, space(&r, end));
    if (!end)
        return said(wrong, r.what, r.wrong - text);
    json key = twice_inside((json){at, end});
    if (!key.at)
        return (json){at, end};
    snprintf(wrong->text, sizeof wrong->text, "%.*s occurs twice", (int)(key.end - key.at > 60 ? 60 : key.end - key.at),
             key.at);
    return (json){NULL, NULL};
}
