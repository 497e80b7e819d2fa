#include "examples/gpt/split.h"
#include "examples/common/corpus.h"
#include "examples/gpt/unicode.h"

#include <string.h>

#define ANY_CASE "(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\\r\\n\\p{L}\\p{N}]?\\p{L}+|"
#define LINES "| ?[^\\s\\p{L}\\p{N}]+[\\r\\n]*|\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+"
static const struct known {
    const char *pattern;
    split_rule rule;
} patterns[] = {
    {"'s|'t|'re|'ve|'m|'ll|'d| ?\\p{L}+| ?\\p{N}+| ?[^\\s\\p{L}\\p{N}]+|\\s+(?!\\S)|\\s+", {false, false, false, 0}},
    {ANY_CASE "\\p{N}{1,3}" LINES, {true, true, true, 3}},
    {ANY_CASE "\\p{N}" LINES, {true, true, true, 1}},
};

const split_rule *split_rule_of(const char *pattern) {
    for (size_t i = 0; i < sizeof patterns / sizeof *patterns; i++)
        if (!strcmp(patterns[i].pattern, pattern))
            return &patterns[i].rule;
    return NULL;
}

/* ---- characters ---- */

typedef enum { LETTER, DIGIT, SPACE, OTHER } class;

#define IS_IN(table, code) corpus_in(table, sizeof(table) / sizeof *(table), code)

static class class_of(int32_t code) {
    return IS_IN(letters, code) ? LETTER : IS_IN(numbers, code) ? DIGIT : IS_IN(spaces, code) ? SPACE : OTHER;
}

/* The class of the character at s and its bytes. */
static class look(const unsigned char *s, size_t left, size_t *bytes) {
    int32_t code;
    *bytes = (size_t)corpus_decode(s, left, &code);
    if (*bytes)
        return class_of(code);
    *bytes = 1;
    return OTHER;
}

static bool is_at(const unsigned char *s, size_t n, size_t at, class kind) {
    size_t bytes;
    return at < n && look(s + at, n - at, &bytes) == kind;
}

static bool ends_line(unsigned char c) { return c == '\r' || c == '\n'; }

/* The bytes of a run of characters of one class from `at` on, at most `most` of them; 0: any number. */
static size_t run(const unsigned char *s, size_t n, size_t at, class kind, int most) {
    size_t bytes;
    for (int i = 0; at < n && (!most || i < most) && look(s + at, n - at, &bytes) == kind; i++)
        at += bytes;
    return at;
}

/* ---- the pattern's parts: the bytes that each matches; 0: no match ---- */

/* Matches a letter of a contraction. U+017F folds to s. */
static size_t same_letter(const split_rule *r, const unsigned char *s, size_t n, char letter) {
    if (!n || s[0] == letter)
        return n > 0;
    if (!r->any_case || letter == '\'')
        return 0;
    return n > 1 && letter == 's' && !memcmp(s, "\xc5\xbf", 2) ? 2 : s[0] == letter - 'a' + 'A';
}

/* 's, 't, 're, 've, 'm, 'll, 'd */
static size_t contraction(const split_rule *r, const unsigned char *s, size_t n) {
    static const char *const all[] = {"'s", "'t", "'re", "'ve", "'m", "'ll", "'d"};
    for (size_t i = 0; s[0] == '\'' && i < sizeof all / sizeof *all; i++) {
        const char *letter = all[i];
        size_t at = 0, step;
        while (*letter && (step = same_letter(r, s + at, n - at, *letter)) > 0) {
            at += step;
            letter++;
        }
        if (!*letter)
            return at;
    }
    return 0;
}

/* Matches a character that may precede letters. */
static size_t lead(const split_rule *r, const unsigned char *s, size_t n) {
    size_t bytes;
    class kind = look(s, n, &bytes);
    bool may = r->any_lead ? kind != LETTER && kind != DIGIT && !ends_line(s[0]) : s[0] == ' ';
    return may ? bytes : 0;
}

static size_t run_after(const unsigned char *s, size_t n, size_t before, class kind, int most) {
    return is_at(s, n, before, kind) ? run(s, n, before, kind, most) : 0;
}

/* Punctuation, with the line ends after it. */
static size_t punctuation(const split_rule *r, const unsigned char *s, size_t n) {
    size_t end = run_after(s, n, s[0] == ' ', OTHER, 0);
    while (end && r->new_lines && end < n && ends_line(s[end]))
        end++;
    return end;
}

/* Spaces: up to the last line end, or all of them, but the last of several belongs to the following piece. */
static size_t space(const split_rule *r, const unsigned char *s, size_t n) {
    size_t last = 0, line = 0, end = 0, bytes;
    for (; end < n && look(s + end, n - end, &bytes) == SPACE; end += bytes) {
        last = end;
        line = ends_line(s[end]) ? end + 1 : line;
    }
    return r->new_lines && line ? line : end < n && last > 0 ? last : end;
}

size_t split_piece(const split_rule *r, const unsigned char *s, size_t n) {
    size_t found = contraction(r, s, n);
    if (!found)
        found = run_after(s, n, lead(r, s, n), LETTER, 0);
    if (!found)
        found = run_after(s, n, !r->any_lead && s[0] == ' ', DIGIT, r->digits);
    if (!found)
        found = punctuation(r, s, n);
    return found ? found : space(r, s, n);
}
