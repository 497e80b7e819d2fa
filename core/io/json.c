/* Reading JSON in memory: see core/io/json.h. */
#include "core/io/json.h"

#include <stdio.h>
#include <string.h>

/* The length of the UTF-8 sequence at s; 0 for invalid bytes, overlong forms and surrogates. */
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

bool tg_json_is_utf8(const char *s, size_t n) {
    for (size_t i = 0, length; i < n; i += length) {
        length = utf8_length((const unsigned char *)s + i, n - i);
        if (!length)
            return false;
    }
    return true;
}

bool tg_json_fail(tg_json *p, const char *why) {
    snprintf(p->problem->text, sizeof p->problem->text, "byte %lld of %s: %s", (long long)(p->at - p->start), p->what,
             why);
    return false;
}

void tg_json_skip_space(tg_json *p) {
    while (p->at < p->end && (*p->at == ' ' || *p->at == '\t' || *p->at == '\n' || *p->at == '\r'))
        p->at++;
}

bool tg_json_accept(tg_json *p, char c) {
    tg_json_skip_space(p);
    if (p->at == p->end || *p->at != c)
        return false;
    p->at++;
    return true;
}

bool tg_json_expect(tg_json *p, char c) {
    char what[] = "' ' expected";
    what[1] = c;
    return tg_json_accept(p, c) || tg_json_fail(p, what);
}

static int hex_digit(char c) {
    return c >= '0' && c <= '9'   ? c - '0'
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                  : -1;
}

/* Four hex digits; -1 for anything else. */
static int32_t parse_hex(tg_json *p) {
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

/* The code point after \u: one unit, or the two of a surrogate pair; -1 for anything else. */
static int32_t parse_code_point(tg_json *p) {
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

/* Writes the character of the escape after a backslash to out, never longer than the escape; NULL: a bad escape. */
static char *parse_escape(tg_json *p, char *out) {
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

bool tg_json_string(tg_json *p, tg_json_text *string) {
    if (!tg_json_expect(p, '"'))
        return false;
    char *out = p->at;
    string->s = out;
    while (p->at < p->end && *p->at != '"') {
        if ((unsigned char)*p->at < 0x20)
            return tg_json_fail(p, "a control character in a string");
        if (*p->at != '\\') {
            *out++ = *p->at++;
            continue;
        }
        p->at++;
        out = parse_escape(p, out);
        if (!out)
            return tg_json_fail(p, "a bad escape in a string");
    }
    string->length = (size_t)(out - string->s);
    return tg_json_expect(p, '"');
}

bool tg_json_is(const tg_json_text *a, const char *b) {
    return a->length == strlen(b) && memcmp(a->s, b, a->length) == 0;
}

static bool is_digit(const tg_json *p) { return p->at < p->end && *p->at >= '0' && *p->at <= '9'; }

bool tg_json_size(tg_json *p, uint64_t *value) {
    tg_json_skip_space(p);
    const char *first = p->at;
    *value = 0;
    for (; is_digit(p); p->at++) {
        uint64_t digit = (uint64_t)(*p->at - '0');
        if (*value > (UINT64_MAX - digit) / 10)
            return tg_json_fail(p, "a number above 2^64 - 1");
        *value = *value * 10 + digit;
    }
    if (p->at == first || (*first == '0' && p->at - first > 1) ||
        (p->at < p->end && (*p->at == '.' || *p->at == 'e' || *p->at == 'E')))
        return tg_json_fail(p, "a whole number expected");
    return true;
}

static bool skip_digits(tg_json *p) {
    if (!is_digit(p))
        return tg_json_fail(p, "a digit expected");
    while (is_digit(p))
        p->at++;
    return true;
}

static bool skip_number(tg_json *p) {
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

static bool skip_word(tg_json *p, const char *word) {
    size_t n = strlen(word);
    if ((size_t)(p->end - p->at) < n || memcmp(p->at, word, n) != 0)
        return tg_json_fail(p, "a value expected");
    p->at += n;
    return true;
}

/* Any value but an object or array. White space has been skipped. */
static bool skip_scalar(tg_json *p) {
    tg_json_text ignored;
    switch (p->at < p->end ? *p->at : '\0') {
    case '"': return tg_json_string(p, &ignored);
    case 't': return skip_word(p, "true");
    case 'f': return skip_word(p, "false");
    case 'n': return skip_word(p, "null");
    default: return p->at == p->end ? tg_json_fail(p, "a value expected") : skip_number(p);
    }
}

bool tg_json_key(tg_json *p, tg_json_text *key) { return tg_json_string(p, key) && tg_json_expect(p, ':'); }

static bool skip_key(tg_json *p) {
    tg_json_text ignored;
    return tg_json_key(p, &ignored);
}

/* Any value, without recursion: open brackets are kept on a small stack. */
bool tg_json_skip(tg_json *p) {
    char closing[TG_JSON_MAX_DEPTH];
    int depth = 0;
    for (;;) {
        bool is_object = tg_json_accept(p, '{');
        if (is_object || tg_json_accept(p, '[')) {
            if (depth == TG_JSON_MAX_DEPTH)
                return tg_json_fail(p, "brackets nested too deeply");
            closing[depth++] = is_object ? '}' : ']';
            if (!tg_json_accept(p, closing[depth - 1])) {
                if (is_object && !skip_key(p))
                    return false;
                continue;
            }
            depth--;
        } else if (!skip_scalar(p)) {
            return false;
        }
        while (depth && tg_json_accept(p, closing[depth - 1]))
            depth--;
        if (!depth)
            return true;
        if (!tg_json_expect(p, ',') || (closing[depth - 1] == '}' && !skip_key(p)))
            return false;
    }
}

bool tg_json_end(tg_json *p) {
    tg_json_skip_space(p);
    return p->at == p->end || tg_json_fail(p, "something follows the closing '}'");
}
