#include "examples/gpt/split.h"
#include "examples/common/corpus.h"
#include "examples/gpt/unicode.h"

#include <string.h>

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

/* The bytes of 's, 't, 're, 've, 'm, 'll, 'd; 0: it is none. */
static size_t contraction(const unsigned char *s, size_t n) {
    static const char *const all[] = {"'s", "'t", "'re", "'ve", "'m", "'ll", "'d"};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (n >= strlen(all[i]) && memcmp(s, all[i], strlen(all[i])) == 0)
            return strlen(all[i]);
    return 0;
}

/* How far characters of one class go from `at` on; *last: where the last of them begins. */
static size_t run(const unsigned char *s, size_t n, size_t at, class kind, size_t *last) {
    for (size_t bytes; at < n && look(s + at, n - at, &bytes) == kind; at += bytes)
        *last = at;
    return at;
}

size_t split_piece(const unsigned char *s, size_t n) {
    size_t bytes, last = 0, found = contraction(s, n);
    if (found)
        return found;
    class kind = look(s, n, &bytes);
    if (s[0] == ' ' && n > 1 && look(s + 1, n - 1, &bytes) != SPACE)
        return run(s, n, 1, look(s + 1, n - 1, &bytes), &last);
    size_t end = run(s, n, 0, kind, &last);
    /* the last of several spaces goes with what follows it */
    return kind == SPACE && end < n && last > 0 ? last : end;
}
